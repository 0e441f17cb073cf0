//! A formula as its author wrote it, in MathML Core.

use super::tree::{Call, Join, Piece, Shown, What};
use crate::error::Span;
use crate::expr::greek_letter;

const APPLY: &str = "<mo>\u{2061}</mo>";

/// What stands in place of a marked piece: its span, and MathML put in its stead.
pub type Mark<'a> = (&'a Span, &'a str);

/// The MathML of a piece, as one or several elements. A piece whose place is marked is replaced.
pub fn mathml(piece: &Piece, mark: Option<Mark<'_>>) -> String {
    let mut out = String::new();
    write(piece, mark, &mut out);
    out
}

/// A name, with dots for its derivatives.
pub fn name_mathml(shown: &Shown, primes: u8) -> String {
    let mut out = letter(shown.parts.first().map_or("", String::as_str));
    let (marks, indices): (Vec<&String>, Vec<&String>) = shown.parts.iter().skip(1).partition(|p| p.starts_with('^'));
    if primes > 0 {
        let dots = match primes {
            1 => "˙",
            2 => "¨",
            _ => "⃛",
        };
        out = format!("<mover accent=\"true\">{out}<mo stretchy=\"false\">{dots}</mo></mover>");
    }
    if !indices.is_empty() {
        let list: Vec<String> = indices.iter().map(|p| letter(p)).collect();
        out = format!("<msub>{out}<mrow>{}</mrow></msub>", list.join("<mo>,</mo>"));
    }
    for mark in marks {
        out = format!("<msup>{out}<mo>{}</mo></msup>", escape(&mark[1..]));
    }
    out
}

fn letter(part: &str) -> String {
    if part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
        return format!("<mn>{part}</mn>");
    }
    match greek_letter(part) {
        Some(c) => format!("<mi>{c}</mi>"),
        None => format!("<mi>{}</mi>", escape(part)),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Exactly one element.
fn row(piece: &Piece, mark: Option<Mark<'_>>, out: &mut String) {
    out.push_str("<mrow>");
    write(piece, mark, out);
    out.push_str("</mrow>");
}

fn write(piece: &Piece, mark: Option<Mark<'_>>, out: &mut String) {
    if let Some((span, replacement)) = mark
        && *span == piece.span
    {
        out.push_str(replacement);
        return;
    }
    match &piece.what {
        What::Number(digits) => out.push_str(&format!("<mn>{digits}</mn>")),
        What::Name { primes, shown, .. } => out.push_str(&name_mathml(shown, *primes)),
        What::Sum(terms) => {
            for (i, (minus, term)) in terms.iter().enumerate() {
                out.push_str(match (i, minus) {
                    (0, false) => "",
                    (0, true) => "<mo form=\"prefix\">−</mo>",
                    (_, false) => "<mo>+</mo>",
                    (_, true) => "<mo>−</mo>",
                });
                write(term, mark, out);
            }
        }
        What::Product(factors) => {
            for (i, (join, factor)) in factors.iter().enumerate() {
                out.push_str(match (i, join) {
                    (0, _) => "",
                    (_, Join::Side) => "<mo>\u{2062}</mo>",
                    (_, Join::Times) => "<mo>·</mo>",
                    (_, Join::Over) => "<mo>/</mo>",
                });
                write(factor, mark, out);
            }
        }
        What::Power(base, exponent) => {
            out.push_str("<msup>");
            row(base, mark, out);
            row(exponent, mark, out);
            out.push_str("</msup>");
        }
        What::Fraction(a, b) => {
            out.push_str("<mfrac>");
            row(a, mark, out);
            row(b, mark, out);
            out.push_str("</mfrac>");
        }
        What::Root(2, a) => {
            out.push_str("<msqrt>");
            write(a, mark, out);
            out.push_str("</msqrt>");
        }
        What::Root(degree, a) => {
            out.push_str("<mroot>");
            row(a, mark, out);
            out.push_str(&format!("<mn>{degree}</mn></mroot>"));
        }
        What::Call(call) => write_call(call, mark, out),
        What::Bracket(kind, a) => {
            let (open, close) = match kind {
                '[' => ("[", "]"),
                '{' => ("{", "}"),
                '|' => ("|", "|"),
                _ => ("(", ")"),
            };
            out.push_str(&format!("<mrow><mo form=\"prefix\">{open}</mo>"));
            write(a, mark, out);
            out.push_str(&format!("<mo form=\"postfix\">{close}</mo></mrow>"));
        }
        What::Rate(order, a, _) => {
            let power = |x: &str| match order {
                1 => format!("<mi>{x}</mi>"),
                n => format!("<msup><mi>{x}</mi><mn>{n}</mn></msup>"),
            };
            out.push_str(&format!("<mfrac>{}<mrow><mi>d</mi>{}</mrow></mfrac>", power("d"), power("t")));
            write(a, mark, out);
        }
    }
}

fn write_call(call: &Call, mark: Option<Mark<'_>>, out: &mut String) {
    let name = match call.function.as_str() {
        "asin" => "arcsin",
        "acos" => "arccos",
        "atan" => "arctan",
        "sign" => "sgn",
        name => name,
    };
    let mut head = format!("<mi>{}</mi>", escape(name));
    if call.primes > 0 {
        head = format!("<msup>{head}<mo>{}</mo></msup>", "′".repeat(call.primes.into()));
    }
    if let Some(power) = &call.power {
        head = format!("<msup>{head}<mn>{power}</mn></msup>");
    }
    out.push_str(&head);
    out.push_str(APPLY);
    match &call.arguments[..] {
        [one] => write(one, mark, out),
        several => {
            out.push_str("<mrow><mo>(</mo>");
            for (i, argument) in several.iter().enumerate() {
                out.push_str(if i > 0 { "<mo>,</mo>" } else { "" });
                write(argument, mark, out);
            }
            out.push_str("<mo>)</mo></mrow>");
        }
    }
}
