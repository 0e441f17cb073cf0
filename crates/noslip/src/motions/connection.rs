//! The momentum equation and the nonholonomic connection.
//!
//! A body that may be shifted and turned in the plane without changing energies and constraints has the group SE(2) for its symmetry:
//! (x, y, θ) are coordinates of the group, all others those of the *shape*, r. With the velocities of the group seen from the
//! body,
//!
//! ```text
//! ξ = (v, v_n, θ'),    v = x' cos θ + y' sin θ,    v_n = y' cos θ − x' sin θ,
//! ```
//!
//! energies and constraints a(r) ξ + b(r) r' = 0 do not contain the group. What the constraints allow the body to do with its shape
//! held fixed, a(r) e = 0, are the generators e_a(r); the momenta along them are p_a = ∂T/∂ξ · e_a. Constraints and momenta together
//! determine ξ:
//!
//! ```text
//! ξ = −A(r) r' + Γ(r) p,    p_a' = ∂T/∂ξ · ([ξ, e_a] + de_a/dt) + Q · e_a
//! ```
//!
//! A is the *nonholonomic connection*, the second line the *momentum equation*; where there are no generators the momenta are absent, and the
//! system is one of Chaplygin's. The curvature of A,
//!
//! ```text
//! B_ij = ∂A_j/∂r_i − ∂A_i/∂r_j − [A_i, A_j],
//! ```
//!
//! drawn over two shape coordinates, is the *height function*: a small closed change of shape, a *gait*, moves the body by −∬B, the *geometric
//! phase*. For a given gait r(t) the motion in the group and the momenta are integrated, and what they give after a period stands beside it.
//!
//! Headings of several bodies, all counted from a fixed direction, are counted from the first of them: their differences are shape.
//! Without a plane to turn in, the coordinates that occur nowhere are the group, and its brackets vanish. Holonomic constraints
//! that prescribe the shape are left out; where they are solved for it, they are the gait.
//!
//! Valid when: the constraints are independent, linear in the velocities, free of time, and restrict the velocities of the group alone or
//! together with those of the shape.
//! Sources: Bloch, Krishnaprasad, Marsden, Murray 1996; Ostrowski, Burdick 1998; Kelly, Murray 1995.

use super::frame::{Plane, ingredients, named, plane};
use super::relative::recounted;
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Formula, Known, Matrix, Symbol};
use crate::mechanics::{Generic, Workbench, evaluator};
use crate::verify::vanishes_on_motions;
use rustc_hash::FxHashMap;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "connection",
    aliases: &["nonholonomic-connection", "bkmm", "geometric-phase", "gait", "height-function", "curvature"],
    name: "The momentum equation and the nonholonomic connection",
    source: "Bloch, Krishnaprasad, Marsden, Murray 1996",
    needs: "constraints linear in the velocities, free of time, and coordinates that no energy contains",
    about: crate::card::head_of!("connection.rs"),
};

/// The group of symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Shifts and turnings of the plane.
    Plane,
    /// Shifts of coordinates.
    Shifts,
}

/// A momentum along a direction that the constraints allow with the shape held fixed.
#[derive(Clone, Debug)]
pub struct Momentum {
    /// Its name.
    pub symbol: Symbol,
    /// Components of the generator along ξ.
    pub generator: Vec<Expr>,
    /// In q and q̇.
    pub expr: Expr,
    /// Its rate, in r, r' and the momenta.
    pub rate: Expr,
}

/// The connection of a system.
#[derive(Clone, Debug)]
pub struct Connection {
    /// What the group is.
    pub kind: Group,
    /// Coordinates of the group.
    pub group: Vec<Symbol>,
    /// Coordinates of the shape.
    pub shape: Vec<Symbol>,
    /// Coordinates of the shape that take the place of headings counted from a fixed direction: what they are.
    pub relative: Vec<(Symbol, Expr)>,
    /// Their velocities.
    pub shape_velocities: Vec<Symbol>,
    /// ξ: names, and what they are in q and q̇.
    pub body_velocity: Vec<(Symbol, Expr)>,
    /// Velocities of the group's coordinates, in ξ and the coordinates.
    pub group_rates: Vec<Expr>,
    /// Momenta.
    pub momenta: Vec<Momentum>,
    /// A: a row for each ξ, a column for each shape coordinate.
    pub connection: Matrix,
    /// Γ: a row for each ξ, a column for each momentum.
    pub inverse: Matrix,
    /// B_ij with i < j: components along ξ.
    pub curvature: Vec<((usize, usize), Vec<Expr>)>,
    /// The gait that the model prescribes.
    pub gait: Option<Vec<Expr>>,
    /// How the momentum equation is known to follow from the equations of motion.
    pub how: Known,
}

impl Group {
    /// [ξ, η].
    fn bracket(self, w: &mut Workbench, a: &[Expr], b: &[Expr]) -> Vec<Expr> {
        match self {
            Group::Shifts => vec![w.g.zero(); a.len()],
            Group::Plane => {
                let first = w.g.of(b[2] * a[1] - a[2] * b[1]);
                let second = w.g.of(a[2] * b[0] - b[2] * a[0]);
                vec![first, second, w.g.zero()]
            }
        }
    }
}

/// Energies and constraints with the group taken out.
struct Ingredients {
    kind: Group,
    /// Indices of the group's coordinates and of the shape's.
    group: Vec<usize>,
    shape: Vec<usize>,
    relative: Vec<(Symbol, Expr)>,
    xi: Vec<(Symbol, Expr)>,
    rates: Vec<Expr>,
    kinetic: Expr,
    forces: Vec<Expr>,
    a: Matrix,
    b: Matrix,
}

/// Derives the connection. The workbench is afterwards that of the model with headings counted from the first.
pub fn connection(w: &mut Workbench) -> Result<Connection> {
    let found = taken_out(w)?;
    let shape: Vec<Symbol> = found.shape.iter().map(|&i| w.system.coordinates[i]).collect();
    let rates: Vec<Symbol> = found.shape.iter().map(|&i| w.system.velocities[i]).collect();
    let xi: Vec<Symbol> = found.xi.iter().map(|x| x.0).collect();
    let generators = generators(w, &found.a, xi.len())?;
    let impulse: Vec<Expr> = xi.iter().map(|&s| w.g.diff(found.kinetic, s)).collect();
    let impulse = w.simplify_all(&impulse);
    // [a; e·M] ξ = [0; p] − [b; e·N] r'
    let (mut left, mut right) = (found.a.clone(), found.b.clone());
    for e in &generators {
        let p = w.g.dot_product(e, &impulse);
        left.push(slopes(w, p, &xi));
        right.push(slopes(w, p, &rates));
    }
    let why = "constraints and momenta do not determine the motion in the group";
    let solved = w.inverse_or(&left, why).map_err(Error::computation)?;
    let product = w.g.matrix_product(&solved, &right);
    let connection: Matrix = product.iter().map(|row| w.simplify_all(row)).collect();
    let k = found.a.len();
    let inverse: Matrix = solved.iter().map(|row| row[k..].to_vec()).collect();
    let mut momenta = named_momenta(w, &found, &generators, &impulse);
    equations(w, &found, &connection, &inverse, &impulse, &mut momenta);
    let how = shown(w, &momenta);
    let curvature = curvature(w, found.kind, &connection, &shape);
    let gait = gait(w, &shape);
    Ok(Connection {
        kind: found.kind,
        group: found.group.iter().map(|&i| w.system.coordinates[i]).collect(),
        shape,
        relative: found.relative,
        shape_velocities: rates,
        body_velocity: found.xi,
        group_rates: found.rates,
        momenta,
        connection,
        inverse,
        curvature,
        gait,
        how,
    })
}

fn refuse(why: &str) -> Error {
    Error::not_applicable(format!("the nonholonomic connection does not apply: {why}"))
}

fn slopes(w: &mut Workbench, e: Expr, symbols: &[Symbol]) -> Vec<Expr> {
    let row: Vec<Expr> = symbols.iter().map(|&s| w.g.diff(e, s)).collect();
    w.simplify_all(&row)
}

/// Finds the group and takes it out of energies, forces and constraints.
fn taken_out(w: &mut Workbench) -> Result<Ingredients> {
    let n = w.system.n();
    w.no_second_order().map_err(|why| refuse(&why))?;
    let mut plane = plane(w);
    let mut relative = Vec::new();
    if let Some(p) = plane.take_if(|p| p.headings.len() > 1) {
        relative = recounted(w, &p.headings);
        plane = self::plane(w);
    }
    let d = w.dynamics();
    let (kind, group) = match &plane {
        Some(p) => (Group::Plane, vec![p.x, p.y, p.headings[0]]),
        None => {
            let list = ingredients(w);
            let absent = |i: &usize| list.iter().all(|&e| !w.g.depends_on(e, w.system.coordinates[*i]));
            (Group::Shifts, (0..n).filter(absent).collect::<Vec<usize>>())
        }
    };
    if group.is_empty() {
        return Err(refuse("every coordinate occurs in energies or constraints: there is no symmetry"));
    }
    let shape: Vec<usize> = (0..n).filter(|i| !group.contains(i)).collect();
    let symbols = w.system.clone();
    let (inverse, xi) = match plane {
        Some(Plane { symbols: [ahead, across], expressions, inverse, headings, .. }) => {
            let turn = symbols.velocities[headings[0]];
            let own = w.g.symbol(turn);
            (inverse, vec![(ahead, expressions[0]), (across, expressions[1]), (turn, own)])
        }
        None => {
            let own = |w: &mut Workbench, i: usize| (symbols.velocities[i], w.g.symbol(symbols.velocities[i]));
            (FxHashMap::default(), group.iter().map(|&i| own(w, i)).collect())
        }
    };
    let mut rates = Vec::new();
    for &i in &group {
        let v = symbols.velocities[i];
        rates.push(inverse.get(&v).copied().unwrap_or_else(|| w.g.symbol(v)));
    }
    // The same everywhere in the group: looked at where its coordinates are zero.
    let places: Vec<Symbol> = group.iter().map(|&i| symbols.coordinates[i]).collect();
    let put = |w: &mut Workbench, e: Expr| {
        let e = w.g.substitute(e, &inverse);
        let e = w.g.without(e, &places);
        w.simplify(e)
    };
    let kinetic = put(w, symbols.kinetic);
    let forces: Vec<Expr> = group.iter().map(|&i| put(w, d.forces[i])).collect();
    let moving: Vec<Symbol> = xi.iter().map(|x| x.0).chain(shape.iter().map(|&i| symbols.velocities[i])).collect();
    let t = w.g.time();
    let mut generic = Generic::new(&mut w.g, &symbols);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (c, phi) in symbols.constraints.iter().zip(&d.velocity_constraints) {
        let Some(phi) = *phi else { continue };
        let group_free = group
            .iter()
            .all(|&i| !w.g.depends_on(phi, symbols.velocities[i]) && !w.g.depends_on(phi, symbols.coordinates[i]));
        if c.order == 0 && group_free {
            continue;
        }
        let phi = put(w, phi);
        let rest = w.g.without(phi, &moving);
        let row: Vec<Expr> = moving.iter().map(|&s| w.g.diff(phi, s)).collect();
        let row = w.simplify_all(&row);
        if row.iter().any(|&e| w.g.depends_on_any(e, &moving)) {
            return Err(refuse(&format!("constraint `{}` is not linear in the velocities", c.name)));
        }
        if w.g.depends_on(phi, t) {
            return Err(refuse(&format!("constraint `{}` contains time", c.name)));
        }
        // What stands there with a parameter that vanishes is nothing, for these values, as in the rest of the analysis.
        if !generic.vanishes(&mut w.g, rest) {
            let message = format!("constraint `{}` has a term without velocities", c.name);
            return Err(refuse(&message).hint("rest must be a motion that it allows"));
        }
        a.push(row[..group.len()].to_vec());
        b.push(row[group.len()..].to_vec());
    }
    if w.g.depends_on(kinetic, t) {
        return Err(refuse("time occurs in the kinetic energy"));
    }
    Ok(Ingredients { kind, group, shape, relative, xi, rates, kinetic, forces, a, b })
}

/// What the constraints allow with the shape held fixed, by minors, so that nothing is divided by.
fn generators(w: &mut Workbench, a: &Matrix, width: usize) -> Result<Vec<Vec<Expr>>> {
    let one = w.g.one();
    if a.is_empty() {
        let zero = w.g.zero();
        return Ok((0..width).map(|i| (0..width).map(|j| if i == j { one } else { zero }).collect()).collect());
    }
    let flat: Vec<Expr> = a.iter().flatten().copied().collect();
    let tape = evaluator(&mut w.g, &flat);
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let values = generic
        .values(&w.g, &tape)
        .ok_or_else(|| Error::computation("no random shape was found at which the constraints have values"))?;
    let mut rows: Vec<Vec<_>> = values.chunks(width).map(<[_]>::to_vec).collect();
    let pivots = crate::expr::field::row_reduce(&mut rows);
    if pivots.len() < a.len() {
        return Err(refuse("the constraints restrict the velocities of the shape")
            .hint("the shape must be free to change while the constraints hold"));
    }
    let mut list = Vec::new();
    for f in (0..width).filter(|c| !pivots.contains(c)) {
        // Cramer: e_f = det a_P, e_P = −det(a_P with one column replaced).
        let block = |replaced: Option<usize>| -> Matrix {
            a.iter()
                .map(|row| pivots.iter().map(|&c| if Some(c) == replaced { row[f] } else { row[c] }).collect())
                .collect()
        };
        let mut e = vec![w.g.zero(); width];
        e[f] = w.determinant(&block(None));
        for &c in &pivots {
            let minor = w.determinant(&block(Some(c)));
            e[c] = w.simplify(-minor);
        }
        e[f] = w.simplify(e[f]);
        // The first component is written with a plus.
        if let Some(&first) = e.iter().find(|&&x| !w.g.is_zero(x))
            && w.value_at_initial_state(first).is_some_and(|x| x < 0.0)
        {
            e = e.into_iter().map(|x| w.simplify(-x)).collect();
        }
        list.push(e);
    }
    Ok(list)
}

/// The momenta with their names and what they are in q and q̇.
fn named_momenta(w: &mut Workbench, found: &Ingredients, generators: &[Vec<Expr>], impulse: &[Expr]) -> Vec<Momentum> {
    let map: FxHashMap<Symbol, Expr> = found.xi.iter().copied().collect();
    let mut list: Vec<Momentum> = Vec::new();
    for (k, e) in generators.iter().enumerate() {
        let p = w.g.dot_product(e, impulse);
        let expr = w.g.substitute(p, &map);
        let expr = w.simplify(expr);
        let wanted = if generators.len() == 1 { "p".to_owned() } else { format!("p_{}", k + 1) };
        let symbol = named(w, expr, &wanted);
        list.push(Momentum { symbol, generator: e.clone(), expr, rate: w.g.zero() });
    }
    list
}

/// The momentum equation, with ξ put in.
fn equations(
    w: &mut Workbench,
    found: &Ingredients,
    connection: &Matrix,
    inverse: &Matrix,
    impulse: &[Expr],
    momenta: &mut [Momentum],
) {
    let rates: Vec<Symbol> = found.shape.iter().map(|&i| w.system.velocities[i]).collect();
    let speeds: Vec<Expr> = rates.iter().map(|&s| w.g.symbol(s)).collect();
    let letters: Vec<Expr> = momenta.iter().map(|m| w.g.symbol(m.symbol)).collect();
    let mut xi = Vec::new();
    for (a, c) in connection.iter().zip(inverse) {
        let mut e = Formula::ZERO;
        a.iter().zip(&speeds).for_each(|(&a, &v)| e -= a * v);
        c.iter().zip(&letters).for_each(|(&c, &p)| e += c * p);
        xi.push(w.simplify(e));
    }
    let map: FxHashMap<Symbol, Expr> = found.xi.iter().map(|x| x.0).zip(xi.iter().copied()).collect();
    let impulse = w.g.substitute_all(impulse, &map);
    let forces = w.g.substitute_all(&found.forces, &map);
    let drift: FxHashMap<Symbol, Expr> =
        found.shape.iter().map(|&i| w.system.coordinates[i]).zip(speeds.iter().copied()).collect();
    for m in momenta {
        let turned = found.kind.bracket(w, &xi, &m.generator);
        let mut rate = Formula::ZERO;
        for k in 0..xi.len() {
            let change = w.g.directional(m.generator[k], &drift);
            rate += impulse[k] * (turned[k] + change) + forces[k] * m.generator[k];
        }
        m.rate = w.simplify(rate);
    }
}

/// Do the momentum equations follow from the equations of motion?
fn shown(w: &mut Workbench, momenta: &[Momentum]) -> Known {
    let map: FxHashMap<Symbol, Expr> = momenta.iter().map(|m| (m.symbol, m.expr)).collect();
    let mut how = Known::Proved;
    for m in momenta {
        let rate = w.g.time_derivative(m.expr);
        let said = w.g.substitute(m.rate, &map);
        let e = w.g.of(rate - said);
        how = how.and(vanishes_on_motions(w, e));
    }
    how
}

/// B_ij.
fn curvature(
    w: &mut Workbench,
    kind: Group,
    connection: &Matrix,
    shape: &[Symbol],
) -> Vec<((usize, usize), Vec<Expr>)> {
    let column = |j: usize| -> Vec<Expr> { connection.iter().map(|row| row[j]).collect() };
    let mut list = Vec::new();
    for i in 0..shape.len() {
        for j in i + 1..shape.len() {
            let (a, b) = (column(i), column(j));
            let turned = kind.bracket(w, &a, &b);
            let mut components = Vec::new();
            for k in 0..connection.len() {
                let (x, y) = (w.g.diff(b[k], shape[i]), w.g.diff(a[k], shape[j]));
                components.push(w.simplify(x - y - turned[k]));
            }
            list.push(((i, j), components));
        }
    }
    list
}

/// The shape as holonomic constraints prescribe it, where each is solved for one coordinate of it.
fn gait(w: &mut Workbench, shape: &[Symbol]) -> Option<Vec<Expr>> {
    let t = w.g.time();
    let constraints: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
    let mut list = Vec::new();
    for &r in shape {
        let solved = constraints.iter().find_map(|&e| {
            let (c, rest) = w.g.affine(e, &[r])?;
            let of_time = w.g.free_symbols(&[rest, c[0]]).iter().all(|&s| s == t || !w.g.role(s).varies());
            if !of_time || w.g.is_zero(c[0]) {
                return None;
            }
            let minus = w.g.of(-rest);
            Some(w.g.div(minus, c[0]))
        })?;
        list.push(w.simplify(solved));
    }
    (!list.is_empty()).then_some(list)
}
