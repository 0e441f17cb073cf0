//! Lyapunov exponents, sections, periodic motions: against closed forms, published figures and a second method.

use crate::motions::{gallery, load, reduced};
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides, State};
use noslip::motions::exponents::{Exponents, Question, exponents};
use noslip::motions::linearise::{Stability, linearise};
use noslip::motions::reduce::Reduction;
use noslip::motions::section::{Search, periodic, section};
use noslip::simulate::{Direction, Settings, simulate};

fn question(until: f64) -> Question {
    Question { until, transient: 0.0, every: None, count: None, tolerance: 1e-10, max_steps: 10_000_000 }
}

fn prepared(model: &mut Model, overrides: &Overrides) -> (Workbench, Reduction, State) {
    let state = model.initial_state(overrides).expect("a state");
    let (mut w, r) = reduced(model).expect("it is reduced");
    let r = r.relative(&mut w);
    (w, r, state)
}

fn sum(e: &Exponents) -> f64 {
    e.values.iter().sum()
}

/// x'' + k x' + x³ = A cos t with k = 0.05, A = 7.5 (Ueda): Sprott, Chaos and Time-Series Analysis, 2003: 0.1034, 0 for the phase,
/// −0.1534. The sum is −k at any time.
#[test]
fn exponents_of_uedas_oscillator_are_the_published_ones() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "Ueda's oscillator"
coordinates = ["x"]
[parameters]
k = 0.05
A = 7.5
[energy]
kinetic = "x'^2/2"
potential = "x^4/4"
[forces]
x = "A*cos(t) - k*x'"
[initial]
position = { x = 2.5 }
velocity = { x = 0 }
"#,
    );
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    let e = exponents(&mut w, &r, &state, &Question { transient: 100.0, ..question(3000.0) }).expect("exponents");
    assert!((sum(&e) + 0.05).abs() < 1e-6, "{:?}", e.values);
    assert!((e.divergence.expect("a mean") + 0.05).abs() < 1e-12);
    assert!((e.values[0] - 0.1034).abs() < 0.012, "{:?} ± {:?}", e.values, e.errors);
    assert!(e.errors[0] < 0.02 && e.dimension.expect("an attractor") > 1.5, "{e:?}");
}

/// Neighbours of a swinging pendulum move away as T: the exponents are zero, and the errors given with them say so at any length.
#[test]
fn exponents_that_are_zero_are_zero_within_their_errors() {
    let text = "noslip = 1\n[system]\nname = \"pendulum\"\ncoordinates = [\"q\"]\n[energy]\nkinetic = \"q'^2/2\"\n\
                potential = \"-cos(q)\"\n[initial]\nposition = { q = 1 }\n";
    let mut model = load(text);
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    for until in [50.0, 100.0, 300.0, 1000.0] {
        let e = exponents(&mut w, &r, &state, &question(until)).expect("exponents");
        assert!(e.values[0] > 0.0 && e.values[0] < 2.0 * e.errors[0], "{until}: {:?} ± {:?}", e.values, e.errors);
    }
}

/// At a steady motion the exponents are the real parts of the eigenvalues: the sleigh slides straight, s = s₀, ω = 0.
#[test]
fn exponents_at_a_steady_motion_are_the_real_parts_of_eigenvalues() {
    let mut model = gallery("chaplygin-sledge");
    let (mut w, r, state) = prepared(&mut model, &Overrides { velocity: vec![(2, 0.0)], ..Overrides::default() });
    let l = linearise(&mut w, &r, &state, false).expect("a steady motion");
    let mut want: Vec<f64> = l.eigenvalues.iter().map(|z| z.re).collect();
    want.sort_by(|a, b| b.total_cmp(a));
    let e = exponents(&mut w, &r, &state, &Question { transient: 40.0, ..question(10.0) }).expect("exponents");
    for (x, y) in e.values.iter().zip(want) {
        assert!((x - y).abs() < 1e-8, "{:?}", e.values);
    }
}

/// Two neighbouring motions of the rattleback, brought together again and again, run through the equations in all coordinates:
/// a second method that shares neither the closed part nor the variational equations.
#[test]
fn the_largest_exponent_of_the_rattleback_is_that_of_two_neighbours() {
    let mut model = gallery("rattleback");
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    // All of them, renewed seldom though it rattles fast: their sum is the mean divergence.
    let all = exponents(&mut w, &r, &state, &Question { every: Some(0.25), ..question(2.0) }).expect("exponents");
    assert!((sum(&all) - all.divergence.expect("a mean")).abs() < 1e-6, "{all:?}");
    let (every, until) = (0.1, 1.5);
    let ask = Question { every: Some(every), count: Some(1), tolerance: 1e-12, ..question(until) };
    let e = exponents(&mut w, &r, &state, &ask).expect("exponents");
    // The members of the closed part are coordinates and velocities of the model itself.
    let n = w.system.n();
    let closed: Vec<usize> = e
        .closed
        .iter()
        .map(|s| {
            let all = w.system.coordinates.iter().chain(&w.system.velocities);
            all.clone().position(|q| q == s).expect("one of the model's own")
        })
        .collect();
    let run = |w: &mut Workbench, from: &State, t: f64| -> State {
        let settings = Settings { until: t, at: vec![t], tolerance: 1e-13, ..Settings::default() };
        let s = simulate(w, from, &settings, &mut |_| true).expect("a motion");
        let y = &s.samples.last().expect("a sample").y;
        State { time: t, position: y[..n].to_vec(), velocity: y[n..].to_vec(), ..from.clone() }
    };
    let values = |s: &State| [s.position.clone(), s.velocity.clone()].concat();
    let apart = |a: &State, b: &State| -> Vec<f64> {
        let (a, b) = (values(a), values(b));
        closed.iter().map(|&i| b[i] - a[i]).collect()
    };
    // The same first direction: the run reports the logarithm of its first column.
    let size = 1e-6;
    let mut directions = Vec::new();
    for k in 0..closed.len() {
        let mut d = vec![0.0; closed.len()];
        d[k] = size;
        directions.push(d);
    }
    let mut best = f64::INFINITY;
    for direction in directions {
        let (mut here, mut d, mut total) = (state.clone(), direction, 0.0);
        let mut last = 0.0;
        for i in 1..=(until / every).round() as usize {
            let mut there = here.clone();
            for (&k, x) in closed.iter().zip(&d) {
                let (list, k) = if k < n { (&mut there.position, k) } else { (&mut there.velocity, k - n) };
                list[k] += x;
            }
            // On the constraints: x' and y' follow.
            let free: Vec<(usize, f64)> =
                closed.iter().filter(|&&k| k >= n).map(|&k| (k - n, there.velocity[k - n])).collect();
            let position: Vec<(usize, f64)> = there.position.iter().copied().enumerate().collect();
            there =
                model.initial_state(&Overrides { position, velocity: free, ..Overrides::default() }).expect("a state");
            there.time = here.time;
            let t = state.time + every * i as f64;
            let (a, b) = (run(&mut w, &here, t), run(&mut w, &there, t));
            d = apart(&a, &b);
            let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            total += (length / size).ln();
            d.iter_mut().for_each(|x| *x *= size / length);
            here = a;
            last = total / (every * i as f64);
        }
        best = best.min((last - e.values[0]).abs());
    }
    assert!(best < 1e-4, "{:?} is off by {best}", e.values);
}

/// x'' = (1 − x²) x' − x: the period is 6.66328685932313… (Strasberg; Andersen and Geer 1982).
#[test]
fn van_der_pols_cycle_has_its_period_and_its_multiplier() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "van der Pol"
coordinates = ["x"]
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
[forces]
x = "(1 - x^2)*x'"
[initial]
position = { x = 1.5 }
velocity = { x = 0.1 }
"#,
    );
    let on = model.arena.symbol(model.system.coordinates[0]);
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    let search =
        Search { direction: Direction::Rising, returns: 1, until: 50.0, tolerance: 1e-13, max_steps: 1_000_000 };
    let p = periodic(&mut w, &r, &state, on, &search).expect("a cycle");
    assert!((p.period - 6.663_286_859_323_13).abs() < 1e-10, "{}", p.period);
    assert_eq!((p.ones, p.stable), (1, Stability::Asymptotic), "{p:?}");
    // ln of the multiplier over the period is the second Lyapunov exponent of motions on the cycle.
    let e =
        exponents(&mut w, &r, &state, &Question { transient: 60.0, ..question(50.0 * p.period) }).expect("exponents");
    let small = p.multipliers[1].re.ln() / p.period;
    assert!((e.values[1] - small).abs() < 1e-5 && e.values[0].abs() < 1e-3, "{:?} for {small}", e.values);
    assert!((small + 1.0594).abs() < 1e-3, "{small}");
}

/// A pendulum that is let go at 2 radians: its period is 4 √(l/g) K(sin 1), by the arithmetic-geometric mean.
#[test]
fn the_period_of_a_pendulum_is_its_elliptic_integral() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "pendulum"
coordinates = ["theta"]
[energy]
kinetic = "theta'^2/2"
potential = "-cos(theta)"
[initial]
position = { theta = 2 }
velocity = { theta = 0 }
[simulation]
until = 60
"#,
    );
    let on = model.arena.symbol(model.system.velocities[0]);
    let (mut a, mut b) = (1.0f64, 1f64.cos());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    let want = std::f64::consts::TAU / a;
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    // Also with the errors of the usual tolerance, which Newton's method must not take for a way to go.
    for (tolerance, error) in [(1e-13, 1e-9), (1e-9, 1e-7)] {
        let search = Search { direction: Direction::Falling, returns: 1, until: 50.0, tolerance, max_steps: 1_000_000 };
        let p = periodic(&mut w, &r, &state, on, &search).expect("a motion");
        assert!((p.period - want).abs() < error, "{} for {want}", p.period);
        // A family of periodic motions, one for each energy: both multipliers are 1.
        assert_eq!((p.ones, p.stable), (2, Stability::Marginal), "{p:?}");
    }
    let settings = Settings { tolerance: 1e-12, ..Settings::until(60.0) };
    let s = section(&mut w, &state, on, Direction::Falling, &settings, 100).expect("a section");
    assert_eq!(s.points.len(), (60.0 / want) as usize);
    for (k, point) in s.points.iter().enumerate() {
        assert!((point.t - want * (k + 1) as f64).abs() < 1e-8, "{} for {}", point.t, want * (k + 1) as f64);
        assert!((point.y[0] - 2.0).abs() < 1e-8, "{:?}", point.y);
    }
    assert_eq!(section(&mut w, &state, on, Direction::Falling, &settings, 3).expect("a section").points.len(), 3);
}
