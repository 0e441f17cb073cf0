//! The Poincaré–Chetaev equations: first order throughout, in the state (q, v), with the structure coefficients of the fields
//! that carry the motion. Time is the coordinate with index 0.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! d/dt ∂L*/∂v_λ = Σ_μρ c^ρ_μλ v_μ ∂L*/∂v_ρ + Σ_ρ c^ρ_0λ ∂L*/∂v_ρ + Σ_i b^i_λ ∂L*/∂q_i + Q̃_λ        (3.22)
//! c^ρ_αβ = Σ_γδ (∂a^ρ_γ/∂q_δ − ∂a^ρ_δ/∂q_γ) b^γ_α b^δ_β,    γ, δ = 0…n,  q_0 = t
//! ```
//!
//! a is Ψ bordered by the row and column of time, b its inverse; L* = T* − V in all n quasi-velocities, constraints inserted
//! after differentiating; Q̃ the forces that do not come from V. Where all c are constant they are those of a Lie algebra:
//! Poincaré's own case.
//!
//! A model may give the operators themselves, [operators] with X_s = Σ_i b^i_s ∂/∂q_i and q̇ = Σ v_s X_s q; then c follows from
//! their commutators, [X_μ, X_λ] = Σ_ρ c^ρ_μλ X_ρ. There may be more of them than degrees of freedom, as where the rotations of space move
//! a point on a sphere: the equations hold for every X_s, and of the v that give the same velocity the least is taken.
//!
//! Valid when: all quasi-velocities and constraints are linear in q̇ (affine and with t allowed).
//! Sources: Soltakhanov, Yushkov, Zegzhda, chapter II, (2.25), (3.26); Sumbatov (3.13).

use super::boltzmann_hamel::linear_quasi;
use super::operators::redundant;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::ansatz::lift;
use crate::expr::{Expr, Matrix, Symbol};
use crate::mechanics::{Admissible, Quasi};

/// Structure coefficients that are constant where the finite constraints hold, as in redundant coordinates (c² + s² = 1), become
/// these constants (Chetaev's case).
/// The answer says whether that could be looked at.
fn on_finite_constraints(w: &mut Workbench, c: &mut [Vec<Vec<Expr>>]) -> bool {
    if w.system.constraints.iter().all(|k| k.order != 0) {
        return true;
    }
    let Some(mut admissible) = Admissible::new(w, &[]) else { return false };
    if !(0..8).any(|_| admissible.state(w).is_some()) {
        return false;
    }
    for e in c.iter_mut().flatten().flatten() {
        if !w.g.depends_on_any(*e, &w.system.coordinates) {
            continue;
        }
        let values = admissible.evaluator(&mut w.g, &[*e]);
        let at = (0..8).find_map(|_| admissible.state(w).and_then(|p| values.at(&w.g, &p).ok()));
        let Some(constant) = at.and_then(|v| lift(v[0])) else { continue };
        let number = w.g.number(constant);
        let difference = w.g.sub(*e, number);
        if admissible.vanishes(w, difference) {
            *e = number;
        }
    }
    true
}

/// The structure coefficients c^ρ_αβ for α = 0…l, β = 1…l, ρ = 1…n, with time as index 0.
fn structure(w: &mut Workbench, quasi: &Quasi) -> Result<Vec<Matrix>> {
    let (n, l) = (w.system.n(), quasi.free.len());
    let (zero, one) = (w.g.zero(), w.g.one());
    let offset = quasi.offset.clone().unwrap_or_else(|| vec![zero; n]);
    // a and b with time as index 0.
    let mut a = vec![vec![zero; n + 1]; n + 1];
    let mut b = vec![vec![zero; n + 1]; n + 1];
    (a[0][0], b[0][0]) = (one, one);
    for rho in 0..n {
        a[rho + 1][0] = offset[rho];
        for i in 0..n {
            a[rho + 1][i + 1] = quasi.psi[rho][i];
            b[i + 1][rho + 1] = quasi.phi[i][rho];
        }
    }
    for i in 0..n {
        let e = w.g.dot_product(&quasi.phi[i], &offset);
        b[i + 1][0] = w.simplify(-e);
    }
    let q: Vec<Symbol> = std::iter::once(w.g.time()).chain(w.system.coordinates.iter().copied()).collect();
    let mut c = vec![vec![vec![zero; l + 1]; l + 1]; n + 1];
    for rho in 1..=n {
        let mut curl = vec![vec![zero; n + 1]; n + 1];
        for gamma in 0..=n {
            w.may_go_on()?;
            for delta in 0..=n {
                let (x, y) = (w.g.diff(a[rho][gamma], q[delta]), w.g.diff(a[rho][delta], q[gamma]));
                curl[gamma][delta] = w.g.sub(x, y);
            }
        }
        for alpha in 0..=l {
            w.may_go_on()?;
            let column: Vec<Expr> = (0..=n).map(|gamma| b[gamma][alpha]).collect();
            let contracted: Vec<Expr> = (0..=n)
                .map(|delta| {
                    let by: Vec<Expr> = (0..=n).map(|gamma| curl[gamma][delta]).collect();
                    w.g.dot_product(&by, &column)
                })
                .collect();
            for beta in 1..=l {
                let other: Vec<Expr> = (0..=n).map(|delta| b[delta][beta]).collect();
                let e = w.g.dot_product(&contracted, &other);
                c[rho][alpha][beta] = w.simplify(e);
            }
        }
    }
    Ok(c)
}

/// The form `poincare-chetaev`.
pub struct PoincareChetaev;

impl Form for PoincareChetaev {
    fn card(&self) -> &'static Card {
        &Card {
            id: "poincare-chetaev",
            aliases: &["poincare"],
            name: "The Poincaré–Chetaev equations",
            source: "Poincaré 1901, Chetaev 1927; Soltakhanov, Yushkov, Zegzhda II (2.25), (3.26); Sumbatov (3.13)",
            needs: "quasi-velocities and constraints linear in the velocities",
            about: crate::card::head_of!("poincare_chetaev.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        if !w.system.operators.is_empty() {
            return applicability(redundant(w, self.id()));
        }
        applicability(linear_quasi(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        if !w.system.operators.is_empty() {
            return redundant(w, self.id()).map_err(|why| refuse(self, why));
        }
        let quasi = linear_quasi(w).map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let mut c = structure(w, &quasi)?;
        let looked_at = on_finite_constraints(w, &mut c);
        let kinetic = quasi.kinetic_free(w).unwrap_or(w.system.kinetic);
        let lagrangian = w.g.sub(kinetic, w.system.potential);
        let momenta = quasi.momenta_of(w, lagrangian);
        let constrained = quasi.on_constraints(w, lagrangian);
        let mut own = Vec::new();
        for lambda in 1..=l {
            let rate = quasi.ddt(w, momenta[lambda - 1]);
            let by_q = quasi.by_pi(w, constrained, lambda - 1);
            let mut terms = rate - by_q;
            w.may_go_on()?;
            for i in 0..n {
                let force = quasi.insert(w, w.system.forces[i]); // Q̃
                terms -= force * quasi.phi[i][lambda - 1];
            }
            for rho in 1..=n {
                for mu in 1..=l {
                    let v = w.g.symbol(quasi.free[mu - 1]);
                    let p = w.g.product([c[rho][mu][lambda], v, momenta[rho - 1]]);
                    terms -= p;
                }
                let p = w.g.mul(c[rho][0][lambda], momenta[rho - 1]);
                terms -= p;
            }
            own.push(w.g.of(terms)); // (3.22)
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("Lagrangian in the quasi-velocities, without the constraints", "L*", lagrangian);
        show_structure(w, &quasi, &c, looked_at, &mut eq);
        Ok(eq)
    }
}

/// Shows the coefficients that are not zero, and says whether they are those of a Lie algebra.
fn show_structure(w: &mut Workbench, quasi: &Quasi, c: &[Matrix], looked_at: bool, eq: &mut Equations) {
    let (n, l) = (w.system.n(), quasi.free.len());
    let q: Vec<Symbol> = std::iter::once(w.g.time()).chain(w.system.coordinates.iter().copied()).collect();
    let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
    let mut constant = true;
    for rho in 1..=n {
        for alpha in 0..=l {
            for beta in 1..=l {
                let e = c[rho][alpha][beta];
                // c is antisymmetric in the lower indices: each pair once.
                if w.g.is_zero(e) || (alpha > 0 && alpha >= beta) {
                    continue;
                }
                constant &= !w.g.depends_on_any(e, &q);
                let lower = if alpha == 0 { "t" } else { &names[alpha - 1] };
                eq.show("structure coefficient", format!("c^{}[{},{}]", names[rho - 1], lower, names[beta - 1]), e);
            }
        }
    }
    eq.notes.push(
        if constant {
            "the structure coefficients are constant: a Lie algebra, Poincaré's case"
        } else if looked_at {
            "the structure coefficients vary: not a Lie algebra"
        } else {
            "whether the structure coefficients are constant on the finite constraints is not decided"
        }
        .into(),
    );
}
