//! `compare`, `hamiltonise`, `inverse`, `canonical`, `principle`, `grip`: options, refusals, and answers in JSON that fit
//! their schemas. What they compute is tested in `subjects.rs` and in the library.

use crate::models::particle;
use crate::program::{Folder, both, noslip, project};
use serde_json::json;

#[test]
fn compare_answers_in_its_schema_and_takes_every_option_of_a_run() {
    let start = ["compare", "vertical-disk", "--vakonomic", "--mu", "roll_y=0.1", "--until", "2"];
    let (text, json) = both(&start);
    text.quiet();
    let v = json.json("compare");
    assert_eq!(v["mu"], json!({"roll_x": 0.0, "roll_y": 0.1}));
    assert_eq!(v["samples"].as_array().map(Vec::len), Some(101));
    let with = |more: &[&str]| noslip(&[&start[..], more, &["--format", "json"]].concat());
    assert_eq!(with(&["--samples", "3"]).json("compare")["samples"].as_array().map(Vec::len), Some(3));
    let at = with(&["--at", "0,1,2"]).json("compare");
    assert_eq!(at["samples"][1]["t"], 1.0);
    let wide = with(&["--threshold", "1e9"]).json("compare");
    assert!(wide["departs_at"].is_null() && wide["threshold"] == 1e9);
    let set = with(&["--set", "R=2", "--initial", "theta'=1", "--tolerance", "1e-6", "--method", "implicit"]);
    assert_eq!(set.json("compare")["samples"][0]["mechanics"]["v"]["x"], 2.0);
    let stopped = with(&["--stop", "x = 0.5"]).json("compare");
    assert_eq!(stopped["outcome"]["mechanics"], "event");
    with(&["--max-steps", "2"]).refuses(3, &["ended early"]).json("compare");
    with(&["--step", "0.01"]).json("compare");
    with(&["--method", "dla"]).refuses(3, &["`dla` does not apply", "dop853"]);
}

#[test]
fn the_limit_of_a_parameter_is_compared_value_by_value() {
    // Neimark and Fufaev: Appell's machine goes over into Hamel's point for ρ → 0+, and not for ρ → 0−.
    let machine = project().join("bench/sources/models/machine-limit.toml");
    let machine = machine.to_str().expect("a name");
    let start = ["compare", machine, "appell-hamel", "--until", "1", "--vary", "rho=0.001,-0.001"];
    let (text, json) = both(&start);
    assert!(text.fine().contains("rho = -0.001"), "{}", text.out);
    let v = json.json("compare");
    let difference = |i: usize| v["values"][i]["largest_difference"].as_f64().expect("a number");
    assert!(difference(0) < 2e-3 && difference(1) > 1.0, "{v}");
}

#[test]
fn compare_refuses_what_it_cannot_do() {
    let of = |args: &[&str]| noslip(&[&["compare"], args].concat());
    of(&["vertical-disk", "--mu", "roll_y"]).refuses(2, &["--mu roll_y", "expected NAME=VALUE"]);
    of(&["vertical-disk", "--mu", "roll_y=a"]).refuses(2, &["`a` is not a number"]);
    of(&["vertical-disk", "--mu", "rol_y=1"]).refuses(2, &["unknown constraint `rol_y`", "did you mean"]);
    of(&["vertical-disk", "--threshold", "x"]).refuses(2, &["--threshold", "finite"]);
    of(&["vertical-disk", "--format", "csv"]).refuses(2, &["csv", "text, json"]);
    of(&["nowhere"]).refuses(2, &["neither a file nor a gallery model"]);
    of(&[]).refuses(2, &["<MODEL>"]);
}

#[test]
fn hamiltonise_answers_in_its_schema() {
    let (text, json) = both(&["hamiltonise", "nonholonomic-particle"]);
    text.quiet();
    assert_eq!(json.json("hamiltonise")["coordinates"]["exists"], true);
    let chosen = ["hamiltonise", "nonholonomic-particle", "--independent", "x,y", "--multiplier", "1/sqrt(1 + y^2)"];
    let (text, json) = both(&chosen);
    assert_eq!(text.status, 0, "{text:?}");
    assert_eq!(json.json("hamiltonise")["proposed"]["coordinates"], json!(["x", "y"]));
    let (_, no) = both(&["hamiltonise", "chaplygin-sledge", "--set", "alpha=0.3", "--initial", "phi=1"]);
    assert!(no.status <= 1, "{no:?}");
    no.json("hamiltonise");
    noslip(&["hamiltonise", "nonholonomic-particle", "--multiplier", "y*"]).refuses(2, &["--multiplier:1"]);
    noslip(&["hamiltonise", "nonholonomic-particle", "--independent", "x,q", "--multiplier", "1"])
        .refuses(2, &["unknown coordinate `q`"]);
}

#[test]
fn inverse_answers_in_its_schema() {
    let (yes, json) = both(&["inverse", "hoop-upright", "--set", "m=2", "--initial", "phi=1"]);
    yes.quiet();
    assert_eq!(json.json("inverse")["lagrangian"], true);
    let (no, json) = both(&["inverse", "chaplygin-sledge"]);
    assert_eq!((no.status, no.err.as_str()), (1, ""));
    assert_eq!(json.json("inverse")["lagrangian"], false);
    noslip(&["inverse", "chaplygin-sledge", "--set", "M"]).refuses(2, &["expected NAME=VALUE"]);
}

#[test]
fn canonical_answers_in_its_schema() {
    let folder = Folder::with("m.toml", &particle("[constraints]\nc = \"x' = y'\""));
    let ask = |more: &[&str]| folder.run(&[&["canonical", "m.toml", "--format", "json"], more].concat());
    assert_eq!(ask(&[]).json("canonical")["momenta"]["pi_x"], "m*x' + mu_c");
    let set = ["--set", "m=2", "--initial", "x=1", "--initial", "y=0", "--initial", "x'=0", "--initial", "y'=0"];
    ask(&set).json("canonical");
    let good = ask(&["--constants", "a,b", "--integral", "a*x + b*y - (a + b)^2/(4*m)*t"]);
    assert_eq!(good.status, 0, "{good:?}");
    let v = good.json("canonical");
    assert_eq!((&v["integral"]["satisfies"], &v["integral"]["complete"]), (&json!("proved"), &json!(true)));
    let bad = ask(&["--constants", "a,b", "--integral", "a*x + b*y - t"]);
    assert_eq!(bad.status, 1);
    assert_eq!(bad.json("canonical")["integral"]["satisfies"], "refuted");
    ask(&["--constants", "a", "--integral", "a*x +"]).refuses(2, &["--integral:1"]);
    ask(&["--constants", "a", "--integral", "a*x + b*y"]).refuses(2, &["unknown name `b`"]);
    folder.run(&["canonical", "m.toml"]).quiet();
    let free = Folder::with("m.toml", &particle(""));
    free.run(&["canonical", "m.toml"]).refuses(3, &["does not apply", "no constraints"]);
}

#[test]
fn principle_answers_in_its_schema() {
    let run = ["principle", "knife-edge-body", "--until", "1", "--tolerance", "1e-10", "--initial", "phi=0.1"];
    let (text, json) = both(&run);
    text.quiet();
    let v = json.json("principle");
    assert_eq!((&v["until"], &v["pushed"]), (&json!(1.0), &json!(false)));
    let (text, json) = both(&["principle", "knife-edge-body", "--until", "1", "--push", "phi=0.3", "--set", "m=2"]);
    assert_eq!((text.status, text.err.as_str()), (1, ""));
    assert_eq!(json.json("principle")["pushed"], true);
    let (text, json) = both(&["principle", "knife-edge-body", "--quadrilateral", "0.1"]);
    text.quiet();
    assert_eq!(json.json("principle")["quadrilaterals"][0]["side"], 0.1);
    let refused = |args: &[&str], parts: &[&str]| {
        noslip(&[&["principle", "knife-edge-body"], args].concat()).refuses(2, parts);
    };
    refused(&["--push", "psi=1"], &["unknown coordinate `psi`"]);
    refused(&["--push", "phi"], &["expected NAME=VALUE"]);
    refused(&["--push", "phi=1+"], &["--push:1"]);
    refused(&["--until", "inf"], &["--until", "finite"]);
    refused(&["--quadrilateral", "wide"], &["--quadrilateral", "finite"]);
}

#[test]
fn grip_answers_in_its_schema_and_takes_every_option_of_a_run() {
    let start = ["grip", "vertical-disk", "--contact", "tyre=roll_x,roll_y", "--limit", "tyre=100", "--until", "1"];
    let (text, json) = both(&start);
    text.quiet();
    let v = json.json("grip");
    assert_eq!((&v["holds"], v["least_margin"]["tyre"]["limit"].as_f64()), (&json!(true), Some(100.0)));
    let with = |more: &[&str]| noslip(&[&start[..], more, &["--format", "json"]].concat());
    with(&["--samples", "3", "--set", "R=2", "--initial", "theta'=1", "--tolerance", "1e-6"]).json("grip");
    assert_eq!(with(&["--at", "0,0.5", "--method", "taylor"]).json("grip")["samples"][1]["t"], 0.5);
    with(&["--stop", "x = 0.3"]).json("grip");
    with(&["--max-steps", "1"]).refuses(3, &["ended early"]).json("grip");
    with(&["--step", "0.01", "--method", "dla"]).json("grip");
    let slides = noslip(&["grip", "vertical-disk", "--limit", "roll_y=0.01", "--until", "1", "--format", "json"]);
    assert_eq!(slides.status, 1);
    assert_eq!(slides.json("grip")["slides"]["contact"], "roll_y");
    let law = ["grip", "knife-edge-body", "--until", "0.5", "--law", "x=-0.2*abs(lambda_knife)*cos(phi)"];
    let (text, json) = both(&law);
    text.quiet();
    assert_eq!(json.json("grip")["outcome"], "finished");
}

#[test]
fn grip_refuses_what_it_cannot_do() {
    let of = |args: &[&str], parts: &[&str]| {
        noslip(&[&["grip", "vertical-disk", "--until", "1"], args].concat()).refuses(2, parts);
    };
    of(&["--limit", "rol_x=1"], &["unknown constraint or contact `rol_x`", "roll_x"]);
    of(&["--limit", "roll_x"], &["expected NAME=VALUE"]);
    of(&["--limit", "roll_x=2*"], &["--limit:1"]);
    of(&["--contact", "tyre=roll_x,roll_q", "--limit", "tyre=1"], &["unknown constraint `roll_q`"]);
    of(&["--contact", "tyre=roll_x,roll_y"], &["contact `tyre` has no limit", "--limit tyre=EXPR"]);
    of(&["--law", "q=1"], &["unknown coordinate `q`"]);
}
