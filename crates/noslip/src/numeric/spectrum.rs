//! Small dense matrices: eigenvalues, ranks, least squares. A thin coat over nalgebra.

use crate::arrange::Arrange;
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{DMatrix, DVector};

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// Absolute value.
    pub fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }
}

/// A singular value this much smaller than the largest is zero.
const RANK: f64 = 1e-11;

fn matrix(rows: &[Vec<f64>]) -> DMatrix<f64> {
    let width = rows.first().map_or(0, Vec::len);
    DMatrix::from_fn(rows.len(), width, |i, j| rows[i][j])
}

/// All eigenvalues of a square matrix, conjugate pairs beside each other, by real and imaginary part. `None` where the iteration
/// does not converge or something is not finite.
pub fn eigenvalues(rows: &[Vec<f64>]) -> Option<Vec<Complex>> {
    if rows.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    let a = matrix(rows);
    let reversible = is_reversible(&a);
    eigenvalues_of(a, reversible)
}

/// The same; of a reversible matrix they come with their opposites.
fn eigenvalues_of(mut a: DMatrix<f64>, reversible: bool) -> Option<Vec<Complex>> {
    if a.is_empty() {
        return Some(Vec::new());
    }
    balance_parlett_reinsch(&mut a);
    let schur = a.try_schur(f64::EPSILON, 10_000)?;
    let mut list: Vec<Complex> = schur.complex_eigenvalues().iter().map(|z| Complex { re: z.re, im: z.im }).collect();
    if reversible {
        in_pairs(&mut list);
    }
    list.arrange_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
    Some(list)
}

/// Does a change of some signs turn the matrix into its opposite, as the reversal of time does? Then −λ is an eigenvalue with λ. Entries
/// that are rounding beside the largest change eigenvalues by no more than the iteration itself does.
fn is_reversible(a: &DMatrix<f64>) -> bool {
    let mut a = a.clone();
    if !a.is_empty() {
        balance_parlett_reinsch(&mut a);
    }
    let n = a.nrows();
    let floor = 4.0 * f64::EPSILON * a.amax();
    let joined = |i: usize, j: usize| a[(i, j)].abs() > floor || a[(j, i)].abs() > floor;
    let mut signs: Vec<Option<bool>> = vec![None; n];
    for start in 0..n {
        if signs[start].is_some() {
            continue;
        }
        signs[start] = Some(true);
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            for j in (0..n).filter(|&j| joined(i, j)) {
                if signs[j] == signs[i] {
                    return false;
                }
                if signs[j].is_none() {
                    signs[j] = signs[i].map(|s| !s);
                    open.push(j);
                }
            }
        }
    }
    true
}

/// Eigenvalues that come with their opposites: one beside which there is no other −λ̄ lies on the imaginary axis, and real ones have
/// the same absolute value.
fn in_pairs(list: &mut [Complex]) {
    let largest = list.iter().fold(0.0f64, |m, z| m.max(z.abs()));
    let known = list.to_vec();
    for (i, z) in list.iter_mut().enumerate() {
        let away = |w: &Complex| (w.re + z.re).hypot(w.im - z.im);
        let others = known.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, w)| w);
        let Some(partner) = others.min_by(|a, b| away(a).total_cmp(&away(b))) else { continue };
        if z.im != 0.0 {
            let own = 2.0 * z.re.abs();
            if own <= 1e-14 * largest || own < 1e-6 * largest && own < away(partner) {
                z.re = 0.0;
            }
        } else if away(partner) < 1e-6 * largest {
            z.re = z.re.signum() * 0.5 * (z.re.abs() + partner.re.abs());
        }
    }
}

/// The eigenvalues with those at zero told apart: their number by the staircase of null spaces (a rounded zero of a Jordan
/// block is far from zero), and the others.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Eigenvalues that are zero, with multiplicity.
    pub zeros: usize,
    /// Those of them that have no eigenvector of their own: they stand in chains, in which a small velocity grows to a long way.
    pub chained: usize,
    /// The others.
    pub others: Vec<Complex>,
    /// How far each of these may be wrong: what small changes of the entries change it by.
    pub errors: Vec<f64>,
}

/// Scales the variables so that entries are of one size as far as may be: beside an oscillation of a megahertz a slow one is no
/// rounding. Balancing would do more, and make chains vanish that a triangular matrix has.
fn in_own_units(a: &mut DMatrix<f64>) {
    let n = a.nrows();
    // ln |a_ij| + u_j − u_i = mean, by least squares; what is rounding in its row, or beyond all units, says nothing.
    let mut list: Vec<(usize, usize, f64)> = Vec::new();
    for i in 0..n {
        let floor = (1e-14 * a.row(i).amax()).max(1e-30 * a.amax()).max(f64::MIN_POSITIVE);
        let told = (0..n).filter(|&j| j != i && a[(i, j)].abs() > floor);
        list.extend(told.map(|j| (i, j, a[(i, j)].abs().ln())));
    }
    let mean = list.iter().map(|x| x.2).sum::<f64>() / list.len().max(1) as f64;
    let mut u = vec![0.0; n];
    for _ in 0..100 {
        for k in 0..n {
            let (mut sum, mut count) = (0.0, 0.0);
            for &(i, j, size) in &list {
                let wanted = match k {
                    _ if k == i => u[j] + size - mean,
                    _ if k == j => u[i] - size + mean,
                    _ => continue,
                };
                sum += wanted;
                count += 1.0;
            }
            if count > 0.0 {
                u[k] = sum / count;
            }
        }
    }
    // Powers of two round nothing; and no unit is that far from another.
    let power = |x: f64| (x / std::f64::consts::LN_2).round().clamp(-300.0, 300.0).exp2();
    for k in 0..n {
        let d = power(u[k]);
        a.column_mut(k).scale_mut(d);
        a.row_mut(k).unscale_mut(d);
    }
}

/// Entries are taken for as accurate as this, beside themselves and beside the largest of the matrix in its own units.
const ENTRIES: (f64, f64) = (1e-10, 1e-13);

/// How far eigenvalues move when the entries of their matrix do.
fn errors(a: &DMatrix<f64>, list: &[Complex]) -> Vec<f64> {
    let floor = ENTRIES.1 * a.amax();
    let mut random = crate::expr::field::SplitMix::new(7);
    let mut errors = vec![0.0f64; list.len()];
    for _ in 0..3 {
        let changed = a.map(|x| x + (2.0 * random.unit() - 1.0) * (ENTRIES.0 * x.abs() + floor));
        let Some(left) = eigenvalues_of(changed, false) else { return vec![f64::INFINITY; list.len()] };
        widened(&mut errors, list, left);
    }
    errors
}

/// Errors are at least twice the distance to other values, each matched with the nearest.
fn widened(errors: &mut [f64], list: &[Complex], mut left: Vec<Complex>) {
    for (z, error) in list.iter().zip(errors) {
        let away = |w: &Complex| (w.re - z.re).hypot(w.im - z.im);
        let Some(i) = (0..left.len()).min_by(|&i, &j| away(&left[i]).total_cmp(&away(&left[j]))) else { break };
        *error = error.max(2.0 * away(&left.swap_remove(i)));
    }
}

impl Spectrum {
    /// Of a square matrix.
    pub fn of(rows: &[Vec<f64>]) -> Option<Spectrum> {
        Self::with_zeros(rows, usize::MAX)
    }

    /// With so many zeros at most: an eigenvalue that is about to pass through zero is not one of those that always are.
    pub fn with_zeros(rows: &[Vec<f64>], most: usize) -> Option<Spectrum> {
        if rows.iter().flatten().any(|x| !x.is_finite()) {
            return None;
        }
        let mut a = matrix(rows);
        in_own_units(&mut a);
        let (largest, reversible) = (a.amax(), is_reversible(&a));
        let (mut zeros, mut vectors) = (0, None);
        loop {
            let size = a.nrows();
            if size == 0 || largest == 0.0 {
                let more = size.min(most - zeros);
                let others = vec![Complex { re: 0.0, im: 0.0 }; size - more];
                let chained = vectors.map_or(0, |v| zeros + more - v);
                return Some(Spectrum { zeros: zeros + more, chained, errors: vec![0.0; others.len()], others });
            }
            let svd = a.clone().try_svd(false, true, f64::EPSILON, 10_000)?;
            let v = svd.v_t?.transpose();
            // Singular values come in descending order: the smallest first.
            let small = (0..size).rev().filter(|&i| svd.singular_values[i] <= RANK * largest);
            let null: Vec<usize> = small.take(most - zeros).collect();
            if null.is_empty() {
                break;
            }
            zeros += null.len();
            vectors = vectors.or(Some(zeros));
            // Eigenvalues of the rest: the map on the quotient by the null space.
            let kept: Vec<usize> = (0..size).filter(|i| !null.contains(i)).collect();
            let basis = v.select_columns(&kept);
            a = basis.transpose() * a * basis;
        }
        let others = eigenvalues_of(a.clone(), reversible)?;
        Some(Spectrum { zeros, chained: vectors.map_or(0, |v| zeros - v), errors: errors(&a, &others), others })
    }

    /// Takes note of the eigenvalues of a matrix that might as well be the right one.
    pub fn doubt(&mut self, other: &Spectrum) {
        widened(&mut self.errors, &self.others, other.others.clone());
    }

    /// All eigenvalues, zeros first.
    pub fn all(&self) -> Vec<Complex> {
        let mut list = vec![Complex { re: 0.0, im: 0.0 }; self.zeros];
        list.extend(&self.others);
        list
    }
}

/// Solves a square system; `None` where the matrix is singular to working precision.
pub fn solve(rows: &[Vec<f64>], right: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let (a, b) = (matrix(rows), matrix(right));
    if a.nrows() == 0 {
        return Some(Vec::new());
    }
    let x = a.lu().solve(&b)?;
    if x.iter().any(|x| !x.is_finite()) {
        return None;
    }
    Some((0..x.nrows()).map(|i| (0..x.ncols()).map(|j| x[(i, j)]).collect()).collect())
}

/// Rows scaled to length one; those that are rounding beside the others become zero.
fn scaled(rows: &[Vec<f64>]) -> Option<(Vec<Vec<f64>>, Vec<f64>)> {
    let lengths: Vec<f64> = rows.iter().map(|row| row.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
    let largest = lengths.iter().fold(0.0f64, |m, &x| m.max(x));
    if !lengths.iter().all(|x| x.is_finite()) {
        return None;
    }
    let floor = RANK * largest;
    let list = rows
        .iter()
        .zip(&lengths)
        .map(|(row, &length)| row.iter().map(|x| if length > floor { x / length } else { 0.0 }).collect())
        .collect();
    Some((list, lengths.iter().map(|&x| if x > floor { x } else { largest.max(f64::MIN_POSITIVE) }).collect()))
}

/// The shortest x with A x nearest to b, rows scaled first, by the largest singular values: so many at most.
pub fn least_squares(rows: &[Vec<f64>], right: &[f64], rank_tolerance: f64, most: usize) -> Option<Vec<f64>> {
    if rows.first().is_none_or(Vec::is_empty) {
        return Some(Vec::new());
    }
    let (a, lengths) = scaled(rows)?;
    let b: Vec<f64> = right.iter().zip(&lengths).map(|(b, length)| b / length).collect();
    if b.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let svd = matrix(&a).try_svd(true, true, f64::EPSILON, 10_000)?;
    let largest = svd.singular_values.iter().fold(0.0f64, |m, &x| m.max(x));
    let mut tolerance = (rank_tolerance * largest).max(f64::MIN_POSITIVE);
    if let Some(&next) = svd.singular_values.iter().nth(most) {
        tolerance = tolerance.max(next * (1.0 + 1e-12));
    }
    let x = svd.solve(&DVector::from_vec(b), tolerance).ok()?;
    Some(x.iter().copied().collect())
}

/// An orthonormal basis of the null space.
pub fn null_space(rows: &[Vec<f64>], width: usize, tolerance: f64) -> Option<Vec<Vec<f64>>> {
    if width == 0 {
        return Some(Vec::new());
    }
    let (mut a, _) = scaled(rows)?;
    // nalgebra's decomposition is thin: rows of zeros make all right vectors appear.
    while a.len() < width {
        a.push(vec![0.0; width]);
    }
    let svd = matrix(&a).try_svd(false, true, f64::EPSILON, 10_000)?;
    let largest = svd.singular_values.iter().fold(0.0f64, |m, &x| m.max(x));
    let v = svd.v_t?;
    let small = (0..width).filter(|&i| svd.singular_values[i] <= tolerance * largest);
    Some(small.map(|i| v.row(i).iter().copied().collect()).collect())
}

/// Coefficients of det(λ − A), the highest power first, by the eigenvalues.
pub fn characteristic(eigenvalues: &[Complex]) -> Vec<f64> {
    let mut p: Vec<(f64, f64)> = vec![(1.0, 0.0)];
    for z in eigenvalues {
        let mut next = p.clone();
        next.push((0.0, 0.0));
        for (i, &(re, im)) in p.iter().enumerate() {
            next[i + 1].0 -= re * z.re - im * z.im;
            next[i + 1].1 -= re * z.im + im * z.re;
        }
        p = next;
    }
    p.into_iter().map(|c| c.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_a_jordan_block_are_counted_and_kept_apart() {
        // A Jordan block of length three at zero beside a rotation and a decay, in another basis.
        let j = [
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 2.0, 0.0],
            [0.0, 0.0, 0.0, -2.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, -1e-4],
        ];
        let j = DMatrix::from_fn(6, 6, |r, c| j[r][c]);
        let s = DMatrix::from_fn(6, 6, |r, c| ((r * 7 + c * 3) % 5) as f64 / 3.0 + if r == c { 2.0 } else { 0.0 });
        let a = &s * j * s.clone().try_inverse().unwrap();
        let rows: Vec<Vec<f64>> = (0..6).map(|r| (0..6).map(|c| a[(r, c)]).collect()).collect();
        let spectrum = Spectrum::of(&rows).unwrap();
        assert_eq!(spectrum.zeros, 3);
        let want = [(-1e-4, 0.0), (0.0, -2.0), (0.0, 2.0)];
        for (z, (re, im)) in spectrum.others.iter().zip(want) {
            assert!((z.re - re).abs() < 1e-12 && (z.im - im).abs() < 1e-12, "{:?}", spectrum.others);
        }
    }

    #[test]
    fn eigenvalues_of_reversible_motions_lie_on_the_axis_without_rounding() {
        // A gyroscope: x'' = −3x + 1.7 y', y'' = −0.4 y − 1.7 x', in (x, y, x', y').
        let a = vec![
            vec![0.0, 0.0, 1.0, 0.0],
            vec![0.0, 0.0, 0.0, 1.0],
            vec![-3.0, 0.0, 0.0, 1.7],
            vec![0.0, -0.4, -1.7, 0.0],
        ];
        let list = eigenvalues(&a).unwrap();
        assert!(list.iter().all(|z| z.re == 0.0), "{list:?}");
        // λ⁴ + (3.4 + 1.7²) λ² + 1.2
        assert!(list.iter().all(|z| (z.im.powi(4) - 6.29 * z.im * z.im + 1.2).abs() < 1e-13), "{list:?}");
        // The same with the least damping is not reversible, and its real parts are kept.
        let mut damped = a.clone();
        damped[2][2] = -1e-9;
        assert!(eigenvalues(&damped).unwrap().iter().all(|z| z.re < 0.0));
        // A saddle has pairs of one absolute value; a focus beside its image under reversal keeps its real parts.
        let saddle = eigenvalues(&[vec![0.0, 0.3], vec![0.7, 0.0]]).unwrap();
        assert_eq!(saddle[0].re, -saddle[1].re);
        let both = vec![
            vec![0.0, 0.0, 1.0, 1.0],
            vec![0.0, 0.0, -1.0, 1.0],
            vec![0.2, 1.0, 0.0, 0.0],
            vec![-1.0, 0.3, 0.0, 0.0],
        ];
        assert!(eigenvalues(&both).unwrap().iter().all(|z| z.re.abs() > 0.01));
    }

    #[test]
    fn the_characteristic_polynomial_has_the_eigenvalues_for_roots() {
        let a = vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0], vec![-6.0, -11.0, -6.0]];
        let p = characteristic(&eigenvalues(&a).unwrap());
        for (x, want) in p.iter().zip([1.0, 6.0, 11.0, 6.0]) {
            assert!((x - want).abs() < 1e-12, "{p:?}");
        }
    }

    #[test]
    fn null_spaces_of_wide_matrices_are_whole() {
        let list = null_space(&[vec![1.0, 1.0, 0.0]], 3, 1e-12).unwrap();
        assert_eq!(list.len(), 2);
        assert!(list.iter().all(|x| (x[0] + x[1]).abs() < 1e-14));
    }
}
