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
//! A constraint of second order, φ_j(t, q, q̇, q̈) = 0, linear or not, has ∂φ_j/∂q̈_i in place of ∂φ_j/∂q̇_i: (1) then says that
//! Gauss's Z = ½ Σ M_ij (q̈_i − a_i)(q̈_j − a_j), a the accelerations without the constraints, is stationary. One of third order
//! has ∂φ_j/∂q⃛_i, because ∂X/∂q⃛_i = ∂X/∂q_i for every point X of the system; its λ_j belongs to the state and changes such that
//! φ_j = 0.
//!
//! Valid when: the constraints are independent. Any order, linear or not, with or without t.
//! Sources: Greenwood (5.24); Soltakhanov, Yushkov, Zegzhda, chapter II, (2.22); Sumbatov (3.3); the modelling textbook (4.274).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Formula;
use crate::mechanics::acceleration_constraints;

/// B_ji = ∂φ_j/∂q̇_i and, for linear constraints, what is left without velocities, B_j.
fn show_coefficients(w: &mut Workbench, eq: &mut Equations) {
    let d = w.dynamics();
    let system = w.system.clone();
    for (j, c) in system.constraints.iter().enumerate() {
        for (i, &e) in d.a[j].iter().enumerate().filter(|(_, e)| !w.g.is_zero(**e)) {
            let primes = "'".repeat(usize::from(c.order.max(1)));
            let name = format!("{}{primes}", w.g.name(system.coordinates[i]));
            eq.show(format!("coefficient of {name} in {}", c.name), format!("B[{},{name}]", c.name), e);
        }
        let linear = !d.a[j].iter().any(|&e| w.g.depends_on_any(e, &system.velocities));
        if let (true, Some(phi)) = (linear, d.velocity_constraints[j]) {
            let rest = w.g.without(phi, &system.velocities);
            if !w.g.is_zero(rest) {
                eq.show(format!("{} without velocities", c.name), format!("B[{}]", c.name), rest);
            }
        }
    }
}

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
            about: crate::card::head_of!("lagrange_multipliers.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.independent_of_any_order())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        w.independent_of_any_order().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let mut equations = Vec::new();
        for i in 0..w.system.n() {
            w.may_go_on()?;
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
        let mut eq = Equations { form: self.id(), own, equations, unknowns, ..Default::default() };
        show_coefficients(w, &mut eq);
        Ok(eq)
    }
}
