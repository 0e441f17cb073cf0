//! Work on a thread of its own, without the interpreter's lock, while this one looks for Ctrl-C.

use noslip::Control;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Derivations are loops, not recursions; this is for the libraries below.
const STACK: usize = 16 << 20;
/// How often Ctrl-C is looked for.
const PATIENCE: Duration = Duration::from_millis(50);

/// Waits for a value; Ctrl-C asks the work to end.
fn wait<T>(receive: &Receiver<T>, control: &Control) -> PyResult<T> {
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(e) = Python::attach(|py| py.check_signals()) {
                    control.stop();
                    return Err(e);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("noslip: this should not have happened; please report it"));
            }
        }
    }
}

/// Work that borrows, and looks at `control` itself often enough: it has ended when this returns.
pub fn watched<T: Send>(py: Python<'_>, control: &Control, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let run = move || {
                let _ = send.send(work());
            };
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run)?;
            let value = wait(&receive, control);
            // A panic has been told by the channel.
            let _ = thread.join();
            value
        })
    })
}

/// Work that may look at `control` too seldom for a person to wait: what is interrupted ends unseen.
pub fn left_behind<T: Send + 'static>(
    py: Python<'_>,
    control: &Control,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    let run = move || {
        let _ = send.send(work());
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run)?;
    // A receiver is not shared between threads: the closure takes it.
    let control = control.clone();
    py.detach(move || wait(&receive, &control))
}
