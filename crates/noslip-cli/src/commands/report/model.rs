//! The model as mathematics, in the words of its author: abbreviations stay abbreviations.

use super::{Page, short};
use noslip::Result;
use noslip::expr::{Declared, Expr, Role, Tree, parse_equation};
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip_cli::report::{self, Formula, Named};

/// The file as a table, to find the author's own text; what the model means was read from it before.
struct Written(toml::Table);

impl Written {
    fn of(text: &str) -> Written {
        Written(text.trim_start_matches('\u{feff}').parse().unwrap_or_default())
    }

    /// The equation or expression under `[section] key`.
    fn text(&self, section: &str, key: &str) -> Option<String> {
        match self.0.get(section)?.get(key)? {
            toml::Value::String(text) => Some(text.clone()),
            toml::Value::Table(long) => long.get("equation")?.as_str().map(str::to_owned),
            toml::Value::Integer(n) => Some(n.to_string()),
            _ => None,
        }
    }

    /// Both sides as they are written, definitions standing for themselves.
    fn sides(&self, w: &mut Workbench, section: &str, key: &str) -> Option<(Expr, Expr)> {
        let text = self.text(section, key)?;
        parse_equation(&mut w.g, &text, &mut Declared, &w.limits.clone()).ok()
    }
}

impl Page {
    pub(super) fn model(&self, w: &mut Workbench, state: Option<&State>, text: &str) -> Result<report::Model> {
        let system = w.system.clone();
        let values = system.values(&w.g, &[])?;
        let written = Written::of(text);
        for d in &system.definitions {
            w.g.declare(&d.name, Role::Other);
        }
        // The meaning of an expression is the last resort: a long file may not be read twice.
        let expression = |w: &mut Workbench, section: &str, key: &str, meaning: Expr| {
            let e = written.sides(w, section, key).map_or(meaning, |(left, _)| left);
            self.plain(w, e)
        };
        let mut model = report::Model {
            coordinates: system.coordinates.iter().map(|&s| self.symbol(w, s)).collect(),
            kinetic: Formula::equals(&Formula::symbol("T"), &expression(w, "energy", "kinetic", system.kinetic)),
            ..report::Model::default()
        };
        for d in &system.definitions {
            let value = expression(w, "definitions", &d.name, d.expr);
            model.definitions.push(Formula::equals(&self.name(w, &d.name), &value));
        }
        if !w.g.is_zero(system.potential) {
            let value = expression(w, "energy", "potential", system.potential);
            model.potential = Some(Formula::equals(&Formula::symbol("V"), &value));
        }
        for (&q, &f) in system.coordinates.iter().zip(&system.forces) {
            if !w.g.is_zero(f) {
                let q = w.g.name(q).to_owned();
                let value = expression(w, "forces", &q, f);
                model.forces.push(Formula::equals(&self.name(w, &format!("Q_{q}")), &value));
            }
        }
        for c in &system.constraints {
            let formula = match written.sides(w, "constraints", &c.name) {
                Some((left, right)) => Formula::equals(&self.plain(w, left), &self.plain(w, right)),
                None => self.vanishing(w, Tree::of(&w.g, c.expr, &w.limits)),
            };
            model.constraints.push(Named { name: c.name.clone(), formula });
        }
        for v in &system.quasi_velocities {
            let name = w.g.name(v.symbol).to_owned();
            let value = expression(w, "quasi_velocities", &name, v.expr);
            model.quasi_velocities.push(Formula::equals(&self.symbol(w, v.symbol), &value));
        }
        for p in &system.parameters {
            let value = Formula::number(&short(values.at.get(p.symbol)));
            model.parameters.push(Formula::equals(&self.symbol(w, p.symbol), &value));
        }
        if let Some(state) = state {
            for (i, (&q, &v)) in system.coordinates.iter().zip(&system.velocities).enumerate() {
                model.initial.push(Formula::equals(&self.symbol(w, q), &Formula::number(&short(state.position[i]))));
                model.initial.push(Formula::equals(&self.symbol(w, v), &Formula::number(&short(state.velocity[i]))));
            }
        }
        Ok(model)
    }
}
