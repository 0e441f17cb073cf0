//! Constraints that follow from others, or contradict them.

use super::generic::{Generic, evaluator};
use super::pfaff::Pfaff;
use super::workbench::Workbench;
use crate::expr::ansatz::{lift_all, vanishing};
use crate::expr::field::{Fp, rank, row_reduce};
use crate::expr::{Expr, Formula, Rational};

/// A constraint that follows from, or contradicts, the ones before it.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The constraint.
    pub constraint: usize,
    /// The others with their coefficients, `φ_j = Σ c_i φ_i + residual`; empty where no coefficients were found.
    pub combination: Vec<(usize, Expr)>,
    /// What remains: zero when the constraint follows from the others, a number when it contradicts them, otherwise a
    /// condition on position and time.
    pub residual: Option<Expr>,
    /// Does the constraint contradict the others?
    pub contradiction: bool,
}

/// The first linear constraint that contradicts those before it.
pub fn contradiction(w: &mut Workbench) -> Option<usize> {
    let (pfaff, mut generic) = (Pfaff::of(w), Generic::new(&mut w.g, &w.system));
    dependences(w, &pfaff, &mut generic).into_iter().find(|d| d.contradiction).map(|d| d.constraint)
}

/// Finds, in order, the linear constraints that depend on those before them.
pub fn dependences(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic) -> Vec<Dependence> {
    let n = w.system.n();
    let roots: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
    if roots.is_empty() {
        return Vec::new();
    }
    let evaluator = evaluator(&mut w.g, &roots);
    let Some(values) = generic.values(&w.g, &evaluator) else { return Vec::new() };
    let rows: Vec<Vec<Fp>> = values.chunks(n + 1).map(|r| r[..n].to_vec()).collect();
    let mut basis: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for j in 0..rows.len() {
        let block: Vec<Vec<Fp>> = basis.iter().chain([&j]).map(|&i| rows[i].clone()).collect();
        if rank(&block) == block.len() {
            basis.push(j);
            continue;
        }
        let combination = constant_combination(w, pfaff, &basis, j, generic)
            .or_else(|| variable_combination(w, pfaff, &basis, j, &rows));
        found.push(dependence(w, pfaff, j, combination, generic));
    }
    found
}

fn dependence(
    w: &mut Workbench,
    pfaff: &Pfaff,
    j: usize,
    combination: Option<Vec<(usize, Expr)>>,
    generic: &mut Generic,
) -> Dependence {
    let constraint = pfaff.constraints[j];
    let Some(combination) = combination else {
        return Dependence { constraint, combination: Vec::new(), residual: None, contradiction: false };
    };
    let n = w.system.n();
    let mut terms = Formula::from(pfaff.forms[j][n]);
    for &(i, c) in &combination {
        terms -= c * pfaff.forms[i][n];
    }
    let residual = w.g.of(terms);
    let residual = if generic.vanishes(&mut w.g, residual) { w.g.zero() } else { w.simplify(residual) };
    // Free of the coordinates it is a number at every moment, and zero at single ones at most.
    let contradiction = !w.g.is_zero(residual) && !w.g.depends_on_any(residual, &w.system.coordinates);
    let combination = combination.into_iter().map(|(i, c)| (pfaff.constraints[i], c)).collect();
    Dependence { constraint, combination, residual: Some(residual), contradiction }
}

/// Row j as a combination of the basis rows with constant coefficients.
fn constant_combination(
    w: &mut Workbench,
    pfaff: &Pfaff,
    basis: &[usize],
    j: usize,
    generic: &mut Generic,
) -> Option<Vec<(usize, Expr)>> {
    let n = w.system.n();
    let rows: Vec<usize> = basis.iter().copied().chain([j]).collect();
    let roots: Vec<Expr> = rows.iter().flat_map(|&r| pfaff.forms[r][..n].to_vec()).collect();
    let evaluator = evaluator(&mut w.g, &roots);
    let echelon = vanishing(rows.len(), || {
        let values = generic.values(&w.g, &evaluator)?;
        Some((0..n).map(|i| (0..rows.len()).map(|r| values[r * n + i]).collect()).collect())
    })?;
    let combination = echelon.null_space().into_iter().next()?;
    let lifted = lift_all(&combination)?;
    let own = lifted.last()?.recip()?;
    let mut list = Vec::new();
    for (&i, c) in basis.iter().zip(&lifted) {
        if !c.is_zero() {
            let c = &(c * &own) * &Rational::MINUS_ONE;
            list.push((i, w.g.number(c)));
        }
    }
    Some(list)
}

/// The same with coefficients that vary, by solving for them.
fn variable_combination(
    w: &mut Workbench,
    pfaff: &Pfaff,
    basis: &[usize],
    j: usize,
    rows: &[Vec<Fp>],
) -> Option<Vec<(usize, Expr)>> {
    let mut numbers: Vec<Vec<Fp>> = basis.iter().map(|&i| rows[i].clone()).collect();
    let columns = row_reduce(&mut numbers);
    if columns.is_empty() {
        return Some(Vec::new());
    }
    let block: Vec<Vec<Expr>> = columns.iter().map(|&c| basis.iter().map(|&i| pfaff.forms[i][c]).collect()).collect();
    let inverse = w.inverse(&block)?;
    let right: Vec<Expr> = columns.iter().map(|&c| pfaff.forms[j][c]).collect();
    let mut list = Vec::new();
    for (&i, row) in basis.iter().zip(&inverse) {
        let c = w.g.dot_product(row, &right);
        let c = w.simplify(c);
        if !w.g.is_zero(c) {
            list.push((i, c));
        }
    }
    Some(list)
}
