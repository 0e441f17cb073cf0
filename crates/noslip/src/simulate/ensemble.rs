//! Many trajectories of one system at once, from different initial states and with different parameters.
//!
//! Each lane of the batch is a trajectory with its own time, step and error control; a lane whose trajectory has ended
//! takes the next one. What a lane computes is, to the last bit, what [`Dop853`] computes for that trajectory alone, from
//! the same code.
//!
//! The first batch goes in quasi-velocities ([`Reduced`]) where that is possible and cheaper. A chart may end, and a fixed
//! order of pivots may go bad on the way. A trajectory then leaves the batch; when all others have ended, those that left
//! go on in another batch in (q, q̇), with an order that is good at the places where they stand. Who cannot go on there
//! either (a number that is not finite, steps that become too short, a singular state), or has too little company, goes
//! on alone through [`Motion`] with its pivoting solver and its diagnoses.

use super::chart::Chart;
use super::dop853::{Dop853, StepControl};
use super::ensemble_lanes::{Attempt, Lanes};
use super::motion::Motion;
use super::outcome::{Outcome, Run};
use super::reduced::Reduced;
use super::stepper::{Statistics, StepSize, Tolerance};
use super::{Plan, STALL_PROGRESS, STALL_STEPS, Samples, integrate};
use crate::Control;
use crate::compile::{CompileOptions, Tape};
use crate::error::{Error, Result};
use crate::expr::Symbol;
use crate::mechanics::Workbench;

/// Orders of pivots tried before trajectories go alone.
const ORDERS: usize = 8;
/// Velocities may violate the constraints by so much, relative to the largest, for a trajectory to begin in
/// quasi-velocities: rounding.
const SLACK: f64 = 1e-11;
/// Trajectories at whose places a new order of pivots is chosen.
const SAMPLED: usize = 32;

/// Where a trajectory begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Time.
    pub t: f64,
    /// q, q̇.
    pub state: Vec<f64>,
    /// Values of the open parameters.
    pub parameters: Vec<f64>,
}

/// A system compiled for `LANES` trajectories at a time. Eight, sixteen or thirty-two lanes are good choices: more pay
/// better for each instruction, fewer stay in the first-level cache.
pub struct Ensemble<const LANES: usize = 16> {
    motion: Motion,
    reduced: Option<Reduced>,
    /// Straight-line code in (q, q̇) with one order of pivots after the other; later ones are made when they are needed.
    codes: Vec<Tape>,
    /// Inputs at which the latest order is good.
    samples: Vec<Vec<f64>>,
    /// How many of them there were at first.
    known: usize,
    dimension: usize,
    open: usize,
    alone: usize,
    /// Upper bound of the length of a step.
    pub max_step: f64,
    /// Limit on the number of accepted steps of each trajectory.
    pub max_steps: u64,
    /// Stops all of them: a block of long motions takes minutes.
    control: Option<Control>,
}

/// A trajectory on its way.
#[derive(Clone)]
struct Trajectory {
    index: usize,
    t: f64,
    state: Vec<f64>,
    control: Option<StepControl>,
    statistics: Statistics,
    /// Whether it made a step in the last batch.
    moved: bool,
}

/// The same in a lane, which holds time, state and everything about the next step.
#[derive(Clone, Copy)]
struct Job {
    index: usize,
    /// When it began: what comes after is counted in the lane.
    statistics: Statistics,
    /// Number of steps and time when progress was last looked at.
    mark: (u64, f64),
}

/// A trajectory with the states at the times asked for, as far as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// How it ended, and where.
    pub run: Run,
    /// (q, q̇) at the times, in their order.
    pub states: Vec<Vec<f64>>,
}

/// What is to be done.
#[derive(Clone, Copy)]
struct Task<'a> {
    starts: &'a [Start],
    /// Times to stop at, in the order of the run; the last is the end.
    at: &'a [f64],
    until: f64,
    tolerance: Tolerance,
    max_step: f64,
    max_steps: u64,
    control: Option<&'a Control>,
}

impl<const LANES: usize> Ensemble<LANES> {
    /// Compiles the system. `typical` is a state (t, q, q̇) at which the order of pivots should be good; `open` are the
    /// parameters whose values every [`Start`] gives, the others have those of the options.
    pub fn new(w: &mut Workbench, options: &CompileOptions, typical: &[f64], open: &[Symbol]) -> Result<Self> {
        let motion = Motion::with_open_parameters(w, options, typical, open)?;
        Ok(Ensemble {
            reduced: Reduced::if_cheaper(w, options, typical, open, &motion),
            dimension: 2 * motion.n(),
            codes: motion.tape().into_iter().cloned().collect(),
            known: motion.samples().len(),
            samples: motion.samples(),
            motion,
            open: open.len(),
            alone: 0,
            max_step: f64::INFINITY,
            max_steps: w.limits.steps,
            control: w.limits.control.clone().or_else(|| w.g.work.control.clone()),
        })
    }

    /// Compiles the system in (q, q̇), even where quasi-velocities would be cheaper.
    pub fn in_velocities(
        w: &mut Workbench,
        options: &CompileOptions,
        typical: &[f64],
        open: &[Symbol],
    ) -> Result<Self> {
        Ok(Ensemble { reduced: None, ..Ensemble::new(w, options, typical, open)? })
    }

    /// Do the trajectories begin in quasi-velocities?
    pub fn is_reduced(&self) -> bool {
        self.reduced.is_some()
    }

    /// Integrates all trajectories to the time `until`; the runs are in the order of the starts.
    ///
    /// `evaluations` counts a lane's part in evaluations of the batch; signs of stiffness are looked for only in
    /// trajectories that go alone. Orders of pivots that had to be found on the way are kept for later runs.
    pub fn run(&mut self, starts: &[Start], until: f64, tolerance: Tolerance) -> Result<Vec<Run>> {
        Ok(self.run_at(starts, &[until], tolerance)?.into_iter().map(|course| course.run).collect())
    }

    /// The same with the states at several times, in the order of the run. Steps end at these times.
    pub fn run_at(&mut self, starts: &[Start], at: &[f64], tolerance: Tolerance) -> Result<Vec<Course>> {
        let Some(&until) = at.last() else { return Err(Error::input("no time to integrate to")) };
        for (i, start) in starts.iter().enumerate() {
            let (n, p) = (start.state.len(), start.parameters.len());
            if (n, p) != (self.dimension, self.open) {
                return Err(Error::input(format!(
                    "start {i} has {n} components and {p} parameters instead of {} and {}",
                    self.dimension, self.open
                )));
            }
        }
        if at.iter().any(|t| !t.is_finite()) {
            return Err(Error::input("the end time must be a finite number"));
        }
        let (max_step, max_steps, control) = (self.max_step, self.max_steps, self.control.clone());
        let control = control.as_ref();
        let task = Task { starts, at, until, tolerance, max_step, max_steps, control };
        let mut runs = Runs { ended: vec![None; starts.len()], states: vec![Vec::new(); starts.len()] };
        for (start, states) in starts.iter().zip(&mut runs.states) {
            // Times before the end at which a trajectory begins.
            let begun = at[..at.len() - 1].iter().take_while(|&&t| t == start.t).count();
            states.extend(std::iter::repeat_n(start.state.clone(), begun));
        }
        let mut alone = Vec::new();
        // Made when their turn comes: many at once would be written to memory and read again.
        let untouched = Box::new(starts.iter().enumerate().map(|(i, start)| Trajectory::untouched(i, start)));
        let mut waiting: Vec<Trajectory> = match &mut self.reduced {
            Some(reduced) => {
                let tape = reduced.tape().clone();
                Batch::<LANES>::new(&tape, task, untouched, Some(reduced.chart())).drive(&mut runs)
            }
            None => untouched.collect(),
        };
        for order in 0..ORDERS {
            if (order > 0 || self.reduced.is_some()) && waiting.len() < LANES / 4 {
                break;
            }
            let Some(tape) = self.code(order, &waiting, &task) else { break };
            let left = Batch::<LANES>::new(&tape, task, Box::new(waiting.into_iter()), None).drive(&mut runs);
            // An order chosen for them did not help them: others will not either.
            let stuck: Vec<Trajectory>;
            (waiting, stuck) = left.into_iter().partition(|t| t.moved || order == 0);
            alone.extend(stuck);
        }
        alone.extend(waiting);
        self.alone = alone.len();
        for trajectory in alone {
            if task.is_stopped() {
                break;
            }
            let index = trajectory.index;
            let seen = &mut runs.states[index];
            runs.ended[index] = Some(self.finish(trajectory, &task, seen));
        }
        control.map_or(Ok(()), Control::check)?;
        let mut courses = Vec::with_capacity(starts.len());
        let ended = runs.ended.into_iter().flatten().zip(runs.states);
        courses.extend(ended.map(|(run, states)| Course { run, states }));
        Ok(courses)
    }

    /// How many trajectories of the last [`Ensemble::run`] left the batches and went on alone.
    pub fn went_alone(&self) -> usize {
        self.alone
    }

    /// Forgets the orders of pivots found on the way: what comes next does not depend on what came before.
    pub fn forget(&mut self) {
        self.codes.truncate(usize::from(self.motion.tape().is_some()));
        self.samples.truncate(self.known);
    }

    /// The code with the order of pivots of that number; a new one is chosen where the trajectories stand.
    fn code(&mut self, order: usize, waiting: &[Trajectory], task: &Task) -> Option<Tape> {
        if order == self.codes.len() && order > 0 {
            let n = self.dimension / 2;
            let every = waiting.len().div_ceil(SAMPLED).max(1);
            for trajectory in waiting.iter().step_by(every) {
                // What is bad lies ahead: look there, too.
                let h = trajectory.control.map_or(0.0, |c| c.h.min(task.max_step)).copysign(task.until - trajectory.t);
                for part in [0.0, 0.5, 1.0] {
                    let mut sample = vec![trajectory.t + part * h];
                    sample.extend(&trajectory.state);
                    for i in 0..n {
                        sample[1 + i] += part * h * trajectory.state[n + i];
                    }
                    sample.extend(&task.starts[trajectory.index].parameters);
                    self.samples.push(sample);
                }
            }
            self.codes.push(self.motion.straight_line(&self.samples)?);
        }
        self.codes.get(order).cloned()
    }

    /// Carries one trajectory to its end, alone.
    fn finish(&mut self, trajectory: Trajectory, task: &Task, seen: &mut Vec<Vec<f64>>) -> Run {
        self.motion.set_parameters(&task.starts[trajectory.index].parameters);
        let sizes = StepSize { initial: trajectory.control.map(|c| c.h), max: task.max_step, fixed: None };
        let mut stepper = Dop853::new(&mut self.motion, trajectory.t, &trajectory.state, task.tolerance, sizes);
        let before = trajectory.statistics;
        let max_steps = task.max_steps.saturating_sub(before.steps);
        let plan = Plan { samples: &task.at[seen.len()..], max_steps, ..Plan::until(task.until) };
        let mut samples = Samples::default();
        let mut run = integrate(&mut stepper, &plan, &mut [], &mut samples);
        seen.extend(samples.points.into_iter().map(|(_, state)| state));
        run.statistics.steps += before.steps;
        run.statistics.rejected += before.rejected;
        run.statistics.evaluations += before.evaluations;
        run
    }
}

impl Task<'_> {
    fn is_stopped(&self) -> bool {
        self.control.is_some_and(Control::is_stopped)
    }

    /// The next time to stop at, for who has seen these states.
    fn target(&self, seen: &[Vec<f64>]) -> f64 {
        self.at.get(seen.len()).copied().unwrap_or(self.until)
    }
}

impl Trajectory {
    fn untouched(index: usize, start: &Start) -> Trajectory {
        Trajectory {
            index,
            t: start.t,
            state: start.state.clone(),
            control: None,
            statistics: Statistics::default(),
            moved: false,
        }
    }
}

impl Job {
    /// Has the trajectory come to a halt, its steps shortening without end?
    fn stalls(&mut self, made: u64, t: f64, until: f64) -> bool {
        let (steps, since) = self.mark;
        if made - steps < STALL_STEPS {
            return false;
        }
        self.mark = (made, t);
        (t - since).abs() < STALL_PROGRESS * (until - t).abs()
    }

    /// The number of steps at which the trajectory is to be looked at.
    fn look(&self, max_steps: u64) -> u64 {
        max_steps.min(self.mark.0.saturating_add(STALL_STEPS))
    }

    /// What it has cost, when so many steps were made and rejected.
    fn statistics(&self, steps: u64, rejected: u64) -> Statistics {
        let attempts = steps - self.statistics.steps + rejected - self.statistics.rejected;
        let evaluations = self.statistics.evaluations + 12 * attempts;
        Statistics { steps, rejected, evaluations, ..self.statistics }
    }
}

/// What has become of the trajectories.
struct Runs {
    ended: Vec<Option<Run>>,
    /// States at the times that were reached.
    states: Vec<Vec<Vec<f64>>>,
}

/// Trajectories not yet begun, in the order of their beginning.
type Waiting<'a> = Box<dyn ExactSizeIterator<Item = Trajectory> + 'a>;

/// Trajectories that share one code.
struct Batch<'a, const L: usize> {
    task: Task<'a>,
    lanes: Lanes<L>,
    jobs: [Option<Job>; L],
    /// Not yet begun, in the order of their beginning.
    waiting: Waiting<'a>,
    /// Prepared to begin, last first, with their lanes in `nursery`: rates and steps at the beginning are computed for
    /// many at a time.
    ready: Vec<(usize, Trajectory)>,
    nursery: Lanes<L>,
    left: Vec<Trajectory>,
    /// Quasi-velocities, if the code is written in them. Outside the lanes all states are (q, q̇).
    chart: Option<&'a mut Chart>,
}

impl<'a, const L: usize> Batch<'a, L> {
    fn new(tape: &Tape, task: Task<'a>, waiting: Waiting<'a>, chart: Option<&'a mut Chart>) -> Self {
        Batch {
            task,
            lanes: Lanes::new(tape, task.tolerance),
            jobs: [None; L],
            waiting,
            ready: Vec::with_capacity(L),
            nursery: Lanes::new(tape, task.tolerance),
            left: Vec::new(),
            chart,
        }
    }

    /// The state of a lane as (q, q̇).
    fn state(&mut self, lane: usize, index: usize) -> Vec<f64> {
        let state = self.lanes.state(lane);
        match &mut self.chart {
            None => state,
            Some(chart) => {
                chart.set_parameters(&self.task.starts[index].parameters);
                let mut y = vec![0.0; self.task.starts[index].state.len()];
                chart.leave(self.lanes.t[lane], &state, &mut y);
                y
            }
        }
    }

    /// Goes on until every trajectory has ended or left, or somebody stops them; returns the second.
    fn drive(mut self, runs: &mut Runs) -> Vec<Trajectory> {
        while !self.task.is_stopped() && self.fill(runs) {
            if self.lanes.propose(self.task.until, self.task.max_step) {
                self.look(runs);
            }
            if let Some(attempt) = self.lanes.step() {
                self.sort_out(&attempt);
            }
            if self.lanes.pace.arrives(&self.lanes.t) {
                for lane in 0..L {
                    self.arrive(lane, runs);
                }
            }
        }
        self.left
    }

    /// Looks at trajectories whose steps are many or short: some go no further.
    fn look(&mut self, runs: &mut Runs) {
        let Task { until, max_steps, .. } = self.task;
        for lane in 0..L {
            let (t, h) = (self.lanes.t[lane], self.lanes.h[lane]);
            let pace = &mut self.lanes.pace;
            let (steps, due, short) = (pace.steps(lane), pace.is_due(lane), pace.is_too_short(lane, t, h, until));
            let Some(job) = self.jobs[lane].as_mut().filter(|_| due || short) else { continue };
            if steps >= max_steps {
                self.end(lane, Outcome::MaxSteps { t }, runs);
            } else if short || job.stalls(steps, t, until) {
                self.leave(lane);
            } else {
                pace.look_at(lane, job.look(max_steps));
            }
        }
    }

    /// Decides lane by lane on a step that not all of them have made with numbers that can be trusted.
    fn sort_out(&mut self, attempt: &Attempt<L>) {
        // What becomes of lanes without a trajectory is all the same.
        let mut accepted = [1; L];
        for lane in 0..L {
            let Some(job) = &mut self.jobs[lane] else { continue };
            if !attempt.sound[lane] {
                accepted[lane] = 0;
                job.statistics.evaluations += 12;
                self.leave(lane);
                continue;
            }
            let (error, next) = (attempt.error[lane], [attempt.log[lane], attempt.next[lane]]);
            let pace = &mut self.lanes.pace;
            let mut control = pace.control(lane);
            let yes = control.accepts_by(self.lanes.h[lane], pace.proposed(lane), error, next);
            pace.set_control(lane, control);
            pace.count(lane, yes);
            accepted[lane] = u64::from(yes);
        }
        self.lanes.accept(&accepted);
    }

    /// Notes the state of a lane that has come to a time asked for.
    fn arrive(&mut self, lane: usize, runs: &mut Runs) {
        let (t, target) = (self.lanes.t[lane], self.lanes.pace.target(lane));
        let Some(index) = self.jobs[lane].as_ref().filter(|_| target == t).map(|job| job.index) else { return };
        while self.task.at.get(runs.states[index].len()) == Some(&t) {
            let state = self.state(lane, index);
            runs.states[index].push(state);
        }
        if t == self.task.until {
            self.end(lane, Outcome::Finished, runs);
        } else {
            self.lanes.pace.set_target(lane, self.task.target(&runs.states[index]));
        }
    }

    /// Gives every free lane a trajectory as long as there are some. False when all lanes are free in the end.
    fn fill(&mut self, runs: &Runs) -> bool {
        if !self.lanes.pace.is_full() && (!self.ready.is_empty() || self.waiting.len() > 0) {
            for lane in 0..L {
                if self.jobs[lane].is_none() {
                    self.jobs[lane] = self.next(lane, runs);
                }
            }
        }
        !self.lanes.pace.is_empty()
    }

    /// Puts the next trajectory into a lane.
    fn next(&mut self, lane: usize, runs: &Runs) -> Option<Job> {
        while self.ready.is_empty() && self.waiting.len() > 0 {
            self.prepare();
        }
        let (place, trajectory) = self.ready.pop()?;
        self.lanes.take(lane, &self.nursery, place);
        let mut statistics = trajectory.statistics;
        statistics.evaluations += 2;
        let job = Job { index: trajectory.index, mark: (statistics.steps, trajectory.t), statistics };
        let control = trajectory.control.unwrap_or(StepControl::new(self.nursery.h[place]));
        let target = self.task.target(&runs.states[trajectory.index]);
        self.lanes.pace.begin(lane, control, target, [statistics.steps, statistics.rejected]);
        self.lanes.pace.look_at(lane, job.look(self.task.max_steps));
        Some(job)
    }

    fn prepare(&mut self) {
        let mut group: Vec<Trajectory> = Vec::with_capacity(L);
        while group.len() < L {
            let Some(mut trajectory) = self.waiting.next() else { break };
            trajectory.moved = false;
            let parameters = &self.task.starts[trajectory.index].parameters;
            let entered;
            let state = match &mut self.chart {
                None => &trajectory.state,
                Some(chart) => {
                    chart.set_parameters(parameters);
                    let Some(state) = chart.enter(trajectory.t, &trajectory.state, SLACK) else {
                        self.left.push(trajectory);
                        continue;
                    };
                    entered = state;
                    &entered
                }
            };
            self.nursery.set(group.len(), trajectory.t, state, parameters);
            group.push(trajectory);
        }
        let sound = self.nursery.prepare(self.task.until, self.task.max_step);
        for (place, trajectory) in group.into_iter().enumerate().rev() {
            if sound[place] && trajectory.t != self.task.until {
                self.ready.push((place, trajectory));
            } else {
                self.left.push(trajectory);
            }
        }
    }

    fn end(&mut self, lane: usize, outcome: Outcome, runs: &mut Runs) {
        let Some(job) = self.jobs[lane].take() else { return };
        let t = self.lanes.t[lane];
        let state = match (&outcome, runs.states[job.index].last()) {
            // It has just been noted.
            (Outcome::Finished, Some(last)) => last.clone(),
            _ => self.state(lane, job.index),
        };
        let statistics = job.statistics(self.lanes.pace.steps(lane), self.lanes.pace.refused(lane));
        runs.ended[job.index] = Some(Run { outcome, t, state, occurrences: Vec::new(), statistics });
        self.free(lane);
    }

    fn leave(&mut self, lane: usize) {
        let Some(job) = self.jobs[lane].take() else { return };
        let state = self.state(lane, job.index);
        let steps = self.lanes.pace.steps(lane);
        self.left.push(Trajectory {
            index: job.index,
            t: self.lanes.t[lane],
            state,
            control: Some(self.lanes.pace.control(lane)),
            statistics: job.statistics(steps, self.lanes.pace.refused(lane)),
            moved: steps > job.statistics.steps,
        });
        self.free(lane);
    }

    fn free(&mut self, lane: usize) {
        let Lanes { pace, t, h, .. } = &mut self.lanes;
        pace.free(lane, t[lane], h);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trajectory_stalls_when_many_steps_bring_it_no_further() {
        let job = Job { index: 0, statistics: Statistics::default(), mark: (0, 1.0) };
        assert!(job.clone().stalls(STALL_STEPS, 1.0 + 1e-12, 2.0));
        assert!(!job.clone().stalls(STALL_STEPS, 1.5, 2.0), "it went half the way");
        assert!(!job.clone().stalls(STALL_STEPS - 1, 1.0 + 1e-12, 2.0), "it had few steps");
        let mut again = job;
        again.stalls(STALL_STEPS, 1.5, 2.0);
        assert_eq!(again.mark, (STALL_STEPS, 1.5));
    }
}
