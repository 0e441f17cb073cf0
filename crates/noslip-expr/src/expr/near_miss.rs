//! What people write who come from LaTeX, SymPy, Matlab or Mathematica, and how it is written here.

use super::lex::greek;
use super::scope::Callable;

/// The name and the number of primes that another way to write a time derivative means: `x_dot`, `xddot`, `dx`, `v_x`; the name must be
/// one that is known.
pub fn derivative(name: &str, known: impl Fn(&str) -> bool) -> Option<(&str, u8)> {
    const BEHIND: [(&str, u8); 4] = [("_ddot", 2), ("ddot", 2), ("_dot", 1), ("dot", 1)];
    const BEFORE: [(&str, u8); 9] =
        [("ddot_", 2), ("ddot", 2), ("dot_", 1), ("dot", 1), ("d2", 2), ("dd", 2), ("d", 1), ("v_", 1), ("v", 1)];
    let behind = BEHIND.iter().filter_map(|(mark, primes)| Some((name.strip_suffix(mark)?, *primes)));
    let before = BEFORE.iter().filter_map(|(mark, primes)| Some((name.strip_prefix(mark)?, *primes)));
    behind.chain(before).find(|(plain, _)| known(plain))
}

/// What to write in place of a name that nobody declared.
pub fn name(name: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    if let Some((plain, primes)) = derivative(name, known) {
        let which = if primes == 2 { "second time derivative" } else { "time derivative" };
        return Some(format!("the {which} of `{plain}` is written `{plain}{}`", "'".repeat(primes.into())));
    }
    match name {
        "d" | "dt" | "Dt" => Some("a time derivative is written with a prime: `x'`, the second one `x''`".to_owned()),
        "e" | "E" => Some("a power of Euler's number is written `exp(x)`".to_owned()),
        "inf" | "Inf" | "Infinity" | "oo" | "nan" | "NaN" => Some("numbers are finite".to_owned()),
        _ => None,
    }
}

/// What to write in place of a function that nobody knows.
pub(super) fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "dot" | "ddot" | "Derivative" | "D" | "Dt" | "d" | "derivative" => {
            "a time derivative is written with a prime: `x'`, the second one `x''`; a partial one `diff(V, x)`"
        }
        "pow" | "Power" | "power" | "Pow" => "a power is written `x^2`",
        "cbrt" => "a cube root is written `x^(1/3)`",
        "root" => "a root is written `x^(1/3)`",
        "log10" | "lg" | "log2" => "`log` is the natural logarithm: write `log(x)/log(10)`, or another base",
        "max" | "min" | "heaviside" | "Heaviside" | "HeavisideTheta" | "Piecewise" | "piecewise" | "If" | "where"
        | "floor" | "step" => {
            "a function in pieces is given under [functions]: `{ of = \"s\", is = [\"0\", \"s^2\"], at = [0] }`"
        }
        _ => return None,
    })
}

/// Two signs that are an operator elsewhere: what it is, and what to write.
pub(super) fn operator(signs: &str) -> Option<(&'static str, &'static str)> {
    const EQUAL: &str = "an equation is written with a single `=`";
    const ORDER: &str =
        "an equation is written with a single `=`; a constraint that is an inequality with `>=` or `<=`";
    const DOTS: &str = "there are no lists here: write the operator without the point";
    Some(match signs.get(..2)? {
        "**" => ("**", "a power is written `^`"),
        "==" => ("==", EQUAL),
        ":=" => (":=", EQUAL),
        "=>" => ("=>", ORDER),
        "=<" => ("=<", ORDER),
        "!=" => ("!=", EQUAL),
        "~=" => ("~=", EQUAL),
        ".*" => (".*", DOTS),
        "./" => ("./", DOTS),
        ".^" => (".^", DOTS),
        _ => return None,
    })
}

/// What to write in place of a character that stands at `at`.
pub(super) fn character(text: &str, at: usize) -> String {
    let mut rest = text[at..].chars();
    let (c, next) = (rest.next().unwrap_or(' '), rest.next());
    let before = text[..at].trim_end();
    let word = before.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    // A dot above the letter, as a sign of its own behind it.
    let dots = |c: Option<char>| match c {
        Some('\u{307}') => Some("'"),
        Some('\u{308}') => Some("''"),
        _ => None,
    };
    let fixed = match c {
        '·' | '×' | '∙' | '⋅' => "a product is written `*`",
        '−' | '–' | '—' => "minus is written `-`",
        '÷' => "division is written `/`",
        '’' | '′' | '´' | '`' => "the prime of a derivative is written `'`",
        '²' => "a square is written `^2`",
        '³' => "a cube is written `^3`",
        '√' => "a square root is written `sqrt(...)`",
        'π' => "π is written `pi`",
        '∂' => "a partial derivative is written `diff(V, x)`",
        '½' => "a half is written `1/2`",
        '|' => "an absolute value is written `abs(...)`",
        ';' => "each equation or expression stands by itself, without `;`",
        '$' => "leave out `$`",
        '°' => "angles are in radians: 30° is `30*pi/180`",
        '₀'..='₉' => "an index is written with digits or `_`: `x1`, `x_1`",
        '\\' => {
            "a derivative is written `x'`, a Greek letter by its name, a function `sin(x)`; `noslip verify` reads LaTeX too, as a language of its own"
        }
        '[' if Callable::built_in(&word.to_ascii_lowercase()).is_some() => {
            return format!("arguments stand in round parentheses: `{}(...)`", word.to_ascii_lowercase());
        }
        '[' | ']' => "group with round parentheses; in a model file, names with an index need a section [ranges]",
        '{' | '}' => "group with round parentheses",
        '<' | '>' | '≤' | '≥' => {
            "here stands an equation or an expression; a constraint is an inequality with one `>=` or `<=`: `z >= 0`"
        }
        '≠' | '≈' | '≡' => "an equation is written with a single `=`",
        '_' => "a name starts with a letter",
        '"' => "a derivative is written with `'`, the second one with two of them",
        '\u{a0}' | '\u{2009}' | '\u{202f}' => "replace the special space by an ordinary one",
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_owned();
    }
    match (greek(c), dotted(c), dots(Some(c)), dots(next)) {
        (Some(name), .., Some(primes)) => format!("write `{name}{primes}`"),
        (Some(name), ..) => format!("write the Greek letter as `{name}`"),
        (_, Some((letter, primes)), ..) => format!("write `{letter}{primes}`"),
        (.., Some(primes), _) => format!("a dot is written as a prime: `{word}{primes}`"),
        _ => "allowed are names, numbers, `+ - * / ^`, parentheses and `'`".to_owned(),
    }
}

/// A letter with dots above it, in one character.
fn dotted(c: char) -> Option<(char, &'static str)> {
    Some(match c {
        'ȧ' => ('a', "'"),
        'ḃ' => ('b', "'"),
        'ċ' => ('c', "'"),
        'ḋ' => ('d', "'"),
        'ė' => ('e', "'"),
        'ḟ' => ('f', "'"),
        'ġ' => ('g', "'"),
        'ḣ' => ('h', "'"),
        'ṁ' => ('m', "'"),
        'ṅ' => ('n', "'"),
        'ȯ' => ('o', "'"),
        'ṗ' => ('p', "'"),
        'ṙ' => ('r', "'"),
        'ṡ' => ('s', "'"),
        'ṫ' => ('t', "'"),
        'ẇ' => ('w', "'"),
        'ẋ' => ('x', "'"),
        'ẏ' => ('y', "'"),
        'ż' => ('z', "'"),
        'ä' => ('a', "''"),
        'ë' => ('e', "''"),
        'ḧ' => ('h', "''"),
        'ï' => ('i', "''"),
        'ö' => ('o', "''"),
        'ẗ' => ('t', "''"),
        'ü' => ('u', "''"),
        'ẅ' => ('w', "''"),
        'ẍ' => ('x', "''"),
        'ÿ' => ('y', "''"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_dots_are_derivatives_in_one_character_or_two() {
        for (composed, plain, primes) in
            [("ȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẋẏż", "abcdefghmnoprstwxyz", "'"), ("äëḧïöẗüẅẍÿ", "aehiotuwxy", "''")]
        {
            assert_eq!(composed.chars().count(), plain.len());
            for (c, letter) in composed.chars().zip(plain.chars()) {
                assert_eq!(character(&c.to_string(), 0), format!("write `{letter}{primes}`"));
            }
        }
        for (text, at, hint) in [
            ("φ", 0, "write the Greek letter as `phi`"),
            ("φ\u{307} + 1", 0, "write `phi'`"),
            ("2*θ\u{308}", 2, "write `theta''`"),
            ("m*x\u{307}", 3, "a dot is written as a prime: `x'`"),
            ("x\u{308}", 1, "a dot is written as a prime: `x''`"),
            ("x + é", 4, "allowed are names, numbers, `+ - * / ^`, parentheses and `'`"),
        ] {
            assert_eq!(character(text, at), hint, "{text}");
        }
    }

    #[test]
    fn every_sign_of_a_book_or_another_language_has_its_own_hint() {
        for (signs, part) in [
            ("·×∙⋅", "`*`"),
            ("−–—", "minus is written `-`"),
            ("÷", "`/`"),
            ("’′´`", "the prime"),
            ("²", "`^2`"),
            ("³", "`^3`"),
            ("√", "`sqrt(...)`"),
            ("π", "`pi`"),
            ("∂", "`diff(V, x)`"),
            ("½", "`1/2`"),
            ("|", "`abs(...)`"),
            (";", "without `;`"),
            ("$", "leave out `$`"),
            ("°", "radians"),
            ("₀₄₉", "an index"),
            ("\\", "`noslip verify` reads LaTeX"),
            ("[]", "a section [ranges]"),
            ("{}", "round parentheses"),
            ("<>≤≥", "an inequality"),
            ("≠≈≡", "a single `=`"),
            ("_", "a name starts with a letter"),
            ("\"", "the second one with two of them"),
            ("\u{a0}\u{2009}\u{202f}", "an ordinary one"),
        ] {
            for c in signs.chars() {
                let hint = character(&format!("x{c}"), 1);
                assert!(hint.contains(part), "{c}: {hint}");
            }
        }
        // Brackets behind a function are its parentheses.
        assert_eq!(character("Sin[x]", 3), "arguments stand in round parentheses: `sin(...)`");
        assert!(character("thing[x]", 5).contains("[ranges]"));
    }
}
