//! A whole step of DOP853 as one program: twelve evaluations of the right-hand side with the sums between them, the new state and its
//! error. Between two stages nothing passes through memory that need not, and what no later stage reads is not computed: the rates of
//! coordinates that nothing depends on are wanted at the stages that make up the new state alone.
//!
//! Every sum has the order of its terms in [`Lanes`](super::ensemble_lanes::Lanes), so the numbers are the same to the last bit.

use super::dop853_tableau::*;
use crate::compile::Tape;
use noslip_native::{Binary, Composer, Place, Program, Rows, Unary};
use std::sync::Arc;

/// Operations of a step beyond which its code is no longer kept together: it would not fit the caches of instructions.
const LONGEST: usize = 30_000;
/// Components whose sums are made side by side: they stay in registers, and a coefficient is loaded once for all of them.
const STAGE_SUMS: usize = 6;
const LAST_SUMS: usize = 3;

/// Stages 1 to 11: the coefficients, and the stages they belong to.
const STAGES: [(&[f64], &[usize]); 11] = [
    (&A1, &[0]),
    (&A2, &[0, 1]),
    (&A3, &[0, 2]),
    (&A4, &[0, 2, 3]),
    (&A5, &[0, 3, 4]),
    (&A6, &[0, 3, 4, 5]),
    (&A7, &[0, 3, 4, 5, 6]),
    (&A8, &[0, 3, 4, 5, 6, 7]),
    (&A9, &[0, 3, 4, 5, 6, 7, 8]),
    (&A10, &[0, 3, 4, 5, 6, 7, 8, 9]),
    (&A11, &[0, 3, 4, 5, 6, 7, 8, 9, 10]),
];
/// Stages of the new state and of the error of order 5.
const LAST: [usize; 8] = [0, 5, 6, 7, 8, 9, 10, 11];

/// Where things stand among the inputs and outputs of a step for a state of `n` components.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    n: usize,
}

impl Layout {
    #[inline(always)]
    pub(super) fn new(n: usize) -> Layout {
        Layout { n }
    }

    /// State, what rounding cut off, rates: first of both, and the only ones that a step hands on to the next.
    #[inline(always)]
    pub(super) fn state(self) -> std::ops::Range<usize> {
        0..self.n
    }

    #[inline(always)]
    pub(super) fn carry(self) -> std::ops::Range<usize> {
        self.n..2 * self.n
    }

    #[inline(always)]
    pub(super) fn rates(self) -> std::ops::Range<usize> {
        2 * self.n..3 * self.n
    }

    /// Input: time, length, end, relative and absolute tolerance. The open parameters follow.
    #[inline(always)]
    pub(super) fn given(self) -> std::ops::Range<usize> {
        3 * self.n..3 * self.n + 5
    }

    #[inline(always)]
    pub(super) fn parameters(self) -> usize {
        self.given().end
    }

    /// Output: the sums of squares of both errors, the sum of the growths of all evaluations, the sum of all that must be finite.
    #[inline(always)]
    pub(super) fn verdict(self) -> std::ops::Range<usize> {
        3 * self.n..3 * self.n + 4
    }
}

/// The step as machine code for `L` lanes.
pub(super) struct StepCode {
    code: Arc<Rows>,
}

impl StepCode {
    /// `None` where there is no machine code for this tape (t, y, parameters) → y′, growth.
    pub(super) fn new<const L: usize>(tape: &Tape) -> Option<StepCode> {
        StepCode::made::<L>(tape, Rows::compile::<L>)
    }

    /// The same by a compiler of one's choice, unless the tape has been asked for so many lanes before.
    pub(super) fn made<const L: usize>(tape: &Tape, compile: fn(&Program) -> Option<Rows>) -> Option<StepCode> {
        let n = tape.output_count() - 1;
        let needed: Vec<usize> = (0..n).filter(|&i| tape.uses_input(1 + i)).collect();
        let code = tape.native_step::<L>(|rates| {
            let program = Step::new(&rates, n, &needed).program();
            if program.steps.len() > LONGEST { None } else { compile(&program) }
        })?;
        Some(StepCode { code })
    }

    /// How many numbers it puts aside.
    pub(super) fn memory(&self) -> usize {
        self.code.memory()
    }

    #[inline(always)]
    pub(super) fn run<const L: usize>(&self, inputs: &[[f64; L]], outputs: &mut [[f64; L]], aside: &mut [[f64; L]]) {
        self.code.run(inputs, outputs, aside.as_flattened_mut());
    }
}

/// The program in the making.
struct Step<'a> {
    rates: &'a Program,
    /// Components that rates depend on.
    needed: &'a [usize],
    n: usize,
    c: Composer,
    y: Vec<Place>,
    t: Place,
    h: Place,
    parameters: Vec<Place>,
    /// Rates of the stages.
    k: Vec<Vec<Place>>,
    growth: Place,
}

impl<'a> Step<'a> {
    fn new(rates: &'a Program, n: usize, needed: &'a [usize]) -> Step<'a> {
        let layout = Layout::new(n);
        let open = rates.input_count - 1 - n;
        let mut c = Composer::new(layout.parameters() + open, rates.sin_cos);
        let y = layout.state().map(|i| c.input(i)).collect();
        let first = layout.rates().map(|i| c.input(i)).collect();
        let given = layout.given().start;
        let (t, h) = (c.input(given), c.input(given + 1));
        let parameters = (0..open).map(|i| c.input(layout.parameters() + i)).collect();
        let growth = c.constant(0.0);
        Step { rates, needed, n, y, t, h, parameters, k: vec![first], growth, c }
    }

    fn program(mut self) -> Program {
        for (stage, (a, of)) in STAGES.into_iter().enumerate() {
            let node = self.c.constant(C[stage + 1]);
            let later = self.c.binary(Binary::Mul, node, self.h);
            let t = self.c.binary(Binary::Add, self.t, later);
            let state = self.stage(a, of);
            self.evaluate(t, &state);
        }
        let layout = Layout::new(self.n);
        let (new, carry, [error5, error3]) = self.advance();
        let end = self.c.input(layout.given().start + 2);
        self.evaluate(end, &new);
        let mut outputs = new;
        outputs.extend(carry);
        outputs.extend(&self.k[12]);
        // A sum is finite only if all its terms are.
        let finite = self.sum(&[&outputs[..self.n], &outputs[2 * self.n..]].concat());
        outputs.extend([error5, error3, self.growth, finite]);
        self.c.finish(&outputs)
    }

    fn evaluate(&mut self, t: Place, state: &[Place]) {
        let inputs: Vec<Place> = [&[t], state, &self.parameters].concat();
        let mut rates = self.c.part(self.rates, &inputs);
        let growth = rates.pop().expect("a tape with growth");
        self.growth = self.c.binary(Binary::Add, self.growth, growth);
        self.k.push(rates);
    }

    /// y + h Σ aⱼ kⱼ; other components than the needed stay where they are, for nobody reads them.
    fn stage(&mut self, a: &[f64], of: &[usize]) -> Vec<Place> {
        let mut state = self.y.clone();
        for group in self.needed.chunks(STAGE_SUMS) {
            let sums = self.sums(&[a], of, group);
            let steps: Vec<Place> = sums[0].iter().map(|&sum| self.c.binary(Binary::Mul, self.h, sum)).collect();
            for (&i, step) in group.iter().zip(steps) {
                state[i] = self.c.binary(Binary::Add, self.y[i], step);
            }
        }
        state
    }

    /// Σ aⱼ kⱼᵢ of each of these rows of coefficients, for the components of a group.
    fn sums(&mut self, rows: &[&[f64]], of: &[usize], group: &[usize]) -> Vec<Vec<Place>> {
        let mut sums: Vec<Vec<Place>> = vec![Vec::new(); rows.len()];
        for (term, &stage) in of.iter().enumerate() {
            for (row, sums) in rows.iter().zip(&mut sums) {
                let a = self.c.constant(row[term]);
                for (at, &i) in group.iter().enumerate() {
                    let product = self.c.binary(Binary::Mul, a, self.k[stage][i]);
                    match sums.get(at) {
                        None => sums.push(product),
                        Some(&sum) => sums[at] = self.c.binary(Binary::Add, sum, product),
                    }
                }
            }
        }
        sums
    }

    /// The new state, what rounding cut off, and the sums of squares of the errors of order 5 and 3.
    fn advance(&mut self) -> (Vec<Place>, Vec<Place>, [Place; 2]) {
        let (mut new, mut carry) = (Vec::new(), Vec::new());
        let mut squares = [Vec::new(), Vec::new()];
        let all: Vec<usize> = (0..self.n).collect();
        for group in all.chunks(LAST_SUMS) {
            let sums = self.sums(&[&A12, &E5], &LAST, group);
            for (at, &i) in group.iter().enumerate() {
                let (sum, e5) = (sums[0][at], sums[1][at]);
                let e3 = self.third_order(sum, i);
                let (end, cut) = self.end(sum, i);
                let scale = self.scale(i, end);
                for (e, squares) in [e5, e3].into_iter().zip(&mut squares) {
                    let e = self.c.binary(Binary::Mul, e, scale);
                    squares.push(self.c.binary(Binary::Mul, e, e));
                }
                new.push(end);
                carry.push(cut);
            }
        }
        let errors = squares.map(|squares| self.sum(&squares));
        (new, carry, errors)
    }

    /// The difference to the method of order 3.
    fn third_order(&mut self, sum: Place, i: usize) -> Place {
        B3.into_iter().zip([0, 8, 11]).fold(sum, |e3, (b, stage)| {
            let b = self.c.constant(b);
            let term = self.c.binary(Binary::Mul, b, self.k[stage][i]);
            self.c.binary(Binary::Sub, e3, term)
        })
    }

    /// A component at the end of the step, and what rounding cut off.
    fn end(&mut self, sum: Place, i: usize) -> (Place, Place) {
        let (y, carry) = (self.y[i], self.c.input(Layout::new(self.n).carry().start + i));
        let step = self.c.binary(Binary::Mul, self.h, sum);
        let change = self.c.binary(Binary::Add, step, carry);
        let new = self.c.binary(Binary::Add, y, change);
        let done = self.c.binary(Binary::Sub, new, y);
        (new, self.c.binary(Binary::Sub, change, done))
    }

    /// One over the error that is tolerated.
    fn scale(&mut self, i: usize, new: Place) -> Place {
        let given = Layout::new(self.n).given().start;
        let (relative, absolute) = (self.c.input(given + 3), self.c.input(given + 4));
        let [before, after] = [self.y[i], new].map(|x| self.c.unary(Unary::Abs, x));
        let size = self.c.binary(Binary::Max, before, after);
        let size = self.c.binary(Binary::Mul, relative, size);
        let tolerated = self.c.binary(Binary::Add, absolute, size);
        let one = self.c.constant(1.0);
        self.c.binary(Binary::Div, one, tolerated)
    }

    /// The sum, in the order of its terms.
    fn sum(&mut self, terms: &[Place]) -> Place {
        let zero = self.c.constant(0.0);
        terms.iter().copied().reduce(|sum, x| self.c.binary(Binary::Add, sum, x)).unwrap_or(zero)
    }
}
