//! What is known of a claim, and how far it reaches.

use super::real::RealState;
use crate::expr::{Known, Witness};
use crate::mechanics::Workbench;

/// What is known of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Does it hold, and how is that known?
    pub known: Known,
    /// For which motions, if it holds.
    pub reach: Reach,
}

/// For which motions a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// For all.
    Everywhere,
    /// For all of this model; for other values of its parameters it fails.
    Values,
    /// For those from the initial position: an integral of the constraints has this value there.
    Leaf,
}

/// A state at which a claim fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The state.
    pub state: RealState,
    /// Left side − right side there.
    pub residual: f64,
    /// A bound on the error of that.
    pub error: f64,
}

impl Finding {
    /// It holds, for all motions.
    pub(super) fn everywhere(known: Known) -> Finding {
        Finding { known, reach: Reach::Everywhere }
    }

    /// It holds along the motions from the initial position.
    pub(super) fn on_leaf(known: Known) -> Finding {
        Finding { known, reach: Reach::Leaf }
    }

    /// It could not be decided.
    pub(super) fn undecided(why: impl Into<String>) -> Finding {
        Finding::everywhere(Known::unknown(why))
    }

    /// It fails, as this state shows.
    pub(super) fn refuted(w: &Workbench, c: Counterexample) -> Finding {
        let symbols =
            std::iter::once(w.g.time()).chain(w.system.coordinates.clone()).chain(w.system.velocities.clone());
        let numbers = std::iter::once(c.state.t).chain(c.state.q).chain(c.state.v);
        let values = symbols.zip(numbers).collect();
        Finding::everywhere(Known::Refuted(Witness::Real { values, value: c.residual, error: c.error }))
    }

    /// Does it hold, as far as is known?
    pub fn holds(&self) -> bool {
        self.known.holds()
    }

    /// Is it known to fail?
    pub fn fails(&self) -> bool {
        self.known.is_refuted()
    }

    /// Why it could not be decided.
    pub fn why_undecided(&self) -> Option<&str> {
        match &self.known {
            Known::Unknown(why) => Some(why),
            _ => None,
        }
    }

    /// The state at which it fails.
    pub fn counterexample(&self) -> Option<Counterexample> {
        // The witness lists time, coordinates, velocities.
        let Known::Refuted(Witness::Real { values, value, error }) = &self.known else { return None };
        let ((_, t), rest) = values.split_first()?;
        let (q, v) = rest.split_at(rest.len() / 2);
        let numbers = |part: &[(_, f64)]| part.iter().map(|x| x.1).collect();
        Some(Counterexample {
            state: RealState { t: *t, q: numbers(q), v: numbers(v) },
            residual: *value,
            error: *error,
        })
    }
}
