//! The inverse problem: are the reduced equations Lagrangian as they stand?
//!
//! Equations F_s(t, q, q̇, q̈) = 0 are those of a kinetic potential Θ, d/dt ∂Θ/∂q̇_s − ∂Θ/∂q_s = F_s, iff (Helmholtz)
//! ```text
//! ∂F_s/∂q̈_r = ∂F_r/∂q̈_s                                                                                          (1)
//! ∂F_s/∂q̇_r + ∂F_r/∂q̇_s = d/dt (∂F_s/∂q̈_r + ∂F_r/∂q̈_s)                                                          (2)
//! ∂F_s/∂q_r − ∂F_r/∂q_s = ½ d/dt (∂F_s/∂q̇_r − ∂F_r/∂q̇_s)                                                        (3)
//! ```
//! identically. For one degree of freedom q̈ = f a factor W makes W(q̈ − f) Lagrangian (Sonin, Darboux): with
//! ∂f/∂q̇ = a(q) q̇ + b,
//! ```text
//! W = exp(−∫a dq − b t),   Θ = ½ W q̇² + ∫ W f|_{q̇=0} dq                                                           (4)
//! ```
//! Two ways to be Lagrangian need no test of the equations: all multipliers vanish (the ball: L = T of the free system), or
//! the right-hand sides of Chaplygin's equations do (the upright hoop, Synge's wheels: L = T°).
//!
//! Sources: Sumbatov (3.19), (3.20) and the examples before them; Helmholtz 1887; Douglas 1941.

use super::{Truth, vanishes, vanishes_on_motions};
use crate::analysis::{Generic, antiderivative};
use crate::expr::{Expr, Function, Rational, Symbol};
use crate::forms::{SplitFrame, Workbench, by_id};

/// Helmholtz's conditions for the reduced equations.
#[derive(Clone, Debug)]
pub struct Helmholtz {
    /// (1)
    pub first: Truth,
    /// (2)
    pub second: Truth,
    /// (3)
    pub third: Truth,
    /// The first condition that fails: its number, the coordinates, what is left of it.
    pub failure: Option<(u8, Symbol, Symbol, Expr)>,
}

impl Helmholtz {
    /// Do all hold?
    pub fn holds(&self) -> bool {
        self.first.holds() && self.second.holds() && self.third.holds()
    }
}

/// A kinetic potential for one degree of freedom.
#[derive(Clone, Debug)]
pub struct KineticPotential {
    /// W.
    pub factor: Expr,
    /// Θ.
    pub potential: Expr,
    /// Are its equations W times the reduced equation, solved for the acceleration?
    pub verified: Truth,
}

/// What is known of the inverse problem.
#[derive(Clone, Debug)]
pub struct InverseProblem {
    /// Does the multiplier vanish along every motion? Per constraint.
    pub multipliers_vanish: Vec<Truth>,
    /// Coordinates with independent velocities, and whether Lagrange's equation of T° is right for each.
    pub lagrange_form: Vec<(Symbol, Truth)>,
    /// Helmholtz's conditions for Chaplygin's equations; `Err` says why there are no closed reduced equations.
    pub helmholtz: Result<Helmholtz, String>,
    /// For one degree of freedom.
    pub potential: Result<KineticPotential, String>,
}

impl InverseProblem {
    /// Lagrangian as it stands, in one of the three ways.
    pub fn lagrangian(&self) -> bool {
        let all = |list: &[Truth]| !list.is_empty() && list.iter().all(|t| t.holds());
        let form: Vec<Truth> = self.lagrange_form.iter().map(|(_, t)| *t).collect();
        all(&self.multipliers_vanish) || all(&form) || self.helmholtz.as_ref().is_ok_and(Helmholtz::holds)
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
    let reduced = reduced_equations(w);
    let helmholtz = reduced.as_ref().map_err(Clone::clone).map(|r| helmholtz(w, r));
    let potential = match &reduced {
        Ok(r) if r.coordinates.len() == 1 => kinetic_potential(w, r),
        Ok(r) => Err(format!("constructed for one degree of freedom, here there are {}", r.coordinates.len())),
        Err(why) => Err(why.clone()),
    };
    InverseProblem { multipliers_vanish, lagrange_form, helmholtz, potential }
}

struct Reduced {
    coordinates: Vec<Symbol>,
    velocities: Vec<Symbol>,
    accelerations: Vec<Symbol>,
    equations: Vec<Expr>,
}

fn reduced_equations(w: &mut Workbench) -> Result<Reduced, String> {
    let split = w.chaplygin_split().map_err(|why| format!("no closed reduced equations: {why}"))?;
    if split.explicit.is_none() {
        return Err("the constraints are not solved explicitly".into());
    }
    let form = by_id("chaplygin").ok_or("no form of that name")?;
    let eq = form.derive(w).map_err(|e| e.message)?;
    let equations = w.simplify_all(&eq.equations[..eq.own]);
    Ok(Reduced {
        coordinates: split.pick_independent(&w.system.coordinates),
        velocities: split.pick_independent(&w.system.velocities),
        accelerations: split.pick_independent(&w.system.accelerations),
        equations,
    })
}

fn helmholtz(w: &mut Workbench, r: &Reduced) -> Helmholtz {
    let f = &r.equations;
    let by_q = w.g.jacobian(f, &r.coordinates);
    let by_v = w.g.jacobian(f, &r.velocities);
    let by_a = w.g.jacobian(f, &r.accelerations);
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    let mut answer = Helmholtz { first: Truth::Proved, second: Truth::Proved, third: Truth::Proved, failure: None };
    for s in 0..f.len() {
        for t in 0..=s {
            let one = w.g.sub(by_a[s][t], by_a[t][s]);
            let sum_a = w.g.add(by_a[s][t], by_a[t][s]);
            let rate = w.g.time_derivative(sum_a);
            let sum_v = w.g.add(by_v[s][t], by_v[t][s]);
            let two = w.g.sub(sum_v, rate);
            let skew_v = w.g.sub(by_v[s][t], by_v[t][s]);
            let rate = w.g.time_derivative(skew_v);
            let skew_q = w.g.sub(by_q[s][t], by_q[t][s]);
            let three = w.g.linear(Rational::ZERO, [(skew_q, Rational::ONE), (rate, -half.clone())]);
            for (number, e) in [(1, one), (2, two), (3, three)] {
                let truth = vanishes(w, e);
                let slot = match number {
                    1 => &mut answer.first,
                    2 => &mut answer.second,
                    _ => &mut answer.third,
                };
                *slot = slot.and(truth);
                if !truth.holds() && answer.failure.is_none() {
                    let left = w.simplify(e);
                    answer.failure = Some((number, r.coordinates[s], r.coordinates[t], left));
                }
            }
        }
    }
    answer
}

fn kinetic_potential(w: &mut Workbench, r: &Reduced) -> Result<KineticPotential, String> {
    let (q, v, a) = (r.coordinates[0], r.velocities[0], r.accelerations[0]);
    let inertia = w.g.diff(r.equations[0], a);
    let rest = w.g.without(r.equations[0], &[a]);
    let quotient = w.g.div(rest, inertia);
    let f = w.g.neg(quotient);
    let f = w.simplify(f);
    let slope = w.g.diff(f, v);
    let slope = w.simplify(slope);
    let (linear, damping) =
        w.g.affine(slope, &[v]).ok_or("the acceleration is not quadratic in the velocity: no closed form is known")?;
    let t = w.g.time();
    let linear = w.simplify(linear[0]);
    let damping = w.simplify(damping);
    if w.g.depends_on(linear, t) || w.g.depends_on_any(linear, &[v]) || w.g.depends_on_any(damping, &[q, v, t]) {
        return Err("the damping is not constant: no closed form is known".into());
    }
    let mut generic = Generic::new(w.g, w.system);
    let exponent = antiderivative(w, linear, q, &mut generic).ok_or("a quadrature has no closed form")?;
    let time = w.g.symbol(t);
    let aging = w.g.mul(damping, time);
    let minus = w.g.linear(Rational::ZERO, [(exponent, Rational::MINUS_ONE), (aging, Rational::MINUS_ONE)]);
    let factor = w.g.call(Function::Exp, minus);
    let at_rest = w.g.without(f, &[v]);
    if w.g.depends_on(at_rest, t) {
        return Err("the force depends on time: no closed form is known".into());
    }
    let spatial = w.g.neg(exponent);
    let spatial = w.g.call(Function::Exp, spatial);
    let integrand = w.g.mul(spatial, at_rest);
    let integral = antiderivative(w, integrand, q, &mut generic).ok_or("a quadrature has no closed form")?;
    let fading = w.g.neg(aging);
    let fading = w.g.call(Function::Exp, fading);
    let positional = w.g.mul(fading, integral);
    let speed = w.g.symbol(v);
    let square = w.g.square(speed);
    let kinetic = w.g.mul(factor, square);
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    let potential = w.g.linear(Rational::ZERO, [(kinetic, half), (positional, Rational::ONE)]); // (4)
    let p = w.g.diff(potential, v);
    let rate = w.g.time_derivative(p);
    let by_q = w.g.diff(potential, q);
    let left = w.g.sub(rate, by_q);
    let acceleration = w.g.symbol(a);
    let difference = w.g.sub(acceleration, f);
    let right = w.g.mul(factor, difference);
    let e = w.g.sub(left, right);
    let verified = vanishes(w, e);
    Ok(KineticPotential { factor, potential: w.simplify(potential), verified })
}
