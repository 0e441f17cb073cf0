//! The commands that analyse motions.

pub mod reduce;

use crate::failure::Failure;
use crate::open::Opened;
use noslip::model::System;
use noslip::motions::in_quasi_velocities;

/// The system in quasi-velocities, and whether they were chosen by the program.
pub fn analysed(opened: &mut Opened) -> Result<(System, bool), Failure> {
    let model = &mut opened.model;
    Ok(in_quasi_velocities(&mut model.arena, &model.system)?)
}
