//! Many trajectories of one system at once, from different initial states and with different parameters.
//!
//! Each lane of the batch is a trajectory with its own time, step and error control; a lane whose trajectory has ended
//! takes the next one. What a lane computes is, to the last bit, what [`Dop853`] computes for that trajectory alone.
//! Where the straight-line code cannot be trusted (an order of pivots that goes bad, a number that is not finite, steps
//! that become too short), the trajectory goes on alone through [`Motion`] with its pivoting solver and its diagnoses.

use super::dop853::{Dop853, StepControl};
use super::ensemble_lanes::Lanes;
use super::motion::Motion;
use super::outcome::{Outcome, Run};
use super::stepper::{Statistics, StepSize, Tolerance, clip_step, shortest_step};
use super::{Plan, STALL_PROGRESS, STALL_STEPS, Samples, integrate};
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::Symbol;
use crate::forms::Workbench;

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
    dimension: usize,
    open: usize,
    alone: usize,
    /// Upper bound of the length of a step.
    pub max_step: f64,
    /// Limit on the number of accepted steps of each trajectory.
    pub max_steps: u64,
}

/// A trajectory on its way in a lane.
#[derive(Clone, Copy)]
struct Job {
    index: usize,
    control: StepControl,
    statistics: Statistics,
    /// Number of steps and time when progress was last looked at.
    mark: (u64, f64),
    /// Length that was proposed for the present step.
    proposed: f64,
}

/// A trajectory that must go on alone.
struct Leftover {
    index: usize,
    t: f64,
    state: Vec<f64>,
    /// Length of the next step, 0 when none is known.
    h: f64,
    statistics: Statistics,
}

impl<const LANES: usize> Ensemble<LANES> {
    /// Compiles the system. `typical` is a state (t, q, q̇) at which the order of pivots should be good; `open` are the
    /// parameters whose values every [`Start`] gives, the others have those of the options.
    pub fn new(w: &mut Workbench, options: &CompileOptions, typical: &[f64], open: &[Symbol]) -> Result<Self> {
        let motion = Motion::with_open_parameters(w, options, typical, open)?;
        Ok(Ensemble {
            dimension: 2 * motion.n(),
            motion,
            open: open.len(),
            alone: 0,
            max_step: f64::INFINITY,
            max_steps: w.limits.steps,
        })
    }

    /// Integrates all trajectories to the time `until`; the runs are in the order of the starts. `evaluations` counts a
    /// lane's part in evaluations of the batch; signs of stiffness are looked for only in trajectories that go alone.
    pub fn run(&mut self, starts: &[Start], until: f64, tolerance: Tolerance) -> Result<Vec<Run>> {
        for (i, start) in starts.iter().enumerate() {
            let (n, p) = (start.state.len(), start.parameters.len());
            if (n, p) != (self.dimension, self.open) {
                return Err(Error::input(format!(
                    "start {i} has {n} components and {p} parameters instead of {} and {}",
                    self.dimension, self.open
                )));
            }
        }
        if !until.is_finite() {
            return Err(Error::input("the end time must be a finite number"));
        }
        let mut progress = Progress { runs: vec![None; starts.len()], leftovers: Vec::new() };
        match self.motion.tape() {
            Some(tape) => {
                let mut waiting = Waiting::new(Lanes::new(tape, tolerance), starts, until, self.max_step);
                let mut lanes = Lanes::<LANES>::new(tape, tolerance);
                self.drive(&mut lanes, &mut waiting, until, &mut progress);
            }
            None => progress.leftovers.extend((0..starts.len()).map(|i| Leftover::untouched(i, &starts[i]))),
        }
        self.alone = progress.leftovers.len();
        for leftover in progress.leftovers {
            let index = leftover.index;
            progress.runs[index] = Some(self.finish(leftover, &starts[index], until, tolerance));
        }
        Ok(progress.runs.into_iter().flatten().collect())
    }

    /// How many trajectories of the last [`Ensemble::run`] left the batch and went on alone.
    pub fn went_alone(&self) -> usize {
        self.alone
    }

    fn drive(&self, lanes: &mut Lanes<LANES>, waiting: &mut Waiting<LANES>, until: f64, progress: &mut Progress) {
        let mut jobs: [Option<Job>; LANES] = [None; LANES];
        loop {
            for lane in 0..LANES {
                if jobs[lane].is_none() {
                    jobs[lane] = waiting.next(lanes, lane, progress);
                }
            }
            if jobs.iter().all(Option::is_none) {
                return;
            }
            let mut end = lanes.t;
            for lane in 0..LANES {
                lanes.h[lane] = 0.0;
                let Some(job) = &mut jobs[lane] else { continue };
                let t = lanes.t[lane];
                if job.statistics.steps >= self.max_steps {
                    progress.end(job, Outcome::MaxSteps { t }, lanes, lane);
                    jobs[lane] = None;
                    continue;
                }
                job.proposed = job.control.h.min(self.max_step);
                let (h, ends) = clip_step(t, until, job.proposed);
                let too_short = (job.control.shrunk || !ends) && h.abs() < shortest_step(t, until) || h.is_nan();
                if too_short || job.stalls(t, until) {
                    progress.leave(job, lanes, lane);
                    jobs[lane] = None;
                    continue;
                }
                lanes.h[lane] = h;
                end[lane] = if ends { until } else { t + h };
            }
            let attempt = lanes.attempt(&end);
            let mut accepted = [false; LANES];
            for lane in 0..LANES {
                let Some(job) = &mut jobs[lane] else { continue };
                job.statistics.evaluations += 12;
                if !attempt.sound[lane] {
                    progress.leave(job, lanes, lane);
                    jobs[lane] = None;
                } else if job.control.accepts(lanes.h[lane], job.proposed, attempt.error[lane]) {
                    job.statistics.steps += 1;
                    accepted[lane] = true;
                } else {
                    job.statistics.rejected += 1;
                }
            }
            lanes.accept(&accepted, &end);
            for lane in 0..LANES {
                if let Some(job) = jobs[lane].filter(|_| lanes.t[lane] == until) {
                    progress.end(&job, Outcome::Finished, lanes, lane);
                    jobs[lane] = None;
                }
            }
        }
    }

    /// Carries one trajectory to its end, alone.
    fn finish(&mut self, leftover: Leftover, start: &Start, until: f64, tolerance: Tolerance) -> Run {
        self.motion.set_parameters(&start.parameters);
        let initial = (leftover.h > 0.0).then_some(leftover.h);
        let sizes = StepSize { initial, max: self.max_step, fixed: None };
        let mut stepper = Dop853::new(&mut self.motion, leftover.t, &leftover.state, tolerance, sizes);
        let max_steps = self.max_steps.saturating_sub(leftover.statistics.steps);
        let plan = Plan { max_steps, ..Plan::until(until) };
        let mut run = integrate(&mut stepper, &plan, &mut [], &mut Samples::default());
        run.statistics.steps += leftover.statistics.steps;
        run.statistics.rejected += leftover.statistics.rejected;
        run.statistics.evaluations += leftover.statistics.evaluations;
        run
    }
}

impl Job {
    /// Has the trajectory come to a halt, its steps shortening without end?
    fn stalls(&mut self, t: f64, until: f64) -> bool {
        let (steps, since) = self.mark;
        if self.statistics.steps - steps < STALL_STEPS {
            return false;
        }
        self.mark = (self.statistics.steps, t);
        (t - since).abs() < STALL_PROGRESS * (until - t).abs()
    }
}

impl Leftover {
    fn untouched(index: usize, start: &Start) -> Leftover {
        let (t, state) = (start.t, start.state.clone());
        Leftover { index, t, state, h: 0.0, statistics: Statistics::default() }
    }
}

/// What has become of the trajectories so far.
struct Progress {
    runs: Vec<Option<Run>>,
    leftovers: Vec<Leftover>,
}

impl Progress {
    fn end<const L: usize>(&mut self, job: &Job, outcome: Outcome, lanes: &Lanes<L>, lane: usize) {
        self.runs[job.index] = Some(Run {
            outcome,
            t: lanes.t[lane],
            state: lanes.state(lane),
            occurrences: Vec::new(),
            statistics: job.statistics,
        });
    }

    fn leave<const L: usize>(&mut self, job: &Job, lanes: &Lanes<L>, lane: usize) {
        self.leftovers.push(Leftover {
            index: job.index,
            t: lanes.t[lane],
            state: lanes.state(lane),
            h: job.control.h,
            statistics: job.statistics,
        });
    }
}

/// The trajectories not yet begun. Rates and steps at their starts are computed for a whole batch at a time.
struct Waiting<'a, const L: usize> {
    lanes: Lanes<L>,
    starts: &'a [Start],
    until: f64,
    max_step: f64,
    /// The next start to be prepared.
    next: usize,
    /// Prepared ones, last first: lane and index.
    ready: Vec<(usize, usize)>,
}

impl<'a, const L: usize> Waiting<'a, L> {
    fn new(lanes: Lanes<L>, starts: &'a [Start], until: f64, max_step: f64) -> Self {
        Waiting { lanes, starts, until, max_step, next: 0, ready: Vec::with_capacity(L) }
    }

    /// Moves the next trajectory into a lane.
    fn next(&mut self, lanes: &mut Lanes<L>, lane: usize, progress: &mut Progress) -> Option<Job> {
        while self.ready.is_empty() && self.next < self.starts.len() {
            self.prepare(progress);
        }
        let (place, index) = self.ready.pop()?;
        lanes.take(lane, &self.lanes, place);
        let statistics = Statistics { evaluations: 2, ..Statistics::default() };
        let control = StepControl::new(self.lanes.h[place]);
        Some(Job { index, control, statistics, mark: (0, lanes.t[lane]), proposed: 0.0 })
    }

    fn prepare(&mut self, progress: &mut Progress) {
        let first = self.next;
        let count = L.min(self.starts.len() - first);
        self.next += count;
        for place in 0..L {
            // Lanes beyond the last start repeat it.
            let start = &self.starts[first + place.min(count - 1)];
            self.lanes.set(place, start.t, &start.state, &start.parameters);
        }
        let sound = self.lanes.prepare(self.until, self.max_step);
        for place in (0..count).rev() {
            let index = first + place;
            let start = &self.starts[index];
            if sound[place] && start.t != self.until {
                self.ready.push((place, index));
            } else {
                progress.leftovers.push(Leftover::untouched(index, start));
            }
        }
    }
}
