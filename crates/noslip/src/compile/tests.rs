//! The tape against a direct evaluation of the expressions, and the interpreters against each other.

use super::*;
use crate::expr::{Function, Node, Rational, Role};
use rustc_hash::FxHashMap;

/// A small deterministic generator of numbers (xorshift).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    /// Uniform in the interval.
    pub(super) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// Symbols x0, x1, …
pub(super) fn symbols(arena: &mut Arena, n: usize) -> Vec<Symbol> {
    (0..n).map(|i| arena.declare(&format!("x{i}"), Role::Coordinate)).collect()
}

/// Random expressions that share parts, built from everything the language has (with domains respected).
pub(super) fn random_expressions(arena: &mut Arena, inputs: &[Symbol], random: &mut Random, size: usize) -> Vec<Expr> {
    let mut pool: Vec<Expr> = inputs.iter().map(|&s| arena.symbol(s)).collect();
    for _ in 0..size {
        let a = pool[random.below(pool.len())];
        let b = pool[random.below(pool.len())];
        let c = pool[random.below(pool.len())];
        let k = Rational::new(random.below(13) as i64 - 6, 1 + random.below(4) as i64).unwrap();
        let two = arena.integer(2);
        let square = arena.square(a);
        let positive = arena.add(square, two);
        // Bounded arguments keep the values of deep expressions within reason.
        let bounded = arena.sin(a);
        let e = match random.below(16) {
            0 | 1 => arena.linear(k.clone(), [(a, k), (b, Rational::ONE), (c, Rational::MINUS_ONE)]),
            2 => arena.linear(Rational::ZERO, [(a, k.clone()), (b, k)]),
            3 | 4 => arena.product([a, b]),
            5 => {
                let p = arena.product([bounded, b, c]);
                arena.scale(p, &k)
            }
            6 => arena.div(b, positive),
            7 => arena.power(positive, &Rational::new(random.below(9) as i64 - 4, 2).unwrap()),
            8 => arena.power(positive, &Rational::new(-1, 3).unwrap()),
            9 => arena.powi(bounded, 1 + random.below(6) as i64),
            10 => {
                let f = [Function::Sin, Function::Cos, Function::Atan, Function::Tanh][random.below(4)];
                arena.call(f, a)
            }
            11 => {
                let f = [Function::Exp, Function::Sinh, Function::Cosh, Function::Abs, Function::Sign][random.below(5)];
                arena.call(f, bounded)
            }
            12 => {
                let half = arena.scale(bounded, &Rational::new(1, 2).unwrap());
                let f = [Function::Asin, Function::Acos, Function::Tan, Function::Sec][random.below(4)];
                arena.call(f, half)
            }
            13 => arena.call(Function::Log, positive),
            14 => arena.atan2(b, positive),
            _ => arena.pow(positive, bounded),
        };
        pool.push(e);
    }
    pool.split_off(inputs.len())
}

/// Each expression directly in floating point, with a bound of what rounding may have done to it.
pub(super) fn direct(arena: &Arena, roots: &[Expr], values: &FxHashMap<Symbol, f64>) -> Vec<(f64, f64)> {
    const EPS: f64 = f64::EPSILON;
    let mut done: FxHashMap<Expr, (f64, f64)> = FxHashMap::default();
    for e in arena.reachable(roots) {
        let through = |f: &dyn Fn(f64) -> f64, (x, dx): (f64, f64)| {
            let y = f(x);
            (y, (f(x + dx) - y).abs().max((f(x - dx) - y).abs()) + 4.0 * EPS * y.abs())
        };
        let value = match arena.node(e) {
            Node::Number(n) => (n.to_f64(), 0.0),
            Node::Symbol(s) if *s == arena.pi() => (std::f64::consts::PI, EPS),
            Node::Symbol(s) => (values[s], 0.0),
            Node::Sum { constant, terms } => {
                let mut sum = (constant.to_f64(), 0.0);
                let mut size = sum.0.abs();
                for (t, c) in terms {
                    let (x, dx) = done[t];
                    let c = c.to_f64();
                    sum = (sum.0 + c * x, sum.1 + c.abs() * dx);
                    size += (c * x).abs();
                }
                (sum.0, sum.1 + EPS * size * (terms.len() + 2) as f64)
            }
            Node::Product { coefficient, factors } => {
                let mut product = (coefficient.to_f64(), 0.0);
                for (f, exponent) in factors {
                    let n = exponent.to_f64();
                    let (x, dx) =
                        through(&|x: f64| if exponent.is_integer() { x.powi(n as i32) } else { x.powf(n) }, done[f]);
                    product =
                        (product.0 * x, product.1 * x.abs() + product.0.abs() * dx + 8.0 * EPS * (product.0 * x).abs());
                }
                product
            }
            Node::Power(a, b) => {
                let (x, dx) = through(&|x| x.powf(done[b].0), done[a]);
                (x, dx + through(&|y| done[a].0.powf(y), done[b]).1)
            }
            Node::Atan2(a, b) => {
                let (x, dx) = through(&|x| x.atan2(done[b].0), done[a]);
                (x, dx + through(&|y| done[a].0.atan2(y), done[b]).1)
            }
            Node::Call(f, a) => {
                let f: &dyn Fn(f64) -> f64 = match f {
                    Function::Sin => &f64::sin,
                    Function::Cos => &f64::cos,
                    Function::Tan => &f64::tan,
                    Function::Cot => &|x| 1.0 / x.tan(),
                    Function::Sec => &|x| 1.0 / x.cos(),
                    Function::Csc => &|x| 1.0 / x.sin(),
                    Function::Asin => &f64::asin,
                    Function::Acos => &f64::acos,
                    Function::Atan => &f64::atan,
                    Function::Sinh => &f64::sinh,
                    Function::Cosh => &f64::cosh,
                    Function::Tanh => &f64::tanh,
                    Function::Exp => &f64::exp,
                    Function::Log => &f64::ln,
                    Function::Abs => &f64::abs,
                    Function::Sign => &|x: f64| if x == 0.0 { 0.0 } else { x.signum() },
                };
                through(f, done[a])
            }
            Node::Table(..) | Node::Unspecified(..) | Node::Undefined => (f64::NAN, f64::NAN),
        };
        done.insert(e, value);
    }
    roots.iter().map(|e| done[e]).collect()
}

pub(super) fn point(inputs: &[Symbol], random: &mut Random) -> (Vec<f64>, FxHashMap<Symbol, f64>) {
    let x: Vec<f64> = inputs.iter().map(|_| random.real(-1.5, 1.5)).collect();
    let map = inputs.iter().copied().zip(x.iter().copied()).collect();
    (x, map)
}

#[test]
fn a_tape_gives_what_the_expressions_give() {
    let mut compared = 0;
    for seed in 1..=200 {
        let mut random = Random::new(seed);
        let mut arena = Arena::new();
        let inputs = symbols(&mut arena, 5);
        let roots = random_expressions(&mut arena, &inputs, &mut random, 40);
        let tape = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap();
        let (x, map) = point(&inputs, &mut random);
        let expected = direct(&arena, &roots, &map);
        for (i, (got, (want, bound))) in tape.evaluate(&x).into_iter().zip(expected).enumerate() {
            // A sign within rounding of zero, or a value beyond all bounds, says nothing.
            if !(want.is_finite() && bound < 1e-6 * want.abs().max(1.0)) {
                continue;
            }
            compared += 1;
            let allowed = 16.0 * bound + 1e-300;
            assert!((got - want).abs() <= allowed, "seed {seed}, output {i}: {got} and {want}, allowed {allowed:e}");
        }
    }
    assert!(compared > 7000, "only {compared} values were compared");
}

#[test]
fn a_program_compiled_as_it_stands_gives_what_the_expressions_give() {
    let mut compared = 0;
    for seed in 1..=60 {
        let mut random = Random::new(500 + seed);
        let mut arena = Arena::new();
        let inputs = symbols(&mut arena, 5);
        let roots = random_expressions(&mut arena, &inputs, &mut random, 40);
        let mut builder = TapeBuilder::new(&arena, &inputs, &CompileOptions::default()).unwrap();
        let values = builder.lower_as_it_stands(&arena, &roots).unwrap();
        let tape = builder.finish(&values).unwrap();
        let (x, map) = point(&inputs, &mut random);
        for (got, (want, bound)) in tape.evaluate(&x).into_iter().zip(direct(&arena, &roots, &map)) {
            if want.is_finite() && bound < 1e-6 * want.abs().max(1.0) {
                compared += 1;
                assert!((got - want).abs() <= 16.0 * bound + 1e-300, "seed {seed}: {got} and {want}");
            }
        }
    }
    assert!(compared > 2000, "only {compared} values were compared");
}

#[test]
fn folded_parameters_give_the_same_as_inputs() {
    for seed in 1..=60 {
        let mut random = Random::new(1000 + seed);
        let mut arena = Arena::new();
        let inputs = symbols(&mut arena, 6);
        let roots = random_expressions(&mut arena, &inputs, &mut random, 30);
        let (x, map) = point(&inputs, &mut random);
        let all = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap().evaluate(&x);
        let options = CompileOptions::with_parameters(inputs[3..].iter().copied().zip(x[3..].iter().copied()));
        let folded_tape = compile(&arena, &inputs[..3], &roots, &options).unwrap();
        let folded = folded_tape.evaluate(&x[..3]);
        for ((a, b), (want, bound)) in all.iter().zip(&folded).zip(direct(&arena, &roots, &map)) {
            if want.is_finite() && bound < 1e-6 * want.abs().max(1.0) {
                assert!((a - b).abs() <= 32.0 * bound + 1e-300, "seed {seed}: {a} and {b}");
            }
        }
    }
}

#[test]
fn a_symbol_without_a_value_is_named() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 2);
    let (x, y) = (arena.symbol(s[0]), arena.symbol(s[1]));
    let e = arena.mul(x, y);
    let error = compile(&arena, &s[..1], &[e], &CompileOptions::default()).unwrap_err();
    assert!(error.message.contains("`x1`"), "{error}");
}

#[test]
fn a_division_by_zero_among_constants_is_an_error_that_names_the_parameters() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 3);
    let x: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
    let difference = arena.sub(x[1], x[2]);
    let e = arena.div(x[0], difference);
    let options = CompileOptions::with_parameters([(s[1], 2.0), (s[2], 2.0)]);
    let error = compile(&arena, &s[..1], &[e], &options).unwrap_err();
    assert!(error.message.contains("finite") && error.message.contains("x1, x2"), "{error}");
}

#[test]
fn deep_chains_of_shared_expressions_compile_small() {
    // x ← x·x + 1, 64 deep: 2⁶⁴ paths, 64 instructions.
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 1);
    let mut e = arena.symbol(s[0]);
    let one = arena.one();
    for _ in 0..64 {
        let square = arena.mul(e, e);
        e = arena.add(square, one);
    }
    let tape = compile(&arena, &s, &[e], &CompileOptions::default()).unwrap();
    assert_eq!(tape.statistics().operations, 128);
    assert_eq!(tape.statistics().slots, 1);
    // Far deeper than any stack.
    let mut e = arena.symbol(s[0]);
    for _ in 0..100_000 {
        e = arena.sin(e);
        let shifted = arena.add(e, one);
        e = arena.mul(shifted, e);
    }
    let tape = compile(&arena, &s, &[e], &CompileOptions::default()).unwrap();
    assert!(tape.evaluate(&[0.3])[0].is_finite());
}

#[test]
fn sums_share_their_common_parts() {
    // Ten sums of a+b+c+d and one more: the four are added once.
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 14);
    let x: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
    let roots: Vec<Expr> = (4..14).map(|i| arena.sum([x[0], x[1], x[2], x[3], x[i]])).collect();
    let tape = compile(&arena, &s, &roots, &CompileOptions::default()).unwrap();
    assert_eq!(tape.statistics().operations, 3 + 10);
}

#[test]
fn wide_sums_and_products_compile_in_reasonable_time() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 3000);
    let x: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
    let squares: Vec<Expr> = x.iter().map(|&x| arena.square(x)).collect();
    let neighbours: Vec<Expr> = x.windows(2).map(|w| arena.mul(w[0], w[1])).collect();
    let wide = arena.sum(squares.into_iter().chain(neighbours).chain(x.iter().copied()));
    let half = arena.sum(x[..1500].iter().copied());
    let product = arena.product(x[1000..2000].iter().copied());
    let tape = compile(&arena, &s, &[wide, half, product], &CompileOptions::default()).unwrap();
    let point: Vec<f64> = (0..3000).map(|i| 1.0 + 1e-6 * f64::from(i)).collect();
    let got = tape.evaluate(&point);
    let want: f64 = point.iter().map(|x| x * x + x).sum::<f64>() + point.windows(2).map(|w| w[0] * w[1]).sum::<f64>();
    assert!((got[0] - want).abs() < 1e-12 * want, "{} {want}", got[0]);
    assert!((got[1] - point[..1500].iter().sum::<f64>()).abs() < 1e-12 * got[1]);
    assert!((got[2] - point[1000..2000].iter().product::<f64>()).abs() < 1e-12 * got[2]);
    // The sum of the first half is not computed twice.
    assert!(tape.statistics().operations < 5 * 3000 + 1000, "{:?}", tape.statistics());
}

#[test]
fn a_denominator_is_divided_by_once() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 5);
    let x: Vec<Expr> = s.iter().map(|&s| arena.symbol(s)).collect();
    let below = arena.add(x[0], x[1]);
    let roots: Vec<Expr> = (2..5).map(|i| arena.div(x[i], below)).collect();
    let tape = compile(&arena, &s, &roots, &CompileOptions::default()).unwrap();
    let divisions = tape.operations().iter().filter(|o| matches!(o, Operation::Binary(Binary::Div, ..))).count();
    assert_eq!(divisions, 1);
}

#[test]
fn slots_are_reused() {
    let mut random = Random::new(7);
    let mut arena = Arena::new();
    let inputs = symbols(&mut arena, 4);
    let roots = random_expressions(&mut arena, &inputs, &mut random, 400);
    let last = *roots.last().unwrap();
    let total = arena.sum([last, roots[380], roots[390]]);
    let tape = compile(&arena, &inputs, &[total], &CompileOptions::default()).unwrap();
    let statistics = tape.statistics();
    assert!(statistics.slots * 3 < statistics.instructions, "{statistics:?}");
}

#[test]
fn a_nan_injected_at_any_operation_is_reported_there() {
    let mut random = Random::new(11);
    let mut arena = Arena::new();
    let inputs = symbols(&mut arena, 4);
    let roots = random_expressions(&mut arena, &inputs, &mut random, 60);
    let tape = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap();
    let (x, _) = point(&inputs, &mut random);
    let mut runner = tape.runner();
    let mut outputs = vec![0.0; tape.output_count()];
    let mut seen = Vec::new();
    runner
        .run_observed(&x, &mut outputs, |operation, value| {
            seen.push(operation);
            value
        })
        .unwrap();
    assert!(seen.len() > tape.statistics().instructions);
    for &target in &seen {
        let fault = runner
            .run_observed(&x, &mut outputs, |operation, value| if operation == target { f64::NAN } else { value })
            .unwrap_err();
        assert_eq!(fault.operation, target);
        assert!(tape.describe(&fault).contains("not a number"));
        assert!(!tape.outputs_of(target).is_empty());
    }
}

#[test]
fn a_singular_state_is_reported_with_its_denominator() {
    let mut arena = Arena::new();
    let phi = arena.declare("phi", Role::Coordinate);
    let v = arena.declare("v", Role::Velocity);
    let (p, w) = (arena.symbol(phi), arena.symbol(v));
    let sin = arena.sin(p);
    let e = arena.div(w, sin);
    let tape = compile(&arena, &[phi, v], &[e], &CompileOptions::default()).unwrap();
    let mut runner = tape.runner();
    let fault = runner.run_checked(&[0.0, 1.0], &mut [0.0]).unwrap_err();
    assert_eq!(tape.describe(&fault), "`v/sin(phi)` is infinite (division by `sin(phi)`)");
    assert_eq!(runner.run_checked(&[f64::NAN, 1.0], &mut [0.0]).unwrap_err().operation.index(), 0);
    assert!(runner.run_checked(&[1.0, 1.0], &mut [0.0]).is_ok());
}

/// A table that is one cubic: x³ − 2x.
pub(super) struct Cubic;

impl TableFunctions for Cubic {
    fn evaluate(&self, _: crate::expr::TableId, derivative: u8, x: f64) -> f64 {
        match derivative {
            0 => x * x * x - 2.0 * x,
            1 => 3.0 * x * x - 2.0,
            2 => 6.0 * x,
            3 => 6.0,
            _ => 0.0,
        }
    }

    fn breakpoints(&self, _: crate::expr::TableId) -> Option<Vec<f64>> {
        Some(vec![-1.0, 0.0, 0.25, 1.0])
    }
}

#[test]
fn tables_are_evaluated_by_their_owner_and_missed_when_there_is_none() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 1);
    let table = arena.declare_table("i");
    let x = arena.symbol(s[0]);
    let e = arena.table(table, 1, x);
    let options = CompileOptions { tables: Some(std::sync::Arc::new(Cubic)), ..CompileOptions::default() };
    let tape = compile(&arena, &s, &[e], &options).unwrap();
    assert_eq!(tape.evaluate(&[2.0]), [10.0]);
    assert!(compile(&arena, &s, &[e], &CompileOptions::default()).unwrap_err().message.contains("`i`"));
}

#[test]
fn a_batch_gives_the_same_bits_as_single_states() {
    fn check<const LANES: usize>(tape: &Tape, random: &mut Random) {
        let mut inputs = vec![[0.0; LANES]; tape.input_count()];
        // Some arguments lie beyond the range of the polynomial sine.
        inputs.iter_mut().flatten().for_each(|x| {
            let scale = if random.below(50) == 0 { 1e4 } else { 1.5 };
            *x = random.real(-scale, scale);
        });
        let mut outputs = vec![[0.0; LANES]; tape.output_count()];
        tape.batch::<LANES>().run(&inputs, &mut outputs);
        let mut runner = tape.runner();
        let mut single = vec![0.0; tape.output_count()];
        for lane in 0..LANES {
            let x: Vec<f64> = inputs.iter().map(|row| row[lane]).collect();
            runner.run(&x, &mut single);
            for (one, row) in single.iter().zip(&outputs) {
                assert!(one.to_bits() == row[lane].to_bits() || (one.is_nan() && row[lane].is_nan()));
            }
        }
    }
    for seed in 1..=40 {
        let mut random = Random::new(500 + seed);
        let mut arena = Arena::new();
        let inputs = symbols(&mut arena, 5);
        let mut roots = random_expressions(&mut arena, &inputs, &mut random, 60);
        roots.push(arena.one());
        roots.push(arena.symbol(inputs[0]));
        let tape = compile(&arena, &inputs, &roots, &CompileOptions::default()).unwrap();
        check::<8>(&tape, &mut random);
        check::<32>(&tape, &mut random);
    }
}

/// Runs a program; `None` when the machine does not have it.
fn run(program: &str, arguments: &[&std::ffi::OsStr]) -> Option<(bool, String)> {
    let output = std::process::Command::new(program).args(arguments).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// Everything the language has, with a table, at a regular state.
fn exported(seed: u64) -> (Tape, Vec<f64>) {
    let mut random = Random::new(seed);
    let mut arena = Arena::new();
    let inputs = symbols(&mut arena, 5);
    let mut roots = random_expressions(&mut arena, &inputs, &mut random, 80);
    let table = arena.declare_table("current");
    let x = arena.symbol(inputs[0]);
    roots.extend((0..4).map(|d| arena.table(table, d, x)));
    roots.push(arena.one());
    let options = CompileOptions { tables: Some(std::sync::Arc::new(Cubic)), ..CompileOptions::default() };
    let tape = compile(&arena, &inputs, &roots, &options).unwrap();
    (tape, point(&inputs, &mut random).0)
}

#[test]
fn exported_c_passes_its_own_test_and_a_changed_one_fails_it() {
    let directory = std::env::temp_dir().join(format!("noslip-emit-c-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for seed in [1, 2, 3] {
        let (tape, x) = exported(seed);
        let source = tape.to_c("right hand-side", &x).unwrap();
        // The same with one sum turned into a difference: a test that cannot fail proves nothing.
        let target = source.lines().rev().find(|l| l.contains(" = v") && l.contains(" + ")).unwrap();
        let broken = source.replace(target, &target.replacen(" + ", " - ", 1));
        for (text, passes) in [(&source, true), (&broken, false)] {
            let (file, binary) = (directory.join("rhs.c"), directory.join("rhs"));
            std::fs::write(&file, text).unwrap();
            let arguments =
                ["-std=c99", "-Wall", "-Wno-unused", "-Werror", "-O1", "-DSELF_TEST", "-o"].map(std::ffi::OsStr::new);
            let arguments = [&arguments[..], &[binary.as_os_str(), file.as_os_str(), "-lm".as_ref()]].concat();
            let Some((compiled, messages)) = run("gcc", &arguments) else {
                eprintln!("no C compiler here: not tested");
                return;
            };
            assert!(compiled, "{messages}");
            let (ok, messages) = run(binary.to_str().unwrap(), &[]).unwrap();
            assert_eq!(ok, passes, "seed {seed}: {messages}");
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn exported_rust_passes_its_own_test() {
    let directory = std::env::temp_dir().join(format!("noslip-emit-rust-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (tape, x) = exported(4);
    let (file, binary) = (directory.join("rhs.rs"), directory.join("rhs"));
    std::fs::write(&file, tape.to_rust("rhs", &x).unwrap()).unwrap();
    let arguments = ["--test", "--edition=2021", "-Dwarnings", "-o"].map(std::ffi::OsStr::new);
    let arguments = [&arguments[..], &[binary.as_os_str(), file.as_os_str()]].concat();
    let Some((compiled, messages)) = run("rustc", &arguments) else {
        eprintln!("no Rust compiler here: not tested");
        return;
    };
    assert!(compiled, "{messages}");
    let (ok, messages) = run(binary.to_str().unwrap(), &[]).unwrap();
    assert!(ok && messages.contains("1 passed"), "{messages}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_self_test_at_a_singular_state_is_refused() {
    let mut arena = Arena::new();
    let s = symbols(&mut arena, 1);
    let x = arena.symbol(s[0]);
    let one = arena.one();
    let e = arena.div(one, x);
    let tape = compile(&arena, &s, &[e], &CompileOptions::default()).unwrap();
    assert!(tape.to_c("f", &[0.0]).unwrap_err().message.contains("division by `x0`"));
}
