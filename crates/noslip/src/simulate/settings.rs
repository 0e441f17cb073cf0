//! What to do in a run.

use super::methods::{METHODS, Method};
use crate::error::{Error, Remedy, Result};
use crate::expr::Expr;
use crate::limits::Limits;
use crate::model::{State, System};

/// What to do. Times are counted from that of the initial state, forwards or backwards.
///
/// ```
/// use noslip::simulate::{Method, Settings};
/// let settings = Settings { tolerance: 1e-12, ..Settings::until(20.0) };
/// assert_eq!((settings.until, settings.method), (20.0, Method::by_id("dop853").unwrap()));
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// End time.
    pub until: f64,
    /// Times to report, in the order of the run.
    pub at: Vec<f64>,
    /// Relative and absolute tolerance.
    pub tolerance: f64,
    /// Integrator.
    pub method: &'static Method,
    /// Fixed step; the method `dla` has no other.
    pub step: Option<f64>,
    /// Limit on steps.
    pub max_steps: u64,
    /// Stop where one of these crosses zero: name and expression.
    pub stops: Vec<(String, Expr)>,
}

impl Default for Settings {
    /// Ten units of time by the first method, to nine digits, nothing reported but the end.
    fn default() -> Self {
        Settings {
            until: 10.0,
            at: Vec::new(),
            tolerance: 1e-9,
            method: METHODS[0],
            step: None,
            max_steps: Limits::default().steps,
            stops: Vec::new(),
        }
    }
}

impl Settings {
    /// To this time, by default in everything else.
    pub fn until(until: f64) -> Settings {
        Settings { until, ..Settings::default() }
    }

    /// What the model wishes under `[simulation]`, and the defaults for the rest: end time, tolerance, method.
    pub fn of_system(system: &System) -> Settings {
        let wishes = &system.simulation;
        let defaults = Settings::default();
        Settings {
            until: wishes.until.as_ref().map_or(defaults.until, |t| t.to_f64()),
            tolerance: wishes.tolerance.as_ref().map_or(defaults.tolerance, |r| r.to_f64()),
            // The loader knows the names of the methods.
            method: wishes.method.as_deref().and_then(Method::by_id).unwrap_or(defaults.method),
            ..defaults
        }
    }

    /// With `count` reports, evenly spaced from the state to the end, both included.
    pub fn sampled(self, from: &State, count: usize) -> Settings {
        let span = self.until - from.time;
        let last = count.saturating_sub(1);
        let time = |i: usize| if i == last { self.until } else { from.time + span * i as f64 / last as f64 };
        Settings { at: (0..count).map(time).collect(), ..self }
    }

    /// Refuses what no run can begin with.
    pub(crate) fn check(&self) -> Result<()> {
        if !self.until.is_finite() || self.at.iter().any(|t| !t.is_finite()) {
            return Err(Error::input("times must be finite numbers"));
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(Error::input(format!("the tolerance {} is not between 0 and 1", self.tolerance))
                .remedy(Remedy::Tolerance));
        }
        Ok(())
    }
}
