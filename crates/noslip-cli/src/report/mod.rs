//! `noslip report`: one page that shows everything about a model.
//!
//! [`ReportData`] is all the page knows; [`render`] puts it, as JSON, into one HTML file that needs nothing else: no
//! network, no other file. The page's own scripts build the document from that JSON by `textContent` alone, so that no
//! text of a model is ever read as markup; the MathML goes through a list of allowed elements on its way in.

mod data;
pub mod drawing;
pub mod figures;
mod plain;
mod symbol;

pub use data::*;
use serde_json::Value;
use std::collections::HashMap;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPTS: [&str; 15] = [
    include_str!("page/math.js"),
    include_str!("page/lines.js"),
    include_str!("page/clock.js"),
    include_str!("page/plots.js"),
    include_str!("page/curves.js"),
    include_str!("page/solids.js"),
    include_str!("page/camera.js"),
    include_str!("page/scene.js"),
    include_str!("page/dop853.js"),
    include_str!("page/play.js"),
    include_str!("page/controls.js"),
    include_str!("page/forces.js"),
    include_str!("page/hover.js"),
    include_str!("page/check.js"),
    include_str!("page/page.js"),
];

/// The report as one self-contained HTML file.
pub fn render(data: &ReportData) -> String {
    let mut value = serde_json::to_value(data).expect("structs of text and numbers always serialise");
    share_formulas(&mut value);
    let json = value.to_string();
    // `</script>` and `<!--` are the only ways out of a script element; in JSON, `<` occurs inside strings only.
    let json = json.replace('<', "\\u003c");
    let program = data.play.as_ref().map_or("null", |p| p.program.as_str());
    let scripts = format!("/* program */const PROGRAM = {program};/* end of program */\n{}", SCRIPTS.concat());
    let nonce = format!("{:016x}", fingerprint(json.as_bytes()));
    let mut title = String::new();
    escape_html(&data.name, &mut title);
    let plain = plain::page(data);
    let mut out = String::with_capacity(PAGE.len() + STYLE.len() + scripts.len() + json.len());
    // One pass, so that no text of the model is taken for a placeholder.
    for (i, piece) in PAGE.split("{{").enumerate() {
        let text = match piece.split_once("}}") {
            Some((placeholder, rest)) if i > 0 => {
                out.push_str(match placeholder {
                    "title" => &title,
                    "plain" => &plain,
                    "style" => STYLE,
                    "data" => &json,
                    "scripts" => &scripts,
                    "nonce" => &nonce,
                    _ => "",
                });
                rest
            }
            _ => piece,
        };
        out.push_str(text);
    }
    out
}

/// Forms share many formulas: a long one that occurs again becomes the number of its place in `shared`.
fn share_formulas(data: &mut Value) {
    let mut seen: HashMap<String, Option<usize>> = HashMap::new();
    let mut shared = Vec::new();
    each_formula(data, &mut |text| {
        seen.entry(text.as_str()?.to_owned())
            .and_modify(|place| {
                place.get_or_insert_with(|| {
                    shared.push(text.clone());
                    shared.len() - 1
                });
            })
            .or_insert(None);
        None
    });
    each_formula(data, &mut |text| seen.get(text.as_str()?).copied().flatten().map(Value::from));
    data["shared"] = Value::Array(shared);
}

/// Replaces the long formulas for which there is something to replace them with, in the order of the page.
fn each_formula(value: &mut Value, replace: &mut impl FnMut(&Value) -> Option<Value>) {
    match value {
        Value::Array(list) if !list.first().is_some_and(Value::is_number) => {
            list.iter_mut().for_each(|v| each_formula(v, replace));
        }
        Value::Object(fields) => {
            for (name, v) in fields.iter_mut() {
                let formula = name == "mathml" || name == "latex";
                if formula && v.as_str().is_some_and(|s| s.len() > 200) {
                    if let Some(by) = replace(v) {
                        *v = by;
                    }
                } else {
                    each_formula(v, replace);
                }
            }
        }
        _ => {}
    }
}

/// Text as the content of an element or of a quoted attribute.
pub fn escape_html(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\0' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// FNV-1a: the page's own scripts carry it as their nonce, a second fence behind the first. Same input, same page.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hostile() -> ReportData {
        let name = "</script><script>alert(1)</script><!-- {{scripts}} \u{202e} \0 \u{2028}";
        ReportData { name: name.to_owned(), description: Some(name.to_owned()), ..ReportData::default() }
    }

    #[test]
    fn no_text_of_a_model_can_end_the_data_element() {
        let page = render(&hostile());
        assert_eq!(page.matches("</script>").count(), 2, "one for the data, one for the page's own script");
        assert!(!page.contains("alert(1)</script>"));
        assert!(!page.contains("<!--"));
        assert_eq!(page.matches("'use strict'").count(), 1, "the placeholder in the name was not filled");
    }

    #[test]
    fn the_page_needs_no_other_resource() {
        let page = render(&ReportData::default());
        for needle in ["src=", "href=\"http", "@import", "url(http", "fetch(", "XMLHttpRequest", "import("] {
            assert!(!page.contains(needle), "{needle}");
        }
    }

    #[test]
    fn the_data_comes_back_from_the_page_unchanged() {
        let page = render(&hostile());
        let json = page.split("type=\"application/json\">").nth(1).and_then(|s| s.split("</script>").next());
        let value: serde_json::Value = serde_json::from_str(json.expect("a data element")).expect("JSON");
        assert_eq!(value["name"].as_str(), Some(hostile().name.as_str()));
    }

    #[test]
    fn a_long_formula_of_many_forms_is_on_the_page_once() {
        let long = "<mi>x</mi>".repeat(100);
        let equation = Equation { formula: Formula::new(long.clone(), "x"), operations: None };
        let form = Form { equations: vec![equation.clone(), equation], ..Form::default() };
        let page = render(&ReportData { forms: vec![form.clone(), form], ..ReportData::default() });
        let written = long.replace('<', "\\u003c");
        assert_eq!(page.matches(&written).count(), 1);
        assert_eq!(page.matches("\"mathml\":0,").count(), 4);
    }

    #[test]
    fn same_data_same_bytes() {
        assert_eq!(render(&hostile()), render(&hostile()));
    }
}
