//! From expressions to fast numbers: straight-line code, interpreted for one state or many, expanded into Taylor
//! series, or written out as source code.
//!
//! [`compile`] takes any number of expressions at once and shares what they have in common. The result, a [`Tape`],
//! is evaluated by a [`Runner`] (one state), a [`BatchRunner`] (many states, structure of arrays), a [`Jet`] (Taylor
//! coefficients of the solution of y' = f) or exported as C, Rust or JavaScript. Here floating point begins; everything before is
//! exact. A [`TapeBuilder`] adds operations of its own to those of expressions, for example the solution of the linear
//! equations for accelerations and multipliers, unrolled.

mod batch;
mod emit;
mod emit_c;
mod emit_js;
mod emit_modelica;
mod emit_python;
mod emit_rust;
mod explain;
mod factor;
mod jet;
mod kernel;
mod linear;
mod lines;
mod lower;
mod native;
mod run;
mod schedule;
mod share;
mod tangent;
mod tape;
mod terms;

#[cfg(test)]
mod tests;

pub use batch::BatchRunner;
pub use jet::{Jet, JetInput};
pub use linear::{GROWTH_LIMIT, SaddleCode, SaddleSolution, SymmetricSolution};
pub(crate) use lines::Lines;
pub use run::{Fault, Runner};
pub use tangent::Tangent;
pub use tape::{Binary, CompileOptions, Operation, TableFunctions, Tape, TapeBuilder, TapeStatistics, Unary, Value};

use crate::error::Result;
use crate::expr::{Arena, Expr, Symbol};

/// Compiles expressions of the given inputs into one straight-line program.
pub fn compile(arena: &Arena, inputs: &[Symbol], outputs: &[Expr], options: &CompileOptions) -> Result<Tape> {
    let mut builder = TapeBuilder::new(arena, inputs, options)?;
    let values = builder.lower(arena, outputs)?;
    builder.finish(&values)
}
