//! The terminal: answers to standard output, everything else to standard error.

use crate::{console, layout, progress};
use serde::Serialize;
use std::fmt::Write as _;

/// Tells a person, on standard output: lines as wide as the terminal, headings and verdicts in colour.
pub fn say(text: &str) {
    let text = with_headings(text);
    hand_over(&match console::columns() {
        Some(columns) => layout::folded(&text, columns.max(NARROWEST)),
        None => text,
    });
}

/// Prints to standard output what is for a program or a file, to the letter. A closed pipe means the reader has had enough;
/// any other failure, a full disk say, ends the program with status 3, because half an answer must not look like a whole one.
pub fn hand_over(text: &str) {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = progress::aside(|| console::print(&format!("{text}{end}")));
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        complain(&format!("error: cannot write to standard output: {e}"));
        std::process::exit(3);
    }
}

/// Does [`say`] break lines?
pub fn lines_are_fitted() -> bool {
    console::columns().is_some()
}

/// A line at the margin above indented ones, or above an empty one at the beginning, is a heading.
fn with_headings(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let shown = lines.iter().enumerate().map(|(i, line)| {
        let alone = i == 0 || lines[i - 1].is_empty();
        let below = lines.get(i + 1).copied().unwrap_or("-");
        let leads = below.starts_with(' ') || (i == 0 && below.is_empty() && lines.len() > 2);
        let plain = line.starts_with(|c: char| c.is_alphabetic()) && !line.contains(['`', '\x1b']);
        if alone && leads && plain { heading(line) } else { (*line).to_owned() }
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// A heading.
pub fn heading(text: &str) -> String {
    coloured("1", text)
}

/// A verdict: green for yes, red for no, yellow for what was not decided.
pub fn verdict(holds: Option<bool>, text: &str) -> String {
    let colour = match holds {
        Some(true) => "32",
        Some(false) => "1;31",
        None => "33",
    };
    coloured(colour, text)
}

/// The stream takes colours out where it is not a terminal, or where nobody wants them (`NO_COLOR`, `--color never`).
fn coloured(colour: &str, text: &str) -> String {
    format!("\x1b[{colour}m{text}\x1b[0m")
}

/// Prints a JSON document.
pub fn say_json(answer: &impl Serialize) {
    hand_over(&json(answer));
}

/// A JSON document, ready for a file.
pub fn json(answer: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(answer).expect("answers are text and numbers under names");
    text.push('\n');
    text
}

/// Prints to standard error; if nobody listens there, there is nobody to tell.
///
/// The first word is coloured; what quotes a source stays as it is.
pub fn complain(text: &str) {
    let text = text.trim_end();
    let shown = match text.split_once(':') {
        Some(("error", rest)) => format!("{}:{rest}", coloured("1;31", "error")),
        Some(("warning", rest)) => format!("{}:{rest}", coloured("1;33", "warning")),
        _ => text.to_owned(),
    };
    let shown = match console::columns() {
        Some(columns) => {
            let quotes = |line: &str| {
                line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start().starts_with('|')
            };
            let lines = shown.split('\n').map(|line| match quotes(line) {
                true => line.to_owned(),
                false => layout::folded(line, columns.max(NARROWEST)),
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        None => shown,
    };
    progress::aside(|| console::complain(text, &shown));
}

/// Columns of a list where nobody says otherwise.
const COLUMNS: usize = 78;
/// A narrower terminal wraps by itself.
const NARROWEST: usize = 40;

/// Words separated by commas, indented, in lines a terminal holds.
pub fn filled(words: &[&str]) -> String {
    let columns = console::columns().map_or(COLUMNS, |c| c.clamp(NARROWEST, 120));
    let (mut out, mut line) = (String::new(), String::from(" "));
    for (i, word) in words.iter().enumerate() {
        if line.len() + word.len() > columns {
            let _ = writeln!(out, "{line}");
            line = String::from(" ");
        }
        let _ = write!(line, " {word}{}", if i + 1 < words.len() { "," } else { "" });
    }
    let _ = writeln!(out, "{line}");
    out
}
