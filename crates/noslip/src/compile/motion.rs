//! The motion of a system as straight-line code: (t, q, q̇) → q̈, λ.

use super::linear::Saddle;
use super::tape::{CompileOptions, TableFunctions, Tape, TapeBuilder, Value};
use super::{GROWTH_LIMIT, SaddleSolution, compile};
use crate::error::{Error, Result};
use crate::expr::{Arena, Expr, Symbol, TableId};
use crate::forms::Dynamics;
use crate::limits::Limits;
use crate::model::{Interpolant, System};
use std::sync::Arc;

/// The tables of a model.
struct Tables(Vec<(TableId, Interpolant)>);

impl Tables {
    fn get(&self, table: TableId) -> Option<&Interpolant> {
        self.0.iter().find(|(t, _)| *t == table).map(|(_, i)| i)
    }
}

impl TableFunctions for Tables {
    fn evaluate(&self, table: TableId, derivative: u8, x: f64) -> f64 {
        self.get(table).map_or(f64::NAN, |i| i.evaluate(x, derivative))
    }

    fn breakpoints(&self, table: TableId) -> Option<Vec<f64>> {
        self.get(table).map(|i| i.knots().to_vec())
    }
}

impl CompileOptions {
    /// The parameter values and tables of a model.
    pub fn of_system(arena: &Arena, system: &System, limits: &Limits) -> Result<CompileOptions> {
        let tables = system.tables.iter().map(|t| (t.id, Interpolant::new(t))).collect();
        let mut options = CompileOptions {
            tables: Some(Arc::new(Tables(tables))),
            limits: limits.clone(),
            ..CompileOptions::default()
        };
        // A parameter may be given by others, in any order.
        let mut open: Vec<(Symbol, Expr)> = system.parameters.iter().map(|p| (p.symbol, p.value)).collect();
        while !open.is_empty() {
            let known: Vec<Symbol> = options.parameters.iter().map(|p| p.0).chain([arena.pi()]).collect();
            type Parameters = Vec<(Symbol, Expr)>;
            let (ready, later): (Parameters, Parameters) =
                open.iter().partition(|(_, e)| arena.free_symbols(&[*e]).iter().all(|s| known.contains(s)));
            if ready.is_empty() {
                return Err(Error::input(format!("the value of `{}` cannot be computed", arena.name(later[0].0))));
            }
            let expressions: Vec<Expr> = ready.iter().map(|(_, e)| *e).collect();
            let values = compile(arena, &[], &expressions, &options)?.evaluate(&[]);
            options.parameters.extend(ready.iter().map(|(s, _)| *s).zip(values));
            open = later;
        }
        Ok(options)
    }
}

/// The code of a system's motion, from which tapes of chosen outputs are made. The inputs are t, q, q̇.
#[derive(Clone)]
pub struct Motion {
    builder: TapeBuilder,
    velocities: Vec<Value>,
    solution: SaddleSolution,
}

/// A group of outputs of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionPart {
    /// q̇, which are inputs too: with the accelerations they make a first-order system.
    Velocities,
    /// q̈.
    Accelerations,
    /// λ.
    Multipliers,
    /// The amplification of rounding errors at this state, see [`GROWTH_LIMIT`].
    Growth,
}

impl Motion {
    /// Solves the equations of motion for accelerations and multipliers, in code. `samples` are typical values of
    /// (t, q, q̇), by which the order of elimination is chosen; without any, arbitrary ones are used.
    pub fn new(
        arena: &Arena,
        system: &System,
        dynamics: &Dynamics,
        options: &CompileOptions,
        samples: &[Vec<f64>],
    ) -> Result<Motion> {
        let (n, k) = (system.n(), system.k());
        let inputs: Vec<Symbol> =
            [arena.time()].into_iter().chain(system.coordinates.iter().chain(&system.velocities).copied()).collect();
        let mut builder = TapeBuilder::new(arena, &inputs, options)?;
        // All at once, so that everything is shared.
        let lower_triangle = (0..n).flat_map(|i| dynamics.mass[i][..=i].iter().copied());
        let expressions: Vec<Expr> = lower_triangle
            .chain(dynamics.rest.iter().copied())
            .chain(dynamics.a.iter().flatten().copied())
            .chain(dynamics.b.iter().copied())
            .collect();
        let mut values = builder.lower(arena, &expressions)?.into_iter();
        let mut take = |count: usize| -> Vec<Value> { values.by_ref().take(count).collect() };
        let mass: Vec<Vec<Value>> = (0..n).map(|i| take(i + 1)).collect();
        let rest = take(n);
        let constraints: Vec<Vec<Value>> = (0..k).map(|_| take(n)).collect();
        let rates = take(k);
        let force: Vec<Value> = rest.into_iter().map(|h| builder.neg(h)).collect();
        let saddle = Saddle { mass: &mass, force: &force, constraints: &constraints, rates: &rates };
        let solution = builder.solve_saddle(&saddle, samples)?;
        for (&s, &v) in system.accelerations.iter().zip(&solution.accelerations) {
            builder.bind(s, v);
        }
        for (c, &v) in system.constraints.iter().zip(&solution.multipliers) {
            builder.bind(c.multiplier, v);
        }
        let velocities = (0..n).map(|i| builder.input(1 + n + i)).collect();
        Ok(Motion { builder, velocities, solution })
    }

    /// A tape of the chosen outputs, then of further expressions, in which accelerations and multipliers may occur.
    pub fn tape(&self, arena: &Arena, parts: &[MotionPart], expressions: &[Expr]) -> Result<Tape> {
        let mut builder = self.builder.clone();
        let mut outputs: Vec<Value> = Vec::new();
        for part in parts {
            match part {
                MotionPart::Velocities => outputs.extend(&self.velocities),
                MotionPart::Accelerations => outputs.extend(&self.solution.accelerations),
                MotionPart::Multipliers => outputs.extend(&self.solution.multipliers),
                MotionPart::Growth => outputs.push(self.solution.growth),
            }
        }
        outputs.extend(builder.lower(arena, expressions)?);
        builder.finish(&outputs)
    }

    /// Is a state with this growth within what the code can be trusted with?
    pub fn trusted(growth: f64) -> bool {
        growth < GROWTH_LIMIT
    }
}
