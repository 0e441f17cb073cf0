//! Letters with their indices, dots and primes.

use super::super::notation::Meaning;
use super::super::tree::{Call, Piece, Shown, What};
use super::Parser;
use super::lex::{GREEK, Token};
use crate::error::{Error, Result};
use crate::expr::closest;
use crate::model::Kind;

/// Commands that set what follows in another type: the letter stays the same.
pub(super) const FONTS: [&str; 11] =
    ["mathrm", "mathit", "mathsf", "mathnormal", "text", "textrm", "textit", "mbox", "rm", "operatorname", "mathop"];

/// Marks that make a letter another one; a bold one is a vector.
pub(super) const ACCENTS: [&str; 12] = [
    "bar",
    "hat",
    "tilde",
    "overline",
    "widehat",
    "widetilde",
    "vec",
    "underline",
    "mathcal",
    "mathbf",
    "boldsymbol",
    "bm",
];

/// Dots above a letter.
pub(super) fn dots(command: &str) -> Option<u8> {
    Some(match command {
        "dot" => 1,
        "ddot" => 2,
        "dddot" => 3,
        "ddddot" => 4,
        _ => return None,
    })
}

/// A letter as far as it has been read.
#[derive(Default)]
pub(super) struct Letter {
    pub(super) parts: Vec<String>,
    pub(super) primes: u8,
    indexed: bool,
}

impl Parser<'_> {
    /// A whole text that is one letter with its indices.
    pub(super) fn whole_letter(&mut self) -> Option<Vec<String>> {
        let mut letter = self.letter().ok()??;
        self.suffixes(&mut letter, true).ok()?;
        (letter.primes == 0).then_some(letter.parts)
    }

    /// A letter, with dots, in another type or in braces; `None`, and nothing read, where something else stands.
    pub(super) fn letter(&mut self) -> Result<Option<Letter>> {
        let start = self.at;
        let found = match self.peek().cloned() {
            Some(Token::Letter(name)) => {
                self.at += 1;
                Some(Letter { parts: vec![name], ..Letter::default() })
            }
            Some(Token::Command(c)) if FONTS.contains(&c.as_str()) => {
                self.at += 1;
                self.word_in_font()
            }
            Some(Token::Command(c)) if ACCENTS.contains(&c.as_str()) => {
                self.at += 1;
                let mark = c.trim_start_matches("over").trim_start_matches("wide").replace("line", "bar");
                self.inner_letter()?.map(|mut letter| {
                    letter.parts.push(mark);
                    letter
                })
            }
            Some(Token::Command(c)) if dots(&c).is_some() => {
                self.at += 1;
                let order = dots(&c).unwrap_or(1);
                let inner = self.inner_letter()?;
                let Some(mut letter) = inner else {
                    return Err(Error::input(format!("`\\{c}` stands above something that is not a letter"))
                        .at(self.span_from(start))
                        .hint("a derivative of more than a letter is written `\\frac{d}{dt}(…)`"));
                };
                letter.primes = letter.primes.saturating_add(order);
                Some(letter)
            }
            _ => None,
        };
        if found.is_none() {
            self.at = start;
        }
        Ok(found)
    }

    /// What stands below a mark: a letter, or a letter with its indices in braces.
    fn inner_letter(&mut self) -> Result<Option<Letter>> {
        if !self.sign('{') {
            return self.letter();
        }
        let Some(mut letter) = self.inner_letter_of_group()? else { return Ok(None) };
        self.suffixes(&mut letter, true)?;
        Ok(self.sign('}').then_some(letter))
    }

    fn inner_letter_of_group(&mut self) -> Result<Option<Letter>> {
        if self.peek() == Some(&Token::Sign('{')) { self.inner_letter() } else { self.letter() }
    }

    /// A word set in one type: several letters that are one name.
    fn word_in_font(&mut self) -> Option<Letter> {
        if !self.sign('{') {
            return match self.peek().cloned() {
                Some(Token::Letter(name)) => {
                    self.at += 1;
                    Some(Letter { parts: vec![name], ..Letter::default() })
                }
                _ => None,
            };
        }
        let mut parts: Vec<String> = Vec::new();
        let mut word = String::new();
        loop {
            let token = self.peek().cloned();
            self.at += 1;
            match token {
                Some(Token::Letter(name)) if GREEK.contains(&name.as_str()) => {
                    parts.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                    parts.push(name);
                }
                Some(Token::Letter(name)) => word.push_str(&name),
                Some(Token::Number(digits)) => word.push_str(&digits),
                Some(Token::Command(c)) if c == "_" => word.push('_'),
                Some(Token::Command(c)) if FONTS.contains(&c.as_str()) => parts.extend(self.word_in_font()?.parts),
                Some(Token::Sign('}')) => break,
                _ => return None,
            }
        }
        parts.extend((!word.is_empty()).then_some(word));
        (!parts.is_empty()).then(|| Letter { parts, ..Letter::default() })
    }

    /// Indices, primes, and superscripts that are no exponents.
    pub(super) fn suffixes(&mut self, letter: &mut Letter, any_superscript: bool) -> Result<()> {
        loop {
            let start = self.at;
            if self.sign('\'') {
                letter.primes = letter.primes.saturating_add(1);
            } else if self.sign('_') {
                if letter.indexed {
                    return Err(Error::input("two indices at one letter").at(self.span_from(start)));
                }
                letter.indexed = true;
                self.index(&mut letter.parts, start)?;
            } else if self.sign('^') {
                let range = self.argument("^")?;
                let mark = self.superscript(range.clone());
                let primes = mark.as_deref().filter(|m| m.chars().all(|c| c == '\'')).map(str::len);
                let mut marked = letter.parts.clone();
                marked.extend(mark.map(|m| format!("^{m}")));
                let is_mark = marked.last().is_some_and(|m| matches!(m.as_str(), "^*" | "^dagger" | "^circ"));
                match primes {
                    Some(primes) => letter.primes = letter.primes.saturating_add(primes as u8),
                    None if marked.len() > letter.parts.len()
                        && (any_superscript || is_mark || self.notation.is_given(&marked)) =>
                    {
                        letter.parts = marked;
                    }
                    None => {
                        self.at = start;
                        return Ok(());
                    }
                }
            } else {
                return Ok(());
            }
        }
    }

    /// The words of a superscript as a mark; primes as primes.
    fn superscript(&self, range: std::ops::Range<usize>) -> Option<String> {
        let mut mark = String::new();
        for (token, _) in &self.words[range] {
            match token {
                Token::Command(c) if c == "prime" => mark.push('\''),
                Token::Command(c) if c == "cdot" => mark.push('*'),
                Token::Command(c) if c == "dagger" || c == "circ" => mark.push_str(c),
                Token::Sign(c @ ('\'' | '*' | '(' | ')' | '+' | '-')) => mark.push(*c),
                Token::Letter(x) | Token::Number(x) => mark.push_str(x),
                _ => return None,
            }
        }
        (!mark.is_empty()).then_some(mark)
    }

    /// What stands below a letter.
    fn index(&mut self, parts: &mut Vec<String>, start: usize) -> Result<()> {
        let range = self.argument("_")?;
        let mut word = String::new();
        let mut list = Vec::new();
        let mut flush = |word: &mut String| list.extend((!word.is_empty()).then(|| std::mem::take(word)));
        let mut previous_end = None;
        for (token, span) in &self.words[range] {
            // x_{i j} and x_{ij} are the same index to TeX.
            match token {
                Token::Letter(name) if GREEK.contains(&name.as_str()) => {
                    flush(&mut word);
                    word = name.clone();
                    flush(&mut word);
                }
                Token::Letter(name) => word.push_str(name),
                Token::Number(digits) => {
                    if previous_end != Some(span.start) {
                        flush(&mut word);
                    }
                    word.push_str(digits);
                }
                Token::Command(c) if FONTS.contains(&c.as_str()) => flush(&mut word),
                Token::Sign('{' | '}' | ',' | '_') | Token::Gap => flush(&mut word),
                Token::Command(c) if c == "_" => flush(&mut word),
                Token::Command(c) if c == "cdot" => word.push('*'),
                Token::Sign(c @ ('+' | '-' | '*' | '(' | ')' | '\'')) => word.push(*c),
                _ => {
                    let error = Error::input("this index is not read").at(self.span_from(start));
                    return Err(error.hint("an index is made of letters, digits and commas"));
                }
            }
            previous_end = Some(span.end);
        }
        flush(&mut word);
        parts.extend(list);
        Ok(())
    }

    // Meaning ---------------------------------------------------------------------------------------------------------

    /// A letter of the formula: what it means in the model.
    pub(super) fn named(&mut self, mut letter: Letter, start: usize) -> Result<Piece> {
        self.suffixes(&mut letter, false)?;
        let span = self.span_from(start);
        let shown = shown(&letter);
        let (name, kind) = match self.notation.look_up(&letter.parts) {
            Meaning::One(name, kind) => (name, kind),
            Meaning::Several(names) => {
                return Err(Error::input(format!("`{}` may be one of {}", shown.source, names.join(", ")))
                    .at(span)
                    .hint(format!("say which one is meant: name '{}=NAME'", shown.source)));
            }
            Meaning::Unknown => return Err(self.unknown(&shown, span)),
        };
        self.notation.note(&shown);
        if kind == Kind::Table {
            return self.table(name, letter.primes, start);
        }
        let varies = matches!(kind, Kind::Coordinate | Kind::QuasiVelocity | Kind::Multiplier | Kind::Definition);
        if varies {
            self.of_time();
        }
        self.not_a_call(&shown, varies)?;
        let span = self.span_from(start);
        Ok(Piece::new(What::Name { name, primes: letter.primes, shown }, span))
    }

    fn unknown(&self, shown: &Shown, span: crate::Span) -> Error {
        let error = Error::input(format!("`{}` is no name of this model", shown.source)).at(span);
        let near = closest(&shown.parts.join("_"), self.notation.all()).unwrap_or("NAME");
        error.hint(format!(
            "say what it stands for: name '{}={near}' for a name of the model, define for an expression",
            shown.source
        ))
    }

    /// Passes over `(t)`: x(t) is x.
    fn of_time(&mut self) {
        let start = self.at;
        let braced = self.sign('{');
        let left = self.command("left");
        let matches = self.sign('(') && self.peek() == Some(&Token::Letter("t".into())) && {
            self.at += 1;
            self.gaps();
            self.command("right") == left && self.sign(')') && self.sign('}') == braced
        };
        if !matches {
            self.at = start;
        }
    }

    /// A letter before brackets may be a function of what they hold. It is a product where they are needed, around a sum or below an
    /// exponent; anything else is refused, and so is a time that is shifted, x(t − τ).
    fn not_a_call(&mut self, shown: &Shown, varies: bool) -> Result<()> {
        let start = self.at;
        let left = self.command("left");
        let open = std::mem::replace(&mut self.at, start);
        let Some(close) = self.closing_bracket(open) else { return Ok(()) };
        let inside = &self.words[open + 1..close];
        let mut depth = 0i32;
        let mut sum = false;
        for (i, (token, _)) in inside.iter().enumerate() {
            match token {
                Token::Sign('(' | '[' | '{' | '⟨') => depth += 1,
                Token::Sign(')' | ']' | '}' | '⟩') => depth -= 1,
                Token::Sign('+' | '-') if depth == 0 && i > 0 => sum = true,
                _ => {}
            }
        }
        let behind = self.words[..self.end].get(close + 1).map(|w| &w.0);
        let time = varies && inside.iter().any(|w| w.0 == Token::Letter("t".into()));
        if (sum && !time) || behind == Some(&Token::Sign('^')) {
            return Ok(());
        }
        let last = self.words.get(close).map_or(0, |w| w.1.end);
        let first = self.words.get(if left { open - 1 } else { open }).map_or(0, |w| w.1.start);
        let message = format!("`{}` before brackets that hold no sum: a product or a function?", shown.source);
        let message = if time { format!("`{}` at another time than t, or a product?", shown.source) } else { message };
        Err(Error::input(message)
            .at(first..last)
            .hint("leave the brackets out or write `\\cdot` for a product, leave the argument out for a function"))
    }

    /// The place of the bracket that closes the one at a place, if there is one.
    pub(super) fn closing_bracket(&self, open: usize) -> Option<usize> {
        if self.words[..self.end].get(open).is_none_or(|w| w.0 != Token::Sign('(')) {
            return None;
        }
        let mut depth = 0usize;
        for (i, (token, _)) in self.words[..self.end].iter().enumerate().skip(open) {
            match token {
                Token::Sign('(') => depth += 1,
                Token::Sign(')') if depth == 1 => return Some(i),
                Token::Sign(')') => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// A table of data with its argument.
    fn table(&mut self, name: String, primes: u8, start: usize) -> Result<Piece> {
        let Some(argument) = self.bracketed()? else {
            return Err(Error::input(format!("the table `{name}` without argument"))
                .at(self.span_from(start))
                .hint("write its argument in brackets"));
        };
        let call = Call { function: name, primes, power: None, arguments: vec![argument] };
        Ok(Piece::new(What::Call(call), self.span_from(start)))
    }
}

/// The letter in the author's own spelling, without dots and primes.
fn shown(letter: &Letter) -> Shown {
    let word = |part: &String| {
        if GREEK.contains(&part.as_str()) || part == "ell" { format!("\\{part}") } else { part.clone() }
    };
    let mut source = letter.parts.first().map(word).unwrap_or_default();
    if letter.parts[0].chars().count() > 1 && !source.starts_with('\\') {
        source = format!("\\mathit{{{}}}", source.replace('_', "\\_"));
    }
    let (marks, indices): (Vec<&String>, Vec<&String>) =
        letter.parts[1..].iter().partition(|p| p.starts_with('^') || ACCENTS.contains(&p.as_str()));
    let accents: Vec<&&String> = marks.iter().filter(|m| !m.starts_with('^')).collect();
    for accent in accents {
        source = format!("\\{accent}{{{source}}}");
    }
    match &indices[..] {
        [] => {}
        [one] if one.chars().count() == 1 => source.push_str(&format!("_{one}")),
        several => {
            let several: Vec<String> = several.iter().map(|p| word(p)).collect();
            source.push_str(&format!("_{{{}}}", several.join(",")));
        }
    }
    for mark in marks.iter().filter(|m| m.starts_with('^')) {
        source.push_str(&format!("^{{{}}}", &mark[1..]));
    }
    Shown { source, parts: letter.parts.clone() }
}
