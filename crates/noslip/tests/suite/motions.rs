//! Motions analysed: each answer against an independent route, a published figure or a closed form.

use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::expr::{Expr, Symbol, parse_expression};
use noslip::forms::by_id;
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides, State};
use noslip::motions::integrals::{Kind, integrals};
use noslip::motions::linearise::{Stability, linearise};
use noslip::motions::measure::measure;
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Question, Range, Target, steady};
use noslip::motions::{What, in_quasi_velocities, symbolic};
use noslip::simulate::{Settings, ThroughForm, simulate, values_along};
use std::path::Path;

fn load(text: &str) -> Model {
    Model::load(text, "model.toml", &Limits::default()).expect("the model loads")
}

fn gallery(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{name}.toml"));
    load(&std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

fn everything() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("the gallery")
        .filter_map(|e| Some(e.ok()?.file_name().into_string().ok()?.strip_suffix(".toml")?.to_owned()))
        .collect();
    names.sort();
    names
}

fn reduced(model: &Model) -> Option<(Workbench, Reduction)> {
    let (mut w, chosen) = in_quasi_velocities(model.workbench()).ok()?;
    let r = Reduction::of(&mut w, chosen).ok()?;
    Some((w, r))
}

fn names(w: &Workbench, list: &[Symbol]) -> Vec<String> {
    list.iter().map(|&s| w.g.name(s).to_owned()).collect()
}

fn at(position: &[(usize, f64)], velocity: &[(usize, f64)]) -> Overrides {
    Overrides { position: position.to_vec(), velocity: velocity.to_vec(), ..Overrides::default() }
}

/// An expression of the model's names and the quasi-velocities.
fn expression(w: &mut Workbench, text: &str) -> Expr {
    parse_expression(&mut w.g, text, &mut noslip::expr::Declared, &Limits::default())
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn what_closes_on_itself_is_found_and_proved() {
    for (name, closed, quadratures) in [
        ("rolling-disk", "theta u1 u2 u3", "phi psi x y"),
        ("chaplygin-sledge", "s w", "x y phi"),
        ("chaplygin-ball", "theta phi w_1 w_2 w_3", "x y psi"),
        ("suslov", "w1 w2", "psi theta phi"),
        ("routh-sphere", "theta w_1 w_2 w_3", "x y psi phi"),
        ("rattleback", "alpha beta alpha' beta' gamma'", "x y gamma"),
        // No quasi-velocities are given: the speed ahead is chosen.
        ("snakeboard", "phi v", "x y theta psi"),
        ("roller-racer", "phi v", "x y theta"),
    ] {
        let model = gallery(name);
        let (w, r) = reduced(&model).unwrap_or_else(|| panic!("{name} is reduced"));
        assert_eq!(names(&w, &r.closed()).join(" "), closed, "{name}");
        assert_eq!(names(&w, &r.quadratures).join(" "), quadratures, "{name}");
        assert!(r.proved, "{name}");
    }
}

#[test]
fn a_skate_is_described_by_its_velocity_along_the_blade() {
    let mut model = gallery("chaplygin-sledge");
    let mut system = model.system.clone();
    system.quasi_velocities.clear();
    model.system = system;
    let (mut w, r) = reduced(&model).expect("it is reduced");
    assert!(r.chosen);
    assert_eq!(r.quadratures.len(), 3);
    let ahead = expression(&mut w, "x'*cos(phi) + y'*sin(phi)");
    let difference = w.g.sub(r.flow.expressions[0], ahead);
    let difference = w.simplify(difference);
    assert!(w.g.is_zero(difference));
}

/// The rates of the flow are those of Lagrange's equations with multipliers, for every model that has them.
#[test]
fn the_flow_in_quasi_velocities_is_the_motion() {
    let (mut count, mut edge) = (0, Vec::new());
    for name in everything() {
        let mut model = gallery(&name);
        let Ok(state) = model.initial_state(&Overrides::default()) else { continue };
        let Some((mut w, r)) = reduced(&model) else { continue };
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("values of the parameters");
        let equations = by_id("lagrange-multipliers").expect("a form").derive(&mut w).expect("equations");
        let mut through = ThroughForm::new(&mut w, &equations, &options).expect("a program");
        let accelerations =
            through.solve(state.time, &state.position, &state.velocity).expect("accelerations").accelerations;
        // v̇ by the chain rule from q̈.
        let rates: Vec<Expr> = r.flow.expressions.iter().map(|&e| w.g.time_derivative(e)).collect();
        let mut values = w.system.values(&w.g, &[]).expect("values");
        values.at.set(w.g.time(), state.time);
        values.at.set_all(&w.system.coordinates, &state.position);
        values.at.set_all(&w.system.velocities, &state.velocity);
        values.at.set_all(&w.system.accelerations, &accelerations);
        let want = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &rates));
        let speeds = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &r.flow.expressions));
        values.at.set_all(&r.flow.free, &speeds);
        let l = speeds.len();
        let list: Vec<Expr> = r.flow.mass.iter().flatten().chain(&r.flow.right).copied().collect();
        let got = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &list));
        if got.iter().chain(&want).any(|x| !x.is_finite()) {
            // Some start where their own quasi-velocities cease to be any.
            edge.push(name);
            continue;
        }
        let scale = got.iter().chain(&want).fold(1.0f64, |m, x| m.max(x.abs()));
        for i in 0..l {
            let left: f64 = (0..l).map(|j| got[i * l + j] * want[j]).sum();
            assert!((left - got[l * l + i]).abs() < 1e-9 * scale * scale, "{name}: {left} for {}", got[l * l + i]);
        }
        let velocities = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &r.flow.velocities));
        for (x, y) in velocities.iter().zip(&state.velocity) {
            assert!((x - y).abs() < 1e-10 * y.abs().max(1.0), "{name}: {velocities:?}");
        }
        count += 1;
    }
    assert!(count > 40, "{count} models");
    assert!(edge.len() < 5, "{edge:?} start at the edge of a chart");
}

mod bicycle {
    use super::*;
    use crate::benchmark_bicycle::EIGENVALUES;

    fn model() -> (Model, State) {
        let mut model = load(include_str!("../../../../models/large/whipple-bicycle.toml"));
        let state = model.initial_state(&at(&[], &[(3, 0.0)])).expect("the upright ride");
        (model, state)
    }

    #[test]
    fn its_eigenvalues_and_critical_speeds_are_the_published_ones() {
        let (model, state) = model();
        let (mut w, r) = reduced(&model).expect("it is reduced");
        assert_eq!(names(&w, &r.closed()), ["phi", "delta", "p", "phi'", "delta'"]);
        assert_eq!(names(&w, &r.tied), ["theta"]);
        let speed = w.g.symbol(r.flow.free[0]);
        let range = Range { target: Target::Function(speed), from: 0.0, to: 10.0, count: 11 };
        let question = Question { given: Vec::new(), vary: vec![range] };
        let a = steady(&mut w, &r, &state, &question).expect("a family");
        assert_eq!((a.dimension, a.motions.len(), a.ended.as_deref()), (1, 11, None));
        for (m, (v, weave, capsize, castering)) in a.motions[1..].iter().zip(EIGENVALUES) {
            assert_eq!(m.zero, 1);
            assert!((m.varied[0] - v).abs() < 1e-13);
            for (re, im) in [weave, (capsize, 0.0), (castering, 0.0)] {
                let off = m.eigenvalues.iter().map(|z| (z.re - re).hypot(z.im - im)).fold(f64::INFINITY, f64::min);
                assert!(off < 1e-12 * re.hypot(im).max(1.0), "v = {v}: {re} {im} is off by {off:e}");
            }
            let stable = if v == 5.0 || v == 6.0 { Stability::Asymptotic } else { Stability::Unstable };
            assert_eq!(m.stable, stable, "v = {v}");
        }
        for (what, value) in [
            (What::DoubleRoot, 0.68428307889246),
            (What::Flutter, 4.29238253634111),
            (What::Divergence, 6.02426201538837),
        ] {
            let found: Vec<f64> = a.critical.iter().filter(|c| c.what == what).map(|c| c.value).collect();
            assert_eq!(found.len(), 1, "{what:?}: {found:?}");
            assert!((found[0] - value).abs() < 2e-12, "{what:?}: {}", found[0]);
        }
    }

    #[test]
    fn its_matrices_are_the_published_ones_by_powers_of_speed_and_gravity() {
        const M: [[f64; 2]; 2] = [[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]];
        const C1: [[f64; 2]; 2] = [[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]];
        const K0: [[f64; 2]; 2] = [[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]];
        const K2: [[f64; 2]; 2] = [[0.0, 76.59734589573222], [0.0, 2.65431523794604]];
        let near = |a: &[Vec<f64>], b: [[f64; 2]; 2]| {
            a.iter().flatten().zip(b.iter().flatten()).all(|(x, y)| (x - y).abs() < 1e-12 * y.abs().max(10.0))
        };
        let (model, state) = model();
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let l = linearise(&mut w, &r, &state, false).expect("linear equations");
        assert_eq!(l.stable, Some(Stability::Asymptotic));
        let second = l.second_order.expect("of second order");
        assert_eq!(names(&w, &second.coordinates), ["phi", "delta"]);
        assert!(near(&second.mass, M), "{:?}", second.mass);
        let split = second.split.expect("polynomials");
        assert_eq!(names(&w, &split.letters), ["p", "g"]);
        let [(e, c1)] = &split.damping[..] else { panic!("{:?}", split.damping) };
        assert!(*e == [1, 0] && near(c1, C1), "{c1:?}");
        let mut stiffness = split.stiffness.clone();
        stiffness.sort_by(|a, b| a.0.cmp(&b.0));
        let [(e0, k0), (e2, k2)] = &stiffness[..] else { panic!("{stiffness:?}") };
        assert!(*e0 == [0, 1] && near(k0, K0), "{k0:?}");
        assert!(*e2 == [2, 0] && near(k2, K2), "{k2:?}");
    }
}

/// The condition printed for the upright motion has the sign of `expected` at every speed.
fn upright(name: &str, overrides: &Overrides, speed: &str, expected: &dyn Fn(f64) -> f64) {
    let mut model = gallery(name);
    let state = model.initial_state(overrides).expect("an upright state");
    // The exact value of the angle.
    let mut system = model.system.clone();
    let pi = model.arena.pi();
    let half = {
        let pi = model.arena.symbol(pi);
        let two = model.arena.integer(2);
        model.arena.div(pi, two)
    };
    if let Some(initial) = &mut system.initial {
        for &(i, _) in &overrides.position {
            initial.position[i] = Some(half);
        }
    }
    model.system = system;
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let s = symbolic(&mut w, &r, &state).expect("linear equations in letters");
    assert!(s.reversible && s.zero == 2 && s.provided.is_empty(), "{s:?}");
    let [condition] = &s.conditions[..] else { panic!("{:?}", s.conditions) };
    let speed = w.g.lookup(speed).expect("a quasi-velocity");
    let mut values = w.system.values(&w.g, &[]).expect("values");
    for x in [0.1, 1.0, 1.5, 2.0, 2.3, 2.4, 5.0] {
        values.at.set(speed, x);
        let value = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &[condition.expr]))[0];
        assert_eq!(value > 0.0, expected(x) > 0.0, "{name} at {x}: {value}");
    }
}

/// Routh; Neimark and Fufaev: the upright disk rolls stably for ω² > g/(3r), the hoop for ω² > g/(4r).
#[test]
fn upright_disk_and_hoop_are_stable_beyond_the_published_speeds() {
    let half = std::f64::consts::FRAC_PI_2;
    upright("rolling-disk", &at(&[(1, half)], &[(0, 0.0), (1, 0.0)]), "u3", &|x| x * x - 9.81 / (3.0 * 0.6));
    // Coordinates xi, eta, z, theta, psi, phi; r = 1, z = sin theta.
    let mut hoop = at(&[(2, 1.0), (3, half)], &[(3, 0.0), (4, 0.0)]);
    hoop.velocity.push((2, 0.0));
    let mut model = gallery("hoop");
    let state = model.initial_state(&hoop).expect("an upright state");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let speed = expression(&mut w, "w_3");
    let range = Range { target: Target::Function(speed), from: 0.5, to: 4.0, count: 5 };
    let a = steady(&mut w, &r, &state, &Question { given: Vec::new(), vary: vec![range] }).expect("a family");
    let g = w.g.lookup("g").expect("gravity");
    let g = w.system.values(&w.g, &[]).expect("values").at.get(g);
    let [critical] = &a.critical[..] else { panic!("{:?}", a.critical) };
    assert_eq!(critical.what, What::Divergence);
    assert!((critical.value - (g / 4.0).sqrt()).abs() < 1e-12, "{}", critical.value);
}

/// The Jacobian is the derivative of the rates: against differences of rates solved for by Lagrange's equations.
#[test]
fn the_jacobian_is_that_of_the_motion() {
    for name in ["rolling-disk", "chaplygin-sledge", "routh-sphere", "rattleback", "figure-skater-offset"] {
        let mut model = gallery(name);
        let state = model.initial_state(&Overrides::default()).expect("a state");
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let l = linearise(&mut w, &r, &state, true).expect("a matrix");
        let rates: Vec<Expr> = l.variables.iter().map(|&s| r.flow.rate_of(s).expect("a rate")).collect();
        let evaluator = noslip::expr::Evaluator::new(&w.g, &rates);
        let mut values = w.system.values(&w.g, &[]).expect("values");
        for &(s, x) in &l.about {
            values.at.set(s, x);
        }
        let scale = l.matrix.iter().flatten().fold(1.0f64, |m, x| m.max(x.abs()));
        for (j, &s) in l.variables.iter().enumerate() {
            let x = values.at.get(s);
            let mut shifted = |h: f64| {
                values.at.set(s, x + h);
                let out = values.evaluate(&evaluator);
                values.at.set(s, x);
                out
            };
            let h = 1e-4;
            let (a, b, c, d) = (shifted(h), shifted(-h), shifted(2.0 * h), shifted(-2.0 * h));
            for i in 0..rates.len() {
                let slope = (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * h);
                assert!((slope - l.matrix[i][j]).abs() < 1e-8 * scale, "{name}: {slope} for {}", l.matrix[i][j]);
            }
        }
    }
}

#[test]
fn a_state_that_is_not_steady_is_refused_with_its_rates() {
    let mut model = gallery("rolling-disk");
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let error = linearise(&mut w, &r, &state, false).expect_err("not steady");
    assert!(error.message.contains("not a steady motion: d/dt theta = 0.3"), "{}", error.message);
}

/// Measures known from the literature, and none invented.
#[test]
fn invariant_measures_are_those_of_the_literature() {
    for (name, exists) in [
        ("chaplygin-sledge-centred", true),
        ("chaplygin-sledge", false),
        ("chaplygin-sledge-ahead", false),
        ("chaplygin-ball", true),
        ("suslov", false),
        ("ball-on-plane", true),
        ("rolling-disk", true),
        ("nonholonomic-particle", true),
        ("knife-edge-body", false),
        ("ellipsoid-on-plane", false),
    ] {
        let model = gallery(name);
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let m = measure(&mut w, &r).expect("an answer");
        assert_eq!(m.exists, Some(exists), "{name}: {}", m.why);
        // The obstruction of the ellipsoid is too long to be proved within the budget.
        assert!(m.how.is_proved() || name == "ellipsoid-on-plane" && m.how.holds(), "{name}: {:?}", m.how);
        assert_eq!(m.density.is_some(), exists, "{name}");
    }
}

/// The cloud of neighbours of a motion: its volume in (q, v) changes as the inverse of the density.
#[test]
fn densities_are_those_of_clouds() {
    for name in ["chaplygin-ball", "rolling-disk", "nonholonomic-particle", "routh-sphere"] {
        let mut model = gallery(name);
        let start = model.initial_state(&Overrides::default()).expect("a state");
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let Some(density) = measure(&mut w, &r).expect("an answer").density else {
            panic!("{name} has a density");
        };
        let until = start.time + 0.7;
        let (n, l) = (r.flow.coordinates.len(), r.flow.free.len());
        let mut values = w.system.values(&w.g, &[]).expect("values");
        let mut at = |state: &[f64], speeds: Option<&[f64]>, list: &[Expr], w: &Workbench| -> Vec<f64> {
            values.at.set_all(&w.system.coordinates, &state[..n]);
            match speeds {
                Some(v) => values.at.set_all(&r.flow.free, v),
                None => values.at.set_all(&w.system.velocities, &state[n..]),
            }
            values.evaluate(&noslip::expr::Evaluator::new(&w.g, list))
        };
        let y0 = [start.position.clone(), start.velocity.clone()].concat();
        let v0 = at(&y0, None, &r.flow.expressions, &w);
        let mut end = |z: &[f64], w: &mut Workbench| -> Vec<f64> {
            let velocity = at(z, Some(&z[n..]), &r.flow.velocities, w);
            let state = State { position: z[..n].to_vec(), velocity, ..start.clone() };
            let settings = Settings { until, at: vec![until], tolerance: 1e-13, ..Settings::default() };
            let run = simulate(w, &state, &settings, &mut |_| true).expect("a motion");
            let y = &run.samples.last().expect("a sample").y;
            let v = at(y, None, &r.flow.expressions, w);
            [y[..n].to_vec(), v].concat()
        };
        let z0 = [start.position.clone(), v0].concat();
        let z1 = end(&z0, &mut w);
        let h = 1e-4;
        let size = n + l;
        let mut jacobian = vec![vec![0.0; size]; size];
        for j in 0..size {
            let mut shifted = |h: f64| {
                let mut z = z0.clone();
                z[j] += h;
                end(&z, &mut w)
            };
            let (a, b) = (shifted(h), shifted(-h));
            (0..size).for_each(|i| jacobian[i][j] = (a[i] - b[i]) / (2.0 * h));
        }
        let volume = determinant(jacobian);
        let f = |z: &[f64]| {
            let mut values = w.system.values(&w.g, &[]).expect("values");
            values.at.set_all(&w.system.coordinates, &z[..n]);
            values.evaluate(&noslip::expr::Evaluator::new(&w.g, &[density]))[0]
        };
        let ratio = f(&z0) / f(&z1);
        assert!((volume / ratio - 1.0).abs() < 1e-5, "{name}: {volume} for {ratio}");
    }
}

fn determinant(mut a: Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut product = 1.0;
    for c in 0..n {
        let p = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).expect("a row");
        if p != c {
            a.swap(c, p);
            product = -product;
        }
        product *= a[c][c];
        for r in c + 1..n {
            let factor = a[r][c] / a[c][c];
            for j in c..n {
                let x = a[c][j];
                a[r][j] -= factor * x;
            }
        }
    }
    product
}

/// √(1 + y²) of the particle, up to a constant factor.
#[test]
fn the_density_of_the_nonholonomic_particle_is_the_published_one() {
    let model = gallery("nonholonomic-particle");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let density = measure(&mut w, &r).expect("an answer").density.expect("a density");
    let want = expression(&mut w, "sqrt(1 + y^2)");
    let ratio = w.g.div(density, want);
    let ratio = w.simplify(ratio);
    assert!(w.g.as_number(ratio).is_some(), "a constant ratio");
}

/// Whatever is called an integral is constant along motions.
#[test]
fn integrals_are_constant_along_motions() {
    let mut count = 0;
    for name in everything() {
        let mut model = gallery(&name);
        let Ok(state) = model.initial_state(&Overrides::default()) else { continue };
        let Some((mut w, r)) = reduced(&model) else { continue };
        if w.system.n() > 7 {
            continue;
        }
        let found = integrals(&mut w, &r, 2).unwrap_or_else(|e| panic!("{name}: {e}"));
        if found.list.is_empty() {
            continue;
        }
        let span = 2.0;
        let settings = Settings {
            until: state.time + span,
            at: (0..=20).map(|i| state.time + span * f64::from(i) / 20.0).collect(),
            tolerance: 1e-12,
            ..Settings::default()
        };
        let run = simulate(&mut w, &state, &settings, &mut |_| true).unwrap_or_else(|e| panic!("{name}: {e}"));
        let list: Vec<Expr> = found.list.iter().map(|i| i.expr).collect();
        let columns = values_along(&mut w, &list, &run.samples).expect("values");
        for (integral, column) in found.list.iter().zip(columns) {
            let size = column.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            let drift = column.iter().fold(0.0f64, |m, x| m.max((x - column[0]).abs()));
            assert!(drift < 1e-8 * size, "{name}: {} drifts by {drift}", integral.name);
            assert!(integral.how.holds(), "{name}: {}", integral.name);
            count += 1;
        }
    }
    assert!(count > 60, "{count} integrals");
}

/// How many of each kind: what the literature knows is found.
#[test]
fn integrals_of_the_literature_are_found() {
    for (name, kind, least) in [
        // Jellett's and Routh's, beside the energy.
        ("routh-sphere", Kind::Energy, 1),
        ("ball-on-turntable", Kind::MovingEnergy, 1),
        ("chaplygin-ball", Kind::Energy, 1),
        ("ball-on-plane", Kind::Gauge, 3),
    ] {
        let model = gallery(name);
        let (mut w, r) = reduced(&model).expect("it is reduced");
        let found = integrals(&mut w, &r, 2).expect("an answer");
        let count = found.list.iter().filter(|i| i.kind == kind).count();
        let list: Vec<&str> = found.list.iter().map(|i| i.name.as_str()).collect();
        assert!(count >= least, "{name}: {list:?}");
    }
    let model = gallery("routh-sphere");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    assert!(integrals(&mut w, &r, 2).expect("an answer").list.len() >= 3, "energy, Jellett's and Routh's");
}

/// A damped pendulum under a constant torque: sin θ = τ/(m g l), until the torque is too strong.
#[test]
fn families_are_followed_through_folds() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "pendulum under torque"
coordinates = ["theta"]
[parameters]
m = 2
g = 9.81
l = 0.5
c = 0.3
tau = 0
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*l*cos(theta)"
[forces]
theta = "tau - c*theta'"
[initial]
position = { theta = 0 }
velocity = { theta = 0 }
"#,
    );
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let tau = w.g.lookup("tau").expect("a parameter");
    let range = Range { target: Target::Parameter(tau), from: 0.0, to: 20.0, count: 21 };
    let a = steady(&mut w, &r, &state, &Question { given: Vec::new(), vary: vec![range] }).expect("a family");
    let [fold] = &a.critical[..] else { panic!("{:?}", a.critical) };
    assert_eq!(fold.what, What::Fold);
    assert!((fold.value - 9.81).abs() < 1e-12, "{}", fold.value);
    // Up to the fold and back: hanging members are stable, standing ones are not.
    assert_eq!(a.motions.len(), 20);
    for m in &a.motions {
        let theta = m.values[0].1;
        assert!((9.81 * theta.sin() - m.varied[0]).abs() < 1e-11, "{m:?}");
        let stable = if theta < std::f64::consts::FRAC_PI_2 { Stability::Asymptotic } else { Stability::Unstable };
        assert_eq!(m.stable, stable, "{m:?}");
    }
}

/// A wheel towed at constant speed V on a caster whose pivot gives way sideways, rolling without side slip. To first order
/// y' = V ψ + e ψ' and m (e − a)((e − a) ψ'' + V ψ') + J ψ'' + k e y = 0, whence the cubic
/// [m (e − a)² + J] λ³ + m (e − a) V λ² + k e² λ + k e V: by Hurwitz the wheel shimmies where J > m a (e − a), at any speed.
#[test]
fn shimmy_of_a_towed_wheel_sets_in_where_the_cubic_says() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "towed wheel"
coordinates = ["y", "psi"]
[parameters]
m = 3
J = 0.2
a = 0.1
e = 0.25
k = 4000
V = 2
[energy]
kinetic = "m/2*((V + a*sin(psi)*psi')^2 + (y' - a*cos(psi)*psi')^2) + J/2*psi'^2"
potential = "k*y^2/2"
[constraints]
rolls = "y'*cos(psi) - V*sin(psi) - e*psi' = 0"
[initial]
position = { y = 0, psi = 0 }
velocity = { psi = 0 }
"#,
    );
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(&model).expect("it is reduced");
    let l = linearise(&mut w, &r, &state, false).expect("linear equations");
    let (m, j, a, e, k, v) = (3.0, 0.2, 0.1, 0.25, 4000.0, 2.0);
    let lead: f64 = m * (e - a) * (e - a) + j;
    let want = [1.0, m * (e - a) * v / lead, k * e * e / lead, k * e * v / lead];
    assert_eq!(l.characteristic.len(), 4, "{:?}", l.variables);
    for (got, want) in l.characteristic.iter().zip(want) {
        assert!((got - want).abs() < 1e-9 * want.abs().max(1.0), "{:?} for {want:?}", l.characteristic);
    }
    assert_eq!(l.stable, Some(Stability::Unstable));
    let inertia = w.g.lookup("J").expect("a parameter");
    let range = Range { target: Target::Parameter(inertia), from: 0.02, to: 0.1, count: 5 };
    let found = steady(&mut w, &r, &state, &Question { given: Vec::new(), vary: vec![range] }).expect("a family");
    let flutter: Vec<f64> = found.critical.iter().filter(|c| c.what == What::Flutter).map(|c| c.value).collect();
    let [critical] = flutter[..] else { panic!("{:?}", found.critical) };
    assert!((critical - m * a * (e - a)).abs() < 1e-12, "{critical}");
    let s = symbolic(&mut w, &r, &state).expect("in letters");
    assert!(s.conditions.iter().any(|c| !c.holds), "{:?}", s.conditions);
}
