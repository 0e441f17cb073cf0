use crate::common::{gallery, load, reference, settings, times};
use noslip::compile::CompileOptions;
use noslip::expr::Known;
use noslip::expr::{Printer, Style, Tree};
use noslip::model::Overrides;
use noslip::principles::vakonomic::{Vakonomic, VakonomicMotion, compare, momentum_choice};

#[test]
fn the_reference_accelerations_of_the_knife_edge_are_reproduced_for_both_values_of_mu() {
    let file = reference::json("vakonomic_examples.json");
    let model = reference::model(file["system"].as_str().unwrap());
    let names = ["x", "y", "phi"];
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).unwrap();
    let mut motion = VakonomicMotion::new(&mut w, &v, &options).unwrap();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 6);
    let mut differing = 0;
    for e in examples {
        let mut y: Vec<f64> = names.iter().map(|n| reference::number(&e["q"][n])).collect();
        y.extend(names.iter().map(|n| reference::number(&e["qd"][n])));
        y.push(reference::number(&e["mu"]));
        let (a, rates) = motion.solve(0.0, &y).unwrap();
        for (i, n) in names.iter().enumerate() {
            let expected = reference::number(&e["vakonomic_qdd"][n]);
            assert!((a[i] - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{n}'' = {} against {expected}", a[i]);
        }
        let expected = reference::number(&e["mu_dot"]);
        assert!((rates[0] - expected).abs() < 1e-13 * (1.0 + expected.abs()), "mu' = {} against {expected}", rates[0]);
        let true_acceleration: Vec<f64> = names.iter().map(|n| reference::number(&e["nonholonomic_qdd"][n])).collect();
        differing += usize::from((0..3).any(|i| (a[i] - true_acceleration[i]).abs() > 0.1));
    }
    assert_eq!(differing, 3, "mu = 0.5 gives other accelerations, mu = 0 the true ones");
}

#[test]
fn the_vertical_disk_follows_both_closed_forms() {
    // With m x' + mu_x = c, m y' + mu_y = 0 and K theta' = R c cos(phi), K = I + m R², the vakonomic heading obeys
    // phi' = a sin(phi), a = R c/√(K J), on the separatrix: tan(phi/2) grows like exp(a t).
    let (m, r) = (1.0, 0.4);
    let (i, j): (f64, f64) = (m * r * r / 2.0, m * r * r / 4.0);
    let k = i + m * r * r;
    let (c, phi0): (f64, f64) = (0.5, 1.0);
    let a = r * c / (k * j).sqrt();
    let theta_rate = |phi: f64| r * c * phi.cos() / k;
    let mut model = gallery::open("vertical-disk");
    let overrides = Overrides {
        position: vec![(0, 0.0), (1, 0.0), (2, 0.0), (3, phi0)],
        velocity: vec![(2, theta_rate(phi0)), (3, a * phi0.sin())],
        ..Overrides::default()
    };
    let state = model.initial_state(&overrides).unwrap();
    let mu = [c - m * state.velocity[0], -m * state.velocity[1]];
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let at = times(3.0, 31);
    let run = compare(&mut w, &v, &state, &mu, &settings(&at, 1e-12)).unwrap();
    assert_eq!(run.samples.len(), 31);
    let (w_theta, w_phi) = (state.velocity[2], state.velocity[3]);
    for (s, p) in run.samples.iter().zip(&run.mechanics.samples) {
        let t = s.t;
        // Vakonomic.
        let phi = 2.0 * ((phi0 / 2.0).tan() * (a * t).exp()).atan();
        let theta = -(r * c / (k * a)) * (-(phi.sin() / phi0.sin()).ln());
        assert!((s.y[3] - phi).abs() < 1e-10, "phi({t}) = {} against {phi}", s.y[3]);
        assert!((s.y[2] - theta).abs() < 1e-10, "theta({t}) = {} against {theta}", s.y[2]);
        assert!((s.mu[0] + m * s.y[4] - c).abs() < 1e-10 && (s.mu[1] + m * s.y[5]).abs() < 1e-10);
        // Mechanics: a circle.
        let heading = phi0 + w_phi * t;
        let x = r * w_theta / w_phi * (heading.sin() - phi0.sin());
        let y = r * w_theta / w_phi * (phi0.cos() - heading.cos());
        assert!((p.y[3] - heading).abs() < 1e-10 && (p.y[2] - w_theta * t).abs() < 1e-10);
        assert!(
            (p.y[0] - x).abs() < 1e-10 && (p.y[1] - y).abs() < 1e-10,
            "({}, {}) against ({x}, {y})",
            p.y[0],
            p.y[1]
        );
    }
    let (t, _) = run.departs(1e-3).expect("the motions differ");
    assert!(t > 0.0 && t < 1.0, "they differ from t = {t} on");
    assert!(run.condition() > 1e-2, "Rumyantsev's condition fails along the motion");
}

#[test]
fn the_vertical_disk_agrees_with_mechanics_for_the_suitable_mu_and_for_no_other() {
    let mut model = gallery::open("vertical-disk");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let agreement = v.agreement(&mut w);
    assert!(agreement.for_every_mu.is_refuted());
    assert!(agreement.for_momentum_choice.holds() && agreement.choice_persists);
    let mu = momentum_choice(&mut w, &v, &state).unwrap();
    assert!((mu[0] + 0.8).abs() < 1e-14 && mu[1].abs() < 1e-14, "minus the momenta of x and y: {mu:?}");
    let at = times(15.0, 16);
    let same = compare(&mut w, &v, &state, &mu, &settings(&at, 1e-11)).unwrap();
    assert!(same.departs(1e-7).is_none(), "{:?}", same.differences);
    assert!(same.condition() < 1e-9, "{}", same.condition());
    let other = compare(&mut w, &v, &state, &[mu[0], mu[1] + 0.1], &settings(&at, 1e-11)).unwrap();
    assert!(other.departs(1e-2).is_some());
}

#[test]
fn with_an_integrable_constraint_every_vakonomic_motion_is_a_true_one() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
         potential = \"x^2*y\"\n[constraints]\nsurface = \"z' = y*x' + x*y'\"\n[initial]\n\
         position = { x = 0.3, y = 0.2, z = 0.1 }\nvelocity = { x = 0.5, y = -0.4 }\n",
    );
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    assert_eq!(v.agreement(&mut w).for_every_mu, Known::Proved);
    let run = compare(&mut w, &v, &state, &[0.9], &settings(&times(4.0, 9), 1e-11)).unwrap();
    assert!(run.departs(1e-8).is_none(), "{:?}", run.differences);
}

#[test]
fn the_sledge_agrees_for_no_choice_of_momenta_and_the_upright_hoop_does() {
    for (name, expected) in [("chaplygin-sledge", false), ("hoop-upright", true)] {
        let model = reference::model(name);
        let mut w = model.workbench();
        let v = Vakonomic::of(&mut w).unwrap();
        let agreement = v.agreement(&mut w);
        assert!(agreement.for_every_mu.is_refuted(), "{name}");
        assert_eq!(agreement.for_momentum_choice.holds(), expected, "{name}: {agreement:?}");
    }
}

#[test]
fn a_nonlinear_constraint_puts_mu_into_the_inertia() {
    let mut model = gallery::open("isokinetic-particle");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let run = compare(&mut w, &v, &state, &[0.2], &settings(&times(0.5, 5), 1e-11)).unwrap();
    // The constraints stay satisfied, and the energy L + Σ μφ conserves is kept: Σ ∂ℒ/∂q̇ q̇ − ℒ.
    let momenta = w.g.gradient(v.lagrangian, &w.system.velocities);
    let velocities: Vec<_> = w.system.velocities.iter().map(|&s| w.g.symbol(s)).collect();
    let product = w.g.dot_product(&momenta, &velocities);
    let energy = w.g.sub(product, v.lagrangian);
    let mut inputs = w.system.coordinates.clone();
    inputs.extend(&w.system.velocities);
    inputs.extend(&v.multipliers);
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).unwrap();
    let tape = noslip::compile::compile(&w.g, &inputs, &[energy], &options).unwrap();
    let values: Vec<f64> = run.samples.iter().map(|s| tape.evaluate(&[&s.y[..], &s.mu].concat())[0]).collect();
    assert!(
        values.len() == 5 && values.iter().all(|e| (e - values[0]).abs() < 1e-9 * (1.0 + values[0].abs())),
        "{values:?}"
    );
    assert!(run.differences[4] > 1e-6, "{:?}", run.differences);
}

#[test]
fn on_the_straight_line_of_appells_particle_the_two_agree_whatever_mu() {
    let mut model = gallery::open("appell-particle");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let run = compare(&mut w, &v, &state, &[0.4], &settings(&times(0.5, 6), 1e-11)).unwrap();
    assert!(run.departs(1e-10).is_none() && run.condition() < 1e-9, "{:?}", run.differences);
}

#[test]
fn the_derived_equations_read_as_in_the_book() {
    let model = gallery::open("vertical-disk");
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w).unwrap();
    let shown: Vec<String> = v
        .equations
        .iter()
        .map(|&e| {
            let simple = w.simplify(e);
            let tree = Tree::of(&w.g, simple, &w.limits).unwrap();
            Printer::new(Style::Text).print(&w.g, &tree)
        })
        .collect();
    assert_eq!(shown[0], "m*x'' + mu_roll_x'");
    assert_eq!(shown[1], "m*y'' + mu_roll_y'");
    assert!(shown[3].contains("mu_roll_x") && shown[3].contains("theta'"), "{}", shown[3]);
}

#[test]
fn a_second_order_constraint_is_refused_with_the_reason() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2+y'^2)/2\"\n[constraints]\nc = \"x'' = y\"\n",
    );
    let mut w = model.workbench();
    let error = Vakonomic::of(&mut w).unwrap_err();
    assert!(error.message.contains("does not apply") && error.message.contains("second order"), "{error}");
}
