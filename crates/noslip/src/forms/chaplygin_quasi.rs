//! Chaplygin's equations in quasi-coordinates: the energy with the constraints inserted, corrected by the brackets of the
//! fields Φ_λ along which the system can move.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! d/dt ∂T*/∂v_λ − ∂T*/∂π_λ − Σ_i (∂T/∂q̇_i)* [Σ_μ (∂Φ_iλ/∂π_μ − ∂Φ_iμ/∂π_λ) v_μ + Z_iλ] = Q*_λ        (3.12)
//! Z_iλ = Σ_h ∂Φ_iλ/∂q_h Φ_ht + ∂Φ_iλ/∂t − ∂Φ_it/∂π_λ
//! ```
//!
//! T* has the constraints inserted. q̇_i = Σ_μ Φ_iμ v_μ + Φ_it; Z vanishes for homogeneous stationary constraints, the only
//! case the book prints.
//!
//! Valid when: all quasi-velocities and constraints are linear in q̇ (affine and with t allowed).
//! Source: Soltakhanov, Yushkov, Zegzhda, chapter II, (3.22).

use super::boltzmann_hamel::linear_quasi;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula, Rational, Symbol};

/// The form `chaplygin-quasi`.
pub struct ChaplyginQuasi;

impl Form for ChaplyginQuasi {
    fn card(&self) -> &'static Card {
        &Card {
            id: "chaplygin-quasi",
            aliases: &[],
            name: "Chaplygin's equations in quasi-coordinates",
            source: "Chaplygin; Soltakhanov, Yushkov, Zegzhda II (3.22)",
            needs: "quasi-velocities and constraints linear in the velocities",
            about: crate::card::head_of!("chaplygin_quasi.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(linear_quasi(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = linear_quasi(w).map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let star = quasi.kinetic(w);
        let momenta = quasi.momenta(w);
        // Φ_it: q̇_i at v = 0.
        let drift: Vec<Expr> = match &quasi.velocities {
            Some(velocities) => velocities.iter().map(|&e| w.g.without(e, &quasi.free)).collect(),
            None => vec![w.g.zero(); n],
        };
        let mut own = Vec::new();
        let mut shown = Vec::new();
        for lambda in 0..l {
            let p = w.g.diff(star, quasi.free[lambda]);
            let mut terms = quasi.lagrangian_part(w, p, star, lambda);
            for i in 0..n {
                w.may_go_on()?;
                let phi = quasi.phi(w, i, lambda);
                let mut parts = Formula::ZERO;
                for mu in 0..l {
                    let other = quasi.phi(w, i, mu);
                    let (a, b) = (quasi.by_pi(w, phi, mu), quasi.by_pi(w, other, lambda));
                    let bracket = w.simplify(a - b);
                    if mu > lambda && !w.g.is_zero(bracket) {
                        shown.push((i, lambda, mu, bracket));
                    }
                    let v = w.g.symbol(quasi.free[mu]);
                    parts += bracket * v;
                }
                // Z
                for h in 0..n {
                    let by = w.g.diff(phi, w.system.coordinates[h]);
                    parts += by * drift[h];
                }
                let t = w.g.time();
                parts += w.g.diff(phi, t);
                parts -= quasi.by_pi(w, drift[i], lambda);
                let bracket = w.g.of(parts);
                terms.push((w.g.mul(momenta[i], bracket), Rational::MINUS_ONE));
            }
            own.push(w.g.linear(Rational::ZERO, terms));
        }
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("kinetic energy, constraints inserted", "T*", star);
        for (i, lambda, mu, bracket) in shown {
            let name = |s: Symbol| w.g.name(s).to_owned();
            let (q, a, b) = (name(w.system.coordinates[i]), name(quasi.free[lambda]), name(quasi.free[mu]));
            eq.show(
                format!("component along {q} of the bracket of the fields of {b} and {a}"),
                format!("[{b},{a}]^{q}"),
                bracket,
            );
        }
        Ok(eq)
    }
}
