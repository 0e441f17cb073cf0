//! Numerical mathematics that knows nothing of mechanics: linear equations, saddle systems, Newton's method towards
//! constraints.
//!
//! - `Lu`, `Svd`, `RowBasis`: dense linear algebra, row by row;
//! - `Saddle`: M a − Aᵀ λ = f, A a = b;
//! - `Projector`: the nearest point that satisfies the equations of a `ConstraintSet`;
//! - `spectrum`: eigenvalues, ranks and least squares of small matrices, by nalgebra;
//! - [`brief`], [`aligned`], [`counted`]: numbers for people.

// Loops over indices stand as in the formulas; `!(error <= 1.0)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

mod brief;
mod linalg;
mod project;
mod saddle;
mod schur;
pub(crate) mod spectrum;
#[cfg(test)]
mod tests;

pub(crate) use brief::plural;
pub use brief::{aligned, brief, counted};
pub(crate) use linalg::{Complex, Lu, RowBasis, Svd, dot, norm};
pub(crate) use project::{ConstraintSet, Projection, ProjectionFailure, Projector};
#[cfg(test)]
pub(crate) use saddle::Contradiction;
pub(crate) use saddle::balance;
pub(crate) use saddle::{Saddle, SaddleFailure};

/// Index of the first entry that is infinite or not a number.
///
/// The common case is decided by one pass of integer operations without branches, because it stands in the hot loop.
#[inline]
pub(crate) fn first_non_finite(values: &[f64]) -> Option<usize> {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let bad = values.iter().fold(0u64, |bad, x| bad | u64::from(x.to_bits() & EXPONENT == EXPONENT));
    if bad == 0 { None } else { values.iter().position(|x| !x.is_finite()) }
}

/// Is a symmetric matrix, n×n row by row, positive definite?
pub(crate) fn is_positive_definite(matrix: &[f64], n: usize) -> bool {
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
