//! A finite constraint that can be solved for a coordinate removes it: what is left is a system with one coordinate and one
//! constraint less.
//!
//! ```text
//! q_e = g(t, q),   q̇_e = dg/dt,   T, V, φ with these put in,   Q_i + Q_e ∂g/∂q_i
//! ```

use super::{Split, Workbench};
use crate::expr::{Expr, Symbol};
use crate::model::System;
use rustc_hash::FxHashMap;

/// What became of a coordinate.
#[derive(Clone, Debug)]
pub struct Eliminated {
    /// The system without it.
    pub system: System,
    /// The constraint that was solved.
    pub constraint: String,
    /// What the coordinate is.
    pub value: Expr,
    /// Of two roots one was taken: the one of the initial position, or the greater one where there is none.
    pub branch: bool,
}

/// Removes a coordinate by a finite constraint.
pub fn eliminate(w: &mut Workbench, coordinate: usize) -> Result<Eliminated, String> {
    let system = w.system.clone();
    let (q, v, a) = (system.coordinates[coordinate], system.velocities[coordinate], system.accelerations[coordinate]);
    let name = w.g.name(q).to_owned();
    let mut tried = false;
    for (j, c) in system.constraints.iter().enumerate() {
        if c.order != 0 || c.inequality || !w.g.depends_on(c.expr, q) {
            continue;
        }
        tried = true;
        let given = system.initial.as_ref().and_then(|i| i.position.get(coordinate).copied().flatten());
        let at = given.and_then(|x| w.value_at_initial_state(x));
        let Some((value, branch)) = root(w, c.expr, q, at) else { continue };
        let rate = w.g.time_derivative(value);
        let second = w.g.time_derivative(rate);
        let map: FxHashMap<Symbol, Expr> = [(q, value), (v, rate), (a, second)].into_iter().collect();
        let slopes: Vec<Expr> = system.coordinates.iter().map(|&s| w.g.diff(value, s)).collect();
        let mut left = (*system).clone();
        for i in 0..left.forces.len() {
            left.forces[i] = w.g.of(system.forces[i] + system.forces[coordinate] * slopes[i]);
        }
        left.constraints.remove(j);
        for list in [&mut left.coordinates, &mut left.velocities, &mut left.accelerations] {
            list.remove(coordinate);
        }
        left.forces.remove(coordinate);
        if let Some(initial) = &mut left.initial {
            initial.position.remove(coordinate);
            initial.velocity.remove(coordinate);
        }
        let mut left = left.mapped(|e| w.g.substitute(e, &map));
        left.kinetic = w.simplify(left.kinetic);
        left.acceleration_energy = None;
        left.potential = w.simplify(left.potential);
        let value = w.simplify(value);
        return Ok(Eliminated { system: left, constraint: c.name.clone(), value, branch });
    }
    Err(match tried {
        true => format!("no finite constraint can be solved for `{name}` in closed form"),
        false => format!("no finite constraint contains `{name}`"),
    })
}

/// A root of an equation of first or second degree, the one nearest to a value at the initial state; whether it was one of two.
fn root(w: &mut Workbench, e: Expr, q: Symbol, at: Option<f64>) -> Option<(Expr, bool)> {
    let e = w.simplify(e);
    let list = w.g.coefficients(e, q)?;
    match list[..] {
        [c, b] => {
            let ratio = w.g.div(c, b);
            Some((w.g.neg(ratio), false))
        }
        [c, b, a] => {
            // Without a linear term the 4 of the discriminant cancels the 2 below it, and would only stay under the root.
            let pure = w.g.is_zero(b);
            let discriminant = if pure { w.simplify(-(a * c)) } else { w.simplify(b * b - 4 * a * c) };
            let root = w.g.sqrt(discriminant);
            let below = if pure { a } else { w.g.of(2 * a) };
            let (plus, minus) = (w.g.of(root - b), w.g.of(-(root + b)));
            let roots = [w.g.div(plus, below), w.g.div(minus, below)];
            let values = w.values_at_initial_state(&roots);
            let second = match (at, values) {
                (Some(x), Some(values)) => (values[1] - x).abs() < (values[0] - x).abs(),
                (None, Some(values)) => values[1] > values[0],
                _ => false,
            };
            Some((roots[usize::from(second)], true))
        }
        _ => None,
    }
    .filter(|(root, _)| !w.g.is_undefined(*root) && !w.g.depends_on(*root, q))
}

impl Split {
    /// The dependent velocities by roots of their constraints, one after the other, where no equation is of more than second degree;
    /// whether one of two roots was taken, that of the initial state. `None` where roots do not do it.
    pub fn by_roots(&self, w: &mut Workbench) -> Option<Vec<(Symbol, Expr, bool)>> {
        let d = w.dynamics();
        let mut open: Vec<Expr> = d.velocity_constraints.iter().copied().collect::<Option<_>>()?;
        let mut sought = self.pick_dependent(&w.system.velocities);
        let mut solved: Vec<(Symbol, Expr, bool)> = Vec::new();
        while !sought.is_empty() {
            let alone = |w: &Workbench, e: Expr| {
                let in_it: Vec<Symbol> = sought.iter().copied().filter(|&v| w.g.depends_on(e, v)).collect();
                if let [one] = in_it[..] { Some(one) } else { None }
            };
            let (j, v) = open.iter().enumerate().find_map(|(j, &e)| Some((j, alone(w, e)?)))?;
            let velocity = w.g.symbol(v);
            let at = w.value_at_initial_state(velocity);
            let (value, branch) = root(w, open.remove(j), v, at)?;
            let value = w.simplify(value);
            let map: FxHashMap<Symbol, Expr> = [(v, value)].into_iter().collect();
            open = w.g.substitute_all(&open, &map);
            sought.retain(|&s| s != v);
            solved.push((v, value, branch));
        }
        Some(solved)
    }
}
