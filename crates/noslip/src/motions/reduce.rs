//! Which variables close on themselves.
//!
//! The equations of motion q̇ = q̇(q, v), v̇ = v̇(q, v) in the quasi-velocities v fall into a *closed part*, rates that depend on
//! nothing outside it, and *quadratures*: coordinates that follow by integration once the closed part is known. All v belong to
//! the closed part, and with them the coordinates that occur in a rate of it. A heading, a place on a plane, the turn of a
//! wheel about its axle usually do not: this is what a symmetry does for the equations of motion.
//!
//! Where the model gives no quasi-velocities they are chosen so that little is left in the closed part: of a body that translations
//! and turnings in the plane do not change, the velocities ahead and sideways in the place of x' and y'. Coordinates of which only
//! differences matter, as headings that are all counted from a fixed direction, are counted from each other.
//!
//! A coordinate that does not occur in the simplified rates is proved absent. Where rates are too long to be written out, the
//! inertia G and the forces R of G v̇ = R are looked at instead.
//!
//! Valid when: the constraints are independent and linear, or affine, in the velocities.
//! Sources: Bloch, Krishnaprasad, Marsden, Murray 1996; Neimark, Fufaev 1967, chapter III.

use super::flow::Flow;
use super::relative::Relative;
use crate::card::Card;
use crate::effort::FLOW;
use crate::error::Result;
use crate::expr::field::{Fp, solve};
use crate::expr::{Expr, Role, Symbol};
use crate::mechanics::Generic;
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "reduce",
    aliases: &["reduction", "quadratures"],
    name: "The closed part and the quadratures",
    source: "Bloch, Krishnaprasad, Marsden, Murray 1996; Neimark, Fufaev 1967",
    needs: "independent constraints, affine in the velocities",
    about: crate::card::head_of!("reduce.rs"),
};

/// The closed part and what is left.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The equations of motion in (q, v).
    pub flow: Flow,
    /// Coordinates of the closed part.
    pub shape: Vec<Symbol>,
    /// Among them, those that a holonomic constraint among them determines from the others.
    pub tied: Vec<Symbol>,
    /// The holonomic constraints that do so.
    pub ties: Vec<Expr>,
    /// Coordinates that follow by integration.
    pub quadratures: Vec<Symbol>,
    /// Does time occur in a rate of the closed part?
    pub rheonomic: bool,
    /// Is the absence of the quadratures shown by the simplified expressions, not only tested?
    pub proved: bool,
    /// Were the quasi-velocities chosen here?
    pub chosen: bool,
    /// What leaves the equations unchanged, for people.
    pub symmetry: String,
    /// Members of the closed part that stand for differences of coordinates.
    pub relative: Vec<Relative>,
}

impl Reduction {
    /// Members of the closed part: coordinates, then quasi-velocities; those that are tied left out.
    pub fn closed(&self) -> Vec<Symbol> {
        let free = self.shape.iter().filter(|s| !self.tied.contains(s));
        free.chain(&self.flow.free).copied().collect()
    }

    /// Splits the equations of a system whose quasi-velocities are set.
    pub fn of(w: &mut Workbench, chosen: bool) -> Result<Reduction> {
        // Beyond its allowance the flow is as right, but longer.
        let allowance = w.g.work.open(FLOW);
        let flow = Flow::of(w);
        w.g.work.close(allowance);
        let flow = flow?;
        let n = flow.coordinates.len();
        let t = w.g.time();
        let sources = flow.sources();
        let mut closed = vec![false; n];
        let mut rheonomic = sources.iter().any(|&e| w.g.depends_on(e, t));
        for i in 0..n {
            closed[i] = sources.iter().any(|&e| w.g.depends_on(e, flow.coordinates[i]));
        }
        let mut proved = true;
        // What still occurs may cancel where v̇ is not written out: then it is tested absent.
        if flow.rates.is_none() {
            for i in 0..n {
                if closed[i] && absent(w, &flow, flow.coordinates[i]) {
                    closed[i] = false;
                    proved = false;
                }
            }
        }
        while let Some(i) = (0..n).find(|&i| {
            !closed[i] && (0..n).any(|j| closed[j] && w.g.depends_on(flow.velocities[j], flow.coordinates[i]))
        }) {
            closed[i] = true;
        }
        rheonomic |= (0..n).any(|i| closed[i] && w.g.depends_on(flow.velocities[i], t));
        let pick = |want: bool| -> Vec<Symbol> {
            (0..n).filter(|&i| closed[i] == want).map(|i| flow.coordinates[i]).collect()
        };
        let (shape, quadratures) = (pick(true), pick(false));
        let (ties, tied) = ties(w, &shape);
        let symmetry = symmetry(w, &flow, &quadratures);
        Ok(Reduction {
            flow,
            shape,
            tied,
            ties,
            quadratures,
            rheonomic,
            proved,
            chosen,
            symmetry,
            relative: Vec::new(),
        })
    }
}

/// Does v̇ not depend on a coordinate, at random points of the prime field?
fn absent(w: &mut Workbench, flow: &Flow, q: Symbol) -> bool {
    let l = flow.free.len();
    let other = w.g.declare_beside(&format!("another {}", w.g.name(q)), Role::Coordinate);
    let map: FxHashMap<Symbol, Expr> = [(q, w.g.symbol(other))].into_iter().collect();
    let list = flow.sources();
    let turned = w.g.substitute_all(&list, &map);
    let roots: Vec<Expr> = list.iter().chain(&turned).copied().collect();
    let evaluator = crate::mechanics::evaluator(&mut w.g, &roots);
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    (0..2).all(|_| {
        let Some(values) = generic.values(&w.g, &evaluator) else { return false };
        let rates = |block: &[Fp]| -> Option<Vec<Fp>> {
            let rows: Vec<Vec<Fp>> = block[..l * l].chunks(l).map(<[Fp]>::to_vec).collect();
            solve(&rows, &block[l * l..])
        };
        let (here, there) = values.split_at(list.len());
        rates(here).is_some_and(|x| Some(x) == rates(there))
    })
}

/// Holonomic constraints among coordinates of the closed part, and the coordinates they determine: where their derivative is
/// largest at the initial state, the last one where all else is equal.
fn ties(w: &mut Workbench, shape: &[Symbol]) -> (Vec<Expr>, Vec<Symbol>) {
    let (mut ties, mut rows) = (Vec::new(), Vec::new());
    let t = w.g.time();
    for c in w.system.constraints.clone().iter().filter(|c| c.order == 0) {
        let free = w.g.free_symbols(&[c.expr]);
        let moving: Vec<&Symbol> = free.iter().filter(|&&s| w.g.role(s).varies() || s == t).collect();
        if moving.is_empty() || !moving.iter().all(|s| shape.contains(s)) {
            continue;
        }
        let mut row = Vec::new();
        for &q in shape {
            let e = w.g.diff(c.expr, q);
            row.push(w.value_at_initial_state(e).unwrap_or(0.0));
        }
        ties.push(c.expr);
        rows.push(row);
    }
    let mut tied: Vec<usize> = Vec::new();
    for r in 0..rows.len() {
        let pivot = (0..shape.len()).filter(|c| !tied.contains(c)).max_by(|&a, &b| {
            let (x, y) = (rows[r][a].abs(), rows[r][b].abs());
            if (x - y).abs() <= 1e-9 * x.max(y) { a.cmp(&b) } else { x.total_cmp(&y) }
        });
        let Some(c) = pivot else { break };
        tied.push(c);
        let (upper, lower) = rows.split_at_mut(r + 1);
        for row in lower {
            let factor = if upper[r][c] == 0.0 { 0.0 } else { row[c] / upper[r][c] };
            row.iter_mut().zip(&upper[r]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    (ties, tied.into_iter().map(|c| shape[c]).collect())
}

/// In words: what does not change the closed part.
pub(super) fn symmetry(w: &Workbench, flow: &Flow, quadratures: &[Symbol]) -> String {
    if quadratures.is_empty() {
        return "none found: every coordinate occurs in the rates".into();
    }
    let names: Vec<&str> = quadratures.iter().map(|&s| w.g.name(s)).collect();
    // Coordinates that appear in the rate of another quadrature: the group is not commutative.
    let turning: Vec<&str> = quadratures
        .iter()
        .filter(|&&s| flow.velocities.iter().any(|&e| w.g.depends_on(e, s)))
        .map(|&s| w.g.name(s))
        .collect();
    let shifts = format!("shifts of {} leave the closed part unchanged", names.join(", "));
    if turning.is_empty() {
        return shifts;
    }
    let moved: Vec<&str> = (0..flow.coordinates.len())
        .filter(|&i| quadratures.iter().any(|&s| w.g.depends_on(flow.velocities[i], s)))
        .map(|i| w.g.name(flow.coordinates[i]))
        .collect();
    format!("{shifts}; with {} the directions of {} turn", turning.join(", "), moved.join(", "))
}
