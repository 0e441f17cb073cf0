use super::{ByName, Expression};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip connect`: a path between two positions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Connected {
    /// Name of the model.
    pub name: String,
    /// The fields along which the constraints allow motion.
    pub fields: Vec<ByName<Expression>>,
    /// Dimensions spanned by the fields, by them and their brackets, and so on.
    pub growth: Vec<usize>,
    /// What the constraints keep: the same at both positions.
    pub kept: Vec<Kept>,
    /// Where the path begins.
    pub from: ByName<f64>,
    /// Where it ends.
    pub to: ByName<f64>,
    /// Its pieces, each along one field.
    pub legs: Vec<Leg>,
    /// Sum of the amounts.
    pub length: f64,
    /// Largest difference of a coordinate at the end, integrated again.
    pub miss: f64,
    /// Largest value that is left of a constraint along the path.
    pub off: f64,
    /// Positions along it.
    pub samples: Vec<Place>,
}

/// A function of the position that the constraints keep.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Kept {
    /// The function.
    pub expression: Expression,
    /// Its value.
    pub value: f64,
}

/// A piece of the path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Leg {
    /// Which field, from 1.
    pub field: usize,
    /// For how long; backwards where negative.
    pub amount: f64,
    /// Position at its end.
    pub end: ByName<f64>,
}

/// A position of the path.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Place {
    /// Number of the leg, with the part of it that is done.
    pub leg: f64,
    /// Coordinates.
    pub q: ByName<f64>,
}
