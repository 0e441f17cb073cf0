//! The book in a browser: its formulas, which stand in the sources as the program prints them, are set as mathematics.

use super::{folder, quiet};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

#[test]
fn the_formulas_of_the_forms_are_set_as_mathematics() {
    let Some(mut b) = super::browser() else { return };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut page = String::from("<!doctype html><meta charset=\"utf-8\"><main>\n");
    let (mut formulas, mut blocks) = (0, 0);
    let forms = std::fs::read_dir(docs.join("src/forms")).expect("the forms");
    let mut files: Vec<_> = forms.map(|f| f.expect("a file").path()).filter(|f| !f.ends_with("index.md")).collect();
    files.sort();
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a page");
        // Indented lines outside of blocks with a language, as Markdown reads them.
        let mut inside = false;
        for part in text.split("\n\n") {
            let fences = part.matches("```").count();
            if fences == 0 && !inside && part.lines().all(|l| l.starts_with("    ")) {
                let lines: Vec<&str> = part.lines().map(str::trim_start).filter(|l| !l.is_empty()).collect();
                let escaped = lines.join("\n").replace('&', "&amp;").replace('<', "&lt;");
                let _ = writeln!(page, "<pre><code>{escaped}\n</code></pre>");
                formulas += lines.len();
                blocks += 1;
            }
            inside ^= fences % 2 == 1;
        }
    }
    assert!(files.len() > 20 && blocks >= files.len(), "{} pages, {blocks} blocks", files.len());
    let script = std::fs::read_to_string(docs.join("formulas.js")).expect("the script");
    let _ = write!(page, "<p>With v_{{l+j}} = 0 and <code>q_i</code>.</p></main><script>{script}</script>");
    page.push_str(
        "<script>Object.assign(document.documentElement.dataset, { ready: 'yes', fitted: innerWidth });</script>",
    );
    let file = folder().join("book.html");
    std::fs::write(&file, page).expect("writes");
    b.open(&file);
    quiet(&b);
    assert_eq!(b.evaluate("document.querySelectorAll('.formula').length"), json!(formulas));
    let left = b.evaluate("[...document.querySelectorAll('pre')].map((e) => e.textContent)");
    assert_eq!(left, json!([]), "what is left as it was");
    let raw =
        "[...document.querySelectorAll('math')].map((m) => m.textContent).filter((t) => /[_^{}]|∂[^∂]*\\/∂/u.test(t))";
    assert_eq!(b.evaluate(raw), json!([]), "scripts and derivatives are set, not written out");
    assert!(b.evaluate("document.querySelectorAll('mfrac').length").as_u64() > Some(100));
    assert_eq!(
        b.evaluate("document.querySelector('p').innerHTML"),
        json!("With <i>v</i><sub>l+j</sub> = 0 and <code>q_i</code>.")
    );
}
