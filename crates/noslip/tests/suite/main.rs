//! The library from outside, in one binary: `cargo test -p noslip --test suite agreement` runs one of the rooms below.

mod common;

mod agreement;
mod analysis;
mod benchmark_bicycle;
mod bodies;
mod books;
mod contact;
mod controls;
mod derivative;
mod diagnostics;
mod ensemble;
mod errata;
mod examples;
mod floor_plan;
mod functions;
mod gallery;
mod growth;
mod hamilton;
mod identities;
mod integrability;
mod motion_tape;
mod motions;
mod native;
mod normal_form;
mod operations;
mod presented;
mod principles;
mod reference;
mod runs;
mod stopping;
mod switching;
mod symmetry;
mod verify;
