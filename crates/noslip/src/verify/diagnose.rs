//! Why a claim fails: the usual mistakes, and small edits that would make it true.
//!
//! A mistake is a wrong theory. Its accelerations are computed at admissible states of the prime field, and if the claim holds
//! along *those*, the claim was derived by that theory. Edits change one term of the claim: a sign, a factor, a symbol.

use super::claim::{in_coordinates, terms, without_multiplier_rates};
use crate::expr::field::{Fp, SplitMix, solve};
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Expr, Formula, Function, Printer, Rational, Role, Style, Symbol, Tree};
use crate::mechanics::{Admissible, evaluator};
use crate::mechanics::{Split, SplitFrame, Workbench};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A mistake that explains a false claim, or an edit that mends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// A short name: "constraint substituted into the Lagrangian".
    pub mistake: String,
    /// A sentence.
    pub explanation: String,
    /// The claim as it should be: an expression that vanishes, in the model's syntax.
    pub suggestion: Option<String>,
    /// The same as an expression.
    pub mended: Option<Expr>,
    /// Which term is to be replaced, and by what.
    pub edit: Option<(usize, Expr)>,
}

const STATES: u64 = 3;
/// Claims of more terms are not edited.
const TERMS: usize = 40;
/// Edits of symbols tried.
const EDITS: usize = 400;
/// The name of a mistake.
const WRONG_FACTOR: &str = "wrong factor of a term";

/// Explains a false claim.
pub fn diagnose(w: &mut Workbench, claim: Expr) -> Vec<Diagnosis> {
    let claim = in_coordinates(w, claim);
    let Some(mut admissible) = Admissible::new(w, &[]) else { return Vec::new() };
    let residual = admissible.evaluator(&mut w.g, &[claim]);
    admissible.prepare(w, &[&residual], &|_, point| Some(point));
    let points: Vec<FieldPoint> = (0..8).filter_map(|_| admissible.moving(w)).take(STATES as usize).collect();
    // A claim that holds in the field and not at real states is wrong by a sign that the field does not know.
    if points.len() < STATES as usize || holds_at(w, &residual, &points) {
        return Vec::new();
    }
    let mut list = Vec::new();
    list.extend(vakonomic(w, claim, &points));
    let Ok(claim) = without_multiplier_rates(w, claim) else { return list };
    list.extend(wrong_sign(w, claim, &points));
    if list.is_empty() {
        list.extend(wrong_theory(w, claim, &points));
    }
    // Edits that hold for the letters first: a factor 2 is not a mass that happens to be 2.
    if let Some(mut letters) = Admissible::for_letters(w) {
        let points: Vec<FieldPoint> = (0..8).filter_map(|_| letters.moving(w)).take(STATES as usize).collect();
        if points.len() == STATES as usize {
            let parts = terms(&mut w.g, claim);
            list.extend(edits(w, &parts, &points));
        }
    }
    if list.is_empty() {
        let parts = terms(&mut w.g, claim);
        list.extend(edits(w, &parts, &points));
    }
    simplest(w, list)
}

/// Of suggestions that differ by an overall factor the first; and no other factors where a sign is enough.
fn simplest(w: &mut Workbench, list: Vec<Diagnosis>) -> Vec<Diagnosis> {
    let sign = list.iter().any(|d| d.mistake.starts_with("wrong sign"));
    let mut kept: Vec<Diagnosis> = Vec::new();
    for d in list.into_iter().filter(|d| !sign || d.mistake != WRONG_FACTOR) {
        let again = kept.iter().filter_map(|k| k.mended).any(|k| d.mended.is_some_and(|m| proportional(w, k, m)));
        if !again {
            kept.push(d);
        }
    }
    kept
}

/// Is one a number times the other? At points of the field that know nothing of the motion, where neither has to vanish.
fn proportional(w: &mut Workbench, a: Expr, b: Expr) -> bool {
    let both = evaluator(&mut w.g, &[a, b]);
    let ratio = |seed| {
        let values = both.at(&w.g, &FieldPoint::new(seed)).ok()?;
        Some(values[0] * values[1].inverse()?)
    };
    let first = ratio(0);
    first.is_some() && (1..STATES).all(|seed| ratio(seed) == first)
}

/// Edits of one of the terms an author wrote that make their sum vanish. Terms stay as they are: what is not expanded is not.
pub fn correct(w: &mut Workbench, parts: &[Expr]) -> Vec<Diagnosis> {
    let Some(mut letters) = Admissible::for_letters(w) else { return Vec::new() };
    let points: Vec<FieldPoint> = (0..8).filter_map(|_| letters.moving(w)).take(STATES as usize).collect();
    if points.len() < STATES as usize { Vec::new() } else { edits(w, parts, &points) }
}

fn diagnosis(mistake: &str, explanation: &str) -> Diagnosis {
    Diagnosis { mistake: mistake.into(), explanation: explanation.into(), suggestion: None, mended: None, edit: None }
}

/// Does the claim hold at all these points?
fn holds_at(w: &Workbench, residual: &FieldEvaluator, points: &[FieldPoint]) -> bool {
    points.iter().all(|p| residual.at(&w.g, p).is_ok_and(|v| v[0].is_zero()))
}

/// The equations of a stationary ∫ (L + Σ μφ) dt in place of d'Alembert's: with μ̇ and q̈ from
/// ```text
/// 𝓔_i = Σ_j μ_j (∂φ_j/∂q_i − d/dt ∂φ_j/∂q̇_i) − Σ_j μ̇_j ∂φ_j/∂q̇_i,   A q̈ = b
/// ```
/// for any μ, the claim holds. Its author calls μ, with either sign, the multiplier of the constraint. (Without μ there is
/// nothing to find: what holds for every μ holds for μ = 0, and that is mechanics.)
fn vakonomic(w: &mut Workbench, claim: Expr, points: &[FieldPoint]) -> Option<Diagnosis> {
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    let phi: Vec<Expr> = d.velocity_constraints.iter().copied().collect::<Option<_>>()?;
    if k == 0 || w.system.constraints.iter().all(|c| c.order == 0) {
        return None;
    }
    let mu: Vec<Symbol> = (0..k).map(|j| w.g.declare(&format!("mu of constraint {}", j + 1), Role::Other)).collect();
    let mut rows: Vec<Expr> = Vec::new();
    for i in 0..n {
        let mut terms = Formula::from(d.operator[i]);
        for j in 0..k {
            let by_q = w.g.diff(phi[j], w.system.coordinates[i]);
            let rate = w.g.time_derivative(d.a[j][i]);
            let curvature = w.g.sub(by_q, rate);
            let mu = w.g.symbol(mu[j]);
            terms -= mu * curvature;
        }
        let e = w.g.of(terms);
        rows.extend(w.system.accelerations.iter().map(|&a| w.g.diff(e, a)));
        rows.extend((0..k).map(|j| d.a[j][i]));
        let rest = w.g.without(e, &w.system.accelerations);
        rows.push(w.g.neg(rest));
    }
    for j in 0..k {
        rows.extend(&d.a[j]);
        rows.extend(std::iter::repeat_n(w.g.zero(), k));
        rows.push(d.b[j]);
    }
    let rows = evaluator(&mut w.g, &rows);
    let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    let rates: Vec<Symbol> = multipliers.iter().map(|&s| w.g.dot(s)).collect();
    let residual = evaluator(&mut w.g, &[claim]);
    let mut random = SplitMix::new(29);
    for sign in [Fp::ONE, -Fp::ONE] {
        let follow = |p: &FieldPoint| -> Option<FieldPoint> {
            let mut p = p.clone();
            let values: Vec<Fp> = (0..k).map(|_| random.field()).collect();
            mu.iter().zip(&values).for_each(|(&s, &v)| p.set(s, v));
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for row in rows.at(&w.g, &p).ok()?.chunks(n + k + 1) {
                a.push(row[..n + k].to_vec());
                b.push(row[n + k]);
            }
            let solution = solve(&a, &b)?;
            w.system.accelerations.iter().zip(&solution).for_each(|(&s, &v)| p.set(s, v));
            multipliers.iter().zip(&values).for_each(|(&s, &v)| p.set(s, sign * v));
            rates.iter().zip(&solution[n..]).for_each(|(&s, &v)| p.set(s, sign * v));
            Some(p)
        };
        let wrong: Option<Vec<FieldPoint>> = points.iter().map(follow).collect();
        if wrong.is_some_and(|wrong| holds_at(w, &residual, &wrong)) {
            return Some(diagnosis(
                "vakonomic instead of d'Alembert",
                "this follows from a stationary integral of L + Σ μφ, for any μ: a variational principle, but not mechanics; \
                 d'Alembert's principle has no derivative of the multiplier, and no derivatives of φ by the coordinates",
            ));
        }
    }
    None
}

/// λ with the opposite sign.
fn wrong_sign(w: &mut Workbench, claim: Expr, points: &[FieldPoint]) -> Option<Diagnosis> {
    let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    if !w.g.depends_on_any(claim, &multipliers) {
        return None;
    }
    let mut reversed = FxHashMap::default();
    for &s in &multipliers {
        let symbol = w.g.symbol(s);
        reversed.insert(s, w.g.neg(symbol));
    }
    let mended = w.g.substitute(claim, &reversed);
    let residual = evaluator(&mut w.g, &[mended]);
    holds_at(w, &residual, points).then(|| Diagnosis {
        suggestion: text(w, mended),
        mended: Some(mended),
        ..diagnosis(
            "wrong sign of the multiplier",
            "the claim holds with every multiplier reversed; here 𝓔 = Σ λ ∂φ/∂q̇ with φ = left side − right side",
        )
    })
}

/// A theory in which the accelerations follow from other equations than they should.
struct Theory {
    mistake: &'static str,
    explanation: &'static str,
    equations: Vec<Expr>,
}

/// Theories that go wrong in the reduction to independent velocities.
fn wrong_theory(w: &mut Workbench, claim: Expr, points: &[FieldPoint]) -> Option<Diagnosis> {
    let mut moving: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    moving.retain(|&s| w.g.depends_on(claim, s));
    if !moving.is_empty() || w.no_second_order().is_err() {
        return None;
    }
    let residual = evaluator(&mut w.g, &[claim]);
    for split in splits(w) {
        let frame = SplitFrame::new(w, split.clone());
        let Some(dependent) = frame.dependent_accelerations.clone() else { continue };
        let dependent = evaluator(&mut w.g, &dependent);
        for theory in theories(w, &frame) {
            let unknowns = split.pick_independent(&w.system.accelerations);
            let mut rows = Vec::new();
            for &e in &theory.equations {
                rows.extend(unknowns.iter().map(|&u| w.g.diff(e, u)));
                let rest = w.g.without(e, &unknowns);
                rows.push(w.g.neg(rest));
            }
            let rows = evaluator(&mut w.g, &rows);
            let follow = |p: &FieldPoint| -> Option<FieldPoint> {
                let m = unknowns.len();
                let values = rows.at(&w.g, p).ok()?;
                let (mut a, mut b) = (Vec::new(), Vec::new());
                for row in values.chunks(m + 1) {
                    a.push(row[..m].to_vec());
                    b.push(row[m]);
                }
                let mut wrong = p.clone();
                for (&s, v) in unknowns.iter().zip(solve(&a, &b)?) {
                    wrong.set(s, v);
                }
                for (&i, v) in split.dependent.iter().zip(dependent.at(&w.g, &wrong).ok()?) {
                    wrong.set(w.system.accelerations[i], v);
                }
                Some(wrong)
            };
            let wrong: Option<Vec<FieldPoint>> = points.iter().map(follow).collect();
            if wrong.is_some_and(|wrong| holds_at(w, &residual, &wrong)) {
                return Some(diagnosis(theory.mistake, theory.explanation));
            }
        }
    }
    None
}

/// Ways to choose the dependent velocities that an author may have used.
fn splits(w: &mut Workbench) -> Vec<Arc<Split>> {
    let mut list: Vec<Arc<Split>> = Vec::new();
    list.extend(w.split().ok());
    list.extend(w.chaplygin_split().ok());
    let (n, k) = (w.system.n(), w.system.k());
    for dependent in [(n - k..n).collect::<Vec<_>>(), (0..k).collect()] {
        if !list.iter().any(|s| s.dependent == dependent) {
            list.extend(Split::with(w, &dependent).ok().map(Arc::new));
        }
    }
    list.retain(|s| s.explicit.is_some());
    list.dedup_by(|a, b| a.dependent == b.dependent);
    list
}

fn theories(w: &mut Workbench, frame: &SplitFrame) -> Vec<Theory> {
    let split = frame.split.clone();
    let d = w.dynamics();
    let (mut naive, mut flat, mut forceless) = (Vec::new(), Vec::new(), Vec::new());
    for (s, &i) in split.independent.iter().enumerate() {
        let p = frame.kinetic_v(w, s);
        let rate = frame.ddt(w, p);
        let by_q = frame.kinetic_q(w, i);
        let force = frame.force(w, s);
        let own_force = frame.insert(w, d.forces[i]);
        let base = vec![(rate, Rational::ONE), (by_q, Rational::MINUS_ONE)];
        let mut transport = Vec::new();
        let mut curvature = Vec::new();
        for (nu, &j) in split.dependent.iter().enumerate() {
            let by = frame.kinetic_q(w, j);
            transport.push((w.g.mul(frame.alpha_v[nu][s], by), Rational::MINUS_ONE));
            let bracket = frame.voronets_bracket(w, nu, s);
            curvature.push((w.g.mul(bracket, frame.dependent_momenta[nu]), Rational::MINUS_ONE));
        }
        let with = |parts: &[&[(Expr, Rational)]]| parts.concat();
        let force = [(force, Rational::MINUS_ONE)];
        let own_force = [(own_force, Rational::MINUS_ONE)];
        naive.push(w.g.linear(Rational::ZERO, with(&[&base, &force])));
        flat.push(w.g.linear(Rational::ZERO, with(&[&base, &transport, &force])));
        forceless.push(w.g.linear(Rational::ZERO, with(&[&base, &transport, &curvature, &own_force])));
    }
    vec![
        Theory {
            mistake: "constraint substituted into the Lagrangian",
            explanation: "this follows from Lagrange's equations for the energy with the constraints already inserted; for \
                          nonholonomic constraints the term with the dependent momenta (Chaplygin, Voronets) is missing",
            equations: naive,
        },
        Theory {
            mistake: "missing curvature term",
            explanation: "this follows from Voronets' equations without the bracket B of the constraints",
            equations: flat,
        },
        Theory {
            mistake: "missing force of the dependent coordinates",
            explanation: "the generalised force must be Q_s + Σ Q_ν ∂q̇_ν/∂q̇_s; the second term is missing",
            equations: forceless,
        },
    ]
}

/// Edits of one term that make the claim true.
fn edits(w: &mut Workbench, parts: &[Expr], points: &[FieldPoint]) -> Vec<Diagnosis> {
    if parts.len() > TERMS || parts.len() < 2 {
        return Vec::new();
    }
    // Values are those of the coordinates; what is suggested keeps the quasi-velocities it was written with.
    let flat: Vec<Expr> = parts.iter().map(|&e| in_coordinates(w, e)).collect();
    let list = evaluator(&mut w.g, &flat);
    let Some(values) = points.iter().map(|p| list.at(&w.g, p).ok()).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let factors = simple_factors(w);
    let factor_values: Vec<Option<Vec<Fp>>> = factors
        .iter()
        .map(|&f| {
            let f = evaluator(&mut w.g, &[f]);
            points.iter().map(|p| f.at(&w.g, p).ok().map(|v| v[0])).collect()
        })
        .collect();
    let mut found = Vec::new();
    for i in 0..parts.len() {
        // The factor that would make the sum vanish, at each state.
        let needed: Option<Vec<Fp>> = values
            .iter()
            .map(|v| {
                let total = v.iter().fold(Fp::ZERO, |s, x| s + *x);
                Some((v[i] - total) * v[i].inverse()?)
            })
            .collect();
        let Some(needed) = needed else { continue };
        let term = text(w, parts[i]).unwrap_or_default();
        if needed.iter().all(|c| *c == needed[0]) {
            let Some(c) = small_rational(needed[0]) else { continue };
            let edited = w.g.scale(parts[i], &c);
            let mended = mend(w, parts, i, edited);
            if says_nothing(w, mended) {
                continue;
            }
            let (mistake, explanation) = if c.is_minus_one() {
                ("wrong sign of a term", format!("the term {term} has the wrong sign"))
            } else if c.is_zero() {
                ("a term too many", format!("the term {term} does not belong there"))
            } else {
                (WRONG_FACTOR, format!("the term {term} should be multiplied by {c}"))
            };
            let edit = Some((i, edited));
            found.push(Diagnosis {
                suggestion: text(w, mended),
                mended: Some(mended),
                edit,
                ..diagnosis(mistake, &explanation)
            });
            continue;
        }
        for (&f, f_values) in factors.iter().zip(&factor_values) {
            let Some(f_values) = f_values else { continue };
            let ratio: Option<Vec<Fp>> = needed.iter().zip(f_values).map(|(c, f)| Some(*c * f.inverse()?)).collect();
            let Some(c) = ratio.filter(|r| r.iter().all(|x| *x == r[0])).and_then(|r| small_rational(r[0])) else {
                continue;
            };
            if c.is_zero() {
                continue;
            }
            let scaled = w.g.scale(f, &c);
            let edited = w.g.mul(parts[i], scaled);
            let mended = mend(w, parts, i, edited);
            if says_nothing(w, mended) {
                continue;
            }
            let factor = text(w, scaled).unwrap_or_default();
            found.push(Diagnosis {
                suggestion: text(w, mended),
                mended: Some(mended),
                edit: Some((i, edited)),
                ..diagnosis("lost factor", &format!("the term {term} should be multiplied by {factor}"))
            });
            break;
        }
    }
    if found.is_empty() {
        found.extend(symbol_edits(w, parts, points));
    }
    found
}

/// One symbol or function of one term replaced by a similar one.
fn symbol_edits(w: &mut Workbench, parts: &[Expr], points: &[FieldPoint]) -> Vec<Diagnosis> {
    let mut tried = 0;
    for i in 0..parts.len() {
        let mut candidates: Vec<(String, Expr)> = Vec::new();
        for s in w.g.free_symbols(&[parts[i]]) {
            let role = w.g.role(s);
            let mut others: Vec<Symbol> = match role {
                Role::Velocity | Role::Acceleration | Role::Coordinate => {
                    w.g.symbols().filter(|&o| o != s && w.g.role(o) == role).collect()
                }
                Role::Parameter => w.system.parameters.iter().map(|p| p.symbol).filter(|&o| o != s).collect(),
                _ => Vec::new(),
            };
            // A dot too few or too many comes first.
            let info = w.g.info(s).clone();
            if role.varies() && role != Role::Acceleration && role != Role::Multiplier {
                others.splice(0..0, info.derivative.filter(|&d| w.g.role(d) != Role::Other));
            }
            others.splice(0..0, info.integral);
            for other in others {
                let replacement = w.g.symbol(other);
                let edited = w.g.substitute(parts[i], &[(s, replacement)].into_iter().collect());
                let what = format!("{} in place of {}", w.g.name(other), w.g.name(s));
                candidates.push((what, edited));
            }
        }
        candidates.extend(function_edits(w, parts[i]));
        for (what, edited) in candidates {
            tried += 1;
            if tried > EDITS {
                return Vec::new();
            }
            let mended = mend(w, parts, i, edited);
            let flat = in_coordinates(w, mended);
            let residual = evaluator(&mut w.g, &[flat]);
            if holds_at(w, &residual, points) && !says_nothing(w, mended) {
                let term = text(w, parts[i]).unwrap_or_default();
                return vec![Diagnosis {
                    suggestion: text(w, mended),
                    mended: Some(mended),
                    edit: Some((i, edited)),
                    ..diagnosis("wrong symbol in a term", &format!("the term {term} should have {what}"))
                }];
            }
        }
    }
    Vec::new()
}

/// sin, cos and tan exchanged.
fn function_edits(w: &mut Workbench, e: Expr) -> Vec<(String, Expr)> {
    use crate::expr::Node;
    let functions = [Function::Sin, Function::Cos, Function::Tan];
    let mut list = Vec::new();
    for node in w.g.reachable(&[e]) {
        let Node::Call(f, x) = w.g.node(node) else { continue };
        let (f, x) = (*f, *x);
        if !functions.contains(&f) {
            continue;
        }
        for other in functions.into_iter().filter(|&o| o != f) {
            let replacement = w.g.call(other, x);
            let mut memo: FxHashMap<Expr, Expr> = [(node, replacement)].into_iter().collect();
            for c in w.g.reachable(&[e]) {
                if !memo.contains_key(&c) {
                    let r = w.g.rebuild(c, |y| memo.get(&y).copied().unwrap_or(y));
                    memo.insert(c, r);
                }
            }
            list.push((format!("{} in place of {}", other.name(), f.name()), memo[&e]));
        }
    }
    list
}

/// Parameters, and sines and cosines of coordinates, with small powers.
fn simple_factors(w: &mut Workbench) -> Vec<Expr> {
    let mut bases: Vec<Expr> =
        w.system.parameters.iter().map(|p| p.symbol).collect::<Vec<_>>().into_iter().map(|s| w.g.symbol(s)).collect();
    for &q in &w.system.coordinates.clone() {
        let q = w.g.symbol(q);
        bases.push(w.g.cos(q));
        bases.push(w.g.sin(q));
    }
    for &v in &w.system.velocities.clone() {
        bases.push(w.g.symbol(v));
    }
    let mut list = Vec::new();
    for power in [1, -1, 2, -2] {
        for &b in &bases {
            list.push(w.g.powi(b, power));
        }
    }
    list
}

/// The claim with one term changed.
fn mend(w: &mut Workbench, parts: &[Expr], i: usize, edited: Expr) -> Expr {
    let mut list = parts.to_vec();
    list[i] = edited;
    w.g.sum(list)
}

/// 0 = 0 is true of every motion of every system: it vanishes where points know nothing of the motion, too.
fn says_nothing(w: &mut Workbench, mended: Expr) -> bool {
    let flat = in_coordinates(w, mended);
    let value = evaluator(&mut w.g, &[flat]);
    let points: Vec<FieldPoint> = (0..STATES).map(FieldPoint::new).collect();
    holds_at(w, &value, &points)
}

/// A rational with a small numerator and denominator, if the field element is one.
fn small_rational(x: Fp) -> Option<Rational> {
    for d in 1..=12i64 {
        for n in -24..=24i64 {
            if x * Fp::from_i64(d) == Fp::from_i64(n) {
                return Rational::new(n, d);
            }
        }
    }
    None
}

fn text(w: &Workbench, e: Expr) -> Option<String> {
    Some(Printer::new(Style::Text).print(&w.g, &Tree::of(&w.g, e, &w.limits).ok()?))
}

#[cfg(test)]
mod tests;
