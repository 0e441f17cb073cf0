//! Families of motions: parameters and initial values on a grid or at random, sampled at given times.
//!
//! Points are numbered, and a point is a function of its number alone; so is its motion, computed with those of one block of
//! [`BLOCK`] numbers. Whoever computes which block, and when, the numbers are the same to the last bit.
//!
//! Where a constraint may lose its rank on the way, each motion is a run by itself ([`simulate`]), which watches for that; so is a motion
//! under a law of friction, by a function that is given ([`Sweeper::with_runs`]).
//!
//! A point whose initial state contradicts the constraints, or whose motion ends early, has its rows all the same: not a
//! number from there on, and the outcome says why.

use super::ensemble::{Ensemble, Start};
use super::motion::Motion;
use super::probe::Probe;
use super::rank::Rank;
use super::settings::Settings;
use super::simulation::{Sample, Simulation, simulate};
use super::stepper::Tolerance;
use super::tables::TableWatch;
use crate::compile::CompileOptions;
use crate::error::{Error, ErrorKind, Result};
use crate::expr::field::SplitMix;
use crate::expr::{Expr, Rational, Symbol};
use crate::mechanics::{Excursion, Workbench, expect_reactions};
use crate::model::{Completer, Overrides, State};
use std::sync::Arc;

/// Points of a block.
pub const BLOCK: u64 = 4096;

/// Most points of a sweep: their numbers are exact as floating-point numbers.
pub const MOST_POINTS: u64 = 1 << 53;

/// The outcome of a point whose initial state contradicts the constraints.
pub const NO_START: &str = "no_initial_state";

/// The outcome of a point whose motion could not be computed: a law of friction that leaves no reaction, or several.
pub const NO_MOTION: &str = "no_motion";

/// How one motion is run by itself.
pub type Alone = fn(&mut Workbench, &State, &Settings) -> Result<Simulation>;

/// A state of a motion at a time that was asked for.
struct Seen {
    y: Vec<f64>,
    /// Accelerations and multipliers, where the run has them.
    response: Option<(Vec<f64>, Vec<f64>)>,
}

/// What varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    /// A parameter.
    Parameter(Symbol),
    /// An initial position, by the index of its coordinate.
    Position(usize),
    /// An initial velocity.
    Velocity(usize),
}

/// One direction of the family.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What varies.
    pub varied: Varied,
    /// First value.
    pub from: f64,
    /// Last value.
    pub to: f64,
    /// Values on the grid, ends included; of no meaning where points are random.
    pub count: u64,
}

/// Points of a family.
#[derive(Clone, Debug, PartialEq)]
pub enum Points {
    /// Those of the grid.
    Grid,
    /// At random: how many, and the seed.
    Random(u64, u64),
    /// These, each with a value for every axis.
    Listed(Arc<[Vec<f64>]>),
}

/// A family of motions.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What varies; on the grid the last varies fastest.
    pub axes: Vec<Axis>,
    /// Which points.
    pub points: Points,
    /// Times to sample, in the order of the run.
    pub at: Vec<f64>,
    /// What to evaluate there.
    pub columns: Vec<Expr>,
    /// Of the integration.
    pub tolerance: f64,
    /// Limit on the steps of each motion.
    pub max_steps: u64,
}

/// Rows of a table, by columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Values of what varies, a column for each axis.
    pub varied: Vec<Vec<f64>>,
    /// Times.
    pub t: Vec<f64>,
    /// Values of the columns.
    pub values: Vec<Vec<f64>>,
    /// Outcome of the point's motion.
    pub outcome: Vec<&'static str>,
}

impl Sweep {
    /// Number of points.
    pub fn points(&self) -> Result<u64> {
        let product = |axes: &[Axis]| axes.iter().try_fold(1u64, |n, axis| n.checked_mul(axis.count));
        let points = match &self.points {
            Points::Grid => product(&self.axes),
            Points::Random(n, _) => Some(*n),
            Points::Listed(list) => Some(list.len() as u64),
        };
        points.filter(|n| *n <= MOST_POINTS).ok_or_else(|| Error::limit(format!("more than {MOST_POINTS} points")))
    }

    /// Number of blocks.
    pub fn blocks(&self) -> Result<u64> {
        Ok(self.points()?.div_ceil(BLOCK))
    }

    /// The values of what varies at a point.
    pub fn point(&self, number: u64) -> Vec<f64> {
        if let Points::Listed(list) = &self.points {
            return usize::try_from(number).ok().and_then(|i| list.get(i)).cloned().unwrap_or_default();
        }
        if let Points::Random(_, seed) = self.points {
            let draw = |(i, axis): (usize, &Axis)| {
                // One stream per point and axis: a point does not depend on how many came before it.
                let mut random = SplitMix::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let part = (0..=i).map(|_| random.unit()).last().unwrap_or(0.0);
                axis.from + part * (axis.to - axis.from)
            };
            return self.axes.iter().enumerate().map(draw).collect();
        }
        let mut rest = number;
        let mut values = vec![0.0; self.axes.len()];
        for (value, axis) in values.iter_mut().zip(&self.axes).rev() {
            *value = axis.value(rest % axis.count);
            rest /= axis.count;
        }
        values
    }
}

impl Axis {
    /// The value of that number on the grid; the ends exactly.
    fn value(&self, i: u64) -> f64 {
        if i == 0 {
            return self.from;
        }
        if i + 1 == self.count {
            return self.to;
        }
        self.from + (self.to - self.from) * (i as f64 / (self.count - 1) as f64)
    }
}

/// A sweep with its system compiled: one for each thread.
pub struct Sweeper {
    w: Workbench,
    sweep: Sweep,
    points: u64,
    open: Vec<Symbol>,
    /// All motions at once; none where each is a run by itself.
    ensemble: Option<Ensemble<16>>,
    alone: Alone,
    /// Accelerations and multipliers where a run does not give them.
    motion: Option<Motion>,
    probe: Probe,
    /// Do the columns need accelerations or multipliers?
    solve: bool,
    /// Their places; not a number where nobody asks.
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
    completer: Completer,
    /// Where the motions of a block begin: room for the next one.
    starts: Vec<Start>,
    tables: Option<TableWatch>,
}

impl Sweeper {
    /// Compiles the system.
    pub fn new(w: Workbench, sweep: &Sweep) -> Result<Sweeper> {
        Sweeper::of(w, sweep, None)
    }

    /// The same where every motion is a run by itself, made by `run`.
    pub fn with_runs(w: Workbench, sweep: &Sweep, run: Alone) -> Result<Sweeper> {
        Sweeper::of(w, sweep, Some(run))
    }

    fn of(mut w: Workbench, sweep: &Sweep, runs: Option<Alone>) -> Result<Sweeper> {
        w.system.no_inequality()?;
        let open: Vec<Symbol> = sweep.axes.iter().filter_map(|axis| axis.varied.parameter()).collect();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let mut completer = Completer::new(&mut w.g, &w.system.clone());
        let points = sweep.points()?;
        // Pivots are chosen where the model itself begins, or else the first point that has a beginning.
        let state = std::iter::once(Overrides::default())
            .chain((0..points.min(64)).map(|i| overrides(sweep, &sweep.point(i))))
            .find_map(|o| completer.state(&w.g, &w.system, &o).ok())
            .ok_or_else(|| Error::input("no point of the sweep has an initial state that the constraints allow"))?;
        expect_reactions(&mut w, &state)?;
        let typical = state.inputs();
        let (mut ensemble, mut motion) = (None, None);
        if runs.is_none() {
            let watched = Rank::of(&mut w, &options, &open)?.is_some();
            let mut all = Ensemble::new(&mut w, &options, &typical, &open)?;
            all.max_steps = sweep.max_steps;
            ensemble = (!watched).then_some(all);
            motion = Some(Motion::with_open_parameters(&mut w, &options, &typical, &open)?);
        }
        let tables = TableWatch::of_motion(&mut w, &options, &open)?;
        let probe = Probe::with_open_parameters(&mut w, &sweep.columns, &options, &open)?;
        let mut needed = w.system.accelerations.clone();
        needed.extend(w.system.constraints.iter().map(|c| c.multiplier));
        for v in w.system.quasi_velocities.iter().map(|v| v.symbol).collect::<Vec<_>>() {
            needed.push(w.g.dot(v));
        }
        let solve = sweep.columns.iter().any(|&e| w.g.depends_on_any(e, &needed));
        let (accelerations, multipliers) = (vec![f64::NAN; w.system.n()], vec![f64::NAN; w.system.k()]);
        let sweep = sweep.clone();
        Ok(Sweeper {
            w,
            sweep,
            points,
            open,
            ensemble,
            alone: runs.unwrap_or(|w, state, settings| simulate(w, state, settings, &mut |_| true)),
            motion,
            probe,
            solve,
            accelerations,
            multipliers,
            completer,
            starts: Vec::new(),
            tables,
        })
    }

    /// The rows of one block.
    pub fn block(&mut self, number: u64) -> Result<Rows> {
        let numbers = number * BLOCK..((number + 1) * BLOCK).min(self.points);
        let points: Vec<Vec<f64>> = numbers.map(|i| self.sweep.point(i)).collect();
        // Room of the block before: given back and asked for again, it would have to be cleared.
        let mut starts = std::mem::take(&mut self.starts);
        let begun = self.begin(&points, &mut starts);
        let courses = self.courses(&starts)?;
        let mut courses = starts.iter().zip(courses);
        let times = self.sweep.at.len();
        let room = || Vec::with_capacity(points.len() * times);
        let mut rows = Rows {
            varied: self.sweep.axes.iter().map(|_| room()).collect(),
            values: self.sweep.columns.iter().map(|_| room()).collect(),
            t: room(),
            outcome: Vec::with_capacity(points.len() * times),
        };
        for (point, begins) in points.iter().zip(begun) {
            let course = if begins { courses.next() } else { None };
            self.look(course.as_ref().map(|(start, (_, states))| (*start, &states[..])));
            let outcome = course.as_ref().map_or(NO_START, |(_, (outcome, _))| *outcome);
            for i in 0..times {
                let t = self.sweep.at[i];
                rows.varied.iter_mut().zip(point).for_each(|(column, x)| column.push(*x));
                rows.t.push(t);
                rows.outcome.push(outcome);
                let state = course.as_ref().and_then(|(start, (_, states))| Some((states.get(i)?, &start.parameters)));
                match state {
                    Some((seen, parameters)) => {
                        let values = self.values(t, seen, parameters);
                        rows.values.iter_mut().zip(values).for_each(|(column, x)| column.push(*x));
                    }
                    None => rows.values.iter_mut().for_each(|column| column.push(f64::NAN)),
                }
            }
        }
        self.starts = starts;
        Ok(rows)
    }

    /// Which of the points have an initial state, and these states.
    fn begin(&mut self, points: &[Vec<f64>], starts: &mut Vec<Start>) -> Vec<bool> {
        let mut overrides = Overrides::default();
        let mut count = 0;
        let mut begun = Vec::with_capacity(points.len());
        for point in points {
            override_with(&mut overrides, &self.sweep, point);
            let state = self.completer.state(&self.w.g, &self.w.system, &overrides).ok();
            begun.push(state.is_some());
            let Some(state) = state else { continue };
            if count == starts.len() {
                starts.push(Start::default());
            }
            let start = &mut starts[count];
            count += 1;
            start.t = state.time;
            start.state.clear();
            start.state.extend(state.position.iter().chain(&state.velocity));
            start.parameters.clear();
            start.parameters.extend(overrides.parameters.iter().map(|p| p.1));
        }
        starts.truncate(count);
        begun
    }

    /// Looks whether a motion leaves a table where it begins or is sampled.
    fn look(&mut self, course: Option<(&Start, &[Seen])>) {
        let (Some(tables), Some((start, states))) = (&mut self.tables, course) else { return };
        let states = states.iter().map(|seen| &seen.y);
        for (&t, y) in std::iter::once((&start.t, &start.state)).chain(self.sweep.at.iter().zip(states)) {
            // Samples are too far apart to say when it left between them.
            tables.begin();
            tables.look(t, &[&[t], &y[..], &start.parameters].concat());
        }
    }

    /// Tables that motions left so far, as far as their samples show, each with the earliest of these.
    pub fn excursions(&mut self) -> Vec<Excursion> {
        self.tables.as_mut().map(TableWatch::take).unwrap_or_default()
    }

    /// The outcome of each motion, and its states at the times asked for, as far as it came.
    fn courses(&mut self, starts: &[Start]) -> Result<Vec<(&'static str, Vec<Seen>)>> {
        let Some(ensemble) = &mut self.ensemble else {
            return starts.iter().map(|start| self.by_itself(start)).collect();
        };
        ensemble.forget();
        let courses = ensemble.run_at(starts, &self.sweep.at, Tolerance::new(self.sweep.tolerance))?;
        let seen = |states: Vec<Vec<f64>>| states.into_iter().map(|y| Seen { y, response: None }).collect();
        Ok(courses.into_iter().map(|c| (c.run.outcome.code(), seen(c.states))).collect())
    }

    /// One motion as a run by itself.
    fn by_itself(&mut self, start: &Start) -> Result<(&'static str, Vec<Seen>)> {
        let usual = self.w.system.clone();
        for (symbol, &x) in self.open.iter().zip(&start.parameters) {
            // A point with a number that is not finite has no initial state, and does not come here.
            let Some(x) = Rational::from_f64(x) else { continue };
            let value = self.w.g.number(x);
            let parameters = &mut Arc::make_mut(&mut self.w.system).parameters;
            parameters.iter_mut().filter(|p| p.symbol == *symbol).for_each(|p| p.value = value);
        }
        let (position, velocity) = start.state.split_at(start.state.len() / 2);
        let (position, velocity) = (position.to_vec(), velocity.to_vec());
        let state = State { time: start.t, position, velocity, completed: Vec::new() };
        let Sweep { at, tolerance, max_steps, .. } = &self.sweep;
        let until = at.last().copied().unwrap_or(start.t);
        let settings =
            Settings { at: at.clone(), tolerance: *tolerance, max_steps: *max_steps, ..Settings::until(until) };
        let run = (self.alone)(&mut self.w, &state, &settings);
        self.w.system = usual;
        match run {
            Ok(run) => {
                let seen = |s: Sample| Seen { y: s.y, response: Some((s.accelerations, s.multipliers)) };
                Ok((run.outcome.code(), run.samples.into_iter().map(seen).collect()))
            }
            Err(e) if self.motion.is_none() && e.kind == ErrorKind::Computation => Ok((NO_MOTION, Vec::new())),
            Err(e) => Err(e),
        }
    }

    /// The columns at one state.
    fn values(&mut self, t: f64, seen: &Seen, parameters: &[f64]) -> &[f64] {
        let (a, lambda) = (&mut self.accelerations, &mut self.multipliers);
        match (&mut self.motion, &seen.response) {
            _ if !self.solve => {}
            (Some(motion), _) => {
                motion.set_parameters(parameters);
                if motion.solve(t, &seen.y, a, lambda).is_err() {
                    a.fill(f64::NAN);
                    lambda.fill(f64::NAN);
                }
            }
            (None, Some(response)) => {
                a.copy_from_slice(&response.0);
                lambda.copy_from_slice(&response.1);
            }
            (None, None) => {}
        }
        debug_assert_eq!(parameters.len(), self.open.len());
        self.probe.values_with(t, &seen.y, a, lambda, parameters)
    }
}

impl Varied {
    fn parameter(self) -> Option<Symbol> {
        if let Varied::Parameter(s) = self { Some(s) } else { None }
    }
}

fn overrides(sweep: &Sweep, point: &[f64]) -> Overrides {
    let mut overrides = Overrides::default();
    override_with(&mut overrides, sweep, point);
    overrides
}

/// The same in room that is kept.
fn override_with(overrides: &mut Overrides, sweep: &Sweep, point: &[f64]) {
    let Overrides { parameters, position, velocity, .. } = overrides;
    parameters.clear();
    position.clear();
    velocity.clear();
    for (axis, &x) in sweep.axes.iter().zip(point) {
        match axis.varied {
            Varied::Parameter(s) => parameters.push((s, x)),
            Varied::Position(i) => position.push((i, x)),
            Varied::Velocity(i) => velocity.push((i, x)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(points: Points) -> Sweep {
        let axis = |i, from, to, count| Axis { varied: Varied::Position(i), from, to, count };
        let axes = vec![axis(0, 0.0, 1.0, 2), axis(1, 10.0, 20.0, 3), axis(2, -1.0, 1.0, 5)];
        Sweep { axes, points, at: vec![1.0], columns: Vec::new(), tolerance: 1e-9, max_steps: 100 }
    }

    #[test]
    fn the_last_axis_of_a_grid_varies_fastest_and_its_ends_are_exact() {
        let grid = sweep(Points::Grid);
        assert_eq!(grid.points().unwrap(), 30);
        assert_eq!(grid.blocks().unwrap(), 1);
        let mut number = 0;
        for a in [0.0, 1.0] {
            for b in [10.0, 15.0, 20.0] {
                for c in [-1.0, -0.5, 0.0, 0.5, 1.0] {
                    assert_eq!(grid.point(number), [a, b, c], "{number}");
                    number += 1;
                }
            }
        }
    }

    #[test]
    fn random_points_are_inside_of_their_axes_and_do_not_depend_on_their_number() {
        let random = sweep(Points::Random(5000, 7));
        assert_eq!(random.points().unwrap(), 5000);
        assert_eq!(random.blocks().unwrap(), 2);
        let points: Vec<Vec<f64>> = (0..200).map(|i| random.point(i)).collect();
        for (i, axis) in random.axes.iter().enumerate() {
            let values = points.iter().map(|p| p[i]);
            assert!(values.clone().all(|x| axis.from <= x && x <= axis.to));
            let mean = values.sum::<f64>() / 200.0;
            assert!((mean - (axis.from + axis.to) / 2.0).abs() < 0.1 * (axis.to - axis.from), "{mean}");
        }
        assert_eq!(sweep(Points::Random(1, 7)).point(77), points[77]);
        assert_ne!(sweep(Points::Random(1, 8)).point(77), points[77]);
        // The axes are drawn independently of each other.
        assert!(points.iter().any(|p| (p[0] - (p[1] - 10.0) / 10.0).abs() > 0.3));
    }

    #[test]
    fn listed_points_are_themselves_and_too_many_are_refused() {
        let listed = sweep(Points::Listed(vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]].into()));
        assert_eq!(listed.points().unwrap(), 2);
        assert_eq!(listed.point(1), [4.0, 5.0, 6.0]);
        assert_eq!(listed.point(2), [0.0; 0]);
        assert!(sweep(Points::Random(MOST_POINTS + 1, 0)).points().is_err());
        assert!(sweep(Points::Random(MOST_POINTS, 0)).points().is_ok());
    }
}
