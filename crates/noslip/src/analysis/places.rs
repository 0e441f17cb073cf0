//! Is there a real place where several expressions vanish together?
//!
//! Signs show that x² + 1 never vanishes, and substitution that x and x − 1 do not together; that x² + y² − 1 and x·y − 2 do not needs
//! algebra. Here a place is looked for by Newton's method from many starts: what is found is there, what is not found is told as that.

use crate::expr::{Evaluator, Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::Values;
use crate::numeric::spectrum::least_squares;

/// Starts, and steps from each.
const STARTS: u32 = 60;
const STEPS: usize = 60;
/// What is below this beside the size of the place is zero; a place further away than that is none.
const ZERO: f64 = 1e-9;
const FAR: f64 = 1e6;

/// Is a place known where all of these vanish and the constraints on positions and velocities hold? `None` where the expressions have no
/// values that could be looked at.
pub(super) fn is_found(w: &mut Workbench, all: &[Expr]) -> Option<bool> {
    let mut equations = all.to_vec();
    equations.extend(w.system.constraints.iter().filter(|c| c.order < 2).map(|c| c.expr));
    let t = w.g.time();
    let may_vary: Vec<Symbol> = w.system.coordinates.iter().chain(&w.system.velocities).copied().chain([t]).collect();
    let mut unknowns = w.g.free_symbols(&equations);
    unknowns.retain(|s| may_vary.contains(s));
    let mut list = equations.clone();
    for &e in &equations {
        list.extend(unknowns.iter().map(|&s| w.g.diff(e, s)));
    }
    let evaluator = Evaluator::new(&w.g, &list);
    let mut values = w.system.values(&w.g, &[]).ok()?;
    w.g.work.charge(u64::from(STARTS) * list.len() as u64 * 8);
    let mut search =
        Search { evaluator: &evaluator, values: &mut values, unknowns: &unknowns, equations: equations.len() };
    let mut seen = false;
    for start in 0..STARTS {
        match search.from(start) {
            Some(true) => return Some(true),
            Some(false) => seen = true,
            None => {}
        }
    }
    seen.then_some(false)
}

struct Search<'a> {
    evaluator: &'a Evaluator,
    values: &'a mut Values,
    unknowns: &'a [Symbol],
    equations: usize,
}

impl Search<'_> {
    /// The equations and their slopes.
    fn at(&mut self, z: &[f64]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        self.values.at.set_all(self.unknowns, z);
        let mut all = self.values.evaluate(self.evaluator);
        let slopes = all.split_off(self.equations);
        let finite = all.iter().chain(&slopes).all(|x| x.is_finite());
        finite.then(|| (all, slopes.chunks(z.len().max(1)).map(<[f64]>::to_vec).collect()))
    }

    /// Does a start lead to a place? `None` where there is nothing to go by.
    fn from(&mut self, start: u32) -> Option<bool> {
        // Additive recurrences fill the box evenly, and boxes of several sizes what is small and what is large.
        let size = [1.0, 4.0, 20.0][start as usize % 3];
        let part = |i: usize| (f64::from(start + 1) * (0.618_033_988_75 + 0.172_4 * i as f64)).fract();
        let mut z: Vec<f64> = (0..self.unknowns.len()).map(|i| size * (2.0 * part(i) - 1.0)).collect();
        let (mut f, mut slopes) = self.at(&z)?;
        for _ in 0..STEPS {
            let length = z.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            if length > FAR {
                return Some(false);
            }
            let right: Vec<f64> = f.iter().map(|x| -x).collect();
            let step = least_squares(&slopes, &right, 1e-12, usize::MAX)?;
            // Where a step is small and nothing is left, this is the place; a multiple zero comes nearer by halves.
            let long = step.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if norm(&f) <= ZERO * length && long <= 1e-3 * length {
                return Some(true);
            }
            let mut factor = (length / long.max(f64::MIN_POSITIVE)).min(1.0);
            let next = loop {
                let next: Vec<f64> = z.iter().zip(&step).map(|(x, s)| x + factor * s).collect();
                match self.at(&next) {
                    Some((g, h)) if norm(&g) < norm(&f) => break Some((next, g, h)),
                    _ if factor < 1e-6 => break None,
                    _ => factor /= 2.0,
                }
            };
            let Some(next) = next else { break };
            (z, f, slopes) = next;
        }
        // Where a slope is infinite, as that of a root, or vanishes too, the last steps are short.
        Some(norm(&f) <= ZERO.sqrt())
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
