//! Constraints of second order that are derivatives of constraints of first order (Kirgetov's remark).
//!
//! ```text
//! Σ_i a_i(t, q, q̇) q̈_i + b(t, q, q̇) = dψ/dt    iff    ∂ψ/∂q̇_i = a_i  and  ∂ψ/∂t + Σ_i ∂ψ/∂q_i q̇_i = b
//! ```
//! ψ is found in two steps: a function of the velocities with the derivatives a_i, and a function of t and q for what is then left
//! of b. Such a constraint says ψ = const, with the constant that the initial state has; it is ideal in the same sense as that one.

use super::HiddenRelation;
use super::quadrature::potential;
use crate::expr::{Expr, Known, Rational, Role, Symbol};
use crate::mechanics::{Generic, Workbench};
use rustc_hash::FxHashMap;

/// The function whose derivative a constraint of second order is, if it is one and was found.
pub(super) fn integral(w: &mut Workbench, constraint: usize, generic: &mut Generic) -> Option<HiddenRelation> {
    let system = w.system.clone();
    let expr = system.constraints.get(constraint).filter(|c| c.order == 2 && !c.higher)?.expr;
    let (a, b) = w.g.affine(expr, &system.accelerations)?;
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in a.iter().enumerate().skip(i + 1) {
            let (p, q) = (w.g.diff(x, system.velocities[j]), w.g.diff(y, system.velocities[i]));
            let turn = w.simplify(p - q);
            if !w.g.is_zero(turn) {
                return None;
            }
        }
    }
    let moving = of_gradient(w, &system.velocities, &a, expr, generic)?;
    let mut rates: FxHashMap<_, Expr> =
        system.coordinates.iter().zip(&system.velocities).map(|(&q, &v)| (q, w.g.symbol(v))).collect();
    rates.insert(w.g.time(), w.g.one());
    let drift = w.g.directional(moving, &rates);
    let left = w.simplify(b - drift);
    // What is left must be the derivative of a function of t and q: linear in the velocities, and closed.
    let (mut gradient, rest) = w.g.affine(left, &system.velocities)?;
    gradient.push(rest);
    let mut r = system.coordinates.clone();
    r.push(w.g.time());
    let resting = if gradient.iter().all(|&e| w.g.is_zero(e)) {
        w.g.zero()
    } else {
        of_gradient(w, &r, &gradient, left, generic)?
    };
    let psi = w.simplify(moving + resting);
    let rate = w.g.time_derivative(psi);
    let difference = w.simplify(rate - expr);
    w.g.is_zero(difference).then_some(HiddenRelation { expr: psi, certainty: Known::Proved, solved: None })
}

/// A function with these derivatives: for polynomials ∫₀¹ Σ r_i g_i(s r) ds, else from candidates.
fn of_gradient(
    w: &mut Workbench,
    r: &[Symbol],
    gradient: &[Expr],
    source: Expr,
    generic: &mut Generic,
) -> Option<Expr> {
    let s = w.g.declare("part of the way", Role::Other);
    let along = w.g.symbol(s);
    let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
    let places: Vec<Expr> = r.iter().map(|&x| w.g.symbol(x)).collect();
    for (&x, &place) in r.iter().zip(&places) {
        map.insert(x, w.g.mul(along, place));
    }
    let scaled = w.g.substitute_all(gradient, &map);
    let integrand = w.g.dot_product(&scaled, &places);
    match w.g.coefficients(integrand, s) {
        Some(list) => {
            let part = |(d, e): (usize, Expr)| Some((e, Rational::new(1, d as i64 + 1)?));
            let terms: Vec<(Expr, Rational)> = list.into_iter().enumerate().map(part).collect::<Option<_>>()?;
            Some(w.g.linear(Rational::ZERO, terms))
        }
        None => potential(w, r, gradient, &[source], generic),
    }
}
