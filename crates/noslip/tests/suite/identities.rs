//! Identities and near-misses with the verdict each must get. None may stay undecided.

use noslip::Limits;
use noslip::expr::zero::{ZeroOptions, evaluate_with_error, is_zero};
use noslip::expr::{Arena, Declared, Expr, Role, parse_equation};
use noslip::expr::{Known, Witness};

fn arena() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z", "u", "v", "w", "theta", "phi", "psi"] {
        arena.declare(name, Role::Coordinate);
    }
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "m", "r", "l", "I", "n"] {
        arena.declare(name, Role::Parameter);
    }
    arena.declare_table("s");
    arena
}

fn difference(arena: &mut Arena, text: &str) -> Expr {
    let (lhs, rhs) =
        parse_equation(arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
    arena.sub(lhs, rhs)
}

fn verdict(text: &str) -> Known {
    let mut arena = arena();
    let e = difference(&mut arena, text);
    is_zero(&mut arena, e, &ZeroOptions::default())
}

/// True wherever both sides are defined.
const IDENTITIES: &[&str] = &[
    // Multiple angles
    "sin(x)^2 + cos(x)^2 = 1",
    "sin(2*x) = 2*sin(x)*cos(x)",
    "cos(2*x) = 1 - 2*sin(x)^2",
    "sin(3*x) = 3*sin(x) - 4*sin(x)^3",
    "cos(5*x) = 16*cos(x)^5 - 20*cos(x)^3 + 5*cos(x)",
    "tan(2*x) = 2*tan(x)/(1 - tan(x)^2)",
    "sin(x)^4 = 3/8 - cos(2*x)/2 + cos(4*x)/8",
    "sin(x)^2*cos(x)^2 = (1 - cos(4*x))/8",
    "cos(7*x)*cos(5*x) = (cos(12*x) + cos(2*x))/2",
    "cot(x) - tan(x) = 2*cot(2*x)",
    "1/cos(x)^2 = 1 + tan(x)^2",
    "csc(x)^2 - cot(x)^2 = 1",
    "(1 - cos(x)^2)/sin(x) = sin(x)",
    "sin(x)/(1 + cos(x)) = (1 - cos(x))/sin(x)",
    "sec(x) - cos(x) = sin(x)*tan(x)",
    "cos(x)^6 + sin(x)^6 = 1 - 3*sin(x)^2*cos(x)^2",
    // Half angles
    "tan(x/2) = sin(x)/(1 + cos(x))",
    "tan(x/2) = csc(x) - cot(x)",
    "sin(x/2)^2 = (1 - cos(x))/2",
    "4*cos(x/3)^3 - 3*cos(x/3) = cos(x)",
    "(1 - tan(x/2)^2)/(1 + tan(x/2)^2) = cos(x)",
    "sin(x/2)*cos(x/4)*8*sin(x/4) = 4*sin(x/2)^2",
    // Sums of angles
    "sin(x + y) = sin(x)*cos(y) + cos(x)*sin(y)",
    "cos(x - y)*cos(x + y) = cos(x)^2 - sin(y)^2",
    "tan(x + y) = (tan(x) + tan(y))/(1 - tan(x)*tan(y))",
    "sin(x) + sin(y) = 2*sin((x + y)/2)*cos((x - y)/2)",
    "sin(x - y) + sin(y - z) + sin(z - x) = -4*sin((x - y)/2)*sin((y - z)/2)*sin((z - x)/2)",
    "cos(x + pi/3) + cos(x - pi/3) = cos(x)",
    "sin(x + pi/2) = cos(x)",
    "sin(x)*sin(x + pi/3)*sin(x + 2*pi/3) = sin(3*x)/4",
    "sin(pi/12) = (sqrt(6) - sqrt(2))/4",
    "cos(theta - phi) - cos(theta + phi) = 2*sin(theta)*sin(phi)",
    "a*cos(x) + a*cos(x + 2*pi/3) + a*cos(x + 4*pi/3) = 0",
    "cos(a*x + b)^2 - sin(a*x + b)^2 = cos(2*a*x + 2*b)",
    "sin(x*(y + 1)) = sin(x*y)*cos(x) + cos(x*y)*sin(x)",
    // Nested fractions
    "1/(1 + 1/(1 + 1/x)) = (x + 1)/(2*x + 1)",
    "(1/x - 1/y)/(1/x + 1/y) = (y - x)/(y + x)",
    "x/(x - y) + y/(y - x) = 1",
    "1/(x*(x + 1)) = 1/x - 1/(x + 1)",
    "(x^3 - y^3)/(x - y) = x^2 + x*y + y^2",
    "a/(b + c/(d + e/f)) = a*(d*f + e)/(b*d*f + b*e + c*f)",
    "x^2/((x - y)*(x - z)) + y^2/((y - x)*(y - z)) + z^2/((z - x)*(z - y)) = 1",
    // Square roots
    "sqrt(x)^2 = x",
    "sqrt(x^2) = abs(x)",
    "sqrt(x)*sqrt(y) = sqrt(x*y)",
    "sqrt(8) = 2*sqrt(2)",
    "1/(sqrt(x) + sqrt(y)) = (sqrt(x) - sqrt(y))/(x - y)",
    "sqrt((x^2 + 1)^2) = x^2 + 1",
    "1/sqrt(2) = sqrt(2)/2",
    "sqrt(1 - sin(x)^2) = abs(cos(x))",
    "sqrt(1 - cos(x))*sqrt(1 + cos(x)) = abs(sin(x))",
    "x/sqrt(x) = sqrt(x)",
    "sqrt(x + sqrt(x^2 - y))*sqrt(x - sqrt(x^2 - y)) = sqrt(y)",
    "(x^(1/3))^3 = x",
    "sqrt(x*y)*sqrt(y*z)*sqrt(x*z) = abs(x*y*z)",
    "sqrt(4*x^2 + 4*x + 1) = abs(2*x + 1)",
    "sqrt(3 + 2*sqrt(2)) = 1 + sqrt(2)",
    "x^(1/2)*x^(1/3) = x^(5/6)",
    "sqrt(sin(x)^2 + 2 + 1/sin(x)^2)*abs(sin(x)) = 1 + sin(x)^2",
    // Quotients of determinants
    "(a*d - b*c)/(a*d - b*c) = 1",
    "((a*f - c*e)*(b*c - a*d) - (d*e - b*f)*(a*c - c*a))/(a*d - b*c) = -(a*f - c*e)",
    "(e*d - b*f)/(a*d - b*c)*a + (a*f - e*c)/(a*d - b*c)*b = e",
    "(a*(e*l - f*h) - b*(d*l - f*g) + c*(d*h - e*g))/(d*h - e*g) = c + (a*(e*l - f*h) - b*(d*l - f*g))/(d*h - e*g)",
    "(cos(x)*cos(y) - sin(x)*sin(y))/(cos(x)^2 + sin(x)^2) = cos(x + y)",
    // Parameters
    "(I + m*r^2)*x/(I/m + r^2) = m*x",
    "(m*r^2*sin(theta)^2 + m*r^2*cos(theta)^2)/(m*r) = r",
    "m*l^2/(I + m*l^2) = 1/(1 + I/(m*l^2))",
    "(a + b)^10 - (a - b)^10 = 20*a^9*b + 240*a^7*b^3 + 504*a^5*b^5 + 240*a^3*b^7 + 20*a*b^9",
    // Exponentials and their relatives
    "exp(x + y) = exp(x)*exp(y)",
    "exp(x)^2*exp(-2*x) = 1",
    "sinh(2*x) = 2*sinh(x)*cosh(x)",
    "cosh(x)^2 - sinh(x)^2 = 1",
    "tanh(x) = (exp(2*x) - 1)/(exp(2*x) + 1)",
    "sqrt(exp(x)) = exp(x/2)",
    "log(x*y) = log(x) + log(y)",
    "exp(2*log(x)) = x^2",
    "x^n*x = x^(n + 1)",
    "(x*y)^n = x^n*y^n",
    "2^n*2^n = 4^n",
    "cosh(x + y) = cosh(x)*cosh(y) + sinh(x)*sinh(y)",
    "log(sqrt(x)) = log(x)/2",
    // Inverse functions, signs, tables
    "cos(asin(x)) = sqrt(1 - x^2)",
    "asin(x) + acos(x) = pi/2",
    "sin(2*atan(x)) = 2*x/(1 + x^2)",
    "cos(atan2(y, x))*sqrt(x^2 + y^2) = x",
    "abs(x*y) = abs(x)*abs(y)",
    "x*sign(x) = abs(x)",
    "atan(-x) = -atan(x)",
    "s(x + x) - s(2*x) = 0",
    "s((x + y)^2)*s(z) = s(z)*s(x^2 + 2*x*y + y^2)",
];

/// Each differs from something true by a sign, a factor, a shift, a branch or a small number.
const NEAR_MISSES: &[&str] = &[
    "sin(x)^2 + cos(x)^2 = 1 + 1e-12*x",
    "sin(2*x) = 2*sin(x)*cos(x) + 1e-9*sin(y)",
    "cos(2*x) = 1 - sin(x)^2",
    "sin(3*x) = 3*sin(x) - 3*sin(x)^3",
    "cos(5*x) = 16*cos(x)^5 - 20*cos(x)^3 + 4*cos(x)",
    "tan(2*x) = 2*tan(x)/(1 + tan(x)^2)",
    "sin(x)^4 = 3/8 - cos(2*x)/2 - cos(4*x)/8",
    "sin(x)^2*cos(x)^2 = (1 + cos(4*x))/8",
    "cos(7*x)*cos(5*x) = (cos(12*x) - cos(2*x))/2",
    "cot(x) + tan(x) = 2*cot(2*x)",
    "csc(x)^2 + cot(x)^2 = 1",
    "(1 - cos(x)^2)/sin(x) = cos(x)",
    "sin(x)/(1 + cos(x)) = (1 + cos(x))/sin(x)",
    "cos(x)^6 + sin(x)^6 = 1",
    "tan(x/2) = sin(x)/(1 - cos(x))",
    "tan(x/2) = csc(x) + cot(x)",
    "sin(x/2)^2 = (1 - cos(x))/3",
    "4*cos(x/3)^3 - 3*cos(x/3) = sin(x)",
    "sin(x/2) = sqrt((1 - cos(x))/2)",
    "sin(x + y) = sin(x)*cos(y) - cos(x)*sin(y)",
    "sin(x + y) = sin(x) + sin(y)",
    "cos(x - y)*cos(x + y) = cos(x)^2 - cos(y)^2",
    "tan(x + y) = (tan(x) + tan(y))/(1 + tan(x)*tan(y))",
    "cos(x + pi/3) + cos(x - pi/3) = 2*cos(x)",
    "sin(x + pi/2) = -cos(x)",
    "sin(pi/12) = (sqrt(6) + sqrt(2))/4",
    "sin(x*(y + 1)) = sin(x*y)*cos(x) - cos(x*y)*sin(x)",
    "a*cos(x) + a*cos(x + 2*pi/3) + a*cos(x + 5*pi/3) = 0",
    "cos(10*(x + 5)^4) = cos(10*(x + 5)^4 + 1e-6)",
    "cos(pi/7) + cos(3*pi/7) + cos(5*pi/7) = 1/3",
    "1/(1 + 1/(1 + 1/x)) = (x + 1)/(2*x - 1)",
    "(1/x - 1/y)/(1/x + 1/y) = (x - y)/(y + x)",
    "x/(x - y) + y/(x - y) = 1",
    "1/(x*(x + 1)) = 1/x + 1/(x + 1)",
    "(x^3 - y^3)/(x - y) = x^2 - x*y + y^2",
    "a/(b + c/(d + e/f)) = a*(d*f - e)/(b*d*f + b*e + c*f)",
    "x^2/((x - y)*(x - z)) + y^2/((y - x)*(y - z)) + z^2/((z - x)*(z - y)) = 0",
    "sqrt(x^2) = x",
    "sqrt(x)*sqrt(y) = sqrt(x + y)",
    "sqrt(8) = 3*sqrt(2)",
    "1/(sqrt(x) + sqrt(y)) = (sqrt(x) + sqrt(y))/(x - y)",
    "sqrt((x - 1)^2) = x - 1",
    "sqrt(1 - sin(x)^2) = cos(x)",
    "sqrt(x + y) = sqrt(x) + sqrt(y)",
    "sqrt(x^2 + 1) = x + 1",
    "sqrt(x*y)*sqrt(y*z)*sqrt(x*z) = x*y*z",
    "sqrt(3 + 2*sqrt(2)) = 2 + sqrt(2)",
    "sqrt(3 + 2*sqrt(2)) = -1 - sqrt(2)",
    "x^(1/2)*x^(1/3) = x^(1/6)",
    "sqrt(2)*sqrt(3) = sqrt(5)",
    "(a*d - b*c)/(a*d + b*c) = 1",
    "(e*d - b*f)/(a*d - b*c)*a + (a*f - e*c)/(a*d - b*c)*b = f",
    "(e*d - b*f)/(a*d - b*c)*c + (a*f - e*c)/(a*d - b*c)*d = e",
    "(I + m*r^2)*x/(I/m + r^2) = r*x",
    "(m*r^2*sin(theta)^2 + m*r^2*cos(phi)^2)/(m*r) = r",
    "m*l^2/(I + m*l^2) = 1/(1 + I*m*l^2)",
    "(a + b)^10 - (a - b)^10 = 20*a^9*b + 240*a^7*b^3 + 503*a^5*b^5 + 240*a^3*b^7 + 20*a*b^9",
    "exp(x + y) = exp(x) + exp(y)",
    "exp(x)^2*exp(-x) = 1",
    "sinh(2*x) = sinh(x)*cosh(x)",
    "cosh(x)^2 + sinh(x)^2 = 1",
    "tanh(x) = (exp(x) - 1)/(exp(x) + 1)",
    "log(x + y) = log(x) + log(y)",
    "exp(2*log(x)) = 2*x",
    "x^n*x = x^(n + 2)",
    "2^n*3^n = 5^n",
    "log(x^2) = 2*log(abs(x) + 1e-6)",
    "cos(asin(x)) = 1 - x^2",
    "asin(x) + acos(x) = pi",
    "asin(sin(x)) = x",
    "sin(2*atan(x)) = x/(1 + x^2)",
    "abs(x + y) = abs(x) + abs(y)",
    "x*sign(x) = x",
    "atan(-x) = atan(x)",
    "s(x + x) = 2*s(x)",
    "s(x)*s(y) = s(x*y)",
];

#[test]
fn there_are_enough_of_each() {
    assert!(IDENTITIES.len() >= 60 && NEAR_MISSES.len() >= 60);
}

#[test]
fn true_identities_are_proved() {
    let failures: Vec<String> = IDENTITIES
        .iter()
        .map(|text| (text, verdict(text)))
        .filter(|(_, v)| *v != Known::Proved)
        .map(|(text, v)| format!("{text}: {v:?}"))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn near_misses_are_disproved_by_a_real_point() {
    let mut failures = Vec::new();
    for text in NEAR_MISSES {
        match verdict(text) {
            Known::Refuted(Witness::Real { values, value, error }) => {
                // The counterexample can be checked without the zero test.
                let mut arena = arena();
                let e = difference(&mut arena, text);
                let again = evaluate_with_error(&arena, e, &values).unwrap();
                assert!(again.value == value && value.abs() > error, "{text} at {values:?}");
            }
            v => failures.push(format!("{text}: {v:?}")),
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
