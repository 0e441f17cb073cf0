//! The discrete Lagrange–d'Alembert integrator of second order: nonholonomic mechanics discretised as mechanics.
//!
//! After J. Cortés, S. Martínez, *Non-holonomic integrators*, Nonlinearity 14 (2001), and R. McLachlan, M. Perlmutter,
//! *Integrators for nonholonomic mechanical systems*, J. Nonlinear Sci. 16 (2006). With the midpoint q̄ = (q₀ + q₁)/2,
//! u = (q₁ − q₀)/h, t̄ = t₀ + h/2, the discrete Lagrangian is h L(t̄, q̄, u), the forces enter as h Q(t̄, q̄, u), and the
//! discrete constraint is φ(t̄, q̄, u) = 0; reactions act at the nodes. As a map between the nodes:
//!
//! ```text
//!     p̄ − h/2 (∂L/∂q + Q)‾ = p₀ + A₀ᵀ Λ₀,     φ(t̄, q̄, u) = 0          unknown u, Λ₀       (1)
//!     p₁ = p̄ + h/2 (∂L/∂q + Q)‾ + A₁ᵀ Λ₁,     φ(t₁, q₁, v₁) = 0        unknown v₁, Λ₁      (2)
//! ```
//!
//! where p = ∂L/∂v(t, q, v) and A = ∂φ/∂v (Chetaev, also for nonlinear φ). The impulses Λ₁ of one step and Λ₀ of the next act
//! at the same node and together are the discrete reaction, so that (2) does not change the positions of the published
//! method; it makes the velocities at the nodes satisfy the constraints as well. The map is its own adjoint, hence of order 2,
//! and reversible when the system is.
//!
//! The solution u of (1) meant here is the one that begins at v₀ for h = 0. As long as h does not pass a fold of it, the
//! determinant of the derivative of (1) with respect to (u, Λ₀) keeps its sign. A solution with the other sign belongs to
//! another branch (beyond an escape to infinity there often is one) and is not accepted: the step is halved instead.
//! Of a holonomic constraint f(t, q) = 0 the discrete form is f(t₁, q₁) = 0 (as in RATTLE).

use super::mechanics::Mechanics;
use super::methods::{Begin, Method};
use super::ode::RhsFailure;
use super::stepper::{Clock, Span, StepFailure, StepSize, Stepper, clip_fixed_step};
use crate::card;
use crate::numeric::first_non_finite;
use crate::numeric::{Lu, Svd};
use crate::numeric::{Saddle, SaddleFailure, balance};

/// The method in the registry.
pub static DLA: Method = Method {
    card: &card::DLA,
    start: Begin::Mechanics(|system, from| {
        Box::new(Dla::new(system, from.t, from.y, from.sizes.fixed.unwrap_or(from.sizes.max)))
    }),
    stiff: false,
};

/// A slower contraction of the iteration asks for a new Jacobian.
const CONTRACTION: f64 = 0.2;
/// Iterations before a step is given up.
const ITERATIONS: usize = 40;
/// Halvings of a step before the run is given up.
const HALVINGS: usize = 24;

/// Smaller pivots of the balanced matrix mean that constraints depend on each other.
const REGULAR: f64 = 1e-9;

/// An integration by the discrete Lagrange–d'Alembert method; the state is (q, v).
pub struct Dla<S> {
    system: S,
    n: usize,
    k: usize,
    clock: Clock,
    h: f64,
    y: Vec<f64>,
    y_old: Vec<f64>,
    y_end: Vec<f64>,
    /// p₀, A₀ at the current state.
    p: Vec<f64>,
    a: Vec<f64>,
    known: bool,
    /// Velocity at the midpoint of the last step, and whether the current state is where it ended.
    u_done: Vec<f64>,
    continues: bool,
    /// Midpoint: u, q̄, p̄, force, φ.
    u: Vec<f64>,
    middle: Vec<f64>,
    p_middle: Vec<f64>,
    force: Vec<f64>,
    phi: Vec<f64>,
    a_scratch: Vec<f64>,
    m: Vec<f64>,
    /// Derivative of the left sides of (1) with respect to (u, Λ₀), factorised.
    newton: Solver,
    /// Whether the determinant of that derivative is negative at h = 0.
    reverses: Option<bool>,
    /// Its part of order h in the columns of u, and the step it belongs to.
    correction: Vec<f64>,
    correction_h: f64,
    scale: Vec<f64>,
    residual: Vec<f64>,
    shifted: Vec<f64>,
    saddle: Saddle,
    change: Vec<f64>,
    impulse: Vec<f64>,
}

/// A factorised matrix; when it is singular (redundant constraints), the pseudo-inverse.
enum Solver {
    None,
    Regular(Lu<f64>),
    Deficient(Svd),
}

/// Why an attempt at a step failed.
enum Trouble {
    NotConverged,
    Rhs(RhsFailure, f64),
}

impl<S: Mechanics> Dla<S> {
    /// Starts at (t, q, v), `y` = (q, v), with steps of length `h`. The velocities should satisfy the constraints; see
    /// [`super::Keeper`]. Panics if `y` has not twice as many components as there are coordinates.
    pub fn new(system: S, t: f64, y: &[f64], h: f64) -> Self {
        let (n, k) = (system.coordinates(), system.constraints());
        assert_eq!(y.len(), 2 * n, "the state of the discrete integrator is (q, v)");
        Dla {
            system,
            n,
            k,
            clock: Clock::new(t, StepSize::fixed(h)),
            h: h.abs(),
            y: y.to_vec(),
            y_old: y.to_vec(),
            y_end: y.to_vec(),
            p: vec![0.0; n],
            a: vec![0.0; n * k],
            known: false,
            u_done: vec![0.0; n],
            continues: false,
            u: vec![0.0; n],
            middle: vec![0.0; n],
            p_middle: vec![0.0; n],
            force: vec![0.0; n],
            phi: vec![0.0; k],
            a_scratch: vec![0.0; n * k],
            m: vec![0.0; n * n],
            newton: Solver::None,
            reverses: None,
            correction: vec![0.0; (n + k) * n],
            correction_h: 0.0,
            scale: vec![1.0; n + k],
            residual: vec![0.0; n + k],
            shifted: vec![0.0; n + k],
            saddle: Saddle::new(n, k),
            change: vec![0.0; n + k],
            impulse: vec![0.0; k],
        }
    }

    /// The system.
    pub fn system(&mut self) -> &mut S {
        &mut self.system
    }

    /// Velocity (q₁ − q₀)/h of the last step, at its middle: this and the midpoint satisfy the discrete constraint.
    pub fn midpoint_velocity(&self) -> &[f64] {
        &self.u_done
    }

    /// p₀ and A₀ at the current state.
    fn prepare(&mut self) -> Result<(), Trouble> {
        if self.known {
            return Ok(());
        }
        let t = self.clock.t;
        let (q, v) = self.y.split_at(self.n);
        self.system.momentum(t, q, v, &mut self.p, &mut self.force);
        self.system.velocity_constraints(t, q, v, &mut self.phi, &mut self.a);
        finite(&self.p, t)?;
        if self.reverses.is_none() {
            let (n, size) = (self.n, self.n + self.k);
            self.system.inertia(t, q, v, &mut self.m);
            balance(n, self.k, &self.m, &self.a, &mut self.scale);
            let mut lu = Lu::new(size);
            for i in 0..n {
                let scaled = |j: usize, x: f64| self.scale[i] * self.scale[j] * x;
                (0..n).for_each(|j| lu.matrix()[i * size + j] = scaled(j, self.m[i * n + j]));
                for r in n..size {
                    let x = scaled(r, self.a[(r - n) * n + i]);
                    (lu.matrix()[r * size + i], lu.matrix()[i * size + r]) = (x, -x);
                }
            }
            self.reverses = (lu.factorise().is_ok() && lu.smallest_pivot() > REGULAR).then(|| lu.reverses());
        }
        self.known = true;
        Ok(())
    }

    /// Left sides of (1) without the impulse, at the current `u`, into `residual`.
    fn evaluate(&mut self, h: f64) -> Result<(), Trouble> {
        let (n, t) = (self.n, self.clock.t + 0.5 * h);
        let q = &self.y[..n];
        for i in 0..n {
            self.middle[i] = q[i] + 0.5 * h * self.u[i];
        }
        self.clock.statistics.evaluations += 1;
        let (middle, u) = (&self.middle, &self.u);
        self.system.momentum(t, middle, u, &mut self.p_middle, &mut self.force);
        self.system.velocity_constraints(t, middle, u, &mut self.phi, &mut self.a_scratch);
        for i in 0..n {
            self.residual[i] = self.p_middle[i] - 0.5 * h * self.force[i] - self.p[i];
        }
        self.residual[n..].copy_from_slice(&self.phi);
        let g = self.system.holonomic();
        if g > 0 {
            for i in 0..n {
                self.middle[i] = q[i] + h * self.u[i];
            }
            let end = self.clock.t + h;
            let f = &mut self.residual[n..n + g];
            self.system.holonomic_constraints(end, &self.middle, f);
            f.iter_mut().for_each(|f| *f /= h);
        }
        finite(&self.residual, t)
    }

    /// M and A at the current midpoint, as the first n columns of the Jacobian of (1), into the solver's matrix.
    fn principal_part(&mut self, h: f64) -> Result<Lu<f64>, Trouble> {
        let (n, k, t) = (self.n, self.k, self.clock.t + 0.5 * h);
        let size = n + k;
        let mut lu = Lu::new(size);
        for i in 0..n {
            self.middle[i] = self.y[i] + 0.5 * h * self.u[i];
        }
        self.system.inertia(t, &self.middle, &self.u, &mut self.m);
        let matrix = lu.matrix();
        for j in 0..n {
            (0..n).for_each(|i| matrix[i * size + j] = self.m[i * n + j]);
            (0..k).for_each(|r| matrix[(n + r) * size + j] = self.a_scratch[r * n + j]);
        }
        Ok(lu)
    }

    /// The rest of the Jacobian at the current `u`, of order h: central differences less the principal part. It changes slowly
    /// and is kept from step to step. Leaves `residual` and the values at the midpoint as they were.
    fn differentiate(&mut self, h: f64) -> Result<(), Trouble> {
        let n = self.n;
        self.clock.statistics.jacobians += 1;
        let mut lu = self.principal_part(h)?;
        let principal = lu.matrix();
        let size = n + self.k;
        self.shifted.copy_from_slice(&self.residual);
        let largest = self.u.iter().fold(0.0, |l: f64, x| l.max(x.abs()));
        for j in 0..n {
            let kept = self.u[j];
            let delta = 6e-6 * kept.abs().max(1e-3 * largest).max(1e-6);
            self.u[j] = kept + delta;
            self.evaluate(h)?;
            (0..size).for_each(|i| self.correction[i * n + j] = self.residual[i]);
            self.u[j] = kept - delta;
            self.evaluate(h)?;
            for i in 0..size {
                let slope = (self.correction[i * n + j] - self.residual[i]) / (2.0 * delta);
                self.correction[i * n + j] = slope - principal[i * size + j];
            }
            self.u[j] = kept;
        }
        self.correction_h = h;
        self.evaluate(h)
    }

    /// Factorises the Jacobian of (1): principal part at the current `u`, kept correction, reactions of this node.
    fn linearise(&mut self, h: f64) -> Result<(), Trouble> {
        let (n, k) = (self.n, self.k);
        let size = n + k;
        self.clock.statistics.factorisations += 1;
        let mut lu = self.principal_part(h)?;
        let matrix = lu.matrix();
        for i in 0..size {
            (0..n).for_each(|j| matrix[i * size + j] += self.correction[i * n + j]);
        }
        for r in 0..k {
            (0..n).for_each(|i| matrix[i * size + n + r] = -self.a[r * n + i]);
        }
        // Balanced units, so that a small pivot means dependence and not small numbers.
        balance(n, k, &self.m, &self.a_scratch, &mut self.scale);
        for i in 0..size {
            (0..size).for_each(|j| matrix[i * size + j] *= self.scale[i] * self.scale[j]);
        }
        let matrix = matrix.to_vec();
        self.newton = if lu.factorise().is_ok() && lu.smallest_pivot() > REGULAR {
            Solver::Regular(lu)
        } else {
            Solver::Deficient(Svd::new(&matrix, size, size))
        };
        Ok(())
    }

    /// Solves (1) for u.
    fn midpoint(&mut self, h: f64) -> Result<(), Trouble> {
        let (n, k) = (self.n, self.k);
        self.impulse.fill(0.0);
        self.evaluate(h)?;
        if self.correction_h != h {
            self.differentiate(h)?;
        }
        self.linearise(h)?;
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            // Newton for (u, Λ₀) together: with the impulse so far in the residual, corrections of both come out.
            for i in 0..n {
                let pushed: f64 = (0..k).map(|r| self.a[r * n + i] * self.impulse[r]).sum();
                self.residual[i] -= pushed;
            }
            self.residual.iter_mut().zip(&self.scale).for_each(|(r, s)| *r *= -s);
            match &self.newton {
                Solver::Regular(lu) => {
                    self.change.copy_from_slice(&self.residual);
                    lu.solve(&mut self.change);
                }
                Solver::Deficient(svd) => svd.solve(&self.residual, 1e-10, &mut self.change),
                Solver::None => return Err(Trouble::NotConverged),
            }
            self.change.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= s);
            let (mut size, mut scale) = (0.0f64, 0.0f64);
            for i in 0..n {
                self.u[i] += self.change[i];
                size = size.max(self.change[i].abs());
                scale = scale.max(self.u[i].abs());
            }
            for r in 0..k {
                self.impulse[r] += self.change[n + r];
            }
            if !size.is_finite() {
                return Err(Trouble::NotConverged);
            }
            let rate = if last.is_finite() { size / last } else { CONTRACTION };
            let at_rounding = size <= 1e-12 * scale && rate > 0.25;
            if size <= 2.0 * f64::EPSILON * scale || at_rounding || size == 0.0 {
                return Ok(());
            }
            self.evaluate(h)?;
            // What the next correction would be is below rounding.
            if rate < 1.0 && rate * size <= 0.1 * f64::EPSILON * scale {
                return Ok(());
            }
            if rate > CONTRACTION {
                self.differentiate(h)?;
                self.linearise(h)?;
            }
            last = size;
        }
        Err(Trouble::NotConverged)
    }

    /// Solves (2) for v₁, leaves (q₁, v₁) in `y_end`, its p and A in `p_middle` and `a_scratch`.
    fn node(&mut self, t: f64, h: f64) -> Result<(), Trouble> {
        let (n, k) = (self.n, self.k);
        // p̄ and the force at the midpoint belong to the last u.
        let target: &mut [f64] = &mut self.residual[..n];
        for i in 0..n {
            target[i] = self.p_middle[i] + 0.5 * h * self.force[i];
        }
        let (q1, v1) = self.y_end.split_at_mut(n);
        for i in 0..n {
            q1[i] = self.y[i] + h * self.u[i];
            v1[i] = 2.0 * self.u[i] - self.y[n + i];
        }
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.system.momentum(t, q1, v1, &mut self.p_middle, &mut self.force);
            self.system.velocity_constraints(t, q1, v1, &mut self.phi, &mut self.a_scratch);
            self.system.inertia(t, q1, v1, &mut self.m);
            let (f, b) = self.shifted.split_at_mut(n);
            for i in 0..n {
                f[i] = target[i] - self.p_middle[i];
            }
            b.iter_mut().zip(&self.phi).for_each(|(b, phi)| *b = -phi);
            let change = &mut self.change[..n];
            match self.saddle.solve(&self.m, &self.a_scratch, f, b, change, &mut self.impulse[..k]) {
                Ok(()) => {}
                Err(SaddleFailure::NonFinite) => {
                    return Err(finite(&self.shifted, t).err().unwrap_or(Trouble::NotConverged));
                }
                Err(SaddleFailure::Constraint { row }) => {
                    return Err(Trouble::Rhs(RhsFailure::Singular { which: self.system.constraint_name(row) }, t));
                }
                Err(SaddleFailure::Inertia { coordinate }) => {
                    let which = self.system.coordinate_name(coordinate);
                    return Err(Trouble::Rhs(RhsFailure::Singular { which }, t));
                }
            }
            let (mut size, mut scale) = (0.0f64, 0.0f64);
            for i in 0..n {
                v1[i] += change[i];
                size = size.max(change[i].abs());
                scale = scale.max(v1[i].abs());
            }
            if !size.is_finite() {
                break;
            }
            let done = size <= 2.0 * f64::EPSILON * scale || size <= 1e-12 * scale && size > 0.25 * last;
            last = size;
            if done {
                self.system.momentum(t, q1, v1, &mut self.p_middle, &mut self.force);
                self.system.velocity_constraints(t, q1, v1, &mut self.phi, &mut self.a_scratch);
                self.clock.statistics.evaluations += 1;
                return Ok(());
            }
        }
        Err(Trouble::NotConverged)
    }

    fn attempt(&mut self, t_new: f64, h: f64) -> Result<(), Trouble> {
        self.prepare()?;
        // The node's velocity is the mean of those of the midpoints around it, but for O(h²).
        let continues = self.continues && h == self.clock.h_done;
        for i in 0..self.n {
            let v = self.y[self.n + i];
            self.u[i] = if continues { 2.0 * v - self.u_done[i] } else { v };
        }
        self.midpoint(h)?;
        // The iteration contracts with the matrix last factorised, so that the derivative at the solution has its sign.
        if let (Solver::Regular(lu), Some(reverses)) = (&self.newton, self.reverses)
            && lu.reverses() != reverses
        {
            return Err(Trouble::NotConverged);
        }
        // `evaluate` may have used the buffers at the end point last: make sure of the midpoint's values.
        self.evaluate(h)?;
        self.node(t_new, h)
    }
}

fn finite(values: &[f64], t: f64) -> Result<(), Trouble> {
    match first_non_finite(values) {
        None => Ok(()),
        Some(component) => Err(Trouble::Rhs(RhsFailure::NonFinite { component }, t)),
    }
}

impl<S: Mechanics> Stepper for Dla<S> {
    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn step(&mut self, t_end: f64) -> Result<(), StepFailure> {
        let (mut h, mut ends) = clip_fixed_step(self.clock.t, t_end, self.h);
        for halving in 0.. {
            let t_new = if ends { t_end } else { self.clock.t + h };
            match self.attempt(t_new, h) {
                Ok(()) => {
                    self.clock.advance(Span { h, end: t_new });
                    self.y_old.copy_from_slice(&self.y);
                    self.y.copy_from_slice(&self.y_end);
                    std::mem::swap(&mut self.p, &mut self.p_middle);
                    std::mem::swap(&mut self.a, &mut self.a_scratch);
                    self.u_done.copy_from_slice(&self.u);
                    (self.known, self.continues) = (true, true);
                    break;
                }
                Err(trouble) => {
                    self.clock.statistics.rejected += 1;
                    self.correction_h = 0.0;
                    if halving == HALVINGS || h == 0.0 || h.is_nan() {
                        return Err(match trouble {
                            Trouble::NotConverged => StepFailure::TooSmall { h },
                            Trouble::Rhs(failure, t) => StepFailure::Rhs { failure, t },
                        });
                    }
                    (h, ends) = (0.5 * h, false);
                }
            }
        }
        Ok(())
    }

    /// Cubic through positions and velocities of both nodes, and its slope for the velocities.
    fn dense(&mut self, t: f64, out: &mut [f64]) -> Result<(), StepFailure> {
        let n = self.n;
        let h = self.clock.t - self.clock.t_old;
        if h == 0.0 {
            out.copy_from_slice(&self.y);
            return Ok(());
        }
        let x = (t - self.clock.t_old) / h;
        let (start, end) = (&self.y_old, &self.y_end);
        for i in 0..n {
            let (slope, v0, v1) = ((end[i] - start[i]) / h, start[n + i], end[n + i]);
            let (c2, c3) = (3.0 * slope - 2.0 * v0 - v1, v0 + v1 - 2.0 * slope);
            out[i] = start[i] + h * x * (v0 + x * (c2 + x * c3));
            out[n + i] = v0 + x * (2.0 * c2 + 3.0 * x * c3);
        }
        Ok(())
    }

    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        (self.known, self.continues) = (false, false);
    }
}
