//! Random real states that satisfy the constraints: where claims fail visibly.

use crate::compile::CompileOptions;
use crate::error::Result;
use crate::expr::field::SplitMix;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::{Overrides, complete};
use crate::simulate::{CompiledMechanics, Keeper, Probe};

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

/// Draws real states that satisfy the constraints to rounding.
pub(super) struct RealStates {
    n: usize,
    centre: (f64, Vec<f64>),
    keeper: Keeper<CompiledMechanics>,
    /// Relations q_i = e, as indices and a probe.
    relations: (Vec<usize>, Probe),
}

impl RealStates {
    /// Prepares draws around the initial state (or the origin).
    pub(super) fn new(w: &mut Workbench, relations: &[(Symbol, Expr)]) -> Result<RealStates> {
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?.seldom();
        let n = w.system.n();
        let initial = complete(&mut w.g, &w.system, &Overrides::default()).ok();
        let (t, y) = match initial {
            Some(s) => (s.time, s.values()),
            None => (0.0, vec![0.3; 2 * n]),
        };
        let values: Vec<Expr> = relations.iter().map(|r| r.1).collect();
        let indices = relations.iter().filter_map(|(s, _)| w.system.coordinates.iter().position(|q| q == s)).collect();
        Ok(RealStates {
            n,
            centre: (t, y),
            keeper: Keeper::new(CompiledMechanics::new(w, &options)?),
            relations: (indices, Probe::new(w, &values, &options)?),
        })
    }

    /// A state not far from the centre.
    pub(super) fn near(&mut self, seed: u64) -> Option<RealState> {
        let mut random = SplitMix::new(seed.wrapping_add(11));
        // Later draws stay closer to the centre: the domain may be small.
        let spread = 1.0 / (1.0 + (seed / 8) as f64);
        let t = round(self.centre.0 + spread * random.unit());
        let y = self.centre.1.iter().map(|x| round(x + spread * (2.0 * random.unit() - 1.0))).collect();
        self.admitted(t, y)
    }

    /// A state anywhere: several turns of an angle, both signs, large numbers, so that no branch can hide.
    pub(super) fn far(&mut self, seed: u64) -> Option<RealState> {
        let mut random = SplitMix::new(seed.wrapping_add(0x6661_7200));
        // Each number on its own scale: a constraint between them then leaves some large and some small.
        let mut number =
            || round([4.0, 0.1, 12.0, 1.0, 40.0, 4.0, 1000.0][random.below(7) as usize] * (2.0 * random.unit() - 1.0));
        let t = self.centre.0 + number().abs();
        let y = self.centre.1.iter().map(|_| number()).collect();
        self.admitted(t, y)
    }

    /// A velocity of about this size that the constraints allow at a position.
    pub(super) fn velocity_from(&mut self, t: f64, q: &[f64], seed: u64, speed: f64) -> Option<Vec<f64>> {
        let mut random = SplitMix::new(seed.wrapping_add(0x7761_6c6b));
        let mut y = q.to_vec();
        y.extend(q.iter().map(|_| round(speed * (2.0 * random.unit() - 1.0))));
        self.keeper.keep(t, &mut y, 1e-14).ok()?;
        y.iter().all(|x| x.is_finite()).then(|| y[self.n..].to_vec())
    }

    /// The state on the constraints next to this one.
    fn admitted(&mut self, t: f64, mut y: Vec<f64>) -> Option<RealState> {
        let values = self.relations.1.values(t, &y, &[], &[]);
        for (&i, x) in self.relations.0.iter().zip(values) {
            y[i] = x;
        }
        self.keeper.keep(t, &mut y, 1e-14).ok()?;
        y.iter().all(|x| x.is_finite()).then(|| RealState { t, q: y[..self.n].to_vec(), v: y[self.n..].to_vec() })
    }
}

/// Few digits are easier to read.
fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    /// Two points that nothing binds, far from the origin, so that a state is what was drawn.
    fn free() -> RealStates {
        let model: Model =
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [initial]\ntime = 7\nposition = { x = 40, y = -30 }\nvelocity = { x = 20, y = -10 }\n"
                .parse()
                .unwrap_or_else(|e| panic!("{e:?}"));
        RealStates::new(&mut model.workbench(), &[]).unwrap_or_else(|e| panic!("{e}"))
    }

    /// How far the numbers of a state are from the initial ones.
    fn away(s: &RealState) -> Vec<f64> {
        s.q.iter().chain(&s.v).zip([40.0, -30.0, 20.0, -10.0]).map(|(x, x0)| x - x0).collect()
    }

    #[test]
    fn near_states_lie_on_all_sides_of_the_initial_one_and_come_closer() {
        let mut states = free();
        for (seeds, spread) in [(0..8, 1.0), (8..16, 0.5), (72..80, 0.1)] {
            let drawn: Vec<RealState> = seeds.map(|seed| states.near(seed).expect("a state")).collect();
            let all: Vec<f64> = drawn.iter().flat_map(away).collect();
            assert!(all.iter().all(|x| x.abs() <= spread + 1e-4), "{spread}: {all:?}");
            assert!(all.iter().any(|x| *x > 0.7 * spread) && all.iter().any(|x| *x < -0.7 * spread), "{all:?}");
            assert!(drawn.iter().all(|s| (7.0..=7.0001 + spread).contains(&s.t)), "{drawn:?}");
            assert!(drawn.iter().any(|s| s.t > 7.0 + 0.4 * spread), "{drawn:?}");
        }
    }

    #[test]
    fn far_states_are_around_the_origin_small_and_large() {
        let mut states = free();
        let drawn: Vec<RealState> = (0..200).map(|seed| states.far(seed).expect("a state")).collect();
        let all: Vec<f64> = drawn.iter().flat_map(|s| s.q.iter().chain(&s.v)).copied().collect();
        assert!(all.iter().all(|x| x.abs() <= 1000.0));
        // A seventh of the numbers is drawn below a tenth, another below a thousand, with both signs.
        let part = |is: &dyn Fn(f64) -> bool| all.iter().filter(|x| is(**x)).count() as f64 / all.len() as f64;
        for sign in [1.0, -1.0] {
            for (low, high, least) in [(0.0, 0.1, 0.06), (0.1, 4.0, 0.15), (4.0, 40.0, 0.06), (100.0, 1000.0, 0.04)] {
                let found = part(&|x| (low..high).contains(&(sign * x)));
                assert!(found > least, "{found} of the numbers between {low} and {high}, sign {sign}");
            }
        }
        assert!(drawn.iter().all(|s| (7.0..=1007.0).contains(&s.t)) && drawn.iter().any(|s| s.t > 100.0));
    }

    #[test]
    fn a_velocity_drawn_at_a_position_has_the_size_that_was_asked_for() {
        let mut states = free();
        for speed in [1.0, 30.0] {
            let all: Vec<f64> =
                (0..20).flat_map(|seed| states.velocity_from(0.0, &[1.0, 2.0], seed, speed).expect("one")).collect();
            assert!(all.iter().all(|x| x.abs() <= speed), "{all:?}");
            assert!(all.iter().any(|x| *x > 0.8 * speed) && all.iter().any(|x| *x < -0.8 * speed), "{all:?}");
        }
    }

    #[test]
    fn states_have_four_digits_after_the_point() {
        assert_eq!([round(0.123_456), round(-2.000_04), round(1e-5)], [0.1235, -2.0, 0.0]);
    }
}
