//! Real points at which an expression is certainly not zero: floating point with a running bound on the error.

use super::Witness;
use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::field::SplitMix;
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use rustc_hash::FxHashMap;

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
    fn new(value: f64, inherited: f64) -> Option<Bounded> {
        let error = inherited * (1.0 + ULP) + value.abs() * ULP + f64::MIN_POSITIVE;
        (value.is_finite() && error.is_finite()).then_some(Bounded { value, error })
    }

    fn exact(value: f64) -> Bounded {
        Bounded { value, error: 0.0 }
    }

    fn of(r: &Rational) -> Option<Bounded> {
        Bounded::new(r.to_f64(), 0.0)
    }

    fn add(self, o: Bounded) -> Option<Bounded> {
        Bounded::new(self.value + o.value, self.error + o.error)
    }

    fn mul(self, o: Bounded) -> Option<Bounded> {
        let inherited = self.value.abs() * o.error + o.value.abs() * self.error + self.error * o.error;
        Bounded::new(self.value * o.value, inherited)
    }

    fn inverse(self) -> Option<Bounded> {
        // The distance of the interval from zero.
        let near = self.value.abs() - self.error;
        if near <= 0.0 {
            return None;
        }
        Bounded::new(1.0 / self.value, self.error / (near * self.value.abs()))
    }

    fn powi(self, mut n: u64) -> Option<Bounded> {
        let (mut square, mut result) = (self, Bounded::exact(1.0));
        while n > 0 {
            if n & 1 == 1 {
                result = result.mul(square)?;
            }
            n >>= 1;
            if n > 0 {
                square = square.mul(square)?;
            }
        }
        Some(result)
    }

    /// A monotone function, from its values at the ends.
    fn monotone(self, f: impl Fn(f64) -> f64) -> Option<Bounded> {
        let (a, b, m) = (f(self.value - self.error), f(self.value + self.error), f(self.value));
        let slack = ULP * (a.abs() + b.abs());
        Bounded::new(m, (a - m).abs().max((b - m).abs()) + slack)
    }

    fn power(self, x: &Rational) -> Option<Bounded> {
        if let Some(n) = x.to_i64() {
            let p = self.powi(n.unsigned_abs())?;
            return if n < 0 { p.inverse() } else { Some(p) };
        }
        if self.value - self.error <= 0.0 {
            return None;
        }
        if x.small() == Some((1, 2)) {
            return self.monotone(f64::sqrt);
        }
        let exponent = x.to_f64();
        let p = self.monotone(|v| v.powf(exponent))?;
        // The rounding of the exponent itself.
        Bounded::new(p.value, p.error + p.value.abs() * (exponent * self.value.ln()).abs() * ULP)
    }

    fn call(self, f: Function) -> Option<Bounded> {
        use Function::*;
        let smooth = |v: f64| Bounded::new(v, self.error.min(2.0) + ULP);
        let (low, high) = (self.value - self.error, self.value + self.error);
        match f {
            Sin => smooth(self.value.sin()),
            Cos => smooth(self.value.cos()),
            Tan => smooth(self.value.sin())?.mul(smooth(self.value.cos())?.inverse()?),
            Cot => smooth(self.value.cos())?.mul(smooth(self.value.sin())?.inverse()?),
            Sec => smooth(self.value.cos())?.inverse(),
            Csc => smooth(self.value.sin())?.inverse(),
            Asin if low >= -1.0 && high <= 1.0 => self.monotone(f64::asin),
            Acos if low >= -1.0 && high <= 1.0 => self.monotone(f64::acos),
            Asin | Acos => None,
            Atan => self.monotone(f64::atan),
            Sinh => self.monotone(f64::sinh),
            Tanh => self.monotone(f64::tanh),
            Exp => self.monotone(f64::exp),
            Cosh => {
                let up = self.monotone(f64::exp)?;
                up.add(up.inverse()?)?.mul(Bounded::exact(0.5))
            }
            Log if low > 0.0 => self.monotone(f64::ln),
            Log => None,
            Abs => Bounded::new(self.value.abs(), self.error),
            Sign if low > 0.0 => Some(Bounded::exact(1.0)),
            Sign if high < 0.0 => Some(Bounded::exact(-1.0)),
            Sign => None,
        }
    }

    fn atan2(self, x: Bounded) -> Option<Bounded> {
        // The argument turns by at most the distance moved over the distance from the origin.
        let near = self.value.hypot(x.value) - self.error - x.error;
        let cut = x.value - x.error <= 0.0 && self.value.abs() <= self.error;
        if near <= 0.0 || cut {
            return None;
        }
        Bounded::new(self.value.atan2(x.value), 2.0 * (self.error + x.error) / near + ULP)
    }
}

/// The value of an expression with a bound on its error; `None` where it is not defined, or too close to that.
///
/// A table stands for an arbitrary smooth function: here it is a sine with a phase of its own.
pub fn evaluate_with_error(arena: &Arena, e: Expr, values: &[(Symbol, f64)]) -> Option<Bounded> {
    let given: FxHashMap<Symbol, f64> = values.iter().copied().collect();
    let order = arena.reachable(&[e]);
    let mut memo: FxHashMap<Expr, Bounded> = FxHashMap::default();
    memo.reserve(order.len());
    for &x in &order {
        let of = |e: Expr| memo.get(&e).copied();
        let v = match arena.node(x) {
            Node::Number(n) => match n.to_i64() {
                Some(k) if k.unsigned_abs() < 1 << 53 => Bounded::exact(k as f64),
                _ => Bounded::of(n)?,
            },
            Node::Symbol(s) if *s == arena.pi() => Bounded::new(std::f64::consts::PI, 0.0)?,
            Node::Symbol(s) => Bounded::exact(*given.get(s)?),
            Node::Sum { constant, terms } => {
                let mut sum = Bounded::of(constant)?;
                for (t, c) in terms {
                    let term = if c.is_one() {
                        of(*t)?
                    } else if c.is_minus_one() {
                        let t = of(*t)?;
                        Bounded { value: -t.value, ..t }
                    } else {
                        of(*t)?.mul(Bounded::of(c)?)?
                    };
                    sum = sum.add(term)?;
                }
                sum
            }
            Node::Product { coefficient, factors } => {
                let mut product = Bounded::of(coefficient)?;
                for (b, x) in factors {
                    product = product.mul(of(*b)?.power(x)?)?;
                }
                product
            }
            Node::Power(a, b) => {
                let (a, b) = (of(*a)?, of(*b)?);
                if a.value - a.error <= 0.0 {
                    return None;
                }
                a.monotone(f64::ln)?.mul(b)?.monotone(f64::exp)?
            }
            Node::Call(f, x) => of(*x)?.call(*f)?,
            Node::Atan2(y, x) => of(*y)?.atan2(of(*x)?)?,
            Node::Table(t, d, x) => {
                let phase = f64::from(t.0) + 1.0 + f64::from(*d) * std::f64::consts::FRAC_PI_2;
                of(*x)?.add(Bounded::new(phase, 0.0)?)?.call(Function::Sin)?
            }
            Node::Undefined => return None,
        };
        memo.insert(x, v);
    }
    memo.get(&e).copied()
}

/// Looks for a real point at which the expression is certainly not zero.
pub(super) fn search(arena: &Arena, e: Expr, positive: &[Symbol], seed: u64) -> Option<Witness> {
    let symbols: Vec<Symbol> = arena.free_symbols(&[e]).into_iter().filter(|s| *s != arena.pi()).collect();
    let mut rng = SplitMix::new(seed ^ 0x7769_746e);
    // A large expression is worth fewer attempts.
    let size = arena.reachable(&[e]).len();
    let attempts = (2_000_000 / (size + 1)).clamp(8, 300);
    for attempt in 0..attempts {
        let values: Vec<(Symbol, f64)> = symbols
            .iter()
            .map(|&s| {
                // Sixty-fourths are exact. Roots and logarithms like positive numbers, inverse functions small ones,
                // signs negative ones.
                let spread = [2.0, 1.0, 4.0, 0.5, 8.0][attempt % 5];
                let v = ((rng.unit() * spread * 64.0).floor() + 1.0) / 64.0;
                let flip = attempt % 3 != 0 && rng.below(2) == 0 && !positive.contains(&s);
                (s, if flip { -v } else { v })
            })
            .collect();
        let Some(v) = evaluate_with_error(arena, e, &values) else { continue };
        if v.value.abs() > 2.0 * v.error {
            return Some(Witness::Real { values, value: v.value, error: v.error });
        }
    }
    None
}
