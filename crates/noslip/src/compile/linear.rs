//! Linear equations inside a tape: elimination unrolled into straight-line operations.
//!
//! The order of pivots is fixed when the code is made. It is chosen at sample points: among pivots that are sound at
//! *all* of them, the one that costs least. Zeros and constants of the matrix are seen by the [`TapeBuilder`], so a
//! constraint solved for a velocity with constant coefficient costs next to nothing: what comes out for the rolling
//! disk is the reduced system in its independent accelerations.
//!
//! No fixed order is good at every state. Each solution therefore has a value `growth`: the factor by which the
//! elimination may amplify rounding errors there. A program that includes it among its outputs can turn to a solver
//! with pivoting where it is large ([`GROWTH_LIMIT`]); where it is no output, it costs nothing.

use super::tape::{TapeBuilder, Unary, Value};
use crate::arrange::Arrange;
use crate::error::{Error, Result};

/// Beyond this growth (six to seven digits lost at worst) a solver with pivoting should take over. Compare as
/// `growth < GROWTH_LIMIT`, which is also false for NaN.
pub const GROWTH_LIMIT: f64 = 1e6;

/// A pivot smaller than this part of its column is refused at first.
const SOUND: f64 = 0.1;
/// Sample points made when the caller has none.
const SAMPLES: usize = 24;

/// M q̈ = f + Aᵀλ, A q̈ = b, as values.
#[derive(Clone, Copy, Debug)]
pub struct SaddleCode<'a> {
    /// M, symmetric: n rows; only the lower triangle is read.
    pub mass: &'a [Vec<Value>],
    /// f, n entries.
    pub force: &'a [Value],
    /// A, k rows of n entries.
    pub constraints: &'a [Vec<Value>],
    /// b, k entries.
    pub rates: &'a [Value],
}

/// Accelerations and multipliers as values.
#[derive(Clone, Debug)]
pub struct SaddleSolution {
    /// q̈.
    pub accelerations: Vec<Value>,
    /// λ.
    pub multipliers: Vec<Value>,
    /// How much the elimination may amplify rounding errors.
    pub growth: Value,
}

/// Solution of a symmetric system.
#[derive(Clone, Debug)]
pub struct SymmetricSolution {
    /// The unknowns.
    pub unknowns: Vec<Value>,
    /// How much the elimination may amplify rounding errors.
    pub growth: Value,
}

/// A step of the elimination: one row, or two at once (where both diagonal elements may be zero).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pivot {
    One(usize),
    Two(usize, usize),
}

/// A row that a pivot meets, and its elements in the pivot's one or two columns.
type Column = (usize, Value, Value);

impl TapeBuilder {
    /// Accelerations and multipliers of a constrained system. `samples` are typical input vectors; without any,
    /// arbitrary ones are used (which is wrong when masses are inputs).
    pub fn solve_saddle(&mut self, saddle: &SaddleCode<'_>, samples: &[Vec<f64>]) -> Result<SaddleSolution> {
        let (n, k) = (saddle.force.len(), saddle.rates.len());
        let zero = self.constant(0.0);
        let mut matrix = vec![vec![zero; n + k]; n + k];
        let below = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j, saddle.mass[i][j])));
        let under = (0..k).flat_map(|j| (0..n).map(move |i| (n + j, i, saddle.constraints[j][i])));
        for (i, j, v) in below.chain(under) {
            matrix[i][j] = v;
            matrix[j][i] = v;
        }
        // With −λ as unknown the matrix is symmetric.
        let right: Vec<Value> = saddle.force.iter().chain(saddle.rates).copied().collect();
        let solution = self.solve_symmetric(&matrix, &right, samples)?;
        let multipliers = solution.unknowns[n..].iter().map(|&v| self.neg(v)).collect();
        Ok(SaddleSolution { accelerations: solution.unknowns[..n].to_vec(), multipliers, growth: solution.growth })
    }

    /// Solves a symmetric system, definite or not, by LDLᵀ with blocks of one and two rows in a fixed order.
    pub fn solve_symmetric(
        &mut self,
        matrix: &[Vec<Value>],
        right: &[Value],
        samples: &[Vec<f64>],
    ) -> Result<SymmetricSolution> {
        let mut numeric = self.sample_matrices(matrix, samples)?;
        let scales = scales(&numeric)?;
        // A state that is singular for every order says nothing about orders.
        numeric.retain(|m| is_regular(m, &scales));
        if numeric.is_empty() {
            return Err(Error::computation("the equations for the accelerations are singular at every sample state")
                .hint("a constraint may repeat another, or a coordinate may have neither mass nor constraint"));
        }
        // Two rules of choice; the shorter code wins. Counting is cheap: operations are hash-consed.
        let mut best: Option<(usize, TapeBuilder, SymmetricSolution)> = None;
        let mut failure = None;
        for pairs_first in [false, true] {
            let mut trial = self.clone();
            match trial.factor(matrix, right, numeric.clone(), &scales, pairs_first) {
                Ok(solution) => {
                    let cost = trial.cost_of(&solution.unknowns);
                    if best.as_ref().is_none_or(|(c, _, _)| cost < *c) {
                        best = Some((cost, trial, solution));
                    }
                }
                Err(error) => failure = Some(error),
            }
        }
        match (best, failure) {
            (Some((_, builder, solution)), _) => {
                *self = builder;
                self.check_size(0)?;
                Ok(solution)
            }
            (None, Some(error)) => Err(error),
            (None, None) => Err(Error::computation("a linear system without equations")),
        }
    }

    fn sample_matrices(&self, matrix: &[Vec<Value>], samples: &[Vec<f64>]) -> Result<Vec<Vec<Vec<f64>>>> {
        let made;
        let samples = if samples.is_empty() {
            made = arbitrary_points(self.input_count(), SAMPLES);
            &made[..]
        } else {
            samples
        };
        let numeric: Vec<Vec<Vec<f64>>> = samples
            .iter()
            .map(|x| {
                let values = self.evaluate(x);
                matrix.iter().map(|row| row.iter().map(|v| values[v.index()]).collect()).collect()
            })
            .filter(|m: &Vec<Vec<f64>>| m.iter().flatten().all(|x| x.is_finite()))
            .collect();
        if numeric.is_empty() {
            return Err(Error::computation(
                "the equations for the accelerations have no finite coefficients at any sample state",
            ));
        }
        Ok(numeric)
    }

    fn factor(
        &mut self,
        matrix: &[Vec<Value>],
        right: &[Value],
        mut numeric: Vec<Vec<Vec<f64>>>,
        scales: &[f64],
        pairs_first: bool,
    ) -> Result<SymmetricSolution> {
        let n = right.len();
        let mut k: Vec<Vec<Value>> = matrix.to_vec();
        let mut r = right.to_vec();
        let mut open: Vec<usize> = (0..n).collect();
        let mut growth = self.constant(0.0);
        // What back substitution needs: the pivot's own solution of its right-hand side, and the columns of L.
        let mut steps: Vec<(Pivot, [Value; 2], Vec<Column>)> = Vec::new();
        for m in &mut numeric {
            for (i, row) in m.iter_mut().enumerate() {
                row.iter_mut().enumerate().for_each(|(j, x)| *x *= scales[i] * scales[j]);
            }
        }
        let zero = self.constant(0.0);
        let one = self.constant(1.0);
        while !open.is_empty() {
            let pivot = self.choose(&k, &numeric, &open, pairs_first)?;
            numeric.iter_mut().for_each(|m| eliminate(m, &open, pivot));
            match pivot {
                Pivot::One(p) => {
                    open.retain(|&j| j != p);
                    let inverse = self.div(one, k[p][p]);
                    let columns: Vec<Column> =
                        open.iter().filter(|&&j| !self.is_zero(k[j][p])).map(|&j| (j, k[j][p], zero)).collect();
                    let mut lower = Vec::new();
                    for &(j, u, _) in &columns {
                        lower.push((j, self.mul(u, inverse), zero));
                    }
                    let pivot_right = [r[p], zero];
                    self.update(&mut k, &mut r, &columns, &lower, pivot_right);
                    // Cancellation in the pivot itself: how much smaller it is than what it was made of.
                    if k[p][p] != matrix[p][p] && self.as_constant(inverse).is_none() && !self.is_zero(matrix[p][p]) {
                        let ratio = self.mul(matrix[p][p], inverse);
                        let ratio = self.unary(Unary::Abs, ratio);
                        growth = self.add(growth, ratio);
                    } else if self.is_zero(matrix[p][p]) {
                        growth = self.add_squares(growth, &lower, scales, p, None);
                    }
                    let own = self.mul(r[p], inverse);
                    steps.push((pivot, [own, zero], lower));
                }
                Pivot::Two(p, q) => {
                    open.retain(|&j| j != p && j != q);
                    let [i00, i01, i11] = self.inverse_of_two(k[p][p], k[p][q], k[q][q]);
                    let columns: Vec<Column> = open
                        .iter()
                        .filter(|&&j| !(self.is_zero(k[j][p]) && self.is_zero(k[j][q])))
                        .map(|&j| (j, k[j][p], k[j][q]))
                        .collect();
                    let mut lower = Vec::new();
                    for &(j, u, w) in &columns {
                        let first = self.dot([(u, i00), (w, i01)]);
                        let second = self.dot([(u, i01), (w, i11)]);
                        lower.push((j, first, second));
                    }
                    let pivot_right = [r[p], r[q]];
                    self.update(&mut k, &mut r, &columns, &lower, pivot_right);
                    growth = self.add_squares(growth, &lower, scales, p, Some(q));
                    let own = [self.dot([(i00, r[p]), (i01, r[q])]), self.dot([(i01, r[p]), (i11, r[q])])];
                    steps.push((pivot, own, lower));
                }
            }
            self.check_size(0)?;
        }
        let mut x = vec![zero; n];
        for (pivot, own, lower) in steps.into_iter().rev() {
            let mut unknown = own;
            for (j, first, second) in lower {
                for (u, l) in unknown.iter_mut().zip([first, second]) {
                    let part = self.mul(l, x[j]);
                    *u = self.sub(*u, part);
                }
            }
            match pivot {
                Pivot::One(p) => x[p] = unknown[0],
                Pivot::Two(p, q) => (x[p], x[q]) = (unknown[0], unknown[1]),
            }
        }
        Ok(SymmetricSolution { unknowns: x, growth })
    }

    /// The inverse of ((a, c), (c, b)), with fewer operations when one diagonal element is zero.
    fn inverse_of_two(&mut self, a: Value, c: Value, b: Value) -> [Value; 3] {
        let (zero, one) = (self.constant(0.0), self.constant(1.0));
        let over = |this: &mut Self, a: Value| {
            let i = this.div(one, c);
            let i2 = this.mul(i, i);
            let corner = this.mul(a, i2);
            (i, this.neg(corner))
        };
        if self.is_zero(b) {
            let (i, corner) = over(self, a);
            return [zero, i, corner];
        }
        if self.is_zero(a) {
            let (i, corner) = over(self, b);
            return [corner, i, zero];
        }
        let (ab, cc) = (self.mul(a, b), self.mul(c, c));
        let determinant = self.sub(ab, cc);
        let i = self.div(one, determinant);
        let (first, middle, last) = (self.mul(b, i), self.mul(c, i), self.mul(a, i));
        [first, self.neg(middle), last]
    }

    /// Subtracts what the pivot's rows contribute to the rows that remain.
    fn update(
        &mut self,
        k: &mut [Vec<Value>],
        r: &mut [Value],
        columns: &[Column],
        lower: &[Column],
        pivot_right: [Value; 2],
    ) {
        for (a, &(j, first, second)) in lower.iter().enumerate() {
            for &(l, u, w) in &columns[..=a] {
                let part = self.dot([(first, u), (second, w)]);
                let new = self.sub(k[j][l], part);
                k[j][l] = new;
                k[l][j] = new;
            }
            let part = self.dot([(first, pivot_right[0]), (second, pivot_right[1])]);
            r[j] = self.sub(r[j], part);
        }
    }

    /// Adds the squares of the columns of L, made free of units.
    fn add_squares(
        &mut self,
        mut growth: Value,
        lower: &[Column],
        scales: &[f64],
        p: usize,
        q: Option<usize>,
    ) -> Value {
        for &(j, first, second) in lower {
            let members = [(first, Some(p)), (second, q)];
            for (l, scale) in members.into_iter().filter_map(|(l, i)| Some((l, scales[j] / scales[i?]))) {
                if self.as_constant(l).is_none() {
                    let square = self.mul(l, l);
                    let weight = self.constant(scale * scale);
                    let part = self.mul(weight, square);
                    growth = self.add(growth, part);
                }
            }
        }
        growth
    }

    /// The cheapest of the pivots that are sound at all samples; if there is none, the soundest.
    fn choose(&self, k: &[Vec<Value>], numeric: &[Vec<Vec<f64>>], open: &[usize], pairs_first: bool) -> Result<Pivot> {
        let mut candidates: Vec<(usize, Pivot)> = Vec::new();
        let constant = |v: Value| self.as_constant(v).is_some();
        let filled = |j: usize, p: usize| !self.is_zero(k[j][p]);
        // Rows each pivot would meet.
        let met: Vec<usize> = (0..k.len()).map(|p| open.iter().filter(|&&j| j != p && filled(j, p)).count()).collect();
        for &p in open {
            if filled(p, p) {
                let rows = met[p];
                let cost = rows + rows * (rows + 1) / 2 + if constant(k[p][p]) { 0 } else { 6 };
                // A rule of choice is only a bias: the other kind remains possible.
                let cost = if pairs_first { cost + 1000 * open.len() * open.len() } else { cost };
                candidates.push((cost, Pivot::One(p)));
            }
            for &q in open.iter().filter(|&&q| q != p && !filled(q, q) && filled(p, q)) {
                if !filled(p, p) && q < p {
                    continue;
                }
                let (rows_p, rows_q) = (met[p] - 1, met[q] - 1);
                let cost = rows_p
                    + 2 * rows_q
                    + rows_q * (rows_q + 1)
                    + rows_p * rows_q
                    + if constant(k[p][q]) { 0 } else { 6 };
                candidates.push((cost, Pivot::Two(p, q)));
            }
        }
        // Soundness is what takes time, so the cheap ones are looked at first.
        candidates.arrange_by_key(|(cost, _)| *cost);
        let mut best: Option<(f64, Pivot)> = None;
        for group in candidates.chunk_by(|a, b| a.0 == b.0) {
            for &(_, pivot) in group {
                let sound = soundness(numeric, open, pivot);
                if best.is_none_or(|(s, _)| sound > s) {
                    best = Some((sound, pivot));
                }
            }
            if best.is_some_and(|(s, _)| s >= SOUND) {
                break;
            }
        }
        best.filter(|(s, _)| *s > 1e-10).map(|(_, pivot)| pivot).ok_or_else(|| {
            Error::computation("no fixed order of elimination suits all sample states")
                .hint("solve with pivoting, or give samples from one region")
        })
    }
}

/// Points between −2 and 2, the same every time (Steele, Lea and Flood's SplitMix64).
fn arbitrary_points(inputs: usize, count: usize) -> Vec<Vec<f64>> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 * 4.0 - 2.0
    };
    (0..count).map(|_| (0..inputs).map(|_| next()).collect()).collect()
}

/// Per row a factor that makes the largest elements of the matrix one, typically over the samples.
fn scales(numeric: &[Vec<Vec<f64>>]) -> Result<Vec<f64>> {
    let n = numeric[0].len();
    let mut scales = vec![1.0; n];
    for _ in 0..5 {
        let mut next = scales.clone();
        for i in 0..n {
            let mut largest: Vec<f64> = numeric
                .iter()
                .map(|m| (0..n).map(|j| (m[i][j] * scales[i] * scales[j]).abs()).fold(0.0, f64::max))
                .collect();
            largest.arrange_by(f64::total_cmp);
            let typical = largest[largest.len() / 2];
            if typical == 0.0 {
                return Err(Error::computation(format!(
                    "row {} of the equations for the accelerations vanishes",
                    i + 1
                ))
                .hint("a constraint without accelerations, or a coordinate without mass and constraint"));
            }
            next[i] = scales[i] / typical.sqrt();
        }
        scales = next;
    }
    Ok(scales)
}

/// Does elimination with row pivoting find a pivot of reasonable size in every column?
fn is_regular(matrix: &[Vec<f64>], scales: &[f64]) -> bool {
    let n = matrix.len();
    let mut m = matrix.to_vec();
    for (i, row) in m.iter_mut().enumerate() {
        row.iter_mut().enumerate().for_each(|(j, x)| *x *= scales[i] * scales[j]);
    }
    for c in 0..n {
        let Some(p) = (c..n).max_by(|&i, &j| m[i][c].abs().total_cmp(&m[j][c].abs())) else { return false };
        m.swap(c, p);
        if m[c][c].abs() < 1e-12 {
            return false;
        }
        let (above, below) = m.split_at_mut(c + 1);
        let pivot = &above[c];
        for row in below {
            let l = row[c] / pivot[c];
            row.iter_mut().zip(pivot).skip(c).for_each(|(x, p)| *x -= l * p);
        }
    }
    true
}

/// The inverse of a pivot block at one sample, if there is one.
fn block_inverse(m: &[Vec<f64>], p: usize, q: usize) -> [f64; 3] {
    let (a, c, b) = (m[p][p], m[p][q], m[q][q]);
    let determinant = a * b - c * c;
    [b / determinant, -c / determinant, a / determinant]
}

/// The least over all samples of pivot / largest element of L times pivot: 1 is perfect, 0 is useless.
fn soundness(numeric: &[Vec<Vec<f64>>], open: &[usize], pivot: Pivot) -> f64 {
    let mut least = 1.0f64;
    for m in numeric {
        let largest = match pivot {
            Pivot::One(p) => open.iter().filter(|&&j| j != p).map(|&j| (m[j][p] / m[p][p]).abs()).fold(0.0, nan_max),
            Pivot::Two(p, q) => {
                let [i00, i01, i11] = block_inverse(m, p, q);
                let l =
                    |j: usize| nan_max((m[j][p] * i00 + m[j][q] * i01).abs(), (m[j][p] * i01 + m[j][q] * i11).abs());
                open.iter().filter(|&&j| j != p && j != q).map(|&j| l(j)).fold(0.0, nan_max)
            }
        };
        // A pivot that is nothing but rounding errors of a matrix scaled to one is no pivot.
        let size = match pivot {
            Pivot::One(p) => m[p][p].abs(),
            Pivot::Two(p, q) => (m[p][p] * m[q][q] - m[p][q] * m[p][q]).abs().sqrt(),
        };
        let sound = if largest.is_nan() || size < 1e-13 { 0.0 } else { 1.0 / largest.max(1.0) };
        least = least.min(sound);
    }
    least
}

fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The same elimination in numbers, for judging the pivots to come.
fn eliminate(m: &mut [Vec<f64>], open: &[usize], pivot: Pivot) {
    match pivot {
        Pivot::One(p) => {
            let d = m[p][p];
            for &j in open.iter().filter(|&&j| j != p) {
                let l = m[j][p] / d;
                for &i in open.iter().filter(|&&i| i != p) {
                    m[j][i] -= l * m[p][i];
                }
            }
        }
        Pivot::Two(p, q) => {
            let [i00, i01, i11] = block_inverse(m, p, q);
            for &j in open.iter().filter(|&&j| j != p && j != q) {
                let (first, second) = (m[j][p] * i00 + m[j][q] * i01, m[j][p] * i01 + m[j][q] * i11);
                for &i in open.iter().filter(|&&i| i != p && i != q) {
                    m[j][i] -= first * m[p][i] + second * m[q][i];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
