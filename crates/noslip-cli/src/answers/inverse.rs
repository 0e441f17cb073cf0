use super::{ByName, DoesNotApply, Expression, Known};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip inverse`: are the equations of motion Lagrangian as they stand?
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Inverse {
    /// Name of the model.
    pub name: String,
    /// Are they? `null` where that is not decided.
    pub lagrangian: Option<bool>,
    /// How that, or the contrary, is known.
    pub how: Known,
    /// By constraints: along every motion?
    pub multipliers_vanish: ByName<Known>,
    /// Those that do not vanish along every motion, as functions of the state: the motions for which they are zero need no constraint.
    pub multipliers: ByName<Expression>,
    /// Then: have the forces a potential?
    pub free_forces_have_potential: Known,
    /// By coordinates: is Lagrange's equation of T°, constraints inserted, right?
    pub lagrange_form: ByName<Known>,
    /// Then: have the forces a potential?
    pub form_forces_have_potential: Known,
    /// Closed equations in fewer coordinates.
    pub reduced: Reduced,
}

/// Closed equations in fewer coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Reduced {
    /// There are such.
    Equations(Box<ReducedEquations>),
    /// There are none.
    DoesNotApply(DoesNotApply),
}

/// Closed equations in fewer coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ReducedEquations {
    /// `true`.
    pub applies: bool,
    /// In which.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub coordinates: Vec<String>,
    /// Each vanishes.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub equations: Vec<Expression>,
    /// Do they satisfy Helmholtz's conditions?
    pub helmholtz: Known,
    /// What should vanish and does not.
    pub obstruction: Option<Expression>,
    /// With one degree of freedom.
    pub kinetic_potential: Option<KineticPotential>,
    /// With two, where they are not Lagrangian as they stand.
    pub douglas: Option<Douglas>,
}

/// A matrix of factors with which the equations are Lagrange's.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Douglas {
    /// There is one.
    Found {
        /// `true`.
        exists: bool,
        /// g.
        factors: Vec<Vec<Expression>>,
        /// Lagrange's equations of this are g times the given ones, solved for the accelerations.
        lagrangian: Expression,
        /// det g.
        last_multiplier: Expression,
        /// Is it so?
        verified: Known,
    },
    /// There is none.
    None {
        /// `false`.
        exists: bool,
        /// The determinant of the conditions on g, which does not vanish.
        determinant: Expression,
    },
    /// Neither is known.
    Open {
        /// `null`.
        exists: Option<bool>,
    },
}

/// A function whose Lagrange equation is the reduced one times a factor.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum KineticPotential {
    /// In closed form.
    Found {
        /// `true`.
        found: bool,
        /// The factor.
        factor: Expression,
        /// The function.
        lagrangian: Expression,
        /// Is it so?
        verified: Option<Known>,
    },
    /// Up to quadratures.
    Quadratures {
        /// `false`.
        found: bool,
        /// Derivatives of ln M.
        multiplier_gradient: MultiplierGradient,
        /// M, where it has a closed form.
        multiplier: Option<Expression>,
        /// What is integrated with M.
        force: Expression,
    },
    /// It exists, but no quadrature was found.
    Open {
        /// `false`.
        found: bool,
    },
}

/// Derivatives of ln M.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct MultiplierGradient {
    /// By the time.
    pub t: Expression,
    /// By the coordinate.
    pub q: Expression,
}
