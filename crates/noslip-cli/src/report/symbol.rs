//! Symbols written in Unicode (`γ³₁₂`, `T*`, `q̇₁`) as MathML and LaTeX.

use super::data::Formula;

const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱ°*′";
const SUPERSCRIPTED: &str = "0123456789+−()ni∘*′";
const SUBSCRIPTS: &str = "₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙᵢⱼₖₛₐᵣₘₜₓ";
const SUBSCRIPTED: &str = "0123456789+−()nijksarmtx";

const GREEK: &[(char, &str)] = &[
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "varepsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "varphi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
    ('∂', "partial"),
    ('∘', "circ"),
    ('′', "prime"),
];

/// One letter (or number, or sign) with what hangs on it.
#[derive(Default)]
struct Letter {
    base: String,
    dots: usize,
    above: String,
    below: String,
}

/// The symbol as a formula.
pub(super) fn formula(text: &str) -> Formula {
    let letters = letters(text);
    let mathml: String = letters.iter().map(mathml_letter).collect();
    let latex = letters.iter().map(latex_letter).collect::<Vec<_>>().join("");
    Formula::new(format!("<math>{mathml}</math>"), latex.trim_end())
}

fn letters(text: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    let find = |from: &str, to: &str, c| from.chars().position(|s| s == c).and_then(|i| to.chars().nth(i));
    for c in text.chars() {
        let new = match letters.last_mut() {
            Some(last) => {
                if let Some(c) = find(SUPERSCRIPTS, SUPERSCRIPTED, c) {
                    last.above.push(c);
                    false
                } else if let Some(c) = find(SUBSCRIPTS, SUBSCRIPTED, c) {
                    last.below.push(c);
                    false
                } else if c == '\u{307}' || c == '\u{308}' {
                    last.dots = if c == '\u{307}' { 1 } else { 2 };
                    false
                } else {
                    // Words and numbers stay together: "Pf", "12".
                    let bare = last.above.is_empty() && last.below.is_empty() && last.dots == 0;
                    let same = last.base.chars().all(|b| {
                        b.is_ascii_alphabetic() && c.is_ascii_alphabetic() || b.is_ascii_digit() && c.is_ascii_digit()
                    });
                    if bare && same {
                        last.base.push(c);
                    }
                    !(bare && same)
                }
            }
            None => true,
        };
        if new {
            letters.push(Letter { base: c.to_string(), ..Letter::default() });
        }
    }
    letters
}

fn token(text: &str) -> String {
    let tag = match text.chars().next() {
        Some(c) if c.is_numeric() => "mn",
        Some(c) if c.is_alphabetic() || c == '∂' => "mi",
        _ => "mo",
    };
    let mut escaped = String::new();
    super::escape_html(text, &mut escaped);
    format!("<{tag}>{escaped}</{tag}>")
}

/// A superscript or subscript; digits that belong together stay together.
fn script(text: &str) -> String {
    let mut runs: Vec<String> = Vec::new();
    for c in text.chars() {
        match runs.last_mut() {
            Some(run) if c.is_ascii_digit() && run.ends_with(|d: char| d.is_ascii_digit()) => run.push(c),
            _ => runs.push(c.to_string()),
        }
    }
    let all: String = runs.iter().map(|run| token(run)).collect();
    if runs.len() == 1 { all } else { format!("<mrow>{all}</mrow>") }
}

fn mathml_letter(l: &Letter) -> String {
    let mut base = token(&l.base);
    if l.dots > 0 {
        base = format!("<mover accent=\"true\">{base}<mo>{}</mo></mover>", if l.dots == 1 { "˙" } else { "¨" });
    }
    match (l.above.is_empty(), l.below.is_empty()) {
        (true, true) => base,
        (false, true) => format!("<msup>{base}{}</msup>", script(&l.above)),
        (true, false) => format!("<msub>{base}{}</msub>", script(&l.below)),
        (false, false) => format!("<msubsup>{base}{}{}</msubsup>", script(&l.below), script(&l.above)),
    }
}

fn latex_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match GREEK.iter().find(|(g, _)| *g == c) {
            Some((_, name)) => {
                out.push('\\');
                out.push_str(name);
                out.push(' ');
            }
            None if c == '−' => out.push('-'),
            None if "\\{}$&#^_%~".contains(c) => out.push_str(&format!("\\text{{{}}}", escape_latex(c))),
            None => out.push(c),
        }
    }
    out
}

fn escape_latex(c: char) -> String {
    match c {
        '\\' => "\\textbackslash{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        c => format!("\\{c}"),
    }
}

fn latex_letter(l: &Letter) -> String {
    let mut out = latex_text(&l.base);
    match l.dots {
        0 => {}
        1 => out = format!("\\dot{{{}}}", out.trim_end()),
        _ => out = format!("\\ddot{{{}}}", out.trim_end()),
    }
    if !l.above.is_empty() || !l.below.is_empty() {
        out = out.trim_end().to_owned();
    }
    if !l.above.is_empty() {
        out.push_str(&format!("^{{{}}}", latex_text(&l.above).trim_end()));
    }
    if !l.below.is_empty() {
        out.push_str(&format!("_{{{}}}", latex_text(&l.below).trim_end()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superscripts_and_subscripts_become_scripts() {
        let f = formula("γ³₁₂");
        assert_eq!(f.mathml, "<math><msubsup><mi>γ</mi><mn>12</mn><mn>3</mn></msubsup></math>");
        assert_eq!(f.latex, "\\gamma^{3}_{12}");
        assert_eq!(formula("T°").latex, "T^{\\circ}");
        assert_eq!(formula("q\u{308}₁").mathml.matches("mover").count(), 2);
    }

    #[test]
    fn a_symbol_cannot_smuggle_markup() {
        let f = formula("<script>&\"'");
        assert!(!f.mathml.contains("<script"), "{}", f.mathml);
        assert!(f.mathml.contains("&lt;"));
        assert!(!formula("\\input{x}").latex.contains("\\input"));
    }
}
