//! An invariant measure with a density in the coordinates.
//!
//! The flow q̇ = Φ v + φ₀, v̇ = v̇(q, v) keeps the measure f(q) dq dv iff
//!
//! ```text
//! Σ_i ∂q̇_i/∂q_i + Σ_r ∂v̇_r/∂v_r + d(ln f)/dt = 0    for all q, v.
//! ```
//!
//! The divergence must therefore be affine in v, D = D₀ + Σ_s D_s v_s, and ln f must change along each admissible direction X_s at the
//! rate −D_s, along the drift at −D₀. Whether such a function exists is decided along the flag of Lie brackets: what ln f does along X
//! and Y it does along [X, Y] too,
//!
//! ```text
//! [X, Y](ln f) = X(Y(ln f)) − Y(X(ln f)),
//! ```
//!
//! and where a bracket is a combination of fields already there, the two rates must agree. If they do not at a generic point, there
//! is no such measure on any open set: that difference is the obstruction, and where it is too long to be written out, a real point
//! is given at which it is certainly not zero. If they always do, there is one, and where its logarithm is
//! found in closed form it is printed and shown to be invariant.
//!
//! The density belongs to dq dv with the quasi-velocities v of the answer; that of dq dp, p = G v, is f/det G.
//!
//! Valid when: the constraints are independent and affine in the velocities, and time does not occur.
//! Sources: Kozlov 1988; Fedorov, García-Naranjo, Marrero 2015; Clark, Bloch 2021; Chaplygin 1903 for the ball.

use super::reduce::Reduction;
use super::witness::{RealPoint, disagreement};
use crate::analysis::{angles, exponential, hidden_relations};
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::field::{Fp, rank, row_reduce};
use crate::expr::{Expr, Formula, Function, Known, Matrix, NOT_DECIDED, Node, Symbol};
use crate::mechanics::{Generic, Pfaff, Workbench, evaluator};
use crate::verify::vanishes;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "measure",
    aliases: &["invariant-measure", "liouville"],
    name: "An invariant measure",
    source: "Kozlov 1988; Fedorov, García-Naranjo, Marrero 2015; Clark, Bloch 2021",
    needs: "independent constraints, affine in the velocities, no time",
    about: crate::card::head_of!("measure.rs"),
};

/// The answer.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Is there one? `None` where that is not decided.
    pub exists: Option<bool>,
    /// f, for dq dv.
    pub density: Option<Expr>,
    /// f/det G, for dq dp.
    pub momentum_density: Option<Expr>,
    /// How the answer is known.
    pub how: Known,
    /// What would have to vanish and does not.
    pub obstruction: Option<Expr>,
    /// A real point at which it certainly does not.
    pub witness: Option<RealPoint>,
    /// In words.
    pub why: String,
    /// Angles after a full turn of which the density is another: it is one where their turns are counted.
    pub open: Vec<Symbol>,
    /// The divergence of the flow in (q, v).
    pub divergence: Expr,
    /// q and v.
    pub variables: Vec<Symbol>,
    /// What was decided along brackets rests on these.
    rests_on: Vec<Expr>,
}

/// Nodes up to which an expression is simplified on the way.
const SHORT: usize = 800;
/// Nodes made by brackets before the question is left open.
const NODES: usize = 400_000;
/// Nodes of a block whose inverse is written out.
const BLOCK: usize = 1200;

/// A field with what ln f must do along it.
#[derive(Clone)]
struct Along {
    field: Vec<Expr>,
    rate: Expr,
}

/// Looks for an invariant measure.
pub fn measure(w: &mut Workbench, r: &Reduction) -> Result<Measure> {
    let t = w.g.time();
    let mut all = r.flow.sources();
    all.extend(&r.flow.velocities);
    if all.iter().any(|&e| w.g.depends_on(e, t)) {
        let message =
            format!("a measure in the coordinates does not apply: time occurs in the equations of `{}`", w.system.name);
        return Err(Error::not_applicable(message).hint("`noslip reduce` shows where"));
    }
    let mut answer = decided(w, r)?;
    // Without a density that was verified, it is known in general only.
    if let (Some(exists), None) = (answer.exists, answer.density) {
        let rests_on = match &answer.rests_on[..] {
            [] => answer.obstruction.as_slice(),
            all => all,
        };
        let what = if exists { "there is one" } else { "there is none" };
        if let Some(why) = w.reservation(rests_on, what) {
            answer.why = format!("{why} ({})", answer.why);
            answer.how = Known::Unknown(why);
            (answer.exists, answer.witness) = (None, None);
        }
    }
    Ok(answer)
}

/// The answer in general: for all functions of which nothing is said.
fn decided(w: &mut Workbench, r: &Reduction) -> Result<Measure> {
    let divergence = divergence(w, r)?;
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let mut answer = Measure {
        exists: None,
        density: None,
        momentum_density: None,
        how: Known::unknown("not decided"),
        obstruction: None,
        witness: None,
        why: String::new(),
        open: Vec::new(),
        divergence,
        variables: r.flow.coordinates.iter().chain(&r.flow.free).copied().collect(),
        rests_on: Vec::new(),
    };
    if let Some(second) = not_affine(w, &r.flow.free.clone(), divergence, &mut generic) {
        let second = short(w, second);
        answer.exists = Some(false);
        answer.how = Known::proved_if(evaluator(&mut w.g, &[second]).is_faithful());
        answer.obstruction = Some(second);
        answer.why =
            "the divergence of the flow is not affine in the velocities, as the rate of a function of position is"
                .into();
        return Ok(answer);
    }
    let generators = generators(w, r, divergence);
    if let Some(gradient) = shape_gradient(w, r, &generators, &mut generic)
        && let Some(density) = integrated(w, r, &r.shape, &gradient, &mut generic)
    {
        accept(w, r, &mut answer, &generators, density);
        if answer.exists == Some(true) {
            return Ok(answer);
        }
    }
    answer.rests_on = generators.iter().flat_map(|g| g.field.iter().copied().chain([g.rate])).collect();
    flag(w, r, &generators, &mut generic, &mut answer);
    Ok(answer)
}

/// What is left of the divergence beside its affine part: a second derivative by the velocities, or, where those vanish between
/// corners, the difference itself.
fn not_affine(w: &mut Workbench, free: &[Symbol], divergence: Expr, generic: &mut Generic) -> Option<Expr> {
    for &a in free {
        for &b in free {
            let first = w.g.diff(divergence, a);
            let second = w.g.diff(first, b);
            if !generic.vanishes(&mut w.g, second) {
                return Some(second);
            }
        }
    }
    // |v| is no straight line, and has no second derivative that shows it.
    let cornered = |node: &Node| matches!(node, Node::Call(Function::Abs | Function::Sign, _) | Node::Table(..));
    if !w.g.reachable(&[divergence]).iter().any(|&e| cornered(w.g.node(e))) {
        return None;
    }
    let mut rest = vec![divergence];
    let constant = w.g.without(divergence, free);
    rest.push(w.g.neg(constant));
    for &a in free {
        let slope = w.g.diff(divergence, a);
        let slope = w.g.without(slope, free);
        let v = w.g.symbol(a);
        let term = w.g.mul(slope, v);
        rest.push(w.g.neg(term));
    }
    let rest = w.g.sum(rest);
    (!generic.vanishes(&mut w.g, rest)).then_some(rest)
}

fn short(w: &mut Workbench, e: Expr) -> Expr {
    if w.g.reachable(&[e]).len() <= SHORT { w.simplify(e) } else { e }
}

/// The divergence of the flow in (q, v).
fn divergence(w: &mut Workbench, r: &Reduction) -> Result<Expr> {
    let flow = &r.flow;
    let mut terms = Vec::new();
    for (&q, &e) in flow.coordinates.iter().zip(&flow.velocities) {
        terms.push(w.g.diff(e, q));
    }
    match &flow.rates {
        Some(rates) => terms.extend(flow.free.iter().zip(rates).map(|(&v, &e)| w.g.diff(e, v))),
        None => {
            // tr(G⁻¹ ∂R/∂v), left as it is: only its values and derivatives are wanted.
            let singular = || Error::computation("the inertia is singular everywhere");
            let inverse = w.g.inverse(&flow.mass, &mut |_, e| e).ok_or_else(singular)?;
            for (i, &v) in flow.free.iter().enumerate() {
                let column: Vec<Expr> = flow.right.iter().map(|&e| w.g.diff(e, v)).collect();
                terms.push(w.g.dot_product(&inverse[i], &column));
            }
        }
    }
    let e = w.g.sum(terms);
    Ok(short(w, e))
}

/// The admissible directions and the drift, each with the rate of ln f.
fn generators(w: &mut Workbench, r: &Reduction, divergence: Expr) -> Vec<Along> {
    let flow = &r.flow;
    let mut list = Vec::new();
    for &v in &flow.free {
        let field: Vec<Expr> = flow.velocities.iter().map(|&e| w.g.diff(e, v)).collect();
        let field = field.into_iter().map(|e| short(w, e)).collect();
        let slope = w.g.diff(divergence, v);
        let slope = w.g.without(slope, &flow.free);
        let rate = w.g.neg(slope);
        list.push(Along { field, rate: short(w, rate) });
    }
    let drift: Vec<Expr> = flow.velocities.iter().map(|&e| w.g.without(e, &flow.free)).collect();
    let drift: Vec<Expr> = drift.into_iter().map(|e| short(w, e)).collect();
    let rest = w.g.without(divergence, &flow.free);
    let rate = w.g.neg(rest);
    let rate = short(w, rate);
    if drift.iter().any(|&e| !w.g.is_zero(e)) || !w.g.is_zero(rate) {
        list.push(Along { field: drift, rate });
    }
    list
}

/// ∂(ln f)/∂q for the coordinates of the closed part, if a density of these alone can do it: as many generators as needed are
/// solved, the others must agree.
fn shape_gradient(w: &mut Workbench, r: &Reduction, generators: &[Along], generic: &mut Generic) -> Option<Vec<Expr>> {
    let columns: Vec<usize> = r.shape.iter().filter_map(|s| r.flow.coordinates.iter().position(|q| q == s)).collect();
    let rows: Matrix = generators.iter().map(|g| columns.iter().map(|&i| g.field[i]).collect()).collect();
    gradient_of(w, &rows, &generators.iter().map(|g| g.rate).collect::<Vec<_>>(), generic)
}

/// η with rows·η = rates, where the rows determine it as far as they go; what they leave open is zero.
fn gradient_of(w: &mut Workbench, rows: &Matrix, rates: &[Expr], generic: &mut Generic) -> Option<Vec<Expr>> {
    let width = rows.first().map_or(0, Vec::len);
    let flat: Vec<Expr> = rows.iter().flatten().copied().collect();
    let tape = evaluator(&mut w.g, &flat);
    let values = if flat.is_empty() { Vec::new() } else { generic.values(&w.g, &tape)? };
    let numbers: Vec<Vec<Fp>> =
        rows.iter().enumerate().map(|(i, _)| values[i * width..(i + 1) * width].to_vec()).collect();
    // Independent rows, then independent columns of them.
    let mut transposed: Vec<Vec<Fp>> = (0..width).map(|c| numbers.iter().map(|row| row[c]).collect()).collect();
    let chosen = row_reduce(&mut transposed);
    let mut picked: Vec<Vec<Fp>> = chosen.iter().map(|&i| numbers[i].clone()).collect();
    let pivots = row_reduce(&mut picked);
    let mut eta = vec![w.g.zero(); width];
    if !chosen.is_empty() {
        let block: Matrix = chosen.iter().map(|&i| pivots.iter().map(|&c| rows[i][c]).collect()).collect();
        let all: Vec<Expr> = block.iter().flatten().copied().collect();
        if w.g.reachable(&all).len() > BLOCK {
            return None;
        }
        let inverse = w.inverse(&block)?;
        let right: Vec<Expr> = chosen.iter().map(|&i| rates[i]).collect();
        for (k, &c) in pivots.iter().enumerate() {
            let e = w.g.dot_product(&inverse[k], &right);
            eta[c] = short(w, e);
        }
    }
    for (row, &rate) in rows.iter().zip(rates) {
        let got = w.g.dot_product(row, &eta);
        let e = w.g.sub(rate, got);
        if !generic.vanishes(&mut w.g, e) {
            return None;
        }
    }
    Some(eta)
}

/// exp of the function with this gradient, if it is one.
fn integrated(
    w: &mut Workbench,
    r: &Reduction,
    variables: &[Symbol],
    gradient: &[Expr],
    generic: &mut Generic,
) -> Option<Expr> {
    for (i, &a) in variables.iter().enumerate() {
        for (j, &b) in variables.iter().enumerate().skip(i + 1) {
            let (x, y) = (w.g.diff(gradient[j], a), w.g.diff(gradient[i], b));
            let e = w.g.sub(x, y);
            if !generic.vanishes(&mut w.g, e) {
                return None;
            }
        }
    }
    let sources: Vec<Expr> =
        if r.flow.rates.is_some() && !r.flow.mass.is_empty() { vec![w.determinant(&r.flow.mass)] } else { Vec::new() };
    let density = exponential(w, variables, gradient, &sources, generic)?;
    let density = w.simplify(density);
    Some(real(w, density))
}

/// A density is known up to a constant factor: bases of roots that are negative at the initial state change their sign, so that it is
/// real there, and positive.
fn real(w: &mut Workbench, density: Expr) -> Expr {
    let Node::Product { coefficient, factors } = w.g.node(density).clone() else { return density };
    let mut list = Vec::new();
    for (base, exponent) in factors {
        let negative = w.value_at_initial_state(base).is_some_and(|x| x < 0.0);
        let odd = exponent.to_i64().is_none_or(|k| k % 2 != 0);
        list.push((if negative && odd { w.simplify(-base) } else { base }, exponent));
    }
    let coefficient = if coefficient.is_negative() { -coefficient } else { coefficient };
    w.g.powers(coefficient, list)
}

/// Shows that a density is invariant: X(f) + f D must vanish for every generator.
fn accept(w: &mut Workbench, r: &Reduction, answer: &mut Measure, generators: &[Along], density: Expr) {
    let mut how = Known::Proved;
    for g in generators {
        let mut terms = Formula::ZERO;
        for (&q, &x) in r.flow.coordinates.iter().zip(&g.field) {
            let slope = w.g.diff(density, q);
            terms += x * slope;
        }
        terms -= density * g.rate;
        let e = w.simplify(terms);
        how = how.and(vanishes(w, e));
    }
    if !how.holds() {
        return;
    }
    answer.exists = Some(true);
    answer.how = how;
    answer.density = Some(density);
    answer.why = "the divergence of the flow is the rate of −ln of the density".into();
    answer.open = open_angles(w, density);
    if r.flow.rates.is_some() {
        let det = if r.flow.mass.is_empty() { w.g.one() } else { w.determinant(&r.flow.mass) };
        let e = w.g.div(density, det);
        answer.momentum_density = Some(w.simplify(e));
    }
}

/// Angles in which the density is not periodic.
fn open_angles(w: &mut Workbench, density: Expr) -> Vec<Symbol> {
    let outside: Vec<Symbol> = {
        let nodes = w.g.reachable(&[density]);
        // In sines and cosines an angle is periodic.
        let mut inside: Vec<Expr> = Vec::new();
        let turning = |w: &Workbench, e: Expr| {
            use Function::{Cos, Cot, Csc, Sec, Sin, Tan};
            matches!(w.g.node(e), Node::Call(Sin | Cos | Tan | Cot | Sec | Csc, _))
        };
        for &e in nodes.iter().filter(|&&e| turning(w, e)) {
            w.g.node(e).for_each_child(|x| inside.push(x));
        }
        let bare = |w: &Workbench, s: Symbol| {
            nodes.iter().any(|&e| {
                let mut found = false;
                w.g.node(e).for_each_child(|c| found |= matches!(w.g.node(c), Node::Symbol(x) if *x == s));
                found && !inside.contains(&e) && !turning(w, e)
            })
        };
        w.system.coordinates.clone().into_iter().filter(|&s| bare(w, s)).collect()
    };
    let known = angles(w);
    outside.into_iter().filter(|s| known.contains(s)).collect()
}

/// [X, Y] with the rate of ln f along it.
fn bracket(w: &mut Workbench, q: &[Symbol], x: &Along, y: &Along) -> Along {
    let apply = |w: &mut Workbench, x: &Along, e: Expr| -> Expr {
        let mut terms = Formula::ZERO;
        for (&q, &c) in q.iter().zip(&x.field) {
            if !w.g.is_zero(c) {
                let d = w.g.diff(e, q);
                terms += c * d;
            }
        }
        w.g.of(terms)
    };
    let difference = |w: &mut Workbench, a: Expr, b: Expr| -> Expr {
        let (p, m) = (apply(w, x, b), apply(w, y, a));
        let e = w.g.sub(p, m);
        short(w, e)
    };
    let field = (0..q.len()).map(|i| difference(w, x.field[i], y.field[i])).collect();
    let rate = difference(w, x.rate, y.rate);
    Along { field, rate }
}

/// Decides along the flag of Lie brackets.
fn flag(w: &mut Workbench, r: &Reduction, generators: &[Along], generic: &mut Generic, answer: &mut Measure) {
    let q = r.flow.coordinates.clone();
    let n = q.len();
    // Fields stay on the leaves on which holonomic constraints are constant.
    let mut leaf = n - w.system.constraints.iter().filter(|c| c.order == 0).count();
    let (mut known, mut last): (Vec<Along>, Vec<Along>) = (Vec::new(), generators.to_vec());
    let budget = w.g.len() + NODES;
    // Contradictions that only the prime field has seen: shown at a real point once the fields span the space.
    let mut seen: Vec<Along> = Vec::new();
    let mut bracketed = false;
    loop {
        let mut added = Vec::new();
        for along in last {
            match placed(w, generic, &known, &along, n) {
                Placed::New => {
                    known.push(along.clone());
                    added.push(along);
                }
                Placed::Follows => {}
                Placed::Contradicts(faithful) => {
                    if seen.is_empty() {
                        answer.exists = Some(false);
                        answer.obstruction = difference(w, generic, &known, &along);
                        answer.how = Known::proved_if(faithful);
                        let resting = along.field.iter().all(|&e| w.g.is_zero(e));
                        answer.why = disagreeing(!bracketed, resting).into();
                    }
                    if faithful {
                        answer.how = Known::Proved;
                        return;
                    }
                    seen.push(along);
                }
                Placed::Unknown => {
                    answer.why = "no random point was found at which the brackets have values".into();
                    return;
                }
            }
        }
        if added.is_empty() && known.len() < leaf && !seen.is_empty() {
            // Brackets bring nothing new: constraints on velocities may hide relations between coordinates.
            leaf -= hidden(w, generic, generators, &q, leaf - known.len());
        }
        if known.len() == leaf && !seen.is_empty() {
            for along in &seen {
                let all = known.iter().chain([along]);
                let rows: Matrix = all.map(|k| [&k.field[..], &[k.rate]].concat()).collect();
                if let Some(point) = disagreement(w, &q, &rows) {
                    answer.witness = Some(point);
                    answer.how = Known::Proved;
                    return;
                }
            }
        }
        if added.is_empty() || known.len() == leaf && !seen.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for (x, y) in generators.iter().flat_map(|x| added.iter().map(move |y| (x, y))) {
            if w.g.work.is_over() {
                break;
            }
            next.push(bracket(w, &q, x, y));
        }
        if w.g.len() > budget || w.g.work.is_over() {
            if !seen.is_empty() {
                return;
            }
            let long = "the brackets of admissible directions grow too long to decide";
            answer.why = if w.g.work.is_over() { NOT_DECIDED } else { long }.into();
            return;
        }
        last = next;
        bracketed = true;
    }
    if !seen.is_empty() {
        return;
    }
    answer.exists = Some(true);
    answer.how = Known::TESTED;
    answer.why = "the rates of ln f agree along all brackets of admissible directions".into();
    // All of them together determine the gradient, if they span the space.
    let rows: Matrix = known.iter().map(|k| k.field.clone()).collect();
    let rates: Vec<Expr> = known.iter().map(|k| k.rate).collect();
    if let Some(gradient) = gradient_of(w, &rows, &rates, generic)
        && let Some(density) = integrated(w, r, &q, &gradient, generic)
    {
        accept(w, r, answer, generators, density);
    }
}

/// Why there is none where fields that depend on each other do not agree. Of the generators themselves only the drift can do that.
fn disagreeing(drift: bool, resting: bool) -> &'static str {
    match (drift, resting) {
        (true, true) => {
            "where all velocities vanish the coordinates stand still, and the divergence of the flow does not vanish there"
        }
        (true, false) => {
            "the drift is a combination of admissible directions, and the rates of ln f along them do not agree"
        }
        _ => {
            "a bracket of admissible directions is a combination of others, and the rates of ln f along them do not agree"
        }
    }
}

/// How many independent functions of position are proved to be constant along all generators, beyond what holonomic constraints
/// say: then they are along their brackets too.
fn hidden(w: &mut Workbench, generic: &mut Generic, generators: &[Along], q: &[Symbol], needed: usize) -> usize {
    let pfaff = Pfaff::of(w);
    let (found, _) = w.within(crate::effort::STEP, |w| hidden_relations(w, &pfaff, needed, generic));
    let constant = |w: &mut Workbench, f: Expr| {
        generators.iter().all(|g| {
            let mut rate = Formula::ZERO;
            for (&q, &x) in q.iter().zip(&g.field) {
                rate += x * w.g.diff(f, q);
            }
            let rate = w.g.of(rate);
            vanishes(w, rate).is_proved()
        })
    };
    found.iter().filter(|f| constant(w, f.expr)).count()
}

enum Placed {
    New,
    Follows,
    /// Is that a proof?
    Contradicts(bool),
    Unknown,
}

/// Where a field stands to those before, at a generic point.
fn placed(w: &mut Workbench, generic: &mut Generic, known: &[Along], along: &Along, n: usize) -> Placed {
    let mut flat: Vec<Expr> = Vec::new();
    for k in known.iter().chain([along]) {
        flat.extend(&k.field);
        flat.push(k.rate);
    }
    let tape = evaluator(&mut w.g, &flat);
    w.g.work.charge(tape.steps() as u64);
    let Some(values) = generic.values(&w.g, &tape) else { return Placed::Unknown };
    let rows: Vec<Vec<Fp>> = values.chunks(n + 1).map(<[Fp]>::to_vec).collect();
    let fields: Vec<Vec<Fp>> = rows.iter().map(|row| row[..n].to_vec()).collect();
    if rank(&fields) > rank(&fields[..known.len()]) {
        Placed::New
    } else if rank(&rows) > rank(&rows[..known.len()]) {
        Placed::Contradicts(tape.is_faithful())
    } else {
        Placed::Follows
    }
}

/// The difference of the two rates, in symbols, where it is short.
fn difference(w: &mut Workbench, generic: &mut Generic, known: &[Along], along: &Along) -> Option<Expr> {
    // along = Σ a_k known_k: solved from independent columns.
    let flat: Vec<Expr> = known.iter().flat_map(|k| k.field.iter().copied()).collect();
    if flat.is_empty() {
        return Some(along.rate);
    }
    let n = along.field.len();
    let tape = evaluator(&mut w.g, &flat);
    let values = generic.values(&w.g, &tape)?;
    let mut rows: Vec<Vec<Fp>> = values.chunks(n).map(<[Fp]>::to_vec).collect();
    let columns = row_reduce(&mut rows);
    let block: Matrix = columns.iter().map(|&c| known.iter().map(|k| k.field[c]).collect()).collect();
    let all: Vec<Expr> = block.iter().flatten().copied().collect();
    if w.g.reachable(&all).len() > BLOCK {
        return None;
    }
    let inverse = w.inverse(&block)?;
    let right: Vec<Expr> = columns.iter().map(|&c| along.field[c]).collect();
    let weights = w.g.matrix_vector(&inverse, &right);
    let rates: Vec<Expr> = known.iter().map(|k| k.rate).collect();
    let expected = w.g.dot_product(&weights, &rates);
    let e = w.g.sub(along.rate, expected);
    let e = short(w, e);
    (!w.g.is_zero(e) && w.g.reachable(&[e]).len() <= SHORT).then_some(e)
}
