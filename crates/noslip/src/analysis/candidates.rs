//! Candidate functions for potentials, multipliers and first integrals, read off the expressions at hand.
//!
//! A potential of a form is made of what its coefficients are made of: each term is raised in its variable, sines become
//! cosines, denominators become logarithms, square roots stay. Parameters are carried along as the terms have them, so that the
//! coefficients still to be found are plain numbers.

use crate::arrange::Arrange;
use crate::expr::{Arena, Expr, Function, Node, Rational, Role, Symbol};

/// A product of powers with a number in front.
#[derive(Clone, Debug)]
pub struct Term {
    /// The number.
    pub coefficient: Rational,
    /// Bases and exponents.
    pub factors: Vec<(Expr, Rational)>,
}

/// Terms beyond which an expression is not expanded.
const TERMS: usize = 200;

/// Writes an expression as a sum of products, opening products of sums a few levels deep.
pub fn expand(g: &Arena, e: Expr) -> Vec<Term> {
    expand_to(g, e, 4).unwrap_or_else(|| vec![Term { coefficient: Rational::ONE, factors: vec![(e, Rational::ONE)] }])
}

fn expand_to(g: &Arena, e: Expr, depth: u32) -> Option<Vec<Term>> {
    let whole = || vec![Term { coefficient: Rational::ONE, factors: vec![(e, Rational::ONE)] }];
    match g.node(e) {
        Node::Number(n) => Some(vec![Term { coefficient: n.clone(), factors: Vec::new() }]),
        Node::Sum { constant, terms } if depth > 0 => {
            let mut list = Vec::new();
            if !constant.is_zero() {
                list.push(Term { coefficient: constant.clone(), factors: Vec::new() });
            }
            for (t, c) in terms {
                for mut term in expand_to(g, *t, depth - 1)? {
                    term.coefficient = &term.coefficient * c;
                    list.push(term);
                }
            }
            (list.len() <= TERMS).then_some(list)
        }
        Node::Product { coefficient, factors } if depth > 0 => {
            let mut list = vec![Term { coefficient: coefficient.clone(), factors: Vec::new() }];
            for (base, exponent) in factors {
                let times = match (g.node(*base), exponent.to_i64()) {
                    (Node::Sum { .. }, Some(k @ 1..=3)) => k,
                    _ => {
                        list.iter_mut().for_each(|t| t.factors.push((*base, exponent.clone())));
                        continue;
                    }
                };
                let inner = expand_to(g, *base, depth - 1)?;
                for _ in 0..times {
                    let mut longer = Vec::new();
                    for a in &list {
                        for b in &inner {
                            let mut factors = a.factors.clone();
                            factors.extend(b.factors.iter().cloned());
                            longer.push(Term { coefficient: &a.coefficient * &b.coefficient, factors });
                        }
                    }
                    if longer.len() > TERMS {
                        return None;
                    }
                    list = longer;
                }
            }
            Some(list)
        }
        _ => Some(whole()),
    }
}

/// Is the expression made of parameters and numbers only?
pub fn is_constant(g: &Arena, e: Expr) -> bool {
    g.free_symbols(&[e]).into_iter().all(|s| matches!(g.role(s), Role::Constant | Role::Parameter))
}

/// A growing list of distinct functions.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    list: Vec<Expr>,
}

impl Candidates {
    /// Adds a function, without its numeric factor; numbers and parameters alone are no functions.
    pub fn add(&mut self, g: &mut Arena, e: Expr) {
        let (_, e) = g.split_coefficient(e);
        if !g.is_undefined(e) && !is_constant(g, e) && !self.list.contains(&e) {
            self.list.push(e);
        }
    }

    /// The functions, short ones first.
    pub fn sorted(mut self, g: &Arena, limit: usize) -> Vec<Expr> {
        self.list.arrange_by_key(|&e| complexity(g, e));
        self.list.truncate(limit);
        self.list
    }

    /// Functions whose derivative by `u` may contain the terms of `e`.
    pub fn antiderivatives(&mut self, g: &mut Arena, e: Expr, u: Symbol) {
        for term in expand(g, e) {
            let (constant, rest): (Vec<_>, Vec<_>) = term.factors.into_iter().partition(|(b, _)| is_constant(g, *b));
            let front = g.powers(Rational::ONE, constant);
            self.antiderivatives_of_product(g, front, &rest, u);
        }
    }

    fn antiderivatives_of_product(&mut self, g: &mut Arena, front: Expr, rest: &[(Expr, Rational)], u: Symbol) {
        let of = |g: &mut Arena, list: Vec<(Expr, Rational)>| {
            let e = g.powers(Rational::ONE, list);
            g.mul(front, e)
        };
        let variable = g.symbol(u);
        let with = |list: &[(Expr, Rational)], more: &[(Expr, i64)]| {
            let mut list = list.to_vec();
            list.extend(more.iter().map(|&(e, k)| (e, Rational::integer(k))));
            list
        };
        let raised = of(g, with(rest, &[(variable, 1)]));
        self.add(g, raised);
        for (i, (base, exponent)) in rest.iter().enumerate() {
            if !g.depends_on(*base, u) {
                continue;
            }
            let others: Vec<_> = rest.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| f.clone()).collect();
            match *g.node(*base) {
                Node::Call(f @ (Function::Sin | Function::Cos), x) => {
                    let (s, c) = (g.sin(x), g.cos(x));
                    let partner = if f == Function::Sin { c } else { s };
                    let others: Vec<_> = others.into_iter().filter(|(b, _)| *b != partner).collect();
                    let degree =
                        |b: Expr| rest.iter().filter(|(x, _)| *x == b).filter_map(|(_, e)| e.to_i64()).sum::<i64>();
                    let total = (degree(s) + degree(c)).clamp(0, 6);
                    let slope = g.diff(x, u);
                    let slope = if is_constant(g, slope) { slope } else { g.one() };
                    for k in 0..=total {
                        let e = of(g, with(&others, &[(s, k), (c, total - k), (slope, -1)]));
                        self.add(g, e);
                    }
                    if exponent.is_negative() {
                        let log = g.call(Function::Log, *base);
                        let e = of(g, with(&others, &[(log, 1)]));
                        self.add(g, e);
                        let e = of(g, with(&others, &[(partner, 1), (*base, -1)]));
                        self.add(g, e);
                    }
                }
                Node::Call(Function::Tan | Function::Cot, x) => {
                    for y in [g.sin(x), g.cos(x)] {
                        let log = g.call(Function::Log, y);
                        let e = of(g, with(&others, &[(log, 1)]));
                        self.add(g, e);
                    }
                }
                Node::Call(Function::Exp, x) => {
                    // ∫ uⁿ exp(a u) du = Σ_k ± uᵏ exp(a u)/aⁿ⁻ᵏ⁺¹
                    let slope = g.diff(x, u);
                    let slope = if is_constant(g, slope) { slope } else { g.one() };
                    let power = rest.iter().find(|(b, _)| *b == variable).and_then(|(_, k)| k.to_i64()).unwrap_or(0);
                    for k in 0..=power.clamp(0, 4) {
                        let e = of(g, with(rest, &[(variable, -k), (slope, -1 - k)]));
                        self.add(g, e);
                    }
                }
                _ => {
                    let e = of(g, with(rest, &[(*base, 1)]));
                    self.add(g, e);
                    if exponent.is_negative() {
                        let log = g.call(Function::Log, *base);
                        let e = of(g, with(&others, &[(log, 1)]));
                        self.add(g, e);
                        let bare = g.powers(Rational::ONE, [(log, Rational::ONE)]);
                        self.add(g, bare);
                    }
                    if !exponent.is_integer() {
                        let e = g.power(*base, &exponent.abs());
                        self.add(g, e);
                    }
                }
            }
        }
    }

    /// Products of at most two of the atoms of the expressions, with small exponents of either sign, and logarithms.
    pub fn monomials(&mut self, g: &mut Arena, expressions: &[Expr], variables: &[Symbol]) {
        let mut atoms: Vec<Expr> = Vec::new();
        let mut logs: Vec<Expr> = Vec::new();
        for &u in variables {
            let e = g.symbol(u);
            atoms.push(e);
            logs.push(e);
        }
        for (e, _) in atoms_of(g, expressions, variables) {
            if !atoms.contains(&e) {
                atoms.push(e);
                logs.push(e);
            }
        }
        for &e in expressions {
            for e in std::iter::once(e).chain(denominators(g, e)) {
                if g.depends_on_any(e, variables) && !logs.contains(&e) {
                    logs.push(e);
                }
            }
        }
        atoms.truncate(14);
        logs.truncate(24);
        for &a in &atoms {
            for k in [1, 2, -1, -2, 3] {
                let e = g.powi(a, k);
                self.add(g, e);
            }
        }
        for &e in &logs {
            let e = g.call(Function::Log, e);
            self.add(g, e);
        }
        for (i, &a) in atoms.iter().enumerate() {
            for &b in &atoms[i + 1..] {
                for (j, k) in [(1, 1), (1, -1), (-1, 1), (2, 1), (1, 2)] {
                    let e = g.powers(Rational::ONE, [(a, Rational::integer(j)), (b, Rational::integer(k))]);
                    self.add(g, e);
                }
            }
        }
        for (i, &x) in variables.iter().enumerate() {
            for &y in &variables[i + 1..] {
                let together =
                    expressions.iter().any(|&e| g.depends_on(e, x)) && expressions.iter().any(|&e| g.depends_on(e, y));
                if together {
                    let (x, y) = (g.symbol(x), g.symbol(y));
                    let e = g.atan2(y, x);
                    self.add(g, e);
                }
            }
        }
    }
}

/// Length, with functions that people like to avoid counted more.
fn complexity(g: &Arena, e: Expr) -> usize {
    let below = g.reachable(&[e]);
    let avoided =
        below.iter().filter(|&&x| matches!(g.node(x), Node::Call(Function::Log, _) | Node::Atan2(..))).count();
    below.len() + 6 * avoided
}

/// The constant factors in front of the terms of an expression.
pub fn constant_factors(g: &mut Arena, e: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    for term in expand(g, e) {
        let constant: Vec<_> = term.factors.into_iter().filter(|(b, _)| is_constant(g, *b)).collect();
        let e = g.powers(Rational::ONE, constant);
        if !found.contains(&e) {
            found.push(e);
        }
    }
    found
}

/// The functions of the variables that occur: sines and cosines of each angle, roots, exponentials; with their arguments.
pub fn atoms_of(g: &mut Arena, expressions: &[Expr], variables: &[Symbol]) -> Vec<(Expr, Expr)> {
    let mut atoms: Vec<(Expr, Expr)> = Vec::new();
    for e in g.reachable(expressions) {
        let found: Vec<(Expr, Expr)> = match g.node(e) {
            Node::Call(
                Function::Sin | Function::Cos | Function::Tan | Function::Cot | Function::Sec | Function::Csc,
                x,
            ) => {
                let x = *x;
                vec![(g.cos(x), x), (g.sin(x), x)]
            }
            Node::Call(
                Function::Exp | Function::Log | Function::Sinh | Function::Cosh | Function::Tanh | Function::Atan,
                x,
            ) => {
                vec![(e, *x)]
            }
            Node::Product { factors, .. } => {
                let roots: Vec<Expr> = factors.iter().filter(|(_, k)| !k.is_integer()).map(|(b, _)| *b).collect();
                roots.into_iter().map(|b| (g.sqrt(b), b)).collect()
            }
            _ => continue,
        };
        for (f, x) in found {
            if g.depends_on_any(x, variables) && !atoms.iter().any(|(known, _)| *known == f) {
                atoms.push((f, x));
            }
        }
    }
    atoms
}

/// The bases with negative exponents that occur.
pub fn denominators(g: &Arena, e: Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    for e in g.reachable(&[e]) {
        if let Node::Product { factors, .. } = g.node(e) {
            for (b, k) in factors {
                if k.is_negative() && !found.contains(b) {
                    found.push(*b);
                }
            }
        }
    }
    found
}
