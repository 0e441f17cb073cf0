#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// `noslip new`, `noslip report` and `noslip studio`: a file that was written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Wrote {
    /// What was written.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub file: String,
    /// Its length.
    pub bytes: usize,
}

/// `noslip draw`: a picture that was written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Drawn {
    /// What was written.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub file: String,
    /// Its length.
    pub bytes: usize,
    /// The moment that is drawn.
    pub t: f64,
}

/// `noslip export`: source code that was written.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Exported {
    /// What was written.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub file: String,
    /// Its length.
    pub bytes: usize,
    /// Name of the function.
    pub function: String,
    /// t, coordinates, velocities, in the order the function takes them.
    #[cfg_attr(test, schemars(length(min = 3)))]
    pub inputs: Vec<String>,
    /// Accelerations, multipliers, growth.
    #[cfg_attr(test, schemars(length(min = 2)))]
    pub outputs: Vec<String>,
}

/// `noslip sweep`: what is in the folder now.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Swept {
    /// Where the parts and the manifest are.
    pub folder: String,
    /// Points of the sweep.
    pub points: u64,
    /// Parts of the whole sweep.
    pub parts: u64,
    /// Parts made by this run.
    pub made: usize,
    /// Parts that are there now.
    pub present: u64,
    /// Are all parts there?
    pub complete: bool,
}
