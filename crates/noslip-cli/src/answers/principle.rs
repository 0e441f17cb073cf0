use super::{ByName, Expression};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip principle`: the principles of mechanics along a motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
        #[cfg_attr(test, schemars(length(min = 1)))]
        principles: Vec<Evaluated>,
    },
    /// With `--family`.
    Family(Box<ActionOnFamily>),
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

/// The action on a family of possible motions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ActionOnFamily {
    /// Name of the model.
    pub name: String,
    /// The coordinates that were given.
    pub given: Vec<GivenCoordinate>,
    /// Those that follow from the constraints.
    pub dependent: Vec<String>,
    /// By the parameter, ascending.
    pub members: Vec<FamilyMember>,
    /// Derivative of the action at 0.
    pub rate: f64,
    /// The same from differences.
    pub differences: f64,
    /// [Σ p δq].
    pub ends: f64,
    /// ∫ Σ λ A δq dt.
    pub reactions: f64,
    /// ∫ Σ Q δq dt.
    pub forces: f64,
    /// Largest difference between the member 0 and the motion.
    pub off: f64,
    /// δq at the beginning and at the end.
    pub variations: [ByName<f64>; 2],
    /// Largest Σ A δq along the motion.
    pub not_virtual: f64,
    /// Derivative of Jacobi's action at 0.
    pub jacobi_rate: Option<f64>,
    /// ∫ 2T dt along the motion.
    pub lagrange: Option<f64>,
}

/// A coordinate of a family.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GivenCoordinate {
    /// Which.
    pub coordinate: String,
    /// A function of time and of the parameter of the family.
    pub value: Expression,
    /// Is it added to the motion?
    pub added: bool,
}

/// A member of a family.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FamilyMember {
    /// The parameter.
    pub parameter: f64,
    /// ∫ L dt.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub action: f64,
    /// ∫ √(2(h − V)) √(2T) dt, where the energy is constant.
    pub jacobi: Option<f64>,
    /// Where it ends.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub end: ByName<f64>,
}

/// What is least along the motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Least {
    /// In the accelerations.
    pub value: Expression,
    /// At the beginning of the motion.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub first: f64,
    /// At its end.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub last: f64,
}

/// A principle along a motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(rename = "PrincipleEvaluation"))]
pub struct Evaluation {
    /// Which.
    pub principle: String,
    /// What it says.
    pub statement: String,
    /// `null` where the quadrature is not accurate enough.
    pub holds: Option<bool>,
    /// What is left, relatively.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub defect: f64,
    /// What would be left without the transpositional terms.
    pub without_transposition: Option<f64>,
    /// One for each variation.
    pub terms: Vec<Term>,
    /// Of Gauss's principle: Z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<Least>,
}

/// What a variation contributes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Term {
    /// Which.
    pub variation: String,
    /// Should vanish.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub value: f64,
    /// Of what it is the difference.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub scale: f64,
    /// Of the quadrature.
    #[cfg_attr(test, schemars(with = "Option<f64>"))]
    pub error: f64,
}

/// A walk along two virtual displacements, and back.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Quadrilateral {
    /// Which displacements, from 1.
    pub fields: [usize; 2],
    /// Length of the sides.
    pub side: f64,
    /// By which it misses its start, by coordinates.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub gap: Vec<f64>,
    /// The same with half the side.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub half_gap: Vec<f64>,
    /// Off each constraint, divided by the square of the side.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub off: Vec<f64>,
    /// The same in the limit.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub covariants: Vec<f64>,
}
