//! What the constraints mean: rank, integrability, growth, symmetries, conserved quantities, the reducing multiplier.

mod ansatz;
mod frobenius;
mod generic;
mod growth;
mod interim_eval;

pub use frobenius::{Integrability, Pfaff};
pub use generic::{Generic, Motions, Saddle};
pub use growth::{BracketField, Distribution, Growth, bracket_fields, generic_rank, growth, lie_bracket};

/// How a statement is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// By the normal form, or by a point where it fails.
    Proved,
    /// At random points of the prime field; wrong with a probability below 10⁻³⁰.
    Tested,
}

impl Certainty {
    /// Proved if so, else tested.
    pub fn proved_if(proved: bool) -> Certainty {
        if proved { Certainty::Proved } else { Certainty::Tested }
    }
}
