//! Interpolation of measured data: piecewise linear, monotone cubic, natural cubic spline.
//!
//! Beyond the data the function goes on linearly with the slope at the end, so it stays as smooth as slopes can be.

use super::system::{Interpolation, Table};
use crate::expr::Rational;

/// A piecewise cubic function.
#[derive(Clone, Debug, PartialEq)]
pub struct Interpolant {
    knots: Vec<f64>,
    /// Per interval: value and derivatives divided by factorials at its left end.
    pieces: Vec<[f64; 4]>,
}

impl Interpolant {
    /// From a table of at least two points with ascending arguments (what the loader lets through).
    pub fn new(table: &Table) -> Interpolant {
        let at: Vec<f64> = table.at.iter().map(|x| x.to_f64()).collect();
        if let Some((pieces, _)) = &table.pieces {
            let pieces = pieces.iter().map(|p| p.each_ref().map(Rational::to_f64)).collect();
            return Interpolant { knots: at, pieces };
        }
        let values: Vec<f64> = table.values.iter().map(|y| y.to_f64()).collect();
        Interpolant::from_points(at, &values, table.interpolation)
    }

    /// From points.
    pub fn from_points(knots: Vec<f64>, y: &[f64], interpolation: Interpolation) -> Interpolant {
        let n = knots.len().min(y.len());
        let h: Vec<f64> = knots.windows(2).map(|w| w[1] - w[0]).collect();
        let secant: Vec<f64> = (0..n.saturating_sub(1)).map(|i| (y[i + 1] - y[i]) / h[i]).collect();
        let slopes = match interpolation {
            Interpolation::Linear => None,
            Interpolation::Pchip => Some(monotone_slopes(&h, &secant)),
            Interpolation::Spline => Some(spline_slopes(&h, &secant)),
        };
        let pieces = (0..secant.len())
            .map(|i| match &slopes {
                None => [y[i], secant[i], 0.0, 0.0],
                Some(m) => {
                    let c2 = (3.0 * secant[i] - 2.0 * m[i] - m[i + 1]) / h[i];
                    let c3 = (m[i] + m[i + 1] - 2.0 * secant[i]) / (h[i] * h[i]);
                    [y[i], m[i], c2, c3]
                }
            })
            .collect();
        Interpolant { knots, pieces }
    }

    /// The arguments where pieces meet.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Value, first, second or third derivative coefficients of the piece right of each knot: c₀ + c₁s + c₂s² + c₃s³
    /// with s measured from the knot.
    pub fn pieces(&self) -> &[[f64; 4]] {
        &self.pieces
    }

    /// The derivative of the given order (0: the value) at `x`.
    pub fn evaluate(&self, x: f64, derivative: u8) -> f64 {
        let (Some(&first), Some(&last)) = (self.knots.first(), self.knots.last()) else { return f64::NAN };
        if self.pieces.is_empty() || x.is_nan() {
            return f64::NAN;
        }
        if x < first || x > last {
            let edge = if x < first { first } else { last };
            return match derivative {
                0 => self.inside(edge, 0) + (x - edge) * self.inside(edge, 1),
                1 => self.inside(edge, 1),
                _ => 0.0,
            };
        }
        self.inside(x, derivative)
    }

    fn inside(&self, x: f64, derivative: u8) -> f64 {
        let i = self.knots.partition_point(|&k| k <= x).saturating_sub(1).min(self.pieces.len() - 1);
        let [a, b, c, d] = self.pieces[i];
        let s = x - self.knots[i];
        match derivative {
            0 => a + s * (b + s * (c + s * d)),
            1 => b + s * (2.0 * c + s * 3.0 * d),
            2 => 2.0 * c + 6.0 * d * s,
            3 => 6.0 * d,
            _ => 0.0,
        }
    }
}

/// Fritsch and Carlson, with the weighted harmonic mean of Fritsch and Butland and the three-point formula at the ends.
fn monotone_slopes(h: &[f64], secant: &[f64]) -> Vec<f64> {
    let n = h.len() + 1;
    if n == 2 {
        return vec![secant[0]; 2];
    }
    let mut m = vec![0.0; n];
    for i in 1..n - 1 {
        let (a, b) = (secant[i - 1], secant[i]);
        if a * b > 0.0 {
            let (w1, w2) = (2.0 * h[i] + h[i - 1], h[i] + 2.0 * h[i - 1]);
            m[i] = (w1 + w2) / (w1 / a + w2 / b);
        }
    }
    let end = |h0: f64, h1: f64, s0: f64, s1: f64| {
        let slope = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
        if slope * s0 <= 0.0 {
            0.0
        } else if s0.signum() != s1.signum() && slope.abs() > 3.0 * s0.abs() {
            3.0 * s0
        } else {
            slope
        }
    };
    m[0] = end(h[0], h[1], secant[0], secant[1]);
    m[n - 1] = end(h[n - 2], h[n - 3], secant[n - 2], secant[n - 3]);
    m
}

/// Slopes of the natural spline: a tridiagonal system, diagonally dominant, so no pivoting is needed.
fn spline_slopes(h: &[f64], secant: &[f64]) -> Vec<f64> {
    let n = h.len() + 1;
    let (mut diagonal, mut right) = (vec![0.0; n], vec![0.0; n]);
    let mut upper = vec![0.0; n];
    (diagonal[0], upper[0], right[0]) = (2.0, 1.0, 3.0 * secant[0]);
    for i in 1..n {
        let (lower, d, u, r) = if i < n - 1 {
            let r = 3.0 * (h[i] * secant[i - 1] + h[i - 1] * secant[i]);
            (h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], r)
        } else {
            (1.0, 2.0, 0.0, 3.0 * secant[n - 2])
        };
        let factor = lower / diagonal[i - 1];
        diagonal[i] = d - factor * upper[i - 1];
        right[i] = r - factor * right[i - 1];
        upper[i] = u;
    }
    let mut m = vec![0.0; n];
    for i in (0..n).rev() {
        let next = if i + 1 < n { upper[i] * m[i + 1] } else { 0.0 };
        m[i] = (right[i] - next) / diagonal[i];
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: [f64; 6] = [0.0, 0.5, 1.0, 2.0, 3.5, 4.0];
    const VALUES: [f64; 6] = [1.0, 2.0, 2.0, -1.0, 3.0, 3.5];

    #[test]
    fn every_interpolation_passes_through_the_points_and_its_derivatives_are_derivatives() {
        for kind in [Interpolation::Linear, Interpolation::Pchip, Interpolation::Spline] {
            let f = Interpolant::from_points(AT.to_vec(), &VALUES, kind);
            for (x, y) in AT.iter().zip(VALUES) {
                assert!((f.evaluate(*x, 0) - y).abs() < 1e-14, "{kind:?} at {x}");
            }
            for x in [-0.7, 0.2, 0.9, 1.7, 3.1, 3.7, 5.0] {
                for order in 0..3 {
                    let e = 1e-5;
                    let slope = (f.evaluate(x + e, order) - f.evaluate(x - e, order)) / (2.0 * e);
                    assert!((slope - f.evaluate(x, order + 1)).abs() < 1e-5, "{kind:?}, derivative {order} at {x}");
                }
            }
        }
    }

    #[test]
    fn slopes_of_pchip_are_harmonic_means_and_do_not_overshoot_at_the_ends() {
        let slopes = |h: &[f64], secants: &[f64], expected: [f64; 3]| {
            for (found, expected) in monotone_slopes(h, secants).into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15, "{h:?}, {secants:?}: {found} against {expected}");
            }
        };
        slopes(&[1.0, 2.0], &[1.0, 0.5], [7.0 / 6.0, 9.0 / 13.0, 1.0 / 6.0]);
        slopes(&[1.0, 1.0], &[1.0, -1.0], [2.0, 0.0, -2.0]);
        slopes(&[1.0, 1.0], &[1.0, 10.0], [0.0, 20.0 / 11.0, 14.5]);
        assert_eq!(monotone_slopes(&[1.0, 0.1], &[1.0, -5.0])[0], 3.0);
        // The last is that of the last two intervals, however many there are.
        let last = monotone_slopes(&[3.0, 4.0, 1.0, 2.0], &[9.0, 7.0, 1.0, 0.5])[4];
        assert!((last - 1.0 / 6.0).abs() < 1e-15, "{last}");
    }

    #[test]
    fn pchip_never_overshoots_and_splines_are_smooth_with_straight_ends() {
        let p = Interpolant::from_points(AT.to_vec(), &VALUES, Interpolation::Pchip);
        for i in 0..=400 {
            let x = i as f64 * 0.01;
            let k = AT.partition_point(|&k| k <= x).clamp(1, AT.len() - 1);
            let (low, high) = (VALUES[k - 1].min(VALUES[k]), VALUES[k - 1].max(VALUES[k]));
            let y = p.evaluate(x, 0);
            assert!(y >= low - 1e-12 && y <= high + 1e-12, "{y} at {x}");
        }
        let s = Interpolant::from_points(AT.to_vec(), &VALUES, Interpolation::Spline);
        for x in &AT[1..5] {
            for order in 0..3 {
                let jump = s.evaluate(x + 1e-9, order) - s.evaluate(x - 1e-9, order);
                assert!(jump.abs() < 1e-6, "derivative {order} jumps at {x}");
            }
        }
        assert!(s.evaluate(0.0, 2).abs() < 1e-12 && s.evaluate(4.0, 2).abs() < 1e-12);
        let line = Interpolant::from_points(vec![0.0, 1.0, 3.0], &[1.0, 3.0, 7.0], Interpolation::Spline);
        assert!((line.evaluate(2.2, 0) - 5.4).abs() < 1e-14);
        let two = Interpolant::from_points(vec![0.0, 1.0], &[1.0, 3.0], Interpolation::Pchip);
        assert_eq!(two.evaluate(0.5, 0), 2.0);
    }
}
