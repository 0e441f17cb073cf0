//! Series as machine code: the rules written out for every order, one operation after the other.
//!
//! Sums are formed in the order of the interpreter, so the coefficients are its own to the last bit. It begins its sums with zero; here
//! zero is added in the end, which is the same: either way a sum of zeros is +0. Products with coefficients that are
//! always zero are left out, because they change no sum. Rules of functions that are calls anyway are left to the interpreter, and so is a
//! tape that contains one.

use super::{Jet, Rule, Series};
use crate::compile::native::sin_cos;
use crate::compile::tape::{self, Operation, Value};
use noslip_native::{Binary, Native, Program, Rows, Step, Unary};
use rustc_hash::FxHashMap;

/// Expansions after which compiling pays: it costs about as much as so many of them.
const WARM: u32 = 1000;
/// Steps beyond which nothing is compiled: code has to be read as well.
const LONGEST: usize = 200_000;

/// Machine code for the series of one state or of many.
enum Code {
    One(Native),
    Many(Rows),
}

/// Where machine code stands.
pub(super) struct Compiled {
    /// Expansions until it is made; none is ever made where this is nothing.
    pub cold: Option<u32>,
    code: Option<Code>,
    aside: Vec<f64>,
}

impl Compiled {
    pub(super) fn not_yet() -> Compiled {
        Compiled { cold: Some(WARM), code: None, aside: Vec::new() }
    }
}

impl<const LANES: usize> Jet<LANES> {
    /// Compiles it now, if that can be done.
    pub fn compile(&mut self) -> bool {
        self.compiled.cold = None;
        let Some(program) = Unrolled::program(self) else { return false };
        self.compiled.code = match LANES {
            1 => Native::compile(&program).map(Code::One),
            _ => Rows::compile::<LANES>(&program).map(Code::Many),
        };
        let memory = match &self.compiled.code {
            Some(Code::One(code)) => code.memory(),
            Some(Code::Many(code)) => code.memory(),
            None => 0,
        };
        self.compiled.aside = vec![0.0; memory];
        self.compiled.code.is_some()
    }

    /// A jet that only interprets.
    pub fn interpreted(mut self) -> Self {
        self.compiled.cold = None;
        self
    }

    /// Computes the series of inputs and outputs by machine code; false where there is none, or something is not finite.
    pub(super) fn expand_by_code(&mut self, inputs: &[[f64; LANES]]) -> bool {
        match &mut self.compiled.cold {
            None => {}
            Some(0) => {
                self.compile();
            }
            Some(left) => *left -= 1,
        }
        let aside = &mut self.compiled.aside;
        match &self.compiled.code {
            None => return false,
            Some(Code::One(code)) => {
                code.run(inputs.as_flattened(), self.coefficients.as_flattened_mut(), aside);
            }
            Some(Code::Many(code)) => code.run(inputs, &mut self.coefficients, aside),
        }
        let outputs = self.tape.outputs().iter().map(|v| self.series_of[v.index()]);
        outputs.into_iter().all(|s| self.series(s).iter().flatten().all(|x| x.is_finite()))
    }
}

/// A coefficient: a place of the row, or zero whatever the inputs are.
type Coefficient = Option<u32>;

/// The program as far as it is written.
struct Unrolled<'a> {
    program: Program,
    known: FxHashMap<(Binary, u32, u32), u32>,
    numbers: FxHashMap<u64, u32>,
    /// Coefficients of every series, as far as they are known.
    series: Vec<Vec<Coefficient>>,
    rules: &'a [Rule],
    constant: Vec<bool>,
    /// Sums that run side by side.
    chains: usize,
}

impl<'a> Unrolled<'a> {
    fn program<const LANES: usize>(jet: &'a Jet<LANES>) -> Option<Program> {
        let mut constant = vec![true; jet.rules.len()];
        jet.varying.iter().for_each(|&s| constant[s] = false);
        let mut unrolled = Unrolled {
            program: Program {
                length: 0,
                input_count: jet.inputs.len(),
                inputs: Vec::new(),
                constants: Vec::new(),
                steps: Vec::new(),
                output_count: jet.coefficients.len(),
                outputs: Vec::new(),
                sin_cos,
            },
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            series: vec![Vec::new(); jet.rules.len()],
            rules: &jet.rules,
            constant,
            chains: if LANES == 1 { 4 } else { 2 },
        };
        let rates: Vec<Series> = jet.tape.outputs().iter().map(|v| jet.series_of[v.index()]).collect();
        for k in 0..=jet.order {
            for s in 0..jet.rules.len() {
                let coefficient = match unrolled.series[s].get(k) {
                    // A sine comes with its cosine.
                    Some(&known) => known,
                    None if k > 0 && unrolled.constant[s] => None,
                    None => unrolled.coefficient(s, k, &rates)?,
                };
                unrolled.series[s].truncate(k);
                unrolled.series[s].push(coefficient);
            }
            if unrolled.program.steps.len() > LONGEST {
                return None;
            }
        }
        let inputs = (0..jet.inputs.len()).map(|i| jet.series_of[i]);
        let mut wanted: Vec<Series> = inputs.chain(rates).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for s in wanted {
            for k in 0..=jet.order {
                let place = unrolled.place(unrolled.series[s][k]);
                unrolled.program.outputs.push(((s * jet.stride() + k) as u32, place));
            }
        }
        Some(unrolled.program)
    }

    fn new_place(&mut self) -> u32 {
        self.program.length += 1;
        self.program.length as u32 - 1
    }

    fn number(&mut self, x: f64) -> u32 {
        if let Some(&place) = self.numbers.get(&x.to_bits()) {
            return place;
        }
        let place = self.new_place();
        self.numbers.insert(x.to_bits(), place);
        self.program.constants.push((place, x));
        place
    }

    /// The place of a coefficient.
    fn place(&mut self, coefficient: Coefficient) -> u32 {
        coefficient.unwrap_or_else(|| self.number(0.0))
    }

    fn binary(&mut self, op: Binary, a: u32, b: u32) -> u32 {
        let turns = matches!(op, Binary::Add | Binary::Mul);
        let key = if turns { (op, a.min(b), a.max(b)) } else { (op, a, b) };
        if let Some(&place) = self.known.get(&key) {
            return place;
        }
        let d = self.new_place();
        self.program.steps.push(Step::Binary { op, d, a, b });
        self.known.insert(key, d);
        d
    }

    fn unary(&mut self, op: Unary, a: u32) -> u32 {
        let d = self.new_place();
        self.program.steps.push(Step::Unary { op, d, a });
        d
    }

    /// Coefficient k of a series, at a place; `None` where the rule has no code.
    fn coefficient(&mut self, s: Series, k: usize, rates: &[Series]) -> Option<Coefficient> {
        let rule = self.rules[s];
        let of = |of: &Self, s: Series, k: usize| of.series[s][k];
        Some(Some(match rule {
            Rule::Constant(operation) => self.constant(operation)?,
            Rule::Time(i) | Rule::State(i, _) if k == 0 => self.input(i),
            Rule::Time(_) if k == 1 => self.number(1.0),
            Rule::Time(_) => return Some(None),
            Rule::State(_, j) => {
                let rate = of(self, rates[j], k - 1);
                let (rate, over) = (self.place(rate), self.number(1.0 / k as f64));
                self.binary(Binary::Mul, rate, over)
            }
            Rule::Add(a, b) | Rule::Sub(a, b) => {
                let (a, b) = (of(self, a, k), of(self, b, k));
                let (a, b) = (self.place(a), self.place(b));
                self.binary(if matches!(rule, Rule::Add(..)) { Binary::Add } else { Binary::Sub }, a, b)
            }
            Rule::Negate(a) => {
                let a = of(self, a, k);
                let a = self.place(a);
                self.unary(Unary::Negate, a)
            }
            Rule::Scale(a, b) => {
                let (a, b) = (of(self, a, 0), of(self, b, k));
                let (a, b) = (self.place(a), self.place(b));
                self.binary(Binary::Mul, a, b)
            }
            Rule::Mul(a, b) => self.products(a, 0, b, k, k + 1),
            Rule::Square(a) => self.products(a, 0, a, k, k + 1),
            Rule::Div(a, b) => {
                let (a, over) = (of(self, a, k), of(self, b, 0));
                let known = self.products(s, 0, b, k, k);
                self.rest_over(a, known, over)
            }
            Rule::Sqrt(a) if k == 0 => {
                let a = of(self, a, 0);
                let a = self.place(a);
                self.unary(Unary::Sqrt, a)
            }
            Rule::Sqrt(a) => {
                let known = self.products(s, 1, s, k - 1, k - 1);
                let (two, root) = (self.number(2.0), self.series[s][0]);
                let root = self.place(root);
                let over = self.binary(Binary::Mul, two, root);
                self.rest_over(of(self, a, k), known, Some(over))
            }
            Rule::Integral(tape::Unary::Sin, x, g, _) if k == 0 => {
                let a = of(self, x, 0);
                let (a, sin, cos) = (self.place(a), self.new_place(), self.new_place());
                self.program.steps.push(Step::SinCos { sin, cos, a });
                self.series[g] = vec![Some(cos)];
                sin
            }
            Rule::Integral(tape::Unary::Sin | tape::Unary::Cos, x, g, sign) if k > 0 => {
                let sum = self.weighted(x, g, k - 1, k);
                let over = self.number(sign / k as f64);
                self.binary(Binary::Mul, sum, over)
            }
            _ => return None,
        }))
    }

    /// (a − known)/over.
    fn rest_over(&mut self, a: Coefficient, known: u32, over: Coefficient) -> u32 {
        let (a, over) = (self.place(a), self.place(over));
        let rest = self.binary(Binary::Sub, a, known);
        self.binary(Binary::Div, rest, over)
    }

    fn input(&mut self, i: usize) -> u32 {
        if let Some(&(_, place)) = self.program.inputs.iter().find(|(input, _)| *input as usize == i) {
            return place;
        }
        let place = self.new_place();
        self.program.inputs.push((i as u32, place));
        place
    }

    /// What does not change with time.
    fn constant(&mut self, operation: Operation) -> Option<u32> {
        let at = |of: &Self, v: Value| of.series[v.index()][0];
        Some(match operation {
            Operation::Input(i) => self.input(i as usize),
            Operation::Constant(bits) => self.number(f64::from_bits(bits)),
            Operation::Unary(op, a) => {
                let a = at(self, a);
                let a = self.place(a);
                match op {
                    tape::Unary::Negate => self.unary(Unary::Negate, a),
                    tape::Unary::Sqrt => self.unary(Unary::Sqrt, a),
                    tape::Unary::Abs => self.unary(Unary::Abs, a),
                    tape::Unary::Sin | tape::Unary::Cos => {
                        let (sin, cos) = (self.new_place(), self.new_place());
                        self.program.steps.push(Step::SinCos { sin, cos, a });
                        if op == tape::Unary::Sin { sin } else { cos }
                    }
                    _ => return None,
                }
            }
            Operation::Binary(op, a, b) => {
                let (a, b) = (at(self, a), at(self, b));
                let (a, b) = (self.place(a), self.place(b));
                let op = match op {
                    tape::Binary::Add => Binary::Add,
                    tape::Binary::Sub => Binary::Sub,
                    tape::Binary::Mul => Binary::Mul,
                    tape::Binary::Div => Binary::Div,
                    tape::Binary::Power | tape::Binary::Atan2 => return None,
                };
                self.binary(op, a, b)
            }
            Operation::Table(..) => return None,
        })
    }

    /// Σ a₍from+i₎·b₍top−i₎ over i < count, in the order of `blocks`.
    fn products(&mut self, a: Series, from: usize, b: Series, top: usize, count: usize) -> u32 {
        self.sum(count, |of, i| Some((of.series[a][from + i]?, of.series[b][top - i]?)))
    }

    /// Σ (i+1)·a₍1+i₎·b₍top−i₎ over i < count.
    fn weighted(&mut self, a: Series, b: Series, top: usize, count: usize) -> u32 {
        self.sum(count, |of, i| {
            let (x, y) = (of.series[a][1 + i]?, of.series[b][top - i]?);
            let ramp = of.number((i + 1) as f64);
            Some((of.binary(Binary::Mul, ramp, x), y))
        })
    }

    /// A sum of products, as many as are not zero anyway, in several chains.
    fn sum(&mut self, count: usize, factors: impl Fn(&mut Self, usize) -> Option<(u32, u32)>) -> u32 {
        let mut chains: [Coefficient; 4] = [None; 4];
        for i in 0..count {
            let Some((x, y)) = factors(self, i) else { continue };
            let product = self.binary(Binary::Mul, x, y);
            let chain = &mut chains[i % self.chains];
            *chain = Some(match *chain {
                None => product,
                Some(sum) => self.binary(Binary::Add, sum, product),
            });
        }
        let mut join = |a: Coefficient, b: Coefficient| match (a, b) {
            (Some(a), Some(b)) => Some(self.binary(Binary::Add, a, b)),
            (a, b) => a.or(b),
        };
        let (even, odd) = (join(chains[0], chains[2]), join(chains[1], chains[3]));
        let sum = join(even, odd);
        let zero = self.number(0.0);
        sum.map_or(zero, |sum| self.binary(Binary::Add, sum, zero))
    }
}
