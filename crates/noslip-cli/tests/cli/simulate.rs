//! `simulate`: options, methods, outcomes. Its files are in `files`.

use crate::models::{particle, sleigh};
use crate::program::{Answer, Folder, noslip};
use serde_json::{Value, json};

fn simulate(model: &str, args: &[&str]) -> Answer {
    Folder::with("m.toml", model).run(&[&["simulate", "m.toml"], args].concat())
}

fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("{v} is not a number"))
}

const THROWN: &str = "potential = \"m*9.81*y\"\n[initial]\nposition = { x = 0, y = 0 }\nvelocity = { x = 3, y = 4 }";

#[test]
fn a_thrown_particle_flies_its_parabola_with_every_method() {
    for (method, error) in [("dop853", 1e-9), ("taylor", 1e-12), ("implicit", 1e-9), ("dla", 1e-9)] {
        let answer = simulate(&particle(THROWN), &["--at", "0,0.5,1", "--method", method, "--format", "json"]);
        let v = answer.json("simulate");
        assert_eq!((answer.status, &v["outcome"], &v["method"]), (0, &json!("finished"), &json!(method)));
        let samples = v["samples"].as_array().expect("a list");
        assert_eq!(samples.iter().map(|s| number(&s["t"])).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        for s in samples {
            let t = number(&s["t"]);
            let (x, y) = (number(&s["q"]["x"]), number(&s["q"]["y"]));
            assert!((x - 3.0 * t).abs() < error && (y - 4.0 * t + 9.81 / 2.0 * t * t).abs() < error, "{method}: {s}");
        }
        assert!(number(&v["drift"]["energy"]) < 1e-9, "{method}: {}", v["drift"]);
        assert!(v.get("message").is_none());
    }
}

#[test]
fn the_summary_says_how_it_went() {
    let text = sleigh().run(&["simulate", "sleigh.toml"]);
    assert!(text.quiet().starts_with("from the constraints: y' = 0\nsleigh: finished, t = 0 … 10\ndop853: "));
    for part in ["steps", "evaluations", "change of energy", "drift off the constraints", "final state:", "phi' = "] {
        assert!(text.out.contains(part), "{part}");
    }
}

#[test]
fn a_tighter_tolerance_comes_nearer_and_costs_more() {
    let run = |r: &str| {
        noslip(&["simulate", "rolling-disk", "--at", "5", "--tolerance", r, "--format", "json"]).json("simulate")
    };
    let (coarse, fine, best) = (run("1e-5"), run("1e-9"), run("1e-13"));
    let error = |v: &Value| (number(&v["samples"][0]["q"]["theta"]) - number(&best["samples"][0]["q"]["theta"])).abs();
    assert!(error(&fine) < 1e-6 && error(&fine) < error(&coarse) / 10.0, "{} {}", error(&fine), error(&coarse));
    assert!(number(&fine["steps"]) > number(&coarse["steps"]));
}

#[test]
fn samples_are_evenly_spaced_or_at_given_times_in_any_order() {
    let times = |args: &[&str]| -> Vec<f64> {
        let v = simulate(&particle(THROWN), &[args, &["--format", "json"]].concat()).json("simulate");
        v["samples"].as_array().expect("a list").iter().map(|s| number(&s["t"])).collect()
    };
    assert_eq!(times(&["--until", "2", "--samples", "5"]), [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(times(&["--until", "1"]).len(), 101);
    assert_eq!(times(&["--at", "3,1,2"]), [1.0, 2.0, 3.0], "the farthest time is the end");
    assert_eq!(times(&["--until", "4", "--at", "1"]), [1.0]);
    assert_eq!(times(&["--at=-1,-2"]), [-1.0, -2.0], "backwards");
    assert_eq!(times(&["--until", "-1", "--samples", "2"]), [0.0, -1.0]);
    assert_eq!(times(&["--until", "0"]).len(), 101);
}

#[test]
fn the_model_gives_defaults_that_the_command_line_replaces() {
    let model =
        particle(&format!("{THROWN}\n[simulation]\nuntil = 2\nsamples = 3\nmethod = \"taylor\"\ntolerance = 1e-6"));
    let v = simulate(&model, &["--format", "json"]).json("simulate");
    assert_eq!((&v["method"], v["samples"].as_array().map(Vec::len)), (&json!("taylor"), Some(3)));
    assert_eq!(number(&v["end"]["t"]), 2.0);
    let v = simulate(&model, &["--format", "json", "--method", "dop853", "--until", "1", "--samples", "4"])
        .json("simulate");
    assert_eq!((&v["method"], v["samples"].as_array().map(Vec::len)), (&json!("dop853"), Some(4)));
    assert_eq!(number(&v["end"]["t"]), 1.0);
}

#[test]
fn a_fixed_step_is_kept() {
    for method in ["dla", "dop853"] {
        let v =
            simulate(&particle(THROWN), &["--until", "1", "--method", method, "--step", "0.25", "--format", "json"]);
        assert_eq!(number(&v.json("simulate")["steps"]), 4.0, "{method}");
    }
}

#[test]
fn wrong_settings_are_refused_with_status_2() {
    let with = |args: &[&str]| simulate(&particle(THROWN), args);
    with(&[]).refuses(2, &["no end time", "--until T", "[simulation]"]);
    for bad in ["NaN", "inf", "-inf", "x", ""] {
        with(&["--until", bad]).refuses(2, &["--until"]);
        with(&["--until", "1", &format!("--at={bad},1")]).refuses(2, &["--at"]);
        with(&["--until", "1", "--tolerance", bad]).refuses(2, &["tolerance"]);
        with(&["--until", "1", "--step", bad]).refuses(2, &["step"]);
    }
    for bad in ["0", "-1e-9", "1", "2"] {
        with(&["--until", "1", "--tolerance", bad]).refuses(2, &["the tolerance", "between 0 and 1"]);
    }
    for bad in ["0", "-0.1"] {
        with(&["--until", "1", "--step", bad]).refuses(2, &["a step is greater than zero"]);
        with(&["--until", "1", "--step", bad, "--method", "dla"]).refuses(2, &["a step is greater than zero"]);
    }
    for bad in ["0", "1", "100000000000"] {
        with(&["--until", "1", "--samples", bad]).refuses(2, &["samples", "between 2 and"]);
    }
    with(&["--until", "1", "--samples", "-3"]).refuses(2, &["-3"]);
    with(&["--until", "1", "--at", "0,2"]).refuses(2, &["--at 2", "outside the run from t = 0 to 1", "help"]);
    with(&["--until", "1", "--at", "-1"]).refuses(2, &["outside the run"]);
    with(&["--until", "1", "--method", "rk4"]).refuses(2, &["rk4", "dop853"]);
    with(&["--until", "1", "--max-steps", "many"]).refuses(2, &["many", "--max-steps"]);
    with(&["--until", "1", "--stop", "x -"]).refuses(2, &["--stop:1", "missing operand"]);
    with(&["--until", "1", "--stop", "z = 1"]).refuses(2, &["unknown name `z`", "--stop:1:1"]);
}

#[test]
fn wrong_settings_of_the_model_are_refused() {
    let with = |line: &str| simulate(&particle(&format!("{THROWN}\n[simulation]\nuntil = 1\n{line}")), &[]);
    with("method = \"euler\"").refuses(2, &["euler", "dop853"]);
    with("tolerance = 0").refuses(2, &["tolerance"]);
    with("tolerance = \"x\"").refuses(2, &["m.toml:"]);
    with("samples = 0").refuses(2, &["samples"]);
    with("untill = 2").refuses(2, &["untill", "until"]);
}

#[test]
fn a_stop_ends_the_run_at_the_event_with_status_0() {
    let answer = simulate(&particle(THROWN), &["--until", "10", "--stop", "y", "--format", "json"]);
    let v = answer.json("simulate");
    assert_eq!((answer.status, &v["outcome"]), (0, &json!("event")));
    assert!((number(&v["end"]["t"]) - 8.0 / 9.81).abs() < 1e-9, "back on the ground: {}", v["end"]);
    assert!(v["message"].as_str().is_some_and(|m| m.contains("`y` crosses zero")));
    let v =
        simulate(&particle(THROWN), &["--until", "10", "--stop", "-x + 30", "--stop", "y' = 0", "--format", "json"]);
    let v = v.json("simulate");
    assert!((number(&v["end"]["t"]) - 4.0 / 9.81).abs() < 1e-9, "the first of two: {}", v["end"]);
    // A multiplier may be watched as well.
    let v = sleigh()
        .run(&["simulate", "sleigh.toml", "--stop", "lambda_knife_edge + 0.1", "--format", "json"])
        .json("simulate");
    assert_eq!(v["outcome"], "event");
}

/// x = cos t: between two steps of an integrator it dips below −0.9999 for some thousandths of a second.
#[test]
fn a_stop_that_is_crossed_twice_within_a_step_is_found_and_a_pole_is_no_crossing() {
    let model =
        particle("potential = \"m*x^2/2\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 0 }");
    let stopped = |method: &str, until: &str, stop: &str| {
        let args = ["--until", until, "--method", method, "--stop", stop, "--format", "json"];
        let v = simulate(&model, &args).json("simulate");
        (v["outcome"].as_str().map(str::to_owned).unwrap_or_default(), number(&v["end"]["t"]))
    };
    for method in ["dop853", "taylor", "implicit"] {
        for depth in [0.999_f64, 0.9999, 0.999_999] {
            for (until, sign) in [("10", 1.0), ("-10", -1.0)] {
                let (outcome, t) = stopped(method, until, &format!("x + {depth}"));
                let exact = sign * (-depth).acos();
                assert!(
                    outcome == "event" && (t - exact).abs() < 1e-4,
                    "{method} {depth}: {outcome} at {t} for {exact}"
                );
            }
        }
        // The sign changes at π/2, where there is no zero.
        assert_eq!(stopped(method, "3", "1/x"), ("finished".to_owned(), 3.0));
        let (outcome, t) = stopped(method, "10", "tan(t)");
        assert!(outcome == "event" && (t - std::f64::consts::PI).abs() < 1e-9, "{method}: {outcome} at {t}");
    }
}

#[test]
fn the_limit_of_steps_has_status_3_and_keeps_what_was_computed() {
    let answer = sleigh().run(&["simulate", "sleigh.toml", "--max-steps", "3", "--at", "0,0.1,5", "--format", "json"]);
    answer.refuses(3, &["limit of steps", "--max-steps", "last good state"]);
    let v = answer.json("simulate");
    assert_eq!((&v["outcome"], &v["steps"]), (&json!("max_steps"), &json!(3)));
    assert_eq!(v["samples"].as_array().map(Vec::len), Some(2));
    assert!(number(&v["end"]["t"]) > 0.1);
}

#[test]
fn what_is_not_finite_ends_the_run_with_its_name_and_time() {
    let log =
        particle("[forces]\nx = \"-log(x)\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = -3, y = 0 }");
    let answer = simulate(&log, &["--until", "10", "--format", "json"]);
    answer.refuses(3, &["`x''` is not finite at t = 0.34", "last good state"]);
    assert_eq!(answer.json("simulate")["outcome"], "non_finite");
    let root =
        particle("potential = \"sqrt(x)\"\n[initial]\nposition = { x = -1, y = 0 }\nvelocity = { x = 0, y = 0 }");
    let answer = simulate(&root, &["--until", "1", "--format", "json"]);
    answer.refuses(3, &["not finite at t = 0"]);
    assert_eq!(answer.json("simulate")["outcome"], "non_finite");
}

#[test]
fn a_motion_that_escapes_in_finite_time_ends_with_too_small_a_step() {
    let blow =
        particle("[forces]\nx = \"x^2*x' + x^3\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 3, y = 0 }");
    for method in ["dop853", "taylor", "implicit", "dla"] {
        let answer = simulate(&blow, &["--until", "10", "--method", method, "--format", "json"]);
        answer.refuses(3, &["step became too small", "t = 0.48"]);
        assert_eq!(answer.json("simulate")["outcome"], "step_too_small", "{method}");
    }
}

#[test]
fn lost_rank_names_the_constraint() {
    let model = particle(
        "[constraints]\nc = \"x*x' + y*y' = 0\"\n[initial]\nposition = { x = 0, y = 0 }\nvelocity = { x = 1, y = 0 }",
    );
    let answer = simulate(&model, &["--until", "1", "--format", "json"]);
    answer.refuses(3, &["not determined at t = 0", "constraint `c` loses rank"]);
    assert_eq!(answer.json("simulate")["outcome"], "singular");
    let massless = simulate(&particle(THROWN), &["--until", "1", "--set", "m=0"]);
    massless.refuses(3, &["not determined at t = 0", "loses rank"]);
}

#[test]
fn the_discrete_method_refuses_constraints_of_second_order() {
    let model =
        particle("[constraints]\nc = \"x'' = 1\"\n[initial]\nposition = { x = 0, y = 0 }\nvelocity = { x = 1, y = 0 }");
    simulate(&model, &["--until", "1", "--method", "dla"]).refuses(3, &["does not apply", "second order"]);
    simulate(&model, &["--until", "1"]).fine();
}

#[test]
fn columns_may_be_names_velocities_multipliers_definitions_and_expressions() {
    let folder = sleigh();
    let columns = "phi,x',x_C,v,lambda_knife_edge,energy,atan2(y, x),x''";
    let answer = folder.run(&["simulate", "sleigh.toml", "--samples", "3", "--columns", columns]);
    let mut lines = answer.quiet().lines();
    assert_eq!(lines.next(), Some("t,phi,x',x_C,v,lambda_knife_edge,energy,\"atan2(y, x)\",x''"));
    let first: Vec<f64> = lines.next().expect("a row").split(',').map(|x| x.parse().expect("a number")).collect();
    // T = ½·1·(1² + 0.6²) + ½·0.05·2²; at φ = 0 the edge gives λ = −m(vω + lω̇).
    let expected = [0.0, 0.0, 1.0, 0.3, 1.0, -5.0 / 7.0, 0.78, 0.0, 1.2];
    for (x, e) in first.iter().zip(expected) {
        assert!((x - e).abs() < 1e-12, "{first:?}");
    }
    assert_eq!(lines.count(), 2);
}

#[test]
fn wrong_columns_are_refused() {
    let with = |c: &str| simulate(&particle(THROWN), &["--until", "1", "--columns", c]);
    with("z").refuses(2, &["unknown name `z`", "--columns:1:1"]);
    with("x,y +").refuses(2, &["missing operand", "--columns"]);
    with("x:y:x").refuses(2, &["--columns x:y:x", "x:y"]);
    with("").refuses(2, &["no column is named", "help"]);
    with(",,").refuses(2, &["no column is named"]);
    with("sin(x").refuses(2, &["--columns"]);
}

#[test]
fn a_column_that_is_not_finite_is_said() {
    let answer = simulate(&particle(THROWN), &["--until", "1", "--samples", "3", "--columns", "1/x"]);
    assert_eq!((answer.status, answer.err.trim_end()), (0, "warning: column `1/x` is inf at t = 0"));
    assert!(answer.out.starts_with("t,1/x\n0,inf\n0.5,"));
}

#[test]
fn the_motion_stays_on_its_constraints() {
    let v =
        noslip(&["simulate", "rolling-disk", "--until", "50", "--samples", "11", "--format", "json"]).json("simulate");
    for s in v["samples"].as_array().expect("a list") {
        let at = |of: &str, name: &str| number(&s[of][name]);
        let slip = at("v", "x") + 0.6 * at("v", "psi") * at("q", "phi").cos();
        assert!(slip.abs() < 1e-9, "t = {}: {slip}", s["t"]);
    }
    assert!(number(&v["drift"]["energy"]) < 1e-8);
}

#[test]
fn a_run_may_end_where_friction_no_longer_holds() {
    let model = crate::models::particle(
        "[forces]\ny = \"t\"\n[constraints]\nrail = { equation = \"y' = 0\", friction = \"2\" }\n\
         [initial]\nposition = { x = 0, y = 0 }\nvelocity = { x = 1 }\n[simulation]\nuntil = 5",
    );
    let folder = crate::program::Folder::with("m.toml", &model);
    let v = folder.run(&["simulate", "m.toml", "--grip", "--format", "json"]).json("simulate");
    assert_eq!(v["outcome"], "event");
    assert!(v["end"]["t"].as_f64().is_some_and(|t| (t - 2.0).abs() < 1e-6), "{}", v["end"]);
    assert_eq!(folder.run(&["simulate", "m.toml", "--format", "json"]).json("simulate")["end"]["t"], 5.0);
    sleigh().run(&["simulate", "sleigh.toml", "--grip"]).refuses(2, &["`--grip`", "friction"]);
}

#[test]
fn contacts_that_switch_are_followed_and_told() {
    let folder = Folder::with(
        "belt.toml",
        "noslip = 1\n[system]\nname = \"belt\"\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"2*x^2\"\n\
         [constraints]\nbelt = { equation = \"x' = 0.5\", friction = 3, sliding = 2 }\n[simulation]\nuntil = 5\n",
    );
    let answer = folder.run(&["simulate", "belt.toml", "--switching"]);
    let text = answer.fine();
    assert!(text.contains("belt slides, negative direction"), "{text}");
    assert!(text.contains("belt sticks") && text.contains("friction took"), "{text}");
    let v = folder.run(&["simulate", "belt.toml", "--switching", "--format", "json", "--at", "0,1,2"]).json("simulate");
    let first = &v["switching"]["switches"][0];
    assert_eq!((first["constraint"].as_str(), first["change"].as_str()), (Some("belt"), Some("slides")));
    assert!((first["t"].as_f64().expect("a time") - 1.5).abs() < 1e-9);
    assert!(
        (v["samples"][1]["multipliers"]["belt"].as_f64().expect("a force") - 2.0).abs() < 1e-9,
        "the spring at x = 0.5"
    );
}
