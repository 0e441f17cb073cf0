use super::{gallery, load, settings, times};
use noslip::beyond::friction::{Contact, contacts, grip, reactions, simulate_non_ideal};
use noslip::forms::Workbench;
use noslip::model::{Claims, Model, Overrides};
use noslip::{Limits, expr::Expr};

/// The car of the book with tyres: static axle loads times the coefficient of friction.
fn car(coefficient: &str) -> Model {
    let text = gallery::text("car-in-a-turn.toml")
        .replace("[definitions]", &format!("g = 9.81\nmu = {coefficient}\n\n[definitions]"))
        .replace(
            "rear_axle = \"eta_R'*cos(phi) - xi_R'*sin(phi) = 0\"",
            "rear_axle = { equation = \"eta_R'*cos(phi) - xi_R'*sin(phi) = 0\", friction = \"mu*M1*g*l1/(l1 + l2)\" }",
        )
        .replace(
            "front_axle = \"eta_F'*cos(phi + theta) - xi_F'*sin(phi + theta) = 0\"",
            "front_axle = { equation = \"eta_F'*cos(phi + theta) - xi_F'*sin(phi + theta) = 0\", friction = \"mu*(M2 + M1*l2/(l1 + l2))*g\" }",
        );
    let model = load(&text);
    assert!(model.system.constraints.iter().all(|c| c.friction.is_some()));
    model
}

fn expression(model: &mut Model, text: &str) -> Expr {
    Claims::equation(text, model, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e:?}")).expr
}

#[test]
fn the_car_of_the_book_slides_at_the_moment_its_margin_vanishes() {
    let mut model = car("0.6");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = Workbench::new(&mut model.arena, &model.system);
    let list = contacts(&w);
    assert_eq!(list.len(), 2);
    let run = grip(&mut w, &list, &state, &settings(&times(20.0, 201), 1e-10)).unwrap();
    let slide = run.slides.expect("the car slides");
    assert!(slide.load.margin().abs() < 1e-6 * slide.load.limit, "{slide:?}");
    // Before that moment every sample has grip, right after it the contact has not.
    let after = run.simulation.samples.iter().position(|s| s.t > slide.t).unwrap();
    assert!(run.loads[..after].iter().flatten().all(|l| l.margin() > 0.0));
    assert!(run.loads[after][slide.contact].margin() < 0.0, "{:?}", run.loads[after]);
    println!("the {} slides at t = {}", list[slide.contact].name, slide.t);
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
        let mut w = Workbench::new(&mut model.arena, &model.system);
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
    let mut w = Workbench::new(&mut model.arena, &model.system);
    assert_eq!(reactions(&mut w), vec![expected]);
}

#[test]
fn two_directions_of_slip_at_one_contact_add_as_a_vector() {
    // The vertical disk on its circle needs the centripetal force m R theta' phi', whatever the heading.
    let mut model = gallery::open("vertical-disk");
    let limit = expression(&mut model, "0.4 + 0*x");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = Workbench::new(&mut model.arena, &model.system);
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
    let mut w = Workbench::new(&mut model.arena, &model.system);
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
    let mut w = Workbench::new(&mut model.arena, &model.system);
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
fn a_law_without_a_solution_is_said_so() {
    let (mut model, _) = wedge();
    // lambda = 6.6… − 22.6… √(lambda² + 1): the right side is smaller than the left for every lambda.
    let law = ["0*x", "0*x", "50*sqrt(lambda_slope^2 + 1)"].map(|t| expression(&mut model, t)).to_vec();
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = Workbench::new(&mut model.arena, &model.system);
    let run = simulate_non_ideal(&mut w, &law, &state, &settings(&times(1.0, 3), 1e-9)).unwrap();
    match run.outcome {
        noslip::simulate::Outcome::Singular { which, .. } => assert!(which.contains("law of friction"), "{which}"),
        other => panic!("{other:?}"),
    }
}
