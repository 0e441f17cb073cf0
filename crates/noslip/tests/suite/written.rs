//! How expressions are written: the normal form, the readable form in every style, the derivative.
//!
//! Every line is proved, or tested, to be equal to what it is made from; which of the equal ways is chosen stands in
//! `tests/data/written/`. `NOSLIP_BLESS=1 cargo test -p noslip --test suite written` writes these files: what changes there should be
//! better to read than before.

use crate::common::blessed;
use noslip::Limits;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{
    Arena, Declared, Expr, Printer, Readable, Role, Scale, Style, Tree, parse_expression, readable, readable_equation,
    simplify,
};
use std::fmt::Write;

const ANGLES: &[&str] = &[
    "sin(x)^2 + cos(x)^2",
    "a*sin(x)^2 + a*cos(x)^2*sin(y)^2 + a*cos(x)^2*cos(y)^2",
    "cos(x)*cos(y) + sin(x)*sin(y)",
    "m*sin(x)*cos(y) - m*cos(x)*sin(y) + g",
    "sin(x)*cos(x)*x'^2",
    "cos(x)^2 - sin(x)^2",
    "1 - 2*sin(x)^2",
    "tan(x)*cos(x)",
    "sin(x)/cos(x) + cos(x)/sin(x)",
    "1/cos(x)^2 - tan(x)^2",
    "(1 + tan(x)^2)*x'^2",
    "cot(x)*x' + csc(x)*y'",
    "sec(x)*tan(x)*x'",
    "sin(x + y)*cos(x - y)",
    "sin(2*x)/(2*sin(x))",
    "cos(3*x) + 3*cos(x)",
    "sin(x)^4 - cos(x)^4",
    "sin(x)^3*cos(x)",
    "sin(x + pi/2) + cos(x + pi)",
    "sin(-x) + cos(-x) + tan(-x)",
    "sin(x/2)^2",
    "sin(pi/3) + cos(pi/4) + tan(pi/6)",
    "m*l^2*(x'^2*cos(y)^2 + y'^2) + m*l^2*x'^2*sin(y)^2",
    "m*l*(x''*cos(x - y) + x'^2*sin(x - y))",
    "a*cos(x - y)*cos(y) - a*sin(x - y)*sin(y)",
    "sin(x)*sin(y)*sin(z) + cos(x)*sin(y)*cos(z)",
    "sinh(x)^2 - cosh(x)^2",
    "sinh(x)*cosh(x) + tanh(x)",
    "exp(x)*exp(-y) + exp(2*x)",
    "asin(x) + acos(x) + atan(x) + atan2(x, y)",
    "sin(asin(x)) + cos(acos(x)) + cos(asin(x))",
    "sin(sin(x)^2 + cos(x)^2 - y)",
    "1 - cos(x)^2",
    "1 - sin(x)^2",
    "a - a*cos(x)^2 + b*sin(x)^2",
    "y*cos(x)^2 + z*sin(x)^2 - y",
    "a*cos(x)^2 + b*sin(x)*cos(x) + a*sin(x)*cos(x)",
    "a*(1 - 2*sin(x)^2)*y' + 2*b*sin(x)*cos(x)*z'",
    "a*sin(x)^2*cos(x)^2 - b",
    "cos(x)^2/sin(x)^2 + 1",
    "sin(x)/cos(x)^2 + y/cos(x)",
    "cos(x)/sin(x)^2 - y*cos(x)^2/sin(x)^2",
    "(a + b)*cos(x)^2 + a*sin(x)^2",
    "cos(x - y)*cos(x + y) - cos(x)^2 + sin(y)^2",
    "m*l^2*x''*sin(y)^2 + 2*m*l^2*x'*y'*sin(y)*cos(y) + (m*g*l + Ip)*sin(x)",
    "sin(x)*cos(y)*z' + cos(x)*sin(y)*z' + sin(x - y)",
    "cos(2*x)*cos(y) + sin(2*x)*sin(y)",
    "sin(x/3)*cos(x/3) + cos(2*x/3)",
    "tan(x/2)*(1 + cos(x))",
    "cosh(x)^2 - 1",
    "(sinh(x) + cosh(x))*exp(-x)",
    "x*cos(atan2(y, x)) + y*sin(atan2(y, x))",
    "cos(acos(x) - asin(y))",
];

const ALGEBRA: &[&str] = &[
    "0",
    "1/3 - 0.25",
    "-x",
    "x - y + x + y",
    "2*(x + y) - 2*x",
    "(x + y)^2 - (x - y)^2",
    "(x^2 - y^2)/(x - y)",
    "(x^3 - 1)/(x^2 + x + 1)",
    "1/x + 1/y",
    "1/(x + 1) - 1/(x - 1)",
    "a/b/m",
    "x/(y/z)",
    "m*r^2/4*x'' + m*r^2/2*x'' + Ip*x''",
    "-m*g*l - m*g*r",
    "(a + b)*(a - b)*x' + a^2*y'",
    "a*x + a*y + b*x + b*y",
    "a*x*y + a*x*z + b",
    "x*x'*y' + x^2*x'' + y*x''",
    "(m + a)*x'' + m*l*y'' - (m + a)*g",
    "x^(-2)",
    "-1/2*x^(-1)",
    "x^a*x^b",
    "2^x*3^x",
    "(x*y)^a",
    "x^(1/2)*x^(3/2)",
    "sqrt(x^2 + y^2)*sqrt(x^2 + y^2)",
    "sqrt(12) + sqrt(27)",
    "sqrt(x^2*y)",
    "1/sqrt(x)",
    "x/sqrt(x^2 + y^2)",
    "(x^2 + y^2)^(3/2)",
    "(x + y)^(1/3)",
    "x^(2/3)*y^(5/3)",
    "sqrt(a*x + b*x)",
    "abs(x)*abs(y) + abs(x)^2",
    "abs(-x) + sign(x)*abs(x)",
    "sqrt((x - 1)^2)",
    "exp(log(x)) + log(exp(x))",
    "log(x*y) - log(x) - log(y)",
    "log(x)/x + log(2)",
    "1000000000000*x + 1/1000000000000",
    "1.5e-3*x^12 - 7*x^10",
    "x^10 + x^2*y^11",
    "((x + 1)*y + 1)*z + 1",
    "(x + y + z)^3",
    "x*(y*(z*(a*(b + 1) + 1) + 1) + 1)",
    "(x*y + z)/(a*b) - z/(a*b)",
    "x'*(a*y' + b*z') + x''*(a + b)",
    "m1*x1' + m2*x2' + omega_1*x",
    "phi'^2*theta'' + alpha*beta/gamma",
    "kappa_12*x - x_0",
    "suslov*x + Omega^2",
    "t*x' + sin(Omega*t)",
    "pi*x - 2*pi",
    "lam*x + lam*(y - x)",
    "(x - 1)*(x - 2)*(x - 3) - x^3",
    "(a*x + b)^2/(a*x + b)",
    "x^2*y - x*y^2 + x - y",
    "1/(1 + 1/(1 + 1/x))",
    "(x/y)^3*(y/x)^2",
    "m*x''/(m + a) + a*x''/(m + a)",
    "sqrt(x)*sqrt(y) - sqrt(x*y)",
    "sqrt(x + sqrt(y))*(x - sqrt(y))",
    "(x^2 + 2*x*y + y^2)^(1/2)",
    "x^(1/4)*x^(1/4) + x^(3/4)",
    "1/(sqrt(x) - sqrt(y))",
    "a^2*x/(a*sqrt(b)) - sqrt(8*b)",
    "exp(a*x)*exp(b*x) - exp((a + b)*x + 1)",
    "log(x^2) + log(1/y)",
    "abs(x^2 + 1) + abs(-x^2 - 1)",
    "sign(x)^2 + sign(-y)",
    "x'*y'*z' + x'*y' + x'",
    "(m1 + m2)*x1'' + m2*x2'' + m2*x1'*x2'*(x1 + x2)",
    "(a - b)*(b - a) + (x - y)/(y - x)",
    "-(-x - y)/(-z)",
    "3/7*x - 2/7*x + 0.125*y",
];

const ROOTS: &[&str] = &[
    "sqrt(3 + 2*sqrt(2))",
    "sqrt(2 - sqrt(3))",
    "sqrt(5 - 2*sqrt(6))^3",
    "1/sqrt(3 + 2*sqrt(2))",
    "sqrt(1 + sqrt(2))",
    "sqrt(-1 + sqrt(2))",
    "(2 + sqrt(3))^(1/4)",
    "1/(1 + sqrt(2)) + 1/(1 - sqrt(2))",
    "1/(x + sqrt(y))",
    "(x - sqrt(y))*(x + sqrt(y))",
    "x^(1/6)*x^(1/3)",
    "x^(7/3)/x^(1/3)",
    "(x^3)^(1/3) + (x^6)^(1/3)",
    "(x^2*y^3)^(1/2)",
    "(x*y)^(2/3)/x^(2/3)",
    "sqrt(x*y)*sqrt(y*z)*sqrt(x*z)",
    "sqrt(-x)*sqrt(-y)",
    "sqrt(x/y)*sqrt(y/x)",
    "sqrt(x/(x + 1))*sqrt(x + 1)",
    "sqrt(x^2 - y^2)/sqrt(x - y)",
    "sqrt(sqrt(x)) + x^(1/4)",
    "sqrt(sqrt(x^2 + 1) + 1)*sqrt(sqrt(x^2 + 1) - 1)",
    "(x + 1)^(5/2)/(x + 1)",
    "(x^2 + 1)^(-3/2) - (x^2 + 1)^(-1/2)",
    "sqrt(exp(x))*exp(x/3)",
    "sqrt(4*x^2 + 4*x + 1)",
    "sqrt(a^2*x^2 + a^2*y^2)",
    "sqrt(1 - cos(x)^2)",
    "sqrt((x - y)^2 + z^2)*(x' - y')",
    "abs(x)^3 - x^2*abs(x)",
    "abs(x*y)/abs(y)",
    "sign(x)*abs(x) + sign(x*y)",
    "sqrt(x^2)*sign(x)",
];

fn arena() -> Arena {
    let mut g = Arena::new();
    for p in "a b m g l r Ip m1 m2 omega_1 Omega alpha beta gamma kappa_12 x_0 suslov".split(' ') {
        g.declare(p, Role::Parameter);
    }
    for q in "x y z x1 x2 phi theta".split(' ') {
        let s = g.declare(q, Role::Coordinate);
        let v = g.dot(s);
        g.dot(v);
    }
    g.declare("lam", Role::Multiplier);
    g
}

/// That a way to write an expression is equal to it, or to a multiple of it.
fn assert_equal(g: &mut Arena, text: &str, tree: &Tree, e: Expr) {
    let back = tree.to_expr(g);
    let difference = g.sub(back, e);
    let known = is_zero(g, difference, &ZeroOptions::default());
    assert!(known.holds(), "{text}: {known:?}");
}

fn lines(out: &mut String, g: &mut Arena, text: &str) {
    let limits = Limits::default();
    let e = parse_expression(g, text, &mut Declared, &limits).unwrap_or_else(|e| panic!("{text}: {e}"));
    let plain = Printer::new(Style::Text);
    let shown = |g: &Arena, e: Expr| plain.print(g, &Tree::of(g, e, &limits).expect("not too long"));
    let simple = simplify(g, e, &limits);
    let tree = Tree::of(g, simple, &limits).expect("not too long");
    assert_equal(g, text, &tree, e);
    writeln!(out, "{text}\n  as it stands  {}\n  normal form   {}", shown(g, e), shown(g, simple)).expect("a string");
    let tree = readable(g, e, &Readable::default()).expect("readable");
    assert_equal(g, text, &tree, e);
    for style in [Style::Text, Style::Unicode, Style::Latex, Style::MathMl] {
        writeln!(out, "  {:13} {}", format!("{style:?}"), Printer::new(style).print(g, &tree)).expect("a string");
    }
    for scale in [Scale::Keep, Scale::Free] {
        let tree = readable_equation(g, e, &Readable { scale, ..Readable::default() }).expect("readable");
        writeln!(out, "  {:13} {} = 0", format!("{scale:?}"), plain.print(g, &tree)).expect("a string");
    }
    let x = g.lookup("x").expect("a coordinate");
    let slope = g.diff(e, x);
    let tree = readable(g, slope, &Readable::default()).expect("readable");
    writeln!(out, "  by x          {}", plain.print(g, &tree)).expect("a string");
    let rate = g.time_derivative(e);
    let tree = readable(g, rate, &Readable::default()).expect("readable");
    assert_equal(g, text, &tree, rate);
    writeln!(out, "  by t          {}", plain.print(g, &tree)).expect("a string");
    writeln!(out, "  work          {}\n", g.work.done()).expect("a string");
}

fn compared(name: &str, list: &[&str]) {
    let mut out = String::new();
    for text in list {
        // Alone: what was read before would decide the order of what is equal.
        lines(&mut out, &mut arena(), text);
    }
    blessed(&format!("crates/noslip/tests/data/written/{name}.txt"), &out, "written");
}

#[test]
fn with_angles() {
    compared("angles", ANGLES);
}

#[test]
fn with_sums_powers_and_roots() {
    compared("algebra", ALGEBRA);
}

#[test]
fn with_roots_of_roots_of_quotients_and_of_squares() {
    compared("roots", ROOTS);
}
