//! The `noslip` program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

// Symbolic work makes and drops small lists all the time: with the system's allocator they take a tenth to a sixth of it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(noslip_cli::run(std::env::args_os()))
}
