//! The Boltzmann–Hamel equations with the transpositional relations in place of the coefficients γ.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! Σ_r [d/dt ∂T*/∂v_r − ∂T*/∂π_r − Q*_r] δπ_r − Σ_i Σ_j ∂T*/∂v_j Ψ_ji [d/dt(δq_i) − δq̇_i] = 0,    j = 1…n
//! ```
//!
//! T* is the energy without the constraints, in all n quasi-velocities, as in `boltzmann-hamel`; Σ_j ∂T*/∂v_j Ψ_ji is the
//! momentum ∂T/∂q̇_i read off T*.
//!
//! Valid when: all quasi-velocities and constraints are linear in q̇ (affine and with t allowed).
//! Source: Greenwood (5.101).

use super::boltzmann_hamel::linear_quasi;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Rational;

/// The form `boltzmann-hamel-transpositional`.
pub struct BoltzmannHamelTranspositional;

impl Form for BoltzmannHamelTranspositional {
    fn card(&self) -> &'static Card {
        &Card {
            id: "boltzmann-hamel-transpositional",
            aliases: &[],
            name: "The Boltzmann–Hamel equations with transpositional terms",
            source: "Hamel 1904; Greenwood (5.101)",
            needs: "quasi-velocities and constraints linear in the velocities",
            about: crate::card::head_of!("boltzmann_hamel_transpositional.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(linear_quasi(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = linear_quasi(w).map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let star = quasi.kinetic_free(w).unwrap_or(w.system.kinetic);
        let momenta = quasi.momenta_of(w, star);
        let constrained = quasi.on_constraints(w, star);
        let mut own = Vec::new();
        let mut shown = Vec::new();
        for r in 0..l {
            let mut terms = quasi.lagrangian_part(w, momenta[r], constrained, r);
            // dδπ_j − δdπ_j = Σ_i Ψ_ji [d/dt(δq_i) − δq̇_i]
            let mut tau = Vec::new();
            for i in 0..n {
                w.may_go_on()?;
                tau.push(quasi.transposition(w, i, r));
            }
            for (j, &p) in momenta.iter().enumerate() {
                let relation = w.g.dot_product(&quasi.psi[j], &tau);
                let relation = w.simplify(relation);
                terms.push((w.g.mul(p, relation), Rational::MINUS_ONE));
                if !w.g.is_zero(relation) {
                    shown.push((j, r, relation));
                }
            }
            own.push(w.g.linear(Rational::ZERO, terms));
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("kinetic energy in the quasi-velocities, without the constraints", "T*", star);
        let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
        for (j, r, relation) in shown {
            eq.show(
                format!("coefficient of δπ[{}] in Ψ (dδq − δdq) for {}", names[r], names[j]),
                format!("τ^{}[{}]", names[j], names[r]),
                relation,
            );
        }
        Ok(eq)
    }
}
