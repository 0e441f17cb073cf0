//! Does an expression vanish: identically, or along every motion?

use super::claim::decide;
use super::finding::{Finding, Reach};
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Expr, Known};
use crate::mechanics::Workbench;

/// Does the expression vanish identically, with the parameters at their values? Of functions of which nothing is said it is not denied.
pub fn vanishes(w: &mut Workbench, e: Expr) -> Known {
    match vanishes_in_general(w, e) {
        Known::Refuted(witness) => match w.reservation(&[e], FAILS) {
            Some(why) => Known::Unknown(why),
            None => Known::Refuted(witness),
        },
        known => known,
    }
}

/// What is said where something fails for functions of which nothing is said.
const FAILS: &str = "it does not hold";

/// Does it vanish identically for all functions of which nothing is said?
pub fn vanishes_in_general(w: &mut Workbench, e: Expr) -> Known {
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
        Finding { known: Known::Refuted(witness), .. } => match w.reservation_of_motions(e, FAILS) {
            Some(why) => Known::Unknown(why),
            None => Known::Refuted(witness),
        },
        finding => finding.known,
    }
}
