//! Projection to constraints: the least change of a state, in the kinetic metric, that satisfies them.
//!
//! Newton's method; each step solves min ½ dyᵀM dy subject to J dy = −c, which is the saddle system of [`super::saddle`] with
//! f = 0, b = −c. Redundant constraints are tolerated, contradictory ones are named. The same serves positions (c = the
//! holonomic constraints), velocities (c = all constraints on velocities) and the completion of initial values, where some
//! components are given and must not change.

use super::saddle::{Contradiction, Saddle, SaddleFailure};

/// Constraints on m equations for n unknowns.
pub trait ConstraintSet {
    /// Unknowns.
    fn unknowns(&self) -> usize;

    /// Equations.
    fn equations(&self) -> usize;

    /// Writes the residuals c(y) (m) and the Jacobian ∂c/∂y (m×n, row by row).
    fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]);

    /// Writes the metric (n×n, positive semidefinite) in which changes are measured.
    fn metric(&mut self, y: &[f64], metric: &mut [f64]);
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

/// Moves `y` to the constraints. Components with `fixed[i]` do not move (`fixed` may be empty: all are free). `tolerance` is
/// relative to the size of the terms of each equation; 1e-14 is sensible.
pub fn project(
    set: &mut dyn ConstraintSet,
    y: &mut [f64],
    fixed: &[bool],
    tolerance: f64,
) -> Result<Projection, ProjectionFailure> {
    let (n, m) = (set.unknowns(), set.equations());
    let free: Vec<usize> = (0..n).filter(|&i| !fixed.get(i).copied().unwrap_or(false)).collect();
    let l = free.len();
    let (mut c, mut jacobian) = (vec![0.0; m], vec![0.0; m * n]);
    let mut metric = vec![0.0; n * n];
    let mut saddle = Saddle::new(l, m);
    let zero = vec![0.0; l];
    let (mut change, mut multipliers) = (vec![0.0; l], vec![0.0; m]);
    let mut report = Projection { iterations: 0, before: 0.0, after: 0.0 };
    let mut best = f64::INFINITY;
    let mut stalled = 0;
    loop {
        set.residual(y, &mut c, &mut jacobian);
        if super::ode::first_non_finite(&c).is_some() {
            return Err(ProjectionFailure::NonFinite);
        }
        let (worst, equation) = relative_residual(&c, &jacobian, y);
        if report.iterations == 0 {
            report.before = worst;
        }
        report.after = worst;
        if worst <= tolerance {
            return Ok(report);
        }
        stalled = if worst < 0.5 * best { 0 } else { stalled + 1 };
        best = best.min(worst);
        // Rounding ends the descent a little above the tolerance; far above it the equations contradict each other.
        if stalled >= 3 && worst <= 1e3 * tolerance {
            return Ok(report);
        }
        if report.iterations == ITERATIONS || stalled >= 12 {
            return Err(ProjectionFailure::Contradiction { equation, residual: c[equation] });
        }
        set.metric(y, &mut metric);
        let reduced: Vec<f64> =
            free.iter().flat_map(|&i| free.iter().map(move |&j| (i, j))).map(|(i, j)| metric[i * n + j]).collect();
        let rows: Vec<f64> =
            (0..m).flat_map(|r| free.iter().map(move |&j| (r, j))).map(|(r, j)| jacobian[r * n + j]).collect();
        let right: Vec<f64> = c.iter().map(|c| -c).collect();
        let solved = match saddle.solve(&reduced, &rows, &zero, &right, &mut change, &mut multipliers) {
            Err(SaddleFailure::Constraint { .. }) => saddle.solve_carefully(
                &reduced,
                &rows,
                &zero,
                &right,
                Contradiction::Ignore,
                &mut change,
                &mut multipliers,
            ),
            other => other,
        };
        match solved {
            Ok(()) => {}
            Err(SaddleFailure::NonFinite) => return Err(ProjectionFailure::NonFinite),
            Err(SaddleFailure::Constraint { row }) => {
                return Err(ProjectionFailure::Contradiction { equation: row, residual: c[row] });
            }
            Err(SaddleFailure::Inertia { coordinate }) => {
                // Massless directions have no weight in the metric: give them a small one.
                let trace: f64 = (0..l).map(|i| reduced[i * l + i]).sum();
                let weight = if trace > 0.0 { 1e-6 * trace / l as f64 } else { 1.0 };
                let mut heavier = reduced;
                (0..l).for_each(|i| heavier[i * l + i] += weight);
                saddle
                    .solve_carefully(
                        &heavier,
                        &rows,
                        &zero,
                        &right,
                        Contradiction::Ignore,
                        &mut change,
                        &mut multipliers,
                    )
                    .map_err(|_| ProjectionFailure::Undetermined { unknown: free[coordinate] })?;
            }
        }
        for (&i, d) in free.iter().zip(&change) {
            y[i] += d;
        }
        report.iterations += 1;
    }
}

/// Largest residual relative to the size of its terms (for linear equations Σ |Jᵢyᵢ|), and where.
fn relative_residual(c: &[f64], jacobian: &[f64], y: &[f64]) -> (f64, usize) {
    let n = y.len();
    let mut worst = (0.0, 0);
    for (i, c) in c.iter().enumerate() {
        let row = &jacobian[i * n..(i + 1) * n];
        let terms: f64 = row.iter().zip(y).map(|(j, y)| (j * y).abs()).sum();
        let length = super::linalg::norm(row);
        // Where the terms vanish (a system at rest) the residual is measured against unit change.
        let size = c.abs() / if terms > 0.0 { terms.max(1e-3 * length) } else { length.max(f64::MIN_POSITIVE) };
        if size > worst.0 {
            worst = (size, i);
        }
    }
    worst
}
