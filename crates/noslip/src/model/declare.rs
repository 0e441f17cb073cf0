//! The names of a model, made known before its expressions are read.

use super::load::{Loader, misspelt};
use super::scope::Meaning;
use crate::error::{Error, Span};
use crate::expr::{Role, Symbol};
use crate::source::{Entry, Value, valid_name};

impl Loader<'_> {
    pub(super) fn declare(&mut self, name: &str, meaning: Meaning, span: Span) -> bool {
        let result = self.names.declare(self.file, name, meaning, span);
        self.findings.keep(result).is_some()
    }

    /// A new symbol, if its name is free.
    pub(super) fn symbol(
        &mut self,
        name: &str,
        span: &Span,
        role: Role,
        meaning: fn(Symbol) -> Meaning,
    ) -> Option<Symbol> {
        if let Err(e) = valid_name(name) {
            self.error(e.at(span.clone()));
            return None;
        }
        // A name that is taken returns the earlier symbol here, and the declaration refuses it.
        let symbol = self.arena.declare(name, role);
        self.declare(name, meaning(symbol), span.clone()).then_some(symbol)
    }

    pub(super) fn coordinates(&mut self, file: &[Entry], system: Option<&Entry>) -> Vec<Symbol> {
        // Until all of them are known, an unknown name may be one of them.
        let incomplete = std::mem::replace(&mut self.names.incomplete, true);
        let Some(system) = system else {
            if misspelt(file, "system") {
                return Vec::new();
            }
            self.error(
                Error::input("the section [system] is missing")
                    .hint("it names the coordinates: `[system]` and below it `coordinates = [\"x\", \"y\"]`"),
            );
            return Vec::new();
        };
        let Some(entry) = system.item.value.get("coordinates") else {
            let Value::Table(list) = &system.item.value else { return Vec::new() };
            if misspelt(list, "coordinates") {
                return Vec::new();
            }
            self.error(
                Error::input("the coordinates are missing in [system]")
                    .at(system.key_span.clone())
                    .hint("write for example `coordinates = [\"x\", \"y\", \"phi\"]`"),
            );
            return Vec::new();
        };
        let Value::Array(list) = &entry.item.value else {
            let message = format!("coordinates is an array of names, not {}", entry.item.value.kind());
            self.error(
                Error::input(message)
                    .at(entry.item.span.clone())
                    .hint("write for example `coordinates = [\"x\", \"y\", \"phi\"]`"),
            );
            return Vec::new();
        };
        if list.is_empty() {
            self.error(Error::input("a system needs at least one coordinate").at(entry.item.span.clone()));
        }
        if list.len() > self.limits.coordinates {
            let message = format!("{} coordinates; the limit is {}", list.len(), self.limits.coordinates);
            self.error(Error::limit(message).at(entry.item.span.clone()));
            return Vec::new();
        }
        let mut symbols = Vec::new();
        for item in list {
            let Some(name) = self.string(item, "the name of a coordinate") else { continue };
            if let Some(q) = self.symbol(&name, &item.span, Role::Coordinate, Meaning::Coordinate) {
                let v = self.arena.dot(q);
                self.arena.dot(v);
                symbols.push(q);
            }
        }
        self.names.incomplete = incomplete || symbols.len() < list.len() || list.is_empty();
        symbols
    }

    pub(super) fn parameter_names(&mut self, list: &[Entry]) -> Vec<Option<Symbol>> {
        list.iter().map(|e| self.symbol(&e.key, &e.key_span, Role::Parameter, Meaning::Parameter)).collect()
    }

    /// Constraints have names of their own; what enters expressions is the multiplier.
    pub(super) fn constraint_names(&mut self, list: &[Entry]) -> Vec<Option<Symbol>> {
        let mut multipliers = Vec::new();
        for e in list {
            if let Err(error) = valid_name(&e.key) {
                self.error(error.at(e.key_span.clone()));
                multipliers.push(None);
                continue;
            }
            self.names.constraints.push(e.key.clone());
            let name = format!("lambda_{}", e.key);
            multipliers.push(self.symbol(&name, &e.key_span, Role::Multiplier, Meaning::Multiplier));
        }
        multipliers
    }

    /// Slots for definitions; `shadow` lets them hide other definitions and quasi-velocities.
    pub(super) fn definition_names(&mut self, list: &[Entry], shadow: bool) -> Vec<Option<usize>> {
        list.iter()
            .map(|e| {
                let i = self.names.definitions.len();
                let hides = matches!(self.names.get(&e.key), Some(Meaning::Definition(_) | Meaning::QuasiVelocity(_)));
                if shadow && hides {
                    self.names.shadow(&e.key, Meaning::Definition(i), e.key_span.clone());
                } else if !self.declare(&e.key, Meaning::Definition(i), e.key_span.clone()) {
                    return None;
                }
                Some(self.names.add_definition(&e.key))
            })
            .collect()
    }
}
