//! Generalised momenta, canonical equations and the generalised Hamilton–Jacobi equation.
//!
//! ```text
//! π_i = ∂T/∂q̇_i + Σ_j μ_j ∂φ_j/∂q̇_i                                                       (1)   Sumbatov (5.1)
//! H₁(t, q, π) = Σ_i π_i q̇_i − L          on the constraints                                (2)
//! q̇_i = ∂H₁/∂π_i,   π̇_i = −∂H₁/∂q_i                                                       (3)   (5.3)
//! ∂S/∂t + H₁(t, q, ∂S/∂q) = 0                                                               (4)   (5.2)
//! ```
//! (1) and the constraints are solved for q̇ and μ together. (3) are the vakonomic equations; a solution is a motion of the
//! nonholonomic system iff Rumyantsev's condition holds along it ([`super::vakonomic`]).
//!
//! Valid when: constraints linear in the velocities, all forces from a potential, T of degree two with (1) solvable.

use super::vakonomic::{AgreementOfPrinciples, Vakonomic};
use super::{Truth, fresh, vanishes};
use crate::error::{Error, Result};
use crate::expr::{Expr, Matrix, Rational, Role, Symbol};
use crate::forms::Workbench;
use rustc_hash::FxHashMap;

/// The canonical form of the variational equations.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// π_i: `pi_NAME`.
    pub momenta: Vec<Symbol>,
    /// (1), in q̇ and μ.
    pub definitions: Vec<Expr>,
    /// q̇_i in t, q, π.
    pub velocities: Vec<Expr>,
    /// μ_j in t, q, π.
    pub multipliers: Vec<Expr>,
    /// H₁.
    pub hamiltonian: Expr,
    /// −∂H₁/∂q_i.
    pub rates: Vec<Expr>,
    /// ∂S/∂t and ∂S/∂q_i as symbols: `S_t`, `S_NAME`.
    pub action: (Symbol, Vec<Symbol>),
    /// The left side of (4).
    pub hamilton_jacobi: Expr,
    /// Is q̇ = ∂H₁/∂π what (1) says?
    pub verified: Truth,
    /// When a solution is a motion of the nonholonomic system.
    pub agreement: AgreementOfPrinciples,
}

impl Canonical {
    /// Derives (1)–(4).
    pub fn of(w: &mut Workbench) -> Result<Canonical> {
        let refuse = |why: &str| Error::not_applicable(format!("the canonical form does not apply: {why}"));
        if w.system.forces.iter().any(|&f| !w.g.is_zero(f)) {
            return Err(refuse("there are forces without a potential"));
        }
        let v = Vakonomic::of(w)?;
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        for &e in d.a.iter().flatten().chain(d.mass.iter().flatten()) {
            if w.occurs(e, &w.system.velocities).is_some() {
                return Err(refuse("a constraint is not linear in the velocities, or T is not quadratic"));
            }
        }
        let mut momenta = Vec::new();
        for &q in &w.system.coordinates {
            let name = format!("pi_{}", w.g.name(q));
            momenta.push(fresh(w.g, &name, Role::Other));
        }
        let definitions = w.g.gradient(v.lagrangian, &w.system.velocities); // (1)
        // M q̇ + Aᵀμ = π − p|₀,   A q̇ = −φ|₀
        let zero = w.g.zero();
        let mut matrix: Matrix = Vec::new();
        let mut right: Matrix = Vec::new();
        for i in 0..n {
            let mut row: Vec<Expr> = d.mass[i].clone();
            row.extend((0..k).map(|j| d.a[j][i]));
            matrix.push(w.simplify_all(&row));
            let offset = w.g.without(d.momenta[i], &w.system.velocities);
            let pi = w.g.symbol(momenta[i]);
            right.push(vec![w.g.sub(pi, offset)]);
        }
        for j in 0..k {
            let mut row = d.a[j].clone();
            row.extend(vec![zero; k]);
            matrix.push(row);
            let phi = d.velocity_constraints[j].unwrap_or(zero);
            let offset = w.g.without(phi, &w.system.velocities);
            right.push(vec![w.g.neg(offset)]);
        }
        let limits = w.limits.clone();
        let solution =
            w.g.solve_matrix(&matrix, &right, &mut |g, e| crate::expr::simplify(g, e, &limits))
                .ok_or_else(|| refuse("the momenta do not determine the velocities"))?;
        let solved: Vec<Expr> = solution.iter().map(|row| w.simplify(row[0])).collect();
        let (velocities, multipliers) = (solved[..n].to_vec(), solved[n..].to_vec());
        let insert: FxHashMap<Symbol, Expr> =
            w.system.velocities.iter().copied().zip(velocities.iter().copied()).collect();
        let pi: Vec<Expr> = momenta.iter().map(|&s| w.g.symbol(s)).collect();
        let product = w.g.dot_product(&pi, &velocities);
        let kinetic = w.g.substitute(w.system.kinetic, &insert);
        let terms = [(product, Rational::ONE), (kinetic, Rational::MINUS_ONE), (w.system.potential, Rational::ONE)];
        let hamiltonian = w.g.linear(Rational::ZERO, terms); // (2)
        let hamiltonian = w.simplify(hamiltonian);
        let by_pi = w.g.gradient(hamiltonian, &momenta);
        let mut verified = Truth::Proved;
        for i in 0..n {
            let e = w.g.sub(by_pi[i], velocities[i]);
            verified = verified.and(vanishes(w, e));
        }
        let by_q = w.g.gradient(hamiltonian, &w.system.coordinates);
        let mut rates = Vec::new();
        for e in by_q {
            let e = w.g.neg(e);
            rates.push(w.simplify(e)); // (3)
        }
        let action_t = fresh(w.g, "S_t", Role::Other);
        let mut action_q = Vec::new();
        let mut gradient: FxHashMap<Symbol, Expr> = FxHashMap::default();
        for (i, &q) in w.system.coordinates.iter().enumerate() {
            let name = format!("S_{}", w.g.name(q));
            let s = fresh(w.g, &name, Role::Other);
            gradient.insert(momenta[i], w.g.symbol(s));
            action_q.push(s);
        }
        let h = w.g.substitute(hamiltonian, &gradient);
        let s_t = w.g.symbol(action_t);
        let hamilton_jacobi = w.g.add(s_t, h); // (4)
        let agreement = v.agreement(w);
        Ok(Canonical {
            momenta,
            definitions,
            velocities,
            multipliers,
            hamiltonian,
            rates,
            action: (action_t, action_q),
            hamilton_jacobi,
            verified,
            agreement,
        })
    }

    /// Checks a complete integral S(t, q, α) proposed by the user.
    pub fn check_integral(&self, w: &mut Workbench, s: Expr, constants: &[Symbol]) -> IntegralCheck {
        let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
        let t = w.g.time();
        map.insert(self.action.0, w.g.diff(s, t));
        let by_q = w.g.gradient(s, &w.system.coordinates);
        map.extend(self.action.1.iter().copied().zip(by_q.iter().copied()));
        let residual = w.g.substitute(self.hamilton_jacobi, &map);
        let residual = w.simplify(residual);
        let satisfies = vanishes(w, residual);
        let complete = constants.len() == w.system.n() && {
            let mixed = w.g.jacobian(&by_q, constants);
            let determinant = w.g.determinant(&mixed);
            vanishes(w, determinant) == Truth::No
        };
        let integrals = w.g.gradient(s, constants);
        let integrals = w.simplify_all(&integrals);
        IntegralCheck { residual, satisfies, complete, integrals }
    }
}

/// Is a proposed S a complete integral?
#[derive(Clone, Debug)]
pub struct IntegralCheck {
    /// What is left of (4).
    pub residual: Expr,
    /// Does S satisfy (4)?
    pub satisfies: Truth,
    /// Are there n constants with det ∂²S/∂q∂α ≠ 0?
    pub complete: bool,
    /// ∂S/∂α: constant along the solutions.
    pub integrals: Vec<Expr>,
}
