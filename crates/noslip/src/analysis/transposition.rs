//! Transpositional relations: d(δq) − δ(dq) and d(δπ) − δ(dπ) for either convention.
//!
//! Virtual displacements satisfy Σ_i A_ji δq_i = 0; whether variation and differentiation commute is then a choice:
//! ```text
//! Hölder:  d/dt δq_i = δq̇_i for all i. The varied motion breaks the constraints:
//!          d/dt δπ_ρ − δv_ρ = Σ_r (Σ_m γ^ρ_rm v_m + γ^ρ_r) δπ_r        (γ of the Boltzmann–Hamel equations)
//! Suslov:  d/dt δq_s = δq̇_s for independent q_s only, and δφ_j = 0:
//!          d/dt δq_{l+ν} − δq̇_{l+ν} = Σ_s B^ν_s δq_s,
//!          B^ν_s = d/dt(∂α_ν/∂q̇_s) − ∂α_ν/∂q_s − Σ_μ ∂α_μ/∂q̇_s ∂α_ν/∂q_{l+μ}
//! ```

use crate::expr::{Expr, Formula, Symbol};
use crate::forms::Gamma;
use crate::mechanics::{SplitFrame, Workbench};

/// Which variations commute with differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Those of all coordinates.
    Holder,
    /// Those of the independent coordinates.
    Suslov,
}

/// One transpositional relation.
#[derive(Clone, Debug)]
pub struct TranspositionalRelation {
    /// The convention.
    pub convention: Convention,
    /// The coordinate (its relation is d/dt(δq) − δq̇) or quasi-velocity v = dπ/dt (d/dt(δπ) − δv).
    pub of: Symbol,
    /// The right-hand side, linear in the variations `delta_…`.
    pub expr: Expr,
}

/// The relations for one convention; `Err` says why there are none.
pub fn transpositional_relations(
    w: &mut Workbench,
    convention: Convention,
) -> Result<Vec<TranspositionalRelation>, String> {
    match convention {
        Convention::Holder => holder(w),
        Convention::Suslov => suslov(w),
    }
}

fn holder(w: &mut Workbench) -> Result<Vec<TranspositionalRelation>, String> {
    let quasi = w.closed_quasi()?;
    if !quasi.linear() {
        return Err("the quasi-velocities are not linear in the velocities".into());
    }
    let gamma = Gamma::of(w, &quasi).map_err(|e| e.message)?;
    let variations = quasi.displacements(w);
    let mut relations: Vec<TranspositionalRelation> = w
        .system
        .coordinates
        .iter()
        .map(|&q| TranspositionalRelation { convention: Convention::Holder, of: q, expr: w.g.zero() })
        .collect();
    for (rho, &v) in quasi.all().iter().enumerate() {
        let mut terms = Formula::ZERO;
        for (r, &delta) in variations.iter().enumerate() {
            let mut inner = Formula::from(gamma.one[rho][r]);
            for (m, &v) in quasi.free.iter().enumerate() {
                let v = w.g.symbol(v);
                inner += gamma.two[rho][r][m] * v;
            }
            let e = w.g.of(inner);
            terms += e * delta;
        }
        let expr = w.simplify(terms);
        relations.push(TranspositionalRelation { convention: Convention::Holder, of: v, expr });
    }
    Ok(relations)
}

fn suslov(w: &mut Workbench) -> Result<Vec<TranspositionalRelation>, String> {
    w.no_second_order()?;
    let split = w.split()?;
    let frame = SplitFrame::new(w, split.clone());
    let mut relations = Vec::new();
    for &i in &split.independent {
        relations.push(TranspositionalRelation {
            convention: Convention::Suslov,
            of: w.system.coordinates[i],
            expr: w.g.zero(),
        });
    }
    for (nu, &i) in split.dependent.iter().enumerate() {
        let mut terms = Formula::ZERO;
        for (s, &j) in split.independent.iter().enumerate() {
            let name = w.g.name(w.system.coordinates[j]).to_owned();
            let delta = w.variation(&name);
            let bracket = frame.voronets_bracket(w, nu, s);
            terms += bracket * delta;
        }
        let expr = w.simplify(terms);
        relations.push(TranspositionalRelation { convention: Convention::Suslov, of: w.system.coordinates[i], expr });
    }
    Ok(relations)
}
