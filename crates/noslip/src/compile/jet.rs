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
    /// order + 1 coefficients per series.
    coefficients: Vec<[f64; LANES]>,
    pieces: Vec<Piece<LANES>>,
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
        let stride = order + 1;
        let piece = || Piece {
            polynomial: [[0.0; LANES]; 3],
            square: vec![[0.0; LANES]; stride],
            cube: vec![[0.0; LANES]; stride],
        };
        Ok(Jet {
            tape: self.clone(),
            order,
            coefficients: vec![[0.0; LANES]; stride * expansion.rules.len()],
            pieces: (0..expansion.pieces).map(|_| piece()).collect(),
            rules: expansion.rules,
            series_of,
            inputs: inputs.to_vec(),
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
        for k in 0..=self.order {
            for s in 0..self.rules.len() {
                let coefficient = self.coefficient(s, k, inputs)?;
                self.coefficients[s * (self.order + 1) + k] = coefficient;
            }
            self.check(k)?;
        }
        Ok(())
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

    fn series(&self, s: Series) -> &[[f64; LANES]] {
        &self.coefficients[s * (self.order + 1)..(s + 1) * (self.order + 1)]
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
        let stride = self.order + 1;
        let of = |s: Series| &self.coefficients[s * stride..(s + 1) * stride];
        Ok(match rule {
            Rule::Constant(operation) if k == 0 => self.constant(operation, inputs),
            Rule::Constant(_) => [0.0; LANES],
            Rule::Time(i) | Rule::State(i, _) if k == 0 => inputs[i],
            Rule::Time(_) => [if k == 1 { 1.0 } else { 0.0 }; LANES],
            Rule::State(_, j) => {
                let rate = of(self.series_of[self.tape.outputs()[j].index()])[k - 1];
                let over = 1.0 / k as f64;
                std::array::from_fn(|l| rate[l] * over)
            }
            Rule::Add(a, b) => {
                let (a, b) = (of(a)[k], of(b)[k]);
                std::array::from_fn(|l| a[l] + b[l])
            }
            Rule::Sub(a, b) => {
                let (a, b) = (of(a)[k], of(b)[k]);
                std::array::from_fn(|l| a[l] - b[l])
            }
            Rule::Negate(a) => of(a)[k].map(|x| -x),
            Rule::Scale(a, b) => {
                let (a, b) = (of(a)[0], of(b)[k]);
                std::array::from_fn(|l| a[l] * b[l])
            }
            Rule::Mul(a, b) => convolution(&of(a)[..=k], &of(b)[..=k]),
            Rule::Square(a) => square(&of(a)[..=k]),
            Rule::Div(a, b) => {
                // q·b = a.
                let (a, b, q) = (of(a), of(b), of(s));
                let known = convolution(&q[..k], &b[1..=k]);
                std::array::from_fn(|l| (a[k][l] - known[l]) / b[0][l])
            }
            Rule::Sqrt(a) if k == 0 => of(a)[0].map(f64::sqrt),
            Rule::Sqrt(a) => {
                let (a, r) = (of(a), of(s));
                let known = square(&r[1..k]);
                std::array::from_fn(|l| (a[k][l] - known[l]) / (2.0 * r[0][l]))
            }
            Rule::Integral(f, x, ..) | Rule::Quadrature(f, x, _) if k == 0 => of(x)[0].map(|x| kernel::unary(f, x)),
            Rule::Integral(_, x, g, sign) => {
                // k·F_k = ± Σ j·x_j·g_{k−j}.
                let sum = weighted(&of(x)[1..=k], &of(g)[..k]);
                let over = sign / k as f64;
                sum.map(|x| x * over)
            }
            Rule::Quadrature(_, x, w) => {
                // k·x_k = Σ j·F_j·w_{k−j}.
                let (x, w, f) = (of(x), of(w), of(s));
                let known = weighted(&f[1..k], &w[1..k]);
                std::array::from_fn(|l| (x[k][l] - known[l] / k as f64) / w[0][l])
            }
            Rule::Angle(y, x, _) if k == 0 => {
                let (y, x) = (of(y)[0], of(x)[0]);
                std::array::from_fn(|l| y[l].atan2(x[l]))
            }
            Rule::Angle(y, x, w) => {
                // w·θ' = x·y' − y·x'.
                let (y, x, w, f) = (of(y), of(x), of(w), of(s));
                let (first, second) = (weighted(&y[1..=k], &x[..k]), weighted(&x[1..=k], &y[..k]));
                let known = weighted(&f[1..k], &w[1..k]);
                std::array::from_fn(|l| (first[l] - second[l] - known[l]) / (k as f64 * w[0][l]))
            }
            Rule::Power(x, e) if k == 0 => {
                let (x, e) = (of(x)[0], of(e)[0]);
                std::array::from_fn(|l| x[l].powf(e[l]))
            }
            Rule::Power(x, e) => {
                // x·F' = e·F·x'.
                let (x, e, f) = (of(x), of(e)[0], of(s));
                std::array::from_fn(|l| {
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
                    Rule::Abs(_) => std::array::from_fn(|l| kernel::sign(x[0][l]) * x[k][l]),
                    _ if k == 0 => x[0].map(kernel::sign),
                    _ => [0.0; LANES],
                }
            }
            Rule::Table(..) => [f64::NAN; LANES],
        })
    }

    /// A value that does not change, from its operation; arguments are series.
    fn constant(&self, operation: Operation, inputs: &[[f64; LANES]]) -> [f64; LANES] {
        let at = |v: Value| self.series(v.index())[0];
        match operation {
            Operation::Input(i) => inputs[i as usize],
            Operation::Constant(bits) => [f64::from_bits(bits); LANES],
            Operation::Unary(op, a) => at(a).map(|x| kernel::unary(op, x)),
            Operation::Binary(op, a, b) => {
                let (x, y) = (at(a), at(b));
                std::array::from_fn(|l| kernel::binary(op, x[l], y[l]))
            }
            Operation::Table(table, derivative, a) => {
                let tables = self.tape.program.tables.as_ref();
                at(a).map(|x| tables.map_or(f64::NAN, |t| t.evaluate(table, derivative, x)))
            }
        }
    }

    /// c₀ + c₁δ + c₂δ² + c₃δ³ with δ = x − x₀.
    fn table(&mut self, table: TableId, derivative: u8, x: Series, piece: usize, k: usize) -> Result<[f64; LANES]> {
        let stride = self.order + 1;
        let x = &self.coefficients[x * stride..(x + 1) * stride];
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
        squares[k] = square(&x[1..k]);
        cube[k] = if k >= 2 { convolution(&x[1..k], &squares[1..k]) } else { [0.0; LANES] };
        Ok(std::array::from_fn(|l| {
            polynomial[0][l] * x[k][l] + polynomial[1][l] * squares[k][l] + polynomial[2][l] * cube[k][l]
        }))
    }
}

/// Σ aᵢ·b₍ₙ₋₁₋ᵢ₎ of two lists of equal length. Several running sums, because one would wait for itself.
fn convolution<const LANES: usize>(a: &[[f64; LANES]], b: &[[f64; LANES]]) -> [f64; LANES] {
    let n = a.len().min(b.len());
    let mut sums = [[0.0; LANES]; 4];
    let mut i = 0;
    while i + 4 <= n {
        for (m, sum) in sums.iter_mut().enumerate() {
            let (x, y) = (&a[i + m], &b[n - 1 - i - m]);
            (0..LANES).for_each(|l| sum[l] += x[l] * y[l]);
        }
        i += 4;
    }
    for j in i..n {
        let (x, y) = (&a[j], &b[n - 1 - j]);
        (0..LANES).for_each(|l| sums[0][l] += x[l] * y[l]);
    }
    std::array::from_fn(|l| (sums[0][l] + sums[1][l]) + (sums[2][l] + sums[3][l]))
}

/// Σ aᵢ·a₍ₙ₋₁₋ᵢ₎: half the products of a convolution.
fn square<const LANES: usize>(a: &[[f64; LANES]]) -> [f64; LANES] {
    let n = a.len();
    let mut sum = convolution(&a[..n / 2], &a[n - n / 2..]);
    (0..LANES).for_each(|l| sum[l] *= 2.0);
    if n % 2 == 1 {
        let middle = &a[n / 2];
        (0..LANES).for_each(|l| sum[l] += middle[l] * middle[l]);
    }
    sum
}

/// Σ (i+1)·aᵢ·b₍ₙ₋₁₋ᵢ₎.
fn weighted<const LANES: usize>(a: &[[f64; LANES]], b: &[[f64; LANES]]) -> [f64; LANES] {
    let n = a.len().min(b.len());
    let mut sums = [[0.0; LANES]; 2];
    for i in 0..n {
        let (x, y) = (&a[i], &b[n - 1 - i]);
        let j = (i + 1) as f64;
        (0..LANES).for_each(|l| sums[i % 2][l] += j * x[l] * y[l]);
    }
    std::array::from_fn(|l| sums[0][l] + sums[1][l])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Cubic, Random, random_expressions, symbols};
    use super::*;
    use crate::compile::{CompileOptions, compile};
    use crate::expr::{Arena, Expr, Function, Rational, Role};

    /// Coefficients of one expression of the time at t = `now`.
    fn series(build: impl Fn(&mut Arena, Expr) -> Expr, now: f64, order: usize) -> Vec<f64> {
        let mut arena = Arena::new();
        let time = arena.time();
        let t = arena.symbol(time);
        let e = build(&mut arena, t);
        let options = CompileOptions { tables: Some(std::sync::Arc::new(Cubic)), ..CompileOptions::default() };
        let tape = compile(&arena, &[time], &[e], &options).unwrap();
        let mut jet = tape.jet::<1>(&[JetInput::Time], order).unwrap();
        jet.expand(&[[now]]).unwrap();
        jet.output(0).iter().map(|c| c[0]).collect()
    }

    fn close(got: &[f64], want: &[f64]) {
        for (k, (g, w)) in got.iter().zip(want).enumerate() {
            assert!((g - w).abs() <= 1e-14 * w.abs().max(0.1), "coefficient {k}: {g} and {w}");
        }
    }

    /// Σ over k of (α choose k) tᵏ.
    fn binomial(alpha: f64, n: usize) -> Vec<f64> {
        let mut c = vec![1.0];
        (1..n).for_each(|k| c.push(c[k - 1] * (alpha - k as f64 + 1.0) / k as f64));
        c
    }

    fn call(f: Function) -> impl Fn(&mut Arena, Expr) -> Expr {
        move |arena, t| arena.call(f, t)
    }

    #[test]
    fn functions_have_their_known_series() {
        let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
        let from = |f: &dyn Fn(usize) -> f64| (0..12).map(f).collect::<Vec<f64>>();
        let odd = |k: usize| k % 2 == 1;
        let alternating = |k: usize| if (k / 2) % 2 == 0 { 1.0 } else { -1.0 };
        close(&series(call(Function::Exp), 0.0, 11), &from(&|k| 1.0 / factorial(k)));
        close(
            &series(call(Function::Sin), 0.0, 11),
            &from(&|k| if odd(k) { alternating(k) / factorial(k) } else { 0.0 }),
        );
        close(
            &series(call(Function::Cos), 0.0, 11),
            &from(&|k| if odd(k) { 0.0 } else { alternating(k) / factorial(k) }),
        );
        close(&series(call(Function::Sinh), 0.0, 11), &from(&|k| if odd(k) { 1.0 / factorial(k) } else { 0.0 }));
        close(&series(call(Function::Cosh), 0.0, 11), &from(&|k| if odd(k) { 0.0 } else { 1.0 / factorial(k) }));
        let tan = [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0, 0.0, 62.0 / 2835.0];
        close(&series(call(Function::Tan), 0.0, 9), &tan);
        let tanh: Vec<f64> = tan.iter().enumerate().map(|(k, c)| c * alternating(k)).collect();
        close(&series(call(Function::Tanh), 0.0, 9), &tanh);
        let atan = from(&|k| if odd(k) { alternating(k) / k as f64 } else { 0.0 });
        close(&series(call(Function::Atan), 0.0, 11), &atan);
        close(
            &series(
                |arena, t| {
                    let one = arena.one();
                    arena.atan2(t, one)
                },
                0.0,
                11,
            ),
            &atan,
        );
        let asin = [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0, 5.0 / 112.0, 0.0, 35.0 / 1152.0];
        close(&series(call(Function::Asin), 0.0, 9), &asin);
        let acos: Vec<f64> =
            asin.iter().enumerate().map(|(k, c)| if k == 0 { std::f64::consts::FRAC_PI_2 } else { -c }).collect();
        close(&series(call(Function::Acos), 0.0, 9), &acos);
        let log = from(&|k| if k == 0 { 0.0 } else { if odd(k) { 1.0 / k as f64 } else { -1.0 / k as f64 } });
        close(&series(call(Function::Log), 1.0, 11), &log);
        for (n, d) in [(1, 2), (-1, 2), (1, 3), (-2, 5), (-1, 1), (5, 1), (3, 2), (1, 4), (100, 1)] {
            let exponent = Rational::new(n, d).unwrap();
            close(&series(|arena, t| arena.power(t, &exponent), 1.0, 11), &binomial(n as f64 / d as f64, 12));
        }
        // (1+t)^t = 1 + t² − t³/2 + 5t⁴/6 − 3t⁵/4 + …
        let power = |arena: &mut Arena, t: Expr| {
            let one = arena.one();
            let base = arena.add(one, t);
            arena.pow(base, t)
        };
        close(&series(power, 0.0, 5), &[1.0, 0.0, 1.0, -0.5, 5.0 / 6.0, -0.75]);
        // |t| before and after its corner.
        close(&series(call(Function::Abs), -2.0, 3), &[2.0, -1.0, 0.0, 0.0]);
        close(&series(call(Function::Sign), -2.0, 3), &[-1.0, 0.0, 0.0, 0.0]);
        // The table is x³ − 2x; its argument here is t².
        let table = |arena: &mut Arena, t: Expr| {
            let i = arena.declare_table("i");
            let square = arena.square(t);
            arena.table(i, 0, square)
        };
        close(&series(table, 1.0, 7), &[-1.0, 2.0, 13.0, 20.0, 15.0, 6.0, 1.0, 0.0]);
    }

    #[test]
    fn differential_equations_have_their_known_solutions() {
        // x' = v, v' = −x, z' = 1 + z² from (0, 1, 0): sine, cosine and tangent; two lanes, the second at rest.
        let mut arena = Arena::new();
        let s = symbols(&mut arena, 3);
        let e: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
        let minus = arena.neg(e[0]);
        let square = arena.square(e[2]);
        let one = arena.one();
        let rate = arena.add(square, one);
        let tape = compile(&arena, &s, &[e[1], minus, rate], &CompileOptions::default()).unwrap();
        let roles = [JetInput::State(0), JetInput::State(1), JetInput::State(2)];
        let mut jet = tape.jet::<2>(&roles, 30).unwrap();
        jet.expand(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]).unwrap();
        let mut later = [[0.0; 2]; 3];
        jet.inputs_at(&[0.25, 0.125], &mut later);
        assert!((later[0][0] - 0.25f64.sin()).abs() < 2e-16 && later[0][1] == 0.0);
        assert!((later[1][0] - 0.25f64.cos()).abs() < 2e-16);
        assert!((later[2][0] - 0.25f64.tan()).abs() < 2e-16 && (later[2][1] - 0.125f64.tan()).abs() < 2e-16);
    }

    #[test]
    fn a_series_of_anything_agrees_with_the_tape_a_moment_later() {
        let mut compared = 0;
        for seed in 1..=60 {
            let mut random = Random::new(3000 + seed);
            let mut arena = Arena::new();
            let inputs = symbols(&mut arena, 4);
            let mut roots = random_expressions(&mut arena, &inputs, &mut random, 25);
            let count = roots.len();
            // Inputs move at constant rates, except the last, which stands still.
            roots.extend((0..3).map(|_| arena.fraction(random.below(7) as i64 - 3, 4)));
            let tape = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap();
            let roles =
                [JetInput::State(count), JetInput::State(count + 1), JetInput::State(count + 2), JetInput::Constant];
            let mut jet = tape.jet::<1>(&roles, 14).unwrap();
            let now: Vec<[f64; 1]> = (0..4).map(|_| [random.real(0.2, 1.2)]).collect();
            if jet.expand(&now).is_err() {
                continue;
            }
            let h = 0.01;
            let mut then = vec![[0.0]; 4];
            jet.inputs_at(&[h], &mut then);
            let point: Vec<f64> = then.iter().map(|x| x[0]).collect();
            for (j, want) in tape.evaluate(&point).into_iter().enumerate() {
                let c = jet.output(j);
                let size = c.iter().enumerate().map(|(k, c)| c[0].abs() * h.powi(k as i32)).fold(0.0, f64::max);
                // Only where the series has converged at all.
                if !size.is_finite() || c[14][0].abs() * h.powi(14) > 1e-13 * size {
                    continue;
                }
                let got = c.iter().rev().fold(0.0, |sum, c| sum * h + c[0]);
                compared += 1;
                assert!((got - want).abs() <= 1e-8 * size, "seed {seed}, output {j}: {got} and {want}");
            }
        }
        assert!(compared > 800, "only {compared} values were compared");
    }

    #[test]
    fn functions_without_a_series_are_named() {
        let mut arena = Arena::new();
        let time = arena.time();
        let t = arena.symbol(time);
        let x = arena.declare("x", Role::Parameter);
        let root = arena.sqrt(t);
        let corner = arena.call(Function::Abs, t);
        for (e, word) in [(root, "sqrt(t)"), (corner, "abs")] {
            let tape = compile(&arena, &[time, x], &[e], &CompileOptions::default()).unwrap();
            let mut jet = tape.jet::<1>(&[JetInput::Time, JetInput::Constant], 3).unwrap();
            assert!(jet.expand(&[[1.0], [0.0]]).is_ok());
            let error = jet.expand(&[[0.0], [0.0]]).unwrap_err();
            assert!(error.message.contains(word), "{error}");
        }
    }
}
