//! Claims and forms on the smallest models that tell one answer from another.

use super::claim::{decide, in_field, roughness, terms};
use super::real::{RealState, RealStates};
use super::{Finding, Reach, agreement, follows, relations_from_initial_state};
use crate::analysis::analyse;
use crate::expr::{Expr, Known};
use crate::forms::by_id;
use crate::mechanics::Workbench;
use crate::model::Model;

fn model(text: &str) -> Model {
    text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// A workbench and an expression on it.
fn asked(text: &str, claim: &str) -> (Workbench, Expr) {
    let mut model = model(text);
    let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
    (model.workbench(), e)
}

/// Do the equations of a form agree with Lagrange's?
fn assert_agrees(text: &str, form: &str) {
    let mut w = model(text).workbench();
    let eq = by_id(form).expect("a form").derive(&mut w).unwrap_or_else(|e| panic!("{form}: {e}"));
    let found = agreement(&mut w, &eq);
    assert!(found.holds(), "{form}: {found:?}");
}

/// q̇ has no closed form in these quasi-velocities.
const NOT_CLOSED: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n\
     [parameters]\nk = 3\n[energy]\nkinetic = \"(x'^2 + (1 + x^2)*y'^2 + z'^2)/2\"\npotential = \"k*x*z\"\n[constraints]\nc = \"z' = x*y'\"\n\
     [quasi_velocities]\nu = \"x'^5 + (2 + y^2)*x'\"\nw = \"y'\"\n";

#[test]
fn hamel_novoselov_agrees_where_velocities_have_no_closed_form_in_the_quasi_velocities() {
    assert_agrees(NOT_CLOSED, "hamel-novoselov");
}

#[test]
fn talamuccis_coefficients_agree_where_energy_and_constraint_depend_on_time() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n\
         [energy]\nkinetic = \"((1 + t^2)*x'^2 + y'^2 + (2 + t)*z'^2)/2 + t*x*z'\"\npotential = \"x*y\"\n\
         [constraints]\nc = \"z' = x*y' + t^2*x' + sin(t)\"\n";
    assert_agrees(text, "voronets-explicit");
}

#[test]
fn a_form_with_a_mistake_in_it_is_refuted() {
    let mut w = model(HIDDEN).workbench();
    let right = by_id("maggi").expect("a form").derive(&mut w).expect("equations");
    let found = agreement(&mut w, &right);
    assert!(found.holds() && found.word() == "proved", "{found:?}");
    let x = w.g.symbol(w.system.coordinates[0]);
    let mut wrong = right.clone();
    wrong.equations[0] = w.g.add(wrong.equations[0], x);
    let found = agreement(&mut w, &wrong);
    assert!(found.known.is_refuted(), "one term too many: {found:?}");
    let mut less = right.clone();
    less.equations[0] = w.g.zero();
    let found = agreement(&mut w, &less);
    assert!(found.known.is_refuted(), "an equation is missing: {found:?}");
}

#[test]
fn a_form_that_cannot_be_proved_to_agree_is_tested() {
    let mut w = model(NOT_CLOSED).workbench();
    let eq = by_id("maggi").expect("a form").derive(&mut w).expect("equations");
    // No proof is tried for long.
    w.limits.normal_form_work = 1;
    let mut other = eq.clone();
    let x = w.g.symbol(w.system.coordinates[0]);
    let (sine, cosine) = (w.g.sin(x), w.g.cos(x));
    let (sine, cosine) = (w.g.mul(sine, sine), w.g.mul(cosine, cosine));
    let one = w.g.add(sine, cosine);
    other.equations[0] = w.g.mul(other.equations[0], one);
    let found = agreement(&mut w, &other);
    assert_eq!(found.word(), "tested", "{found:?}");
}

/// x − y stays what it is, but no constraint says so outright.
const HIDDEN: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"a\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + a'^2)/2\"\n\
     potential = \"x^2\"\n[constraints]\nc = \"x' = y'\"\n[initial]\nposition = { x = 0, y = 0, a = 1 }\n";

#[test]
fn what_the_constraints_keep_is_what_it_was_in_the_beginning_and_nothing_else_is() {
    let (mut w, e) = asked(HIDDEN, "x - y");
    let found = decide(&mut w, e, &[]);
    assert!(found.holds());
    assert_eq!(found, Finding::on_leaf(Known::Proved));
    // This is zero in the beginning too, but does not stay so.
    let (mut w, e) = asked(HIDDEN, "x - 2*y");
    assert!(decide(&mut w, e, &[]).fails());
    let (mut w, e) = asked(HIDDEN, "x - y - 1");
    assert!(decide(&mut w, e, &[]).fails());
}

#[test]
fn a_claim_on_velocities_that_holds_by_a_hidden_relation_holds_from_the_initial_position() {
    let (mut w, e) = asked(HIDDEN, "(x - y)*x'");
    let analysis = analyse(&mut w);
    let relations = relations_from_initial_state(&mut w, &analysis);
    assert_eq!(relations.len(), 1);
    let found = decide(&mut w, e, &relations);
    assert!(matches!(found.known, Known::Tested { .. }) && found.reach == Reach::Leaf, "{found:?}");
}

#[test]
fn where_many_signs_are_chosen_real_states_are_asked_too() {
    // A product that vanishes unless all its factors are positive, as they are here: the field nearly always sees zero.
    let factors: Vec<String> = (1..=12).map(|k| format!("(abs(a + {k}) + a + {k})")).collect();
    let (mut w, e) = asked(HIDDEN, &format!("(x - y)*x' + {}", factors.join("*")));
    let analysis = analyse(&mut w);
    let relations = relations_from_initial_state(&mut w, &analysis);
    assert!(decide(&mut w, e, &relations).fails());
}

#[test]
fn what_holds_at_forty_states_for_either_sign_is_tested_not_only_seen_in_numbers() {
    let (mut w, e) = asked(NOT_CLOSED, "(abs(x) + 1)^2 - x^2 - 2*abs(x) - 1");
    let found = decide(&mut w, e, &[]);
    assert!(matches!(found.known, Known::Tested { error_bound } if error_bound < 1e-6), "{found:?}");
}

#[test]
fn what_is_tested_says_whether_it_holds_for_other_parameters_too() {
    for (claim, reach) in [("(k - 3)*x", Reach::Values), ("(x + 1)^2 - x^2 - 2*x - 1", Reach::Everywhere)] {
        let (mut w, e) = asked(NOT_CLOSED, claim);
        let found = decide(&mut w, e, &[]);
        assert!(matches!(found.known, Known::Tested { .. }) && found.reach == reach, "{claim}: {found:?}");
    }
}

#[test]
fn where_many_signs_leave_the_field_in_doubt_numbers_at_real_states_count() {
    let claim =
        "(abs(x) + 1)*(abs(y) + 1)*(abs(z) + 1) - (abs(x) + 1)*(abs(y) + 1)*abs(z) - (abs(x) + 1)*abs(y) - abs(x) - 1";
    let (mut w, e) = asked(NOT_CLOSED, claim);
    let found = decide(&mut w, e, &[]);
    assert_eq!(found.known, Known::Numerical);
}

#[test]
fn a_claim_that_fails_only_off_the_leaf_of_the_initial_position_is_not_refuted() {
    // The motions stay on a circle, which is no function of one coordinate.
    let circle = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
         [constraints]\nc = \"x*x' + y*y' = 0\"\n[initial]\nposition = { x = 1, y = 0 }\n";
    let (mut w, e) = asked(circle, "(x^2 + y^2 - 1)*y'");
    let found = follows(&mut w, e);
    assert!(!found.fails(), "{found:?}");
    let (mut w, e) = asked(circle, "(x^2 - y^2 - 1)*y'");
    assert!(follows(&mut w, e).fails());
}

#[test]
fn a_relation_between_rounded_positions_has_the_constant_zero_or_is_not_stated() {
    // x follows from y: x + x³ = 3; z is written with all digits of that.
    let text = |z: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
             [constraints]\nh = \"x + x^3 + y = 3\"\nc = \"z' = x'\"\n[initial]\nposition = {{ y = 0, z = {z} }}\n"
        )
    };
    let relations = |z: &str| {
        let mut w = model(&text(z)).workbench();
        let analysis = analyse(&mut w);
        relations_from_initial_state(&mut w, &analysis).len()
    };
    assert_eq!(relations("1.2134116627622296"), 1);
    assert_eq!(relations("1.2134116627722296"), 0);
}

#[test]
fn of_many_small_failures_the_largest_is_shown_and_of_plain_ones_the_first() {
    let free = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n";
    let shown = |claim: &str| {
        let (mut w, e) = asked(free, claim);
        decide(&mut w, e, &[]).counterexample().unwrap_or_else(|| panic!("{claim} is not refuted")).state
    };
    let mut states = RealStates::new(&mut model(free).workbench(), &[]).expect("states");
    let tried: Vec<RealState> = (0..12).map(|seed| states.near(seed).expect("a state")).collect();
    // Wrong by at most a hundredth of its terms, most where the sine is largest.
    for (claim, i) in [("cos(x)^2 + sin(x)^2*101/100 - 1", 0), ("cos(y)^2 + sin(y)^2*101/100 - 1", 1)] {
        let largest = tried.iter().map(|s| s.q[i].abs()).fold(0.0, f64::max);
        assert!(largest > tried[0].q[i].abs());
        assert_eq!(shown(claim).q[i].abs(), largest, "{claim}");
    }
    // Wrong by as much as there is, at any state.
    for claim in ["x^2 + 1", "y^2 + 1", "x'^4 + 2"] {
        assert_eq!(shown(claim), tried[0], "{claim}");
    }
}

#[test]
fn what_holds_at_real_states_but_not_on_every_branch_is_undecided() {
    // Never negative, but no normal form says so: in the prime field the absolute value may have either sign.
    let (mut w, e) = asked(NOT_CLOSED, "abs(cosh(x) + sin(y)/2) - cosh(x) - sin(y)/2");
    let found = decide(&mut w, e, &[]);
    assert!(found.why_undecided().is_some_and(|why| why.contains("not on every branch")), "{found:?}");
}

#[test]
fn identities_of_real_numbers_are_proved_though_they_fail_on_a_branch() {
    for claim in [
        "sqrt(1 + sinh(x)^2) - cosh(x)",
        "sqrt(1 + sinh(x')^2) - cosh(x')",
        "log(exp(x')*exp(y)) - x' - y",
        "abs(tanh(5*x')) - tanh(5*abs(x'))",
        "abs(sinh(x)) - sinh(abs(x))",
        "abs(atan(x*y)) - atan(abs(x)*abs(y))",
        "cosh(abs(x)) - cosh(x)",
        "sign(sinh(x)) - sign(x)",
    ] {
        let (mut w, e) = asked(NOT_CLOSED, claim);
        let found = decide(&mut w, e, &[]);
        assert_eq!(found.known, Known::Proved, "{claim}: {found:?}");
    }
    for claim in [
        "sqrt(1 + sinh(x)^2) + cosh(x)",
        "log(exp(x')*exp(y)) - x' + y",
        "tanh(5*abs(x')) - tanh(5*x')",
        "abs(sin(x)) - sin(abs(x))",
        "abs(atan(x)) - atan(x)",
        "cosh(abs(x)) + sinh(abs(x)) - exp(x)",
    ] {
        let (mut w, e) = asked(NOT_CLOSED, claim);
        let found = decide(&mut w, e, &[]);
        assert!(found.known.is_refuted(), "{claim}: {found:?}");
    }
}

/// Two points that nothing binds.
const FREE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n";

#[test]
fn of_failures_that_are_equal_the_first_is_shown() {
    // A number that is zero nowhere: a hundredth of its terms at every state.
    let (mut w, e) = asked(FREE, "sin(1)^2 + cos(1)^2 - 99/100");
    let shown = decide(&mut w, e, &[]).counterexample().expect("it is refuted");
    let first = RealStates::new(&mut w, &[]).expect("states").near(0).expect("a state");
    assert_eq!(shown.state, first);
    assert!((shown.residual - 0.01).abs() < 1e-15 && shown.error < 1e-60, "{shown:?}");
}

#[test]
fn a_claim_is_judged_at_a_few_real_states_whatever_is_left_of_the_budget() {
    // The field has no order: only real states tell that |x| + x is not zero, some of them.
    for (claim, fails) in [("abs(x) + x", true), ("abs(x^2 + 1) - x^2 - 1", false)] {
        let (mut w, e) = asked(NOT_CLOSED, claim);
        w.g.work.limit(0);
        assert!(w.g.work.is_over());
        assert_eq!(decide(&mut w, e, &[]).fails(), fails, "{claim}");
    }
}

#[test]
fn a_claim_without_a_value_says_which_function_has_none() {
    for (claim, function) in [
        ("x + asin(2 + x^2)", "asin(x^2 + 2)"),
        ("x + acos(2 + x^2)", "acos(x^2 + 2)"),
        ("x*log(-1 - y^2)", "log(-y^2 - 1)"),
        ("y' + sqrt(-1 - y^2)*x", "sqrt(-y^2 - 1)"),
    ] {
        let (mut w, e) = asked(FREE, claim);
        let found = decide(&mut w, e, &[]);
        let why = found.why_undecided().unwrap_or_default();
        assert!(why.contains("has no real value") && why.ends_with(function), "{claim}: {found:?}");
    }
}

#[test]
fn how_rough_a_claim_is_counts_its_roots_and_those_of_the_motion() {
    let rough = NOT_CLOSED.replace("k*x*z", "k*z*sqrt(1 + x^2)");
    let signs = |text: &str, claim: &str| {
        let (mut w, e) = asked(text, claim);
        roughness(&mut w, e)
    };
    for (claim, expected) in [("x*y'", 0), ("abs(x)*y'", 1), ("sqrt(x) + abs(y) + sign(z)", 3)] {
        assert_eq!(signs(NOT_CLOSED, claim), expected, "{claim}");
    }
    let motion = signs(&rough, "x*y'");
    assert!(motion > 0);
    assert_eq!(signs(&rough, "sqrt(y)"), motion + 1);
}

#[test]
fn the_terms_of_a_sum_keep_their_coefficients_and_its_constant() {
    let (mut w, e) = asked(FREE, "2*x - y/3 + 5");
    let list = terms(&mut w.g, e);
    let five = w.g.integer(5);
    assert!(list.len() == 3 && list.contains(&five), "{list:?}");
    assert_eq!(w.g.sum(list), e);
    let (mut w, e) = asked(FREE, "2*x - y/3");
    assert_eq!(terms(&mut w.g, e).len(), 2);
    let (mut w, e) = asked(FREE, "2*x*y");
    assert_eq!(terms(&mut w.g, e), [e]);
}

#[test]
fn claims_on_the_rate_of_a_multiplier_are_claims_on_the_state() {
    // y'' = λ and y'' = x': the multiplier is x', its rate x'' = −x.
    let text = format!("{FREE}potential = \"x^2/2\"\n[constraints]\nc = \"y' = x\"\n");
    for (claim, holds) in
        [("lambda_c - x'", true), ("lambda_c' + x", true), ("lambda_c' - x''", true), ("lambda_c' - x", false)]
    {
        let (mut w, e) = asked(&text, claim);
        let found = decide(&mut w, e, &[]);
        assert!(if holds { found.holds() } else { found.fails() }, "{claim}: {found:?}");
    }
}

#[test]
fn where_signs_are_chosen_forty_states_of_the_field_are_tried_and_else_three() {
    // Zero unless the field chooses all of these signs alike: one chance in eight at every state.
    for (a, b, c) in [
        ("x", "y", "z"),
        ("x + 1", "y + 2", "z + 3"),
        ("x*y", "z", "x"),
        ("x + y", "y + z", "x - z"),
        ("2*x", "3*y", "5*z"),
    ] {
        let claim = format!("(abs({a}) + {a})*(abs({b}) + {b})*(abs({c}) + {c})");
        let (mut w, e) = asked(NOT_CLOSED, &claim);
        assert_eq!(in_field(&mut w, e, &[]), Some(false), "{claim}");
    }
    let (mut w, e) = asked(NOT_CLOSED, "(x + 1)^2 - x^2 - 2*x - 1");
    assert_eq!(in_field(&mut w, e, &[]), Some(true));
}

#[test]
fn the_chance_that_a_tested_claim_is_wrong_is_that_of_its_states() {
    let bound = |claim: &str| {
        let (mut w, e) = asked(NOT_CLOSED, claim);
        match decide(&mut w, e, &[]).known {
            Known::Tested { error_bound } => error_bound,
            other => panic!("{claim}: {other:?}"),
        }
    };
    // 10⁶/2⁶¹ at each of three states; with one sign to choose one half, and that, at each of forty.
    let once = 1e6 / 2f64.powi(61);
    let (smooth, rough) = (bound("(x + 1)^2 - x^2 - 2*x - 1"), bound("(abs(x) + 1)^2 - x^2 - 2*abs(x) - 1"));
    assert!((smooth / once.powi(3) - 1.0).abs() < 1e-12, "{smooth}");
    assert!((rough / (0.5 + once).powi(40) - 1.0).abs() < 1e-12, "{rough}");
}

#[test]
fn a_step_that_begins_as_zero_is_followed_along_motions() {
    for (claim, holds) in
        [("sign(x - y)", true), ("atan2(x - y, 1)", true), ("sign(x + 2)*(x - y) + sign(x - y)", true)]
    {
        let (mut w, e) = asked(HIDDEN, claim);
        let found = decide(&mut w, e, &[]);
        assert_eq!((found.known == Known::Numerical, found.reach), (holds, Reach::Leaf), "{claim}: {found:?}");
    }
}

#[test]
fn multipliers_that_are_not_determined_are_not_judged_but_what_does_not_need_them_is() {
    let text = format!("{FREE}[constraints]\nonce = \"x' = y'\"\ntwice = \"2*x' = 2*y'\"\n");
    let (mut w, e) = asked(&text, "lambda_once");
    assert!(decide(&mut w, e, &[]).why_undecided().is_some_and(|why| why.contains("not determined")));
    for (claim, holds) in [("x'' - y''", true), ("x''", true), ("x'' - 1", false)] {
        let (mut w, e) = asked(&text, claim);
        assert_eq!(decide(&mut w, e, &[]).holds(), holds, "{claim}");
    }
}

#[test]
fn a_term_that_cannot_be_seen_beside_the_others_leaves_a_claim_undecided() {
    // Beside cosh(500), a number of 217 digits, y is below the rounding of 256 bits; it is not nothing for that.
    let large = "cosh(500)*sin(x)^2 + cosh(500)*cos(x)^2 - cosh(500)";
    let (mut w, e) = asked(FREE, &format!("{large} + y"));
    let found = decide(&mut w, e, &[]);
    assert_eq!(found.why_undecided(), Some("no real state was found that decides it, near or far"), "{found:?}");
    // What can be seen is.
    let (mut w, e) = asked(FREE, &format!("{large} + y*cosh(500)"));
    assert!(decide(&mut w, e, &[]).fails());
    let (mut w, e) = asked(FREE, large);
    assert!(decide(&mut w, e, &[]).holds());
}
