//! What a name stands for on paper: a letter, subscripts, dots.

use crate::expr::symbol::Role;
use std::collections::BTreeMap;

/// A piece of a name: a Greek letter, a letter with a number as its subscript, or the word as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    /// Character, LaTeX.
    Greek(char, &'static str),
    /// Character, LaTeX (empty if it is the character), digits.
    Numbered(char, &'static str, &'a str),
    Plain(&'a str),
}

impl Word<'_> {
    pub(super) fn unicode(&self) -> String {
        match self {
            Word::Greek(c, _) => c.to_string(),
            Word::Numbered(c, _, digits) => format!("{c}{digits}"),
            Word::Plain(text) => (*text).to_owned(),
        }
    }
}

/// A symbol's name taken apart: `theta1_C''` is θ with two dots and the subscripts 1 and C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// δ in front: a variation or virtual displacement.
    pub variation: bool,
    pub base: Word<'a>,
    pub subscripts: Vec<Word<'a>>,
    /// Time derivatives.
    pub dots: usize,
    /// What the author wants in LaTeX in place of base and subscripts.
    pub latex: Option<&'a str>,
}

impl<'a> Name<'a> {
    pub(super) fn new(name: &'a str, role: Role, display: &'a BTreeMap<String, String>) -> Name<'a> {
        let stem = name.trim_end_matches('\'');
        if let Some(of) = stem.strip_prefix("delta_").filter(|of| !of.is_empty())
            && role == Role::Variation
            && !display.contains_key(stem)
        {
            return Name { variation: true, dots: name.len() - stem.len(), ..Name::plain(of, display) };
        }
        Name::plain(name, display)
    }

    /// A word and not a letter, as names of functions are: `suslov`.
    pub(super) fn is_word(&self) -> bool {
        self.latex.is_none() && matches!(self.base, Word::Plain(text) if text.chars().count() > 1)
    }

    /// The name of something without a role: a table.
    pub(super) fn plain(name: &'a str, display: &'a BTreeMap<String, String>) -> Name<'a> {
        let stem = name.trim_end_matches('\'');
        let dots = name.len() - stem.len();
        let latex = display.get(stem).map(String::as_str);
        let (base, subscripts) = latex.and_then(letter_with_subscript).unwrap_or_else(|| split(stem));
        Name { variation: false, base, subscripts, dots, latex }
    }
}

/// `xi_C` → ξ, C; `q1` → q, 1; `Ip` → Ip.
fn split(stem: &str) -> (Word<'_>, Vec<Word<'_>>) {
    let mut parts = stem.split('_');
    let head = parts.next().unwrap_or(stem);
    let letters = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut subscripts = Vec::new();
    let base = if letters.is_empty() {
        head
    } else {
        if letters.len() < head.len() {
            subscripts.push(Word::Plain(&head[letters.len()..]));
        }
        letters
    };
    // A word is not a letter with a subscript: `rear_axle`.
    if matches!(word(base), Word::Plain(text) if text.chars().count() > 2) {
        return (Word::Plain(stem), Vec::new());
    }
    subscripts.extend(parts.filter(|p| !p.is_empty()).map(numbered));
    if base.is_empty() { (Word::Plain(stem), Vec::new()) } else { (word(base), subscripts) }
}

/// A subscript: `phi1` is φ₁.
fn numbered(text: &str) -> Word<'_> {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &text[letters.len()..];
    let mut characters = letters.chars();
    match (word(letters), characters.next(), characters.next()) {
        _ if digits.is_empty() => word(text),
        (Word::Greek(c, latex), ..) => Word::Numbered(c, latex, digits),
        (_, Some(c), None) => Word::Numbered(c, "", digits),
        _ => Word::Plain(text),
    }
}

fn word(text: &str) -> Word<'_> {
    match GREEK.iter().find(|(name, _, _)| *name == text) {
        Some(&(_, c, latex)) => Word::Greek(c, latex),
        None => Word::Plain(text),
    }
}

/// The Greek letter of a name.
pub fn greek_letter(name: &str) -> Option<char> {
    GREEK.iter().find(|(known, ..)| *known == name).map(|&(_, c, _)| c)
}

/// Reads the LaTeX of a display override as far as a letter or word with one subscript goes.
fn letter_with_subscript(latex: &str) -> Option<(Word<'_>, Vec<Word<'_>>)> {
    let latex = latex.trim();
    let (base, subscript) = match latex.split_once('_') {
        Some((base, subscript)) => (base, Some(subscript)),
        None => (latex, None),
    };
    let base = letter(base)?;
    Some(match subscript {
        None => (base, Vec::new()),
        Some(s) => (base, vec![letter(s.strip_prefix('{').and_then(|s| s.strip_suffix('}')).unwrap_or(s))?]),
    })
}

fn letter(latex: &str) -> Option<Word<'_>> {
    let mut latex = latex.trim();
    for font in ["\\mathrm", "\\mathit", "\\mathbf", "\\boldsymbol", "\\text", "\\operatorname"] {
        if let Some(inner) = latex.strip_prefix(font).and_then(|s| s.trim().strip_prefix('{')?.strip_suffix('}')) {
            latex = inner;
        }
    }
    if let Some(command) = latex.strip_prefix('\\') {
        return match word(command) {
            Word::Plain("ell") => Some(Word::Greek('ℓ', "\\ell")),
            Word::Plain(_) => None,
            greek => Some(greek),
        };
    }
    (!latex.is_empty() && latex.chars().all(char::is_alphanumeric)).then_some(Word::Plain(latex))
}

/// Name in a model, character, LaTeX. Capitals that look Latin have no command of their own.
const GREEK: &[(&str, char, &str)] = &[
    ("alpha", 'α', "\\alpha"),
    ("beta", 'β', "\\beta"),
    ("gamma", 'γ', "\\gamma"),
    ("delta", 'δ', "\\delta"),
    ("epsilon", 'ε', "\\epsilon"),
    ("zeta", 'ζ', "\\zeta"),
    ("eta", 'η', "\\eta"),
    ("theta", 'θ', "\\theta"),
    ("iota", 'ι', "\\iota"),
    ("kappa", 'κ', "\\kappa"),
    ("lambda", 'λ', "\\lambda"),
    ("mu", 'μ', "\\mu"),
    ("nu", 'ν', "\\nu"),
    ("xi", 'ξ', "\\xi"),
    ("omicron", 'ο', "o"),
    ("pi", 'π', "\\pi"),
    ("rho", 'ρ', "\\rho"),
    ("sigma", 'σ', "\\sigma"),
    ("tau", 'τ', "\\tau"),
    ("upsilon", 'υ', "\\upsilon"),
    ("phi", 'φ', "\\phi"),
    ("chi", 'χ', "\\chi"),
    ("psi", 'ψ', "\\psi"),
    ("omega", 'ω', "\\omega"),
    ("varepsilon", 'ε', "\\varepsilon"),
    ("vartheta", 'ϑ', "\\vartheta"),
    ("varkappa", 'ϰ', "\\varkappa"),
    ("varphi", 'φ', "\\varphi"),
    ("varpi", 'ϖ', "\\varpi"),
    ("varrho", 'ϱ', "\\varrho"),
    ("varsigma", 'ς', "\\varsigma"),
    ("Alpha", 'Α', "\\mathrm{A}"),
    ("Beta", 'Β', "\\mathrm{B}"),
    ("Gamma", 'Γ', "\\Gamma"),
    ("Delta", 'Δ', "\\Delta"),
    ("Epsilon", 'Ε', "\\mathrm{E}"),
    ("Zeta", 'Ζ', "\\mathrm{Z}"),
    ("Eta", 'Η', "\\mathrm{H}"),
    ("Theta", 'Θ', "\\Theta"),
    ("Iota", 'Ι', "\\mathrm{I}"),
    ("Kappa", 'Κ', "\\mathrm{K}"),
    ("Lambda", 'Λ', "\\Lambda"),
    ("Mu", 'Μ', "\\mathrm{M}"),
    ("Nu", 'Ν', "\\mathrm{N}"),
    ("Xi", 'Ξ', "\\Xi"),
    ("Omicron", 'Ο', "\\mathrm{O}"),
    ("Pi", 'Π', "\\Pi"),
    ("Rho", 'Ρ', "\\mathrm{P}"),
    ("Sigma", 'Σ', "\\Sigma"),
    ("Tau", 'Τ', "\\mathrm{T}"),
    ("Upsilon", 'Υ', "\\Upsilon"),
    ("Phi", 'Φ', "\\Phi"),
    ("Chi", 'Χ', "\\mathrm{X}"),
    ("Psi", 'Ψ', "\\Psi"),
    ("Omega", 'Ω', "\\Omega"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart_at_digits_underscores_and_primes() {
        let none = BTreeMap::new();
        let plain = |name| {
            let n = Name::new(name, Role::Coordinate, &none);
            let subscripts: Vec<String> = n.subscripts.iter().map(Word::unicode).collect();
            format!("{} {} {}", n.base.unicode(), subscripts.join(","), n.dots)
        };
        assert_eq!(plain("x"), "x  0");
        assert_eq!(plain("x''"), "x  2");
        assert_eq!(plain("theta1_C'"), "θ 1,C 1");
        assert_eq!(plain("lambda_knife_edge"), "λ knife,edge 0");
        assert_eq!(plain("Ip"), "Ip  0");
        assert_eq!(plain("u1d"), "u1d  0");
        assert_eq!(plain("rear_axle'"), "rear_axle  1");
        assert_eq!(plain("lambda_phi1"), "λ φ1 0");
        assert_eq!(plain("omega_phi"), "ω φ 0");
        assert_eq!(plain("_"), "_  0");
        assert_eq!(plain("12"), "12  0");
    }

    #[test]
    fn overrides_reach_other_styles_where_they_are_letters() {
        let display: BTreeMap<String, String> =
            [("phi", "\\varphi"), ("a", "\\mathbf{a}_{0}"), ("b", "\\frac{1}{2}"), ("l", "\\ell")]
                .into_iter()
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .collect();
        assert_eq!(Name::plain("phi'", &display).base.unicode(), "φ");
        assert_eq!(Name::plain("a", &display).subscripts, [Word::Plain("0")]);
        assert_eq!(Name::plain("b", &display).base, Word::Plain("b"));
        assert_eq!(Name::plain("l", &display).base.unicode(), "ℓ");
    }
}
