//! Tables beyond their data: they go on with the slope at their end, which is nobody's measurement, and is said.

use crate::compile::{CompileOptions, Runner, compile};
use crate::error::Result;
use crate::expr::{Expr, Node, Printer, Style, Symbol, Tree};
use crate::mechanics::{Excursion, Workbench};

/// Beyond the data by less than this part of their length is rounding.
const ROUNDING: f64 = 1e-9;

/// Watches the arguments of the tables that stand in expressions.
pub struct TableWatch {
    runner: Runner,
    calls: Vec<Call>,
    values: Vec<f64>,
}

struct Call {
    table: String,
    argument: String,
    data: [f64; 2],
    /// Where the argument was last seen, if that was inside.
    inside: Option<(f64, f64)>,
    /// Has this motion left the data already?
    left: bool,
    found: Option<Excursion>,
}

impl TableWatch {
    /// The tables in the equations of motion, as functions of (t, q, q̇) and of parameters that are given with every state.
    pub fn of_motion(w: &mut Workbench, options: &CompileOptions, open: &[Symbol]) -> Result<Option<TableWatch>> {
        if w.system.tables.is_empty() {
            return Ok(None);
        }
        let roots = w.dynamics().expressions();
        let mut inputs = vec![w.g.time()];
        inputs.extend(w.system.coordinates.iter().chain(&w.system.velocities).chain(open));
        TableWatch::new(w, &roots, &inputs, options)
    }

    /// The tables in some expressions, as functions of the inputs. Functions in pieces have no data to leave.
    pub fn new(
        w: &mut Workbench,
        roots: &[Expr],
        inputs: &[Symbol],
        options: &CompileOptions,
    ) -> Result<Option<TableWatch>> {
        let (mut calls, mut arguments) = (Vec::new(), Vec::new());
        for e in w.g.reachable(roots) {
            let Node::Table(id, _, argument) = *w.g.node(e) else { continue };
            if w.g.free_symbols(&[argument]).iter().any(|s| w.g.role(*s).varies() && !inputs.contains(s)) {
                continue;
            }
            let measured = w.system.tables.iter().find(|t| t.id == id && t.pieces.is_none());
            let Some([first, .., last]) = measured.map(|t| &t.at[..]) else { continue };
            let table = w.g.table_name(id).to_owned();
            if arguments.iter().zip(&calls).any(|(&a, call): (_, &Call)| a == argument && call.table == table) {
                continue;
            }
            let text = Tree::of(&w.g, argument, &w.limits).map(|tree| Printer::new(Style::Text).print(&w.g, &tree));
            calls.push(Call {
                table,
                argument: text.unwrap_or_default(),
                data: [first.to_f64(), last.to_f64()],
                inside: None,
                left: false,
                found: None,
            });
            arguments.push(argument);
        }
        if calls.is_empty() {
            return Ok(None);
        }
        let runner = compile(&w.g, inputs, &arguments, options)?.runner();
        Ok(Some(TableWatch { runner, values: vec![0.0; calls.len()], calls }))
    }

    /// A motion begins: what was seen last belongs to another.
    pub fn begin(&mut self) {
        self.calls.iter_mut().for_each(|call| (call.inside, call.left) = (None, false));
    }

    /// Looks at one state, after those before it on the same motion. Of several motions the earliest time is kept.
    pub fn look(&mut self, t: f64, inputs: &[f64]) {
        self.runner.run(inputs, &mut self.values);
        for (call, &value) in self.calls.iter_mut().zip(&self.values) {
            let [first, last] = call.data;
            if call.left {
                continue;
            }
            let slack = ROUNDING * (last - first);
            if !(value < first - slack || value > last + slack) {
                call.inside = Some((t, value));
                continue;
            }
            call.left = true;
            // Between a state inside and one outside, where the straight line between them leaves.
            let edge = if value < first { first } else { last };
            let left = call.inside.take().map_or(t, |(before, x)| before + (t - before) * (edge - x) / (value - x));
            if call.found.as_ref().is_none_or(|e| left < e.t) {
                let (table, argument) = (call.table.clone(), call.argument.clone());
                call.found = Some(Excursion { table, argument, data: call.data, value, t: left });
            }
        }
    }

    /// What was found, and is found no more.
    pub fn take(&mut self) -> Vec<Excursion> {
        self.begin();
        self.calls.iter_mut().filter_map(|call| call.found.take()).collect()
    }
}
