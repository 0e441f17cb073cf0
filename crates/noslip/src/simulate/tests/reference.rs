//! Nonholonomic systems from their Lagrangians, against trajectories computed with 32 digits by extrapolation.

use super::constrained::{Constrained, EquationsOfMotion};
use super::problems::{distance, observed_order};
use crate::simulate::*;

/// One linear form u = r(q)·v of a kinetic energy ½ Σ w u², with what its derivatives need.
struct Form {
    weight: f64,
    /// r(q).
    row: Vec<f64>,
    /// dr/dt along v.
    rate: Vec<f64>,
    /// ∂(r·v)/∂q.
    gradient: Vec<f64>,
}

/// A system with T = ½ Σ w u², written by hand.
trait Handwritten {
    const N: usize;
    const K: usize;
    fn forms(q: &[f64], v: &[f64]) -> Vec<Form>;
    /// Generalised forces, potential ones included.
    fn forces(q: &[f64], v: &[f64]) -> Vec<f64>;
    /// (φ, A, b) of A v̇ = b.
    fn constraints(q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>);
}

struct System<H>(std::marker::PhantomData<H>);

impl<H: Handwritten> System<H> {
    fn new() -> Self {
        System(std::marker::PhantomData)
    }

    fn mass(q: &[f64], v: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for form in H::forms(q, v) {
            for i in 0..H::N {
                for j in 0..H::N {
                    m[i * H::N + j] += form.weight * form.row[i] * form.row[j];
                }
            }
        }
    }
}

impl<H: Handwritten> EquationsOfMotion for System<H> {
    fn coordinates(&self) -> usize {
        H::N
    }

    fn constraints(&self) -> usize {
        H::K
    }

    fn assemble(
        &mut self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        m: &mut [f64],
        a: &mut [f64],
        f: &mut [f64],
        b: &mut [f64],
    ) -> Result<(), RhsFailure> {
        Self::mass(q, v, m);
        f.copy_from_slice(&H::forces(q, v));
        for form in H::forms(q, v) {
            let dot = |x: &[f64]| x.iter().zip(v).map(|(x, v)| x * v).sum::<f64>();
            let (u, u_rate) = (dot(&form.row), dot(&form.rate));
            for i in 0..H::N {
                f[i] -= form.weight * (u_rate * form.row[i] + u * (form.rate[i] - form.gradient[i]));
            }
        }
        let (_, rows, right) = H::constraints(q, v);
        a.copy_from_slice(&rows);
        b.copy_from_slice(&right);
        Ok(())
    }
}

impl<H: Handwritten> Mechanics for System<H> {
    fn coordinates(&self) -> usize {
        H::N
    }

    fn constraints(&self) -> usize {
        H::K
    }

    fn momentum(&mut self, _t: f64, q: &[f64], v: &[f64], p: &mut [f64], force: &mut [f64]) {
        p.fill(0.0);
        force.copy_from_slice(&H::forces(q, v));
        for form in H::forms(q, v) {
            let u: f64 = form.row.iter().zip(v).map(|(r, v)| r * v).sum();
            for i in 0..H::N {
                p[i] += form.weight * u * form.row[i];
                force[i] += form.weight * u * form.gradient[i];
            }
        }
    }

    fn inertia(&mut self, _t: f64, q: &[f64], v: &[f64], m: &mut [f64]) {
        Self::mass(q, v, m);
    }

    fn velocity_constraints(&mut self, _t: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]) {
        let (values, rows, _) = H::constraints(q, v);
        phi.copy_from_slice(&values);
        a.copy_from_slice(&rows);
    }
}

/// Thin disk rolling on a plane: φ, θ, ψ, x, y with the contact point (x, y); m = 1.4, r = 0.6, g = 9.81.
struct Disk;

impl Handwritten for Disk {
    const N: usize = 5;
    const K: usize = 2;

    fn forms(q: &[f64], v: &[f64]) -> Vec<Form> {
        let (m, r) = (1.4, 0.6);
        let ((sp, cp), (st, ct)) = (q[0].sin_cos(), q[1].sin_cos());
        let (p, t) = (v[0], v[1]);
        let form = |weight: f64, row: [f64; 5], rate: [f64; 5], gradient: [f64; 5]| Form {
            weight,
            row: row.to_vec(),
            rate: rate.to_vec(),
            gradient: gradient.to_vec(),
        };
        vec![
            // x′ − r φ′ cos φ cos θ + r θ′ sin φ sin θ
            form(
                m,
                [-r * cp * ct, r * sp * st, 0.0, 1.0, 0.0],
                [r * (sp * ct * p + cp * st * t), r * (cp * st * p + sp * ct * t), 0.0, 0.0, 0.0],
                [r * (p * sp * ct + t * cp * st), r * (p * cp * st + t * sp * ct), 0.0, 0.0, 0.0],
            ),
            // y′ − r φ′ sin φ cos θ − r θ′ cos φ sin θ
            form(
                m,
                [-r * sp * ct, -r * cp * st, 0.0, 0.0, 1.0],
                [r * (-cp * ct * p + sp * st * t), r * (sp * st * p - cp * ct * t), 0.0, 0.0, 0.0],
                [r * (-p * cp * ct + t * sp * st), r * (p * sp * st - t * cp * ct), 0.0, 0.0, 0.0],
            ),
            // r θ′ cos θ
            form(m, [0.0, r * ct, 0.0, 0.0, 0.0], [0.0, -r * st * t, 0.0, 0.0, 0.0], [0.0, -r * t * st, 0.0, 0.0, 0.0]),
            form(m * r * r / 4.0, [st, 0.0, 0.0, 0.0, 0.0], [ct * t, 0.0, 0.0, 0.0, 0.0], [0.0, p * ct, 0.0, 0.0, 0.0]),
            form(m * r * r / 4.0, [0.0, 1.0, 0.0, 0.0, 0.0], [0.0; 5], [0.0; 5]),
            form(
                m * r * r / 2.0,
                [ct, 0.0, 1.0, 0.0, 0.0],
                [-st * t, 0.0, 0.0, 0.0, 0.0],
                [0.0, -p * st, 0.0, 0.0, 0.0],
            ),
        ]
    }

    fn forces(q: &[f64], _v: &[f64]) -> Vec<f64> {
        vec![0.0, -1.4 * 9.81 * 0.6 * q[1].cos(), 0.0, 0.0, 0.0]
    }

    fn constraints(q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (s, c) = q[0].sin_cos();
        let r = 0.6;
        (
            vec![r * v[2] * c + v[3], r * v[2] * s + v[4]],
            vec![0.0, 0.0, r * c, 1.0, 0.0, 0.0, 0.0, r * s, 0.0, 1.0],
            vec![r * v[2] * v[0] * s, -r * v[2] * v[0] * c],
        )
    }
}

fn disk_energy(y: &[f64]) -> f64 {
    let (q, v) = y.split_at(5);
    let kinetic: f64 = Disk::forms(q, v)
        .iter()
        .map(|f| 0.5 * f.weight * f.row.iter().zip(v).map(|(r, v)| r * v).sum::<f64>().powi(2))
        .sum();
    kinetic + 1.4 * 9.81 * 0.6 * q[1].sin()
}

/// Sledge on a blade with its centre of mass off the blade both ways: x, y, φ; M = 1.9, α = 0.35, β = −0.2, k = 0.45.
struct Sledge;

impl Handwritten for Sledge {
    const N: usize = 3;
    const K: usize = 1;

    fn forms(q: &[f64], v: &[f64]) -> Vec<Form> {
        let (m, alpha, beta, k): (f64, f64, f64, f64) = (1.9, 0.35, -0.2, 0.45);
        let (s, c) = q[2].sin_cos();
        let w = v[2];
        let (first, second) = (alpha * s + beta * c, alpha * c - beta * s);
        let form = |weight: f64, row: [f64; 3], rate: [f64; 3], gradient: [f64; 3]| Form {
            weight,
            row: row.to_vec(),
            rate: rate.to_vec(),
            gradient: gradient.to_vec(),
        };
        vec![
            form(m, [1.0, 0.0, -first], [0.0, 0.0, -second * w], [0.0, 0.0, -second * w]),
            form(m, [0.0, 1.0, second], [0.0, 0.0, -first * w], [0.0, 0.0, -first * w]),
            form(m * k * k, [0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]),
        ]
    }

    fn forces(_q: &[f64], _v: &[f64]) -> Vec<f64> {
        vec![0.0; 3]
    }

    fn constraints(q: &[f64], v: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (s, c) = q[2].sin_cos();
        (vec![v[0] * s - v[1] * c], vec![s, -c, 0.0], vec![-v[2] * (v[0] * c + v[1] * s)])
    }
}

/// (t, (q, v), λ)
type Point<const Y: usize, const K: usize> = (f64, [f64; Y], [f64; K]);

#[rustfmt::skip]
const DISK: [Point<10, 2>; 5] = [
    (0.0, [0.2, 1.2, 0.1, 0.0, 0.0, 0.6, 0.3, 4.0, -2.35215978681898, -0.47680639390814694], [-0.699864392213021, 3.688986452156124]),
    (1.0, [-1.2582451460665594, 1.204816159223138, 5.395753032449573, -2.257600979912795, 1.257716099939078, 0.6412470333810829, -0.1290230385450146, 3.98979401507002, -0.736086392747698, 2.2778983919787907], [3.56190081322322, 1.1737356369285028]),
    (2.5, [-3.9479890183192032, 0.8460066222408106, 13.695349629885499, 0.6438613008058262, 3.5041119999467223, -3.647167709169117, 1.0058672544671403, 6.870650548122329, 2.8531229068208463, -2.97553217125325], [-5.622019317715364, -6.45613373636187]),
    (4.0, [-5.699115398096833, 1.0851716509022296, 21.305357815212737, 0.04719293643539622, -0.06039012511413789, -0.4570526467936658, -1.195674290526735, 4.424510365195447, -2.21462314736243, -1.4638679670606993], [-2.1266929606922926, 3.462792752242603]),
    (5.0, [-7.2391814060388535, 1.0132394466557781, 26.637434555848248, -2.3684193264708955, 1.2026697707234635, -1.2283562838116853, -1.353482122775776, 4.8956562897579365, -1.6942750471311676, 2.3995237542790444], [4.000111419048674, 2.340871690284183]),
];

#[rustfmt::skip]
const SLEDGE: [Point<6, 1>; 4] = [
    (0.0, [0.0, 0.0, 0.4, 0.5, 0.2113966093690809, 1.4], [-1.3637826005363562]),
    (2.4, [0.6196863378556361, 2.1862333306116315, 1.5862117940413856, -0.017395559783267223, 1.1283590398248502, 0.0841876596991672], [-0.1141496513060759]),
    (5.6, [0.37591986878812583, 5.832031244838797, 1.6531135751148827, -0.09422998766915856, 1.1421306613404798, 0.0016209901644557215], [-0.0021998210919097093]),
    (8.0, [0.14727668624390244, 8.573469617929163, 1.6543587845729053, -0.09567779821361051, 1.1423191832839898, 8.375999203857655e-05], [-0.00011366944778310913]),
];

/// Follows the points with a stepper and returns the largest deviation.
fn deviation<const Y: usize, const K: usize>(stepper: &mut dyn Stepper, points: &[Point<Y, K>]) -> f64 {
    let times: Vec<f64> = points.iter().map(|p| p.0).collect();
    let mut samples = Samples::default();
    let plan = Plan { samples: &times, ..Plan::until(times[times.len() - 1]) };
    let run = integrate(stepper, &plan, &mut [], &mut samples);
    assert_eq!(run.outcome, Outcome::Finished);
    assert_eq!(samples.points.len(), points.len());
    samples.points.iter().zip(points).map(|(s, p)| distance(&s.1, &p.1)).fold(0.0, f64::max)
}

fn multipliers_agree<H: Handwritten, const Y: usize, const K: usize>(points: &[Point<Y, K>]) {
    let mut ode = Constrained::new(System::<H>::new());
    let mut rate = [0.0; Y];
    for (t, y, lambda) in points {
        ode.rhs(*t, y, &mut rate).unwrap();
        assert!(distance(ode.multipliers(), lambda) < 1e-13 * 10.0, "{:?} {lambda:?}", ode.multipliers());
    }
}

#[test]
fn dop853_reproduces_the_rolling_disk() {
    multipliers_agree::<Disk, 10, 2>(&DISK);
    let ode = Constrained::new(System::<Disk>::new());
    let mut stepper = Dop853::new(ode, 0.0, &DISK[0].1, Tolerance::new(1e-12), StepSize::default());
    let error = deviation(&mut stepper, &DISK);
    println!("disk: {error:e} {:?}", stepper.statistics());
    assert!(error < 1e-9, "{error:e}");
    assert!((disk_energy(stepper.state()) / disk_energy(&DISK[0].1) - 1.0).abs() < 1e-11);
    assert_eq!(stepper.ode().saddle().careful_solutions(), 0);
}

#[test]
fn dop853_reproduces_the_sledge() {
    multipliers_agree::<Sledge, 6, 1>(&SLEDGE);
    let ode = Constrained::new(System::<Sledge>::new());
    let error =
        deviation(&mut Dop853::new(ode, 0.0, &SLEDGE[0].1, Tolerance::new(1e-12), StepSize::default()), &SLEDGE);
    assert!(error < 1e-9, "{error:e}");
}

#[test]
fn radau_reproduces_disk_and_sledge() {
    // Compared at the end only: the dense output between is of order 3.
    let ode = Constrained::new(System::<Disk>::new());
    let mut stepper = Radau::new(ode, 0.0, &DISK[0].1, Tolerance::new(1e-11), StepSize::default());
    let end = integrate(&mut stepper, &Plan::until(5.0), &mut [], &mut Samples::default());
    assert!(distance(&end.state, &DISK[4].1) < 1e-7, "{:e} {:?}", distance(&end.state, &DISK[4].1), end.statistics);
    let ode = Constrained::new(System::<Sledge>::new());
    let mut stepper = Radau::new(ode, 0.0, &SLEDGE[0].1, Tolerance::new(1e-11), StepSize::default());
    let end = integrate(&mut stepper, &Plan::until(8.0), &mut [], &mut Samples::default());
    assert!(distance(&end.state, &SLEDGE[3].1) < 1e-8);
}

#[test]
fn the_discrete_integrator_converges_to_the_rolling_disk_with_order_two_and_exact_constraints() {
    let points: Vec<(f64, f64)> = [2000, 2500, 3000, 4000]
        .map(|count| {
            let h = 5.0 / f64::from(count);
            let mut stepper = Dla::new(System::<Disk>::new(), 0.0, &DISK[0].1, h);
            let run = integrate(&mut stepper, &Plan::until(5.0), &mut [], &mut Samples::default());
            assert_eq!(run.outcome, Outcome::Finished);
            let (phi, _, _) = Disk::constraints(&run.state[..5], &run.state[5..]);
            assert!(phi.iter().all(|x| x.abs() < 2e-15), "{phi:?}");
            let error: f64 = run.state.iter().zip(&DISK[4].1).map(|(a, b)| (a - b).powi(2)).sum();
            (h, error.sqrt())
        })
        .to_vec();
    let order = observed_order(&points);
    assert!((order - 2.0).abs() < 0.1, "{order} {points:?}");
}

/// Projects after each step when the drift exceeds a bound.
struct Keep {
    keeper: Keeper<System<Disk>>,
    bound: f64,
    largest: f64,
    projections: u32,
}

impl Observer for Keep {
    fn after_step(&mut self, t: f64, y: &mut [f64]) -> AfterStep {
        match self.keeper.keep(t, y, self.bound) {
            Ok((before, changed)) => {
                self.largest = self.largest.max(before);
                self.projections += u32::from(changed);
                if changed { AfterStep::Changed } else { AfterStep::Continue }
            }
            Err(_) => AfterStep::Cancel,
        }
    }
}

#[test]
fn projection_after_steps_keeps_the_rolling_constraints_at_low_tolerance() {
    let drift = |y: &[f64]| Disk::constraints(&y[..5], &y[5..]).0.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let start = DISK[0].1;
    let make =
        || Dop853::new(Constrained::new(System::<Disk>::new()), 0.0, &start, Tolerance::new(1e-5), StepSize::default());
    let free = integrate(&mut make(), &Plan::until(50.0), &mut [], &mut Samples::default());
    let mut observer = Keep { keeper: Keeper::new(System::<Disk>::new()), bound: 1e-13, largest: 0.0, projections: 0 };
    let kept = integrate(&mut make(), &Plan::until(50.0), &mut [], &mut observer);
    assert_eq!(kept.outcome, Outcome::Finished);
    assert!(drift(&free.state) > 1e-6, "{:e}", drift(&free.state));
    assert!(drift(&kept.state) < 1e-12, "{:e}", drift(&kept.state));
    assert!(observer.projections > 100 && observer.largest < 1e-3);
}

/// z′ = 0 and x y′ + z′ = c: the second gradient falls onto the first at x = 0.
struct LosesRank {
    c: f64,
}

impl EquationsOfMotion for LosesRank {
    fn coordinates(&self) -> usize {
        3
    }

    fn constraints(&self) -> usize {
        2
    }

    fn assemble(
        &mut self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        m: &mut [f64],
        a: &mut [f64],
        f: &mut [f64],
        b: &mut [f64],
    ) -> Result<(), RhsFailure> {
        m.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        a.copy_from_slice(&[0.0, 0.0, 1.0, 0.0, q[0], 1.0]);
        f.fill(0.0);
        b.copy_from_slice(&[0.0, -v[0] * v[1]]);
        Ok(())
    }

    fn constraint_name(&self, index: usize) -> String {
        ["flat", "slide"][index].into()
    }
}

#[test]
fn a_motion_into_a_state_where_a_constraint_loses_rank_is_singular_and_names_it() {
    let system = LosesRank { c: 0.3 };
    let start = [1.0, 0.0, 0.0, -1.0, system.c, 0.0];
    let mut stepper = Dop853::new(Constrained::new(system), 0.0, &start, Tolerance::new(1e-9), StepSize::default());
    let run = integrate(&mut stepper, &Plan::until(2.0), &mut [], &mut Samples::default());
    let Outcome::Singular { which, t } = &run.outcome else { panic!("{:?}", run.outcome) };
    assert!(which == "slide" && (t - 1.0).abs() < 1e-6, "{:?}", run.outcome);
    assert!((run.t - 1.0).abs() < 1e-6 && run.state.iter().all(|x| x.is_finite()));
}

#[test]
fn a_motion_through_a_state_where_constraints_are_only_redundant_goes_on() {
    // From x = 1 back and forth exactly onto x = 0, where the rank drops but nothing contradicts.
    let start = [1.0, 0.25, 0.0, -1.0, 0.0, 0.0];
    let ode = Constrained::new(LosesRank { c: 0.0 });
    let mut stepper = Dop853::new(ode, 0.0, &start, Tolerance::new(1e-9), StepSize::fixed(0.125));
    let run = integrate(&mut stepper, &Plan::until(2.0), &mut [], &mut Samples::default());
    assert_eq!(run.outcome, Outcome::Finished);
    assert!(distance(&run.state, &[-1.0, 0.25, 0.0, -1.0, 0.0, 0.0]) < 1e-14);
    assert!(stepper.ode().saddle().careful_solutions() > 0);
}
