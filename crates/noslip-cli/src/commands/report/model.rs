//! The model as mathematics, in the words of its author: abbreviations stay abbreviations.

use super::{DIGITS, Page};
use noslip::Result;
use noslip::expr::{Declared, Expr, Role, Tree, parse_equation};
use noslip::mechanics::Workbench;
use noslip::model::{Model, State};
use noslip::numeric::brief;
use noslip_cli::report::{self, Formula, Named};

/// Both sides of what stands under `[section] key` as its author wrote it, definitions standing for themselves.
fn sides(w: &mut Workbench, model: &Model, section: &str, key: &str) -> Option<(Expr, Expr)> {
    let text = model.written(section, key)?;
    parse_equation(&mut w.g, text, &mut Declared, &w.limits.clone()).ok()
}

impl Page {
    pub(super) fn model(&self, w: &mut Workbench, model: &Model, state: Option<&State>) -> Result<report::Model> {
        let system = w.system.clone();
        let values = system.values(&w.g, &[])?;
        for d in &system.definitions {
            w.g.declare(&d.name, Role::Other);
        }
        // The meaning of an expression is the last resort: a number stands for itself, and so does what nobody wrote.
        let expression = |w: &mut Workbench, section: &str, key: &str, meaning: Expr| {
            let e = sides(w, model, section, key).map_or(meaning, |(left, _)| left);
            self.plain(w, e)
        };
        let mut shown = report::Model {
            coordinates: system.coordinates.iter().map(|&s| self.symbol(w, s)).collect(),
            kinetic: Formula::equals(&Formula::symbol("T"), &expression(w, "energy", "kinetic", system.kinetic)),
            ..report::Model::default()
        };
        for d in &system.definitions {
            let value = expression(w, "definitions", &d.name, d.expr);
            shown.definitions.push(Formula::equals(&self.name(w, &d.name), &value));
        }
        if !w.g.is_zero(system.potential) {
            let value = expression(w, "energy", "potential", system.potential);
            shown.potential = Some(Formula::equals(&Formula::symbol("V"), &value));
        }
        for (&q, &f) in system.coordinates.iter().zip(&system.forces) {
            if !w.g.is_zero(f) {
                let q = w.g.name(q).to_owned();
                let value = expression(w, "forces", &q, f);
                shown.forces.push(Formula::equals(&self.name(w, &format!("Q_{q}")), &value));
            }
        }
        for c in &system.constraints {
            let formula = match sides(w, model, "constraints", &c.name) {
                Some((left, right)) => Formula::equals(&self.plain(w, left), &self.plain(w, right)),
                None => self.vanishing(w, Tree::of(&w.g, c.expr, &w.limits)),
            };
            shown.constraints.push(Named { name: c.name.clone(), formula });
        }
        for v in &system.quasi_velocities {
            let name = w.g.name(v.symbol).to_owned();
            let value = expression(w, "quasi_velocities", &name, v.expr);
            shown.quasi_velocities.push(Formula::equals(&self.symbol(w, v.symbol), &value));
        }
        for p in &system.parameters {
            let value = Formula::number(&brief(values.at.get(p.symbol), DIGITS));
            shown.parameters.push(Formula::equals(&self.symbol(w, p.symbol), &value));
        }
        if let Some(state) = state {
            for (i, (&q, &v)) in system.coordinates.iter().zip(&system.velocities).enumerate() {
                shown
                    .initial
                    .push(Formula::equals(&self.symbol(w, q), &Formula::number(&brief(state.position[i], DIGITS))));
                shown
                    .initial
                    .push(Formula::equals(&self.symbol(w, v), &Formula::number(&brief(state.velocity[i], DIGITS))));
            }
        }
        Ok(shown)
    }
}
