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

    /// ω ∧ dω = 0 by the normal form. It suffices to look at the components that contain one fixed variable whose
    /// coefficient is not zero: the simplest.
    fn prove_integrable(&self, w: &mut Workbench, index: usize, derivative: &[(usize, usize, Expr)]) -> bool {
        let form = &self.forms[index];
        let m = self.variables.len();
        let pivot = (0..m).filter(|&i| !w.g.is_zero(form[i])).min_by_key(|&i| w.g.reachable(&[form[i]]).len());
        let Some(p) = pivot else { return true };
        let zero = w.g.zero();
        let entry = |a: usize, b: usize| {
            let found = derivative.iter().find(|(x, y, _)| (*x, *y) == (a.min(b), a.max(b)));
            (found.map_or(zero, |f| f.2), if a < b { Rational::ONE } else { Rational::MINUS_ONE })
        };
        for a in (0..m).filter(|&a| a != p) {
            for b in (a + 1..m).filter(|&b| b != p) {
                let mut terms = Vec::new();
                for (x, y, z) in [(p, a, b), (a, b, p), (b, p, a)] {
                    let (e, sign) = entry(y, z);
                    terms.push((w.g.mul(form[x], e), sign));
                }
                let e = w.g.linear(Rational::ZERO, terms);
                let e = w.simplify(e);
                if !w.g.is_zero(e) {
                    return false;
                }
            }
        }
        true
    }
}
