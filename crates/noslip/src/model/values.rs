//! Numbers for a system: values of parameters, tables, formatting.

use super::load::parameter_references;
use super::system::System;
use super::table::Interpolant;
use crate::error::{Error, Result};
use crate::expr::{Arena, Assignment, Evaluator, Expr, Symbol, TableId};
use crate::source::dependencies_first;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Values of parameters and tables: what is needed to evaluate expressions of a system.
#[derive(Clone, Debug)]
pub struct Values {
    /// Parameters; further symbols can be added.
    pub at: Assignment,
    tables: Arc<[(TableId, Interpolant)]>,
    /// Room to evaluate in.
    room: Vec<f64>,
}

impl System {
    /// The parameters and what they are given by, each after those it is given by.
    pub fn parameters_in_order(&self, arena: &Arena) -> Vec<(Symbol, Expr)> {
        let (order, _) = dependencies_first(&parameter_references(arena, &self.parameters));
        order.into_iter().map(|i| (self.parameters[i].symbol, self.parameters[i].value)).collect()
    }

    /// Parameters as expressions of numbers alone, exactly.
    pub fn parameter_expressions(&self, arena: &mut Arena) -> FxHashMap<Symbol, Expr> {
        let mut map = FxHashMap::default();
        for (symbol, e) in self.parameters_in_order(arena) {
            let value = arena.substitute(e, &map);
            map.insert(symbol, value);
        }
        map
    }

    /// Values of the parameters, some of them replaced (what depends on them follows).
    pub fn values(&self, arena: &Arena, replaced: &[(Symbol, f64)]) -> Result<Values> {
        Parameters::new(arena, self).values(arena, replaced)
    }
}

/// The parameters and tables of a system, prepared to be given values many times.
pub struct Parameters {
    /// Each after those it is given by.
    list: Vec<(Symbol, Evaluator)>,
    tables: Arc<[(TableId, Interpolant)]>,
}

impl Parameters {
    /// Prepares what they are given by.
    pub fn new(arena: &Arena, system: &System) -> Parameters {
        let list = system.parameters_in_order(arena).into_iter();
        Parameters {
            list: list.map(|(symbol, e)| (symbol, Evaluator::new(arena, &[e]))).collect(),
            tables: system.tables.iter().map(|t| (t.id, Interpolant::new(t))).collect(),
        }
    }

    /// Their values, some of them replaced (what depends on them follows).
    pub fn values(&self, arena: &Arena, replaced: &[(Symbol, f64)]) -> Result<Values> {
        let mut at = Assignment::new();
        for (symbol, formula) in &self.list {
            let given = replaced.iter().rev().find(|(s, _)| s == symbol).map(|(_, x)| *x);
            let x = given.unwrap_or_else(|| formula.evaluate(&at, &|_, _, _| f64::NAN)[0]);
            if !x.is_finite() {
                return Err(Error::input(format!("parameter `{}` has no finite value", arena.name(*symbol))));
            }
            at.set(*symbol, x);
        }
        Ok(Values { at, tables: self.tables.clone(), room: Vec::new() })
    }
}

impl Values {
    /// Evaluates prepared expressions.
    pub fn evaluate(&self, evaluator: &Evaluator) -> Vec<f64> {
        evaluator.evaluate(&self.at, &|id, derivative, x| of_tables(&self.tables, id, derivative, x))
    }

    /// The same written to `out`.
    pub fn evaluate_into(&mut self, evaluator: &Evaluator, out: &mut [f64]) {
        let Values { at, tables, room } = self;
        evaluator.evaluate_into(at, &|id, derivative, x| of_tables(tables, id, derivative, x), room, out);
    }

    /// The same in a room of its own. Where that room is full, only `varying` steps are evaluated: the others have their values.
    pub fn evaluate_in(&self, room: &mut Vec<f64>, evaluator: &Evaluator, varying: &[u32], out: &mut [f64]) {
        let tables = |id, derivative, x| of_tables(&self.tables, id, derivative, x);
        match room.is_empty() {
            true => evaluator.evaluate_into(&self.at, &tables, room, out),
            false => evaluator.evaluate_again(varying, &self.at, &tables, room, out),
        }
    }
}

/// A derivative of the table with that number.
fn of_tables(tables: &[(TableId, Interpolant)], id: TableId, derivative: u8, x: f64) -> f64 {
    let table = tables.iter().find(|(t, _)| *t == id);
    table.map_or(f64::NAN, |(_, f)| f.evaluate(x, derivative))
}
