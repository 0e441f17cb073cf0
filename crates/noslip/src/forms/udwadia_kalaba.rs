//! The Udwadia–Kalaba equation: the accelerations explicitly, by a pseudo-inverse.
//!
//! Unknowns: the n accelerations q̈, given outright.
//!
//! ```text
//! q̈ = a + M^{-1/2} (A M^{-1/2})⁺ (b − A a),    a = M⁻¹ f the acceleration without the constraints        (1)
//! ```
//!
//! For independent constraints (A M^{-1/2})⁺ = M^{-1/2} Aᵀ (A M⁻¹ Aᵀ)⁻¹ and (1) reads
//!
//! ```text
//! M q̈ = f + Aᵀ λ,    λ = (A M⁻¹ Aᵀ)⁻¹ (b − A a)                                                            (2)
//! ```
//!
//! Redundant constraints leave q̈ unique and the multipliers not: those of least norm are given. In symbols the redundant
//! rows are left out: the accelerations are the same.
//!
//! Valid when: M is regular (a massless part makes it singular although the motion is determined).
//! Sources: Udwadia and Kalaba 1992; remark in Soltakhanov, Yushkov, Zegzhda, chapter II.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Matrix, Role, Symbol, transpose};
use rustc_hash::FxHashMap;

/// M must be regular at a generic state, and the constraints must not contradict each other.
fn needed(w: &mut Workbench) -> Result<(), String> {
    w.linear_accelerations()?;
    w.consistent_constraints()?;
    let (rank, n) = (crate::mechanics::mass_rank(w), w.system.n());
    if rank == n { Ok(()) } else { Err(format!("the mass matrix has rank {rank} < {n}: it cannot be inverted")) }
}

/// The form `udwadia-kalaba`.
pub struct UdwadiaKalaba;

impl Form for UdwadiaKalaba {
    fn card(&self) -> &'static Card {
        &Card {
            id: "udwadia-kalaba",
            aliases: &[],
            name: "The Udwadia–Kalaba equation",
            source: "Udwadia, Kalaba 1992; Soltakhanov, Yushkov, Zegzhda II",
            needs: "a regular mass matrix; the only form that takes redundant constraints",
            about: crate::card::head_of!("udwadia_kalaba.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(needed(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        needed(w).map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let rows = crate::mechanics::independent_rows(w);
        let n = w.system.n();
        let inverse = w.inverse_or(&d.mass, "the mass matrix is singular").map_err(|why| refuse(self, why))?;
        let f: Vec<Expr> = d.rest.iter().map(|&e| w.g.neg(e)).collect();
        let free = w.g.matrix_vector(&inverse, &f); // a
        let mut eq =
            Equations { form: self.id(), own: n, unknowns: w.system.accelerations.clone(), ..Default::default() };
        for (&s, &e) in w.system.accelerations.iter().zip(&free) {
            let name = format!("{} without the constraints", w.g.name(s));
            eq.letters.push((w.g.declare(&name, Role::Other), e));
            let symbol = format!("a[{}]", w.g.name(s));
            eq.show(name, symbol, e);
        }
        let letters: Vec<Expr> = eq.letters.iter().map(|&(s, _)| w.g.symbol(s)).collect();
        let a: Matrix = rows.iter().map(|&j| d.a[j].clone()).collect();
        eq.in_letters = letters.clone();
        let mut lambda = Vec::new();
        if !a.is_empty() {
            let ma = w.g.matrix_product(&inverse, &transpose(&a)); // M⁻¹Aᵀ
            let kernel = w.g.matrix_product(&a, &ma);
            // The constraints are independent, so the kernel is regular where M is positive.
            let why = "A·M⁻¹·Aᵀ is singular: the kinetic energy is not positive for all velocities";
            let inverse = w.inverse_or(&kernel, why).map_err(|why| refuse(self, why))?;
            let mut gap = Vec::new();
            for (r, &j) in rows.iter().enumerate() {
                let reached = w.g.dot_product(&a[r], &letters);
                gap.push(w.g.sub(d.b[j], reached));
            }
            lambda = w.g.matrix_vector(&inverse, &gap); // (2)
            let multipliers: Vec<Symbol> = rows.iter().map(|&j| w.system.constraints[j].multiplier).collect();
            let symbols: Vec<Expr> = multipliers.iter().map(|&s| w.g.symbol(s)).collect();
            for i in 0..n {
                w.may_go_on()?;
                let correction = w.g.dot_product(&ma[i], &symbols);
                eq.in_letters[i] = w.g.add(letters[i], correction); // (1)
            }
            eq.letters.extend(multipliers.into_iter().zip(lambda.iter().copied()));
        }
        let without: FxHashMap<Symbol, Expr> = eq.letters[..n].iter().copied().collect();
        lambda = w.g.substitute_all(&lambda, &without);
        let mut inserted = without;
        inserted.extend(eq.letters[n..].iter().zip(&lambda).map(|((s, _), e)| (*s, *e)));
        for (i, value) in w.g.substitute_all(&eq.in_letters, &inserted).into_iter().enumerate() {
            let symbol = w.g.symbol(w.system.accelerations[i]);
            eq.equations.push(w.g.sub(symbol, value));
        }
        if rows.len() == w.system.k() {
            for (r, &j) in rows.iter().enumerate() {
                eq.reactions.push((w.system.constraints[j].multiplier, lambda[r]));
            }
        } else {
            let names: Vec<&str> = (0..w.system.k())
                .filter(|j| !rows.contains(j))
                .map(|j| w.system.constraints[j].name.as_str())
                .collect();
            eq.notes.push(format!("redundant, left out in symbols: {}", names.join(", ")));
        }
        Ok(eq)
    }
}
