//! The constraints as differential forms.
//!
//! ```text
//! ω_j = Σ_i A_ji dq_i + a_j dt
//! ```

use super::workbench::Workbench;
use crate::expr::{Expr, Symbol};

/// The constraints that are linear in the velocities, as differential forms in q and t.
#[derive(Clone, Debug)]
pub struct Pfaff {
    /// Coordinates, then time.
    pub variables: Vec<Symbol>,
    /// Which constraint each form belongs to.
    pub constraints: Vec<usize>,
    /// Coefficients of each form, in the order of `variables`.
    pub forms: Vec<Vec<Expr>>,
}

impl Pfaff {
    /// The forms of all constraints that are linear in the velocities and not of second order.
    pub fn of(w: &mut Workbench) -> Pfaff {
        let d = w.dynamics();
        let v = w.system.velocities.clone();
        let mut variables = w.system.coordinates.clone();
        variables.push(w.g.time());
        let mut pfaff = Pfaff { variables, constraints: Vec::new(), forms: Vec::new() };
        for j in 0..w.system.k() {
            let Some(phi) = d.velocity_constraints[j] else { continue };
            let mut form = Vec::new();
            for &e in &d.a[j] {
                form.push(if w.g.depends_on_any(e, &v) { w.simplify(e) } else { e });
            }
            if form.iter().any(|&e| w.g.depends_on_any(e, &v)) {
                continue;
            }
            form.push(w.g.without(phi, &v));
            pfaff.constraints.push(j);
            pfaff.forms.push(form);
        }
        pfaff
    }

    /// Does time take part: does it occur, or has some form a dt?
    pub fn extended(&self, w: &mut Workbench) -> bool {
        let t = w.g.time();
        self.forms.iter().any(|form| {
            let offset = form.last().copied().unwrap_or(w.g.zero());
            let offset = w.simplify(offset);
            !w.g.is_zero(offset) || form.iter().any(|&e| w.occurs(e, &[t]).is_some())
        })
    }

    /// One of the forms alone.
    pub fn single(&self, index: usize) -> Pfaff {
        Pfaff {
            variables: self.variables.clone(),
            constraints: vec![self.constraints[index]],
            forms: vec![self.forms[index].clone()],
        }
    }

    /// (dω)_ab = ∂ω_b/∂u_a − ∂ω_a/∂u_b for a < b.
    pub fn exterior_derivative(&self, w: &mut Workbench, index: usize) -> Vec<(usize, usize, Expr)> {
        let form = &self.forms[index];
        let mut components = Vec::new();
        for a in 0..self.variables.len() {
            for b in a + 1..self.variables.len() {
                let (x, y) = (w.g.diff(form[b], self.variables[a]), w.g.diff(form[a], self.variables[b]));
                let e = w.g.sub(x, y);
                if !w.g.is_zero(e) {
                    components.push((a, b, e));
                }
            }
        }
        components
    }
}
