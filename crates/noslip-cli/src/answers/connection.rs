use super::{ByName, Expression, Known, QuasiVelocity, Rate};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip connection`: the momentum equation and the nonholonomic connection.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NonholonomicConnection {
    /// Name of the model.
    pub name: String,
    /// `SE(2)`, or `shifts`.
    pub group: String,
    /// Its coordinates.
    pub group_coordinates: Vec<String>,
    /// Coordinates of the shape.
    pub shape: Vec<String>,
    /// Those of them that take the place of headings counted from a fixed direction: what they are.
    pub relative: ByName<Expression>,
    /// ξ: velocities of the group seen from the body.
    pub body_velocity: Vec<QuasiVelocity>,
    /// Momenta along what the constraints allow with the shape held fixed.
    pub momenta: Vec<GeneralisedMomentum>,
    /// A in ξ = −A r' + Γ p: a row for each ξ, a column for each shape coordinate.
    pub connection: Vec<Vec<Expression>>,
    /// Γ: a row for each ξ, a column for each momentum.
    pub inverse_inertia: Vec<Vec<Expression>>,
    /// The momentum equation: rates in r, r' and the momenta.
    pub momentum_equation: Vec<Rate>,
    /// B_ij = ∂A_j/∂r_i − ∂A_i/∂r_j − [A_i, A_j].
    pub curvature: Vec<Curvature>,
    /// How the momentum equation is known to follow from the equations of motion.
    pub how: Known,
    /// What the gait does; `null` where none is given.
    pub gait: Option<GaitPhase>,
}

/// A momentum.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GeneralisedMomentum {
    /// Its name.
    pub name: String,
    /// In coordinates and velocities.
    pub expression: Expression,
    /// Components of its generator along ξ.
    pub generator: Vec<Expression>,
}

/// The curvature over two shape coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Curvature {
    /// r_i and r_j.
    pub over: [String; 2],
    /// Along ξ.
    pub components: Vec<Expression>,
}

/// What a gait does.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GaitPhase {
    /// The shape as a function of time.
    pub shape: ByName<Expression>,
    /// The period.
    pub period: f64,
    /// So many periods.
    pub cycles: u32,
    /// Change of the group's coordinates, from zero.
    pub displacement: ByName<f64>,
    /// Momenta at the end.
    pub momenta: ByName<f64>,
    /// −∬B for one period, along ξ; `null` where the shape does not return.
    pub geometric: Option<ByName<f64>>,
}
