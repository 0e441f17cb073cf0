//! How an answer is known: the one word for it in the whole library.

use super::symbol::Symbol;

/// How the answer to "does it hold?" is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It holds: the normal form says so, or an argument that needs no sampling.
    Proved,
    /// It holds at random points of the prime field; wrong with at most this probability.
    Tested {
        /// Bound on the probability that the answer is wrong.
        error_bound: f64,
    },
    /// It holds at real states, to rounding: no proof, and no bound either.
    Numerical,
    /// It does not hold, and here is why.
    Refuted(Witness),
    /// Neither could be shown, and what stood in the way.
    Unknown(String),
}

/// Why something does not hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Witness {
    /// A real point: at these values of the symbols the value is off zero by more than the error.
    Real {
        /// Values of the free symbols.
        values: Vec<(Symbol, f64)>,
        /// The value there.
        value: f64,
        /// A bound on its error, smaller than the value.
        error: f64,
    },
    /// An argument, in words.
    Reason(String),
}

impl Known {
    /// Tested at so many points that the chance of an error is beyond notice.
    pub const TESTED: Known = Known::Tested { error_bound: 1e-30 };

    /// Proved if so, else tested.
    pub fn proved_if(proved: bool) -> Known {
        if proved { Known::Proved } else { Known::TESTED }
    }

    /// Refuted by an argument.
    pub fn refuted_because(why: impl Into<String>) -> Known {
        Known::Refuted(Witness::Reason(why.into()))
    }

    /// Undecided, for a reason.
    pub fn unknown(why: impl Into<String>) -> Known {
        Known::Unknown(why.into())
    }

    /// Is it proved?
    pub fn is_proved(&self) -> bool {
        *self == Known::Proved
    }

    /// Does it hold, as far as is known?
    pub fn holds(&self) -> bool {
        matches!(self, Known::Proved | Known::Tested { .. } | Known::Numerical)
    }

    /// Is it known not to hold?
    pub fn is_refuted(&self) -> bool {
        matches!(self, Known::Refuted(_))
    }

    /// `proved`, `tested`, `numerical`, `refuted` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Known::Proved => "proved",
            Known::Tested { .. } => "tested",
            Known::Numerical => "numerical",
            Known::Refuted(_) => "refuted",
            Known::Unknown(_) => "unknown",
        }
    }

    /// The word as the answer to a question: `no` where it is refuted.
    pub fn answer(&self) -> &'static str {
        if self.is_refuted() { "no" } else { self.word() }
    }

    /// Why it does not hold, or could not be decided, in words.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Known::Refuted(Witness::Reason(why)) | Known::Unknown(why) => Some(why),
            _ => None,
        }
    }

    /// Both must hold: the weaker of the two, and a refutation of one refutes both.
    #[must_use]
    pub fn and(self, other: Known) -> Known {
        let rank = |k: &Known| match k {
            Known::Proved => 0,
            Known::Tested { .. } => 1,
            Known::Numerical => 2,
            Known::Unknown(_) => 3,
            Known::Refuted(_) => 4,
        };
        match (&self, &other) {
            // Either may be wrong.
            (Known::Tested { error_bound: a }, Known::Tested { error_bound: b }) => {
                Known::Tested { error_bound: (a + b).min(1.0) }
            }
            _ if rank(&self) >= rank(&other) => self,
            _ => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weaker_of_two_answers_counts() {
        let all = [Known::Proved, Known::TESTED, Known::Numerical, Known::unknown("why"), Known::refuted_because("no")];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(a.clone().and(b.clone()).word(), all[i.max(j)].word());
            }
        }
        let Known::Tested { error_bound } = Known::TESTED.and(Known::TESTED) else { panic!("not tested") };
        assert_eq!(error_bound, 2e-30);
    }
}
