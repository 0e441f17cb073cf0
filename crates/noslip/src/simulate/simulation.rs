//! A run of a model: from its initial state to the end time, sampled, watched and kept on the constraints.

use super::mechanics::{CompiledMechanics, Mechanics};
use super::methods::{Begin, Beginning, Method};
use super::rank::Rank;
use super::{
    AfterStep, Charted, Component, Event, Keeper, Motion, Observer, Occurrence, Outcome, Plan, Probe, Reduced,
    Settings, Statistics, StepFailure, StepSize, Stepper, TableWatch, Tolerance, breaks, integrate,
};
use crate::Control;
use crate::compile::CompileOptions;
use crate::error::{Error, Remedy, Result};
use crate::expr::Expr;
use crate::mechanics::{Lifted, Workbench, expect_reactions};
use crate::model::State;
use crate::numeric::{ProjectionFailure, first_non_finite};

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
    pub method: &'static Method,
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

/// Keeps the first 2n components of a state on the constraints, and the samples in memory.
pub(super) struct Watch<'a> {
    keeper: Keeper<CompiledMechanics>,
    n: usize,
    /// Constraints that may lose rank on the way.
    rank: Option<Rank>,
    energy: Option<Energy>,
    /// Tables that may be left.
    pub(super) tables: Option<TableWatch>,
    tolerance: f64,
    pub(super) drift: f64,
    /// Does the method itself satisfy the constraints after every step?
    exact: bool,
    pub(super) points: Vec<(f64, Vec<f64>)>,
    progress: &'a mut dyn FnMut(f64) -> bool,
    control: Option<Control>,
}

/// How far the energy moves from where it began.
struct Energy {
    probe: Probe,
    start: f64,
    scale: f64,
    drift: f64,
}

impl Energy {
    fn new(w: &mut Workbench, options: &CompileOptions, state: &State) -> Result<Energy> {
        let total = w.g.add(w.system.kinetic, w.system.potential);
        let mut probe = Probe::new(w, &[total], options)?;
        let start = probe.values(state.time, &state.values(), &[], &[])[0];
        Ok(Energy { probe, start, scale: start.abs().max(1.0), drift: 0.0 })
    }

    fn look(&mut self, t: f64, y: &[f64]) {
        let energy = self.probe.values(t, y, &[], &[])[0];
        self.drift = self.drift.max((energy - self.start).abs() / self.scale);
    }
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        w: &mut Workbench,
        options: &CompileOptions,
        settings: &Settings,
        progress: &'a mut dyn FnMut(f64) -> bool,
    ) -> Result<Watch<'a>> {
        let exact = matches!(settings.method.start, Begin::Mechanics(_));
        let mut rank = Rank::of(w, options, &[])?;
        rank.iter_mut().for_each(|rank| rank.begin(&[], settings.tolerance, exact));
        Ok(Watch {
            keeper: Keeper::new(CompiledMechanics::new(w, options)?),
            n: w.system.n(),
            rank,
            energy: None,
            tables: TableWatch::of_motion(w, options, &[])?,
            tolerance: settings.tolerance,
            drift: 0.0,
            exact,
            points: Vec::new(),
            progress,
            control: w.limits.control.clone(),
        })
    }

    /// The constraint on velocities that is violated most, beside its terms, and by how much.
    fn worst(&mut self, t: f64, y: &[f64]) -> (String, f64) {
        let system = self.keeper.system();
        let (k, n) = (system.constraints(), self.n);
        let (mut phi, mut a) = (vec![0.0; k], vec![0.0; k * n]);
        system.velocity_constraints(t, &y[..n], &y[n..], &mut phi, &mut a);
        let size = |j: usize| {
            let terms: f64 = (0..n).map(|i| (a[j * n + i] * y[n + i]).abs()).sum();
            phi[j].abs() / (terms + f64::MIN_POSITIVE)
        };
        let worst = (0..k).map(|j| (j, size(j))).max_by(|x, y| x.1.total_cmp(&y.1));
        worst.map_or_else(|| (String::new(), 0.0), |(j, size)| (system.constraint_name(j), size))
    }
}

impl Observer for Watch<'_> {
    fn sample(&mut self, t: f64, y: &[f64]) {
        let mut y = y.to_vec();
        self.between(t, &mut y);
        self.points.push((t, y));
    }

    fn between(&mut self, t: f64, y: &mut [f64]) {
        // Discrete steps end on the constraints; what is interpolated between them is put there.
        if self.exact {
            let mut kept = y[..2 * self.n].to_vec();
            if self.keeper.keep(t, &mut kept, (0.01 * self.tolerance).max(1e-14)).is_ok()
                && self.worst(t, &kept).1 < self.worst(t, &y[..2 * self.n]).1
            {
                y[..2 * self.n].copy_from_slice(&kept);
            }
        }
    }

    fn inside(&mut self, stepper: &mut dyn Stepper, from: (f64, &[f64])) -> Option<(String, f64)> {
        self.rank.as_mut()?.inside(stepper, from)
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
        let stopped = self.control.as_ref().is_some_and(|c| c.count(1).is_err());
        if stopped || !(self.progress)(t) {
            return AfterStep::Cancel;
        }
        // Below a hundredth of the tolerance drift is noise; beyond, it is put right before it grows.
        let state = &mut y[..2 * self.n];
        let before = state.to_vec();
        let changed = match self.keeper.keep(t, state, (0.01 * self.tolerance).max(1e-14)) {
            // A discrete constraint holds after every step, or the step was none.
            Ok((drift, _)) if self.exact && !(drift <= DRIFT_LIMIT) => {
                return AfterStep::Drift { which: self.worst(t, &before).0, size: drift };
            }
            // So far off within a step: the accelerations were none of this system's, and samples inside the step are wrong.
            Ok((drift, _)) if !(drift <= (100.0 * self.tolerance).max(1e-3)) => {
                return AfterStep::Drift { which: self.worst(t, &before).0, size: drift };
            }
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
                state.copy_from_slice(&before);
                let (which, size) = self.worst(t, &before);
                if size > DRIFT_LIMIT {
                    return AfterStep::Drift { which, size };
                }
                false
            }
        };
        if let Some(energy) = &mut self.energy {
            energy.look(t, state);
        }
        if let Some(tables) = &mut self.tables {
            tables.look(t, &[&[t], &*state].concat());
        }
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
    w.system.no_inequality()?;
    expect_reactions(w, state)?;
    if w.linear_accelerations().is_err() {
        return simulate_lifted(w, state, settings, progress);
    }
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let typical = state.inputs();
    let motion = Motion::new(w, &options, &typical)?;
    let mut watch = Watch::new(w, &options, settings, progress)?;
    watch.energy = Some(Energy::new(w, &options, state)?);
    watch.tables.iter_mut().for_each(|tables| tables.look(state.time, &typical));
    let mut events = Vec::new();
    for (name, e) in &settings.stops {
        events.push(event(w, name, *e, &options, &typical)?.terminal());
    }
    let mut stepper = begin(w, &options, state, settings, motion)?;
    // Constant steps stay constant.
    let breaks = match stepper.clock().is_fixed() {
        true => Vec::new(),
        false => breaks::break_times(w, &options, state.time)?,
    };
    let plan =
        Plan { samples: &settings.at, breaks: &breaks, max_steps: settings.max_steps, ..Plan::until(settings.until) };
    let run = integrate(stepper.as_mut(), &plan, &mut events, &mut watch);
    drop(events);
    w.tell_of(watch.tables.as_mut().map(TableWatch::take).unwrap_or_default());
    let points = std::mem::take(&mut watch.points);
    let (samples, failed) = samples(w, &options, &typical, points, watch.energy.as_mut())?;
    // What was good ends with the last good sample.
    let end = match (&failed, samples.last()) {
        (None, _) => (run.t, run.state),
        (Some(_), Some(last)) => (last.t, last.y.clone()),
        (Some(_), None) => (state.time, state.values()),
    };
    Ok(Simulation {
        outcome: failed.unwrap_or(run.outcome),
        method: settings.method,
        end,
        samples,
        occurrences: run.occurrences,
        statistics: run.statistics,
        energy_drift: watch.energy.map_or(0.0, |e| e.drift),
        constraint_drift: watch.drift,
    })
}

/// The same where accelerations do not follow from linear equations: by a larger system that has them in its state.
fn simulate_lifted(
    w: &mut Workbench,
    state: &State,
    settings: &Settings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Simulation> {
    if let (Begin::Mechanics(_), Err(why)) = (&settings.method.start, w.linear_accelerations()) {
        let message = format!("the method `{}` does not apply: {why}", settings.method.id());
        return Err(Error::not_applicable(message));
    }
    let lifted = Lifted::new(w)?;
    let start = lifted.start(w, state)?;
    let mut settings = settings.clone();
    for (_, e) in &mut settings.stops {
        *e = w.g.substitute(*e, &lifted.meaning);
    }
    let larger = lifted.system.clone();
    let mut run = w.beside(larger, |w| simulate(w, &start, &settings, progress))?;
    for s in &mut run.samples {
        (s.y, s.accelerations, s.multipliers) = lifted.parts(&s.y);
    }
    run.end.1 = lifted.parts(&run.end.1).0;
    if let Outcome::NonFinite { component, .. } = &mut run.outcome {
        *component = match *component {
            Component::State(i) => Component::State(lifted.component(i)),
            Component::Rate(i) => Component::Rate(lifted.component(i)),
            Component::Multiplier(_) => Component::Energy,
            other => other,
        };
    }
    Ok(run)
}

/// The integration by the method of the settings: in quasi-velocities where that is cheaper, as long as their chart is good.
fn begin(
    w: &mut Workbench,
    options: &CompileOptions,
    state: &State,
    settings: &Settings,
    motion: Motion,
) -> Result<Box<dyn Stepper>> {
    let y = state.values();
    let sizes = settings.step.map_or_else(StepSize::default, StepSize::fixed);
    let from = Beginning { t: state.time, y: &y, tolerance: Tolerance::new(settings.tolerance), sizes };
    let method = settings.method;
    if let Begin::Mechanics(start) = method.start {
        if let Some(c) = w.system.constraints.iter().find(|c| c.order == 2) {
            let (id, name) = (method.id(), &c.name);
            return Err(Error::not_applicable(format!(
                "the method `{id}` does not apply: constraint `{name}` is of second order"
            )));
        }
        let h = settings.step.unwrap_or((settings.until - state.time).abs() / 1000.0);
        if !(h > 0.0) {
            return Err(Error::input(format!("the method `{}` needs a step greater than zero", method.id()))
                .remedy(Remedy::Step));
        }
        let from = Beginning { sizes: StepSize::fixed(h), ..from };
        return Ok(start(CompiledMechanics::new(w, options)?, &from));
    }
    let unused = || Error::not_applicable(format!("the method `{}` does not apply here", method.id()));
    let slack = (0.01 * settings.tolerance).max(1e-11);
    let reduced = Reduced::if_cheaper(w, options, &state.inputs(), &[], &motion).and_then(|mut reduced| {
        let inner = reduced.chart().enter(state.time, &y, slack)?;
        Some((reduced, inner))
    });
    let Some((mut reduced, inner)) = reduced else { return method.begin(motion, &from).ok_or_else(unused) };
    let chart = reduced.chart().clone();
    let inner = method.begin(reduced, &Beginning { y: &inner, ..from }).ok_or_else(unused)?;
    let tolerance = from.tolerance;
    let full = move |t, y: &[f64], sizes| method.begin(motion, &Beginning { t, y, tolerance, sizes });
    Ok(Box::new(Charted::new(chart, inner, Box::new(full), sizes, &y)))
}

/// Accelerations and multipliers at the points of a run; the outcome where they have no value.
fn samples(
    w: &mut Workbench,
    options: &CompileOptions,
    typical: &[f64],
    points: Vec<(f64, Vec<f64>)>,
    mut energy: Option<&mut Energy>,
) -> Result<(Vec<Sample>, Option<Outcome>)> {
    let mut motion = Motion::new(w, options, typical)?;
    let mut samples = Vec::with_capacity(points.len());
    for (t, y) in points {
        let mut accelerations = vec![0.0; w.system.n()];
        let mut multipliers = vec![0.0; w.system.k()];
        if let Err(failure) = motion.solve(t, &y, &mut accelerations, &mut multipliers) {
            return Ok((samples, Some(Outcome::of_step(StepFailure::Rhs { failure, t }, t))));
        }
        let energy = energy.as_mut().map_or(0.0, |e| e.probe.values(t, &y, &[], &[])[0]);
        if let Some(component) = not_finite(&y, &accelerations, &multipliers, energy) {
            return Ok((samples, Some(Outcome::NonFinite { component, t })));
        }
        samples.push(Sample { t, y, accelerations, multipliers });
    }
    Ok((samples, None))
}

/// The first number of a sample that is infinite or none at all.
fn not_finite(y: &[f64], accelerations: &[f64], multipliers: &[f64], energy: f64) -> Option<Component> {
    let state = first_non_finite(y).map(Component::State);
    let rate = || first_non_finite(accelerations).map(|i| Component::Rate(accelerations.len() + i));
    let multiplier = || first_non_finite(multipliers).map(Component::Multiplier);
    state.or_else(rate).or_else(multiplier).or_else(|| (!energy.is_finite()).then_some(Component::Energy))
}

/// An expression to watch; accelerations and multipliers are computed only where it needs them.
pub(crate) fn event(
    w: &mut Workbench,
    name: &str,
    e: Expr,
    options: &CompileOptions,
    typical: &[f64],
) -> Result<Event<'static>> {
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
        Component::Multiplier(j) => w.g.name(w.system.constraints[*j].multiplier).to_owned(),
        Component::Energy => "energy".into(),
        Component::Event(i) => format!("event {}", i + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, Overrides, complete};

    #[test]
    fn samples_between_discrete_steps_are_on_the_constraints() {
        let model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n\
             [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"(x^2 + y^2)/2\"\n[constraints]\nc = \"z' = y*x'\"\n\
             [initial]\nposition = { x = 1, y = 0.5 }\nvelocity = { x = 0.3, y = -0.2 }\n"
            .parse()
            .unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        let state = complete(&mut w.g, &w.system, &Overrides::default()).expect("a state");
        let method = Method::by_id("dla").expect("a method");
        let at: Vec<f64> = (0..=30).map(|i| f64::from(i) / 30.0).collect();
        let settings = Settings { at, method, step: Some(0.1), ..Settings::until(1.0) };
        let run = simulate(&mut w, &state, &settings, &mut |_| true).expect("a run");
        assert_eq!((&run.outcome, run.samples.len()), (&Outcome::Finished, 31));
        for s in &run.samples {
            assert!((s.y[5] - s.y[1] * s.y[3]).abs() < 1e-9, "{s:?}");
        }
    }

    #[test]
    fn the_first_number_that_is_not_finite_is_named_by_what_it_is() {
        let (y, a, l) = ([0.0; 4], [0.0; 2], [0.0; 2]);
        assert_eq!(not_finite(&y, &a, &l, 1.0), None);
        assert_eq!(not_finite(&[0.0, 0.0, f64::NAN, 0.0], &[f64::NAN; 2], &l, 1.0), Some(Component::State(2)));
        // Accelerations are the rates of the velocities, which stand behind the coordinates.
        assert_eq!(not_finite(&y, &[f64::INFINITY, 0.0], &l, 1.0), Some(Component::Rate(2)));
        assert_eq!(not_finite(&y, &[0.0, f64::NAN], &l, 1.0), Some(Component::Rate(3)));
        assert_eq!(not_finite(&y, &a, &[0.0, f64::NAN], 1.0), Some(Component::Multiplier(1)));
        assert_eq!(not_finite(&y, &a, &l, f64::NEG_INFINITY), Some(Component::Energy));
    }

    #[test]
    fn the_worst_constraint_is_violated_most_beside_its_own_terms() {
        let model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\", \"w\"]\n\
             [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2 + w'^2)/2\"\n\
             [constraints]\nfast = \"1000*x' = 1000*y'\"\nslow = \"z' = w'\"\n"
            .parse()
            .unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let mut go_on = |_| true;
        let mut watch = Watch::new(&mut w, &options, &Settings::default(), &mut go_on).expect("a watch");
        // Ten beside 200 000 is little, a thousandth beside nothing else is all.
        let (which, size) = watch.worst(0.0, &[0.0, 0.0, 0.0, 0.0, 100.01, 100.0, 0.001, 0.0]);
        assert_eq!((which.as_str(), size), ("constraint `slow`", 1.0));
        let (which, size) = watch.worst(0.0, &[0.0, 0.0, 0.0, 0.0, 101.0, 100.0, 1.0, 1.0]);
        assert!(which == "constraint `fast`" && (size - 1.0 / 201.0).abs() < 1e-12, "{which} {size}");
    }
}
