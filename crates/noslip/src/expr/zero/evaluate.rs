//! Evaluation in the prime field: exact, at random points, with memory shared by many expressions.
//!
//! An angle is a random point of the circle, in the same independent angles as the normal form, so that sums and
//! multiples of angles are rotations; a symbol that also occurs bare is independent of it. Roots are those of
//! [`Fp::root`]; a point where one does not exist is drawn again. A function nothing is known of gets a value by
//! hashing its argument's value: equal arguments, equal values.

use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::field::{Fp, PRIME, Rotation, hash_to_field, mix};
use crate::expr::normal::{AngleSource, ArgumentForm, ArgumentForms, AtomKind, Normalizer, Options};
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Why there is no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A division by zero.
    Pole,
    /// Something under a root has none.
    NoRoot,
}

/// Evaluates expressions at points of the prime field.
#[derive(Clone, Debug)]
pub struct FieldEvaluator {
    forms: ArgumentForms,
    faithful: bool,
}

impl FieldEvaluator {
    /// Prepares the evaluation of these expressions (and of any others whose functions occur in them).
    pub fn new(arena: &mut Arena, roots: &[Expr], options: &Options) -> FieldEvaluator {
        let mut normalizer = Normalizer::new(options.clone());
        let mut roots = roots.to_vec();
        let mut faithful = is_faithful(arena, &roots);
        // Arguments of inverse functions and bases of powers are expressions of their own, with functions of their own.
        for _ in 0..4 {
            let Ok(forms) = normalizer.argument_forms(arena, &roots) else { break };
            let before = roots.len();
            for form in forms.forms.values() {
                if let ArgumentForm::Exponent { powers, .. } = form {
                    roots.extend(powers.iter().map(|x| x.0));
                }
            }
            for source in &forms.angles {
                match source {
                    AngleSource::Inverse(_, arguments) => roots.extend(arguments),
                    AngleSource::Free => {}
                    AngleSource::Constant | AngleSource::Turns(_) => faithful = false,
                }
            }
            roots.sort_unstable();
            roots.dedup();
            if roots.len() == before {
                return FieldEvaluator { forms, faithful };
            }
        }
        // Arguments too large to expand: their functions are then only functions.
        FieldEvaluator { forms: ArgumentForms::default(), faithful: false }
    }

    /// Is a value other than zero a proof that the expression is not zero identically? (Its atoms are then
    /// algebraically independent: symbols, and sines, cosines and exponentials of independent arguments.)
    pub fn is_faithful(&self) -> bool {
        self.faithful
    }

    /// A random point, determined by its seed.
    pub fn point(&self, seed: u64) -> FieldPoint<'_> {
        FieldPoint {
            evaluator: self,
            seed,
            positive: false,
            symbols: FxHashMap::default(),
            angles: vec![None; self.forms.angles.len()],
            memo: FxHashMap::default(),
        }
    }

    /// A random point at which all symbols have roots, as positive numbers have.
    pub fn positive_point(&self, seed: u64) -> FieldPoint<'_> {
        FieldPoint { positive: true, ..self.point(seed) }
    }
}

/// Do only functions occur that are algebraically independent when their arguments are linearly independent?
fn is_faithful(arena: &Arena, roots: &[Expr]) -> bool {
    use Function::*;
    arena.reachable(roots).iter().all(|&e| match arena.node(e) {
        Node::Number(_) | Node::Symbol(_) | Node::Sum { .. } => true,
        Node::Product { factors, .. } => factors.iter().all(|(_, x)| x.is_integer()),
        Node::Call(f, _) => matches!(f, Sin | Cos | Tan | Cot | Sec | Csc | Sinh | Cosh | Tanh | Exp),
        _ => false,
    })
}

/// A point of the prime field, with the values computed there so far.
#[derive(Clone, Debug)]
pub struct FieldPoint<'a> {
    evaluator: &'a FieldEvaluator,
    seed: u64,
    positive: bool,
    symbols: FxHashMap<Symbol, Fp>,
    angles: Vec<Option<Rotation>>,
    memo: FxHashMap<Expr, Fp>,
}

impl FieldPoint<'_> {
    /// Gives a symbol a value (where it occurs bare; angles keep theirs) and forgets what depended on it.
    pub fn set(&mut self, s: Symbol, value: Fp) {
        self.symbols.insert(s, value);
        self.memo.clear();
    }

    /// The value of a symbol: the one given, else a random one.
    pub fn symbol(&self, s: Symbol) -> Fp {
        self.symbols.get(&s).copied().unwrap_or_else(|| {
            let v = hash_to_field(&[self.seed, 1, u64::from(s.0)]);
            if self.positive { v * v } else { v }
        })
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, arena: &Arena, e: Expr) -> Result<Fp, Obstacle> {
        if let Some(&v) = self.memo.get(&e) {
            return Ok(v);
        }
        let order = arena.reachable_where(&[e], |c| !self.memo.contains_key(&c));
        for x in order {
            let v = self.node(arena, x)?;
            self.memo.insert(x, v);
        }
        self.memo.get(&e).copied().ok_or(Obstacle::Pole)
    }

    /// The values of several expressions.
    pub fn evaluate_all(&mut self, arena: &Arena, list: &[Expr]) -> Result<Vec<Fp>, Obstacle> {
        list.iter().map(|&e| self.evaluate(arena, e)).collect()
    }

    fn value(&self, e: Expr) -> Result<Fp, Obstacle> {
        self.memo.get(&e).copied().ok_or(Obstacle::Pole)
    }

    fn node(&mut self, arena: &Arena, e: Expr) -> Result<Fp, Obstacle> {
        match arena.node(e) {
            Node::Number(n) => Fp::from_rational(n).ok_or(Obstacle::Pole),
            Node::Symbol(s) => Ok(self.symbol(*s)),
            Node::Sum { constant, terms } => {
                let mut sum = Fp::from_rational(constant).ok_or(Obstacle::Pole)?;
                for (t, c) in terms {
                    sum += Fp::from_rational(c).ok_or(Obstacle::Pole)? * self.value(*t)?;
                }
                Ok(sum)
            }
            Node::Product { coefficient, factors } => {
                let mut product = Fp::from_rational(coefficient).ok_or(Obstacle::Pole)?;
                for (b, x) in factors {
                    product *= power(self.value(*b)?, x)?;
                }
                Ok(product)
            }
            Node::Power(a, b) => match self.evaluator.forms.forms.get(&e) {
                Some(_) => self.exponential(arena, e),
                None => Ok(self.hash(&[2, self.value(*a)?.value(), self.value(*b)?.value()])),
            },
            Node::Call(f, x) => {
                let (f, u) = (*f, self.value(*x)?);
                self.call(arena, e, f, u)
            }
            Node::Atan2(y, x) => Ok(self.hash(&[3, self.value(*y)?.value(), self.value(*x)?.value()])),
            Node::Table(t, d, x) => Ok(self.hash(&[4, t.0.into(), (*d).into(), self.value(*x)?.value()])),
            Node::Undefined => Err(Obstacle::Pole),
        }
    }

    fn hash(&self, words: &[u64]) -> Fp {
        let mut all = vec![mix(self.seed)];
        all.extend_from_slice(words);
        hash_to_field(&all)
    }

    fn call(&mut self, arena: &Arena, e: Expr, f: Function, u: Fp) -> Result<Fp, Obstacle> {
        use Function::*;
        let inverse = |x: Fp| x.inverse().ok_or(Obstacle::Pole);
        match f {
            Sin | Cos | Tan | Cot | Sec | Csc => {
                let r = self.rotation(arena, e, u)?;
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
                let exp = match self.evaluator.forms.forms.get(&e) {
                    Some(_) => self.exponential(arena, e)?,
                    // Only a function, but one with exp(−u) = 1/exp(u).
                    None => {
                        let (u, negative) = absolute(u);
                        let h = self.hash(&[5, u.value()]);
                        if negative { inverse(h * h)? } else { h * h }
                    }
                };
                let back = inverse(exp)?;
                let half = Fp::new(2).inverse().ok_or(Obstacle::Pole)?;
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
            Log => Ok(self.hash(&[6, u.value()])),
            Asin | Atan => Ok(self.odd(f, u)),
            Acos => {
                let half = Fp::new(2).inverse().ok_or(Obstacle::Pole)?;
                Ok(self.symbol(arena.pi()) * half - self.odd(Asin, u))
            }
        }
    }

    fn odd(&self, f: Function, u: Fp) -> Fp {
        let (size, negative) = absolute(u);
        let h = self.hash(&[7, f as u64, size.value()]);
        if u.is_zero() {
            Fp::ZERO
        } else if negative {
            -h
        } else {
            h
        }
    }

    /// The angle under a trigonometric function, as a rotation.
    fn rotation(&mut self, arena: &Arena, e: Expr, u: Fp) -> Result<Rotation, Obstacle> {
        let evaluator = self.evaluator;
        let Some(ArgumentForm::Angle { turns, coordinates }) = evaluator.forms.forms.get(&e) else {
            let (size, negative) = absolute(u);
            let t = self.hash(&[8, size.value()]);
            return Rotation::from_half_tangent(if negative { -t } else { t }).ok_or(Obstacle::Pole);
        };
        let mut r = Rotation::turns(*turns, 12).ok_or(Obstacle::Pole)?;
        for &(i, k) in coordinates {
            r = r.then(self.angle(arena, i as usize)?.times(k));
        }
        Ok(r)
    }

    fn angle(&mut self, arena: &Arena, i: usize) -> Result<Rotation, Obstacle> {
        if let Some(r) = self.angles[i] {
            return Ok(r);
        }
        let evaluator = self.evaluator;
        let free =
            |point: &Self| Rotation::from_half_tangent(hash_to_field(&[point.seed, 9, i as u64])).ok_or(Obstacle::Pole);
        let r = match &evaluator.forms.angles[i] {
            AngleSource::Free | AngleSource::Constant => free(self)?,
            AngleSource::Turns(c) => match c.small() {
                Some((n, d)) => Rotation::turns(n, d as u64).map_or_else(|| free(self), Ok)?,
                None => free(self)?,
            },
            AngleSource::Inverse(kind, arguments) => {
                let values = self.evaluate_all(arena, arguments)?;
                let root = |x: Fp| x.sqrt().ok_or(Obstacle::NoRoot);
                let inverse = |x: Fp| x.inverse().ok_or(Obstacle::Pole);
                let (u, one) = (values[0], Fp::ONE);
                match (kind, values.get(1)) {
                    (AtomKind::Atan2, Some(&x)) => {
                        let r = inverse(root(u * u + x * x)?)?;
                        Rotation { cos: x * r, sin: u * r }
                    }
                    (AtomKind::Call(Function::Asin), _) => Rotation { cos: root(one - u * u)?, sin: u },
                    _ => {
                        let cos = inverse(root(one + u * u)?)?;
                        Rotation { cos, sin: u * cos }
                    }
                }
            }
        };
        self.angles[i] = Some(r);
        Ok(r)
    }

    fn exponential(&mut self, arena: &Arena, e: Expr) -> Result<Fp, Obstacle> {
        let evaluator = self.evaluator;
        let Some(ArgumentForm::Exponent { coordinates, powers }) = evaluator.forms.forms.get(&e) else {
            return Err(Obstacle::Pole);
        };
        let mut product = Fp::ONE;
        for &(i, k) in coordinates {
            // Exponentials are positive: squares.
            let x = hash_to_field(&[self.seed, 10, i.into()]);
            product *= (x * x).powi(k).ok_or(Obstacle::Pole)?;
        }
        for (u, c) in powers {
            product *= power(self.evaluate(arena, *u)?, c)?;
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

/// A bound on the degree of the expression as a rational function of the random choices.
pub(super) fn degree_bound(arena: &Arena, e: Expr, evaluator: &FieldEvaluator) -> f64 {
    // Degrees of numerator and denominator.
    let mut degrees: FxHashMap<Expr, (f64, f64)> = FxHashMap::default();
    for x in arena.reachable(&[e]) {
        let of = |e: Expr| degrees.get(&e).copied().unwrap_or((1.0, 0.0));
        let d = match arena.node(x) {
            Node::Number(_) | Node::Undefined => (0.0, 0.0),
            Node::Symbol(_) => (1.0, 0.0),
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
                let multiples = match evaluator.forms.forms.get(&x) {
                    Some(ArgumentForm::Angle { coordinates, .. } | ArgumentForm::Exponent { coordinates, .. }) => {
                        coordinates.iter().map(|c| c.1.unsigned_abs() as f64).sum()
                    }
                    None => 1.0,
                };
                (2.0 * multiples, 2.0 * multiples)
            }
        };
        degrees.insert(x, d);
    }
    degrees.get(&e).map_or(1.0, |d| d.0.max(1.0))
}
