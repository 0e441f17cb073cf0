//! Logarithms: split where signs allow it, so that log(x·y) = log x + log y on the common domain.

use super::Normalizer;
use super::atoms::AtomKind;
use super::fraction::Fraction;
use super::signs::Generator;
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function};
use crate::expr::number::Rational;
use crate::expr::poly::Poly;
use crate::expr::tree::Order;
use num_integer::Integer;

impl Normalizer {
    /// log f, split into logarithms of factors whose sign is known.
    pub(super) fn log(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        if f.is_zero() {
            return Err(Error::computation("the logarithm of an expression that is identically zero"));
        }
        let p = self.product_of(arena, f)?;
        self.learn(&p)?;
        let mut result = Fraction::zero();
        let mut rest: Vec<(Generator, i64)> = Vec::new();
        for (g, e) in &p.factors {
            if self.is_known_nonnegative(g) {
                let log = match g {
                    Generator::Atom(_, v) if matches!(self.field.atoms.get(*v).kind, AtomKind::Exp(_)) => {
                        self.exponent_of(arena, *v)?
                    }
                    _ => {
                        let argument = Fraction::poly(self.generator_poly(g)?);
                        self.log_atom(arena, argument)?
                    }
                };
                result = self.field.add(&result, &log.scale(e))?;
            } else if let Some(e) = e.to_i64() {
                rest.push((g.clone(), e));
            } else {
                return Err(Error::computation("the logarithm of something that can be negative"));
            }
        }
        if rest.is_empty() && !p.negative {
            return Ok(result);
        }
        // ±Π gᵉ = Vᵏ with k as large as possible and V positive: an odd k, or V a square.
        let mut k = rest.iter().fold(0i64, |k, (_, e)| k.gcd(e)).max(1);
        if k % 2 == 0 {
            k = if p.negative { 1 } else { k / 2 };
        }
        if self.first_exponent(arena, &rest)? < 0 {
            k = -k;
        }
        let mut argument = Fraction::number(Rational::integer(if p.negative { -1 } else { 1 }));
        for (g, e) in rest {
            let power = self.generator_power(&g, e / k)?;
            argument = self.field.mul(&argument, &power)?;
        }
        let log = self.log_atom(arena, argument)?;
        self.field.add(&result, &log.scale(&Rational::integer(k)))
    }

    /// The exponent of the generator that is printed first.
    fn first_exponent(&self, arena: &mut Arena, list: &[(Generator, i64)]) -> Result<i64> {
        let mut factors = Vec::with_capacity(list.len());
        for (g, e) in list {
            let p = self.generator_poly(g)?;
            let p = if self.is_printed_negative(arena, &p) { p.neg() } else { p };
            factors.push((self.poly_to_expr(arena, &p), Rational::integer(*e)));
        }
        let roots: Vec<Expr> = factors.iter().map(|x| x.0).collect();
        Order::new(arena, &arena.reachable(&roots)).sort_factors(&mut factors);
        Ok(factors.first().and_then(|x| x.1.to_i64()).unwrap_or(1))
    }

    fn log_atom(&mut self, arena: &mut Arena, argument: Fraction) -> Result<Fraction> {
        let v = self.function_atom(arena, AtomKind::Call(Function::Log), std::slice::from_ref(&argument))?.0;
        self.logarithms.insert(v, argument);
        Ok(Fraction::poly(Poly::var(v)?))
    }
}
