//! The motion of a system as straight-line code: (t, q, q̇) → q̈, λ.

use crate::compile::{CompileOptions, SaddleCode, SaddleSolution, TableFunctions, Tape, TapeBuilder, Value, compile};
use crate::error::{Error, Result};
use crate::expr::{Arena, Expr, Symbol, TableId};
use crate::limits::Limits;
use crate::mechanics::Dynamics;
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
        for (symbol, e) in system.parameters_in_order(arena) {
            let known = |s: &Symbol| *s == arena.pi() || options.parameters.iter().any(|p| p.0 == *s);
            if !arena.free_symbols(&[e]).iter().all(known) {
                return Err(Error::input(format!("the value of `{}` cannot be computed", arena.name(symbol))));
            }
            let value = compile(arena, &[], &[e], &options)?.evaluate(&[])[0];
            options.parameters.push((symbol, value));
        }
        Ok(options)
    }
}

/// The equations of motion M q̈ = f + Aᵀλ, A q̈ = b as code, from which tapes of chosen outputs are made. The inputs are
/// t, q, q̇.
#[derive(Clone)]
pub struct MotionCode {
    builder: TapeBuilder,
    velocities: Vec<Value>,
    mass: Vec<Vec<Value>>,
    force: Vec<Value>,
    constraints: Vec<Vec<Value>>,
    rates: Vec<Value>,
    accelerations: Vec<Symbol>,
    multipliers: Vec<Symbol>,
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
    /// The amplification of rounding errors at this state, see [`GROWTH_LIMIT`](crate::compile::GROWTH_LIMIT).
    Growth,
}

/// Refuses systems whose accelerations a linear solver does not find.
pub(super) fn expect_linear_accelerations(system: &System) -> Result<()> {
    if !system.law.is_empty() {
        let message = "the accelerations do not follow from linear equations: the model has a law of friction";
        return Err(Error::not_applicable(message)
            .hint("`noslip simulate` and `report` follow its motion, `noslip derive` writes its equations"));
    }
    system.linear_accelerations().map_err(|why| {
        Error::not_applicable(format!("the accelerations do not follow from linear equations: {why}"))
            .hint("`noslip simulate` follows its motion, `noslip derive` writes its equations")
    })
}

impl MotionCode {
    /// Lowers M, f, A and b at once, so that everything is shared. `rows` are the constraints to be used: independent
    /// ones, because redundant ones make the system singular.
    pub fn new(
        arena: &Arena,
        system: &System,
        dynamics: &Dynamics,
        rows: &[usize],
        options: &CompileOptions,
    ) -> Result<MotionCode> {
        let inputs: Vec<Symbol> =
            [arena.time()].into_iter().chain(system.coordinates.iter().chain(&system.velocities).copied()).collect();
        MotionCode::with_builder(TapeBuilder::new(arena, &inputs, options)?, arena, system, dynamics, rows)
    }

    /// As [`MotionCode::new`], where further inputs may follow t, q, q̇.
    pub(super) fn with_builder(
        mut builder: TapeBuilder,
        arena: &Arena,
        system: &System,
        dynamics: &Dynamics,
        rows: &[usize],
    ) -> Result<MotionCode> {
        expect_linear_accelerations(system)?;
        let n = system.n();
        let lower_triangle = (0..n).flat_map(|i| dynamics.mass[i][..=i].iter().copied());
        let expressions: Vec<Expr> = lower_triangle
            .chain(dynamics.rest.iter().copied())
            .chain(rows.iter().flat_map(|&j| dynamics.a[j].iter().copied()))
            .chain(rows.iter().map(|&j| dynamics.b[j]))
            .collect();
        let mut values = builder.lower(arena, &expressions)?.into_iter();
        let mut take = |count: usize| -> Vec<Value> { values.by_ref().take(count).collect() };
        let mass: Vec<Vec<Value>> = (0..n).map(|i| take(i + 1)).collect();
        let rest = take(n);
        let constraints: Vec<Vec<Value>> = rows.iter().map(|_| take(n)).collect();
        let rates = take(rows.len());
        let force: Vec<Value> = rest.into_iter().map(|h| builder.neg(h)).collect();
        Ok(MotionCode {
            velocities: (0..n).map(|i| builder.input(1 + n + i)).collect(),
            builder,
            mass,
            force,
            constraints,
            rates,
            accelerations: system.accelerations.clone(),
            multipliers: rows.iter().map(|&j| system.constraints[j].multiplier).collect(),
        })
    }

    /// The same system with another right side, M δ = Aᵀμ, A δ = −`residuals`: the least change, in the kinetic metric, that makes up for
    /// residuals of the constraints. It stands where accelerations stand.
    pub(super) fn correction(&self, arena: &Arena, residuals: &[Expr]) -> Result<MotionCode> {
        let mut code = self.clone();
        let residuals = code.builder.lower(arena, residuals)?;
        code.rates = residuals.into_iter().map(|r| code.builder.neg(r)).collect();
        let zero = code.builder.constant(0.0);
        code.force.fill(zero);
        Ok(code)
    }

    /// A tape of the chosen outputs, then of further expressions, in which accelerations and multipliers may occur.
    /// `samples` are typical values of (t, q, q̇), by which the order of elimination is chosen; without any, arbitrary
    /// ones are used.
    pub fn tape(
        &self,
        arena: &Arena,
        parts: &[MotionPart],
        expressions: &[Expr],
        samples: &[Vec<f64>],
    ) -> Result<Tape> {
        let (mut builder, solution) = self.solved(samples)?;
        let known = self.accelerations.iter().zip(&solution.accelerations);
        for (&s, &v) in known.chain(self.multipliers.iter().zip(&solution.multipliers)) {
            builder.bind(s, v);
        }
        let mut outputs = self.outputs(parts, &solution);
        outputs.extend(builder.lower(arena, expressions)?);
        builder.finish(&outputs)
    }

    /// A tape for each list of outputs, with one order of elimination for all.
    pub(super) fn tapes<const N: usize>(&self, lists: [&[MotionPart]; N], samples: &[Vec<f64>]) -> Result<[Tape; N]> {
        let (builder, solution) = self.solved(samples)?;
        let mut tapes = Vec::with_capacity(N);
        for parts in lists {
            tapes.push(builder.clone().finish(&self.outputs(parts, &solution))?);
        }
        let Ok(tapes) = tapes.try_into() else { unreachable!("as many as there are lists") };
        Ok(tapes)
    }

    fn solved(&self, samples: &[Vec<f64>]) -> Result<(TapeBuilder, SaddleSolution)> {
        let mut builder = self.builder.clone();
        let saddle =
            SaddleCode { mass: &self.mass, force: &self.force, constraints: &self.constraints, rates: &self.rates };
        let solution = builder.solve_saddle(&saddle, samples)?;
        Ok((builder, solution))
    }

    fn outputs(&self, parts: &[MotionPart], solution: &SaddleSolution) -> Vec<Value> {
        let mut outputs: Vec<Value> = Vec::new();
        for part in parts {
            match part {
                MotionPart::Velocities => outputs.extend(&self.velocities),
                MotionPart::Accelerations => outputs.extend(&solution.accelerations),
                MotionPart::Multipliers => outputs.extend(&solution.multipliers),
                MotionPart::Growth => outputs.push(solution.growth),
            }
        }
        outputs
    }
}
