//! noslip in Python: models, motions and the program itself, without mathematics of its own.
//!
//! What prints a document in the program is asked of the program ([`program::answer`]); what gives arrays is bound here.

mod arrow;
mod edit;
mod errors;
mod model;
mod program;
mod run;
mod sweep;
mod watch;

use pyo3::prelude::*;

/// The compiled half of the package `noslip`.
#[pymodule(gil_used = false)]
fn _noslip(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<model::Core>()?;
    m.add_class::<model::Rhs>()?;
    m.add_class::<run::Run>()?;
    m.add_class::<arrow::Table>()?;
    m.add_class::<errors::Problem>()?;
    m.add_function(wrap_pyfunction!(program::answer, m)?)?;
    m.add_function(wrap_pyfunction!(program::program, m)?)?;
    m.add_function(wrap_pyfunction!(program::gallery_names, m)?)?;
    m.add_function(wrap_pyfunction!(program::gallery_text, m)?)?;
    m.add_function(wrap_pyfunction!(edit::edit, m)?)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(m)
}
