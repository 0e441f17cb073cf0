//! From numbers back to letters: coefficients of a combination as products of powers of parameters.
//!
//! A combination Σ c_k e_k that vanishes for the parameters' values usually vanishes for all values, with c_k depending on them.
//! Where each ratio of coefficients is a number times a product of powers, the exponents show when one parameter after the
//! other is doubled.

use super::conserved::null_columns;
use crate::arrange::Arrange;
use crate::expr::ansatz::lift;
use crate::expr::field::Fp;
use crate::expr::{Expr, Rational, Symbol};
use crate::mechanics::Admissible;
use crate::mechanics::Generic;
use crate::mechanics::Workbench;

/// Exponents looked for.
const EXPONENTS: std::ops::RangeInclusive<i64> = -4..=4;

/// The coefficients of the one combination of these columns that vanishes along the motion, or already at every admissible state, as
/// products of powers of the parameters; `None` when they are no such products.
pub fn coefficients(w: &mut Workbench, generic: &Generic, columns: &[Vec<Expr>], moving: bool) -> Option<Vec<Expr>> {
    let mut random = generic.clone();
    let start = random.draw_parameters();
    let at = |w: &mut Workbench, values: Vec<(Symbol, Fp)>| -> Option<Vec<Fp>> {
        let mut motions = Admissible::of(w, &generic.with_parameters(values))?;
        let space = null_columns(w, &mut motions, columns, moving)?.null_space();
        let [one] = &space[..] else { return None };
        let first = one.first()?.inverse()?;
        one.iter().all(|x| !x.is_zero()).then(|| one.iter().map(|x| *x * first).collect())
    };
    let reference = at(w, start.clone())?;
    let mut exponents: Vec<Vec<(Symbol, i64)>> = vec![Vec::new(); columns.len()];
    for (i, &(symbol, value)) in start.iter().enumerate() {
        if value.is_zero() {
            continue;
        }
        if w.g.work.is_over() {
            return None;
        }
        let mut doubled = start.clone();
        doubled[i].1 = value + value;
        for (k, (new, old)) in at(w, doubled)?.into_iter().zip(&reference).enumerate() {
            let exponent = EXPONENTS.into_iter().find(|&e| Fp::new(2).powi(e).is_some_and(|f| new == *old * f))?;
            if exponent != 0 {
                exponents[k].push((symbol, exponent));
            }
        }
    }
    let product = |values: &[(Symbol, Fp)], list: &[(Symbol, i64)]| -> Option<Fp> {
        list.iter().try_fold(Fp::ONE, |product, (s, e)| {
            let (_, value) = values.iter().find(|(x, _)| x == s)?;
            Some(product * value.powi(*e)?)
        })
    };
    let mut numbers = Vec::new();
    for (c, list) in reference.iter().zip(&exponents) {
        numbers.push(lift(*c * product(&start, list)?.inverse()?)?);
    }
    // The hypothesis at another point: only then are the exponents believed.
    let other = random.draw_parameters();
    for ((c, list), number) in at(w, other.clone())?.into_iter().zip(&exponents).zip(&numbers) {
        if c != product(&other, list)? * Fp::from_rational(number)? {
            return None;
        }
    }
    Some(clear_denominators(w, &exponents, numbers))
}

/// Multiplies all coefficients by what makes exponents and numbers whole.
fn clear_denominators(w: &mut Workbench, exponents: &[Vec<(Symbol, i64)>], numbers: Vec<Rational>) -> Vec<Expr> {
    let mut symbols: Vec<Symbol> = exponents.iter().flatten().map(|(s, _)| *s).collect();
    symbols.arrange();
    symbols.dedup();
    let of = |list: &[(Symbol, i64)], s: Symbol| list.iter().find(|(x, _)| *x == s).map_or(0, |x| x.1);
    let mut scale = Rational::ONE;
    for n in &numbers {
        let denominator = (n * &scale).denominator();
        scale = &scale * &Rational::from_big(denominator, 1.into()).unwrap_or(Rational::ONE);
    }
    exponents
        .iter()
        .zip(numbers)
        .map(|(list, number)| {
            let mut factors = Vec::new();
            for &s in &symbols {
                let lowest = exponents.iter().map(|l| of(l, s)).min().unwrap_or(0);
                factors.push((w.g.symbol(s), Rational::integer(of(list, s) - lowest)));
            }
            w.g.powers(&number * &scale, factors)
        })
        .collect()
}
