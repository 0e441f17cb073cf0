//! Constraints that are nonlinear in the accelerations, or of third order, as constraints of first and second order of a larger system.
//!
//! ```text
//! M q̈ + h = Σ_j λ_j ∂φ_j/∂q^(p),    φ_j(t, q, q̇, q̈) = 0  or  φ_j(t, q, q̇, q̈, q⃛) = 0
//! ```
//! The larger system has coordinates (q, r, s) with ṙ = q̈ and ṡ = λ: r is a second copy of the velocities, s the impulse of the
//! reactions. Its constraints
//!
//! ```text
//! q̈_i − ṙ_i = 0,    M ṙ + h − Σ_j ṡ_j ∂φ_j/∂q^(p) = 0,    φ_j(t, q, q̇, ṙ) = 0  or  φ_j(t, q, q̇, ṙ, r̈) = 0
//! ```
//! are as many as its coordinates and of kinds that every method of integration knows; those on (ṙ, ṡ) are kept by projection.
//!
//! At the start q̈ and λ are the solution of the equations with the least Z = ½ (q̈ − a)ᵀ M (q̈ − a), a = −M⁻¹h (Gauss). From there on
//! the motion follows its branch.

use super::workbench::Workbench;
use crate::error::{Error, Result};
use crate::expr::field::SplitMix;
use crate::expr::{Evaluator, Expr, Formula, Role, Symbol};
use crate::model::{Constraint, State, System, Values};
use crate::numeric::{ConstraintSet, Projector, Saddle, norm};
use rustc_hash::FxHashMap;

/// Searches for other branches of a nonlinear constraint.
const STARTS: usize = 40;
/// Newton's method is finished when steps and residuals are smaller than this, relative to the unknowns.
const CONVERGED: f64 = 1e-13;
/// Accelerations that differ by less, relatively, are the same; values of Z too.
const SAME: f64 = 1e-7;

/// A system with the accelerations and multipliers of another one in its state.
pub struct Lifted {
    /// The larger system.
    pub system: System,
    /// q̈, λ, and the model's quasi-velocities with their rates, by what they are in the larger system.
    pub meaning: FxHashMap<Symbol, Expr>,
    conditions: Conditions,
    /// ṙ and ṡ.
    rates: Vec<Symbol>,
    n: usize,
    k: usize,
}

impl Lifted {
    /// The larger system of the one on the bench.
    pub fn new(w: &mut Workbench) -> Result<Lifted> {
        let system = w.system.clone();
        let (n, k) = (system.n(), system.k());
        w.independent_of_any_order().map_err(Error::not_applicable)?;
        let mut names: Vec<String> =
            system.coordinates.iter().map(|&q| format!("velocity of {}", w.g.name(q))).collect();
        names.extend(system.constraints.iter().map(|c| format!("impulse of {}", c.name)));
        let new: Vec<Symbol> = names.iter().map(|name| w.g.declare(name, Role::Coordinate)).collect();
        let rates: Vec<Symbol> = new.iter().map(|&s| w.g.dot(s)).collect();
        let second: Vec<Symbol> = rates.iter().map(|&s| w.g.dot(s)).collect();
        let mut meaning: FxHashMap<Symbol, Expr> = FxHashMap::default();
        for i in 0..n {
            let jerk = w.g.dot(system.accelerations[i]);
            meaning.insert(system.accelerations[i], w.g.symbol(rates[i]));
            meaning.insert(jerk, w.g.symbol(second[i]));
        }
        for (c, &s) in system.constraints.iter().zip(&rates[n..]) {
            meaning.insert(c.multiplier, w.g.symbol(s));
        }
        for v in &system.quasi_velocities {
            let (dot, rate) = (w.g.dot(v.symbol), w.g.time_derivative(v.expr));
            let rate = w.g.substitute(rate, &meaning);
            meaning.insert(v.symbol, v.expr);
            meaning.insert(dot, rate);
        }
        let conditions = Conditions::of(w, &meaning);
        let zero = w.g.zero();
        let mut lifted =
            System { quasi_velocities: Vec::new(), acceleration_energy: None, initial: None, ..(*system).clone() };
        lifted.constraints = conditions.constraints(w, &system, &rates);
        lifted.coordinates.extend(new);
        lifted.velocities.extend(&rates);
        lifted.accelerations.extend(second);
        lifted.forces.resize(2 * n + k, zero);
        Ok(Lifted { system: lifted, meaning, conditions, rates, n, k })
    }

    /// The state of the larger system for one of the system on the bench.
    pub fn start(&self, w: &mut Workbench, state: &State) -> Result<State> {
        let (accelerations, multipliers) = initial(w, state, &self.conditions, &self.rates)?;
        let position = [&state.position[..], &state.velocity, &vec![0.0; self.k]].concat();
        let velocity = [&state.velocity[..], &accelerations, &multipliers].concat();
        Ok(State { time: state.time, position, velocity, completed: Vec::new() })
    }

    /// (q, q̇), q̈ and λ of the system in a state of the larger one.
    pub fn parts(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (n, all) = (self.n, 2 * self.n + self.k);
        let state = [&y[..n], &y[all..all + n]].concat();
        (state, y[all + n..all + 2 * n].to_vec(), y[all + 2 * n..].to_vec())
    }

    /// The component of (q, q̇) that a component of the larger state belongs to.
    pub fn component(&self, i: usize) -> usize {
        let (n, all) = (self.n, 2 * self.n + self.k);
        match i {
            i if i < n => i,
            i if i < all + n => n + (i - n) % n,
            i => n + (i - all) % n,
        }
    }
}

/// What the accelerations and multipliers satisfy, in the letters of the larger system.
struct Conditions {
    /// M ṙ + h − Σ ṡ_j A_j, one per coordinate.
    equations: Vec<Expr>,
    /// The constraints, one after the other; of third order, with r̈.
    constraints: Vec<(Expr, u8)>,
}

impl Conditions {
    fn of(w: &mut Workbench, meaning: &FxHashMap<Symbol, Expr>) -> Conditions {
        let d = w.dynamics();
        let system = w.system.clone();
        let mut equations = Vec::new();
        for i in 0..system.n() {
            let mut terms = Formula::from(d.operator[i]);
            for (j, c) in system.constraints.iter().enumerate() {
                let lambda = w.g.symbol(c.multiplier);
                terms -= lambda * d.a[j][i];
            }
            let e = w.g.of(terms);
            equations.push(w.g.substitute(e, meaning));
        }
        let list = super::acceleration_constraints(w);
        let put = |(e, c): (Expr, &Constraint)| (w.g.substitute(e, meaning), if c.order == 3 { 2 } else { 1 });
        let constraints = list.into_iter().zip(&system.constraints).map(put).collect();
        Conditions { equations, constraints }
    }

    /// As constraints of the larger system.
    fn constraints(&self, w: &mut Workbench, system: &System, rates: &[Symbol]) -> Vec<Constraint> {
        let mut list = Vec::new();
        let mut add = |w: &mut Workbench, name: String, expr: Expr, order: u8| {
            let multiplier = w.g.declare(&format!("multiplier of {name}"), Role::Multiplier);
            list.push(Constraint::new(name, expr, order, multiplier));
        };
        for i in 0..system.n() {
            let (a, r) = (w.g.symbol(system.accelerations[i]), w.g.symbol(rates[i]));
            let difference = w.g.sub(a, r);
            let name = w.g.name(system.coordinates[i]).to_owned();
            add(w, format!("acceleration of {name}"), difference, 2);
            add(w, format!("equation of {name}"), self.equations[i], 1);
        }
        for (&(e, order), c) in self.constraints.iter().zip(&system.constraints) {
            add(w, c.name.clone(), e, order);
        }
        list
    }
}

/// Equations for accelerations and multipliers at a state, in the metric of Gauss's Z.
struct AtState<'a> {
    values: Values,
    unknowns: &'a [Symbol],
    residuals: Evaluator,
    jacobian: Evaluator,
    mass: &'a [f64],
    n: usize,
}

impl ConstraintSet for AtState<'_> {
    fn residual(&mut self, x: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        self.values.at.set_all(self.unknowns, x);
        c.copy_from_slice(&self.values.evaluate(&self.residuals));
        jacobian.copy_from_slice(&self.values.evaluate(&self.jacobian));
    }

    fn metric(&mut self, x: &[f64], metric: &mut [f64]) {
        // Multipliers have no weight: with the equations they follow from the accelerations.
        let (n, all) = (self.n, x.len());
        metric.fill(0.0);
        for i in 0..n {
            metric[i * all..i * all + n].copy_from_slice(&self.mass[i * n..(i + 1) * n]);
        }
    }
}

/// Accelerations and multipliers at the start: of all that satisfy the conditions those of the least Z.
fn initial(
    w: &mut Workbench,
    state: &State,
    conditions: &Conditions,
    rates: &[Symbol],
) -> Result<(Vec<f64>, Vec<f64>)> {
    let d = w.dynamics();
    let system = w.system.clone();
    let n = system.n();
    let mut values = system.values(&w.g, &[])?;
    values.at.set(w.g.time(), state.time);
    values.at.set_all(&system.coordinates, &state.position);
    values.at.set_all(&system.velocities, &state.velocity);
    let mass: Vec<Expr> = d.mass.iter().flatten().copied().collect();
    let mass = values.evaluate(&Evaluator::new(&w.g, &mass));
    let force: Vec<f64> = values.evaluate(&Evaluator::new(&w.g, &d.rest)).iter().map(|h| -h).collect();
    let mut free = vec![0.0; n];
    if Saddle::new(n, 0).solve(&mass, &[], &force, &[], &mut free, &mut []).is_err() {
        let why = "the mass matrix is singular at the start: Gauss's principle does not choose accelerations";
        return Err(Error::not_applicable(why));
    }
    let mut relations = conditions.equations.clone();
    relations.extend(conditions.constraints.iter().filter(|(_, order)| *order == 1).map(|(e, _)| *e));
    let given = system.initial.as_ref().map_or(&[][..], |i| &i.acceleration[..]);
    for (i, e) in given.iter().enumerate().filter_map(|(i, e)| Some((i, (*e)?))) {
        let r = w.g.symbol(rates[i]);
        relations.push(w.g.sub(r, e));
    }
    let jacobian = w.g.jacobian(&relations, rates).concat();
    let (residuals, jacobian) = (Evaluator::new(&w.g, &relations), Evaluator::new(&w.g, &jacobian));
    let mut set = AtState { values, unknowns: rates, residuals, jacobian, mass: &mass, n };
    let mut projector = Projector::new(rates.len(), relations.len(), &[]);
    let origin: Vec<f64> = free.iter().copied().chain(vec![0.0; system.k()]).collect();
    let nonlinear = system.constraints.iter().any(|c| c.higher && c.order == 2);
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    let mut random = SplitMix::new(1);
    for start in 0..if nonlinear { STARTS } else { 1 } {
        let mut x = origin.clone();
        if start > 0 {
            let size = (1.0 + norm(&origin)) * 4f64.powi((start % 5) as i32 - 2);
            x.iter_mut().for_each(|x| *x += size * (2.0 * random.unit() - 1.0));
        }
        if projector.nearest(&mut set, &origin, &mut x, CONVERGED).is_ok_and(|p| p.after < 1e-9) {
            found.push((deviation(&mass, &free, &x[..n]), x));
        }
    }
    let Some((least, best)) = found.iter().min_by(|a, b| a.0.total_cmp(&b.0)).cloned() else {
        return Err(refused(&system));
    };
    let size = 1.0 + norm(&best[..n]);
    let rival = found.iter().find(|(z, x)| {
        let apart: Vec<f64> = x[..n].iter().zip(&best).map(|(a, b)| a - b).collect();
        *z - least <= SAME * (1.0 + least) && norm(&apart) > SAME * size
    });
    if rival.is_some() {
        let message = "Gauss's principle does not choose: several accelerations at the start are equally near to those \
                       without the constraints";
        return Err(Error::computation(message).hint("begin at another state, or with a force that tells them apart"));
    }
    let (accelerations, multipliers) = best.split_at(n);
    Ok((accelerations.to_vec(), multipliers.to_vec()))
}

/// Z.
fn deviation(mass: &[f64], free: &[f64], x: &[f64]) -> f64 {
    let n = x.len();
    let apart: Vec<f64> = x.iter().zip(free).map(|(a, b)| a - b).collect();
    (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| 0.5 * mass[i * n + j] * apart[i] * apart[j]).sum()
}

/// No accelerations were found.
fn refused(system: &System) -> Error {
    let initial = system.initial.as_ref();
    if initial.is_some_and(|i| i.acceleration.iter().any(Option::is_some)) {
        let error = Error::input("no accelerations at the start satisfy the equations and have the values given");
        let error = error.hint("of the accelerations as many are free as constraints are of third order");
        return Error { span: initial.and_then(|i| i.acceleration_span.clone()), ..error };
    }
    let name = system.higher_constraint().map_or("", |c| c.name.as_str());
    Error::computation(format!("no acceleration was found that satisfies `{name}` at the start"))
        .hint("the constraint may ask for more than its reaction can give")
}
