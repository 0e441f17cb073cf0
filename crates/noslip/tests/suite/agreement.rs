//! Every form × every model of the gallery where it applies: proved or tested to be one motion.

use crate::common::gallery::{for_each, open};
use noslip::forms::{Applicability, FORMS};
use noslip::verify::{Agreement, agreement};
use noslip_gallery::MODELS;

/// Derives every form of every model; what does not apply must say why, what applies must be the same motion.
#[test]
fn every_form_that_applies_agrees_on_every_model() {
    let counts = for_each(MODELS, |(name, _)| {
        let (mut proved, mut tested, mut refusing) = (0, 0, 0);
        let model = open(name);
        let mut w = model.workbench();
        for form in FORMS {
            match form.applies(&mut w) {
                Applicability::DoesNotApply(why) => {
                    assert!(!why.is_empty(), "{name}: {} says why it does not apply", form.id());
                    let error = form.derive(&mut w).expect_err("a form that does not apply refuses");
                    assert!(error.message.contains("does not apply"), "{name}, {}: {error}", form.id());
                    refusing += 1;
                }
                Applicability::Applies => {
                    let equations = form.derive(&mut w).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
                    let (n, unknowns) = (equations.equations.len(), equations.unknowns.len());
                    assert_eq!(n, unknowns, "{name}, {}: as many equations as unknowns", form.id());
                    match agreement(&mut w, &equations) {
                        Agreement::Proved => proved += 1,
                        Agreement::Tested { .. } => tested += 1,
                        other => panic!("{name}, {}: {other:?}", form.id()),
                    }
                }
            }
        }
        assert!(proved + tested > 0, "{name}: at least one form applies");
        (proved, tested, refusing)
    });
    let (proved, tested, refusing) = counts.into_iter().fold((0, 0, 0), |s, c| (s.0 + c.0, s.1 + c.1, s.2 + c.2));
    println!("{proved} proved, {tested} tested, {refusing} do not apply");
    assert_eq!((proved + tested, refusing), (987, 111), "nothing drops out of the comparison unnoticed");
}
