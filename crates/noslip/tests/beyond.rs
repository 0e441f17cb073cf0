//! Beyond the equations of motion: vakonomic motions, principles, Hamiltonisation, friction.

#[path = "common/mod.rs"]
mod common;
#[path = "common/gallery.rs"]
mod gallery;

#[path = "beyond/canonical.rs"]
mod canonical;
#[path = "beyond/friction.rs"]
mod friction;
#[path = "beyond/hamiltonise.rs"]
mod hamiltonise;
#[path = "beyond/principles.rs"]
mod principles;
#[path = "beyond/vakonomic.rs"]
mod vakonomic;

use noslip::Limits;
use noslip::model::{Model, render};
use noslip::simulate::Settings;

/// A model from its text.
fn load(text: &str) -> Model {
    Model::load(text, "test", &Limits::default()).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|e| render(e, "test", text)).collect();
        panic!("{}", shown.join("\n"))
    })
}

/// A reference system as a model.
fn reference(name: &str) -> Model {
    load(&common::to_toml(&common::json(&format!("systems/{name}.json")), common::Options::default()))
}

/// A run to the last of these times.
fn settings(at: &[f64], tolerance: f64) -> Settings {
    Settings { at: at.to_vec(), tolerance, ..Settings::until(*at.last().expect("a time to run to")) }
}

/// `n` times from 0 to `until`.
fn times(until: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| until * i as f64 / (n - 1) as f64).collect()
}
