//! `check`

use crate::demo::names;
use crate::models::{particle, sleigh};
use crate::program::{Folder, noslip};
use serde_json::{Value, json};

#[test]
fn the_answer_for_the_sleigh_is_the_one_of_the_textbooks() {
    let folder = sleigh();
    let v = folder.run(&["check", "sleigh.toml", "--format", "json"]).json("check");
    assert_eq!(v["name"], "sleigh");
    assert_eq!((&v["coordinates"], &v["degrees_of_freedom"]), (&json!(3), &json!(2)));
    assert_eq!(v["growth_vector"], json!([2, 3]));
    for (key, value) in [
        ("system_integrable", json!(false)),
        ("completely_nonholonomic", json!(true)),
        ("rheonomic", json!(false)),
        ("conservative", json!(true)),
        ("cyclic", json!(["x", "y"])),
    ] {
        assert_eq!(v[key], value, "{key}");
    }
    let c = &v["constraints"][0];
    assert_eq!(
        (&c["name"], &c["order"], &c["linear"], &c["integrable"]),
        (&json!("knife_edge"), &json!(1), &json!(true), &json!(false))
    );
    assert_eq!(v["chaplygin"], json!({"is": true, "independent": ["x", "phi"], "dependent": ["y"], "why_not": null}));
    assert!(v["conserved"].as_array().expect("a list").contains(&json!("energy")));
    assert_eq!(v["initial"]["v"], json!({"x": 1.0, "y": 0.0, "phi": 2.0}));
    assert!(v["forms"].as_object().expect("an object").values().all(|a| a == "applies"));
    assert!(v.get("brackets").is_none());
}

#[test]
fn brackets_are_printed_on_request() {
    let v = noslip(&["check", "rolling-disk", "--brackets", "--format", "json"]).json("check");
    let fields = v["brackets"].as_array().expect("a list");
    assert_eq!(fields.len(), 5, "three fields, and two brackets that complete the growth vector (3, 4, 5)");
    assert!(fields.iter().all(|f| f["components"].as_array().is_some_and(|c| c.len() == 5)));
    let text = noslip(&["check", "rolling-disk", "--brackets"]);
    assert!(text.quiet().contains("Fields of the distribution and their brackets"));
    assert!(!noslip(&["check", "rolling-disk"]).out.contains("their brackets"));
}

#[test]
fn every_gallery_model_has_an_answer_that_fits_the_schema_and_says_why_a_form_does_not_apply() {
    let mut refusals = 0;
    for name in names() {
        let answer = noslip(&["check", &name, "--format", "json"]);
        assert_eq!(answer.status, 0, "{name}: {}", answer.err);
        let v = answer.json("check");
        let forms = v["forms"].as_object().expect("an object");
        assert_eq!(forms.keys().cloned().collect::<Vec<_>>(), crate::explain::ids(), "{name}");
        refusals += forms.values().filter(|a| *a != "applies").count();
        assert!(forms.values().any(|a| a == "applies"), "{name}");
    }
    assert!(refusals > 20);
}

#[test]
fn the_text_lists_sentences_and_forms() {
    let text = noslip(&["check", "appell-particle"]);
    assert!(text.quiet().contains("Forms of the equations of motion that apply\n"));
    let (applies, others) = text.out.split_once("\nForms that do not\n").expect("both kinds");
    assert!(applies.contains(" maggi,") && !applies.contains(" boltzmann-hamel,"), "{applies}");
    assert!(others.contains("  boltzmann-hamel,") && !others.contains(" maggi,"), "{others}");
    assert!(text.out.lines().all(|l| l.starts_with("    ") || l.starts_with('-') || l.chars().count() <= 80));
}

#[test]
fn a_holonomic_and_a_second_order_constraint_are_recognised() {
    let folder = Folder::with("m.toml", &particle("[constraints]\ncircle = \"x^2 + y^2 = 1\""));
    let v = folder.run(&["check", "m.toml", "--format", "json"]).json("check");
    assert_eq!((&v["constraints"][0]["order"], &v["system_integrable"]), (&json!(0), &json!(true)));
    folder.write("m.toml", particle("[constraints]\nc = \"x'' = -sin(t)\""));
    let v = folder.run(&["check", "m.toml", "--format", "json"]).json("check");
    assert_eq!((&v["constraints"][0]["order"], &v["rheonomic"]), (&json!(2), &json!(true)));
}

#[test]
fn a_model_without_an_initial_state_is_complete() {
    let folder = Folder::with("m.toml", &particle(""));
    let v: Value = folder.run(&["check", "m.toml", "--format", "json"]).json("check");
    assert!(v.get("initial").is_none());
    assert_eq!(v["degrees_of_freedom"], 2);
}

#[test]
fn of_a_model_that_cannot_be_read_all_errors_are_one_document() {
    let text =
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"m*x'^2/2\"\npotential = \"k*x^2*\"\n";
    let folder = Folder::with("m.toml", text);
    let answer = folder.run(&["check", "m.toml", "--format", "json"]);
    let v = answer.refuses(2, &["unknown name `m`", "m.toml:5:12"]).json("refusal");
    assert_eq!(v["file"], "m.toml");
    let errors = v["errors"].as_array().expect("a list");
    let places: Vec<_> = errors.iter().map(|e| (e["line"].clone(), e["column"].clone())).collect();
    assert_eq!(places[0], (json!(5), json!(12)));
    assert_eq!((&errors[0]["end_line"], &errors[0]["end_column"]), (&json!(5), &json!(13)));
    assert!(errors[0]["hint"].as_str().is_some_and(|h| h.contains("[parameters]")), "{v:#}");
    assert!(errors.len() == 2 && places[1].0 == json!(6), "{v:#}");
    // What is wrong with the command line has no place in a file.
    let v = folder.run(&["check", "nowhere.toml", "--format", "json"]).refuses(2, &["cannot read"]).json("refusal");
    assert_eq!((&v["file"], &v["errors"][0]["line"]), (&Value::Null, &Value::Null));
    assert!(folder.run(&["check", "m.toml"]).out.is_empty(), "a person reads the message");
}

#[test]
fn of_open_functions_everything_is_said_but_the_initial_state() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[functions]\na = \"x, y\"\nF = \"t\"\n\
                [energy]\nkinetic = \"(x'^2 + a*y'^2 + z'^2)/2\"\n[forces]\nz = \"F(t)\"\n\
                [constraints]\nc = \"z' = a*x' + F(t)*y'\"\n[initial]\nvelocity = { x = 0.5 }\n";
    let folder = Folder::with("m.toml", text);
    let said = folder.run(&["check", "m.toml"]);
    assert!(
        said.out.contains("the initial state, which needs the functions `a`, `F`") && said.err.is_empty(),
        "{}",
        said.out
    );
    let v: Value = folder.run(&["check", "m.toml", "--format", "json"]).json("check");
    assert!(v.get("initial").is_none() && v["undecided"].as_array().is_some_and(|list| !list.is_empty()), "{v:#}");
    let v: Value =
        folder.run(&["check", "m.toml", "--format", "json", "--set", "a=1+x^2", "--set", "F=t"]).json("check");
    assert_eq!(v["initial"]["v"]["x"], 0.5, "{v:#}");
}
