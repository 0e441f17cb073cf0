//! `noslip forms`

use super::{say, say_json};
use crate::args::{Format, FormsArgs};
use crate::failure::Outcome;
use noslip::forms::FORMS;
use serde_json::json;
use std::fmt::Write;

/// Lists the forms.
pub fn run(args: &FormsArgs) -> Outcome {
    if args.format == Format::Json {
        let list: Vec<_> = FORMS
            .iter()
            .map(|f| f.card())
            .map(|c| json!({"id": c.id, "name": c.name, "aliases": c.aliases, "source": c.source, "needs": c.needs}))
            .collect();
        say_json(&json!({ "forms": list }));
        return Ok(());
    }
    let mut text = String::new();
    for f in FORMS {
        let _ = writeln!(text, "{:<32} {}", f.id(), f.name());
        let _ = writeln!(text, "{:<32}   needs: {}", "", f.card().needs);
        let _ = writeln!(text, "{:<32}   source: {}", "", f.card().source);
    }
    text.push_str("\n`noslip explain ID` tells more about one of them.\n");
    say(&text);
    Ok(())
}
