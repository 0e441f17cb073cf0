//! Every outcome, provoked; events; samples.

use super::problems::*;
use crate::simulate::*;
use std::f64::consts::PI;

fn oscillator() -> OdeFn<impl FnMut(f64, &[f64], &mut [f64])> {
    OdeFn::new(2, |_: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[y[1], -y[0]]))
}

const TOLERANCE: Tolerance = Tolerance { relative: 1e-10, absolute: 1e-10 };

fn dop853<O: Ode>(ode: O, y: &[f64]) -> Dop853<O> {
    Dop853::new(ode, 0.0, y, TOLERANCE, StepSize::default())
}

fn finish(stepper: &mut dyn Stepper, until: f64) -> Run {
    integrate(stepper, &Plan::until(until), &mut [], &mut Samples::default())
}

/// Every method that takes an [`Ode`].
fn methods<'a, O: Ode + 'a>(make: impl Fn() -> O, y: &[f64]) -> Vec<(&'static str, Box<dyn Stepper + 'a>)> {
    vec![
        ("dop853", Box::new(Dop853::new(make(), 0.0, y, TOLERANCE, StepSize::default()))),
        ("implicit", Box::new(Radau::new(make(), 0.0, y, TOLERANCE, StepSize::default()))),
    ]
}

#[test]
fn finished_ends_exactly_on_time() {
    for (name, mut stepper) in methods(oscillator, &[1.0, 0.0]) {
        let run = finish(&mut *stepper, 3.0);
        assert_eq!((run.outcome.code(), run.t), ("finished", 3.0), "{name}");
        assert!(distance(&run.state, &[3f64.cos(), -3f64.sin()]) < 1e-8, "{name}");
        assert!(run.outcome.is_success());
    }
}

#[test]
fn nothing_to_do_is_finished_at_once() {
    let run = finish(&mut dop853(oscillator(), &[1.0, 0.0]), 0.0);
    assert_eq!((run.outcome, run.statistics.evaluations), (Outcome::Finished, 0));
}

#[test]
fn a_pole_of_the_solution_is_a_step_too_small_with_the_last_good_state_kept() {
    // y′ = y², y = 1/(1 − t).
    for (name, mut stepper) in
        methods(|| OdeFn::new(1, |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = y[0] * y[0]), &[1.0])
    {
        let run = finish(&mut *stepper, 2.0);
        assert_eq!(run.outcome.code(), "step_too_small", "{name}: {:?}", run.outcome);
        assert!((run.t - 1.0).abs() < 1e-8 && run.state[0] > 1e6 && run.state[0].is_finite(), "{name}: {run:?}");
    }
}

#[test]
fn a_pole_stops_taylor_too() {
    struct Pole;
    impl TaylorOde for Pole {
        fn dimension(&self) -> usize {
            1
        }
        fn coefficients(&mut self, _t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
            (0..=order).for_each(|k| out[k] = y[0].powi(k as i32 + 1));
            Ok(())
        }
    }
    let run = finish(&mut Taylor::new(Pole, 0.0, &[1.0], Tolerance::new(1e-15), StepSize::default()), 2.0);
    assert!(matches!(run.outcome.code(), "step_too_small" | "non_finite"), "{:?}", run.outcome);
    assert!((run.t - 1.0).abs() < 1e-8 && run.state[0].is_finite());
}

#[test]
fn non_finite_names_the_component_and_the_time() {
    // The second component has no rate from t = 0.7 on.
    let broken = || {
        OdeFn::new(3, |t: f64, y: &[f64], dy: &mut [f64]| {
            dy.copy_from_slice(&[y[1], (0.7 - t).sqrt() * 0.0 - y[0], 1.0]);
        })
    };
    for (name, mut stepper) in methods(broken, &[1.0, 0.0, 0.0]) {
        let run = finish(&mut *stepper, 2.0);
        let Outcome::NonFinite { component: Component::Rate(1), t } = run.outcome else {
            panic!("{name}: {:?}", run.outcome)
        };
        assert!((t - 0.7).abs() < 1e-9 && (run.t - 0.7).abs() < 1e-9 && run.t <= 0.7, "{name}: {t} {}", run.t);
        assert!(distance(&run.state[..2], &[0.7f64.cos(), -0.7f64.sin()]) < 1e-8, "{name}");
    }
}

#[test]
fn non_finite_at_the_start_is_reported_at_the_start() {
    let run = finish(&mut dop853(OdeFn::new(1, |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = 1.0 / t), &[1.0]), 1.0);
    assert_eq!(run.outcome, Outcome::NonFinite { component: Component::Rate(0), t: 0.0 });
    let run = finish(&mut dop853(oscillator(), &[f64::NAN, 0.0]), 1.0);
    assert_eq!(run.outcome, Outcome::NonFinite { component: Component::State(0), t: 0.0 });
}

#[test]
fn a_nan_in_any_single_evaluation_of_the_hot_loop_never_reaches_the_state() {
    // The n-th evaluation fails once: the step is repeated with another length and the run ends well.
    for poisoned in 1..60 {
        let mut count = 0;
        let ode = OdeFn::new(2, move |_: f64, y: &[f64], dy: &mut [f64]| {
            count += 1;
            dy.copy_from_slice(&[y[1], -y[0]]);
            if count == poisoned {
                dy[poisoned % 2] = f64::NAN;
            }
        });
        let run = finish(&mut dop853(ode, &[1.0, 0.0]), 3.0);
        if poisoned == 1 {
            assert_eq!(run.outcome.code(), "non_finite");
        } else {
            assert_eq!(run.outcome.code(), "finished", "evaluation {poisoned}");
            assert!(distance(&run.state, &[3f64.cos(), -3f64.sin()]) < 1e-8, "evaluation {poisoned}");
        }
    }
}

/// Accelerations are undetermined from x = 0.5 on.
struct Degenerating;

impl Ode for Degenerating {
    fn dimension(&self) -> usize {
        1
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy[0] = 1.0;
        if y[0] >= 0.5 { Err(RhsFailure::Singular { which: "knife_edge".into() }) } else { Ok(()) }
    }
}

#[test]
fn singular_names_the_constraint_and_the_time() {
    for (name, mut stepper) in methods(|| Degenerating, &[0.0]) {
        let run = finish(&mut *stepper, 2.0);
        let Outcome::Singular { which, t } = &run.outcome else { panic!("{name}: {:?}", run.outcome) };
        assert!(which == "knife_edge" && (t - 0.5).abs() < 1e-9, "{name}: {:?}", run.outcome);
        assert!((run.state[0] - 0.5).abs() < 1e-9, "{name}");
    }
}

#[test]
fn steps_too_small_near_a_singular_state_are_explained_by_the_equation() {
    struct Explains;
    impl Ode for Explains {
        fn dimension(&self) -> usize {
            1
        }
        fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
            dy[0] = y[0] * y[0];
            Ok(())
        }
        fn diagnose(&mut self, _t: f64, y: &[f64]) -> Option<RhsFailure> {
            (y[0] > 1e6).then(|| RhsFailure::Singular { which: "rolling".into() })
        }
    }
    for (name, mut stepper) in methods(|| Explains, &[1.0]) {
        assert_eq!(finish(&mut *stepper, 2.0).outcome.code(), "singular", "{name}");
    }
}

/// Stops as told at a certain time.
struct Stop(f64, AfterStep);

impl Observer for Stop {
    fn after_step(&mut self, t: f64, _y: &mut [f64]) -> AfterStep {
        if t > self.0 { self.1.clone() } else { AfterStep::Continue }
    }
}

#[test]
fn cancelled_keeps_the_state_of_the_step_just_made() {
    let run = integrate(
        &mut dop853(oscillator(), &[1.0, 0.0]),
        &Plan::until(50.0),
        &mut [],
        &mut Stop(10.0, AfterStep::Cancel),
    );
    assert_eq!(run.outcome, Outcome::Cancelled { t: run.t });
    assert!(run.t > 10.0 && distance(&run.state, &[run.t.cos(), -run.t.sin()]) < 1e-8);
}

#[test]
fn drift_discards_the_step_and_keeps_the_state_before() {
    let drift = AfterStep::Drift { which: "energy".into(), size: 0.1 };
    let run = integrate(&mut dop853(oscillator(), &[1.0, 0.0]), &Plan::until(50.0), &mut [], &mut Stop(10.0, drift));
    let Outcome::Drift { which, size: 0.1, t } = &run.outcome else { panic!("{:?}", run.outcome) };
    assert!(which == "energy" && *t > 10.0 && run.t <= 10.0);
    assert!(distance(&run.state, &[run.t.cos(), -run.t.sin()]) < 1e-8);
}

#[test]
fn max_steps_is_an_outcome() {
    let plan = Plan { max_steps: 7, ..Plan::until(1e9) };
    let run = integrate(&mut dop853(oscillator(), &[1.0, 0.0]), &plan, &mut [], &mut Samples::default());
    assert_eq!((run.outcome, run.statistics.steps), (Outcome::MaxSteps { t: run.t }, 7));
}

#[test]
fn an_event_that_is_not_a_number_is_non_finite() {
    let mut events = [Event::new("bad", |t, _| if t > 1.0 { f64::NAN } else { 1.0 })];
    let run =
        integrate(&mut dop853(oscillator(), &[1.0, 0.0]), &Plan::until(5.0), &mut events, &mut Samples::default());
    assert!(matches!(run.outcome, Outcome::NonFinite { component: Component::Event(0), .. }), "{:?}", run.outcome);
}

#[test]
fn a_terminal_event_ends_the_run_at_the_crossing() {
    let mut events = [Event::new("ground", |_, y: &[f64]| y[0]).terminal().direction(Direction::Falling)];
    let times = [0.0, 0.5, 1.0, 1.5, 2.0];
    let plan = Plan { samples: &times, ..Plan::until(10.0) };
    for until in [10.0, -10.0] {
        let mut samples = Samples::default();
        let signed: Vec<f64> = times.iter().map(|t| t * f64::signum(until)).collect();
        let plan = Plan { until, samples: &signed, ..plan };
        let run = integrate(&mut dop853(oscillator(), &[1.0, 0.0]), &plan, &mut events, &mut samples);
        let Outcome::Event { index: 0, name, t } = &run.outcome else { panic!("{:?}", run.outcome) };
        assert_eq!((name.as_str(), *t), ("ground", run.t));
        assert!((t.abs() - PI / 2.0).abs() < 1e-10 && run.state[0].abs() < 1e-10, "{t}");
        assert_eq!(samples.points.len(), 4);
    }
}

#[test]
fn events_are_located_to_rounding_on_the_dense_output() {
    // With Taylor steps the dense output is as good as the solution: crossings of z come to the last digits.
    let mut events = [Event::new("zero", |_, y: &[f64]| y[1])];
    let start = [0.2, 1.0, 0.0];
    let mut stepper = Taylor::new(LogisticAndOscillator, 0.0, &start, Tolerance::new(1e-16), StepSize::default());
    let run = integrate(&mut stepper, &Plan::until(20.0), &mut events, &mut Samples::default());
    assert_eq!(run.occurrences.len(), 6);
    for (i, event) in run.occurrences.iter().enumerate() {
        let exact = (i as f64 + 0.5) * PI;
        assert!(
            (event.t - exact).abs() < 2e-15 * exact.max(1.0) && event.state[1].abs() < 4e-15,
            "{i}: {}",
            event.t - exact
        );
        assert_eq!(event.rising, i % 2 == 1);
    }
}

#[test]
fn two_crossings_inside_one_long_step_are_both_found() {
    // y′ = 1: the step is as long as allowed; g has four zeros in it.
    let ode = OdeFn::new(1, |_: f64, _: &[f64], dy: &mut [f64]| dy[0] = 1.0);
    let mut events =
        [Event::new("g", |_, y: &[f64]| (y[0] - 1.0) * (y[0] - 3.5)), Event::new("h", |t, _: &[f64]| t - 2.25)];
    let sizes = StepSize { initial: Some(10.0), ..StepSize::default() };
    let mut stepper = Dop853::new(ode, 0.0, &[0.0], TOLERANCE, sizes);
    let run = integrate(&mut stepper, &Plan::until(10.0), &mut events, &mut Samples::default());
    assert_eq!(run.statistics.steps, 1);
    let seen: Vec<(usize, f64)> = run.occurrences.iter().map(|o| (o.index, (o.t * 1e12).round() / 1e12)).collect();
    assert_eq!(seen, [(0, 1.0), (1, 2.25), (0, 3.5)]);
}

#[test]
fn a_run_that_starts_on_an_event_does_not_report_it() {
    let mut events = [Event::new("ground", |_, y: &[f64]| y[0]).terminal()];
    let run =
        integrate(&mut dop853(oscillator(), &[0.0, 1.0]), &Plan::until(10.0), &mut events, &mut Samples::default());
    assert!((run.t - PI).abs() < 1e-10, "{:?}", run.outcome);
}

#[test]
fn a_crossing_made_by_replacing_the_state_is_found() {
    // The observer turns the sign of the state once, at a step's end.
    struct Flip(bool);
    impl Observer for Flip {
        fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
            if self.0 || t < 1.0 {
                return AfterStep::Continue;
            }
            self.0 = true;
            y[0] = -y[0];
            AfterStep::Changed
        }
    }
    let ode = OdeFn::new(1, |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = -0.1 * y[0]);
    let mut events = [Event::new("sign", |_, y: &[f64]| y[0])];
    let sizes = StepSize { max: 0.3, ..StepSize::default() };
    let mut stepper = Dop853::new(ode, 0.0, &[1.0], TOLERANCE, sizes);
    let run = integrate(&mut stepper, &Plan::until(3.0), &mut events, &mut Flip(false));
    assert_eq!(run.occurrences.len(), 1);
    assert!(!run.occurrences[0].rising && run.occurrences[0].t >= 1.0 && run.occurrences[0].t < 1.31);
    assert!((run.state[0] + (-0.3f64).exp()).abs() < 1e-9);
}

#[test]
fn samples_come_at_the_requested_times_in_both_directions() {
    for (name, mut stepper) in methods(oscillator, &[1.0, 0.0]) {
        for until in [5.0, -3.0] {
            let start = stepper.time();
            let times: Vec<f64> = (0..=100).map(|i| start + (until - start) * f64::from(i) / 100.0).collect();
            let mut samples = Samples::default();
            let plan = Plan { samples: &times, ..Plan::until(until) };
            assert_eq!(integrate(&mut *stepper, &plan, &mut [], &mut samples).outcome, Outcome::Finished);
            assert_eq!(samples.points.iter().map(|p| p.0).collect::<Vec<_>>(), times, "{name}");
            for (t, y) in &samples.points {
                let error = distance(y, &[t.cos(), -t.sin()]);
                // The dense output of the implicit method is of order 3 only.
                assert!(error < if name == "implicit" { 2e-5 } else { 1e-8 }, "{name} at {t}: {error:e}");
            }
        }
    }
}

#[test]
fn taylor_steps_over_a_kink_are_caught_by_the_check_at_their_end() {
    // y′ = |t − 1|: the series at 0 is 1 − t for ever and knows nothing of the kink.
    struct Kink;
    impl TaylorOde for Kink {
        fn dimension(&self) -> usize {
            1
        }
        fn coefficients(&mut self, t: f64, y: &[f64], _order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
            out.fill(0.0);
            out[0] = y[0];
            out[1] = (t - 1.0).abs();
            out[2] = if t < 1.0 { -0.5 } else { 0.5 };
            Ok(())
        }
    }
    let run = finish(&mut Taylor::new(Kink, 0.0, &[0.0], Tolerance::new(1e-15), StepSize::default()), 3.0);
    assert_eq!(run.outcome, Outcome::Finished);
    assert!((run.state[0] - 2.5).abs() < 1e-10, "{:?}", run);
    assert!(run.statistics.rejected > 0);
}

#[test]
fn a_state_beyond_the_range_of_numbers_is_not_finite_and_not_a_short_step() {
    // A constant rate has a value everywhere: the state itself becomes infinite.
    let growth = || OdeFn::new(2, |_, _: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[0.0, 1e305]));
    for (name, mut stepper) in methods(growth, &[0.0, 1.79e308]) {
        let run = finish(&mut *stepper, 100.0);
        let Outcome::NonFinite { component, t } = run.outcome else { panic!("{name}: {:?}", run.outcome) };
        assert_eq!(component, Component::State(1), "{name}");
        let escape = (f64::MAX - 1.79e308) / 1e305;
        assert!((t - escape).abs() < 1e-6 && run.t <= t, "{name}: {t}, {escape}");
        assert!(run.state[1] > 1.797e308, "{name}: the last good state is kept, {:?}", run.state);
    }
}
