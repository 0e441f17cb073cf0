//! Simplification on the way: the normal form, where it is cheap and no worse.

use super::arena::{Arena, Expr, Node};
use super::normal::{Normalizer, Options};
use crate::limits::Limits;

/// Work spent on one simplification at most: enough for every textbook system, and an end to the hopeless.
const WORK: u64 = 3_000_000;
/// Terms of a polynomial at most.
const TERMS: usize = 20_000;

/// The same expression through the normal form: zeros are seen, sin² + cos² is gone. The expression itself comes back where
/// the normal form is out of reach or longer without depending on less.
pub fn simplify(arena: &mut Arena, e: Expr, limits: &Limits) -> Expr {
    if matches!(arena.node(e), Node::Number(_) | Node::Symbol(_) | Node::Undefined) {
        return e;
    }
    let limits = Limits {
        normal_form_work: limits.normal_form_work.min(WORK),
        polynomial_terms: limits.polynomial_terms.min(TERMS),
        ..limits.clone()
    };
    let mut normalizer = Normalizer::new(Options { limits, ..Options::default() });
    let Ok(form) = normalizer.normalize(arena, e) else { return e };
    let simple = normalizer.to_expr(arena, &form);
    let (before, after) = (arena.free_symbols(&[e]).len(), arena.free_symbols(&[simple]).len());
    if after < before || size(arena, simple) <= size(arena, e) { simple } else { e }
}

/// Entries of all nodes below an expression: what it costs to compute it once.
fn size(arena: &Arena, e: Expr) -> usize {
    arena
        .reachable(&[e])
        .into_iter()
        .map(|x| match arena.node(x) {
            Node::Sum { terms, .. } => terms.len(),
            Node::Product { factors, .. } => factors.len(),
            _ => 1,
        })
        .sum()
}
