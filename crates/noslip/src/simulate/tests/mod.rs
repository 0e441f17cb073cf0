//! Tests of the integrators as a whole.

mod accuracy;
mod constrained;
mod discrete;
mod lanes;
mod orders;
mod outcomes;
mod problems;
mod reference;
