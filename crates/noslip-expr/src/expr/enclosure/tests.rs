use super::*;
use crate::expr::{Declared, Role, parse_expression};
use crate::limits::Limits;

/// Values in thousandths, the same for both kinds.
struct At(Vec<(Symbol, i64)>);

impl<E: Enclosure> Given<E> for At {
    fn symbol(&mut self, cx: &mut E::Context, s: Symbol) -> Option<E> {
        let (_, k) = self.0.iter().find(|(t, _)| *t == s)?;
        E::rational(cx, &Rational::new(*k, 1000)?)
    }

    fn table(&mut self, _: &mut E::Context, _: TableId, _: u8, _: &E) -> Option<E> {
        None
    }
}

fn both(text: &str, x: i64, y: i64) -> (Option<Bounded>, Option<Ball>) {
    let mut arena = Arena::new();
    let at = ["x", "y"].map(|n| arena.declare(n, Role::Coordinate));
    let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
    let order = arena.reachable(&[e]);
    let given = || At(vec![(at[0], x), (at[1], y)]);
    let double = enclose(&arena, &[e], &order, &mut (), &mut given()).pop().unwrap();
    let mut digits = Digits::new(256).unwrap();
    (double, enclose(&arena, &[e], &order, &mut digits, &mut given()).pop().unwrap())
}

const FUNCTIONS: [&str; 26] = [
    "sin(x*y)",
    "cos(x+y)",
    "tan(x)",
    "cot(x)",
    "1/cos(y)",
    "1/sin(x)",
    "asin(x/9)",
    "acos(y/9)",
    "atan(x)",
    "sinh(x)",
    "cosh(y)",
    "tanh(x-y)",
    "exp(x)",
    "log(y^2+1/7)",
    "abs(x)",
    "sign(y)",
    "atan2(x,y)",
    "sqrt(x^2+y^2)",
    "(x^2+1)^(2/3)",
    "(x^2+2)^y",
    "x^5/(y^3+11)",
    "(1/3)*x",
    "(x^2+1/9)^(-3/2)",
    "123456789012345678901234567890*x",
    "pi*x",
    "x-y+1/7",
];

#[test]
fn the_two_kinds_overlap_everywhere() {
    for text in FUNCTIONS {
        for x in [-7345i64, -1571, -1000, -3, 1, 250, 999, 3142, 6283] {
            for y in [-5001, -777, 2, 1000, 1571, 8999] {
                let (double, ball) = both(text, x, y);
                let (Some(d), Some(b)) = (double, ball) else { continue };
                let distance = (d.value - b.value()).abs();
                assert!(distance <= d.error + b.radius() + 1e-15 * d.value.abs(), "{text} {x} {y}: {d:?} {b:?}");
                assert!(b.radius() <= 1e-60 * (1.0 + b.value().abs()), "{text} {x} {y}: {b:?}");
            }
        }
    }
}

#[test]
fn identities_hold_to_seventy_digits_and_near_identities_do_not() {
    for text in [
        "sin(x)^2 + cos(x)^2 - 1",
        "atan2(x, y) - 2*atan(x/(sqrt(x^2+y^2)+y))",
        "exp(x)*exp(-x) - 1",
        "asin(x/9) + acos(x/9) - pi/2",
        "cosh(x)^2 - sinh(x)^2 - 1",
        "log(exp(x)) - x",
        "tanh(x) - sinh(x)/cosh(x)",
        "(x^2+1)^(1/3)*(x^2+1)^(2/3) - x^2 - 1",
    ] {
        let (_, ball) = both(text, 1234, -777);
        let ball = ball.unwrap();
        assert!(ball.low() == 0.0 && ball.high() < 1e-70, "{text}: {ball:?}");
        let (_, ball) = both(&format!("{text} + x*10^(-60)"), 1234, -777);
        assert_eq!(ball.unwrap().sign(), Some(1), "{text}");
    }
}

#[test]
fn where_nothing_is_defined_there_is_no_value() {
    for (text, x, y) in
        [("1/(x-y)", 500, 500), ("log(x)", -1, 0), ("asin(x)", 1001, 0), ("sqrt(x)", -5, 0), ("x^y", -2, 3)]
    {
        let (double, ball) = both(text, x, y);
        assert!(double.is_none() && ball.is_none(), "{text}: {double:?} {ball:?}");
    }
}

#[test]
fn a_radius_is_carried_through_every_function() {
    // The image of a ball contains the images of its points.
    let mut cx = Digits::new(192).unwrap();
    use Function::*;
    for f in [Sin, Cos, Tan, Cot, Sec, Csc, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Abs] {
        for middle in [0.07, 0.3, 0.55, 0.9] {
            let ball = Ball::exact(&cx, middle).unwrap().widened(0.04);
            let image = ball.call(&mut cx, f).unwrap();
            for step in -4..=4 {
                let x = middle + 0.01 * f64::from(step);
                let y = Ball::exact(&cx, x).unwrap().call(&mut cx, f).unwrap();
                assert!((y.value() - image.value()).abs() <= image.radius() * (1.0 + 1e-12), "{f:?} {middle} {x}");
            }
        }
    }
    for (y, x) in [(0.5, 1.0), (1.0, 0.1), (1.0, -0.1), (-1.0, -0.2), (0.3, -2.0), (-0.3, -2.0)] {
        let wide = |v: f64| Ball::exact(&Digits::new(192).unwrap(), v).unwrap().widened(0.1);
        let image = wide(y).atan2(&mut cx, &wide(x)).unwrap();
        for (dy, dx) in [(0.1, 0.1), (-0.1, 0.1), (0.1, -0.1), (-0.1, -0.1)] {
            let corner: f64 = f64::atan2(y + dy, x + dx);
            assert!((corner - image.value()).abs() <= image.radius() + 1e-12, "{y} {x}");
        }
    }
}

#[test]
fn what_has_no_value_has_no_enclosure() {
    for (text, x) in [
        ("log(x)", -2000),
        ("log(x)", 0),
        ("sqrt(x)", -2000),
        ("asin(x)", 2000),
        ("acos(x)", -2000),
        ("1/x", 0),
        ("x^(1/3)", -2000),
    ] {
        let (double, ball) = both(text, x, 1000);
        assert!(double.is_none() && ball.is_none(), "{text} at {x}/1000");
    }
}

#[test]
fn far_out_a_hyperbolic_tangent_is_one_with_its_sign() {
    for (x, expected) in [(400_000, 1.0), (-400_000, -1.0)] {
        let (_, ball) = both("tanh(x)", x, 0);
        let ball = ball.expect("a value");
        assert!(ball.value() == expected && ball.radius() < 1e-100, "{} ± {}", ball.value(), ball.radius());
    }
}

#[test]
fn bounds_of_absolute_values_are_rounded_outwards() {
    let digits = Digits::new(256).unwrap();
    for x in [3.0, -3.0, 0.1, 1e-200, -1e200] {
        let ball = Ball::exact(&digits, x).unwrap();
        assert!(ball.low() < x.abs() && x.abs() < ball.high(), "{x}: {} to {}", ball.low(), ball.high());
        let wide = ball.widened(0.5 * x.abs());
        assert!(wide.low() < 0.5 * x.abs() && 1.5 * x.abs() < wide.high(), "{x}");
        assert!(wide.low() > 0.49 * x.abs() && 1.51 * x.abs() > wide.high(), "{x}");
    }
}

/// Functions with their values and with how much wider than needed an enclosure may be: those made of two others more.
const WIDTHS: [(Function, fn(f64) -> f64, f64); 15] = [
    (Function::Sin, f64::sin, 2.0),
    (Function::Cos, f64::cos, 15.0),
    (Function::Tan, f64::tan, 3.0),
    (Function::Cot, |x| 1.0 / x.tan(), 3.0),
    (Function::Sec, |x| 1.0 / x.cos(), 15.0),
    (Function::Csc, |x| 1.0 / x.sin(), 3.0),
    (Function::Asin, f64::asin, 2.0),
    (Function::Acos, f64::acos, 2.0),
    (Function::Atan, f64::atan, 2.0),
    (Function::Sinh, f64::sinh, 2.0),
    (Function::Cosh, f64::cosh, 15.0),
    (Function::Tanh, f64::tanh, 2.5),
    (Function::Exp, f64::exp, 1.1),
    (Function::Log, f64::ln, 1.2),
    (Function::Abs, f64::abs, 1.1),
];

#[test]
fn an_enclosure_contains_the_values_and_is_not_much_wider() {
    let mut cx = Digits::new(192).unwrap();
    for (f, value, wide) in WIDTHS {
        for middle in [0.2, 0.45, 0.8] {
            let reach = 0.02;
            let needed =
                [-reach, reach].map(|d| (value(middle + d) - value(middle)).abs()).into_iter().fold(0.0, f64::max);
            let ball = Ball::exact(&cx, middle).unwrap().widened(reach).call(&mut cx, f).unwrap();
            let double = Bounded { value: middle, error: reach }.call(&mut (), f).unwrap();
            for (image, radius) in [(ball.value(), ball.radius()), (double.value, double.error)] {
                assert!((image - value(middle)).abs() < 1e-14 * (1.0 + image.abs()), "{f:?}: {image}");
                assert!(radius >= needed * (1.0 - 1e-9) && radius <= wide * needed, "{f:?}: {radius} for {needed}");
            }
        }
    }
}

#[test]
fn products_quotients_and_roots_are_as_wide_as_their_formulas_say() {
    let mut cx = Digits::new(192).unwrap();
    for (x, a, y, b) in [(3.0, 0.1, -2.0, 0.2), (-0.5, 0.01, 0.25, 0.0), (7.0, 0.0, 1.5, 0.5)] {
        let (p, q) = (Ball::exact(&cx, x).unwrap().widened(a), Ball::exact(&cx, y).unwrap().widened(b));
        let (d, e) = (Bounded { value: x, error: a }, Bounded { value: y, error: b });
        let near = f64::abs(y) - b;
        // The error of 1/y over its own formula or over the square of the distance from zero.
        for (ball, double, value, least, most) in [
            (p.add(&mut cx, &q), d.add(&mut (), &e), x + y, a + b, a + b),
            (
                p.mul(&mut cx, &q),
                d.mul(&mut (), &e),
                x * y,
                f64::abs(x) * b + f64::abs(y) * a,
                f64::abs(x) * b + f64::abs(y) * a + a * b,
            ),
            (q.inverse(&mut cx), e.inverse(&mut ()), 1.0 / y, b / (near * f64::abs(y)), b / (near * near)),
        ] {
            let (ball, double) = (ball.unwrap(), double.unwrap());
            for (found, radius) in [(ball.value(), ball.radius()), (double.value, double.error)] {
                assert!((found - value).abs() < 1e-15, "{found} for {value}");
                assert!(
                    radius >= least * (1.0 - 1e-12) && radius <= most * (1.0 + 1e-12) + 1e-14,
                    "{radius}: {least} to {most}"
                );
            }
        }
    }
    let (four, ball) = (Bounded { value: 4.0, error: 0.5 }, Ball::exact(&cx, 4.0).unwrap().widened(0.5));
    for radius in [four.sqrt(&mut ()).unwrap().error, ball.sqrt(&mut cx).unwrap().radius()] {
        assert!((2.0 - f64::sqrt(3.5)..=0.2501).contains(&radius), "{radius}");
    }
}

#[test]
fn a_sign_is_known_where_the_bound_does_not_reach_zero() {
    let cx = Digits::new(192).unwrap();
    for (value, error, sign) in [
        (1.0, 0.5, Some(1)),
        (-1.0, 0.5, Some(-1)),
        (1.0, 1.5, None),
        (-1.0, 1.5, None),
        (0.0, 0.0, Some(0)),
        (0.0, 0.1, None),
    ] {
        let ball = Ball::exact(&cx, value).unwrap();
        let ball = if error > 0.0 { ball.widened(error) } else { ball };
        assert_eq!((Bounded { value, error }.sign(), ball.sign()), (sign, sign), "{value} ± {error}");
    }
}

#[test]
fn an_angle_is_known_off_the_cut_and_off_the_origin() {
    let mut cx = Digits::new(192).unwrap();
    for y in [-2.0, -0.3, 0.3, 2.0] {
        for x in [-2.0f64, -0.3, 0.3, 2.0] {
            let [dy, dx] = [y, x].map(|value| Bounded { value, error: 0.1 });
            let [by, bx] = [y, x].map(|value| Ball::exact(&cx, value).unwrap().widened(0.1));
            let (double, ball) = (dy.atan2(&mut (), &dx).unwrap(), by.atan2(&mut cx, &bx).unwrap());
            let corners = [(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)];
            let needed = corners
                .map(|(a, b)| (f64::atan2(y + a, x + b) - f64::atan2(y, x)).abs())
                .into_iter()
                .fold(0.0, f64::max);
            for (value, radius) in [(double.value, double.error), (ball.value(), ball.radius())] {
                assert!((value - f64::atan2(y, x)).abs() < 1e-14, "{y} {x}: {value}");
                assert!(radius >= needed * (1.0 - 1e-9) && radius < 6.0 * needed, "{y} {x}: {radius} for {needed}");
            }
        }
    }
    let of = |y: f64, dy: f64, x: f64, dx: f64| {
        Bounded { value: y, error: dy }.atan2(&mut (), &Bounded { value: x, error: dx })
    };
    assert!(of(0.0, 0.1, -1.0, 0.0).is_none() && of(0.1, 0.1, 0.1, 0.1).is_none() && of(0.1, 0.2, -0.2, 0.1).is_none());
    assert!(of(0.0, 0.1, 1.0, 0.0).is_some() && of(0.2, 0.1, -1.0, 0.0).is_some());
}

#[test]
fn every_operation_adds_its_own_rounding_to_what_it_inherits() {
    // The bound is at least what is inherited and half of the last digit, and at most a few last digits more.
    for (value, inherited) in [(1.0, 0.0), (-3.0, 0.0), (1.0, 1e6), (1e-3, 0.25), (-1e9, 1e-3), (0.0, 2.0)] {
        let error = Bounded::new(value, inherited).unwrap().error;
        let least = inherited + 0.5 * f64::EPSILON * f64::abs(value);
        let most = inherited * (1.0 + 10.0 * f64::EPSILON) + 10.0 * f64::EPSILON * f64::abs(value) + 1e-300;
        assert!(least <= error && error <= most, "{value}, {inherited}: {error}");
        assert!(inherited == 0.0 || error > inherited, "{value}, {inherited}: {error}");
    }
    assert_eq!(Bounded::new(f64::INFINITY, 0.0), None);
    assert_eq!(Bounded::new(1.0, f64::INFINITY), None);
    let bits = 256;
    let mut cx = Digits::new(bits).unwrap();
    let third = Ball::rational(&mut cx, &Rational::new(1, 3).unwrap()).unwrap();
    for (x, y) in [(1.0, 3.0), (-7.0, 0.1), (1e9, 1e-9)] {
        let (a, b) = (Ball::exact(&cx, x).unwrap(), Ball::exact(&cx, y).unwrap().mul(&mut cx, &third).unwrap());
        for z in [a.add(&mut cx, &b).unwrap(), a.mul(&mut cx, &b).unwrap(), b.inverse(&mut cx).unwrap()] {
            let last = 2f64.powi(-(bits as i32)) * z.value().abs();
            assert!(
                z.radius() >= 0.5 * last && z.radius() <= 1e4 * (last + 2f64.powi(-(bits as i32))),
                "{x} {y}: {z:?}"
            );
        }
    }
}

#[test]
fn whole_numbers_are_exact_as_long_as_they_fit_and_others_are_rounded() {
    let mut cx = Digits::new(256).unwrap();
    let whole = |k: i64| Rational::integer(k);
    for k in [0, 1, -7, (1 << 53) - 1, -(1 << 53) + 1] {
        assert_eq!(Bounded::rational(&mut (), &whole(k)), Some(Bounded { value: k as f64, error: 0.0 }), "{k}");
        let ball = Ball::rational(&mut cx, &whole(k)).unwrap();
        assert_eq!((ball.value(), ball.radius()), (k as f64, 0.0), "{k}");
    }
    for x in [whole((1 << 53) + 1), whole(i64::MAX), Rational::new(1, 3).unwrap(), Rational::new(-10, 7).unwrap()] {
        let double = Bounded::rational(&mut (), &x).unwrap();
        let truth = &Rational::from_f64(double.value).unwrap() - &x;
        assert!(double.error > 0.0 && truth.to_f64().abs() <= double.error, "{x}: {double:?}");
        assert!(double.error <= 10.0 * f64::EPSILON * double.value.abs(), "{x}: {double:?}");
        let ball = Ball::rational(&mut cx, &x).unwrap();
        assert!(ball.radius() > 0.0 && ball.radius() < 1e-70 * ball.value().abs(), "{x}: {ball:?}");
        assert!((ball.value() - double.value).abs() <= double.error, "{x}: {ball:?}");
    }
    // So long that one word after the other is read: (2²⁰⁰ + 1)/2²⁰⁰ − 1 = 2⁻²⁰⁰.
    let long = (num_bigint::BigInt::from(1) << 200u32) + 1;
    let x = Rational::from_big(long, num_bigint::BigInt::from(1) << 200u32).unwrap();
    for sign in [1.0, -1.0] {
        let x = if sign > 0.0 { x.clone() } else { -&x };
        let one = Ball::exact(&cx, -sign).unwrap();
        let rest = Ball::rational(&mut cx, &x).unwrap().add(&mut cx, &one).unwrap();
        assert!((rest.value() * sign - 2f64.powi(-200)).abs() <= rest.radius(), "{rest:?}");
        assert!(rest.radius() < 1e-3 * 2f64.powi(-200), "{rest:?}");
    }
}

#[test]
fn a_ball_as_a_floating_point_number_keeps_size_and_sign_over_the_whole_range() {
    let cx = Digits::new(192).unwrap();
    for x in [1.0, -1.5, 3.0, 0.1, -1e-300, 1e300, f64::MIN_POSITIVE, 1e-310, -5e-324, f64::MAX, 1.0 + f64::EPSILON] {
        assert_eq!(Ball::exact(&cx, x).unwrap().value(), x);
    }
    assert!(Ball::exact(&cx, f64::NAN).is_none() && Ball::exact(&cx, f64::INFINITY).is_none());
    // Beyond the range nothing is known.
    let mut cx = cx;
    let large = Ball::exact(&cx, f64::MAX).unwrap();
    assert!(large.mul(&mut cx, &large).is_none_or(|x| x.high().is_infinite()));
}

#[test]
fn functions_end_where_their_values_cannot_be_bounded() {
    use Function::*;
    let mut cx = Digits::new(192).unwrap();
    let mut value = |f: Function, x: f64| Ball::exact(&cx, x).unwrap().call(&mut cx, f).map(|b| b.value());
    for (f, inside, outside) in [(Sin, 9e17, 2e18), (Tan, 9e17, 2e18), (Exp, 699.0, 701.0), (Cosh, -699.0, -701.0)] {
        assert!(value(f, inside).is_some() && value(f, outside).is_none(), "{f:?}");
    }
    for (f, inside, outside) in [(Asin, 0.999, 1.0), (Acos, -0.999, -1.0), (Log, 1e-300, 0.0)] {
        assert!(value(f, inside).is_some() && value(f, outside).is_none(), "{f:?}");
    }
    // Sines and cosines that are asked for again are the same, and those of other numbers are not.
    for k in 0..120 {
        let x = f64::from(k % 60) / 7.0;
        for (f, expected) in [(Sin, x.sin()), (Cos, x.cos())] {
            assert!((value(f, x).unwrap() - expected).abs() < 1e-14, "{f:?} of {x}");
        }
    }
}

#[test]
fn an_interval_over_the_end_of_a_domain_has_no_value_in_either_kind() {
    use Function::*;
    let mut cx = Digits::new(192).unwrap();
    for (f, value, error) in
        [(Asin, 0.95, 0.1), (Asin, -0.95, 0.1), (Acos, 0.95, 0.1), (Acos, -0.95, 0.1), (Log, 0.05, 0.1)]
    {
        assert_eq!(Bounded { value, error }.call(&mut (), f), None, "{f:?} {value} ± {error}");
        let ball = Ball::exact(&cx, value).unwrap().widened(error);
        assert!(ball.call(&mut cx, f).is_none(), "{f:?} {value} ± {error}");
        let inside = Bounded { value, error: 0.01 };
        assert!(inside.call(&mut (), f).is_some(), "{f:?} {value} ± 0.01");
    }
    for value in [0.05, -0.05] {
        assert_eq!(Bounded { value, error: 0.1 }.inverse(&mut ()), None);
        assert!(Ball::exact(&cx, value).unwrap().widened(0.1).inverse(&mut cx).is_none());
    }
}
