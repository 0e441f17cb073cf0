//! `noslip explain`

use super::{say, say_json};
use crate::args::{ExplainArgs, Format};
use crate::failure::{Failure, Outcome};
use crate::open::unknown;
use noslip::forms::{FORMS, by_id};
use serde_json::json;

/// Prints what the form's own documentation says.
pub fn run(args: &ExplainArgs) -> Outcome {
    let form = by_id(&args.form).ok_or_else(|| {
        let known: Vec<&str> = FORMS.iter().map(|f| f.id()).collect();
        Failure::input(unknown("form", &args.form, &known))
    })?;
    let about = plain(form.about());
    if args.format == Format::Json {
        say_json(&json!({
            "id": form.id(), "name": form.name(), "aliases": form.aliases(), "source": form.source(),
            "needs": form.needs(), "about": about,
        }));
        return Ok(());
    }
    let mut text = format!("{} ({})\n", form.name(), form.id());
    if !form.aliases().is_empty() {
        text.push_str(&format!("also: {}\n", form.aliases().join(", ")));
    }
    text.push('\n');
    text.push_str(&about);
    say(&text);
    Ok(())
}

/// The documentation without comment signs and code fences.
fn plain(docs: &str) -> String {
    docs.lines()
        .map(|l| l.trim_start_matches("//!").strip_prefix(' ').unwrap_or(l.trim_start_matches("//!")))
        .scan(false, |inside, line| {
            let fence = line.starts_with("```");
            *inside ^= fence;
            Some((fence, if *inside { format!("    {line}\n") } else { format!("{line}\n") }))
        })
        .filter(|(fence, _)| !fence)
        .map(|(_, line)| line)
        .collect()
}
