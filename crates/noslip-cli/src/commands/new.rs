//! `noslip new`

use super::{say, say_json};
use crate::args::{Format, NewArgs};
use crate::failure::{Failure, Outcome};
use crate::output::expect_folder;
use serde_json::json;
use std::io::Write;

/// Writes a commented starter model; an existing file is never overwritten.
pub fn run(args: &NewArgs) -> Outcome {
    let stem = args.name.strip_suffix(".toml").unwrap_or(&args.name);
    if stem.is_empty() {
        return Err(Failure::input("error: the model needs a name").with_help("for example `noslip new sleigh`"));
    }
    let path = format!("{stem}.toml");
    let title = std::path::Path::new(stem).file_name().map_or(stem.into(), |n| n.to_string_lossy());
    let title: String = title.chars().filter(|c| !c.is_control()).collect();
    let starter = if args.bodies { STARTER_OF_BODIES } else { STARTER };
    let text = starter.replace("{NAME}", &title.replace('\\', "\\\\").replace('"', "\\\""));
    expect_folder(path.as_ref())?;
    let written = std::fs::File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::input(format!("error: cannot write `{path}`: it exists already"))
            .with_help("choose another name; nothing was written"),
        _ => Failure::computation(format!("error: cannot write `{path}`: {e}")),
    })?;
    match args.format {
        Format::Json => say_json(&json!({"file": path, "bytes": text.len()})),
        Format::Text => say(&format!(
            "wrote {path}\n\nnext:\n  noslip check {path}\n  noslip derive {path} --form all\n  noslip report {path}\n"
        )),
    }
    Ok(())
}

/// The model `noslip new` writes.
pub const STARTER: &str = include_str!("starter.toml");

/// The same with frames, bodies and contacts.
pub const STARTER_OF_BODIES: &str = include_str!("starter-of-bodies.toml");
