use super::*;
use crate::expr::Witness;
use crate::expr::{Declared, Role, parse_expression};
use crate::limits::Limits;

fn setup(text: &str) -> (Arena, Expr) {
    let mut arena = Arena::new();
    for name in ["x", "y", "z", "n"] {
        arena.declare(name, Role::Coordinate);
    }
    arena.declare_table("f");
    let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
    (arena, e)
}

fn verdict(text: &str) -> Known {
    let (mut arena, e) = setup(text);
    is_zero(&mut arena, e, &ZeroOptions::default())
}

#[test]
fn zeros_are_proved() {
    for text in ["sin(x)^2+cos(x)^2-1", "sqrt((x^2+1)^2)-x^2-1", "acos(x)+asin(x)-pi/2", "f(x+y)-f(y+x)", "0*f(x)"] {
        assert_eq!(verdict(text), Known::Proved, "{text}");
    }
}

#[test]
fn relations_the_normal_form_does_not_know_are_tested() {
    // cos π/5 − cos 2π/5 = 1/2 holds on the circle of the field as it does in the complex plane.
    let Known::Tested { error_bound } = verdict("cos(pi/5)-cos(2*pi/5)-1/2") else { panic!("not tested") };
    assert!(error_bound < 1e-40);
}

#[test]
fn what_is_out_of_reach_for_the_normal_form_is_tested() {
    let verdict = verdict(
        "cos(100*x)*cos(y) - (cos(100*x+y) + cos(100*x-y))/2 + (x+y+z)^3000 - (z+x+y)^3000*sin(x)^2 - (z+x+y)^3000*cos(x)^2",
    );
    assert!(matches!(verdict, Known::Tested { error_bound } if error_bound < 1e-20), "{verdict:?}");
}

#[test]
fn a_sign_that_the_field_chooses_makes_a_zero_less_sure_but_not_worthless() {
    // Of forty points each has one chance in two to meet the other sign.
    let (mut arena, e) = setup("(abs(x)+1)^2 - x^2 - 2*abs(x) - 1");
    let options = ZeroOptions { prove: false, ..ZeroOptions::default() };
    let verdict = is_zero(&mut arena, e, &options);
    assert!(
        matches!(verdict, Known::Tested { error_bound } if 1e-15 < error_bound && error_bound < 1e-11),
        "{verdict:?}"
    );
}

#[test]
fn angles_of_a_point_are_angles_in_the_field_too() {
    let options = ZeroOptions { prove: false, ..ZeroOptions::default() };
    for text in ["cos(atan2(y,x))*sqrt(x^2+y^2) - x", "sin(atan(x))^2*(1+x^2) - x^2", "cos(asin(x))^2 + x^2 - 1"] {
        let (mut arena, e) = setup(text);
        let verdict = is_zero(&mut arena, e, &options);
        assert!(matches!(verdict, Known::Tested { .. }), "{text}: {verdict:?}");
    }
}

#[test]
fn the_degree_of_a_product_is_the_sum_of_the_degrees() {
    let degree = |text: &str| {
        let (mut arena, e) = setup(text);
        FieldEvaluator::new(&mut arena, &[e], &Options::default()).degree_bound(&arena)
    };
    let one = degree("x");
    assert!(one >= 1.0);
    for (text, times) in [("x*y", 2.0), ("x^3*y^2", 5.0), ("x^3*y^2 + z", 5.0), ("x*y/z^4", 2.0), ("1/x + 1/y", 2.0)] {
        assert_eq!(degree(text), times * one, "{text}");
    }
}

#[test]
fn counterexamples_are_real_points() {
    for text in ["sqrt(x^2)-x", "sin(x)^2+cos(x)^2-1+y*10^(-9)", "cos(10*(x+5)^40)-1", "(x+y+z)^100000-1", "f(x)*f(y)"]
    {
        let (mut arena, e) = setup(text);
        let verdict = is_zero(&mut arena, e, &ZeroOptions::default());
        let Known::Refuted(Witness::Real { values, value, error }) = verdict else { panic!("{text}: {verdict:?}") };
        assert!(value.abs() > error);
        assert_eq!(evaluate_with_error(&arena, e, &values).unwrap().value, value);
    }
}

#[test]
fn a_difference_below_rounding_is_disproved_with_more_digits() {
    for text in ["sin(x)^2+cos(x)^2-1+x*10^(-40)", "sqrt((x^2+1)^2)-x^2-1+x*10^(-40)"] {
        let Known::Refuted(Witness::Real { value, error, .. }) = verdict(text) else { panic!("{text}: not refuted") };
        assert!(value.abs() > 2.0 * error && value.abs() < 1e-30, "{text}: {value} {error}");
    }
    // Below all digits there is no answer; the normal form knows that it is not zero, but has no point to show.
    let verdict = verdict("sqrt((x^2+1)^2)-x^2-1+x*10^(-140)");
    assert!(matches!(verdict, Known::Unknown(_)), "{verdict:?}");
}

#[test]
fn a_branch_cannot_hide_outside_the_unit_interval() {
    for text in ["abs(cos(x))-cos(x)", "abs(x-12)-12+x", "sqrt((30+y)^2)-30-y", "asin(sin(x))-x", "abs(x+500)-x-500"] {
        assert!(verdict(text).is_refuted(), "{text}");
    }
}

#[test]
fn a_root_chosen_with_the_wrong_sign_is_not_believed() {
    // In the field √(3+2√2) is one of ±(1+√2): whichever it is, the real numbers decide.
    assert_eq!(verdict("sqrt(3+2*sqrt(2))-1-sqrt(2)"), Known::Proved);
    for prove in [true, false] {
        let (mut arena, e) = setup("sqrt(3+2*sqrt(2))+1+sqrt(2)");
        let verdict = is_zero(&mut arena, e, &ZeroOptions { prove, ..ZeroOptions::default() });
        assert!(matches!(verdict, Known::Refuted(_)), "{verdict:?}");
    }
}

#[test]
fn undefined_expressions_are_not_decided() {
    let (mut arena, x) = setup("x");
    let zero = arena.zero();
    let e = arena.div(x, zero);
    assert!(matches!(is_zero(&mut arena, e, &ZeroOptions::default()), Known::Unknown(_)));
    assert!(matches!(verdict("1/(sin(x)^2+cos(x)^2-1)"), Known::Unknown(_)));
}

#[test]
fn evaluators_agree_at_one_point() {
    let (mut arena, sum) = setup("sin(x+y/2)*exp(x-y)");
    let parts = ["sin(x)", "cos(x)", "sin(y/2)", "cos(y/2)", "exp(x)", "exp(y)"].map(|t| {
        let e = parse_expression(&mut arena, t, &mut Declared, &Limits::default()).unwrap();
        FieldEvaluator::new(&mut arena, &[e], &Options::default())
    });
    let whole = FieldEvaluator::new(&mut arena, &[sum], &Options::default());
    let point = FieldPoint::new(77);
    let v: Vec<_> = parts.iter().map(|p| p.at(&arena, &point).unwrap()[0]).collect();
    let expected = (v[0] * v[3] + v[1] * v[2]) * v[4] * v[5].inverse().unwrap();
    assert_eq!(whole.at(&arena, &point).unwrap()[0], expected);
    assert!(whole.is_faithful());
}

#[test]
fn pinned_symbols_keep_their_values() {
    let (mut arena, e) = setup("x^2 + 3*y - sin(x)^2 - cos(x)^2");
    let evaluator = FieldEvaluator::new(&mut arena, &[e], &Options::default());
    let mut point = FieldPoint::new(5);
    point.set(arena.lookup("x").unwrap(), crate::expr::field::Fp::new(7));
    point.set(arena.lookup("y").unwrap(), crate::expr::field::Fp::new(2));
    assert_eq!(evaluator.at(&arena, &point).unwrap()[0], crate::expr::field::Fp::new(54));
}

#[test]
fn error_bounds_contain_the_truth() {
    // Exact values known: the bound must cover the rounding.
    for (text, exact) in [
        ("sqrt(2)^2", 2.0),
        ("exp(log(3))+0*x", 3.0),
        ("sin(pi/6+x-x)", 0.5),
        ("(1/3+1/7)*21", 10.0),
        ("atan2(1,1)*4-pi", 0.0),
        ("cosh(1)^2-sinh(1)^2", 1.0),
    ] {
        let (arena, e) = setup(text);
        let v = evaluate_with_error(&arena, e, &[(arena.lookup("x").unwrap(), 0.375)]).unwrap();
        assert!((v.value - exact).abs() <= v.error || v.value == exact, "{text}: {v:?}");
        assert!(v.error < 1e-12);
    }
    let (arena, e) = setup("1/(x-3/8)");
    assert!(evaluate_with_error(&arena, e, &[(arena.lookup("x").unwrap(), 0.375)]).is_none());
}

#[test]
fn the_bound_on_the_degree_is_that_of_numerator_and_denominator() {
    // Twice the powers: a symbol is a rational function of degree two of what is drawn.
    for (text, degree) in [
        ("x", 2.0),
        ("x^3", 6.0),
        ("x^3*y^2", 10.0),
        ("x + 1/y", 4.0),
        ("x + 1/y^3", 8.0),
        ("1/(x + 1/y)^3", 6.0),
        ("x^2/(1 + 1/y^5)", 14.0),
    ] {
        let (mut arena, e) = setup(text);
        let evaluator = FieldEvaluator::new(&mut arena, &[e], &Options::default());
        assert_eq!(evaluator.degree_bound(&arena), degree, "{text}");
    }
}

#[test]
fn functions_satisfy_their_identities_in_the_field() {
    let value = |text: &str| {
        let (mut arena, e) = setup(text);
        let evaluator = FieldEvaluator::new(&mut arena, &[e], &Options::default());
        let found = (1..20).find_map(|seed| evaluator.at(&arena, &FieldPoint::new(seed)).ok());
        found.unwrap_or_else(|| panic!("{text} has no value"))[0]
    };
    // With an argument the field takes apart, and with one it only sees as a value.
    for x in ["x", "(2*x - y)", "x*y", "exp(x)"] {
        for text in [
            "sin(X)^2 + cos(X)^2 - 1",
            "tan(X)*cos(X) - sin(X)",
            "cot(X)*sin(X) - cos(X)",
            "sec(X)*cos(X) - 1",
            "csc(X)*sin(X) - 1",
            "cosh(X)^2 - sinh(X)^2 - 1",
            "cosh(X) + sinh(X) - exp(X)",
            "cosh(X) - sinh(X) - exp(-X)",
            "tanh(X)*cosh(X) - sinh(X)",
            "sin(-X) + sin(X)",
            "cos(-X) - cos(X)",
            "exp(-X)*exp(X) - 1",
            "asin(X) + acos(X) - pi/2",
            "asin(-X) + asin(X)",
            "atan(-X) + atan(X)",
            "abs(X)*sign(X) - X",
            "abs(-X) - abs(X)",
        ] {
            assert!(value(&text.replace('X', x)).is_zero(), "{text} at {x}");
        }
        for text in [
            "cosh(X) - sinh(X)",
            "cosh(X) - tanh(X)",
            "sin(X) - cos(X)",
            "asin(X) - atan(X)",
            "exp(X) - cosh(X)",
            "log(X) - X",
        ] {
            assert!(!value(&text.replace('X', x)).is_zero(), "{text} at {x}");
        }
    }
}

#[test]
fn an_arbitrary_function_has_a_value_at_zero_and_is_no_other_function() {
    for text in ["f(0)", "g(0)", "h(0)", "f(x) - g(x)", "g(x) - h(x)", "f(x) + f(-x)", "g(x) + g(-x)", "h(x) - h(-x)"] {
        let mut arena = Arena::new();
        arena.declare("x", Role::Coordinate);
        for name in ["f", "g", "h"] {
            arena.declare_table(name);
        }
        let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
        let found = is_zero(&mut arena, e, &ZeroOptions::default());
        assert!(matches!(found, Known::Refuted(Witness::Real { .. })), "{text}: {found:?}");
    }
}

/// The value in the prime field at the first seed that has one.
fn in_field(text: &str) -> crate::expr::field::Fp {
    let (mut arena, e) = setup(text);
    let evaluator = FieldEvaluator::new(&mut arena, &[e], &Options::default());
    let found = (1..20).find_map(|seed| evaluator.at(&arena, &FieldPoint::new(seed)).ok());
    found.unwrap_or_else(|| panic!("{text} has no value"))[0]
}

#[test]
fn powers_with_a_variable_exponent_obey_the_laws_of_powers_in_the_field() {
    for text in [
        "2^(x + y) - 2^x*2^y",
        "x^(n + 1) - x*x^n",
        "x^(2*n) - (x^n)^2",
        "x^(n - 2)*x^2 - x^n",
        "(x^2 + 1)^(n + y) - (x^2 + 1)^n*(x^2 + 1)^y",
        "4^(x + 1/2) - 2*4^x",
        "exp(x + n) - exp(x)*exp(n)",
    ] {
        assert!(in_field(text).is_zero(), "{text}");
    }
    for text in ["2^x - 3^x", "x^n - x^y", "x^n - y^n", "2^x - 2^(-x)", "x^(2*n) - x^(3*n)"] {
        assert!(!in_field(text).is_zero(), "{text}");
    }
}

#[test]
fn exponents_beyond_a_machine_word_are_those_of_the_group_in_the_field() {
    let large = "100000000000000000000";
    for text in [
        format!("x^{large}*x - x^100000000000000000001"),
        format!("x^{large}*y^{large} - (x*y)^{large}"),
        format!("x^(-{large})*x^{large} - 1"),
        format!("x^(-{large}) - x/x^100000000000000000001"),
    ] {
        assert!(in_field(&text).is_zero(), "{text}");
    }
    assert!(!in_field(&format!("x^{large} - x")).is_zero() && !in_field(&format!("x^{large}*x^{large} - 1")).is_zero());
}

#[test]
fn the_degree_of_a_function_is_that_of_as_many_turns_as_its_argument_has() {
    // A turn is made of 120 parts, each a rational function of degree two.
    for (text, degree) in [
        ("sin(x)", 240.0),
        ("cos(3*x)", 720.0),
        ("cos(x/2)", 120.0),
        ("sin(x - 2*y)", 720.0),
        ("1/cos(3*x)", 720.0),
        ("exp(-2*x)", 480.0),
        ("x^2*sin(x)", 244.0),
        ("x^2 + sin(x)", 244.0),
        ("f(x)", 240.0),
        ("1", 1.0),
    ] {
        let (mut arena, e) = setup(text);
        let evaluator = FieldEvaluator::new(&mut arena, &[e], &Options::default());
        assert_eq!(evaluator.degree_bound(&arena), degree, "{text}");
    }
}

#[test]
fn the_chance_of_an_error_is_the_degree_over_the_prime_once_for_each_point() {
    // sin² has the degrees 480 over 480, cos² and 1 too: their sum 960 over 960.
    let (mut arena, e) = setup("sin(x)^2 + cos(x)^2 - 1");
    for points in [1, 3, 5] {
        let options = ZeroOptions { prove: false, points, ..ZeroOptions::default() };
        let Known::Tested { error_bound } = is_zero(&mut arena, e, &options) else { panic!("not tested") };
        let expected = (960.0 / PRIME as f64).powi(points as i32);
        assert!((error_bound / expected - 1.0).abs() < 1e-9, "{points} points: {error_bound} for {expected}");
    }
    // With one sign that the field chooses each of forty points misses a mistake with one chance in two.
    let (mut arena, e) = setup("(abs(x)+1)^2 - x^2 - 2*abs(x) - 1");
    let options = ZeroOptions { prove: false, ..ZeroOptions::default() };
    let Known::Tested { error_bound } = is_zero(&mut arena, e, &options) else { panic!("not tested") };
    assert!((error_bound / 0.5f64.powi(40) - 1.0).abs() < 1e-9, "{error_bound}");
}

#[test]
fn signs_are_chosen_at_roots_absolute_values_and_signs_once_for_each() {
    for (text, signs) in [
        ("x^2 + sin(y)", 0),
        ("sqrt(x)", 1),
        ("abs(x) + sign(y)", 2),
        ("sqrt(x)*sqrt(y + 1)/z^(1/3)", 3),
        ("abs(x) + abs(x)*y", 1),
        ("sqrt(abs(x) + 1)", 2),
    ] {
        let (mut arena, e) = setup(text);
        assert_eq!(FieldEvaluator::new(&mut arena, &[e], &Options::default()).signs(&arena), signs, "{text}");
    }
}

#[test]
fn what_the_field_may_misjudge_is_not_faithful() {
    for text in ["x^2*sin(y)/cos(z)", "exp(x)*tanh(y)", "x/(1 + y)"] {
        let (mut arena, e) = setup(text);
        assert!(FieldEvaluator::new(&mut arena, &[e], &Options::default()).is_faithful(), "{text}");
    }
    for text in ["sqrt(x)", "abs(x)", "asin(x)", "f(x)", "x^n", "atan2(x, y)", "sin(1)*x", "cos(asin(x))", "log(x)"] {
        let (mut arena, e) = setup(text);
        assert!(!FieldEvaluator::new(&mut arena, &[e], &Options::default()).is_faithful(), "{text}");
    }
}

#[test]
fn multiples_of_inverse_functions_are_as_many_turns_of_their_angle() {
    for text in [
        "sin(2*asin(x))^2 - 4*x^2*(1 - x^2)",
        "cos(2*atan(x))*(1 + x^2) - 1 + x^2",
        "sin(2*atan2(y, x))*(x^2 + y^2) - 2*x*y",
        "cos(3*acos(x)) - 4*x^3 + 3*x",
        "cos(atan(x) + atan(y))^2*(1 + x^2)*(1 + y^2) - (1 - x*y)^2",
        "sin(x + pi/3) - sin(x)/2 - sqrt(3)*cos(x)/2",
        "cos(x + 2*pi/7)*cos(2*pi/7) + sin(x + 2*pi/7)*sin(2*pi/7) - cos(x)",
        "cos(x/7)*cos(y) - cos(x/7 + y)/2 - cos(x/7 - y)/2",
        "exp(x/7)*exp(-x/7) - 1",
    ] {
        assert!(in_field(text).is_zero(), "{text}");
    }
    for text in ["sin(asin(x)) + x", "cos(asin(x)) - x", "sin(2*atan(x)) - x", "cos(x/7) - cos(x)", "exp(x/7) - exp(x)"]
    {
        assert!(!in_field(text).is_zero(), "{text}");
    }
}

#[test]
fn real_points_for_what_is_defined_nearly_nowhere_are_found_on_their_scale() {
    // Defined for large numbers, for small ones, for negative ones, for those beyond a turn.
    for text in ["sqrt(x - 300)", "asin(30*x)*x^2", "sqrt(-x - 1/2)", "log(x*y*z - 100000)", "sqrt(1/100 - x^2)"] {
        let (mut arena, e) = setup(text);
        let found = is_zero(&mut arena, e, &ZeroOptions::default());
        assert!(matches!(found, Known::Refuted(Witness::Real { .. })), "{text}: {found:?}");
    }
}
