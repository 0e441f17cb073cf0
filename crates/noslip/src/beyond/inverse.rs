//! The inverse problem: are the equations of motion Lagrangian as they stand?
//!
//! There are three ways:
//! - all multipliers vanish along every motion, L being that of the system without its constraints (the ball on a plane);
//! - Lagrange's equation of T°, the energy with the constraints inserted, is right for every independent coordinate (the
//!   upright hoop, Synge's wheels), or for some (Ferrers: the inclination of the hoop);
//! - the reduced equations satisfy Helmholtz's conditions ([`crate::analysis::lagrangian_facts`]); for one degree of freedom
//!   a factor makes them do so, and a kinetic potential Θ is constructed and put to the test:
//!   d/dt ∂Θ/∂q̇ − ∂Θ/∂q must be the factor times the reduced equation.
//!
//! Sources: Sumbatov, section 3, the examples and (3.19), (3.20); Helmholtz 1887; Sonin 1886.

use super::{Truth, vanishes, vanishes_on_motions};
use crate::analysis::{Generic, LagrangianFacts, helmholtz_conditions, lagrangian_facts};
use crate::expr::{Expr, Rational, Symbol};
use crate::forms::{SplitFrame, Workbench, by_id};

/// What is known of the inverse problem.
#[derive(Clone, Debug)]
pub struct InverseProblem {
    /// Does the multiplier vanish along every motion? Per constraint.
    pub multipliers_vanish: Vec<Truth>,
    /// Coordinates with independent velocities, and whether Lagrange's equation of T° is right for each.
    pub lagrange_form: Vec<(Symbol, Truth)>,
    /// Helmholtz's conditions for Chaplygin's equations; `Err` says why there are no closed reduced equations.
    pub reduced: Result<LagrangianFacts, String>,
    /// What is left of the first of Helmholtz's conditions that fails.
    pub obstruction: Option<Expr>,
    /// Does the kinetic potential give the reduced equation? `None` where there is no potential.
    pub potential_verified: Option<Truth>,
}

impl InverseProblem {
    /// Lagrangian as it stands, in one of the three ways.
    pub fn lagrangian(&self) -> bool {
        let all = |list: &[Truth]| !list.is_empty() && list.iter().all(|t| t.holds());
        let form: Vec<Truth> = self.lagrange_form.iter().map(|(_, t)| *t).collect();
        all(&self.multipliers_vanish) || all(&form) || self.reduced.as_ref().is_ok_and(|f| f.self_adjoint)
    }
}

/// Answers the inverse problem as far as it can be answered.
pub fn inverse_problem(w: &mut Workbench) -> InverseProblem {
    let mut multipliers_vanish = Vec::new();
    for c in &w.system.constraints {
        let lambda = w.g.symbol(c.multiplier);
        multipliers_vanish.push(vanishes_on_motions(w, lambda));
    }
    let mut lagrange_form = Vec::new();
    if let Ok(split) = w.chaplygin_split().or_else(|_| w.split()) {
        let frame = SplitFrame::new(w, split.clone());
        for (s, &i) in split.independent.iter().enumerate() {
            let p = frame.kinetic_v(w, s);
            let rate = frame.ddt(w, p);
            let by_q = frame.kinetic_q(w, i);
            let force = frame.force(w, s);
            let terms = [(rate, Rational::ONE), (by_q, Rational::MINUS_ONE), (force, Rational::MINUS_ONE)];
            let e = w.g.linear(Rational::ZERO, terms);
            lagrange_form.push((w.system.coordinates[i], vanishes_on_motions(w, e)));
        }
    }
    let mut generic = Generic::new(w.g, w.system);
    let reduced = lagrangian_facts(w, &mut generic);
    let (mut obstruction, mut potential_verified) = (None, None);
    if let Ok(facts) = &reduced {
        if !facts.self_adjoint {
            obstruction = first_failure(w);
        }
        if let Some((factor, potential)) = facts.kinetic_potential {
            potential_verified = verify(w, factor, potential);
        }
    }
    InverseProblem { multipliers_vanish, lagrange_form, reduced, obstruction, potential_verified }
}

/// Chaplygin's equations with their coordinates, velocities and accelerations.
fn reduced_equations(w: &mut Workbench) -> Option<(Vec<Expr>, [Vec<Symbol>; 3])> {
    let split = w.chaplygin_split().ok()?;
    let eq = by_id("chaplygin")?.derive(w).ok()?;
    let equations = w.simplify_all(&eq.equations[..eq.own]);
    let system = w.system;
    let symbols = [&system.coordinates, &system.velocities, &system.accelerations].map(|l| split.pick_independent(l));
    Some((equations, symbols))
}

fn first_failure(w: &mut Workbench) -> Option<Expr> {
    let (equations, [r, v, a]) = reduced_equations(w)?;
    let conditions = helmholtz_conditions(w, &equations, &r, &v, &a);
    let failing = conditions.into_iter().find(|&e| vanishes(w, e) == Truth::No)?;
    Some(w.simplify(failing))
}

/// d/dt ∂Θ/∂q̇ − ∂Θ/∂q against the factor times the equation.
fn verify(w: &mut Workbench, factor: Expr, potential: Expr) -> Option<Truth> {
    let (equations, [r, v, _]) = reduced_equations(w)?;
    let p = w.g.diff(potential, v[0]);
    let rate = w.g.time_derivative(p);
    let by_q = w.g.diff(potential, r[0]);
    let right = w.g.mul(factor, equations[0]);
    let terms = [(rate, Rational::ONE), (by_q, Rational::MINUS_ONE), (right, Rational::MINUS_ONE)];
    let e = w.g.linear(Rational::ZERO, terms);
    Some(vanishes(w, e))
}
