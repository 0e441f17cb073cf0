//! Projection to constraints: the point nearest to a given one, in a metric, that satisfies them.
//!
//! Newton's method; each step solves min ½ (y + dy − o)ᵀM (y + dy − o) subject to J dy = −c, which is the saddle system of
//! [`Saddle`] with f = M (o − y), b = −c. The origin o is the point the distance is counted from; where the way to go is
//! short, the present point will do, and f = 0. Redundant constraints are tolerated, contradictory ones are named. Unknowns
//! may be held fixed.

use super::saddle::{Contradiction, Saddle, SaddleFailure};
use super::{dot, first_non_finite, norm};

/// m equations c(y) = 0 for n unknowns.
pub trait ConstraintSet {
    /// Writes the residuals c(y) (m) and the Jacobian ∂c/∂y (m×n, row by row).
    fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]);

    /// Writes the metric (n×n, positive semidefinite) in which changes are measured.
    fn metric(&mut self, y: &[f64], metric: &mut [f64]);

    /// Are the equations linear, and the metric the same everywhere? Then one step leads to the nearest point.
    fn is_linear(&self) -> bool {
        false
    }
}

/// Why there is no projection.
#[derive(Clone, Debug, PartialEq)]
pub enum ProjectionFailure {
    /// This equation cannot be satisfied (together with the others, or with what is held fixed).
    Contradiction {
        /// The equation.
        equation: usize,
        /// What is left of it.
        residual: f64,
    },
    /// Neither the equations nor the metric determine this unknown.
    Undetermined {
        /// The unknown.
        unknown: usize,
    },
    /// A residual, a Jacobian or the metric is not finite.
    NonFinite,
}

/// A projection that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Newton steps.
    pub iterations: usize,
    /// Largest residual before, relative to the size of its terms.
    pub before: f64,
    /// Largest residual after.
    pub after: f64,
}

/// Iterations of Newton's method before it is given up.
const ITERATIONS: usize = 50;
/// Rounds without progress before the equations are held to be contradictory.
const PATIENCE: usize = 12;

/// Workspace of a projection.
pub struct Projector {
    n: usize,
    free: Vec<usize>,
    c: Vec<f64>,
    jacobian: Vec<f64>,
    metric: Vec<f64>,
    reduced: Vec<f64>,
    rows: Vec<f64>,
    away: Vec<f64>,
    pull: Vec<f64>,
    change: Vec<f64>,
    multipliers: Vec<f64>,
    saddle: Saddle,
}

impl Projector {
    /// For n unknowns and m equations. Unknowns with `fixed[i]` do not move (`fixed` may be empty: all are free).
    pub fn new(n: usize, m: usize, fixed: &[bool]) -> Projector {
        let free: Vec<usize> = (0..n).filter(|&i| !fixed.get(i).copied().unwrap_or(false)).collect();
        let l = free.len();
        Projector {
            n,
            c: vec![0.0; m],
            jacobian: vec![0.0; m * n],
            metric: vec![0.0; n * n],
            reduced: vec![0.0; l * l],
            rows: vec![0.0; m * l],
            away: vec![0.0; l],
            pull: vec![0.0; l],
            change: vec![0.0; l],
            multipliers: vec![0.0; m],
            saddle: Saddle::new(l, m),
            free,
        }
    }

    /// Moves `y` to the constraints, each step by the least change. `tolerance` is relative to the size of the terms of each
    /// equation; 1e-14 is sensible. A state that satisfies them already costs one evaluation.
    pub fn project(
        &mut self,
        set: &mut dyn ConstraintSet,
        y: &mut [f64],
        tolerance: f64,
    ) -> Result<Projection, ProjectionFailure> {
        self.descend(set, None, y, tolerance)
    }

    /// Moves `y` to the point of the constraints that is nearest to `origin`; `y` is where the search begins.
    pub fn nearest(
        &mut self,
        set: &mut dyn ConstraintSet,
        origin: &[f64],
        y: &mut [f64],
        tolerance: f64,
    ) -> Result<Projection, ProjectionFailure> {
        let mut report = self.descend(set, Some(origin), y, tolerance)?;
        // What rounding has left: one more step straight to the constraints, where that brings it nearer.
        if report.after == 0.0 {
            return Ok(report);
        }
        set.metric(y, &mut self.metric);
        if self.newton_step(None, y).is_ok() {
            let mut nearer = y.to_vec();
            self.free.iter().zip(&self.change).for_each(|(&i, d)| nearer[i] += d);
            set.residual(&nearer, &mut self.c, &mut self.jacobian);
            let (after, _) = relative_residual(&self.c, &self.jacobian, &nearer);
            if after < report.after {
                y.copy_from_slice(&nearer);
                report.after = after;
            }
        }
        Ok(report)
    }

    fn descend(
        &mut self,
        set: &mut dyn ConstraintSet,
        origin: Option<&[f64]>,
        y: &mut [f64],
        tolerance: f64,
    ) -> Result<Projection, ProjectionFailure> {
        let mut report = Projection { iterations: 0, before: 0.0, after: 0.0 };
        let mut best = f64::INFINITY;
        let mut stalled = 0;
        // With an origin it is not enough to be on the constraints: the way along them must come to rest too.
        let mut step = if origin.is_some() { f64::INFINITY } else { 0.0 };
        loop {
            set.residual(y, &mut self.c, &mut self.jacobian);
            if first_non_finite(&self.c).is_some() {
                return Err(ProjectionFailure::NonFinite);
            }
            let (worst, equation) = relative_residual(&self.c, &self.jacobian, y);
            if report.iterations == 0 {
                report.before = worst;
            }
            report.after = worst;
            let left = worst.max(step);
            if left <= tolerance {
                return Ok(report);
            }
            if left < 0.5 * best {
                (best, stalled) = (left, 0);
            } else {
                stalled += 1;
            }
            // Rounding ends the descent a little above the tolerance; far above it the equations contradict each other.
            let nearly = 1e3 * tolerance;
            if stalled >= 3 && left <= nearly {
                return Ok(report);
            }
            if report.iterations == ITERATIONS || stalled >= PATIENCE || self.free.is_empty() {
                if worst <= nearly {
                    return Ok(report);
                }
                return Err(ProjectionFailure::Contradiction { equation, residual: self.c[equation] });
            }
            set.metric(y, &mut self.metric);
            self.newton_step(origin, y)?;
            for (&i, d) in self.free.iter().zip(&self.change) {
                y[i] += d;
            }
            if let Some(origin) = origin {
                // The nearest point may be zero: what is small is so beside the way to it.
                let largest = |list: &[f64]| list.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                let change = largest(&self.change);
                let arrived = change == 0.0 || set.is_linear();
                step = if arrived { 0.0 } else { change / largest(y).max(largest(origin)) };
            }
            report.iterations += 1;
        }
    }

    /// The change to the point nearest to the origin in the metric with J dy = −c.
    fn newton_step(&mut self, origin: Option<&[f64]>, y: &[f64]) -> Result<(), ProjectionFailure> {
        let (n, l, m) = (self.n, self.free.len(), self.c.len());
        for (p, &i) in self.free.iter().enumerate() {
            for (q, &j) in self.free.iter().enumerate() {
                self.reduced[p * l + q] = self.metric[i * n + j];
            }
            for r in 0..m {
                self.rows[r * l + p] = self.jacobian[r * n + i];
            }
        }
        for (p, &i) in self.free.iter().enumerate() {
            self.away[p] = origin.map_or(0.0, |o| o[i] - y[i]);
        }
        for p in 0..l {
            self.pull[p] = dot(&self.reduced[p * l..(p + 1) * l], &self.away);
        }
        self.c.iter_mut().for_each(|c| *c = -*c);
        let right = &self.c;
        let (pull, change, multipliers) = (&mut self.pull, &mut self.change, &mut self.multipliers);
        let mut solved = self.saddle.solve(&self.reduced, &self.rows, pull, right, change, multipliers);
        let ignore = Contradiction::Ignore;
        if let Err(SaddleFailure::Constraint { .. }) = solved {
            solved = self.saddle.solve_carefully(&self.reduced, &self.rows, pull, right, ignore, change, multipliers);
        }
        if let Err(SaddleFailure::Inertia { .. }) = solved {
            // Massless directions have no weight in the metric: give them a small one.
            let trace: f64 = (0..l).map(|i| self.reduced[i * l + i]).sum();
            let weight = if trace > 0.0 { 1e-6 * trace / l as f64 } else { 1.0 };
            for i in 0..l {
                self.reduced[i * l + i] += weight;
                pull[i] += weight * self.away[i];
            }
            solved = self.saddle.solve_carefully(&self.reduced, &self.rows, pull, right, ignore, change, multipliers);
        }
        solved.map_err(|failure| match failure {
            SaddleFailure::NonFinite => ProjectionFailure::NonFinite,
            SaddleFailure::Constraint { row } => {
                ProjectionFailure::Contradiction { equation: row, residual: -self.c[row] }
            }
            SaddleFailure::Inertia { coordinate } => ProjectionFailure::Undetermined { unknown: self.free[coordinate] },
        })
    }
}

/// Largest residual relative to the size of its terms (for linear equations Σ |Jᵢyᵢ|), and where.
fn relative_residual(c: &[f64], jacobian: &[f64], y: &[f64]) -> (f64, usize) {
    let n = y.len();
    let mut worst = (0.0, 0);
    for (i, c) in c.iter().enumerate() {
        let row = &jacobian[i * n..(i + 1) * n];
        let terms: f64 = row.iter().zip(y).map(|(j, y)| (j * y).abs()).sum();
        let length = norm(row);
        // Where the terms vanish (a system at rest) the residual is measured against unit change.
        let size = c.abs() / if terms > 0.0 { terms.max(1e-3 * length) } else { length.max(f64::MIN_POSITIVE) };
        if size > worst.0 {
            worst = (size, i);
        }
    }
    worst
}
