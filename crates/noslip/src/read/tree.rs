//! A formula as its author wrote it: every piece with its place, names already those of the model.
//!
//! It is written out in the model's own syntax, which the one parser of the library reads; a table of places leads what that
//! parser complains about back to the author's text.

use crate::error::Span;
use std::fmt::Write;

/// A piece of a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What it is.
    pub what: What,
    /// Where it stands in the author's text.
    pub span: Span,
}

/// What a piece is.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A decimal number without sign.
    Number(String),
    /// A name, of a model's quantity.
    Name {
        /// In the model.
        name: String,
        /// Time derivatives.
        primes: u8,
        /// As its author writes it, without the marks of derivatives.
        shown: Shown,
    },
    /// Terms with their signs; `true` is minus.
    Sum(Vec<(bool, Piece)>),
    /// Factors, and how each is joined to those before it.
    Product(Vec<(Join, Piece)>),
    /// A base with its exponent.
    Power(Box<Piece>, Box<Piece>),
    /// A fraction with a bar.
    Fraction(Box<Piece>, Box<Piece>),
    /// A root of that degree.
    Root(u32, Box<Piece>),
    /// A function of the model's syntax.
    Call(Call),
    /// Something in brackets of that kind: `(`, `[`, `{` or `|`.
    Bracket(char, Box<Piece>),
    /// A time derivative of that order of more than a name: the name of the definition that stands for it, once it has one.
    Rate(u8, Box<Piece>, Option<String>),
}

/// How a factor is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By standing beside it.
    Side,
    /// With a sign of multiplication.
    Times,
    /// It divides.
    Over,
}

/// A function with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name in the model's syntax.
    pub function: String,
    /// Derivatives of a table.
    pub primes: u8,
    /// The exponent that stands at the function's name: sin² x.
    pub power: Option<String>,
    /// One, or two for `atan2`.
    pub arguments: Vec<Piece>,
}

/// How an author writes a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shown {
    /// In the language it was read from, without the marks of derivatives.
    pub source: String,
    /// The letter, or the name of a Greek one, and what stands below it.
    pub parts: Vec<String>,
}

impl Piece {
    pub(super) fn new(what: What, span: Span) -> Piece {
        Piece { what, span }
    }

    /// Is this one word of the model's syntax, or closed by brackets?
    fn stands_alone(&self) -> bool {
        match &self.what {
            What::Number(_) | What::Name { .. } | What::Bracket(..) | What::Rate(..) => true,
            What::Root(degree, _) => *degree == 2,
            What::Call(call) => call.power.is_none(),
            _ => false,
        }
    }

    /// Every piece within, this one last.
    pub(super) fn for_each(&mut self, f: &mut impl FnMut(&mut Piece)) {
        match &mut self.what {
            What::Number(_) | What::Name { .. } => {}
            What::Sum(terms) => terms.iter_mut().for_each(|(_, p)| p.for_each(f)),
            What::Product(factors) => factors.iter_mut().for_each(|(_, p)| p.for_each(f)),
            What::Power(a, b) | What::Fraction(a, b) => {
                a.for_each(f);
                b.for_each(f);
            }
            What::Call(call) => call.arguments.iter_mut().for_each(|p| p.for_each(f)),
            What::Root(_, a) | What::Bracket(_, a) | What::Rate(_, a, _) => a.for_each(f),
        }
        f(self);
    }
}

/// A formula in the model's syntax, and where each part of it came from.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Ranges of the text, inner ones before those that contain them, with their origin.
    places: Vec<(Span, Span)>,
}

impl Written {
    /// The place in the author's text of a range of this one.
    pub fn origin(&self, span: &Span) -> Option<Span> {
        let covers = |own: &Span| own.start <= span.start && span.end <= own.end;
        self.places.iter().find(|(own, _)| covers(own)).map(|(_, origin)| origin.clone())
    }

    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes a piece.
    pub(super) fn piece(&mut self, piece: &Piece) {
        let start = self.text.len();
        match &piece.what {
            What::Number(digits) => self.text(digits),
            What::Name { name, primes, .. } => self.primed(name, *primes),
            What::Sum(terms) => {
                for (i, (minus, term)) in terms.iter().enumerate() {
                    self.text(match (i, minus) {
                        (0, false) => "",
                        (0, true) => "-",
                        (_, false) => " + ",
                        (_, true) => " - ",
                    });
                    self.guarded(term, matches!(term.what, What::Sum(_)));
                }
            }
            What::Product(factors) => {
                for (i, (join, factor)) in factors.iter().enumerate() {
                    self.text(match (i, join) {
                        (0, _) => "",
                        (_, Join::Over) => "/",
                        _ => "*",
                    });
                    // a/(b/c) is not a/b/c, and a fraction that is multiplied needs no brackets.
                    let plain = factor.stands_alone()
                        || matches!(factor.what, What::Power(..) | What::Call(_) | What::Root(..))
                        || (matches!(factor.what, What::Fraction(..)) && *join != Join::Over);
                    self.guarded(factor, !plain);
                }
            }
            What::Power(base, exponent) => {
                self.guarded(base, !base.stands_alone());
                self.text("^");
                self.guarded(exponent, !exponent.stands_alone());
            }
            What::Fraction(a, b) => {
                let product = matches!(&a.what, What::Product(f) if f.iter().all(|(join, _)| *join != Join::Over));
                self.guarded(a, !(product || a.stands_alone() || matches!(a.what, What::Power(..))));
                self.text("/");
                self.guarded(b, !(b.stands_alone() || matches!(b.what, What::Power(..))));
            }
            What::Root(2, a) => self.called("sqrt", std::slice::from_ref(&**a)),
            What::Root(degree, a) => {
                self.guarded(a, !a.stands_alone());
                let _ = write!(self.text, "^(1/{degree})");
            }
            What::Call(call) => {
                let name = format!("{}{}", call.function, "'".repeat(call.primes.into()));
                self.called(&name, &call.arguments);
                if let Some(power) = &call.power {
                    let _ = write!(self.text, "^{power}");
                }
            }
            What::Bracket('|', a) => self.called("abs", std::slice::from_ref(&**a)),
            What::Bracket(_, a) => self.guarded(a, true),
            What::Rate(order, _, Some(name)) => self.primed(name, *order),
            What::Rate(_, a, None) => self.guarded(a, true),
        }
        self.places.push((start..self.text.len(), piece.span.clone()));
    }

    fn primed(&mut self, name: &str, primes: u8) {
        self.text(name);
        (0..primes).for_each(|_| self.text("'"));
    }

    fn guarded(&mut self, piece: &Piece, brackets: bool) {
        // Brackets of the author's own are not doubled.
        let brackets = brackets && !matches!(piece.what, What::Bracket(..));
        self.text(if brackets { "(" } else { "" });
        self.piece(piece);
        self.text(if brackets { ")" } else { "" });
    }

    fn called(&mut self, function: &str, arguments: &[Piece]) {
        self.text(function);
        self.text("(");
        for (i, argument) in arguments.iter().enumerate() {
            self.text(if i > 0 { ", " } else { "" });
            // Brackets around the whole argument are those of the call.
            match &argument.what {
                What::Bracket('(' | '[' | '{', inner) => self.piece(inner),
                _ => self.piece(argument),
            }
        }
        self.text(")");
    }
}
