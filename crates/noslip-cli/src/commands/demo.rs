//! `noslip demo`

use crate::failure::Outcome;
use crate::options::{FormatArgs, unknown};
use crate::terminal::{hand_over, say, say_json};
use clap::Args;
use noslip::Limits;
use noslip::model::Model;
use noslip_cli::answers::{Demo, GalleryEntry};
use noslip_gallery::MODELS;
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip demo                                all models of the gallery
  noslip demo rolling-disk > mine.toml       a copy to change
  noslip report rolling-disk                 any command takes such a name")]
pub struct DemoArgs {
    /// Print this gallery model; without a name, list them
    pub name: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Lists the gallery, or prints one model of it.
pub fn run(args: &DemoArgs) -> Outcome {
    if let Some(name) = &args.name {
        let text = noslip_gallery::find(name).ok_or_else(|| {
            let known: Vec<&str> = MODELS.iter().map(|(n, _)| *n).collect();
            let mut error = unknown("", "gallery model", name, &known);
            if let (Some(hint), None) = (&mut error.hint, noslip::expr::closest(name, known.iter().copied())) {
                hint.push_str("; `noslip demo` lists them");
            }
            error
        })?;
        match args.format.is_json() {
            true => say_json(&Demo::One { name: name.clone(), model: text.to_owned() }),
            false => hand_over(text),
        }
        return Ok(());
    }
    let models: Vec<GalleryEntry> = MODELS.iter().map(|(name, text)| entry(name, text)).collect();
    if args.format.is_json() {
        say_json(&Demo::List { models });
        return Ok(());
    }
    let width = models.iter().map(|m| m.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for m in &models {
        let _ = writeln!(out, "{:<width$}  {}", m.name, m.title);
    }
    out.push_str(
        "\nUse a name in place of a file: `noslip report rolling-disk`. `noslip demo NAME` prints the model.\n",
    );
    say(&out);
    Ok(())
}

fn entry(name: &str, text: &str) -> GalleryEntry {
    let name = name.to_owned();
    match Model::load(text, &name, &Limits::default()) {
        Ok(Model { system, .. }) => {
            GalleryEntry { name, title: system.name, source: system.source, description: system.description }
        }
        Err(_) => GalleryEntry { name, title: String::new(), source: None, description: None },
    }
}
