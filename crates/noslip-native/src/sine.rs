//! Sine and cosine by polynomials, without a branch: one sequence of operations for interpreters, lanes and machine code, so that they
//! agree to the last bit.

/// Below this the polynomials are used: the argument's nearest multiple of π/2 is then exact in two pieces.
pub(crate) const RANGE: f64 = 1234.0;
/// Adding and subtracting it rounds to an integer, whose low bits are then the low bits of the sum.
pub(crate) const ROUND: f64 = 6755399441055744.0;
/// π/2 in pieces of 33, 33 and 53 bits: the product of an integer below 2²⁰ with one of the first two is exact.
pub(crate) const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3FF9_21FB_5440_0000),
    f64::from_bits(0x3DD0_B461_1A60_0000),
    f64::from_bits(0x3BA3_198A_2E03_7073),
];
/// Minimax coefficients of the freely distributable libm (Sun Microsystems, 1993): of the sine, and of the cosine.
pub(crate) const SINE: [f64; 6] = [
    -0.16666666666666632,
    0.00833333333332249,
    -0.0001984126982985795,
    2.7557313707070068e-06,
    -2.5050760253406863e-08,
    1.58969099521155e-10,
];
pub(crate) const COSINE: [f64; 6] = [
    0.0416666666666666,
    -0.001388888888887411,
    2.480158728947673e-05,
    -2.7557314351390663e-07,
    2.087572321298175e-09,
    -1.1359647557788195e-11,
];

/// Do the polynomials serve for this argument? (Not for NaN.)
#[inline(always)]
pub fn in_range(x: f64) -> bool {
    x.abs() < RANGE
}

/// Sine and cosine of a number in range. Without a branch, so that a loop over lanes becomes vector instructions.
#[inline(always)]
pub fn polynomial(x: f64) -> [f64; 2] {
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits();
    let n = shifted - ROUND;
    // r − w = x − n·π/2 with twice the working precision. The polynomials are those of r: what w adds is of first order, since it is at
    // most a rounding of r or 10⁻¹⁷, and they need not wait for it.
    let first = x - n * HALF_PI[0];
    let step = n * HALF_PI[1];
    let r = first - step;
    let w = n * HALF_PI[2] - ((first - r) - step);

    let z = r * r;
    let zz = z * z;
    let p = SINE[1] + z * (SINE[2] + z * SINE[3]) + z * zz * (SINE[4] + z * SINE[5]);
    let v = z * r;
    let sin = r - ((w - z * (0.5 * w + v * p)) - v * SINE[0]);
    let q = z * (COSINE[0] + z * (COSINE[1] + z * COSINE[2])) + zz * zz * (COSINE[3] + z * (COSINE[4] + z * COSINE[5]));
    let half = 0.5 * z;
    let one = 1.0 - half;
    let cos = one + (((1.0 - one) - half) + (z * q + r * w));

    // Odd quadrants exchange the two; the signs follow the second bit.
    let (s, c) = (sin.to_bits(), cos.to_bits());
    let exchange = 0u64.wrapping_sub(quadrant & 1) & (s ^ c);
    let sin_sign = (quadrant & 2) << 62;
    let cos_sign = (quadrant.wrapping_add(1) & 2) << 62;
    [f64::from_bits((s ^ exchange) ^ sin_sign), f64::from_bits((c ^ exchange) ^ cos_sign)]
}
