//! Two motions beside each other: those of two models, or the true one and that of Lindelöf's error.
//!
//! Lindelöf put the constraints q̇_{l+ν} = α_ν into the kinetic energy and wrote Lagrange's equations for what he got, as if the
//! constraints were holonomic. What he left out, Voronets' equations have on their left side:
//!
//! ```text
//! d/dt ∂T°/∂q̇_s − ∂T°/∂q_s = Q°_s                                                              (wrong)
//! d/dt ∂T°/∂q̇_s − ∂T°/∂q_s − Σ_ν α_νs ∂T°/∂q_{l+ν} − Σ_ν B_s^ν (∂T/∂q̇_{l+ν})* = Q°_s             (right)
//! ```
//!
//! The wrong motion is the true one under a force that takes these terms away, F_s = −Σ_ν (α_νs ∂T°/∂q_{l+ν} + B_s^ν (∂T/∂q̇_{l+ν})*):
//! so it is computed, and kept on the same constraints. Where F vanishes nothing was left out, as with integrable constraints.
//!
//! Two models are compared in the coordinates that have the same names in both, each from its own initial state.
//!
//! Valid when: for Lindelöf's motion the constraints are of first order and solved for the dependent velocities, and what is left out
//! contains no accelerations (linear constraints).
//! Sources: Soltakhanov, Yushkov, Zegzhda, chapter II, section 6; Sumbatov, section 3; the limit ρ → 0 in example II.7.

use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Rational, Symbol};
use crate::mechanics::{SplitFrame, Workbench};
use crate::model::{State, System};
use crate::simulate::{Settings, Simulation, simulate};

/// What people are told of it.
pub const CARD: Card = Card {
    id: "beside",
    aliases: &["lindelof", "lindelöf", "reduced", "two-models"],
    name: "Two motions beside each other",
    source: "Soltakhanov, Yushkov, Zegzhda II, section 6",
    needs: "two models with common coordinates; for Lindelöf's motion linear constraints of first order",
    about: crate::card::head_of!("beside.rs"),
};

/// The system whose motion is that of Lindelöf's error.
#[derive(Clone, Debug)]
pub struct Lindelof {
    /// T°.
    pub kinetic: Expr,
    /// What is left out of the equation of each independent coordinate: added to the right equation it gives the wrong one.
    pub left_out: Vec<(Symbol, Expr)>,
    /// The system under the force that takes it away.
    pub system: System,
}

impl Lindelof {
    /// Puts the constraints into the energy.
    pub fn of(w: &mut Workbench) -> Result<Lindelof> {
        Lindelof::derive(w)
            .map_err(|why| Error::not_applicable(format!("the constraints cannot be put into the energy: {why}")))
    }

    fn derive(w: &mut Workbench) -> Result<Lindelof, String> {
        if w.system.k() == 0 {
            return Err("the system has no constraints".into());
        }
        w.no_second_order()?;
        let split = w.split()?;
        if split.explicit.is_none() {
            return Err("they cannot be solved for the dependent velocities in closed form".into());
        }
        let frame = SplitFrame::new(w, split.clone());
        let mut system = (*w.system).clone();
        let mut left_out = Vec::new();
        for (s, &i) in split.independent.iter().enumerate() {
            let mut terms = Vec::new();
            for (nu, &j) in split.dependent.iter().enumerate() {
                let by = frame.kinetic_q(w, j);
                terms.push((w.g.mul(frame.alpha_v[nu][s], by), Rational::MINUS_ONE));
                let bracket = frame.voronets_bracket(w, nu, s);
                terms.push((w.g.mul(bracket, frame.dependent_momenta[nu]), Rational::MINUS_ONE));
            }
            let force = w.g.linear(Rational::ZERO, terms);
            let force = w.simplify(force);
            if w.g.depends_on_any(force, &w.system.accelerations) {
                let q = w.g.name(w.system.coordinates[i]);
                return Err(format!("what is left out of the equation of `{q}` contains accelerations"));
            }
            system.forces[i] = w.g.add(system.forces[i], force);
            left_out.push((w.system.coordinates[i], w.g.neg(force)));
        }
        Ok(Lindelof { kinetic: frame.kinetic, left_out, system })
    }

    /// Is nothing left out?
    pub fn is_right(&self, w: &Workbench) -> bool {
        self.left_out.iter().all(|&(_, e)| w.g.is_zero(e))
    }
}

/// Two motions and how far they are apart.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The first motion.
    pub first: Simulation,
    /// The second.
    pub second: Simulation,
    /// Largest difference of a common coordinate, per sample that both have.
    pub differences: Vec<f64>,
    /// The coordinate in which it is largest, per sample: its place among the common ones.
    pub widest: Vec<usize>,
}

impl Beside {
    /// The first sample where the motions differ by more than `threshold`: time and difference.
    pub fn departs(&self, threshold: f64) -> Option<(f64, f64)> {
        let i = self.differences.iter().position(|d| d.is_nan() || *d > threshold)?;
        Some((self.first.samples[i].t, self.differences[i]))
    }

    /// Over all samples.
    pub fn largest(&self) -> f64 {
        self.differences.iter().fold(0.0, |m, d| if d.is_nan() { f64::NAN } else { m.max(*d) })
    }
}

/// A model with the state it starts from.
pub type Started<'a> = (&'a mut Workbench, &'a State);

/// Runs both; `common` are the places of the coordinates that both have, first and second.
pub fn beside(first: Started, second: Started, common: &[(usize, usize)], settings: &Settings) -> Result<Beside> {
    if first.1.time != second.1.time {
        let message = format!("the motions begin at different times, {} and {}", first.1.time, second.1.time);
        return Err(Error::input(message).hint("give both models the same initial time"));
    }
    if common.is_empty() {
        return Err(Error::input("the models have no coordinate of the same name")
            .hint("give the coordinates that mean the same the same name"));
    }
    let one = simulate(first.0, first.1, settings, &mut |_| true)?;
    let plain = Settings { stops: Vec::new(), ..settings.clone() };
    let two = simulate(second.0, second.1, &plain, &mut |_| true)?;
    let (mut differences, mut widest) = (Vec::new(), Vec::new());
    for (a, b) in one.samples.iter().zip(&two.samples) {
        let apart: Vec<f64> = common.iter().map(|&(i, j)| (a.y[i] - b.y[j]).abs()).collect();
        let at = (0..apart.len()).max_by(|&x, &y| apart[x].total_cmp(&apart[y])).unwrap_or(0);
        differences.push(apart[at]);
        widest.push(at);
    }
    Ok(Beside { first: one, second: two, differences, widest })
}
