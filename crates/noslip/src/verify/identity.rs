//! Does an expression vanish: identically, or along every motion?

use super::claim::decide;
use super::finding::{Finding, Reach};
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Expr, Known};
use crate::mechanics::Workbench;

/// Does the expression vanish identically, with the parameters at their values?
pub fn vanishes(w: &mut Workbench, e: Expr) -> Known {
    let values = w.system.parameter_expressions(&mut w.g);
    let mut options = ZeroOptions::default();
    options.normal.limits = w.limits.clone();
    options.normal.limits.normal_form_work = w.limits.normal_form_work.min(PROOF_WORK);
    let literal = is_zero(&mut w.g, e, &options);
    if literal.holds() {
        return literal;
    }
    let e = w.g.substitute(e, &values);
    is_zero(&mut w.g, e, &options)
}

/// Elementary operations spent on the proof of one identity; what needs more is tested.
const PROOF_WORK: u64 = 20_000_000;

/// Does it vanish along every motion of the system?
pub fn vanishes_on_motions(w: &mut Workbench, e: Expr) -> Known {
    match decide(w, e, &[]) {
        Finding { reach: Reach::Leaf, .. } => Known::unknown("it holds along the motions from the initial state only"),
        finding => finding.known,
    }
}
