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
//! What was lost is told beside the energy: the work of friction, ∫ sliding·|φ| dt, and what impacts took.

use super::friction;
use crate::card::Card;
use crate::compile::{CompileOptions, compile};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Rational, Symbol};
use crate::mechanics::Workbench;
use crate::model::{Overrides, State, System, complete};
use crate::numeric::{Saddle, brief};
use crate::simulate::{self, Motion, Outcome, Probe, Sample, Settings, Simulation, Statistics};
use rustc_hash::FxHashMap;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "switching",
    aliases: &["sliding", "unilateral", "impact", "stick-slip"],
    name: "Contacts that slide, stick, open and close",
    source: "Soltakhanov, Yushkov, Zegzhda 2009, the remark after example II.5; Gibbs in Sumbatov 2002, after (3.11)",
    needs: "constraints with `friction`, or inequalities; forces of friction that do not depend on other reactions",
    text: include_str!("switching.rs"),
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
/// Intervals of the quadrature for the work of friction in one phase of sliding.
const QUADRATURE: usize = 400;

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
    /// Work of the friction of sliding.
    pub friction: f64,
    /// Energy lost in impacts.
    pub impacts: f64,
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

/// Does the model have contacts that may switch?
pub fn has_inequalities(system: &System) -> bool {
    system.constraints.iter().any(|c| c.inequality)
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
    friction: f64,
    impacts: f64,
    energy: Probe,
    first_energy: f64,
    /// Switches since time went on.
    at_once: usize,
}

/// One smooth system between two switches.
struct Phase {
    system: System,
    /// Constraints that hold, by their index in the model.
    active: Vec<usize>,
    /// What the multipliers of the others are.
    passive: Vec<(usize, Expr)>,
    /// What ends the phase: an item each.
    stops: Vec<(usize, Expr)>,
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

    fn smooth(&self, w: &mut Workbench) -> Phase {
        let d = w.dynamics();
        let mut system = (*w.system).clone();
        let item_of = |j: usize| self.items.iter().position(|i| i.constraint == j);
        let slack = w.g.number(Rational::from_f64(SLACK).unwrap_or(Rational::ZERO));
        let gap = w.g.number(Rational::from_f64(GAP).unwrap_or(Rational::ZERO));
        let (mut active, mut passive, mut stops) = (Vec::new(), Vec::new(), Vec::new());
        for (j, c) in w.system.clone().constraints.iter().enumerate() {
            let lambda = w.g.symbol(c.multiplier);
            match item_of(j).map(|i| (i, self.modes[i], self.items[i].kind.clone())) {
                None => active.push(j),
                Some((i, Mode::Holds, kind)) => {
                    active.push(j);
                    let margin = match kind {
                        Kind::Friction(limit, _) => {
                            let force = w.g.call(Function::Abs, lambda);
                            w.g.of(limit - force)
                        }
                        Kind::Inequality(_) => w.g.of(lambda + slack),
                    };
                    stops.push((i, margin));
                }
                Some((i, Mode::Slides(sign), Kind::Friction(_, sliding))) => {
                    let sign = w.g.integer(if sign < 0.0 { -1 } else { 1 });
                    let force = w.g.of(-(sign * sliding));
                    for (q, &a) in system.forces.iter_mut().zip(&d.a[j]) {
                        *q = w.g.of(*q + force * a);
                    }
                    passive.push((j, force));
                    let slip = d.velocity_constraints[j].unwrap_or(w.g.zero());
                    stops.push((i, w.g.of(sign * slip + slack)));
                }
                Some((i, ..)) => {
                    passive.push((j, w.g.zero()));
                    let gap = if c.order == 0 { gap } else { slack };
                    stops.push((i, w.g.of(c.expr + gap)));
                }
            }
        }
        let mut index = 0;
        system.constraints.retain_mut(|c| {
            c.inequality = false;
            index += 1;
            active.contains(&(index - 1))
        });
        // They were chosen for all constraints.
        system.quasi_velocities.clear();
        // What an inactive multiplier is may stand in a limit.
        let map: FxHashMap<Symbol, Expr> =
            passive.iter().map(|&(j, e)| (w.system.constraints[j].multiplier, e)).collect();
        for (_, e) in &mut stops {
            *e = w.g.substitute(*e, &map);
        }
        Phase { system, active, passive, stops }
    }

    /// Lets go what cannot hold, one contact at a time: the one that is farthest beyond its limit.
    fn settle(&mut self, w: &mut Workbench) -> Result<()> {
        for _ in 0..AT_ONCE {
            let phase = self.smooth(w);
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

    /// Margins and reactions of the items that hold.
    fn multipliers(
        &mut self,
        w: &mut Workbench,
        phase: &Phase,
        holding: &[(usize, Expr)],
    ) -> Result<Vec<(usize, f64, f64)>> {
        let (t, y, options, items) = (self.t, &self.y, &self.options, &self.items);
        let constraint = |i: usize| phase.active.iter().position(|&j| j == items[i].constraint).unwrap_or(0);
        w.beside(phase.system.clone(), |w| {
            let typical = [&[t][..], y].concat();
            let mut motion = Motion::new(w, options, &typical)?;
            let (mut a, mut lambda) = (vec![0.0; w.system.n()], vec![0.0; w.system.k()]);
            let solved = motion.solve(t, y, &mut a, &mut lambda);
            solved.map_err(|why| Error::computation(format!("at t = {t} {why}")))?;
            let margins: Vec<Expr> = holding.iter().map(|(_, e)| *e).collect();
            let mut probe = Probe::new(w, &margins, options)?;
            let values = probe.values(t, y, &a, &lambda);
            Ok(holding.iter().zip(values).map(|((i, _), v)| (*i, v, lambda[constraint(*i)])).collect())
        })
    }

    /// Runs to the next switch. Is there one?
    fn phase(&mut self, w: &mut Workbench, settings: &Settings, progress: &mut dyn FnMut(f64) -> bool) -> Result<bool> {
        let phase = self.smooth(w);
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
        let run = w.beside(phase.system.clone(), |w| simulate::simulate(w, &state, &here, progress))?;
        self.keep_samples(w, &phase, &run)?;
        if self.modes.iter().any(|m| matches!(m, Mode::Slides(_))) {
            self.friction += self.work(w, &phase, &state, run.end.0, settings)?;
        }
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
                let phase = self.smooth(w);
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

    /// Bodies meet: they rebound, or stay together where the rebound would be too slow to matter.
    fn strike(&mut self, w: &mut Workbench, i: usize) -> Result<()> {
        let Kind::Inequality(restitution) = self.items[i].kind else { return Ok(()) };
        let mut probe = Probe::new(w, &[restitution], &self.options)?;
        let e = probe.values(self.t, &self.y, &[], &[])[0];
        let [_, speed] = self.phi(w, self.items[i].constraint)?;
        let closes = e * speed.abs() < REST;
        self.touch(w, i)?;
        let before = self.energy.values(self.t, &self.y, &[], &[])[0];
        let impulse = self.impulse(w, i, if closes { 0.0 } else { e })?;
        let lost = before - self.energy.values(self.t, &self.y, &[], &[])[0];
        self.impacts += lost;
        if speed.abs() >= REST {
            self.record(i, Change::Strikes { speed, impulse, lost })?;
        }
        if closes {
            self.modes[i] = Mode::Holds;
            self.record(i, Change::Closes)?;
        }
        Ok(())
    }

    /// Constraints that hold, and that of an item behind them.
    fn holding_with(&self, w: &Workbench, i: usize) -> Vec<usize> {
        let j = self.items[i].constraint;
        let holds = |r: usize| match self.items.iter().position(|i| i.constraint == r) {
            Some(k) => self.modes[k] == Mode::Holds,
            None => true,
        };
        (0..w.system.k()).filter(|&r| r != j && holds(r)).chain([j]).collect()
    }

    /// The smallest change, measured by the masses, for which A·change is given for each row; and the impulses.
    fn change(&self, w: &mut Workbench, rows: &[usize], wanted: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let d = w.dynamics();
        let n = w.system.n();
        let mut list: Vec<Expr> = d.mass.iter().flatten().copied().collect();
        list.extend(rows.iter().flat_map(|&r| d.a[r].iter().copied()));
        let mut inputs = vec![w.g.time()];
        inputs.extend(&w.system.coordinates);
        inputs.extend(&w.system.velocities);
        let at = [&[self.t][..], &self.y].concat();
        let values = compile(&w.g, &inputs, &list, &self.options)?.evaluate(&at);
        let (m, a) = values.split_at(n * n);
        let (mut jump, mut impulses) = (vec![0.0; n], vec![0.0; rows.len()]);
        let solved = Saddle::new(n, rows.len()).solve(m, a, &vec![0.0; n], wanted, &mut jump, &mut impulses);
        solved.map_err(|_| {
            Error::computation(format!("the impact at t = {} is not determined", brief(self.t, 9)))
                .hint("masses and constraints are too few, or depend on each other there")
        })?;
        Ok((jump, impulses))
    }

    /// Changes the velocities so that dφ/dt of an item becomes −e times what it was, while what holds goes on holding; an
    /// inequality that would be pulled lets go. Returns the impulse.
    fn impulse(&mut self, w: &mut Workbench, i: usize, e: f64) -> Result<f64> {
        let n = w.system.n();
        let mut rows = self.holding_with(w, i);
        loop {
            let mut wanted = Vec::new();
            for &r in &rows {
                wanted.push(-self.phi(w, r)?[1]);
            }
            if let Some(last) = wanted.last_mut() {
                *last *= 1.0 + e;
            }
            let (jump, impulses) = self.change(w, &rows, &wanted)?;
            let others = rows[..rows.len() - 1].iter().zip(&impulses);
            let pulled = others.clone().position(|(&r, &x)| x < -SLACK && w.system.constraints[r].inequality);
            if let Some(k) = pulled {
                let other = self.items.iter().position(|item| item.constraint == rows[k]);
                if let Some(other) = other {
                    self.let_go(other, -1.0)?;
                }
                rows.remove(k);
                continue;
            }
            self.y[n..].iter_mut().zip(&jump).for_each(|(v, dv)| *v += dv);
            return Ok(impulses.last().copied().unwrap_or(0.0));
        }
    }

    /// Puts the positions where a gap that was found a little beyond zero is zero.
    fn touch(&mut self, w: &mut Workbench, i: usize) -> Result<()> {
        let n = w.system.n();
        let rows = self.holding_with(w, i);
        let gap = self.phi(w, self.items[i].constraint)?[0];
        let mut wanted = vec![0.0; rows.len()];
        if let Some(last) = wanted.last_mut() {
            *last = -gap;
        }
        let (shift, _) = self.change(w, &rows, &wanted)?;
        self.y[..n].iter_mut().zip(&shift).for_each(|(q, dq)| *q += dq);
        Ok(())
    }

    /// Samples of a phase with the multipliers of all constraints.
    fn keep_samples(&mut self, w: &mut Workbench, phase: &Phase, run: &Simulation) -> Result<()> {
        let forces: Vec<Expr> = phase.passive.iter().map(|(_, e)| *e).collect();
        let mut probe = Probe::new(w, &forces, &self.options)?;
        let k = w.system.k();
        for s in &run.samples {
            let mut multipliers = vec![0.0; k];
            for (&j, &x) in phase.active.iter().zip(&s.multipliers) {
                multipliers[j] = x;
            }
            for (&(j, _), x) in phase.passive.iter().zip(probe.values(s.t, &s.y, &[], &[])) {
                multipliers[j] = x;
            }
            self.samples.push(Sample { multipliers, ..s.clone() });
        }
        self.next_sample += run.samples.len();
        Ok(())
    }

    /// ∫ sliding·|φ| dt over a phase, by Simpson's rule.
    fn work(&self, w: &mut Workbench, phase: &Phase, from: &State, to: f64, settings: &Settings) -> Result<f64> {
        let length = to - from.time;
        if !(length > 0.0) {
            return Ok(0.0);
        }
        let d = w.dynamics();
        let mut power = Vec::new();
        for &(j, force) in &phase.passive {
            if let Some(slip) = d.velocity_constraints[j] {
                power.push(w.g.of(-(force * slip)));
            }
        }
        let total = w.g.sum(power);
        let at: Vec<f64> = (0..=QUADRATURE).map(|i| from.time + length * i as f64 / QUADRATURE as f64).collect();
        let fine = Settings { at, until: to, stops: Vec::new(), ..settings.clone() };
        let run = w.beside(phase.system.clone(), |w| simulate::simulate(w, from, &fine, &mut |_| true))?;
        let mut probe = Probe::new(w, &[total], &self.options)?;
        let values: Vec<f64> = run.samples.iter().map(|s| probe.values(s.t, &s.y, &[], &[])[0]).collect();
        let weight = |i: usize| match i {
            0 | QUADRATURE => 1.0,
            i if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 = values.iter().enumerate().map(|(i, p)| weight(i) * p).sum();
        Ok(sum * length / (3 * QUADRATURE) as f64)
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
        let (friction, impacts) = (self.friction, self.impacts);
        Switched { simulation, switches: self.switches, energy: (self.first_energy, last), friction, impacts }
    }
}

/// The constraints that may switch.
fn items(w: &mut Workbench) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for contact in friction::contacts(w) {
        let refuse = |why: &str| Error::not_applicable(format!("sliding at `{}` is not computed: {why}", contact.name));
        let [j] = contact.constraints[..] else {
            return Err(refuse("it slides in several directions")
                .hint("give each direction a friction of its own, or use `simulate --grip`, which stops there"));
        };
        let c = w.system.constraints[j].clone();
        if c.order != 1 {
            return Err(refuse("only a constraint of velocities can slide"));
        }
        let sliding = c.sliding.unwrap_or(contact.limit);
        let mut unknown: Vec<Symbol> = w.system.accelerations.clone();
        unknown.extend(w.system.constraints.iter().map(|c| c.multiplier));
        if w.g.depends_on_any(sliding, &unknown) {
            return Err(refuse("its friction depends on reactions or accelerations")
                .hint("write the normal force by coordinates, velocities and time, as `sliding = \"...\"`"));
        }
        items.push(Item { constraint: j, name: c.name.clone(), kind: Kind::Friction(contact.limit, sliding) });
    }
    for (j, c) in w.system.constraints.iter().enumerate().filter(|(_, c)| c.inequality) {
        let restitution = c.restitution.unwrap_or(w.g.zero());
        items.push(Item { constraint: j, name: c.name.clone(), kind: Kind::Inequality(restitution) });
    }
    if items.is_empty() {
        return Err(Error::input("no constraint of the model has `friction`, and none is an inequality")
            .hint("write NAME = { equation = \"...\", friction = \"...\" }, or NAME = \"z >= 0\""));
    }
    Ok(items)
}
