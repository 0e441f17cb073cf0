//! Two-dimensional layout, common to LaTeX and MathML: where brackets, bars and raised exponents go.

use crate::expr::arena::{Function, TableId};
use crate::expr::symbol::Symbol;
use crate::expr::tree::Tree;
use crate::expr::unspecified::UnspecifiedId;

/// What a two-dimensional style has to be able to write, in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A non-negative integer or decimal.
    Integer(String),
    Symbol(Symbol),
    Plus,
    /// Between two terms.
    Minus,
    /// In front of the first term or factor.
    Sign,
    /// Between factors that may stand side by side.
    Side,
    /// Between factors that must not.
    Times,
    Comma,
    /// Begins something that must be one element.
    Group,
    EndGroup,
    Open,
    Close,
    Bar,
    EndBar,
    Fraction,
    Over,
    EndFraction,
    /// base, Raise, exponent, EndPower.
    Power,
    Raise,
    EndPower,
    Root,
    EndRoot,
    /// A function's name, raised to a power, in front of its argument.
    Function(Function, Option<String>),
    Atan2,
    Table(TableId, u8),
    /// The name of an unspecified function, with what it was differentiated by.
    Unspecified(UnspecifiedId),
    /// The name of its only argument, in brackets; nothing where it has several.
    UsualArguments(UnspecifiedId),
    Undefined,
}

enum Piece<'a> {
    Tree(&'a Tree),
    Token(Token),
}

/// Calls `emit` with the tokens of a tree, in order. `is_word` tells which symbols are words, not letters.
pub(super) fn layout(tree: &Tree, is_word: impl Fn(Symbol) -> bool, mut emit: impl FnMut(Token)) {
    let mut stack = vec![Piece::Tree(tree)];
    let mut pieces = Vec::new();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Token(token) => emit(token),
            Piece::Tree(tree) => {
                write(tree, &is_word, &mut pieces);
                stack.extend(pieces.drain(..).rev());
            }
        }
    }
}

fn write<'a>(tree: &'a Tree, is_word: &impl Fn(Symbol) -> bool, out: &mut Vec<Piece<'a>>) {
    let mut put = |token: Token| out.push(Piece::Token(token));
    match tree {
        Tree::Decimal(n) => put(Token::Integer(n.as_decimal().unwrap_or_else(|| n.to_string()))),
        Tree::Number(n) if n.is_integer() => put(Token::Integer(n.to_string())),
        Tree::Number(n) => {
            let (n, d) = (n.numerator().to_string(), n.denominator().to_string());
            for token in [Token::Fraction, Token::Integer(n), Token::Over, Token::Integer(d), Token::EndFraction] {
                put(token);
            }
        }
        Tree::Symbol(s) => put(Token::Symbol(*s)),
        Tree::Undefined => put(Token::Undefined),
        Tree::Negative(a) => {
            put(Token::Sign);
            bracketed_if(is_sum(a), a, out);
        }
        Tree::Sum(terms) => {
            for (i, (minus, term)) in terms.iter().enumerate() {
                match (i, minus) {
                    (0, false) => {}
                    (0, true) => out.push(Piece::Token(Token::Sign)),
                    (_, false) => out.push(Piece::Token(Token::Plus)),
                    (_, true) => out.push(Piece::Token(Token::Minus)),
                }
                bracketed_if(is_sum(term), term, out);
            }
        }
        Tree::Product(factors) => {
            // ẋ sin φ: behind a function without brackets nothing is left that could be taken for its argument.
            let (functions, others): (Vec<&Tree>, Vec<&Tree>) = factors.iter().partition(|f| is_bare_function(f));
            let mut before: Option<&Tree> = None;
            for factor in others.into_iter().chain(functions) {
                if let Some(before) = before {
                    // Digits behind digits would be read as one number, a bracket behind a word as the argument of a function.
                    let called = begins_with_bracket(factor) && matches!(before, Tree::Symbol(s) if is_word(*s));
                    let token = if called || begins_with_digit(factor) { Token::Times } else { Token::Side };
                    out.push(Piece::Token(token));
                }
                bracketed_if(is_sum(factor), factor, out);
                before = Some(factor);
            }
        }
        Tree::Quotient(a, b) => {
            put(Token::Fraction);
            grouped(a, out);
            out.push(Piece::Token(Token::Over));
            grouped(b, out);
            out.push(Piece::Token(Token::EndFraction));
        }
        Tree::Power(a, b) => power(a, b, out),
        Tree::Sqrt(a) => {
            put(Token::Root);
            out.push(Piece::Tree(a));
            out.push(Piece::Token(Token::EndRoot));
        }
        Tree::Call(Function::Abs, a) => {
            put(Token::Bar);
            out.push(Piece::Tree(a));
            out.push(Piece::Token(Token::EndBar));
        }
        Tree::Call(f, a) => {
            put(Token::Group);
            put(Token::Function(*f, None));
            bracketed_if(!stands_bare(a), a, out);
            out.push(Piece::Token(Token::EndGroup));
        }
        Tree::Atan2(a, b) => {
            for token in [Token::Group, Token::Atan2, Token::Open] {
                put(token);
            }
            out.extend([Piece::Tree(a), Piece::Token(Token::Comma), Piece::Tree(b)]);
            out.extend([Piece::Token(Token::Close), Piece::Token(Token::EndGroup)]);
        }
        Tree::Table(table, derivative, a) => {
            put(Token::Group);
            put(Token::Table(*table, *derivative));
            bracketed_if(true, a, out);
            out.push(Piece::Token(Token::EndGroup));
        }
        Tree::Unspecified(f, list) => {
            for token in [Token::Group, Token::Unspecified(*f)] {
                put(token);
            }
            match &list[..] {
                [] => put(Token::UsualArguments(*f)),
                list => {
                    for (i, a) in list.iter().enumerate() {
                        let before = if i == 0 { Token::Open } else { Token::Comma };
                        out.extend([Piece::Token(before), Piece::Tree(a)]);
                    }
                    out.push(Piece::Token(Token::Close));
                }
            }
            out.push(Piece::Token(Token::EndGroup));
        }
    }
}

/// sin² φ for functions that are written so, else (…)ᵇ.
fn power<'a>(a: &'a Tree, b: &'a Tree, out: &mut Vec<Piece<'a>>) {
    if let (Tree::Call(f, x), Tree::Number(n)) = (a, b)
        && takes_power(*f)
        && n.is_integer()
    {
        out.extend([Piece::Token(Token::Group), Piece::Token(Token::Function(*f, Some(n.to_string())))]);
        bracketed_if(!stands_bare(x), x, out);
        out.push(Piece::Token(Token::EndGroup));
        return;
    }
    let bare = match a {
        Tree::Number(n) => n.is_integer(),
        Tree::Symbol(_) | Tree::Call(Function::Abs, _) => true,
        Tree::Unspecified(_, list) => list.is_empty(),
        _ => false,
    };
    out.push(Piece::Token(Token::Power));
    bracketed_if(!bare, a, out);
    out.push(Piece::Token(Token::Raise));
    grouped(b, out);
    out.push(Piece::Token(Token::EndPower));
}

fn is_sum(tree: &Tree) -> bool {
    matches!(tree, Tree::Sum(_) | Tree::Negative(_))
}

fn bracketed_if<'a>(brackets: bool, tree: &'a Tree, out: &mut Vec<Piece<'a>>) {
    if brackets {
        out.extend([Piece::Token(Token::Open), Piece::Tree(tree), Piece::Token(Token::Close)]);
    } else {
        out.push(Piece::Tree(tree));
    }
}

/// One element, whatever the tree is.
fn grouped<'a>(tree: &'a Tree, out: &mut Vec<Piece<'a>>) {
    if matches!(tree, Tree::Sum(_) | Tree::Negative(_) | Tree::Product(_)) {
        out.extend([Piece::Token(Token::Group), Piece::Tree(tree), Piece::Token(Token::EndGroup)]);
    } else {
        out.push(Piece::Tree(tree));
    }
}

/// sin²x, but (eˣ)².
fn takes_power(f: Function) -> bool {
    !matches!(f, Function::Exp | Function::Abs | Function::Sign)
}

/// sin θ, sin² θ.
fn is_bare_function(tree: &Tree) -> bool {
    match tree {
        Tree::Call(Function::Abs, _) => false,
        Tree::Call(_, x) => stands_bare(x),
        Tree::Power(base, n) => match (&**base, &**n) {
            (Tree::Call(f, x), Tree::Number(n)) => takes_power(*f) && n.is_integer() && stands_bare(x),
            _ => false,
        },
        _ => false,
    }
}

/// sin θ and sin 2θ need no brackets.
fn stands_bare(argument: &Tree) -> bool {
    match argument {
        Tree::Symbol(_) => true,
        Tree::Product(factors) => {
            matches!(&factors[..], [Tree::Number(n), Tree::Symbol(_)] if n.is_integer())
        }
        _ => false,
    }
}

fn begins_with_bracket(tree: &Tree) -> bool {
    match tree {
        Tree::Power(base, _) => is_sum(base),
        _ => is_sum(tree),
    }
}

fn begins_with_digit(tree: &Tree) -> bool {
    let mut at = tree;
    loop {
        at = match at {
            Tree::Number(_) | Tree::Decimal(_) => return true,
            Tree::Product(factors) if !factors.is_empty() => &factors[0],
            Tree::Power(base, _) => base,
            // 2 followed by a fraction of numbers reads as a mixed number.
            Tree::Quotient(numerator, _) => numerator,
            _ => return false,
        };
    }
}
