//! The program, as a function.

use noslip_cli::Answer;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Derivations are loops, not recursions; this is for the libraries below.
const STACK: usize = 16 << 20;
/// How often Ctrl-C is looked for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does work on a thread of its own, without the interpreter's lock, and looks for Ctrl-C meanwhile.
///
/// What is interrupted goes on to its end unseen: nothing waits for it.
pub fn interruptible<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let _ = send.send(work());
    })?;
    let mut receive = Some(receive);
    loop {
        let (got, channel) = py.detach(|| {
            let channel = receive.take().expect("put back below");
            (channel.recv_timeout(PATIENCE), channel)
        });
        match got {
            Ok(value) => {
                let _ = thread.join();
                return Ok(value);
            }
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("noslip: this should not have happened; please report it"));
            }
        }
        receive = Some(channel);
    }
}

/// answer(arguments, input) -> (status, output, errors)
///
/// Runs the program with these arguments in this process; `input` is what the file `-` holds.
#[pyfunction]
pub fn answer(py: Python<'_>, arguments: Vec<String>, input: String) -> PyResult<(u8, String, String)> {
    let command = std::iter::once("noslip".to_owned()).chain(arguments).collect::<Vec<_>>();
    let Answer { status, output, errors } = interruptible(py, move || noslip_cli::answer(command, input.as_bytes()))?;
    Ok((status, output, errors))
}

/// program(arguments) -> status
///
/// Runs the program with these arguments on the terminal.
#[pyfunction]
pub fn program(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    let command = std::iter::once("noslip".to_owned()).chain(arguments).collect::<Vec<_>>();
    interruptible(py, move || noslip_cli::run(command))
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
