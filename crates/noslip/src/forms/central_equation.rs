//! The explicit central equation: one equation for all virtual displacements, with the transpositional terms standing.
//!
//! Unknowns: v̇_1…v̇_l.
//!
//! ```text
//! Σ_r [d/dt ∂T*/∂v_r − ∂T*/∂π_r − Q*_r] δπ_r − Σ_i (∂T/∂q̇_i)* [d/dt(δq_i) − δq̇_i] = 0        (1)
//! d/dt(δq_i) − δq̇_i = Σ_r τ_ir δπ_r,    τ_ir = dΦ_ir/dt − ∂q̇_i/∂π_r                          (2)
//! ```
//!
//! with δq_i = Σ_r Φ_ir δπ_r and d(δπ_r) = δv_r for the free quasi-coordinates. T* has the constraints inserted. The δπ_r are
//! independent: their coefficients vanish.
//!
//! Valid when: q̇ can be expressed by the quasi-velocities (nonlinear ones too).
//! Source: Greenwood (5.129), (5.153).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational, Role};

/// The form `central-equation`.
pub struct CentralEquation;

impl Form for CentralEquation {
    fn card(&self) -> &'static Card {
        &Card {
            id: "central-equation",
            aliases: &[],
            name: "The central equation (Heun, Hamel)",
            source: "Heun 1901, Hamel 1904; Greenwood (5.129), (5.153)",
            needs: "velocities in closed form in the quasi-velocities",
            text: include_str!("central_equation.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.closed_quasi())
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        let quasi = w.closed_quasi().map_err(|why| refuse(self, why))?;
        let (n, l) = (w.system.n(), quasi.free.len());
        let star = quasi.kinetic(w);
        let momenta = quasi.momenta(w);
        let variations: Vec<Expr> = (0..l)
            .map(|r| {
                let name = format!("delta_pi_{}", w.g.name(quasi.free[r]));
                let s = w.g.declare(&name, Role::Variation);
                w.g.symbol(s)
            })
            .collect();
        let mut own = Vec::new();
        let mut relations = vec![Vec::new(); n];
        for r in 0..l {
            let p = w.g.diff(star, quasi.free[r]);
            let mut terms = quasi.lagrangian_part(w, p, star, r);
            for i in 0..n {
                let tau = quasi.transposition(w, i, r); // (2)
                terms.push((w.g.mul(momenta[i], tau), Rational::MINUS_ONE));
                relations[i].push(w.g.mul(tau, variations[r]));
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (1)
        }
        let mut eq = quasi.finish(w, self.id(), own);
        eq.show("kinetic energy, constraints inserted", "T*", star);
        for (i, terms) in relations.into_iter().enumerate() {
            let value = w.g.sum(terms);
            if !w.g.is_zero(value) {
                let name = w.g.name(w.system.coordinates[i]).to_owned();
                eq.show(format!("transpositional relation of {name}"), format!("d/dt(δ{name}) − δ{name}'"), value);
            }
        }
        Ok(eq)
    }
}
