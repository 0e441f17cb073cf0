//! Independent quasi-velocities as a chart of the admissible velocities: between (q, q̇) and (q, v), and a run that goes in
//! (q, v) as long as the chart is good.

use super::stepper::{Clock, Statistics, StepFailure, StepSize, Stepper};
use crate::compile::Runner;

/// The map between (q, q̇) and (q, v).
#[derive(Clone)]
pub struct Chart {
    n: usize,
    /// Number of quasi-velocities.
    l: usize,
    /// (t, q, q̇, open parameters) → v.
    into: Runner,
    /// (t, q, v, open parameters) → q̇.
    back: Runner,
    parameters: Vec<f64>,
}

impl Chart {
    pub(super) fn new(n: usize, l: usize, into: Runner, back: Runner, parameters: Vec<f64>) -> Chart {
        Chart { n, l, into, back, parameters }
    }

    /// Values of the open parameters, in their order. Panics if there are more or fewer.
    pub fn set_parameters(&mut self, values: &[f64]) {
        self.parameters.copy_from_slice(values);
    }

    /// Values of the open parameters.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// (q, v) from (q, q̇). `None` where the velocities violate the constraints by more than `slack`, relative to the
    /// largest of them: v cannot tell that.
    pub fn enter(&mut self, t: f64, y: &[f64], slack: f64) -> Option<Vec<f64>> {
        let n = self.n;
        let mut state = vec![0.0; n + self.l];
        state[..n].copy_from_slice(&y[..n]);
        self.into.run(&[&[t], y, &self.parameters].concat(), &mut state[n..]);
        let mut back = vec![0.0; 2 * n];
        self.leave(t, &state, &mut back);
        let size = y[n..].iter().fold(1e-3f64, |m, x| m.max(x.abs()));
        // False for NaN: beyond the edge of the chart.
        let kept = back[n..].iter().zip(&y[n..]).all(|(a, b)| (a - b).abs() <= slack * size);
        kept.then_some(state)
    }

    /// (q, q̇) from (q, v).
    pub fn leave(&mut self, t: f64, state: &[f64], y: &mut [f64]) {
        y[..self.n].copy_from_slice(&state[..self.n]);
        self.back.run(&[&[t], state, &self.parameters].concat(), &mut y[self.n..]);
    }
}

/// Makes a stepper in (q, q̇) from a time, a state and the lengths of steps.
pub type InVelocities<'a> = Box<dyn FnOnce(f64, &[f64], StepSize) -> Option<Box<dyn Stepper + 'a>> + 'a>;

/// Changes of velocities by an observer up to this size, relative to the largest of them, may lead off the constraints
/// without ending the chart: they come from a projection with a tolerance.
const PROJECTED: f64 = 1e-6;

/// A run whose state is (q, q̇), computed in quasi-velocities. Where their chart ends, or the equations in them have no
/// value, or steps become too short, it goes on in (q, q̇), which decides whether it is the system that has come to an end.
pub struct Charted<'a> {
    chart: Chart,
    /// In (q, v) until the change, in (q, q̇) after it.
    inner: Box<dyn Stepper + 'a>,
    /// `None` after the change.
    full: Option<InVelocities<'a>>,
    sizes: StepSize,
    y: Vec<f64>,
    buffer: Vec<f64>,
    /// A state came that is not in the chart: change before the next step.
    leaving: bool,
    /// Cost before the change.
    before: Statistics,
}

impl<'a> Charted<'a> {
    /// A run from the state `y` = (q, q̇), which is that of `inner`, a stepper in (q, v).
    pub fn new(
        chart: Chart,
        inner: Box<dyn Stepper + 'a>,
        full: InVelocities<'a>,
        sizes: StepSize,
        y: &[f64],
    ) -> Charted<'a> {
        Charted {
            buffer: vec![0.0; chart.n + chart.l],
            chart,
            inner,
            full: Some(full),
            sizes,
            y: y.to_vec(),
            leaving: false,
            before: Statistics::default(),
        }
    }

    /// Is it still computed in quasi-velocities?
    pub fn is_reduced(&self) -> bool {
        self.full.is_some()
    }

    fn change(&mut self) {
        let Some(full) = self.full.take() else { return };
        let last = (self.inner.time() - self.inner.previous_time()).abs();
        let sizes = StepSize { initial: (last > 0.0).then_some(last).or(self.sizes.initial), ..self.sizes };
        self.before = self.inner.statistics();
        if let Some(inner) = full(self.inner.time(), &self.y, sizes) {
            self.inner = inner;
        }
    }
}

impl Stepper for Charted<'_> {
    fn clock(&self) -> &Clock {
        self.inner.clock()
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn step(&mut self, t_end: f64) -> Result<(), StepFailure> {
        if !self.leaving && self.full.is_some() && self.inner.step(t_end).is_ok() {
            self.chart.leave(self.inner.time(), self.inner.state(), &mut self.y);
            return Ok(());
        }
        self.change();
        self.inner.step(t_end)?;
        self.y.copy_from_slice(self.inner.state());
        Ok(())
    }

    fn dense(&mut self, t: f64, out: &mut [f64]) -> Result<(), StepFailure> {
        if self.full.is_none() {
            return self.inner.dense(t, out);
        }
        self.inner.dense(t, &mut self.buffer)?;
        self.chart.leave(t, &self.buffer, out);
        Ok(())
    }

    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        if self.full.is_none() {
            self.inner.replace_state(y);
            return;
        }
        match self.chart.enter(self.inner.time(), y, PROJECTED) {
            Some(state) => self.inner.replace_state(&state),
            None => self.leaving = true,
        }
    }

    fn statistics(&self) -> Statistics {
        let (a, b) = (self.before, self.inner.statistics());
        Statistics {
            steps: a.steps + b.steps,
            rejected: a.rejected + b.rejected,
            evaluations: a.evaluations + b.evaluations,
            jacobians: a.jacobians + b.jacobians,
            factorisations: a.factorisations + b.factorisations,
            stiff: a.stiff || b.stiff,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::CompileOptions;
    use crate::model::{Model, Overrides};
    use crate::simulate::{Dop853, Motion, Reduced, Tolerance};

    #[test]
    fn a_state_off_the_constraints_ends_the_chart_and_the_run_goes_on_in_velocities() {
        let model: Model =
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [constraints]\nc = \"y' = 2*x'\"\n[initial]\nvelocity = { x = 1 }\n"
                .parse()
                .unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        let state = crate::model::complete(&mut w.g, &w.system, &Overrides::default()).expect("a state");
        let options = CompileOptions::default();
        let mut reduced = Reduced::new(&mut w, &options, &state.inputs(), &[]).expect("a chart");
        let motion = Motion::new(&mut w, &options, &state.inputs()).expect("a motion");
        let (y, tolerance, sizes) = (state.values(), Tolerance::new(1e-9), StepSize::default());
        let chart = reduced.chart().clone();
        let inner = reduced.chart().enter(0.0, &y, 1e-9).expect("on the constraint");
        assert!(reduced.chart().enter(0.0, &[0.0, 0.0, 1.0, 1.0], 1e-9).is_none());
        let inner = Box::new(Dop853::new(reduced, 0.0, &inner, tolerance, sizes));
        let full: InVelocities =
            Box::new(move |t, y, sizes| Some(Box::new(Dop853::new(motion, t, y, tolerance, sizes))));
        let mut run = Charted::new(chart, inner, full, sizes, &y);
        run.step(1.0).expect("a step");
        assert!(run.is_reduced());
        let (t, x) = (run.time(), run.state()[0]);
        run.replace_state(&[x, 2.0 * x, 1.0, 1.0]);
        run.step(5.0).expect("a step");
        assert!(!run.is_reduced());
        assert!((run.state()[0] - x - (run.time() - t)).abs() < 1e-9, "nothing acts along the constraint");
    }
}
