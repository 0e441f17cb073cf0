//! The geometric form of Vrănceanu and Schouten: the acceleration in two spaces at right angles, one that the constraints leave
//! free and one that they determine.
//!
//! Unknowns: v̇_1…v̇_l (all q̈ with the differentiated constraints, where q̇ has no closed form in v).
//!
//! ```text
//! ε_λ = Σ_i ∂q̇_i/∂v_λ e_i,   ε^{l+κ} = Σ_i ∂φ_κ/∂q̇_i e^i = ∇′φ_κ                                  (2.4)
//! W = W_L + W^K,   M W_L = Y_L,   M W^K = Y^K + R^K                                                 (2.6), (2.7)
//! Σ_μ g_λμ v̇_μ + Σ_αβ Γ_λ,αβ v_α v_β = Y_λ,   g_λμ = ε_λ·ε_μ,   Γ_λ,αβ = ε_λ·∇_α ε_β              (1)
//! ε^{l+κ}·W = χ_κ = −∂φ_κ/∂t − Σ_i ∂φ_κ/∂q_i q̇_i + Σ_i ∂φ_κ/∂q̇_i Γ^i_ab q̇_a q̇_b                     (2)
//! W^K_κ = Σ h⁻¹_κκ′ χ_κ′,   Y^K_κ = Σ h⁻¹_κκ′ (∇′φ_κ′·Y),   Λ_κ = W^K_κ − Y^K_κ,   h_κκ′ = ∇′φ_κ·∇′φ_κ′   (3)
//! ```
//!
//! The metric is that of the kinetic energy, e_i·e_j = ∂²T/∂q̇_i∂q̇_j; the mass of the representing point is put into it. ε_1…ε_l
//! span the L-space, ∇′φ the K-space. (1) is M W_L = Y_L along ε_λ: Γ_λ,αβ is the connection of the constrained manifold, the
//! Christoffel symbols of the metric projected on the L-space, with time as the coordinate of index 0 (v_0 = 1). For quasi-velocities
//! that are not linear W itself is projected. (2) and (3) give W^K and the reaction as functions of t, q, q̇.
//!
//! Valid when: the kinetic energy is a regular quadratic form in the velocities and the constraints are independent.
//! Sources: Soltakhanov, Yushkov, Zegzhda, chapter II, (2.4)–(2.8); G. Vrănceanu, Sur les espaces non holonomes, C. R. Acad. Sci.
//! Paris 183 (1926); J. A. Schouten, On non holonomic connexions, Proc. Amsterdam 31 (1928).

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Matrix, Symbol, transpose};
use crate::mechanics::{Metric, Quasi, mass_rank};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Quasi-velocities and a metric that can be inverted.
fn suited(w: &mut Workbench) -> Result<(Arc<Quasi>, Metric), String> {
    let quasi = w.directions()?;
    let metric = Metric::of(w)?;
    let (rank, n) = (mass_rank(w), w.system.n());
    if rank < n {
        return Err(format!("the mass matrix has rank {rank} < {n}: it is no metric"));
    }
    Ok((quasi, metric))
}

/// (1) by the connection coefficients, for linear quasi-velocities, and these coefficients.
fn by_connection(w: &mut Workbench, quasi: &Quasi, metric: &Metric) -> Result<(Vec<Expr>, Vec<(String, Expr)>)> {
    let system = w.system.clone();
    let (n, l) = (system.n(), quasi.free.len());
    let q: Vec<Symbol> = std::iter::once(w.g.time()).chain(system.coordinates.iter().copied()).collect();
    let fields = fields(w, quasi);
    let names: Vec<String> =
        std::iter::once("t".to_owned()).chain(quasi.free.iter().map(|&s| w.g.name(s).to_owned())).collect();
    let mut own = Vec::new();
    let mut objects = Vec::new();
    // What ε_β changes by along ε_α is the same for all λ.
    let mut changes: FxHashMap<(usize, usize, usize), Expr> = FxHashMap::default();
    let mut bases: FxHashMap<(usize, usize, usize), Expr> = FxHashMap::default();
    for lambda in 1..=l {
        let mut terms = Vec::new();
        let lowered: Vec<Expr> = (0..n).map(|j| w.g.dot_product(&metric.g[j], &fields[lambda][1..])).collect();
        for mu in 1..=l {
            let e = w.g.dot_product(&lowered, &fields[mu][1..]);
            let e = w.simplify(e);
            let rate = w.g.symbol(quasi.rates[mu - 1]);
            terms.push(w.g.mul(e, rate));
            if mu >= lambda {
                objects.push((format!("g[{},{}]", names[lambda], names[mu]), e));
            }
        }
        for alpha in 0..=l {
            for beta in 0..=l {
                // ε_λ·∇_α ε_β: the change of the components of ε_β, and that of the basis.
                let mut parts = Vec::new();
                for j in 0..n {
                    w.may_go_on()?;
                    let change = *changes.entry((alpha, beta, j)).or_insert_with(|| {
                        let by: Vec<Expr> = q.iter().map(|&s| w.g.diff(fields[beta][j + 1], s)).collect();
                        w.g.dot_product(&by, &fields[alpha])
                    });
                    parts.push(w.g.mul(lowered[j], change));
                    let basis = *bases
                        .entry((alpha, beta, j))
                        .or_insert_with(|| metric.connection(w, j, &fields[alpha], &fields[beta]));
                    parts.push(w.g.mul(fields[lambda][j + 1], basis));
                }
                let gamma = w.g.sum(parts);
                let gamma = w.simplify(gamma);
                if w.g.is_zero(gamma) {
                    continue;
                }
                let mut product = vec![gamma];
                for index in [alpha, beta] {
                    if index > 0 {
                        product.push(w.g.symbol(quasi.free[index - 1]));
                    }
                }
                terms.push(w.g.product(product));
                objects.push((format!("Γ[{};{},{}]", names[lambda], names[alpha], names[beta]), gamma));
            }
        }
        let force = quasi.force(w, lambda - 1);
        let left = w.g.sum(terms);
        own.push(w.g.sub(left, force)); // (1)
    }
    Ok((own, objects))
}

/// The fields ε_0 (time and what moves with it), ε_1…ε_l, each with its component along time in front.
fn fields(w: &mut Workbench, quasi: &Quasi) -> Matrix {
    let n = w.system.n();
    let (zero, one) = (w.g.zero(), w.g.one());
    let offset = quasi.offset.clone().unwrap_or_else(|| vec![zero; n]);
    let mut list = vec![vec![one]];
    for i in 0..n {
        let e = w.g.dot_product(&quasi.phi[i], &offset);
        let e = w.g.neg(e);
        list[0].push(w.simplify(e));
    }
    for lambda in 0..quasi.free.len() {
        list.push(std::iter::once(zero).chain((0..n).map(|i| quasi.phi[i][lambda])).collect());
    }
    list
}

/// Σ_ab Γ_i,ab q̇_a q̇_b, with time.
fn inertia(w: &mut Workbench, metric: &Metric) -> Result<Vec<Expr>> {
    let velocities: Vec<Expr> = w.system.velocities.clone().into_iter().map(|s| w.g.symbol(s)).collect();
    let along: Vec<Expr> = std::iter::once(w.g.one()).chain(velocities).collect();
    let mut out = Vec::new();
    for i in 0..w.system.n() {
        w.may_go_on()?;
        out.push(metric.connection(w, i, &along, &along));
    }
    Ok(out)
}

/// What the constraints determine: h, χ, W^K, Y^K by constraints, as functions of t, q, q̇.
struct Determined {
    h: Matrix,
    chi: Vec<Expr>,
    acceleration: Vec<Expr>,
    force: Vec<Expr>,
}

impl Determined {
    fn of(w: &mut Workbench, inertia: &[Expr]) -> Result<Determined, String> {
        let why = "the metric of the K-space is singular: the kinetic energy is not positive";
        let d = w.dynamics();
        let inverse = w.inverse_or(&d.mass, why)?;
        let raised = w.g.matrix_product(&d.a, &inverse); // ∇′φ with its index up
        let h = w.g.matrix_product(&raised, &transpose(&d.a));
        let h: Matrix = h.iter().map(|row| w.simplify_all(row)).collect();
        let h_inverse = w.inverse_or(&h, why)?;
        let curved = w.g.matrix_vector(&raised, inertia);
        let chi: Vec<Expr> = d.b.iter().zip(curved).map(|(&b, c)| w.g.add(b, c)).collect(); // (2)
        let along = w.g.matrix_vector(&raised, &d.forces);
        let acceleration = w.g.matrix_vector(&h_inverse, &chi); // (3)
        let force = w.g.matrix_vector(&h_inverse, &along);
        Ok(Determined { h, chi, acceleration, force })
    }

    /// Everything, in one list, made into something else.
    fn mapped(self, change: impl FnOnce(&[Expr]) -> Vec<Expr>) -> Determined {
        let k = self.chi.len();
        let all = change(&[self.h.concat(), self.chi, self.acceleration, self.force].concat());
        let (h, rest) = all.split_at(k * k);
        Determined {
            h: h.chunks(k).map(<[Expr]>::to_vec).collect(),
            chi: rest[..k].to_vec(),
            acceleration: rest[k..2 * k].to_vec(),
            force: rest[2 * k..].to_vec(),
        }
    }
}

/// The form `vranceanu-schouten`.
pub struct VranceanuSchouten;

impl Form for VranceanuSchouten {
    fn card(&self) -> &'static Card {
        &Card {
            id: "vranceanu-schouten",
            aliases: &["schouten", "vranceanu", "geometric"],
            name: "The geometric form of Vrănceanu and Schouten",
            source: "Vrănceanu 1926, Schouten 1928; Soltakhanov, Yushkov, Zegzhda II (2.4)–(2.8)",
            needs: "a regular mass matrix, independent constraints of any order",
            about: crate::card::head_of!("vranceanu_schouten.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(suited(w))
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let (_, metric) = suited(w).map_err(|why| refuse(self, why))?;
        let quasi = w.quasi().map_err(|why| refuse(self, why))?;
        let system = w.system.clone();
        let (d, n, l) = (w.dynamics(), system.n(), quasi.free.len());
        let closed = quasi.obstacle(w).is_none();
        let inertia = inertia(w, &metric)?;
        let (mut eq, objects) = if closed && quasi.linear() {
            let (own, objects) = by_connection(w, &quasi, &metric)?;
            (quasi.finish(w, self.id(), own)?, objects)
        } else {
            // W itself, along ε_λ.
            let accelerations: Vec<Expr> = system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
            let phi = quasi.phi_in_velocities(w);
            let mut own = Vec::new();
            let mut left = Vec::new();
            for i in 0..n {
                w.may_go_on()?;
                let linear = w.g.dot_product(&metric.g[i], &accelerations);
                let covector = w.g.add(linear, inertia[i]);
                left.push(w.g.sub(covector, d.forces[i]));
            }
            for lambda in 0..l {
                let field: Vec<Expr> = (0..n).map(|i| phi[i][lambda]).collect();
                let e = w.g.dot_product(&left, &field);
                own.push(if closed { quasi.insert(w, e) } else { e });
            }
            let finish = if closed { Quasi::finish } else { Quasi::finish_in_velocities };
            (finish(&quasi, w, self.id(), own)?, Vec::new())
        };
        for (symbol, value) in objects {
            if !w.g.is_zero(value) {
                let name = if symbol.starts_with('g') { "metric of the L-space" } else { "connection coefficient" };
                eq.show(name, symbol, value);
            }
        }
        if system.k() == 0 {
            return Ok(eq);
        }
        let mut k_space = Determined::of(w, &inertia).map_err(|why| refuse(self, why))?;
        if closed {
            k_space = k_space.mapped(|list| quasi.insert_all(w, list));
        }
        let names: Vec<String> = system.constraints.iter().map(|c| c.name.clone()).collect();
        for (a, x) in names.iter().enumerate() {
            for (b, y) in names.iter().enumerate().skip(a) {
                eq.show("metric of the K-space", format!("h[{x},{y}]"), k_space.h[a][b]);
            }
        }
        eq.reactions.clear();
        for (j, c) in system.constraints.iter().enumerate() {
            let (name, acceleration, force) = (&names[j], k_space.acceleration[j], k_space.force[j]);
            eq.show("∇′φ·W, given by the constraints", format!("χ[{name}]"), k_space.chi[j]);
            eq.show("component of W^K along ∇′φ", format!("W^K[{name}]"), acceleration);
            eq.show("component of Y^K along ∇′φ", format!("Y^K[{name}]"), force);
            eq.reactions.push((c.multiplier, w.g.sub(acceleration, force))); // (2.7)
        }
        Ok(eq)
    }
}
