//! The Gibbs–Appell equations: the energy of acceleration S differentiated by the accelerations that are free.
//!
//! Unknowns: v̇_1…v̇_l (or l independent accelerations q̈_s, where a constraint is of second order or nonlinear without
//! closed inverse).
//!
//! ```text
//! ∂S/∂q̈_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i,    S = ½ q̈ᵀ M q̈ + hᵀ q̈ + …        (1)
//! ∂S*/∂v̇_λ = Q*_λ = Σ_i Q_i Φ_iλ                                          (2)
//! ```
//!
//! S* is S with q̈ replaced by its expression in v̇. Terms of S free of accelerations play no part and are left out.
//!
//! S follows from T, or the model gives it, `[energy] acceleration = "…"`, as by König's theorem S = ½ m w_C² + S_r; then (1) is
//! verified when the model is read.
//!
//! Valid when: the constraints are independent.
//! Sources: Sumbatov (3.11); the modelling textbook (4.301).

use super::acceleration_function::AccelerationFunction;
use super::applicability;
use super::{Applicability, Equations, Form, Workbench};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational};

/// The form `gibbs-appell`.
pub struct GibbsAppell;

impl Form for GibbsAppell {
    fn card(&self) -> &'static Card {
        &Card {
            id: "gibbs-appell",
            aliases: &["appell"],
            name: "The Gibbs–Appell equations",
            source: "Gibbs 1879, Appell 1899; Sumbatov (3.11); modelling textbook (4.301)",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("gibbs_appell.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.directions())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let d = w.dynamics();
        // (1): 𝓔 + Q at q̈ = 0 is what T contributes to h.
        let accelerations: Vec<Expr> = w.system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
        let mut terms = Vec::new();
        for i in 0..w.system.n() {
            w.may_go_on()?;
            let inertia = w.g.dot_product(&d.mass[i], &accelerations);
            let quadratic = w.g.mul(accelerations[i], inertia);
            let h = w.g.add(d.rest[i], d.forces[i]);
            let linear = w.g.mul(accelerations[i], h);
            terms.push((quadratic, Rational::new(1, 2).unwrap_or_default()));
            terms.push((linear, Rational::ONE));
        }
        // The author's S, terms without accelerations and all, is as good.
        let value = w.g.linear(Rational::ZERO, terms);
        let value = w.system.acceleration_energy.unwrap_or(value);
        AccelerationFunction { name: "energy of acceleration", symbol: "S", value }.equations(self, w) // (2)
    }
}
