//! Tests of the integrators as a whole.

mod accuracy;
mod discrete;
mod orders;
mod outcomes;
mod problems;
mod reference;
