//! Motions analysed: what closes on itself, what is steady and stable, what is invariant.
//!
//! - [`reduce`]: the closed part of the equations of motion in quasi-velocities, and the quadratures;
//! - [`linearise`]: the closed part linearised about a steady motion, its eigenvalues;
//! - [`steady`]: families of steady motions, followed, with their stability and where it changes;
//! - [`measure`]: a measure that the motion keeps, or why there is none;
//! - [`integrals`]: what stays constant, polynomial in the velocities;
//! - [`connect`]: a path between two positions;
//! - [`connection`]: the momentum equation, the nonholonomic connection and its curvature; [`gait`]: what a change of shape does;
//! - [`exponents`]: how fast neighbours of a motion move away;
//! - [`section`]: where a motion meets a surface, again and again; periodic motions.

mod branch;
pub mod connect;
pub mod connection;
mod elimination;
pub mod exponents;
mod family;
mod flow;
mod frame;
pub mod gait;
mod hurwitz;
pub mod integrals;
mod letters;
pub mod linearise;
pub mod measure;
mod members;
mod neighbours;
mod numbers;
pub mod reduce;
mod relative;
mod second_order;
pub mod section;
pub mod steady;
mod symbolic;
mod variation;
mod witness;

pub use crate::numeric::spectrum::Complex;
pub use branch::{Critical, What};
pub use elimination::{ExactFamily, Families, families};
pub use flow::Flow;
pub use hurwitz::Condition;
pub use relative::Relative;
pub use second_order::{SecondOrder, Split};
pub use symbolic::{Symbolic, symbolic};
pub use witness::RealPoint;

use crate::error::Result;
use crate::mechanics::Workbench;
use crate::model::System;

/// The system in quasi-velocities, on a bench of its own: its own ones, or those in which the closed part is small. Also whether
/// they were chosen here.
pub fn in_quasi_velocities(mut w: Workbench) -> Result<(Workbench, bool)> {
    let chosen = w.system.quasi_velocities.is_empty();
    if !chosen {
        frame::affine_constraints(&mut w)?;
        return Ok((w, false));
    }
    let quasi_velocities = frame::quasi_velocities(&mut w)?;
    let system = System { quasi_velocities, ..(*w.system).clone() };
    let mut bench = Workbench::new(w.g, system);
    bench.limits = w.limits;
    Ok((bench, true))
}
