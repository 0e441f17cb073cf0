//! One-line printing: the model's syntax, and the same with other signs for terminals.

use crate::expr::arena::{Arena, Function};
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use crate::expr::tree::Tree;
use crate::expr::unspecified::UnspecifiedId;
use std::borrow::Cow;

/// What differs between one-line styles.
pub(super) trait Dialect {
    const MINUS: &'static str;
    const TIMES: &'static str;
    const ROOT: &'static str;
    /// Must the text parse back to the very same expression?
    const EXACT: bool;
    /// May a root of one symbol or number do without brackets?
    const BARE_ROOT: bool;
    /// Is fⁿ(x) written for f(x)ⁿ?
    const POWER_BEHIND_NAME: bool;
    fn symbol(&self, s: Symbol) -> String;
    fn table(&self, tree: &Tree) -> String;
    /// The name of an unspecified function; with the name of its argument where that stands for itself.
    fn unspecified(&self, f: UnspecifiedId, usual: bool) -> String;
    fn function(&self, f: Function) -> &'static str;
    /// What is written behind a base for an integer exponent, if it is not `^n`.
    fn superscript(&self, _exponent: &Rational) -> Option<String> {
        None
    }
}

/// The model's syntax.
pub(super) struct Plain<'a>(pub &'a Arena);

impl Dialect for Plain<'_> {
    const MINUS: &'static str = "-";
    const TIMES: &'static str = "*";
    const ROOT: &'static str = "sqrt";
    const EXACT: bool = true;
    const BARE_ROOT: bool = false;
    const POWER_BEHIND_NAME: bool = false;
    fn symbol(&self, s: Symbol) -> String {
        self.0.name(s).to_owned()
    }
    fn table(&self, tree: &Tree) -> String {
        match tree {
            Tree::Table(table, derivative, _) => {
                format!("{}{}", self.0.table_name(*table), "'".repeat((*derivative).into()))
            }
            _ => String::new(),
        }
    }
    fn unspecified(&self, f: UnspecifiedId, usual: bool) -> String {
        let f = self.0.unspecified_function(f);
        match &f.arguments[..] {
            [argument] if usual => format!("{}({argument})", f.written()),
            _ => f.written(),
        }
    }
    fn function(&self, f: Function) -> &'static str {
        f.name()
    }
}

/// How tightly a tree holds together on one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Negative,
    Product,
    Power,
    Atom,
}

fn level(tree: &Tree) -> Level {
    match tree {
        Tree::Sum(_) => Level::Sum,
        Tree::Negative(_) => Level::Negative,
        Tree::Product(_) | Tree::Quotient(..) | Tree::Undefined => Level::Product,
        Tree::Number(n) if !n.is_integer() => Level::Product,
        Tree::Power(..) | Tree::Sqrt(_) => Level::Power,
        _ => Level::Atom,
    }
}

/// A piece of output that is still to be written.
enum Piece<'a> {
    /// A tree, in brackets if it holds together less tightly than the level.
    Tree(&'a Tree, Level),
    /// A tree in brackets, whatever it is.
    Bracketed(&'a Tree),
    Text(Cow<'static, str>),
}

impl From<&'static str> for Piece<'_> {
    fn from(text: &'static str) -> Self {
        Piece::Text(text.into())
    }
}

/// Does the text of this tree begin with the bracket of a sum that is multiplied? A minus in front of it would be
/// read as part of the sum: -(a - b)*c is (b - a)*c.
fn begins_with_sum(tree: &Tree) -> bool {
    let mut at = tree;
    loop {
        at = match at {
            Tree::Product(factors) if !factors.is_empty() => &factors[0],
            Tree::Quotient(numerator, _) => numerator,
            Tree::Sum(_) => return true,
            _ => return false,
        };
    }
}

/// A tree behind a sign that is not between two terms.
fn signed<D: Dialect>(tree: &Tree) -> Piece<'_> {
    if D::EXACT && begins_with_sum(tree) { Piece::Bracketed(tree) } else { Piece::Tree(tree, Level::Product) }
}

pub(super) fn print<D: Dialect>(dialect: &D, tree: &Tree) -> String {
    let mut out = String::new();
    let mut stack = vec![Piece::Tree(tree, Level::Sum)];
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Bracketed(tree) => {
                out.push('(');
                stack.push(")".into());
                stack.push(Piece::Tree(tree, Level::Sum));
            }
            Piece::Tree(tree, least) if level(tree) < least => stack.push(Piece::Bracketed(tree)),
            Piece::Tree(tree, _) => {
                write(dialect, tree, &mut pieces);
                stack.extend(pieces.drain(..).rev());
            }
        }
    }
    out
}

fn write<'a, D: Dialect>(dialect: &D, tree: &'a Tree, out: &mut Vec<Piece<'a>>) {
    let call = |name: Cow<'static, str>, arguments: &[&'a Tree], out: &mut Vec<Piece<'a>>| {
        out.push(Piece::Text(name));
        out.push("(".into());
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push(", ".into());
            }
            out.push(Piece::Tree(argument, Level::Sum));
        }
        out.push(")".into());
    };
    match tree {
        Tree::Number(n) => out.push(Piece::Text(n.to_string().into())),
        Tree::Decimal(n) => out.push(Piece::Text(n.as_decimal().unwrap_or_else(|| n.to_string()).into())),
        Tree::Symbol(s) => out.push(Piece::Text(dialect.symbol(*s).into())),
        Tree::Undefined => out.push("1/0".into()),
        Tree::Negative(a) => out.extend([D::MINUS.into(), signed::<D>(a)]),
        Tree::Sum(terms) => {
            for (i, (minus, term)) in terms.iter().enumerate() {
                let sign: &[&'static str] = match (i, minus) {
                    (0, false) => &[],
                    (0, true) => &[D::MINUS],
                    (_, false) => &[" + "],
                    (_, true) => &[" ", D::MINUS, " "],
                };
                out.extend(sign.iter().map(|&s| s.into()));
                out.push(if i == 0 && *minus { signed::<D>(term) } else { Piece::Tree(term, Level::Product) });
            }
        }
        Tree::Product(factors) => product(factors, D::TIMES, out),
        Tree::Quotient(a, b) => quotient::<D>(a, b, out),
        Tree::Power(a, b) => {
            let integer = match &**b {
                Tree::Number(n) if n.is_integer() => dialect.superscript(n),
                _ => None,
            };
            match (integer, &**a) {
                (Some(exponent), Tree::Call(f, x)) if D::POWER_BEHIND_NAME => {
                    call((dialect.function(*f).to_owned() + &exponent).into(), &[x], out);
                }
                (Some(exponent), _) => {
                    out.extend([Piece::Tree(a, Level::Atom), Piece::Text(exponent.into())]);
                }
                (None, _) => out.extend([Piece::Tree(a, Level::Atom), "^".into(), Piece::Tree(b, Level::Atom)]),
            }
        }
        Tree::Sqrt(a) if D::BARE_ROOT && matches!(&**a, Tree::Symbol(_) | Tree::Number(_)) => {
            out.extend([D::ROOT.into(), Piece::Tree(a, Level::Atom)]);
        }
        Tree::Sqrt(a) => call(D::ROOT.into(), &[a], out),
        Tree::Call(f, a) => call(dialect.function(*f).into(), &[a], out),
        Tree::Atan2(a, b) => call("atan2".into(), &[a, b], out),
        Tree::Table(_, _, a) => call(dialect.table(tree).into(), &[a], out),
        Tree::Unspecified(f, list) if list.is_empty() => out.push(Piece::Text(dialect.unspecified(*f, true).into())),
        Tree::Unspecified(f, list) => {
            call(dialect.unspecified(*f, false).into(), &list.iter().collect::<Vec<_>>(), out);
        }
    }
}

fn product<'a>(factors: &'a [Tree], times: &'static str, out: &mut Vec<Piece<'a>>) {
    for (i, factor) in factors.iter().enumerate() {
        if i > 0 {
            out.push(times.into());
        }
        // a/b*c is (a/b)*c, but c*a/b is not c*(a/b).
        out.push(Piece::Tree(factor, if i == 0 { Level::Product } else { Level::Power }));
    }
}

/// a/b. A number in front of one sum goes to the end: 1/(2*(a + b)) would be read as 1/(2*a + 2*b).
fn quotient<'a, D: Dialect>(a: &'a Tree, b: &'a Tree, out: &mut Vec<Piece<'a>>) {
    out.extend([Piece::Tree(a, Level::Product), "/".into()]);
    match b {
        Tree::Product(factors)
            if D::EXACT && matches!(&factors[..], [Tree::Number(_) | Tree::Decimal(_), Tree::Sum(_)]) =>
        {
            out.extend([Piece::Tree(&factors[1], Level::Power), "/".into(), Piece::Tree(&factors[0], Level::Power)]);
        }
        _ => out.push(Piece::Tree(b, Level::Power)),
    }
}
