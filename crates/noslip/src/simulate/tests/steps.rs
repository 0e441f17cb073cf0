//! Lengths of steps, and what is between them.

use super::problems::*;
use crate::simulate::stepper::{clip_fixed_step, clip_step, shortest_step};
use crate::simulate::*;

#[test]
fn a_step_ends_on_time_and_leaves_no_crumb() {
    // From, to, proposed: the step, and whether it is the last.
    for (t, end, h, expected) in [
        (1.0, 3.0, 0.5, (0.5, false)),
        (1.0, -3.0, 0.5, (-0.5, false)),
        (1.0, 3.0, 2.0, (2.0, true)),
        (1.0, 3.0, 5.0, (2.0, true)),
        (3.0, 1.0, 1.99, (-2.0, true)),
        // Two halves rather than one and a crumb.
        (1.0, 3.0, 1.5, (1.0, false)),
        (3.0, 1.0, 1.5, (-1.0, false)),
        (1.0, 3.0, 1.0, (1.0, false)),
    ] {
        assert_eq!(clip_step(t, end, h), expected, "from {t} to {end} by {h}");
    }
    for (t, end, h, expected) in [
        (1.0, 3.0, 1.5, (1.5, false)),
        (2.5, 3.0, 1.5, (0.5, true)),
        (3.0, 1.0, 2.0 - 1e-10, (-2.0, true)),
        (3.0, 1.0, 1.99, (-1.99, false)),
    ] {
        assert_eq!(clip_fixed_step(t, end, h), expected, "from {t} to {end} by {h}");
    }
}

#[test]
fn a_step_that_does_not_move_the_time_is_not_worth_making() {
    assert_eq!(shortest_step(-4.0, 4.0), 32.0 * f64::EPSILON);
    assert_eq!(shortest_step(0.0, 30.0), 0.003 * f64::EPSILON);
    // The way that is left, not the sum of the times.
    assert_eq!(shortest_step(-100.0, 1e8), 1e-4 * f64::EPSILON * 100_000_100.0);
    let sizes = StepSize::default();
    assert!(sizes.span(4.0, 5.0, 1e-17, false).is_err() && sizes.span(4.0, 5.0, f64::NAN, false).is_err());
    assert!(sizes.span(4.0, 5.0, 1e-3, true).is_ok());
    // A short way to the end is made, unless longer ones have been tried.
    let near = 4.0 + 4.0 * f64::EPSILON;
    assert_eq!(sizes.span(4.0, near, 1.0, false).map(|s| s.end), Ok(near));
    assert!(sizes.span(4.0, near, 1.0, true).is_err());
    assert_eq!(StepSize::fixed(0.25).span(1.0, 2.0, 9.0, false).map(|s| (s.h, s.end)), Ok((0.25, 1.25)));
}

/// The state in the middle of each of some steps, by the method's own interpolation, against the closed form.
fn between<S: Stepper>(mut stepper: S, e: f64, allowed: f64) {
    for _ in 0..12 {
        stepper.step(20.0).expect("a step");
        let (from, to) = (stepper.previous_time(), stepper.time());
        let mut y = vec![0.0; 4];
        for part in [0.0, 0.21, 0.5, 0.83, 1.0] {
            let t = from + part * (to - from);
            stepper.dense(t, &mut y).expect("inside the step");
            let error = distance(&y, &kepler_exact(e, t));
            assert!(error < allowed, "{part} of the step from {from} to {to}: {error:e}");
        }
        stepper.dense(to, &mut y).expect("its end");
        assert!(distance(&y, stepper.state()) < 1e-13, "the end is the state");
    }
}

#[test]
fn between_steps_every_method_is_as_accurate_as_at_their_ends() {
    let (e, start, sizes) = (0.3, pericentre(0.3), StepSize::default());
    between(Dop853::new(Kepler, 0.0, &start, Tolerance::new(1e-9), sizes), e, 1e-7);
    between(Taylor::new(Kepler, 0.0, &start, Tolerance::new(1e-9), sizes), e, 1e-7);
    between(Radau::new(Kepler, 0.0, &start, Tolerance::new(1e-9), sizes), e, 1e-6);
}

#[test]
fn a_state_that_is_replaced_is_the_one_the_next_step_begins_with() {
    fn replaced<S: Stepper>(mut stepper: S) -> f64 {
        stepper.step(1.0).expect("a step");
        let (t, other) = (stepper.time(), kepler_exact(0.5, 2.0));
        stepper.replace_state(&other);
        assert_eq!(stepper.state(), other);
        while stepper.time() < t + 1.0 {
            stepper.step(t + 1.0).expect("a step");
        }
        distance(stepper.state(), &kepler_exact(0.5, 3.0))
    }
    let (start, tolerance, sizes) = (pericentre(0.3), Tolerance::new(1e-10), StepSize::default());
    for error in [
        replaced(Dop853::new(Kepler, 0.0, &start, tolerance, sizes)),
        replaced(Taylor::new(Kepler, 0.0, &start, tolerance, sizes)),
        replaced(Radau::new(Kepler, 0.0, &start, tolerance, sizes)),
    ] {
        assert!(error < 1e-7, "{error:e}");
    }
}
