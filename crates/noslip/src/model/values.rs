//! Numbers for a system: values of parameters, tables, formatting.

use super::load::parameter_references;
use super::order::dependencies_first;
use super::system::System;
use super::table::Interpolant;
use crate::error::{Error, Result};
use crate::expr::{Arena, Assignment, Evaluator, Expr, Symbol, TableId};
use rustc_hash::FxHashMap;

/// Values of parameters and tables: what is needed to evaluate expressions of a system.
#[derive(Clone, Debug)]
pub struct Values {
    /// Parameters; further symbols can be added.
    pub at: Assignment,
    tables: Vec<(TableId, Interpolant)>,
}

impl System {
    /// Parameters as expressions of numbers alone, exactly.
    pub fn parameter_expressions(&self, arena: &mut Arena) -> FxHashMap<Symbol, Expr> {
        let (order, _) = dependencies_first(&parameter_references(arena, &self.parameters));
        let mut map = FxHashMap::default();
        for i in order {
            let value = arena.substitute(self.parameters[i].value, &map);
            map.insert(self.parameters[i].symbol, value);
        }
        map
    }

    /// Values of the parameters, some of them replaced (what depends on them follows).
    pub fn values(&self, arena: &Arena, replaced: &[(Symbol, f64)]) -> Result<Values> {
        let (order, _) = dependencies_first(&parameter_references(arena, &self.parameters));
        let mut at = Assignment::new();
        for i in order {
            let p = &self.parameters[i];
            let given = replaced.iter().rev().find(|(s, _)| *s == p.symbol).map(|(_, x)| *x);
            let x = given.unwrap_or_else(|| arena.evaluate(&[p.value], &at)[0]);
            if !x.is_finite() {
                return Err(Error::input(format!("parameter `{}` has no finite value", arena.name(p.symbol))));
            }
            at.set(p.symbol, x);
        }
        let tables = self.tables.iter().map(|t| (t.id, Interpolant::new(t))).collect();
        Ok(Values { at, tables })
    }
}

impl Values {
    /// Evaluates prepared expressions.
    pub fn evaluate(&self, evaluator: &Evaluator) -> Vec<f64> {
        evaluator.evaluate(&self.at, &|id, derivative, x| {
            let table = self.tables.iter().find(|(t, _)| *t == id);
            table.map_or(f64::NAN, |(_, f)| f.evaluate(x, derivative))
        })
    }
}
