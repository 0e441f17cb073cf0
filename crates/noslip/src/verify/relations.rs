//! Holonomic relations hidden in the constraints, with the constants that the initial position gives them.

use super::leaf::{self, Worth};
use crate::analysis::Analysis;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;

/// Relations q_i = e that hold along the motion from the initial state, with constants as exact as the position is written.
/// Where it follows from constraints, only relations whose constant is zero to rounding can be stated; others are left out.
pub fn relations_from_initial_state(w: &mut Workbench, analysis: &Analysis) -> Vec<(Symbol, Expr)> {
    let mut list: Vec<(Symbol, Expr)> = Vec::new();
    for hidden in &analysis.hidden {
        let Some(solved) = &hidden.solved else { continue };
        if list.iter().any(|(s, _)| *s == solved.coordinate) {
            continue;
        }
        let constant = match leaf::exact_value(w, hidden.expr) {
            Some(constant) => constant,
            None if leaf::worth(w, hidden.expr) == Worth::Small => w.g.zero(),
            None => continue,
        };
        let constant = w.simplify(constant);
        let difference = w.g.sub(constant, solved.rest);
        list.push((solved.coordinate, w.g.div(difference, solved.coefficient)));
    }
    list
}
