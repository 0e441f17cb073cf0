//! `reduce`, `steady`, `linearise`, `measure`, `integrals`, `connect`: options, refusals, and answers in JSON that fit their schemas. What they
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
    noslip(&["linearise", "rolling-disk"]).refuses(3, &["not a steady motion: d/dt theta = 0.300000", "rates frozen"]);
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

/// A particle in a potential.
fn in_potential(potential: &str, more: &str) -> Folder {
    let text = format!(
        "noslip = 1\n[system]\nname = \"m\"\ncoordinates = [\"x\"]\n{more}[energy]\nkinetic = \"x'^2/2\"\npotential = \"{potential}\"\n\
         [initial]\nposition = {{ x = 0 }}\nvelocity = {{ x = 0 }}\n"
    );
    Folder::with("m.toml", &text)
}

#[test]
fn a_family_that_repeats_itself_is_followed_once() {
    // a = sin x turns at ±1, again and again; another period; and what does not turn at all.
    for (potential, from, folds) in [("cos(x) + a*x", "-1", 2), ("cos(2*x)/2 + a*x", "-1", 2), ("a*x - x^2/2", "-1", 0)]
    {
        let folder = in_potential(potential, "[parameters]\na = 0.5\n");
        let answer = folder.run(&["steady", "m.toml", "--vary", &format!("a={from}:2:7"), "--format", "json"]);
        let v = answer.json("steady");
        let found: Vec<f64> = v["critical"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|c| c["what"] == "fold")
            .map(|c| c["a"].as_f64().expect("a number"))
            .collect();
        assert_eq!(found.len(), folds, "{potential}: {v}");
        assert!(found.iter().all(|a| (a.abs() - 1.0).abs() < 1e-14), "{found:?}");
        match folds {
            0 => assert_eq!(v["ended"], Value::Null),
            _ => assert_eq!(v["ended"], "from there on the family repeats itself"),
        }
    }
}

#[test]
fn critical_values_are_printed_as_far_as_they_are_known() {
    // A wheel's is known to the last digit, those of the bicycle as far as its eigenvalues are (Meijaard et al. 2007).
    let text = noslip(&[&["steady", "rolling-disk"], &UPRIGHT[..], &["--vary", "u3=1:5:9"]].concat());
    assert!(text.out.contains("u3 = 2.33452350598575: divergence"), "{}", text.out);
    let bicycle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/large/whipple-bicycle.toml");
    let text = noslip(&["steady", bicycle, "--initial", "theta'=0", "--vary", "p=0:10:3"]);
    for (what, value) in
        [("double root", 0.68428307889246), ("flutter", 4.29238253634111), ("divergence", 6.02426201538837)]
    {
        let line =
            text.out.lines().find(|l| l.contains(what) && l.contains("p = ")).unwrap_or_else(|| panic!("{}", text.out));
        let digits = line.trim().trim_start_matches("p = ").split(':').next().expect("a number");
        let decimals = digits.split('.').nth(1).map_or(0, str::len);
        let found: f64 = digits.parse().expect("a number");
        assert!((found - value).abs() <= 2.0 * 10f64.powi(-(decimals as i32)), "{line} for {value}");
        assert!(decimals >= 9, "{line}");
    }
}

#[test]
fn a_measure_under_damping_is_denied_for_the_right_reason() {
    let model = |forces: &str| {
        let text = format!(
            "noslip = 1\n[system]\nname = \"m\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nk = 0.3\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[forces]\n{forces}[constraints]\nc = \"z' = y*x'\"\n"
        );
        Folder::with("m.toml", &text).run(&["measure", "m.toml", "--format", "json"]).json("measure")
    };
    let damped = model("x = \"-k*x'\"\ny = \"-k*y'\"\nz = \"-k*z'\"\n");
    assert_eq!((&damped["exists"], &damped["obstruction"]), (&json!(false), &json!("2*k")));
    let why = damped["why"].as_str().expect("a reason");
    assert!(why.contains("the coordinates stand still") && !why.contains("bracket"), "{why}");
    // Without damping there is one.
    assert_eq!(model("")["exists"], true);
}

#[test]
fn a_connection_takes_a_term_that_vanishes_for_these_values() {
    let text = "noslip = 1\n[system]\nname = \"m\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\na = 0\n[energy]\n\
                kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraints]\nc = \"z' = y*x' + a*x\"\n";
    let folder = Folder::with("m.toml", text);
    let found = folder.run(&["connection", "m.toml", "--format", "json"]).json("connection");
    assert_eq!(found["group_coordinates"], json!(["z"]));
    folder
        .run(&["connection", "m.toml", "--set", "a=1"])
        .refuses(3, &["constraint `c` has a term without velocities", "rest must be a motion"]);
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

#[test]
fn connect_answers_in_its_schema_and_the_legs_lead_there() {
    let question = ["connect", "knife-edge-body", "--from", "x=0, y=0, phi=0", "--to", "y=1,phi=pi/2"];
    let (text, json) = both(&question);
    assert!(text.quiet().contains("X1 = cos(φ)·∂/∂x + sin(φ)·∂/∂y"), "{}", text.out);
    let v = json.json("connect");
    assert_eq!(v["growth"], json!([2, 3]));
    // Along X1 the edge goes straight, along X2 it turns: the path by hand.
    let (mut x, mut y, mut phi) = (0.0f64, 0.0f64, 0.0f64);
    for leg in v["legs"].as_array().expect("legs") {
        let amount = leg["amount"].as_f64().expect("a number");
        match leg["field"].as_u64() {
            Some(1) => (x, y) = (x + amount * phi.cos(), y + amount * phi.sin()),
            _ => phi += amount,
        }
    }
    let right = std::f64::consts::FRAC_PI_2;
    assert!(x.abs() < 1e-8 && (y - 1.0).abs() < 1e-8 && (phi - right).abs() < 1e-8, "({x}, {y}, {phi})");
    let v = noslip(&["connect", "hoop", "--to", "xi=1", "--set", "m=2", "--initial", "phi=0.5", "--format", "json"]);
    let v = v.json("connect");
    assert_eq!(v["kept"][0]["expression"], "z - sin(theta)");
    assert!(v["miss"].as_f64() < Some(1e-8) && v["off"].as_f64() < Some(1e-9), "{v}");
    noslip(&["connect", "hoop", "--to", "theta=1"]).refuses(3, &["cannot be joined", "z - sin(theta)"]);
    noslip(&["connect", "hoop", "--to", "x=1", "--effort", "low"]).refuses(2, &["unknown coordinate `x`", "xi"]);
}

#[test]
fn connections_answer_in_their_schema_and_are_drawn() {
    let (text, json) = both(&["connection", "snakeboard"]);
    assert!(text.quiet().contains("Group: SE(2), coordinates x, y, θ"), "{}", text.out);
    let v = json.json("connection");
    assert_eq!((&v["shape"], &v["how"]), (&json!(["psi", "phi"]), &json!("proved")));
    assert!(v["gait"]["geometric"].is_object(), "{v}");
    let folder = Folder::new();
    let ask =
        ["connection", "snakeboard", "--gait", "psi=7/10*cos(t)", "--gait", "phi=3/10*sin(t)", "--period", "2*pi"];
    let more = ["--cycles", "3", "--tolerance", "1e-9", "--range", "phi=-1:1", "--plot", "c.svg", "--out", "c.csv"];
    let v = folder.run(&[&ask[..], &more, &["--format", "json"]].concat()).json("connection");
    assert_eq!(v["gait"]["cycles"], 3);
    assert_eq!(folder.read("c.csv").lines().count(), 602);
    assert!(folder.read("c.svg").starts_with("<svg"));
    let still = noslip(&["connection", "chaplygin-sledge", "--format", "json"]).json("connection");
    assert!(still["shape"] == json!([]) && still["gait"].is_null(), "{still}");
}

#[test]
fn exponents_answer_in_their_schema_and_are_drawn() {
    let folder = Folder::new();
    let ask = ["exponents", "chaplygin-sledge", "--until", "20", "--transient", "5", "--every", "0.1"];
    let (text, json) = both(&ask);
    assert!(text.quiet().contains("Lyapunov exponents, over t = 5 … 25"), "{}", text.out);
    let v = json.json("exponents");
    let list = v["exponents"].as_array().cloned().expect("a list");
    assert_eq!(list.len(), 2);
    let sum: f64 = list.iter().filter_map(|e| e["value"].as_f64()).sum();
    assert!((sum - v["divergence"].as_f64().expect("a number")).abs() < 1e-5, "{v}");
    let more = ["--count", "1", "--tolerance", "1e-8", "--max-steps", "100000", "--out", "e.csv", "--plot", "e.svg"];
    let v = folder.run(&[&ask[..], &more, &["--format", "json"]].concat()).json("exponents");
    assert!(v["exponents"].as_array().map(Vec::len) == Some(1) && v["divergence"].is_null(), "{v}");
    assert_eq!(folder.read("e.csv").lines().count(), 201);
    assert!(folder.read("e.svg").starts_with("<svg"));
}

#[test]
fn sections_answer_in_their_schema_and_are_drawn() {
    let folder = Folder::new();
    folder.write(
        "p.toml",
        "noslip = 1\n[system]\nname = \"pendulum\"\ncoordinates = [\"theta\"]\n[energy]\nkinetic = \"theta'^2/2\"\n\
         potential = \"-cos(theta)\"\n[initial]\nposition = { theta = 1 }\nvelocity = { theta = 0 }\n",
    );
    let ask =
        ["section", "p.toml", "--on", "theta = 0", "--until", "40", "--tolerance", "1e-11", "--max-steps", "100000"];
    let v = folder.run(&[&ask[..], &["--direction", "both", "--format", "json"]].concat()).json("section");
    let points = v["points"].as_array().cloned().expect("a list");
    // Half a period is 2 K(sin ½) = 3.3499…
    assert_eq!(points.len(), (40.0f64 / 3.349_99).round() as usize);
    let speed = points[0]["values"]["theta'"].as_f64().expect("a number");
    assert!((speed.abs() - (2.0 - 2.0 * 1f64.cos()).sqrt()).abs() < 1e-9, "{speed}");
    let draw = ["--points", "3", "--columns", "t,theta:theta'", "--out", "s.csv", "--plot", "s.svg"];
    let text = folder.run(&[&ask[..], &draw].concat());
    assert!(text.status == 0 && text.quiet().contains("3 crossings"), "{text:?}");
    assert_eq!(folder.read("s.csv").lines().count(), 4);
    assert!(folder.read("s.svg").starts_with("<svg"));
    let find = ["--periodic", "--returns", "1"];
    let text = folder.run(&[&ask[..8], &find].concat());
    assert!(text.quiet().contains("period 6.6999756"), "{text:?}");
    let v = folder.run(&[&ask[..8], &find, &["--format", "json"]].concat()).json("section");
    assert_eq!((&v["periodic"]["ones"], &v["periodic"]["stable"]), (&json!(2), &json!("marginal")));
}
