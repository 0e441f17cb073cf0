//! Models that stand nowhere else: every integral that is found stays constant along their motions.

use crate::motions::{expression, load, reduced};
use crate::steady_families::PENDULUM;
use noslip::expr::Expr;
use noslip::model::Overrides;
use noslip::motions::integrals::integrals;
use noslip::simulate::{Settings, simulate, values_along};

/// Coordinates, definitions and energies, forces, constraints, initial state.
fn model(coordinates: &str, energies: &str, forces: &str, constraints: &str, initial: &str) -> String {
    let section =
        |name: &str, lines: &str| if lines.is_empty() { String::new() } else { format!("[{name}]\n{lines}\n") };
    format!(
        "noslip = 1\n[system]\nname = \"held out\"\ncoordinates = [{coordinates}]\n{}{}{}[initial]\n{initial}\n",
        section("energy", energies),
        section("forces", forces),
        section("constraints", constraints),
    )
}

fn written() -> Vec<(&'static str, String)> {
    let plane = "position = { x = 0.1, y = 0.8, z = 0 }\nvelocity = { x = 0.7, y = 0.5 }";
    let three = r#""x", "y", "z""#;
    vec![
        ("a pendulum on a wheel", PENDULUM.to_owned()),
        (
            "the contact oscillator",
            model(
                three,
                "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"y^2/2\"",
                "",
                "c = \"z' - y*x' = 0\"",
                plane,
            ),
        ),
        (
            "a particle under gravity on a twisted field",
            model(
                three,
                "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"3*z\"",
                "",
                "c = \"z' - y*x' + x*y' = 0\"",
                plane,
            ),
        ),
        (
            "damped across, free along",
            model(three, "kinetic = \"(2*x'^2 + y'^2 + z'^2)/2\"", "y = \"-y'/3\"", "c = \"z' - y*x' = 0\"", plane),
        ),
        (
            "a belt that moves",
            model(
                three,
                "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"x^2 + y^2\"",
                "",
                "c = \"z' - y*x' = 1/2\"",
                plane,
            ),
        ),
        (
            "a skate with a rotor",
            model(
                r#""x", "y", "phi", "alpha""#,
                "kinetic = \"(3*x'^2 + 3*y'^2 + 2*phi'^2 + (phi' + alpha')^2/4)/2\"",
                "",
                "edge = \"x'*sin(phi) - y'*cos(phi) = 0\"",
                "position = { x = 0, y = 0, phi = 0.4, alpha = 0 }\nvelocity = { x = 1, phi = 0.6, alpha = -0.8 }",
            ),
        ),
        (
            "a sleigh with a mass on a spring",
            model(
                r#""x", "y", "phi", "s""#,
                "kinetic = \"(2*(x' - sin(phi)*phi'/5)^2 + 2*(y' + cos(phi)*phi'/5)^2 + phi'^2/2 \
                 + ((x' + s'*cos(phi) - s*sin(phi)*phi')^2 + (y' + s'*sin(phi) + s*cos(phi)*phi')^2)/3)/2\"\n\
                 potential = \"3*s^2/2\"",
                "",
                "edge = \"x'*sin(phi) - y'*cos(phi) = 0\"",
                "position = { x = 0, y = 0, phi = 0.4, s = 0.1 }\nvelocity = { x = 1, phi = 0.6, s = 0 }",
            ),
        ),
        (
            "a coin that rolls upright down a slope",
            model(
                r#""x", "y", "psi", "phi""#,
                "kinetic = \"(x'^2 + y'^2 + psi'^2/4 + phi'^2/2)/2\"\npotential = \"-2*x\"",
                "",
                "one = \"x' - cos(psi)*phi' = 0\"\ntwo = \"y' - sin(psi)*phi' = 0\"",
                "position = { x = 0, y = 0, psi = 0.4, phi = 0 }\nvelocity = { psi = 0.9, phi = 1.1 }",
            ),
        ),
        (
            "two wheels on an axle",
            model(
                r#""x", "y", "psi", "a", "b""#,
                "kinetic = \"(4*x'^2 + 4*y'^2 + psi'^2 + a'^2/3 + b'^2/3)/2\"",
                "",
                "side = \"y'*cos(psi) - x'*sin(psi) = 0\"\nleft = \"x'*cos(psi) + y'*sin(psi) - psi' - a'/2 = 0\"\n\
                 right = \"x'*cos(psi) + y'*sin(psi) + psi' - b'/2 = 0\"",
                "position = { x = 0, y = 0, psi = 0.4, a = 0, b = 0 }\nvelocity = { x = 1, psi = 0.6 }",
            ),
        ),
        (
            "a charge in a field, on a sphere",
            model(
                three,
                "kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"2*z\"",
                "x = \"y'\"\ny = \"-x'\"",
                "sphere = \"x^2 + y^2 + z^2 = 1\"",
                "position = { x = 0.6, y = 0, z = 0.8 }\nvelocity = { x = 0, y = 1.3, z = 0 }",
            ),
        ),
    ]
}

/// Energies and constraints with coefficients drawn at random: most have nothing but the energy, some a cyclic coordinate.
fn drawn(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (a, b, c) = (1 + draw(4), 1 + draw(4), 1 + draw(4));
    let potential = ["0", "y^2/2", "cos(y)", "x*y/3", "z^2/4 + y^4/9", "sin(x)"][draw(6) as usize];
    let slope = ["y", "y^2", "sin(y)", "1 + x*y", "x", "exp(y)/3"][draw(6) as usize];
    let force = ["0", "0", "-y'/5", "x'/7", "1/2"][draw(5) as usize];
    let drift = ["0", "0", "1/3"][draw(3) as usize];
    model(
        r#""x", "y", "z""#,
        &format!("kinetic = \"({a}*x'^2 + {b}*y'^2 + {c}*z'^2)/2\"\npotential = \"{potential}\""),
        &format!("y = \"{force}\""),
        &format!("c = \"z' - ({slope})*x' = {drift}\""),
        "position = { x = 0.2, y = 0.3, z = 0 }\nvelocity = { x = 0.7, y = 0.5 }",
    )
}

/// How many integrals were found; each is constant along the motion to 1e-8.
fn constant_along_motions(name: &str, text: &str) -> usize {
    let mut model = load(text);
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(&model).unwrap_or_else(|| panic!("{name} is reduced"));
    let found = integrals(&mut w, &r, 2).unwrap_or_else(|e| panic!("{name}: {e}"));
    let settings = Settings {
        until: 3.0,
        at: (0..=20).map(|i| 0.15 * f64::from(i)).collect(),
        tolerance: 1e-12,
        ..Settings::default()
    };
    let run = simulate(&mut w, &state, &settings, &mut |_| true).unwrap_or_else(|e| panic!("{name}: {e}"));
    let list: Vec<Expr> = found.list.iter().map(|i| i.expr).collect();
    let columns = values_along(&mut w, &list, &run.samples).expect("values");
    for (integral, column) in found.list.iter().zip(columns) {
        let size = column.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        let drift = column.iter().fold(0.0f64, |m, x| m.max((x - column[0]).abs()));
        assert!(drift < 1e-8 * size, "{name}: {} drifts by {drift}", integral.name);
    }
    list.len()
}

#[test]
fn integrals_of_held_out_models_are_constant_along_their_motions() {
    let mut count = 0;
    for (name, text) in written() {
        count += constant_along_motions(name, &text);
    }
    assert!(count >= 15, "{count} integrals");
}

#[test]
fn integrals_of_random_models_are_constant_along_their_motions() {
    let count: usize = (1..=16).map(|seed| constant_along_motions(&format!("seed {seed}"), &drawn(seed))).sum();
    assert!(count >= 10, "{count} integrals");
}

/// The contact oscillator keeps (y² + y'²)/2 beside its energy.
#[test]
fn the_contact_oscillator_keeps_the_energy_of_its_oscillation() {
    let text = &written()[1].1;
    let model = load(text);
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let found = integrals(&mut w, &r, 2).expect("an answer");
    let want = expression(&mut w, "(y^2 + y'^2)/2");
    let same = found.list.iter().any(|i| {
        let e = w.simplify(i.expr - want);
        i.how.is_proved() && w.g.is_zero(e)
    });
    assert!(same, "{:?}", found.list);
}
