//! How a run ended, as data. Whatever the end, the state at the last good step is kept.

use super::ode::RhsFailure;
use super::stepper::{Statistics, StepFailure};

/// A number that came out infinite or not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The rate of this component of the state.
    Rate(usize),
    /// The component of the state itself.
    State(usize),
    /// The function of this event.
    Event(usize),
    /// The multiplier of this constraint.
    Multiplier(usize),
    /// The energy.
    Energy,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The end time was reached.
    Finished,
    /// A terminal event stopped it.
    Event {
        /// Its index among the events of the run.
        index: usize,
        /// Its name.
        name: String,
        /// When.
        t: f64,
    },
    /// The tolerance cannot be met with a step that still moves the time.
    StepTooSmall {
        /// Time of the last good state.
        t: f64,
        /// The step length given up at.
        h: f64,
    },
    /// Something was not finite, however short the step.
    NonFinite {
        /// What was not finite.
        component: Component,
        /// Time of the evaluation.
        t: f64,
    },
    /// The accelerations are not determined.
    Singular {
        /// The constraint (or coordinate) that loses rank.
        which: String,
        /// When.
        t: f64,
    },
    /// A constraint or an invariant was violated by more than allowed.
    Drift {
        /// What drifted.
        which: String,
        /// By how much.
        size: f64,
        /// When.
        t: f64,
    },
    /// The limit on the number of steps was reached.
    MaxSteps {
        /// Time of the last good state.
        t: f64,
    },
    /// Stopped from outside.
    Cancelled {
        /// Time of the last good state.
        t: f64,
    },
}

impl Outcome {
    /// The word for it in machine-readable answers.
    pub fn code(&self) -> &'static str {
        match self {
            Outcome::Finished => "finished",
            Outcome::Event { .. } => "event",
            Outcome::StepTooSmall { .. } => "step_too_small",
            Outcome::NonFinite { .. } => "non_finite",
            Outcome::Singular { .. } => "singular",
            Outcome::Drift { .. } => "drift",
            Outcome::MaxSteps { .. } => "max_steps",
            Outcome::Cancelled { .. } => "cancelled",
        }
    }

    /// Whether the run ended as its author intended: at the end time or at a terminal event.
    pub fn is_success(&self) -> bool {
        matches!(self, Outcome::Finished | Outcome::Event { .. })
    }

    pub(super) fn of_rhs(failure: RhsFailure, t: f64) -> Outcome {
        match failure {
            RhsFailure::NonFinite { component } => Outcome::NonFinite { component: Component::Rate(component), t },
            RhsFailure::Singular { which } => Outcome::Singular { which, t },
            RhsFailure::ChartEnds => Outcome::Singular { which: "the chart of quasi-velocities".into(), t },
        }
    }

    pub(super) fn of_step(failure: StepFailure, t: f64) -> Outcome {
        match failure {
            StepFailure::TooSmall { h } => Outcome::StepTooSmall { t, h },
            StepFailure::Rhs { failure, t } => Outcome::of_rhs(failure, t),
            StepFailure::Overflow { component, t } => Outcome::NonFinite { component: Component::State(component), t },
        }
    }
}

/// An event that occurred.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// Index of the event.
    pub index: usize,
    /// When.
    pub t: f64,
    /// The state there.
    pub state: Vec<f64>,
    /// Whether its function grew through zero.
    pub rising: bool,
}

/// A run: how it ended, where, and at what cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Time of the last good state.
    pub t: f64,
    /// The last good state.
    pub state: Vec<f64>,
    /// Events in the order of their times.
    pub occurrences: Vec<Occurrence>,
    /// Cost.
    pub statistics: Statistics,
}
