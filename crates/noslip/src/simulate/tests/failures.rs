//! What is said where numbers end: which component, which constraint, which part of a sweep.

use crate::compile::CompileOptions;
use crate::mechanics::Workbench;
use crate::model::Model;
use crate::simulate::sweep::BLOCK;
use crate::simulate::*;

fn workbench(text: &str) -> Workbench {
    text.parse::<Model>().unwrap_or_else(|e| panic!("{e:?}\n{text}")).workbench()
}

/// Three coordinates with this kinetic energy, and what else is said of them.
fn system(kinetic: &str, more: &str) -> String {
    format!("noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"{kinetic}\"\n{more}")
}

const PLAIN: &str = "(x'^2 + y'^2 + z'^2)/2";

#[test]
fn the_coordinate_whose_equation_has_no_value_is_named() {
    // Everything is regular but for x = 0; components are those of the rates of x, y, z, x', y', z'.
    for (kinetic, more, component) in [
        ("(x'^2 + y'^2/x + z'^2)/2", "", 4),
        ("(x'^2 + y'^2 + z'^2/x)/2", "", 5),
        (PLAIN, "[constraints]\nc = \"z' = y'/x\"\n", 4),
        (PLAIN, "[constraints]\nc = \"y' = z'/x\"\n", 5),
        (PLAIN, "[constraints]\nc = \"z' = x'/x\"\n", 3),
        (PLAIN, "[constraints]\na = \"x' = y'\"\nc = \"z' = y'/x\"\n", 4),
        (PLAIN, "[forces]\nx = \"1/x\"\n", 3),
        (PLAIN, "[forces]\ny = \"1/x\"\n", 4),
        (PLAIN, "[forces]\nz = \"1/x\"\n[constraints]\nc = \"x' = y'\"\n", 5),
        (PLAIN, "[forces]\nx = \"1/x\"\n[constraints]\nc = \"z' = y'\"\n", 3),
        // The right side of the second constraint belongs to no coordinate.
        (PLAIN, "[constraints]\na = \"y' = z'\"\nc = \"x' = y' + log(x)\"\n", 5),
    ] {
        let mut w = workbench(&system(kinetic, more));
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let begin = [0.0, 1.0, 0.5, 0.25, 0.3, 0.2, 0.1];
        let mut motion = Motion::new(&mut w, &options, &begin).expect("it compiles");
        let (mut a, mut lambda) = (vec![0.0; 3], vec![0.0; w.system.k()]);
        motion.solve(0.0, &begin[1..], &mut a, &mut lambda).expect("regular");
        match motion.solve(0.0, &[0.0, 0.5, 0.25, 0.3, 0.2, 0.1], &mut a, &mut lambda) {
            Err(failure) => assert_eq!(failure, RhsFailure::NonFinite { component }, "{kinetic}\n{more}"),
            // The quick way does not look; whoever uses the numbers does.
            Ok(()) => assert!(a.iter().chain(&lambda).any(|x| !x.is_finite()), "{kinetic}\n{more}"),
        }
    }
}

#[test]
fn a_constraint_that_loses_its_rank_and_a_coordinate_without_inertia_are_named() {
    for (kinetic, more, which) in [
        (PLAIN, "[constraints]\na = \"y' = z'\"\nc = \"x*x' = 1\"\n", "constraint `c`"),
        ("(x'^2 + x*y'^2 + z'^2)/2", "", "coordinate `y`"),
    ] {
        let mut w = workbench(&system(kinetic, more));
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let begin = [0.0, 1.0, 0.5, 0.25, 0.3, 0.3, 0.3];
        let mut motion = Motion::new(&mut w, &options, &begin).expect("it compiles");
        let singular = [0.0, 0.5, 0.25, 0.3, 0.3, 0.3];
        let said = Ode::diagnose(&mut motion, 0.0, &singular);
        assert_eq!(said, Some(RhsFailure::Singular { which: which.into() }), "{kinetic}\n{more}");
        assert_eq!(Ode::diagnose(&mut motion, 0.0, &begin[1..]), None);
    }
}

#[test]
fn methods_are_known_by_their_names() {
    assert_eq!(format!("{DOP853:?} {TAYLOR:?}"), "dop853 taylor");
    assert!(DOP853 == DOP853 && DOP853 != TAYLOR);
}

#[test]
fn the_blocks_of_a_sweep_are_its_points_in_order_and_the_last_is_short() {
    // x = x₀ + t v: the end says where it began.
    let mut w = workbench(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n\
         [initial]\nposition = { x = 0 }\nvelocity = { x = 2 }\n",
    );
    let x = w.g.symbol(w.system.coordinates[0]);
    let count = BLOCK + 10;
    let axes = vec![Axis { varied: Varied::Position(0), from: 0.0, to: (count - 1) as f64, count }];
    let sweep =
        Sweep { axes, points: Points::Grid, at: vec![0.0, 1.5], columns: vec![x], tolerance: 1e-9, max_steps: 100 };
    assert_eq!(sweep.blocks().expect("blocks"), 2);
    let mut sweeper = Sweeper::new(w, &sweep).expect("a sweep");
    let rows = sweeper.block(1).expect("rows");
    // Two rows of each point, one for each time.
    assert_eq!((rows.t.len(), rows.outcome.len()), (20, 20));
    for i in 0..20 {
        let (x, t) = ((BLOCK + i as u64 / 2) as f64, if i % 2 == 0 { 0.0 } else { 1.5 });
        assert_eq!((rows.varied[0][i], rows.t[i], rows.outcome[i]), (x, t, "finished"));
        assert!((rows.values[0][i] - x - 2.0 * t).abs() < 1e-8, "{i}: {}", rows.values[0][i]);
    }
}

#[test]
fn open_parameters_are_those_that_were_set_and_the_motion_follows_them() {
    let mut w = workbench(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\nk = 3\n\
         [energy]\nkinetic = \"m*(x'^2 + y'^2 + z'^2)/2\"\npotential = \"k*x^2/2\"\n",
    );
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
    let open: Vec<_> = w.system.parameters.iter().map(|p| p.symbol).collect();
    let begin = [0.0, 1.0, 0.5, 0.25, 0.3, 0.3, 0.3];
    let mut motion = Motion::with_open_parameters(&mut w, &options, &begin, &open).expect("it compiles");
    for (m, k) in [(2.0, 3.0), (4.0, 10.0)] {
        motion.set_parameters(&[m, k]);
        assert_eq!(motion.parameters(), [m, k]);
        let (mut a, mut lambda) = ([0.0; 3], []);
        motion.solve(0.0, &begin[1..], &mut a, &mut lambda).expect("regular");
        assert!((a[0] + k / m).abs() < 1e-14 && a[1] == 0.0, "{a:?}");
        // Neighbours of a state have its parameters, and other times, positions and velocities.
        for near in &motion.samples()[1..] {
            assert_eq!(near[7..], [m, k]);
            assert!(near[..7].iter().zip(&begin).all(|(x, y)| x != y && (x - y).abs() < 0.06), "{near:?}");
        }
    }
}
