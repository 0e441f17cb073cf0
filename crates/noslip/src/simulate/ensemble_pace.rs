//! Lengths of steps in lanes: what [`StepControl`] and [`clip_step`] do for one trajectory, for all of them at once.

use super::dop853::{StepControl, after_refusal, after_step, least_log};
use super::stepper::{clip_step, shortest_step};

/// One number per lane of everything that decides on the next step. Masks are 1 or 0, as wide as the numbers: so they become vector
/// instructions.
pub(super) struct Pace<const L: usize> {
    /// Whether the lane has a trajectory.
    busy: [u64; L],
    control: [f64; L],
    log_old: [f64; L],
    shrunk: [u64; L],
    /// Length that was proposed for the present step, before it was cut to end on time.
    proposed: [f64; L],
    /// The next time to stop at.
    target: [f64; L],
    /// Where the present step ends.
    pub end: [f64; L],
    /// Steps made and refused, and the number of those made at which somebody should look at the trajectory.
    steps: [u64; L],
    refused: [u64; L],
    look: [u64; L],
}

/// Which lanes' steps are accepted.
pub(super) enum Verdict<const L: usize> {
    All,
    /// Those with 1.
    Some([u64; L]),
}

impl<const L: usize> Pace<L> {
    pub(super) fn new() -> Pace<L> {
        let (zeros, none) = ([0.0; L], [0; L]);
        Pace {
            busy: none,
            control: zeros,
            log_old: zeros,
            shrunk: none,
            proposed: zeros,
            target: zeros,
            end: zeros,
            steps: none,
            refused: none,
            look: none,
        }
    }

    /// A trajectory begins in a lane.
    pub(super) fn begin(&mut self, lane: usize, control: StepControl, target: f64, [steps, refused]: [u64; 2]) {
        self.busy[lane] = 1;
        self.set_control(lane, control);
        self.target[lane] = target;
        (self.steps[lane], self.refused[lane]) = (steps, refused);
    }

    /// The lane is free again: its steps have no length.
    pub(super) fn free(&mut self, lane: usize, t: f64, h: &mut [f64; L]) {
        (self.busy[lane], h[lane], self.end[lane]) = (0, 0.0, t);
    }

    pub(super) fn is_busy(&self, lane: usize) -> bool {
        self.busy[lane] != 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.busy.iter().fold(1, |all, busy| all & busy) == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.busy.iter().fold(0, |any, busy| any | busy) == 0
    }

    pub(super) fn control(&self, lane: usize) -> StepControl {
        StepControl { h: self.control[lane], log_old: self.log_old[lane], shrunk: self.shrunk[lane] != 0 }
    }

    pub(super) fn set_control(&mut self, lane: usize, control: StepControl) {
        self.control[lane] = control.h;
        self.log_old[lane] = control.log_old;
        self.shrunk[lane] = u64::from(control.shrunk);
    }

    pub(super) fn proposed(&self, lane: usize) -> f64 {
        self.proposed[lane]
    }

    pub(super) fn log_old(&self) -> &[f64; L] {
        &self.log_old
    }

    pub(super) fn target(&self, lane: usize) -> f64 {
        self.target[lane]
    }

    pub(super) fn set_target(&mut self, lane: usize, target: f64) {
        self.target[lane] = target;
    }

    pub(super) fn steps(&self, lane: usize) -> u64 {
        self.steps[lane]
    }

    pub(super) fn refused(&self, lane: usize) -> u64 {
        self.refused[lane]
    }

    pub(super) fn count(&mut self, lane: usize, accepted: bool) {
        self.steps[lane] += u64::from(accepted);
        self.refused[lane] += u64::from(!accepted);
    }

    /// Should somebody look at this lane because of the number of its steps?
    pub(super) fn is_due(&self, lane: usize) -> bool {
        self.steps[lane] >= self.look[lane]
    }

    pub(super) fn look_at(&mut self, lane: usize, steps: u64) {
        self.look[lane] = steps;
    }

    /// Is the present step of the lane too short to be made?
    pub(super) fn is_too_short(&self, lane: usize, t: f64, h: f64, until: f64) -> bool {
        let ends = self.end[lane] == self.target[lane];
        self.is_busy(lane) && too_short(t, h, until, self.shrunk[lane] != 0, ends)
    }

    /// Chooses every lane's step; says whether a lane wants to be looked at before it is made.
    #[inline(always)]
    pub(super) fn propose(&mut self, t: &[f64; L], h: &mut [f64; L], until: f64, max_step: f64) -> bool {
        let mut odd = 0;
        for l in 0..L {
            let busy = self.busy[l] != 0;
            let proposed = self.control[l].min(max_step);
            let (step, ends) = clip_step(t[l], self.target[l], proposed);
            let end = if ends { self.target[l] } else { t[l] + step };
            let short = too_short(t[l], step, until, self.shrunk[l] != 0, ends);
            self.proposed[l] = proposed;
            h[l] = if busy { step } else { 0.0 };
            self.end[l] = if busy { end } else { t[l] };
            odd |= self.busy[l] & (u64::from(short) | u64::from(self.steps[l] >= self.look[l]));
        }
        odd != 0
    }

    /// Chooses the lengths of the steps after those just attempted; says in which lanes these are accepted. `log` and `next` are what
    /// [`next_step`](super::dop853::next_step) says.
    #[inline(always)]
    pub(super) fn judge(&mut self, h: &[f64; L], error: &[f64; L], log: &[f64; L], next: &[f64; L]) -> Verdict<L> {
        let mut accepted = [0; L];
        let mut all = 1;
        for l in 0..L {
            accepted[l] = u64::from(error[l] <= 1.0);
            all &= accepted[l] | (1 - self.busy[l]);
        }
        if all == 1 {
            for l in 0..L {
                self.control[l] = after_step(h[l].abs(), self.proposed[l], self.shrunk[l] != 0, next[l]);
                self.log_old[l] = least_log(log[l]);
                self.shrunk[l] = 0;
                self.steps[l] += self.busy[l];
            }
            return Verdict::All;
        }
        for l in 0..L {
            let yes = accepted[l] != 0;
            let longer = after_step(h[l].abs(), self.proposed[l], self.shrunk[l] != 0, next[l]);
            let shorter = after_refusal(h[l].abs(), error[l], log[l]);
            self.control[l] = if yes { longer } else { shorter };
            self.log_old[l] = if yes { least_log(log[l]) } else { self.log_old[l] };
            self.shrunk[l] = 1 - accepted[l];
            self.steps[l] += self.busy[l] & accepted[l];
            self.refused[l] += self.busy[l] & (1 - accepted[l]);
        }
        Verdict::Some(accepted)
    }

    /// Has a trajectory come to the time it should stop at?
    #[inline(always)]
    pub(super) fn arrives(&self, t: &[f64; L]) -> bool {
        let mut any = 0;
        for l in 0..L {
            any |= self.busy[l] & u64::from(t[l] == self.target[l]);
        }
        any != 0
    }
}

#[inline(always)]
fn too_short(t: f64, h: f64, until: f64, shrunk: bool, ends: bool) -> bool {
    (shrunk | !ends) & (h.abs() < shortest_step(t, until)) | h.is_nan()
}
