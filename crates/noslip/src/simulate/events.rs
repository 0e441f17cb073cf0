//! Events: zero crossings of functions of time and state, located on the dense output to rounding.

use super::outcome::{Component, Occurrence, Outcome};
use super::stepper::Stepper;

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
    /// also looked at in `checks` interior points, so that two crossings in one long step are not missed.
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
        let mut left = start;
        for check in 1..=checks + 1 {
            let last = check == checks + 1;
            let right = if last { end } else { start + (end - start) * check as f64 / (checks + 1) as f64 };
            if last {
                self.buffer.copy_from_slice(stepper.state());
            } else {
                stepper.dense(right, &mut self.buffer).map_err(|failure| Outcome::of_step(failure, start))?;
            }
            for (index, event) in events.iter_mut().enumerate() {
                let g = value(event, index, right, &self.buffer)?;
                let (before, now) = (self.signs[index], sign(g));
                let g_left = std::mem::replace(&mut self.values[index], g);
                self.signs[index] = now;
                if before == 0.0 || before == now {
                    continue;
                }
                // now == 0: it ends exactly on the event; the sign that comes next is new.
                let rising = before < 0.0;
                if !matches!(
                    (event.direction, rising),
                    (Direction::Any, _) | (Direction::Rising, true) | (Direction::Falling, false)
                ) {
                    continue;
                }
                let (t, state) = if now == 0.0 {
                    (right, self.buffer.clone())
                } else {
                    let mut state = vec![0.0; self.buffer.len()];
                    let t = if sign(g_left) == before {
                        let mut at = |t: f64| -> Result<f64, Outcome> {
                            stepper.dense(t, &mut state).map_err(|failure| Outcome::of_step(failure, start))?;
                            value(event, index, t, &state)
                        };
                        root(left, g_left, right, g, &mut at)?
                    } else {
                        left
                    };
                    stepper.dense(t, &mut state).map_err(|failure| Outcome::of_step(failure, start))?;
                    (t, state)
                };
                found.push(Occurrence { index, t, state, rising });
            }
            left = right;
        }
        let forward = (end - start).signum();
        found.sort_by(|a, b| (forward * a.t).total_cmp(&(forward * b.t)));
        if let Some(stop) = found.iter().position(|o| events[o.index].terminal) {
            found.truncate(stop + 1);
        }
        Ok(found)
    }
}

fn value(event: &mut Event, index: usize, t: f64, y: &[f64]) -> Result<f64, Outcome> {
    let g = (event.function)(t, y);
    if g.is_nan() { Err(Outcome::NonFinite { component: Component::Event(index), t }) } else { Ok(g) }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The zero of g between a and b, where g has opposite signs, to the last digit: R. P. Brent's method.
fn root<E>(a: f64, ga: f64, b: f64, gb: f64, g: &mut impl FnMut(f64) -> Result<f64, E>) -> Result<f64, E> {
    let (mut a, mut ga, mut b, mut gb) = (a, ga, b, gb);
    let (mut c, mut gc) = (a, ga);
    let mut step = b - a;
    let mut before = step;
    for _ in 0..200 {
        if gc.abs() < gb.abs() {
            (a, b, c) = (b, c, b);
            (ga, gb, gc) = (gb, gc, gb);
        }
        let tolerance = 0.5 * f64::EPSILON * b.abs();
        let middle = 0.5 * (c - b);
        if middle.abs() <= tolerance || gb == 0.0 {
            break;
        }
        if before.abs() >= tolerance && ga.abs() > gb.abs() {
            let s = gb / ga;
            let (mut p, mut q) = if a == c {
                (2.0 * middle * s, 1.0 - s)
            } else {
                let (q, r) = (ga / gc, gb / gc);
                (s * (2.0 * middle * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
            };
            if p > 0.0 {
                q = -q;
            } else {
                p = -p;
            }
            if 2.0 * p < (3.0 * middle * q - (tolerance * q).abs()).min((before * q).abs()) {
                (before, step) = (step, p / q);
            } else {
                (before, step) = (middle, middle);
            }
        } else {
            (before, step) = (middle, middle);
        }
        (a, ga) = (b, gb);
        b += if step.abs() > tolerance { step } else { tolerance.copysign(middle) };
        // A tolerance of half a unit in the last place may not move b at all.
        if b == a {
            b = if middle > 0.0 { a.next_up() } else { a.next_down() };
        }
        gb = g(b)?;
        if (gb > 0.0) == (gc > 0.0) {
            (c, gc) = (a, ga);
            step = b - a;
            before = step;
        }
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn roots_are_found_to_the_last_digit() {
        type Case = (fn(f64) -> f64, f64, f64, f64);
        let cases: [Case; 5] = [
            (|t| t.cos(), 1.0, 2.0, std::f64::consts::FRAC_PI_2),
            (|t| t * t - 2.0, 0.0, 2.0, std::f64::consts::SQRT_2),
            (|t| (t - 1.0).powi(9), 0.0, 1.7, 1.0),
            (|t| if t < 0.3 { -1.0 } else { 1.0 }, 0.0, 1.0, 0.3),
            (|t| t - 1e-9, -1.0, 1.0, 1e-9),
        ];
        for (i, (g, a, b, exact)) in cases.into_iter().enumerate() {
            let mut calls = 0;
            let mut f = |t: f64| -> Result<f64, ()> {
                calls += 1;
                Ok(g(t))
            };
            for (a, b) in [(a, b), (b, a)] {
                let t = root(a, g(a), b, g(b), &mut f).unwrap();
                let error = (t - exact).abs();
                // (t − 1)⁹ is zero in floating point in a whole neighbourhood of 1: any point of it is a zero.
                assert!(error <= 2.0 * f64::EPSILON * exact || g(t) == 0.0, "case {i}: {t} against {exact}");
            }
            assert!(calls < 400, "case {i}: {calls} calls");
        }
    }

    #[test]
    fn a_smooth_root_takes_ten_evaluations_and_not_the_fifty_of_halving() {
        type Case = (fn(f64) -> f64, f64, f64);
        let cases: [Case; 5] = [
            (|t| t.cos(), 1.0, 2.0),
            (|t| t * t - 2.0, 0.0, 2.0),
            (|t| t.exp() - 5.0, 0.0, 3.0),
            (|t| t.powi(3) - t - 1.0, 1.0, 2.0),
            // Steep in the middle of an interval that lies on both sides of zero.
            (|t| (50.0 * (t - 0.01)).atan(), -1.3, 1.2),
        ];
        for (i, (g, a, b)) in cases.into_iter().enumerate() {
            let mut calls = 0;
            let found = root(a, g(a), b, g(b), &mut |t| -> Result<f64, ()> {
                calls += 1;
                Ok(g(t))
            });
            assert!(found.is_ok() && calls <= 10, "case {i}: {calls} evaluations");
        }
    }

    #[test]
    fn a_root_between_neighbouring_numbers_is_one_of_them() {
        // Half a unit of the last place does not move a number just above a power of two.
        for scale in [1.0, 2f64.powi(60), 2f64.powi(-30), -1.0] {
            for k in 1..8 {
                let number = |k: i32| scale * (1.0 + f64::from(k) * f64::EPSILON);
                let (low, high, jump) = (number(0), number(8), number(k));
                let g = |t: f64| if (t - jump) * scale < 0.0 { -1.0 } else { 1.0 };
                for (a, b) in [(low, high), (high, low)] {
                    let mut calls = 0;
                    let found = root(a, g(a), b, g(b), &mut |t| -> Result<f64, ()> {
                        calls += 1;
                        Ok(g(t))
                    });
                    let t = found.expect("a root");
                    assert!(
                        (t - jump).abs() <= f64::EPSILON * scale.abs() && calls < 20,
                        "{scale} {k}: {t}, {calls} calls"
                    );
                }
            }
        }
    }
}
