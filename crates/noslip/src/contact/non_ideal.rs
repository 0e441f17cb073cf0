//! Constraints that are not ideal: friction that depends on the reaction.
//!
//! A constraint is not ideal when its reaction has a part T₀ along the virtual displacements, given by a law that may depend
//! on the reaction itself (the book's chapter I, (1.12)):
//! ```text
//! M q̈ = f + T₀(t, q, q̇, λ) + Aᵀλ,   A q̈ = b                                                                     (1)
//! λ = λ_f + P T₀(t, q, q̇, λ)                                                                                    (2)
//! ```
//! λ_f being the multipliers without friction and P their response to forces. (2) is solved for λ at every evaluation.
//!
//! Coulomb's law is not smooth in λ: it contains |λ|. With a sign σ for every modulus and sign of an expression u(λ) in the
//! law, T₀ is affine in λ for most laws; then (2) is solved for each choice of signs, and a solution counts if σ u ≥ 0. Exactly
//! one must be left. None or several are Painlevé's paradoxes: the rigid model has no motion, or does not say which. Laws that
//! are not of this kind, √(λ₁² + λ₂²) say, are solved by Newton's method from several starts.
//!
//! A law belongs to a constraint of the model, `law = { x = "…" }` by coordinates or `law = "…"`, a function D(t, q, q̇, λ) with
//! T₀ = −∂D/∂q̇; or it is tried out with `noslip grip --law`. In the equations of motion T_x stands for its part on x: they are proved
//! for every such force.
//!
//! A law with sign(u(q, q̇)) is a law of sliding: where u vanishes sliding ends, and it does not say what follows. A run ends
//! there with an event. A body that comes to rest and may stay there has a constraint u = 0 with that friction instead.

use crate::card::Card;
use crate::compile::CompileOptions;
use crate::error::{Error, Remedy, Result};
use crate::expr::{Expr, Function, Node, Printer, Style, Symbol, Tree};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::brief;
use crate::simulate::follow;
use crate::simulate::{Event, Outcome, Probe, RhsFailure, Sample, Settings, Simulation, Statistics};
use std::fmt;

pub use super::reaction::NonIdeal;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "non-ideal",
    aliases: &["law", "painleve"],
    name: "Constraints that are not ideal",
    source: "Soltakhanov, Yushkov, Zegzhda 2009, chapter I, (1.12); Painlevé 1895",
    needs: "independent constraints and a law of friction in the multipliers: `law` beside a constraint, or given with the question",
    about: crate::card::head_of!("non_ideal.rs"),
};

/// Why a law does not determine the reaction.
#[derive(Clone, Debug, PartialEq)]
pub enum LawFailure {
    /// No reaction satisfies it: every choice of signs was tried. Each candidate contradicts the signs it was computed with.
    None {
        /// The candidates.
        candidates: Vec<Vec<f64>>,
    },
    /// Several reactions satisfy it.
    Several {
        /// The reactions.
        solutions: Vec<Vec<f64>>,
    },
    /// The law is degenerate: it leaves a reaction undetermined, or admits none.
    Degenerate,
    /// Newton's method found no reaction; that is no proof that there is none.
    NotFound,
}

impl LawFailure {
    /// In words, with the names of the constraints.
    pub fn describe(&self, constraints: &[String]) -> String {
        let list = |all: &[Vec<f64>]| -> String {
            let one = |x: &Vec<f64>| {
                let parts: Vec<String> =
                    constraints.iter().zip(x).map(|(n, x)| format!("lambda_{n} = {}", brief(*x, 6))).collect();
                parts.join(", ")
            };
            all.iter().map(one).collect::<Vec<_>>().join("; or ")
        };
        match self {
            LawFailure::None { candidates } => {
                let why = if candidates.is_empty() {
                    String::new()
                } else {
                    format!(": {} contradicts the sign it was computed with", list(candidates))
                };
                format!("no reaction satisfies the law of friction (Painlevé's paradox){why}")
            }
            LawFailure::Several { solutions } => format!(
                "{} reactions satisfy the law of friction (Painlevé's paradox): {}; rigid bodies do not tell which",
                solutions.len(),
                list(solutions)
            ),
            LawFailure::Degenerate => "the law of friction does not determine the reaction".into(),
            LawFailure::NotFound => "no reaction was found that satisfies the law of friction".into(),
        }
    }
}

impl fmt::Display for LawFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(&[]))
    }
}

/// The velocities of sliding in a law: arguments of signs that depend on velocities and not on the reaction, with their text.
fn sliding(w: &Workbench, law: &[Expr]) -> Vec<(String, Expr)> {
    let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    let mut list: Vec<(String, Expr)> = Vec::new();
    for e in w.g.reachable(law) {
        if let Node::Call(Function::Sign, u) = *w.g.node(e)
            && w.g.depends_on_any(u, &w.system.velocities)
            && !w.g.depends_on_any(u, &multipliers)
        {
            let text = Tree::of(&w.g, u, &w.limits).map(|tree| Printer::new(Style::Text).print(&w.g, &tree));
            list.push((format!("sliding ends, {}", text.unwrap_or_else(|_| "its velocity".into())), u));
        }
    }
    list
}

/// The motion with friction at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct NonIdealSample {
    /// Time.
    pub t: f64,
    /// Coordinates and velocities.
    pub y: Vec<f64>,
    /// Accelerations.
    pub accelerations: Vec<f64>,
    /// Multipliers.
    pub multipliers: Vec<f64>,
    /// T₀.
    pub tangential: Vec<f64>,
    /// T + V.
    pub energy: f64,
    /// T₀·q̇.
    pub power: f64,
}

/// A run with friction at the constraints.
#[derive(Clone, Debug)]
pub struct NonIdealRun {
    /// How it ended.
    pub outcome: Outcome,
    /// What the law did wrong, where the run ended because of it.
    pub law: Option<LawFailure>,
    /// The last good time and state.
    pub end: (f64, Vec<f64>),
    /// The requested samples.
    pub samples: Vec<NonIdealSample>,
    /// What it cost.
    pub statistics: Statistics,
    /// Largest relative residual of a constraint before projection.
    pub constraint_drift: f64,
    /// Most iterations one evaluation needed for the reaction; zero for laws that are affine but for signs.
    pub most_iterations: usize,
}

impl NonIdealRun {
    /// The run as one of any other motion.
    pub fn simulation(self, settings: &Settings) -> Simulation {
        let first = self.samples.first().map_or(0.0, |s| s.energy);
        let change = self.samples.iter().map(|s| (s.energy - first).abs());
        let energy_drift = change.fold(0.0, f64::max) / first.abs().max(1.0);
        let sample =
            |s: NonIdealSample| Sample { t: s.t, y: s.y, accelerations: s.accelerations, multipliers: s.multipliers };
        Simulation {
            outcome: self.outcome,
            method: settings.method,
            end: self.end,
            samples: self.samples.into_iter().map(sample).collect(),
            occurrences: Vec::new(),
            statistics: self.statistics,
            energy_drift,
            constraint_drift: self.constraint_drift,
        }
    }
}

/// Integrates (1) from a state; `settings.stops` end the run where an expression of t, q, q̇ and λ crosses zero, and so does
/// the end of sliding.
pub fn simulate_non_ideal(w: &mut Workbench, law: &[Expr], state: &State, settings: &Settings) -> Result<NonIdealRun> {
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut motion = NonIdeal::new(w, law, &options)?;
    let y = state.values();
    if let Err(f) = motion.solve(state.time, &y) {
        let why = match f {
            RhsFailure::Singular { which } if motion.failure.is_some() => which,
            other => other.to_string(),
        };
        return Err(Error::computation(format!("at the initial state {why}")).remedy(Remedy::Friction));
    }
    let mut events = Vec::new();
    let coordinates: Vec<Expr> = law.iter().map(|&e| crate::verify::in_coordinates(w, e)).collect();
    let ends = sliding(w, &coordinates);
    for (name, e) in settings.stops.iter().chain(&ends) {
        let mut probe = Probe::new(w, &[*e], &options)?;
        let mut motion = NonIdeal::new(w, law, &options)?;
        let function = move |t: f64, y: &[f64]| match motion.solve(t, y) {
            Ok((a, lambda, _)) => probe.values(t, y, a, lambda)[0],
            Err(_) => f64::NAN,
        };
        events.push(Event::new(name.clone(), function).terminal());
    }
    let (run, points, drift) = follow(w, &mut motion, state.time, &y, settings, &mut events)?;
    let total = w.g.of(w.system.kinetic + w.system.potential);
    let mut energy = Probe::new(w, &[total], &options)?;
    let n = w.system.n();
    let failure = if run.outcome.is_success() { None } else { motion.failure.take() };
    let mut samples = Vec::new();
    for (t, y) in points {
        let Ok((a, lambda, tangential)) = motion.solve(t, &y) else { break };
        samples.push(NonIdealSample {
            t,
            accelerations: a.to_vec(),
            multipliers: lambda.to_vec(),
            tangential: tangential.to_vec(),
            power: tangential.iter().zip(&y[n..]).map(|(f, v)| f * v).sum(),
            energy: energy.values(t, &y, &[], &[])[0],
            y,
        });
    }
    Ok(NonIdealRun {
        outcome: run.outcome,
        law: failure,
        end: (run.t, run.state),
        samples,
        statistics: run.statistics,
        constraint_drift: drift,
        most_iterations: motion.most_iterations,
    })
}
