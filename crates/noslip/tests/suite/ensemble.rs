//! Many trajectories at once against the same trajectories one by one.

use crate::common::gallery::{open, text};
use crate::common::load;
use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::model::{Model, Overrides};
use noslip::simulate::{
    Dop853, Ensemble, Motion, Outcome, Plan, Reduced, Run, Samples, Start, StepSize, Taylor, Tolerance, integrate,
};

const DISK: &str = "rolling-disk";
const SLEDGE: &str = "chaplygin-sledge";
const CAR: &str = "car-in-a-turn";

/// The model's own start and variations of it, on the constraints.
fn starts(model: &mut Model, count: usize) -> Vec<Start> {
    let base = model.initial_state(&Overrides::default()).expect("an initial state");
    let free = model.system.initial.as_ref().expect("an initial section");
    let given: Vec<usize> = (0..base.velocity.len()).filter(|&i| free.velocity[i].is_some()).collect();
    (0..count)
        .map(|j| {
            let factor = |i: usize| 1.0 + 0.3 * ((j * (i + 2)) as f64 * 0.37).sin();
            let overrides = Overrides {
                velocity: given.iter().map(|&i| (i, base.velocity[i] * factor(i))).collect(),
                ..Overrides::default()
            };
            let state = model.initial_state(&overrides).expect("a start");
            Start { t: state.time, state: [state.position, state.velocity].concat(), parameters: Vec::new() }
        })
        .collect()
}

fn typical(start: &Start) -> Vec<f64> {
    [&[start.t], start.state.as_slice()].concat()
}

#[derive(Clone, Copy, PartialEq)]
enum In {
    Velocities,
    QuasiVelocities,
}

fn ensemble<const L: usize>(model: &mut Model, start: &Start, open: &[&str], form: In) -> Ensemble<L> {
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let open: Vec<_> = open
        .iter()
        .map(|name| {
            let find = |p: &&noslip::model::Parameter| model.arena.name(p.symbol) == *name;
            model.system.parameters.iter().find(find).expect("a parameter").symbol
        })
        .collect();
    let mut w = model.workbench();
    match form {
        In::Velocities => {
            let ensemble = Ensemble::in_velocities(&mut w, &options, &typical(start), &open).expect("it compiles");
            assert!(!ensemble.is_reduced(), "velocities were asked for");
            ensemble
        }
        In::QuasiVelocities => {
            let ensemble = Ensemble::new(&mut w, &options, &typical(start), &open).expect("it compiles");
            assert!(ensemble.is_reduced(), "quasi-velocities are cheaper");
            ensemble
        }
    }
}

fn scalar(model: &mut Model, at: &Start, start: &Start, until: f64, tolerance: Tolerance) -> Run {
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let mut w = model.workbench();
    let motion = Motion::new(&mut w, &options, &typical(at)).expect("it compiles");
    let mut stepper = Dop853::new(motion, start.t, &start.state, tolerance, StepSize::default());
    integrate(&mut stepper, &Plan::until(until), &mut [], &mut Samples::default())
}

/// The same in quasi-velocities.
fn scalar_reduced(model: &mut Model, at: &Start, start: &Start, until: f64, tolerance: Tolerance) -> Run {
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let mut w = model.workbench();
    let mut reduced = Reduced::new(&mut w, &options, &typical(at), &[]).expect("it compiles");
    let y = reduced.chart().enter(start.t, &start.state, 1e-11).expect("on the constraints");
    let mut stepper = Dop853::new(&mut reduced, start.t, &y, tolerance, StepSize::default());
    let run = integrate(&mut stepper, &Plan::until(until), &mut [], &mut Samples::default());
    let mut state = vec![0.0; start.state.len()];
    reduced.chart().leave(run.t, &run.state, &mut state);
    Run { state, ..run }
}

fn bits(state: &[f64]) -> Vec<u64> {
    state.iter().map(|x| x.to_bits()).collect()
}

fn assert_same(one: &Run, other: &Run, what: &str) {
    assert_eq!(one.outcome, other.outcome, "{what}");
    assert_eq!(one.t, other.t, "{what}");
    assert_eq!(bits(&one.state), bits(&other.state), "{what}: {:?} {:?}", one.state, other.state);
    let counts = |r: &Run| (r.statistics.steps, r.statistics.rejected);
    assert_eq!(counts(one), counts(other), "{what}");
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1.0 + b.abs())).fold(0.0, f64::max)
}

#[test]
fn every_trajectory_equals_the_scalar_integrator_to_the_last_bit() {
    for (name, until, tolerance) in [(DISK, 5.0, 1e-10), (SLEDGE, 0.5, 1e-11), (CAR, 2.0, 1e-9)] {
        for form in [In::Velocities, In::QuasiVelocities] {
            let mut model = open(name);
            let starts = starts(&mut model, 37);
            let tolerance = Tolerance::new(tolerance);
            let mut few: Ensemble<8> = ensemble(&mut model, &starts[0], &[], form);
            let mut many: Ensemble<32> = ensemble(&mut model, &starts[0], &[], form);
            let eight = few.run(&starts, until, tolerance).expect("runs");
            let thirty_two = many.run(&starts, until, tolerance).expect("runs");
            assert_eq!((few.went_alone(), many.went_alone()), (0, 0), "all stay in the batch");
            assert_eq!((eight.len(), thirty_two.len()), (37, 37));
            let one = if form == In::Velocities { scalar } else { scalar_reduced };
            for (i, start) in starts.iter().enumerate() {
                let alone = one(&mut model, &starts[0], start, until, tolerance);
                assert_eq!(alone.outcome, Outcome::Finished);
                assert_same(&eight[i], &alone, &format!("{} in 8 lanes, start {i}", model.system.name));
                assert_same(&thirty_two[i], &alone, &format!("{} in 32 lanes, start {i}", model.system.name));
            }
            if name == DISK {
                let steps = || eight.iter().map(|r| r.statistics.steps);
                assert_ne!(steps().max(), steps().min(), "trajectories of different lengths share the lanes");
            }
        }
    }
}

#[test]
fn trajectories_that_depend_on_time_begin_and_go_on_as_the_scalar_integrator_does() {
    // From a time that is not zero, backwards too: the first steps are guessed with the force a little later.
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + (2 + sin(3*t))*y'^2)/2\"\n\
         [forces]\nx = \"exp(t)*cos(5*t*x) - x\"\n[initial]\ntime = 1.5\nposition = { x = 1, y = 2 }\nvelocity = { x = 0.5, y = -1 }\n";
    let mut model = load(text);
    let starts = starts(&mut model, 11);
    assert!(starts.iter().all(|s| s.t == 1.5));
    for (until, tolerance) in [(2.5, 1e-9), (0.75, 1e-11)] {
        let tolerance = Tolerance::new(tolerance);
        let mut lanes: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::Velocities);
        for (i, (run, start)) in lanes.run(&starts, until, tolerance).expect("runs").iter().zip(&starts).enumerate() {
            assert_same(
                run,
                &scalar(&mut model, &starts[0], start, until, tolerance),
                &format!("start {i} to {until}"),
            );
        }
    }
}

#[test]
fn velocities_and_quasi_velocities_give_the_same_trajectories() {
    for (name, until) in [(DISK, 5.0), (SLEDGE, 8.0), (CAR, 5.0)] {
        let mut model = open(name);
        let starts = starts(&mut model, 20);
        let tolerance = Tolerance::new(1e-12);
        let full = ensemble::<16>(&mut model, &starts[0], &[], In::Velocities).run(&starts, until, tolerance).unwrap();
        let mut reduced: Ensemble<16> = ensemble(&mut model, &starts[0], &[], In::QuasiVelocities);
        for (i, run) in reduced.run(&starts, until, tolerance).unwrap().iter().enumerate() {
            let error = distance(&run.state, &full[i].state);
            assert!(error < 1e-9, "{}, start {i}: {error:e}", model.system.name);
        }
        println!("{}: {} left the charts", model.system.name, reduced.went_alone());
    }
}

#[test]
fn velocities_off_the_constraints_are_not_forgotten() {
    // Quasi-velocities cannot tell them: such a trajectory must not be integrated in them.
    let mut model = open(SLEDGE);
    let mut starts = starts(&mut model, 9);
    for start in &mut starts[4..] {
        start.state[3] += 0.1;
    }
    let tolerance = Tolerance::new(1e-11);
    let mut runs: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::QuasiVelocities);
    for (run, start) in runs.run(&starts, 1.0, tolerance).expect("runs").iter().zip(&starts) {
        let alone = scalar(&mut model, &starts[0], start, 1.0, tolerance);
        assert!(distance(&run.state, &alone.state) < 1e-8, "{:?} {:?}", run.state, alone.state);
    }
}

#[test]
fn the_edge_of_a_chart_is_passed() {
    // Without quasi-velocities in the model, independent velocities are taken, whose chart ends at a right angle.
    let mut model =
        load(&text(SLEDGE).replace("[quasi_velocities]\ns = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n", ""));
    assert!(model.system.quasi_velocities.is_empty());
    for count in [37, 3] {
        let starts = starts(&mut model, count);
        let mut runs: Ensemble<16> = ensemble(&mut model, &starts[0], &[], In::QuasiVelocities);
        for (run, start) in runs.run(&starts, 8.0, Tolerance::new(1e-12)).expect("runs").iter().zip(&starts) {
            assert_eq!(run.outcome, Outcome::Finished);
            let error = distance(&run.state, &reference(&mut model, start, 8.0));
            assert!(error < 1e-9, "{error:e} from {:?}", start.state);
        }
    }
}

#[test]
fn a_trajectory_does_not_depend_on_its_neighbours() {
    let mut model = open(DISK);
    let mut starts = starts(&mut model, 21);
    let tolerance = Tolerance::new(1e-9);
    let mut runs: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::QuasiVelocities);
    let clean = runs.run(&starts, 3.0, tolerance).expect("runs");
    // Other order, other company.
    let mut reversed: Vec<Start> = starts.iter().rev().cloned().collect();
    reversed.drain(..4);
    for (i, run) in runs.run(&reversed, 3.0, tolerance).expect("runs").iter().enumerate() {
        assert_same(run, &clean[16 - i], &format!("start {i} of the reversed order"));
    }
    // Neighbours that end at once, cannot begin, or need other steps altogether.
    starts[2].state[1] = f64::NAN;
    starts[5].t = 3.0;
    starts[6].state[5] = 1e150;
    starts[9].t = 2.999;
    for i in [7, 8, 9] {
        starts[13].state[i] *= 40.0;
    }
    let mixed = runs.run(&starts, 3.0, tolerance).expect("runs");
    for i in (0..21).filter(|i| ![2, 5, 6, 9, 13].contains(i)) {
        assert_same(&mixed[i], &clean[i], &format!("start {i} among strange neighbours"));
    }
    assert!(matches!(mixed[2].outcome, Outcome::NonFinite { .. }), "{:?}", mixed[2]);
    assert_eq!((&mixed[5].outcome, &mixed[5].state), (&Outcome::Finished, &starts[5].state));
    assert!(mixed[9].outcome == Outcome::Finished && mixed[9].statistics.steps < clean[9].statistics.steps);
    assert!(mixed[13].outcome == Outcome::Finished && mixed[13].statistics.steps > clean[13].statistics.steps);
}

#[test]
fn a_sample_at_the_start_is_the_start() {
    let mut model = open(DISK);
    let starts = starts(&mut model, 9);
    let mut runs: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::QuasiVelocities);
    let begin = starts[0].t;
    let sampled = runs.run_at(&starts, &[begin, begin, begin + 1.0], Tolerance::new(1e-9)).expect("runs");
    let ended = runs.run(&starts, begin + 1.0, Tolerance::new(1e-9)).expect("runs");
    for ((course, start), run) in sampled.iter().zip(&starts).zip(&ended) {
        assert_eq!(course.states, [&start.state, &start.state, &run.state].map(Clone::clone));
    }
}

#[test]
fn trajectories_have_their_own_parameters_and_what_follows_from_them() {
    // The inertia follows from mass and radius of gyration.
    let with_inertia = text(SLEDGE)
        .replace("kC = 0.45", "kC = 0.45\nJ = \"M*kC^2\"")
        .replace("M/2*(x_C'^2 + y_C'^2 + kC^2*phi'^2)", "M/2*(x_C'^2 + y_C'^2) + J/2*phi'^2");
    let mut model = load(&with_inertia);
    let mut starts = starts(&mut model, 19);
    for (i, start) in starts.iter_mut().enumerate() {
        start.parameters = vec![0.2 + 0.02 * i as f64, 0.4 + 0.01 * i as f64];
    }
    let tolerance = Tolerance::new(1e-12);
    let mut runs: Ensemble<16> = ensemble(&mut model, &starts[0], &["alpha", "kC"], In::QuasiVelocities);
    let got = runs.run(&starts, 6.0, tolerance).expect("runs");
    assert!(runs.went_alone() < 4);
    for (run, start) in got.iter().zip(&starts) {
        let text = text(SLEDGE)
            .replace("alpha = 0.35", &format!("alpha = {}", start.parameters[0]))
            .replace("kC = 0.45", &format!("kC = {}", start.parameters[1]));
        let alone = scalar(&mut load(&text), start, start, 6.0, tolerance);
        assert_eq!(run.outcome, Outcome::Finished);
        let error = distance(&run.state, &alone.state);
        assert!(error < 1e-9, "{error:e} for {:?}", start.parameters);
    }
    assert!(distance(&got[0].state, &got[18].state) > 1e-2, "the parameters matter");
}

/// End state by Taylor's method.
fn reference(model: &mut Model, start: &Start, until: f64) -> Vec<f64> {
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let mut w = model.workbench();
    let motion = Motion::new(&mut w, &options, &typical(start)).expect("it compiles");
    let mut taylor = Taylor::new(motion, start.t, &start.state, Tolerance::new(1e-15), StepSize::default());
    let run = integrate(&mut taylor, &Plan::until(until), &mut [], &mut Samples::default());
    assert_eq!(run.outcome, Outcome::Finished);
    run.state
}

#[test]
fn trajectories_whose_pivots_go_bad_arrive_all_the_same() {
    // Inertia along the blade only: whatever is eliminated first, some heading is bad for it, though not for the system.
    // Many that come there go on together, a few go on alone.
    let blade = r#"noslip = 1
[system]
name = "Blade with inertia along itself"
coordinates = ["x", "y", "phi"]
[energy]
kinetic = "(x'*cos(phi) + y'*sin(phi))^2/2 + phi'^2/2"
potential = "x/5"
[constraints]
blade = "x'*sin(phi) - y'*cos(phi)"
[initial]
position = { x = 0, y = 0, phi = 0.4 }
velocity = { x = 1, phi = 1 }
"#;
    for count in [37, 3] {
        let mut model = load(blade);
        let starts = starts(&mut model, count);
        let mut runs: Ensemble<16> = ensemble(&mut model, &starts[0], &[], In::Velocities);
        let got = runs.run(&starts, 2.0, Tolerance::new(1e-12)).expect("runs");
        println!("{} of {count} went alone", runs.went_alone());
        assert!(if count == 3 { runs.went_alone() > 0 } else { runs.went_alone() < 4 }, "{}", runs.went_alone());
        for (run, start) in got.iter().zip(&starts) {
            assert_eq!(run.outcome, Outcome::Finished);
            let error = distance(&run.state, &reference(&mut model, start, 2.0));
            assert!(error < 1e-9, "{error:e} from {:?}", start.state);
        }
    }
}

#[test]
fn where_the_equations_end_the_trajectory_ends_with_the_reason() {
    // Those thrown far enough reach x = 1, where the potential has no value.
    let well = r#"noslip = 1
[system]
name = "Skate before a wall"
coordinates = ["x", "y", "phi"]
[parameters]
m = 1.0
J = 0.3
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
potential = "-sqrt(1 - x)"
[constraints]
blade = "x'*sin(phi) - y'*cos(phi)"
[initial]
position = { x = 0, y = 0, phi = 0.1 }
velocity = { x = 3, phi = 0.2 }
"#;
    let mut model = load(well);
    let mut starts = starts(&mut model, 24);
    for (i, start) in starts.iter_mut().enumerate() {
        let factor = if i % 2 == 0 { 1.0 } else { 0.01 };
        start.state[3] *= factor;
        start.state[4] *= factor;
    }
    let mut runs: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::Velocities);
    let tolerance = Tolerance::new(1e-9);
    for (i, (run, start)) in runs.run(&starts, 2.0, tolerance).expect("runs").iter().zip(&starts).enumerate() {
        let alone = scalar(&mut model, &starts[0], start, 2.0, tolerance);
        assert_eq!(run.outcome.code(), alone.outcome.code(), "start {i}: {:?} {:?}", run.outcome, alone.outcome);
        assert!((run.t - alone.t).abs() < 1e-6, "start {i}: {} {}", run.t, alone.t);
        assert_eq!(run.outcome.is_success(), i % 2 == 1, "start {i}: {:?}", run.outcome);
    }
}

#[test]
fn limits_and_wrong_starts_are_reported() {
    let mut model = open(DISK);
    let starts = starts(&mut model, 3);
    let mut runs: Ensemble<8> = ensemble(&mut model, &starts[0], &[], In::Velocities);
    runs.max_steps = 5;
    for run in runs.run(&starts, 50.0, Tolerance::new(1e-9)).expect("runs") {
        assert!(matches!(run.outcome, Outcome::MaxSteps { t } if t == run.t && t > 0.0), "{:?}", run.outcome);
        assert_eq!(run.statistics.steps, 5);
    }
    runs.max_steps = 1_000_000;
    // There and back again.
    let there = runs.run(&starts, 2.0, Tolerance::new(1e-12)).expect("runs");
    let turned: Vec<Start> =
        there.iter().map(|r| Start { t: r.t, state: r.state.clone(), parameters: Vec::new() }).collect();
    for (run, start) in runs.run(&turned, 0.0, Tolerance::new(1e-12)).expect("runs").iter().zip(&starts) {
        assert!(distance(&run.state, &start.state) < 1e-9, "{:?} {:?}", run.state, start.state);
    }
    let short = Start { t: 0.0, state: vec![0.0; 9], parameters: Vec::new() };
    assert!(runs.run(&[short], 1.0, Tolerance::new(1e-9)).is_err());
    assert!(runs.run(&starts, f64::NAN, Tolerance::new(1e-9)).is_err());
    assert!(runs.run(&[], 1.0, Tolerance::new(1e-9)).expect("nothing to do").is_empty());
}
