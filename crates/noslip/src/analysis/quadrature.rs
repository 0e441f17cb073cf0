//! Functions with given partial derivatives, from candidates with unknown coefficients.

use super::candidates::{Candidates, atoms_of, is_constant};
use super::conserved::with_values;
use crate::expr::ansatz::{lift_all, vanishing};
use crate::expr::{Expr, Function, Node, Rational, Symbol};
use crate::mechanics::Workbench;
use crate::mechanics::{Generic, evaluator};

/// Candidates of one search.
const CANDIDATES: usize = 160;

/// A function f(r) with ∂f/∂r_a = gradient_a, up to a constant. `sources` are further expressions whose parts f may be made of.
pub fn potential(
    w: &mut Workbench,
    r: &[Symbol],
    gradient: &[Expr],
    sources: &[Expr],
    generic: &mut Generic,
) -> Option<Expr> {
    let terms = combination(w, r, gradient, sources, generic)?;
    Some(w.g.linear(Rational::ZERO, terms))
}

/// exp f, with logarithms in f written as powers.
pub fn exponential(
    w: &mut Workbench,
    r: &[Symbol],
    gradient: &[Expr],
    sources: &[Expr],
    generic: &mut Generic,
) -> Option<Expr> {
    let terms = combination(w, r, gradient, sources, generic)?;
    let mut factors = Vec::new();
    let mut exponent = Vec::new();
    for (b, c) in terms {
        match power_of_logarithm(w, b) {
            Some((base, front)) => {
                let front = w.g.scale(front, &c);
                factors.push(match w.g.as_number(front).cloned() {
                    Some(x) => w.g.power(base, &x),
                    None => w.g.pow(base, front),
                });
            }
            None => exponent.push((b, c)),
        }
    }
    let exponent = w.g.linear(Rational::ZERO, exponent);
    if !w.g.is_zero(exponent) {
        factors.push(w.g.call(Function::Exp, exponent));
    }
    Some(w.g.product(factors))
}

/// f = Σ c_k b_k. First what the derivatives themselves suggest, then products of atoms; first for the letters, then for the
/// parameters' values.
fn combination(
    w: &mut Workbench,
    r: &[Symbol],
    gradient: &[Expr],
    sources: &[Expr],
    generic: &mut Generic,
) -> Option<Vec<(Expr, Rational)>> {
    if gradient.iter().all(|&e| generic.vanishes(&mut w.g, e)) {
        return Some(Vec::new());
    }
    let mut sources: Vec<Expr> = sources.to_vec();
    sources.extend(gradient);
    for wide in [false, true] {
        let mut candidates = Candidates::default();
        for (&e, &u) in gradient.iter().zip(r) {
            candidates.antiderivatives(&mut w.g, e, u);
        }
        for (atom, _) in atoms_of(&mut w.g, &sources, r) {
            let log = w.g.call(Function::Log, atom);
            candidates.add(&mut w.g, atom);
            candidates.add(&mut w.g, log);
        }
        if wide {
            candidates.monomials(&mut w.g, &sources, r);
        }
        let basis = candidates.sorted(&w.g, CANDIDATES);
        if w.g.work.is_over() {
            return None;
        }
        for literal in [true, false] {
            let mut points = if literal { generic.literal() } else { generic.clone() };
            if let Some(found) = matching(w, r, gradient, &basis, &mut points) {
                return Some(match literal {
                    true => found,
                    false => found.into_iter().map(|(b, c)| (with_values(w, b), c)).collect(),
                });
            }
        }
    }
    None
}

/// Coefficients with Σ c_k ∂b_k/∂r_a = gradient_a.
fn matching(
    w: &mut Workbench,
    r: &[Symbol],
    gradient: &[Expr],
    basis: &[Expr],
    points: &mut Generic,
) -> Option<Vec<(Expr, Rational)>> {
    let mut roots = Vec::new();
    for (&e, &u) in gradient.iter().zip(r) {
        for &b in basis {
            roots.push(w.g.diff(b, u));
        }
        roots.push(e);
    }
    let evaluator = evaluator(&mut w.g, &roots);
    let width = basis.len() + 1;
    let mut draws = 0;
    let echelon = vanishing(width, || {
        draws += 1;
        let values = points.values(&w.g, &evaluator)?;
        Some(values.chunks(width).map(<[_]>::to_vec).collect())
    });
    w.g.work.charge(draws * evaluator.steps() as u64);
    let echelon = echelon?;
    let combination = echelon.null_space().into_iter().find(|c| !c[width - 1].is_zero())?;
    let lifted = lift_all(&combination)?;
    let scale = &lifted[width - 1].recip()? * &Rational::MINUS_ONE;
    let terms = basis.iter().copied().zip(lifted.iter().map(|c| c * &scale));
    Some(terms.filter(|(_, c)| !c.is_zero()).collect())
}

/// front·log(base) with a constant front.
fn power_of_logarithm(w: &mut Workbench, e: Expr) -> Option<(Expr, Expr)> {
    match w.g.node(e) {
        Node::Call(Function::Log, x) => Some((*x, w.g.one())),
        Node::Product { coefficient, factors } => {
            let (coefficient, mut others) = (coefficient.clone(), factors.to_vec());
            let is_log = |(b, k): &(Expr, Rational)| k.is_one() && matches!(w.g.node(*b), Node::Call(Function::Log, _));
            let at = others.iter().position(is_log)?;
            let Node::Call(_, base) = *w.g.node(others[at].0) else { return None };
            others.remove(at);
            let front = w.g.powers(coefficient, others);
            is_constant(&w.g, front).then_some((base, front))
        }
        _ => None,
    }
}
