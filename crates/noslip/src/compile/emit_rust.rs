//! A tape as Rust.

use super::emit::{Dialect, identifier, list};
use super::tape::{Tape, Unary};
use crate::error::Result;

struct Rust;

impl Dialect for Rust {
    fn number(&self, x: f64) -> String {
        match x {
            _ if x.is_nan() => "f64::NAN".to_owned(),
            _ if x.is_infinite() => if x > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }.to_owned(),
            _ if x < 0.0 => format!("({x:?}f64)"),
            _ => format!("{x:?}f64"),
        }
    }
    fn input(&self, i: usize) -> String {
        format!("x[{i}]")
    }
    fn function(&self, op: Unary, x: &str) -> String {
        match op {
            Unary::Log => format!("{x}.ln()"),
            Unary::Sign => format!("if {x} > 0.0 {{ 1.0 }} else if {x} < 0.0 {{ -1.0 }} else {{ {x} }}"),
            _ => format!("{x}.{}()", op.name()),
        }
    }
    fn power(&self, x: &str, y: &str) -> String {
        format!("{x}.powf({y})")
    }
    fn atan2(&self, y: &str, x: &str) -> String {
        format!("{y}.atan2({x})")
    }
    fn table(&self, name: &str, derivative: u8, x: &str) -> String {
        format!("table_{name}({derivative}, {x})")
    }
    fn definition(&self, name: &str, expression: &str) -> String {
        format!("let {name}: f64 = {expression};")
    }
    fn output(&self, j: usize, expression: &str) -> String {
        format!("y[{j}] = {expression};")
    }
}

impl Tape {
    /// Rust source of the function `name(x, y)`, with a test that evaluates at `test_inputs` and compares with stored
    /// results: `rustc --test FILE.rs && ./FILE`.
    pub fn to_rust(&self, name: &str, test_inputs: &[f64]) -> Result<String> {
        let test = self.self_test(test_inputs)?;
        let name = identifier(name);
        let (n, m) = (self.input_count(), self.output_count());
        let numbers = |x: &[f64]| list(x, |x| Rust.number(x));
        let mut text = format!(
            "// {name}: {n} inputs, {m} outputs, straight-line code written by noslip.\n// Inputs:\n{}//\n// Self-test: \
             rustc -O --test FILE.rs -o self_test && ./self_test\n\n",
            self.input_list("//")
        );
        for table in self.table_pieces()? {
            let (t, count) = (&table.name, table.breakpoints.len());
            let pieces: Vec<String> = table.pieces.iter().map(|p| format!("        [{}],\n", numbers(p))).collect();
            text.push_str(&format!(
                "#[allow(non_snake_case)]\nfn table_{t}(derivative: u8, x: f64) -> f64 {{\n    const AT: [f64; {count}] = [{}];\n    \
                 const PIECE: [[f64; 5]; {}] = [\n{}    ];\n    let i = AT.partition_point(|a| *a < x).max((x == AT[0]) as usize);\n    \
                 let c = PIECE[i];\n    let d = x - c[0];\n    match derivative {{\n        \
                 0 => c[1] + d * (c[2] + d * (c[3] + d * c[4])),\n        1 => c[2] + d * (2.0 * c[3] + d * 3.0 * c[4]),\n        \
                 2 => 2.0 * c[3] + d * 6.0 * c[4],\n        3 => 6.0 * c[4],\n        _ => 0.0,\n    }}\n}}\n\n",
                numbers(&table.breakpoints),
                count + 1,
                pieces.concat(),
            ));
        }
        text.push_str(&format!(
            "#[allow(unused_variables, unused_parens, clippy::all)]\npub fn {name}(x: &[f64; {n}], y: &mut [f64; {m}]) {{\n{}}}\n\n",
            self.body(&Rust)
        ));
        text.push_str(&format!(
            "#[cfg(test)]\n#[allow(unused_parens, clippy::all)]\nmod tests {{\n    #[test]\n    fn stored_outputs_are_reproduced() {{\n        \
             let expected: [f64; {m}] = [{}];\n        let tolerance: [f64; {m}] = [{}];\n        let mut y = [0.0; {m}];\n        \
             super::{name}(&[{}], &mut y);\n        for i in 0..{m} {{\n            \
             assert!((y[i] - expected[i]).abs() <= tolerance[i], \"output {{i}}: {{}}, expected {{}}\", y[i], expected[i]);\n        \
             }}\n    }}\n}}\n",
            numbers(&test.outputs),
            numbers(&test.tolerances),
            numbers(&test.inputs),
        ));
        Ok(text)
    }
}
