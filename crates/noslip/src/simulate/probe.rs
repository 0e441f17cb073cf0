//! Quantities along a motion: any expressions of t, q, q̇, q̈, λ and the model's quasi-velocities.

use super::motion::open_builder;
use super::simulation::Sample;
use crate::compile::{CompileOptions, Runner, Tape};
use crate::error::Result;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;

/// Expressions compiled for evaluation along a motion.
pub struct Probe {
    runner: Runner,
    input: Vec<f64>,
    output: Vec<f64>,
}

impl Probe {
    /// Compiles the expressions.
    pub fn new(w: &mut Workbench, expressions: &[Expr], options: &CompileOptions) -> Result<Probe> {
        Probe::with_open_parameters(w, expressions, options, &[])
    }

    /// The same with parameters whose values are given with every state.
    pub fn with_open_parameters(
        w: &mut Workbench,
        expressions: &[Expr],
        options: &CompileOptions,
        open: &[Symbol],
    ) -> Result<Probe> {
        let tape = Probe::tape(w, expressions, options, open)?;
        Ok(Probe { input: vec![0.0; tape.input_count()], runner: tape.runner(), output: vec![0.0; expressions.len()] })
    }

    /// The code: (t, q, q̇, q̈, λ, open parameters) → the expressions.
    pub(super) fn tape(
        w: &mut Workbench,
        expressions: &[Expr],
        options: &CompileOptions,
        open: &[Symbol],
    ) -> Result<Tape> {
        let system = w.system.clone();
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(&system.coordinates);
        inputs.extend(&system.velocities);
        inputs.extend(&system.accelerations);
        inputs.extend(system.constraints.iter().map(|c| c.multiplier));
        inputs.extend(open);
        let mut builder = open_builder(w, options, &inputs, open)?;
        for v in &system.quasi_velocities {
            let rate = w.g.time_derivative(v.expr);
            let dot = w.g.dot(v.symbol);
            let values = builder.lower(&w.g, &[v.expr, rate])?;
            builder.bind(v.symbol, values[0]);
            builder.bind(dot, values[1]);
        }
        w.count_compiled(expressions);
        let values = builder.lower(&w.g, expressions)?;
        builder.finish(&values)
    }

    /// Values at a state `y` = (q, q̇), with accelerations and multipliers (either may be empty if no expression needs them).
    pub fn values(&mut self, t: f64, y: &[f64], a: &[f64], lambda: &[f64]) -> Vec<f64> {
        self.values_with(t, y, a, lambda, &[]).to_vec()
    }

    /// The same with values of the open parameters.
    pub fn values_with(&mut self, t: f64, y: &[f64], a: &[f64], lambda: &[f64], open: &[f64]) -> &[f64] {
        self.input.fill(f64::NAN);
        self.input[0] = t;
        let mut at = 1;
        for part in [y, a, lambda, open] {
            self.input[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        self.runner.run(&self.input, &mut self.output);
        &self.output
    }
}

/// Values of expressions at the samples of a motion, a column for each.
pub fn values_along(w: &mut Workbench, expressions: &[Expr], samples: &[Sample]) -> Result<Vec<Vec<f64>>> {
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut probe = Probe::new(w, expressions, &options)?;
    let mut columns = vec![Vec::with_capacity(samples.len()); expressions.len()];
    for s in samples {
        for (column, x) in columns.iter_mut().zip(probe.values(s.t, &s.y, &s.accelerations, &s.multipliers)) {
            column.push(x);
        }
    }
    Ok(columns)
}
