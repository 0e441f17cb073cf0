//! Claims about the reference systems: every printed equation gets the verdict on record, and the usual mistakes are named.

use crate::common::reference::{self, model_of, systems};
use crate::common::{expression, load, loaded, verdict};
use noslip::Limits;
use noslip::expr::Expr;
use noslip::expr::Known;
use noslip::model::{Claims, Model};
use noslip::verify::{Diagnosis, Reach, decide, diagnose};
use serde_json::Value;

/// Decides an equation as `noslip verify` does: relations hidden in the constraints are used when it fails without them.
fn holds(model: &mut Model, equation: &str) -> (bool, Vec<Diagnosis>) {
    let claim = expression(model, equation);
    judged(model, claim, equation)
}

/// Does this zero hold; and if not, with a counterexample, what is said about it.
fn judged(model: &mut Model, claim: Expr, equation: &str) -> (bool, Vec<Diagnosis>) {
    let finding = verdict(model, claim);
    if finding.holds() {
        return (true, Vec::new());
    }
    let c = finding.counterexample().unwrap_or_else(|| panic!("{equation}: {finding:?}"));
    assert!(c.residual.is_finite() && c.residual.abs() > c.error, "{equation}: {c:?}");
    (false, diagnose(&mut model.workbench(), claim))
}

#[test]
fn every_printed_equation_gets_the_verdict_on_record() {
    let (mut right, mut refuted) = (0, 0);
    for (name, json) in systems() {
        let constraints = json["constraints"].as_array().into_iter().flatten();
        let names: Vec<&str> = constraints.map(|c| c["name"].as_str().unwrap_or_default()).collect();
        for p in json["published"].as_array().into_iter().flatten() {
            let mut model = model_of(&json);
            let file = reference::claims(&json, p, &names);
            let claims = loaded(Claims::load(&file, &mut model, &Limits::default()), &name, &file);
            for claim in &claims.claims {
                let expected = claim.id == "corrected" || p["holds"] == Value::Bool(true);
                let (found, _) = judged(&mut model, claim.expr, &claim.id);
                assert_eq!(found, expected, "{name} {} {}", p["id"], claim.id);
                right += 1;
                refuted += usize::from(!found);
            }
        }
    }
    assert_eq!(right, 124, "every printed equation and every correction was decided");
    assert!(refuted >= 20, "misprints were found: {refuted}");
}

#[test]
fn the_tutorials_rolling_disc_is_refuted_with_the_right_diagnosis() {
    let json = reference::json("tutorial_mistake.json");
    let load = || model_of(&json);
    let mut checked = 0;
    for claim in json["wrong"].as_array().into_iter().flatten() {
        let (verdict, diagnosis) = holds(&mut load(), claim["equation"].as_str().unwrap_or_default());
        assert!(!verdict);
        let expected = claim["diagnosis"].as_str().unwrap_or_default();
        assert!(diagnosis.iter().any(|d| d.mistake == expected), "{claim}: {diagnosis:?}");
        checked += 1;
    }
    for claim in json["right"].as_array().into_iter().flatten() {
        assert!(holds(&mut load(), claim["equation"].as_str().unwrap_or_default()).0, "{claim}");
        checked += 1;
    }
    assert_eq!(checked, 5);
}

const SKATER: &str = r#"
noslip = 1
[system]
name = "skater"
coordinates = ["x", "phi", "y"]
[parameters]
m = 2
J = 0.3
c = 0.4
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
[forces]
y = "-c*y'"
[constraints]
edge = "x'*sin(phi) = y'*cos(phi)"
"#;

fn diagnosis_of(equation: &str) -> Vec<Diagnosis> {
    let mut model = load(SKATER);
    let (verdict, list) = holds(&mut model, equation);
    assert!(!verdict, "{equation} is false");
    list
}

fn names(list: &[Diagnosis]) -> Vec<&str> {
    list.iter().map(|d| d.mistake.as_str()).collect()
}

#[test]
fn a_multiplier_with_the_wrong_sign_is_recognised() {
    let list = diagnosis_of("m*x'' + lambda_edge*sin(phi) = 0");
    assert!(names(&list).contains(&"wrong sign of the multiplier"), "{list:?}");
}

#[test]
fn one_wrong_sign_is_one_diagnosis() {
    // Reversing the multiplier, reversing its term, and reversing the other term are the same equation up to its sign.
    let list = diagnosis_of("m*x'' + lambda_edge*sin(phi) = 0");
    assert_eq!(names(&list), ["wrong sign of the multiplier"], "{list:?}");
    // Values that happen to fit do not make a factor more likely than a sign.
    let mut sleigh = load(
        "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"x\", \"y\", \"phi\"]\n[definitions]\nx_C = \"x + 0.3*cos(phi)\"\n\
         y_C = \"y + 0.3*sin(phi)\"\n[energy]\nkinetic = \"(x_C'^2 + y_C'^2)/2 + 0.05/2*phi'^2\"\n[constraints]\n\
         edge = \"x'*sin(phi) = y'*cos(phi)\"\n",
    );
    let (verdict, list) = holds(&mut sleigh, "x_C'' = -lambda_edge*sin(phi)");
    assert!(!verdict);
    assert_eq!(names(&list), ["wrong sign of the multiplier"], "{list:?}");
    // Two different edits stay two.
    let list = diagnosis_of("2*m*x'' - lambda_edge*sin(phi) = 0");
    assert!(!list.is_empty() && list.iter().all(|d| d.mended.is_some()), "{list:?}");
}

#[test]
fn a_missing_force_of_the_dependent_coordinate_is_recognised() {
    // The right equation has −c·x'·tan² on the right side: the friction on y acts through y' = x' tan φ.
    let list = diagnosis_of("m*x''*(1 + tan(phi)^2) + m*x'*phi'*tan(phi)*(1 + tan(phi)^2) = 0");
    assert!(names(&list).contains(&"missing force of the dependent coordinates"), "{list:?}");
}

#[test]
fn a_wrong_sign_a_lost_factor_and_a_lost_dot_are_mended() {
    let sign = diagnosis_of("m*y'' - c*y' + lambda_edge*cos(phi) = 0");
    assert!(names(&sign).contains(&"wrong sign of a term"), "{sign:?}");
    assert!(sign.iter().any(|d| d.suggestion.as_deref().is_some_and(|s| s.contains("c*y'"))));
    let factor = diagnosis_of("x'' - lambda_edge*sin(phi) = 0");
    assert!(names(&factor).contains(&"lost factor"), "{factor:?}");
    let dot = diagnosis_of("m*x' - lambda_edge*sin(phi) = 0");
    assert!(names(&dot).contains(&"wrong symbol in a term"), "{dot:?}");
    let number = diagnosis_of("2*m*x'' - lambda_edge*sin(phi) = 0");
    assert!(names(&number).contains(&"wrong factor of a term"), "{number:?}");
}

#[test]
fn an_integral_of_the_constraints_holds_because_of_the_initial_position() {
    let hoop = "noslip = 1\n[system]\nname = \"h\"\ncoordinates = [\"z\", \"theta\", \"x\"]\n[energy]\n\
                kinetic = \"(z'^2 + theta'^2 + x'^2)/2\"\n[constraints]\nc = \"z' = theta'*cos(theta)\"\n[initial]\n\
                position = { z = 0.5, theta = \"pi/6\", x = 0 }\nvelocity = { theta = 1, x = 0 }\n";
    let load = || load(hoop);
    assert!(holds(&mut load(), "z = sin(theta)").0);
    assert!(!holds(&mut load(), "z = cos(theta)").0);
    assert!(!holds(&mut load(), "z = sin(theta) + 1/10").0, "the constant counts");
}

/// The mistakes that are theories, as against slips of the pen.
const THEORIES: [&str; 5] = [
    "wrong sign of the multiplier",
    "constraint substituted into the Lagrangian",
    "missing curvature term",
    "missing force of the dependent coordinates",
    "vakonomic instead of d'Alembert",
];

fn theories_of(model: &str, equation: &str) -> Vec<String> {
    let mut model = load(model);
    let (verdict, list) = holds(&mut model, equation);
    assert!(!verdict, "{equation} is false");
    list.into_iter().map(|d| d.mistake).filter(|m| THEORIES.contains(&m.as_str())).collect()
}

/// L + μφ with φ = x' sin φ − y' cos φ: m x'' + (μ sin φ)' = 0, m y'' + c y' − (μ cos φ)' = 0, J φ'' = μ (x' cos φ + y' sin φ).
#[test]
fn vakonomic_equations_are_recognised_by_the_multiplier_or_its_rate() {
    for equation in [
        "m*x'' + lambda_edge'*sin(phi) + lambda_edge*phi'*cos(phi) = 0",
        "m*x'' - lambda_edge'*sin(phi) - lambda_edge*phi'*cos(phi) = 0",
        "m*y'' + c*y' = lambda_edge'*cos(phi) - lambda_edge*phi'*sin(phi)",
        "J*phi'' = lambda_edge*(x'*cos(phi) + y'*sin(phi))",
    ] {
        assert_eq!(theories_of(SKATER, equation), ["vakonomic instead of d'Alembert"], "{equation}");
    }
    // What holds for every μ holds for μ = 0, and that is mechanics.
    let mut model = load(SKATER);
    let eliminated = "(m*(x''*cos(phi) + y''*sin(phi)) + c*y'*sin(phi))*(x'*cos(phi) + y'*sin(phi)) + J*phi''*phi' = 0";
    assert!(holds(&mut model, eliminated).0);
}

#[test]
fn a_missing_curvature_term_is_told_from_a_constraint_in_the_lagrangian() {
    // Where T depends on the dependent coordinate, Voronets' equations have a term that Lagrange's do not have.
    let model = SKATER.replace("y'^2", "(1 + y^2)*y'^2").replace("y = \"-c*y'\"", "");
    let lagrange = "m*(x''*(1 + (1 + y^2)*tan(phi)^2) + x'*(2*y*x'*tan(phi)^3 + 2*(1 + y^2)*tan(phi)/cos(phi)^2*phi'))";
    let naive = format!("{lagrange} = 0");
    assert_eq!(theories_of(&model, &naive), ["constraint substituted into the Lagrangian"]);
    let flat = format!("{lagrange} = m*y*x'^2*tan(phi)^3");
    assert_eq!(theories_of(&model, &flat), ["missing curvature term"]);
}

#[test]
fn no_theory_is_blamed_for_a_slip_of_the_pen() {
    for equation in [
        "m*y'' - c*y' + lambda_edge*cos(phi) = 0",
        "x'' - lambda_edge*sin(phi) = 0",
        "2*m*x'' - lambda_edge*sin(phi) = 0",
        "J*phi'' = c*phi'",
        "x''*y'' + phi'^3 = 5",
        "lambda_edge' = lambda_edge",
    ] {
        assert!(theories_of(SKATER, equation).is_empty(), "{equation}");
    }
}

/// λ = −(c y' cos φ + m φ' v) as a function of the state, differentiated along the motion.
#[test]
fn the_rate_of_a_multiplier_is_that_of_the_reaction() {
    let load = || load(SKATER);
    let reaction = "c*y'*cos(phi) + m*phi'*(x'*cos(phi) + y'*sin(phi))";
    assert!(holds(&mut load(), &format!("lambda_edge = -({reaction})")).0);
    let rate = "c*y''*cos(phi) - c*y'*phi'*sin(phi) + m*phi''*(x'*cos(phi) + y'*sin(phi)) \
                + m*phi'*(x''*cos(phi) - x'*phi'*sin(phi) + y''*sin(phi) + y'*phi'*cos(phi))";
    assert!(holds(&mut load(), &format!("lambda_edge' = -({rate})")).0);
}

#[test]
fn a_claim_that_is_defined_nowhere_is_left_undecided() {
    let mut model = load(SKATER);
    let claim = expression(&mut model, "asin(2 + x^2) = 0");
    let mut w = model.workbench();
    let finding = decide(&mut w, claim, &[]);
    let why = finding.why_undecided().unwrap_or_else(|| panic!("{finding:?}"));
    assert!(why.contains("no real value") && why.contains("asin"), "{why}");
}

/// Two particles with two constraints of second degree; `coupled` cannot be solved for any velocity without a root.
fn two_particles(coupled: &str) -> Model {
    let text = format!(
        "noslip = 1\n[system]\nname = \"two\"\ncoordinates = [\"x\", \"y\", \"u\", \"v\"]\n[parameters]\nm = 2\nk = 3\n\
         [energy]\nkinetic = \"(x'^2 + y'^2)/2 + m/2*(u'^2 + v'^2)\"\npotential = \"k/2*(x^2 + y^2 + (u - x)^2)\"\n\
         [constraints]\nspeeds = \"x'^2 + y'^2 = u'^2 + v'^2\"\ncoupled = \"{coupled}\"\n\
         [initial]\nposition = {{ x = 0.2, y = 0.3, u = 1, v = 0.2 }}\nvelocity = {{ x = 0.8, y = 0.5 }}\n"
    );
    load(&text)
}

/// Every bracket vanishes along the motion, so the terms of the sum are as small as its rounding.
#[test]
fn what_cancels_inside_the_terms_of_a_claim_is_no_counterexample() {
    let orthogonal = "x'*(x'' + k*x - k*(u - x) - 2*lambda_speeds*x' - lambda_coupled*u') \
                      + y'*(y'' + k*y - 2*lambda_speeds*y' - lambda_coupled*v') = 0";
    assert!(holds(&mut two_particles("x'*u' + y'*v' = 0"), orthogonal).0);
    let quadratic = "x'*(x'' + k*x - k*(u - x) - lambda_speeds*2*x' - lambda_coupled*(2*x' + u')) \
                     + y'*(y'' + k*y - 2*lambda_speeds*y' - 2*lambda_coupled*y') = 0";
    let mut model = two_particles("x'^2 + x'*u' + y'^2 = 2*v'^2 + u'^2/2");
    assert!(holds(&mut model, quadratic).0);
    assert!(!holds(&mut model, &quadratic.replace("k*y -", "2*k*y -")).0);
}

#[test]
fn constraints_that_are_solved_together_still_allow_an_exact_verdict() {
    let mut model = two_particles("x'*u' + y'*v' = 0");
    for (equation, expected) in [("x'^2 = v'^2", true), ("x'^2 = u'^2", false)] {
        let claim = expression(&mut model, equation);
        let mut w = model.workbench();
        let finding = decide(&mut w, claim, &[]);
        let exact = matches!(finding.known, Known::Proved | Known::Tested { .. });
        assert_eq!(exact, expected, "{equation}: {finding:?}");
    }
}

#[test]
fn homogeneous_constraints_keep_the_energy_even_where_no_state_can_be_drawn() {
    for coupled in ["x'*u' + y'*v' = 0", "x'^2 + x'*u' + y'^2 = 2*v'^2 + u'^2/2"] {
        let model = two_particles(coupled);
        let analysis = noslip::analysis::analyse(&mut model.workbench());
        assert_eq!(analysis.energy.conserved, Some(true), "{coupled}");
    }
    let model = two_particles("x'^2 + x'*u' + y'^2 = 2*v'^2 + u'^2/2 + 1");
    let analysis = noslip::analysis::analyse(&mut model.workbench());
    assert_eq!(analysis.energy.conserved, None, "where it is not known, it is not denied");
}

#[test]
fn a_claim_that_is_wrong_by_little_is_refuted() {
    let mut model = load(SKATER);
    assert!(holds(&mut model, "phi' = phi'").0);
    for wrong in ["x'*sin(phi) = y'*cos(phi) + 1e-11", "1e12*(x'*sin(phi) - y'*cos(phi)) = 1e-1*phi"] {
        assert!(!holds(&mut model, wrong).0, "{wrong}");
    }
}

/// With m = 2 and k = 3 in place of the letters.
#[test]
fn a_claim_that_needs_the_values_of_the_parameters_says_so() {
    let mut model = two_particles("x'*u' + y'*v' = 0");
    let equation = "m*v'' = -2*lambda_speeds*v' + lambda_coupled*y'";
    for (claim, expected) in [(equation.to_owned(), false), (equation.replace("m*", "(k - 1)*"), true)] {
        let claim = expression(&mut model, &claim);
        let mut w = model.workbench();
        let finding = decide(&mut w, claim, &[]);
        assert!(finding.holds(), "{finding:?}");
        assert_eq!(finding.reach == Reach::Values, expected, "{finding:?}");
    }
}

#[test]
fn claims_about_tables_are_refuted_with_their_value_and_that_of_their_slope() {
    // Where tables are cubic pieces the value is enclosed; x'' = −f′(x) + f(y).
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y"]
[tables.f]
of = "x"
at = [-40, -1, 0, 1, 2, 40]
values = [1, 3, 0, 2, 1, 5]
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "f(x)"
[forces]
y = "f(x)"
[initial]
position = { x = 0.3, y = 0.2 }
"#;
    let mut model = load(text);
    for claim in ["y'' = 0", "x'' = 0", "x'' = y''", "y'' = f(x) + 1e-3"] {
        let expr = expression(&mut model, claim);
        let finding = verdict(&model, expr);
        let c = finding.counterexample().unwrap_or_else(|| panic!("{claim}: {finding:?}"));
        assert!(c.residual.abs() > 10.0 * c.error && c.error < 1e-6, "{claim}: {c:?}");
    }
    assert!(holds(&mut model, "y'' = f(x)").0);
}
