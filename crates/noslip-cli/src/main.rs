//! The `noslip` program.

fn main() {}
