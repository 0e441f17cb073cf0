//! Nonlinear constraints for which the generalised momenta can be solved: q̇ = Y v + c √(2T°), T° = ½ vᵀg v.
//!
//! With u = √(2T°), j = Yᵀπ and P = c·π the definition of the momenta says j = (1 − P/u) g v, so that ρ = √(jᵀg⁻¹j) = u − P.

use super::canonical::Legendre;
use crate::error::{Error, Result};
use crate::expr::field::SplitMix;
use crate::expr::{Evaluator, Expr, Known, Matrix, Rational, Symbol};
use crate::mechanics::{Quasi, Workbench};
use crate::principles::vakonomic::Vakonomic;
use crate::verify::vanishes;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// q̇ = Y v + c √(2T°).
pub(super) struct RootForm {
    quasi: Arc<Quasi>,
    inverse: Matrix,
    /// Y, a row per coordinate.
    linear: Matrix,
    /// c.
    root: Vec<Expr>,
}

impl RootForm {
    /// Recognises the form, or says what is different.
    pub fn of(w: &mut Workbench) -> Result<RootForm, String> {
        let quasi = w.closed_quasi()?;
        let velocities = quasi.velocities.clone().ok_or("the velocities have no closed form")?;
        let free = quasi.free.clone();
        let kinetic = quasi.kinetic(w);
        let metric = w.g.hessian(kinetic, &free);
        let metric: Matrix = metric.iter().map(|row| w.simplify_all(row)).collect();
        let speeds: Vec<Expr> = free.iter().map(|&s| w.g.symbol(s)).collect();
        let lowered = w.g.matrix_vector(&metric, &speeds);
        let square = w.g.dot_product(&lowered, &speeds);
        let twice = w.g.scale(kinetic, &Rational::integer(2));
        let excess = w.g.sub(square, twice);
        let excess = w.simplify(excess);
        if metric.iter().flatten().any(|&e| w.g.depends_on_any(e, &free)) || !w.g.is_zero(excess) {
            return Err("the energy with the constraints inserted is no quadratic form".into());
        }
        let inverse = w.inverse_or(&metric, "the energy with the constraints inserted is degenerate")?;
        let back: FxHashMap<Symbol, Expr> = free.iter().zip(&speeds).map(|(&s, &e)| (s, w.g.neg(e))).collect();
        let mut along: FxHashMap<Symbol, Expr> = free.iter().map(|&s| (s, w.g.zero())).collect();
        along.insert(free[0], w.g.one());
        let (mut linear, mut root) = (Vec::new(), Vec::new());
        for &e in &velocities {
            let reversed = w.g.substitute(e, &back);
            let half = Rational::new(1, 2).unwrap_or_default();
            let even = w.g.linear(Rational::ZERO, [(e, half.clone()), (reversed, half.clone())]);
            let odd = w.g.linear(Rational::ZERO, [(e, half.clone()), (reversed, -half)]);
            let (even, odd) = (w.simplify(even), w.simplify(odd));
            let row = w.g.gradient(odd, &free);
            let row = w.simplify_all(&row);
            if row.iter().any(|&x| w.g.depends_on_any(x, &free)) {
                return Err("the velocities are not a linear part and a root of the energy".into());
            }
            // The root at the velocities (1, 0, …) tells its factor; the squares tell whether it is that everywhere.
            let there = w.g.substitute(even, &along);
            let size = w.g.sqrt(metric[0][0]);
            let factor = w.g.div(there, size);
            let factor = w.simplify(factor);
            let (left, right) = (w.g.square(even), w.g.square(factor));
            let right = w.g.mul(right, twice);
            let difference = w.g.sub(left, right);
            if !vanishes(w, difference).holds() {
                return Err("the velocities are not a linear part and a root of the energy".into());
            }
            linear.push(row);
            root.push(factor);
        }
        Ok(RootForm { quasi, inverse, linear, root })
    }

    /// H₁, q̇ and μ as functions of the momenta.
    pub fn solve(
        &self,
        w: &mut Workbench,
        vakonomic: &Vakonomic,
        momenta: &[Symbol],
        definitions: &[Expr],
    ) -> Result<(Legendre, Known)> {
        let (n, l) = (w.system.n(), self.quasi.free.len());
        let pi: Vec<Expr> = momenta.iter().map(|&s| w.g.symbol(s)).collect();
        let j: Vec<Expr> = (0..l)
            .map(|s| {
                let column: Vec<Expr> = self.linear.iter().map(|row| row[s]).collect();
                w.g.dot_product(&pi, &column)
            })
            .collect();
        let raised = w.g.matrix_vector(&self.inverse, &j);
        let square = w.g.dot_product(&j, &raised);
        let square = w.simplify(square);
        let rho = w.g.sqrt(square);
        let p = w.g.dot_product(&self.root, &pi);
        let u = w.g.add(rho, p);
        let energy = w.g.square(u);
        let half = Rational::new(1, 2).unwrap_or_default();
        let hamiltonian = w.g.linear(Rational::ZERO, [(energy, half), (w.system.potential, Rational::ONE)]); // (6)
        let ratio = w.g.div(u, rho);
        let speeds: Vec<Expr> = raised.iter().map(|&e| w.g.mul(ratio, e)).collect();
        let mut velocities = Vec::new();
        for i in 0..n {
            let linear = w.g.dot_product(&self.linear[i], &speeds);
            let root = w.g.mul(self.root[i], u);
            let e = w.g.add(linear, root);
            velocities.push(w.simplify(e));
        }
        let insert: FxHashMap<Symbol, Expr> =
            w.system.velocities.iter().copied().zip(velocities.iter().copied()).collect();
        let by_speed: FxHashMap<Symbol, Expr> = self.quasi.free.iter().copied().zip(speeds).collect();
        let d = w.dynamics();
        let own: Vec<Expr> = d.momenta.iter().map(|&e| w.g.substitute(e, &insert)).collect();
        let mut multipliers = Vec::new();
        for r in 0..w.system.k() {
            let mut terms = Vec::new();
            for i in 0..n {
                let phi = self.quasi.phi(w, i, l + r);
                let phi = w.g.substitute(phi, &by_speed);
                let rest = w.g.sub(pi[i], own[i]);
                terms.push(w.g.mul(phi, rest));
            }
            let e = w.g.sum(terms);
            multipliers.push(w.simplify(e));
        }
        let there = self.at_states(w, vakonomic, momenta, definitions, &velocities)?;
        Ok((Legendre { velocities, hamiltonian, multipliers }, there))
    }

    /// Momenta made from velocities and small multipliers must give these velocities back: at real states, since roots of squares
    /// have signs.
    fn at_states(
        &self,
        w: &mut Workbench,
        vakonomic: &Vakonomic,
        momenta: &[Symbol],
        definitions: &[Expr],
        velocities: &[Expr],
    ) -> Result<Known> {
        let on_constraints = self.quasi.velocities.clone().unwrap_or_default();
        let mut forward = on_constraints.clone();
        forward.extend(definitions);
        let (forward, back) = (Evaluator::new(&w.g, &forward), Evaluator::new(&w.g, velocities));
        let mut values = w.system.values(&w.g, &[])?;
        let mut random = SplitMix::new(0x6170_7065_6c6c);
        let n = w.system.n();
        let mut seen = 0;
        for _ in 0..40 {
            let mut draw = |from: f64, to: f64| from + (to - from) * random.unit();
            for &s in w.system.coordinates.iter().chain(&self.quasi.free) {
                values.at.set(s, draw(0.2, 1.3));
            }
            for &s in &vakonomic.multipliers {
                values.at.set(s, draw(-0.05, 0.05));
            }
            let speeds = values.evaluate(&forward)[..n].to_vec();
            values.at.set_all(&w.system.velocities, &speeds);
            let made = values.evaluate(&forward)[n..].to_vec();
            values.at.set_all(momenta, &made);
            let found = values.evaluate(&back);
            if found.iter().chain(&speeds).any(|x| !x.is_finite()) {
                continue;
            }
            if found.iter().zip(&speeds).any(|(a, b)| (a - b).abs() > 1e-8 * (1.0 + b.abs())) {
                return Ok(Known::refuted_because("the momenta of a state do not give its velocities back"));
            }
            seen += 1;
        }
        match seen {
            0 => Err(Error::computation("no state was found at which the momenta could be looked at")),
            _ => Ok(Known::Numerical),
        }
    }
}
