//! `noslip expand`

use super::say;
use crate::args::{ExpandArgs, ModelArgs};
use crate::failure::Outcome;
use crate::open::open;
use crate::output::{expect_extension, expect_folder, write_atomically};

/// Writes the plain model. A file that is plain already is written as it is.
pub fn run(args: &ExpandArgs) -> Outcome {
    if let Some(path) = &args.output {
        expect_extension(path, &["toml"])?;
        expect_folder(path)?;
    }
    let opened = open(&ModelArgs { model: args.model.clone(), set: Vec::new(), initial: Vec::new() })?;
    let plain = opened.plain();
    match &args.output {
        Some(path) => {
            write_atomically(path, plain.as_bytes())?;
            say(&format!("wrote {}", path.display()));
        }
        None => say(plain),
    }
    Ok(())
}
