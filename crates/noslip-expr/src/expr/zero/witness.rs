//! Real points at which an expression is certainly not zero: first in floating point with a running bound on the error, then
//! with more digits.

use crate::expr::arena::{Arena, Expr, Function, TableId};
use crate::expr::enclosure::{Ball, Bounded, Digits, Enclosure, Given, enclose};
use crate::expr::field::SplitMix;
use crate::expr::known::Witness;
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use rustc_hash::FxHashMap;

/// Binary digits where floating point does not suffice.
const BITS: usize = 256;
/// Nodes evaluated in floating point, and with more digits, before the search is given up.
const WORK: usize = 2_000_000;
const FINE_WORK: usize = 20_000;

/// A point: values of the symbols. A table stands for an arbitrary smooth function: here it is a sine with a phase of its
/// own.
struct Point<'a>(&'a FxHashMap<Symbol, f64>);

fn phase(t: TableId, derivative: u8) -> (Rational, i64) {
    (Rational::integer(i64::from(t.0) + 1), i64::from(derivative))
}

impl<E: Enclosure> Given<E> for Point<'_> {
    fn symbol(&mut self, cx: &mut E::Context, s: Symbol) -> Option<E> {
        E::rational(cx, &Rational::from_f64(*self.0.get(&s)?)?)
    }

    fn table(&mut self, cx: &mut E::Context, t: TableId, derivative: u8, x: &E) -> Option<E> {
        let (shift, quarters) = phase(t, derivative);
        let shift = E::rational(cx, &shift)?;
        let quarter = E::rational(cx, &Rational::new(quarters, 2)?)?;
        let turn = E::pi(cx)?.mul(cx, &quarter)?;
        x.add(cx, &shift)?.add(cx, &turn)?.call(cx, Function::Sin)
    }
}

/// The value of an expression with a bound on its error; `None` where it is not defined, or too close to that.
///
/// A table stands for an arbitrary smooth function: here it is a sine with a phase of its own.
pub fn evaluate_with_error(arena: &Arena, e: Expr, values: &[(Symbol, f64)]) -> Option<Bounded> {
    let given: FxHashMap<Symbol, f64> = values.iter().copied().collect();
    let order = arena.reachable(&[e]);
    enclose(arena, &[e], &order, &mut (), &mut Point(&given)).pop().flatten()
}

/// Looks for a real point at which the expression is certainly not zero.
pub(super) fn search(arena: &Arena, e: Expr, positive: &[Symbol], seed: u64) -> Option<Witness> {
    let symbols: Vec<Symbol> = arena.free_symbols(&[e]).into_iter().filter(|s| *s != arena.pi()).collect();
    let order = arena.reachable(&[e]);
    let mut random = SplitMix::new(seed ^ 0x7769_746e);
    // A large expression is worth fewer attempts.
    let attempts = (WORK / (order.len() + 1)).clamp(8, 300);
    for attempt in 0..attempts {
        let values = draw(&mut random, &symbols, positive, attempt);
        let given = values.iter().copied().collect();
        let found: Option<Bounded> = enclose(arena, &[e], &order, &mut (), &mut Point(&given)).pop().flatten();
        let Some(v) = found else { continue };
        if v.value.abs() > 2.0 * v.error {
            return Some(Witness::Real { values, value: v.value, error: v.error });
        }
    }
    let mut digits = Digits::new(BITS)?;
    let attempts = (FINE_WORK / (order.len() + 1)).clamp(1, 24);
    for attempt in 0..attempts {
        let values = draw(&mut random, &symbols, positive, attempt);
        let given = values.iter().copied().collect();
        let found: Option<Ball> = enclose(arena, &[e], &order, &mut digits, &mut Point(&given)).pop().flatten();
        let Some(v) = found else { continue };
        if v.low() > 0.0 {
            return Some(Witness::Real { values, value: v.value(), error: v.radius() });
        }
    }
    None
}

/// Values of the symbols. Sixty-fourths are exact. Roots and logarithms like positive numbers, inverse functions small ones,
/// signs negative ones, angles several turns, and what hides behind an offset large ones.
fn draw(random: &mut SplitMix, symbols: &[Symbol], positive: &[Symbol], attempt: usize) -> Vec<(Symbol, f64)> {
    let spread = [2.0, 1.0, 4.0, 0.5, 8.0, 40.0, 1.0, 3.0, 1000.0, 20.0][attempt % 10];
    let value = |&s: &Symbol| {
        let v = ((random.unit() * spread * 64.0).floor() + 1.0) / 64.0;
        let flip = !attempt.is_multiple_of(3) && random.below(2) == 0 && !positive.contains(&s);
        (s, if flip { -v } else { v })
    };
    symbols.iter().map(value).collect()
}
