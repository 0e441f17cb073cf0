//! `noslip forms`

use crate::failure::Outcome;
use crate::options::FormatArgs;
use crate::terminal::{say, say_json};
use clap::Args;
use noslip::forms::FORMS;
use noslip_cli::answers::Forms;
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip forms
  noslip check rolling-disk                  which of them apply to a model")]
pub struct FormsArgs {
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Lists the forms.
pub fn run(args: &FormsArgs) -> Outcome {
    if args.format.is_json() {
        say_json(&Forms { forms: FORMS.iter().map(|f| f.card().into()).collect() });
        return Ok(());
    }
    let mut text = String::new();
    for f in FORMS {
        let _ = writeln!(text, "{:<32} {}", f.id(), f.name());
        let _ = writeln!(text, "{:<32}   needs: {}", "", f.card().needs);
        let _ = writeln!(text, "{:<32}   source: {}", "", f.card().source);
    }
    text.push_str("\n`noslip explain ID` tells more about one of them.\n");
    say(&text);
    Ok(())
}
