//! Long computations are watched and stopped from another thread.

use noslip::compile::CompileOptions;
use noslip::model::Model;
use noslip::simulate::{Ensemble, Outcome, Settings, Start, Tolerance, simulate};
use noslip::{Control, ErrorKind, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PENDULUM: &str = r#"
noslip = 1
[system]
coordinates = ["x", "y"]
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "y"
[constraints]
rod = "x^2 + y^2 = 1"
[initial]
position = { x = 1, y = 0 }
"#;

#[test]
fn an_integration_that_would_not_end_is_stopped_and_keeps_its_last_state() {
    let control = Control::default();
    let limits = Limits { control: Some(control.clone()), ..Limits::default() };
    let watched = limits.clone();
    let under_way = Arc::new(AtomicBool::new(false));
    let begun = under_way.clone();
    let thread = std::thread::spawn(move || {
        let mut model = Model::load(PENDULUM, "test", &limits).expect("a model");
        let state = model.initial_state(&Default::default()).expect("a state");
        let mut w = model.workbench();
        w.limits = limits;
        let settings = Settings { max_steps: u64::MAX, ..Settings::until(1e12) };
        let mut progress = |_| {
            begun.store(true, Ordering::Relaxed);
            true
        };
        simulate(&mut w, &state, &settings, &mut progress).expect("a run")
    });
    while !under_way.load(Ordering::Relaxed) && !thread.is_finished() {
        std::thread::yield_now();
    }
    assert!(control.work() > 0);
    control.stop();
    let run = thread.join().expect("no panic");
    let Outcome::Cancelled { t } = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(t, run.end.0);
    assert_eq!(watched.check_control().expect_err("stopped").kind, ErrorKind::Cancelled);
}

#[test]
fn motions_of_an_ensemble_that_would_not_end_are_stopped() {
    let control = Control::default();
    let limits = Limits { control: Some(control.clone()), steps: u64::MAX, ..Limits::default() };
    let mut model = Model::load(PENDULUM, "test", &limits).expect("a model");
    let state = model.initial_state(&Default::default()).expect("a state");
    let mut w = model.workbench();
    w.limits = limits;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("values");
    let mut all: Ensemble<8> = Ensemble::new(&mut w, &options, &state.inputs(), &[]).expect("it compiles");
    let start = Start { t: state.time, state: state.values(), parameters: Vec::new() };
    let watch = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        control.stop();
    });
    let ended = all.run(&vec![start; 40], 1e12, Tolerance::new(1e-9));
    watch.join().expect("no panic");
    assert_eq!(ended.expect_err("stopped").kind, ErrorKind::Cancelled);
}
