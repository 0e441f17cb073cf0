//! How large the numbers are that an expression adds up: what is small beside them is rounding.

use crate::expr::{Arena, Expr, Function, Node};
use rustc_hash::FxHashMap;

/// A bound for |e| that nothing cancels in: every sum as the sum of the absolute values of its terms, at every level. The
/// terms of x·(a − a) are no measure of its rounding, because they are zero already; x·(|a| + |a|) is one.
pub(super) fn magnitude(g: &mut Arena, e: Expr) -> Expr {
    let mut of: FxHashMap<Expr, Expr> = FxHashMap::default();
    for c in g.reachable(&[e]) {
        let size = match g.node(c) {
            Node::Number(x) => {
                let size = x.abs();
                g.number(size)
            }
            Node::Sum { constant, terms } => {
                let (constant, terms) = (constant.abs(), terms.to_vec());
                let terms: Vec<_> = terms.into_iter().map(|(t, c)| (of[&t], c.abs())).collect();
                g.linear(constant, terms)
            }
            Node::Product { coefficient, factors } => {
                let (coefficient, factors) = (coefficient.abs(), factors.to_vec());
                // What is divided by counts as it is.
                let sizes: Vec<_> = factors
                    .into_iter()
                    .map(|(b, x)| (if x.is_negative() { g.call(Function::Abs, b) } else { of[&b] }, x))
                    .collect();
                g.powers(coefficient, sizes)
            }
            _ => g.call(Function::Abs, c),
        };
        of.insert(c, size);
    }
    of[&e]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Assignment, Declared, Role, parse_expression};
    use crate::limits::Limits;

    #[test]
    fn nothing_cancels_in_the_size_of_an_expression() {
        // x = 2, y = −3.
        for (text, size) in [
            ("x + y", 5.0),
            ("x - 2", 4.0),
            ("-7", 7.0),
            ("-2*x*y", 12.0),
            ("(x + y)*(x - 2)", 20.0),
            ("(x + y)^2", 25.0),
            ("3*x - 2*y^2 - 1", 6.0 + 18.0 + 1.0),
            // What is divided by counts as it is, and so does what stands in a function.
            ("x/(x + y)", 2.0),
            ("(x + y)^(-2)*(x + y + 5)", 10.0),
            ("exp(x + y + 1)", 1.0),
            ("sin(x - 2) + 1", 1.0),
        ] {
            let mut g = Arena::new();
            let symbols = ["x", "y"].map(|name| g.declare(name, Role::Coordinate));
            let e = parse_expression(&mut g, text, &mut Declared, &Limits::default())
                .unwrap_or_else(|e| panic!("{text}: {e}"));
            let bound = magnitude(&mut g, e);
            let mut at = Assignment::new();
            at.set_all(&symbols, &[2.0, -3.0]);
            let found = g.evaluate(&[bound], &at)[0];
            assert!((found - size).abs() < 1e-12, "{text}: {found} for {size}");
        }
    }
}
