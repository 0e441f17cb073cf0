//! Evaluation in the prime field at points that outlive one list of expressions.
//!
//! A state is drawn first, then its velocities are made admissible, then accelerations are solved for, and only then is it known
//! what to evaluate there: so a point here is nothing but values of symbols, and everything else is a function of values. An
//! angle c·x is the multiple c of a rotation that belongs to the value of x, an exponential likewise the power of a number;
//! sums of angles are then composed rotations. A function nothing is known of gets a value by hashing its argument's.
//! Expressions are compiled once and evaluated at many points.

use super::candidates::expand;
use crate::expr::field::{Fp, Rotation, hash_to_field};
use crate::expr::{Arena, Expr, Function, Node, Rational, Symbol};
use rustc_hash::FxHashMap;

/// Values of symbols.
#[derive(Clone, Debug, Default)]
pub struct FieldPoint {
    values: Vec<Option<Fp>>,
}

impl FieldPoint {
    /// No values yet.
    pub fn new() -> FieldPoint {
        FieldPoint::default()
    }

    /// Gives a symbol its value.
    pub fn set(&mut self, s: Symbol, value: Fp) {
        let i = s.0 as usize;
        if self.values.len() <= i {
            self.values.resize(i + 1, None);
        }
        self.values[i] = Some(value);
    }

    fn get(&self, s: Symbol) -> Option<Fp> {
        self.values.get(s.0 as usize).copied().flatten()
    }
}

/// The unit of angles: multiples of 1/UNIT of an argument are composed, so decimal fractions of six digits and the usual
/// fractions are.
const UNIT: i64 = 9_009_000_000;

/// c·(product of earlier values), as part of the argument of a sine or an exponential.
#[derive(Clone, Debug)]
enum Part {
    /// A multiple of 1/UNIT of the product.
    Multiple(i64, Box<[(u32, Rational)]>),
    /// A rational multiple of π.
    Turns(i64, u64),
}

#[derive(Clone, Debug)]
enum Step {
    Number(Fp),
    Symbol(Symbol),
    Pi,
    Sum(Fp, Box<[(u32, Fp)]>),
    Product(Fp, Box<[(u32, Rational)]>),
    Circular(Function, Box<[Part]>),
    Exponential(Function, Box<[Part]>),
    Other(Function, u32),
    Hashed(u64, u64, u32, u32),
    Undefined,
}

/// Expressions prepared to be evaluated at many points.
#[derive(Clone, Debug)]
pub struct FieldEvaluator {
    steps: Vec<Step>,
    results: Vec<u32>,
    faithful: bool,
}

impl FieldEvaluator {
    /// Prepares expressions.
    pub fn new(g: &Arena, roots: &[Expr]) -> FieldEvaluator {
        let order = g.reachable(roots);
        let index: FxHashMap<Expr, u32> = order.iter().enumerate().map(|(i, &e)| (e, i as u32)).collect();
        let mut evaluator =
            FieldEvaluator { steps: Vec::with_capacity(order.len()), results: Vec::new(), faithful: true };
        for &e in &order {
            let step = evaluator.step(g, e, &index);
            evaluator.steps.push(step);
        }
        evaluator.results = roots.iter().map(|r| index[r]).collect();
        evaluator
    }

    /// Is a value other than zero a proof that the expression is not zero identically? (Its atoms are then algebraically
    /// independent: symbols, and sines, cosines and exponentials of independent arguments.)
    pub fn is_faithful(&self) -> bool {
        self.faithful
    }

    fn step(&mut self, g: &Arena, e: Expr, index: &FxHashMap<Expr, u32>) -> Step {
        use Function::*;
        match g.node(e) {
            Node::Number(n) => Fp::from_rational(n).map_or(Step::Undefined, Step::Number),
            Node::Symbol(s) if *s == g.pi() => Step::Pi,
            Node::Symbol(s) => Step::Symbol(*s),
            Node::Undefined => Step::Undefined,
            Node::Sum { constant, terms } => {
                let list = terms.iter().map(|(t, c)| Some((index[t], Fp::from_rational(c)?))).collect::<Option<_>>();
                match (Fp::from_rational(constant), list) {
                    (Some(c), Some(list)) => Step::Sum(c, list),
                    _ => Step::Undefined,
                }
            }
            Node::Product { coefficient, factors } => {
                self.faithful &= factors.iter().all(|(_, x)| x.is_integer());
                let list = factors.iter().map(|(b, x)| (index[b], x.clone())).collect();
                Fp::from_rational(coefficient).map_or(Step::Undefined, |c| Step::Product(c, list))
            }
            Node::Call(f @ (Sin | Cos | Tan | Cot | Sec | Csc), x) => Step::Circular(*f, self.parts(g, *x, index)),
            Node::Call(f @ (Exp | Sinh | Cosh | Tanh), x) => Step::Exponential(*f, self.parts(g, *x, index)),
            Node::Call(f, x) => {
                self.faithful = false;
                Step::Other(*f, index[x])
            }
            Node::Power(a, b) => self.hashed(1, 0, index[a], index[b]),
            Node::Atan2(a, b) => self.hashed(2, 0, index[a], index[b]),
            Node::Table(table, order, x) => self.hashed(3 + u64::from(*order), table.0.into(), index[x], index[x]),
        }
    }

    fn hashed(&mut self, kind: u64, more: u64, a: u32, b: u32) -> Step {
        self.faithful = false;
        Step::Hashed(kind, more, a, b)
    }

    /// The argument of a function as a sum of multiples of products.
    fn parts(&mut self, g: &Arena, x: Expr, index: &FxHashMap<Expr, u32>) -> Box<[Part]> {
        let whole = |e: Expr| Part::Multiple(UNIT, [(index[&e], Rational::ONE)].into());
        let mut parts = Vec::new();
        for term in expand(g, x) {
            let pi = matches!(&term.factors[..], [(e, k)] if k.is_one() && matches!(g.node(*e), Node::Symbol(s) if *s == g.pi()));
            if pi {
                let turns = term.coefficient.small().filter(|(n, d)| Rotation::turns(*n, *d as u64).is_some());
                if let Some((n, d)) = turns {
                    parts.push(Part::Turns(n, d as u64));
                    continue;
                }
                self.faithful = false;
            }
            self.faithful &= !term.factors.is_empty();
            let multiple = (&term.coefficient * &Rational::integer(UNIT)).to_i64();
            let list: Option<Box<[_]>> = term.factors.iter().map(|(e, k)| Some((*index.get(e)?, k.clone()))).collect();
            match (multiple, list) {
                (Some(m), Some(list)) => parts.push(Part::Multiple(m, list)),
                _ => {
                    self.faithful = false;
                    return [whole(x)].into();
                }
            }
        }
        parts.into()
    }

    /// The values at a point; `None` at a pole, where a root does not exist, or where a symbol has no value.
    pub fn at(&self, point: &FieldPoint) -> Option<Vec<Fp>> {
        let mut values: Vec<Fp> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Number(n) => *n,
                Step::Symbol(s) => point.get(*s)?,
                Step::Pi => hash_to_field(&[20]),
                Step::Sum(constant, terms) => {
                    terms.iter().fold(*constant, |sum, (i, c)| sum + *c * values[*i as usize])
                }
                Step::Product(c, factors) => product(*c, factors, &values)?,
                Step::Circular(f, parts) => {
                    let mut r = Rotation::IDENTITY;
                    for part in parts {
                        r = r.then(match part {
                            Part::Turns(n, d) => Rotation::turns(*n, *d)?,
                            Part::Multiple(m, list) => {
                                let base = product(Fp::ONE, list, &values)?;
                                Rotation::from_half_tangent(hash_to_field(&[21, base.value()]))?.times(*m)
                            }
                        });
                    }
                    match f {
                        Function::Sin => r.sin,
                        Function::Cos => r.cos,
                        Function::Tan => r.sin * r.cos.inverse()?,
                        Function::Cot => r.cos * r.sin.inverse()?,
                        Function::Sec => r.cos.inverse()?,
                        _ => r.sin.inverse()?,
                    }
                }
                Step::Exponential(f, parts) => {
                    let mut exp = Fp::ONE;
                    for part in parts {
                        let (multiple, base) = match part {
                            Part::Turns(n, d) => (*n, hash_to_field(&[22, *d])),
                            Part::Multiple(m, list) => {
                                (*m, hash_to_field(&[23, product(Fp::ONE, list, &values)?.value()]))
                            }
                        };
                        // Exponentials are positive: squares.
                        exp *= (base * base).powi(multiple)?;
                    }
                    let (back, half) = (exp.inverse()?, Fp::new(2).inverse()?);
                    match f {
                        Function::Exp => exp,
                        Function::Sinh => (exp - back) * half,
                        Function::Cosh => (exp + back) * half,
                        _ => (exp - back) * (exp + back).inverse()?,
                    }
                }
                Step::Other(f, x) => other(*f, values[*x as usize])?,
                Step::Hashed(kind, more, a, b) => {
                    hash_to_field(&[24, *kind, *more, values[*a as usize].value(), values[*b as usize].value()])
                }
                Step::Undefined => return None,
            };
            values.push(value);
        }
        Some(self.results.iter().map(|&i| values[i as usize]).collect())
    }
}

fn product(c: Fp, factors: &[(u32, Rational)], values: &[Fp]) -> Option<Fp> {
    let mut result = c;
    for (i, exponent) in factors {
        let (n, d) = exponent.small()?;
        let base = values[*i as usize];
        result *= if d == 1 { base.powi(n)? } else { base.root(d as u64)?.powi(n)? };
    }
    Some(result)
}

/// Functions of which only the symmetry is known.
fn other(f: Function, x: Fp) -> Option<Fp> {
    let negative = !x.is_zero() && !x.is_positive();
    let size = if negative { -x } else { x };
    let odd = |f: Function| {
        let h = hash_to_field(&[25, f as u64, size.value()]);
        match (x.is_zero(), negative) {
            (true, _) => Fp::ZERO,
            (_, true) => -h,
            _ => h,
        }
    };
    Some(match f {
        Function::Abs => size,
        Function::Sign if x.is_zero() => x,
        Function::Sign => {
            if negative {
                -Fp::ONE
            } else {
                Fp::ONE
            }
        }
        Function::Acos => hash_to_field(&[20]) * Fp::new(2).inverse()? - odd(Function::Asin),
        Function::Asin | Function::Atan => odd(f),
        _ => hash_to_field(&[26, f as u64, x.value()]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::field::SplitMix;
    use crate::expr::{Declared, Role, parse_expression};
    use crate::limits::Limits;

    fn value(g: &mut Arena, text: &str, point: &FieldPoint) -> Option<Fp> {
        let e = parse_expression(g, text, &mut Declared, &Limits::default()).unwrap();
        FieldEvaluator::new(g, &[e]).at(point).map(|v| v[0])
    }

    #[test]
    fn identities_hold_across_separately_prepared_expressions() {
        let mut g = Arena::new();
        let mut point = FieldPoint::new();
        let mut random = SplitMix::new(3);
        for name in ["x", "y", "t"] {
            let s = g.declare(name, Role::Coordinate);
            let v = random.field();
            point.set(s, v * v);
        }
        for (left, right) in [
            ("sin(x+y)", "sin(x)*cos(y)+cos(x)*sin(y)"),
            ("cos(0.7*t)", "2*cos(0.35*t)^2-1"),
            ("sin(2*x*y)", "2*sin(x*y)*cos(y*x)"),
            ("exp(2*x-y)", "exp(x)^2/exp(y)"),
            ("sin((x+y)*t)", "sin(x*t)*cos(t*y)+cos(x*t)*sin(y*t)"),
            ("cosh(x)^2-sinh(x)^2", "1"),
            ("sin(x+pi/4)", "(sin(x)+cos(x))/sqrt(2)"),
            ("sqrt(x*y)", "sqrt(x)*sqrt(y)"),
            ("sin(x/7)", "2*sin(x/14)*cos(x/14)"),
        ] {
            let (a, b) = (value(&mut g, left, &point), value(&mut g, right, &point));
            assert!(a.is_some() && a == b, "{left} = {right}");
        }
        assert_ne!(value(&mut g, "sin(x)", &point), value(&mut g, "cos(x)", &point));
        assert_eq!(value(&mut g, "1/(sin(t)^2+cos(t)^2-1)", &point), None);
    }
}
