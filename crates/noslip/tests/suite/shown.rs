//! What each form shows of small models: equations, the relations between velocities, reactions, intermediate objects, remarks, or why
//! it does not apply.
//!
//! The equations are proved to agree, but what stands beside them has no other witness. `NOSLIP_BLESS=1 cargo test -p noslip --test
//! suite shown` writes `tests/data/shown/`; what changes there is to be derived by hand before it is kept.

use crate::common::{blessed, gallery, load};
use noslip::expr::{Printer, Style, Symbol, Tree};
use noslip::forms::{FORMS, Form, Presented, best_suited};
use noslip::mechanics::Workbench;
use noslip::{agreement, present};
use std::fmt::Write;

/// A force, a potential, an energy that depends on the time, and a constraint with a part free of velocities.
const MOVING_KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n\
    [parameters]\nm = 2\nJ = 3\na = 1\nb = 1\nc = 1\nu = 1\nk = 5\n\
    [energy]\nkinetic = \"m/2*((x' - b*t)^2 + y'^2) + J/2*phi'^2\"\npotential = \"k/2*x^2\"\n[forces]\nphi = \"-c*phi'\"\n\
    [constraints]\nknife = \"y' = x*x' + a*phi' + u*t*x\"\n";

/// Quasi-velocities along a knife that is carried sideways.
const CARRIED_KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n\
    [parameters]\nm = 2\nJ = 3\nb = 1\nf = 1\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n[forces]\nx = \"f*cos(phi)\"\ny = \"f*sin(phi)\"\n\
    [constraints]\nknife = \"y'*cos(phi) - x'*sin(phi) = b*t\"\n\
    [quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n";

/// Two constraints, two dependent velocities.
const UPRIGHT_DISC: &str = "noslip = 1\n[system]\ncoordinates = [\"psi\", \"phi\", \"x\", \"y\"]\n\
    [parameters]\nm = 2\nA = 3\nB = 4\nR = 1\nM = 1\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + A/2*psi'^2 + B/2*phi'^2\"\n[forces]\nphi = \"M\"\nx = \"-m*x'\"\n\
    [constraints]\nalong = \"x' = R*phi'*cos(psi)\"\nacross = \"y' = R*phi'*sin(psi)\"\n";

/// Solved for the last velocity, but not linear.
const SPEED: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\na = 1\ng = 10\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2 + z'^2)\"\npotential = \"m*g*z\"\n\
    [constraints]\nspeed = \"z' = a*x*x'*y' + y*t\"\n";

/// No velocity in closed form.
const UNSOLVED: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\ng = 10\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n\
    [constraints]\nspeed = \"x'^5 + x' + y*y'^5 + y' = 4\"\n[initial]\nposition = { x = 0, y = 1 }\nvelocity = { x = 1 }\n";

const SECOND_ORDER: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\nb = 1\ng = 10\n\
    [energy]\nkinetic = \"m/2*((1 + x^2)*x'^2 + (y' - b*t*x)^2 + z'^2)\"\npotential = \"m*g*z\"\n\
    [constraints]\nturn = \"z'' = x*x'' + t*y''\"\n";

const THIRD_ORDER: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\ng = 10\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n[constraints]\njerk = \"y''' = x*x'''\"\n";

/// Three operators, two degrees of freedom, coefficients that vary.
const OPERATORS: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\nk = 3\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"k/2*y^2\"\n[forces]\nx = \"-x'\"\n\
    [operators]\na = { x = 1 }\nb = { y = \"1 + x^2\" }\nc = { x = \"y\" }\n";

/// A pendulum in redundant coordinates: the coefficients are constant where the finite constraint holds.
const REDUNDANT: &str = "noslip = 1\n[system]\ncoordinates = [\"c\", \"s\", \"z\"]\n[parameters]\nm = 2\ng = 10\n\
    [energy]\nkinetic = \"m/2*(c'^2 + s'^2 + z'^2)\"\npotential = \"m*g*c\"\n\
    [constraints]\ncircle = \"c^2 + s^2 = 1\"\n\
    [quasi_velocities]\nw = \"c*s' - s*c'\"\nv = \"z' + c*(c*s' - s*c')\"\n\
    [initial]\nposition = { c = 1, s = 0, z = 0 }\n";

/// The second constraint follows from the first.
const DEPENDENT: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\nk = 3\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2 + z'^2)\"\npotential = \"k*z\"\n\
    [constraints]\nonce = \"z' = x*y'\"\ntwice = \"2*z' = 2*x*y'\"\n";

/// Three angles that turn one after the other, a sum of which occurs.
const FOLDED: &str = "noslip = 1\n[system]\ncoordinates = [\"a\", \"b\", \"c\"]\n[parameters]\nm = 2\nl = 3\ng = 10\n\
    [definitions]\nx = \"l*(sin(a) + sin(a + b))\"\ny = \"l*(cos(a) + cos(a + b))\"\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + m*l^2/6*(a'^2 + c'^2)\"\npotential = \"-m*g*y\"\n\
    [constraints]\nturn = \"c' = a' + b'*cos(b)\"\n";

fn pairs(out: &mut String, w: &Workbench, title: &str, list: &[(Symbol, Tree)]) {
    let printer = Printer::new(Style::Text);
    for (s, tree) in list {
        writeln!(out, "  {title} {} = {}", w.g.name(*s), printer.print(&w.g, tree)).expect("a string");
    }
}

fn written(out: &mut String, w: &Workbench, shown: &Presented) {
    let printer = Printer::new(Style::Text);
    for (i, tree) in shown.equations.iter().enumerate() {
        let title = if i < shown.own { "equation" } else { "with" };
        writeln!(out, "  {title} {} = 0", printer.print(&w.g, tree)).expect("a string");
    }
    pairs(out, w, "variable", &shown.variables);
    pairs(out, w, "velocity", &shown.kinematics);
    pairs(out, w, "reaction", &shown.reactions);
    pairs(out, w, "where", &shown.abbreviations);
    for o in &shown.objects {
        writeln!(out, "  {}: {} = {}", o.name, o.symbol, printer.print(&w.g, &o.value)).expect("a string");
    }
    for (name, list) in &shown.alternatives {
        for tree in list {
            writeln!(out, "  {name}: {} = 0", printer.print(&w.g, tree)).expect("a string");
        }
    }
    for note in &shown.notes {
        writeln!(out, "  ({note})").expect("a string");
    }
    writeln!(out, "  {} operations, {} of them to know the motion", shown.operations(), shown.length())
        .expect("a string");
}

fn of_form(out: &mut String, w: &mut Workbench, form: &dyn Form) {
    writeln!(out, "{}", form.id()).expect("a string");
    match form.derive(w) {
        Ok(eq) => {
            let verdict = agreement(w, &eq);
            assert!(verdict.holds(), "{}: {:?}", form.id(), verdict.reason());
            let shown = present(w, &eq).unwrap_or_else(|e| panic!("{}: {e}", form.id()));
            written(out, w, &shown);
        }
        Err(error) => writeln!(out, "  {}", error.message).expect("a string"),
    }
    out.push('\n');
}

fn compared(name: &str, model: &str) {
    let mut w = load(model).workbench();
    let mut out = format!("{model}\n");
    for form in FORMS {
        of_form(&mut out, &mut w, *form);
    }
    if let Some(form) = best_suited(&mut w) {
        writeln!(out, "best suited: {}", form.id()).expect("a string");
    }
    blessed(&format!("crates/noslip/tests/data/shown/{name}.txt"), out.trim_end(), "shown");
}

#[test]
fn of_a_constraint_with_a_part_free_of_velocities() {
    compared("moving-knife", MOVING_KNIFE);
}

#[test]
fn of_quasi_velocities_and_a_constraint_that_depends_on_the_time() {
    compared("carried-knife", CARRIED_KNIFE);
}

#[test]
fn of_two_constraints() {
    compared("upright-disc", UPRIGHT_DISC);
}

#[test]
fn of_a_constraint_that_is_not_linear_and_solved() {
    compared("speed", SPEED);
}

#[test]
fn of_a_constraint_without_a_solution_in_closed_form() {
    compared("unsolved", UNSOLVED);
}

#[test]
fn of_constraints_of_higher_order() {
    compared("second-order", SECOND_ORDER);
    compared("third-order", THIRD_ORDER);
}

#[test]
fn of_more_operators_than_degrees_of_freedom() {
    compared("operators", OPERATORS);
}

#[test]
fn of_redundant_coordinates() {
    compared("redundant", REDUNDANT);
}

#[test]
fn of_constraints_that_depend_on_each_other() {
    compared("dependent", DEPENDENT);
}

#[test]
fn of_angles_between_bodies() {
    compared("folded", FOLDED);
}

/// Written with letters for what occurs often.
#[test]
fn of_long_equations() {
    let mut out = String::new();
    for (name, form) in
        [("ball-in-cylinder", "maggi"), ("car-with-two-trailers", "chaplygin"), ("appell-machine", "kane")]
    {
        let mut w = gallery::open(name).workbench();
        writeln!(out, "{name}").expect("a string");
        of_form(&mut out, &mut w, noslip::form(form).expect("a form"));
    }
    blessed("crates/noslip/tests/data/shown/long.txt", out.trim_end(), "shown");
}
