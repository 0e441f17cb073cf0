//! Arguments of functions that depend on each other at the points that are drawn.
//!
//! Sines and exponentials of arguments that are linearly independent over the rational numbers are algebraically independent,
//! and the field gives them values of their own. Where points are not free (velocities satisfy constraints, accelerations the
//! equations of motion, parameters have values) arguments may be equal that are not written alike: with z' = y·x' the
//! functions exp(z') and exp(y·x') are one. Such relations show in the values of the arguments at the points themselves: they
//! are found by linear algebra, and all functions are then written in a basis of the arguments.

use crate::expr::arena::Expr;
use crate::expr::field::{Fp, PRIME, row_reduce};
use crate::expr::number::Rational;
use rustc_hash::FxHashMap;

/// Numerators and denominators of the coefficients of a relation are below this: a number of the field that is none looks
/// like one with a probability of 10⁻⁷.
const LARGEST: u64 = 1 << 18;

/// More points than unknowns: what holds at all of them by chance has this many chances less.
pub const SPARE: usize = 3;

/// A rational combination of arguments and a rational number.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// The number.
    pub constant: Rational,
    /// The arguments with their factors.
    pub terms: Vec<(Expr, Rational)>,
}

/// Arguments that are combinations of others.
#[derive(Clone, Debug)]
pub struct Dependences {
    /// The expression 1, whose multiples are the constants.
    pub(super) one: Expr,
    dependent: FxHashMap<Expr, Combination>,
    /// Are all relations known that could be found?
    complete: bool,
}

impl Dependences {
    /// No relations.
    pub fn none(one: Expr) -> Dependences {
        Dependences { one, dependent: FxHashMap::default(), complete: true }
    }

    /// Could not be found.
    pub fn unknown(one: Expr) -> Dependences {
        Dependences { complete: false, ..Dependences::none(one) }
    }

    /// From the values of the arguments at points, one row for each point. Where arguments depend on each other the last one
    /// is expressed by those before it.
    pub fn of_values(one: Expr, arguments: &[Expr], values: &[Vec<Fp>]) -> Dependences {
        if values.len() < arguments.len() + 1 + SPARE {
            return Dependences::unknown(one);
        }
        let mut rows: Vec<Vec<Fp>> = values.iter().map(|row| [Fp::ONE].iter().chain(row).copied().collect()).collect();
        let pivots = row_reduce(&mut rows);
        let mut found = Dependences::none(one);
        for (j, &argument) in arguments.iter().enumerate() {
            if pivots.contains(&(j + 1)) {
                continue;
            }
            let mut combination = Combination { constant: Rational::ZERO, terms: Vec::new() };
            let mut rational = true;
            for (row, &pivot) in rows.iter().zip(&pivots) {
                match reconstruct(row[j + 1]) {
                    Some(c) if c.is_zero() => {}
                    Some(c) if pivot == 0 => combination.constant = c,
                    Some(c) => combination.terms.push((arguments[pivot - 1], c)),
                    None => rational = false,
                }
            }
            if rational {
                found.dependent.insert(argument, combination);
            } else {
                found.complete = false;
            }
        }
        found
    }

    pub(super) fn get(&self, argument: Expr) -> Option<&Combination> {
        self.dependent.get(&argument)
    }

    /// Is everything that is not listed independent?
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// The rational number with small numerator and denominator that is this element of the field.
fn reconstruct(x: Fp) -> Option<Rational> {
    // Euclid on (p, x), stopped halfway: r = n, t = d with n ≡ x·d.
    let (mut r0, mut r1) = (PRIME as i128, i128::from(x.value()));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 >= i128::from(LARGEST) {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    (t1.unsigned_abs() < u128::from(LARGEST)).then(|| Rational::new(r1 as i64, t1 as i64)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_fractions_come_back_and_other_numbers_do_not() {
        for (n, d) in [(0, 1), (1, 1), (-1, 1), (7, 10), (-981, 100), (65536, 99991), (-131071, 7)] {
            let r = Rational::new(n, d).unwrap();
            assert_eq!(reconstruct(Fp::from_rational(&r).unwrap()), Some(r));
        }
        assert_eq!(reconstruct(Fp::new(2).sqrt().unwrap()), None);
        assert_eq!(reconstruct(Fp::new(12345678901234567)), None);
    }

    #[test]
    fn relations_are_read_from_values() {
        let mut random = crate::expr::field::SplitMix::new(4);
        let arguments: Vec<Expr> = (10..15).map(Expr).collect();
        let third = Fp::new(3).inverse().unwrap();
        let rows: Vec<Vec<Fp>> = (0..9)
            .map(|_| {
                let (a, b) = (random.field(), random.field());
                vec![a, b, a + a - b * third + Fp::new(5), a * Fp::new(2).sqrt().unwrap(), Fp::ZERO]
            })
            .collect();
        let found = Dependences::of_values(Expr(1), &arguments, &rows);
        let number = |n, d| Rational::new(n, d).unwrap();
        let terms = vec![(arguments[0], number(2, 1)), (arguments[1], number(-1, 3))];
        assert_eq!(found.get(arguments[2]), Some(&Combination { constant: number(5, 1), terms }));
        assert_eq!(found.get(arguments[4]), Some(&Combination { constant: Rational::ZERO, terms: vec![] }));
        // √2 is no fraction: the relation exists, but is not one of rotations.
        assert!(found.get(arguments[3]).is_none() && !found.is_complete());
        assert!(!Dependences::of_values(Expr(1), &arguments, &rows[..8]).is_complete());
    }
}
