//! A hand on long computations from outside: look how far they are, and stop them.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared between whoever computes and whoever waits: clones are the same handle. It is given to a computation in
/// [`Limits::control`](crate::Limits::control), before it begins.
///
/// Work is counted where it is done: terms of polynomials that are touched, steps of an integration. After
/// [`Control::stop`] normal forms and proofs end with an error of kind [`Cancelled`](crate::ErrorKind::Cancelled), and an
/// integration with `Outcome::Cancelled`. A simplification that is stopped leaves
/// the expression as it was, which is correct but long: whoever shows results asks [`Control::check`] first.
///
/// ```
/// use noslip_expr::{Control, Limits};
/// let control = Control::default();
/// let limits = Limits { control: Some(control.clone()), ..Limits::default() };
/// // … in another thread, with these limits: derive, prove, simulate …
/// println!("{} units of work so far", control.work());
/// control.stop();
/// assert!(limits.check_control().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Control(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    work: AtomicU64,
}

impl Control {
    /// Asks the computation to end.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Has somebody asked it to end?
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Units of work done so far: it grows as long as something is done.
    pub fn work(&self) -> u64 {
        self.0.work.load(Ordering::Relaxed)
    }

    /// An error if somebody has asked the computation to end.
    pub fn check(&self) -> Result<()> {
        if self.is_stopped() { Err(Error::cancelled()) } else { Ok(()) }
    }

    /// Counts work; an error if somebody has asked it to end.
    pub fn count(&self, units: u64) -> Result<()> {
        self.0.work.fetch_add(units, Ordering::Relaxed);
        self.check()
    }
}

/// The same handle, not the same numbers.
impl PartialEq for Control {
    fn eq(&self, other: &Control) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Control {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn what_nobody_stops_goes_on_and_is_counted() {
        let control = Control::default();
        assert!(control.count(5).is_ok() && control.clone().count(2).is_ok());
        assert_eq!((control.work(), control.is_stopped()), (7, false));
        control.stop();
        assert_eq!(control.check().expect_err("stopped").kind, ErrorKind::Cancelled);
    }
}
