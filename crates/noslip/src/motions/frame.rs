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
use crate::expr::{Evaluator, Expr, Matrix, Role, Symbol};
use crate::mechanics::Generic;
use crate::mechanics::{Workbench, choice};
use crate::model::QuasiVelocity;
use rustc_hash::FxHashMap;

/// Choices of dependent velocities looked at.
const CHOICES: usize = 2000;
/// Real points at which determinants are compared.
const REAL_POINTS: usize = 24;
/// Angles up to which every set of them is tried as one that turns with the plane.
const FEW_ANGLES: usize = 4;

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
    let mut frame = invariant_frame(w);
    let (score, mut independent) =
        independent(w, &frame).ok_or_else(|| Error::computation("no choice of independent velocities is regular"))?;
    if score.fails_somewhere()
        && frame.inverse.is_empty()
        && let Some(better) = headed_frame(w, score)
    {
        (frame, independent) = better;
    }
    Ok(independent
        .into_iter()
        .map(|i| QuasiVelocity { symbol: frame.symbols[i], expr: frame.expressions[i] })
        .collect())
}

/// Where every choice of coordinates' velocities fails somewhere: the velocities along and across a heading, if those serve better
/// than these scores. On a slope nothing is left unchanged by turning, and yet a vehicle that goes straight on is described by its
/// speed and not by its rate of turning.
fn headed_frame(w: &mut Workbench, others: Score) -> Option<(Frame, Vec<usize>)> {
    let mut best = (others, None);
    let n = w.system.n();
    let known = crate::analysis::angles(w);
    let angles: Vec<usize> = (0..n).filter(|&i| known.contains(&w.system.coordinates[i])).collect();
    let constraints: Vec<Expr> = w.dynamics().velocity_constraints.iter().flatten().copied().collect();
    let of_plane: Vec<usize> = (0..n)
        .filter(|i| !angles.contains(i))
        .filter(|&i| constraints.iter().any(|&e| w.g.depends_on(e, w.system.velocities[i])))
        .collect();
    for (a, &x) in of_plane.iter().enumerate() {
        for &y in &of_plane[a + 1..] {
            for &heading in &angles {
                let mut frame = coordinate_frame(w);
                let turned = heading_frame(w, x, y, heading);
                for (i, k) in [(x, 0), (y, 1)] {
                    frame.symbols[i] = turned.symbols[k];
                    frame.expressions[i] = turned.expressions[k];
                }
                frame.inverse = turned.inverse;
                if let Some((score, independent)) = independent(w, &frame)
                    && score < best.0
                {
                    best = (score, Some((frame, independent)));
                }
            }
        }
    }
    best.1
}

/// The velocities of the coordinates themselves.
fn coordinate_frame(w: &mut Workbench) -> Frame {
    Frame {
        symbols: w.system.velocities.clone(),
        expressions: w.system.velocities.clone().into_iter().map(|v| w.g.symbol(v)).collect(),
        inverse: FxHashMap::default(),
    }
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
                // A power of a linear constraint is nonlinear as it is written.
                let why =
                    choice(w, j).unwrap_or_else(|| format!("constraint `{name}` is not linear in the velocities"));
                return Err(refuse(why));
            }
        }
    }
    w.independent_constraints().map_err(refuse)
}

/// Two coordinates of a plane and the angles that turn with it.
pub(super) struct Plane {
    /// Indices of the two coordinates.
    pub x: usize,
    pub y: usize,
    /// Indices of the angles, the heading first.
    pub headings: Vec<usize>,
    /// The velocities ahead and sideways.
    pub symbols: [Symbol; 2],
    /// What they are.
    pub expressions: [Expr; 2],
    /// x' and y' in them.
    pub inverse: FxHashMap<Symbol, Expr>,
}

/// A plane in which shifts and turnings change nothing.
pub(super) fn plane(w: &mut Workbench) -> Option<Plane> {
    let taken = vec![false; w.system.n()];
    next_plane(w, &taken)
}

/// The first such plane of coordinates that are not taken.
fn next_plane(w: &mut Workbench, taken: &[bool]) -> Option<Plane> {
    let n = w.system.n();
    let everything = ingredients(w);
    let known = crate::analysis::angles(w);
    let angles: Vec<usize> = (0..n).filter(|&i| known.contains(&w.system.coordinates[i])).collect();
    let absent: Vec<usize> = (0..n)
        .filter(|i| !angles.contains(i))
        .filter(|&i| everything.iter().all(|&e| !w.g.depends_on(e, w.system.coordinates[i])))
        .collect();
    for (a, &x) in absent.iter().enumerate() {
        for &y in &absent[a + 1..] {
            for headings in headings(&angles) {
                if taken[x] || taken[y] || headings.iter().any(|&i| taken[i]) {
                    continue;
                }
                if let Some(found) = turning_with(w, x, y, &headings) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Velocities that no translation and no turning in the plane changes, where there are such symmetries.
fn invariant_frame(w: &mut Workbench) -> Frame {
    let n = w.system.n();
    let mut frame = coordinate_frame(w);
    let mut taken = vec![false; n];
    while let Some(plane) = next_plane(w, &taken) {
        for (i, k) in [(plane.x, 0), (plane.y, 1)] {
            frame.symbols[i] = plane.symbols[k];
            frame.expressions[i] = plane.expressions[k];
        }
        frame.inverse.extend(plane.inverse);
        [plane.x, plane.y].iter().chain(&plane.headings).for_each(|&i| taken[i] = true);
    }
    frame
}

/// Angles that may turn with the plane: one alone, or, where all are counted from a fixed direction, several together. The first
/// of them is the heading.
fn headings(angles: &[usize]) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = angles.iter().map(|&i| vec![i]).collect();
    for size in (2..=angles.len()).rev() {
        if size == angles.len() || angles.len() <= FEW_ANGLES {
            sets.extend(subsets(angles.len(), size, CHOICES).iter().map(|s| s.iter().map(|&k| angles[k]).collect()));
        }
    }
    sets
}

/// Kinetic energy, potential, forces and constraints at the level of velocities.
pub(super) fn ingredients(w: &mut Workbench) -> Vec<Expr> {
    let d = w.dynamics();
    let mut list = vec![w.system.kinetic, w.system.potential];
    list.extend(&w.system.forces);
    list.extend(d.velocity_constraints.iter().flatten());
    list
}

/// The velocities along and across the heading ψ, if they take ψ out of energies, forces and constraints; or, of several headings
/// that turn together, all but their differences.
fn turning_with(w: &mut Workbench, x: usize, y: usize, headings: &[usize]) -> Option<Plane> {
    let frame = heading_frame(w, x, y, headings[0]);
    let turned: Vec<Symbol> = headings.iter().map(|&i| w.system.coordinates[i]).collect();
    let found = loses(w, &frame, &turned);
    let (symbols, expressions) = ([frame.symbols[0], frame.symbols[1]], [frame.expressions[0], frame.expressions[1]]);
    found.then(|| Plane { x, y, headings: headings.to_vec(), symbols, expressions, inverse: frame.inverse })
}

/// The two velocities along and across a heading.
fn heading_frame(w: &mut Workbench, x: usize, y: usize, heading: usize) -> Frame {
    let angle = w.g.symbol(w.system.coordinates[heading]);
    let (s, c) = (w.g.sin(angle), w.g.cos(angle));
    let (vx, vy) = (w.system.velocities[x], w.system.velocities[y]);
    let (ex, ey) = (w.g.symbol(vx), w.g.symbol(vy));
    let (ahead, across) = (w.g.of(ex * c + ey * s), w.g.of(ey * c - ex * s));
    let symbols = [named(w, ahead, "v"), named(w, across, "v_n")];
    let [p, q] = symbols.map(|s| w.g.symbol(s));
    let mut inverse = FxHashMap::default();
    inverse.insert(vx, w.g.of(p * c - q * s));
    inverse.insert(vy, w.g.of(p * s + q * c));
    Frame { symbols: symbols.to_vec(), expressions: vec![ahead, across], inverse }
}

/// A name for a velocity: that of a definition which is the same, else the given one or one like it that is free.
pub(super) fn named(w: &mut Workbench, e: Expr, wanted: &str) -> Symbol {
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

/// Are energies, forces and the constraints' directions in this frame the same when all headings are turned by one angle? Compared
/// at random points of the prime field; what comes out is derived and shown again later.
fn loses(w: &mut Workbench, frame: &Frame, headings: &[Symbol]) -> bool {
    let d = w.dynamics();
    let by = w.g.declare_beside("an angle", Role::Coordinate);
    let by = w.g.symbol(by);
    let mut turn: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for &psi in headings {
        let e = w.g.symbol(psi);
        turn.insert(psi, w.g.add(e, by));
    }
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

/// How good a choice of dependent velocities is; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// Singular at the initial state.
    initially: bool,
    /// Singular where all coordinates are zero: straight on.
    straight: bool,
    /// Singular elsewhere.
    elsewhere: bool,
    /// Velocities of coordinates that matter among the dependent ones.
    lost: usize,
    /// Coordinates on which the determinant depends.
    varies: usize,
}

impl Score {
    fn fails_somewhere(self) -> bool {
        self.initially || self.straight || self.elsewhere
    }
}

/// Which velocities of the frame are independent, and how good that choice is; the last ones are dependent where all else is equal.
fn independent(w: &mut Workbench, frame: &Frame) -> Option<(Score, Vec<usize>)> {
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    if k == 0 {
        let score = Score { initially: false, straight: false, elsewhere: false, lost: 0, varies: 0 };
        return Some((score, (0..n).collect()));
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
    // The matrix at random points, each beside the same with one coordinate changed.
    let rows = |flat: &[Fp]| -> Vec<Vec<Fp>> { flat.chunks(n).map(<[Fp]>::to_vec).collect() };
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let evaluator = crate::mechanics::evaluator(&mut w.g, &flat);
    let here = rows(&generic.values(&w.g, &evaluator)?);
    let mut pairs = Vec::new();
    for q in w.system.coordinates.clone() {
        if !flat.iter().any(|&e| w.g.depends_on(e, q)) {
            continue;
        }
        let other = w.g.declare_beside(&format!("another {}", w.g.name(q)), Role::Coordinate);
        let map: FxHashMap<Symbol, Expr> = [(q, w.g.symbol(other))].into_iter().collect();
        let both = [flat.clone(), w.g.substitute_all(&flat, &map)].concat();
        let evaluator = crate::mechanics::evaluator(&mut w.g, &both);
        let values = generic.values(&w.g, &evaluator);
        pairs.push(values.map(|v| (rows(&v[..n * k]), rows(&v[n * k..]))));
    }
    let straight = at_real_points(w, &flat, 1, 0.0)?.pop();
    let elsewhere = at_real_points(w, &flat, REAL_POINTS, 3.0)?;
    let mut best: Option<(Score, Vec<usize>)> = None;
    for dependent in subsets(n, k, CHOICES) {
        let minor = |rows: &[Vec<Fp>]| {
            let block: Vec<Vec<Fp>> = rows.iter().map(|r| dependent.iter().map(|&i| r[i]).collect()).collect();
            determinant(&block)
        };
        if minor(&here).is_zero() {
            continue;
        }
        // Where there is no such point, it is taken to vary.
        let varies = pairs.iter().filter(|p| p.as_ref().is_none_or(|(a, b)| minor(a) != minor(b))).count();
        let block = |flat: &[f64]| columns_of(flat, n, &dependent);
        let singular = |place: &Option<Vec<f64>>| place.as_ref().is_some_and(|a| regularity(block(a)) < 1e-9);
        let lost = dependent.iter().filter(|&&i| matters[i]).count();
        // A determinant that is positive here and negative there vanishes in between.
        let signs: Vec<f64> = elsewhere.iter().map(|a| real_determinant(block(a)).signum()).collect();
        // Among coordinates zero may mean nothing: the pole of a chart.
        let headed = !frame.inverse.is_empty();
        let score = Score {
            initially: singular(&initial),
            straight: headed && singular(&straight),
            elsewhere: signs.iter().any(|&s| s != signs[0]),
            lost,
            varies,
        };
        // Subsets come from the last ones on.
        if best.as_ref().is_none_or(|(s, _)| score < *s) {
            best = Some((score, dependent));
        }
    }
    let (mut score, dependent) = best?;
    score.straight = straight.is_some_and(|a| regularity(columns_of(&a, n, &dependent)) < 1e-9);
    Some((score, (0..n).filter(|i| !dependent.contains(i)).collect()))
}

/// Columns of a matrix of n columns that is written row by row.
fn columns_of(flat: &[f64], n: usize, columns: &[usize]) -> Vec<Vec<f64>> {
    flat.chunks(n).map(|row| columns.iter().map(|&i| row[i]).collect()).collect()
}

/// Values of expressions of position at some real points with coordinates up to `reach`, where they have any.
fn at_real_points(w: &mut Workbench, list: &[Expr], points: usize, reach: f64) -> Option<Vec<Vec<f64>>> {
    let mut random = crate::expr::field::SplitMix::new(0x7369_676e);
    let tape = Evaluator::new(&w.g, list);
    let mut values = w.system.values(&w.g, &[]).ok()?;
    let mut found = Vec::new();
    for _ in 0..points {
        let place: Vec<f64> = w.system.coordinates.iter().map(|_| reach * (2.0 * random.unit() - 1.0)).collect();
        values.at.set_all(&w.system.coordinates, &place);
        values.at.set(w.g.time(), random.unit());
        let point = values.evaluate(&tape);
        if point.iter().all(|x| x.is_finite()) {
            found.push(point);
        }
    }
    Some(found)
}

/// The determinant, by elimination.
fn real_determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut product = 1.0;
    for c in 0..n {
        let Some(p) = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())) else { return 0.0 };
        if p != c {
            a.swap(c, p);
            product = -product;
        }
        product *= a[c][c];
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
    product
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
