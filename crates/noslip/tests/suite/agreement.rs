//! Every form × every model of the gallery where it applies: proved or tested to be one motion.

use crate::common::gallery::{for_each, open};
use noslip::forms::{Applicability, FORMS};
use noslip::verify::{Agreement, agreement};
use noslip_gallery::MODELS;

/// Ids of the forms of one model.
#[derive(Default)]
struct Row {
    proved: usize,
    tested: Vec<&'static str>,
    refusing: Vec<&'static str>,
}

/// Derives every form of a model; what does not apply must say why, what applies must be the same motion.
fn row(name: &str) -> Row {
    let mut row = Row::default();
    let model = open(name);
    let mut w = model.workbench();
    for form in FORMS {
        let id = form.id();
        match form.applies(&mut w) {
            Applicability::DoesNotApply(why) => {
                assert!(!why.is_empty(), "{name}: {id} says why it does not apply");
                let error = form.derive(&mut w).expect_err("a form that does not apply refuses");
                assert!(error.message.contains("does not apply"), "{name}, {id}: {error}");
                row.refusing.push(id);
            }
            Applicability::Applies => {
                let equations = form.derive(&mut w).unwrap_or_else(|e| panic!("{name}, {id}: {e}"));
                let (n, unknowns) = (equations.equations.len(), equations.unknowns.len());
                assert_eq!(n, unknowns, "{name}, {id}: as many equations as unknowns");
                match agreement(&mut w, &equations) {
                    Agreement::Proved => row.proved += 1,
                    Agreement::Tested { .. } => row.tested.push(id),
                    other => panic!("{name}, {id}: {other:?}"),
                }
            }
        }
    }
    row
}

#[test]
fn every_form_that_applies_agrees_on_every_model() {
    let rows = for_each(MODELS, |(name, _)| row(name));
    for ((name, _), row) in MODELS.iter().zip(&rows) {
        assert!(row.proved + row.tested.len() > 0, "{name}: at least one form applies");
        println!("{name}: {} proved, tested {:?}, not applicable {:?}", row.proved, row.tested, row.refusing);
    }
    let proved: usize = rows.iter().map(|r| r.proved).sum();
    let tested: usize = rows.iter().map(|r| r.tested.len()).sum();
    let refusing: usize = rows.iter().map(|r| r.refusing.len()).sum();
    let pairs = FORMS.len() * MODELS.len();
    println!("{proved} proved, {tested} tested, {refusing} do not apply");
    assert_eq!(proved + tested + refusing, pairs);
    // Nothing drops out of the comparison, or out of the proofs, on a large scale.
    assert!(refusing * 7 < pairs, "{refusing} of {pairs} pairs do not apply");
    assert!(proved > 9 * tested, "{proved} proved, {tested} only tested");
}
