//! Models: a system as its author wrote it.

mod build;
mod claims;
mod complete;
mod load;
mod mechanics;
pub(crate) mod order;
mod render;
pub(crate) mod scope;
mod sections;
pub(crate) mod source;
mod system;
mod table;
mod values;

/// Sections of a model file that speak of bodies.
pub use crate::bodies::SECTIONS as OF_BODIES;
pub(crate) use build::quoted;
pub use build::{ModelBuilder, Text};
pub use claims::{Claim, Claims};
pub use complete::{Choice, Completed, Overrides, State, complete};
pub use load::{Model, Plain};
pub use render::{line_and_column, render, render_note, render_warning};
pub use source::{Entry, Item, Value};
pub use system::{
    Constraint, Definition, Guard, Initial, Interpolation, Parameter, QuasiVelocity, SimulationDefaults, System, Table,
};
pub use table::Interpolant;
pub use values::Values;
