//! Models: a system as its author wrote it.

mod load;
mod order;
mod render;
mod scope;
mod sections;
mod source;
mod system;
mod table;

pub use load::Model;
pub use render::{line_and_column, render, render_warning};
pub use source::{Entry, Item, Value};
pub use system::{
    Constraint, Definition, Initial, Interpolation, Parameter, QuasiVelocity, SimulationDefaults, System, Table,
};
pub use table::Interpolant;
