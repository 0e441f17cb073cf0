//! Vakonomic equations: not mechanics, for comparison.
//!
//! Stationary action of L + Σ μ_jφ_j among the curves that satisfy the constraints gives
//! ```text
//! d/dt ∂L/∂q̇_i − ∂L/∂q_i − Q_i = Σ_j μ_j (∂φ_j/∂q_i − d/dt ∂φ_j/∂q̇_i) − Σ_j μ̇_j ∂φ_j/∂q̇_i,   φ_j = 0        (1)
//! ```
//! (Sumbatov (4.12)), with the state (q, q̇, μ): k initial values more than mechanics has. With λ_j = −μ̇_j these are
//! Lagrange's equations with multipliers, apart from the terms in μ. They give the same motion iff Rumyantsev's condition
//! ```text
//! Σ_i Σ_j μ_j (∂φ_j/∂q_i − d/dt ∂φ_j/∂q̇_i) δq_i = 0   for all virtual displacements δq                          (2)
//! ```
//! holds along it (Sumbatov (4.13)). For a Chaplygin system the choice of μ for which the generalised momenta of the
//! dependent coordinates vanish, ∂T/∂q̇_dep + Σ_j μ_j ∂φ_j/∂q̇_dep = 0, stays such, and (2) becomes (4.14).
//!
//! Forces that have no potential stand outside the action; here they enter through their virtual work, as in mechanics.
//! A holonomic constraint is used differentiated once: then (1) is mechanics.

use crate::card::Card;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Remedy, Result};
use crate::expr::{Expr, Formula, Known, Matrix, NOT_DECIDED, Role, Symbol, transpose};
use crate::mechanics::Workbench;
use crate::mechanics::virtual_displacements;
use crate::model::State;
use crate::numeric::{Saddle, SaddleFailure};
use crate::simulate::follow;
use crate::simulate::{self, Ode, Outcome, RhsFailure, Settings, Simulation, Statistics};
use crate::verify::vanishes_on_motions;
use rustc_hash::FxHashMap;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "compare",
    aliases: &["vakonomic", "rumyantsev"],
    name: "The vakonomic motion",
    source: "Sumbatov 2002, section 4, (4.12)-(4.14)",
    needs: "independent constraints of first order",
    about: crate::card::head_of!("vakonomic.rs"),
};

/// The vakonomic equations of a system.
#[derive(Clone, Debug)]
pub struct Vakonomic {
    /// μ_j, one per constraint: `mu_NAME`.
    pub multipliers: Vec<Symbol>,
    /// μ̇_j.
    pub rates: Vec<Symbol>,
    /// L + Σ μ_jφ_j.
    pub lagrangian: Expr,
    /// (1) as expressions that vanish, one per coordinate.
    pub equations: Vec<Expr>,
    /// A q̈ − b: the constraints, differentiated.
    pub constraints: Vec<Expr>,
    /// ∂φ_j/∂q_i − d/dt ∂φ_j/∂q̇_i, by constraints j.
    pub curvature: Matrix,
    /// The virtual displacements of (2), one row each.
    pub directions: Matrix,
    /// (2), one expression per direction, in μ, q, q̇ (and q̈ for nonlinear constraints).
    pub condition: Vec<Expr>,
    /// ∂²(L + Σ μφ)/∂q̇².
    mass: Matrix,
    /// Minus the rest of (1) at q̈ = 0, μ̇ = 0.
    force: Vec<Expr>,
}

/// When the vakonomic motion is the true one.
#[derive(Clone, Debug)]
pub struct AgreementOfPrinciples {
    /// (2) for every μ: then all vakonomic motions are true ones, as with integrable constraints.
    pub for_every_mu: Known,
    /// The choice of μ for which the generalised momenta of the dependent coordinates vanish.
    pub momentum_choice: Option<Vec<Expr>>,
    /// (2) with that choice: (4.14), along every motion.
    pub for_momentum_choice: Known,
    /// Does the choice persist (the dependent coordinates are cyclic)?
    pub choice_persists: bool,
}

impl Vakonomic {
    /// Derives the equations.
    pub fn of(w: &mut Workbench) -> Result<Vakonomic> {
        Vakonomic::derive(w)
            .map_err(|why| Error::not_applicable(format!("the vakonomic comparison does not apply: {why}")))
    }

    /// The same with the bare reason why it does not apply.
    pub(super) fn derive(w: &mut Workbench) -> Result<Vakonomic, String> {
        if w.system.k() == 0 {
            return Err("the system has no constraints".into());
        }
        w.independent_constraints()?;
        w.no_second_order()?;
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        let phi: Vec<Expr> = d.velocity_constraints.iter().copied().flatten().collect();
        let (mut multipliers, mut rates) = (Vec::new(), Vec::new());
        for c in &w.system.constraints {
            let mu = w.g.declare_beside(&format!("mu_{}", c.name), Role::Multiplier);
            multipliers.push(mu);
            rates.push(w.g.dot(mu));
        }
        let mut terms = w.system.kinetic - w.system.potential;
        for (&mu, &phi) in multipliers.iter().zip(&phi) {
            let mu = w.g.symbol(mu);
            terms += mu * phi;
        }
        let lagrangian = w.g.of(terms);
        let momenta = w.g.gradient(lagrangian, &w.system.velocities);
        let by_q = w.g.gradient(lagrangian, &w.system.coordinates);
        let mut equations = Vec::new();
        for i in 0..n {
            let rate = w.g.time_derivative(momenta[i]);
            let e = rate - by_q[i] - w.system.forces[i];
            equations.push(w.g.of(e)); // (1)
        }
        let mass = w.g.jacobian(&momenta, &w.system.velocities);
        let unknowns: Vec<Symbol> = w.system.accelerations.iter().chain(&rates).copied().collect();
        let mut force = Vec::new();
        for &e in &equations {
            let rest = w.g.without(e, &unknowns);
            force.push(w.g.neg(rest));
        }
        let accelerations: Vec<Expr> = w.system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
        let mut constraints = Vec::new();
        let mut curvature = Vec::new();
        for j in 0..k {
            let left = w.g.dot_product(&d.a[j], &accelerations);
            constraints.push(w.g.sub(left, d.b[j]));
            let by_q = w.g.gradient(phi[j], &w.system.coordinates);
            let mut row = Vec::new();
            for i in 0..n {
                let rate = w.g.time_derivative(d.a[j][i]);
                row.push(w.simplify(by_q[i] - rate));
            }
            curvature.push(row);
        }
        let directions = virtual_displacements(w)?;
        let mut condition = Vec::new();
        for y in &directions {
            let mut terms = Formula::ZERO;
            for (j, row) in curvature.iter().enumerate() {
                let mu = w.g.symbol(multipliers[j]);
                let along = w.g.dot_product(row, y);
                terms += mu * along;
            }
            condition.push(w.simplify(terms)); // (2)
        }
        Ok(Vakonomic {
            multipliers,
            rates,
            lagrangian,
            equations,
            constraints,
            curvature,
            directions,
            condition,
            mass,
            force,
        })
    }

    /// Tests (2) as an identity along the motions of the system.
    pub fn agreement(&self, w: &mut Workbench) -> AgreementOfPrinciples {
        let mut conditions = Vec::new();
        for y in &self.directions {
            conditions.extend(self.curvature.iter().map(|row| w.g.dot_product(row, y)));
        }
        let for_every_mu = all_vanish_on_motions(w, &conditions);
        let mut for_momentum_choice = Known::unknown("the constraints are not solved for velocities");
        let (mut momentum_choice, mut choice_persists) = (None, false);
        let split = w.chaplygin_split().or_else(|_| w.split());
        if let Ok(split) = split {
            let d = w.dynamics();
            // A_depᵀ μ = −p_dep
            let inverse = transpose(&split.inverse);
            let p: Vec<Expr> = split.dependent.iter().map(|&i| d.momenta[i]).collect();
            let mut choice = Vec::new();
            for e in w.g.matrix_vector(&inverse, &p) {
                choice.push(w.simplify(-e));
            }
            let map: FxHashMap<Symbol, Expr> = self.multipliers.iter().copied().zip(choice.iter().copied()).collect();
            let conditions = w.g.substitute_all(&self.condition, &map);
            for_momentum_choice = all_vanish_on_motions(w, &conditions);
            let dependent = split.pick_dependent(&w.system.coordinates);
            let by_q = w.g.gradient(self.lagrangian, &dependent);
            choice_persists = by_q.iter().zip(&split.dependent).all(|(&e, &i)| {
                let force = w.simplify(w.system.forces[i]);
                let e = w.simplify(e);
                w.g.is_zero(e) && w.g.is_zero(force)
            });
            momentum_choice = Some(choice);
        }
        AgreementOfPrinciples { for_every_mu, momentum_choice, for_momentum_choice, choice_persists }
    }
}

/// One that does not vanish decides; the first is looked at whatever is left.
fn all_vanish_on_motions(w: &mut Workbench, list: &[Expr]) -> Known {
    let mut all = Known::Proved;
    for (i, &e) in list.iter().enumerate() {
        if i > 0 && w.g.work.is_over() {
            return all.and(Known::unknown(NOT_DECIDED));
        }
        let e = w.simplify(e);
        all = all.and(vanishes_on_motions(w, e));
        if all.is_refuted() {
            break;
        }
    }
    all
}

/// The vakonomic equations as y′ = f(t, y), y = (q, q̇, μ).
pub struct VakonomicMotion {
    n: usize,
    k: usize,
    /// (t, q, q̇, μ) → ∂²/∂q̇², A, force, b.
    runner: Runner,
    saddle: Saddle,
    input: Vec<f64>,
    system: Vec<f64>,
    acceleration: Vec<f64>,
    reaction: Vec<f64>,
    coordinates: Vec<String>,
    constraints: Vec<String>,
}

impl VakonomicMotion {
    /// Compiles the equations.
    pub fn new(w: &mut Workbench, v: &Vakonomic, options: &CompileOptions) -> Result<VakonomicMotion> {
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        let mut inputs = vec![w.g.time()];
        inputs.extend(&w.system.coordinates);
        inputs.extend(&w.system.velocities);
        inputs.extend(&v.multipliers);
        let outputs: Vec<Expr> =
            v.mass.iter().flatten().chain(d.a.iter().flatten()).chain(&v.force).chain(&d.b).copied().collect();
        w.count_compiled(&outputs);
        Ok(VakonomicMotion {
            n,
            k,
            runner: compile(&w.g, &inputs, &outputs, options)?.runner(),
            saddle: Saddle::new(n, k),
            input: vec![0.0; inputs.len()],
            system: vec![0.0; outputs.len()],
            acceleration: vec![0.0; n],
            reaction: vec![0.0; k],
            coordinates: w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect(),
            constraints: w.system.constraints.iter().map(|c| c.name.clone()).collect(),
        })
    }

    /// Accelerations and μ̇ at (t, y).
    pub fn solve(&mut self, t: f64, y: &[f64]) -> Result<(&[f64], Vec<f64>), RhsFailure> {
        let (n, k) = (self.n, self.k);
        self.input[0] = t;
        self.input[1..].copy_from_slice(y);
        self.runner.run(&self.input, &mut self.system);
        let (m, rest) = self.system.split_at(n * n);
        let (a, rest) = rest.split_at(k * n);
        let (f, b) = rest.split_at(n);
        self.saddle.solve(m, a, f, b, &mut self.acceleration, &mut self.reaction).map_err(|e| match e {
            SaddleFailure::Constraint { row } => {
                RhsFailure::Singular { which: format!("constraint `{}`", self.constraints[row]) }
            }
            SaddleFailure::Inertia { coordinate } => {
                RhsFailure::Singular { which: format!("coordinate `{}`", self.coordinates[coordinate]) }
            }
            SaddleFailure::NonFinite => RhsFailure::NonFinite { component: n },
        })?;
        // λ = −μ̇
        Ok((&self.acceleration, self.reaction.iter().map(|x| -x).collect()))
    }
}

impl Ode for VakonomicMotion {
    fn dimension(&self) -> usize {
        2 * self.n + self.k
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        let (a, rates) = self.solve(t, y)?;
        dy[n..2 * n].copy_from_slice(a);
        dy[2 * n..].copy_from_slice(&rates);
        dy[..n].copy_from_slice(&y[n..2 * n]);
        Ok(())
    }
}

/// The vakonomic motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct VakonomicSample {
    /// Time.
    pub t: f64,
    /// Coordinates and velocities.
    pub y: Vec<f64>,
    /// μ.
    pub mu: Vec<f64>,
    /// μ̇.
    pub rates: Vec<f64>,
    /// Accelerations.
    pub accelerations: Vec<f64>,
    /// The left sides of (2).
    pub condition: Vec<f64>,
}

/// Both motions from one initial state.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The true motion.
    pub mechanics: Simulation,
    /// How the vakonomic run ended.
    pub outcome: Outcome,
    /// The vakonomic motion at the requested times.
    pub samples: Vec<VakonomicSample>,
    /// What the vakonomic run cost.
    pub statistics: Statistics,
    /// Largest difference of a coordinate, per sample.
    pub differences: Vec<f64>,
    /// The coordinate in which it is largest, at the last sample.
    pub coordinate: Option<Symbol>,
    /// Accelerations at the initial state: true, vakonomic.
    pub initial_accelerations: (Vec<f64>, Vec<f64>),
}

impl Comparison {
    /// The first sample where the motions differ by more than `threshold`: time and difference.
    pub fn departs(&self, threshold: f64) -> Option<(f64, f64)> {
        let i = self.differences.iter().position(|d| d.is_nan() || *d > threshold)?;
        Some((self.samples[i].t, self.differences[i]))
    }

    /// Largest left side of (2) along the vakonomic motion.
    pub fn condition(&self) -> f64 {
        self.samples.iter().flat_map(|s| &s.condition).fold(0.0, |m, x| f64::max(m, x.abs()))
    }
}

/// The values of μ for which the generalised momenta of the dependent coordinates vanish at a state.
pub fn momentum_choice(w: &mut Workbench, v: &Vakonomic, state: &State) -> Result<Vec<f64>> {
    let refuse = |why: &str| {
        let message = format!("the choice of μ by momenta does not apply: {why}");
        Error::not_applicable(message).remedy(Remedy::Multipliers)
    };
    let choice = v.agreement(w).momentum_choice;
    let choice = choice.ok_or_else(|| refuse("no choice of dependent velocities is regular"))?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut probe = simulate::Probe::new(w, &choice, &options)?;
    let y = state.values();
    let mu = probe.values(state.time, &y, &[], &[]);
    if mu.iter().any(|x| !x.is_finite()) {
        return Err(refuse("at the initial state the constraints cannot be solved for the dependent velocities"));
    }
    Ok(mu)
}

/// Integrates the true and the vakonomic motion from one state, the latter with μ(0) = `mu`.
pub fn compare(w: &mut Workbench, v: &Vakonomic, state: &State, mu: &[f64], settings: &Settings) -> Result<Comparison> {
    let (n, k) = (w.system.n(), w.system.k());
    if mu.len() != k || mu.iter().any(|x| !x.is_finite()) {
        let message = format!("the initial values of μ must be finite numbers, one for each of the {k} constraints");
        return Err(Error::input(message).remedy(Remedy::Multipliers));
    }
    let mechanics = simulate::simulate(w, state, settings, &mut |_| true)?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut y = state.values();
    let mut motion = simulate::Motion::new(w, &options, &[&[state.time][..], &y].concat())?;
    let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; k]);
    let singular =
        |why: RhsFailure| Error::computation(format!("at the initial state {why}")).remedy(Remedy::InitialState);
    motion.solve(state.time, &y, &mut a, &mut lambda).map_err(singular)?;
    y.extend(mu);
    let mut vakonomic = VakonomicMotion::new(w, v, &options)?;
    let first = vakonomic.solve(state.time, &y).map_err(singular)?.0.to_vec();
    let (run, points, _) = follow(w, &mut vakonomic, state.time, &y, settings, &mut [])?;
    let mut inputs = vec![w.g.time()];
    inputs.extend(&w.system.coordinates);
    inputs.extend(&w.system.velocities);
    inputs.extend(&v.multipliers);
    inputs.extend(&w.system.accelerations);
    let mut condition = compile(&w.g, &inputs, &v.condition, &options)?.runner();
    let mut samples = Vec::new();
    for (t, y) in points {
        let Ok((a, rates)) = vakonomic.solve(t, &y) else { break };
        let input = [&[t][..], &y, a].concat();
        let mut values = vec![0.0; v.condition.len()];
        condition.run(&input, &mut values);
        samples.push(VakonomicSample {
            t,
            y: y[..2 * n].to_vec(),
            mu: y[2 * n..].to_vec(),
            rates,
            accelerations: a.to_vec(),
            condition: values,
        });
    }
    let apart = |a: &[f64], b: &[f64]| -> (usize, f64) {
        (0..n).map(|i| (i, (a[i] - b[i]).abs())).fold((0, 0.0), |m, x| if x.1 > m.1 { x } else { m })
    };
    let both: Vec<(usize, f64)> = samples.iter().zip(&mechanics.samples).map(|(s, m)| apart(&s.y, &m.y)).collect();
    Ok(Comparison {
        mechanics,
        outcome: run.outcome,
        samples,
        statistics: run.statistics,
        coordinate: both.last().map(|&(i, _)| w.system.coordinates[i]),
        differences: both.into_iter().map(|(_, d)| d).collect(),
        initial_accelerations: (a, first),
    })
}
