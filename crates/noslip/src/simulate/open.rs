//! Code of a motion in which parameters stay open, for other programs.

use super::code::MotionCode;
use super::motion::open_builder;
use crate::compile::CompileOptions;
use crate::error::Result;
use crate::expr::{Expr, Symbol};
use crate::mechanics::{Workbench, independent_rows};

/// The equations of motion as code of t, q, q̇ and the open parameters. Parameters defined by open ones follow them.
pub struct OpenCode {
    /// Accelerations and multipliers.
    pub motion: MotionCode,
    /// The change that brings q̇ back to the constraints, as its accelerations; absent where there is nothing to keep to.
    pub velocities: Option<MotionCode>,
    /// The same for q.
    pub positions: Option<MotionCode>,
    /// The constraints whose multipliers it gives.
    pub rows: Vec<usize>,
}

impl OpenCode {
    /// Of the system on the bench.
    pub fn new(w: &mut Workbench, options: &CompileOptions, open: &[Symbol]) -> Result<OpenCode> {
        let rows = independent_rows(w);
        let dynamics = w.dynamics();
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(w.system.coordinates.iter().chain(&w.system.velocities).chain(open));
        let builder = open_builder(w, options, &inputs, open)?;
        let motion = MotionCode::with_builder(builder, &w.g, &w.system, &dynamics, &rows)?;
        let zero = w.g.zero();
        let system = w.system.clone();
        let velocity: Vec<Option<Expr>> = rows.iter().map(|&j| dynamics.velocity_constraints[j]).collect();
        let holonomic = |&j: &usize| Some(system.constraints[j].expr).filter(|_| system.constraints[j].order == 0);
        let position: Vec<Option<Expr>> = rows.iter().map(holonomic).collect();
        let correction = |list: Vec<Option<Expr>>| -> Result<Option<MotionCode>> {
            if list.iter().all(Option::is_none) {
                return Ok(None);
            }
            let list: Vec<Expr> = list.into_iter().map(|e| e.unwrap_or(zero)).collect();
            motion.correction(&w.g, &list).map(Some)
        };
        let (velocities, positions) = (correction(velocity)?, correction(position)?);
        Ok(OpenCode { motion, velocities, positions, rows })
    }
}
