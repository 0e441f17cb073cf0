//! The programs of a motion at states worked out by hand: in quasi-velocities, with their Jacobian and the edge of their chart; and
//! those that run elsewhere.

use crate::common::load;
use noslip::compile::CompileOptions;
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides};
use noslip::simulate::{Ode, Playable, Reduced, RhsFailure, TaylorOde};

/// A knife with a force along x and friction along y: u = speed, w = rate of turning.
const KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\", \"y\"]\n[parameters]\nm = 2\nJ = 3\nc = 0.5\nf = 7\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n[forces]\nx = \"f\"\ny = \"-c*y'\"\n\
    [constraints]\nedge = \"x'*sin(phi) = y'*cos(phi)\"\n[quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n\
    [initial]\nposition = { phi = 0.3 }\n";

fn reduced(w: &mut Workbench, open: &[&str]) -> Reduced {
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
    let open: Vec<_> = open.iter().map(|name| w.g.lookup(name).expect("a parameter")).collect();
    Reduced::new(w, &options, &[], &open).unwrap_or_else(|e| panic!("{e}"))
}

/// q̇ and (u', w') of the knife.
fn by_hand(y: &[f64], f: f64) -> [f64; 5] {
    let (s, c, u, w) = (y[1].sin(), y[1].cos(), y[3], y[4]);
    [u * c, w, u * s, (f * c - 0.5 * u * s * s) / 2.0, 0.0]
}

#[test]
fn a_knife_moves_in_its_speed_and_rate_as_by_hand() {
    let mut w = load(KNIFE).workbench();
    let mut motion = reduced(&mut w, &["f"]);
    assert_eq!((Ode::dimension(&motion), TaylorOde::dimension(&motion)), (5, 5));
    let y = [0.4, 0.7, -0.2, 3.0, 1.5];
    for f in [7.0, -2.0] {
        motion.set_parameters(&[f]);
        let mut rate = [0.0; 5];
        motion.rhs(0.0, &y, &mut rate).expect("a rate");
        let expected = by_hand(&y, f);
        assert!(rate.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{rate:?} for {expected:?}");
        // ∂/∂φ, ∂/∂u, ∂/∂w; x and y do not matter.
        let (s, c, u) = (y[1].sin(), y[1].cos(), y[3]);
        let by_phi = [-u * s, 0.0, u * c, (-f * s - u * s * c) / 2.0, 0.0];
        let by_u = [c, 0.0, s, -s * s / 4.0, 0.0];
        let by_w = [0.0, 1.0, 0.0, 0.0, 0.0];
        let mut jacobian = [0.0; 25];
        assert_eq!(motion.jacobian(0.0, &y, &mut jacobian), Ok(true));
        for i in 0..5 {
            for (j, expected) in [(0, 0.0), (1, by_phi[i]), (2, 0.0), (3, by_u[i]), (4, by_w[i])] {
                assert!((jacobian[5 * i + j] - expected).abs() < 1e-13, "row {i}, column {j}: {jacobian:?}");
            }
        }
        // y + y' t + y'' t²/2: the second derivative is the Jacobian times the rate.
        let mut series = [0.0; 15];
        motion.coefficients(0.0, &y, 2, &mut series).expect("a series");
        for i in 0..5 {
            let second: f64 = (0..5).map(|j| jacobian[5 * i + j] * rate[j]).sum();
            let expected = [y[i], rate[i], second / 2.0];
            assert!((0..3).all(|k| (series[5 * k + i] - expected[k]).abs() < 1e-12), "{i}: {series:?}");
        }
    }
}

#[test]
fn velocities_enter_the_chart_where_they_keep_the_constraint_and_come_back() {
    let mut w = load(KNIFE).workbench();
    let mut motion = reduced(&mut w, &[]);
    let angle = 0.6f64.asin();
    let (y, off) = ([0.4, angle, -0.2, 4.0, 1.5, 3.0], [0.4, angle, -0.2, 4.0, 1.5, 3.1]);
    let state = motion.chart().enter(0.0, &y, 1e-9).expect("on the constraint");
    assert!(state.iter().zip([0.4, angle, -0.2, 5.0, 1.5]).all(|(a, b)| (a - b).abs() < 1e-14), "{state:?}");
    let mut back = [0.0; 6];
    motion.chart().leave(0.0, &state, &mut back);
    assert!(back.iter().zip(y).all(|(a, b)| (a - b).abs() < 1e-14), "{back:?}");
    assert!(motion.chart().enter(0.0, &off, 1e-9).is_none(), "off by a tenth");
    assert!(motion.chart().enter(0.0, &off, 0.1).is_some(), "within what is allowed");
}

#[test]
fn a_chart_ends_where_a_velocity_follows_from_the_others_by_a_division_by_little() {
    // y' = x' tan φ with x' and φ' as variables.
    let text = KNIFE.replace("u = \"x'*cos(phi) + y'*sin(phi)\"", "u = \"x'\"");
    let mut w = load(&text).workbench();
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
    let typical = [0.0, 0.0, 0.3, 0.0, 1.0, 1.0, 0.3f64.tan()];
    let mut motion = Reduced::new(&mut w, &options, &typical, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut rate = [0.0; 5];
    motion.rhs(0.0, &[0.0, 0.4, 0.0, 1.0, 1.0], &mut rate).expect("far from the edge");
    assert!((rate[2] - 0.4f64.tan()).abs() < 1e-14, "{rate:?}");
    for phi in [std::f64::consts::FRAC_PI_2 - 1e-4, std::f64::consts::FRAC_PI_2] {
        let end = motion.rhs(0.0, &[0.0, phi, 0.0, 1.0, 1.0], &mut rate);
        assert_eq!(end, Err(RhsFailure::ChartEnds), "{phi}");
    }
}

/// A rod of length l in the plane, and a wheel that turns with it.
const ROD: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 3\ng = 10\nl = 5\nweight = \"m*g\"\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + z'^2/2\"\npotential = \"weight*y\"\n\
    [constraints]\nrolls = \"z' = x*y' - y*x'\"\nrod = \"x^2 + y^2 = l^2\"\n\
    [initial]\nposition = { x = 3, y = 4 }\nvelocity = { x = 4 }\n";

#[test]
fn programs_that_run_elsewhere_have_the_numbers_of_the_system() {
    let mut model: Model = load(ROD);
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let shown = model.expression("x + lambda_rod").expect("an expression");
    let mut w = model.workbench();
    let programs = Playable::new(&mut w, &state, &[shown]).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = programs.parameters.iter().map(|(s, _)| w.g.name(*s)).collect();
    assert_eq!(names, ["m", "g", "l"], "what is defined by others follows them");
    assert_eq!(programs.parameters.iter().map(|p| p.1).collect::<Vec<_>>(), [3.0, 10.0, 5.0]);
    // What keeps positions stands first.
    assert_eq!((programs.kept.clone(), programs.holonomic), (vec![1, 0], 1));
    let names: Vec<&str> = programs.programs.iter().map(|p| p.0).collect();
    assert_eq!(names, ["full", "inertia", "velocity", "position", "shown", "rates", "loads"]);
    let all: usize = programs.programs.iter().map(|(_, tape)| tape.operations().len()).sum();
    assert_eq!(programs.operations(), all);
    // t, q, q̇, m, g, l.
    let at = [0.0, 3.0, 4.0, 0.5, 4.0, -3.0, -25.0, 3.0, 10.0, 6.0];
    let value = |name: &str, more: &[f64]| -> Vec<f64> {
        let tape = &programs.programs.iter().find(|p| p.0 == name).expect("a program").1;
        let mut out = vec![0.0; tape.output_count()];
        tape.runner().run(&[&at[..], more].concat(), &mut out);
        out
    };
    let mass = [3.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(value("inertia", &[]), mass);
    // z' − x y' + y x', and x² + y² − l² differentiated; the right sides are −2 (x'² + y'²) and 0.
    let (rolls, rod) = ([4.0, -3.0, 1.0], [6.0, 8.0, 0.0]);
    let full = [&mass[..], &rolls, &rod, &[0.0, -30.0, 0.0, 0.0, -50.0]].concat();
    assert_eq!(value("full", &[]), full);
    assert_eq!(value("velocity", &[]), [&[0.0, -25.0 + 9.0 + 16.0], &rod[..], &rolls].concat());
    assert_eq!(value("position", &[]), [25.0 - 36.0]);
    let loads = value("loads", &[]);
    let (a, lambda) = (&loads[..3], &loads[3..5]);
    // M q̈ = F + Aᵀ λ and A q̈ = b.
    for i in 0..3 {
        let force = [0.0, -30.0, 0.0][i] + rolls[i] * lambda[0] + rod[i] * lambda[1];
        assert!((mass[4 * i] * a[i] - force).abs() < 1e-12, "{loads:?}");
    }
    for (row, b) in [(rolls, 0.0), (rod, -50.0)] {
        assert!(((0..3).map(|i| row[i] * a[i]).sum::<f64>() - b).abs() < 1e-12, "{loads:?}");
    }
    let rates = value("rates", &[]);
    assert_eq!((&rates[..3], &rates[3..6]), (&at[4..7], a));
}
