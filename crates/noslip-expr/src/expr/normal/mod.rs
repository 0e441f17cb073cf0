//! The normal form: canonical rational functions over ℚ in atoms.
//!
//! An expression becomes numerator / Π factorᵏ, with polynomials in *atoms*: symbols, sine and cosine of independent
//! angles, exponentials of independent exponents, roots of independent radicands, signs, and functions nothing more
//! is known of. Atoms satisfy only the relations that are used to reduce numerators (s² = 1 − c², r² = radicand,
//! sign² = 1), so an expression is zero exactly when its numerator is: that is what proves identities.
//!
//! Which angles are independent is found from the whole batch of expressions and is a choice ([`Basis`]), as is the
//! square that is eliminated ([`Eliminate`]): presentations differ in length by orders of magnitude.
//!
//! Identities are those of real functions on the common domain: where √x occurs, x is not negative.

mod angles;
mod atoms;
mod fraction;
mod lattice;
mod logarithms;
mod output;
mod prepare;
mod roots;
mod signs;
#[cfg(test)]
mod tests;

pub use angles::Angle;
pub use atoms::{Atom, AtomKind, Atoms, Relation};

use super::arena::{Arena, Expr, Function, Node};
use super::number::Rational;
use super::poly::{Budget, Poly, Var};
use super::symbol::Symbol;
use crate::error::{Error, Result};
use crate::limits::Limits;
use angles::{Arguments, Dimensions, Kind};
use fraction::{Factors, Field, Fraction};
use lattice::Vector;
use roots::Roots;
use rustc_hash::FxHashMap;
use signs::Signs;
use std::sync::Arc;

/// Which angles the sines and cosines of the normal form are taken of.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Basis {
    /// The coordinates that occur, each with the largest unit of which all occurrences are multiples.
    #[default]
    Absolute,
    /// Differences and sums that occur, then differences of successive angles.
    Relative,
    /// These angles first, as far as they are part of a basis.
    Given(Vec<Expr>),
}

/// Which square is replaced by the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Eliminate {
    /// sin² → 1 − cos².
    #[default]
    Sine,
    /// cos² → 1 − sin².
    Cosine,
}

/// Choices of presentation, and the limits.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Independent angles.
    pub basis: Basis,
    /// The square that is replaced.
    pub eliminate: Eliminate,
    /// Angles for which another square is replaced.
    pub exceptions: Vec<(Expr, Eliminate)>,
    /// Symbols known not to be negative.
    pub positive: Vec<Symbol>,
    /// Limits.
    pub limits: Limits,
}

/// numerator / Π factorᵏ in the atoms of the [`Normalizer`] that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    /// Expanded and reduced; free atoms may have negative exponents.
    pub numerator: Poly,
    /// Factors with positive exponents: polynomials of at least two terms, or single algebraic atoms (sin θ, √a).
    pub denominator: Vec<(Poly, u32)>,
}

impl NormalForm {
    /// Is it zero? For independent atoms this is equivalent to the expression being zero wherever it is defined.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }
}

/// The argument of a function, taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct ArgumentForm {
    /// Twelfths of a half turn.
    pub(super) turns: i64,
    /// Σ coefficient·dimension.
    pub(super) terms: Vec<(Dimension, Rational)>,
    /// exp(coefficient·log base), as powers.
    pub(super) powers: Vec<(Expr, Rational)>,
}

/// What an argument is a combination of.
#[derive(Clone, Debug)]
pub(super) enum Dimension {
    /// Something that varies.
    Free(Expr),
    /// A number that may satisfy relations nobody uses.
    Constant(Expr),
    /// π.
    Pi,
    /// asin, atan or atan2 of these.
    Inverse(AtomKind, Vec<Expr>),
}

/// Turns expressions into normal forms over one table of atoms.
#[derive(Clone, Debug)]
pub struct Normalizer {
    options: Options,
    field: Field,
    memo: FxHashMap<Expr, Arc<Fraction>>,
    /// Powers of expressions with exponents that are no integers, as long as `memo` holds.
    powers: FxHashMap<(Expr, Rational), Fraction>,
    symbols: FxHashMap<Symbol, Var>,
    dimensions: Dimensions,
    circular: Arguments,
    exponential: Arguments,
    /// Vectors of the angles of [`Basis::Given`].
    given: Vec<Vector>,
    /// Hyperbolic functions are expanded in exponentials (some exponential occurs).
    exponentials_occur: bool,
    signs: Signs,
    roots: Roots,
    /// Arguments of the logarithms that are atoms.
    logarithms: FxHashMap<Var, Fraction>,
    functions: Vec<(AtomKind, Vec<Fraction>, Var)>,
    /// Something was learnt that earlier results have not used.
    changed: bool,
}

impl Normalizer {
    /// A normalizer without atoms.
    pub fn new(options: Options) -> Normalizer {
        let budget = Budget::new(&options.limits);
        Normalizer {
            options,
            field: Field { atoms: Atoms::default(), factors: Factors::default(), budget },
            memo: FxHashMap::default(),
            powers: FxHashMap::default(),
            symbols: FxHashMap::default(),
            dimensions: Dimensions::default(),
            circular: Arguments::default(),
            exponential: Arguments::default(),
            given: Vec::new(),
            exponentials_occur: false,
            signs: Signs::default(),
            roots: Roots::default(),
            logarithms: FxHashMap::default(),
            functions: Vec::new(),
            changed: false,
        }
    }

    /// The table of atoms.
    pub fn atoms(&self) -> &Atoms {
        &self.field.atoms
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The normal form of one expression.
    ///
    /// Forms made by one normalizer are comparable as long as no later expression needs finer angles; expressions that
    /// belong together are best given together, to [`Normalizer::normalize_all`].
    pub fn normalize(&mut self, arena: &mut Arena, e: Expr) -> Result<NormalForm> {
        let mut forms = self.normalize_all(arena, &[e])?;
        forms.pop().ok_or_else(|| Error::computation("no normal form"))
    }

    /// The normal forms of several expressions over common angles.
    pub fn normalize_all(&mut self, arena: &mut Arena, list: &[Expr]) -> Result<Vec<NormalForm>> {
        self.begin(arena);
        let forms = self.normal_forms(arena, list);
        self.end(arena);
        forms
    }

    /// Takes what one normal form may cost, as far as the arena's allowance goes.
    fn begin(&mut self, arena: &Arena) {
        self.field.budget = Budget::new(&self.options.limits).at_most(arena.work.left());
    }

    /// Counts what it took.
    pub(super) fn end(&self, arena: &mut Arena) {
        arena.work.charge(self.field.budget.done());
    }

    fn normal_forms(&mut self, arena: &mut Arena, list: &[Expr]) -> Result<Vec<NormalForm>> {
        let fractions = self.fractions(arena, list)?;
        let mut forms = Vec::with_capacity(list.len());
        for f in fractions {
            let f = self.field.finish(&f)?;
            forms.push(self.present(arena, &f)?);
        }
        Ok(forms)
    }

    /// Does the normal form prove that the expression is zero wherever it is defined?
    pub fn is_zero(&mut self, arena: &mut Arena, e: Expr) -> Result<bool> {
        self.are_zero(arena, &[e])
    }

    /// The same of several; what they have in common is multiplied out once.
    pub fn are_zero(&mut self, arena: &mut Arena, list: &[Expr]) -> Result<bool> {
        self.begin(arena);
        let fractions = self.fractions(arena, list);
        self.end(arena);
        Ok(fractions?.iter().all(|f| f.is_zero()))
    }

    /// The polynomial of a normal form's numerator with all denominators multiplied in, e.g. to compare two forms.
    fn fractions(&mut self, arena: &mut Arena, list: &[Expr]) -> Result<Vec<Arc<Fraction>>> {
        let order = arena.reachable(list);
        self.prepare(arena, &order)?;
        self.evaluate(arena, &order)?;
        self.keep_arguments();
        let mut out = Vec::with_capacity(list.len());
        for e in list {
            out.push(self.memo.get(e).cloned().ok_or_else(|| Error::computation("no normal form"))?);
        }
        Ok(out)
    }

    fn value(&self, e: Expr) -> Result<Arc<Fraction>> {
        self.memo.get(&e).cloned().ok_or_else(|| Error::computation("an expression was used before its parts"))
    }

    fn symbol(&mut self, arena: &mut Arena, s: Symbol) -> Result<Var> {
        if let Some(&v) = self.symbols.get(&s) {
            return Ok(v);
        }
        let e = arena.symbol(s);
        let v = self.field.atoms.push(AtomKind::Symbol(s), e, None);
        self.symbols.insert(s, v);
        Ok(v)
    }

    /// Computes the fractions of all nodes in the list, which is in topological order.
    fn evaluate(&mut self, arena: &mut Arena, order: &[Expr]) -> Result<()> {
        for &e in order {
            if self.memo.contains_key(&e) {
                continue;
            }
            self.field.budget.spend(1)?;
            let value = self.evaluate_node(arena, e)?;
            self.memo.insert(e, value);
        }
        Ok(())
    }

    fn evaluate_node(&mut self, arena: &mut Arena, e: Expr) -> Result<Arc<Fraction>> {
        let value = match arena.node(e) {
            Node::Number(n) => Fraction::number(n.clone()),
            Node::Symbol(s) => {
                let s = *s;
                Fraction::poly(Poly::var(self.symbol(arena, s)?)?)
            }
            Node::Sum { constant, terms } => {
                let mut list = Vec::with_capacity(terms.len() + 1);
                for (t, c) in terms {
                    list.push((self.value(*t)?, c.clone()));
                }
                if !constant.is_zero() {
                    list.push((Arc::new(Fraction::one()), constant.clone()));
                }
                self.field.sum(&list)?
            }
            Node::Product { coefficient, factors } => {
                let (c, factors) = (coefficient.clone(), factors.clone());
                self.product(arena, c, &factors)?
            }
            Node::Power(a, b) => {
                let (a, b) = (*a, *b);
                let v = self.exponent_of_power(arena, a, b)?;
                self.exponential(arena, v)?
            }
            Node::Call(f, x) => {
                let (f, x) = (*f, *x);
                let u = self.value(x)?;
                self.call(arena, f, &u)?
            }
            Node::Atan2(y, x) => {
                let arguments = [(*self.value(*y)?).clone(), (*self.value(*x)?).clone()];
                Fraction::poly(Poly::var(self.function_atom(arena, AtomKind::Atan2, &arguments)?.0)?)
            }
            Node::Table(t, d, x) => {
                let (kind, u) = (AtomKind::Table(*t, *d), (*self.value(*x)?).clone());
                Fraction::poly(Poly::var(self.function_atom(arena, kind, &[u])?.0)?)
            }
            Node::Unspecified(f, list) => {
                let kind = AtomKind::Unspecified(*f);
                let mut arguments = Vec::with_capacity(list.len());
                for x in list {
                    arguments.push((*self.value(*x)?).clone());
                }
                Fraction::poly(Poly::var(self.function_atom(arena, kind, &arguments)?.0)?)
            }
            Node::Undefined => return Err(Error::computation("division by zero")),
        };
        Ok(Arc::new(value))
    }

    fn product(&mut self, arena: &mut Arena, c: Rational, factors: &[(Expr, Rational)]) -> Result<Fraction> {
        let mut parts: Vec<Fraction> = Vec::with_capacity(factors.len());
        for (b, x) in factors {
            let u = self.value(*b)?;
            parts.push(match x.to_i64() {
                Some(1) => (*u).clone(),
                Some(n) => self.field.pow(&u, n)?,
                None if x.is_integer() => {
                    return Err(Error::limit("an exponent is too large for the normal form"));
                }
                None => self.root_of(arena, *b, x)?,
            });
        }
        // Small factors first: the order changes nothing but the time.
        parts.sort_by_key(|f| f.num.len());
        let mut result = Fraction::number(c);
        for f in &parts {
            result = self.field.mul(&result, f)?;
        }
        Ok(result)
    }

    fn call(&mut self, arena: &mut Arena, f: Function, u: &Fraction) -> Result<Fraction> {
        use Function::*;
        match f {
            Sin | Cos | Tan | Cot | Sec | Csc => {
                let v = self.vector(arena, u);
                let (turns, v) = self.split_turns(arena, v);
                let Some(coordinates) = self.coordinates(Kind::Circular, &v) else { return Err(unsettled()) };
                let pair = self.expand_pair(arena, Kind::Circular, &coordinates, turns)?;
                self.of_pair(f, &pair.0, &pair.1)
            }
            Sinh | Cosh | Tanh => {
                let v = self.vector(arena, u);
                let (powers, rest) = self.split_logarithms(v.clone());
                let Some(coordinates) = self.coordinates(Kind::Exponential, &rest) else { return Err(unsettled()) };
                if self.exponentials_occur || !powers.is_empty() {
                    let exp = self.exponential(arena, v)?;
                    let inverse = self.field.invert(&exp)?;
                    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
                    let cosh = self.field.add(&exp, &inverse)?.scale(&half);
                    let sinh = self.field.sub(&exp, &inverse)?.scale(&half);
                    return self.of_pair(f, &cosh, &sinh);
                }
                let pair = self.expand_pair(arena, Kind::Exponential, &coordinates, 0)?;
                self.of_pair(f, &pair.0, &pair.1)
            }
            Exp => {
                let v = self.vector(arena, u);
                self.exponential(arena, v)
            }
            Log => self.log(arena, u),
            Abs => self.abs(arena, u),
            Sign => self.sign(arena, u),
            Acos => {
                // acos u = π/2 − asin u: one inverse function less.
                let asin = self.odd_function(arena, Asin, u)?;
                let pi = arena.pi();
                let pi = Fraction::poly(Poly::var(self.symbol(arena, pi)?)?);
                let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
                self.field.sub(&pi.scale(&half), &asin)
            }
            Asin | Atan => self.odd_function(arena, f, u),
        }
    }

    fn of_pair(&mut self, f: Function, cos: &Fraction, sin: &Fraction) -> Result<Fraction> {
        use Function::*;
        let (over, under) = match f {
            Sin | Sinh => return Ok(sin.clone()),
            Cos | Cosh => return Ok(cos.clone()),
            Tan | Tanh => (sin.clone(), cos),
            Cot => (cos.clone(), sin),
            Sec => (Fraction::one(), cos),
            _ => (Fraction::one(), sin),
        };
        let inverse = self.field.invert(under)?;
        self.field.mul(&over, &inverse)
    }

    /// exp of a vector of dimensions.
    fn exponential(&mut self, arena: &mut Arena, v: Vector) -> Result<Fraction> {
        let (powers, rest) = self.split_logarithms(v);
        let Some(coordinates) = self.coordinates(Kind::Exponential, &rest) else { return Err(unsettled()) };
        let mut result = self.expand_exponential(arena, &coordinates)?;
        for (u, c) in powers {
            let power = match c.to_i64() {
                Some(n) => self.field.pow(&u, n)?,
                None if c.is_integer() => {
                    return Err(Error::limit("an exponent is too large for the normal form"));
                }
                None => self.root(arena, &u, &c)?,
            };
            result = self.field.mul(&result, &power)?;
        }
        Ok(result)
    }

    /// The exponent b·log a of aᵇ.
    fn exponent_of_power(&mut self, arena: &mut Arena, a: Expr, b: Expr) -> Result<Vector> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let log = self.log(arena, &a)?;
        let exponent = self.field.mul(&b, &log)?;
        Ok(self.vector(arena, &exponent))
    }

    fn odd_function(&mut self, arena: &mut Arena, f: Function, u: &Fraction) -> Result<Fraction> {
        if u.is_zero() {
            return Ok(Fraction::zero());
        }
        let (v, negative) = self.function_atom(arena, AtomKind::Call(f), std::slice::from_ref(u))?;
        let value = Fraction::poly(Poly::var(v)?);
        Ok(if negative { value.neg() } else { value })
    }

    /// The atom of a function of arguments, equal arguments giving the same atom; for odd functions also the sign.
    fn function_atom(&mut self, arena: &mut Arena, kind: AtomKind, arguments: &[Fraction]) -> Result<(Var, bool)> {
        let odd = matches!(kind, AtomKind::Call(Function::Asin | Function::Atan));
        for i in 0..self.functions.len() {
            if self.functions[i].0 != kind {
                continue;
            }
            if self.functions[i].1 == arguments {
                return Ok((self.functions[i].2, false));
            }
            let known = self.functions[i].1.clone();
            let mut equal = true;
            for (a, b) in known.iter().zip(arguments) {
                equal = equal && self.field.sub(a, b)?.is_zero();
            }
            if equal {
                return Ok((self.functions[i].2, false));
            }
            if odd && self.field.add(&known[0], &arguments[0])?.is_zero() {
                return Ok((self.functions[i].2, true));
            }
        }
        // Of ±u the one that prints without a sign in front is the argument of an odd function.
        let negative = odd
            && (self.is_printed_negative(arena, &arguments[0].num)
                ^ self.is_denominator_negative(arena, &arguments[0].den));
        let stored: Vec<Fraction> = arguments.iter().map(|u| if negative { u.neg() } else { u.clone() }).collect();
        let list: Vec<Expr> = stored.iter().map(|u| self.fraction_to_expr(arena, u)).collect();
        let expr = match (kind, &list[..]) {
            (AtomKind::Call(f), [x]) => arena.call(f, *x),
            (AtomKind::Atan2, [y, x]) => arena.atan2(*y, *x),
            (AtomKind::Table(t, d), [x]) => arena.table(t, d, *x),
            (AtomKind::Unspecified(f), list) => arena.unspecified(f, list),
            _ => return Err(Error::computation("a function with the wrong number of arguments")),
        };
        let v = self.field.atoms.push(kind, expr, None);
        self.functions.push((kind, stored, v));
        Ok((v, negative))
    }

    fn function_arguments(&self, v: Var) -> Option<&[Fraction]> {
        self.functions.iter().find(|f| f.2 == v).map(|f| &f.1[..])
    }
}

fn unsettled() -> Error {
    Error::computation("an argument without coordinates")
}
