//! Where the constraints lose rank: all maximal minors of A vanish there.

use super::candidates::is_constant;
use super::common_zeros::{cases, common_zeros, never_together, values_at_zeros, vanishing_together};
use super::places;
use super::positivity::Signs;
use crate::arrange::Arrange;
use crate::expr::{Expr, written_out};
use crate::mechanics::Dependence;
use crate::mechanics::Workbench;

/// Where the constraints lose rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankDrop {
    /// Nowhere.
    Never,
    /// Where this expression vanishes.
    Where(Expr),
    /// Where all of these vanish.
    WhereAll(Vec<Expr>),
    /// Nowhere, but where all of these vanish the constraints have no derivatives: what their rows are divided by vanishes too.
    Undefined(Vec<Expr>),
    /// Where all of these vanish, if anywhere: no such place was found.
    Perhaps(Vec<Expr>),
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
    independent.arrange_by_key(|&j| w.system.constraints[j].order > 0);
    let (rows, denominators): (Vec<Vec<Expr>>, Vec<Expr>) =
        independent.into_iter().map(|j| without_denominators(w, &d.a[j])).unzip();
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
        let Some(together) = vanishing_together(w, &signs, factors) else { return RankDrop::Never };
        for minor in together {
            if !minors.contains(&minor) {
                minors.push(minor);
            }
        }
    }
    let Some(minors) = common_zeros(w, &signs, minors) else { return RankDrop::Never };
    // No two of them, nor all together, may be unable to vanish at once: sin θ and cos θ. Only short ones show it.
    let short: Vec<usize> = (0..minors.len()).filter(|&i| written_out(&w.g, minors[i]) <= SHORT).take(FEW).collect();
    let pairs = (0..short.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let pairs: Vec<Vec<usize>> = pairs.map(|(i, j)| vec![short[i], short[j]]).collect();
    for together in pairs.into_iter().chain([short.clone()]) {
        let together: Vec<Expr> = together.into_iter().map(|i| minors[i]).collect();
        if never_together(w, &signs, &together) {
            return RankDrop::Never;
        }
    }
    let minors = match cases(w, &signs, &minors) {
        Some(mut cases) if minors.len() > 1 => {
            cases.retain(|case| !off_constraints(w, &signs, case));
            match &cases[..] {
                [] => return RankDrop::Never,
                [only] => only.clone(),
                _ => minors,
            }
        }
        _ => minors,
    };
    let drop = match minors[..] {
        [] => RankDrop::Unknown,
        [minor] => signs.zeros(&mut w.g, minor),
        _ if short.len() < minors.len() => RankDrop::Unknown,
        _ => RankDrop::WhereAll(minors),
    };
    match &drop {
        RankDrop::WhereAll(all) if off_constraints(w, &signs, all) => RankDrop::Never,
        RankDrop::Where(e) if off_constraints(w, &signs, &[*e]) => RankDrop::Never,
        RankDrop::WhereAll(all) if vanishes_there(w, &denominators, all) => RankDrop::Undefined(all.clone()),
        RankDrop::Where(e) if vanishes_there(w, &denominators, &[*e]) => RankDrop::Undefined(vec![*e]),
        RankDrop::WhereAll(all) if places::is_found(w, all) == Some(false) => RankDrop::Perhaps(all.clone()),
        RankDrop::Where(e) if places::is_found(w, &[*e]) == Some(false) => RankDrop::Perhaps(vec![*e]),
        _ => drop,
    }
}

/// A row multiplied by what it is divided by, and that: where it vanishes there is no row, elsewhere the rank is the same.
fn without_denominators(w: &mut Workbench, row: &[Expr]) -> (Vec<Expr>, Expr) {
    let under = w.g.denominator(row, |g, base| !is_constant(g, base));
    let row = if w.g.is_one(under) { row.to_vec() } else { row.iter().map(|&e| w.g.distributed(e, under)).collect() };
    (row, under)
}

/// Does one of the denominators vanish wherever all of these do?
fn vanishes_there(w: &mut Workbench, denominators: &[Expr], all: &[Expr]) -> bool {
    let there = values_at_zeros(w, all);
    denominators.iter().any(|&e| {
        let value = w.g.substitute(e, &there);
        w.g.is_zero(value) || all.contains(&e)
    })
}

/// Do the constraints keep these coordinates or velocities from vanishing together? The centre of a ring is not on it, and what has a
/// prescribed speed is not at rest.
fn off_constraints(w: &mut Workbench, signs: &Signs, all: &[Expr]) -> bool {
    let there = values_at_zeros(w, all);
    let relations: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order < 2).map(|c| c.expr).collect();
    relations.into_iter().any(|e| {
        let value = w.g.substitute(e, &there);
        signs.never_vanishes(&mut w.g, value)
    })
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
