//! Arithmetic in a prime field, where an identity is tested at random points without rounding.
//!
//! The prime is p = 2⁶¹ − 3059005953. It is chosen, not just any 61-bit prime, so that the field resembles the real
//! numbers where it matters (2⁶¹ − 1, for one, has no √3):
//! - p ≡ 3 (mod 4): exactly one of ±a is a square. Squares play the positive numbers: they are closed under products,
//!   every square has exactly one root that is itself a square, so √a·√b = √(ab) holds here too;
//! - every prime up to 43 is a square: √2, √3, √(5/7) exist;
//! - 720720 divides p + 1: the unit circle has p + 1 points and contains the angles π·k/n for n up to 16;
//! - hence no prime up to 13 but 2 divides p − 1: roots of odd order up to 15 exist and are unique.

use super::number::Rational;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

const K: u64 = 3_059_005_953;
const MASK: u64 = (1 << 61) - 1;

/// The prime.
pub const PRIME: u64 = (1 << 61) - K;

/// An element of the field, reduced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Fp(u64);

/// Reduces a product of two reduced elements: 2⁶¹ ≡ K folds the upper part down, three times.
#[inline]
fn reduce(x: u128) -> u64 {
    let x = u128::from(x as u64 & MASK) + (x >> 61) * u128::from(K);
    let x = u128::from(x as u64 & MASK) + (x >> 61) * u128::from(K);
    let x = (x as u64 & MASK) + ((x >> 61) as u64) * K;
    if x >= PRIME { x - PRIME } else { x }
}

impl Fp {
    /// Zero.
    pub const ZERO: Fp = Fp(0);
    /// One.
    pub const ONE: Fp = Fp(1);

    /// The residue of a machine word.
    pub fn new(n: u64) -> Fp {
        Fp(reduce(n.into()))
    }

    /// The residue of a signed integer.
    pub fn from_i64(n: i64) -> Fp {
        let m = Fp::new(n.unsigned_abs());
        if n < 0 { -m } else { m }
    }

    fn from_big(n: &BigInt) -> Fp {
        let r = (n.magnitude() % PRIME).to_u64().unwrap_or(0);
        if n.sign() == num_bigint::Sign::Minus { -Fp(r) } else { Fp(r) }
    }

    /// The residue of a rational number; `None` when p divides the denominator, or the numerator of what is not zero: such a
    /// number would be taken for zero.
    pub fn from_rational(r: &Rational) -> Option<Fp> {
        let residue = match r.small() {
            Some((n, 1)) => Fp::from_i64(n),
            Some((n, d)) => Fp::from_i64(n) * Fp::from_i64(d).inverse()?,
            None => Fp::from_big(&r.numerator()) * Fp::from_big(&r.denominator()).inverse()?,
        };
        (!residue.is_zero() || r.is_zero()).then_some(residue)
    }

    /// The representative in 0…p−1.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Is it zero?
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// aⁿ.
    pub fn pow(self, mut n: u64) -> Fp {
        let (mut square, mut result) = (self, Fp::ONE);
        while n > 0 {
            if n & 1 == 1 {
                result *= square;
            }
            square *= square;
            n >>= 1;
        }
        result
    }

    /// aⁿ for any integer; `None` for a negative power of zero.
    pub fn powi(self, n: i64) -> Option<Fp> {
        if n >= 0 { Some(self.pow(n as u64)) } else { Some(self.inverse()?.pow(n.unsigned_abs())) }
    }

    /// 1/a, `None` for zero.
    pub fn inverse(self) -> Option<Fp> {
        if self.0 == 0 {
            return None;
        }
        // Extended Euclid: about a third of the time of a^(p−2).
        let (mut r0, mut r1) = (PRIME, self.0);
        let (mut t0, mut t1) = (0i64, 1i64);
        while r1 != 0 {
            let q = r0 / r1;
            (r0, r1) = (r1, r0 - q * r1);
            (t0, t1) = (t1, t0.wrapping_sub((q as i64).wrapping_mul(t1)));
        }
        Some(Fp::from_i64(t0))
    }

    /// Is it a square other than zero? These play the positive numbers.
    pub fn is_positive(self) -> bool {
        self.pow((PRIME - 1) / 2) == Fp::ONE
    }

    /// The square root that is itself a square; `None` when there is none.
    pub fn sqrt(self) -> Option<Fp> {
        let r = self.pow((PRIME + 1) / 4);
        (r * r == self).then_some(r)
    }

    /// The n-th root that plays the positive one; `None` when there is none.
    ///
    /// It is the root in the largest subgroup whose order has no factor in common with 2n, where roots are unique.
    pub fn root(self, n: u64) -> Option<Fp> {
        if self.0 == 0 {
            return Some(self);
        }
        if n == 2 {
            return self.sqrt();
        }
        let mut order = PRIME - 1;
        loop {
            let g = num_integer::gcd(order, n.checked_mul(2)?);
            if g == 1 {
                break;
            }
            order /= g;
        }
        let exponent = inverse_modulo(n % order, order)?;
        let r = self.pow(exponent);
        (self.pow(order) == Fp::ONE && r.pow(n) == self).then_some(r)
    }
}

fn inverse_modulo(a: u64, m: u64) -> Option<u64> {
    let e = num_integer::Integer::extended_gcd(&i128::from(a), &i128::from(m));
    (e.gcd == 1).then(|| e.x.rem_euclid(m.into()) as u64)
}

impl Add for Fp {
    type Output = Fp;
    #[inline]
    fn add(self, other: Fp) -> Fp {
        let s = self.0 + other.0;
        Fp(if s >= PRIME { s - PRIME } else { s })
    }
}

impl Sub for Fp {
    type Output = Fp;
    #[inline]
    fn sub(self, other: Fp) -> Fp {
        Fp(if self.0 >= other.0 { self.0 - other.0 } else { self.0 + PRIME - other.0 })
    }
}

impl Neg for Fp {
    type Output = Fp;
    #[inline]
    fn neg(self) -> Fp {
        Fp::ZERO - self
    }
}

impl Mul for Fp {
    type Output = Fp;
    #[inline]
    fn mul(self, other: Fp) -> Fp {
        Fp(reduce(u128::from(self.0) * u128::from(other.0)))
    }
}

impl AddAssign for Fp {
    fn add_assign(&mut self, other: Fp) {
        *self = *self + other;
    }
}

impl SubAssign for Fp {
    fn sub_assign(&mut self, other: Fp) {
        *self = *self - other;
    }
}

impl MulAssign for Fp {
    fn mul_assign(&mut self, other: Fp) {
        *self = *self * other;
    }
}

impl std::fmt::Debug for Fp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A point of the unit circle c² + s² = 1 over the field: what an angle is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// Cosine.
    pub cos: Fp,
    /// Sine.
    pub sin: Fp,
}

impl Rotation {
    /// The angle 0.
    pub const IDENTITY: Rotation = Rotation { cos: Fp::ONE, sin: Fp::ZERO };

    /// The point with tan(angle/2) = t; `None` where the parametrisation has a pole.
    pub fn from_half_tangent(t: Fp) -> Option<Rotation> {
        let d = (Fp::ONE + t * t).inverse()?;
        Some(Rotation { cos: (Fp::ONE - t * t) * d, sin: (t + t) * d })
    }

    /// The sum of two angles.
    pub fn then(self, other: Rotation) -> Rotation {
        Rotation { cos: self.cos * other.cos - self.sin * other.sin, sin: self.sin * other.cos + self.cos * other.sin }
    }

    /// An integer multiple of an angle.
    pub fn times(self, n: i64) -> Rotation {
        let mut square = if n < 0 { Rotation { cos: self.cos, sin: -self.sin } } else { self };
        let (mut result, mut n) = (Rotation::IDENTITY, n.unsigned_abs());
        while n > 0 {
            if n & 1 == 1 {
                result = result.then(square);
            }
            square = square.then(square);
            n >>= 1;
        }
        result
    }

    /// The angle π·k/n for n dividing 360360, aligned with the square roots of [`Fp::sqrt`]; `None` otherwise.
    ///
    /// Aligned: cos π/4 = √2/2, cos π/6 = √3/2, cos π/5 = (1+√5)/4, and a quarter turn has sine 1.
    pub fn turns(k: i64, n: u64) -> Option<Rotation> {
        const HALF_TURN: u64 = 360_360;
        if n == 0 || !HALF_TURN.is_multiple_of(n) {
            return None;
        }
        let k = i128::from(k) * i128::from(HALF_TURN / n);
        Some(CIRCLE_UNIT.times(k.rem_euclid(i128::from(2 * HALF_TURN)) as i64))
    }
}

/// The point of order 720720 that plays the angle π/360360: of all points of that order, one that is aligned with
/// the roots of 2, 3 and 5.
const CIRCLE_UNIT: Rotation = Rotation { cos: Fp(145_077_648_072_100_837), sin: Fp(1_392_016_491_415_351_839) };

/// A small deterministic generator of pseudo-random numbers (splitmix64).
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator with this seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number in 0…n−1 (n > 0).
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A field element other than 0 and ±1.
    pub fn field(&mut self) -> Fp {
        Fp(2 + self.below(PRIME - 3))
    }

    /// A floating-point number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A bijection of 64-bit words in which every bit of the result depends on every bit of the argument.
pub(crate) fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A field element determined by words: how functions nothing is known of get their values.
pub(crate) fn hash_to_field(words: &[u64]) -> Fp {
    let mut h = 0x243f_6a88_85a3_08d3;
    for w in words {
        h = mix(h ^ mix(w.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    }
    Fp(2 + ((u128::from(h) * u128::from(PRIME - 3)) >> 64) as u64)
}

// Dense linear algebra ------------------------------------------------------------------------------------------------

/// Brings a matrix, given by rows, to reduced row echelon form in place; returns the pivot columns.
pub fn row_reduce(rows: &mut [Vec<Fp>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut pivots = Vec::new();
    for column in 0..columns {
        let top = pivots.len();
        let Some(found) = (top..rows.len()).find(|&i| !rows[i][column].is_zero()) else { continue };
        rows.swap(top, found);
        let Some(inverse) = rows[top][column].inverse() else { continue };
        // Before its pivot a row has zeros only, and the matrices of chains have few other entries after it.
        let pivot: Vec<(usize, Fp)> =
            (column..columns).filter(|&j| !rows[top][j].is_zero()).map(|j| (j, rows[top][j] * inverse)).collect();
        for row in rows.iter_mut().filter(|row| !row[column].is_zero()) {
            let factor = row[column];
            pivot.iter().for_each(|&(j, p)| row[j] -= factor * p);
        }
        pivot.iter().for_each(|&(j, p)| rows[top][j] = p);
        pivots.push(column);
        if pivots.len() == rows.len() {
            break;
        }
    }
    pivots
}

/// Rank of a matrix given by rows.
pub fn rank(rows: &[Vec<Fp>]) -> usize {
    row_reduce(&mut rows.to_vec()).len()
}

/// Determinant of a square matrix given by rows.
pub fn determinant(rows: &[Vec<Fp>]) -> Fp {
    let mut m = rows.to_vec();
    let mut det = Fp::ONE;
    for k in 0..m.len() {
        let Some(found) = (k..m.len()).find(|&i| !m[i][k].is_zero()) else { return Fp::ZERO };
        if found != k {
            m.swap(k, found);
            det = -det;
        }
        det *= m[k][k];
        let Some(inverse) = m[k][k].inverse() else { return Fp::ZERO };
        let (upper, lower) = m.split_at_mut(k + 1);
        for row in lower {
            let factor = row[k] * inverse;
            row.iter_mut().zip(&upper[k]).skip(k).for_each(|(x, p)| *x -= factor * *p);
        }
    }
    det
}

/// A solution of A·x = b (free unknowns zero); `None` when there is none.
pub fn solve(a: &[Vec<Fp>], b: &[Fp]) -> Option<Vec<Fp>> {
    let unknowns = a.first().map_or(0, Vec::len);
    let mut rows: Vec<Vec<Fp>> = a.iter().zip(b).map(|(r, b)| r.iter().copied().chain([*b]).collect()).collect();
    let pivots = row_reduce(&mut rows);
    if pivots.last() == Some(&unknowns) {
        return None;
    }
    let mut x = vec![Fp::ZERO; unknowns];
    for (row, &column) in rows.iter().zip(&pivots) {
        x[column] = row[unknowns];
    }
    Some(x)
}

/// A basis of the vectors x with A·x = 0.
pub fn null_space(a: &[Vec<Fp>], unknowns: usize) -> Vec<Vec<Fp>> {
    let mut rows = a.to_vec();
    let pivots = row_reduce(&mut rows);
    null_vectors(&rows, &pivots, unknowns)
}

/// The same for a matrix in reduced row echelon form with these pivots; columns after the unknowns are not looked at.
pub fn null_vectors(rows: &[Vec<Fp>], pivots: &[usize], unknowns: usize) -> Vec<Vec<Fp>> {
    let free = (0..unknowns).filter(|j| !pivots.contains(j));
    free.map(|j| {
        let mut x = vec![Fp::ZERO; unknowns];
        x[j] = Fp::ONE;
        for (row, &column) in rows.iter().zip(pivots) {
            x[column] = -row[j];
        }
        x
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_mul(a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
    }

    #[test]
    fn reduction_agrees_with_division() {
        let mut rng = SplitMix::new(1);
        for _ in 0..20_000 {
            let (a, b) = (rng.field(), rng.field());
            assert_eq!((a * b).value(), slow_mul(a.0, b.0));
            assert_eq!(a * a.inverse().unwrap(), Fp::ONE);
            assert_eq!(a + b - b, a);
        }
        let top = Fp(PRIME - 1);
        assert_eq!(top * top, Fp::ONE);
        assert_eq!(Fp::from_i64(i64::MIN) + Fp::new(1 << 63), Fp::ZERO);
        assert!(Fp::ZERO.inverse().is_none());
        assert_eq!(Fp::new(u64::MAX).0, u64::MAX % PRIME);
    }

    #[test]
    fn the_modulus_is_prime_and_resembles_the_reals() {
        // Deterministic Miller–Rabin for 64-bit numbers.
        let (d, s) = (PRIME >> 1, 1);
        assert_eq!(d % 2, 1);
        for a in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] {
            let mut x = Fp::new(a).pow(d);
            let mut passes = x == Fp::ONE || x == -Fp::ONE;
            for _ in 1..s {
                x *= x;
                passes |= x == -Fp::ONE;
            }
            assert!(passes, "{a} is a witness against {PRIME}");
        }
        for q in [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43] {
            assert!(Fp::new(q).is_positive(), "√{q} does not exist");
        }
        assert!(!(-Fp::ONE).is_positive());
        assert_eq!((PRIME + 1) % 720_720, 0);
    }

    #[test]
    fn roots_are_multiplicative_as_positive_real_roots_are() {
        let mut rng = SplitMix::new(2);
        for _ in 0..200 {
            let (a, b) = (rng.field(), rng.field());
            let (a, b) = (a * a, b * b);
            for n in [2, 3, 4, 5, 6, 7, 8, 9, 10, 12] {
                let (ra, rb) = (a.root(n).unwrap(), b.root(n).unwrap());
                assert_eq!(ra.pow(n), a);
                assert_eq!(ra * rb, (a * b).root(n).unwrap());
            }
            assert_eq!(a.root(6).unwrap().pow(3), a.sqrt().unwrap());
            assert!((-a).sqrt().is_none());
        }
    }

    #[test]
    fn rational_angles_are_aligned_with_square_roots() {
        let half = Fp::new(2).inverse().unwrap();
        let r = |n| Fp::new(n).sqrt().unwrap();
        assert_eq!(Rotation::turns(1, 4).unwrap().cos, r(2) * half);
        assert_eq!(Rotation::turns(1, 4).unwrap().sin, r(2) * half);
        assert_eq!(Rotation::turns(1, 3).unwrap().sin, r(3) * half);
        assert_eq!(Rotation::turns(1, 3).unwrap().cos, half);
        assert_eq!(Rotation::turns(1, 2).unwrap(), Rotation { cos: Fp::ZERO, sin: Fp::ONE });
        assert_eq!(Rotation::turns(1, 12).unwrap().cos, (r(6) + r(2)) * half * half);
        assert_eq!(Rotation::turns(-1, 1).unwrap().cos, -Fp::ONE);
        let (a, b) = (Rotation::turns(1, 5).unwrap().cos, Rotation::turns(2, 5).unwrap().cos);
        assert_eq!(a - b, half);
        assert_eq!(a, (Fp::ONE + r(5)) * half * half);
        let full = |k| Rotation::turns(2, k).unwrap();
        assert!([2, 3, 5, 7, 11, 13].into_iter().all(|q| full(q) != Rotation::IDENTITY));
        assert!([2, 3, 5, 7, 11, 13].into_iter().all(|q| full(q).times(q as i64) == Rotation::IDENTITY));
        assert!(Rotation::turns(1, 17).is_none());
    }

    #[test]
    fn linear_algebra_is_consistent() {
        let mut rng = SplitMix::new(3);
        for n in 1..7 {
            let a: Vec<Vec<Fp>> = (0..n).map(|_| (0..n).map(|_| rng.field()).collect()).collect();
            let x: Vec<Fp> = (0..n).map(|_| rng.field()).collect();
            let b: Vec<Fp> = a.iter().map(|r| r.iter().zip(&x).fold(Fp::ZERO, |s, (a, x)| s + *a * *x)).collect();
            assert_eq!(solve(&a, &b), Some(x));
            assert_eq!(rank(&a), n);
            assert!(!determinant(&a).is_zero());
            let mut singular = a.clone();
            singular.push(singular[0].clone());
            singular[n].iter_mut().for_each(|v| *v += *v);
            assert_eq!(rank(&singular), n);
            let mut inconsistent = b.clone();
            inconsistent.push(b[0]);
            assert_eq!(solve(&singular, &inconsistent), None);
            for v in null_space(&a[..n - 1], n) {
                for row in &a[..n - 1] {
                    assert!(row.iter().zip(&v).fold(Fp::ZERO, |s, (a, x)| s + *a * *x).is_zero());
                }
            }
        }
        let two = vec![vec![Fp::ZERO, Fp::ONE], vec![Fp::ONE, Fp::ZERO]];
        assert_eq!(determinant(&two), -Fp::ONE);
    }

    #[test]
    fn rationals_map_to_their_residues() {
        let r = Rational::new(-7, 3).unwrap();
        assert_eq!(Fp::from_rational(&r).unwrap() * Fp::new(3), Fp::from_i64(-7));
        let big = Rational::integer(i64::MAX);
        let big = &big * &big;
        assert_eq!(Fp::from_rational(&big).unwrap(), Fp::from_i64(i64::MAX) * Fp::from_i64(i64::MAX));
    }

    #[test]
    fn the_generator_is_splitmix64() {
        // The numbers that its authors' program prints for the seed 1234567.
        let mut rng = SplitMix::new(1_234_567);
        let first: Vec<u64> = (0..5).map(|_| rng.next_u64()).collect();
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(first, expected);
        // Below n and in [0, 1): the upper bits of the same numbers.
        let (mut below, mut unit) = (SplitMix::new(1_234_567), SplitMix::new(1_234_567));
        for x in expected {
            let part = x as f64 / 2f64.powi(64);
            assert_eq!(below.below(1000), (1000.0 * part) as u64);
            assert!((unit.unit() - part).abs() < 1e-15);
        }
    }

    #[test]
    fn words_determine_a_field_element_and_every_one_of_them_matters() {
        let of = |words: &[u64]| hash_to_field(words);
        assert_eq!(of(&[1, 2, 3]), of(&[1, 2, 3]));
        let all = [
            of(&[]),
            of(&[0]),
            of(&[1]),
            of(&[2]),
            of(&[1, 2]),
            of(&[2, 1]),
            of(&[1, 2, 3]),
            of(&[1, 2, 4]),
            of(&[0, 0]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(a.value() > 1 && a.value() < PRIME - 1);
            assert!(all[..i].iter().all(|b| a != b), "{all:?}");
        }
        // As many in the upper half as in the lower.
        let upper = (0..1000).filter(|&i| of(&[i]).value() > PRIME / 2).count();
        assert!((400..600).contains(&upper), "{upper}");
    }

    #[test]
    fn the_determinant_of_a_product_is_the_product_of_determinants() {
        let mut rng = SplitMix::new(5);
        for n in 1..6 {
            let [a, mut b] =
                [0, 1].map(|_| (0..n).map(|_| (0..n).map(|_| rng.field()).collect()).collect::<Vec<Vec<Fp>>>());
            // Rows have to be exchanged.
            b[0][0] = Fp::ZERO;
            let entry = |i: usize, j: usize| (0..n).fold(Fp::ZERO, |s, k| s + a[i][k] * b[k][j]);
            let product: Vec<Vec<Fp>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            assert_eq!(determinant(&product), determinant(&a) * determinant(&b));
        }
        assert_eq!(determinant(&[vec![Fp::new(2), Fp::new(3)], vec![Fp::new(4), Fp::new(5)]]), Fp::from_i64(-2));
        assert_eq!(Fp::new(3).powi(-2), Fp::new(9).inverse());
        assert_eq!((Fp::ZERO.powi(-1), Fp::ZERO.root(3), Fp::new(8).root(1)), (None, Some(Fp::ZERO), Some(Fp::new(8))));
    }
}
