//! One file per command.

pub mod canonical;
pub mod check;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod derive;
pub mod draw;
pub mod eval;
pub mod expand;
pub mod explain;
pub mod export;
pub mod forms;
pub mod grip;
pub mod hamiltonise;
pub mod inverse;
pub mod new;
pub mod principle;
pub mod report;
pub mod simulate;
pub mod verify;

use crate::failure::Failure;
use crate::open::{Opened, unknown};
use noslip::Limits;
use noslip::expr::{Expr, Printer, Style, Symbol};
use noslip::forms::readable;
use noslip::mechanics::Workbench;
use noslip::model::Claims;
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
///
/// The first word is coloured; the stream takes colours out where it is not a terminal.
pub fn complain(text: &str) {
    let text = text.trim_end();
    let mut err = anstream::stderr().lock();
    let _ = match text.split_once(':') {
        Some(("error", rest)) => writeln!(err, "\x1b[1;31merror\x1b[0m:{rest}"),
        Some(("warning", rest)) => writeln!(err, "\x1b[1;33mwarning\x1b[0m:{rest}"),
        _ => writeln!(err, "{text}"),
    };
}

/// Prints a JSON document.
pub fn say_json(value: &serde_json::Value) {
    say(&serde_json::to_string_pretty(value).unwrap_or_default());
}

/// An expression for a person.
pub fn shown(w: &mut Workbench, e: Expr) -> String {
    printed(w, e, Style::Unicode)
}

/// A symbol as it stands in what [`shown`] prints.
pub fn symbol(w: &Workbench, s: Symbol) -> String {
    Printer::new(Style::Unicode).symbol(&w.g, s)
}

/// An expression in the model's own syntax.
pub fn written(w: &mut Workbench, e: Expr) -> String {
    printed(w, e, Style::Text)
}

fn printed(w: &mut Workbench, e: Expr, style: Style) -> String {
    readable(w, e).map_or_else(|e| e.to_string(), |tree| Printer::new(style).print(&w.g, &tree))
}

/// Reads an expression given as an option; all names of the model may stand in it.
pub fn expression(opened: &mut Opened, option: &str, text: &str) -> Result<Expr, Failure> {
    let claim = Claims::equation(text, &mut opened.model, &Limits::default());
    claim.map(|c| c.expr).map_err(|errors| Failure::at(&errors, option, text))
}

/// Splits `NAME=REST`.
pub fn named<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str), Failure> {
    match text.split_once('=') {
        Some((name, rest)) if !name.trim().is_empty() && !rest.trim().is_empty() => Ok((name.trim(), rest.trim())),
        _ => Err(Failure::input(format!("error: `{option} {text}`: expected NAME=VALUE"))),
    }
}

/// Forces by coordinates from options `NAME=EXPR`; zero where nothing is given.
pub fn forces(opened: &mut Opened, option: &str, list: &[String]) -> Result<Vec<Expr>, Failure> {
    let mut forces = vec![opened.model.arena.zero(); opened.model.system.n()];
    for text in list {
        let (name, rest) = named(option, text)?;
        let e = expression(opened, option, rest)?;
        let model = &mut opened.model;
        let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
        let Some(i) = known.iter().position(|&n| n == name) else {
            return Err(unknown(&format!("`{option} {text}`: "), "coordinate", name, &known));
        };
        forces[i] = model.arena.add(forces[i], e);
    }
    Ok(forces)
}

/// The index of a constraint by its name; `place` says where that was given.
pub fn constraint(opened: &Opened, place: &str, name: &str) -> Result<usize, Failure> {
    let known: Vec<&str> = opened.model.system.constraints.iter().map(|c| c.name.as_str()).collect();
    known.iter().position(|&n| n == name).ok_or_else(|| unknown(place, "constraint", name, &known))
}
