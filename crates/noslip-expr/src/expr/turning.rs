//! Angles that cancel.
//!
//! Turned by an angle ψ as a whole, (A cos ψ − B sin ψ)² + (A sin ψ + B cos ψ)² is A² + B², whatever A and B are. The normal
//! form sees that too, but multiplies A and B out on the way. Here an expression is a polynomial in sin ψ and cos ψ alone,
//! and everything else in it stays as it is.

use super::arena::{Arena, Expr, Function, Node};
use super::number::Rational;
use super::symbol::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Products of coefficients formed at most.
const WORK: usize = 20_000;
/// Powers of sums with the angle are multiplied out up to this exponent.
const POWER: i64 = 4;

/// Σ coefficient·sinⁱ·cosʲ with j < 2.
type InAngle = BTreeMap<(u32, bool), Expr>;

/// The same expression without the angle, where it cancels; `None` where that cannot be seen.
pub(super) fn without_angle(arena: &mut Arena, e: Expr, angle: Symbol) -> Option<Expr> {
    let mut turning = Turning { known: FxHashMap::default(), argument: None, work: WORK };
    let mut dependent: FxHashSet<Expr> = FxHashSet::default();
    let order = arena.reachable(&[e]);
    arena.work.charge(2 * order.len() as u64);
    for x in order {
        let mut depends = matches!(arena.node(x), Node::Symbol(s) if *s == angle);
        arena.node(x).for_each_child(|y| depends |= dependent.contains(&y));
        if !depends {
            turning.known.insert(x, free(x));
            continue;
        }
        dependent.insert(x);
        if let Some(found) = turning.node(arena, x) {
            turning.known.insert(x, found);
        }
        if turning.work == 0 || arena.work.is_over() {
            return None;
        }
    }
    as_free(turning.known.get(&e)?)
}

struct Turning {
    /// The expressions that are polynomials in the sine and the cosine.
    known: FxHashMap<Expr, InAngle>,
    /// What these are sine and cosine of.
    argument: Option<Expr>,
    /// Products of coefficients that may still be formed.
    work: usize,
}

impl Turning {
    fn node(&mut self, arena: &mut Arena, x: Expr) -> Option<InAngle> {
        match arena.node(x).clone() {
            Node::Sum { constant, terms } => self.sum(arena, constant, &terms),
            Node::Product { coefficient, factors } => self.product(arena, coefficient, &factors),
            Node::Symbol(_) => None,
            Node::Call(f @ (Function::Sin | Function::Cos), y) if self.freed(y).is_none() => {
                let power = if f == Function::Sin { (1, false) } else { (0, true) };
                (*self.argument.get_or_insert(y) == y).then(|| InAngle::from([(power, Arena::ONE)]))
            }
            node => {
                let mut gone = true;
                node.for_each_child(|y| gone &= self.freed(y).is_some());
                gone.then(|| free(arena.rebuild(x, |y| self.freed(y).unwrap_or(y))))
            }
        }
    }

    /// The expression without the angle, if it is gone.
    fn freed(&self, x: Expr) -> Option<Expr> {
        as_free(self.known.get(&x)?)
    }

    fn sum(&self, arena: &mut Arena, constant: Rational, terms: &[(Expr, Rational)]) -> Option<InAngle> {
        let mut parts: BTreeMap<(u32, bool), Vec<(Expr, Rational)>> = BTreeMap::new();
        parts.insert((0, false), vec![(Arena::ONE, constant)]);
        for (x, c) in terms {
            for (&power, &coefficient) in self.known.get(x)? {
                parts.entry(power).or_default().push((coefficient, c.clone()));
            }
        }
        Some(gathered(arena, parts))
    }

    fn product(&mut self, arena: &mut Arena, number: Rational, factors: &[(Expr, Rational)]) -> Option<InAngle> {
        let mut outside: Vec<(Expr, Rational)> = Vec::new();
        let mut inside = InAngle::from([((0, false), Arena::ONE)]);
        for (x, exponent) in factors {
            if let Some(x) = self.freed(*x) {
                outside.push((x, exponent.clone()));
                continue;
            }
            let base = self.known.get(x)?.clone();
            let power = exponent.to_i64().filter(|n| (1..=POWER).contains(n))?;
            for _ in 0..power {
                inside = self.times(arena, &inside, &base)?;
            }
        }
        let outside = powers(arena, number, outside);
        Some(inside.into_iter().map(|(power, c)| (power, multiplied(arena, outside, c))).collect())
    }

    /// cos² is 1 − sin².
    fn times(&mut self, arena: &mut Arena, a: &InAngle, b: &InAngle) -> Option<InAngle> {
        let mut parts: BTreeMap<(u32, bool), Vec<(Expr, Rational)>> = BTreeMap::new();
        for (&(i, c), &x) in a {
            for (&(j, d), &y) in b {
                self.work = self.work.checked_sub(1)?;
                let xy = multiplied(arena, x, y);
                parts.entry((i + j, c != d)).or_default().push((xy, Rational::ONE));
                if c && d {
                    parts.entry((i + j + 2, false)).or_default().push((xy, Rational::MINUS_ONE));
                }
            }
        }
        Some(gathered(arena, parts))
    }
}

fn free(e: Expr) -> InAngle {
    InAngle::from([((0, false), e)])
}

/// The expression it is, if the angle is gone.
fn as_free(p: &InAngle) -> Option<Expr> {
    match p.len() {
        0 => Some(Arena::ZERO),
        1 => p.get(&(0, false)).copied(),
        _ => None,
    }
}

fn gathered(arena: &mut Arena, parts: BTreeMap<(u32, bool), Vec<(Expr, Rational)>>) -> InAngle {
    // Sums that were met before are not new nodes, but they were put together again.
    arena.work.charge(parts.values().map(|terms| entries(arena, terms)).sum());
    let sums = parts.into_iter().map(|(power, terms)| (power, arena.linear(Rational::ZERO, terms)));
    sums.filter(|(_, e)| *e != Arena::ZERO).collect()
}

/// What it costs to put terms together, some of them sums themselves.
fn entries(arena: &Arena, terms: &[(Expr, Rational)]) -> u64 {
    let of = |x: &Expr| match arena.node(*x) {
        Node::Sum { terms, .. } => terms.len(),
        Node::Product { factors, .. } => factors.len(),
        _ => 1,
    };
    4 * terms.iter().map(|(x, _)| 1 + of(x) as u64).sum::<u64>()
}

/// A product of powers in which sums begin with a plus, so that A·A and (−A)·(−A) are the same.
fn powers(arena: &mut Arena, mut number: Rational, factors: impl IntoIterator<Item = (Expr, Rational)>) -> Expr {
    let mut list = Vec::new();
    for (x, exponent) in factors {
        let minus =
            matches!(arena.node(x), Node::Sum { terms, .. } if terms.first().is_some_and(|t| t.1.is_negative()));
        match exponent.to_i64() {
            Some(n) if minus => {
                if n % 2 != 0 {
                    number = -number;
                }
                list.push((arena.neg(x), exponent));
            }
            _ => list.push((x, exponent)),
        }
    }
    arena.powers(number, list)
}

fn multiplied(arena: &mut Arena, a: Expr, b: Expr) -> Expr {
    powers(arena, Rational::ONE, [(a, Rational::ONE), (b, Rational::ONE)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, Role, parse_expression};
    use crate::limits::Limits;

    fn parsed(arena: &mut Arena, text: &str) -> Expr {
        parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn what_is_turned_as_a_whole_loses_the_angle_and_keeps_its_brackets() {
        let mut arena = Arena::new();
        for p in ["a", "b", "x", "y"] {
            arena.declare(p, Role::Parameter);
        }
        let psi = arena.declare("psi", Role::Coordinate);
        arena.declare("phi", Role::Coordinate);
        for (given, expected) in [
            ("((a-b)*cos(psi) - (x+y)*sin(psi))^2 + ((a-b)*sin(psi) + (x+y)*cos(psi))^2", "(a-b)^2 + (x+y)^2"),
            ("((a-b)*cos(psi) - (x-y)*sin(psi))^2 + ((b-a)*sin(psi) + (y-x)*cos(psi))^2", "(a-b)^2 + (x-y)^2"),
            ("((a-b)*x*cos(psi) - y*sin(psi))^2 + ((b-a)*x*sin(psi) - y*cos(psi))^2", "((a-b)*x)^2 + y^2"),
            ("x*sqrt(1 + (a*sin(psi) + b*cos(psi))^2 + (a*cos(psi) - b*sin(psi))^2)", "x*sqrt(1 + a^2 + b^2)"),
            (
                "(a*cos(psi)+b*sin(psi))*(x*sin(psi)-y*cos(psi)) - (a*sin(psi)-b*cos(psi))*(x*cos(psi)+y*sin(psi))",
                "b*x-a*y",
            ),
            ("sin(phi)*(sin(psi)^4 + 2*sin(psi)^2*cos(psi)^2 + cos(psi)^4)", "sin(phi)"),
            ("a*sin(phi)", "a*sin(phi)"),
            ("x*exp(a*sin(psi)^2 + a*cos(psi)^2)", "x*exp(a)"),
            ("atan2(a*sin(psi)^2 + a*cos(psi)^2, b)", "atan2(a, b)"),
        ] {
            let (given, expected) = (parsed(&mut arena, given), parsed(&mut arena, expected));
            assert_eq!(without_angle(&mut arena, given, psi), Some(expected));
        }
        for given in
            ["a*sin(psi)", "psi*sin(psi)^2 + psi*cos(psi)^2", "sin(psi+phi)^2 + cos(psi)^2", "1/(1+sin(psi))", "psi"]
        {
            let given = parsed(&mut arena, given);
            assert_eq!(without_angle(&mut arena, given, psi), None);
        }
    }
}
