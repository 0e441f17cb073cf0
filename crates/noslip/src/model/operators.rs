//! Operators of a group: `[operators]`, `omega = { x = "-y", y = "x" }` for the field X = −y ∂/∂x + x ∂/∂y that the quasi-velocity
//! omega belongs to. The velocities are q̇ = Σ η_s X_s q.
//!
//! As many operators as degrees of freedom are quasi-velocities written the other way round. More of them cannot be: there the
//! quasi-velocities are not determined by the velocities, and the operators are kept for Poincaré's equations alone.

use super::load::Loader;
use super::scope::Place;
use super::system::Operator;
use crate::error::Error;
use crate::expr::{Expr, Role, Symbol};
use crate::numeric::counted;
use crate::source::{Entry, Item, Value, valid_name};

impl Loader<'_> {
    /// The quasi-velocities that stand for the operators, as entries of [quasi_velocities]; none where there are more operators
    /// than degrees of freedom.
    pub(super) fn operators_as_velocities(
        &mut self,
        operators: &[Entry],
        quasi: &[Entry],
        coordinates: &[Symbol],
        constraints: usize,
    ) -> Vec<Entry> {
        let Some(first) = operators.first() else { return Vec::new() };
        let freedom = coordinates.len().saturating_sub(constraints);
        if let Some(other) = quasi.first() {
            let error = Error::input("the model has operators and quasi-velocities").at(other.key_span.clone());
            self.error(error.hint("[operators] gives the quasi-velocities: leave [quasi_velocities] out"));
            return Vec::new();
        }
        if operators.len() < freedom && !self.names.incomplete {
            let message =
                format!("{} for {}", counted(operators.len(), "operator"), counted(freedom, "degree") + " of freedom");
            let hint = format!("the velocities that the constraints allow need {freedom} operators or more");
            self.error(Error::input(message).at(first.key_span.clone()).hint(hint));
        }
        if operators.len() != freedom {
            return Vec::new();
        }
        let text = |operator: &Entry, q: &str| match operator.item.value.get(q).map(|e| &e.item.value) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(n)) => n.to_string(),
            _ => "0".to_owned(),
        };
        let entry = |&q: &Symbol| {
            let q = self.arena.name(q);
            // Every operator stands in every sum, so that the quasi-velocities have their order.
            let sum: Vec<String> = operators.iter().map(|o| format!("({})*{}", text(o, q), o.key)).collect();
            let item = Item { value: Value::String(sum.join(" + ")), span: first.item.span.clone() };
            Entry { key: format!("{q}'"), key_span: first.key_span.clone(), item }
        };
        coordinates.iter().map(entry).collect()
    }

    /// Reads the operators; keeps them where they are more than the degrees of freedom.
    pub(super) fn operators(&mut self, list: &[Entry], coordinates: &[Symbol], constraints: usize) -> Vec<Operator> {
        let redundant = list.len() > coordinates.len().saturating_sub(constraints);
        let mut operators = Vec::new();
        for entry in list {
            let Some(field) = self.field(entry, coordinates) else { continue };
            if !redundant {
                continue;
            }
            let free = valid_name(&entry.key).and_then(|()| match self.names.get(&entry.key) {
                None => Ok(()),
                Some(_) => {
                    Err(Error::input(format!("the name `{}` is already used", entry.key)).hint("choose another name"))
                }
            });
            if let Err(error) = free {
                self.error(error.at(entry.key_span.clone()));
                continue;
            }
            let symbol = self.arena.declare_beside(&entry.key, Role::QuasiVelocity);
            operators.push(Operator { symbol, field });
        }
        operators
    }

    /// The components of one operator, by coordinates.
    fn field(&mut self, entry: &Entry, coordinates: &[Symbol]) -> Option<Vec<Expr>> {
        let mut field = vec![self.arena.zero(); coordinates.len()];
        let Value::Table(list) = &entry.item.value else {
            let message =
                format!("operator `{}` is given by coordinates, not by {}", entry.key, entry.item.value.kind());
            let hint = format!("write `{} = {{ x = \"-y\", y = \"x\" }}` for −y ∂/∂x + x ∂/∂y", entry.key);
            self.error(Error::input(message).at(entry.item.span.clone()).hint(hint));
            return None;
        };
        for e in list {
            let i = self.coordinate(e, coordinates, "a component of an operator");
            let component = self.expression(&e.item, &Place::OPERATOR);
            if let (Some(i), Some(component)) = (i, component) {
                field[i] = component;
            }
        }
        if field.iter().all(|&e| self.arena.is_zero(e)) && self.findings.errors.is_empty() {
            let error = Error::input(format!("operator `{}` moves nothing", entry.key)).at(entry.item.span.clone());
            self.error(error.hint("leave it out"));
        }
        Some(field)
    }
}
