use super::{ByName, Eigenvalue, Ending, Known, Stability};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip exponents`: Lyapunov exponents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LyapunovExponents {
    /// Name of the model.
    pub name: String,
    /// Members of the closed part.
    pub closed: Vec<String>,
    /// The exponents, the largest first.
    pub exponents: Vec<LyapunovExponent>,
    /// Mean divergence of the closed part along the motion, which the sum of all exponents must be; `null` where not all were
    /// computed.
    pub divergence: Option<f64>,
    /// Kaplan–Yorke dimension; `null` where the exponents suggest no attractor.
    pub dimension: Option<f64>,
    /// When the counting began.
    pub from: f64,
    /// When it ended.
    pub until: f64,
    /// Steps taken.
    pub steps: u64,
    /// `numerical`.
    pub how: Known,
}

/// A Lyapunov exponent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LyapunovExponent {
    /// Its value.
    pub value: f64,
    /// Standard error, by the spread over ten parts of the run; `null` where there are fewer.
    pub error: Option<f64>,
}

/// `noslip section`: crossings of a surface, or a periodic motion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Section {
    /// Name of the model.
    pub name: String,
    /// What vanishes on the surface, as it was asked for.
    pub on: String,
    /// `rising`, `falling` or `both`.
    pub direction: String,
    /// The crossings.
    pub points: Vec<SectionPoint>,
    /// How the run ended.
    pub outcome: Ending,
    /// The last good time.
    pub end: f64,
    /// The periodic motion that was asked for.
    pub periodic: Option<PeriodicMotion>,
    /// `numerical`.
    pub how: Known,
}

/// A crossing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct SectionPoint {
    /// When.
    pub t: f64,
    /// The columns there.
    pub values: ByName<f64>,
}

/// A periodic motion of the closed part.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct PeriodicMotion {
    /// Members of the closed part, tied ones too, where the motion crosses the section.
    pub values: ByName<f64>,
    /// The period.
    pub period: f64,
    /// Floquet's multipliers, the largest first.
    pub multipliers: Vec<Eigenvalue>,
    /// How many of them are 1.
    pub ones: usize,
    /// What the others say.
    pub stable: Stability,
    /// How far from closed the motion is.
    pub residual: f64,
    /// Returns to the section in a period: as many as were asked for, or a part of them.
    pub returns: usize,
    /// How far it is from where the initial motion crosses the section, in parts of the size of the closed part there.
    pub away: f64,
    /// Full turns of angles in a period.
    pub turns: ByName<i64>,
}
