//! Lagrangian and Hamiltonian form: what the equations of motion can be turned into.
//!
//! - [`canonical`]: generalised momenta, H₁, canonical equations, the generalised Hamilton–Jacobi equation;
//! - [`hamiltonise`]: Chaplygin's reducing multiplier verified in the new time, invariant measure, Arzhanykh's substitution;
//! - [`new_time`]: Hamilton's form in that time, the Hamilton–Jacobi equation, the solution by quadratures;
//! - [`second_case`]: multipliers with a constant, where none serves all motions;
//! - [`inverse`]: are the reduced equations Lagrangian as they stand.

// Loops over indices stand as in the formulas; `!(d <= threshold)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

pub mod canonical;
mod douglas;
pub mod hamiltonise;
pub mod inverse;
pub mod law;
pub mod new_time;
mod root_form;
pub mod second_case;
