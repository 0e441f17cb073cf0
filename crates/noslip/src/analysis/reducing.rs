//! Chaplygin's reducing multiplier.
//!
//! With coordinates r_1…r_l, g the metric of T° and p = g ṙ, the reduced equations of a Chaplygin system read
//! ```text
//! ṗ_s − ∂T°/∂r_s + ∂V/∂r_s = R_s,   R_s quadratic in ṙ, Σ_s R_s ṙ_s = 0.
//! ```
//! The time τ with dτ = N dt makes them Lagrangian, with L = N²T° − V, iff
//! ```text
//! R_s = Σ_r (N_s p_r − N_r p_s) ṙ_r   for all ṙ,   N_a = ∂ ln N/∂r_a.
//! ```
//! That is a linear system for the N_a (for l = 2 it always has a solution: N_1 p_2 − N_2 p_1 = K with R_1 = ṙ_2 K, R_2 = −ṙ_1 K);
//! N exists iff the system has a solution with ∂N_a/∂r_b = ∂N_b/∂r_a.
//!
//! The same holds in quasi-coordinates when nothing in the reduced equations depends on a coordinate whose velocity is not one
//! of the quasi-velocities: then r_a = π_a, and R comes from Hamel's coefficients.

use super::quadrature;
use crate::arrange::Arrange;
use crate::expr::Known;
use crate::expr::field::{Fp, rank};
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Expr, Formula, Rational, Role, Symbol};
use crate::forms::Gamma;
use crate::mechanics::{Generic, evaluator};
use crate::mechanics::{SplitFrame, Workbench};

/// What is known of the reducing multiplier in one set of coordinates.
#[derive(Clone, Debug)]
pub struct ReducingMultiplier {
    /// The coordinates, or quasi-coordinates.
    pub coordinates: Vec<Symbol>,
    /// For a quasi-coordinate: the quasi-velocity that is its derivative.
    pub quasi_velocities: Vec<Option<Symbol>>,
    /// R_s, in the velocities: all zero when the reduced equations are Lagrangian as they stand.
    pub gyroscopic: Vec<Expr>,
    /// ∂ ln N/∂r_a; empty when the conditions on them contradict each other.
    pub gradient: Vec<Expr>,
    /// Does N exist?
    pub exists: bool,
    /// How that is known.
    pub certainty: Known,
    /// What would have to vanish and does not: ∂N_a/∂r_b − ∂N_b/∂r_a, or, where the conditions on the N_a contradict each
    /// other (`gradient` is empty), the determinant of l + 1 of them.
    pub obstruction: Option<Expr>,
    /// N, where it was found.
    pub multiplier: Option<Expr>,
}

/// T° and R in coordinates r with velocities v.
struct Reduced {
    coordinates: Vec<Symbol>,
    quasi_velocities: Vec<Option<Symbol>>,
    velocities: Vec<Symbol>,
    kinetic: Expr,
    gyroscopic: Vec<Expr>,
}

/// The multiplier in the coordinates of the Chaplygin split; `Err` says why the question does not arise.
pub fn reducing_multiplier(w: &mut Workbench, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let split = w.chaplygin_split().map_err(|why| format!("not a Chaplygin system: {why}"))?;
    let (d, system) = (w.dynamics(), w.system.clone());
    if d.a.iter().flatten().any(|&e| w.occurs(e, &system.velocities).is_some()) {
        return Err("the constraints are not linear in the velocities".into());
    }
    if split.explicit.is_none() {
        return Err("the constraints are not solved explicitly".into());
    }
    let velocities = split.pick_independent(&w.system.velocities);
    let coordinates = split.pick_independent(&w.system.coordinates);
    let frame = SplitFrame::new(w, split.clone());
    let mut gyroscopic = Vec::new();
    for s in 0..velocities.len() {
        let mut terms = Formula::ZERO;
        for nu in 0..split.dependent.len() {
            let bracket = frame.voronets_bracket(w, nu, s);
            terms += frame.dependent_momenta[nu] * bracket;
        }
        gyroscopic.push(w.g.of(terms));
    }
    let quasi_velocities = vec![None; coordinates.len()];
    solve(w, Reduced { coordinates, quasi_velocities, velocities, kinetic: frame.kinetic, gyroscopic }, generic)
}

/// The multiplier in the model's own quasi-coordinates, where they are not all coordinates.
pub fn reducing_multiplier_quasi(w: &mut Workbench, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let quasi = w.closed_quasi()?;
    if !quasi.linear() {
        return Err("the quasi-velocities are not linear in the velocities".into());
    }
    let l = quasi.free.len();
    let (mut coordinates, mut quasi_velocities) = (Vec::new(), Vec::new());
    let mut closed = Vec::new();
    for rho in 0..l {
        let own = quasi.expressions[rho].and_then(|e| {
            let velocity = w.system.velocities.iter().position(|&v| w.g.symbol(v) == e)?;
            Some(w.system.coordinates[velocity])
        });
        match own {
            Some(q) => {
                coordinates.push(q);
                quasi_velocities.push(None);
                closed.push(q);
            }
            None => {
                let name = format!("pi_{}", w.g.name(quasi.free[rho]));
                coordinates.push(w.g.declare_beside(&name, Role::Other));
                quasi_velocities.push(Some(quasi.free[rho]));
            }
        }
    }
    if quasi_velocities.iter().all(Option::is_none) {
        return Err("the quasi-velocities are velocities of coordinates".into());
    }
    let star = quasi.kinetic_free(w).ok_or("the velocities have no closed form")?;
    let gamma = Gamma::of(w, &quasi).map_err(|e| e.message)?;
    let momenta: Vec<Expr> = quasi.all().into_iter().map(|v| w.g.diff(star, v)).collect();
    let momenta = quasi.all_on_constraints(w, &momenta);
    let mut gyroscopic = Vec::new();
    for r in 0..l {
        // R_r = −Σ_j p_j (Σ_m γ^j_rm v_m + γ^j_r)
        let mut terms = Formula::ZERO;
        for (j, &p) in momenta.iter().enumerate() {
            for (m, &v) in quasi.free.iter().enumerate() {
                let v = w.g.symbol(v);
                terms -= p * gamma.two[j][r][m] * v;
            }
            terms -= p * gamma.one[j][r];
        }
        gyroscopic.push(w.g.of(terms));
    }
    let kinetic = quasi.on_constraints(w, star);
    let open: Vec<Symbol> = w.system.coordinates.iter().copied().filter(|q| !closed.contains(q)).collect();
    let forces = (0..l).map(|r| quasi.force(w, r)).collect::<Vec<_>>();
    for e in std::iter::once(kinetic).chain(gyroscopic.iter().copied()).chain(forces) {
        if let Some(q) = w.occurs(e, &open) {
            return Err(format!("the reduced equations contain the coordinate `{}`", w.g.name(q)));
        }
    }
    let velocities = quasi.free.clone();
    solve(w, Reduced { coordinates, quasi_velocities, velocities, kinetic, gyroscopic }, generic)
}

fn solve(w: &mut Workbench, reduced: Reduced, generic: &mut Generic) -> Result<ReducingMultiplier, String> {
    let l = reduced.velocities.len();
    if l < 2 {
        return Err("with one degree of freedom no multiplier is needed".into());
    }
    let t = w.g.time();
    let r = &reduced.coordinates;
    let gyroscopic = w.simplify_all(&reduced.gyroscopic);
    for e in std::iter::once(reduced.kinetic).chain(gyroscopic.iter().copied()) {
        if w.occurs(e, &[t]).is_some() {
            return Err("time occurs in the reduced equations".into());
        }
        if w.g.degree(e, &reduced.velocities).is_none_or(|d| d > 2) {
            return Err("the reduced equations are not quadratic in the velocities".into());
        }
        let mut lower = vec![w.g.without(e, &reduced.velocities)];
        for &v in &reduced.velocities {
            let by_v = w.g.diff(e, v);
            lower.push(w.g.without(by_v, &reduced.velocities));
        }
        if lower.into_iter().any(|e| !generic.vanishes(&mut w.g, e)) {
            return Err("the constraints or the kinetic energy have terms of lower degree in the velocities".into());
        }
    }
    let metric = w.g.hessian(reduced.kinetic, &reduced.velocities);
    let metric: Vec<Vec<Expr>> = metric.iter().map(|row| w.simplify_all(row)).collect();
    let mut answer = ReducingMultiplier {
        coordinates: r.clone(),
        quasi_velocities: reduced.quasi_velocities.clone(),
        gyroscopic,
        gradient: Vec::new(),
        exists: false,
        certainty: Known::Proved,
        obstruction: None,
        multiplier: None,
    };
    let conditions = conditions(w, &metric, &answer.gyroscopic, &reduced.velocities);
    let gradient = match gradient(w, &conditions, r, generic)? {
        Ok(gradient) => gradient,
        Err(contradiction) => {
            let verdict = decide(w, contradiction);
            answer.certainty = excluded(w, contradiction, &verdict);
            answer.obstruction = Some(w.simplify(contradiction));
            return Ok(answer);
        }
    };
    for a in 0..l {
        for b in a + 1..l {
            let (x, y) = (w.g.diff(gradient[a], r[b]), w.g.diff(gradient[b], r[a]));
            let curl = w.g.sub(x, y);
            let simple = w.simplify(curl);
            if w.g.is_zero(simple) {
                continue;
            }
            // The prime field chooses branches of roots by itself, so what it refutes is looked at again.
            let verdict = decide(w, simple);
            if !generic.vanishes(&mut w.g, curl) && !verdict.holds() {
                answer.certainty = excluded(w, simple, &verdict);
                answer.obstruction = Some(simple);
                answer.gradient = gradient;
                return Ok(answer);
            }
            if verdict != Known::Proved {
                answer.certainty = Known::TESTED;
            }
        }
    }
    answer.exists = true;
    let determinant = w.g.determinant(&metric);
    let mut sources: Vec<Expr> = metric.iter().flatten().copied().collect();
    sources.push(w.simplify(determinant));
    answer.multiplier = quadrature::exponential(w, r, &gradient, &sources, generic);
    answer.gradient = gradient;
    Ok(answer)
}

/// How it is known that there is none, from what would have to vanish and the verdict that it does not.
fn excluded(w: &Workbench, obstruction: Expr, verdict: &Known) -> Known {
    match w.reservation(&[obstruction], "there is none") {
        Some(why) => Known::Unknown(why),
        None => Known::proved_if(verdict.is_refuted()),
    }
}

/// Is it zero, with the parameters at their values?
fn decide(w: &mut Workbench, e: Expr) -> Known {
    let values = w.system.parameter_expressions(&mut w.g);
    let e = w.g.substitute(e, &values);
    is_zero(&mut w.g, e, &ZeroOptions::default())
}

/// Rows (coefficients of N_1…N_l, right side) from the coefficients of ṙ_a ṙ_b in R_s = Σ_r (N_s p_r − N_r p_s) ṙ_r.
fn conditions(w: &mut Workbench, g: &[Vec<Expr>], gyroscopic: &[Expr], v: &[Symbol]) -> Vec<Vec<Expr>> {
    let l = v.len();
    let mut rows = Vec::new();
    for s in 0..l {
        for a in 0..l {
            let by_a = w.g.diff(gyroscopic[s], v[a]);
            for b in a..l {
                // ∂²/∂ṙ_a∂ṙ_b of both sides.
                let mut row = vec![w.g.zero(); l + 1];
                row[l] = w.g.diff(by_a, v[b]);
                let both = w.g.scale(g[a][b], &Rational::integer(2));
                row[s] = w.g.add(row[s], both);
                row[a] = w.g.sub(row[a], g[s][b]);
                row[b] = w.g.sub(row[b], g[s][a]);
                if row.iter().any(|&e| !w.g.is_zero(e)) {
                    rows.push(row);
                }
            }
        }
    }
    rows
}

/// Solves the conditions for the N_a; `Ok(Err(determinant))` when they contradict each other.
fn gradient(
    w: &mut Workbench,
    conditions: &[Vec<Expr>],
    r: &[Symbol],
    generic: &mut Generic,
) -> Result<Result<Vec<Expr>, Expr>, String> {
    let l = r.len();
    let roots: Vec<Expr> = conditions.iter().flatten().copied().collect();
    let evaluator = evaluator(&mut w.g, &roots);
    let values = generic.values(&w.g, &evaluator).ok_or("no generic position could be drawn")?;
    let rows: Vec<Vec<Fp>> = values.chunks(l + 1).map(<[Fp]>::to_vec).collect();
    let plain: Vec<Vec<Fp>> = rows.iter().map(|row| row[..l].to_vec()).collect();
    if rank(&plain) < l {
        return Err("the reduced kinetic energy is degenerate".into());
    }
    // Short conditions first.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.arrange_by_key(|&i| w.g.reachable(&conditions[i]).len());
    let mut chosen: Vec<usize> = Vec::new();
    for i in order {
        if chosen.len() == l {
            break;
        }
        chosen.push(i);
        let block: Vec<Vec<Fp>> = chosen.iter().map(|&i| plain[i].clone()).collect();
        if rank(&block) < chosen.len() {
            chosen.pop();
        }
    }
    if rank(&rows) > l {
        let off = (0..rows.len()).find(|&i| {
            let block: Vec<Vec<Fp>> = chosen.iter().chain([&i]).map(|&i| rows[i].clone()).collect();
            rank(&block) > l
        });
        let matrix: Vec<Vec<Expr>> = chosen.iter().chain(&off).map(|&i| conditions[i].clone()).collect();
        return Ok(Err(w.g.determinant(&matrix)));
    }
    let block: Vec<Vec<Expr>> = chosen.iter().map(|&i| conditions[i][..l].to_vec()).collect();
    let inverse = w.inverse_or(&block, "the reduced kinetic energy is degenerate")?;
    let right: Vec<Expr> = chosen.iter().map(|&i| conditions[i][l]).collect();
    let mut list = Vec::new();
    for row in &inverse {
        let e = w.g.dot_product(row, &right);
        list.push(w.simplify(e));
    }
    Ok(Ok(list))
}
