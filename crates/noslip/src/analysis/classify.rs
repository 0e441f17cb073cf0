//! Kinds of constraints, their rank, which depend on which, and whether they and the masses determine the motion.

use super::admissible::Admissible;
use super::ansatz::{lift_all, vanishing};
use super::frobenius::{Integrability, Pfaff};
use super::generic::{Generic, evaluator};
use super::rank_drop::{RankDrop, rank_drop};
use crate::expr::field::{Fp, rank, row_reduce};
use crate::expr::{Expr, Rational};
use crate::forms::Workbench;

/// What kind of constraint this is.
#[derive(Clone, Debug)]
pub struct ConstraintFacts {
    /// Its name.
    pub name: String,
    /// 0: holonomic as written; 1: velocities occur; 2: accelerations occur.
    pub order: u8,
    /// Linear (homogeneous or affine) in the velocities? One of second order is linear in the accelerations.
    pub linear: bool,
    /// Does the power of its reaction vanish: no term free of velocities, or (nonlinear) homogeneous where it holds?
    pub homogeneous: bool,
    /// Does time occur?
    pub rheonomic: bool,
    /// Is the constraint alone integrable? `None` for nonlinear ones and those of second order.
    pub integrable: Option<Integrability>,
    /// Is it the total derivative of a function as it stands?
    pub exact: Option<Integrability>,
    /// Its integral, where it is integrable and one was found.
    pub integral: Option<super::HiddenRelation>,
}

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

/// Ranks at a generic admissible state.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// Rank of A.
    pub constraints: usize,
    /// n − rank of A.
    pub degrees_of_freedom: usize,
    /// Constraints that depend on the ones before them.
    pub dependences: Vec<Dependence>,
    /// Rank of M.
    pub mass: usize,
    /// Directions in which T does not feel the velocity: coordinate and component, simplified.
    pub null_directions: Vec<Vec<(usize, Expr)>>,
    /// Do M and the constraints together determine the accelerations? `None` when no admissible state could be made.
    pub regular: Option<bool>,
    /// Where the rank of A drops.
    pub drops: RankDrop,
}

/// Kinds of the constraints, without their integrals.
pub fn constraint_facts(
    w: &mut Workbench,
    pfaff: &Pfaff,
    generic: &mut Generic,
    motions: Option<&mut Admissible>,
) -> Vec<ConstraintFacts> {
    let d = w.dynamics();
    let t = w.g.time();
    let mut motions = motions;
    let mut facts = Vec::new();
    for j in 0..w.system.k() {
        let c = &w.system.constraints[j];
        let form = pfaff.constraints.iter().position(|&x| x == j);
        let linear = c.order == 2 || form.is_some();
        let homogeneous = match form {
            Some(i) => {
                let offset = pfaff.forms[i].last().copied().unwrap_or(w.g.zero());
                generic.vanishes(w.g, offset)
            }
            None => {
                // Σ_i A_ji q̇_i = 0 where the constraint holds (Euler).
                let velocities: Vec<Expr> = w.system.velocities.iter().map(|&s| w.g.symbol(s)).collect();
                let power = w.g.dot_product(&d.a[j], &velocities);
                motions.as_deref_mut().is_some_and(|m| m.vanishes(w, power))
            }
        };
        let rheonomic = w.occurs(c.expr, &[t]).is_some();
        facts.push(ConstraintFacts {
            name: c.name.clone(),
            order: c.order,
            linear,
            homogeneous,
            rheonomic,
            integrable: form.map(|i| pfaff.integrable(w, generic, i)),
            exact: form.map(|i| pfaff.exact(w, generic, i)),
            integral: None,
        });
    }
    facts
}

/// Ranks, dependences and null directions.
pub fn ranks(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic, motions: Option<&mut Admissible>) -> Ranks {
    let (n, k) = (w.system.n(), w.system.k());
    let dependences = dependences(w, pfaff, generic);
    let contradictory = dependences.iter().any(|d| d.contradiction);
    let saddle = match motions {
        Some(m) if !contradictory => m.state(w).and_then(|p| m.saddle(w, &p)),
        _ => None,
    };
    let (constraints, regular) = match &saddle {
        Some(s) => (rank(&s.a), Some(s.regular())),
        None => {
            let d = w.dynamics();
            (if k == 0 { 0 } else { super::growth::generic_rank(w, &d.a, generic) }, None)
        }
    };
    let d = w.dynamics();
    let mass = super::growth::generic_rank(w, &d.mass, generic);
    let null_directions = if mass < n { null_directions(w, generic) } else { Vec::new() };
    let (drops, over) = w.within(super::STEP_WORK, |w| rank_drop(w, &dependences));
    let drops = if over && drops != RankDrop::Never { RankDrop::Unknown } else { drops };
    Ranks { constraints, degrees_of_freedom: n - constraints, dependences, mass, null_directions, regular, drops }
}

/// The first linear constraint that contradicts those before it.
pub fn contradiction(w: &mut Workbench) -> Option<usize> {
    let (pfaff, mut generic) = (Pfaff::of(w), Generic::new(w.g, w.system));
    dependences(w, &pfaff, &mut generic).into_iter().find(|d| d.contradiction).map(|d| d.constraint)
}

/// Finds, in order, the linear constraints that depend on those before them.
fn dependences(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic) -> Vec<Dependence> {
    let n = w.system.n();
    let roots: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
    if roots.is_empty() {
        return Vec::new();
    }
    let evaluator = evaluator(w.g, &roots);
    let Some(values) = generic.values(w.g, &evaluator) else { return Vec::new() };
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
    let mut terms = vec![(pfaff.forms[j][n], Rational::ONE)];
    for &(i, c) in &combination {
        terms.push((w.g.mul(c, pfaff.forms[i][n]), Rational::MINUS_ONE));
    }
    let residual = w.g.linear(Rational::ZERO, terms);
    let residual = if generic.vanishes(w.g, residual) { w.g.zero() } else { w.simplify(residual) };
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
    let evaluator = evaluator(w.g, &roots);
    let echelon = vanishing(rows.len(), || {
        let values = generic.values(w.g, &evaluator)?;
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

/// The directions x with M x = 0: one coordinate velocity each, completed by the others.
fn null_directions(w: &mut Workbench, generic: &mut Generic) -> Vec<Vec<(usize, Expr)>> {
    let d = w.dynamics();
    let n = w.system.n();
    let roots: Vec<Expr> = d.mass.iter().flatten().copied().collect();
    let evaluator = evaluator(w.g, &roots);
    let Some(values) = generic.values(w.g, &evaluator) else { return Vec::new() };
    let mut rows: Vec<Vec<Fp>> = values.chunks(n).map(<[Fp]>::to_vec).collect();
    let pivots = row_reduce(&mut rows);
    let block: Vec<Vec<Expr>> = pivots.iter().map(|&i| pivots.iter().map(|&j| d.mass[i][j]).collect()).collect();
    let inverse = if block.is_empty() { Some(Vec::new()) } else { w.inverse(&block) };
    let Some(inverse) = inverse else { return Vec::new() };
    let mut directions = Vec::new();
    for free in (0..n).filter(|i| !pivots.contains(i)) {
        let right: Vec<Expr> = pivots.iter().map(|&i| d.mass[i][free]).collect();
        let mut direction = Vec::new();
        for (&i, row) in pivots.iter().zip(&inverse) {
            let e = w.g.dot_product(row, &right);
            let e = w.g.neg(e);
            let e = w.simplify(e);
            if !w.g.is_zero(e) {
                direction.push((i, e));
            }
        }
        direction.push((free, w.g.one()));
        direction.sort_by_key(|(i, _)| *i);
        directions.push(direction);
    }
    directions
}
