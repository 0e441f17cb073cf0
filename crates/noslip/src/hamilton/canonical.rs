//! Generalised momenta, canonical equations and the generalised Hamilton–Jacobi equation.
//!
//! ```text
//! π_i = ∂T/∂q̇_i + Σ_j μ_j ∂φ_j/∂q̇_i                                                       (1)   Sumbatov (5.1)
//! H₁(t, q, π) = Σ_i π_i q̇_i − L          on the constraints                                (2)
//! q̇_i = ∂H₁/∂π_i,   π̇_i = −∂H₁/∂q_i                                                       (3)   (5.3)
//! ∂S/∂t + H₁(t, q, ∂S/∂q) = 0                                                               (4)   (5.2)
//! ```
//! With q̇ = Y v + y₀ on the constraints, v the free quasi-velocities, T°(v) = ½ vᵀg v + b·v + c, (1) and the constraints give
//! ```text
//! v = g⁻¹ j,  j = Yᵀπ − b,    H₁ = π·y₀ + ½ jᵀg⁻¹j − c + V,    μ_j = Σ_i Φ_{i,l+j} (π_i − ∂T/∂q̇_i)                (5)
//! ```
//! so that a matrix of the size of the degrees of freedom is inverted, and no larger one. (3) are the vakonomic equations; a
//! solution is a motion of the nonholonomic system iff Rumyantsev's condition holds along it (`noslip explain compare`).
//!
//! For nonlinear constraints (1) is solved where q̇ = Y v + c √(2T°), T° = ½ vᵀg v, as in Appell's example, ż = √(ẋ² + ẏ²)/a:
//! ```text
//! H₁ = ½ (ρ + P)² + V,   ρ² = jᵀg⁻¹j,  j = Yᵀπ,  P = c·π,    v = (1 + P/ρ) g⁻¹ j                                    (6)
//! ```
//! valid where ρ + P > 0, which is so for the momenta of motions near μ = 0. The second derivatives of H₁ by π have the rank l < n: the
//! Hamiltonian is degenerate.
//!
//! Valid when: constraints linear in the velocities, or as in (6); all forces from a potential, T of degree two with (1) solvable.

use super::root_form::RootForm;
use crate::analysis::quadrature::potential;
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Formula, Known, Matrix, NOT_DECIDED, Role, Symbol, not_decided};
use crate::mechanics::{Generic, Workbench};
use crate::model::System;
use crate::principles::vakonomic::{AgreementOfPrinciples, Vakonomic};
use crate::verify::{vanishes, vanishes_in_general};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "canonical",
    aliases: &["hamilton-jacobi"],
    name: "Canonical equations and the generalised Hamilton–Jacobi equation",
    source: "Sumbatov 2002, section 5, (5.1)-(5.3)",
    needs: "constraints linear in the velocities, forces with a potential",
    about: crate::card::head_of!("canonical.rs"),
};

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
    pub verified: Known,
    /// Rank of ∂²H₁/∂π∂π: below n the Hamiltonian is degenerate.
    pub hessian_rank: usize,
    /// When a solution is a motion of the nonholonomic system.
    pub agreement: AgreementOfPrinciples,
    /// Rumyantsev's condition in t, q, π, one expression per virtual displacement: a solution is a motion of the
    /// nonholonomic system iff all vanish along it.
    pub motion_condition: Vec<Expr>,
}

fn refuse(why: &str) -> Error {
    if why == NOT_DECIDED {
        return not_decided();
    }
    Error::not_applicable(format!("the canonical form does not apply: {why}"))
}

/// The system with the forces that have a potential, wherever they were written, in its potential energy.
fn conservative(w: &mut Workbench) -> Result<Arc<System>> {
    let system = w.system.clone();
    let forces = w.simplify_all(&system.forces);
    if forces.iter().all(|&f| w.g.is_zero(f)) {
        return Ok(system);
    }
    if forces.iter().any(|&f| w.g.depends_on_any(f, &system.velocities)) {
        return Err(refuse("there are forces that depend on velocities"));
    }
    for i in 0..forces.len() {
        for j in 0..i {
            let (x, y) = (w.g.diff(forces[i], system.coordinates[j]), w.g.diff(forces[j], system.coordinates[i]));
            let curl = w.g.sub(x, y);
            if !vanishes(w, curl).holds() {
                return Err(refuse("there are forces without a potential"));
            }
        }
    }
    let mut generic = Generic::new(&mut w.g, &w.system);
    let work = potential(w, &system.coordinates, &forces, &[], &mut generic)
        .ok_or_else(|| refuse("the forces have a potential, but it was not found in closed form"))?;
    let zero = w.g.zero();
    let potential = w.g.sub(system.potential, work);
    Ok(Arc::new(System { potential, forces: vec![zero; forces.len()], ..(*system).clone() }))
}

/// Is the form valid for the system? An error says why not.
pub fn applies(w: &mut Workbench) -> Result<()> {
    let system = conservative(w)?;
    w.beside(system, suits)
}

fn suits(w: &mut Workbench) -> Result<()> {
    if w.system.k() == 0 {
        return Err(refuse("the system has no constraints"));
    }
    w.no_second_order().map_err(|why| refuse(&why))?;
    w.independent_constraints().map_err(|why| refuse(&why))?;
    let (d, system) = (w.dynamics(), w.system.clone());
    if d.mass.iter().flatten().any(|&e| w.occurs(e, &system.velocities).is_some()) {
        return Err(refuse("the kinetic energy is not quadratic in the velocities"));
    }
    if !is_linear(w) {
        let why = |why: String| refuse(&format!("a constraint is not linear in the velocities, and {why}"));
        RootForm::of(w).map_err(why)?;
    }
    Ok(())
}

fn is_linear(w: &mut Workbench) -> bool {
    let (d, velocities) = (w.dynamics(), w.system.velocities.clone());
    d.a.iter().flatten().all(|&e| w.occurs(e, &velocities).is_none())
}

/// One letter per coordinate, named after it.
fn beside(w: &mut Workbench, letter: &str) -> Vec<Symbol> {
    let names: Vec<String> = w.system.coordinates.iter().map(|&q| format!("{letter}_{}", w.g.name(q))).collect();
    names.iter().map(|name| w.g.declare_beside(name, Role::Other)).collect()
}

/// What (1) gives when it is solved: velocities, Hamiltonian and multipliers as functions of q, π, t.
pub(super) struct Legendre {
    pub velocities: Vec<Expr>,
    pub hamiltonian: Expr,
    pub multipliers: Vec<Expr>,
}

impl Legendre {
    fn of(w: &mut Workbench, momenta: &[Symbol]) -> Result<Legendre> {
        let (n, k) = (w.system.n(), w.system.k());
        let pi: Vec<Expr> = momenta.iter().map(|&s| w.g.symbol(s)).collect();
        let quasi = w.closed_quasi().map_err(|why| refuse(&why))?;
        let free = &quasi.free;
        let on_constraints = quasi.velocities.clone().ok_or_else(|| refuse("the velocities have no closed form"))?;
        let inserted = w.system.velocities.iter().copied().zip(on_constraints.iter().copied()).collect();
        let kinetic = w.g.substitute(w.system.kinetic, &inserted);
        let kinetic = w.simplify(kinetic);
        let metric: Matrix = w.g.hessian(kinetic, free);
        let metric: Matrix = metric.iter().map(|row| w.simplify_all(row)).collect();
        let inverse =
            w.inverse_or(&metric, "the momenta do not determine the velocities").map_err(|why| refuse(&why))?;
        let slopes = w.g.gradient(kinetic, free);
        let mut j = Vec::new();
        for (s, &slope) in slopes.iter().enumerate() {
            let y: Vec<Expr> = on_constraints.iter().map(|&e| w.g.diff(e, free[s])).collect();
            let along = w.g.dot_product(&pi, &y);
            let b = w.g.without(slope, free);
            j.push(w.simplify(along - b));
        }
        let v_of_pi: Vec<Expr> = w.g.matrix_vector(&inverse, &j); // (5)
        let at_rest: Vec<Expr> = on_constraints.iter().map(|&e| w.g.without(e, free)).collect();
        let drift = w.g.dot_product(&pi, &at_rest);
        let square = w.g.dot_product(&j, &v_of_pi);
        let c = w.g.without(kinetic, free);
        let hamiltonian = w.simplify(drift + square / 2 - c + w.system.potential); // (2)
        let by_v: FxHashMap<Symbol, Expr> = free.iter().copied().zip(v_of_pi.iter().copied()).collect();
        let mut velocities = Vec::new();
        for &e in &on_constraints {
            let e = w.g.substitute(e, &by_v);
            velocities.push(w.simplify(e));
        }
        let insert = w.system.velocities.iter().copied().zip(velocities.iter().copied()).collect();
        let d = w.dynamics();
        let own: Vec<Expr> = d.momenta.iter().map(|&p| w.g.substitute(p, &insert)).collect();
        let mut multipliers = Vec::new();
        for r in 0..k {
            let lambda: Formula = (0..n).map(|i| quasi.phi[i][free.len() + r] * (pi[i] - own[i])).sum();
            multipliers.push(w.simplify(lambda));
        }
        Ok(Legendre { velocities, hamiltonian, multipliers })
    }
}

impl Canonical {
    /// Derives (1)–(4). Forces that have a potential are taken into it.
    pub fn of(w: &mut Workbench) -> Result<Canonical> {
        let system = conservative(w)?;
        w.beside(system, Canonical::derive)
    }

    fn derive(w: &mut Workbench) -> Result<Canonical> {
        suits(w)?;
        let v = Vakonomic::of(w)?;
        let momenta: Vec<Symbol> = beside(w, "pi");
        let definitions = w.g.gradient(v.lagrangian, &w.system.velocities); // (1)
        let (solved, there) = match is_linear(w) {
            true => (Legendre::of(w, &momenta)?, Known::Proved),
            false => RootForm::of(w).map_err(|why| refuse(&why))?.solve(w, &v, &momenta, &definitions)?,
        };
        let Legendre { velocities, hamiltonian, multipliers } = solved;
        // ½ jᵀg⁻¹j and ½ (ρ + P)² have that rank, g being regular and the l columns of Y independent.
        let hessian_rank = w.system.n() - w.system.k();
        let by_pi = w.g.gradient(hamiltonian, &momenta);
        let mut verified = there;
        for (a, b) in by_pi.into_iter().zip(&velocities) {
            let e = w.g.of(a - *b);
            verified = verified.and(vanishes(w, e));
        }
        let by_q = w.g.gradient(hamiltonian, &w.system.coordinates);
        let rates = by_q.into_iter().map(|e| w.simplify(-e)).collect(); // (3)
        let action = (w.g.declare_beside("S_t", Role::Other), beside(w, "S"));
        let gradient: Vec<Expr> = action.1.iter().map(|&s| w.g.symbol(s)).collect();
        let h = w.g.substitute(hamiltonian, &momenta.iter().copied().zip(gradient).collect());
        let hamilton_jacobi = w.g.symbol(action.0) + h; // (4)
        let hamilton_jacobi = w.g.of(hamilton_jacobi);
        let agreement = v.agreement(w);
        let mut in_momenta: FxHashMap<Symbol, Expr> =
            w.system.velocities.iter().copied().zip(velocities.iter().copied()).collect();
        in_momenta.extend(v.multipliers.iter().copied().zip(multipliers.iter().copied()));
        let mut motion_condition = Vec::new();
        for &e in &v.condition {
            let e = w.g.substitute(e, &in_momenta);
            motion_condition.push(w.simplify(e));
        }
        Ok(Canonical {
            momenta,
            definitions,
            velocities,
            multipliers,
            hamiltonian,
            rates,
            action,
            hamilton_jacobi,
            verified,
            hessian_rank,
            agreement,
            motion_condition,
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
            vanishes_in_general(w, determinant).is_refuted()
        };
        let integrals = w.g.gradient(s, constants);
        let integrals = w.simplify_all(&integrals);
        let gradient: FxHashMap<Symbol, Expr> = self.momenta.iter().copied().zip(by_q.iter().copied()).collect();
        let (mut is_motion, mut motion_condition) = (Known::Proved, Vec::new());
        for &e in &self.motion_condition {
            let e = w.g.substitute(e, &gradient);
            let e = w.simplify(e);
            is_motion = is_motion.and(vanishes(w, e));
            motion_condition.push(e);
        }
        IntegralCheck { residual, satisfies, complete, integrals, is_motion, motion_condition }
    }
}

/// Is a proposed S a complete integral?
#[derive(Clone, Debug)]
pub struct IntegralCheck {
    /// What is left of (4).
    pub residual: Expr,
    /// Does S satisfy (4)?
    pub satisfies: Known,
    /// Are there n constants with det ∂²S/∂q∂α ≠ 0?
    pub complete: bool,
    /// ∂S/∂α: constant along the solutions.
    pub integrals: Vec<Expr>,
    /// Is every solution it gives a motion of the nonholonomic system?
    pub is_motion: Known,
    /// Rumyantsev's condition with π = ∂S/∂q: what has to vanish along a solution for it to be a motion.
    pub motion_condition: Vec<Expr>,
}
