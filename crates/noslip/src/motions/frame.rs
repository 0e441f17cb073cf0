//! Quasi-velocities in which little is left: where the author gave none, those that a symmetry leaves unchanged.
//!
//! A body on a plane that looks the same wherever it stands and whichever way it heads is described by its velocities ahead and
//! sideways,
//!
//! ```text
//! v = x' cos ψ + y' sin ψ,    v_n = y' cos ψ − x' sin ψ,
//! ```
//!
//! and not by x' and y': energies and constraints, written in v and v_n, lose the heading ψ. Such a *frame* is taken where that
//! happens, and among its n velocities as many independent ones as there are degrees of freedom: first those of coordinates on
//! which something depends, so that equations of second order stay what they are; then those for which the constraints are solved
//! with the simplest determinant.

use crate::error::{Error, Result};
use crate::expr::field::{Fp, determinant, rank};
use crate::expr::{Expr, Matrix, Role, Symbol};
use crate::mechanics::Generic;
use crate::mechanics::Workbench;
use crate::model::QuasiVelocity;
use rustc_hash::FxHashMap;

/// Choices of dependent velocities looked at.
const CHOICES: usize = 2000;

/// A frame: as many velocities as coordinates, each with its expression in q̇, and q̇ in them.
struct Frame {
    symbols: Vec<Symbol>,
    expressions: Vec<Expr>,
    /// q̇_i, in the symbols.
    inverse: FxHashMap<Symbol, Expr>,
}

/// Quasi-velocities for a model that gives none. An error says why there are none: constraints that are not affine in the
/// velocities, or that depend on each other.
pub fn quasi_velocities(w: &mut Workbench) -> Result<Vec<QuasiVelocity>> {
    affine_constraints(w)?;
    let frame = invariant_frame(w);
    let independent =
        independent(w, &frame).ok_or_else(|| Error::computation("no choice of independent velocities is regular"))?;
    Ok(independent
        .into_iter()
        .map(|i| QuasiVelocity { symbol: frame.symbols[i], expr: frame.expressions[i] })
        .collect())
}

/// Refuses what has no equations in quasi-velocities that are affine in q̇.
pub(super) fn affine_constraints(w: &mut Workbench) -> Result<()> {
    let refuse = |why: String| Error::not_applicable(format!("the equations in quasi-velocities do not apply: {why}"));
    w.no_second_order().map_err(refuse)?;
    let d = w.dynamics();
    let velocities = w.system.velocities.clone();
    for (j, row) in d.a.iter().enumerate() {
        for &e in row {
            if w.occurs(e, &velocities).is_some() {
                let name = w.system.constraints[j].name.clone();
                return Err(refuse(format!("constraint `{name}` is not linear in the velocities")));
            }
        }
    }
    w.independent_constraints().map_err(refuse)
}

/// Velocities that no translation and no turning in the plane changes, where there are such symmetries.
fn invariant_frame(w: &mut Workbench) -> Frame {
    let n = w.system.n();
    let mut frame = Frame {
        symbols: w.system.velocities.clone(),
        expressions: w.system.velocities.clone().into_iter().map(|v| w.g.symbol(v)).collect(),
        inverse: FxHashMap::default(),
    };
    let everything = ingredients(w);
    let angles: Vec<usize> = {
        let known = crate::analysis::angles(w);
        (0..n).filter(|&i| known.contains(&w.system.coordinates[i])).collect()
    };
    let absent: Vec<usize> = (0..n)
        .filter(|i| !angles.contains(i))
        .filter(|&i| everything.iter().all(|&e| !w.g.depends_on(e, w.system.coordinates[i])))
        .collect();
    let mut taken = vec![false; n];
    for (a, &x) in absent.iter().enumerate() {
        for &y in &absent[a + 1..] {
            for &psi in &angles {
                if taken[x] || taken[y] || taken[psi] {
                    continue;
                }
                let Some(turned) = turning_with(w, x, y, psi) else { continue };
                frame.symbols[x] = turned.symbols[0];
                frame.symbols[y] = turned.symbols[1];
                frame.expressions[x] = turned.expressions[0];
                frame.expressions[y] = turned.expressions[1];
                frame.inverse.extend(turned.inverse);
                [x, y, psi].iter().for_each(|&i| taken[i] = true);
            }
        }
    }
    frame
}

/// Kinetic energy, potential, forces and constraints at the level of velocities.
fn ingredients(w: &mut Workbench) -> Vec<Expr> {
    let d = w.dynamics();
    let mut list = vec![w.system.kinetic, w.system.potential];
    list.extend(&w.system.forces);
    list.extend(d.velocity_constraints.iter().flatten());
    list
}

/// The velocities along and across the heading ψ, if they take ψ out of energies, forces and constraints.
fn turning_with(w: &mut Workbench, x: usize, y: usize, psi: usize) -> Option<Frame> {
    let angle = w.g.symbol(w.system.coordinates[psi]);
    let (s, c) = (w.g.sin(angle), w.g.cos(angle));
    let (vx, vy) = (w.system.velocities[x], w.system.velocities[y]);
    let (ex, ey) = (w.g.symbol(vx), w.g.symbol(vy));
    let ahead = {
        let (a, b) = (w.g.mul(ex, c), w.g.mul(ey, s));
        w.g.add(a, b)
    };
    let across = {
        let (a, b) = (w.g.mul(ey, c), w.g.mul(ex, s));
        w.g.sub(a, b)
    };
    let symbols = [named(w, ahead, "v"), named(w, across, "v_n")];
    let [p, q] = symbols.map(|s| w.g.symbol(s));
    let mut inverse = FxHashMap::default();
    let (a, b) = (w.g.mul(p, c), w.g.mul(q, s));
    inverse.insert(vx, w.g.sub(a, b));
    let (a, b) = (w.g.mul(p, s), w.g.mul(q, c));
    inverse.insert(vy, w.g.add(a, b));
    let frame = Frame { symbols: symbols.to_vec(), expressions: vec![ahead, across], inverse };
    loses(w, &frame, w.system.coordinates[psi]).then_some(frame)
}

/// A name for a velocity: that of a definition which is the same, else the given one or one like it that is free.
fn named(w: &mut Workbench, e: Expr, wanted: &str) -> Symbol {
    let velocities = w.system.velocities.clone();
    for d in w.system.definitions.clone() {
        if !w.g.depends_on_any(d.expr, &velocities) || w.g.lookup(&d.name).is_some() {
            continue;
        }
        let difference = w.simplify(d.expr - e);
        if w.g.is_zero(difference) {
            return w.g.declare(&d.name, Role::QuasiVelocity);
        }
    }
    let taken = |w: &Workbench, name: &str| {
        w.g.lookup(name).is_some_and(|s| w.g.role(s) != Role::QuasiVelocity)
            || w.system.definitions.iter().any(|d| d.name == name)
            || w.system.constraints.iter().any(|c| c.name == name)
    };
    let mut name = wanted.to_owned();
    let mut index = 1;
    while taken(w, &name) {
        name = format!("{wanted}_{index}");
        index += 1;
    }
    w.g.declare(&name, Role::QuasiVelocity)
}

/// Are energies, forces and the constraints' directions in this frame the same for every ψ? Compared at random points of the
/// prime field, with another angle put in the place of ψ; what comes out is derived and shown again later.
fn loses(w: &mut Workbench, frame: &Frame, psi: Symbol) -> bool {
    let d = w.dynamics();
    let other = w.g.declare_beside(&format!("another {}", w.g.name(psi)), Role::Coordinate);
    let turn: FxHashMap<Symbol, Expr> = [(psi, w.g.symbol(other))].into_iter().collect();
    let mut scalars = vec![w.system.kinetic, w.system.potential];
    scalars = w.g.substitute_all(&scalars, &frame.inverse);
    scalars.extend(frame_forces(w, frame));
    let rows: Vec<Expr> = d.velocity_constraints.iter().flatten().copied().collect();
    let rows = w.g.substitute_all(&rows, &frame.inverse);
    let unknowns: Vec<Symbol> = frame_symbols(w, frame);
    let mut matrix = Vec::new();
    for &phi in &rows {
        matrix.extend(unknowns.iter().map(|&s| w.g.diff(phi, s)));
        matrix.push(w.g.without(phi, &unknowns));
    }
    let (count, width) = (scalars.len(), unknowns.len() + 1);
    let mut list = scalars;
    list.extend(matrix);
    let turned = w.g.substitute_all(&list, &turn);
    let roots: Vec<Expr> = list.iter().chain(&turned).copied().collect();
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let evaluator = crate::mechanics::evaluator(&mut w.g, &roots);
    (0..2).all(|_| {
        let Some(values) = generic.values(&w.g, &evaluator) else { return false };
        let (here, there) = values.split_at(list.len());
        let rows = |flat: &[Fp]| -> Vec<Vec<Fp>> { flat[count..].chunks(width).map(<[Fp]>::to_vec).collect() };
        let (a, b) = (rows(here), rows(there));
        let together: Vec<Vec<Fp>> = a.iter().chain(&b).cloned().collect();
        here[..count] == there[..count] && rank(&together) == rank(&a)
    })
}

/// The velocities of the frame: its own in the place of those it replaces.
fn frame_symbols(w: &Workbench, frame: &Frame) -> Vec<Symbol> {
    let kept = w.system.velocities.iter().copied().filter(|v| !frame.inverse.contains_key(v));
    kept.chain(frame.symbols.iter().copied().filter(|s| !w.system.velocities.contains(s))).collect()
}

/// Σ_i Q_i ∂q̇_i/∂w_a.
fn frame_forces(w: &mut Workbench, frame: &Frame) -> Vec<Expr> {
    let forces = w.g.substitute_all(&w.system.forces.clone(), &frame.inverse);
    let unknowns = frame_symbols(w, frame);
    let velocities: Vec<Expr> = w
        .system
        .velocities
        .clone()
        .into_iter()
        .map(|v| frame.inverse.get(&v).copied().unwrap_or_else(|| w.g.symbol(v)))
        .collect();
    unknowns
        .into_iter()
        .map(|s| {
            let column: Vec<Expr> = velocities.iter().map(|&e| w.g.diff(e, s)).collect();
            w.g.dot_product(&forces, &column)
        })
        .collect()
}

/// Smaller is better: singular at the initial state; velocities of coordinates that matter among the dependent ones; coordinates
/// on which the determinant depends; the last ones dependent where all else is equal.
type Score = (bool, usize, usize, std::cmp::Reverse<Vec<usize>>);

/// Which velocities of the frame are independent.
fn independent(w: &mut Workbench, frame: &Frame) -> Option<Vec<usize>> {
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    if k == 0 {
        return Some((0..n).collect());
    }
    let matters: Vec<bool> = {
        let list = ingredients(w);
        let list = w.g.substitute_all(&list, &frame.inverse);
        let list = w.simplify_all(&list);
        (0..n)
            .map(|i| {
                let own = frame.symbols[i] == w.system.velocities[i];
                own && list.iter().any(|&e| w.g.depends_on(e, w.system.coordinates[i]))
            })
            .collect()
    };
    let mut matrix: Matrix = Vec::new();
    for &phi in d.velocity_constraints.iter().flatten() {
        let phi = w.g.substitute(phi, &frame.inverse);
        let row: Vec<Expr> = frame.symbols.iter().map(|&s| w.g.diff(phi, s)).collect();
        matrix.push(w.simplify_all(&row));
    }
    let flat: Vec<Expr> = matrix.iter().flatten().copied().collect();
    let initial: Option<Vec<f64>> = flat.iter().map(|&e| w.value_at_initial_state(e)).collect();
    // The matrix at a random point, and at the same point with one coordinate changed.
    let mut roots = flat.clone();
    for i in 0..n {
        let q = w.system.coordinates[i];
        let other = w.g.declare_beside(&format!("another {}", w.g.name(q)), Role::Coordinate);
        let map: FxHashMap<Symbol, Expr> = [(q, w.g.symbol(other))].into_iter().collect();
        roots.extend(w.g.substitute_all(&flat, &map));
    }
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let evaluator = crate::mechanics::evaluator(&mut w.g, &roots);
    let values = generic.values(&w.g, &evaluator)?;
    let at: Vec<Vec<Vec<Fp>>> =
        values.chunks(n * k).map(|block| block.chunks(n).map(<[Fp]>::to_vec).collect()).collect();
    let mut best: Option<(Score, Vec<usize>)> = None;
    for dependent in subsets(n, k, CHOICES) {
        let minor = |rows: &[Vec<Fp>]| {
            let block: Vec<Vec<Fp>> = rows.iter().map(|r| dependent.iter().map(|&i| r[i]).collect()).collect();
            determinant(&block)
        };
        let here = minor(&at[0]);
        if here.is_zero() {
            continue;
        }
        let varies = at[1..].iter().filter(|rows| minor(rows) != here).count();
        let singular = initial.as_ref().is_some_and(|a| {
            let block: Vec<Vec<f64>> =
                a.chunks(n).map(|r| dependent.iter().map(|&i| r[i]).collect::<Vec<f64>>()).collect();
            regularity(block) < 1e-9
        });
        let lost = dependent.iter().filter(|&&i| matters[i]).count();
        let score = (singular, lost, varies, std::cmp::Reverse(dependent.clone()));
        if best.as_ref().is_none_or(|(s, _)| score < *s) {
            best = Some((score, dependent));
        }
    }
    let (_, dependent) = best?;
    Some((0..n).filter(|i| !dependent.contains(i)).collect())
}

/// The smallest pivot of elimination over the largest entry: zero for a singular matrix.
fn regularity(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let largest = a.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut smallest = largest;
    for c in 0..n {
        let Some(p) = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())) else { return 0.0 };
        a.swap(c, p);
        smallest = smallest.min(a[c][c].abs());
        if a[c][c] == 0.0 {
            return 0.0;
        }
        for r in c + 1..n {
            let factor = a[r][c] / a[c][c];
            for j in c..n {
                a[r][j] -= factor * a[c][j];
            }
        }
    }
    if largest > 0.0 { smallest / largest } else { 0.0 }
}

/// Sets of k numbers below n, in lexicographic order from the last ones, at most `limit`.
fn subsets(n: usize, k: usize, limit: usize) -> Vec<Vec<usize>> {
    let mut list = Vec::new();
    let mut set: Vec<usize> = (n - k..n).collect();
    loop {
        list.push(set.clone());
        if list.len() == limit {
            return list;
        }
        // The predecessor in lexicographic order: lower the last number that can be lowered, push the rest to the end.
        let Some(i) = (0..k).rev().find(|&i| set[i] > if i == 0 { 0 } else { set[i - 1] + 1 }) else { return list };
        set[i] -= 1;
        for j in i + 1..k {
            set[j] = n - k + j;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_listed_once_each() {
        let list = subsets(5, 3, 100);
        assert_eq!(list.len(), 10);
        assert_eq!(list[0], [2, 3, 4]);
        assert_eq!(list[9], [0, 1, 2]);
        assert!(list.windows(2).all(|p| p[0] > p[1]));
        assert_eq!(subsets(3, 0, 10), vec![Vec::<usize>::new()]);
    }

    #[test]
    fn a_singular_matrix_has_no_regularity() {
        assert_eq!(regularity(vec![vec![1.0, 2.0], vec![2.0, 4.0]]), 0.0);
        assert!((regularity(vec![vec![0.0, 2.0], vec![1.0, 0.0]]) - 0.5).abs() < 1e-15);
    }
}
