//! Points of the prime field that lie on equations: what can be is drawn, the rest follows one symbol after the other.

use super::{FieldEvaluator, FieldPoint};
use crate::expr::field::Fp;
use crate::expr::normal::Options;
use crate::expr::simplify;
use crate::expr::{Arena, Expr, Symbol};
use crate::limits::Limits;

/// How one symbol follows from those drawn before it: a root of a polynomial with these coefficients, lowest first. With one
/// coefficient only there is nothing to solve for and it must be zero.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is solved for.
    pub symbol: Symbol,
    /// Of the polynomial, lowest first.
    pub coefficients: FieldEvaluator,
}

/// Gives the symbols of the steps their values at a point, one after the other; `None` where one has none there.
pub fn solve_steps(g: &Arena, point: &mut FieldPoint, steps: &[Step]) -> Option<()> {
    for step in steps {
        let c = step.coefficients.at(g, point).ok()?;
        match c[..] {
            // Nothing to solve for: an equation that must follow from those before.
            [c] if c.is_zero() => {}
            [_] => return None,
            _ => point.set(step.symbol, root_of(&c)?),
        }
    }
    Some(())
}

/// An order in which each equation is solved for one symbol that occurs in no equation solved before it. From an equation that
/// finds none left the solved symbols are eliminated, and it comes first; where that leads to nothing it must follow from the
/// others, and is checked at every draw. `None` when an equation is of higher degree than two in every symbol it could be
/// solved for.
pub fn triangular(g: &mut Arena, mut open: Vec<Expr>, symbols: &[Symbol], limits: &Limits) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    // In the order of solving, with what each is solved for.
    let mut done: Vec<(Expr, Symbol)> = Vec::new();
    while !open.is_empty() {
        // (choices left, degree, position from the end): authors put dependent coordinates last.
        let mut best: Option<((usize, u32, usize), usize, Symbol)> = None;
        let mut stuck = None;
        for (j, &e) in open.iter().enumerate() {
            let free: Vec<usize> = (0..symbols.len())
                .filter(|&i| g.depends_on(e, symbols[i]) && !done.iter().any(|&(d, _)| g.depends_on(d, symbols[i])))
                .collect();
            if free.is_empty() {
                stuck = Some(j);
                break;
            }
            for &i in &free {
                if let Some(degree @ 1..=2) = g.degree(e, &[symbols[i]]) {
                    let rank = (free.len(), degree, symbols.len() - i);
                    if best.is_none_or(|(r, _, _)| rank < r) {
                        best = Some((rank, j, symbols[i]));
                    }
                }
            }
        }
        if let Some(j) = stuck {
            let e = open.remove(j);
            match eliminated(g, e, &done, limits).and_then(|e| Some((e, solvable(g, e, symbols)?))) {
                Some((e, symbol)) => {
                    let coefficients = g.coefficients(e, symbol)?;
                    steps.insert(0, Step { symbol, coefficients: evaluator(g, &coefficients) });
                    done.insert(0, (e, symbol));
                }
                None => steps.push(Step { symbol: g.time(), coefficients: evaluator(g, &[e]) }),
            }
            continue;
        }
        let (_, j, symbol) = best?;
        let e = open.remove(j);
        let coefficients = g.coefficients(e, symbol)?;
        steps.push(Step { symbol, coefficients: evaluator(g, &coefficients) });
        done.push((e, symbol));
    }
    Some(steps)
}

/// An equation with the symbols that others are solved for eliminated, the last solved first: from a·s + b = 0 and
/// Σ c_k sᵏ = 0 follows Σ c_k (−b)ᵏ a^(d−k) = 0. `None` when one of them occurs and is no rational function of the rest.
fn eliminated(g: &mut Arena, mut e: Expr, solved: &[(Expr, Symbol)], limits: &Limits) -> Option<Expr> {
    for &(by, s) in solved.iter().rev() {
        if !g.depends_on(e, s) {
            continue;
        }
        let [b, a] = g.coefficients(by, s)?[..] else { return None };
        let c = g.coefficients(e, s)?;
        let (minus, degree) = (g.neg(b), c.len() as i64 - 1);
        let terms: Vec<Expr> = (0i64..)
            .zip(c)
            .map(|(k, c)| {
                let (b, a) = (g.powi(minus, k), g.powi(a, degree - k));
                g.product([c, b, a])
            })
            .collect();
        e = g.sum(terms);
        e = simplify(g, e, limits);
    }
    Some(e)
}

/// The symbol an equation is best solved for by at most a square root; the last one if there are several.
fn solvable(g: &Arena, e: Expr, symbols: &[Symbol]) -> Option<Symbol> {
    let occurring = symbols.iter().rev().filter(|&&s| g.depends_on(e, s));
    let degrees = occurring.filter_map(|&s| g.degree(e, &[s]).filter(|d| *d <= 2).map(|d| (d, s)));
    degrees.min_by_key(|&(d, _)| d).map(|(_, s)| s)
}

fn evaluator(g: &mut Arena, expressions: &[Expr]) -> FieldEvaluator {
    FieldEvaluator::new(g, expressions, &Options::default())
}

/// A root of the polynomial with these coefficients, of degree one or two.
fn root_of(c: &[Fp]) -> Option<Fp> {
    match c {
        [c0, c1] => Some(-*c0 * c1.inverse()?),
        [c0, c1, c2] if c2.is_zero() => Some(-*c0 * c1.inverse()?),
        [c0, c1, c2] => {
            let discriminant = *c1 * *c1 - Fp::new(4) * *c0 * *c2;
            Some((discriminant.sqrt()? - *c1) * (*c2 + *c2).inverse()?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, Role, parse_expression};

    /// Equations of x, y, z and a parameter; the symbols they may be solved for.
    fn system(equations: &[&str]) -> (Arena, Vec<Expr>, Vec<Symbol>) {
        let mut g = Arena::new();
        let symbols = ["x", "y", "z"].map(|name| g.declare(name, Role::Coordinate)).to_vec();
        g.declare("a", Role::Parameter);
        let read = |text: &&str| parse_expression(&mut g, text, &mut Declared, &Limits::default()).unwrap();
        let list = equations.iter().map(read).collect();
        (g, list, symbols)
    }

    #[test]
    fn points_that_follow_one_symbol_after_the_other_lie_on_the_equations() {
        for (equations, solved) in [
            (&["x^2 + y^2 - 1"][..], "y"),
            (&["x - 3*y + a*z - 2"], "z"),
            (&["x^3 + 2*y - a"], "y"),
            (&["x^2 + y^3 - a"], "x"),
            // The one with fewer choices first; then what it leaves.
            (&["x + y + z - a", "x*y - 2"], "yz"),
            (&["x^2 + y^2 + z^2 - a", "z - x"], "zy"),
            // Nothing is left to solve the second for: what the first is solved for is eliminated, and it comes first.
            (&["a*x - y - 1", "x*y - 2*a"], "xy"),
        ] {
            let (mut g, list, symbols) = system(equations);
            let steps = triangular(&mut g, list.clone(), &symbols, &Limits::default()).expect("an order");
            let names: String = steps.iter().map(|s| g.name(s.symbol)).collect();
            assert_eq!(names, solved, "{equations:?}");
            let all = evaluator(&mut g, &list);
            let mut found = 0;
            for seed in 0..20 {
                let mut point = FieldPoint::new(seed);
                if solve_steps(&g, &mut point, &steps).is_some() {
                    assert!(all.at(&g, &point).unwrap().iter().all(|v| v.is_zero()), "{equations:?}, {seed}");
                    found += 1;
                }
            }
            assert!(found >= 4, "{equations:?}: {found}");
        }
    }

    #[test]
    fn an_equation_that_follows_is_checked_and_one_that_contradicts_leaves_no_point() {
        for (equations, points) in [(["x - y", "2*x - 2*y"], true), (["x - y", "x - y - 1"], false)] {
            let (mut g, list, symbols) = system(&equations);
            let steps = triangular(&mut g, list, &symbols[..2], &Limits::default()).expect("an order");
            assert_eq!(steps.len(), 2);
            let drawn = (0..10).filter(|&seed| solve_steps(&g, &mut FieldPoint::new(seed), &steps).is_some()).count();
            assert_eq!(drawn, if points { 10 } else { 0 }, "{equations:?}");
        }
        // A cubic in all it could be solved for.
        let (mut g, list, symbols) = system(&["x^3 + y^3 - 1"]);
        assert!(triangular(&mut g, list, &symbols, &Limits::default()).is_none());
    }

    #[test]
    fn roots_of_polynomials_of_first_and_second_degree_are_roots() {
        let c = |list: &[i64]| list.iter().map(|&n| Fp::from_i64(n)).collect::<Vec<_>>();
        let value = |c: &[Fp], x: Fp| c.iter().rev().fold(Fp::ZERO, |sum, &c| sum * x + c);
        for list in [c(&[6, 3]), c(&[-7, 2]), c(&[6, 3, 0]), c(&[2, -3, 1]), c(&[-10, 3, 1]), c(&[-15, 7, 2])] {
            let x = root_of(&list).expect("a root");
            assert!(value(&list, x).is_zero(), "{list:?}");
        }
        assert_eq!(root_of(&c(&[6, 3])), Some(Fp::from_i64(-2)));
        assert_eq!(root_of(&c(&[1, 0])), None);
        assert_eq!(root_of(&c(&[1])), None);
        // x² = −1 has no root in the field, nor among the numbers.
        assert_eq!(root_of(&c(&[1, 0, 1])), None);
    }
}
