//! Random inputs for noslip, and what must be true of every one of them.
//!
//! Each target takes a seed and returns how far it came, or what is wrong. The same seed is the same input, everywhere. `noslip-fuzz
//! TARGET FIRST COUNT` runs many (see `fuzz/long`); the tests of this crate run a few.

pub mod judge;
mod random;
mod targets;

pub use random::Random;
pub use targets::{Reached, TARGETS, Target, Trial, claim_is_judged_right, claim_is_judged_right_as};
