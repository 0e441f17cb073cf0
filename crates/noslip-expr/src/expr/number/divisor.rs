//! The greatest common divisor of long integers, by Lehmer's method: Euclid's quotients are found from the leading words alone, some
//! twenty at a time, and all digits are touched once for all of them.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

/// Bits of the leading parts: cofactors of two such stay in a word, and two products of them with digits in two.
const LEADING: u32 = 62;

/// The greatest common divisor, not negative.
pub(in crate::expr) fn common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (a, b) = (a.magnitude(), b.magnitude());
    let (long, short) = if a >= b { (a, b) } else { (b, a) };
    if short.bits() <= 64 {
        return word_divisor(long, short).into();
    }
    let (mut long, mut short) = (long.to_u64_digits(), short.to_u64_digits());
    while short.len() > 1 {
        // Where one is longer by about a word, its leading part says nothing of the other's.
        match steps(&long, &short) {
            Some(cofactors) => {
                combine(&mut long, &mut short, cofactors);
                if is_less(&long, &short) {
                    std::mem::swap(&mut long, &mut short);
                }
            }
            None => {
                let rest = from_words(&long) % from_words(&short);
                long = std::mem::replace(&mut short, rest.to_u64_digits());
            }
        }
    }
    word_divisor(&from_words(&long), &from_words(&short)).into()
}

/// The same where the second is no longer than a word.
fn word_divisor(long: &BigUint, short: &BigUint) -> BigUint {
    let Some(&word) = short.to_u64_digits().first() else { return long.clone() };
    let rest = (long % word).to_u64_digits().first().copied().unwrap_or(0);
    word.gcd(&rest).into()
}

fn from_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|w| [*w as u32, (w >> 32) as u32]).collect())
}

fn is_less(a: &[u64], b: &[u64]) -> bool {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev())).is_lt()
}

/// Rows of a matrix with determinant ±1: what several steps of Euclid's algorithm make of two numbers.
type Cofactors = [[i64; 2]; 2];

/// The steps that the leading parts of two numbers, the first no smaller than the second, are sure of. None if there is no such step.
fn steps(a: &[u64], b: &[u64]) -> Option<Cofactors> {
    let (mut x, mut y) = (leading(a, a), leading(b, a));
    let mut m: Cofactors = [[1, 0], [0, 1]];
    loop {
        // A quotient is sure if it is the same at both ends of what the leading parts leave open (Knuth, 4.5.2, algorithm L).
        let below = [y + m[1][0], y + m[1][1]];
        if below.contains(&0) {
            break;
        }
        let q = (x + m[0][0]) / below[0];
        if q != (x + m[0][1]) / below[1] {
            break;
        }
        m = [m[1], [m[0][0] - q * m[1][0], m[0][1] - q * m[1][1]]];
        (x, y) = (y, x - q * y);
    }
    (m[0][1] != 0).then_some(m)
}

/// The digits of a number in the place of the leading digits of another.
fn leading(number: &[u64], place: &[u64]) -> i64 {
    let top = place.len() - 1;
    let word = |i: usize| u128::from(number.get(i).copied().unwrap_or(0));
    let two = word(top) << 64 | if top > 0 { word(top - 1) } else { 0 };
    let bits = 128 - place[top].leading_zeros();
    (two >> (bits - LEADING)) as i64
}

/// Two numbers become what the cofactors make of them.
fn combine(a: &mut Vec<u64>, b: &mut Vec<u64>, [[p, q], [r, s]]: Cofactors) {
    let [p, q, r, s] = [p, q, r, s].map(i128::from);
    b.resize(a.len(), 0);
    let mut carry = [0i128; 2];
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        let (u, v) = (i128::from(*x), i128::from(*y));
        let sums = [carry[0] + p * u + q * v, carry[1] + r * u + s * v];
        (*x, *y) = (sums[0] as u64, sums[1] as u64);
        carry = sums.map(|sum| sum >> 64);
    }
    for number in [a, b] {
        let length = number.iter().rposition(|&word| word != 0).map_or(0, |top| top + 1);
        number.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    /// Digits that repeat themselves after long.
    fn digits(bits: u64, seed: u64) -> BigInt {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut words = Vec::new();
        for _ in 0..=bits / 32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            words.push((state >> 32) as u32);
        }
        BigInt::from(BigUint::new(words) >> (32 - bits % 32) as usize)
    }

    #[test]
    fn the_greatest_common_divisor_is_that_of_the_library() {
        for (i, bits) in [1, 31, 62, 63, 64, 65, 127, 128, 129, 190, 700, 4000].into_iter().enumerate() {
            for (j, other) in [1, 40, 64, 66, 126, 130, 256, 900, 3990, 9000].into_iter().enumerate() {
                for (k, common) in [0, 1, 33, 64, 500].into_iter().enumerate() {
                    let seed = (100 * i + 10 * j + k) as u64;
                    let c = digits(common, seed + 7) + BigInt::one();
                    let (a, b) = (digits(bits, seed) * &c, -digits(other, seed + 3) * &c);
                    assert_eq!(common_divisor(&a, &b), a.gcd(&b), "{a} {b}");
                    assert_eq!(common_divisor(&b, &a), a.gcd(&b), "{b} {a}");
                }
            }
        }
        // Quotients of one all the way, quotients as long as words, and powers of the word.
        let (mut a, mut b) = (BigInt::one(), BigInt::one());
        for _ in 0..2000 {
            (a, b) = (&a + &b, a);
        }
        assert_eq!(common_divisor(&a, &b), BigInt::one());
        let (one, word) = (BigInt::one(), BigInt::from(u64::MAX));
        for (x, y) in [
            (one.clone() << 640, (one.clone() << 639) - 1),
            (one.clone() << 640, one.clone() << 320),
            ((one.clone() << 128) - 1, (one.clone() << 64) + 1),
            (&word * &word * &word, &word * &word),
            (&word * &word + 1, &word + 1),
            (BigInt::from(0), one.clone() << 200),
            (BigInt::from(0), BigInt::from(0)),
        ] {
            assert_eq!(common_divisor(&x, &y), x.gcd(&y), "{x} {y}");
        }
    }
}
