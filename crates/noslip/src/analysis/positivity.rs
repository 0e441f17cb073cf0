//! Signs that can be read off: sums of squares, and lower bounds with sines and cosines between −1 and 1.

use super::candidates::{Term, expand, is_constant};
use super::rank_drop::RankDrop;
use crate::expr::{Arena, Assignment, Expr, Function, Node, Rational};
use crate::model::System;

/// Bases with their exponents.
type Factors = Vec<(Expr, Rational)>;

/// Tells where an expression that is not negative vanishes, with the parameters at their values.
pub struct Signs {
    values: Assignment,
}

impl Signs {
    /// Takes the parameters' values.
    pub fn new(g: &Arena, system: &System) -> Signs {
        let mut values = Assignment::new();
        // Values may refer to each other in any order: as many rounds as there are parameters settle them.
        for _ in 0..system.parameters.len().min(8) {
            for p in &system.parameters {
                let value = g.evaluate(&[p.value], &values).first().copied().unwrap_or(f64::NAN);
                values.set(p.symbol, value);
            }
        }
        Signs { values }
    }

    /// Where the expression vanishes.
    pub fn zeros(&self, g: &mut Arena, e: Expr) -> RankDrop {
        let factors = self.vanishing_factors(g, e).unwrap_or_default();
        let mut left: Vec<Vec<Expr>> = Vec::new();
        for base in factors {
            let squares = self.squares(g, base).unwrap_or_else(|| vec![base]);
            if !squares.is_empty() {
                left.push(squares);
            }
        }
        match &mut left[..] {
            [] => RankDrop::Never,
            [all] if all.len() > 1 => RankDrop::WhereAll(std::mem::take(all)),
            many => {
                let bases: Vec<Expr> = many.iter().flatten().copied().collect();
                RankDrop::Where(g.product(bases))
            }
        }
    }

    /// A product vanishes where a factor does: the factors that can. `None` when it is zero everywhere, with the
    /// parameters at their values.
    pub fn vanishing_factors(&self, g: &mut Arena, e: Expr) -> Option<Vec<Expr>> {
        let factors: Vec<(Expr, Rational)> = match g.node(e) {
            Node::Product { factors, .. } => factors.to_vec(),
            _ => vec![(e, Rational::ONE)],
        };
        let mut left = Vec::new();
        for (base, exponent) in factors {
            if is_constant(g, base) {
                if g.evaluate(&[base], &self.values).first() == Some(&0.0) {
                    return None;
                }
            } else if !exponent.is_negative() && !self.never_vanishes(g, base) {
                left.push(base);
            }
        }
        Some(left)
    }

    /// The terms of a sum as they stand.
    fn terms(g: &Arena, e: Expr) -> Vec<Term> {
        let term = |e: Expr, c: &Rational| match g.node(e) {
            Node::Product { coefficient, factors } => Term { coefficient: coefficient * c, factors: factors.to_vec() },
            _ => Term { coefficient: c.clone(), factors: vec![(e, Rational::ONE)] },
        };
        match g.node(e) {
            Node::Sum { constant, terms } => {
                let mut list: Vec<Term> = terms.iter().map(|(t, c)| term(*t, c)).collect();
                list.push(Term { coefficient: constant.clone(), factors: Vec::new() });
                list
            }
            _ => vec![term(e, &Rational::ONE)],
        }
    }

    /// The constant factor of a term in numbers, and what varies.
    fn weigh(&self, g: &mut Arena, term: Term) -> Option<(f64, Factors)> {
        let mut weight = term.coefficient.to_f64();
        let mut varying = Vec::new();
        for (base, exponent) in term.factors {
            if is_constant(g, base) {
                let factor = g.power(base, &exponent);
                weight *= g.evaluate(&[factor], &self.values).first().copied()?;
            } else {
                varying.push((base, exponent));
            }
        }
        weight.is_finite().then_some((weight, varying))
    }

    /// Is the expression certainly never zero: everywhere positive, or everywhere negative?
    pub fn never_vanishes(&self, g: &mut Arena, e: Expr) -> bool {
        let minus = g.neg(e);
        self.is_positive(g, e) || self.is_positive(g, minus)
    }

    /// Is the expression certainly positive? Equal terms are collected, then each is bounded from below.
    pub fn is_positive(&self, g: &mut Arena, e: Expr) -> bool {
        [Signs::terms(g, e), expand(g, e)].into_iter().any(|terms| {
            let Some(collected) = self.collect(g, terms) else { return false };
            let (bound, size) = lower_bound(g, &collected);
            // Exponentials come as near to zero as they like, and never reach it.
            let strictly = |(_, weight, varying): &(Expr, f64, Factors)| {
                let exponential = |(b, _): &(Expr, Rational)| matches!(g.node(*b), Node::Call(Function::Exp, _));
                *weight > 0.0 && !varying.is_empty() && varying.iter().all(exponential)
            };
            bound > 1e-9 * size || (bound >= 0.0 && collected.iter().any(strictly)) || definite(g, &collected)
        })
    }

    /// Do the expressions certainly have values for all real numbers: no root or logarithm of what may be negative, no pole?
    pub fn have_values_everywhere(&self, g: &mut Arena, list: &[Expr]) -> bool {
        g.reachable(list).into_iter().filter(|&e| !is_constant(g, e)).collect::<Vec<_>>().into_iter().all(|e| {
            match g.node(e).clone() {
                Node::Product { factors, .. } => {
                    factors.iter().all(|(base, k)| match (k.is_integer(), k.is_negative()) {
                        (true, false) => true,
                        (true, true) => is_constant(g, *base) || self.never_vanishes(g, *base),
                        (false, negative) => {
                            is_constant(g, *base)
                                || self.is_positive(g, *base)
                                || (!negative && self.squares(g, *base).is_some())
                        }
                    })
                }
                Node::Call(Function::Log, x) => self.is_positive(g, x),
                Node::Call(f, _) => !matches!(
                    f,
                    Function::Tan | Function::Cot | Function::Sec | Function::Csc | Function::Asin | Function::Acos
                ),
                Node::Power(base, _) => self.is_positive(g, base),
                _ => true,
            }
        })
    }

    /// Monomials with their weights.
    fn collect(&self, g: &mut Arena, terms: Vec<Term>) -> Option<Vec<(Expr, f64, Factors)>> {
        let mut collected: Vec<(Expr, f64, Factors)> = Vec::new();
        for term in terms {
            let (weight, varying) = self.weigh(g, term)?;
            let monomial = g.powers(Rational::ONE, varying.clone());
            match collected.iter_mut().find(|(m, ..)| *m == monomial) {
                Some((_, sum, _)) => *sum += weight,
                None => collected.push((monomial, weight, varying)),
            }
        }
        Some(collected)
    }

    /// For a sum of even powers with positive weights: the bases, which must all vanish where it does. `None` when it is
    /// no such sum.
    pub fn squares(&self, g: &mut Arena, e: Expr) -> Option<Vec<Expr>> {
        let mut bases = Vec::new();
        for term in Signs::terms(g, e) {
            let (weight, varying) = self.weigh(g, term)?;
            if weight == 0.0 {
                continue;
            }
            if weight < 0.0 || varying.iter().any(|(_, k)| k.to_i64().is_none_or(|k| k.rem_euclid(2) != 0)) {
                return None;
            }
            let base = g.product(varying.into_iter().map(|(b, _)| b).collect::<Vec<_>>());
            if !bases.contains(&base) {
                bases.push(base);
            }
        }
        Some(bases)
    }
}

/// The sum is nowhere below the first, −∞ when nothing is known; the second is the size of what was added up, against which its
/// rounding is small.
fn lower_bound(g: &Arena, collected: &[(Expr, f64, Factors)]) -> (f64, f64) {
    let (mut bound, mut size) = (0.0, 0.0);
    for (_, weight, varying) in collected.iter().filter(|(_, weight, _)| *weight != 0.0) {
        let (low, high) = varying.iter().fold((1.0, 1.0), |range, (b, k)| times(range, range_of(g, *b, k)));
        let least = if *weight >= 0.0 { weight * low } else { weight * high };
        bound += least;
        size += least.abs();
    }
    if bound.is_nan() { (f64::NEG_INFINITY, size) } else { (bound, size) }
}

/// Is it a polynomial of second degree that is positive everywhere: is the matrix of its coefficients in (1, u₁, …) positive
/// definite?
fn definite(g: &Arena, collected: &[(Expr, f64, Factors)]) -> bool {
    let mut letters: Vec<Expr> = Vec::new();
    for (_, _, varying) in collected {
        for (b, k) in varying {
            if !matches!(g.node(*b), Node::Symbol(_) | Node::Call(..)) || !matches!(k.to_i64(), Some(1 | 2)) {
                return false;
            }
            if !letters.contains(b) {
                letters.push(*b);
            }
        }
    }
    let n = letters.len() + 1;
    if letters.is_empty() || n > 12 {
        return false;
    }
    let mut matrix = vec![vec![0.0; n]; n];
    for (_, weight, varying) in collected {
        let places: Vec<usize> = varying
            .iter()
            .flat_map(|(b, k)| {
                let place = letters.iter().position(|l| l == b).map_or(0, |i| i + 1);
                std::iter::repeat_n(place, if *k == Rational::ONE { 1 } else { 2 })
            })
            .collect();
        let (i, j) = match places[..] {
            [] => (0, 0),
            [i] => (0, i),
            [i, j] => (i, j),
            _ => return false,
        };
        matrix[i][j] += weight / 2.0;
        matrix[j][i] += weight / 2.0;
    }
    // Cholesky's factors exist, and no pivot is near zero.
    for k in 0..n {
        let pivot = matrix[k][k];
        let size: f64 = matrix.iter().flatten().fold(0.0, |m, x| m.max(x.abs()));
        if pivot.is_nan() || pivot <= 1e-9 * size.max(1e-9) {
            return false;
        }
        for i in k + 1..n {
            let factor = matrix[i][k] / pivot;
            for j in k..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
        }
    }
    true
}

/// The range of baseᵏ: what is known of sines, cosines, squares, exponentials and roots.
fn range_of(g: &Arena, base: Expr, k: &Rational) -> (f64, f64) {
    let even = k.to_i64().is_some_and(|k| k.rem_euclid(2) == 0);
    match g.node(base) {
        Node::Call(Function::Sin | Function::Cos, _) if !k.is_negative() && k.is_integer() => {
            if even {
                (0.0, 1.0)
            } else {
                (-1.0, 1.0)
            }
        }
        Node::Call(Function::Exp, _) => (0.0, f64::INFINITY),
        Node::Call(Function::Tanh | Function::Sign, _) if !k.is_negative() && k.is_integer() => {
            (if even { 0.0 } else { -1.0 }, 1.0)
        }
        Node::Call(Function::Atan, _) if *k == Rational::ONE => {
            (-std::f64::consts::FRAC_PI_2 * (1.0 + 1e-15), std::f64::consts::FRAC_PI_2 * (1.0 + 1e-15))
        }
        Node::Call(Function::Cosh, _) => {
            if k.is_negative() {
                (0.0, 1.0)
            } else {
                (1.0, f64::INFINITY)
            }
        }
        Node::Call(Function::Abs, _) => (0.0, f64::INFINITY),
        _ if even || !k.is_integer() => (0.0, f64::INFINITY),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    // 0·∞ counts as 0: the bound is of a product of bounded and unbounded factors.
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1].map(|x| if x.is_nan() { 0.0 } else { x });
    (all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}
