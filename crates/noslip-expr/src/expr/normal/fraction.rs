//! Rational functions of atoms with factored denominators.
//!
//! Monomials of free atoms sit in the numerator with negative exponents; an algebraic atom never stays in a
//! denominator as a factor of its own (1/√a = √a/a, 1/sin x = sin x/((1−cos x)(1+cos x))). What is left of a
//! denominator is a product of known factors, by number; the numerator is expanded and reduced.

use super::atoms::Atoms;
use crate::error::{Error, Result};
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly, Var};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Factors of a denominator with positive exponents, sorted by number.
pub(super) type Den = Vec<(u32, u32)>;

/// Terms of a polynomial that is being collected.
type Terms = Vec<(Monomial, Rational)>;

/// numerator / Π factorᵉˣᵖᵒⁿᵉⁿᵗ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fraction {
    pub(super) num: Poly,
    pub(super) den: Den,
}

impl Fraction {
    pub(super) fn poly(num: Poly) -> Fraction {
        Fraction { num, den: Vec::new() }
    }

    pub(super) fn number(c: Rational) -> Fraction {
        Fraction::poly(Poly::constant(c))
    }

    pub(super) fn zero() -> Fraction {
        Fraction::poly(Poly::ZERO)
    }

    pub(super) fn one() -> Fraction {
        Fraction::number(Rational::ONE)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    pub(super) fn scale(&self, c: &Rational) -> Fraction {
        if c.is_zero() {
            return Fraction::zero();
        }
        Fraction { num: self.num.scale(c), den: self.den.clone() }
    }

    pub(super) fn neg(&self) -> Fraction {
        Fraction { num: self.num.neg(), den: self.den.clone() }
    }
}

/// A polynomial taken apart: number · monomial · Π factorᵉˣᵖᵒⁿᵉⁿᵗ.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) constant: Rational,
    pub(super) monomial: Monomial,
    pub(super) factors: Den,
}

/// The factors met so far: primitive, at least two terms, positive leading coefficient, pairwise coprime as far as
/// gcds within the budget could tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    list: Vec<Arc<Poly>>,
    by_poly: FxHashMap<Arc<Poly>, u32>,
    /// A factor that turned out to be a product of others.
    split: FxHashMap<u32, Den>,
    taken_apart: FxHashMap<Poly, Arc<Parts>>,
}

/// Arithmetic of fractions: the atoms with their relations, the factors, and the budget.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) atoms: Atoms,
    pub(super) factors: Factors,
    pub(super) budget: Budget,
}

/// Exponents added.
fn join(a: &Den, b: &Den) -> Den {
    merge(a, b, |x, y| x + y)
}

fn merge(a: &Den, b: &Den, f: impl Fn(u32, u32) -> u32) -> Den {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let take_a = j == b.len() || (i < a.len() && a[i].0 <= b[j].0);
        let take_b = i == a.len() || (j < b.len() && b[j].0 <= a[i].0);
        let id = if take_a { a[i].0 } else { b[j].0 };
        let e = f(if take_a { a[i].1 } else { 0 }, if take_b { b[j].1 } else { 0 });
        if e > 0 {
            out.push((id, e));
        }
        i += usize::from(take_a);
        j += usize::from(take_b);
    }
    out
}

impl Field {
    pub(super) fn factor(&self, id: u32) -> &Arc<Poly> {
        &self.factors.list[id as usize]
    }

    pub(super) fn mul_poly(&mut self, a: &Poly, b: &Poly) -> Result<Poly> {
        let p = a.mul(b, &mut self.budget)?;
        self.atoms.reduce(p, &mut self.budget)
    }

    pub(super) fn pow_poly(&mut self, p: &Poly, n: u32) -> Result<Poly> {
        let n = i32::try_from(n).map_err(|_| Error::limit("an exponent is too large for the normal form"))?;
        if self.atoms.last_algebraic(p).is_none() {
            return p.pow(n, &mut self.budget);
        }
        // Squaring keeps the reduced polynomials small where plain powers would first grow.
        let (mut square, mut result, mut n) = (p.clone(), None, n as u32);
        while n > 0 {
            if n & 1 == 1 {
                result = Some(match result {
                    None => square.clone(),
                    Some(r) => self.mul_poly(&r, &square)?,
                });
            }
            n >>= 1;
            if n > 0 {
                square = self.mul_poly(&square, &square)?;
            }
        }
        Ok(result.unwrap_or_else(Poly::one))
    }

    /// The product of factors of a denominator.
    pub(super) fn expand(&mut self, den: &Den) -> Result<Poly> {
        let mut p = Poly::one();
        for &(id, e) in den {
            let f = self.factor(id).clone();
            let f = if e == 1 { (*f).clone() } else { self.pow_poly(&f, e)? };
            p = self.mul_poly(&p, &f)?;
        }
        Ok(p)
    }

    /// Replaces factors that have been split since.
    fn current(&self, den: &Den) -> Den {
        if self.factors.split.is_empty() || den.iter().all(|(id, _)| !self.factors.split.contains_key(id)) {
            return den.clone();
        }
        let mut out = Den::new();
        for &(id, e) in den {
            match self.factors.split.get(&id) {
                None => out = join(&out, &vec![(id, e)]),
                Some(parts) => {
                    let parts: Den = parts.iter().map(|&(i, k)| (i, k * e)).collect();
                    out = join(&out, &self.current(&parts));
                }
            }
        }
        out
    }

    /// Divides a numerator by a factor, modulo the relations, if that is possible.
    pub(super) fn divide(&mut self, num: &Poly, factor: &Poly) -> Result<Option<Poly>> {
        if let Some(q) = num.divide(factor, &mut self.budget)? {
            return Ok(Some(q));
        }
        let Some(v) = self.atoms.last_algebraic(factor) else { return Ok(None) };
        if self.atoms.degree_of(v) != 2 || factor.len() > 8 || num.len() > 2000 {
            return Ok(None);
        }
        // N/f = N·f̄/(f·f̄), where f̄ differs from f in the sign of the algebraic atom and f·f̄ is free of it.
        let conjugate = self.atoms.conjugate(factor, v);
        let norm = self.mul_poly(factor, &conjugate)?;
        if norm.is_zero() {
            return Ok(None);
        }
        let num = self.mul_poly(num, &conjugate)?;
        self.divide(&num, &norm)
    }

    /// Cancels the given factors of the denominator against the numerator.
    fn cancel(&mut self, f: &mut Fraction, which: impl Fn(u32) -> bool) -> Result<()> {
        if f.num.is_zero() {
            f.den.clear();
            return Ok(());
        }
        let mut i = 0;
        while i < f.den.len() {
            let (id, mut e) = f.den[i];
            if which(id) {
                let factor = self.factor(id).clone();
                while e > 0 {
                    let Some(q) = self.divide(&f.num, &factor)? else { break };
                    f.num = q;
                    e -= 1;
                }
            }
            if e == 0 {
                f.den.remove(i);
            } else {
                f.den[i].1 = e;
                i += 1;
            }
        }
        Ok(())
    }

    pub(super) fn mul(&mut self, a: &Fraction, b: &Fraction) -> Result<Fraction> {
        if a.is_zero() || b.is_zero() {
            return Ok(Fraction::zero());
        }
        if a.den.is_empty() && b.den.is_empty() {
            return Ok(Fraction::poly(self.mul_poly(&a.num, &b.num)?));
        }
        // Only a numerator and the other one's denominator can have something in common.
        let mut x = Fraction { num: a.num.clone(), den: self.current(&b.den) };
        let mut y = Fraction { num: b.num.clone(), den: self.current(&a.den) };
        self.cancel(&mut x, |_| true)?;
        self.cancel(&mut y, |_| true)?;
        Ok(Fraction { num: self.mul_poly(&x.num, &y.num)?, den: join(&x.den, &y.den) })
    }

    /// Σ coefficient·fraction.
    pub(super) fn sum(&mut self, terms: &[(Arc<Fraction>, Rational)]) -> Result<Fraction> {
        let total: usize = terms.iter().map(|(f, _)| f.num.len()).sum();
        self.budget.spend(total as u64)?;
        self.budget.pass(total);
        let mut groups: Vec<(Den, Terms, usize)> = Vec::new();
        for (f, c) in terms {
            f.num.count_sums(&mut self.budget)?;
            let den = self.current(&f.den);
            let scaled = f.num.terms().iter().map(|(m, d)| (m.clone(), if c.is_one() { d.clone() } else { d * c }));
            match groups.iter_mut().find(|g| g.0 == den) {
                Some(g) => {
                    g.1.extend(scaled);
                    g.2 += 1;
                }
                None => groups.push((den, scaled.collect(), 1)),
            }
        }
        let mut sums: Vec<(Fraction, bool)> =
            groups.into_iter().map(|(den, t, n)| (Fraction { num: Poly::from_terms(t), den }, n > 1)).collect();
        sums.retain(|(f, _)| !f.num.is_zero());
        match sums.len() {
            0 => return Ok(Fraction::zero()),
            1 => {
                let (mut f, several) = sums.swap_remove(0);
                self.budget.check_terms(f.num.len())?;
                if several {
                    self.cancel(&mut f, |_| true)?;
                }
                return Ok(f);
            }
            _ => {}
        }
        let den = sums.iter().fold(Den::new(), |d, (f, _)| merge(&d, &f.den, u32::max));
        let mut parts = Vec::with_capacity(sums.len());
        // A factor whose highest power stands under one reduced fraction only cannot cancel.
        let mut suspects: Vec<u32> = Vec::new();
        for &(id, e) in &den {
            let top = sums.iter().filter(|(f, _)| f.den.contains(&(id, e)));
            if top.map(|(_, several)| if *several { 2 } else { 1 }).sum::<u32>() > 1 {
                suspects.push(id);
            }
        }
        for (f, _) in &sums {
            let missing = merge(&den, &f.den, |x, y| x - y);
            let cofactor = self.expand(&missing)?;
            parts.push(self.mul_poly(&f.num, &cofactor)?);
        }
        let mut f = Fraction { num: Poly::sum(parts), den };
        self.budget.check_terms(f.num.len())?;
        self.cancel(&mut f, |id| suspects.contains(&id))?;
        Ok(f)
    }

    pub(super) fn add(&mut self, a: &Fraction, b: &Fraction) -> Result<Fraction> {
        self.sum(&[(Arc::new(a.clone()), Rational::ONE), (Arc::new(b.clone()), Rational::ONE)])
    }

    pub(super) fn sub(&mut self, a: &Fraction, b: &Fraction) -> Result<Fraction> {
        self.sum(&[(Arc::new(a.clone()), Rational::ONE), (Arc::new(b.clone()), Rational::MINUS_ONE)])
    }

    /// Takes a non-zero polynomial apart, making new factors known.
    pub(super) fn take_apart(&mut self, p: &Poly) -> Result<Arc<Parts>> {
        if let Some(parts) = self.factors.taken_apart.get(p) {
            let parts = parts.clone();
            let factors = self.current(&parts.factors);
            return Ok(if factors == parts.factors { parts } else { Arc::new(Parts { factors, ..(*parts).clone() }) });
        }
        let (constant, monomial, mut rest) = p.primitive(&mut self.budget)?;
        let mut factors = Den::new();
        // Factors already known, first.
        if rest.len() > 1 {
            for id in 0..self.factors.list.len() as u32 {
                if self.factors.split.contains_key(&id) {
                    continue;
                }
                let known = self.factor(id).clone();
                while rest.len() > 1 {
                    let Some(q) = rest.divide(&known, &mut self.budget)? else { break };
                    rest = q;
                    factors = join(&factors, &vec![(id, 1)]);
                }
            }
        }
        if rest.len() > 1 {
            // Factors are a convenience: an attempt that becomes expensive is given up.
            let given = self.budget.attempt(20_000 + 200 * rest.len() as u64 * rest.len() as u64);
            let mut used = given.clone();
            let found = rest.factor(&mut used);
            self.budget.settle(&given, &used);
            let found = match found {
                Ok(f) => f.factors,
                Err(_) => vec![(rest.clone(), 1)],
            };
            for (f, e) in found {
                let ids = self.add_factor(f)?;
                factors = join(&factors, &ids.into_iter().map(|(i, k)| (i, k * e)).collect());
            }
        }
        // Signs: every part is primitive with positive leading coefficient, and so is their product.
        let parts = Arc::new(Parts { constant, monomial, factors: self.current(&factors) });
        self.factors.taken_apart.insert(p.clone(), parts.clone());
        Ok(parts)
    }

    /// The number of a factor, refining the list to coprime ones.
    fn add_factor(&mut self, f: Poly) -> Result<Den> {
        if let Some(&id) = self.factors.by_poly.get(&f) {
            return Ok(self.current(&vec![(id, 1)]));
        }
        let variables = f.variables();
        for id in 0..self.factors.list.len() as u32 {
            let known = self.factor(id).clone();
            if self.factors.split.contains_key(&id) || !variables.iter().any(|&v| known.contains(v)) {
                continue;
            }
            let given = self.budget.attempt(20_000);
            let mut used = given.clone();
            let g = f.gcd(&known, &mut used);
            self.budget.settle(&given, &used);
            let Ok(g) = g else { continue };
            if g.len() < 2 {
                continue;
            }
            let (Some(f), Some(known)) = (f.divide(&g, &mut self.budget)?, known.divide(&g, &mut self.budget)?) else {
                continue;
            };
            if known.len() > 1 {
                // Out of the list first, or it would meet its own parts.
                self.factors.split.insert(id, Den::new());
                let parts = join(&self.add_factor(g.clone())?, &self.add_factor(known)?);
                self.factors.split.insert(id, parts);
            }
            let mut out = self.add_factor(g)?;
            if f.len() > 1 {
                out = join(&out, &self.add_factor(f)?);
            }
            return Ok(out);
        }
        let id = self.factors.list.len() as u32;
        let f = Arc::new(f);
        self.factors.list.push(f.clone());
        self.factors.by_poly.insert(f, id);
        Ok(vec![(id, 1)])
    }

    /// The inverse of a monomial: free atoms get negative exponents, algebraic ones use their relation.
    pub(super) fn invert_monomial(&mut self, m: &Monomial) -> Result<Fraction> {
        let mut free = Monomial::ONE;
        let mut result = Fraction::one();
        for (v, e) in m.factors() {
            if !self.atoms.is_algebraic(v) {
                free = free.mul(&Monomial::power(v, -e)?)?;
                continue;
            }
            for _ in 0..e {
                let inverse = self.invert_atom(v)?;
                result = self.mul(&result, &inverse)?;
            }
        }
        result.num = result.num.shift(&free)?;
        Ok(result)
    }

    /// 1/v = v^(d−1)/value, for an algebraic atom.
    fn invert_atom(&mut self, v: Var) -> Result<Fraction> {
        let Some(relation) = &self.atoms.get(v).relation else {
            return Ok(Fraction::poly(Poly::term(Monomial::power(v, -1)?, Rational::ONE)));
        };
        let (degree, value) = (relation.degree as i32, relation.value.clone());
        let inverse = self.invert(&Fraction::poly(value))?;
        let power = Fraction::poly(Poly::term(Monomial::power(v, degree - 1)?, Rational::ONE));
        self.mul(&inverse, &power)
    }

    /// The reciprocal.
    pub(super) fn invert(&mut self, f: &Fraction) -> Result<Fraction> {
        if f.is_zero() {
            return Err(Error::computation("division by an expression that is identically zero"));
        }
        let parts = self.take_apart(&f.num)?;
        let mut result = self.invert_monomial(&parts.monomial)?;
        let constant = parts.constant.recip().unwrap_or(Rational::ONE);
        let num = self.expand(&self.current(&f.den))?;
        result.num = result.num.scale(&constant);
        let over = Fraction { num, den: parts.factors.clone() };
        // A denominator and a numerator of one reduced fraction have nothing in common.
        if result.den.is_empty() {
            return Ok(Fraction { num: self.mul_poly(&result.num, &over.num)?, den: over.den });
        }
        self.mul(&result, &over)
    }

    pub(super) fn pow(&mut self, f: &Fraction, n: i64) -> Result<Fraction> {
        if n == 0 {
            return Ok(Fraction::one());
        }
        if n < 0 {
            let inverse = self.invert(f)?;
            return self.pow(&inverse, n.checked_neg().unwrap_or(i64::MAX));
        }
        let n = u32::try_from(n).map_err(|_| Error::limit("an exponent is too large for the normal form"))?;
        let mut den = f.den.clone();
        for d in &mut den {
            d.1 = d.1.checked_mul(n).ok_or_else(|| Error::limit("an exponent is too large for the normal form"))?;
        }
        Ok(Fraction { num: self.pow_poly(&f.num, n)?, den })
    }

    /// The last pass over a result: cancel whatever divides, then common factors by gcd.
    pub(super) fn finish(&mut self, f: &Fraction) -> Result<Fraction> {
        let mut f = Fraction { num: f.num.clone(), den: self.current(&f.den) };
        self.cancel(&mut f, |_| true)?;
        let mut i = 0;
        while i < f.den.len() {
            let (id, _) = f.den[i];
            let factor = self.factor(id).clone();
            let given = self.budget.attempt(100_000 + 50 * f.num.len() as u64);
            let mut used = given.clone();
            let g = f.num.gcd(&factor, &mut used);
            self.budget.settle(&given, &used);
            match g {
                Ok(g) if g.len() > 1 && g != *factor => {
                    // The factor is a product after all.
                    self.add_factor(g)?;
                    let den = self.current(&f.den);
                    if den == f.den {
                        i += 1;
                        continue;
                    }
                    f.den = den;
                    self.cancel(&mut f, |_| true)?;
                    i = 0;
                }
                _ => i += 1,
            }
        }
        Ok(f)
    }
}
