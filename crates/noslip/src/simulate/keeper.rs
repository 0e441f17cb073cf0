//! Keeping a state (q, v) on the constraints of a mechanical system.

use super::mechanics::Mechanics;
use crate::numeric::{ConstraintSet, Projection, ProjectionFailure, Projector};

/// The holonomic constraints f(t, q) = 0 of a system, for q.
struct Positions<'a, S> {
    system: &'a mut S,
    t: f64,
    v: &'a [f64],
    /// Room for all rows of φ and A: those of the holonomic constraints come first.
    phi: &'a mut [f64],
    a: &'a mut [f64],
}

impl<S: Mechanics> ConstraintSet for Positions<'_, S> {
    fn residual(&mut self, q: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        self.system.holonomic_constraints(self.t, q, c);
        self.system.velocity_constraints(self.t, q, self.v, self.phi, self.a);
        // φ = ∂f/∂q v + ∂f/∂t, so that A = ∂φ/∂v is the Jacobian of f.
        jacobian.copy_from_slice(&self.a[..jacobian.len()]);
    }

    fn metric(&mut self, q: &[f64], metric: &mut [f64]) {
        self.system.inertia(self.t, q, self.v, metric)
    }
}

/// The constraints φ(t, q, v) = 0 of a system, for v.
struct Velocities<'a, S> {
    system: &'a mut S,
    t: f64,
    q: &'a [f64],
}

impl<S: Mechanics> ConstraintSet for Velocities<'_, S> {
    fn residual(&mut self, v: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        self.system.velocity_constraints(self.t, self.q, v, c, jacobian)
    }

    fn metric(&mut self, v: &[f64], metric: &mut [f64]) {
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

impl<S: Mechanics> Keeper<S> {
    /// Keeps this system.
    pub fn new(system: S) -> Keeper<S> {
        let (n, k) = (system.coordinates(), system.constraints());
        Keeper {
            positions: Projector::new(n, system.holonomic(), &[]),
            velocities: Projector::new(n, k, &[]),
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
    fn keep_positions(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<Projection, ProjectionFailure> {
        let (q, v) = y.split_at_mut(y.len() / 2);
        let mut set = Positions { system: &mut self.system, t, v, phi: &mut self.phi, a: &mut self.a };
        self.positions.project(&mut set, q, tolerance)
    }

    /// Moves the velocities to all constraints.
    fn keep_velocities(&mut self, t: f64, y: &mut [f64], tolerance: f64) -> Result<Projection, ProjectionFailure> {
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
