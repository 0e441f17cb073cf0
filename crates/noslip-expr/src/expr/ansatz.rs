//! Unknown coefficients: combinations Σ c_k e_k with constant c_k that vanish identically, found at random points of the
//! prime field and lifted to rational numbers.

use crate::expr::Rational;
use crate::expr::field::{Fp, PRIME};

/// Rows in echelon form that grow one by one: cheap to see early that no combination vanishes.
#[derive(Clone, Debug)]
pub struct Echelon {
    columns: usize,
    /// Pivot column and row, the pivot scaled to one.
    rows: Vec<(usize, Vec<Fp>)>,
}

impl Echelon {
    /// No rows yet.
    pub fn new(columns: usize) -> Echelon {
        Echelon { columns, rows: Vec::new() }
    }

    /// Adds a row; was it independent of the others?
    pub fn push(&mut self, mut row: Vec<Fp>) -> bool {
        for (pivot, known) in &self.rows {
            let factor = row[*pivot];
            if !factor.is_zero() {
                row.iter_mut().zip(known).skip(*pivot).for_each(|(x, k)| *x -= factor * *k);
            }
        }
        let Some(pivot) = row.iter().position(|x| !x.is_zero()) else { return false };
        let Some(inverse) = row[pivot].inverse() else { return false };
        row.iter_mut().for_each(|x| *x *= inverse);
        let at = self.rows.partition_point(|(p, _)| *p < pivot);
        self.rows.insert(at, (pivot, row));
        true
    }

    /// Is there no combination left?
    pub fn is_full(&self) -> bool {
        self.rows.len() == self.columns
    }

    /// A basis of the c with row·c = 0 for all rows. Each vector has a 1 in a column of its own, and otherwise entries
    /// only in earlier pivot columns: with simple columns first, simple combinations come first.
    pub fn null_space(&self) -> Vec<Vec<Fp>> {
        let mut reduced: Vec<Vec<Fp>> = self.rows.iter().map(|(_, r)| r.clone()).collect();
        for i in (0..reduced.len()).rev() {
            let (upper, lower) = reduced.split_at_mut(i);
            let (pivot, row) = (self.rows[i].0, &lower[0]);
            for other in upper {
                let factor = other[pivot];
                if !factor.is_zero() {
                    other.iter_mut().zip(row).for_each(|(x, k)| *x -= factor * *k);
                }
            }
        }
        let free = (0..self.columns).filter(|c| self.rows.iter().all(|(p, _)| p != c));
        free.map(|c| {
            let mut x = vec![Fp::ZERO; self.columns];
            x[c] = Fp::ONE;
            for ((pivot, _), row) in self.rows.iter().zip(&reduced) {
                x[*pivot] = -row[c];
            }
            x
        })
        .collect()
    }

    /// The pivot columns: a maximal set of independent columns, the earliest possible.
    pub fn pivots(&self) -> Vec<usize> {
        self.rows.iter().map(|(p, _)| *p).collect()
    }
}

/// Draws that add nothing before a rank is believed.
const IDLE_DRAWS: usize = 4;

/// The constant combinations of `columns` functions that vanish, where each draw gives rows of their values at one
/// random point. `None` when draws fail.
pub fn vanishing(columns: usize, mut draw: impl FnMut() -> Option<Vec<Vec<Fp>>>) -> Option<Echelon> {
    let mut echelon = Echelon::new(columns);
    let mut idle = 0;
    while idle < IDLE_DRAWS && !echelon.is_full() {
        let mut grown = false;
        for row in draw()? {
            grown |= echelon.push(row);
        }
        idle = if grown { 0 } else { idle + 1 };
    }
    Some(echelon)
}

/// Numerator times denominator of a number that is believed for its residue alone. Of all residues one in 60000 belongs to such a
/// number; of the numbers that [`lift_far`] gives there are so many that one residue in seven has one, and a number that is
/// none of them, as 1.234567890123² is, would be told as another.
const BELIEVED: i128 = 1 << 40;

/// The rational number with a small numerator and denominator that has this residue, if there is one.
pub fn lift(x: Fp) -> Option<Rational> {
    lift_far(x).filter(is_believed)
}

fn is_believed(r: &Rational) -> bool {
    r.small().is_some_and(|(n, d)| i128::from(n).abs() * i128::from(d) <= BELIEVED)
}

/// The rational number n/d with |n|, d ≤ 2²⁹ that has this residue, if there is one (it is unique): a proposal, to be proved.
fn lift_far(x: Fp) -> Option<Rational> {
    const BOUND: i128 = 1 << 29;
    let (mut r0, mut r1) = (i128::from(PRIME), i128::from(x.value()));
    let (mut t0, mut t1) = (0i128, 1i128);
    while r1 > BOUND {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (t0, t1) = (t1, t0 - q * t1);
    }
    if t1 == 0 || t1.abs() > BOUND {
        return None;
    }
    let (n, d) = if t1 < 0 { (-r1, -t1) } else { (r1, t1) };
    Rational::new(i64::try_from(n).ok()?, i64::try_from(d).ok()?)
}

/// Lifts a combination and clears denominators and common factors; the first coefficient becomes positive.
pub fn lift_all(combination: &[Fp]) -> Option<Vec<Rational>> {
    propose_all(combination).and_then(|(numbers, believed)| believed.then_some(numbers))
}

/// The same with numbers that need a proof, unless they are said to be believed.
pub fn propose_all(combination: &[Fp]) -> Option<(Vec<Rational>, bool)> {
    let first = combination.iter().find(|x| !x.is_zero())?.inverse()?;
    let ratios: Vec<Rational> = combination.iter().map(|&x| lift_far(x * first)).collect::<Option<_>>()?;
    let believed = ratios.iter().all(is_believed);
    let mut denominator = num_bigint::BigInt::from(1);
    let mut numerator = num_bigint::BigInt::from(0);
    for r in &ratios {
        denominator = num_integer::lcm(denominator, r.denominator());
    }
    for r in &ratios {
        numerator = num_integer::gcd(numerator, r.numerator() * (&denominator / r.denominator()));
    }
    let scale = Rational::from_big(denominator, numerator)?;
    Some((ratios.iter().map(|r| r * &scale).collect(), believed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::field::SplitMix;

    #[test]
    fn rational_numbers_are_lifted_from_their_residues() {
        let mut random = SplitMix::new(5);
        for _ in 0..2000 {
            let (n, d) = (random.below(1 << 29) as i64 - (1 << 28), random.below(1 << 28) as i64 + 1);
            let r = Rational::new(n, d).unwrap();
            assert_eq!(lift_far(Fp::from_rational(&r).unwrap()), Some(r));
        }
        for _ in 0..2000 {
            let (n, d) = (random.below(1 << 21) as i64 - (1 << 20), random.below(1 << 20) as i64 + 1);
            let r = Rational::new(n, d).unwrap();
            assert_eq!(lift(Fp::from_rational(&r).unwrap()), Some(r));
        }
    }

    #[test]
    fn a_number_that_is_none_is_not_believed_to_be_a_fraction() {
        let mut random = SplitMix::new(7);
        let drawn: Vec<Fp> = (0..20000).map(|_| random.field()).collect();
        assert!(drawn.iter().filter(|&&x| lift(x).is_some()).count() < 4);
        // Proposals are another matter: what takes one proves it.
        assert!(drawn.iter().filter(|&&x| lift_far(x).is_some()).count() > 1000);
        let pair = drawn.iter().map(|&x| [Fp::ONE, x]).find(|c| propose_all(c).is_some()).unwrap();
        assert!(!propose_all(&pair).unwrap().1 && lift_all(&pair).is_none());
    }

    #[test]
    fn vanishing_combinations_are_found_and_the_simple_ones_come_first() {
        // 1, x, x², x + 2, 3x² − x: two relations.
        let mut random = SplitMix::new(6);
        let echelon = vanishing(5, || {
            let x = random.field();
            Some(vec![vec![Fp::ONE, x, x * x, x + Fp::new(2), Fp::new(3) * x * x - x]])
        })
        .unwrap();
        assert_eq!(echelon.pivots(), [0, 1, 2]);
        let found: Vec<Vec<i64>> = echelon
            .null_space()
            .iter()
            .map(|c| lift_all(c).unwrap().iter().map(|r| r.to_i64().unwrap()).collect())
            .collect();
        assert_eq!(found, vec![vec![2, 1, 0, -1, 0], vec![0, 1, -3, 0, 1]]);
        assert!(
            vanishing(2, || {
                let x = random.field();
                Some(vec![vec![Fp::ONE, x]])
            })
            .unwrap()
            .is_full()
        );
    }

    #[test]
    fn fractions_are_proposed_up_to_a_numerator_and_denominator_of_twenty_nine_bits() {
        let bound = 1i64 << 29;
        for (n, d) in [(bound, 1), (-bound, 1), (1, bound), (-1, bound), (bound - 1, bound), (0, 1)] {
            let r = Rational::new(n, d).unwrap();
            assert_eq!(lift_far(Fp::from_rational(&r).unwrap()), Some(r));
        }
        for (n, d) in [(bound + 1, 1), (-bound - 1, 1), (1, bound + 1), (bound + 1, bound)] {
            let r = Rational::new(n, d).unwrap();
            assert_ne!(lift_far(Fp::from_rational(&r).unwrap()), Some(r));
        }
    }

    #[test]
    fn a_lifted_combination_has_whole_numbers_without_common_factor_and_begins_with_a_plus() {
        let f = |n: i64, d: i64| Fp::from_rational(&Rational::new(n, d).unwrap()).unwrap();
        for (given, expected) in [
            (vec![f(2, 3), f(4, 9), f(0, 1)], vec![3, 2, 0]),
            (vec![f(-1, 2), f(1, 4)], vec![2, -1]),
            (vec![f(0, 1), f(6, 1), f(-10, 1)], vec![0, 3, -5]),
            (vec![f(5, 7)], vec![1]),
        ] {
            let found = lift_all(&given).unwrap();
            assert_eq!(found, expected.into_iter().map(Rational::integer).collect::<Vec<_>>());
        }
        assert_eq!(lift_all(&[Fp::ZERO]), None);
    }

    #[test]
    fn rows_that_depend_on_others_add_nothing_and_rows_in_any_order_give_the_same() {
        let row = |list: [u64; 4]| list.map(Fp::new).to_vec();
        let list = [row([0, 1, 2, 3]), row([2, 0, 4, 2]), row([2, 2, 8, 8]), row([0, 0, 0, 5])];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let mut echelon = Echelon::new(4);
            let independent = order.iter().filter(|&&i| echelon.push(list[i].clone())).count();
            assert_eq!((independent, echelon.pivots()), (3, vec![0, 1, 3]), "{order:?}");
            assert!(!echelon.is_full());
            let [x] = &echelon.null_space()[..] else { panic!("one combination") };
            for row in &list {
                let sum = row.iter().zip(x).fold(Fp::ZERO, |s, (a, b)| s + *a * *b);
                assert!(sum.is_zero() && x[2] == Fp::ONE, "{x:?}");
            }
            assert!(echelon.push(row([0, 0, 1, 0])) && echelon.is_full());
        }
        assert!(vanishing(2, || None).is_none());
    }

    #[test]
    fn draws_go_on_as_long_as_any_of_their_rows_adds_something() {
        // Two new rows in every draw, or one behind one that is known.
        let mut random = SplitMix::new(7);
        let mut row = || (0..14).map(|_| random.field()).collect::<Vec<_>>();
        assert!(vanishing(14, || Some(vec![row(), row()])).unwrap().is_full());
        let known = row();
        assert!(vanishing(14, || Some(vec![row(), known.clone()])).unwrap().is_full());
        assert_eq!(vanishing(14, || Some(vec![known.clone()])).unwrap().pivots().len(), 1);
    }
}
