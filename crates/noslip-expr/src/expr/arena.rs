//! The interner: an expression is an id, equal structure is equal id, children have smaller ids than their parents.
//!
//! So id order is topological and every pass over expressions is one loop over a sorted list of ids
//! ([`Arena::reachable`]): no recursion, whatever the depth.

use super::decimals::Decimals;
use super::number::Rational;
use super::poly::Poly;
use super::simplify::operations;
use super::symbol::{Role, Symbol, SymbolInfo};
use super::tree::Tree;
use super::unspecified::{UnspecifiedId, Unspecifieds};
use super::work::Work;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// An expression: an index into the [`Arena`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub(crate) u32);

/// A table of measured data, by its index in the arena's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// Functions of one argument. `sqrt` is the power 1/2; `atan2` and tables have nodes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Function {
    Sin,
    Cos,
    Tan,
    Cot,
    Sec,
    Csc,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Abs,
    Sign,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 16] = [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Cot,
        Function::Sec,
        Function::Csc,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Log,
        Function::Abs,
        Function::Sign,
    ];

    /// Its name in the model's syntax.
    pub fn name(self) -> &'static str {
        match self {
            Function::Sin => "sin",
            Function::Cos => "cos",
            Function::Tan => "tan",
            Function::Cot => "cot",
            Function::Sec => "sec",
            Function::Csc => "csc",
            Function::Asin => "asin",
            Function::Acos => "acos",
            Function::Atan => "atan",
            Function::Sinh => "sinh",
            Function::Cosh => "cosh",
            Function::Tanh => "tanh",
            Function::Exp => "exp",
            Function::Log => "log",
            Function::Abs => "abs",
            Function::Sign => "sign",
        }
    }

    /// The function of that name.
    pub fn by_name(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// One node of the DAG, in light canonical form. Lists are sorted by id, without repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A rational number.
    Number(Rational),
    /// A symbol.
    Symbol(Symbol),
    /// constant + Σ coefficient·term. No term is a number, a sum, or a product with a coefficient; no coefficient is zero.
    Sum {
        /// The constant.
        constant: Rational,
        /// Terms with their coefficients.
        terms: Box<[(Expr, Rational)]>,
    },
    /// coefficient·Π baseᵉˣᵖᵒⁿᵉⁿᵗ. No base is a product raised to an integer power; a number only under a fractional exponent.
    Product {
        /// The number in front; never zero.
        coefficient: Rational,
        /// Bases with their exponents; no exponent is zero.
        factors: Box<[(Expr, Rational)]>,
    },
    /// base^exponent where the exponent is not a number (or too large a one to write out).
    Power(Expr, Expr),
    /// A function of one argument.
    Call(Function, Expr),
    /// atan2(y, x).
    Atan2(Expr, Expr),
    /// The given derivative of a table at an argument.
    Table(TableId, u8, Expr),
    /// A function of which nothing is said but its arguments, or a derivative of one.
    Unspecified(UnspecifiedId, Box<[Expr]>),
    /// The result of dividing by zero. It spreads, and [`Arena::is_undefined`] finds it.
    Undefined,
}

impl Node {
    /// Calls `f` for every child.
    pub fn for_each_child(&self, mut f: impl FnMut(Expr)) {
        match self {
            Node::Number(_) | Node::Symbol(_) | Node::Undefined => {}
            Node::Sum { terms, .. } => terms.iter().for_each(|(e, _)| f(*e)),
            Node::Product { factors, .. } => factors.iter().for_each(|(e, _)| f(*e)),
            Node::Power(a, b) | Node::Atan2(a, b) => {
                f(*a);
                f(*b);
            }
            Node::Call(_, a) | Node::Table(_, _, a) => f(*a),
            Node::Unspecified(_, list) => list.iter().for_each(|e| f(*e)),
        }
    }
}

const NONE: u32 = u32::MAX;

/// Nodes up to which a set of those met is cheaper than a bit for each node of the arena.
const FEW: usize = 256;

/// Work that making a node counts for.
const NODE: u64 = 16;
/// Nodes that the caches of a processor hold, more or less.
const NEAR: usize = 500_000;
/// Work of asking for a node, new or not, where there are more: it waits for memory several times, the longer the more there are.
const FAR: u64 = 40;
/// Times that at most.
const FARTHEST: usize = 3;

fn hash_of(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

/// Owns expressions and symbols.
#[derive(Clone, Debug)]
pub struct Arena {
    nodes: Vec<Node>,
    /// Per node: the symbols below it, as bits (index mod 128). A clear bit proves independence.
    dependencies: Vec<u128>,
    /// Per node: the operations it takes to write it out. Asked so often that a pass over all that is below would be felt.
    written: Vec<u64>,
    /// First node of each hash, and the next node with the same hash.
    by_hash: FxHashMap<u64, u32>,
    next_with_hash: Vec<u32>,
    symbols: Vec<SymbolInfo>,
    by_name: FxHashMap<String, Symbol>,
    /// Names of tables: data lives with the model, the engine needs only identity and name.
    tables: Vec<String>,
    /// Which numbers are printed as decimals.
    pub(super) decimals: Decimals,
    pub(super) unspecified: Unspecifieds,
    pub(super) derivatives: FxHashMap<(Expr, Symbol), Expr>,
    /// What stands under roots, made readable: polynomials, what their variables stand for, and how they are written.
    pub(super) radicands: FxHashMap<Poly, Vec<(Vec<Tree>, Tree)>>,
    /// What was done with these expressions, and how much may be done.
    pub work: Work,
}

impl Default for Arena {
    fn default() -> Self {
        Self::new()
    }
}

impl Arena {
    pub(super) const ZERO: Expr = Expr(0);
    pub(super) const ONE: Expr = Expr(1);
    pub(super) const UNDEFINED: Expr = Expr(2);

    /// An empty arena (it knows 0, 1, π and t).
    pub fn new() -> Arena {
        let mut arena = Arena {
            nodes: Vec::new(),
            dependencies: Vec::new(),
            written: Vec::new(),
            by_hash: FxHashMap::default(),
            next_with_hash: Vec::new(),
            symbols: Vec::new(),
            by_name: FxHashMap::default(),
            tables: Vec::new(),
            decimals: Decimals::default(),
            unspecified: Unspecifieds::default(),
            derivatives: FxHashMap::default(),
            radicands: FxHashMap::default(),
            work: Work::default(),
        };
        arena.intern(Node::Number(Rational::ZERO));
        arena.intern(Node::Number(Rational::ONE));
        arena.intern(Node::Undefined);
        arena.declare("pi", Role::Constant);
        arena.declare("t", Role::Time);
        arena
    }

    /// The node behind an expression.
    pub fn node(&self, e: Expr) -> &Node {
        &self.nodes[e.0 as usize]
    }

    /// Number of nodes made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: an arena knows at least 0 and 1.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Does something that leaves nothing behind: no nodes, no work. What it returns must not contain new expressions.
    pub(super) fn trial<R>(&mut self, what: impl FnOnce(&mut Arena) -> R) -> R {
        let (len, derivatives, work) = (self.nodes.len(), self.derivatives.len(), self.work.clone());
        let result = what(self);
        while self.nodes.len() > len {
            let (node, next) = (self.nodes.pop(), self.next_with_hash.pop());
            self.dependencies.pop();
            self.written.pop();
            if let (Some(node), Some(next)) = (node, next) {
                // The last node with a hash is the first that is looked at.
                match next {
                    NONE => self.by_hash.remove(&hash_of(&node)),
                    next => self.by_hash.insert(hash_of(&node), next),
                };
            }
        }
        if self.derivatives.len() > derivatives {
            self.derivatives.retain(|(e, _), d| (e.0 as usize) < len && (d.0 as usize) < len);
        }
        self.work = work;
        result
    }

    pub(super) fn intern(&mut self, node: Node) -> Expr {
        self.work.charge(FAR * (self.nodes.len() / NEAR).min(FARTHEST) as u64);
        let hash = hash_of(&node);
        let first = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        let mut at = first;
        while at != NONE {
            if self.nodes[at as usize] == node {
                return Expr(at);
            }
            at = self.next_with_hash[at as usize];
        }
        self.work.charge(NODE);
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2³² nodes fit in memory");
        let mut dependencies = match &node {
            Node::Symbol(s) => 1u128 << (s.0 % 128),
            _ => 0,
        };
        let mut written = operations(&node);
        node.for_each_child(|c| {
            dependencies |= self.dependencies[c.0 as usize];
            written = written.saturating_add(self.written[c.0 as usize]);
        });
        self.dependencies.push(dependencies);
        self.written.push(written);
        self.nodes.push(node);
        self.next_with_hash.push(first);
        self.by_hash.insert(hash, id);
        Expr(id)
    }

    // Symbols ---------------------------------------------------------------------------------------------------------

    /// Makes a symbol, or returns the one that already has this name.
    pub fn declare(&mut self, name: &str, role: Role) -> Symbol {
        if let Some(&s) = self.by_name.get(name) {
            return s;
        }
        let s = Symbol(self.symbols.len() as u32);
        self.symbols.push(SymbolInfo { name: name.to_owned(), role, integral: None, derivative: None });
        self.by_name.insert(name.to_owned(), s);
        s
    }

    /// A symbol of this name and role; where the name stands for something else, with underscores added.
    pub fn declare_beside(&mut self, name: &str, role: Role) -> Symbol {
        let mut name = name.to_owned();
        while self.lookup(&name).is_some_and(|s| self.role(s) != role) {
            name.push('_');
        }
        self.declare(&name, role)
    }

    /// The symbol of that name.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// What is known of a symbol.
    pub fn info(&self, s: Symbol) -> &SymbolInfo {
        &self.symbols[s.0 as usize]
    }

    /// Its name.
    pub fn name(&self, s: Symbol) -> &str {
        &self.info(s).name
    }

    /// Its role.
    pub fn role(&self, s: Symbol) -> Role {
        self.info(s).role
    }

    /// Time.
    pub fn time(&self) -> Symbol {
        Symbol(1)
    }

    /// π.
    pub fn pi(&self) -> Symbol {
        Symbol(0)
    }

    /// The time derivative of a symbol as a symbol: x → x', made on first use.
    pub fn dot(&mut self, s: Symbol) -> Symbol {
        if let Some(d) = self.info(s).derivative {
            return d;
        }
        let (name, role) = (format!("{}'", self.name(s)), self.role(s).derivative());
        let d = self.declare(&name, role);
        self.symbols[s.0 as usize].derivative = Some(d);
        self.symbols[d.0 as usize].integral = Some(s);
        d
    }

    /// All symbols declared so far.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.symbols.len() as u32).map(Symbol)
    }

    /// Makes a table function known by name.
    pub fn declare_table(&mut self, name: &str) -> TableId {
        let known = self.tables.iter().position(|n| n == name);
        TableId(known.unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        }) as u32)
    }

    /// The table function of that name.
    pub fn lookup_table(&self, name: &str) -> Option<TableId> {
        self.tables.iter().position(|n| n == name).map(|i| TableId(i as u32))
    }

    /// A table's name.
    pub fn table_name(&self, table: TableId) -> &str {
        &self.tables[table.0 as usize]
    }

    // Queries ---------------------------------------------------------------------------------------------------------

    /// Everything below `roots`, themselves included, in topological order (children first).
    pub fn reachable(&self, roots: &[Expr]) -> Vec<Expr> {
        let mut few = 0;
        let order = self.reachable_where(roots, |_| {
            few += 1;
            few <= FEW
        });
        if few <= FEW { order } else { self.reachable_by_bits(roots) }
    }

    /// The same for many nodes. Children are made before their parents: one pass down meets every node after all that use it.
    fn reachable_by_bits(&self, roots: &[Expr]) -> Vec<Expr> {
        let last = roots.iter().map(|e| e.0 as usize).max().unwrap_or(0);
        let mut met = vec![0u64; last / 64 + 1];
        roots.iter().for_each(|e| met[e.0 as usize / 64] |= 1 << (e.0 % 64));
        let mut order = Vec::new();
        for word in (0..met.len()).rev() {
            let mut done = 0;
            while met[word] != done {
                let bit = 63 - (met[word] ^ done).leading_zeros();
                done |= 1 << bit;
                let e = Expr(word as u32 * 64 + bit);
                order.push(e);
                self.node(e).for_each_child(|c| met[c.0 as usize / 64] |= 1 << (c.0 % 64));
            }
        }
        order.reverse();
        order
    }

    /// Like [`Arena::reachable`], but does not look at or below nodes for which `enter` is false.
    pub fn reachable_where(&self, roots: &[Expr], mut enter: impl FnMut(Expr) -> bool) -> Vec<Expr> {
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        let mut stack: Vec<Expr> = Vec::new();
        for &r in roots {
            if enter(r) && seen.insert(r) {
                stack.push(r);
            }
        }
        let mut order = stack.clone();
        while let Some(e) = stack.pop() {
            self.node(e).for_each_child(|c| {
                if !seen.contains(&c) && enter(c) {
                    seen.insert(c);
                    stack.push(c);
                    order.push(c);
                }
            });
        }
        order.sort_unstable();
        order
    }

    /// Has the expression more nodes than that? No more of them are looked at.
    pub fn has_more_nodes(&self, e: Expr, than: usize) -> bool {
        let mut met = 0;
        self.reachable_where(&[e], |_| {
            met += 1;
            met <= than
        });
        met > than
    }

    /// Operations it takes to write the expression out, shared parts as often as they occur.
    pub(super) fn written(&self, e: Expr) -> u64 {
        self.written[e.0 as usize]
    }

    /// The bit of a symbol in [`Arena::dependency_bits`].
    pub(super) fn symbol_bit(&self, s: Symbol) -> u128 {
        1u128 << (s.0 % 128)
    }

    /// The symbols below `e`, as bits; different symbols may share one.
    pub(super) fn dependency_bits(&self, e: Expr) -> u128 {
        self.dependencies[e.0 as usize]
    }

    /// May `e` depend on `s`? `false` is certain; `true` only says that it cannot be excluded cheaply.
    pub(super) fn may_depend(&self, e: Expr, s: Symbol) -> bool {
        self.dependency_bits(e) & self.symbol_bit(s) != 0
    }

    /// Does the symbol occur in the expression?
    pub fn depends_on(&self, e: Expr, s: Symbol) -> bool {
        self.depends_on_any(e, &[s])
    }

    /// Does any of the symbols occur in the expression?
    pub fn depends_on_any(&self, e: Expr, symbols: &[Symbol]) -> bool {
        let bits = symbols.iter().fold(0, |bits, &s| bits | self.symbol_bit(s));
        let may = |e: Expr| self.dependency_bits(e) & bits != 0;
        if !may(e) {
            return false;
        }
        // Downwards where it may be: the way is rarely wrong.
        let (mut seen, mut stack) = (FxHashSet::default(), vec![e]);
        while let Some(c) = stack.pop() {
            if !seen.insert(c) {
                continue;
            }
            if matches!(self.node(c), Node::Symbol(x) if symbols.contains(x)) {
                return true;
            }
            self.node(c).for_each_child(|x| {
                if may(x) {
                    stack.push(x);
                }
            });
        }
        false
    }

    /// Everything below `roots`, themselves included, in which one of the symbols occurs, children first.
    pub fn depending(&self, roots: &[Expr], symbols: &[Symbol]) -> Vec<Expr> {
        let bits = symbols.iter().fold(0, |bits, &s| bits | self.symbol_bit(s));
        let symbols: FxHashSet<Symbol> = symbols.iter().copied().collect();
        let mut found: FxHashSet<Expr> = FxHashSet::default();
        let mut order = self.reachable_where(roots, |c| self.dependency_bits(c) & bits != 0);
        // Different symbols may share a bit; what is below has been looked at before.
        order.retain(|&c| {
            let mut depends = matches!(self.node(c), Node::Symbol(s) if symbols.contains(s));
            self.node(c).for_each_child(|x| depends |= found.contains(&x));
            depends && found.insert(c)
        });
        order
    }

    /// The symbols that occur, in the order of their declaration.
    pub fn free_symbols(&self, roots: &[Expr]) -> Vec<Symbol> {
        let mut found: Vec<Symbol> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|e| match self.node(e) {
                Node::Symbol(s) => Some(*s),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found
    }

    /// Levels of an expression: 1 for a number or symbol.
    pub fn depth(&self, e: Expr) -> usize {
        let mut levels: FxHashMap<Expr, usize> = FxHashMap::default();
        for c in self.reachable(&[e]) {
            let mut below = 0;
            self.node(c).for_each_child(|x| below = below.max(levels.get(&x).copied().unwrap_or(0)));
            levels.insert(c, below + 1);
        }
        levels.get(&e).copied().unwrap_or(1)
    }

    /// Does the expression contain a division by zero?
    pub fn is_undefined(&self, e: Expr) -> bool {
        // Undefined spreads to the root of every construction, so the root is all there is to look at.
        e == Self::UNDEFINED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of sines, some of them used twice.
    fn chain(g: &mut Arena, length: usize) -> Vec<Expr> {
        let x = g.declare("x", Role::Coordinate);
        let mut list = vec![g.symbol(x)];
        for i in 0..length {
            let (last, before) = (list[i], list[i / 2]);
            let sine = g.call(Function::Sin, last);
            list.push(g.add(sine, before));
        }
        list
    }

    #[test]
    fn many_nodes_are_found_as_few_are() {
        let mut g = Arena::new();
        let list = chain(&mut g, 1000);
        for roots in [vec![list[3]], vec![list[1000]], vec![list[700], list[20], list[999]], vec![list[700]; 2]] {
            assert_eq!(g.reachable(&roots), g.reachable_where(&roots, |_| true));
            assert_eq!(g.reachable_by_bits(&roots), g.reachable_where(&roots, |_| true));
        }
        let (x, y) = (g.declare("x", Role::Coordinate), g.declare("y", Role::Coordinate));
        assert!(g.depends_on(list[1000], x) && !g.depends_on(list[1000], y));
    }

    #[test]
    fn nodes_are_counted_up_to_what_is_asked_for() {
        let mut g = Arena::new();
        let list = chain(&mut g, 1000);
        for e in [list[0], list[3], list[1000]] {
            let nodes = g.reachable(&[e]).len();
            assert!(g.has_more_nodes(e, nodes - 1) && !g.has_more_nodes(e, nodes) && g.has_more_nodes(e, 0));
        }
    }

    #[test]
    fn the_terms_of_a_long_sum_count_whether_it_is_new_or_not() {
        let mut g = Arena::new();
        let mut symbols = |n: usize| -> Vec<Expr> {
            (0..n)
                .map(|i| g.declare(&format!("s{i}"), Role::Parameter))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|s| g.symbol(s))
                .collect()
        };
        let (few, many) = (symbols(10), symbols(1000));
        for (terms, counted) in [(few, false), (many, true)] {
            let sum = g.sum(terms.clone());
            let before = g.work.done();
            assert_eq!(g.sum(terms), sum);
            assert_eq!(g.work.done() > before, counted);
        }
    }

    #[test]
    fn symbols_that_share_a_bit_are_told_apart() {
        let mut g = Arena::new();
        let many: Vec<Symbol> = (0..300).map(|i| g.declare(&format!("s{i}"), Role::Parameter)).collect();
        let (a, b) = (g.symbol(many[7]), g.symbol(many[9]));
        let e = g.mul(a, b);
        let e = g.call(Function::Sin, e);
        let occurring: Vec<usize> = (0..300).filter(|&i| g.depends_on(e, many[i])).collect();
        assert_eq!(occurring, [7, 9]);
    }

    #[test]
    fn a_trial_leaves_nothing_behind() {
        let mut g = Arena::new();
        let list = chain(&mut g, 20);
        let (nodes, done) = (g.len(), g.work.done());
        let x = g.declare("x", Role::Coordinate);
        g.trial(|g| {
            let e = g.mul(list[20], list[19]);
            let d = g.diff(e, x);
            g.call(Function::Cos, d)
        });
        assert_eq!((g.len(), g.work.done()), (nodes, done));
        // What was there is found again, what was not is made once.
        assert_eq!(chain(&mut g, 20), list);
        let one = g.mul(list[20], list[19]);
        assert_eq!((g.mul(list[20], list[19]), g.len()), (one, nodes + 1));
        // Derivatives found in the trial are not remembered.
        let d = g.diff(one, x);
        assert!((d.0 as usize) < g.len() && g.depends_on(d, x));
    }

    #[test]
    fn what_depends_on_symbols_is_found_in_one_pass_although_bits_are_shared() {
        let mut g = Arena::new();
        // More symbols than bits: the first and the last but one share theirs with others.
        let symbols: Vec<Symbol> = (0..300).map(|i| g.declare(&format!("s{i}"), Role::Coordinate)).collect();
        let all: Vec<Expr> = symbols.iter().map(|&s| g.symbol(s)).collect();
        let mut e = g.zero();
        for (i, &x) in all.iter().enumerate() {
            let term = if i % 3 == 0 { g.sin(x) } else { g.mul(x, x) };
            let inner = g.add(e, term);
            e = if i % 7 == 0 { g.cos(inner) } else { inner };
        }
        for sought in [vec![symbols[1]], vec![symbols[128], symbols[257]], vec![symbols[299]], vec![]] {
            let expected: Vec<Expr> = g
                .reachable(&[e])
                .into_iter()
                .filter(|&c| g.free_symbols(&[c]).iter().any(|s| sought.contains(s)))
                .collect();
            assert_eq!(g.depending(&[e], &sought), expected);
            assert!(g.reachable(&[e]).iter().all(|&c| g.depends_on_any(c, &sought) == expected.contains(&c)));
        }
    }

    /// There are fewer bits than symbols may be.
    #[test]
    fn derivatives_and_substitutions_by_two_symbols_that_share_a_bit_miss_neither() {
        let mut g = Arena::new();
        let list: Vec<Symbol> = (0..400).map(|i| g.declare(&format!("x{i}"), Role::Coordinate)).collect();
        let twin = |s: Symbol, g: &Arena| {
            list.iter()
                .copied()
                .find(|&t| t != s && g.symbol_bit(t) == g.symbol_bit(s))
                .expect("more symbols than bits")
        };
        let (a, c) = (list[0], list[1]);
        let (b, d) = (twin(a, &g), twin(c, &g));
        let [x, y, z] = [a, b, c].map(|s| g.symbol(s));
        let sine = g.sin(y);
        let product = g.mul(x, sine);
        let e = g.add(product, z);
        // What both of two twins move, and one of them alone.
        let [one, zero] = [g.one(), g.zero()];
        let cosine = g.cos(y);
        let by_b = g.mul(x, cosine);
        let both = g.add(sine, by_b);
        assert_eq!(g.directional(e, &[(a, one), (b, one)].into_iter().collect()), both);
        assert_eq!(g.gradient(e, &[a, b, d]), [sine, by_b, zero]);
        assert_eq!((g.diff(e, a), g.diff(e, b), g.diff(e, d)), (sine, by_b, zero));
        assert_eq!(g.substitute(e, &[(a, zero), (b, one)].into_iter().collect()), z);
        assert!(g.depends_on_any(e, &[a, b]) && g.depends_on_any(e, &[d, b]) && !g.depends_on(e, d));
        assert_eq!(g.depending(&[e], &[a, b]).len(), 5, "x, y, sin y, their product and the sum");
        assert_eq!((g.degree(product, &[a, b]), g.degree(e, &[a, d]), g.degree(e, &[d])), (None, Some(1), Some(0)));
    }
}
