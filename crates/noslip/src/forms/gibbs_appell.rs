//! The Gibbs–Appell equations: the energy of acceleration S differentiated by the accelerations that are free.
//!
//! Unknowns: v̇_1…v̇_l (or l independent accelerations q̈_s, where a constraint is of second order or nonlinear without
//! closed inverse).
//!
//! ```text
//! ∂S/∂q̈_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i,    S = ½ q̈ᵀ M q̈ + hᵀ q̈ + …        (1)
//! ∂S*/∂v̇_λ = Q*_λ = Σ_i Q_i Φ_iλ                                          (2)
//! ```
//!
//! S* is S with q̈ replaced by its expression in v̇. Terms of S free of accelerations play no part and are left out.
//!
//! Valid when: the constraints are independent.
//! Sources: Sumbatov (3.11); the modelling textbook (4.301).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational, Symbol};
use rustc_hash::FxHashMap;

/// The same with independent accelerations q̈_s as the free ones: q̈_dep = A_dep⁻¹(b − A_ind q̈_ind).
fn in_accelerations(form: &GibbsAppell, w: &mut Workbench, s: Expr) -> Result<Equations> {
    let split = w.split().map_err(|why| refuse(form, why))?;
    let d = w.dynamics();
    let own = split.independent.len();
    let mut eq = Equations { form: form.id(), own, ..Default::default() };
    eq.notes.push(split.note(w));
    let mut map = FxHashMap::default();
    for (nu, &i) in split.dependent.iter().enumerate() {
        let parts: Vec<Expr> = split.independent.iter().map(|&j| w.g.symbol(w.system.accelerations[j])).collect();
        let homogeneous = w.g.dot_product(&split.alpha_v[nu], &parts);
        let particular = w.g.dot_product(&split.inverse[nu], &d.b);
        map.insert(w.system.accelerations[i], w.g.add(homogeneous, particular));
    }
    let star = w.g.substitute(s, &map);
    let free = split.pick_independent(&w.system.accelerations);
    let star = with_accelerations(w, star, &free);
    eq.directions = split.directions(w);
    for (r, &i) in split.independent.iter().enumerate() {
        let left = w.g.diff(star, w.system.accelerations[i]);
        let force = w.g.dot_product(&d.forces, &eq.directions[r]);
        eq.equations.push(w.g.sub(left, force));
    }
    eq.unknowns = split.pick_independent(&w.system.accelerations);
    for (s, e) in split.reactions(w) {
        eq.reactions.push((s, w.g.substitute(e, &map)));
    }
    for &i in &split.dependent {
        let s = w.system.accelerations[i];
        eq.accelerations.push((s, map[&s]));
    }
    eq.show("energy of acceleration", "S", s);
    eq.show("energy of acceleration, constraints inserted", "S*", star);
    Ok(eq)
}

/// The terms of S* that contain accelerations: the others play no part, and S does not have them either.
fn with_accelerations(w: &mut Workbench, star: Expr, free: &[Symbol]) -> Expr {
    let rest = w.g.without(star, free);
    w.simplify(star - rest)
}

/// The form `gibbs-appell`.
pub struct GibbsAppell;

impl Form for GibbsAppell {
    fn card(&self) -> &'static Card {
        &Card {
            id: "gibbs-appell",
            aliases: &["appell"],
            name: "The Gibbs–Appell equations",
            source: "Gibbs 1879, Appell 1899; Sumbatov (3.11); modelling textbook (4.301)",
            needs: "independent constraints of any order",
            text: include_str!("gibbs_appell.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.directions())
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.quasi().map_err(|why| refuse(self, why))?;
        let d = w.dynamics();
        let n = w.system.n();
        // (1): 𝓔 + Q at q̈ = 0 is what T contributes to h.
        let accelerations: Vec<Expr> = w.system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
        let mut terms = Vec::new();
        for i in 0..n {
            let inertia = w.g.dot_product(&d.mass[i], &accelerations);
            let quadratic = w.g.mul(accelerations[i], inertia);
            let h = w.g.add(d.rest[i], d.forces[i]);
            let linear = w.g.mul(accelerations[i], h);
            terms.push((quadratic, Rational::new(1, 2).unwrap_or_default()));
            terms.push((linear, Rational::ONE));
        }
        let s = w.g.linear(Rational::ZERO, terms);
        if quasi.obstacle(w).is_some() {
            return in_accelerations(self, w, s);
        }
        let inserted = quasi.insert(w, s);
        let star = w.simplify(inserted);
        let star = with_accelerations(w, star, &quasi.rates[..quasi.free.len()]);
        let mut own = Vec::new();
        for lambda in 0..quasi.free.len() {
            let left = w.g.diff(star, quasi.rates[lambda]);
            let force = quasi.force(w, lambda);
            own.push(w.g.sub(left, force)); // (2)
        }
        let mut eq = quasi.finish(w, self.id(), own);
        eq.show("energy of acceleration", "S", s);
        eq.show("energy of acceleration, constraints inserted", "S*", star);
        Ok(eq)
    }
}
