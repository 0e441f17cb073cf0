use super::{ByName, State};
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip simulate`: a motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Simulation {
    /// How it ended.
    pub outcome: Ending,
    /// The method of integration.
    pub method: &'static str,
    /// At the times that were asked for.
    pub samples: Vec<Sample>,
    /// Steps taken.
    pub steps: u64,
    /// Steps tried in vain.
    pub rejected: u64,
    /// Evaluations of the accelerations.
    pub evaluations: u64,
    /// What should be zero and is not quite.
    pub drift: Drift,
    /// The last good state.
    pub end: State,
    /// How the run ended, unless it reached the end time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A state of a motion with the multipliers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Sample {
    /// The state.
    #[serde(flatten)]
    pub state: State,
    /// By constraints.
    pub multipliers: ByName<f64>,
}

/// What should be zero and is not quite.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Drift {
    /// Largest relative change of T + V.
    pub energy: f64,
    /// Largest relative residual of a constraint before projection.
    pub constraints: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// At the end time.
    Finished,
    /// At an event that was asked for.
    Event,
    /// The step became too small.
    StepTooSmall,
    /// A value is not finite.
    NonFinite,
    /// The accelerations are not determined.
    Singular,
    /// A constraint is violated and cannot be restored.
    Drift,
    /// The limit of steps was reached.
    MaxSteps,
    /// It was cancelled.
    Cancelled,
}

impl From<&noslip::simulate::Outcome> for Ending {
    fn from(outcome: &noslip::simulate::Outcome) -> Ending {
        use noslip::simulate::Outcome;
        match outcome {
            Outcome::Finished => Ending::Finished,
            Outcome::Event { .. } => Ending::Event,
            Outcome::StepTooSmall { .. } => Ending::StepTooSmall,
            Outcome::NonFinite { .. } => Ending::NonFinite,
            Outcome::Singular { .. } => Ending::Singular,
            Outcome::Drift { .. } => Ending::Drift,
            Outcome::MaxSteps { .. } => Ending::MaxSteps,
            Outcome::Cancelled { .. } => Ending::Cancelled,
        }
    }
}
