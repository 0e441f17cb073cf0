//! Logarithms and powers for the control of steps: to eleven digits, which is far more than an estimate of an error deserves, and
//! without a branch or a call, so that a loop over trajectories becomes vector instructions.

/// log₂ x of a number above zero; what is beyond 10^±300 counts as that.
#[inline(always)]
pub(super) fn logarithm(x: f64) -> f64 {
    let x = x.clamp(1e-300, 1e300);
    let bits = x.to_bits();
    // The exponent as a number: it becomes the low bits of 2⁵².
    let exponent = f64::from_bits(0x4330_0000_0000_0000 | bits >> 52) - (4_503_599_627_370_496.0 + 1023.0);
    let mantissa = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000);
    let above = mantissa > std::f64::consts::SQRT_2;
    let m = if above { 0.5 * mantissa } else { mantissa };
    let exponent = if above { exponent + 1.0 } else { exponent };
    // log m = 2 artanh s
    let s = (m - 1.0) / (m + 1.0);
    let t = s * s;
    let series = 1.0 / 13.0;
    let series = series * t + 1.0 / 11.0;
    let series = series * t + 1.0 / 9.0;
    let series = series * t + 1.0 / 7.0;
    let series = series * t + 1.0 / 5.0;
    let series = series * t + 1.0 / 3.0;
    let series = series * t + 1.0;
    exponent + 2.0 * std::f64::consts::LOG2_E * (s * series)
}

/// 2 to the power x, which counts as ±1000 beyond that.
#[inline(always)]
pub(super) fn power(x: f64) -> f64 {
    let x = x.clamp(-1000.0, 1000.0);
    // Adding and subtracting 3·2⁵¹ rounds to an integer, whose bits are then the low bits of the sum.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = x + ROUND;
    let f = (x - (shifted - ROUND)) * std::f64::consts::LN_2;
    let series = 1.0 / 3_628_800.0;
    let series = series * f + 1.0 / 362_880.0;
    let series = series * f + 1.0 / 40_320.0;
    let series = series * f + 1.0 / 5040.0;
    let series = series * f + 1.0 / 720.0;
    let series = series * f + 1.0 / 120.0;
    let series = series * f + 1.0 / 24.0;
    let series = series * f + 1.0 / 6.0;
    let series = series * f + 0.5;
    let series = series * f + 1.0;
    let series = series * f + 1.0;
    series * f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_powers_have_eleven_digits() {
        let mut x = 1e-300;
        while x < 1e300 {
            assert!((logarithm(x) - x.log2()).abs() <= 1e-11, "{x:e}");
            x *= 1.73;
        }
        let mut x = -1000.0;
        while x < 1000.0 {
            assert!((power(x) / x.exp2() - 1.0).abs() <= 1e-11, "{x}");
            x += 0.37;
        }
        assert!(logarithm(0.0) < -990.0 && power(-1e9) < 1e-300 && power(f64::INFINITY) > 1e300);
    }
}
