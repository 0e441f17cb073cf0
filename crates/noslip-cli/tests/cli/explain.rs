//! `forms` and `explain`

use crate::program::noslip;

/// Ids of all forms.
pub fn ids() -> Vec<String> {
    let v = noslip(&["forms", "--format", "json"]).json("forms");
    v["forms"].as_array().expect("a list").iter().map(|f| f["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn all_forms_of_the_formulary_are_listed_once() {
    let ids = ids();
    assert!(ids.len() >= 18, "{ids:?}");
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    let text = noslip(&["forms"]);
    for id in &ids {
        assert!(text.quiet().contains(&format!("{id} ")), "{id}");
    }
    assert_eq!(text.out.matches("needs: ").count(), ids.len());
    assert_eq!(text.out.matches("source: ").count(), ids.len());
}

#[test]
fn every_form_is_explained_with_its_equation_condition_and_source() {
    for id in ids() {
        let v = noslip(&["explain", &id, "--format", "json"]).json("explain");
        let about = v["about"].as_str().expect("text");
        for part in ["Valid when:", "Source", "="] {
            assert!(about.contains(part), "{id}: no {part:?} in\n{about}");
        }
        assert!(!about.contains("//!") && !about.contains("```"), "{id}");
        let text = noslip(&["explain", &id]);
        assert!(text.quiet().contains(about) && text.out.contains(&format!("({id})")), "{id}");
        for alias in v["aliases"].as_array().expect("a list") {
            let same = noslip(&["explain", alias.as_str().expect("text"), "--format", "json"]).json("explain");
            assert_eq!(same["id"], v["id"], "{alias}");
        }
    }
}

#[test]
fn an_unknown_form_is_refused_with_a_suggestion_wherever_it_is_named() {
    let parts = &["unknown form `magi`", "did you mean `maggi`?"];
    noslip(&["explain", "magi"]).refuses(2, parts);
    noslip(&["derive", "rolling-disk", "--form", "magi"]).refuses(2, parts);
    noslip(&["derive", "rolling-disk", "--form", "kane", "--form", "magi"]).refuses(2, parts);
    noslip(&["eval", "rolling-disk", "--form", "magi", "--states", "-"]).refuses(2, parts);
    noslip(&["explain", "zzzzzzzzzzzz"]).refuses(2, &["unknown form", "known: lagrange-multipliers, maggi"]);
    noslip(&["explain"]).refuses(2, &["<FORM>"]);
}
