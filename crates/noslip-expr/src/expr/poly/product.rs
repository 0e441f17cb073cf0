//! Products and powers, on exponents packed into a few machine words.
//!
//! Terms are kept as sparse monomials; a large product packs both factors so that multiplying monomials is adding
//! words and comparing them is comparing words. The packing is lexicographic, so the order of words is the order of
//! terms.

use super::{Budget, Monomial, Poly, Var};
use crate::error::{Error, Result};
use crate::expr::number::{Rational, common_divisor};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxHashMap;

/// Below this many products of terms, packing costs more than it saves.
const SMALL: usize = 32;

/// Terms from which on a table of all variables pays.
const MANY: usize = 64;

/// A common denominator may be so many times as long as the longest coefficient.
const COMMON: u64 = 4;

/// Where each variable's exponent sits: word, shift, mask, and the smallest exponent, which is packed as zero.
pub(super) struct Packing {
    fields: Vec<Field>,
    words: usize,
}

struct Field {
    var: Var,
    word: usize,
    shift: u32,
    mask: u64,
}

impl Packing {
    /// A packing for exponents between 0 and `ranges` of each variable, in at most 16 words.
    pub(super) fn new(ranges: &[(Var, u32)]) -> Result<Packing> {
        let mut fields = Vec::with_capacity(ranges.len());
        let (mut word, mut used) = (0, 0);
        for &(var, range) in ranges {
            let bits = 32 - range.leading_zeros();
            if bits == 0 {
                continue;
            }
            if used + bits > 64 {
                word += 1;
                used = 0;
            }
            used += bits;
            // More significant variables sit in more significant bits.
            fields.push(Field { var, word, shift: 64 - used, mask: (1 << bits) - 1 });
        }
        if word >= 16 {
            return Err(Error::limit("the exponents of a polynomial do not fit 1024 bits"));
        }
        Ok(Packing { fields, words: word + 1 })
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Packs the exponents of `m` less those of `base`, which is below `m`.
    pub(super) fn pack<const W: usize>(&self, m: &Monomial, base: &[(Var, i32)]) -> [u64; W] {
        let mut key: [u64; W] = [0; W];
        let mut factors = m.factors().peekable();
        let mut low = base.iter().peekable();
        for f in &self.fields {
            while low.next_if(|(v, _)| *v < f.var).is_some() {}
            while factors.next_if(|(v, _)| *v < f.var).is_some() {}
            let b = low.next_if(|(v, _)| *v == f.var).map_or(0, |x| x.1);
            let e = factors.next_if(|(v, _)| *v == f.var).map_or(0, |x| x.1);
            // Of what lacks a variable that has to be there a key is not of its own, but its powers still add up.
            key[f.word] = key[f.word].wrapping_add((i64::from(e - b) as u64) << f.shift);
        }
        key
    }

    /// The keys of all terms of a polynomial, in their order.
    pub(super) fn keys<const W: usize>(&self, p: &Poly, base: &[(Var, i32)]) -> Vec<[u64; W]> {
        let Some(last) = self.fields.last().filter(|_| p.len() > MANY) else {
            return p.terms.iter().map(|(m, _)| self.pack(m, base)).collect();
        };
        // Many have a table of what one of each variable adds to the key of no variables.
        let none = self.pack::<W>(&Monomial::ONE, base);
        let mut places = vec![(0, 0u64); last.var.0 as usize + 1];
        for f in &self.fields {
            places[f.var.0 as usize] = (f.word, 1 << f.shift);
        }
        let key = |(m, _): &(Monomial, Rational)| {
            let mut key = none;
            for (v, e) in m.factors() {
                // What has one exponent everywhere has no place.
                if let Some(&(word, one)) = places.get(v.0 as usize) {
                    key[word] = key[word].wrapping_add(one.wrapping_mul(i64::from(e) as u64));
                }
            }
            key
        };
        p.terms.iter().map(key).collect()
    }

    /// The monomial behind a key, times `base`, which holds every variable with its (possibly zero) lowest exponent.
    pub(super) fn unpack<const W: usize>(&self, key: &[u64; W], base: &[(Var, i32)]) -> Monomial {
        let mut fields = self.fields.iter().peekable();
        Monomial::from_sorted(base.iter().filter_map(|&(v, b)| {
            let packed = fields.next_if(|f| f.var == v).map_or(0, |f| (key[f.word] >> f.shift) & f.mask);
            let e = b + packed as i32;
            (e != 0).then_some((v, e))
        }))
    }

    /// Are the exponents of `b` at most those of `a`, in every variable?
    pub(super) fn divides<const W: usize>(&self, b: &[u64; W], a: &[u64; W]) -> bool {
        self.fields.iter().all(|f| (a[f.word] >> f.shift) & f.mask >= (b[f.word] >> f.shift) & f.mask)
    }
}

/// Smallest and largest exponent of every variable of a polynomial, by variable.
pub(super) fn exponent_ranges(p: &Poly) -> Vec<(Var, i32, i32)> {
    let mut ranges: Vec<(Var, i32, i32, usize)> = Vec::new();
    if p.len() > MANY {
        // A place for every variable: nothing has to be looked for.
        for (m, _) in &p.terms {
            for (v, e) in m.factors() {
                let at = v.0 as usize;
                if at >= ranges.len() {
                    ranges.extend((ranges.len()..=at).map(|at| (Var(at as u32), i32::MAX, i32::MIN, 0)));
                }
                let r = &mut ranges[at];
                *r = (v, r.1.min(e), r.2.max(e), r.3 + 1);
            }
        }
        ranges.retain(|r| r.3 > 0);
        return with_zeros(ranges, p.len());
    }
    for (m, _) in &p.terms {
        let mut at = 0;
        for (v, e) in m.factors() {
            while at < ranges.len() && ranges[at].0 < v {
                at += 1;
            }
            match ranges.get_mut(at) {
                Some(r) if r.0 == v => *r = (v, r.1.min(e), r.2.max(e), r.3 + 1),
                _ => ranges.insert(at, (v, e, e, 1)),
            }
        }
    }
    with_zeros(ranges, p.len())
}

/// A variable that is missing from a term has exponent zero there.
fn with_zeros(ranges: Vec<(Var, i32, i32, usize)>, n: usize) -> Vec<(Var, i32, i32)> {
    ranges.into_iter().map(|(v, lo, hi, k)| if k < n { (v, lo.min(0), hi.max(0)) } else { (v, lo, hi) }).collect()
}

/// Merges two sorted lists of ranges; a variable missing from one has the range 0…0 there.
fn sum_of_ranges(a: &[(Var, i32, i32)], b: &[(Var, i32, i32)]) -> Vec<(Var, i32, i32)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let take_a = j == b.len() || (i < a.len() && a[i].0 <= b[j].0);
        let take_b = i == a.len() || (j < b.len() && b[j].0 <= a[i].0);
        let (x, y) = (if take_a { a[i] } else { (b[j].0, 0, 0) }, if take_b { b[j] } else { (a[i].0, 0, 0) });
        out.push((x.0, x.1 + y.1, x.2 + y.2));
        i += usize::from(take_a);
        j += usize::from(take_b);
    }
    out
}

/// The coefficients as machine integers over one common denominator, where they fit.
fn integers(p: &Poly) -> Option<(Vec<i64>, i64)> {
    let mut denominator = 1i64;
    for (_, c) in &p.terms {
        let (_, d) = c.small()?;
        if d != 1 {
            denominator = denominator.checked_mul(d / denominator.gcd(&d))?;
        }
    }
    let list: Option<Vec<i64>> = p
        .terms
        .iter()
        .map(|(_, c)| {
            let (n, d) = c.small()?;
            n.checked_mul(denominator / d)
        })
        .collect();
    Some((list?, denominator))
}

/// The coefficients as integers over one common denominator, unless that is many times as long as the longest of theirs.
fn long_integers(p: &Poly) -> Option<(Vec<BigInt>, BigInt)> {
    let longest = p.terms.iter().map(|(_, c)| c.bits()).max().unwrap_or(0).max(64);
    let mut denominator = BigInt::one();
    for (_, c) in p.terms.iter().filter(|(_, c)| !c.is_integer()) {
        let below = c.denominator();
        denominator *= &below / common_divisor(&denominator, &below);
        if denominator.bits() > COMMON * longest {
            return None;
        }
    }
    let over = |c: &Rational| match (c.is_integer(), denominator.is_one()) {
        (_, true) => c.numerator(),
        (true, false) => c.numerator() * &denominator,
        (false, false) => c.numerator() * (&denominator / c.denominator()),
    };
    Some((p.terms.iter().map(|(_, c)| over(c)).collect(), denominator))
}

fn from_i128(n: i128) -> Rational {
    match i64::try_from(n) {
        Ok(n) => Rational::integer(n),
        Err(_) => Rational::from(num_bigint::BigInt::from(n)),
    }
}

impl Poly {
    /// Product.
    pub fn mul(&self, other: &Poly, budget: &mut Budget) -> Result<Poly> {
        let (a, b) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        if a.is_zero() {
            return Ok(Poly::ZERO);
        }
        let work = a.len().saturating_mul(b.len());
        let lengths = (a.length(), b.length());
        budget.spend((work as u64).saturating_mul(lengths.0.product(lengths.1)))?;
        budget.pass(a.len() + b.len());
        if let [(m, c)] = &a.terms[..] {
            budget.reductions(if c.is_one() { 0 } else { work }, lengths.0, lengths.1)?;
            let shifted = b.shift(m)?;
            return Ok(if c.is_one() { shifted } else { shifted.scale(c) });
        }
        if work <= SMALL {
            budget.reductions(work, lengths.0, lengths.1)?;
            let mut terms = Vec::with_capacity(work);
            for (m, c) in &a.terms {
                for (n, d) in &b.terms {
                    terms.push((m.mul(n)?, c * d));
                }
            }
            return Ok(Poly::from_terms(terms));
        }
        let (ranges_a, ranges_b) = (exponent_ranges(a), exponent_ranges(b));
        let ranges = sum_of_ranges(&ranges_a, &ranges_b);
        if ranges.iter().any(|&(_, lo, hi)| i16::try_from(lo).is_err() || i16::try_from(hi).is_err()) {
            return Err(Error::limit("an exponent of a polynomial is beyond ±32767"));
        }
        let spans: Vec<(Var, u32)> = ranges.iter().map(|&(v, lo, hi)| (v, (hi - lo) as u32)).collect();
        let packing = Packing::new(&spans)?;
        let low = |ranges: &[(Var, i32, i32)]| -> Vec<(Var, i32)> { ranges.iter().map(|r| (r.0, r.1)).collect() };
        let lows = Lows { a: low(&ranges_a), b: low(&ranges_b), product: low(&ranges) };
        match packing.words() {
            1 => packed_product::<1>(a, b, &packing, &lows, budget),
            2 => packed_product::<2>(a, b, &packing, &lows, budget),
            3..=4 => packed_product::<4>(a, b, &packing, &lows, budget),
            _ => packed_product::<16>(a, b, &packing, &lows, budget),
        }
    }

    /// Square.
    pub fn square(&self, budget: &mut Budget) -> Result<Poly> {
        self.mul(self, budget)
    }

    /// Non-negative integer power; a negative one only of a single term.
    pub fn pow(&self, exponent: i32, budget: &mut Budget) -> Result<Poly> {
        if let [(m, c)] = &self.terms[..] {
            let m = m.pow(exponent)?;
            budget.check_bits(c.bits().saturating_mul(exponent.unsigned_abs().into()))?;
            let c = c.pow(exponent).ok_or_else(|| Error::computation("a negative power of zero"))?;
            return Ok(Poly::term(m, c));
        }
        if exponent == 0 {
            return Ok(Poly::one());
        }
        if exponent < 0 {
            return Err(Error::computation("a negative power of a sum is not a polynomial"));
        }
        if self.is_zero() {
            return Ok(Poly::ZERO);
        }
        self.check_power(exponent, budget)?;
        // Multiplying by the base again and again beats squaring for sparse polynomials.
        let mut result = self.clone();
        for _ in 1..exponent {
            result = result.mul(self, budget)?;
        }
        Ok(result)
    }

    /// Refuses a hopeless power before it is begun.
    fn check_power(&self, exponent: i32, budget: &mut Budget) -> Result<()> {
        let ranges = exponent_ranges(self);
        let extreme = ranges.iter().map(|&(_, lo, hi)| i64::from(lo.abs().max(hi.abs()))).max().unwrap_or(0);
        if extreme * i64::from(exponent) > i64::from(i16::MAX) {
            return Err(Error::limit("an exponent of a polynomial is beyond ±32767"));
        }
        // If every term but at most one brings a variable of its own, no two products of terms coincide, and the
        // power has C(n+k−1, k−1) terms.
        let own =
            |m: &Monomial| m.factors().any(|(v, _)| self.terms.iter().filter(|(n, _)| n.exponent(v) != 0).count() == 1);
        if self.len() <= 64 && self.terms.iter().filter(|(m, _)| !own(m)).count() <= 1 {
            let mut count = 1.0f64;
            for i in 1..self.len() {
                count *= (f64::from(exponent) + i as f64) / i as f64;
            }
            if count > 1e9 {
                budget.check_terms(usize::MAX)?;
            }
            budget.check_terms(count as usize)?;
        }
        Ok(())
    }
}

/// The lowest exponents of two factors and of their product, by variable.
struct Lows {
    a: Vec<(Var, i32)>,
    b: Vec<(Var, i32)>,
    product: Vec<(Var, i32)>,
}

fn packed_product<const W: usize>(
    a: &Poly,
    b: &Poly,
    packing: &Packing,
    lows: &Lows,
    budget: &mut Budget,
) -> Result<Poly> {
    let (keys_a, keys_b): (Vec<[u64; W]>, Vec<[u64; W]>) = (packing.keys(a, &lows.a), packing.keys(b, &lows.b));
    let add = |x: &[u64; W], y: &[u64; W]| -> [u64; W] { std::array::from_fn(|i| x[i] + y[i]) };
    let capacity = (a.len() * b.len()).min(2 * (a.len() + b.len()) + 64);

    let mut collected: Vec<([u64; W], Rational)> = 'done: {
        if let (Some((ca, da)), Some((cb, db))) = (integers(a), integers(b)) {
            let mut sums: FxHashMap<[u64; W], i128> = FxHashMap::with_capacity_and_hasher(capacity, Default::default());
            let mut overflow = false;
            'products: for (x, c) in keys_a.iter().zip(&ca) {
                for (y, d) in keys_b.iter().zip(&cb) {
                    let slot = sums.entry(add(x, y)).or_insert(0);
                    match slot.checked_add(i128::from(*c) * i128::from(*d)) {
                        Some(s) => *slot = s,
                        None => {
                            overflow = true;
                            break 'products;
                        }
                    }
                }
                budget.check_terms(sums.len())?;
            }
            if !overflow {
                let scale = Rational::from(num_bigint::BigInt::from(i128::from(da) * i128::from(db)));
                let whole = scale.is_one();
                let scaled = |n: i128| if whole { from_i128(n) } else { &from_i128(n) / &scale };
                break 'done sums.into_iter().filter(|(_, n)| *n != 0).map(|(k, n)| (k, scaled(n))).collect();
            }
        }
        // Long integers are added up as such, over one denominator: every operation on fractions takes a gcd.
        if let (Some((ca, da)), Some((cb, db))) = (long_integers(a), long_integers(b)) {
            let denominator = da * db;
            let whole = denominator.is_one();
            if !whole {
                // Longer than the fractions they stand for.
                let longest = |list: &[BigInt]| list.iter().map(BigInt::bits).max().unwrap_or(0);
                let (x, y) = (longest(&ca) / 64, longest(&cb) / 64);
                budget.spend((a.len() * b.len()) as u64 * ((1 + x) * (1 + y) / 8))?;
            }
            let mut sums: FxHashMap<[u64; W], BigInt> =
                FxHashMap::with_capacity_and_hasher(capacity, Default::default());
            for (x, c) in keys_a.iter().zip(&ca) {
                for (y, d) in keys_b.iter().zip(&cb) {
                    *sums.entry(add(x, y)).or_default() += c * d;
                }
                budget.check_terms(sums.len())?;
            }
            for n in sums.values() {
                budget.check_bits(n.bits())?;
            }
            if !whole {
                let bits = sums.values().map(BigInt::bits).max().unwrap_or(0).max(denominator.bits());
                budget.spend(sums.len() as u64)?;
                for _ in 0..sums.len() {
                    budget.common_divisor(bits)?;
                }
            }
            let over = |n: BigInt| match whole {
                true => n.into(),
                false => Rational::from_big(n, denominator.clone()).unwrap_or(Rational::ZERO),
            };
            break 'done sums.into_iter().filter(|(_, n)| *n != BigInt::ZERO).map(|(k, n)| (k, over(n))).collect();
        }
        budget.reductions(a.len() * b.len(), a.length(), b.length())?;
        let mut sums: FxHashMap<[u64; W], Rational> = FxHashMap::with_capacity_and_hasher(capacity, Default::default());
        for (x, (_, c)) in keys_a.iter().zip(&a.terms) {
            for (y, (_, d)) in keys_b.iter().zip(&b.terms) {
                let slot = sums.entry(add(x, y)).or_insert(Rational::ZERO);
                *slot = &*slot + &(c * d);
            }
            budget.check_terms(sums.len())?;
        }
        for c in sums.values() {
            budget.check_bits(c.bits())?;
        }
        sums.into_iter().filter(|(_, c)| !c.is_zero()).collect()
    };
    budget.pass(collected.len());
    collected.sort_unstable_by_key(|x| std::cmp::Reverse(x.0));
    Ok(Poly::from_sorted(collected.into_iter().map(|(k, c)| (packing.unpack(&k, &lows.product), c)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn monomial(list: &[(u32, i32)]) -> Monomial {
        Monomial::from_sorted(list.iter().map(|&(v, e)| (Var(v), e)))
    }

    fn ranges(bits: &[u32]) -> Vec<(Var, u32)> {
        bits.iter().enumerate().map(|(i, &b)| (Var(i as u32), (1u32 << b) - 1)).collect()
    }

    #[test]
    fn exponents_fill_words_of_sixty_four_bits_and_none_lies_across_two() {
        for (bits, words) in [
            (vec![1; 64], 1),
            (vec![1; 65], 2),
            (vec![8; 8], 1),
            (vec![8; 9], 2),
            (vec![31, 31, 3], 2),
            (vec![31, 31, 2], 1),
            (vec![16; 16], 4),
            (vec![16; 64], 16),
            (vec![0, 0], 1),
        ] {
            let packing = Packing::new(&ranges(&bits)).expect("it fits");
            assert_eq!(packing.words(), words, "{bits:?}");
        }
        // A range needs the bits of its largest exponent.
        for (range, fields) in [(1, 64), (2, 32), (3, 32), (4, 21), (7, 21), (255, 8), (256, 7)] {
            let all = |n: u32| (0..n).map(|i| (Var(i), range)).collect::<Vec<_>>();
            assert_eq!(Packing::new(&all(fields)).expect("it fits").words(), 1, "{range}");
            assert_eq!(Packing::new(&all(fields + 1)).expect("it fits").words(), 2, "{range}");
        }
        let error = Packing::new(&ranges(&[16; 65])).err().expect("too many");
        assert_eq!(error.kind, crate::ErrorKind::Limit);
    }

    #[test]
    fn a_packed_monomial_comes_back_and_keeps_its_order_and_its_divisors() {
        // Negative exponents begin at their lowest; the fourth variable never changes and takes no room.
        let base = [(Var(0), -2), (Var(1), 0), (Var(2), -1), (Var(3), 5)];
        let packing = Packing::new(&[(Var(0), 4), (Var(1), 3), (Var(2), 60_000), (Var(3), 0)]).expect("it fits");
        let list = [
            monomial(&[(0, 2), (1, 3), (2, 7), (3, 5)]),
            monomial(&[(0, 2), (2, -1), (3, 5)]),
            monomial(&[(1, 2), (2, 59_999 - 32_767), (3, 5)]),
            monomial(&[(1, 2), (3, 5)]),
            monomial(&[(0, -1), (1, 3), (3, 5)]),
            monomial(&[(0, -2), (2, -1), (3, 5)]),
        ];
        let keys: Vec<[u64; 2]> = list.iter().map(|m| packing.pack(m, &base)).collect();
        assert!(list.windows(2).all(|w| w[0] > w[1]) && keys.windows(2).all(|w| w[0] > w[1]), "{keys:?}");
        for (m, key) in list.iter().zip(&keys) {
            assert_eq!(packing.unpack(key, &base), *m);
            for (n, other) in list.iter().zip(&keys) {
                let divides = (0..4).all(|v| n.exponent(Var(v)) <= m.exponent(Var(v)));
                assert_eq!(packing.divides(other, key), divides, "{n:?} and {m:?}");
            }
        }
    }

    #[test]
    fn the_range_of_an_exponent_reaches_zero_where_a_term_lacks_the_variable() {
        let terms =
            [monomial(&[(0, 3), (1, -2), (4, 1)]), monomial(&[(0, 1), (4, 2)]), monomial(&[(0, 2), (2, 4), (4, 1)])];
        let p = Poly::from_terms(terms.map(|m| (m, Rational::ONE)).to_vec());
        let found = exponent_ranges(&p);
        assert_eq!(found, [(Var(0), 1, 3), (Var(1), -2, 0), (Var(2), 0, 4), (Var(4), 1, 2)]);
        let other = [(Var(1), -1, 1), (Var(3), 2, 5)];
        let sum = [(Var(0), 1, 3), (Var(1), -3, 1), (Var(2), 0, 4), (Var(3), 2, 5), (Var(4), 1, 2)];
        assert_eq!(sum_of_ranges(&found, &other), sum);
        assert_eq!(sum_of_ranges(&other, &found), sum);
    }

    #[test]
    fn coefficients_are_integers_over_their_least_common_denominator_where_they_fit() {
        let p = |list: &[(i64, i64)]| {
            let terms = list.iter().enumerate();
            Poly::from_terms(
                terms
                    .map(|(i, &(n, d))| (monomial(&[(i as u32, 1)]), Rational::new(n, d).expect("a number")))
                    .collect(),
            )
        };
        assert_eq!(integers(&p(&[(1, 6), (3, 4), (-5, 1)])), Some((vec![2, 9, -60], 12)));
        assert_eq!(integers(&p(&[(7, 1), (-2, 1)])), Some((vec![7, -2], 1)));
        assert_eq!(integers(&p(&[(i64::MAX, 1), (1, 2)])), None);
    }

    #[test]
    fn long_coefficients_cost_more_than_machine_words() {
        let with = |bits: u32| {
            let c = Rational::from(BigInt::from(1) << bits);
            Poly::from_terms(vec![(monomial(&[(0, 1)]), c), (Monomial::ONE, Rational::ONE)])
        };
        // Words of 64 bits: 128 and 640 have three and eleven, of which two and ten count.
        assert_eq!(with(3).length().product(with(5).length()), 1);
        assert_eq!(with(128).length().product(with(3).length()), 32 + 2);
        assert_eq!(with(128).length().product(with(640).length()), 32 + 12 + 3 * 11 / 8);
    }

    #[test]
    fn a_power_that_would_have_too_many_terms_is_refused_before_it_is_begun() {
        let sum = |n: u32| Poly::sum((0..n).map(|i| Poly::var(Var(i)).expect("a variable")).collect());
        // (a + b + c)⁸ has C(10, 2) = 45 terms, (a + b)⁸ has 9.
        for (n, exponent, terms) in [(3, 8, 45), (2, 8, 9), (4, 5, 56)] {
            for (room, fits) in [(terms, true), (terms - 1, false)] {
                let limits = Limits { polynomial_terms: room, ..Limits::default() };
                let mut budget = Budget::new(&limits);
                let found = sum(n).check_power(exponent, &mut budget);
                assert_eq!(found.is_ok(), fits, "{n} terms to the power {exponent}, room for {room}");
                assert_eq!(budget.done(), 0, "nothing was multiplied");
            }
        }
        // What may coincide is not counted: (1 + x + x²)⁸ has only 17 terms.
        let x = Poly::var(Var(0)).expect("a variable");
        let p = Poly::one().add(&x).add(&x.square(&mut Budget::default()).expect("a square"));
        let limits = Limits { polynomial_terms: 17, ..Limits::default() };
        assert_eq!(p.pow(8, &mut Budget::new(&limits)).expect("it fits").len(), 17);
        // Exponents up to 32767.
        let terms = |e: i32| {
            Poly::from_terms(vec![(monomial(&[(0, e)]), Rational::ONE), (monomial(&[(0, -e)]), Rational::ONE)])
        };
        assert!(terms(4681).check_power(7, &mut Budget::default()).is_ok());
        assert!(terms(4682).check_power(7, &mut Budget::default()).is_err());
    }

    #[test]
    fn a_product_is_the_same_however_it_is_packed_and_whatever_its_coefficients_are() {
        // Powers that take one, two, four and sixteen words; small, long and broken coefficients.
        for spread in [1, 40, 4_000, 16_000] {
            for c in [Rational::integer(3), Rational::integer(i64::MAX), Rational::new(2, 7).expect("a number")] {
                let terms = |from: u32| -> Poly {
                    let list = (0..8u32).map(|i| {
                        let m = monomial(&[(from + i % 5, spread), (from + 6 + i, -spread)]);
                        (m, &c + &Rational::integer(i.into()))
                    });
                    Poly::from_terms(list.collect())
                };
                let (a, b) = (terms(0), terms(3));
                let product = a.mul(&b, &mut Budget::default()).expect("a product");
                let parts: Vec<Poly> = a.terms.iter().map(|(m, x)| b.shift(m).expect("in range").scale(x)).collect();
                assert_eq!(product, Poly::sum(parts), "{spread}, {c}");
            }
        }
    }
}
