//! `noslip man`

use crate::failure::Outcome;
use crate::output::write_atomically;
use crate::terminal::say;
use clap::{Args, Command};
use noslip::Error;
use std::path::PathBuf;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip man ~/.local/share/man/man1 && man noslip-verify")]
pub struct ManArgs {
    /// The folder, which must exist
    pub folder: PathBuf,
}

/// Writes a page for the program and one for each command.
pub fn run(args: &ManArgs, mut program: Command) -> Outcome {
    if !args.folder.is_dir() {
        return Err(Error::input(format!("`{}` is not a folder", args.folder.display())).hint("make it first").into());
    }
    program.build();
    let mut pages = vec![("noslip".to_owned(), program.clone())];
    for command in program.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("noslip-{}", command.get_name());
        // The page's name is that of the command with the program in front, as `man` is asked for it.
        let leaked: &'static str = Box::leak(name.clone().into_boxed_str());
        pages.push((name, command.clone().name(leaked)));
    }
    let count = pages.len();
    for (name, command) in pages {
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|e| Error::computation(format!("the page `{name}` cannot be written: {e}")))?;
        write_atomically(&args.folder.join(format!("{name}.1")), &page)?;
    }
    say(&format!("wrote {count} pages to {}", args.folder.display()));
    Ok(())
}
