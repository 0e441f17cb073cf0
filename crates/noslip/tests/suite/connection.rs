//! The momentum equation and the nonholonomic connection: as published, and against runs of the equations of motion.

use crate::motions::{expression, gallery, load};
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::model::{Model, Overrides};
use noslip::motions::connection::{Connection, Group, connection};
use noslip::motions::gait::{Gait, phase};
use noslip::simulate::{Settings, simulate};

fn derived(model: &Model) -> (Workbench, Connection) {
    let mut w = model.workbench();
    let c = connection(&mut w).expect("a connection");
    (w, c)
}

/// Are the two the same for all values?
fn same(w: &mut Workbench, e: Expr, text: &str) -> bool {
    let want = expression(w, text);
    let e = w.simplify(e - want);
    w.g.is_zero(e)
}

/// The same once J_t = m l² is put in, as Bloch, Krishnaprasad, Marsden and Murray do.
fn same_with(w: &mut Workbench, e: Expr, text: &str) -> bool {
    let (inertia, value) = (w.g.lookup("J_t").expect("a parameter"), expression(w, "m*l^2"));
    let e = w.g.substitute(e, &[(inertia, value)].into_iter().collect());
    same(w, e, text)
}

/// Bloch, Krishnaprasad, Marsden, Murray 1996, section 8.4, in the letters of the model.
#[test]
fn the_snakeboard_has_the_published_connection_and_momentum_equation() {
    let model = gallery("snakeboard");
    let (mut w, c) = derived(&model);
    let name = |s: &noslip::expr::Symbol| w.g.name(*s).to_owned();
    assert_eq!(c.kind, Group::Plane);
    assert_eq!(c.group.iter().map(name).collect::<Vec<_>>(), ["x", "y", "theta"]);
    assert_eq!(c.shape.iter().map(name).collect::<Vec<_>>(), ["psi", "phi"]);
    let [p] = &c.momenta[..] else { panic!("{:?}", c.momenta) };
    assert_eq!(w.g.name(p.symbol), "p", "the model's own momentum is recognised");
    assert!(c.how.is_proved(), "{:?}", c.how);
    assert!(same_with(&mut w, p.rate, "2*J_r*cos(phi)^2*phi'*psi' - tan(phi)*phi'*p"));
    for (k, (a, gamma)) in
        [("J_r*sin(2*phi)/(2*m*l)", "1/(2*m*l)"), ("0", "0"), ("J_r*sin(phi)^2/(m*l^2)", "tan(phi)/(2*m*l^2)")]
            .iter()
            .enumerate()
    {
        assert!(same_with(&mut w, c.connection[k][0], a), "{k}");
        assert!(same(&mut w, c.connection[k][1], "0"), "{k}");
        assert!(same_with(&mut w, c.inverse[k][0], gamma), "{k}");
    }
    let [(_, b)] = &c.curvature[..] else { panic!("one pair") };
    for (k, want) in ["-J_r*cos(2*phi)/(m*l)", "0", "-J_r*sin(2*phi)/(m*l^2)"].iter().enumerate() {
        assert!(same_with(&mut w, b[k], want), "{k}");
    }
}

/// Krishnaprasad and Tsakiris 2001: the momentum of the model, and its equation proved to follow from the equations of motion.
#[test]
fn momentum_equations_follow_from_the_equations_of_motion() {
    for (name, momenta) in [
        ("roller-racer", 1),
        ("chaplygin-sledge", 2),
        ("vertical-disk", 1),
        ("rolling-disk", 1),
        ("knife-edge-body", 2),
        ("suslov", 0),
        ("brockett-integrator", 0),
    ] {
        let model = gallery(name);
        let (w, c) = derived(&model);
        assert_eq!(c.momenta.len(), momenta, "{name}");
        assert!(c.how.is_proved(), "{name}: {:?}", c.how);
        if name == "roller-racer" {
            assert_eq!(w.g.name(c.momenta[0].symbol), "p");
        }
    }
}

/// A gait of the snakeboard and of the roller racer, followed in group and momenta, and run through the equations of motion.
#[test]
fn gaits_do_what_the_equations_of_motion_say() {
    for name in ["snakeboard", "roller-racer"] {
        let mut model = gallery(name);
        let state = model.initial_state(&Overrides::default()).expect("a state");
        let (mut w, c) = derived(&model);
        let omega = {
            let s = w.g.lookup("omega").expect("a parameter");
            w.system.values(&w.g, &[]).expect("values").at.get(s)
        };
        let start = w.value_at_initial_state(c.momenta[0].expr).expect("a momentum");
        let gait = Gait {
            shape: c.gait.clone().expect("the model's own gait"),
            period: std::f64::consts::TAU / omega,
            cycles: 2,
            momenta: vec![start],
            tolerance: 1e-12,
        };
        let p = phase(&mut w, &c, &gait).expect("a phase");
        let until = 2.0 * gait.period;
        let settings = Settings { until, at: vec![until], tolerance: 1e-12, ..Settings::default() };
        let run = simulate(&mut w, &state, &settings, &mut |_| true).expect("a motion");
        let y = &run.samples.last().expect("a sample").y;
        for (k, s) in c.group.iter().enumerate() {
            let i = w.system.coordinates.iter().position(|q| q == s).expect("a coordinate");
            assert!((p.displacement[k] - (y[i] - state.position[i])).abs() < 1e-8, "{name}: {:?}", p.displacement);
        }
        assert!(p.geometric.is_some(), "{name}");
    }
}

/// Two wheels on an axle: the shape is their turning. Small circles in it move the axle sideways by −∬B, up to third order.
#[test]
fn the_geometric_phase_of_a_small_gait_is_the_curvature() {
    let model = load(
        r#"noslip = 1
[system]
name = "axle"
coordinates = ["x", "y", "theta", "a", "b"]
[parameters]
m = 2
J = 0.3
I = 0.1
R = 0.2
d = 0.4
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*(a'^2 + b'^2)"
[constraints]
across = "y'*cos(theta) = x'*sin(theta)"
left = "x'*cos(theta) + y'*sin(theta) - d*theta' = R*a'"
right = "x'*cos(theta) + y'*sin(theta) + d*theta' = R*b'"
"#,
    );
    let (mut w, c) = derived(&model);
    assert!(c.momenta.is_empty());
    let (r, d) = (0.2, 0.4);
    let mut errors = Vec::new();
    for size in ["1/10", "1/20"] {
        let shape = ["cos(t)", "sin(t)"].map(|f| expression(&mut w, &format!("{size}*{f}"))).to_vec();
        let gait = Gait { shape, period: std::f64::consts::TAU, cycles: 1, momenta: Vec::new(), tolerance: 1e-13 };
        let p = phase(&mut w, &c, &gait).expect("a phase");
        let geometric = p.geometric.expect("a closed gait");
        let radius: f64 = if size == "1/10" { 0.1 } else { 0.05 };
        // A_a = −(R/2, 0, −R/2d), A_b = −(R/2, 0, R/2d): −B = [A_a, A_b] = (0, −R²/2d, 0).
        let want = -r * r / (2.0 * d) * std::f64::consts::PI * radius * radius;
        assert!(geometric[0].abs() < 1e-12 && (geometric[1] - want).abs() < 1e-10, "{geometric:?} for {want}");
        errors.push((p.displacement[1] - geometric[1]).abs() + (p.displacement[0] - geometric[0]).abs());
    }
    // Halved, the gait's displacement is wrong by an eighth.
    assert!(errors[1] < 0.2 * errors[0], "{errors:?}");
}

/// A trailer whose heading is counted from a fixed direction: its connection is that of the same trailer with the angle at the hitch.
#[test]
fn headings_counted_from_a_fixed_direction_give_the_same_connection() {
    let text = |angle: &str, heading: &str| {
        format!(
            r#"noslip = 1
[system]
name = "car with trailer"
coordinates = ["x", "y", "theta", "{angle}"]
[parameters]
m = 2
n = 0.7
J = 0.5
K = 0.1
d = 0.9
[definitions]
X = "x - d*cos({heading})"
Y = "y - d*sin({heading})"
[energy]
kinetic = "m/2*(x'^2 + y'^2) + n/2*(X'^2 + Y'^2) + J/2*theta'^2 + K/2*({turning})^2"
[constraints]
car = "x'*sin(theta) - y'*cos(theta) = 0"
trailer = "X'*sin({heading}) - Y'*cos({heading}) = 0"
"#,
            turning = if heading == "beta" { "beta'" } else { "theta' + rho'" },
        )
    };
    let (mut one, c) = derived(&load(&text("beta", "beta")));
    let (two, d) = derived(&load(&text("rho", "theta + rho")));
    let shape: Vec<&str> = c.shape.iter().map(|&s| one.g.name(s)).collect();
    assert_eq!((c.kind, shape), (Group::Plane, vec!["beta_rel"]));
    assert!(d.relative.is_empty() && c.how.is_proved() && d.how.is_proved());
    let [(_, difference)] = c.relative[..] else { panic!("{:?}", c.relative) };
    assert!(same(&mut one, difference, "beta - theta"));
    // The same numbers at the same shapes, velocities and momenta.
    let at = |w: &Workbench, e: Expr, rho: &str, k: f64| {
        let mut values = w.system.values(&w.g, &[]).expect("values");
        for (name, x) in [(rho.to_owned(), 0.3 * k), (format!("{rho}'"), 1.0 - k), ("p".into(), k + 0.5)] {
            if let Some(s) = w.g.lookup(&name) {
                values.at.set(s, x);
            }
        }
        values.evaluate(&noslip::expr::Evaluator::new(&w.g, &[e]))[0]
    };
    assert_eq!(c.momenta.len(), d.momenta.len());
    let pairs = c.connection.iter().flatten().zip(d.connection.iter().flatten());
    let rates = c.momenta.iter().map(|m| &m.rate).zip(d.momenta.iter().map(|m| &m.rate));
    for (&a, &b) in pairs.chain(rates) {
        for k in [0.4, 1.1, 1.9] {
            let (a, b) = (at(&one, a, "beta_rel", k), at(&two, b, "rho", k));
            assert!(a.is_finite() && (a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} for {b}");
        }
    }
}
