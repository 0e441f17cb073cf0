//! `noslip integrals`

use super::analysed;
use crate::failure::Outcome;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{shown, written};
use clap::Args;
use noslip::motions::integrals::integrals;
use noslip::motions::reduce::Reduction;
use noslip_cli::answers::{FirstIntegral, FirstIntegrals};
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
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Looks for integrals of the motion.
pub fn run(args: &IntegralsArgs) -> Outcome {
    let opened = open(&args.model)?.while_closed();
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?;
    let found = integrals(&mut w, &r, args.degree)?;
    match args.format.is_json() {
        true => {
            let mut list = Vec::new();
            for i in &found.list {
                list.push(FirstIntegral {
                    name: i.name.clone(),
                    expression: written(&mut w, i.expr),
                    degree: i.degree,
                    how: (&i.how).into(),
                    kind: i.kind.word().to_owned(),
                });
            }
            say_json(&FirstIntegrals {
                name: w.system.name.clone(),
                integrals: list,
                searched: found.searched.clone(),
            });
        }
        false => {
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
