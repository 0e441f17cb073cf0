//! Motions made to tempt: steady only at the edge of a chart, on one side of a corner, or but for a second derivative; families that
//! begin far away; eigenvalues that vanish beside others, or stand in chains.

use crate::motions::{load, names, reduced};
use noslip::model::{Model, Overrides};
use noslip::motions::integrals::integrals;
use noslip::motions::linearise::{Stability, linearise};
use noslip::motions::measure::measure;
use noslip::motions::steady::{Answer, Question, steady};

fn model(coordinates: &str, rest: &str) -> Model {
    load(&format!("noslip = 1\n[system]\nname = \"tempting\"\ncoordinates = [{coordinates}]\n{rest}"))
}

fn asked(model: &mut Model) -> noslip::Result<Answer> {
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(model).expect("it is reduced");
    let r = r.relative(&mut w);
    steady(&mut w, &r, &state, &Question::default())
}

fn found(mut model: Model) -> Answer {
    asked(&mut model).expect("a steady motion")
}

fn value(model: &Model, a: &Answer, name: &str) -> f64 {
    let values = &a.motions[0].values;
    values.iter().find(|(s, _)| model.arena.name(*s) == name).map_or(f64::NAN, |x| x.1)
}

#[test]
fn a_family_that_begins_far_away_is_not_overlooked() {
    // R ψ'² cos θ = −g: only where the hoop turns faster than √(g/R) = 9.9.
    let a = found(model(
        "\"theta\", \"psi\"",
        "[parameters]\ng = 9.81\nR = 0.1\nJ = 0.5\n[energy]\n\
         kinetic = \"R^2/2*(theta'^2 + sin(theta)^2*psi'^2) + J/2*psi'^2\"\npotential = \"g*R*cos(theta)\"\n\
         [initial]\nposition = { theta = 0.3 }\nvelocity = { psi = 1 }\n",
    ));
    let exact = a.exact.expect("families in letters");
    assert_eq!((exact.list.len(), exact.complete), (4, true));
}

#[test]
fn masses_of_planets_and_of_grains_have_families_too() {
    for (m, j, a) in [("5.97e24", "1e38", "6.4e6"), ("1e-21", "1e-38", "1e-9")] {
        let found = found(model(
            "\"x\", \"y\", \"phi\"",
            &format!(
                "[parameters]\nm = {m}\nJ = {j}\na = {a}\n[energy]\n\
                 kinetic = \"m/2*(x'^2 + y'^2) + (J + m*a^2)/2*phi'^2 + m*a*phi'*(y'*cos(phi) - x'*sin(phi))\"\n\
                 [constraints]\nc = \"x'*sin(phi) = y'*cos(phi)\"\n[initial]\nvelocity = {{ x = 3, phi = 7e-5 }}\n"
            ),
        ));
        let exact = found.exact.expect("families in letters");
        assert_eq!((exact.list.len(), exact.complete, found.dimension), (1, true, 1));
        assert_eq!(found.motions[0].values.iter().filter(|x| x.1 == 0.0).count(), 1, "{:?}", found.motions[0].values);
    }
}

#[test]
fn what_lies_in_a_family_is_not_listed_beside_it() {
    let a = found(model(
        "\"x\", \"y\"",
        "[parameters]\nmu = 0.3\nG = 2\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
         potential = \"-(x^2 + y^2)/2 + (x^2+y^2)^2/4\"\n[forces]\nx = \"G*y' + mu*x'\"\ny = \"-G*x' + mu*y'\"\n\
         [initial]\nposition = { x = 0.8, y = 0.4 }\n",
    ));
    let exact = a.exact.expect("families in letters");
    assert_eq!((exact.list.len(), exact.complete), (3, true));
}

#[test]
fn the_pole_of_a_chart_is_no_steady_motion() {
    let model = model(
        "\"theta\", \"phi\"",
        "[parameters]\ng = 9.81\nl = 0.5\n[energy]\nkinetic = \"l^2/2*(theta'^2 + sin(theta)^2*phi'^2)\"\n\
         potential = \"-g*l*cos(theta)\"\n[initial]\nposition = { theta = 0.4 }\nvelocity = { phi = 2 }\n",
    );
    let a = found(model.clone());
    let (theta, turn) = (value(&model, &a, "theta"), value(&model, &a, "phi'"));
    assert!((theta.cos() * turn * turn - 9.81 / 0.5).abs() < 1e-8, "a cone: {theta}, {turn}");
    assert_eq!((a.dimension, a.motions[0].zero), (1, 1));
}

#[test]
fn a_chain_of_zeros_is_not_called_asymptotic() {
    // A disk on a slope with drag: turned a little, it turns on and on.
    let a = found(model(
        "\"x\", \"y\", \"phi\", \"th\"",
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2 + 0.05/2*phi'^2 + 0.02/2*th'^2\"\npotential = \"-2*x\"\n\
         dissipation = \"0.2*(x'^2 + y'^2)\"\n[constraints]\nrx = \"x' = 0.3*th'*cos(phi)\"\nry = \"y' = 0.3*th'*sin(phi)\"\n\
         [initial]\nposition = { phi = 0.1 }\nvelocity = { th = 1, phi = 0.1 }\n",
    ));
    let m = &a.motions[0];
    assert_eq!((a.dimension, m.zero, m.stable), (1, 2, Stability::Marginal));
}

#[test]
fn a_slow_instability_beside_a_fast_decay_is_not_lost() {
    for c in ["1e3", "1e5", "1e6"] {
        let a = found(model(
            "\"q\"",
            &format!(
                "[energy]\nkinetic = \"q'^2/2\"\npotential = \"cos(q)\"\n[forces]\nq = \"-{c}*q'\"\n\
                 [initial]\nposition = {{ q = 0.1 }}\n"
            ),
        ));
        let m = &a.motions[0];
        assert_eq!((a.dimension, m.zero, m.stable), (0, 0, Stability::Unstable), "{c}: {:?}", m.eigenvalues);
    }
    let a = found(model(
        "\"x\", \"y\"",
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"5e11*x^2 - 1e-4*y^2/2 + y^4/4\"\n\
         [initial]\nposition = { x = 0.1, y = 1 }\n",
    ));
    let m = &a.motions[0];
    assert_eq!((a.dimension, m.zero), (0, 0));
    assert!(
        m.eigenvalues
            .iter()
            .all(|z| z.re == 0.0 && (z.im.abs() - 1e6).abs().min((z.im.abs() - 0.02f64.sqrt() / 10.0).abs()) < 1e-6)
    );
}

#[test]
fn an_eigenvalue_that_vanishes_at_one_motion_alone_decides_nothing() {
    for (force, speed) in [("x^3 - x'", "0"), ("-(x' - 1)^2", "2"), ("-x'^2", "1")] {
        let a = found(model(
            "\"x\"",
            &format!(
                "[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"{force}\"\n\
                 [initial]\nposition = {{ x = 0.3 }}\nvelocity = {{ x = {speed} }}\n"
            ),
        ));
        let m = &a.motions[0];
        assert_eq!((a.dimension, m.stable), (0, Stability::Marginal), "{force}: {:?}", m.eigenvalues);
    }
}

#[test]
fn corners_and_jumps_have_no_eigenvalues() {
    for force in ["-x - 2*abs(x) - x'", "-x - 0.3*sign(x')"] {
        let mut model = model(
            "\"x\"",
            &format!(
                "[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"{force}\"\n[initial]\nposition = {{ x = 0.4 }}\n"
            ),
        );
        let error = asked(&mut model).expect_err("a corner");
        assert!(error.to_string().contains("corner"), "{force}: {error}");
        let at_rest = Overrides { position: vec![(0, 0.0)], ..Overrides::default() };
        let state = model.initial_state(&at_rest).expect("a state");
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let error = linearise(&mut w, &r, &state, false).expect_err("a corner");
        assert!(error.to_string().contains("corner"), "{force}: {error}");
    }
    // Where the corner is elsewhere, it does not matter.
    let model = model(
        "\"x\"",
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n[forces]\nx = \"-abs(x')*x' - abs(x) + 1\"\n\
         [initial]\nposition = { x = 1.3 }\n",
    );
    let a = found(model.clone());
    assert!((value(&model, &a, "x") - 0.5).abs() < 1e-12);
}

#[test]
fn a_drag_that_grows_with_the_square_keeps_no_volume() {
    let model = model(
        "\"x\"",
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n[forces]\nx = \"-abs(x')*x'\"\n\
         [initial]\nposition = { x = 1.3 }\n",
    );
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let m = measure(&mut w, &r).expect("an answer");
    assert_eq!((m.exists, m.density), (Some(false), None));
}

#[test]
fn what_a_holonomic_constraint_keeps_is_no_integral() {
    let model = model(
        "\"x\", \"y\", \"z\"",
        "[parameters]\nw = 5\ng = 9.81\n[energy]\nkinetic = \"((x' - w*y)^2 + (y' + w*x)^2 + z'^2)/2\"\npotential = \"g*z\"\n\
         [constraints]\nrod = \"x^2 + y^2 + z^2 = 1\"\n[initial]\nposition = { x = 0.6, y = 0, z = -0.8 }\n",
    );
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let found = integrals(&mut w, &r, 2).expect("integrals");
    let list: Vec<&str> = found.list.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(list, ["energy", "momentum_1"], "{:?}", names(&w, &r.closed()));
}
