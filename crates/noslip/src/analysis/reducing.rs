//! Chaplygin's reducing multiplier, for two degrees of freedom.
//!
//! With r = (r_1, r_2), g the metric of T° and p = g ṙ, the reduced equations of a Chaplygin system read
//! ```text
//! ṗ_1 − ∂T°/∂r_1 + ∂V/∂r_1 = ṙ_2 K,   ṗ_2 − ∂T°/∂r_2 + ∂V/∂r_2 = −ṙ_1 K,   K = K_1 ṙ_1 + K_2 ṙ_2.
//! ```
//! The time τ with dτ = N dt makes them Lagrangian, with L = N²T° − V, iff N_1 p_2 − N_2 p_1 = K for all ṙ, where
//! N_a = ∂ ln N/∂r_a. That is a linear system for N_1 and N_2; N exists iff ∂N_1/∂r_2 = ∂N_2/∂r_1.
//!
//! The same holds in quasi-coordinates π_1, π_2 when nothing in the reduced equations depends on a coordinate whose velocity
//! is not one of the quasi-velocities: then r_a = π_a, and K comes from Hamel's coefficients.

use super::Certainty;
use super::ansatz::{lift_all, vanishing};
use super::candidates::{Candidates, atoms_of, is_constant};
use super::evaluate::FieldEvaluator;
use super::generic::Generic;
use crate::expr::{Expr, Function, Node, Rational, Role, Symbol};
use crate::forms::{Gamma, SplitFrame, Workbench};

/// What is known of the reducing multiplier in one pair of coordinates.
#[derive(Clone, Debug)]
pub struct ReducingMultiplier {
    /// The two coordinates, or quasi-coordinates.
    pub coordinates: [Symbol; 2],
    /// For a quasi-coordinate: the quasi-velocity that is its derivative.
    pub quasi_velocities: [Option<Symbol>; 2],
    /// (∂ ln N/∂r_1, ∂ ln N/∂r_2).
    pub gradient: [Expr; 2],
    /// Is ∂N_1/∂r_2 = ∂N_2/∂r_1?
    pub exists: bool,
    /// How that is known.
    pub certainty: Certainty,
    /// ∂N_1/∂r_2 − ∂N_2/∂r_1, where it does not vanish.
    pub obstruction: Option<Expr>,
    /// N, where it was found.
    pub multiplier: Option<Expr>,
    /// K, in the velocities: zero when the reduced equations are Lagrangian as they stand.
    pub gyroscopic: Expr,
}

/// T° and K in coordinates r with velocities v.
struct Reduced {
    coordinates: [Symbol; 2],
    quasi_velocities: [Option<Symbol>; 2],
    velocities: [Symbol; 2],
    kinetic: Expr,
    k: Expr,
}

/// The multiplier in the coordinates of the Chaplygin split; `Err` says why the question does not arise.
pub fn reducing_multiplier(w: &mut Workbench, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let split = w.chaplygin_split().map_err(|why| format!("not a Chaplygin system: {why}"))?;
    if split.independent.len() != 2 {
        return Err(format!("the theory is for two degrees of freedom, here there are {}", split.independent.len()));
    }
    if split.explicit.is_none() {
        return Err("the constraints are not solved explicitly".into());
    }
    let velocities = split.pick_independent(&w.system.velocities);
    let coordinates = split.pick_independent(&w.system.coordinates);
    let frame = SplitFrame::new(w, split.clone());
    if frame.alpha_v.iter().flatten().any(|&e| w.occurs(e, &velocities).is_some()) {
        return Err("the constraints are not linear in the velocities".into());
    }
    let mut terms = Vec::new();
    for nu in 0..split.dependent.len() {
        let (a, b) = (w.g.diff(frame.alpha_v[nu][0], coordinates[1]), w.g.diff(frame.alpha_v[nu][1], coordinates[0]));
        let curl = w.g.sub(a, b);
        terms.push(w.g.mul(frame.dependent_momenta[nu], curl));
    }
    let k = w.g.sum(terms);
    let reduced = Reduced {
        coordinates: [coordinates[0], coordinates[1]],
        quasi_velocities: [None, None],
        velocities: [velocities[0], velocities[1]],
        kinetic: frame.kinetic,
        k,
    };
    solve(w, reduced, generic)
}

/// The multiplier in the model's own quasi-coordinates, where they are not all coordinates.
pub fn reducing_multiplier_quasi(w: &mut Workbench, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let quasi = w.closed_quasi()?;
    if quasi.free.len() != 2 {
        return Err(format!("the theory is for two degrees of freedom, here there are {}", quasi.free.len()));
    }
    if !quasi.linear() {
        return Err("the quasi-velocities are not linear in the velocities".into());
    }
    let (mut coordinates, mut quasi_velocities) = (Vec::new(), Vec::new());
    let mut closed = Vec::new();
    for rho in 0..2 {
        let own = quasi.expressions[rho].and_then(|e| {
            let velocity = w.system.velocities.iter().position(|&v| w.g.symbol(v) == e)?;
            Some(w.system.coordinates[velocity])
        });
        match own {
            Some(q) => {
                coordinates.push(q);
                quasi_velocities.push(None);
                closed.push(q);
            }
            None => {
                let name = format!("pi_{}", w.g.name(quasi.free[rho]));
                coordinates.push(w.g.declare(&name, Role::Other));
                quasi_velocities.push(Some(quasi.free[rho]));
            }
        }
    }
    if quasi_velocities.iter().all(Option::is_none) {
        return Err("the quasi-velocities are velocities of coordinates".into());
    }
    let star = quasi.kinetic_free(w).ok_or("the velocities have no closed form")?;
    let gamma = Gamma::of(w, &quasi);
    let mut terms = Vec::new();
    for (j, &v) in quasi.all().iter().enumerate() {
        let p = w.g.diff(star, v);
        let p = quasi.on_constraints(w, p);
        let e = w.g.mul(p, gamma.two[j][0][1]);
        terms.push((e, Rational::MINUS_ONE));
    }
    let k = w.g.linear(Rational::ZERO, terms);
    let kinetic = quasi.on_constraints(w, star);
    let open: Vec<Symbol> = w.system.coordinates.iter().copied().filter(|q| !closed.contains(q)).collect();
    let potential = (0..2).map(|r| quasi.force(w, r)).collect::<Vec<_>>();
    for e in [kinetic, k].into_iter().chain(potential) {
        if let Some(q) = w.occurs(e, &open) {
            return Err(format!("the reduced equations contain the coordinate `{}`", w.g.name(q)));
        }
    }
    let reduced = Reduced {
        coordinates: [coordinates[0], coordinates[1]],
        quasi_velocities: [quasi_velocities[0], quasi_velocities[1]],
        velocities: [quasi.free[0], quasi.free[1]],
        kinetic,
        k,
    };
    solve(w, reduced, generic)
}

fn solve(w: &mut Workbench, reduced: Reduced, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let v = reduced.velocities;
    let t = w.g.time();
    for e in [reduced.kinetic, reduced.k] {
        if w.occurs(e, &[t]).is_some() {
            return Err("time occurs in the reduced equations".into());
        }
    }
    let k = w.simplify(reduced.k);
    let Some((k_v, rest)) = w.g.affine(k, &v) else {
        return Err("the gyroscopic term is not linear in the velocities".into());
    };
    if !generic.vanishes_with(w.g, w.system, rest, &reduced.coordinates) {
        return Err("the constraints or the kinetic energy have terms of lower degree in the velocities".into());
    }
    let g = w.g.hessian(reduced.kinetic, &v);
    let g: Vec<Vec<Expr>> = g.iter().map(|row| w.simplify_all(row)).collect();
    let (p, q) = (w.g.mul(g[0][0], g[1][1]), w.g.mul(g[0][1], g[0][1]));
    let determinant = w.g.sub(p, q);
    let determinant = w.simplify(determinant);
    if generic.vanishes_with(w.g, w.system, determinant, &reduced.coordinates) {
        return Err("the reduced kinetic energy is degenerate".into());
    }
    // g_12 N_1 − g_11 N_2 = K_1,   g_22 N_1 − g_12 N_2 = K_2
    let combine = |w: &mut Workbench, a: Expr, b: Expr| {
        let (x, y) = (w.g.mul(a, k_v[1]), w.g.mul(b, k_v[0]));
        let e = w.g.sub(x, y);
        let e = w.g.div(e, determinant);
        w.simplify(e)
    };
    let gradient = [combine(w, g[0][0], g[0][1]), combine(w, g[0][1], g[1][1])];
    let r = reduced.coordinates;
    let (a, b) = (w.g.diff(gradient[0], r[1]), w.g.diff(gradient[1], r[0]));
    let curl = w.g.sub(a, b);
    let exists = generic.vanishes_with(w.g, w.system, curl, &r);
    let simple = w.simplify(curl);
    let proved = !exists || w.g.is_zero(simple);
    let multiplier = if exists { integrate(w, &r, &gradient, &g, determinant, generic) } else { None };
    Ok(ReducingMultiplier {
        coordinates: r,
        quasi_velocities: reduced.quasi_velocities,
        gradient,
        exists,
        certainty: Certainty::proved_if(proved),
        obstruction: (!exists).then_some(simple),
        multiplier,
        gyroscopic: k,
    })
}

/// Candidates of one search.
const CANDIDATES: usize = 160;

/// N with the given logarithmic derivatives, from candidates for ln N.
fn integrate(
    w: &mut Workbench,
    r: &[Symbol; 2],
    gradient: &[Expr; 2],
    metric: &[Vec<Expr>],
    determinant: Expr,
    generic: &mut Generic,
) -> Option<Expr> {
    if gradient.iter().all(|&e| generic.vanishes_with(w.g, w.system, e, r)) {
        return Some(w.g.one());
    }
    for wide in [false, true] {
        let mut candidates = Candidates::default();
        for a in 0..2 {
            candidates.antiderivatives(w.g, gradient[a], r[a]);
        }
        let mut sources: Vec<Expr> = gradient.to_vec();
        sources.extend(metric.iter().flatten());
        sources.push(determinant);
        for (atom, _) in atoms_of(w.g, &sources, r) {
            let log = w.g.call(Function::Log, atom);
            candidates.add(w.g, log);
        }
        if wide {
            candidates.monomials(w.g, &sources, r);
        }
        let basis = candidates.sorted(w.g, CANDIDATES);
        for literal in [true, false] {
            let mut points = if literal { generic.literal() } else { generic.clone() };
            if let Some(n) = logarithm(w, r, gradient, &basis, &mut points) {
                return Some(n);
            }
        }
    }
    None
}

fn logarithm(
    w: &mut Workbench,
    r: &[Symbol; 2],
    gradient: &[Expr; 2],
    basis: &[Expr],
    points: &mut Generic,
) -> Option<Expr> {
    let mut roots = Vec::new();
    for a in 0..2 {
        for &b in basis {
            roots.push(w.g.diff(b, r[a]));
        }
        roots.push(gradient[a]);
    }
    let evaluator = FieldEvaluator::new(w.g, &roots);
    let width = basis.len() + 1;
    let echelon = vanishing(width, || {
        let values = points.values_with(w.g, w.system, &evaluator, r)?;
        Some(values.chunks(width).map(<[_]>::to_vec).collect())
    })?;
    let combination = echelon.null_space().into_iter().find(|c| !c[width - 1].is_zero())?;
    let lifted = lift_all(&combination)?;
    let scale = lifted[width - 1].recip()?;
    let mut factors = Vec::new();
    let mut exponent = Vec::new();
    for (&b, c) in basis.iter().zip(&lifted) {
        let c = &(c * &scale) * &Rational::MINUS_ONE;
        if c.is_zero() {
            continue;
        }
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

/// F with ∂F/∂q = e, from candidates for it.
pub(crate) fn antiderivative(w: &mut Workbench, e: Expr, q: Symbol, generic: &mut Generic) -> Option<Expr> {
    if w.g.is_zero(e) || generic.vanishes(w.g, w.system, e) {
        return Some(w.g.zero());
    }
    let e = w.simplify(e);
    for wide in [false, true] {
        let mut candidates = Candidates::default();
        let variable = w.g.symbol(q);
        candidates.add(w.g, variable);
        candidates.antiderivatives(w.g, e, q);
        if wide {
            candidates.monomials(w.g, &[e, variable], &[q]);
        }
        let basis = candidates.sorted(w.g, CANDIDATES);
        for literal in [true, false] {
            let mut points = if literal { generic.literal() } else { generic.clone() };
            let mut roots: Vec<Expr> = basis.iter().map(|&b| w.g.diff(b, q)).collect();
            roots.push(e);
            let evaluator = FieldEvaluator::new(w.g, &roots);
            let echelon = vanishing(roots.len(), || Some(vec![points.values(w.g, w.system, &evaluator)?]))?;
            let Some(c) = echelon.null_space().into_iter().find(|c| !c[basis.len()].is_zero()) else { continue };
            let Some(lifted) = lift_all(&c) else { continue };
            let Some(scale) = lifted[basis.len()].recip() else { continue };
            let terms: Vec<(Expr, Rational)> =
                basis.iter().zip(&lifted).map(|(&b, c)| (b, &(c * &scale) * &Rational::MINUS_ONE)).collect();
            return Some(w.g.linear(Rational::ZERO, terms));
        }
    }
    None
}

/// front·log(base) with a constant front.
fn power_of_logarithm(w: &mut Workbench, e: Expr) -> Option<(Expr, Expr)> {
    match w.g.node(e) {
        Node::Call(Function::Log, x) => Some((*x, w.g.one())),
        Node::Product { coefficient, factors } => {
            let (coefficient, factors) = (coefficient.clone(), factors.to_vec());
            let at =
                factors.iter().position(|(b, k)| k.is_one() && matches!(w.g.node(*b), Node::Call(Function::Log, _)))?;
            let Node::Call(_, base) = *w.g.node(factors[at].0) else { return None };
            let mut others = factors;
            others.remove(at);
            let front = w.g.powers(coefficient, others);
            is_constant(w.g, front).then_some((base, front))
        }
        _ => None,
    }
}
