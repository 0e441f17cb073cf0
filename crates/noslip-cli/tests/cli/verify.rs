//! `verify`

use crate::models::{particle, sleigh};
use crate::program::{Folder, noslip, project};
use serde_json::json;

#[test]
fn a_true_equation_is_proved() {
    let folder = sleigh();
    let eq = "m*x_C'' = lambda_knife_edge*sin(phi)";
    assert_eq!(folder.run(&["verify", "sleigh.toml", "--equation", eq]).quiet(), format!("{eq}: holds (proved)\n"));
    let v = folder.run(&["verify", "sleigh.toml", "--equation", eq, "--format", "json"]).json("verify");
    assert_eq!(v, json!({"claims": [{"id": eq, "holds": true, "how": "proved"}]}));
}

#[test]
fn quasi_velocities_and_bare_expressions_may_be_claimed() {
    let folder = sleigh();
    folder
        .run(&["verify", "sleigh.toml", "--equation", "-m*v' + m*l*omega^2", "--equation", "v = x'/cos(phi)"])
        .quiet();
}

#[test]
fn a_false_equation_has_status_1_and_a_state_that_refutes_it() {
    let folder = sleigh();
    let answer = folder.run(&["verify", "sleigh.toml", "--equation", "m*v' = -m*l*omega^2", "--format", "json"]);
    assert_eq!((answer.status, answer.err.as_str()), (1, ""));
    let v = answer.json("verify");
    let c = &v["claims"][0]["counterexample"];
    let number = |of: &str, name: &str| c[of][name].as_f64().expect("a number");
    let knife = number("v", "x") * number("q", "phi").sin() - number("v", "y") * number("q", "phi").cos();
    assert!(knife.abs() < 1e-9, "the state satisfies the constraint");
    // v' = l ω², so that left minus right is 2 m l ω².
    let expected = 2.0 * 0.3 * number("v", "phi").powi(2);
    assert!((c["residual"].as_f64().expect("a number") - expected).abs() < 1e-9, "{c}");
    let text = folder.run(&["verify", "sleigh.toml", "--equation", "m*v' = -m*l*omega^2"]);
    assert_eq!(text.status, 1);
    assert!(
        text.out.contains("does NOT hold")
            && text.out.contains("counterexample:")
            && text.out.contains("left side − right side")
    );
}

#[test]
fn one_false_equation_among_true_ones_decides() {
    let answer =
        sleigh().run(&["verify", "sleigh.toml", "--equation", "m = m", "--equation", "m = l", "--format", "json"]);
    assert_eq!(answer.status, 1);
    let v = answer.json("verify");
    assert_eq!((&v["claims"][0]["holds"], &v["claims"][1]["holds"]), (&json!(true), &json!(false)));
}

#[test]
fn the_mistake_of_the_tutorial_is_found_and_named() {
    let claims = project().join("models/claims/sympy-tutorial/tutorial-rolling-disc.toml");
    let claims = claims.to_str().expect("a path");
    let answer = noslip(&["verify", "tutorial-rolling-disc", "--claims", claims, "--format", "json"]);
    assert_eq!(answer.status, 0, "the file expects these verdicts");
    let v = answer.json("verify");
    let verdicts: Vec<bool> = v["claims"].as_array().expect("a list").iter().map(|c| c["holds"] == true).collect();
    assert_eq!(verdicts, [false, true, true, false, true]);
    for i in [0, 3] {
        assert_eq!(v["claims"][i]["diagnosis"][0]["mistake"], "constraint substituted into the Lagrangian");
    }
    let text = noslip(&["verify", "tutorial-rolling-disc", "--claims", claims]);
    assert!(text.out.contains("constraint substituted into the Lagrangian: "));
}

#[test]
fn a_verdict_other_than_the_expected_one_has_status_1() {
    let folder = sleigh();
    let with = |first: bool, second: bool| {
        let claims = format!(
            "[[claim]]\nid = \"a\"\nequation = \"m = m\"\nexpect = {first}\n[[claim]]\nid = \"b\"\nequation = \"m = l\"\nexpect = {second}\n"
        );
        folder.write("c.toml", claims);
        let json = folder.run(&["verify", "sleigh.toml", "--claims", "c.toml", "--format", "json"]);
        let v = json.json("verify");
        assert_eq!((&v["claims"][0]["expected"], &v["claims"][1]["expected"]), (&json!(first), &json!(second)));
        let text = folder.run(&["verify", "sleigh.toml", "--claims", "c.toml"]);
        assert_eq!(text.status, json.status);
        (text.status, text.out)
    };
    let (status, text) = with(true, false);
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("a: holds (proved), as expected\nb: does NOT hold, as expected\n"), "{text}");
    let (status, text) = with(false, false);
    assert!(status == 1 && text.contains("a: holds (proved), though expected to fail\n"), "{text}");
    let (status, text) = with(true, true);
    assert!(status == 1 && text.contains("b: does NOT hold, though expected to hold\n"), "{text}");
}

#[test]
fn claims_come_from_a_file_or_from_standard_input() {
    let folder = sleigh();
    let claims = "[definitions]\nE = \"x'*x_C'\"\n[[claim]]\nid = \"one\"\nequation = \"E - E\"\nnote = \"trivial\"\n";
    folder.write("c.toml", claims);
    let file = folder.run(&["verify", "sleigh.toml", "--claims", "c.toml"]);
    assert_eq!(file.quiet(), "one: holds (proved)\n");
    assert_eq!(folder.run_with(&["verify", "sleigh.toml", "--claims", "-"], claims.as_bytes()).quiet(), file.out);
    let both = folder.run(&["verify", "sleigh.toml", "--claims", "c.toml", "--equation", "m = m"]);
    assert_eq!(both.quiet().lines().count(), 2);
    folder.run(&["verify", "-", "--claims", "-"]).refuses(2, &["both the model and --claims", "standard input"]);
}

#[test]
fn an_equation_that_cannot_be_read_is_shown_with_its_place() {
    let folder = sleigh();
    let of = |eq: &str| folder.run(&["verify", "sleigh.toml", "--equation", eq]);
    of("x +* y").refuses(2, &["missing operand", "--equation:1:3", "x +* y"]);
    of("m*ph'' = 0").refuses(2, &["unknown name `ph`", "phi"]);
    of("lambda_knife_edg = 0").refuses(2, &["unknown name `lambda_knife_edg`", "lambda_knife_edge"]);
    of("x = 1 = 2").refuses(2, &["--equation:1"]);
    of("").refuses(2, &["--equation"]);
    of("sin(x").refuses(2, &["--equation:1"]);
    of("2 x").refuses(2, &["--equation:1"]);
    of("x'''").refuses(2, &["--equation:1"]);
    folder.write("c.toml", "[[claim]]\nid = \"a\"\nequation = \"x* = 2\"\n");
    folder.run(&["verify", "sleigh.toml", "--claims", "c.toml"]).refuses(2, &["c.toml:3", "missing operand"]);
}

#[test]
fn a_claims_file_that_is_none_is_refused() {
    let folder = sleigh();
    let with = |text: &[u8]| {
        folder.write("c.toml", text);
        folder.run(&["verify", "sleigh.toml", "--claims", "c.toml"])
    };
    with(b"").refuses(2, &["no claim", "[[claim]]"]);
    with(b"[[claim]]\nequation = \"m = m\"\n").refuses(2, &["without `id`", "c.toml:1"]);
    with(b"[[claim]]\nid = \"a\"\nequaton = \"m = m\"\n")
        .refuses(2, &["unknown key `equaton`", "did you mean `equation`"]);
    with(b"[[claim").refuses(2, &["c.toml:1"]);
    with(b"\xff").refuses(2, &["UTF-8"]);
    folder.run(&["verify", "sleigh.toml", "--claims", "none.toml"]).refuses(2, &["cannot read `none.toml`"]);
    folder.run(&["verify", "sleigh.toml"]).refuses(2, &["nothing to verify", "--equation EQ or --claims FILE"]);
}

#[test]
fn what_cannot_be_decided_has_status_3() {
    // With redundant constraints the multipliers are not determined.
    let folder = Folder::new();
    let answer = folder.run(&[
        "verify",
        "bead-with-redundant-constraints",
        "--equation",
        &first_multiplier(),
        "--format",
        "json",
    ]);
    answer.refuses(3, &["could not be decided"]);
    let v = answer.json("verify");
    assert_eq!(v["claims"][0]["holds"], json!(null));
    let text = folder.run(&["verify", "bead-with-redundant-constraints", "--equation", &first_multiplier()]);
    assert!(text.out.contains("undecided: "));
}

fn first_multiplier() -> String {
    let v = noslip(&["check", "bead-with-redundant-constraints", "--format", "json"]).json("check");
    format!("lambda_{} = 0", v["constraints"][0]["name"].as_str().expect("a name"))
}

#[test]
fn a_relation_hidden_in_the_constraints_holds_along_the_motion() {
    let folder = Folder::with(
        "m.toml",
        &particle("[constraints]\nc = \"x' = 2*y'\"\n[initial]\nposition = { x = 3, y = 1 }\nvelocity = { y = 1 }"),
    );
    let v = folder.run(&["verify", "m.toml", "--equation", "x = 2*y + 1", "--format", "json"]).json("verify");
    assert_eq!(v["claims"][0]["holds"], true);
    assert!(v["claims"][0].get("because").is_some(), "{v}");
    assert_eq!(folder.run(&["verify", "m.toml", "--equation", "x = 2*y"]).status, 1);
}

#[test]
fn inverse_functions_are_tested_at_both_signs() {
    let folder = Folder::with("m.toml", &particle("[forces]\nx = \"-sign(x')\""));
    folder.run(&["verify", "m.toml", "--equation", "x'' = -sign(x')"]).quiet();
    assert_eq!(folder.run(&["verify", "m.toml", "--equation", "sqrt(x^2) = x"]).status, 1);
    assert_eq!(folder.run(&["verify", "m.toml", "--equation", "atan2(x, y) = atan(x/y)"]).status, 1);
}
