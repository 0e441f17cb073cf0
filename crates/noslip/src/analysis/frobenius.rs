//! Integrability of the constraints as differential forms.
//!
//! ```text
//! ω_j = Σ_i A_ji dq_i + a_j dt
//! ω_1, …, ω_k are integrable together iff dω_j ∧ ω_1 ∧ … ∧ ω_k = 0 for all j   (Frobenius)
//! ω is exact (closed) iff dω = 0
//! ```
//! A form may be integrable without being exact: `y dx − x dy` has an integrating factor. With ω_1…ω_k evaluated at a
//! point, the condition says that dω_j vanishes on the vectors annihilated by all of them; a point where it does not is a
//! proof of nonintegrability. That it does everywhere is proved by the normal form.

use crate::expr::Known;
use crate::expr::field::{Fp, null_space};
use crate::expr::{Expr, Rational};
use crate::mechanics::{Generic, Pfaff, Workbench, evaluator};

/// What Frobenius' theorem says of one form, or of several together.
#[derive(Clone, Debug, PartialEq)]
pub struct Integrability {
    /// Is it integrable?
    pub integrable: bool,
    /// How that is known.
    pub certainty: Known,
}

impl Pfaff {
    /// Is the form closed, dω = 0?
    pub fn exact(&self, w: &mut Workbench, generic: &mut Generic, index: usize) -> Integrability {
        for (_, _, e) in self.exterior_derivative(w, index) {
            if !generic.vanishes(&mut w.g, e) {
                let certainty = Known::proved_if(evaluator(&mut w.g, &[e]).is_faithful());
                return Integrability { integrable: false, certainty };
            }
        }
        let components = self.exterior_derivative(w, index);
        let proved = components.into_iter().all(|(_, _, e)| {
            let e = w.simplify(e);
            w.g.is_zero(e)
        });
        Integrability { integrable: true, certainty: Known::proved_if(proved) }
    }

    /// Frobenius' condition for one of the forms alone.
    pub fn integrable(&self, w: &mut Workbench, generic: &mut Generic, index: usize) -> Integrability {
        let derivative = self.exterior_derivative(w, index);
        let m = self.variables.len();
        let form = &self.forms[index];
        let roots: Vec<Expr> = form.iter().copied().chain(derivative.iter().map(|(_, _, e)| *e)).collect();
        let evaluator = evaluator(&mut w.g, &roots);
        for _ in 0..3 {
            let Some(values) = generic.values(&w.g, &evaluator) else { continue };
            let (omega, rest) = values.split_at(m);
            let kernel = null_space(&[omega.to_vec()], m);
            for (i, x) in kernel.iter().enumerate() {
                for y in &kernel[i + 1..] {
                    let mut sum = Fp::ZERO;
                    for (&(a, b, _), &value) in derivative.iter().zip(rest) {
                        sum += value * (x[a] * y[b] - x[b] * y[a]);
                    }
                    if !sum.is_zero() {
                        let certainty = Known::proved_if(evaluator.is_faithful());
                        return Integrability { integrable: false, certainty };
                    }
                }
            }
        }
        let proved = self.prove_integrable(w, index, &derivative);
        Integrability { integrable: true, certainty: Known::proved_if(proved) }
    }

    /// ω ∧ dω where it has one component and contains functions that are left open: what must vanish for the form to be
    /// integrable, as it is written in books.
    pub fn condition(&self, w: &mut Workbench, index: usize) -> Option<Expr> {
        let form = self.forms[index].clone();
        if w.g.unspecified_in(&form).is_empty() {
            return None;
        }
        let mut found = None;
        let m = self.variables.len();
        for a in 0..m {
            for b in a + 1..m {
                for c in b + 1..m {
                    let mut terms = Vec::new();
                    for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
                        let (p, q) = (w.g.diff(form[y], self.variables[z]), w.g.diff(form[z], self.variables[y]));
                        let turn = w.g.sub(p, q);
                        terms.push(w.g.mul(form[x], turn));
                    }
                    let e = w.g.sum(terms);
                    let simple = w.simplify(e);
                    if w.g.is_zero(simple) {
                        continue;
                    }
                    if found.replace(e).is_some() {
                        return None;
                    }
                }
            }
        }
        found
    }

    /// ω ∧ dω = 0 by the normal form. It suffices to look at the components that contain one fixed variable whose
    /// coefficient is not zero: the simplest.
    fn prove_integrable(&self, w: &mut Workbench, index: usize, derivative: &[(usize, usize, Expr)]) -> bool {
        let form = &self.forms[index];
        let m = self.variables.len();
        let pivot = (0..m).filter(|&i| !w.g.is_zero(form[i])).min_by_key(|&i| w.g.reachable(&[form[i]]).len());
        let Some(p) = pivot else { return true };
        for a in (0..m).filter(|&a| a != p) {
            for b in (a + 1..m).filter(|&b| b != p) {
                let e = wedge(w, form, derivative, [p, a, b]);
                let e = w.simplify(e);
                if !w.g.is_zero(e) {
                    return false;
                }
            }
        }
        true
    }
}

/// The component of ω ∧ dω in three of the variables: ω_a (dω)_bc + ω_b (dω)_ca + ω_c (dω)_ab.
fn wedge(w: &mut Workbench, form: &[Expr], derivative: &[(usize, usize, Expr)], [a, b, c]: [usize; 3]) -> Expr {
    let zero = w.g.zero();
    let mut terms = Vec::new();
    for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
        let found = derivative.iter().find(|(i, j, _)| (*i, *j) == (y.min(z), y.max(z)));
        let sign = if y < z { Rational::ONE } else { Rational::MINUS_ONE };
        terms.push((w.g.mul(form[x], found.map_or(zero, |f| f.2)), sign));
    }
    w.g.linear(Rational::ZERO, terms)
}
