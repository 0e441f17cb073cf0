//! The Hamel–Novoselov equations: quasi-velocities and constraints may be nonlinear in the velocities.
//!
//! Unknowns: v̇_1…v̇_l (all q̈ with the differentiated constraints, where q̇ has no closed form in v).
//!
//! ```text
//! first kind:   d/dt ∂T*/∂v_λ − ∂T*/∂π_λ − Σ_i (∂T/∂q̇_i)* (d/dt ∂q̇_i/∂v_λ − ∂q̇_i/∂π_λ) = Q*_λ                     (3.7)
//! second kind:  d/dt ∂T*/∂v_λ − ∂T*/∂π_λ + Σ_ρ ∂T*/∂v_ρ Σ_i Φ_iλ (d/dt ∂v_ρ/∂q̇_i − ∂v_ρ/∂q_i) = Q*_λ              (3.18)
//! ```
//!
//! T* in (3.18) is the energy without the constraints and ρ runs over all n quasi-velocities; constraints are inserted after
//! differentiating. Without a closed inverse map the derivatives of q̇(v) come from Φ = Ψ⁻¹:
//! ∂T*/∂v_ρ = Σ_i ∂T/∂q̇_i Φ_iρ,  ∂T*/∂q_h = ∂T/∂q_h − Σ_ρ ∂T*/∂v_ρ ∂v_ρ/∂q_h.
//!
//! Valid when: the constraints are of first order (or holonomic) and independent.
//! Source: Soltakhanov, Yushkov, Zegzhda, chapter II, (3.18), (3.24).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula, Matrix, Rational};
use crate::mechanics::Quasi;

/// (3.24), in the variables v, with F_ρλ = Σ_i Φ_iλ (d/dt ∂v_ρ/∂q̇_i − ∂v_ρ/∂q_i).
pub(super) fn second_kind(w: &mut Workbench, quasi: &Quasi) -> Result<(Vec<Expr>, Matrix)> {
    let star = quasi.kinetic_free(w).unwrap_or(w.system.kinetic);
    let constrained = quasi.on_constraints(w, star);
    let momenta = quasi.momenta_of(w, star);
    let mut transpositions = vec![Vec::new(); momenta.len()];
    let mut own = Vec::new();
    for lambda in 0..quasi.free.len() {
        let mut terms = quasi.lagrangian_part(w, momenta[lambda], constrained, lambda);
        for (rho, &p) in momenta.iter().enumerate() {
            w.may_go_on()?;
            let f = quasi.quasi_transposition(w, rho, lambda);
            let f = w.simplify(f);
            terms.push((w.g.mul(p, f), Rational::ONE));
            transpositions[rho].push(f);
        }
        own.push(w.g.linear(Rational::ZERO, terms));
    }
    Ok((own, transpositions))
}

/// (3.18) with velocities left standing.
fn second_kind_in_velocities(w: &mut Workbench, quasi: &Quasi) -> Result<Vec<Expr>> {
    let d = w.dynamics();
    let (n, l) = (w.system.n(), quasi.free.len());
    let phi = quasi.phi_in_velocities(w);
    let column = |rho: usize| -> Vec<Expr> { (0..n).map(|i| phi[i][rho]).collect() };
    let momenta: Vec<Expr> = (0..n).map(|rho| w.g.dot_product(&d.momenta, &column(rho))).collect();
    // ∂T*/∂q_h = ∂T/∂q_h − Σ_ρ ∂T*/∂v_ρ ∂v_ρ/∂q_h
    let mut by_q = Vec::new();
    for h in 0..n {
        w.may_go_on()?;
        let q = w.system.coordinates[h];
        let mut terms = Formula::from(w.g.diff(w.system.kinetic, q));
        for (rho, v) in quasi.expressions.iter().enumerate() {
            let Some(v) = *v else { continue };
            let by = w.g.diff(v, q);
            terms -= momenta[rho] * by;
        }
        by_q.push(w.g.of(terms));
    }
    let mut own = Vec::new();
    for lambda in 0..l {
        let direction = column(lambda);
        let rate = w.g.time_derivative(momenta[lambda]);
        let by_pi = w.g.dot_product(&by_q, &direction);
        let force = w.g.dot_product(&d.forces, &direction);
        let mut terms = rate - by_pi - force;
        for (rho, v) in quasi.expressions.iter().enumerate() {
            let Some(v) = *v else { continue };
            w.may_go_on()?;
            for i in 0..n {
                let rate = w.g.time_derivative(quasi.psi[rho][i]);
                let by = w.g.diff(v, w.system.coordinates[i]);
                let bracket = w.g.sub(rate, by);
                terms += momenta[rho] * direction[i] * bracket;
            }
        }
        own.push(w.g.of(terms));
    }
    Ok(own)
}

/// The form `hamel-novoselov`.
pub struct HamelNovoselov;

impl Form for HamelNovoselov {
    fn card(&self) -> &'static Card {
        &Card {
            id: "hamel-novoselov",
            aliases: &["novoselov"],
            name: "The Hamel–Novoselov equations",
            source: "Novoselov 1957, Hamel; Soltakhanov, Yushkov, Zegzhda II (3.18), (3.24)",
            needs: "independent constraints of first order, nonlinear ones too",
            about: crate::card::head_of!("hamel_novoselov.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.no_second_order().and_then(|()| w.directions()))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        w.no_second_order().map_err(|why| refuse(self, why))?;
        let quasi = w.quasi().map_err(|why| refuse(self, why))?;
        if quasi.obstacle(w).is_some() {
            let own = second_kind_in_velocities(w, &quasi)?;
            return quasi.finish_in_velocities(w, self.id(), own);
        }
        let (n, l) = (w.system.n(), quasi.free.len());
        let star = quasi.kinetic(w);
        let momenta = quasi.momenta(w);
        let mut own = Vec::new();
        for lambda in 0..l {
            let p = w.g.diff(star, quasi.free[lambda]);
            let mut terms = quasi.lagrangian_part(w, p, star, lambda);
            for i in 0..n {
                w.may_go_on()?;
                let bracket = quasi.transposition(w, i, lambda);
                terms.push((w.g.mul(momenta[i], bracket), Rational::MINUS_ONE));
            }
            own.push(w.g.linear(Rational::ZERO, terms)); // (3.7)
        }
        let (second, _) = second_kind(w, &quasi)?;
        let mut eq = quasi.finish(w, self.id(), own)?;
        eq.show("kinetic energy, constraints inserted", "T*", star);
        eq.alternatives.push(("second kind".into(), second));
        Ok(eq)
    }
}
