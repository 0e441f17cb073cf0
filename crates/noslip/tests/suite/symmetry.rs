//! Energy, conserved quantities, the reducing multiplier and the inverse problem, on models small enough to do by hand.

use crate::common::{analysed, gallery, load, text};
use noslip::Limits;
use noslip::analysis::{ConservedKind, KineticPotential, sentences};
use noslip::expr::Known;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{Declared, Expr, parse_expression};
use noslip::model::Model;

fn model(coordinates: &str, parameters: &str, kinetic: &str, more: &str) -> Model {
    let list: Vec<String> = coordinates.split(' ').map(|q| format!("\"{q}\"")).collect();
    let text = format!(
        "noslip = 1\n[system]\ncoordinates = [{}]\n[parameters]\n{parameters}\n[energy]\nkinetic = \"{kinetic}\"\n{more}\n",
        list.join(", ")
    );
    load(&text)
}

fn equal(model: &mut Model, e: Expr, other: &str) -> bool {
    let other = parse_expression(&mut model.arena, other, &mut Declared, &Limits::default()).unwrap();
    let difference = model.arena.sub(e, other);
    is_zero(&mut model.arena, difference, &ZeroOptions::default()).holds()
}

#[test]
fn the_nonholonomic_particle_has_a_reducing_multiplier_and_an_integral() {
    let mut m = model("x y z", "m = 1.5", "m/2*(x'^2+y'^2+z'^2)", "[constraints]\nc = \"z' - y*x'\"");
    let a = analysed(&mut m);
    let n = a.reducing_multiplier.as_ref().unwrap();
    assert!(n.exists && n.certainty == Known::Proved);
    assert!(equal(&mut m, n.multiplier.unwrap(), "1/sqrt(1+y^2)"), "{}", text(&m, n.multiplier.unwrap()));
    assert_eq!(a.energy.conserved, Some(true));
    assert_eq!(a.energy.certainty, Known::Proved);
    let lagrangian = a.lagrangian.unwrap();
    assert!(!lagrangian.self_adjoint);
}

#[test]
fn the_vertical_disk_keeps_two_momenta() {
    let mut m = model(
        "x y theta phi",
        "m = 2\nI = 0.3\nJ = 0.2\nR = 0.5",
        "m/2*(x'^2+y'^2) + I/2*theta'^2 + J/2*phi'^2",
        "[constraints]\nc1 = \"x' - R*theta'*cos(phi)\"\nc2 = \"y' - R*theta'*sin(phi)\"",
    );
    let a = analysed(&mut m);
    let names: Vec<&str> = a.conserved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["energy", "p_phi", "linear_1"]);
    assert_eq!(text(&m, a.conserved[1].expr), "J*phi'");
    assert_eq!(a.conserved[1].certainty, Known::Proved);
    assert_eq!(text(&m, a.conserved[2].expr), "theta'");
    let cyclic: Vec<&str> = a.cyclic.iter().map(|&s| m.arena.name(s)).collect();
    assert_eq!(cyclic, ["x", "y", "theta", "phi"]);
}

#[test]
fn a_rotation_of_a_pair_of_coordinates_is_a_symmetry() {
    let mut m = model(
        "x y z",
        "m = 2\nk = 3",
        "m/2*(x'^2+y'^2+z'^2)",
        "potential = \"k*(x^2+y^2)+m*z\"\n[constraints]\nc = \"z'\"",
    );
    let a = analysed(&mut m);
    let momentum = a.conserved.iter().find(|c| c.kind == ConservedKind::Momentum).unwrap();
    assert!(equal(&mut m, momentum.expr, "m*(x*y'-y*x')"), "{}", text(&m, momentum.expr));
    assert_eq!(momentum.certainty, Known::Proved);
    assert_eq!(a.system_integrable(), Some(true));
    assert_eq!(text(&m, a.hidden[0].expr), "z");
}

#[test]
fn an_affine_constraint_does_work_and_a_moving_energy_remains() {
    // A ball on a turntable: the energy in the turning frame is conserved, T + V is not.
    let mut m = model(
        "x y psi theta phi",
        "m = 1.2\nJ = 0.3\nr = 0.5\nOmega = 0.8",
        "m/2*(x'^2+y'^2)+J/2*(psi'^2+theta'^2+phi'^2+2*psi'*phi'*cos(theta))",
        "[constraints]\nc1 = \"x'-r*sin(psi)*theta'+r*sin(theta)*cos(psi)*phi' + Omega*y\"\n\
         c2 = \"y'+r*cos(psi)*theta'+r*sin(theta)*sin(psi)*phi' - Omega*x\"",
    );
    let a = analysed(&mut m);
    assert_eq!(a.energy.conserved, Some(false));
    assert!(
        a.energy.reasons.iter().any(|r| r.contains("the reaction of constraint `c1` does work")),
        "{:?}",
        a.energy.reasons
    );
    assert!(a.constraints.iter().all(|c| c.linear && !c.homogeneous && !c.rheonomic));
    let moving = a.conserved.iter().find(|c| c.kind == ConservedKind::GeneralisedEnergy).expect("a moving energy");
    let energy = "m/2*(x'^2+y'^2)+J/2*(psi'^2+theta'^2+phi'^2+2*psi'*phi'*cos(theta))";
    let expected = format!("{energy} - Omega*(m*(x*y'-y*x'))");
    assert!(equal(&mut m, moving.expr, &expected), "{}", text(&m, moving.expr));
    assert!(a.extended_by_time);
}

#[test]
fn forces_with_a_potential_of_their_own_give_a_generalised_energy() {
    let mut m = model(
        "x y",
        "F = 3\nG = 0.4",
        "(x'^2+y'^2)/2",
        "[forces]\nx = \"F\"\ny = \"G*cos(y)\"\n[constraints]\nc = \"y' - x*x'\"",
    );
    let a = analysed(&mut m);
    assert_eq!(a.energy.conserved, Some(false));
    assert_eq!(a.energy.reasons, ["the forces on `x`, `y` do work"]);
    let e = a.conserved.iter().find(|c| c.kind == ConservedKind::GeneralisedEnergy).unwrap();
    assert!(equal(&mut m, e.expr, "(x'^2+y'^2)/2 - F*x - G*sin(y)"), "{}", text(&m, e.expr));
}

#[test]
fn gyroscopic_forces_do_no_work() {
    let mut m = model(
        "x y z",
        "B = 2",
        "(x'^2+y'^2+z'^2)/2",
        "[forces]\nx = \"B*y'\"\ny = \"-B*x'\"\n[constraints]\nc = \"z' - y*x'\"",
    );
    let a = analysed(&mut m);
    assert_eq!(a.energy.conserved, Some(true));
    assert!(!a.energy.conservative && a.energy.reasons.is_empty());
    // A relative motion: T is not homogeneous, Jacobi's function replaces the energy.
    let mut m = model("x y", "W = 2", "((x'-W*y)^2+(y'+W*x)^2)/2", "potential = \"x^2\"");
    let a = analysed(&mut m);
    assert_eq!((a.energy.conserved, a.energy.jacobi_conserved), (Some(false), Some(true)));
    assert_eq!(a.conserved[0].name, "jacobi");
}

#[test]
fn a_kinetic_potential_is_constructed_for_one_degree_of_freedom() {
    let mut m = model(
        "x y",
        "k = 2\nc = 0.5",
        "(x'^2+y'^2)/2",
        "potential = \"k*x^2/2\"\n[forces]\nx = \"-c*x'^2\"\n[constraints]\na = \"y' - 2*x'\"",
    );
    let a = analysed(&mut m);
    let facts = a.lagrangian.as_ref().unwrap();
    assert!(!facts.self_adjoint);
    let Some(KineticPotential::Found { factor, potential: l }) = facts.kinetic_potential else {
        panic!("{:?}", facts.kinetic_potential)
    };
    // 5 x'' + c x'² + k x = 0.
    assert!(equal(&mut m, factor, "exp(2*c*x/5)"), "{}", text(&m, factor));
    let (x, v) = (m.arena.lookup("x").unwrap(), m.arena.lookup("x'").unwrap());
    let (p, force) = (m.arena.diff(l, v), m.arena.diff(l, x));
    let rate = m.arena.time_derivative(p);
    let equation = m.arena.sub(rate, force);
    assert!(equal(&mut m, equation, "exp(2*c*x/5)*(5*x'' + c*x'^2 + k*x)"), "{}", text(&m, equation));
}

#[test]
fn odd_models_are_analysed_without_fuss() {
    // No constraints at all.
    let mut m = model("x", "", "x'^2/2", "");
    let a = analysed(&mut m);
    assert_eq!((a.degrees_of_freedom(), a.system_integrable(), a.chaplygin.is()), (1, Some(true), false));
    // A pendulum in Cartesian coordinates: holonomic as written.
    let mut m =
        model("x y", "l = 2\ng = 9.81", "(x'^2+y'^2)/2", "potential = \"g*y\"\n[constraints]\nrod = \"x^2+y^2-l^2\"");
    let a = analysed(&mut m);
    assert_eq!((a.constraints[0].order, a.constraints[0].integrable.as_ref().map(|i| i.integrable)), (0, Some(true)));
    assert_eq!(a.energy.conserved, Some(true));
    assert_eq!(text(&m, a.hidden[0].expr), "x^2 + y^2");
    // A constraint of second order.
    let mut m = model("x y", "", "(x'^2+y'^2)/2", "[constraints]\na = \"x'' + y'' - x'*y'\"");
    let a = analysed(&mut m);
    assert_eq!((a.constraints[0].order, a.constraints[0].integrable.is_none(), a.growth.is_none()), (2, true, true));
    assert_eq!(a.energy.conserved, Some(false));
    assert!(a.energy.reasons[0].contains("it prescribes accelerations"), "{:?}", a.energy.reasons);
    // A value that does not exist in the prime field, one that is an expression of others, one that is zero in a denominator.
    let mut m = model(
        "x y z",
        "a = \"sqrt(47*b)\"\nb = 1\nz0 = 0",
        "(x'^2+y'^2+z'^2)/2",
        "[constraints]\nc = \"z' - a*y*x' - z0*y'\"",
    );
    let a = analysed(&mut m);
    assert_eq!(a.growth.unwrap().vector, [2, 3]);
    // Constraints that cannot be solved by square roots.
    let mut m = model("x y z", "", "(x'^2+y'^2+z'^2)/2", "[constraints]\nc = \"x'^3 + y'^3 + z'^3 - x'*y'*z' - 1\"");
    let a = analysed(&mut m);
    assert_eq!((a.energy.conserved, a.constraints[0].linear), (None, false));
    // Singular masses that the constraints do not make up for.
    let mut m = model("x y z", "", "x'^2/2", "[constraints]\nc = \"y' - x*x'\"");
    let a = analysed(&mut m);
    assert_eq!((a.ranks.mass, a.ranks.regular), (1, Some(false)));
    assert!(sentences(&m.arena, &m.system, &a).iter().any(|s| s.contains("The accelerations are not determined")));
    // A table as a force and a rough force.
    let mut m = model(
        "x y",
        "",
        "(x'^2+y'^2)/2",
        "[forces]\nx = \"i(t) - abs(x')\"\n[constraints]\nc = \"y' - x*x'\"\n[tables.i]\nof = \"t\"\nat = [0, 1, 2]\nvalues = [0, 1, 0]",
    );
    let a = analysed(&mut m);
    assert_eq!((a.energy.conserved, a.rheonomic), (Some(false), true));
}

/// The angular momentum of Chaplygin's ball about the point of contact is beyond the ansatz; the model names its components.
/// K_z is the momentum of a symmetry already, and E the energy; omega_z is not constant.
#[test]
fn definitions_that_stay_constant_are_told() {
    let text = gallery::text("chaplygin-ball");
    let text = text.replace(
        "[definitions]",
        "[definitions]\nE = \"m*(x'^2 + y'^2) + I1*omega_1^2 + I2*omega_2^2 + I3*omega_3^2\"",
    );
    let mut m = load(&text);
    let a = analysed(&mut m);
    let names: Vec<&str> = a.conserved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["energy", "p_psi", "K_x", "K_y"]);
    let said = sentences(&m.arena, &m.system, &a).join("\n");
    assert!(said.contains("The model's `K_x` is conserved"), "{said}");
}
