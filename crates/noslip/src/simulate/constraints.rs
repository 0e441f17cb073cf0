//! The constraints along a run: how far the state has drifted off them, and back onto them.

use super::project::{ConstraintSet, ProjectionFailure, project};
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::Result;
use crate::expr::{Expr, Symbol};
use crate::forms::Workbench;

/// Holonomic constraints on q and all constraints on q̇, compiled.
pub struct Constraints {
    n: usize,
    /// Names of the constraints on positions and on velocities.
    names: [Vec<String>; 2],
    /// (t, q, q̇) → residuals, Jacobians and the mass matrix.
    positions: Runner,
    velocities: Runner,
    input: Vec<f64>,
    out: [Vec<f64>; 2],
}

/// Tolerance of a projection, relative to the terms of a constraint.
const EXACT: f64 = 1e-15;

impl Constraints {
    /// Compiles them.
    pub fn new(w: &mut Workbench, options: &CompileOptions) -> Result<Constraints> {
        let d = w.dynamics();
        let system = w.system;
        let n = system.n();
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(&system.coordinates);
        inputs.extend(&system.velocities);
        let mut names = [Vec::new(), Vec::new()];
        let (mut on_q, mut on_v): (Vec<Expr>, Vec<Expr>) = (Vec::new(), Vec::new());
        for (j, c) in system.constraints.iter().enumerate() {
            if c.order == 0 {
                names[0].push(c.name.clone());
                on_q.push(c.expr);
            }
            if let Some(phi) = d.velocity_constraints[j] {
                names[1].push(c.name.clone());
                on_v.push(phi);
            }
        }
        let mut build = |list: &[Expr], by: &[Symbol]| -> Result<(Runner, Vec<f64>)> {
            let mut outputs = list.to_vec();
            outputs.extend(w.g.jacobian(list, by).into_iter().flatten());
            outputs.extend(d.mass.iter().flatten());
            let tape = compile(w.g, &inputs, &outputs, options)?;
            Ok((tape.runner(), vec![0.0; outputs.len()]))
        };
        let (positions, out_q) = build(&on_q, &system.coordinates)?;
        let (velocities, out_v) = build(&on_v, &system.velocities)?;
        let input = vec![0.0; 1 + 2 * n];
        Ok(Constraints { n, names, positions, velocities, input, out: [out_q, out_v] })
    }

    /// Is there anything to keep?
    pub fn is_empty(&self) -> bool {
        self.names[1].is_empty()
    }

    /// The largest residual relative to the size of its terms (at least 1), and which constraint it is.
    pub fn drift(&mut self, t: f64, y: &[f64]) -> (f64, Option<&str>) {
        let mut worst = (0.0, None);
        for level in 0..2 {
            let m = self.names[level].len();
            if m == 0 {
                continue;
            }
            self.evaluate(level, t, y);
            let x = &y[level * self.n..(level + 1) * self.n];
            for j in 0..m {
                let row = &self.out[level][m + j * self.n..m + (j + 1) * self.n];
                let size = row.iter().zip(x).map(|(a, x)| (a * x).abs()).fold(1.0, f64::max);
                let residual = self.out[level][j].abs() / size;
                if !(residual <= worst.0) {
                    worst = (residual, Some((level, j)));
                }
            }
        }
        (worst.0, worst.1.map(|(level, j)| self.names[level][j].as_str()))
    }

    fn evaluate(&mut self, level: usize, t: f64, y: &[f64]) {
        self.input[0] = t;
        self.input[1..].copy_from_slice(y);
        let runner = if level == 0 { &mut self.positions } else { &mut self.velocities };
        runner.run(&self.input, &mut self.out[level]);
    }

    /// Moves the state back onto the constraints by the least change in the kinetic metric.
    pub fn restore(&mut self, t: f64, y: &mut [f64]) -> Result<(), ProjectionFailure> {
        for level in 0..2 {
            if self.names[level].is_empty() {
                continue;
            }
            let mut part = y[level * self.n..(level + 1) * self.n].to_vec();
            let mut set = Level { constraints: self, level, t, state: y.to_vec() };
            project(&mut set, &mut part, &[], EXACT)?;
            y[level * self.n..(level + 1) * self.n].copy_from_slice(&part);
        }
        Ok(())
    }
}

/// One level with the other half of the state held.
struct Level<'a> {
    constraints: &'a mut Constraints,
    level: usize,
    t: f64,
    state: Vec<f64>,
}

impl Level<'_> {
    fn evaluate(&mut self, part: &[f64]) {
        let n = self.constraints.n;
        self.state[self.level * n..(self.level + 1) * n].copy_from_slice(part);
        self.constraints.evaluate(self.level, self.t, &self.state);
    }
}

impl ConstraintSet for Level<'_> {
    fn unknowns(&self) -> usize {
        self.constraints.n
    }

    fn equations(&self) -> usize {
        self.constraints.names[self.level].len()
    }

    fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        self.evaluate(y);
        let out = &self.constraints.out[self.level];
        c.copy_from_slice(&out[..c.len()]);
        jacobian.copy_from_slice(&out[c.len()..c.len() + jacobian.len()]);
    }

    fn metric(&mut self, y: &[f64], metric: &mut [f64]) {
        self.evaluate(y);
        let out = &self.constraints.out[self.level];
        metric.copy_from_slice(&out[out.len() - metric.len()..]);
    }
}
