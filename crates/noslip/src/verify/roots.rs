//! Claims where a constraint is a power, a product or a sum of squares: decided where it vanishes.
//!
//! φ² = 0 holds where φ = 0 does, φ₁² + φ₂² = 0 where φ₁ = 0 and φ₂ = 0 do, φ₁·φ₂ = 0 where one of them does: what is said of velocities is decided
//! there, exactly. Of accelerations there is what the constraints say when they are differentiated, whatever the forces are: a constraint
//! whose gradient vanishes gives no reaction, and of a product it is open which one does. Only where all other factors vanish nowhere is
//! the reaction known, φ = g·f with λ_f = g·λ.

use super::claim::{cut, decide, in_coordinates};
use super::decision::follows;
use super::finding::{Finding, Reach};
use crate::expr::{Expr, Role, Symbol};
use crate::mechanics::{Said, Workbench, cofactor, said};
use crate::model::{Constraint, System};
use rustc_hash::FxHashMap;

/// So many choices are looked at.
const CHOICES: usize = 16;

/// Decides a claim where all constraints vanish. `None` where they say what is written, or that is not enough.
pub(super) fn where_constraints_vanish(w: &mut Workbench, claim: Expr) -> Option<Finding> {
    let all: Vec<Said> = (0..w.system.k()).map(|j| said(w, j)).collect();
    if all.iter().all(|s| *s == Said::Itself) || all.contains(&Said::Never) {
        return None;
    }
    let claim = in_coordinates(w, claim);
    if all.iter().all(|s| matches!(s, Said::Itself | Said::Factor(_))) {
        return Some(by_factors(w, claim, &all));
    }
    let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    let rates: Vec<Symbol> = multipliers.iter().map(|&s| w.g.dot(s)).collect();
    if w.g.depends_on_any(claim, &[multipliers, rates].concat()) {
        return None;
    }
    let accelerations = w.system.accelerations.clone();
    let moves = w.g.depends_on_any(claim, &accelerations);
    let n = w.system.n();
    let mut together: Option<Finding> = None;
    let choices = choices(w, &all)?;
    for choice in &choices {
        let system = with_constraints(w, choice);
        let finding = match moves {
            true => {
                let system = under_any_force(w, system);
                w.beside(system, |w| decide(w, claim, &[]))
            }
            false => w.beside(system, |w| follows(w, claim)),
        };
        // What fails under some force need not fail under those of the model, nor what one choice says be what is meant.
        if finding.fails() && (moves || choices.len() > 1) {
            return None;
        }
        if let Some(found) = finding.counterexample() {
            return Some(Finding::refuted(w, cut(found, n)));
        }
        if !finding.holds() {
            return None;
        }
        together = Some(match together {
            None => finding,
            Some(before) => both(before, finding),
        });
    }
    together
}

/// Are claims decided at roots, from which motions of the system itself do not start?
pub(super) fn are_decided_at_roots(w: &mut Workbench) -> bool {
    let all: Vec<Said> = (0..w.system.k()).map(|j| said(w, j)).collect();
    let single = |s: &Said| !matches!(s, Said::Choice(_) | Said::Never);
    all.iter().all(single) && all.iter().any(|s| *s != Said::Itself)
}

/// Two findings that hold.
fn both(a: Finding, b: Finding) -> Finding {
    let reach = match (a.reach, b.reach) {
        (Reach::Leaf, _) | (_, Reach::Leaf) => Reach::Leaf,
        (Reach::Values, _) | (_, Reach::Values) => Reach::Values,
        _ => Reach::Everywhere,
    };
    Finding { known: a.known.and(b.known), reach }
}

/// With every product replaced by its factor, and multipliers by those of the factors.
fn by_factors(w: &mut Workbench, claim: Expr, all: &[Said]) -> Finding {
    let mut system = (*w.system).clone();
    let mut meaning: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for (j, s) in all.iter().enumerate() {
        let Said::Factor(f) = *s else { continue };
        let multiplier = system.constraints[j].multiplier;
        let (own, others) = (w.g.symbol(multiplier), cofactor(w, j, f));
        let value = w.g.div(own, others);
        let (rate, change) = (w.g.dot(multiplier), w.g.time_derivative(value));
        meaning.insert(multiplier, value);
        meaning.insert(rate, change);
        system.constraints[j].expr = f;
    }
    let claim = w.g.substitute(claim, &meaning);
    w.beside(system, |w| follows(w, claim))
}

/// All ways to take one set of each constraint. `None` where they are too many.
fn choices(w: &Workbench, all: &[Said]) -> Option<Vec<Vec<(usize, Expr)>>> {
    let mut list: Vec<Vec<(usize, Expr)>> = vec![Vec::new()];
    for (j, s) in all.iter().enumerate() {
        let sets = s.sets().unwrap_or_else(|| vec![vec![w.system.constraints[j].expr]]);
        let longer = |before: &Vec<(usize, Expr)>| -> Vec<Vec<(usize, Expr)>> {
            let with = |set: &Vec<Expr>| before.iter().copied().chain(set.iter().map(|&e| (j, e))).collect();
            sets.iter().map(with).collect()
        };
        list = list.iter().flat_map(longer).collect();
        if list.len() > CHOICES {
            return None;
        }
    }
    Some(list)
}

/// The system with these in place of its constraints, each of the order that it has.
fn with_constraints(w: &mut Workbench, list: &[(usize, Expr)]) -> System {
    let mut system = System { quasi_velocities: Vec::new(), operators: Vec::new(), ..(*w.system).clone() };
    system.constraints.clear();
    for (i, &(j, expr)) in list.iter().enumerate() {
        let c = &w.system.constraints[j];
        let (name, span) = (format!("{} {}", c.name, i + 1), c.span.clone());
        let order = match () {
            () if w.g.depends_on_any(expr, &system.accelerations) => 2,
            () if w.g.depends_on_any(expr, &system.velocities) => 1,
            () => 0,
        };
        let order = if c.order == 3 { 3 } else { order };
        // The root of what is nonlinear in the accelerations may be linear.
        let higher = order == 3 || (order == 2 && w.g.affine(expr, &system.accelerations).is_none());
        let multiplier = w.g.declare(&format!("multiplier of {name}"), Role::Multiplier);
        system.constraints.push(Constraint { higher, span, ..Constraint::new(name, expr, order, multiplier) });
    }
    system
}

/// The same with forces that are coordinates of their own: every motion that the constraints allow is one under some force.
fn under_any_force(w: &mut Workbench, system: System) -> System {
    let zero = w.g.zero();
    let mut free = System { acceleration_energy: None, law: Vec::new(), potential: zero, ..system };
    let names: Vec<String> = free.coordinates.iter().map(|&q| format!("force along {}", w.g.name(q))).collect();
    let forces: Vec<Symbol> = names.iter().map(|name| w.g.declare(name, Role::Coordinate)).collect();
    let rates: Vec<Symbol> = forces.iter().map(|&s| w.g.dot(s)).collect();
    let second: Vec<Symbol> = rates.iter().map(|&s| w.g.dot(s)).collect();
    free.forces = forces.iter().map(|&s| w.g.symbol(s)).chain(forces.iter().map(|_| zero)).collect();
    free.velocities.extend(rates);
    let squares: Vec<Expr> = free.velocities.iter().map(|&v| w.g.symbol(v)).collect();
    let squares: Vec<Expr> = squares.into_iter().map(|v| w.g.square(v)).collect();
    free.kinetic = w.g.sum(squares);
    if let Some(initial) = &mut free.initial {
        for list in [&mut initial.position, &mut initial.velocity, &mut initial.acceleration] {
            list.extend(forces.iter().map(|_| None));
        }
    }
    free.coordinates.extend(forces);
    free.accelerations.extend(second);
    free
}
