//! Tests of the integrators as a whole.

mod accuracy;
mod constrained;
mod discrete;
mod failures;
mod lanes;
mod orders;
mod outcomes;
mod problems;
mod reference;
mod steps;
