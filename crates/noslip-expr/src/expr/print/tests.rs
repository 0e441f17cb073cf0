use super::*;
use crate::expr::{Expr, Function, Rational, Role};
use crate::limits::Limits;

/// A pendulum's vocabulary.
struct Words {
    arena: Arena,
}

impl Words {
    fn new() -> Words {
        let mut arena = Arena::new();
        for p in ["m", "r", "g", "a", "b", "slip"] {
            arena.declare(p, Role::Parameter);
        }
        for q in ["x", "y", "theta"] {
            arena.declare(q, Role::Coordinate);
        }
        arena.declare("lambda_knife_edge", Role::Multiplier);
        arena.declare("omega", Role::QuasiVelocity);
        Words { arena }
    }

    fn s(&mut self, name: &str) -> Expr {
        let stem = name.trim_end_matches('\'');
        let mut symbol = self.arena.lookup(stem).unwrap();
        for _ in stem.len()..name.len() {
            symbol = self.arena.dot(symbol);
        }
        self.arena.symbol(symbol)
    }

    fn print(&self, style: Style, e: Expr) -> String {
        let tree = Tree::of(&self.arena, e, &Limits::default()).unwrap();
        Printer::new(style).print(&self.arena, &tree)
    }

    #[track_caller]
    fn check(&self, e: Expr, text: &str, unicode: &str, latex: &str, mathml: &str) {
        assert_eq!(self.print(Style::Text, e), text);
        assert_eq!(self.print(Style::Unicode, e), unicode);
        assert_eq!(self.print(Style::Latex, e), latex);
        assert_eq!(self.print(Style::MathMl, e), format!("<math>{mathml}</math>"));
    }
}

#[test]
fn letters_sums_and_products_in_every_style() {
    let mut w = Words::new();
    let (m, r, a, b) = (w.s("m"), w.s("r"), w.s("a"), w.s("b"));
    let (x, dx, ddx) = (w.s("x"), w.s("x'"), w.s("x''"));

    let n = w.arena.fraction(-3, 4);
    w.check(n, "-3/4", "−3/4", "-\\frac{3}{4}", "<mo form=\"prefix\">−</mo><mfrac><mn>3</mn><mn>4</mn></mfrac>");
    w.check(x, "x", "x", "x", "<mi>x</mi>");
    w.check(dx, "x'", "x\u{307}", "\\dot{x}", "<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">˙</mo></mover>");
    let lambda = w.s("lambda_knife_edge");
    w.check(
        lambda,
        "lambda_knife_edge",
        "λ_knife_edge",
        "\\lambda_{\\mathrm{knife}\\ \\mathrm{edge}}",
        "<msub><mi>λ</mi><mrow><mi>knife</mi><mspace width=\"0.3em\"/><mi>edge</mi></mrow></msub>",
    );

    let energy = {
        let v2 = w.arena.square(dx);
        w.arena.powers(Rational::new(1, 2).unwrap(), [(m, Rational::ONE), (v2, Rational::ONE)])
    };
    w.check(
        energy,
        "m*x'^2/2",
        "m·x\u{307}²/2",
        "\\frac{m\\,\\dot{x}^{2}}{2}",
        "<mfrac><mrow><mi>m</mi><mo>\u{2062}</mo><msup><mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">˙</mo>\
         </mover><mn>2</mn></msup></mrow><mn>2</mn></mfrac>",
    );

    let sum = {
        let k = w.arena.integer(-7);
        let f = w.arena.product([m, ddx]);
        w.arena.sum([k, f, x])
    };
    w.check(
        sum,
        "m*x'' + x - 7",
        "m·x\u{308} + x − 7",
        "m\\,\\ddot{x} + x - 7",
        "<mi>m</mi><mo>\u{2062}</mo><mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">¨</mo></mover><mo>+</mo>\
         <mi>x</mi><mo>−</mo><mn>7</mn>",
    );

    let quotient = {
        let d = w.arena.add(a, b);
        w.arena.powers(Rational::MINUS_ONE, [(m, Rational::ONE), (d, Rational::MINUS_ONE), (r, Rational::integer(-2))])
    };
    w.check(
        quotient,
        "-m/(r^2*(a + b))",
        "−m/(r²·(a + b))",
        "-\\frac{m}{r^{2}\\,\\left(a + b\\right)}",
        "<mo form=\"prefix\">−</mo><mfrac><mi>m</mi><mrow><msup><mi>r</mi><mn>2</mn></msup><mo>\u{2062}</mo><mrow>\
         <mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow></mrow></mfrac>",
    );
}

#[test]
fn functions_and_powers_in_every_style() {
    let mut w = Words::new();
    let (a, b, x) = (w.s("a"), w.s("b"), w.s("x"));
    let (theta, dtheta) = (w.s("theta"), w.s("theta'"));

    let trig = {
        let s = w.arena.sin(theta);
        let s = w.arena.square(s);
        w.arena.mul(s, dtheta)
    };
    w.check(
        trig,
        "sin(theta)^2*theta'",
        "sin²(θ)·θ\u{307}",
        "\\dot{\\theta}\\,\\sin^{2}\\theta",
        "<mover accent=\"true\"><mi>θ</mi><mo stretchy=\"false\">˙</mo></mover><mo>\u{2062}</mo>\
         <mrow><msup><mi>sin</mi><mn>2</mn></msup><mo>\u{2061}</mo><mi>θ</mi></mrow>",
    );

    let double = {
        let two = w.arena.scale(theta, &Rational::integer(2));
        w.arena.cos(two)
    };
    w.check(
        double,
        "cos(2*theta)",
        "cos(2·θ)",
        "\\cos 2\\,\\theta",
        "<mrow><mi>cos</mi><mo>\u{2061}</mo><mn>2</mn><mo>\u{2062}</mo><mi>θ</mi></mrow>",
    );

    let root = {
        let d = w.arena.add(a, b);
        w.arena.sqrt(d)
    };
    w.check(root, "sqrt(a + b)", "√(a + b)", "\\sqrt{a + b}", "<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>");

    let general = {
        let minus = w.arena.neg(x);
        w.arena.pow(a, minus)
    };
    w.check(
        general,
        "a^(-x)",
        "a^(−x)",
        "a^{-x}",
        "<msup><mi>a</mi><mrow><mo form=\"prefix\">−</mo><mi>x</mi></mrow></msup>",
    );

    let angle = w.arena.atan2(a, b);
    w.check(
        angle,
        "atan2(a, b)",
        "atan2(a, b)",
        "\\operatorname{atan2}\\left(a, b\\right)",
        "<mrow><mi>atan2</mi><mo>\u{2061}</mo><mrow><mo>(</mo><mi>a</mi><mo>,</mo><mi>b</mi><mo>)</mo></mrow></mrow>",
    );

    let table = w.arena.declare_table("i");
    let t = w.s("t");
    let rate = w.arena.table(table, 1, t);
    w.check(
        rate,
        "i'(t)",
        "i′(t)",
        "i'\\left(t\\right)",
        "<mrow><msup><mi>i</mi><mo>′</mo></msup><mo>\u{2061}</mo><mrow><mo>(</mo><mi>t</mi><mo>)</mo></mrow></mrow>",
    );

    let size = w.arena.call(Function::Abs, x);
    w.check(
        size,
        "abs(x)",
        "abs(x)",
        "\\left|x\\right|",
        "<mrow><mo form=\"prefix\">|</mo><mi>x</mi><mo form=\"postfix\">|</mo></mrow>",
    );

    let zero = w.arena.zero();
    let undefined = w.arena.div(a, zero);
    w.check(undefined, "1/0", "1/0", "\\frac{1}{0}", "<mfrac><mn>1</mn><mn>0</mn></mfrac>");
}

#[test]
fn every_function_is_named_in_every_style() {
    let mut w = Words::new();
    let x = w.s("x");
    for f in Function::ALL {
        let e = w.arena.call(f, x);
        assert_eq!(w.print(Style::Text, e), format!("{}(x)", f.name()));
        assert_eq!(w.print(Style::Unicode, e), format!("{}(x)", f.name()));
        let latex = w.print(Style::Latex, e);
        assert!(latex.starts_with('\\') && latex.contains('x'), "{latex}");
        let mathml = w.print(Style::MathMl, e);
        assert!(mathml.contains("<mi>x</mi>") && well_formed(&mathml), "{mathml}");
    }
}

#[test]
fn brackets_stand_where_the_syntax_needs_them() {
    let mut w = Words::new();
    let (a, b, m, r, x, y) = (w.s("a"), w.s("b"), w.s("m"), w.s("r"), w.s("x"), w.s("y"));
    let half = Rational::new(1, 2).unwrap();
    let one = Rational::ONE;
    let s1 = w.arena.sub(a, b);
    let s2 = w.arena.add(x, y);
    let cases = [
        (Rational::MINUS_ONE, vec![(s1, one.clone()), (s2, one.clone())], "-((a - b)*(x + y))"),
        (Rational::MINUS_ONE, vec![(s1, one.clone()), (m, -&one)], "-((a - b)/m)"),
        (Rational::MINUS_ONE, vec![(s1, Rational::integer(2))], "-(a - b)^2"),
        (Rational::integer(2), vec![(s1, one.clone()), (s2, one.clone())], "2*(a - b)*(x + y)"),
        (half.clone(), vec![(s1, -&one)], "1/(a - b)/2"),
        (half.clone(), vec![(s1, -&one), (m, one.clone())], "m/(a - b)/2"),
        (half.clone(), vec![(s1, Rational::integer(-2))], "1/(2*(a - b)^2)"),
        (half.clone(), vec![(s1, -&one), (m, -&one)], "1/(2*m*(a - b))"),
        (Rational::new(3, 2).unwrap(), vec![(s1, one.clone()), (s2, -&one)], "3*(a - b)/(x + y)/2"),
        (one.clone(), vec![(x, Rational::new(-3, 2).unwrap())], "1/x^(3/2)"),
        (one.clone(), vec![(x, -&half), (y, half.clone())], "sqrt(y)/sqrt(x)"),
    ];
    let mut built = Vec::new();
    let mut arena = w.arena.clone();
    for (c, factors, text) in cases {
        built.push((arena.powers(c, factors), text));
    }
    let two = arena.integer(-2);
    let third = arena.fraction(2, 3);
    let tower = arena.pow(x, y);
    let more = [
        (arena.pow(two, x), "(-2)^x"),
        (arena.pow(third, x), "(2/3)^x"),
        (arena.square(tower), "(x^y)^2"),
        (arena.pow(m, tower), "m^(x^y)"),
        (arena.pow(s2, r), "(x + y)^r"),
        (arena.power(third, &Rational::new(1, 3).unwrap()), "(2/3)^(1/3)"),
    ];
    built.extend(more);
    w.arena = arena;
    let print = |e: Expr| w.print(Style::Text, e);
    for (e, text) in built {
        assert_eq!(print(e), text);
    }
}

#[test]
fn names_print_as_letters_with_dots_and_subscripts() {
    let mut arena = Arena::new();
    let mut show = |name: &str, role: Role, style: Style| {
        let stem = name.trim_end_matches('\'');
        let mut s = arena.declare(stem, role);
        for _ in stem.len()..name.len() {
            s = arena.dot(s);
        }
        Printer::new(style).symbol(&arena, s)
    };
    let unicode = [
        ("theta''", "θ\u{308}"),
        ("q1", "q₁"),
        ("q12'", "q\u{307}₁₂"),
        ("xi_C", "ξ_C"),
        ("x_s", "xₛ"),
        ("Ip'", "Ip′"),
        ("Omega", "Ω"),
        ("omega_phi", "ωᵩ"),
        ("a_1_2", "a_1_2"),
    ];
    for (name, expected) in unicode {
        assert_eq!(show(name, Role::Coordinate, Style::Unicode), expected);
    }
    let latex = [
        ("theta''", "\\ddot{\\theta}"),
        ("q1'", "\\dot{q}_{1}"),
        ("xi_C", "\\xi_{C}"),
        ("Ip", "\\mathit{Ip}"),
        ("F10", "F_{10}"),
        ("a_1_2", "a_{1,2}"),
    ];
    for (name, expected) in latex {
        assert_eq!(show(name, Role::Coordinate, Style::Latex), expected);
    }
    assert_eq!(show("delta_theta1", Role::Variation, Style::Unicode), "δθ₁");
    assert_eq!(show("delta_theta1", Role::Variation, Style::Latex), "\\delta \\theta_{1}");
    assert_eq!(show("delta_x", Role::Variation, Style::MathMl), "<mrow><mi>δ</mi><mi>x</mi></mrow>");
    assert_eq!(show("delta_p", Role::Parameter, Style::Unicode), "δₚ");
    assert_eq!(show("x_C'", Role::Coordinate, Style::MathMl).matches("<msub>").count(), 1);
}

#[test]
fn display_overrides_replace_the_name_and_keep_the_dots() {
    let mut w = Words::new();
    let e = w.s("theta'");
    let tree = Tree::of(&w.arena, e, &Limits::default()).unwrap();
    let print = |style| Printer::new(style).display("theta", "\\varphi").print(&w.arena, &tree);
    assert_eq!(print(Style::Latex), "\\dot{\\varphi}");
    assert_eq!(print(Style::Unicode), "φ\u{307}");
    assert!(print(Style::MathMl).contains("<mi>φ</mi>"));
    assert_eq!(print(Style::Text), "theta'");
}

#[test]
fn equations_print_in_every_style() {
    let mut w = Words::new();
    let (m, ddx, g) = (w.s("m"), w.s("x''"), w.s("g"));
    let f = w.arena.mul(m, ddx);
    let (lhs, rhs) =
        (Tree::of(&w.arena, f, &Limits::default()).unwrap(), Tree::of(&w.arena, g, &Limits::default()).unwrap());
    let print = |style| Printer::new(style).print_equation(&w.arena, &lhs, &rhs);
    assert_eq!(print(Style::Text), "m*x'' = g");
    assert_eq!(print(Style::Latex), "m\\,\\ddot{x} = g");
    assert!(print(Style::MathMl).starts_with("<math display=\"block\">"));
    assert!(print(Style::MathMl).contains("<mo>=</mo><mi>g</mi></math>"));
}

/// Checks that tags nest, that text is escaped, and that elements with a fixed number of children have it.
fn well_formed(xml: &str) -> bool {
    let mut open: Vec<(&str, usize)> = vec![("", 0)];
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        if rest[..at].contains('>') || rest[..at].contains('&') && !rest[..at].contains(';') {
            return false;
        }
        let Some(end) = rest.find('>') else { return false };
        let tag = &rest[at + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            let Some((opened, children)) = open.pop() else { return false };
            let fixed = match name {
                "mfrac" | "msup" | "msub" | "mover" => Some(2),
                "mi" | "mn" | "mo" => Some(0),
                _ => None,
            };
            if opened != name || fixed.is_some_and(|n| n != children) {
                return false;
            }
        } else {
            if let Some(parent) = open.last_mut() {
                parent.1 += 1;
            }
            if !tag.ends_with('/') {
                open.push((tag.split(' ').next().unwrap(), 0));
            }
        }
        rest = &rest[end + 1..];
    }
    open.len() == 1 && open[0].1 == 1 && rest.is_empty()
}

#[test]
fn hostile_names_cannot_leave_their_element() {
    let hostile = ["</script>", "<mi>", "a&b", "x\"onload='1", "\u{0}\u{8}", "\\input{x}", "$x$", "a_<b>'", "]]>"];
    for name in hostile {
        let mut arena = Arena::new();
        let s = arena.declare(name, Role::Coordinate);
        let e = arena.symbol(s);
        let e = arena.square(e);
        let tree = Tree::of(&arena, e, &Limits::default()).unwrap();
        let mathml = Printer::new(Style::MathMl).display(name, name).print(&arena, &tree);
        assert!(well_formed(&mathml), "{mathml}");
        assert!(!mathml.contains("</script>") && !mathml.contains('\u{0}'));
        let latex = Printer::new(Style::Latex).print(&arena, &tree);
        assert!(!latex.contains("\\input") && !latex.contains("$x$") || latex.contains("\\$x\\$"), "{latex}");
    }
}

/// A small deterministic generator (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn number(&mut self) -> Rational {
        match self.below(12) {
            0 => Rational::from_big(self.next().into(), (self.next() | 1).into()).unwrap(),
            1..=4 => Rational::new(self.below(19) as i64 - 9, self.below(8) as i64 + 1).unwrap(),
            _ => Rational::integer(self.below(9) as i64 - 4),
        }
    }

    /// An expression made from about `size` constructor calls on random operands.
    fn expression(&mut self, w: &mut Words, leaves: &[Expr], size: u64) -> Expr {
        let mut pool: Vec<Expr> = Vec::new();
        let table = w.arena.declare_table("i");
        for _ in 0..size {
            // Operands come from leaves and from what was made before, the latest most often.
            let pick = |dice: &mut Dice| match pool.len() as u64 {
                n if n > 0 && dice.below(3) > 0 => pool[(n - 1 - dice.below(n).min(dice.below(n))) as usize],
                _ => leaves[dice.below(leaves.len() as u64) as usize],
            };
            let (x, y) = (pick(self), pick(self));
            let a = &mut w.arena;
            let e = match self.below(16) {
                0 => {
                    let n = self.number();
                    a.number(n)
                }
                1..=3 => a.add(x, y),
                4 => a.sub(x, y),
                5..=7 => a.mul(x, y),
                8 => a.div(x, y),
                9 => {
                    let n = self.number();
                    a.scale(x, &n)
                }
                10 => {
                    let n = self.number();
                    a.power(x, &n)
                }
                11 => a.pow(x, y),
                12 => a.sqrt(x),
                13 | 14 => a.call(Function::ALL[self.below(16) as usize], x),
                _ if self.below(2) == 0 => a.atan2(x, y),
                _ => a.table(table, self.below(3) as u8, x),
            };
            if !w.arena.is_undefined(e) {
                pool.push(e);
            }
        }
        pool.last().copied().unwrap_or(leaves[0])
    }
}

fn leaves(w: &mut Words) -> Vec<Expr> {
    ["m", "r", "a", "x", "theta", "x'", "theta'", "x''", "omega", "omega'", "lambda_knife_edge", "t", "pi"]
        .map(|name| w.s(name))
        .to_vec()
}

#[test]
fn a_hundred_thousand_printed_expressions_parse_back_to_themselves() {
    let limits = Limits::default();
    let mut dice = Dice(1);
    let (mut tested, mut longest) = (0, 0);
    while tested < 100_000 {
        // A new arena now and then: ids must not matter, and memory stays small.
        let mut w = Words::new();
        let leaves = leaves(&mut w);
        for _ in 0..1000 {
            let size = 1 + dice.below(80);
            let e = dice.expression(&mut w, &leaves, size);
            let Ok(tree) = Tree::of(&w.arena, e, &Limits { printed_bytes: 1 << 14, ..limits.clone() }) else {
                continue;
            };
            let text = Printer::new(Style::Text).print(&w.arena, &tree);
            let back = crate::expr::parse_expression(&mut w.arena, &text, &mut crate::expr::Declared, &limits);
            let back = back.unwrap_or_else(|error| panic!("{text}\n{error:?}"));
            if back != e {
                panic!("{text}\n{}", w.print(Style::Text, back));
            }
            longest = longest.max(tree.operations());
            tested += 1;
        }
    }
    assert!(longest > 100, "the generator has become too tame: {longest}");
}

#[test]
fn a_bracket_behind_a_word_is_not_the_argument_of_a_function() {
    let mut w = Words::new();
    let (slip, m, a, b) = (w.s("slip"), w.s("m"), w.s("a"), w.s("b"));
    let sum = w.arena.add(a, b);
    let [of_word, of_letter] = [slip, m].map(|s| w.arena.mul(s, sum));
    let brackets = "<mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow>";
    w.check(
        of_word,
        "slip*(a + b)",
        "slip·(a + b)",
        "\\mathit{slip} \\cdot \\left(a + b\\right)",
        &format!("<mi>slip</mi><mo>·</mo>{brackets}"),
    );
    w.check(
        of_letter,
        "m*(a + b)",
        "m·(a + b)",
        "m\\,\\left(a + b\\right)",
        &format!("<mi>m</mi><mo>\u{2062}</mo>{brackets}"),
    );
}

#[test]
fn mathml_of_generated_expressions_is_well_formed() {
    let mut dice = Dice(2);
    let mut w = Words::new();
    let leaves = leaves(&mut w);
    for _ in 0..2000 {
        let e = dice.expression(&mut w, &leaves, 12);
        let Ok(tree) = Tree::of(&w.arena, e, &Limits { printed_bytes: 1 << 12, ..Limits::default() }) else { continue };
        let printed = Printer::new(Style::MathMl).print(&w.arena, &tree);
        let rows = printed.replacen("<math>", "<math><mrow>", 1).replacen("</math>", "</mrow></math>", 1);
        assert!(well_formed(&rows), "{printed}");
        let latex = Printer::new(Style::Latex).print(&w.arena, &tree);
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{latex}");
        assert_eq!(latex.matches("\\left").count(), latex.matches("\\right").count(), "{latex}");
    }
}

#[test]
fn a_number_before_a_number_is_not_read_as_one() {
    let w = Words::new();
    let number = |n: i64| Tree::Number(Rational::integer(n));
    let fraction = |n: i64, d: i64| Tree::Quotient(Box::new(number(n)), Box::new(number(d)));
    let power = Tree::Power(Box::new(number(3)), Box::new(number(2)));
    for second in [number(3), fraction(3, 4), power, Tree::Product(vec![number(3), number(5)])] {
        let tree = Tree::Product(vec![number(2), second]);
        assert!(Printer::new(Style::Latex).print(&w.arena, &tree).starts_with("2 \\cdot"), "{tree:?}");
        let unicode = Printer::new(Style::Unicode).print(&w.arena, &tree);
        assert!(!unicode.starts_with("23") && !unicode.starts_with("2 3"), "{unicode}");
    }
}
