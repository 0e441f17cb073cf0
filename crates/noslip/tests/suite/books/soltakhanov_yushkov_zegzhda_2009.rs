//! Sh. Kh. Soltakhanov, M. P. Yushkov, S. A. Zegzhda, Mechanics of non-holonomic systems, Springer 2009, chapter II.

use crate::common::gallery::{along, evenly, open, open_with, run};
use noslip::model::Overrides;

/// Figure II.1: three tracks of the middle of the rod, for three torques, in 15 s from rest. The turning rate has the closed
/// form Nz/(2 μ l²)(1 − exp(−μ t/m)); where the tracks end was computed independently.
#[test]
fn the_three_tracks_of_figure_ii_1() {
    for (torque, x, y) in [
        (1.0, -1.9112340899488596, 2.8187746061300465),
        (0.65, -1.211295893099614, 3.9376626646449995),
        (0.3, -2.9664252979168384, 4.720538433122553),
    ] {
        let mut model = open_with("rod-with-skate", &[("Nz", torque)]);
        let at = evenly(&model, 31);
        let s = run(&mut model, &at, 1e-12, &Overrides::default());
        let rate = along(&mut model, &s, "theta' - Nz/(2*mu*l^2)*(1 - exp(-mu*t/m))");
        assert!(rate.iter().all(|r| r.abs() < 1e-10), "Nz = {torque}: {rate:?}");
        let end = &s.samples[30].y;
        assert!((end[0] - x).abs() < 1e-9 && (end[2] - y).abs() < 1e-9, "Nz = {torque}: {end:?}");
    }
}

/// Figure II.3: speed along the skate and turning rate decay as 5 exp(−t) and 12.5 exp(−2t/7), through every θ = π/2 mod π,
/// where the chosen v1 = ξ', v2 = θ' are no independent velocities.
#[test]
fn the_skater_of_figure_ii_3_winds_into_a_spiral() {
    let mut model = open("figure-skater");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-12, &Overrides::default());
    let speed = along(&mut model, &s, "xi'*cos(theta) + eta'*sin(theta) - 5*exp(-t)");
    let rate = along(&mut model, &s, "theta' - 12.5*exp(-2/7*t)");
    assert!(speed.iter().chain(&rate).all(|r| r.abs() < 1e-9));
    let turns = along(&mut model, &s, "theta/(2*pi)");
    assert!(turns[40] > 6.0, "{} turns", turns[40]);
}

/// Figure II.5: the car from θ(0) = 1° and from θ(0) = 0. The speed tends to F10/κ2 = 25 m/s; a straight start differs little.
#[test]
fn the_car_of_figure_ii_5_also_starts_with_straight_wheels() {
    let end = |name: &str| {
        let mut model = open(name);
        let at = evenly(&model, 21);
        let s = run(&mut model, &at, 1e-11, &Overrides::default());
        let speed = along(&mut model, &s, "sqrt(xi'^2 + eta'^2)");
        let (theta, phi) = (along(&mut model, &s, "theta"), along(&mut model, &s, "phi"));
        assert!(speed.windows(2).all(|v| v[1] > v[0]) && speed[20] < 25.0 && speed[20] > 20.0, "{speed:?}");
        assert!(theta.iter().all(|x| *x > -1e-9 && *x < 0.32));
        phi[20]
    };
    let (degree, straight) = (end("car-in-a-turn"), end("car-in-a-turn-straight-start"));
    assert!((degree - straight).abs() < 0.2 && (degree - straight).abs() > 1e-3, "{degree} {straight}");
}

/// Example II.6: the third of the three constraints called nonholonomic is the derivative of ζ = h(θ, φ).
#[test]
fn the_ellipsoid_keeps_the_height_its_attitude_demands() {
    let mut model = open("ellipsoid-on-plane");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    assert!(along(&mut model, &s, "zeta - h").iter().all(|r| r.abs() < 1e-9));
}

/// Example II.7: z'' of Appell and Hamel is −g b²/(a² + b²). The full machine without mass in disk and frame tends to it as
/// ρ → 0, although its constraints are linear: its heading is braked like exp(−a φ' t/ρ), after which the load keeps its
/// direction; the push m a ρ θ'² lasts a time of order ρ, so the error is of second order in ρ.
#[test]
fn the_machine_of_appell_tends_to_the_nonlinear_constraint() {
    let mut errors = Vec::new();
    for rho in [0.02, 0.01, 0.005] {
        let mut model = open_with("appell-machine-massless", &[("rho", rho)]);
        let s = run(&mut model, &[0.0, 1.0], 1e-11, &Overrides::default());
        let z = along(&mut model, &s, "z - (2 - b*0.8*t - g*b^2/(a^2 + b^2)*t^2/2)");
        let nonlinear = along(&mut model, &s, "x_L'^2 + y_L'^2 - (a/b)^2*z'^2");
        assert!(nonlinear[1].abs() < 1e-9, "after the heading has settled the load obeys Appell's constraint");
        errors.push(z[1].abs());
    }
    assert!(errors[0] < 0.02, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.1, "second order in rho: {errors:?}");
    }
}

/// With masses in disk and frame the limit is another one: the disk takes part of the work.
#[test]
fn with_masses_the_machine_is_slower() {
    let mut model = open("appell-machine");
    let s = run(&mut model, &[0.0, 1.0], 1e-11, &Overrides::default());
    let reduced = along(&mut model, &s, "((m + Md)*a^2 + Cd + m*b^2)*phi'' = m*a*rho*theta'^2 + m*g*b");
    assert!(reduced.iter().all(|r| r.abs() < 1e-9));
    let slower = along(&mut model, &s, "-z'' - g*b^2/(a^2 + b^2)");
    assert!(slower[1] < -0.1, "{slower:?}");
}

/// Example II.9, figure II.12: the coupling ends at ω2/ω1 = 0.97, and the multiplier is the torque the fluid transmits, (5.21).
#[test]
fn the_fluid_flywheel_transmits_what_the_load_needs() {
    let mut model = open("fluid-flywheel");
    let at = evenly(&model, 21);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    let ratio = along(&mut model, &s, "phi2'/phi1'");
    assert!((ratio[20] - 0.97).abs() < 1e-6, "{}", ratio[20]);
    let torque = along(&mut model, &s, "lambda_transmission - (A2 + B2*phi2'^2) - J2*phi2''");
    assert!(torque.iter().all(|r| r.abs() < 1e-8));
    // Curves read at a few points with three digits give the same start to a few parts in a thousand.
    let mut measured = open("fluid-flywheel-measured");
    let m = run(&mut measured, &at, 1e-8, &Overrides::default());
    let (smooth, read) = (along(&mut model, &s, "phi2'"), along(&mut measured, &m, "phi2'"));
    assert!(smooth.iter().zip(&read).all(|(a, b)| (a - b).abs() < 0.01 * a.abs().max(20.0)), "{smooth:?} {read:?}");
}

/// (2.28), (2.29): the reaction is a torque along the direction j alone; the centre of mass does not feel the control.
#[test]
fn the_controlled_body_falls_as_if_it_were_free() {
    let mut model = open("rigid-body-controlled-rotation");
    let at = evenly(&model, 31);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    let x = along(&mut model, &s, "x - 0.4*M/mu*(1 - exp(-mu/M*t))");
    assert!(x.iter().all(|r| r.abs() < 1e-9));
}
