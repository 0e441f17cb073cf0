//! The commands that go beyond the equations of motion: answers in JSON, exit statuses, messages.

use serde_json::Value;
use std::process::{Command, Output};

fn noslip(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_noslip")).args(args).output().expect("the program runs")
}

/// The JSON answer, and the exit status it came with.
fn answer(args: &[&str]) -> (Value, i32) {
    let out = noslip(&[args, &["--format", "json"]].concat());
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let value = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{args:?}: {e}\n{text}\n{}", String::from_utf8_lossy(&out.stderr)));
    (value, out.status.code().expect("a status"))
}

/// The message of a failure, and the exit status.
fn complaint(args: &[&str]) -> (String, i32) {
    let out = noslip(args);
    (String::from_utf8_lossy(&out.stderr).into_owned(), out.status.code().expect("a status"))
}

#[test]
fn compare_tells_when_the_vakonomic_motion_departs() {
    let (v, status) = answer(&["compare", "vertical-disk", "--vakonomic", "--mu", "roll_y=0.1", "--until", "5"]);
    assert_eq!(status, 0);
    assert_eq!(v["rumyantsev"]["for_every_mu"], "no");
    assert!(v["departs_at"].as_f64().is_some_and(|t| t > 0.0 && t < 5.0), "{}", v["departs_at"]);
    let (v, status) = answer(&["compare", "vertical-disk", "--mu", "momentum", "--until", "5"]);
    assert_eq!(status, 0);
    assert!(v["departs_at"].is_null() && v["largest_difference"].as_f64().unwrap() < 1e-6);
}

#[test]
fn compare_names_the_constraint_it_does_not_know() {
    let (message, status) = complaint(&["compare", "vertical-disk", "--mu", "roll_z=0.1"]);
    assert!(status == 2 && message.contains("roll_z") && message.contains("roll_x"), "{status}: {message}");
}

#[test]
fn hamiltonise_finds_verifies_and_refuses() {
    let (v, status) = answer(&["hamiltonise", "nonholonomic-particle"]);
    assert_eq!((status, &v["coordinates"]["exists"]), (0, &Value::Bool(true)));
    assert_ne!(v["coordinates"]["system"]["verified"], "no");
    let (v, status) = answer(&["hamiltonise", "nonholonomic-particle", "--multiplier", "1/(1+y^2)"]);
    assert_eq!((status, &v["proposed"]["verified"]), (1, &Value::from("no")));
    let (message, status) = complaint(&["hamiltonise", "isokinetic-particle"]);
    assert!(status == 3 && message.contains("does not apply"), "{status}: {message}");
}

#[test]
fn inverse_answers_yes_for_the_upright_hoop_and_no_for_the_sledge() {
    assert_eq!(answer(&["inverse", "hoop-upright"]).1, 0);
    let (v, status) = answer(&["inverse", "chaplygin-sledge"]);
    assert_eq!((status, &v["lagrangian"]), (1, &Value::Bool(false)));
}

#[test]
fn canonical_gives_the_hamilton_jacobi_equation_and_tests_an_integral() {
    let (v, status) = answer(&["canonical", "nonholonomic-particle"]);
    assert_eq!(status, 0);
    assert!(v["hamilton_jacobi"].as_str().unwrap().contains("S_t"), "{}", v["hamilton_jacobi"]);
    let (v, status) =
        answer(&["canonical", "nonholonomic-particle", "--constants", "a,b,c", "--integral", "a*x + b*y + c*z - t"]);
    assert_eq!((status, &v["integral"]["satisfies"]), (1, &Value::from("no")));
}

#[test]
fn principle_holds_along_the_motion_and_fails_when_pushed() {
    let (v, status) = answer(&["principle", "knife-edge-body", "--until", "1"]);
    assert_eq!(status, 0, "{v}");
    assert_eq!(v["principles"].as_array().unwrap().len(), 4);
    let (v, status) = answer(&["principle", "knife-edge-body", "--until", "1", "--push", "phi=0.4", "--push", "x=0.3"]);
    assert_eq!(status, 1);
    assert!(v["principles"].as_array().unwrap().iter().all(|p| p["holds"] == false), "{v}");
    let (v, status) = answer(&["principle", "knife-edge-body", "--quadrilateral", "0.01"]);
    assert_eq!((status, v["quadrilaterals"].as_array().unwrap().len()), (0, 1));
}

#[test]
fn grip_tells_the_moment_the_car_slides() {
    let car = ["grip", "car-in-a-turn", "--limit", "rear_axle=2000", "--limit", "front_axle=4000", "--until", "15"];
    let (v, status) = answer(&car);
    assert_eq!((status, &v["holds"]), (1, &Value::Bool(false)));
    assert!(v["slides"]["t"].as_f64().is_some_and(|t| t > 0.0 && t < 15.0), "{}", v["slides"]);
    let (v, status) = answer(&["grip", "car-in-a-turn", "--limit", "rear_axle=1e9", "--until", "5"]);
    assert_eq!((status, &v["holds"]), (0, &Value::Bool(true)));
    let law = ["--law", "x=-0.2*abs(lambda_knife)*cos(phi)", "--law", "y=-0.2*abs(lambda_knife)*sin(phi)"];
    let (v, status) = answer(&[&["grip", "knife-edge-body", "--until", "1"][..], &law].concat());
    assert_eq!((status, &v["outcome"]), (0, &Value::from("finished")));
}
