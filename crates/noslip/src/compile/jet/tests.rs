//! Series against known ones.

use super::*;
use crate::compile::tests::{Cubic, Random, random_expressions, symbols};
use crate::compile::{CompileOptions, compile};
use crate::expr::{Arena, Expr, Function, Rational, Role};

/// Coefficients of one expression of the time at t = `now`.
fn series(build: impl Fn(&mut Arena, Expr) -> Expr, now: f64, order: usize) -> Vec<f64> {
    let mut arena = Arena::new();
    let time = arena.time();
    let t = arena.symbol(time);
    let e = build(&mut arena, t);
    let options = CompileOptions { tables: Some(std::sync::Arc::new(Cubic)), ..CompileOptions::default() };
    let tape = compile(&arena, &[time], &[e], &options).unwrap();
    let mut jet = tape.jet::<1>(&[JetInput::Time], order).unwrap();
    jet.expand(&[[now]]).unwrap();
    jet.output(0).iter().map(|c| c[0]).collect()
}

fn close(got: &[f64], want: &[f64]) {
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        assert!((g - w).abs() <= 1e-14 * w.abs().max(0.1), "coefficient {k}: {g} and {w}");
    }
}

/// Σ over k of (α choose k) tᵏ.
fn binomial(alpha: f64, n: usize) -> Vec<f64> {
    let mut c = vec![1.0];
    (1..n).for_each(|k| c.push(c[k - 1] * (alpha - k as f64 + 1.0) / k as f64));
    c
}

fn call(f: Function) -> impl Fn(&mut Arena, Expr) -> Expr {
    move |arena, t| arena.call(f, t)
}

#[test]
fn functions_have_their_known_series() {
    let factorial = |k: usize| (1..=k).map(|i| i as f64).product::<f64>();
    let from = |f: &dyn Fn(usize) -> f64| (0..12).map(f).collect::<Vec<f64>>();
    let odd = |k: usize| k % 2 == 1;
    let alternating = |k: usize| if (k / 2).is_multiple_of(2) { 1.0 } else { -1.0 };
    close(&series(call(Function::Exp), 0.0, 11), &from(&|k| 1.0 / factorial(k)));
    close(&series(call(Function::Sin), 0.0, 11), &from(&|k| if odd(k) { alternating(k) / factorial(k) } else { 0.0 }));
    close(&series(call(Function::Cos), 0.0, 11), &from(&|k| if odd(k) { 0.0 } else { alternating(k) / factorial(k) }));
    close(&series(call(Function::Sinh), 0.0, 11), &from(&|k| if odd(k) { 1.0 / factorial(k) } else { 0.0 }));
    close(&series(call(Function::Cosh), 0.0, 11), &from(&|k| if odd(k) { 0.0 } else { 1.0 / factorial(k) }));
    let tan = [0.0, 1.0, 0.0, 1.0 / 3.0, 0.0, 2.0 / 15.0, 0.0, 17.0 / 315.0, 0.0, 62.0 / 2835.0];
    close(&series(call(Function::Tan), 0.0, 9), &tan);
    let tanh: Vec<f64> = tan.iter().enumerate().map(|(k, c)| c * alternating(k)).collect();
    close(&series(call(Function::Tanh), 0.0, 9), &tanh);
    let atan = from(&|k| if odd(k) { alternating(k) / k as f64 } else { 0.0 });
    close(&series(call(Function::Atan), 0.0, 11), &atan);
    close(
        &series(
            |arena, t| {
                let one = arena.one();
                arena.atan2(t, one)
            },
            0.0,
            11,
        ),
        &atan,
    );
    let asin = [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0, 5.0 / 112.0, 0.0, 35.0 / 1152.0];
    close(&series(call(Function::Asin), 0.0, 9), &asin);
    let acos: Vec<f64> =
        asin.iter().enumerate().map(|(k, c)| if k == 0 { std::f64::consts::FRAC_PI_2 } else { -c }).collect();
    close(&series(call(Function::Acos), 0.0, 9), &acos);
    let log = from(&|k| if k == 0 { 0.0 } else { if odd(k) { 1.0 / k as f64 } else { -1.0 / k as f64 } });
    close(&series(call(Function::Log), 1.0, 11), &log);
    for (n, d) in [(1, 2), (-1, 2), (1, 3), (-2, 5), (-1, 1), (5, 1), (3, 2), (1, 4), (100, 1)] {
        let exponent = Rational::new(n, d).unwrap();
        close(&series(|arena, t| arena.power(t, &exponent), 1.0, 11), &binomial(n as f64 / d as f64, 12));
    }
    // (1+t)^t = 1 + t² − t³/2 + 5t⁴/6 − 3t⁵/4 + …
    let power = |arena: &mut Arena, t: Expr| {
        let one = arena.one();
        let base = arena.add(one, t);
        arena.pow(base, t)
    };
    close(&series(power, 0.0, 5), &[1.0, 0.0, 1.0, -0.5, 5.0 / 6.0, -0.75]);
    // |t| before and after its corner.
    close(&series(call(Function::Abs), -2.0, 3), &[2.0, -1.0, 0.0, 0.0]);
    close(&series(call(Function::Sign), -2.0, 3), &[-1.0, 0.0, 0.0, 0.0]);
    // The table is x³ − 2x; its argument here is t².
    let table = |arena: &mut Arena, t: Expr| {
        let i = arena.declare_table("i");
        let square = arena.square(t);
        arena.table(i, 0, square)
    };
    close(&series(table, 1.0, 7), &[-1.0, 2.0, 13.0, 20.0, 15.0, 6.0, 1.0, 0.0]);
}

#[test]
fn differential_equations_have_their_known_solutions() {
    // x' = v, v' = −x, z' = 1 + z² from (0, 1, 0): sine, cosine and tangent; two lanes, the second at rest.
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 3);
    let e: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
    let minus = arena.neg(e[0]);
    let square = arena.square(e[2]);
    let one = arena.one();
    let rate = arena.add(square, one);
    let tape = compile(&arena, &s, &[e[1], minus, rate], &CompileOptions::default()).unwrap();
    let roles = [JetInput::State(0), JetInput::State(1), JetInput::State(2)];
    let mut jet = tape.jet::<2>(&roles, 30).unwrap();
    jet.expand(&[[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]).unwrap();
    let mut later = [[0.0; 2]; 3];
    jet.inputs_at(&[0.25, 0.125], &mut later);
    assert!((later[0][0] - 0.25f64.sin()).abs() < 2e-16 && later[0][1] == 0.0);
    assert!((later[1][0] - 0.25f64.cos()).abs() < 2e-16);
    assert!((later[2][0] - 0.25f64.tan()).abs() < 2e-16 && (later[2][1] - 0.125f64.tan()).abs() < 2e-16);
}

#[test]
fn a_series_of_anything_agrees_with_the_tape_a_moment_later() {
    let mut compared = 0;
    for seed in 1..=60 {
        let mut random = Random::new(3000 + seed);
        let mut arena = Arena::new();
        let inputs = symbols(&mut arena, 4);
        let mut roots = random_expressions(&mut arena, &inputs, &mut random, 25);
        let count = roots.len();
        // Inputs move at constant rates, except the last, which stands still.
        roots.extend((0..3).map(|_| arena.fraction(random.below(7) as i64 - 3, 4)));
        let tape = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap();
        let roles =
            [JetInput::State(count), JetInput::State(count + 1), JetInput::State(count + 2), JetInput::Constant];
        let mut jet = tape.jet::<1>(&roles, 14).unwrap();
        let now: Vec<[f64; 1]> = (0..4).map(|_| [random.real(0.2, 1.2)]).collect();
        if jet.expand(&now).is_err() {
            continue;
        }
        let h = 0.01;
        let mut then = vec![[0.0]; 4];
        jet.inputs_at(&[h], &mut then);
        let point: Vec<f64> = then.iter().map(|x| x[0]).collect();
        for (j, want) in tape.evaluate(&point).into_iter().enumerate() {
            let c = jet.output(j);
            let size = c.iter().enumerate().map(|(k, c)| c[0].abs() * h.powi(k as i32)).fold(0.0, f64::max);
            // Only where the series has converged at all.
            if !size.is_finite() || c[14][0].abs() * h.powi(14) > 1e-13 * size {
                continue;
            }
            let got = c.iter().rev().fold(0.0, |sum, c| sum * h + c[0]);
            compared += 1;
            assert!((got - want).abs() <= 1e-8 * size, "seed {seed}, output {j}: {got} and {want}");
        }
    }
    assert!(compared > 800, "only {compared} values were compared");
}

#[test]
fn functions_without_a_series_are_named() {
    let mut arena = Arena::new();
    let time = arena.time();
    let t = arena.symbol(time);
    let x = arena.declare("x", Role::Parameter);
    let root = arena.sqrt(t);
    let corner = arena.call(Function::Abs, t);
    for (e, word) in [(root, "sqrt(t)"), (corner, "abs")] {
        let tape = compile(&arena, &[time, x], &[e], &CompileOptions::default()).unwrap();
        let mut jet = tape.jet::<1>(&[JetInput::Time, JetInput::Constant], 3).unwrap();
        assert!(jet.expand(&[[1.0], [0.0]]).is_ok());
        let error = jet.expand(&[[0.0], [0.0]]).unwrap_err();
        assert!(error.message.contains(word), "{error}");
    }
}
