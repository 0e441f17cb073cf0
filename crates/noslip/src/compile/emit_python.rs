//! A tape as Python with NumPy.

use super::emit::{Dialect, identifier, list};
use super::tape::{Tape, Unary};
use crate::error::Result;

struct Python;

impl Dialect for Python {
    fn number(&self, x: f64) -> String {
        match x {
            _ if x.is_nan() => "np.nan".to_owned(),
            _ if x.is_infinite() => if x > 0.0 { "np.inf" } else { "(-np.inf)" }.to_owned(),
            _ if x < 0.0 => format!("({x:?})"),
            _ => format!("{x:?}"),
        }
    }
    fn input(&self, i: usize) -> String {
        format!("x[{i}]")
    }
    fn function(&self, op: Unary, x: &str) -> String {
        let name = match op.name() {
            "asin" => "arcsin",
            "acos" => "arccos",
            "atan" => "arctan",
            name => name,
        };
        format!("np.{name}({x})")
    }
    fn power(&self, x: &str, y: &str) -> String {
        format!("np.power({x}, {y})")
    }
    fn atan2(&self, y: &str, x: &str) -> String {
        format!("np.arctan2({y}, {x})")
    }
    fn table(&self, name: &str, derivative: u8, x: &str) -> String {
        format!("_table_{name}({derivative}, {x})")
    }
    fn definition(&self, name: &str, expression: &str) -> String {
        format!("{name} = {expression}")
    }
    fn output(&self, j: usize, expression: &str) -> String {
        format!("y[{j}] = {expression}")
    }
}

impl Tape {
    /// Python source of the function `name(x)`: an array of inputs in, one of outputs out, along the first axis; further axes
    /// are states that are computed at once. `self_test()` evaluates at `test_inputs` and compares with stored results.
    pub fn to_python(&self, name: &str, test_inputs: &[f64]) -> Result<String> {
        let test = self.self_test(test_inputs)?;
        let name = identifier(name);
        let m = self.output_count();
        let numbers = |x: &[f64]| list(x, |x| Python.number(x));
        let mut text = "import numpy as np\n\n".to_owned();
        for table in self.table_pieces()? {
            let pieces: Vec<String> = table.pieces.iter().map(|p| format!("        [{}],\n", numbers(p))).collect();
            text.push_str(&format!(
                "\ndef _table_{}(derivative, x):\n    at = np.array([{}])\n    piece = np.array([\n{}    ])\n    \
                 i = np.searchsorted(at, x) + (np.asarray(x) == at[0])\n    x0, a, b, c, d = np.moveaxis(piece[i], -1, 0)\n    \
                 h = x - x0\n    return [\n        a + h * (b + h * (c + h * d)),\n        b + h * (2 * c + h * 3 * d),\n        \
                 2 * c + h * 6 * d,\n        6 * d + 0 * h,\n    ][derivative]\n\n",
                table.name,
                numbers(&table.breakpoints),
                pieces.concat(),
            ));
        }
        text.push_str(&format!(
            "\ndef {name}(x):\n    x = np.asarray(x, dtype=float)\n    y = np.empty(({m}, *x.shape[1:]))\n{}    return y\n\n\n",
            self.body(&Python)
        ));
        text.push_str(&format!(
            "def self_test():\n    \"\"\"Compares with stored results.\"\"\"\n    x = np.array([{}])\n    expected = np.array([{}])\n    \
             tolerance = np.array([{}])\n    wrong = int(np.sum(~(np.abs({name}(x) - expected) <= tolerance)))\n    \
             print(f\"{name}: {{wrong}} of {m} outputs wrong\")\n    return wrong == 0\n",
            numbers(&test.inputs),
            numbers(&test.outputs),
            numbers(&test.tolerances),
        ));
        Ok(text)
    }
}
