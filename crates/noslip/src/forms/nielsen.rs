//! Nielsen's equations: the total time derivative of the kinetic energy in place of the derivative of the momenta.
//!
//! Unknowns: q̈_1…q̈_l (all q̈ with the differentiated constraints, where they have no closed solution for the dependent velocities).
//!
//! ```text
//! N_i(T) = ∂Ṫ/∂q̇_i − 2 ∂T/∂q_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i                                    (1)
//! Σ_i (N_i(T) − Q_i) δq_i = 0                                                                 (2)
//! N_s(T°) − Σ_ν (∂T/∂q̇_{l+ν})* N_s(α_ν) = Q°_s                                               (3)
//! N_s(f) = ∂ḟ/∂q̇_s − 2 (∂f/∂q_s + Σ_ν α_νs ∂f/∂q_{l+ν})                                     (4)
//! ```
//!
//! Ṫ is the total derivative, a function of t, q, q̇, q̈. (2) holds for every virtual displacement and every kind of constraint, and
//! gives the equations where the constraints are not solved. Where they are, q̇_{l+ν} = α_ν, the operator (4) acts on the energy T°
//! with the constraints inserted and on the constraints themselves: ḟ is taken along the constrained motion. (3) is Voronets'
//! equation in Nielsen's operator.
//!
//! Valid when: the constraints are independent.
//! Sources: J. Nielsen, Vorlesungen über elementare Mechanik, Berlin 1935; for nonholonomic systems Bl. Dolaptschiew, ZAMM 46 (1966);
//! named by Soltakhanov, Yushkov, Zegzhda, chapter II, section 6.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational};
use crate::mechanics::SplitFrame;

/// N_s(f), (4), of a function of t, q and the independent velocities, with its ḟ.
fn operator(w: &mut Workbench, frame: &SplitFrame, f: Expr, rate: Expr, s: usize) -> Expr {
    let i = frame.split.independent[s];
    let by_velocity = w.g.diff(rate, w.system.velocities[i]);
    let by_q = w.g.diff(f, w.system.coordinates[i]);
    let minus_two = Rational::integer(-2);
    let mut terms = vec![(by_velocity, Rational::ONE), (by_q, minus_two.clone())];
    for (nu, &j) in frame.split.dependent.iter().enumerate() {
        let by = w.g.diff(f, w.system.coordinates[j]);
        terms.push((w.g.mul(frame.alpha_v[nu][s], by), minus_two.clone()));
    }
    w.g.linear(Rational::ZERO, terms)
}

/// (2): N_i(T) − Q_i on the virtual displacements, with the constraints inserted where they are solved.
fn on_displacements(w: &mut Workbench, frame: &SplitFrame) -> Result<Vec<Expr>> {
    let d = w.dynamics();
    let kinetic = w.system.kinetic;
    let rate = w.g.time_derivative(kinetic);
    let mut left = Vec::new();
    for i in 0..w.system.n() {
        w.may_go_on()?;
        let by_velocity = w.g.diff(rate, w.system.velocities[i]); // (1)
        let by_q = w.g.diff(kinetic, w.system.coordinates[i]);
        let terms = [(by_velocity, Rational::ONE), (by_q, Rational::integer(-2)), (d.forces[i], Rational::MINUS_ONE)];
        left.push(w.g.linear(Rational::ZERO, terms));
    }
    let directions = frame.split.directions(w);
    directions
        .iter()
        .map(|y| {
            w.may_go_on()?;
            let e = w.g.dot_product(&left, y);
            Ok(frame.insert_accelerations(w, e))
        })
        .collect()
}

/// The form `nielsen`.
pub struct Nielsen;

impl Form for Nielsen {
    fn card(&self) -> &'static Card {
        &Card {
            id: "nielsen",
            aliases: &[],
            name: "Nielsen's equations",
            source: "Nielsen 1935, Dolaptschiew 1966; named by Soltakhanov, Yushkov, Zegzhda II, section 6",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("nielsen.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.split())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let split = w.split().map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split.clone());
        let plain = on_displacements(w, &frame)?;
        let Some(alpha) = split.explicit.clone() else {
            let mut eq = frame.finish(w, self.id(), plain);
            let rate = w.g.time_derivative(w.system.kinetic);
            eq.show("rate of change of the kinetic energy", "Ṫ", rate);
            return Ok(eq);
        };
        let rate = frame.ddt(w, frame.kinetic);
        let rate = w.simplify(rate);
        let alpha_rates = frame.dependent_accelerations.clone().unwrap_or_default();
        let mut own = Vec::new();
        let mut brackets = Vec::new();
        for s in 0..split.independent.len() {
            let kinetic = operator(w, &frame, frame.kinetic, rate, s);
            let force = frame.force(w, s);
            let mut terms = vec![(kinetic, Rational::ONE), (force, Rational::MINUS_ONE)];
            for nu in 0..alpha.len() {
                w.may_go_on()?;
                let bracket = operator(w, &frame, alpha[nu], alpha_rates[nu], s);
                let bracket = w.simplify(bracket);
                terms.push((w.g.mul(frame.dependent_momenta[nu], bracket), Rational::MINUS_ONE));
                brackets.push((nu, s, bracket));
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (3)
        }
        let mut eq = frame.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T°", frame.kinetic);
        eq.show("its rate of change along the constrained motion", "Ṫ°", rate);
        for (nu, s, bracket) in brackets {
            if !w.g.is_zero(bracket) {
                let x = w.g.name(w.system.velocities[split.dependent[nu]]).to_owned();
                let q = w.g.name(w.system.coordinates[split.independent[s]]).to_owned();
                eq.show(format!("Nielsen's operator of {x} along {q}"), format!("N[{x},{q}]"), bracket);
            }
        }
        if !split.dependent.is_empty() {
            eq.alternatives.push(("operator on the virtual displacements".into(), plain));
        }
        Ok(eq)
    }
}
