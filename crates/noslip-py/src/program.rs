//! The program, as a function.

use crate::errors::raise_refusal;
use crate::watch::left_behind;
use noslip::Control;
use pyo3::prelude::*;

/// answer(arguments, input) -> (status, output, errors)
///
/// Runs the program with these arguments in this process; `input` is what the file `-` holds. Where there is no answer there is an
/// exception with the reasons.
#[pyfunction]
pub fn answer(py: Python<'_>, arguments: Vec<String>, input: String) -> PyResult<(u8, String, String)> {
    let command = std::iter::once("noslip".to_owned()).chain(arguments).collect::<Vec<_>>();
    let control = Control::default();
    let answer = left_behind(py, &control.clone(), move || noslip_cli::answer(command, input.into_bytes(), control))?;
    match &answer.refusal {
        // An answer that could not be given whole is printed as far as it goes.
        Some((kind, refusal)) if answer.output.is_empty() => Err(raise_refusal(py, *kind, refusal, &answer.errors)),
        None if answer.status > 1 => Err(crate::errors::ModelError::new_err(answer.errors.trim_end().to_owned())),
        _ => Ok((answer.status, answer.output, answer.errors)),
    }
}

/// program(arguments) -> status
///
/// Runs the program with these arguments on the terminal.
#[pyfunction]
pub fn program(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    let command = std::iter::once("noslip".to_owned()).chain(arguments).collect::<Vec<_>>();
    left_behind(py, &Control::default(), move || noslip_cli::run(command))
}

/// The names of the gallery.
#[pyfunction]
pub fn gallery_names() -> Vec<&'static str> {
    noslip_gallery::MODELS.iter().map(|(name, _)| *name).collect()
}

/// The text of a gallery model.
#[pyfunction]
pub fn gallery_text(name: &str) -> Option<&'static str> {
    noslip_gallery::find(name)
}
