//! Lyapunov exponents.
//!
//! A neighbour of a motion at the distance δ moves away or comes near as e^{λt}. There are as many exponents λ₁ ≥ λ₂ ≥ … as the closed
//! part has dimensions (see `noslip explain reduce`); a positive one means chaos. They are computed from the variational equations
//!
//! ```text
//! ż = f(z),    Y' = ∂f/∂z Y,    λ_k = lim 1/T Σ ln |y_k|,
//! ```
//!
//! with the exact Jacobian of the closed part; the columns of Y are made orthonormal again and again (Gram, Schmidt), and the logarithms of the
//! lengths they had are added up (Benettin). The error given with each is made of their spread over ten parts of the run and of what they
//! still change from its first half to its second: an exponent zero is approached as slowly as ln T/T.
//!
//! Two checks stand beside them: the sum of all exponents is the mean of the divergence of f along the motion, and a motion that
//! does not come to rest has an exponent zero along itself; each integral of the closed part adds another.
//! The Kaplan–Yorke dimension is that of the attractor they suggest: j + (λ₁ + … + λ_j)/|λ_{j+1}|, j the last sum that is not negative.
//!
//! Coordinates outside the closed part follow by integration and add no exponent of their own that is not zero.
//!
//! Valid when: the constraints are independent and affine in the velocities. Time may occur.
//! Sources: Benettin, Galgani, Giorgilli, Strelcyn 1980; Kaplan, Yorke 1979; Borisov, Mamaev 2003 for the rattleback.

use super::linearise::variables_at;
use super::numbers::Numbers;
use super::reduce::Reduction;
use super::variation::Neighbours;
use crate::arrange::Arrange;
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::Symbol;
use crate::mechanics::Workbench;
use crate::model::State;
use crate::simulate::Settings;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "exponents",
    aliases: &["lyapunov", "kaplan-yorke"],
    name: "Lyapunov exponents",
    source: "Benettin, Galgani, Giorgilli, Strelcyn 1980; Kaplan, Yorke 1979",
    needs: "independent constraints, affine in the velocities",
    about: crate::card::head_of!("exponents.rs"),
};

/// Parts of the run whose exponents are compared.
const PARTS: usize = 10;
/// Renewals of the neighbours, where nothing else is asked for.
const RENEWALS: f64 = 1000.0;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Length of the run.
    pub until: f64,
    /// Time before the counting begins.
    pub transient: f64,
    /// Time between two renewals of the neighbours.
    pub every: Option<f64>,
    /// So many exponents, the largest; all where nothing is said.
    pub count: Option<usize>,
    /// Tolerance of the integration.
    pub tolerance: f64,
    /// Limit on steps.
    pub max_steps: u64,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Exponents {
    /// Members of the closed part.
    pub closed: Vec<Symbol>,
    /// The exponents, the largest first.
    pub values: Vec<f64>,
    /// Their errors, from the spread over parts of the run and the change from its first half to its second.
    pub errors: Vec<f64>,
    /// Mean divergence along the motion, where all exponents were computed: their sum must be that.
    pub divergence: Option<f64>,
    /// Kaplan–Yorke dimension, where the exponents suggest an attractor.
    pub dimension: Option<f64>,
    /// What the exponents would have been if the run had ended at these times.
    pub history: Vec<(f64, Vec<f64>)>,
    /// When the counting began and ended.
    pub span: (f64, f64),
    /// Accepted steps.
    pub steps: u64,
}

/// Computes Lyapunov exponents along the motion from a state.
pub fn exponents(w: &mut Workbench, r: &Reduction, state: &State, question: &Question) -> Result<Exponents> {
    w.system.no_inequality()?;
    check(w, r, question)?;
    let numbers = Numbers::new(w, r, &[], &[], state)?;
    let z = variables_at(w, r, state)?;
    let every = question.every.unwrap_or(question.until / RENEWALS);
    let most = question.count.unwrap_or(usize::MAX);
    let mut run = Neighbours::new(numbers, state.time, &z, most, question.tolerance)?;
    let (count, closed) = (run.count(), r.closed());
    let whole = count == closed.len();
    let intervals = (question.until / every).round().max(1.0) as usize;
    let begin = state.time + question.transient;
    let end = begin + question.until;
    let early = (question.transient / every).ceil() as usize;
    for i in 1..=early {
        run.reach(state.time + question.transient * i as f64 / early as f64, end, question.max_steps)?;
        run.renew();
    }
    let mut sums = vec![0.0; count];
    let mut by_part = vec![vec![0.0; count]; PARTS];
    let mut history = Vec::new();
    let before = run.divergence();
    let at = |i: usize| begin + question.until * i as f64 / intervals as f64;
    for i in 1..=intervals {
        let to = at(i);
        run.reach(to, end, question.max_steps)?;
        let part = ((i - 1) * PARTS / intervals).min(PARTS - 1);
        for (k, x) in run.renew().into_iter().enumerate() {
            if !x.is_finite() {
                return Err(Error::computation(format!("a neighbour of the motion is lost at t = {to}"))
                    .hint("renew the neighbours more often"));
            }
            sums[k] += x;
            by_part[part][k] += x;
        }
        history.push((to, sums.iter().map(|s| s / (to - begin)).collect()));
        w.limits.check_control()?;
    }
    w.tell_of(run.excursions());
    let mut order: Vec<usize> = (0..count).collect();
    order.arrange_by(|&a, &b| sums[b].total_cmp(&sums[a]));
    let values: Vec<f64> = order.iter().map(|&k| sums[k] / question.until).collect();
    let errors = order.iter().map(|&k| error(&by_part, k, question.until / PARTS as f64, intervals)).collect();
    let dimension = if whole { kaplan_yorke(&values) } else { None };
    Ok(Exponents {
        closed,
        values,
        errors,
        divergence: whole.then(|| (run.divergence() - before) / question.until),
        dimension,
        history,
        span: (begin, end),
        steps: run.steps(),
    })
}

fn check(w: &Workbench, r: &Reduction, question: &Question) -> Result<()> {
    if r.closed().is_empty() {
        let message = format!("Lyapunov exponents do not apply: the closed part of `{}` is empty", w.system.name);
        return Err(Error::not_applicable(message).hint("the constraints determine every velocity"));
    }
    if !(question.until > 0.0 && question.until.is_finite()) {
        return Err(
            Error::input("a run for Lyapunov exponents has a length greater than zero").hint("give a later end")
        );
    }
    if question.every.is_some_and(|h| !(h > 0.0 && h <= question.until)) {
        return Err(Error::input("the time between renewals is greater than zero and not longer than the run"));
    }
    if !(question.transient >= 0.0 && question.transient.is_finite()) {
        return Err(Error::input("the transient is not negative"));
    }
    Settings { tolerance: question.tolerance, ..Settings::until(question.until) }.check()?;
    if question.count == Some(0) {
        return Err(Error::input("at least one exponent has to be asked for"));
    }
    Ok(())
}

/// The standard error of the mean over the parts of the run, and the change from its first half to its second. The parts alone
/// would do if they were independent; neighbours that move away as T or T² do so at a rate that falls from part to part.
fn error(by_part: &[Vec<f64>], k: usize, length: f64, intervals: usize) -> f64 {
    if intervals < PARTS {
        return f64::NAN;
    }
    let rates: Vec<f64> = by_part.iter().map(|p| p[k] / length).collect();
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
    let whole = mean(&rates);
    let variance = rates.iter().map(|x| (x - whole) * (x - whole)).sum::<f64>() / (rates.len() - 1) as f64;
    let (first, second) = rates.split_at(PARTS / 2);
    let change = mean(second) - mean(first);
    (variance / rates.len() as f64).sqrt().hypot(change)
}

/// j + (λ₁ + … + λ_j)/|λ_{j+1}|; `None` where no sum is positive, or all are not negative.
fn kaplan_yorke(values: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for (j, &x) in values.iter().enumerate() {
        if sum + x < 0.0 {
            return (j > 0 && values[0] > 0.0).then(|| j as f64 + sum / x.abs());
        }
        sum += x;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dimension_of_lorenz_attractor_is_the_published_one() {
        // Sprott 2003: 0.9056, 0, −14.5723, dimension 2.06215.
        let d = kaplan_yorke(&[0.9056, 0.0, -14.5723]).expect("a dimension");
        assert!((d - 2.06215).abs() < 1e-4, "{d}");
        assert_eq!(kaplan_yorke(&[-0.1, -0.2]), None);
        assert_eq!(kaplan_yorke(&[0.1, -0.1]), None);
    }
}
