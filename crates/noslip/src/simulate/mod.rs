//! From equations to motion: integrators, events, projection to the constraints, and how a run may end.
//!
//! - [`Dop853`]: explicit, order 8, for nearly everything;
//! - [`Radau`]: implicit, order 5, for stiff forces;
//! - [`Taylor`]: any order, for reference-grade runs;
//! - [`Dla`]: discrete Lagrange–d'Alembert, order 2, for the long-time behaviour of energy.
//!
//! All of them are a [`Stepper`]; [`integrate`] drives one to the end time, samples it, watches for [`Event`]s, lets an
//! [`Observer`] project the state or cancel, and says how it ended as an [`Outcome`]. An [`Ensemble`] runs many
//! trajectories of one system by [`Dop853`] at once.

// Loops over indices stand as in the formulas; `!(error <= 1.0)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

mod breaks;
mod chart;
mod code;
mod crossings;
mod dla;
mod dop853;
mod dop853_program;
mod dop853_tableau;
mod ensemble;
mod ensemble_lanes;
mod ensemble_pace;
mod events;
mod follow;
mod growth;
mod implicit;
mod inertia;
mod keeper;
mod lanes_of_eight;
mod mechanics;
mod methods;
mod motion;
mod ode;
mod open;
mod outcome;
mod playable;
mod probe;
mod rank;
mod reduced;
mod settings;
mod simulation;
mod stepper;
pub mod sweep;
mod tables;
mod taylor;
#[cfg(test)]
mod tests;
mod through_form;

pub use chart::{Chart, Charted, InVelocities};
pub use code::{MotionCode, MotionPart};
pub use dla::{DLA, Dla};
pub use dop853::{DOP853, Dop853};
pub use ensemble::{Course, Ensemble, Start};
pub use events::{Direction, Event};
pub(crate) use follow::follow;
pub use implicit::{IMPLICIT, Radau};
pub use inertia::negative_inertia;
pub use keeper::Keeper;
pub use mechanics::{CompiledMechanics, Mechanics};
pub use methods::{Begin, Beginning, METHODS, Method};
pub use motion::Motion;
pub use ode::{Ode, OdeFn, RhsFailure};
pub use open::OpenCode;
pub use outcome::{Component, Occurrence, Outcome, Run};
pub use playable::Playable;
pub use probe::{Probe, values_along};
pub use reduced::Reduced;
pub use settings::Settings;
pub(crate) use simulation::event;
pub use simulation::{Sample, Simulation, component_name, simulate};
pub use stepper::{Clock, Statistics, StepFailure, StepSize, Stepper, Tolerance};
pub use sweep::{Axis, Points, Rows, Sweep, Sweeper, Varied};
pub use tables::TableWatch;
pub use taylor::{TAYLOR, Taylor, TaylorOde};
pub use through_form::{FormResult, ThroughForm};

/// What an observer wants after a step.
#[derive(Clone, Debug, PartialEq)]
pub enum AfterStep {
    /// Go on.
    Continue,
    /// Go on from the state as changed by the observer.
    Changed,
    /// Stop: someone cancelled.
    Cancel,
    /// Stop: something drifted too far in this step, whose result is discarded.
    Drift {
        /// What drifted.
        which: String,
        /// By how much.
        size: f64,
    },
}

/// Someone who follows a run.
pub trait Observer {
    /// The state at a requested time, in the order of the requested times.
    fn sample(&mut self, _t: f64, _y: &[f64]) {}

    /// A state inside of a step at which the run ends: it was interpolated, and may be put where it belongs.
    fn between(&mut self, _t: f64, _y: &mut [f64]) {}

    /// Inside the step just made from `from`: whether something was lost on the way that both ends have. What, and when.
    fn inside(&mut self, _stepper: &mut dyn Stepper, _from: (f64, &[f64])) -> Option<(String, f64)> {
        None
    }

    /// After every accepted step: show progress, project the state, cancel.
    fn after_step(&mut self, _t: f64, _y: &mut [f64]) -> AfterStep {
        AfterStep::Continue
    }
}

/// Keeps the samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// Times and states.
    pub points: Vec<(f64, Vec<f64>)>,
}

impl Observer for Samples {
    fn sample(&mut self, t: f64, y: &[f64]) {
        self.points.push((t, y.to_vec()));
    }
}

/// What to do in a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// End time, before or after the start.
    pub until: f64,
    /// Times to sample, in the order of the run; those outside it are left out.
    pub samples: &'a [f64],
    /// Times at which a step has to end and another to begin, sorted: around places where the equation is not smooth.
    pub breaks: &'a [f64],
    /// Limit on the number of accepted steps.
    pub max_steps: u64,
    /// Interior points of each step where events are looked for.
    pub event_checks: usize,
}

impl Plan<'_> {
    /// To `until` with the default limit and no samples.
    pub fn until(until: f64) -> Plan<'static> {
        Plan { until, samples: &[], breaks: &[], max_steps: crate::Limits::default().steps, event_checks: 4 }
    }
}

/// Drives a stepper to the end of the plan or to whatever ends it before.
pub fn integrate(stepper: &mut dyn Stepper, plan: &Plan, events: &mut [Event], observer: &mut dyn Observer) -> Run {
    let mut run = Run {
        outcome: Outcome::Finished,
        t: stepper.time(),
        state: stepper.state().to_vec(),
        occurrences: Vec::new(),
        statistics: stepper.statistics(),
    };
    run.outcome = drive(stepper, plan, events, observer, &mut run).err().unwrap_or(Outcome::Finished);
    run.statistics = stepper.statistics();
    run
}

/// A run that covers less than this part of its time in so many steps has come to a halt.
const STALL_STEPS: u64 = 20_000;
const STALL_PROGRESS: f64 = 1e-9;
/// A run that for so many times as long would not arrive within its limit of steps will not arrive: a body that dry friction
/// holds at rest trembles for ever.
const STALL_ROUNDS: u32 = 5;

/// `Err` is an early end; `run` holds the last good state throughout.
fn drive(
    stepper: &mut dyn Stepper,
    plan: &Plan,
    events: &mut [Event],
    observer: &mut dyn Observer,
    run: &mut Run,
) -> Result<(), Outcome> {
    let start = stepper.time();
    let forward = if plan.until >= start { 1.0 } else { -1.0 };
    let mut samples = plan.samples.iter().copied().filter(|t| forward * (t - start) >= 0.0).peekable();
    if let Some(index) = crate::numeric::first_non_finite(stepper.state()) {
        return Err(Outcome::NonFinite { component: Component::State(index), t: start });
    }
    let mut breaks: Vec<f64> = plan.breaks.iter().copied().filter(|t| forward * (plan.until - t) > 0.0).collect();
    if forward < 0.0 {
        breaks.reverse();
    }
    let mut breaks = breaks.into_iter().peekable();
    let mut watch = events::Watch::new(events, start, stepper.state())?;
    while let Some(&t) = samples.peek().filter(|&&t| t == start) {
        observer.sample(t, stepper.state());
        samples.next();
    }
    let mut y = vec![0.0; stepper.dimension()];
    let mut interpolated = y.clone();
    let first_step = stepper.statistics().steps;
    // Steps that shorten without end (a state that cannot be passed) never reach the end time.
    let mut mark = (first_step, start);
    let mut slow = 0;
    while stepper.time() != plan.until {
        let steps = stepper.statistics().steps;
        if steps - mark.0 >= STALL_STEPS && !stepper.clock().is_fixed() {
            let progress = (stepper.time() - mark.1).abs();
            if progress < STALL_PROGRESS * (plan.until - start).abs() {
                return Err(Outcome::StepTooSmall { t: run.t, h: progress / STALL_STEPS as f64 });
            }
            let ahead = (plan.until - stepper.time()).abs() / progress * STALL_STEPS as f64;
            slow = if ahead > plan.max_steps as f64 { slow + 1 } else { 0 };
            if slow >= STALL_ROUNDS {
                return Err(Outcome::StepTooSmall { t: run.t, h: progress / STALL_STEPS as f64 });
            }
            mark = (steps, stepper.time());
        }
        if stepper.statistics().steps - first_step >= plan.max_steps {
            return Err(Outcome::MaxSteps { t: run.t });
        }
        while breaks.next_if(|t| forward * (t - stepper.time()) <= 0.0).is_some() {}
        stepper
            .step(breaks.peek().copied().unwrap_or(plan.until))
            .map_err(|failure| Outcome::of_step(failure, run.t))?;
        let mut t = stepper.time();
        y.copy_from_slice(stepper.state());
        if let Some(index) = crate::numeric::first_non_finite(&y) {
            return Err(Outcome::NonFinite { component: Component::State(index), t });
        }
        if let Some((which, t)) = observer.inside(stepper, (run.t, &run.state)) {
            return Err(Outcome::Singular { which, t });
        }
        let found = watch.scan(events, stepper, plan.event_checks)?;
        let stop = found.last().filter(|o| events[o.index].terminal);
        if let Some(stop) = stop {
            t = stop.t;
            y.copy_from_slice(&stop.state);
            observer.between(t, &mut y);
        }
        match observer.after_step(t, &mut y) {
            AfterStep::Continue => {}
            AfterStep::Changed if stop.is_some() => {}
            AfterStep::Changed => {
                stepper.replace_state(&y);
                watch.state_replaced(events, t, &y)?;
            }
            // The step was good, only unwanted: keep its result.
            AfterStep::Cancel => {
                (run.t, run.state) = (t, y);
                return Err(Outcome::Cancelled { t });
            }
            AfterStep::Drift { which, size } => return Err(Outcome::Drift { which, size, t }),
        }
        while let Some(&at) = samples.peek().filter(|&&at| forward * (at - t) <= 0.0) {
            if at == t {
                observer.sample(at, &y);
            } else {
                stepper.dense(at, &mut interpolated).map_err(|failure| Outcome::of_step(failure, run.t))?;
                observer.sample(at, &interpolated);
            }
            samples.next();
        }
        run.t = t;
        run.state.copy_from_slice(&y);
        let ending = stop.map(|stop| Outcome::Event { index: stop.index, name: events[stop.index].name.clone(), t });
        run.occurrences.extend(found);
        if let Some(outcome) = ending {
            return Err(outcome);
        }
    }
    Ok(())
}
