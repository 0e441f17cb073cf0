//! `noslip explain`

use super::{say, say_json};
use crate::args::{ExplainArgs, Format};
use crate::failure::Outcome;
use crate::open::unknown;
use noslip::card::Card;
use noslip::forms::FORMS;
use noslip::subjects::SUBJECTS;
use serde_json::json;

/// The letters and the books, which all forms share.
const NOTATION: Card = Card {
    id: "notation",
    aliases: &[],
    name: "Notation and sources",
    source: "Greenwood; Soltakhanov, Yushkov, Zegzhda; Sumbatov; Talamucci",
    needs: "nothing",
    text: include_str!("notation.txt"),
};

/// All cards, forms first.
fn cards() -> impl Iterator<Item = &'static Card> {
    FORMS.iter().map(|f| f.card()).chain(SUBJECTS.iter().copied()).chain([&NOTATION])
}

/// Prints what the documentation of the form or subject says.
pub fn run(args: &ExplainArgs) -> Outcome {
    let known = cards().find(|c| c.answers_to(&args.form)).ok_or_else(|| {
        let known: Vec<&str> = cards().map(|c| c.id).collect();
        unknown("", "form", &args.form, &known)
    })?;
    let about = plain(known.about());
    if args.format == Format::Json {
        say_json(&json!({
            "id": known.id, "name": known.name, "aliases": known.aliases, "source": known.source,
            "needs": known.needs, "about": about,
        }));
        return Ok(());
    }
    let mut text = format!("{} ({})\n", known.name, known.id);
    if !known.aliases.is_empty() {
        text.push_str(&format!("also: {}\n", known.aliases.join(", ")));
    }
    text.push('\n');
    text.push_str(&about);
    if known.id != NOTATION.id {
        text.push_str("\nThe letters and the sources: `noslip explain notation`.\n");
    }
    say(&text);
    Ok(())
}

/// The documentation without comment signs and code fences.
fn plain(docs: &str) -> String {
    docs.lines()
        .map(|l| l.strip_prefix("//!").map_or(l, |comment| comment.strip_prefix(' ').unwrap_or(comment)))
        .scan(false, |inside, line| {
            let fence = line.starts_with("```");
            *inside ^= fence;
            Some((fence, if *inside { format!("    {line}\n") } else { format!("{line}\n") }))
        })
        .filter(|(fence, _)| !fence)
        .map(|(_, line)| line)
        .collect()
}
