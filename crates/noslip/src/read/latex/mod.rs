//! LaTeX as books print it.
//!
//! - Factors that stand side by side are multiplied. A number stands before its factors, never behind them.
//! - The argument of a function without brackets is one letter, with a number before it if there is one: `\sin 2\theta`,
//!   `\sin 2\,\theta`. It ends at a space (`\,`), a sign, another function, or a letter with dots; where another letter, a bracket or a fraction
//!   follows at once, its end is not clear, and that is refused: `\sin\omega t` is written `\sin(\omega t)`.
//! - `a/b` divides by one factor; what stands behind that without a sign is refused.
//! - `\dot x`, `x'`, `\frac{dx}{dt}` and `\frac{d}{dt}(\ldots)` are time derivatives; `x(t)` is x.
//! - `\mathbf x` and its like, as `\vec x`, are other letters than x.
//! - `\log` and `\ln` are the natural logarithm, `e^{x}` is the exponential function unless the model has a name `e`.

mod lex;
mod names;
mod operands;
mod runs;
mod wrap;

use super::notation::Notation;
use super::tree::{Join, Piece, What};
use crate::error::{Error, Result, Span};
use lex::{Token, Word};
pub(super) use wrap::{DISPLAYS, Macros};

/// Brackets within brackets that are still read.
const DEPTH: usize = 100;

/// An equation: a left side, and a right side if there is one.
pub(super) type Sides = (Piece, Option<Piece>);

/// Reads the equations of a formula.
pub(super) fn equations(text: &str, notation: &mut Notation) -> Result<Vec<Sides>> {
    let mut list = Vec::new();
    for (_, sides) in lines_of(text, 0, notation)? {
        list.extend(sides?);
    }
    Ok(list)
}

/// The equations of a line of a display, or why it cannot be read, and where it stands.
pub(super) type Line = (Span, Result<Vec<Sides>>);

/// Reads the lines of a display one by one. `base` is added to all places.
pub(super) fn lines_of(text: &str, base: usize, notation: &mut Notation) -> Result<Vec<Line>> {
    let (inside, from) = wrap::undollared(text);
    let words = notation.macros.expanded(lex::words(inside, base + from)?);
    let mut words = runs::join(unaligned(wrap::unwrapped(words))?, notation)?;
    let ends = |w: &Word| matches!(w.0, Token::Gap | Token::Break | Token::Sign('.' | ',' | ';'));
    while words.last().is_some_and(ends) {
        words.pop();
    }
    if words.is_empty() {
        return Err(Error::input("an empty formula").at(base..base + text.len()));
    }
    let mut list = Vec::new();
    for words in lines(words)? {
        let span = words.first().map_or(base, |w| w.1.start)..words.last().map_or(base, |w| w.1.end);
        list.push((span, Parser { end: words.len(), words, at: 0, notation, bars: false, depth: 0 }.all()));
    }
    Ok(list)
}

/// The letter with its indices that a text is, if it is one.
pub(super) fn letter(text: &str) -> Option<Vec<String>> {
    let words = lex::words(text, 0).ok()?;
    let mut notation = Notation::default();
    let mut parser = Parser { end: words.len(), words, at: 0, notation: &mut notation, bars: false, depth: 0 };
    let parts = parser.whole_letter()?;
    (parser.at == parser.end).then_some(parts)
}

/// Marks of alignment and wide spaces, made into nothing or into a sign between equations. Beside a sign of equality or of a term, and
/// at the ends of a line, they say nothing; elsewhere they part two equations: `x &= a & y &= b`, `x = a \quad y = b`.
fn unaligned(words: Vec<Word>) -> Result<Vec<Word>> {
    let mut list: Vec<Word> = Vec::with_capacity(words.len());
    for line in words.split_inclusive(|w| w.0 == Token::Break) {
        let equals = |w: &Word| w.0 == Token::Sign('=');
        let (first, last) = (line.iter().position(equals), line.iter().rposition(equals));
        for (i, (token, span)) in line.iter().enumerate() {
            let visible = |w: &&Word| !matches!(w.0, Token::Gap | Token::Wide | Token::Align);
            let before = line[..i].iter().rfind(visible).map(|w| &w.0);
            let after = line[i + 1..].iter().find(visible).map(|w| &w.0);
            let ends = matches!((before, after), (None, _) | (_, None | Some(Token::Break)));
            let between = first.is_some_and(|first| first < i) && last.is_some_and(|last| i <= last);
            let beside = |t: Option<&Token>| matches!(t, Some(Token::Sign('=' | ',' | ';')));
            let term = |t: Option<&Token>| match t {
                Some(Token::Sign(c)) => matches!(c, '+' | '-' | '*' | '/'),
                Some(Token::Command(c)) => c == "cdot",
                _ => false,
            };
            match token {
                Token::Align | Token::Wide if ends || beside(before) || beside(after) || term(before) => {}
                Token::Align | Token::Wide if term(after) && between => {
                    return Err(Error::input("this goes on with the equation before, or begins another one")
                        .at(span.clone())
                        .hint("put a comma between two equations"));
                }
                Token::Align | Token::Wide if term(after) => {}
                Token::Align => list.push((Token::Sign(';'), span.clone())),
                Token::Wide if between => list.push((Token::Sign(';'), span.clone())),
                Token::Wide => {
                    return Err(Error::input("a wide space inside an equation")
                        .at(span.clone())
                        .hint("what belongs to the equation stands beside it; a number for it is a `\\tag`"));
                }
                _ => list.push((token.clone(), span.clone())),
            }
            // Several marks are one.
            if let [.., (Token::Sign(';'), _), (Token::Sign(';'), _)] = &list[..] {
                list.pop();
            }
        }
    }
    Ok(list)
}

/// Lines of a display, those that go on with the one before joined to it.
fn lines(words: Vec<Word>) -> Result<Vec<Vec<Word>>> {
    let mut list: Vec<Vec<Word>> = Vec::new();
    let equals = |line: &[Word]| line.iter().any(|w| w.0 == Token::Sign('='));
    for line in words.split(|w| w.0 == Token::Break).filter(|line| line.iter().any(|w| w.0 != Token::Gap)) {
        let Some(first) = line.iter().find(|w| w.0 != Token::Gap) else { continue };
        let Some(before) = list.last_mut() else {
            list.push(line.to_vec());
            continue;
        };
        let joins = match &first.0 {
            Token::Sign('=') => true,
            Token::Sign('+' | '-') if equals(line) && equals(before) => {
                return Err(Error::input("this line goes on with the one before, or begins an equation")
                    .at(first.1.clone())
                    .hint("put the equation that follows into a formula of its own"));
            }
            Token::Sign('+' | '-') => true,
            Token::Command(name) if name == "cdot" => true,
            // Where no equation has begun before, this may go on with a product.
            _ if equals(line) && equals(before) => false,
            _ => {
                return Err(Error::input("a line that begins with neither a sign nor an equation")
                    .at(first.1.clone())
                    .hint("begin what goes on from the line before with `+`, `-`, `=` or `\\cdot`"));
            }
        };
        if joins {
            before.extend_from_slice(line);
        } else {
            list.push(line.to_vec());
        }
    }
    Ok(list)
}

/// Reads words from left to right.
struct Parser<'a> {
    words: Vec<Word>,
    at: usize,
    end: usize,
    notation: &'a mut Notation,
    /// Inside an absolute value, so that a bar behind an operand closes it.
    bars: bool,
    depth: usize,
}

impl Parser<'_> {
    fn all(mut self) -> Result<Vec<Sides>> {
        let mut list = Vec::new();
        loop {
            let start = self.at;
            let mut sides = vec![self.sum()?];
            while self.sign('=') {
                sides.push(self.sum()?);
            }
            let separated = self.sign(',') || self.sign(';');
            if sides.len() == 1 && (separated || !list.is_empty()) {
                return Err(Error::input("a part of a list of equations without `=`")
                    .at(self.span_from(start))
                    .hint("a decimal comma is written `1{,}5`; text between formulas is not read"));
            }
            if sides.len() == 1 {
                list.extend(sides.pop().map(|side| (side, None)));
            }
            list.extend(sides.windows(2).map(|pair| (pair[0].clone(), Some(pair[1].clone()))));
            self.gaps();
            if self.at >= self.end {
                return Ok(list);
            }
            if !separated {
                return Err(self.unread());
            }
        }
    }

    // Words -----------------------------------------------------------------------------------------------------------

    fn peek(&self) -> Option<&Token> {
        self.words[..self.end].get(self.at).map(|w| &w.0)
    }

    /// Where the current word stands; behind the last one at the end.
    fn here(&self) -> Span {
        match (self.words[..self.end].get(self.at), self.words[..self.end].last()) {
            (Some((_, span)), _) => span.clone(),
            (None, Some((_, last))) => last.end..last.end,
            (None, None) => 0..0,
        }
    }

    /// From a word to the one before the current.
    fn span_from(&self, start: usize) -> Span {
        let first = self.words.get(start).map_or(0, |w| w.1.start);
        let last = self.words.get(self.at.saturating_sub(1)).map_or(first, |w| w.1.end);
        first..last.max(first)
    }

    /// Where a range of words stands.
    fn span_of(&self, range: &std::ops::Range<usize>) -> Span {
        match (self.words.get(range.start), self.words.get(range.end.wrapping_sub(1))) {
            (Some((_, first)), Some((_, last))) if !range.is_empty() => first.start..last.end,
            _ => self.here(),
        }
    }

    fn sign(&mut self, c: char) -> bool {
        let found = self.peek() == Some(&Token::Sign(c));
        self.at += usize::from(found);
        found
    }

    fn command(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Command(c)) if c == name);
        self.at += usize::from(found);
        found
    }

    /// Passes over visible spaces; were there any?
    fn gaps(&mut self) -> bool {
        let start = self.at;
        while self.peek() == Some(&Token::Gap) {
            self.at += 1;
        }
        self.at > start
    }

    fn unread(&self) -> Error {
        let shown = |token: &Token| match token {
            Token::Number(n) => n.clone(),
            Token::Letter(name) => name.clone(),
            Token::Command(name) | Token::Own(name) => format!("\\{name}"),
            Token::Sign('⟨') => "\\{".into(),
            Token::Sign('⟩') => "\\}".into(),
            Token::Sign('‖') => "\\|".into(),
            Token::Sign(c) => c.to_string(),
            Token::Align => "&".into(),
            Token::Gap | Token::Wide | Token::Break => "\\\\".into(),
        };
        let Some(token) = self.peek() else {
            return Error::input("the formula ends where something is missing").at(self.here());
        };
        if let Token::Own(name) = token {
            return Error::input(format!("`\\{name}` is a command of the author that is not read"))
                .at(self.here())
                .hint("write it out: read are commands without arguments, defined once, that stand for factors");
        }
        let error = Error::input(format!("`{}` is not read here", shown(token))).at(self.here());
        match token {
            Token::Command(name) => match name.as_str() {
                "partial" => error.hint("write the derivative out: there are no partial derivatives in a claim"),
                "sum" | "int" | "prod" => error.hint("write the terms out"),
                "pm" | "mp" => error.hint("write two equations"),
                "begin" | "end" => error.hint("give the inside of the environment; files of LaTeX are read whole"),
                _ => error.hint("read are letters, numbers, + - · /, brackets, \\frac, \\sqrt, \\dot and functions"),
            },
            _ => error,
        }
    }

    /// Reads a range of words by itself.
    fn within<T>(&mut self, range: std::ops::Range<usize>, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (at, end, bars) = (self.at, self.end, self.bars);
        (self.at, self.end, self.bars) = (range.start, range.end, false);
        let value = read(self)?;
        self.gaps();
        if self.at < self.end {
            return Err(self.unread());
        }
        (self.at, self.end, self.bars) = (at, end, bars);
        Ok(value)
    }

    // Sums and products -----------------------------------------------------------------------------------------------

    fn sum(&mut self) -> Result<Piece> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Error::limit(format!("brackets nested deeper than {DEPTH}")).at(self.here()));
        }
        self.gaps();
        let start = self.at;
        let mut terms = Vec::new();
        let mut signed = false;
        loop {
            self.gaps();
            let minus = match self.peek() {
                Some(Token::Sign('+')) => Some(false),
                Some(Token::Sign('-')) => Some(true),
                _ => None,
            };
            if minus.is_none() && !terms.is_empty() {
                break;
            }
            self.at += usize::from(minus.is_some());
            signed |= minus == Some(true);
            terms.push((minus.unwrap_or(false), self.product()?));
        }
        self.depth -= 1;
        let span = self.span_from(start);
        Ok(match (terms.len(), signed, terms.pop()) {
            (1, false, Some((_, only))) => only,
            (_, _, last) => {
                terms.extend(last);
                Piece::new(What::Sum(terms), span)
            }
        })
    }

    fn product(&mut self) -> Result<Piece> {
        self.gaps();
        let start = self.at;
        let mut factors: Vec<(Join, Piece)> = Vec::new();
        loop {
            let before = self.at;
            let gap = self.gaps();
            let join = if self.command("cdot") || self.sign('*') {
                Join::Times
            } else if self.sign('/') {
                Join::Over
            } else {
                Join::Side
            };
            self.gaps();
            if factors.is_empty() && join != Join::Side {
                self.at = before;
                return Err(self.unread());
            }
            if !factors.is_empty() && join == Join::Side && !self.begins_factor() {
                if !gap {
                    self.at = before;
                }
                break;
            }
            let factor = self.factor()?;
            if let (Some((last, left)), Join::Side) = (factors.last(), join) {
                beside(*last, left, &factor)?;
            }
            factors.push((join, factor));
        }
        let span = self.span_from(start);
        Ok(match (factors.len(), factors.pop()) {
            (1, Some((_, only))) => only,
            (_, last) => {
                factors.extend(last);
                Piece::new(What::Product(factors), span)
            }
        })
    }
}

/// May two factors stand side by side without a sign?
fn beside(join: Join, left: &Piece, right: &Piece) -> Result<()> {
    let both = left.span.start..right.span.end;
    if join == Join::Over {
        return Err(Error::input("it is not clear how far the division reaches")
            .at(both)
            .hint("write a fraction, `\\frac{a}{b} c`, or brackets, `a/(b c)`"));
    }
    let number = |p: &Piece| matches!(p.what, What::Number(_));
    let leads = |p: &Piece| match &p.what {
        What::Power(base, _) => number(base),
        // r (5.12) may be the number of the equation, or a function.
        What::Bracket(_, inner) => number(inner),
        _ => number(p),
    };
    if leads(right) {
        return Err(Error::input("a number behind a factor").at(both).hint("write `\\cdot` before it"));
    }
    let numbers = matches!(&right.what, What::Fraction(a, b) if number(a) && number(b));
    if number(left) && numbers {
        return Err(Error::input("a number before a fraction of numbers")
            .at(both)
            .hint("write `\\cdot` or `+` between them"));
    }
    Ok(())
}
