//! What the whole batch says before anything large is computed: independent arguments, and signs.

use super::angles::Kind;
use super::{ArgumentForm, Basis, Normalizer};
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::poly::Budget;
use rustc_hash::FxHashMap;

/// Trigonometric functions, exponentials and roots within arguments of others, deeper than this, are not attempted.
const NESTING: usize = 64;

/// Work on the arguments of functions alone.
const ARGUMENT_WORK: u64 = 5_000_000;

impl Normalizer {
    /// Finds the independent arguments, and what roots say about signs, before anything large is computed.
    pub(super) fn prepare(&mut self, arena: &mut Arena, order: &[Expr]) -> Result<()> {
        self.forget();
        for &e in order {
            if let Node::Symbol(s) = arena.node(e) {
                let s = *s;
                self.symbol(arena, s)?;
            }
        }
        for s in self.options.positive.clone() {
            let v = self.symbol(arena, s)?;
            self.assume_positive(v);
        }
        let (mut calls, mut arguments) = (Vec::new(), Vec::new());
        if let Basis::Given(angles) = &self.options.basis {
            arguments.extend(angles);
        }
        for &e in order {
            let before = arguments.len();
            match arena.node(e) {
                Node::Call(f, x) if has_arguments(*f) => {
                    self.exponentials_occur |= *f == Function::Exp;
                    arguments.push(*x);
                }
                Node::Power(a, b) => {
                    self.exponentials_occur = true;
                    arguments.extend([*a, *b]);
                }
                Node::Product { factors, .. } => {
                    arguments.extend(factors.iter().filter(|(_, x)| !x.is_integer()).map(|(b, _)| *b));
                }
                _ => {}
            }
            if arguments.len() > before {
                calls.push(e);
            }
        }
        if arguments.is_empty() {
            return Ok(());
        }
        // Level by level: the arguments of calls that contain no others, then those that contain only these, …
        let below = arena.reachable(&arguments);
        let levels = nesting(arena, order, &calls);
        let level = |e: &Expr| levels.get(e).copied().unwrap_or(0);
        let deepest = calls.iter().map(level).max().unwrap_or(0);
        if deepest > NESTING {
            return Err(Error::limit(format!("functions nested more than {NESTING} deep in arguments")));
        }
        // What is learnt at one level (a finer angle, a sign) can change what was found below: then again from below.
        'again: for _ in 0..8 + 2 * deepest {
            self.forget();
            self.changed = false;
            self.reset_arguments();
            for l in 1..=deepest.max(1) {
                let known: Vec<Expr> = below.iter().copied().filter(|e| level(e) < l).collect();
                let calls: Vec<Expr> = calls.iter().copied().filter(|e| level(e) <= l).collect();
                self.evaluate(arena, &known)?;
                self.collect_arguments(arena, &calls)?;
                if self.changed {
                    continue 'again;
                }
            }
            return Ok(());
        }
        Err(Error::limit("no basis of angles was found: their arguments depend on each other"))
    }

    /// Values found before something was learnt are not used again.
    fn forget(&mut self) {
        self.memo.clear();
        self.powers.clear();
    }

    /// Chooses bases for the arguments of all calls, from the normal forms of these arguments.
    fn collect_arguments(&mut self, arena: &mut Arena, calls: &[Expr]) -> Result<()> {
        let (mut circular, mut exponential) = (Vec::new(), Vec::new());
        if let Basis::Given(angles) = self.options.basis.clone() {
            self.given.clear();
            for e in angles {
                if let Some(f) = self.memo.get(&e).cloned() {
                    let v = self.vector(arena, &f);
                    let v = self.split_turns(arena, v).1;
                    self.given.push(v.clone());
                    circular.push(v);
                }
            }
        }
        for &e in calls {
            match arena.node(e).clone() {
                Node::Call(f, x) => match kind_of(f) {
                    Some(Kind::Circular) => {
                        let u = self.value(x)?;
                        let v = self.vector(arena, &u);
                        circular.push(self.split_turns(arena, v).1);
                    }
                    Some(Kind::Exponential) => {
                        let u = self.value(x)?;
                        let v = self.vector(arena, &u);
                        let (powers, rest) = self.split_logarithms(v);
                        // cosh(log x + y) is expanded in exponentials, and then so is the cosh(y) beside it.
                        self.changed |= !powers.is_empty() && !self.exponentials_occur;
                        self.exponentials_occur |= !powers.is_empty();
                        exponential.push(rest);
                    }
                    None if f == Function::Log => {
                        let u = self.value(x)?;
                        self.log(arena, &u)?;
                    }
                    None => {}
                },
                Node::Power(a, b) => {
                    let v = self.exponent_of_power(arena, a, b)?;
                    exponential.push(self.split_logarithms(v).1);
                }
                Node::Product { factors, .. } => {
                    for (b, x) in factors.iter().filter(|(_, x)| !x.is_integer()) {
                        self.root_of(arena, *b, x)?;
                    }
                }
                _ => {}
            }
        }
        self.changed |= self.choose_basis(arena, Kind::Circular, circular)?;
        self.changed |= self.choose_basis(arena, Kind::Exponential, exponential)?;
        Ok(())
    }

    /// The functions below `roots` in terms of dimensions, for evaluation elsewhere.
    pub(in crate::expr) fn argument_forms(
        &mut self,
        arena: &mut Arena,
        roots: &[Expr],
    ) -> Result<FxHashMap<Expr, ArgumentForm>> {
        // What stands in sines and roots is short, or its functions are only functions: no allowance can forbid this.
        self.field.budget = Budget::new(&self.options.limits).at_most(ARGUMENT_WORK);
        let mut calls = arena.reachable(roots);
        calls.retain(|&e| match arena.node(e) {
            Node::Call(f, _) => kind_of(*f).is_some(),
            node => matches!(node, Node::Power(..)),
        });
        // Roots matter only where they stand in an argument.
        let order = arena.reachable(&calls);
        let prepared = self.prepare(arena, &order);
        self.end(arena);
        prepared?;
        let mut forms = FxHashMap::default();
        for e in calls {
            let form = match *arena.node(e) {
                Node::Call(f, x) => {
                    let u = self.value(x)?;
                    let v = self.vector(arena, &u);
                    self.argument_form(arena, kind_of(f), v)
                }
                Node::Power(a, b) => {
                    let v = self.exponent_of_power(arena, a, b)?;
                    self.argument_form(arena, Some(Kind::Exponential), v)
                }
                _ => continue,
            };
            forms.insert(e, form);
        }
        Ok(forms)
    }
}

fn kind_of(f: Function) -> Option<Kind> {
    use Function::*;
    match f {
        Sin | Cos | Tan | Cot | Sec | Csc => Some(Kind::Circular),
        Sinh | Cosh | Tanh | Exp => Some(Kind::Exponential),
        _ => None,
    }
}

/// Functions that depend on what the whole batch says: independent arguments, or facts about signs.
fn has_arguments(f: Function) -> bool {
    kind_of(f).is_some()
        || matches!(f, Function::Log | Function::Abs | Function::Sign | Function::Asin | Function::Acos)
}

/// How many of the calls stand above each other, down from each expression.
fn nesting(arena: &Arena, order: &[Expr], calls: &[Expr]) -> FxHashMap<Expr, usize> {
    let mut depth: FxHashMap<Expr, usize> = FxHashMap::default();
    for &e in order {
        let mut d = 0;
        arena.node(e).for_each_child(|c| d = d.max(depth.get(&c).copied().unwrap_or(0)));
        if calls.binary_search(&e).is_ok() {
            d += 1;
        }
        depth.insert(e, d);
    }
    depth
}
