//! The inverse problem: are the reduced equations of a Chaplygin system Lagrange's equations of some function?
//!
//! Equations G_s(t, r, ṙ, r̈) = 0 are Lagrange's equations of some L(t, r, ṙ), as they stand, iff they are self-adjoint
//! (Helmholtz):
//! ```text
//! ∂G_s/∂r̈_a = ∂G_a/∂r̈_s
//! ∂G_s/∂ṙ_a + ∂G_a/∂ṙ_s = 2 d/dt ∂G_s/∂r̈_a
//! ∂G_s/∂r_a − ∂G_a/∂r_s = ½ d/dt (∂G_s/∂ṙ_a − ∂G_a/∂ṙ_s)
//! ```
//! For one degree of freedom an integrating factor always exists: [`super::KineticPotential`].

use super::kinetic_potential::{KineticPotential, One, kinetic_potential};
use crate::expr::{Expr, Formula, Known, NOT_DECIDED, Symbol};
use crate::forms::{Chaplygin, Form};
use crate::mechanics::{Generic, evaluator};
use crate::mechanics::{SplitFrame, Workbench};

/// What is known of the reduced equations as Lagrange's.
#[derive(Clone, Debug)]
pub struct LagrangianFacts {
    /// The coordinates r.
    pub coordinates: Vec<Symbol>,
    /// Which of the equations are Lagrange's equations of T°: their gyroscopic terms vanish (Ferrers' condition).
    pub ferrers: Vec<bool>,
    /// Are all of them together Lagrange's equations of some function?
    pub self_adjoint: bool,
    /// How that is known.
    pub certainty: Known,
    /// For one degree of freedom: a function whose Lagrange equation the reduced equation is, up to a factor.
    pub kinetic_potential: Option<KineticPotential>,
}

/// Tests the reduced equations of a Chaplygin system; `Err` says why the question does not arise.
pub fn lagrangian_facts(w: &mut Workbench, generic: &mut Generic) -> Result<LagrangianFacts, String> {
    let split = w.chaplygin_split().map_err(|why| format!("not a Chaplygin system: {why}"))?;
    if split.explicit.is_none() {
        return Err("the constraints are not solved explicitly".into());
    }
    let equations = Chaplygin.derive(w).map_err(|e| e.message)?;
    let equations = w.simplify_all(&equations.equations[..equations.own]);
    let frame = SplitFrame::new(w, split.clone());
    let [r, v, a] =
        [&w.system.coordinates, &w.system.velocities, &w.system.accelerations].map(|list| split.pick_independent(list));
    let mut ferrers = Vec::new();
    for s in 0..r.len() {
        let mut terms = Formula::ZERO;
        for nu in 0..split.dependent.len() {
            let bracket = frame.voronets_bracket(w, nu, s);
            terms += frame.dependent_momenta[nu] * bracket;
        }
        let e = w.g.of(terms);
        ferrers.push(generic.vanishes(&mut w.g, e));
    }
    let (conditions, failing) = first_that_fails(w, generic, &equations, [&r, &v, &a])?;
    let self_adjoint = failing.is_none();
    let proved = match failing {
        Some(e) => evaluator(&mut w.g, &[e]).is_faithful(),
        None => conditions.iter().all(|&e| {
            let e = w.simplify(e);
            w.g.is_zero(e)
        }),
    };
    let kinetic_potential = (r.len() == 1).then(|| {
        let one = One { equation: equations[0], r: r[0], v: v[0], a: a[0] };
        kinetic_potential(w, &one, generic)
    });
    Ok(LagrangianFacts {
        coordinates: r,
        ferrers,
        self_adjoint,
        certainty: Known::proved_if(proved),
        kinetic_potential,
    })
}

/// Helmholtz's conditions as far as the first that does not vanish, and this one: a long chain has thousands of them, and one decides.
fn first_that_fails(
    w: &mut Workbench,
    generic: &mut Generic,
    equations: &[Expr],
    motion: [&[Symbol]; 3],
) -> Result<(Vec<Expr>, Option<Expr>), String> {
    let mut conditions = Vec::new();
    let failing = helmholtz_condition(w, equations, motion, |w, e| {
        conditions.push(e);
        !generic.vanishes(&mut w.g, e)
    })?;
    Ok((conditions, failing))
}

/// Expressions that all vanish iff the equations are self-adjoint, looked at one after the other as far as the one that is sought.
pub fn helmholtz_condition(
    w: &mut Workbench,
    equations: &[Expr],
    motion: [&[Symbol]; 3],
    mut is_sought: impl FnMut(&mut Workbench, Expr) -> bool,
) -> Result<Option<Expr>, String> {
    for s in 0..equations.len() {
        for b in s..equations.len() {
            for e in conditions_of_pair(w, equations, motion, s, b) {
                if is_sought(w, e) {
                    return Ok(Some(e));
                }
            }
            if w.g.work.is_over() {
                return Err(NOT_DECIDED.into());
            }
        }
    }
    Ok(None)
}

/// Those of the equations s and b that are not zero as they stand.
fn conditions_of_pair(
    w: &mut Workbench,
    equations: &[Expr],
    [r, v, a]: [&[Symbol]; 3],
    s: usize,
    b: usize,
) -> Vec<Expr> {
    let [by_r, by_v, by_a] = [r, v, a].map(|x| (w.g.diff(equations[s], x[b]), w.g.diff(equations[b], x[s])));
    let mut list = vec![w.g.sub(by_a.0, by_a.1)];
    let rate = w.g.time_derivative(by_a.0);
    let sum = w.g.add(by_v.0, by_v.1);
    list.push(w.g.of(sum - 2 * rate));
    let difference = w.g.sub(by_v.0, by_v.1);
    let rate = w.g.time_derivative(difference);
    let turn = w.g.sub(by_r.0, by_r.1);
    list.push(w.g.of(2 * turn - rate));
    list.retain(|&e| !w.g.is_zero(e));
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    #[test]
    fn the_first_condition_that_fails_decides() {
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n";
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        for (equations, all, failing) in
            [(["x'' + y'", "y'' + z", "z'' + x"], 3, true), (["x'' + y", "y'' + x + z", "z'' + y"], 0, false)]
        {
            let equations = equations.map(|text| model.expression(text).expect("an expression"));
            let mut w = model.workbench();
            let system = w.system.clone();
            let motion = [&system.coordinates[..], &system.velocities[..], &system.accelerations[..]];
            let mut met = 0;
            let none = helmholtz_condition(&mut w, &equations, motion, |_, _| {
                met += 1;
                false
            });
            assert_eq!((none, met), (Ok(None), all));
            let mut generic = Generic::new(&mut w.g, &w.system.clone());
            let (met, first) =
                first_that_fails(&mut w, &mut generic, &equations, motion).expect("within the work allowed");
            assert_eq!((met.len(), first.is_some()), (usize::from(failing), failing));
        }
    }
}
