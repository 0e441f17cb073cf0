//! Random real states that satisfy the constraints: where claims fail visibly.

use crate::compile::CompileOptions;
use crate::error::Result;
use crate::expr::field::SplitMix;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::{Overrides, complete};
use crate::simulate::{CompiledMechanics, Keeper, Motion, Probe};

/// A real state.
#[derive(Clone, Debug, PartialEq)]
pub struct RealState {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

/// Draws real admissible states and evaluates expressions there.
pub struct RealStates {
    n: usize,
    centre: (f64, Vec<f64>),
    keeper: Keeper<CompiledMechanics>,
    motion: Motion,
    probe: Probe,
    /// Relations q_i = e, as indices and a probe.
    relations: (Vec<usize>, Probe),
    multipliers: usize,
}

impl RealStates {
    /// Prepares draws around the initial state (or the origin).
    pub fn new(w: &mut Workbench, expressions: &[Expr], relations: &[(Symbol, Expr)]) -> Result<RealStates> {
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let n = w.system.n();
        let initial = complete(&mut w.g, &w.system, &Overrides::default()).ok();
        let (t, y) = match initial {
            Some(s) => (s.time, s.values()),
            None => (0.0, vec![0.3; 2 * n]),
        };
        let mut typical = vec![t];
        typical.extend(&y);
        let values: Vec<Expr> = relations.iter().map(|r| r.1).collect();
        let indices = relations.iter().filter_map(|(s, _)| w.system.coordinates.iter().position(|q| q == s)).collect();
        Ok(RealStates {
            n,
            centre: (t, y),
            keeper: Keeper::new(CompiledMechanics::new(w, &options)?),
            motion: Motion::new(w, &options, &typical)?,
            probe: Probe::new(w, expressions, &options)?,
            relations: (indices, Probe::new(w, &values, &options)?),
            multipliers: w.system.k(),
        })
    }

    /// A state and the values of the expressions there; `None` when this seed gives none.
    pub fn draw(&mut self, seed: u64) -> Option<(RealState, Vec<f64>)> {
        let mut random = SplitMix::new(seed.wrapping_add(11));
        // Later draws stay closer to the centre: the domain may be small.
        let spread = 1.0 / (1.0 + (seed / 8) as f64);
        let round = |x: f64| (x * 1e4).round() / 1e4;
        let t = round(self.centre.0 + spread * random.unit());
        let mut y: Vec<f64> = self.centre.1.iter().map(|x| round(x + spread * (2.0 * random.unit() - 1.0))).collect();
        let values = self.relations.1.values(t, &y, &[], &[]);
        for (&i, x) in self.relations.0.iter().zip(values) {
            y[i] = x;
        }
        self.keeper.keep(t, &mut y, 1e-14).ok()?;
        let (mut a, mut lambda) = (vec![0.0; self.n], vec![0.0; self.multipliers]);
        self.motion.solve(t, &y, &mut a, &mut lambda).ok()?;
        let values = self.probe.values(t, &y, &a, &lambda);
        if values.iter().chain(&y).any(|x| !x.is_finite()) {
            return None;
        }
        Some((RealState { t, q: y[..self.n].to_vec(), v: y[self.n..].to_vec() }, values))
    }
}
