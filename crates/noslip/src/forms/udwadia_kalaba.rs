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

use super::workbench::{applicability, refuse};
use super::{Applicability, Equations, Form, Workbench, about};
use crate::error::{Error, Result};
use crate::expr::{Expr, Matrix, transpose};

/// M must be regular at a generic state.
fn regular_mass(w: &mut Workbench) -> Result<(), String> {
    let (rank, n) = (crate::verify::mass_rank(w), w.system.n());
    if rank == n { Ok(()) } else { Err(format!("the mass matrix has rank {rank} < {n}: it cannot be inverted")) }
}

/// The form `udwadia-kalaba`.
pub struct UdwadiaKalaba;

impl Form for UdwadiaKalaba {
    fn id(&self) -> &'static str {
        "udwadia-kalaba"
    }
    fn name(&self) -> &'static str {
        "The Udwadia–Kalaba equation"
    }
    fn source(&self) -> &'static str {
        "Udwadia, Kalaba 1992; Soltakhanov, Yushkov, Zegzhda II"
    }
    fn needs(&self) -> &'static str {
        "a regular mass matrix; the only form that takes redundant constraints"
    }
    fn about(&self) -> &'static str {
        about!("udwadia_kalaba.rs")
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(regular_mass(w))
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        regular_mass(w).map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let rows = crate::verify::independent_rows(w);
        let n = w.system.n();
        let inverse = w.inverse(&d.mass).ok_or_else(|| refuse(self, "the mass matrix is singular".into()))?;
        let f: Vec<Expr> = d.rest.iter().map(|&e| w.g.neg(e)).collect();
        let free = w.g.matrix_vector(&inverse, &f); // a
        let a: Matrix = rows.iter().map(|&j| d.a[j].clone()).collect();
        let at = transpose(&a);
        let ma = if a.is_empty() { Vec::new() } else { w.g.matrix_product(&inverse, &at) }; // M⁻¹Aᵀ
        let mut eq =
            Equations { form: self.id(), own: n, unknowns: w.system.accelerations.clone(), ..Default::default() };
        let lambda = if a.is_empty() {
            Vec::new()
        } else {
            let kernel = w.g.matrix_product(&a, &ma);
            let inverse = w
                .inverse(&kernel)
                .ok_or_else(|| Error::computation("A M⁻¹ Aᵀ is singular although the constraints are independent"))?;
            let mut gap = Vec::new();
            for (r, &j) in rows.iter().enumerate() {
                let reached = w.g.dot_product(&a[r], &free);
                gap.push(w.g.sub(d.b[j], reached));
            }
            w.g.matrix_vector(&inverse, &gap) // (2)
        };
        for i in 0..n {
            let symbol = w.g.symbol(w.system.accelerations[i]);
            let correction = if a.is_empty() { w.g.zero() } else { w.g.dot_product(&ma[i], &lambda) };
            let value = w.g.add(free[i], correction);
            eq.equations.push(w.g.sub(symbol, value));
            let name = w.g.name(w.system.accelerations[i]).to_owned();
            eq.show(format!("{name} without the constraints"), format!("a[{name}]"), free[i]);
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
