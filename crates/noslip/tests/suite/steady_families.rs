//! Families of steady motions in letters: against the rates, closed forms and Newton's method.

use crate::motions::{expression, gallery, load, names, reduced};
use noslip::expr::{Evaluator, Expr};
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides};
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Answer, Question, steady};
use noslip::motions::{ExactFamily, Families};

fn found(model: &mut Model) -> (Workbench, Reduction, Answer) {
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let (mut w, r) = reduced(model).expect("it is reduced");
    let r = r.relative(&mut w);
    let a = steady(&mut w, &r, &state, &Question::default()).expect("a motion");
    (w, r, a)
}

fn letters(a: &Answer) -> &Families {
    a.exact.as_ref().expect("families in letters")
}

fn value(w: &mut Workbench, f: &ExactFamily, name: &str) -> Option<Expr> {
    f.values.iter().find(|(s, _)| w.g.name(*s) == name).map(|x| x.1)
}

/// Is a member of a family what a text says?
fn is(w: &mut Workbench, f: &ExactFamily, name: &str, text: &str) -> bool {
    let want = expression(w, text);
    value(w, f, name).is_some_and(|e| {
        let e = w.simplify(e - want);
        w.g.is_zero(e)
    })
}

/// At values of what is free at which everything is real, all rates vanish; such values must exist.
fn rates_vanish(w: &mut Workbench, r: &Reduction, f: &ExactFamily) -> bool {
    let mut rates: Vec<Expr> = r.shape.iter().map(|&s| r.flow.rate_of(s).expect("a rate")).collect();
    rates.extend(&r.flow.right);
    rates.extend(&r.ties);
    let solved: Vec<Expr> = f.values.iter().map(|x| x.1).collect();
    let mut values = w.system.values(&w.g, &[]).expect("values");
    let mut seen = 0;
    for k in 0..200u32 {
        for (i, &s) in f.free.iter().enumerate() {
            values.at.set(s, ((k * 7 + 3) * (i as u32 * 5 + 2) % 61) as f64 / 20.0 - 1.5);
        }
        let numbers = values.evaluate(&Evaluator::new(&w.g, &solved));
        let provided = values.evaluate(&Evaluator::new(&w.g, &f.provided));
        if numbers.iter().any(|x| !x.is_finite()) || provided.iter().any(|x| x.abs() < 1e-3) {
            continue;
        }
        for ((s, _), x) in f.values.iter().zip(&numbers) {
            values.at.set(*s, *x);
        }
        let list = values.evaluate(&Evaluator::new(&w.g, &rates));
        let scale = 1.0 + numbers.iter().fold(0.0f64, |m, x| m.max(x * x));
        if list.iter().any(|x| x.is_finite() && x.abs() > 1e-8 * scale) {
            return false;
        }
        seen += usize::from(list.iter().all(|x| x.is_finite()));
    }
    seen > 0
}

#[test]
fn the_sleigh_slides_straight_at_any_speed() {
    let mut model = gallery("chaplygin-sledge");
    let (mut w, r, a) = found(&mut model);
    let exact = letters(&a).clone();
    assert!(exact.complete);
    let [family] = &exact.list[..] else { panic!("{exact:?}") };
    assert_eq!(names(&w, &family.free), ["s"]);
    assert!(is(&mut w, family, "w", "0") && family.how.is_proved(), "{family:?}");
    assert!(rates_vanish(&mut w, &r, family));
    // Newton's method alone runs into rest, where the family cannot be seen.
    assert_eq!((a.dimension, a.motions[0].zero), (1, 1), "{:?}", a.motions);
    let s = a.motions[0].values[0].1;
    let want = w.value_at_initial_state(r.flow.expressions[0]).expect("a speed");
    assert!((s - want).abs() < 1e-12, "{s} for {want}");
}

/// The disk rolls in circles, two numbers to be chosen, or straight on.
#[test]
fn the_disk_rolls_in_circles_and_straight_on() {
    let mut model = gallery("rolling-disk");
    let (mut w, r, a) = found(&mut model);
    let exact = letters(&a).clone();
    assert!(exact.complete, "{exact:?}");
    assert!(exact.list.iter().all(|f| f.how.is_proved()), "{exact:?}");
    let circles = &exact.list[0];
    assert_eq!((circles.dimension(), names(&w, &circles.free).len()), (2, 2), "{circles:?}");
    assert!(is(&mut w, circles, "u2", "0"));
    for f in &exact.list {
        assert!(rates_vanish(&mut w, &r, f), "{f:?}");
    }
    let straight = exact.list.iter().find(|f| is(&mut w, f, "theta", "pi/2")).expect("upright").clone();
    assert_eq!(names(&w, &straight.free), ["u3"]);
    assert!(is(&mut w, &straight, "u1", "0") && is(&mut w, &straight, "u2", "0"), "{straight:?}");
}

#[test]
fn a_pendulum_under_torque_stands_at_an_inverse_sine() {
    let mut model = load(
        r#"noslip = 1
[system]
name = "pendulum under torque"
coordinates = ["theta"]
[parameters]
m = 2
g = 9.81
l = 0.5
tau = 3
[energy]
kinetic = "m*l^2*theta'^2/2"
potential = "-m*g*l*cos(theta)"
[forces]
theta = "tau"
[initial]
position = { theta = 0 }
velocity = { theta = 0 }
"#,
    );
    let (mut w, r, a) = found(&mut model);
    let exact = letters(&a).clone();
    assert!(exact.complete && exact.list.len() == 2, "{exact:?}");
    for text in ["asin(tau/(m*g*l))", "pi - asin(tau/(m*g*l))"] {
        assert!(exact.list.iter().any(|f| is(&mut w, f, "theta", text)), "{text}: {exact:?}");
    }
    assert!(exact.list.iter().all(|f| rates_vanish(&mut w, &r, f)));
    assert!((a.motions[0].values[0].1 - (3.0f64 / 9.81).asin()).abs() < 1e-12);
}

/// A wheel that carries a pendulum: upright or hanging it goes anywhere; leaning it turns with ψ'² = −g (M + m)/(l M cos β), below the axle.
#[test]
fn a_pendulum_on_a_wheel_has_four_families() {
    let mut model = load(PENDULUM);
    let (mut w, r, a) = found(&mut model);
    let exact = letters(&a).clone();
    assert!(exact.complete, "{exact:?}");
    for f in &exact.list {
        assert!(f.how.is_proved() && rates_vanish(&mut w, &r, f), "{f:?}");
    }
    for (angle, free) in [("0", 2), ("pi", 2)] {
        let f = exact.list.iter().find(|f| is(&mut w, f, "beta", angle)).expect("a family");
        assert_eq!(f.free.len(), free, "{f:?}");
    }
}

pub(crate) const PENDULUM: &str = r#"noslip = 1
[system]
name = "wheel with a pendulum"
coordinates = ["x", "y", "psi", "beta"]
[parameters]
M = 10
m = 3
J = 0.7
l = 0.8
g = 9.81
[definitions]
X = "x + l*sin(beta)*cos(psi)"
Y = "y + l*sin(beta)*sin(psi)"
[energy]
kinetic = "M/2*(x'^2 + y'^2) + J/2*psi'^2 + m/2*(X'^2 + Y'^2 + (l*sin(beta)*beta')^2)"
potential = "m*g*l*cos(beta)"
[constraints]
wheel = "y'*cos(psi) - x'*sin(psi) = 0"
[initial]
position = { x = 0, y = 0, psi = 0.3, beta = 0.1 }
velocity = { x = "2*cos(0.3)", psi = 0.5, beta = 0 }
"#;

/// What is found in letters for the models of the gallery is steady, and what Newton's method finds is a member where all are known.
#[test]
fn families_of_the_gallery_are_steady() {
    let mut count = 0;
    for name in
        ["hoop", "euler-disk", "ball-on-turntable", "routh-sphere", "figure-skater", "suslov", "car-with-trailer"]
    {
        let mut model = gallery(name);
        let (mut w, r, a) = found(&mut model);
        let Some(exact) = &a.exact else { continue };
        for f in exact.list.iter().filter(|f| f.relations.is_empty()) {
            assert!(f.how.holds() && rates_vanish(&mut w, &r, f), "{name}: {f:?}");
            count += 1;
        }
    }
    assert!(count > 8, "{count} families");
}
