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

use super::generic::{Generic, TRIES, evaluator};
use super::workbench::Workbench;
use crate::expr::field::{Fp, null_vectors, row_reduce, solve};
use crate::expr::zero::dependence::{Dependences, SPARE};
use crate::expr::zero::triangular::{Step, solve_steps, triangular};
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Arena, Expr, Symbol};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Draws admissible states.
pub struct Admissible {
    generic: Generic,
    /// Coordinates and parameters that are known outright: put in before anything is evaluated, because the field knows
    /// the sine of an angle as a point of the circle, not as a function of its value.
    known: FxHashMap<Symbol, Expr>,
    /// M, h, A, b, one after the other.
    saddle: FieldEvaluator,
    positions: Vec<Step>,
    /// Could all holonomic constraints be solved?
    on_constraints: bool,
    velocities: Velocities,
    /// Arguments of functions met so far, and how they depend on each other at the states drawn.
    arguments: Vec<Expr>,
    dependences: Arc<Dependences>,
}

/// Products in the field that take as long as a unit of work.
const ELIMINATED: u64 = 8;

/// Arguments of functions whose relations are looked for: more than that are taken for independent.
const ARGUMENTS: usize = 80;

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
    /// Prepares draws with the parameters at their values. `relations` are holonomic relations q_i = e that hold besides the
    /// constraints. `None` when no way to admissible states is known: constraints that cannot be solved one after the other
    /// by at most a square root.
    pub fn new(w: &mut Workbench, relations: &[(Symbol, Expr)]) -> Option<Admissible> {
        let generic = Generic::new(&mut w.g, &w.system);
        Self::build(w, generic, relations, true)
    }

    /// As [`Admissible::new`], but where holonomic constraints cannot be solved (a wheel on the ground: sines under a root) the
    /// states lie on φ = const instead of φ = 0: what vanishes there vanishes on φ = 0 too, what does not may all the same.
    pub fn near(w: &mut Workbench, relations: &[(Symbol, Expr)]) -> Option<Admissible> {
        let generic = Generic::new(&mut w.g, &w.system);
        Self::build(w, generic, relations, false)
    }

    /// Do the states lie on the holonomic constraints, not only on φ = const?
    pub fn on_constraints(&self) -> bool {
        self.on_constraints
    }

    /// As [`Admissible::new`], but with random parameters: what holds then holds for the letters.
    pub fn for_letters(w: &mut Workbench) -> Option<Admissible> {
        let generic = Generic::new(&mut w.g, &w.system).literal();
        Self::build(w, generic, &[], true)
    }

    /// As [`Admissible::near`], from a given generator.
    pub fn of(w: &mut Workbench, generic: &Generic) -> Option<Admissible> {
        Self::build(w, generic.clone(), &[], false)
    }

    fn build(w: &mut Workbench, generic: Generic, relations: &[(Symbol, Expr)], strict: bool) -> Option<Admissible> {
        // Accelerations are solved for by linear algebra.
        w.linear_accelerations().ok()?;
        let dynamics = w.dynamics();
        let (known, holonomic) = known_coordinates(w, relations);
        let coordinates = w.system.coordinates.clone();
        let steps = triangular(&mut w.g, holonomic, &coordinates, &w.limits);
        let on_constraints = steps.is_some();
        if strict && !on_constraints {
            return None;
        }
        let mut positions = steps.unwrap_or_default();
        // The bare values of known coordinates too.
        let bare = coordinates.iter().filter(|q| known.contains_key(q)).count();
        for &q in coordinates.iter().filter(|q| known.contains_key(q)) {
            let (minus, one) = (w.g.neg(known[&q]), w.g.one());
            positions.push(Step { symbol: q, coefficients: evaluator(&mut w.g, &[minus, one]) });
        }
        let v = w.system.velocities.clone();
        let mut rows = Vec::new();
        let mut linear = true;
        for (j, phi) in dynamics.velocity_constraints.iter().enumerate() {
            // A constraint of second order leaves the velocities free.
            let Some(phi) = *phi else { continue };
            let phi = w.g.substitute(phi, &known);
            let row = w.g.substitute_all(&dynamics.a[j], &known);
            let moving = |w: &Workbench, e: Expr| w.g.depends_on_any(e, &v);
            let row: Vec<Expr> = row.into_iter().map(|e| if moving(w, e) { w.simplify(e) } else { e }).collect();
            linear &= !row.iter().any(|&e| moving(w, e));
            rows.push((phi, row));
        }
        let velocities = if linear {
            let mut list = Vec::new();
            for (phi, row) in rows {
                list.extend(row);
                list.push(w.g.without(phi, &v));
            }
            Velocities::Linear(evaluator(&mut w.g, &list))
        } else {
            let equations = rows.into_iter().map(|(phi, _)| phi).collect();
            Velocities::Triangular(triangular(&mut w.g, equations, &v, &w.limits)?)
        };
        let mut list: Vec<Expr> = dynamics.mass.iter().flatten().copied().collect();
        list.extend(&dynamics.rest);
        list.extend(dynamics.a.iter().flatten());
        list.extend(&dynamics.b);
        let list = w.g.substitute_all(&list, &known);
        let before = generic.clone();
        let saddle = evaluator(&mut w.g, &list);
        let none = Arc::new(Dependences::none(w.g.one()));
        let arguments = Vec::new();
        let mut draws =
            Admissible { generic, saddle, known, positions, on_constraints, velocities, arguments, dependences: none };
        // Equations left over by the order of solving need not follow from the others: then no states lie on the constraints.
        if draws.state(w).is_none() {
            let solved = draws.positions.len() - bare;
            if strict || solved == 0 {
                return None;
            }
            draws.positions.drain(..solved);
            (draws.on_constraints, draws.generic) = (false, before.clone());
            draws.state(w)?;
        }
        draws.generic = before;
        draws.relate_own(w);
        Some(draws)
    }

    /// Finds the relations between the arguments of functions in what the states themselves are computed from.
    fn relate_own(&mut self, w: &mut Workbench) {
        let mut own = self.saddle.arguments();
        match &self.velocities {
            Velocities::Linear(rows) => own.extend(rows.arguments()),
            Velocities::Triangular(steps) => own.extend(steps.iter().flat_map(|s| s.coefficients.arguments())),
        }
        own.extend(self.positions.iter().flat_map(|s| s.coefficients.arguments()));
        let mut moving: Vec<Symbol> = w.system.accelerations.clone();
        moving.extend(w.system.constraints.iter().map(|c| c.multiplier));
        own.retain(|&e| !w.g.depends_on_any(e, &moving));
        self.relate(w, own, &|draws, w| draws.state(w));
    }

    /// Prepares states for these evaluators, whose functions may have arguments that are related at the states only: by the
    /// constraints, the equations of motion, the values of the parameters. `complete` adds to a state what they need besides.
    pub fn prepare(
        &mut self,
        w: &mut Workbench,
        evaluators: &[&FieldEvaluator],
        complete: &dyn Fn(&Workbench, FieldPoint) -> Option<FieldPoint>,
    ) {
        let arguments: Vec<Expr> = evaluators.iter().flat_map(|e| e.arguments()).collect();
        let mut moving: Vec<Symbol> = w.system.accelerations.clone();
        moving.extend(w.system.constraints.iter().map(|c| c.multiplier));
        let moves = arguments.iter().any(|&e| w.g.depends_on_any(e, &moving));
        self.relate(w, arguments, &|draws, w| {
            let point = match draws.moving(w) {
                None if !moves => draws.state(w)?,
                point => point?,
            };
            complete(w, point)
        });
    }

    fn relate(
        &mut self,
        w: &mut Workbench,
        arguments: Vec<Expr>,
        draw: &dyn Fn(&mut Admissible, &Workbench) -> Option<FieldPoint>,
    ) {
        let before = self.arguments.len();
        for e in arguments {
            if !self.arguments.contains(&e) {
                self.arguments.push(e);
            }
        }
        // Time and coordinates are drawn freely where no holonomic constraint is left.
        let mut free = w.system.coordinates.clone();
        free.push(w.g.time());
        let bound = |w: &Workbench, e: Expr| {
            let symbols = w.g.free_symbols(&[e]);
            !self.positions.is_empty() || symbols.iter().any(|s| !free.contains(s))
        };
        if self.arguments.len() == before || !self.arguments.iter().any(|&e| bound(w, e)) {
            return;
        }
        let one = w.g.one();
        if self.arguments.len() > ARGUMENTS {
            self.dependences = Arc::new(Dependences::unknown(one));
            return;
        }
        let values = evaluator(&mut w.g, &self.arguments);
        let wanted = self.arguments.len() + 1 + SPARE;
        let before = self.generic.clone();
        let mut rows = Vec::with_capacity(wanted);
        for _ in 0..2 * wanted {
            let Some(row) = draw(self, w).and_then(|point| values.at(&w.g, &point).ok()) else { continue };
            rows.push(row);
            if rows.len() == wanted {
                break;
            }
        }
        self.generic = before;
        self.dependences = Arc::new(Dependences::of_values(one, &self.arguments, &rows));
    }

    /// Prepares expressions for evaluation at drawn states.
    pub fn evaluator(&self, g: &mut Arena, expressions: &[Expr]) -> FieldEvaluator {
        let list = g.substitute_all(expressions, &self.known);
        evaluator(g, &list)
    }

    /// Puts in what is known outright.
    pub fn settle(&self, g: &mut Arena, e: Expr) -> Expr {
        g.substitute(e, &self.known)
    }

    /// Is what does not vanish at a state proved not to vanish identically?
    pub fn is_faithful(&self) -> bool {
        let linear = matches!(&self.velocities, Velocities::Linear(rows) if rows.is_faithful());
        linear && self.saddle.is_faithful() && self.dependences.is_complete()
    }

    /// Places where the field chooses a sign to find states and motions: roots, absolute values.
    pub fn signs(&self, g: &Arena) -> usize {
        let steps = |list: &[Step]| list.iter().map(|s| s.coefficients.signs(g)).sum::<usize>();
        let velocities = match &self.velocities {
            Velocities::Linear(rows) => rows.signs(g),
            Velocities::Triangular(list) => steps(list),
        };
        self.saddle.signs(g) + steps(&self.positions) + velocities
    }

    /// Does an expression of t, q, q̇ (and, through the equations of motion, q̈ and λ) vanish at admissible states?
    pub fn vanishes(&mut self, w: &mut Workbench, e: Expr) -> bool {
        if w.g.is_zero(e) {
            return true;
        }
        let evaluator = self.evaluator(&mut w.g, &[e]);
        let mut moving: Vec<Symbol> = w.system.accelerations.clone();
        moving.extend(w.system.constraints.iter().map(|c| c.multiplier));
        let moving = w.g.depends_on_any(e, &moving);
        self.prepare(w, &[&evaluator], &|_, point| Some(point));
        let mut zeros = 0;
        for _ in 0..12 {
            w.g.work.charge(self.cost(w, moving));
            let point = if moving { self.moving(w) } else { self.state(w) };
            let Some(point) = point else { return false };
            match evaluator.at(&w.g, &point) {
                Ok(v) if v[0].is_zero() => zeros += 1,
                Ok(_) => return false,
                Err(_) => {}
            }
            if zeros == 3 {
                return true;
            }
        }
        false
    }

    /// Work of one draw, of a state or with its motion: two linear equations.
    pub fn cost(&self, w: &Workbench, moving: bool) -> u64 {
        let (n, k) = (w.system.n() as u64, w.system.k() as u64);
        (k * k * n + if moving { (n + k).pow(3) / 2 } else { 0 }) / ELIMINATED
    }

    /// A random admissible state: t, q, q̇.
    pub fn state(&mut self, w: &Workbench) -> Option<FieldPoint> {
        (0..TRIES).find_map(|_| self.try_state(w))
    }

    /// A random admissible state with accelerations and multipliers.
    pub fn moving(&mut self, w: &Workbench) -> Option<FieldPoint> {
        (0..TRIES).find_map(|_| {
            let mut point = self.try_state(w)?;
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

    fn try_state(&mut self, w: &Workbench) -> Option<FieldPoint> {
        let g = &w.g;
        let n = w.system.n();
        let mut point = self.generic.point();
        point.relate(&self.dependences);
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
        let list = self.saddle.at(&w.g, point).ok()?;
        let (mass, more) = list.split_at(n * n);
        let (rest, more) = more.split_at(n);
        let (a, b) = more.split_at(k * n);
        let rows = |flat: &[Fp]| flat.chunks(n.max(1)).map(<[Fp]>::to_vec).collect();
        Some(SaddleValues { mass: rows(mass), rest: rest.to_vec(), a: rows(a), b: b.to_vec() })
    }
}

/// Coordinates given outright by relations or by holonomic constraints that are solved for them, parameters whose value is
/// zero or contains π (an angle of 90° is no random one), and the holonomic constraints that are left.
fn known_coordinates(w: &mut Workbench, relations: &[(Symbol, Expr)]) -> (FxHashMap<Symbol, Expr>, Vec<Expr>) {
    let mut known: FxHashMap<Symbol, Expr> = w.system.parameter_expressions(&mut w.g);
    let pi = w.g.pi();
    known.retain(|_, &mut e| w.g.is_zero(e) || w.g.depends_on(e, pi));
    let learn = |w: &mut Workbench, known: &mut FxHashMap<Symbol, Expr>, q: Symbol, e: Expr| {
        let new: FxHashMap<Symbol, Expr> = [(q, e)].into_iter().collect();
        known.values_mut().for_each(|old| *old = w.g.substitute(*old, &new));
        known.insert(q, e);
    };
    for &(q, e) in relations {
        let e = w.g.substitute(e, &known);
        if !known.contains_key(&q) && !w.g.depends_on(e, q) {
            learn(w, &mut known, q, e);
        }
    }
    let system = w.system.clone();
    let mut left = Vec::new();
    for c in system.constraints.iter().filter(|c| c.order == 0) {
        let phi = w.g.substitute(c.expr, &known);
        // From the last coordinate: authors put dependent ones there.
        let solved = system.coordinates.iter().rev().find_map(|&q| {
            let (a, rest) = w.g.affine(phi, &[q])?;
            let constant = w.g.as_number(a[0]).filter(|a| !a.is_zero())?.clone();
            Some((q, w.g.scale(rest, &-constant.recip()?)))
        });
        match solved {
            Some((q, e)) => learn(w, &mut known, q, e),
            None => left.push(phi),
        }
    }
    let left = w.g.substitute_all(&left, &known);
    (known, left)
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
        let mut rows = self.matrix();
        let pivots = row_reduce(&mut rows);
        self.determines(&rows, &pivots)
    }

    /// Have the vectors that the reduced matrix maps to zero no part in q̈?
    fn determines(&self, rows: &[Vec<Fp>], pivots: &[usize]) -> bool {
        let (n, k) = (self.mass.len(), self.a.len());
        null_vectors(rows, pivots, n + k).iter().all(|x| x[..n].iter().all(|x| x.is_zero()))
    }

    /// q̈ and λ (one choice of λ where constraints depend on each other); `None` when q̈ is not determined.
    pub fn solve(&self) -> Option<Vec<Fp>> {
        let right = self.rest.iter().map(|&h| -h).chain(self.b.iter().copied());
        let mut rows = self.matrix();
        rows.iter_mut().zip(right).for_each(|(row, b)| row.push(b));
        let pivots = row_reduce(&mut rows);
        let unknowns = self.mass.len() + self.a.len();
        if pivots.last() == Some(&unknowns) || !self.determines(&rows, &pivots) {
            return None;
        }
        let mut x = vec![Fp::ZERO; unknowns];
        pivots.iter().zip(&rows).for_each(|(&column, row)| x[column] = row[unknowns]);
        Some(x)
    }
}
