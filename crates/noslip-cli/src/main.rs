//! The `noslip` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(noslip_cli::run(std::env::args_os()))
}
