//! Words of the expression syntax, with their place in the text.

use super::near_miss;
use super::number::Rational;
use crate::error::{Error, Result, Span};

/// One word of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(Rational),
    /// A name and the number of primes behind it; the name's text is the start of its span.
    Name {
        length: usize,
        primes: u8,
    },
    /// One of `+ - * / ^ ( ) , =`.
    Sign(u8),
    /// Primes that do not follow a name.
    Prime,
    End,
}

/// Cuts a text into tokens, one at a time.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    number_bits: u64,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, number_bits: u64) -> Self {
        Lexer { text, at: 0, number_bits }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn skip(&self, mut at: usize, belongs: impl Fn(u8) -> bool) -> usize {
        while at < self.text.len() && belongs(self.byte(at)) {
            at += 1;
        }
        at
    }

    /// The next token and where it stands.
    pub(super) fn next(&mut self) -> Result<(Token, Span)> {
        let start = self.skip(self.at, |b| b.is_ascii_whitespace());
        if let Some((signs, hint)) = near_miss::operator(self.text.get(start..).unwrap_or_default()) {
            let error = Error::input(format!("`{signs}` is not an operator"));
            return Err(error.at(start..start + signs.len()).hint(hint));
        }
        let (token, end) = match self.byte(start) {
            _ if start >= self.text.len() => (Token::End, start),
            b'0'..=b'9' | b'.' => self.number(start)?,
            b'a'..=b'z' | b'A'..=b'Z' => self.name(start),
            b'\'' => (Token::Prime, self.skip(start, |b| b == b'\'')),
            b @ (b'+' | b'-' | b'*' | b'/' | b'^' | b'(' | b')' | b',' | b'=') => (Token::Sign(b), start + 1),
            _ => return Err(self.strange_character(start)),
        };
        self.at = end;
        Ok((token, start..end))
    }

    fn name(&self, start: usize) -> (Token, usize) {
        let word = |at: usize| self.skip(at, |b| b.is_ascii_alphanumeric() || b == b'_');
        let mut end = word(start);
        // `F.x`: what belongs to a frame, point or body.
        if self.byte(end) == b'.' && self.byte(end + 1).is_ascii_alphabetic() {
            end = word(end + 1);
        }
        let primes = self.skip(end, |b| b == b'\'');
        (Token::Name { length: end - start, primes: u8::try_from(primes - end).unwrap_or(u8::MAX) }, primes)
    }

    fn number(&self, start: usize) -> Result<(Token, usize)> {
        let digit = |b: u8| b.is_ascii_digit();
        let mut end = self.skip(start, digit);
        if self.byte(end) == b'.' {
            end = self.skip(end + 1, digit);
        }
        let mantissa = end;
        if matches!(self.byte(end), b'e' | b'E') {
            let sign = usize::from(matches!(self.byte(end + 1), b'+' | b'-'));
            let exponent = self.skip(end + 1 + sign, digit);
            if exponent > end + 1 + sign {
                end = exponent;
            }
        }
        let text = &self.text[start..end];
        if mantissa == start + 1 && self.byte(start) == b'.' || self.byte(end) == b'.' {
            return Err(Error::input("malformed number")
                .at(start..self.skip(end, |b| b == b'.' || digit(b)))
                .hint("numbers are written like `12`, `0.25` or `1.5e-3`"));
        }
        if digit(self.byte(mantissa - 1)) && self.byte(end) == b'_' && digit(self.byte(end + 1)) {
            return Err(Error::input("digits cannot be grouped with `_` in an expression")
                .at(start..self.skip(end, |b| b == b'_' || digit(b)))
                .hint("write the digits together"));
        }
        match decimal(text, self.number_bits) {
            Some(n) => Ok((Token::Number(n), end)),
            None => Err(Error::limit(format!("number with more than {} bits", self.number_bits)).at(start..end)),
        }
    }

    fn strange_character(&self, at: usize) -> Error {
        let c = self.text[at..].chars().next().unwrap_or(' ');
        let shown = if c.is_control() { format!("U+{:04X}", u32::from(c)) } else { c.to_string() };
        Error::input(format!("unexpected character `{shown}`"))
            .at(at..at + c.len_utf8())
            .hint(near_miss::character(self.text, at))
    }
}

/// A decimal number, unless it would take more than `bits` bits. The spelling has been checked.
pub fn decimal(text: &str, bits: u64) -> Option<Rational> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(i) => (&text[..i], &text[i + 1..]),
        None => (text, "0"),
    };
    // Decimal digits first: ten of them take more than 33 bits, and nothing large is computed only to be refused.
    let zero = mantissa.bytes().all(|b| b == b'0' || b == b'.');
    if zero {
        return Some(Rational::ZERO);
    }
    let exponent: i32 = exponent.parse().ok()?;
    let digits = mantissa.len() as u64 + u64::from(exponent.unsigned_abs());
    if digits.saturating_mul(33) / 10 > bits.saturating_add(64) {
        return None;
    }
    Rational::parse_decimal(text).filter(|n| n.bits() <= bits)
}

/// The names in an expression and where they stand, up to the first thing that is not a word of the syntax.
pub fn names_in(text: &str, number_bits: u64) -> Vec<(&str, Span)> {
    let mut lexer = Lexer::new(text, number_bits);
    let mut names = Vec::new();
    while let Ok((token, span)) = lexer.next() {
        match token {
            Token::Name { length, .. } => names.push((&text[span.start..span.start + length], span)),
            Token::End => break,
            _ => {}
        }
    }
    names
}

/// The name of a Greek letter.
pub fn greek(c: char) -> Option<&'static str> {
    const NAMES: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu",
        "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    ];
    const CAPITALS: [&str; 25] = [
        "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu", "Nu",
        "Xi", "Omicron", "Pi", "Rho", "Sigma", "Sigma", "Tau", "Upsilon", "Phi", "Chi", "Psi", "Omega",
    ];
    match c {
        'α'..='ω' => NAMES.get(c as usize - 'α' as usize).copied(),
        'Α'..='Ω' => CAPITALS.get(c as usize - 'Α' as usize).copied(),
        'ϑ' => Some("theta"),
        'ϕ' => Some("phi"),
        'ϵ' => Some("epsilon"),
        _ => None,
    }
}
