//! What holds a constraint: reactions, their limits, and laws of friction.
//!
//! - [`friction`]: reactions and the margin to the Coulomb limit;
//! - [`switching`]: contacts that slide, stick, open and close;
//! - [`non_ideal`]: friction that depends on the reaction, and Painlevé's paradoxes.

// Loops over indices stand as in the formulas; `!(d <= threshold)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

pub mod friction;
pub mod non_ideal;
mod reaction;
pub mod switching;
