//! Random admissible states in the prime field, with the accelerations and multipliers of the motion through them.
//!
//! Parameters stand at their values (a statement about a model is a statement about its numbers: massless parts, a centre of
//! mass on the axis), time and coordinates are random but for holonomic relations, velocities are random among the admissible
//! ones, and accelerations and multipliers solve
//!
//! ```text
//! M q̈ − Aᵀ λ = −h,    A q̈ = b.
//! ```
//!
//! What is not zero at one such state does not vanish identically; what is zero at several is zero but for a chance of about
//! 10⁻¹⁷ each.

use crate::expr::field::{Fp, null_space, solve};
use crate::expr::normal::Options;
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Expr, Symbol};
use crate::forms::Workbench;

/// Draws before a state is given up: a root of a non-square, a pole.
const TRIES: u64 = 60;

/// How one symbol follows from those drawn before it: a root of a polynomial with these coefficients, lowest first. With one
/// coefficient only there is nothing to solve for and it must be zero.
#[derive(Clone, Debug)]
struct Step {
    symbol: Symbol,
    coefficients: FieldEvaluator,
}

/// A way to draw admissible states.
pub struct Admissible {
    /// M, h, A, b, one after the other.
    saddle: FieldEvaluator,
    parameters: Vec<(Symbol, FieldEvaluator)>,
    positions: Vec<Step>,
    velocities: Velocities,
}

enum Velocities {
    /// A q̇ = −a, by linear algebra: rows of A, each with its a.
    Linear(FieldEvaluator),
    /// One after the other.
    Triangular(Vec<Step>),
}

/// M, h, A, b at a state.
pub struct SaddleValues {
    /// M.
    pub mass: Vec<Vec<Fp>>,
    /// h.
    pub rest: Vec<Fp>,
    /// A.
    pub a: Vec<Vec<Fp>>,
    /// b.
    pub b: Vec<Fp>,
}

impl Admissible {
    /// Prepares draws. `relations` are holonomic relations q_i = e that hold besides the constraints. `None` when no way to
    /// admissible states is known: constraints that cannot be solved one after the other by at most a square root.
    pub fn new(w: &mut Workbench, relations: &[(Symbol, Expr)]) -> Option<Admissible> {
        let values = w.system.parameter_expressions(w.g);
        let mut parameters = Vec::new();
        for p in &w.system.parameters {
            if let Some(&e) = values.get(&p.symbol) {
                parameters.push((p.symbol, evaluator(w, &[e])));
            }
        }
        Self::with_parameters(w, relations, parameters)
    }

    /// As [`Admissible::new`], but with random parameters: what holds then holds for the letters.
    pub fn for_letters(w: &mut Workbench) -> Option<Admissible> {
        Self::with_parameters(w, &[], Vec::new())
    }

    fn with_parameters(
        w: &mut Workbench,
        relations: &[(Symbol, Expr)],
        parameters: Vec<(Symbol, FieldEvaluator)>,
    ) -> Option<Admissible> {
        let dynamics = w.dynamics();
        let mut positions = Vec::new();
        for &(symbol, e) in relations {
            let (minus, one) = (w.g.neg(e), w.g.one());
            positions.push(Step { symbol, coefficients: evaluator(w, &[minus, one]) });
        }
        let holonomic: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
        let coordinates = w.system.coordinates.clone();
        positions.extend(triangular(w, holonomic, &coordinates)?);
        let v = w.system.velocities.clone();
        let mut rows = Vec::new();
        let mut linear = true;
        for (j, phi) in dynamics.velocity_constraints.iter().enumerate() {
            // A constraint of second order leaves the velocities free.
            let Some(phi) = *phi else { continue };
            let row = w.simplify_all(&dynamics.a[j]);
            linear &= !row.iter().any(|&e| w.g.depends_on_any(e, &v));
            rows.push((phi, row));
        }
        let velocities = if linear {
            let mut list = Vec::new();
            for (phi, row) in rows {
                list.extend(row);
                list.push(w.g.without(phi, &v));
            }
            Velocities::Linear(evaluator(w, &list))
        } else {
            Velocities::Triangular(triangular(w, rows.into_iter().map(|(phi, _)| phi).collect(), &v)?)
        };
        let mut list: Vec<Expr> = dynamics.mass.iter().flatten().copied().collect();
        list.extend(&dynamics.rest);
        list.extend(dynamics.a.iter().flatten());
        list.extend(&dynamics.b);
        Some(Admissible { saddle: evaluator(w, &list), parameters, positions, velocities })
    }

    /// A random admissible state: t, q, q̇.
    pub fn state(&self, w: &Workbench, seed: u64) -> Option<FieldPoint> {
        (0..TRIES).find_map(|i| self.try_state(w, seed.wrapping_mul(1_000_003).wrapping_add(i)))
    }

    /// A random admissible state with accelerations and multipliers.
    pub fn moving(&self, w: &Workbench, seed: u64) -> Option<FieldPoint> {
        (0..TRIES).find_map(|i| {
            let mut point = self.try_state(w, seed.wrapping_mul(1_000_003).wrapping_add(i))?;
            let solution = self.saddle(w, &point)?.solve()?;
            let (accelerations, multipliers) = solution.split_at(w.system.n());
            for (&s, &v) in w.system.accelerations.iter().zip(accelerations) {
                point.set(s, v);
            }
            for (c, &v) in w.system.constraints.iter().zip(multipliers) {
                point.set(c.multiplier, v);
            }
            Some(point)
        })
    }

    fn try_state(&self, w: &Workbench, seed: u64) -> Option<FieldPoint> {
        let g = &*w.g;
        let n = w.system.n();
        let mut point = FieldPoint::new(seed);
        for (s, value) in &self.parameters {
            let value = value.at(g, &point).ok()?[0];
            point.set(*s, value);
        }
        solve_steps(g, &mut point, &self.positions)?;
        match &self.velocities {
            Velocities::Linear(rows) => {
                let (mut a, mut right) = (Vec::new(), Vec::new());
                let mut values: Vec<Fp> = w.system.velocities.iter().map(|&s| point.symbol(s)).collect();
                for row in rows.at(g, &point).ok()?.chunks(n + 1) {
                    let value = row[..n].iter().zip(&values).fold(row[n], |s, (a, v)| s + *a * *v);
                    a.push(row[..n].to_vec());
                    right.push(-value);
                }
                if !a.is_empty() {
                    let change = solve(&a, &right)?;
                    values.iter_mut().zip(change).for_each(|(v, s)| *v += s);
                }
                for (&s, v) in w.system.velocities.iter().zip(values) {
                    point.set(s, v);
                }
            }
            Velocities::Triangular(steps) => solve_steps(g, &mut point, steps)?,
        }
        Some(point)
    }

    /// The saddle system at a state.
    pub fn saddle(&self, w: &Workbench, point: &FieldPoint) -> Option<SaddleValues> {
        let (n, k) = (w.system.n(), w.system.k());
        let list = self.saddle.at(w.g, point).ok()?;
        let (mass, more) = list.split_at(n * n);
        let (rest, more) = more.split_at(n);
        let (a, b) = more.split_at(k * n);
        let rows = |flat: &[Fp]| flat.chunks(n.max(1)).map(<[Fp]>::to_vec).collect();
        Some(SaddleValues { mass: rows(mass), rest: rest.to_vec(), a: rows(a), b: b.to_vec() })
    }
}

/// Prepares expressions for evaluation at drawn states.
pub fn evaluator(w: &mut Workbench, expressions: &[Expr]) -> FieldEvaluator {
    let options = Options { limits: w.limits.clone(), ..Options::default() };
    FieldEvaluator::new(w.g, expressions, &options)
}

impl SaddleValues {
    /// The matrix (M, −Aᵀ; A, 0).
    pub fn matrix(&self) -> Vec<Vec<Fp>> {
        let (n, k) = (self.mass.len(), self.a.len());
        let upper = (0..n).map(|i| self.mass[i].iter().copied().chain((0..k).map(|j| -self.a[j][i])).collect());
        let lower = (0..k).map(|j| self.a[j].iter().copied().chain((0..k).map(|_| Fp::ZERO)).collect());
        upper.chain(lower).collect()
    }

    /// Are the accelerations determined?
    pub fn regular(&self) -> bool {
        let (n, k) = (self.mass.len(), self.a.len());
        null_space(&self.matrix(), n + k).iter().all(|x| x[..n].iter().all(|x| x.is_zero()))
    }

    /// q̈ and λ (one choice of λ where constraints depend on each other); `None` when q̈ is not determined.
    pub fn solve(&self) -> Option<Vec<Fp>> {
        if !self.regular() {
            return None;
        }
        let right: Vec<Fp> = self.rest.iter().map(|&h| -h).chain(self.b.iter().copied()).collect();
        solve(&self.matrix(), &right)
    }
}

fn solve_steps(g: &crate::expr::Arena, point: &mut FieldPoint, steps: &[Step]) -> Option<()> {
    for step in steps {
        let c = step.coefficients.at(g, point).ok()?;
        match c[..] {
            // Nothing to solve for: an equation that must follow from those before.
            [c] if c.is_zero() => {}
            [_] => return None,
            _ => point.set(step.symbol, root_of(&c)?),
        }
    }
    Some(())
}

/// An order in which each equation is solved for one symbol that occurs in no equation solved before it. Equations that find
/// none left must follow from the others: they are checked at every draw. `None` when an equation is of higher degree than
/// two in every symbol it could be solved for.
fn triangular(w: &mut Workbench, mut open: Vec<Expr>, symbols: &[Symbol]) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    let mut done: Vec<Expr> = Vec::new();
    while !open.is_empty() {
        // (choices left, degree, position from the end): authors put dependent coordinates last.
        let mut best: Option<((usize, u32, usize), usize, Symbol)> = None;
        let mut stuck = None;
        for (j, &e) in open.iter().enumerate() {
            let free: Vec<usize> = (0..symbols.len())
                .filter(|&i| w.g.depends_on(e, symbols[i]) && !done.iter().any(|&d| w.g.depends_on(d, symbols[i])))
                .collect();
            if free.is_empty() {
                stuck = Some(j);
                break;
            }
            for &i in &free {
                if let Some(degree @ 1..=2) = w.g.degree(e, &[symbols[i]]) {
                    let rank = (free.len(), degree, symbols.len() - i);
                    if best.is_none_or(|(r, _, _)| rank < r) {
                        best = Some((rank, j, symbols[i]));
                    }
                }
            }
        }
        if let Some(j) = stuck {
            let e = open.remove(j);
            steps.push(Step { symbol: w.g.time(), coefficients: evaluator(w, &[e]) });
            continue;
        }
        let (_, j, symbol) = best?;
        let e = open.remove(j);
        let coefficients = w.g.coefficients(e, symbol)?;
        steps.push(Step { symbol, coefficients: evaluator(w, &coefficients) });
        done.push(e);
    }
    Some(steps)
}

/// A root of the polynomial with these coefficients, of degree one or two.
fn root_of(c: &[Fp]) -> Option<Fp> {
    match c {
        [c0, c1] => Some(-*c0 * c1.inverse()?),
        [c0, c1, c2] if c2.is_zero() => Some(-*c0 * c1.inverse()?),
        [c0, c1, c2] => {
            let discriminant = *c1 * *c1 - Fp::new(4) * *c0 * *c2;
            Some((discriminant.sqrt()? - *c1) * (*c2 + *c2).inverse()?)
        }
        _ => None,
    }
}
