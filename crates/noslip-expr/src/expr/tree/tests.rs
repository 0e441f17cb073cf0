use super::*;
use crate::error::ErrorKind;
use crate::expr::{Printer, Role, Style};
use crate::limits::Limits;

fn text(arena: &Arena, e: Expr) -> String {
    let tree = Tree::of(arena, e, &Limits::default()).unwrap();
    Printer::new(Style::Text).print(arena, &tree)
}

/// An arena with parameters, coordinates and time, declared in the given order.
fn arena(order: &[usize]) -> Arena {
    let mut arena = Arena::new();
    let names = [
        ("m", Role::Parameter),
        ("l", Role::Parameter),
        ("x", Role::Coordinate),
        ("phi", Role::Coordinate),
        ("lam", Role::Multiplier),
    ];
    for (name, role) in names {
        arena.declare(name, role);
    }
    // Expressions get their ids in another order each time.
    for &i in order {
        let s = arena.lookup(names[i].0).unwrap();
        let e = arena.symbol(s);
        arena.square(e);
        arena.sin(e);
        if names[i].1 == Role::Coordinate {
            let d = arena.dot(s);
            arena.symbol(d);
        }
    }
    arena
}

fn symbols(arena: &mut Arena) -> [Expr; 8] {
    let mut get = |name: &str, dots: usize| {
        let mut s = arena.lookup(name).unwrap();
        for _ in 0..dots {
            s = arena.dot(s);
        }
        arena.symbol(s)
    };
    [get("m", 0), get("l", 0), get("x", 0), get("phi", 0), get("lam", 0), get("x", 1), get("phi", 1), get("x", 2)]
}

#[test]
fn printing_order_is_that_of_a_textbook_whatever_the_ids() {
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
        let mut a = arena(&order);
        let [m, l, x, phi, lam, dx, dphi, ddx] = symbols(&mut a);
        let (s, c) = (a.sin(phi), a.cos(phi));
        let dphi2 = a.square(dphi);
        let terms = [
            a.product([s, lam]),
            a.product([c, dphi2, l, m]),
            a.product([ddx, m]),
            a.product([dphi, dx, m]),
            a.product([x, x]),
            a.integer(3),
            m,
            a.neg(l),
        ];
        let e = a.sum(terms);
        assert_eq!(
            text(&a, e),
            "m*x'' + m*x'*phi' + m*l*cos(phi)*phi'^2 + x^2 + m - l + 3 + lam*sin(phi)",
            "ids in order {order:?}"
        );
        let one = a.one();
        let e = a.sub(one, c);
        assert_eq!(text(&a, e), "1 - cos(phi)");
        let e = a.sub(l, ddx);
        assert_eq!(text(&a, e), "l - x''");
        let minus = a.neg(l);
        let e = a.sub(minus, x);
        assert_eq!(text(&a, e), "-x - l");
        let (m2, l2, ml) = (a.square(m), a.square(l), a.mul(m, l));
        let e = a.linear(Rational::ZERO, [(l2, Rational::ONE), (ml, Rational::integer(2)), (m2, Rational::ONE)]);
        assert_eq!(text(&a, e), "m^2 + 2*m*l + l^2");
    }
}

#[test]
fn numbers_and_negative_powers_become_fractions() {
    let mut a = arena(&[0]);
    let [m, l, x, ..] = symbols(&mut a);
    let r = |n, d| Rational::new(n, d).unwrap();
    let cases = [
        (a.powers(r(1, 2), [(m, r(1, 1))]), "m/2"),
        (a.powers(r(-3, 2), [(m, r(1, 1)), (l, r(-2, 1))]), "-3*m/(2*l^2)"),
        (a.powers(r(1, 1), [(m, r(-1, 1))]), "1/m"),
        (a.powers(r(1, 1), [(x, r(-1, 2))]), "1/sqrt(x)"),
        (a.powers(r(2, 3), [(x, r(2, 3))]), "2*x^(2/3)/3"),
        (a.fraction(1, 2), "1/2"),
    ];
    for (e, expected) in cases {
        assert_eq!(text(&a, e), expected);
    }
}

#[test]
fn operations_count_what_is_written() {
    let mut a = arena(&[0]);
    let [m, l, x, phi, _, dx, ..] = symbols(&mut a);
    let v2 = a.square(dx);
    let r = |n, d| Rational::new(n, d).unwrap();
    let s = a.sin(phi);
    let minus_m = a.neg(m);
    let cases = [
        (x, 0),
        (dx, 0),
        (a.fraction(1, 2), 1),
        (minus_m, 1),
        (a.powers(r(1, 2), [(m, r(1, 1)), (v2, r(1, 1))]), 3), // m*x'^2/2
        (a.sub(minus_m, l), 1),                                // -m - l
        (a.mul(l, s), 2),                                      // l*sin(phi)
        (a.sqrt(x), 1),
        (a.powers(r(3, 2), [(m, r(-1, 1))]), 2), // 3/(2*m)
    ];
    for (e, n) in cases {
        let tree = Tree::of(&a, e, &Limits::default()).unwrap();
        assert_eq!(tree.operations(), n, "{}", text(&a, e));
    }
}

#[test]
fn a_tree_stands_for_the_expression_it_came_from() {
    let mut a = arena(&[0]);
    let [m, l, x, phi, lam, dx, dphi, ddx] = symbols(&mut a);
    let s = a.sin(phi);
    let sum = a.linear(Rational::integer(-2), [(m, Rational::new(1, 3).unwrap()), (l, Rational::MINUS_ONE)]);
    let inner = a.powers(
        Rational::new(-5, 7).unwrap(),
        [(sum, Rational::integer(-3)), (s, Rational::integer(2)), (x, Rational::new(1, 2).unwrap())],
    );
    let power = a.pow(inner, lam);
    let angle = a.atan2(dx, dphi);
    let table = a.declare_table("i");
    let value = a.table(table, 2, angle);
    let e = a.sum([power, value, ddx]);
    let tree = Tree::of(&a, e, &Limits::default()).unwrap();
    assert_eq!(tree.to_expr(&mut a), e);
    assert_eq!(tree.clone(), tree);
    let other = Tree::of(&a, power, &Limits::default()).unwrap();
    assert_ne!(tree, other);
    assert!(format!("{tree:?}").starts_with("(Sum +"));
}

#[test]
fn shared_subexpressions_are_refused_before_they_explode() {
    let mut a = arena(&[0]);
    let [_, _, x, ..] = symbols(&mut a);
    let one = a.one();
    let mut e = x;
    for _ in 0..64 {
        let square = a.mul(e, e);
        e = a.add(square, one);
    }
    // Squares share nothing in print; a sine of each half does.
    let small = Tree::of(&a, e, &Limits::default()).unwrap();
    assert_eq!(small.operations(), 128);
    let mut e = x;
    for _ in 0..64 {
        let s = a.sin(e);
        let product = a.mul(s, e);
        e = a.add(product, one);
    }
    let error = Tree::of(&a, e, &Limits::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Limit);
}

/// Everything that handles trees must work on a small stack, whatever the depth.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(f).unwrap().join().unwrap();
}

#[test]
fn a_million_nested_powers_are_converted_printed_compared_and_dropped_on_a_small_stack() {
    on_a_small_stack(|| {
        let mut a = arena(&[0]);
        let [m, _, x, ..] = symbols(&mut a);
        let mut e = x;
        for _ in 0..1_000_000 {
            e = a.pow(m, e);
        }
        let tree = Tree::of(&a, e, &Limits::default()).unwrap();
        assert_eq!(tree.operations(), 1_000_000);
        for style in [Style::Text, Style::Unicode, Style::Latex, Style::MathMl] {
            let printed = Printer::new(style).print(&a, &tree);
            assert!(printed.len() > 3_000_000);
        }
        let copy = tree.clone();
        assert_eq!(copy, tree);
        assert_eq!(copy.to_expr(&mut a), e);
        assert!(format!("{copy:?}").len() > 1_000_000);
    });
}

#[test]
fn a_million_terms_are_sorted_and_printed() {
    on_a_small_stack(|| {
        let mut a = Arena::new();
        let terms: Vec<Expr> = (0..1_000_000)
            .map(|i| {
                let s = a.declare(&format!("k{i}"), Role::Parameter);
                a.symbol(s)
            })
            .collect();
        let e = a.sum(terms);
        let tree = Tree::of(&a, e, &Limits::default()).unwrap();
        assert_eq!(tree.operations(), 999_999);
        assert!(Printer::new(Style::Text).print(&a, &tree).starts_with("k0 + k1 + k2 + "));
    });
}

#[test]
fn trees_are_equal_where_every_node_is() {
    let mut a = arena(&[0, 1, 2, 3, 4]);
    let x = Tree::Symbol(a.lookup("x").unwrap());
    let [f, g] = ["f", "g"].map(|name| a.declare_table(name));
    let boxed = || Box::new(x.clone());
    let list = [
        x.clone(),
        Tree::Symbol(a.lookup("m").unwrap()),
        Tree::integer(2),
        Tree::integer(3),
        Tree::Decimal(Rational::integer(2)),
        Tree::Negative(boxed()),
        Tree::Sqrt(boxed()),
        Tree::Table(f, 0, boxed()),
        Tree::Table(g, 0, boxed()),
        Tree::Table(f, 1, boxed()),
        Tree::Call(Function::Sin, boxed()),
        Tree::Call(Function::Cos, boxed()),
        Tree::Product(vec![x.clone(), x.clone()]),
        Tree::Product(vec![x.clone(), x.clone(), x.clone()]),
        Tree::Sum(vec![(false, x.clone()), (false, x.clone())]),
        Tree::Sum(vec![(false, x.clone()), (true, x.clone())]),
        Tree::Sum(vec![(false, x.clone())]),
        Tree::Quotient(boxed(), boxed()),
        Tree::Power(boxed(), boxed()),
        Tree::Atan2(boxed(), boxed()),
        Tree::Undefined,
    ];
    for (i, p) in list.iter().enumerate() {
        for (j, q) in list.iter().enumerate() {
            assert_eq!(p.clone() == *q, i == j, "{i} and {j}");
        }
    }
}

#[test]
fn terms_stand_in_the_order_of_what_moves_most_in_them() {
    let mut a = arena(&[0, 1, 2, 3, 4]);
    let [m, l, x, phi, lam, dx, _, ddx] = symbols(&mut a);
    let t = {
        let time = a.time();
        a.symbol(time)
    };
    let sine = a.sin(phi);
    let factors = [ddx, dx, x, sine, t, lam, l];
    let terms: Vec<Expr> = factors.iter().rev().map(|&f| a.product([f, m])).collect();
    let sum = a.sum(terms);
    assert_eq!(text(&a, sum), "m*x'' + m*x' + m*x + m*t + m*lam + m*l + m*sin(phi)");
    let product = a.product(factors);
    assert_eq!(text(&a, product), "l*lam*t*x*sin(phi)*x'*x''");
}

/// Numbers have places of their own in the order, beyond 32 bits too: what differs in them alone is printed in one order, however it
/// was made.
#[test]
fn large_numbers_that_differ_do_not_look_alike() {
    let mut a = arena(&[]);
    let [m, ..] = symbols(&mut a);
    let sine = |a: &mut Arena, n: i64| {
        let n = a.integer(n);
        let sum = a.add(m, n);
        let sine = a.sin(sum);
        Tree::of(a, sine, &Limits::default()).unwrap()
    };
    let numbers = [1, 2, 1 + (1 << 32), 1 + (2 << 32)].map(|n| sine(&mut a, n));
    for pair in numbers.windows(2) {
        assert!(pair[0].code(&a) < pair[1].code(&a));
        let mut factors = [pair[1].clone(), pair[0].clone()];
        Tree::arrange_factors(&a, &mut factors);
        assert_eq!(factors, [pair[0].clone(), pair[1].clone()]);
    }
}
