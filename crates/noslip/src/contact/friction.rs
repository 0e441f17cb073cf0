//! Reactions and their limits.
//!
//! The reaction of constraint j on coordinate i is R_ji = λ_j ∂φ_j/∂q̇_i. Where φ_j is the velocity of slip in one direction,
//! λ_j is the force in that direction, and grip is kept while |λ_j| stays below the Coulomb limit given as `friction`:
//! ```text
//! margin_j(t) = limit_j − |λ_j| > 0,    or limit − √(Σ λ_j²) for several directions of slip at one contact        (1)
//! ```
//! (the remark after example II.5 of Soltakhanov, Yushkov and Zegzhda). The limit may contain multipliers: a normal force
//! is the multiplier of a holonomic constraint, or follows from an acceleration.

use crate::card::Card;
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Matrix};
use crate::mechanics::Workbench;
use crate::model::{Constraint, State};
use crate::simulate::{self, Outcome, Probe, Settings, Simulation};

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "grip",
    aliases: &["friction", "reactions"],
    name: "Reactions and their limits",
    source: "Soltakhanov, Yushkov, Zegzhda 2009, the remark after example II.5",
    needs: "independent constraints; `friction` beside a constraint, or a limit given with the question",
    about: crate::card::head_of!("friction.rs"),
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

impl Contact {
    /// The magnitude of the reaction, in the multipliers.
    pub fn force(&self, w: &mut Workbench) -> Expr {
        let lambdas: Vec<Expr> =
            self.constraints.iter().map(|&j| w.g.symbol(w.system.constraints[j].multiplier)).collect();
        if let [one] = lambdas[..] {
            return w.g.call(Function::Abs, one);
        }
        let squares: Vec<Expr> = lambdas.into_iter().map(|e| w.g.square(e)).collect();
        let sum = w.g.sum(squares);
        w.g.sqrt(sum)
    }
}

/// (1), in the multipliers.
pub fn margins(w: &mut Workbench, contacts: &[Contact]) -> Vec<Expr> {
    let mut list = Vec::new();
    for c in contacts {
        let force = c.force(w);
        list.push(w.g.sub(c.limit, force));
    }
    list
}

/// The contacts of the model: constraints with the same `contact`, and every other constraint with `friction`.
pub fn contacts(w: &Workbench) -> Vec<Contact> {
    let mut list: Vec<Contact> = Vec::new();
    for (j, c) in w.system.constraints.iter().enumerate() {
        let Some(name) = &c.contact else {
            list.extend(c.friction.map(|limit| Contact { name: c.name.clone(), constraints: vec![j], limit }));
            continue;
        };
        if list.iter().any(|known| known.name == *name && known.constraints.contains(&j)) {
            continue;
        }
        let members = |(i, other): (usize, &Constraint)| (other.contact.as_ref() == Some(name)).then_some(i);
        let constraints: Vec<usize> = w.system.constraints.iter().enumerate().filter_map(members).collect();
        let limit = constraints.iter().find_map(|&i| w.system.constraints[i].friction);
        list.extend(limit.map(|limit| Contact { name: name.clone(), constraints, limit }));
    }
    list
}

/// R_ji = λ_j ∂φ_j/∂q̇_i, by constraints.
pub fn reactions(w: &mut Workbench) -> Matrix {
    let d = w.dynamics();
    let system = w.system.clone();
    let mut rows = Vec::new();
    for (j, c) in system.constraints.iter().enumerate() {
        let lambda = w.g.symbol(c.multiplier);
        let mut row = Vec::new();
        for &a in &d.a[j] {
            row.push(w.simplify(lambda * a));
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

    /// Would the normal force have to pull? Friction has no limit below zero: the bodies part.
    pub fn parts(self) -> bool {
        self.limit < 0.0
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
    /// Least margin of each contact along the motion: when, and its load.
    pub least: Vec<(f64, Load)>,
    /// The first moment at which a contact slides.
    pub slides: Option<Slide>,
}

/// Points along a motion at which the margins are looked at, beside the samples asked for.
const FINE: usize = 2000;

/// Runs a system with its constraints kept and looks at what that asks of the contacts.
pub fn grip(w: &mut Workbench, contacts: &[Contact], state: &State, settings: &Settings) -> Result<GripRun> {
    let k = w.system.k();
    if contacts.iter().any(|c| c.constraints.is_empty() || c.constraints.iter().any(|&j| j >= k)) {
        return Err(Error::input("a contact needs constraints of the model"));
    }
    w.independent_constraints().map_err(|why| Error::not_applicable(format!("grip does not apply: {why}")))?;
    let simulation = simulate::simulate(w, state, settings, &mut |_| true)?;
    let loads = loads_along(w, contacts, state, &simulation)?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let reactions = reactions(w);
    let flat: Vec<Expr> = reactions.into_iter().flatten().collect();
    let mut probe = Probe::new(w, &flat, &options)?;
    let n = w.system.n();
    let mut table = Vec::new();
    for s in &simulation.samples {
        let values = probe.values(s.t, &s.y, &s.accelerations, &s.multipliers);
        table.push(values.chunks(n).map(<[f64]>::to_vec).collect());
    }
    // Between the samples asked for the margin may be less than at any of them.
    let length = simulation.end.0 - state.time;
    let at = (0..=FINE).map(|i| state.time + length * i as f64 / FINE as f64).collect();
    let fine =
        simulate::simulate(w, state, &Settings { at, until: simulation.end.0, ..settings.clone() }, &mut |_| true)?;
    let fine_loads = loads_along(w, contacts, state, &fine)?;
    let everywhere = || {
        let of = |run: &Simulation| run.samples.iter().map(|s| (s.t, s.y.clone())).collect::<Vec<_>>();
        of(&simulation).into_iter().zip(&loads).chain(of(&fine).into_iter().zip(&fine_loads))
    };
    let mut slides = slide(w, contacts, state, settings)?;
    let mut least = Vec::new();
    for i in 0..contacts.len() {
        let of = everywhere().map(|((t, _), l)| (t, l[i]));
        least.extend(of.min_by(|a, b| a.1.margin().total_cmp(&b.1.margin())));
        // A margin that is less than nothing for so short a time that no step ended there.
        let lost = everywhere().filter(|(_, l)| l[i].margin() < 0.0);
        let before = slides.as_ref().map_or(f64::INFINITY, |s| s.t);
        let first = lost.min_by(|a, b| a.0.0.total_cmp(&b.0.0)).filter(|((t, _), _)| *t < before);
        if let Some(((t, y), l)) = first {
            slides = Some(Slide { contact: i, t, state: y, load: l[i] });
        }
    }
    Ok(GripRun { simulation, reactions: table, loads, least, slides })
}

/// The loads of the contacts at a state.
pub fn loads(w: &mut Workbench, contacts: &[Contact], state: &State) -> Result<Vec<Load>> {
    let y = state.values();
    Gauge::new(w, contacts, state)?.read(state.time, &y)
}

/// The loads of the contacts at the samples of a run.
pub fn loads_along(w: &mut Workbench, contacts: &[Contact], state: &State, run: &Simulation) -> Result<Vec<Vec<Load>>> {
    let mut gauge = Gauge::new(w, contacts, state)?;
    let mut list = Vec::new();
    for s in &run.samples {
        gauge.accelerations.copy_from_slice(&s.accelerations);
        gauge.multipliers.copy_from_slice(&s.multipliers);
        list.push(gauge.at(s.t, &s.y));
    }
    Ok(list)
}

/// The first moment at which a contact slides, if one does; a contact overloaded from the start slides at once.
pub fn slide(w: &mut Workbench, contacts: &[Contact], state: &State, settings: &Settings) -> Result<Option<Slide>> {
    let mut gauge = Gauge::new(w, contacts, state)?;
    first_slide(w, contacts, state, settings, &mut gauge)
}

/// Reads the loads of contacts at any state.
struct Gauge {
    motion: simulate::Motion,
    probe: Probe,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
}

impl Gauge {
    fn new(w: &mut Workbench, contacts: &[Contact], state: &State) -> Result<Gauge> {
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let mut quantities = Vec::new();
        for c in contacts {
            quantities.extend([c.force(w), c.limit]);
        }
        let at = [&[state.time][..], &state.position, &state.velocity].concat();
        Ok(Gauge {
            motion: simulate::Motion::new(w, &options, &at)?,
            probe: Probe::new(w, &quantities, &options)?,
            accelerations: vec![0.0; w.system.n()],
            multipliers: vec![0.0; w.system.k()],
        })
    }

    fn read(&mut self, t: f64, y: &[f64]) -> Result<Vec<Load>> {
        self.motion
            .solve(t, y, &mut self.accelerations, &mut self.multipliers)
            .map_err(|why| Error::computation(format!("at t = {t} {why}")))?;
        Ok(self.at(t, y))
    }

    /// With accelerations and multipliers already known.
    fn at(&mut self, t: f64, y: &[f64]) -> Vec<Load> {
        let values = self.probe.values(t, y, &self.accelerations, &self.multipliers);
        values.chunks(2).map(|v| Load { force: v[0], limit: v[1] }).collect()
    }
}

/// The first zero of a margin along the motion; a contact overloaded from the start slides at once.
fn first_slide(
    w: &mut Workbench,
    contacts: &[Contact],
    state: &State,
    settings: &Settings,
    gauge: &mut Gauge,
) -> Result<Option<Slide>> {
    if contacts.is_empty() {
        return Ok(None);
    }
    let y = state.values();
    let loads = gauge.read(state.time, &y)?;
    if let Some(contact) = loads.iter().position(|l| l.margin() <= 0.0) {
        return Ok(Some(Slide { contact, t: state.time, state: y, load: loads[contact] }));
    }
    let margins = margins(w, contacts);
    let stops = contacts.iter().zip(margins).map(|(c, m)| (c.name.clone(), m)).collect();
    let settings = Settings { stops, at: Vec::new(), ..settings.clone() };
    let run = simulate::simulate(w, state, &settings, &mut |_| true)?;
    let Outcome::Event { index, t, .. } = run.outcome else { return Ok(None) };
    let loads = gauge.read(t, &run.end.1)?;
    Ok(Some(Slide { contact: index, t, state: run.end.1, load: loads[index] }))
}
