//! Constraints that are nonlinear in the accelerations, and constraints of third order, against closed forms and against equations
//! integrated here.

use crate::common::{expression, load, settings, times};
use noslip::Limits;
use noslip::expr::Known;
use noslip::forms::{FORMS, by_id};
use noslip::model::{Model, Overrides};
use noslip::simulate::{METHODS, Simulation, simulate};
use noslip::verify::{Relations, agreement, claim};

fn run(model: &mut Model, at: &[f64]) -> noslip::Result<Simulation> {
    let state = model.initial_state(&Overrides::default())?;
    simulate(&mut model.workbench(), &state, &settings(at, 1e-11), &mut |_| true)
}

/// A particle under a force F (cos ωt, sin ωt), whose acceleration is to have the length a.
const BEAD: &str = "noslip = 1\n[system]\nname = \"bead\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\na = 3\nF = 5\nomega = 1.3\n\
     [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n[forces]\nx = \"F*cos(omega*t)\"\ny = \"F*sin(omega*t)\"\n\
     [constraints]\npush = \"x''^2 + y''^2 = a^2\"\n[initial]\nvelocity = { x = 1, y = -2 }\n";

/// Of the accelerations of length a the one along the force is nearest to F/m: q̈ = a (cos ωt, sin ωt), and
/// λ = m/2 − F/(2a) from m q̈ = F + 2 λ q̈.
#[test]
fn gauss_chooses_the_acceleration_along_the_force() {
    let mut model = load(BEAD);
    let simulation = run(&mut model, &times(4.0, 9)).unwrap();
    assert_eq!(simulation.samples.len(), 9);
    let (a, omega) = (3.0f64, 1.3f64);
    for s in &simulation.samples {
        let (sin, cos) = (omega * s.t).sin_cos();
        let expected = [
            s.t + a / omega.powi(2) * (1.0 - cos),
            -2.0 * s.t + a / omega.powi(2) * (omega * s.t - sin),
            1.0 + a / omega * sin,
            -2.0 + a / omega * (1.0 - cos),
        ];
        for (x, y) in s.y.iter().zip(expected) {
            assert!((x - y).abs() < 1e-9, "{x} for {y} at t = {}", s.t);
        }
        assert!((s.accelerations[0] - a * cos).abs() < 1e-9 && (s.accelerations[1] - a * sin).abs() < 1e-9);
        assert!((s.multipliers[0] - (1.0 - 5.0 / 6.0)).abs() < 1e-9, "{:?}", s.multipliers);
    }
}

/// Where no force tells the directions apart, all are equally near; and where the force vanishes on the way, the motion ends there.
#[test]
fn where_gauss_does_not_choose_the_run_says_so() {
    let error = run(&mut load(&BEAD.replace("F = 5", "F = 0")), &[1.0]).unwrap_err();
    assert!(error.message.starts_with("Gauss's principle does not choose"), "{error}");
    let text = BEAD.replace("y = \"F*sin(omega*t)\"\n", "");
    let simulation = run(&mut load(&text), &[3.0]).unwrap();
    assert_eq!(simulation.outcome.code(), "singular", "{:?}", simulation.outcome);
}

/// No real acceleration has a negative square.
#[test]
fn a_constraint_that_no_acceleration_satisfies_is_refused() {
    let error = run(&mut load(&BEAD.replace("= a^2", "= -a^2")), &[1.0]).unwrap_err();
    assert!(error.message.contains("holds at no real state"), "{error}");
}

/// x‴ = −ω² ẋ with three initial values, beside a fall that the constraint leaves alone.
#[test]
fn a_particle_with_a_prescribed_jerk_follows_the_closed_form() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\nw = 3\ng = 9.81\n\
         [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n[constraints]\njerk = \"x''' = -w^2*x'\"\n\
         [initial]\nvelocity = { x = 1, y = 2 }\nacceleration = { x = 0.5 }\n",
    );
    for method in METHODS.into_iter().filter(|m| m.id() != "dla") {
        let state = model.initial_state(&Overrides::default()).unwrap();
        let settings = noslip::simulate::Settings { method, ..settings(&times(2.0, 5), 1e-11) };
        let simulation = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).unwrap();
        for s in &simulation.samples {
            let (sin, cos) = (3.0 * s.t).sin_cos();
            let x = sin / 3.0 + 0.5 / 9.0 * (1.0 - cos);
            let (y, force) = (2.0 * s.t - 9.81 / 2.0 * s.t * s.t, 2.0 * (-3.0 * sin + 0.5 * cos));
            assert!((s.y[0] - x).abs() < 1e-8 && (s.y[1] - y).abs() < 1e-8, "{} {s:?}", method.id());
            assert!((s.multipliers[0] - force).abs() < 1e-7, "{} {s:?}", method.id());
        }
    }
    let state = model.initial_state(&Overrides::default()).unwrap();
    let dla = METHODS.into_iter().find(|m| m.id() == "dla").unwrap();
    let settings = noslip::simulate::Settings { method: dla, ..settings(&[1.0], 1e-9) };
    let error = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).unwrap_err();
    assert!(error.message.contains("`jerk` is of third order"), "{error}");
}

/// q̇·q⃛ = 0 under gravity: m q̈ = G + λ q̇, so that λ̇ q̇² + λ q̇·q̈ = 0. These are integrated here, in (q, q̇, λ).
#[test]
fn a_third_order_constraint_moves_its_multiplier() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 1.5\ng = 2\n[energy]\n\
         kinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n[constraints]\nc = \"x'*x''' + y'*y''' = 0\"\n\
         [initial]\nvelocity = { x = 1, y = 0.5 }\nacceleration = { x = 0.4 }\n",
    );
    let end = run(&mut model, &[0.0, 1.5]).unwrap();
    let rate = |y: [f64; 5]| {
        let [_, _, u, v, l] = y;
        let (a, b) = (l * u / 1.5, -2.0 + l * v / 1.5);
        [u, v, a, b, -l * (u * a + v * b) / (u * u + v * v)]
    };
    let mut y = [0.0, 0.0, 1.0, 0.5, 1.5 * 0.4];
    let h = 1.5 / 3000.0;
    for _ in 0..3000 {
        let add = |y: [f64; 5], k: [f64; 5], s: f64| std::array::from_fn(|i| y[i] + s * k[i]);
        let k1 = rate(y);
        let k2 = rate(add(y, k1, h / 2.0));
        let k3 = rate(add(y, k2, h / 2.0));
        let k4 = rate(add(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let last = end.samples.last().unwrap();
    for (a, b) in last.y.iter().zip(y) {
        assert!((a - b).abs() < 1e-8, "{a} for {b}");
    }
    assert!((last.multipliers[0] - y[4]).abs() < 1e-8, "{last:?}");
}

/// A body on a knife edge whose angle has a prescribed jerk: the edge holds to the end, and its reaction is that of Lagrange's equations.
#[test]
fn constraints_of_first_and_third_order_stand_side_by_side() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2 + phi'^2/4\"\n\
         [constraints]\nknife = \"x'*sin(phi) = y'*cos(phi)\"\njerk = \"phi''' = 0.6\"\n\
         [initial]\nvelocity = { x = 2, phi = 0.5 }\nacceleration = { phi = -0.3 }\n",
    );
    let knife = expression(&mut model, "x'*sin(phi) - y'*cos(phi)");
    let speed = expression(&mut model, "x'^2 + y'^2 - 4");
    let reaction = expression(&mut model, "lambda_knife + 2*phi'");
    let simulation = run(&mut model, &times(3.0, 7)).unwrap();
    let mut w = model.workbench();
    let columns = noslip::simulate::values_along(&mut w, &[knife, speed, reaction], &simulation.samples).unwrap();
    for (column, name) in columns.iter().zip(["knife", "speed", "reaction"]) {
        assert!(column.iter().all(|x| x.abs() < 1e-8), "{name}: {column:?}");
    }
    for s in &simulation.samples {
        let phi = 0.5 * s.t - 0.15 * s.t * s.t + 0.1 * s.t.powi(3);
        assert!((s.y[2] - phi).abs() < 1e-9, "{s:?}");
    }
}

/// Procedures one and two of Talamucci's section 5, Jourdain's and Nielsen's, proved equal to Lagrange's equations; the others say why
/// they do not apply.
#[test]
fn the_forms_that_apply_are_proved_and_the_others_say_why_not() {
    let third = BEAD.replace("x''^2 + y''^2 = a^2", "x'*x''' + sin(x)*y''' = x''*y''");
    let linear = BEAD.replace("x''^2 + y''^2 = a^2", "x'*x'' + cos(y)*y'' = 0.3");
    for (text, why) in [(BEAD, "nonlinear in the accelerations"), (&third[..], "of third order"), (&linear[..], "")] {
        let model = load(text);
        let mut w = model.workbench();
        for id in ["lagrange-multipliers", "suslov-jourdain", "nielsen", "voronets", "voronets-explicit"] {
            let eq = by_id(id).unwrap().derive(&mut w).unwrap();
            assert_eq!(agreement(&mut w, &eq).known, Known::Proved, "{id}: {text}");
        }
        if why.is_empty() {
            continue;
        }
        for form in FORMS {
            let Err(error) = form.derive(&mut w) else { continue };
            assert!(error.message.contains(why) || error.message.contains("of second order"), "{error}");
        }
    }
}

/// A form with a wrong term is not proved.
#[test]
fn a_wrong_equation_of_higher_order_is_not_proved() {
    let model = load(BEAD);
    let mut w = model.workbench();
    let mut eq = by_id("voronets").unwrap().derive(&mut w).unwrap();
    eq.equations[0] = w.g.add(eq.equations[0], w.g.one());
    assert!(!agreement(&mut w, &eq).holds());
}

/// Claims about such systems are decided in the larger system that has the accelerations in its state.
#[test]
fn claims_about_accelerations_are_decided() {
    let mut model = load(BEAD);
    for (text, holds) in [
        ("x''*sin(omega*t) = y''*cos(omega*t)", true),
        ("(m - 2*lambda_push)*x'' = F*cos(omega*t)", true),
        ("x''*sin(omega*t) = 2*y''*cos(omega*t)", false),
    ] {
        let e = expression(&mut model, text);
        let mut w = model.workbench();
        let decision = claim(&mut w, e, &mut Relations::default());
        assert_eq!(decision.finding.holds(), holds, "{text}: {decision:?}");
    }
}

#[test]
fn what_cannot_be_is_refused_where_it_stands() {
    let refused = |text: &str| {
        let errors = Model::load(text, "model.toml", &Limits::default()).unwrap_err();
        errors.iter().map(|e| e.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let with = |constraint: &str| refused(&BEAD.replace("x''^2 + y''^2 = a^2", constraint));
    assert!(with("x'''^2 = 1").contains("not linear in the third derivatives"));
    assert!(with("x'''' = 1").contains("derivative of order 4"));
    assert!(with("x''' >= 1").contains("contains accelerations"));
    let given = format!("{BEAD}acceleration = {{ x = 1 }}\n");
    assert!(refused(&given).contains("follows from the equations of motion"));
    // Of two accelerations one is free: the other follows from the equations.
    let third = BEAD.replace("x''^2 + y''^2 = a^2", "x''' = 1");
    let error = run(&mut load(&format!("{third}acceleration = {{ y = 7 }}\n")), &[1.0]).unwrap_err();
    assert!(error.message.contains("have the values given"), "{error}");
}
