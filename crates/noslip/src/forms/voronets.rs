//! Voronets' equations: Chaplygin's idea without his restriction. Linear, nonlinear and rheonomic constraints alike.
//!
//! Unknowns: q̈_1…q̈_l (all q̈ with the differentiated constraints, where α has no closed form).
//!
//! ```text
//! d/dt ∂T°/∂q̇_s − ∂T°/∂q_s − Σ_ν ∂α_ν/∂q̇_s ∂T°/∂q_{l+ν} − Σ_ν B_s^ν (∂T/∂q̇_{l+ν})* = Q_s + Σ_ν ∂α_ν/∂q̇_s Q_{l+ν}   (20)
//! B_s^ν = d/dt(∂α_ν/∂q̇_s) − ∂α_ν/∂q_s − Σ_μ ∂α_μ/∂q̇_s ∂α_ν/∂q_{l+μ}                                                 (21)
//! ```
//!
//! The time derivative in (21) is total, along the constrained motion. For linear stationary α, B_s^ν = Σ_r β^ν_sr q̇_r.
//!
//! Valid when: the constraints are of first order (or holonomic) and independent.
//! Sources: Talamucci (20), (21); Sumbatov, section 3.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::mechanics::SplitFrame;

/// The form `voronets`.
pub struct Voronets;

impl Form for Voronets {
    fn card(&self) -> &'static Card {
        &Card {
            id: "voronets",
            aliases: &["woronetz"],
            name: "Voronets' equations",
            source: "Voronets 1901; Sumbatov section 3; Talamucci (20)–(21)",
            needs: "constraints of first order",
            text: include_str!("voronets.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.no_second_order().and_then(|()| w.split()))
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        w.no_second_order().map_err(|why| refuse(self, why))?;
        let split = w.split().map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split.clone());
        let mut own = Vec::new();
        let mut brackets = Vec::new();
        for s in 0..split.independent.len() {
            let p = frame.kinetic_v(w, s);
            let rate = frame.ddt(w, p);
            let by_q = frame.kinetic_q(w, split.independent[s]);
            let force = frame.force(w, s);
            let mut terms = rate - by_q - force;
            for (nu, &i) in split.dependent.iter().enumerate() {
                let by = frame.kinetic_q(w, i);
                let transport = w.g.mul(frame.alpha_v[nu][s], by);
                terms -= transport;
                let bracket = frame.voronets_bracket(w, nu, s); // (21)
                let bracket = if frame.explicit() { w.simplify(bracket) } else { bracket };
                let correction = w.g.mul(bracket, frame.dependent_momenta[nu]);
                terms -= correction;
                brackets.push((nu, s, bracket));
            }
            own.push(w.g.of(terms)); // (20)
        }
        let mut eq = frame.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T°", frame.kinetic);
        for (nu, &i) in split.dependent.iter().enumerate() {
            let name = w.g.name(w.system.velocities[i]).to_owned();
            eq.show(format!("∂T/∂{name}, constraints inserted"), format!("(∂T/∂{name})*"), frame.dependent_momenta[nu]);
        }
        for (nu, s, bracket) in brackets {
            if !w.g.is_zero(bracket) {
                let x = w.g.name(w.system.velocities[split.dependent[nu]]).to_owned();
                let q = w.g.name(w.system.coordinates[split.independent[s]]).to_owned();
                eq.show(format!("Voronets' bracket of {x} along {q}"), format!("B[{x},{q}]"), bracket);
            }
        }
        Ok(eq)
    }
}
