use super::*;
use crate::expr::normal::Eliminate;
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Declared, Role, parse_expression};
use crate::expr::{Known, Rational};

#[path = "printed.rs"]
mod printed;
use printed::printed_operations;

mod kept;

fn arena() -> Arena {
    let mut arena = Arena::new();
    for p in "m r g l Ip a b J1 J2 M1 M2 l1 l2 F10 kappa1 kappa2 kappa3 L10".split(' ') {
        arena.declare(p, Role::Parameter);
    }
    for q in "x y z phi theta psi xi eta".split(' ') {
        arena.declare(q, Role::Coordinate);
    }
    for q in "u1 u2 u3 v".split(' ') {
        arena.declare(q, Role::QuasiVelocity);
    }
    arena.declare("lam1", Role::Multiplier);
    arena
}

fn parse(arena: &mut Arena, text: &str) -> Expr {
    parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn text(arena: &Arena, tree: &Tree) -> String {
    Printer::new(Style::Text).print(arena, tree)
}

#[track_caller]
fn assert_equal(arena: &mut Arena, tree: &Tree, e: Expr) {
    let back = tree.to_expr(arena);
    let difference = arena.sub(back, e);
    let verdict = is_zero(arena, difference, &ZeroOptions::default());
    assert!(matches!(verdict, Known::Proved), "{}: {verdict:?}", text(arena, tree));
}

#[test]
fn what_stands_under_a_root_is_made_readable_once_and_written_the_same_in_every_equation() {
    let radicand = "(a*sin(theta))^2 + (b*cos(theta)*sin(phi))^2 + b^2*cos(theta)^2*cos(phi)^2";
    let equations = [format!("x*sqrt({radicand})"), format!("m*sin(phi)*y - r*sqrt({radicand})/(z + m)")];
    let mut shared = arena();
    for equation in &equations {
        let mut fresh = arena();
        let [first, second] = [&mut fresh, &mut shared].map(|arena| {
            let e = parse(arena, equation);
            let tree = readable_equation(arena, e, &Readable::default()).unwrap();
            text(arena, &tree)
        });
        assert_eq!(first, second);
    }
    // As many entries as there are orders, not as there are equations.
    let known: usize = shared.radicands.values().map(Vec::len).sum();
    assert!((1..=Order::ALL.len()).contains(&known), "{known}");
}

#[test]
fn operations_to_write_an_expression_out_are_counted_when_it_is_made() {
    let mut arena = arena();
    let e = parse(&mut arena, "m*(sin(x)^2 + r)*(sin(x)^2 + r + y)");
    let count = |arena: &Arena| {
        let mut total = 0;
        let mut stack = vec![e];
        while let Some(x) = stack.pop() {
            total += crate::expr::operations(arena.node(x));
            arena.node(x).for_each_child(|c| stack.push(c));
        }
        total
    };
    assert_eq!(crate::expr::written_out(&arena, e), count(&arena));
    // What is only tried leaves the count of what is made later as it was.
    arena.trial(|g| parse(g, "cos(x)^3 + y*z*phi"));
    let later = parse(&mut arena, "cos(x)*y");
    assert_eq!(crate::expr::written_out(&arena, later), 2);
}

#[test]
fn operations_of_printed_text_are_counted_by_the_same_rule() {
    for (text, n) in [
        ("1/4*m*r^2*u1", 5),
        ("-x+y", 1),
        ("-x*y", 2),
        ("x-(-y/(2*z))-m", 5),
        ("m*sin(phi)^2", 3),
        ("(m*z''+m*g)*(-b/(2*z'))-lam1", 8),
        ("a*(-x+y)", 2),
        ("x^(-2)", 2),
    ] {
        assert_eq!(printed_operations(text), n, "{text}");
    }
}

/// An equation of a book: where it stands, what is printed, and abbreviations the print uses (in order of use).
struct Printed {
    id: &'static str,
    equation: &'static str,
    abbreviations: &'static [(&'static str, &'static str)],
}

/// Abbreviations that are functions or symbols here as well are written as such: cot θ, u̇₁.
const BOOKS: &[Printed] = &[
    Printed {
        id: "Greenwood (5.190), rolling disk",
        equation: "1/4*m*r^2*u1'+1/4*m*r^2*u1*u2*cot(theta)-1/2*m*r^2*u2*u3",
        abbreviations: &[],
    },
    Printed {
        id: "Greenwood (5.191), rolling disk",
        equation: "5/4*m*r^2*theta''-1/4*m*r^2*u1^2*cot(theta)+3/2*m*r^2*u1*u3+m*g*r*cos(theta)",
        abbreviations: &[],
    },
    Printed { id: "Greenwood (5.192), rolling disk", equation: "3/2*m*r^2*u3'-m*r^2*u1*u2", abbreviations: &[] },
    Printed {
        id: "Greenwood (5.38), knife-edge body",
        equation: "m*x''*cos(phi)+m*y''*sin(phi)-m*l*phi'^2",
        abbreviations: &[],
    },
    Printed {
        id: "Greenwood (5.39), knife-edge body",
        equation: "Ip*phi''-m*l*x''*sin(phi)+m*l*y''*cos(phi)",
        abbreviations: &[],
    },
    Printed { id: "Greenwood (5.121), dumbbell", equation: "2*m*v'-m*l*phi'^2", abbreviations: &[] },
    Printed {
        id: "Greenwood (5.121), dumbbell, in coordinates",
        equation: "2*m*vdot-m*l*phi'^2",
        abbreviations: &[("vdot", "x''*cos(phi)+y''*sin(phi)+phi'*(-x'*sin(phi)+y'*cos(phi))")],
    },
    Printed { id: "Greenwood (5.122), dumbbell", equation: "m*l^2*phi''+m*l*v*phi'", abbreviations: &[] },
    Printed {
        id: "(4.23)a corrected, car",
        equation: "(Js+2*M2*l1*l2+Ms*(l2^2+l1^2*cos(theta)^2+2*l1*l2*cos(theta)^2)/sin(theta)^2)*phi''+J2*theta''\
                   -(l1+l2)^2*Ms*cos(theta)/sin(theta)^3*phi'*theta'-(Qxi*b13+Qeta*b14)",
        abbreviations: &[
            ("Ms", "M1+M2"),
            ("Js", "J1+J2+M2*l1^2"),
            ("b13", "(l1*cos(phi)*cos(theta)+l2*cos(phi+theta))/sin(theta)"),
            ("b14", "(l1*sin(phi)*cos(theta)+l2*sin(phi+theta))/sin(theta)"),
            ("Qxi", "F10*cos(phi)-kappa2*xi'"),
            ("Qeta", "F10*sin(phi)-kappa2*eta'"),
        ],
    },
    Printed {
        id: "(4.23)b, car",
        equation: "J2*(phi''+theta'')-Qth",
        abbreviations: &[("Qth", "L10-kappa1*theta'-kappa3*theta")],
    },
    Printed {
        id: "(4.41) corrected, Appell-Hamel",
        equation: "m*x''+(m*z''+m*g)*(h2*x'/z')",
        abbreviations: &[("h2", "b^2/a^2")],
    },
    Printed {
        id: "(4.42), Appell-Hamel",
        equation: "m*y''+(m*z''+m*g)*(h2*y'/z')",
        abbreviations: &[("h2", "b^2/a^2")],
    },
    Printed {
        id: "(4.43), Appell-Hamel",
        equation: "(m*z''+m*g)*(-h2/(2*z'))-lam1",
        abbreviations: &[("h2", "b^2/a^2")],
    },
];

impl Printed {
    /// With every abbreviation written out.
    fn written_out(&self) -> String {
        let mut text = self.equation.to_owned();
        for (name, value) in self.abbreviations {
            text = text.replace(name, &format!("({value})"));
        }
        text
    }
}

/// The same equation in ways nobody would print.
fn disguises(arena: &mut Arena, e: Expr) -> Vec<Expr> {
    let mut expanded = Vec::new();
    for (basis, eliminate) in [(Basis::Absolute, Eliminate::Sine), (Basis::Relative, Eliminate::Cosine)] {
        let mut normalizer = Normalizer::new(Options { basis, eliminate, ..Options::default() });
        let normal = normalizer.normalize(arena, e).unwrap();
        expanded.push(normalizer.to_expr(arena, &normal));
    }
    let one = parse(arena, "sin(theta+phi)^2+(cos(theta)*cos(phi)-sin(theta)*sin(phi))^2");
    let common = parse(arena, "J1+M1*l1^2*cos(theta)^2");
    let multiplied = arena.mul(expanded[0], one);
    let product = arena.mul(expanded[0], common);
    let mut normalizer = Normalizer::new(Options::default());
    let normal = normalizer.normalize(arena, product).unwrap();
    let product = normalizer.to_expr(arena, &normal);
    let fraction = arena.div(product, common);
    vec![e, expanded[0], expanded[1], multiplied, fraction]
}

#[test]
fn readable_equations_are_no_longer_than_the_books() {
    for printed in BOOKS {
        let mut arena = arena();
        let e = parse(&mut arena, &printed.written_out());
        let allowed = printed_operations(&printed.written_out());
        for disguise in disguises(&mut arena, e) {
            let tree = readable_equation(&mut arena, disguise, &Readable::default()).unwrap();
            let found = text(&arena, &tree);
            assert!(tree.operations() <= allowed, "{}: {found} has {} > {allowed}", printed.id, tree.operations());
            let plain = readable(&mut arena, disguise, &Readable::default()).unwrap();
            assert_equal(&mut arena, &plain, e);
            let direct = readable_equation(&mut arena, e, &Readable::default()).unwrap();
            assert_eq!(found, text(&arena, &direct), "{}", printed.id);
        }
    }
}

/// Even with the book's abbreviations counted as single symbols, as they are in print.
#[test]
fn most_readable_equations_are_no_longer_than_the_books_with_abbreviations() {
    for printed in BOOKS.iter().filter(|p| !p.id.contains("coordinates") && !p.id.contains("(4.23)")) {
        let mut arena = arena();
        let e = parse(&mut arena, &printed.written_out());
        let tree = readable_equation(&mut arena, e, &Readable::default()).unwrap();
        assert!(tree.operations() <= printed_operations(printed.equation), "{}", printed.id);
    }
}

#[test]
fn what_a_textbook_would_print() {
    let cases = [
        // Pythagoras, double angles, sums of angles.
        ("m*sin(phi)^2*x'^2+m*cos(phi)^2*x'^2", "m*x'^2"),
        ("m*cos(phi)^2-m*sin(phi)^2", "m*cos(2*phi)"),
        ("2*l*sin(phi)*cos(phi)", "l*sin(2*phi)"),
        ("l1*cos(phi)*cos(theta)-l1*sin(phi)*sin(theta)+l2*cos(theta)", "l2*cos(theta) + l1*cos(phi + theta)"),
        ("m-m*cos(phi)^2", "m*sin(phi)^2"),
        ("1-cos(phi)", "1 - cos(phi)"),
        // Quotients of functions.
        ("g*sin(phi)/cos(phi)", "g*tan(phi)"),
        ("m*u1 + b*tanh(u1/a)", "m*u1 + b*tanh(u1/a)"),
        ("m*sinh(x)/cosh(x)", "m*tanh(x)"),
        ("b*sinh(x)^2/cosh(x)^3", "b*sinh(x)^2/cosh(x)^3"),
        ("1/sin(phi)", "csc(phi)"),
        ("x/sin(phi)", "x/sin(phi)"),
        ("1/cos(phi)^2-1", "tan(phi)^2"),
        ("m*cos(phi)^2/sin(phi)^2+m", "m/sin(phi)^2"),
        // Common factors, numbers, fractions.
        ("m*l^2*phi''+m*g*l*sin(phi)", "m*l*(l*phi'' + g*sin(phi))"),
        ("a^2+2*a*b+b^2", "(a + b)^2"),
        ("a/2+b/3", "a/2 + b/3"),
        ("a/2+b/2", "(a + b)/2"),
        ("a/(a+b)+b/(a+b)", "1"),
        ("x'^2*(a^2-b^2)/(a-b)", "(a + b)*x'^2"),
        ("b^2*x/a^2", "(b/a)^2*x"),
        ("m/2*x'^2+m/2*y'^2+m*(x'^2+y'^2)/(2*a^2)", "m*(1/a^2 + 1)*(x'^2 + y'^2)/2"),
        ("(m*x+m*y)/(a*x+a*y)", "m/a"),
        // Order and signs.
        ("g-x''", "g - x''"),
        ("-a*x-a*y", "-a*(x + y)"),
        ("x'*y*m+m*l*x''+lam1*sin(phi)", "m*(l*x'' + y*x') + lam1*sin(phi)"),
        // Roots, absolute values, nested functions.
        ("sqrt(a^2*cos(phi)^2+a^2*sin(phi)^2+2*a*b+b^2)", "abs(a + b)"),
        ("m/sqrt(x^2+y^2)", "m/sqrt(x^2 + y^2)"),
        ("m*x/(x^2+y^2)^(3/2)", "m*x/(x^2 + y^2)^(3/2)"),
        ("m*x/sqrt(1+x^2/10)/10", "m*x/(sqrt(10)*sqrt(x^2 + 10))"),
        ("exp(x*y-y*x+z)", "exp(z)"),
        ("atan((x*y+x*z)/x)", "atan(y + z)"),
        ("atan(m*x+m*y)", "atan(m*(x + y))"),
        ("x-x", "0"),
    ];
    for (given, expected) in cases {
        let mut arena = arena();
        let e = parse(&mut arena, given);
        let tree = readable(&mut arena, e, &Readable::default()).unwrap();
        assert_eq!(text(&arena, &tree), expected, "from {given}");
        assert_equal(&mut arena, &tree, e);
    }
}

#[test]
fn an_equation_may_change_its_sign_and_lose_its_scale() {
    let cases = [
        ("m*g*r-m*r*x''", "m*r*(x'' - g)", "x'' - g"),
        ("-1/4*m*r^2*u1'-1/2*m*r^2*u2*u3", "m*r^2*(u1' + 2*u2*u3)/4", "u1' + 2*u2*u3"),
        ("g-x''", "x'' - g", "x'' - g"),
        ("-(a+b)*x''/m", "(a + b)*x''/m", "x''"),
        ("-x''-g", "x'' + g", "x'' + g"),
        ("2*m*sin(phi)*x'", "2*m*sin(phi)*x'", "sin(phi)*x'"),
    ];
    for (given, keep, free) in cases {
        let mut arena = arena();
        let e = parse(&mut arena, given);
        for (scale, expected) in [(Scale::Keep, keep), (Scale::Free, free)] {
            let options = Readable { scale, ..Readable::default() };
            let tree = readable_equation(&mut arena, e, &options).unwrap();
            assert_eq!(text(&arena, &tree), expected, "from {given}");
        }
    }
}

#[test]
fn generated_expressions_keep_their_value_and_do_not_grow() {
    let leaves = "m r l a x y phi theta x' phi' x'' phi'' cos(phi) sin(phi) cos(theta) sin(theta) cos(phi+theta) \
                  sin(phi-theta) tan(phi) sqrt(x^2+y^2)";
    let leaves: Vec<&str> = leaves.split(' ').filter(|s| !s.is_empty()).collect();
    let mut state = 7u64;
    let mut dice = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let mut shorter = 0;
    for round in 0..300 {
        let mut arena = arena();
        // A sum of products, now and then over a sum: what equations of motion look like before anybody cleans up.
        let mut sum = Vec::new();
        for _ in 0..1 + dice(6) {
            let mut factors = vec![arena.integer(1 + dice(4) as i64)];
            for _ in 0..1 + dice(4) {
                let leaf = parse(&mut arena, leaves[dice(leaves.len())]);
                factors.push(match dice(8) {
                    0 => {
                        let other = parse(&mut arena, leaves[dice(leaves.len())]);
                        arena.add(leaf, other)
                    }
                    1 => arena.square(leaf),
                    2 => arena.powi(leaf, -1),
                    _ => leaf,
                });
            }
            let product = arena.product(factors);
            sum.push(if dice(2) == 0 { product } else { arena.neg(product) });
        }
        let e = arena.sum(sum);
        let before = Tree::of(&arena, e, &Limits::default()).unwrap().operations();
        let tree = readable(&mut arena, e, &Readable::default()).unwrap();
        let sign = usize::from(matches!(tree, Tree::Negative(_)));
        assert!(tree.operations() <= before + sign, "round {round}: {}", text(&arena, &tree));
        shorter += usize::from(tree.operations() < before);
        let printed = text(&arena, &tree);
        for back in [tree.to_expr(&mut arena), parse(&mut arena, &printed)] {
            let difference = arena.sub(back, e);
            let verdict = is_zero(&mut arena, difference, &ZeroOptions::default());
            assert!(verdict.holds(), "round {round}: {printed} {verdict:?}");
        }
    }
    assert!(shorter > 100, "only {shorter} became shorter");
}

#[test]
fn the_same_expression_reads_the_same_whatever_was_computed_before() {
    let given =
        "m*l*(x''*cos(phi)-y''*sin(phi)+phi'^2*tan(theta))+Ip*phi''*cos(theta)^2/sin(theta)^2-lam1*sin(phi+theta)";
    let mut first = arena();
    let e = parse(&mut first, given);
    let tree = readable(&mut first, e, &Readable::default()).unwrap();
    let mut second = arena();
    for other in ["sin(theta)*phi'", "lam1*y''", "cos(phi)^2*z", "sin(phi+theta)+Ip", "tan(theta)", "x''*l"] {
        parse(&mut second, other);
    }
    let e = parse(&mut second, given);
    let other = readable(&mut second, e, &Readable::default()).unwrap();
    assert_eq!(text(&first, &tree), text(&second, &other));
}

/// Deep and large input on a small stack: an answer or a typed error, soon.
#[test]
fn hostile_expressions_are_answered_on_a_small_stack() {
    let run = || {
        let mut arena = arena();
        let options = Readable::default();
        // A tower of powers.
        let (m, x) = (parse(&mut arena, "m"), parse(&mut arena, "x"));
        let mut e = x;
        for _ in 0..20_000 {
            e = arena.pow(m, e);
        }
        let tree = readable(&mut arena, e, &options).unwrap();
        assert_eq!(tree.operations(), 20_000);
        // Squares of squares: 2^64 terms if expanded.
        let mut e = x;
        for _ in 0..64 {
            let square = arena.square(e);
            e = arena.add(square, m);
        }
        assert_eq!(readable(&mut arena, e, &options).unwrap().operations(), 128);
        // Shared sines: 2^64 characters if written.
        let mut e = x;
        for _ in 0..64 {
            let sine = arena.sin(e);
            let product = arena.mul(sine, e);
            e = arena.add(product, m);
        }
        assert_eq!(readable(&mut arena, e, &options).unwrap_err().kind, crate::error::ErrorKind::Limit);
        // A power that is better not multiplied out, a polynomial of high degree, a long sum.
        for given in ["(a+b+l)^100000", "x^3000+x^2999*m+x^1500+1", "(x+y+z+a+b+m)^12+x*y"] {
            let e = parse(&mut arena, given);
            readable(&mut arena, e, &options).unwrap();
        }
        let long: Vec<Expr> = (1..4000).map(|i| arena.powi(x, i)).collect();
        let e = arena.sum(long);
        readable(&mut arena, e, &options).unwrap();
        let zero = arena.zero();
        let undefined = arena.div(x, zero);
        assert!(readable(&mut arena, undefined, &options).is_err());
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_distance_is_written_by_its_differences() {
    for (given, wanted) in [
        ("sqrt((x - y)^2 + (z - u1)^2 + l^2)", "sqrt(l^2 + (x - y)^2 + (z - u1)^2)"),
        ("sqrt(x^2 - 2*x*y + y^2 + z^2)", "sqrt((x - y)^2 + z^2)"),
        ("m*sqrt(4*x^2 + 4*x*y + y^2 + m)", "m*sqrt((2*x + y)^2 + m)"),
        ("sqrt(x^2 + y^2 + z^2 + 2*x*y - 2*x*z - 2*y*z + l)", "sqrt((x + y - z)^2 + l)"),
        // In an equation.
        (
            "m*xi + l*(x - y)/sqrt(x^2 - 2*x*y + y^2 + z^2 - 2*z*eta + eta^2 + l^2)",
            "m*xi + l*(x - y)/sqrt((x - y)^2 + (z - eta)^2 + l^2)",
        ),
        // Nothing is completed that is not there.
        ("sqrt(x^2 + 2*x*y + z)", "sqrt(x*(x + 2*y) + z)"),
    ] {
        let mut arena = arena();
        let e = parse(&mut arena, given);
        let tree = readable_equation(&mut arena, e, &Readable::default()).unwrap();
        assert_equal(&mut arena, &tree, e);
        // (x − y)² may stand as (y − x)².
        let wanted = parse(&mut arena, wanted);
        let wanted = Tree::of(&arena, wanted, &Limits::default()).unwrap();
        assert_eq!(tree.operations(), wanted.operations(), "{given}: {}", text(&arena, &tree));
    }
}

/// Equations as they come out of derivations, by dice that always fall the same way.
fn generated(arena: &mut Arena, leaves: &[&str], seed: u64) -> Expr {
    let mut state = seed;
    let mut dice = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let mut sum = Vec::new();
    for _ in 0..2 + dice(5) {
        let mut factors = vec![arena.number(Rational::new(1 + dice(6) as i64, 1 + dice(3) as i64).unwrap())];
        for _ in 0..1 + dice(4) {
            let leaf = parse(arena, leaves[dice(leaves.len())]);
            factors.push(match dice(7) {
                0 => {
                    let other = parse(arena, leaves[dice(leaves.len())]);
                    arena.add(leaf, other)
                }
                1 | 2 => arena.square(leaf),
                3 => arena.powi(leaf, -1),
                _ => leaf,
            });
        }
        let product = arena.product(factors);
        sum.push(if dice(2) == 0 { product } else { arena.neg(product) });
    }
    arena.sum(sum)
}

#[test]
fn what_a_form_costs_is_the_operations_and_the_length_of_what_is_printed() {
    // Without velocities, which count once more before a bracket, and without roots, which meet others where they are printed.
    let leaves = "m r l a x y cos(phi) sin(phi) cos(theta) sin(theta) cos(phi+theta) sin(phi-theta) tan(phi)";
    let leaves: Vec<&str> = leaves.split(' ').collect();
    let mut exact = 0;
    for seed in 0..80 {
        let mut arena = arena();
        let e = generated(&mut arena, &leaves, seed);
        let limits = Limits::default();
        for (normal, setups) in normal_forms(&mut arena, e, &limits, NESTING, &Order::ALL).unwrap() {
            let setup = &setups[0];
            let (numerator, denominator) = setup.fraction(&normal).unwrap();
            let mut search = Search::new(&setup.atoms, &limits, EFFORT);
            let form = search.quotient(&numerator, &denominator).unwrap();
            let tree = form.tree_up_to_sign(&arena, &setup.atoms);
            let printed = text(&arena, &tree);
            assert_eq!(form.cost.weight, tree.operations(), "{printed}");
            // The two of a double angle is not counted.
            if !["(2*", "(-"].iter().any(|part| printed.contains(part)) {
                assert_eq!(form.cost.length, printed.len(), "{printed}");
                exact += 1;
            }
        }
    }
    assert!(exact > 40, "{exact}");
}

#[test]
fn arguments_within_arguments_are_made_readable_to_the_third_level() {
    for (depth, expected) in [(1, "m*(y + z)"), (2, "m*(y + z)"), (3, "m*(y + z)"), (4, "m*y + m*z")] {
        let mut arena = arena();
        let given = format!("{}m*y + m*z{}", "atan(".repeat(depth), ")".repeat(depth));
        let e = parse(&mut arena, &given);
        let tree = readable(&mut arena, e, &Readable::default()).unwrap();
        assert_eq!(text(&arena, &tree), format!("{}{expected}{}", "atan(".repeat(depth), ")".repeat(depth)));
    }
}
