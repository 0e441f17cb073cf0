//! The printing order of trees that were not made from one expression: the same order as [`super::order`]'s.

use super::order::{Leading, factor_class, symbol_key, term_class};
use super::{Tree, bit};
use crate::expr::arena::Arena;
use crate::expr::number::Rational;
use std::cmp::Reverse;

/// What a tree contains and looks like, as something that can be compared.
struct Look {
    roles: u16,
    leading: Leading,
    /// Height first, then the kinds of nodes in prefix order.
    code: Vec<u32>,
}

fn look(arena: &Arena, tree: &Tree) -> Look {
    tree.fold(|tree, children| {
        let children: Vec<Look> = children.collect();
        let mut roles = children.iter().fold(0, |roles, c| roles | c.roles);
        let mut leading = children.iter().fold(Leading::NONE, |leading, c| leading.or(c.leading));
        let height = children.iter().map(|c| c.code[0] + 1).max().unwrap_or(0);
        let mut code = vec![height];
        match tree {
            Tree::Number(n) | Tree::Decimal(n) => {
                let (n, d) = n.small().unwrap_or((i64::MAX, 1));
                code.extend([0, (n >> 32) as u32, n as u32, d as u32]);
            }
            Tree::Symbol(s) => {
                let role = arena.role(*s);
                let (root, order) = symbol_key(arena, *s);
                roles |= bit(role);
                leading = Leading::of(arena, *s);
                code.extend([1, role as u32, root, order]);
            }
            Tree::Undefined => code.push(2),
            Tree::Call(f, _) => code.extend([3, *f as u32]),
            Tree::Table(table, derivative, _) => code.extend([4, table.0, u32::from(*derivative)]),
            Tree::Unspecified(f, list) => {
                if list.is_empty() {
                    for s in arena.free_symbols(arena.usual_arguments(*f).unwrap_or_default()) {
                        roles |= bit(arena.role(s));
                        leading = leading.or(Leading::of(arena, s));
                    }
                }
                let f = arena.unspecified_function(*f);
                code.extend([12, f.root.0]);
                code.extend(f.orders.iter().map(|&n| u32::from(n)));
            }
            Tree::Atan2(..) => code.push(5),
            Tree::Sqrt(_) => code.push(6),
            Tree::Power(..) => code.push(7),
            Tree::Product(_) => code.push(8),
            Tree::Quotient(..) => code.push(9),
            Tree::Negative(_) => code.push(10),
            Tree::Sum(terms) => {
                code.push(11);
                code.extend(terms.iter().map(|(minus, _)| u32::from(*minus)));
            }
        }
        children.iter().for_each(|c| code.extend(&c.code));
        Look { roles, leading, code }
    })
}

/// The base of a power, and its exponent if that is a number.
fn base_and_exponent(tree: &Tree) -> (&Tree, Rational) {
    match tree {
        Tree::Power(base, exponent) => match &**exponent {
            Tree::Number(n) => (base, n.clone()),
            _ => (tree, Rational::ONE),
        },
        Tree::Sqrt(base) => (base, Rational::new(1, 2).unwrap_or(Rational::ONE)),
        _ => (tree, Rational::ONE),
    }
}

impl Tree {
    /// Something to compare that depends on the structure and the order of declarations alone.
    pub(crate) fn code(&self, arena: &Arena) -> Vec<u32> {
        look(arena, self).code
    }

    /// Puts factors into the order in which a product of them is printed.
    pub(crate) fn arrange_factors(arena: &Arena, factors: &mut [Tree]) {
        factors.sort_by_cached_key(|factor| {
            let base = base_and_exponent(factor).0;
            let Look { roles, code, .. } = look(arena, base);
            (factor_class(roles, matches!(base, Tree::Symbol(_))), matches!(base, Tree::Sum(_)), code)
        });
    }

    /// Puts the terms of a sum into the order in which they are printed, without regard to signs.
    pub(crate) fn arrange_terms(arena: &Arena, terms: &mut [(bool, Tree)]) {
        terms.sort_by_cached_key(|(_, term)| {
            let mut key = Vec::new();
            let mut stack = vec![(term, false)];
            while let Some((tree, below)) = stack.pop() {
                match tree {
                    Tree::Number(_) | Tree::Decimal(_) => {}
                    Tree::Product(factors) => stack.extend(factors.iter().map(|f| (f, below))),
                    Tree::Quotient(a, b) => stack.extend([(&**a, below), (&**b, !below)]),
                    _ => {
                        let (base, exponent) = base_and_exponent(tree);
                        let Look { roles, leading, code } = look(arena, base);
                        let class = term_class(factor_class(roles, matches!(base, Tree::Symbol(_))));
                        let exponent = Reverse(if below { -exponent } else { exponent });
                        key.push((class, leading.within(class), code, exponent));
                    }
                }
            }
            if !key.iter().any(|part| part.0 == term_class(5)) {
                key.push((4, (0, 0), Vec::new(), Reverse(Rational::ONE)));
            }
            key.push((u8::MAX, (0, 0), Vec::new(), Reverse(Rational::ONE)));
            key.sort();
            key
        });
    }
}
