//! The registry of the subjects beside the forms: what `noslip explain` knows besides them.

mod glossary;

pub use glossary::TERMS;

use crate::card::Card;

/// The subjects that are explained beside the forms.
pub const SUBJECTS: &[&Card] = &[
    &crate::principles::vakonomic::CARD,
    &crate::hamilton::hamiltonise::CARD,
    &crate::hamilton::inverse::CARD,
    &crate::hamilton::canonical::CARD,
    &crate::principles::evaluate::CARD,
    &crate::contact::friction::CARD,
    &crate::contact::non_ideal::CARD,
    &crate::contact::switching::CARD,
    &crate::motions::reduce::CARD,
    &crate::motions::steady::CARD,
    &crate::motions::linearise::CARD,
    &crate::motions::measure::CARD,
    &crate::motions::integrals::CARD,
    &crate::motions::connect::CARD,
    &crate::motions::connection::CARD,
    &crate::motions::exponents::CARD,
    &crate::motions::section::CARD,
    &crate::principles::beside::CARD,
    &crate::principles::family::CARD,
];
