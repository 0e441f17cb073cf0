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
    assert!(ids.len() >= noslip::forms::FORMS.len(), "{ids:?}");
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
        assert!(!about.contains("[`") && !about.contains("::"), "{id}: a link of the code's own documentation");
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

#[test]
fn subjects_are_explained_without_links_into_the_code() {
    let beyond = ["notation", "compare", "hamiltonise", "inverse", "canonical", "principle", "grip", "non-ideal"];
    let motions = ["reduce", "steady", "linearise", "measure", "integrals", "connection", "exponents", "section"];
    for id in beyond.into_iter().chain(motions) {
        let v = noslip(&["explain", id, "--format", "json"]).json("explain");
        let about = v["about"].as_str().expect("text");
        assert!(about.len() > 200 && !about.contains("[`") && !about.contains("::"), "{id}: {about}");
    }
}

#[test]
fn the_notation_explains_the_letters_of_every_form() {
    let v = noslip(&["explain", "notation", "--format", "json"]).json("explain");
    let notation = v["about"].as_str().expect("text").to_owned();
    for id in ids() {
        let v = noslip(&["explain", &id, "--format", "json"]).json("explain");
        let about = v["about"].as_str().expect("text");
        for letter in ["𝓔", "Φ", "Ψ", "π_", "T*", "T°", "Q*", "Q°", "α_"].iter().filter(|l| about.contains(**l))
        {
            assert!(notation.contains(letter), "{id}: {letter}");
        }
        for author in ["Greenwood", "Soltakhanov", "Sumbatov", "Talamucci"].iter().filter(|a| about.contains(**a)) {
            assert!(notation.contains(author), "{id}: {author}");
        }
    }
}

#[test]
fn words_of_the_glossary_are_explained() {
    for (word, says) in [
        ("growth-vector", "admissible directions"),
        ("friction-cone", "normal force"),
        ("reaction", "multipliers"),
        ("Frobenius", "brackets"),
        ("scleronomic", "time occurs neither"),
        ("rheonomic", "time occurs neither"),
        ("chaplygin-system", "Sleigh"),
        ("jellett", "tippe top"),
        ("relative-equilibrium", "steady"),
    ] {
        let about = noslip(&["explain", word]);
        assert!(about.quiet().contains(says), "{word}: {}", about.out);
        noslip(&["explain", word, "--format", "json"]).json("explain");
    }
}

#[test]
fn every_word_of_the_glossary_leads_to_its_own_card() {
    assert!(noslip::subjects::TERMS.len() >= 55);
    for term in noslip::subjects::TERMS {
        let text = term.about;
        assert!(
            text.len() > 60 && text.ends_with(".\n") && text.lines().all(|l| l.chars().count() <= 140),
            "{}",
            term.id
        );
        for word in std::iter::once(&term.id).chain(term.aliases) {
            let others =
                noslip::forms::FORMS.iter().map(|f| f.card()).chain(noslip::subjects::SUBJECTS.iter().copied());
            let mut all = others.chain(noslip::subjects::TERMS);
            assert_eq!(all.find(|c| c.answers_to(word)).map(|c| c.id), Some(term.id), "{word}");
        }
    }
}
