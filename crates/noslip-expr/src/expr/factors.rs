//! The factors of an expression.

use super::arena::{Arena, Expr, Node};
use super::normal::{NormalForm, Normalizer, Options};
use super::number::Rational;
use super::poly::{Budget, Poly};
use crate::limits::Limits;

/// Factors whose product is the expression, up to a denominator and a constant: those that are cheap to find from the normal form. What is
/// left need not be irreducible. `None` when the normal form is out of reach.
pub fn factors(arena: &mut Arena, e: Expr, limits: &Limits) -> Option<Vec<Expr>> {
    Some(factors_and_powers(arena, e, limits)?.into_iter().map(|(factor, _)| factor).collect())
}

/// The same, each with whether it stands there more than once.
pub fn factors_and_powers(arena: &mut Arena, e: Expr, limits: &Limits) -> Option<Vec<(Expr, bool)>> {
    let mut normalizer = Normalizer::new(Options { limits: limits.clone(), ..Options::default() });
    let form = normalizer.normalize(arena, e).ok()?;
    let found = form.numerator.factor(&mut Budget::new(limits)).ok()?;
    let whole = |p: Poly| NormalForm { numerator: p, denominator: Vec::new() };
    let monomial = normalizer.to_expr(arena, &whole(Poly::term(found.monomial, Rational::ONE)));
    let mut list: Vec<(Expr, bool)> = match arena.node(monomial) {
        Node::Number(_) => Vec::new(),
        Node::Product { factors, .. } => {
            factors.iter().filter(|(_, k)| !k.is_negative()).map(|(b, k)| (*b, *k > Rational::ONE)).collect()
        }
        _ => vec![(monomial, false)],
    };
    for (p, k) in found.factors {
        list.push((normalizer.to_expr(arena, &whole(p)), k > 1));
    }
    Some(list)
}
