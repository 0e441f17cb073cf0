//! What the commands answer with `--format json`: one type per answer.
//!
//! The schemas of the project (`schemas/`) are generated from these types by a test, and cannot say anything else. The order
//! of the fields is the order of the document.

mod canonical;
mod catalogue;
mod check;
mod compare;
mod connect;
mod connection;
mod derive;
mod eval;
mod files;
mod grip;
mod hamiltonise;
mod inverse;
mod long_runs;
mod motions;
mod principle;
mod simulate;
#[cfg(test)]
mod tests;
mod verify;

pub use canonical::*;
pub use catalogue::*;
pub use check::*;
pub use compare::*;
pub use connect::*;
pub use connection::*;
pub use derive::*;
pub use eval::*;
pub use files::*;
pub use grip::*;
pub use hamiltonise::*;
use indexmap::IndexMap;
pub use inverse::*;
pub use long_runs::*;
pub use motions::*;
pub use principle::{
    ActionOnFamily, Evaluated, Evaluation as PrincipleEvaluation, FamilyMember, GivenCoordinate, Least, Principle,
    Quadrilateral, Term,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
pub use simulate::*;
pub use verify::*;

/// Values under names, in the order of the model.
pub type ByName<T> = IndexMap<String, T>;

/// Puts values under their names.
pub fn by_name<T>(names: &[String], values: impl IntoIterator<Item = T>) -> ByName<T> {
    names.iter().cloned().zip(values).collect()
}

/// In the syntax of the model file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Expression(#[cfg_attr(test, schemars(length(min = 1)))] pub String);

/// How it is known, or that it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// By the normal form.
    Proved,
    /// At random points of the prime field.
    Tested,
    /// At real states, to rounding.
    Numerical,
    /// It does not hold.
    Refuted,
    /// Neither could be shown.
    Unknown,
}

impl From<&noslip::expr::Known> for Known {
    fn from(known: &noslip::expr::Known) -> Known {
        match known {
            noslip::expr::Known::Proved => Known::Proved,
            noslip::expr::Known::Tested { .. } => Known::Tested,
            noslip::expr::Known::Numerical => Known::Numerical,
            noslip::expr::Known::Refuted(_) => Known::Refuted,
            noslip::expr::Known::Unknown(_) => Known::Unknown,
        }
    }
}

/// A state of the model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: ByName<f64>,
    /// Velocities, under the names of the coordinates.
    pub v: ByName<f64>,
}

impl State {
    /// From the time and all coordinates and velocities, under the names of the coordinates.
    pub fn new(names: &[String], t: f64, q: &[f64], v: &[f64]) -> State {
        State { t, q: by_name(names, q.iter().copied()), v: by_name(names, v.iter().copied()) }
    }
}

/// Coordinates and velocities at one time; `null` where they are not finite.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Phase {
    /// Coordinates.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub q: ByName<f64>,
    /// Velocities, under the names of the coordinates.
    #[cfg_attr(test, schemars(with = "ByName<Option<f64>>"))]
    pub v: ByName<f64>,
}

impl Phase {
    /// From all coordinates and velocities, under the names of the coordinates.
    pub fn new(names: &[String], y: &[f64]) -> Phase {
        let (q, v) = y.split_at(names.len());
        Phase { q: by_name(names, q.iter().copied()), v: by_name(names, v.iter().copied()) }
    }
}

/// What stands in the way of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Refusal {
    /// The file or option in which the errors have their places.
    pub file: Option<String>,
    /// All of them, in the order of the file.
    pub errors: Vec<Problem>,
}

/// An error and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// Where it begins, from 1.
    pub line: Option<usize>,
    /// In characters, from 1.
    pub column: Option<usize>,
    /// Where it ends.
    pub end_line: Option<usize>,
    /// Behind its last character.
    pub end_column: Option<usize>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A subject that does not arise for the model, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct DoesNotApply {
    /// `false`.
    applies: bool,
    /// Why not.
    pub why: String,
}

impl DoesNotApply {
    /// For this reason.
    pub fn because(why: impl Into<String>) -> DoesNotApply {
        DoesNotApply { applies: false, why: why.into() }
    }
}
