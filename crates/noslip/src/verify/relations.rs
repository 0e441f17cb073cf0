//! Holonomic relations hidden in the constraints, with the constants that the initial position gives them.

use crate::analysis::Analysis;
use crate::expr::{Expr, Rational, Symbol};
use crate::mechanics::Workbench;

/// Relations q_i = e that hold along the motion from the initial state. Only relations whose constant is zero (to rounding)
/// can be stated exactly; others are left out.
pub fn relations_from_initial_state(w: &mut Workbench, analysis: &Analysis) -> Vec<(Symbol, Expr)> {
    let mut list: Vec<(Symbol, Expr)> = Vec::new();
    for hidden in &analysis.hidden {
        let Some(solved) = &hidden.solved else { continue };
        if list.iter().any(|(s, _)| *s == solved.coordinate) {
            continue;
        }
        let (Some(constant), Some(rest)) =
            (w.value_at_initial_state(hidden.expr), w.value_at_initial_state(solved.rest))
        else {
            continue;
        };
        if constant.abs() <= 1e-9 * rest.abs().max(1e-3) {
            let ratio = w.g.div(solved.rest, solved.coefficient);
            list.push((solved.coordinate, w.g.scale(ratio, &Rational::MINUS_ONE)));
        }
    }
    list
}
