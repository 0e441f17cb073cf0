use super::{Known, State};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip verify`: whether hand-derived equations follow from the model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Verification {
    /// In the order in which they were given.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub claims: Vec<VerifiedClaim>,
    /// Which letter of the author was taken for which name of the model, in LaTeX and Python.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<Letter>>,
}

/// A line of the table of names.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Letter {
    /// As the author writes it.
    pub letter: String,
    /// In the model.
    pub name: String,
    /// The model.
    pub model: String,
}

/// Why an equation could not be read.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Unread {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A claim and the verdict.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct VerifiedClaim {
    /// Its name in the file, or the equation itself.
    pub id: String,
    /// What the claims file says in `expect`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    /// Does it follow? `null`: undecided, see `why`.
    pub holds: Option<bool>,
    /// How it is known to hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<Known>,
    /// A bound on the probability that a tested verdict is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_bound: Option<f64>,
    /// What it holds because of, if not of the equations alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
    /// A state at which it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// What the mistake may be, of a claim that fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Vec<Diagnosis>>,
    /// Why it could not be decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Where it begins, in LaTeX and Python.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The author's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The same in the syntax of models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<String>,
    /// The equation with one term replaced, in the author's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<String>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<Unread>,
}

/// A state at which a claim fails.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Counterexample {
    /// The state.
    #[serde(flatten)]
    pub state: State,
    /// Left side minus right side at this state.
    pub residual: f64,
}

/// A mistake that would explain it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Diagnosis {
    /// In a few words.
    pub mistake: String,
    /// In a sentence.
    pub explanation: String,
    /// What would hold; it is claimed to vanish.
    pub suggestion: Option<String>,
}
