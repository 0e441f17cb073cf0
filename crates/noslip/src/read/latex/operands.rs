//! Numbers, fractions, roots, functions, brackets, derivatives.

use super::super::notation::Meaning;
use super::super::tree::{Call, Piece, What};
use super::Parser;
use super::lex::Token;
use super::names::{ACCENTS, FONTS, dots};
use crate::error::{Error, Result};
use std::ops::Range;

/// Functions by the names books give them, and by the model's.
pub(super) const FUNCTIONS: [(&str, &str); 34] = [
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("cot", "cot"),
    ("sec", "sec"),
    ("csc", "csc"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("exp", "exp"),
    ("log", "log"),
    ("ln", "log"),
    ("abs", "abs"),
    ("sgn", "sign"),
    ("sign", "sign"),
    ("atan2", "atan2"),
    ("tg", "tan"),
    ("ctg", "cot"),
    ("cotg", "cot"),
    ("tang", "tan"),
    ("cosec", "csc"),
    ("arctg", "atan"),
    ("sh", "sinh"),
    ("ch", "cosh"),
    ("th", "tanh"),
    ("arcsen", "asin"),
    ("sen", "sin"),
    ("sqrt", "sqrt"),
];

fn function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, own)| *own)
}

impl Parser<'_> {
    /// Does the current word begin a factor?
    pub(super) fn begins_factor(&self) -> bool {
        match self.peek() {
            Some(Token::Number(_) | Token::Letter(_)) => true,
            Some(Token::Sign('(' | '[' | '{' | '⟨')) => true,
            Some(Token::Sign('|')) => !self.bars,
            Some(Token::Command(c)) => !matches!(c.as_str(), "right" | "over" | "cdot"),
            _ => false,
        }
    }

    /// An operand with its exponent.
    pub(super) fn factor(&mut self) -> Result<Piece> {
        let start = self.at;
        let base = self.operand()?;
        match self.peek() {
            Some(Token::Sign('^')) => {
                self.at += 1;
                let range = self.argument("^")?;
                let inside = self.span_of(&range);
                let exponent = self.within(range, Self::sum)?;
                if matches!(&exponent.what, What::Bracket(_, one) if matches!(one.what, What::Number(_) | What::Name { .. }))
                {
                    return Err(Error::input("a superscript in brackets is no exponent").at(inside).hint(
                        "leave the brackets out for a power, or say by `name` which name a letter with this mark stands for",
                    ));
                }
                if self.peek() == Some(&Token::Sign('^')) {
                    return Err(Error::input("two exponents at one base").at(self.here()));
                }
                let what = match base.what {
                    // e^x
                    What::Name { ref name, .. } if name.is_empty() => {
                        What::Call(Call { function: "exp".into(), primes: 0, power: None, arguments: vec![exponent] })
                    }
                    _ => What::Power(Box::new(base), Box::new(exponent)),
                };
                Ok(Piece::new(what, self.span_from(start)))
            }
            Some(Token::Sign(c @ ('\'' | '_' | '!'))) => {
                let message = match c {
                    '\'' => "a prime at something that is not a letter",
                    '_' => "an index at something that is not a letter",
                    _ => "a factorial is not read",
                };
                Err(Error::input(message).at(self.here()))
            }
            _ => Ok(base),
        }
    }

    fn operand(&mut self) -> Result<Piece> {
        let start = self.at;
        match self.peek().cloned() {
            Some(Token::Number(digits)) => {
                self.at += 1;
                Ok(Piece::new(What::Number(digits), self.span_from(start)))
            }
            Some(Token::Sign('{')) => self.group(),
            Some(Token::Command(c)) if c == "frac" => {
                self.at += 1;
                self.fraction(start)
            }
            Some(Token::Command(c)) if c == "sqrt" => {
                self.at += 1;
                self.root(start)
            }
            Some(Token::Command(c)) if function(&c).is_some() => {
                self.at += 1;
                self.call(function(&c).unwrap_or("sin"), start)
            }
            Some(Token::Command(c))
                if dots(&c).is_some() || FONTS.contains(&c.as_str()) || ACCENTS.contains(&c.as_str()) =>
            {
                self.word(start)
            }
            Some(Token::Letter(_)) => self.word(start),
            _ => match self.bracketed()? {
                Some(piece) => Ok(piece),
                None => Err(self.unread()),
            },
        }
    }

    /// A letter or a word in one type, which may be the name of a function.
    fn word(&mut self, start: usize) -> Result<Piece> {
        let Some(letter) = self.letter()? else { return Err(self.unread()) };
        if let ([only], 0) = (&letter.parts[..], letter.primes) {
            let known = matches!(self.notation.look_up(&letter.parts), Meaning::One(..));
            if let Some(own) = function(only).filter(|_| !known) {
                return self.call(own, start);
            }
            if only == "e" && !known && self.peek() == Some(&Token::Sign('^')) {
                let shown = crate::read::Shown { source: "e".into(), parts: vec!["e".into()] };
                return Ok(Piece::new(What::Name { name: String::new(), primes: 0, shown }, self.span_from(start)));
            }
        }
        self.named(letter, start)
    }

    // Arguments and brackets ------------------------------------------------------------------------------------------

    /// The words of a group, or the one word that stands in its place; the parser goes on behind them.
    pub(super) fn argument(&mut self, of: &str) -> Result<Range<usize>> {
        let start = self.at;
        match self.peek().cloned() {
            Some(Token::Sign('{')) => {
                let close = self.closing()?;
                self.at = close + 1;
                Ok(start + 1..close)
            }
            Some(Token::Number(digits)) if digits.len() > 1 => Err(Error::input(format!(
                "`{of}{digits}` is `{of}{}` followed by `{}` to TeX",
                &digits[..1],
                &digits[1..]
            ))
            .at(self.here())
            .hint(format!("write `{of}{{{digits}}}`"))),
            Some(Token::Command(c)) if FONTS.contains(&c.as_str()) || dots(&c).is_some() => {
                self.at += 1;
                self.argument(of)?;
                Ok(start..self.at)
            }
            Some(Token::Sign('}' | ')' | ']' | '^' | '_' | '=')) | None => {
                Err(Error::input(format!("`{of}` without what belongs to it")).at(self.here()))
            }
            Some(Token::Command(c)) if c == "frac" || function(&c).is_some() => {
                Err(Error::input(format!("`{of}` takes one word")).at(self.here()).hint("put braces around it"))
            }
            Some(_) => {
                self.at += 1;
                Ok(start..self.at)
            }
        }
    }

    /// The index of the brace that closes the current one.
    fn closing(&self) -> Result<usize> {
        let mut depth = 0usize;
        for (i, (token, _)) in self.words[..self.end].iter().enumerate().skip(self.at) {
            match token {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') if depth == 1 => return Ok(i),
                Token::Sign('}') => depth -= 1,
                _ => {}
            }
        }
        Err(Error::input("this brace is never closed").at(self.here()))
    }

    /// `{…}`, which may hold `a \over b`, or one letter whose indices follow.
    fn group(&mut self) -> Result<Piece> {
        let start = self.at;
        let close = self.closing()?;
        // {\dot x}_C
        self.at += 1;
        if let Ok(Some(mut letter)) = self.letter()
            && self.suffixes(&mut letter, false).is_ok()
            && self.at == close
        {
            self.at = close + 1;
            return self.named(letter, start);
        }
        let inner = start + 1..close;
        self.at = close + 1;
        let over = self.words[inner.clone()].iter().position(|w| w.0 == Token::Command("over".into()));
        if let Some(i) = over {
            let bar = inner.start + i;
            let above = self.within(inner.start..bar, Self::sum)?;
            let below = self.within(bar + 1..close, Self::sum)?;
            return Ok(Piece::new(What::Fraction(Box::new(above), Box::new(below)), self.span_from(start)));
        }
        let value = self.within(inner, Self::sum)?;
        let what = match value.what {
            What::Sum(_) | What::Product(_) => What::Bracket('(', Box::new(value)),
            what => what,
        };
        Ok(Piece::new(what, self.span_from(start)))
    }

    /// Something in brackets, with or without `\left`; `None`, and nothing read, where none are opened.
    pub(super) fn bracketed(&mut self) -> Result<Option<Piece>> {
        let start = self.at;
        let left = self.command("left");
        let (open, close) = match self.peek() {
            Some(Token::Sign('(')) => ('(', ')'),
            Some(Token::Sign('[')) => ('[', ']'),
            Some(Token::Sign('⟨')) => ('{', '⟩'),
            Some(Token::Sign('|')) if left || !self.bars => ('|', '|'),
            _ if left => return Err(self.unread()),
            _ => return Ok(None),
        };
        self.at += 1;
        // \left| is closed by \right|, not by the next bar.
        let bars = std::mem::replace(&mut self.bars, open == '|' && !left);
        let value = self.sum()?;
        self.bars = bars;
        self.gaps();
        if left && !self.command("right") {
            return Err(self.unclosed(start));
        }
        if !self.sign(close) {
            return Err(if self.at < self.end { self.unread() } else { self.unclosed(start) });
        }
        Ok(Some(Piece::new(What::Bracket(open, Box::new(value)), self.span_from(start))))
    }

    fn unclosed(&self, start: usize) -> Error {
        let at = self.words.get(start).map_or(0..0, |w| w.1.clone());
        Error::input("this bracket is never closed").at(at).label("opened here")
    }

    fn root(&mut self, start: usize) -> Result<Piece> {
        let mut degree = 2;
        if self.sign('[') {
            match (self.peek().cloned(), self.words[..self.end].get(self.at + 1)) {
                (Some(Token::Number(n)), Some((Token::Sign(']'), _))) if n.parse::<u32>().is_ok_and(|n| n >= 2) => {
                    degree = n.parse().unwrap_or(2);
                    self.at += 2;
                }
                _ => return Err(Error::input("the degree of a root is a number").at(self.here())),
            }
        }
        let range = self.argument("\\sqrt")?;
        let value = self.within(range, Self::sum)?;
        Ok(Piece::new(What::Root(degree, Box::new(value)), self.span_from(start)))
    }

    // Fractions and derivatives ---------------------------------------------------------------------------------------

    fn fraction(&mut self, start: usize) -> Result<Piece> {
        let above = self.argument("\\frac")?;
        let below = self.argument("\\frac")?;
        if let Some(order) = self.by_time(below.clone())
            && let Some((power, rest)) = self.differential(above.clone())
            && power == order
        {
            return self.derivative(order, rest, start);
        }
        let divided = |r: &Range<usize>| self.differential(r.clone()).is_some_and(|(_, rest)| !rest.is_empty());
        if self.differential(above.clone()).is_some() && divided(&below) {
            return Err(Error::input("a derivative by something else than the time, or of two orders")
                .at(self.span_from(start))
                .hint("write `\\cdot` behind a `d` that is a factor"));
        }
        let partial = |r: &Range<usize>| self.words[r.clone()].iter().find(|w| w.0 == Token::Command("partial".into()));
        if let Some((_, span)) = partial(&above).or(partial(&below)) {
            return Err(Error::input("`\\partial` is not read here")
                .at(span.clone())
                .hint("write the derivative out: there are no partial derivatives in a claim"));
        }
        let numerator = self.within(above, Self::sum)?;
        let denominator = self.within(below, Self::sum)?;
        Ok(Piece::new(What::Fraction(Box::new(numerator), Box::new(denominator)), self.span_from(start)))
    }

    /// `d` at the beginning of a range, with its power; what follows it.
    fn differential(&self, range: Range<usize>) -> Option<(u8, Range<usize>)> {
        let word = |i: usize| (i < range.end).then(|| &self.words[i].0);
        let mut at = range.start;
        if matches!(word(at), Some(Token::Command(c)) if FONTS.contains(&c.as_str())) {
            at += 1;
            let braced = word(at) == Some(&Token::Sign('{'));
            at += usize::from(braced);
            if braced && word(at + 1) != Some(&Token::Sign('}')) {
                return None;
            }
        }
        if word(at) != Some(&Token::Letter("d".into())) {
            return None;
        }
        at += 1;
        while matches!(word(at), Some(Token::Sign('}') | Token::Gap)) {
            at += 1;
        }
        let (order, at) = self.small_power(at, range.end)?;
        Some((order, at..range.end))
    }

    /// `^2` or `^{2}` at a place, or nothing, which is the first power.
    fn small_power(&self, at: usize, end: usize) -> Option<(u8, usize)> {
        let word = |i: usize| (i < end).then(|| &self.words[i].0);
        if word(at) != Some(&Token::Sign('^')) {
            return Some((1, at));
        }
        let (number, next) = match (word(at + 1), word(at + 2), word(at + 3)) {
            (Some(Token::Number(n)), ..) => (n, at + 2),
            (Some(Token::Sign('{')), Some(Token::Number(n)), Some(Token::Sign('}'))) => (n, at + 4),
            _ => return None,
        };
        Some((number.parse().ok()?, next))
    }

    /// The order of the derivative if this is `dt` or `dt^2`.
    fn by_time(&self, range: Range<usize>) -> Option<u8> {
        let (1, rest) = self.differential(range)? else { return None };
        if self.words.get(rest.start).map(|w| &w.0) != Some(&Token::Letter("t".into())) || rest.is_empty() {
            return None;
        }
        let (order, at) = self.small_power(rest.start + 1, rest.end)?;
        (at == rest.end).then_some(order)
    }

    /// d/dt of what stands above the bar, or of what follows.
    fn derivative(&mut self, order: u8, rest: Range<usize>, start: usize) -> Result<Piece> {
        let of = if rest.is_empty() {
            self.gaps();
            let bracket = matches!(self.peek(), Some(Token::Sign('(' | '[' | '⟨')))
                || matches!(self.peek(), Some(Token::Command(c)) if c == "left");
            let from = self.at;
            let of = self.operand()?;
            let end = self.at;
            self.gaps();
            // Brackets end themselves; anything else ends where nothing is multiplied to it.
            let goes_on = self.begins_factor()
                || matches!(self.peek(), Some(Token::Sign('/' | '*')))
                || matches!(self.peek(), Some(Token::Command(c)) if c == "cdot");
            let powered = self.peek() == Some(&Token::Sign('^'));
            self.at = end;
            if !bracket && goes_on || powered {
                return Err(Error::input("it is not clear how far the derivative reaches")
                    .at(self.span_from(from))
                    .hint("put what is differentiated into brackets"));
            }
            of
        } else {
            self.within(rest, Self::sum)?
        };
        let span = self.span_from(start);
        let inner = match &of.what {
            What::Bracket('(' | '[' | '{', inner) => &inner.what,
            what => what,
        };
        Ok(match inner {
            What::Name { name, primes, shown } => {
                let (name, primes, shown) = (name.clone(), primes.saturating_add(order), shown.clone());
                Piece::new(What::Name { name, primes, shown }, span)
            }
            _ if order > 2 => return Err(Error::input(format!("a derivative of order {order}")).at(span)),
            _ if matches!(of.what, What::Product(_) | What::Sum(_) | What::Power(..)) => {
                return Err(Error::input("it is not clear how far the derivative reaches")
                    .at(span)
                    .hint("put what is differentiated into brackets"));
            }
            _ => Piece::new(What::Rate(order, Box::new(of), None), span),
        })
    }

    // Functions -------------------------------------------------------------------------------------------------------

    /// A function whose name has been read.
    fn call(&mut self, name: &str, start: usize) -> Result<Piece> {
        let mut power = None;
        if self.sign('^') {
            let range = self.argument("^")?;
            power = match &self.words[range] {
                [(Token::Number(n), _)] if n.parse::<u32>().is_ok_and(|n| n >= 2) => Some(n.clone()),
                _ => {
                    return Err(Error::input("an exponent of a function that is not a whole number above 1")
                        .at(self.span_from(start))
                        .hint("write `(\\sin x)^{-1}` for the reciprocal, `\\arcsin x` for the inverse function"));
                }
            };
        }
        if self.peek() == Some(&Token::Sign('_')) {
            return Err(Error::input("an index at a function").at(self.here()));
        }
        self.gaps();
        let arguments =
            if name == "atan2" { self.two_arguments(start)? } else { vec![self.one_argument(name, start)?] };
        let call = Call { function: name.to_owned(), primes: 0, power, arguments };
        Ok(Piece::new(What::Call(call), self.span_from(start)))
    }

    fn two_arguments(&mut self, start: usize) -> Result<Vec<Piece>> {
        let left = self.command("left");
        if !self.sign('(') {
            return Err(self.unread());
        }
        let first = self.sum()?;
        self.gaps();
        if !self.sign(',') {
            return Err(Error::input("`atan2` takes two arguments").at(self.here()));
        }
        let second = self.sum()?;
        self.gaps();
        if left && !self.command("right") || !self.sign(')') {
            return Err(self.unclosed(start));
        }
        Ok(vec![first, second])
    }

    fn one_argument(&mut self, name: &str, start: usize) -> Result<Piece> {
        if self.peek() == Some(&Token::Sign('{')) {
            // Braces are not seen: \sin{x}^2 is printed as \sin x^2 is. Brackets inside them are: \sin{(x)}^2.
            let open = self.at
                + 1
                + usize::from(self.words.get(self.at + 1).is_some_and(|w| w.0 == Token::Command("left".into())));
            let closed = self.closing_bracket(open);
            let group = self.group()?;
            if self.peek() == Some(&Token::Sign('^')) && closed.is_none_or(|close| close + 2 != self.at) {
                return Err(self.unclear(name, start));
            }
            return Ok(group);
        }
        if let Some(bracketed) = self.bracketed()? {
            return Ok(bracketed);
        }
        let from = self.at;
        let number = match self.peek().cloned() {
            Some(Token::Number(digits)) => {
                self.at += 1;
                let number = Piece::new(What::Number(digits), self.span_from(from));
                // A number goes with the letter behind it, also across a space: \sin 2\,\theta.
                let before = self.at;
                self.gaps();
                if !self.begins_factor() {
                    self.at = before;
                }
                Some(number)
            }
            _ => None,
        };
        let letter = match self.peek() {
            Some(Token::Letter(_)) => true,
            Some(Token::Command(c)) => {
                let word = dots(c).is_some() || FONTS.contains(&c.as_str()) || ACCENTS.contains(&c.as_str());
                word || c == "frac" || c == "sqrt"
            }
            _ => false,
        };
        let argument = match (number, letter) {
            (Some(number), false) => number,
            (Some(number), true) => {
                let factor = self.operand()?;
                let factors = vec![(crate::read::Join::Side, number), (crate::read::Join::Side, factor)];
                Piece::new(What::Product(factors), self.span_from(from))
            }
            (None, true) => self.operand()?,
            (None, false) => {
                return Err(Error::input(format!("function `{name}` without argument")).at(self.span_from(start)));
            }
        };
        let clear = match self.peek() {
            Some(Token::Sign('^' | '/' | '(' | '[' | '⟨' | '{')) | Some(Token::Letter(_) | Token::Number(_)) => false,
            Some(Token::Command(c)) => {
                function(c).is_some() || dots(c).is_some() || matches!(c.as_str(), "cdot" | "right" | "over")
            }
            _ => true,
        };
        // A fraction or a root ends itself.
        let closed = matches!(argument.what, What::Fraction(..) | What::Root(..))
            && !matches!(self.peek(), Some(Token::Sign('^' | '/')));
        if !clear && !closed {
            return Err(self.unclear(name, start));
        }
        Ok(argument)
    }

    fn unclear(&self, name: &str, start: usize) -> Error {
        Error::input(format!("it is not clear how far the argument of `{name}` reaches"))
            .at(self.words[start].1.start..self.here().end)
            .hint("put brackets around the argument, or `\\,` behind it")
    }
}
