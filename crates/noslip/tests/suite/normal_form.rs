//! The normal form on generated expressions: equal to what went in, and a fixed point.

use noslip::expr::field::SplitMix;
use noslip::expr::normal::{Normalizer, Options};
use noslip::expr::zero::{FieldEvaluator, FieldPoint, evaluate_with_error};
use noslip::expr::{Arena, Expr, Function, Printer, Rational, Role, Style, Symbol, Tree};
use noslip::{ErrorKind, Limits};

struct Generator {
    arena: Arena,
    symbols: Vec<Symbol>,
    rng: SplitMix,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut arena = Arena::new();
        let symbols = ["x", "y", "z", "a", "b"].map(|n| arena.declare(n, Role::Coordinate)).to_vec();
        Generator { arena, symbols, rng: SplitMix::new(seed) }
    }

    fn pick(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }

    fn leaf(&mut self) -> Expr {
        match self.pick(8) {
            0 => {
                let (n, d) = (self.pick(9) as i64 - 4, 1 + self.pick(3) as i64);
                self.arena.fraction(n, d)
            }
            i => {
                let s = self.symbols[i as usize % 5];
                self.arena.symbol(s)
            }
        }
    }

    /// A combination of symbols with rational coefficients, now and then with π.
    fn angle(&mut self) -> Expr {
        let mut terms = Vec::new();
        for _ in 0..1 + self.pick(2) {
            let i = self.pick(3) as usize;
            let s = self.symbols[i];
            let c = Rational::new(self.pick(7) as i64 - 3, 1 + self.pick(2) as i64).unwrap();
            terms.push((self.arena.symbol(s), c));
        }
        if self.pick(6) == 0 {
            let pi = self.arena.pi();
            terms.push((self.arena.symbol(pi), Rational::new(self.pick(13) as i64 - 6, 6).unwrap()));
        }
        self.arena.linear(Rational::ZERO, terms)
    }

    fn expression(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.pick(24) {
            0..=1 => self.leaf(),
            2..=6 => {
                let terms: Vec<(Expr, Rational)> = (0..2 + self.pick(2))
                    .map(|_| (self.expression(depth - 1), Rational::integer(self.pick(7) as i64 - 3)))
                    .collect();
                self.arena.linear(Rational::ZERO, terms)
            }
            7..=11 => {
                let factors: Vec<Expr> = (0..2 + self.pick(2)).map(|_| self.expression(depth - 1)).collect();
                self.arena.product(factors)
            }
            12..=13 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                self.arena.div(a, b)
            }
            14 => {
                let (e, n) = (self.expression(depth - 1), self.pick(5) as i64 - 2);
                self.arena.powi(e, n)
            }
            15..=20 => {
                use Function::*;
                let f = [Sin, Cos, Sin, Cos, Tan, Cot, Sec, Csc][self.pick(8) as usize];
                let x = if self.pick(12) == 0 { self.expression(1) } else { self.angle() };
                self.arena.call(f, x)
            }
            21 => {
                let e = self.expression(depth - 1);
                let q = [2, 2, 2, 3][self.pick(4) as usize];
                let n = 1 + self.pick(3) as i64;
                self.arena.power(e, &Rational::new(n, q).unwrap())
            }
            22 => {
                use Function::*;
                let f = [Exp, Sinh, Cosh, Tanh, Exp][self.pick(5) as usize];
                let x = self.angle();
                self.arena.call(f, x)
            }
            _ => {
                use Function::*;
                let f = [Abs, Sign, Log, Asin, Atan, Acos][self.pick(6) as usize];
                let x = self.expression(1);
                self.arena.call(f, x)
            }
        }
    }

    fn show(&self, e: Expr) -> String {
        let tree = Tree::of(&self.arena, e, &Limits::default()).unwrap();
        Printer::new(Style::Text).print(&self.arena, &tree)
    }

    /// Do the two agree at points of the field? `None` when no point could be used.
    fn agree_in_field(&mut self, a: Expr, b: Expr) -> Option<bool> {
        let evaluator = FieldEvaluator::new(&mut self.arena, &[a, b], &Options::default());
        let mut met = 0;
        for seed in 0..40 {
            let point = if seed % 2 == 0 { FieldPoint::new(seed) } else { FieldPoint::positive(seed) };
            if let Ok(v) = evaluator.at(&self.arena, &point) {
                if v[0] != v[1] {
                    return Some(false);
                }
                met += 1;
                if met == 2 {
                    break;
                }
            }
        }
        (met > 0).then_some(true)
    }

    /// Do the two agree at real points, within the errors? `None` when no point could be used.
    fn agree_in_reals(&mut self, a: Expr, b: Expr) -> Option<bool> {
        let difference = self.arena.sub(a, b);
        let mut met = 0;
        for attempt in 0..200 {
            let values: Vec<(Symbol, f64)> = (self.symbols.clone().into_iter())
                .map(|s| (s, (self.rng.below(256) as f64 + 1.0) / 64.0 * if attempt % 2 == 0 { 1.0 } else { -1.0 }))
                .collect();
            if let Some(v) = evaluate_with_error(&self.arena, difference, &values) {
                if v.value.abs() > v.error {
                    return Some(false);
                }
                met += 1;
            }
        }
        (met > 0).then_some(true)
    }
}

/// The arena grows, so it is renewed every so often.
fn run(expressions: u64, from: u64) -> [u64; 5] {
    let limits = Limits { normal_form_work: 400_000, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let [mut done, mut refused, mut in_field, mut in_reals, mut nowhere] = [0; 5];
    let mut g = Generator::new(from);
    for i in 0..expressions {
        if i % 500 == 0 {
            g = Generator::new(from + i);
        }
        let e = g.expression(3);
        if g.arena.is_undefined(e) {
            continue;
        }
        let mut normalizer = Normalizer::new(options.clone());
        let form = match normalizer.normalize(&mut g.arena, e) {
            Ok(form) => form,
            Err(error) => {
                assert!(matches!(error.kind, ErrorKind::Limit | ErrorKind::Computation), "{error}");
                refused += 1;
                continue;
            }
        };
        done += 1;
        let back = normalizer.to_expr(&mut g.arena, &form);
        match g.agree_in_field(e, back) {
            Some(true) => in_field += 1,
            // Positive numbers of the field are not closed under sums, so |x²+1| = x²+1 is not true there.
            _ => match g.agree_in_reals(e, back) {
                Some(agree) => {
                    assert!(agree, "{} became {}", g.show(e), g.show(back));
                    in_reals += 1;
                }
                None => nowhere += 1,
            },
        }
        let mut normalizer = Normalizer::new(options.clone());
        let again = match normalizer.normalize(&mut g.arena, back) {
            Ok(form) => form,
            Err(error) => panic!("{} has no form again: {error}", g.show(back)),
        };
        let again = normalizer.to_expr(&mut g.arena, &again);
        assert!(again == back, "{}\n  became {}\n  and then {}", g.show(e), g.show(back), g.show(again));
    }
    [done, refused, in_field, in_reals, nowhere]
}

#[test]
fn normal_form_is_idempotent_and_equal_to_its_input() {
    // Two halves of a hundred thousand, so that two cores share them.
    let halves = std::thread::scope(|scope| {
        let halves = [1, 1_000_000].map(|from| scope.spawn(move || run(50_000, from)));
        halves.map(|half| half.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    });
    for [done, refused, in_field, in_reals, nowhere] in halves {
        println!(
            "{done} done, {refused} refused, {in_field} equal in the field, {in_reals} in the reals, {nowhere} undefined"
        );
        assert!(done > 47_000 && refused < 500, "{done} done, {refused} refused");
        assert!(
            in_field > done - done / 50 && nowhere < 100,
            "{in_field} in the field, {in_reals} in the reals, {nowhere}"
        );
    }
}
