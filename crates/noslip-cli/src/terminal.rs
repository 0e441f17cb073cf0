//! The terminal: answers to standard output, everything else to standard error.

use crate::console;
use serde::Serialize;
use std::fmt::Write as _;

/// Prints to standard output. A closed pipe means the reader has had enough; any other failure, a full disk say, ends the
/// program with status 3, because half an answer must not look like a whole one.
pub fn say(text: &str) {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = console::print(&format!("{text}{end}"));
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        complain(&format!("error: cannot write to standard output: {e}"));
        std::process::exit(3);
    }
}

/// Prints a JSON document.
pub fn say_json(answer: &impl Serialize) {
    say(&json(answer));
}

/// A JSON document, ready for a file.
pub fn json(answer: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(answer).expect("answers are text and numbers under names");
    text.push('\n');
    text
}

/// Prints to standard error; if nobody listens there, there is nobody to tell.
///
/// The first word is coloured; the stream takes colours out where it is not a terminal.
pub fn complain(text: &str) {
    let text = text.trim_end();
    let coloured = match text.split_once(':') {
        Some(("error", rest)) => format!("\x1b[1;31merror\x1b[0m:{rest}"),
        Some(("warning", rest)) => format!("\x1b[1;33mwarning\x1b[0m:{rest}"),
        _ => text.to_owned(),
    };
    console::complain(text, &coloured);
}

/// Columns of a line where nobody says otherwise.
const COLUMNS: usize = 78;

/// How long a line may be: what the terminal holds, and the same everywhere else.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(COLUMNS, |(width, _)| usize::from(width.0).clamp(40, 120))
}

/// Words separated by commas, indented, in lines a terminal holds.
pub fn filled(words: &[&str]) -> String {
    let columns = columns();
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
