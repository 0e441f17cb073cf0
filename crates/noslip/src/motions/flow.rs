//! The equations of motion as a flow in (q, v): Chaplygin's equations in quasi-coordinates, solved for nothing.
//!
//! ```text
//! q̇ = Φ v + φ₀,    G v̇ = R,    G_rs = ∂²T°/∂v_r∂v_s,
//! R_r = Q*_r + ∂T°/∂π_r + Σ_i (∂T/∂q̇_i)* (dΦ_ir/dt − ∂q̇_i/∂π_r) − (d/dt ∂T°/∂v_r at v̇ = 0)
//! ```
//!
//! T° is the kinetic energy with the constraints inserted. Each part is simplified by itself, so that what a symmetry takes out is
//! gone before the parts meet.

use crate::error::{Error, Result};
use crate::expr::{Expr, Matrix, Symbol};
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// Nodes of G and R up to which v̇ is written out.
const EXPLICIT: usize = 1500;
/// Quasi-velocities up to which v̇ is written out.
const EXPLICIT_FREE: usize = 5;

/// The equations of motion in (q, v).
#[derive(Clone, Debug)]
pub struct Flow {
    /// q.
    pub coordinates: Vec<Symbol>,
    /// v.
    pub free: Vec<Symbol>,
    /// v as functions of t, q, q̇.
    pub expressions: Vec<Expr>,
    /// q̇(t, q, v).
    pub velocities: Vec<Expr>,
    /// G.
    pub mass: Matrix,
    /// R.
    pub right: Vec<Expr>,
    /// v̇ = G⁻¹ R, where it is short enough to be written out.
    pub rates: Option<Vec<Expr>>,
}

impl Flow {
    /// The flow in the quasi-velocities of the system.
    pub fn of(w: &mut Workbench) -> Result<Flow> {
        let refuse =
            |why: String| Error::not_applicable(format!("the equations in quasi-velocities do not apply: {why}"));
        let quasi = w.closed_quasi().map_err(refuse)?;
        let (Some(velocities), true) = (quasi.velocities.clone(), quasi.linear()) else {
            return Err(refuse("a quasi-velocity is not linear in the velocities".into()));
        };
        let (n, l) = (w.system.n(), quasi.free.len());
        let d = w.dynamics();
        let kinetic = quasi.kinetic(w);
        let momenta: Vec<Expr> = d.momenta.iter().map(|&p| quasi.insert(w, p)).collect();
        let momenta = w.simplify_all(&momenta);
        let mut drift: FxHashMap<Symbol, Expr> = FxHashMap::default();
        drift.insert(w.g.time(), w.g.one());
        for (&q, &e) in w.system.coordinates.iter().zip(&velocities) {
            drift.insert(q, e);
        }
        let (mut mass, mut right) = (Vec::new(), Vec::new());
        for r in 0..l {
            let p = w.g.diff(kinetic, quasi.free[r]);
            let p = w.simplify(p);
            let row: Vec<Expr> = quasi.free.iter().map(|&v| w.g.diff(p, v)).collect();
            mass.push(w.simplify_all(&row));
            let transport = w.g.directional(p, &drift);
            let by_pi = quasi.by_pi(w, kinetic, r);
            let mut turns = Vec::new();
            for i in 0..n {
                let tau = quasi.transposition(w, i, r);
                turns.push(w.g.mul(momenta[i], tau));
            }
            let turns = w.g.sum(turns);
            let turns = w.simplify(turns);
            let force = quasi.force(w, r);
            right.push(w.simplify(force + by_pi + turns - transport));
        }
        let expressions = quasi.expressions[..l].iter().flatten().copied().collect();
        let mut flow = Flow {
            coordinates: w.system.coordinates.clone(),
            free: quasi.free.clone(),
            expressions,
            velocities,
            mass,
            right,
            rates: None,
        };
        flow.rates = flow.solved(w);
        Ok(flow)
    }

    /// v̇ written out, where G and R are short.
    fn solved(&self, w: &mut Workbench) -> Option<Vec<Expr>> {
        let l = self.free.len();
        let all: Vec<Expr> = self.mass.iter().flatten().chain(&self.right).copied().collect();
        if l > EXPLICIT_FREE || w.g.reachable(&all).len() > EXPLICIT {
            return None;
        }
        let inverse = if l == 0 { Vec::new() } else { w.inverse(&self.mass)? };
        let list = w.g.matrix_vector(&inverse, &self.right);
        Some(w.simplify_all(&list))
    }

    /// The index of a member of (q, v).
    pub fn rate_of(&self, s: Symbol) -> Option<Expr> {
        if let Some(i) = self.coordinates.iter().position(|&q| q == s) {
            return Some(self.velocities[i]);
        }
        let r = self.free.iter().position(|&v| v == s)?;
        self.rates.as_ref().map(|rates| rates[r])
    }

    /// What the rates of v are made of: v̇ where it is written out, else G and R.
    pub fn sources(&self) -> Vec<Expr> {
        match &self.rates {
            Some(rates) => rates.clone(),
            None => self.mass.iter().flatten().chain(&self.right).copied().collect(),
        }
    }
}
