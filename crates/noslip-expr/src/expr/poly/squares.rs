//! Sums of squares: where a polynomial of one sign vanishes.

use super::{Budget, Monomial, Poly};
use crate::error::Result;
use crate::expr::number::Rational;

impl Poly {
    /// For a sum of squares with numbers of one sign before them: what must vanish where it does, for real values of its variables;
    /// nothing where it vanishes nowhere. `None` where no such sum was found: squares are completed one variable after the other.
    pub fn squares(&self, budget: &mut Budget) -> Result<Option<Vec<Poly>>> {
        for sign in [Rational::ONE, Rational::MINUS_ONE] {
            if let Some(bases) = self.scale(&sign).positive_squares(budget)? {
                return Ok(Some(bases));
            }
        }
        Ok(None)
    }

    fn positive_squares(&self, budget: &mut Budget) -> Result<Option<Vec<Poly>>> {
        let mut rest = self.clone();
        let mut bases = Vec::new();
        loop {
            if let Some(last) = rest.even_powers()? {
                // A square, or a number, that vanishes nowhere.
                let never = last.iter().any(Poly::is_one);
                bases.extend(last);
                return Ok(Some(if never { Vec::new() } else { bases }));
            }
            let mixed = rest.variables().into_iter().find_map(|v| {
                let a = rest.coefficient(v, 2).as_constant().filter(|a| !a.is_zero() && !a.is_negative())?;
                let b = rest.coefficient(v, 1);
                (rest.degree(v) == 2 && rest.low_degree(v) >= 0 && !b.is_zero()).then_some((v, a, b))
            });
            let Some((v, a, b)) = mixed else { return Ok(None) };
            // 4a·(a v² + b v + c) = (2a v + b)² + 4ac − b².
            let (four, two) = (Rational::integer(4), Rational::integer(2));
            bases.push(Poly::var(v)?.scale(&(&two * &a)).add(&b).primitive_part(budget)?);
            rest = rest.coefficient(v, 0).scale(&(&four * &a)).sub(&b.square(budget)?);
        }
    }

    /// The bases of a sum of even powers with positive numbers before them; what stands in a denominator does not vanish.
    fn even_powers(&self) -> Result<Option<Vec<Poly>>> {
        let even = |m: &Monomial| m.factors().all(|(_, e)| e % 2 == 0);
        if !self.terms().iter().all(|(m, c)| !c.is_negative() && even(m)) {
            return Ok(None);
        }
        let mut bases = Vec::new();
        for (m, _) in self.terms() {
            let mut base = Monomial::ONE;
            for (v, _) in m.factors().filter(|(_, e)| *e > 0) {
                base = base.mul(&Monomial::power(v, 1)?)?;
            }
            bases.push(Poly::term(base, Rational::ONE));
        }
        Ok(Some(bases))
    }
}
