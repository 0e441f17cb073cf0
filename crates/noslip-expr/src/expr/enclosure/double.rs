//! Floating point with a running bound on the error.

use super::Enclosure;
use crate::expr::arena::Function;
use crate::expr::number::Rational;

/// A number known up to a bound: the true one is within `error` of `value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The approximation.
    pub value: f64,
    /// The bound.
    pub error: f64,
}

/// Relative error of one operation or library function, generously.
const ULP: f64 = 4.0 * f64::EPSILON;

impl Bounded {
    /// A result of one operation, with the error inherited from its arguments.
    pub(crate) fn new(value: f64, inherited: f64) -> Option<Bounded> {
        let error = inherited * (1.0 + ULP) + value.abs() * ULP + f64::MIN_POSITIVE;
        (value.is_finite() && error.is_finite()).then_some(Bounded { value, error })
    }

    pub(crate) fn exact(value: f64) -> Bounded {
        Bounded { value, error: 0.0 }
    }

    /// A monotone function, from its values at the ends.
    fn monotone(self, f: impl Fn(f64) -> f64) -> Option<Bounded> {
        // The ends themselves are rounded.
        let slack = self.value.abs() * f64::EPSILON;
        let (low, high) = (self.value - self.error - slack, self.value + self.error + slack);
        let (a, b, m) = (f(low), f(high), f(self.value));
        let slack = ULP * (a.abs() + b.abs());
        Bounded::new(m, (a - m).abs().max((b - m).abs()) + slack)
    }
}

impl Enclosure for Bounded {
    type Context = ();

    fn rational(_: &mut (), x: &Rational) -> Option<Bounded> {
        match x.to_i64() {
            Some(k) if k.unsigned_abs() < 1 << 53 => Some(Bounded::exact(k as f64)),
            _ => Bounded::new(x.to_f64(), 0.0),
        }
    }

    fn pi(_: &mut ()) -> Option<Bounded> {
        Bounded::new(std::f64::consts::PI, 0.0)
    }

    fn negative(&self) -> Bounded {
        Bounded { value: -self.value, ..*self }
    }

    fn add(&self, _: &mut (), o: &Bounded) -> Option<Bounded> {
        Bounded::new(self.value + o.value, self.error + o.error)
    }

    fn mul(&self, _: &mut (), o: &Bounded) -> Option<Bounded> {
        let inherited = self.value.abs() * o.error + o.value.abs() * self.error + self.error * o.error;
        Bounded::new(self.value * o.value, inherited)
    }

    fn inverse(&self, _: &mut ()) -> Option<Bounded> {
        // The distance of the interval from zero.
        let near = self.value.abs() - self.error;
        if near <= 0.0 {
            return None;
        }
        Bounded::new(1.0 / self.value, self.error / (near * self.value.abs()))
    }

    fn sqrt(&self, _: &mut ()) -> Option<Bounded> {
        self.monotone(|v| v.max(0.0).sqrt())
    }

    fn sign(&self) -> Option<i32> {
        match () {
            () if self.value - self.error > 0.0 => Some(1),
            () if self.value + self.error < 0.0 => Some(-1),
            () if self.value == 0.0 && self.error == 0.0 => Some(0),
            () => None,
        }
    }

    fn call(&self, cx: &mut (), f: Function) -> Option<Bounded> {
        use Function::*;
        let smooth = |v: f64| Bounded::new(v, self.error.min(2.0) + ULP);
        // Where the bound of the argument reaches, with the rounding of the ends.
        let slack = self.value.abs() * f64::EPSILON;
        let (low, high) = (self.value - self.error - slack, self.value + self.error + slack);
        match f {
            Sin => smooth(self.value.sin()),
            Cos => smooth(self.value.cos()),
            Tan => smooth(self.value.sin())?.div(cx, &smooth(self.value.cos())?),
            Cot => smooth(self.value.cos())?.div(cx, &smooth(self.value.sin())?),
            Sec => smooth(self.value.cos())?.inverse(cx),
            Csc => smooth(self.value.sin())?.inverse(cx),
            Asin if low >= -1.0 && high <= 1.0 => self.monotone(f64::asin),
            Acos if low >= -1.0 && high <= 1.0 => self.monotone(f64::acos),
            Asin | Acos => None,
            Atan => self.monotone(f64::atan),
            Sinh => self.monotone(f64::sinh),
            Tanh => self.monotone(f64::tanh),
            Exp => self.monotone(f64::exp),
            Cosh => {
                let up = self.monotone(f64::exp)?;
                let down = up.inverse(cx)?;
                up.add(cx, &down)?.mul(cx, &Bounded::exact(0.5))
            }
            Log if low > 0.0 => self.monotone(f64::ln),
            Log => None,
            Abs => Bounded::new(self.value.abs(), self.error),
            Sign => self.sign().map(|s| Bounded::exact(f64::from(s))),
        }
    }

    fn atan2(&self, _: &mut (), x: &Bounded) -> Option<Bounded> {
        // The argument turns by at most the distance moved over the distance from the origin.
        let near = self.value.hypot(x.value) * (1.0 - ULP) - self.error - x.error;
        let cut = x.value - x.error <= 0.0 && self.value.abs() <= self.error;
        if near <= 0.0 || cut {
            return None;
        }
        Bounded::new(self.value.atan2(x.value), 2.0 * (self.error + x.error) / near + ULP)
    }
}
