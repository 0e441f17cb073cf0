//! Runs, and families of them, end where a constraint loses its rank, and where somebody asked for: by every method.

use crate::common::gallery::open;
use noslip::model::{Model, Overrides};
use noslip::simulate::{Axis, METHODS, Method, Outcome, Points, Settings, Sweep, Sweeper, Varied, simulate};

/// Thrown upwards on a cone of velocities that changes with x: it comes to rest at t = 0.26012376…, and there is no telling how it
/// goes on.
const ON_A_CONE: &str = r#"
noslip = 1
[system]
coordinates = ["x", "y", "z"]
[parameters]
a = 2
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z"
[constraints]
c = "(x'^2 + y'^2)*a^2 = z'^2*(1 + x^2)"
[initial]
velocity = { x = 1, y = 0.2 }
"#;
const AT_REST: f64 = 0.2601237642;

fn model() -> Model {
    ON_A_CONE.parse().unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn every_method_ends_at_the_state_of_rest_whatever_its_tolerance() {
    for method in METHODS.iter().filter(|m| m.id() != "dla") {
        for tolerance in [1e-5, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12] {
            let mut model = model();
            let state = model.initial_state(&Overrides::default()).expect("a state");
            let settings = Settings { tolerance, method, ..Settings::until(2.0) };
            let run = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).expect("a run");
            let near = |t: f64| (t - AT_REST).abs() < 1e-8 + 100.0 * tolerance;
            let ended = matches!(&run.outcome, Outcome::Singular { t, .. } if near(*t));
            assert!(ended, "{} with {tolerance:e}: {:?}", method.id(), run.outcome);
        }
    }
}

#[test]
fn motions_of_a_sweep_end_there_too_with_parameters_of_their_own() {
    let model = model();
    let mut w = model.workbench();
    let a = w.system.parameters[0].symbol;
    let x = w.system.coordinates[0];
    let columns = vec![w.g.symbol(x)];
    let axes = vec![Axis { varied: Varied::Parameter(a), from: 1.0, to: 3.0, count: 3 }];
    let at = vec![0.05, 2.0];
    let sweep = Sweep { axes, points: Points::Grid, at, columns, tolerance: 1e-9, max_steps: 100_000 };
    let rows = Sweeper::new(w, &sweep).expect("a sweep").block(0).expect("rows");
    assert_eq!(rows.outcome, ["singular"; 6]);
    for pair in rows.values[0].chunks(2) {
        assert!(pair[0].is_finite() && pair[1].is_nan(), "{:?}", rows.values);
    }
}

#[test]
fn a_discrete_motion_stops_between_its_steps_on_the_constraints() {
    let mut model = open("chaplygin-sledge");
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let stop = model.expression("x - 0.3").expect("an expression");
    let method = Method::by_id("dla").expect("a method");
    for step in [0.1, 0.02, 0.005] {
        let stops = vec![("x - 0.3".to_owned(), stop)];
        let settings = Settings { stops, method, step: Some(step), ..Settings::until(5.0) };
        let run = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).expect("a run");
        assert!(matches!(run.outcome, Outcome::Event { .. }), "{step}: {:?}", run.outcome);
        assert!((run.end.1[0] - 0.3).abs() < 1e-9, "{step}: {:?}", run.end);
    }
}
