//! Generic states in the prime field: where ranks are counted and identities are tested without rounding.
//!
//! Parameters stand at their actual values (a fact about a model is a fact about its numbers: massless parts, a centre
//! of mass on the axis), time and coordinates are random, velocities are random among the admissible ones, and the
//! accelerations come from the saddle system
//! ```text
//! M q̈ − Aᵀ λ = −h,   A q̈ = b.
//! ```
//! What is not zero at one such state is proved not to vanish identically; what is zero at several is zero but for a
//! chance of about 10⁻¹⁷ each.

use super::evaluate::{FieldEvaluator, FieldPoint};
use crate::expr::field::{Fp, SplitMix, null_space, solve};
use crate::expr::{Arena, Expr, Symbol};
use crate::forms::Workbench;
use crate::model::System;

/// Draws before a state is given up: a square root of a non-square, a pole.
const TRIES: usize = 60;

/// A generator of generic states of one system. Deterministic.
#[derive(Clone, Debug)]
pub struct Generic {
    parameters: Vec<(Symbol, Fp)>,
    random: SplitMix,
    /// Draw parameters at random too, but for those that are zero.
    literal: bool,
}

impl Generic {
    /// Parameters at their values. One whose value does not exist in the field (a root of a non-square) is drawn once, as
    /// a letter would be.
    pub fn new(g: &Arena, system: &System) -> Generic {
        let mut random = SplitMix::new(0x6e6f_736c_6970);
        let mut point = FieldPoint::new();
        let mut parameters: Vec<(Symbol, Fp)> = Vec::new();
        let mut open: Vec<usize> = (0..system.parameters.len()).collect();
        while !open.is_empty() {
            let before = open.len();
            open.retain(|&i| {
                let p = &system.parameters[i];
                let Some(value) = FieldEvaluator::new(g, &[p.value]).at(&point) else { return true };
                point.set(p.symbol, value[0]);
                parameters.push((p.symbol, value[0]));
                false
            });
            if open.len() == before {
                // Nothing could be evaluated: let one of them be a letter.
                let symbol = system.parameters[open.remove(0)].symbol;
                let root = random.field();
                point.set(symbol, root * root);
                parameters.push((symbol, root * root));
            }
        }
        Generic { parameters, random, literal: false }
    }

    /// The same generator with parameters drawn at random (zeros stay zero): what holds then holds for the letters.
    pub fn literal(&self) -> Generic {
        Generic { literal: true, ..self.clone() }
    }

    /// The same generator with given values of parameters.
    pub fn with_parameters(&self, values: Vec<(Symbol, Fp)>) -> Generic {
        Generic { parameters: values, random: self.random.clone(), literal: false }
    }

    /// Parameters with values drawn at random, zeros kept: a point in the space of parameters.
    pub fn draw_parameters(&mut self) -> Vec<(Symbol, Fp)> {
        let mut drawn = Vec::new();
        for &(s, value) in &self.parameters {
            let root = self.random.field();
            drawn.push((s, if value.is_zero() { value } else { root * root }));
        }
        drawn
    }

    /// The parameters that are zero.
    pub fn zeros(&self) -> Vec<Symbol> {
        self.parameters.iter().filter(|(_, v)| v.is_zero()).map(|(s, _)| *s).collect()
    }

    /// Parameters only.
    fn bare(&mut self) -> FieldPoint {
        let mut point = FieldPoint::new();
        for &(s, value) in &self.parameters {
            // A square, so that roots of parameters exist.
            let random = self.random.field();
            point.set(s, if self.literal && !value.is_zero() { random * random } else { value });
        }
        point
    }

    /// Random time and coordinates.
    pub fn position(&mut self, g: &Arena, system: &System) -> FieldPoint {
        let mut point = self.bare();
        point.set(g.time(), self.random.field());
        for &q in &system.coordinates {
            point.set(q, self.random.field());
        }
        point
    }

    /// Random time, coordinates and velocities, admissible or not.
    pub fn free_state(&mut self, g: &Arena, system: &System) -> FieldPoint {
        let mut point = self.position(g, system);
        for &v in &system.velocities {
            point.set(v, self.random.field());
        }
        point
    }

    /// A random field element.
    pub fn field(&mut self) -> Fp {
        self.random.field()
    }

    /// Values of expressions of t, q and q̇ at a random, not necessarily admissible state.
    pub fn values(&mut self, g: &Arena, system: &System, evaluator: &FieldEvaluator) -> Option<Vec<Fp>> {
        (0..TRIES).find_map(|_| {
            let point = self.free_state(g, system);
            evaluator.at(&point)
        })
    }

    /// The same with further symbols drawn at random: quasi-coordinates, quasi-velocities.
    pub fn values_with(
        &mut self,
        g: &Arena,
        system: &System,
        evaluator: &FieldEvaluator,
        more: &[Symbol],
    ) -> Option<Vec<Fp>> {
        (0..TRIES).find_map(|_| {
            let mut point = self.free_state(g, system);
            for &s in more {
                point.set(s, self.field());
            }
            evaluator.at(&point)
        })
    }

    /// Does the expression of t, q, q̇ and further symbols vanish at generic states?
    pub fn vanishes_with(&mut self, g: &Arena, system: &System, e: Expr, more: &[Symbol]) -> bool {
        if g.is_zero(e) {
            return true;
        }
        let evaluator = FieldEvaluator::new(g, &[e]);
        (0..3).all(|_| self.values_with(g, system, &evaluator, more).is_some_and(|v| v[0].is_zero()))
    }

    /// Does the expression of t, q, q̇ vanish at generic states?
    pub fn vanishes(&mut self, g: &Arena, system: &System, e: Expr) -> bool {
        if g.is_zero(e) {
            return true;
        }
        let evaluator = FieldEvaluator::new(g, &[e]);
        (0..3).all(|_| self.values(g, system, &evaluator).is_some_and(|v| v[0].is_zero()))
    }
}

/// How admissible velocities are found.
enum Velocities {
    /// A q̇ = −a, by linear algebra; the evaluator gives A by rows, then a.
    Linear(FieldEvaluator),
    /// One after the other: constraint, velocity and the coefficients of its powers (at most the second).
    Triangular(Vec<(Symbol, FieldEvaluator)>),
}

/// Draws admissible states, with accelerations and multipliers.
pub struct Motions {
    /// Holonomic constraints solved one after the other for a coordinate. Where that is not possible the states lie on
    /// φ = const instead of φ = 0: what vanishes there vanishes on φ = 0 too.
    positions: Vec<(Symbol, FieldEvaluator)>,
    velocities: Velocities,
    saddle: FieldEvaluator,
    generic: Generic,
}

/// Matrices of the saddle system at one state.
pub struct Saddle {
    /// M.
    pub mass: Vec<Vec<Fp>>,
    /// h.
    pub rest: Vec<Fp>,
    /// A.
    pub a: Vec<Vec<Fp>>,
    /// b.
    pub b: Vec<Fp>,
}

impl Motions {
    /// Prepares the draws. `None` when no way to admissible states is known: constraints nonlinear in the velocities
    /// that cannot be solved one after the other by at most a square root.
    pub fn new(w: &mut Workbench, generic: &Generic) -> Option<Motions> {
        let d = w.dynamics();
        let mut roots: Vec<Expr> = d.mass.iter().flatten().copied().collect();
        roots.extend(&d.rest);
        roots.extend(d.a.iter().flatten());
        roots.extend(&d.b);
        let saddle = FieldEvaluator::new(w.g, &roots);
        let v = w.system.velocities.clone();
        let mut linear = true;
        let mut rows = Vec::new();
        for (j, phi) in d.velocity_constraints.iter().enumerate() {
            // A constraint of second order leaves the velocities free.
            let Some(phi) = *phi else { continue };
            let mut row = Vec::new();
            for &e in &d.a[j] {
                let e = if w.g.depends_on_any(e, &v) { w.simplify(e) } else { e };
                linear &= !w.g.depends_on_any(e, &v);
                row.push(e);
            }
            row.push(w.g.without(phi, &v));
            rows.push((phi, row));
        }
        let velocities = if linear {
            let list: Vec<Expr> = rows.into_iter().flat_map(|(_, row)| row).collect();
            Velocities::Linear(FieldEvaluator::new(w.g, &list))
        } else {
            Velocities::Triangular(triangular(w, rows.into_iter().map(|(phi, _)| phi).collect(), &v)?)
        };
        let holonomic: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
        let coordinates = w.system.coordinates.clone();
        let positions = triangular(w, holonomic, &coordinates).unwrap_or_default();
        Some(Motions { positions, velocities, saddle, generic: generic.clone() })
    }

    /// Is what does not vanish at a state proved not to vanish identically?
    pub fn is_faithful(&self) -> bool {
        let linear = match &self.velocities {
            Velocities::Linear(evaluator) => evaluator.is_faithful(),
            Velocities::Triangular(_) => false,
        };
        linear && self.saddle.is_faithful()
    }

    /// A random admissible state: t, q, q̇.
    pub fn state(&mut self, g: &Arena, system: &System) -> Option<FieldPoint> {
        (0..TRIES).find_map(|_| self.try_state(g, system))
    }

    fn try_state(&mut self, g: &Arena, system: &System) -> Option<FieldPoint> {
        let mut point = self.generic.position(g, system);
        for (s, coefficients) in &self.positions {
            let c = coefficients.at(&point)?;
            point.set(*s, root_of(&c)?);
        }
        let n = system.n();
        let mut values: Vec<Fp> = (0..n).map(|_| self.generic.field()).collect();
        match &self.velocities {
            Velocities::Linear(evaluator) => {
                let list = evaluator.at(&point)?;
                let (mut a, mut right) = (Vec::new(), Vec::new());
                for row in list.chunks(n + 1) {
                    let value = row[..n].iter().zip(&values).fold(row[n], |s, (a, v)| s + *a * *v);
                    a.push(row[..n].to_vec());
                    right.push(-value);
                }
                if !a.is_empty() {
                    let step = solve(&a, &right)?;
                    values.iter_mut().zip(step).for_each(|(v, s)| *v += s);
                }
                for (&s, v) in system.velocities.iter().zip(values) {
                    point.set(s, v);
                }
            }
            Velocities::Triangular(plan) => {
                for (&s, v) in system.velocities.iter().zip(values) {
                    point.set(s, v);
                }
                for (s, coefficients) in plan {
                    let c = coefficients.at(&point)?;
                    point.set(*s, root_of(&c)?);
                }
            }
        }
        Some(point)
    }

    /// The saddle system at a state.
    pub fn saddle(&self, system: &System, point: &FieldPoint) -> Option<Saddle> {
        let (n, k) = (system.n(), system.k());
        let list = self.saddle.at(point)?;
        let (mass, more) = list.split_at(n * n);
        let (rest, more) = more.split_at(n);
        let (a, b) = more.split_at(k * n);
        let rows = |flat: &[Fp]| flat.chunks(n.max(1)).map(<[Fp]>::to_vec).collect();
        Some(Saddle { mass: rows(mass), rest: rest.to_vec(), a: rows(a), b: b.to_vec() })
    }

    /// A random admissible state with the accelerations and multipliers of the motion through it.
    pub fn moving(&mut self, g: &Arena, system: &System) -> Option<FieldPoint> {
        (0..TRIES).find_map(|_| {
            let mut point = self.try_state(g, system)?;
            let saddle = self.saddle(system, &point)?;
            let solution = saddle.solve()?;
            let (accelerations, multipliers) = solution.split_at(system.n());
            for (&s, &v) in system.accelerations.iter().zip(accelerations) {
                point.set(s, v);
            }
            for (c, &v) in system.constraints.iter().zip(multipliers) {
                point.set(c.multiplier, v);
            }
            Some(point)
        })
    }
}

impl Saddle {
    /// The matrix (M, −Aᵀ; A, 0).
    pub fn matrix(&self) -> Vec<Vec<Fp>> {
        let (n, k) = (self.mass.len(), self.a.len());
        let mut rows = Vec::with_capacity(n + k);
        for i in 0..n {
            rows.push(self.mass[i].iter().copied().chain((0..k).map(|j| -self.a[j][i])).collect());
        }
        for j in 0..k {
            rows.push(self.a[j].iter().copied().chain((0..k).map(|_| Fp::ZERO)).collect());
        }
        rows
    }

    /// q̈ and λ (one choice of λ where constraints depend on each other); `None` when q̈ is not determined.
    pub fn solve(&self) -> Option<Vec<Fp>> {
        if !self.regular() {
            return None;
        }
        let right: Vec<Fp> = self.rest.iter().map(|&h| -h).chain(self.b.iter().copied()).collect();
        solve(&self.matrix(), &right)
    }

    /// Are the accelerations determined?
    pub fn regular(&self) -> bool {
        let (n, k) = (self.mass.len(), self.a.len());
        null_space(&self.matrix(), n + k).iter().all(|x| x[..n].iter().all(|x| x.is_zero()))
    }
}

/// An order in which each constraint is solved for one symbol that occurs in no constraint solved before it.
fn triangular(w: &mut Workbench, mut open: Vec<Expr>, symbols: &[Symbol]) -> Option<Vec<(Symbol, FieldEvaluator)>> {
    let mut plan = Vec::new();
    let mut taken: Vec<Symbol> = Vec::new();
    while !open.is_empty() {
        let mut found = None;
        // From the last coordinate: authors put dependent ones there. Affine before quadratic.
        'search: for degree in 1..=2 {
            for &v in symbols.iter().rev().filter(|v| !taken.contains(v)) {
                let occurs: Vec<usize> = (0..open.len()).filter(|&j| w.g.depends_on(open[j], v)).collect();
                let [j] = occurs[..] else { continue };
                if w.g.degree(open[j], &[v]) == Some(degree) {
                    found = Some((j, v));
                    break 'search;
                }
            }
        }
        let (j, v) = found?;
        let phi = open.remove(j);
        let coefficients = w.g.coefficients(phi, v)?;
        plan.push((v, FieldEvaluator::new(w.g, &coefficients)));
        taken.push(v);
    }
    // The symbol chosen first occurs in its own constraint only: it is solved for last.
    plan.reverse();
    Some(plan)
}

/// A root of the polynomial with these coefficients, lowest first, of degree one or two.
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
