//! The Poincaré–Chetaev–Rumyantsev equations: those of Poincaré and Chetaev where quasi-velocities and constraints may be nonlinear in
//! the velocities.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! d/dt ∂L*/∂v_λ = Σ_ρ C^ρ_λ ∂L*/∂v_ρ + X_λ L* + Q̃_λ,    λ = 1…l,  ρ = 1…n                     (1)
//! X_λ = Σ_i ∂q̇_i/∂v_λ ∂/∂q_i                                                                   (2)
//! C^ρ_λ = Σ_i ∂v_ρ/∂q̇_i (d/dt ∂q̇_i/∂v_λ − X_λ q̇_i)                                            (3)
//! ```
//!
//! L* = T* − V in all n quasi-velocities, constraints inserted after differentiating; Q̃ the forces that do not come from V; q̇_i(t, q, v)
//! the inverse of v(t, q, q̇). For linear quasi-velocities ∂q̇_i/∂v_λ = b^i_λ(t, q), and (3) is the first expression of (2.26)
//! contracted: C^ρ_λ = Σ_μ c^ρ_μλ v_μ + c^ρ_0λ. For nonlinear ones C contains v and v̇.
//!
//! Valid when: q̇ can be expressed by the quasi-velocities (nonlinear ones too).
//! Sources: V. V. Rumyantsev, General equations of analytical mechanics, J. Appl. Math. Mech. 60 (1996) 899–909; S. A. Zegzhda,
//! M. P. Yushkov, Geometrical interpretation of the Poincaré–Chetaev–Rumyantsev equations, 2001; named by Soltakhanov, Yushkov, Zegzhda,
//! chapter II, end of section 3, after (3.26).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational};

/// The form `poincare-chetaev-rumyantsev`.
pub struct PoincareChetaevRumyantsev;

impl Form for PoincareChetaevRumyantsev {
    fn card(&self) -> &'static Card {
        &Card {
            id: "poincare-chetaev-rumyantsev",
            aliases: &["chetaev-rumyantsev"],
            name: "The Poincaré–Chetaev–Rumyantsev equations",
            source: "Rumyantsev 1996; Soltakhanov, Yushkov, Zegzhda II, after (3.26)",
            needs: "velocities in closed form in the quasi-velocities, nonlinear ones too",
            about: crate::card::head_of!("poincare_chetaev_rumyantsev.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.closed_quasi())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.closed_quasi().map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let kinetic = quasi.kinetic_free(w).unwrap_or(w.system.kinetic);
        let lagrangian = w.g.sub(kinetic, w.system.potential);
        let momenta = quasi.momenta_of(w, lagrangian);
        let constrained = quasi.on_constraints(w, lagrangian);
        let psi: Vec<Vec<Expr>> =
            quasi.psi.iter().map(|row| row.iter().map(|&e| quasi.insert(w, e)).collect()).collect();
        let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
        let mut own = Vec::new();
        let mut objects = Vec::new();
        for lambda in 0..l {
            let rate = quasi.ddt(w, momenta[lambda]);
            let along = quasi.by_pi(w, constrained, lambda); // (2)
            let mut terms = vec![(rate, Rational::ONE), (along, Rational::MINUS_ONE)];
            for i in 0..n {
                let force = quasi.insert(w, w.system.forces[i]); // Q̃
                let phi = quasi.phi(w, i, lambda);
                terms.push((w.g.mul(force, phi), Rational::MINUS_ONE));
            }
            let mut bracket = Vec::new();
            for i in 0..n {
                w.may_go_on()?;
                bracket.push(quasi.transposition(w, i, lambda));
            }
            for rho in 0..n {
                w.may_go_on()?;
                let c = w.g.dot_product(&psi[rho], &bracket); // (3)
                let c = w.simplify(c);
                terms.push((w.g.mul(c, momenta[rho]), Rational::MINUS_ONE));
                if !w.g.is_zero(c) {
                    objects.push((format!("C^{}[{}]", names[rho], names[lambda]), c));
                }
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (1)
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("Lagrangian in the quasi-velocities, without the constraints", "L*", lagrangian);
        for (symbol, value) in objects {
            eq.show("structure function", symbol, value);
        }
        Ok(eq)
    }
}
