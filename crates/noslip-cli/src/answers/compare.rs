use super::{ByName, Ending, Expression, Known, Phase};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip compare`: the motion beside another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Compared {
    /// Beside the vakonomic one.
    Vakonomic(Box<Comparison>),
    /// Beside that of another model, or with `--reduced` that of Lindelöf's error.
    Motions(MotionsCompared),
    /// Beside that of another model, for several values of a parameter.
    Varied(MotionsVaried),
}

/// Two motions for several values of a parameter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MotionsVaried {
    /// Name of the first model.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// The parameter of the first.
    pub parameter: String,
    /// Difference from which on the motions count as different.
    pub threshold: f64,
    /// One comparison each.
    pub values: Vec<ComparedValue>,
}

/// How far two motions are apart for one value of a parameter.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ComparedValue {
    /// As it was given.
    pub value: String,
    /// The time from which on they differ by more than the threshold; `null` if never.
    pub departs_at: Option<f64>,
    /// Largest difference of a common coordinate.
    pub largest_difference: f64,
}

/// Two motions beside each other.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MotionsCompared {
    /// Name of the first model.
    pub first: String,
    /// Name of the second.
    pub second: String,
    /// With `--reduced`, by independent coordinates: what is missing on the left side of the second equations.
    pub left_out: Option<ByName<Expression>>,
    /// The coordinates that are compared.
    pub common: Vec<String>,
    /// How the runs ended.
    pub outcome: [Ending; 2],
    /// Difference from which on the motions count as different.
    pub threshold: f64,
    /// First sample at which the difference exceeds the threshold.
    pub departs_at: Option<f64>,
    /// Over all samples.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub largest_difference: f64,
    /// At the times that were asked for.
    pub samples: Vec<MotionsSample>,
}

/// Two motions at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MotionsSample {
    /// Time.
    pub t: f64,
    /// The first.
    pub first: Phase,
    /// The second.
    pub second: Phase,
    /// Largest difference of a common coordinate.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub difference: f64,
}

/// The motion beside the vakonomic one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Comparison {
    /// Name of the model.
    pub name: String,
    /// L + Σ μφ.
    pub lagrangian: Expression,
    /// Each vanishes along a vakonomic motion.
    pub equations: Vec<Expression>,
    /// Where the two agree.
    pub rumyantsev: Rumyantsev,
    /// Initial values of the multipliers.
    pub mu: ByName<f64>,
    /// At the initial state.
    pub initial_accelerations: Both<ByName<f64>>,
    /// How the runs ended.
    pub outcome: Both<Ending>,
    /// Difference from which on the motions count as different.
    pub threshold: f64,
    /// First sample at which the difference exceeds the threshold.
    pub departs_at: Option<f64>,
    /// Over all samples.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub largest_difference: f64,
    /// At the times that were asked for.
    pub samples: Vec<ComparedSample>,
}

/// The same of both motions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Both<T> {
    /// Of the motion.
    pub mechanics: T,
    /// Of the vakonomic motion.
    pub vakonomic: T,
}

/// Rumyantsev's condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Rumyantsev {
    /// Where all vanish, the vakonomic motion is one of mechanics.
    pub condition: Vec<Expression>,
    /// Does it hold for every μ?
    pub for_every_mu: Known,
    /// μ for which the momenta of the dependent coordinates vanish.
    pub momentum_choice: Option<ByName<Expression>>,
    /// Does it hold for these?
    pub for_momentum_choice: Known,
    /// Does this choice persist?
    pub choice_persists: bool,
    /// The largest left side along the vakonomic motion.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub largest_along_motion: f64,
}

/// Both motions at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ComparedSample {
    /// Time.
    pub t: f64,
    /// The motion.
    pub mechanics: MechanicalSample,
    /// The vakonomic motion.
    pub vakonomic: VakonomicSample,
    /// Largest difference of a coordinate.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub difference: f64,
    /// Left sides of Rumyantsev's condition.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub condition: Vec<f64>,
}

/// The motion at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MechanicalSample {
    /// Coordinates and velocities.
    #[serde(flatten)]
    pub phase: Phase,
    /// By constraints.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub multipliers: ByName<f64>,
}

/// The vakonomic motion at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct VakonomicSample {
    /// Coordinates and velocities.
    #[serde(flatten)]
    pub phase: Phase,
    /// By constraints.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub mu: ByName<f64>,
    /// By constraints.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub mu_rate: ByName<f64>,
}
