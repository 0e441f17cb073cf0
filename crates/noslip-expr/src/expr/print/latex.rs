//! LaTeX.

use super::Printer;
use super::layout::{Token, layout};
use super::names::{Name, Word};
use crate::expr::arena::{Arena, Function};
use crate::expr::tree::Tree;
use crate::expr::unspecified::UnspecifiedId;

pub(super) fn print(arena: &Arena, printer: &Printer, tree: &Tree) -> String {
    let mut out = String::new();
    layout(
        tree,
        |s| printer.name(arena, s).is_word(),
        |token| {
            let text = match token {
                Token::Integer(digits) => digits,
                Token::Symbol(s) => name(&printer.name(arena, s)),
                Token::Plus => " + ".to_owned(),
                Token::Minus => " - ".to_owned(),
                Token::Sign => "-".to_owned(),
                Token::Side => "\\,".to_owned(),
                Token::Times => " \\cdot ".to_owned(),
                Token::Comma => ", ".to_owned(),
                Token::Group | Token::EndGroup | Token::Power => return,
                Token::Open => "\\left(".to_owned(),
                Token::Close => "\\right)".to_owned(),
                Token::Bar => "\\left|".to_owned(),
                Token::EndBar => "\\right|".to_owned(),
                Token::Fraction => "\\frac{".to_owned(),
                Token::Over => "}{".to_owned(),
                Token::Raise => "^{".to_owned(),
                Token::Root => "\\sqrt{".to_owned(),
                Token::EndFraction | Token::EndPower | Token::EndRoot => "}".to_owned(),
                Token::Function(f, None) => function(f),
                Token::Function(f, Some(n)) => format!("{}^{{{n}}}", function(f)),
                Token::Atan2 => "\\operatorname{atan2}".to_owned(),
                Token::Table(table, derivative) => {
                    name(&Name::plain(arena.table_name(table), &printer.display)) + &"'".repeat(derivative.into())
                }
                Token::Unspecified(f) => unspecified(arena, printer, f),
                Token::UsualArguments(f) => match &arena.unspecified_function(f).arguments[..] {
                    [argument] => format!("\\left({}\\right)", name(&Name::plain(argument, &printer.display))),
                    _ => return,
                },
                Token::Undefined => "\\frac{1}{0}".to_owned(),
            };
            push(&mut out, &text);
        },
    );
    out
}

/// An unspecified function with what it was differentiated by: F', a_{x}, {F_{1}}_{x t}.
fn unspecified(arena: &Arena, printer: &Printer, f: UnspecifiedId) -> String {
    let function = arena.unspecified_function(f);
    let base = name(&Name::plain(&function.name, &printer.display));
    if function.arguments.len() == 1 || function.order() == 0 {
        return base + &"'".repeat(function.order());
    }
    let by: Vec<String> = printer.differentiated_by(arena, f).iter().map(name).collect();
    let base = if base.contains('_') { format!("{{{base}}}") } else { base };
    format!("{base}_{{{}}}", by.join(" "))
}

/// Appends, with a space where a command would swallow the letter behind it.
fn push(out: &mut String, text: &str) {
    if text.starts_with(|c: char| c.is_ascii_alphanumeric()) && ends_with_command(out) {
        out.push(' ');
    }
    out.push_str(text);
}

fn ends_with_command(text: &str) -> bool {
    let letters = text.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    letters > 0 && text[..text.len() - letters].ends_with('\\')
}

fn function(f: Function) -> String {
    match f {
        Function::Asin => "\\arcsin".to_owned(),
        Function::Acos => "\\arccos".to_owned(),
        Function::Atan => "\\arctan".to_owned(),
        Function::Sign => "\\operatorname{sgn}".to_owned(),
        _ => format!("\\{}", f.name()),
    }
}

fn name(name: &Name<'_>) -> String {
    let mut out = String::new();
    if name.variation {
        push(&mut out, "\\delta ");
    }
    let base = match (name.latex, name.base) {
        (Some(latex), _) => latex.to_owned(),
        (None, base) => word(base, "\\mathit"),
    };
    match name.dots {
        0 => push(&mut out, &base),
        n @ 1..=4 => {
            out.push_str(["\\dot{", "\\ddot{", "\\dddot{", "\\ddddot{"][n - 1]);
            out.push_str(&base);
            out.push('}');
        }
        n => {
            push(&mut out, &base);
            out.push_str(&format!("^{{({n})}}"));
        }
    }
    if name.latex.is_none() && !name.subscripts.is_empty() {
        out.push_str("_{");
        let short = name.subscripts.iter().all(|s| s.unicode().chars().count() <= 2);
        for (i, subscript) in name.subscripts.iter().enumerate() {
            if i > 0 {
                out.push_str(if short { "," } else { "\\ " });
            }
            push(&mut out, &word(*subscript, "\\mathrm"));
        }
        out.push('}');
    }
    out
}

/// A word of several letters is set in one font, so that it does not look like a product.
fn word(piece: Word<'_>, font: &str) -> String {
    let text = match piece {
        Word::Greek(_, latex) => return latex.to_owned(),
        Word::Numbered(c, "", digits) => {
            return format!("{}_{{{digits}}}", word(Word::Plain(c.encode_utf8(&mut [0; 4])), font));
        }
        Word::Numbered(_, latex, digits) => return format!("{latex}_{{{digits}}}"),
        Word::Plain(text) => text,
    };
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\backslash{}"),
            '^' | '~' => escaped.push_str(&format!("\\text{{\\{c}{{}}}}")),
            '{' | '}' | '$' | '%' | '&' | '#' | '_' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    let single = text.chars().count() == 1 || text.bytes().all(|b| b.is_ascii_digit());
    if single { escaped } else { format!("{font}{{{escaped}}}") }
}
