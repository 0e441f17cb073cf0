//! Beyond the equations of motion: what is not mechanics, and what mechanics can be turned into.
//!
//! - [`vakonomic`]: the stationary-action equations of L + Σ μφ beside the true motion, and when they agree;
//! - [`principles`]: Hölder, Suslov, Suslov–Jourdain and Gauss evaluated along a motion, and the quadrilateral that does
//!   not close;
//! - [`canonical`]: generalised momenta, H₁, canonical equations, the generalised Hamilton–Jacobi equation;
//! - [`hamiltonise`]: Chaplygin's reducing multiplier verified in the new time, invariant measure, Arzhanykh's substitution;
//! - [`inverse`]: are the reduced equations Lagrangian as they stand;
//! - [`friction`]: reactions and the margin to the Coulomb limit;
//! - [`non_ideal`]: friction that depends on the reaction, and Painlevé's paradoxes.

// Loops over indices stand as in the formulas; `!(d <= threshold)` is meant to be true for NaN.
#![allow(clippy::needless_range_loop, clippy::neg_cmp_op_on_partial_ord)]

pub mod canonical;
pub mod friction;
pub mod hamiltonise;
pub mod inverse;
pub mod non_ideal;
pub mod principles;
pub mod vakonomic;

/// A subject of this module, for people.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The command that answers questions about it, or what it is called.
    pub id: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// Where it is treated.
    pub source: &'static str,
    /// What it needs.
    pub needs: &'static str,
    /// The documentation of its module: lines that begin with `//!`.
    source_text: &'static str,
}

impl Subject {
    /// What it is, with its equations.
    pub fn about(&self) -> &'static str {
        crate::forms::module_docs(self.source_text)
    }
}

/// What is explained beside the forms.
pub const SUBJECTS: &[Subject] = &[
    Subject {
        id: "compare",
        aliases: &["vakonomic", "rumyantsev"],
        name: "The vakonomic motion",
        source: "Sumbatov 2002, section 4, (4.12)-(4.14)",
        needs: "independent constraints of first order",
        source_text: include_str!("vakonomic.rs"),
    },
    Subject {
        id: "hamiltonise",
        aliases: &["reducing-multiplier", "arzhanykh"],
        name: "The reducing multiplier",
        source: "Chaplygin 1911; Sumbatov 2002, section 3, (3.18)",
        needs: "a Chaplygin system with linear homogeneous constraints, or quasi-velocities that close",
        source_text: include_str!("hamiltonise.rs"),
    },
    Subject {
        id: "inverse",
        aliases: &["helmholtz", "kinetic-potential"],
        name: "The inverse problem",
        source: "Sumbatov 2002, section 3, (3.19), (3.20); Helmholtz 1887; Sonin 1886",
        needs: "a Chaplygin system for Helmholtz's conditions; any system for the other two ways",
        source_text: include_str!("inverse.rs"),
    },
    Subject {
        id: "canonical",
        aliases: &["hamilton-jacobi"],
        name: "Canonical equations and the generalised Hamilton–Jacobi equation",
        source: "Sumbatov 2002, section 5, (5.1)-(5.3)",
        needs: "constraints linear in the velocities, forces with a potential",
        source_text: include_str!("canonical.rs"),
    },
    Subject {
        id: "principle",
        aliases: &["gauss", "holder", "quadrilateral"],
        name: "The principles of mechanics, evaluated",
        source: "Sumbatov 2002, section 4, (4.6), (4.7); Gauss 1829",
        needs: "independent constraints and an initial state",
        source_text: include_str!("principles.rs"),
    },
    Subject {
        id: "grip",
        aliases: &["friction", "reactions"],
        name: "Reactions and their limits",
        source: "Soltakhanov, Yushkov, Zegzhda 2009, the remark after example II.5",
        needs: "independent constraints; `friction` beside a constraint, or --limit",
        source_text: include_str!("friction.rs"),
    },
    Subject {
        id: "non-ideal",
        aliases: &["law", "painleve"],
        name: "Constraints that are not ideal",
        source: "Soltakhanov, Yushkov, Zegzhda 2009, chapter I, (1.12); Painlevé 1895",
        needs: "independent constraints and a law of friction in the multipliers (`noslip grip --law`)",
        source_text: include_str!("non_ideal.rs"),
    },
];

use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::zero::{Verdict, ZeroOptions, is_zero};
use crate::expr::{Expr, Matrix, transpose};
use crate::mechanics::Workbench;
use crate::simulate::{
    AfterStep, Dop853, Event, Keeper, Mechanical, Method, Observer, Ode, Plan, Radau, Run, Settings, StepSize, Stepper,
    Tolerance, integrate,
};

/// Directions of the virtual displacements, one row each: those of the model's quasi-velocities, else δq_s = 1.
pub(crate) fn virtual_displacements(w: &mut Workbench) -> Result<Matrix, String> {
    if let Ok(quasi) = w.directions() {
        let phi = quasi.phi_in_velocities(w);
        let l = quasi.free.len();
        return Ok(transpose(&phi).into_iter().take(l).collect());
    }
    let split = w.split()?;
    Ok(split.directions(w))
}

/// How an identity stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// By the normal form.
    Proved,
    /// At random points of the prime field.
    Tested,
    /// It does not hold.
    No,
    /// Neither could be shown.
    Unknown,
}

impl Truth {
    /// Proved or tested.
    pub fn holds(self) -> bool {
        matches!(self, Truth::Proved | Truth::Tested)
    }

    /// `proved`, `tested`, `no` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Truth::Proved => "proved",
            Truth::Tested => "tested",
            Truth::No => "no",
            Truth::Unknown => "unknown",
        }
    }

    /// Both must hold: the weaker of the two.
    pub fn and(self, other: Truth) -> Truth {
        let rank = |t: Truth| match t {
            Truth::Proved => 0,
            Truth::Tested => 1,
            Truth::Unknown => 2,
            Truth::No => 3,
        };
        if rank(self) >= rank(other) { self } else { other }
    }
}

/// Does the expression vanish identically, with the parameters at their values?
pub(crate) fn vanishes(w: &mut Workbench, e: Expr) -> Truth {
    let values = w.system.parameter_expressions(&mut w.g);
    let mut options = ZeroOptions::default();
    options.normal.limits = w.limits.clone();
    options.normal.limits.normal_form_work = w.limits.normal_form_work.min(PROOF_WORK);
    let literal = of(is_zero(&mut w.g, e, &options));
    if literal.holds() {
        return literal;
    }
    let e = w.g.substitute(e, &values);
    of(is_zero(&mut w.g, e, &options))
}

/// Elementary operations spent on the proof of one identity; what needs more is tested.
const PROOF_WORK: u64 = 20_000_000;

fn of(verdict: Verdict) -> Truth {
    match verdict {
        Verdict::Proved => Truth::Proved,
        Verdict::Tested { .. } => Truth::Tested,
        Verdict::Disproved { .. } => Truth::No,
        Verdict::Unknown { .. } => Truth::Unknown,
    }
}

/// Does it vanish along every motion of the system?
pub(crate) fn vanishes_on_motions(w: &mut Workbench, e: Expr) -> Truth {
    use crate::verify::{Finding, How, decide};
    match decide(w, e, &[]) {
        Finding::Holds(How::Proved) => Truth::Proved,
        // Along the motions from the model's own initial state only.
        Finding::Holds(How::Integral { .. }) => Truth::Unknown,
        Finding::Holds(_) => Truth::Tested,
        Finding::Fails(_) => Truth::No,
        Finding::Undecided(_) => Truth::Unknown,
    }
}

/// Keeps the first 2n components on the constraints and the samples in memory.
struct Track {
    keeper: Keeper<Mechanical>,
    n: usize,
    tolerance: f64,
    points: Vec<(f64, Vec<f64>)>,
}

impl Observer for Track {
    fn sample(&mut self, t: f64, y: &[f64]) {
        self.points.push((t, y.to_vec()));
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
        let mut state = y[..2 * self.n].to_vec();
        match self.keeper.keep(t, &mut state, (0.01 * self.tolerance).max(1e-14)) {
            Ok((_, true)) => {
                y[..2 * self.n].copy_from_slice(&state);
                AfterStep::Changed
            }
            // What is not finite is found by the integrator.
            _ => AfterStep::Continue,
        }
    }
}

/// A run and its samples.
type Followed = (Run, Vec<(f64, Vec<f64>)>);

/// Integrates an equation whose state begins with (q, q̇) of the system, kept on its constraints.
pub(crate) fn follow(
    w: &mut Workbench,
    ode: &mut dyn Ode,
    t: f64,
    y: &[f64],
    settings: &Settings,
    events: &mut [Event],
) -> Result<Followed> {
    settings.check()?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut track = Track {
        keeper: Keeper::new(Mechanical::new(w, &options)?),
        n: w.system.n(),
        tolerance: settings.tolerance,
        points: Vec::new(),
    };
    let tolerance = Tolerance::new(settings.tolerance);
    let sizes = settings.step.map_or_else(StepSize::default, StepSize::fixed);
    let mut stepper: Box<dyn Stepper> = match settings.method {
        Method::Dop853 => Box::new(Dop853::new(ode, t, y, tolerance, sizes)),
        Method::Implicit => Box::new(Radau::new(ode, t, y, tolerance, sizes)),
        other => {
            return Err(Error::not_applicable(format!("the method `{}` does not apply here", other.name()))
                .hint("give --method dop853 or --method implicit"));
        }
    };
    let plan = Plan { samples: &settings.at, max_steps: settings.max_steps, ..Plan::until(settings.until) };
    let run = integrate(stepper.as_mut(), &plan, events, &mut track);
    drop(stepper);
    Ok((run, track.points))
}
