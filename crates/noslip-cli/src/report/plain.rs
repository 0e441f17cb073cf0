//! The page without JavaScript: what the model is, and its equations in the first form.
//!
//! Formulas are MathML of our own printers; all the same only what is mathematics comes through, as on the page itself.

use super::{Formula, Named, ReportData, escape_html};
use std::fmt::Write;

const ELEMENTS: &[&str] = &[
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "mover",
    "munder",
    "munderover",
    "mtable",
    "mtr",
    "mtd",
    "mstyle",
];
const ATTRIBUTES: &[&str] =
    &["display", "displaystyle", "form", "stretchy", "fence", "lspace", "rspace", "mathvariant", "accent"];

/// What stands in `<noscript>`.
pub(super) fn page(data: &ReportData) -> String {
    let mut out = element("h1", &data.name);
    for words in [&data.description, &data.source].into_iter().flatten() {
        out += &element("p", words);
    }
    out += &element(
        "p",
        "JavaScript is switched off: the animation, the plots and the other forms of the equations need it.",
    );
    let model = &data.model;
    let energies: Vec<&Formula> = std::iter::once(&model.kinetic).chain(&model.potential).collect();
    let constraints: Vec<&Formula> = model.constraints.iter().map(|c: &Named| &c.formula).collect();
    let mut groups = vec![
        ("Energy".to_owned(), energies),
        ("Generalised forces".to_owned(), model.forces.iter().collect()),
        ("Constraints".to_owned(), constraints),
        ("Abbreviations".to_owned(), model.definitions.iter().collect()),
    ];
    if let Some(form) = data.forms.first() {
        let equations = form.equations.iter().chain(&form.kinematics).map(|e| &e.formula).collect();
        groups.push((format!("Equations of motion: {}", form.name), equations));
    }
    for (title, mut formulas) in groups {
        formulas.retain(|f| !f.mathml.is_empty());
        if !formulas.is_empty() {
            out += &element("h2", &title);
            formulas.iter().for_each(|f| out += &format!("<p>{}</p>\n", mathematics(f)));
        }
    }
    out
}

fn element(tag: &str, words: &str) -> String {
    let mut inside = String::new();
    escape_html(words, &mut inside);
    format!("<{tag}>{inside}</{tag}>\n")
}

/// A formula with nothing in it but mathematics; its LaTeX where that cannot be told.
fn mathematics(formula: &Formula) -> String {
    allowed(&formula.mathml).unwrap_or_else(|| element("code", &formula.latex))
}

/// Well-formed MathML of the elements and attributes above; `None` if it is anything else.
fn allowed(text: &str) -> Option<String> {
    let (mut out, mut open, mut rest) = (String::new(), Vec::new(), text);
    while !rest.is_empty() {
        let Some(inside) = rest.strip_prefix('<') else {
            let end = rest.find('<')?;
            let words = &rest[..end];
            let plain = |b: u8| b != b'>' && b != b'"';
            (!open.is_empty() && words.bytes().all(plain)).then(|| out.push_str(words))?;
            rest = &rest[end..];
            continue;
        };
        let (tag, after) = inside.split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            (open.pop()? == name).then(|| write!(out, "</{name}>").ok())??;
            continue;
        }
        let (tag, alone) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        (ELEMENTS.contains(&name) && (name == "math") == open.is_empty()).then_some(())?;
        let _ = write!(out, "<{name}");
        for attribute in
            attributes.split_terminator("\" ").map(|a| a.trim().trim_end_matches('"')).filter(|a| !a.is_empty())
        {
            let (key, value) = attribute.split_once("=\"")?;
            (ATTRIBUTES.contains(&key) && !value.contains(['"', '<', '&']))
                .then(|| write!(out, " {key}=\"{value}\"").ok())??;
        }
        out.push_str(if alone { "/>" } else { ">" });
        if !alone {
            open.push(name);
        }
    }
    open.is_empty().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathematics_comes_through_and_nothing_else_does() {
        let good = "<math display=\"block\"><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><mspace/><mo form=\"prefix\" lspace=\"0\">−</mo></math>";
        assert_eq!(allowed(good).as_deref(), Some(good));
        for bad in [
            "<math><script>alert(1)</script></math>",
            "<math><mi onclick=\"x\">x</mi></math>",
            "<math><mi>x</math>",
            "<mi>x</mi>",
            "<math></math><img src=x>",
            "<math><mi>x</mi></math>x",
        ] {
            assert_eq!(allowed(bad), None, "{bad}");
        }
    }
}
