//! The sledge solved: Chaplygin's second case, and the law of motion by quadratures, both beside a simulated motion.

use crate::common::{gallery, load, times};
use noslip::expr::{Evaluator, Expr, Known, Symbol};
use noslip::hamilton::hamiltonise::{arzhanykh, chaplygin};
use noslip::hamilton::new_time::hamilton_form;
use noslip::hamilton::second_case::second_case;
use noslip::mechanics::Workbench;
use noslip::model::Overrides;

/// Values of expressions, where symbols beside the parameters have these values.
fn at(w: &Workbench, list: &[Expr], values: &[(Symbol, f64)]) -> Vec<f64> {
    let mut known = w.system.values(&w.g, &[]).expect("values");
    for &(s, x) in values {
        known.at.set(s, x);
    }
    known.evaluate(&Evaluator::new(&w.g, list))
}

/// The zero of a function that changes its sign once, between a and b.
fn zero(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(a) > 0.0;
    assert_ne!(sign, f(b) > 0.0, "no change of sign");
    for _ in 0..200 {
        let middle = (a + b) / 2.0;
        if (f(middle) > 0.0) == sign { a = middle } else { b = middle }
    }
    (a + b) / 2.0
}

#[test]
fn the_second_case_of_the_sledge_has_a_multiplier_for_each_family_of_paths() {
    for name in ["chaplygin-sledge", "chaplygin-sledge-ahead"] {
        let mut model = gallery::open(name);
        let mut w = model.workbench();
        assert!(!chaplygin(&mut w).expect("a Chaplygin system").condition.exists, "{name}");
        let s = second_case(&mut w).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!((w.g.name(s.coordinate), w.g.name(s.other)), ("phi", "x"));
        for known in [&s.paths_verified, &s.verified, &s.slopes_verified] {
            assert_eq!(*known, Known::Proved, "{name}");
        }
        // Along a motion u = dx/dφ with one δ, and the momentum N p of x is constant.
        let kinetic = w.system.kinetic;
        let [x_rate, y_rate, _] = w.system.velocities[..] else { panic!("three coordinates") };
        let (by_x, by_y) = (w.g.diff(kinetic, x_rate), w.g.diff(kinetic, y_rate));
        let run = gallery::run(&mut model, &times(2.0, 9), 1e-12, &Overrides::default());
        let state = |i: usize| (run.samples[i].y[..3].to_vec(), run.samples[i].y[3..].to_vec());
        let (q, v) = state(0);
        let path = |phi: f64, delta: f64| at(&w, &[s.path], &[(s.coordinate, phi), (s.constant, delta)])[0];
        // The pole of the tangent is where u is largest; between two poles u takes every value once.
        let grid: Vec<f64> = (0..4000).map(|i| f64::from(i) * 1e-3).collect();
        let off = |delta: f64| path(q[2], delta) - v[0] / v[2];
        let (a, b) = grid
            .windows(2)
            .map(|p| (p[0], p[1]))
            .find(|&(a, b)| off(a) * off(b) < 0.0 && off(a).abs() < 1.0)
            .expect("a δ");
        let delta = zero(a, b, off);
        let mut momenta = Vec::new();
        for i in 0..9 {
            let (q, v) = state(i);
            assert!((path(q[2], delta) - v[0] / v[2]).abs() < 1e-6 * (1.0 + (v[0] / v[2]).abs()), "{name}: {i}");
            let mut values: Vec<(Symbol, f64)> = vec![(s.constant, delta)];
            values.extend(w.system.coordinates.iter().copied().zip(q.iter().copied()));
            values.extend(w.system.velocities.iter().copied().zip(v.iter().copied()));
            // p of the reduced system: ∂T/∂ẋ + ∂T/∂ẏ tan φ.
            let list = at(&w, &[s.multiplier, by_x, by_y], &values);
            momenta.push(list[0] * (list[1] + list[2] * q[2].tan()));
        }
        // Where cos φ = 0, x is no coordinate, and the root in N changes its sign.
        let off = |x: &f64| (x.abs() - momenta[0].abs()).abs();
        assert!(momenta.iter().all(|x| off(x) < 1e-6 * momenta[0].abs()), "{name}: {momenta:?}");
    }
}

#[test]
fn without_a_solution_of_the_paths_the_second_case_says_so() {
    // A force stands in the way.
    let text = gallery::text("chaplygin-sledge").replace("[constraints]", "[forces]\nphi = \"0.1\"\n[constraints]");
    let why = second_case(&mut load(&text).workbench()).expect_err("forces");
    assert_eq!(why, "there are forces");
}

#[test]
fn the_law_of_motion_of_the_sledge_is_that_of_a_run() {
    let mut model = gallery::open("chaplygin-sledge");
    let run = gallery::run(&mut model, &times(6.0, 13), 1e-12, &Overrides::default());
    let mut w = model.workbench();
    let found = arzhanykh(&mut w).expect("everything depends on φ alone");
    let system = found.finding.system.expect("a multiplier");
    let form = hamilton_form(&mut w, &system).expect("no other forces");
    let quadratures = form.quadratures.expect("φ does not occur in H");
    let law = quadratures.law.expect("the quadratures can be inverted");
    assert_eq!(law.verified, Known::Proved);
    let phi_of_t = law.absent.expect("φ in closed form");
    // h and c of the initial state, with η = 0 there: N = 1.
    let (q, v) = run.samples[0].y.split_at(3);
    let named = |name: &str| w.g.lookup(name).expect(name);
    let (h, c, t) = (named("h"), named("c"), w.g.time());
    let [a, b] = at(&w, &[found.a, found.b], &[(found.coordinate, q[2])])[..] else { panic!("two") };
    let eta_rate = (v[0] - b * v[2]) / a;
    let values = w.system.values(&w.g, &[]).expect("values");
    let parameter = |name: &str| values.at.get(named(name));
    let (mass, alpha, beta, kc) = (parameter("M"), parameter("alpha"), parameter("beta"), parameter("kC"));
    let along = v[0] * q[2].cos() + v[1] * q[2].sin();
    let inertia = mass * (alpha * alpha + kc * kc);
    let energy = mass / 2.0 * ((along - beta * v[2]).powi(2)) + inertia / 2.0 * v[2] * v[2];
    let momentum = inertia * v[2];
    let rate = w.g.diff(law.coordinate, t);
    let with = |time: f64, t_0: f64| [(h, energy), (c, momentum), (t, time), (law.start, t_0), (law.shift, 0.0)];
    let t_0 = zero(-20.0, 20.0, |t_0| at(&w, &[rate], &with(0.0, t_0))[0] - eta_rate);
    assert!(at(&w, &[law.coordinate], &with(0.0, t_0))[0].abs() < 1e-10, "η begins at zero");
    let start = at(&w, &[phi_of_t], &with(0.0, t_0))[0];
    for s in &run.samples {
        let phi = q[2] + at(&w, &[phi_of_t], &with(s.t, t_0))[0] - start;
        assert!((phi - s.y[2]).abs() < 1e-8, "{} instead of {} at {}", phi, s.y[2], s.t);
    }
}
