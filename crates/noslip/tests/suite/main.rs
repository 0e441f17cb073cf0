//! The library from outside, in one binary: `cargo test -p noslip --test suite agreement` runs one of the rooms below.

mod common;

mod agreement;
mod analysis;
mod benchmark_bicycle;
mod beyond;
mod books;
mod controls;
mod derivative;
mod diagnostics;
mod ensemble;
mod errata;
mod gallery;
mod identities;
mod integrability;
mod motion_tape;
mod normal_form;
mod operations;
mod presented;
mod reference;
mod runs;
mod symmetry;
mod verify;
