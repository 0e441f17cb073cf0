//! D. T. Greenwood, Advanced Dynamics, Cambridge 2003, chapter 5.

use crate::common::gallery::{along, evenly, open, run};
use noslip::model::Overrides;

/// Example 5.1: from (5.38), (5.39) the body ends in a straight run; with a = m l/Ip the energy m v² + Ip φ'² − … is all in v.
#[test]
fn the_body_on_a_knife_edge_ends_in_a_straight_run_with_its_mass_in_front() {
    let mut model = open("knife-edge-body");
    let s = run(&mut model, &[0.0, 60.0], 1e-11, &Overrides::default());
    let (w, v) = (along(&mut model, &s, "phi'"), along(&mut model, &s, "v"));
    let energy = along(&mut model, &s, "energy");
    assert!(w[1].abs() < 1e-9, "it stops turning: {}", w[1]);
    assert!((1.7 / 2.0 * v[1] * v[1] - energy[0]).abs() < 1e-8, "all energy is in the straight run");
    assert!(v[1] > 0.0, "the centre of mass is ahead");
}

/// Example 5.2 with (5.121), (5.122): 2v'² + l²φ'² is an integral of 2v' = lφ'², lφ'' = −vφ'.
#[test]
fn the_dumbbell_keeps_two_v_squared_plus_l_squared_omega_squared() {
    let mut model = open("dumbbell");
    let at = evenly(&model, 50);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    let integral = along(&mut model, &s, "2*u1^2 + l^2*u2^2");
    assert!(integral.iter().all(|x| (x - integral[0]).abs() < 1e-9));
}

/// (5.247) with θ' = 0: uniform rolling on a circle; upright, any ψ' with φ' = 0 is a straight run.
#[test]
fn the_upright_disk_rolls_straight() {
    let mut model = open("rolling-disk");
    let theta = model.system.coordinate(&model.arena, "theta").unwrap();
    let psi = model.system.coordinate(&model.arena, "psi").unwrap();
    let overrides = Overrides {
        position: vec![(theta, std::f64::consts::FRAC_PI_2)],
        velocity: vec![(0, 0.0), (theta, 0.0), (psi, 6.0)],
        ..Overrides::default()
    };
    let s = run(&mut model, &[0.0, 2.0], 1e-11, &overrides);
    let tilt = along(&mut model, &s, "theta - pi/2");
    let path = along(&mut model, &s, "x + r*6*t*cos(0.2)");
    assert!(tilt[1].abs() < 1e-8 && path[1].abs() < 1e-8, "{tilt:?} {path:?}");
}
