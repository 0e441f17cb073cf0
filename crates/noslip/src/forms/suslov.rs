//! Suslov's form: variations of the independent coordinates commute with d/dt, those of the dependent ones do not, and the
//! transpositional relation carries the correction.
//!
//! Unknowns: q̈_1…q̈_l.
//!
//! ```text
//! Σ_s [d/dt ∂T°/∂q̇_s − (∂T°/∂q_s + Σ_ν ∂T°/∂q_{l+ν} α_νs) − Q°_s] δq_s − Σ_ν (∂T/∂q̇_{l+ν})* [d/dt(δq_{l+ν}) − δq̇_{l+ν}] = 0
//! d/dt(δq_{l+ν}) − δq̇_{l+ν} = Σ_s (dα_νs/dt − ∂α_ν/∂q_s − Σ_μ ∂α_ν/∂q_{l+μ} α_μs) δq_s
//! ```
//!
//! The coefficients of the independent δq_s vanish one by one.
//!
//! Valid when: the constraints are of first order, linear (also affine and rheonomic) in the velocities, and independent.
//! Sources: Sumbatov (4.7); Greenwood (5.208), (5.216).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::mechanics::{Split, SplitFrame};
use std::sync::Arc;

/// The split, if the constraints are linear in the velocities.
fn suited(w: &mut Workbench) -> Result<Arc<Split>, String> {
    w.no_second_order()?;
    let split = w.split()?;
    let velocities = w.system.velocities.clone();
    for (j, row) in w.dynamics().a.iter().enumerate() {
        if row.iter().any(|&e| w.g.depends_on_any(e, &velocities)) {
            return Err(format!("constraint `{}` is not linear in the velocities", w.system.constraints[j].name));
        }
    }
    Ok(split)
}

/// The form `suslov`.
pub struct Suslov;

impl Form for Suslov {
    fn card(&self) -> &'static Card {
        &Card {
            id: "suslov",
            aliases: &[],
            name: "Suslov's form of the principle",
            source: "Suslov 1900; Sumbatov (4.7); Greenwood (5.208), (5.216)",
            needs: "constraints of first order linear in the velocities",
            about: crate::card::head_of!("suslov.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(suited(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let split = suited(w).map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split);
        let split = frame.split.clone();
        let mut own = Vec::new();
        let mut relations = vec![Vec::new(); split.dependent.len()];
        for (s, &i) in split.independent.iter().enumerate() {
            let p = frame.kinetic_v(w, s);
            let rate = frame.ddt(w, p);
            let by_q = frame.kinetic_q(w, i);
            let force = frame.force(w, s);
            let mut terms = rate - by_q - force;
            let name = w.g.name(w.system.coordinates[i]).to_owned();
            let variation = w.variation(&name);
            for (nu, &j) in split.dependent.iter().enumerate() {
                w.may_go_on()?;
                let by = frame.kinetic_q(w, j);
                let transport = w.g.mul(frame.alpha_v[nu][s], by);
                terms -= transport;
                let bracket = frame.voronets_bracket(w, nu, s);
                let bracket = w.simplify(bracket);
                relations[nu].push(w.g.mul(bracket, variation));
                let correction = w.g.mul(frame.dependent_momenta[nu], bracket);
                terms -= correction;
            }
            own.push(w.g.of(terms));
        }
        let mut eq = frame.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T°", frame.kinetic);
        for (s, &i) in split.independent.iter().enumerate() {
            let force = frame.force(w, s);
            let force = w.simplify(force);
            if !w.g.is_zero(force) {
                let name = w.g.name(w.system.coordinates[i]).to_owned();
                eq.show(format!("generalised force of {name}, constraints inserted"), format!("Q°[{name}]"), force);
            }
        }
        for (nu, terms) in relations.into_iter().enumerate() {
            let name = w.g.name(w.system.coordinates[split.dependent[nu]]).to_owned();
            let value = w.g.sum(terms);
            eq.show(format!("transpositional relation of {name}"), format!("d/dt(δ{name}) − δ{name}'"), value);
        }
        Ok(eq)
    }
}
