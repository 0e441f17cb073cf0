//! Where several expressions vanish together, in as few words as can be.

use super::positivity::Signs;
use crate::expr::{Expr, Node, Rational, Symbol};
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// Rounds after which nothing new is looked for: in each, at least one more coordinate or velocity is known.
const ROUNDS: usize = 8;

/// Expressions that vanish together exactly where these do, without multiples of one another and those that vanish because
/// coordinates and velocities have their values there. `None` where they cannot vanish together.
pub(super) fn common_zeros(w: &mut Workbench, signs: &Signs, list: Vec<Expr>) -> Option<Vec<Expr>> {
    let mut zeros = list;
    for _ in 0..ROUNDS {
        let there = values_at_zeros(w, &zeros);
        let mut next: Vec<Expr> = Vec::new();
        for e in without_multiples(w, &zeros) {
            let left = if let Some((s, value)) = value_at_zero(w, e) {
                // x and x − 1 do not vanish together.
                if there.get(&s) != Some(&value) {
                    return None;
                }
                vec![e]
            } else {
                let value = w.g.substitute(e, &there);
                let value = if value == e { e } else { w.simplify(value) };
                if w.g.is_zero(value) {
                    continue;
                }
                let Some(factors) = signs.vanishing_factors(&mut w.g, value) else { continue };
                vanishing_together(w, signs, factors)?
            };
            next.extend(left.into_iter().filter(|e| !zeros_contain(w, &next, *e)).collect::<Vec<_>>());
        }
        if next == zeros {
            break;
        }
        zeros = next;
    }
    Some(zeros)
}

/// Expressions and factors of each, and cases, beyond which these are not told apart.
const MANY: (usize, usize, usize) = (12, 4, 64);

/// Where products vanish together, one factor of each does: the ways to choose these, without those that contain others and those that
/// cannot be. `None` where there are too many.
pub(super) fn cases(w: &mut Workbench, signs: &Signs, all: &[Expr]) -> Option<Vec<Vec<Expr>>> {
    let mut found: Vec<Vec<Expr>> = vec![Vec::new()];
    if all.len() > MANY.0 {
        return None;
    }
    for &e in all {
        let factors = factors_of(w, e);
        if factors.len() > MANY.1 {
            return None;
        }
        let mut next: Vec<Vec<Expr>> = Vec::new();
        for case in found {
            if factors.iter().any(|f| case.contains(f)) {
                next.push(case);
            } else {
                next.extend(factors.iter().map(|&f| [&case[..], &[f]].concat()));
            }
        }
        found = next;
        if found.len() > MANY.2 {
            return None;
        }
    }
    let within = |a: &[Expr], b: &[Expr]| a.iter().all(|e| b.contains(e));
    let least = |i: usize| {
        !(0..found.len()).any(|j| j != i && within(&found[j], &found[i]) && (found[j].len() < found[i].len() || j < i))
    };
    let least: Vec<Vec<Expr>> = (0..found.len()).filter(|&i| least(i)).map(|i| found[i].clone()).collect();
    Some(least.into_iter().filter(|case| !excluded(w, signs, case)).collect())
}

/// Can these, or two of them, not vanish together?
fn excluded(w: &mut Workbench, signs: &Signs, case: &[Expr]) -> bool {
    let pairs = (0..case.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| vec![case[i], case[j]])
        .chain([case.to_vec()])
        .any(|together| never_together(w, signs, &together))
}

/// Leaves out multiples of another one: they vanish where it does.
fn without_multiples(w: &mut Workbench, all: &[Expr]) -> Vec<Expr> {
    let sets: Vec<Vec<Expr>> = all.iter().map(|&e| factors_of(w, e)).collect();
    let multiple = |i: usize| {
        (0..sets.len()).any(|j| {
            j != i && !sets[j].is_empty() && sets[j].iter().all(|b| sets[i].contains(b)) && {
                // Of two with the same factors the first one stays.
                sets[j].len() < sets[i].len() || j < i
            }
        })
    };
    (0..all.len()).filter(|&i| !multiple(i)).map(|i| all[i]).collect()
}

/// The factors of a product that can make it vanish, each up to its sign.
fn factors_of(w: &mut Workbench, e: Expr) -> Vec<Expr> {
    let bases: Vec<Expr> = match w.g.node(e) {
        Node::Product { factors, .. } => factors.iter().filter(|(_, k)| !k.is_negative()).map(|(b, _)| *b).collect(),
        _ => vec![e],
    };
    let negative = |w: &Workbench, e: Expr| match w.g.node(e) {
        Node::Sum { terms, .. } => terms.first().is_some_and(|(_, c)| c.is_negative()),
        _ => false,
    };
    bases.into_iter().map(|e| if negative(w, e) { w.g.neg(e) } else { e }).collect()
}

/// Is it among them, up to its sign?
fn zeros_contain(w: &mut Workbench, zeros: &[Expr], e: Expr) -> bool {
    let minus = w.g.neg(e);
    zeros.contains(&e) || zeros.contains(&minus)
}

/// The coordinates and velocities whose values are known where all of the expressions vanish.
pub(super) fn values_at_zeros(w: &mut Workbench, all: &[Expr]) -> FxHashMap<Symbol, Expr> {
    all.iter().filter_map(|&e| value_at_zero(w, e)).collect()
}

/// x where x vanishes is 0, and where x − 1 does, 1.
fn value_at_zero(w: &mut Workbench, e: Expr) -> Option<(Symbol, Expr)> {
    match w.g.node(e) {
        &Node::Symbol(s) => Some((s, w.g.zero())),
        Node::Sum { constant, terms } => {
            let [(of, slope)] = &terms[..] else { return None };
            let &Node::Symbol(s) = w.g.node(*of) else { return None };
            let value = -&(constant / slope);
            Some((s, w.g.number(value)))
        }
        _ => None,
    }
}

/// What vanishes exactly where the product of the factors does: the product, or, where it is a sum of squares, all that is squared. `None`
/// where there is no such place.
pub(super) fn vanishing_together(w: &mut Workbench, signs: &Signs, factors: Vec<Expr>) -> Option<Vec<Expr>> {
    if factors.is_empty() {
        return None;
    }
    let factors: Vec<Expr> = factors.into_iter().map(|f| plainest(w, f)).collect();
    if let &[sum] = &factors[..]
        && let Some(bases) = signs.squares(&mut w.g, sum).filter(|bases| bases.len() > 1)
    {
        return (!never_together(w, signs, &bases)).then_some(bases);
    }
    Some(vec![w.g.product(factors)])
}

/// Is the sum of the squares of these seen to be positive? So for sin θ and cos θ.
pub(super) fn never_together(w: &mut Workbench, signs: &Signs, all: &[Expr]) -> bool {
    let squares: Vec<Expr> = all.iter().map(|&e| w.g.square(e)).collect();
    let sum = w.g.sum(squares);
    let sum = w.simplify(sum);
    signs.is_positive(&mut w.g, sum)
}

/// The sum without a common number and with fewer minus signs: it vanishes at the same places.
fn plainest(w: &mut Workbench, e: Expr) -> Expr {
    let Node::Sum { constant, terms } = w.g.node(e) else { return e };
    let mut numbers: Vec<Rational> = terms.iter().map(|(_, c)| c.clone()).collect();
    let negative = numbers.iter().filter(|c| c.is_negative()).count();
    if !constant.is_zero() {
        numbers.push(constant.clone());
    }
    let Some(least) = numbers.iter().map(Rational::abs).min() else { return e };
    let common = if numbers.iter().all(|c| (c / &least).is_integer()) { least } else { Rational::ONE };
    let sign = if 2 * negative > terms.len() { Rational::from(-1) } else { Rational::ONE };
    w.g.scale(e, &(&sign / &common))
}
