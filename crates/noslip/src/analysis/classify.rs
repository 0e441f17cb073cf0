//! Kinds of constraints, their rank, which depend on which, and whether they and the masses determine the motion.

use super::frobenius::Integrability;
use super::rank_drop::{RankDrop, rank_drop};
use crate::arrange::Arrange;
use crate::effort;
use crate::expr::Expr;
use crate::expr::field::{Fp, rank, row_reduce};
use crate::mechanics::{
    Admissible, Dependence, Generic, Pfaff, Said, Workbench, dependences, evaluator, matrix_rank, said,
};
use rustc_hash::FxHashMap;

/// What kind of constraint this is.
#[derive(Clone, Debug)]
pub struct ConstraintFacts {
    /// Its name.
    pub name: String,
    /// 0: holonomic as written; 1: velocities occur; 2: accelerations occur; 3: third derivatives occur.
    pub order: u8,
    /// Linear (homogeneous or affine) in the velocities? One of second order is linear in the accelerations.
    pub linear: bool,
    /// Does the power of its reaction vanish: no term free of velocities, or (nonlinear) homogeneous where it holds?
    pub homogeneous: bool,
    /// Does time occur?
    pub rheonomic: bool,
    /// Is the constraint alone integrable? `None` for nonlinear ones and those of second order.
    pub integrable: Option<Integrability>,
    /// Is it the total derivative of a function as it stands?
    pub exact: Option<Integrability>,
    /// What it says at real states, where that is not what is written: a product, a power, a sum of squares.
    pub said: Said,
    /// What must vanish for it to be integrable, where that depends on functions that are left open.
    pub condition: Option<Expr>,
    /// Its integral, where it is integrable and one was found.
    pub integral: Option<super::HiddenRelation>,
    /// The value that its integral keeps, where the initial state tells: of a constraint of second order.
    pub value: Option<f64>,
}

/// Ranks at a generic admissible state.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// Rank of A.
    pub constraints: usize,
    /// n − rank of A.
    pub degrees_of_freedom: usize,
    /// Constraints that depend on the ones before them.
    pub dependences: Vec<Dependence>,
    /// Rank of M.
    pub mass: usize,
    /// Directions in which T does not feel the velocity: coordinate and component, simplified.
    pub null_directions: Vec<Vec<(usize, Expr)>>,
    /// Do M and the constraints together determine the accelerations? `None` when no admissible state could be made.
    pub regular: Option<bool>,
    /// Where the rank of A drops.
    pub drops: RankDrop,
}

/// Kinds of the constraints, without their integrals.
pub fn constraint_facts(
    w: &mut Workbench,
    pfaff: &Pfaff,
    generic: &mut Generic,
    motions: Option<&mut Admissible>,
) -> Vec<ConstraintFacts> {
    let d = w.dynamics();
    let t = w.g.time();
    let mut motions = motions;
    let mut facts = Vec::new();
    let system = w.system.clone();
    for (j, c) in system.constraints.iter().enumerate() {
        let form = pfaff.constraints.iter().position(|&x| x == j);
        let linear = (c.order >= 2 && !c.higher) || form.is_some();
        let homogeneous = match form {
            Some(i) => {
                let offset = pfaff.forms[i].last().copied().unwrap_or(w.g.zero());
                generic.vanishes(&mut w.g, offset)
            }
            None => {
                // Σ_i A_ji q̇_i = 0 where the constraint holds (Euler).
                let velocities: Vec<Expr> = w.system.velocities.iter().map(|&s| w.g.symbol(s)).collect();
                let power = w.g.dot_product(&d.a[j], &velocities);
                motions.as_deref_mut().is_some_and(|m| m.vanishes(w, power))
            }
        };
        let rheonomic = w.occurs(c.expr, &[t]).is_some();
        facts.push(ConstraintFacts {
            name: c.name.clone(),
            order: c.order,
            linear,
            homogeneous,
            rheonomic,
            integrable: form.map(|i| pfaff.integrable(w, generic, i)),
            exact: form.map(|i| pfaff.exact(w, generic, i)),
            said: said(w, j),
            condition: form.and_then(|i| pfaff.condition(w, i)),
            integral: None,
            value: None,
        });
    }
    facts
}

/// Ranks, dependences and null directions.
pub fn ranks(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic, motions: Option<&mut Admissible>) -> Ranks {
    let (n, k) = (w.system.n(), w.system.k());
    let dependences = dependences(w, pfaff, generic);
    let contradictory = dependences.iter().any(|d| d.contradiction);
    let saddle = match motions {
        Some(m) if !contradictory => m.state(w).and_then(|p| m.saddle(w, &p)),
        _ => None,
    };
    let (constraints, regular) = match &saddle {
        Some(s) => (rank(&s.a), Some(s.regular())),
        None => {
            let d = w.dynamics();
            (if k == 0 { 0 } else { matrix_rank(w, &d.a, generic) }, None)
        }
    };
    let d = w.dynamics();
    let mass = matrix_rank(w, &d.mass, generic);
    let null_directions = if mass < n { null_directions(w, generic) } else { Vec::new() };
    let (drops, over) = w.within(effort::STEP, |w| rank_drop(w, &dependences));
    let drops = if over && drops != RankDrop::Never { RankDrop::Unknown } else { drops };
    Ranks { constraints, degrees_of_freedom: n - constraints, dependences, mass, null_directions, regular, drops }
}

/// The directions x with M x = 0: one coordinate velocity each, completed by the others.
fn null_directions(w: &mut Workbench, generic: &mut Generic) -> Vec<Vec<(usize, Expr)>> {
    let d = w.dynamics();
    let n = w.system.n();
    let mut roots: Vec<Expr> = d.mass.iter().flatten().copied().collect();
    roots.extend(w.system.coordinates.clone().into_iter().map(|q| w.g.symbol(q)));
    let evaluator = evaluator(&mut w.g, &roots);
    let Some(values) = generic.values(&w.g, &evaluator) else { return Vec::new() };
    let (mass, coordinates) = values.split_at(n * n);
    let mut rows: Vec<Vec<Fp>> = mass.chunks(n).map(<[Fp]>::to_vec).collect();
    let pivots = row_reduce(&mut rows);
    let quotients = Quotients::of(coordinates);
    let mut short = Vec::new();
    for free in (0..n).filter(|i| !pivots.contains(i)) {
        let components = pivots.iter().enumerate().filter(|(row, _)| !rows[*row][free].is_zero());
        let components: Option<Vec<(usize, Expr)>> =
            components.map(|(row, &i)| Some((i, quotients.expression(w, -rows[row][free])?))).collect();
        let direction = components.map(|list| ordered(list, free, w.g.one()));
        short.extend(direction.filter(|direction| is_null(w, generic, &d.mass, direction)));
    }
    if short.len() + pivots.len() == n {
        return short;
    }
    let block: Vec<Vec<Expr>> = pivots.iter().map(|&i| pivots.iter().map(|&j| d.mass[i][j]).collect()).collect();
    let inverse = if block.is_empty() { Some(Vec::new()) } else { w.inverse(&block) };
    let Some(inverse) = inverse else { return Vec::new() };
    let mut directions = Vec::new();
    for free in (0..n).filter(|i| !pivots.contains(i)) {
        let right: Vec<Expr> = pivots.iter().map(|&i| d.mass[i][free]).collect();
        let mut direction = Vec::new();
        for (&i, row) in pivots.iter().zip(&inverse) {
            let e = w.g.dot_product(row, &right);
            let e = w.simplify(-e);
            if !w.g.is_zero(e) {
                direction.push((i, e));
            }
        }
        directions.push(ordered(direction, free, w.g.one()));
    }
    directions
}

/// With the one that is free.
fn ordered(mut direction: Vec<(usize, Expr)>, free: usize, one: Expr) -> Vec<(usize, Expr)> {
    direction.push((free, one));
    direction.arrange_by_key(|(i, _)| *i);
    direction
}

/// What the components of most null directions are: 1, or a quotient of two coordinates, as where a quaternion grows. By elimination they
/// are found as quotients of pages.
struct Quotients {
    of: FxHashMap<u64, (usize, usize)>,
}

impl Quotients {
    /// From the values of the coordinates at a point of the prime field.
    fn of(coordinates: &[Fp]) -> Quotients {
        let mut of = FxHashMap::default();
        for (j, below) in coordinates.iter().enumerate() {
            let Some(inverse) = below.inverse() else { continue };
            for (i, &above) in coordinates.iter().enumerate() {
                of.entry((above * inverse).value()).or_insert((i, j));
            }
        }
        Quotients { of }
    }

    fn expression(&self, w: &mut Workbench, value: Fp) -> Option<Expr> {
        let find = |value: Fp| self.of.get(&value.value()).copied();
        let ((i, j), minus) = find(value).map(|q| (q, false)).or_else(|| find(-value).map(|q| (q, true)))?;
        let [above, below] = [i, j].map(|i| w.g.symbol(w.system.coordinates[i]));
        let quotient = w.g.div(above, below);
        Some(if minus { w.g.neg(quotient) } else { quotient })
    }
}

/// Does M x vanish, at other points too?
fn is_null(w: &mut Workbench, generic: &mut Generic, mass: &[Vec<Expr>], direction: &[(usize, Expr)]) -> bool {
    let along: Vec<Expr> = direction.iter().map(|(_, e)| *e).collect();
    mass.iter().all(|row| {
        let row: Vec<Expr> = direction.iter().map(|&(i, _)| row[i]).collect();
        let product = w.g.dot_product(&row, &along);
        generic.vanishes(&mut w.g, product)
    })
}
