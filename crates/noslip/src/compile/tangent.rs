//! Derivatives of a straight-line program by its inputs, exact to rounding: each operation carries its slopes along.

use super::kernel;
use super::tape::{Binary, Operation, Tape, Unary, Value};

/// A tape that is evaluated with its derivatives by some of its inputs.
#[derive(Clone, Debug)]
pub struct Tangent {
    tape: Tape,
    /// Inputs by which is differentiated: `first..first + count`.
    first: usize,
    count: usize,
    /// Does an operation depend on them?
    moving: Vec<bool>,
    values: Vec<f64>,
    /// Slopes of each operation, one after the other.
    slopes: Vec<f64>,
}

impl Tape {
    /// Prepares derivatives by `count` inputs from the `first` on.
    pub fn tangent(&self, first: usize, count: usize) -> Tangent {
        let mut moving = Vec::with_capacity(self.operations().len());
        for operation in self.operations() {
            let mut depends =
                matches!(operation, Operation::Input(i) if (first..first + count).contains(&(*i as usize)));
            operation.for_each_argument(|a| depends |= moving[a.index()]);
            moving.push(depends);
        }
        let size = moving.len();
        Tangent { tape: self.clone(), first, count, moving, values: vec![0.0; size], slopes: vec![0.0; size * count] }
    }
}

impl Tangent {
    /// Writes the derivatives of the outputs, row by row, and returns the values of all operations. `inputs` has one number
    /// per input; outputs beyond the rows are left out.
    pub fn run(&mut self, inputs: &[f64], rows: &mut [f64]) {
        let n = self.count;
        for (i, &operation) in self.tape.operations().iter().enumerate() {
            let (before, here) = self.slopes.split_at_mut(i * n);
            let (own, at) = (&mut here[..n], |v: Value| &before[v.index() * n..v.index() * n + n]);
            let x = |v: Value| self.values[v.index()];
            self.values[i] = match operation {
                Operation::Input(k) => {
                    own.fill(0.0);
                    if let Some(slope) = (k as usize).checked_sub(self.first).and_then(|k| own.get_mut(k)) {
                        *slope = 1.0;
                    }
                    inputs[k as usize]
                }
                Operation::Constant(bits) => f64::from_bits(bits),
                Operation::Unary(op, a) => {
                    let y = kernel::unary(op, x(a));
                    if self.moving[i] {
                        let slope = unary_slope(op, x(a), y);
                        own.iter_mut().zip(at(a)).for_each(|(d, a)| *d = slope * a);
                    }
                    y
                }
                Operation::Binary(op, a, b) => {
                    let y = kernel::binary(op, x(a), x(b));
                    if self.moving[i] {
                        let (p, q) = binary_slopes(op, x(a), x(b), y);
                        let (p, q) = (
                            if self.moving[a.index()] { p } else { 0.0 },
                            if self.moving[b.index()] { q } else { 0.0 },
                        );
                        let (u, v) = (at(a), at(b));
                        own.iter_mut().enumerate().for_each(|(k, d)| *d = p * u[k] + q * v[k]);
                    }
                    y
                }
                Operation::Table(table, derivative, a) => {
                    let tables = self.tape.program.tables.as_ref();
                    let value = |d: u8| tables.map_or(f64::NAN, |t| t.evaluate(table, d, x(a)));
                    if self.moving[i] {
                        let slope = if derivative < 3 { value(derivative + 1) } else { 0.0 };
                        own.iter_mut().zip(at(a)).for_each(|(d, a)| *d = slope * a);
                    }
                    value(derivative)
                }
            };
        }
        for (row, v) in rows.chunks_mut(n).zip(self.tape.outputs()) {
            row.copy_from_slice(&self.slopes[v.index() * n..v.index() * n + n]);
        }
    }
}

/// dy/dx of y = op(x).
fn unary_slope(op: Unary, x: f64, y: f64) -> f64 {
    match op {
        Unary::Negate => -1.0,
        Unary::Sqrt => 0.5 / y,
        Unary::Sin => kernel::unary(Unary::Cos, x),
        Unary::Cos => -kernel::unary(Unary::Sin, x),
        Unary::Asin => 1.0 / (1.0 - x * x).sqrt(),
        Unary::Acos => -1.0 / (1.0 - x * x).sqrt(),
        Unary::Atan => 1.0 / (1.0 + x * x),
        Unary::Sinh => kernel::unary(Unary::Cosh, x),
        Unary::Cosh => kernel::unary(Unary::Sinh, x),
        Unary::Tanh => 1.0 - y * y,
        Unary::Exp => y,
        Unary::Log => 1.0 / x,
        Unary::Abs => kernel::unary(Unary::Sign, x),
        Unary::Sign => 0.0,
    }
}

/// ∂y/∂a and ∂y/∂b of y = op(a, b).
fn binary_slopes(op: Binary, a: f64, b: f64, y: f64) -> (f64, f64) {
    match op {
        Binary::Add => (1.0, 1.0),
        Binary::Sub => (1.0, -1.0),
        Binary::Mul => (b, a),
        Binary::Div => (1.0 / b, -y / b),
        Binary::Power => (b * kernel::binary(Binary::Power, a, b - 1.0), y * kernel::unary(Unary::Log, a)),
        Binary::Atan2 => {
            let square = a * a + b * b;
            (b / square, -a / square)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Limits;
    use crate::compile::{CompileOptions, TapeBuilder};
    use crate::expr::{Arena, Assignment, Declared, Role, parse_expression};

    /// Against the derivatives of the expressions.
    #[test]
    fn slopes_of_a_tape_are_those_of_its_expressions() {
        let mut g = Arena::default();
        let symbols = ["a", "x", "y", "z"].map(|name| g.declare(name, Role::Coordinate));
        let texts = [
            "sin(x*y) + cos(z)^3/(1 + x^2)",
            "sqrt(x + y^2)*exp(-z) + log(2 + x)*abs(y)",
            "atan2(y, x) + atan(x*z) + tanh(y) + asin(x/3) + acos(y/4) + sinh(z)*cosh(x) + x^y + sign(z)*a",
        ];
        let list: Vec<_> = texts
            .iter()
            .map(|t| parse_expression(&mut g, t, &mut Declared, &Limits::default()).expect("an expression"))
            .collect();
        let mut builder = TapeBuilder::new(&g, &symbols, &CompileOptions::default()).expect("a builder");
        let values = builder.lower(&g, &list).expect("code");
        let tape = builder.finish(&values).expect("a tape");
        let inputs = [0.3, 0.7, 1.2, 0.4];
        let mut rows = vec![0.0; 9];
        tape.tangent(1, 3).run(&inputs, &mut rows);
        let mut at = Assignment::new();
        at.set_all(&symbols, &inputs);
        for (i, &e) in list.iter().enumerate() {
            for (j, &s) in symbols[1..].iter().enumerate() {
                let d = g.diff(e, s);
                let want = g.evaluate(&[d], &at)[0];
                let got = rows[3 * i + j];
                assert!((got - want).abs() < 1e-14 * want.abs().max(1.0), "{i} {j}: {got} for {want}");
            }
        }
    }
}
