//! Contacts that may slide, and reactions that are not ideal.

use crate::common::{expression, gallery, load, settings, times};
use noslip::contact::friction::{Contact, contacts, grip, loads, reactions};
use noslip::contact::non_ideal::{LawFailure, simulate_non_ideal};
use noslip::expr::Expr;
use noslip::model::{Model, Overrides};
use noslip::simulate::Outcome;

/// The car of the book with tyres: static axle loads times the coefficient of friction.
fn car(coefficient: &str) -> Model {
    let model = load(&gallery::text("car-in-a-turn").replace("mu = 0.6 ", &format!("mu = {coefficient} ")));
    assert!(model.system.constraints.iter().all(|c| c.friction.is_some()));
    model
}

#[test]
fn the_car_of_the_book_slides_at_the_moment_its_margin_vanishes() {
    let mut model = car("0.6");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let list = contacts(&w);
    assert_eq!(list.len(), 2);
    let run = grip(&mut w, &list, &state, &settings(&times(20.0, 201), 1e-10)).unwrap();
    let slide = run.slides.expect("the car slides");
    assert!(slide.load.margin().abs() < 1e-6 * slide.load.limit, "{slide:?}");
    // Before that moment every sample has grip, right after it the contact has not.
    let after = run.simulation.samples.iter().position(|s| s.t > slide.t).unwrap();
    assert!(run.loads[..after].iter().flatten().all(|l| l.margin() > 0.0));
    assert!(run.loads[after][slide.contact].margin() < 0.0, "{:?}", run.loads[after]);
    assert_eq!(list[slide.contact].name, "front_axle");
    assert!((slide.t - 5.92).abs() < 0.01, "{}", slide.t);
    // Newton's law for the whole car along eta: M1 eta'' + M2 eta_F'' = forces + both reactions.
    for (s, r) in run.simulation.samples.iter().zip(&run.reactions) {
        let (phi, rate, xi_v) = (s.y[0], s.y[4], s.y[6]);
        let (eta_v, l1) = (s.y[7], 0.75);
        let front = s.accelerations[3] + l1 * (s.accelerations[0] * phi.cos() - rate * rate * phi.sin());
        let inertia = 1000.0 * s.accelerations[3] + 110.0 * front;
        let force = 2500.0 * phi.sin() - 100.0 * eta_v;
        let reaction = r[0][3] + r[1][3];
        assert!((inertia - force - reaction).abs() < 1e-6 * (1.0 + inertia.abs()), "t = {}, {xi_v}", s.t);
    }
}

#[test]
fn better_tyres_hold_longer_and_good_ones_hold() {
    let moment = |coefficient: &str| {
        let mut model = car(coefficient);
        let state = model.initial_state(&Overrides::default()).unwrap();
        let mut w = model.workbench();
        let list = contacts(&w);
        grip(&mut w, &list, &state, &settings(&times(12.0, 25), 1e-9)).unwrap()
    };
    let (worn, new) = (moment("0.3").slides.unwrap().t, moment("0.6").slides.map(|s| s.t));
    assert!(new.is_none_or(|t| t > worn + 0.1), "{worn} against {new:?}");
    let glued = moment("50");
    assert!(glued.slides.is_none() && glued.least.iter().all(|(_, l)| l.margin() > 0.0));
}

#[test]
fn reactions_are_written_in_the_original_coordinates() {
    let mut model = gallery::open("knife-edge-body");
    let expected: Vec<Expr> =
        ["lambda_knife*sin(phi)", "-lambda_knife*cos(phi)", "0"].iter().map(|t| expression(&mut model, t)).collect();
    let mut w = model.workbench();
    assert_eq!(reactions(&mut w), vec![expected]);
}

#[test]
fn two_directions_of_slip_at_one_contact_add_as_a_vector() {
    // The vertical disk on its circle needs the centripetal force m R theta' phi', whatever the heading.
    let mut model = gallery::open("vertical-disk");
    let limit = expression(&mut model, "0.4 + 0*x");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let contact = Contact { name: "tyre".into(), constraints: vec![0, 1], limit };
    let run = grip(&mut w, &[contact], &state, &settings(&times(5.0, 11), 1e-10)).unwrap();
    for load in run.loads.iter().flatten() {
        assert!((load.force - 0.4 * 2.0 * 0.5).abs() < 1e-9 && load.limit == 0.4, "{load:?}");
    }
    assert_eq!(run.slides.unwrap().t, 0.0, "0.4 N are not held by 0.4 N: no margin is left");
}

#[test]
fn friction_of_the_blade_slows_the_balanced_sledge_exponentially() {
    // Centre of mass over the blade: lambda = m v w; m v' = −mu |lambda| gives v = v0 exp(−mu w t), w constant.
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 0.5\nmu = 0.2\n[energy]\n\
         kinetic = \"m/2*(x'^2+y'^2)+J/2*phi'^2\"\n[constraints]\nblade = \"x'*sin(phi) - y'*cos(phi) = 0\"\n\
         [quasi_velocities]\nv = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n\
         [initial]\nposition = { x = 0, y = 0, phi = 0 }\nvelocity = { x = 3, phi = 1.5 }\n",
    );
    let law = vec![
        expression(&mut model, "-mu*abs(lambda_blade)*cos(phi)"),
        expression(&mut model, "-mu*abs(lambda_blade)*sin(phi)"),
        expression(&mut model, "0*x"),
    ];
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(4.0, 9), 1e-11)).unwrap();
    assert_eq!(run.samples.len(), 9);
    for s in &run.samples {
        let v = s.y[3] * s.y[2].cos() + s.y[4] * s.y[2].sin();
        let expected = 3.0 * (-0.2 * 1.5 * s.t).exp();
        assert!((v - expected).abs() < 1e-9, "v({}) = {v} against {expected}", s.t);
        assert!((s.multipliers[0].abs() - 2.0 * expected * 1.5).abs() < 1e-8);
        assert!(s.power < 0.0);
    }
}

/// A block on a movable wedge: the friction presses the wedge aside and so changes the normal force that makes it.
fn wedge() -> (Model, Vec<Expr>) {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"X\", \"x\", \"y\"]\n[parameters]\nM = 3\nm = 1.5\ng = 9.81\na = 0.9\nmu = 0.3\n\
         [energy]\nkinetic = \"M/2*X'^2 + m/2*(x'^2+y'^2)\"\npotential = \"m*g*y\"\n\
         [constraints]\nslope = \"y + (x - X)*a = 0\"\n[initial]\nposition = { X = 0, x = 0, y = 0 }\nvelocity = { X = 0, x = 0 }\n",
    );
    let law = ["mu*lambda_slope", "-mu*lambda_slope", "mu*lambda_slope*a"]
        .iter()
        .map(|t| expression(&mut model, t))
        .collect();
    (model, law)
}

#[test]
fn the_normal_force_on_a_movable_wedge_is_solved_together_with_its_friction() {
    let (mut model, law) = wedge();
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(1.0, 5), 1e-11)).unwrap();
    let (big, m, g, a, mu): (f64, f64, f64, f64, f64) = (3.0, 1.5, 9.81, 0.9, 0.3);
    let lambda = g / ((1.0 + mu * a) / m + a * (a - mu) * (1.0 / m + 1.0 / big));
    let ideal = g / (1.0 / m + a * a * (1.0 / m + 1.0 / big));
    assert!((lambda - ideal).abs() > 0.1);
    for s in &run.samples {
        assert!((s.multipliers[0] - lambda).abs() < 1e-10, "{} against {lambda}", s.multipliers[0]);
        let x = (a - mu) * lambda / m * s.t * s.t / 2.0;
        assert!((s.y[1] - x).abs() < 1e-9, "x({}) = {} against {x}", s.t, s.y[1]);
    }
    let (first, last) = (&run.samples[0], run.samples.last().unwrap());
    assert!(last.energy < first.energy - 0.1);
}

#[test]
fn a_law_for_which_no_reaction_is_found_is_refused_at_the_start() {
    let (mut model, _) = wedge();
    // lambda = 6.6… − 22.6… √(lambda² + 1): the right side is smaller than the left for every lambda.
    let law = ["0*x", "0*x", "50*sqrt(lambda_slope^2 + 1)"].map(|t| expression(&mut model, t)).to_vec();
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let error = simulate_non_ideal(&mut w, &law, &state, &settings(&times(1.0, 3), 1e-9)).unwrap_err();
    assert!(error.message.contains("no reaction was found"), "{error}");
}

/// Painlevé's rod: one end slides over a rough floor. By hand, with s = sin th, c = cos th, J = m l²/3 and friction
/// −mu |lambda| sign(u) at the end that moves with the speed u: the reaction solves
/// (1/m) (1 + 3c²) lambda + (3 mu/m) s c sign(u) |lambda| = g − l s th'².
fn rod(mu: f64, angle: f64, speed: f64, spin: f64) -> (Model, Vec<Expr>) {
    let mut model = load(&format!(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"th\"]\n[parameters]\nm = 1\nl = 1\nJ = \"m*l^2/3\"\ng = 9.81\nmu = {mu}\n\
         [definitions]\nx_E = \"x - l*cos(th)\"\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*th'^2\"\npotential = \"m*g*y\"\n\
         [constraints]\nfloor = \"y - l*sin(th) = 0\"\n\
         [initial]\nposition = {{ x = 0, th = {angle} }}\nvelocity = {{ x = {speed}, th = {spin} }}\n"
    ));
    let law = ["-mu*abs(lambda_floor)*sign(x_E')", "0*x", "-mu*abs(lambda_floor)*sign(x_E')*l*sin(th)"];
    let law = law.map(|t| expression(&mut model, t)).to_vec();
    (model, law)
}

#[test]
fn painleves_rod_has_one_reaction_two_or_none_as_by_hand() {
    let g = 9.81;
    for (mu, angle, speed, spin) in [
        (0.5, 1.0, -1.0, 0.0),
        (0.5, 1.0, 1.0, 0.0),
        (3.0, 1.0, -2.0, 0.0),
        (3.0, 1.0, -9.0, 6.0),
        (3.0, 1.0, 9.0, 6.0),
    ] {
        let (mut model, law) = rod(mu, angle, speed, spin);
        let state = model.initial_state(&Overrides::default()).unwrap();
        let mut w = model.workbench();
        let run = simulate_non_ideal(&mut w, &law, &state, &settings(&[0.0, 0.001], 1e-9));
        let (s, c) = (f64::sin(angle), f64::cos(angle));
        let sign = (speed + s * spin).signum();
        let (diagonal, coupling, right) = (1.0 + 3.0 * c * c, 3.0 * mu * s * c * sign, g - s * spin * spin);
        let mut expected = Vec::new();
        for side in [1.0, -1.0] {
            let lambda = right / (diagonal + side * coupling);
            if lambda * side > 0.0 {
                expected.push(lambda);
            }
        }
        match (expected.len(), run) {
            (1, Ok(run)) => {
                assert!((run.samples[0].multipliers[0] - expected[0]).abs() < 1e-9, "{:?}", run.samples[0]);
            }
            (2, Err(e)) => assert!(e.message.contains("2 reactions"), "{e}"),
            (0, Err(e)) => assert!(e.message.contains("no reaction satisfies"), "{e}"),
            (n, run) => panic!("mu = {mu}, speed {speed}, spin {spin}: {n} expected, {run:?}"),
        }
    }
}

#[test]
fn a_run_into_painleves_paradox_ends_there_with_the_reason() {
    // From t = 0.05 on the floor is rough: then no reaction satisfies Coulomb's law.
    let (mut model, _) = rod(3.0, 1.0, -2.0, 0.0);
    let grown = "-mu/2*(1 + sign(t - 0.05))*abs(lambda_floor)*sign(x_E')";
    let law = [grown.to_owned(), "0*x".into(), format!("{grown}*l*sin(th)")];
    let law = law.map(|t| expression(&mut model, &t)).to_vec();
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(0.2, 21), 1e-9)).unwrap();
    assert!(!run.outcome.is_success(), "{:?}", run.outcome);
    assert!((run.end.0 - 0.05).abs() < 1e-6, "{}", run.end.0);
    assert_eq!(run.samples.len(), 5, "those before the end are kept");
    let law = run.law.expect("the law is to blame");
    assert!(matches!(law, LawFailure::None { .. }), "{law:?}");
    assert!(law.describe(&["floor".into()]).contains("lambda_floor = "), "{law}");
}

#[test]
fn a_run_ends_where_sliding_does() {
    let (mut model, law) = rod(0.5, 1.0, -2.0, 0.0);
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(2.0, 201), 1e-9)).unwrap();
    let Outcome::Event { name, t, .. } = &run.outcome else { panic!("{:?}", run.outcome) };
    assert!(name.contains("sliding ends") && *t > 0.0 && *t < 2.0, "{name} at {t}");
    let y = &run.end.1;
    assert!((y[3] + y[2].sin() * y[5]).abs() < 1e-9, "the end of the rod is at rest: {y:?}");
}

#[test]
fn friction_of_several_constraints_is_solved_together() {
    // Two blades with friction each: the signs are tried in all four combinations, and one remains.
    let mut model = gallery::open("car-in-a-turn");
    let law = [
        "0*phi",
        "-0.01*abs(lambda_front_axle)*theta'",
        "-0.02*(abs(lambda_rear_axle) + abs(lambda_front_axle))*cos(phi)",
        "-0.02*(abs(lambda_rear_axle) + abs(lambda_front_axle))*sin(phi)",
    ];
    let law = law.map(|t| expression(&mut model, t)).to_vec();
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(4.0, 9), 1e-9)).unwrap();
    assert!(run.outcome.is_success() && run.most_iterations == 0);
    for s in &run.samples[1..] {
        let expected = -0.02 * (s.multipliers[0].abs() + s.multipliers[1].abs()) * s.y[0].cos();
        assert!((s.tangential[2] - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{s:?}");
    }
}

#[test]
fn the_rolling_disk_has_one_contact_whose_limit_follows_the_normal_force() {
    let mut model = gallery::open("rolling-disk");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let list = contacts(&w);
    assert_eq!((list.len(), list[0].name.as_str(), list[0].constraints.len()), (1, "ground", 2));
    let run = grip(&mut w, &list, &state, &settings(&times(2.0, 41), 1e-10)).unwrap();
    let (m, r, g, mu) = (1.4, 0.6, 9.81, 0.8);
    for (s, l) in run.simulation.samples.iter().zip(&run.loads) {
        let (theta, rate) = (s.y[1], s.y[6]);
        let normal = m * (g + r * (theta.cos() * s.accelerations[1] - theta.sin() * rate * rate));
        assert!((l[0].limit - mu * normal).abs() < 1e-9 * normal, "{l:?}");
        let force = s.multipliers[0].hypot(s.multipliers[1]);
        assert!((l[0].force - force).abs() < 1e-12 * (1.0 + force));
    }
    let now = loads(&mut w, &list, &state).unwrap();
    assert!((now[0].limit - run.loads[0][0].limit).abs() < 1e-9);
}
