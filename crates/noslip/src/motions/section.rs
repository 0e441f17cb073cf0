//! Poincaré sections and periodic motions.
//!
//! A motion meets the surface g(t, q, q̇) = 0 again and again; the points in which it does, in one direction, are a Poincaré section, and the
//! map from one to the next is Poincaré's map: a quasi-periodic motion draws a curve, a chaotic one fills a region, a periodic
//! one returns to the same few points. The crossings are found on the dense output of the integrator, to rounding.
//!
//! `--periodic` looks for a periodic motion of the closed part near the initial state (see `noslip explain reduce`): after so many
//! returns to the section, or a part of them, everything in the closed part is as it was. Newton's method solves
//!
//! ```text
//! φ_T(z) = z,    g(z) = 0
//! ```
//!
//! for z and the period T, with the derivative of the flow φ_T, the monodromy matrix, from the variational equations. Its eigenvalues are the
//! *multipliers* of Floquet: one is 1, along the motion, and one more for each integral and each dimension of a family of periodic
//! motions; if one of the others is greater than 1 in absolute value, the motion is unstable.
//!
//! Valid when: for `--periodic`, the constraints are independent and affine in the velocities, time does not occur in the closed part,
//! and g is a function of it.
//! Sources: Poincaré 1899; Hénon 1982 for finding crossings; Guckenheimer, Holmes 1983.

use super::linearise::{AXIS, Stability, autonomous, variables_at};
use super::numbers::Numbers;
use super::reduce::Reduction;
use super::variation::Neighbours;
use crate::analysis::angles;
use crate::arrange::Arrange;
use crate::card::Card;
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::{Excursion, Workbench};
use crate::model::State;
use crate::numeric::spectrum::{Complex, eigenvalues, least_squares};
use crate::numeric::{dot, norm};
use crate::simulate::{Direction, Motion, Outcome, Sample, Settings, event, follow};

/// What people are told of it.
pub const CARD: Card = Card {
    id: "section",
    aliases: &["poincare", "poincare-section", "poincare-map", "floquet", "periodic-motion", "multiplier-of-floquet"],
    name: "Poincaré sections and periodic motions",
    source: "Poincaré 1899; Hénon 1982; Guckenheimer, Holmes 1983",
    needs: "a function of the state that changes sign along the motion",
    about: crate::card::head_of!("section.rs"),
};

/// A run is made in so many pieces, so that it can end when there are points enough.
const PIECES: u32 = 32;

/// The points of a section.
#[derive(Clone, Debug)]
pub struct Section {
    /// Where the motion crosses the surface.
    pub points: Vec<Sample>,
    /// How the run ended.
    pub outcome: Outcome,
    /// The last good time.
    pub end: f64,
}

/// Follows the motion from a state and collects its crossings of `on` = 0, so many at most.
pub fn section(
    w: &mut Workbench,
    state: &State,
    on: Expr,
    direction: Direction,
    settings: &Settings,
    most: usize,
) -> Result<Section> {
    w.system.no_inequality()?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let typical = state.inputs();
    let mut motion = Motion::new(w, &options, &typical)?;
    let mut answer = Section { points: Vec::new(), outcome: Outcome::Finished, end: state.time };
    let mut y = state.values();
    let span = settings.until - state.time;
    let mut last = f64::NAN;
    for piece in 1..=PIECES {
        let until =
            if piece == PIECES { settings.until } else { state.time + span * f64::from(piece) / f64::from(PIECES) };
        let settings = Settings { until, at: Vec::new(), stops: Vec::new(), ..settings.clone() };
        let mut events = vec![event(w, "the section", on, &options, &typical)?.direction(direction)];
        let (run, ..) = follow(w, &mut motion, answer.end, &y, &settings, &mut events)?;
        drop(events);
        for o in run.occurrences {
            // The end of one piece is the beginning of the next.
            if (o.t - last).abs() <= 1e-12 * (1.0 + o.t.abs()) {
                continue;
            }
            last = o.t;
            let mut sample = Sample {
                t: o.t,
                y: o.state,
                accelerations: vec![0.0; w.system.n()],
                multipliers: vec![0.0; w.system.k()],
            };
            if motion.solve(sample.t, &sample.y, &mut sample.accelerations, &mut sample.multipliers).is_err() {
                continue;
            }
            answer.points.push(sample);
        }
        (answer.end, y) = (run.t, run.state);
        answer.outcome = run.outcome;
        if answer.points.len() >= most || !answer.outcome.is_success() {
            break;
        }
    }
    answer.points.truncate(most);
    Ok(answer)
}

/// A periodic motion of the closed part.
#[derive(Clone, Debug)]
pub struct Periodic {
    /// Members of the closed part, tied ones too, where the motion crosses the section.
    pub values: Vec<(Symbol, f64)>,
    /// The period.
    pub period: f64,
    /// Floquet's multipliers.
    pub multipliers: Vec<Complex>,
    /// Multipliers that are 1.
    pub ones: usize,
    /// What the others say.
    pub stable: Stability,
    /// How far from closed the motion is.
    pub residual: f64,
    /// Returns to the section in a period: as many as were asked for, or a part of them.
    pub returns: usize,
    /// How far it is from where the initial motion crosses the section, in parts of the size of the closed part there.
    pub away: f64,
    /// Full turns that angles of the closed part make in a period.
    pub turns: Vec<(Symbol, i64)>,
}

/// How a periodic motion is sought.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Which crossings count.
    pub direction: Direction,
    /// Returns to the section in a period.
    pub returns: usize,
    /// Time in which so many returns must happen.
    pub until: f64,
    /// Tolerance of the integration.
    pub tolerance: f64,
    /// Limit on steps.
    pub max_steps: u64,
}

/// Newton steps at most.
const STEPS: usize = 40;
/// A motion that comes back this near to where it began is closed.
const CLOSED: f64 = 1e-8;
/// This near to the section is on it.
const ON: f64 = 1e-12;
/// A motion that has become this much shorter has come to rest, beside which everything is nearly periodic.
const REST: f64 = 1e-2;
/// A multiplier this near to 1 is one of those that always are, but for what errors of the motion make of a double one: their root.
const ONE: f64 = 1e-5;

/// Looks for a periodic motion near a state.
pub fn periodic(w: &mut Workbench, r: &Reduction, state: &State, on: Expr, search: &Search) -> Result<Periodic> {
    w.system.no_inequality()?;
    autonomous(w, r, "periodic")?;
    Settings { tolerance: search.tolerance, ..Settings::until(search.until) }.check()?;
    let map = r.inserted(w);
    let on = w.g.substitute(on, &map);
    let members: Vec<Symbol> = r.shape.iter().chain(&r.flow.free).copied().collect();
    if let Some(s) = w.g.free_symbols(&[on]).into_iter().find(|s| w.g.role(*s).varies() && !members.contains(s)) {
        let name = w.g.name(s).to_owned();
        return Err(Error::not_applicable(format!(
            "a periodic motion of the closed part does not apply: `{name}` of the section does not belong to it"
        ))
        .hint("`noslip reduce` shows the closed part"));
    }
    let start = variables_at(w, r, state)?;
    let angles = angles(w);
    let is_angle: Vec<bool> = members
        .iter()
        .map(|s| {
            angles.contains(s)
                || r.relative.iter().any(|x| x.symbol == *s && angles.contains(&r.flow.coordinates[x.index]))
        })
        .collect();
    let (from, first) = returns(w, r, state, on, &start, search)?;
    let mut newton = Newton { w, r, state, on, search, is_angle: &is_angle, turns: None };
    let Some((z, period, step)) = newton.closed(&from, first)? else {
        return Err(Error::computation(format!(
            "no periodic motion of `{}` was found near the initial state",
            w.system.name
        ))
        .hint("begin nearer to one, or give another number of returns"));
    };
    let (returns, period, step) = newton.shortest(&z, period, step)?;
    let turns = newton.turns.take().unwrap_or_default();
    w.tell_of(step.excursions.clone());
    let apart: Vec<f64> = z.iter().zip(&from).map(|(a, b)| a - b).collect();
    let away = norm(&apart) / (1.0 + norm(&from));
    Ok(Periodic { returns, away, ..found(members, z, period, &step, search.tolerance, turns) })
}

/// A step of Newton's method.
struct Step {
    by: Vec<f64>,
    longer: f64,
    residual: f64,
    /// Size of the rates.
    speed: f64,
    /// The monodromy matrix on the directions that the holonomic constraints allow.
    monodromy: Vec<Vec<f64>>,
    /// Tables that the motion left.
    excursions: Vec<Excursion>,
}

/// Newton's method for a motion that closes.
struct Newton<'a> {
    w: &'a mut Workbench,
    r: &'a Reduction,
    state: &'a State,
    on: Expr,
    search: &'a Search,
    is_angle: &'a [bool],
    /// Full turns in a period, as those of the first motion.
    turns: Option<Vec<i64>>,
}

impl Newton<'_> {
    /// A closed motion near a place of the section, with its period.
    fn closed(&mut self, from: &[f64], first: f64) -> Result<Option<(Vec<f64>, f64, Step)>> {
        let (mut z, mut period) = (from.to_vec(), first);
        let mut length = None;
        // The best so far that is closed: within a family of periodic motions a further step can lead away, by errors of the integration
        // that are divided by hardly anything.
        let mut closed: Option<(Vec<f64>, f64, Step)> = None;
        for _ in 0..STEPS {
            let step = self.step(&z, period)?;
            let now = step.speed * period;
            let rest = step.speed <= CLOSED * (1.0 + norm(&z)) || now <= REST * *length.get_or_insert(now);
            let better = closed.as_ref().is_none_or(|(.., best)| step.residual < 0.5 * best.residual);
            if rest || !better {
                break;
            }
            if step.residual <= CLOSED * 1e-4 * (1.0 + norm(&z)) {
                return Ok(Some((z, period, step)));
            }
            // Not too far at once.
            let longest = norm(&step.by).max(step.longer.abs() / period);
            let factor = (0.3 * (1.0 + norm(&z)) / longest).min(1.0);
            let next: Vec<f64> = z.iter().zip(&step.by).map(|(z, s)| z + factor * s).collect();
            let longer = period + factor * step.longer;
            if step.residual <= CLOSED * (1.0 + norm(&z)) {
                closed = Some((z, period, step));
            }
            (z, period) = (next, longer);
            if period.is_nan() || period <= 0.0 {
                break;
            }
        }
        Ok(closed)
    }

    /// A motion that closes after so many returns may have closed before: its period is the shortest.
    fn shortest(&mut self, z: &[f64], period: f64, step: Step) -> Result<(usize, f64, Step)> {
        let all = self.search.returns;
        let whole = self.turns.take();
        for fewer in (1..all).filter(|n| all.is_multiple_of(*n)) {
            let part = period * fewer as f64 / all as f64;
            let step = self.step(z, part)?;
            if step.residual <= CLOSED * (1.0 + norm(z)) {
                return Ok((fewer, part, step));
            }
            self.turns = None;
        }
        self.turns = whole;
        Ok((all, period, step))
    }

    fn step(&mut self, z: &[f64], period: f64) -> Result<Step> {
        let mut numbers = Numbers::new(self.w, self.r, &[], &[self.on], self.state)?;
        let parameters = numbers.parameters();
        let here = numbers.at(z, &parameters)?;
        let mut run = Neighbours::new(numbers, 0.0, z, usize::MAX, self.search.tolerance)?;
        let basis = run.columns();
        run.reach(period, period, self.search.max_steps)?;
        let (end, columns) = (run.state().to_vec(), run.columns());
        let rates = run.rates()?;
        let tau = std::f64::consts::TAU;
        let wound = self.turns.get_or_insert_with(|| {
            let turn = |i: usize| if self.is_angle[i] { ((end[i] - z[i]) / tau).round() as i64 } else { 0 };
            (0..z.len()).map(turn).collect()
        });
        let off: Vec<f64> = (0..z.len()).map(|i| end[i] - z[i] - tau * wound[i] as f64).collect();
        let k = basis.len();
        let mut rows: Vec<Vec<f64>> =
            (0..z.len()).map(|i| (0..k).map(|c| columns[c][i] - basis[c][i]).chain([rates[i]]).collect()).collect();
        let slope: Vec<f64> = basis.iter().map(|b| dot(&here.watched_slopes[0], b)).chain([0.0]).collect();
        rows.push(slope);
        let mut right: Vec<f64> = off.iter().map(|x| -x).collect();
        right.push(-here.watched[0]);
        let solution = least_squares(&rows, &right, 1e-9, usize::MAX)
            .ok_or_else(|| Error::computation("the equations for a periodic motion could not be solved"))?;
        let by = (0..z.len()).map(|i| basis.iter().zip(&solution).map(|(b, c)| b[i] * c).sum()).collect();
        let monodromy = basis.iter().map(|b| columns.iter().map(|y| dot(b, y)).collect()).collect();
        Ok(Step {
            by,
            longer: solution[k],
            residual: norm(&off).max(here.watched[0].abs()),
            speed: norm(&rates),
            monodromy,
            excursions: run.excursions(),
        })
    }
}

/// The first crossing of the section, and the time from there to the one that closes the period.
fn returns(
    w: &mut Workbench,
    r: &Reduction,
    state: &State,
    on: Expr,
    start: &[f64],
    search: &Search,
) -> Result<(Vec<f64>, f64)> {
    let numbers = Numbers::new(w, r, &[], &[on], state)?;
    let mut probe = Numbers::new(w, r, &[], &[on], state)?;
    let parameters = probe.parameters();
    let here = probe.at(start, &parameters)?;
    let mut run = Neighbours::new(numbers, 0.0, start, 0, search.tolerance)?;
    // A motion that begins on the section crosses it there.
    let slope = dot(&here.watched_slopes[0], &here.rates);
    let begins = here.watched[0].abs() <= ON * (1.0 + norm(start)) && search.direction.admits(slope);
    let mut value = |y: &[f64]| probe.at(y, &parameters).map_or(f64::NAN, |p| p.watched[0]);
    let mut found = run.crossings(&mut value, search.direction, search.until, search.returns + 1, search.max_steps)?;
    if begins && found.first().is_none_or(|(t, _)| *t > ON * search.until.abs()) {
        found.insert(0, (0.0, start.to_vec()));
    }
    match (&found[..], found.get(search.returns)) {
        ([(t, z), ..], Some((end, _))) => Ok((z.clone(), end - t)),
        _ => {
            let times = if search.returns == 1 { String::new() } else { format!(" {} times", search.returns) };
            let until = search.until;
            Err(Error::computation(format!("the motion does not return to the section{times} until t = {until}"))
                .hint("give a later end, or another section"))
        }
    }
}

fn found(members: Vec<Symbol>, z: Vec<f64>, period: f64, step: &Step, tolerance: f64, turns: Vec<i64>) -> Periodic {
    let mut multipliers = eigenvalues(&step.monodromy).unwrap_or_default();
    multipliers.arrange_by(|a, b| b.abs().total_cmp(&a.abs()).then(a.im.total_cmp(&b.im)));
    let size = step.monodromy.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    // What is a little off closed, or was followed for a little too long, has the monodromy of another motion: off by as much beside its size.
    let near = ONE.max((10.0 * tolerance * size).sqrt()).max(size * step.residual.sqrt());
    let is_one = |m: &Complex| (m.re - 1.0).hypot(m.im) < near;
    let ones = multipliers.iter().filter(|m| is_one(m)).count();
    let others: Vec<&Complex> = multipliers.iter().filter(|m| !is_one(m)).collect();
    let edge = AXIS.sqrt();
    let stable = if others.iter().any(|m| m.abs() > 1.0 + edge) {
        Stability::Unstable
    } else if others.iter().all(|m| m.abs() < 1.0 - edge) && !others.is_empty() {
        Stability::Asymptotic
    } else {
        Stability::Marginal
    };
    let turns = members.iter().copied().zip(turns).filter(|t| t.1 != 0).collect();
    let values = members.into_iter().zip(z).collect();
    Periodic { values, period, multipliers, ones, stable, residual: step.residual, returns: 1, away: 0.0, turns }
}
