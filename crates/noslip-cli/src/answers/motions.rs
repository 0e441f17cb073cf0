use super::{ByName, Expression, Known};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip reduce`: which variables close on themselves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Reduce {
    /// Name of the model.
    pub name: String,
    /// Members of the closed part, coordinates first.
    pub closed: Vec<String>,
    /// Coordinates that a holonomic constraint determines from the closed part.
    pub tied: Vec<String>,
    /// Coordinates that follow by integration.
    pub quadratures: Vec<String>,
    /// The rates, those of the closed part first.
    pub equations: Vec<Rate>,
    /// The quasi-velocities.
    pub quasi_velocities: Vec<QuasiVelocity>,
    /// Were they chosen by the program?
    pub chosen: bool,
    /// Members of the closed part that stand for differences of coordinates.
    pub relative: Vec<QuasiVelocity>,
    /// Does time occur in the closed part?
    pub rheonomic: bool,
    /// What leaves the closed part unchanged.
    pub symmetry: String,
    /// How it is known that the quadratures do not occur.
    pub how: Known,
}

/// A rate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Rate {
    /// Of what.
    pub of: String,
    /// The rate; `null` where it is too long to be written out.
    pub rate: Option<Expression>,
}

/// A quasi-velocity, or another name for an expression.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct QuasiVelocity {
    /// Its name.
    pub name: String,
    /// What it is.
    pub expression: Expression,
}

/// An eigenvalue.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Eigenvalue {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// What the eigenvalues say.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Stability {
    /// One lies on the right.
    Unstable,
    /// None lies on the right.
    Marginal,
    /// All lie on the left.
    Asymptotic,
}

/// `noslip steady`: steady motions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Steady {
    /// Name of the model.
    pub name: String,
    /// Members of the closed part.
    pub closed: Vec<String>,
    /// Dimension of the family.
    pub dimension: usize,
    /// Members held at the values nearest to the initial state.
    pub held: ByName<f64>,
    /// Was the initial state itself steady?
    pub initial_is_steady: bool,
    /// The motions, in the order of the family.
    pub motions: Vec<SteadyMotion>,
    /// Where something happens.
    pub critical: Vec<CriticalValue>,
    /// Why the family was not followed to the end.
    pub ended: Option<String>,
    /// `numerical`: how the motions are found.
    pub how: Known,
    /// Families in letters, found by elimination, the largest first.
    pub families: Vec<SteadyFamily>,
    /// Are these all families? Not given where elimination found none.
    pub complete: Option<bool>,
}

/// A family of steady motions in letters.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SteadyFamily {
    /// Its dimension.
    pub dimension: usize,
    /// Members of the closed part that may be chosen.
    pub free: Vec<String>,
    /// What the others are, in these.
    pub values: ByName<Expression>,
    /// Expressions that must vanish beside.
    pub relations: Vec<Expression>,
    /// Expressions that must not vanish.
    pub provided: Vec<Expression>,
    /// How it is known that these motions are steady.
    pub how: Known,
}

/// A steady motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SteadyMotion {
    /// Members of the closed part, tied coordinates too.
    pub values: ByName<f64>,
    /// Eigenvalues, zeros of the family first.
    pub eigenvalues: Vec<Eigenvalue>,
    /// Zeros due to the family and to integrals.
    pub zero: usize,
    /// What the others say.
    pub stable: Stability,
    /// Values of what is varied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varied: Option<ByName<f64>>,
}

/// Where something happens.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct CriticalValue {
    /// The value of what is varied, under its name.
    #[serde(flatten)]
    pub at: ByName<f64>,
    /// What happens.
    pub what: Happening,
    /// The eigenvalue it happens to.
    pub eigenvalue: Option<Eigenvalue>,
}

/// What happens.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Happening {
    /// An eigenvalue passes through zero.
    Divergence,
    /// A pair crosses the imaginary axis.
    Flutter,
    /// The family turns back.
    Fold,
    /// Two real eigenvalues become a pair.
    #[serde(rename = "double root")]
    DoubleRoot,
}

/// `noslip linearise`: the closed part linearised.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Linearise {
    /// Name of the model.
    pub name: String,
    /// The variables of the matrix.
    pub variables: Vec<String>,
    /// The state.
    pub about: ByName<f64>,
    /// The Jacobian: numbers, or expressions with `--symbolic`.
    pub matrix: Vec<Vec<MatrixEntry>>,
    /// Its eigenvalues.
    pub eigenvalues: Vec<Eigenvalue>,
    /// Zeros due to families and integrals.
    pub zero: usize,
    /// Coefficients of det(λ − J), the highest power first; `null` where they are too long.
    pub characteristic: Option<Vec<MatrixEntry>>,
    /// What the eigenvalues say; `null` where the state is not steady.
    pub stable: Option<Stability>,
    /// The same in second order.
    pub second_order: Option<SecondOrder>,
    /// Rates that do not vanish.
    pub moving: ByName<f64>,
    /// How the matrix is known.
    pub how: Known,
    /// What stays a letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<Vec<String>>,
    /// What must vanish for the motion to be steady.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provided: Option<Vec<Expression>>,
    /// Conditions of Routh and Hurwitz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<HurwitzCondition>>,
    /// Are they those of eigenvalues on the axis?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversible: Option<bool>,
}

/// A number or an expression.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub enum MatrixEntry {
    /// A number.
    Number(f64),
    /// An expression.
    Expression(Expression),
}

/// An expression that must be positive.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct HurwitzCondition {
    /// The expression.
    pub expression: Expression,
    /// `>0`.
    pub sign: String,
    /// Its value for the model.
    pub value: Option<f64>,
    /// Is it positive there?
    pub holds: bool,
}

/// M q″ + C q′ + K q = 0.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SecondOrder {
    /// The coordinates q.
    pub coordinates: Vec<String>,
    /// M.
    #[serde(rename = "M")]
    pub mass: Vec<Vec<f64>>,
    /// C.
    #[serde(rename = "C")]
    pub damping: Vec<Vec<f64>>,
    /// K.
    #[serde(rename = "K")]
    pub stiffness: Vec<Vec<f64>>,
    /// C and K by powers of a speed and of a parameter of the potential.
    pub split: Option<SplitByPowers>,
}

/// Matrices by the powers they belong to: `v^2`, `g`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SplitByPowers {
    /// Parts of C.
    #[serde(rename = "C")]
    pub damping: ByName<Vec<Vec<f64>>>,
    /// Parts of K.
    #[serde(rename = "K")]
    pub stiffness: ByName<Vec<Vec<f64>>>,
}

/// `noslip measure`: an invariant measure with a density in the coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct InvariantMeasure {
    /// Name of the model.
    pub name: String,
    /// Is there one? `null` where that is not decided.
    pub exists: Option<bool>,
    /// Its density, for dq dv.
    pub density: Option<Expression>,
    /// q and v.
    pub of: Vec<String>,
    /// Its density for dq dp, p the momenta of the quasi-velocities.
    pub momentum_density: Option<Expression>,
    /// How the answer is known.
    pub how: Known,
    /// What would have to vanish and does not, or why it is not decided.
    pub obstruction: Option<String>,
    /// In words.
    pub why: String,
    /// Angles after a full turn of which the density is another: it is one where their turns are counted.
    pub open: Vec<String>,
}

/// `noslip integrals`: integrals polynomial in the velocities.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FirstIntegrals {
    /// Name of the model.
    pub name: String,
    /// The integrals.
    pub integrals: Vec<FirstIntegral>,
    /// What was searched.
    pub searched: String,
}

/// An integral.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct FirstIntegral {
    /// A short name.
    pub name: String,
    /// The function of t, q, q̇.
    pub expression: Expression,
    /// Its degree in the velocities.
    pub degree: u32,
    /// How it is known.
    pub how: Known,
    /// `momentum`, `gauge`, `energy`, `moving energy` or `other`.
    pub kind: String,
}
