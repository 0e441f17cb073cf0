//! `noslip expand`

use crate::failure::Outcome;
use crate::open::open;
use crate::options::ModelArgs;
use crate::output::{expect_place, write_atomically};
use crate::terminal::{hand_over, say};
use clap::Args;
use std::path::PathBuf;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip expand bicycle.toml                  the plain model on the terminal
  noslip expand bicycle.toml -o plain.toml

Definitions, energies, forces, constraints and drawings, as one would write them
by hand. Every command says the same of both files.")]
pub struct ExpandArgs {
    /// Model file, `-` for standard input, or the name of a gallery model
    pub model: String,
    /// Where to write the plain model; default: the terminal
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
}

/// Writes the plain model. A file that is plain already is written as it is.
pub fn run(args: &ExpandArgs) -> Outcome {
    if let Some(path) = &args.output {
        expect_place(path, &args.model)?;
    }
    let opened = open(&ModelArgs {
        model: args.model.clone(),
        set: Vec::new(),
        initial: Vec::new(),
        effort: Default::default(),
    })?;
    let plain = opened.plain();
    match &args.output {
        Some(path) => {
            write_atomically(path, plain.as_bytes())?;
            say(&format!("wrote {}", path.display()));
        }
        None => hand_over(plain),
    }
    Ok(())
}
