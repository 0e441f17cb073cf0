//! Models: a system as its author wrote it.

mod build;
mod claims;
mod complete;
mod load;
mod mechanics;
mod order;
mod render;
mod scope;
mod sections;
mod source;
mod system;
mod table;
mod values;

pub use build::{ModelBuilder, Text};
pub(crate) use claims::Reader;
pub use claims::{Claim, Claims};
pub use complete::{Choice, Completed, Completer, Overrides, State, complete};
pub use load::Model;
pub use render::{line_and_column, render, render_warning};
pub use source::{Entry, Item, Value, sections};
pub use system::{
    Constraint, Definition, Initial, Interpolation, Parameter, QuasiVelocity, SimulationDefaults, System, Table,
};
pub use table::Interpolant;
pub use values::Values;
