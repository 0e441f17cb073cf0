//! A. S. Sumbatov, Nonholonomic systems, Regular and Chaotic Dynamics 7 (2002) 221-238.

use crate::common::gallery::{along, evenly, open, run};
use noslip::model::Overrides;

/// Section 2: whatever the start, the sledge ends in a straight run with the centre of mass ahead of the wheel.
#[test]
fn the_sledge_forgets_its_turning() {
    for name in ["chaplygin-sledge", "chaplygin-sledge-ahead"] {
        let mut model = open(name);
        let s = run(&mut model, &[0.0, 60.0], 1e-11, &Overrides::default());
        let (w, v) = (along(&mut model, &s, "w"), along(&mut model, &s, "s"));
        let energy = along(&mut model, &s, "energy");
        assert!(w[1].abs() < 1e-8, "{name}: {}", w[1]);
        assert!((1.9 / 2.0 * v[1] * v[1] - energy[0]).abs() < 1e-8 && v[1] > 0.0, "{name}");
    }
}

/// Beside the wheel (alpha = 0) the turning rate and the speed are constant: the wheel runs on a circle.
#[test]
fn the_sledge_with_its_mass_beside_the_wheel_runs_on_a_circle() {
    let mut model = open("chaplygin-sledge-beside");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-12, &Overrides::default());
    for e in ["w", "s", "(x - s/w*(sin(phi) - sin(0.4)))", "(y + s/w*(cos(phi) - cos(0.4)))"] {
        let v = along(&mut model, &s, e);
        assert!(v.iter().all(|x| (x - v[0]).abs() < 1e-9), "{e}: {v:?}");
    }
}

/// Suslov's body tends to the steady rotation with I13 ω1 + I23 ω2 = 0.
#[test]
fn the_body_of_suslov_tends_to_one_steady_rotation() {
    let mut model = open("suslov");
    let s = run(&mut model, &[0.0, 6.0, 60.0], 1e-11, &Overrides::default());
    let u = along(&mut model, &s, "I13*omega_1 + I23*omega_2");
    assert!(u[0].abs() > 0.1 && u[2].abs() < 1e-6, "{u:?}");
}

/// Section 3: Synge's wheels have the integral 2hψ − r(φ1 − φ2), each of the three constraints alone being nonintegrable.
#[test]
fn the_two_wheels_of_synge_have_a_hidden_position_constraint() {
    let mut model = open("synge-wheels");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    let v = along(&mut model, &s, "2*h*psi - r*(phi1 - phi2)");
    assert!(v.iter().all(|x| (x - v[0]).abs() < 1e-9));
}

/// Section 3: the multipliers of a homogeneous ball are zero.
#[test]
fn the_free_ball_needs_no_friction() {
    let mut model = open("ball-on-plane");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    assert!(s.samples.iter().flat_map(|s| &s.multipliers).all(|l| l.abs() < 1e-10));
}

/// Boltzmann's gear: the naive equation differs by J2 a a' θ', which does not vanish.
#[test]
fn boltzmanns_first_equation_was_wrong_by_one_term() {
    let mut model = open("boltzmann-gear");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    let naive = "(J1 + J2*a^2)*th'' + 2*J2*a*0.225*cos(0.9*t)*th' - L1 + mu*a^2*th'";
    let difference = along(&mut model, &s, &format!("{naive} = J2*a*0.225*cos(0.9*t)*th'"));
    assert!(difference.iter().all(|r| r.abs() < 1e-9), "{difference:?}");
}
