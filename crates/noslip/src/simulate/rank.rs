//! Constraints that lose their rank on the way.
//!
//! The row ∂φ/∂q̇ of a constraint that is not linear in the velocities can vanish: a body comes to rest on its cone, and there is no
//! telling on which side of it it goes on. Steps pass such a state unnoticed, since both of their ends are good; so every step
//! in which a row turns is looked into.

use super::probe::Probe;
use super::stepper::Stepper;
use crate::compile::CompileOptions;
use crate::error::Result;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;

/// A row is lost where it becomes this part of what it was at the ends of the step.
const LOST: f64 = 1e-5;
/// The same beside the largest it has been, in tolerances: what is smaller is an error of the steps.
const ERRORS: f64 = 100.0;
/// A discrete motion has passed a state of rest where a row turns while it is this part of what it was.
const PASSED: f64 = 1e-2;

/// The rows that depend on the velocities.
pub(super) struct Rank {
    /// All of them, one after the other.
    probe: Probe,
    n: usize,
    names: Vec<String>,
    /// How large each has been.
    largest: Vec<f64>,
    parameters: Vec<f64>,
    tolerance: f64,
    /// Are the steps discrete, ending beside a state of rest and not at it?
    discrete: bool,
}

impl Rank {
    /// Of a system, with parameters whose values are given later; `None` where no row depends on the velocities.
    pub(super) fn of(w: &mut Workbench, options: &CompileOptions, open: &[Symbol]) -> Result<Option<Rank>> {
        let d = w.dynamics();
        let v = w.system.velocities.clone();
        let depends = |w: &Workbench, j: usize| d.a[j].iter().any(|&e| w.g.depends_on_any(e, &v));
        // Rows of constraints of second order are those of accelerations: they say nothing of velocities.
        let of_velocities = |w: &Workbench, j: usize| w.system.constraints[j].order < 2;
        let list: Vec<usize> = (0..w.system.k()).filter(|&j| of_velocities(w, j) && depends(w, j)).collect();
        if list.is_empty() {
            return Ok(None);
        }
        let rows: Vec<Expr> = list.iter().flat_map(|&j| d.a[j].clone()).collect();
        Ok(Some(Rank {
            probe: Probe::with_open_parameters(w, &rows, options, open)?,
            n: w.system.n(),
            names: list.iter().map(|&j| format!("constraint `{}`", w.system.constraints[j].name)).collect(),
            largest: vec![0.0; list.len()],
            parameters: Vec::new(),
            tolerance: 0.0,
            discrete: false,
        }))
    }

    /// A motion begins.
    pub(super) fn begin(&mut self, parameters: &[f64], tolerance: f64, discrete: bool) {
        self.parameters = parameters.to_vec();
        self.largest.fill(0.0);
        (self.tolerance, self.discrete) = (tolerance, discrete);
    }

    fn rows(&mut self, t: f64, y: &[f64]) -> Vec<f64> {
        self.probe.values_with(t, &y[..2 * self.n], &[], &[], &self.parameters).to_vec()
    }

    /// Whether one was lost inside the step just made from `from`: which, and when.
    pub(super) fn inside(&mut self, stepper: &mut dyn Stepper, from: (f64, &[f64])) -> Option<(String, f64)> {
        let n = self.n;
        let all_before = self.rows(from.0, from.1);
        let end = stepper.state().to_vec();
        let all_after = self.rows(stepper.time(), &end);
        for i in 0..self.names.len() {
            let (before, after) = (&all_before[i * n..(i + 1) * n], &all_after[i * n..(i + 1) * n]);
            let product: f64 = before.iter().zip(after).map(|(a, b)| a * b).sum();
            let (a, b) = (norm(before), norm(after));
            self.largest[i] = self.largest[i].max(a);
            // It has turned by more than sixty degrees.
            if product > 0.5 * a * b {
                continue;
            }
            if self.discrete && a.max(b) < PASSED * self.largest[i] {
                return Some((self.names[i].clone(), stepper.time()));
            }
            let mut y = vec![0.0; stepper.dimension()];
            let mut at = |s: f64| {
                let t = from.0 + s * (stepper.time() - from.0);
                stepper.dense(t, &mut y).ok()?;
                Some((t, norm(&self.rows(t, &y)[i * n..(i + 1) * n])))
            };
            let (t, least) = least(&mut at)?;
            if least < (LOST * a.max(b)).max(ERRORS * self.tolerance * self.largest[i]) {
                return Some((self.names[i].clone(), t));
            }
        }
        None
    }
}

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The time of the least value inside a step, and the value: on a grid first, then by thirds.
fn least(at: &mut dyn FnMut(f64) -> Option<(f64, f64)>) -> Option<(f64, f64)> {
    const GRID: usize = 32;
    let mut best = (0.0, f64::INFINITY);
    for i in 0..=GRID {
        let s = i as f64 / GRID as f64;
        let value = at(s)?.1;
        if value < best.1 {
            best = (s, value);
        }
    }
    let (mut low, mut high) = ((best.0 - 1.0 / GRID as f64).max(0.0), (best.0 + 1.0 / GRID as f64).min(1.0));
    for _ in 0..80 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a)?.1 < at(b)?.1 { high = b } else { low = a }
    }
    at((low + high) / 2.0)
}
