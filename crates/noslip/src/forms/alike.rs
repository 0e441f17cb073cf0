//! Forms that give the same equations write them the same.
//!
//! The equation of a form is Σᵢ yᵢ𝓔ᵢ along one of its virtual displacements, however it was derived: that is how it is compared with
//! Lagrange's. So a long equation may be written from that projection, or as another form along the same displacements has
//! written it, instead of from all that its own derivation left in it.

use super::present::{is_short, within_quarter};
use crate::expr::normal::{Normalizer, Options};
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Expr, written_out};
use crate::mechanics::{Equations, Workbench, Written};

/// Equations of fewer operations are written from their own derivation.
const LONG: u64 = 700;
/// Points at which an equation and its projection are compared, and those that are tried.
const POINTS: u32 = 2;
const ATTEMPTS: u64 = 40;
/// Operations, all written out, of what letters may still make printable.
const WRITTEN: u64 = 1_000_000_000;

/// The form with its own equations written as shortly as is known. They stay what they were: where the form is proved to agree with
/// Lagrange's equations, so is what is written here.
pub fn as_written(w: &mut Workbench, eq: &Equations) -> Equations {
    let mut written = eq.clone();
    if let Some(list) = within_quarter(w, |w| shorter(w, eq)) {
        written.equations.splice(..eq.own, list);
    }
    written
}

fn shorter(w: &mut Workbench, eq: &Equations) -> Option<Vec<Expr>> {
    let own = &eq.equations[..eq.own];
    if eq.directions.len() != own.len() || length(w, own) <= LONG {
        return None;
    }
    let projections = eq.projections(w);
    if projections == own || !is_same_in_field(w, own, &projections) {
        return None;
    }
    let own_is_simpler = is_simpler(w, own, &projections);
    let known = w.written.get(&projections).cloned();
    if let Some(Written::Short(list)) = known {
        return Some(list);
    }
    // Where the projections need letters, so do most of what is longer from the beginning.
    let tried = if known.is_some() && !own_is_simpler { vec![] } else { vec![own, &projections] };
    for list in if own_is_simpler { tried } else { tried.into_iter().rev().collect() } {
        if list.iter().all(|&e| is_short(w, e)) {
            if list == projections || is_proved(w, list, &projections) {
                w.written.insert(projections.clone(), Written::Short(list.to_vec()));
            }
            return Some(list.to_vec());
        }
    }
    w.written.insert(projections.clone(), Written::Long);
    (!own_is_simpler).then_some(projections)
}

/// Is the first made of fewer parts, or the other too long to be written out?
fn is_simpler(w: &Workbench, list: &[Expr], other: &[Expr]) -> bool {
    let beyond = length(w, other) > WRITTEN && length(w, list) < length(w, other);
    beyond || w.g.reachable(list).len() < w.g.reachable(other).len()
}

/// Operations of all of them, written out.
fn length(w: &Workbench, list: &[Expr]) -> u64 {
    list.iter().fold(0, |sum, &e| sum.saturating_add(written_out(&w.g, e)))
}

/// Are the equations their projections at random points of a prime field? What is not is shown as it was derived. A few points will do: the
/// proof is another's.
fn is_same_in_field(w: &mut Workbench, own: &[Expr], projections: &[Expr]) -> bool {
    let differences = differences(w, own, projections);
    let evaluator = FieldEvaluator::new(&mut w.g, &differences, &Options::default());
    let mut points = 0;
    for seed in 1..=ATTEMPTS {
        w.g.work.charge(evaluator.steps() as u64);
        // Not every number has a root there.
        let Ok(values) = evaluator.at(&w.g, &FieldPoint::positive(seed)) else { continue };
        if !values.iter().all(|v| v.is_zero()) {
            return false;
        }
        points += 1;
        if points == POINTS {
            return true;
        }
    }
    false
}

/// The same, proved.
fn is_proved(w: &mut Workbench, own: &[Expr], projections: &[Expr]) -> bool {
    let differences = differences(w, own, projections);
    let options = Options { limits: w.limits.clone(), ..Options::default() };
    Normalizer::new(options).are_zero(&mut w.g, &differences) == Ok(true)
}

fn differences(w: &mut Workbench, own: &[Expr], projections: &[Expr]) -> Vec<Expr> {
    own.iter().zip(projections).map(|(&a, &b)| w.g.sub(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::{by_id, present};
    use crate::model::Model;
    use noslip_gallery::MODELS;

    fn bench(name: &str) -> Workbench {
        let (_, text) = MODELS.iter().find(|(n, _)| *n == name).expect("a model of the gallery");
        let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        model.workbench()
    }

    fn derived(w: &mut Workbench, id: &str) -> Equations {
        by_id(id).expect("a form").derive(w).expect("equations").brief()
    }

    #[test]
    fn long_equations_along_the_same_displacements_are_written_the_same_and_shorter() {
        let mut w = bench("talamucci-linear-scleronomic");
        for ids in [["nielsen", "voronets", "suslov"], ["boltzmann-hamel", "chaplygin-quasi", "hamel-novoselov"]] {
            let derived = ids.map(|id| derived(&mut w, id));
            let written = [0, 1, 2].map(|i| as_written(&mut w, &derived[i]));
            assert_eq!(written[0].equations, written[1].equations, "{ids:?}");
            assert_eq!(written[0].equations, written[2].equations, "{ids:?}");
            let mut length = |eq: &Equations| present(&mut w, eq).expect("readable").length();
            let (before, after) = (length(&derived[0]), length(&written[0]));
            assert!(2 * after < before, "{ids:?}: {before} and {after} operations");
        }
    }

    #[test]
    fn a_wrong_equation_is_shown_as_it_was_derived() {
        let mut w = bench("talamucci-linear-scleronomic");
        let mut wrong = derived(&mut w, "nielsen");
        let q = w.g.symbol(w.system.coordinates[0]);
        wrong.equations[0] = w.g.add(wrong.equations[0], q);
        assert_eq!(as_written(&mut w, &wrong).equations, wrong.equations);
    }

    #[test]
    fn short_equations_are_written_from_their_own_derivation() {
        let mut w = bench("chaplygin-sledge");
        let eq = derived(&mut w, "boltzmann-hamel");
        assert_eq!(as_written(&mut w, &eq).equations, eq.equations);
        assert!(w.written.is_empty());
    }
}
