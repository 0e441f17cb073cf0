//! The registry of the subjects beside the forms: what `noslip explain` knows besides them.

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
];
