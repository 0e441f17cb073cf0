//! Contacts that slide, stick, open and close, against closed forms and against smooth models of each phase.

use crate::common::{gallery, load, settings, times};
use noslip::contact::switching::{Change, Switched, initial_state, run as run_it, sweeper};
use noslip::model::{Model, Overrides, State};
use noslip::simulate::simulate;
use std::f64::consts::PI;

fn switched(model: &Model, at: &[f64]) -> Switched {
    let mut w = model.workbench();
    let state = initial_state(&mut w, &Overrides::default()).unwrap();
    run_it(&mut w, &state, &settings(at, 1e-12), &mut |_| true).unwrap()
}

fn changes(run: &Switched) -> Vec<(f64, &Change)> {
    run.switches.iter().map(|s| (s.t, &s.change)).collect()
}

/// A block on a spring on a belt. It sticks until k x = μ m g, slides about x = μ' g m/k, and sticks when it has the belt's speed
/// again: both moments are elementary.
#[test]
fn a_block_on_a_belt_sticks_and_slips_at_the_moments_of_the_closed_form() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[parameters]\nm = 1\nk = 4\ng = 9.81\nv0 = 0.5\n\
         [energy]\nkinetic = \"m/2*x'^2\"\npotential = \"k/2*x^2\"\n\
         [constraints]\nbelt = { equation = \"x' = v0\", friction = \"0.3*m*g\", sliding = \"0.2*m*g\" }\n\
         [initial]\nposition = { x = 0 }\n",
    );
    let run = switched(&model, &times(8.0, 9));
    let (v0, omega) = (0.5f64, 2.0f64);
    let (slip, middle) = (0.3 * 9.81 / 4.0, 0.2 * 9.81 / 4.0);
    let first = slip / v0;
    let turn = (2.0 * PI - 2.0 * ((slip - middle) * omega / v0).atan()) / omega;
    // Sticking again at x = 2·middle − slip, it goes back to the same place.
    let stuck = 2.0 * (slip - middle) / v0;
    let expected = [first, first + turn, first + turn + stuck, first + 2.0 * turn + stuck];
    let found = changes(&run);
    assert_eq!(found.len(), 4, "{found:?}");
    for (i, &t) in expected.iter().enumerate() {
        assert!((found[i].0 - t).abs() < 1e-7, "{} for {t}", found[i].0);
        let right = if i % 2 == 0 {
            matches!(found[i].1, Change::Slides(s) if *s < 0.0)
        } else {
            *found[i].1 == Change::Sticks
        };
        assert!(right, "{found:?}");
    }
    // The reaction is that of the spring while it sticks, and the friction of sliding while it slides.
    let samples = &run.simulation.samples;
    assert!((samples[1].multipliers[0] - 4.0 * v0).abs() < 1e-9, "{:?}", samples[1]);
    assert!((samples[2].multipliers[0] - 0.2 * 9.81).abs() < 1e-9, "{:?}", samples[2]);
}

/// The same block with weight: μ times the reaction of the belt in place of μ m g. Friction and reaction are found together; the belt
/// gives energy whether the block sticks or slides, and all of it is accounted for.
#[test]
fn a_block_pressed_by_its_weight_sticks_and_slips_as_the_closed_form_says() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[parameters]\nm = 1\nk = 4\ng = 9.81\nv0 = 0.5\n\
         [energy]\nkinetic = \"m/2*(x'^2 + z'^2)\"\npotential = \"k/2*x^2 + m*g*z\"\n\
         [constraints]\nbelt = \"z = 0\"\n\
         grip = { equation = \"x' = v0\", friction = \"0.3*abs(lambda_belt)\", sliding = \"0.2*abs(lambda_belt)\" }\n",
    );
    let run = switched(&model, &times(8.0, 9));
    let (v0, omega, k) = (0.5f64, 2.0f64, 4.0);
    let (slip, middle) = (0.3 * 9.81 / 4.0, 0.2 * 9.81 / 4.0);
    let first = slip / v0;
    let turn = (2.0 * PI - 2.0 * ((slip - middle) * omega / v0).atan()) / omega;
    let stuck = 2.0 * (slip - middle) / v0;
    let expected = [first, first + turn, first + turn + stuck, first + 2.0 * turn + stuck];
    let found = changes(&run);
    assert_eq!(found.len(), 4, "{found:?}");
    found.iter().zip(expected).for_each(|((t, _), at)| assert!((t - at).abs() < 1e-8, "{t} for {at}"));
    assert!((run.simulation.samples[2].multipliers[1] - 0.2 * 9.81).abs() < 1e-9);
    assert!((run.simulation.samples[2].multipliers[0] - 9.81).abs() < 1e-9);
    // While it slides friction takes 0.2 m g times the slip, which is the way of the belt less that of the block.
    let back = 2.0 * middle - slip;
    let slide = 0.2 * 9.81 * (v0 * turn - (back - slip));
    assert!((run.friction - 2.0 * slide).abs() < 1e-9, "{} for {}", run.friction, 2.0 * slide);
    // The belt pulls with the force of the spring while it holds, with 0.2 m g while it slides.
    let last = run.simulation.end.1[0];
    let held = |from: f64, to: f64| k / 2.0 * (to * to - from * from);
    let given = held(0.0, slip) + held(back, slip) + held(back, last) + 2.0 * 0.2 * 9.81 * v0 * turn;
    assert!((run.given - given).abs() < 1e-9, "{} for {given}", run.given);
    assert!(run.balance().abs() < 1e-9, "{}", run.balance());
}

/// The car of example II.5 slides sideways with both axles. The loads on the axles are such that friction has no moment about the
/// mass centre: it does not turn, and stops after v/(μg), having gone v²/(2μg). Then both axles hold, and it drives on.
#[test]
fn the_car_of_the_book_slides_sideways_and_holds_again() {
    let (speed, mu, g, force) = (3.0f64, 0.6, 9.81, 2500.0);
    let text = gallery::text("car-in-a-turn")
        .replace("L10 = 15 ", "L10 = 0 ")
        .replace("kappa2 = 100 ", "kappa2 = 0 ")
        .replace("theta = \"pi/180\"", "theta = 0")
        .replace("xi = 0.00176856", "phi = 0, xi = 10, eta = 3");
    let run = switched(&load(&text), &[0.0, 0.2, 2.0]);
    let rest = speed / (mu * g);
    let found: Vec<(f64, &str, &Change)> = run.switches.iter().map(|s| (s.t, s.contact.as_str(), &s.change)).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for (t, _, change) in &found {
        assert!((t - rest).abs() < 1e-9 && **change == Change::Sticks, "{found:?}");
    }
    let (mass, end) = (1110.0, &run.simulation.end.1);
    let way = 10.0 * 2.0 + force / mass * 2.0;
    let expected = [0.0, 0.0, way, speed * speed / (2.0 * mu * g), 0.0, 0.0, 10.0 + 2.0 * force / mass, 0.0];
    for (x, at) in end.iter().zip(expected) {
        assert!((x - at).abs() < 1e-9 * (1.0 + at.abs()), "{end:?} for {expected:?}");
    }
    assert!((run.friction - mass / 2.0 * speed * speed).abs() < 1e-7, "{}", run.friction);
    assert!((run.given - force * way).abs() < 1e-6, "{}", run.given);
    assert!(run.balance().abs() < 1e-9 * run.energy.1, "{}", run.balance());
}

/// A sledge that slows down by 0.1 of the force across its blade: with v along the blade and φ' = ω constant, λ = m v ω and
/// v' = −0.1 ω v, so that v falls by the logarithmic spiral of its track.
#[test]
fn a_law_of_friction_belongs_to_its_constraint() {
    let law =
        "{ equation = \"x'*sin(phi) = y'*cos(phi)\", law = \"0.1*abs(lambda_blade)*abs(x'*cos(phi) + y'*sin(phi))\" }";
    let by_forces = "{ equation = \"x'*sin(phi) = y'*cos(phi)\", law = { x = \"-0.1*abs(lambda_blade)*cos(phi)\", \
                     y = \"-0.1*abs(lambda_blade)*sin(phi)\" } }";
    for law in [law, by_forces] {
        let model = load(&format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n\
             [constraints]\nblade = {law}\n[initial]\nvelocity = {{ x = 3, phi = 2 }}\n"
        ));
        let run = switched(&model, &times(4.0, 5));
        for s in &run.simulation.samples {
            let v = 3.0 * (-0.2 * s.t).exp();
            let along = s.y[3] * s.y[2].cos() + s.y[4] * s.y[2].sin();
            assert!((along - v).abs() < 1e-9, "{along} for {v} at {}", s.t);
            assert!((s.multipliers[0].abs() - 2.0 * v * 2.0).abs() < 1e-8, "{s:?}");
        }
        let v = 3.0 * (-0.8f64).exp();
        assert!((run.friction - (9.0 - v * v)).abs() < 1e-9, "{}", run.friction);
        assert!(run.balance().abs() < 1e-9, "{}", run.balance());
        // Every form that applies is proved for the force of the law.
        let mut w = model.workbench();
        let mut proved = 0;
        for form in noslip::FORMS {
            if form.applies(&mut w) != noslip::forms::Applicability::Applies {
                continue;
            }
            let eq = form.explained(&mut w).unwrap();
            let known = noslip::verify::agreement(&mut w, &eq).known;
            assert_eq!(known, noslip::expr::Known::Proved, "{}", form.id());
            assert!(eq.notes.iter().any(|n| n.contains("T_x = ") && n.contains("abs(lambda_blade)")), "{:?}", eq.notes);
            proved += 1;
        }
        assert!(proved > 15, "{proved}");
    }
}

/// A block that slides over a table comes to rest after v/(μg); friction takes its energy, and it stays.
#[test]
fn friction_takes_what_the_energy_loses() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2\"\n\
         [constraints]\ntable = { equation = \"x' = 0\", friction = \"0.4*2*9.81\" }\n[initial]\nvelocity = { x = 3 }\n",
    );
    let run = switched(&model, &[0.0, 0.5, 2.0]);
    let rest = 3.0 / (0.4 * 9.81);
    let found = changes(&run);
    assert!(matches!(found[..], [(t, Change::Sticks)] if (t - rest).abs() < 1e-9), "{found:?}");
    let end = &run.simulation.end.1;
    assert!((end[0] - 9.0 / (2.0 * 0.4 * 9.81)).abs() < 1e-9 && end[1].abs() < 1e-12);
    assert!((run.energy.0 - run.energy.1 - run.friction).abs() < 1e-9 && run.balance().abs() < 1e-9, "{run:?}");
}

/// A ball with restitution e strikes at t₁, t₁(1 + 2e), t₁(1 + 2e + 2e²), … and rests from t₁(1 + e)/(1 − e) on.
#[test]
fn a_ball_bounces_until_it_rests() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"x'^2/2 + z'^2/2\"\npotential = \"9.81*z\"\n\
         [constraints]\nfloor = { equation = \"z >= 0\", restitution = 0.5 }\n\
         [initial]\nposition = { z = 1 }\nvelocity = { x = 2 }\n",
    );
    let run = switched(&model, &[0.0, 0.2, 3.0]);
    let (t1, e) = ((2.0f64 / 9.81).sqrt(), 0.5f64);
    let strikes: Vec<f64> =
        run.switches.iter().filter(|s| matches!(s.change, Change::Strikes { .. })).map(|s| s.t).collect();
    let mut expected = t1;
    for (i, t) in strikes.iter().take(12).enumerate() {
        assert!((t - expected).abs() < 1e-8, "{t} for {expected}");
        expected += 2.0 * t1 * e.powi(i as i32 + 1);
    }
    let closes = run.switches.iter().find(|s| s.change == Change::Closes).expect("it comes to rest");
    assert!((closes.t - t1 * (1.0 + e) / (1.0 - e)).abs() < 1e-5, "{}", closes.t);
    assert!((run.impacts - 9.81).abs() < 1e-6, "impacts take the energy of the fall: {}", run.impacts);
    assert!((run.energy.1 - 2.0).abs() < 1e-6, "what moves along the floor goes on");
    let last = run.simulation.samples.last().unwrap();
    assert!((last.multipliers[0] - 9.81).abs() < 1e-6 && last.y[1].abs() < 1e-9, "the floor carries it");
    assert_eq!(run.simulation.samples[1].multipliers[0], 0.0, "in the air nothing holds it");
}

/// A particle on a sphere leaves it where cos θ = 2/3 + v²/(3gR).
#[test]
fn a_particle_leaves_the_sphere_where_the_reaction_vanishes() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"x'^2/2 + z'^2/2\"\npotential = \"9.81*z\"\n\
         [constraints]\nsphere = \"x^2 + z^2 >= 4\"\n\
         [initial]\nposition = { x = 0, z = 2 }\nvelocity = { x = 1 }\n",
    );
    let run = switched(&model, &[0.0, 1.0]);
    let opens = &run.switches[0];
    assert_eq!(opens.change, Change::Opens);
    let mut w = model.workbench();
    let state = initial_state(&mut w, &Overrides::default()).unwrap();
    let there = run_it(&mut w, &state, &settings(&[0.0, opens.t], 1e-12), &mut |_| true).unwrap();
    let z = there.simulation.end.1[1];
    assert!((z / 2.0 - (2.0 / 3.0 + 1.0 / (3.0 * 9.81 * 2.0))).abs() < 1e-8, "{z}");
    // Then it falls freely.
    let (a, b) = (&there.simulation.end.1, &run.simulation.end.1);
    let dt = 1.0 - opens.t;
    assert!((b[0] - (a[0] + a[2] * dt)).abs() < 1e-8, "{b:?}");
    assert!((b[1] - (a[1] + a[3] * dt - 9.81 / 2.0 * dt * dt)).abs() < 1e-8, "{b:?}");
}

/// A freewheel: m x'' = cos t, x' ≥ 0.
#[test]
fn a_freewheel_engages_and_releases() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"cos(t)\"\n\
         [constraints]\nwheel = \"x' >= 0\"\n",
    );
    let run = switched(&model, &[0.0, 8.0]);
    let found = changes(&run);
    let expected = [(0.0, Change::Opens), (PI, Change::Closes), (1.5 * PI, Change::Opens)];
    assert_eq!(found.len(), 3, "{found:?}");
    for ((t, change), (at, expected)) in found.iter().zip(&expected) {
        assert!((t - at).abs() < 1e-8 && *change == expected, "{found:?}");
    }
    assert!((run.simulation.end.1[1] - (8.0f64.sin() + 1.0)).abs() < 1e-8);
}

/// Example II.9 by its stages. The turbine stands while the torque c ω² of the fluid is below the load L; the pump runs up alone,
/// J₁ ω₁' = A − c ω₁². Then J₂ ω₂' = c ω₁² − L, and J₂ ω₂ = (A − L)(t − t₁) − J₁ (ω₁ − ω₁(t₁)). When it has caught up, both run
/// together: (J₁ + J₂) ω' = A − L.
#[test]
fn a_fluid_coupling_starts_in_three_stages() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"phi1\", \"phi2\"]\n[energy]\nkinetic = \"phi1'^2/2 + 0.15*phi2'^2\"\n\
         [forces]\nphi1 = \"6 - 0.5*phi1'^2\"\nphi2 = \"0.5*phi1'^2\"\n\
         [constraints]\nload = { equation = \"phi2' = 0\", friction = 2 }\ntogether = \"phi1' >= phi2'\"\n",
    );
    let run = switched(&model, &[0.0, 3.0]);
    let (drive, c, load, j1, j2) = (6.0f64, 0.5f64, 2.0f64, 1.0f64, 0.3f64);
    let pump = |t: f64| (drive / c).sqrt() * ((drive * c).sqrt() * t / j1).tanh();
    let first = j1 / (drive * c).sqrt() * (load / drive).sqrt().atanh();
    let turbine = |t: f64| ((drive - load) * (t - first) - j1 * (pump(t) - pump(first))) / j2;
    let (mut low, mut high) = (first + 0.1, 2.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if turbine(middle) < pump(middle) { low = middle } else { high = middle }
    }
    let found: Vec<(f64, &str, &Change)> = run.switches.iter().map(|s| (s.t, s.contact.as_str(), &s.change)).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(matches!(found[0], (t, "together", Change::Opens) if t == 0.0), "{found:?}");
    assert!(matches!(found[1], (t, "load", Change::Slides(s)) if *s > 0.0 && (t - first).abs() < 1e-8), "{found:?}");
    assert!(matches!(found[2], (t, "together", Change::Closes) if (t - low).abs() < 1e-8), "{found:?} for {low}");
    let end = &run.simulation.end.1;
    let speed = pump(low) + (drive - load) / (j1 + j2) * (3.0 - low);
    assert!((end[2] - speed).abs() < 1e-8 && (end[3] - speed).abs() < 1e-8, "{end:?} for {speed}");
    // The load has taken L on the way of the turbine, and the rest of the drive's work is in the two wheels and in the fluid.
    assert!((run.friction - load * end[1]).abs() < 1e-7, "{run:?}");
}

/// Example II.5: after the front axle has lost its grip the car is a car with one constraint and the friction of sliding as a
/// force; run as such from that moment, it arrives at the same state.
#[test]
fn the_car_of_the_book_slides_on_as_a_car_with_one_axle() {
    let model = load(gallery::text("car-in-a-turn"));
    let run = switched(&model, &[0.0, 6.2]);
    let first = &run.switches[0];
    assert_eq!((first.contact.as_str(), (first.t - 5.92).abs() < 0.01), ("front_axle", true), "{:?}", run.switches);
    let Change::Slides(sign) = first.change else { panic!("{first:?}") };
    let again = run.switches.get(1).map_or(6.2, |s| s.t);
    let mut w = model.workbench();
    let state = initial_state(&mut w, &Overrides::default()).unwrap();
    let upto = |t: f64| run_it(&mut model.workbench(), &state, &settings(&[0.0, t], 1e-12), &mut |_| true).unwrap();
    let from = upto(first.t).simulation.end.1;
    let mut smooth = (*w.system).clone();
    let j = smooth.constraints.iter().position(|c| c.name == "front_axle").unwrap();
    let c = smooth.constraints.remove(j);
    let limit = c.friction.unwrap();
    for i in 0..smooth.forces.len() {
        let a = w.g.diff(c.expr, smooth.velocities[i]);
        let friction = w.g.mul(limit, a);
        smooth.forces[i] =
            if sign > 0.0 { w.g.sub(smooth.forces[i], friction) } else { w.g.add(smooth.forces[i], friction) };
    }
    smooth.quasi_velocities.clear();
    let state =
        State { time: first.t, position: from[..4].to_vec(), velocity: from[4..].to_vec(), completed: Vec::new() };
    let plain = w.beside(smooth, |w| simulate(w, &state, &settings(&[again], 1e-12), &mut |_| true)).unwrap();
    let ours = upto(again).simulation.end.1;
    for (x, y) in plain.end.1.iter().zip(&ours) {
        assert!((x - y).abs() < 1e-7 * (1.0 + y.abs()), "{:?} for {ours:?}", plain.end.1);
    }
    assert!(run.friction > 0.0);
}

#[test]
fn a_sweep_under_a_law_of_friction_is_what_its_motions_are_one_by_one() {
    use noslip::simulate::{Axis, Points, Sweep, Sweeper, Varied};
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nmu = 0.1\n\
         [energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n[constraints]\nblade = { equation = \"x'*sin(phi) = y'*cos(phi)\", \
         law = { x = \"-mu*abs(lambda_blade)*cos(phi)\", y = \"-mu*abs(lambda_blade)*sin(phi)\" } }\n\
         [initial]\nvelocity = { x = 3, phi = 2 }\n",
    );
    let texts = ["x", "x'", "x''", "lambda_blade"];
    let columns: Vec<_> = texts.iter().map(|t| model.expression(t).expect("a column")).collect();
    let mu = model.system.parameters[0].symbol;
    let axes = vec![Axis { varied: Varied::Parameter(mu), from: 0.0, to: 0.4, count: 3 }];
    let at = vec![0.5, 1.0];
    let sweep = Sweep { axes, points: Points::Grid, at, columns, tolerance: 1e-10, max_steps: 100_000 };
    assert!(Sweeper::new(model.workbench(), &sweep).is_err(), "no linear equations give its accelerations");
    let rows = sweeper(model.workbench(), &sweep).expect("a sweep").block(0).expect("rows");
    assert_eq!(rows.outcome, ["finished"; 6]);
    for (row, (&mu, &t)) in rows.varied[0].iter().zip(&rows.t).enumerate() {
        // On the blade v' = −μ|λ|/2 with λ = 2·v·ω and ω = 2: v = 3·exp(−2·μ·t), φ = 2·t.
        let v = 3.0 * f64::exp(-2.0 * mu * t);
        let (sin, cos) = (2.0 * t).sin_cos();
        let value = |column: usize| rows.values[column][row];
        assert!((value(1) - v * cos).abs() < 1e-7, "{mu} {t}: {}", value(1));
        assert!((value(2) - (-2.0 * mu * v * cos - 2.0 * v * sin)).abs() < 1e-6, "{mu} {t}: {}", value(2));
        assert!((value(3).abs() - 4.0 * v).abs() < 1e-6, "{mu} {t}: {}", value(3));
    }
}

/// Followed as an equation, an inequality would hold all the time.
#[test]
fn a_run_that_knows_no_switching_refuses_an_inequality() {
    let model = |constraint: &str| {
        load(&format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + z'^2)/2\"\n\
             [constraints]\nrail = \"x = 2\"\nfloor = \"{constraint}\"\n[initial]\nposition = {{ x = 2, z = 0 }}\n"
        ))
    };
    let run = |constraint: &str| {
        let model = model(constraint);
        let mut w = model.workbench();
        let state = initial_state(&mut w, &Overrides::default()).expect("an initial state");
        simulate(&mut w, &state, &settings(&[0.0, 0.1], 1e-9), &mut |_| true).map(|_| ())
    };
    let error = run("z >= 0").expect_err("an inequality");
    assert!(error.message.contains("`floor` is an inequality"), "{error}");
    assert!(run("z = 0").is_ok());
    assert_eq!(model("z >= 0").system.inequality().map(|c| c.name.as_str()), Some("floor"));
    assert!(model("z = 0").system.inequality().is_none());
}
