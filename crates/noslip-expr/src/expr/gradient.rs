//! Gradients by reverse accumulation: all partial derivatives of one expression for about the price of one.

use super::arena::{Arena, Expr, Node};
use super::number::Rational;
use super::symbol::Symbol;
use rustc_hash::FxHashMap;

impl Arena {
    /// ∂e/∂sⱼ for every symbol.
    ///
    /// Adjoints are accumulated from the root down, so work shared between the partial derivatives is done once.
    pub fn gradient(&mut self, e: Expr, symbols: &[Symbol]) -> Vec<Expr> {
        let mask = symbols.iter().fold(0, |mask, s| mask | self.symbol_bit(*s));
        if self.is_undefined(e) {
            return vec![Self::UNDEFINED; symbols.len()];
        }
        let order = self.reachable_where(&[e], |c| self.dependency_bits(c) & mask != 0);
        let mut adjoints: FxHashMap<Expr, Vec<(Expr, Rational)>> = FxHashMap::default();
        adjoints.insert(e, vec![(Self::ONE, Rational::ONE)]);
        let mut found: FxHashMap<Symbol, Expr> = FxHashMap::default();
        for &c in order.iter().rev() {
            let Some(parts) = adjoints.remove(&c) else { continue };
            if self.work.gives_up() {
                return vec![Self::UNDEFINED; symbols.len()];
            }
            let adjoint = self.linear(Rational::ZERO, parts);
            if self.is_zero(adjoint) {
                continue;
            }
            match self.node(c) {
                Node::Symbol(s) => {
                    found.insert(*s, adjoint);
                }
                Node::Sum { terms, .. } => {
                    for (t, k) in terms.iter().filter(|(t, _)| self.dependency_bits(*t) & mask != 0) {
                        adjoints.entry(*t).or_default().push((adjoint, k.clone()));
                    }
                }
                Node::Product { coefficient, factors } => {
                    let (coefficient, factors) = (coefficient.clone(), factors.clone());
                    for (i, (base, exponent)) in factors.iter().enumerate() {
                        if self.dependency_bits(*base) & mask == 0 {
                            continue;
                        }
                        let mut list = factors.to_vec();
                        list[i].1 = exponent - &Rational::ONE;
                        list.push((adjoint, Rational::ONE));
                        let part = self.powers(exponent.clone(), list);
                        adjoints.entry(*base).or_default().push((part, coefficient.clone()));
                    }
                }
                node => {
                    let mut children = Vec::new();
                    node.for_each_child(|x| children.push(x));
                    for x in children {
                        if self.dependency_bits(x) & mask == 0 {
                            continue;
                        }
                        let partial = self.partial_by_child(c, x);
                        let part = self.mul(adjoint, partial);
                        adjoints.entry(x).or_default().push((part, Rational::ONE));
                    }
                }
            }
        }
        symbols.iter().map(|s| found.get(s).copied().unwrap_or(Self::ZERO)).collect()
    }
}
