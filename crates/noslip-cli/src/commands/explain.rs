//! `noslip explain`

use super::{say, say_json};
use crate::args::{ExplainArgs, Format};
use crate::failure::Outcome;
use crate::open::unknown;
use noslip::beyond::SUBJECTS;
use noslip::forms::{FORMS, by_id};
use serde_json::json;

/// What is known of a form, or of a subject beyond the equations of motion.
struct Known {
    id: &'static str,
    aliases: Vec<&'static str>,
    name: &'static str,
    source: &'static str,
    needs: &'static str,
    about: &'static str,
}

/// The letters and the books, which all forms share.
const NOTATION: Known = Known {
    id: "notation",
    aliases: Vec::new(),
    name: "Notation and sources",
    source: "Greenwood; Soltakhanov, Yushkov, Zegzhda; Sumbatov; Talamucci",
    needs: "nothing",
    about: include_str!("notation.txt"),
};

fn find(name: &str) -> Option<Known> {
    if name == NOTATION.id {
        return Some(NOTATION);
    }
    let form = by_id(name).map(|f| Known {
        id: f.id(),
        aliases: f.aliases().to_vec(),
        name: f.name(),
        source: f.source(),
        needs: f.needs(),
        about: f.about(),
    });
    form.or_else(|| {
        let s = SUBJECTS.iter().find(|s| s.id == name || s.aliases.contains(&name))?;
        let aliases = s.aliases.to_vec();
        Some(Known { id: s.id, aliases, name: s.name, source: s.source, needs: s.needs, about: s.about() })
    })
}

/// Prints what the documentation of the form or subject says.
pub fn run(args: &ExplainArgs) -> Outcome {
    let known = find(&args.form).ok_or_else(|| {
        let known: Vec<&str> =
            FORMS.iter().map(|f| f.id()).chain(SUBJECTS.iter().map(|s| s.id)).chain([NOTATION.id]).collect();
        unknown("", "form", &args.form, &known)
    })?;
    let about = plain(known.about);
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
