//! Mistakes on the smallest models that show them.

use super::*;
use crate::model::Model;

#[test]
fn every_choice_of_dependent_velocities_that_an_author_may_make_is_looked_at_once() {
    let model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n\
         [energy]\nkinetic = \"(x'^2 + y'^2 + phi'^2)/2\"\n\
         [constraints]\nknife = \"x'*sin(phi) - y'*cos(phi) + 2*phi' = 0\"\n"
        .parse()
        .unwrap_or_else(|e| panic!("{e:?}"));
    let mut w = model.workbench();
    let mut found: Vec<Vec<usize>> = splits(&mut w).iter().map(|s| s.dependent.clone()).collect();
    let all = found.len();
    found.sort();
    found.dedup();
    assert_eq!(found.len(), all, "none twice");
    assert!(found.contains(&vec![0]) && found.contains(&vec![2]), "the first and the last: {found:?}");
}

const OSCILLATOR: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nk = 3\nm = 5\n\
                          [energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"k/2*x^2\"\n";

/// What is said about a claim on an oscillator, with the suggestions read back.
fn said(claim: &str) -> (Workbench, Vec<(Diagnosis, Expr)>) {
    let mut model: Model = OSCILLATOR.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
    let found = diagnose(&mut model.workbench(), e);
    let texts: Vec<String> = found.iter().map(|d| d.suggestion.clone().unwrap_or_default()).collect();
    let read: Vec<Expr> = texts.iter().map(|t| model.expression(t).unwrap_or_else(|e| panic!("{t}: {e}"))).collect();
    (model.workbench(), found.into_iter().zip(read).collect())
}

#[test]
fn one_wrong_sign_factor_or_symbol_is_found_and_mended() {
    for (claim, mistake) in [
        ("m*x'' - k*x", "wrong sign of a term"),
        ("2*m*x'' + k*x", WRONG_FACTOR),
        ("x'' + k*x", "lost factor"),
        ("m*x'' + k*y", "wrong symbol in a term"),
        ("m*x'' + k*x + sin(y)", "a term too many"),
    ] {
        let (mut w, found) = said(claim);
        let (_, mended) =
            found.iter().find(|(d, _)| d.mistake == mistake).unwrap_or_else(|| panic!("{claim}: {found:?}"));
        assert!(super::super::decide(&mut w, *mended, &[]).holds(), "{claim}: {found:?}");
    }
}

#[test]
fn nothing_is_said_about_a_claim_that_holds() {
    assert!(said("m*x'' + k*x").1.is_empty());
}

#[test]
fn nothing_is_no_correction() {
    for claim in ["x' - 1", "k*x - 2*x", "x' - y'", "cos(y) - 2"] {
        let found = said(claim).1;
        assert!(found.iter().all(|(d, _)| d.suggestion.as_deref() != Some("0")), "{claim}: {found:?}");
    }
}

#[test]
fn a_lost_factor_is_a_small_power_of_a_parameter_a_velocity_or_the_sine_or_cosine_of_an_angle() {
    for (claim, factor) in [
        ("m*x'' + x", "k"),
        ("m*x'' + k^2*x", "1/k"),
        ("m*x'' + x/k", "k^2"),
        ("m*x'' + k^3*x", "1/k^2"),
        ("m*x'' + k*x*cos(y)", "1/cos(y)"),
        ("m*x'' + k*x/sin(y)^2", "sin(y)^2"),
        ("m*x'' + k*x*y'", "1/y'"),
        ("m*x'' + x/3", "3*k"),
    ] {
        let (mut w, found) = said(claim);
        let expected = format!("should be multiplied by {factor}");
        let (d, mended) = found
            .iter()
            .find(|(d, _)| d.explanation.ends_with(&expected))
            .unwrap_or_else(|| panic!("{claim}: {found:?}"));
        assert_eq!(d.mistake, "lost factor", "{claim}");
        assert!(super::super::decide(&mut w, *mended, &[]).holds(), "{claim}: {found:?}");
    }
}

#[test]
fn a_symbol_is_taken_for_one_like_it_or_for_its_derivative_and_a_sine_for_a_cosine() {
    for (claim, expected) in [
        ("m*x' + k*x", "x'' in place of x'"),
        ("m*x'' + k*x'", "x in place of x'"),
        ("m*x'' + k*y", "x in place of y"),
        ("m*x'' + m*x", "k in place of m"),
        ("m*x'' + k*x + sin(y) - cos(y)", " in place of "),
    ] {
        let (mut w, found) = said(claim);
        let [(d, mended)] = found.as_slice() else { panic!("{claim}: {found:?}") };
        assert_eq!(d.mistake, "wrong symbol in a term", "{claim}");
        let said = d.explanation.split("should have ").nth(1).unwrap_or_default();
        assert!(said.contains(expected) && (said == expected || said.len() == 19), "{claim}: {said}");
        assert!(super::super::decide(&mut w, *mended, &[]).holds(), "{claim}: {found:?}");
    }
}

#[test]
fn a_claim_of_forty_terms_is_edited_and_a_longer_one_is_not() {
    let claim = |n: usize| {
        let more: Vec<String> = (0..n - 2).map(|j| format!(" + y''*cos(y)^{}", j + 1)).collect();
        format!("m*x'' - k*x{}", more.concat())
    };
    let mistakes = |claim: &str| said(claim).1.into_iter().map(|(d, _)| d.mistake).collect::<Vec<_>>();
    // The sign of either of the two that matter.
    assert_eq!(mistakes(&claim(40)), ["wrong sign of a term"; 2]);
    assert!(mistakes(&claim(41)).is_empty());
}

#[test]
fn numbers_with_a_small_numerator_and_denominator_are_read_from_the_field() {
    for (n, d) in [(0, 1), (1, 1), (-1, 1), (24, 1), (-24, 1), (1, 12), (-23, 12), (7, 11)] {
        let x = Fp::from_i64(n) * Fp::from_i64(d).inverse().expect("not zero");
        assert_eq!(small_rational(x), Rational::new(n, d), "{n}/{d}");
    }
    for (n, d) in [(25, 1), (-25, 1), (1, 13), (31, 7)] {
        let x = Fp::from_i64(n) * Fp::from_i64(d).inverse().expect("not zero");
        assert_eq!(small_rational(x), None, "{n}/{d}");
    }
}

#[test]
fn expressions_are_proportional_where_one_is_a_number_times_the_other() {
    let mut model: Model = OSCILLATOR.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let mut e = |text: &str| model.expression(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let [a, twice, other, by_x, nothing] = ["x + y", "-2*x - 2*y", "x - y", "x^2 + x*y", "0"].map(&mut e);
    let mut w = model.workbench();
    assert!(proportional(&mut w, a, twice) && proportional(&mut w, twice, a));
    assert!(!proportional(&mut w, a, other) && !proportional(&mut w, a, by_x) && !proportional(&mut w, a, nothing));
}

/// Where the constraint goes into the energy, the curvature, the force of the last coordinate and the multiplier all matter.
const CURVED: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nf = 3\n\
     [energy]\nkinetic = \"((1 + z^2)*x'^2 + y'^2 + z'^2)/2\"\n[forces]\nz = \"f\"\n\
     [constraints]\nc = \"z' = y*x'\"\n";

#[test]
fn each_wrong_theory_is_known_by_what_follows_from_it() {
    for (claim, mistake) in [
        // With T° = ((1 + z² + y²) x'² + y'²)/2 and z' = y x', by hand.
        ("(1 + y^2 + z^2)*x'' + 2*y*z*x'^2 + 2*y*x'*y' = y*f", "constraint substituted into the Lagrangian"),
        ("(1 + y^2 + z^2)*x'' + y*z*x'^2 + 2*y*x'*y' = y*f", "missing curvature term"),
        ("(1 + y^2 + z^2)*x'' + y*z*x'^2 + y*x'*y' = 0", "missing force of the dependent coordinates"),
        ("z'' = z*x'^2 + f - lambda_c", "wrong sign of the multiplier"),
        ("y'' = -x'*lambda_c", "vakonomic instead of d'Alembert"),
        ("y'' = x'*lambda_c", "vakonomic instead of d'Alembert"),
        ("z'' = z*x'^2 + f - lambda_c'", "vakonomic instead of d'Alembert"),
    ] {
        let mut model: Model = CURVED.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
        let found = diagnose(&mut model.workbench(), e);
        assert_eq!(found.first().map(|d| d.mistake.as_str()), Some(mistake), "{claim}: {found:?}");
    }
    let mut model: Model = CURVED.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let right = model.expression("(1 + y^2 + z^2)*x'' + y*z*x'^2 + y*x'*y' = y*f").expect("an equation");
    assert!(super::super::decide(&mut model.workbench(), right, &[]).holds());
}

#[test]
fn the_term_an_author_got_wrong_is_told_with_what_should_stand_there() {
    let mut model: Model = OSCILLATOR.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let mut e = |text: &str| model.expression(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let parts = ["m*x''", "-k*x"].map(&mut e);
    let (opposite, spring) = (e("-m*x''"), e("k*x"));
    let mut w = model.workbench();
    let found = correct(&mut w, &parts);
    assert_eq!(found.iter().map(|d| d.edit).collect::<Vec<_>>(), [Some((0, opposite)), Some((1, spring))]);
    assert!(found.iter().all(|d| d.mistake == "wrong sign of a term"), "{found:?}");
    // What is right needs no edit, but every edit by the factor one would do.
    assert!(correct(&mut w, &parts[..1]).is_empty(), "one term alone is not edited");
}

#[test]
fn theories_of_velocities_say_nothing_of_multipliers_and_of_constraints_on_accelerations() {
    let mistakes = |text: &str, claim: &str| {
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
        diagnose(&mut model.workbench(), e).into_iter().map(|d| d.mistake).collect::<Vec<_>>()
    };
    let naive = "(1 + y^2 + z^2)*x'' + 2*y*z*x'^2 + 2*y*x'*y' - y*f";
    let theory = "constraint substituted into the Lagrangian".to_owned();
    assert!(mistakes(CURVED, naive).contains(&theory));
    assert!(!mistakes(CURVED, &format!("({naive})*lambda_c")).contains(&theory));
    let second = OSCILLATOR.replace("[energy]", "[constraints]\nc = \"y'' = x*x''\"\n[energy]");
    let said = mistakes(&second, "(m*x'' - k*x)*(1 + x^2)");
    assert!(said.iter().all(|m| *m != theory && !m.starts_with("missing")), "{said:?}");
}
