//! Neighbours of a steady motion: how many dimensions its family has, and which eigenvalues vanish because of it.
//!
//! A direction in which the derivatives of the rates vanish need not be one in which there are other steady motions: a ball on the
//! top of a hill x⁴ has none beside it. What counts is what is found there.

use super::numbers::{Numbers, Point};
use crate::numeric::spectrum::{Spectrum, least_squares, null_space};

/// How far away neighbours are sought, in parts of one and of the variables.
const AWAY: f64 = 0.02;
/// Beside what a step changes, rates of a neighbour are below this.
const SETTLED: f64 = 1e-6;
/// Directions of neighbours that are nearer to each other are the same.
const APART: f64 = 0.1;

/// Rates and ties with their derivatives by the variables.
fn equations(numbers: &Numbers, point: &Point) -> (Vec<f64>, Vec<Vec<f64>>) {
    let size = numbers.size();
    let values = point.rates.iter().chain(&point.ties).copied().collect();
    let rows = point.jacobian.iter().chain(&point.tie_slopes).map(|row| row[..size].to_vec()).collect();
    (values, rows)
}

/// The dimension of the family of a steady motion: of the directions in which others are found.
pub(super) fn dimension(numbers: &mut Numbers, variables: &[f64], parameters: &[f64]) -> usize {
    let Ok(point) = numbers.at(variables, parameters) else { return 0 };
    let (_, rows) = equations(numbers, &point);
    let Some(tangents) = null_space(&rows, numbers.size(), 1e-9) else { return 0 };
    let mut found: Vec<Vec<f64>> = Vec::new();
    for tangent in &tangents {
        let size = variables.iter().zip(tangent).map(|(x, t)| (1.0 + x.abs()) * t.abs()).fold(0.0, f64::max);
        let both = [AWAY * size, -AWAY * size].into_iter();
        let Some(y) = both.filter_map(|h| neighbour(numbers, variables, parameters, tangent, h)).next() else {
            continue;
        };
        let step: Vec<f64> = y.iter().zip(variables).map(|(y, x)| y - x).collect();
        let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
        found.push(step.iter().map(|x| x / length).collect());
    }
    if found.is_empty() {
        return 0;
    }
    let width = variables.len();
    width - null_space(&found, width, APART).map_or(width, |x| x.len())
}

/// The steady motion that is so far away along a tangent.
fn neighbour(
    numbers: &mut Numbers,
    variables: &[f64],
    parameters: &[f64],
    tangent: &[f64],
    away: f64,
) -> Option<Vec<f64>> {
    let mut y: Vec<f64> = variables.iter().zip(tangent).map(|(x, t)| x + away * t).collect();
    for _ in 0..30 {
        let point = numbers.at(&y, parameters).ok()?;
        let (values, mut rows) = equations(numbers, &point);
        let mut minus: Vec<f64> = values.iter().map(|x| -x).collect();
        // The distance along the tangent stays what it is.
        rows.push(tangent.to_vec());
        minus.push(0.0);
        let step = least_squares(&rows, &minus, 1e-10, usize::MAX)?;
        y.iter_mut().zip(&step).for_each(|(y, s)| *y += s);
        if is_short(&step, &y) {
            break;
        }
    }
    // Where rates vanish as x³ the iteration creeps back to where it came from.
    let along: f64 = y.iter().zip(variables).zip(tangent).map(|((y, x), t)| (y - x) * t).sum();
    let length: f64 = tangent.iter().map(|t| t * t).sum();
    let stays = along / (away * length) > 0.5;
    (stays && is_neighbour(numbers, variables, parameters, &y)).then_some(y)
}

/// Is the last step of an iteration one of rounding?
fn is_short(step: &[f64], y: &[f64]) -> bool {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    length(step) < 1e-13 * (1.0 + length(y))
}

/// Are the rates zero there, beside those of any other step of that length?
fn is_neighbour(numbers: &mut Numbers, variables: &[f64], parameters: &[f64], y: &[f64]) -> bool {
    let Ok(point) = numbers.at(y, parameters) else { return false };
    let (values, rows) = equations(numbers, &point);
    let step: Vec<f64> = y.iter().zip(variables).map(|(y, x)| y - x).collect();
    values.iter().zip(&rows).all(|(r, row)| {
        let made_of: f64 = row.iter().zip(&step).map(|(a, d)| (a * d).abs()).sum();
        r.abs() <= SETTLED * made_of + 1e-12
    })
}

/// Zeros of the spectrum that neighbouring members of the family have too: those that vanish identically. None where there is no
/// neighbour: an eigenvalue that vanishes at one motion alone decides nothing.
pub(super) fn structural_zeros(numbers: &mut Numbers, variables: &[f64], parameters: &[f64]) -> usize {
    let size = numbers.size();
    let Ok(point) = numbers.at(variables, parameters) else { return 0 };
    let mut least = numbers.matrix(&point).ok().and_then(|m| Spectrum::of(&m)).map_or(0, |s| s.zeros);
    let (_, rows) = equations(numbers, &point);
    let tangents = null_space(&rows, size, 1e-10).unwrap_or_default();
    if tangents.is_empty() {
        return 0;
    }
    let mut found = false;
    for sign in [1.0, -1.0, 0.37] {
        let mut start: Vec<f64> = variables.to_vec();
        for (k, tangent) in tangents.iter().enumerate() {
            let weight = sign * AWAY * (1.0 + 0.3 * k as f64);
            start.iter_mut().zip(tangent).for_each(|(y, t)| *y += weight * t * (1.0 + y.abs()));
        }
        let Some(y) = nearest(numbers, &start, parameters) else { continue };
        // Back where it came from, or nowhere near to standing still.
        let distance = |y: &[f64]| y.iter().zip(variables).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        if distance(&y) < 0.3 * distance(&start) || !is_neighbour(numbers, variables, parameters, &y) {
            continue;
        }
        let Ok(point) = numbers.at(&y, parameters) else { continue };
        let Ok(matrix) = numbers.matrix(&point) else { continue };
        if let Some(spectrum) = Spectrum::of(&matrix) {
            least = least.min(spectrum.zeros);
            found = true;
        }
    }
    if found { least } else { 0 }
}

/// How near a steady motion is to what it stands for, beside one and beside itself.
const BESIDE: f64 = 1e-10;

/// The eigenvalues at a steady motion, so many of them zero because of its family; as sure as the motion is known.
pub(super) fn spectrum(numbers: &mut Numbers, variables: &[f64], parameters: &[f64], zero: usize) -> Option<Spectrum> {
    let mut at = |by: f64| {
        let y: Vec<f64> = variables.iter().map(|x| x + by * (1.0 + x.abs())).collect();
        let point = numbers.at(&y, parameters).ok()?;
        Spectrum::with_zeros(&numbers.matrix(&point).ok()?, zero)
    };
    let mut spectrum = at(0.0)?;
    for other in [at(BESIDE), at(-BESIDE)].iter().flatten() {
        spectrum.doubt(other);
    }
    Some(spectrum)
}

/// Have the rates a corner or a jump here? Then they have no derivatives, whatever is written for those of |x|.
pub(super) fn has_corner(numbers: &mut Numbers, variables: &[f64], parameters: &[f64]) -> bool {
    if !numbers.cornered {
        return false;
    }
    let mut across = |i: usize, h: f64| -> f64 {
        let mut side = |h: f64| {
            let mut y = variables.to_vec();
            y[i] += h * (1.0 + y[i].abs());
            numbers.at(&y, parameters).ok()
        };
        let (Some(a), Some(b)) = (side(h), side(-h)) else { return 0.0 };
        let all = |p: &Point| -> Vec<f64> { p.rates.iter().chain(p.jacobian.iter().flatten()).copied().collect() };
        let (a, b) = (all(&a), all(&b));
        let size = a.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        a.iter().zip(&b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs())) / size
    };
    // What is smooth changes a thousand times less over a distance a thousand times shorter.
    (0..variables.len()).any(|i| {
        let (far, near) = (across(i, 1e-5), across(i, 1e-8));
        near > 1e-9 + 2e-3 * far
    })
}

/// The steady motion nearest to given variables, parameters as they are.
fn nearest(numbers: &mut Numbers, start: &[f64], parameters: &[f64]) -> Option<Vec<f64>> {
    let mut y = start.to_vec();
    for _ in 0..30 {
        let point = numbers.at(&y, parameters).ok()?;
        let (values, rows) = equations(numbers, &point);
        let minus: Vec<f64> = values.iter().map(|x| -x).collect();
        let step = least_squares(&rows, &minus, 1e-10, usize::MAX)?;
        y.iter_mut().zip(&step).for_each(|(y, s)| *y += s);
        if is_short(&step, &y) {
            return Some(y);
        }
    }
    None
}
