//! `noslip explain`

use crate::failure::Outcome;
use crate::layout::whole_paragraphs;
use crate::options::{FormatArgs, unknown};
use crate::terminal::{lines_are_fitted, say, say_json};
use clap::Args;
use noslip::card::Card;
use noslip::forms::FORMS;
use noslip::subjects::{SUBJECTS, TERMS};
use noslip_cli::answers::Explanation;

/// The letters and the books, which all forms share.
const NOTATION: Card = Card {
    id: "notation",
    aliases: &[],
    name: "Notation and sources",
    source: "Greenwood; Soltakhanov, Yushkov, Zegzhda; Sumbatov; Talamucci",
    needs: "nothing",
    about: include_str!("notation.txt"),
};

/// All cards, forms first.
fn cards() -> impl Iterator<Item = &'static Card> {
    FORMS.iter().map(|f| f.card()).chain(SUBJECTS.iter().copied()).chain([&NOTATION])
}

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip explain boltzmann-hamel
  noslip explain notation                    letters and sources")]
pub struct ExplainArgs {
    /// Id of a form, see `noslip forms`; or notation, reduce, steady, linearise, measure, integrals, compare, hamiltonise,
    /// inverse, canonical, principle, grip, non-ideal, switching; or a word of the glossary
    pub form: String,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The cards, and the words of the glossary.
fn find(name: &str) -> Option<&'static Card> {
    cards().chain(TERMS).find(|c| c.answers_to(name))
}

/// Prints what the documentation of the form or subject says.
pub fn run(args: &ExplainArgs) -> Outcome {
    let card = find(&args.form).ok_or_else(|| {
        let known: Vec<&str> = cards().map(|c| c.id).collect();
        unknown("", "form", &args.form, &known)
    })?;
    let about = plain(card.about);
    if args.format.is_json() {
        say_json(&Explanation { entry: card.into(), about });
        return Ok(());
    }
    let mut text = format!("{} ({})\n", card.name, card.id);
    if !card.aliases.is_empty() {
        text.push_str(&format!("also: {}\n", card.aliases.join(", ")));
    }
    text.push('\n');
    // As it stands where nobody says how wide lines are: it has its own.
    text.push_str(&if lines_are_fitted() { whole_paragraphs(&about) } else { about });
    if card.id != NOTATION.id {
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
