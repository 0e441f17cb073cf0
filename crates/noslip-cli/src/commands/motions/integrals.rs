//! `noslip integrals`

use super::analysed;
use crate::failure::Outcome;
use crate::open::open;
use crate::options::{Format, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{shown, written};
use clap::Args;
use noslip::motions::integrals::integrals;
use noslip::motions::reduce::Reduction;
use serde_json::{Value, json};
use std::fmt::Write;

/// `integrals`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip integrals routh-sphere
  noslip integrals ball-on-turntable --format json")]
pub struct IntegralsArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Highest degree in the velocities
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=2))]
    pub degree: u32,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// Looks for integrals of the motion.
pub fn run(args: &IntegralsArgs) -> Outcome {
    let opened = open(&args.model)?;
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?;
    let found = integrals(&mut w, &r, args.degree)?;
    match args.format {
        Format::Json => {
            let list: Vec<Value> = found
                .list
                .iter()
                .map(|i| {
                    json!({
                        "name": i.name, "expression": written(&mut w, i.expr), "degree": i.degree,
                        "how": i.how.word(), "kind": i.kind.word(),
                    })
                })
                .collect();
            say_json(&json!({"name": w.system.name, "integrals": list, "searched": found.searched}));
        }
        Format::Text => {
            let mut out = format!("{}\n\n", w.system.name);
            if found.list.is_empty() {
                out.push_str("No integral was found.\n");
            }
            for i in &found.list {
                let _ = writeln!(out, "{} ({}, {})", i.name, i.kind.word(), i.how.word());
                let _ = writeln!(out, "  {}", shown(&mut w, i.expr));
            }
            let _ = writeln!(out, "\nSearched: {}.", found.searched);
            say(&out);
        }
    }
    Ok(())
}
