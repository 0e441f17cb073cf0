//! `noslip derive`

use crate::args::DeriveArgs;
use crate::failure::Outcome;
pub fn run(_: &DeriveArgs) -> Outcome {
    Ok(())
}
