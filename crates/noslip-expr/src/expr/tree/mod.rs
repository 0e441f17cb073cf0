//! What is printed: a tree in which every sign, bracket and fraction bar stands where a person will see it.
//!
//! The DAG is for computing and the normal form for proofs; both are turned into a [`Tree`] to be read. All
//! printers and the measure [`Tree::operations`] work on trees. A tree may be a million levels deep, so nothing
//! here recurses: not even cloning, comparing and dropping.

mod arrange;
mod convert;
mod order;

use super::arena::{Arena, Expr, Function, TableId};
use super::number::Rational;
use super::symbol::Symbol;
use super::unspecified::UnspecifiedId;
use crate::arrange::Arrange;
use std::fmt;
use std::mem;

pub(crate) use order::Order;
use order::bit;

/// A presentation of an expression.
pub enum Tree {
    /// A non-negative rational number.
    Number(Rational),
    /// A positive number as a decimal.
    Decimal(Rational),
    /// A symbol.
    Symbol(Symbol),
    /// Minus something that is not itself a term of a sum.
    Negative(Box<Tree>),
    /// Terms in the order in which they are printed, each with the sign in front of it (`true`: minus).
    Sum(Vec<(bool, Tree)>),
    /// Factors in the order in which they are printed.
    Product(Vec<Tree>),
    /// numerator / denominator.
    Quotient(Box<Tree>, Box<Tree>),
    /// base ^ exponent.
    Power(Box<Tree>, Box<Tree>),
    /// Square root.
    Sqrt(Box<Tree>),
    /// A function of one argument.
    Call(Function, Box<Tree>),
    /// atan2(y, x).
    Atan2(Box<Tree>, Box<Tree>),
    /// The given derivative of a table at an argument.
    Table(TableId, u8, Box<Tree>),
    /// An unspecified function; without arguments where they are the usual ones.
    Unspecified(UnspecifiedId, Vec<Tree>),
    /// Division by zero.
    Undefined,
}

impl Tree {
    /// The integer `n`.
    pub fn integer(n: i64) -> Tree {
        Tree::number(Rational::integer(n))
    }

    /// A number of either sign.
    pub fn number(n: Rational) -> Tree {
        if n.is_negative() { Tree::Number(-n).negated() } else { Tree::Number(n) }
    }

    /// A positive number other than one as a factor, as a decimal if such are read.
    pub(super) fn factor(arena: &Arena, n: Rational) -> Tree {
        if arena.decimals.take(&n) { Tree::Decimal(n) } else { Tree::Number(n) }
    }

    /// Minus this tree, without two signs in a row.
    pub fn negated(mut self) -> Tree {
        match &mut self {
            Tree::Negative(inner) => mem::replace(inner, Tree::Undefined),
            Tree::Number(n) if n.is_zero() => self,
            _ => Tree::Negative(Box::new(self)),
        }
    }

    /// A sum; one term stands alone, no term is 0.
    pub fn sum(mut terms: Vec<(bool, Tree)>) -> Tree {
        match terms.len() {
            0 => Tree::integer(0),
            1 => {
                let (minus, term) = terms.swap_remove(0);
                if minus { term.negated() } else { term }
            }
            _ => Tree::Sum(terms),
        }
    }

    /// A product; one factor stands alone, none is 1.
    pub fn product(mut factors: Vec<Tree>) -> Tree {
        match factors.len() {
            0 => Tree::integer(1),
            1 => factors.swap_remove(0),
            _ => Tree::Product(factors),
        }
    }

    /// numerator / denominator, the numerator alone over 1.
    pub fn quotient(numerator: Tree, denominator: Tree) -> Tree {
        match &denominator {
            Tree::Number(n) if n.is_one() => numerator,
            _ => Tree::Quotient(Box::new(numerator), Box::new(denominator)),
        }
    }

    /// baseᵉˣᵖᵒⁿᵉⁿᵗ for a positive number: a root for 1/2, the base alone for 1.
    pub fn power(base: Tree, exponent: &Rational) -> Tree {
        match exponent.small() {
            Some((1, 1)) => base,
            Some((1, 2)) => Tree::Sqrt(Box::new(base)),
            _ => Tree::Power(Box::new(base), Box::new(Tree::number(exponent.clone()))),
        }
    }

    /// A function of one argument.
    pub fn call(f: Function, argument: Tree) -> Tree {
        Tree::Call(f, Box::new(argument))
    }

    /// Its children, first to last.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = &Tree> {
        let (mut terms, mut factors, mut first, mut second) = ([].iter(), [].iter(), None, None);
        match self {
            Tree::Number(_) | Tree::Decimal(_) | Tree::Symbol(_) | Tree::Undefined => {}
            Tree::Sum(list) => terms = list.iter(),
            Tree::Product(list) | Tree::Unspecified(_, list) => factors = list.iter(),
            Tree::Quotient(a, b) | Tree::Power(a, b) | Tree::Atan2(a, b) => (first, second) = (Some(&**a), Some(&**b)),
            Tree::Negative(a) | Tree::Sqrt(a) | Tree::Call(_, a) | Tree::Table(_, _, a) => first = Some(&**a),
        }
        terms.map(|(_, t): &(bool, Tree)| t).chain(factors).chain(first).chain(second)
    }

    /// Visits every node, parents before children.
    fn for_each<'a>(&'a self, mut f: impl FnMut(&'a Tree)) {
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            f(tree);
            stack.extend(tree.children());
        }
    }

    /// Computes a value for every node from the values of its children, and returns the root's.
    fn fold<T>(&self, mut f: impl FnMut(&Tree, std::vec::Drain<'_, T>) -> T) -> T {
        enum Step<'a> {
            Enter(&'a Tree),
            Leave(&'a Tree, usize),
        }
        let mut values: Vec<T> = Vec::new();
        let mut stack = vec![Step::Enter(self)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Enter(tree) => {
                    stack.push(Step::Leave(tree, tree.children().count()));
                    stack.extend(tree.children().rev().map(Step::Enter));
                }
                Step::Leave(tree, count) => {
                    let start = values.len() - count;
                    let value = f(tree, values.drain(start..));
                    values.push(value);
                }
            }
        }
        values.pop().expect("a fold leaves the root's value")
    }

    /// The measure of length: each binary + − · ÷ ^, each unary minus that is not the sign of a sum's term, and
    /// each function call counts 1. A symbol with its primes is one symbol; a fraction of numbers is a division.
    pub fn operations(&self) -> usize {
        let mut count = 0;
        self.for_each(|tree| {
            count += match tree {
                Tree::Number(n) => usize::from(!n.is_integer()),
                Tree::Symbol(_) | Tree::Decimal(_) => 0,
                Tree::Unspecified(_, list) if list.is_empty() => 0,
                Tree::Sum(terms) => terms.len().saturating_sub(1),
                Tree::Product(factors) => factors.len().saturating_sub(1),
                _ => 1,
            }
        });
        count
    }

    /// The symbols that occur, each once, in order of their declaration.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut list = Vec::new();
        self.for_each(|tree| {
            if let Tree::Symbol(s) = tree {
                list.push(*s);
            }
        });
        list.arrange();
        list.dedup();
        list
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        let mut count = 0;
        self.for_each(|_| count += 1);
        count
    }

    /// The expression this tree presents.
    pub fn to_expr(&self, arena: &mut Arena) -> Expr {
        self.fold(|tree, mut c| {
            let mut next = || c.next().unwrap_or(Arena::UNDEFINED);
            match tree {
                Tree::Number(n) | Tree::Decimal(n) => arena.number(n.clone()),
                Tree::Symbol(s) => arena.symbol(*s),
                Tree::Negative(_) => {
                    let e = next();
                    arena.neg(e)
                }
                Tree::Sum(terms) => {
                    let signed = terms
                        .iter()
                        .zip(c)
                        .map(|((minus, _), e)| (e, if *minus { Rational::MINUS_ONE } else { Rational::ONE }));
                    arena.linear(Rational::ZERO, signed)
                }
                Tree::Product(_) => arena.product(c),
                Tree::Quotient(..) => {
                    let (a, b) = (next(), next());
                    arena.div(a, b)
                }
                Tree::Power(..) => {
                    let (a, b) = (next(), next());
                    arena.pow(a, b)
                }
                Tree::Sqrt(_) => {
                    let e = next();
                    arena.sqrt(e)
                }
                Tree::Call(f, _) => {
                    let e = next();
                    arena.call(*f, e)
                }
                Tree::Atan2(..) => {
                    let (a, b) = (next(), next());
                    arena.atan2(a, b)
                }
                Tree::Table(table, derivative, _) => {
                    let e = next();
                    arena.table(*table, *derivative, e)
                }
                Tree::Unspecified(f, list) if list.is_empty() => {
                    let list = arena.usual_arguments(*f).unwrap_or_default().to_vec();
                    arena.unspecified(*f, &list)
                }
                Tree::Unspecified(f, _) => arena.unspecified(*f, &c.collect::<Vec<_>>()),
                Tree::Undefined => Arena::UNDEFINED,
            }
        })
    }

    /// Moves the children onto `stack`, leaving this node a leaf.
    fn detach(&mut self, stack: &mut Vec<Tree>) {
        let mut keep = |tree: &mut Tree| {
            if !tree.is_leaf() {
                stack.push(mem::replace(tree, Tree::Undefined));
            }
        };
        match self {
            Tree::Number(_) | Tree::Decimal(_) | Tree::Symbol(_) | Tree::Undefined => {}
            Tree::Sum(terms) => terms.iter_mut().for_each(|(_, t)| keep(t)),
            Tree::Product(list) | Tree::Unspecified(_, list) => list.iter_mut().for_each(keep),
            Tree::Quotient(a, b) | Tree::Power(a, b) | Tree::Atan2(a, b) => {
                keep(a);
                keep(b);
            }
            Tree::Negative(a) | Tree::Sqrt(a) | Tree::Call(_, a) | Tree::Table(_, _, a) => keep(a),
        }
    }

    fn is_leaf(&self) -> bool {
        match self {
            Tree::Number(_) | Tree::Decimal(_) | Tree::Symbol(_) | Tree::Undefined => true,
            Tree::Unspecified(_, list) => list.is_empty(),
            _ => false,
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // The compiler's own drop would recurse once per level.
        if self.children().all(Tree::is_leaf) {
            return;
        }
        let mut stack = Vec::new();
        self.detach(&mut stack);
        while let Some(mut tree) = stack.pop() {
            tree.detach(&mut stack);
        }
    }
}

impl Clone for Tree {
    fn clone(&self) -> Tree {
        self.fold(|tree, mut c| {
            let mut next = || Box::new(c.next().unwrap_or(Tree::Undefined));
            match tree {
                Tree::Number(n) => Tree::Number(n.clone()),
                Tree::Decimal(n) => Tree::Decimal(n.clone()),
                Tree::Symbol(s) => Tree::Symbol(*s),
                Tree::Negative(_) => Tree::Negative(next()),
                Tree::Sum(terms) => Tree::Sum(terms.iter().zip(c).map(|((minus, _), t)| (*minus, t)).collect()),
                Tree::Product(_) => Tree::Product(c.collect()),
                Tree::Quotient(..) => Tree::Quotient(next(), next()),
                Tree::Power(..) => Tree::Power(next(), next()),
                Tree::Sqrt(_) => Tree::Sqrt(next()),
                Tree::Call(f, _) => Tree::Call(*f, next()),
                Tree::Atan2(..) => Tree::Atan2(next(), next()),
                Tree::Table(table, derivative, _) => Tree::Table(*table, *derivative, next()),
                Tree::Unspecified(f, _) => Tree::Unspecified(*f, c.collect()),
                Tree::Undefined => Tree::Undefined,
            }
        })
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mut stack = vec![(self, other)];
        while let Some((a, b)) = stack.pop() {
            let alike = match (a, b) {
                (Tree::Number(x), Tree::Number(y)) | (Tree::Decimal(x), Tree::Decimal(y)) => x == y,
                (Tree::Symbol(x), Tree::Symbol(y)) => x == y,
                (Tree::Sum(x), Tree::Sum(y)) => {
                    x.len() == y.len() && x.iter().zip(y).all(|((minus, _), (other, _))| minus == other)
                }
                (Tree::Product(x), Tree::Product(y)) => x.len() == y.len(),
                (Tree::Call(f, _), Tree::Call(g, _)) => f == g,
                (Tree::Table(i, m, _), Tree::Table(j, n, _)) => i == j && m == n,
                (Tree::Unspecified(f, x), Tree::Unspecified(g, y)) => f == g && x.len() == y.len(),
                _ => mem::discriminant(a) == mem::discriminant(b),
            };
            if !alike {
                return false;
            }
            stack.extend(a.children().zip(b.children()));
        }
        true
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    /// In prefix form, as `(Sum +s3 -n2)`; symbols by number, because their names are with the arena.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step<'a> {
            Tree(&'a Tree),
            Text(&'static str),
        }
        let mut stack = vec![Step::Tree(self)];
        while let Some(step) = stack.pop() {
            let tree = match step {
                Step::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Step::Tree(tree) => tree,
            };
            match tree {
                Tree::Number(n) | Tree::Decimal(n) => write!(f, "{n}")?,
                Tree::Symbol(s) => write!(f, "s{}", s.0)?,
                Tree::Undefined => f.write_str("undefined")?,
                Tree::Negative(_) => f.write_str("(Negative")?,
                Tree::Sum(_) => f.write_str("(Sum")?,
                Tree::Product(_) => f.write_str("(Product")?,
                Tree::Quotient(..) => f.write_str("(Quotient")?,
                Tree::Power(..) => f.write_str("(Power")?,
                Tree::Sqrt(_) => f.write_str("(Sqrt")?,
                Tree::Call(function, _) => write!(f, "({function:?}")?,
                Tree::Atan2(..) => f.write_str("(Atan2")?,
                Tree::Table(table, derivative, _) => write!(f, "(Table{}'{derivative}", table.0)?,
                Tree::Unspecified(id, list) => {
                    write!(f, "{}Unspecified{}", if list.is_empty() { "" } else { "(" }, id.0)?
                }
            }
            if tree.is_leaf() {
                continue;
            }
            stack.push(Step::Text(")"));
            let signs: Vec<&'static str> = match tree {
                Tree::Sum(terms) => terms.iter().map(|(minus, _)| if *minus { " -" } else { " +" }).collect(),
                _ => Vec::new(),
            };
            for (i, child) in tree.children().enumerate().collect::<Vec<_>>().into_iter().rev() {
                stack.push(Step::Tree(child));
                stack.push(Step::Text(signs.get(i).copied().unwrap_or(" ")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
