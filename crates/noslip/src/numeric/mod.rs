//! Numerical mathematics that knows nothing of mechanics: linear equations, saddle systems, Newton's method towards
//! constraints.
//!
//! - [`Lu`], [`Svd`], [`RowBasis`]: dense linear algebra, row by row;
//! - [`Saddle`], [`SaddleLanes`]: M a − Aᵀ λ = f, A a = b, for one state and for many;
//! - [`Projector`]: the nearest point that satisfies the equations of a [`ConstraintSet`];
//! - [`spectrum`]: eigenvalues, ranks and least squares of small matrices, by nalgebra;
//! - [`brief`], [`counted`]: numbers for people.

// Loops over indices stand as in the formulas; `!(error <= 1.0)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

mod brief;
mod linalg;
mod project;
mod saddle;
mod schur;
pub mod spectrum;
#[cfg(test)]
mod tests;

pub use brief::{brief, counted, plural};
pub use linalg::{Complex, Lu, RowBasis, Scalar, Svd, dot, norm, solve_transposed_triangle, solve_triangle};
pub use project::{ConstraintSet, Projection, ProjectionFailure, Projector};
pub(crate) use saddle::balance;
pub use saddle::{Contradiction, Saddle, SaddleFailure};
pub use schur::SaddleLanes;

/// Index of the first entry that is infinite or not a number.
///
/// The common case is decided by one pass of integer operations without branches, because it stands in the hot loop.
#[inline]
pub fn first_non_finite(values: &[f64]) -> Option<usize> {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let bad = values.iter().fold(0u64, |bad, x| bad | u64::from(x.to_bits() & EXPONENT == EXPONENT));
    if bad == 0 { None } else { values.iter().position(|x| !x.is_finite()) }
}

/// Is a symmetric matrix, n×n row by row, positive definite?
pub fn is_positive_definite(matrix: &[f64], n: usize) -> bool {
    // Cholesky's factorisation exists, with positive pivots.
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let rest = matrix[i * n + j] - dot(&l[i * n..i * n + j], &l[j * n..j * n + j]);
            if i != j {
                l[i * n + j] = rest / l[j * n + j];
            } else if rest > 0.0 {
                l[i * n + i] = rest.sqrt();
            } else {
                return false;
            }
        }
    }
    true
}
