//! The `noslip` program: its answers as data, files, terminal, progress, the report page, plots and pictures; no mathematics.
//!
//! [`run`] is the program, [`answer`] the same for a caller that wants what it prints and has what it reads: the program as a
//! function, by which other languages ask it.

#![forbid(unsafe_code)]

extern crate self as noslip_cli;

pub mod answers;
mod args;
mod commands;
mod console;
mod failure;
mod figures;
mod files;
mod layout;
mod motion;
mod open;
mod options;
mod output;
pub mod parquet;
mod picture;
pub mod plot;
mod progress;
pub mod report;
pub mod still;
mod terminal;
mod words;

pub use console::{Answer, Files};

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use noslip::Control;
use std::ffi::OsString;

/// Runs a command line, the name of the program first, and returns the exit status.
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(e) => {
            // --help and --version are answers; everything else is wrong input.
            let status = if e.use_stderr() { 2 } else { 0 };
            console::print_usage(&e);
            return status;
        }
    };
    cli.color.choose();
    let watch = progress::Watch::begin("working");
    let outcome = match &cli.command {
        Command::Forms(a) => commands::forms::run(a),
        Command::Explain(a) => commands::explain::run(a),
        Command::Check(a) => commands::check::run(a),
        Command::Derive(a) => commands::derive::run(a),
        Command::Verify(a) => commands::verify::run(a),
        Command::Eval(a) => commands::eval::run(a),
        Command::Simulate(a) => commands::simulate::run(a),
        Command::Sweep(a) => commands::sweep::run(a),
        Command::Reduce(a) => commands::motions::reduce::run(a),
        Command::Steady(a) => commands::motions::steady::run(a),
        Command::Linearise(a) => commands::motions::linearise::run(a),
        Command::Measure(a) => commands::motions::measure::run(a),
        Command::Integrals(a) => commands::motions::integrals::run(a),
        Command::Connect(a) => commands::motions::connect::run(a),
        Command::Connection(a) => commands::motions::connection::run(a),
        Command::Exponents(a) => commands::motions::exponents::run(a),
        Command::Section(a) => commands::motions::section::run(a),
        Command::Compare(a) => commands::compare::run(a),
        Command::Hamiltonise(a) => commands::hamiltonise::run(a),
        Command::Inverse(a) => commands::inverse::run(a),
        Command::Canonical(a) => commands::canonical::run(a),
        Command::Principle(a) => commands::principle::run(a),
        Command::Grip(a) => commands::grip::run(a),
        Command::Report(a) => commands::report::run(a),
        Command::Studio(a) => commands::studio::run(a),
        Command::Draw(a) => commands::draw::run(a),
        Command::Expand(a) => commands::expand::run(a),
        Command::Export(a) => commands::export::run(a),
        Command::New(a) => commands::new::run(a),
        Command::Demo(a) => commands::demo::run(a),
        Command::Completions(a) => commands::completions::run(a, &mut Cli::command()),
        Command::Man(a) => commands::man::run(a, Cli::command()),
    };
    drop(watch);
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            console::keep(&failure);
            let message = failure.rendered();
            if !message.is_empty() {
                terminal::complain(&message);
            }
            failure.status()
        }
    }
}

/// Runs a command line, the name of the program first, for a caller in the same process. `input` is what `-` reads. Commands
/// that write files write them. Who has stopped the work through `control` gets an answer, but not one to go by.
pub fn answer(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    input: Vec<u8>,
    control: Control,
) -> Answer {
    console::asked(input, None, control, || run(arguments))
}

/// The same for a caller without a disk: commands read the files it lends, and what they write comes with the answer.
pub fn answer_with_files(
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    files: Files,
    control: Control,
) -> Answer {
    console::asked(Vec::new(), Some(files), control, || run(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use noslip::ErrorKind;

    #[test]
    fn the_program_answers_as_a_function() {
        let model = noslip_gallery::find("dumbbell").expect("a gallery model");
        let answer = |arguments: &[&str], input: &str| super::answer(arguments, input.into(), Control::default());
        let asked = answer(&["noslip", "check", "-", "--format", "json"], model);
        assert_eq!((asked.status, asked.errors.as_str()), (0, ""));
        assert!(asked.output.contains("\"degrees_of_freedom\": 2"));
        let refused = answer(&["noslip", "check", "-"], "noslip = 2");
        assert_eq!(refused.status, 2);
        assert!(refused.output.is_empty() && refused.errors.starts_with("error"), "{refused:?}");
        let (kind, why) = refused.refusal.expect("a reason");
        assert_eq!(kind, ErrorKind::Input);
        assert!(why.errors.iter().any(|e| e.line == Some(1)), "{why:?}");
        assert_eq!(answer(&["noslip", "nonsense"], "").status, 2);
        assert!(answer(&["noslip", "--version"], "").output.starts_with("noslip "));
    }

    #[test]
    fn a_caller_without_a_disk_lends_its_files() {
        let folder = |text: &str| Files::from([("mine.toml".to_owned(), text.as_bytes().to_vec())]);
        let answer = |arguments: &[&str], files| answer_with_files(arguments, files, Control::default());
        let model = noslip_gallery::find("dumbbell").expect("a gallery model");
        let wrote = answer(&["noslip", "report", "mine.toml", "-o", "nowhere/page.html"], folder(model));
        assert_eq!((wrote.status, wrote.errors.as_str()), (0, ""));
        let page = wrote.files.get("nowhere/page.html").expect("the page comes with the answer");
        assert!(page.starts_with(b"<!doctype html>") && !std::path::Path::new("nowhere").exists());
        // The disk is not looked at, neither for what is there nor for what is not.
        let absent = answer(&["noslip", "check", "Cargo.toml"], folder(model));
        assert!(absent.status == 2 && absent.errors.contains("cannot read `Cargo.toml`"), "{absent:?}");
        let near = answer(&["noslip", "check", "mien.toml"], folder(model));
        assert!(near.errors.contains("did you mean `mine.toml`?"), "{near:?}");
        let over = answer(&["noslip", "report", "mine.toml", "-o", "mine.toml"], folder(model));
        assert!(over.status == 2 && over.files.is_empty(), "{over:?}");
        let new = answer(&["noslip", "new", "cart"], Files::new());
        assert!(new.files.contains_key("cart.toml") && new.files.contains_key("noslip.schema.json"), "{new:?}");
        assert_eq!(answer(&["noslip", "new", "mine"], folder(model)).status, 2);
    }

    #[test]
    fn a_caller_can_stop_the_work() {
        let control = Control::default();
        control.stop();
        let model = noslip_gallery::find("rolling-disk").expect("a gallery model");
        let asked = ["noslip", "simulate", "-", "--until", "1e9"];
        let stopped = super::answer(asked, model.into(), control);
        assert!(stopped.status != 0, "{stopped:?}");
    }
}
