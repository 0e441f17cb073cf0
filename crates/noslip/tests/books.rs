//! The examples of the books, retraced: figures, printed results, and the verdict on every printed equation.

#[path = "common/gallery.rs"]
mod gallery;

#[path = "books/greenwood_2003.rs"]
mod greenwood_2003;
#[path = "books/modelling_textbook.rs"]
mod modelling_textbook;
#[path = "books/soltakhanov_yushkov_zegzhda_2009.rs"]
mod soltakhanov_yushkov_zegzhda_2009;
#[path = "books/sumbatov_2002.rs"]
mod sumbatov_2002;
#[path = "books/sympy_tutorial.rs"]
mod sympy_tutorial;
#[path = "books/talamucci.rs"]
mod talamucci;

use gallery::{REFERENCE, evenly, folder, names_in, open, run, text, values_of, verdict};
use noslip::Limits;
use noslip::model::{Claims, Overrides, render};
use noslip::verify::Finding;

/// Reads every claims file of a document, decides each claim exactly and, independently, along the motion of its model, and
/// counts those that hold and those that do not.
fn verdicts(document: &str) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    for name in names_in(&folder().join("claims").join(document)) {
        let file = format!("claims/{document}/{name}.toml");
        let source = text(&file);
        let mut model = open(&name);
        let at = evenly(&model, 41);
        let simulation = run(&mut model, &at, 1e-11, &Overrides::default());
        let claims = Claims::load(&source, &mut model, &Limits::default()).unwrap_or_else(|errors| {
            let shown: Vec<String> = errors.iter().map(|e| render(e, &file, &source)).collect();
            panic!("{}", shown.join("\n"))
        });
        for claim in claims.claims {
            let expected = claim.expect.unwrap_or_else(|| panic!("{file}, {}: no expected verdict", claim.id));
            let finding = verdict(&mut model, claim.expr);
            let holds = matches!(finding, Finding::Holds(_));
            assert!(
                holds == expected && !matches!(finding, Finding::Undecided(_)),
                "{file}, {}: {finding:?}",
                claim.id
            );
            if !expected {
                let shown = matches!(&finding, Finding::Fails(Some(c)) if c.residual.abs() > 1e-6);
                assert!(shown, "{file}, {}: a counterexample is given: {finding:?}", claim.id);
            }
            let residual = values_of(&mut model, &simulation, claim.expr).into_iter().map(f64::abs).fold(0.0, f64::max);
            // Right equations leave rounding and the error of integration, wrong ones what they get wrong.
            assert!(if expected { residual < 1e-6 } else { residual > 1e-3 }, "{file}, {}: {residual:e}", claim.id);
            if expected { right += 1 } else { wrong += 1 }
        }
    }
    (right, wrong)
}

#[test]
fn every_document_with_claims_is_read() {
    let mut documents: Vec<String> = std::fs::read_dir(folder().join("claims"))
        .expect("the folder of claims")
        .map(|e| e.expect("a folder").file_name().to_string_lossy().into_owned())
        .collect();
    documents.sort();
    assert_eq!(
        documents,
        [
            "greenwood-2003",
            "modelling-textbook",
            "soltakhanov-yushkov-zegzhda-2009",
            "sumbatov-2002",
            "sympy-tutorial",
            "talamucci"
        ]
    );
}

/// Each of the 36 worked systems is a model that names its document, runs to its end and stays on its constraints.
#[test]
fn every_example_of_every_document_runs_from_its_model_file() {
    let documents =
        [("Soltakhanov", 13), ("Greenwood", 3), ("Talamucci", 4), ("Sumbatov", 14), ("Textbook on modelling", 2)];
    let mut count = 0;
    for (author, examples) in documents {
        let mine: Vec<&str> = REFERENCE
            .iter()
            .map(|(model, _)| *model)
            .filter(|model| open(model).system.source.is_some_and(|s| s.contains(author)))
            .collect();
        assert_eq!(mine.len(), examples, "{author}: {mine:?}");
        for name in mine {
            let mut model = open(name);
            let at = evenly(&model, 11);
            let simulation = run(&mut model, &at, 1e-10, &Overrides::default());
            assert_eq!(simulation.outcome.code(), "finished", "{name}");
            assert!(simulation.constraint_drift < 1e-6, "{name}: {:e}", simulation.constraint_drift);
            count += 1;
        }
    }
    assert_eq!(count, 36);
}
