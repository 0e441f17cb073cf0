//! Factors that are cheap to find: numbers, monomials, contents, square-free parts, quadratics that split, rational
//! roots. What is left need not be irreducible; nothing relies on it being so.

use super::{Budget, Monomial, Poly, Var};
use crate::arrange::Arrange;
use crate::error::Result;
use crate::expr::number::Rational;
use num_traits::ToPrimitive;

/// number · monomial · Π factorᵉˣᵖᵒⁿᵉⁿᵗ, the factors primitive, with positive leading coefficients, pairwise
/// coprime where they were found square-free, in a fixed order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factorization {
    /// The number; carries the sign.
    pub constant: Rational,
    /// The monomial; exponents may be negative.
    pub monomial: Monomial,
    /// Factors of at least two terms, with positive exponents.
    pub factors: Vec<(Poly, u32)>,
}

impl Factorization {
    /// The product of everything.
    pub fn expand(&self, budget: &mut Budget) -> Result<Poly> {
        let mut p = Poly::term(self.monomial.clone(), self.constant.clone());
        for (f, e) in &self.factors {
            for _ in 0..*e {
                p = p.mul(f, budget)?;
            }
        }
        Ok(p)
    }
}

/// The order in which factors are listed: short ones first, then by their terms.
fn order(a: &Poly, b: &Poly) -> std::cmp::Ordering {
    a.len().cmp(&b.len()).then_with(|| b.terms().cmp(a.terms()))
}

impl Poly {
    /// Square-free factorisation of the primitive part: coprime square-free factors with their exponents.
    pub fn square_free(&self, budget: &mut Budget) -> Result<Factorization> {
        self.factor_with(budget, false)
    }

    /// All factors that are cheap to find.
    pub fn factor(&self, budget: &mut Budget) -> Result<Factorization> {
        self.factor_with(budget, true)
    }

    fn factor_with(&self, budget: &mut Budget, split: bool) -> Result<Factorization> {
        let (constant, monomial, rest) = self.primitive(budget)?;
        let constant = if self.is_zero() { Rational::ZERO } else { constant };
        let mut found: Vec<(Poly, u32)> = Vec::new();
        let mut todo: Vec<(Poly, u32)> = vec![(rest, 1)];
        while let Some((p, e)) = todo.pop() {
            if p.len() < 2 {
                continue;
            }
            match reduce_once(&p, budget, split)? {
                Some(parts) => todo.extend(parts.into_iter().map(|(q, f)| (q, e * f))),
                None => match found.iter_mut().find(|(q, _)| *q == p) {
                    Some((_, f)) => *f += e,
                    None => found.push((p, e)),
                },
            }
        }
        found.arrange_by(|a, b| order(&a.0, &b.0));
        Ok(Factorization { constant, monomial, factors: found })
    }
}

/// One splitting of a primitive polynomial without monomial content into non-constant factors, or `None`.
///
/// Factors are primitive with positive leading coefficients, so their product is the polynomial (Gauss).
fn reduce_once(p: &Poly, budget: &mut Budget, split: bool) -> Result<Option<Vec<(Poly, u32)>>> {
    let vars = p.variables();
    budget.spend((p.len() * vars.len()) as u64)?;
    // A variable in which the polynomial is linear: either a content splits off, or it is irreducible in it.
    let with = |v: Var| p.terms().iter().filter(|(m, _)| m.exponent(v) != 0).count();
    let linear = vars.iter().copied().filter(|&v| p.degree(v) == 1);
    if let Some((shortest, v)) = linear.map(|v| (with(v).min(p.len() - with(v)), v)).min() {
        // Next to a coefficient of one term no other content is possible.
        if shortest == 1 {
            return Ok(None);
        }
        let content = p.content(v, budget)?;
        return Ok(match content.len() {
            0 | 1 => None,
            _ => p.divide(&content, budget)?.map(|q| vec![(content, 1), (q, 1)]),
        });
    }
    for &v in &vars {
        let content = p.content(v, budget)?;
        if content.len() > 1 {
            return Ok(p.divide(&content, budget)?.map(|q| vec![(content, 1), (q, 1)]));
        }
    }
    // Primitive in every variable: repeated factors show in the derivative by any one.
    let Some(&v) = vars.iter().min_by_key(|&&v| p.degree(v)) else { return Ok(None) };
    let g = p.gcd(&p.derivative(v)?, budget)?;
    if g.len() > 1 {
        return Ok(Some(yun(p, &g, v, budget)?));
    }
    if !split {
        return Ok(None);
    }
    for &v in &vars {
        if p.degree(v) == 2
            && let Some((f, g)) = quadratic(p, v, budget)?
        {
            return Ok(Some(vec![(f, 1), (g, 1)]));
        }
    }
    if let [v] = vars[..]
        && let Some(f) = rational_root(p, v, budget)?
    {
        return Ok(p.divide(&f, budget)?.map(|q| vec![(f, 1), (q, 1)]));
    }
    Ok(None)
}

/// Yun's algorithm, given g = gcd(p, ∂p/∂v).
fn yun(p: &Poly, g: &Poly, v: Var, budget: &mut Budget) -> Result<Vec<(Poly, u32)>> {
    let exactly = |a: &Poly, b: &Poly, budget: &mut Budget| -> Result<Poly> {
        a.divide(b, budget)?.ok_or_else(|| crate::error::Error::computation("a gcd that does not divide"))
    };
    let mut out = Vec::new();
    let mut w = exactly(p, g, budget)?;
    let mut y = exactly(&p.derivative(v)?, g, budget)?;
    let mut e = 1;
    while w.len() > 1 {
        let z = y.sub(&w.derivative(v)?);
        let f = if z.is_zero() { w.primitive_part(budget)? } else { w.gcd(&z, budget)? };
        w = exactly(&w, &f, budget)?;
        y = if z.is_zero() { z } else { exactly(&z, &f, budget)? };
        if f.len() > 1 {
            out.push((f, e));
        }
        e += 1;
    }
    Ok(out)
}

/// a·v² + b·v + c with b² − 4ac a square.
fn quadratic(p: &Poly, v: Var, budget: &mut Budget) -> Result<Option<(Poly, Poly)>> {
    let (a, b, c) = (p.coefficient(v, 2), p.coefficient(v, 1), p.coefficient(v, 0));
    let four = Rational::integer(4);
    let discriminant = b.square(budget)?.sub(&a.mul(&c, budget)?.scale(&four));
    let Some(root) = discriminant.sqrt(budget)? else { return Ok(None) };
    let first = a.scale(&Rational::integer(2)).shift(&Monomial::power(v, 1)?)?.add(&b).add(&root);
    // 2a·v + b + √Δ is a factor up to its content in v.
    let first = first.primitive_part(budget)?;
    let content = first.content(v, budget)?;
    let Some(first) = first.divide(&content, budget)? else { return Ok(None) };
    let first = first.primitive_part(budget)?;
    Ok(p.divide(&first, budget)?.map(|second| (first, second)))
}

/// A linear factor of a polynomial in one variable with small coefficients.
fn rational_root(p: &Poly, v: Var, budget: &mut Budget) -> Result<Option<Poly>> {
    const SMALL: u64 = 10_000;
    let small = |e: i32| p.coefficient(v, e).as_constant().and_then(|c| c.numerator().magnitude().to_u64());
    let (Some(lead), Some(last)) = (small(p.degree(v)), small(0)) else { return Ok(None) };
    if lead > SMALL || last > SMALL || last == 0 {
        return Ok(None);
    }
    let divisors = |n: u64| (1..=n).filter(move |d| n.is_multiple_of(*d));
    budget.spend(lead + last)?;
    for d in divisors(lead) {
        for n in divisors(last) {
            for sign in [1, -1] {
                let Some(x) = Rational::new(sign * n as i64, d as i64) else { continue };
                if x.denominator() == d.into() && p.evaluate(v, &x, budget)?.is_zero() {
                    let linear = vec![
                        (Monomial::power(v, 1)?, Rational::integer(d as i64)),
                        (Monomial::ONE, Rational::integer(-sign * n as i64)),
                    ];
                    return Ok(Some(Poly::from_terms(linear)));
                }
            }
        }
    }
    Ok(None)
}
