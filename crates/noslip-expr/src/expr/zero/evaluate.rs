//! Evaluation in the prime field: exact, at random points.
//!
//! An angle is a random point of the circle, one for each monomial of expanded arguments, so that sums and multiples
//! of angles are rotations; a symbol that also occurs bare is independent of it. Roots are those of [`Fp::root`]; a
//! point where one does not exist is drawn again. A function nothing is known of gets a value by hashing its
//! argument's value: equal arguments, equal values. All of this is determined by the point alone, so the values that
//! different evaluators compute at one point belong together.

use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::field::{Fp, PRIME, Rotation, hash_to_field};
use crate::expr::normal::{ArgumentForm, AtomKind, Dimension, Normalizer, Options};
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use crate::expr::zero::dependence::Dependences;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Why there is no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A division by zero.
    Pole,
    /// Something under a root has none.
    NoRoot,
}

/// Angles are multiples of this part of each monomial, so that halves, thirds, … of an angle are rotations too.
const PART: i64 = 120;

/// A point of the prime field: symbols have the values they were given, else random ones determined by the seed.
#[derive(Clone, Debug)]
pub struct FieldPoint {
    seed: u64,
    positive: bool,
    symbols: FxHashMap<Symbol, Fp>,
    dependences: Option<Arc<Dependences>>,
}

impl FieldPoint {
    /// The random point of a seed.
    pub fn new(seed: u64) -> FieldPoint {
        FieldPoint { seed, positive: false, symbols: FxHashMap::default(), dependences: None }
    }

    /// A random point at which all symbols have roots, as positive numbers have.
    pub fn positive(seed: u64) -> FieldPoint {
        FieldPoint { positive: true, ..FieldPoint::new(seed) }
    }

    /// Gives a symbol a value where it occurs bare; as an angle it keeps its own.
    pub fn set(&mut self, s: Symbol, value: Fp) {
        self.symbols.insert(s, value);
    }

    /// Arguments of functions that are no longer independent.
    pub fn relate(&mut self, dependences: &Arc<Dependences>) {
        self.dependences = Some(dependences.clone());
    }

    /// The value of a symbol.
    pub fn symbol(&self, s: Symbol) -> Fp {
        self.symbols.get(&s).copied().unwrap_or_else(|| {
            let v = hash_to_field(&[self.seed, 1, u64::from(s.0)]);
            if self.positive { v * v } else { v }
        })
    }

    fn hash(&self, words: [u64; 4]) -> Fp {
        hash_to_field(&[self.seed, words[0], words[1], words[2], words[3]])
    }
}

/// Expressions prepared to be evaluated at points of the prime field.
#[derive(Clone, Debug)]
pub struct FieldEvaluator {
    roots: Vec<Expr>,
    order: Vec<Expr>,
    index: FxHashMap<Expr, usize>,
    forms: FxHashMap<Expr, ArgumentForm>,
    /// Arguments of inverse functions and bases of powers, as far as they are needed beside the expressions.
    beside: Option<Box<FieldEvaluator>>,
    faithful: bool,
}

impl FieldEvaluator {
    /// Prepares the evaluation of these expressions.
    pub fn new(arena: &mut Arena, roots: &[Expr], options: &Options) -> FieldEvaluator {
        Self::with_depth(arena, roots, options, 4)
    }

    fn with_depth(arena: &mut Arena, roots: &[Expr], options: &Options, depth: u32) -> FieldEvaluator {
        let order = arena.reachable(roots);
        let index = order.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        let mut faithful = is_faithful(arena, &order);
        // Arguments too large to expand: their functions are then only functions.
        let forms = Normalizer::new(options.clone()).argument_forms(arena, roots).unwrap_or_else(|_| {
            faithful = false;
            FxHashMap::default()
        });
        let mut beside = Vec::new();
        for (d, _) in forms.values().flat_map(|f| &f.terms) {
            match d {
                Dimension::Inverse(_, arguments) => beside.extend(arguments),
                Dimension::Free(_) => {}
                Dimension::Constant(_) | Dimension::Pi => faithful = false,
            }
        }
        beside.extend(forms.values().flat_map(|f| &f.powers).map(|x| x.0));
        beside.sort_unstable();
        beside.dedup();
        let beside =
            (!beside.is_empty() && depth > 0).then(|| Box::new(Self::with_depth(arena, &beside, options, depth - 1)));
        FieldEvaluator { roots: roots.to_vec(), order, index, forms, beside, faithful }
    }

    /// Operations of one evaluation.
    pub fn steps(&self) -> usize {
        self.order.len() + self.beside.as_ref().map_or(0, |b| b.steps())
    }

    /// Is a value other than zero a proof that the expression is not zero identically? (Its atoms are then
    /// algebraically independent: symbols, and sines, cosines and exponentials of independent arguments.)
    pub fn is_faithful(&self) -> bool {
        self.faithful
    }

    /// What the arguments of sines and exponentials are combinations of.
    pub fn arguments(&self) -> Vec<Expr> {
        let mut list = self.beside.as_ref().map_or_else(Vec::new, |b| b.arguments());
        for (d, _) in self.forms.values().flat_map(|f| &f.terms) {
            if let Dimension::Free(e) = d {
                list.push(*e);
            }
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    /// The values of the expressions at a point.
    pub fn at(&self, arena: &Arena, point: &FieldPoint) -> Result<Vec<Fp>, Obstacle> {
        let beside: FxHashMap<Expr, Fp> = match &self.beside {
            Some(b) => b.roots.iter().copied().zip(b.at(arena, point)?).collect(),
            None => FxHashMap::default(),
        };
        let values = Vec::with_capacity(self.order.len());
        let mut run = Run { evaluator: self, point, beside, values, powers: FxHashMap::default() };
        for &e in &self.order {
            let v = run.node(arena, e)?;
            run.values.push(v);
        }
        Ok(self.roots.iter().map(|e| run.values[self.index[e]]).collect())
    }

    /// Distinct places where the field has to choose a sign: roots, absolute values, signs.
    pub fn signs(&self, arena: &Arena) -> usize {
        let chooses = |e: &Expr| match arena.node(*e) {
            Node::Call(Function::Abs | Function::Sign, _) => 1,
            Node::Product { factors, .. } => factors.iter().filter(|(_, x)| !x.is_integer()).count(),
            _ => 0,
        };
        self.order.iter().map(chooses).sum()
    }

    /// A bound on the degree of the expressions as rational functions of the random choices.
    pub(super) fn degree_bound(&self, arena: &Arena) -> f64 {
        // Degrees of numerator and denominator.
        let mut degrees: Vec<(f64, f64)> = Vec::with_capacity(self.order.len());
        for x in &self.order {
            let of = |e: Expr| degrees[self.index[&e]];
            let d = match arena.node(*x) {
                Node::Number(_) | Node::Undefined => (0.0, 0.0),
                Node::Symbol(_) => (2.0, 0.0),
                Node::Sum { terms, .. } => {
                    let den: f64 = terms.iter().map(|(t, _)| of(*t).1).sum();
                    (terms.iter().map(|(t, _)| of(*t)).map(|(n, d)| n + den - d).fold(den, f64::max), den)
                }
                Node::Product { factors, .. } => factors.iter().fold((0.0, 0.0), |(n, d), (b, x)| {
                    let (p, q) = of(*b);
                    let k = x.to_f64().abs();
                    if x.is_negative() { (n + q * k, d + p * k) } else { (n + p * k, d + q * k) }
                }),
                _ => {
                    let parts = |f: &ArgumentForm| f.terms.iter().map(|t| t.1.to_f64().abs()).sum::<f64>();
                    let multiples = self.forms.get(x).map_or(1.0, parts);
                    (2.0 * PART as f64 * multiples, 2.0 * PART as f64 * multiples)
                }
            };
            degrees.push(d);
        }
        self.roots.iter().map(|e| degrees[self.index[e]].0).fold(1.0, f64::max)
    }
}

/// Do only functions occur that are algebraically independent when their arguments are linearly independent?
fn is_faithful(arena: &Arena, order: &[Expr]) -> bool {
    use Function::*;
    order.iter().all(|&e| match arena.node(e) {
        Node::Number(_) | Node::Symbol(_) | Node::Sum { .. } => true,
        Node::Product { factors, .. } => factors.iter().all(|(_, x)| x.is_integer()),
        Node::Call(f, _) => matches!(f, Sin | Cos | Tan | Cot | Sec | Csc | Sinh | Cosh | Tanh | Exp),
        // Nothing relates the values of an unspecified function and its derivatives at different arguments.
        Node::Unspecified(..) => true,
        _ => false,
    })
}

/// One evaluation.
struct Run<'a> {
    evaluator: &'a FieldEvaluator,
    point: &'a FieldPoint,
    beside: FxHashMap<Expr, Fp>,
    values: Vec<Fp>,
    /// Roots and reciprocals, which take long: one of them stands in many products.
    powers: FxHashMap<(Fp, i64, i64), Fp>,
}

fn inverse(x: Fp) -> Result<Fp, Obstacle> {
    x.inverse().ok_or(Obstacle::Pole)
}

fn number(x: &Rational) -> Result<Fp, Obstacle> {
    Fp::from_rational(x).ok_or(Obstacle::Pole)
}

impl Run<'_> {
    fn value(&self, e: Expr) -> Fp {
        self.values[self.evaluator.index[&e]]
    }

    /// uˣ, kept where it is not a plain product.
    fn power(&mut self, u: Fp, x: &Rational) -> Result<Fp, Obstacle> {
        match x.small() {
            Some((n, 1)) if n >= 0 => power(u, x),
            Some((n, d)) => match self.powers.get(&(u, n, d)) {
                Some(&known) => Ok(known),
                None => {
                    let value = power(u, x)?;
                    self.powers.insert((u, n, d), value);
                    Ok(value)
                }
            },
            None => power(u, x),
        }
    }

    fn node(&mut self, arena: &Arena, e: Expr) -> Result<Fp, Obstacle> {
        let word = |e: Expr| self.value(e).value();
        match arena.node(e) {
            Node::Number(n) => number(n),
            Node::Symbol(s) => Ok(self.point.symbol(*s)),
            Node::Sum { constant, terms } => {
                let mut sum = number(constant)?;
                for (t, c) in terms {
                    sum += number(c)? * self.value(*t);
                }
                Ok(sum)
            }
            Node::Product { coefficient, factors } => {
                let mut product = number(coefficient)?;
                for (b, x) in factors {
                    product *= self.power(self.value(*b), x)?;
                }
                Ok(product)
            }
            Node::Power(a, b) => match self.evaluator.forms.get(&e) {
                Some(form) => self.exponential(form),
                None => Ok(self.point.hash([2, word(*a), word(*b), 0])),
            },
            Node::Call(f, x) => self.call(arena, e, *f, self.value(*x)),
            Node::Atan2(y, x) => Ok(self.point.hash([3, word(*y), word(*x), 0])),
            Node::Table(t, d, x) => Ok(self.point.hash([4, t.0.into(), (*d).into(), word(*x)])),
            Node::Unspecified(f, list) => {
                let f = arena.unspecified_function(*f);
                let mut words = vec![self.point.seed, 20, f.root.0.into(), list.len() as u64];
                words.extend(f.orders.iter().map(|&n| u64::from(n)));
                words.extend(list.iter().map(|&x| word(x)));
                Ok(hash_to_field(&words))
            }
            Node::Undefined => Err(Obstacle::Pole),
        }
    }

    fn call(&self, arena: &Arena, e: Expr, f: Function, u: Fp) -> Result<Fp, Obstacle> {
        use Function::*;
        match f {
            Sin | Cos | Tan | Cot | Sec | Csc => {
                let r = self.rotation(e, u)?;
                Ok(match f {
                    Sin => r.sin,
                    Cos => r.cos,
                    Tan => r.sin * inverse(r.cos)?,
                    Cot => r.cos * inverse(r.sin)?,
                    Sec => inverse(r.cos)?,
                    _ => inverse(r.sin)?,
                })
            }
            Exp | Sinh | Cosh | Tanh => {
                let exp = match self.evaluator.forms.get(&e) {
                    Some(form) => self.exponential(form)?,
                    // Only a function, but one with exp(−u) = 1/exp(u).
                    None => {
                        let (u, negative) = absolute(u);
                        let h = self.point.hash([5, u.value(), 0, 0]);
                        if negative { inverse(h * h)? } else { h * h }
                    }
                };
                let back = inverse(exp)?;
                let half = inverse(Fp::new(2))?;
                Ok(match f {
                    Exp => exp,
                    Sinh => (exp - back) * half,
                    Cosh => (exp + back) * half,
                    _ => (exp - back) * inverse(exp + back)?,
                })
            }
            Abs => Ok(absolute(u).0),
            Sign if u.is_zero() => Ok(u),
            Sign => Ok(if absolute(u).1 { -Fp::ONE } else { Fp::ONE }),
            Log => Ok(self.point.hash([6, u.value(), 0, 0])),
            Asin | Atan => Ok(self.odd(f, u)),
            Acos => Ok(self.point.symbol(arena.pi()) * inverse(Fp::new(2))? - self.odd(Asin, u)),
        }
    }

    fn odd(&self, f: Function, u: Fp) -> Fp {
        let (size, negative) = absolute(u);
        let h = self.point.hash([7, f as u64, size.value(), 0]);
        if u.is_zero() {
            u
        } else if negative {
            -h
        } else {
            h
        }
    }

    /// The angle under a trigonometric function, as a rotation.
    fn rotation(&self, e: Expr, u: Fp) -> Result<Rotation, Obstacle> {
        let Some(form) = self.evaluator.forms.get(&e) else {
            let (size, negative) = absolute(u);
            let t = self.point.hash([8, size.value(), 0, 0]);
            return Rotation::from_half_tangent(if negative { -t } else { t }).ok_or(Obstacle::Pole);
        };
        let mut r =
            if form.turns == 0 { Rotation::IDENTITY } else { Rotation::turns(form.turns, 12).ok_or(Obstacle::Pole)? };
        for (d, c) in &form.terms {
            r = r.then(self.angle(d, c)?);
        }
        Ok(r)
    }

    /// A dimension in terms of independent ones, where it depends on them.
    fn combination(&self, d: &Dimension, c: &Rational) -> Option<Vec<(Dimension, Rational)>> {
        let Dimension::Free(e) = d else { return None };
        let dependences = self.point.dependences.as_deref()?;
        let found = dependences.get(*e)?;
        let constant = (Dimension::Constant(dependences.one), &found.constant * c);
        let terms = found.terms.iter().map(|(e, x)| (Dimension::Free(*e), x * c));
        Some(terms.chain([constant]).filter(|t| !t.1.is_zero()).collect())
    }

    /// A multiple of one dimension as a rotation.
    fn angle(&self, d: &Dimension, c: &Rational) -> Result<Rotation, Obstacle> {
        if let Some(terms) = self.combination(d, c) {
            let parts = terms.iter().map(|(d, c)| self.angle(d, c));
            return parts.into_iter().try_fold(Rotation::IDENTITY, |r, part| Ok(r.then(part?)));
        }
        let circle = |words: [u64; 4]| Rotation::from_half_tangent(self.point.hash(words)).ok_or(Obstacle::Pole);
        let (key, expr) = match d {
            Dimension::Pi => {
                if let Some((n, d)) = c.small()
                    && let Some(r) = Rotation::turns(n, d as u64)
                {
                    return Ok(r);
                }
                (11, 0)
            }
            Dimension::Inverse(kind, arguments) => {
                if let Some(k) = c.to_i64() {
                    return Ok(self.inverse_angle(*kind, arguments)?.times(k));
                }
                (12, self.word_beside(arguments))
            }
            Dimension::Free(e) | Dimension::Constant(e) => (9, e.0.into()),
        };
        match (c * &Rational::integer(PART)).to_i64() {
            Some(k) => Ok(circle([key, expr, 0, 0])?.times(k)),
            // An unusual part of an angle: an angle of its own.
            None => {
                let (n, d) = c.small().ok_or(Obstacle::NoRoot)?;
                Ok(circle([key, expr, 1, d as u64])?.times(n))
            }
        }
    }

    fn word_beside(&self, arguments: &[Expr]) -> u64 {
        arguments.first().and_then(|e| self.beside.get(e)).map_or(0, |v| v.value())
    }

    fn inverse_angle(&self, kind: AtomKind, arguments: &[Expr]) -> Result<Rotation, Obstacle> {
        let root = |x: Fp| x.sqrt().ok_or(Obstacle::NoRoot);
        let value = |i: usize| arguments.get(i).and_then(|e| self.beside.get(e)).copied().ok_or(Obstacle::NoRoot);
        let u = value(0)?;
        Ok(match kind {
            AtomKind::Atan2 => {
                let x = value(1)?;
                let r = inverse(root(u * u + x * x)?)?;
                Rotation { cos: x * r, sin: u * r }
            }
            AtomKind::Call(Function::Asin) => Rotation { cos: root(Fp::ONE - u * u)?, sin: u },
            _ => {
                let cos = inverse(root(Fp::ONE + u * u)?)?;
                Rotation { cos, sin: u * cos }
            }
        })
    }

    fn exponential(&self, form: &ArgumentForm) -> Result<Fp, Obstacle> {
        let mut product = Fp::ONE;
        let independent =
            |(d, c): &(Dimension, Rational)| self.combination(d, c).unwrap_or_else(|| vec![(d.clone(), c.clone())]);
        for (d, c) in form.terms.iter().flat_map(independent) {
            let (key, expr) = match d {
                Dimension::Free(e) | Dimension::Constant(e) => (10, e.0.into()),
                Dimension::Pi => (13, 0),
                Dimension::Inverse(_, ref arguments) => (14, self.word_beside(arguments)),
            };
            // Exponentials are positive: squares.
            let (x, k) = match (&c * &Rational::integer(PART)).to_i64() {
                Some(k) => (self.point.hash([key, expr, 0, 0]), k),
                None => {
                    let (n, d) = c.small().ok_or(Obstacle::NoRoot)?;
                    (self.point.hash([key, expr, 1, d as u64]), n)
                }
            };
            product *= (x * x).powi(k).ok_or(Obstacle::Pole)?;
        }
        for (u, c) in &form.powers {
            let u = self.beside.get(u).copied().ok_or(Obstacle::NoRoot)?;
            product *= power(u, c)?;
        }
        Ok(product)
    }
}

/// The one of ±u that plays the positive number, and whether it is −u.
fn absolute(u: Fp) -> (Fp, bool) {
    if u.is_zero() || u.is_positive() { (u, false) } else { (-u, true) }
}

/// uˣ.
fn power(u: Fp, x: &Rational) -> Result<Fp, Obstacle> {
    match x.small() {
        Some((1, 1)) => Ok(u),
        Some((n, 1)) => u.powi(n).ok_or(Obstacle::Pole),
        Some((n, d)) => u.root(d as u64).ok_or(Obstacle::NoRoot)?.powi(n).ok_or(Obstacle::Pole),
        None if x.is_integer() => {
            let order = BigInt::from(PRIME - 1);
            let n = ((x.numerator() % &order) + &order) % &order;
            if u.is_zero() { Err(Obstacle::Pole) } else { Ok(u.pow(n.to_u64().unwrap_or(0))) }
        }
        None => Err(Obstacle::NoRoot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_beyond_the_machine_word_are_repeated_squares() {
        let two = Rational::integer(2);
        let exponent = two.pow(70).expect("a power");
        for n in [2, 3, -5, 1_234_567] {
            let u = Fp::from_i64(n);
            let squared = (0..70).fold(u, |u, _| u * u);
            assert_eq!(power(u, &exponent).ok(), Some(squared));
            assert_eq!(power(u, &-&exponent).ok(), squared.inverse());
        }
        assert!(power(Fp::ZERO, &exponent).is_err());
    }
}
