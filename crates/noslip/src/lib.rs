//! Mechanical systems with velocity (nonholonomic) constraints.
//!
//! Write down coordinates, energies, forces and constraints; get the equations of motion in every form the
//! textbooks know, proved to agree, and what the constraints mean.
//!
//! The library has no file or network access, no clock and no global state.

#![forbid(unsafe_code)]

pub mod analysis;
mod bodies;
pub mod card;
pub mod compile;
pub mod contact;
mod control;
pub mod error;
pub mod expr;
pub mod forms;
pub mod hamilton;
pub mod limits;
pub mod mechanics;
pub mod model;
pub mod numeric;
pub mod principles;
pub mod simulate;
mod source;
pub mod subjects;
pub mod verify;

pub use control::Control;
pub use error::{Error, ErrorKind, Remedy, Result, Span};
pub use limits::Limits;
