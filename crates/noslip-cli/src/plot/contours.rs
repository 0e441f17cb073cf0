//! Level lines of a function over a rectangle.

use super::{Column, Plot};

/// Values on a grid: `values[j][i]` at (across[i], up[j]).
pub struct Grid {
    /// Places across.
    pub across: Vec<f64>,
    /// Places upward.
    pub up: Vec<f64>,
    /// Values; what is not finite has no lines around it.
    pub values: Vec<Vec<f64>>,
}

/// About so many levels.
const LEVELS: f64 = 7.0;

impl Grid {
    /// The plot of its level lines at round values.
    pub fn plot(&self, title: impl Into<String>, across: &str, up: &str) -> Plot {
        let finite = self.values.iter().flatten().copied().filter(|x| x.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        let flat = (high - low).is_nan() || high - low <= 1e-12 * low.abs().max(high.abs());
        let levels = if flat { Vec::new() } else { super::ticks(low, high, LEVELS) };
        let step = levels.get(1).map_or(1.0, |b| b - levels[0]);
        let mut lines: Vec<(Vec<f64>, Column)> = Vec::new();
        for level in levels {
            let (x, y) = self.line(level);
            if !x.is_empty() {
                lines.push((x, Column::new(super::label(level, step), y)));
            }
        }
        if flat && low.is_finite() {
            // A constant has no level lines: its name says so.
            let (x, y) = (vec![self.across[0]], vec![self.up[0]]);
            lines.push((x, Column::new(format!("everywhere {}", super::label(low, low.abs().max(1e-9))), y)));
        }
        Plot { title: title.into(), across: across.to_owned(), lines, up_name: up.to_owned(), equal: false }
    }

    /// One level, as pieces with gaps between them: each cell is cut by straight lines.
    fn line(&self, level: f64) -> (Vec<f64>, Vec<f64>) {
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for j in 1..self.up.len() {
            for i in 1..self.across.len() {
                let cuts = self.cuts(i, j, level);
                for piece in cuts.chunks_exact(2) {
                    for p in piece {
                        x.push(p.0);
                        y.push(p.1);
                    }
                    x.push(f64::NAN);
                    y.push(f64::NAN);
                }
            }
        }
        (x, y)
    }

    /// Where the level cuts the edges of a cell, in the order around it.
    fn cuts(&self, i: usize, j: usize, level: f64) -> Vec<(f64, f64)> {
        let corners = [(i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j)];
        let value = |k: usize| self.values[corners[k % 4].1][corners[k % 4].0] - level;
        let place = |k: usize| (self.across[corners[k % 4].0], self.up[corners[k % 4].1]);
        let mut list = Vec::new();
        for k in 0..4 {
            let (a, b) = (value(k), value(k + 1));
            if !(a.is_finite() && b.is_finite()) || (a < 0.0) == (b < 0.0) {
                continue;
            }
            let (s, p, q) = (a / (a - b), place(k), place(k + 1));
            list.push((p.0 + s * (q.0 - p.0), p.1 + s * (q.1 - p.1)));
        }
        list
    }
}
