//! Models that once got a wrong answer (`fuzz/regressions`), asked again. Those about forms, claims and runs are asked in the
//! library (`fuzz/tests/short.rs`); here are the answers of commands.

use crate::program::{Answer, Folder, project};
use serde_json::Value;

/// Runs a command on the model of that name.
fn ask(name: &str, command: &str, more: &[&str]) -> Answer {
    let text = std::fs::read_to_string(project().join("fuzz/regressions").join(format!("{name}.toml"))).expect(name);
    let folder = Folder::with("m.toml", &text);
    folder.run(&[&[command, "m.toml"], more].concat())
}

#[test]
fn every_model_that_once_broke_something_is_asked_again() {
    let here = include_str!("regressions.rs");
    let there = std::fs::read_to_string(project().join("fuzz/tests/short.rs")).expect("the tests of the library");
    for file in std::fs::read_dir(project().join("fuzz/regressions")).expect("a folder") {
        let name = file.expect("a file").file_name().to_string_lossy().into_owned();
        let name = name.strip_suffix(".toml").expect("a model");
        let prefixes = ["agree_", "run_", "nowhere_"];
        let known = prefixes.iter().any(|p| name.starts_with(p) && there.contains(&format!("(\"{p}\")")));
        assert!(known || here.contains(&format!("\"{name}\"")) || there.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn a_nonlinear_system_is_chaplygins_only_in_what_nothing_depends_on() {
    for name in ["chaplygin_nonlinear_with_sine", "chaplygin_nonlinear_cone"] {
        let said = ask(name, "check", &[]);
        assert!(said.fine().contains("nothing depends on x; y, z form a system of their own"), "{}", said.out);
        let answer = ask(name, "check", &["--format", "json"]).json("check");
        assert_eq!(answer["chaplygin"]["dependent"], serde_json::json!(["x"]), "{answer}");
    }
}

#[test]
fn forces_without_power_keep_the_energy() {
    let said = ask("energy_of_forces_without_power", "check", &[]);
    assert!(said.fine().contains("The energy T + V is conserved."), "{}", said.out);
}

#[test]
fn forces_that_depend_on_velocities_change_with_the_time() {
    let said = ask("hamiltonise_with_viscous_force", "hamiltonise", &[]);
    assert!(said.fine().contains("/√(y² + 1) = 0"), "{}", said.out);
    let said = ask("hamiltonise_in_a_magnetic_field", "hamiltonise", &[]);
    assert!(said.fine().contains("/(x² + y² + 4) − k·x"), "{}", said.out);
}

#[test]
fn rounding_is_no_failure_of_a_principle() {
    let said = ask("principle_and_dla_rod_of_changing_length", "principle", &["--until", "0.5"]);
    assert_eq!(said.fine().matches("holds, relative defect").count(), 5, "{}", said.out);
}

#[test]
fn the_discrete_method_ends_at_a_singularity() {
    let more = ["--initial", "x=1.1", "--initial", "phi=1.2", "--method", "dla", "--until", "2"];
    let said = ask("principle_and_dla_rod_of_changing_length", "simulate", &more);
    said.refuses(3, &["error: constraint `rod` is violated by", "the last good state is at t = 0.713"]);
}

#[test]
fn grip_that_is_lost_between_samples_is_lost() {
    for samples in ["3", "1001"] {
        let said = ask("grip_lost_between_samples", "grip", &["--samples", samples]);
        assert_eq!(said.status, 1, "{}", said.out);
        assert!(said.out.contains("least margin -0.") && said.out.contains("Grip is lost at edge at t = 0.5"));
    }
    for samples in ["2", "3", "101"] {
        let said = ask("grip_of_a_disc_between_samples", "grip", &["--samples", samples]);
        assert_eq!(said.status, 1, "{}", said.out);
        assert!(said.out.contains("least margin -3.1679") && said.out.contains("at t = 1.824"), "{}", said.out);
        assert!(said.out.contains("Grip is lost at ground at t = 0.6919838"), "{}", said.out);
    }
}

#[test]
fn a_form_has_no_numbers_at_the_edge_of_its_chart() {
    let text = std::fs::read_to_string(project().join("fuzz/regressions/eval_at_the_edge_of_a_chart.toml"));
    let folder = Folder::with("m.toml", &text.expect("eval_at_the_edge_of_a_chart"));
    for phi in ["1.5707963267948966", "1.5707963257948966"] {
        let states =
            format!(r#"[{{"t": 0, "q": {{"x": 0, "y": 0, "phi": {phi}}}, "v": {{"x": 0, "y": 1, "phi": 1}}}}]"#);
        folder.write("states.json", &states);
        for form in ["voronets", "chaplygin", "suslov"] {
            let said = folder.run(&["eval", "m.toml", "--states", "states.json", "--form", form]);
            said.refuses(3, &["edge of the chart"]);
        }
        let right = folder.run(&["eval", "m.toml", "--states", "states.json", "--form", "maggi"]);
        let multiplier = right.json("eval")["results"][0]["multipliers"]["blade"].as_f64();
        assert!(multiplier.is_some_and(|x| (x + 0.41116595255824256).abs() < 1e-8), "{}", right.out);
    }
}

#[test]
fn a_system_without_freedom_has_no_equations_and_its_schema_allows_it() {
    let answer = ask("derive_without_freedom", "derive", &["--form", "all", "--format", "json"]).json("derive");
    let forms = answer["forms"].as_array().expect("forms");
    let maggi = forms.iter().find(|f| f["form"] == "maggi").expect("Maggi's form applies");
    assert_eq!((&maggi["equations"], &maggi["agreement"]), (&Value::Array(Vec::new()), &Value::from("proved")));
}

#[test]
fn a_superfluous_constraint_is_named() {
    let said = crate::program::noslip(&["derive", "bead-with-redundant-constraints", "--form", "maggi"]);
    said.refuses(3, &["leave out `sphere`, or use udwadia-kalaba"]);
    // Here the kinetic energy is not positive, and has no derivative where the constraints hold.
    let said = ask("form_bead_on_a_ring_constrained_once_too_ofte", "derive", &["--form", "udwadia-kalaba"]);
    said.refuses(3, &["`udwadia-kalaba` does not apply", "the kinetic energy is not positive"]);
}

#[test]
fn answers_come_in_time() {
    // Minutes or hours once; the patience of the tests would end that.
    for name in [
        "answers_in_time_ball_with_a_pendulum",
        "answers_in_time_ball_in_a_cone",
        "answers_in_time_two_spheres",
        "answers_in_time_unicycle_with_rotor_and_pendulum",
        "answers_in_time_pursuit",
        "answers_in_time_five_knife_edges",
        "answers_in_time_twelve_knife_edges",
        "answers_in_time_disc_on_a_sphere",
    ] {
        ask(name, "check", &["--effort", "low"]).fine();
    }
    ask("answers_in_time_unicycle_with_rotor_and_pendulum", "derive", &["--brief"]).fine();
    ask("answers_in_time_twelve_knife_edges", "derive", &["--form", "maggi", "--brief"]).fine();
}

#[test]
fn ranks_are_lost_nowhere_that_is_no_place() {
    let model = |constraint: &str| {
        format!(
            "noslip = 1\n[system]\nname = \"r\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraints]\n{constraint}\n\
             [initial]\nposition = {{ x = 0.6, y = 0.8 }}\n"
        )
    };
    let check = |constraint: &str| Folder::with("m.toml", &model(constraint)).run(&["check", "m.toml"]);
    let everywhere = "The constraints keep their rank everywhere.";
    for constraint in [
        "c = \"exp(x)*x' + exp(x)*y' = 0\"",
        "c = \"(2 + tanh(x))*z' = 0\"",
        "c = \"(x^2 + x*y + y^2 + 1)*z' = 0\"",
        "c = \"(-3 - cosh(y))*z' = 0\"",
        "c = \"(exp(x) + x^2)*z' = 0\"",
        "ring = \"x^2 + y^2 = 1\"\nc = \"z' = x*y'\"",
    ] {
        assert!(check(constraint).fine().contains(everywhere), "{constraint}: {}", check(constraint).out);
    }
    for (constraint, place) in [
        ("c = \"(1 + tanh(x) - y)*z' = 0\"", "tanh(x)"),
        ("c = \"(x^2 + 2*x*y + y^2)*z' = 0\"", "2*x*y"),
        ("c = \"(x^2 + 3*x*y + y^2 + 1)*z' = 0\"", "x*y"),
        ("c = \"exp(x)*y*z' = 0\"", "y"),
    ] {
        let said = check(constraint);
        let lost =
            said.fine().lines().find(|l| l.contains("lose rank where")).unwrap_or_else(|| panic!("{}", said.out));
        assert!(lost.contains(place), "{constraint}: {lost}");
    }
    // Wherever exp(x) ≠ 0 is everywhere.
    assert!(
        check("c = \"z' = exp(x)*y'\"").fine().contains("completely nonholonomic, any two positions can be joined")
    );
    // A logarithm of what is negative here says nothing.
    let said = check("c = \"y' = (2 - tan(y/3))*x'\"");
    assert!(said.fine().contains("log(2 - tan(y/3))"), "{}", said.out);
}

#[test]
fn motion_to_rest_on_a_cone_ends_there() {
    let text = "noslip = 1\n[system]\nname = \"cone\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\n\
                kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"z\"\n[constraints]\nc = \"x'^2 + y'^2 = z'^2\"\n\
                [initial]\nvelocity = { x = 3, y = 4, z = 5 }\n";
    let folder = Folder::with("m.toml", text);
    // z'' = −1/2: at rest at t = 10, where the direction of what follows is open.
    for method in ["dop853", "taylor", "implicit", "dla"] {
        let said = folder.run(&["simulate", "m.toml", "--until", "20", "--method", method, "--format", "json"]);
        assert_eq!(said.status, 3, "{method}: {said:?}");
        assert!(
            said.err.contains("the accelerations are not determined at t = 10") || said.err.contains("at t = 9.99"),
            "{method}: {}",
            said.err
        );
    }
    folder.run(&["simulate", "m.toml", "--until", "9.5"]).quiet();
}
