//! A tape as source code that proves itself: what C and Rust have in common.
//!
//! The code ends with a self-test: inputs stored with the outputs the interpreter computed for them, and how far a
//! different rounding (fused multiply-add, another libm) may move each output.

use super::tape::{Binary, Operation, Tape, Unary, Value};
use crate::error::{Error, Result};
use crate::expr::TableId;

/// How to write the pieces of a statement in one language.
pub(super) trait Dialect {
    fn number(&self, x: f64) -> String;
    fn input(&self, i: usize) -> String;
    fn function(&self, op: Unary, x: &str) -> String;
    fn power(&self, x: &str, y: &str) -> String;
    fn atan2(&self, y: &str, x: &str) -> String;
    fn table(&self, name: &str, derivative: u8, x: &str) -> String;
    fn definition(&self, name: &str, expression: &str) -> String;
    fn output(&self, j: usize, expression: &str) -> String;
}

/// Inputs, the outputs they must give, and how exactly.
pub(super) struct SelfTest {
    pub inputs: Vec<f64>,
    pub outputs: Vec<f64>,
    pub tolerances: Vec<f64>,
}

/// A table as cubic pieces: piece i lies before breakpoint i, the last one after all of them.
pub(super) struct TablePieces {
    pub name: String,
    pub breakpoints: Vec<f64>,
    /// Per piece: where its powers are taken from, and four coefficients.
    pub pieces: Vec<[f64; 5]>,
}

impl Tape {
    pub(super) fn self_test(&self, inputs: &[f64]) -> Result<SelfTest> {
        if inputs.len() != self.input_count() {
            return Err(Error::input(format!("{} test values for {} inputs", inputs.len(), self.input_count())));
        }
        let mut runner = self.runner();
        let mut outputs = vec![0.0; self.output_count()];
        runner.run_checked(inputs, &mut outputs).map_err(|fault| {
            Error::computation(format!("the self-test state is not regular: {}", self.describe(&fault)))
        })?;
        // Sensitivity to the last bits of the inputs tells rounding from a wrong result.
        let mut tolerances: Vec<f64> = outputs.iter().map(|y| 1e-12 * y.abs()).collect();
        let mut moved = vec![0.0; outputs.len()];
        for i in 0..inputs.len() {
            let mut nearby = inputs.to_vec();
            nearby[i] += 16.0 * f64::EPSILON * inputs[i].abs().max(1e-3);
            runner.run(&nearby, &mut moved);
            for ((t, a), b) in tolerances.iter_mut().zip(&moved).zip(&outputs) {
                *t += if a.is_finite() { 16.0 * (a - b).abs() } else { 0.0 };
            }
        }
        tolerances.iter_mut().for_each(|t| *t = t.max(1e-300));
        Ok(SelfTest { inputs: inputs.to_vec(), outputs, tolerances })
    }

    pub(super) fn table_pieces(&self) -> Result<Vec<TablePieces>> {
        let mut found = Vec::new();
        for (table, name) in &self.program.table_names {
            let used = |o: &Operation| matches!(o, Operation::Table(t, ..) if t == table);
            if !self.operations().iter().any(used) {
                continue;
            }
            let unknown = || Error::not_applicable(format!("the table `{name}` cannot be written as source code"));
            let tables = self.program.tables.as_ref().ok_or_else(unknown)?;
            let breakpoints = tables.breakpoints(*table).filter(|b| b.len() >= 2).ok_or_else(unknown)?;
            let last = breakpoints.len() - 1;
            // Beyond the ends, whatever the owner of the data says holds there.
            let mut centres = vec![2.0 * breakpoints[0] - breakpoints[1]];
            centres.extend(breakpoints.windows(2).map(|w| 0.5 * (w[0] + w[1])));
            centres.push(2.0 * breakpoints[last] - breakpoints[last - 1]);
            let piece = |c: f64| {
                let value = |d: u8| tables.evaluate(*table, d, c);
                [c, value(0), value(1), value(2) / 2.0, value(3) / 6.0]
            };
            let pieces = centres.into_iter().map(piece).collect();
            found.push(TablePieces { name: identifier(name), breakpoints, pieces });
        }
        Ok(found)
    }

    /// One line per operation, then one per output.
    pub(super) fn body(&self, dialect: &impl Dialect) -> String {
        let mut text = String::new();
        let mut line = |s: &str| {
            text.push_str("    ");
            text.push_str(s);
            text.push('\n');
        };
        let name = |v: Value| match self.operations()[v.index()] {
            Operation::Input(i) => dialect.input(i as usize),
            Operation::Constant(bits) => dialect.number(f64::from_bits(bits)),
            _ => format!("v{}", v.index()),
        };
        for (i, &operation) in self.operations().iter().enumerate() {
            let infix = |a: Value, sign: char, b: Value| format!("{} {sign} {}", name(a), name(b));
            let expression = match operation {
                Operation::Input(_) | Operation::Constant(_) => continue,
                Operation::Unary(Unary::Negate, a) => format!("-{}", name(a)),
                Operation::Unary(op, a) => dialect.function(op, &name(a)),
                Operation::Binary(Binary::Add, a, b) => infix(a, '+', b),
                Operation::Binary(Binary::Sub, a, b) => infix(a, '-', b),
                Operation::Binary(Binary::Mul, a, b) => infix(a, '*', b),
                Operation::Binary(Binary::Div, a, b) => infix(a, '/', b),
                Operation::Binary(Binary::Power, a, b) => dialect.power(&name(a), &name(b)),
                Operation::Binary(Binary::Atan2, a, b) => dialect.atan2(&name(a), &name(b)),
                Operation::Table(table, d, a) => dialect.table(&self.table_identifier(table), d, &name(a)),
            };
            line(&dialect.definition(&format!("v{i}"), &expression));
        }
        for (j, &v) in self.outputs().iter().enumerate() {
            line(&dialect.output(j, &name(v)));
        }
        text
    }

    fn table_identifier(&self, table: TableId) -> String {
        let name = self.program.table_names.iter().find(|(t, _)| *t == table);
        identifier(name.map_or("table", |(_, n)| n))
    }

    /// Which input is which, as comment lines.
    pub(super) fn input_list(&self, comment: &str) -> String {
        let mut text = String::new();
        for (i, name) in self.input_names().iter().enumerate() {
            text.push_str(&format!("{comment}   {i}: {name}\n"));
        }
        text
    }
}

/// A name that every language accepts.
pub(super) fn identifier(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "f_");
    }
    text
}

pub(super) fn list(numbers: &[f64], number: impl Fn(f64) -> String) -> String {
    numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ")
}
