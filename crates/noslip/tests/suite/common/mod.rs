//! What the tests share: models from text, from the gallery and from the reference data, and what one asks of them.

pub mod gallery;
pub mod lengths;
#[path = "../../../../noslip-expr/src/expr/readable/printed.rs"]
pub mod printed;
pub mod reference;

use noslip::analysis::{Analysis, analyse};
use noslip::expr::{Expr, Printer, Style, Tree};
use noslip::model::Model;
use noslip::simulate::Settings;
use noslip::verify::{Finding, follows};
use noslip::{Errors, Limits};
use std::path::{Path, PathBuf};

/// What was loaded, or every error as the program shows it.
pub fn loaded<T>(result: Result<T, Errors>, file: &str, text: &str) -> T {
    result.unwrap_or_else(|errors| {
        panic!(
            "{file}:
{errors}
{text}"
        )
    })
}

/// A model from its text.
pub fn load(text: &str) -> Model {
    loaded(Model::load(text, "model.toml", &Limits::default()), "model.toml", text)
}

/// An expression, or an equation as left side − right side; `energy` is T + V.
pub fn expression(model: &mut Model, text: &str) -> Expr {
    if text == "energy" {
        return model.arena.add(model.system.kinetic, model.system.potential);
    }
    model.expression(text).unwrap_or_else(|errors| panic!("{}: {errors}", model.file_name))
}

/// What the analysis says; its expressions are the model's afterwards.
pub fn analysed(model: &mut Model) -> Analysis {
    let mut w = model.workbench();
    let analysis = analyse(&mut w);
    model.arena = w.g;
    analysis
}

/// An expression as plain text.
pub fn text(model: &Model, e: Expr) -> String {
    let tree = Tree::of(&model.arena, e, &Limits::default()).unwrap();
    Printer::new(Style::Text).print(&model.arena, &tree)
}

/// Is this zero a consequence of the model, with the relations between positions its initial state implies?
pub fn verdict(model: &Model, expr: Expr) -> Finding {
    follows(&mut model.workbench(), expr)
}

/// A run to the last of these times.
pub fn settings(at: &[f64], tolerance: f64) -> Settings {
    let until = *at.last().expect("a time to run to");
    Settings { at: at.to_vec(), tolerance, ..Settings::until(until) }
}

/// `n` times from 0 to `until`.
pub fn times(until: f64, n: usize) -> Vec<f64> {
    (0..n).map(|i| until * i as f64 / (n - 1) as f64).collect()
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A page of the repository is what the tests of `room` make of it, or becomes it where `NOSLIP_BLESS` is set.
pub fn blessed(page: &str, text: &str, room: &str) {
    let path = root().join(page);
    if std::env::var_os("NOSLIP_BLESS").is_some() {
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{page} is out of date: NOSLIP_BLESS=1 cargo test -p noslip --test suite {room}");
}
