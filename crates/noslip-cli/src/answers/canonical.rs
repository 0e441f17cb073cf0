use super::{ByName, Expression, Known};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip canonical`: generalised momenta and canonical equations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Canonical {
    /// Name of the model.
    pub name: String,
    /// As functions of the velocities and μ.
    pub momenta: ByName<Expression>,
    /// On the constraints, in coordinates and momenta.
    pub hamiltonian: Expression,
    /// In coordinates and momenta.
    pub velocities: ByName<Expression>,
    /// Rates of the momenta.
    pub rates: ByName<Expression>,
    /// μ in coordinates and momenta.
    pub multipliers: Vec<Expression>,
    /// Vanishes; S_t, S_x, … are the derivatives of S.
    pub hamilton_jacobi: Expression,
    /// Are the velocities the derivatives of the Hamiltonian?
    pub verified: Known,
    /// Rank of its second derivatives by the momenta: below their number it is degenerate.
    pub hessian_rank: usize,
    /// Which solutions are motions of the system.
    pub is_motion: IsMotion,
    /// With `--integral`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integral: Option<CompleteIntegral>,
}

/// Which solutions are motions of the system.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct IsMotion {
    /// Every solution?
    pub always: Known,
    /// Those for which the momenta of the dependent coordinates vanish?
    pub for_momentum_choice: Known,
    /// Do these momenta stay zero?
    pub choice_persists: bool,
    /// Vanish along a solution iff it is a motion of the system.
    pub condition: Vec<Expression>,
}

/// A proposed complete integral.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct CompleteIntegral {
    /// Does it satisfy the equation?
    pub satisfies: Known,
    /// Is it complete?
    pub complete: bool,
    /// What is left of the equation.
    pub residual: Expression,
    /// Constant along solutions.
    pub integrals: Vec<Expression>,
    /// Is every solution it gives a motion of the system?
    pub is_motion: Known,
    /// The condition for that, with the momenta of the integral.
    pub condition: Vec<Expression>,
}
