//! A run of a model: from its initial state to the end time, sampled, watched and kept on the constraints.

use super::breaks;
use super::keeper::Keeper;
use super::mechanical::Mechanical;
use super::motion::Motion;
use super::probe::Probe;
use super::{
    AfterStep, Charted, Component, Dla, Dop853, Event, MechanicalSystem, Observer, Occurrence, Ode, Outcome, Plan,
    Radau, Reduced, Statistics, StepSize, Stepper, Taylor, TaylorOde, Tolerance, integrate,
};
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::ProjectionFailure;

/// Integration methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Dormand–Prince 8(5,3).
    Dop853,
    /// Taylor series.
    Taylor,
    /// Radau IIA of order 5.
    Implicit,
    /// Discrete Lagrange–d'Alembert.
    Dla,
}

impl Method {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Dop853 => "dop853",
            Method::Taylor => "taylor",
            Method::Implicit => "implicit",
            Method::Dla => "dla",
        }
    }

    /// The method of that name.
    pub fn by_name(name: &str) -> Option<Method> {
        [Method::Dop853, Method::Taylor, Method::Implicit, Method::Dla].into_iter().find(|m| m.name() == name)
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// End time.
    pub until: f64,
    /// Times to report, in the order of the run.
    pub at: Vec<f64>,
    /// Relative and absolute tolerance.
    pub tolerance: f64,
    /// Integrator.
    pub method: Method,
    /// Fixed step, for the method that has one.
    pub step: Option<f64>,
    /// Limit on steps.
    pub max_steps: u64,
    /// Stop where one of these crosses zero: name and expression.
    pub stops: Vec<(String, Expr)>,
}

impl Settings {
    /// Refuses what no run can begin with.
    pub(crate) fn check(&self) -> Result<()> {
        if !self.until.is_finite() || self.at.iter().any(|t| !t.is_finite()) {
            return Err(Error::input("times must be finite numbers"));
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(Error::input(format!("the tolerance {} is not between 0 and 1", self.tolerance))
                .hint("give for example --tolerance 1e-9"));
        }
        Ok(())
    }
}

/// The motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Time.
    pub t: f64,
    /// Coordinates and velocities.
    pub y: Vec<f64>,
    /// Accelerations.
    pub accelerations: Vec<f64>,
    /// Multipliers.
    pub multipliers: Vec<f64>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// How it ended.
    pub outcome: Outcome,
    /// The method used.
    pub method: Method,
    /// The last good time and state.
    pub end: (f64, Vec<f64>),
    /// The requested samples as far as the run came.
    pub samples: Vec<Sample>,
    /// Events that occurred.
    pub occurrences: Vec<Occurrence>,
    /// What it cost.
    pub statistics: Statistics,
    /// Largest relative change of T + V.
    pub energy_drift: f64,
    /// Largest relative residual of a constraint after a step, before it was put right.
    pub constraint_drift: f64,
}

/// Relative residuals beyond this end a run that cannot be brought back onto its constraints.
const DRIFT_LIMIT: f64 = 1e-6;

struct Watch<'a> {
    keeper: Keeper<Mechanical>,
    energy: Probe,
    start_energy: f64,
    energy_scale: f64,
    tolerance: f64,
    drift: f64,
    energy_drift: f64,
    points: Vec<(f64, Vec<f64>)>,
    progress: &'a mut dyn FnMut(f64) -> bool,
}

impl Observer for Watch<'_> {
    fn sample(&mut self, t: f64, y: &[f64]) {
        self.points.push((t, y.to_vec()));
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
        if !(self.progress)(t) {
            return AfterStep::Cancel;
        }
        // Below a hundredth of the tolerance drift is noise; beyond, it is put right before it grows.
        let before = y.to_vec();
        let changed = match self.keeper.keep(t, y, (0.01 * self.tolerance).max(1e-14)) {
            Ok((drift, changed)) => {
                self.drift = self.drift.max(drift);
                changed
            }
            Err(ProjectionFailure::Contradiction { equation, residual }) if residual.abs() > DRIFT_LIMIT => {
                return AfterStep::Drift {
                    which: self.keeper.system().constraint_name(equation),
                    size: residual.abs(),
                };
            }
            // What is not finite is found by the integrator; small residuals that cannot be removed do no harm.
            Err(_) => {
                y.copy_from_slice(&before);
                false
            }
        };
        let energy = self.energy.values(t, y, &[], &[])[0];
        self.energy_drift = self.energy_drift.max((energy - self.start_energy).abs() / self.energy_scale);
        if changed { AfterStep::Changed } else { AfterStep::Continue }
    }
}

/// Integrates a system from a state. `progress` is told the time after every step and may return false to cancel.
pub fn simulate(
    w: &mut Workbench,
    state: &State,
    settings: &Settings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Simulation> {
    settings.check()?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let y: Vec<f64> = state.position.iter().chain(&state.velocity).copied().collect();
    let mut typical = vec![state.time];
    typical.extend(&y);
    let motion = Motion::new(w, &options, &typical)?;
    let total = w.g.add(w.system.kinetic, w.system.potential);
    let mut energy = Probe::new(w, &[total], &options)?;
    let start_energy = energy.values(state.time, &y, &[], &[])[0];
    let mut keeper = Watch {
        keeper: Keeper::new(Mechanical::new(w, &options)?),
        energy,
        start_energy,
        energy_scale: start_energy.abs().max(1.0),
        tolerance: settings.tolerance,
        drift: 0.0,
        energy_drift: 0.0,
        points: Vec::new(),
        progress,
    };
    let mut events = Vec::new();
    for (name, e) in &settings.stops {
        events.push(event(w, name, *e, &options, &typical)?.terminal());
    }
    let tolerance = Tolerance::new(settings.tolerance);
    let sizes = settings.step.map_or_else(StepSize::default, StepSize::fixed);
    let mut stepper: Box<dyn Stepper> = match settings.method {
        Method::Dop853 | Method::Taylor | Method::Implicit => {
            // In quasi-velocities where that is cheaper, as long as their chart is good.
            let slack = (0.01 * settings.tolerance).max(1e-11);
            let reduced = Reduced::if_cheaper(w, &options, &typical, &[], &motion).and_then(|mut reduced| {
                let state = reduced.chart().enter(state.time, &y, slack)?;
                Some((reduced, state))
            });
            let method = settings.method;
            let full = move |t, y: &[f64], sizes| stepper_of(method, motion, t, y, tolerance, sizes);
            match reduced {
                None => full(state.time, &y, sizes),
                Some((mut reduced, inner)) => {
                    let chart = reduced.chart().clone();
                    let inner = stepper_of(method, reduced, state.time, &inner, tolerance, sizes);
                    Box::new(Charted::new(chart, inner, Box::new(full), sizes, &y))
                }
            }
        }
        Method::Dla => {
            if let Some(c) = w.system.constraints.iter().find(|c| c.order == 2) {
                return Err(Error::not_applicable(format!(
                    "the method `dla` does not apply: constraint `{}` is of second order",
                    c.name
                )));
            }
            let h = settings.step.unwrap_or((settings.until - state.time).abs() / 1000.0);
            if !(h > 0.0) {
                return Err(Error::input("the method `dla` needs a step greater than zero").hint("give --step H"));
            }
            Box::new(Dla::new(Mechanical::new(w, &options)?, state.time, &y, h))
        }
    };
    // Constant steps stay constant.
    let fixed = settings.step.is_some() || settings.method == Method::Dla;
    let breaks = if fixed { Vec::new() } else { breaks::break_times(w, &options, state.time)? };
    let plan = Plan {
        until: settings.until,
        samples: &settings.at,
        breaks: &breaks,
        max_steps: settings.max_steps,
        event_checks: 4,
    };
    let run = integrate(stepper.as_mut(), &plan, &mut events, &mut keeper);
    drop(events);
    // Accelerations and multipliers at the samples.
    let mut motion = Motion::new(w, &options, &typical)?;
    let mut samples = Vec::new();
    let mut outcome = run.outcome;
    for (t, y) in std::mem::take(&mut keeper.points) {
        let mut accelerations = vec![0.0; w.system.n()];
        let mut multipliers = vec![0.0; w.system.k()];
        if let Err(failure) = motion.solve(t, &y, &mut accelerations, &mut multipliers) {
            outcome = Outcome::of_step(super::StepFailure::Rhs { failure, t }, t);
            break;
        }
        samples.push(Sample { t, y, accelerations, multipliers });
    }
    Ok(Simulation {
        outcome,
        method: settings.method,
        end: (run.t, run.state),
        samples,
        occurrences: run.occurrences,
        statistics: run.statistics,
        energy_drift: keeper.energy_drift,
        constraint_drift: keeper.drift,
    })
}

/// A differential equation integrated by a method of the kind that takes any.
fn stepper_of(
    method: Method,
    ode: impl Ode + TaylorOde + 'static,
    t: f64,
    y: &[f64],
    tolerance: Tolerance,
    sizes: StepSize,
) -> Box<dyn Stepper> {
    match method {
        Method::Taylor => Box::new(Taylor::new(ode, t, y, tolerance, sizes)),
        Method::Implicit => Box::new(Radau::new(ode, t, y, tolerance, sizes)),
        Method::Dop853 | Method::Dla => Box::new(Dop853::new(ode, t, y, tolerance, sizes)),
    }
}

/// An expression to watch; accelerations and multipliers are computed only where it needs them.
fn event(w: &mut Workbench, name: &str, e: Expr, options: &CompileOptions, typical: &[f64]) -> Result<Event<'static>> {
    let mut probe = Probe::new(w, &[e], options)?;
    let mut needed: Vec<_> = w.system.accelerations.clone();
    needed.extend(w.system.constraints.iter().map(|c| c.multiplier));
    needed.extend(w.system.quasi_velocities.iter().map(|v| v.symbol).collect::<Vec<_>>().iter().map(|&s| w.g.dot(s)));
    if !w.g.depends_on_any(e, &needed) {
        return Ok(Event::new(name, move |t, y: &[f64]| probe.values(t, y, &[], &[])[0]));
    }
    let mut motion = Motion::new(w, options, typical)?;
    let (mut a, mut lambda) = (vec![0.0; w.system.n()], vec![0.0; w.system.k()]);
    Ok(Event::new(name, move |t, y: &[f64]| match motion.solve(t, y, &mut a, &mut lambda) {
        Ok(()) => probe.values(t, y, &a, &lambda)[0],
        Err(_) => f64::NAN,
    }))
}

/// Names a component of an outcome: `theta'` for the rate of θ.
pub fn component_name(w: &mut Workbench, component: &Component) -> String {
    let n = w.system.n();
    let of = |w: &Workbench, i: usize, more: &str| {
        let s = if i < n { w.system.coordinates[i] } else { w.system.velocities[i - n] };
        format!("{}{more}", w.g.name(s))
    };
    match component {
        Component::Rate(i) => of(w, *i, "'"),
        Component::State(i) => of(w, *i, ""),
        other => format!("{other:?}"),
    }
}
