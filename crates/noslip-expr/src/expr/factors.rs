//! The factors of an expression.

use super::arena::{Arena, Expr, Node};
use super::normal::{NormalForm, Normalizer, Options};
use super::poly::{Budget, Poly};
use crate::limits::Limits;

/// Factors whose product is the expression, up to a denominator and a constant: those that are cheap to find from the normal form. What is
/// left need not be irreducible. `None` when the normal form is out of reach.
pub fn factors(arena: &mut Arena, e: Expr, limits: &Limits) -> Option<Vec<Expr>> {
    let mut normalizer = Normalizer::new(Options { limits: limits.clone(), ..Options::default() });
    let form = normalizer.normalize(arena, e).ok()?;
    let found = form.numerator.factor(&mut Budget::new(limits)).ok()?;
    let whole = |p: Poly| NormalForm { numerator: p, denominator: Vec::new() };
    let monomial = normalizer.to_expr(arena, &whole(Poly::term(found.monomial, super::Rational::ONE)));
    let mut list: Vec<Expr> = match arena.node(monomial) {
        Node::Number(_) => Vec::new(),
        Node::Product { factors, .. } => factors.iter().filter(|(_, k)| !k.is_negative()).map(|(b, _)| *b).collect(),
        _ => vec![monomial],
    };
    for (p, _) in found.factors {
        list.push(normalizer.to_expr(arena, &whole(p)));
    }
    Some(list)
}
