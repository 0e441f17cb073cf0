//! Reactions and their limits; constraints that are not ideal.
//!
//! The reaction of constraint j on coordinate i is R_ji = λ_j ∂φ_j/∂q̇_i. Where φ_j is the velocity of slip in one direction,
//! λ_j is the force in that direction, and grip is kept while |λ_j| stays below the Coulomb limit given as `friction`:
//! ```text
//! margin_j(t) = limit_j − |λ_j| > 0,    or limit − √(Σ λ_j²) for several directions of slip at one contact        (1)
//! ```
//! (the remark after example II.5 of Soltakhanov, Yushkov and Zegzhda). The limit may contain multipliers: a normal force
//! is the multiplier of a holonomic constraint.
//!
//! A constraint is not ideal when its reaction has a part T₀ along the virtual displacements, given by a law that may depend
//! on the reaction itself (the book's chapter I, (1.12)):
//! ```text
//! M q̈ = f + T₀(t, q, q̇, λ) + Aᵀλ,   A q̈ = b                                                                     (2)
//! ```
//! is solved for λ by Newton's method at every evaluation: λ = λ_ideal + P T₀(λ), P the response of the multipliers to forces.

use super::follow;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Matrix, Rational};
use crate::forms::Workbench;
use crate::model::State;
use crate::simulate::linalg::Lu;
use crate::simulate::{
    self, Event, Ode, Outcome, Probe, RhsFailure, Saddle, SaddleFailure, Settings, Simulation, Statistics,
};

/// A place where bodies touch: one or two directions in which slip is prevented, and what friction can hold.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// Indices of its constraints.
    pub constraints: Vec<usize>,
    /// The largest force friction can give.
    pub limit: Expr,
}

/// The contacts of the model: one per constraint with `friction`.
pub fn contacts(w: &Workbench) -> Vec<Contact> {
    let of = |(j, c): (usize, &crate::model::Constraint)| {
        Some(Contact { name: c.name.clone(), constraints: vec![j], limit: c.friction? })
    };
    w.system.constraints.iter().enumerate().filter_map(of).collect()
}

/// R_ji = λ_j ∂φ_j/∂q̇_i, by constraints.
pub fn reactions(w: &mut Workbench) -> Matrix {
    let d = w.dynamics();
    let mut rows = Vec::new();
    for (j, c) in w.system.constraints.iter().enumerate() {
        let lambda = w.g.symbol(c.multiplier);
        let mut row = Vec::new();
        for &a in &d.a[j] {
            let e = w.g.mul(lambda, a);
            row.push(w.simplify(e));
        }
        rows.push(row);
    }
    rows
}

/// The force at one contact and its limit at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The reaction, as a magnitude.
    pub force: f64,
    /// What friction can hold.
    pub limit: f64,
}

impl Load {
    /// (1)
    pub fn margin(self) -> f64 {
        self.limit - self.force
    }
}

/// The moment at which a contact can no longer hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Slide {
    /// Index of the contact.
    pub contact: usize,
    /// When.
    pub t: f64,
    /// Coordinates and velocities there.
    pub state: Vec<f64>,
    /// Force and limit there.
    pub load: Load,
}

/// Reactions along a motion.
#[derive(Clone, Debug)]
pub struct GripRun {
    /// The motion with grip assumed throughout.
    pub simulation: Simulation,
    /// Generalised reaction of each constraint on each coordinate, per sample.
    pub reactions: Vec<Vec<Vec<f64>>>,
    /// Loads of the contacts, per sample.
    pub loads: Vec<Vec<Load>>,
    /// Least margin of each contact among the samples: when, and its load.
    pub least: Vec<(f64, Load)>,
    /// The first moment at which a contact slides.
    pub slides: Option<Slide>,
}

/// Runs a system with its constraints kept and looks at what that asks of the contacts.
pub fn grip(w: &mut Workbench, contacts: &[Contact], state: &State, settings: &Settings) -> Result<GripRun> {
    let k = w.system.k();
    if contacts.iter().any(|c| c.constraints.is_empty() || c.constraints.iter().any(|&j| j >= k)) {
        return Err(Error::input("a contact needs constraints of the model"));
    }
    w.independent_constraints().map_err(|why| Error::not_applicable(format!("grip does not apply: {why}")))?;
    let mut margins = Vec::new();
    let mut quantities = Vec::new();
    for c in contacts {
        let mut lambdas = Vec::new();
        for &j in &c.constraints {
            lambdas.push(w.g.symbol(w.system.constraints[j].multiplier));
        }
        let force = if let [one] = lambdas[..] {
            w.g.call(Function::Abs, one)
        } else {
            let mut squares = Vec::new();
            for e in lambdas {
                squares.push(w.g.square(e));
            }
            let sum = w.g.sum(squares);
            w.g.sqrt(sum)
        };
        margins.push(w.g.sub(c.limit, force)); // (1)
        quantities.extend([force, c.limit]);
    }
    let simulation = simulate::simulate(w, state, settings, &mut |_| true)?;
    let options = CompileOptions::of_system(w.g, w.system, &w.limits)?;
    let mut probe = Probe::new(w, &quantities, &options)?;
    let reactions = reactions(w);
    let flat: Vec<Expr> = reactions.into_iter().flatten().collect();
    let mut reaction_probe = Probe::new(w, &flat, &options)?;
    let loads_at = |probe: &mut Probe, s: &simulate::Sample| -> Vec<Load> {
        let values = probe.values(s.t, &s.y, &s.accelerations, &s.multipliers);
        values.chunks(2).map(|v| Load { force: v[0], limit: v[1] }).collect()
    };
    let n = w.system.n();
    let (mut table, mut loads) = (Vec::new(), Vec::new());
    for s in &simulation.samples {
        let values = reaction_probe.values(s.t, &s.y, &s.accelerations, &s.multipliers);
        table.push(values.chunks(n).map(<[f64]>::to_vec).collect());
        loads.push(loads_at(&mut probe, s));
    }
    let mut least = Vec::new();
    for i in 0..contacts.len() {
        let of = simulation.samples.iter().zip(&loads).map(|(s, l)| (s.t, l[i]));
        least.extend(of.min_by(|a, b| a.1.margin().total_cmp(&b.1.margin())));
    }
    let slides = first_slide(w, contacts, &margins, state, settings, &mut probe)?;
    Ok(GripRun { simulation, reactions: table, loads, least, slides })
}

/// The first zero of a margin along the motion; a contact overloaded from the start slides at once.
fn first_slide(
    w: &mut Workbench,
    contacts: &[Contact],
    margins: &[Expr],
    state: &State,
    settings: &Settings,
    probe: &mut Probe,
) -> Result<Option<Slide>> {
    if contacts.is_empty() {
        return Ok(None);
    }
    let options = CompileOptions::of_system(w.g, w.system, &w.limits)?;
    let y: Vec<f64> = state.position.iter().chain(&state.velocity).copied().collect();
    let mut motion = simulate::Motion::new(w, &options, &[&[state.time][..], &y].concat())?;
    let (mut a, mut lambda) = (vec![0.0; w.system.n()], vec![0.0; w.system.k()]);
    let mut at = |t: f64, y: &[f64]| -> Result<Vec<Load>> {
        motion
            .solve(t, y, &mut a, &mut lambda)
            .map_err(|f| Error::computation(format!("the accelerations are not determined at t = {t}: {f:?}")))?;
        Ok(probe.values(t, y, &a, &lambda).chunks(2).map(|v| Load { force: v[0], limit: v[1] }).collect())
    };
    let overloaded = |loads: &[Load]| (0..loads.len()).find(|&i| loads[i].margin() <= 0.0);
    let loads = at(state.time, &y)?;
    if let Some(contact) = overloaded(&loads) {
        return Ok(Some(Slide { contact, t: state.time, state: y, load: loads[contact] }));
    }
    let stops = contacts.iter().zip(margins).map(|(c, &m)| (c.name.clone(), m)).collect();
    let settings = Settings { stops, at: Vec::new(), ..settings.clone() };
    let run = simulate::simulate(w, state, &settings, &mut |_| true)?;
    let Outcome::Event { index, t, .. } = run.outcome else { return Ok(None) };
    let loads = at(t, &run.end.1)?;
    Ok(Some(Slide { contact: index, t, state: run.end.1, load: loads[index] }))
}

/// Motion under constraints that are not ideal: (2) as y′ = f(t, y).
pub struct NonIdeal {
    n: usize,
    k: usize,
    /// (t, q, q̇) → M, A, f, b.
    mechanics: Runner,
    /// (t, q, q̇, λ) → T₀, then ∂T₀/∂λ row by row.
    law: Runner,
    saddle: Saddle,
    input: Vec<f64>,
    system: Vec<f64>,
    tangential: Vec<f64>,
    acceleration: Vec<f64>,
    /// Warm start of the iteration.
    lambda: Vec<f64>,
    constraints: Vec<String>,
    coordinates: Vec<String>,
    /// Most iterations one evaluation needed.
    pub most_iterations: usize,
}

/// Accelerations, multipliers, tangential force.
pub type Solved<'a> = (&'a [f64], &'a [f64], &'a [f64]);

/// Iterations for the reaction before it is given up.
const ITERATIONS: usize = 60;
/// Change of the reaction, relative to its size, that counts as none.
const CONVERGED: f64 = 1e-13;

impl NonIdeal {
    /// Compiles the system with the tangential forces T₀, one per coordinate; they may contain multipliers.
    pub fn new(w: &mut Workbench, law: &[Expr], options: &CompileOptions) -> Result<NonIdeal> {
        let refuse = |why: String| Error::not_applicable(format!("a law of friction does not apply: {why}"));
        w.independent_constraints().map_err(refuse)?;
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        if law.len() != n {
            return Err(Error::input("a law of friction has one force per coordinate"));
        }
        let law: Vec<Expr> = law.iter().map(|&e| crate::verify::in_coordinates(w, e)).collect();
        if law.iter().any(|&e| w.g.depends_on_any(e, &w.system.accelerations)) {
            return Err(Error::input("a law of friction cannot contain accelerations")
                .hint("write it with the multipliers lambda_NAME"));
        }
        let mut inputs = vec![w.g.time()];
        inputs.extend(&w.system.coordinates);
        inputs.extend(&w.system.velocities);
        let force: Vec<Expr> = d.rest.iter().map(|&h| w.g.neg(h)).collect();
        let outputs: Vec<Expr> =
            d.mass.iter().flatten().chain(d.a.iter().flatten()).chain(&force).chain(&d.b).copied().collect();
        let mechanics = compile(w.g, &inputs, &outputs, options)?.runner();
        let multipliers: Vec<_> = w.system.constraints.iter().map(|c| c.multiplier).collect();
        inputs.extend(&multipliers);
        let jacobian = w.g.jacobian(&law, &multipliers);
        let outputs_law: Vec<Expr> = law.iter().chain(jacobian.iter().flatten()).copied().collect();
        Ok(NonIdeal {
            n,
            k,
            mechanics,
            law: compile(w.g, &inputs, &outputs_law, options)?.runner(),
            saddle: Saddle::new(n, k),
            input: vec![0.0; inputs.len()],
            system: vec![0.0; outputs.len()],
            tangential: vec![0.0; outputs_law.len()],
            acceleration: vec![0.0; n],
            lambda: vec![0.0; k],
            constraints: w.system.constraints.iter().map(|c| c.name.clone()).collect(),
            coordinates: w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect(),
            most_iterations: 0,
        })
    }

    /// Accelerations, multipliers and the tangential force at (t, y).
    pub fn solve(&mut self, t: f64, y: &[f64]) -> Result<Solved<'_>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        self.input[0] = t;
        self.input[1..1 + 2 * n].copy_from_slice(y);
        self.mechanics.run(&self.input[..1 + 2 * n], &mut self.system);
        let (m, rest) = self.system.split_at(n * n);
        let (a, rest) = rest.split_at(k * n);
        let (f, b) = rest.split_at(n);
        let zero = vec![0.0; k];
        let (mut response, mut unused) = (vec![0.0; k], vec![0.0; n]);
        let fail = |e: SaddleFailure, constraints: &[String], coordinates: &[String]| match e {
            SaddleFailure::Constraint { row } => {
                RhsFailure::Singular { which: format!("constraint `{}`", constraints[row]) }
            }
            SaddleFailure::Inertia { coordinate } => {
                RhsFailure::Singular { which: format!("coordinate `{}`", coordinates[coordinate]) }
            }
            SaddleFailure::NonFinite => RhsFailure::NonFinite { component: n },
        };
        if self.lambda.iter().any(|x| !x.is_finite()) {
            self.lambda.fill(0.0);
        }
        for iteration in 1..=ITERATIONS {
            self.input[1 + 2 * n..].copy_from_slice(&self.lambda);
            self.law.run(&self.input, &mut self.tangential);
            let total: Vec<f64> = (0..n).map(|i| f[i] + self.tangential[i]).collect();
            self.saddle
                .solve(m, a, &total, b, &mut self.acceleration, &mut response)
                .map_err(|e| fail(e, &self.constraints, &self.coordinates))?;
            let residual: Vec<f64> = (0..k).map(|j| response[j] - self.lambda[j]).collect();
            let size = 1.0 + self.lambda.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if residual.iter().all(|r| r.abs() <= CONVERGED * size) {
                self.most_iterations = self.most_iterations.max(iteration);
                return Ok((&self.acceleration, &self.lambda, &self.tangential[..n]));
            }
            // (1 − P ∂T₀/∂λ) dλ = residual
            let mut newton: Lu<f64> = Lu::new(k);
            for j in 0..k {
                let column: Vec<f64> = (0..n).map(|i| self.tangential[n + i * k + j]).collect();
                self.saddle
                    .solve(m, a, &column, &zero, &mut unused, &mut response)
                    .map_err(|e| fail(e, &self.constraints, &self.coordinates))?;
                for i in 0..k {
                    newton.matrix()[i * k + j] = f64::from(u8::from(i == j)) - response[i];
                }
            }
            let singular = |_| RhsFailure::Singular { which: "the law of friction: the reaction".into() };
            newton.factorise().map_err(singular)?;
            let mut step = residual;
            newton.solve(&mut step);
            for (x, dx) in self.lambda.iter_mut().zip(&step) {
                *x += dx;
            }
        }
        self.lambda.fill(0.0);
        Err(RhsFailure::Singular { which: "the law of friction: no reaction satisfies it, the reaction".into() })
    }
}

impl Ode for NonIdeal {
    fn dimension(&self) -> usize {
        2 * self.n
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        let (a, _, _) = self.solve(t, y)?;
        dy[n..].copy_from_slice(a);
        dy[..n].copy_from_slice(&y[n..]);
        Ok(())
    }
}

/// The motion with friction at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct NonIdealSample {
    /// Time.
    pub t: f64,
    /// Coordinates and velocities.
    pub y: Vec<f64>,
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
    /// The last good time and state.
    pub end: (f64, Vec<f64>),
    /// The requested samples.
    pub samples: Vec<NonIdealSample>,
    /// What it cost.
    pub statistics: Statistics,
    /// Most iterations one evaluation needed for the reaction.
    pub most_iterations: usize,
}

/// Integrates (2) from a state; `settings.stops` end the run where an expression of t, q, q̇ and λ crosses zero.
pub fn simulate_non_ideal(w: &mut Workbench, law: &[Expr], state: &State, settings: &Settings) -> Result<NonIdealRun> {
    let options = CompileOptions::of_system(w.g, w.system, &w.limits)?;
    let mut motion = NonIdeal::new(w, law, &options)?;
    let y: Vec<f64> = state.position.iter().chain(&state.velocity).copied().collect();
    let mut events = Vec::new();
    for (name, e) in &settings.stops {
        let mut probe = Probe::new(w, &[*e], &options)?;
        let mut motion = NonIdeal::new(w, law, &options)?;
        let function = move |t: f64, y: &[f64]| match motion.solve(t, y) {
            Ok((a, lambda, _)) => probe.values(t, y, a, lambda)[0],
            Err(_) => f64::NAN,
        };
        events.push(Event::new(name.clone(), function).terminal());
    }
    let (run, points) = follow(w, &mut motion, state.time, &y, settings, &mut events)?;
    let total = w.g.linear(Rational::ZERO, [(w.system.kinetic, Rational::ONE), (w.system.potential, Rational::ONE)]);
    let mut energy = Probe::new(w, &[total], &options)?;
    let n = w.system.n();
    let mut samples = Vec::new();
    for (t, y) in points {
        let Ok((_, lambda, tangential)) = motion.solve(t, &y) else { break };
        samples.push(NonIdealSample {
            t,
            multipliers: lambda.to_vec(),
            tangential: tangential.to_vec(),
            power: tangential.iter().zip(&y[n..]).map(|(f, v)| f * v).sum(),
            energy: energy.values(t, &y, &[], &[])[0],
            y,
        });
    }
    Ok(NonIdealRun {
        outcome: run.outcome,
        end: (run.t, run.state),
        samples,
        statistics: run.statistics,
        most_iterations: motion.most_iterations,
    })
}
