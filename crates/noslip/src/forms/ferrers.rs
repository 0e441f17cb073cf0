//! Ferrers' equations: the dependent Cartesian velocities expressed by the independent ones, their coefficients
//! differentiated.
//!
//! Unknowns: q̈_1…q̈_l.
//!
//! ```text
//! ẋ_ν = Σ_s X_νs q̇_s + X_ν0
//! d/dt ∂T°/∂q̇_s − (∂T/∂q_s)* − Σ_ν (∂T/∂ẋ_ν)* dX_νs/dt = Q_s + Σ_ν X_νs Q_ν        (3.7)
//! ```
//!
//! (∂T/∂ẋ_ν)* is m ẋ for a particle. T° contains the constraints, ∂T/∂q_s does not.
//!
//! Valid when: the constraints are linear in the velocities and T is free of the dependent coordinates, with constant
//! coefficients of their squared velocities, as for Cartesian coordinates.
//! Source: Sumbatov (3.6)–(3.8).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Symbol;
use crate::mechanics::{Split, SplitFrame};
use std::sync::Arc;

/// The split, if the dependent coordinates can pass for Cartesian ones.
fn suited(w: &mut Workbench) -> Result<Arc<Split>, String> {
    w.no_second_order()?;
    let split = w.split()?;
    let velocities = w.system.velocities.clone();
    if split.explicit.is_none() || split.alpha_v.iter().flatten().any(|&e| w.g.depends_on_any(e, &velocities)) {
        return Err("the constraints are not linear in the velocities".into());
    }
    let d = w.dynamics();
    let coordinates: Vec<Symbol> = split.pick_dependent(&w.system.coordinates);
    if let Some(s) = w.occurs(w.system.kinetic, &coordinates) {
        return Err(format!("the kinetic energy depends on the dependent coordinate `{}`", w.g.name(s)));
    }
    let all: Vec<Symbol> = w.system.coordinates.iter().copied().chain([w.g.time()]).collect();
    for &i in &split.dependent {
        for &j in &split.dependent {
            if w.occurs(d.mass[i][j], &all).is_some() {
                let name = w.g.name(w.system.coordinates[i]);
                return Err(format!(
                    "the inertia of the dependent coordinate `{name}` is not constant: it is not Cartesian"
                ));
            }
        }
    }
    Ok(split)
}

/// The form `ferrers`.
pub struct Ferrers;

impl Form for Ferrers {
    fn card(&self) -> &'static Card {
        &Card {
            id: "ferrers",
            aliases: &[],
            name: "Ferrers' equations",
            source: "Ferrers 1872; Sumbatov (3.6)–(3.8)",
            needs: "constraints linear in the velocities, dependent coordinates that behave as Cartesian ones",
            about: crate::card::head_of!("ferrers.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(suited(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let split = suited(w).map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split);
        let mut own = Vec::new();
        for s in 0..frame.split.independent.len() {
            let p = frame.kinetic_v(w, s);
            let rate = frame.ddt(w, p);
            let by_q = w.g.diff(w.system.kinetic, w.system.coordinates[frame.split.independent[s]]);
            let by_q = frame.insert(w, by_q);
            let force = frame.force(w, s);
            let mut terms = rate - by_q - force;
            for nu in 0..frame.split.dependent.len() {
                w.may_go_on()?;
                let turn = frame.ddt(w, frame.alpha_v[nu][s]); // dX_νs/dt
                let p = w.g.mul(frame.dependent_momenta[nu], turn);
                terms -= p;
            }
            own.push(w.g.of(terms));
        }
        let mut eq = frame.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T°", frame.kinetic);
        for (nu, &i) in frame.split.dependent.iter().enumerate() {
            for (s, &j) in frame.split.independent.iter().enumerate() {
                let (x, q) = (w.g.name(w.system.velocities[i]).to_owned(), w.g.name(w.system.velocities[j]).to_owned());
                eq.show(format!("coefficient of {q} in {x}"), format!("X[{x},{q}]"), frame.alpha_v[nu][s]);
            }
        }
        Ok(eq)
    }
}
