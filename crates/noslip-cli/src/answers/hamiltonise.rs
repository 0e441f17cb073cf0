use super::{ByName, DoesNotApply, Expression, Known};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip hamiltonise`: a time in which the equations are Lagrangian.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Hamiltonise {
    /// With `--multiplier`.
    Proposed {
        /// Name of the model.
        name: String,
        /// What it leads to.
        proposed: Box<InNewTime>,
    },
    /// All that is searched for.
    Found(Box<Multipliers>),
}

/// The reducing multipliers of a model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Multipliers {
    /// Name of the model.
    pub name: String,
    /// Chaplygin's.
    pub coordinates: Search,
    /// In quasi-coordinates.
    pub quasi_coordinates: Search,
    /// After Arzhanykh's substitution.
    pub arzhanykh: Substitution,
    /// Chaplygin's second case, where no multiplier in the coordinates exists.
    pub second_case: Option<SecondCase>,
}

/// A search for a multiplier.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Search {
    /// What was found.
    Finding(Box<Finding>),
    /// The question does not arise.
    DoesNotApply(DoesNotApply),
}

/// What is known about a multiplier N.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Finding {
    /// `true`.
    pub applies: bool,
    /// Of what N is a function.
    pub coordinates: Vec<String>,
    /// Does it exist?
    pub exists: bool,
    /// How that, or the contrary, is known.
    pub how: Known,
    /// Of ln N.
    pub gradient: Vec<Expression>,
    /// What would have to vanish for N to exist and does not.
    pub obstruction: Option<Expression>,
    /// The equations in the new time, where N has a closed form.
    pub system: Option<InNewTime>,
}

/// The equations in the time τ with dτ = N dt.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct InNewTime {
    /// The coordinates.
    pub coordinates: Vec<String>,
    /// N.
    pub multiplier: Expression,
    /// Dots are derivatives by τ.
    pub lagrangian: Expression,
    /// Forces beside the Lagrangian, per coordinate; empty where it contains all.
    pub other_forces: Vec<Expression>,
    /// Each vanishes.
    pub equations: Vec<Expression>,
    /// Are these the equations of motion, back in t?
    pub verified: Known,
    /// What is left where they are not.
    pub difference: Option<Expression>,
    /// Density of the measure in coordinates and velocities.
    pub measure: Expression,
    /// Is it invariant?
    pub measure_invariant: Known,
    /// Hamilton's form in the new time, where the Lagrangian contains all forces.
    pub hamilton: Option<HamiltonForm>,
}

/// Hamilton's form in the new time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct HamiltonForm {
    /// Momenta as functions of the velocities.
    pub momenta: ByName<Expression>,
    /// H.
    pub hamiltonian: Expression,
    /// Derivatives of the coordinates by τ.
    pub velocities: ByName<Expression>,
    /// Derivatives of the momenta by τ.
    pub rates: ByName<Expression>,
    /// Vanishes; S_x, … are the derivatives of S, h the energy.
    pub hamilton_jacobi: Expression,
    /// The solution, where one of two coordinates does not occur in H.
    pub quadratures: Option<Quadratures>,
}

/// S = c·absent + ∫ R d(coordinate).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Quadratures {
    /// The coordinate that is integrated over.
    pub coordinate: String,
    /// The one that does not occur in H.
    pub absent: String,
    /// R.
    pub slope: Expression,
    /// dτ/d(coordinate).
    pub new_time: Expression,
    /// d(absent)/d(coordinate).
    pub path: Expression,
    /// dt/d(coordinate), where N depends on that coordinate alone.
    pub time: Option<Expression>,
    /// The integrals of the last three that are known in closed form.
    pub closed: [Option<Expression>; 3],
    /// Does S solve the Hamilton–Jacobi equation?
    pub verified: Known,
    /// The law of motion, where these integrals can be inverted.
    pub law: Option<LawOfMotion>,
}

/// Coordinates as functions of `t`, with the constants `h` and `c` of the quadratures.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LawOfMotion {
    /// The constant that is subtracted from the time.
    pub start: String,
    /// The constant that is added to the coordinate that does not occur in H.
    pub shift: String,
    /// The coordinate that was integrated over.
    pub coordinate: Expression,
    /// The one that does not occur in H, where its integral is known in closed form.
    pub absent: Option<Expression>,
    /// Do they satisfy the equations of motion?
    pub verified: Known,
}

/// Chaplygin's second case.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum SecondCase {
    /// It is solved.
    Applies(Box<FamilyOfPaths>),
    /// It is not.
    DoesNotApply(DoesNotApply),
}

/// A multiplier with a constant, for a family of paths.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FamilyOfPaths {
    /// `true`.
    pub applies: bool,
    /// On which alone the inertia depends.
    pub coordinate: String,
    /// The other coordinate.
    pub other: String,
    /// The constant of the family.
    pub constant: String,
    /// The constant of the energy.
    pub energy: String,
    /// d(other)/d(coordinate).
    pub path: Expression,
    /// N.
    pub multiplier: Expression,
    /// Are the paths those of motions?
    pub paths_verified: Known,
    /// Are the equations of motion along them Lagrange's in the new time?
    pub verified: Known,
    /// Derivatives of W by the coordinate and by the other.
    pub slopes: [Expression; 2],
    /// Does W solve the Hamilton–Jacobi equation in the new time?
    pub slopes_verified: Known,
}

/// Arzhanykh's substitution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum Substitution {
    /// It applies.
    Applies(Box<Arzhanykh>),
    /// It does not.
    DoesNotApply(DoesNotApply),
}

/// d(other) = A dη + B d(coordinate).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Arzhanykh {
    /// `true`.
    pub applies: bool,
    /// On which alone the inertia depends.
    pub coordinate: String,
    /// The one that is replaced by η.
    pub other: String,
    /// A.
    #[serde(rename = "A")]
    pub a: Expression,
    /// B.
    #[serde(rename = "B")]
    pub b: Expression,
    /// The multiplier afterwards.
    pub finding: Finding,
}
