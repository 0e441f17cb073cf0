//! The motion of a constrained system as a differential equation y′ = f(t, y), y = (q, q̇).
//!
//! Accelerations and multipliers come from the saddle system M q̈ = f + Aᵀλ, A q̈ = b. Its elimination is unrolled into
//! straight-line code with an order of pivots that is good at the present state; where that order goes bad, the solver
//! with pivoting takes over, and the Taylor method, which needs the straight-line code, has it made anew. So no state is
//! singular that is not singular for the system itself.

use super::code::{MotionCode, MotionPart, expect_linear_accelerations};
use super::ode::{Ode, RhsFailure};
use super::taylor::TaylorOde;
use crate::compile::{CompileOptions, GROWTH_LIMIT, Jet, JetInput, Runner, Tangent, Tape, TapeBuilder};
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::numeric::{Saddle, SaddleFailure};

/// A system compiled for motion.
pub struct Motion {
    n: usize,
    k: usize,
    coordinates: Vec<String>,
    constraints: Vec<String>,
    /// (t, q, q̇, parameters left open) → q̇, q̈, growth. `None` when no fixed order of pivots works.
    fast: Option<Runner>,
    code: Option<StraightLine>,
    /// For making the straight-line code anew with another order of pivots.
    equations: MotionCode,
    /// (t, q, q̇, parameters left open) → M, A, f, b.
    full: Runner,
    saddle: Saddle,
    input: Vec<f64>,
    out: Vec<f64>,
    system: Vec<f64>,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
    jet: Option<Jet<1>>,
    tangent: Option<Tangent>,
    series_inputs: Vec<[f64; 1]>,
}

/// The motion as straight-line code.
struct StraightLine {
    /// Inputs → q̇, q̈, growth.
    guarded: Tape,
    /// Inputs → q̇, q̈: what series need, of which each further operation costs the square of the order.
    plain: Tape,
}

impl StraightLine {
    /// With pivots chosen at the samples.
    fn new(equations: &MotionCode, samples: &[Vec<f64>]) -> Result<StraightLine> {
        use MotionPart::{Accelerations, Growth, Velocities};
        let lists: [&[MotionPart]; 2] = [&[Velocities, Accelerations, Growth], &[Velocities, Accelerations]];
        let [guarded, plain] = equations.tapes(lists, samples)?;
        Ok(StraightLine { guarded, plain })
    }
}

impl Motion {
    /// Compiles the system. `typical` is a state (t, q, q̇) at which the order of pivots should be good.
    pub fn new(w: &mut Workbench, options: &CompileOptions, typical: &[f64]) -> Result<Motion> {
        Motion::with_open_parameters(w, options, typical, &[])
    }

    /// Compiles the system for several values of the `open` parameters, which at first have those of the options, see
    /// [`Motion::set_parameters`]. Parameters defined by open ones follow them.
    pub fn with_open_parameters(
        w: &mut Workbench,
        options: &CompileOptions,
        typical: &[f64],
        open: &[Symbol],
    ) -> Result<Motion> {
        expect_linear_accelerations(&w.system)?;
        let d = w.dynamics();
        let rows = crate::mechanics::independent_rows(w);
        let system = w.system.clone();
        let (n, k) = (system.n(), system.k());
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(&system.coordinates);
        inputs.extend(&system.velocities);
        inputs.extend(open);
        let mut input = vec![0.0; 1 + 2 * n];
        input.extend(Motion::open_values(w, options, open)?);
        let builder = open_builder(w, options, &inputs, open)?;
        let force: Vec<Expr> = d.rest.iter().map(|&h| w.g.neg(h)).collect();
        let outputs: Vec<Expr> =
            d.mass.iter().flatten().chain(d.a.iter().flatten()).chain(&force).chain(&d.b).copied().collect();
        // For where the code has no good pivots, and with pivots.
        w.count_compiled(&outputs);
        w.count_compiled(&outputs);
        let mut full = builder.clone();
        let values = full.lower(&w.g, &outputs)?;
        let full = full.finish(&values)?.runner();
        let equations = MotionCode::with_builder(builder, &w.g, &system, &d, &rows)?;
        let count = typical.len().min(1 + 2 * n);
        input[..count].copy_from_slice(&typical[..count]);
        let code = StraightLine::new(&equations, &samples_around(&input, 1 + 2 * n)).ok();
        let fast = code.as_ref().map(|c| c.guarded.runner());
        Ok(Motion {
            n,
            k,
            coordinates: system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect(),
            constraints: system.constraints.iter().map(|c| c.name.clone()).collect(),
            out: vec![0.0; 2 * n + 1],
            system: vec![0.0; n * n + k * n + n + k],
            saddle: Saddle::new(n, k),
            fast,
            code,
            equations,
            full,
            series_inputs: vec![[0.0]; input.len()],
            input,
            acceleration: vec![0.0; n],
            multipliers: vec![0.0; k],
            jet: None,
            tangent: None,
        })
    }

    /// The values that the options have for these parameters.
    pub(super) fn open_values(w: &Workbench, options: &CompileOptions, open: &[Symbol]) -> Result<Vec<f64>> {
        let unknown = |p: Symbol| Error::input(format!("`{}` is not a parameter with a value", w.g.name(p)));
        let value =
            |&p: &Symbol| options.parameters.iter().find(|(s, _)| *s == p).map(|(_, x)| *x).ok_or_else(|| unknown(p));
        open.iter().map(value).collect()
    }

    /// The straight-line code (t, q, q̇, open parameters) → q̇, q̈, growth, if there is one.
    pub fn tape(&self) -> Option<&Tape> {
        self.code.as_ref().map(|c| &c.guarded)
    }

    /// Straight-line code as [`Motion::tape`], with pivots chosen at these inputs.
    pub(super) fn straight_line(&self, samples: &[Vec<f64>]) -> Option<Tape> {
        StraightLine::new(&self.equations, samples).ok().map(|code| code.guarded)
    }

    /// Inputs around the present one.
    pub(super) fn samples(&self) -> Vec<Vec<f64>> {
        samples_around(&self.input, 1 + 2 * self.n)
    }

    /// Values of the open parameters, in their order. Panics if there are more or fewer.
    pub fn set_parameters(&mut self, values: &[f64]) {
        self.input[1 + 2 * self.n..].copy_from_slice(values);
    }

    /// Values of the open parameters.
    pub fn parameters(&self) -> &[f64] {
        &self.input[1 + 2 * self.n..]
    }

    /// Number of coordinates.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Accelerations and multipliers at (t, q, q̇); redundant constraints get the multipliers of least norm.
    pub fn solve(&mut self, t: f64, y: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), RhsFailure> {
        self.set(t, y);
        self.full.run(&self.input, &mut self.system);
        self.solve_full()?;
        a.copy_from_slice(&self.acceleration);
        lambda.copy_from_slice(&self.multipliers);
        Ok(())
    }

    fn set(&mut self, t: f64, y: &[f64]) {
        self.input[0] = t;
        self.input[1..1 + 2 * self.n].copy_from_slice(y);
    }

    fn solve_full(&mut self) -> Result<(), RhsFailure> {
        let (n, k) = (self.n, self.k);
        let (m, rest) = self.system.split_at(n * n);
        let (a, rest) = rest.split_at(k * n);
        let (f, b) = rest.split_at(n);
        self.saddle.solve(m, a, f, b, &mut self.acceleration, &mut self.multipliers).map_err(|e| match e {
            SaddleFailure::Constraint { row, .. } => {
                RhsFailure::Singular { which: format!("constraint `{}`", self.constraints[row]) }
            }
            SaddleFailure::Inertia { coordinate, .. } => {
                RhsFailure::Singular { which: format!("coordinate `{}`", self.coordinates[coordinate]) }
            }
            SaddleFailure::NonFinite => {
                let index = self.system.iter().position(|x| !x.is_finite()).unwrap_or(0);
                let component = if index < n * n {
                    index / n
                } else if index < n * n + k * n {
                    (index - n * n) % n
                } else {
                    (index - n * n - k * n).min(n - 1)
                };
                RhsFailure::NonFinite { component: n + component }
            }
        })
    }

    /// Makes the straight-line code anew with pivots that are good here. Returns whether that worked.
    fn renew(&mut self) -> bool {
        let Ok(code) = StraightLine::new(&self.equations, &self.samples()) else { return false };
        self.fast = Some(code.guarded.runner());
        self.code = Some(code);
        self.jet = None;
        self.tangent = None;
        true
    }
}

/// Code of the inputs, in which parameters that follow from open ones are expressions and the others numbers.
pub(super) fn open_builder(
    w: &Workbench,
    options: &CompileOptions,
    inputs: &[Symbol],
    open: &[Symbol],
) -> Result<TapeBuilder> {
    let mut following: Vec<Symbol> = open.to_vec();
    let mut definitions: Vec<(Symbol, Expr)> = Vec::new();
    for (symbol, e) in w.system.parameters_in_order(&w.g) {
        if !following.contains(&symbol) && w.g.free_symbols(&[e]).iter().any(|s| following.contains(s)) {
            following.push(symbol);
            definitions.push((symbol, e));
        }
    }
    let mut options = options.clone();
    options.parameters.retain(|(s, _)| !following.contains(s));
    let mut builder = TapeBuilder::new(&w.g, inputs, &options)?;
    for (symbol, e) in definitions {
        let value = builder.lower(&w.g, &[e])?[0];
        builder.bind(symbol, value);
    }
    Ok(builder)
}

/// The state itself and neighbours: a pivot must not be good by accident. Inputs beyond the state stay.
pub(super) fn samples_around(input: &[f64], state: usize) -> Vec<Vec<f64>> {
    let mut random = crate::expr::field::SplitMix::new(1);
    let mut samples = vec![input.to_vec()];
    for _ in 0..7 {
        let mut near = input.to_vec();
        near[..state].iter_mut().for_each(|x| *x += 0.05 * (1.0 + x.abs()) * (random.unit() - 0.5));
        samples.push(near);
    }
    samples
}

impl Ode for Motion {
    fn dimension(&self) -> usize {
        2 * self.n
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        self.set(t, y);
        if let Some(fast) = &mut self.fast {
            fast.run(&self.input, &mut self.out);
            if self.out[2 * n] < GROWTH_LIMIT {
                dy.copy_from_slice(&self.out[..2 * n]);
                return Ok(());
            }
        }
        self.full.run(&self.input, &mut self.system);
        self.solve_full()?;
        dy[..n].copy_from_slice(&y[n..]);
        dy[n..].copy_from_slice(&self.acceleration);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<bool, RhsFailure> {
        let n = self.n;
        self.set(t, y);
        let (Some(fast), Some(code)) = (&mut self.fast, &self.code) else { return Ok(false) };
        fast.run(&self.input, &mut self.out);
        if !(self.out[2 * n] < GROWTH_LIMIT) {
            return Ok(false);
        }
        let tangent = self.tangent.get_or_insert_with(|| code.plain.tangent(1, 2 * n));
        tangent.run(&self.input, jacobian);
        // At a corner differences still have values.
        Ok(jacobian.iter().all(|x| x.is_finite()))
    }

    fn diagnose(&mut self, t: f64, y: &[f64]) -> Option<RhsFailure> {
        self.set(t, y);
        self.full.run(&self.input, &mut self.system);
        match self.solve_full() {
            Err(failure) => Some(failure),
            Ok(()) if self.saddle.smallest_pivot() < 1e-9 => {
                let (row, _) = self.saddle.weakest_constraint().filter(|(_, weakness)| *weakness < 1e-5)?;
                Some(RhsFailure::Singular { which: format!("constraint `{}`", self.constraints[row]) })
            }
            Ok(()) => None,
        }
    }
}

impl TaylorOde for Motion {
    fn dimension(&self) -> usize {
        2 * self.n
    }

    fn coefficients(&mut self, t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        self.set(t, y);
        for attempt in 0..2 {
            let good = match &mut self.fast {
                Some(fast) => {
                    fast.run(&self.input, &mut self.out);
                    self.out[2 * n] < GROWTH_LIMIT
                }
                None => false,
            };
            if good {
                break;
            }
            if attempt == 1 || !self.renew() {
                // Say why: either the system is singular here, or no series exists.
                self.full.run(&self.input, &mut self.system);
                self.solve_full()?;
                return Err(RhsFailure::Singular { which: "the linear equations for the accelerations".into() });
            }
        }
        if self.jet.as_ref().is_none_or(|j| j.order() < order) {
            let mut kinds = vec![JetInput::Time];
            kinds.extend((0..2 * n).map(JetInput::State));
            kinds.resize(self.input.len(), JetInput::Constant);
            self.jet = self.code.as_ref().and_then(|code| code.plain.jet(&kinds, order).ok());
        }
        let Some(jet) = &mut self.jet else { return Err(RhsFailure::NonFinite { component: n }) };
        for (slot, x) in self.series_inputs.iter_mut().zip(&self.input) {
            *slot = [*x];
        }
        jet.expand(&self.series_inputs).map_err(|_| RhsFailure::NonFinite { component: n })?;
        for i in 0..2 * n {
            for (order, c) in jet.input(1 + i).iter().enumerate().take(order + 1) {
                out[order * 2 * n + i] = c[0];
            }
        }
        Ok(())
    }

    fn diagnose(&mut self, t: f64, y: &[f64]) -> Option<RhsFailure> {
        Ode::diagnose(self, t, y)
    }
}

#[cfg(test)]
mod tests {
    use super::samples_around;

    #[test]
    fn the_states_around_one_are_itself_and_seven_within_a_fortieth_of_its_size() {
        let input = [0.0, 39.0, -39.0, 100.0];
        let samples = samples_around(&input, 3);
        assert_eq!((samples.len(), samples[0].as_slice()), (8, input.as_slice()));
        for (i, size) in [(0, 1.0), (1, 40.0), (2, 40.0)] {
            let away: Vec<f64> = samples[1..].iter().map(|s| (s[i] - input[i]) / size).collect();
            assert!(away.iter().all(|x| x.abs() <= 0.025), "{i}: {away:?}");
            assert!(away.iter().any(|x| *x > 0.005) && away.iter().any(|x| *x < -0.002), "{i}: {away:?}");
        }
        assert!(samples.iter().all(|s| s[3] == 100.0), "what is beyond the state stays");
    }
}
