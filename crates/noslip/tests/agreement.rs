//! Every form × every reference system and gallery model where it applies: proved or tested to be one motion.

mod common;

use noslip::Limits;
use noslip::forms::{Applicability, FORMS};
use noslip::model::Model;
use noslip::verify::{Agreement, agreement};

/// Derives every applicable form and compares it with Lagrange's equations with multipliers.
fn table(name: &str, text: &str) -> Vec<(&'static str, Agreement)> {
    let model = Model::load(text, name, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let mut w = model.workbench();
    let mut list = Vec::new();
    for form in FORMS {
        match form.applies(&mut w) {
            Applicability::Applies => {
                let eq = form.derive(&mut w).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
                assert_eq!(
                    eq.equations.len(),
                    eq.unknowns.len(),
                    "{name}, {}: as many equations as unknowns",
                    form.id()
                );
                list.push((form.id(), agreement(&mut w, &eq)));
            }
            Applicability::DoesNotApply(why) => {
                assert!(!why.is_empty());
                let error = form.derive(&mut w).expect_err("a form that does not apply refuses");
                assert!(error.message.contains("does not apply"), "{name}, {}: {error}", form.id());
            }
        }
    }
    list
}

#[test]
fn every_form_agrees_with_lagrange_on_every_reference_system() {
    let (mut proved, mut tested, mut by_system) = (0, 0, Vec::new());
    for (name, json) in common::systems() {
        let text = common::to_toml(&json, common::Options::default());
        let list = table(&name, &text);
        for (form, verdict) in &list {
            match verdict {
                Agreement::Proved => proved += 1,
                Agreement::Tested { .. } => tested += 1,
                other => panic!("{name}, {form}: {other:?}"),
            }
        }
        by_system.push((name, list.len()));
    }
    println!("{proved} proved, {tested} tested");
    assert_eq!(by_system.len(), 36);
    // Nothing may silently drop out of the comparison.
    assert_eq!(proved + tested, 593, "pairs of form and system: {by_system:?}");
    assert!(proved >= 570, "{proved} proved, {tested} only tested");
}
