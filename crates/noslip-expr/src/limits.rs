//! Every limit in one place. A limit that is reached is a typed error, never an abort and never a hang.

use crate::control::Control;
use crate::error::Result;

/// Limits on what the engine will attempt. [`Limits::default`] suits interactive use on a small machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a model or claims file.
    pub file_bytes: usize,
    /// Bytes of one mathematical string.
    pub expression_bytes: usize,
    /// Nested function calls in one expression (a derivative's size grows with the square of it).
    pub nested_calls: usize,
    /// Levels of an expression of a model: what is nested deeper is no formula, and its derivatives grow without end.
    pub expression_depth: usize,
    /// Bits of numerator and denominator of one exact number.
    pub number_bits: u64,
    /// Elementary steps in building one parsed expression: list entries, weighted by the length of their numbers.
    pub parse_work: u64,
    /// Bytes printed for one expression: shared subexpressions are printed once per use.
    pub printed_bytes: usize,
    /// Terms of one polynomial of the normal form.
    pub polynomial_terms: usize,
    /// Elementary polynomial operations in one normal form: bounds time where no single polynomial is large.
    pub normal_form_work: u64,
    /// Multiple of an angle that is still expanded into powers of its sine and cosine.
    pub angle_multiple: u32,
    /// Nodes made while Lie brackets of constraints are computed: beyond it the growth vector is left unfinished.
    pub bracket_nodes: usize,
    /// Coordinates of a model.
    pub coordinates: usize,
    /// Values of an index.
    pub indices: usize,
    /// Bytes written for all ranges of a model file.
    pub written_bytes: usize,
    /// Operations of one compiled program.
    pub tape_operations: usize,
    /// Steps of an integration.
    pub steps: u64,
    /// Somebody who watches, and may stop what takes too long.
    pub control: Option<Control>,
}

impl Limits {
    /// An error if whoever watches has asked the computation to end.
    pub fn check_control(&self) -> Result<()> {
        self.control.as_ref().map_or(Ok(()), Control::check)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 16 << 20,
            expression_bytes: 16 << 20,
            nested_calls: 1000,
            expression_depth: 1000,
            number_bits: 1 << 16,
            parse_work: 32_000_000,
            printed_bytes: 64 << 20,
            polynomial_terms: 200_000,
            normal_form_work: 200_000_000,
            angle_multiple: 64,
            bracket_nodes: 2_000_000,
            coordinates: 200,
            indices: 200,
            written_bytes: 4 << 20,
            tape_operations: 20_000_000,
            steps: 10_000_000,
            control: None,
        }
    }
}
