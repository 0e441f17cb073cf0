//! Where the constraints lose rank: all maximal minors of A vanish there.

use super::candidates::is_constant;
use super::positivity::Signs;
use crate::expr::{Expr, Node, Rational, Symbol, written_out};
use crate::mechanics::Dependence;
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// Where the constraints lose rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankDrop {
    /// Nowhere.
    Never,
    /// Where this expression vanishes.
    Where(Expr),
    /// Where all of these vanish.
    WhereAll(Vec<Expr>),
    /// It could not be told.
    Unknown,
}

/// Minors, and nodes of the entries of A, beyond which the question is left open.
const LIMITS: (usize, usize) = (64, 200);

/// Operations of a minor, and minors, that are still looked at together: what is longer says nothing to anyone.
const SHORT: u64 = 60;
const FEW: usize = 12;

/// Looks at the maximal minors of the independent rows of A.
pub(super) fn rank_drop(w: &mut Workbench, dependences: &[Dependence]) -> RankDrop {
    let d = w.dynamics();
    let mut independent: Vec<usize> =
        (0..d.a.len()).filter(|j| dependences.iter().all(|d| d.constraint != *j)).collect();
    // Minors are multiplied out from their last row to the first: what cancels among velocities does so before a holonomic row is multiplied in.
    independent.sort_by_key(|&j| w.system.constraints[j].order > 0);
    let rows: Vec<Vec<Expr>> = independent.into_iter().map(|j| without_denominators(w, &d.a[j])).collect();
    if rows.is_empty() {
        return RankDrop::Never;
    }
    let entries: Vec<Expr> = rows.iter().flat_map(|r| r.iter().copied()).collect();
    let choices = column_choices(w.system.n(), rows.len(), LIMITS.0 + 1);
    if choices.len() > LIMITS.0 || w.g.reachable(&entries).len() > LIMITS.1 {
        return RankDrop::Unknown;
    }
    let signs = Signs::new(&w.g, &w.system);
    let mut minors: Vec<Expr> = Vec::new();
    for columns in choices {
        let block: Vec<Vec<Expr>> = rows.iter().map(|row| columns.iter().map(|&i| row[i]).collect()).collect();
        let minor = w.determinant(&block);
        let Some(factors) = signs.vanishing_factors(&mut w.g, minor) else { continue };
        if factors.is_empty() {
            return RankDrop::Never;
        }
        for minor in vanishing_together(w, &signs, factors) {
            if !minors.contains(&minor) {
                minors.push(minor);
            }
        }
    }
    drop_implied(w, &mut minors);
    // No two of them, nor all together, may be unable to vanish at once: sin θ and cos θ. Only short ones show it.
    let short: Vec<usize> = (0..minors.len()).filter(|&i| written_out(&w.g, minors[i]) <= SHORT).take(FEW).collect();
    let pairs = (0..short.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let pairs: Vec<Vec<usize>> = pairs.map(|(i, j)| vec![short[i], short[j]]).collect();
    for together in pairs.into_iter().chain([short.clone()]) {
        let squares: Vec<Expr> = together.iter().map(|&i| w.g.power(minors[i], &Rational::from(2))).collect();
        let sum = w.g.sum(squares);
        let sum = w.simplify(sum);
        if signs.is_positive(&mut w.g, sum) {
            return RankDrop::Never;
        }
    }
    let drop = match minors[..] {
        [] => RankDrop::Unknown,
        [minor] => signs.zeros(&mut w.g, minor),
        _ if short.len() < minors.len() => RankDrop::Unknown,
        _ => RankDrop::WhereAll(minors),
    };
    match &drop {
        RankDrop::WhereAll(all) if nowhere(w, &signs, all) => RankDrop::Never,
        RankDrop::Where(e) if nowhere(w, &signs, &[*e]) => RankDrop::Never,
        _ => drop,
    }
}

/// What vanishes exactly where the product of the factors does: the product, or, where it is a sum of squares, all that is squared.
fn vanishing_together(w: &mut Workbench, signs: &Signs, factors: Vec<Expr>) -> Vec<Expr> {
    let factors: Vec<Expr> = factors.into_iter().map(|f| plainest(w, f)).collect();
    if let &[sum] = &factors[..] {
        if let Some(bases) = signs.squares(&mut w.g, sum).filter(|bases| bases.len() > 1) {
            return bases;
        }
    }
    vec![w.g.product(factors)]
}

/// A row multiplied by what it is divided by: where that vanishes there is no constraint, elsewhere the rank is the same.
fn without_denominators(w: &mut Workbench, row: &[Expr]) -> Vec<Expr> {
    let under = w.g.denominator(row, |g, base| !is_constant(g, base));
    if w.g.is_one(under) { row.to_vec() } else { row.iter().map(|&e| w.g.distributed(e, under)).collect() }
}

/// Is there no state at which all of these vanish? Where coordinates and velocities among them do, another one may not, or a
/// constraint does not hold: the centre of a ring is not on it, and what moves at a given speed does not rest.
fn nowhere(w: &mut Workbench, signs: &Signs, all: &[Expr]) -> bool {
    let zero = w.g.zero();
    let there = all.iter().filter_map(|&e| if let Node::Symbol(s) = w.g.node(e) { Some((*s, zero)) } else { None });
    let there: FxHashMap<Symbol, Expr> = there.collect();
    let constraints = w.system.constraints.iter().map(|c| c.expr);
    let zeros: Vec<Expr> = constraints.chain(all.iter().copied()).collect();
    zeros.into_iter().any(|e| {
        let value = w.g.substitute(e, &there);
        signs.never_vanishes(&mut w.g, value)
    })
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

/// Leaves out what vanishes because others do: multiples of another minor, and what is zero where single coordinates or
/// velocities are.
fn drop_implied(w: &mut Workbench, minors: &mut Vec<Expr>) {
    let bases = |w: &Workbench, e: Expr| match w.g.node(e) {
        Node::Product { factors, .. } => factors.iter().map(|(b, _)| *b).collect(),
        _ => vec![e],
    };
    let sets: Vec<Vec<Expr>> = minors.iter().map(|&m| bases(w, m)).collect();
    let implied = |i: usize| {
        (0..sets.len()).any(|j| {
            j != i && sets[j].iter().all(|b| sets[i].contains(b)) && {
                // Of two with the same factors the first one stays.
                sets[j].len() < sets[i].len() || j < i
            }
        })
    };
    let kept: Vec<Expr> = (0..minors.len()).filter(|&i| !implied(i)).map(|i| minors[i]).collect();
    let zero = w.g.zero();
    let vanishing =
        kept.iter().filter_map(|&m| if let Node::Symbol(s) = w.g.node(m) { Some((*s, zero)) } else { None });
    let vanishing = vanishing.collect();
    minors.clear();
    for m in kept {
        let there = w.g.substitute(m, &vanishing);
        if matches!(w.g.node(m), Node::Symbol(_)) || !w.g.is_zero(there) {
            minors.push(m);
        }
    }
}

/// The ways to choose `k` of `n` columns, at most `limit` of them.
pub(super) fn column_choices(n: usize, k: usize, limit: usize) -> Vec<Vec<usize>> {
    let mut choices = Vec::new();
    let mut chosen: Vec<usize> = (0..k).collect();
    while k <= n && choices.len() < limit {
        choices.push(chosen.clone());
        let Some(i) = (0..k).rev().find(|&i| chosen[i] < n - k + i) else { break };
        chosen[i] += 1;
        for j in i + 1..k {
            chosen[j] = chosen[j - 1] + 1;
        }
    }
    choices
}
