//! Chaplygin's equations: Lagrange's operator on the energy with the constraints inserted, and the correction that makes it
//! right.
//!
//! Unknowns: q̈_1…q̈_l. The l equations decouple from the constraints.
//!
//! ```text
//! linear:     d/dt ∂T°/∂q̇_s − ∂T°/∂q_s − Q°_s = Σ_ν (∂T/∂q̇_{l+ν})* Σ_r (∂α_νs/∂q_r − ∂α_νr/∂q_s) q̇_r        (1)
//! in general: … = Σ_ν (∂T/∂q̇_{l+ν})* (d/dt ∂α_ν/∂q̇_s − ∂α_ν/∂q_s)                                             (2)
//! ```
//!
//! Q°_s = Q_s + Σ_ν α_νs Q_{l+ν}: the force on a dependent coordinate counts (the book's example II.2 drops it). (2) covers
//! affine, rheonomic and nonlinear constraints; for linear stationary ones its bracket is that of (1).
//!
//! Valid when: T, the forces and α are free of the dependent coordinates for some choice of dependent velocities.
//! Sources: Soltakhanov, Yushkov, Zegzhda, chapter II, (2.13); Sumbatov (3.10), nonlinear (3.17).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::mechanics::SplitFrame;

/// The form `chaplygin`.
pub struct Chaplygin;

impl Form for Chaplygin {
    fn card(&self) -> &'static Card {
        &Card {
            id: "chaplygin",
            aliases: &[],
            name: "Chaplygin's equations",
            source: "Chaplygin 1897; Soltakhanov, Yushkov, Zegzhda II (2.13); Sumbatov (3.10), (3.17)",
            needs: "T, forces and solved constraints free of the dependent coordinates",
            about: crate::card::head_of!("chaplygin.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.chaplygin_split())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let split = w.chaplygin_split().map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split.clone());
        let l = split.independent.len();
        let mut own = Vec::new();
        let mut curvature = Vec::new();
        for s in 0..l {
            let p = frame.kinetic_v(w, s);
            let rate = frame.ddt(w, p);
            let by_q = frame.kinetic_q(w, split.independent[s]);
            let force = frame.force(w, s);
            let mut terms = rate - by_q - force;
            for nu in 0..split.dependent.len() {
                w.may_go_on()?;
                // (2)
                let turn = frame.ddt(w, frame.alpha_v[nu][s]);
                let by = frame.alpha_q(w, nu, split.independent[s]);
                let bracket = w.simplify(turn - by);
                let correction = w.g.mul(frame.dependent_momenta[nu], bracket);
                terms -= correction;
                curvature.push((nu, s, bracket));
            }
            own.push(w.g.of(terms));
        }
        let mut eq = frame.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T°", frame.kinetic);
        for (nu, &i) in split.dependent.iter().enumerate() {
            let name = w.g.name(w.system.velocities[i]).to_owned();
            eq.show(format!("∂T/∂{name}, constraints inserted"), format!("(∂T/∂{name})*"), frame.dependent_momenta[nu]);
        }
        for (nu, s, bracket) in curvature {
            if !w.g.is_zero(bracket) {
                let x = w.g.name(w.system.velocities[split.dependent[nu]]).to_owned();
                let q = w.g.name(w.system.coordinates[split.independent[s]]).to_owned();
                eq.show(format!("curvature of {x} along {q}"), format!("B[{x},{q}]"), bracket);
            }
        }
        Ok(eq)
    }
}
