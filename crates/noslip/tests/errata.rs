//! The page "what the books got wrong": made from the claims files and the verdicts, and kept current by this test.
//!
//! `NOSLIP_UPDATE=1 cargo test --test errata` writes it.

#[path = "common/gallery.rs"]
mod gallery;

use gallery::{folder, names_in, open, text, verdict};
use noslip::Limits;
use noslip::model::Claims;
use noslip::verify::Finding;
use std::fmt::Write;
use toml::Table;

/// The documents, in the order of the page.
const DOCUMENTS: [(&str, &str); 5] = [
    (
        "soltakhanov-yushkov-zegzhda-2009",
        "Soltakhanov, Yushkov, Zegzhda: Mechanics of non-holonomic systems (2009), chapter II",
    ),
    ("greenwood-2003", "Greenwood: Advanced Dynamics (2003), chapter 5"),
    ("sumbatov-2002", "Sumbatov: Nonholonomic systems (2002)"),
    ("modelling-textbook", "A textbook on modelling, chapter 4.4"),
    ("sympy-tutorial", "The rolling disc of SymPy's documentation"),
];

const HEAD: &str = "# What the books got wrong

The equations the source documents print about a model of the gallery are transcribed in `models/claims`, and each is decided
by `noslip verify`. This page lists those that do not follow from their model, with the equation that does. Whether a slip is
the author's, the printer's or only of the copy at hand is not always known. Multipliers are named after their constraint,
`lambda_NAME`; abbreviations are those of the claims file.

";

fn page() -> String {
    let mut out = String::from(HEAD);
    let (mut checked, mut wrong) = (0, 0);
    for (document, title) in DOCUMENTS {
        let mut rows = String::new();
        let (mut here, mut bad) = (0, 0);
        for name in names_in(&folder().join("claims").join(document)) {
            let file = format!("claims/{document}/{name}.toml");
            let source = text(&file);
            let mut model = open(&name);
            let claims =
                Claims::load(&source, &mut model, &Limits::default()).unwrap_or_else(|e| panic!("{file}: {e:?}"));
            let table: Table = source.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
            let entries = table["claim"].as_array().expect("claims");
            let equation = |id: &str| {
                let entry = entries.iter().find(|e| e["id"].as_str() == Some(id))?;
                entry["equation"].as_str().map(str::to_owned)
            };
            for claim in claims.claims {
                // A corrected equation is ours, not the document's.
                let corrected = claim.id.ends_with(", corrected");
                here += usize::from(!corrected);
                let finding = verdict(&mut model, claim.expr);
                match (&finding, corrected) {
                    (Finding::Holds(_), _) => continue,
                    (Finding::Fails(_), false) => bad += 1,
                    _ => panic!("{file}, {}: {finding:?}", claim.id),
                }
                let bare = claim.id.trim_end_matches(", as printed").trim_end_matches(", as derived");
                let printed = equation(&claim.id).expect("the claim");
                write!(rows, "**{bare}** (`{name}`)\n\n```text\nprinted  {printed}\n").expect("a string");
                if let Some(right) = equation(&format!("{bare}, corrected")) {
                    writeln!(rows, "right    {right}").expect("a string");
                }
                rows.push_str("```\n\n");
                if let Some(note) = claim.note {
                    write!(rows, "{note}.\n\n").expect("a string");
                }
            }
        }
        write!(out, "## {title}\n\n{here} equations checked, {bad} wrong.\n\n{rows}").expect("a string");
        checked += here;
        wrong += bad;
    }
    writeln!(out, "In all, {checked} equations were checked and {wrong} are wrong.").expect("a string");
    assert_eq!((checked, wrong), (100, 24));
    out
}

#[test]
fn the_page_of_errata_is_what_the_verdicts_say() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/gallery/errata.md");
    let page = page();
    if std::env::var_os("NOSLIP_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the page");
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page, "the page is out of date: NOSLIP_UPDATE=1 cargo test -p noslip --test errata");
}
