//! Numbers with as many digits as wanted, and a bound on their error.

use super::Enclosure;
use crate::expr::arena::Function;
use crate::expr::number::Rational;
use astro_float_num::{BigFloat, Consts, RoundingMode, Sign, WORD_BIT_SIZE};
use num_bigint::BigInt;
use std::collections::VecDeque;

const ROUND: RoundingMode = RoundingMode::ToEven;
/// Roundings of the bounds themselves are covered by this factor.
const UP: f64 = 1.0 + 8.0 * f64::EPSILON;

/// How many binary digits, and the constants computed so far.
pub struct Digits {
    bits: usize,
    constants: Consts,
    /// Sines, cosines and roots met last, with their arguments: at one state the same few are asked for again and again.
    met: VecDeque<(Kept, BigFloat, BigFloat)>,
}

/// What is kept of the functions that take long.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Sin,
    Cos,
    Root,
}

/// How many values are kept.
const MET: usize = 64;

impl Digits {
    /// Arithmetic with this many binary digits; `None` when there is no memory for its constants.
    pub fn new(bits: usize) -> Option<Digits> {
        Some(Digits { bits: bits.next_multiple_of(64), constants: Consts::new().ok()?, met: VecDeque::new() })
    }

    /// The value of one of the functions that are kept.
    fn value(&mut self, f: Kept, x: &BigFloat) -> BigFloat {
        if let Some((_, _, value)) = self.met.iter().find(|(g, y, _)| *g == f && y == x) {
            return value.clone();
        }
        let value = match f {
            Kept::Sin => x.sin(self.bits, ROUND, &mut self.constants),
            Kept::Cos => x.cos(self.bits, ROUND, &mut self.constants),
            Kept::Root => x.sqrt(self.bits, ROUND),
        };
        if self.met.len() == MET {
            self.met.pop_front();
        }
        self.met.push_back((f, x.clone(), value.clone()));
        value
    }

    /// Relative error of one operation, generously.
    fn ulp(&self) -> f64 {
        2f64.powi(4 - self.bits.min(1000) as i32)
    }
}

/// The numbers within `radius` of `middle`.
#[derive(Clone, Debug)]
pub struct Ball {
    middle: BigFloat,
    radius: f64,
}

/// An upper bound of |x|; infinite where it is beyond the range of `f64`.
fn size(x: &BigFloat) -> f64 {
    to_f64(x).abs() * UP + f64::MIN_POSITIVE
}

/// The nearest floating-point number, to its last digit or two.
fn to_f64(x: &BigFloat) -> f64 {
    let Some((words, _, sign, exponent, _)) = x.as_raw_parts() else { return f64::NAN };
    // The first 64 digits, in words that are as wide as those of the machine.
    let wide = WORD_BIT_SIZE as i32;
    let first = words.iter().rev().zip(1..=64 / wide);
    let top: f64 = first.map(|(&word, k)| word as f64 * 2f64.powi(-wide * k)).sum();
    // In two steps: the power alone may be out of range.
    let half = exponent / 2;
    let value = top * 2f64.powi(half.clamp(-1100, 1100)) * 2f64.powi((exponent - half).clamp(-1100, 1100));
    if sign == Sign::Neg { -value } else { value }
}

/// A floating-point number as it is. The library takes half of one that is too small to be normal: such a one is made larger first.
fn from_f64(cx: &Digits, x: f64) -> BigFloat {
    if !x.is_subnormal() {
        return BigFloat::from_f64(x, cx.bits);
    }
    let part = BigFloat::from_f64(2f64.powi(-64), cx.bits);
    BigFloat::from_f64(x * 2f64.powi(64), cx.bits).mul(&part, cx.bits, ROUND)
}

fn big(cx: &Digits, n: &BigInt) -> BigFloat {
    let (sign, digits) = n.to_u64_digits();
    let base = BigFloat::from_f64(2f64.powi(64), cx.bits);
    let mut value = BigFloat::from_word(0, cx.bits);
    for d in digits.into_iter().rev() {
        value = value.mul(&base, cx.bits, ROUND).add(&BigFloat::from_u64(d, cx.bits), cx.bits, ROUND);
    }
    if sign == num_bigint::Sign::Minus { value.neg() } else { value }
}

impl Ball {
    /// A result of one operation, with the error inherited from its arguments.
    fn new(cx: &Digits, middle: BigFloat, inherited: f64) -> Option<Ball> {
        if middle.is_nan() || middle.is_inf() {
            return None;
        }
        let radius = (inherited * UP + size(&middle) * cx.ulp()) * UP + f64::MIN_POSITIVE;
        radius.is_finite().then_some(Ball { middle, radius })
    }

    /// Exactly this number.
    pub fn exact(cx: &Digits, x: f64) -> Option<Ball> {
        x.is_finite().then(|| Ball { middle: from_f64(cx, x), radius: 0.0 })
    }

    /// The middle alone.
    pub fn middle(&self) -> Ball {
        Ball { middle: self.middle.clone(), radius: 0.0 }
    }

    /// The same middle, every number within this much of what was enclosed.
    pub fn widened(&self, by: f64) -> Ball {
        Ball { middle: self.middle.clone(), radius: (self.radius + by) * UP }
    }

    /// The middle as a floating-point number.
    pub fn value(&self) -> f64 {
        to_f64(&self.middle)
    }

    /// The bound on the distance from the middle.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// An upper bound of the absolute values.
    pub fn high(&self) -> f64 {
        (size(&self.middle) + self.radius) * UP
    }

    /// A lower bound of the absolute values, zero if zero is among them.
    pub fn low(&self) -> f64 {
        (self.value().abs() * (2.0 - UP) - self.radius * UP).max(0.0)
    }

    fn bigger(&self, limit: f64) -> bool {
        // What is not a number counts as too big.
        self.high() >= limit || self.high().is_nan()
    }

    /// A function that moves by at most `slope` times what its argument moves by.
    fn lipschitz(&self, cx: &Digits, middle: BigFloat, slope: f64) -> Option<Ball> {
        Ball::new(cx, middle, self.radius * slope)
    }
}

impl Enclosure for Ball {
    type Context = Digits;

    fn rational(cx: &mut Digits, x: &Rational) -> Option<Ball> {
        if let Some(k) = x.to_i64()
            && k.unsigned_abs() < 1 << 53
        {
            return Ball::exact(cx, k as f64);
        }
        let (n, d) = (x.numerator(), x.denominator());
        let words = (n.bits() + d.bits()) as f64 / 32.0 + 4.0;
        let value = big(cx, &n).div(&big(cx, &d), cx.bits, ROUND);
        let error = size(&value) * cx.ulp() * words;
        Ball::new(cx, value, error)
    }

    fn pi(cx: &mut Digits) -> Option<Ball> {
        let pi = cx.constants.pi(cx.bits, ROUND);
        Ball::new(cx, pi, 0.0)
    }

    fn negative(&self) -> Ball {
        Ball { middle: self.middle.neg(), radius: self.radius }
    }

    fn add(&self, cx: &mut Digits, o: &Ball) -> Option<Ball> {
        Ball::new(cx, self.middle.add(&o.middle, cx.bits, ROUND), self.radius + o.radius)
    }

    fn mul(&self, cx: &mut Digits, o: &Ball) -> Option<Ball> {
        let inherited = size(&self.middle) * o.radius + o.high() * self.radius;
        // 0·∞ where one factor is exact.
        let inherited = if self.radius == 0.0 && o.radius == 0.0 { 0.0 } else { inherited };
        Ball::new(cx, self.middle.mul(&o.middle, cx.bits, ROUND), inherited)
    }

    fn inverse(&self, cx: &mut Digits) -> Option<Ball> {
        let near = self.low();
        if near <= 0.0 {
            return None;
        }
        let inherited = self.radius / near / near * UP * UP;
        Ball::new(cx, self.middle.reciprocal(cx.bits, ROUND), inherited)
    }

    fn sqrt(&self, cx: &mut Digits) -> Option<Ball> {
        if self.sign() != Some(1) {
            return None;
        }
        // |√x − √m| = |x − m|/(√x + √m).
        let root = cx.value(Kept::Root, &self.middle);
        let slope = UP / (self.value().abs().sqrt() * (2.0 - UP));
        self.lipschitz(cx, root, slope)
    }

    fn sign(&self) -> Option<i32> {
        if self.middle.is_zero() {
            return (self.radius == 0.0).then_some(0);
        }
        (self.low() > 0.0).then(|| if self.middle.is_negative() { -1 } else { 1 })
    }

    fn call(&self, cx: &mut Digits, f: Function) -> Option<Ball> {
        use Function::*;
        let (m, p) = (&self.middle, cx.bits);
        match f {
            // Beyond that the reduction of the argument costs more than the answer is worth.
            Sin | Cos | Tan | Cot | Sec | Csc if self.bigger(1e18) => None,
            Sin | Cos => {
                let value = cx.value(if f == Sin { Kept::Sin } else { Kept::Cos }, m);
                Ball::new(cx, value, self.radius.min(2.0) + cx.ulp())
            }
            Tan | Cot => {
                let (sin, cos) = (self.call(cx, Sin)?, self.call(cx, Cos)?);
                if f == Tan { sin.div(cx, &cos) } else { cos.div(cx, &sin) }
            }
            Sec => self.call(cx, Cos)?.inverse(cx),
            Csc => self.call(cx, Sin)?.inverse(cx),
            Asin | Acos => {
                let room = 1.0 - self.high();
                if room <= 0.0 {
                    return None;
                }
                let value =
                    if f == Asin { m.asin(p, ROUND, &mut cx.constants) } else { m.acos(p, ROUND, &mut cx.constants) };
                // 1 − x² ≥ 1 − |x|.
                self.lipschitz(cx, value, UP * UP / room.sqrt())
            }
            Atan => {
                let value = m.atan(p, ROUND, &mut cx.constants);
                self.lipschitz(cx, value, 1.0)
            }
            Exp => {
                if self.bigger(700.0) {
                    return None;
                }
                let value = m.exp(p, ROUND, &mut cx.constants);
                let spread = size(&value) * self.radius.exp_m1() * UP;
                Ball::new(cx, value, spread)
            }
            Sinh | Cosh => {
                let up = self.call(cx, Exp)?;
                let down = up.inverse(cx)?;
                let down = if f == Sinh { down.negative() } else { down };
                let half = Ball::exact(cx, 0.5)?;
                up.add(cx, &down)?.mul(cx, &half)
            }
            Tanh if self.bigger(300.0) => {
                // 1 − tanh x < 2 exp(−2x).
                let sign = f64::from(self.sign()?);
                Some(Ball::exact(cx, sign)?.widened(2.0 * (-2.0 * self.low()).exp() * UP + f64::MIN_POSITIVE))
            }
            Tanh => {
                let value = m.tanh(p, ROUND, &mut cx.constants);
                self.lipschitz(cx, value, 1.0)
            }
            Log => {
                if self.sign() != Some(1) {
                    return None;
                }
                let value = m.ln(p, ROUND, &mut cx.constants);
                self.lipschitz(cx, value, UP / self.low())
            }
            Abs => Some(Ball { middle: m.abs(), radius: self.radius }),
            Sign => Ball::exact(cx, f64::from(self.sign()?)),
        }
    }

    fn atan2(&self, cx: &mut Digits, x: &Ball) -> Option<Ball> {
        let (y, half) = (self, Ball::exact(cx, 0.5)?);
        let steep = x.value().abs() <= y.value().abs();
        if x.sign() == Some(1) && !steep {
            return y.div(cx, x)?.call(cx, Function::Atan);
        }
        // ±π/2 − atan(x/y), or π more or less.
        let above = y.sign()?;
        let pi = Ball::pi(cx)?;
        let pi = if above >= 0 { pi } else { pi.negative() };
        if steep {
            let angle = x.div(cx, y)?.call(cx, Function::Atan)?.negative();
            let quarter = pi.mul(cx, &half)?;
            return angle.add(cx, &quarter);
        }
        // On the negative axis itself the angle jumps.
        if above == 0 {
            return None;
        }
        y.div(cx, x)?.call(cx, Function::Atan)?.add(cx, &pi)
    }
}
