//! What an integrator needs to know of a differential equation, and how evaluating it can fail.

use crate::numeric::first_non_finite;

/// Why a right-hand side has no value at a state.
#[derive(Clone, Debug, PartialEq)]
pub enum RhsFailure {
    /// A component came out infinite or not a number.
    NonFinite {
        /// Index of the component of the state whose rate is not finite.
        component: usize,
    },
    /// The accelerations are not determined: a constraint loses rank, or the inertia is degenerate.
    Singular {
        /// The constraint (or coordinate) to blame, by name.
        which: String,
    },
    /// The variables are no good here, others may be: shorter steps do not help.
    ChartEnds,
}

impl std::fmt::Display for RhsFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RhsFailure::NonFinite { .. } => f.write_str("the accelerations are not finite"),
            RhsFailure::Singular { which } => write!(f, "the accelerations are not determined: {which} loses rank"),
            RhsFailure::ChartEnds => f.write_str("the quasi-velocities are no coordinates there"),
        }
    }
}

/// A first-order differential equation y′ = f(t, y).
pub trait Ode {
    /// Number of components of the state.
    fn dimension(&self) -> usize;

    /// Writes f(t, y) into `dy`. A non-finite entry may be left in place: integrators look at every derivative.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure>;

    /// Writes ∂f/∂y row by row into `jacobian` and returns true, or returns false: then differences are taken.
    fn jacobian(&mut self, _t: f64, _y: &[f64], _jacobian: &mut [f64]) -> Result<bool, RhsFailure> {
        Ok(false)
    }

    /// Asked when steps have become too small at (t, y): is a singular state near that explains it?
    fn diagnose(&mut self, _t: f64, _y: &[f64]) -> Option<RhsFailure> {
        None
    }
}

/// What stands behind a reference or in a box is an equation as well.
macro_rules! forward {
    ($pointer:ty) => {
        impl<O: Ode + ?Sized> Ode for $pointer {
            fn dimension(&self) -> usize {
                (**self).dimension()
            }

            fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
                (**self).rhs(t, y, dy)
            }

            fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut [f64]) -> Result<bool, RhsFailure> {
                (**self).jacobian(t, y, jacobian)
            }

            fn diagnose(&mut self, t: f64, y: &[f64]) -> Option<RhsFailure> {
                (**self).diagnose(t, y)
            }
        }
    };
}

forward!(&mut O);
forward!(Box<O>);

/// A closure as a differential equation.
pub struct OdeFn<F> {
    dimension: usize,
    rhs: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> OdeFn<F> {
    /// The equation y′ = f(t, y) with `dimension` components.
    pub fn new(dimension: usize, rhs: F) -> Self {
        OdeFn { dimension, rhs }
    }
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Ode for OdeFn<F> {
    fn dimension(&self) -> usize {
        self.dimension
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        (self.rhs)(t, y, dy);
        Ok(())
    }
}

/// Evaluates and insists on finite values.
#[inline]
pub(super) fn checked_rhs<O: Ode + ?Sized>(ode: &mut O, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
    ode.rhs(t, y, dy)?;
    match first_non_finite(dy) {
        None => Ok(()),
        Some(component) => Err(RhsFailure::NonFinite { component }),
    }
}
