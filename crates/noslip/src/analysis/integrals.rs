//! Holonomic relations hidden in the constraints: functions f(q, t) that the constraints keep constant.
//!
//! df is a combination of the ω_j, with any coefficients, iff X(f) = 0 for all X annihilated by the ω_j. With
//! f = Σ c_k b_k(q, t) that is a linear system for the numbers c_k: it finds potentials of exact forms, integrals of forms that
//! need an integrating factor, and integrals of combinations of forms, all at once.

use super::candidates::{Candidates, atoms_of, constant_factors, is_constant};
use super::conserved::with_values;
use super::growth::Distribution;
use crate::expr::Known;
use crate::expr::ansatz::{propose_all, vanishing};
use crate::expr::field::{Fp, null_space};
use crate::expr::{Expr, Function, Node, Rational, Symbol};
use crate::mechanics::Pfaff;
use crate::mechanics::Workbench;
use crate::mechanics::{Generic, evaluator};

/// A function of position and time that the constraints keep constant; its value follows from the initial position.
#[derive(Clone, Debug)]
pub struct HiddenRelation {
    /// The function f: the constraints imply f = const.
    pub expr: Expr,
    /// How it is known.
    pub certainty: Known,
    /// Solved for a coordinate, where f is linear in one: f = coefficient·q + rest.
    pub solved: Option<Solved>,
}

/// f = coefficient·coordinate + rest.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The coordinate.
    pub coordinate: Symbol,
    /// Its coefficient, made of parameters and numbers.
    pub coefficient: Expr,
    /// The rest, free of the coordinate.
    pub rest: Expr,
}

/// Candidates tried at once: the cost of elimination grows with the cube.
const CANDIDATES: usize = 220;

/// Looks for `needed` functionally independent relations implied by the forms.
pub fn hidden_relations(w: &mut Workbench, pfaff: &Pfaff, needed: usize, generic: &mut Generic) -> Vec<HiddenRelation> {
    if needed == 0 {
        return Vec::new();
    }
    let mut found = holonomic(w, pfaff, needed, generic);
    let given = found.len();
    let mut fields = None;
    for breadth in [Breadth::Atoms, Breadth::Antiderivatives, Breadth::Monomials] {
        if found.len() >= needed {
            break;
        }
        let candidates = candidates(w, pfaff, breadth);
        let basis = candidates.sorted(&w.g, CANDIDATES);
        for literal in [true, false] {
            let mut points = if literal { generic.literal() } else { generic.clone() };
            for (f, believed) in annihilated(w, pfaff, &basis, &mut points).unwrap_or_default() {
                let f = if literal { f } else { with_values(w, f) };
                if found.len() >= needed || !independent(w, pfaff, &found, f, generic) {
                    continue;
                }
                if fields.is_none() {
                    fields = Some(Distribution::annihilated_by(w, pfaff, true, generic));
                }
                if believed || fields.iter().flatten().any(|d| annihilates(w, d, f)) {
                    found.push(f);
                }
            }
            if found.len() >= needed {
                break;
            }
        }
    }
    let fields = fields.flatten();
    let found: Vec<Expr> = found.into_iter().map(|f| with_real_logarithms(w, f)).collect();
    found
        .into_iter()
        .enumerate()
        .map(|(i, expr)| {
            let proved = i < given || fields.as_ref().is_some_and(|d| annihilates(w, d, expr));
            HiddenRelation { expr, certainty: Known::proved_if(proved), solved: solve(w, expr) }
        })
        .collect()
}

/// The relations that the model states: its holonomic constraints, as far as they are independent, without what does not vary.
fn holonomic(w: &mut Workbench, pfaff: &Pfaff, needed: usize, generic: &mut Generic) -> Vec<Expr> {
    let mut found = Vec::new();
    for &j in &pfaff.constraints {
        let c = &w.system.constraints[j];
        if c.order != 0 || found.len() >= needed {
            continue;
        }
        let mut terms = match w.g.node(c.expr) {
            Node::Sum { terms, .. } => terms.to_vec(),
            _ => vec![(c.expr, Rational::ONE)],
        };
        terms.retain(|(e, _)| w.g.depends_on_any(*e, &pfaff.variables));
        let f = w.g.linear(Rational::ZERO, terms);
        if independent(w, pfaff, &found, f, generic) {
            found.push(f);
        }
    }
    found
}

/// The logarithm of what is negative at the initial position becomes that of its opposite: they differ by a constant.
fn with_real_logarithms(w: &mut Workbench, f: Expr) -> Expr {
    let (constant, terms) = match w.g.node(f) {
        Node::Sum { constant, terms } => (constant.clone(), terms.to_vec()),
        _ => return f,
    };
    let mut real = Vec::new();
    for (e, c) in terms {
        let argument = if let Node::Call(Function::Log, u) = w.g.node(e) { Some(*u) } else { None };
        let negative = argument.filter(|&u| w.value_at_initial_state(u).is_some_and(|x| x < 0.0));
        let e = negative.map_or(e, |u| {
            let opposite = w.g.neg(u);
            w.g.call(Function::Log, opposite)
        });
        real.push((e, c));
    }
    w.g.linear(constant, real)
}

/// How many functions to try: each step costs about ten times the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Breadth {
    /// The variables with the parameters that stand before their differentials, sines, cosines, roots.
    Atoms,
    /// Antiderivatives of the terms of the forms.
    Antiderivatives,
    /// Products of two atoms, quotients, logarithms, arguments.
    Monomials,
}

fn candidates(w: &mut Workbench, pfaff: &Pfaff, breadth: Breadth) -> Candidates {
    let mut candidates = Candidates::default();
    let coefficients: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
    for form in &pfaff.forms {
        for (&e, &u) in form.iter().zip(&pfaff.variables) {
            if w.g.is_zero(e) {
                continue;
            }
            let variable = w.g.symbol(u);
            candidates.add(&mut w.g, variable);
            if breadth > Breadth::Atoms {
                candidates.antiderivatives(&mut w.g, e, u);
            } else {
                for factor in constant_factors(&mut w.g, e) {
                    let e = w.g.mul(factor, variable);
                    candidates.add(&mut w.g, e);
                }
            }
        }
    }
    if breadth == Breadth::Atoms {
        for (e, _) in atoms_of(&mut w.g, &coefficients, &pfaff.variables) {
            candidates.add(&mut w.g, e);
        }
    }
    if breadth == Breadth::Monomials {
        let variables: Vec<Symbol> = involved(w, pfaff);
        candidates.monomials(&mut w.g, &coefficients, &variables);
    }
    candidates
}

/// The variables that take part in the forms, by occurring or by their differential.
fn involved(w: &mut Workbench, pfaff: &Pfaff) -> Vec<Symbol> {
    let all: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
    let takes_part = |(i, u): &(usize, Symbol)| {
        pfaff.forms.iter().any(|f| !w.g.is_zero(f[*i])) || all.iter().any(|&e| w.g.depends_on(e, *u))
    };
    pfaff.variables.iter().copied().enumerate().filter(takes_part).map(|(_, u)| u).collect()
}

/// All combinations f of the basis with X(f) = 0 for the X annihilated by the forms, each with whether it may be believed without
/// a proof.
fn annihilated(w: &mut Workbench, pfaff: &Pfaff, basis: &[Expr], points: &mut Generic) -> Option<Vec<(Expr, bool)>> {
    let m = pfaff.variables.len();
    let mut roots: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
    let start = roots.len();
    for &b in basis {
        for &u in &pfaff.variables {
            let d = w.g.diff(b, u);
            roots.push(d);
        }
    }
    let evaluator = evaluator(&mut w.g, &roots);
    let echelon = vanishing(basis.len(), || {
        let values = points.values(&w.g, &evaluator)?;
        let forms: Vec<Vec<Fp>> = values[..start].chunks(m).map(<[Fp]>::to_vec).collect();
        let gradients: Vec<&[Fp]> = values[start..].chunks(m).collect();
        let fields = null_space(&forms, m);
        Some(fields.iter().map(|x| gradients.iter().map(|d| dot(x, d)).collect()).collect())
    })?;
    let mut found = Vec::new();
    for combination in echelon.null_space() {
        let Some((c, believed)) = propose_all(&combination) else { continue };
        found.push((w.g.linear(Rational::ZERO, basis.iter().copied().zip(c)), believed));
    }
    Some(found)
}

fn dot(a: &[Fp], b: &[Fp]) -> Fp {
    a.iter().zip(b).fold(Fp::ZERO, |s, (x, y)| s + *x * *y)
}

/// Is f functionally independent of the others?
fn independent(w: &mut Workbench, pfaff: &Pfaff, others: &[Expr], f: Expr, generic: &mut Generic) -> bool {
    let rows: Vec<Vec<Expr>> =
        others.iter().copied().chain([f]).map(|e| pfaff.variables.iter().map(|&u| w.g.diff(e, u)).collect()).collect();
    crate::mechanics::matrix_rank(w, &rows, generic) == rows.len()
}

/// X(f) = 0 by the normal form.
fn annihilates(w: &mut Workbench, d: &Distribution, f: Expr) -> bool {
    (0..d.leading.len()).all(|row| {
        let e = d.apply(w, row, f);
        let e = w.simplify(e);
        w.g.is_zero(e)
    })
}

/// Solves f for a coordinate in which it is linear with a constant coefficient: a number before a parameter, and one that
/// the model's author put last.
fn solve(w: &mut Workbench, f: Expr) -> Option<Solved> {
    let mut best: Option<(usize, Solved)> = None;
    for &q in w.system.coordinates.iter().rev() {
        let coefficient = w.g.diff(f, q);
        if w.g.is_zero(coefficient) || !is_constant(&w.g, coefficient) {
            continue;
        }
        let length = w.g.reachable(&[coefficient]).len();
        if best.as_ref().is_none_or(|(l, _)| length < *l) {
            let rest = w.g.without(f, &[q]);
            best = Some((length, Solved { coordinate: q, coefficient, rest }));
        }
    }
    best.map(|(_, solved)| solved)
}
