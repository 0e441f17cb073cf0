//! Where the energy goes.
//!
//! Along a motion
//! ```text
//! d/dt (p·q̇ − T + V) = Q·q̇ + T₀·q̇ + Σ_j λ_j A_j q̇ − ∂T/∂t + ∂V/∂t                                              (1)
//! λ_j A_j q̇ = λ_j φ_j + λ_j (A_j q̇ − φ_j)                                                                       (2)
//! ```
//! The first part of (2) is what friction takes where a contact slides; the second is the power of what moves the contact, a belt
//! say, whether it slides or holds. Each is integrated over each phase by Gauss's rule: a phase is smooth.

use super::Runner;
use super::phase::Phase;
use crate::error::Result;
use crate::expr::{Expr, Formula};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::simulate::{Probe, Settings};

/// Parts of a phase, and nodes of Gauss's rule in each.
const PARTS: usize = 48;
const NODES: usize = 8;

/// Powers as expressions of t, q, q̇, q̈ and λ.
struct Powers {
    /// Of given forces and of what moves contacts.
    given: Expr,
    /// What friction takes.
    friction: Expr,
    /// 2T − p·q̇, the difference between T + V and the energy of (1).
    rest: Expr,
}

impl Powers {
    fn of(w: &mut Workbench, phase: &Phase) -> Powers {
        let d = w.dynamics();
        let system = w.system.clone();
        let (ideal, law) = system.ideal(&mut w.g);
        let velocities: Vec<Expr> = system.velocities.iter().map(|&v| w.g.symbol(v)).collect();
        let time = w.g.time();
        let (by_t, potential_by_t) = (w.g.diff(system.kinetic, time), w.g.diff(system.potential, time));
        let mut given = Formula::from(w.g.dot_product(&ideal.forces, &velocities)) - by_t + potential_by_t;
        let mut friction = -Formula::from(w.g.dot_product(&law, &velocities));
        for (j, c) in system.constraints.iter().enumerate() {
            let lambda = w.g.symbol(c.multiplier);
            let along = w.g.dot_product(&d.a[j], &velocities);
            let phi = d.velocity_constraints[j].unwrap_or(w.g.zero());
            let moved = w.simplify(along - phi);
            given += lambda * moved;
            if !phase.active.contains(&j) {
                friction -= lambda * phi;
            }
        }
        let momentum = w.g.dot_product(&d.momenta, &velocities);
        let rest = w.simplify(system.kinetic + system.kinetic - momentum);
        Powers { given: w.simplify(given), friction: w.simplify(friction), rest }
    }
}

impl Runner {
    /// Adds the work that was done in a phase.
    pub(super) fn account(
        &mut self,
        w: &mut Workbench,
        phase: &Phase,
        from: &State,
        to: (f64, &[f64]),
        settings: &Settings,
    ) -> Result<()> {
        let length = to.0 - from.time;
        if !(length > 0.0) {
            return Ok(());
        }
        let powers = Powers::of(w, phase);
        let mut rest = Probe::new(w, &[powers.rest], &self.options)?;
        self.given += rest.values(to.0, to.1, &[], &[])[0] - rest.values(from.time, &from.values(), &[], &[])[0];
        if w.g.is_zero(powers.given) && w.g.is_zero(powers.friction) {
            return Ok(());
        }
        let rule = gauss();
        let part = length / PARTS as f64;
        let at = (0..PARTS).flat_map(|i| rule.map(|(x, _)| from.time + part * (i as f64 + x))).collect();
        let fine = Settings { at, until: to.0, stops: Vec::new(), ..settings.clone() };
        let run = phase.follow(w, from, &fine, &mut |_| true)?;
        let samples = phase.completed(w, &run.samples, &self.options)?;
        let mut probe = Probe::new(w, &[powers.given, powers.friction], &self.options)?;
        for (i, s) in samples.iter().enumerate() {
            let power = probe.values(s.t, &s.y, &s.accelerations, &s.multipliers);
            let weight = part * rule[i % NODES].1;
            self.given += weight * power[0];
            self.friction += weight * power[1];
        }
        Ok(())
    }
}

/// Nodes and weights of Gauss's rule on (0, 1): the roots of Legendre's polynomial by Newton's method.
fn gauss() -> [(f64, f64); NODES] {
    std::array::from_fn(|i| {
        let n = NODES as f64;
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..8 {
            let (mut before, mut value) = (1.0, x);
            for k in 2..=NODES {
                let k = k as f64;
                (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
            }
            slope = n * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        // From the left to the right, as samples are.
        ((1.0 - x) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_integrates_polynomials_of_degree_fifteen() {
        for degree in 0..2 * NODES as i32 {
            let sum: f64 = gauss().iter().map(|(x, w)| w * x.powi(degree)).sum();
            assert!((sum - 1.0 / f64::from(degree + 1)).abs() < 1e-15, "{degree}: {sum}");
        }
        assert!(gauss().windows(2).all(|w| w[0].0 < w[1].0));
    }
}
