//! A tape as JavaScript.

use super::emit::{Dialect, identifier, list};
use super::tape::{Tape, Unary};
use crate::error::Result;

struct JavaScript;

impl Dialect for JavaScript {
    fn number(&self, x: f64) -> String {
        match x {
            _ if x.is_nan() => "NaN".to_owned(),
            _ if x.is_infinite() => if x > 0.0 { "Infinity" } else { "(-Infinity)" }.to_owned(),
            // `- -1` would be fine, `--1` is another operator.
            _ if x.is_sign_negative() => format!("({x:?})"),
            _ => format!("{x:?}"),
        }
    }
    fn input(&self, i: usize) -> String {
        format!("x[{i}]")
    }
    fn function(&self, op: Unary, x: &str) -> String {
        format!("Math.{}({x})", op.name())
    }
    fn power(&self, x: &str, y: &str) -> String {
        format!("Math.pow({x}, {y})")
    }
    fn atan2(&self, y: &str, x: &str) -> String {
        format!("Math.atan2({y}, {x})")
    }
    fn table(&self, name: &str, derivative: u8, x: &str) -> String {
        format!("table_{name}({derivative}, {x})")
    }
    fn definition(&self, name: &str, expression: &str) -> String {
        format!("const {name} = {expression};")
    }
    fn output(&self, j: usize, expression: &str) -> String {
        format!("y[{j}] = {expression};")
    }
}

impl Tape {
    /// A JavaScript expression whose value is the function `(x, y)`: it reads the inputs from the array `x` and writes the
    /// outputs into `y`. No text of a model is in it but the names of tables, reduced to letters and digits.
    pub fn to_js_function(&self) -> Result<String> {
        let numbers = |x: &[f64]| list(x, |x| JavaScript.number(x));
        let function = format!("(x, y) => {{\n{}}}", self.body(&JavaScript));
        let mut tables = String::new();
        for table in self.table_pieces()? {
            let pieces: Vec<String> = table.pieces.iter().map(|p| format!("[{}]", numbers(p))).collect();
            tables.push_str(&format!(
                "const table_{} = (derivative, x) => {{\n  const at = [{}];\n  const piece = [{}];\n  let i = x === at[0] ? 1 : 0;\n  \
                 while (i < at.length && at[i] < x) i += 1;\n  const [c, c0, c1, c2, c3] = piece[i];\n  const d = x - c;\n  \
                 if (derivative === 0) return c0 + d * (c1 + d * (c2 + d * c3));\n  \
                 if (derivative === 1) return c1 + d * (2 * c2 + d * 3 * c3);\n  \
                 if (derivative === 2) return 2 * c2 + d * 6 * c3;\n  return derivative === 3 ? 6 * c3 : 0;\n}};\n",
                table.name,
                numbers(&table.breakpoints),
                pieces.join(", "),
            ));
        }
        Ok(if tables.is_empty() { function } else { format!("(() => {{\n{tables}return {function};\n}})()") })
    }

    /// JavaScript source of the function `name(x, y)`. Run by itself (`node FILE.js`) it evaluates at `test_inputs`, compares
    /// with stored results and says so by its exit status.
    pub fn to_js(&self, name: &str, test_inputs: &[f64]) -> Result<String> {
        let test = self.self_test(test_inputs)?;
        let name = identifier(name);
        let (n, m) = (self.input_count(), self.output_count());
        let numbers = |x: &[f64]| list(x, |x| JavaScript.number(x));
        Ok(format!(
            "// {name}: {n} inputs, {m} outputs, straight-line code written by noslip.\n// Inputs:\n{}//\n// Self-test: node FILE.js\n\n\
             const {name} = {};\n\nif (typeof module !== 'undefined') {{\n  module.exports = {{ {name} }};\n  \
             if (require.main === module) {{\n    const expected = [{}];\n    const tolerance = [{}];\n    const y = [];\n    \
             {name}([{}], y);\n    const wrong = expected.filter((e, i) => !(Math.abs(y[i] - e) <= tolerance[i])).length;\n    \
             console.log(`{name}: ${{wrong}} of {m} outputs wrong`);\n    process.exit(wrong ? 1 : 0);\n  }}\n}}\n",
            self.input_list("//"),
            self.to_js_function()?,
            numbers(&test.outputs),
            numbers(&test.tolerances),
            numbers(&test.inputs),
        ))
    }
}
