//! Accelerations and multipliers through a form's own equations, at given states.

use crate::compile::{CompileOptions, Runner, TapeBuilder};
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::{Equations, Workbench};
use crate::numeric::Lu;

/// A form of the equations, ready to be solved at states.
pub struct ThroughForm {
    form: &'static str,
    n: usize,
    unknowns: usize,
    /// (t, q, q̇) → coefficients and right sides of the equations for the unknowns.
    coefficients: Runner,
    /// (t, q, q̇, unknowns) → q̈ and the multipliers the form knows.
    results: Runner,
    /// For each multiplier: does the form know it?
    known: Vec<bool>,
}

/// What a form says at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct FormResult {
    /// q̈.
    pub accelerations: Vec<f64>,
    /// λ, `None` where the form does not know it.
    pub multipliers: Vec<Option<f64>>,
}

impl ThroughForm {
    /// What to do where the equations have no solution.
    fn hint(&self) -> &'static str {
        match self.form {
            "lagrange-multipliers" => "a constraint loses rank here, or a coordinate has no mass; choose another state",
            _ => "the choice of quasi-velocities or dependent velocities is singular here; try lagrange-multipliers",
        }
    }

    /// Compiles the equations.
    pub fn new(w: &mut Workbench, eq: &Equations, options: &CompileOptions) -> Result<ThroughForm> {
        super::code::expect_linear_accelerations(&w.system)?;
        let system = w.system.clone();
        let m = eq.unknowns.len();
        if eq.equations.len() != m {
            return Err(Error::computation(format!(
                "form `{}` has {} equations for {m} unknowns",
                eq.form,
                eq.equations.len()
            )));
        }
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(&system.coordinates);
        inputs.extend(&system.velocities);
        let mut rows = Vec::new();
        for (&e, row) in eq.equations.iter().zip(w.g.jacobian(&eq.equations, &eq.unknowns)) {
            rows.extend(row);
            let rest = w.g.without(e, &eq.unknowns);
            rows.push(w.g.neg(rest));
        }
        let build = |w: &mut Workbench, inputs: &[Symbol], outputs: &[Expr]| -> Result<Runner> {
            let mut builder = TapeBuilder::new(&w.g, inputs, options)?;
            let expressions: Vec<Expr> = eq.variables.iter().map(|v| v.1).collect();
            let values = builder.lower(&w.g, &expressions)?;
            for ((s, _), value) in eq.variables.iter().zip(values) {
                builder.bind(*s, value);
            }
            let values = builder.lower(&w.g, outputs)?;
            Ok(builder.finish(&values)?.runner())
        };
        let coefficients = build(w, &inputs, &rows)?;
        let mut outputs: Vec<Expr> = Vec::new();
        for &a in &system.accelerations {
            let given = eq.accelerations.iter().find(|(s, _)| *s == a).map(|(_, e)| *e);
            outputs.push(given.unwrap_or_else(|| w.g.symbol(a)));
        }
        let mut known = Vec::new();
        for c in &system.constraints {
            let given = eq.reactions.iter().find(|(s, _)| *s == c.multiplier).map(|(_, e)| *e);
            let value = match given {
                None if eq.unknowns.contains(&c.multiplier) => Some(w.g.symbol(c.multiplier)),
                other => other,
            };
            known.push(value.is_some());
            outputs.extend(value);
        }
        inputs.extend(&eq.unknowns);
        let results = build(w, &inputs, &outputs)?;
        Ok(ThroughForm { form: eq.form, n: system.n(), unknowns: m, coefficients, results, known })
    }

    /// Solves the equations at a state.
    pub fn solve(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<FormResult> {
        let m = self.unknowns;
        let mut state = Vec::with_capacity(1 + 2 * self.n + m);
        state.push(t);
        state.extend_from_slice(q);
        state.extend_from_slice(v);
        let mut rows = vec![0.0; m * (m + 1)];
        self.coefficients.run(&state, &mut rows);
        if rows.iter().any(|x| !x.is_finite()) {
            let message = format!("form `{}` has no finite coefficients at this state", self.form);
            return Err(Error::computation(message).hint(self.hint()));
        }
        let mut lu = Lu::new(m);
        let mut u = vec![0.0; m];
        for r in 0..m {
            lu.matrix()[r * m..(r + 1) * m].copy_from_slice(&rows[r * (m + 1)..r * (m + 1) + m]);
            u[r] = rows[r * (m + 1) + m];
        }
        lu.factorise().map_err(|_| {
            let message = format!("the equations of form `{}` are singular at this state", self.form);
            Error::computation(message).hint(self.hint())
        })?;
        lu.solve(&mut u);
        state.extend_from_slice(&u);
        let mut out = vec![0.0; self.n + self.known.iter().filter(|k| **k).count()];
        self.results.run(&state, &mut out);
        if out.iter().any(|x| !x.is_finite()) {
            return Err(Error::computation(format!(
                "form `{}` gives no finite accelerations at this state",
                self.form
            )));
        }
        let mut rest = out[self.n..].iter();
        let multipliers = self.known.iter().map(|&k| if k { rest.next().copied() } else { None }).collect();
        Ok(FormResult { accelerations: out[..self.n].to_vec(), multipliers })
    }
}
