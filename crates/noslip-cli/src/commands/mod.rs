//! One file per command.

pub mod check;
pub mod completions;
pub mod demo;
pub mod derive;
pub mod eval;
pub mod explain;
pub mod forms;
pub mod new;
pub mod report;
pub mod simulate;
pub mod verify;

use std::io::Write;

/// Prints to standard output; a closed pipe is not an error.
pub fn say(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    if !text.ends_with('\n') {
        let _ = out.write_all(b"\n");
    }
}

/// Prints a JSON document.
pub fn say_json(value: &serde_json::Value) {
    say(&serde_json::to_string_pretty(value).unwrap_or_default());
}
