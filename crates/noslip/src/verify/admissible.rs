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
use crate::forms::{Dynamics, Workbench};
use std::rc::Rc;

/// Draws before a state is given up: a root of a non-square, a pole.
const TRIES: u64 = 60;

/// How one symbol follows from those drawn before it: a root of a polynomial with these coefficients, lowest first.
#[derive(Clone, Debug)]
struct Step {
    symbol: Symbol,
    coefficients: Vec<Expr>,
}

/// A way to draw admissible states.
pub struct Admissible {
    evaluator: FieldEvaluator,
    dynamics: Rc<Dynamics>,
    parameters: Vec<(Symbol, Expr)>,
    positions: Vec<Step>,
    velocities: Velocities,
}

enum Velocities {
    /// A q̇ = −a, by linear algebra: rows of A with a.
    Linear(Vec<(Vec<Expr>, Expr)>),
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
    /// Prepares draws at which `expressions` can be evaluated. `relations` are holonomic relations q_i = e that hold besides
    /// the constraints. `None` when no way to admissible states is known: constraints that cannot be solved one after the
    /// other by at most a square root.
    pub fn new(w: &mut Workbench, expressions: &[Expr], relations: &[(Symbol, Expr)]) -> Option<Admissible> {
        let dynamics = w.dynamics();
        let values = w.system.parameter_expressions(w.g);
        let parameters: Vec<(Symbol, Expr)> =
            w.system.parameters.iter().filter_map(|p| values.get(&p.symbol).map(|&e| (p.symbol, e))).collect();
        let mut positions = Vec::new();
        for &(symbol, e) in relations {
            let minus = w.g.neg(e);
            positions.push(Step { symbol, coefficients: vec![minus, w.g.one()] });
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
            let rows = rows.into_iter().map(|(phi, row)| (row, w.g.without(phi, &v))).collect();
            Velocities::Linear(rows)
        } else {
            Velocities::Triangular(triangular(w, rows.into_iter().map(|(phi, _)| phi).collect(), &v)?)
        };
        let mut roots: Vec<Expr> = expressions.to_vec();
        roots.extend(dynamics.mass.iter().flatten());
        roots.extend(&dynamics.rest);
        roots.extend(dynamics.a.iter().flatten());
        roots.extend(&dynamics.b);
        roots.extend(parameters.iter().map(|p| p.1));
        roots.extend(positions.iter().flat_map(|s| &s.coefficients));
        match &velocities {
            Velocities::Linear(rows) => roots.extend(rows.iter().flat_map(|(row, a)| row.iter().chain([a]))),
            Velocities::Triangular(steps) => roots.extend(steps.iter().flat_map(|s| &s.coefficients)),
        }
        let options = Options { limits: w.limits.clone(), ..Options::default() };
        let evaluator = FieldEvaluator::new(w.g, &roots, &options);
        Some(Admissible { evaluator, dynamics, parameters, positions, velocities })
    }

    /// A random admissible state: t, q, q̇.
    pub fn state(&self, w: &Workbench, seed: u64) -> Option<FieldPoint<'_>> {
        (0..TRIES).find_map(|i| self.try_state(w, seed.wrapping_mul(1_000_003).wrapping_add(i)))
    }

    /// A random admissible state with accelerations and multipliers.
    pub fn moving(&self, w: &Workbench, seed: u64) -> Option<FieldPoint<'_>> {
        (0..TRIES).find_map(|i| {
            let mut point = self.try_state(w, seed.wrapping_mul(1_000_003).wrapping_add(i))?;
            let solution = self.saddle(w, &mut point)?.solve()?;
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

    fn try_state(&self, w: &Workbench, seed: u64) -> Option<FieldPoint<'_>> {
        let g = &*w.g;
        let mut point = self.evaluator.point(seed);
        for &(s, e) in &self.parameters {
            let value = point.evaluate(g, e).ok()?;
            point.set(s, value);
        }
        solve_steps(g, &mut point, &self.positions)?;
        match &self.velocities {
            Velocities::Linear(rows) => {
                let (mut a, mut right) = (Vec::new(), Vec::new());
                let mut values: Vec<Fp> = w.system.velocities.iter().map(|&s| point.symbol(s)).collect();
                for (row, rest) in rows {
                    let row = point.evaluate_all(g, row).ok()?;
                    let rest = point.evaluate(g, *rest).ok()?;
                    let value = row.iter().zip(&values).fold(rest, |s, (a, v)| s + *a * *v);
                    a.push(row);
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
    pub fn saddle(&self, w: &Workbench, point: &mut FieldPoint) -> Option<SaddleValues> {
        let d = &self.dynamics;
        let g = &*w.g;
        let mut rows =
            |m: &[Vec<Expr>]| -> Option<Vec<Vec<Fp>>> { m.iter().map(|r| point.evaluate_all(g, r).ok()).collect() };
        let (mass, a) = (rows(&d.mass)?, rows(&d.a)?);
        let (rest, b) = (point.evaluate_all(g, &d.rest).ok()?, point.evaluate_all(g, &d.b).ok()?);
        Some(SaddleValues { mass, rest, a, b })
    }
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
        let c = point.evaluate_all(g, &step.coefficients).ok()?;
        let root = root_of(&c)?;
        point.set(step.symbol, root);
    }
    Some(())
}

/// An order in which each equation is solved for one symbol that occurs in no equation solved after it.
fn triangular(w: &mut Workbench, mut open: Vec<Expr>, symbols: &[Symbol]) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    while !open.is_empty() {
        let mut found = None;
        // From the last symbol: authors put dependent ones there. Affine before quadratic.
        'search: for degree in 1..=2 {
            for &s in symbols.iter().rev().filter(|s| steps.iter().all(|x| x.symbol != **s)) {
                let occurs: Vec<usize> = (0..open.len()).filter(|&j| w.g.depends_on(open[j], s)).collect();
                let [j] = occurs[..] else { continue };
                if w.g.degree(open[j], &[s]) == Some(degree) {
                    found = Some((j, s));
                    break 'search;
                }
            }
        }
        let (j, symbol) = found?;
        let coefficients = w.g.coefficients(open.remove(j), symbol)?;
        steps.push(Step { symbol, coefficients });
    }
    // The symbol chosen first occurs in its own equation only: it is solved for last.
    steps.reverse();
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
