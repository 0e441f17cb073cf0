use crate::common::{gallery, load};
use noslip::expr::Symbol;
use noslip::model::{Model, Overrides};
use noslip::principles::family::{Action, Given, Range, action, construct};
use std::f64::consts::PI;

fn range(until: f64) -> Range {
    Range { until, amplitude: 0.1, tolerance: 1e-12 }
}

/// The action of a model on a family: coordinate, expression, and whether it is added to the motion.
fn along(model: &mut Model, until: f64, overrides: &Overrides, given: &[(usize, &str, bool)]) -> Action {
    let parameter: Symbol = model.declare_constant("epsilon").expect("a new name");
    let state = model.initial_state(overrides).expect("a state");
    let given: Vec<Given> = given
        .iter()
        .map(|&(coordinate, text, added)| {
            let value = model.expression(text).expect("an expression");
            Given { coordinate, value, added }
        })
        .collect();
    action(&mut model.workbench(), &state, &given, parameter, range(until)).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn sumbatovs_family_for_appells_particle_has_variations_that_vanish_at_the_ends() {
    // Section 4 before (4.9): z' = √(x'² + y'²), x = t, y = α sin 2πt.
    let mut model = gallery::open_with("appell-particle", &[("a", -1.0), ("g", 0.0), ("m", 1.0)]);
    let overrides = Overrides {
        position: vec![(0, 0.0), (1, 0.0), (2, 0.0)],
        velocity: vec![(0, 1.0), (1, 0.0)],
        ..Overrides::default()
    };
    let a = along(&mut model, 1.0, &overrides, &[(0, "t", false), (1, "epsilon*sin(2*pi*t)", false)]);
    assert!(a.has_motion() && a.fixed_ends(), "{a:?}");
    for m in &a.members {
        // L = x'² + y'², so that W = 1 + 2π²α²; the end is z = ∫ √(1 + (2πα cos 2πt)²) dt, another for each α.
        let expected = 1.0 + 2.0 * (PI * m.parameter).powi(2);
        assert!((m.action - expected).abs() < 1e-9, "W({}) = {} instead of {expected}", m.parameter, m.action);
        let n = 2000;
        let speed = |t: f64| (1.0 + (2.0 * PI * m.parameter * (2.0 * PI * t).cos()).powi(2)).sqrt();
        let z: f64 = (0..n).map(|i| speed((f64::from(i) + 0.5) / f64::from(n)) / f64::from(n)).sum();
        assert!((m.end[2] - z).abs() < 1e-9, "z = {} instead of {z}", m.end[2]);
    }
    assert!(a.rate.abs() < 1e-9 && a.differences.abs() < 1e-9);
    // Rumyantsev's condition holds along it: the reactions do no work.
    assert!(a.reactions.abs() < 1e-9);
}

#[test]
fn without_a_potential_jacobis_action_changes_with_hamiltons_also_where_members_all_but_rest() {
    let text = r#"
        noslip = 1
        [system]
        name = "particle"
        coordinates = ["x", "y", "z"]
        [energy]
        kinetic = "(x'^2 + y'^2 + z'^2)/2"
        [constraints]
        c = "z' = y*x'"
        [initial]
        position = { y = 1 }
        velocity = { x = 1, y = 0.5 }
    "#;
    // J = √(2h)·∫ √(2T) dt: its derivative on the motion, where T = h, is ∫ δT dt, that of W. For α = 0.1 the member all but rests at t = 3.
    let family = [(0, "epsilon*t*(3.5 - t*(0.36*t + 0.08))", true), (1, "epsilon*t*(2.3 - t*(0.3*t - 0.12))", true)];
    let a = along(&mut load(text), 3.0, &Overrides::default(), &family);
    let (rate, _) = a.least.clone().expect("the energy is constant");
    assert!(a.has_motion() && (a.rate - a.differences).abs() < 1e-8, "{} {}", a.rate, a.differences);
    assert!((rate - a.rate).abs() < 1e-4 * a.rate.abs(), "{rate} for {}", a.rate);
    assert_eq!(a.members.iter().map(|m| m.parameter).collect::<Vec<_>>(), [-0.1, -0.05, 0.0, 0.05, 0.1]);
}

#[test]
fn the_action_of_an_oscillator_is_stationary_and_its_second_variation_is_known() {
    let text = r#"
        noslip = 1
        [system]
        name = "oscillator"
        coordinates = ["x"]
        [energy]
        kinetic = "x'^2/2"
        potential = "x^2/2"
        [initial]
        position = { x = 1 }
        velocity = { x = 0.5 }
    "#;
    let mut model = load(text);
    let a = along(&mut model, 1.0, &Overrides::default(), &[(0, "epsilon*t*(1 - t)", true)]);
    let second = 1.0 / 3.0 - 1.0 / 30.0; // ∫ (η'² − η²) dt
    for m in &a.members {
        let expected = a.members[2].action + second * m.parameter.powi(2) / 2.0;
        assert!((m.action - expected).abs() < 1e-10, "{} {expected}", m.action);
    }
    assert!(a.rate.abs() < 1e-10 && a.fixed_ends() && a.has_motion());
    // Where the oscillator turns, a varied motion would have to be where its energy does not suffice.
    assert!(a.least.is_err() && a.members.iter().any(|m| m.jacobi.is_none()));
}

#[test]
fn jacobis_action_of_a_free_particle_is_the_length_of_its_path() {
    let text = r#"
        noslip = 1
        [system]
        name = "free"
        coordinates = ["x", "y"]
        [energy]
        kinetic = "(x'^2 + y'^2)/2"
        [initial]
        position = { x = 0, y = 0 }
        velocity = { x = 1, y = 0 }
    "#;
    let mut model = load(text);
    let a = along(&mut model, 1.0, &Overrides::default(), &[(1, "epsilon*sin(pi*t)", true)]);
    let (rate, lagrange) = a.least.clone().expect("it applies");
    assert!(rate.abs() < 1e-9 && (lagrange - 1.0).abs() < 1e-10);
    for m in &a.members {
        let n = 2000;
        let speed = |t: f64| (1.0 + (PI * m.parameter * (PI * t).cos()).powi(2)).sqrt();
        let length: f64 = (0..n).map(|i| speed((f64::from(i) + 0.5) / f64::from(n)) / f64::from(n)).sum();
        assert!((m.jacobi.expect("a value") - length).abs() < 1e-9);
    }
}

#[test]
fn a_family_with_fixed_ends_is_constructed_and_the_action_is_not_stationary_on_it() {
    for name in ["knife-edge-body", "vertical-disk", "chaplygin-sledge"] {
        let mut model = gallery::open(name);
        let parameter = model.declare_constant("epsilon").expect("a new name");
        let state = model.initial_state(&Overrides::default()).expect("a state");
        let mut w = model.workbench();
        let given = construct(&mut w, &state, parameter, range(1.0)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let a = action(&mut w, &state, &given, parameter, range(1.0)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(a.has_motion() && a.fixed_ends(), "{name}: {a:?}");
        // (1): both sides, and the differences of W.
        let right = a.ends - a.reactions - a.forces;
        assert!((a.rate - right).abs() < 1e-8 * (1.0 + right.abs()), "{name}: {} {right}", a.rate);
        assert!((a.rate - a.differences).abs() < 1e-3 * (1.0 + right.abs()), "{name}: {} {}", a.rate, a.differences);
        let action_changes = a.rate.abs() > 1e-4;
        assert!(action_changes && a.not_virtual > 1e-4 || name == "vertical-disk", "{name}: {a:?}");
    }
}
