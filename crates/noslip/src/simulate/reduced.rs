//! The motion in independent quasi-velocities: y = (q, v), q̇ = q̇(t, q, v), v̇ from Maggi's equations.
//!
//! Fewer equations than in (q, q̇), far fewer operations, and constraints that hold by construction. But a set of
//! quasi-velocities is a chart: where q̇(v) has poles it ends, and [`Motion`] in (q, q̇) has to go on.

use super::chart::Chart;
use super::motion::{Motion, open_builder, samples_around};
use super::ode::{Ode, RhsFailure};
use super::taylor::TaylorOde;
use crate::compile::{CompileOptions, GROWTH_LIMIT, Jet, JetInput, Runner, Tangent, Tape, TapeBuilder, Value};
use crate::error::{Error, Result};
use crate::expr::{Expr, Node, Symbol};
use crate::mechanics::Workbench;

/// A denominator this much smaller than it typically is counts as the edge of the chart: errors of v enter q̇ divided by it.
const EDGE: f64 = 0.1;

/// Coordinates up to which quasi-velocities are looked for, where the model gives none and where it does: the inverse of a
/// symbolic matrix is needed.
const REDUCIBLE: usize = 6;
const REDUCIBLE_GIVEN: usize = 10;

/// A system compiled for motion in quasi-velocities.
pub struct Reduced {
    /// (t, q, v, open parameters) → q̇, v̇, growth.
    guarded: Tape,
    /// The same without growth, for series.
    plain: Tape,
    fast: Runner,
    chart: Chart,
    input: Vec<f64>,
    out: Vec<f64>,
    jet: Option<Jet<1>>,
    tangent: Option<Tangent>,
}

impl Reduced {
    /// Compiles the system in the quasi-velocities of the model, or in independent velocities; an error says why that cannot
    /// be done. Arguments as for [`Motion::with_open_parameters`].
    pub fn new(w: &mut Workbench, options: &CompileOptions, typical: &[f64], open: &[Symbol]) -> Result<Reduced> {
        let refuse = |why: String| Error::not_applicable(format!("no motion in quasi-velocities: {why}"));
        let quasi = w.closed_quasi().map_err(refuse)?;
        let (Some(velocities), n, l) = (quasi.velocities.clone(), w.system.n(), quasi.free.len()) else {
            return Err(refuse("the velocities have no closed form".into()));
        };
        // Maggi's equations in v, v̇: affine in v̇.
        let dynamics = w.dynamics();
        let operator: Vec<Expr> = dynamics.operator.iter().map(|&e| quasi.insert(w, e)).collect();
        let (mut mass, mut rest, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
        for r in 0..l {
            let column: Vec<Expr> = (0..n).map(|i| quasi.phi(w, i, r)).collect();
            slopes.extend(&column);
            let e = w.g.dot_product(&operator, &column);
            let e = w.simplify(e);
            let row: Vec<Expr> = quasi.rates[..=r].iter().map(|&s| w.g.diff(e, s)).collect();
            mass.push(w.simplify_all(&row));
            let e = w.g.without(e, &quasi.rates);
            rest.push(w.simplify(-e));
        }
        let parameters = Motion::open_values(w, options, open)?;
        let inputs = |velocities: &[Symbol]| -> Vec<Symbol> {
            let mut list = vec![w.g.time()];
            list.extend(w.system.coordinates.iter().chain(velocities).chain(open));
            list
        };
        let (full, reduced) = (inputs(&w.system.velocities), inputs(&quasi.free));
        let own: Vec<Expr> = quasi.expressions[..l].iter().flatten().copied().collect();
        let mut enter = compiled(w, options, &full, open, &own)?.runner();
        let leave = compiled(w, options, &reduced, open, &velocities)?.runner();

        let mut builder = open_builder(w, options, &reduced, open)?;
        // Poles of the slopes ∂q̇/∂v count: at √v = 0 the velocities have a value and the chart an end.
        let poles = poles(w, &[velocities.as_slice(), &slopes].concat(), &reduced[..1 + n + l]);
        let all: Vec<Expr> =
            velocities.iter().chain(mass.iter().flatten()).chain(&rest).chain(&poles).copied().collect();
        let values = builder.lower(&w.g, &all)?;
        let (rates, values) = values.split_at(n);
        let (triangle, values) = values.split_at(l * (l + 1) / 2);
        let (right, poles) = values.split_at(l);
        let at = |r: usize, s: usize| triangle[r.max(s) * (r.max(s) + 1) / 2 + r.min(s)];
        let matrix: Vec<Vec<Value>> = (0..l).map(|r| (0..l).map(|s| at(r, s)).collect()).collect();
        let mut input = vec![0.0; 1 + n + l];
        let known = typical.len() == 1 + 2 * n;
        if known {
            input[..=n].copy_from_slice(&typical[..=n]);
            let from = [typical, &parameters].concat();
            enter.run(&from, &mut input[1 + n..]);
        }
        input.extend(&parameters);
        let samples = samples_around(&input, 1 + n + l);
        let (accelerations, growth) = if l == 0 {
            (Vec::new(), builder.constant(0.0))
        } else {
            let solution = builder.solve_symmetric(&matrix, right, &samples)?;
            (solution.unknowns, solution.growth)
        };
        let guard = guard(&mut builder, growth, poles, &samples);
        let mut outputs = rates.to_vec();
        outputs.extend(accelerations);
        let plain = builder.clone().finish(&outputs)?;
        outputs.push(guard);
        let guarded = builder.finish(&outputs)?;
        Ok(Reduced {
            chart: Chart::new(n, l, enter, leave, parameters),
            fast: guarded.runner(),
            out: vec![0.0; guarded.output_count()],
            guarded,
            plain,
            input,
            jet: None,
            tangent: None,
        })
    }

    /// The straight-line code (t, q, v, open parameters) → q̇, v̇, growth.
    pub fn tape(&self) -> &Tape {
        &self.guarded
    }

    /// Values of the open parameters, in their order. Panics if there are more or fewer.
    pub fn set_parameters(&mut self, values: &[f64]) {
        self.chart.set_parameters(values);
    }

    /// The map between (q, q̇) and (q, v).
    pub fn chart(&mut self) -> &mut Chart {
        &mut self.chart
    }

    /// Compiles the system as [`Reduced::new`] does, if that can be done at a reasonable price and costs less per evaluation
    /// than `full`, its motion in (q, q̇).
    pub fn if_cheaper(
        w: &mut Workbench,
        options: &CompileOptions,
        typical: &[f64],
        open: &[Symbol],
        full: &Motion,
    ) -> Option<Reduced> {
        let limit = if w.system.quasi_velocities.is_empty() { REDUCIBLE } else { REDUCIBLE_GIVEN };
        if w.system.n() > limit {
            return None;
        }
        let cost = |tape: &Tape| tape.statistics().instructions;
        let reduced = Reduced::new(w, options, typical, open).ok()?;
        full.tape().is_none_or(|tape| cost(reduced.tape()) < cost(tape)).then_some(reduced)
    }

    fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<(), RhsFailure> {
        self.input.clear();
        self.input.push(t);
        self.input.extend_from_slice(y);
        self.input.extend_from_slice(self.chart.parameters());
        self.fast.run(&self.input, &mut self.out);
        // A state at the edge of the chart; false for NaN as well.
        if self.out[y.len()] < GROWTH_LIMIT { Ok(()) } else { Err(RhsFailure::ChartEnds) }
    }
}

/// Expressions as a tape of its own.
fn compiled(
    w: &Workbench,
    options: &CompileOptions,
    inputs: &[Symbol],
    open: &[Symbol],
    outputs: &[Expr],
) -> Result<Tape> {
    let mut builder = open_builder(w, options, inputs, open)?;
    let values = builder.lower(&w.g, outputs)?;
    builder.finish(&values)
}

/// Denominators that depend on the state, each once.
fn poles(w: &Workbench, expressions: &[Expr], state: &[Symbol]) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    for e in w.g.reachable(expressions) {
        let Node::Product { factors, .. } = w.g.node(e) else { continue };
        for (base, exponent) in factors.iter() {
            if exponent.is_negative() && w.g.depends_on_any(*base, state) && !found.contains(base) {
                found.push(*base);
            }
        }
    }
    found
}

/// The growth, raised beyond its limit where a denominator is small.
fn guard(builder: &mut TapeBuilder, growth: Value, poles: &[Value], samples: &[Vec<f64>]) -> Value {
    let values: Vec<Vec<f64>> = samples.iter().map(|x| builder.evaluate(x)).collect();
    let mut sum = growth;
    let one = builder.constant(1.0);
    for pole in poles {
        let typical = values.iter().map(|v| v[pole.index()].abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
        let edge = builder.constant(EDGE * typical * GROWTH_LIMIT.sqrt());
        // The equations mostly divide by it as well.
        let inverse = builder.div(one, *pole);
        let ratio = builder.mul(edge, inverse);
        let square = builder.mul(ratio, ratio);
        sum = builder.add(sum, square);
    }
    sum
}

impl Ode for Reduced {
    fn dimension(&self) -> usize {
        self.guarded.output_count() - 1
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.evaluate(t, y)?;
        dy.copy_from_slice(&self.out[..y.len()]);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<bool, RhsFailure> {
        self.evaluate(t, y)?;
        let tangent = self.tangent.get_or_insert_with(|| self.plain.tangent(1, y.len()));
        tangent.run(&self.input, jacobian);
        // At a corner differences still have values.
        Ok(jacobian.iter().all(|x| x.is_finite()))
    }
}

impl TaylorOde for Reduced {
    fn dimension(&self) -> usize {
        self.guarded.output_count() - 1
    }

    fn coefficients(&mut self, t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
        self.evaluate(t, y)?;
        let no_series = || RhsFailure::NonFinite { component: 0 };
        if self.jet.as_ref().is_none_or(|j| j.order() < order) {
            let mut kinds = vec![JetInput::Time];
            kinds.extend((0..y.len()).map(JetInput::State));
            kinds.resize(self.input.len(), JetInput::Constant);
            self.jet = self.plain.jet(&kinds, order).ok();
        }
        let jet = self.jet.as_mut().ok_or_else(no_series)?;
        let inputs: Vec<[f64; 1]> = self.input.iter().map(|&x| [x]).collect();
        jet.expand(&inputs).map_err(|_| no_series())?;
        for i in 0..y.len() {
            for (order, c) in jet.input(1 + i).iter().enumerate().take(order + 1) {
                out[order * y.len() + i] = c[0];
            }
        }
        Ok(())
    }
}
