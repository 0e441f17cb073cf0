//! Derivatives: partial, directional and total with respect to time.

use super::arena::{Arena, Expr, Function, Node};
use super::number::Rational;
use super::symbol::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// A product of more factors is counted by what it takes: each term of its derivative has all of them.
const LONG: usize = 8;

impl Arena {
    /// ∂e/∂s. Memoised.
    pub fn diff(&mut self, e: Expr, s: Symbol) -> Expr {
        self.diff_where(e, s, |_| true)
    }

    /// The Jacobian ∂eᵢ/∂sⱼ. What depends on none of the symbols is looked at
    /// once, not once for each.
    pub fn jacobian(&mut self, rows: &[Expr], symbols: &[Symbol]) -> Vec<Vec<Expr>> {
        let depending: FxHashSet<Expr> = self.depending(rows, symbols).into_iter().collect();
        self.work.charge(depending.len() as u64);
        rows.iter()
            .map(|&e| symbols.iter().map(|&s| self.diff_where(e, s, |c| depending.contains(&c))).collect())
            .collect()
    }

    /// ∂e/∂s, where what `depends` denies is known not to depend on s.
    fn diff_where(&mut self, e: Expr, s: Symbol, depends: impl Fn(Expr) -> bool) -> Expr {
        if !self.may_depend(e, s) || !depends(e) {
            return self.rate_of_what_stands_still(e);
        }
        let mut memo = std::mem::take(&mut self.derivatives);
        let order = self.reachable_where(&[e], |c| self.may_depend(c, s) && depends(c) && !memo.contains_key(&(c, s)));
        for c in order {
            if self.work.gives_up() {
                self.derivatives = memo;
                return Self::UNDEFINED;
            }
            let d = self.chain_rule(
                c,
                |_, x| if x == s { Self::ONE } else { Self::ZERO },
                |x| memo.get(&(x, s)).copied().unwrap_or(Self::ZERO),
            );
            memo.insert((c, s), d);
        }
        let d = memo[&(e, s)];
        self.derivatives = memo;
        d
    }

    /// Σ_s ∂e/∂s·rate(s): the rate of change of `e` when every symbol in `rates` changes at the given rate.
    pub fn directional(&mut self, e: Expr, rates: &FxHashMap<Symbol, Expr>) -> Expr {
        let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
        self.directional_with(e, rates, &mut memo)
    }

    /// [`Arena::directional`] for several expressions that share work through `memo`; the rates must be the same each time.
    pub fn directional_with(
        &mut self,
        e: Expr,
        rates: &FxHashMap<Symbol, Expr>,
        memo: &mut FxHashMap<Expr, Expr>,
    ) -> Expr {
        let mask = rates.keys().fold(0, |mask, s| mask | self.symbol_bit(*s));
        for c in self.reachable_where(&[e], |c| self.dependency_bits(c) & mask != 0 && !memo.contains_key(&c)) {
            if self.work.gives_up() {
                return Self::UNDEFINED;
            }
            let d = self.chain_rule(
                c,
                |_, s| rates.get(&s).copied().unwrap_or(Self::ZERO),
                |x| memo.get(&x).copied().unwrap_or(Self::ZERO),
            );
            memo.insert(c, d);
        }
        memo.get(&e).copied().unwrap_or_else(|| self.rate_of_what_stands_still(e))
    }

    /// What depends on nothing that changes does not change, unless it has no value at all.
    fn rate_of_what_stands_still(&self, e: Expr) -> Expr {
        if self.is_undefined(e) { Self::UNDEFINED } else { Self::ZERO }
    }

    /// The total time derivative: every symbol that varies contributes with its own derivative (x → x' → x''), t with 1.
    pub fn time_derivative(&mut self, e: Expr) -> Expr {
        let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
        for c in self.reachable(&[e]) {
            if self.work.gives_up() {
                return Self::UNDEFINED;
            }
            let d = self.chain_rule(
                c,
                |arena, s| {
                    if s == arena.time() {
                        Self::ONE
                    } else if arena.role(s).varies() {
                        let dot = arena.dot(s);
                        arena.symbol(dot)
                    } else {
                        Self::ZERO
                    }
                },
                |x| memo[&x],
            );
            memo.insert(c, d);
        }
        memo[&e]
    }

    /// The derivative of one node, given those of symbols and of its children.
    fn chain_rule(
        &mut self,
        e: Expr,
        symbol: impl FnOnce(&mut Arena, Symbol) -> Expr,
        child: impl Fn(Expr) -> Expr,
    ) -> Expr {
        match self.node(e) {
            Node::Number(_) => Self::ZERO,
            Node::Undefined => Self::UNDEFINED,
            Node::Symbol(s) => {
                let s = *s;
                symbol(self, s)
            }
            Node::Sum { terms, .. } => {
                let terms: Vec<_> = terms.iter().map(|(t, c)| (child(*t), c.clone())).collect();
                self.linear(Rational::ZERO, terms)
            }
            Node::Product { coefficient, factors } => {
                let (coefficient, factors) = (coefficient.clone(), factors.clone());
                if factors.len() > LONG {
                    self.work.charge(3 * (factors.len() * factors.len()) as u64);
                }
                let mut terms = Vec::new();
                for (i, (base, exponent)) in factors.iter().enumerate() {
                    let d = child(*base);
                    if self.is_zero(d) {
                        continue;
                    }
                    let mut list = factors.to_vec();
                    list[i].1 = exponent - &Rational::ONE;
                    list.push((d, Rational::ONE));
                    terms.push((self.powers(exponent.clone(), list), coefficient.clone()));
                }
                self.linear(Rational::ZERO, terms)
            }
            Node::Power(base, exponent) => {
                // (bˣ)' = bˣ·(x'·log b + x·b'/b)
                let (b, x) = (*base, *exponent);
                let (db, dx) = (child(b), child(x));
                let log = self.call(Function::Log, b);
                let first = self.mul(dx, log);
                let ratio = self.div(db, b);
                let second = self.mul(x, ratio);
                let inner = self.add(first, second);
                self.mul(e, inner)
            }
            Node::Call(f, x) => {
                let (f, x) = (*f, *x);
                let dx = child(x);
                if self.is_zero(dx) {
                    return Self::ZERO;
                }
                let outer = self.function_derivative(f, x, e);
                self.mul(outer, dx)
            }
            Node::Atan2(y, x) => {
                // d atan2(y, x) = (x dy − y dx)/(x² + y²)
                let (y, x) = (*y, *x);
                let (dy, dx) = (child(y), child(x));
                let (a, b) = (self.mul(x, dy), self.mul(y, dx));
                let top = self.sub(a, b);
                let (xx, yy) = (self.square(x), self.square(y));
                let bottom = self.add(xx, yy);
                self.div(top, bottom)
            }
            Node::Table(table, order, x) => {
                let (table, order, x) = (*table, *order, *x);
                let dx = child(x);
                if self.is_zero(dx) {
                    return Self::ZERO;
                }
                let outer = self.table(table, order.saturating_add(1), x);
                self.mul(outer, dx)
            }
            Node::Unspecified(f, arguments) => {
                let (f, arguments) = (*f, arguments.clone());
                let mut terms = Vec::new();
                for (i, &x) in arguments.iter().enumerate() {
                    let dx = child(x);
                    if self.is_zero(dx) {
                        continue;
                    }
                    let partial = self.partial(f, i);
                    let outer = self.unspecified(partial, &arguments);
                    terms.push((self.mul(outer, dx), Rational::ONE));
                }
                self.linear(Rational::ZERO, terms)
            }
        }
    }

    /// ∂node/∂child for a node that is neither a sum nor a product.
    pub(super) fn partial_by_child(&mut self, e: Expr, child: Expr) -> Expr {
        self.chain_rule(e, |_, _| Self::ZERO, |x| if x == child { Self::ONE } else { Self::ZERO })
    }

    /// f'(x), where `value` is f(x).
    fn function_derivative(&mut self, f: Function, x: Expr, value: Expr) -> Expr {
        use Function::*;
        let one = Self::ONE;
        match f {
            Sin => self.cos(x),
            Cos => {
                let s = self.sin(x);
                self.neg(s)
            }
            Tan => {
                let c = self.cos(x);
                self.powi(c, -2)
            }
            Cot => {
                let s = self.sin(x);
                let r = self.powi(s, -2);
                self.neg(r)
            }
            Sec => {
                let t = self.call(Tan, x);
                self.mul(value, t)
            }
            Csc => {
                let c = self.call(Cot, x);
                let p = self.mul(value, c);
                self.neg(p)
            }
            Asin | Acos => {
                let xx = self.square(x);
                let rest = self.sub(one, xx);
                let root = self.power(rest, &Rational::new(-1, 2).expect("2 is not zero"));
                if f == Asin { root } else { self.neg(root) }
            }
            Atan => {
                let xx = self.square(x);
                let bottom = self.add(one, xx);
                self.powi(bottom, -1)
            }
            Sinh => self.call(Cosh, x),
            Cosh => self.call(Sinh, x),
            Tanh => {
                let square = self.square(value);
                self.sub(one, square)
            }
            Exp => value,
            Log => self.powi(x, -1),
            Abs => self.call(Sign, x),
            Sign => Self::ZERO,
        }
    }

    /// The Hessian ∂²e/∂sᵢ∂sⱼ, symmetric.
    pub fn hessian(&mut self, e: Expr, symbols: &[Symbol]) -> Vec<Vec<Expr>> {
        let gradient: Vec<Expr> = symbols.iter().map(|&s| self.diff(e, s)).collect();
        let mut rows = vec![vec![Self::ZERO; symbols.len()]; symbols.len()];
        for (i, &g) in gradient.iter().enumerate() {
            for j in i..symbols.len() {
                let entry = self.diff(g, symbols[j]);
                rows[i][j] = entry;
                rows[j][i] = entry;
            }
        }
        rows
    }
}
