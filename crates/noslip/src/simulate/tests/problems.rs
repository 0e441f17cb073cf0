//! Problems with known solutions.

use crate::simulate::TaylorOde;
use crate::simulate::{Ode, RhsFailure};

/// Kepler's problem in the plane with unit attraction: (x, y, x′, y′).
pub struct Kepler;

impl Ode for Kepler {
    fn dimension(&self) -> usize {
        4
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
        dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
        Ok(())
    }
}

impl TaylorOde for Kepler {
    fn dimension(&self) -> usize {
        4
    }

    fn coefficients(&mut self, _t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
        out[..4].copy_from_slice(y);
        // s = x² + y², w = s^(−3/2): s w′ = −3/2 w s′, coefficient by coefficient.
        let (mut s, mut w) = (vec![0.0; order], vec![0.0; order]);
        for k in 0..order {
            s[k] = (0..=k).map(|j| out[4 * j] * out[4 * (k - j)] + out[4 * j + 1] * out[4 * (k - j) + 1]).sum();
            w[k] = if k == 0 {
                s[0].powf(-1.5)
            } else {
                let sum: f64 = (0..k).map(|j| (-1.5 * (k - j) as f64 - j as f64) * s[k - j] * w[j]).sum();
                sum / (k as f64 * s[0])
            };
            let next = (k + 1) as f64;
            for i in 0..2 {
                let pull: f64 = (0..=k).map(|j| out[4 * j + i] * w[k - j]).sum();
                out[4 * (k + 1) + i] = out[4 * k + 2 + i] / next;
                out[4 * (k + 1) + 2 + i] = -pull / next;
            }
        }
        Ok(())
    }
}

/// Start of an orbit of eccentricity e at the pericentre, semi-major axis 1, period 2π.
pub fn pericentre(e: f64) -> [f64; 4] {
    [1.0 - e, 0.0, 0.0, ((1.0 + e) / (1.0 - e)).sqrt()]
}

/// The orbit of [`pericentre`] after time t, from Kepler's equation.
pub fn kepler_exact(e: f64, t: f64) -> [f64; 4] {
    let mut anomaly = t + e * t.sin();
    for _ in 0..50 {
        anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
    }
    let (sin, cos) = anomaly.sin_cos();
    let (b, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * cos));
    [cos - e, b * sin, -sin * rate, b * cos * rate]
}

/// y′ = y (1 − y) and an oscillator z″ = −z, driven by nothing: (y, z, z′), with coefficients by recurrence.
pub struct LogisticAndOscillator;

impl LogisticAndOscillator {
    pub const START: [f64; 3] = [0.2, 1.0, 0.5];

    pub fn exact(t: f64) -> [f64; 3] {
        let (sin, cos) = t.sin_cos();
        [0.2 / (0.2 + 0.8 * (-t).exp()), cos + 0.5 * sin, -sin + 0.5 * cos]
    }
}

impl Ode for LogisticAndOscillator {
    fn dimension(&self) -> usize {
        3
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        dy.copy_from_slice(&[y[0] * (1.0 - y[0]), y[2], -y[1]]);
        Ok(())
    }
}

impl TaylorOde for LogisticAndOscillator {
    fn dimension(&self) -> usize {
        3
    }

    fn coefficients(&mut self, _t: f64, y: &[f64], order: usize, out: &mut [f64]) -> Result<(), RhsFailure> {
        out[..3].copy_from_slice(y);
        for k in 0..order {
            let next = (k + 1) as f64;
            let square: f64 = (0..=k).map(|j| out[3 * j] * out[3 * (k - j)]).sum();
            out[3 * (k + 1)] = (out[3 * k] - square) / next;
            out[3 * (k + 1) + 1] = out[3 * k + 2] / next;
            out[3 * (k + 1) + 2] = -out[3 * k + 1] / next;
        }
        Ok(())
    }
}

/// Largest difference.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Slope of log error against log step, by least squares.
pub fn observed_order(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(h, e)| (h.ln(), e.ln())).collect();
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let xy: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let xx: f64 = logs.iter().map(|p| (p.0 - mx).powi(2)).sum();
    xy / xx
}
