//! One text with indices: `m[i]*x[i-1]'^2`, `sum(j = 1..i, l*cos(theta[j]))`, with plain names and numbers in their place.

use crate::arrange::Arrange;
use crate::error::{Error, Result, Span};
use rustc_hash::FxHashSet;

/// Sums in sums.
const NESTED: usize = 8;

/// The first and the last value of an index; none where the last is smaller.
pub(super) type Bounds = (i64, i64);

/// What indices and names mean where a text stands.
#[derive(Default)]
pub(super) struct Indices {
    /// Whole numbers with a name.
    pub(super) sizes: Vec<(String, i64)>,
    pub(super) ranges: Vec<(String, Bounds)>,
    /// Plain names of the file.
    pub(super) names: FxHashSet<String>,
    /// Indices that have a value while something is written.
    pub(super) bound: Vec<(String, i64)>,
    /// The most values an index may have.
    pub(super) most: usize,
    /// Bytes that may still be written.
    pub(super) left: usize,
}

/// A text with plain names, and the one it was made from.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) text: String,
    /// The values of the indices, in words.
    pub(super) bound: String,
    pieces: Vec<Piece>,
}

/// A stretch of a text from `at` on: copied, or written for something else.
#[derive(Debug)]
struct Piece {
    at: usize,
    from: Span,
    copied: bool,
}

impl Text {
    /// Where the bytes `inner` come from.
    pub(super) fn source(&self, inner: &Span) -> Span {
        let piece = |at: usize| self.pieces.iter().rev().find(|p| p.at <= at);
        let Some(first) = piece(inner.start) else { return 0..0 };
        let start = if first.copied { first.from.start + (inner.start - first.at) } else { first.from.start };
        let end = match piece(inner.end.saturating_sub(1)) {
            Some(last) if last.copied => last.from.start + (inner.end - last.at),
            Some(last) => last.from.end,
            None => start,
        };
        start..end.max(start)
    }

    fn copy(&mut self, source: &str, from: Span) {
        if !from.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), from: from.clone(), copied: true });
            self.text.push_str(&source[from]);
        }
    }

    fn put(&mut self, text: &str, from: Span) {
        self.pieces.push(Piece { at: self.text.len(), from, copied: false });
        self.text.push_str(text);
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// Where what belongs together ends, from `at` on.
fn skip(source: &str, at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    source.as_bytes()[at..].iter().position(|&b| !belongs(b)).map_or(source.len(), |n| at + n)
}

fn blank(source: &str, at: usize) -> usize {
    skip(source, at, |b| b.is_ascii_whitespace())
}

impl Indices {
    fn value_of(&self, word: &str) -> Option<i64> {
        let known = self.bound.iter().rev().chain(&self.sizes);
        known.into_iter().find(|(name, _)| name == word).map(|(_, value)| *value)
    }

    fn range_of(&self, word: &str) -> Option<Bounds> {
        self.ranges.iter().find(|(name, _)| name == word).map(|(_, bounds)| *bounds)
    }

    /// Is this the name of an index or a size?
    pub(super) fn is_index(&self, word: &str) -> bool {
        self.range_of(word).is_some() || self.sizes.iter().any(|(name, _)| name == word)
    }

    /// The values of the indices in words: `i = 3`.
    pub(super) fn in_words(&self) -> String {
        let list: Vec<String> = self.bound.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        list.join(", ")
    }

    /// A whole number: sums and products of numbers, sizes and indices with a value.
    pub(super) fn whole(&self, source: &str, place: Span) -> Result<i64> {
        let malformed = || {
            Error::input(format!("`{}` is no index", source[place.clone()].trim()))
                .at(place.clone())
                .hint("an index is a whole number made of numbers, sizes and indices: `i`, `3`, `n - 1`, `2*i + 1`")
        };
        let beyond = || malformed().hint("it is too large for a number of something");
        let (mut total, mut sign, mut factor, mut at) = (0i64, 1i64, None::<i64>, place.start);
        loop {
            at = blank(source, at).min(place.end);
            let end = skip(source, at, is_word).min(place.end);
            let word = &source[at..end];
            let value = match word.as_bytes().first() {
                Some(b'0'..=b'9') => word.parse().map_err(|_| malformed())?,
                Some(_) => self.value_of(word).ok_or_else(|| self.no_value(word, at..end))?,
                None if factor.is_none() && source[at..place.end].starts_with('-') => {
                    (sign, at) = (-sign, at + 1);
                    continue;
                }
                None => return Err(malformed()),
            };
            let product = factor.unwrap_or(sign).checked_mul(value).ok_or_else(beyond)?;
            at = blank(source, end).min(place.end);
            match source[at..place.end].bytes().next() {
                Some(b'*') => factor = Some(product),
                next => {
                    total = total.checked_add(product).ok_or_else(beyond)?;
                    factor = None;
                    sign = if next == Some(b'-') { -1 } else { 1 };
                    match next {
                        None => return Ok(total),
                        Some(b'+' | b'-') => {}
                        Some(_) => return Err(malformed()),
                    }
                }
            }
            at += 1;
        }
    }

    fn no_value(&self, word: &str, place: Span) -> Error {
        match self.range_of(word) {
            Some(_) => Error::input(format!("the index `{word}` has no value here")).at(place).hint(format!(
                "put it into the name on the left, `\"name[{word}]\" = …`, or sum over it: `sum({word}, …)`"
            )),
            None => Error::input(format!("unknown index `{word}`"))
                .at(place)
                .hint(format!("indices and sizes are declared under [ranges]: `{word} = \"1..5\"`, `{word} = 5`")),
        }
    }

    /// `a..b`.
    pub(super) fn bounds(&self, source: &str, place: Span) -> Result<Bounds> {
        let text = &source[place.clone()];
        let Some(dots) = text.find("..") else {
            return Err(Error::input(format!("`{}` is no range", text.trim()))
                .at(place)
                .hint("a range is written with two dots: `1..5`, `2..n`"));
        };
        let first = self.whole(source, place.start..place.start + dots)?;
        let last = self.whole(source, place.start + dots + 2..place.end)?;
        let error = if first < 0 {
            Error::input(format!("the range {first}..{last} begins below zero"))
                .hint("names are counted from 0 or from a larger number")
        } else if last < first - 1 {
            Error::input(format!("the range {first}..{last} runs backwards"))
                .hint("the first value stands before the last; a range without values ends one before it begins")
        } else if usize::try_from(last - first).is_ok_and(|n| n >= self.most) {
            Error::limit(format!("the range {first}..{last} has more than {} values", self.most))
        } else {
            return Ok((first, last));
        };
        Err(error.at(place))
    }

    /// Indices in brackets that have no value and that no sum gives one.
    pub(super) fn free(&self, source: &str) -> Vec<String> {
        let mut free: Vec<String> = Vec::new();
        let mut summed: Vec<&str> = Vec::new();
        let mut at = 0;
        let mut brackets = false;
        while at < source.len() {
            let end = skip(source, at, is_word);
            let word = &source[at..end];
            if word == "sum" && source[blank(source, end)..].starts_with('(') {
                let start = blank(source, blank(source, end) + 1);
                summed.push(&source[start..skip(source, start, is_word)]);
            }
            let unknown = brackets && self.range_of(word).is_some() && self.value_of(word).is_none();
            if unknown && !summed.contains(&word) && !free.iter().any(|f| f == word) {
                free.push(word.to_owned());
            }
            at = end;
            if let Some(c) = source[at..].chars().next() {
                brackets = c == '[' || brackets && c != ']';
                at += c.len_utf8();
            }
        }
        free
    }

    /// The text with plain names. Places in errors are those of `source`.
    pub(super) fn write(&mut self, source: &str) -> Result<Text> {
        let mut text = Text { bound: self.in_words(), ..Text::default() };
        let written = self.stretch(source, 0..source.len(), &mut text, 0);
        self.left = self.left.saturating_sub(text.text.len());
        written.map(|()| text)
    }

    fn stretch(&mut self, source: &str, range: Span, out: &mut Text, depth: usize) -> Result<()> {
        let (mut copied, mut at) = (range.start, range.start);
        while at < range.end {
            let first = source.as_bytes()[at];
            if first.is_ascii_digit() || first == b'.' {
                // `2i` is no product, and `F.i` no index.
                at = skip(source, at, |b| is_word(b) || b == b'.');
                continue;
            }
            if !first.is_ascii_alphabetic() {
                at += source[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            let end = skip(source, at, is_word);
            let word = &source[at..end];
            let open = blank(source, end);
            let after = if word == "sum" && source[open..range.end].starts_with('(') {
                out.copy(source, copied..at);
                self.sum(source, at..open, range.end, out, depth)?
            } else if source[end..range.end].starts_with('[') {
                let (name, after) = self.name(source, at..end, range.end)?;
                out.copy(source, copied..at);
                out.put(&name, at..after);
                after
            } else if let Some(value) = self.value_of(word) {
                out.copy(source, copied..at);
                out.put(&value.to_string(), at..end);
                end
            } else if self.range_of(word).is_some() {
                return Err(self.no_value(word, at..end));
            } else {
                at = end;
                continue;
            };
            self.room(out, at..end)?;
            (copied, at) = (after, after);
        }
        out.copy(source, copied..range.end);
        self.room(out, range)
    }

    /// Nothing is written that is longer than a file may be.
    fn room(&self, out: &Text, place: Span) -> Result<()> {
        match out.text.len() > self.left {
            true => Err(Indices::too_long(place)),
            false => Ok(()),
        }
    }

    pub(super) fn too_long(place: Span) -> Error {
        Error::limit("written out, the ranges of this file are too long")
            .at(place)
            .hint("give shorter ranges, or a definition to each partial sum: `\"x[i]\" = \"x[i-1] + l*cos(theta[i])\"`")
    }

    /// `word[index]` as a plain name, and where it ends.
    fn name(&self, source: &str, word: Span, end: usize) -> Result<(String, usize)> {
        let base = &source[word.clone()];
        let Some(close) = source[word.end..end].find(']').map(|n| word.end + n) else {
            return Err(Error::input("`[` is never closed").at(word.end..word.end + 1));
        };
        let place = word.start..close + 1;
        let value = self.whole(source, word.end + 1..close)?;
        let written = &source[place.clone()];
        let with = if self.bound.is_empty() { String::new() } else { format!(" with {}", self.in_words()) };
        if base.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(Error::input(format!("`{base}` ends with a digit, an index behind it cannot be told from it"))
                .at(word)
                .hint(format!("write `{base}_[…]`")));
        }
        let name = format!("{base}{value}");
        if self.names.contains(&name) {
            return Ok((name, place.end));
        }
        let mut there: Vec<u64> = self.names.iter().filter_map(|n| n.strip_prefix(base)?.parse().ok()).collect();
        there.arrange();
        let hint = match (there.first(), there.last()) {
            (Some(a), Some(b)) if a == b => format!("the only name of this kind is `{base}{a}`"),
            (Some(a), Some(b)) => format!("names of this kind are `{base}{a}` to `{base}{b}`"),
            // An unknown name is left to the reader of expressions, who knows what is like it.
            _ if value >= 0 => return Ok((name, place.end)),
            _ => "indices of names are not negative".to_owned(),
        };
        Err(Error::input(format!("`{written}` is `{name}`{with}, and there is none")).at(place).hint(hint))
    }

    /// `sum(j = a..b, e)`, or `sum(i, e)` over the whole range; where it ends.
    fn sum(&mut self, source: &str, word: Span, end: usize, out: &mut Text, depth: usize) -> Result<usize> {
        let open = word.end;
        let here = word.start..open + 1;
        let mut level = 0usize;
        let close = source[open..end].bytes().position(|b| {
            match b {
                b'(' => level += 1,
                b')' => level -= 1,
                _ => {}
            }
            level == 0
        });
        let usage = "write `sum(i, …)` for the whole range of `i`, or `sum(j = 1..n, …)`";
        let Some(close) = close.map(|n| open + n) else {
            return Err(Error::input("this sum is never closed").at(here).hint(usage));
        };
        let start = blank(source, open + 1);
        let stop = skip(source, start, is_word);
        let index = &source[start..stop];
        let comma = source[stop..close].find(',').map(|n| stop + n);
        let (Some(comma), Some(b'a'..=b'z' | b'A'..=b'Z')) = (comma, index.bytes().next()) else {
            return Err(Error::input("this sum does not say over what").at(word.start..close + 1).hint(usage));
        };
        let next = blank(source, stop);
        let (first, last) = match source.as_bytes()[next] {
            b'=' => self.bounds(source, next + 1..comma)?,
            b',' => self.range_of(index).ok_or_else(|| self.no_value(index, start..stop))?,
            _ => return Err(Error::input("this sum does not say over what").at(start..comma).hint(usage)),
        };
        if self.value_of(index).is_some() || self.names.contains(index) || matches!(index, "t" | "pi" | "sum") {
            return Err(Error::input(format!("`{index}` means something else here already"))
                .at(start..stop)
                .hint("choose another letter for the index of the sum"));
        }
        if depth == NESTED {
            return Err(Error::limit(format!("sums in sums, more than {NESTED} levels")).at(here));
        }
        out.put(if first > last { "0" } else { "(" }, here.clone());
        for value in first..=last {
            out.put(if value > first { " + (" } else { "(" }, here.clone());
            self.bound.push((index.to_owned(), value));
            let term = self.stretch(source, comma + 1..close, out, depth + 1);
            self.bound.pop();
            term?;
            out.put(if value == last { "))" } else { ")" }, close..close + 1);
        }
        Ok(close + 1)
    }
}
