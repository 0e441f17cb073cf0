//! An operation in words, for the message that says where a computation went wrong.

use super::run::Fault;
use super::tape::{Binary, Operation, Tape, Unary, Value};

/// Longer texts are cut in the middle of a formula: nobody reads them in a message.
const LONGEST: usize = 160;
/// Operations below this depth are written as `…`.
const DEEPEST: usize = 6;

impl Tape {
    /// An operation as a formula of the inputs, shortened where it is large.
    pub fn formula(&self, operation: Value) -> String {
        let mut text = String::new();
        self.write(&mut text, operation, 0, 0);
        text
    }

    /// A fault as a sentence: which operation, what came out, of which arguments it was made.
    pub fn describe(&self, fault: &Fault) -> String {
        let what = if fault.value.is_nan() { "not a number" } else { "infinite" };
        match self.operations()[fault.operation.index()] {
            Operation::Input(i) => format!("the input `{}` is {what}", self.input_names()[i as usize]),
            Operation::Binary(Binary::Div, _, below) => {
                format!("`{}` is {what} (division by `{}`)", self.formula(fault.operation), self.formula(below))
            }
            _ => format!("`{}` is {what}", self.formula(fault.operation)),
        }
    }

    /// The outputs that need this operation.
    pub fn outputs_of(&self, operation: Value) -> Vec<usize> {
        let mut reached = vec![false; self.operations().len()];
        reached[operation.index()] = true;
        for (i, o) in self.operations().iter().enumerate().skip(operation.index() + 1) {
            o.for_each_argument(|a| reached[i] |= reached[a.index()]);
        }
        self.outputs().iter().enumerate().filter(|(_, v)| reached[v.index()]).map(|(i, _)| i).collect()
    }

    /// Precedence: 0 sum, 1 product, 2 power. Recursion ends at a fixed depth.
    fn write(&self, text: &mut String, v: Value, precedence: u8, depth: usize) {
        let operation = self.operations()[v.index()];
        let leaf = matches!(operation, Operation::Input(_) | Operation::Constant(_));
        if !leaf && (depth >= DEEPEST || text.len() > LONGEST) {
            text.push('…');
            return;
        }
        let mut infix = |a: Value, sign: &str, b: Value, own: u8, right: u8| {
            let brackets = own < precedence;
            text.push_str(if brackets { "(" } else { "" });
            self.write(text, a, own, depth + 1);
            text.push_str(sign);
            self.write(text, b, right, depth + 1);
            text.push_str(if brackets { ")" } else { "" });
        };
        match operation {
            Operation::Input(i) => text.push_str(&self.input_names()[i as usize]),
            Operation::Constant(bits) => text.push_str(&f64::from_bits(bits).to_string()),
            Operation::Binary(Binary::Add, a, b) => infix(a, " + ", b, 0, 0),
            Operation::Binary(Binary::Sub, a, b) => infix(a, " - ", b, 0, 1),
            Operation::Binary(Binary::Mul, a, b) => infix(a, "*", b, 1, 1),
            Operation::Binary(Binary::Div, a, b) => infix(a, "/", b, 1, 2),
            Operation::Binary(Binary::Power, a, b) => infix(a, "^", b, 2, 3),
            Operation::Binary(Binary::Atan2, a, b) => {
                text.push_str("atan2(");
                self.write(text, a, 0, depth + 1);
                text.push_str(", ");
                self.write(text, b, 0, depth + 1);
                text.push(')');
            }
            Operation::Unary(Unary::Negate, a) => {
                text.push('-');
                self.write(text, a, 2, depth + 1);
            }
            Operation::Unary(op, a) => {
                text.push_str(op.name());
                text.push('(');
                self.write(text, a, 0, depth + 1);
                text.push(')');
            }
            Operation::Table(table, derivative, a) => {
                let name = self.program.table_names.iter().find(|(t, _)| *t == table).map_or("table", |(_, n)| n);
                text.push_str(name);
                (0..derivative).for_each(|_| text.push('\''));
                text.push('(');
                self.write(text, a, 0, depth + 1);
                text.push(')');
            }
        }
    }
}

impl Unary {
    /// Its name in the model's syntax.
    pub fn name(self) -> &'static str {
        match self {
            Unary::Negate => "-",
            Unary::Sqrt => "sqrt",
            Unary::Sin => "sin",
            Unary::Cos => "cos",
            Unary::Asin => "asin",
            Unary::Acos => "acos",
            Unary::Atan => "atan",
            Unary::Sinh => "sinh",
            Unary::Cosh => "cosh",
            Unary::Tanh => "tanh",
            Unary::Exp => "exp",
            Unary::Log => "log",
            Unary::Abs => "abs",
            Unary::Sign => "sign",
        }
    }
}
