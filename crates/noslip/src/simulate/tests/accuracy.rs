//! Accuracy against closed forms and published values; cost against other implementations.

use super::problems::*;
use crate::simulate::*;
use std::f64::consts::PI;

fn run<S: Stepper>(stepper: &mut S, until: f64) -> Run {
    let run = integrate(stepper, &Plan::until(until), &mut [], &mut Samples::default());
    assert_eq!(run.outcome, Outcome::Finished);
    run
}

#[test]
fn dop853_follows_ten_kepler_orbits() {
    // An error in phase is multiplied by the acceleration at the pericentre, 1/(1 − e)²: 100 for e = 0.9.
    for (e, bound) in [(0.1, 1e-10), (0.5, 1e-9), (0.9, 5e-8)] {
        let mut stepper = Dop853::new(Kepler, 0.0, &pericentre(e), Tolerance::new(1e-13), StepSize::default());
        let end = run(&mut stepper, 20.0 * PI);
        let error = distance(&end.state, &pericentre(e));
        assert!(error < bound, "e = {e}: {error:e}, {:?}", end.statistics);
    }
}

#[test]
fn taylor_follows_ten_kepler_orbits_to_thirteen_digits() {
    for (e, bound) in [(0.1, 1e-13), (0.5, 1e-12), (0.9, 1e-10)] {
        let mut stepper = Taylor::new(Kepler, 0.0, &pericentre(e), Tolerance::new(1e-16), StepSize::default());
        let end = run(&mut stepper, 20.0 * PI);
        let error = distance(&end.state, &kepler_exact(e, 20.0 * PI));
        println!("taylor e={e} {error:e} {:?} order {}", end.statistics, stepper.order());
        assert!(error < bound, "e = {e}: {error:e}, {:?}, order {}", end.statistics, stepper.order());
    }
}

#[test]
fn a_first_step_that_is_given_is_the_first_alone() {
    let short = StepSize { initial: Some(1e-3), ..StepSize::default() };
    let steps = |sizes: StepSize| {
        run(&mut Taylor::new(Kepler, 0.0, &pericentre(0.5), Tolerance::new(1e-12), sizes), 10.0).statistics.steps
    };
    let (free, begun) = (steps(StepSize::default()), steps(short));
    assert!(begun > 0 && begun.abs_diff(free) <= 3, "{begun} and {free} steps");
    let mut stepper = Taylor::new(Kepler, 0.0, &pericentre(0.5), Tolerance::new(1e-12), short);
    stepper.step(10.0).expect("a step");
    assert_eq!(stepper.clock().t, 1e-3);
}

#[test]
fn taylor_is_exact_to_rounding_on_closed_forms() {
    let start = LogisticAndOscillator::START;
    let mut stepper = Taylor::new(LogisticAndOscillator, 0.0, &start, Tolerance::new(1e-16), StepSize::default());
    let end = run(&mut stepper, 10.0);
    assert!(distance(&end.state, &LogisticAndOscillator::exact(10.0)) < 2e-15, "{:?}", end.state);
}

#[test]
fn runs_forth_and_back_return() {
    let e = 0.5;
    let tolerance = Tolerance::new(1e-12);
    let forth = run(&mut Dop853::new(Kepler, 0.0, &pericentre(e), tolerance, StepSize::default()), 7.0);
    let back = run(&mut Dop853::new(Kepler, 7.0, &forth.state, tolerance, StepSize::default()), 0.0);
    assert!(distance(&back.state, &pericentre(e)) < 1e-9);
    let forth = run(&mut Taylor::new(Kepler, 0.0, &pericentre(e), tolerance, StepSize::default()), 7.0);
    let back = run(&mut Taylor::new(Kepler, 7.0, &forth.state, tolerance, StepSize::default()), 0.0);
    assert!(distance(&back.state, &pericentre(e)) < 1e-9);
    let forth = run(&mut Radau::new(Kepler, 0.0, &pericentre(e), tolerance, StepSize::default()), 7.0);
    let back = run(&mut Radau::new(Kepler, 7.0, &forth.state, tolerance, StepSize::default()), 0.0);
    assert!(distance(&back.state, &pericentre(e)) < 1e-8);
}

/// The restricted three-body orbit of Hairer, Nørsett, Wanner I, (0.1) and (0.2): closed after its period.
fn arenstorf(_t: f64, y: &[f64], dy: &mut [f64]) {
    let mu = 0.012277471;
    let nu = 1.0 - mu;
    let d1 = ((y[0] + mu).powi(2) + y[1] * y[1]).powf(1.5);
    let d2 = ((y[0] - nu).powi(2) + y[1] * y[1]).powf(1.5);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = y[0] + 2.0 * y[3] - nu * (y[0] + mu) / d1 - mu * (y[0] - nu) / d2;
    dy[3] = y[1] - 2.0 * y[2] - nu * y[1] / d1 - mu * y[1] / d2;
}

const ARENSTORF_START: [f64; 4] = [0.994, 0.0, 0.0, -2.0015851063790825];
const ARENSTORF_PERIOD: f64 = 17.065216560157963;

#[test]
fn the_arenstorf_orbit_closes() {
    let ode = OdeFn::new(4, arenstorf);
    let mut stepper = Dop853::new(ode, 0.0, &ARENSTORF_START, Tolerance::new(1e-14), StepSize::default());
    let end = run(&mut stepper, ARENSTORF_PERIOD);
    // The orbit multiplies errors by about 10⁵.
    let error = distance(&end.state[..2], &ARENSTORF_START[..2]);
    assert!(error < 1e-7, "{error:e}, {:?}", end.statistics);
}

#[test]
fn dop853_spends_no_more_than_other_implementations_at_equal_tolerance() {
    // Evaluations of SciPy 1.17, solve_ivp(method="DOP853", rtol = atol = tolerance), dense output off.
    for (tolerance, theirs_arenstorf, theirs_kepler) in SCIPY {
        let mut stepper = Dop853::new(
            OdeFn::new(4, arenstorf),
            0.0,
            &ARENSTORF_START,
            Tolerance::new(tolerance),
            StepSize::default(),
        );
        let ours = run(&mut stepper, ARENSTORF_PERIOD).statistics.evaluations;
        let mut stepper = Dop853::new(Kepler, 0.0, &pericentre(0.5), Tolerance::new(tolerance), StepSize::default());
        let ours_kepler = run(&mut stepper, 20.0 * PI).statistics.evaluations;
        println!("{tolerance:e}: {ours} / {theirs_arenstorf}, {ours_kepler} / {theirs_kepler}");
        assert!(
            ours as f64 <= 1.05 * f64::from(theirs_arenstorf),
            "Arenstorf at {tolerance:e}: {ours} against {theirs_arenstorf}"
        );
        assert!(
            ours_kepler as f64 <= 1.05 * f64::from(theirs_kepler),
            "Kepler at {tolerance:e}: {ours_kepler} against {theirs_kepler}"
        );
    }
}

/// (tolerance, Arenstorf's orbit over one period, Kepler's problem with e = 1/2 over ten periods).
const SCIPY: [(f64, u32, u32); 3] = [(1e-6, 1070, 2198), (1e-9, 2234, 4478), (1e-12, 4286, 8210)];

/// Robertson's chemical reaction: stiff, with rates from 0.04 to 3·10⁷.
fn robertson(_t: f64, y: &[f64], dy: &mut [f64]) {
    let (a, b, c) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    dy.copy_from_slice(&[b - a, a - b - c, c]);
}

struct Robertson;

impl Ode for Robertson {
    fn dimension(&self) -> usize {
        3
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        robertson(t, y, dy);
        Ok(())
    }

    fn jacobian(&mut self, _t: f64, y: &[f64], j: &mut [f64]) -> Result<bool, RhsFailure> {
        let (p, q, r) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
        j.copy_from_slice(&[-0.04, p, q, 0.04, -p - r, -q, 0.0, r, 0.0]);
        Ok(true)
    }
}

#[test]
fn radau_solves_robertsons_reaction_where_explicit_steps_would_be_tiny() {
    let tolerance = Tolerance { relative: 1e-9, absolute: 1e-16 };
    let mut stepper = Radau::new(Robertson, 0.0, &[1.0, 0.0, 0.0], tolerance, StepSize::default());
    let end = run(&mut stepper, 1e11);
    // Reference values at t = 10¹¹: Hairer and Wanner II, IV.10, problem ROBER.
    let exact = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
    for (value, exact) in end.state.iter().zip(&exact) {
        assert!((value / exact - 1.0).abs() < 1e-7, "{:?}, {:?}", end.state, end.statistics);
    }
    let s = end.statistics;
    assert!(s.steps < 1000 && s.rejected < 20, "{s:?}");
}

/// Rules for steps, for Newton's iteration and for new Jacobians are worth their cost: what they cost is known.
#[test]
fn what_radau_spends_on_stiff_problems() {
    let spent = |relative: f64, sizes: StepSize, until: f64| {
        let tolerance = Tolerance { relative, absolute: 1e-6 * relative };
        let s = run(&mut Radau::new(Robertson, 0.0, &[1.0, 0.0, 0.0], tolerance, sizes), until).statistics;
        (s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations)
    };
    assert_eq!(spent(1e-4, StepSize::default(), 1e6), (79, 1, 665, 35, 158));
}

#[test]
fn radau_uses_a_supplied_jacobian() {
    let start = [1.0, 0.0, 0.0];
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-12 };
    let differences = run(&mut Radau::new(OdeFn::new(3, robertson), 0.0, &start, tolerance, StepSize::default()), 40.0);
    let supplied = run(&mut Radau::new(Robertson, 0.0, &start, tolerance, StepSize::default()), 40.0);
    assert!(distance(&differences.state, &supplied.state) < 1e-7);
    assert!(supplied.statistics.evaluations < differences.statistics.evaluations);
}

#[test]
fn dop853_notices_stiffness_and_radau_does_not_suffer_from_it() {
    // y′ = −λ (y − cos t), λ = 10⁵.
    let stiff = || OdeFn::new(1, |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -1e5 * (y[0] - t.cos()));
    let explicit = run(&mut Dop853::new(stiff(), 0.0, &[1.0], Tolerance::new(1e-6), StepSize::default()), 2.0);
    let implicit = run(&mut Radau::new(stiff(), 0.0, &[1.0], Tolerance::new(1e-6), StepSize::default()), 2.0);
    assert!(explicit.statistics.stiff && !implicit.statistics.stiff);
    assert!(implicit.statistics.evaluations * 100 < explicit.statistics.evaluations);
    assert!((implicit.state[0] - explicit.state[0]).abs() < 1e-5);
    let calm = run(&mut Dop853::new(Kepler, 0.0, &pericentre(0.3), Tolerance::new(1e-9), StepSize::default()), 1000.0);
    assert!(calm.statistics.steps > 1000 && !calm.statistics.stiff);
}

#[test]
fn stiffness_is_seen_where_step_times_rate_is_above_the_edge_of_stability_fifteen_times() {
    // y′ = −λ (y − cos t) with constant steps: what is estimated is h λ. It is looked at from the thousandth step on.
    let stiff = |rate: f64, steps: usize| {
        let decay = OdeFn::new(1, move |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -rate * (y[0] - t.cos()));
        let mut stepper = Dop853::new(decay, 0.0, &[1.0], Tolerance::new(1e-6), StepSize::fixed(0.5));
        run(&mut stepper, 0.5 * steps as f64).statistics.stiff
    };
    assert!(!stiff(12.1, 1100), "6.05");
    assert!(stiff(12.3, 1100), "6.15");
    assert!(stiff(12.3, 1014) && !stiff(12.3, 1012), "the fifteenth time");
}

#[test]
fn a_first_step_on_which_newtons_iteration_fails_is_shortened_until_it_succeeds() {
    // y′ = −10⁶ y³ from 1, with a first step of ten: y = 1/√(1 + 2·10⁶ t).
    let steep = OdeFn::new(1, |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = -1e6 * y[0].powi(3));
    let sizes = StepSize { initial: Some(10.0), ..StepSize::default() };
    let end = run(&mut Radau::new(steep, 0.0, &[1.0], Tolerance::new(1e-8), sizes), 10.0);
    let exact = 1.0 / (1.0 + 2e7f64).sqrt();
    assert!((end.state[0] / exact - 1.0).abs() < 1e-4, "{:?}, {:?}", end.state, end.statistics);
    assert!(end.statistics.rejected > 0 && end.statistics.steps < 200, "{:?}", end.statistics);
}

/// What the error is judged by where a step begins with a stiff transient decides how often it is shortened.
#[test]
fn what_radau_spends_on_a_stiff_transient() {
    // y′ = −10⁶ (y − cos t) from 0.
    let stiff = OdeFn::new(1, |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -1e6 * (y[0] - t.cos()));
    let sizes = StepSize { initial: Some(1e-3), ..StepSize::default() };
    let end = run(&mut Radau::new(stiff, 0.0, &[0.0], Tolerance::new(1e-4), sizes), 1.0);
    assert!((end.state[0] - 1f64.cos()).abs() < 1e-4, "{:?}", end.state);
    let s = end.statistics;
    assert_eq!((s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations), (18, 7, 178, 1, 46));
}

/// Pulls the state back to the circle after each step.
struct ToCircle {
    changed: u32,
}

impl Observer for ToCircle {
    fn after_step(&mut self, _t: f64, y: &mut [f64]) -> AfterStep {
        let r = y[0].hypot(y[1]);
        y.iter_mut().for_each(|y| *y /= r);
        self.changed += 1;
        AfterStep::Changed
    }
}

#[test]
fn a_state_replaced_after_each_step_costs_one_evaluation_and_keeps_the_invariant() {
    let turning = || OdeFn::new(2, |_: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[-y[1], y[0]]));
    let tolerance = Tolerance::new(1e-5);
    let free = run(&mut Dop853::new(turning(), 0.0, &[1.0, 0.0], tolerance, StepSize::default()), 100.0);
    let mut observer = ToCircle { changed: 0 };
    let mut stepper = Dop853::new(turning(), 0.0, &[1.0, 0.0], tolerance, StepSize::default());
    let kept = integrate(&mut stepper, &Plan::until(100.0), &mut [], &mut observer);
    assert_eq!(kept.outcome, Outcome::Finished);
    assert!((kept.state[0].hypot(kept.state[1]) - 1.0).abs() < 1e-15);
    assert!((free.state[0].hypot(free.state[1]) - 1.0).abs() > 1e-8);
    assert_eq!(u64::from(observer.changed), kept.statistics.steps);
    // Two to start, twelve in each attempt, one more for each replaced state that is stepped from.
    let s = kept.statistics;
    assert_eq!(s.evaluations, 2 + 11 * (s.steps + s.rejected) + s.steps + (s.steps - 1));
    assert!(distance(&kept.state, &[100f64.cos(), 100f64.sin()]) < 1e-3);
}

#[test]
fn compensated_steps_keep_kepler_energy_to_rounding() {
    let energy = |y: &[f64]| 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / y[0].hypot(y[1]);
    let e = 0.3;
    let mut stepper = Taylor::new(Kepler, 0.0, &pericentre(e), Tolerance::new(1e-16), StepSize::default());
    let end = run(&mut stepper, 2000.0 * PI);
    let drift = (energy(&end.state) - energy(&pericentre(e))).abs();
    assert!(drift < 3e-14, "{drift:e} after {} steps", end.statistics.steps);
}
