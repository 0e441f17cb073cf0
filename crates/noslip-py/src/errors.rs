//! Errors of the library as exceptions, with places for editors and notebooks.

use noslip::model::{line_and_column, render};
use noslip::{Error, ErrorKind};
use noslip_cli::answers::Refusal;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(noslip, NoslipError, PyException, "Whatever noslip refuses.");
create_exception!(noslip, ModelError, NoslipError, "The input is wrong; `problems` says what, where and what to do.");
create_exception!(noslip, DoesNotApply, NoslipError, "The question cannot be asked of this model.");
create_exception!(noslip, LimitReached, NoslipError, "A limit was reached.");
create_exception!(noslip, ComputationError, NoslipError, "The computation could not be done.");

/// One thing that is wrong with an input.
#[pyclass(frozen, get_all, module = "noslip")]
pub struct Problem {
    /// What is wrong.
    message: String,
    /// Line of the text, from 1.
    line: Option<usize>,
    /// Column, from 1.
    column: Option<usize>,
    /// What to do about it.
    hint: Option<String>,
}

#[pymethods]
impl Problem {
    fn __repr__(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("<noslip.Problem {line}:{column}: {}>", self.message),
            _ => format!("<noslip.Problem {}>", self.message),
        }
    }
}

/// The exception for errors in a text.
pub fn raise(py: Python<'_>, errors: &[Error], name: &str, text: &str) -> PyErr {
    let shown: Vec<String> = errors.iter().map(|e| render(e, name, text).trim_end().to_owned()).collect();
    let message = shown.join("\n");
    let problems = errors.iter().map(|e| {
        let place = e.span.as_ref().map(|s| line_and_column(text, s.start));
        Problem {
            message: e.message.clone(),
            line: place.map(|p| p.0),
            column: place.map(|p| p.1),
            hint: e.hint.clone(),
        }
    });
    exception(py, errors.first().map_or(ErrorKind::Input, |e| e.kind), message, problems.collect())
}

/// The exception for what the program refused, in its own words.
pub fn raise_refusal(py: Python<'_>, kind: ErrorKind, refusal: &Refusal, words: &str) -> PyErr {
    let problems = refusal.errors.iter().map(|p| Problem {
        message: p.message.clone(),
        line: p.line,
        column: p.column,
        hint: p.hint.clone(),
    });
    exception(py, kind, words.trim_end().to_owned(), problems.collect())
}

fn exception(py: Python<'_>, kind: ErrorKind, message: String, problems: Vec<Problem>) -> PyErr {
    let error = match kind {
        ErrorKind::NotApplicable => DoesNotApply::new_err(message),
        ErrorKind::Limit => LimitReached::new_err(message),
        ErrorKind::Computation | ErrorKind::Cancelled => ComputationError::new_err(message),
        ErrorKind::Input => ModelError::new_err(message),
    };
    let _ = error.value(py).setattr("problems", problems);
    error
}

/// Adds the exceptions to the module.
pub fn add(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("NoslipError", py.get_type::<NoslipError>())?;
    m.add("ModelError", py.get_type::<ModelError>())?;
    m.add("DoesNotApply", py.get_type::<DoesNotApply>())?;
    m.add("LimitReached", py.get_type::<LimitReached>())?;
    m.add("ComputationError", py.get_type::<ComputationError>())
}
