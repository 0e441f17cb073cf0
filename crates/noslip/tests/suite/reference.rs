//! The reference systems load, and what was loaded is what they say; the model files of the gallery are these systems.

use crate::common::gallery::{evenly, open, open_with, run};
use crate::common::reference::{claims, json, model_of, number, systems};
use crate::common::{gallery, load, loaded};
use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::model::{Claims, Model, Overrides};
use noslip::simulate::Motion;
use serde_json::Value as Json;

#[test]
fn every_reference_system_loads_and_is_what_its_record_says() {
    for (name, c) in systems() {
        let mut model = model_of(&c);
        let state = model.initial_state(&Overrides::default());
        let state = state.unwrap_or_else(|e| panic!("{name}: {e}"));
        let system = &model.system;
        assert_eq!(system.n(), c["coordinates"].as_array().unwrap().len(), "{name}");
        assert_eq!(system.k(), c["constraints"].as_array().unwrap().len(), "{name}");
        assert!(system.constraints.iter().all(|c| c.order == 1), "{name}");
        assert!(system.quasi_velocities.is_empty() || system.quasi_velocities.len() == system.n() - system.k());
        assert!(system.initial.is_some(), "{name}");
        assert!(state.completed.is_empty() && state.velocity.iter().all(|v| v.is_finite()), "{name}");
        assert!(model.warnings.is_empty(), "{name}: {:?}", model.warnings);
    }
}

#[test]
fn the_other_examples_load_too() {
    model_of(&json("tutorial_mistake.json"));
    let examples = json("frobenius_examples.json");
    let examples = examples["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 9);
    for e in examples {
        let part = |key: &str| e[key].as_str().unwrap().to_owned();
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
             [constraints]\nform = \"({})*x' + ({})*y' + ({})*z'\"\n",
            part("a"),
            part("b"),
            part("c")
        );
        load(&text);
    }
}

/// Every equation the documents print, as a claim; `lam1` is the multiplier of the first constraint.
#[test]
fn every_published_equation_is_read_as_a_claim() {
    let mut count = 0;
    for (name, c) in systems() {
        let mut model = model_of(&c);
        let constraints: Vec<&str> =
            c["constraints"].as_array().unwrap().iter().map(|d| d["name"].as_str().unwrap()).collect();
        for p in c["published"].as_array().unwrap() {
            let text = claims(&c, p, &constraints);
            let claims = loaded(Claims::load(&text, &mut model, &Limits::default()), &name, &text);
            count += claims.claims.len();
        }
    }
    assert!(count > 100, "{count} claims");
    println!("{count} claims");
}

/// Values of an object in the order of the names.
fn values(object: &Json, names: &[String]) -> Vec<f64> {
    names.iter().map(|n| number(&object[n.as_str()])).collect()
}

fn coordinate_names(model: &Model) -> Vec<String> {
    model.system.coordinates.iter().map(|&s| model.arena.name(s).to_owned()).collect()
}

fn constraint_names(model: &Model) -> Vec<String> {
    model.system.constraints.iter().map(|c| c.name.clone()).collect()
}

/// Largest difference in units of the largest component, at least one.
fn difference(got: &[f64], want: &[f64]) -> f64 {
    assert_eq!(got.len(), want.len());
    let scale = want.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    got.iter().zip(want).map(|(a, b)| (a - b).abs() / scale).fold(0.0, |w, d| if d <= w { w } else { d })
}

#[test]
fn every_reference_system_is_a_model_of_the_gallery() {
    for (name, _) in systems() {
        assert!(
            gallery::names().any(|n| n == name),
            "tests/data/systems/{name}.json belongs to a model of the gallery"
        );
    }
}

/// The model file is the reference system: accelerations and multipliers at the recorded states.
#[test]
fn model_files_reproduce_the_states_of_the_reference_data() {
    let (mut states, mut worst) = (0, 0.0f64);
    for (name, reference) in systems() {
        let model = open(&name);
        let (q, c) = (coordinate_names(&model), constraint_names(&model));
        let recorded: Vec<&str> =
            reference["coordinates"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        assert_eq!(q, recorded, "{name}");
        let mut w = model.workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).unwrap();
        for s in reference["states"].as_array().unwrap() {
            let t = number(&s["t"]);
            let y = [values(&s["q"], &q), values(&s["qd"], &q)].concat();
            let typical = [&[t], y.as_slice()].concat();
            let mut motion = Motion::new(&mut w, &options, &typical).unwrap_or_else(|e| panic!("{name}: {e}"));
            let (mut a, mut lambda) = (vec![0.0; q.len()], vec![0.0; c.len()]);
            motion.solve(t, &y, &mut a, &mut lambda).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let d = difference(&a, &values(&s["qdd"], &q)).max(difference(&lambda, &values(&s["multipliers"], &c)));
            assert!(d < 1e-11, "{name}: {d:e} at t = {t}");
            worst = worst.max(d);
            states += 1;
        }
    }
    println!("{states} states, worst {worst:e}");
    assert_eq!(states, 286);
}

/// From the initial state the model file gives, over the whole recorded run, with every parameter set recorded.
#[test]
fn model_files_reproduce_the_trajectories_of_the_reference_data() {
    let (mut runs, mut samples, mut worst) = (0, 0, 0.0f64);
    for (name, reference) in systems() {
        let extra = reference["trajectories_extra"].as_array().map_or(&[][..], Vec::as_slice);
        for trajectory in std::iter::once(&reference["trajectory"]).chain(extra) {
            let set: Vec<(&str, f64)> = trajectory["parameters_override"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(k, v)| (k.as_str(), number(v)))
                .collect();
            let mut model = open_with(&name, &set);
            let (q, c) = (coordinate_names(&model), constraint_names(&model));
            let recorded = trajectory["samples"].as_array().unwrap();
            let at: Vec<f64> = recorded.iter().map(|s| number(&s["t"])).collect();
            assert_eq!(at.last().copied(), evenly(&model, 2).last().copied(), "{name} runs as long as the reference");
            let got = run(&mut model, &at, 1e-12, &Overrides::default());
            for (g, r) in got.samples.iter().zip(recorded) {
                let want = [values(&r["q"], &q), values(&r["qd"], &q)].concat();
                let d = difference(&g.y, &want).max(difference(&g.multipliers, &values(&r["multipliers"], &c)));
                assert!(d < 1e-8, "{name}: {d:e} at t = {}", g.t);
                worst = worst.max(d);
                samples += 1;
            }
            runs += 1;
        }
    }
    println!("{runs} runs, {samples} samples, worst {worst:e}");
    assert_eq!(runs, 38);
}
