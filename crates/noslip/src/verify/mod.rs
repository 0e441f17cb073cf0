//! Interim.
use crate::expr::Expr;
use crate::forms::Workbench;
pub fn generic_rank(w: &mut Workbench) -> usize {
    w.system.k()
}
pub fn value_at_initial_state(_w: &mut Workbench, _e: Expr) -> Option<f64> {
    None
}
pub fn independent_rows(w: &mut Workbench) -> Vec<usize> {
    (0..w.system.k()).collect()
}
pub fn mass_rank(w: &mut Workbench) -> usize {
    w.system.n()
}
