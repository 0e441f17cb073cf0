//! Talamucci's explicit coefficients: Voronets' equations written out in powers of the independent velocities, without second
//! derivatives of α.
//!
//! Unknowns: q̈_1…q̈_l.
//!
//! ```text
//! Σ_r (C_i^r q̈_r + Σ_s D_i^rs q̇_r q̇_s + E_i^r q̇_r) + G_i = Q_i + Σ_ν α_ν;i Q_{l+ν}        (14)
//! ```
//!
//! with α_ν;i = ∂α_ν/∂q̇_i, ν' = l+ν and, from T = ½ Σ g_ij q̇_i q̇_j + Σ b_i q̇_i + c,
//!
//! ```text
//! ξ_ijk = ½(∂g_ik/∂q_j + ∂g_jk/∂q_i − ∂g_ij/∂q_k),  η_rj = ½(∂g_rj/∂t + ∂b_j/∂q_r − ∂b_r/∂q_j),  ζ_j = ∂b_j/∂t − ∂c/∂q_j
//! C_i^r  = g_ir + Σ_ν(g_iν' α_ν;r + g_ν'r α_ν;i) + Σ_νμ g_ν'μ' α_μ;i α_ν;r
//! D_i^rs = ξ_rsi + Σ_ν ξ_rsν' α_ν;i
//! E_i^r  = Σ_ν[2(ξ_rν'i + Σ_μ ξ_rν'μ' α_μ;i) α_ν + (g_ν'i + Σ_μ g_ν'μ' α_μ;i) ∂α_ν/∂q_r] + 2(η_ri + Σ_ν α_ν;i η_rν')
//! G_i    = Σ_νμ[(ξ_ν'μ'i + Σ_p ξ_ν'μ'p' α_p;i) α_ν α_μ + (g_ν'i + Σ_p g_ν'p' α_p;i) α_μ ∂α_ν/∂q_μ']
//!          + 2Σ_ν(η_ν'i + Σ_μ η_ν'μ' α_μ;i) α_ν + Σ_ν(g_ν'i + Σ_μ g_ν'μ' α_μ;i) ∂α_ν/∂t + ζ_i + Σ_ν α_ν;i ζ_ν'
//! ```
//!
//! The printed (15) counts some terms k or k² times and has ∂α_ν/∂q̇_r in E_i^r; the sums above are regrouped and the
//! derivative is by q_r. Every coefficient is a contraction with the direction y_i = (δ_i, α_;i) of a virtual displacement.
//!
//! Valid when: the constraints are of first order and can be solved for the dependent velocities in closed form.
//! Source: Talamucci, (14), (15); Proposition 4.1 says that this is Voronets' form.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Matrix, Rational};
use crate::mechanics::{Metric, Split, SplitFrame};
use std::sync::Arc;

/// The split, if α is explicit and T quadratic in the velocities.
fn suited(w: &mut Workbench) -> Result<(Arc<Split>, Metric), String> {
    w.no_second_order()?;
    let split = w.split()?;
    if split.explicit.is_none() {
        return Err("the constraints cannot be solved for the dependent velocities in closed form".into());
    }
    Ok((split, Metric::of(w)?))
}

/// g, ξ, η, ζ that are not zero, (13).
fn show_metric(w: &mut Workbench, metric: &Metric, eq: &mut Equations) {
    let n = w.system.n();
    let names: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
    let mut list: Vec<(String, Expr)> = Vec::new();
    for i in 0..n {
        for j in i..n {
            list.push((format!("g[{},{}]", names[i], names[j]), metric.g[i][j]));
        }
    }
    for i in 0..n {
        for j in i..n {
            for k in 0..n {
                list.push((format!("ξ[{},{},{}]", names[i], names[j], names[k]), metric.xi(w, i, j, k)));
            }
        }
    }
    for r in 0..n {
        for j in 0..n {
            list.push((format!("η[{},{}]", names[r], names[j]), metric.eta(w, r, j)));
        }
    }
    for (j, name) in names.iter().enumerate() {
        list.push((format!("ζ[{name}]"), metric.zeta(w, j)));
    }
    for (symbol, e) in list {
        let value = w.simplify(e);
        if !w.g.is_zero(value) {
            eq.show("coefficient of the kinetic energy, (13)", symbol, value);
        }
    }
}

/// The form `voronets-explicit`.
pub struct VoronetsExplicit;

impl Form for VoronetsExplicit {
    fn card(&self) -> &'static Card {
        &Card {
            id: "voronets-explicit",
            aliases: &["talamucci"],
            name: "Voronets' equations with explicit coefficients (Talamucci)",
            source: "Talamucci, Proposition 2.1, (14)–(15), coefficients corrected",
            needs: "constraints of first order solved in closed form",
            text: include_str!("voronets_explicit.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(suited(w))
    }

    fn derive(&self, w: &mut Workbench) -> Result<Equations> {
        let (split, g) = suited(w).map_err(|why| refuse(self, why))?;
        let frame = SplitFrame::new(w, split);
        let split = frame.split.clone();
        let Some(alpha) = split.explicit.clone() else { return Err(refuse(self, "α has no closed form".into())) };
        let (l, k, n) = (split.independent.len(), split.dependent.len(), w.system.n());
        let (ind, dep) = (&split.independent, &split.dependent);
        let directions = split.directions(w);
        let directions: Matrix =
            directions.iter().map(|row| row.iter().map(|&e| frame.insert(w, e)).collect()).collect();
        let mut own = Vec::new();
        let mut objects = Vec::new();
        for i in 0..l {
            let y = &directions[i];
            // g·y, ξ·y, η·y, ζ·y: contractions over the last index with the virtual displacement.
            let gy: Vec<Expr> = (0..n).map(|r| w.g.dot_product(&g.g[r], y)).collect();
            let mut xy = vec![vec![w.g.zero(); n]; n];
            for r in 0..n {
                for s in 0..n {
                    let column: Vec<Expr> = (0..n).map(|j| g.xi(w, r, s, j)).collect();
                    xy[r][s] = w.g.dot_product(&column, y);
                }
            }
            let eta: Vec<Expr> = (0..n)
                .map(|r| {
                    let column: Vec<Expr> = (0..n).map(|j| g.eta(w, r, j)).collect();
                    w.g.dot_product(&column, y)
                })
                .collect();
            let zeta_column: Vec<Expr> = (0..n).map(|j| g.zeta(w, j)).collect();
            let zeta = w.g.dot_product(&zeta_column, y);
            let mut terms = Vec::new();
            let name_i = w.g.name(w.system.coordinates[ind[i]]).to_owned();
            for r in 0..l {
                let name_r = w.g.name(w.system.coordinates[ind[r]]).to_owned();
                // C
                let mut parts = vec![gy[ind[r]]];
                for nu in 0..k {
                    parts.push(w.g.mul(gy[dep[nu]], frame.alpha_v[nu][r]));
                }
                let c = w.g.sum(parts);
                let c = w.simplify(c);
                let acceleration = w.g.symbol(w.system.accelerations[ind[r]]);
                terms.push(w.g.mul(c, acceleration));
                objects.push((format!("C[{name_i},{name_r}]"), c));
                let velocity = w.g.symbol(w.system.velocities[ind[r]]);
                // D
                for s in 0..l {
                    let d = w.simplify(xy[ind[r]][ind[s]]);
                    let other = w.g.symbol(w.system.velocities[ind[s]]);
                    terms.push(w.g.product([d, velocity, other]));
                    let name_s = w.g.name(w.system.coordinates[ind[s]]).to_owned();
                    objects.push((format!("D[{name_i},{name_r},{name_s}]"), d));
                }
                // E
                let two = Rational::integer(2);
                let mut parts = vec![(eta[ind[r]], two.clone())];
                for nu in 0..k {
                    let first = w.g.mul(xy[ind[r]][dep[nu]], alpha[nu]);
                    parts.push((first, two.clone()));
                    let by = frame.alpha_q(w, nu, ind[r]);
                    let second = w.g.mul(gy[dep[nu]], by);
                    parts.push((second, Rational::ONE));
                }
                let e = w.g.linear(Rational::ZERO, parts);
                let e = w.simplify(e);
                terms.push(w.g.mul(e, velocity));
                objects.push((format!("E[{name_i},{name_r}]"), e));
            }
            // G
            let mut parts = vec![(zeta, Rational::ONE)];
            for nu in 0..k {
                for mu in 0..k {
                    let first = w.g.product([xy[dep[nu]][dep[mu]], alpha[nu], alpha[mu]]);
                    let by = frame.alpha_q(w, nu, dep[mu]);
                    let second = w.g.product([gy[dep[nu]], alpha[mu], by]);
                    parts.push((first, Rational::ONE));
                    parts.push((second, Rational::ONE));
                }
                let gyroscopic = w.g.mul(eta[dep[nu]], alpha[nu]);
                parts.push((gyroscopic, Rational::integer(2)));
                let by_t = frame.alpha_t(w, nu);
                let rheonomic = w.g.mul(gy[dep[nu]], by_t);
                parts.push((rheonomic, Rational::ONE));
            }
            let rest = w.g.linear(Rational::ZERO, parts);
            let rest = w.simplify(rest);
            objects.push((format!("G[{name_i}]"), rest));
            terms.push(rest);
            let force = frame.force(w, i);
            let left = w.g.sum(terms);
            own.push(w.g.sub(left, force)); // (14)
        }
        let mut eq = frame.finish(w, self.id(), own);
        show_metric(w, &g, &mut eq);
        for (symbol, value) in objects {
            if !w.g.is_zero(value) {
                eq.show("coefficient of (14)", symbol, value);
            }
        }
        Ok(eq)
    }
}
