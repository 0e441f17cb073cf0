//! `noslip new`

use crate::failure::Outcome;
use crate::files::{expect_folder, write_new};
use crate::options::FormatArgs;
use crate::terminal::{say, say_json};
use clap::Args;
use noslip::Error;
use noslip_cli::answers::Wrote;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip new cart && noslip check cart.toml && noslip report cart.toml")]
pub struct NewArgs {
    /// Name of the model; the file is NAME.toml
    pub name: String,
    /// A starter with frames, bodies and contacts instead of energies and constraints
    #[arg(long)]
    pub bodies: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Writes a commented starter model; an existing file is never overwritten.
pub fn run(args: &NewArgs) -> Outcome {
    let stem = args.name.strip_suffix(".toml").unwrap_or(&args.name);
    if stem.is_empty() {
        return Err(Error::input("the model needs a name").hint("for example `noslip new sleigh`").into());
    }
    let path = format!("{stem}.toml");
    let title = std::path::Path::new(stem).file_name().map_or(stem.into(), |n| n.to_string_lossy());
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let starter = if args.bodies { STARTER_OF_BODIES } else { STARTER };
    let text = starter.replace("{NAME}", &title.replace('\\', "\\\\").replace('"', "\\\""));
    expect_folder(path.as_ref())?;
    write_new(&path, text.as_bytes()).map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => Error::input(format!("cannot write `{path}`: it exists already"))
            .hint("choose another name; nothing was written"),
        _ => Error::computation(format!("cannot write `{path}`: {e}")),
    })?;
    // Editors complete and check by the schema; what cannot be written beside the model is no loss to it.
    let schema = std::path::Path::new(&path).with_file_name("noslip.schema.json");
    let _ = write_new(&schema.to_string_lossy(), SCHEMA.as_bytes());
    match args.format.is_json() {
        true => say_json(&Wrote { file: path, bytes: text.len() }),
        false => say(&format!(
            "wrote {path}\n\nnext:\n  noslip check {path}\n  noslip derive {path} --form all\n  noslip report {path}\n"
        )),
    }
    Ok(())
}

/// The model `noslip new` writes.
pub const STARTER: &str = include_str!("starter.toml");

/// The same with frames, bodies and contacts.
pub const STARTER_OF_BODIES: &str = include_str!("starter-of-bodies.toml");

/// The schema of model files, which the first line of the starter names.
pub const SCHEMA: &str = include_str!("model.schema.json");
