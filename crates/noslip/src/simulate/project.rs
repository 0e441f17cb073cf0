//! Projection to constraints: the least change of a state, in the kinetic metric, that satisfies them.
//!
//! Newton's method; each step solves min ½ dyᵀM dy subject to J dy = −c, which is the saddle system of [`super::saddle`] with
//! f = 0, b = −c. Redundant constraints are tolerated, contradictory ones are named. The same serves positions (c = the
//! holonomic constraints), velocities (c = all constraints on velocities) and the completion of initial values, where some
//! components are given and must not change.

use super::dla::MechanicalSystem;
use super::ode::{RhsFailure, first_non_finite};
use super::saddle::{Contradiction, Saddle, SaddleFailure};

/// m equations c(y) = 0 for n unknowns.
pub trait ConstraintSet {
    /// Unknowns, n.
    fn unknowns(&self) -> usize;

    /// Equations, m.
    fn equations(&self) -> usize;

    /// Writes the residuals c(y) (m) and the Jacobian ∂c/∂y (m×n, row by row).
    fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]) -> Result<(), RhsFailure>;

    /// Writes the metric (n×n, positive semidefinite) in which changes are measured.
    fn metric(&mut self, y: &[f64], metric: &mut [f64]) -> Result<(), RhsFailure>;
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
    /// The equations have no value.
    Rhs(RhsFailure),
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
    zero: Vec<f64>,
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
            zero: vec![0.0; l],
            change: vec![0.0; l],
            multipliers: vec![0.0; m],
            saddle: Saddle::new(l, m),
            free,
        }
    }

    /// Moves `y` to the constraints. `tolerance` is relative to the size of the terms of each equation; 1e-14 is sensible. A
    /// state that satisfies them already costs one evaluation.
    pub fn project(
        &mut self,
        set: &mut dyn ConstraintSet,
        y: &mut [f64],
        tolerance: f64,
    ) -> Result<Projection, ProjectionFailure> {
        let mut report = Projection { iterations: 0, before: 0.0, after: 0.0 };
        let mut best = f64::INFINITY;
        let mut stalled = 0;
        loop {
            set.residual(y, &mut self.c, &mut self.jacobian).map_err(ProjectionFailure::Rhs)?;
            if first_non_finite(&self.c).is_some() {
                return Err(ProjectionFailure::NonFinite);
            }
            let (worst, equation) = relative_residual(&self.c, &self.jacobian, y);
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
            if report.iterations == ITERATIONS || stalled >= PATIENCE || self.free.is_empty() {
                return Err(ProjectionFailure::Contradiction { equation, residual: self.c[equation] });
            }
            set.metric(y, &mut self.metric).map_err(ProjectionFailure::Rhs)?;
            self.newton_step()?;
            for (&i, d) in self.free.iter().zip(&self.change) {
                y[i] += d;
            }
            report.iterations += 1;
        }
    }

    /// The least change in the metric with J dy = −c.
    fn newton_step(&mut self) -> Result<(), ProjectionFailure> {
        let (n, l, m) = (self.n, self.free.len(), self.c.len());
        for (p, &i) in self.free.iter().enumerate() {
            for (q, &j) in self.free.iter().enumerate() {
                self.reduced[p * l + q] = self.metric[i * n + j];
            }
            for r in 0..m {
                self.rows[r * l + p] = self.jacobian[r * n + i];
            }
        }
        self.c.iter_mut().for_each(|c| *c = -*c);
        let right = &self.c;
        let (zero, change, multipliers) = (&self.zero, &mut self.change, &mut self.multipliers);
        let mut solved = self.saddle.solve(&self.reduced, &self.rows, zero, right, change, multipliers);
        let ignore = Contradiction::Ignore;
        if let Err(SaddleFailure::Constraint { .. }) = solved {
            solved = self.saddle.solve_carefully(&self.reduced, &self.rows, zero, right, ignore, change, multipliers);
        }
        if let Err(SaddleFailure::Inertia { .. }) = solved {
            // Massless directions have no weight in the metric: give them a small one.
            let trace: f64 = (0..l).map(|i| self.reduced[i * l + i]).sum();
            let weight = if trace > 0.0 { 1e-6 * trace / l as f64 } else { 1.0 };
            (0..l).for_each(|i| self.reduced[i * l + i] += weight);
            solved = self.saddle.solve_carefully(&self.reduced, &self.rows, zero, right, ignore, change, multipliers);
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

/// The holonomic constraints f(t, q) = 0 of a system, for q.
struct Positions<'a, S> {
    system: &'a mut S,
    t: f64,
    v: &'a [f64],
    /// Room for all rows of φ and A: those of the holonomic constraints come first.
    phi: &'a mut [f64],
    a: &'a mut [f64],
}

impl<S: MechanicalSystem> ConstraintSet for Positions<'_, S> {
    fn unknowns(&self) -> usize {
        self.v.len()
    }

    fn equations(&self) -> usize {
        self.system.holonomic()
    }

    fn residual(&mut self, q: &[f64], c: &mut [f64], jacobian: &mut [f64]) -> Result<(), RhsFailure> {
        self.system.holonomic_constraints(self.t, q, c)?;
        self.system.velocity_constraints(self.t, q, self.v, self.phi, self.a)?;
        // φ = ∂f/∂q v + ∂f/∂t, so that A = ∂φ/∂v is the Jacobian of f.
        jacobian.copy_from_slice(&self.a[..jacobian.len()]);
        Ok(())
    }

    fn metric(&mut self, q: &[f64], metric: &mut [f64]) -> Result<(), RhsFailure> {
        self.system.inertia(self.t, q, self.v, metric)
    }
}

/// The constraints φ(t, q, v) = 0 of a system, for v.
struct Velocities<'a, S> {
    system: &'a mut S,
    t: f64,
    q: &'a [f64],
}

impl<S: MechanicalSystem> ConstraintSet for Velocities<'_, S> {
    fn unknowns(&self) -> usize {
        self.q.len()
    }

    fn equations(&self) -> usize {
        self.system.constraints()
    }

    fn residual(&mut self, v: &[f64], c: &mut [f64], jacobian: &mut [f64]) -> Result<(), RhsFailure> {
        self.system.velocity_constraints(self.t, self.q, v, c, jacobian)
    }

    fn metric(&mut self, v: &[f64], metric: &mut [f64]) -> Result<(), RhsFailure> {
        self.system.inertia(self.t, self.q, v, metric)
    }
}

/// Keeps states (q, v) of a mechanical system on its constraints: positions first, then velocities, by the least change in the
/// kinetic metric.
pub struct Keeper<S> {
    system: S,
    positions: Projector,
    velocities: Projector,
    phi: Vec<f64>,
    a: Vec<f64>,
}

impl<S: MechanicalSystem> Keeper<S> {
    /// Keeps this system; all components may move.
    pub fn new(system: S) -> Keeper<S> {
        Self::with_fixed(system, &[], &[])
    }

    /// As [`new`](Keeper::new), but the marked positions and velocities stay as they are: for completing initial values.
    pub fn with_fixed(system: S, fixed_positions: &[bool], fixed_velocities: &[bool]) -> Keeper<S> {
        let (n, k) = (system.coordinates(), system.constraints());
        Keeper {
            positions: Projector::new(n, system.holonomic(), fixed_positions),
            velocities: Projector::new(n, k, fixed_velocities),
            phi: vec![0.0; k],
            a: vec![0.0; n * k],
            system,
        }
    }

    /// The system.
    pub fn system(&mut self) -> &mut S {
        &mut self.system
    }

    /// Moves the positions to the holonomic constraints.
    pub fn keep_positions(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<Projection, ProjectionFailure> {
        let (q, v) = y.split_at_mut(y.len() / 2);
        let mut set = Positions { system: &mut self.system, t, v, phi: &mut self.phi, a: &mut self.a };
        self.positions.project(&mut set, q, tolerance)
    }

    /// Moves the velocities to all constraints.
    pub fn keep_velocities(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<Projection, ProjectionFailure> {
        let (q, v) = y.split_at_mut(y.len() / 2);
        self.velocities.project(&mut Velocities { system: &mut self.system, t, q }, v, tolerance)
    }

    /// Both, where a relative residual exceeds `tolerance`. Returns the largest residual found, and whether `y` was changed.
    pub fn keep(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<(f64, bool), ProjectionFailure> {
        let positions = self.keep_positions(t, y, tolerance)?;
        let velocities = self.keep_velocities(t, y, tolerance)?;
        Ok((positions.before.max(velocities.before), positions.iterations + velocities.iterations > 0))
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
