//! The bicycle against the published benchmark: J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics
//! equations for the balance and steer of a bicycle, Proceedings of the Royal Society A 463 (2007), section 4 and table 2; and one
//! state of a large motion: P. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, Hands-free circular motions of a benchmark bicycle,
//! Proceedings of the Royal Society A 463 (2007), table 1.
//!
//! The papers linearise by hand; here the full equations are differenced about the upright straight ride.

use crate::common::gallery;
use noslip::compile::CompileOptions;
use noslip::forms::by_id;
use noslip::model::{Model, Overrides};
use noslip::simulate::{DOP853, Settings, TAYLOR, ThroughForm, simulate};
use noslip::verify::agreement;

const G: f64 = 9.81;
// M, C₁, K₀, K₂ of M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 for lean and steer:
const M: [[f64; 2]; 2] = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]];
const C1: [[f64; 2]; 2] = [[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]];
const K0: [[f64; 2]; 2] = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]];
const K2: [[f64; 2]; 2] = [[0.0, 76.59734589573222], [0.0, 2.65431523794604]];

/// Table 2, by speed: weave (real and imaginary part), capsize, castering.
pub const EIGENVALUES: [(f64, (f64, f64), f64, f64); 10] = [
    (1.0, (3.52696170990070, 0.80774027519930), -3.13423125066578, -7.11008014637442),
    (2.0, (2.68234517512745, 1.68066296590675), -3.07158645641514, -8.67387984831735),
    (3.0, (1.70675605663975, 2.31582447384325), -2.63366137253667, -10.3510146724592),
    (4.0, (0.41325331521125, 3.07910818603206), -1.42944427361326, -12.15861426576447),
    (5.0, (-0.77534188219585, 4.46486771378823), -0.32286642900409, -14.07838969279822),
    (6.0, (-1.52644486584142, 5.87673060598709), -0.00406690076970, -16.08537123098026),
    (7.0, (-2.13875644258362, 7.19525913329805), 0.10268170574766, -18.15788466125262),
    (8.0, (-2.69348683581097, 8.46037971396931), 0.14327879765713, -20.27940894394569),
    (9.0, (-3.21675402252485, 9.69377351531791), 0.15790184030917, -22.43788559040858),
    (10.0, (-3.72016840437287, 10.90681139476287), 0.16105338653172, -24.62459635017404),
];

const LEAN: usize = 3;
const STEER: usize = 5;

/// The model written by hand and the one made of bodies.
const BY_HAND: &str = "whipple-bicycle";
const FROM_BODIES: &str = "bodies/whipple-bicycle";

fn bicycle() -> Model {
    gallery::open("whipple-bicycle")
}

/// The full equations, ready to be evaluated.
struct Bicycle {
    model: Model,
    through: ThroughForm,
}

impl Bicycle {
    fn through(form: &str) -> Bicycle {
        Bicycle::of(bicycle(), form)
    }

    fn of(model: Model, form: &str) -> Bicycle {
        let mut w = model.workbench();
        let equations = by_id(form).expect("a form").derive(&mut w).expect("equations");
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("values of the parameters");
        let through = ThroughForm::new(&mut w, &equations, &options).expect("a program");
        Bicycle { model, through }
    }

    /// φ̈ and δ̈ at a state on the constraints: pitch, yaw rate and wheels are completed from lean, steer and their rates.
    fn lean_and_steer(&mut self, v: f64, [phi, delta, dphi, ddelta]: [f64; 4]) -> [f64; 2] {
        let overrides = Overrides {
            position: vec![(LEAN, phi), (STEER, delta)],
            velocity: vec![(0, v), (LEAN, dphi), (STEER, ddelta)],
            ..Overrides::default()
        };
        let state = self.model.initial_state(&overrides).expect("a state on the constraints");
        let a = self.through.solve(0.0, &state.position, &state.velocity).expect("accelerations").accelerations;
        [a[LEAN], a[STEER]]
    }

    /// ∂(φ̈, δ̈)/∂(φ, δ, φ̇, δ̇) in the upright straight ride: differences of sixth order.
    fn jacobian(&mut self, v: f64) -> [[f64; 4]; 2] {
        let h = 4e-3;
        let mut jacobian = [[0.0; 4]; 2];
        for j in 0..4 {
            for (steps, weight) in [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)] {
                for sign in [1.0, -1.0] {
                    let mut at = [0.0; 4];
                    at[j] = sign * steps * h;
                    let value = self.lean_and_steer(v, at);
                    (0..2).for_each(|i| jacobian[i][j] += sign * weight * value[i] / (60.0 * h));
                }
            }
        }
        jacobian
    }

    /// a₁…a₄ of λ⁴ + a₁λ³ + a₂λ² + a₃λ + a₄.
    fn characteristic(&mut self, v: f64) -> [f64; 4] {
        let [[a, b, c, d], [e, f, g, h]] = self.jacobian(v);
        // det(λ² − λ J_v − J_q) of 2×2 matrices
        [-c - h, -a - f + c * h - d * g, a * h + c * f - b * g - d * e, a * f - b * e]
    }
}

#[test]
fn the_linear_equations_of_the_upright_ride_are_the_published_ones() {
    for text in [BY_HAND, FROM_BODIES] {
        assert_linear_equations(&mut Bicycle::of(gallery::open(text), "lagrange-multipliers"));
    }
}

fn assert_linear_equations(bicycle: &mut Bicycle) {
    let det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    let inverse = [[M[1][1] / det, -M[0][1] / det], [-M[1][0] / det, M[0][0] / det]];
    for v in [0.0, 1.0, 4.6, 10.0] {
        let jacobian = bicycle.jacobian(v);
        let scale = 100.0 + 30.0 * v * v;
        for i in 0..2 {
            for j in 0..2 {
                let row = |b: &dyn Fn(usize) -> f64| -(inverse[i][0] * b(0) + inverse[i][1] * b(1));
                let stiffness = row(&|k| G * K0[k][j] + v * v * K2[k][j]);
                let damping = row(&|k| v * C1[k][j]);
                let (got_stiffness, got_damping) = (jacobian[i][j], jacobian[i][2 + j]);
                assert!((got_stiffness - stiffness).abs() < 1e-10 * scale, "v = {v}: {got_stiffness} for {stiffness}");
                assert!((got_damping - damping).abs() < 1e-10 * scale, "v = {v}: {got_damping} for {damping}");
            }
        }
    }
}

/// p(λ) and p'(λ) for complex λ.
fn polynomial(a: &[f64; 4], (x, y): (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let (mut p, mut d) = ((1.0, 0.0), (0.0, 0.0));
    for &c in a {
        d = (d.0 * x - d.1 * y + p.0, d.0 * y + d.1 * x + p.1);
        p = (p.0 * x - p.1 * y + c, p.0 * y + p.1 * x);
    }
    (p, d)
}

#[test]
fn the_eigenvalues_are_the_published_ones() {
    let mut bicycle = Bicycle::through("lagrange-multipliers");
    for (v, weave, capsize, castering) in EIGENVALUES {
        let a = bicycle.characteristic(v);
        for published in [weave, (capsize, 0.0), (castering, 0.0)] {
            // One step of Newton's method from the published value is the distance to the eigenvalue.
            let (p, d) = polynomial(&a, published);
            let distance = (p.0.hypot(p.1)) / d.0.hypot(d.1);
            assert!(distance < 2e-9, "v = {v}: {published:?} is off by {distance:e}");
        }
    }
}

#[test]
fn the_ride_is_stable_between_the_weave_and_the_capsize_speed() {
    let mut bicycle = Bicycle::through("lagrange-multipliers");
    // Hurwitz: where the weave has no damping, and where an eigenvalue is zero.
    let weave = |[a1, a2, a3, a4]: [f64; 4]| a1 * a2 * a3 - a3 * a3 - a1 * a1 * a4;
    let capsize = |[_, _, _, a4]: [f64; 4]| a4;
    let mut zero = |f: &dyn Fn([f64; 4]) -> f64, mut u: f64, mut v: f64| {
        let (mut fu, mut fv) = (f(bicycle.characteristic(u)), f(bicycle.characteristic(v)));
        for _ in 0..6 {
            if fu == fv {
                break;
            }
            let next = v - fv * (v - u) / (fv - fu);
            (u, fu) = (v, fv);
            v = next;
            fv = f(bicycle.characteristic(v));
        }
        v
    };
    let (v_w, v_c) = (zero(&weave, 4.2, 4.4), zero(&capsize, 6.0, 6.1));
    assert!((v_w - 4.292382536341).abs() < 1e-9, "{v_w}");
    assert!((v_c - 6.024262015388).abs() < 1e-9, "{v_c}");
    // A quartic is stable where all its coefficients and Hurwitz' determinant are positive.
    for (v, stable) in
        [(4.0, false), (4.29, false), (4.3, true), (5.0, true), (6.02, true), (6.03, false), (8.0, false)]
    {
        let a = bicycle.characteristic(v);
        assert_eq!(a.iter().all(|&c| c > 0.0) && weave(a) > 0.0, stable, "v = {v}");
    }
}

/// Steep lean, steer and rates of all kinds. The paper counts pitch, lean and the wheels from other directions: ψ = −θ,
/// φ = π/2 − ψ, θ = π + λ − φ, δ = −ψ_f, χ = −β, each left side ours.
#[test]
fn accelerations_far_from_the_upright_ride_are_the_published_ones() {
    let lambda = std::f64::consts::PI / 10.0;
    let (half, whole) = (std::f64::consts::FRAC_PI_2, std::f64::consts::PI);
    let q = [0.0, 0.0, 0.0, half - 0.9501292851472, whole + lambda - 3.1257073014894, -0.2311385135743, 0.0, 0.0];
    let rates =
        [-0.7830033527065, -0.6068425835418, 0.0119185528069, -0.4859824687093, -8.9129896614890, -8.0133620584155];
    let [dpsi, dphi, dtheta, ddelta, dchi_r, dchi_f] = rates;
    let v = [-0.3 * (dtheta + dchi_r), 0.0, dpsi, dphi, dtheta, ddelta, dchi_r, dchi_f];
    let published =
        [-0.8353281706379, 7.8555281128244, -0.1205543897884, 4.6198904039403, -1.8472554144217, -2.4548072904550];
    let by_hand = ["lagrange-multipliers", "maggi", "kane"].map(|form| (BY_HAND, form));
    for (text, form) in by_hand.into_iter().chain([(FROM_BODIES, "maggi")]) {
        let mut bicycle = Bicycle::of(gallery::open(text), form);
        let a = bicycle.through.solve(0.0, &q, &v).expect("accelerations").accelerations;
        for (got, want) in a[2..].iter().zip(published) {
            assert!((got - want).abs() < 1e-10, "{form}: {a:?}");
        }
    }
}

#[test]
fn methods_of_integration_agree_and_keep_the_energy() {
    let mut ends = Vec::new();
    for (method, tolerance) in [(&DOP853, 1e-12), (&TAYLOR, 1e-14)] {
        let mut model = bicycle();
        let state = model.initial_state(&Overrides::default()).expect("a start");
        let settings = Settings { at: vec![8.0], tolerance, method, ..Settings::until(8.0) };
        let mut w = model.workbench();
        let run = simulate(&mut w, &state, &settings, &mut |_| true).expect("a motion");
        assert!(run.outcome.is_success(), "{:?}", run.outcome);
        assert!(run.energy_drift < 1e-12, "{method:?}: {:e}", run.energy_drift);
        ends.push(run.samples[0].y.clone());
    }
    for (a, b) in ends[0].iter().zip(&ends[1]) {
        assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "{ends:?}");
    }
}

/// The front wheel on the ground is a relation with sines under a root, which no step of the prime field solves: states are drawn
/// beside it, and a form that holds there is tested all the same.
#[test]
fn forms_are_tested_where_a_holonomic_constraint_cannot_be_solved() {
    let model = bicycle();
    let mut w = model.workbench();
    for form in ["maggi", "kane"] {
        let mut equations = by_id(form).expect("a form").derive(&mut w).expect("equations");
        let verdict = agreement(&mut w, &equations);
        assert!(verdict.holds(), "{form}: {verdict:?}");
        equations.equations[0] = w.g.add(equations.equations[0], w.g.one());
        let verdict = agreement(&mut w, &equations);
        assert!(!verdict.holds(), "{form}, changed: {verdict:?}");
    }
}
