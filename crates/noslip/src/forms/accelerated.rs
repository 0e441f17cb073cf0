//! Constraints of second and third order, solved for the highest derivatives of the dependent coordinates: what Voronets' forms share
//! where velocities cannot be inserted.
//!
//! ```text
//! q^(p)_{l+ν} = α_ν(t, q, …, q^(p)_1…q^(p)_l),    α_νs = ∂α_ν/∂q^(p)_s,    p = 2, 3
//! ```
//! ∂X/∂q^(p) = ∂X/∂q for the points X of the system, so that the virtual displacements are δq_{l+ν} = Σ_s α_νs δq_s for every p
//! (Talamucci, section 5). With p = 2 the accelerations of the dependent coordinates are inserted where α is explicit; with p = 3 they
//! belong to the state and stay.

use super::{Equations, Workbench};
use crate::expr::{Expr, Matrix, Symbol};
use crate::mechanics::{Split, acceleration_constraints};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A split at the level of the highest derivatives.
pub(super) struct Accelerated {
    /// The split.
    pub(super) split: Arc<Split>,
    /// q̈_{l+ν} → α_ν where p = 2 and α is explicit.
    insert: FxHashMap<Symbol, Expr>,
    /// Directions of the virtual displacements, α inserted.
    pub(super) directions: Matrix,
    /// Is a constraint of third order?
    third: bool,
}

impl Accelerated {
    /// Of a system with a constraint that contains accelerations or third derivatives.
    pub(super) fn new(w: &mut Workbench) -> Result<Accelerated, String> {
        let split = w.split()?;
        let third = w.system.constraints.iter().any(|c| c.order == 3);
        let insert = if third { FxHashMap::default() } else { explicit(w, &split) };
        let directions = split.directions(w);
        let directions = directions.iter().map(|row| w.g.substitute_all(row, &insert)).collect();
        Ok(Accelerated { split, insert, directions, third })
    }

    /// (…) with the dependent accelerations inserted.
    pub(super) fn insert(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.substitute(e, &self.insert)
    }

    /// α_νs.
    pub(super) fn alpha(&self, nu: usize, s: usize) -> Expr {
        self.directions[s][self.split.dependent[nu]]
    }

    /// Wraps the equations of the independent coordinates, with what completes them.
    pub(super) fn finish(&self, w: &mut Workbench, form: &'static str, own: Vec<Expr>) -> Equations {
        let mut eq = Equations { form, own: own.len(), equations: own, ..Default::default() };
        let names = |w: &Workbench, list: &[usize]| {
            let primes = if self.third { "'''" } else { "''" };
            let list = list.iter().map(|&i| format!("{}{primes}", w.g.name(w.system.coordinates[i])));
            list.collect::<Vec<_>>().join(", ")
        };
        let (independent, dependent) = (names(w, &self.split.independent), names(w, &self.split.dependent));
        eq.notes.push(format!("independent highest derivatives: {independent}; dependent: {dependent}"));
        eq.directions = self.directions.clone();
        if self.insert.is_empty() {
            eq.unknowns = w.system.accelerations.clone();
            eq.equations.extend(acceleration_constraints(w));
        } else {
            eq.unknowns = self.split.pick_independent(&w.system.accelerations);
            for &i in &self.split.dependent {
                let a = w.system.accelerations[i];
                eq.accelerations.push((a, self.insert[&a]));
            }
        }
        for (multiplier, e) in self.split.reactions(w) {
            let e = self.insert(w, e);
            eq.reactions.push((multiplier, e));
        }
        for (nu, &i) in self.split.dependent.iter().enumerate() {
            for (s, &r) in self.split.independent.iter().enumerate() {
                let value = self.alpha(nu, s);
                if !w.g.is_zero(value) {
                    let (x, q) = (w.g.name(w.system.coordinates[i]), w.g.name(w.system.coordinates[r]));
                    eq.show(format!("displacement of {x} with {q}"), format!("α[{x},{q}]"), value);
                }
            }
        }
        eq
    }
}

/// α of the accelerations, where the constraints are affine in the dependent ones; else nothing.
fn explicit(w: &mut Workbench, split: &Split) -> FxHashMap<Symbol, Expr> {
    let symbols = split.pick_dependent(&w.system.accelerations);
    if split.inverse.iter().flatten().any(|&e| w.g.depends_on_any(e, &symbols)) {
        return FxHashMap::default();
    }
    let constraints = acceleration_constraints(w);
    let at_zero: Vec<Expr> = constraints.iter().map(|&e| w.g.without(e, &symbols)).collect();
    let product = w.g.matrix_vector(&split.inverse, &at_zero);
    let alpha: Vec<Expr> = product.into_iter().map(|e| w.simplify(-e)).collect();
    symbols.into_iter().zip(alpha).collect()
}
