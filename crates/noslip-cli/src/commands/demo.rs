//! `noslip demo`

use super::{say, say_json};
use crate::args::{DemoArgs, Format};
use crate::failure::Outcome;
use crate::open::unknown;
use noslip::Limits;
use noslip::model::Model;
use noslip_gallery::MODELS;
use serde_json::{Value, json};
use std::fmt::Write;

/// Lists the gallery, or prints one model of it.
pub fn run(args: &DemoArgs) -> Outcome {
    if let Some(name) = &args.name {
        let text = noslip_gallery::find(name).ok_or_else(|| {
            let known: Vec<&str> = MODELS.iter().map(|(n, _)| *n).collect();
            let mut failure = unknown("", "gallery model", name, &known);
            if noslip::expr::closest(name, known.iter().copied()).is_none() {
                failure.message.push_str("; `noslip demo` lists them");
            }
            failure
        })?;
        match args.format {
            Format::Json => say_json(&json!({ "name": name, "model": text })),
            Format::Text => say(text),
        }
        return Ok(());
    }
    let title =
        |text: &str| Model::load(text, "gallery", &Limits::default()).map(|m| m.system.name).unwrap_or_default();
    if args.format == Format::Json {
        let list: Vec<_> = MODELS.iter().map(|(n, text)| entry(n, text)).collect();
        say_json(&json!({ "models": list }));
        return Ok(());
    }
    let width = MODELS.iter().map(|(n, _)| n.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, text) in MODELS {
        let _ = writeln!(out, "{name:<width$}  {}", title(text));
    }
    out.push_str(
        "\nUse a name in place of a file: `noslip report rolling-disk`. `noslip demo NAME` prints the model.\n",
    );
    say(&out);
    Ok(())
}

fn entry(name: &str, text: &str) -> Value {
    match Model::load(text, name, &Limits::default()) {
        Ok(Model { system, .. }) => json!({
            "name": name, "title": system.name, "source": system.source, "description": system.description,
        }),
        Err(_) => json!({ "name": name, "title": "" }),
    }
}
