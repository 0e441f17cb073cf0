//! The arithmetic of DOP853 for many trajectories at once: every quantity is a row with one number per lane, every
//! formula a loop over lanes that the compiler turns into vector instructions.
//!
//! Lanes never meet: no operation combines numbers of different lanes, and each lane does exactly what
//! [`Dop853`](super::Dop853) does with one trajectory, to the last bit.

use super::dop853::{first_guess, first_step, next_step};
use super::dop853_program::{Layout, StepCode};
use super::dop853_tableau::*;
use super::ensemble_pace::{Pace, Verdict};
use super::lanes_of_eight::{Aligned, Eight, WIDTH};
use super::stepper::Tolerance;
use crate::compile::{BatchRunner, GROWTH_LIMIT, Lines, Tape};
use noslip_native::{Wide, widest};

/// Rates of stage 11 and of the end of the step take the places of stages 1 and 2, which nobody needs by then: less
/// memory keeps more lanes in the first-level cache.
const STAGE_11: usize = 1;
const END: usize = 2;

/// As many trajectories as there are lanes.
pub(super) struct Lanes<const L: usize> {
    tape: Tape,
    /// A whole step as machine code, once it is made.
    code: Option<StepCode>,
    /// May it be made yet?
    cold: bool,
    runner: BatchRunner<L>,
    /// Time, state and open parameters of the next evaluation.
    input: Lines<L>,
    /// Time of each lane.
    pub t: [f64; L],
    /// Step of each lane, with its sign; 0 where nothing is to be done.
    pub h: Aligned<L>,
    pub pace: Pace<L>,
    layout: Layout,
    desk: Desk<L>,
    /// Rates of the stages, each with the growth of its evaluation as last row.
    k: [Lines<L>; 11],
    /// Not zero where an evaluation since the last [`Lanes::trust_all`] cannot be trusted.
    doubt: [u64; L],
    tolerance: Tolerance,
    /// Components of the state that the rates depend on: only these are needed inside a step.
    needed: Vec<usize>,
    /// Do they depend on the time?
    timed: bool,
}

/// What a compiled step reads and writes, all in one piece of memory: lines of pieces that lie anywhere can stand in each other's way in
/// the first-level cache, and a step then takes up to twice as long.
struct Desk<const L: usize> {
    lines: Lines<L>,
    /// Rows of what stands before the step, and as many of what does at its end: state, what rounding cut off the sum of the steps so far,
    /// rates; behind them what else a compiled step needs and says. What it puts aside comes last.
    rows: usize,
    /// Has the end of the last step become what stands before the next one, without being moved?
    turned: bool,
}

/// Its parts.
struct Parts<'a, const L: usize> {
    now: &'a mut [[f64; L]],
    next: &'a mut [[f64; L]],
    aside: &'a mut [[f64; L]],
}

impl<const L: usize> Desk<L> {
    fn new(rows: usize) -> Desk<L> {
        Desk { lines: Lines::new(2 * rows), rows, turned: false }
    }

    /// Makes room for so many numbers that are put aside.
    fn put_aside(&mut self, numbers: usize) {
        let mut lines = Lines::new(2 * self.rows + numbers.div_ceil(L));
        lines[..2 * self.rows].copy_from_slice(&self.lines[..2 * self.rows]);
        self.lines = lines;
    }

    #[inline(always)]
    fn now(&self) -> &[[f64; L]] {
        let first = usize::from(self.turned) * self.rows;
        &self.lines[first..first + self.rows]
    }

    #[inline(always)]
    fn parts(&mut self) -> Parts<'_, L> {
        let (first, rest) = self.lines.split_at_mut(self.rows);
        let (second, aside) = rest.split_at_mut(self.rows);
        let (now, next) = if self.turned { (second, first) } else { (first, second) };
        Parts { now, next, aside }
    }
}

/// An attempted step.
pub(super) struct Attempt<const L: usize> {
    /// Error relative to the tolerance.
    pub error: [f64; L],
    /// Its logarithm.
    pub log: [f64; L],
    /// How long the next step should be.
    pub next: [f64; L],
    /// Whether every number of the lane is finite and every evaluation trusted.
    pub sound: [bool; L],
}

impl<const L: usize> Lanes<L> {
    /// Lanes of the tape (t, y, parameters) → y′, growth.
    pub(super) fn new(tape: &Tape, tolerance: Tolerance) -> Lanes<L> {
        let rows = Lines::new;
        let n = tape.output_count() - 1;
        let layout = Layout::new(n);
        Lanes {
            tape: tape.clone(),
            code: None,
            cold: true,
            runner: tape.batch(),
            input: rows(tape.input_count()),
            t: [0.0; L],
            h: Aligned([0.0; L]),
            pace: Pace::new(),
            layout,
            desk: Desk::new(layout.parameters() + tape.input_count() - 1 - n),
            k: std::array::from_fn(|_| rows(n + 1)),
            doubt: [0; L],
            tolerance: tolerance.sane(),
            needed: (0..n).filter(|&i| tape.uses_input(1 + i)).collect(),
            timed: tape.uses_input(0),
        }
    }

    /// From now on by this code for whole steps, or stage by stage.
    pub(super) fn step_by(&mut self, code: Option<StepCode>) {
        self.desk.put_aside(code.as_ref().map_or(0, StepCode::memory));
        (self.cold, self.code) = (false, code);
    }

    #[inline(always)]
    fn n(&self) -> usize {
        self.layout.state().len()
    }

    /// The states of all lanes.
    #[inline(always)]
    fn y(&self) -> &[[f64; L]] {
        &self.desk.now()[self.layout.state()]
    }

    /// Puts a trajectory at its start into a lane.
    pub(super) fn set(&mut self, lane: usize, t: f64, state: &[f64], parameters: &[f64]) {
        self.t[lane] = t;
        let n = self.n();
        let copy = |to: &mut [[f64; L]], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, x)| to[lane] = *x);
        let now = self.desk.parts().now;
        copy(&mut now[self.layout.state()], state);
        copy(&mut self.input[1 + n..], parameters);
        now[self.layout.carry()].iter_mut().for_each(|row| row[lane] = 0.0);
    }

    /// Takes a prepared trajectory over from a lane of another set.
    pub(super) fn take(&mut self, lane: usize, from: &Lanes<L>, place: usize) {
        self.t[lane] = from.t[place];
        let (n, layout) = (self.n(), self.layout);
        let copy = |to: &mut [[f64; L]], from: &[[f64; L]]| {
            to.iter_mut().zip(from).for_each(|(to, from)| to[lane] = from[place]);
        };
        let Parts { now, next, .. } = self.desk.parts();
        let before = from.desk.now();
        copy(&mut now[layout.state()], &before[layout.state()]);
        copy(&mut now[layout.carry()], &before[layout.carry()]);
        copy(&mut now[layout.rates()], &from.k[0]);
        let parameters = &from.input[1 + n..];
        copy(&mut self.input[1 + n..], parameters);
        copy(&mut now[layout.parameters()..], parameters);
        copy(&mut next[layout.parameters()..], parameters);
    }

    /// The state of a lane.
    pub(super) fn state(&self, lane: usize) -> Vec<f64> {
        self.y().iter().map(|row| row[lane]).collect()
    }

    #[inline(always)]
    fn trust_all(&mut self) {
        self.doubt = [0; L];
    }

    /// k[place] = f(input).
    #[inline(always)]
    fn evaluate(&mut self, place: usize) {
        self.runner.run(&self.input, &mut self.k[place]);
        let growth = &self.k[place][self.layout.state().len()];
        for l in 0..L {
            // False for NaN as well.
            self.doubt[l] |= u64::from(!(growth[l] < GROWTH_LIMIT));
        }
    }

    /// Computes the rates at the starts and the lengths of the first steps, and says which lanes are sound.
    pub(super) fn prepare(&mut self, until: f64, max_step: f64) -> [bool; L] {
        let n = self.n();
        self.trust_all();
        self.input[0] = self.t;
        self.input[1..1 + n].copy_from_slice(&self.desk.now()[..n]);
        self.evaluate(0);
        let rate = self.scaled(&self.k[0]);
        let size = self.scaled(self.y());
        let mut guess = [0.0; L];
        let mut limit = [0.0; L];
        for l in 0..L {
            limit[l] = (until - self.t[l]).abs().min(max_step);
            guess[l] = first_guess(rate[l], size[l], limit[l]);
            self.h[l] = guess[l].copysign(until - self.t[l]);
            self.input[0][l] = self.t[l] + self.h[l];
        }
        combine(&mut self.input[1..1 + n], &self.needed, &self.desk.now()[..n], &self.h, [&self.k[0][..]], [1.0]);
        self.evaluate(1);
        let [first, second, ..] = &mut self.k;
        for (b, a) in second.iter_mut().zip(first.iter()) {
            for l in 0..L {
                b[l] -= a[l];
            }
        }
        let change = self.scaled(&self.k[1]);
        for l in 0..L {
            self.h[l] = first_step(guess[l], rate[l], change[l], limit[l]);
        }
        self.sound(&[&self.k[0], &self.k[1], self.y()], &self.h)
    }

    /// Σ (v/scale)² over the components.
    fn scaled(&self, v: &[[f64; L]]) -> [f64; L] {
        let Tolerance { relative, absolute } = self.tolerance;
        let mut sum = [0.0; L];
        for (v, y) in v.iter().zip(self.y()) {
            for l in 0..L {
                let x = v[l] / (absolute + relative * y[l].abs());
                sum[l] += x * x;
            }
        }
        sum
    }

    /// Lanes in which all these numbers are finite and no evaluation is in doubt.
    #[inline(always)]
    fn sound(&self, groups: &[&[[f64; L]]], more: &[f64; L]) -> [bool; L] {
        let n = self.n();
        // 0·x is 0 for finite numbers alone.
        let mut probe = [0.0; L];
        for l in 0..L {
            probe[l] = 0.0 * more[l];
        }
        for group in groups {
            for row in &group[..n] {
                for l in 0..L {
                    probe[l] += 0.0 * row[l];
                }
            }
        }
        let mut sound = [false; L];
        for l in 0..L {
            sound[l] = probe[l] == 0.0 && self.doubt[l] == 0;
        }
        sound
    }

    /// Chooses every lane's step; says whether a lane wants to be looked at before it is made.
    pub(super) fn propose(&mut self, until: f64, max_step: f64) -> bool {
        widest(Propose { lanes: self, until, max_step })
    }

    /// Attempts the steps that were chosen, and moves the lanes where they are accepted. An attempt with doubtful numbers is returned:
    /// nothing has changed, and nothing does until [`Lanes::accept`].
    pub(super) fn step(&mut self) -> Option<Attempt<L>> {
        widest(Step { lanes: self })
    }

    #[inline(always)]
    fn step_or_attempt(&mut self) -> Option<Attempt<L>> {
        let attempt = self.attempt();
        let mut sound = true;
        for l in 0..L {
            sound &= attempt.sound[l] | (self.h[l] == 0.0);
        }
        if !sound {
            return Some(attempt);
        }
        match self.pace.judge(&self.h, &attempt.error, &attempt.log, &attempt.next) {
            Verdict::All => self.go_on(),
            Verdict::Some(chosen) => self.accept(&chosen),
        }
        None
    }

    #[inline(always)]
    fn attempt(&mut self) -> Attempt<L> {
        if let Some(attempt) = self.compiled_step() {
            return attempt;
        }
        let n = self.n();
        self.trust_all();
        self.k[0][..n].copy_from_slice(&self.desk.now()[self.layout.rates()]);
        macro_rules! stage {
            ($place:expr, $node:literal, $a:ident, $($j:literal)+) => {
                if self.timed {
                    for l in 0..L {
                        self.input[0][l] = self.t[l] + C[$node] * self.h[l];
                    }
                }
                let k = &self.k;
                combine(&mut self.input[1..1 + n], &self.needed, &self.desk.now()[..n], &self.h, [$(&k[$j][..]),+], $a);
                self.evaluate($place);
            };
        }
        stage!(1, 1, A1, 0);
        stage!(2, 2, A2, 0 1);
        stage!(3, 3, A3, 0 2);
        stage!(4, 4, A4, 0 2 3);
        stage!(5, 5, A5, 0 3 4);
        stage!(6, 6, A6, 0 3 4 5);
        stage!(7, 7, A7, 0 3 4 5 6);
        stage!(8, 8, A8, 0 3 4 5 6 7);
        stage!(9, 9, A9, 0 3 4 5 6 7 8);
        stage!(10, 10, A10, 0 3 4 5 6 7 8 9);
        stage!(STAGE_11, 11, A11, 0 3 4 5 6 7 8 9 10);
        let error = self.advance();
        self.input[0] = self.pace.end;
        self.evaluate(END);
        let next = self.desk.parts().next;
        next[self.layout.state()].copy_from_slice(&self.input[1..1 + n]);
        next[self.layout.rates()].copy_from_slice(&self.k[END][..n]);
        let (mut log, mut next) = ([0.0; L], [0.0; L]);
        for l in 0..L {
            [log[l], next[l]] = next_step(self.h[l], error[l], self.pace.log_old()[l]);
        }
        Attempt { error, log, next, sound: self.sound(&[&self.input[1..1 + n], &self.k[END]], &error) }
    }

    /// The same by machine code; `None` where there is none, or not all numbers of all lanes are beyond doubt: who looks at every
    /// evaluation will say which.
    #[inline(always)]
    fn compiled_step(&mut self) -> Option<Attempt<L>> {
        if self.cold && self.tape.is_warm_after(L) {
            self.step_by(StepCode::new::<L>(&self.tape));
        }
        let code = self.code.as_ref()?;
        let Tolerance { relative, absolute } = self.tolerance;
        let given = self.layout.given().start;
        let Parts { now, next, aside } = self.desk.parts();
        now[given] = self.t;
        now[given + 1] = *self.h;
        now[given + 2] = self.pace.end;
        now[given + 3] = [relative; L];
        now[given + 4] = [absolute; L];
        let verdict = self.layout.verdict();
        code.run(now, &mut next[..verdict.end], aside);
        let [error5, error3, growth, finite] = &next[verdict] else { unreachable!("as many as there are") };
        let mut attempt = Attempt { error: [0.0; L], log: [0.0; L], next: [0.0; L], sound: [true; L] };
        let mut doubt = 0;
        for c in 0..L / WIDTH {
            let h = Eight::of(&self.h, c);
            error_of(h, Eight::of(error5, c), Eight::of(error3, c), self.layout.state().len())
                .to(&mut attempt.error, c);
        }
        let log_old = self.pace.log_old();
        for l in 0..L {
            [attempt.log[l], attempt.next[l]] = next_step(self.h[l], attempt.error[l], log_old[l]);
        }
        for l in 0..L {
            // The growths are not negative: each is below the limit if their sum is. Lanes that do nothing are not looked at.
            let trusted = u64::from(growth[l] < GROWTH_LIMIT);
            let finite = u64::from(0.0 * finite[l] + 0.0 * attempt.error[l] == 0.0);
            doubt |= u64::from(self.h[l] != 0.0) & (1 - (trusted & finite));
        }
        (doubt == 0).then_some(attempt)
    }

    /// The new state from the stages, into `input`, and the error relative to the tolerance.
    #[inline(always)]
    fn advance(&mut self) -> [f64; L] {
        let n = self.n();
        let Tolerance { relative, absolute } = self.tolerance;
        let (relative, absolute) = (Eight::all(relative), Eight::all(absolute));
        let mut error = [0.0; L];
        // Slices of one length, taken once: no access is checked again.
        let k: [&[[f64; L]]; 8] = [0, 5, 6, 7, 8, 9, 10, STAGE_11].map(|j| &self.k[j][..n]);
        let Parts { now, next, .. } = self.desk.parts();
        let (y, carry) = (&now[self.layout.state()], &now[self.layout.carry()]);
        let (carry_new, out) = (&mut next[self.layout.carry()], &mut self.input[1..1 + n]);
        for c in 0..L / WIDTH {
            let h = Eight::of(&self.h, c);
            let (mut error5, mut error3) = (Eight::all(0.0), Eight::all(0.0));
            for i in 0..n {
                let (y, carry) = (Eight::of(&y[i], c), Eight::of(&carry[i], c));
                let first = Eight::of(&k[0][i], c);
                let mut sum = A12[0] * first;
                let mut e5 = E5[0] * first;
                for j in 1..8 {
                    let row = Eight::of(&k[j][i], c);
                    sum += A12[j] * row;
                    e5 += E5[j] * row;
                }
                let (middle, last) = (Eight::of(&k[4][i], c), Eight::of(&k[7][i], c));
                let e3 = sum - B3[0] * first - B3[1] * middle - B3[2] * last;
                let change = h * sum + carry;
                let new = y + change;
                (change - (new - y)).to(&mut carry_new[i], c);
                new.to(&mut out[i], c);
                let scale = 1.0 / (absolute + relative * y.abs().max(new.abs()));
                error5 += (e5 * scale) * (e5 * scale);
                error3 += (e3 * scale) * (e3 * scale);
            }
            error_of(h, error5, error3, n).to(&mut error, c);
        }
        error
    }

    /// Moves the lanes with 1 to the end of the step just attempted.
    pub(super) fn accept(&mut self, chosen: &[u64; L]) {
        let before = self.t;
        self.go_on();
        let handed_on = self.layout.rates().end;
        // Some lane or other is refused in most steps, but few at a time: these go back.
        let Parts { now, next, .. } = self.desk.parts();
        for lane in (0..L).filter(|&lane| chosen[lane] == 0) {
            self.t[lane] = before[lane];
            for (to, from) in now[..handed_on].iter_mut().zip(&next[..handed_on]) {
                to[lane] = from[lane];
            }
        }
    }

    #[inline(always)]
    fn go_on(&mut self) {
        self.t = self.pace.end;
        self.desk.turned = !self.desk.turned;
    }
}

/// The error relative to the tolerance, from the sums of squares of both estimates over `n` components.
#[inline(always)]
fn error_of(h: Eight, error5: Eight, error3: Eight, n: usize) -> Eight {
    let denominator = (error5 + 0.01 * error3).if_positive(Eight::all(1.0));
    h.abs() * error5 / (n.max(1) as f64 * denominator).sqrt()
}

/// [`Lanes::propose`], compiled for the widest registers.
struct Propose<'a, const L: usize> {
    lanes: &'a mut Lanes<L>,
    until: f64,
    max_step: f64,
}

impl<const L: usize> Wide for Propose<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Lanes { pace, t, h, .. } = self.lanes;
        pace.propose(t, h, self.until, self.max_step)
    }
}

/// [`Lanes::step`], compiled for the widest registers.
struct Step<'a, const L: usize> {
    lanes: &'a mut Lanes<L>,
}

impl<const L: usize> Wide for Step<'_, L> {
    type Output = Option<Attempt<L>>;

    #[inline(always)]
    fn run(self) -> Option<Attempt<L>> {
        self.lanes.step_or_attempt()
    }
}

/// outᵢ = yᵢ + h Σ aⱼ kⱼᵢ in every lane, for the components that are needed.
#[inline(always)]
fn combine<const S: usize, const L: usize>(
    out: &mut [[f64; L]],
    needed: &[usize],
    y: &[[f64; L]],
    h: &[f64; L],
    k: [&[[f64; L]]; S],
    a: [f64; S],
) {
    // Slices of one length: no access is checked but the first.
    let n = out.len();
    let (y, mut rows) = (&y[..n], k);
    for j in 0..S {
        rows[j] = &k[j][..n];
    }
    for &i in needed.iter().filter(|&&i| i < n) {
        // Sums of so many lanes stay in registers.
        for c in 0..L / WIDTH {
            let mut sum = a[0] * Eight::of(&rows[0][i], c);
            for j in 1..S {
                sum += a[j] * Eight::of(&rows[j][i], c);
            }
            (Eight::of(&y[i], c) + Eight::of(h, c) * sum).to(&mut out[i], c);
        }
    }
}
