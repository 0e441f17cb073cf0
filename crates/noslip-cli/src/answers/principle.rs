use super::{ByName, Expression};
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip principle`: the principles of mechanics along a motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Principle {
    /// Along a motion.
    Along {
        /// Name of the model.
        name: String,
        /// End of the motion.
        until: f64,
        /// Was it under a force that the principles do not know?
        pushed: bool,
        /// One by one.
        #[schemars(length(min = 1))]
        principles: Vec<Evaluated>,
    },
    /// With `--quadrilateral`: two virtual displacements in both orders.
    Walk {
        /// Name of the model.
        name: String,
        /// By constraints, for each virtual displacement: by how much those of the varied motion are off.
        varied_constraints: ByName<Vec<Expression>>,
        /// One for each pair of displacements.
        quadrilaterals: Vec<Quadrilateral>,
    },
}

/// A principle along a motion.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Evaluated {
    /// It applies.
    Evaluation(Evaluation),
    /// It does not.
    DoesNotApply {
        /// Which.
        principle: String,
        /// `null`.
        holds: Option<bool>,
        /// Why not.
        why: String,
    },
}

/// A principle that was evaluated.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PrincipleEvaluation")]
pub struct Evaluation {
    /// Which.
    pub principle: String,
    /// What it says.
    pub statement: String,
    /// `null` where the quadrature is not accurate enough.
    pub holds: Option<bool>,
    /// What is left, relatively.
    #[schemars(with = "Option<f64>")]
    pub defect: f64,
    /// What would be left without the transpositional terms.
    pub without_transposition: Option<f64>,
    /// One for each variation.
    pub terms: Vec<Term>,
}

/// What a variation contributes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Term {
    /// Which.
    pub variation: String,
    /// Should vanish.
    #[schemars(with = "Option<f64>")]
    pub value: f64,
    /// Of what it is the difference.
    #[schemars(with = "Option<f64>")]
    pub scale: f64,
    /// Of the quadrature.
    #[schemars(with = "Option<f64>")]
    pub error: f64,
}

/// A walk along two virtual displacements, and back.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Quadrilateral {
    /// Which displacements, from 1.
    pub fields: [usize; 2],
    /// Length of the sides.
    pub side: f64,
    /// By which it misses its start, by coordinates.
    #[schemars(with = "Vec<Option<f64>>")]
    pub gap: Vec<f64>,
    /// The same with half the side.
    #[schemars(with = "Vec<Option<f64>>")]
    pub half_gap: Vec<f64>,
    /// Off each constraint, divided by the square of the side.
    #[schemars(with = "Vec<Option<f64>>")]
    pub off: Vec<f64>,
    /// The same in the limit.
    #[schemars(with = "Vec<Option<f64>>")]
    pub covariants: Vec<f64>,
}
