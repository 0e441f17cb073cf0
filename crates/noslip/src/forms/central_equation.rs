//! The central equation of Heun and Hamel: one equation for all virtual displacements, with the transpositional terms standing.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! d/dt(δP) = δT + δW + δD                                                                           (5.129)
//! δP = Σ_i p_i δq_i = Σ_r ∂T*/∂v_r δπ_r,   δW = Σ_r Q*_r δπ_r,   p_i = ∂T/∂q̇_i
//! δD = Σ_i p_i [d/dt(δq_i) − δq̇_i]                                                                  (5.139)
//! Σ_r [d/dt ∂T*/∂v_r − ∂T*/∂π_r − Q*_r] δπ_r + Σ_ρ ∂T*/∂v_ρ [d/dt(δπ_ρ) − δv_ρ] − δD = 0               (5.151)
//! ```
//!
//! (5.151) is shown as one equation, 0 = …, with D_x for d/dt(δx) − δẋ and D_πu for d/dt(δπ_u) − δu.
//! δq_i = Σ_r Φ_ir δπ_r; T* in (5.151) is the energy in all n quasi-velocities and ρ counts them all. No more can be said before
//! one of the transpositional terms is chosen:
//!
//! ```text
//! d(δπ) = δv:   Σ_r [d/dt ∂T*/∂v_r − ∂T*/∂π_r − Q*_r] δπ_r − δD = 0,  d/dt(δq_i) − δq̇_i = Σ_r τ_ir δπ_r   (5.153)
//!               τ_ir = dΦ_ir/dt − ∂q̇_i/∂π_r
//! d(δq) = δq̇:   δD = 0,  d/dt(δπ_ρ) − δv_ρ = Σ_r F_ρr δπ_r,  F_ρr = Σ_i Φ_ir (d/dt ∂v_ρ/∂q̇_i − ∂v_ρ/∂q_i)    (5.155)
//! ```
//!
//! The first choice gives the explicit central equation, in which T* may have the constraints inserted; the second the equations of
//! Boltzmann and Hamel. The δπ_r are independent: their coefficients vanish, and both choices give the same motion.
//!
//! Valid when: q̇ can be expressed by the quasi-velocities (nonlinear ones too).
//! Source: Greenwood (5.125)–(5.129), (5.139), (5.151)–(5.155), problem 5.2.

use super::hamel_novoselov::second_kind;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula, Rational, Role};
use crate::mechanics::Quasi;

/// Shows (5.151), with D_x for d/dt(δx) − δx' and D_pi_u for d/dt(δπ_u) − δu, none of which is chosen.
fn general(w: &mut Workbench, quasi: &Quasi, variations: &[Expr], eq: &mut Equations) {
    let Some(unconstrained) = quasi.kinetic_free(w) else { return };
    let star = quasi.kinetic(w);
    let (momenta, by_velocities) = (quasi.momenta_of(w, unconstrained), quasi.momenta(w));
    let mut terms = Formula::ZERO;
    for (r, &variation) in variations.iter().enumerate() {
        let part = quasi.lagrangian_part(w, momenta[r], star, r);
        let bracket = w.g.linear(Rational::ZERO, part);
        terms += bracket * variation;
    }
    let letter = |w: &mut Workbench, name: &str| {
        let s = w.g.declare_beside(&format!("D_{name}"), Role::Variation);
        w.g.symbol(s)
    };
    for (&v, &p) in quasi.all().iter().zip(&momenta) {
        let name = Quasi::coordinate_of(w.g.name(v));
        terms += p * letter(w, &name);
    }
    for (&q, &p) in w.system.clone().coordinates.iter().zip(&by_velocities) {
        let name = w.g.name(q).to_owned();
        terms -= p * letter(w, &name);
    }
    let value = w.g.of(terms);
    eq.show("general equation (5.151), D_x = d/dt(δx) − δx' and D_pi_u = d/dt(δπ_u) − δu not chosen", "0", value);
}

/// The form `central-equation`.
pub struct CentralEquation;

impl Form for CentralEquation {
    fn card(&self) -> &'static Card {
        &Card {
            id: "central-equation",
            aliases: &[],
            name: "The central equation (Heun, Hamel)",
            source: "Heun 1901, Hamel 1904; Greenwood (5.129), (5.151), (5.153)",
            needs: "velocities in closed form in the quasi-velocities",
            about: crate::card::head_of!("central_equation.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.closed_quasi())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.closed_quasi().map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let star = quasi.kinetic(w);
        let momenta = quasi.momenta(w);
        let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
        let variations = quasi.displacements(w);
        let rates: Vec<Expr> = (0..l).map(|r| w.variation(&names[r])).collect();
        let mut own = Vec::new();
        let mut relations = vec![Vec::new(); n];
        let (mut impulse, mut kinetic, mut work, mut deviation) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for r in 0..l {
            let p = w.g.diff(star, quasi.free[r]);
            let mut terms = quasi.lagrangian_part(w, p, star, r);
            impulse.push(w.g.mul(p, variations[r]));
            let by_pi = quasi.by_pi(w, star, r);
            kinetic.push(w.g.mul(by_pi, variations[r]));
            kinetic.push(w.g.mul(p, rates[r]));
            let force = quasi.force(w, r);
            work.push(w.g.mul(force, variations[r]));
            for i in 0..n {
                w.may_go_on()?;
                let tau = quasi.transposition(w, i, r);
                let correction = w.g.mul(momenta[i], tau);
                terms.push((correction, Rational::MINUS_ONE));
                deviation.push(w.g.mul(correction, variations[r]));
                relations[i].push(w.g.mul(tau, variations[r]));
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (5.153)
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("kinetic energy, constraints inserted", "T*", star);
        let parts = [
            ("momentum of the virtual displacement", "δP", impulse),
            ("variation of the kinetic energy, with d(δπ) = δv", "δT*", kinetic),
            ("virtual work", "δW", work),
            ("transpositional part, with d(δπ) = δv", "δD", deviation),
        ];
        for (name, symbol, terms) in parts {
            let value = w.g.sum(terms);
            eq.show(name, symbol, value);
        }
        for (i, terms) in relations.into_iter().enumerate() {
            let value = w.g.sum(terms);
            if !w.g.is_zero(value) {
                let name = w.g.name(w.system.coordinates[i]).to_owned();
                eq.show(format!("transpositional relation of {name}"), format!("d/dt(δ{name}) − δ{name}'"), value);
            }
        }
        let (second, relations) = second_kind(w, &quasi)?; // (5.155)
        for (rho, row) in relations.into_iter().enumerate() {
            let value = w.g.dot_product(&row, &variations);
            if !w.g.is_zero(value) {
                let name = &names[rho];
                let symbol = format!("d/dt(δπ_{name}) − δ{name}");
                eq.show(format!("the same of {name}, with d(δq) = δq'"), symbol, value);
            }
        }
        eq.alternatives.push(("choice d(δq) = δq'".into(), second));
        general(w, &quasi, &variations, &mut eq);
        Ok(eq)
    }
}
