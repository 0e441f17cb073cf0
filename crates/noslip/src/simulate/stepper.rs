//! The contract that all integration methods share: advance by one accepted step, interpolate inside it.

use super::ode::RhsFailure;
use crate::numeric::first_non_finite;

/// Accuracy asked for: the local error in component i stays below `absolute` + `relative`·|yᵢ| in the root mean square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative to the size of the component.
    pub relative: f64,
    /// In the units of the component.
    pub absolute: f64,
}

impl Tolerance {
    /// The same figure for both.
    pub fn new(tolerance: f64) -> Tolerance {
        Tolerance { relative: tolerance, absolute: tolerance }
    }

    /// Never below what doubles can resolve, so that step control does not chase rounding errors.
    pub(super) fn sane(self) -> Tolerance {
        let floor = 2.0 * f64::EPSILON;
        let relative = if self.relative >= floor { self.relative } else { floor };
        let absolute = if self.absolute >= 0.0 { self.absolute } else { 0.0 };
        Tolerance { relative, absolute: absolute.max(f64::MIN_POSITIVE) }
    }
}

/// How long a step may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    /// First step to try; chosen by the method when absent.
    pub initial: Option<f64>,
    /// Upper bound of the length.
    pub max: f64,
    /// Constant step: no error control. The last step is shortened to end on time.
    pub fixed: Option<f64>,
}

impl Default for StepSize {
    fn default() -> Self {
        StepSize { initial: None, max: f64::INFINITY, fixed: None }
    }
}

impl StepSize {
    /// Constant steps of length `h`.
    pub fn fixed(h: f64) -> StepSize {
        StepSize { fixed: Some(h.abs()), ..StepSize::default() }
    }
}

/// Why a step could not be made. The stepper stays at its last good state.
#[derive(Clone, Debug, PartialEq)]
pub enum StepFailure {
    /// The error could not be brought below the tolerance with a step that still moves the time.
    TooSmall {
        /// The last step length tried.
        h: f64,
    },
    /// The equation has no value, however short the step.
    Rhs {
        /// What the equation said.
        failure: RhsFailure,
        /// Time of the evaluation that failed.
        t: f64,
    },
    /// A component of the state leaves the range of numbers, however short the step.
    Overflow {
        /// Index of the component.
        component: usize,
        /// Time at the end of the step that failed.
        t: f64,
    },
}

impl StepFailure {
    /// Is it no use to try shorter steps?
    pub(super) fn is_final(&self) -> bool {
        matches!(self, StepFailure::Rhs { failure: RhsFailure::ChartEnds, .. })
    }
}

impl From<(RhsFailure, f64)> for StepFailure {
    fn from((failure, t): (RhsFailure, f64)) -> Self {
        StepFailure::Rhs { failure, t }
    }
}

/// The state that a step would reach, unless it is beyond the range of numbers.
pub(super) fn in_range(y: &[f64], t: f64) -> Result<(), StepFailure> {
    match first_non_finite(y) {
        None => Ok(()),
        Some(component) => Err(StepFailure::Overflow { component, t }),
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Evaluations of the right-hand side (of all its Taylor coefficients at once, for the Taylor method).
    pub evaluations: u64,
    /// Evaluations of the Jacobian.
    pub jacobians: u64,
    /// Matrix factorisations.
    pub factorisations: u64,
    /// The explicit method saw signs of stiffness: an implicit one is likely to be cheaper.
    pub stiff: bool,
}

/// Where an integration stands, how long its steps may be, and what it cost.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub(super) t: f64,
    pub(super) t_old: f64,
    /// Length of the last accepted step, with its sign.
    pub(super) h_done: f64,
    pub(super) sizes: StepSize,
    pub(super) statistics: Statistics,
}

impl Clock {
    /// At the beginning.
    pub(super) fn new(t: f64, sizes: StepSize) -> Clock {
        Clock { t, t_old: t, h_done: 0.0, sizes, statistics: Statistics::default() }
    }

    /// A step was made.
    pub(super) fn advance(&mut self, span: Span) {
        (self.t_old, self.t, self.h_done) = (self.t, span.end, span.h);
        self.statistics.steps += 1;
    }

    /// Are steps of constant length asked for?
    pub(super) fn is_fixed(&self) -> bool {
        self.sizes.fixed.is_some()
    }
}

/// An integration in progress.
///
/// The interval of the last accepted step is [`previous_time`](Stepper::previous_time) to [`time`](Stepper::time), in either
/// direction; [`dense`](Stepper::dense) is valid inside it until the next call of [`step`](Stepper::step).
pub trait Stepper {
    /// Time, steps and cost.
    fn clock(&self) -> &Clock;

    /// State at [`time`](Stepper::time).
    fn state(&self) -> &[f64];

    /// Makes one accepted step towards `t_end`, never beyond it; lands on it exactly when it is in reach.
    fn step(&mut self, t_end: f64) -> Result<(), StepFailure>;

    /// State at a time inside the last accepted step.
    fn dense(&mut self, t: f64, out: &mut [f64]) -> Result<(), StepFailure>;

    /// Puts another state in place of the current one, e.g. after a projection. What [`dense`](Stepper::dense) says of the
    /// step just made does not change.
    fn replace_state(&mut self, y: &[f64]);

    /// Number of components of the state.
    fn dimension(&self) -> usize {
        self.state().len()
    }

    /// Time at the end of the last accepted step.
    fn time(&self) -> f64 {
        self.clock().t
    }

    /// Time at its beginning.
    fn previous_time(&self) -> f64 {
        self.clock().t_old
    }

    /// What it cost so far.
    fn statistics(&self) -> Statistics {
        self.clock().statistics
    }
}

/// What came of an attempt to make a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Attempt {
    /// It was made.
    Made,
    /// Not yet, but something was made anew: try the same length again.
    Again,
    /// The error is too large, or an iteration too slow: try this length.
    Shorten(f64),
}

/// A method that tries lengths until one will do.
pub(super) trait Adaptive: Stepper {
    /// Makes the step, or says what to try next. `proposed` was its length before it was cut to end on time; `shrunk`: longer
    /// ones have been tried before.
    fn attempt(&mut self, span: Span, proposed: f64, shrunk: bool) -> Result<Attempt, StepFailure>;

    /// The clock, to count.
    fn clock_mut(&mut self) -> &mut Clock;

    /// Asked when no step could be made: what does the equation know?
    fn diagnose(&mut self) -> Option<RhsFailure>;

    /// Proposes a length, attempts it, shortens it, until a step is made or the lengths are no longer worth making.
    fn make_step(&mut self, t_end: f64, proposed: f64) -> Result<(), StepFailure> {
        let (mut proposed, mut shrunk, mut last) = (proposed, false, None);
        loop {
            let Clock { t, sizes, .. } = *self.clock();
            let length = proposed.min(sizes.max);
            let span = match sizes.span(t, t_end, length, shrunk) {
                Ok(span) => span,
                Err(h) => return Err(self.give_up(h, last)),
            };
            (last, proposed) = match self.attempt(span, length, shrunk) {
                Ok(Attempt::Made) => return Ok(()),
                Ok(Attempt::Again) => continue,
                Ok(Attempt::Shorten(length)) => (None, length),
                Err(failure) if failure.is_final() => return Err(failure),
                Err(failure) => (Some(failure), 0.25 * span.h.abs()),
            };
            self.clock_mut().statistics.rejected += 1;
            if sizes.fixed.is_some() {
                return Err(self.give_up(span.h, last));
            }
            shrunk = true;
        }
    }

    /// Why no step could be made: what the last attempt said, else what the equation knows, else that steps of length `h`
    /// are too long.
    fn give_up(&mut self, h: f64, last: Option<StepFailure>) -> StepFailure {
        let t = self.time();
        last.or_else(|| self.diagnose().map(|failure| (failure, t).into())).unwrap_or(StepFailure::TooSmall { h })
    }
}

/// A step to attempt: its signed length and where it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub h: f64,
    pub end: f64,
}

impl StepSize {
    /// The attempt from `t` towards `t_end` when the method proposes the length `proposed`, after shorter attempts than it
    /// liked if `shrunk`. `Err`: a length too short to be worth making.
    pub(super) fn span(&self, t: f64, t_end: f64, proposed: f64, shrunk: bool) -> Result<Span, f64> {
        let (h, ends) = match self.fixed {
            Some(fixed) => clip_fixed_step(t, t_end, fixed),
            None => clip_step(t, t_end, proposed),
        };
        // A short way to the end is not a step forced to be short.
        if (shrunk || !ends) && h.abs() < shortest_step(t, t_end) || h.is_nan() {
            return Err(h);
        }
        Ok(Span { h, end: if ends { t_end } else { t + h } })
    }
}

/// The shortest step that is still worth making from `t` on the way to `t_end`.
#[inline(always)]
pub(super) fn shortest_step(t: f64, t_end: f64) -> f64 {
    (8.0 * f64::EPSILON * t.abs()).max(1e-4 * f64::EPSILON * (t_end - t).abs())
}

/// The step to make when `h` is proposed: `(signed step, whether it ends at t_end)`. A remainder that would be a sliver is
/// taken along.
#[inline(always)]
pub(super) fn clip_step(t: f64, t_end: f64, h: f64) -> (f64, bool) {
    let rest = t_end - t;
    if 1.01 * h >= rest.abs() {
        (rest, true)
    } else if 2.0 * h > rest.abs() {
        // Two equal steps are better than a full one and a crumb.
        (0.5 * rest, false)
    } else {
        (h.copysign(rest), false)
    }
}

/// As [`clip_step`], but `h` stays as it is until the very end.
pub(super) fn clip_fixed_step(t: f64, t_end: f64, h: f64) -> (f64, bool) {
    let rest = t_end - t;
    if h * (1.0 + 1e-9) >= rest.abs() { (rest, true) } else { (h.copysign(rest), false) }
}
