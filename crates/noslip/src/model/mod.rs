//! Models: a system as its author wrote it.

mod build;
mod claims;
mod complete;
mod declare;
mod definitions;
mod law;
mod load;
mod mechanics;
mod operators;
mod pieces;
mod quasi;
mod render;
mod scope;
mod sections;
mod system;
mod table;
mod values;

/// Sections of a model file that speak of bodies.
pub use crate::bodies::SECTIONS as OF_BODIES;
pub use crate::source::{Entry, Item, Value, sections};
pub use build::{ModelBuilder, Text};
pub(crate) use claims::Reader;
pub use claims::{Claim, Claims, Kind};
pub use complete::{Choice, Completed, Completer, Overrides, State, complete};
pub use load::{Model, Plain};
pub use render::{line_and_column, render, render_note, render_warning};
pub use system::{
    Constraint, Definition, Guard, Initial, Interpolation, Law, Operator, Parameter, QuasiVelocity, SimulationDefaults,
    System, Table,
};
pub use table::Interpolant;
pub use values::Values;
