//! `noslip completions`

use crate::args::{Cli, CompletionsArgs};
use crate::failure::Outcome;
use clap::CommandFactory;

/// Prints completions for a shell.
pub fn run(args: &CompletionsArgs) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "noslip", &mut text);
    super::say(&String::from_utf8_lossy(&text));
    Ok(())
}
