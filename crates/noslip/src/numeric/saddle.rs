//! Accelerations and multipliers from the saddle system
//!
//! ```text
//!     M a − Aᵀ λ = f        (1)
//!     A a        = b        (2)
//! ```
//!
//! without ever inverting M, which may be singular while the whole is regular (massless parts). Regular systems are solved
//! by elimination with pivoting. When a pivot is small the system is looked at closely: rows of A that follow from others
//! are left out if they agree with them, and the multipliers shared out so that λ is shortest (F. E. Udwadia, R. E. Kalaba);
//! rows that contradict the others, and inertia that leaves an acceleration undetermined, are failures with a name.

use super::first_non_finite;
use super::linalg::{Lu, RowBasis, dot, norm, solve_transposed_triangle, solve_triangle};
use super::schur::{Fast, complement, unrolled, work_size};

/// Relative size of a pivot below which the careful way is taken. The multipliers' condition enters elimination squared, so
/// that at this size about ten digits of the accelerations are still safe.
const SMALL_PIVOT: f64 = 1e-6;
/// A unit row of A nearer than this to the span of the others is dependent on them.
const DEPENDENT: f64 = 1e-11;
/// Relative size of the last pivot of the inertia in the directions left free below which it is degenerate.
const DEGENERATE: f64 = 1e-14;
/// A dependent row must agree with the others to this relative accuracy. Trial states of an integrator are slightly off the
/// constraints, so that agreement to rounding cannot be asked for.
const AGREES: f64 = 1e-6;

/// Why (1), (2) do not determine the accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaddleFailure {
    /// The gradient of this constraint depends on those of the others (or vanishes), and the constraint contradicts them.
    Constraint {
        /// Row of A.
        row: usize,
    },
    /// The constraints are independent, but neither they nor the inertia determine this acceleration.
    Inertia {
        /// The coordinate that can move freely.
        coordinate: usize,
    },
    /// The input is not finite.
    NonFinite,
}

/// What to do with constraints that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// Report it.
    Fail,
    /// Satisfy the independent rows and leave the others: a step of Newton's method towards a set of redundant constraints
    /// is contradictory until it has converged.
    Ignore,
}

/// Workspace for systems with n coordinates and k constraints.
#[derive(Clone, Debug)]
pub struct Saddle {
    n: usize,
    k: usize,
    fast: Option<Fast>,
    work: Vec<f64>,
    scale: Vec<f64>,
    smallest_pivot: f64,
    weakest: Option<(usize, f64)>,
    careful: u64,
}

impl Saddle {
    /// Room for n coordinates and k constraints.
    pub fn new(n: usize, k: usize) -> Saddle {
        let size = n + k;
        let work = vec![0.0; (size * (size + 1)).max(work_size(n, k))];
        Saddle {
            n,
            k,
            fast: unrolled(n, k),
            work,
            scale: vec![1.0; size],
            smallest_pivot: 1.0,
            weakest: None,
            careful: 0,
        }
    }

    /// Relative size of the smallest pivot of the last solution: small near singular states, 1 for comfortable ones.
    pub fn smallest_pivot(&self) -> f64 {
        self.smallest_pivot
    }

    /// How often a small pivot asked for the careful way.
    #[cfg(test)]
    pub fn careful_solutions(&self) -> u64 {
        self.careful
    }

    /// Solves (1), (2). `m` is n×n, `a` is k×n, both row by row.
    pub fn solve(
        &mut self,
        m: &[f64],
        a: &[f64],
        f: &[f64],
        b: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), SaddleFailure> {
        let (n, k) = (self.n, self.k);
        let (m, a, f, b) = (&m[..n * n], &a[..k * n], &f[..n], &b[..k]);
        let input = [m, a, f, b];
        let good = match self.fast {
            Some(fast) => fast(input, acceleration, multipliers),
            None => complement(n, k, input, &mut self.work, acceleration, multipliers),
        };
        // An infinite entry can pass the tests on pivots.
        if good > 0.0 && first_non_finite(acceleration).is_none() && first_non_finite(multipliers).is_none() {
            self.smallest_pivot = 1.0;
            return Ok(());
        }
        if let Some(pivot) = self.eliminate(m, a, f, b, acceleration, multipliers) {
            self.smallest_pivot = pivot;
            return Ok(());
        }
        self.solve_carefully(m, a, f, b, Contradiction::Fail, acceleration, multipliers)
    }

    /// The general elimination for any size. `None`: a pivot is small.
    fn eliminate(
        &mut self,
        m: &[f64],
        a: &[f64],
        f: &[f64],
        b: &[f64],
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Option<f64> {
        let (n, k) = (self.n, self.k);
        balance(n, k, m, a, &mut self.scale);
        let (size, scale) = (n + k, &self.scale);
        let width = size + 1;
        let w = &mut self.work[..size * width];
        w.fill(0.0);
        for i in 0..n {
            for j in 0..n {
                w[i * width + j] = scale[i] * m[i * n + j] * scale[j];
            }
            w[i * width + size] = scale[i] * f[i];
        }
        for r in 0..k {
            for j in 0..n {
                let entry = scale[n + r] * a[r * n + j] * scale[j];
                w[(n + r) * width + j] = entry;
                w[j * width + n + r] = -entry;
            }
            w[(n + r) * width + size] = scale[n + r] * b[r];
        }
        let mut smallest = f64::INFINITY;
        for c in 0..size {
            let p = (c..size).max_by(|&i, &j| w[i * width + c].abs().total_cmp(&w[j * width + c].abs()))?;
            let pivot = w[p * width + c];
            smallest = smallest.min(pivot.abs());
            if !(pivot.abs() > SMALL_PIVOT && pivot.is_finite()) {
                return None;
            }
            if p != c {
                for j in c..width {
                    w.swap(c * width + j, p * width + j);
                }
            }
            let inverse = 1.0 / pivot;
            let (above, below) = w.split_at_mut((c + 1) * width);
            let pivot_row = &above[c * width + c + 1..];
            for row in below.chunks_exact_mut(width) {
                let factor = row[c] * inverse;
                if factor != 0.0 {
                    row[c + 1..].iter_mut().zip(pivot_row).for_each(|(x, u)| *x -= factor * u);
                }
            }
        }
        for i in (0..size).rev() {
            let mut sum = w[i * width + size];
            for j in i + 1..size {
                sum -= w[i * width + j] * w[j * width + size];
            }
            w[i * width + size] = sum / w[i * width + i];
        }
        for i in 0..n {
            acceleration[i] = scale[i] * w[i * width + size];
        }
        for r in 0..k {
            multipliers[r] = scale[n + r] * w[(n + r) * width + size];
        }
        Some(smallest)
    }

    /// Solves with rank decisions; also when A has dependent rows. Allocates: it is for the rare states that need it.
    ///
    /// The way is that of the null space: a = Eᵀ T⁻¹ b + Nᵀ z with A = T E, E N ᵀ = 0, and N M Nᵀ z = N (f − M Eᵀ T⁻¹ b). The
    /// condition of A enters once, not squared as in elimination.
    #[allow(clippy::too_many_arguments)]
    pub fn solve_carefully(
        &mut self,
        m: &[f64],
        a: &[f64],
        f: &[f64],
        b: &[f64],
        contradiction: Contradiction,
        acceleration: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), SaddleFailure> {
        let (n, k) = (self.n, self.k);
        self.careful += 1;
        if [m, a, f, b].iter().any(|v| first_non_finite(v).is_some()) {
            return Err(SaddleFailure::NonFinite);
        }
        balance(n, k, m, a, &mut self.scale);
        let column = &self.scale[..n];
        let inertia: Vec<f64> = (0..n * n).map(|e| column[e / n] * m[e] * column[e % n]).collect();
        let force: Vec<f64> = (0..n).map(|i| column[i] * f[i]).collect();
        let mut rows: Vec<f64> = (0..k * n).map(|e| a[e] * column[e % n]).collect();
        let row_scale: Vec<f64> = (0..k)
            .map(|j| {
                let length = norm(&rows[j * n..(j + 1) * n]);
                let scale = if length > f64::MIN_POSITIVE { 1.0 / length } else { 0.0 };
                rows[j * n..(j + 1) * n].iter_mut().for_each(|x| *x *= scale);
                scale
            })
            .collect();
        let basis = RowBasis::new(&rows, k, n, DEPENDENT);
        self.weakest = basis.independent.last().map(|&row| (row, basis.weakest));
        let across = basis.complement(n);
        let free = n - basis.independent.len();

        let mut x = vec![0.0; n];
        let mut along: Vec<f64> = basis.independent.iter().map(|&row| row_scale[row] * b[row]).collect();
        solve_triangle(&basis.triangle, &mut along);
        add_combination(&mut x, &along, &basis.orthonormal);
        let reduced: Vec<f64> = (0..free * free)
            .map(|e| {
                let (p, q) = (&across[e / free * n..][..n], &across[e % free * n..][..n]);
                (0..n).map(|i| p[i] * dot(&inertia[i * n..(i + 1) * n], q)).sum()
            })
            .collect();
        let lu = CompletePivoting::new(reduced, free);
        self.smallest_pivot = lu.smallest_pivot().min(basis.weakest);
        if !(lu.smallest_pivot() > DEGENERATE) {
            let mut null = vec![0.0; n];
            add_combination(&mut null, &lu.null_vector(), &across);
            let coordinate = (0..n).max_by(|&i, &j| null[i].abs().total_cmp(&null[j].abs())).unwrap_or(0);
            return Err(SaddleFailure::Inertia { coordinate });
        }
        // The second pass takes out the rounding errors of the first.
        for _ in 0..2 {
            let mut z: Vec<f64> = (0..free)
                .map(|r| (0..n).map(|i| across[r * n + i] * (force[i] - dot(&inertia[i * n..(i + 1) * n], &x))).sum())
                .collect();
            lu.solve(&mut z);
            add_combination(&mut x, &z, &across);
        }
        for i in 0..n {
            acceleration[i] = column[i] * x[i];
        }
        if contradiction == Contradiction::Fail
            && let Some(row) = contradicts(n, a, b, acceleration, &basis, &row_scale)
        {
            return Err(SaddleFailure::Constraint { row });
        }
        // Tᵀ λ = E (M a − f)
        let excess: Vec<f64> = (0..n).map(|i| dot(&inertia[i * n..(i + 1) * n], &x) - force[i]).collect();
        let mut carried: Vec<f64> = basis.orthonormal.chunks_exact(n.max(1)).map(|e| dot(e, &excess)).collect();
        solve_transposed_triangle(&basis.triangle, &mut carried);
        for (value, &row) in carried.iter_mut().zip(&basis.independent) {
            *value *= row_scale[row];
        }
        share_out(&basis, &row_scale, &carried, multipliers);
        Ok(())
    }

    /// The least independent of the independent constraints at the last careful solution, and its distance from the span of
    /// the others, 1 to 0.
    pub fn weakest_constraint(&self) -> Option<(usize, f64)> {
        self.weakest
    }
}

/// x += Σ cᵣ rowᵣ.
fn add_combination(x: &mut [f64], c: &[f64], rows: &[f64]) {
    for (c, row) in c.iter().zip(rows.chunks_exact(x.len().max(1))) {
        x.iter_mut().zip(row).for_each(|(x, r)| *x += c * r);
    }
}

/// The first dependent row of A that the accelerations do not satisfy.
fn contradicts(
    n: usize,
    a: &[f64],
    b: &[f64],
    acceleration: &[f64],
    basis: &RowBasis,
    row_scale: &[f64],
) -> Option<usize> {
    let wrong = |(row, c): &(usize, Vec<f64>)| {
        let terms = || (0..n).map(|i| a[row * n + i] * acceleration[i]);
        let residual = (terms().sum::<f64>() - b[*row]).abs();
        if row_scale[*row] == 0.0 {
            // A vanishing gradient leaves nothing to compare with: then b itself must vanish.
            return !(residual <= 1e-12);
        }
        let through: f64 = basis.independent.iter().zip(c).map(|(&i, c)| (c * row_scale[i] * b[i]).abs()).sum();
        let size = terms().map(f64::abs).sum::<f64>() + b[*row].abs() + through / row_scale[*row];
        !(residual <= AGREES * size + 1e-12 / row_scale[*row])
    };
    basis.dependent.iter().find(|d| wrong(d)).map(|(row, _)| *row)
}

/// The shortest λ that exerts the same force as `carried` on the independent rows: with A = \[I; C\] Aᵢ it is
/// \[I; C\] (I + CᵀC)⁻¹ carried.
fn share_out(basis: &RowBasis, row_scale: &[f64], carried: &[f64], multipliers: &mut [f64]) {
    let rank = basis.independent.len();
    // Coefficients between rows as they were before scaling.
    let coefficients: Vec<(usize, Vec<f64>)> = basis
        .dependent
        .iter()
        .filter(|(row, _)| row_scale[*row] > 0.0)
        .map(|(row, c)| {
            let unscaled = c.iter().zip(&basis.independent).map(|(c, &i)| c * row_scale[i] / row_scale[*row]);
            (*row, unscaled.collect())
        })
        .collect();
    let mut gram = Lu::<f64>::new(rank);
    for i in 0..rank {
        for j in 0..rank {
            let sum: f64 = coefficients.iter().map(|(_, c)| c[i] * c[j]).sum();
            gram.matrix()[i * rank + j] = sum + f64::from(u8::from(i == j));
        }
    }
    let mut shared = carried.to_vec();
    // I + CᵀC is positive definite: elimination cannot fail on finite numbers.
    if gram.factorise().is_ok() {
        gram.solve(&mut shared);
    }
    multipliers.fill(0.0);
    for (&row, value) in basis.independent.iter().zip(&shared) {
        multipliers[row] = *value;
    }
    for (row, c) in &coefficients {
        multipliers[*row] = dot(c, &shared);
    }
}

/// Scale factors that bring the diagonal of M and the largest entry of each row of A near one: powers of two, found from the
/// exponents and free of rounding. Unit of coordinate i is `scale[i]`, of constraint r `scale[n + r]`.
#[inline]
pub(crate) fn balance(n: usize, k: usize, m: &[f64], a: &[f64], scale: &mut [f64]) {
    for i in 0..n {
        scale[i] = power_of_two(-(exponent(m[i * n + i]) >> 1));
    }
    for r in 0..k {
        let mut largest: f64 = 0.0;
        for i in 0..n {
            largest = largest.max((a[r * n + i] * scale[i]).abs());
        }
        scale[n + r] = power_of_two(-exponent(largest));
    }
}

/// Exponent of 2; 0 for zero and for what is not a normal number.
#[inline]
fn exponent(x: f64) -> i64 {
    let biased = (x.to_bits() >> 52 & 0x7ff) as i64;
    if biased == 0 || biased == 0x7ff { 0 } else { biased - 1023 }
}

#[inline]
fn power_of_two(e: i64) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// Elimination with complete pivoting: reveals rank.
struct CompletePivoting {
    n: usize,
    lu: Vec<f64>,
    row: Vec<usize>,
    column: Vec<usize>,
}

impl CompletePivoting {
    fn new(mut lu: Vec<f64>, n: usize) -> CompletePivoting {
        let mut row: Vec<usize> = (0..n).collect();
        let mut column: Vec<usize> = (0..n).collect();
        for c in 0..n {
            let mut best = (c, c, 0.0);
            for i in c..n {
                for j in c..n {
                    let size = lu[i * n + j].abs();
                    if size > best.2 {
                        best = (i, j, size);
                    }
                }
            }
            let (p, q, size) = best;
            if size == 0.0 {
                break;
            }
            row.swap(c, p);
            column.swap(c, q);
            if p != c {
                for j in 0..n {
                    lu.swap(c * n + j, p * n + j);
                }
            }
            if q != c {
                for i in 0..n {
                    lu.swap(i * n + c, i * n + q);
                }
            }
            let inverse = 1.0 / lu[c * n + c];
            let (above, below) = lu.split_at_mut((c + 1) * n);
            let pivot_row = &above[c * n + c + 1..];
            for r in below.chunks_exact_mut(n) {
                let factor = r[c] * inverse;
                r[c] = factor;
                r[c + 1..].iter_mut().zip(pivot_row).for_each(|(x, u)| *x -= factor * u);
            }
        }
        CompletePivoting { n, lu, row, column }
    }

    /// Smallest pivot relative to the largest.
    fn smallest_pivot(&self) -> f64 {
        let pivots = (0..self.n).map(|i| self.lu[i * self.n + i].abs());
        let largest = pivots.clone().fold(0.0, f64::max);
        if self.n == 0 { 1.0 } else { pivots.fold(f64::INFINITY, f64::min) / largest.max(f64::MIN_POSITIVE) }
    }

    fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        let mut x: Vec<f64> = self.row.iter().map(|&r| b[r]).collect();
        for i in 0..n {
            let sum = x[i] - dot(&self.lu[i * n..i * n + i], &x[..i]);
            x[i] = sum;
        }
        for i in (0..n).rev() {
            let sum = x[i] - dot(&self.lu[i * n + i + 1..(i + 1) * n], &x[i + 1..]);
            x[i] = sum / self.lu[i * n + i];
        }
        for (value, &c) in x.iter().zip(&self.column) {
            b[c] = *value;
        }
    }

    /// A vector that the matrix nearly annihilates, when the last pivot is negligible.
    fn null_vector(&self) -> Vec<f64> {
        let n = self.n;
        let mut x = vec![0.0; n];
        // The first negligible pivot: below and right of it there is nothing but noise.
        let limit = DEGENERATE * self.lu[0].abs();
        let first = (0..n).find(|&i| !(self.lu[i * n + i].abs() > limit)).unwrap_or(n - 1);
        x[first] = 1.0;
        for i in (0..first).rev() {
            let sum = dot(&self.lu[i * n + i + 1..i * n + first + 1], &x[i + 1..=first]);
            x[i] = -sum / self.lu[i * n + i];
        }
        let mut null = vec![0.0; n];
        for (value, &c) in x.iter().zip(&self.column) {
            null[c] = *value;
        }
        null
    }
}
