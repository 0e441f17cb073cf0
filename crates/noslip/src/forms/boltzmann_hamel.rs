//! The Boltzmann–Hamel equations: Lagrange's equations in quasi-coordinates, with the coefficients γ that tell how far these
//! are from being coordinates.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! d/dt ∂T*/∂v_r − ∂T*/∂π_r + Σ_j Σ_{m≤l} ∂T*/∂v_j γ^j_rm v_m + Σ_j ∂T*/∂v_j γ^j_r = Q*_r,    r = 1…l, j = 1…n        (5.94)
//! γ^j_rm = Σ_{i,h} (∂Ψ_ji/∂q_h − ∂Ψ_jh/∂q_i) Φ_hm Φ_ir                                                                 (5.57)
//! γ^j_r  = Σ_{i,h} (∂Ψ_ji/∂q_h − ∂Ψ_jh/∂q_i) Φ_ht Φ_ir + Σ_i (∂Ψ_ji/∂t − ∂Ψ_jt/∂q_i) Φ_ir                             (5.58)
//! ```
//!
//! T* is the energy of the system *without* the constraints, in all n quasi-velocities; v_{l+j} = 0 is inserted after
//! differentiating, and the sum runs over all ∂T*/∂v_j. The terms with one index are there for affine and rheonomic ones.
//!
//! Valid when: all quasi-velocities and constraints are linear in q̇ (affine and with t allowed).
//! Sources: Greenwood (5.94) with (5.57), (5.58); Soltakhanov, Yushkov, Zegzhda, chapter II, (3.25).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula, Rational};
use crate::mechanics::Quasi;
use std::sync::Arc;

/// Quasi-velocities that are affine in the velocities, with the constraints.
pub(super) fn linear_quasi(w: &mut Workbench) -> Result<Arc<Quasi>, String> {
    let quasi = w.closed_quasi()?;
    if quasi.linear() {
        return Ok(quasi);
    }
    let velocities = w.system.velocities.clone();
    let nonlinear = |row: &Vec<Expr>| row.iter().any(|&e| w.g.depends_on_any(e, &velocities));
    let which = quasi.psi.iter().position(nonlinear).map(|rho| w.g.name(quasi.all()[rho]).to_owned());
    Err(format!("`{}` is not linear in the velocities", which.unwrap_or_default()))
}

/// The coefficients γ: (5.57), (5.58).
pub(crate) struct Gamma {
    /// γ^j_rm with two lower indices, by j, r, m.
    pub two: Vec<Vec<Vec<Expr>>>,
    /// γ^j_r with one lower index, by j, r.
    pub one: Vec<Vec<Expr>>,
}

impl Gamma {
    /// Computes all of them.
    pub(crate) fn of(w: &mut Workbench, quasi: &Quasi) -> Result<Gamma> {
        let (n, l) = (w.system.n(), quasi.free.len());
        let zero = w.g.zero();
        let offset = quasi.offset.clone().unwrap_or_else(|| vec![zero; n]);
        // Φ_ht: q̇_h at v = 0.
        let mut drift = Vec::new();
        for h in 0..n {
            let e = w.g.dot_product(&quasi.phi[h], &offset);
            drift.push(w.simplify(-e));
        }
        let (q, t) = (w.system.coordinates.clone(), w.g.time());
        let mut gamma = Gamma { two: Vec::new(), one: Vec::new() };
        for j in 0..n {
            // curl_ih = ∂Ψ_ji/∂q_h − ∂Ψ_jh/∂q_i
            let mut curl = vec![vec![zero; n]; n];
            for i in 0..n {
                w.may_go_on()?;
                for h in 0..n {
                    let (a, b) = (w.g.diff(quasi.psi[j][i], q[h]), w.g.diff(quasi.psi[j][h], q[i]));
                    curl[i][h] = w.g.sub(a, b);
                }
            }
            let (mut two, mut one) = (Vec::new(), Vec::new());
            for r in 0..l {
                w.may_go_on()?;
                let by_r: Vec<Expr> = (0..n)
                    .map(|h| {
                        let column: Vec<Expr> = (0..n).map(|i| curl[i][h]).collect();
                        let phi: Vec<Expr> = (0..n).map(|i| quasi.phi[i][r]).collect();
                        w.g.dot_product(&column, &phi)
                    })
                    .collect();
                let mut row = Vec::new();
                for m in 0..l {
                    let phi: Vec<Expr> = (0..n).map(|h| quasi.phi[h][m]).collect();
                    let e = w.g.dot_product(&by_r, &phi); // (5.57)
                    row.push(w.simplify(e));
                }
                two.push(row);
                let mut terms = Formula::from(w.g.dot_product(&by_r, &drift)); // (5.58)
                for i in 0..n {
                    let (a, b) = (w.g.diff(quasi.psi[j][i], t), w.g.diff(offset[j], q[i]));
                    let difference = w.g.sub(a, b);
                    terms += difference * quasi.phi[i][r];
                }
                one.push(w.simplify(terms));
            }
            gamma.two.push(two);
            gamma.one.push(one);
        }
        Ok(gamma)
    }

    /// Shows the non-zero ones.
    fn show(&self, w: &mut Workbench, quasi: &Quasi, eq: &mut Equations) {
        let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
        for (j, table) in self.two.iter().enumerate() {
            for (r, row) in table.iter().enumerate() {
                for (m, &e) in row.iter().enumerate() {
                    if !w.g.is_zero(e) {
                        let symbol = format!("γ^{}[{},{}]", names[j], names[r], names[m]);
                        eq.show("Hamel coefficient", symbol, e);
                    }
                }
                if !w.g.is_zero(self.one[j][r]) {
                    eq.show("Hamel coefficient", format!("γ^{}[{}]", names[j], names[r]), self.one[j][r]);
                }
            }
        }
    }
}

/// The form `boltzmann-hamel`.
pub struct BoltzmannHamel;

impl Form for BoltzmannHamel {
    fn card(&self) -> &'static Card {
        &Card {
            id: "boltzmann-hamel",
            aliases: &["hamel-boltzmann", "voronets-hamel", "euler-lagrange-quasi", "volterra"],
            name: "The Boltzmann–Hamel equations",
            source: "Boltzmann 1902, Hamel 1904; Greenwood (5.94); Soltakhanov, Yushkov, Zegzhda II (3.25)",
            needs: "quasi-velocities and constraints linear (affine, rheonomic) in the velocities",
            about: crate::card::head_of!("boltzmann_hamel.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(linear_quasi(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = linear_quasi(w).map_err(|why| refuse(self, why))?;
        let gamma = Gamma::of(w, &quasi)?;
        let l = quasi.free.len();
        let star = quasi.kinetic_free(w).unwrap_or(w.system.kinetic);
        let momenta = quasi.momenta_of(w, star);
        let constrained = quasi.on_constraints(w, star);
        let mut own = Vec::new();
        for r in 0..l {
            w.may_go_on()?;
            let mut terms = quasi.lagrangian_part(w, momenta[r], constrained, r);
            for (j, &p) in momenta.iter().enumerate() {
                for (m, &v) in quasi.free.iter().enumerate() {
                    let v = w.g.symbol(v);
                    terms.push((w.g.product([p, gamma.two[j][r][m], v]), Rational::ONE));
                }
                terms.push((w.g.mul(p, gamma.one[j][r]), Rational::ONE));
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (5.94)
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("kinetic energy in the quasi-velocities, without the constraints", "T*", star);
        gamma.show(w, &quasi, &mut eq);
        for r in 0..l {
            let force = quasi.force(w, r);
            if !w.g.is_zero(force) {
                let name = w.g.name(quasi.free[r]).to_owned();
                eq.show(format!("generalised force of {name}"), format!("Q*[{name}]"), force);
            }
        }
        Ok(eq)
    }
}
