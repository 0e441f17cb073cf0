//! Simultaneous substitution, coefficients and degrees.

use super::arena::{Arena, Expr, Node};
use super::number::Rational;
use super::symbol::Symbol;
use rustc_hash::FxHashMap;

impl Arena {
    /// Replaces symbols by expressions, all at once: in `x → y, y → x` the two are swapped.
    pub fn substitute(&mut self, e: Expr, map: &FxHashMap<Symbol, Expr>) -> Expr {
        self.substitute_with(e, map, &mut FxHashMap::default())
    }

    /// Substitution in several expressions at once.
    pub fn substitute_all(&mut self, list: &[Expr], map: &FxHashMap<Symbol, Expr>) -> Vec<Expr> {
        let mut memo = FxHashMap::default();
        list.iter().map(|&e| self.substitute_with(e, map, &mut memo)).collect()
    }

    fn substitute_with(&mut self, e: Expr, map: &FxHashMap<Symbol, Expr>, memo: &mut FxHashMap<Expr, Expr>) -> Expr {
        let mask = map.keys().fold(0, |mask, s| mask | self.symbol_bit(*s));
        let changing = self.reachable_where(&[e], |c| self.dependency_bits(c) & mask != 0 && !memo.contains_key(&c));
        self.work.charge(changing.len() as u64);
        for c in changing {
            if self.work.gives_up() {
                return Self::UNDEFINED;
            }
            let replaced = match self.node(c) {
                Node::Symbol(s) => map.get(s).copied().unwrap_or(c),
                _ => self.rebuild(c, |x| memo.get(&x).copied().unwrap_or(x)),
            };
            memo.insert(c, replaced);
        }
        memo.get(&e).copied().unwrap_or(e)
    }

    /// The same node over other children.
    pub fn rebuild(&mut self, e: Expr, child: impl Fn(Expr) -> Expr) -> Expr {
        match self.node(e) {
            Node::Number(_) | Node::Symbol(_) | Node::Undefined => e,
            Node::Sum { constant, terms } => {
                let constant = constant.clone();
                let terms: Vec<_> = terms.iter().map(|(t, c)| (child(*t), c.clone())).collect();
                self.linear(constant, terms)
            }
            Node::Product { coefficient, factors } => {
                let coefficient = coefficient.clone();
                let factors: Vec<_> = factors.iter().map(|(b, x)| (child(*b), x.clone())).collect();
                self.powers(coefficient, factors)
            }
            Node::Power(a, b) => {
                let (a, b) = (child(*a), child(*b));
                self.pow(a, b)
            }
            Node::Call(f, x) => {
                let (f, x) = (*f, child(*x));
                self.call(f, x)
            }
            Node::Atan2(y, x) => {
                let (y, x) = (child(*y), child(*x));
                self.atan2(y, x)
            }
            Node::Table(table, order, x) => {
                let (table, order, x) = (*table, *order, child(*x));
                self.table(table, order, x)
            }
            Node::Unspecified(f, arguments) => {
                let (f, arguments) = (*f, arguments.iter().map(|x| child(*x)).collect::<Vec<_>>());
                self.unspecified(f, &arguments)
            }
        }
    }

    /// Sets symbols to zero.
    pub fn without(&mut self, e: Expr, symbols: &[Symbol]) -> Expr {
        let map = symbols.iter().map(|&s| (s, Self::ZERO)).collect();
        self.substitute(e, &map)
    }

    /// Writes `e` as Σ coefficientᵢ·sᵢ + rest with coefficients and rest free of all the symbols. `None` when `e` is not
    /// affine in them as it stands (a hidden cancellation is not looked for).
    pub fn affine(&mut self, e: Expr, symbols: &[Symbol]) -> Option<(Vec<Expr>, Expr)> {
        let coefficients = self.jacobian(&[e], symbols).remove(0);
        if !self.depending(&coefficients, symbols).is_empty() {
            return None;
        }
        Some((coefficients, self.without(e, symbols)))
    }

    /// An upper bound for the degree of `e` as a polynomial in the symbols together; `None` when it is not written as one.
    pub fn degree(&self, e: Expr, symbols: &[Symbol]) -> Option<u32> {
        let mask = symbols.iter().fold(0, |mask, s| mask | self.symbol_bit(*s));
        let mut degrees: FxHashMap<Expr, Option<u32>> = FxHashMap::default();
        for c in self.reachable_where(&[e], |c| self.dependency_bits(c) & mask != 0) {
            let of = |x: &Expr| degrees.get(x).copied().unwrap_or(Some(0));
            let d = match self.node(c) {
                Node::Symbol(s) => Some(u32::from(symbols.contains(s))),
                Node::Sum { terms, .. } => terms.iter().try_fold(0u32, |worst, (t, _)| of(t).map(|d| worst.max(d))),
                Node::Product { factors, .. } => factors.iter().try_fold(0u32, |total, (b, x)| match of(b)? {
                    0 => Some(total),
                    d => total.checked_add(d.checked_mul(u32::try_from(x.to_i64()?).ok()?)?),
                }),
                node => {
                    let mut free = true;
                    node.for_each_child(|x| free &= of(&x) == Some(0));
                    free.then_some(0)
                }
            };
            degrees.insert(c, d);
        }
        degrees.get(&e).copied().unwrap_or(Some(0))
    }

    /// The coefficient of each power of `s` in `e`, lowest first; `None` when `e` is not written as a polynomial in `s`.
    pub fn coefficients(&mut self, e: Expr, s: Symbol) -> Option<Vec<Expr>> {
        let degree = self.degree(e, &[s])?;
        let mut factorial = Rational::ONE;
        let mut derivative = e;
        let mut list = Vec::new();
        for k in 0..=degree {
            if k > 0 {
                factorial = &factorial * &Rational::integer(i64::from(k));
                derivative = self.diff(derivative, s);
            }
            let at_zero = self.without(derivative, &[s]);
            list.push(self.scale(at_zero, &factorial.recip()?));
        }
        Some(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, Role, parse_expression};
    use crate::limits::Limits;

    #[test]
    fn a_polynomial_is_the_sum_of_its_coefficients_times_powers() {
        let mut arena = Arena::new();
        let x = arena.declare("x", Role::Coordinate);
        arena.declare("y", Role::Coordinate);
        let read = |arena: &mut Arena, text: &str| {
            parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e:?}"))
        };
        for (text, expected) in [
            ("3 + 2*x + 5*x^3", vec!["3", "2", "0", "5"]),
            ("y*x^2 + sin(y)", vec!["sin(y)", "0", "y"]),
            ("y", vec!["y"]),
        ] {
            let e = read(&mut arena, text);
            let expected: Vec<Expr> = expected.iter().map(|c| read(&mut arena, c)).collect();
            assert_eq!(arena.coefficients(e, x), Some(expected), "{text}");
        }
        let e = read(&mut arena, "sin(x)");
        assert_eq!(arena.coefficients(e, x), None);
    }
}
