//! Observed orders: the error with constant steps, against closed forms.

use super::problems::*;
use crate::simulate::*;

/// Error at the end, in the Euclidean norm: its direction turns with the step and would disturb other norms.
fn end_error<S: Stepper>(mut stepper: S, until: f64, exact: &[f64]) -> f64 {
    let run = integrate(&mut stepper, &Plan::until(until), &mut [], &mut Samples::default());
    assert_eq!(run.outcome, Outcome::Finished);
    run.state.iter().zip(exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Largest error of the dense output at many points inside the steps.
fn dense_error<S: Stepper>(mut stepper: S, until: f64, exact: impl Fn(f64) -> Vec<f64>) -> f64 {
    let times: Vec<f64> = (1..2000).map(|i| until * f64::from(i) / 2000.0).collect();
    let mut samples = Samples::default();
    let plan = Plan { samples: &times, ..Plan::until(until) };
    let run = integrate(&mut stepper, &plan, &mut [], &mut samples);
    assert_eq!(run.outcome, Outcome::Finished);
    assert_eq!(samples.points.len(), times.len());
    samples.points.iter().map(|(t, y)| distance(y, &exact(*t))).fold(0.0, f64::max)
}

fn assert_order(name: &str, nominal: f64, points: &[(f64, f64)]) {
    let order = observed_order(points);
    assert!((order - nominal).abs() < 0.1, "{name}: observed order {order:.3}, nominal {nominal}: {points:?}");
}

const STRICT: Tolerance = Tolerance { relative: 1e-13, absolute: 1e-13 };

#[test]
fn dop853_has_order_eight() {
    let (e, until) = (0.3, 4.0);
    let points: Vec<(f64, f64)> = [48, 64, 80, 96]
        .map(|n| {
            let h = until / f64::from(n);
            let stepper = Dop853::new(Kepler, 0.0, &pericentre(e), STRICT, StepSize::fixed(h));
            (h, end_error(stepper, until, &kepler_exact(e, until)))
        })
        .to_vec();
    assert_order("DOP853", 8.0, &points);
}

#[test]
fn dense_output_of_dop853_has_order_seven() {
    let (e, until) = (0.3, 4.0);
    let points: Vec<(f64, f64)> = [32, 40, 48, 60]
        .map(|n| {
            let h = until / f64::from(n);
            let stepper = Dop853::new(Kepler, 0.0, &pericentre(e), STRICT, StepSize::fixed(h));
            (h, dense_error(stepper, until, |t| kepler_exact(e, t).to_vec()))
        })
        .to_vec();
    // A local error: the interpolant of order 7 is wrong by O(h⁸) inside a step.
    assert_order("dense output of DOP853", 8.0, &points);
}

#[test]
fn radau_has_order_five() {
    let (e, until) = (0.3, 4.0);
    let points: Vec<(f64, f64)> = [80, 100, 120, 150]
        .map(|n| {
            let h = until / f64::from(n);
            let stepper = Radau::new(Kepler, 0.0, &pericentre(e), STRICT, StepSize::fixed(h));
            (h, end_error(stepper, until, &kepler_exact(e, until)))
        })
        .to_vec();
    assert_order("Radau IIA", 5.0, &points);
}

#[test]
fn dense_output_of_radau_has_order_four() {
    let (e, until) = (0.3, 4.0);
    let points: Vec<(f64, f64)> = [80, 100, 120, 150]
        .map(|n| {
            let h = until / f64::from(n);
            let stepper = Radau::new(Kepler, 0.0, &pericentre(e), STRICT, StepSize::fixed(h));
            (h, dense_error(stepper, until, |t| kepler_exact(e, t).to_vec()))
        })
        .to_vec();
    // Wrong by O(h⁵) inside a step, as the end of the run is.
    assert_order("dense output of Radau IIA", 5.0, &points);
}

#[test]
fn taylor_has_the_order_asked_for() {
    let (e, until) = (0.3, 4.0);
    for (order, counts) in
        [(2, [800, 1000, 1200, 1500]), (3, [400, 500, 600, 800]), (5, [500, 600, 700, 800]), (8, [100, 110, 120, 130])]
    {
        let points: Vec<(f64, f64)> = counts
            .map(|n| {
                let h = until / f64::from(n);
                let stepper = Taylor::with_order(Kepler, 0.0, &pericentre(e), STRICT, StepSize::fixed(h), order);
                assert_eq!(stepper.order(), order);
                (h, end_error(stepper, until, &kepler_exact(e, until)))
            })
            .to_vec();
        assert_order(&format!("Taylor of order {order}"), order as f64, &points);
    }
}

#[test]
fn taylor_has_high_orders_too() {
    // Errors of high order are above rounding only for long steps: an oscillator (beside a state at rest) takes them.
    let (start, until) = ([1.0, 1.0, 0.5], 60.0);
    for (order, counts) in
        [(12, [50, 60, 70, 80]), (16, [32, 36, 40, 44]), (20, [24, 26, 28, 30]), (25, [12, 13, 14, 15])]
    {
        let points: Vec<(f64, f64)> = counts
            .map(|n| {
                let h = until / f64::from(n);
                let sizes = StepSize::fixed(h);
                let stepper = Taylor::with_order(LogisticAndOscillator, 0.0, &start, STRICT, sizes, order);
                let [_, z, v] = LogisticAndOscillator::exact(until);
                (h, end_error(stepper, until, &[1.0, z, v]))
            })
            .to_vec();
        assert_order(&format!("Taylor of order {order}"), order as f64, &points);
    }
}
