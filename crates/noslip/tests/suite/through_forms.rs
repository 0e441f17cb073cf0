//! Accelerations and reactions through every form's own equations, at a state worked out by hand; and code with open parameters.

use crate::common::load;
use noslip::compile::CompileOptions;
use noslip::forms::FORMS;
use noslip::mechanics::Workbench;
use noslip::simulate::{OpenCode, ThroughForm};

/// A knife with a force along x and friction along y.
const KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\", \"y\"]\n[parameters]\nm = 2\nJ = 3\nc = 0.5\nf = 7\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n[forces]\nx = \"f\"\ny = \"-c*y'\"\n\
    [constraints]\nedge = \"x'*sin(phi) = y'*cos(phi)\"\n[quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n";

fn compiled(w: &mut Workbench, form: &str) -> Option<ThroughForm> {
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
    let eq = noslip::form(form).expect("a form").derive(w).ok()?;
    Some(ThroughForm::new(w, &eq, &options).unwrap_or_else(|e| panic!("{form}: {e}")))
}

#[test]
fn every_form_gives_the_accelerations_by_hand_and_the_reaction_where_it_knows_it() {
    // sin φ = 3/5, cos φ = 4/5, u = 5, φ' = 2: m u' = f cos φ − c y' sin φ gives u' = 2.35.
    let (q, v) = ([0.3, 0.6f64.asin(), -0.2], [4.0, 2.0, 3.0]);
    let expected = [2.35 * 0.8 - 10.0 * 0.6, 0.0, 2.35 * 0.6 + 10.0 * 0.8];
    // m x'' = f + λ sin φ
    let reaction = (2.0 * expected[0] - 7.0) / 0.6;
    let mut w = load(KNIFE).workbench();
    let (mut forms, mut known) = (0, 0);
    for form in FORMS {
        let Some(mut through) = compiled(&mut w, form.id()) else { continue };
        let found = through.solve(1.0, &q, &v).unwrap_or_else(|e| panic!("{}: {e}", form.id()));
        for (a, b) in found.accelerations.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{}: {found:?}", form.id());
        }
        let [multiplier] = found.multipliers[..] else { panic!("{}: {found:?}", form.id()) };
        if let Some(lambda) = multiplier {
            assert!((lambda - reaction).abs() < 1e-11, "{}: {lambda} for {reaction}", form.id());
            known += 1;
        }
        forms += 1;
    }
    assert!(forms >= 15 && known >= 2, "{forms} forms, {known} with the reaction");
}

#[test]
fn where_a_form_has_no_solution_it_says_what_to_try() {
    let circle = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                  [constraints]\nc = \"x*x' + y*y' = 0\"\n";
    let mut w = load(circle).workbench();
    let said = |w: &mut Workbench, form: &str, q: [f64; 2]| {
        let error = compiled(w, form).expect("it applies").solve(0.0, &q, &[0.0, 0.0]).expect_err("no solution");
        (error.message, error.hint.expect("a hint"))
    };
    let rank = "a constraint loses rank here, or a coordinate has no mass; choose another state";
    let message = "the equations of form `lagrange-multipliers` are singular at this state";
    assert_eq!(said(&mut w, "lagrange-multipliers", [0.0, 0.0]), (message.into(), rank.into()));
    let choice = "the choice of quasi-velocities or dependent velocities is singular here; try lagrange-multipliers";
    let message = "form `voronets` has no finite coefficients at this state";
    assert_eq!(said(&mut w, "voronets", [0.0, 0.0]), (message.into(), choice.into()));
}

#[test]
fn code_with_open_parameters_keeps_to_positions_where_constraints_are_holonomic() {
    let head = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nl = 2\n[energy]\n\
                kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n";
    let (rod, edge) = ("rod = \"x^2 + y^2 = l^2\"\n", "edge = \"z' = x*y'\"\n");
    let again = "again = \"l*z' = l*x*y'\"\n";
    for (constraints, velocities, positions, rows) in [
        (String::new(), false, false, vec![]),
        (format!("[constraints]\n{edge}"), true, false, vec![0]),
        (format!("[constraints]\n{rod}"), true, true, vec![0]),
        (format!("[constraints]\n{edge}{again}{rod}"), true, true, vec![0, 2]),
    ] {
        let mut w = load(&format!("{head}{constraints}")).workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let open = [w.system.parameters[0].symbol];
        let code = OpenCode::new(&mut w, &options, &open).unwrap_or_else(|e| panic!("{e}"));
        let found = (code.velocities.is_some(), code.positions.is_some(), code.rows.clone());
        assert_eq!(found, (velocities, positions, rows), "{constraints}");
    }
}
