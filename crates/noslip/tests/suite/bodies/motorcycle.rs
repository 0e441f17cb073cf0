//! The motorcycle: with thin tyres, a rigid fork and no engine it is Whipple's bicycle.

use super::load;
use crate::common::gallery;

/// The value of a parameter as it stands in a file.
fn value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let line = text.lines().find(|l| l.split_once('=').is_some_and(|(key, _)| key.trim() == name))?;
    let (_, value) = line.split_once('=')?;
    Some(value.split('#').next()?.trim())
}

/// The motorcycle's file with the bicycle's numbers.
fn thin() -> String {
    let bicycle = gallery::text("bodies/whipple-bicycle");
    let own = [("R_R", "0.3"), ("t_R", "1e-12"), ("R_F", "0.35"), ("t_F", "1e-12"), ("J_E", "0"), ("M_E", "0")];
    let mut text = String::new();
    for line in gallery::text("bodies/motorcycle").lines() {
        let key = line.split_once('=').map(|(key, _)| key.trim()).unwrap_or_default();
        let replaced = own.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let replaced = replaced.or_else(|| {
            let number = line.split_once('=').is_some_and(|(_, v)| !v.contains('"') && !v.contains('{'));
            value(bicycle, key).filter(|_| number)
        });
        match replaced {
            Some(value) => text += &format!("{key} = {value}\n"),
            None => text += &format!("{line}\n"),
        }
    }
    text.replace("s = -0.04", "s = 0")
        .replace("velocity = { x = 12, phi = 0.1, delta = 0, s = 0 }", "velocity = { x = 4.6, phi = 0.5, delta = 0 }")
        .replace("[initial]", "[constraints]\nrigid = \"s = 0\"\n\n[initial]")
}

#[test]
fn a_motorcycle_with_thin_tyres_and_a_rigid_fork_is_whipples_bicycle() {
    let (mut thin, mut bicycle) = (load(&thin(), "thin motorcycle"), gallery::open("whipple-bicycle"));
    let times = [0.0, 0.5, 1.0];
    let runs = [
        gallery::run(&mut thin, &times, 1e-12, &Default::default()),
        gallery::run(&mut bicycle, &times, 1e-12, &Default::default()),
    ];
    for text in ["x", "y", "psi", "phi", "theta", "delta", "chi_R", "chi_F", "phi'", "delta'", "energy"] {
        let (a, b) = (gallery::along(&mut thin, &runs[0], text), gallery::along(&mut bicycle, &runs[1], text));
        let close = a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-9 * b.abs().max(1.0));
        assert!(close, "{text}: {a:?} and {b:?}");
    }
    let steer = gallery::along(&mut thin, &runs[0], "delta");
    assert!(steer[2].abs() > 1e-3, "it steers into the fall: {steer:?}");
}

/// What the engine does is in the energy: without the damper it grows by M·n·χ_R.
#[test]
fn the_engine_of_a_motorcycle_works_over_its_chain() {
    let text = gallery::text("bodies/motorcycle").replace("c_F = 900", "c_F = 0");
    let mut model = load(&text, "motorcycle without damper");
    let run = gallery::run(&mut model, &[0.0, 0.4, 0.8], 1e-11, &Default::default());
    let turned = gallery::along(&mut model, &run, "M_E*n_E*chi_R");
    let energy = gallery::along(&mut model, &run, "energy");
    let rest: Vec<f64> = energy.iter().zip(&turned).map(|(e, w)| e + w).collect();
    assert!(rest.iter().all(|e| (e - rest[0]).abs() < 1e-8 * rest[0].abs()), "{rest:?}");
    assert!(turned[2] < -100.0, "{turned:?}");
}
