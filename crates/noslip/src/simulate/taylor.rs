//! Taylor's method of any order, for reference-grade runs.
//!
//! Order and step follow from the tolerance and from the last two coefficients as proposed by À. Jorba and M. Zou, *A
//! software package for the numerical integration of ODEs by means of high-order Taylor methods* (2005). Coefficients can
//! deceive (gaps in the series, forces that are not analytic), so each step is checked: the polynomial's slope at its end
//! must agree with the equation there. The check is free, the next step needs the same evaluation.

use super::methods::{Begin, Method};
use super::ode::RhsFailure;
use super::stepper::{Adaptive, Attempt, Clock, Span, StepFailure, StepSize, Stepper, Tolerance, in_range};
use crate::card;
use crate::numeric::first_non_finite;

/// The method in the registry.
pub static TAYLOR: Method = Method {
    card: &card::TAYLOR,
    start: Begin::Series(|ode, from| Box::new(Taylor::new(ode, from.t, from.y, from.tolerance, from.sizes))),
    stiff: false,
};

/// A differential equation that can expand its solution.
pub trait TaylorOde {
    /// Number of components of the state.
    fn dimension(&self) -> usize;

    /// Writes the normalised Taylor coefficients y⁽ᵏ⁾/k! of the solution through (t, y), k = 0 … order, component i of
    /// coefficient k at `out[k * dimension + i]`.
    fn coefficients(&mut self, t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure>;

    /// As [`Ode::diagnose`](super::Ode::diagnose).
    fn diagnose(&mut self, _t: f64, _y: &[f64]) -> Option<RhsFailure> {
        None
    }
}

/// What stands behind a reference or in a box is an equation as well.
macro_rules! forward {
    ($pointer:ty) => {
        impl<O: TaylorOde + ?Sized> TaylorOde for $pointer {
            fn dimension(&self) -> usize {
                (**self).dimension()
            }

            fn coefficients(&mut self, t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
                (**self).coefficients(t, y, order, out)
            }

            fn diagnose(&mut self, t: f64, y: &[f64]) -> Option<RhsFailure> {
                (**self).diagnose(t, y)
            }
        }
    };
}

forward!(&mut O);
forward!(Box<O>);

/// An integration by Taylor's method.
pub struct Taylor<O> {
    ode: O,
    order: usize,
    tolerance: Tolerance,
    clock: Clock,
    y: Vec<f64>,
    y_new: Vec<f64>,
    /// What rounding cut off the sum of the steps so far.
    carry: Vec<f64>,
    carry_new: Vec<f64>,
    slope: Vec<f64>,
    /// Coefficients at the current state.
    series: Vec<f64>,
    series_new: Vec<f64>,
    /// Coefficients of the last step.
    series_old: Vec<f64>,
    known: bool,
}

/// The order that gives most time per work for a tolerance, (8) of Jorba and Zou.
pub fn order_for(tolerance: f64) -> usize {
    let digits = -libm::log(tolerance.clamp(f64::MIN_POSITIVE, 0.5));
    (0.5 * digits + 1.0).ceil().max(2.0) as usize
}

impl<O: TaylorOde> Taylor<O> {
    /// Starts at (t, y) with the order that suits the tolerance.
    pub fn new(ode: O, t: f64, y: &[f64], tolerance: Tolerance, sizes: StepSize) -> Self {
        let tolerance = tolerance.sane();
        let order = order_for(tolerance.relative);
        Self::with_order(ode, t, y, tolerance, sizes, order)
    }

    /// Starts at (t, y) with a given order ≥ 2. Panics if `y` has not the equation's dimension.
    pub fn with_order(ode: O, t: f64, y: &[f64], tolerance: Tolerance, sizes: StepSize, order: usize) -> Self {
        let n = ode.dimension();
        assert_eq!(y.len(), n, "state of another dimension than the equation");
        let order = order.max(2);
        Taylor {
            ode,
            order,
            tolerance: tolerance.sane(),
            clock: Clock::new(t, sizes),
            y: y.to_vec(),
            y_new: y.to_vec(),
            carry: vec![0.0; n],
            carry_new: vec![0.0; n],
            slope: vec![0.0; n],
            series: vec![0.0; (order + 1) * n],
            series_new: vec![0.0; (order + 1) * n],
            series_old: vec![0.0; (order + 1) * n],
            known: false,
        }
    }

    /// The equation.
    pub fn ode(&mut self) -> &mut O {
        &mut self.ode
    }

    /// The order in use.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Coefficients at (t, y) into `series_new`.
    fn expand(&mut self, t: f64, current: bool) -> Result<(), (RhsFailure, f64)> {
        let n = self.y.len();
        self.clock.statistics.evaluations += 1;
        let y = if current { &self.y } else { &self.y_new };
        self.ode.coefficients(t, y, self.order, &mut self.series_new).map_err(|failure| (failure, t))?;
        match first_non_finite(&self.series_new) {
            None => Ok(()),
            Some(at) => Err((RhsFailure::NonFinite { component: at % n }, t)),
        }
    }

    /// Largest coefficient of order k.
    fn size(&self, k: usize) -> f64 {
        let n = self.y.len();
        self.series[k * n..(k + 1) * n].iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    /// (11) and (12) of Jorba and Zou, with their safety factor.
    fn step_length(&self) -> f64 {
        let p = self.order;
        let size = self.size(0);
        let reference = if self.tolerance.relative * size <= self.tolerance.absolute { 1.0 } else { size };
        let radius = |k: usize| {
            let last = self.size(k);
            if last > 0.0 { libm::pow(reference / last, 1.0 / k as f64) } else { f64::INFINITY }
        };
        let rho = radius(p).min(radius(p - 1));
        // For other orders than the best one the tolerance enters by itself: ε^(1/p) = e⁻² at the best order.
        let ideal = libm::pow(self.tolerance.relative, 1.0 / p as f64);
        rho * ideal.min(libm::exp(-2.0)) * libm::exp(-0.7 / (p.max(2) - 1) as f64)
    }

    /// y_new = polynomial at h, and its slope there.
    fn evaluate(&mut self, h: f64) {
        let n = self.y.len();
        let s = &self.series;
        for i in 0..n {
            let mut sum = 0.0;
            let mut slope = 0.0;
            for k in (1..=self.order).rev() {
                slope = slope * h + k as f64 * s[k * n + i];
                sum = (sum + s[k * n + i]) * h;
            }
            let change = sum + self.carry[i];
            self.y_new[i] = self.y[i] + change;
            self.carry_new[i] = change - (self.y_new[i] - self.y[i]);
            self.slope[i] = slope;
        }
    }

    /// How far the polynomial's end is from solving the equation, relative to what is tolerated.
    fn defect(&self, h: f64) -> f64 {
        let n = self.y.len();
        let rates = &self.series_new[n..2 * n];
        let mut size = self.tolerance.absolute / self.tolerance.relative;
        size = size.min(1.0);
        let mut worst = 0.0f64;
        for i in 0..n {
            size = size.max(self.y_new[i].abs()).max((h * rates[i]).abs());
            worst = worst.max((self.slope[i] - rates[i]).abs());
        }
        let allowed = 100.0 * (self.order + 1) as f64 * self.tolerance.relative * size;
        worst * h.abs() / allowed
    }
}

impl<O: TaylorOde> Adaptive for Taylor<O> {
    /// The polynomial must solve the equation well enough at the end of the step.
    fn attempt(&mut self, span: Span, _proposed: f64, _shrunk: bool) -> Result<Attempt, StepFailure> {
        self.evaluate(span.h);
        in_range(&self.y_new, span.end)?;
        self.expand(span.end, false)?;
        if !self.clock.is_fixed() && !(self.defect(span.h) <= 1.0) {
            return Ok(Attempt::Shorten(0.5 * span.h.abs()));
        }
        // old ← current ← new
        std::mem::swap(&mut self.series_old, &mut self.series);
        std::mem::swap(&mut self.series, &mut self.series_new);
        std::mem::swap(&mut self.y, &mut self.y_new);
        std::mem::swap(&mut self.carry, &mut self.carry_new);
        self.clock.advance(span);
        Ok(Attempt::Made)
    }

    fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    fn diagnose(&mut self) -> Option<RhsFailure> {
        self.ode.diagnose(self.clock.t, &self.y)
    }
}

impl<O: TaylorOde> Stepper for Taylor<O> {
    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn step(&mut self, t_end: f64) -> Result<(), StepFailure> {
        if !self.known {
            self.expand(self.clock.t, true)?;
            std::mem::swap(&mut self.series, &mut self.series_new);
            self.known = true;
        }
        let mut proposed = match self.clock.sizes.fixed {
            Some(h) => h,
            None => self.step_length().min(self.clock.sizes.max),
        };
        if self.clock.h_done == 0.0 && self.clock.sizes.fixed.is_none() {
            proposed = self.clock.sizes.initial.map_or(proposed, |h| h.abs().min(proposed));
        }
        self.make_step(t_end, proposed)
    }

    fn dense(&mut self, t: f64, out: &mut [f64]) -> Result<(), StepFailure> {
        if self.clock.h_done == 0.0 {
            out.copy_from_slice(&self.y);
            return Ok(());
        }
        let n = self.y.len();
        let s = t - self.clock.t_old;
        for (i, out) in out.iter_mut().enumerate().take(n) {
            *out = (0..=self.order).rev().fold(0.0, |sum, k| sum * s + self.series_old[k * n + i]);
        }
        Ok(())
    }

    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.carry.fill(0.0);
        self.known = false;
    }
}
