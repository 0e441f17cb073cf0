//! Taylor series of any order from a tape: automatic differentiation along the solution of y' = f(t, y).
//!
//! Every value of the tape becomes a power series in time, built up one order at a time: when order k of the state is
//! known, order k of every operation follows from a short recurrence (a convolution for products, quotients and
//! roots; F' = G(x)·x' for functions), and order k of f gives order k+1 of the state. The cost is O(p²) per operation
//! for p orders. Each coefficient has `LANES` lanes, one per trajectory.

use super::kernel;
use super::tape::{Binary, Operation, Tape, Unary, Value};
use crate::error::{Error, Result};
use crate::expr::TableId;
use rustc_hash::FxHashMap;

mod code;

use code::Compiled;

/// What an input of the tape is along a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JetInput {
    /// It does not change.
    Constant,
    /// It is the time.
    Time,
    /// The output of that index is its time derivative.
    State(usize),
}

/// Zeros after each series, so that sums of products run in whole blocks of four.
const PADDING: usize = 3;

/// A power series: its position in the memory of coefficients.
type Series = usize;

/// How the coefficients of one series follow from others.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Computed once, by the operation itself; all higher coefficients are zero.
    Constant(Operation),
    /// The input of that index, which is the time.
    Time(usize),
    /// The input of the first index, whose derivative is the output of the second.
    State(usize, usize),
    Add(Series, Series),
    Sub(Series, Series),
    Negate(Series),
    /// The first is constant.
    Scale(Series, Series),
    Mul(Series, Series),
    Square(Series),
    Div(Series, Series),
    Sqrt(Series),
    /// F' = sign·g·x', F(0) by the function; g may be F itself or a series that comes later.
    Integral(Unary, Series, Series, f64),
    /// F' = x'/w, F(0) by the function.
    Quadrature(Unary, Series, Series),
    /// atan2(y, x), with w = x² + y².
    Angle(Series, Series, Series),
    /// x to a constant power.
    Power(Series, Series),
    /// ± x, by the sign of x now.
    Abs(Series),
    Sign(Series),
    /// A cubic piece of a table at x; the index is that of its own memory.
    Table(TableId, u8, Series, usize),
}

/// Taylor coefficients of the solution of y' = f, where f is a tape.
pub struct Jet<const LANES: usize = 1> {
    tape: Tape,
    order: usize,
    rules: Vec<Rule>,
    /// The series of each value of the tape.
    series_of: Vec<Series>,
    inputs: Vec<JetInput>,
    /// Series that change with time: the others have one coefficient.
    varying: Vec<Series>,
    /// order + 1 coefficients per series, then [`PADDING`] zeros. Coefficients not yet known are zero as far as a sum
    /// in blocks of four can see them.
    coefficients: Vec<[f64; LANES]>,
    /// The same backwards, so that a convolution is a scalar product of two runs of memory.
    backwards: Vec<[f64; LANES]>,
    /// 1, 2, 3, …
    ramp: Vec<f64>,
    pieces: Vec<Piece<LANES>>,
    compiled: Compiled,
}

/// A table's cubic at the present argument, and the powers of what the argument adds to it.
struct Piece<const LANES: usize> {
    polynomial: [[f64; LANES]; 3],
    square: Vec<[f64; LANES]>,
    cube: Vec<[f64; LANES]>,
}

impl Tape {
    /// Prepares Taylor series up to the given order. `inputs` says what each input is.
    pub fn jet<const LANES: usize>(&self, inputs: &[JetInput], order: usize) -> Result<Jet<LANES>> {
        if inputs.len() != self.input_count() {
            return Err(Error::input(format!(
                "{} inputs described, the tape has {}",
                inputs.len(),
                self.input_count()
            )));
        }
        if let Some(j) = inputs.iter().find_map(|i| match i {
            JetInput::State(j) if *j >= self.output_count() => Some(j),
            _ => None,
        }) {
            return Err(Error::input(format!("output {j} of {} given as a derivative", self.output_count())));
        }
        let mut expansion =
            Expansion { rules: Vec::new(), constant: Vec::new(), pairs: FxHashMap::default(), pieces: 0 };
        let mut series_of: Vec<Series> = Vec::with_capacity(self.operations().len());
        for &operation in self.operations() {
            let series = expansion.operation(operation, inputs, &series_of);
            series_of.push(series);
        }
        let stride = order + 1 + PADDING;
        let piece = || Piece {
            polynomial: [[0.0; LANES]; 3],
            square: vec![[0.0; LANES]; order + 1],
            cube: vec![[0.0; LANES]; order + 1],
        };
        Ok(Jet {
            tape: self.clone(),
            order,
            coefficients: vec![[0.0; LANES]; stride * expansion.rules.len()],
            backwards: vec![[0.0; LANES]; stride * expansion.rules.len()],
            ramp: (1..=stride.next_multiple_of(4)).map(|j| j as f64).collect(),
            varying: (0..expansion.rules.len()).filter(|s| !expansion.constant[*s]).collect(),
            pieces: (0..expansion.pieces).map(|_| piece()).collect(),
            rules: expansion.rules,
            series_of,
            inputs: inputs.to_vec(),
            compiled: Compiled::not_yet(),
        })
    }
}

/// Turns operations into rules, with the auxiliary series they need.
struct Expansion {
    rules: Vec<Rule>,
    constant: Vec<bool>,
    /// Sine and cosine (hyperbolic ones too) of one argument need each other.
    pairs: FxHashMap<(bool, Series), (Series, Series)>,
    pieces: usize,
}

impl Expansion {
    fn push(&mut self, rule: Rule, constant: bool) -> Series {
        self.rules.push(rule);
        self.constant.push(constant);
        self.rules.len() - 1
    }

    fn varying(&mut self, rule: Rule) -> Series {
        self.push(rule, false)
    }

    fn number(&mut self, x: f64) -> Series {
        self.push(Rule::Constant(Operation::Constant(x.to_bits())), true)
    }

    fn operation(&mut self, operation: Operation, inputs: &[JetInput], series_of: &[Series]) -> Series {
        let at = |v: Value| series_of[v.index()];
        let mut constant = true;
        operation.for_each_argument(|a| constant &= self.constant[at(a)]);
        let moving = |i: u32| inputs[i as usize] != JetInput::Constant;
        match operation {
            Operation::Input(i) if moving(i) => match inputs[i as usize] {
                JetInput::State(j) => self.varying(Rule::State(i as usize, j)),
                _ => self.varying(Rule::Time(i as usize)),
            },
            _ if constant => {
                // Arguments are named by their series from here on.
                let series = |v: Value| Value(at(v) as u32);
                let operation = match operation {
                    Operation::Unary(op, a) => Operation::Unary(op, series(a)),
                    Operation::Binary(op, a, b) => Operation::Binary(op, series(a), series(b)),
                    Operation::Table(t, d, a) => Operation::Table(t, d, series(a)),
                    leaf => leaf,
                };
                self.push(Rule::Constant(operation), true)
            }
            Operation::Input(_) | Operation::Constant(_) => self.push(Rule::Constant(operation), true),
            Operation::Unary(op, a) => self.unary(op, at(a)),
            Operation::Binary(op, a, b) => self.binary(op, at(a), at(b)),
            Operation::Table(table, derivative, a) => {
                self.pieces += 1;
                self.varying(Rule::Table(table, derivative, at(a), self.pieces - 1))
            }
        }
    }

    fn unary(&mut self, op: Unary, x: Series) -> Series {
        match op {
            Unary::Negate => self.varying(Rule::Negate(x)),
            Unary::Sqrt => self.varying(Rule::Sqrt(x)),
            Unary::Sin | Unary::Cos | Unary::Sinh | Unary::Cosh => {
                let circular = matches!(op, Unary::Sin | Unary::Cos);
                let pair = self.pairs.get(&(circular, x)).copied().unwrap_or_else(|| {
                    let (first, second, sign) =
                        if circular { (Unary::Sin, Unary::Cos, -1.0) } else { (Unary::Sinh, Unary::Cosh, 1.0) };
                    let next = self.rules.len();
                    self.varying(Rule::Integral(first, x, next + 1, 1.0));
                    self.varying(Rule::Integral(second, x, next, sign));
                    self.pairs.insert((circular, x), (next, next + 1));
                    (next, next + 1)
                });
                if matches!(op, Unary::Sin | Unary::Sinh) { pair.0 } else { pair.1 }
            }
            Unary::Exp => {
                let own = self.rules.len();
                self.varying(Rule::Integral(op, x, own, 1.0))
            }
            Unary::Tanh => {
                // tanh' = 1 − tanh², the square one order behind.
                let own = self.rules.len();
                self.varying(Rule::Integral(op, x, own + 3, 1.0));
                let square = self.varying(Rule::Square(own));
                let one = self.number(1.0);
                self.varying(Rule::Sub(one, square));
                own
            }
            Unary::Log => self.varying(Rule::Quadrature(op, x, x)),
            Unary::Atan => {
                let square = self.varying(Rule::Square(x));
                let one = self.number(1.0);
                let below = self.varying(Rule::Add(one, square));
                self.varying(Rule::Quadrature(op, x, below))
            }
            Unary::Asin | Unary::Acos => {
                let square = self.varying(Rule::Square(x));
                let one = self.number(1.0);
                let rest = self.varying(Rule::Sub(one, square));
                let mut below = self.varying(Rule::Sqrt(rest));
                if op == Unary::Acos {
                    below = self.varying(Rule::Negate(below));
                }
                self.varying(Rule::Quadrature(op, x, below))
            }
            Unary::Abs => self.varying(Rule::Abs(x)),
            Unary::Sign => self.varying(Rule::Sign(x)),
        }
    }

    fn binary(&mut self, op: Binary, a: Series, b: Series) -> Series {
        let rule = match op {
            Binary::Add => Rule::Add(a, b),
            Binary::Sub => Rule::Sub(a, b),
            Binary::Mul if a == b => Rule::Square(a),
            Binary::Mul if self.constant[a] => Rule::Scale(a, b),
            Binary::Mul if self.constant[b] => Rule::Scale(b, a),
            Binary::Mul => Rule::Mul(a, b),
            Binary::Div => Rule::Div(a, b),
            Binary::Power if self.constant[b] => Rule::Power(a, b),
            Binary::Power => {
                // aᵇ = exp(b·log a).
                let log = self.unary(Unary::Log, a);
                let exponent = self.binary(Binary::Mul, b, log);
                return self.unary(Unary::Exp, exponent);
            }
            Binary::Atan2 => {
                let (yy, xx) = (self.varying(Rule::Square(a)), self.varying(Rule::Square(b)));
                let below = self.varying(Rule::Add(xx, yy));
                Rule::Angle(a, b, below)
            }
        };
        self.varying(rule)
    }
}

impl<const LANES: usize> Jet<LANES> {
    /// The highest order.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Computes all coefficients at the given inputs (for a state, its value now).
    ///
    /// Where a function has no series (a root of zero, an absolute value at its corner) the error names it. Tables are
    /// taken by their piece at the present argument: a step of the solution must not cross the end of a piece.
    pub fn expand(&mut self, inputs: &[[f64; LANES]]) -> Result<()> {
        if inputs.len() != self.inputs.len() {
            return Err(Error::input(format!("{} numbers for {} inputs", inputs.len(), self.inputs.len())));
        }
        if self.expand_by_code(inputs) {
            return Ok(());
        }
        for s in 0..self.rules.len() {
            self.advance(s, 0, inputs)?;
        }
        self.check(0)?;
        for k in 1..=self.order {
            for i in 0..self.varying.len() {
                self.advance(self.varying[i], k, inputs)?;
            }
            self.check(k)?;
        }
        Ok(())
    }

    #[inline]
    fn advance(&mut self, s: Series, k: usize, inputs: &[[f64; LANES]]) -> Result<()> {
        let coefficient = self.coefficient(s, k, inputs)?;
        let start = s * self.stride();
        // No library call here: it would not be inlined without link-time optimisation.
        let place = &mut self.coefficients[start + k..start + k + 1 + PADDING];
        place[0] = coefficient;
        place[1] = [0.0; LANES];
        place[2] = [0.0; LANES];
        place[3] = [0.0; LANES];
        self.backwards[start + self.order - k] = coefficient;
        Ok(())
    }

    #[inline(always)]
    fn stride(&self) -> usize {
        self.order + 1 + PADDING
    }

    /// The coefficients of an input's series.
    pub fn input(&self, i: usize) -> &[[f64; LANES]] {
        self.series(self.series_of[i])
    }

    /// The coefficients of an output's series.
    pub fn output(&self, j: usize) -> &[[f64; LANES]] {
        self.series(self.series_of[self.tape.outputs()[j].index()])
    }

    /// All inputs a time h later, by their polynomials.
    pub fn inputs_at(&self, h: &[f64; LANES], inputs: &mut [[f64; LANES]]) {
        for (i, value) in inputs.iter_mut().enumerate().take(self.inputs.len()) {
            let mut sum = [0.0; LANES];
            for c in self.input(i).iter().rev() {
                (0..LANES).for_each(|l| sum[l] = sum[l] * h[l] + c[l]);
            }
            *value = sum;
        }
    }

    #[inline(always)]
    fn series(&self, s: Series) -> &[[f64; LANES]] {
        &self.coefficients[s * self.stride()..s * self.stride() + self.order + 1]
    }

    /// Order k must be finite everywhere; otherwise say where it was not first.
    fn check(&self, k: usize) -> Result<()> {
        let outputs = self.tape.outputs().iter();
        if outputs.clone().all(|v| self.series(self.series_of[v.index()])[k].iter().all(|x| x.is_finite())) {
            return Ok(());
        }
        let bad = |v: &usize| !self.series(self.series_of[*v])[k].iter().all(|x| x.is_finite());
        let first = (0..self.series_of.len()).find(bad).unwrap_or_default();
        let what = self.tape.formula(Value(first as u32));
        Err(Error::computation(if k == 0 {
            format!("`{what}` is not finite")
        } else {
            format!("`{what}` has no Taylor series here: its coefficient {k} is not finite")
        }))
    }

    fn coefficient(&mut self, s: Series, k: usize, inputs: &[[f64; LANES]]) -> Result<[f64; LANES]> {
        let rule = self.rules[s];
        if let Rule::Table(table, derivative, x, piece) = rule {
            return self.table(table, derivative, x, piece, k);
        }
        let of = |s: Series| self.series(s);
        Ok(match rule {
            Rule::Constant(operation) if k == 0 => self.constant(operation, inputs),
            Rule::Constant(_) => [0.0; LANES],
            Rule::Time(i) | Rule::State(i, _) if k == 0 => inputs[i],
            Rule::Time(_) => [if k == 1 { 1.0 } else { 0.0 }; LANES],
            Rule::State(_, j) => {
                let rate = of(self.series_of[self.tape.outputs()[j].index()])[k - 1];
                let over = 1.0 / k as f64;
                lanes(|l| rate[l] * over)
            }
            Rule::Add(a, b) => {
                let (a, b) = (of(a)[k], of(b)[k]);
                lanes(|l| a[l] + b[l])
            }
            Rule::Sub(a, b) => {
                let (a, b) = (of(a)[k], of(b)[k]);
                lanes(|l| a[l] - b[l])
            }
            Rule::Negate(a) => each(&of(a)[k], |x| -x),
            Rule::Scale(a, b) => {
                let (a, b) = (of(a)[0], of(b)[k]);
                lanes(|l| a[l] * b[l])
            }
            Rule::Mul(a, b) => self.products(a, 0, b, k, k + 1),
            Rule::Square(a) => self.products(a, 0, a, k, k + 1),
            Rule::Div(a, b) => {
                // q·b = a.
                let (a, over) = (of(a)[k], of(b)[0]);
                let known = self.products(s, 0, b, k, k);
                lanes(|l| (a[l] - known[l]) / over[l])
            }
            Rule::Sqrt(a) if k == 0 => each(&of(a)[0], f64::sqrt),
            Rule::Sqrt(a) => {
                let (a, r) = (of(a), of(s));
                let known = self.products(s, 1, s, k - 1, k - 1);
                lanes(|l| (a[k][l] - known[l]) / (2.0 * r[0][l]))
            }
            Rule::Integral(f, x, ..) | Rule::Quadrature(f, x, _) if k == 0 => each(&of(x)[0], |x| kernel::unary(f, x)),
            Rule::Integral(_, x, g, sign) => {
                // k·F_k = ± Σ j·x_j·g_{k−j}.
                let sum = self.weighted(x, g, k - 1, k);
                let over = sign / k as f64;
                each(&sum, |x| x * over)
            }
            Rule::Quadrature(_, x, w) => {
                // k·x_k = Σ j·F_j·w_{k−j}.
                let (x, over) = (of(x), of(w)[0]);
                let known = self.weighted(s, w, k - 1, k - 1);
                lanes(|l| (x[k][l] - known[l] / k as f64) / over[l])
            }
            Rule::Angle(y, x, _) if k == 0 => {
                let (y, x) = (of(y)[0], of(x)[0]);
                lanes(|l| libm::atan2(y[l], x[l]))
            }
            Rule::Angle(y, x, w) => {
                // w·θ' = x·y' − y·x'.
                let (first, second) = (self.weighted(y, x, k - 1, k), self.weighted(x, y, k - 1, k));
                let known = self.weighted(s, w, k - 1, k - 1);
                let w = of(w)[0];
                lanes(|l| (first[l] - second[l] - known[l]) / (k as f64 * w[l]))
            }
            Rule::Power(x, e) if k == 0 => {
                let (x, e) = (of(x)[0], of(e)[0]);
                lanes(|l| libm::pow(x[l], e[l]))
            }
            Rule::Power(x, e) => {
                // x·F' = e·F·x'.
                let (x, e, f) = (of(x), of(e)[0], of(s));
                lanes(|l| {
                    let sum: f64 = (1..=k).map(|j| (e[l] * j as f64 - (k - j) as f64) * x[j][l] * f[k - j][l]).sum();
                    sum / (k as f64 * x[0][l])
                })
            }
            Rule::Abs(x) | Rule::Sign(x) => {
                let x = of(x);
                if k == 0 && self.order > 0 && x[0].contains(&0.0) {
                    let name = if matches!(rule, Rule::Abs(_)) { "abs" } else { "sign" };
                    return Err(Error::computation(format!(
                        "`{name}` has no Taylor series where its argument is zero"
                    ))
                    .hint("the method taylor cannot pass this state; use dop853"));
                }
                match rule {
                    Rule::Abs(_) => lanes(|l| kernel::sign(x[0][l]) * x[k][l]),
                    _ if k == 0 => each(&x[0], kernel::sign),
                    _ => [0.0; LANES],
                }
            }
            Rule::Table(..) => [f64::NAN; LANES],
        })
    }

    /// The two runs of memory of a sum Σ a₍from+i₎·b₍top−i₎ over i < count, in whole blocks of four: what is too much is
    /// zero in one of them, because it is not known yet or lies before the beginning.
    #[inline(always)]
    fn runs(&self, a: Series, from: usize, b: Series, top: usize, count: usize) -> [&[[f64; LANES]]; 2] {
        let length = count.next_multiple_of(4);
        let forwards = a * self.stride() + from;
        let backwards = b * self.stride() + self.order - top;
        [&self.coefficients[forwards..forwards + length], &self.backwards[backwards..backwards + length]]
    }

    /// Σ a₍from+i₎·b₍top−i₎ over i < count.
    #[inline(always)]
    fn products(&self, a: Series, from: usize, b: Series, top: usize, count: usize) -> [f64; LANES] {
        let [a, b] = self.runs(a, from, b, top, count);
        blocks(a, b, |_, x, y| x * y)
    }

    /// Σ (i+1)·a₍1+i₎·b₍top−i₎ over i < count.
    #[inline(always)]
    fn weighted(&self, a: Series, b: Series, top: usize, count: usize) -> [f64; LANES] {
        let [a, b] = self.runs(a, 1, b, top, count);
        let ramp = &self.ramp[..a.len()];
        blocks(a, b, |i, x, y| ramp[i] * x * y)
    }

    /// A value that does not change, from its operation; arguments are series.
    fn constant(&self, operation: Operation, inputs: &[[f64; LANES]]) -> [f64; LANES] {
        let at = |v: Value| self.series(v.index())[0];
        match operation {
            Operation::Input(i) => inputs[i as usize],
            Operation::Constant(bits) => [f64::from_bits(bits); LANES],
            Operation::Unary(op, a) => each(&at(a), |x| kernel::unary(op, x)),
            Operation::Binary(op, a, b) => {
                let (x, y) = (at(a), at(b));
                lanes(|l| kernel::binary(op, x[l], y[l]))
            }
            Operation::Table(table, derivative, a) => {
                let tables = self.tape.program.tables.as_ref();
                at(a).map(|x| tables.map_or(f64::NAN, |t| t.evaluate(table, derivative, x)))
            }
        }
    }

    /// c₀ + c₁δ + c₂δ² + c₃δ³ with δ = x − x₀.
    fn table(&mut self, table: TableId, derivative: u8, x: Series, piece: usize, k: usize) -> Result<[f64; LANES]> {
        let stride = self.stride();
        let x = &self.coefficients[x * stride..x * stride + self.order + 1];
        let Piece { polynomial, square: squares, cube } = &mut self.pieces[piece];
        if k == 0 {
            let tables = self.tape.program.tables.as_ref();
            let value = |d: u8, x: f64| tables.map_or(f64::NAN, |t| t.evaluate(table, d, x));
            for (m, over) in [(1u8, 1.0), (2, 0.5), (3, 1.0 / 6.0)] {
                let d = derivative.saturating_add(m);
                polynomial[usize::from(m) - 1] = x[0].map(|x| if d <= 3 { value(d, x) * over } else { 0.0 });
            }
            squares[0] = [0.0; LANES];
            cube[0] = [0.0; LANES];
            return Ok(x[0].map(|x| value(derivative, x)));
        }
        // Tables are rare: the sums are written as they are.
        let convolution = |a: &[[f64; LANES]], b: &[[f64; LANES]]| -> [f64; LANES] {
            lanes(|l| a.iter().zip(b.iter().rev()).map(|(x, y)| x[l] * y[l]).sum())
        };
        squares[k] = convolution(&x[1..k], &x[1..k]);
        cube[k] = convolution(&x[1..k], &squares[1..k]);
        Ok(lanes(|l| polynomial[0][l] * x[k][l] + polynomial[1][l] * squares[k][l] + polynomial[2][l] * cube[k][l]))
    }
}

/// Σ f(i, aᵢ, bᵢ) in blocks of four. Several running sums, because one would wait for itself: four of single lanes, which
/// are vectors then, two of wider ones.
#[inline(always)]
fn blocks<const LANES: usize>(
    a: &[[f64; LANES]],
    b: &[[f64; LANES]],
    f: impl Fn(usize, f64, f64) -> f64,
) -> [f64; LANES] {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [[0.0; LANES]; 4];
    let mut i = 0;
    while i + 4 <= n {
        for m in 0..4 {
            let sum = &mut sums[if LANES == 1 { m } else { m % 2 }];
            for (l, sum) in sum.iter_mut().enumerate() {
                *sum += f(i + m, a[i + m][l], b[i + m][l]);
            }
        }
        i += 4;
    }
    lanes(|l| (sums[0][l] + sums[2][l]) + (sums[1][l] + sums[3][l]))
}

/// One value per lane. (`std::array::from_fn` and `map` are not inlined without link-time optimisation; this is.)
#[inline(always)]
fn lanes<const LANES: usize>(f: impl Fn(usize) -> f64) -> [f64; LANES] {
    let mut values = [0.0; LANES];
    for (lane, value) in values.iter_mut().enumerate() {
        *value = f(lane);
    }
    values
}

/// The function of each lane.
#[inline(always)]
fn each<const LANES: usize>(x: &[f64; LANES], f: impl Fn(f64) -> f64) -> [f64; LANES] {
    lanes(|l| f(x[l]))
}

#[cfg(test)]
mod tests;
