//! An equation whose state begins with that of a system: a motion with more quantities beside it, kept on the constraints.

use super::{
    AfterStep, Dop853, Event, Keeper, Mechanical, Method, Observer, Ode, Plan, Radau, Run, Settings, StepSize, Stepper,
    Tolerance, integrate,
};
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::mechanics::Workbench;

/// Keeps the first 2n components on the constraints and the samples in memory.
struct Track {
    keeper: Keeper<Mechanical>,
    n: usize,
    tolerance: f64,
    points: Vec<(f64, Vec<f64>)>,
}

impl Observer for Track {
    fn sample(&mut self, t: f64, y: &[f64]) {
        self.points.push((t, y.to_vec()));
    }

    fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
        let mut state = y[..2 * self.n].to_vec();
        match self.keeper.keep(t, &mut state, (0.01 * self.tolerance).max(1e-14)) {
            Ok((_, true)) => {
                y[..2 * self.n].copy_from_slice(&state);
                AfterStep::Changed
            }
            // What is not finite is found by the integrator.
            _ => AfterStep::Continue,
        }
    }
}

/// A run and its samples.
type Followed = (Run, Vec<(f64, Vec<f64>)>);

/// Integrates an equation whose state begins with (q, q̇) of the system, kept on its constraints.
pub(crate) fn follow(
    w: &mut Workbench,
    ode: &mut dyn Ode,
    t: f64,
    y: &[f64],
    settings: &Settings,
    events: &mut [Event],
) -> Result<Followed> {
    settings.check()?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut track = Track {
        keeper: Keeper::new(Mechanical::new(w, &options)?),
        n: w.system.n(),
        tolerance: settings.tolerance,
        points: Vec::new(),
    };
    let tolerance = Tolerance::new(settings.tolerance);
    let sizes = settings.step.map_or_else(StepSize::default, StepSize::fixed);
    let mut stepper: Box<dyn Stepper> = match settings.method {
        Method::Dop853 => Box::new(Dop853::new(ode, t, y, tolerance, sizes)),
        Method::Implicit => Box::new(Radau::new(ode, t, y, tolerance, sizes)),
        other => {
            return Err(Error::not_applicable(format!("the method `{}` does not apply here", other.name()))
                .hint("give --method dop853 or --method implicit"));
        }
    };
    let plan = Plan { samples: &settings.at, max_steps: settings.max_steps, ..Plan::until(settings.until) };
    let run = integrate(stepper.as_mut(), &plan, events, &mut track);
    drop(stepper);
    Ok((run, track.points))
}
