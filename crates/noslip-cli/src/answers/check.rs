use super::{ByName, Expression, State};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip check`: what the constraints of a model mean.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Check {
    /// Name of the model.
    pub name: String,
    /// How many there are.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub coordinates: usize,
    /// In the order of the file.
    pub constraints: Vec<CheckedConstraint>,
    /// Coordinates less independent constraints.
    pub degrees_of_freedom: usize,
    /// Rank of the constraints at a generic state.
    pub constraint_rank: usize,
    /// Rank of the mass matrix at a generic state.
    pub mass_matrix_rank: usize,
    /// Are all constraints together integrable? `null`: the question has no meaning, or was not decided.
    pub system_integrable: Option<bool>,
    /// Relations between the coordinates that follow from the constraints together; each is constant.
    pub hidden_relations: Vec<Expression>,
    /// How many independent relations between the coordinates the constraints imply.
    pub holonomic_part: Option<usize>,
    /// At a generic point; `null` for constraints that are not linear in the velocities.
    pub growth_vector: Option<Vec<usize>>,
    /// The growth vector is that of the space of coordinates and time.
    pub extended_by_time: bool,
    /// Do brackets reach every direction?
    pub completely_nonholonomic: Option<bool>,
    /// What was not decided within the budget, of which `--effort high` has more, or without functions that are left open.
    pub undecided: Vec<String>,
    /// Does time occur?
    pub rheonomic: bool,
    /// Have all forces a potential that does not depend on time?
    pub conservative: bool,
    /// Is it Chaplygin's case?
    pub chaplygin: Chaplygin,
    /// Chaplygin's reducing multiplier.
    pub reducing_multiplier: ReducingMultiplier,
    /// The same in quasi-coordinates.
    pub reducing_multiplier_quasi: ReducingMultiplier,
    /// Coordinates that occur nowhere.
    pub cyclic: Vec<String>,
    /// `energy` is T + V; anything else is `name: expression`.
    pub conserved: Vec<String>,
    /// For every form `applies`, or why not.
    pub forms: ByName<String>,
    /// The completed initial state, where the model gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<CompletedState>,
    /// With `--brackets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brackets: Option<Vec<Bracket>>,
}

/// A constraint by itself.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct CheckedConstraint {
    /// Its name.
    pub name: String,
    /// Of the highest derivative in it.
    #[cfg_attr(test, schemars(range(max = 2)))]
    pub order: u8,
    /// In the highest derivatives.
    pub linear: bool,
    /// No term without a velocity.
    pub homogeneous: bool,
    /// Does time occur?
    pub rheonomic: bool,
    /// `null`: the question has no meaning for it, or it was not decided.
    pub integrable: Option<bool>,
    /// Is it a total derivative as it stands?
    pub exact: Option<bool>,
    /// The function whose level sets it keeps.
    pub integral: Option<Expression>,
    /// What must vanish for it to be integrable, where that depends on functions that are left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Expression>,
}

/// Chaplygin's case.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Chaplygin {
    /// Is it?
    pub is: bool,
    /// Coordinates whose velocities are free.
    pub independent: Vec<String>,
    /// The others.
    pub dependent: Vec<String>,
    /// What stands in the way.
    pub why_not: Option<String>,
}

/// A multiplier N with dτ = N dt.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ReducingMultiplier {
    /// `null`: not decided, see `why`.
    pub exists: Option<bool>,
    /// Of what it is a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Vec<String>>,
    /// The multiplier, where it has a closed form.
    pub expression: Option<Expression>,
    /// Why it was not decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The initial state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct CompletedState {
    /// The state.
    #[serde(flatten)]
    pub state: State,
    /// What the model does not give, and where it comes from.
    pub completed: Vec<String>,
}

/// A field of the distribution, or a Lie bracket of such fields.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Bracket {
    /// Its name.
    pub name: String,
    /// By coordinates.
    pub components: Vec<Expression>,
}
