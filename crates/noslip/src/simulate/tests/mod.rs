//! Tests of the integrators as a whole.

mod accuracy;
mod orders;
mod outcomes;
mod problems;
mod saddles;
