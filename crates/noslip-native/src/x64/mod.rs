//! Code for x86-64.

mod compiler;
mod constants;
mod emit;
mod encode;
mod flow;
mod sine;

pub(crate) use compiler::{Code, Target};
