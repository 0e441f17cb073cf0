//! Dense linear algebra for small matrices, stored row by row in slices: LU with partial pivoting for real and complex
//! numbers, an estimate of the condition, the singular value decomposition, and independent rows.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What elimination needs of a number.
pub trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// A norm, for choosing pivots.
    fn magnitude(self) -> f64;
}

impl Scalar for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline]
    fn magnitude(self) -> f64 {
        self.abs()
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// re + i·im.
    pub const fn new(re: f64, im: f64) -> Complex {
        Complex { re, im }
    }
}

impl Add for Complex {
    type Output = Complex;
    #[inline]
    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Complex;
    #[inline]
    fn sub(self, o: Complex) -> Complex {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

impl Mul for Complex {
    type Output = Complex;
    #[inline]
    fn mul(self, o: Complex) -> Complex {
        Complex::new(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    }
}

impl Div for Complex {
    type Output = Complex;
    #[inline]
    fn div(self, o: Complex) -> Complex {
        // Smith's way: no overflow in the squares.
        if o.re.abs() >= o.im.abs() {
            let (r, d) = (o.im / o.re, o.re + o.im * (o.im / o.re));
            Complex::new((self.re + self.im * r) / d, (self.im - self.re * r) / d)
        } else {
            let (r, d) = (o.re / o.im, o.im + o.re * (o.re / o.im));
            Complex::new((self.re * r + self.im) / d, (self.im * r - self.re) / d)
        }
    }
}

impl Neg for Complex {
    type Output = Complex;
    #[inline]
    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

impl Scalar for Complex {
    const ZERO: Complex = Complex::new(0.0, 0.0);
    const ONE: Complex = Complex::new(1.0, 0.0);

    #[inline]
    fn magnitude(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// PA = LU with partial pivoting.
#[derive(Clone, Debug)]
pub struct Lu<T> {
    n: usize,
    /// L below the diagonal (its own diagonal is 1), U on and above.
    lu: Vec<T>,
    /// Row exchanged with row i in step i.
    pivots: Vec<usize>,
    norm: f64,
}

impl<T: Scalar> Lu<T> {
    /// Room for n×n matrices.
    pub fn new(n: usize) -> Lu<T> {
        Lu { n, lu: vec![T::ZERO; n * n], pivots: vec![0; n], norm: 0.0 }
    }

    /// The matrix to be factorised; fill it, then call [`factorise`](Lu::factorise).
    pub fn matrix(&mut self) -> &mut [T] {
        &mut self.lu
    }

    /// Factorises what [`matrix`](Lu::matrix) holds. `Err(i)`: the i-th pivot is zero or not finite.
    pub fn factorise(&mut self) -> Result<(), usize> {
        let n = self.n;
        self.norm = (0..n).map(|j| (0..n).map(|i| self.lu[i * n + j].magnitude()).sum()).fold(0.0, f64::max);
        for c in 0..n {
            let mut p = c;
            let mut best = self.lu[c * n + c].magnitude();
            for r in c + 1..n {
                let size = self.lu[r * n + c].magnitude();
                if size > best {
                    (p, best) = (r, size);
                }
            }
            if !(best > 0.0 && best.is_finite()) {
                return Err(c);
            }
            self.pivots[c] = p;
            if p != c {
                for j in 0..n {
                    self.lu.swap(c * n + j, p * n + j);
                }
            }
            let inverse = T::ONE / self.lu[c * n + c];
            let (above, below) = self.lu.split_at_mut((c + 1) * n);
            let pivot_row = &above[c * n + c + 1..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[c] * inverse;
                row[c] = factor;
                for (x, u) in row[c + 1..].iter_mut().zip(pivot_row) {
                    *x = *x - factor * *u;
                }
            }
        }
        Ok(())
    }

    /// Size of the smallest pivot relative to the largest: cheap, and small when A is nearly singular in well-chosen units.
    pub fn smallest_pivot(&self) -> f64 {
        let pivots = (0..self.n).map(|i| self.lu[i * self.n + i].magnitude());
        let largest = pivots.clone().fold(0.0, f64::max);
        if self.n == 0 { 1.0 } else { pivots.fold(f64::INFINITY, f64::min) / largest }
    }

    /// x ← A⁻¹ x.
    pub fn solve(&self, x: &mut [T]) {
        let n = self.n;
        for i in 0..n {
            x.swap(i, self.pivots[i]);
        }
        for i in 0..n {
            let mut sum = x[i];
            for j in 0..i {
                sum = sum - self.lu[i * n + j] * x[j];
            }
            x[i] = sum;
        }
        for i in (0..n).rev() {
            let mut sum = x[i];
            for j in i + 1..n {
                sum = sum - self.lu[i * n + j] * x[j];
            }
            x[i] = sum / self.lu[i * n + i];
        }
    }

    /// x ← A⁻ᵀ x.
    #[cfg(test)]
    fn solve_transposed(&self, x: &mut [T]) {
        let n = self.n;
        for i in 0..n {
            let mut sum = x[i];
            for j in 0..i {
                sum = sum - self.lu[j * n + i] * x[j];
            }
            x[i] = sum / self.lu[i * n + i];
        }
        for i in (0..n).rev() {
            let mut sum = x[i];
            for j in i + 1..n {
                sum = sum - self.lu[j * n + i] * x[j];
            }
            x[i] = sum;
        }
        for i in (0..n).rev() {
            x.swap(i, self.pivots[i]);
        }
    }
}

impl Lu<f64> {
    /// Is the determinant negative?
    pub fn reverses(&self) -> bool {
        let exchanges = (0..self.n).filter(|&i| self.pivots[i] != i).count();
        let negative = (0..self.n).filter(|&i| self.lu[i * self.n + i] < 0.0).count();
        (exchanges + negative) % 2 == 1
    }

    /// Estimate (from below, seldom far) of the condition number ‖A‖₁‖A⁻¹‖₁, after Hager and Higham.
    #[cfg(test)]
    pub fn condition(&self) -> f64 {
        let n = self.n;
        if n == 0 {
            return 1.0;
        }
        let mut x = vec![1.0 / n as f64; n];
        let mut estimate = 0.0;
        let mut last = usize::MAX;
        for _ in 0..5 {
            self.solve(&mut x);
            let size: f64 = x.iter().map(|v| v.abs()).sum();
            if size <= estimate {
                break;
            }
            estimate = size;
            x.iter_mut().for_each(|v| *v = if *v >= 0.0 { 1.0 } else { -1.0 });
            self.solve_transposed(&mut x);
            let steepest = (0..n).max_by(|&a, &b| x[a].abs().total_cmp(&x[b].abs())).unwrap_or(0);
            if steepest == last {
                break;
            }
            last = steepest;
            x.fill(0.0);
            x[steepest] = 1.0;
        }
        // Higham's alternating vector catches matrices made to fool the search above.
        let mut z: Vec<f64> =
            (0..n).map(|i| (1.0 + i as f64 / (n.max(2) - 1) as f64) * if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        self.solve(&mut z);
        let alternating = 2.0 * z.iter().map(|v| v.abs()).sum::<f64>() / (3 * n) as f64;
        self.norm * estimate.max(alternating)
    }
}

/// A = U diag(σ) Vᵀ by one-sided Jacobi rotations: accurate also for the small singular values.
#[derive(Clone, Debug)]
pub struct Svd {
    rows: usize,
    columns: usize,
    /// Rows of A·V transposed, i.e. σⱼ uⱼ as row j.
    scaled_u: Vec<f64>,
    /// vⱼ as row j.
    v: Vec<f64>,
    /// Singular values in the order of the rows above (not sorted).
    sigma: Vec<f64>,
}

impl Svd {
    /// Decomposes a matrix of the given shape.
    pub fn new(a: &[f64], rows: usize, columns: usize) -> Svd {
        let mut w = vec![0.0; rows * columns];
        for i in 0..rows {
            for j in 0..columns {
                w[j * rows + i] = a[i * columns + j];
            }
        }
        let mut v = vec![0.0; columns * columns];
        for j in 0..columns {
            v[j * columns + j] = 1.0;
        }
        // Convergence is quadratic; thirty sweeps are never needed for finite input.
        for _ in 0..30 {
            let mut rotated = false;
            for p in 0..columns {
                for q in p + 1..columns {
                    let (wp, wq) = two_rows(&mut w, rows, p, q);
                    let (alpha, beta, gamma) = (dot(wp, wp), dot(wq, wq), dot(wp, wq));
                    if gamma == 0.0 || gamma.abs() <= 1e-16 * (alpha * beta).sqrt() {
                        continue;
                    }
                    rotated = true;
                    let zeta = (beta - alpha) / (2.0 * gamma);
                    let t = 1f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                    let c = 1.0 / (1.0 + t * t).sqrt();
                    rotate(wp, wq, c, c * t);
                    let (vp, vq) = two_rows(&mut v, columns, p, q);
                    rotate(vp, vq, c, c * t);
                }
            }
            if !rotated {
                break;
            }
        }
        let sigma = (0..columns).map(|j| norm(&w[j * rows..(j + 1) * rows])).collect();
        Svd { rows, columns, scaled_u: w, v, sigma }
    }

    /// Singular values, largest first.
    #[cfg(test)]
    pub fn singular_values(&self) -> Vec<f64> {
        let mut sigma = self.sigma.clone();
        sigma.sort_by(|a, b| b.total_cmp(a));
        sigma
    }

    /// How many singular values exceed `tolerance` times the largest.
    #[cfg(test)]
    pub fn rank(&self, tolerance: f64) -> usize {
        let limit = tolerance * self.sigma.iter().fold(0.0, |m, &s| f64::max(m, s));
        self.sigma.iter().filter(|&&s| s > limit).count()
    }

    /// x = A⁺ b: of all x with least ‖Ax − b‖ the shortest. Singular values below `tolerance` times the largest count as 0.
    pub fn solve(&self, b: &[f64], tolerance: f64, x: &mut [f64]) {
        let limit = tolerance * self.sigma.iter().fold(0.0, |m, &s| f64::max(m, s));
        x.fill(0.0);
        for j in 0..self.columns {
            let s = self.sigma[j];
            if s > limit {
                let c = dot(&self.scaled_u[j * self.rows..(j + 1) * self.rows], b) / (s * s);
                for (x, v) in x.iter_mut().zip(&self.v[j * self.columns..(j + 1) * self.columns]) {
                    *x += c * v;
                }
            }
        }
    }
}

/// Which rows of a matrix are independent, and how the others follow from them.
#[derive(Clone, Debug, Default)]
pub struct RowBasis {
    /// Independent rows, the most independent first.
    pub independent: Vec<usize>,
    /// The other rows: (row, coefficients of the independent rows it is a combination of).
    pub dependent: Vec<(usize, Vec<f64>)>,
    /// Distance of the least independent chosen row from the span of those before it; 1 when all are orthogonal.
    pub weakest: f64,
    /// Orthonormal rows eᵢ that span the same space, in the order of `independent`.
    pub orthonormal: Vec<f64>,
    /// Row `independent[i]` is Σⱼ Tᵢⱼ eⱼ with T lower triangular, stored as a square.
    pub triangle: Vec<f64>,
}

impl RowBasis {
    /// Finds a basis among rows that have been scaled to unit length (or are zero). A row nearer than `tolerance` to the span
    /// of the others counts as dependent.
    pub fn new(a: &[f64], rows: usize, columns: usize, tolerance: f64) -> RowBasis {
        // Gram–Schmidt with pivoting, every row cleaned twice: orthogonal to rounding.
        let mut rest: Vec<f64> = a[..rows * columns].to_vec();
        let mut left: Vec<usize> = (0..rows).collect();
        let mut found = RowBasis { weakest: 1.0, ..RowBasis::default() };
        while !left.is_empty() {
            let length = |r: usize| norm(&rest[r * columns..(r + 1) * columns]);
            let mut best = (0, length(left[0]));
            for (i, &r) in left.iter().enumerate().skip(1) {
                let size = length(r);
                // Of equally good rows the first is taken, so that the later one is named as redundant.
                if size > best.1 * (1.0 + 1e-9) {
                    best = (i, size);
                }
            }
            if !(best.1 > tolerance) {
                break;
            }
            let r = left.remove(best.0);
            found.weakest = found.weakest.min(best.1);
            found.independent.push(r);
            found.orthonormal.extend(rest[r * columns..(r + 1) * columns].iter().map(|x| x / best.1));
            for &s in &left {
                orthogonalise(&mut rest[s * columns..(s + 1) * columns], &found.orthonormal);
            }
        }
        let rank = found.independent.len();
        let along = |row: usize, e: usize| {
            dot(&a[row * columns..(row + 1) * columns], &found.orthonormal[e * columns..(e + 1) * columns])
        };
        found.triangle = vec![0.0; rank * rank];
        for (i, &row) in found.independent.iter().enumerate() {
            (0..=i).for_each(|j| found.triangle[i * rank + j] = along(row, j));
        }
        for r in left {
            // row = Σ (row·e) e = Σ c (independent row) with cᵀ T = (row·e)ᵀ.
            let mut c: Vec<f64> = (0..rank).map(|e| along(r, e)).collect();
            solve_transposed_triangle(&found.triangle, &mut c);
            found.dependent.push((r, c));
        }
        found
    }

    /// Orthonormal rows that complete `orthonormal` to a basis of the whole space.
    pub fn complement(&self, columns: usize) -> Vec<f64> {
        let rank = self.independent.len();
        let mut all = self.orthonormal.clone();
        let mut unit = vec![0.0; columns];
        let mut left: Vec<usize> = (0..columns).collect();
        while all.len() < columns * columns {
            // The axis that the rows so far cover least; its remainder is not shorter than √(1 − rank/columns).
            let covered = |axis: usize| all.iter().skip(axis).step_by(columns).map(|x| x * x).sum::<f64>();
            let Some(best) = (0..left.len()).min_by(|&i, &j| covered(left[i]).total_cmp(&covered(left[j]))) else {
                break;
            };
            unit.fill(0.0);
            unit[left.remove(best)] = 1.0;
            orthogonalise(&mut unit, &all);
            let length = norm(&unit);
            all.extend(unit.iter().map(|x| x / length));
        }
        all.split_off(rank * columns)
    }
}

/// Takes out of `row` its components along orthonormal rows, twice: once leaves rounding errors.
fn orthogonalise(row: &mut [f64], orthonormal: &[f64]) {
    for _ in 0..2 {
        for e in orthonormal.chunks_exact(row.len()) {
            let c = dot(e, row);
            row.iter_mut().zip(e).for_each(|(x, e)| *x -= c * e);
        }
    }
}

/// x ← T⁻¹ x for a lower triangle T.
pub fn solve_triangle(triangle: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        x[i] = (x[i] - dot(&triangle[i * n..i * n + i], &x[..i])) / triangle[i * n + i];
    }
}

/// x ← T⁻ᵀ x for a lower triangle T.
pub fn solve_transposed_triangle(triangle: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in (0..n).rev() {
        x[i] /= triangle[i * n + i];
        for j in 0..i {
            x[j] -= x[i] * triangle[i * n + j];
        }
    }
}

/// Σ aᵢ bᵢ.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Euclidean length, safe against overflow of the squares.
pub fn norm(a: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    if (1e-100..1e100).contains(&largest) {
        return dot(a, a).sqrt();
    }
    largest * a.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt()
}

fn two_rows(w: &mut [f64], width: usize, p: usize, q: usize) -> (&mut [f64], &mut [f64]) {
    let (head, tail) = w.split_at_mut(q * width);
    (&mut head[p * width..(p + 1) * width], &mut tail[..width])
}

fn rotate(a: &mut [f64], b: &mut [f64], c: f64, s: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in (−1, 1) without pattern.
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn hilbert(n: usize) -> Vec<f64> {
        (0..n * n).map(|i| 1.0 / (i / n + i % n + 1) as f64).collect()
    }

    #[test]
    fn lu_solves_random_systems_to_rounding() {
        let mut seed = 1;
        for n in 1..15 {
            let a: Vec<f64> = (0..n * n).map(|_| noise(&mut seed)).collect();
            let x: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let mut b: Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x)).collect();
            let mut lu = Lu::<f64>::new(n);
            lu.matrix().copy_from_slice(&a);
            lu.factorise().unwrap();
            lu.solve(&mut b);
            let error = b.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-15 * lu.condition().max(10.0), "n = {n}: {error:e}, condition {:e}", lu.condition());
        }
    }

    #[test]
    fn complex_lu_solves_random_systems_to_rounding() {
        let mut seed = 5;
        let n = 8;
        let mut z = || Complex::new(noise(&mut seed), noise(&mut seed));
        let a: Vec<Complex> = (0..n * n).map(|_| z()).collect();
        let x: Vec<Complex> = (0..n).map(|_| z()).collect();
        let mut b: Vec<Complex> = (0..n).map(|i| (0..n).fold(Complex::ZERO, |s, j| s + a[i * n + j] * x[j])).collect();
        let mut lu = Lu::<Complex>::new(n);
        lu.matrix().copy_from_slice(&a);
        lu.factorise().unwrap();
        lu.solve(&mut b);
        assert!(b.iter().zip(&x).all(|(a, b)| (*a - *b).magnitude() < 1e-12));
    }

    #[test]
    fn condition_estimate_of_hilbert_matrices_is_near_the_known_values() {
        // ‖H‖₁‖H⁻¹‖₁, N. J. Higham, Accuracy and Stability of Numerical Algorithms, 28.1.
        for (n, known) in [(2, 27.0), (3, 748.0), (5, 943656.0), (6, 29070279.0)] {
            let mut lu = Lu::<f64>::new(n);
            lu.matrix().copy_from_slice(&hilbert(n));
            lu.factorise().unwrap();
            let found = lu.condition();
            assert!(found > 0.9 * known && found < 1.01 * known, "{n}: {found} against {known}");
        }
    }

    #[test]
    fn a_zero_column_is_reported_where_it_stands() {
        let mut lu = Lu::<f64>::new(3);
        lu.matrix().copy_from_slice(&[1.0, 2.0, 0.0, 4.0, 5.0, 0.0, 7.0, 8.0, 0.0]);
        assert_eq!(lu.factorise(), Err(2));
    }

    #[test]
    fn singular_values_of_a_matrix_with_known_ones() {
        // Rows of a rotation, scaled by 3 and 1e-9, and one repeated direction.
        let (c, s) = (0.6, 0.8);
        let svd = Svd::new(&[3.0 * c, 3.0 * s, -1e-9 * s, 1e-9 * c], 2, 2);
        let sigma = svd.singular_values();
        assert!((sigma[0] - 3.0).abs() < 1e-15 && (sigma[1] / 1e-9 - 1.0).abs() < 1e-6, "{sigma:?}");
        assert_eq!(svd.rank(1e-8), 1);
        assert_eq!(svd.rank(1e-12), 2);
    }

    #[test]
    fn pseudo_inverse_gives_the_shortest_least_squares_solution() {
        // x + y = 2 twice (consistent) : shortest is (1, 1); then made inconsistent: mean of 2 and 4.
        let svd = Svd::new(&[1.0, 1.0, 1.0, 1.0], 2, 2);
        let mut x = [0.0; 2];
        svd.solve(&[2.0, 2.0], 1e-12, &mut x);
        assert!(x.iter().all(|v| (v - 1.0).abs() < 1e-15));
        svd.solve(&[2.0, 4.0], 1e-12, &mut x);
        assert!(x.iter().all(|v| (v - 1.5).abs() < 1e-15));
    }

    #[test]
    fn dependent_rows_are_found_with_their_coefficients() {
        let rows = [[1.0, 0.0, 0.0, 0.0], [0.6, 0.8, 0.0, 0.0], [0.0; 4], [0.28, 0.96, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        let a: Vec<f64> = rows.concat();
        let basis = RowBasis::new(&a, 5, 4, 1e-12);
        assert_eq!(basis.independent.len(), 3);
        assert_eq!(basis.dependent.len(), 2);
        for (row, c) in &basis.dependent {
            for j in 0..4 {
                let sum: f64 = basis.independent.iter().zip(c).map(|(&i, c)| c * rows[i][j]).sum();
                assert!((sum - rows[*row][j]).abs() < 1e-15, "row {row}");
            }
        }
    }
}
