//! Energy: is T + V conserved, and if not, what does work?
//!
//! ```text
//! h = Σ p_i q̇_i − T + V                                          (Jacobi's function; T + V where T is homogeneous quadratic)
//! dh/dt = Σ Q_i q̇_i + Σ_j λ_j Σ_i A_ji q̇_i − ∂(T − V)/∂t
//! ```
//! A reaction does no work iff its constraint is homogeneous in the velocities where it holds.

use crate::expr::Known;
use crate::expr::{Expr, Rational};
use crate::mechanics::Admissible;
use crate::mechanics::Generic;
use crate::mechanics::Workbench;

/// What happens to the energy.
#[derive(Clone, Debug)]
pub struct EnergyFacts {
    /// T + V.
    pub energy: Expr,
    /// Jacobi's function h.
    pub jacobi: Expr,
    /// Is T + V conserved? `None` where it could not be decided.
    pub conserved: Option<bool>,
    /// Is h conserved?
    pub jacobi_conserved: Option<bool>,
    /// How that is known.
    pub certainty: Known,
    /// Do all forces come from the potential, and does time occur neither in T nor in V?
    pub conservative: bool,
    /// Why the energy is not conserved: what does work, or why conservation cannot be expected.
    pub reasons: Vec<String>,
    /// Why that decides nothing for this very system, where it does not.
    pub reserved: Option<String>,
}

impl EnergyFacts {
    /// Leaves open what was decided.
    pub(super) fn forget(&mut self) {
        (self.conserved, self.jacobi_conserved) = (None, None);
        self.reasons.clear();
    }
}

/// Decides about the energy.
pub fn energy_facts(w: &mut Workbench, generic: &mut Generic, motions: Option<&mut Admissible>) -> EnergyFacts {
    let d = w.dynamics();
    let (t, system) = (w.g.time(), w.system.clone());
    let energy = w.g.add(system.kinetic, system.potential);
    let velocities: Vec<Expr> = system.velocities.iter().map(|&s| w.g.symbol(s)).collect();
    let impulse = w.g.dot_product(&d.momenta, &velocities);
    let jacobi = w.g.of(impulse - system.kinetic + system.potential);
    let forces_vanish = system.forces.iter().all(|&f| generic.vanishes(&mut w.g, f));
    let timeless = [system.kinetic, system.potential].iter().all(|&e| w.occurs(e, &[t]).is_none());
    let difference = w.g.sub(jacobi, energy);
    let quadratic = generic.vanishes(&mut w.g, difference);
    let mut facts = EnergyFacts {
        energy,
        jacobi,
        conserved: None,
        jacobi_conserved: None,
        certainty: Known::TESTED,
        conservative: forces_vanish && timeless,
        reasons: Vec::new(),
        reserved: None,
    };
    let Some(motions) = motions else {
        // No state can be drawn; homogeneous constraints need none.
        if facts.conservative && quadratic && (0..system.k()).all(|j| homogeneous(w, generic, j)) {
            (facts.conserved, facts.jacobi_conserved) = (Some(true), Some(true));
            facts.certainty = Known::Proved;
        }
        return facts;
    };
    // What does work, each by itself.
    let forces = with_laws(w);
    let power = w.g.dot_product(&forces, &velocities);
    if !motions.vanishes(w, power) {
        let acting: Vec<usize> = (0..system.n()).filter(|&i| !generic.vanishes(&mut w.g, forces[i])).collect();
        let names: Vec<String> = acting.iter().map(|&i| format!("`{}`", w.g.name(system.coordinates[i]))).collect();
        facts.reasons.push(format!("the forces on {} do work", names.join(", ")));
    }
    let mut reactions_work = false;
    for (j, c) in system.constraints.iter().enumerate() {
        let rate = w.g.dot_product(&d.a[j], &velocities);
        if c.order == 2 || !motions.vanishes(w, rate) {
            let lambda = w.g.symbol(c.multiplier);
            let work = w.g.mul(lambda, rate);
            if !motions.vanishes(w, work) {
                reactions_work = true;
                facts.reasons.push(format!("the reaction of constraint `{}` does work: {}", c.name, why_work(w, j)));
            }
        }
    }
    let lagrangian = w.g.sub(system.kinetic, system.potential);
    let explicit = w.g.diff(lagrangian, t);
    if !motions.vanishes(w, explicit) {
        facts.reasons.push("time occurs in the energies".into());
    }
    // Laws of friction are known with the reactions in them: that is enough where they do no work.
    if !system.law.is_empty() && facts.reasons.is_empty() {
        (facts.conserved, facts.jacobi_conserved) = (quadratic.then_some(true), Some(true));
        return facts;
    }
    if !quadratic {
        facts.reasons.push("the kinetic energy is not homogeneous of second degree in the velocities".into());
    }
    let structural = facts.conservative && quadratic && !reactions_work && facts.reasons.is_empty();
    if structural {
        facts.conserved = Some(true);
        facts.jacobi_conserved = Some(true);
        facts.certainty = Known::Proved;
        return facts;
    }
    let rate = time_derivative(w, energy);
    let conserved = motions.vanishes(w, rate);
    let rate = time_derivative(w, jacobi);
    facts.jacobi_conserved = Some(motions.vanishes(w, rate));
    facts.conserved = Some(conserved);
    if conserved {
        facts.reasons.clear();
    } else {
        // A state at which the energy changes is a proof that it does.
        facts.certainty = Known::proved_if(motions.is_faithful());
        let constraints = system.constraints.iter().map(|c| c.expr);
        let rests_on: Vec<Expr> =
            [system.kinetic, explicit].into_iter().chain(system.forces.iter().copied()).chain(constraints).collect();
        let fails = format!("it is not conserved ({})", facts.reasons.join("; "));
        facts.reserved = w.reservation(&rests_on, &fails);
        if facts.reserved.is_some() {
            let known = |yes: Option<bool>| yes.filter(|&yes| yes);
            (facts.conserved, facts.jacobi_conserved) = (None, known(facts.jacobi_conserved));
        }
    }
    facts
}

/// The forces, with the laws of friction in place of the functions that stand for them.
fn with_laws(w: &mut Workbench) -> Vec<Expr> {
    let mut forces = w.system.forces.clone();
    for law in w.system.law.clone() {
        let others = w.g.sub(forces[law.coordinate], law.function);
        forces[law.coordinate] = w.g.add(others, law.force);
    }
    forces
}

/// Does Euler's relation Σ v_i ∂φ/∂v_i = d·φ hold for the constraint of velocities, for a small degree d?
fn homogeneous(w: &mut Workbench, generic: &mut Generic, j: usize) -> bool {
    let d = w.dynamics();
    let Some(phi) = d.velocity_constraints[j] else { return false };
    let velocities: Vec<Expr> = w.system.velocities.iter().map(|&s| w.g.symbol(s)).collect();
    let rate = w.g.dot_product(&d.a[j], &velocities);
    (0..=4).any(|degree| {
        let difference = w.g.linear(Rational::ZERO, [(rate, Rational::ONE), (phi, Rational::integer(-degree))]);
        generic.vanishes(&mut w.g, difference)
    })
}

/// d/dt with q̈ as symbols.
pub(super) fn time_derivative(w: &mut Workbench, e: Expr) -> Expr {
    w.g.time_derivative(e)
}

fn why_work(w: &mut Workbench, j: usize) -> String {
    let d = w.dynamics();
    let c = &w.system.constraints[j];
    let v = &w.system.velocities;
    if c.order == 2 {
        return "it prescribes accelerations".into();
    }
    if d.a[j].iter().any(|&e| w.g.depends_on_any(e, v)) {
        return "it is not homogeneous in the velocities".into();
    }
    "it has a term without velocities".into()
}
