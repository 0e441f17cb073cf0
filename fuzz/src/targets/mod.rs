//! What is tried, and what must be true.

mod claims;
mod expressions;
mod forms;
mod motions;
mod program;
mod runs;
mod steady;

pub use claims::{claim_is_judged_right, claim_is_judged_right_as};

use crate::random::Random;
use noslip::Limits;
use noslip::model::Model;

/// How far a trial came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The input was refused, does not apply, or the question was left open.
    Refused,
    /// There was an answer, and nothing was wrong with it.
    Answered,
}

/// How far a trial came, or what went wrong.
pub type Trial = Result<Reached, String>;

/// What is tried with a seed.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// One trial.
    pub run: fn(u64) -> Trial,
}

/// All of them.
pub const TARGETS: [Target; 14] = [
    Target { name: "expressions", run: expressions::expressions },
    Target { name: "texts", run: expressions::texts },
    Target { name: "claims", run: claims::claims },
    Target { name: "positions", run: claims::positions },
    Target { name: "books", run: claims::books },
    Target { name: "models", run: forms::models },
    Target { name: "systems", run: forms::systems },
    Target { name: "gallery", run: forms::gallery },
    Target { name: "runs", run: runs::runs },
    Target { name: "values", run: runs::values },
    Target { name: "bodies", run: runs::bodies },
    Target { name: "motions", run: motions::motions },
    Target { name: "options", run: program::options },
    Target { name: "files", run: program::files },
];

const WORDS: [&str; 24] = [
    "sin(",
    "cos(",
    "exp(",
    "log(",
    "sqrt(",
    "abs(",
    "sign(",
    "tanh(",
    "asin(",
    "atan2(",
    "x",
    "y",
    "x'",
    "x''",
    "t",
    "pi",
    "1e9",
    "0.1",
    "^2",
    "^(1/2)",
    "/",
    "*",
    "-",
    "9999999999999999999999",
];

fn limits() -> Limits {
    Limits { normal_form_work: 2_000_000, ..Limits::default() }
}

/// A model of the gallery with a few changes.
fn changed_model(random: &mut Random) -> Option<(String, Model)> {
    let (_, text) = random.pick(noslip_gallery::MODELS);
    // Only what stands between quotes in the mechanics is changed.
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("[parameters]") || l.starts_with("[energy]"))?;
    let at = first + random.below(lines.len() - first);
    let line = match random.below(3) {
        0 => random.mutated(lines[at], &WORDS),
        _ => random.respelled(lines[at]),
    };
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines[at] = line;
    let text = lines.join("\n");
    let model = Model::load(&text, "changed.toml", &limits()).ok()?;
    (model.system.n() <= 4).then_some((text, model))
}
