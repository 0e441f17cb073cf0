//! Times at which a table of measured data changes its polynomial: a method of high order must not step across them.

use crate::arrange::Arrange;
use crate::compile::{CompileOptions, compile};
use crate::error::Result;
use crate::expr::Node;
use crate::mechanics::Workbench;
use crate::model::Interpolant;

/// The times at which a table whose argument is an affine function of time passes a knot, as two times each, just before
/// and just after it, sorted. Steps that end at both never combine values of two pieces over more than rounding. A knot at
/// the very `start` is no break.
///
/// Tables of anything else (an angle, a speed) have none that are known beforehand; there the control of the error finds them.
pub(super) fn break_times(w: &mut Workbench, options: &CompileOptions, start: f64) -> Result<Vec<f64>> {
    if w.system.tables.is_empty() {
        return Ok(Vec::new());
    }
    let roots = w.dynamics().expressions();
    let (time, state) = (w.g.time(), [w.system.coordinates.clone(), w.system.velocities.clone()].concat());
    let mut calls = Vec::new();
    for e in w.g.reachable(&roots) {
        if let Node::Table(table, _, argument) = *w.g.node(e)
            && w.g.depends_on(argument, time)
            && !w.g.depends_on_any(argument, &state)
        {
            calls.push((table, argument));
        }
    }
    let mut times = Vec::new();
    for (table, argument) in calls {
        let rate = w.g.diff(argument, time);
        let Some(data) = w.system.tables.iter().find(|t| t.id == table) else { continue };
        if w.g.depends_on(rate, time) {
            continue;
        }
        let values = compile(&w.g, &[time], &[argument, rate], options)?.evaluate(&[0.0]);
        let [offset, rate] = [values[0], values[1]];
        let interpolant = Interpolant::new(data);
        let knots = interpolant.knots();
        let spacing = knots.windows(2).map(|k| k[1] - k[0]).fold(f64::INFINITY, f64::min);
        for knot in knots {
            let t = (knot - offset) / rate;
            let margin = 4.0 * f64::EPSILON * (t.abs() + ((spacing.abs() + offset.abs()) / rate).abs());
            if (t - start).abs() > margin {
                times.extend([t - margin, t + margin]);
            }
        }
    }
    times.retain(|t| t.is_finite());
    times.arrange_by(f64::total_cmp);
    times.dedup();
    Ok(times)
}
