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
