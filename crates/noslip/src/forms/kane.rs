//! Kane's equations: generalised active forces balance generalised inertia forces.
//!
//! Unknowns: v̇_1…v̇_l, the derivatives of the generalised speeds.
//!
//! ```text
//! F_r + F*_r = 0,    F_r = Σ_i Q_i Φ_ir,    F*_r = −Σ_i (d/dt ∂T/∂q̇_i − ∂T/∂q_i) Φ_ir
//! ```
//!
//! Φ_ir = ∂q̇_i/∂v_r are the partial velocities in generalised coordinates. With T given and no bodies, this coincides with
//! Maggi's equations written in the generalised speeds.
//!
//! Valid when: q̇ can be expressed by the generalised speeds v.
//! Source: Kane and Levinson, Dynamics, McGraw-Hill 1985; none of the other sources has it under this name.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula};

/// The form `kane`.
pub struct Kane;

impl Form for Kane {
    fn card(&self) -> &'static Card {
        &Card {
            id: "kane",
            aliases: &[],
            name: "Kane's equations",
            source: "Kane 1961; Kane, Levinson 1985",
            needs: "independent constraints, velocities in closed form in the quasi-velocities",
            about: crate::card::head_of!("kane.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.closed_quasi())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.closed_quasi().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let inertia: Vec<Expr> = d.operator.iter().zip(&d.forces).map(|(&e, &q)| w.g.add(e, q)).collect();
        let inertia = quasi.insert_all(w, &inertia);
        let mut own = Vec::new();
        let mut parts = Vec::new();
        for r in 0..quasi.free.len() {
            w.may_go_on()?;
            let active = quasi.force(w, r);
            let mut terms = Formula::ZERO;
            for (&e, phi) in inertia.iter().zip(quasi.phi_column(w, r)) {
                let p = w.g.mul(e, phi);
                terms -= p;
            }
            let inertia = w.g.of(terms);
            // Written with the inertia terms positive: −F_r − F*_r = 0.
            let total = w.g.add(active, inertia);
            own.push(w.g.neg(total));
            parts.push((active, inertia));
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        for (r, (active, inertia)) in parts.into_iter().enumerate() {
            let name = w.g.name(quasi.free[r]).to_owned();
            eq.show(format!("generalised active force for {name}"), format!("F[{name}]"), active);
            eq.show(format!("generalised inertia force for {name}"), format!("F*[{name}]"), inertia);
        }
        Ok(eq)
    }
}
