//! Unicode on one line, for terminals.

use super::Printer;
use super::names::Name;
use super::text::Dialect;
use crate::expr::arena::{Arena, Function};
use crate::expr::number::Rational;
use crate::expr::symbol::Symbol;
use crate::expr::tree::Tree;
use crate::expr::unspecified::UnspecifiedId;

pub(super) struct Unicode<'a> {
    pub arena: &'a Arena,
    pub printer: &'a Printer,
}

impl Dialect for Unicode<'_> {
    const MINUS: &'static str = "−";
    const TIMES: &'static str = "·";
    const ROOT: &'static str = "√";
    const EXACT: bool = false;
    const BARE_ROOT: bool = true;
    const POWER_BEHIND_NAME: bool = true;

    fn symbol(&self, s: Symbol) -> String {
        name(&self.printer.name(self.arena, s))
    }

    fn table(&self, tree: &Tree) -> String {
        match tree {
            Tree::Table(table, derivative, _) => {
                let table = Name::plain(self.arena.table_name(*table), &self.printer.display);
                name(&table) + &"′".repeat((*derivative).into())
            }
            _ => String::new(),
        }
    }

    fn unspecified(&self, f: UnspecifiedId, usual: bool) -> String {
        let plain = |text: &str| name(&Name::plain(text, &self.printer.display));
        let function = self.arena.unspecified_function(f);
        let mut out = plain(&function.name);
        if function.arguments.len() == 1 {
            out.push_str(&"′".repeat(function.order()));
            return if usual { format!("{out}({})", plain(&function.arguments[0])) } else { out };
        }
        let by: Vec<String> = self.printer.differentiated_by(self.arena, f).iter().map(name).collect();
        let low: Option<String> = by.iter().flat_map(|text| text.chars()).map(lowered).collect();
        let short = by.iter().all(|text| text.chars().filter(|c| c.is_alphanumeric()).count() == 1);
        match low {
            _ if by.is_empty() => out,
            Some(low) if by.len() == 1 && out.chars().all(char::is_alphabetic) => out + &low,
            _ => format!("{out}_{}", by.join(if short { "" } else { "," })),
        }
    }

    fn function(&self, f: Function) -> &'static str {
        f.name()
    }

    fn superscript(&self, exponent: &Rational) -> Option<String> {
        let digit = |c: char| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            _ => char::from_u32('⁰' as u32 + c.to_digit(10).unwrap_or(0)).unwrap_or(c),
        };
        Some(exponent.to_string().chars().map(digit).collect())
    }
}

fn name(name: &Name<'_>) -> String {
    let mut out = String::new();
    if name.variation {
        out.push('δ');
    }
    let base = name.base.unicode();
    out.push_str(&base);
    let single = base.chars().count() == 1;
    match name.dots {
        0 => {}
        1 if single => out.push('\u{307}'),
        2 if single => out.push('\u{308}'),
        3 if single => out.push('\u{20db}'),
        n => out.push_str(&"′".repeat(n)),
    }
    if let [subscript] = &name.subscripts[..] {
        let text = subscript.unicode();
        // Words are easier to read on the line.
        let short = text.chars().count() <= 2 || text.bytes().all(|b| b.is_ascii_digit());
        if short && let Some(low) = text.chars().map(lowered).collect::<Option<String>>() {
            return out + &low;
        }
    }
    for subscript in &name.subscripts {
        out.push('_');
        out.push_str(&subscript.unicode());
    }
    out
}

/// The subscript form of a character, where Unicode has one.
fn lowered(c: char) -> Option<char> {
    Some(match c {
        '0'..='9' => char::from_u32('₀' as u32 + c.to_digit(10)?)?,
        'a' => 'ₐ',
        'e' => 'ₑ',
        'h' => 'ₕ',
        'i' => 'ᵢ',
        'j' => 'ⱼ',
        'k' => 'ₖ',
        'l' => 'ₗ',
        'm' => 'ₘ',
        'n' => 'ₙ',
        'o' => 'ₒ',
        'p' => 'ₚ',
        'r' => 'ᵣ',
        's' => 'ₛ',
        't' => 'ₜ',
        'u' => 'ᵤ',
        'v' => 'ᵥ',
        'x' => 'ₓ',
        'β' => 'ᵦ',
        'γ' => 'ᵧ',
        'ρ' => 'ᵨ',
        'φ' => 'ᵩ',
        'χ' => 'ᵪ',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_unicode_has_a_subscript_of_has_it_and_no_other() {
        let (plain, low) = ("0123456789aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ");
        assert_eq!(plain.chars().map(lowered).collect::<Option<String>>().as_deref(), Some(low));
        for c in ('a'..='z').chain('A'..='Z').chain('α'..='ω').filter(|c| !plain.contains(*c)) {
            assert_eq!(lowered(c), None, "{c}");
        }
    }
}
