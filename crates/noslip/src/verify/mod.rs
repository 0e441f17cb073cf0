//! Proofs: two forms agree; a claimed equation follows from the model, or here is a counterexample.

mod agreement;
mod certify;
mod claim;
mod decision;
mod diagnose;
mod finding;
mod identity;
mod leaf;
mod parity;
mod real;
mod relations;
mod roots;
mod rounding;

pub use agreement::{Agreement, agreement};
pub use claim::{decide, in_coordinates};
pub use decision::{Decision, Relations, claim, follows};
pub use diagnose::{Diagnosis, correct, diagnose};
pub use finding::{Counterexample, Finding, Reach};
pub use identity::{vanishes, vanishes_in_general, vanishes_on_motions};
pub(crate) use leaf::may_jump;
pub use real::RealState;
pub use relations::relations_from_initial_state;

#[cfg(test)]
mod tests;
