use super::{ByName, Expression, Known};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip derive`: the equations of motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Derive {
    /// One form was asked for.
    One(Box<Form>),
    /// Several.
    Several {
        /// Name of the model.
        name: String,
        /// In the order of the registry.
        forms: Vec<Form>,
        /// Why not, form by form.
        not_applicable: ByName<String>,
        /// Forms of which it was not decided whether they apply: `--effort high` tries harder.
        not_decided: ByName<String>,
    },
}

/// The equations of motion in one form. What is written with abbreviations for people is written out here.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Form {
    /// What `--form` takes.
    pub form: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The form's own equations; none where the constraints determine all velocities.
    pub equations: Vec<Equation>,
    /// Differentiated constraints that complete the form's own equations.
    pub completed_by: Vec<Equation>,
    /// The form's own velocities, as functions of the coordinates' velocities.
    pub variables: ByName<Expression>,
    /// The coordinates' velocities in those of the form.
    pub kinematics: Vec<Kinematic>,
    /// Multipliers by the names of the constraints, where the form knows them.
    pub reactions: ByName<Expression>,
    /// What the equations are made of.
    pub objects: Vec<Object>,
    /// The same equations written in other ways.
    pub alternatives: Vec<Alternative>,
    /// Remarks.
    pub notes: Vec<String>,
    /// Does it agree with Lagrange's equations with multipliers?
    pub agreement: Known,
    /// There, and true, where written out it would be too long to print: then all expressions contain the letters of `abbreviated`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, schemars(default))]
    pub in_letters: bool,
    /// Long equations as they are shown to people, with letters for what occurs often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abbreviated: Option<Abbreviated>,
}

/// An equation, left side = 0.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Equation {
    /// Left side.
    pub lhs: Expression,
    /// `0`.
    pub rhs: Zero,
    /// Operations in it.
    pub operations: usize,
    /// For people, with abbreviations.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub latex: String,
    /// For people, with abbreviations.
    #[cfg_attr(test, schemars(regex(pattern = r"^<math")))]
    pub mathml: String,
}

/// The right side of an equation.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub enum Zero {
    /// Zero.
    #[serde(rename = "0")]
    Zero,
}

/// A velocity in other velocities.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Kinematic {
    /// The velocity.
    pub lhs: Expression,
    /// What it is.
    pub rhs: Expression,
    /// Operations in it.
    pub operations: usize,
    /// The right side.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub latex: String,
}

/// Something a reader wants to see beside the equations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Object {
    /// What it is, in words.
    pub name: String,
    /// Its symbol.
    pub symbol: String,
    /// Its value.
    pub value: Expression,
    /// Its value.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub latex: String,
}

/// The same equations in another way.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Alternative {
    /// What way.
    pub name: String,
    /// The equations.
    pub equations: Vec<Equation>,
}

/// Long equations with letters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Abbreviated {
    /// Each may contain the letters before it.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub abbreviations: Vec<Abbreviation>,
    /// The form's own equations.
    pub equations: Vec<BriefEquation>,
}

/// A letter and what it stands for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Abbreviation {
    /// The letter.
    pub symbol: String,
    /// What it stands for.
    pub value: Expression,
    /// Operations in it.
    pub operations: usize,
    /// What it stands for.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub latex: String,
}

/// An equation with letters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct BriefEquation {
    /// Left side.
    pub lhs: Expression,
    /// `0`.
    pub rhs: Zero,
    /// Operations in it.
    pub operations: usize,
}
