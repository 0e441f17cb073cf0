//! Equations that come from one function F of the accelerations, ∂F/∂q̈_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i: the energy of acceleration of
//! Gibbs and Appell, Tzénoff's R. The accelerations that the constraints leave free are inserted, and F is differentiated by them.

use super::{Equations, Form, Workbench, refuse};
use crate::error::Result;
use crate::expr::{Expr, Symbol};
use rustc_hash::FxHashMap;

/// A function of the accelerations, with what it is called.
pub(super) struct AccelerationFunction {
    /// "energy of acceleration".
    pub name: &'static str,
    /// `S`.
    pub symbol: &'static str,
    /// In t, q, q̇, q̈.
    pub value: Expr,
}

impl AccelerationFunction {
    /// ∂F*/∂v̇_λ = Q*_λ; in independent accelerations q̈_s where a constraint is of second order, or q̇ has no closed form in v.
    pub fn equations(&self, form: &dyn Form, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.quasi().map_err(|why| refuse(form, why))?;
        if quasi.obstacle(w).is_some() {
            return self.in_accelerations(form, w);
        }
        let inserted = quasi.insert(w, self.value);
        let star = w.simplify(inserted);
        let star = with_accelerations(w, star, &quasi.rates[..quasi.free.len()]);
        let mut own = Vec::new();
        for lambda in 0..quasi.free.len() {
            w.may_go_on()?;
            let left = w.g.diff(star, quasi.rates[lambda]);
            let force = quasi.force(w, lambda);
            own.push(w.g.sub(left, force));
        }
        let mut eq = quasi.finish(w, form.id(), own)?;
        self.show(&mut eq, star);
        Ok(eq)
    }

    /// The same with independent accelerations q̈_s as the free ones: q̈_dep = A_dep⁻¹(b − A_ind q̈_ind).
    fn in_accelerations(&self, form: &dyn Form, w: &mut Workbench) -> Result<Equations> {
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
        let star = w.g.substitute(self.value, &map);
        let free = split.pick_independent(&w.system.accelerations);
        let star = with_accelerations(w, star, &free);
        eq.directions = split.directions(w);
        for (r, &i) in split.independent.iter().enumerate() {
            w.may_go_on()?;
            let left = w.g.diff(star, w.system.accelerations[i]);
            let force = w.g.dot_product(&d.forces, &eq.directions[r]);
            eq.equations.push(w.g.sub(left, force));
        }
        eq.unknowns = free;
        for (s, e) in split.reactions(w) {
            eq.reactions.push((s, w.g.substitute(e, &map)));
        }
        for &i in &split.dependent {
            let s = w.system.accelerations[i];
            eq.accelerations.push((s, map[&s]));
        }
        self.show(&mut eq, star);
        Ok(eq)
    }

    fn show(&self, eq: &mut Equations, star: Expr) {
        eq.show(self.name, self.symbol, self.value);
        eq.show(format!("{}, constraints inserted", self.name), format!("{}*", self.symbol), star);
    }
}

/// The terms that contain accelerations: the others play no part.
pub(super) fn with_accelerations(w: &mut Workbench, e: Expr, accelerations: &[Symbol]) -> Expr {
    let rest = w.g.without(e, accelerations);
    let e = w.g.sub(e, rest);
    w.simplify(e)
}
