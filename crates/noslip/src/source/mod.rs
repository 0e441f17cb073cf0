//! TOML text as a tree of items that know their place in the file.
//!
//! Keeps the order of the file, reads numbers exactly from their text, and maps places inside a decoded string (escapes,
//! `"""`, line continuations) back to the file.

mod indexed;
mod names;
mod order;
mod ranges;

pub(crate) use names::{quoted, valid_name};
pub(crate) use order::dependencies_first;
pub(crate) use ranges::{Written, write_out};

use crate::arrange::Arrange;
use crate::error::{Error, Span};
use crate::expr::{Rational, decimal};
use crate::limits::Limits;
use num_bigint::BigInt;
use toml::de::{DeTable, DeValue};

/// A value and where it stands (a string's place includes its quotes).
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its place in the file.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// A TOML value with exact numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A string, decoded.
    String(String),
    /// An integer or a decimal number, exactly as written.
    Number(Rational),
    /// `true` or `false`.
    Bool(bool),
    /// A date or time.
    Date(String),
    /// An array.
    Array(Vec<Item>),
    /// A table, in the order of the file.
    Table(Vec<Entry>),
}

/// One `key = value` of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub item: Item,
}

impl Value {
    /// The type in words, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::String(_) => "a string",
            Value::Number(_) => "a number",
            Value::Bool(_) => "true or false",
            Value::Date(_) => "a date",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }

    /// The items of an array.
    pub fn as_array(&self) -> Option<&[Item]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a table.
    pub fn as_table(&self) -> Option<&[Entry]> {
        match self {
            Value::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of a table with that key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match self {
            Value::Table(entries) => entries.iter().find(|e| e.key == key),
            _ => None,
        }
    }
}

/// What reading a file found wrong with it.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) errors: Vec<Error>,
    pub(crate) warnings: Vec<Error>,
}

/// More messages than a person reads are not helpful.
const MESSAGES: usize = 50;

impl Findings {
    pub(crate) fn error(&mut self, error: Error) {
        if !self.full() && !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    pub(crate) fn warning(&mut self, warning: Error) {
        if self.warnings.len() < MESSAGES {
            self.warnings.push(warning);
        }
    }

    /// Are there as many messages as anyone will read?
    pub(crate) fn full(&self) -> bool {
        self.errors.len() >= MESSAGES
    }

    /// The value, or the error noted.
    pub(crate) fn keep<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|e| self.error(e)).ok()
    }

    /// In the order of the file.
    pub(crate) fn sort(&mut self) {
        let place = |e: &Error| e.span.as_ref().map_or(0, |s| s.start);
        self.errors.arrange_by_key(place);
        self.warnings.arrange_by_key(place);
    }
}

/// The text of a file, if it is text of a reasonable length.
pub(crate) fn text_of<'a>(bytes: &'a [u8], limits: &Limits) -> Result<&'a str, Error> {
    if bytes.len() > limits.file_bytes {
        let message = format!("the file has {} bytes; the limit is {}", bytes.len(), limits.file_bytes);
        return Err(Error::limit(message).hint("measured data belongs into tables with fewer points"));
    }
    std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        Error::input(format!("the file is not UTF-8 text: byte {} is 0x{:02X}", at, bytes[at]))
            .at(at..at + 1)
            .hint("save the file with the encoding UTF-8")
    })
}

/// The sections of a file, whatever they mean.
pub fn sections(text: &str, limits: &Limits) -> Result<Vec<Entry>, Vec<Error>> {
    let mut findings = Findings::default();
    match read(text, limits, &mut findings) {
        Some(entries) if findings.errors.is_empty() => Ok(entries),
        _ => Err(findings.errors),
    }
}

/// Reads a TOML document; `None` when its syntax is wrong, because everything else would be a consequence.
pub(crate) fn read(text: &str, limits: &Limits, findings: &mut Findings) -> Option<Vec<Entry>> {
    if let Err(error) = text_of(text.as_bytes(), limits) {
        findings.error(error);
        return None;
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    for e in errors {
        let mut error = Error::input(e.message().trim().replace('\n', ", "));
        error.span = e.span().map(|s| s.start.min(text.len())..s.end.min(text.len()));
        if let (Some(key), "duplicate key") = (error.span.clone().and_then(|s| text.get(s)), error.message.as_str()) {
            error.message = format!("duplicate key `{key}`");
            error.hint = Some("it is given twice in this section; remove one of them".to_owned());
        }
        // `phi' = 2`: a key with a prime.
        if error.span.clone().and_then(|s| text.get(s)).is_some_and(|s| s.starts_with('\'')) {
            error.hint =
                Some("a key has no prime; initial velocities are `velocity = { phi = 2 }` under [initial]".to_owned());
        }
        findings.error(error);
    }
    findings.errors.is_empty().then(|| table(document.get_ref(), limits, findings))
}

fn table(table: &DeTable<'_>, limits: &Limits, findings: &mut Findings) -> Vec<Entry> {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref().to_string(),
            key_span: key.span(),
            item: item(value, limits, findings),
        })
        .collect();
    // The parser sorts by key; the order of the file is the order of the equations.
    entries.arrange_by_key(|e| e.key_span.start);
    entries
}

// The parser refuses deeply nested values, so recursion is bounded here.
fn item(value: &toml::Spanned<DeValue<'_>>, limits: &Limits, findings: &mut Findings) -> Item {
    let span = value.span();
    let value = match value.get_ref() {
        DeValue::String(s) => Value::String(s.to_string()),
        DeValue::Integer(n) => number(n.as_str(), n.radix(), &span, limits, findings),
        DeValue::Float(x) => number(x.as_str(), 10, &span, limits, findings),
        DeValue::Boolean(b) => Value::Bool(*b),
        DeValue::Datetime(d) => Value::Date(d.to_string()),
        DeValue::Array(list) => Value::Array(list.iter().map(|x| item(x, limits, findings)).collect()),
        DeValue::Table(t) => Value::Table(table(t, limits, findings)),
    };
    Item { span, value }
}

fn number(text: &str, radix: u32, span: &Span, limits: &Limits, findings: &mut Findings) -> Value {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = if digits.starts_with(['i', 'n']) {
        findings.error(
            Error::input(format!("`{text}` is not a number a model can use"))
                .at(span.clone())
                .hint("give a finite number"),
        );
        None
    } else {
        let value = match radix {
            10 => decimal(digits, limits.number_bits),
            _ => BigInt::parse_bytes(digits.as_bytes(), radix)
                .map(Rational::from)
                .filter(|n| n.bits() <= limits.number_bits),
        };
        if value.is_none() {
            findings.error(Error::limit(format!("number with more than {} bits", limits.number_bits)).at(span.clone()));
        }
        value
    };
    let magnitude = magnitude.unwrap_or_default();
    if let Err(e) = representable(&magnitude) {
        match e.kind {
            crate::error::ErrorKind::Computation => findings.warning(e.at(span.clone())),
            _ => findings.error(e.at(span.clone())),
        }
    }
    Value::Number(if negative { -&magnitude } else { magnitude })
}

/// Can floating point hold this number? A value that would overflow is wrong input, one that vanishes only suspicious
/// (of the kind `Computation`): the exact engine knows it, the simulation does not.
pub(crate) fn representable(n: &Rational) -> Result<(), Error> {
    let x = n.to_f64();
    if !x.is_finite() {
        return Err(Error::input("this number is too large for a computation in floating point (1.8e308)")
            .hint("choose other units"));
    }
    if x.abs() < f64::MIN_POSITIVE && !n.is_zero() {
        return Err(Error::computation("this number is so small that it vanishes in floating point")
            .hint("simulations take it for zero; choose other units"));
    }
    Ok(())
}

/// Moves the place of an error from inside a decoded string to the file, where the string stands at `literal`.
pub(crate) fn placed_in_file(mut error: Error, file: &str, literal: &Span) -> Error {
    if let Some(inner) = error.span.take() {
        error.span = Some(place_in_file(file, literal, &inner));
    }
    error
}

/// The place in the file of the decoded bytes `inner` of the string literal at `literal`.
pub(crate) fn place_in_file(file: &str, literal: &Span, inner: &Span) -> Span {
    let raw = &file[literal.clone()];
    let (open, basic) = match raw.as_bytes() {
        [b'"', b'"', b'"', ..] => (3, true),
        [b'\'', b'\'', b'\'', ..] => (3, false),
        [b'"', ..] => (1, true),
        [b'\'', ..] => (1, false),
        // Not a quoted string: the text was put together from what stands there.
        _ => return literal.clone(),
    };
    let end = raw.len().saturating_sub(open).max(open);
    let mut at = open;
    if open == 3 {
        // A newline directly behind the opening quotes does not count.
        let newline = ["\r\n", "\n"].into_iter().find(|n| raw[at..].starts_with(n));
        at += newline.map_or(0, str::len);
    }
    let mut decoded = 0;
    let (mut start, mut stop) = (None, at);
    while at < end {
        if decoded >= inner.start && start.is_none() {
            // Skip a line continuation: it stands in front of the character, not in it.
            let (raw_length, decoded_length) = character(&raw[at..end], basic);
            if decoded_length == 0 {
                at += raw_length;
                continue;
            }
            start = Some(at);
        }
        if decoded >= inner.end && start.is_some() {
            break;
        }
        let (raw_length, decoded_length) = character(&raw[at..end], basic);
        at += raw_length;
        decoded += decoded_length;
        if decoded_length > 0 {
            stop = at;
        }
    }
    let start = start.unwrap_or(end);
    let stop = if inner.is_empty() { start } else { stop.max(start) };
    literal.start + start..literal.start + stop
}

/// How long the first character is as written and as decoded.
fn character(raw: &str, basic: bool) -> (usize, usize) {
    let plain = raw.chars().next().map_or(1, char::len_utf8);
    if !basic || !raw.starts_with('\\') {
        return (plain, plain);
    }
    let code = |digits: usize| {
        let text = raw.get(2..2 + digits).unwrap_or_default();
        let length = u32::from_str_radix(text, 16).ok().and_then(char::from_u32).map_or(1, char::len_utf8);
        (2 + digits, length)
    };
    match raw.as_bytes().get(1) {
        Some(b'u') => code(4),
        Some(b'U') => code(8),
        Some(b'x') => code(2),
        Some(b' ' | b'\t' | b'\n' | b'\r') => {
            let rest = raw[1..].trim_start_matches([' ', '\t', '\n', '\r']);
            (raw.len() - rest.len(), 0)
        }
        _ => (2, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (Vec<Entry>, Findings) {
        let mut findings = Findings::default();
        let entries = read(text, &Limits::default(), &mut findings);
        (entries.unwrap_or_default(), findings)
    }

    #[test]
    fn places_in_strings_are_found_in_the_file_whatever_the_quotes_and_escapes() {
        let files = [
            "a = \"one MARK two\"",
            "a = 'one MARK two'",
            "a = \"\"\"\none\n  MARK two\"\"\"",
            "a = \"\"\"\r\none\r\n  MARK two\"\"\"",
            "a = \"\"\"one \\\n   \\\n    MARK \\\n two\"\"\"",
            "a = '''\none\nMARK two'''",
            "a = \"\\t\\u03b8\\U000003b8\\x41 \\\\ \\\" é MARK\"",
            "# ünï\na = \"θθθMARK\"",
            "a = \"\"\"MARK\"\"\"",
            "a = \"\"\"\\\n   MARK\"\"\"",
        ];
        for file in files {
            let (entries, findings) = parse(file);
            assert!(findings.errors.is_empty(), "{file}: {:?}", findings.errors);
            let Value::String(decoded) = &entries[0].item.value else { panic!("{file}") };
            let at = decoded.find("MARK").unwrap();
            let place = place_in_file(file, &entries[0].item.span, &(at..at + 4));
            assert_eq!(&file[place], "MARK", "in {file}");
            let end = decoded.len();
            let place = place_in_file(file, &entries[0].item.span, &(end..end));
            assert!(place.start <= file.len() && place.is_empty());
        }
    }

    #[test]
    fn numbers_are_read_exactly_from_their_text() {
        let (entries, findings) =
            parse("a = 0.1\nb = 1_000\nc = -1.5e-3\nd = 0x1F\ne = +2.0\nf = 123456789012345678901234567890");
        assert!(findings.errors.is_empty(), "{:?}", findings.errors);
        let values: Vec<String> = entries
            .iter()
            .map(|e| match &e.item.value {
                Value::Number(n) => n.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(values, ["1/10", "1000", "-3/2000", "31", "2", "123456789012345678901234567890"]);
    }

    #[test]
    fn what_floating_point_cannot_hold_is_said() {
        let (_, f) = parse("a = nan\nb = -inf\nc = 1e400\nd = 1e999999999");
        let messages: Vec<&str> = f.errors.iter().map(|e| e.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "`nan` is not a number a model can use",
                "`-inf` is not a number a model can use",
                "this number is too large for a computation in floating point (1.8e308)",
                "number with more than 65536 bits"
            ]
        );
        let (_, f) = parse("a = 1e-400");
        assert!(f.errors.is_empty() && f.warnings.len() == 1);
    }

    #[test]
    fn hostile_files_are_refused_not_suffered() {
        let limits = Limits { file_bytes: 100, ..Limits::default() };
        let mut f = Findings::default();
        read(&"a".repeat(101), &limits, &mut f);
        assert_eq!(f.errors[0].kind, crate::ErrorKind::Limit);
        assert!(text_of(b"ab\xffc", &limits).unwrap_err().span == Some(2..3));
        std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn(|| {
                let (_, f) = parse(&format!("a = {}", "[".repeat(100_000)));
                assert!(!f.errors.is_empty());
                let (_, f) = parse(&format!("a = {}", "{a=".repeat(100_000)));
                assert!(!f.errors.is_empty());
                let (_, f) = parse(&format!("{}a = 1", "a.".repeat(100_000)));
                assert!(!f.errors.is_empty());
            })
            .unwrap()
            .join()
            .unwrap();
    }
}
