//! Invariant measures: those of the literature, none invented, and the volume of a cloud.

use crate::motions::{expression, gallery, load, names, reduced};
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides, State};
use noslip::motions::measure::measure;
use noslip::simulate::{Settings, simulate};

fn text_of(name: &str) -> String {
    noslip_gallery::find(name).expect("a model of the gallery").to_owned()
}

/// Chaplygin's ball that does not spin about the vertical (Ehlers, Koiller, Montgomery, Rios 2005).
fn rubber_ball() -> Model {
    let text = text_of("chaplygin-ball");
    let (before, rest) = text.split_once("[quasi_velocities]").expect("quasi-velocities");
    let (_, after) = rest.split_once("[initial]").expect("an initial state");
    let text = format!("{before}spin = \"omega_z = 0\"\n\n[initial]{after}");
    load(&text.replace("velocity = { psi = 1, theta = 0.8, phi = 2 }", "velocity = { theta = 0.8, phi = 2 }"))
}

/// Kozlov 1988: Suslov's body keeps a measure if the axis of the constraint is a principal one, and only then.
fn suslov_about_a_principal_axis() -> Model {
    load(&text_of("suslov").replace("I13 = 0.3", "I13 = 0").replace("I23 = -0.25", "I23 = 0"))
}

/// The snakeboard whose rider does nothing.
fn free_snakeboard() -> Model {
    let text = text_of("snakeboard");
    let kept = text.lines().filter(|l| !l.starts_with("twist") && !l.starts_with("steer"));
    load(
        &kept
            .collect::<Vec<_>>()
            .join("\n")
            .replace(
                "position = { x = 0, y = 0, theta = 0, psi = 0, phi = 0 }",
                "position = { x = 0, y = 0, theta = 0, psi = 0, phi = 0.3 }",
            )
            .replace(
                "velocity = { x = 0, theta = 0, y = 0, psi = \"a_psi*omega\", phi = \"a_phi*omega\" }",
                "velocity = { x = 0.4, psi = 0.5, phi = 0.2 }",
            ),
    )
}

#[test]
fn densities_of_balls_tops_and_boards_are_real_and_proved() {
    for (name, model) in [
        ("rubber ball", rubber_ball()),
        ("Suslov about a principal axis", suslov_about_a_principal_axis()),
        ("free snakeboard", free_snakeboard()),
    ] {
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let m = measure(&mut w, &r).expect("an answer");
        assert!(m.exists == Some(true) && m.how.is_proved(), "{name}: {m:?}");
        let density = m.density.expect("a density");
        assert!(w.value_at_initial_state(density).is_some_and(|x| x > 0.0), "{name}");
    }
}

/// Measures known from the literature, and none invented.
#[test]
fn invariant_measures_are_those_of_the_literature() {
    for (name, exists) in [
        ("chaplygin-sledge-centred", true),
        ("chaplygin-sledge", false),
        ("chaplygin-sledge-ahead", false),
        ("chaplygin-ball", true),
        ("suslov", false),
        ("ball-on-plane", true),
        ("rolling-disk", true),
        ("nonholonomic-particle", true),
        ("knife-edge-body", false),
        ("ellipsoid-on-plane", false),
        ("bodies/ellipsoid-on-plane", false),
        ("rattleback", false),
    ] {
        let model = gallery(name);
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let m = measure(&mut w, &r).expect("an answer");
        assert_eq!(m.exists, Some(exists), "{name}: {}", m.why);
        assert!(m.how.is_proved(), "{name}: {:?}", m.how);
        // Some obstructions are too long to be written out, and a real point shows them.
        let by_a_point = ["ellipsoid-on-plane", "bodies/ellipsoid-on-plane", "rattleback"].contains(&name);
        assert_eq!(m.witness.is_some(), by_a_point, "{name}: {:?}", m.witness);
        assert_eq!(m.density.is_some(), exists, "{name}");
    }
}

/// The cloud of neighbours of a motion: its volume in (q, v) changes as the inverse of the density.
#[test]
fn densities_are_those_of_clouds() {
    let mut list: Vec<(&str, Model)> =
        ["chaplygin-ball", "rolling-disk", "nonholonomic-particle", "routh-sphere", "chaplygin-sledge-centred"]
            .map(|name| (name, gallery(name)))
            .into();
    list.push(("rubber ball", rubber_ball()));
    list.push(("Suslov about a principal axis", suslov_about_a_principal_axis()));
    list.push(("free snakeboard", free_snakeboard()));
    for (name, mut model) in list {
        let start = model.initial_state(&Overrides::default()).expect("a state");
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let Some(density) = measure(&mut w, &r).expect("an answer").density else {
            panic!("{name} has a density");
        };
        let until = start.time + 0.7;
        let (n, l) = (r.flow.coordinates.len(), r.flow.free.len());
        let mut values = w.system.values(&w.g, &[]).expect("values");
        let mut at = |state: &[f64], speeds: Option<&[f64]>, list: &[Expr], w: &Workbench| -> Vec<f64> {
            values.at.set_all(&w.system.coordinates, &state[..n]);
            match speeds {
                Some(v) => values.at.set_all(&r.flow.free, v),
                None => values.at.set_all(&w.system.velocities, &state[n..]),
            }
            values.evaluate(&noslip::expr::Evaluator::new(&w.g, list))
        };
        let y0 = [start.position.clone(), start.velocity.clone()].concat();
        let v0 = at(&y0, None, &r.flow.expressions, &w);
        let mut end = |z: &[f64], w: &mut Workbench| -> Vec<f64> {
            let velocity = at(z, Some(&z[n..]), &r.flow.velocities, w);
            let state = State { position: z[..n].to_vec(), velocity, ..start.clone() };
            let settings = Settings { until, at: vec![until], tolerance: 1e-13, ..Settings::default() };
            let run = simulate(w, &state, &settings, &mut |_| true).expect("a motion");
            let y = &run.samples.last().expect("a sample").y;
            let v = at(y, None, &r.flow.expressions, w);
            [y[..n].to_vec(), v].concat()
        };
        let z0 = [start.position.clone(), v0].concat();
        let z1 = end(&z0, &mut w);
        let h = 1e-4;
        let size = n + l;
        let mut jacobian = vec![vec![0.0; size]; size];
        for j in 0..size {
            let mut shifted = |h: f64| {
                let mut z = z0.clone();
                z[j] += h;
                end(&z, &mut w)
            };
            let (a, b) = (shifted(h), shifted(-h));
            (0..size).for_each(|i| jacobian[i][j] = (a[i] - b[i]) / (2.0 * h));
        }
        let volume = determinant(jacobian);
        let f = |z: &[f64]| {
            let mut values = w.system.values(&w.g, &[]).expect("values");
            values.at.set_all(&w.system.coordinates, &z[..n]);
            values.evaluate(&noslip::expr::Evaluator::new(&w.g, &[density]))[0]
        };
        let ratio = f(&z0) / f(&z1);
        assert!((volume / ratio - 1.0).abs() < 1e-5, "{name}: {volume} for {ratio}");
    }
}

fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut product = 1.0;
    for c in 0..n {
        let p = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).expect("a row");
        if p != c {
            a.swap(c, p);
            product = -product;
        }
        product *= a[c][c];
        for r in c + 1..n {
            let factor = a[r][c] / a[c][c];
            for j in c..n {
                let x = a[c][j];
                a[r][j] -= factor * x;
            }
        }
    }
    product
}

/// √(1 + y²) of the particle, up to a constant factor.
#[test]
fn the_density_of_the_nonholonomic_particle_is_the_published_one() {
    let model = gallery("nonholonomic-particle");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let density = measure(&mut w, &r).expect("an answer").density.expect("a density");
    let want = expression(&mut w, "sqrt(1 + y^2)");
    let ratio = w.g.div(density, want);
    let ratio = w.simplify(ratio);
    assert!(w.g.as_number(ratio).is_some(), "a constant ratio");
}

/// A trailer whose wheels' turns are coordinates keeps a measure only where the turns are counted.
#[test]
fn a_density_that_is_another_after_a_turn_says_so() {
    let model = load(
        r#"noslip = 1
[system]
name = "two-wheeled trailer"
coordinates = ["x", "y", "theta", "a", "b"]
[energy]
kinetic = "(5*(x' - sin(theta)*theta'/9)^2 + 5*(y' + cos(theta)*theta'/9)^2 + theta'^2 + a'^2/3 + b'^2/3)/2"
[constraints]
side = "y'*cos(theta) - x'*sin(theta) = 0"
left = "x'*cos(theta) + y'*sin(theta) - theta' - a'/2 = 0"
right = "x'*cos(theta) + y'*sin(theta) + theta' - b'/2 = 0"
"#,
    );
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let m = measure(&mut w, &r).expect("an answer");
    assert!(m.how.is_proved() && m.exists == Some(true), "{m:?}");
    assert_eq!(names(&w, &m.open), ["theta"]);
    for name in ["chaplygin-ball", "rolling-disk", "nonholonomic-particle"] {
        let (mut w, r) = reduced(&gallery(name)).expect("it is reduced");
        assert!(measure(&mut w, &r).expect("an answer").open.is_empty(), "{name}");
    }
}
