//! A kinetic potential for one degree of freedom.
//!
//! The equation r̈ = F(t, r, ṙ) is Lagrange's equation of Θ, up to the factor M = ∂²Θ/∂ṙ², for every solution of
//! ```text
//! dM/dt + M ∂F/∂ṙ = 0                                                             (1)   Jacobi's last multiplier
//! ```
//! and there always is one (Sonin 1886, Darboux 1894). It is found by quadratures in two cases:
//! ```text
//! ∂F/∂ṙ = A + B ṙ,  ∂A/∂r = ∂B/∂t      M = exp(−g), dg = A dt + B dr,  Θ = ½Mṙ² + ∫ M F|₀ dr                     (2)
//! F = a(r) b(ṙ)                        M = 1/b,                        Θ = ∬ dṙ dṙ/b + ∫ a dr                    (3)
//! ```
//! (2) covers every force that is quadratic in the velocity with coefficients of t and r that fit, linear damping among them.

use super::candidates::is_constant;
use super::quadrature;
use crate::expr::{Expr, Node, Rational, Symbol};
use crate::mechanics::Generic;
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// How far the construction came.
#[derive(Clone, Debug)]
pub enum KineticPotential {
    /// In closed form.
    Found {
        /// What multiplies the equation of motion.
        factor: Expr,
        /// Θ.
        potential: Expr,
    },
    /// By quadratures (2) that were not found in closed form.
    Quadratures {
        /// ∂ ln M/∂t and ∂ ln M/∂r.
        multiplier: [Expr; 2],
        /// M, where it is known: then Θ = ½Mṙ² + ∫ M·`force` dr.
        closed: Option<Expr>,
        /// F at ṙ = 0.
        force: Expr,
    },
    /// Neither (2) nor (3): one exists, for (1) can be solved, but not by these quadratures.
    Open,
}

/// The equation, its coordinate, velocity and acceleration.
pub(super) struct One {
    pub(super) equation: Expr,
    pub(super) r: Symbol,
    pub(super) v: Symbol,
    pub(super) a: Symbol,
}

/// Constructs Θ for an equation that is linear in the acceleration.
pub(super) fn kinetic_potential(w: &mut Workbench, one: &One, generic: &mut Generic) -> KineticPotential {
    let One { equation, v, a, .. } = *one;
    let mass = w.g.diff(equation, a);
    let rest = w.g.without(equation, &[a]);
    let quotient = w.g.div(rest, mass);
    let f = w.simplify(-quotient);
    if w.g.is_undefined(f) || w.g.depends_on(mass, a) {
        return KineticPotential::Open;
    }
    let damping = w.g.diff(f, v);
    let b = w.g.diff(damping, v);
    let b = w.simplify(b);
    if !w.g.depends_on(b, v) {
        let lower = w.g.without(damping, &[v]);
        let lower = w.simplify(lower);
        if let Some(answer) = quadratic(w, one, mass, f, [lower, b], generic) {
            return answer;
        }
    }
    separable(w, one, mass, f, generic).unwrap_or(KineticPotential::Open)
}

/// (2); `None` where the condition on A and B fails.
fn quadratic(
    w: &mut Workbench,
    one: &One,
    mass: Expr,
    f: Expr,
    [a, b]: [Expr; 2],
    generic: &mut Generic,
) -> Option<KineticPotential> {
    let t = w.g.time();
    let (x, y) = (w.g.diff(a, one.r), w.g.diff(b, t));
    let difference = w.g.sub(x, y);
    if !generic.vanishes(&mut w.g, difference) {
        return None;
    }
    let multiplier = [w.g.neg(a), w.g.neg(b)];
    let force = w.g.without(f, &[one.v]);
    let force = w.simplify(force);
    let open = |closed| Some(KineticPotential::Quadratures { multiplier, closed, force });
    let Some(m) = quadrature::exponential(w, &[t, one.r], &multiplier, &[mass], generic) else { return open(None) };
    let weighted = w.simplify(m * force);
    let Some(work) = quadrature::potential(w, &[one.r], &[weighted], &[mass, m], generic) else {
        return open(Some(m));
    };
    let velocity = w.g.symbol(one.v);
    let square = w.g.square(velocity);
    let kinetic = w.g.mul(m, square);
    let half = Rational::new(1, 2)?;
    let potential = w.g.linear(Rational::ZERO, [(kinetic, half), (work, Rational::ONE)]);
    Some(found(w, m, mass, potential))
}

/// The factor M/mass without what is constant in it: an equation that is Lagrange's as it stands has the factor one.
fn found(w: &mut Workbench, m: Expr, mass: Expr, potential: Expr) -> KineticPotential {
    let factor = w.g.div(m, mass);
    let factor = w.simplify(factor);
    let constant = match w.g.node(factor) {
        _ if is_constant(&w.g, factor) => factor,
        Node::Product { coefficient, factors } => {
            let (coefficient, factors) = (coefficient.clone(), factors.to_vec());
            let constants: Vec<_> = factors.into_iter().filter(|(b, _)| is_constant(&w.g, *b)).collect();
            w.g.powers(coefficient, constants)
        }
        _ => w.g.one(),
    };
    let (factor, potential) = (w.g.div(factor, constant), w.g.div(potential, constant));
    KineticPotential::Found { factor: w.simplify(factor), potential: w.simplify(potential) }
}

/// (3)
fn separable(w: &mut Workbench, one: &One, mass: Expr, f: Expr, generic: &mut Generic) -> Option<KineticPotential> {
    let t = w.g.time();
    let (by_r, by_v) = (w.g.diff(f, one.r), w.g.diff(f, one.v));
    let mixed = w.g.diff(by_r, one.v);
    let (x, y) = (w.g.mul(f, mixed), w.g.mul(by_r, by_v));
    let condition = w.g.sub(x, y);
    if w.g.depends_on(f, t) || !generic.vanishes(&mut w.g, condition) {
        return None;
    }
    // b is F at some place where that is neither zero nor a pole.
    let b = [0, 1, -1, 2].into_iter().find_map(|place| {
        let at = w.g.integer(place);
        let map: FxHashMap<Symbol, Expr> = [(one.r, at)].into_iter().collect();
        let b = w.g.substitute(f, &map);
        let b = w.simplify(b);
        (!w.g.is_zero(b) && !w.g.is_undefined(b)).then_some(b)
    })?;
    let a = w.g.div(f, b);
    let a = w.simplify(a);
    if w.g.depends_on(a, one.v) {
        return None;
    }
    let m = w.g.powi(b, -1);
    let m = w.simplify(m);
    let once = quadrature::potential(w, &[one.v], &[m], &[b], generic)?;
    let twice = quadrature::potential(w, &[one.v], &[once], &[b, once], generic)?;
    let work = quadrature::potential(w, &[one.r], &[a], &[f], generic)?;
    let potential = w.g.add(twice, work);
    Some(found(w, m, mass, potential))
}
