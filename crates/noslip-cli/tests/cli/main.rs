//! The real program: every command, every option, every way to go wrong. One file per command.
//!
//! Each run is checked for what always holds: an exit status from 0 to 3, and never a panic.

mod book;
mod check;
mod demo;
mod derive;
mod eval;
mod explain;
mod files;
mod help;
mod hostile;
mod models;
mod new;
mod program;
mod report;
mod schema;
mod simulate;
mod verify;
