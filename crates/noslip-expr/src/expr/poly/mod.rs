//! Sparse polynomials in many variables over the rational numbers.
//!
//! Exponents are integers and may be negative: division by a monomial stays inside, which avoids most fractions of
//! mechanics (m, r, cos θ in denominators). Everything that can grow takes a [`Budget`].

mod budget;
mod division;
mod factor;
mod gcd;
mod monomial;
mod product;
mod squares;

pub use budget::Budget;
use budget::Length;
pub use monomial::{Monomial, Var};

use super::field::Fp;
use super::number::{Rational, common_divisor};
use crate::error::Result;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

/// A polynomial: terms sorted from the largest monomial to the smallest, no zero coefficients.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Poly {
    terms: Vec<(Monomial, Rational)>,
}

impl Poly {
    /// The zero polynomial.
    pub const ZERO: Poly = Poly { terms: Vec::new() };

    /// A number.
    pub fn constant(c: Rational) -> Poly {
        Poly::term(Monomial::ONE, c)
    }

    /// The number one.
    pub fn one() -> Poly {
        Poly::constant(Rational::ONE)
    }

    /// c·m.
    pub fn term(m: Monomial, c: Rational) -> Poly {
        Poly { terms: if c.is_zero() { Vec::new() } else { vec![(m, c)] } }
    }

    /// A variable.
    pub fn var(v: Var) -> Result<Poly> {
        Ok(Poly::term(Monomial::power(v, 1)?, Rational::ONE))
    }

    /// From terms in any order.
    pub fn from_terms(mut terms: Vec<(Monomial, Rational)>) -> Poly {
        terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = &kept.1 + &next.1;
            }
            same
        });
        terms.retain(|(_, c)| !c.is_zero());
        Poly { terms }
    }

    /// From terms already sorted from the largest to the smallest, distinct and non-zero.
    pub(in crate::expr) fn from_sorted(terms: Vec<(Monomial, Rational)>) -> Poly {
        debug_assert!(terms.windows(2).all(|w| w[0].0 > w[1].0) && terms.iter().all(|t| !t.1.is_zero()));
        Poly { terms }
    }

    /// The terms, from the largest monomial to the smallest.
    pub fn terms(&self) -> &[(Monomial, Rational)] {
        &self.terms
    }

    /// The same, taken out of it.
    pub(in crate::expr) fn into_terms(self) -> Vec<(Monomial, Rational)> {
        self.terms
    }

    /// How long the longest coefficient is.
    pub(in crate::expr) fn length(&self) -> Length {
        Length::of(self.terms.iter().map(|(_, c)| c))
    }

    /// Counts a step of arithmetic with each coefficient, beyond what machine words take.
    pub(in crate::expr) fn count_numbers(&self, budget: &mut Budget) -> Result<()> {
        let length = self.length();
        budget.numbers(self.len(), length, length)
    }

    /// Counts a sum with each coefficient, beyond what machine words take.
    pub(in crate::expr) fn count_sums(&self, budget: &mut Budget) -> Result<()> {
        budget.sums(self.len(), self.length())
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is it the zero polynomial?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Has it no terms? (The same as being zero.)
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Is it the number one?
    pub fn is_one(&self) -> bool {
        self.as_constant().is_some_and(|c| c.is_one())
    }

    /// The number it is, if it is one.
    pub fn as_constant(&self) -> Option<Rational> {
        match &self.terms[..] {
            [] => Some(Rational::ZERO),
            [(m, c)] if m.is_one() => Some(c.clone()),
            _ => None,
        }
    }

    /// The variables that occur, in order.
    pub fn variables(&self) -> Vec<Var> {
        let mut seen: Vec<Var> = Vec::new();
        for (v, _) in self.terms.iter().flat_map(|(m, _)| m.factors()) {
            if let Err(at) = seen.binary_search(&v) {
                seen.insert(at, v);
            }
        }
        seen
    }

    /// Does the variable occur?
    pub fn contains(&self, v: Var) -> bool {
        self.terms.iter().any(|(m, _)| m.exponent(v) != 0)
    }

    /// Largest exponent of a variable (0 for the zero polynomial).
    pub fn degree(&self, v: Var) -> i32 {
        self.terms.iter().map(|(m, _)| m.exponent(v)).max().unwrap_or(0)
    }

    /// Smallest exponent of a variable (0 for the zero polynomial).
    pub fn low_degree(&self, v: Var) -> i32 {
        self.terms.iter().map(|(m, _)| m.exponent(v)).min().unwrap_or(0)
    }

    /// Coefficients of the powers of one variable, from the highest power to the lowest.
    pub fn coefficients(&self, v: Var) -> Vec<(i32, Poly)> {
        let mut parts: std::collections::BTreeMap<i32, Vec<(Monomial, Rational)>> = Default::default();
        for (m, c) in &self.terms {
            let (e, rest) = m.split_off(v);
            parts.entry(e).or_default().push((rest, c.clone()));
        }
        // Taking out one variable of one exponent keeps the order of what remains.
        parts.into_iter().rev().map(|(e, terms)| (e, Poly::from_sorted(terms))).collect()
    }

    /// The coefficient of one power of one variable.
    pub fn coefficient(&self, v: Var, exponent: i32) -> Poly {
        let terms = self.terms.iter().filter_map(|(m, c)| {
            let (e, rest) = m.split_off(v);
            (e == exponent).then(|| (rest, c.clone()))
        });
        Poly::from_sorted(terms.collect())
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Poly {
        self.combine(other, false)
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Poly {
        self.combine(other, true)
    }

    fn combine(&self, other: &Poly, negate: bool) -> Poly {
        let (a, b) = (&self.terms, &other.terms);
        let signed = |c: &Rational| if negate { -c } else { c.clone() };
        let mut terms = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            match a[i].0.cmp(&b[j].0) {
                std::cmp::Ordering::Greater => {
                    terms.push(a[i].clone());
                    i += 1;
                }
                std::cmp::Ordering::Less => {
                    terms.push((b[j].0.clone(), signed(&b[j].1)));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    let c = if negate { &a[i].1 - &b[j].1 } else { &a[i].1 + &b[j].1 };
                    if !c.is_zero() {
                        terms.push((a[i].0.clone(), c));
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        terms.extend_from_slice(&a[i..]);
        terms.extend(b[j..].iter().map(|(m, c)| (m.clone(), signed(c))));
        Poly { terms }
    }

    /// Sum of many polynomials: all terms at once, so that a long sum does not cost its square.
    pub fn sum(mut list: Vec<Poly>) -> Poly {
        list.retain(|p| !p.is_zero());
        match &mut list[..] {
            [] => Poly::ZERO,
            [p] => std::mem::take(p),
            [p, q] => p.add(q),
            _ => {
                let mut terms = Vec::with_capacity(list.iter().map(Poly::len).sum());
                terms.extend(list.into_iter().flat_map(|p| p.terms));
                Poly::from_terms(terms)
            }
        }
    }

    /// Minus the polynomial.
    pub fn neg(&self) -> Poly {
        Poly { terms: self.terms.iter().map(|(m, c)| (m.clone(), -c)).collect() }
    }

    /// c times the polynomial.
    pub fn scale(&self, c: &Rational) -> Poly {
        if c.is_zero() {
            return Poly::ZERO;
        }
        if c.is_one() {
            return self.clone();
        }
        Poly { terms: self.terms.iter().map(|(m, d)| (m.clone(), d * c)).collect() }
    }

    /// The polynomial times a monomial.
    pub fn shift(&self, by: &Monomial) -> Result<Poly> {
        if by.is_one() {
            return Ok(self.clone());
        }
        let terms: Result<_> = self.terms.iter().map(|(m, c)| Ok((m.mul(by)?, c.clone()))).collect();
        Ok(Poly { terms: terms? })
    }

    /// The polynomial divided by a monomial.
    pub fn unshift(&self, by: &Monomial) -> Result<Poly> {
        if by.is_one() {
            return Ok(self.clone());
        }
        let terms: Result<_> = self.terms.iter().map(|(m, c)| Ok((m.div(by)?, c.clone()))).collect();
        Ok(Poly { terms: terms? })
    }

    /// Partial derivative.
    pub fn derivative(&self, v: Var) -> Result<Poly> {
        let by = Monomial::power(v, 1)?;
        let mut terms = Vec::new();
        for (m, c) in &self.terms {
            let e = m.exponent(v);
            if e != 0 {
                terms.push((m.div(&by)?, c * &Rational::integer(e.into())));
            }
        }
        Ok(Poly::from_sorted(terms))
    }

    /// The largest monomial that divides every term (exponents may be negative); one for the zero polynomial.
    pub fn monomial_content(&self) -> Monomial {
        let mut terms = self.terms.iter();
        let Some((first, _)) = terms.next() else { return Monomial::ONE };
        let mut content = first.clone();
        for (m, _) in terms {
            content = content.meet(m);
        }
        content
    }

    /// The rational number that makes the rest primitive with integer coefficients and positive leading
    /// coefficient; one for the zero polynomial.
    pub fn rational_content(&self, budget: &mut Budget) -> Result<Rational> {
        let Some((_, lead)) = self.terms.first() else { return Ok(Rational::ONE) };
        let small: Option<(i64, i64)> = self.terms.iter().try_fold((0i64, 1i64), |(n, d), (_, c)| {
            let (cn, cd) = c.small()?;
            let d = if cd == 1 { d } else { (d / d.gcd(&cd)).checked_mul(cd)? };
            let n = if n == 1 { 1 } else { n.gcd(&cn.checked_abs()?) };
            Some((n, d))
        });
        let content = match small {
            Some((n, d)) => Rational::new(n, d).unwrap_or(Rational::ONE),
            None => {
                let (mut n, mut d) = (BigInt::from(0), BigInt::from(1));
                for (_, c) in &self.terms {
                    if !n.is_one() {
                        budget.common_divisor(n.bits().min(c.bits()))?;
                        n = common_divisor(&n, &c.numerator());
                    }
                    if !c.is_integer() {
                        budget.common_divisor(d.bits().min(c.bits()))?;
                        let below = c.denominator();
                        d *= &below / common_divisor(&d, &below);
                    }
                }
                Rational::from_big(n, d).unwrap_or(Rational::ONE)
            }
        };
        Ok(if lead.is_negative() { -content } else { content })
    }

    /// Splits into number · monomial · primitive polynomial with positive leading coefficient.
    pub fn primitive(&self, budget: &mut Budget) -> Result<(Rational, Monomial, Poly)> {
        if self.is_zero() {
            return Ok((Rational::ONE, Monomial::ONE, Poly::ZERO));
        }
        let (c, m) = (self.rational_content(budget)?, self.monomial_content());
        if c.is_one() {
            let rest = self.unshift(&m)?;
            return Ok((c, m, rest));
        }
        self.count_numbers(budget)?;
        let inverse = &Rational::ONE / &c;
        let rest = if m.is_one() {
            self.scale(&inverse)
        } else {
            let terms: Result<_> = self.terms.iter().map(|(n, d)| Ok((n.div(&m)?, d * &inverse))).collect();
            Poly { terms: terms? }
        };
        Ok((c, m, rest))
    }

    /// The primitive part, without monomial content.
    pub fn primitive_part(&self, budget: &mut Budget) -> Result<Poly> {
        Ok(self.primitive(budget)?.2)
    }

    /// Puts a number in the place of a variable; the number must not be zero where exponents are negative.
    pub fn evaluate(&self, v: Var, value: &Rational, budget: &mut Budget) -> Result<Poly> {
        let mut powers: Vec<(i32, Rational)> = Vec::new();
        let mut terms = Vec::with_capacity(self.len());
        budget.spend(self.len() as u64)?;
        for (m, c) in &self.terms {
            let (e, rest) = m.split_off(v);
            let power = match powers.iter().find(|(k, _)| *k == e) {
                Some((_, p)) => p.clone(),
                None => {
                    let bits = value.bits().saturating_mul(e.unsigned_abs().into());
                    budget.check_bits(bits)?;
                    budget.digits(bits, bits)?;
                    let p = value
                        .pow(e)
                        .ok_or_else(|| crate::error::Error::computation("division by zero in a polynomial"))?;
                    powers.push((e, p.clone()));
                    p
                }
            };
            budget.digits(c.bits(), power.bits())?;
            terms.push((rest, c * &power));
        }
        budget.sums(terms.len(), Length::of(terms.iter().map(|(_, c)| c)))?;
        Ok(Poly::from_terms(terms))
    }

    /// The value in the prime field; `None` where a negative power of zero or a denominator divisible by p occurs.
    pub fn value_in_field(&self, value: impl Fn(Var) -> Fp) -> Option<Fp> {
        let mut sum = Fp::ZERO;
        for (m, c) in &self.terms {
            let mut product = Fp::from_rational(c)?;
            for (v, e) in m.factors() {
                product *= value(v).powi(e.into())?;
            }
            sum += product;
        }
        Some(sum)
    }

    /// Renames variables; the new names may be in any order.
    pub fn rename(&self, name: impl Fn(Var) -> Var) -> Result<Poly> {
        let mut terms = Vec::with_capacity(self.len());
        for (m, c) in &self.terms {
            let mut renamed = Monomial::ONE;
            for (v, e) in m.factors() {
                renamed = renamed.mul(&Monomial::power(name(v), e)?)?;
            }
            terms.push((renamed, c.clone()));
        }
        Ok(Poly::from_terms(terms))
    }
}

impl std::fmt::Debug for Poly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (i, (m, c)) in self.terms.iter().enumerate() {
            let separator = if i > 0 { " + " } else { "" };
            write!(f, "{separator}{c}*{m:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
