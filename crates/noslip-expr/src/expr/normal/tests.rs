use super::*;
use crate::expr::{Declared, Printer, Role, Style, Tree, parse_expression};

fn arena() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z", "u", "theta", "phi", "psi"] {
        arena.declare(name, Role::Coordinate);
    }
    for name in ["a", "b", "c", "m", "r", "n"] {
        arena.declare(name, Role::Parameter);
    }
    arena
}

fn parse(arena: &mut Arena, text: &str) -> Expr {
    parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap()
}

fn print(arena: &Arena, e: Expr) -> String {
    Printer::new(Style::Text).print(arena, &Tree::of(arena, e, &Limits::default()).unwrap())
}

fn show_with(text: &str, options: Options) -> String {
    let mut arena = arena();
    let e = parse(&mut arena, text);
    let mut normalizer = Normalizer::new(options);
    let form = normalizer.normalize(&mut arena, e).unwrap();
    let back = normalizer.to_expr(&mut arena, &form);
    print(&arena, back)
}

fn show(text: &str) -> String {
    show_with(text, Options::default())
}

#[test]
fn odd_roots_let_even_powers_out_and_keep_the_sign() {
    let zero = |text: &str| {
        let mut arena = arena();
        let e = parse(&mut arena, text);
        Normalizer::new(Options::default()).is_zero(&mut arena, e).unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    for text in
        ["(x^5)^(1/3)*x^(1/3) - x^2", "(x*y^7)^(1/3) - y^2*(x*y)^(1/3)", "((x-y)^7)^(1/3) - (x-y)^2*(x-y)^(1/3)"]
    {
        assert!(zero(text), "{text}");
    }
    for text in ["(x^5)^(1/3) - x", "((x-y)^5)^(1/3) - (x-y)"] {
        assert!(!zero(text), "{text}");
    }
}

#[test]
fn forms_are_what_one_expects() {
    for (text, expected) in [
        ("(x+y)^2-x^2-2*x*y", "y^2"),
        ("sin(x)^2+cos(x)^2", "1"),
        ("sin(2*x)/cos(x)", "2*sin(x)"),
        ("(1-cos(x)^2)/sin(x)", "sin(x)"),
        ("1/sin(x)+1/cos(x)", "(sin(x) + cos(x))/(sin(x)*cos(x))"),
        ("x/(x^2-y^2)-1/(x-y)", "-y/((x + y)*(x - y))"),
        ("sqrt(4*y)", "2*sqrt(y)"),
        ("sqrt(x^2)", "abs(x)"),
        ("sqrt((x-y)^2*z)", "sqrt(z)*abs(x - y)"),
        ("exp(x+y)*exp(-y)", "exp(x)"),
        ("x/sqrt(1+x^2)", "x/sqrt(x^2 + 1)"),
        ("tan(x/2)-sin(x)/(1+cos(x))", "0"),
        ("cos(x+pi/6)", "sqrt(3)*cos(x)/2 - sin(x)/2"),
        ("cosh(x)^2-sinh(x)^2", "1"),
        ("cos(asin(x))", "sqrt(1 - x^2)"),
        ("x^n*x/x^(n+1)", "1"),
        ("x^(3/4)/x", "1/x^(1/4)"),
        ("m*r^2*u/(m*r)", "r*u"),
    ] {
        assert_eq!(show(text), expected, "{text}");
    }
}

#[test]
fn the_square_that_is_eliminated_is_a_choice() {
    let cosine = |exceptions| Options { eliminate: Eliminate::Cosine, exceptions, ..Options::default() };
    assert_eq!(show("cos(x)^2"), "cos(x)^2");
    assert_eq!(show_with("cos(x)^2", cosine(Vec::new())), "1 - sin(x)^2");
    let mut arena = arena();
    let x = parse(&mut arena, "x");
    assert_eq!(show_with("cos(x)^2 + cos(y)^2", cosine(vec![(x, Eliminate::Sine)])), "1 - sin(y)^2 + cos(x)^2");
}

/// Terms of the numerator, and the angles.
fn terms(text: &str, basis: Basis) -> (usize, Vec<String>) {
    let mut arena = arena();
    terms_in(&mut arena, text, basis)
}

fn terms_in(arena: &mut Arena, text: &str, basis: Basis) -> (usize, Vec<String>) {
    let e = parse(arena, text);
    let mut normalizer = Normalizer::new(Options { basis, ..Options::default() });
    let form = normalizer.normalize(arena, e).unwrap();
    let angles = normalizer.angles().iter().map(|a| a.expr).collect::<Vec<_>>();
    (form.numerator.len(), angles.into_iter().map(|a| print(arena, a)).collect())
}

#[test]
fn relative_angles_shorten_what_depends_on_differences() {
    let text = "(cos(x)*cos(y) + sin(x)*sin(y))*(cos(y)*cos(z) + sin(y)*sin(z))";
    let (absolute, angles) = terms(text, Basis::Absolute);
    assert_eq!(angles.len(), 3);
    assert!(absolute > 4);
    let (relative, angles) = terms(text, Basis::Relative);
    assert_eq!((relative, angles), (1, vec!["x - y".into(), "y - z".into(), "z".into()]));
    let mut arena = arena();
    let given = ["z - x", "y - z"].map(|t| parse(&mut arena, t)).to_vec();
    let (_, angles) = terms_in(&mut arena, text, Basis::Given(given));
    assert_eq!(angles[..2], ["z - x".to_owned(), "y - z".into()]);
    // A difference that occurs is preferred.
    let (_, angles) = terms("cos(x - z)*cos(y)*cos(x)", Basis::Relative);
    assert!(angles.contains(&"x - z".into()));
}

#[test]
fn angles_that_only_occur_together_are_one() {
    let (n, angles) = terms("cos(x + y)^2 + cos(2*x + 2*y) + sin(z/3)*sin(z/2)", Basis::Absolute);
    assert_eq!(angles.len(), 2);
    assert!(angles.contains(&"x + y".into()) && angles.contains(&"z/6".into()), "{angles:?}");
    assert!(n < 10);
}

#[test]
fn several_expressions_share_their_atoms() {
    let mut arena = arena();
    let list = ["sin(x)", "cos(x/2)", "sqrt(x)", "sqrt(x*y)"].map(|t| parse(&mut arena, t));
    let mut normalizer = Normalizer::new(Options::default());
    let forms = normalizer.normalize_all(&mut arena, &list).unwrap();
    // sin x = 2·sin(x/2)·cos(x/2); √(xy) = √x·√y where √x is defined, once y's sign follows.
    assert_eq!(normalizer.angles().len(), 1);
    assert_eq!(forms[0].numerator.len(), 1);
    let square = parse(&mut arena, "sqrt(x)*sqrt(y) - sqrt(x*y)");
    assert!(normalizer.is_zero(&mut arena, square).unwrap());
}

#[test]
fn assumptions_about_signs_are_used() {
    let mut arena = arena();
    let e = parse(&mut arena, "sqrt(m^2*x) - m*sqrt(x)");
    assert!(!Normalizer::new(Options::default()).is_zero(&mut arena, e).unwrap());
    let positive = vec![arena.lookup("m").unwrap()];
    assert!(Normalizer::new(Options { positive, ..Options::default() }).is_zero(&mut arena, e).unwrap());
}

#[test]
fn limits_are_errors_that_come_quickly() {
    let mut arena = arena();
    for text in ["(a+b+c)^100000", "cos(100*x) + cos(x)", "(x+1)^4000*(y+1)^4000", "(x+y+z+u+a+b+c+m+r)^40"] {
        let e = parse(&mut arena, text);
        let error = Normalizer::new(Options::default()).normalize(&mut arena, e).unwrap_err();
        assert_eq!(error.kind, crate::ErrorKind::Limit, "{text}: {error}");
    }
    // A large argument is one angle, however many monomials it has.
    let e = parse(&mut arena, "cos(10*(x+5)^40)^2 + sin(10*(x+5)^40)^2 - 1");
    assert!(Normalizer::new(Options::default()).is_zero(&mut arena, e).unwrap());
}

#[test]
fn division_by_zero_in_disguise_is_an_error() {
    let mut arena = arena();
    for text in ["1/(sin(x)^2 + cos(x)^2 - 1)", "log(x - x*cos(y)^2 - x*sin(y)^2)", "sqrt(0 - 4*exp(x))"] {
        let e = parse(&mut arena, text);
        let error = Normalizer::new(Options::default()).normalize(&mut arena, e).unwrap_err();
        assert_eq!(error.kind, crate::ErrorKind::Computation, "{text}");
    }
}

#[test]
fn doubling_sixty_four_times_stays_small() {
    let mut arena = arena();
    let mut e = parse(&mut arena, "x + sin(y)");
    for _ in 0..64 {
        e = arena.add(e, e);
    }
    let form = Normalizer::new(Options::default()).normalize(&mut arena, e).unwrap();
    assert_eq!(form.numerator.len(), 2);
}

#[test]
fn deep_nesting_is_refused_or_done() {
    let mut arena = arena();
    let mut e = parse(&mut arena, "x");
    for _ in 0..40 {
        e = arena.sin(e);
    }
    assert!(Normalizer::new(Options::default()).normalize(&mut arena, e).is_ok());
    for _ in 0..200_000 {
        e = arena.sin(e);
    }
    let error = Normalizer::new(Options::default()).normalize(&mut arena, e).unwrap_err();
    assert_eq!(error.kind, crate::ErrorKind::Limit);
}

#[test]
fn the_argument_of_an_odd_function_has_no_sign_in_front() {
    for quotient in
        ["1/(x - y)", "1/(y - x)", "z/(y - x)^2", "z/(a - x)^3", "z/(x - a)", "1/(1 - x)", "(z - y)/(1 - x)"]
    {
        for sign in ["", "-"] {
            let shown = show(&format!("atan({sign}{quotient})"));
            assert!(shown.contains("atan(") && !shown.contains("atan(-"), "atan({sign}{quotient}) is {shown}");
        }
    }
}

#[test]
fn a_root_in_a_root_is_taken_apart_alone_and_beside_other_factors() {
    for (nested, apart) in [
        ("sqrt(3 + 2*sqrt(2))", "1 + sqrt(2)"),
        ("sqrt((3 + 2*sqrt(2))*(x^2 + 1))", "(1 + sqrt(2))*sqrt(x^2 + 1)"),
        ("sqrt((3 + 2*sqrt(2))/(x^2 + 1))^3", "(1 + sqrt(2))^3/(x^2 + 1)^(3/2)"),
        ("sqrt((3 - 2*sqrt(2))*(x^2 + 1))", "(sqrt(2) - 1)*sqrt(x^2 + 1)"),
        ("sqrt(x^2*(3 - 2*sqrt(2)))", "abs(x)*(sqrt(2) - 1)"),
        ("sqrt((2*sqrt(2) - 3)*(-x^2 - 1))", "(sqrt(2) - 1)*sqrt(x^2 + 1)"),
        ("abs(sqrt(2) - 2)*abs(sqrt(2) - 1)", "(2 - sqrt(2))*(sqrt(2) - 1)"),
    ] {
        let mut arena = arena();
        let e = parse(&mut arena, &format!("{nested} - ({apart})"));
        let found = Normalizer::new(Options::default()).is_zero(&mut arena, e);
        assert_eq!(found, Ok(true), "{nested} = {apart}");
    }
}

/// Is it proved that the difference vanishes?
#[track_caller]
fn assert_same(a: &str, b: &str, same: bool) {
    let mut arena = arena();
    let e = parse(&mut arena, &format!("{a} - ({b})"));
    let found = Normalizer::new(Options::default()).is_zero(&mut arena, e);
    assert_eq!(found, Ok(same), "{a} = {b}");
}

#[test]
fn the_logarithm_of_a_power_is_that_many_times_the_logarithm_of_its_base() {
    for (a, b) in [
        ("log(x^3)", "3*log(x)"),
        ("log(x^9*y^3)", "3*log(x^3*y)"),
        ("log(x^4*y^8)", "2*log(x^2*y^4)"),
        ("log(1/(x^9*y^3))", "-3*log(x^3*y)"),
        ("log(-x^3*y^9)", "3*log(-x*y^3)"),
        ("log(exp(2*x)*(y^2 + 1)^5)", "2*x + 5*log(y^2 + 1)"),
        ("log(sqrt(x))", "log(x)/2"),
        ("log(sin(x)*(1 - cos(x))^2*(1 + cos(x))^2)", "5*log(sin(x))"),
        ("log(1/(sin(x)*(1 - cos(x))^3*(1 + cos(x))^2))", "-5*log(sin(x)) - log(1 - cos(x))"),
    ] {
        assert_same(a, b, true);
    }
    for (a, b) in [("log(x^9*y^3)", "3*log(x*y)"), ("log(x^2*y^4)", "log(x*y)")] {
        assert_same(a, b, false);
    }
    // Of something negative there is none: the sign stays inside.
    assert_eq!([show("log(-x)"), show("2*log(-x*y)")], ["log(-x)", "2*log(-x*y)"]);
}

/// A logarithm in the argument makes exponentials of a hyperbolic function; another of the same argument stands beside it.
#[test]
fn hyperbolic_functions_with_and_without_a_logarithm_in_them_know_of_each_other() {
    for (a, b) in [
        ("sinh(log(x) + y)", "(x*(cosh(y) + sinh(y)) - (cosh(y) - sinh(y))/x)/2"),
        ("cosh(y)*x + cosh(log(x) + y)", "x*cosh(y) + (x*(cosh(y) + sinh(y)) + (cosh(y) - sinh(y))/x)/2"),
        ("cosh(y)^2 - sinh(y)^2 + tanh(log(x))", "1 + (x^2 - 1)/(x^2 + 1)"),
    ] {
        assert_same(a, b, true);
        assert_same(b, a, true);
    }
    assert_same("sinh(log(x) + y)", "(x*cosh(y) - cosh(y)/x)/2", false);
    // One normal form after the other: an exponential is none of the functions that were known before.
    let mut arena = arena();
    let [cosh, exp] = ["cosh(y)", "exp(y)"].map(|text| parse(&mut arena, text));
    let mut normalizer = Normalizer::new(Options::default());
    normalizer.normalize(&mut arena, cosh).unwrap();
    let form = normalizer.normalize(&mut arena, exp).unwrap();
    let back = normalizer.to_expr(&mut arena, &form);
    assert_eq!(print(&arena, back), "exp(y)");
}

#[test]
fn roots_of_one_more_and_one_less_than_a_cosine_make_powers_of_the_sine() {
    for (a, b) in [
        ("sqrt(1 - cos(x))*sqrt(1 + cos(x))", "abs(sin(x))"),
        ("sqrt(1 - cos(x))^3*sqrt(1 + cos(x))^3", "abs(sin(x))^3"),
        ("sqrt(1 - cos(x))^3*sqrt(1 + cos(x))", "(1 - cos(x))*abs(sin(x))"),
        ("sqrt((1 - cos(x))^3)*sqrt((1 + cos(x))^3)", "abs(sin(x))^3"),
        ("sqrt(1 + cos(x))*sqrt((1 - cos(x))^3*y^2)", "abs(sin(x))*(1 - cos(x))*abs(y)"),
        ("sqrt(cosh(x) - 1)*sqrt(cosh(x) + 1)", "abs(sinh(x))"),
        ("sqrt(cosh(x) + 1)*sqrt((cosh(x) - 1)^5)", "abs(sinh(x))*(cosh(x) - 1)^2"),
        ("sqrt(1 - sin(x))*sqrt(1 + sin(x))", "abs(cos(x))"),
    ] {
        assert_same(a, b, true);
    }
    assert_same("sqrt(1 - cos(x))*sqrt(1 + cos(x))", "sin(x)", false);
    assert_same("sqrt(1 - cos(x))^3*sqrt(1 + cos(x))^3", "abs(sin(x))", false);
}

#[test]
fn roots_of_products_and_powers_are_products_and_powers_of_roots_where_signs_are_known() {
    for (a, b) in [
        ("sqrt(x^2 + 1)^5", "(x^2 + 1)^2*sqrt(x^2 + 1)"),
        ("(x^2 + 1)^(2/3)*(x^2 + 1)^(5/6)", "(x^2 + 1)*sqrt(x^2 + 1)"),
        ("sqrt(8)*sqrt(2/9)", "4/3"),
        ("(27/8)^(2/3)", "9/4"),
        ("sqrt(12*x^4*(y^2 + 1))", "2*sqrt(3)*x^2*sqrt(y^2 + 1)"),
        ("sqrt(exp(x))", "exp(x/2)"),
        ("sqrt(x^2*y^2)", "abs(x*y)"),
        ("abs(x)^3", "x^2*abs(x)"),
        ("sign(x)*abs(x)", "x"),
        ("abs(-3*x)/abs(x)", "3"),
        ("sqrt(x)*sqrt(x^3)", "x^2"),
        ("1/(sqrt(2) - 1)", "sqrt(2) + 1"),
        ("(x^6)^(1/3)", "x^2"),
    ] {
        assert_same(a, b, true);
    }
    for (a, b) in [("abs(x)^3", "x^3"), ("sqrt(x^4*y^2)", "x^2*y"), ("sqrt(2)*sqrt(3)", "sqrt(5)")] {
        assert_same(a, b, false);
    }
}
