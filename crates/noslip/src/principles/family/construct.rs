//! A family with fixed ends, (4.9)–(4.11) in Sumbatov: polynomials in t for which δq vanishes at the end.

use super::{Given, Range, action, refuse, split_for};
use crate::error::Result;
use crate::expr::{Rational, Symbol};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::Svd;

/// Powers of time in a constructed family, beyond the number of constraints.
const MORE_POWERS: usize = 2;

/// A family with δq = 0 at both ends, (4.9)–(4.11): what is added to each independent coordinate.
pub fn construct(w: &mut Workbench, state: &State, parameter: Symbol, range: Range) -> Result<Vec<Given>> {
    let split = split_for(w, &[])?;
    let k = w.system.k();
    let powers = if split.independent.is_empty() { 0 } else { k / split.independent.len() + MORE_POWERS };
    let (alpha, time) = (w.g.symbol(parameter), w.g.time());
    let time = w.g.symbol(time);
    let number = |w: &mut Workbench, x: f64| w.g.number(Rational::from_f64(x).unwrap_or_default());
    let (start, end) = (number(w, state.time), number(w, range.until));
    let length = number(w, range.until - state.time);
    let (since, until) = (w.g.sub(time, start), w.g.sub(end, time));
    let part = w.g.div(since, length);
    let bump = w.g.product([alpha, since, until]);
    // The end of δq_dep for each of the functions by itself.
    let mut basis = Vec::new();
    let mut columns = Vec::new();
    for power in 0..powers {
        for &s in &split.independent {
            let shape = w.g.powi(part, power as i64);
            let value = w.g.mul(bump, shape);
            let one = Given { coordinate: s, value, added: true };
            let found = action(w, state, &[one], parameter, range)?;
            columns.push(split.dependent.iter().map(|&i| found.variations.1[i]).collect::<Vec<f64>>());
            basis.push((s, shape));
        }
    }
    let count = columns.len();
    let matrix: Vec<f64> = (0..k).flat_map(|nu| columns.iter().map(move |c| c[nu])).collect();
    // Of all ones, the part that does not move the end.
    let ones = vec![1.0; count];
    let moved: Vec<f64> = columns.iter().fold(vec![0.0; k], |sum, c| sum.iter().zip(c).map(|(a, b)| a + b).collect());
    let mut needed = vec![0.0; count];
    if k > 0 {
        Svd::new(&matrix, k, count).solve(&moved, 1e-9, &mut needed);
    }
    let weights: Vec<f64> = ones.iter().zip(&needed).map(|(a, b)| a - b).collect();
    if weights.iter().all(|x| x.abs() < 1e-6) {
        return Err(refuse("no polynomial in t keeps both ends"));
    }
    let mut list: Vec<Given> = Vec::new();
    for &s in &split.independent {
        let mut terms = Vec::new();
        for ((coordinate, shape), weight) in basis.iter().zip(&weights) {
            if *coordinate == s {
                terms.push((*shape, Rational::from_f64(*weight).unwrap_or_default()));
            }
        }
        let phi = w.g.linear(Rational::ZERO, terms);
        list.push(Given { coordinate: s, value: w.g.mul(bump, phi), added: true });
    }
    Ok(list)
}
