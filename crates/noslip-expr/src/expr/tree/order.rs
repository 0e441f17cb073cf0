//! The order of terms and factors on paper. It looks at structure alone: ids depend on what was computed before.

use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::number::Rational;
use crate::expr::symbol::{Role, Symbol};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Where a symbol stands among others: by the declaration of the symbol it is a derivative of, then by derivative.
/// (Declaration order is the author's own order of coordinates and parameters.)
pub(super) fn symbol_key(arena: &Arena, s: Symbol) -> (u32, u32) {
    let (mut root, mut order) = (s, 0);
    while let Some(integral) = arena.info(root).integral {
        root = integral;
        order += 1;
    }
    (root.0, order)
}

/// A bit for a role, so that the roles below a node are a mask.
pub(super) const fn bit(role: Role) -> u16 {
    1 << role as u16
}

const ACCELERATIONS: u16 = bit(Role::Acceleration) | bit(Role::QuasiAcceleration) | bit(Role::MultiplierRate);
const VELOCITIES: u16 = bit(Role::Velocity) | bit(Role::QuasiVelocity);

/// Where a factor stands in its product, by the roles in it: numbers, parameters, multipliers, time, coordinates,
/// functions of them, velocities, accelerations, variations.
pub(super) fn factor_class(roles: u16, is_symbol: bool) -> u8 {
    let has = |mask: u16| roles & mask != 0;
    if roles == 0 {
        0
    } else if has(bit(Role::Variation)) {
        9
    } else if has(bit(Role::Other)) {
        8
    } else if has(ACCELERATIONS) {
        7
    } else if has(VELOCITIES) {
        6
    } else if has(bit(Role::Coordinate)) {
        if is_symbol { 4 } else { 5 }
    } else if has(bit(Role::Time)) {
        3
    } else if has(bit(Role::Multiplier)) {
        2
    } else {
        1
    }
}

/// How much a factor of that class decides where its term stands in a sum; the smallest decides first.
pub(super) fn term_class(factor_class: u8) -> u8 {
    match factor_class {
        9 => 0,
        7 | 8 => 1,
        6 => 2,
        4 => 3,
        5 => 5,
        3 => 6,
        2 => 7,
        _ => 8,
    }
}

/// Rank and roles of every node below some roots.
pub(crate) struct Order<'a> {
    arena: &'a Arena,
    known: FxHashMap<Expr, Known>,
}

#[derive(Clone, Copy)]
struct Known {
    /// Position in a total order of structures.
    rank: u32,
    /// Roles of the symbols below.
    roles: u16,
    leading: Leading,
}

/// The first acceleration and the first velocity that occur: they decide where a term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Leading([(u32, u32); 2]);

impl Leading {
    pub(super) const NONE: Leading = Leading([(u32::MAX, u32::MAX); 2]);

    pub(super) fn of(arena: &Arena, s: Symbol) -> Leading {
        let mut leading = Leading::NONE;
        for (i, mask) in [ACCELERATIONS, VELOCITIES].into_iter().enumerate() {
            if bit(arena.role(s)) & mask != 0 {
                leading.0[i] = symbol_key(arena, s);
            }
        }
        leading
    }

    pub(super) fn or(self, other: Leading) -> Leading {
        Leading([self.0[0].min(other.0[0]), self.0[1].min(other.0[1])])
    }

    /// What decides within a class of [`term_class`].
    pub(super) fn within(self, term_class: u8) -> (u32, u32) {
        match term_class {
            1 => self.0[0],
            2 => self.0[1],
            _ => (0, 0),
        }
    }
}

/// What tells two nodes of the same height apart; children by their ranks.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Number(Rational),
    Symbol(Role, (u32, u32)),
    Undefined,
    Call(Function, u32),
    Table(u32, u8, u32),
    Unspecified(u32, Vec<u8>, Vec<u32>),
    Atan2(u32, u32),
    Power(u32, u32),
    Product(Vec<(u32, Reverse<Rational>)>, Rational),
    Sum(Vec<(u32, Reverse<Rational>)>, Rational),
}

/// One factor of a term as the order of terms sees it: class, leading symbol, rank, exponent.
type TermKey = Vec<(u8, (u32, u32), u32, Reverse<Rational>)>;

impl<'a> Order<'a> {
    /// Ranks everything reachable from `roots`; `topological` is [`Arena::reachable`] of them.
    ///
    /// Nodes are ranked height by height, so that the children of a node have their ranks before it is compared
    /// with others: no comparison ever descends, whatever the depth and the sharing.
    pub(crate) fn new(arena: &'a Arena, topological: &[Expr]) -> Order<'a> {
        let mut height: FxHashMap<Expr, u32> = FxHashMap::default();
        let mut levels: Vec<(u32, Expr)> = Vec::with_capacity(topological.len());
        for &e in topological {
            let mut h = 0;
            arena.node(e).for_each_child(|c| h = h.max(height[&c] + 1));
            height.insert(e, h);
            levels.push((h, e));
        }
        levels.sort_unstable();
        let mut order = Order { arena, known: FxHashMap::default() };
        let mut rank = 0;
        for level in levels.chunk_by(|a, b| a.0 == b.0) {
            let mut shapes: Vec<(Shape, Expr)> = level.iter().map(|&(_, e)| (order.shape(e), e)).collect();
            shapes.sort_unstable();
            for (_, e) in shapes {
                let (mut roles, mut leading) = match arena.node(e) {
                    Node::Symbol(s) => (bit(arena.role(*s)), Leading::of(arena, *s)),
                    _ => (0, Leading::NONE),
                };
                arena.node(e).for_each_child(|c| {
                    roles |= order.known[&c].roles;
                    leading = leading.or(order.known[&c].leading);
                });
                order.known.insert(e, Known { rank, roles, leading });
                rank += 1;
            }
        }
        order
    }

    fn shape(&self, e: Expr) -> Shape {
        let rank = |e: &Expr| self.known[e].rank;
        let list = |parts: &[(Expr, Rational)]| {
            let mut list: Vec<_> = parts.iter().map(|(c, x)| (rank(c), Reverse(x.clone()))).collect();
            list.sort_unstable();
            list
        };
        match self.arena.node(e) {
            Node::Number(n) => Shape::Number(n.clone()),
            Node::Symbol(s) => Shape::Symbol(self.arena.role(*s), symbol_key(self.arena, *s)),
            Node::Undefined => Shape::Undefined,
            Node::Call(f, a) => Shape::Call(*f, rank(a)),
            Node::Table(table, derivative, a) => Shape::Table(table.0, *derivative, rank(a)),
            Node::Unspecified(f, list) => {
                let f = self.arena.unspecified_function(*f);
                Shape::Unspecified(f.root.0, f.orders.clone(), list.iter().map(rank).collect())
            }
            Node::Atan2(a, b) => Shape::Atan2(rank(a), rank(b)),
            Node::Power(a, b) => Shape::Power(rank(a), rank(b)),
            Node::Product { coefficient, factors } => Shape::Product(list(factors), coefficient.clone()),
            Node::Sum { constant, terms } => Shape::Sum(list(terms), constant.clone()),
        }
    }

    fn factor_key(&self, e: Expr) -> (u8, bool, u32) {
        let Known { rank, roles, .. } = self.known[&e];
        let node = self.arena.node(e);
        (factor_class(roles, matches!(node, Node::Symbol(_))), matches!(node, Node::Sum { .. }), rank)
    }

    /// Factors in the order in which they are printed.
    pub(crate) fn sort_factors(&self, factors: &mut [(Expr, Rational)]) {
        factors.sort_by_cached_key(|(e, _)| self.factor_key(*e));
    }

    /// Terms in the order in which they are printed: accelerations first, then velocity products, then the rest;
    /// higher powers before lower ones; what has no function (constants last) before what has.
    pub(crate) fn sort_terms(&self, terms: &mut [(Expr, Rational)]) {
        terms.sort_by_cached_key(|(e, _)| self.term_key(*e));
    }

    fn term_key(&self, e: Expr) -> TermKey {
        let single = [(e, Rational::ONE)];
        let factors = match self.arena.node(e) {
            Node::Product { factors, .. } => &factors[..],
            Node::Number(_) => &[],
            _ => &single,
        };
        let mut key: TermKey = Vec::with_capacity(factors.len() + 2);
        let mut has_function = false;
        for (e, exponent) in factors {
            let (class, _, rank) = self.factor_key(*e);
            let class = term_class(class);
            has_function |= class == 5;
            key.push((class, self.known[e].leading.within(class), rank, Reverse(exponent.clone())));
        }
        // Stands where the first function would stand, and before it.
        if !has_function {
            key.push((4, (0, 0), 0, Reverse(Rational::ONE)));
        }
        // The longer product first, where one begins like the other.
        key.push((u8::MAX, (0, 0), 0, Reverse(Rational::ONE)));
        key.sort_unstable();
        key
    }
}
