//! Hamilton's principle as Hölder put it: the varied path goes through virtual displacements of the actual motion and need not
//! satisfy the constraints itself.
//!
//! Unknowns: v̇_1…v̇_l (all q̈ where the velocities have no closed form in the quasi-velocities).
//!
//! ```text
//! ∫ (δT + δW) dt = 0,    δT = Σ_i (∂T/∂q̇_i δq̇_i + ∂T/∂q_i δq_i),  δW = Σ_i Q_i δq_i
//! δT + δW = d/dt(Σ_i ∂T/∂q̇_i δq_i) − Σ_i 𝓔_i δq_i                                (1)
//! Σ_i 𝓔_i Φ_ir = 0,    δq_i = Σ_r Φ_ir δπ_r                                       (2)
//! ```
//!
//! (1) is the integrand after integration by parts, with dδq = δdq; the boundary term vanishes with δq at the ends. (2) are its
//! coefficients in a basis of virtual displacements.
//!
//! Valid when: the constraints are of first order (or holonomic) and independent.
//! Sources: Sumbatov, section 4, (4.4)–(4.6); Greenwood (5.8), (5.26), (5.27).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Formula;

/// The form `hamilton-holder`.
pub struct HamiltonHolder;

impl Form for HamiltonHolder {
    fn card(&self) -> &'static Card {
        &Card {
            id: "hamilton-holder",
            aliases: &["holder"],
            name: "Hamilton's principle in Hölder's form",
            source: "Hölder 1896; Sumbatov (4.4)–(4.6); Greenwood (5.26), (5.27)",
            needs: "independent constraints of first order",
            about: crate::card::head_of!("hamilton_holder.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.no_second_order().and_then(|()| w.directions()))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        w.no_second_order().map_err(|why| refuse(self, why))?;
        let quasi = w.quasi().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let (n, l) = (w.system.n(), quasi.free.len());
        let closed = quasi.obstacle(w).is_none();
        let phi = if closed { Vec::new() } else { quasi.phi_in_velocities(w) };
        let mut own = Vec::new();
        for r in 0..l {
            let mut terms = Formula::ZERO;
            for i in 0..n {
                w.may_go_on()?;
                let (e, y) = if closed {
                    (quasi.insert(w, d.operator[i]), quasi.phi(w, i, r))
                } else {
                    (d.operator[i], phi[i][r])
                };
                terms += e * y;
            }
            own.push(w.g.of(terms)); // (2)
        }
        let mut eq =
            if closed { quasi.finish(w, self.id(), own)? } else { quasi.finish_in_velocities(w, self.id(), own)? };
        let (mut terms, mut kinetic, mut work) = (Formula::ZERO, Formula::ZERO, Formula::ZERO);
        for i in 0..n {
            let [variation, rate] = [w.system.coordinates[i], w.system.velocities[i]].map(|s| {
                let name = w.g.name(s).to_owned();
                w.variation(&name)
            });
            let by_q = w.g.diff(w.system.kinetic, w.system.coordinates[i]);
            kinetic += d.momenta[i] * rate + by_q * variation;
            work += d.forces[i] * variation;
            let p = w.g.mul(d.operator[i], variation);
            terms -= p;
        }
        let (kinetic, work) = (w.g.of(kinetic), w.g.of(work));
        eq.show("variation of the kinetic energy", "δT", kinetic);
        eq.show("virtual work", "δW", work);
        let integrand = w.g.of(terms);
        eq.show("integrand after integration by parts", "δT + δW − d/dt(Σ p δq)", integrand);
        Ok(eq)
    }
}
