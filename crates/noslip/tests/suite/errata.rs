//! The page "what the books got wrong": made from the claims files and the verdicts, and kept current by this test.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip --test suite errata` writes it.

use crate::common::gallery::{claims_of, for_each, open};
use crate::common::{blessed, loaded, verdict};
use noslip::Limits;
use noslip::model::Claims;
use noslip::verify::diagnose;
use noslip_gallery::CLAIMS;
use std::fmt::Write;

struct Document {
    folder: &'static str,
    title: &'static str,
    /// Slips that are not equations of one model, found by reading.
    remarks: &'static [&'static str],
}

/// The documents, in the order of the page.
const DOCUMENTS: [Document; 6] = [
    Document {
        folder: "soltakhanov-yushkov-zegzhda-2009",
        title: "Soltakhanov, Yushkov, Zegzhda: Mechanics of non-holonomic systems (2009), chapter II",
        remarks: &[
            "(2.15) sums over the dependent quasi-velocities only. That is enough where the independent ones are integrable, as for \
             the car, and not for the rolling disk; (3.25) has the full sum.",
            "Between (3.11) and (3.12) one index is used for two sums.",
            "The remark on Udwadia and Kalaba inverts a matrix whose rank is only that of the degrees of freedom.",
            "Example II.1: the angle of the rod is one with the axis Ox, not Oz.",
            "Example II.2: the text has the resistance -kappa1 v_C, of the centre of mass; the forces of (4.11) are those of the \
             velocity of A. The gallery's skater has the latter.",
            "Example II.3, table: the derivative of eta' by v3 is -1, not 1; the wrong sign of Lambda follows from it.",
            "Example II.4: the printed initial velocities violate the constraints (4.16); they fit other lengths of the car.",
            "(4.31): the third of the \"nonholonomic\" constraints of the ellipsoid is integrable: it gives the height.",
        ],
    },
    Document {
        folder: "greenwood-2003",
        title: "Greenwood: Advanced Dynamics (2003), chapter 5",
        remarks: &[
            "(5.11), (5.124), (5.138), (5.145), (5.197): indices and dots of the copy at hand, without consequence.",
        ],
    },
    Document {
        folder: "talamucci",
        title: "Talamucci: Rheonomic systems with nonlinear nonholonomic constraints",
        remarks: &[
            "After (16): that the constraints do not contain the time does not make eta and zeta vanish; the positions must not \
             contain it either.",
            "(13): the index of zeta on the right side is i.",
        ],
    },
    Document {
        folder: "sumbatov-2002",
        title: "Sumbatov: Nonholonomic systems (2002)",
        remarks: &[
            "After (1.1): the fields X4 and X5 should be sin(psi) d/dxi - cos(psi) d/deta and cos(psi) d/dxi + sin(psi) d/deta; as \
             printed, the five fields are dependent in places.",
            "Before (3.7): x' dTheta/dt is meant, not x' dTheta/dtheta.",
            "The reducing multiplier of the sledge: one that depends on x and phi exists if the centre of mass lies beside the wheel \
             (alpha = 0), not if it lies on the line of the blade. `noslip hamiltonise chaplygin-sledge-beside` finds it.",
            "Before (4.7): for coefficients that contain the time, their derivative is missing.",
            "Section 4: the variation of z along the family of curves is zero at alpha = 0; and the set of motions through the two \
             points is not empty, the same line can be run with another timing.",
        ],
    },
    Document {
        folder: "modelling-textbook",
        title: "A textbook on modelling, chapter 4.4",
        remarks: &[
            "The velocity of the sledge is along the runner, as (4.266) says, not perpendicular to it, as the text does.",
        ],
    },
    Document { folder: "sympy-tutorial", title: "The rolling disc of SymPy's documentation", remarks: &[] },
];

const HEAD: &str = "# What the books got wrong

The equations the source documents print about a model of the gallery, and their general equations with a model put in, are
transcribed in `models/claims`, and each is decided by `noslip verify`. This page lists those that do not follow from their
model, with the equation that does, a state's worth of evidence, and the mistake where the program recognises it. Whether a slip
is the author's, the printer's or only of the copy at hand is not always known: most look like misprints, some have consequences.

    noslip verify figure-skater-offset --claims \\
        models/claims/soltakhanov-yushkov-zegzhda-2009/figure-skater-offset.toml

shows the verdicts on one model. Multipliers are named after their constraint, `lambda_NAME`; abbreviations are those of the claims
file, which also holds every equation that is right as printed.

";

/// A wrong equation.
struct Slip {
    /// What the document calls it, without the index of the equation.
    name: String,
    model: String,
    printed: String,
    right: Option<String>,
    note: Option<String>,
    residual: f64,
    diagnosis: Option<String>,
}

/// Text in which nothing is a mark of Markdown.
fn plain(text: &str) -> String {
    text.replace('*', "\\*").replace('_', "\\_")
}

/// `(14) with (15), i = 2` is an instance of `(14) with (15)`.
fn general(id: &str) -> String {
    for index in ["i = ", "s = ", "nu = "] {
        if let Some((head, tail)) = id.split_once(&format!(", {index}")) {
            return format!("{head}{}", tail.trim_start_matches(|c: char| c.is_ascii_digit()));
        }
    }
    id.to_owned()
}

/// How many printed equations a claims file holds, and those that are wrong.
fn slips(document: &str, name: &str, source: &str) -> (usize, Vec<Slip>) {
    let file = format!("claims/{document}/{name}.toml");
    let mut model = open(name);
    let claims = loaded(Claims::load(source, &mut model, &Limits::default()), &file, source);
    let table: toml::Table = source.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
    let entries = table["claim"].as_array().expect("claims");
    let equation = |id: &str| {
        let entry = entries.iter().find(|e| e["id"].as_str() == Some(id))?;
        entry["equation"].as_str().map(str::to_owned)
    };
    let (mut here, mut wrong) = (0, Vec::new());
    for claim in claims.claims {
        // A corrected equation is ours, not the document's.
        let corrected = claim.id.ends_with(", corrected");
        here += usize::from(!corrected);
        let finding = verdict(&model, claim.expr);
        if finding.holds() {
            continue;
        }
        let counterexample = finding.counterexample().filter(|_| !corrected);
        let residual = counterexample.unwrap_or_else(|| panic!("{file}, {}: {finding:?}", claim.id)).residual.abs();
        let bare = claim.id.trim_end_matches(", as printed").trim_end_matches(", as derived");
        let mut w = model.workbench();
        // What a single symbol or sign would mend is plain from the two equations; a wrong theory is worth a word.
        let diagnosis = diagnose(&mut w, claim.expr).into_iter().find(|d| !d.mistake.ends_with("a term"));
        let diagnosis = diagnosis.map(|d| format!("{}: {}", d.mistake, d.explanation));
        wrong.push(Slip {
            name: general(bare),
            model: name.to_owned(),
            printed: equation(&claim.id).expect("the claim"),
            right: equation(&format!("{bare}, corrected")),
            note: claim.note,
            residual,
            diagnosis,
        });
    }
    (here, wrong)
}

fn page() -> String {
    let mut sections = String::new();
    let mut overview = String::from("| document | equations checked | wrong |\n|---|---|---|\n");
    let (mut checked, mut wrong) = (0, 0);
    for document in &DOCUMENTS {
        let results = for_each(&claims_of(document.folder), |(name, text)| slips(document.folder, name, text));
        let here: usize = results.iter().map(|(n, _)| n).sum();
        let all: Vec<Slip> = results.into_iter().flat_map(|(_, s)| s).collect();
        let _ = writeln!(overview, "| {} | {here} | {} |", document.title, all.len());
        let _ = write!(sections, "## {}\n\n", document.title);
        let mut names: Vec<&str> = Vec::new();
        for slip in &all {
            if !names.contains(&slip.name.as_str()) {
                names.push(&slip.name);
            }
        }
        for name in names {
            let same: Vec<&Slip> = all.iter().filter(|s| s.name == name).collect();
            let first = same[0];
            let _ = write!(sections, "### {}\n\n```text\nprinted  {}\n", plain(name), first.printed);
            if let Some(right) = &first.right {
                let _ = writeln!(sections, "right    {right}");
            }
            sections.push_str("```\n\n");
            if let Some(note) = &first.note {
                let _ = write!(sections, "{}. ", plain(note.trim_end_matches('.')));
            }
            let mut models: Vec<String> = Vec::new();
            for slip in &same {
                let model = format!("`{}`", slip.model);
                if !models.contains(&model) {
                    models.push(model);
                }
            }
            let often = if same.len() > 1 { format!(", {} equations", same.len()) } else { String::new() };
            let _ = writeln!(
                sections,
                "In {}{often}: at a state the constraints allow, the two sides differ by {:.2}.",
                models.join(", "),
                first.residual
            );
            if let Some(diagnosis) = &first.diagnosis {
                let _ = write!(sections, "\n> {}.\n", plain(diagnosis));
            }
            sections.push('\n');
        }
        if !document.remarks.is_empty() {
            sections.push_str("Found by reading:\n\n");
            for remark in document.remarks {
                let _ = writeln!(sections, "- {remark}");
            }
            sections.push('\n');
        }
        checked += here;
        wrong += all.len();
    }
    let _ = writeln!(overview, "| in all | {checked} | {wrong} |\n");
    assert_eq!((checked, wrong), (155, 51));
    format!("{HEAD}{overview}{}\n", sections.trim_end())
}

#[test]
fn the_page_of_errata_is_what_the_verdicts_say() {
    let page = page();
    for (file, _) in CLAIMS {
        let known = DOCUMENTS.iter().any(|d| file.split_once('/').is_some_and(|(document, _)| document == d.folder));
        assert!(known, "models/claims/{file}.toml belongs to a document of this page");
    }
    blessed("docs/src/gallery/errata.md", &page, "errata");
}
