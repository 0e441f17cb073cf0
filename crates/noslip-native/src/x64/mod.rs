//! Code for x86-64.

mod compiler;
mod emit;

pub(crate) use compiler::{Code, Width};
