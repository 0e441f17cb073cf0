//! Which velocities may be the dependent ones: those by which the constraints are solved, the best choice first.

use super::generic::{Generic, evaluator};
use super::ranks::matrix_rank;
use super::workbench::Workbench;
use crate::arrange::Arrange;
use crate::expr::field::Fp;
use crate::expr::{Expr, Matrix, Node};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Splits tried before only the simplest pivots are looked at.
const CANDIDATES: usize = 400;

/// Constraints beyond which a determinant is not written out.
const LARGE_BLOCK: usize = 10;

/// Smaller is better: singular at the initial state; not the model's own choice; class, length, position.
type SplitScore = (bool, usize, u8, usize, std::cmp::Reverse<Vec<usize>>);

/// The best regular choice of dependent velocities.
pub(super) fn best_choice(w: &mut Workbench) -> Option<Vec<usize>> {
    // What a determinant cannot change comes first: most determinants are never written.
    let mut groups: BTreeMap<(bool, usize), Vec<Vec<usize>>> = BTreeMap::new();
    let initial = initial_values(w);
    for dependent in candidates(w).iter() {
        groups.entry(rough_score(w, dependent, initial.as_deref())).or_default().push(dependent.clone());
    }
    groups.into_values().find_map(|group| best_of(w, group))
}

/// The best of choices that are alike but for their determinants; a single one needs none.
fn best_of(w: &mut Workbench, mut group: Vec<Vec<usize>>) -> Option<Vec<usize>> {
    if group.len() > 1 {
        return scored(w, group).into_iter().min().map(|(_, dependent)| dependent);
    }
    let only = group.pop()?;
    let block = block_of(w, &only);
    is_regular(w, &block).then_some(only)
}

/// The columns of the constraints that belong to these velocities.
fn block_of(w: &mut Workbench, dependent: &[usize]) -> Matrix {
    w.dynamics().a.iter().map(|row| dependent.iter().map(|&i| row[i]).collect()).collect()
}

/// Those of the regular choices that are wanted, the best first.
pub(super) fn regular_choices(w: &mut Workbench, wanted: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let list = candidates(w).iter().filter(|dependent| wanted(dependent)).cloned().collect();
    let mut scored = scored(w, list);
    scored.arrange();
    scored.into_iter().map(|(_, dependent)| dependent).collect()
}

/// A at the initial state.
fn initial_values(w: &mut Workbench) -> Option<Vec<Vec<f64>>> {
    let entries = w.dynamics().a.concat();
    let n = w.system.n().max(1);
    Some(w.values_at_initial_state(&entries)?.chunks(n).map(<[f64]>::to_vec).collect())
}

/// The regular ones of these choices with their scores.
fn scored(w: &mut Workbench, mut list: Vec<Vec<usize>>) -> Vec<(SplitScore, Vec<usize>)> {
    let d = w.dynamics();
    let initial = initial_values(w);
    // The work may not do for the determinants of all: those with most zeros first.
    let filled =
        |c: &Vec<usize>| d.a.iter().flat_map(|row| c.iter().map(|&i| row[i])).filter(|&e| !w.g.is_zero(e)).count();
    list.arrange_by_key(filled);
    let (list, _) = w.within(crate::effort::CHOICE, |w| {
        list.into_iter().filter_map(|d| score(w, &d, initial.as_deref()).map(|s| (s, d))).collect()
    });
    list
}

/// Is the block of these columns regular at a generic position?
fn is_regular(w: &mut Workbench, block: &[Vec<Expr>]) -> bool {
    let mut generic = Generic::new(&mut w.g, &w.system).literal();
    matrix_rank(w, block, &mut generic) == block.len()
}

/// Is the choice singular at the initial state, and how many of its velocities does the model's author think of as independent?
fn rough_score(w: &Workbench, dependent: &[usize], initial: Option<&[Vec<f64>]>) -> (bool, usize) {
    let singular = initial.is_some_and(|a| {
        let block: Vec<Vec<f64>> = a.iter().map(|row| dependent.iter().map(|&i| row[i]).collect()).collect();
        determinant(block).abs() < 1e-9
    });
    // The model's own quasi-velocities v = q̇_s tell.
    let is_own = |i: usize| {
        let own = |e: Expr| matches!(w.g.node(e), Node::Symbol(s) if *s == w.system.velocities[i]);
        w.system.quasi_velocities.iter().filter(|quasi| own(quasi.expr)).count()
    };
    (singular, dependent.iter().map(|&i| is_own(i)).sum())
}

fn score(w: &mut Workbench, dependent: &[usize], initial: Option<&[Vec<f64>]>) -> Option<SplitScore> {
    let a_dep = block_of(w, dependent);
    let (singular, against) = rough_score(w, dependent, initial);
    let position = std::cmp::Reverse(dependent.to_vec());
    if w.g.work.is_over() || dependent.len() > LARGE_BLOCK {
        // No work is left for its determinant: the entries say how long it is.
        let length = w.g.reachable(&a_dep.concat()).len();
        return is_regular(w, &a_dep).then_some((singular, against, 3, length, position));
    }
    let determinant = w.determinant(&a_dep);
    if w.g.is_zero(determinant) || (w.g.work.is_over() && !is_regular(w, &a_dep)) {
        return None;
    }
    let free = w.g.free_symbols(&[determinant]);
    let class = if free.is_empty() {
        0
    } else if free.iter().all(|&s| !w.g.role(s).varies() && s != w.g.time()) {
        1
    } else {
        2
    };
    // −cos φ is no longer than sin φ: a number in front does not count.
    let (_, core) = w.g.split_coefficient(determinant);
    let length = w.g.reachable(&[core]).len();
    Some((singular, against, class, length, position))
}

/// The determinant of a matrix of numbers, by elimination.
fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut product = 1.0;
    for i in 0..n {
        let Some(pivot) = (i..n).max_by(|&x, &y| a[x][i].abs().total_cmp(&a[y][i].abs())) else { break };
        a.swap(i, pivot);
        let row = a[i].clone();
        product *= row[i];
        if row[i] == 0.0 {
            break;
        }
        for other in &mut a[i + 1..] {
            let factor = other[i] / row[i];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    product
}

/// Sets of k coordinates that might be dependent, looked for once.
fn candidates(w: &mut Workbench) -> Arc<Vec<Vec<usize>>> {
    if w.candidates.is_none() {
        let found = Arc::new(all_or_simplest(w));
        w.candidates = Some(found);
    }
    w.candidates.clone().expect("just computed")
}

/// All of them while that is affordable.
fn all_or_simplest(w: &mut Workbench) -> Vec<Vec<usize>> {
    let (n, k) = (w.system.n(), w.system.k());
    let mut all = vec![vec![]];
    for _ in 0..k {
        let mut longer = Vec::new();
        for set in &all {
            let from = set.last().map_or(0, |&i: &usize| i + 1);
            for i in from..n {
                let mut next: Vec<usize> = set.clone();
                next.push(i);
                longer.push(next);
            }
        }
        all = longer;
        if all.len() > 20_000 {
            return greedy_candidates(w);
        }
    }
    if all.len() > CANDIDATES { greedy_candidates(w) } else { all }
}

/// For large systems: eliminate constraint by constraint, always with the simplest entry still available.
fn greedy_candidates(w: &mut Workbench) -> Vec<Vec<usize>> {
    let mut results = Vec::new();
    for reversed in [true, false] {
        results.extend(eliminated(w, reversed).filter(|taken| !results.contains(taken)));
    }
    if results.is_empty() {
        results.extend(eliminated_at_a_point(w));
    }
    results
}

/// The constraint and the velocity with the simplest entry, then the fewest entries beside it; `None` where there is none.
fn simplest(
    open: &[usize],
    taken: &[usize],
    reversed: bool,
    lengths: &[Vec<usize>],
    is_zero: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize, usize, usize)> = None;
    for &r in open {
        let n = lengths[r].len();
        let filled = (0..n).filter(|&i| !is_zero(r, i)).count();
        for i in (0..n).filter(|&i| !taken.contains(&i) && !is_zero(r, i)) {
            let position = if reversed { n - i } else { i };
            let here = (lengths[r][i], filled, position, r);
            if best.is_none_or(|b| here < b) {
                best = Some(here);
            }
        }
    }
    best.map(|(_, _, position, r)| (r, if reversed { lengths[r].len() - position } else { position }))
}

/// The velocities that elimination solves for; `None` where the constraints are not independent, or for want of work.
fn eliminated(w: &mut Workbench, reversed: bool) -> Option<Vec<usize>> {
    let length = |w: &Workbench, e: Expr| w.g.reachable(&[e]).len();
    let mut rows: Vec<Vec<Expr>> = w.dynamics().a.clone();
    let mut lengths: Vec<Vec<usize>> = rows.iter().map(|row| row.iter().map(|&e| length(w, e)).collect()).collect();
    let mut taken: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = (0..rows.len()).collect();
    while !open.is_empty() {
        if w.g.work.is_over() {
            return None;
        }
        let (r, i) = simplest(&open, &taken, reversed, &lengths, |r, i| w.g.is_zero(rows[r][i]))?;
        let pivot = rows[r].clone();
        for &other in &open {
            if other == r || w.g.is_zero(rows[other][i]) {
                continue;
            }
            let factor = w.g.div(rows[other][i], pivot[i]);
            for j in 0..pivot.len() {
                let (before, p) = (rows[other][j], w.g.mul(factor, pivot[j]));
                rows[other][j] = if j == i { w.g.zero() } else { w.simplify(before - p) };
                if rows[other][j] != before {
                    lengths[other][j] = length(w, rows[other][j]);
                    w.g.work.charge(lengths[other][j] as u64 / 4);
                }
            }
        }
        taken.push(i);
        open.retain(|&x| x != r);
    }
    taken.arrange();
    Some(taken)
}

/// The same with the numbers of a generic point for all but the choice of the entry, which goes by how long it was at first.
fn eliminated_at_a_point(w: &mut Workbench) -> Option<Vec<usize>> {
    let (a, n) = (w.dynamics().a.clone(), w.system.n());
    let lengths: Vec<Vec<usize>> =
        a.iter().map(|row| row.iter().map(|&e| w.g.reachable(&[e]).len()).collect()).collect();
    let mut generic = Generic::new(&mut w.g, &w.system).literal();
    let values = evaluator(&mut w.g, &a.concat());
    let mut rows: Vec<Vec<Fp>> = generic.values(&w.g, &values)?.chunks(n).map(<[Fp]>::to_vec).collect();
    let mut taken: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = (0..rows.len()).collect();
    while !open.is_empty() {
        let (r, i) = simplest(&open, &taken, true, &lengths, |r, i| rows[r][i].is_zero())?;
        let pivot = rows[r].clone();
        let inverse = pivot[i].inverse()?;
        for &other in open.iter().filter(|&&other| other != r) {
            let factor = rows[other][i] * inverse;
            rows[other].iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * *p);
        }
        taken.push(i);
        open.retain(|&x| x != r);
    }
    taken.arrange();
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    /// Wheels one behind the other, whose constraints are a matrix of triangular form.
    fn chain(n: usize) -> Model {
        let names: Vec<String> = (0..n).map(|i| format!("\"q{i}\"")).collect();
        let energy: Vec<String> = (0..n).map(|i| format!("q{i}'^2/2")).collect();
        let rows: Vec<String> = (1..n).map(|i| format!("c{i} = \"q{i}'*cos(q{i}) = q{}'*sin(q0)\"", i - 1)).collect();
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [{}]\n[energy]\nkinetic = \"{}\"\n[constraints]\n{}\n",
            names.join(", "),
            energy.join(" + "),
            rows.join("\n")
        );
        text.parse().unwrap_or_else(|e| panic!("{e:?}"))
    }

    #[test]
    fn what_is_eliminated_by_formulas_and_at_a_point_is_regular() {
        let model = chain(7);
        let mut w = model.workbench();
        let a = w.dynamics().a.clone();
        for taken in [eliminated(&mut w, true), eliminated(&mut w, false), eliminated_at_a_point(&mut w)] {
            let taken = taken.expect("independent constraints");
            assert_eq!(taken.len(), 6);
            let block: Matrix = a.iter().map(|row| taken.iter().map(|&i| row[i]).collect()).collect();
            assert!(is_regular(&mut w, &block), "{taken:?}");
        }
    }

    #[test]
    fn without_work_a_choice_is_made_by_numbers() {
        let model = chain(7);
        let mut w = model.workbench();
        let allowance = w.g.work.open_until(0);
        assert_eq!(eliminated(&mut w, true), None);
        let by_numbers = greedy_candidates(&mut w);
        w.g.work.close(allowance);
        assert_eq!(by_numbers.len(), 1);
        assert_eq!(by_numbers[0].len(), 6);
    }

    #[test]
    fn the_last_velocities_depend_on_the_first_where_all_else_is_equal() {
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"x'^2 + y'^2 + z'^2\"\n\
                    [constraints]\nplane = \"x' + y' + z' = 0\"\n";
        let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        assert_eq!(regular_choices(&mut w, |_| true), [[2], [1], [0]]);
        assert_eq!(regular_choices(&mut w, |d| d != [1]), [[2], [0]]);
        assert_eq!(best_choice(&mut w), Some(vec![2]));
    }
}
