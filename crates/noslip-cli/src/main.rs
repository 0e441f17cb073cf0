//! The `noslip` program: files, terminal, progress, the report page; no mathematics.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod failure;
mod figures;
mod motion;
mod open;
mod options;
mod output;
mod parquet;
mod picture;
mod terminal;
mod words;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // --help and --version are answers; everything else is wrong input.
            let status = if e.use_stderr() { 2 } else { 0 };
            let _ = e.print();
            return ExitCode::from(status);
        }
    };
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
        Command::Draw(a) => commands::draw::run(a),
        Command::Expand(a) => commands::expand::run(a),
        Command::Export(a) => commands::export::run(a),
        Command::New(a) => commands::new::run(a),
        Command::Demo(a) => commands::demo::run(a),
        Command::Completions(a) => commands::completions::run(a, &mut Cli::command()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let message = failure.rendered();
            if !message.is_empty() {
                terminal::complain(&message);
            }
            ExitCode::from(failure.status())
        }
    }
}
