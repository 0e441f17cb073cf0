use crate::common::{expression, gallery, load, reference};
use noslip::analysis::KineticPotential;
use noslip::expr::Expr;
use noslip::expr::Known;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::hamilton::hamiltonise::{arzhanykh, chaplygin, proposed, quasi_coordinates, with_independent};
use noslip::hamilton::inverse::{InverseProblem, inverse_problem};
use noslip::mechanics::Workbench;

/// Is `found` a constant multiple of `expected`, with the parameters at their values?
fn proportional(w: &mut Workbench, found: Expr, expected: Expr) -> bool {
    let quotient = w.g.div(found, expected);
    let values = w.system.parameter_expressions(&mut w.g);
    let quotient = w.g.substitute(quotient, &values);
    let symbols: Vec<_> = w.g.free_symbols(&[quotient]).into_iter().filter(|&s| w.g.role(s).varies()).collect();
    symbols.into_iter().all(|s| {
        let e = w.g.diff(quotient, s);
        is_zero(&mut w.g, e, &ZeroOptions::default()).holds()
    })
}

#[test]
fn the_multipliers_of_the_references_are_found_and_verified_in_the_new_time() {
    for (mut model, independent, text) in [
        (reference::model("chaplygin-sledge-beside"), ["x", "phi"], "cos(phi)"),
        (reference::model("suslov-kharlamova"), ["theta", "phi"], "cos(theta)"),
        (gallery::open("nonholonomic-particle"), ["x", "y"], "1/sqrt(1+y^2)"),
    ] {
        let expected = expression(&mut model, text);
        let coordinates = independent.map(|n| model.arena.lookup(n).unwrap());
        let system = with_independent(&mut model.arena, &model.system, &coordinates);
        let mut w = Workbench::new(model.arena.clone(), system.clone());
        let finding = chaplygin(&mut w).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert!(finding.condition.exists, "{text}");
        assert_eq!(finding.condition.coordinates, coordinates, "{text}");
        let system = finding.system.unwrap_or_else(|| panic!("{text}: no closed form"));
        let tree = noslip::expr::Tree::of(&w.g, system.multiplier, &w.limits).unwrap();
        let shown = noslip::expr::Printer::new(noslip::expr::Style::Text).print(&w.g, &tree);
        assert!(proportional(&mut w, system.multiplier, expected), "{text} against {shown}");
        assert!(system.verified.holds(), "{text}: {:?}", system.difference);
        assert!(system.measure_invariant.holds(), "{text}: the measure");
    }
}

#[test]
fn the_sledge_has_no_multiplier_in_x_and_phi_unless_alpha_vanishes() {
    for (name, exists) in [
        ("chaplygin-sledge", false),
        ("chaplygin-sledge-ahead", false),
        ("chaplygin-sledge-beside", true),
        ("suslov", false),
    ] {
        let mut model = reference::model(name);
        let first = if name.contains("sledge") { "x" } else { "theta" };
        let coordinates = [first, "phi"].map(|n| model.arena.lookup(n).unwrap());
        let system = with_independent(&mut model.arena, &model.system, &coordinates);
        let mut w = Workbench::new(model.arena.clone(), system.clone());
        let finding = chaplygin(&mut w).unwrap();
        assert_eq!(finding.condition.coordinates, coordinates, "{name}");
        assert_eq!(finding.condition.exists, exists, "{name}");
        assert_eq!(finding.system.is_some(), exists, "{name}");
        assert!(exists || finding.condition.obstruction.is_some(), "{name} says what fails");
    }
}

#[test]
fn the_sledge_has_chaplygins_multiplier_in_s_and_phi() {
    for name in ["chaplygin-sledge", "chaplygin-sledge-ahead"] {
        let model = reference::model(name);
        let mut w = model.workbench();
        let finding = quasi_coordinates(&mut w).unwrap_or_else(|why| panic!("{name}: {why}"));
        let system = finding.system.unwrap_or_else(|| panic!("{name}: no closed form"));
        assert!(system.verified.holds(), "{name}: {:?}", system.difference);
        assert!(system.measure_invariant.holds(), "{name}");
        // ∂ ln N/∂s = α/(α² + k²), ∂ ln N/∂φ = −αβ/(α² + k²)
        let parameter = |w: &mut Workbench, n: &str| w.g.lookup(n).map(|s| w.g.symbol(s)).unwrap();
        let (alpha, beta, k) = (parameter(&mut w, "alpha"), parameter(&mut w, "beta"), parameter(&mut w, "kC"));
        let (a2, k2) = (w.g.square(alpha), w.g.square(k));
        let sum = w.g.add(a2, k2);
        let by_s = w.g.div(alpha, sum);
        let product = w.g.mul(by_s, beta);
        let by_phi = w.g.neg(product);
        for (i, expected) in [by_s, by_phi].into_iter().enumerate() {
            let derivative = w.g.diff(system.multiplier, system.coordinates[i]);
            let logarithmic = w.g.div(derivative, system.multiplier);
            let e = w.g.sub(logarithmic, expected);
            let values = w.system.parameter_expressions(&mut w.g);
            let e = w.g.substitute(e, &values);
            assert!(is_zero(&mut w.g, e, &ZeroOptions::default()).holds(), "{name}, coordinate {i}");
        }
    }
}

#[test]
fn arzhanykhs_substitution_gives_every_sledge_a_multiplier() {
    for name in ["chaplygin-sledge", "chaplygin-sledge-ahead", "chaplygin-sledge-beside"] {
        let model = reference::model(name);
        let mut w = model.workbench();
        let found = arzhanykh(&mut w).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(w.g.name(found.coordinate), "phi", "{name}");
        assert!(found.finding.condition.exists, "{name}: {:?}", found.finding.condition.obstruction);
        if let Some(system) = found.finding.system {
            assert!(system.verified.holds(), "{name}");
        }
    }
}

#[test]
fn a_proposed_multiplier_is_tested_and_a_wrong_one_refused_with_the_difference() {
    let mut model = gallery::open("nonholonomic-particle");
    let (right, wrong) = (expression(&mut model, "3/sqrt(1+y^2)"), expression(&mut model, "1/(1+y^2)"));
    let other = expression(&mut model, "z^2 + 1");
    let mut w = model.workbench();
    assert!(proposed(&mut w, right).unwrap().verified.holds());
    let refuted = proposed(&mut w, wrong).unwrap();
    assert!(refuted.verified.is_refuted());
    assert!(refuted.difference.is_some() && refuted.measure_invariant.is_refuted());
    let error = proposed(&mut w, other).unwrap_err();
    assert!(error.message.contains("independent coordinates"), "{error}");
}

#[test]
fn a_proposed_multiplier_works_for_three_degrees_of_freedom() {
    // Two copies of nothing but one particle: z' = y x' and a free w beside it. N(y) does not reduce it; with the time of
    // the particle alone it would, but the free motion of w is spoilt.
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"u\", \"z\"]\n[energy]\n\
         kinetic = \"(x'^2 + y'^2 + u'^2 + z'^2)/2\"\n[constraints]\nslope = \"z' = y*x'\"\n",
    );
    let n = expression(&mut model, "1/sqrt(1+y^2)");
    let mut w = model.workbench();
    let answer = proposed(&mut w, n).unwrap();
    assert_eq!(answer.coordinates.len(), 3);
    assert!(answer.verified.is_refuted());
    // Integrable: N = 1 is right for any number.
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"u\", \"z\"]\n[energy]\n\
         kinetic = \"(x'^2 + y'^2 + u'^2 + z'^2)/2\"\n[constraints]\nslope = \"z' = y*x' + x*y'\"\n",
    );
    let one = model.arena.one();
    let mut w = model.workbench();
    let answer = proposed(&mut w, one).unwrap();
    assert_eq!((answer.coordinates.len(), answer.verified.holds(), answer.measure_invariant.holds()), (3, true, true));
}

#[test]
fn the_systems_of_the_survey_are_lagrangian_as_they_stand_and_the_others_are_not() {
    let cases = [
        ("hoop-upright", true),
        ("synge-wheels", true),
        ("ball-on-plane", true),
        ("appell-particle-inertial", true),
        ("chaplygin-sledge", false),
        ("boltzmann-gear", false),
    ];
    for (name, expected) in cases {
        let model = reference::model(name);
        let mut w = model.workbench();
        let answer = inverse_problem(&mut w);
        let lagrangian = answer.lagrangian();
        assert_eq!((lagrangian.holds(), lagrangian.is_refuted()), (expected, !expected), "{name}: {answer:?}");
    }
}

#[test]
fn the_reasons_why_systems_are_lagrangian_are_those_of_the_references() {
    let vanish = |name: &str| {
        let model = reference::model(name);
        let mut w = model.workbench();
        inverse_problem(&mut w)
    };
    for name in ["ball-on-plane", "appell-particle-inertial"] {
        assert!(vanish(name).multipliers_vanish.iter().all(|t| t.holds()), "{name}: the multipliers vanish");
    }
    let hoop = vanish("hoop-upright");
    assert!(hoop.multipliers_vanish.iter().all(|t| t.is_refuted()));
    assert!(hoop.lagrange_form.len() == 2 && hoop.lagrange_form.iter().all(|(_, t)| t.holds()));
    // Ferrers: for the inclination of the rolling hoop, and for no other coordinate.
    let model = reference::model("hoop");
    let mut w = model.workbench();
    let answer = inverse_problem(&mut w);
    for (s, truth) in &answer.lagrange_form {
        if w.g.name(*s) == "theta" {
            assert!(truth.holds(), "theta");
        }
    }
    assert!(answer.lagrange_form.iter().any(|(_, t)| t.is_refuted()));
}

#[test]
fn a_kinetic_potential_for_one_degree_of_freedom_gives_its_equation() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\ng = 9.81\n[energy]\nkinetic = \"m*(x'^2 + y'^2)/2\"\n\
         potential = \"m*g*x\"\n[constraints]\nc = \"y' = x*x'\"\n",
    );
    let mut w = model.workbench();
    let answer = inverse_problem(&mut w);
    let reduced = answer.reduced.as_ref().unwrap();
    assert_eq!(reduced.coordinates.len(), 1);
    assert!(reduced.potential_verified.as_ref().is_some_and(Known::holds), "{answer:?}");
}

/// One degree of freedom: a particle bound to move along y = const × x, with an energy and a force.
fn one_degree(kinetic: &str, potential: &str, force: &str) -> InverseProblem {
    let model = load(&format!(
        "noslip = 1\n[system]\ncoordinates = [\"q\", \"p\"]\n[parameters]\nm = 2\nc = 0.3\nk = 1.5\n[energy]\nkinetic = \"{kinetic}\"\n\
         potential = \"{potential}\"\n[forces]\nq = \"{force}\"\n[constraints]\nbind = \"p' = 0\"\n"
    ));
    let mut w = model.workbench();
    inverse_problem(&mut w)
}

#[test]
fn kinetic_potentials_are_found_for_damping_drag_and_separable_forces() {
    for (kinetic, potential, force) in [
        ("m/2*(q'^2 + p'^2)", "k*cos(q)", "-c*q'"),          // exp(c t/m), Bateman
        ("m/2*(q'^2 + p'^2)", "k*q^2/2", "-c*q'^2"),         // exp(2 c q/m)
        ("m/2*(q'^2*(2 + sin(q))^2 + p'^2)", "exp(q)", "0"), // a metric that is not constant
        ("m/2*(q'^2 + p'^2)", "0", "-c*q'^3"),               // separable: M = 1/q'³
        ("m/2*(q'^2 + p'^2)", "0", "-c*exp(q)*q'^4"),        // separable
        ("m/2*(q'^2/q^2 + p'^2)", "log(q)", "0"),
        ("m/2*((1 + t^2)*q'^2 + p'^2)", "k*q^2/2", "0"), // inertia that changes with time
    ] {
        let answer = one_degree(kinetic, potential, force);
        let reduced = answer.reduced.as_ref().unwrap();
        assert!(
            matches!(reduced.kinetic_potential, Some(KineticPotential::Found { .. })),
            "{kinetic}, {potential}, {force}: {reduced:?}"
        );
        assert!(
            reduced.potential_verified.as_ref().is_some_and(Known::holds),
            "{kinetic}, {potential}, {force}: {reduced:?}"
        );
    }
}

#[test]
fn a_kinetic_potential_that_is_not_found_is_said_to_exist_and_not_invented() {
    // exp(q²) has no elementary integral: the quadrature is named, not solved.
    let answer = one_degree("m/2*(q'^2 + p'^2)", "0", "exp(q^2)");
    let reduced = answer.reduced.as_ref().unwrap();
    assert!(matches!(reduced.kinetic_potential, Some(KineticPotential::Quadratures { closed: Some(_), .. })));
    assert!(reduced.potential_verified.is_none());
    // Cubic drag beside a spring: none of the two quadratures applies.
    let answer = one_degree("m/2*(q'^2 + p'^2)", "k*q^2/2", "-c*q'^3");
    let reduced = answer.reduced.as_ref().unwrap();
    assert!(matches!(reduced.kinetic_potential, Some(KineticPotential::Open)));
    assert!(answer.lagrangian().is_refuted());
}

#[test]
fn damping_is_not_lagrangian_as_it_stands_although_the_form_is_lagranges() {
    let answer = one_degree("m/2*(q'^2 + p'^2)", "k*q^2/2", "-c*q'");
    assert!(answer.lagrange_form.iter().all(|(_, t)| t.holds()));
    assert!(answer.form_forces.is_refuted() && answer.lagrangian().is_refuted());
}

#[test]
fn a_multiplier_for_three_degrees_of_freedom_is_found_and_a_missing_one_disproved() {
    // z' = y u' and w' = y v': the particle's constraint twice, and again N = 1/√(1 + y²).
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"y\", \"u\", \"v\", \"z\", \"w\"]\n[energy]\n\
         kinetic = \"(y'^2 + u'^2 + v'^2 + z'^2 + w'^2)/2\"\npotential = \"sin(u)*y\"\n\
         [constraints]\none = \"z' = y*u'\"\ntwo = \"w' = y*v'\"\n",
    );
    let expected = expression(&mut model, "1/sqrt(1+y^2)");
    let wrong = expression(&mut model, "1/(1+y^2)");
    let mut w = model.workbench();
    let found = chaplygin(&mut w).unwrap();
    let system = found.system.as_ref().expect("a closed form");
    assert!(proportional(&mut w, system.multiplier, expected));
    assert_eq!(
        (found.exists(), system.verified.holds(), system.measure_invariant.holds()),
        (Known::Proved, true, true)
    );
    assert!(proposed(&mut w, expected).unwrap().verified.holds());
    assert!(proposed(&mut w, wrong).unwrap().verified.is_refuted());
    // One constraint only: the conditions contradict each other, and the determinant says so.
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"u\", \"z\"]\n[energy]\n\
         kinetic = \"(x'^2 + y'^2 + u'^2 + z'^2)/2\"\n[constraints]\nslope = \"z' = y*x'\"\n",
    );
    let mut w = model.workbench();
    let missing = chaplygin(&mut w).unwrap();
    assert!(missing.exists().is_refuted());
    assert!(missing.condition.gradient.is_empty() && missing.condition.obstruction.is_some());
}

#[test]
fn a_potential_goes_into_the_new_time_in_quasi_coordinates_too() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"X\", \"Y\", \"yaw\"]\n[parameters]\nm = 2\na = 0.3\nJ = 0.7\nc = 1.5\n\
         [definitions]\nX_C = \"X + a*cos(yaw)\"\nY_C = \"Y + a*sin(yaw)\"\n[energy]\n\
         kinetic = \"m/2*(X_C'^2 + Y_C'^2) + J/2*yaw'^2\"\npotential = \"c/2*yaw^2\"\n\
         [constraints]\nblade = \"X'*sin(yaw) = Y'*cos(yaw)\"\n[quasi_velocities]\nv = \"X'*cos(yaw) + Y'*sin(yaw)\"\nw = \"yaw'\"\n",
    );
    let expected = expression(&mut model, "c*yaw^2/2");
    let mut w = model.workbench();
    let found = quasi_coordinates(&mut w).unwrap();
    let system = found.system.expect("a closed form");
    assert!(system.verified.holds() && system.measure_invariant.holds() && system.other_forces.is_empty());
    // L̃ at rest is −V.
    let zeros = system.velocities.iter().map(|&v| (v, w.g.zero())).collect();
    let rest = w.g.substitute(system.lagrangian, &zeros);
    let sum = w.g.add(rest, expected);
    assert!(is_zero(&mut w.g, sum, &ZeroOptions::default()).holds());
}

#[test]
fn every_fact_of_the_references_about_lagranges_form_and_vanishing_multipliers_comes_out() {
    let mut tested = 0;
    for name in ["appell-particle-inertial", "ball-on-plane", "boltzmann-gear", "hoop", "hoop-upright", "synge-wheels"]
    {
        let data = reference::json(&format!("systems/{name}.json"));
        let model = reference::model(name);
        let mut w = model.workbench();
        let answer = inverse_problem(&mut w);
        for fact in data["facts"].as_array().unwrap() {
            let value = fact["value"].as_bool().unwrap_or(false);
            match fact["kind"].as_str().unwrap() {
                "multiplier_zero" => {
                    let j =
                        w.system.constraints.iter().position(|c| Some(c.name.as_str()) == fact["constraint"].as_str());
                    assert_eq!(answer.multipliers_vanish[j.unwrap()].holds(), value, "{name}: {fact}");
                }
                "equals_lagrange_form" => {
                    let named = fact["coordinate"].as_str();
                    let list = answer.lagrange_form.iter().filter(|(s, _)| named.is_none_or(|n| w.g.name(*s) == n));
                    assert_eq!(
                        list.clone().count() > 0 && list.clone().all(|(_, t)| t.holds()),
                        value,
                        "{name}: {fact}"
                    );
                }
                _ => continue,
            }
            tested += 1;
        }
    }
    assert_eq!(tested, 9);
}
