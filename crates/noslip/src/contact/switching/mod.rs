//! Contacts that slide, stick, open and close.
//!
//! A constraint with `friction` holds while its reaction stays below that limit; then it slides, and where sliding ends it holds
//! again if it can. A constraint that is an inequality, φ ≥ 0, holds while its reaction pushes, λ ≥ 0; then it opens, and closes
//! where φ vanishes again:
//! ```text
//! holds:   φ = 0,  |λ| ≤ friction                    or  φ = 0,  λ ≥ 0
//! slides:  φ ≠ 0,  λ = −sliding·sign φ               or, open,  φ > 0,  λ = 0
//! closing: A(v⁺ − v⁻) = −(1 + e)·Av⁻,  M(v⁺ − v⁻) = AᵀΛ,   energy lost ½(v⁻ᵀMv⁻ − v⁺ᵀMv⁺)
//! ```
//! with e the `restitution` and the impulse Λ. `sliding` is the friction of sliding, the same as `friction` where nothing else is
//! said. Between two switches the motion is that of a smooth system, in which what slides or is open is no constraint, and the
//! friction of sliding is a force; each switch is located on the dense output like any other event.
//!
//! A limit and a friction of sliding may contain multipliers: μ times the normal force, itself the reaction of another constraint.
//! While such a contact slides, force and reactions are found together, as for [constraints that are not ideal](non-ideal).
//!
//! What became of the energy is told: the work of given forces and of what moves contacts, what friction and impacts took, and by how
//! much these do not add up to the change of T + V.

mod balance;
mod impact;
mod phase;

use super::friction;
use crate::card::Card;
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::{Overrides, State, System, complete};
use crate::numeric::brief;
use crate::simulate::{Outcome, Probe, Sample, Settings, Simulation, Statistics, Sweep, Sweeper};
use rustc_hash::FxHashMap;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "switching",
    aliases: &["sliding", "unilateral", "impact", "stick-slip"],
    name: "Contacts that slide, stick, open and close",
    source: "Soltakhanov, Yushkov, Zegzhda 2009, the remark after example II.5; Gibbs in Sumbatov 2002, after (3.11)",
    needs: "constraints with `friction`, or inequalities",
    about: crate::card::head_of!("mod.rs"),
};

/// Most switches of one run.
const MOST_SWITCHES: usize = 5_000;
/// Switches at one moment after which no set of contacts is taken to be consistent.
const AT_ONCE: usize = 60;
/// A slip or force that is zero but for rounding.
const SLACK: f64 = 1e-11;
/// A gap that is; to fall through it gives a speed far below that of rest.
const GAP: f64 = 1e-13;
/// A rebound slower than this ends the bouncing.
const REST: f64 = 1e-5;

/// What a contact begins to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// It slides, in the direction of this sign of φ.
    Slides(f64),
    /// It holds again.
    Sticks,
    /// An inequality no longer pushes.
    Opens,
    /// An inequality holds as an equation from here on.
    Closes,
    /// Bodies strike each other and rebound, or stay together if it closes as well.
    Strikes {
        /// dφ/dt before.
        speed: f64,
        /// The impulse Λ.
        impulse: f64,
        /// Energy that was lost.
        lost: f64,
    },
}

/// A moment at which a contact changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// When.
    pub t: f64,
    /// The name of the constraint.
    pub contact: String,
    /// What it begins to do.
    pub change: Change,
}

/// A run with its switches.
#[derive(Clone, Debug)]
pub struct Switched {
    /// The motion. Multipliers are forces of friction while a contact slides, and zero while it is open.
    pub simulation: Simulation,
    /// What changed, in the order of time.
    pub switches: Vec<Switch>,
    /// T + V at the beginning and at the end.
    pub energy: (f64, f64),
    /// Work of given forces, and of what moves contacts.
    pub given: f64,
    /// What friction took.
    pub friction: f64,
    /// Energy lost in impacts.
    pub impacts: f64,
}

impl Switched {
    /// What should be zero: the change of T + V, less what was given, with what friction and impacts took.
    pub fn balance(&self) -> f64 {
        self.energy.1 - self.energy.0 - self.given + self.friction + self.impacts
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Holds,
    /// With this sign of φ.
    Slides(f64),
    Open,
}

/// A constraint that is not always one.
#[derive(Clone, Debug)]
struct Item {
    constraint: usize,
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Friction that holds, and friction of sliding.
    Friction(Expr, Expr),
    /// The restitution.
    Inequality(Expr),
}

/// Must the model be followed from switch to switch, because it has inequalities or a law of friction?
pub fn is_needed(system: &System) -> bool {
    !system.law.is_empty() || system.constraints.iter().any(|c| c.inequality)
}

/// A sweep with its system compiled; motions under a law of friction run by themselves.
pub fn sweeper(w: Workbench, sweep: &Sweep) -> Result<Sweeper> {
    match w.system.law.is_empty() {
        true => Sweeper::new(w, sweep),
        false => Sweeper::with_runs(w, sweep, |w, state, settings| {
            run(w, state, settings, &mut |_| true).map(|run| run.simulation)
        }),
    }
}

/// The initial state: a contact of friction that does not hold there slides.
pub fn initial_state(w: &mut Workbench, overrides: &Overrides) -> Result<State> {
    let system = w.system.clone();
    let all = complete(&mut w.g, &system, overrides);
    let Err(error) = all else { return all };
    let mut sliding = (*system).clone();
    sliding.constraints.retain(|c| c.friction.is_none());
    if sliding.constraints.len() == system.constraints.len() {
        return Err(error);
    }
    complete(&mut w.g, &sliding, overrides).map_err(|_| error)
}

/// Runs a system whose contacts may slide, stick, open and close.
pub fn run(
    w: &mut Workbench,
    state: &State,
    settings: &Settings,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Switched> {
    settings.check()?;
    if settings.until < state.time {
        return Err(Error::not_applicable("contacts that switch cannot be followed backwards in time")
            .hint("friction and impacts forget where they came from"));
    }
    let mut runner = Runner::new(w, state)?;
    runner.begin(w)?;
    while runner.phase(w, settings, progress)? {}
    Ok(runner.finish(settings))
}

/// Follows the phases.
struct Runner {
    items: Vec<Item>,
    modes: Vec<Mode>,
    t: f64,
    y: Vec<f64>,
    options: CompileOptions,
    samples: Vec<Sample>,
    next_sample: usize,
    switches: Vec<Switch>,
    statistics: Statistics,
    outcome: Outcome,
    constraint_drift: f64,
    given: f64,
    friction: f64,
    impacts: f64,
    energy: Probe,
    first_energy: f64,
    /// Switches since time went on.
    at_once: usize,
}

impl Runner {
    fn new(w: &mut Workbench, state: &State) -> Result<Runner> {
        let items = items(w)?;
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let total = w.g.add(w.system.kinetic, w.system.potential);
        let mut energy = Probe::new(w, &[total], &options)?;
        let y = state.values();
        let first_energy = energy.values(state.time, &y, &[], &[])[0];
        Ok(Runner {
            modes: vec![Mode::Holds; items.len()],
            items,
            t: state.time,
            y,
            options,
            samples: Vec::new(),
            next_sample: 0,
            switches: Vec::new(),
            statistics: Statistics::default(),
            outcome: Outcome::Finished,
            constraint_drift: 0.0,
            given: 0.0,
            friction: 0.0,
            impacts: 0.0,
            energy,
            first_energy,
            at_once: 0,
        })
    }

    /// Finds out what holds at the beginning.
    fn begin(&mut self, w: &mut Workbench) -> Result<()> {
        for i in 0..self.items.len() {
            let [phi, rate] = self.phi(w, self.items[i].constraint)?;
            let size = 1.0 + self.y.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            self.modes[i] = match self.items[i].kind {
                Kind::Friction(..) if rate.abs() <= 1e-9 * size => Mode::Holds,
                Kind::Friction(..) => Mode::Slides(rate.signum()),
                Kind::Inequality(_) if phi < -1e-9 * size => {
                    let name = &self.items[i].name;
                    let message = format!(
                        "the initial state violates `{name}`: it is {} and should not be negative",
                        brief(phi, 6)
                    );
                    return Err(Error::input(message).hint("begin where the inequality holds"));
                }
                Kind::Inequality(_) if phi <= 1e-9 * size && rate.abs() <= 1e-9 * size => Mode::Holds,
                Kind::Inequality(_) => Mode::Open,
            };
        }
        for i in 0..self.items.len() {
            let [phi, rate] = self.phi(w, self.items[i].constraint)?;
            let touching = matches!(self.items[i].kind, Kind::Inequality(_)) && phi <= SLACK;
            if touching
                && self.modes[i] == Mode::Open
                && rate < 0.0
                && w.system.constraints[self.items[i].constraint].order == 0
            {
                self.strike(w, i)?;
            }
        }
        self.settle(w)
    }

    /// φ and the velocity that belongs to it: for a holonomic constraint dφ/dt, else φ itself.
    fn phi(&self, w: &mut Workbench, j: usize) -> Result<[f64; 2]> {
        let d = w.dynamics();
        let rate = d.velocity_constraints[j].unwrap_or(w.g.zero());
        let expr = w.system.constraints[j].expr;
        let mut probe = Probe::new(w, &[expr, rate], &self.options)?;
        let values = probe.values(self.t, &self.y, &[], &[]);
        Ok([values[0], values[1]])
    }

    /// Lets go what cannot hold, one contact at a time: the one that is farthest beyond its limit.
    fn settle(&mut self, w: &mut Workbench) -> Result<()> {
        for _ in 0..AT_ONCE {
            let phase = self.smooth(w)?;
            let holding: Vec<(usize, Expr)> =
                phase.stops.iter().copied().filter(|(i, _)| self.modes[*i] == Mode::Holds).collect();
            if holding.is_empty() {
                return Ok(());
            }
            let lambdas = self.multipliers(w, &phase, &holding)?;
            let worst = lambdas.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((i, _, lambda)) = worst.filter(|(_, margin, _)| *margin < 0.0) else { return Ok(()) };
            self.let_go(i, lambda)?;
        }
        Err(self.undecided())
    }

    fn undecided(&self) -> Error {
        let message = format!("no consistent set of contacts was found at t = {}", brief(self.t, 9));
        Error::computation(message).hint("several contacts change at once, and rigid bodies do not say how")
    }

    /// A contact that cannot hold slides against its reaction, or opens.
    fn let_go(&mut self, i: usize, lambda: f64) -> Result<()> {
        let (mode, change) = match self.items[i].kind {
            Kind::Friction(..) => (Mode::Slides(-lambda.signum()), Change::Slides(-lambda.signum())),
            Kind::Inequality(_) => (Mode::Open, Change::Opens),
        };
        self.modes[i] = mode;
        self.record(i, change)
    }

    fn record(&mut self, i: usize, change: Change) -> Result<()> {
        self.switches.push(Switch { t: self.t, contact: self.items[i].name.clone(), change });
        self.at_once += 1;
        if self.at_once > AT_ONCE {
            return Err(self.undecided());
        }
        if self.switches.len() > MOST_SWITCHES {
            let message = format!("more than {MOST_SWITCHES} switches until t = {}", brief(self.t, 9));
            return Err(Error::limit(message).hint("run for a shorter time"));
        }
        Ok(())
    }

    /// Runs to the next switch. Is there one?
    fn phase(&mut self, w: &mut Workbench, settings: &Settings, progress: &mut dyn FnMut(f64) -> bool) -> Result<bool> {
        let phase = self.smooth(w)?;
        let own = phase.stops.len();
        let map: FxHashMap<Symbol, Expr> =
            phase.passive.iter().map(|&(j, e)| (w.system.constraints[j].multiplier, e)).collect();
        let mut stops: Vec<(String, Expr)> =
            phase.stops.iter().map(|(i, e)| (self.items[*i].name.clone(), *e)).collect();
        stops.extend(settings.stops.iter().map(|(name, e)| (name.clone(), w.g.substitute(*e, &map))));
        let n = w.system.n();
        let state = State {
            time: self.t,
            position: self.y[..n].to_vec(),
            velocity: self.y[n..].to_vec(),
            completed: Vec::new(),
        };
        let at = settings.at[self.next_sample..].to_vec();
        let here = Settings { at, stops, ..settings.clone() };
        let run = phase.follow(w, &state, &here, progress)?;
        self.samples.extend(phase.completed(w, &run.samples, &self.options)?);
        self.next_sample += run.samples.len();
        self.account(w, &phase, &state, (run.end.0, &run.end.1), settings)?;
        if run.end.0 > self.t {
            self.at_once = 0;
        }
        (self.t, self.y) = run.end.clone();
        self.constraint_drift = self.constraint_drift.max(run.constraint_drift);
        let s = run.statistics;
        self.statistics.steps += s.steps;
        self.statistics.rejected += s.rejected;
        self.statistics.evaluations += s.evaluations;
        self.statistics.stiff |= s.stiff;
        match run.outcome {
            Outcome::Event { index, .. } if index < own => {
                self.switch(w, phase.stops[index].0)?;
                Ok(self.t < settings.until)
            }
            Outcome::Event { index, name, t } => {
                self.outcome = Outcome::Event { index: index - own, name, t };
                Ok(false)
            }
            other => {
                self.outcome = other;
                Ok(false)
            }
        }
    }

    /// What follows where the quantity of an item that was watched vanishes.
    fn switch(&mut self, w: &mut Workbench, i: usize) -> Result<()> {
        match (self.modes[i], self.items[i].kind.clone()) {
            (Mode::Holds, _) => {
                let phase = self.smooth(w)?;
                let margin = phase.stops.iter().copied().find(|(k, _)| *k == i);
                let holding: Vec<(usize, Expr)> = margin.into_iter().collect();
                let lambda = self.multipliers(w, &phase, &holding)?.first().map_or(0.0, |l| l.2);
                self.let_go(i, lambda)?;
            }
            (Mode::Slides(_), _) => {
                self.modes[i] = Mode::Holds;
                self.impulse(w, i, 0.0)?;
                let before = self.switches.len();
                self.record(i, Change::Sticks)?;
                self.settle(w)?;
                // It only turned round.
                if self.modes[i] != Mode::Holds && self.switches.len() == before + 2 {
                    self.switches.remove(before);
                }
                return Ok(());
            }
            (Mode::Open, _) if w.system.constraints[self.items[i].constraint].order == 1 => {
                self.modes[i] = Mode::Holds;
                self.impulse(w, i, 0.0)?;
                self.record(i, Change::Closes)?;
            }
            // It left from a little beyond zero.
            (Mode::Open, _) if self.phi(w, self.items[i].constraint)?[1] >= 0.0 => return Ok(()),
            (Mode::Open, _) => self.strike(w, i)?,
        }
        self.settle(w)
    }

    fn finish(mut self, settings: &Settings) -> Switched {
        let last = self.energy.values(self.t, &self.y, &[], &[])[0];
        let scale = self.first_energy.abs().max(1.0);
        let mut drift = (last - self.first_energy).abs() / scale;
        for s in &self.samples {
            drift = drift.max((self.energy.values(s.t, &s.y, &[], &[])[0] - self.first_energy).abs() / scale);
        }
        let simulation = Simulation {
            outcome: self.outcome,
            method: settings.method,
            end: (self.t, self.y),
            samples: self.samples,
            occurrences: Vec::new(),
            statistics: self.statistics,
            energy_drift: drift,
            constraint_drift: self.constraint_drift,
        };
        let (given, friction, impacts) = (self.given, self.friction, self.impacts);
        Switched { simulation, switches: self.switches, energy: (self.first_energy, last), given, friction, impacts }
    }
}

/// The constraints that may switch.
fn items(w: &mut Workbench) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for contact in friction::contacts(w) {
        let refuse = |why: &str| Error::not_applicable(format!("sliding at `{}` is not computed: {why}", contact.name));
        let [j] = contact.constraints[..] else {
            return Err(refuse("it slides in several directions")
                .hint("give each direction a friction of its own, or stop the run where grip is lost"));
        };
        let c = w.system.constraints[j].clone();
        if c.order != 1 {
            return Err(refuse("only a constraint of velocities can slide"));
        }
        let sliding = c.sliding.unwrap_or(contact.limit);
        let sliding = crate::verify::in_coordinates(w, sliding);
        if w.g.depends_on_any(sliding, &w.system.accelerations) {
            return Err(refuse("its friction depends on accelerations")
                .hint("write the normal force with the multipliers of other constraints, or by coordinates, velocities and time"));
        }
        items.push(Item { constraint: j, name: c.name.clone(), kind: Kind::Friction(contact.limit, sliding) });
    }
    for (j, c) in w.system.constraints.iter().enumerate().filter(|(_, c)| c.inequality) {
        let restitution = c.restitution.unwrap_or(w.g.zero());
        items.push(Item { constraint: j, name: c.name.clone(), kind: Kind::Inequality(restitution) });
    }
    if items.is_empty() && w.system.law.is_empty() {
        return Err(Error::input("no constraint of the model has `friction`, and none is an inequality")
            .hint("write NAME = { equation = \"...\", friction = \"...\" }, or NAME = \"z >= 0\""));
    }
    Ok(items)
}
