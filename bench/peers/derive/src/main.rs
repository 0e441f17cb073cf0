//! Derives M, h, A, b of model files, times it, and prints the values at given states for comparison with other tools.
//!
//! Usage: `noslip-bench-derive STATES.json MODEL.toml…`, where STATES.json maps a model's path to a list of numbers
//! (t, q, q̇). Prints one JSON object per model.

use noslip::Limits;
use noslip::expr::{Evaluator, Expr};
use noslip::mechanics::Dynamics;
use noslip::model::Model;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let states = arguments.next().expect("a file of states");
    let states: Value = serde_json::from_str(&std::fs::read_to_string(states).expect("readable")).expect("JSON");
    for path in arguments {
        let text = std::fs::read_to_string(&path).expect("readable");
        let model = Model::load(&text, &path, &Limits::default()).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        // From the loaded model to the four matrices; the best of several runs, each in an arena of its own.
        let mut best = Duration::MAX;
        let mut runs = 0;
        let start = Instant::now();
        let mut last = None;
        while runs < 3 || (start.elapsed() < Duration::from_millis(300) && runs < 200) {
            let mut model = model.clone();
            let begin = Instant::now();
            let dynamics = Dynamics::of(&mut model.arena, &model.system);
            best = best.min(begin.elapsed());
            runs += 1;
            last = Some((model, dynamics));
        }
        let Some((model, d)) = last else { continue };
        let (system, arena) = (&model.system, &model.arena);
        let mut values = system.values(arena, &[]).expect("parameters have values");
        let numbers: Vec<f64> = states[&path].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        values.at.set(arena.time(), numbers[0]);
        let n = system.n();
        values.at.set_all(&system.coordinates, &numbers[1..=n]);
        values.at.set_all(&system.velocities, &numbers[n + 1..=2 * n]);
        let all: Vec<Expr> = d.mass.iter().chain(&d.a).flatten().chain(&d.rest).chain(&d.b).copied().collect();
        let result = values.evaluate(&Evaluator::new(arena, &all));
        println!(
            "{}",
            json!({"model": path, "milliseconds": best.as_secs_f64() * 1e3, "nodes": arena.len(), "values": result})
        );
    }
}
