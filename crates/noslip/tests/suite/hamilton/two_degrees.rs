//! The inverse problem with two degrees of freedom, Hamilton's form in the new time, Appell's degenerate Hamiltonian.

use crate::common::{gallery, load};
use noslip::expr::{Evaluator, Known};
use noslip::hamilton::canonical::Canonical;
use noslip::hamilton::hamiltonise::chaplygin;
use noslip::hamilton::inverse::{Douglas, reduced_problem};
use noslip::hamilton::new_time::hamilton_form;

/// A particle in the plane under forces of this kind.
fn plane(x: &str, y: &str) -> Option<Douglas> {
    let text = format!(
        "noslip = 1\n[system]\nname = \"plane\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nc = 0.3\n\
         [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[forces]\nx = \"{x}\"\ny = \"{y}\"\n"
    );
    reduced_problem(&mut load(&text).workbench()).expect("a system without constraints").douglas
}

#[test]
fn a_matrix_of_factors_is_found_for_damping_and_for_forces_that_swirl() {
    for (x, y) in [("-c*x' - x", "-c*y' - 2*y"), ("-c*x' - x", "-y"), ("y", "-x"), ("y - c*x'", "-x - c*y'")] {
        let found = plane(x, y);
        assert!(matches!(found, Some(Douglas::Found { verified: Known::Proved, .. })), "{x}, {y}: {found:?}");
    }
    // As they stand they are Lagrange's: nothing is looked for.
    assert!(plane("-x*y^2", "-x^2*y").is_none());
}

#[test]
fn that_there_is_no_matrix_of_factors_is_proved() {
    let none = plane("y^2 + x*y", "x'*y");
    assert!(matches!(none, Some(Douglas::None(_))), "{none:?}");
}

#[test]
fn the_nonholonomic_particle_is_solved_by_quadratures_in_the_new_time() {
    let mut w = gallery::open("nonholonomic-particle").workbench();
    let finding = chaplygin(&mut w).expect("a Chaplygin system");
    let form = hamilton_form(&mut w, &finding.system.expect("a multiplier")).expect("all forces are in it");
    let q = form.quadratures.expect("x does not occur");
    assert_eq!((w.g.name(q.absent), q.verified), ("x", Known::Proved));
    // Back in t, y' is constant: t − t₀ = ∫ dt/dy dy is linear in y.
    let time = q.closed[2].expect("an integral in closed form");
    let by = w.g.diff(time, q.coordinate);
    let by = w.simplify(by);
    assert!(!w.g.depends_on(by, q.coordinate));
}

#[test]
fn appells_hamiltonian_is_that_of_the_legendre_transformation_by_hand() {
    let mut w = gallery::open("appell-particle").workbench();
    let c = Canonical::of(&mut w).expect("it applies");
    assert_eq!(c.hessian_rank, 2);
    let mut values = w.system.values(&w.g, &[]).expect("values");
    let parameter = |w: &noslip::mechanics::Workbench, name: &str| w.g.lookup(name).expect("a parameter");
    let (m, a, g) = (parameter(&w, "m"), parameter(&w, "a"), parameter(&w, "g"));
    let h = Evaluator::new(&w.g, &[c.hamiltonian]);
    for pi in [[1.2, -0.4, 0.3], [0.2, 0.9, -0.5]] {
        values.at.set_all(&c.momenta, &pi);
        values.at.set_all(&w.system.coordinates, &[0.1, 0.2, 0.7]);
        let (m, a, g) = (values.at.get(m), values.at.get(a), values.at.get(g));
        // z' = −u/a: π·q̇ − L is greatest in u at u = (√(πx² + πy²) − πz/a)/(m (1 + 1/a²)).
        let along = f64::hypot(pi[0], pi[1]) - pi[2] / a;
        let expected = along * along / (2.0 * m * (1.0 + 1.0 / (a * a))) + m * g * 0.7;
        let found = values.evaluate(&h)[0];
        assert!((found - expected).abs() < 1e-12 * expected.abs(), "{found} instead of {expected}");
    }
}
