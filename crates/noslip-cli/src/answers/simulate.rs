use super::{ByName, State};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip simulate`: a motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
    /// The columns that were asked for, by name, a value for each sample; null where it is not finite.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<ByName<Vec<Option<f64>>>>"))]
    pub columns: Option<ByName<Vec<f64>>>,
    /// How the run ended, unless it reached the end time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What contacts did, where they may slide, stick, open and close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switching: Option<Switching>,
}

/// What contacts did, and what became of the energy.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Switching {
    /// In the order of time.
    pub switches: Vec<Switch>,
    /// T + V at the beginning.
    pub energy_at_start: f64,
    /// T + V at the end.
    pub energy_at_end: f64,
    /// Work of given forces, and of what moves contacts.
    pub given: f64,
    /// What friction took.
    pub friction: f64,
    /// Energy lost in impacts.
    pub impacts: f64,
    /// By how much the change of T + V differs from what was given less what was taken.
    pub balance: f64,
}

/// A moment at which a contact changes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Switch {
    /// When.
    pub t: f64,
    /// The constraint.
    pub constraint: String,
    /// `slides`, `sticks`, `opens`, `closes` or `strikes`.
    pub change: &'static str,
    /// The sign of the slip, when it slides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<f64>,
    /// The speed before an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The impulse of an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<f64>,
    /// Energy lost in an impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<f64>,
}

/// A state of a motion with the multipliers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Sample {
    /// The state.
    #[serde(flatten)]
    pub state: State,
    /// By constraints.
    pub multipliers: ByName<f64>,
}

/// What should be zero and is not quite.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Drift {
    /// Largest relative change of T + V.
    pub energy: f64,
    /// Largest relative residual of a constraint before projection.
    pub constraints: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
