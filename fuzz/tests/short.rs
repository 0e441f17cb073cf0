//! A few trials of every target, always the same; and the models that once broke something.

use noslip::Limits;
use noslip::forms::FORMS;
use noslip::model::{Claims, Model, Overrides};
use noslip::simulate::{Method, Settings, simulate};
use noslip::verify::{agreement, decide};
use noslip_fuzz::{Reached, TARGETS, claim_is_judged_right};
use std::path::Path;

fn regression(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Model::load(&text, name, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn regressions(prefix: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let files = std::fs::read_dir(folder).expect("regressions").filter_map(Result::ok);
    let names = files.filter_map(|f| f.file_name().to_string_lossy().strip_suffix(".toml").map(str::to_owned));
    let mut list: Vec<String> = names.filter(|n| n.starts_with(prefix)).collect();
    list.sort();
    assert!(!list.is_empty(), "no files {prefix}*");
    list
}

#[test]
fn a_few_trials_of_every_target_find_nothing() {
    for target in &TARGETS {
        let count = match target.name {
            "expressions" | "texts" => 400,
            "claims" | "positions" => 60,
            "values" => 60,
            "bodies" => 20,
            // The first equations that each document prints about each model.
            "books" => noslip_gallery::CLAIMS.len() as u64,
            _ => 40,
        };
        let mut answered = 0;
        for seed in 0..count {
            match (target.run)(seed) {
                Ok(reached) => answered += u64::from(reached == Reached::Answered),
                Err(what) => panic!("{} seed {seed}: {what}", target.name),
            }
        }
        // A target whose inputs are all refused tries nothing.
        assert!(15 * answered > count, "{}: {answered} of {count} were answered", target.name);
    }
}

#[test]
fn forms_with_functions_of_velocities_agree() {
    for name in regressions("agree_") {
        let mut w = regression(&name).workbench();
        let mut held = 0;
        for form in FORMS {
            let Ok(eq) = form.derive(&mut w) else { continue };
            let verdict = agreement(&mut w, &eq);
            assert!(!verdict.known.is_refuted(), "{name}: {}: {verdict:?}", form.id());
            held += usize::from(verdict.holds());
        }
        assert!(held >= 3, "{name}: {held} forms agree");
    }
}

#[test]
fn where_no_state_is_admissible_no_form_is_refuted() {
    for name in regressions("nowhere_") {
        let mut w = regression(&name).workbench();
        for form in FORMS {
            let Ok(eq) = form.derive(&mut w) else { continue };
            let verdict = agreement(&mut w, &eq);
            assert!(!verdict.known.is_refuted(), "{name}: {}: {verdict:?}", form.id());
        }
    }
}

#[test]
fn functions_of_velocities_are_known_by_what_the_constraints_make_of_them() {
    let mut model = regression("claims_on_functions_of_velocities");
    for (claim, truth) in [
        ("exp(z') = exp(y*x')", true),
        ("sin(z') = sin(y*x')", true),
        ("tanh(z') = tanh(y*x')", true),
        ("cos(y'') = 1", true),
        ("log(exp(z')) = y*x'", true),
        ("sqrt(x^2) = abs(x)", true),
        ("exp(z') = exp(y*x') + 10^(-30)*x", false),
        ("z'*(9999999999999999999999/3)^(3/2) + y = y*x'*(9999999999999999999999/3)^(3/2)", false),
        ("abs(cos(x)) = cos(x)", false),
        ("sqrt(1 - sin(x)^2) = cos(x)", false),
        ("sqrt(1 + tan(x)^2) = 1/cos(x)", false),
        ("(1 - sin(x)^2)^(3/2) = cos(x)^3", false),
        ("sqrt((9 + x')^2) = 9 + x'", false),
        ("abs(x - 1.2) = 1.2 - x", false),
        ("asin(sin(x)) = x", false),
        ("abs(2 + x) = 2 + x", false),
    ] {
        let parsed = Claims::equation(claim, &mut model, &Limits::default()).expect(claim);
        let finding = decide(&mut model.workbench(), parsed.expr, &[]);
        let right = if truth { finding.holds() } else { finding.counterexample().is_some() };
        assert!(right, "{claim}: {finding:?}");
    }
}

#[test]
fn a_run_whose_samples_are_no_numbers_does_not_finish() {
    for name in regressions("run_") {
        let mut model = regression(&name);
        let method = name.split('_').nth(1).and_then(Method::by_id).expect("a method in the name");
        let state = model.initial_state(&Overrides::default()).expect("an initial state");
        let at = (0..=100).map(|i| state.time + 0.02 * f64::from(i)).collect();
        let settings = Settings { at, method, ..Settings::until(state.time + 2.0) };
        let run = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).expect("a run");
        let finite =
            run.samples.iter().all(|s| s.y.iter().chain(&s.accelerations).chain(&s.multipliers).all(|x| x.is_finite()));
        assert!(finite, "{name}: {:?}", run.outcome);
        let expected = match () {
            () if name.contains("not_finite") => "non_finite",
            // A huge force brings it to rest on its cone at once.
            () if name.contains("to_rest") => "singular",
            () => "finished",
        };
        assert_eq!(run.outcome.code(), expected, "{name}: {:?}", run.outcome);
    }
}

#[test]
fn the_discrete_method_does_not_run_through_a_singularity() {
    let mut model = regression("principle_and_dla_rod_of_changing_length");
    let given = |model: &Model, name: &str, x: f64| {
        let index = model.system.coordinates.iter().position(|&q| model.arena.name(q) == name);
        (index.expect(name), x)
    };
    let overrides =
        Overrides { position: vec![given(&model, "x", 1.1), given(&model, "phi", 1.2)], ..Overrides::default() };
    let state = model.initial_state(&overrides).expect("an initial state");
    let settings = Settings { method: Method::by_id("dla").expect("dla"), ..Settings::until(2.0) };
    let run = simulate(&mut model.workbench(), &state, &settings, &mut |_| true).expect("a run");
    assert!(!run.outcome.is_success(), "{:?}", run.outcome);
    assert!((0.7..0.72).contains(&run.end.0), "the motion ends at t = 0.71327: {}", run.end.0);
}

#[test]
fn the_judge_knows_true_from_false() {
    let text = noslip_gallery::find("chaplygin-sledge").expect("a model of the gallery");
    assert_eq!(claim_is_judged_right(text, "1 = 1 + 0*x", Some(true)), Ok(Reached::Answered));
    assert!(claim_is_judged_right(text, "x'' = x'' + 1/10^20", Some(true)).is_err());
    assert!(claim_is_judged_right(text, "x'' = x''", Some(false)).is_err());
    // Too small to be told from zero by its size: it never is.
    assert_eq!(claim_is_judged_right(text, "exp(x - 200) = 0", Some(false)), Ok(Reached::Answered));
}
