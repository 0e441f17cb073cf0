//! Families of steady motions in numbers: has a case of the elimination members, and are they those of another?

use super::elimination::{Eliminator, ExactFamily};
use crate::expr::field::SplitMix;
use crate::expr::{Evaluator, Expr, Symbol};
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// Where a case has members.
pub(super) enum Members {
    /// At some values of what is free.
    Real,
    /// At the edge of the chart alone, which is no motion.
    Edge,
    /// Nowhere: a solution without free unknowns is not real.
    None,
    /// Nowhere that was looked at.
    Unknown,
}

/// Values near zero at which a case is looked at.
const NEAR: usize = 60;
/// Values of all sizes.
const FAR: usize = 140;
/// What is so much larger than around it is infinite but for rounding.
const EDGE: f64 = 1e12;

/// The k-th value of something free.
fn drawn(random: &mut SplitMix, k: usize) -> f64 {
    let x = 2.0 * random.unit() - 1.0;
    if k < NEAR {
        return 3.0 * x;
    }
    // From a millionth to a million; the sign by a second number.
    let size = 10f64.powf(6.0 * x);
    if random.unit() < 0.5 { -size } else { size }
}

/// Is an inertia regular, measured by one elsewhere?
pub(super) fn is_regular(mass: &[f64], around: &[f64], size: usize) -> bool {
    let row = |i: usize| around[i * size..(i + 1) * size].iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let measure = |i: usize| if around[i * size + i] == 0.0 { row(i) } else { around[i * size + i].abs() };
    let scale: Vec<f64> = (0..size).map(|i| measure(i).sqrt()).collect();
    let at = |i: usize, j: usize| mass[i * size + j] / (scale[i] * scale[j]);
    let mut rows: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| at(i, j)).collect()).collect();
    for k in 0..size {
        let Some(p) = (k..size).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())) else { return false };
        rows.swap(k, p);
        let pivot = rows[k].clone();
        if pivot[k].abs() <= 1e-12 || pivot[k].is_nan() {
            return false;
        }
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
        }
    }
    true
}

/// Are these the same after a whole turn of a coordinate? In numbers: what is not is seen at once.
pub(super) fn turns(w: &Workbench, unknowns: &[Symbol], list: &[Expr], angle: Symbol) -> bool {
    let evaluator = Evaluator::new(&w.g, list);
    let Ok(mut values) = w.system.values(&w.g, &[]) else { return false };
    let mut random = SplitMix::new(0x7475_726e);
    (0..5).all(|k| {
        for &s in unknowns {
            values.at.set(s, drawn(&mut random, k));
        }
        let here = values.evaluate(&evaluator);
        values.at.set(angle, values.at.get(angle) + std::f64::consts::TAU);
        let there = values.evaluate(&evaluator);
        // What has no value at both says nothing.
        here.iter().zip(&there).all(|(a, b)| (a - b).abs() <= 1e-9 * (1e-3 + a.abs()) || a.is_nan() && b.is_nan())
    })
}

impl Eliminator<'_> {
    /// Where a case has members: solutions and equations are real there, and the inertia is regular.
    ///
    /// What is free is drawn near zero first, then at all scales: what turns fast enough may need a hundred radians a second.
    pub fn members(&mut self, solved: &[(Symbol, Expr)], whole: &[Expr]) -> Members {
        let map: FxHashMap<Symbol, Expr> = solved.iter().copied().collect();
        let mut list = self.w.g.substitute_all(&self.mass.clone(), &map);
        list.extend(whole);
        let count = list.len();
        list.extend(self.mass.iter().chain(&self.original));
        list.extend(solved.iter().map(|x| x.1));
        let evaluator = Evaluator::new(&self.w.g, &list);
        let Ok(mut values) = self.w.system.values(&self.w.g, &[]) else { return Members::Unknown };
        let mut random = SplitMix::new(0x7374_6561);
        let size = self.mass.len().isqrt();
        let mut edge = false;
        for k in 0..NEAR + FAR {
            for &s in &self.unknowns {
                values.at.set(s, drawn(&mut random, k));
            }
            let found = values.evaluate(&evaluator);
            let (here, rest) = found.split_at(count);
            let (around, solutions) = rest.split_at(count);
            if !around.iter().chain(solutions).all(|x| x.is_finite()) {
                continue;
            }
            // At the edge of a chart something is far larger than around it, or the inertia far smaller.
            let usual = |(x, y): (&f64, &f64)| x.is_finite() && x.abs() <= EDGE * y.abs();
            let inertia = |list: &[f64]| is_regular(&list[..size * size], &around[..size * size], size);
            if here.iter().zip(around).all(usual) && inertia(here) {
                return Members::Real;
            }
            edge |= inertia(around);
        }
        match () {
            () if edge => Members::Edge,
            () if solved.iter().all(|x| !self.w.g.depends_on_any(x.1, &self.unknowns)) => Members::None,
            () => Members::Unknown,
        }
    }

    /// Do these vanish at members of a family, and those not? In numbers: a root of a sum of letters is not always seen to be one.
    pub fn vanish_in(&mut self, f: &ExactFamily, must: &[Expr], provided: &[Expr]) -> bool {
        if !f.relations.is_empty() {
            return false;
        }
        let mut list: Vec<Expr> = must.iter().chain(provided).copied().collect();
        list.extend(f.values.iter().map(|x| x.1));
        let evaluator = Evaluator::new(&self.w.g, &list);
        let Ok(mut values) = self.w.system.values(&self.w.g, &[]) else { return false };
        let mut random = SplitMix::new(0x7374_6561);
        let mut seen = 0;
        for k in 0..NEAR + FAR {
            for &s in &f.free {
                values.at.set(s, drawn(&mut random, k));
            }
            let found = values.evaluate(&evaluator);
            let (must, rest) = found.split_at(must.len());
            let (provided, solved) = rest.split_at(provided.len());
            if !solved.iter().all(|x| x.is_finite()) {
                continue;
            }
            let size = f.free.iter().map(|s| values.at.get(*s)).chain(solved.iter().copied());
            let size = size.fold(0.0f64, |m, x| m.max(x.abs()));
            if must.iter().any(|x| x.abs() > 1e-10 * size || x.is_nan()) || provided.contains(&0.0) {
                return false;
            }
            seen += 1;
        }
        seen >= 3
    }
}
