//! The reference systems load, and what was loaded is what they say.

mod common;

use common::{Options, json, systems, to_toml};
use noslip::Limits;
use noslip::model::{Claims, Model, Overrides, render};

fn load(name: &str, text: &str) -> Model {
    Model::load(text, name, &Limits::default()).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|e| render(e, name, text)).collect();
        panic!("{}", shown.join("\n"))
    })
}

#[test]
fn every_reference_system_loads_within_milliseconds() {
    let mut slowest = (0.0, String::new());
    for (name, c) in systems() {
        let text = to_toml(&c, Options::default());
        let start = std::time::Instant::now();
        let mut model = load(&name, &text);
        let state = model.initial_state(&Overrides::default());
        let state = state.unwrap_or_else(|e| panic!("{name}: {e}"));
        let seconds = start.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, name.clone());
        }
        let system = &model.system;
        assert_eq!(system.n(), c["coordinates"].as_array().unwrap().len(), "{name}");
        assert_eq!(system.k(), c["constraints"].as_array().unwrap().len(), "{name}");
        assert!(system.constraints.iter().all(|c| c.order == 1), "{name}");
        assert!(system.quasi_velocities.is_empty() || system.quasi_velocities.len() == system.n() - system.k());
        assert!(system.initial.is_some(), "{name}");
        assert!(state.completed.is_empty() && state.velocity.iter().all(|v| v.is_finite()), "{name}");
        assert!(model.warnings.is_empty(), "{name}: {:?}", model.warnings);
    }
    println!("slowest: {} in {:.3} ms", slowest.1, slowest.0 * 1e3);
    assert!(slowest.0 < 0.25, "{} took {} s", slowest.1, slowest.0);
}

#[test]
fn the_other_examples_load_too() {
    load("tutorial_mistake", &to_toml(&json("tutorial_mistake.json"), Options::default()));
    let examples = json("frobenius_examples.json");
    let examples = examples["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 9);
    for (i, e) in examples.iter().enumerate() {
        let part = |key: &str| e[key].as_str().unwrap().to_owned();
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
             [constraints]\nform = \"({})*x' + ({})*y' + ({})*z'\"\n",
            part("a"),
            part("b"),
            part("c")
        );
        load(&format!("frobenius {i}"), &text);
    }
}

/// Every equation the documents print, as a claim; `lam1` is the multiplier of the first constraint.
#[test]
fn every_published_equation_is_read_as_a_claim() {
    let mut count = 0;
    for (name, c) in systems() {
        let mut model = load(&name, &to_toml(&c, Options::default()));
        let constraints: Vec<&str> =
            c["constraints"].as_array().unwrap().iter().map(|d| d["name"].as_str().unwrap()).collect();
        for p in c["published"].as_array().unwrap() {
            let text = common::claims(&c, p, &constraints);
            let claims = Claims::load(&text, &mut model, &Limits::default()).unwrap_or_else(|errors| {
                let shown: Vec<String> = errors.iter().map(|e| render(e, &name, &text)).collect();
                panic!("{}", shown.join("\n"))
            });
            count += claims.claims.len();
        }
    }
    assert!(count > 100, "{count} claims");
    println!("{count} claims");
}
