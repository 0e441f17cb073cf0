//! The discrete Lagrange–d'Alembert integrator: order, constraints, energy over long times.

use super::problems::observed_order;
use crate::simulate::*;

/// A system with constant diagonal inertia, given by closures: force(t, q, v, Q) and constraints(t, q, v, φ, A).
struct Simple<F, C> {
    masses: Vec<f64>,
    constraints: usize,
    force: F,
    phi: C,
}

impl<F, C> Mechanics for Simple<F, C>
where
    F: FnMut(f64, &[f64], &[f64], &mut [f64]),
    C: FnMut(f64, &[f64], &[f64], &mut [f64], &mut [f64]),
{
    fn coordinates(&self) -> usize {
        self.masses.len()
    }

    fn constraints(&self) -> usize {
        self.constraints
    }

    fn momentum(&mut self, t: f64, q: &[f64], v: &[f64], p: &mut [f64], force: &mut [f64]) {
        (0..q.len()).for_each(|i| p[i] = self.masses[i] * v[i]);
        (self.force)(t, q, v, force);
    }

    fn inertia(&mut self, _t: f64, q: &[f64], _v: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        (0..q.len()).for_each(|i| m[i * q.len() + i] = self.masses[i]);
    }

    fn velocity_constraints(&mut self, t: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]) {
        (self.phi)(t, q, v, phi, a);
    }
}

/// The nonholonomic particle z′ = y x′ in the potential (x² + y²)/2.
fn particle() -> impl Mechanics {
    Simple {
        masses: vec![1.0; 3],
        constraints: 1,
        force: |_: f64, q: &[f64], _: &[f64], f: &mut [f64]| f.copy_from_slice(&[-q[0], -q[1], 0.0]),
        phi: |_: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            phi[0] = v[2] - q[1] * v[0];
            a.copy_from_slice(&[-q[1], 0.0, 1.0]);
        },
    }
}

fn particle_energy(y: &[f64]) -> f64 {
    0.5 * (y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[0] * y[0] + y[1] * y[1])
}

/// x, y, z, x′, y′, z′ on the constraint.
const PARTICLE_START: [f64; 6] = [1.0, 0.5, 0.0, 0.3, -0.2, 0.15];

#[test]
fn energy_of_the_nonholonomic_particle_stays_bounded_over_a_hundred_thousand_steps() {
    let steps = 100_000;
    let h = 0.1;
    let mut stepper = Dla::new(particle(), 0.0, &PARTICLE_START, h);
    let start = particle_energy(&PARTICLE_START);
    let mut errors = Vec::with_capacity(steps);
    let mut worst_node = 0.0f64;
    let mut worst_middle = 0.0f64;
    let mut before = PARTICLE_START.to_vec();
    for _ in 0..steps {
        stepper.step(f64::INFINITY).unwrap();
        let y = stepper.state();
        errors.push(particle_energy(y) - start);
        worst_node = worst_node.max((y[5] - y[1] * y[3]).abs());
        let u: Vec<f64> = (0..3).map(|i| (y[i] - before[i]) / h).collect();
        worst_middle = worst_middle.max((u[2] - 0.5 * (y[1] + before[1]) * u[0]).abs());
        before.copy_from_slice(y);
    }
    let largest = |range: &[f64]| range.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
    let mean = |range: &[f64]| range.iter().sum::<f64>() / range.len() as f64;
    let tenth = steps / 10;
    let (first, last) = (&errors[..tenth], &errors[steps - tenth..]);
    assert!(largest(&errors) < 2e-2 * start, "{:e}", largest(&errors));
    assert!(largest(last) < 1.1 * largest(first), "{:e} grew to {:e}", largest(first), largest(last));
    // No drift of the mean either: far below the oscillation.
    let drift = (mean(last) - mean(first)).abs();
    assert!(drift < 0.05 * largest(first), "mean moved by {drift:e}, oscillation {:e}", largest(first));
    // The constraints hold to rounding: at the nodes, and in the discrete form at the midpoints (where differences of z of
    // several hundred are divided by h).
    assert!(worst_node < 1e-14, "{worst_node:e}");
    assert!(worst_middle < 1e-11, "{worst_middle:e}");
    println!(
        "energy {:e} drift {drift:e} node {worst_node:e} middle {worst_middle:e} {:?}",
        largest(&errors),
        stepper.statistics()
    );
}

#[test]
fn what_has_no_name_is_named_by_its_number() {
    assert_eq!(
        (particle().constraint_name(2), particle().coordinate_name(1)),
        ("constraint 2".into(), "coordinate 1".into())
    );
}

#[test]
fn an_ordinary_method_of_second_order_drifts_where_the_discrete_one_does_not() {
    // The explicit midpoint rule on the equations of motion, same step: energy leaves for good.
    let rhs = |y: &[f64]| -> [f64; 6] {
        // x″ = −x − λ y, y″ = −y, z″ = λ = (x″ y + x′ y′ ), from z″ = y x″ + y′ x′.
        let lambda = (-y[0] * y[1] + y[3] * y[4]) / (1.0 + y[1] * y[1]);
        [y[3], y[4], y[5], -y[0] - lambda * y[1], -y[1], lambda]
    };
    let h = 0.1;
    let mut y = PARTICLE_START;
    for _ in 0..100_000 {
        let k = rhs(&y);
        let middle: Vec<f64> = (0..6).map(|i| y[i] + 0.5 * h * k[i]).collect();
        let k = rhs(&middle);
        (0..6).for_each(|i| y[i] += h * k[i]);
    }
    assert!((particle_energy(&y) / particle_energy(&PARTICLE_START) - 1.0).abs() > 0.5);
}

/// Largest error at the end for several steps; asserts order 2.
fn assert_second_order<S: Mechanics>(
    name: &str,
    make: impl Fn() -> S,
    start: &[f64],
    until: f64,
    exact: &[f64],
    counts: [u32; 4],
) {
    let points: Vec<(f64, f64)> = counts
        .map(|count| {
            let h = until / f64::from(count);
            let mut stepper = Dla::new(make(), 0.0, start, h);
            let run = integrate(&mut stepper, &Plan::until(until), &mut [], &mut Samples::default());
            assert_eq!(run.outcome, Outcome::Finished, "{name}");
            assert_eq!(run.statistics.steps, u64::from(count), "{name}");
            let error = run.state.iter().zip(exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            (h, error)
        })
        .to_vec();
    let order = observed_order(&points);
    println!("{name}: {order:.4} {points:?}");
    assert!((order - 2.0).abs() < 0.1, "{name}: observed order {order:.3}: {points:?}");
}

#[test]
fn second_order_on_the_knife_edge_on_a_slope() {
    // x down the slope, blade along (cos φ, sin φ), from rest with φ′ = ω: a cycloid across the slope.
    let (g, w) = (3.0, 1.3);
    let make = || Simple {
        masses: vec![2.0, 2.0, 0.7],
        constraints: 1,
        force: |_: f64, _: &[f64], _: &[f64], f: &mut [f64]| f.copy_from_slice(&[2.0 * 3.0, 0.0, 0.0]),
        phi: |_: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            let (s, c) = q[2].sin_cos();
            phi[0] = s * v[0] - c * v[1];
            a.copy_from_slice(&[s, -c, 0.0]);
        },
    };
    let t: f64 = 4.0;
    let (s, c) = (w * t).sin_cos();
    let speed = g / w * s;
    let exact = [g / (2.0 * w * w) * s * s, g / (2.0 * w * w) * (w * t - s * c), w * t, speed * c, speed * s, w];
    assert_second_order("knife edge", make, &[0.0, 0.0, 0.0, 0.0, 0.0, w], t, &exact, [100, 140, 200, 280]);
}

#[test]
fn second_order_with_two_affine_constraints_ball_on_a_turntable() {
    // Ball of radius a on a table turning with Ω; nothing depends on its orientation, so that its angular velocity may be
    // integrated to two angles. The centre moves on a circle, with 2/7 of the table's rate.
    let (radius, table) = (0.5, 2.1);
    let inertia = 0.4 * radius * radius;
    let make = || Simple {
        masses: vec![1.0, 1.0, inertia, inertia],
        constraints: 2,
        force: |_: f64, _: &[f64], _: &[f64], f: &mut [f64]| f.fill(0.0),
        phi: |_: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            phi[0] = v[0] - 0.5 * v[3] + 2.1 * q[1];
            phi[1] = v[1] + 0.5 * v[2] - 2.1 * q[0];
            a.copy_from_slice(&[1.0, 0.0, 0.0, -0.5, 0.0, 1.0, 0.5, 0.0]);
        },
    };
    let rate = 2.0 / 7.0 * table;
    // Centre c, start x₀ = (1, 0.2), velocity v₀: x = c + R(rate t)(x₀ − c), v₀ = rate ẑ × (x₀ − c).
    let (x0, v0) = ([1.0, 0.2], [0.3, -0.4]);
    let centre = [x0[0] - v0[1] / rate, x0[1] + v0[0] / rate];
    let at = |t: f64| {
        let (s, c) = (rate * t).sin_cos();
        let d = [x0[0] - centre[0], x0[1] - centre[1]];
        let r = [c * d[0] - s * d[1], s * d[0] + c * d[1]];
        let x = [centre[0] + r[0], centre[1] + r[1]];
        let v = [-rate * r[1], rate * r[0]];
        let w = [(table * x[0] - v[1]) / radius, (v[0] + table * x[1]) / radius];
        (x, v, w)
    };
    let (_, _, w0) = at(0.0);
    let until = 5.0;
    let (x, v, w) = at(until);
    // Angles from the momentum about the contact: I ω₁ = a ∫λ₂ … : ω − ω₀ = (a/I)(v₂ − v₂₀), so angles follow from x.
    let ratio = radius / inertia;
    let angles = [
        w0[0] * until + ratio * (x[1] - x0[1] - v0[1] * until),
        w0[1] * until - ratio * (x[0] - x0[0] - v0[0] * until),
    ];
    let start = [x0[0], x0[1], 0.0, 0.0, v0[0], v0[1], w0[0], w0[1]];
    let exact = [x[0], x[1], angles[0], angles[1], v[0], v[1], w[0], w[1]];
    assert_second_order("turntable", make, &start, until, &exact, [60, 80, 110, 150]);
}

#[test]
fn second_order_with_a_nonlinear_constraint_particle_of_constant_speed() {
    // x′² + y′² = c² under gravity: the direction obeys θ′ = −(g/c) cos θ.
    let make = || Simple {
        masses: vec![1.5, 1.5],
        constraints: 1,
        force: |_: f64, _: &[f64], _: &[f64], f: &mut [f64]| f.copy_from_slice(&[0.0, -1.5 * 2.0]),
        phi: |_: f64, _: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            phi[0] = v[0] * v[0] + v[1] * v[1] - 9.0;
            a.copy_from_slice(&[2.0 * v[0], 2.0 * v[1]]);
        },
    };
    let (c, g, t): (f64, f64, f64) = (3.0, 2.0, 2.0);
    let s = g * t / c;
    let exact = [c * c / g * 2.0 * (s / 2.0).tanh().atan(), -c * c / g * s.cosh().ln(), c / s.cosh(), -c * s.tanh()];
    assert_second_order("constant speed", make, &[0.0, 0.0, c, 0.0], t, &exact, [40, 60, 80, 120]);
}

#[test]
fn second_order_with_a_rheonomic_constraint_and_a_force_that_depends_on_velocity() {
    // y′ = sin(t) x′ + cos(2t) with drag −x′/2 on x and none on y; reference by DOP853 on the reduced equations.
    let make = || Simple {
        masses: vec![1.0, 2.0],
        constraints: 1,
        force: |_: f64, q: &[f64], v: &[f64], f: &mut [f64]| f.copy_from_slice(&[-0.5 * v[0] - q[0], 0.0]),
        phi: |t: f64, _: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            phi[0] = v[1] - t.sin() * v[0] - (2.0 * t).cos();
            a.copy_from_slice(&[-t.sin(), 1.0]);
        },
    };
    // (1 + 2 s²) x″ = −x′/2 − x − 2 s (c x′ − 2 sin 2t)
    let reduced = OdeFn::new(3, |t: f64, y: &[f64], dy: &mut [f64]| {
        let (s, c) = t.sin_cos();
        dy[0] = y[2];
        dy[1] = s * y[2] + (2.0 * t).cos();
        dy[2] = (-0.5 * y[2] - y[0] - 2.0 * s * (c * y[2] - 2.0 * (2.0 * t).sin())) / (1.0 + 2.0 * s * s);
    });
    let until: f64 = 3.0;
    let mut reference = Dop853::new(reduced, 0.0, &[0.4, 0.0, 0.7], Tolerance::new(1e-14), StepSize::default());
    let end = integrate(&mut reference, &Plan::until(until), &mut [], &mut Samples::default()).state;
    let exact = [end[0], end[1], end[2], until.sin() * end[2] + (2.0 * until).cos()];
    assert_second_order("rheonomic", make, &[0.4, 0.0, 0.7, 1.0], until, &exact, [60, 80, 110, 150]);
}

/// A pendulum in Cartesian coordinates: x² + y² = 1, gravity 1, optionally with the constraint given twice.
struct Pendulum {
    copies: usize,
}

impl Mechanics for Pendulum {
    fn coordinates(&self) -> usize {
        2
    }

    fn constraints(&self) -> usize {
        self.copies
    }

    fn holonomic(&self) -> usize {
        self.copies
    }

    fn momentum(&mut self, _t: f64, _q: &[f64], v: &[f64], p: &mut [f64], force: &mut [f64]) {
        p.copy_from_slice(v);
        force.copy_from_slice(&[0.0, -1.0]);
    }

    fn inertia(&mut self, _t: f64, _q: &[f64], _v: &[f64], m: &mut [f64]) {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    }

    fn velocity_constraints(&mut self, _t: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]) {
        for r in 0..self.copies {
            phi[r] = 2.0 * (q[0] * v[0] + q[1] * v[1]);
            a[2 * r] = 2.0 * q[0];
            a[2 * r + 1] = 2.0 * q[1];
        }
    }

    fn holonomic_constraints(&mut self, _t: f64, q: &[f64], f: &mut [f64]) {
        f.fill(q[0] * q[0] + q[1] * q[1] - 1.0);
    }
}

#[test]
fn holonomic_constraints_hold_to_rounding_also_when_given_twice() {
    let mut ends = Vec::new();
    for copies in [1, 2] {
        let mut stepper = Dla::new(Pendulum { copies }, 0.0, &[1.0, 0.0, 0.0, 0.0], 0.05);
        let energy = |y: &[f64]| 0.5 * (y[2] * y[2] + y[3] * y[3]) + y[1];
        let (mut position, mut velocity, mut drift) = (0.0f64, 0.0f64, 0.0f64);
        for _ in 0..2_000 {
            stepper.step(f64::INFINITY).unwrap();
            let y = stepper.state();
            position = position.max((y[0] * y[0] + y[1] * y[1] - 1.0).abs());
            velocity = velocity.max((y[0] * y[2] + y[1] * y[3]).abs());
            drift = drift.max(energy(y).abs());
        }
        assert!(position < 1e-13 && velocity < 1e-14, "{copies}: {position:e} {velocity:e}");
        assert!(drift < 5e-3, "{copies}: {drift:e}");
        ends.push(stepper.state().to_vec());
    }
    assert!(ends[0].iter().zip(&ends[1]).all(|(a, b)| (a - b).abs() < 1e-7), "{ends:?}");
}

#[test]
fn the_discrete_map_is_its_own_adjoint() {
    let mut forth = Dla::new(particle(), 0.0, &PARTICLE_START, 0.1);
    let there = integrate(&mut forth, &Plan::until(20.0), &mut [], &mut Samples::default());
    let mut back = Dla::new(particle(), 20.0, &there.state, 0.1);
    let here = integrate(&mut back, &Plan::until(0.0), &mut [], &mut Samples::default());
    assert_eq!(here.outcome, Outcome::Finished);
    let error = here.state.iter().zip(&PARTICLE_START).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-11, "{error:e}");
}

#[test]
fn samples_between_the_nodes_are_as_good_as_the_nodes() {
    let times: Vec<f64> = (0..=333).map(|i| 0.03 * f64::from(i)).collect();
    let collect = |h: f64| {
        let mut samples = Samples::default();
        let mut stepper = Dla::new(particle(), 0.0, &PARTICLE_START, h);
        let plan = Plan { samples: &times, ..Plan::until(10.0) };
        assert_eq!(integrate(&mut stepper, &plan, &mut [], &mut samples).outcome, Outcome::Finished);
        samples.points
    };
    let reference = collect(0.001);
    let errors = [0.1, 0.05].map(|h| {
        let all = collect(h);
        all.iter().zip(&reference).map(|(a, b)| super::problems::distance(&a.1, &b.1)).fold(0.0, f64::max)
    });
    assert!((errors[0] / errors[1]).log2() > 1.9, "{errors:?}");
}

#[test]
fn a_step_that_cannot_be_solved_is_an_outcome_and_not_a_hang() {
    // x′² + y′² = −1 has no solution.
    let make = Simple {
        masses: vec![1.0, 1.0],
        constraints: 1,
        force: |_: f64, _: &[f64], _: &[f64], f: &mut [f64]| f.fill(0.0),
        phi: |_: f64, _: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            phi[0] = v[0] * v[0] + v[1] * v[1] + 1.0;
            a.copy_from_slice(&[2.0 * v[0], 2.0 * v[1]]);
        },
    };
    let mut stepper = Dla::new(make, 0.0, &[0.0, 0.0, 1.0, 0.0], 0.1);
    let run = integrate(&mut stepper, &Plan::until(1.0), &mut [], &mut Samples::default());
    assert!(matches!(run.outcome.code(), "step_too_small" | "singular" | "non_finite"), "{:?}", run.outcome);
    assert_eq!((run.t, run.state), (0.0, vec![0.0, 0.0, 1.0, 0.0]));
}

#[test]
fn a_step_that_has_no_solution_is_halved_until_it_has_one() {
    // x″ = x² from rest at 1: the equation of a step of length h has a solution only up to h = 1.
    let make = |h: f64| {
        let system = Simple {
            masses: vec![1.0],
            constraints: 0,
            force: |_: f64, q: &[f64], _: &[f64], f: &mut [f64]| f[0] = q[0] * q[0],
            phi: |_: f64, _: &[f64], _: &[f64], _: &mut [f64], _: &mut [f64]| {},
        };
        let mut stepper = Dla::new(system, 0.0, &[1.0, 0.0], h);
        integrate(&mut stepper, &Plan::until(1.5), &mut [], &mut Samples::default())
    };
    let (long, short) = (make(1.5), make(1e-3));
    assert_eq!((&long.outcome, long.t), (&Outcome::Finished, 1.5));
    assert!(long.statistics.rejected > 0 && short.statistics.rejected == 0, "{:?}", long.statistics);
    assert!((long.state[0] / short.state[0] - 1.0).abs() < 0.3, "{:?} beside {:?}", long.state, short.state);
}

#[test]
fn an_escape_to_infinity_is_not_stepped_over() {
    // x″ = x² x′ + x³ from (1, 3) becomes infinite near t = 0.27; beyond, the equations of a step have solutions again, on
    // another branch.
    // The same with companions that constraints make go along.
    let escape = |bound: usize| Simple {
        masses: vec![1.0; 1 + bound],
        constraints: bound,
        force: move |_: f64, q: &[f64], v: &[f64], f: &mut [f64]| {
            f.fill(0.0);
            f[0] = (1 + bound) as f64 * (q[0] * q[0] * v[0] + q[0].powi(3));
        },
        phi: move |_: f64, _: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]| {
            a.fill(0.0);
            for (j, row) in a.chunks_mut(1 + bound).enumerate() {
                phi[j] = v[1 + j] - v[0];
                (row[0], row[1 + j]) = (-1.0, 1.0);
            }
        },
    };
    let ode = OdeFn::new(2, |_, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = y[0] * y[0] * y[1] + y[0].powi(3);
    });
    let mut explicit = Dop853::new(ode, 0.0, &[1.0, 3.0], Tolerance::new(1e-10), StepSize::default());
    let true_end = integrate(&mut explicit, &Plan::until(10.0), &mut [], &mut Samples::default()).t;
    for (h, bound) in [(0.01, 0), (1e-3, 0), (1e-4, 0), (0.01, 1), (1e-3, 1), (0.01, 2), (0.01, 3)] {
        let start = [vec![1.0; 1 + bound], vec![3.0; 1 + bound]].concat();
        let mut stepper = Dla::new(escape(bound), 0.0, &start, h);
        let run = integrate(&mut stepper, &Plan::until(10.0), &mut [], &mut Samples::default());
        assert!(!run.outcome.is_success(), "{:?}", run.outcome);
        assert!((run.t - true_end).abs() < 2.0 * h, "{} instead of {true_end}, {:?}", run.t, run.outcome);
    }
}
