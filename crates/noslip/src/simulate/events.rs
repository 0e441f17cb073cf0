//! Events: zero crossings of functions of time and state, located on the dense output to rounding.

use super::crossings::{is_pole, root, with_lowest};
use super::outcome::{Component, Occurrence, Outcome};
use super::stepper::Stepper;
use crate::arrange::Arrange;

/// Which crossings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Any,
}

impl Direction {
    /// Does a crossing with this slope count?
    pub fn admits(self, slope: f64) -> bool {
        match self {
            Direction::Rising => slope > 0.0,
            Direction::Falling => slope < 0.0,
            Direction::Any => slope != 0.0,
        }
    }
}

/// A function g(t, y).
pub type EventFunction<'a> = Box<dyn FnMut(f64, &[f64]) -> f64 + 'a>;

/// Something to watch for: a function that crosses zero.
pub struct Event<'a> {
    /// Name for people.
    pub name: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether the run ends there.
    pub terminal: bool,
    /// The function g(t, y).
    pub function: EventFunction<'a>,
}

impl<'a> Event<'a> {
    /// An event that is recorded at every crossing.
    pub fn new(name: impl Into<String>, function: impl FnMut(f64, &[f64]) -> f64 + 'a) -> Event<'a> {
        Event { name: name.into(), direction: Direction::Any, terminal: false, function: Box::new(function) }
    }

    /// Ends the run.
    pub fn terminal(mut self) -> Event<'a> {
        self.terminal = true;
        self
    }

    /// Only crossings of this direction.
    pub fn direction(mut self, direction: Direction) -> Event<'a> {
        self.direction = direction;
        self
    }
}

/// Follows the signs of the events from step to step.
pub(super) struct Watch {
    /// Last sign of each function; 0 before it has had one.
    signs: Vec<f64>,
    /// Value at the beginning of the next interval.
    values: Vec<f64>,
    buffer: Vec<f64>,
}

impl Watch {
    /// Begins at (t, y). A function that starts at zero is watched from its first sign on.
    pub fn new(events: &mut [Event], t: f64, y: &[f64]) -> Result<Watch, Outcome> {
        let mut watch = Watch { signs: vec![0.0; events.len()], values: Vec::new(), buffer: y.to_vec() };
        for (index, event) in events.iter_mut().enumerate() {
            let g = value(event, index, t, y)?;
            watch.values.push(g);
            watch.signs[index] = sign(g);
        }
        Ok(watch)
    }

    /// The state was replaced at the end of the step: the next interval begins with other values. The signs stay, so that a
    /// crossing made by the replacement itself is found at the beginning of the next interval.
    pub fn state_replaced(&mut self, events: &mut [Event], t: f64, y: &[f64]) -> Result<(), Outcome> {
        for (index, event) in events.iter_mut().enumerate() {
            self.values[index] = value(event, index, t, y)?;
        }
        Ok(())
    }

    /// The events inside the last step, in the order they happen, up to and including the first terminal one. Each function is
    /// also looked at in `checks` interior points, and at its lowest where it comes near to zero between them, so that two crossings in one
    /// long step are not missed.
    pub fn scan(
        &mut self,
        events: &mut [Event],
        stepper: &mut dyn Stepper,
        checks: usize,
    ) -> Result<Vec<Occurrence>, Outcome> {
        let mut found = Vec::new();
        if events.is_empty() {
            return Ok(found);
        }
        let (start, end) = (stepper.previous_time(), stepper.time());
        // Of each event the function at the beginning, in the interior points, at the end.
        let mut values: Vec<Vec<(f64, f64)>> = self.values.iter().map(|&g| vec![(start, g)]).collect();
        for check in 1..=checks + 1 {
            let t = if check > checks { end } else { start + (end - start) * check as f64 / (checks + 1) as f64 };
            dense(stepper, t, &mut self.buffer)?;
            for (index, event) in events.iter_mut().enumerate() {
                values[index].push((t, value(event, index, t, &self.buffer)?));
            }
        }
        for ((index, event), mut values) in events.iter_mut().enumerate().zip(values) {
            let mut at = |t: f64| -> Result<f64, Outcome> {
                dense(stepper, t, &mut self.buffer)?;
                value(event, index, t, &self.buffer)
            };
            with_lowest(&mut values, &mut at);
            let mut crossings = Vec::new();
            for pair in values.windows(2) {
                let before = std::mem::replace(&mut self.signs[index], sign(pair[1].1));
                if before != 0.0
                    && before != sign(pair[1].1)
                    && let Some(t) = crossing(pair[0], pair[1], before, &mut at)?
                {
                    crossings.push((t, before < 0.0));
                }
            }
            self.values[index] = values.last().map_or(f64::NAN, |v| v.1);
            for (t, rising) in crossings {
                let counts = match event.direction {
                    Direction::Any => true,
                    Direction::Rising => rising,
                    Direction::Falling => !rising,
                };
                if counts {
                    let mut state = vec![0.0; self.buffer.len()];
                    dense(stepper, t, &mut state)?;
                    found.push(Occurrence { index, t, state, rising });
                }
            }
        }
        let forward = (end - start).signum();
        found.arrange_by(|a, b| (forward * a.t).total_cmp(&(forward * b.t)));
        if let Some(stop) = found.iter().position(|o| events[o.index].terminal) {
            found.truncate(stop + 1);
        }
        Ok(found)
    }
}

/// Where the function goes through zero between two points, the sign before the second of which was another; nowhere if it has
/// a pole there.
fn crossing(
    (left, g_left): (f64, f64),
    (right, g_right): (f64, f64),
    before: f64,
    at: &mut impl FnMut(f64) -> Result<f64, Outcome>,
) -> Result<Option<f64>, Outcome> {
    // It ends exactly on the event; the sign that comes next is new.
    if g_right == 0.0 {
        return Ok(Some(right));
    }
    // The state was replaced, and with it the sign.
    if sign(g_left) != before {
        return Ok(Some(left));
    }
    let t = root(left, g_left, right, g_right, at)?;
    Ok((!is_pole(t, left, right, at)).then_some(t))
}

/// The state inside the last step, or at its end.
fn dense(stepper: &mut dyn Stepper, t: f64, out: &mut [f64]) -> Result<(), Outcome> {
    if t == stepper.time() {
        out.copy_from_slice(stepper.state());
        return Ok(());
    }
    let start = stepper.previous_time();
    stepper.dense(t, out).map_err(|failure| Outcome::of_step(failure, start))
}

fn value(event: &mut Event, index: usize, t: f64, y: &[f64]) -> Result<f64, Outcome> {
    let g = (event.function)(t, y);
    if g.is_nan() { Err(Outcome::NonFinite { component: Component::Event(index), t }) } else { Ok(g) }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
