use super::ByName;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip eval`: accelerations and multipliers at given states.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Evaluation {
    /// The form through which they are computed.
    pub form: &'static str,
    /// One for each state.
    pub results: Vec<EvaluatedState>,
}

/// What is known at one state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct EvaluatedState {
    /// By coordinates.
    pub accelerations: ByName<f64>,
    /// By constraints; `null`: unknown to this form.
    pub multipliers: ByName<Option<f64>>,
}

/// A state as `noslip eval --states` reads it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GivenState {
    /// Time; zero if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64"))]
    pub t: Option<f64>,
    /// Coordinates.
    pub q: ByName<f64>,
    /// Velocities, under the names of the coordinates.
    pub v: ByName<f64>,
}
