//! Signs: what the domain of an expression says about them.
//!
//! √a is defined for a ≥ 0 only, so every radicand (and every argument of a logarithm) in a batch is a *fact*: on the
//! common domain it is not negative. Facts are closed under products. |k| = k when the sign class of k is a product of
//! facts; else an atom sign(f) stays per factor f, with sign(f)² = 1, and |f| = sign(f)·f.

use super::Normalizer;
use super::atoms::AtomKind;
use super::fraction::Fraction;
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;

/// What a radicand is a product of. The order is that of expressions, so that it does not depend on the order in which
/// atoms and factors were met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Generator {
    /// The number −1.
    Minus,
    /// A prime number (or a number in which no small prime was found).
    Number(BigInt),
    /// An atom.
    Atom(Expr, Var),
    /// A factor of at least two terms.
    Factor(Expr, u32),
}

/// A product of generators modulo squares: sorted, no repetition.
pub(super) type Class = Vec<Generator>;

pub(super) fn multiply(a: &Class, b: &Class) -> Class {
    let mut out: Class = a.iter().filter(|g| !b.contains(g)).cloned().collect();
    out.extend(b.iter().filter(|g| !a.contains(g)).cloned());
    out.sort();
    out
}

/// A fraction as a product of generators with rational exponents, and a sign.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub(super) negative: bool,
    pub(super) factors: Vec<(Generator, Rational)>,
}

/// What is known about signs, and the atoms made so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs {
    /// Classes that are not negative, in echelon form (the last generator of each occurs in no later row).
    facts: Vec<Class>,
    /// The atom for the sign of a generator, or of its opposite (`true`), whichever prints without a minus sign.
    atoms: FxHashMap<Generator, (Var, bool)>,
    /// Factors as expressions.
    factors: FxHashMap<u32, Expr>,
    /// Signs of factors that are clear from their form, if they are, and how many facts were known when that was found.
    evident: FxHashMap<u32, (Option<bool>, usize)>,
}

impl Signs {
    fn reduce(&self, class: &Class) -> Class {
        let mut class = class.clone();
        for row in &self.facts {
            if row.last().is_some_and(|pivot| class.contains(pivot)) {
                class = multiply(&class, row);
            }
        }
        class
    }

    /// Learns that a class is not negative; says whether that is news.
    fn learn(&mut self, class: &Class) -> bool {
        let class = self.reduce(class);
        // −1 ≥ 0 would mean that the domain is empty: nothing useful follows from that.
        let Some(pivot) = class.last().filter(|g| **g != Generator::Minus).cloned() else { return false };
        for row in &mut self.facts {
            if row.contains(&pivot) {
                *row = multiply(row, &class);
            }
        }
        self.facts.push(class);
        self.facts.sort_by(|a, b| b.last().cmp(&a.last()));
        true
    }
}

impl Normalizer {
    /// Learns that a symbol is not negative.
    pub(super) fn assume_positive(&mut self, v: Var) {
        let g = self.atom(v);
        self.signs.learn(&vec![g]);
    }

    pub(super) fn atom(&self, v: Var) -> Generator {
        Generator::Atom(self.field.atoms.get(v).expr, v)
    }

    pub(super) fn factor(&mut self, arena: &mut Arena, id: u32) -> Generator {
        if let Some(&e) = self.signs.factors.get(&id) {
            return Generator::Factor(e, id);
        }
        let p = self.field.factor(id).clone();
        let p = if self.is_printed_negative(arena, &p) { p.neg() } else { (*p).clone() };
        let e = self.poly_to_expr(arena, &p);
        self.signs.factors.insert(id, e);
        Generator::Factor(e, id)
    }

    pub(super) fn product_of(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Product> {
        let parts = self.field.take_apart(&f.num)?;
        let mut factors: Vec<(Generator, Rational)> = Vec::new();
        let mut negative = parts.constant.is_negative();
        for (n, sign) in [(parts.constant.numerator(), 1), (parts.constant.denominator(), -1)] {
            for (p, e) in small_factors(n) {
                factors.push((Generator::Number(p), Rational::integer(sign * i64::from(e))));
            }
        }
        let mut many: Vec<(u32, i64)> = parts.factors.iter().map(|&(id, e)| (id, i64::from(e))).collect();
        for &(id, e) in &f.den {
            match many.iter_mut().find(|x| x.0 == id) {
                Some(x) => x.1 -= i64::from(e),
                None => many.push((id, -i64::from(e))),
            }
        }
        let mut atoms: Vec<(Var, i64)> = parts.monomial.factors().map(|(v, e)| (v, i64::from(e))).collect();
        self.recognise_circle(&mut many, &mut atoms, &mut negative);
        many.retain(|x| x.1 != 0);
        for (v, e) in atoms {
            let e = Rational::integer(e);
            match self.roots.root_of.get(&v) {
                // (g^(1/n))ᵉ = g^(e/n), since g is not negative.
                Some((g, n)) => factors.push((g.clone(), &e / &Rational::integer(i64::from(*n)))),
                None => factors.push((self.atom(v), e)),
            }
        }
        for (id, e) in many {
            factors.push((self.factor(arena, id), Rational::integer(e)));
        }
        factors.sort();
        let mut merged: Vec<(Generator, Rational)> = Vec::new();
        for (g, e) in factors {
            match merged.last_mut() {
                Some(last) if last.0 == g => last.1 = &last.1 + &e,
                _ => merged.push((g, e)),
            }
        }
        merged.retain(|(_, e)| !e.is_zero());
        Ok(Product { negative, factors: merged })
    }

    /// (c−1)(c+1) = −s², wherever both factors occur.
    fn recognise_circle(&self, many: &mut [(u32, i64)], atoms: &mut Vec<(Var, i64)>, negative: &mut bool) {
        for i in 0..many.len() {
            let Some((kept, true)) = self.unit_factor(many[i].0) else { continue };
            let Some(j) = (0..many.len()).find(|&j| self.unit_factor(many[j].0) == Some((kept, false))) else {
                continue;
            };
            let (a, b) = (many[i].1, many[j].1);
            let m = if a > 0 && b > 0 {
                a.min(b)
            } else if a < 0 && b < 0 {
                a.max(b)
            } else {
                0
            };
            let Some((eliminated, circular)) = self.partner(kept).filter(|_| m != 0) else { continue };
            many[i].1 -= m;
            many[j].1 -= m;
            *negative ^= circular && m % 2 != 0;
            match atoms.iter_mut().find(|x| x.0 == eliminated) {
                Some(x) => x.1 += 2 * m,
                None => atoms.push((eliminated, 2 * m)),
            }
        }
    }

    /// Is the factor v − 1 (`true`) or v + 1 (`false`)?
    pub(super) fn unit_factor(&self, id: u32) -> Option<(Var, bool)> {
        unit_factor(self.field.factor(id))
    }

    /// The sign of a generator that is clear from its form.
    pub(super) fn evident_sign(&mut self, g: &Generator) -> Option<bool> {
        match g {
            Generator::Minus => Some(true),
            Generator::Number(_) => Some(false),
            Generator::Atom(_, v) => self.field.atoms.is_nonnegative(*v).then_some(false),
            Generator::Factor(_, id) => {
                let learnt = self.signs.facts.len();
                match self.signs.evident.get(id) {
                    // What is evident stays so; what is not may become so with another fact.
                    Some(&(sign, when)) if sign.is_some() || when == learnt => sign,
                    _ => {
                        let p = self.field.factor(*id).clone();
                        self.field.budget.pass(p.len());
                        let weighed = [false, true].into_iter().find(|&negative| self.is_nonnegative(&p, negative));
                        let sign = weighed.or_else(|| self.sign_of_number(&p));
                        self.signs.evident.insert(*id, (sign, learnt));
                        sign
                    }
                }
            }
        }
    }

    /// The sign of a + b√c for numbers of different signs: that of the one with the larger square.
    fn sign_of_number(&self, p: &Poly) -> Option<bool> {
        let [(m, b), (one, a)] = p.terms() else { return None };
        let mut factors = m.factors();
        let (Some((v, 1)), None) = (factors.next(), factors.next()) else { return None };
        if !one.is_one() || self.field.atoms.degree_of(v) != 2 {
            return None;
        }
        let c = self.field.atoms.get(v).relation.as_ref().and_then(|r| r.value.as_constant())?;
        let left = &(a * a) - &(&(b * b) * &c);
        (!c.is_negative()).then(|| if left.is_negative() { b.is_negative() } else { a.is_negative() })
    }

    /// A sufficient condition for p, or −p if `negative`: what is certainly positive outweighs what is bounded.
    fn is_nonnegative(&self, p: &Poly, negative: bool) -> bool {
        let mut slack: FxHashMap<Monomial, Rational> = FxHashMap::default();
        for (m, c) in p.terms() {
            let (mut bounded, mut even) = (false, true);
            for (v, e) in m.factors() {
                if self.field.atoms.is_bounded(v) && e > 0 {
                    bounded = true;
                    even &= e % 2 == 0;
                } else if e % 2 != 0 && !self.is_atom_nonnegative(v) {
                    return false;
                }
            }
            let worst = match (bounded, even && c.is_negative() == negative) {
                (false, _) if negative => -c.clone(),
                (false, _) => c.clone(),
                (true, true) => Rational::ZERO,
                (true, false) => -c.abs(),
            };
            let free = if bounded { m.only(|v, e| e <= 0 || !self.field.atoms.is_bounded(v)) } else { m.clone() };
            let slot = slack.entry(free).or_insert(Rational::ZERO);
            *slot = &*slot + &worst;
        }
        slack.values().all(|s| !s.is_negative())
    }

    fn is_atom_nonnegative(&self, v: Var) -> bool {
        self.field.atoms.is_nonnegative(v) || self.signs.reduce(&vec![self.atom(v)]).is_empty()
    }

    pub(super) fn is_known_nonnegative(&mut self, g: &Generator) -> bool {
        match g {
            Generator::Number(_) => true,
            Generator::Atom(_, v) => self.is_atom_nonnegative(*v),
            Generator::Factor(..) => self.signed_class(vec![g.clone()]).is_empty(),
            Generator::Minus => false,
        }
    }

    /// A class with evident signs taken out and facts used: empty means "not negative".
    fn signed_class(&mut self, class: Class) -> Class {
        let mut out: Class = Vec::new();
        for g in class {
            // The sign of a sign is the sign.
            let g = match &g {
                Generator::Atom(_, v) => match self.sign_of(*v) {
                    Some((of, opposite)) => {
                        if opposite {
                            out = multiply(&out, &vec![Generator::Minus]);
                        }
                        of
                    }
                    None => g,
                },
                _ => g,
            };
            let sign = match self.evident_sign(&g) {
                Some(false) => continue,
                Some(true) => Generator::Minus,
                None => g,
            };
            out = multiply(&out, &vec![sign]);
        }
        self.signs.reduce(&out)
    }

    fn class_of(&mut self, p: &Product) -> Class {
        let odd = |e: &Rational| e.to_i64().is_some_and(|n| n % 2 != 0);
        let mut class: Class = p.factors.iter().filter(|(_, e)| odd(e)).map(|(g, _)| g.clone()).collect();
        if p.negative {
            class = multiply(&class, &vec![Generator::Minus]);
        }
        self.signed_class(class)
    }

    /// Uses the domain: `p` is not negative.
    pub(super) fn learn(&mut self, p: &Product) -> Result<()> {
        let class = self.class_of(p);
        if class == [Generator::Minus] {
            return Err(Error::computation("a root or logarithm of something negative"));
        }
        self.changed |= self.signs.learn(&class);
        Ok(())
    }

    /// The sign of a class as a product of atoms (and ±1).
    pub(super) fn sign_of_class(&mut self, arena: &mut Arena, class: Class) -> Result<Poly> {
        let mut result = Poly::one();
        for g in self.signed_class(class) {
            if g == Generator::Minus {
                result = result.neg();
                continue;
            }
            let (v, opposite) = match self.signs.atoms.get(&g) {
                Some(&x) => x,
                None => {
                    let p = self.generator_poly(&g)?;
                    let opposite = self.is_printed_negative(arena, &p);
                    let e = self.poly_to_expr(arena, &if opposite { p.neg() } else { p });
                    let sign = arena.call(Function::Sign, e);
                    let v = self.field.atoms.push(AtomKind::Sign, sign, Some((2, Poly::one())));
                    self.signs.atoms.insert(g, (v, opposite));
                    (v, opposite)
                }
            };
            if opposite {
                result = result.neg();
            }
            result = self.field.mul_poly(&result, &Poly::var(v)?)?;
        }
        Ok(result)
    }

    /// What a sign atom is the sign of, or of the opposite of what.
    pub(super) fn sign_of(&self, sign: Var) -> Option<(Generator, bool)> {
        if self.field.atoms.get(sign).kind != AtomKind::Sign {
            return None;
        }
        self.signs.atoms.iter().find(|(_, x)| x.0 == sign).map(|(g, x)| (g.clone(), x.1))
    }

    pub(super) fn generator_poly(&self, g: &Generator) -> Result<Poly> {
        Ok(match g {
            Generator::Minus => Poly::constant(Rational::MINUS_ONE),
            Generator::Number(n) => Poly::constant(Rational::from(n.clone())),
            Generator::Atom(_, v) => Poly::var(*v)?,
            Generator::Factor(_, id) => (**self.field.factor(*id)).clone(),
        })
    }

    /// gᵉ for an integer e of any sign.
    pub(super) fn generator_power(&mut self, g: &Generator, e: i64) -> Result<Fraction> {
        let f = Fraction::poly(self.generator_poly(g)?);
        self.field.pow(&f, e)
    }

    /// sign(f).
    pub(super) fn sign(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        if f.is_zero() {
            return Ok(Fraction::zero());
        }
        let p = self.product_of(arena, f)?;
        let class = self.class_of(&p);
        Ok(Fraction::poly(self.sign_of_class(arena, class)?))
    }

    /// |f|.
    pub(super) fn abs(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        let sign = self.sign(arena, f)?;
        self.field.mul(f, &sign)
    }
}

/// v − 1 (`true`) or v + 1 (`false`)?
pub(super) fn unit_factor(p: &Poly) -> Option<(Var, bool)> {
    let [(m, c), (n, d)] = p.terms() else { return None };
    let mut factors = m.factors();
    let (Some((v, 1)), None) = (factors.next(), factors.next()) else { return None };
    (n.is_one() && c.is_one() && d.abs().is_one()).then_some((v, d.is_negative()))
}

/// Small prime factors of a positive number with their exponents, and what is left.
fn small_factors(n: BigInt) -> Vec<(BigInt, u32)> {
    let mut out: Vec<(BigInt, u32)> = Vec::new();
    let mut left = BigInt::from(n.magnitude().clone());
    for p in 2u32..2000 {
        if left.is_one() {
            break;
        }
        if let Some(small) = left.to_u64()
            && u64::from(p) * u64::from(p) > small
        {
            break;
        }
        let mut e = 0;
        while (&left % p) == BigInt::ZERO {
            left /= p;
            e += 1;
        }
        if e > 0 {
            out.push((BigInt::from(p), e));
        }
    }
    if !left.is_one() {
        // A perfect square of a large prime is still seen.
        let root = left.sqrt();
        if &root * &root == left { out.push((root, 2)) } else { out.push((left, 1)) }
    }
    out
}
