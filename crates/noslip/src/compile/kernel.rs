//! The arithmetic of one operation, shared by every interpreter so that they agree to the last bit.

use super::tape::{Binary, Unary};

/// Below this the polynomial is used: the argument's nearest multiple of π/2 is then exact in two pieces.
const POLYNOMIAL_RANGE: f64 = 1234.0;
/// Adding and subtracting it rounds to an integer, whose low bits are then the low bits of the sum.
const ROUND: f64 = 6755399441055744.0;
// π/2 in pieces of 33, 33 and 53 bits: the product of an integer below 2²⁰ with one of the first two is exact.
const HALF_PI_1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
const HALF_PI_2: f64 = f64::from_bits(0x3DD0_B461_1A60_0000);
const HALF_PI_3: f64 = f64::from_bits(0x3BA3_198A_2E03_7073);
// Minimax coefficients of the well-known freely distributable libm (Sun Microsystems, 1993).
const S1: f64 = -0.16666666666666632;
const S2: f64 = 0.00833333333332249;
const S3: f64 = -0.0001984126982985795;
const S4: f64 = 2.7557313707070068e-06;
const S5: f64 = -2.5050760253406863e-08;
const S6: f64 = 1.58969099521155e-10;
const C1: f64 = 0.0416666666666666;
const C2: f64 = -0.001388888888887411;
const C3: f64 = 2.480158728947673e-05;
const C4: f64 = -2.7557314351390663e-07;
const C5: f64 = 2.087572321298175e-09;
const C6: f64 = -1.1359647557788195e-11;

/// Is the branch-free polynomial good for this argument? (False for NaN.)
#[inline(always)]
pub(super) fn in_polynomial_range(x: f64) -> bool {
    x.abs() < POLYNOMIAL_RANGE
}

/// Sine and cosine for |x| < 1234 without a branch, so that a loop over lanes vectorises.
#[inline(always)]
pub(super) fn sin_cos_polynomial(x: f64) -> (f64, f64) {
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits();
    let n = shifted - ROUND;
    // y0 + y1 = x − n·π/2 with twice the working precision.
    let first = x - n * HALF_PI_1;
    let step = n * HALF_PI_2;
    let r = first - step;
    let w = n * HALF_PI_3 - ((first - r) - step);
    let y0 = r - w;
    let y1 = (r - y0) - w;

    let z = y0 * y0;
    let zz = z * z;
    let p = S2 + z * (S3 + z * S4) + z * zz * (S5 + z * S6);
    let v = z * y0;
    let sin = y0 - ((z * (0.5 * y1 - v * p) - y1) - v * S1);
    let q = z * (C1 + z * (C2 + z * C3)) + zz * zz * (C4 + z * (C5 + z * C6));
    let half = 0.5 * z;
    let one = 1.0 - half;
    let cos = one + (((1.0 - one) - half) + (z * q - y0 * y1));

    // Odd quadrants exchange the two; the signs follow the second bit.
    let (s, c) = (sin.to_bits(), cos.to_bits());
    let exchange = 0u64.wrapping_sub(quadrant & 1) & (s ^ c);
    let sin_sign = (quadrant & 2) << 62;
    let cos_sign = (quadrant.wrapping_add(1) & 2) << 62;
    (f64::from_bits((s ^ exchange) ^ sin_sign), f64::from_bits((c ^ exchange) ^ cos_sign))
}

/// Sine and cosine of any argument.
#[inline]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    if in_polynomial_range(x) { sin_cos_polynomial(x) } else { x.sin_cos() }
}

/// −1, 0 or 1; NaN stays.
#[inline(always)]
pub(super) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

/// One operation of one argument.
#[inline]
pub(super) fn unary(op: Unary, x: f64) -> f64 {
    match op {
        Unary::Negate => -x,
        Unary::Sqrt => x.sqrt(),
        Unary::Sin => sin_cos(x).0,
        Unary::Cos => sin_cos(x).1,
        Unary::Asin => libm::asin(x),
        Unary::Acos => libm::acos(x),
        Unary::Atan => libm::atan(x),
        Unary::Sinh => libm::sinh(x),
        Unary::Cosh => libm::cosh(x),
        Unary::Tanh => libm::tanh(x),
        Unary::Exp => libm::exp(x),
        Unary::Log => libm::log(x),
        Unary::Abs => x.abs(),
        Unary::Sign => sign(x),
    }
}

/// One operation of two arguments.
#[inline]
pub(super) fn binary(op: Binary, x: f64, y: f64) -> f64 {
    match op {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        Binary::Power => libm::pow(x, y),
        Binary::Atan2 => libm::atan2(x, y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sin and cos of x by exact rational Taylor series of x reduced with 60 digits of π would be the judge of judges;
    /// the platform's libm (below one unit in the last place) is enough to see an error of one.
    #[test]
    fn the_polynomial_agrees_with_libm_to_one_unit_in_the_last_place() {
        let mut worst: f64 = 0.0;
        let mut x = -1233.9;
        while x < 1233.9 {
            let (s, c) = sin_cos(x);
            worst = worst.max((s - x.sin()).abs()).max((c - x.cos()).abs());
            x += 0.003_717_9;
        }
        assert!(worst <= 2.3e-16, "worst error {worst:e}");
        // Next to multiples of π/2, where reduction cancels: relative accuracy must survive.
        for k in -780..=780i32 {
            let x = f64::from(k) * std::f64::consts::FRAC_PI_2;
            let (s, c) = sin_cos(x);
            let (ls, lc) = x.sin_cos();
            assert!((s - ls).abs() <= 4e-16 * ls.abs() && (c - lc).abs() <= 4e-16 * lc.abs(), "{k}: {s} {ls} {c} {lc}");
        }
    }

    #[test]
    fn large_and_special_arguments_go_to_libm() {
        for x in [1e5, -1e22, 1234.0] {
            assert_eq!(sin_cos(x), f64::sin_cos(x));
        }
        assert!(sin_cos(f64::INFINITY).0.is_nan() && sin_cos(f64::NAN).1.is_nan());
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!(sin_cos(1e-300).0, 1e-300);
    }
}
