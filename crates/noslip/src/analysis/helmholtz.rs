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
use crate::expr::Known;
use crate::expr::{Expr, Formula, Symbol};
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
    let equations = Chaplygin.derive(w).map_err(|e| e.to_string())?;
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
    let conditions = helmholtz_conditions(w, &equations, &r, &v, &a);
    let mut more = a.clone();
    more.extend(a.iter().map(|&s| w.g.dot(s)));
    let self_adjoint = conditions.iter().all(|&e| generic.vanishes(&mut w.g, e));
    let proved = if self_adjoint {
        conditions.iter().all(|&e| {
            let e = w.simplify(e);
            w.g.is_zero(e)
        })
    } else {
        evaluator(&mut w.g, &conditions).is_faithful()
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

/// Expressions that all vanish iff the equations are self-adjoint.
pub fn helmholtz_conditions(
    w: &mut Workbench,
    equations: &[Expr],
    r: &[Symbol],
    v: &[Symbol],
    a: &[Symbol],
) -> Vec<Expr> {
    let l = r.len();
    let [by_r, by_v, by_a] = [r, v, a].map(|symbols| w.g.jacobian(equations, symbols));
    let mut list = Vec::new();
    for s in 0..l {
        for b in s..l {
            list.push(w.g.sub(by_a[s][b], by_a[b][s]));
            let rate = w.g.time_derivative(by_a[s][b]);
            let sum = w.g.add(by_v[s][b], by_v[b][s]);
            list.push(w.g.of(sum - 2 * rate));
            let difference = w.g.sub(by_v[s][b], by_v[b][s]);
            let rate = w.g.time_derivative(difference);
            let turn = w.g.sub(by_r[s][b], by_r[b][s]);
            list.push(w.g.of(2 * turn - rate));
        }
    }
    list.retain(|&e| !w.g.is_zero(e));
    list
}
