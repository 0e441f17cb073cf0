//! Systems of the gallery that nobody would write by hand: each against a closed form, a published result or equal arcs.

use crate::common::gallery;
use crate::motions::{at, expression, reduced};
use noslip::model::Overrides;
use noslip::motions::What;
use noslip::motions::integrals::{Kind, integrals};
use noslip::motions::steady::{Question, Range, Target, steady};

/// Kremnev and Kuleshov 2008, for a rider who stands still: m h tan λ v²/a + k > m g h.
#[test]
fn the_skateboard_rides_straight_beyond_the_speed_of_the_closed_form() {
    let mut model = gallery::open("bodies/skateboard");
    let state = model.initial_state(&at(&[(3, 0.0)], &[])).expect("a state");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let ahead = expression(&mut w, "x'");
    let range = Range { target: Target::Function(ahead), from: 0.5, to: 3.0, count: 6 };
    let found = steady(&mut w, &r, &state, &Question { given: Vec::new(), vary: vec![range] }).expect("a family");
    let [critical] = &found.critical[..] else { panic!("{:?}", found.critical) };
    let (m, h, a, lambda, k, g) = (70.0, 0.9, 0.35, 0.6f64, 500.0, 9.81);
    let want = (a * (m * g * h - k) / (m * h * lambda.tan())).sqrt();
    assert_eq!(critical.what, What::Divergence);
    assert!((critical.value - want).abs() < 1e-12, "{} for {want}", critical.value);
}

/// Rolling: the arcs on the sphere and on the rim are equally long. The energy is kept.
#[test]
fn the_disk_on_a_sphere_covers_equal_arcs() {
    let mut model = gallery::open("bodies/disk-on-sphere");
    let run = gallery::run(&mut model, &[0.0, 0.2, 0.4], 1e-11, &Overrides::default());
    for arcs in gallery::along(&mut model, &run, "A^2*(w'^2 + sin(w)^2*u'^2) - r^2*psi'^2") {
        assert!(arcs.abs() < 1e-9, "{arcs}");
    }
    let energy = gallery::along(&mut model, &run, "energy");
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-9), "{energy:?}");
}

/// Fassò and Sansonetto 2016: a ball in a turning surface of revolution has a moving energy.
#[test]
fn the_ball_in_a_turning_paraboloid_keeps_a_moving_energy() {
    let mut model = gallery::open("bodies/ball-on-paraboloid");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let found = integrals(&mut w, &r, 1).expect("an answer");
    assert!(found.list.is_empty(), "no linear integral is invented: {:?}", found.list);
    let found = integrals(&mut w, &r, 2).expect("an answer");
    let kept: Vec<_> = found.list.iter().filter(|i| i.kind == Kind::MovingEnergy).collect();
    let [moving] = kept[..] else { panic!("{:?}", found.list) };
    assert!(moving.how.holds());
    let run = gallery::run(&mut model, &[0.0, 0.5, 1.0], 1e-11, &Overrides::default());
    let values = noslip::simulate::values_along(&mut w, &[moving.expr], &run.samples).expect("values").remove(0);
    assert!(values.iter().all(|x| (x - values[0]).abs() < 1e-8), "{values:?}");
    let energy = gallery::along(&mut model, &run, "energy");
    assert!((energy[2] - energy[0]).abs() > 1e-4, "{energy:?}");
}
