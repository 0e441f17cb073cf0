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
pub mod man;
pub mod motions;
pub mod new;
pub mod principle;
pub mod report;
pub mod simulate;
pub mod studio;
pub mod sweep;
pub mod verify;
