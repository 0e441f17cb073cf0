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
//! A constraint of second or third order is solved for the highest derivatives, q^(p)_{l+ν} = α_ν, and the velocities are free:
//!
//! ```text
//! Σ_j (g y_i)_j q̈_j + Σ_jk ξ_jk·y_i q̇_j q̇_k + 2 Σ_j η_j·y_i q̇_j + ζ·y_i = Q·y_i,    y_i = (δ_i, ∂α/∂q^(p)_i)
//! ```
//! over all coordinates, with q̈_{l+ν} = α_ν where p = 2.
//!
//! Valid when: T is quadratic in the velocities, and constraints of first order can be solved for the dependent velocities in closed
//! form.
//! Source: Talamucci, (14), (15), section 5; Proposition 4.1 says that this is Voronets' form.

use super::accelerated::Accelerated;
use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Formula, Matrix, Symbol};
use crate::mechanics::{Metric, Split, SplitFrame};
use std::sync::Arc;

/// The split, if α is explicit and T quadratic in the velocities.
fn suited(w: &mut Workbench) -> Result<(Arc<Split>, Metric), String> {
    let split = w.split()?;
    if w.no_second_order().is_ok() && split.explicit.is_none() {
        return Err("the constraints cannot be solved for the dependent velocities in closed form".into());
    }
    Ok((split, Metric::of(w)?))
}

/// g, ξ, η, ζ that are not zero, (13).
fn show_metric(w: &mut Workbench, metric: &Metric, eq: &mut Equations) -> Result<()> {
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
            w.may_go_on()?;
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
        w.may_go_on()?;
        let value = w.simplify(e);
        if !w.g.is_zero(value) {
            eq.show("coefficient of the kinetic energy, (13)", symbol, value);
        }
    }
    Ok(())
}

/// g·y, ξ·y, η·y, ζ·y: contractions over the last index with a virtual displacement y.
struct Along {
    g: Vec<Expr>,
    xi: Matrix,
    eta: Vec<Expr>,
    zeta: Expr,
}

impl Metric {
    fn along(&self, w: &mut Workbench, y: &[Expr]) -> Result<Along> {
        let n = w.system.n();
        let contracted = |w: &mut Workbench, entry: &dyn Fn(&mut Workbench, usize) -> Expr| {
            let column: Vec<Expr> = (0..n).map(|j| entry(w, j)).collect();
            w.g.dot_product(&column, y)
        };
        let mut xi = Vec::new();
        for r in 0..n {
            w.may_go_on()?;
            xi.push((0..n).map(|s| contracted(w, &|w, j| self.xi(w, r, s, j))).collect());
        }
        Ok(Along {
            g: (0..n).map(|r| w.g.dot_product(&self.g[r], y)).collect(),
            xi,
            eta: (0..n).map(|r| contracted(w, &|w, j| self.eta(w, r, j))).collect(),
            zeta: contracted(w, &|w, j| self.zeta(w, j)),
        })
    }
}

/// The left side of equation i of (14), and its coefficients C, D, E, G by name.
fn coefficients(
    w: &mut Workbench,
    frame: &SplitFrame,
    y: &Along,
    alpha: &[Expr],
    i: usize,
    objects: &mut Vec<(String, Expr)>,
) -> Result<Formula> {
    let (ind, dep) = (&frame.split.independent, &frame.split.dependent);
    let (l, k) = (ind.len(), dep.len());
    let names: Vec<String> = ind.iter().map(|&r| w.g.name(w.system.coordinates[r]).to_owned()).collect();
    let velocities: Vec<Expr> = ind.iter().map(|&r| w.g.symbol(w.system.velocities[r])).collect();
    let mut left = Formula::ZERO;
    for r in 0..l {
        w.may_go_on()?;
        let mut c = Formula::from(y.g[ind[r]]);
        for nu in 0..k {
            c += y.g[dep[nu]] * frame.alpha_v[nu][r];
        }
        let c = w.simplify(c);
        left += c * w.g.symbol(w.system.accelerations[ind[r]]);
        objects.push((format!("C[{},{}]", names[i], names[r]), c));
        for s in 0..l {
            let d = w.simplify(y.xi[ind[r]][ind[s]]);
            left += d * velocities[r] * velocities[s];
            objects.push((format!("D[{},{},{}]", names[i], names[r], names[s]), d));
        }
        let mut e = 2 * y.eta[ind[r]];
        for nu in 0..k {
            let by = frame.alpha_q(w, nu, ind[r]);
            e += 2 * (y.xi[ind[r]][dep[nu]] * alpha[nu]) + y.g[dep[nu]] * by;
        }
        let e = w.simplify(e);
        left += e * velocities[r];
        objects.push((format!("E[{},{}]", names[i], names[r]), e));
    }
    let mut rest = Formula::from(y.zeta);
    for nu in 0..k {
        w.may_go_on()?;
        for mu in 0..k {
            let by = frame.alpha_q(w, nu, dep[mu]);
            rest += y.xi[dep[nu]][dep[mu]] * alpha[nu] * alpha[mu] + y.g[dep[nu]] * alpha[mu] * by;
        }
        let by_t = frame.alpha_t(w, nu);
        rest += 2 * (y.eta[dep[nu]] * alpha[nu]) + y.g[dep[nu]] * by_t;
    }
    let rest = w.simplify(rest);
    objects.push((format!("G[{}]", names[i]), rest));
    Ok(left + rest)
}

/// The equations for constraints of second or third order.
fn of_higher_order(form: &VoronetsExplicit, w: &mut Workbench, metric: &Metric) -> Result<Equations> {
    let frame = Accelerated::new(w).map_err(|why| refuse(form, why))?;
    let (d, system) = (w.dynamics(), w.system.clone());
    let n = system.n();
    let symbols = |w: &mut Workbench, list: &[Symbol]| list.iter().map(|&s| w.g.symbol(s)).collect::<Vec<Expr>>();
    let (velocities, accelerations) = (symbols(w, &system.velocities), symbols(w, &system.accelerations));
    let mut own = Vec::new();
    for y in &frame.directions {
        let along = metric.along(w, y)?;
        let mut left = Formula::from(along.zeta) - w.g.dot_product(&d.forces, y);
        for j in 0..n {
            let acceleration = frame.insert(w, accelerations[j]);
            left += along.g[j] * acceleration + 2 * (along.eta[j] * velocities[j]);
            for k in 0..n {
                left += along.xi[j][k] * velocities[j] * velocities[k];
            }
        }
        own.push(w.g.of(left));
    }
    let mut eq = frame.finish(w, form.id(), own);
    show_metric(w, metric, &mut eq)?;
    Ok(eq)
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
            needs: "T quadratic in the velocities; constraints of first order solved in closed form",
            about: crate::card::head_of!("voronets_explicit.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(suited(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let (split, g) = suited(w).map_err(|why| refuse(self, why))?;
        if w.no_second_order().is_err() {
            return of_higher_order(self, w, &g);
        }
        let frame = SplitFrame::new(w, split);
        let split = frame.split.clone();
        let Some(alpha) = split.explicit.clone() else { return Err(refuse(self, "α has no closed form".into())) };
        let l = split.independent.len();
        let directions = split.directions(w);
        let directions: Matrix =
            directions.iter().map(|row| row.iter().map(|&e| frame.insert(w, e)).collect()).collect();
        let mut own = Vec::new();
        let mut objects = Vec::new();
        for i in 0..l {
            let along = g.along(w, &directions[i])?;
            let left = coefficients(w, &frame, &along, &alpha, i, &mut objects)?;
            let force = frame.force(w, i);
            own.push(w.g.of(left - force)); // (14)
        }
        let mut eq = frame.finish(w, self.id(), own);
        show_metric(w, &g, &mut eq)?;
        for (symbol, value) in objects {
            if !w.g.is_zero(value) {
                eq.show("coefficient of (14)", symbol, value);
            }
        }
        Ok(eq)
    }
}
