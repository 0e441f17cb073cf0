//! Motions analysed: what closes on itself, what is steady and stable, what is invariant.
//!
//! - [`reduce`]: the closed part of the equations of motion in quasi-velocities, and the quadratures;
//! - [`linearise`]: the closed part linearised about a steady motion, its eigenvalues;
//! - [`steady`]: families of steady motions, followed, with their stability and where it changes;

mod branch;
mod flow;
mod frame;
pub mod linearise;
mod numbers;
pub mod reduce;
mod second_order;
mod spectrum;
pub mod steady;

pub use branch::{Critical, What};
pub use flow::Flow;
pub use second_order::{SecondOrder, Split};
pub use spectrum::Complex;

use crate::error::Result;
use crate::expr::Arena;
use crate::forms::Workbench;
use crate::model::System;

/// The system in quasi-velocities: its own, or those in which the closed part is small. Also whether they were chosen here.
pub fn in_quasi_velocities(arena: &mut Arena, system: &System) -> Result<(System, bool)> {
    let chosen = system.quasi_velocities.is_empty();
    let quasi_velocities = frame::quasi_velocities(&mut Workbench::new(arena, system))?;
    Ok((System { quasi_velocities, ..system.clone() }, chosen))
}
