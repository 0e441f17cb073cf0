//! Greatest common divisors.
//!
//! The degrees of the gcd are found first, in the prime field, where "no common factor" (the usual answer) is already
//! a proof. Variables the gcd does not contain are given numbers, the rest is left to the heuristic gcd (evaluate at
//! a large integer, take the gcd there, read the digits), with a primitive remainder sequence behind it. The result
//! is checked by division and by the degrees, so it is right however it was found.

use super::{Budget, Monomial, Poly, Var};
use crate::error::{Error, Result};
use crate::expr::field::{Fp, SplitMix};
use crate::expr::number::{Rational, common_divisor};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// Largest size in bits of the integers the heuristic works with.
const HEURISTIC_BITS: u64 = 200_000;

impl Poly {
    /// The greatest common divisor: primitive over ℤ, positive leading coefficient, no negative exponents.
    ///
    /// Common powers of variables are included where neither polynomial has negative exponents of them.
    pub fn gcd(&self, other: &Poly, budget: &mut Budget) -> Result<Poly> {
        if self.is_zero() || other.is_zero() {
            let p = if self.is_zero() { other } else { self };
            let (_, m, rest) = p.primitive(budget)?;
            return rest.shift(&positive_part(&m));
        }
        let ((_, ma, a), (_, mb, b)) = (self.primitive(budget)?, other.primitive(budget)?);
        let monomial = positive_part(&ma).meet(&positive_part(&mb));
        let g = primitive_gcd(&a, &b, budget)?;
        g.shift(&monomial)
    }

    /// The gcd of the coefficients with respect to one variable.
    pub fn content(&self, v: Var, budget: &mut Budget) -> Result<Poly> {
        let mut parts: Vec<Poly> = self.coefficients(v).into_iter().map(|(_, p)| p).collect();
        parts.sort_by_key(Poly::len);
        let mut content = Poly::ZERO;
        for p in &parts {
            content = content.gcd(p, budget)?;
            if content.is_one() {
                break;
            }
        }
        Ok(content)
    }
}

fn positive_part(m: &Monomial) -> Monomial {
    Monomial::from_sorted(m.factors().filter(|(_, e)| *e > 0))
}

/// For primitive polynomials without monomial content.
fn primitive_gcd(a: &Poly, b: &Poly, budget: &mut Budget) -> Result<Poly> {
    if a.len() == 1 || b.len() == 1 {
        return Ok(Poly::one());
    }
    if a == b {
        return Ok(a.clone());
    }
    let (va, vb) = (a.variables(), b.variables());
    let common: Vec<Var> = va.iter().copied().filter(|v| vb.contains(v)).collect();
    if common.is_empty() {
        return Ok(Poly::one());
    }
    let all: Vec<Var> = {
        let mut all = [va, vb].concat();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut rng = SplitMix::new(0x6763_6400 ^ (a.len() as u64) << 32 ^ b.len() as u64);
    let mut degrees: Vec<(Var, usize)> = common.iter().map(|&v| (v, usize::MAX)).collect();
    for attempt in 0..12 {
        gcd_degrees(a, b, &all, &mut degrees, &mut rng, budget)?;
        if degrees.iter().all(|d| d.1 == 0) {
            return Ok(Poly::one());
        }
        if degrees.iter().any(|d| d.1 == usize::MAX) {
            continue;
        }
        // Trial division: the smaller one, or what the degrees allow.
        for (x, y) in [(a, b), (b, a)] {
            let fits = all.iter().all(|v| {
                let bound = degrees.iter().find(|d| d.0 == *v).map_or(0, |d| d.1);
                x.degree(*v) as usize <= bound
            });
            if fits && x.divides(y, budget)? {
                return Ok(x.clone());
            }
        }
        let kept: Vec<Var> = degrees.iter().filter(|d| d.1 > 0).map(|d| d.0).collect();
        let range = 5 + 20 * attempt;
        let mut image = |p: &Poly, values: &[(Var, Rational)]| -> Result<Poly> {
            let mut p = p.clone();
            for (v, x) in values {
                p = p.evaluate(*v, x, budget)?;
            }
            p.primitive_part(budget)
        };
        let values: Vec<(Var, Rational)> = all
            .iter()
            .filter(|v| !kept.contains(v))
            .map(|&v| (v, Rational::integer(2 + rng.below(range) as i64)))
            .collect();
        let (ia, ib) = (image(a, &values)?, image(b, &values)?);
        if ia.is_zero() || ib.is_zero() {
            continue;
        }
        let g = match heuristic(&ia, &ib, &kept, budget)? {
            Some(g) => g,
            None => by_remainders(&ia, &ib, &kept, budget)?,
        };
        let g = g.primitive_part(budget)?;
        // A common divisor that reaches the proven bounds is the greatest.
        if degrees.iter().all(|&(v, d)| g.degree(v) as usize == d) && g.divides(a, budget)? && g.divides(b, budget)? {
            return Ok(g);
        }
    }
    Err(Error::limit("no common divisor was found within the limits"))
}

/// Upper bounds on the degrees of the gcd, from images in the prime field with one variable left.
fn gcd_degrees(
    a: &Poly,
    b: &Poly,
    all: &[Var],
    degrees: &mut [(Var, usize)],
    rng: &mut SplitMix,
    budget: &mut Budget,
) -> Result<()> {
    let point: Vec<(Var, Fp)> = all.iter().map(|&v| (v, rng.field())).collect();
    // The values of the terms are the same for every variable that is left, but for its powers.
    if degrees.iter().all(|d| d.1 == 0) {
        return Ok(());
    }
    budget.sums(a.len(), a.length())?;
    budget.sums(b.len(), b.length())?;
    let values = values_at(a, &point).zip(values_at(b, &point));
    for (v, bound) in degrees.iter_mut() {
        if *bound == 0 {
            continue;
        }
        budget.spend((a.len() + b.len()) as u64)?;
        let inverse = point.iter().find(|x| x.0 == *v).and_then(|x| x.1.inverse());
        let (Some((va, vb)), Some(inverse)) = (&values, inverse) else { continue };
        let (da, db) = (a.degree(*v) as usize, b.degree(*v) as usize);
        let (fa, fb) = (univariate_image(a, va, *v, da, inverse), univariate_image(b, vb, *v, db, inverse));
        // A vanishing leading coefficient would make the bound a lie.
        if fa.len() != da + 1 || fb.len() != db + 1 {
            continue;
        }
        budget.spend((da * db) as u64)?;
        *bound = (*bound).min(univariate_gcd(fa, fb).len() - 1);
    }
    Ok(())
}

/// The values of the terms; none where a denominator vanishes. No negative exponents.
fn values_at(p: &Poly, point: &[(Var, Fp)]) -> Option<Vec<Fp>> {
    let mut out = Vec::with_capacity(p.len());
    for (m, c) in p.terms() {
        let mut x = Fp::from_rational(c)?;
        let mut at = 0;
        for (w, e) in m.factors() {
            at += point[at..].iter().position(|x| x.0 == w)?;
            x *= if e == 1 { point[at].1 } else { point[at].1.pow(e as u64) };
        }
        out.push(x);
    }
    Some(out)
}

/// Coefficients of the powers of `v`, lowest first, from the values of the terms and the inverse of that of `v`.
fn univariate_image(p: &Poly, values: &[Fp], v: Var, degree: usize, inverse: Fp) -> Vec<Fp> {
    let mut powers = vec![Fp::ONE; degree + 1];
    for i in 1..=degree {
        powers[i] = powers[i - 1] * inverse;
    }
    let mut out = vec![Fp::ZERO; degree + 1];
    for ((m, _), &value) in p.terms().iter().zip(values) {
        let exponent = m.exponent(v) as usize;
        out[exponent] += if exponent == 0 { value } else { value * powers[exponent] };
    }
    while out.last().is_some_and(|x| x.is_zero()) {
        out.pop();
    }
    out
}

/// Euclid in one variable over the prime field; both non-zero.
fn univariate_gcd(mut a: Vec<Fp>, mut b: Vec<Fp>) -> Vec<Fp> {
    while !b.is_empty() {
        let Some(inverse) = b.last().and_then(|x| x.inverse()) else { return a };
        while a.len() >= b.len() {
            let factor = a[a.len() - 1] * inverse;
            let shift = a.len() - b.len();
            for (i, x) in b.iter().enumerate() {
                a[shift + i] -= factor * *x;
            }
            while a.last().is_some_and(|x| x.is_zero()) {
                a.pop();
            }
        }
        std::mem::swap(&mut a, &mut b);
    }
    a
}

/// Largest absolute value of the (integer) coefficients.
fn height(p: &Poly) -> BigInt {
    p.terms().iter().map(|(_, c)| c.numerator().abs()).max().unwrap_or_default()
}

fn integer_content(p: &Poly, budget: &mut Budget) -> Result<BigInt> {
    let mut content = BigInt::zero();
    for (_, c) in p.terms() {
        budget.common_divisor(content.bits())?;
        content = common_divisor(&content, &c.numerator());
        if content.is_one() {
            break;
        }
    }
    Ok(content)
}

/// The heuristic gcd of integer polynomials in `vars` (Char, Geddes, Gonnet); `None` when it does not succeed.
fn heuristic(a: &Poly, b: &Poly, vars: &[Var], budget: &mut Budget) -> Result<Option<Poly>> {
    let (ca, cb) = (integer_content(a, budget)?, integer_content(b, budget)?);
    budget.common_divisor(ca.bits())?;
    let content = Rational::from(common_divisor(&ca, &cb));
    let Some((&v, rest)) = vars.split_first() else { return Ok(Some(Poly::constant(content))) };
    let over = |p: &Poly, c: BigInt| p.scale(&(&Rational::ONE / &Rational::from(c)));
    let (a, b) = (over(a, ca), over(b, cb));
    let mut bits = height(&a).bits().max(height(&b).bits()) + 6;
    for &w in vars {
        bits = bits.saturating_mul(1 + a.degree(w).max(b.degree(w)) as u64);
    }
    if bits > HEURISTIC_BITS {
        return Ok(None);
    }
    let mut x: BigInt = height(&a).min(height(&b)) * 2 + 29;
    for _ in 0..6 {
        budget.spend((a.len() + b.len()) as u64 * (1 + x.bits() / 16) * (1 + a.degree(v) as u64))?;
        let at = Rational::from(x.clone());
        let (ia, ib) = (a.evaluate(v, &at, budget)?, b.evaluate(v, &at, budget)?);
        if !ia.is_zero()
            && !ib.is_zero()
            && let Some(image) = heuristic(&ia, &ib, rest, budget)?
        {
            let g = digits(&image, v, &x, budget)?;
            let c = integer_content(&g, budget)?;
            if !c.is_zero() {
                let g = over(&g, c);
                if g.divides(&a, budget)? && g.divides(&b, budget)? {
                    return Ok(Some(g.scale(&content)));
                }
            }
        }
        x = x * 73794 / 27011;
    }
    Ok(None)
}

/// Reads the symmetric digits of every coefficient in base `x` as coefficients of powers of `v`.
fn digits(image: &Poly, v: Var, x: &BigInt, budget: &mut Budget) -> Result<Poly> {
    let half = x / 2;
    let mut terms = Vec::new();
    for (m, c) in image.terms() {
        let mut n = c.numerator();
        let mut exponent = 0;
        while !n.is_zero() {
            let mut digit = n.mod_floor(x);
            if digit > half {
                digit -= x;
            }
            n = (n - &digit) / x;
            if !digit.is_zero() {
                terms.push((m.mul(&Monomial::power(v, exponent)?)?, Rational::from(digit)));
            }
            exponent += 1;
        }
        budget.spend(1 + exponent as u64)?;
        budget.digits(c.bits(), x.bits().saturating_mul(exponent as u64))?;
    }
    Ok(Poly::from_terms(terms))
}

/// Primitive remainder sequence in the first variable, contents by recursion.
fn by_remainders(a: &Poly, b: &Poly, vars: &[Var], budget: &mut Budget) -> Result<Poly> {
    let Some(&v) = vars.first() else { return Ok(Poly::one()) };
    let (ca, cb) = (a.content(v, budget)?, b.content(v, budget)?);
    let content = ca.gcd(&cb, budget)?;
    let exactly = |p: &Poly, c: &Poly, budget: &mut Budget| -> Result<Poly> {
        p.divide(c, budget)?.ok_or_else(|| Error::computation("a content that does not divide"))
    };
    let (mut a, mut b) = (exactly(a, &ca, budget)?, exactly(b, &cb, budget)?);
    if a.degree(v) < b.degree(v) {
        std::mem::swap(&mut a, &mut b);
    }
    while !b.is_zero() {
        if b.degree(v) == 0 {
            return Ok(content);
        }
        let r = a.pseudo_remainder(&b, v, budget)?;
        a = b;
        b = if r.is_zero() {
            r
        } else {
            let c = r.content(v, budget)?;
            exactly(&r, &c, budget)?.primitive_part(budget)?
        };
    }
    a.mul(&content, budget)
}
