//! Eight numbers, one of each of eight trajectories, that are computed with together: formulas stand as for one number, and become
//! vector instructions.

use std::ops::{Add, AddAssign, Deref, DerefMut, Div, Mul, Sub};

/// Lanes computed at a time.
pub(super) const WIDTH: usize = 8;

/// A row that begins at a cache line.
#[repr(align(64))]
pub(super) struct Aligned<const L: usize>(pub [f64; L]);

impl<const L: usize> Deref for Aligned<L> {
    type Target = [f64; L];

    #[inline(always)]
    fn deref(&self) -> &[f64; L] {
        &self.0
    }
}

impl<const L: usize> DerefMut for Aligned<L> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [f64; L] {
        &mut self.0
    }
}

/// One number per lane.
#[derive(Clone, Copy)]
pub(super) struct Eight(pub [f64; WIDTH]);

impl Eight {
    /// The same number in every lane.
    #[inline(always)]
    pub(super) fn all(x: f64) -> Eight {
        Eight([x; WIDTH])
    }

    /// Eight lanes of a row, the part of that index.
    #[inline(always)]
    pub(super) fn of<const L: usize>(row: &[f64; L], part: usize) -> Eight {
        Eight(row.as_chunks::<WIDTH>().0[part])
    }

    /// Writes them to a row.
    #[inline(always)]
    pub(super) fn to<const L: usize>(self, row: &mut [f64; L], part: usize) {
        row.as_chunks_mut::<WIDTH>().0[part] = self.0;
    }

    #[inline(always)]
    fn with(mut self, other: Eight, f: impl Fn(f64, f64) -> f64) -> Eight {
        for l in 0..WIDTH {
            self.0[l] = f(self.0[l], other.0[l]);
        }
        self
    }

    #[inline(always)]
    fn each(mut self, f: impl Fn(f64) -> f64) -> Eight {
        for l in 0..WIDTH {
            self.0[l] = f(self.0[l]);
        }
        self
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Eight {
        self.each(f64::abs)
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Eight {
        self.each(f64::sqrt)
    }

    /// The larger one, and the other where one is not a number.
    #[inline(always)]
    pub(super) fn max(self, other: Eight) -> Eight {
        self.with(other, f64::max)
    }

    /// These where they are above zero, else the others.
    #[inline(always)]
    pub(super) fn if_positive(self, other: Eight) -> Eight {
        self.with(other, |x, y| if x > 0.0 { x } else { y })
    }
}

macro_rules! operations {
    ($($trait:ident, $name:ident, $op:tt;)*) => {$(
        impl $trait for Eight {
            type Output = Eight;

            #[inline(always)]
            fn $name(self, other: Eight) -> Eight {
                self.with(other, |x, y| x $op y)
            }
        }

        impl $trait<Eight> for f64 {
            type Output = Eight;

            #[inline(always)]
            fn $name(self, other: Eight) -> Eight {
                other.each(|x| self $op x)
            }
        }
    )*};
}

operations! {
    Add, add, +;
    Sub, sub, -;
    Mul, mul, *;
    Div, div, /;
}

impl AddAssign for Eight {
    #[inline(always)]
    fn add_assign(&mut self, other: Eight) {
        *self = *self + other;
    }
}
