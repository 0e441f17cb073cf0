//! What `compare`, `hamiltonise`, `inverse`, `canonical`, `principle` and `grip` answer, on models of the gallery and on systems
//! nobody has written about.

use crate::program::{Folder, noslip};
use serde_json::{Value, json};

/// The JSON answer, and the exit status it came with.
fn answer(args: &[&str]) -> (Value, i32) {
    let answer = noslip(&[args, &["--format", "json"]].concat());
    (answer.json(args[0]), answer.status)
}

#[test]
fn compare_tells_when_the_vakonomic_motion_departs() {
    let (v, status) = answer(&["compare", "vertical-disk", "--vakonomic", "--mu", "roll_y=0.1", "--until", "5"]);
    assert_eq!(status, 0);
    assert_eq!(v["rumyantsev"]["for_every_mu"], "refuted");
    assert!(v["departs_at"].as_f64().is_some_and(|t| t > 0.0 && t < 5.0), "{}", v["departs_at"]);
    let (v, status) = answer(&["compare", "vertical-disk", "--mu", "momentum", "--until", "5"]);
    assert_eq!(status, 0);
    assert!(v["departs_at"].is_null() && v["largest_difference"].as_f64().unwrap() < 1e-6);
}

#[test]
fn compare_names_the_constraint_it_does_not_know() {
    noslip(&["compare", "vertical-disk", "--mu", "roll_z=0.1"]).refuses(2, &["roll_z", "roll_x"]);
}

#[test]
fn compare_shows_lindelofs_motion_and_that_of_another_model() {
    let (v, status) = answer(&["compare", "dumbbell", "--reduced", "--until", "2", "--threshold", "0.01"]);
    assert_eq!((status, &v["second"]), (0, &json!("Lindelöf's motion")));
    assert!(v["left_out"]["phi"].as_str().is_some_and(|e| e.contains("x'")), "{}", v["left_out"]);
    assert!(v["departs_at"].as_f64().is_some_and(|t| t > 0.0), "{v}");
    // The same model, and with another mass: without forces the motion does not depend on it.
    let (v, _) = answer(&["compare", "dumbbell", "dumbbell", "--set", "m=3", "--until", "2"]);
    assert_eq!(v["common"], json!(["phi", "x", "y"]));
    assert!(v["departs_at"].is_null() && v["largest_difference"].as_f64() < Some(1e-8), "{v}");
    let other = ["compare", "appell-machine", "appell-hamel", "--match", "xi=x", "--match", "eta=y", "--until", "0.1"];
    assert_eq!(answer(&other).0["common"], json!(["xi", "eta", "z"]));
    noslip(&["compare", "dumbbell", "dumbbell", "--match", "x=u", "--until", "1"])
        .refuses(2, &["unknown coordinate `u`"]);
    noslip(&["compare", "dumbbell", "dumbbell", "--reduced"]).refuses(2, &["cannot be used with"]);
}

#[test]
fn principle_gives_the_action_on_a_family() {
    let question =
        ["principle", "appell-particle", "--set", "a=-1", "--set", "g=0", "--initial", "x'=1", "--initial", "y'=0"];
    let family = ["--family", "y+=s*sin(2*pi*t)", "--by", "s", "--amplitude", "0.2", "--until", "1"];
    let (v, status) = answer(&[&question[..], &family].concat());
    assert_eq!((status, &v["dependent"]), (0, &json!(["z"])));
    assert!(v["off"].as_f64() < Some(1e-9) && v["variations"][1]["z"].as_f64().map(f64::abs) < Some(1e-9), "{v}");
    let (v, _) = answer(&["principle", "knife-edge-body", "--family", "construct", "--until", "1"]);
    let (rate, differences) = (v["rate"].as_f64().expect("a rate"), v["differences"].as_f64().expect("a rate"));
    assert!((rate - differences).abs() < 1e-3, "{rate} {differences}");
    noslip(&["principle", "knife-edge-body", "--family", "x=phi"]).refuses(2, &["`phi` is not time"]);
}

#[test]
fn canonical_solves_appells_nonlinear_constraint_with_a_degenerate_hamiltonian() {
    let (v, status) = answer(&["canonical", "appell-particle"]);
    assert_eq!((status, &v["hessian_rank"]), (0, &json!(2)));
    assert!(v["hamiltonian"].as_str().is_some_and(|h| h.contains("sqrt(pi_x^2 + pi_y^2)")), "{}", v["hamiltonian"]);
    noslip(&["canonical", "isokinetic-particle"]).refuses(3, &["is not linear in the velocities, and "]);
}

#[test]
fn hamiltonise_gives_hamiltons_form_and_the_quadratures() {
    let (v, _) = answer(&["hamiltonise", "nonholonomic-particle"]);
    let form = &v["coordinates"]["system"]["hamilton"];
    assert!(form["hamilton_jacobi"].as_str().is_some_and(|e| e.contains("S_x")), "{form}");
    assert_eq!((&form["quadratures"]["absent"], &form["quadratures"]["verified"]), (&json!("x"), &json!("proved")));
}

#[test]
fn hamiltonise_finds_verifies_and_refuses() {
    let (v, status) = answer(&["hamiltonise", "nonholonomic-particle"]);
    assert_eq!((status, &v["coordinates"]["exists"]), (0, &Value::Bool(true)));
    assert_ne!(v["coordinates"]["system"]["verified"], "refuted");
    let (v, status) = answer(&["hamiltonise", "nonholonomic-particle", "--multiplier", "1/(1+y^2)"]);
    assert_eq!((status, &v["proposed"]["verified"]), (1, &Value::from("refuted")));
    noslip(&["hamiltonise", "isokinetic-particle"]).refuses(3, &["does not apply"]);
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
    assert_eq!((status, &v["integral"]["satisfies"]), (1, &Value::from("refuted")));
}

#[test]
fn principle_holds_along_the_motion_and_fails_when_pushed() {
    let (v, status) = answer(&["principle", "knife-edge-body", "--until", "1"]);
    assert_eq!(status, 0, "{v}");
    assert_eq!(v["principles"].as_array().unwrap().len(), 5);
    let gauss = &v["principles"][4];
    assert_eq!(gauss["principle"], "gauss");
    assert!(gauss["least"]["value"].as_str().is_some_and(|z| z.contains("phi''")), "{gauss}");
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

#[test]
fn the_sledge_has_the_multipliers_of_the_references() {
    let (v, status) = answer(&["hamiltonise", "chaplygin-sledge"]);
    assert_eq!(status, 0);
    let (x, s) = (&v["coordinates"], &v["quasi_coordinates"]);
    assert_eq!((&x["exists"], &x["how"], &x["coordinates"]), (&json!(false), &json!("proved"), &json!(["x", "phi"])));
    assert_eq!(s["system"]["multiplier"], "exp(alpha*(pi_s - beta*phi)/(alpha^2 + kC^2))");
    assert_eq!((&s["system"]["verified"], &s["system"]["measure_invariant"]), (&json!("proved"), &json!("proved")));
    let (v, _) = answer(&["hamiltonise", "chaplygin-sledge-beside", "--independent", "x,phi"]);
    assert_eq!(v["coordinates"]["system"]["multiplier"], "cos(phi)");
    let (v, _) = answer(&["hamiltonise", "suslov-kharlamova"]);
    assert_eq!((&v["coordinates"]["exists"], &v["coordinates"]["how"]), (&json!(true), &json!("proved")));
    let (v, _) = answer(&["hamiltonise", "suslov"]);
    assert_eq!((&v["coordinates"]["exists"], &v["coordinates"]["how"]), (&json!(false), &json!("proved")));
}

#[test]
fn inverse_tells_the_systems_of_the_survey_from_the_others_and_why() {
    for (model, lagrangian, status) in [
        ("hoop-upright", json!(true), 0),
        ("synge-wheels", json!(true), 0),
        ("ball-on-plane", json!(true), 0),
        ("hoop", json!(false), 1),
        ("nonholonomic-particle", json!(false), 1),
        ("snakeboard", Value::Null, 3),
    ] {
        let (v, code) = answer(&["inverse", model]);
        assert_eq!((&v["lagrangian"], code), (&lagrangian, status), "{model}: {v}");
    }
    let (v, _) = answer(&["inverse", "ball-on-plane"]);
    assert!(v["multipliers_vanish"].as_object().unwrap().values().all(|t| t == "proved"), "{v}");
    let (v, _) = answer(&["inverse", "hoop"]);
    assert_eq!((&v["lagrange_form"]["theta"], &v["lagrange_form"]["psi"]), (&json!("proved"), &json!("refuted")));
}

#[test]
fn the_car_of_the_gallery_slides_after_six_seconds_and_a_simulation_can_stop_there() {
    let (v, status) = answer(&["grip", "car-in-a-turn"]);
    assert_eq!((status, &v["slides"]["contact"]), (1, &json!("front_axle")));
    let t = v["slides"]["t"].as_f64().unwrap();
    assert!((t - 5.92).abs() < 0.01, "{t}");
    let (v, status) = answer(&["simulate", "car-in-a-turn", "--grip"]);
    assert_eq!((status, &v["outcome"]), (0, &json!("event")));
    assert!((v["end"]["t"].as_f64().unwrap() - t).abs() < 1e-6, "{}", v["end"]);
    assert!(v["message"].as_str().unwrap().contains("friction of front_axle"), "{}", v["message"]);
    let (v, status) = answer(&["grip", "rolling-disk", "--set", "mu=0.4"]);
    assert_eq!((status, &v["slides"]["contact"]), (1, &json!("ground")));
    let (v, status) = answer(&["grip", "rolling-disk"]);
    assert_eq!((status, &v["slides"]), (0, &Value::Null), "the motion shown holds");
    noslip(&["simulate", "vertical-disk", "--grip"]).refuses(2, &["has `friction`"]);
    noslip(&["simulate", "car-in-a-turn", "--grip", "--set", "mu=0.001"]).refuses(3, &["slides from the start"]);
}

#[test]
fn a_contact_whose_normal_force_would_pull_opens_and_does_not_slide() {
    // The normal force m·(g − l·ω²) of a wheel with its mass away from the axle, here with l = 1, is below zero for ω = 4.
    let model = "noslip = 1\n[system]\nname = \"wheel\"\ncoordinates = [\"x\", \"phi\"]\n[energy]\n\
                 kinetic = \"(x'^2 + phi'^2)/2\"\n[constraints]\n\
                 rolls = { equation = \"x' = phi'\", friction = \"0.4*(9.81 - phi'^2)\" }\n[initial]\nvelocity = { phi = 4 }\n";
    let answer = Folder::with("wheel.toml", model).run(&["grip", "wheel.toml", "--until", "1"]);
    assert_eq!(answer.status, 1);
    assert!(answer.out.contains("its normal force would have to pull: the contact opens"), "{}", answer.out);
    assert!(!answer.out.contains("friction gives"), "{}", answer.out);
}

/// Systems nobody has written about: what each command answers or why it does not.
const INVENTED: [(&str, &str, [u8; 6]); 12] = [
    // name, model, exit status of hamiltonise, inverse, canonical, compare, principle, grip
    (
        "a slope that grows exponentially, with a potential",
        r#"
coordinates = ["a", "b", "height"]
[energy]
kinetic = "a'^2 + b'^2 + height'^2"
potential = "3/2*b^2 + sin(a)"
[constraints]
ramp = "height' = exp(b)*a'"
[initial]
position = { a = 0.1, b = 0.2, height = 0 }
velocity = { a = 1, b = 0.5 }"#,
        [0, 1, 0, 0, 0, 0],
    ),
    (
        "two degrees of freedom without a multiplier",
        r#"
coordinates = ["u", "w", "z"]
[energy]
kinetic = "(u'^2*(1+w^2) + w'^2 + z'^2)/2"
[constraints]
c = "z' = u*w*u' + sin(u)*w'"
[initial]
position = { u = 0.1, w = 0.2, z = 0 }
velocity = { u = 1, w = 0.5 }"#,
        [1, 1, 0, 0, 0, 0],
    ),
    (
        "an affine constraint",
        r#"
coordinates = ["x", "y", "z"]
[parameters]
Omega = 0.5
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "x^2/2"
[constraints]
c = "z' = y*x' + Omega"
[initial]
position = { x = 0.1, y = 0.2, z = 0 }
velocity = { x = 1, y = 0.5 }"#,
        [3, 1, 0, 0, 0, 0],
    ),
    (
        "a nonlinear constraint",
        r#"
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
[constraints]
c = "z'^2 = x'^2 + x'*y' + y'^2"
[initial]
position = { x = 0.1, y = 0.2, z = 0 }
velocity = { x = 1, y = 0.5, z = 1.3228756555322954 }"#,
        [3, 0, 3, 0, 0, 0],
    ),
    (
        "two constraints",
        r#"
coordinates = ["q1", "q2", "s1", "s2"]
[energy]
kinetic = "3/4*(q1'^2 + q2'^2) + (s1'^2 + 2*s2'^2)/2"
potential = "q1^2/2 + cos(q2)"
[constraints]
first = "s1' = q2*q1'"
second = "s2' = sin(q2)*q1'"
[initial]
position = { q1 = 0.1, q2 = 0.2, s1 = 0, s2 = 0 }
velocity = { q1 = 1, q2 = 0.5 }"#,
        [0, 1, 0, 0, 0, 0],
    ),
    (
        "three degrees of freedom without a multiplier",
        r#"
coordinates = ["x", "y", "u", "z"]
[energy]
kinetic = "(x'^2 + y'^2 + u'^2 + z'^2)/2"
[constraints]
slope = "z' = x*y' - y*x' + u'"
[initial]
position = { x = 0.1, y = 0.3, u = 0, z = 0 }
velocity = { x = 1, y = 0.2, u = -1 }"#,
        [1, 0, 0, 0, 0, 0],
    ),
    (
        "three degrees of freedom with a multiplier",
        r#"
coordinates = ["y", "u", "v", "z", "w"]
[energy]
kinetic = "(y'^2 + u'^2 + v'^2 + z'^2 + w'^2)/2"
potential = "sin(u)*y"
[constraints]
one = "z' = y*u'"
two = "w' = y*v'"
[initial]
position = { y = 0.3, u = 0, v = 0, z = 0, w = 0 }
velocity = { y = 0.2, u = 1, v = -1 }"#,
        [0, 1, 0, 0, 0, 0],
    ),
    (
        "names that the program likes to use itself",
        r#"
coordinates = ["pi_x", "S_t", "mu_c", "eta_A"]
[parameters]
lambda = 2
w_x_A = 3
[energy]
kinetic = "lambda/2*(pi_x'^2 + S_t'^2) + (mu_c'^2 + w_x_A*eta_A'^2)/2"
[constraints]
c = "mu_c' = S_t*pi_x'"
pi_pi_x = "eta_A' = S_t^2*pi_x'"
[initial]
position = { pi_x = 0, S_t = 0.3, mu_c = 0, eta_A = 0 }
velocity = { pi_x = 1, S_t = 0.2 }"#,
        [0, 1, 0, 0, 0, 0],
    ),
    (
        "one damped degree of freedom",
        r#"
coordinates = ["q", "p"]
[energy]
kinetic = "q'^2*(2+cos(q))/2 + p'^2/2"
potential = "exp(q) + q*sin(q)"
[forces]
q = "-0.3*q'"
[constraints]
c = "p' = tan(q)*q'"
[initial]
position = { q = 0.1, p = 0 }
velocity = { q = 1 }"#,
        [3, 1, 3, 0, 0, 0],
    ),
    (
        "a gear whose ratio changes with time",
        r#"
coordinates = ["th", "ph", "x"]
[energy]
kinetic = "th'^2 + ph'^2 + x'^2/2"
[constraints]
gear = "ph' = (1 + 0.2*t)*th' + x*th'"
[initial]
position = { th = 0, ph = 0, x = 0.2 }
velocity = { th = 1, x = 0.5 }"#,
        [3, 1, 0, 0, 0, 0],
    ),
    (
        "a sledge on a torsion spring, in quasi-velocities",
        r#"
coordinates = ["X", "Y", "yaw"]
[definitions]
X_C = "X + 0.3*cos(yaw)"
Y_C = "Y + 0.3*sin(yaw)"
[energy]
kinetic = "X_C'^2 + Y_C'^2 + yaw'^2/3"
potential = "yaw^2"
[constraints]
blade = "X'*sin(yaw) = Y'*cos(yaw)"
[quasi_velocities]
v = "X'*cos(yaw) + Y'*sin(yaw)"
w = "yaw'"
[initial]
position = { X = 0, Y = 0, yaw = 0.1 }
velocity = { X = 1, yaw = 0.5 }"#,
        [0, 1, 0, 0, 0, 0],
    ),
    (
        "a holonomic constraint",
        r#"
coordinates = ["x", "y", "th"]
[energy]
kinetic = "(x'^2 + y'^2)/2 + th'^2/6"
potential = "9.81*y"
[constraints]
floor = "y - sin(th) = 0"
[initial]
position = { x = 0, th = 1 }
velocity = { x = 1, th = 0 }"#,
        [0, 0, 0, 0, 0, 0],
    ),
];

#[test]
fn invented_systems_get_the_right_answer_or_a_refusal_with_its_reason() {
    let folder = Folder::new();
    let commands = ["hamiltonise", "inverse", "canonical", "compare", "principle", "grip"];
    for (name, text, expected) in &INVENTED {
        folder.write("m.toml", format!("noslip = 1\n[system]\nname = \"{name}\"{text}\n[simulation]\nuntil = 0.5\n"));
        for (command, &status) in commands.iter().zip(expected) {
            let answer = folder.run(&[command, "m.toml"]);
            assert_eq!(answer.status, i32::from(status), "{name}, {command}: {answer:?}");
            if status == 3 {
                let reason =
                    ["does not apply", "not decided"].iter().any(|w| answer.out.contains(w) || answer.err.contains(w));
                assert!(reason, "{name}, {command}: no reason in {answer:?}");
            }
            if *command == "hamiltonise" && status != 3 {
                let v = folder.run(&[command, "m.toml", "--format", "json"]).json(command);
                let findings = [&v["coordinates"], &v["quasi_coordinates"], &v["arzhanykh"]["finding"]];
                for f in findings.into_iter().filter(|f| f["applies"] == true) {
                    assert_eq!(f["how"], "proved", "{name}: {f}");
                    assert!(f["system"].is_null() || f["system"]["verified"] == "proved", "{name}: {f}");
                }
            }
        }
    }
}

#[test]
fn explain_knows_the_subjects_beyond_the_equations_by_every_name() {
    for (name, id) in
        [("vakonomic", "compare"), ("gauss", "principle"), ("painleve", "non-ideal"), ("hamiltonise", "hamiltonise")]
    {
        let (v, status) = answer(&["explain", name]);
        assert_eq!((status, &v["id"]), (0, &json!(id)));
        let about = v["about"].as_str().unwrap();
        assert!(about.contains('=') && !about.contains("//!") && about.len() > 300, "{about}");
    }
}
