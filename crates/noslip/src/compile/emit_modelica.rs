//! A tape as the equations of a Modelica model.

use super::emit::Dialect;
use super::tape::{Tape, Unary};

struct Modelica<'a> {
    inputs: &'a [String],
    outputs: &'a [String],
}

impl Dialect for Modelica<'_> {
    fn number(&self, x: f64) -> String {
        // Modelica has no number that is not finite; the tape of a regular state has none either.
        if x < 0.0 { format!("({x:?})") } else { format!("{x:?}") }
    }
    fn input(&self, i: usize) -> String {
        self.inputs[i].clone()
    }
    fn function(&self, op: Unary, x: &str) -> String {
        match op {
            Unary::Sign => format!("(if {x} > 0 then 1.0 else if {x} < 0 then -1.0 else 0.0)"),
            _ => format!("{}({x})", op.name()),
        }
    }
    fn power(&self, x: &str, y: &str) -> String {
        format!("({x})^({y})")
    }
    fn atan2(&self, y: &str, x: &str) -> String {
        format!("atan2({y}, {x})")
    }
    fn table(&self, name: &str, derivative: u8, x: &str) -> String {
        format!("table_{name}({derivative}, {x})")
    }
    fn definition(&self, name: &str, expression: &str) -> String {
        format!("{name} = {expression};")
    }
    fn output(&self, j: usize, expression: &str) -> String {
        format!("{} = {expression};", self.outputs[j])
    }
}

impl Tape {
    /// The operations as equations: names of all variables that are not inputs or outputs, and a line for each equation.
    pub fn to_modelica(&self, inputs: &[String], outputs: &[String]) -> (Vec<String>, String) {
        let body = self.body(&Modelica { inputs, outputs });
        let defined = body.lines().filter_map(|line| line.trim().split_once(" = ").map(|(name, _)| name.to_owned()));
        let variables = defined.filter(|name| !outputs.contains(name)).collect();
        (variables, body)
    }

    /// Does it look up tables? There they are functions of their own.
    pub fn has_tables(&self) -> bool {
        self.table_pieces().is_ok_and(|list| !list.is_empty())
    }
}
