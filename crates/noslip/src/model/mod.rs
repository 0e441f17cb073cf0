//! Models: a system as its author wrote it.

mod system;

pub use system::{
    Constraint, Definition, Initial, Interpolation, Parameter, QuasiVelocity, SimulationDefaults, System, Table,
};
