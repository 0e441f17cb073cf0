//! Exact rational numbers: a checked machine-word fast path, big integers when needed.

mod divisor;

pub(super) use divisor::common_divisor;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An exact rational number in lowest terms with positive denominator.
///
/// Values whose numerator and denominator fit an `i64` are kept in machine words; the representation is
/// canonical, so derived equality and hashing are right.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    Big(Box<BigRational>),
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    // Almost every call has word-sized operands, where the division is many times cheaper.
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(x.gcd(&y));
        }
        (a, b) = (b, a % b);
    }
    a as i128
}

/// A quotient without remainder. Most common divisors are one.
fn over(a: BigInt, b: &BigInt) -> BigInt {
    if b.is_one() { a } else { a / b }
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Repr::Small(0, 1));
    /// One.
    pub const ONE: Rational = Rational(Repr::Small(1, 1));
    /// Minus one.
    pub const MINUS_ONE: Rational = Rational(Repr::Small(-1, 1));

    /// The integer `n`.
    pub const fn integer(n: i64) -> Rational {
        Rational(Repr::Small(n, 1))
    }

    /// `numerator / denominator`, or `None` when the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Option<Rational> {
        (denominator != 0).then(|| Self::from_i128(numerator.into(), denominator.into()))
    }

    /// From big integers; `None` when the denominator is zero.
    pub fn from_big(numerator: BigInt, denominator: BigInt) -> Option<Rational> {
        (!denominator.is_zero()).then(|| {
            let g = common_divisor(&numerator, &denominator);
            let g = if denominator.is_negative() { -g } else { g };
            Self::reduced(over(numerator, &g), over(denominator, &g))
        })
    }

    /// From a numerator and a positive denominator without a common divisor.
    fn reduced(numerator: BigInt, denominator: BigInt) -> Rational {
        Self::canonical(BigRational::new_raw(numerator, denominator))
    }

    fn from_i128(n: i128, d: i128) -> Rational {
        // Almost all numbers are words, and stay words: their division is many times cheaper.
        if let (Ok(n), Ok(d)) = (i64::try_from(n), i64::try_from(d))
            && d > 0
        {
            let g = n.unsigned_abs().gcd(&d.unsigned_abs()) as i64;
            return Rational(if g == 1 { Repr::Small(n, d) } else { Repr::Small(n / g, d / g) });
        }
        let g = gcd(n, d);
        let g = if d < 0 { -g } else { g };
        let (n, d) = (n / g, d / g);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(n), Ok(d)) => Rational(Repr::Small(n, d)),
            _ => Rational(Repr::Big(Box::new(BigRational::new_raw(n.into(), d.into())))),
        }
    }

    fn canonical(r: BigRational) -> Rational {
        match (r.numer().to_i64(), r.denom().to_i64()) {
            (Some(n), Some(d)) => Rational(Repr::Small(n, d)),
            _ => Rational(Repr::Big(Box::new(r))),
        }
    }

    /// The same value as a big rational.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(n, d) => BigRational::new_raw((*n).into(), (*d).into()),
            Repr::Big(r) => (**r).clone(),
        }
    }

    /// Numerator (carries the sign).
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(n, _) => (*n).into(),
            Repr::Big(r) => r.numer().clone(),
        }
    }

    /// Denominator, positive.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(_, d) => (*d).into(),
            Repr::Big(r) => r.denom().clone(),
        }
    }

    fn parts(&self) -> (BigInt, BigInt) {
        (self.numerator(), self.denominator())
    }

    /// Numerator and denominator, as numbers again.
    pub fn split(&self) -> (Rational, Rational) {
        match &self.0 {
            Repr::Small(n, d) => (Rational::integer(*n), Rational::integer(*d)),
            Repr::Big(r) => (r.numer().clone().into(), r.denom().clone().into()),
        }
    }

    /// Numerator and denominator when both fit machine words.
    pub fn small(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small(n, d) => Some((*n, *d)),
            Repr::Big(_) => None,
        }
    }

    /// The value as a machine integer, if it is one.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(n, 1) => Some(*n),
            _ => None,
        }
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// Is it one?
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, 1))
    }

    /// Is it minus one?
    pub fn is_minus_one(&self) -> bool {
        matches!(self.0, Repr::Small(-1, 1))
    }

    /// Is it an integer?
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, d) => *d == 1,
            Repr::Big(r) => r.is_integer(),
        }
    }

    /// Is it less than zero?
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(n, _) => *n < 0,
            Repr::Big(r) => r.is_negative(),
        }
    }

    /// Absolute value.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The reciprocal, `None` for zero.
    pub fn recip(&self) -> Option<Rational> {
        match &self.0 {
            Repr::Small(0, _) => None,
            Repr::Small(n, d) => Some(Self::from_i128((*d).into(), (*n).into())),
            Repr::Big(r) => Some(Self::canonical(r.recip())),
        }
    }

    /// Quotient, `None` when dividing by zero.
    pub fn checked_div(&self, other: &Rational) -> Option<Rational> {
        Some(self * &other.recip()?)
    }

    /// The quotient of two integers, if it is one.
    pub fn divided_by(&self, other: &Rational) -> Option<Rational> {
        if let (Some((a, 1)), Some((b, 1))) = (self.small(), other.small()) {
            return (b != 0 && a.checked_rem(b).unwrap_or(0) == 0).then(|| Self::from_i128(a.into(), b.into()));
        }
        if !self.is_integer() || !other.is_integer() || other.is_zero() {
            return None;
        }
        let (quotient, rest) = self.numerator().div_rem(&other.numerator());
        rest.is_zero().then(|| quotient.into())
    }

    /// Integer power; `None` for a negative power of zero. The caller bounds the size of the result.
    pub fn pow(&self, exponent: i32) -> Option<Rational> {
        let base = if exponent < 0 { self.recip()? } else { self.clone() };
        let mut e = exponent.unsigned_abs();
        let (mut square, mut result) = (base, Rational::ONE);
        while e > 0 {
            if e & 1 == 1 {
                result = &result * &square;
            }
            e >>= 1;
            if e > 0 {
                square = &square * &square;
            }
        }
        Some(result)
    }

    /// Bits needed for numerator and denominator together: the measure limits are stated in.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(n, d) => u64::from(128 - n.unsigned_abs().leading_zeros() - d.unsigned_abs().leading_zeros()),
            Repr::Big(r) => r.numer().bits() + r.denom().bits(),
        }
    }

    /// Words of numerator and denominator together; none where each fits a machine word.
    pub fn words(&self) -> u64 {
        match &self.0 {
            Repr::Small(..) => 0,
            Repr::Big(_) => self.bits() / 64,
        }
    }

    /// The exact square root, if it is rational.
    pub fn sqrt(&self) -> Option<Rational> {
        if self.is_negative() {
            return None;
        }
        let (n, d) = (self.numerator(), self.denominator());
        let (rn, rd) = (n.sqrt(), d.sqrt());
        (&rn * &rn == n && &rd * &rd == d).then(|| Self::from_big(rn, rd)).flatten()
    }

    /// The nearest floating-point number.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            // Both integers exactly representable: one correctly rounded division.
            Repr::Small(n, d) if n.unsigned_abs() <= 1 << 53 && *d <= 1 << 53 => *n as f64 / *d as f64,
            _ => big_to_f64(&self.to_big()),
        }
    }

    /// The exact value of a finite floating-point number.
    pub fn from_f64(x: f64) -> Option<Rational> {
        BigRational::from_float(x).map(Self::canonical)
    }

    /// Reads `12`, `0.25`, `1.5e-3` exactly. The caller has checked the spelling and the size of the exponent.
    pub fn parse_decimal(text: &str) -> Option<Rational> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(i) => (&text[..i], text[i + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: String = [whole, fraction].concat();
        let n: BigInt = if digits.is_empty() { return None } else { digits.parse().ok()? };
        let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        let ten = BigInt::from(10).pow(scale.unsigned_abs());
        if scale < 0 { Self::from_big(n, ten) } else { Some(Self::canonical(BigRational::from_integer(n * ten))) }
    }
}

impl Rational {
    /// The number as a decimal, if it has an end within six digits behind the point.
    pub fn as_decimal(&self) -> Option<String> {
        let (n, d) = self.small()?;
        (1_000_000 % d == 0).then(|| {
            let millionths = i128::from(n) * i128::from(1_000_000 / d);
            let text = format!("{}.{:06}", millionths.abs() / 1_000_000, millionths.abs() % 1_000_000);
            let text = text.trim_end_matches('0').trim_end_matches('.');
            if millionths < 0 { format!("-{text}") } else { text.to_owned() }
        })
    }
}

/// Correct to within one unit in the last place: scale so that an integer quotient has 64 significant bits.
fn big_to_f64(r: &BigRational) -> f64 {
    let (n, d) = (r.numer(), r.denom());
    if n.is_zero() {
        return 0.0;
    }
    let shift = 66 - (n.bits() as i64 - d.bits() as i64);
    let magnitude = n.magnitude().clone();
    let quotient = if shift >= 0 {
        (magnitude << shift as u64) / d.magnitude()
    } else {
        magnitude / (d.magnitude() << (-shift) as u64)
    };
    let q = quotient.to_f64().unwrap_or(f64::INFINITY);
    // Two steps, because 2^-shift alone may overflow or underflow where the product does not.
    let half = (-shift / 2) as i32;
    let value = q * 2f64.powi(half) * 2f64.powi((-shift) as i32 - half);
    if n.sign() == Sign::Minus { -value } else { value }
}

impl From<i64> for Rational {
    fn from(n: i64) -> Self {
        Self::integer(n)
    }
}

impl From<BigInt> for Rational {
    fn from(n: BigInt) -> Self {
        Self::canonical(BigRational::from_integer(n))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            if *b == 1
                && *d == 1
                && let Some(n) = a.checked_add(*c)
            {
                return Rational::integer(n);
            }
            let (a, b, c, d) = (i128::from(*a), i128::from(*b), i128::from(*c), i128::from(*d));
            if let Some(n) = (a * d).checked_add(c * b) {
                return Rational::from_i128(n, b * d);
            }
        }
        if self.is_integer() && other.is_integer() {
            return Rational::from(match (&self.0, &other.0) {
                (Repr::Big(a), Repr::Big(b)) => a.numer() + b.numer(),
                (Repr::Big(a), Repr::Small(n, _)) | (Repr::Small(n, _), Repr::Big(a)) => a.numer() + *n,
                (Repr::Small(n, _), Repr::Small(m, _)) => BigInt::from(*n) + *m,
            });
        }
        // (Knuth, 4.5.1: what cancels divides the common divisor of the denominators.)
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        let g = common_divisor(&b, &d);
        let (rest, factor) = (over(b, &g), over(d, &g));
        let n = a * &factor + c * &rest;
        let h = common_divisor(&n, &g);
        Rational::reduced(over(n, &h), rest * factor * over(g, &h))
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self + &-other
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        // Most terms of sums stand there once.
        if other.is_one() {
            return self.clone();
        }
        if let (Repr::Small(a, b), Repr::Small(c, d)) = (&self.0, &other.0) {
            if *b == 1
                && *d == 1
                && let Some(n) = a.checked_mul(*c)
            {
                return Rational::integer(n);
            }
            return Rational::from_i128(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d));
        }
        // Between integers nothing cancels, and to find that out takes longer than the product where they have many digits.
        if self.is_integer() && other.is_integer() {
            return Rational::from(match (&self.0, &other.0) {
                (Repr::Big(a), Repr::Big(b)) => a.numer() * b.numer(),
                (Repr::Big(a), Repr::Small(n, _)) | (Repr::Small(n, _), Repr::Big(a)) => a.numer() * *n,
                (Repr::Small(n, _), Repr::Small(m, _)) => BigInt::from(*n) * *m,
            });
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        let (g, h) = (common_divisor(&a, &d), common_divisor(&c, &b));
        Rational::reduced(over(a, &g) * over(c, &h), over(b, &h) * over(d, &g))
    }
}

/// Division; the caller knows that the divisor is not zero (see [`Rational::checked_div`]).
impl Div for &Rational {
    type Output = Rational;
    fn div(self, other: &Rational) -> Rational {
        self.checked_div(other).expect("division by a number known to be non-zero")
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(n, d) if *n != i64::MIN => Rational(Repr::Small(-n, *d)),
            _ => Rational::canonical(-self.to_big()),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n, 1) => write!(f, "{n}"),
            Repr::Small(n, d) => write!(f, "{n}/{d}"),
            Repr::Big(r) => write!(f, "{r}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl num_traits::Zero for Rational {
    fn zero() -> Self {
        Rational::ZERO
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
}

impl num_traits::One for Rational {
    fn one() -> Self {
        Rational::ONE
    }
}

macro_rules! by_value {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Rational {
            type Output = Rational;
            fn $method(self, other: Rational) -> Rational {
                $trait::$method(&self, &other)
            }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(n: i64, d: i64) -> Rational {
        Rational::new(n, d).unwrap()
    }

    #[test]
    fn arithmetic_is_exact_and_canonical() {
        assert_eq!(&r(1, 3) + &r(1, 6), r(1, 2));
        assert_eq!(r(2, -4), r(-1, 2));
        assert_eq!(&r(1, 3) - &r(1, 3), Rational::ZERO);
        assert_eq!(r(-2, 3).pow(-3).unwrap(), r(-27, 8));
        assert!(r(0, 1).pow(-1).is_none());
        assert!(r(1, 3) < r(1, 2) && r(-1, 2) < r(-1, 3));
    }

    #[test]
    fn zero_is_zero_by_either_name_and_nothing_else_is() {
        use num_traits::Zero;
        assert!(<Rational as Zero>::zero().is_zero() && Zero::is_zero(&Rational::ZERO));
        assert!(!Zero::is_zero(&Rational::ONE) && !Zero::is_zero(&r(-1, 7)));
    }

    #[test]
    fn overflow_goes_to_big_integers_and_comes_back() {
        let big = Rational::integer(i64::MAX);
        let sum = &big + &Rational::ONE;
        assert_eq!(sum.to_string(), "9223372036854775808");
        assert_eq!(&sum - &Rational::ONE, big);
        let product = &big * &big;
        assert!(product.small().is_none());
        assert_eq!(&product / &big, big);
        assert_eq!(-&Rational::integer(i64::MIN), &Rational::integer(i64::MAX) + &Rational::ONE);
        assert_eq!((-&Rational::integer(i64::MIN)).recip().unwrap().recip().unwrap(), -&Rational::integer(i64::MIN));
        assert_eq!(Rational::integer(i64::MIN).recip().unwrap().recip().unwrap(), Rational::integer(i64::MIN));
    }

    #[test]
    fn decimals_are_read_exactly() {
        assert_eq!(Rational::parse_decimal("0.1").unwrap(), r(1, 10));
        assert_eq!(Rational::parse_decimal("1.5e-3").unwrap(), r(3, 2000));
        assert_eq!(Rational::parse_decimal("2E2").unwrap(), r(200, 1));
        assert_eq!(Rational::parse_decimal(".5").unwrap(), r(1, 2));
        assert!(Rational::parse_decimal(".").is_none());
        for text in ["0.3", "12.000405", "7", "0.000001"] {
            assert_eq!(Rational::parse_decimal(text).unwrap().as_decimal().unwrap(), text);
        }
        assert_eq!(r(-1, 20).as_decimal().unwrap(), "-0.05");
        assert_eq!(r(1, 3).as_decimal(), None);
    }

    #[test]
    fn conversion_to_floating_point_is_accurate() {
        for x in [0.1, 1.0 / 3.0, 1e-300, 1e300, -2.5e17, 5e-324, f64::MAX] {
            assert_eq!(Rational::from_f64(x).unwrap().to_f64(), x);
        }
        assert!((r(1, 3).to_f64() - 1.0 / 3.0).abs() < 1e-17);
        let huge = Rational::parse_decimal("1e400").unwrap();
        assert_eq!(huge.to_f64(), f64::INFINITY);
        assert_eq!(huge.recip().unwrap().to_f64(), 0.0);
    }

    #[test]
    fn square_roots_only_when_rational() {
        assert_eq!(r(9, 4).sqrt(), Some(r(3, 2)));
        assert_eq!(r(2, 1).sqrt(), None);
        assert_eq!(r(-4, 1).sqrt(), None);
    }

    /// Numbers on both sides of the machine word.
    fn many() -> Vec<Rational> {
        let mut list = vec![Rational::ZERO];
        for n in [1, -1, 6, -35, 6_700_417, -(1 << 31), 4_294_967_291, i64::MAX, i64::MIN] {
            for d in [1, 2, -15, 1 << 31, 4_294_967_291, i64::MAX] {
                list.push(r(n, d));
                list.push(&r(n, d) * &Rational::integer(i64::MAX));
            }
        }
        list
    }

    #[test]
    fn arithmetic_agrees_with_big_rationals_on_both_sides_of_the_machine_word() {
        for a in many() {
            for b in many() {
                let (x, y) = (a.to_big(), b.to_big());
                assert_eq!(&a + &b, Rational::canonical(&x + &y), "{a} + {b}");
                assert_eq!(&a - &b, Rational::canonical(&x - &y), "{a} - {b}");
                assert_eq!(&a * &b, Rational::canonical(&x * &y), "{a}·{b}");
                assert_eq!(a.cmp(&b), x.cmp(&y), "{a}, {b}");
                match a.checked_div(&b) {
                    Some(quotient) => assert_eq!(quotient, Rational::canonical(&x / &y), "{a}/({b})"),
                    None => assert!(b.is_zero()),
                }
            }
            assert_eq!((a.numerator(), a.denominator()), (a.to_big().numer().clone(), a.to_big().denom().clone()));
            assert_eq!(a.bits(), a.numerator().bits() + a.denominator().bits(), "{a}");
            assert_eq!(a.is_integer(), a.to_big().is_integer(), "{a}");
            assert_eq!(a.is_negative(), a.to_big().is_negative(), "{a}");
            assert_eq!(a.abs(), Rational::canonical(a.to_big().abs()), "{a}");
            assert_eq!(a.to_string(), a.to_big().to_string());
            assert_eq!((&a * &a).sqrt(), Some(a.abs()));
        }
    }

    #[test]
    fn powers_are_repeated_products() {
        for a in many().into_iter().filter(|a| !a.is_zero()) {
            let mut product = Rational::ONE;
            for n in 0..8 {
                assert_eq!(a.pow(n), Some(product.clone()), "{a}^{n}");
                assert_eq!(a.pow(-n), product.recip(), "{a}^-{n}");
                product = &product * &a;
            }
        }
    }

    #[test]
    fn the_nearest_floating_point_number_is_within_a_unit_of_the_last_place() {
        for a in many().into_iter().filter(|a| !a.is_zero()) {
            for a in [a.clone(), a.recip().expect("not zero"), a.pow(7).expect("a power"), a.pow(-7).expect("a power")]
            {
                let near = Rational::from_f64(a.to_f64()).expect("finite");
                let error = (&(&near - &a) / &a).abs();
                assert!(error <= r(1, 1 << 52), "{a}: {near}");
            }
        }
    }
}
