//! Derivatives against exact dual numbers, and the gradient by reverse accumulation against both.

use noslip::expr::field::SplitMix;
use noslip::expr::{Arena, Expr, Node, Rational, Role, Symbol};
use std::collections::HashMap;

/// A value with its derivative: exact.
type Dual = (Rational, Rational);

fn power(base: &Dual, n: i32) -> Option<Dual> {
    let value = base.0.pow(n)?;
    let rate = &(&base.0.pow(n - 1)? * &Rational::integer(n.into())) * &base.1;
    Some((value, rate))
}

/// Evaluates with dual numbers; `None` at a pole.
fn dual(g: &Arena, e: Expr, at: &HashMap<Symbol, Dual>) -> Option<Dual> {
    let mut memo: HashMap<Expr, Dual> = HashMap::new();
    for c in g.reachable(&[e]) {
        let value = match g.node(c) {
            Node::Number(n) => (n.clone(), Rational::ZERO),
            Node::Symbol(s) => at[s].clone(),
            Node::Sum { constant, terms } => terms.iter().fold((constant.clone(), Rational::ZERO), |sum, (t, k)| {
                let x = &memo[t];
                (&sum.0 + &(&x.0 * k), &sum.1 + &(&x.1 * k))
            }),
            Node::Product { coefficient, factors } => {
                let mut product = (coefficient.clone(), Rational::ZERO);
                for (b, x) in factors {
                    let f = power(&memo[b], i32::try_from(x.to_i64()?).ok()?)?;
                    product = (&product.0 * &f.0, &(&product.1 * &f.0) + &(&product.0 * &f.1));
                }
                product
            }
            other => panic!("not generated: {other:?}"),
        };
        memo.insert(c, value);
    }
    Some(memo[&e].clone())
}

/// A random rational function of a few operations.
fn generate(g: &mut Arena, symbols: &[Symbol], random: &mut SplitMix) -> Expr {
    let mut pool: Vec<Expr> = symbols.iter().map(|&s| g.symbol(s)).collect();
    pool.push(g.fraction(random.below(9) as i64 - 4, 1 + random.below(4) as i64));
    for _ in 0..3 + random.below(6) {
        let (a, b) = (pool[random.below(pool.len() as u64) as usize], pool[random.below(pool.len() as u64) as usize]);
        let made = match random.below(5) {
            0 => g.add(a, b),
            1 => g.sub(a, b),
            2 => g.mul(a, b),
            3 => g.div(a, b),
            _ => g.powi(a, random.below(5) as i64 - 2),
        };
        if !g.is_undefined(made) {
            pool.push(made);
        }
    }
    pool[pool.len() - 1]
}

#[test]
fn derivatives_of_a_hundred_thousand_expressions_equal_dual_numbers() {
    let mut random = SplitMix::new(2026);
    let (mut compared, mut varying) = (0, 0);
    let mut g = Arena::new();
    let mut symbols = Vec::new();
    while compared < 100_000 {
        // A fresh arena now and then keeps the memory small.
        if compared % 2_000 == 0 || symbols.is_empty() {
            g = Arena::new();
            symbols = ["x", "y", "z"].map(|n| g.declare(n, Role::Coordinate)).to_vec();
        }
        let e = generate(&mut g, &symbols, &mut random);
        let point: Vec<Rational> = symbols
            .iter()
            .map(|_| Rational::new(random.below(19) as i64 - 9, 1 + random.below(5) as i64).unwrap())
            .collect();
        let gradient = g.gradient(e, &symbols);
        let mut pole = false;
        for (i, &s) in symbols.iter().enumerate() {
            let at = |rate: bool| -> HashMap<Symbol, Dual> {
                symbols
                    .iter()
                    .enumerate()
                    .map(|(j, &t)| (t, (point[j].clone(), if rate && i == j { Rational::ONE } else { Rational::ZERO })))
                    .collect()
            };
            let Some((_, exact)) = dual(&g, e, &at(true)) else {
                pole = true;
                break;
            };
            let derivative = g.diff(e, s);
            for found in [derivative, gradient[i]] {
                // A derivative may have a pole that cancels; then there is nothing to compare.
                if let Some((value, _)) = dual(&g, found, &at(false)) {
                    assert_eq!(value, exact, "{i}");
                    varying += usize::from(!exact.is_zero());
                }
            }
        }
        compared += usize::from(!pole);
    }
    assert!(varying > 100_000, "most derivatives do not vanish: {varying}");
}
