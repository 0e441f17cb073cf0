//! What every form starts from: the Lagrange operator 𝓔, the mass matrix M, and the constraints at the level of the
//! accelerations, A q̈ = b.
//!
//! ```text
//! 𝓔_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i − Q_i        (Q includes −∂V/∂q)
//! A_ji = ∂φ_j/∂q̇_i                            (Chetaev: Σ_i A_ji δq_i = 0)
//! b_j = −∂φ_j/∂t − Σ_i ∂φ_j/∂q_i q̇_i
//! ```
//! A constraint N/D = 0 over a denominator without velocities is differentiated without it, Ṅ = 0: b_j is then that of N, over D, and differs
//! from the above by a multiple of N, which vanishes. A holonomic constraint is differentiated once before it comes here; a constraint of second order gives A and b directly. One that
//! is nonlinear in the accelerations, or of third order, gives A_ji = ∂φ_j/∂q̈_i or ∂φ_j/∂q⃛_i, which may contain q̈, and no b: the
//! accelerations do not follow from A and b, and whoever needs that asks [`Workbench::linear_accelerations`] first.
//!
//! [`Workbench::linear_accelerations`]: super::Workbench::linear_accelerations

use crate::expr::{Arena, Expr, Matrix, Node, Rational, Symbol, without_turning};
use crate::model::System;
use rustc_hash::FxHashMap;

/// The ingredients of the equations of motion, in t, q, q̇ (and q̈ in `operator`).
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// p_i = ∂T/∂q̇_i.
    pub momenta: Vec<Expr>,
    /// Q_i − ∂V/∂q_i.
    pub forces: Vec<Expr>,
    /// 𝓔_i.
    pub operator: Vec<Expr>,
    /// M_ij = ∂²T/∂q̇_i∂q̇_j.
    pub mass: Matrix,
    /// 𝓔_i at q̈ = 0.
    pub rest: Vec<Expr>,
    /// Constraints at the level of velocities; `None` for one of second order.
    pub velocity_constraints: Vec<Option<Expr>>,
    /// A.
    pub a: Matrix,
    /// b.
    pub b: Vec<Expr>,
    /// What a constraint is differentiated without: A and b have it for a denominator.
    pub below: Vec<Expr>,
}

impl Dynamics {
    /// All that the accelerations and the multipliers follow from: M, A, h, b.
    pub fn expressions(&self) -> Vec<Expr> {
        let matrices = self.mass.iter().chain(&self.a).flatten();
        matrices.chain(&self.rest).chain(&self.b).copied().collect()
    }

    /// Derives M, h, A, b and the operator.
    pub fn of(g: &mut Arena, system: &System) -> Dynamics {
        let n = system.n();
        let (q, v, w) = (&system.coordinates, &system.velocities, &system.accelerations);
        let momenta = g.gradient(system.kinetic, v);
        let kinetic_q = g.gradient(system.kinetic, q);
        let potential_q = g.gradient(system.potential, q);
        let forces: Vec<Expr> = (0..n).map(|i| g.sub(system.forces[i], potential_q[i])).collect();
        let mass: Matrix = {
            let mut rows = vec![vec![g.zero(); n]; n];
            for i in 0..n {
                for j in i..n {
                    rows[i][j] = g.diff(momenta[i], v[j]);
                    rows[j][i] = rows[i][j];
                }
            }
            rows
        };
        let drift = drift_rates(g, system);
        let mut memo = FxHashMap::default();
        let mut rest = Vec::with_capacity(n);
        let mut operator = Vec::with_capacity(n);
        for i in 0..n {
            let transport = g.directional_with(momenta[i], &drift, &mut memo);
            let h = g.linear(
                Rational::ZERO,
                [(transport, Rational::ONE), (kinetic_q[i], Rational::MINUS_ONE), (forces[i], Rational::MINUS_ONE)],
            );
            let accelerations: Vec<Expr> = w.iter().map(|&s| g.symbol(s)).collect();
            let inertia = g.dot_product(&mass[i], &accelerations);
            rest.push(h);
            operator.push(g.add(inertia, h));
        }
        let mut velocity_constraints = Vec::new();
        let (mut a, mut b, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for c in &system.constraints {
            if c.order >= 2 {
                let highest: Vec<Symbol> = if c.order == 2 { w.clone() } else { w.iter().map(|&s| g.dot(s)).collect() };
                a.push(coefficients(g, c.expr, &highest));
                let at_rest = g.without(c.expr, &highest);
                b.push(g.neg(at_rest));
                below.push(g.one());
                velocity_constraints.push(None);
            } else {
                let phi = if c.order == 0 { g.time_derivative(c.expr) } else { c.expr };
                let under = denominator(g, phi, v);
                let above = g.mul(phi, under);
                let row = coefficients(g, above, v);
                a.push(row.into_iter().map(|e| g.div(e, under)).collect());
                let transport = g.directional_with(above, &drift, &mut memo);
                let transport = g.div(transport, under);
                b.push(g.neg(transport));
                below.push(under);
                velocity_constraints.push(Some(phi));
            }
        }
        Dynamics { momenta, forces, operator, mass, rest, velocity_constraints, a, b, below }
    }
}

/// What divides the whole of a constraint and does not contain the velocities.
fn denominator(g: &mut Arena, phi: Expr, velocities: &[Symbol]) -> Expr {
    let Node::Product { factors, .. } = g.node(phi) else { return g.one() };
    let mut below = factors.to_vec();
    below.retain(|(base, power)| power.is_negative() && !g.depends_on_any(*base, velocities));
    g.powers(Rational::ONE, below.into_iter().map(|(base, power)| (base, -power)))
}

/// ∂φ/∂q̇, without angles that cancel: the edge under a link, ẋ sin φ − ẏ cos φ at its middle, leaves l (sin² φ + cos² φ)/2.
fn coefficients(g: &mut Arena, phi: Expr, symbols: &[Symbol]) -> Vec<Expr> {
    symbols
        .iter()
        .map(|&s| {
            let e = g.diff(phi, s);
            without_turning(g, e, &[])
        })
        .collect()
}

/// d/dt at q̈ = 0: coordinates change with their velocities, t with 1.
fn drift_rates(g: &mut Arena, system: &System) -> FxHashMap<Symbol, Expr> {
    let mut rates: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for (&q, &v) in system.coordinates.iter().zip(&system.velocities) {
        rates.insert(q, g.symbol(v));
    }
    rates.insert(g.time(), g.one());
    rates
}

#[cfg(test)]
mod tests {
    use crate::mechanics::{Workbench, acceleration_constraints};
    use crate::model::Model;

    fn bench(constraints: [&str; 2]) -> Workbench {
        let [one, two] = constraints;
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [constraints]\none = \"{one} = 0\"\ntwo = \"{two} = 0\"\n"
        );
        let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        model.workbench()
    }

    #[test]
    fn a_constraint_over_a_denominator_is_differentiated_without_it_and_keeps_its_force() {
        let mut w = bench(["y' - x*x'", "(y' - x*x')/sqrt(1 + x^2)"]);
        let list = acceleration_constraints(&mut w);
        assert_eq!(list[0], list[1]);
        let d = w.dynamics();
        let row = [d.a[0][0], d.a[0][1], d.b[0]].map(|e| w.g.div(e, d.below[1]));
        assert_eq!([d.a[1][0], d.a[1][1], d.b[1]], row);
        assert!(w.g.is_one(d.below[0]) && !w.g.is_one(d.below[1]));
    }

    #[test]
    fn what_contains_velocities_is_no_such_denominator() {
        let mut w = bench(["(y' - x*x')/sqrt(1 + x'^2)", "y' - x'/x"]);
        let d = w.dynamics();
        assert!(d.below.iter().all(|&e| w.g.is_one(e)));
    }
}
