//! `noslip studio`
//!
//! The studio is the whole program in one page, with an editor. It is built beside the program (`crates/noslip-web`), because it takes
//! another compiler's target and megabytes that a terminal has no use for; here it is found, given a model to begin with, and written.

use crate::failure::{Failure, Outcome};
use crate::files::{expect_place, write_atomically};
use crate::open::{read_bytes, source};
use crate::options::FormatArgs;
use crate::terminal::{hand_over, say, say_json};
use clap::Args;
use noslip::Error;
use noslip_cli::answers::Wrote;
use noslip_cli::report::escape_html;
use std::path::{Path, PathBuf};

/// No studio is larger.
const LARGEST: usize = 64 << 20;
/// What begins and ends the model in it.
const MARKS: [&str; 2] = ["<!-- start -->\n", "<!-- /start -->"];
/// The version in it is that of its module.
const GENERATOR: &str = concat!("<meta name=\"generator\" content=\"noslip ", env!("CARGO_PKG_VERSION"), "\">");

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip studio                            write studio.html
  noslip studio disk.toml -o lecture.html  one that begins with this model

Open the file in a browser: an editor that shows errors as one types, the page
of the model with its sliders, and every command. Nothing leaves the machine.")]
pub struct StudioArgs {
    /// The model to begin with: a file, `-` for standard input, or the name of a gallery model
    pub model: Option<String>,
    /// Where to write the studio, `-` for standard output
    #[arg(short, long, value_name = "FILE.html", default_value = "studio.html", alias = "out")]
    pub output: PathBuf,
    /// The studio as `crates/noslip-web/build` makes it, where it does not lie beside the program
    #[arg(long, value_name = "STUDIO.html")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Writes the studio.
pub fn run(args: &StudioArgs) -> Outcome {
    expect_place(&args.output, args.model.as_deref().unwrap_or("-"))?;
    let from = args.from.clone().or_else(beside).ok_or_else(|| {
        Error::input("there is no studio beside this program").hint(
            "archives of the program have it; in the sources `crates/noslip-web/build` makes it; elsewhere give --from STUDIO.html",
        )
    })?;
    let mut studio = studio(&from)?;
    if let Some(model) = &args.model {
        studio = begin_with(&studio, model)?;
    }
    if args.output.as_os_str() == "-" {
        hand_over(&studio);
        return Ok(());
    }
    write_atomically(&args.output, studio.as_bytes())?;
    let wrote = Wrote { file: args.output.display().to_string(), bytes: studio.len() };
    match args.format.is_json() {
        true => say_json(&wrote),
        false => say(&format!("wrote {}\n", wrote.file)),
    }
    Ok(())
}

/// The studio that was built or unpacked with this program: beside it, or in `share` where it is in `bin`.
fn beside() -> Option<PathBuf> {
    let program = std::env::current_exe().and_then(|p| p.canonicalize()).ok()?;
    let folder = program.parent()?;
    let places = [folder.join("studio.html"), folder.join("../share/noslip/studio.html")];
    places.into_iter().find(|p| p.is_file())
}

/// The text of a studio, if it is one and of this version.
fn studio(from: &Path) -> Result<String, Failure> {
    let name = from.display().to_string();
    let text = String::from_utf8_lossy(&read_bytes(&name, LARGEST)?).into_owned();
    if MARKS.iter().any(|mark| !text.contains(mark)) {
        return Err(Error::input(format!("`{name}` is no studio")).hint("`crates/noslip-web/build` makes one").into());
    }
    if !text.contains(GENERATOR) {
        return Err(Error::input(format!("`{name}` is the studio of another version of this program"))
            .hint("build it again: `crates/noslip-web/build`")
            .into());
    }
    Ok(text)
}

/// The studio with another model in it. Whether it is a model is for the studio to say.
fn begin_with(studio: &str, model: &str) -> Result<String, Failure> {
    let (bytes, name) = source(model)?;
    let text = String::from_utf8(bytes).map_err(|_| Error::input(format!("`{name}` is not text in UTF-8")))?;
    let title = Path::new(&name).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let title = if name == "<stdin>" { "model.toml".to_owned() } else { title };
    let (before, rest) = studio.split_once(MARKS[0]).unwrap_or((studio, ""));
    let after = rest.split_once(MARKS[1]).map_or("", |(_, after)| after);
    let mut out = String::with_capacity(studio.len() + text.len());
    out.extend([before, MARKS[0], "<textarea id=\"start\" data-name=\""]);
    escape_html(&title, &mut out);
    // A line break behind the tag is not part of the text.
    out.push_str("\" hidden>\n");
    escape_html(&text, &mut out);
    out.extend(["</textarea>\n", MARKS[1], after]);
    Ok(out)
}
