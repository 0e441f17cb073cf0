//! `noslip simulate`
use crate::args::SimulateArgs;
use crate::failure::Outcome;
pub fn run(_: &SimulateArgs) -> Outcome {
    Ok(())
}
