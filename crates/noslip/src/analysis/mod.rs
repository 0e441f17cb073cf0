//! What the constraints mean: rank, integrability, growth, symmetries, conserved quantities, the reducing multiplier.

mod ansatz;
mod candidates;
mod classify;
mod conserved;
mod energy;
mod frobenius;
mod generic;
mod growth;
mod integrals;
mod evaluate;
mod positivity;
mod reducing;
mod transposition;

pub use classify::{ConstraintFacts, Dependence, RankDrop, Ranks, constraint_facts, ranks};
pub use conserved::{Conserved, ConservedKind, conserved_quantities, cyclic_coordinates};
pub use energy::{EnergyFacts, energy_facts};
pub use frobenius::{Integrability, Pfaff};
pub use generic::{Generic, Motions, Saddle};
pub use integrals::{HiddenRelation, Solved, hidden_relations};
pub use growth::{BracketField, Distribution, Growth, bracket_fields, generic_rank, growth, lie_bracket};

pub use reducing::{ReducingMultiplier, reducing_multiplier, reducing_multiplier_quasi};
pub use transposition::{Convention, TranspositionalRelation, transpositional_relations};

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
