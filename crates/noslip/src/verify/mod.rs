//! Proofs: two forms agree; a claimed equation follows from the model, or here is a counterexample.

mod agreement;
mod claim;
mod diagnose;
mod real;
mod relations;
mod rounding;

pub use agreement::{Agreement, agreement};
pub use claim::{Counterexample, Finding, How, decide, in_coordinates};
pub use diagnose::{Diagnosis, diagnose};
pub use real::{RealState, RealStates};
pub use relations::relations_from_initial_state;

use crate::analysis::{Admissible, SaddleValues};
use crate::expr::field::{rank, row_reduce};
use crate::expr::{Evaluator, Expr};
use crate::forms::Workbench;

/// A and M at generic admissible states.
fn generic_values(w: &mut Workbench) -> Option<SaddleValues> {
    let mut admissible = Admissible::new(w, &[])?;
    (0..8).find_map(|_| {
        let point = admissible.state(w)?;
        admissible.saddle(w, &point)
    })
}

/// The rank of A at a generic admissible state; k where no such state can be drawn.
pub fn generic_rank(w: &mut Workbench) -> usize {
    generic_values(w).map_or(w.system.k(), |s| rank(&s.a))
}

/// The rank of M at a generic state.
pub fn mass_rank(w: &mut Workbench) -> usize {
    generic_values(w).map_or(w.system.n(), |s| rank(&s.mass))
}

/// Constraints that are independent of those before them.
pub fn independent_rows(w: &mut Workbench) -> Vec<usize> {
    let Some(values) = generic_values(w) else { return (0..w.system.k()).collect() };
    // Columns with a pivot in the reduced transpose are independent rows.
    let n = w.system.n();
    let mut columns: Vec<Vec<_>> = (0..n).map(|i| values.a.iter().map(|row| row[i]).collect()).collect();
    row_reduce(&mut columns)
}

/// The value of an expression of t, q, q̇ at the model's initial state, if it has one.
pub fn value_at_initial_state(w: &mut Workbench, e: Expr) -> Option<f64> {
    Some(values_at_initial_state(w, &[e])?[0])
}

/// The values of several.
pub fn values_at_initial_state(w: &mut Workbench, list: &[Expr]) -> Option<Vec<f64>> {
    let state = w.initial_state()?;
    let mut values = w.system.values(w.g, &[]).ok()?;
    values.at.set(w.g.time(), state.time);
    values.at.set_all(&w.system.coordinates, &state.position);
    values.at.set_all(&w.system.velocities, &state.velocity);
    Some(values.evaluate(&Evaluator::new(w.g, list)))
}
