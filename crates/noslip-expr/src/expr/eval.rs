//! Plain evaluation in floating point: for initial states, tables of values and tests. Fast code is made elsewhere.

use super::arena::{Arena, Expr, Function, Node, TableId};
use super::number::Rational;
use super::symbol::Symbol;

/// Values of symbols. A symbol without a value evaluates to NaN, so nothing that was forgotten goes unnoticed.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: Vec<f64>,
}

impl Assignment {
    /// No values yet.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Gives a symbol its value.
    pub fn set(&mut self, symbol: Symbol, value: f64) {
        let i = symbol.0 as usize;
        if self.values.len() <= i {
            self.values.resize(i + 1, f64::NAN);
        }
        self.values[i] = value;
    }

    /// Gives several symbols their values.
    pub fn set_all(&mut self, symbols: &[Symbol], values: &[f64]) {
        for (&s, &v) in symbols.iter().zip(values) {
            self.set(s, v);
        }
    }

    /// The value of a symbol.
    pub fn get(&self, symbol: Symbol) -> f64 {
        self.values.get(symbol.0 as usize).copied().unwrap_or(f64::NAN)
    }
}

/// Expressions prepared to be evaluated many times.
#[derive(Clone, Debug)]
pub struct Evaluator {
    steps: Vec<Step>,
    results: Vec<u32>,
}

/// One node, with its children as indices of earlier steps.
#[derive(Clone, Debug)]
enum Step {
    Number(f64),
    Symbol(Symbol),
    Sum(f64, Box<[(u32, f64)]>),
    Product(f64, Box<[(u32, Exponent)]>),
    Power(u32, u32),
    Call(Function, u32),
    Atan2(u32, u32),
    Table(TableId, u8, u32),
    Undefined,
}

#[derive(Clone, Copy, Debug)]
enum Exponent {
    Integer(i32),
    /// k + 1/2: through the square root, which is exact where the general power is not.
    Half(i32),
    Real(f64),
}

impl Exponent {
    fn new(x: &Rational) -> Exponent {
        let integer = |n: i64| i32::try_from(n).ok();
        match x.small() {
            Some((n, 1)) => integer(n).map(Exponent::Integer),
            Some((n, 2)) => integer(n.div_euclid(2)).map(Exponent::Half),
            _ => None,
        }
        .unwrap_or_else(|| Exponent::Real(x.to_f64()))
    }

    fn apply(self, x: f64) -> f64 {
        match self {
            Exponent::Integer(1) => x,
            Exponent::Integer(n) => x.powi(n),
            Exponent::Half(0) => x.sqrt(),
            Exponent::Half(-1) => 1.0 / x.sqrt(),
            Exponent::Half(n) => x.powi(n) * x.sqrt(),
            Exponent::Real(y) => libm::pow(x, y),
        }
    }
}

impl Evaluator {
    /// Prepares the expressions.
    pub fn new(arena: &Arena, roots: &[Expr]) -> Evaluator {
        let order = arena.reachable(roots);
        let index = |e: &Expr| order.binary_search(e).expect("children of what is reachable are reachable") as u32;
        let steps = order
            .iter()
            .map(|&e| match arena.node(e) {
                Node::Number(n) => Step::Number(n.to_f64()),
                Node::Symbol(s) if *s == arena.pi() => Step::Number(std::f64::consts::PI),
                Node::Symbol(s) => Step::Symbol(*s),
                Node::Sum { constant, terms } => {
                    Step::Sum(constant.to_f64(), terms.iter().map(|(t, c)| (index(t), c.to_f64())).collect())
                }
                Node::Product { coefficient, factors } => Step::Product(
                    coefficient.to_f64(),
                    factors.iter().map(|(b, x)| (index(b), Exponent::new(x))).collect(),
                ),
                Node::Power(a, b) => Step::Power(index(a), index(b)),
                Node::Call(f, x) => Step::Call(*f, index(x)),
                Node::Atan2(y, x) => Step::Atan2(index(y), index(x)),
                Node::Table(id, derivative, x) => Step::Table(*id, *derivative, index(x)),
                // Nothing is known of its values; commands that need them have said so before.
                Node::Unspecified(..) | Node::Undefined => Step::Undefined,
            })
            .collect();
        Evaluator { steps, results: roots.iter().map(index).collect() }
    }

    /// The values of the expressions; `tables` evaluates the derivative of a table at an argument.
    pub fn evaluate(&self, at: &Assignment, tables: &dyn Fn(TableId, u8, f64) -> f64) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.steps.len());
        self.steps_into(at, tables, &mut values);
        self.results.iter().map(|&i| values[i as usize]).collect()
    }

    /// The same written to `out`; `values` is room to work in, kept by who evaluates often.
    pub fn evaluate_into(
        &self,
        at: &Assignment,
        tables: &dyn Fn(TableId, u8, f64) -> f64,
        values: &mut Vec<f64>,
        out: &mut [f64],
    ) {
        self.steps_into(at, tables, values);
        out.iter_mut().zip(&self.results).for_each(|(x, &i)| *x = values[i as usize]);
    }

    /// The steps whose values change with the symbols.
    pub fn varying(&self, symbols: &[Symbol]) -> Vec<u32> {
        let mut varies: Vec<bool> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let of = |i: &u32| varies[*i as usize];
            varies.push(match step {
                Step::Number(_) | Step::Undefined => false,
                Step::Symbol(s) => symbols.contains(s),
                Step::Sum(_, terms) => terms.iter().any(|(i, _)| of(i)),
                Step::Product(_, factors) => factors.iter().any(|(i, _)| of(i)),
                Step::Power(a, b) | Step::Atan2(a, b) => of(a) || of(b),
                Step::Call(_, x) | Step::Table(_, _, x) => of(x),
            });
        }
        (0..varies.len() as u32).filter(|i| varies[*i as usize]).collect()
    }

    /// [`Evaluator::evaluate_into`] once more, where only what these steps depend on has changed since.
    pub fn evaluate_again(
        &self,
        varying: &[u32],
        at: &Assignment,
        tables: &dyn Fn(TableId, u8, f64) -> f64,
        values: &mut [f64],
        out: &mut [f64],
    ) {
        for &i in varying {
            values[i as usize] = self.steps[i as usize].value(at, tables, values);
        }
        out.iter_mut().zip(&self.results).for_each(|(x, &i)| *x = values[i as usize]);
    }

    fn steps_into(&self, at: &Assignment, tables: &dyn Fn(TableId, u8, f64) -> f64, values: &mut Vec<f64>) {
        values.clear();
        for step in &self.steps {
            let value = step.value(at, tables, values);
            values.push(value);
        }
    }
}

impl Step {
    #[inline]
    fn value(&self, at: &Assignment, tables: &dyn Fn(TableId, u8, f64) -> f64, values: &[f64]) -> f64 {
        let of = |i: &u32| values[*i as usize];
        match self {
            Step::Number(x) => *x,
            Step::Symbol(s) => at.get(*s),
            Step::Sum(constant, terms) => terms.iter().fold(*constant, |sum, (i, c)| sum + c * of(i)),
            Step::Product(c, factors) => factors.iter().fold(*c, |product, (i, x)| product * x.apply(of(i))),
            Step::Power(a, b) => libm::pow(of(a), of(b)),
            Step::Call(f, x) => apply(*f, of(x)),
            Step::Atan2(y, x) => libm::atan2(of(y), of(x)),
            Step::Table(id, derivative, x) => tables(*id, *derivative, of(x)),
            Step::Undefined => f64::NAN,
        }
    }
}

fn apply(f: Function, x: f64) -> f64 {
    match f {
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Tan => libm::tan(x),
        Function::Cot => 1.0 / libm::tan(x),
        Function::Sec => 1.0 / libm::cos(x),
        Function::Csc => 1.0 / libm::sin(x),
        Function::Asin => libm::asin(x),
        Function::Acos => libm::acos(x),
        Function::Atan => libm::atan(x),
        Function::Sinh => libm::sinh(x),
        Function::Cosh => libm::cosh(x),
        Function::Tanh => libm::tanh(x),
        Function::Exp => libm::exp(x),
        Function::Log => libm::log(x),
        Function::Abs => x.abs(),
        // f64::signum(0) is 1, the sign of zero is zero.
        Function::Sign if x == 0.0 => 0.0,
        Function::Sign => x.signum(),
    }
}

impl Arena {
    /// Evaluates expressions without tables once.
    pub fn evaluate(&self, roots: &[Expr], at: &Assignment) -> Vec<f64> {
        Evaluator::new(self, roots).evaluate(at, &|_, _, _| f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Declared, Role, parse_expression};
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn once_more_only_what_varies_is_evaluated() {
        let mut a = Arena::new();
        let (x, y) = (a.declare("x", Role::Coordinate), a.declare("y", Role::Coordinate));
        let text = "sin(x)*y^2 + cos(x)";
        let e = parse_expression(&mut a, text, &mut Declared, &Limits::default()).expect("an expression");
        let evaluator = Evaluator::new(&a, &[e]);
        let varying = evaluator.varying(&[y]);
        // y, its square in the product, and the sum.
        assert_eq!(varying.len(), 3);
        let none = |_, _, _| f64::NAN;
        let (mut at, mut room, mut out) = (Assignment::new(), Vec::new(), [0.0]);
        at.set_all(&[x, y], &[0.3, 2.0]);
        evaluator.evaluate_into(&at, &none, &mut room, &mut out);
        // x has changed too, and is not looked at.
        at.set_all(&[x, y], &[9.0, 5.0]);
        evaluator.evaluate_again(&varying, &at, &none, &mut room, &mut out);
        let mut other = Assignment::new();
        other.set_all(&[x, y], &[0.3, 5.0]);
        assert_eq!(out.to_vec(), evaluator.evaluate(&other, &none));
    }

    #[test]
    fn every_function_evaluates_to_what_it_is() {
        let mut a = Arena::new();
        let x = a.declare("x", Role::Coordinate);
        let mut at = Assignment::new();
        at.set(x, 0.7);
        let v = 0.7f64;
        let table = [
            ("x^2 - 3*x + 1", v * v - 3.0 * v + 1.0),
            ("sqrt(x)", v.sqrt()),
            ("x^(-3/2)", v.powf(-1.5)),
            ("x^(5/2)", v.powf(2.5)),
            ("x^(1/3)", v.cbrt()),
            ("2^x", v.exp2()),
            ("sin(x)+cos(2*x)", v.sin() + (2.0 * v).cos()),
            ("tan(x)*cot(x)", 1.0),
            ("sec(x)/csc(x)", v.tan()),
            ("asin(x)+acos(x)", std::f64::consts::FRAC_PI_2),
            ("atan(x) - atan2(x, 1)", 0.0),
            ("cosh(x)^2 - sinh(x)^2", 1.0),
            ("tanh(x)", v.tanh()),
            ("log(exp(x)+1)", (v.exp() + 1.0).ln()),
            ("abs(x-1) + sign(x-1) + sign(x-x)", 0.3 - 1.0),
            ("pi*x", std::f64::consts::PI * v),
        ];
        for (text, expected) in table {
            let e = parse_expression(&mut a, text, &mut Declared, &Limits::default()).unwrap();
            let got = a.evaluate(&[e], &at)[0];
            assert!((got - expected).abs() < 1e-15 * expected.abs().max(1.0) * 4.0, "{text}: {got} for {expected}");
        }
        let y = a.declare("y", Role::Coordinate);
        let unset = a.symbol(y);
        assert!(a.evaluate(&[unset], &at)[0].is_nan(), "a forgotten value must be noticed");
    }
}
