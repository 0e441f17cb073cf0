//! The ground on which noslip stands: expressions over exact rationals, and what may be spent on them.
//!
//! Whoever models a mechanical system wants the crate `noslip`, which gives all of this under the same names.

#![forbid(unsafe_code)]

pub mod arrange;
pub mod control;
pub mod effort;
pub mod error;
pub mod expr;
pub mod limits;

pub use control::Control;
pub use effort::Effort;
pub use error::{Error, ErrorKind, Errors, Remedy, Result, Span};
pub use limits::Limits;
