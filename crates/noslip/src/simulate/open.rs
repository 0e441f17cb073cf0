//! Code of a motion in which parameters stay open, for other programs.

use super::code::MotionCode;
use super::motion::open_builder;
use crate::compile::CompileOptions;
use crate::error::Result;
use crate::expr::Symbol;
use crate::mechanics::{Workbench, independent_rows};

/// The equations of motion as code of t, q, q̇ and the `open` parameters, and the constraints whose multipliers it gives.
/// Parameters defined by open ones follow them.
pub fn open_code(w: &mut Workbench, options: &CompileOptions, open: &[Symbol]) -> Result<(MotionCode, Vec<usize>)> {
    let rows = independent_rows(w);
    let dynamics = w.dynamics();
    let mut inputs: Vec<Symbol> = vec![w.g.time()];
    inputs.extend(w.system.coordinates.iter().chain(&w.system.velocities).chain(open));
    let builder = open_builder(w, options, &inputs, open)?;
    let code = MotionCode::with_builder(builder, &w.g, &w.system, &dynamics, &rows)?;
    Ok((code, rows))
}
