//! The real program in one binary (the page in a browser is a second one): every command, every option, every way to go wrong. One file per command.
//!
//! Each run is checked for what always holds: an exit status from 0 to 3, and never a panic.

mod beyond;
mod book;
mod check;
mod court;
mod demo;
mod derive;
mod draw;
mod eval;
mod explain;
mod export;
mod faults;
mod files;
mod gallery;
mod help;
mod hostile;
mod models;
mod motions;
mod new;
mod options;
mod pictures;
mod program;
mod refusals;
mod regressions;
mod report;
mod rooms;
mod schema;
mod simulate;
mod spoken;
mod studio;
mod subjects;
mod sweep;
mod terminal;
mod verify;
mod wrong_answers;
