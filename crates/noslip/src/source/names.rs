//! Names as model files spell them, and strings as TOML writes them.

use crate::error::Error;
use std::fmt::Write;

/// Letters, digits and `_`, starting with a letter.
pub(crate) fn valid_name(name: &str) -> Result<(), Error> {
    let first = name.bytes().next();
    if !first.is_some_and(|b| b.is_ascii_alphabetic()) || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    {
        let hint = if name.contains('\'') {
            "primes are written in expressions only: here stands the name without them"
        } else {
            "a name starts with a letter and goes on with letters, digits and `_` (Greek letters by their names)"
        };
        return Err(Error::input(format!("`{name}` is not a name")).hint(hint));
    }
    Ok(())
}

/// A string as TOML writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => _ = write!(out, "\\u{:04X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}
