//! From expressions to operations.
//!
//! Expressions are first brought into *terms* ([`super::terms`]). Then pairs of members are shared across all sums and
//! all products ([`super::share`]), and each term is written as binary operations. Common factors of a sum's members
//! are taken out ([`super::factor`]) if that makes the code shorter: sharing and factoring compete, so both are tried.

use super::share::{Pair, share_pairs};
use super::tape::{Binary, TapeBuilder, Value};
use super::terms::{Scaled, Term, TermId, Terms, needed};
use crate::arrange::Arrange;
use crate::error::{Error, Result};
use crate::expr::{Arena, Expr, Node};
use rustc_hash::FxHashMap;

impl TapeBuilder {
    /// Lowers many expressions at once, so that they share everything they have in common.
    pub fn lower(&mut self, arena: &Arena, expressions: &[Expr]) -> Result<Vec<Value>> {
        if self.options.seldom {
            return self.lower_as_it_stands(arena, expressions);
        }
        let (terms, roots) = self.terms_of(arena, expressions)?;
        let (factored, factored_roots) = terms.factored(&roots);
        let mut other = self.clone();
        let other_values = Emission::new(&mut other, factored).emit(arena, &factored_roots, true)?;
        let values = Emission::new(self, terms).emit(arena, &roots, true)?;
        if other.cost_of(&other_values) < self.cost_of(&values) {
            *self = other;
            return Ok(other_values);
        }
        Ok(values)
    }

    /// The same for a long program that runs some hundred times: looking for pairs and common factors takes longer than all its runs.
    pub fn lower_as_it_stands(&mut self, arena: &Arena, expressions: &[Expr]) -> Result<Vec<Value>> {
        let (terms, roots) = self.terms_of(arena, expressions)?;
        Emission::new(self, terms).emit(arena, &roots, false)
    }

    fn terms_of(&self, arena: &Arena, expressions: &[Expr]) -> Result<(Terms, Vec<Scaled>)> {
        let not_given = arena.unspecified_in(expressions);
        if !not_given.is_empty() {
            return Err(arena.not_given(&not_given));
        }
        let mut terms = Terms::default();
        let mut scaled: FxHashMap<Expr, Scaled> = FxHashMap::default();
        for e in arena.reachable(expressions) {
            let value = self.term(arena, &mut terms, &scaled, e)?;
            if !value.factor.is_finite() {
                let names: Vec<&str> = arena.free_symbols(&[e]).into_iter().map(|s| arena.name(s)).collect();
                let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
                return Err(Error::computation(format!(
                    "a constant expression{of} has no finite value (division by zero, a root of a negative number, or overflow)"
                )));
            }
            scaled.insert(e, value);
            self.check_size(terms.terms.len())?;
        }
        let roots: Vec<Scaled> = expressions.iter().map(|e| scaled[e]).collect();
        Ok((terms, roots))
    }

    fn term(&self, arena: &Arena, terms: &mut Terms, done: &FxHashMap<Expr, Scaled>, e: Expr) -> Result<Scaled> {
        let number = |factor: f64| Ok(Scaled { factor, core: None });
        match arena.node(e) {
            Node::Number(n) => number(n.to_f64()),
            Node::Undefined => Err(Error::computation("an expression divides by zero")),
            Node::Symbol(s) => match self.bindings.get(s) {
                Some(&v) => match self.as_constant(v) {
                    Some(x) => number(x),
                    None => Ok(terms.one(Term::Value(v))),
                },
                None => {
                    Err(Error::input(format!("`{}` is neither an input nor a parameter with a value", arena.name(*s))))
                }
            },
            Node::Sum { constant, terms: list } => {
                Ok(terms.sum(constant.to_f64(), list.iter().map(|(t, c)| (done[t], c.to_f64()))))
            }
            Node::Product { coefficient, factors } => {
                Ok(terms.product(coefficient.to_f64(), factors.iter().map(|(f, x)| (done[f], x))))
            }
            Node::Power(a, b) => Ok(terms.binary(Binary::Power, done[a], done[b])),
            Node::Atan2(a, b) => Ok(terms.binary(Binary::Atan2, done[a], done[b])),
            Node::Call(f, a) => Ok(terms.call(*f, done[a])),
            Node::Table(table, derivative, a) => {
                let a = terms.whole(done[a]);
                Ok(terms.one(Term::Table(*table, *derivative, a)))
            }
            Node::Unspecified(f, _) => Err(arena.not_given(&[*f])),
        }
    }
}

/// A member of a product after denominators are settled: a term, or the reciprocal of one.
struct Emission<'b> {
    builder: &'b mut TapeBuilder,
    terms: Vec<Term>,
    /// Values of members: terms first, then the pairs of sums or products.
    values: Vec<Option<Value>>,
}

/// One product to be written: numerator members, and the denominator that is divided by once.
#[derive(Default)]
struct Quotient {
    numerator: usize,
    denominator: Option<usize>,
}

impl<'b> Emission<'b> {
    fn new(builder: &'b mut TapeBuilder, terms: Terms) -> Emission<'b> {
        let values = vec![None; terms.terms.len()];
        Emission { builder, terms: terms.terms, values }
    }

    fn emit(mut self, arena: &Arena, roots: &[Scaled], share: bool) -> Result<Vec<Value>> {
        let needed = needed(&self.terms, roots);
        let count = self.terms.len() as u32;

        let mut sums = Sums::of(&self.terms, &needed);
        let sum_pairs = if share { share_pairs(&mut sums.lists, count) } else { Vec::new() };
        let mut products = Products::of(&self.terms, &needed);
        let reciprocals = products.reciprocals.len();
        let first = count + reciprocals as u32;
        let product_pairs = if share { share_pairs(&mut products.lists, first) } else { Vec::new() };
        let mut sum_values: Vec<Option<Value>> = vec![None; sum_pairs.len()];
        let mut product_values: Vec<Option<Value>> = vec![None; reciprocals + product_pairs.len()];
        for id in (0..count).filter(|id| needed[*id as usize]) {
            let v = |t: TermId| self.values[t as usize].expect("children come first");
            let value = match self.terms[id as usize].clone() {
                Term::Value(v) => v,
                Term::Unary(op, a) => {
                    let a = v(a);
                    self.builder.unary(op, a)
                }
                Term::Binary(op, a, b) => {
                    let (a, b) = (v(a), v(b));
                    self.builder.binary(op, a, b)
                }
                Term::Table(table, derivative, a) => {
                    let a = v(a);
                    self.builder.table(arena, table, derivative, a)?
                }
                Term::Sum(constant, _) => {
                    let list = std::mem::take(&mut sums.lists[sums.of[&id]]);
                    let mut emit = SumPairs { pairs: &sum_pairs, values: &mut sum_values, first: count };
                    let members: Vec<(Value, f64)> =
                        list.iter().map(|&(m, c)| (emit.member(m, &self.values, self.builder), c)).collect();
                    sum(self.builder, f64::from_bits(constant), members)
                }
                Term::Product(_) => {
                    let mut emit = ProductPairs {
                        pairs: &product_pairs,
                        values: &mut product_values,
                        reciprocals: &products.reciprocals,
                        lists: &products.lists,
                        first: count,
                    };
                    let quotient = &products.of[&id];
                    let numerator = emit.product(quotient.numerator, &self.values, self.builder);
                    match quotient.denominator {
                        Some(d) => {
                            let d = emit.product(d, &self.values, self.builder);
                            self.builder.div(numerator, d)
                        }
                        None => numerator,
                    }
                }
            };
            self.values[id as usize] = Some(value);
            self.builder.check_size(0)?;
        }
        Ok(roots
            .iter()
            .map(|s| {
                let factor = self.builder.constant(s.factor);
                match s.core {
                    Some(core) => self.builder.mul(factor, self.values[core as usize].expect("roots are needed")),
                    None => factor,
                }
            })
            .collect())
    }
}

/// The sums that are needed: their members with coefficients.
struct Sums {
    lists: Vec<Vec<(u32, f64)>>,
    /// The list of a term.
    of: FxHashMap<TermId, usize>,
}

impl Sums {
    fn of(terms: &[Term], needed: &[bool]) -> Sums {
        let mut sums = Sums { lists: Vec::new(), of: FxHashMap::default() };
        for (id, term) in terms.iter().enumerate().filter(|(id, _)| needed[*id]) {
            if let Term::Sum(_, list) = term {
                sums.of.insert(id as TermId, sums.lists.len());
                sums.lists.push(list.iter().map(|&(t, c)| (t, f64::from_bits(c))).collect());
            }
        }
        sums
    }
}

/// The products that are needed: their members with powers. A denominator that several products have becomes a reciprocal,
/// computed once; otherwise there is one division at the end. Powers of one and the same term share its reciprocal.
struct Products {
    lists: Vec<Vec<(u32, u32)>>,
    /// The lists of a term.
    of: FxHashMap<TermId, Quotient>,
    /// The lists that are reciprocals, members number `terms.len()` and following.
    reciprocals: Vec<usize>,
}

impl Products {
    fn of(terms: &[Term], needed: &[bool]) -> Products {
        let lists = || {
            terms.iter().enumerate().filter(|(id, _)| needed[*id]).filter_map(|(id, term)| match term {
                Term::Product(list) => Some((id as TermId, list)),
                _ => None,
            })
        };
        let mut uses: FxHashMap<Vec<(TermId, i64)>, u32> = FxHashMap::default();
        for key in lists().filter_map(|(_, list)| denominator(list)) {
            *uses.entry(key).or_default() += 1;
        }
        let mut shared: Vec<Vec<(TermId, i64)>> = Vec::new();
        let mut reciprocal_of: FxHashMap<Vec<(TermId, i64)>, u32> = FxHashMap::default();
        let mut products = Products { lists: Vec::new(), of: FxHashMap::default(), reciprocals: Vec::new() };
        for (id, list) in lists() {
            let mut numerator: Vec<(u32, u32)> =
                list.iter().filter(|(_, n)| *n > 0).map(|&(t, n)| (t, n as u32)).collect();
            let mut quotient = Quotient::default();
            if let Some(key) = denominator(list) {
                if uses[&key] >= 2 {
                    let power = if key.len() == 1 { list.iter().map(|(_, n)| -n).max().unwrap_or(1) as u32 } else { 1 };
                    let member = *reciprocal_of.entry(key.clone()).or_insert_with(|| {
                        shared.push(key);
                        (terms.len() + shared.len()) as u32 - 1
                    });
                    numerator.push((member, power));
                } else {
                    let below = list.iter().filter(|(_, n)| *n < 0).map(|&(t, n)| (t, n.unsigned_abs() as u32));
                    quotient.denominator = Some(products.lists.len());
                    products.lists.push(below.collect());
                }
            }
            quotient.numerator = products.lists.len();
            products.lists.push(numerator);
            products.of.insert(id, quotient);
        }
        for key in shared {
            products.reciprocals.push(products.lists.len());
            products.lists.push(key.iter().map(|&(t, n)| (t, n as u32)).collect());
        }
        products
    }
}

/// What a product is divided by; for a power of a single term, the term itself.
fn denominator(list: &[(TermId, i64)]) -> Option<Vec<(TermId, i64)>> {
    let mut below: Vec<(TermId, i64)> = list.iter().filter(|(_, n)| *n < 0).map(|&(t, n)| (t, -n)).collect();
    if let [(_, n)] = &mut below[..] {
        *n = 1;
    }
    (!below.is_empty()).then_some(below)
}

struct SumPairs<'a> {
    pairs: &'a [Pair<f64>],
    values: &'a mut [Option<Value>],
    first: u32,
}

impl SumPairs<'_> {
    /// The value of a member. Pairs of pairs are written with a stack of their own: their depth is that of a sum's width.
    fn member(&mut self, member: u32, terms: &[Option<Value>], builder: &mut TapeBuilder) -> Value {
        let mut stack = vec![member];
        let mut result = None;
        while let Some(&m) = stack.last() {
            let known = |values: &[Option<Value>], m: u32| match m.checked_sub(self.first) {
                None => terms[m as usize],
                Some(i) => values[i as usize],
            };
            if let Some(v) = known(self.values, m) {
                result = Some(v);
                stack.pop();
                continue;
            }
            let at = (m - self.first) as usize;
            let (a, b, ratio) = self.pairs[at];
            match (known(self.values, a), known(self.values, b)) {
                (Some(a), Some(b)) => {
                    self.values[at] = Some(sum(builder, 0.0, vec![(a, 1.0), (b, f64::from_bits(ratio))]));
                }
                (None, _) => stack.push(a),
                (_, None) => stack.push(b),
            }
        }
        result.expect("the stack began with one member")
    }
}

struct ProductPairs<'a> {
    pairs: &'a [Pair<u32>],
    values: &'a mut [Option<Value>],
    reciprocals: &'a [usize],
    lists: &'a [Vec<(u32, u32)>],
    first: u32,
}

impl ProductPairs<'_> {
    fn known(&self, m: u32, terms: &[Option<Value>]) -> Option<Value> {
        match m.checked_sub(self.first) {
            None => terms[m as usize],
            Some(i) => self.values[i as usize],
        }
    }

    fn product(&mut self, list: usize, terms: &[Option<Value>], builder: &mut TapeBuilder) -> Value {
        let mut stack: Vec<u32> = self.lists[list].iter().map(|(m, _)| *m).collect();
        while let Some(&m) = stack.last() {
            if self.known(m, terms).is_some() {
                stack.pop();
                continue;
            }
            let at = (m - self.first) as usize;
            let parts: Vec<u32> = match at.checked_sub(self.reciprocals.len()) {
                Some(pair) => vec![self.pairs[pair].0, self.pairs[pair].1],
                None => self.lists[self.reciprocals[at]].iter().map(|(m, _)| *m).collect(),
            };
            let missing: Vec<u32> = parts.iter().copied().filter(|&p| self.known(p, terms).is_none()).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let value = match at.checked_sub(self.reciprocals.len()) {
                Some(_) => {
                    let (a, b) = (self.known(parts[0], terms), self.known(parts[1], terms));
                    builder.mul(a.expect("not missing"), b.expect("not missing"))
                }
                None => {
                    let below = self.multiply(self.reciprocals[at], terms, builder);
                    let one = builder.constant(1.0);
                    builder.div(one, below)
                }
            };
            self.values[at] = Some(value);
        }
        self.multiply(list, terms, builder)
    }

    /// Multiplies known members.
    fn multiply(&self, list: usize, terms: &[Option<Value>], builder: &mut TapeBuilder) -> Value {
        let mut result: Option<Value> = None;
        for &(m, n) in &self.lists[list] {
            let power = power(builder, self.known(m, terms).expect("members are known"), n);
            result = Some(match result {
                Some(r) => builder.mul(r, power),
                None => power,
            });
        }
        result.unwrap_or_else(|| builder.constant(1.0))
    }
}

/// xⁿ by repeated squaring, n ≥ 1.
fn power(builder: &mut TapeBuilder, x: Value, n: u32) -> Value {
    let (mut square, mut n, mut result) = (x, n, None);
    while n > 0 {
        if n & 1 == 1 {
            result = Some(match result {
                Some(r) => builder.mul(r, square),
                None => square,
            });
        }
        n >>= 1;
        if n > 0 {
            square = builder.mul(square, square);
        }
    }
    result.unwrap_or_else(|| builder.constant(1.0))
}

/// constant + Σ coefficient·value, begun with a member that needs no sign.
fn sum(builder: &mut TapeBuilder, constant: f64, mut members: Vec<(Value, f64)>) -> Value {
    members.arrange_by_key(|(_, c)| *c != 1.0);
    let mut total: Option<Value> = None;
    for (v, c) in members {
        let k = builder.constant(c.abs());
        let part = builder.mul(k, v);
        total = Some(match total {
            Some(t) if c < 0.0 => builder.sub(t, part),
            Some(t) => builder.add(t, part),
            None if c < 0.0 => builder.neg(part),
            None => part,
        });
    }
    let constant = builder.constant(constant);
    match total {
        Some(t) => builder.add(t, constant),
        None => constant,
    }
}
