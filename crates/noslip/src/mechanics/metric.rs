//! The kinetic energy as a metric, and the Christoffel symbols it gives: the acceleration of the system as a covector.
//!
//! ```text
//! T = ½ Σ g_ij q̇_i q̇_j + Σ b_i q̇_i + c
//! W_i = Σ_j g_ij q̈_j + Σ_jk ξ_jki q̇_j q̇_k + 2 Σ_j η_ji q̇_j + ζ_i = d/dt ∂T/∂q̇_i − ∂T/∂q_i
//! ```
//! With time as the coordinate of index 0 these are the Christoffel symbols of the first kind: Γ_i,jk = ξ_jki, Γ_i,0j = η_ji,
//! Γ_i,00 = ζ_i.

use super::workbench::Workbench;
use crate::expr::{Expr, Matrix, Rational};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// T = ½ Σ g_ij q̇_i q̇_j + Σ b_i q̇_i + c.
pub struct Metric {
    /// g.
    pub g: Matrix,
    /// b.
    pub b: Vec<Expr>,
    /// c.
    pub c: Expr,
    /// ξ_ijk that were asked for.
    xi: RefCell<FxHashMap<(usize, usize, usize), Expr>>,
}

impl Metric {
    /// Of the kinetic energy, if it is quadratic in the velocities.
    pub fn of(w: &mut Workbench) -> Result<Metric, String> {
        let d = w.dynamics();
        let velocities = w.system.velocities.clone();
        if d.mass.iter().flatten().any(|&e| w.g.depends_on_any(e, &velocities)) {
            return Err("the kinetic energy is not quadratic in the velocities".into());
        }
        let b = d.momenta.iter().map(|&p| w.g.without(p, &velocities)).collect();
        let c = w.g.without(w.system.kinetic, &velocities);
        Ok(Metric { g: d.mass.clone(), b, c, xi: RefCell::default() })
    }

    fn half(w: &mut Workbench, terms: [(Expr, i64); 3]) -> Expr {
        let half = |sign: i64| Rational::new(sign, 2).unwrap_or_default();
        w.g.linear(Rational::ZERO, terms.map(|(e, sign)| (e, half(sign))))
    }

    /// ξ_ijk = ½ (∂g_ik/∂q_j + ∂g_jk/∂q_i − ∂g_ij/∂q_k), symmetric in i and j. They are asked for again and again, in contractions.
    pub fn xi(&self, w: &mut Workbench, i: usize, j: usize, k: usize) -> Expr {
        let (i, j) = (i.min(j), i.max(j));
        if let Some(&known) = self.xi.borrow().get(&(i, j, k)) {
            return known;
        }
        let value = self.new_xi(w, i, j, k);
        self.xi.borrow_mut().insert((i, j, k), value);
        value
    }

    fn new_xi(&self, w: &mut Workbench, i: usize, j: usize, k: usize) -> Expr {
        let q = &w.system.coordinates;
        let terms =
            [(w.g.diff(self.g[i][k], q[j]), 1), (w.g.diff(self.g[j][k], q[i]), 1), (w.g.diff(self.g[i][j], q[k]), -1)];
        Self::half(w, terms)
    }

    /// η_rj = ½ (∂g_rj/∂t + ∂b_j/∂q_r − ∂b_r/∂q_j).
    pub fn eta(&self, w: &mut Workbench, r: usize, j: usize) -> Expr {
        let (q, t) = (&w.system.coordinates, w.g.time());
        let terms = [(w.g.diff(self.g[r][j], t), 1), (w.g.diff(self.b[j], q[r]), 1), (w.g.diff(self.b[r], q[j]), -1)];
        Self::half(w, terms)
    }

    /// ζ_j = ∂b_j/∂t − ∂c/∂q_j.
    pub fn zeta(&self, w: &mut Workbench, j: usize) -> Expr {
        let t = w.g.time();
        let (by_t, by_q) = (w.g.diff(self.b[j], t), w.g.diff(self.c, w.system.coordinates[j]));
        w.g.sub(by_t, by_q)
    }

    /// Γ_i,ab with time as index 0 and coordinates from 1 on.
    pub fn christoffel(&self, w: &mut Workbench, i: usize, a: usize, b: usize) -> Expr {
        match (a, b) {
            (0, 0) => self.zeta(w, i),
            (0, j) | (j, 0) => self.eta(w, j - 1, i),
            (j, k) => self.xi(w, j - 1, k - 1, i),
        }
    }

    /// Σ_ab Γ_i,ab x_a y_b for two vectors with their component along time in front.
    pub fn connection(&self, w: &mut Workbench, i: usize, x: &[Expr], y: &[Expr]) -> Expr {
        let mut terms = Vec::new();
        for (a, &first) in x.iter().enumerate() {
            for (b, &second) in y.iter().enumerate() {
                if !w.g.is_zero(first) && !w.g.is_zero(second) {
                    let gamma = self.christoffel(w, i, a, b);
                    terms.push(w.g.product([gamma, first, second]));
                }
            }
        }
        w.g.sum(terms)
    }
}
