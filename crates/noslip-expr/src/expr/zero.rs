//! Is an expression zero? In two tiers, and the answer says which was used.
//!
//! First the expression is evaluated in a prime field at random points ([`FieldEvaluator`]): cheap, and nearly always
//! right. Zero there is then certified by the normal form; anything else by a real point at which the value, computed
//! with a bound on its error, is certainly not zero. Without such a point the answer is never no.
//!
//! "Zero" means: as a real function, wherever the expression is defined.

pub mod dependence;
mod evaluate;
#[cfg(test)]
mod tests;
pub mod triangular;
mod witness;

pub use evaluate::{FieldEvaluator, FieldPoint, Obstacle};
pub use witness::evaluate_with_error;

use super::arena::{Arena, Expr};
use super::field::{PRIME, SplitMix};
use super::known::Known;
use super::normal::{Normalizer, Options};
use super::work::NOT_DECIDED;

/// How hard to try.
#[derive(Clone, Debug)]
pub struct ZeroOptions {
    /// Options and limits of the normal form.
    pub normal: Options,
    /// Points of the prime field at which zero is required.
    pub points: u32,
    /// The same where signs are chosen at each: a zero says something about one choice only, so many are needed.
    pub points_with_signs: u32,
    /// Should zero be certified by the normal form? (Else the best answer is `Tested`.)
    pub prove: bool,
    /// Seed of the random points; the answer is a function of it.
    pub seed: u64,
}

impl Default for ZeroOptions {
    fn default() -> Self {
        ZeroOptions { normal: Options::default(), points: 3, points_with_signs: 40, prove: true, seed: 1 }
    }
}

/// What the prime field says.
enum FieldAnswer {
    Zero { error_bound: f64 },
    Nonzero,
    Silent(String),
}

/// Is the expression zero wherever it is defined?
pub fn is_zero(arena: &mut Arena, e: Expr, options: &ZeroOptions) -> Known {
    if arena.is_zero(e) {
        return Known::Proved;
    }
    if arena.is_undefined(e) {
        if arena.work.given_up() > 0 {
            return Known::Unknown(NOT_DECIDED.into());
        }
        return Known::Unknown("the expression divides by zero".into());
    }
    let evaluator = FieldEvaluator::new(arena, &[e], &options.normal);
    let answer = ask_field(arena, &evaluator, options);
    let witness = |arena: &Arena| witness::search(arena, e, &options.normal.positive, options.seed);
    let prove = |arena: &mut Arena| Normalizer::new(options.normal.clone()).is_zero(arena, e);
    match answer {
        FieldAnswer::Nonzero => {
            if let Some(point) = witness(arena) {
                return Known::Refuted(point);
            }
            // The field chose branches of its own; the normal form may know better.
            match prove(arena) {
                Ok(true) => Known::Proved,
                Ok(false) => Known::Unknown(
                    "not zero in the prime field, but no real point was found where it is certainly not zero".into(),
                ),
                Err(error) => Known::Unknown(error.to_string()),
            }
        }
        FieldAnswer::Zero { error_bound } => {
            if !options.prove {
                let doubtful = if evaluator.is_faithful() { None } else { witness(arena) };
                return doubtful.map_or(Known::Tested { error_bound }, Known::Refuted);
            }
            match prove(arena) {
                Ok(true) => Known::Proved,
                // A zero of the field that the normal form does not confirm: look for a real point before believing.
                Ok(false) => witness(arena).map_or(Known::Tested { error_bound }, Known::Refuted),
                Err(_) => Known::Tested { error_bound },
            }
        }
        FieldAnswer::Silent(why) => {
            if let Some(point) = witness(arena) {
                return Known::Refuted(point);
            }
            match prove(arena) {
                Ok(true) => Known::Proved,
                Ok(false) => Known::Unknown(why),
                Err(error) => Known::Unknown(error.to_string()),
            }
        }
    }
}

/// Evaluates at random points until enough were zero, or one was not.
fn ask_field(arena: &mut Arena, evaluator: &FieldEvaluator, options: &ZeroOptions) -> FieldAnswer {
    let mut rng = SplitMix::new(options.seed);
    let signs = evaluator.signs(arena);
    let wanted = if signs == 0 { options.points.max(1) } else { options.points_with_signs.max(1) };
    let mut zeros = 0;
    let mut obstacle = Obstacle::Pole;
    for attempt in 0..400u32 {
        let seed = rng.next_u64();
        // Where roots fail again and again, draw symbols that have roots.
        let positive = attempt > 100 && attempt % 2 == 1;
        let mut point = if positive { FieldPoint::positive(seed) } else { FieldPoint::new(seed) };
        for &s in &options.normal.positive {
            let v = point.symbol(s);
            point.set(s, v * v);
        }
        arena.work.charge(evaluator.steps() as u64);
        match evaluator.at(arena, &point) {
            Ok(values) if values.iter().all(|v| v.is_zero()) => {
                zeros += 1;
                if zeros >= wanted {
                    break;
                }
            }
            Ok(_) => return FieldAnswer::Nonzero,
            Err(o) => obstacle = o,
        }
    }
    if zeros > 0 && (signs > 0 || zeros >= wanted) {
        let once = (evaluator.degree_bound(arena) / PRIME as f64).min(1.0);
        let missed = if signs == 0 { 0.0 } else { 1.0 - 0.5f64.powi(signs.min(60) as i32) };
        return FieldAnswer::Zero { error_bound: (once + missed).min(1.0).powi(zeros as i32) };
    }
    FieldAnswer::Silent(match obstacle {
        Obstacle::Pole => "every point tried in the prime field is a pole".into(),
        Obstacle::NoRoot => "no point was found in the prime field where all roots exist".into(),
    })
}
