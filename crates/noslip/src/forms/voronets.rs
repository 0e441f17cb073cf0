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
//! A constraint of second or third order is solved for the highest derivatives, q^(p)_{l+ν} = α_ν. Velocities are then free, nothing
//! is inserted into T, no bracket arises, and Lagrange's structure is that of T itself, with q̈_{l+ν} = α_ν where p = 2:
//!
//! ```text
//! d/dt ∂T/∂q̇_s − ∂T/∂q_s + Σ_ν ∂α_ν/∂q^(p)_s (d/dt ∂T/∂q̇_{l+ν} − ∂T/∂q_{l+ν}) = Q_s + Σ_ν ∂α_ν/∂q^(p)_s Q_{l+ν}
//! ```
//!
//! Valid when: the constraints are independent.
//! Sources: Talamucci (20), (21) and section 5; Sumbatov, section 3.

use super::accelerated::Accelerated;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Formula;
use crate::mechanics::{Split, SplitFrame};

/// The equations for constraints of second or third order.
fn of_higher_order(form: &Voronets, w: &mut Workbench) -> Result<Equations> {
    let frame = Accelerated::new(w).map_err(|why| refuse(form, why))?;
    let d = w.dynamics();
    let system = w.system.clone();
    let mut operator = Vec::new();
    for i in 0..system.n() {
        w.may_go_on()?;
        let rate = w.g.time_derivative(d.momenta[i]);
        let by_q = w.g.diff(system.kinetic, system.coordinates[i]);
        let e = w.g.of(rate - by_q - d.forces[i]);
        operator.push(frame.insert(w, e));
    }
    let mut own = Vec::new();
    for (s, &r) in frame.split.independent.iter().enumerate() {
        let mut terms = Formula::from(operator[r]);
        for (nu, &i) in frame.split.dependent.iter().enumerate() {
            terms += frame.alpha(nu, s) * operator[i];
        }
        own.push(w.g.of(terms));
    }
    Ok(frame.finish(w, form.id(), own))
}

/// The form `voronets`.
pub struct Voronets;

impl Form for Voronets {
    fn card(&self) -> &'static Card {
        &Card {
            id: "voronets",
            aliases: &["woronetz"],
            name: "Voronets' equations",
            source: "Voronets 1901; Sumbatov section 3; Talamucci (20)–(21)",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("voronets.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.split())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        if w.no_second_order().is_err() {
            return of_higher_order(self, w);
        }
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
                w.may_go_on()?;
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
        if !frame.explicit() {
            show_roots(w, &split, &mut eq);
        }
        Ok(eq)
    }
}

/// Shows α where a root does it. The equations leave the dependent velocity standing: they hold on both branches.
fn show_roots(w: &mut Workbench, split: &Split, eq: &mut Equations) {
    let Some(solved) = split.by_roots(w) else { return };
    let started = w.system.initial.is_some();
    for (v, value, branch) in solved {
        let name = w.g.name(v).to_owned();
        if branch {
            let which =
                if started { "the one of the initial state" } else { "the other has the other sign of the root" };
            eq.notes.push(format!("{name} is one of two roots of its constraint, {which}"));
        }
        eq.show(format!("{name} by the constraints"), format!("α[{name}]"), value);
    }
}
