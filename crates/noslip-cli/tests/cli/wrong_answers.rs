//! Answers that were wrong once, each asked again: what was said must not be said, and what is right must be.

use crate::program::{Answer, Folder, noslip, project};

/// A small model of the table of sources.
fn ask(command: &str, model: &str, more: &[&str]) -> Answer {
    let path = project().join("bench/sources/models").join(model);
    noslip(&[&[command, path.to_str().expect("a path")], more].concat())
}

#[track_caller]
fn tells(answer: &Answer, right: &[&str], wrong: &[&str]) {
    for text in right {
        assert!(answer.out.contains(text), "no `{text}` in\n{}\n{}", answer.out, answer.err);
    }
    for text in wrong {
        assert!(!answer.out.contains(text), "`{text}` in\n{}", answer.out);
    }
}

#[test]
fn positions_on_both_sides_of_an_invariant_plane_are_not_joined() {
    let answer = ask("check", "chow.toml", &[]);
    tells(&answer, &["wherever `y` ≠ 0", "no motion leads across `y` = 0"], &["any two positions can be joined"]);
    // The hoop is complete on each leaf, and the leaf is named.
    tells(&noslip(&["check", "hoop"]), &["z - sin(theta)"], &["any two positions can be joined"]);
}

#[test]
fn structure_coefficients_in_redundant_coordinates_are_those_on_the_finite_constraints() {
    let answer = ask("derive", "se2.toml", &["--form", "poincare-chetaev"]);
    tells(&answer, &["a Lie algebra, Poincaré's case", "c^v1[om,v2] = −1\n"], &["not a Lie algebra"]);
    tells(&ask("check", "se2.toml", &[]), &["The constraints keep their rank everywhere."], &["lose rank"]);
}

#[test]
fn forces_with_a_potential_are_no_reason_to_refuse_canonical_equations() {
    let answer = noslip(&["canonical", "hoop-upright"]);
    tells(&answer, &["H₁ = ", "Gpsi·sin(ψ)", "0.1·φ"], &["without a potential"]);
    assert_eq!(answer.status, 0, "{answer:?}");
}

#[test]
fn nothing_is_called_constant_for_an_integral_that_is_refuted() {
    let text = "noslip = 1\n[system]\nname = \"c\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [constraints]\nc = \"y' = t*x'\"\n";
    let folder = Folder::with("m.toml", text);
    let answer = folder.run(&["canonical", "m.toml", "--integral", "a*x - (1 + a)*t", "--constants", "a"]);
    assert_eq!(answer.status, 1);
    tells(&answer, &["satisfies the equation: no"], &["constant along solutions"]);
}

#[test]
fn the_equations_that_are_cited_are_those_of_the_documents() {
    let answer = noslip(&["forms", "--format", "json"]);
    let forms = answer.json("forms");
    let source = |id: &str| {
        let list = forms["forms"].as_array().expect("forms");
        let form = list.iter().find(|f| f["id"] == id).unwrap_or_else(|| panic!("{id}"));
        form["source"].as_str().expect("a source").to_owned()
    };
    for (id, right, wrong) in [
        ("lagrange-multipliers", "(2.22); Greenwood (5.24); Sumbatov (3.3)", "(2.2);"),
        ("suslov-jourdain", "(5.8), (5.9)", "(1.5)"),
        ("gibbs-appell", "Sumbatov (3.11); modelling textbook (4.301)", "(5.131)"),
        ("kane", "Kane 1961", "Greenwood"),
        ("chaplygin-quasi", "(3.22)", "(3.12)"),
        ("hamel-novoselov", "(3.18), (3.24)", "(3.7)"),
        ("poincare-chetaev", "(2.25), (3.26); Sumbatov (3.13)", "(3.22)"),
        ("central-equation", "(5.129), (5.151), (5.153)", "(5.148)"),
        ("suslov", "Sumbatov (4.7); Greenwood (5.208), (5.216)", "(4.8)"),
        ("ferrers", "Ferrers 1872; Sumbatov (3.6)–(3.8)", "1873"),
    ] {
        let said = source(id);
        assert!(said.contains(right) && !said.contains(wrong), "{id}: {said}");
    }
    tells(&noslip(&["explain", "notation"]), &["A textbook on modelling", "(4.301)"], &[]);
}

#[test]
fn check_and_derive_agree_on_whether_a_form_applies() {
    // A body in direction cosines has a mass matrix that cannot be inverted.
    let text = "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"c\", \"s\"]\n[energy]\n\
                kinetic = \"(c*s' - s*c')^2/2\"\n[constraints]\nunit = \"c^2 + s^2 = 1\"\n\
                [initial]\nposition = { c = 1, s = 0 }\n";
    let folder = Folder::with("m.toml", text);
    let check = folder.run(&["check", "m.toml"]);
    let refused = check.out.split("Forms that do not").nth(1).expect("forms that do not apply");
    assert!(refused.contains("udwadia-kalaba"), "{}", check.out);
    folder.run(&["derive", "m.toml", "--form", "udwadia-kalaba"]).refuses(3, &["the mass matrix has rank 1 < 2"]);
    for model in ["hoop", "ellipsoid-on-plane"] {
        let said = noslip(&["check", model, "--effort", "low"]);
        tells(&said, &["its force does not, so that Chaplygin's equations hold all the same"], &[]);
        let applies = said.out.split("Forms that do not").next().expect("forms that apply");
        assert!(applies.contains("ferrers, chaplygin,"), "{model}: {}", said.out);
    }
}

#[test]
fn the_energy_of_acceleration_has_no_terms_free_of_accelerations() {
    let answer = noslip(&["derive", "rolling-disk", "--form", "gibbs-appell"]);
    let line = answer.out.lines().find(|l| l.trim().starts_with("S* = ")).expect("S*");
    // Every product of S* that is not under a bracket with an acceleration would stand here; the audit saw this one.
    tells(&answer, &["S* = m·r²·(u̇₁²"], &["cot²(θ)·u₁²", "11·u₂²"]);
    assert!(line.contains("6·u̇₃²"), "{line}");
}

#[test]
fn a_product_of_constraints_is_a_choice_and_not_a_nonlinear_constraint() {
    let answer = ask("check", "product.toml", &[]);
    tells(&answer, &["a product", "`theta' = 0` or `cos(theta)*x' + sin(theta)*y' = 0`"], &["nonlinear"]);
}
