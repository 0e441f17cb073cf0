//! The inverse problem: are the equations of motion Lagrangian as they stand?
//!
//! There are three ways:
//! - all multipliers vanish along every motion, L being that of the system without its constraints (the ball on a plane);
//! - Lagrange's equation of T°, the energy with the constraints inserted, is right for every independent coordinate (the
//!   upright hoop, Synge's wheels), or for some (Ferrers: the inclination of the hoop);
//! - the reduced equations satisfy Helmholtz's conditions.
//!
//! A multiplier that does not vanish along every motion is told as a function of the state: where it is zero, the motion is one of
//! the system without that constraint.
//!
//! They are not Lagrangian as they stand when one of Helmholtz's conditions is proved to fail. For one degree of freedom a
//! factor makes them satisfy the conditions all the same: a kinetic potential Θ is constructed and put to the test,
//! d/dt ∂Θ/∂q̇ − ∂Θ/∂q must be the factor times the reduced equation.
//!
//! For two degrees of freedom the factor is a matrix g, which satisfies linear equations (Douglas 1941):
//! ```text
//! D g_ab = −½ (g_ac ∂F_c/∂ṙ_b + g_bc ∂F_c/∂ṙ_a),   gΦ, g∇Φ, g∇∇Φ symmetric                                          (1)
//! Φ_cb = ½ D(∂F_c/∂ṙ_b) − ∂F_c/∂r_b − ¼ ∂F_c/∂ṙ_d ∂F_d/∂ṙ_b,    ∇Φ = DΦ − ½[∂F/∂ṙ, Φ]
//! ```
//! of r̈ = F, D the derivative along the motion. Where the determinant of the three conditions of symmetry does not vanish there is no
//! kinetic potential at all. Otherwise g is looked for among constant combinations of the inertia and unit matrices times the multipliers
//! exp(−∫ ∂F_a/∂ṙ_a dt); det g is Jacobi's last multiplier.
//!
//! Sources: Sumbatov, section 3, the examples and (3.19), (3.20); Helmholtz 1887; Sonin 1886; J. Douglas, Trans. AMS 50 (1941).

pub use super::douglas::Douglas;
use super::douglas::{Two, douglas};
use crate::analysis::{KineticPotential, helmholtz_condition, lagrangian_facts};
use crate::card::Card;
use crate::expr::Known;
use crate::expr::{Expr, Symbol};
use crate::forms::{Chaplygin, Form, UdwadiaKalaba};
use crate::mechanics::Generic;
use crate::mechanics::{IN_GENERAL, SplitFrame, Workbench};
use crate::verify::{vanishes, vanishes_in_general, vanishes_on_motions};

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "inverse",
    aliases: &["helmholtz", "kinetic-potential"],
    name: "The inverse problem",
    source: "Sumbatov 2002, section 3, (3.19), (3.20); Helmholtz 1887; Sonin 1886; Douglas 1941",
    needs: "a Chaplygin system for Helmholtz's conditions; any system for the other two ways",
    about: crate::card::head_of!("inverse.rs"),
};

/// What is known of the inverse problem.
#[derive(Clone, Debug)]
pub struct InverseProblem {
    /// Does the multiplier vanish along every motion? Per constraint.
    pub multipliers_vanish: Vec<Known>,
    /// Where it does not: the multiplier as a function of the state, dependent velocities put in. The motions and forces for which it
    /// vanishes need no constraint.
    pub multipliers: Vec<Option<Expr>>,
    /// Have the forces on the free system a potential, perhaps of the velocities? (Helmholtz's conditions for Q.)
    pub free_forces: Known,
    /// Coordinates with independent velocities, and whether Lagrange's equation of T° is right for each.
    pub lagrange_form: Vec<(Symbol, Known)>,
    /// Have the forces in those equations a potential of the independent coordinates?
    pub form_forces: Known,
    /// The reduced equations of Chaplygin; `Err` says why there are none.
    pub reduced: Result<ReducedProblem, String>,
}

/// The inverse problem of the reduced equations.
#[derive(Clone, Debug)]
pub struct ReducedProblem {
    /// Their coordinates.
    pub coordinates: Vec<Symbol>,
    /// The equations, which vanish.
    pub equations: Vec<Expr>,
    /// Do they satisfy Helmholtz's conditions?
    pub helmholtz: Known,
    /// What is left of the first condition that fails.
    pub obstruction: Option<Expr>,
    /// For one degree of freedom.
    pub kinetic_potential: Option<KineticPotential>,
    /// Does the kinetic potential give the reduced equation? `None` where there is none in closed form.
    pub potential_verified: Option<Known>,
    /// For two degrees of freedom, where they are not Lagrangian as they stand.
    pub douglas: Option<Douglas>,
}

impl InverseProblem {
    /// Lagrangian as they stand? `Unknown` where no way leads there and nothing excludes that one does.
    pub fn lagrangian(&self) -> Known {
        let open = || Known::unknown("no way leads there, and nothing excludes that one does");
        let all = |list: &mut dyn Iterator<Item = Known>| list.reduce(Known::and).unwrap_or_else(open);
        let helmholtz = self.reduced.as_ref().map_or_else(|_| open(), |r| r.helmholtz.clone());
        let ways = [
            all(&mut self.multipliers_vanish.iter().cloned()).and(self.free_forces.clone()),
            all(&mut self.lagrange_form.iter().map(|(_, t)| t.clone())).and(self.form_forces.clone()),
            helmholtz.clone(),
        ];
        let best = ways.into_iter().filter(|t| t.holds()).min_by_key(|t| *t != Known::Proved);
        best.unwrap_or_else(|| if self.reduced.is_ok() { helmholtz } else { open() })
    }
}

/// Answers the inverse problem as far as it can be answered.
pub fn inverse_problem(w: &mut Workbench) -> InverseProblem {
    let mut multipliers_vanish = Vec::new();
    let s = w.system.clone();
    for c in &s.constraints {
        let lambda = w.g.symbol(c.multiplier);
        multipliers_vanish.push(vanishes_on_motions(w, lambda));
    }
    let multipliers = multipliers(w, &multipliers_vanish);
    let free_forces = have_potential(w, &s.forces, &s.coordinates, &s.velocities, &s.accelerations);
    let (lagrange_form, form_forces) = lagrange_form(w);
    let reduced = reduced_problem(w);
    InverseProblem { multipliers_vanish, multipliers, free_forces, lagrange_form, form_forces, reduced }
}

/// Operations of a multiplier beyond which it tells nobody anything.
const LONGEST: usize = 400;

/// The multipliers that do not vanish along every motion, as functions of the state.
fn multipliers(w: &mut Workbench, vanish: &[Known]) -> Vec<Option<Expr>> {
    let (found, over) = w.within(crate::effort::FORM_OF_ALL, |w| UdwadiaKalaba.derive(w));
    let Some(eq) = found.ok().filter(|_| !over) else { return vec![None; vanish.len()] };
    let frame = w.split().ok().map(|split| SplitFrame::new(w, split));
    let mut list = Vec::new();
    for (c, known) in w.system.clone().constraints.iter().zip(vanish) {
        let value = eq.reactions.iter().find(|(s, _)| *s == c.multiplier).map(|(_, e)| *e);
        let value = value
            .filter(|_| known.is_refuted() || known.reason().is_some_and(|why| why.starts_with(IN_GENERAL)))
            .map(|e| match &frame {
                Some(frame) => frame.insert(w, e),
                None => e,
            });
        let value = value.map(|e| w.simplify(e));
        list.push(value.filter(|&e| w.g.reachable(&[e]).len() <= LONGEST));
    }
    list
}

/// Are the forces −∂V/∂q of a potential, perhaps a generalised one? (What T gives satisfies Helmholtz's conditions by itself.)
fn have_potential(w: &mut Workbench, forces: &[Expr], q: &[Symbol], v: &[Symbol], a: &[Symbol]) -> Known {
    let mut truth = Known::Proved;
    let looked_at = helmholtz_condition(w, forces, [q, v, a], |w, e| {
        truth = truth.clone().and(vanishes(w, e));
        truth.is_refuted()
    });
    match looked_at {
        Err(why) if !truth.is_refuted() => Known::Unknown(why),
        _ => truth,
    }
}

/// Lagrange's equation of T° for each independent coordinate, and whether its forces have a potential.
fn lagrange_form(w: &mut Workbench) -> (Vec<(Symbol, Known)>, Known) {
    let (mut list, mut forces) = (Vec::new(), Vec::new());
    let Ok(split) = w.chaplygin_split().or_else(|_| w.split()) else {
        return (list, Known::unknown("the constraints are not solved for velocities"));
    };
    let frame = SplitFrame::new(w, split.clone());
    for (s, &i) in split.independent.iter().enumerate() {
        let p = frame.kinetic_v(w, s);
        let rate = frame.ddt(w, p);
        let by_q = frame.kinetic_q(w, i);
        let force = frame.force(w, s);
        let terms = rate - by_q - force;
        let e = w.g.of(terms);
        list.push((w.system.coordinates[i], vanishes_on_motions(w, e)));
        forces.push(w.simplify(force));
    }
    let system = w.system.clone();
    let [r, v, a] =
        [&system.coordinates, &system.velocities, &system.accelerations].map(|list| split.pick_independent(list));
    // Forces that move with the dependent coordinates are no functions of the independent ones.
    let mut others = split.pick_dependent(&system.coordinates);
    others.extend(split.pick_dependent(&system.velocities));
    let closed = forces.iter().all(|&f| w.occurs(f, &others).is_none());
    let truth = if closed {
        have_potential(w, &forces, &r, &v, &a)
    } else {
        Known::unknown("forces move with the dependent coordinates")
    };
    (list, truth)
}

/// The inverse problem of Chaplygin's equations; `Err` says why there are none.
pub fn reduced_problem(w: &mut Workbench) -> Result<ReducedProblem, String> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    let facts = lagrangian_facts(w, &mut generic)?;
    let (equations, [r, v, a]) = reduced_equations(w)?;
    let (mut helmholtz, mut obstruction) = (facts.certainty, None);
    if !facts.self_adjoint {
        let mut in_general = None;
        let failing = helmholtz_condition(w, &equations, [&r, &v, &a], |w, e| match vanishes(w, e) {
            Known::Unknown(why) if vanishes_in_general(w, e).is_refuted() => {
                in_general.get_or_insert((e, why));
                false
            }
            known => known.is_refuted(),
        });
        (helmholtz, obstruction) = match (failing, in_general) {
            (Ok(Some(e)), _) => (Known::refuted_because("one of Helmholtz's conditions fails"), Some(e)),
            (_, Some((e, why))) => (Known::Unknown(why), Some(e)),
            (Err(why), None) => (Known::Unknown(why), None),
            (Ok(None), None) => (Known::unknown("no condition is known to fail"), None),
        };
        obstruction = obstruction.map(|e| w.simplify(e));
    }
    let potential_verified = match facts.kinetic_potential {
        Some(KineticPotential::Found { factor, potential }) => {
            let p = w.g.diff(potential, v[0]);
            let rate = w.g.time_derivative(p);
            let by_q = w.g.diff(potential, r[0]);
            let right = w.g.mul(factor, equations[0]);
            let terms = rate - by_q - right;
            let e = w.g.of(terms);
            Some(vanishes(w, e))
        }
        _ => None,
    };
    let kinetic_potential = facts.kinetic_potential;
    let two = (r.len() == 2 && !helmholtz.holds()).then(|| Two { equations: &equations, r: &r, v: &v, a: &a });
    let douglas = two.map(|two| w.within(crate::effort::STEP, |w| douglas(w, &two, &mut generic)).0);
    Ok(ReducedProblem {
        coordinates: r,
        equations,
        helmholtz,
        obstruction,
        kinetic_potential,
        potential_verified,
        douglas,
    })
}

/// Chaplygin's equations with their coordinates, velocities and accelerations.
fn reduced_equations(w: &mut Workbench) -> Result<(Vec<Expr>, [Vec<Symbol>; 3]), String> {
    let split = w.chaplygin_split()?;
    let eq = Chaplygin.derive(w).map_err(|e| e.message)?;
    let equations = w.simplify_all(&eq.equations[..eq.own]);
    let system = w.system.clone();
    let symbols = [&system.coordinates, &system.velocities, &system.accelerations].map(|l| split.pick_independent(l));
    Ok((equations, symbols))
}
