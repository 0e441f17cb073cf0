use super::{Known, State};
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip verify`: whether hand-derived equations follow from the model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Verification {
    /// In the order in which they were given.
    #[schemars(length(min = 1))]
    pub claims: Vec<VerifiedClaim>,
}

/// A claim and the verdict.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct VerifiedClaim {
    /// Its name in the file, or the equation itself.
    pub id: String,
    /// What the claims file says in `expect`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// Does it follow? `null`: undecided, see `why`.
    pub holds: Option<bool>,
    /// How it is known to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<Known>,
    /// A bound on the probability that a tested verdict is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_bound: Option<f64>,
    /// What it holds because of, if not of the equations alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
    /// A state at which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// What the mistake may be, of a claim that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Vec<Diagnosis>>,
    /// Why it could not be decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A state at which a claim fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Counterexample {
    /// The state.
    #[serde(flatten)]
    pub state: State,
    /// Left side minus right side at this state.
    pub residual: f64,
}

/// A mistake that would explain it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Diagnosis {
    /// In a few words.
    pub mistake: String,
    /// In a sentence.
    pub explanation: String,
    /// What would hold; it is claimed to vanish.
    pub suggestion: Option<String>,
}
