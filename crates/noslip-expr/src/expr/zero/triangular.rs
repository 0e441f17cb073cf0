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
