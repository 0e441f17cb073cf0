//! Maggi's equations: Lagrange's operator projected on the virtual displacements that the constraints allow.
//!
//! Unknowns: the n accelerations q̈. The reactions come out separately.
//!
//! ```text
//! Σ_i 𝓔_i Φ_iλ = 0,          λ = 1…l        (2.10)
//! Λ_j = Σ_i 𝓔_i Φ_i,l+j,     j = 1…k        (2.12)
//! ```
//!
//! with Φ = Ψ⁻¹, Ψ_ρi = ∂v_ρ/∂q̇_i, v_{l+j} = φ_j. The l equations are completed by the differentiated constraints. Maggi's
//! equations hold for nonlinear constraints as they stand; for a constraint of second order the row of Ψ is ∂φ_j/∂q̈_i. The forces come
//! in as φ_λ = Σ_i Q_i Φ_iλ, the modified generalised forces of the modelling textbook, (4.285).
//!
//! Valid when: quasi-velocities and constraints are independent.
//! Source: Soltakhanov, Yushkov, Zegzhda, chapter II, (2.10), (2.12); the modelling textbook (4.284), (4.285).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Expr;
use crate::mechanics::acceleration_constraints;

/// The form `maggi`.
pub struct Maggi;

impl Form for Maggi {
    fn card(&self) -> &'static Card {
        &Card {
            id: "maggi",
            aliases: &[],
            name: "Maggi's equations",
            source: "Maggi 1896; Soltakhanov, Yushkov, Zegzhda II (2.10), (2.12)",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("maggi.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.directions())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.directions().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let (n, l) = (w.system.n(), quasi.free.len());
        let mut eq = Equations { form: self.id(), own: l, ..Default::default() };
        eq.notes.push(quasi.note(w));
        // Φ as a function of t, q, q̇: the book's equations are written in the coordinates.
        let phi = quasi.phi_in_velocities(w);
        for lambda in 0..l {
            w.may_go_on()?;
            let column: Vec<Expr> = (0..n).map(|i| phi[i][lambda]).collect();
            eq.equations.push(w.g.dot_product(&d.operator, &column)); // (2.10)
            eq.directions.push(column);
        }
        eq.equations.extend(acceleration_constraints(w));
        eq.unknowns = w.system.accelerations.clone();
        for (j, c) in w.system.constraints.iter().enumerate() {
            w.may_go_on()?;
            let column: Vec<Expr> = (0..n).map(|i| phi[i][l + j]).collect();
            let reaction = w.g.dot_product(&d.operator, &column); // (2.12)
            eq.reactions.push((c.multiplier, reaction));
        }
        for (rho, s) in quasi.all().into_iter().enumerate() {
            for i in 0..n {
                if !w.g.is_zero(phi[i][rho]) {
                    let (q, v) = (w.g.name(w.system.velocities[i]).to_owned(), w.g.name(s).to_owned());
                    eq.show(format!("∂{q}/∂{v}"), format!("Φ[{q},{v}]"), phi[i][rho]);
                }
            }
        }
        for (lambda, &s) in quasi.free.iter().enumerate() {
            let force = w.g.dot_product(&d.forces, &eq.directions[lambda]);
            let force = w.simplify(force);
            if !w.g.is_zero(force) {
                let name = w.g.name(s).to_owned();
                eq.show(format!("modified generalised force of {name}, (4.285)"), format!("φ[{name}]"), force);
            }
        }
        Ok(eq)
    }
}
