//! `reduce`, `steady`, `linearise`, `measure`, `integrals`: options, refusals, and answers in JSON that fit their schemas. What they
//! compute is tested in the library, `tests/motions.rs`.

use crate::program::{Folder, both, noslip};
use serde_json::{Value, json};

/// The rolling disk upright, going straight.
const UPRIGHT: [&str; 6] = ["--initial", "theta=pi/2", "--initial", "theta'=0", "--initial", "phi'=0"];

#[test]
fn reduce_answers_in_its_schema() {
    let (text, json) = both(&["reduce", "rolling-disk"]);
    assert!(text.quiet().contains("Closed part: θ, u₁, u₂, u₃\nQuadratures: φ, ψ, x, y "), "{}", text.out);
    let v = json.json("reduce");
    assert_eq!(v["closed"], json!(["theta", "u1", "u2", "u3"]));
    assert_eq!(v["quadratures"], json!(["phi", "psi", "x", "y"]));
    assert_eq!(v["equations"][0], json!({"of": "theta", "rate": "u2"}));
    assert_eq!(v["how"], "proved");
    let v = noslip(&["reduce", "snakeboard", "--format", "json"]).json("reduce");
    assert_eq!((&v["chosen"], &v["rheonomic"]), (&json!(true), &json!(true)));
    assert_eq!(v["quasi_velocities"][0]["expression"], "cos(theta)*x' + sin(theta)*y'");
    noslip(&["reduce", "appell-hamel"]).refuses(3, &["do not apply", "`phi1` is not linear in the velocities"]);
}

#[test]
fn steady_answers_in_its_schema_and_writes_tables_and_plots() {
    let (text, json) = both(&["steady", "rolling-disk", "--given", "theta=1.2", "--given", "u3=4"]);
    assert!(text.quiet().contains("family of dimension 2"), "{}", text.out);
    let v = json.json("steady");
    assert_eq!((&v["dimension"], &v["motions"][0]["zero"]), (&json!(2), &json!(2)));
    assert_eq!(v["motions"][0]["stable"], "marginal");
    // Greenwood's rates vanish: (cot θ u₁² − 6 u₁ u₃ − 4 (g/r) cos θ)/5.
    let u1 = v["motions"][0]["values"]["u1"].as_f64().expect("a number");
    let rate = u1 * u1 / 1.2f64.tan() - 24.0 * u1 - 4.0 * 9.81 / 0.6 * 1.2f64.cos();
    assert!(rate.abs() < 1e-12, "{rate}");
    let folder = Folder::new();
    let more = ["--vary", "u3=1:5:9", "--out", "s.csv", "--plot", "s.svg", "--format", "json"];
    let v = folder.run(&[&["steady", "rolling-disk"], &UPRIGHT[..], &more].concat()).json("steady");
    assert_eq!(v["motions"].as_array().map(Vec::len), Some(9));
    let [critical] = &v["critical"].as_array().expect("a list")[..] else { panic!("{}", v["critical"]) };
    assert_eq!(critical["what"], "divergence");
    let speed = critical["u3"].as_f64().expect("a number");
    assert!((speed - (9.81f64 / 1.8).sqrt()).abs() < 1e-12, "{speed}");
    assert!(folder.read("s.csv").starts_with("u3,theta,u1,u2,u3,re_1,im_1,"));
    assert_eq!(folder.read("s.csv").lines().count(), 10);
    assert!(folder.read("s.svg").starts_with("<svg"));
    let map = ["--vary", "u3=1:5:5", "--vary", "g=5:10:3", "--plot", "m.svg", "--format", "json"];
    let v = folder.run(&[&["steady", "rolling-disk"], &UPRIGHT[..], &map].concat()).json("steady");
    assert_eq!(v["motions"].as_array().map(Vec::len), Some(15));
    for m in v["motions"].as_array().into_iter().flatten() {
        let (u3, g) = (m["varied"]["u3"].as_f64().expect("a number"), m["varied"]["g"].as_f64().expect("a number"));
        assert_eq!(m["stable"], if u3 * u3 > g / 1.8 { "marginal" } else { "unstable" }, "{m}");
    }
    assert!(folder.read("m.svg").starts_with("<svg"));
}

#[test]
fn steady_follows_a_parameter_and_any_function_of_the_state() {
    let with = |more: &[&str]| -> Value {
        noslip(&[&["steady", "rolling-disk"], &UPRIGHT[..], more, &["--format", "json"]].concat()).json("steady")
    };
    let radius = with(&["--vary", "r=0.1:1:4"]);
    let critical = radius["critical"][0]["r"].as_f64().expect("a number");
    let speed = radius["motions"][0]["values"]["u3"].as_f64().expect("a number");
    assert!((critical - 9.81 / (3.0 * speed * speed)).abs() < 1e-12, "{critical}");
    let contact = with(&["--vary", "x'^2 + y'^2=1:4:4"]);
    let critical = contact["critical"][0]["x'^2 + y'^2"].as_f64().expect("a number");
    assert!((critical - 9.81 * 0.6 / 3.0).abs() < 1e-11, "{critical}");
    noslip(&["steady", "rolling-disk", "--set", "r=1", "--given", "u9=1"]).refuses(2, &["unknown quantity `u9`", "u1"]);
}

#[test]
fn linearise_answers_in_its_schema_in_numbers_and_in_letters() {
    let question = [&["linearise", "rolling-disk"], &UPRIGHT[..]].concat();
    let (text, json) = both(&question);
    assert!(text.quiet().contains("Stability of the others: marginal"), "{}", text.out);
    let v = json.json("linearise");
    assert_eq!((&v["zero"], &v["variables"]), (&json!(2), &json!(["theta", "u1", "u2", "u3"])));
    let (_, json) = both(&[&question[..], &["--symbolic"]].concat());
    let v = json.json("linearise");
    assert_eq!(v["matrix"][1][2], "2*u3");
    assert_eq!((&v["conditions"][0]["holds"], &v["reversible"]), (&json!(true), &json!(true)));
    assert_eq!(v["letters"], json!(["u3"]));
    noslip(&["linearise", "rolling-disk"]).refuses(3, &["not a steady motion: d/dt theta = 0.300000", "--frozen"]);
    let (_, json) = both(&["linearise", "rolling-disk", "--frozen", "--set", "m=2"]);
    let v = json.json("linearise");
    assert!(v["stable"].is_null() && v["moving"]["theta"] == 0.3, "{v}");
    noslip(&["linearise", "snakeboard"]).refuses(3, &["time occurs in the closed part"]);
}

#[test]
fn measure_answers_in_its_schema() {
    let (text, json) = both(&["measure", "nonholonomic-particle", "--set", "m=2", "--initial", "x=1"]);
    assert!(text.quiet().contains("f = √(y² + 1)"), "{}", text.out);
    let v = json.json("measure");
    assert_eq!((&v["exists"], &v["how"], &v["density"]), (&json!(true), &json!("proved"), &json!("sqrt(y^2 + 1)")));
    let (text, json) = both(&["measure", "chaplygin-sledge"]);
    assert!(text.status == 1 && text.out.contains("what would have to vanish"), "{}", text.out);
    let v = json.json("measure");
    assert_eq!((&v["exists"], &v["density"]), (&json!(false), &Value::Null));
    noslip(&["measure", "roller-racer"]).refuses(3, &["time occurs"]);
}

#[test]
fn integrals_answer_in_their_schema() {
    let (text, json) = both(&["integrals", "routh-sphere", "--set", "m=2", "--initial", "x=1"]);
    assert!(text.quiet().contains("Searched: "), "{}", text.out);
    let list = json.json("integrals")["integrals"].as_array().cloned().expect("a list");
    assert!(list.len() >= 3 && list.iter().all(|i| i["how"] == "proved"), "{list:?}");
    let few = noslip(&["integrals", "routh-sphere", "--degree", "1", "--format", "json"]).json("integrals");
    let few = few["integrals"].as_array().cloned().expect("a list");
    assert!(!few.is_empty() && few.iter().all(|i| i["degree"].as_u64() <= Some(1)), "{few:?}");
}
