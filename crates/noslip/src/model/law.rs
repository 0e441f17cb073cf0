//! Laws of friction: by which constraints are not ideal.
//!
//! `law = { x = "…", y = "…" }` gives the force along the virtual displacements by coordinates, `law = "…"` a function D of
//! dissipation from which it follows, T₀ = −∂D/∂q̇ at fixed reactions. Either may contain the multipliers. Among the forces an open
//! function stands for it, `T_x`: what is derived and proved for every force holds for this one, and what needs numbers puts the law in.

use super::definitions::texts;
use super::load::Loader;
use super::scope::{Meaning, Place};
use super::system::Law;
use crate::error::Error;
use crate::expr::{Expr, Role, Symbol, names_in};
use crate::source::{Entry, Item, Value};

/// The `law` of a constraint, if it has one.
fn law_of(constraint: &Entry) -> Option<&Entry> {
    match &constraint.item.value {
        table @ Value::Table(_) => table.get("law"),
        _ => None,
    }
}

impl Loader<'_> {
    /// The functions that stand for the laws, one per coordinate on which one may act, as entries of [functions].
    pub(super) fn law_functions(
        &mut self,
        constraints: &[Entry],
        coordinates: &[Symbol],
        taken: &[&[Entry]],
        mechanics: &[&[Entry]],
    ) -> Vec<Entry> {
        let laws: Vec<&Entry> = constraints.iter().filter_map(law_of).collect();
        let name = |q: &Symbol| self.arena.name(*q).to_owned();
        let names: Vec<String> = coordinates.iter().map(name).collect();
        let of = |i: usize| -> Option<&Item> {
            laws.iter().find_map(|law| match &law.item.value {
                table @ Value::Table(_) => table.get(&names[i]).map(|e| &e.item),
                _ => Some(&law.item),
            })
        };
        // The reaction, and with it the friction, depends on the velocities and on what occurs in the mechanics at all.
        let mut occurring: Vec<&str> = Vec::new();
        for text in mechanics.iter().copied().flatten().flat_map(|e| texts(&e.item.value)) {
            let found = names_in(text, self.limits.number_bits).into_iter();
            occurring.extend(found.filter(|(name, span)| name.len() == span.len()).map(|(name, _)| name));
        }
        let velocities = names.iter().map(|n| format!("{n}'"));
        let positions = std::iter::once("t".to_owned()).chain(names.clone());
        let arguments: Vec<String> = positions.filter(|n| occurring.contains(&n.as_str())).chain(velocities).collect();
        let mut list = Vec::new();
        for (i, q) in names.iter().enumerate() {
            let Some(item) = of(i) else { continue };
            let mut letter = "T".to_owned();
            let is_taken = |name: &str| {
                self.names.get(name).is_some() || taken.iter().any(|list| list.iter().any(|e| e.key == name))
            };
            while is_taken(&format!("{letter}_{q}")) {
                letter.push('0');
            }
            let item = Item { value: Value::String(arguments.join(", ")), span: item.span.clone() };
            let key = format!("{letter}_{q}");
            self.laws.push((i, key.clone()));
            list.push(Entry { key, key_span: item.span.clone(), item });
        }
        list
    }

    /// Reads the laws of all constraints, adds them up, and puts what stands for them among the forces.
    pub(super) fn read_laws(&mut self, constraints: &[Entry], coordinates: &[Symbol], forces: &mut [Expr]) -> Vec<Law> {
        let mut total = vec![self.arena.zero(); coordinates.len()];
        for (constraint, entry) in constraints.iter().filter_map(|c| Some((c, law_of(c)?))) {
            let Some(parts) = self.law(entry, coordinates) else { continue };
            if parts.iter().all(|&e| self.arena.is_zero(e)) && self.findings.errors.is_empty() {
                let message = format!("the law of constraint `{}` gives no force", constraint.key);
                let hint =
                    "a function of dissipation contains velocities; forces are given by coordinates: { x = \"…\" }";
                self.error(Error::input(message).at(entry.item.span.clone()).hint(hint));
            }
            for (sum, e) in total.iter_mut().zip(parts) {
                *sum = self.arena.add(*sum, e);
            }
        }
        let mut laws = Vec::new();
        for (coordinate, name) in self.laws.clone() {
            let Some(Meaning::Function(i)) = self.names.get(&name) else { continue };
            let Some(function) = self.names.bare_value(i) else { continue };
            if !self.arena.is_zero(total[coordinate]) {
                self.arena.stands_for_a_law(function);
                forces[coordinate] = self.arena.add(forces[coordinate], function);
                laws.push(Law { coordinate, function, force: total[coordinate] });
            }
        }
        laws
    }

    /// The forces of one law, by coordinates.
    fn law(&mut self, entry: &Entry, coordinates: &[Symbol]) -> Option<Vec<Expr>> {
        let mut forces = vec![self.arena.zero(); coordinates.len()];
        if let Value::Table(list) = &entry.item.value {
            for e in list {
                let i = self.coordinate(e, coordinates, "a force of friction");
                let force = self.expression(&e.item, &Place::LAW);
                if let (Some(i), Some(force)) = (i, force)
                    && self.no_rate_of_reactions(force, &e.item).is_some()
                {
                    forces[i] = force;
                }
            }
            return Some(forces);
        }
        let dissipation = self.expression(&entry.item, &Place::LAW)?;
        self.no_rate_of_reactions(dissipation, &entry.item)?;
        for (force, &q) in forces.iter_mut().zip(coordinates) {
            let v = self.arena.dot(q);
            let resistance = self.arena.diff(dissipation, v);
            *force = self.arena.neg(resistance);
        }
        Some(forces)
    }

    fn no_rate_of_reactions(&mut self, e: Expr, item: &Item) -> Option<()> {
        let rate = self.arena.free_symbols(&[e]).into_iter().any(|s| self.arena.role(s) == Role::MultiplierRate);
        if rate {
            let error =
                Error::input("a law of friction cannot contain derivatives of multipliers").at(item.span.clone());
            self.error(error.hint("it is by the reaction itself: lambda_NAME"));
        }
        (!rate).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::model::Model;

    #[test]
    fn a_law_of_friction_stands_among_the_forces_as_a_function_of_its_own_name() {
        let text = |parameter: &str| {
            format!(
                "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\n{parameter} = 0.2\n\
                 [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[constraints]\n\
                 c = {{ equation = \"y' = x'\", law = {{ x = \"-{parameter}*x'\" }} }}\n"
            )
        };
        for (parameter, function) in [("mu", "T_x"), ("T_x", "T0_x")] {
            let model: Model = text(parameter).parse().unwrap_or_else(|e| panic!("{e:?}"));
            assert_eq!(model.laws, [(0, function.to_owned())]);
            assert_eq!(model.system.law.len(), 1);
        }
    }

    #[test]
    fn the_force_of_a_law_depends_on_the_velocities_and_on_what_occurs_in_the_mechanics() {
        let arguments = |kinetic: &str, law: &str| {
            let text = format!(
                "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"{kinetic}\"\n[constraints]\n\
                 c = {{ equation = \"y' = x'\", law = {{ x = \"{law}\" }} }}\n"
            );
            let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
            let [f] = model.arena.unspecified_in(&model.system.forces)[..] else { panic!("one function") };
            model.arena.unspecified_function(f).arguments.join(" ")
        };
        // A velocity is known by its number.
        assert_eq!(arguments("(x'^2 + y'^2 + z'^2)/2", "-x'"), "1 2 3");
        assert_eq!(arguments("(x'^2 + y'^2 + (1 + z^2)*z'^2)/2", "-x'"), "z 2 3 4");
        assert_eq!(arguments("(x'^2 + (2 + sin(t))*y'^2 + (1 + y)*z'^2)/2", "-x'"), "t y 3 4 5");
    }
}
