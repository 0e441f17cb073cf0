//! The implicit Runge–Kutta method Radau IIA of order 5, for stiff forces.
//!
//! After E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., IV.8 (RADAU5): the three stages are
//! found by a simplified Newton iteration, in coordinates that split the 3n×3n system into a real one and a complex one of
//! n unknowns each.
//!
//! Dense output: the collocation polynomial p has the right slope at the three nodes and is wrong by O(h⁴) between them.
//! Its slope at the beginning of the step is known, too: f(y₀). The polynomial of degree 4 that takes this slope in addition
//! ends where p ends, because the nodes are Radau's, and is wrong by O(h⁵), as the method is. How far p′(0) is from f(y₀) is
//! what the error estimate measures; it is taken from there, where stiff components are damped.

use super::methods::{Begin, Method};
use super::ode::{Ode, RhsFailure, checked_rhs};
use super::stepper::{Adaptive, Attempt, Clock, Span, StepFailure, StepSize, Stepper, Tolerance, in_range};
use crate::card;
use crate::numeric::{Complex, Lu};

/// The method in the registry.
pub static IMPLICIT: Method = Method {
    card: &card::IMPLICIT,
    start: Begin::Equation(|ode, from| Box::new(Radau::new(ode, from.t, from.y, from.tolerance, from.sizes))),
    stiff: true,
};

const SQRT6: f64 = 2.449489742783178;
/// Nodes.
const C: [f64; 3] = [(4.0 - SQRT6) / 10.0, (4.0 + SQRT6) / 10.0, 1.0];
/// Weights of the stages in the error estimate.
const E: [f64; 3] = [(-13.0 - 7.0 * SQRT6) / 3.0, (-13.0 + 7.0 * SQRT6) / 3.0, -1.0 / 3.0];
/// Eigenvalues of the inverse of the Runge–Kutta matrix: one real, a conjugate pair.
const MU_REAL: f64 = 3.637834252744496;
const MU_COMPLEX: Complex = Complex::new(2.6810828736277523, -3.0504301992474105);
/// Eigenvectors, and the inverse.
const T: [[f64; 3]; 3] = [
    [0.09443876248897524, -0.1412552950209542, 0.03002919410514742],
    [0.2502131229653333, 0.20412935229379994, -0.3829421127572619],
    [1.0, 1.0, 0.0],
];
const T_INVERSE: [[f64; 3]; 3] = [
    [4.178718591551904, 0.32768282076106237, 0.5233764454994495],
    [-4.178718591551904, -0.32768282076106237, 0.47662355450055044],
    [0.5028726349457868, -2.571926949855605, 0.5960392048282249],
];
/// Collocation polynomial: coefficient of xᵖ⁺¹ from stage s is P[s][p].
const P: [[f64; 3]; 3] = [
    [(13.0 + 7.0 * SQRT6) / 3.0, (-23.0 - 22.0 * SQRT6) / 3.0, (10.0 + 15.0 * SQRT6) / 3.0],
    [(13.0 - 7.0 * SQRT6) / 3.0, (-23.0 + 22.0 * SQRT6) / 3.0, (10.0 - 15.0 * SQRT6) / 3.0],
    [1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0],
];
const NEWTON_LIMIT: usize = 7;
/// With constant steps nothing but Newton's method decides: it gets more patience.
const NEWTON_LIMIT_FIXED: usize = 50;

/// An integration by Radau IIA of order 5.
pub struct Radau<O> {
    ode: O,
    /// The tolerance the error estimate is held to: the estimate is of lower order than the result.
    tolerance: Tolerance,
    newton_tolerance: f64,
    clock: Clock,
    h: f64,
    y: Vec<f64>,
    y_old: Vec<f64>,
    rate: Vec<f64>,
    rate_known: bool,
    jacobian: Vec<f64>,
    jacobian_current: bool,
    jacobian_known: bool,
    real: Lu<f64>,
    complex: Lu<Complex>,
    /// Step the factorisations belong to; 0 for none.
    factorised: f64,
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    f: [Vec<f64>; 3],
    /// Collocation polynomial, and the correction of its slope at the beginning.
    dense: [Vec<f64>; 4],
    pair: Vec<Complex>,
    error: Vec<f64>,
    scratch: Vec<f64>,
    error_old: Option<(f64, f64)>,
}

/// How the iteration for the stages went.
enum Newton {
    Converged { iterations: usize, rate: f64 },
    Slow,
    Failed(RhsFailure, f64),
}

impl<O: Ode> Radau<O> {
    /// Starts at (t, y). Panics if `y` has not the equation's dimension.
    pub fn new(ode: O, t: f64, y: &[f64], tolerance: Tolerance, sizes: StepSize) -> Self {
        let n = ode.dimension();
        assert_eq!(y.len(), n, "state of another dimension than the equation");
        let asked = tolerance.sane();
        // RADAU5: a local error of order 4 stands for one of order 6.
        let relative = 0.1 * libm::pow(asked.relative, 2.0 / 3.0);
        let inner = Tolerance { relative, absolute: relative * (asked.absolute / asked.relative) };
        let used = if sizes.fixed.is_some() { asked } else { inner };
        Radau {
            ode,
            newton_tolerance: (10.0 * f64::EPSILON / used.relative).max(used.relative.sqrt().min(0.03)),
            tolerance: used,
            clock: Clock::new(t, sizes),
            h: 0.0,
            y: y.to_vec(),
            y_old: y.to_vec(),
            rate: vec![0.0; n],
            rate_known: false,
            jacobian: vec![0.0; n * n],
            jacobian_current: false,
            jacobian_known: false,
            real: Lu::new(n),
            complex: Lu::new(n),
            factorised: 0.0,
            z: std::array::from_fn(|_| vec![0.0; n]),
            w: std::array::from_fn(|_| vec![0.0; n]),
            f: std::array::from_fn(|_| vec![0.0; n]),
            dense: std::array::from_fn(|_| vec![0.0; n]),
            pair: vec![Complex::new(0.0, 0.0); n],
            error: vec![0.0; n],
            scratch: vec![0.0; n],
            error_old: None,
        }
    }

    /// The equation.
    pub fn ode(&mut self) -> &mut O {
        &mut self.ode
    }

    fn scale(&self, i: usize) -> f64 {
        self.tolerance.absolute + self.tolerance.relative * self.y[i].abs()
    }

    fn prepare(&mut self, t_end: f64) -> Result<(), StepFailure> {
        if !self.rate_known {
            self.clock.statistics.evaluations += 1;
            checked_rhs(&mut self.ode, self.clock.t, &self.y, &mut self.rate)
                .map_err(|failure| StepFailure::Rhs { failure, t: self.clock.t })?;
            self.rate_known = true;
        }
        if self.h == 0.0 {
            self.h = match (self.clock.sizes.fixed, self.clock.sizes.initial) {
                (Some(h), _) | (None, Some(h)) => h.abs(),
                (None, None) => {
                    let n = self.y.len().max(1) as f64;
                    let rms = |v: &[f64]| {
                        let sum: f64 = v.iter().enumerate().map(|(i, v)| (v / self.scale(i)).powi(2)).sum();
                        (sum / n).sqrt()
                    };
                    let (size, rate) = (rms(&self.y), rms(&self.rate));
                    let guess = if size < 1e-5 || rate < 1e-5 { 1e-6 } else { 0.01 * size / rate };
                    guess.min((t_end - self.clock.t).abs()).min(self.clock.sizes.max)
                }
            };
        }
        Ok(())
    }

    fn compute_jacobian(&mut self) -> Result<(), (RhsFailure, f64)> {
        let n = self.y.len();
        self.clock.statistics.jacobians += 1;
        self.jacobian_current = true;
        self.jacobian_known = true;
        self.factorised = 0.0;
        if self.ode.jacobian(self.clock.t, &self.y, &mut self.jacobian).map_err(|failure| (failure, self.clock.t))? {
            return match crate::numeric::first_non_finite(&self.jacobian) {
                None => Ok(()),
                Some(at) => Err((RhsFailure::NonFinite { component: at / n }, self.clock.t)),
            };
        }
        self.scratch.copy_from_slice(&self.y);
        for j in 0..n {
            // RADAU5's choice, but relative to large components, where it would vanish.
            let size = self.y[j].abs();
            let mut delta = (f64::EPSILON.sqrt() * size.max(size.max(1e-5).sqrt())).copysign(self.rate[j]);
            for attempt in 0..2 {
                self.scratch[j] = self.y[j] + delta;
                delta = self.scratch[j] - self.y[j];
                self.clock.statistics.evaluations += 1;
                match checked_rhs(&mut self.ode, self.clock.t, &self.scratch, &mut self.error) {
                    Ok(()) => break,
                    // At the edge of the domain one side may still have values.
                    Err(_) if attempt == 0 => delta = -delta,
                    Err(failure) => return Err((failure, self.clock.t)),
                }
            }
            for i in 0..n {
                self.jacobian[i * n + j] = (self.error[i] - self.rate[i]) / delta;
            }
            self.scratch[j] = self.y[j];
        }
        Ok(())
    }

    /// Factorises μ/h I − J for the real and the complex μ. False: singular.
    fn factorise(&mut self, h: f64) -> bool {
        let n = self.y.len();
        let (real, complex) = (self.real.matrix(), self.complex.matrix());
        for e in 0..n * n {
            real[e] = -self.jacobian[e];
            complex[e] = Complex::new(-self.jacobian[e], 0.0);
        }
        for i in 0..n {
            real[i * n + i] += MU_REAL / h;
            complex[i * n + i] = complex[i * n + i] + Complex::new(MU_COMPLEX.re / h, MU_COMPLEX.im / h);
        }
        self.clock.statistics.factorisations += 2;
        let regular = self.real.factorise().is_ok() && self.complex.factorise().is_ok();
        self.factorised = if regular { h } else { 0.0 };
        regular
    }

    /// Iterates for the stages Z from the guess in `z`.
    fn newton(&mut self, h: f64) -> Newton {
        let n = self.y.len();
        for i in 0..n {
            for (r, row) in T_INVERSE.iter().enumerate() {
                self.w[r][i] = row[0] * self.z[0][i] + row[1] * self.z[1][i] + row[2] * self.z[2][i];
            }
        }
        let (real, complex) = (MU_REAL / h, Complex::new(MU_COMPLEX.re / h, MU_COMPLEX.im / h));
        let mut size_old = 0.0;
        let mut rate = 1e-3;
        let limit = if self.clock.sizes.fixed.is_some() { NEWTON_LIMIT_FIXED } else { NEWTON_LIMIT };
        for iteration in 1..=limit {
            for s in 0..3 {
                for i in 0..n {
                    self.scratch[i] = self.y[i] + self.z[s][i];
                }
                self.clock.statistics.evaluations += 1;
                let t = self.clock.t + C[s] * h;
                if let Err(failure) = checked_rhs(&mut self.ode, t, &self.scratch, &mut self.f[s]) {
                    return Newton::Failed(failure, t);
                }
            }
            for i in 0..n {
                let f = [self.f[0][i], self.f[1][i], self.f[2][i]];
                let [a, b, c] = T_INVERSE.map(|row| row[0] * f[0] + row[1] * f[1] + row[2] * f[2]);
                self.error[i] = a - real * self.w[0][i];
                self.pair[i] = Complex::new(b, c) - complex * Complex::new(self.w[1][i], self.w[2][i]);
            }
            self.real.solve(&mut self.error);
            self.complex.solve(&mut self.pair);
            let mut sum = 0.0;
            for i in 0..n {
                let s = self.scale(i);
                sum += (self.error[i] / s).powi(2) + (self.pair[i].re / s).powi(2) + (self.pair[i].im / s).powi(2);
            }
            let size = (sum / (3 * n.max(1)) as f64).sqrt();
            if !size.is_finite() {
                return Newton::Slow;
            }
            if iteration > 1 {
                rate = if size_old > 0.0 { size / size_old } else { 0.0 };
                let left = (limit - iteration) as i32;
                if rate >= 1.0 || rate.powi(left) / (1.0 - rate) * size > self.newton_tolerance {
                    // Rounding, not divergence, when the correction is already far below what is asked for.
                    if size > 0.1 * self.newton_tolerance {
                        return Newton::Slow;
                    }
                }
            }
            for i in 0..n {
                self.w[0][i] += self.error[i];
                self.w[1][i] += self.pair[i].re;
                self.w[2][i] += self.pair[i].im;
                for (s, row) in T.iter().enumerate() {
                    self.z[s][i] = row[0] * self.w[0][i] + row[1] * self.w[1][i] + row[2] * self.w[2][i];
                }
            }
            let converged = iteration > 1 && rate < 1.0 && rate / (1.0 - rate) * size < self.newton_tolerance;
            if size == 0.0 || converged || iteration > 1 && size <= 0.1 * self.newton_tolerance {
                return Newton::Converged { iterations: iteration, rate };
            }
            size_old = size;
        }
        Newton::Slow
    }

    /// Guess for the stages: the last collocation polynomial continued.
    fn guess(&mut self, h: f64) {
        let n = self.y.len();
        if self.clock.h_done == 0.0 {
            self.z.iter_mut().for_each(|z| z.fill(0.0));
            return;
        }
        for s in 0..3 {
            let x = 1.0 + C[s] * h / self.clock.h_done;
            for i in 0..n {
                let [a, b, c, _] = &self.dense;
                let value = x * (a[i] + x * (b[i] + x * c[i]));
                self.z[s][i] = value + self.y_old[i] - self.y[i];
            }
        }
    }

    /// Size of the error relative to the tolerance. `again`: filter once more, for steps that start stiff components.
    fn estimate(&mut self, h: f64, again: bool) -> Result<f64, (RhsFailure, f64)> {
        let n = self.y.len();
        let combined = |r: &Self, i: usize| (E[0] * r.z[0][i] + E[1] * r.z[1][i] + E[2] * r.z[2][i]) / h;
        for i in 0..n {
            self.error[i] = self.rate[i] + combined(self, i);
        }
        self.real.solve(&mut self.error);
        let size = |r: &Self| {
            let sum: f64 = (0..n)
                .map(|i| {
                    let largest = r.y[i].abs().max((r.y[i] + r.z[2][i]).abs());
                    (r.error[i] / (r.tolerance.absolute + r.tolerance.relative * largest)).powi(2)
                })
                .sum();
            (sum / n.max(1) as f64).sqrt()
        };
        let first = size(self);
        if !(first > 1.0 && again) {
            return Ok(first);
        }
        for i in 0..n {
            self.scratch[i] = self.y[i] + self.error[i];
        }
        self.clock.statistics.evaluations += 1;
        checked_rhs(&mut self.ode, self.clock.t, &self.scratch, &mut self.f[0])
            .map_err(|failure| (failure, self.clock.t))?;
        for i in 0..n {
            self.error[i] = self.f[0][i] + combined(self, i);
        }
        self.real.solve(&mut self.error);
        Ok(size(self))
    }

    /// The new state and its rate, if it has one.
    fn accept(&mut self, span: Span) -> Result<(), StepFailure> {
        let n = self.y.len();
        for i in 0..n {
            self.scratch[i] = self.y[i] + self.z[2][i];
        }
        in_range(&self.scratch, span.end)?;
        self.clock.statistics.evaluations += 1;
        checked_rhs(&mut self.ode, span.end, &self.scratch, &mut self.f[0]).map_err(|failure| (failure, span.end))?;
        std::mem::swap(&mut self.rate, &mut self.f[0]);
        self.y_old.copy_from_slice(&self.y);
        self.y.copy_from_slice(&self.scratch);
        for i in 0..n {
            for p in 0..3 {
                self.dense[p][i] = P[0][p] * self.z[0][i] + P[1][p] * self.z[1][i] + P[2][p] * self.z[2][i];
            }
            // (μ/h − J) error = f(y₀) − p′(0)/h.
            self.dense[3][i] = MU_REAL * self.error[i];
        }
        self.clock.advance(span);
        self.jacobian_current = false;
        Ok(())
    }
}

impl<O: Ode> Adaptive for Radau<O> {
    fn attempt(&mut self, span: Span, proposed: f64, shrunk: bool) -> Result<Attempt, StepFailure> {
        let (h, fixed) = (span.h, self.clock.is_fixed());
        if !self.jacobian_known || fixed && !self.jacobian_current {
            self.compute_jacobian()?;
        }
        if self.factorised != h && !self.factorise(h) {
            return Ok(Attempt::Shorten(0.5 * h.abs()));
        }
        self.guess(h);
        let (iterations, rate) = match self.newton(h) {
            Newton::Converged { iterations, rate } => (iterations, rate),
            Newton::Failed(failure, t) => return Err((failure, t).into()),
            Newton::Slow if !self.jacobian_current => {
                self.compute_jacobian()?;
                return Ok(Attempt::Again);
            }
            Newton::Slow => return Ok(Attempt::Shorten(0.5 * h.abs())),
        };
        let error = self.estimate(h, !fixed && (shrunk || self.clock.statistics.steps == 0))?;
        if fixed {
            return self.accept(span).map(|()| Attempt::Made);
        }
        let patience = (2 * NEWTON_LIMIT + 1) as f64 / (2 * NEWTON_LIMIT + iterations) as f64;
        let plain = libm::pow(error.max(1e-16), -0.25);
        // Gustafsson's predictor uses the trend of the error.
        let trend = match self.error_old {
            Some((h_old, error_old)) if error > 0.0 => h.abs() / h_old * libm::pow(error_old / error, 0.25),
            _ => 1.0,
        };
        let factor = 0.9 * patience * plain * trend.min(1.0);
        if !(error <= 1.0) {
            return Ok(Attempt::Shorten(h.abs() * if error.is_finite() { factor.clamp(0.125, 0.9) } else { 0.125 }));
        }
        self.accept(span)?;
        self.error_old = Some((h.abs(), error.max(1e-2)));
        if iterations > 2 && rate > 1e-3 {
            self.jacobian_known = false;
        }
        let mut next = h.abs() * factor.min(8.0);
        if shrunk {
            next = next.min(h.abs());
        }
        // A slightly longer step is not worth new factorisations.
        let keep = self.jacobian_known && (1.0..1.2).contains(&(next / h.abs()));
        self.h = if h.abs() < proposed && !shrunk {
            next.max(proposed)
        } else if keep {
            h.abs()
        } else {
            next
        };
        Ok(Attempt::Made)
    }

    fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    fn diagnose(&mut self) -> Option<RhsFailure> {
        self.ode.diagnose(self.clock.t, &self.y)
    }
}

impl<O: Ode> Stepper for Radau<O> {
    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn step(&mut self, t_end: f64) -> Result<(), StepFailure> {
        self.prepare(t_end)?;
        self.make_step(t_end, self.h)
    }

    fn dense(&mut self, t: f64, out: &mut [f64]) -> Result<(), StepFailure> {
        if self.clock.h_done == 0.0 {
            out.copy_from_slice(&self.y);
            return Ok(());
        }
        let x = (t - self.clock.t_old) / self.clock.h_done;
        // Slope 1 at the beginning, 0 at the nodes; it vanishes at both ends.
        let bump = x * (1.0 - x * (4.5 - x * (6.0 - 2.5 * x)));
        let [a, b, c, d] = &self.dense;
        for (i, out) in out.iter_mut().enumerate().take(self.y.len()) {
            *out = self.y_old[i] + x * (a[i] + x * (b[i] + x * c[i])) + bump * d[i];
        }
        Ok(())
    }

    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.rate_known = false;
    }
}
