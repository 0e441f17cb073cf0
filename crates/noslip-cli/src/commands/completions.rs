//! `noslip completions`

use crate::failure::Outcome;
use crate::terminal::hand_over;
use clap::Args;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip completions bash > ~/.local/share/bash-completion/completions/noslip
  noslip completions zsh > ~/.zfunc/_noslip
  noslip completions fish > ~/.config/fish/completions/noslip.fish")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Prints completions for a shell.
pub fn run(args: &CompletionsArgs, program: &mut clap::Command) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, program, "noslip", &mut text);
    hand_over(&String::from_utf8_lossy(&text));
    Ok(())
}
