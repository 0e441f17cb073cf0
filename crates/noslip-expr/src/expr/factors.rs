//! The factors of an expression.

use super::arena::{Arena, Expr, Function, Node};
use super::normal::{NormalForm, Normalizer, Options};
use super::number::Rational;
use super::poly::{Budget, Monomial, Poly};
use crate::error::Result;
use crate::limits::Limits;

/// A factor of an expression, and where it vanishes for real values of its letters.
#[derive(Clone, Debug)]
pub struct Factor {
    /// What it is.
    pub expr: Expr,
    /// Does it stand there more than once?
    pub repeated: bool,
    /// For a sum of squares: what must vanish where it does; nothing where it vanishes nowhere.
    pub squares: Option<Vec<Expr>>,
}

/// Factors whose product is the expression, up to a denominator and a constant: those that are cheap to find from the normal form. What is
/// left need not be irreducible. `None` when the normal form is out of reach.
pub fn factors(arena: &mut Arena, e: Expr, limits: &Limits) -> Option<Vec<Expr>> {
    Some(real_factors(arena, e, limits)?.into_iter().map(|factor| factor.expr).collect())
}

/// The same, each with what is known of its real zeros.
pub fn real_factors(arena: &mut Arena, e: Expr, limits: &Limits) -> Option<Vec<Factor>> {
    let mut normalizer = Normalizer::new(Options { limits: limits.clone(), ..Options::default() });
    let form = normalizer.normalize(arena, e).ok()?;
    let mut budget = Budget::new(limits);
    let found = form.numerator.factor(&mut budget).ok()?;
    let whole = |p: Poly| NormalForm { numerator: p, denominator: Vec::new() };
    let monomial = normalizer.to_expr(arena, &whole(Poly::term(found.monomial, Rational::ONE)));
    let single = |arena: &Arena, expr: Expr, repeated: bool| {
        let positive = matches!(arena.node(expr), Node::Call(Function::Exp | Function::Cosh, _));
        Factor { expr, repeated, squares: positive.then(Vec::new) }
    };
    let mut list: Vec<Factor> = match arena.node(monomial) {
        Node::Number(_) => Vec::new(),
        Node::Product { factors, .. } => {
            let above = factors.iter().filter(|(_, k)| !k.is_negative());
            above.map(|(b, k)| single(arena, *b, *k > Rational::ONE)).collect()
        }
        _ => vec![single(arena, monomial, false)],
    };
    for (p, k) in split(found.factors, &mut budget) {
        let squares = p.squares(&mut budget).ok().flatten();
        let squares = squares.map(|list| list.into_iter().map(|p| normalizer.to_expr(arena, &whole(p))).collect());
        list.push(Factor { expr: normalizer.to_expr(arena, &whole(p)), repeated: k > 1, squares });
    }
    Some(list)
}

/// Splits what has one degree in two variables: its factors are those of a polynomial in one. (Where that is too long, nothing is split.)
fn split(factors: Vec<(Poly, u32)>, budget: &mut Budget) -> Vec<(Poly, u32)> {
    let mut list = Vec::new();
    for (p, k) in factors {
        match split_one(&p, budget) {
            Ok(Some(parts)) => list.extend(parts.into_iter().map(|(q, e)| (q, e * k))),
            _ => list.push((p, k)),
        }
    }
    list
}

fn split_one(p: &Poly, budget: &mut Budget) -> Result<Option<Vec<(Poly, u32)>>> {
    let [u, v] = p.variables()[..] else { return Ok(None) };
    let degree = p.degree(u);
    if degree < 3 || !p.terms().iter().all(|(m, _)| m.exponent(v) >= 0 && m.exponent(u) + m.exponent(v) == degree) {
        return Ok(None);
    }
    let found = p.evaluate(v, &Rational::ONE, budget)?.factor(budget)?;
    let mut parts = Vec::new();
    for (q, e) in found.factors {
        let degree = q.degree(u);
        let terms =
            q.terms().iter().map(|(m, c)| Ok((m.mul(&Monomial::power(v, degree - m.exponent(u))?)?, c.clone())));
        parts.push((Poly::from_terms(terms.collect::<Result<Vec<_>>>()?), e));
    }
    Ok((parts.len() > 1).then_some(parts))
}
