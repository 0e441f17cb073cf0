//! A tape as C.

use super::emit::{Dialect, identifier, list};
use super::tape::{Tape, Unary};
use crate::error::Result;

struct C;

impl Dialect for C {
    fn number(&self, x: f64) -> String {
        match x {
            _ if x.is_nan() => "NAN".to_owned(),
            _ if x.is_infinite() => if x > 0.0 { "INFINITY" } else { "(-INFINITY)" }.to_owned(),
            _ if x < 0.0 => format!("({x:?})"),
            _ => format!("{x:?}"),
        }
    }
    fn input(&self, i: usize) -> String {
        format!("in[{i}]")
    }
    fn function(&self, op: Unary, x: &str) -> String {
        match op {
            Unary::Abs => format!("fabs({x})"),
            Unary::Sign => format!("(double)(({x} > 0) - ({x} < 0))"),
            _ => format!("{}({x})", op.name()),
        }
    }
    fn power(&self, x: &str, y: &str) -> String {
        format!("pow({x}, {y})")
    }
    fn atan2(&self, y: &str, x: &str) -> String {
        format!("atan2({y}, {x})")
    }
    fn table(&self, name: &str, derivative: u8, x: &str) -> String {
        format!("table_{name}({derivative}, {x})")
    }
    fn definition(&self, name: &str, expression: &str) -> String {
        format!("const double {name} = {expression};")
    }
    fn output(&self, j: usize, expression: &str) -> String {
        format!("out[{j}] = {expression};")
    }
}

impl Tape {
    /// C source of the function `name(in, out)`. With `-DSELF_TEST` it is a program that evaluates at `test_inputs`,
    /// compares with stored results and says so by its exit status.
    pub fn to_c(&self, name: &str, test_inputs: &[f64]) -> Result<String> {
        let test = self.self_test(test_inputs)?;
        let name = identifier(name);
        let (n, m) = (self.input_count(), self.output_count());
        let numbers = |x: &[f64]| list(x, |x| C.number(x));
        let mut text = format!(
            "/* {name}: {n} inputs, {m} outputs, straight-line code written by noslip.\n * Inputs:\n{} *\n * \
             Self-test: cc -O2 -DSELF_TEST FILE.c -lm && ./a.out */\n#include <math.h>\n\n",
            self.input_list(" *")
        );
        for table in self.table_pieces()? {
            let (t, count) = (&table.name, table.breakpoints.len());
            let pieces: Vec<String> = table.pieces.iter().map(|p| format!("        {{{}}}", numbers(p))).collect();
            text.push_str(&format!(
                "static double table_{t}(int derivative, double x) {{\n    static const double at[{count}] = {{{}}};\n    \
                 static const double piece[{}][5] = {{\n{}}};\n    int i = x == at[0];\n    \
                 while (i < {count} && at[i] < x) i++;\n    const double *c = piece[i], d = x - c[0];\n    \
                 switch (derivative) {{\n    case 0: return c[1] + d * (c[2] + d * (c[3] + d * c[4]));\n    \
                 case 1: return c[2] + d * (2 * c[3] + d * 3 * c[4]);\n    case 2: return 2 * c[3] + d * 6 * c[4];\n    \
                 case 3: return 6 * c[4];\n    default: return 0;\n    }}\n}}\n\n",
                numbers(&table.breakpoints),
                count + 1,
                pieces.join(",\n"),
            ));
        }
        text.push_str(&format!(
            "void {name}(const double *restrict in, double *restrict out) {{\n    (void)in;\n{}}}\n\n",
            self.body(&C)
        ));
        text.push_str(&format!(
            "#ifdef SELF_TEST\n#include <stdio.h>\nint main(void) {{\n    static const double in[{}] = {{{}}};\n    \
             static const double expected[{m1}] = {{{}}};\n    static const double tolerance[{m1}] = {{{}}};\n    \
             double out[{m1}];\n    int wrong = 0;\n    {name}(in, out);\n    for (int i = 0; i < {m}; i++)\n        \
             if (!(fabs(out[i] - expected[i]) <= tolerance[i])) {{\n            \
             printf(\"output %d: %.17g, expected %.17g\\n\", i, out[i], expected[i]);\n            wrong++;\n        }}\n    \
             printf(\"{name}: %d of {m} outputs wrong\\n\", wrong);\n    return wrong != 0;\n}}\n#endif\n",
            n.max(1),
            if n == 0 { "0".to_owned() } else { numbers(&test.inputs) },
            if m == 0 { "0".to_owned() } else { numbers(&test.outputs) },
            if m == 0 { "0".to_owned() } else { numbers(&test.tolerances) },
            m1 = m.max(1),
        ));
        Ok(text)
    }
}
