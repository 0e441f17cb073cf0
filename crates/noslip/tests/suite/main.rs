//! The library from outside, in one binary: `cargo test -p noslip --test suite each_model` runs one of the rooms below.

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod common;

mod analysis;
mod benchmark_bicycle;
mod bodies;
mod bodies_gallery;
mod books;
mod bounded;
mod charts;
mod connect;
mod connection;
mod contact;
mod controls;
mod courses;
mod derivative;
mod diagnostics;
mod each_model;
mod ensemble;
mod errata;
mod examples;
mod floor_plan;
mod functions;
mod gallery;
mod growth;
mod hamilton;
mod held_out;
mod higher_order;
mod identities;
mod integrability;
mod lengths;
mod long_runs;
mod measures;
mod motion_tape;
mod motions;
mod names_that_meet;
mod native;
mod normal_form;
mod operations;
mod operators_of_groups;
mod presented;
mod principles;
mod ranges;
mod rank;
mod read;
mod reference;
mod runs;
mod shown;
mod sources;
mod stability;
mod steady_families;
mod stopping;
mod straight_programs;
mod switching;
mod symmetry;
mod tempting_motions;
mod through_forms;
mod verdicts;
mod verify;
mod written;
