//! Steady motions of the literature: where they are stable.

use crate::motions::{at, expression, gallery, load, names, reduced};
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides, State};
use noslip::motions::linearise::{Stability, linearise};
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Answer, Question, Range, Target, steady};
use noslip::motions::{What, symbolic};

fn prepared(model: &mut Model, overrides: &Overrides) -> (Workbench, Reduction, State) {
    let state = model.initial_state(overrides).expect("a state");
    let (mut w, r) = reduced(model).expect("it is reduced");
    let r = r.relative(&mut w);
    (w, r, state)
}

fn vary(w: &mut Workbench, r: &Reduction, state: &State, name: &str, from: f64, to: f64, count: usize) -> Answer {
    let target = match w.system.parameters.iter().find(|p| w.g.name(p.symbol) == name) {
        Some(p) => Target::Parameter(p.symbol),
        None => Target::Function(expression(w, name)),
    };
    let question = Question { given: Vec::new(), vary: vec![Range { target, from, to, count }] };
    steady(w, r, state, &question).expect("a family")
}

fn value(w: &Workbench, name: &str) -> f64 {
    let s = w.g.lookup(name).expect("a parameter");
    w.system.values(&w.g, &[]).expect("values").at.get(s)
}

/// Ebenfeld and Scheck 1995; Rauch-Wojciechowski, Sköldstam and Glad 2005: with friction the top spins upright stably below
/// n² = m g a (1 − a/R)²/(I₁ − I₃(1 − a/R)), turned over above n² = m g a (1 + a/R)²/(I₃(1 + a/R) − I₁).
#[test]
fn the_tippe_top_turns_over_beyond_the_published_spin() {
    for (alpha, sign) in [(0.0, 1.0), (std::f64::consts::PI, -1.0)] {
        let mut model = gallery("tippe-top");
        let start = at(&[(3, alpha)], &[(0, 0.0), (1, 0.0), (3, 0.0), (4, 0.0), (5, 20.0)]);
        let (mut w, r, state) = prepared(&mut model, &start);
        let [m, g, a, radius, i1, i3] = ["m", "g", "a", "R", "I1", "I3"].map(|name| value(&w, name));
        let ratio = 1.0 - sign * a / radius;
        let want = ratio * (m * g * a / (sign * (i1 - i3 * ratio))).sqrt();
        let found = vary(&mut w, &r, &state, "gamma'", 5.0, 120.0, 47);
        let flutter: Vec<f64> = found.critical.iter().filter(|c| c.what == What::Flutter).map(|c| c.value).collect();
        let [critical] = flutter[..] else { panic!("{:?}", found.critical) };
        assert!((critical - want).abs() < 1e-8 * want, "{critical} for {want}");
        for motion in &found.motions {
            let stable = (motion.varied[0] < want) == (sign > 0.0);
            let expected = if stable { Stability::Asymptotic } else { Stability::Unstable };
            assert_eq!(motion.stable, expected, "{motion:?}");
        }
    }
}

/// Keldysh's wheel: by Hurwitz (α l − β)(J β V² − b l) > 0.
#[test]
fn the_wheel_with_an_elastic_tyre_shimmies_where_the_closed_form_says() {
    for trail in [0.1, 0.5] {
        let mut model = gallery("keldysh-wheel");
        let l = model.arena.lookup("l").expect("a parameter");
        let x = model.arena.fraction((trail * 10.0) as i64, 10);
        model.system.parameters.iter_mut().filter(|p| p.symbol == l).for_each(|p| p.value = x);
        let (mut w, r, state) = prepared(&mut model, &at(&[(0, 0.0)], &[(0, 0.0)]));
        assert_eq!(names(&w, &r.closed()), ["theta", "s", "phi", "theta'"]);
        let [j, b, alpha, beta] = ["J", "b", "alpha", "beta"].map(|name| value(&w, name));
        let want = (b * trail / (j * beta)).sqrt();
        let found = vary(&mut w, &r, &state, "V", 0.5, 12.0, 24);
        let flutter: Vec<f64> = found.critical.iter().filter(|c| c.what == What::Flutter).map(|c| c.value).collect();
        let [critical] = flutter[..] else { panic!("{:?}", found.critical) };
        assert!((critical - want).abs() < 1e-10 * want, "{critical} for {want}");
        for motion in &found.motions {
            let v = motion.varied[0];
            let stable = (alpha * trail - beta) * (j * beta * v * v - b * trail) > 0.0;
            let expected = if stable { Stability::Asymptotic } else { Stability::Unstable };
            assert_eq!(motion.stable, expected, "{motion:?}");
        }
        // In letters: some condition changes its sign just there.
        let s = symbolic(&mut w, &r, &state).expect("in letters");
        let speed = w.g.lookup("V").expect("a parameter");
        let mut values = w.system.values(&w.g, &[]).expect("values");
        for v in [0.9 * want, 1.1 * want] {
            values.at.set(speed, v);
            let list: Vec<_> = s.conditions.iter().map(|c| c.expr).collect();
            let all = values.evaluate(&noslip::expr::Evaluator::new(&w.g, &list)).iter().all(|&x| x > 0.0);
            assert_eq!(all, (alpha * trail - beta) * (j * beta * v * v - b * trail) > 0.0, "{v}");
        }
    }
}

/// Headings counted from a fixed direction: the differences are found, towing is stable, pushing is not, and in a circle the trailer
/// stands at sin(θ₀ − θ₁) = d ω/v.
#[test]
fn a_car_with_trailers_is_stable_forwards_and_not_backwards() {
    for (name, trailers) in [("car-with-trailer", 1), ("car-with-two-trailers", 2), ("car-with-three-trailers", 3)] {
        for quasi in [true, false] {
            let mut model = gallery(name);
            if !quasi {
                model.system.quasi_velocities.clear();
            }
            let straight: Vec<(usize, f64)> = (0..=trailers).map(|i| (2 + i, 0.0)).collect();
            let (mut w, r, state) = prepared(&mut model, &at(&straight, &[(0, 1.0), (2, 0.0)]));
            let closed = names(&w, &r.closed());
            assert_eq!(closed.len(), trailers + 2, "{name}: {closed:?}");
            assert_eq!(r.relative.len(), trailers, "{name}: {closed:?}");
            let ahead = w.g.name(r.flow.free[0]).to_owned();
            for (speed, stable) in [(1.3, Stability::Asymptotic), (-1.3, Stability::Unstable)] {
                let target = Target::Function(expression(&mut w, &ahead));
                let turn = w.g.symbol(r.flow.free[1]);
                let given = vec![(target, speed), (Target::Function(turn), 0.0)];
                let found = steady(&mut w, &r, &state, &Question { given, vary: Vec::new() }).expect("a motion");
                assert_eq!(found.motions[0].stable, stable, "{name}: {:?}", found.motions);
                // Each trailer on its own: −v/d.
                let rates: Vec<f64> = found.motions[0].eigenvalues.iter().map(|z| z.re).collect();
                for i in 1..=trailers {
                    let want = -speed / value(&w, &format!("d{i}"));
                    assert!(rates.iter().any(|x| (x - want).abs() < 1e-9), "{name}: {want} in {rates:?}");
                }
            }
        }
    }
    // By the names of the quasi-velocities, backwards, straight and in a circle: sin(θ₀ − θ₁) = d₁ ω/v again.
    let mut model = gallery("car-with-two-trailers");
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    for turn in [0.0, 0.3] {
        let given = [("v", -1.0), ("w", turn)].map(|(s, x)| (Target::Function(expression(&mut w, s)), x)).to_vec();
        let found = steady(&mut w, &r, &state, &Question { given, vary: Vec::new() }).expect("backwards");
        let angle = found.motions[0].values[0].1;
        assert!((angle.sin() - value(&w, "d1") * turn).abs() < 1e-9, "{:?}", found.motions);
        assert_eq!(found.motions[0].stable, Stability::Unstable, "{:?}", found.motions);
    }
    let mut model = gallery("car-with-trailer");
    let (mut w, r, state) = prepared(&mut model, &Overrides::default());
    let given = [("v", 2.0), ("w", 0.5)].map(|(s, x)| (Target::Function(expression(&mut w, s)), x)).to_vec();
    let found = steady(&mut w, &r, &state, &Question { given, vary: Vec::new() }).expect("a circle");
    let angle = found.motions[0].values[0].1;
    assert!((angle.sin() + value(&w, "d1") * 0.25).abs() < 1e-12, "{:?}", found.motions);
    assert_eq!(found.motions[0].stable, Stability::Asymptotic);
}

/// A sphere with its centre of mass at the distance l below its middle rolls spinning about the vertical. To first order, with ξ = tilt as a
/// complex number, [I₁ + m (R − l)²] ξ'' − i n [I₃ + m R (R − l)] ξ' + … = 0 (Routh 1905): the eigenvalues are on the axis where the
/// discriminant says.
#[test]
fn rouths_sphere_spins_upright_where_the_discriminant_is_positive() {
    let text = |l: f64| {
        format!(
            r#"noslip = 1
[system]
name = "Routh's sphere upright"
coordinates = ["x", "y", "alpha", "beta", "gamma"]
[parameters]
m = 0.8
R = 0.5
l = {l}
I1 = 0.05
I3 = 0.07
g = 9.81
[frames]
ball = {{ at = ["x", "y", "R"], turn = [{{ x = "alpha" }}, {{ y = "beta" }}, {{ z = "gamma" }}] }}
[bodies.ball]
mass = "m"
center = [0, 0, "-l"]
shape = {{ ball = "R" }}
inertia = ["I1", "I1", "I3"]
[gravity]
g = "g"
[contacts.roll]
body = "ball"
rolls_on = "ground"
[initial]
position = {{ x = 0, y = 0, alpha = 0, beta = 0, gamma = 0 }}
velocity = {{ alpha = 0, beta = 0, gamma = 3 }}
"#
        )
    };
    let (m, radius, i1, i3, g) = (0.8, 0.5, 0.05, 0.07, 9.81);
    for l in [0.15, -0.15] {
        let mut model = load(&text(l));
        let (mut w, r, state) = prepared(&mut model, &Overrides::default());
        let inertia: f64 = i1 + m * (radius - l) * (radius - l);
        let gyroscopic = i3 + m * radius * (radius - l);
        for n in [3.0, 8.0, 20.0] {
            let given = vec![(Target::Function(expression(&mut w, "gamma'")), n)];
            let found = steady(&mut w, &r, &state, &Question { given, vary: Vec::new() }).expect("spinning upright");
            // ξ ~ e^{iωt}: inertia ω² − gyroscopic n ω + … ; the constant term is found from the equation at n = 0.
            let mut frequencies: Vec<f64> =
                found.motions[0].eigenvalues.iter().filter(|z| z.im > 1e-9).map(|z| z.im).collect();
            frequencies.sort_by(f64::total_cmp);
            let stiffness = m * g * l;
            let discriminant = gyroscopic * gyroscopic * n * n + 4.0 * inertia * stiffness;
            // In axes that do not spin the tilt obeys inertia ξ'' − i n gyroscopic ξ' + stiffness ξ = 0.
            if discriminant > 0.0 {
                let root = discriminant.sqrt();
                let mut want = [(gyroscopic * n + root) / (2.0 * inertia), (gyroscopic * n - root) / (2.0 * inertia)];
                want.iter_mut().for_each(|x| *x = x.abs());
                want.sort_by(f64::total_cmp);
                assert_eq!(found.motions[0].stable, Stability::Marginal, "{:?}", found.motions);
                assert_eq!(frequencies.len(), 2, "{:?}", found.motions[0].eigenvalues);
                for (x, y) in frequencies.iter().zip(want) {
                    assert!((x - y).abs() < 1e-9 * y, "l = {l}, n = {n}: {frequencies:?} for {want:?}");
                }
            } else {
                assert_eq!(found.motions[0].stable, Stability::Unstable, "{:?}", found.motions);
            }
        }
    }
}

/// The rattleback prefers one sense of spin: what grows in the one decays in the other, and of its two modes each sense makes
/// another one grow.
#[test]
fn the_rattleback_tells_its_two_senses_of_spin_apart() {
    let mut model = gallery("rattleback");
    let mut spectra = Vec::new();
    for spin in [5.0, -5.0] {
        let start = at(&[(2, 0.0), (3, 0.0)], &[(2, 0.0), (3, 0.0), (4, spin)]);
        let (mut w, r, state) = prepared(&mut model, &start);
        let l = linearise(&mut w, &r, &state, false).expect("a steady motion");
        assert_eq!(l.stable, Some(Stability::Unstable));
        assert_eq!(l.zero, 1);
        spectra.push(l.eigenvalues);
    }
    let modes = |k: usize| -> Vec<(f64, f64)> {
        let mut list: Vec<(f64, f64)> = spectra[k].iter().filter(|z| z.im > 1.0).map(|z| (z.im, z.re)).collect();
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list
    };
    let (one, other) = (modes(0), modes(1));
    assert_eq!((one.len(), other.len()), (2, 2), "{spectra:?}");
    for (a, b) in one.iter().zip(&other) {
        assert!((a.0 - b.0).abs() < 1e-9 * a.0, "{one:?} {other:?}");
        assert!((a.1 + b.1).abs() < 1e-9 * a.1.abs().max(1.0), "{one:?} {other:?}");
    }
    // Pitching and rolling grow for opposite senses (Walker 1896, Bondi 1986).
    assert!(one[0].1 * one[1].1 < 0.0, "{one:?}");
}
