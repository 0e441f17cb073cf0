//! Absolute values inside and outside of odd functions: identities of all real numbers that no algebra of the functions shows.
//!
//! ```text
//! f(|w| r) = sign(w) f(w r)   for f odd,    g(|w| r) = g(w r)   for g even,
//! |f(u)| = sign(u) f(u),   sign(f(u)) = sign(u)   for f odd and increasing
//! ```

use crate::expr::{Arena, Expr, Function, Node, Rational};
use rustc_hash::FxHashMap;

/// The expression with signs outside of functions.
pub(super) fn signs_outside(g: &mut Arena, e: Expr) -> Expr {
    let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
    for x in g.reachable(&[e]) {
        let new = g.rebuild(x, |child| memo.get(&child).copied().unwrap_or(child));
        let new = outside(g, new).unwrap_or(new);
        memo.insert(x, new);
    }
    memo.get(&e).copied().unwrap_or(e)
}

fn outside(g: &mut Arena, e: Expr) -> Option<Expr> {
    use Function::{Abs, Asin, Atan, Cos, Cosh, Sign, Sin, Sinh, Tan, Tanh};
    let Node::Call(f, u) = *g.node(e) else { return None };
    match f {
        Abs | Sign => {
            let Node::Call(Sinh | Tanh | Asin | Atan, of) = *g.node(u) else { return None };
            let sign = g.call(Sign, of);
            Some(if f == Sign { sign } else { g.mul(sign, u) })
        }
        Sinh | Tanh | Asin | Atan | Sin | Tan => {
            let (plain, signs) = without_absolute_values(g, u)?;
            let value = g.call(f, plain);
            Some(g.mul(signs, value))
        }
        Cosh | Cos => {
            let (plain, _) = without_absolute_values(g, u)?;
            Some(g.call(f, plain))
        }
        _ => None,
    }
}

/// A product with w in place of every factor |w|, and the product of their signs; `None` where there is no such factor.
fn without_absolute_values(g: &mut Arena, u: Expr) -> Option<(Expr, Expr)> {
    let (coefficient, rest) = g.split_coefficient(u);
    let factors: Vec<(Expr, Rational)> = match g.node(rest) {
        Node::Product { factors, .. } => factors.to_vec(),
        _ => vec![(rest, Rational::ONE)],
    };
    let (mut plain, mut signs) = (Vec::new(), Vec::new());
    for (base, exponent) in factors {
        let odd = exponent.to_i64().is_some_and(|n| n % 2 != 0);
        match *g.node(base) {
            Node::Call(Function::Abs, w) if odd => {
                signs.push(g.call(Function::Sign, w));
                plain.push((w, exponent));
            }
            _ => plain.push((base, exponent)),
        }
    }
    if signs.is_empty() {
        return None;
    }
    let plain = g.powers(coefficient, plain);
    Some((plain, g.product(signs)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, Role, parse_expression};
    use crate::limits::Limits;

    #[test]
    fn signs_come_out_of_odd_functions_and_are_lost_in_even_ones() {
        let mut g = Arena::new();
        for name in ["x", "y", "z"] {
            g.declare(name, Role::Coordinate);
        }
        let read = |g: &mut Arena, text: &str| {
            parse_expression(g, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
        };
        for (inside, outside) in [
            ("sin(abs(x))", "sign(x)*sin(x)"),
            ("tan(abs(x))", "sign(x)*tan(x)"),
            ("atan(3*abs(x))", "sign(x)*atan(3*x)"),
            ("sinh(abs(x)*abs(y)*z)", "sign(x)*sign(y)*sinh(x*y*z)"),
            ("tanh(abs(x)^3*y)", "sign(x)*tanh(x^3*y)"),
            ("asin(y/abs(x))", "sign(x)*asin(y/x)"),
            ("cos(abs(x))", "cos(x)"),
            ("cosh(2*abs(x)*abs(y))", "cosh(2*x*y)"),
            ("abs(sinh(x))", "sign(x)*sinh(x)"),
            ("abs(atan(x + y))", "sign(x + y)*atan(x + y)"),
            ("sign(tanh(x))", "sign(x)"),
            // One in the other, from the inside out.
            ("sin(abs(atan(abs(x))))", "sign(sign(x)*atan(x))*sin(sign(x)*atan(x))"),
            // A sum, a root, functions that are neither odd nor even, or not increasing, stay as they are.
            ("sin(abs(x) + y)", "sin(abs(x) + y)"),
            ("sin(sqrt(abs(x)))", "sin(sqrt(abs(x)))"),
            ("exp(abs(x))", "exp(abs(x))"),
            ("abs(sin(x))", "abs(sin(x))"),
            ("sign(cos(x))", "sign(cos(x))"),
            ("sin(x)*cos(y)", "sin(x)*cos(y)"),
        ] {
            let (e, expected) = (read(&mut g, inside), read(&mut g, outside));
            let found = signs_outside(&mut g, e);
            assert_eq!(found, expected, "{inside} = {outside}");
        }
    }
}
