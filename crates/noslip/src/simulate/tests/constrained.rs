//! Equations of motion with constraints as a first-order differential equation for (q, v).

use crate::numeric::first_non_finite;
use crate::numeric::{Contradiction, Saddle, SaddleFailure};
use crate::simulate::{Ode, RhsFailure};

/// A mechanical system in the form M q̈ = f + Aᵀ λ, A q̈ = b.
pub trait EquationsOfMotion {
    /// Number of coordinates, n.
    fn coordinates(&self) -> usize;

    /// Number of constraints, k.
    fn constraints(&self) -> usize;

    /// Writes M (n×n), A (k×n), both row by row, f (n) and b (k).
    #[allow(clippy::too_many_arguments)]
    fn assemble(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        m: &mut [f64],
        a: &mut [f64],
        f: &mut [f64],
        b: &mut [f64],
    ) -> Result<(), RhsFailure>;

    /// Name of a constraint, for messages.
    fn constraint_name(&self, index: usize) -> String {
        format!("constraint {index}")
    }

    /// Name of a coordinate, for messages.
    fn coordinate_name(&self, index: usize) -> String {
        format!("coordinate {index}")
    }
}

/// The differential equation of a constrained system, solved for the accelerations at every evaluation.
pub struct Constrained<S> {
    system: S,
    saddle: Saddle,
    m: Vec<f64>,
    a: Vec<f64>,
    f: Vec<f64>,
    b: Vec<f64>,
    multipliers: Vec<f64>,
}

/// Closer than this to losing rank, a constraint explains why steps become too small.
const NEARLY_SINGULAR: f64 = 1e-5;

impl<S: EquationsOfMotion> Constrained<S> {
    /// Wraps a system.
    pub fn new(system: S) -> Constrained<S> {
        let (n, k) = (system.coordinates(), system.constraints());
        Constrained {
            saddle: Saddle::new(n, k),
            m: vec![0.0; n * n],
            a: vec![0.0; n * k],
            f: vec![0.0; n],
            b: vec![0.0; k],
            multipliers: vec![0.0; k],
            system,
        }
    }

    /// Multipliers of the last evaluation.
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// The solver, which knows how near to singular the last evaluation was.
    pub fn saddle(&self) -> &Saddle {
        &self.saddle
    }

    fn explain(&self, failure: SaddleFailure) -> RhsFailure {
        let n = self.system.coordinates();
        match failure {
            SaddleFailure::Constraint { row } => RhsFailure::Singular { which: self.system.constraint_name(row) },
            SaddleFailure::Inertia { coordinate } => {
                RhsFailure::Singular { which: self.system.coordinate_name(coordinate) }
            }
            SaddleFailure::NonFinite => {
                // The acceleration whose equation is spoilt; a spoilt constraint spoils those it constrains.
                let row = first_non_finite(&self.f)
                    .or_else(|| first_non_finite(&self.m).map(|e| e / n))
                    .or_else(|| first_non_finite(&self.a).map(|e| e % n))
                    .or_else(|| {
                        let r = first_non_finite(&self.b)?;
                        (0..n).find(|&i| self.a[r * n + i] != 0.0)
                    });
                RhsFailure::NonFinite { component: n + row.unwrap_or(0) }
            }
        }
    }
}

impl<S: EquationsOfMotion> Ode for Constrained<S> {
    fn dimension(&self) -> usize {
        2 * self.system.coordinates()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let (q, v) = y.split_at(y.len() / 2);
        self.system.assemble(t, q, v, &mut self.m, &mut self.a, &mut self.f, &mut self.b)?;
        let (rate, acceleration) = dy.split_at_mut(q.len());
        rate.copy_from_slice(v);
        self.saddle
            .solve(&self.m, &self.a, &self.f, &self.b, acceleration, &mut self.multipliers)
            .map_err(|failure| self.explain(failure))
    }

    fn diagnose(&mut self, t: f64, y: &[f64]) -> Option<RhsFailure> {
        let (q, v) = y.split_at(y.len() / 2);
        self.system.assemble(t, q, v, &mut self.m, &mut self.a, &mut self.f, &mut self.b).ok()?;
        let mut acceleration = vec![0.0; q.len()];
        let (m, a, f, b) = (&self.m, &self.a, &self.f, &self.b);
        let solved =
            self.saddle.solve_carefully(m, a, f, b, Contradiction::Fail, &mut acceleration, &mut self.multipliers);
        if let Err(failure) = solved {
            return Some(self.explain(failure));
        }
        let (row, distance) = self.saddle.weakest_constraint()?;
        (distance < NEARLY_SINGULAR).then(|| RhsFailure::Singular { which: self.system.constraint_name(row) })
    }
}
