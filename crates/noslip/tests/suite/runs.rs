//! Runs of models as `simulate` makes them: in quasi-velocities where that is cheaper, across tables, by every method.

use crate::common::gallery::open;
use crate::common::load;
use noslip::Limits;
use noslip::compile::{CompileOptions, Runner, Value};
use noslip::mechanics::Dynamics;
use noslip::model::{Model, Overrides};
use noslip::simulate::{
    Component, DOP853, Dop853, IMPLICIT, Method, Motion, Ode, Outcome, Plan, RhsFailure, Run, Samples, Settings,
    Simulation, StepSize, TAYLOR, Tolerance, integrate, simulate,
};
use noslip::simulate::{MotionCode, MotionPart};

fn run(model: &mut Model, method: &'static Method, tolerance: f64, until: f64, at: &[f64]) -> Simulation {
    let state = model.initial_state(&Overrides::default()).expect("an initial state");
    let settings = Settings { at: at.to_vec(), tolerance, method, ..Settings::until(until) };
    let mut w = model.workbench();
    simulate(&mut w, &state, &settings, &mut |_| true).expect("it runs")
}

/// In (q, q̇) throughout, without projection.
fn in_velocities(model: &mut Model, tolerance: f64, until: f64) -> Run {
    let state = model.initial_state(&Overrides::default()).expect("an initial state");
    let y = [state.position, state.velocity].concat();
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let mut w = model.workbench();
    let motion = Motion::new(&mut w, &options, &[vec![state.time], y.clone()].concat()).expect("it compiles");
    let mut stepper = Dop853::new(motion, state.time, &y, Tolerance::new(tolerance), StepSize::default());
    integrate(&mut stepper, &Plan::until(until), &mut [], &mut Samples::default())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max)
}

const METHODS: [&Method; 3] = [&DOP853, &TAYLOR, &IMPLICIT];

#[test]
fn runs_in_quasi_velocities_are_those_in_velocities_and_cost_no_more_steps() {
    for name in [
        "rolling-disk",
        "figure-skater-offset",
        "rod-with-skate-generic",
        "snakeboard",
        "ball-on-turntable",
        "nonlinear-chaplygin",
    ] {
        let mut model = open(name);
        let full = in_velocities(&mut model, 1e-13, 4.0);
        let same = in_velocities(&mut model, 1e-11, 4.0);
        for method in METHODS {
            let (tolerance, allowed) = if *method == IMPLICIT { (1e-10, 1e-7) } else { (1e-11, 1e-9) };
            let simulation = run(&mut model, method, tolerance, 4.0, &[]);
            assert_eq!(simulation.outcome, Outcome::Finished);
            let error = distance(&simulation.end.1, &full.state);
            assert!(error < allowed, "{} by {}: {error:e}", model.system.name, method.id());
            if *method == DOP853 {
                let (steps, limit) = (simulation.statistics.steps, same.statistics.steps * 3 / 2 + 5);
                assert!(steps <= limit, "{}: {steps} steps, {limit} allowed", model.system.name);
            }
        }
    }
}

#[test]
fn velocity_constraints_hold_by_construction_in_quasi_velocities() {
    let mut model = open("rolling-disk");
    let simulation = run(&mut model, &DOP853, 1e-6, 10.0, &[]);
    assert!(simulation.constraint_drift < 1e-14, "{:e}", simulation.constraint_drift);
}

/// Forces given by measured data: piecewise linear, with corners.
const MEASURED: &str = r#"noslip = 1
[system]
name = "Measured force"
coordinates = ["x", "y"]
[tables.f]
of = "t"
at = [0, 1, 2.5, 3, 5]
values = [0, 2, -1, 1, 0]
interpolation = "linear"
[energy]
kinetic = "x'^2/2 + y'^2/2"
[forces]
x = "f(t)"
y = "f(3*t - 1)"
[initial]
position = { x = 0, y = 0 }
velocity = { x = 0, y = 0 }
"#;

/// The table, its integral from 0 and the integral of that.
fn measured(t: f64) -> (f64, f64, f64) {
    let (at, values) = ([0.0, 1.0, 2.5, 3.0, 5.0], [0.0, 2.0, -1.0, 1.0, 0.0]);
    let (mut once, mut twice) = (0.0, 0.0);
    for i in 0..4 {
        let slope = (values[i + 1] - values[i]) / (at[i + 1] - at[i]);
        // Before the data the first piece goes on, after it the last.
        let end = if i == 3 { t } else { t.min(at[i + 1]) };
        let s = if i == 0 { end } else { (end - at[i]).max(0.0) };
        twice += once * s + values[i] * s * s / 2.0 + slope * s * s * s / 6.0;
        once += values[i] * s + slope * s * s / 2.0;
        if t <= at[i + 1] || i == 3 {
            return (values[i] + slope * s, once, twice);
        }
    }
    unreachable!("the last piece has no end")
}

/// (x, y, x', y') at a time, from rest at another.
fn under_measured_forces(start: f64, t: f64) -> [f64; 4] {
    let way = |rate: f64, offset: f64| {
        let ((_, v0, w0), (_, v, w)) = (measured(rate * start + offset), measured(rate * t + offset));
        ((w - w0) / (rate * rate) - v0 / rate * (t - start), (v - v0) / rate)
    };
    let ((x, x_rate), (y, y_rate)) = (way(1.0, 0.0), way(3.0, -1.0));
    [x, y, x_rate, y_rate]
}

#[test]
fn corners_of_tables_cost_no_accuracy_forwards_and_backwards() {
    for (start, until) in [(0.0, 4.0), (4.0, 0.0)] {
        let mut model = load(&MEASURED.replace("[initial]", &format!("[initial]\ntime = {start}")));
        let times: Vec<f64> = (0..=40).map(|i| start + 0.025 * f64::from(i) * (until - start)).collect();
        for method in METHODS {
            let simulation = run(&mut model, method, 1e-12, until, &times);
            assert_eq!((&simulation.outcome, simulation.samples.len()), (&Outcome::Finished, times.len()));
            for sample in &simulation.samples {
                let want = under_measured_forces(start, sample.t);
                let error = distance(&sample.y, &want);
                assert!(error < 2e-12, "{} at {}: {error:e}, {:?} {want:?}", method.id(), sample.t, sample.y);
            }
            assert!(simulation.statistics.steps < 100, "{}: {:?}", method.id(), simulation.statistics);
        }
    }
}

/// The rolling disk, one operation of whose code gives NaN from a time on.
struct Poisoned {
    runner: Runner,
    operation: Option<Value>,
    from: f64,
}

impl Ode for Poisoned {
    fn dimension(&self) -> usize {
        10
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let poison = self.operation.filter(|_| t >= self.from);
        let input = [&[t], y].concat();
        self.runner
            .run_observed(&input, dy, |operation, x| if poison == Some(operation) { f64::NAN } else { x })
            .map_err(|fault| RhsFailure::NonFinite { component: fault.operation.index() })
    }
}

#[test]
fn a_nan_at_any_operation_of_the_code_ends_the_run_at_its_time() {
    let mut model = open("rolling-disk");
    let state = model.initial_state(&Overrides::default()).expect("an initial state");
    let y = [state.position, state.velocity].concat();
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let dynamics = Dynamics::of(&mut model.arena, &model.system);
    let code = MotionCode::new(&model.arena, &model.system, &dynamics, &[0, 1], &options).expect("it compiles");
    let parts = [MotionPart::Velocities, MotionPart::Accelerations];
    let tape = code.tape(&model.arena, &parts, &[], &[]).expect("regular");
    let mut operations = Vec::new();
    let observed = |operation, x| {
        operations.push(operation);
        x
    };
    tape.runner().run_observed(&[&[0.0], y.as_slice()].concat(), &mut [0.0; 10], observed).expect("a regular state");
    assert!(operations.len() > 80);
    for operation in operations {
        let ode = Poisoned { runner: tape.runner(), operation: Some(operation), from: 0.7 };
        let mut stepper = Dop853::new(ode, 0.0, &y, Tolerance::new(1e-9), StepSize::default());
        let run = integrate(&mut stepper, &Plan::until(1.0), &mut [], &mut Samples::default());
        let Outcome::NonFinite { component, t } = run.outcome else { panic!("{:?}", run.outcome) };
        assert_eq!(component, Component::Rate(operation.index()));
        assert!((t - 0.7).abs() < 1e-12 && run.t < 0.7 && run.t > 0.7 - 1e-12, "{t} {}", run.t);
    }
    let healthy = Poisoned { runner: tape.runner(), operation: None, from: 0.7 };
    let mut stepper = Dop853::new(healthy, 0.0, &y, Tolerance::new(1e-9), StepSize::default());
    let run = integrate(&mut stepper, &Plan::until(1.0), &mut [], &mut Samples::default());
    assert_eq!(run.outcome, Outcome::Finished);
}
