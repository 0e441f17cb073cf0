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

/// Prints to standard output. A closed pipe means the reader has had enough; any other failure, a full disk say, ends the
/// program with status 3, because half an answer must not look like a whole one.
pub fn say(text: &str) {
    let mut out = anstream::stdout().lock();
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end)).and_then(|()| out.flush());
    if let Err(e) = written
        && e.kind() != std::io::ErrorKind::BrokenPipe
    {
        complain(&format!("error: cannot write to standard output: {e}"));
        std::process::exit(3);
    }
}

/// Prints to standard error; if nobody listens there, there is nobody to tell.
pub fn complain(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", text.trim_end());
}

/// Prints a JSON document.
pub fn say_json(value: &serde_json::Value) {
    say(&serde_json::to_string_pretty(value).unwrap_or_default());
}
