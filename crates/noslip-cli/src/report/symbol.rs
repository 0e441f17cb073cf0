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

/// A piece of a symbol in both spellings, with its superscript and subscript.
struct Item {
    base: (String, String),
    above: Option<(String, String)>,
    below: Option<(String, String)>,
}

/// The symbol as a formula. Names of the model are written as the model writes them, if `known` tells how:
/// `γ^u1[u2,u3]` has the superscript u₁ and the subscripts u₂, u₃.
pub(super) fn formula(text: &str, known: &dyn Fn(&str) -> Option<Formula>) -> Formula {
    let items = items(text, known);
    let (mathml, latex) = written(&items);
    Formula::new(format!("<math>{mathml}</math>"), latex.trim())
}

fn written(items: &[Item]) -> (String, String) {
    let mathml = items.iter().map(mathml_item).collect();
    (mathml, items.iter().map(latex_item).collect::<Vec<_>>().concat())
}

fn items(text: &str, known: &dyn Fn(&str) -> Option<Formula>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut plain = String::new();
    let flush = |plain: &mut String, items: &mut Vec<Item>| {
        items.extend(letters(&std::mem::take(plain)).iter().map(item));
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let name = &rest[..name_end(rest)];
        let script = if c == '^' { &rest[1..1 + name_end(&rest[1..])] } else { "" };
        let bracket = if c == '[' { rest.find(']').map(|end| &rest[1..end]) } else { None };
        let has_base = !items.is_empty() || !plain.is_empty();
        if !script.is_empty() && has_base {
            flush(&mut plain, &mut items);
            let above = row(script, known);
            if let Some(last) = items.last_mut() {
                last.above = Some(above);
            }
            rest = &rest[1 + script.len()..];
        } else if let Some(inside) = bracket.filter(|b| has_base && !b.is_empty() && !b.contains('[')) {
            flush(&mut plain, &mut items);
            let below = row(inside, known);
            if let Some(last) = items.last_mut() {
                last.below = Some(below);
            }
            rest = &rest[inside.len() + 2..];
        } else if let Some(f) = known(name).filter(|_| !name.is_empty()) {
            flush(&mut plain, &mut items);
            items.push(Item { base: (f.inner().to_owned(), format!("{} ", f.latex)), above: None, below: None });
            rest = &rest[name.len()..];
        } else {
            let length = if name.is_empty() { c.len_utf8() } else { name.len() };
            plain.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    flush(&mut plain, &mut items);
    items
}

/// Length of the name at the beginning, with its primes.
fn name_end(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return 0;
    }
    let plain = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    plain + text[plain..].bytes().take_while(|&b| b == b'\'').count()
}

/// A superscript or subscript.
fn row(text: &str, known: &dyn Fn(&str) -> Option<Formula>) -> (String, String) {
    let (mathml, latex) = written(&items(text, known));
    (format!("<mrow>{mathml}</mrow>"), latex.trim().to_owned())
}

fn item(l: &Letter) -> Item {
    let scripted = |text: &String| (!text.is_empty()).then(|| (script(text), latex_text(text).trim_end().to_owned()));
    let mut mathml = token(&l.base);
    let mut latex = latex_text(&l.base);
    if l.dots > 0 {
        mathml = format!("<mover accent=\"true\">{mathml}<mo>{}</mo></mover>", if l.dots == 1 { "˙" } else { "¨" });
        latex = format!("\\{}{{{}}}", if l.dots == 1 { "dot" } else { "ddot" }, latex.trim_end());
    }
    Item { base: (mathml, latex), above: scripted(&l.above), below: scripted(&l.below) }
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

fn mathml_item(i: &Item) -> String {
    let base = &i.base.0;
    match (&i.above, &i.below) {
        (None, None) => base.clone(),
        (Some((above, _)), None) => format!("<msup>{base}{above}</msup>"),
        (None, Some((below, _))) => format!("<msub>{base}{below}</msub>"),
        (Some((above, _)), Some((below, _))) => format!("<msubsup>{base}{below}{above}</msubsup>"),
    }
}

fn latex_item(i: &Item) -> String {
    if i.above.is_none() && i.below.is_none() {
        return i.base.1.clone();
    }
    let mut out = i.base.1.trim_end().to_owned();
    for (sign, script) in [('^', &i.above), ('_', &i.below)] {
        if let Some((_, latex)) = script {
            out.push_str(&format!("{sign}{{{latex}}}"));
        }
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;

    fn formula(text: &str) -> Formula {
        super::formula(text, &|_| None)
    }

    #[test]
    fn superscripts_and_subscripts_become_scripts() {
        let f = formula("γ³₁₂");
        assert_eq!(f.mathml, "<math><msubsup><mi>γ</mi><mn>12</mn><mn>3</mn></msubsup></math>");
        assert_eq!(f.latex, "\\gamma^{3}_{12}");
        assert_eq!(formula("T°").latex, "T^{\\circ}");
        assert_eq!(formula("q\u{308}₁").mathml.matches("mover").count(), 2);
    }

    #[test]
    fn names_of_the_model_in_a_symbol_are_written_as_the_model_writes_them() {
        let known = |name: &str| {
            (name == "u1").then(|| Formula::new("<math><msub><mi>u</mi><mn>1</mn></msub></math>", "u_{1}"))
        };
        let f = super::formula("γ^u1[u1,s]", &known);
        assert_eq!(f.latex, "\\gamma^{u_{1}}_{u_{1} ,s}");
        assert!(f.mathml.starts_with("<math><msubsup><mi>γ</mi><mrow><msub><mi>u</mi>"), "{}", f.mathml);
        assert_eq!(formula("F*[x]").latex, "F^{*}_{x}");
        assert_eq!(formula("[a,b]").latex, "[a,b]", "a bracket of its own is none on a letter");
        assert_eq!(formula("B[x").latex, "B[x");
    }

    #[test]
    fn a_symbol_cannot_smuggle_markup() {
        let f = formula("<script>&\"'");
        assert!(!f.mathml.contains("<script"), "{}", f.mathml);
        assert!(f.mathml.contains("&lt;"));
        assert!(!formula("\\input{x}").latex.contains("\\input"));
    }
}
