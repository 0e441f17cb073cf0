//! Paths between positions: followed again here by other means, and refused where there are none.

use crate::common::{gallery, load};
use noslip::expr::Evaluator;
use noslip::mechanics::Workbench;
use noslip::motions::connect::{Connection, connect};

/// Follows the legs by the classical method of Runge and Kutta, with steps of constant length.
fn followed(w: &Workbench, path: &Connection) -> Vec<f64> {
    let mut values = w.system.values(&w.g, &[]).expect("values");
    let fields: Vec<Evaluator> = path.fields.iter().map(|f| Evaluator::new(&w.g, f)).collect();
    let mut field = |a: usize, q: &[f64]| {
        values.at.set_all(&w.system.coordinates, q);
        values.evaluate(&fields[a])
    };
    let mut q = path.from.clone();
    let steps = 400;
    for leg in &path.legs {
        let h = leg.amount / f64::from(steps);
        for _ in 0..steps {
            let moved = |k: &[f64], h: f64| -> Vec<f64> { q.iter().zip(k).map(|(q, k)| q + h * k).collect() };
            let k1 = field(leg.field, &q);
            let k2 = field(leg.field, &moved(&k1, h / 2.0));
            let k3 = field(leg.field, &moved(&k2, h / 2.0));
            let k4 = field(leg.field, &moved(&k3, h));
            for i in 0..q.len() {
                q[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
    }
    q
}

fn joined(w: &mut Workbench, from: &[f64], to: &[f64]) -> Connection {
    let path = connect(w, from, to).unwrap_or_else(|e| panic!("{}: {e}", w.system.name));
    let end = followed(w, &path);
    for (x, y) in end.iter().zip(to) {
        assert!((x - y).abs() < 1e-7 * (1.0 + y.abs()), "{}: {end:?} instead of {to:?}", w.system.name);
    }
    path
}

#[test]
fn a_knife_edge_goes_sideways_in_three_legs() {
    let mut w = gallery::open("knife-edge-body").workbench();
    let path = joined(&mut w, &[0.0, 0.0, 0.0], &[0.0, 1.0, 0.0]);
    // Turn, go, turn back: no shorter word of the two fields leads there.
    assert_eq!(path.legs.iter().map(|l| l.field).collect::<Vec<_>>(), [1, 0, 1]);
    assert!((path.length() - (1.0 + std::f64::consts::PI)).abs() < 1e-6, "{}", path.length());
}

#[test]
fn brocketts_integrator_rises_by_the_area_it_goes_around() {
    let mut w = gallery::open("brockett-integrator").workbench();
    let path = joined(&mut w, &[0.0, 0.0, 0.0], &[0.0, 0.0, 2.0]);
    // dz = y dx − x dy: minus twice the area of the polygon in the plane.
    let mut q = vec![[0.0, 0.0]];
    q.extend(path.legs.iter().map(|l| [l.end[0], l.end[1]]));
    let twice: f64 = q.windows(2).map(|p| p[0][0] * p[1][1] - p[1][0] * p[0][1]).sum();
    assert!((twice + 2.0).abs() < 1e-7, "{twice}");
}

#[test]
fn systems_with_many_fields_and_many_brackets_are_joined() {
    for (name, moves) in [
        ("vertical-disk", &[(0, 1.0), (1, -0.5)][..]),
        ("rolling-disk", &[(4, 0.7)]),
        ("car-with-two-trailers", &[(1, 0.5)]),
        ("ball-on-plane", &[(0, 0.5), (2, 0.3)]),
    ] {
        let mut model = gallery::open(name);
        let from = model.initial_state(&noslip::model::Overrides::default()).expect("a state").position;
        let mut to = from.clone();
        moves.iter().for_each(|&(i, d)| to[i] += d);
        joined(&mut model.workbench(), &from, &to);
    }
}

#[test]
fn on_a_leaf_positions_are_joined_and_between_leaves_refused() {
    let mut model = gallery::open("hoop");
    let from = model.initial_state(&noslip::model::Overrides::default()).expect("a state").position;
    let mut w = model.workbench();
    let (theta, mut to) = (1.0f64, from.clone());
    (to[2], to[3]) = (from[2] - from[3].sin() + theta.sin(), theta);
    assert_eq!(joined(&mut w, &from, &to).kept.len(), 1);
    to[2] += 0.1;
    let why = connect(&mut w, &from, &to).expect_err("another leaf").message;
    assert!(why.contains("the constraints keep z - sin(theta)"), "{why}");
}

#[test]
fn a_plane_that_no_motion_crosses_is_not_crossed() {
    let text = r#"
        noslip = 1
        [system]
        name = "plane"
        coordinates = ["x", "y", "z"]
        [energy]
        kinetic = "(x'^2 + y'^2 + z'^2)/2"
        [constraints]
        c = "y' = y*z*x'"
    "#;
    let mut w = load(text).workbench();
    // y = y0 exp ∫ z dx: any other y of the same sign.
    joined(&mut w, &[0.0, 1.0, 0.0], &[0.0, 3.0, 0.0]);
    for other in [-1.0, 0.0] {
        let why = connect(&mut w, &[0.0, 1.0, 0.0], &[0.0, other, 0.0]).expect_err("beyond the plane").message;
        assert!(why.contains("no motion enters or leaves y = 0"), "{why}");
    }
}

#[test]
fn a_sledge_described_by_the_velocity_ahead_turns_past_a_right_angle() {
    // Solved for y' the fields are those of x' and phi', times cos(phi): both vanish at a right angle, where the constraint does not.
    let mut w = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n\
         [constraints]\nblade = \"x'*sin(phi) = y'*cos(phi)\"\n",
    )
    .workbench();
    let path = joined(&mut w, &[0.0, 0.0, 0.0], &[1.0, 1.0, 3.0]);
    assert_eq!(path.growth.vector, [2, 3]);
    assert_eq!(path.growth.certainty, noslip::expr::Known::Proved);
    assert_eq!(path.fields.len(), 2, "one ahead, one to turn");
}
