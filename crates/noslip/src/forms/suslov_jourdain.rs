//! The Suslov–Jourdain principle: the variations are of the velocities, time and positions are not varied.
//!
//! Unknowns: the n accelerations q̈.
//!
//! ```text
//! Σ_i 𝓔_i δ′q̇_i = 0    for all δ′q̇ with    Σ_i A_ji δ′q̇_i = 0        (1.5)
//! ```
//!
//! The relations are solved for the dependent variations, δ′q̇_{l+ν} = Σ_s α_νs δ′q̇_s, and the coefficients of the
//! independent ones read off:
//!
//! ```text
//! 𝓔_s + Σ_ν α_νs 𝓔_{l+ν} = 0,    s = 1…l
//! ```
//!
//! For a constraint of second order the variations are of the accelerations (Gauss), for one of third order of the third
//! derivatives, with A_ji = ∂φ_j/∂q̈_i and ∂φ_j/∂q⃛_i.
//!
//! Valid when: the constraints are independent.
//! Source: Soltakhanov, Yushkov, Zegzhda, chapter II, (5.8), (5.9).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::Expr;
use crate::mechanics::acceleration_constraints;

/// The form `suslov-jourdain`.
pub struct SuslovJourdain;

impl Form for SuslovJourdain {
    fn card(&self) -> &'static Card {
        &Card {
            id: "suslov-jourdain",
            aliases: &["jourdain"],
            name: "The Suslov–Jourdain principle",
            source: "Jourdain 1909, Suslov 1900; Soltakhanov, Yushkov, Zegzhda II (5.8), (5.9)",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("suslov_jourdain.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.split())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let split = w.split().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let mut eq = Equations { form: self.id(), own: split.independent.len(), ..Default::default() };
        eq.notes.push(split.note(w));
        eq.directions = split.directions(w);
        for s in 0..split.independent.len() {
            w.may_go_on()?;
            let e = w.g.dot_product(&d.operator, &eq.directions[s]);
            eq.equations.push(e);
        }
        eq.equations.extend(acceleration_constraints(w));
        eq.unknowns = w.system.accelerations.clone();
        // The principle itself, and the relations between the variations.
        let names: Vec<String> = w.system.velocities.iter().map(|&v| w.g.name(v).to_owned()).collect();
        let variations: Vec<Expr> = names.iter().map(|name| w.variation(name)).collect();
        let principle = w.g.dot_product(&d.operator, &variations);
        eq.show("the principle: this vanishes for all admissible variations", "Σ 𝓔 δ′q̇", principle);
        for (nu, &i) in split.dependent.iter().enumerate() {
            let parts: Vec<Expr> = split.independent.iter().map(|&s| variations[s]).collect();
            let value = w.g.dot_product(&split.alpha_v[nu], &parts);
            let name = w.g.name(w.system.velocities[i]).to_owned();
            eq.show(format!("dependent variation of {name}"), format!("δ′{name}"), value);
        }
        eq.reactions = split.reactions(w);
        Ok(eq)
    }
}
