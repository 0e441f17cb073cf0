//! `noslip verify`
use crate::args::VerifyArgs;
use crate::failure::Outcome;
pub fn run(_: &VerifyArgs) -> Outcome {
    Ok(())
}
