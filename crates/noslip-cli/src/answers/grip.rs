use super::{ByName, Ending, Expression, Phase};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip grip`: do the contacts hold?
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Grip {
    /// Reactions and their limits.
    Limits(Box<GripLimits>),
    /// With `--law`: the motion under friction.
    Law(NonIdeal),
}

/// Reactions along a motion, and their limits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GripLimits {
    /// Name of the model.
    pub name: String,
    /// How the run ended.
    pub outcome: Ending,
    /// By constraints, on each coordinate.
    pub reactions: ByName<ByName<Expression>>,
    /// By contacts, where the margin is least.
    pub least_margin: ByName<LeastMargin>,
    /// Does every contact hold throughout?
    pub holds: bool,
    /// The first contact that does not.
    pub slides: Option<Slide>,
    /// At the times that were asked for.
    pub samples: Vec<GripSample>,
}

/// What a contact needs, and what friction gives.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Load {
    /// What the constraints ask for.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub force: f64,
    /// What friction can give.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub limit: f64,
    /// The second less the first.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub margin: f64,
}

/// Where the margin of a contact is least.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LeastMargin {
    /// Time.
    pub t: f64,
    /// The load then.
    #[serde(flatten)]
    pub load: Load,
}

/// The loss of grip.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Slide {
    /// Which contact.
    pub contact: String,
    /// When.
    pub t: f64,
    /// What the constraints ask for.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub force: f64,
    /// What friction can give.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub limit: f64,
    /// Coordinates and velocities.
    #[serde(flatten)]
    pub phase: Phase,
}

/// Reactions at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GripSample {
    /// Time.
    pub t: f64,
    /// By constraints.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub multipliers: ByName<f64>,
    /// By constraints, on each coordinate.
    #[cfg_attr(test, schemars(with = "ByName<ByName<Option<f64>>>"))]
    pub reactions: ByName<ByName<f64>>,
    /// By contacts.
    pub contacts: ByName<Load>,
}

/// The motion under a law of friction.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NonIdeal {
    /// Name of the model.
    pub name: String,
    /// How the run ended.
    pub outcome: Ending,
    /// The event at which the run ended: a `--stop`, or the end of sliding.
    pub stopped: Option<Stopped>,
    /// At the times that were asked for.
    pub samples: Vec<NonIdealSample>,
    /// Steps taken.
    pub steps: u64,
    /// Most iterations for the reaction at one state; 0 where it has a closed form.
    pub most_iterations: usize,
    /// Why the law does not determine the reaction, where the run ended because of that.
    pub law: Option<String>,
}

/// An event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Stopped {
    /// When.
    pub t: f64,
    /// What crosses zero.
    #[serde(rename = "where")]
    pub place: String,
}

/// The motion under a law of friction at one time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NonIdealSample {
    /// Time.
    pub t: f64,
    /// Coordinates and velocities.
    #[serde(flatten)]
    pub phase: Phase,
    /// By constraints.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub multipliers: ByName<f64>,
    /// Forces of friction, by coordinates.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub tangential: ByName<f64>,
    /// T + V.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub energy: f64,
    /// Of friction.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub power: f64,
}
