//! The equations of a family of steady motions, and Newton's method for them.

use super::numbers::{Numbers, Point};
use crate::error::Result;
use crate::numeric::spectrum::{least_squares, solve};

/// A member of a family: variables of the closed part, tied ones too, and the open parameters.
#[derive(Clone, Debug)]
pub struct Member {
    /// Variables.
    pub variables: Vec<f64>,
}

/// The equations of a family: rates and ties vanish, some functions and variables have given values.
pub(super) struct Family {
    pub numbers: Numbers,
    /// Values of the given functions; the functions to be varied stand after them.
    pub given: Vec<f64>,
    /// Variables held.
    pub held: Vec<(usize, f64)>,
    /// Open parameters that are given, not varied.
    pub fixed: Vec<(usize, f64)>,
}

/// What a point must fulfil: residuals and their derivatives by y = (variables, open parameters).
pub(super) struct System {
    pub residuals: Vec<f64>,
    pub slopes: Vec<Vec<f64>>,
}

impl Family {
    /// Number of unknowns.
    pub fn width(&self) -> usize {
        self.numbers.size() + self.numbers.open.len()
    }

    /// The closed part at y.
    pub fn point(&mut self, y: &[f64]) -> Result<Point> {
        let size = self.numbers.size();
        self.numbers.at(&y[..size], &y[size..])
    }

    /// The equations without what is varied.
    pub fn system(&self, y: &[f64], point: &Point) -> System {
        let (width, size) = (self.width(), self.numbers.size());
        let mut s = System { residuals: point.rates.clone(), slopes: point.jacobian.clone() };
        s.residuals.extend(&point.ties);
        s.slopes.extend(point.tie_slopes.iter().cloned());
        for (i, &value) in self.given.iter().enumerate() {
            s.residuals.push(point.watched[i] - value);
            s.slopes.push(point.watched_slopes[i].clone());
        }
        let shifted = self.fixed.iter().map(|&(i, x)| (size + i, x));
        for (i, value) in self.held.iter().copied().chain(shifted) {
            let mut row = vec![0.0; width];
            row[i] = 1.0;
            s.residuals.push(y[i] - value);
            s.slopes.push(row);
        }
        s
    }

    /// Newton's method, the shortest step where the equations leave a choice, with further linear equations. `None` where it
    /// does not converge.
    pub fn solve(&mut self, start: &[f64], more: &mut dyn FnMut(&[f64], &Point, &mut System)) -> Option<Vec<f64>> {
        self.solve_with(start, usize::MAX, more)
    }

    /// The same with so many directions at most: towards the largest family, where a small one lies within.
    pub fn solve_with(
        &mut self,
        start: &[f64],
        most: usize,
        more: &mut dyn FnMut(&[f64], &Point, &mut System),
    ) -> Option<Vec<f64>> {
        let y = self.newton(start, most, more)?;
        Some(self.polished(y, more))
    }

    /// Further steps where Newton's method was still on its way: a root that is double or more is only halved by each, and its
    /// eigenvalues, which vanish, would be taken for small ones. As many steps at once as the root has multiplicity reach it.
    fn polished(&mut self, mut y: Vec<f64>, more: &mut dyn FnMut(&[f64], &Point, &mut System)) -> Vec<f64> {
        for _ in 0..40 {
            let Some((system, norm)) = self.evaluated(&y, more) else { break };
            let minus: Vec<f64> = system.residuals.iter().map(|x| -x).collect();
            let Some(step) = least_squares(&system.slopes, &minus, 1e-10, usize::MAX) else { break };
            let mut best = (0.5 * norm, None);
            for times in [1.0, 2.0, 3.0] {
                let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + times * s).collect();
                if let Some((_, new)) = self.evaluated(&next, more)
                    && new < best.0
                {
                    best = (new, Some(next));
                }
            }
            let Some(next) = best.1 else { break };
            y = next;
        }
        y
    }

    fn newton(
        &mut self,
        start: &[f64],
        most: usize,
        more: &mut dyn FnMut(&[f64], &Point, &mut System),
    ) -> Option<Vec<f64>> {
        let mut y = start.to_vec();
        let mut known: Option<(System, f64)> = None;
        let steps = if most < y.len() { 30 } else { 60 };
        for _ in 0..steps {
            let (system, norm) = match known.take() {
                Some(x) => x,
                None => self.evaluated(&y, more)?,
            };
            let minus: Vec<f64> = system.residuals.iter().map(|x| -x).collect();
            let step = least_squares(&system.slopes, &minus, 1e-10, most)?;
            let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
            let size = y.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length <= 4e-16 * (1.0 + size) || norm == 0.0 {
                return settled(&system).then_some(y);
            }
            // Not too far at once: a nearby solution is wanted, not any.
            let mut factor = y.iter().zip(&step).map(|(y, s)| (0.3 + 0.5 * y.abs()) / s.abs()).fold(1.0, f64::min);
            loop {
                let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + factor * s).collect();
                if let Some((system, new)) = self.evaluated(&next, more)
                    && (new < norm || new <= 1e-13)
                {
                    y = next;
                    known = Some((system, new));
                    break;
                }
                factor *= 0.5;
                if factor < 1e-4 {
                    // No better point along the step: as far as rounding goes.
                    return settled(&system).then_some(y);
                }
            }
        }
        let (system, _) = known?;
        settled(&system).then_some(y)
    }

    /// Downhill in the residuals, with damping: into the nearest valley, not across the hills. Residuals are measured by their
    /// derivatives, or as they are: an equation that says the same as others may have derivatives that vanish on the way.
    pub fn descended(&mut self, y0: &[f64], measured: bool) -> Option<Vec<f64>> {
        let length = |system: &System| -> f64 {
            if measured { scaled_norm(system) } else { system.residuals.iter().map(|x| x * x).sum::<f64>().sqrt() }
        };
        let nothing: &mut dyn FnMut(&[f64], &Point, &mut System) = &mut |_, _, _| {};
        let mut y = y0.to_vec();
        let (mut system, _) = self.evaluated(&y, nothing)?;
        let mut norm = length(&system);
        let mut damping = 1.0;
        for _ in 0..60 {
            // The damped step is the least-squares solution with rows √λ·1 below.
            let mut rows = system.slopes.clone();
            let mut right: Vec<f64> = system.residuals.iter().map(|x| -x).collect();
            for (row, b) in rows.iter_mut().zip(&mut right) {
                let length = if measured { row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12) } else { 1.0 };
                row.iter_mut().for_each(|x| *x *= 1.0 / (length * damping));
                *b *= 1.0 / (length * damping);
            }
            for i in 0..y.len() {
                let mut row = vec![0.0; y.len()];
                row[i] = 1.0;
                rows.push(row);
                right.push(0.0);
            }
            let step = damped(&rows, &right)?;
            let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + s).collect();
            match self.evaluated(&next, nothing) {
                Some((s, _)) if length(&s) < norm => {
                    norm = length(&s);
                    (y, system) = (next, s);
                    damping = (damping * 0.7f64).max(0.5);
                }
                _ => damping *= 3.0,
            }
            if norm < 1e-8 || damping > 1e6 {
                break;
            }
        }
        Some(y)
    }

    fn evaluated(&mut self, y: &[f64], more: &mut dyn FnMut(&[f64], &Point, &mut System)) -> Option<(System, f64)> {
        let point = self.point(y).ok()?;
        let mut system = self.system(y, &point);
        more(y, &point, &mut system);
        let norm = scaled_norm(&system);
        norm.is_finite().then_some((system, norm))
    }

    /// The position of a varied function among the watched ones, or of a varied parameter among the unknowns.
    pub fn varied(&self, point: &Point, y: &[f64], which: Varied) -> (f64, Vec<f64>) {
        match which {
            Varied::Function(i) => (point.watched[i], point.watched_slopes[i].clone()),
            Varied::Parameter(i) => {
                let at = self.numbers.size() + i;
                let mut row = vec![0.0; self.width()];
                row[at] = 1.0;
                (y[at], row)
            }
        }
    }

    /// The member with a given value of what is varied.
    pub fn member(&mut self, start: &[f64], fixed: &[(Varied, f64)]) -> Option<Vec<f64>> {
        let size = self.numbers.size();
        let width = self.width();
        self.solve(start, &mut |y, point, system| {
            for &(which, value) in fixed {
                match which {
                    Varied::Function(i) => {
                        system.residuals.push(point.watched[i] - value);
                        system.slopes.push(point.watched_slopes[i].clone());
                    }
                    Varied::Parameter(i) => {
                        let mut row = vec![0.0; width];
                        row[size + i] = 1.0;
                        system.residuals.push(y[size + i] - value);
                        system.slopes.push(row);
                    }
                }
            }
        })
    }
}

/// What is varied, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Varied {
    /// Among the watched functions.
    Function(usize),
    /// Among the open parameters.
    Parameter(usize),
}

/// The length of the residuals, each measured by its derivatives.
fn scaled_norm(system: &System) -> f64 {
    let rows = system.residuals.iter().zip(&system.slopes);
    rows.map(|(r, row)| {
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let r = if length > 0.0 { r / length.max(1e-12) } else { *r };
        r * r
    })
    .sum::<f64>()
    .sqrt()
}

/// Do all equations hold?
fn settled(system: &System) -> bool {
    system.residuals.iter().zip(&system.slopes).all(|(r, row)| {
        let length = row.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        r.abs() <= 1e-10 * length
    })
}

/// AᵀA x = Aᵀb for a matrix of full rank.
fn damped(rows: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let n = rows.first()?.len();
    let square: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| rows.iter().map(|row| row[i] * row[j]).sum()).collect()).collect();
    let vector: Vec<Vec<f64>> = (0..n).map(|i| vec![rows.iter().zip(right).map(|(row, b)| row[i] * b).sum()]).collect();
    Some(solve(&square, &vector)?.into_iter().map(|row| row[0]).collect())
}
