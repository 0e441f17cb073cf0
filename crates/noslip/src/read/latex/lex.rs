//! Words of LaTeX mathematics, with their place in the text.

use crate::error::{Error, Result, Span};

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A decimal number.
    Number(String),
    /// A letter, or the name of a Greek one.
    Letter(String),
    /// `\name`, but for Greek letters, spaces and sizes of brackets.
    Command(String),
    /// A command of the author that cannot be replaced by what it stands for.
    Own(String),
    /// A sign: `+ - * / = ( ) [ ] | , . ; : ' ^ _ { } < > !`; `\{` and `\}` are `⟨` and `⟩`.
    Sign(char),
    /// A visible space: `\,` and its like.
    Gap,
    /// `\quad` and wider: it may stand between equations.
    Wide,
    /// `&`
    Align,
    /// `\\`
    Break,
}

/// A word and where it stands.
pub(super) type Word = (Token, Span);

/// Greek letters by their commands; the same names stand for them in models.
pub(super) const GREEK: [&str; 41] = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "varepsilon",
    "zeta",
    "eta",
    "theta",
    "vartheta",
    "iota",
    "kappa",
    "varkappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "varpi",
    "rho",
    "varrho",
    "sigma",
    "varsigma",
    "tau",
    "upsilon",
    "phi",
    "varphi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Phi",
    "Psi",
    "Omega",
    "Upsilon",
];

/// Commands that change nothing in what is meant.
const SILENT: [&str; 26] = [
    "displaystyle",
    "textstyle",
    "scriptstyle",
    "limits",
    "nonumber",
    "notag",
    "big",
    "Big",
    "bigg",
    "Bigg",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "biggl",
    "biggr",
    "Biggl",
    "Biggr",
    "bigm",
    "mathstrut",
    "strut",
    "hfill",
    "allowbreak",
    "relax",
    "ensuremath",
    "xspace",
];

/// Cuts a formula into words. `base` is added to all places.
pub(super) fn words(text: &str, base: usize) -> Result<Vec<Word>> {
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let token = match c {
            c if c.is_whitespace() => continue,
            '%' => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
                continue;
            }
            '~' => Token::Gap,
            '&' => Token::Align,
            '0'..='9' => {
                at = number_end(text, start);
                Token::Number(text[start..at].replace("{,}", "."))
            }
            '.' if text[at..].starts_with(|c: char| c.is_ascii_digit()) => {
                at = number_end(text, start);
                Token::Number(format!("0{}", &text[start..at]))
            }
            '\\' => match command(text, &mut at) {
                Some(token) => token,
                None => continue,
            },
            '+' | '-' | '*' | '/' | '=' | '(' | ')' | '[' | ']' | '|' | ',' | '.' | ';' | ':' | '\'' | '^' | '_'
            | '{' | '}' | '<' | '>' | '!' => Token::Sign(c),
            '−' | '–' => Token::Sign('-'),
            '·' | '⋅' | '×' => Token::Command("cdot".into()),
            '′' | '’' => Token::Sign('\''),
            c if c.is_ascii_alphabetic() => Token::Letter(c.to_string()),
            c => match crate::expr::greek(c) {
                Some(name) => Token::Letter(name.to_owned()),
                None => {
                    return Err(Error::input(format!("`{}` is not read in a formula", c.escape_debug()))
                        .at(base + start..base + at)
                        .hint("write the letter as a LaTeX command, or put what is no formula into a comment"));
                }
            },
        };
        list.push((token, base + start..base + at));
    }
    Ok(list)
}

/// Digits, with a decimal point (or the comma of `1{,}5`) if digits follow it.
fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let end = digits(start);
    let point = if text[end..].starts_with("{,}") { 3 } else { usize::from(text[end..].starts_with('.')) };
    let last = digits(end + point);
    if point > 0 && last > end + point { last } else { end }
}

/// The word behind a backslash; `None` where it changes nothing.
fn command(text: &str, at: &mut usize) -> Option<Token> {
    let rest = &text[*at..];
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 {
        let c = rest.chars().next()?;
        *at += c.len_utf8();
        return Some(match c {
            '\\' => {
                // `\\[2pt]` and `\\*`
                let after = &text[*at..];
                if after.starts_with('[') {
                    *at += after.find(']').map_or(0, |i| i + 1);
                } else if after.starts_with('*') {
                    *at += 1;
                }
                Token::Break
            }
            ',' | ';' | ':' | '>' | ' ' | '\n' => Token::Gap,
            '!' | '/' => return None,
            '{' => Token::Sign('⟨'),
            '}' => Token::Sign('⟩'),
            '|' => Token::Sign('‖'),
            c => Token::Command(c.to_string()),
        });
    }
    let name = &rest[..letters];
    *at += letters;
    let silent = SILENT.contains(&name);
    Some(match name {
        _ if silent => return None,
        "label" | "tag" | "hspace" | "vspace" | "phantom" | "hphantom" | "vphantom" | "intertext"
        | "shortintertext" => {
            skip_argument(text, at);
            return None;
        }
        "quad" | "qquad" => Token::Wide,
        "enspace" | "thinspace" | "medspace" | "thickspace" | "enskip" => Token::Gap,
        "lvert" | "rvert" | "vert" => Token::Sign('|'),
        "lbrace" => Token::Sign('⟨'),
        "rbrace" => Token::Sign('⟩'),
        "lbrack" => Token::Sign('['),
        "rbrack" => Token::Sign(']'),
        "lparen" => Token::Sign('('),
        "rparen" => Token::Sign(')'),
        "colon" => Token::Sign(':'),
        "times" | "ast" => Token::Command("cdot".into()),
        "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac" => Token::Command("frac".into()),
        "ell" => Token::Letter("ell".into()),
        name if GREEK.contains(&name) => Token::Letter(name.to_owned()),
        name => Token::Command(name.to_owned()),
    })
}

/// Passes over `{…}`, with a star before it.
fn skip_argument(text: &str, at: &mut usize) {
    let mut depth = 0usize;
    for (i, c) in text[*at..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth <= 1 => {
                *at += i + 1;
                return;
            }
            '}' => depth -= 1,
            '*' | ' ' if depth == 0 => {}
            _ if depth == 0 => return,
            _ => {}
        }
    }
    *at = text.len();
}
