//! The action on a family of motions that satisfy the constraints.
//!
//! A family q(t, α) is given by its independent coordinates: as functions of t and α, or as what is added to the motion. The dependent
//! ones follow from the constraints, q̇_{l+ν} = α_ν(t, q, q̇), from the initial position on: all members are possible. Along it
//!
//! ```text
//! W(α) = ∫ L(t, q, q̇) dt,    δq = ∂q/∂α at α = 0,    d(δq) = δ(dq)                                          (4.1), (4.2)
//! dW/dα = [Σ_i p_i δq_i] − ∫ Σ_i (Q_i + Σ_j λ_j A_ji) δq_i dt    at α = 0, where that is the motion            (1)
//! ```
//!
//! Q are the forces without a potential. The action is stationary, with δq = 0 at the ends, only if the reactions do no work on the δq:
//! these satisfy conditions (a) and (c) of the principles, and not (b). (1) is evaluated by both of its sides, the left one by
//! integrating δL and by the differences of W(α).
//!
//! For nonlinear constraints there may be no other possible motion through the same end (Appell's particle moving by inertia); a family
//! with δq = 0 at the ends, (4.8), exists all the same. One is constructed as h_s = φ_s(t) (t − t_0)(t_1 − t) α, (4.9), the φ_s being
//! polynomials for which δq_{l+ν}, the solution of (4.10) differentiated by α, (4.11), vanishes at t_1.
//!
//! Where T is homogeneous of degree 2, nothing depends on time, all forces have a potential and rest is a possible motion, the
//! energy is a constant h, and the same family says what Lagrange's and Jacobi's action are:
//!
//! ```text
//! Lagrange  A = ∫ 2T dt,    Jacobi  J(α) = ∫ √(2(h − V)) √(2T) dt,    J(0) = A                                (2)
//! ```
//!
//! J depends on the path alone, not on how fast it is passed, so that all members are compared at the energy of the motion.
//!
//! Valid when: the constraints are of first order and can be solved for the velocities of the coordinates that are not given.
//! Sources: Sumbatov, section 4, (4.1)–(4.11), and its end for the principles of Lagrange and Jacobi; Greenwood (5.12), (5.18).

mod construct;

pub use construct::construct;

use super::evaluate::GAUSS;
use crate::card::Card;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Remedy, Result};
use crate::expr::{Expr, Rational, Role, Symbol};
use crate::mechanics::{Metric, Split, Workbench};
use crate::model::State;
use crate::simulate::{Motion, Ode, Probe, RhsFailure, Settings, follow};
use rustc_hash::FxHashMap;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "family",
    aliases: &["action", "least-action", "jacobi-action"],
    name: "The action on a family of motions",
    source: "Sumbatov section 4, (4.1)–(4.11); Greenwood (5.12), (5.18)",
    needs: "constraints of first order, solved for the coordinates that are not given",
    about: crate::card::head_of!("mod.rs"),
};

/// A coordinate of the family.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Its place.
    pub coordinate: usize,
    /// A function of t and of the parameter of the family.
    pub value: Expr,
    /// Is it added to the motion, and not the coordinate itself?
    pub added: bool,
}

/// A member of the family.
#[derive(Clone, Debug)]
pub struct Member {
    /// α.
    pub parameter: f64,
    /// W(α).
    pub action: f64,
    /// J(α), where it applies.
    pub jacobi: Option<f64>,
    /// Where it ends.
    pub end: Vec<f64>,
}

/// The action on a family.
#[derive(Clone, Debug)]
pub struct Action {
    /// Begin and end.
    pub span: (f64, f64),
    /// The coordinates that were given, with what they are.
    pub given: Vec<Given>,
    /// The coordinates that follow from the constraints.
    pub dependent: Vec<Symbol>,
    /// By α, ascending; the one in the middle is α = 0.
    pub members: Vec<Member>,
    /// dW/dα at α = 0, by integrating δL.
    pub rate: f64,
    /// The same from the differences of W.
    pub differences: f64,
    /// [Σ p δq].
    pub ends: f64,
    /// ∫ Σ λ A δq dt.
    pub reactions: f64,
    /// ∫ Σ Q δq dt.
    pub forces: f64,
    /// Largest difference between the member α = 0 and the motion.
    pub off: f64,
    /// δq at the beginning and at the end.
    pub variations: (Vec<f64>, Vec<f64>),
    /// Largest Σ A δq along the motion: zero where the δq are virtual displacements.
    pub not_virtual: f64,
    /// dJ/dα at α = 0 by differences, and Lagrange's action ∫ 2T dt; or why they do not apply.
    pub least: Result<(f64, f64), String>,
}

impl Action {
    /// Is the member α = 0 the motion itself?
    pub fn has_motion(&self) -> bool {
        self.off <= 1e-7
    }

    /// Do the δq vanish at both ends, (4.8)?
    pub fn fixed_ends(&self) -> bool {
        self.variations.0.iter().chain(&self.variations.1).all(|x| x.abs() <= 1e-7)
    }
}

/// What is computed with which accuracy.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// End of the motion.
    pub until: f64,
    /// Largest α.
    pub amplitude: f64,
    /// Of the integration.
    pub tolerance: f64,
}

/// Members, in parts of the largest: those told, and between them those for differences, near enough that W and J are all but polynomials
/// of fourth degree there.
const MEMBERS: [f64; 9] = [-1.0, -0.5, -2.0 * NEAR, -NEAR, 0.0, NEAR, 2.0 * NEAR, 0.5, 1.0];
const NEAR: f64 = 1.0 / 64.0;
/// Panels of five points at which it is looked at.
const PANELS: usize = 80;

/// The ends, and between them the points of Gauss of all panels, with their weights.
fn points_of_gauss(from: f64, to: f64) -> (Vec<f64>, Vec<f64>) {
    let h = (to - from) / PANELS as f64;
    let (mut at, mut weights) = (vec![from], vec![0.0]);
    for i in 0..PANELS {
        for (x, weight) in GAUSS {
            at.push(from + h * (i as f64 + (1.0 + x) / 2.0));
            weights.push(weight * h / 2.0);
        }
    }
    at.push(to);
    weights.push(0.0);
    (at, weights)
}

fn refuse(why: impl std::fmt::Display) -> Error {
    Error::not_applicable(format!("the family does not apply: {why}"))
}

/// The split in which the given coordinates are independent, with α in closed form.
fn split_for(w: &mut Workbench, given: &[Given]) -> Result<Split> {
    w.no_second_order().map_err(refuse)?;
    let usual = w.split().map_err(refuse)?;
    let fits = |s: &Split| given.iter().all(|g| s.independent.contains(&g.coordinate)) && s.explicit.is_some();
    if fits(&usual) {
        return Ok((*usual).clone());
    }
    let free: Vec<usize> = (0..w.system.n()).filter(|i| given.iter().all(|g| g.coordinate != *i)).collect();
    let k = w.system.k();
    if free.len() < k {
        let message = format!("{} coordinates are given, and only {} are independent", given.len(), w.system.n() - k);
        return Err(Error::input(message).hint("leave some to the constraints"));
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..k {
        sets = sets
            .into_iter()
            .flat_map(|s| {
                let from = s.last().map_or(0, |&i: &usize| i + 1);
                let more: Vec<usize> = free.iter().copied().filter(|&i| i >= from).collect();
                more.into_iter().map(move |i| s.iter().copied().chain([i]).collect::<Vec<_>>())
            })
            .take(500)
            .collect();
    }
    for set in sets {
        if let Ok(split) = Split::with(w, &set)
            && fits(&split)
        {
            return Ok(split);
        }
    }
    Err(refuse(
        "the constraints cannot be solved in closed form for the velocities of the coordinates that are not given",
    ))
}

/// The family in symbols: each coordinate and velocity as functions of t, α, the motion, and the varied dependent coordinates.
struct Curves {
    parameter: Symbol,
    /// Stand for the dependent coordinates of a member.
    varied: Vec<Symbol>,
    /// q, q̇ of a member.
    map: FxHashMap<Symbol, Expr>,
    /// q̇_dep of a member.
    rates: Vec<Expr>,
    /// δq_dep.
    shifts: Vec<Symbol>,
    /// δq, δq̇ along the member α = 0 (still with α).
    variation: Vec<Expr>,
    variation_rate: Vec<Expr>,
}

impl Curves {
    /// What the variation of a member is computed from: time, the motion, multipliers, the dependent coordinates and their δ.
    fn inputs(&self, w: &Workbench, moving: &[Symbol]) -> Vec<Symbol> {
        let multipliers = w.system.constraints.iter().map(|c| c.multiplier);
        let moving = moving.iter().copied().chain(multipliers);
        std::iter::once(w.g.time()).chain(moving).chain(self.varied.clone()).chain(self.shifts.clone()).collect()
    }

    fn of(w: &mut Workbench, split: &Split, given: &[Given], parameter: Symbol) -> Curves {
        let system = w.system.clone();
        let alpha = split.explicit.clone().unwrap_or_default();
        let time = w.g.time();
        let zero = w.g.zero();
        let mut map = FxHashMap::default();
        let (mut variation, mut variation_rate) = (vec![zero; system.n()], vec![zero; system.n()]);
        for &i in &split.independent {
            let (q, v) = (system.coordinates[i], system.velocities[i]);
            let Some(g) = given.iter().find(|g| g.coordinate == i) else { continue };
            let rate = w.g.diff(g.value, time);
            let (mut position, mut velocity) = (g.value, rate);
            if g.added {
                let (q, v) = (w.g.symbol(q), w.g.symbol(v));
                (position, velocity) = (w.g.add(q, position), w.g.add(v, velocity));
            }
            map.insert(q, position);
            map.insert(v, velocity);
            variation[i] = w.g.diff(g.value, parameter);
            variation_rate[i] = w.g.diff(rate, parameter);
        }
        let (mut varied, mut shifts) = (Vec::new(), Vec::new());
        for &i in &split.dependent {
            let name = w.g.name(system.coordinates[i]).to_owned();
            let x = w.g.declare(&format!("varied {name}"), Role::Other);
            let shift = w.g.declare(&format!("shift of {name}"), Role::Other);
            map.insert(system.coordinates[i], w.g.symbol(x));
            variation[i] = w.g.symbol(shift);
            varied.push(x);
            shifts.push(shift);
        }
        let rates: Vec<Expr> = w.g.substitute_all(&alpha, &map);
        for (&i, &rate) in split.dependent.iter().zip(&rates) {
            map.insert(system.velocities[i], rate);
        }
        for (nu, &i) in split.dependent.iter().enumerate() {
            let mut terms = Vec::new();
            for h in 0..system.n() {
                let by_q = w.g.diff(alpha[nu], system.coordinates[h]);
                let by_q = w.g.substitute(by_q, &map);
                terms.push(w.g.mul(by_q, variation[h]));
            }
            for &s in &split.independent {
                let by_v = w.g.diff(alpha[nu], system.velocities[s]);
                let by_v = w.g.substitute(by_v, &map);
                terms.push(w.g.mul(by_v, variation_rate[s]));
            }
            variation_rate[i] = w.g.sum(terms); // (4.10) differentiated by α
        }
        Curves { parameter, varied, map, rates, shifts, variation, variation_rate }
    }
}

/// The motion, the members and what is integrated along them.
struct Along {
    n: usize,
    k: usize,
    motion: Motion,
    parameters: Vec<f64>,
    /// (t, α, q, q̇, varied) → rates of varied, L.
    member: Runner,
    /// (t, q, q̇, λ, varied at α = 0, shifts) → rates of the shifts, δL, Σ λ A δq, Σ Q δq, 2T.
    variation: Runner,
    acceleration: Vec<f64>,
    multipliers: Vec<f64>,
}

/// Quantities integrated along a member beside its dependent coordinates, and along the variation beside δq_dep.
const PER_MEMBER: usize = 1;
const PER_VARIATION: usize = 4;

impl Along {
    fn middle(&self) -> usize {
        2 * self.n + (self.parameters.len() / 2) * (self.k + PER_MEMBER)
    }

    fn shifts(&self) -> usize {
        2 * self.n + self.parameters.len() * (self.k + PER_MEMBER)
    }

    fn variation_input(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let (n, k, middle, shifts) = (self.n, self.k, self.middle(), self.shifts());
        [&[t], &y[..2 * n], &self.multipliers, &y[middle..middle + k], &y[shifts..shifts + k]].concat()
    }
}

impl Ode for Along {
    fn dimension(&self) -> usize {
        self.shifts() + self.k + PER_VARIATION
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let (n, k) = (self.n, self.k);
        self.motion.solve(t, &y[..2 * n], &mut self.acceleration, &mut self.multipliers)?;
        dy[..n].copy_from_slice(&y[n..2 * n]);
        dy[n..2 * n].copy_from_slice(&self.acceleration);
        for (m, &parameter) in self.parameters.iter().enumerate() {
            let at = 2 * n + m * (k + PER_MEMBER);
            let input = [&[t, parameter][..], &y[..2 * n], &y[at..at + k]].concat();
            self.member.run(&input, &mut dy[at..at + k + PER_MEMBER]);
        }
        let input = self.variation_input(t, y);
        let shifts = self.shifts();
        self.variation.run(&input, &mut dy[shifts..shifts + k + PER_VARIATION]);
        Ok(())
    }
}

/// What has to hold for the principles of Lagrange and Jacobi.
fn at_constant_energy(w: &mut Workbench) -> Result<(), String> {
    let metric = Metric::of(w)?;
    let d = w.dynamics();
    let (time, velocities) = (w.g.time(), w.system.velocities.clone());
    let rest: Vec<Expr> = metric.b.iter().copied().chain([metric.c]).collect();
    if w.simplify_all(&rest).iter().any(|&e| !w.g.is_zero(e)) {
        return Err("the kinetic energy is not homogeneous in the velocities".into());
    }
    let energies = [w.system.kinetic, w.system.potential];
    if energies.into_iter().any(|e| w.occurs(e, &[time]).is_some()) {
        return Err("time occurs in the energies".into());
    }
    let forces = w.system.forces.clone();
    if w.simplify_all(&forces).iter().any(|&e| !w.g.is_zero(e)) {
        return Err("there are forces without a potential".into());
    }
    for (j, phi) in d.velocity_constraints.iter().enumerate() {
        let Some(phi) = *phi else { continue };
        let symbols: Vec<Expr> = velocities.iter().map(|&v| w.g.symbol(v)).collect();
        let euler = w.g.dot_product(&d.a[j], &symbols);
        let excess = w.g.sub(euler, phi);
        let excess = w.simplify(excess);
        let homogeneous = w.g.is_zero(excess) && w.occurs(phi, &[time]).is_none();
        if !homogeneous {
            let name = &w.system.constraints[j].name;
            return Err(format!(
                "constraint `{name}` is not homogeneous of degree 1 in the velocities and free of time"
            ));
        }
    }
    Ok(())
}

/// Evaluates the action along a family. `given` contains `parameter`.
pub fn action(w: &mut Workbench, state: &State, given: &[Given], parameter: Symbol, range: Range) -> Result<Action> {
    let (mut along, curves, split, least) = prepared(w, state, given, parameter, range)?;
    let (n, k) = (along.n, along.k);
    let mut y = state.values();
    for _ in 0..along.parameters.len() {
        y.extend(split.dependent.iter().map(|&i| state.position[i]));
        y.extend([0.0; PER_MEMBER]);
    }
    y.extend(vec![0.0; k + PER_VARIATION]);
    let settings = Settings { tolerance: range.tolerance, max_steps: w.limits.steps, ..Settings::until(range.until) };
    let (at, weights) = points_of_gauss(state.time, range.until);
    let settings = Settings { at, ..settings };
    let (run, points, _) = follow(w, &mut along, state.time, &y, &settings, &mut [])?;
    if !run.outcome.is_success() {
        let what = run.outcome.code().replace('_', " ");
        let message = format!("the family cannot be followed beyond t = {}: {what}", run.t);
        return Err(Error::computation(message).remedy(Remedy::EarlierEnd));
    }
    let view = View::new(w, &curves, &along, state, &least)?;
    let mut action = Action {
        span: (state.time, range.until),
        given: given.to_vec(),
        dependent: split.pick_dependent(&w.system.coordinates),
        members: Vec::new(),
        rate: 0.0,
        differences: 0.0,
        ends: 0.0,
        reactions: 0.0,
        forces: 0.0,
        off: 0.0,
        variations: (Vec::new(), Vec::new()),
        not_virtual: 0.0,
        least: Err(String::new()),
    };
    view.look(&mut along, &points, &weights, &mut action)?;
    let Some((_, end)) = points.last() else { return Err(Error::computation("an empty motion")) };
    for (m, &parameter) in along.parameters.iter().enumerate() {
        let at = 2 * n + m * (k + PER_MEMBER) + k;
        action.members[m].parameter = parameter;
        action.members[m].action = end[at];
        action.members[m].jacobi = action.members[m].jacobi.filter(|x| least.is_ok() && x.is_finite());
    }
    let at = along.shifts() + k;
    (action.rate, action.reactions, action.forces) = (end[at], end[at + 1], end[at + 2]);
    action.differences = richardson(&action.members, |m| m.action, range.amplitude);
    action.least = least.and_then(|()| match action.members.iter().all(|m| m.jacobi.is_some()) {
        true => Ok((richardson(&action.members, |m| m.jacobi.unwrap_or(f64::NAN), range.amplitude), end[at + 3])),
        false => Err("a member leaves the region in which the energy suffices".into()),
    });
    let mut part = MEMBERS.iter().map(|x| x.abs());
    action.members.retain(|_| part.next().is_none_or(|x| x == 0.0 || x >= 0.5));
    Ok(action)
}

/// The derivative at the middle from the four members next to it.
fn richardson(members: &[Member], value: impl Fn(&Member) -> f64, amplitude: f64) -> f64 {
    let step = NEAR * amplitude;
    let wide = (value(&members[6]) - value(&members[2])) / (4.0 * step);
    let near = (value(&members[5]) - value(&members[3])) / (2.0 * step);
    (4.0 * near - wide) / 3.0
}

type Prepared = (Along, Curves, Split, Result<(), String>);

fn prepared(w: &mut Workbench, state: &State, given: &[Given], parameter: Symbol, range: Range) -> Result<Prepared> {
    if !(range.until.is_finite() && range.until > state.time) {
        let message = format!("the motion begins at t = {} and must end after it", state.time);
        return Err(Error::input(message).remedy(Remedy::LaterEnd));
    }
    if range.amplitude <= 0.0 {
        return Err(Error::input("the amplitude of a family is greater than zero").hint("0.1 is sensible"));
    }
    let split = split_for(w, given)?;
    let curves = Curves::of(w, &split, given, parameter);
    let least = at_constant_energy(w);
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let system = w.system.clone();
    let lagrangian = w.g.sub(system.kinetic, system.potential);
    let mut outputs = curves.rates.clone();
    outputs.push(w.g.substitute(lagrangian, &curves.map));
    let moving: Vec<Symbol> = system.coordinates.iter().chain(&system.velocities).copied().collect();
    let inputs: Vec<Symbol> =
        [w.g.time(), curves.parameter].into_iter().chain(moving.iter().copied()).chain(curves.varied.clone()).collect();
    let member = compile(&w.g, &inputs, &outputs, &options)?.runner();
    // Along α = 0.
    let at_zero: FxHashMap<Symbol, Expr> = [(curves.parameter, w.g.zero())].into_iter().collect();
    let mut terms = Vec::new();
    for i in 0..n {
        let by_q = w.g.diff(lagrangian, system.coordinates[i]);
        let by_q = w.g.substitute(by_q, &curves.map);
        let by_v = w.g.substitute(d.momenta[i], &curves.map);
        terms.push(w.g.mul(by_q, curves.variation[i]));
        terms.push(w.g.mul(by_v, curves.variation_rate[i]));
    }
    let varied_action = w.g.sum(terms);
    let (mut reactions, mut forces) = (Vec::new(), Vec::new());
    for i in 0..n {
        for (j, c) in system.constraints.iter().enumerate() {
            let lambda = w.g.symbol(c.multiplier);
            let a = w.g.substitute(d.a[j][i], &curves.map);
            reactions.push(w.g.product([lambda, a, curves.variation[i]]));
        }
        let force = w.g.substitute(system.forces[i], &curves.map);
        forces.push(w.g.mul(force, curves.variation[i]));
    }
    let mut outputs: Vec<Expr> = split.dependent.iter().map(|&i| curves.variation_rate[i]).collect();
    let (reactions, forces) = (w.g.sum(reactions), w.g.sum(forces));
    outputs.extend([varied_action, reactions, forces, w.g.scale(system.kinetic, &Rational::integer(2))]);
    let outputs = w.g.substitute_all(&outputs, &at_zero);
    let inputs = curves.inputs(w, &moving);
    let variation = compile(&w.g, &inputs, &outputs, &options)?.runner();
    let typical = [&[state.time][..], &state.values()].concat();
    let along = Along {
        n,
        k,
        motion: Motion::new(w, &options, &typical)?,
        parameters: MEMBERS.iter().map(|x| x * range.amplitude).collect(),
        member,
        variation,
        acceleration: vec![0.0; n],
        multipliers: vec![0.0; k],
    };
    Ok((along, curves, split, least))
}

/// What is looked at along the family beside the integrals.
struct View {
    /// (t, α, q, q̇, varied) → q of the member, Jacobi's integrand.
    place: Runner,
    /// (t, q, q̇, λ, varied, shifts) → δq, A δq, Σ p δq.
    variation: Runner,
    n: usize,
}

impl View {
    fn new(
        w: &mut Workbench,
        curves: &Curves,
        along: &Along,
        state: &State,
        least: &Result<(), String>,
    ) -> Result<View> {
        let system = w.system.clone();
        let d = w.dynamics();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let mut symbols: Vec<Expr> = system.coordinates.iter().map(|&s| w.g.symbol(s)).collect();
        let total = w.g.add(system.kinetic, system.potential);
        let h = Probe::new(w, &[total], &options)?.values(state.time, &state.values(), &[], &[])[0];
        let h = w.g.number(Rational::from_f64(h).unwrap_or_default());
        let square = w.g.of(4 * ((h - system.potential) * system.kinetic));
        symbols.push(if least.is_ok() { w.g.sqrt(square) } else { w.g.zero() });
        let outputs = w.g.substitute_all(&symbols, &curves.map);
        let moving: Vec<Symbol> = system.coordinates.iter().chain(&system.velocities).copied().collect();
        let inputs: Vec<Symbol> = [w.g.time(), curves.parameter]
            .into_iter()
            .chain(moving.iter().copied())
            .chain(curves.varied.clone())
            .collect();
        let place = compile(&w.g, &inputs, &outputs, &options)?.runner();
        let mut outputs = curves.variation.clone();
        for row in &d.a {
            let row = w.g.substitute_all(row, &curves.map);
            outputs.push(w.g.dot_product(&row, &curves.variation));
        }
        let momenta = w.g.substitute_all(&d.momenta, &curves.map);
        outputs.push(w.g.dot_product(&momenta, &curves.variation));
        let at_zero: FxHashMap<Symbol, Expr> = [(curves.parameter, w.g.zero())].into_iter().collect();
        let outputs = w.g.substitute_all(&outputs, &at_zero);
        let inputs = curves.inputs(w, &moving);
        let variation = compile(&w.g, &inputs, &outputs, &options)?.runner();
        Ok(View { place, variation, n: along.n })
    }

    fn look(
        mut self,
        along: &mut Along,
        points: &[(f64, Vec<f64>)],
        weights: &[f64],
        action: &mut Action,
    ) -> Result<()> {
        let (n, k) = (self.n, along.k);
        let mut out = vec![0.0; n + k + 1];
        let mut q = vec![0.0; n + 1];
        let empty = |&parameter: &f64| Member { parameter, action: 0.0, jacobi: Some(0.0), end: Vec::new() };
        action.members = along.parameters.iter().map(empty).collect();
        let last = points.len().saturating_sub(1);
        let mut first = 0.0;
        for (index, (t, y)) in points.iter().enumerate() {
            let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; k]);
            let singular = |why: RhsFailure| Error::computation(format!("at t = {t} {why}"));
            along.motion.solve(*t, &y[..2 * n], &mut a, &mut lambda).map_err(singular)?;
            along.multipliers = lambda;
            let middle = along.middle();
            self.place.run(&[&[*t, 0.0][..], &y[..2 * n], &y[middle..middle + k]].concat(), &mut q);
            action.off = q[..n].iter().zip(y).map(|(a, b)| (a - b).abs()).fold(action.off, f64::max);
            self.variation.run(&along.variation_input(*t, y), &mut out);
            action.not_virtual = out[n..n + k].iter().fold(action.not_virtual, |m, x| m.max(x.abs()));
            if index == 0 {
                action.variations.0 = out[..n].to_vec();
                first = out[n + k];
            }
            if index == last {
                action.variations.1 = out[..n].to_vec();
                action.ends = out[n + k] - first;
            }
            for (m, member) in action.members.iter_mut().enumerate() {
                let at = 2 * n + m * (k + PER_MEMBER);
                self.place.run(&[&[*t, member.parameter][..], &y[..2 * n], &y[at..at + k]].concat(), &mut q);
                // Not a number where the energy does not suffice.
                member.jacobi = member.jacobi.map(|sum| sum + weights[index] * q[n]);
                if index == last {
                    member.end = q[..n].to_vec();
                }
            }
        }
        Ok(())
    }
}
