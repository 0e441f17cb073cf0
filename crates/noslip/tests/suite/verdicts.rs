//! Verdicts on claims, word for word: how they are known, how far they reach, where they fail and by how much, what the mistake may be.
//!
//! That verdicts are right is tested against printed equations and by the judge of the fuzzers; here it is which words, states and
//! bounds. `NOSLIP_BLESS=1 cargo test -p noslip --test suite verdicts` writes `tests/data/verdicts/`: what changes there is to be worked
//! out by hand before it is kept.

use crate::common::{blessed, expression, load};
use noslip::expr::Known;
use noslip::verify::{Counterexample, Relations, claim};
use std::fmt::Write;

/// A knife with a force and a friction; the usual mistakes.
const KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\", \"y\"]\n[parameters]\nm = 2\nJ = 3\nc = 0.5\nf = 7\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n[forces]\nx = \"f\"\ny = \"-c*y'\"\n\
    [constraints]\nedge = \"x'*sin(phi) = y'*cos(phi)\"\n[quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n";

const OF_KNIFE: &[&str] = &[
    "J*phi'' = 0",
    "m*x'' = f + lambda_edge*sin(phi)",
    "m*u' + c*y'*sin(phi) = f*cos(phi)",
    "m*u*w = -f*sin(phi) - c*y'*cos(phi) - lambda_edge",
    "m*u*w = -f*sin(phi) - c*y'*cos(phi) + lambda_edge",
    "lambda_edge' = -m*u'*w - f*w*cos(phi) - c*y''*cos(phi) + c*y'*w*sin(phi)",
    "m*x'' = f - lambda_edge*sin(phi)",
    "m*x'' = 2*f + lambda_edge*sin(phi)",
    "m*x'' = f + lambda_edge*cos(phi)",
    "m*x'' = f + lambda_edge",
    "m*x' = f + lambda_edge*sin(phi)",
    "J*x'' = f + lambda_edge*sin(phi)",
    "m*x'' + c*y' = f + lambda_edge*sin(phi)",
    "m*x'' + lambda_edge'*sin(phi) + lambda_edge*phi'*cos(phi) = f",
    "m*x''*(1 + tan(phi)^2) + m*x'*phi'*tan(phi)*(1 + tan(phi)^2) = f",
    "m*x''*(1 + tan(phi)^2) + 2*m*x'*phi'*tan(phi)*(1 + tan(phi)^2) = f - c*x'*tan(phi)^2",
    "f = 7",
    "f = 6 + 1e-9",
    "x'*sin(phi) = y'*cos(phi) + 1e-13",
    "phi = 0",
    "asin(2 + x^2) = 0",
    "log(-1 - phi^2) = x",
    "abs(x) = x",
    "sqrt(phi'^2) = phi'",
    "sqrt(x'^2 + y'^2) = abs(u)",
];

/// A holonomic constraint, one that hides a relation, and an initial position.
const LEAF: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\", \"a\"]\n[parameters]\nk = 3\n\
    [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2 + a'^2)/2\"\npotential = \"k*x*a\"\n\
    [constraints]\ncircle = \"x^2 + y^2 = 25\"\nhidden = \"z' = 2*a*a'\"\n\
    [initial]\nposition = { x = 3, y = 4, z = 1, a = 0.5 }\nvelocity = { x = 4, a = 1 }\n";

const OF_LEAF: &[&str] = &[
    "x*x' + y*y' = 0",
    "x*x'' + y*y'' + x'^2 + y'^2 = 0",
    "z = a^2 + 3/4",
    "z = a^2 + 3/4 + 1e-12",
    "z = a^2",
    "(z - a^2 - 3/4)*x' = 0",
    "(z - a^2)*x' = 0",
    "x^2 + y^2 = 25",
    "y = sqrt(25 - x^2)",
    "abs(y) = sqrt(25 - x^2)",
    "atan(tan(x)) = x - pi",
    "sign(y) = 1",
    "sin(z)^2 + cos(a^2 + 3/4)^2 = 1",
    "z'' = 2*a'^2 + 2*a*a''",
    "a'' = -k*x - 2*a*lambda_hidden",
    "x = 3",
];

/// The second constraint follows from the first.
const TWICE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
    potential = \"z\"\n[constraints]\nonce = \"z' = x*y'\"\ntwice = \"2*z' = 2*x*y'\"\n";

const OF_TWICE: &[&str] = &[
    "x'' = 0",
    "y'' + x*z'' + x = 0",
    "y'' + x*z'' = 0",
    "z'' = x*y'' + x'*y'",
    "z'' + 1 = lambda_once + 2*lambda_twice",
    "lambda_once = 0",
    "lambda_twice' = 0",
];

/// Functions that are left open, and one that was measured.
const OPEN: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[functions]\nV = \"x, y\"\nF = \"t\"\n\
    [tables.h]\nof = \"x\"\nat = [-1200, -4, -1, 0.5, 2, 1200]\nvalues = [3, 2, -1, 4, 3, 1]\n\
    [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"V\"\n[forces]\nx = \"F\"\ny = \"h(x)\"\n";

const OF_OPEN: &[&str] = &[
    "x'' = F - V_x",
    "y'' = h(x) - V_y",
    "x'' = F",
    "y'' = h(x)",
    "y'' + V_y = h(y)",
    "y'' + V_y = 2*h(x)",
    "V_x = V_y",
    "h(x) = 0",
];

/// Not linear in the velocities; and a constraint of third order.
const SPEED: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\ng = 10\na = 1\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2 + z'^2)\"\npotential = \"m*g*z\"\n\
    [constraints]\nspeed = \"x'^2 + y'^2 = a^2*z'^2\"\n\
    [initial]\nposition = { x = 0, y = 0, z = 0 }\nvelocity = { x = 3, y = 4, z = 5 }\n";

const OF_SPEED: &[&str] = &[
    "x'*x'' + y'*y'' = z'*z''",
    "x'*x'' + y'*y'' = a^2*z'*z''",
    "m*x'' = 2*lambda_speed*x'",
    "m*z'' + m*g = -2*lambda_speed*z'",
    "2*z'' = -g",
    "z'' = -g/(1 + a^2)",
    "x''*y' = y''*x'",
    "z' = sqrt(x'^2 + y'^2)",
    "m*z'' + m*g = 2*lambda_speed*z'",
];

const JERK: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\ng = 10\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"m*g*y\"\n[constraints]\njerk = \"y''' = x*x'''\"\n";

const OF_JERK: &[&str] = &[
    "m*x'' = -x*lambda_jerk",
    "m*x'' = x*lambda_jerk",
    "m*y'' + m*g = lambda_jerk",
    "x'' + x*(y'' + g) = 0",
    "x'' = y''",
];

fn numbers(list: &[f64]) -> String {
    list.iter().map(|x| format!("{x:.9}")).collect::<Vec<_>>().join(", ")
}

fn verdict(out: &mut String, model: &str, equation: &str) {
    let mut model = load(model);
    let e = expression(&mut model, equation);
    let mut w = model.workbench();
    let decision = claim(&mut w, e, &mut Relations::default());
    let finding = &decision.finding;
    let reach = if finding.holds() { format!(", {:?}", finding.reach) } else { String::new() };
    writeln!(out, "{equation}\n  {}{reach}", finding.known.word()).expect("a string");
    if let Known::Tested { error_bound } = finding.known {
        writeln!(out, "  wrong with a probability of {error_bound:.3e}").expect("a string");
    }
    if let Some(why) = finding.why_undecided() {
        writeln!(out, "  {why}").expect("a string");
    }
    if let Some(Counterexample { state, residual, error }) = finding.counterexample() {
        let (q, v) = (numbers(&state.q), numbers(&state.v));
        writeln!(out, "  at t = {:.9}: {q}; {v}\n  {residual:.9e} with an error of {error:.1e}", state.t)
            .expect("a string");
    }
    for d in &decision.diagnosis {
        writeln!(out, "  {}: {}", d.mistake, d.explanation).expect("a string");
        if let Some(mended) = &d.suggestion {
            writeln!(out, "    {mended} = 0").expect("a string");
        }
    }
    out.push('\n');
}

fn compared(name: &str, model: &str, claims: &[&str]) {
    let mut out = format!("{model}\n");
    for equation in claims {
        verdict(&mut out, model, equation);
    }
    blessed(&format!("crates/noslip/tests/data/verdicts/{name}.txt"), out.trim_end(), "verdicts");
}

#[test]
fn on_a_knife() {
    compared("knife", KNIFE, OF_KNIFE);
}

#[test]
fn on_a_leaf() {
    compared("leaf", LEAF, OF_LEAF);
}

#[test]
fn on_constraints_that_depend_on_each_other() {
    compared("twice", TWICE, OF_TWICE);
}

#[test]
fn on_functions_that_are_left_open_or_were_measured() {
    compared("open", OPEN, OF_OPEN);
}

#[test]
fn on_a_constraint_that_is_not_linear() {
    compared("speed", SPEED, OF_SPEED);
}

#[test]
fn on_a_constraint_of_third_order() {
    compared("jerk", JERK, OF_JERK);
}
