//! An equation whose state begins with that of a system: a motion with more quantities beside it, kept on the constraints.

use super::methods::{Begin, Beginning, METHODS};
use super::simulation::Watch;
use super::{Event, Ode, Plan, Run, Settings, StepSize, TableWatch, Tolerance, integrate};
use crate::compile::CompileOptions;
use crate::error::{Error, Remedy, Result};
use crate::mechanics::Workbench;

/// A run, its samples, and the largest drift off the constraints.
type Followed = (Run, Vec<(f64, Vec<f64>)>, f64);

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
    let Begin::Equation(start) = settings.method.start else {
        let able = METHODS.iter().filter(|m| matches!(m.start, Begin::Equation(_))).map(|m| m.id()).collect();
        let message = format!("the method `{}` does not apply here", settings.method.id());
        return Err(Error::not_applicable(message).remedy(Remedy::Method(able)));
    };
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut progress = |_: f64| true;
    let mut watch = Watch::new(w, &options, settings, &mut progress)?;
    watch.tables.iter_mut().for_each(|tables| tables.look(t, &[&[t], &y[..2 * w.system.n()]].concat()));
    let sizes = settings.step.map_or_else(StepSize::default, StepSize::fixed);
    let from = Beginning { t, y, tolerance: Tolerance::new(settings.tolerance), sizes };
    let mut stepper = start(Box::new(ode), &from);
    let plan = Plan { samples: &settings.at, max_steps: settings.max_steps, ..Plan::until(settings.until) };
    let run = integrate(stepper.as_mut(), &plan, events, &mut watch);
    drop(stepper);
    w.tell_of(watch.tables.as_mut().map(TableWatch::take).unwrap_or_default());
    Ok((run, watch.points, watch.drift))
}
