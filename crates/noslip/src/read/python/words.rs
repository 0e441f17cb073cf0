//! Words of Python, and the names SymPy and its neighbours give to things.

use crate::error::{Error, Result, Span};

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(String),
    Name(String),
    Text(String),
    Sign(&'static str),
    Prime(u8),
}

/// Cuts a text into words.
pub(super) fn words(text: &str) -> Result<Vec<(Token, Span)>> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut list: Vec<(Token, Span)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let b = bytes[at];
        at += 1;
        let token = match b {
            b' ' | b'\t' | b'\n' | b'\r' => continue,
            b'\\' if matches!(byte(at), b'\n' | b'\r') => continue,
            b'#' => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            b'0'..=b'9' | b'.' if b != b'.' || byte(at).is_ascii_digit() => {
                at = number_end(bytes, start);
                Token::Number(text[start..at].replace('_', ""))
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                while byte(at).is_ascii_alphanumeric() || byte(at) == b'_' {
                    at += 1;
                }
                Token::Name(text[start..at].to_owned())
            }
            b'\'' if list.last().is_some_and(|(t, s)| matches!(t, Token::Name(_)) && s.end == start) => {
                while byte(at) == b'\'' {
                    at += 1;
                }
                Token::Prime(u8::try_from(at - start).unwrap_or(u8::MAX))
            }
            b'\'' | b'"' => {
                let Some(length) = text[at..].find(char::from(b)) else {
                    return Err(Error::input("this quotation mark is never closed").at(start..at));
                };
                at += length + 1;
                Token::Text(text[start + 1..at - 1].to_owned())
            }
            _ => {
                const SIGNS: [&str; 17] =
                    ["**", "==", "//", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", "=", ".", "%", "@"];
                match SIGNS.into_iter().find(|s| text[start..].starts_with(s)) {
                    Some(sign) => {
                        at = start + sign.len();
                        Token::Sign(sign)
                    }
                    None => {
                        let c = text[start..].chars().next().unwrap_or(' ');
                        return Err(Error::input(format!("unexpected character `{}`", c.escape_debug()))
                            .at(start..start + c.len_utf8()));
                    }
                }
            }
        };
        list.push((token, start..at));
    }
    Ok(list)
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let digits = |mut at: usize| {
        while byte(at).is_ascii_digit() || (byte(at) == b'_' && byte(at + 1).is_ascii_digit()) {
            at += 1;
        }
        at
    };
    let mut end = digits(start);
    if byte(end) == b'.' {
        end = digits(end + 1);
    }
    if matches!(byte(end), b'e' | b'E') {
        let sign = usize::from(matches!(byte(end + 1), b'+' | b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

/// A function under the names Python's libraries give it.
pub(super) fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "sin" => "sin",
        "cos" => "cos",
        "tan" => "tan",
        "cot" => "cot",
        "sec" => "sec",
        "csc" => "csc",
        "asin" | "arcsin" => "asin",
        "acos" | "arccos" => "acos",
        "atan" | "arctan" => "atan",
        "atan2" | "arctan2" => "atan2",
        "sinh" => "sinh",
        "cosh" => "cosh",
        "tanh" => "tanh",
        "exp" => "exp",
        "log" | "ln" => "log",
        "sqrt" => "sqrt",
        "Abs" | "abs" | "fabs" => "abs",
        "sign" => "sign",
        _ => return None,
    })
}

/// Words of SymPy that are not functions of numbers.
pub(super) const WORDS: [&str; 20] = [
    "Eq",
    "Equality",
    "Derivative",
    "diff",
    "Symbol",
    "Function",
    "dynamicsymbols",
    "Integer",
    "Rational",
    "Float",
    "S",
    "Add",
    "Mul",
    "Pow",
    "Matrix",
    "ImmutableMatrix",
    "MutableDenseMatrix",
    "ImmutableDenseMatrix",
    "Tuple",
    "UnevaluatedExpr",
];
