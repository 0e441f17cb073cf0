//! Lagrange's equations with multipliers: the form against which every other is proved.
//!
//! Unknowns: the n accelerations q̈ and the k multipliers λ.
//!
//! ```text
//! d/dt ∂T/∂q̇_i − ∂T/∂q_i = Q_i + Σ_j λ_j ∂φ_j/∂q̇_i,    i = 1…n        (1)
//! Σ_i A_ji q̈_i = b_j,                                     j = 1…k        (2)
//! ```
//!
//! (2) are the constraints differentiated until accelerations appear. Q_i includes −∂V/∂q_i. The reaction of constraint
//! j on coordinate i is λ_j ∂φ_j/∂q̇_i (Chetaev's definition of an ideal constraint, also for nonlinear ones).
//!
//! Valid when: the constraints are independent. Any order, linear or not, with or without t.
//! Sources: Greenwood (5.24); Soltakhanov, Yushkov, Zegzhda, chapter II, (2.22); Sumbatov (3.3); the modelling textbook (4.274).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Formula;
use crate::mechanics::acceleration_constraints;

/// The form `lagrange-multipliers`.
pub struct LagrangeMultipliers;

impl Form for LagrangeMultipliers {
    fn card(&self) -> &'static Card {
        &Card {
            id: "lagrange-multipliers",
            aliases: &["lagrange"],
            name: "Lagrange's equations with multipliers",
            source: "Lagrange 1788; Soltakhanov, Yushkov, Zegzhda II (2.22); Greenwood (5.24); Sumbatov (3.3)",
            needs: "independent constraints of any kind",
            text: include_str!("lagrange_multipliers.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.independent_constraints())
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        w.independent_constraints().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let mut equations = Vec::new();
        for i in 0..w.system.n() {
            // (1)
            let mut terms = Formula::from(d.operator[i]);
            for (j, c) in w.system.constraints.iter().enumerate() {
                let lambda = w.g.symbol(c.multiplier);
                let reaction = w.g.mul(lambda, d.a[j][i]);
                terms -= reaction;
            }
            equations.push(w.g.of(terms));
        }
        let own = equations.len();
        equations.extend(acceleration_constraints(w)); // (2)
        let mut unknowns = w.system.accelerations.clone();
        unknowns.extend(w.system.constraints.iter().map(|c| c.multiplier));
        Ok(Equations { form: self.id(), own, equations, unknowns, ..Default::default() })
    }
}
