use super::super::scope::Declared;
use super::super::symbol::Role;
use super::*;
use crate::error::ErrorKind;

fn arena() -> Arena {
    let mut a = Arena::new();
    for name in ["x", "y", "theta"] {
        let q = a.declare(name, Role::Coordinate);
        let v = a.dot(q);
        a.dot(v);
    }
    a.declare("m", Role::Parameter);
    a.declare_table("i");
    a
}

fn read(a: &mut Arena, text: &str) -> Expr {
    parse_expression(a, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn refused(text: &str) -> Error {
    match parse_expression(&mut arena(), text, &mut Declared, &Limits::default()) {
        Ok(_) => panic!("{text} was accepted"),
        Err(e) => e,
    }
}

/// The message and the text it points at.
fn complaint(text: &str) -> (String, &str) {
    let error = refused(text);
    (error.message, &text[error.span.expect("every parser error has a place")])
}

/// Runs on a thread whose stack is far too small for recursion on the depth of the input.
fn on_a_small_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap().join().unwrap()
}

#[test]
fn precedence_is_that_of_the_textbooks() {
    let mut a = arena();
    let pairs = [
        ("-x^2", "-(x^2)"),
        ("2^-x", "2^(-x)"),
        ("2^-x^2", "2^(-(x^2))"),
        ("2^3^2", "2^(3^2)"),
        ("x^y^m", "x^(y^m)"),
        ("x - y - m", "(x - y) - m"),
        ("x/y/m", "x/(y*m)"),
        ("x/y*m", "(x*m)/y"),
        ("-x*y", "-(x*y)"),
        ("x*-y", "-(x*y)"),
        ("x--y", "x+y"),
        ("+x", "x"),
        ("1+2*3^2", "19"),
        ("x'^2", "(x')*x'"),
        ("  sin ( x )\n\t+ 1", "1+sin(x)"),
        ("atan2(x, y) + i(x)", "i(x) + atan2(x,y)"),
        ("sqrt(x)^2", "x"),
        ("1.5e-3 + .5 + 2. + 1E2", "102.5015"),
    ];
    for (one, other) in pairs {
        assert_eq!(read(&mut a, one), read(&mut a, other), "{one} and {other}");
    }
    let (x, y, m) = (read(&mut a, "x"), read(&mut a, "y"), read(&mut a, "m"));
    let power = a.pow(y, m);
    let tower = a.pow(x, power);
    assert_eq!(read(&mut a, "x^y^m"), tower);
    let square = a.square(x);
    let negative = a.neg(square);
    assert_eq!(read(&mut a, "-x^2"), negative);
}

#[test]
fn names_with_primes_are_time_derivatives() {
    let mut a = arena();
    let x = a.lookup("x").unwrap();
    let velocity = a.dot(x);
    let acceleration = a.dot(velocity);
    let expected = a.symbol(acceleration);
    assert_eq!(read(&mut a, "x''"), expected);
    let table = a.lookup_table("i").unwrap();
    let at = a.symbol(x);
    let slope = a.table(table, 1, at);
    assert_eq!(read(&mut a, "i'(x)"), slope);
}

#[test]
fn equations_have_two_sides_and_bare_expressions_vanish() {
    let (mut a, limits) = (arena(), Limits::default());
    let (l, r) = parse_equation(&mut a, "x' = y", &mut Declared, &limits).unwrap();
    assert_eq!((l, r), (read(&mut a, "x'"), read(&mut a, "y")));
    let (l, r) = parse_equation(&mut a, "x'", &mut Declared, &limits).unwrap();
    assert_eq!((l, r), (read(&mut a, "x'"), a.zero()));
    let error = parse_equation(&mut a, "x = y = 1", &mut Declared, &limits).unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("a second `=` in one equation", Some(6..7)));
    let error = parse_equation(&mut a, "x =", &mut Declared, &limits).unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("missing operand after `=`", Some(2..3)));
    let error = parse_equation(&mut a, "= x", &mut Declared, &limits).unwrap_err();
    assert_eq!((error.message.as_str(), error.span), ("missing operand before `=`", Some(0..1)));
}

#[test]
fn messages_are_precise_and_point_at_the_place() {
    let table = [
        ("1 + thta", "unknown name `thta`; did you mean `theta`?", "thta"),
        ("1 + q", "unknown name `q`", "q"),
        ("(x + (y*2)", "this parenthesis is never closed", "("),
        ("sin(x + 1", "this parenthesis is never closed", "("),
        ("x*(", "this parenthesis is never closed", "("),
        ("x + y)", "`)` without a matching `(`", ")"),
        ("x + ", "missing operand after `+`", "+"),
        ("x * / y", "missing operand after `*`", "*"),
        ("*x", "missing operand before `*`", "*"),
        ("(x + )", "missing operand after `+`", "+"),
        ("", "empty expression", ""),
        ("  ", "empty expression", "  "),
        ("()", "empty parentheses", "()"),
        ("2x", "missing operator: there is no implicit product", "2x"),
        ("x y", "missing operator: there is no implicit product", "x y"),
        ("2(x+1)", "missing operator: there is no implicit product", "2("),
        ("(x)(y)", "missing operator: there is no implicit product", "(x)("),
        ("m(x+1)", "`m` is not a function", "m"),
        ("sni(x)", "unknown function `sni`; did you mean `sin`?", "sni"),
        ("ln(x)", "unknown function `ln`; did you mean `log`?", "ln"),
        ("sin + x", "function `sin` without argument", "sin"),
        ("sin()", "function `sin` without argument", "sin()"),
        ("sin^2(x)", "function `sin` without argument", "sin"),
        ("sin x", "function `sin` without argument", "sin"),
        ("sin(x, y)", "function `sin` takes one argument", "sin(x,"),
        ("atan2(x)", "function `atan2` takes 2 arguments", "atan2(x)"),
        ("atan2(x,y,m)", "function `atan2` takes 2 arguments", "atan2(x,y,"),
        ("x'''", "`x'''` is a derivative of order 3", "x'''"),
        ("m'", "`m` does not vary, so `m'` has no meaning", "m'"),
        ("t'", "`t` does not vary, so `t'` has no meaning", "t'"),
        ("3' + x", "a number does not vary, so a prime on it has no meaning", "'"),
        ("(x+y)'", "a prime cannot follow a parenthesis", "'"),
        ("sin'(x)", "a prime cannot follow the function `sin`", "sin'"),
        ("1 + x/0", "division by zero", "0"),
        ("1/(x-x)", "division by zero", "(x-x)"),
        ("x + 0^-1", "this has no value", "0^-1"),
        ("log(0)", "this has no value", "log(0)"),
        ("1.2.3", "malformed number", "1.2.3"),
        (".", "malformed number", "."),
        ("1_000", "digits cannot be grouped with `_` in an expression", "1_000"),
        ("x**2", "`**` is not an operator", "**"),
        ("x == 1", "`==` is not an operator", "=="),
        ("x = 1", "an equation stands where an expression is expected", "="),
        ("(x = 1)", "`=` inside parentheses", "="),
        ("x, y", "unexpected `,`", ","),
        ("1,5", "unexpected `,`", ","),
        ("x·y", "unexpected character `·`", "·"),
        ("2*θ", "unexpected character `θ`", "θ"),
        ("x − y", "unexpected character `−`", "−"),
        ("_x", "unexpected character `_`", "_"),
    ];
    for (text, message, place) in table {
        assert_eq!(complaint(text), (message.to_owned(), place), "for {text}");
    }
    let span = refused("((x) + ((y) + 1) + theta").span;
    assert_eq!(span, Some(0..1), "the outermost parenthesis is the one that stays open");
}

#[test]
fn hints_say_what_to_write() {
    let hint = |text: &str| refused(text).hint.unwrap_or_default();
    assert_eq!(hint("2x"), "write `2*x`");
    assert_eq!(hint("x' y"), "write `x'*y`");
    assert_eq!(hint("2(x+1)"), "write `2*(...`");
    assert_eq!(hint("sin x"), "write `sin(x)`");
    assert_eq!(hint("sin^2(x)"), "a power of it is written `sin(x)^2`");
    assert_eq!(hint("2*θ"), "write the Greek letter as `theta`");
    assert_eq!(hint("1,5"), "decimal numbers are written with a point: `1.5`");
    assert_eq!(hint("atan(x, y)"), "the angle of a point is `atan2(y, x)`");
    assert_eq!(hint("m(x+1)"), "a product is written with `*`: `m*(...)`");
}

#[test]
fn numbers_are_exact() {
    let mut a = arena();
    let third = read(&mut a, "0.1*10/3");
    assert_eq!(a.as_number(third), Rational::new(1, 3).as_ref());
    let e = read(&mut a, "1e-400*1e400");
    assert!(a.is_one(e));
}

#[test]
fn limits_are_typed_errors_with_a_place() {
    let limit = |text: &str, limits: &Limits| {
        let error = parse_expression(&mut arena(), text, &mut Declared, limits).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{text}: {error}");
        error.span.unwrap()
    };
    let default = Limits::default();
    assert_eq!(limit("1 + 1e99999", &default), 4..11);
    assert_eq!(limit("1e99999999999999999999", &default), 0..22);
    assert_eq!(limit(&"7".repeat(100_000), &default), 0..100_000);
    assert_eq!(limit("x + y", &Limits { expression_bytes: 3, ..Limits::default() }), 0..5);
    let nested = format!("{}x{}", "sin(".repeat(1001), ")".repeat(1001));
    assert_eq!(limit(&nested, &default), 4000..4003);
    assert!(parse_expression(&mut arena(), &nested[4..nested.len() - 1], &mut Declared, &default).is_ok());
    // What grows faster than its text is stopped early, wherever it grows.
    let harmonic: String = (2..50_000).map(|k| format!("1/{k}+")).collect();
    limit(&(harmonic.clone() + "1"), &default);
    limit(&(harmonic.replace("1/", "x/") + "1"), &default);
    limit(&format!("x*{}1", "1.1*".repeat(100_000)), &default);
    let right: String = (0..20_000).map(|k| format!("(x^{k} + ")).collect();
    limit(&format!("{right}1{}", ")".repeat(20_000)), &default);
    limit(&format!("{}x{}", "(".repeat(100_000), "^2)".repeat(100_000)), &default);
}

#[test]
fn a_million_of_anything_needs_no_stack() {
    on_a_small_stack(|| {
        const N: usize = 1_000_000;
        let mut a = arena();
        let x = read(&mut a, "x");
        let parentheses = format!("{}x{}", "(".repeat(N), ")".repeat(N));
        assert_eq!(read(&mut a, &parentheses), x);
        let signs = format!("{}x", "-".repeat(N));
        assert_eq!(read(&mut a, &signs), x);
        let bracketed_signs = format!("{}x{}", "-(".repeat(N), ")".repeat(N));
        assert_eq!(read(&mut a, &bracketed_signs), x);
        let before = a.len();
        let tower = format!("{}x", "x^".repeat(N));
        read(&mut a, &tower);
        assert_eq!(a.len(), before + N, "one node per level of the tower");
        let nested = format!("{}x{}", "(1+x*".repeat(N), ")".repeat(N));
        read(&mut a, &nested);
        let sum = vec!["x"; N].join("+");
        let millions = read(&mut a, &sum);
        assert_eq!(millions, read(&mut a, "1000000*x"));
        let distinct: String = (0..N).map(|k| format!("x^{k}+")).collect::<String>() + "1";
        let long = read(&mut a, &distinct);
        assert!(matches!(a.node(long), Node::Sum { terms, .. } if terms.len() == N - 1));
        let product = vec!["x"; N].join("*");
        assert_eq!(read(&mut a, &product), read(&mut a, "x^1000000"));
        let unclosed = "(".repeat(N);
        let error = parse_expression(&mut a, &unclosed, &mut Declared, &Limits::default()).unwrap_err();
        assert_eq!(error.span, Some(N - 1..N));
    });
}

#[test]
fn huge_powers_answer_at_once() {
    let mut a = arena();
    let start = std::time::Instant::now();
    read(&mut a, "2^(2^100)");
    read(&mut a, "2^2^2^2^2^2^2");
    read(&mut a, "(x+y+m)^100000");
    read(&mut a, "cos((x+5)^40*10)");
    // Microseconds; the bound only has to tell them from the age of the universe on a busy machine.
    assert!(start.elapsed().as_secs_f64() < 10.0);
}

#[test]
fn a_number_may_have_as_many_bits_as_are_allowed_and_not_one_more() {
    // Bits of numerator and denominator together: 255 and 1 have nine.
    for (text, bits) in [("255", 9), ("15*17", 9), ("250 + 5", 9), ("3*85", 9), ("1/15", 5), ("2^7", 9)] {
        for (allowed, read) in [(bits, true), (bits - 1, false)] {
            let limits = Limits { number_bits: allowed, ..Limits::default() };
            let found = parse_expression(&mut arena(), text, &mut Declared, &limits);
            assert_eq!(found.is_ok(), read, "{text} with {allowed} bits: {found:?}");
            if let Err(error) = found {
                assert_eq!(error.kind, ErrorKind::Limit, "{text}: {error}");
            }
        }
    }
}

#[test]
fn digits_that_are_grouped_and_functions_of_other_languages_are_explained() {
    let (said, at) = complaint("x + 1_000*y");
    assert!(said.contains("cannot be grouped") && at == "1_000", "{said} {at}");
    let (said, _) = complaint("x + 1_*y");
    assert!(!said.contains("cannot be grouped"), "{said}");
    for (theirs, ours) in [
        ("ln", "log"),
        ("arcsin", "asin"),
        ("arccos", "acos"),
        ("arctan", "atan"),
        ("arctg", "atan"),
        ("tg", "tan"),
        ("ctg", "cot"),
        ("sh", "sinh"),
        ("ch", "cosh"),
        ("th", "tanh"),
        ("sgn", "sign"),
    ] {
        let (said, _) = complaint(&format!("{theirs}(x)"));
        assert_eq!(said, format!("unknown function `{theirs}`; did you mean `{ours}`?"));
    }
}

#[test]
fn what_is_exactly_at_a_limit_is_read_and_what_is_one_beyond_is_not() {
    let read = |text: &str, limits: Limits| parse_expression(&mut arena(), text, &mut Declared, &limits).is_ok();
    let bytes = |n: usize| Limits { expression_bytes: n, ..Limits::default() };
    assert!(read("x + y", bytes(5)) && !read("x + y", bytes(4)));
    let calls = |n: usize| Limits { nested_calls: n, ..Limits::default() };
    assert!(read("sin(cos(exp(x)))", calls(3)) && !read("sin(cos(exp(x)))", calls(2)));
    // Side by side they are not nested.
    assert!(read("sin(x) + cos(y)*exp(x) + sin(y)", calls(1)));
    // Work grows with the entries of a list, and with the square of the length of its numbers.
    let least = |text: &str| (1..10_000).find(|&n| read(text, Limits { parse_work: n, ..Limits::default() })).unwrap();
    let (short, long, wide) = (least("x + y"), least("x + y + theta + m + x^2 + y^2"), least("x + 2^200*y"));
    assert!(short >= 2 && long > short && wide > short + 30, "{short} {long} {wide}");
}
