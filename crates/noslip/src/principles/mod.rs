//! Principles of mechanics: what is stationary, or least, along a motion, and what is not.
//!
//! - [`evaluate`]: Hölder, Suslov, Suslov–Jourdain and Gauss evaluated along a motion, and the quadrilateral that does not
//!   close;
//! - [`beside`]: two motions beside each other, those of two models or that of Lindelöf's error;
//! - [`family`]: the action on a family of possible motions, and the principles of Lagrange and Jacobi;
//! - [`vakonomic`]: the stationary-action equations of L + Σ μφ beside the true motion, and when they agree.

// Loops over indices stand as in the formulas; `!(d <= threshold)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

pub mod beside;
pub mod evaluate;
pub mod family;
pub mod vakonomic;
