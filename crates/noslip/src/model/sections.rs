//! The smaller sections of a model file: tables, initial state, simulation, display.

use super::load::Loader;
use super::scope::{Meaning, Place, order_of};
use super::system::{Constraint, Initial, Interpolation, SimulationDefaults, Table};
use crate::card::METHODS;
use crate::error::Error;
use crate::expr::{Expr, NameError, Rational, Symbol};
use crate::source::{Entry, Value};

const INTERPOLATIONS: [(&str, Interpolation); 3] =
    [("linear", Interpolation::Linear), ("pchip", Interpolation::Pchip), ("spline", Interpolation::Spline)];

impl Loader<'_> {
    /// Makes tables known as functions; their arguments are read later, when all names are known.
    pub(super) fn read_tables(&mut self, list: &[Entry]) {
        for entry in list {
            if !self.declare(&entry.key, Meaning::Table, entry.key_span.clone()) {
                continue;
            }
            // Known even if its data are wrong, so that its use is not complained about as well.
            let id = self.arena.declare_table(&entry.key);
            let Value::Table(fields) = &entry.item.value else {
                let message = format!("table `{}` is a section, not {}", entry.key, entry.item.value.kind());
                self.error(
                    Error::input(message).at(entry.item.span.clone()).hint(format!("write `[tables.{}]`", entry.key)),
                );
                continue;
            };
            self.known_keys("a table", fields, &["of", "at", "values", "interpolation"]);
            let at = self.column(entry, "at");
            let values = self.column(entry, "values");
            let interpolation = self.interpolation(entry);
            let (Some(at), Some(values), Some(interpolation)) = (at, values, interpolation) else { continue };
            let place = |key: &str| entry.item.value.get(key).map_or(entry.key_span.clone(), |e| e.item.span.clone());
            if at.len() != values.len() {
                let message = format!("table `{}` has {} arguments and {} values", entry.key, at.len(), values.len());
                self.error(Error::input(message).at(place("values")));
            } else if at.len() < 2 {
                self.error(Error::input(format!("table `{}` needs at least two points", entry.key)).at(place("at")));
            } else if let Some(i) = (1..at.len()).find(|&i| at[i].to_f64() <= at[i - 1].to_f64()) {
                let message = format!("the arguments of table `{}` do not ascend at entry {}", entry.key, i + 1);
                let span = match entry.item.value.get("at").map(|e| &e.item.value) {
                    Some(Value::Array(items)) => items[i].span.clone(),
                    _ => place("at"),
                };
                self.error(Error::input(message).at(span).hint("sort the points by their arguments"));
            } else {
                self.tables.push(Table { id, at, values, interpolation, of: None, pieces: None });
            }
        }
    }

    fn column(&mut self, table: &Entry, key: &str) -> Option<Vec<Rational>> {
        let Some(entry) = table.item.value.get(key) else {
            let message = format!("table `{}` has no `{key}`", table.key);
            self.error(Error::input(message).at(table.key_span.clone()).hint(format!("write `{key} = [0, 1, 2]`")));
            return None;
        };
        match &entry.item.value {
            Value::Array(items) => items.iter().map(|x| self.number(x, "an entry of a table")).collect(),
            other => {
                let message = format!("`{key}` is an array of numbers, not {}", other.kind());
                self.error(Error::input(message).at(entry.item.span.clone()));
                None
            }
        }
    }

    fn interpolation(&mut self, table: &Entry) -> Option<Interpolation> {
        let Some(entry) = table.item.value.get("interpolation") else { return Some(Interpolation::Pchip) };
        let name = self.string(&entry.item, "interpolation")?;
        let found = INTERPOLATIONS.iter().find(|(n, _)| *n == name).map(|(_, i)| *i);
        if found.is_none() {
            let error = NameError::unknown("interpolation", &name, INTERPOLATIONS.map(|(n, _)| n))
                .hint("interpolations are linear, pchip and spline");
            self.error(error.at(entry.item.span.clone()));
        }
        found
    }

    pub(super) fn table_arguments(&mut self, list: &[Entry]) {
        for entry in list {
            let Some(of) = entry.item.value.get("of") else { continue };
            let expr = self.expression(&of.item, &Place::ARGUMENT);
            let id = self.arena.lookup_table(&entry.key);
            if let Some(table) = self.tables.iter_mut().find(|t| Some(t.id) == id) {
                table.of = expr;
            }
        }
    }

    pub(super) fn initial(&mut self, section: &Entry, coordinates: &[Symbol]) -> Initial {
        let get = |key: &str| section.item.value.get(key);
        let time = get("time").and_then(|e| self.expression(&e.item, &Place::INITIAL)).unwrap_or(self.arena.zero());
        let position = self.initial_values(get("position"), coordinates, "an initial position", false);
        let velocity = self.initial_values(get("velocity"), coordinates, "an initial velocity", true);
        let acceleration = self.initial_accelerations(get("acceleration"), coordinates);
        let span = |key: &str| get(key).map(|e| e.item.span.clone());
        let relations = [position.1, velocity.1].concat();
        let (position, velocity) = (position.0, velocity.0);
        let (position_span, velocity_span) = (span("position"), span("velocity"));
        let acceleration_span = span("acceleration");
        Initial { time, position, velocity, acceleration, relations, position_span, velocity_span, acceleration_span }
    }

    /// Accelerations by coordinate; nothing else has any.
    fn initial_accelerations(&mut self, entry: Option<&Entry>, coordinates: &[Symbol]) -> Vec<Option<Expr>> {
        let (values, relations) = self.initial_values(entry, coordinates, "an initial acceleration", true);
        if let (Some(entry), Some((name, ..))) = (entry, relations.first()) {
            let error = Error::input(format!("`{name}` is no coordinate, so it has no initial acceleration"));
            self.error(error.at(entry.item.span.clone()).hint("give the accelerations of coordinates"));
        }
        values
    }

    /// An initial acceleration is part of the state only where a constraint is of third order.
    pub(super) fn accelerations_have_a_meaning(&mut self, initial: Option<&Initial>, constraints: &[Constraint]) {
        let Some(span) = initial.and_then(|i| i.acceleration_span.clone()) else { return };
        if !self.names.incomplete && constraints.iter().all(|c| c.order < 3) {
            let error = Error::input("the initial acceleration follows from the equations of motion").at(span);
            self.error(error.hint("leave it out; it is part of the state where a constraint is of third order"));
        }
    }

    /// Values by coordinate, and those of quasi-velocities and definitions as relations.
    fn initial_values(
        &mut self,
        entry: Option<&Entry>,
        coordinates: &[Symbol],
        what: &str,
        velocities: bool,
    ) -> (Vec<Option<Expr>>, Vec<(String, Expr, bool)>) {
        let mut values = vec![None; coordinates.len()];
        let mut relations = Vec::new();
        let Some(entry) = entry else { return (values, relations) };
        let Value::Table(list) = &entry.item.value else {
            let message = format!("`{}` gives values by coordinate, it is not {}", entry.key, entry.item.value.kind());
            self.error(
                Error::input(message)
                    .at(entry.item.span.clone())
                    .hint(format!("write for example `{} = {{ x = 0, phi = \"pi/4\" }}`", entry.key)),
            );
            return (values, relations);
        };
        for e in list {
            if let Some(meaning) = self.names.get(&e.key)
                && matches!(meaning, Meaning::Definition(_) | Meaning::Function(_) | Meaning::QuasiVelocity(_))
            {
                let value = self.expression(&e.item, &Place::INITIAL);
                let expr = self.initial_relation(e, meaning, velocities);
                if let (Some(value), Some(expr)) = (value, expr) {
                    relations.push((e.key.clone(), self.arena.sub(expr, value), velocities));
                }
                continue;
            }
            let i = self.coordinate(e, coordinates, what);
            let value = self.expression(&e.item, &Place::INITIAL);
            if let Some(i) = i {
                values[i] = value;
            }
        }
        (values, relations)
    }

    /// What a quasi-velocity or definition stands for at the level of positions or of velocities.
    fn initial_relation(&mut self, entry: &Entry, meaning: Meaning, velocities: bool) -> Option<Expr> {
        let expr = match meaning {
            Meaning::QuasiVelocity(s) => self.names.quasi.get(&s).copied(),
            Meaning::Definition(slot) => self.names.definitions[slot].expr,
            _ => None,
        }?;
        let order = order_of(&self.arena, expr);
        let (level, other) = if velocities { (Some(1), "position") } else { (Some(0), "velocity") };
        if order == level {
            return Some(expr);
        }
        let message = match order {
            None => format!("`{}` does not vary, so it has no initial value", entry.key),
            Some(0) => format!("`{}` contains no velocity", entry.key),
            Some(_) => format!("`{}` contains velocities", entry.key),
        };
        let error = Error::input(message).at(entry.key_span.clone()).hint(match order {
            None => "leave it out".to_owned(),
            _ => format!("its value stands under `{other}`"),
        });
        self.error(error);
        None
    }

    pub(super) fn simulation(&mut self, list: &[Entry]) -> SimulationDefaults {
        let mut defaults = SimulationDefaults::default();
        for entry in list {
            let span = entry.item.span.clone();
            match entry.key.as_str() {
                "until" => defaults.until = self.number(&entry.item, "`until`"),
                "tolerance" => {
                    defaults.tolerance = self.number(&entry.item, "`tolerance`");
                    if defaults
                        .tolerance
                        .as_ref()
                        .is_some_and(|x| x.is_zero() || x.is_negative() || *x >= Rational::ONE)
                    {
                        self.error(Error::input("the tolerance lies between 0 and 1").at(span).hint("write `1e-9`"));
                    }
                }
                "method" => {
                    defaults.method = self.string(&entry.item, "`method`");
                    let unknown = defaults.method.as_ref().filter(|name| !METHODS.iter().any(|m| m.answers_to(name)));
                    if let Some(name) = unknown {
                        let ids: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
                        let hint = format!("methods are {}", ids.join(", "));
                        let error = NameError::unknown("method", name, ids).hint(hint);
                        self.error(error.at(span));
                    }
                }
                "samples" => {
                    let n = self.number(&entry.item, "`samples`");
                    defaults.samples = n.as_ref().and_then(Rational::to_i64).and_then(|n| usize::try_from(n).ok());
                    if n.is_some() && defaults.samples.is_none() {
                        self.error(Error::input("`samples` is a whole number, not negative").at(span));
                    }
                }
                // Unknown keys have been reported.
                _ => {}
            }
        }
        defaults
    }

    pub(super) fn display(&mut self, list: &[Entry]) -> Vec<(String, String)> {
        let mut display = Vec::new();
        for entry in list {
            if self.names.get(&entry.key).is_none() {
                let error = NameError::unknown("name", &entry.key, self.names.all())
                    .hint("[display] says how names of the model are printed");
                self.error(error.at(entry.key_span.clone()));
            }
            if let Some(latex) = self.string(&entry.item, "what is displayed") {
                display.push((entry.key.clone(), latex));
            }
        }
        display
    }
}
