//! Integrals of the motion, polynomial in the velocities.
//!
//! Sought, with unknown numbers c, are
//!
//! - the energy T + V, and Jacobi's function;
//! - momenta p·ξ of horizontal symmetries ξ, translations and rotations;
//! - gauge momenta Σ c b(q) q̇, with functions b read off energies and constraints;
//! - moving energies: Jacobi's function with functions of position and momenta added, where constraints are affine;
//! - affine functions Σ c b(q) v_r + Σ c q of the quasi-velocities v;
//! - of second degree, Σ c b(q) v_r v_s + Σ c b(q): the square of a gauge momentum with a root in it,
//!   such as Routh's, is one of these.
//!
//! An integral's rate vanishes at every admissible state with the accelerations of the motion there. At random points of the prime
//! field this is a linear system for the numbers c; its solutions are lifted to rational numbers, and each is shown to be an
//! integral by differentiating it along the equations of motion. What depends on those found before is left out.
//!
//! The search says what it searched: an integral outside it is not excluded.
//!
//! Sources: Fassò, Giacobbe, Sansonetto 2012 for gauge momenta; Fassò, Sansonetto 2016 for moving energies; Routh 1905 and Jellett
//! 1872 for the sphere.

use super::reduce::Reduction;
use crate::analysis::{
    Combination, Conserved, ConservedKind, adds, angles, conserved_quantities, energy_facts, functions_of_position,
    lifted,
};
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Known, Node, Symbol};
use crate::mechanics::{Admissible, Generic, Workbench};
use crate::verify::{vanishes, vanishes_on_motions};
use rustc_hash::FxHashMap;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "integrals",
    aliases: &["first-integrals", "gauge-momenta", "moving-energy"],
    name: "Integrals of the motion",
    source: "Fassò, Giacobbe, Sansonetto 2012; Fassò, Sansonetto 2016",
    needs: "independent constraints, affine in the velocities",
    about: crate::card::head_of!("integrals.rs"),
};

/// What an integral is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The momentum of a horizontal symmetry.
    Momentum,
    /// Linear, with coefficients that depend on the position.
    Gauge,
    /// T + V.
    Energy,
    /// Jacobi's function with momenta or functions of position added.
    MovingEnergy,
    /// Something else.
    Other,
}

impl Kind {
    /// For people and documents.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Momentum => "momentum",
            Kind::Gauge => "gauge",
            Kind::Energy => "energy",
            Kind::MovingEnergy => "moving energy",
            Kind::Other => "other",
        }
    }
}

/// An integral.
#[derive(Clone, Debug)]
pub struct Integral {
    /// A short name.
    pub name: String,
    /// The function of t, q, q̇.
    pub expr: Expr,
    /// Its degree in the velocities.
    pub degree: u32,
    /// How it is known.
    pub how: Known,
    /// What it is.
    pub kind: Kind,
}

/// What was found, and where.
#[derive(Clone, Debug)]
pub struct Integrals {
    /// The integrals, independent of each other.
    pub list: Vec<Integral>,
    /// What was searched, in words.
    pub searched: String,
}

/// Unknown numbers of one search.
const COLUMNS: usize = 160;

/// Looks for integrals up to a degree.
pub fn integrals(w: &mut Workbench, r: &Reduction, degree: u32) -> Result<Integrals> {
    let system = w.system.clone();
    let mut generic = Generic::new(&mut w.g, &system);
    let Some(mut motions) = Admissible::of(w, &generic) else {
        return Err(Error::not_applicable("a search for integrals does not apply: no admissible state could be drawn"));
    };
    let energy = energy_facts(w, &mut generic, Some(&mut motions));
    let mut found: Vec<Conserved> = Vec::new();
    let keep = |name: &str, kind, expr| Conserved::of(name.into(), kind, expr, Known::TESTED);
    if energy.conserved == Some(true) {
        found.push(keep("energy", ConservedKind::Energy, energy.energy));
    } else if energy.jacobi_conserved == Some(true) {
        found.push(keep("jacobi", ConservedKind::Jacobi, energy.jacobi));
    }
    let more = conserved_quantities(w, &generic, &found, Some(energy.jacobi), &[]);
    found.extend(more);
    let mut searched = vec![
        "the energy and Jacobi's function".to_owned(),
        "momenta of translations and rotations".to_owned(),
        "linear functions of the velocities with coefficients among the functions of position that occur".to_owned(),
    ];
    let affine = found.iter().any(|c| c.kind == ConservedKind::GeneralisedEnergy) || energy.conserved != Some(true);
    if affine {
        searched.push("moving energies".to_owned());
    }
    let mut answer = Integrals { list: Vec::new(), searched: String::new() };
    for c in found {
        let Some(degree) = w.g.degree(c.expr, &system.velocities) else { continue };
        let kind = match c.kind {
            ConservedKind::Energy => Kind::Energy,
            ConservedKind::Jacobi | ConservedKind::GeneralisedEnergy => Kind::MovingEnergy,
            ConservedKind::Momentum => Kind::Momentum,
            // A function of position alone is one that the constraints keep.
            ConservedKind::Linear if degree == 0 => Kind::Other,
            ConservedKind::Linear => Kind::Gauge,
            ConservedKind::Direction => continue,
            ConservedKind::Defined => Kind::Other,
        };
        admit(w, r, &mut answer, Integral { name: c.name, expr: c.expr, degree, how: c.certainty, kind });
    }
    let basis = linear_basis(w, r);
    search(w, r, &generic, &mut motions, &mut answer, &basis);
    searched.push(format!("affine functions of the quasi-velocities with {} unknown numbers", basis.len()));
    if degree >= 2 {
        let basis = quadratic_basis(w, r);
        search(w, r, &generic, &mut motions, &mut answer, &basis);
        searched.push(format!("quadratic functions of the quasi-velocities with {} unknown numbers", basis.len()));
    } else {
        answer.list.retain(|i| i.degree <= degree);
    }
    answer.searched = searched.join("; ");
    Ok(answer)
}

/// Takes up an integral that is shown to be one.
fn admit(w: &mut Workbench, r: &Reduction, answer: &mut Integrals, mut integral: Integral) {
    let how = shown(w, r, integral.expr);
    if how.holds() {
        integral.how = how;
        answer.list.push(integral);
    }
}

/// Is the rate along the equations of motion zero?
fn shown(w: &mut Workbench, r: &Reduction, e: Expr) -> Known {
    if let Some(rates) = &r.flow.rates {
        let flow = &r.flow;
        let mut map: FxHashMap<Symbol, Expr> =
            w.system.velocities.iter().copied().zip(flow.velocities.iter().copied()).collect();
        map.retain(|s, _| !flow.free.contains(s));
        let inserted = w.g.substitute(e, &map);
        let mut along: FxHashMap<Symbol, Expr> =
            flow.coordinates.iter().copied().zip(flow.velocities.iter().copied()).collect();
        along.extend(flow.free.iter().copied().zip(rates.iter().copied()));
        along.insert(w.g.time(), w.g.one());
        let rate = w.g.directional(inserted, &along);
        let rate = w.simplify(rate);
        let how = vanishes(w, rate);
        if how.holds() {
            return how;
        }
    }
    // On the holonomic constraints only, perhaps.
    let rate = w.g.time_derivative(e);
    vanishes_on_motions(w, rate)
}

/// Integrals among the combinations of given functions.
fn search(
    w: &mut Workbench,
    r: &Reduction,
    generic: &Generic,
    motions: &mut Admissible,
    answer: &mut Integrals,
    basis: &[Expr],
) {
    let Some(mut letters) = Admissible::of(w, &generic.literal()) else { return };
    let columns: Vec<Vec<Expr>> = basis.iter().map(|&e| vec![w.g.time_derivative(e)]).collect();
    for c in lifted(w, motions, &mut letters, &columns, true) {
        let sum = Combination::of(w, &mut letters, generic, &columns, &c, true);
        let expr = w.g.dot_product(&sum.coefficients, basis);
        let expr = sum.valid(w, expr);
        let known: Vec<Expr> = answer.list.iter().map(|i| i.expr).collect();
        if !adds(w, motions, &known, expr) {
            continue;
        }
        let Some(degree) = w.g.degree(expr, &w.system.velocities.clone()) else { continue };
        // A function of position alone is one that the constraints keep.
        let (stem, kind) = match degree {
            0 => ("position", Kind::Other),
            1 => ("linear", Kind::Gauge),
            _ => ("quadratic", Kind::Other),
        };
        let name = format!("{stem}_{}", 1 + answer.list.iter().filter(|i| i.name.starts_with(stem)).count());
        let expr = w.simplify(expr);
        let expr = if degree == 2 { less_energy(w, r, answer, expr) } else { expr };
        admit(w, r, answer, Integral { name, expr, degree, how: Known::TESTED, kind });
    }
}

/// The energy less a multiple of an integral is an integral too: the one that is of lower degree in all variables together.
fn less_energy(w: &mut Workbench, r: &Reduction, answer: &Integrals, e: Expr) -> Expr {
    let system = w.system.clone();
    let variables: Vec<Symbol> =
        system.coordinates.iter().chain(&system.velocities).chain(&r.flow.free).copied().collect();
    let map: FxHashMap<Symbol, Expr> = {
        let all = system.velocities.iter().copied().zip(r.flow.velocities.iter().copied());
        all.filter(|(s, _)| !r.flow.free.contains(s)).collect()
    };
    let degree = |w: &Workbench, e: Expr| w.g.degree(e, &variables).unwrap_or(u32::MAX);
    let inserted = w.g.substitute(e, &map);
    let own: FxHashMap<Symbol, Expr> = r.flow.free.iter().copied().zip(r.flow.expressions.iter().copied()).collect();
    let mut best = e;
    for energy in answer.list.iter().filter(|i| matches!(i.kind, Kind::Energy | Kind::MovingEnergy)) {
        let whole = w.g.substitute(energy.expr, &map);
        for &v in &r.flow.free {
            let second = |w: &mut Workbench, e: Expr| {
                let d = w.g.diff(e, v);
                let d = w.g.diff(d, v);
                w.simplify(d)
            };
            let (a, b) = (second(w, whole), second(w, inserted));
            if w.g.is_zero(a) || w.g.is_zero(b) {
                continue;
            }
            let ratio = w.g.div(a, b);
            let ratio = w.simplify(ratio);
            if w.g.depends_on_any(ratio, &variables) {
                continue;
            }
            let rest = w.simplify(whole - ratio * inserted);
            let rest = w.g.substitute(rest, &own);
            if degree(w, rest) < degree(w, best) {
                best = rest;
            }
        }
    }
    best
}

/// One, the functions of position that occur, their squares, and powers of coordinates that are no angles: those that occur in
/// energies and constraints.
fn functions(w: &mut Workbench) -> Vec<Expr> {
    let angles = angles(w);
    let mut list = vec![w.g.one()];
    let mut occurring = vec![w.system.kinetic, w.system.potential];
    occurring.extend(w.system.constraints.iter().map(|c| c.expr));
    for &q in &w.system.coordinates.clone() {
        if !angles.contains(&q) && occurring.iter().any(|&e| w.g.depends_on(e, q)) {
            let e = w.g.symbol(q);
            list.push(e);
            list.push(w.g.square(e));
        }
    }
    for f in functions_of_position(w) {
        if !list.contains(&f) {
            list.push(f);
        }
        let square = w.g.square(f);
        // sin² is 1 − cos².
        let sine = matches!(w.g.node(f), Node::Call(Function::Sin, _));
        if !sine && !list.contains(&square) {
            list.push(square);
        }
    }
    list
}

/// b(q) v_r, and coordinates: what a velocity that grows with the place is compared with.
fn linear_basis(w: &mut Workbench, r: &Reduction) -> Vec<Expr> {
    let mut functions = functions(w);
    let speeds = r.flow.expressions.clone();
    functions.truncate((COLUMNS / 2 / speeds.len().max(1)).max(1));
    let mut list = Vec::new();
    for &f in &functions {
        list.extend(speeds.iter().map(|&v| w.g.mul(f, v)));
    }
    list.extend(w.system.coordinates.clone().into_iter().map(|q| w.g.symbol(q)));
    for &f in &functions[1..] {
        if !list.contains(&f) {
            list.push(f);
        }
    }
    list
}

/// b(q) v_r v_s and b(q).
fn quadratic_basis(w: &mut Workbench, r: &Reduction) -> Vec<Expr> {
    let mut functions = functions(w);
    let speeds = r.flow.expressions.clone();
    let mut products = Vec::new();
    for (i, &a) in speeds.iter().enumerate() {
        for &b in &speeds[i..] {
            products.push(w.g.mul(a, b));
        }
    }
    functions.truncate((COLUMNS / (products.len() + 1)).max(1));
    let mut list = Vec::new();
    for &f in &functions {
        list.extend(products.iter().map(|&p| w.g.mul(f, p)));
    }
    list.extend(&functions[1..]);
    list
}
