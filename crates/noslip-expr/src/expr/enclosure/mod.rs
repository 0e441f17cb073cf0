//! Real values with a bound on their error: numbers from which "this is not zero" follows.
//!
//! Two kinds, behind one trait: [`Bounded`] is floating point with a running bound, fast; [`Ball`] has as many digits as it is
//! asked for. Both are closed under everything an expression can contain, and have no value (`None`) where the expression is
//! not defined, or too close to that to tell.

mod ball;
mod double;
#[cfg(test)]
mod tests;

pub use ball::{Ball, Digits};
pub use double::Bounded;

use super::arena::{Arena, Expr, Function, Node, TableId};
use super::number::Rational;
use super::symbol::Symbol;
use super::unspecified::{Unspecified, sample};
use rustc_hash::FxHashMap;

/// A set of real numbers around an approximation, and arithmetic that never loses the true value.
pub trait Enclosure: Sized + Clone {
    /// What arithmetic needs beside the numbers: how many digits, constants.
    type Context;

    /// The enclosure of a rational number.
    fn rational(cx: &mut Self::Context, x: &Rational) -> Option<Self>;
    /// The enclosure of π.
    fn pi(cx: &mut Self::Context) -> Option<Self>;
    /// −x.
    fn negative(&self) -> Self;
    /// x + y.
    fn add(&self, cx: &mut Self::Context, other: &Self) -> Option<Self>;
    /// x·y.
    fn mul(&self, cx: &mut Self::Context, other: &Self) -> Option<Self>;
    /// 1/x.
    fn inverse(&self, cx: &mut Self::Context) -> Option<Self>;
    /// √x, for x certainly positive.
    fn sqrt(&self, cx: &mut Self::Context) -> Option<Self>;
    /// A function of one argument.
    fn call(&self, cx: &mut Self::Context, f: Function) -> Option<Self>;
    /// The angle of the point (x, self).
    fn atan2(&self, cx: &mut Self::Context, x: &Self) -> Option<Self>;
    /// 1, 0 or −1 where all numbers of the set have this sign.
    fn sign(&self) -> Option<i32>;

    /// x/y.
    fn div(&self, cx: &mut Self::Context, other: &Self) -> Option<Self> {
        let inverse = other.inverse(cx)?;
        self.mul(cx, &inverse)
    }

    /// xⁿ.
    fn powi(&self, cx: &mut Self::Context, mut n: u64) -> Option<Self> {
        let mut square = self.clone();
        let mut result = None;
        while n > 0 {
            if n & 1 == 1 {
                result = Some(match result {
                    None => square.clone(),
                    Some(r) => square.mul(cx, &r)?,
                });
            }
            n >>= 1;
            if n > 0 {
                square = square.mul(cx, &square)?;
            }
        }
        match result {
            Some(r) => Some(r),
            None => Self::rational(cx, &Rational::ONE),
        }
    }

    /// xᶜ for a rational c.
    fn power(&self, cx: &mut Self::Context, c: &Rational) -> Option<Self> {
        if let Some(n) = c.to_i64() {
            let p = self.powi(cx, n.unsigned_abs())?;
            return if n < 0 { p.inverse(cx) } else { Some(p) };
        }
        if self.sign()? <= 0 {
            return None;
        }
        if let Some((n, 2)) = c.small() {
            let p = self.sqrt(cx)?.powi(cx, n.unsigned_abs())?;
            return if n < 0 { p.inverse(cx) } else { Some(p) };
        }
        let exponent = Self::rational(cx, c)?;
        self.pow(cx, &exponent)
    }

    /// xʸ for x certainly positive.
    fn pow(&self, cx: &mut Self::Context, y: &Self) -> Option<Self> {
        if self.sign()? <= 0 {
            return None;
        }
        self.call(cx, Function::Log)?.mul(cx, y)?.call(cx, Function::Exp)
    }
}

/// Values of symbols and of tables.
pub trait Given<E: Enclosure> {
    /// The value of a symbol (π is known).
    fn symbol(&mut self, cx: &mut E::Context, s: Symbol) -> Option<E>;
    /// The derivative of this order of a table.
    fn table(&mut self, cx: &mut E::Context, table: TableId, derivative: u8, x: &E) -> Option<E>;
    /// An unspecified function: one of them, since what is to be shown is that something does not hold for all.
    fn unspecified(&mut self, cx: &mut E::Context, f: &Unspecified, arguments: &[E]) -> Option<E> {
        sample(cx, f, arguments)
    }
}

/// Encloses the values of expressions; `None` for those that have none here.
///
/// `order` are the nodes below `roots`, children first ([`Arena::reachable`]).
pub fn enclose<E: Enclosure>(
    arena: &Arena,
    roots: &[Expr],
    order: &[Expr],
    cx: &mut E::Context,
    given: &mut impl Given<E>,
) -> Vec<Option<E>> {
    let mut memo: FxHashMap<Expr, Option<E>> = FxHashMap::default();
    memo.reserve(order.len());
    // One root stands in many products.
    let mut roots_taken: FxHashMap<(Expr, &Rational), E> = FxHashMap::default();
    for &x in order {
        let v = node(arena, x, &memo, &mut roots_taken, cx, given);
        memo.insert(x, v);
    }
    roots.iter().map(|e| memo.get(e).cloned().flatten()).collect()
}

fn node<'a, E: Enclosure>(
    arena: &'a Arena,
    x: Expr,
    memo: &FxHashMap<Expr, Option<E>>,
    roots: &mut FxHashMap<(Expr, &'a Rational), E>,
    cx: &mut E::Context,
    given: &mut impl Given<E>,
) -> Option<E> {
    let of = |e: &Expr| memo.get(e).and_then(Option::as_ref);
    match arena.node(x) {
        Node::Number(n) => E::rational(cx, n),
        Node::Symbol(s) if *s == arena.pi() => E::pi(cx),
        Node::Symbol(s) => given.symbol(cx, *s),
        Node::Sum { constant, terms } => {
            let mut sum = if constant.is_zero() { None } else { Some(E::rational(cx, constant)?) };
            for (t, c) in terms {
                let t = of(t)?;
                let term = if c.is_one() {
                    t.clone()
                } else if c.is_minus_one() {
                    t.negative()
                } else {
                    let c = E::rational(cx, c)?;
                    t.mul(cx, &c)?
                };
                sum = Some(match sum {
                    None => term,
                    Some(sum) => sum.add(cx, &term)?,
                });
            }
            sum
        }
        Node::Product { coefficient, factors } => {
            let mut product = if coefficient.is_one() { None } else { Some(E::rational(cx, coefficient)?) };
            for (b, c) in factors {
                let factor = match roots.get(&(*b, c)) {
                    Some(known) => known.clone(),
                    None => of(b)?.power(cx, c)?,
                };
                if !c.is_integer() {
                    roots.insert((*b, c), factor.clone());
                }
                product = Some(match product {
                    None => factor,
                    Some(product) => product.mul(cx, &factor)?,
                });
            }
            product
        }
        Node::Power(a, b) => of(a)?.pow(cx, of(b)?),
        Node::Call(f, x) => of(x)?.call(cx, *f),
        Node::Atan2(y, x) => of(y)?.atan2(cx, of(x)?),
        Node::Table(t, d, x) => given.table(cx, *t, *d, of(x)?),
        Node::Unspecified(f, list) => {
            let list: Vec<E> = list.iter().map(|x| of(x).cloned()).collect::<Option<_>>()?;
            given.unspecified(cx, arena.unspecified_function(*f), &list)
        }
        Node::Undefined => None,
    }
}
