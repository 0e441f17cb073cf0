//! MathML Core.

use super::Printer;
use super::layout::{Token, layout};
use super::names::{Name, Word};
use crate::expr::arena::{Arena, Function};
use crate::expr::tree::Tree;
use crate::expr::unspecified::UnspecifiedId;

const APPLY: &str = "<mo>\u{2061}</mo>";

/// `<math …>` around pieces.
pub(super) fn element(opening: &str, pieces: &[String]) -> String {
    let mut out = opening.to_owned();
    out.extend(pieces.iter().map(String::as_str));
    out.push_str("</math>");
    out
}

/// One or several elements; a sum's terms stand side by side.
pub(super) fn print(arena: &Arena, printer: &Printer, tree: &Tree) -> String {
    let mut out = String::new();
    layout(
        tree,
        |s| printer.name(arena, s).is_word(),
        |token| match token {
            Token::Integer(digits) => {
                out.push_str("<mn>");
                out.push_str(&digits);
                out.push_str("</mn>");
            }
            Token::Symbol(s) => name(&printer.name(arena, s), &mut out),
            Token::Plus => out.push_str("<mo>+</mo>"),
            Token::Minus => out.push_str("<mo>−</mo>"),
            // The first of several elements of a row is a prefix by itself, but a row of two would not be enough.
            Token::Sign => out.push_str("<mo form=\"prefix\">−</mo>"),
            Token::Side => out.push_str("<mo>\u{2062}</mo>"),
            Token::Times => out.push_str("<mo>·</mo>"),
            Token::Comma => out.push_str("<mo>,</mo>"),
            Token::Group => out.push_str("<mrow>"),
            Token::EndGroup => out.push_str("</mrow>"),
            Token::Open => out.push_str("<mrow><mo>(</mo>"),
            Token::Close => out.push_str("<mo>)</mo></mrow>"),
            Token::Bar => out.push_str("<mrow><mo form=\"prefix\">|</mo>"),
            Token::EndBar => out.push_str("<mo form=\"postfix\">|</mo></mrow>"),
            Token::Fraction => out.push_str("<mfrac>"),
            Token::Over | Token::Raise => {}
            Token::EndFraction => out.push_str("</mfrac>"),
            Token::Power => out.push_str("<msup>"),
            Token::EndPower => out.push_str("</msup>"),
            Token::Root => out.push_str("<msqrt>"),
            Token::EndRoot => out.push_str("</msqrt>"),
            Token::Function(f, None) => {
                out.push_str("<mi>");
                out.push_str(function(f));
                out.push_str("</mi>");
                out.push_str(APPLY);
            }
            Token::Function(f, Some(n)) => {
                out.push_str(&format!("<msup><mi>{}</mi><mn>{n}</mn></msup>{APPLY}", function(f)));
            }
            Token::Atan2 => {
                out.push_str("<mi>atan2</mi>");
                out.push_str(APPLY);
            }
            Token::Table(table, derivative) => {
                let table = Name::plain(arena.table_name(table), &printer.display);
                if derivative == 0 {
                    name(&table, &mut out);
                } else {
                    out.push_str("<msup>");
                    name(&table, &mut out);
                    out.push_str(&format!("<mo>{}</mo></msup>", "′".repeat(derivative.into())));
                }
                out.push_str(APPLY);
            }
            Token::Unspecified(f) => {
                unspecified(arena, printer, f, &mut out);
            }
            Token::UsualArguments(f) => {
                if let [argument] = &arena.unspecified_function(f).arguments[..] {
                    out.push_str(&format!("{APPLY}<mrow><mo>(</mo>"));
                    name(&Name::plain(argument, &printer.display), &mut out);
                    out.push_str("<mo>)</mo></mrow>");
                }
            }
            Token::Undefined => out.push_str("<mfrac><mn>1</mn><mn>0</mn></mfrac>"),
        },
    );
    out
}

/// Exactly one element: an unspecified function with what it was differentiated by.
fn unspecified(arena: &Arena, printer: &Printer, f: UnspecifiedId, out: &mut String) {
    let function = arena.unspecified_function(f);
    let base = Name::plain(&function.name, &printer.display);
    if function.order() == 0 {
        return name(&base, out);
    }
    if function.arguments.len() == 1 {
        out.push_str("<msup>");
        name(&base, out);
        return out.push_str(&format!("<mo>{}</mo></msup>", "′".repeat(function.order())));
    }
    out.push_str("<msub>");
    name(&base, out);
    out.push_str("<mrow>");
    for by in printer.differentiated_by(arena, f) {
        name(&by, out);
    }
    out.push_str("</mrow></msub>");
}

fn function(f: Function) -> &'static str {
    match f {
        Function::Asin => "arcsin",
        Function::Acos => "arccos",
        Function::Atan => "arctan",
        Function::Sign => "sgn",
        _ => f.name(),
    }
}

/// Exactly one element.
fn name(name: &Name<'_>, out: &mut String) {
    if name.variation {
        out.push_str("<mrow><mi>δ</mi>");
    }
    if !name.subscripts.is_empty() {
        out.push_str("<msub>");
    }
    match name.dots {
        0 => word(name.base, out),
        n @ 1..=4 => {
            out.push_str("<mover accent=\"true\">");
            word(name.base, out);
            let dots = ["˙", "¨", "\u{20db}", "\u{20dc}"][n - 1];
            out.push_str(&format!("<mo stretchy=\"false\">{dots}</mo></mover>"));
        }
        n => {
            out.push_str("<msup>");
            word(name.base, out);
            out.push_str(&format!("<mrow><mo>(</mo><mn>{n}</mn><mo>)</mo></mrow></msup>"));
        }
    }
    if !name.subscripts.is_empty() {
        if name.subscripts.len() > 1 {
            out.push_str("<mrow>");
        }
        let short = name.subscripts.iter().all(|s| s.unicode().chars().count() <= 2);
        for (i, subscript) in name.subscripts.iter().enumerate() {
            if i > 0 {
                out.push_str(if short { "<mo>,</mo>" } else { "<mspace width=\"0.3em\"/>" });
            }
            word(*subscript, out);
        }
        if name.subscripts.len() > 1 {
            out.push_str("</mrow>");
        }
        out.push_str("</msub>");
    }
    if name.variation {
        out.push_str("</mrow>");
    }
}

fn word(piece: Word<'_>, out: &mut String) {
    if let Word::Numbered(c, _, digits) = piece {
        out.push_str("<msub>");
        word(Word::Plain(c.encode_utf8(&mut [0; 4])), out);
        word(Word::Plain(digits), out);
        out.push_str("</msub>");
        return;
    }
    let text = piece.unicode();
    let tag = if text.bytes().all(|b| b.is_ascii_digit()) { "mn" } else { "mi" };
    out.push_str(&format!("<{tag}>"));
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in XML, escaped or not.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push_str(&format!("</{tag}>"));
}
