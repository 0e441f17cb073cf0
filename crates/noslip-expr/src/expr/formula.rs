//! Formulas written as formulas: `g.of(rate - by_q - force)` instead of nested calls.
//!
//! Expressions live in an arena, which only a call can change; so the operators gather what is meant, and [`Arena::of`]
//! makes it. Sums and products of any length become one node each, as if written with [`Arena::linear`].

use super::arena::{Arena, Expr};
use super::number::Rational;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A formula in expressions of one arena, not yet made.
#[derive(Clone, Debug)]
pub enum Formula {
    /// An expression.
    Made(Expr),
    /// A sum of multiples.
    Sum(Vec<(Formula, Rational)>),
    /// A product.
    Product(Vec<Formula>),
}

impl Formula {
    /// Nothing yet: where a sum begins.
    pub const ZERO: Formula = Formula::Sum(Vec::new());

    fn terms(self, sign: Rational) -> Vec<(Formula, Rational)> {
        match self {
            Formula::Sum(terms) if sign == Rational::ONE => terms,
            Formula::Sum(terms) => terms.into_iter().map(|(f, c)| (f, &c * &sign)).collect(),
            other => vec![(other, sign)],
        }
    }

    fn factors(self) -> Vec<Formula> {
        match self {
            Formula::Product(factors) => factors,
            other => vec![other],
        }
    }

    fn plus(self, other: Formula, sign: Rational) -> Formula {
        let mut terms = self.terms(Rational::ONE);
        terms.extend(other.terms(sign));
        Formula::Sum(terms)
    }

    fn times(self, other: Formula) -> Formula {
        let mut factors = self.factors();
        factors.extend(other.factors());
        Formula::Product(factors)
    }
}

impl Arena {
    /// Makes the expression that a formula stands for.
    pub fn of(&mut self, formula: impl Into<Formula>) -> Expr {
        match formula.into() {
            Formula::Made(e) => e,
            Formula::Sum(terms) => {
                let terms: Vec<(Expr, Rational)> = terms.into_iter().map(|(f, c)| (self.of(f), c)).collect();
                self.linear(Rational::ZERO, terms)
            }
            Formula::Product(factors) => {
                let factors: Vec<Expr> = factors.into_iter().map(|f| self.of(f)).collect();
                self.product(factors)
            }
        }
    }
}

impl From<Expr> for Formula {
    fn from(e: Expr) -> Formula {
        Formula::Made(e)
    }
}

/// The operators, for expressions and formulas alike on the left.
macro_rules! operators {
    ($($left:ty),*) => {$(
        impl<R: Into<Formula>> Add<R> for $left {
            type Output = Formula;
            fn add(self, right: R) -> Formula {
                Formula::from(self).plus(right.into(), Rational::ONE)
            }
        }
        impl<R: Into<Formula>> Sub<R> for $left {
            type Output = Formula;
            fn sub(self, right: R) -> Formula {
                Formula::from(self).plus(right.into(), Rational::MINUS_ONE)
            }
        }
        impl<R: Into<Formula>> Mul<R> for $left {
            type Output = Formula;
            fn mul(self, right: R) -> Formula {
                Formula::from(self).times(right.into())
            }
        }
        impl Neg for $left {
            type Output = Formula;
            fn neg(self) -> Formula {
                Formula::Sum(Formula::from(self).terms(Rational::MINUS_ONE))
            }
        }
        /// A whole number divides; by an expression one divides with [`Arena::div`], which knows of zero.
        impl Div<i64> for $left {
            type Output = Formula;
            fn div(self, number: i64) -> Formula {
                let share = Rational::new(1, number).expect("a number that is not zero divides");
                Formula::Sum(Formula::from(self).terms(share))
            }
        }
        impl Mul<$left> for i64 {
            type Output = Formula;
            fn mul(self, right: $left) -> Formula {
                Formula::Sum(Formula::from(right).terms(Rational::integer(self)))
            }
        }
        impl Sum<$left> for Formula {
            fn sum<I: Iterator<Item = $left>>(list: I) -> Formula {
                list.fold(Formula::ZERO, |sum, f| sum + f)
            }
        }
    )*};
}
operators!(Expr, Formula);

impl<R: Into<Formula>> AddAssign<R> for Formula {
    fn add_assign(&mut self, right: R) {
        *self = std::mem::replace(self, Formula::ZERO) + right;
    }
}

impl<R: Into<Formula>> SubAssign<R> for Formula {
    fn sub_assign(&mut self, right: R) {
        *self = std::mem::replace(self, Formula::ZERO) - right;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Role;

    #[test]
    fn a_formula_is_what_the_calls_make() {
        let mut g = Arena::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| {
            let s = g.declare(name, Role::Other);
            g.symbol(s)
        });
        let by_calls = {
            let ab = g.mul(a, b);
            let half = Rational::new(1, 2).expect("a half");
            g.linear(Rational::ZERO, [(ab, half), (c, Rational::MINUS_ONE), (a, Rational::integer(3))])
        };
        assert_eq!(g.of(a * b / 2 - c + 3 * a), by_calls);
        let (minus, twice) = (g.neg(by_calls), g.scale(by_calls, &Rational::integer(2)));
        assert_eq!(g.of(-(a * b / 2 - c + 3 * a)), minus);
        assert_eq!(g.of(2 * (a * b / 2 - c + 3 * a)), twice);
        let (ab, bc) = (g.sub(a, b), g.sub(b, c));
        let product = g.product([ab, bc, a]);
        assert_eq!(g.of((a - b) * (b - c) * a), product, "a product of sums stays one");
        let mut sum = Formula::ZERO;
        sum += a;
        sum -= b * c;
        let list = [a, b, c].into_iter().sum::<Formula>();
        let (expected, all) = (g.mul(b, c), g.sum([a, b, c]));
        let expected = g.sub(a, expected);
        assert_eq!((g.of(sum), g.of(list)), (expected, all));
        assert_eq!(g.of(Formula::ZERO), g.zero());
    }
}
