//! How far a state is from the constraints.

use super::Workbench;
use crate::error::Result;
use crate::expr::{Evaluator, Expr, Symbol};
use crate::model::Values;

/// Beyond this part of its terms a constraint is violated, not rounded.
const ROUNDING: f64 = 1e-6;

/// A constraint that does not hold at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// Index of the constraint.
    pub constraint: usize,
    /// What is left of it.
    pub residual: f64,
}

/// The constraints of a system, ready to be looked at at many states.
pub struct Residuals {
    /// Of each relation: φ, what is left of it without velocities, ∂φ/∂q̇.
    rows: Evaluator,
    /// The constraint of each relation. A holonomic one has two: for velocities, and itself.
    constraints: Vec<usize>,
    values: Values,
    time: Symbol,
    coordinates: Vec<Symbol>,
    velocities: Vec<Symbol>,
}

impl Residuals {
    /// Of the constraints on positions and velocities; those of second order say nothing of a state.
    pub fn new(w: &mut Workbench) -> Result<Residuals> {
        let d = w.dynamics();
        let system = w.system.clone();
        let mut constraints = Vec::new();
        let mut rows: Vec<Expr> = Vec::new();
        for (j, c) in system.constraints.iter().enumerate() {
            let Some(phi) = d.velocity_constraints[j] else { continue };
            rows.extend([phi, w.g.without(phi, &system.velocities)]);
            rows.extend(&d.a[j]);
            constraints.push(j);
            if c.order == 0 {
                // The position itself, as it stands.
                rows.extend([c.expr, w.g.one()]);
                rows.extend(std::iter::repeat_n(w.g.zero(), system.n()));
                constraints.push(j);
            }
        }
        Ok(Residuals {
            rows: Evaluator::new(&w.g, &rows),
            constraints,
            values: system.values(&w.g, &[])?,
            time: w.g.time(),
            coordinates: system.coordinates.clone(),
            velocities: system.velocities.clone(),
        })
    }

    /// The constraints that do not hold at (t, q, q̇) by more than rounding. Each is measured by its largest term.
    pub fn violations(&mut self, t: f64, q: &[f64], v: &[f64]) -> Vec<Violation> {
        self.values.at.set(self.time, t);
        self.values.at.set_all(&self.coordinates, q);
        self.values.at.set_all(&self.velocities, v);
        let values = self.values.evaluate(&self.rows);
        let mut found = Vec::new();
        for (row, &constraint) in values.chunks(v.len() + 2).zip(&self.constraints) {
            let size = row[2..].iter().zip(v).map(|(a, v)| (a * v).abs()).fold(row[1].abs(), f64::max);
            if row[0].abs() > ROUNDING * size.max(ROUNDING) {
                found.push(Violation { constraint, residual: row[0] });
            }
        }
        found
    }
}
