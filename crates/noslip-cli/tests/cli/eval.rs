//! `eval`

use crate::explain::ids;
use crate::models::{particle, sleigh};
use crate::program::{Folder, noslip};

const STATE: &str = r#"[{"t": 0, "q": {"x": 0, "y": 0, "phi": 0}, "v": {"x": 1, "y": 0, "phi": 2}}]"#;

#[test]
fn every_form_gives_the_accelerations_worked_out_by_hand() {
    let folder = sleigh();
    folder.write("s.json", STATE);
    crate::schema::expect("states", &serde_json::from_str(STATE).expect("JSON"));
    for id in ids() {
        let v = folder.run(&["eval", "sleigh.toml", "--form", &id, "--states", "s.json"]).json("eval");
        assert_eq!(v["form"], id);
        let r = &v["results"][0];
        // v' = l ω², (I + m l²) ω' = −m l v ω, and at φ = 0: x'' = v', y'' = v ω.
        for (name, expected) in [("x", 0.3 * 4.0), ("y", 2.0), ("phi", -0.3 * 2.0 / 0.14)] {
            let a = r["accelerations"][name].as_f64().unwrap_or(f64::NAN);
            assert!((a - expected).abs() < 1e-13, "{id}: {name}'' = {a}");
        }
        if let Some(lambda) = r["multipliers"]["knife_edge"].as_f64() {
            // At φ = 0 the edge pushes along −y: λ = −m (y'' + l φ'').
            assert!((lambda + 2.0 - 0.3 * 0.6 / 0.14).abs() < 1e-13, "{id}: {lambda}");
        }
    }
}

#[test]
fn states_come_from_standard_input_and_text_is_for_people() {
    let folder = sleigh();
    let text = folder.run_with(&["eval", "sleigh.toml", "--states", "-", "--format", "text"], STATE.as_bytes());
    assert_eq!(text.quiet().lines().next(), Some("state 0"));
    assert!(text.out.contains("\n  x'' = 1.2\n") && text.out.contains("\n  lambda_knife_edge = "));
    folder.run(&["eval", "-", "--states", "-"]).refuses(2, &["both the model and --states"]);
}

#[test]
fn the_time_is_zero_unless_said_and_enters() {
    let folder = Folder::with("m.toml", &particle("[forces]\nx = \"1 + t\""));
    folder.write(
        "s.json",
        r#"[{"q": {"x": 0, "y": 0}, "v": {"x": 0, "y": 0}}, {"t": 2, "q": {"x": 0, "y": 0}, "v": {"x": 0, "y": 0}}]"#,
    );
    let v = folder.run(&["eval", "m.toml", "--states", "s.json"]).json("eval");
    assert_eq!(
        (&v["results"][0]["accelerations"]["x"], &v["results"][1]["accelerations"]["x"]),
        (&1.0.into(), &3.0.into())
    );
    assert_eq!(v["form"], "lagrange-multipliers", "the form used unless another is asked for");
}

#[test]
fn a_wrong_state_is_named_with_its_number_and_coordinate() {
    let folder = sleigh();
    let with = |text: &str| folder.run_with(&["eval", "sleigh.toml", "--states", "-"], text.as_bytes());
    let good = &STATE[1..STATE.len() - 1];
    with(r#"[{"q": {"x": 0, "y": 0, "phi": 0}, "v": {"x": 1, "y": 0}}]"#)
        .refuses(2, &["state 0", "`v.phi` is missing"]);
    with(&format!(r#"[{good}, {{"q": {{"x": 0, "y": 0, "phi": 0, "ph": 1}}, "v": {{}}}}]"#))
        .refuses(2, &["state 1", "`q`", "unknown coordinate `ph`", "did you mean `phi`?"]);
    with(&STATE.replace("\"y\": 0", "\"y\": \"NaN\"")).refuses(2, &["`q.y` is missing or not a finite number"]);
    with(&STATE.replace("\"y\": 0", "\"y\": 1e999")).refuses(2, &["JSON"]);
    with(&STATE.replace("\"t\": 0", "\"t\": null")).refuses(2, &["`t` is not a finite number"]);
    with(&STATE.replace("\"q\"", "\"p\"")).refuses(2, &["state 0: unknown key `p`", "known: t, q, v"]);
    with("[1]").refuses(2, &["state 0 has no object `q`"]);
    for text in ["", "{", "not JSON", "[{\"q\": {\"x\": 0", "\u{feff}[]"] {
        with(text).refuses(2, &["not JSON", "<stdin>:1:"]);
    }
    with("{}").refuses(2, &["expected a list of states"]);
    with(&"[".repeat(100_000)).refuses(2, &["not JSON", "recursion"]);
    assert_eq!(with("[]").json("eval")["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn missing_files_and_options_are_said() {
    let folder = sleigh();
    folder.run(&["eval", "sleigh.toml"]).refuses(2, &["--states <FILE>"]);
    folder.run(&["eval", "sleigh.toml", "--states", "none.json"]).refuses(2, &["cannot read `none.json`"]);
}

#[test]
fn a_form_that_does_not_apply_refuses_with_status_3() {
    let answer = noslip(&["eval", "appell-particle", "--form", "boltzmann-hamel", "--states", "-"]);
    answer.refuses(2, &["not JSON"]);
    let folder = Folder::new();
    folder.write("s.json", "[]");
    folder
        .run(&["eval", "appell-particle", "--form", "boltzmann-hamel", "--states", "s.json"])
        .refuses(3, &["does not apply"]);
}

#[test]
fn a_state_without_accelerations_has_status_3_and_its_number() {
    let folder = Folder::with("m.toml", &particle("[constraints]\nc = \"x*x' + y*y' = 0\"\n[forces]\nx = \"1/y\""));
    let with = |x: &str| folder.run_with(&["eval", "m.toml", "--states", "-"], x.as_bytes());
    with(r#"[{"q": {"x": 0, "y": 0}, "v": {"x": 1, "y": 0}}]"#).refuses(3, &["state 0"]);
    with(r#"[{"q": {"x": 0, "y": 1}, "v": {"x": 1, "y": 0}}, {"q": {"x": 1, "y": 0}, "v": {"x": 0, "y": 1}}]"#)
        .refuses(3, &["state 1"]);
}

#[test]
fn a_state_off_the_constraints_is_answered_with_a_warning() {
    let folder = sleigh();
    folder.write("s.json", STATE.replace(r#""y": 0, "phi": 2"#, r#""y": 0.5, "phi": 2"#));
    let answer = folder.run(&["eval", "sleigh.toml", "--states", "s.json"]);
    assert_eq!(answer.status, 0);
    assert!(
        answer.err.contains("state 0 violates constraint `knife_edge`: its residual is -5.000e-1"),
        "{}",
        answer.err
    );
    folder.write("t.json", STATE.replace(r#""y": 0, "phi": 2"#, r#""y": 1e-13, "phi": 2"#));
    folder.run(&["eval", "sleigh.toml", "--states", "t.json"]).quiet();
}

#[test]
fn a_law_of_friction_is_evaluated_as_its_motion_begins() {
    let model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n\
        [constraints]\nblade = { equation = \"x'*sin(phi) = y'*cos(phi)\", law = { x = \"-0.1*abs(lambda_blade)*cos(phi)\", \
        y = \"-0.1*abs(lambda_blade)*sin(phi)\" } }\n[initial]\nvelocity = { x = 3, phi = 2 }\n";
    let folder = Folder::with("m.toml", model);
    let state = r#"[{"q": {"x": 0, "y": 0, "phi": 0}, "v": {"x": 3, "y": 0, "phi": 2}}]"#;
    let said = folder.run_with(&["eval", "m.toml", "--states", "-"], state.as_bytes()).json("eval");
    // φ = 0: the blade pushes with 2·v·ω across, and a tenth of that slows the sledge, 2 x'' = −0.1·|λ|.
    let result = &said["results"][0];
    let number = |v: &serde_json::Value| v.as_f64().expect("a number");
    assert!((number(&result["multipliers"]["blade"]).abs() - 12.0).abs() < 1e-12, "{said}");
    let a = &result["accelerations"];
    for (name, expected) in [("x", -0.6), ("y", 6.0), ("phi", 0.0)] {
        assert!((number(&a[name]) - expected).abs() < 1e-12, "{name}: {said}");
    }
    let run =
        folder.run(&["simulate", "m.toml", "--until", "1", "--at", "0", "--columns", "x'',y''"]).fine().to_owned();
    assert!(run.lines().nth(1).is_some_and(|row| row.starts_with("0,-0.6") && row.ends_with(",6")), "{run}");
    // Forms without reactions do not know it.
    folder.run_with(&["eval", "m.toml", "--form", "maggi", "--states", "-"], state.as_bytes()).refuses(3, &["law"]);
}
