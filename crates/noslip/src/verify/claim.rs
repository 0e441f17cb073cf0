//! Is a claimed equation a consequence of the model?
//!
//! A claim is an expression in t, q, q̇, q̈, λ said to vanish along every motion. It is evaluated at random admissible states of
//! the prime field, with q̈ and λ from the saddle system: zeros confirm it but for a chance beyond notice, and where the normal
//! form of the claim, reduced to l free accelerations, is within reach, the verdict is proved. A claim on coordinates alone may
//! hold because the constraints have an integral whose constant the initial position fixes.
//!
//! The field has no order: where roots and absolute values occur, a claim must hold at real states too, near and far. And
//! nothing is refuted but by a real state on the constraints at which the claim, with a bound on its error, is not zero.

use super::agreement::zero;
use super::certify::{Certifier, Sign, sign_of};
use super::finding::{Counterexample, Finding, Reach};
use super::leaf::{self, Walk, Worth};
use super::parity::signs_outside;
use super::real::RealStates;
use super::roots::where_constraints_vanish;
use super::rounding::magnitude;
use crate::analysis::is_constant;
use crate::effort::ENCLOSED;
use crate::expr::Known;
use crate::expr::{Arena, Expr, Function, NOT_DECIDED, Node, Printer, Rational, Style, Symbol, Tree};
use crate::forms::{Form, Kane, UdwadiaKalaba};
use crate::mechanics::{Admissible, Lifted, Workbench};
use crate::model::Parameter;
use rustc_hash::FxHashMap;

/// Random field states for one claim, with roots and absolute values in it, and real ones.
const STATES: u64 = 3;
const SIGNED_STATES: u64 = 40;
const REAL_STATES: usize = 12;
const FAR_STATES: usize = 30;
/// Nodes evaluated with many digits for one claim.
const REAL_WORK: usize = 400_000;
/// With what probability a false claim passes one state, for a generous bound of its degree.
const ONCE: f64 = 1e6 / (1u64 << 61) as f64;
/// A residual at the initial state below this part of the numbers it is made of is rounding.
pub(super) const ROUNDING: f64 = 1e-13;
/// A test in the field that is wrong with a higher probability than this is none.
const DOUBTFUL: f64 = 1e-6;

/// Replaces quasi-velocities and their derivatives by what they stand for.
pub fn in_coordinates(w: &mut Workbench, e: Expr) -> Expr {
    let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for v in &w.system.quasi_velocities {
        let dot = w.g.dot(v.symbol);
        map.insert(v.symbol, v.expr);
        map.insert(dot, w.g.time_derivative(v.expr));
    }
    w.g.substitute(e, &map)
}

/// Puts in the values of functions in pieces and of tables at numbers, where they are exact.
fn with_exact_values(w: &mut Workbench, claim: Expr) -> Expr {
    if w.system.tables.is_empty() {
        return claim;
    }
    let system = w.system.clone();
    let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
    for e in w.g.reachable(&[claim]) {
        let mut new = w.g.rebuild(e, |x| memo.get(&x).copied().unwrap_or(x));
        if let Node::Table(id, derivative, x) = *w.g.node(new)
            && let Some(x) = w.g.as_number(x)
            && let Some(value) = system.tables.iter().find(|t| t.id == id).and_then(|t| t.exactly(derivative, x))
        {
            new = w.g.number(value);
        }
        memo.insert(e, new);
    }
    memo.get(&claim).copied().unwrap_or(claim)
}

/// Decides a claim. `relations` are holonomic relations q_i = e known to hold besides the constraints.
pub fn decide(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Finding {
    let finding = decide_for_every_law(w, claim, relations);
    let finding = for_dependent_parameters(w, claim, relations, finding);
    match finding.known.is_refuted() && !w.system.law.is_empty() {
        // It fails for some force of friction, which need not be that of the law.
        true => Finding::undecided(
            "claims are judged for every force of friction, T_x and so on in its place, not for the law",
        ),
        false => finding,
    }
}

/// What needs the values of parameters may need no more than what the model says of some of them by the others, as in J = m·l².
fn for_dependent_parameters(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)], finding: Finding) -> Finding {
    if finding.reach != Reach::Values {
        return finding;
    }
    let system = w.system.clone();
    let dependent = |p: &&Parameter| w.g.as_number(p.value).is_none();
    let meaning: FxHashMap<Symbol, Expr> =
        system.parameters.iter().filter(dependent).map(|p| (p.symbol, p.value)).collect();
    if meaning.is_empty() {
        return finding;
    }
    // Values may refer to each other in any order.
    let mut inserted = |e: Expr| (0..meaning.len()).fold(e, |e, _| w.g.substitute(e, &meaning));
    let relations: Vec<(Symbol, Expr)> = relations.iter().map(|&(q, e)| (q, inserted(e))).collect();
    let claim = inserted(claim);
    let system = system.mapped(inserted);
    let general = w.beside(system, |w| decide_for_every_law(w, claim, &relations));
    if general.reach == Reach::Everywhere && general.known.holds() { general } else { finding }
}

/// A claim where a constraint is a product. The states that are drawn satisfy one factor: what holds there need not hold with the other.
/// But a state at which a claim about velocities fails is one, whichever factor vanishes there.
fn of_a_choice(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Option<Finding> {
    let mut of_the_motion = w.system.accelerations.clone();
    for c in &w.system.constraints {
        of_the_motion.extend([c.multiplier, w.g.dot(c.multiplier)]);
    }
    if w.g.depends_on_any(claim, &of_the_motion) {
        return None;
    }
    Some(numerically(w, claim, relations)).filter(|finding| finding.known.is_refuted())
}

fn decide_for_every_law(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Finding {
    if let Err(why) = w.consistent_constraints() {
        let finding = where_constraints_vanish(w, claim).or_else(|| of_a_choice(w, claim, relations));
        return finding.unwrap_or_else(|| Finding::undecided(why));
    }
    if w.linear_accelerations().is_err() {
        return in_larger_system(w, claim);
    }
    let claim = in_coordinates(w, claim);
    let claim = with_exact_values(w, claim);
    if w.g.is_undefined(claim) {
        let given_up = w.g.work.given_up() > 0;
        return Finding::undecided(if given_up { NOT_DECIDED } else { "the claim divides by zero" });
    }
    let claim = match without_multiplier_rates(w, claim) {
        Ok(claim) => claim,
        Err(why) => return Finding::undecided(why),
    };
    if uses_free_multipliers(w, claim) {
        return Finding::undecided("the constraints depend on each other, so that the multipliers are not determined");
    }
    let rough = roughness(w, claim);
    match in_field(w, claim, &[]) {
        Some(true) if rough > 0 => {
            let search = counterexample(w, claim, &[]);
            return match (confirmed(w, claim, rough), search) {
                (_, Search::Found(c)) => Finding::refuted(w, c),
                (Finding { known: Known::Numerical, .. }, Search::Unclear | Search::NoValue | Search::NoStates) => {
                    Finding::undecided("neither the prime field nor real states decide its roots")
                }
                (finding, _) => finding,
            };
        }
        Some(true) => return confirmed(w, claim, rough),
        Some(false) => {}
        None => return numerically(w, claim, relations),
    }
    if !relations.is_empty() && in_field(w, claim, relations) == Some(true) {
        if rough > 0
            && let Search::Found(c) = counterexample(w, claim, relations)
        {
            return Finding::refuted(w, c);
        }
        // Across a jump of the relation, an angle where its arm vanishes, a motion comes to another leaf.
        if relations.iter().any(|&(_, e)| leaf::may_jump(&w.g, e))
            && let Walk::Fails(c) = leaf::walk(w, claim)
        {
            return Finding::refuted(w, c);
        }
        return Finding::on_leaf(Known::Tested { error_bound: ONCE.powi(STATES as i32) });
    }
    if let Some(finding) = fixed_by_initial_state(w, claim) {
        return if is_zero_in_normal_form(w, claim) { Finding::everywhere(Known::Proved) } else { finding };
    }
    match numerically(w, claim, relations) {
        // What is the same at all states has no other branch to come to.
        finding if is_constant(&w.g, claim) => finding,
        // The field sees another branch of a root or an absolute value; real states may not have come so far.
        Finding { known: Known::Numerical, .. } if rough > 0 => Finding::undecided(
            "it holds at the real states that were tried, but not on every branch of its roots and absolute values",
        ),
        finding => finding,
    }
}

/// The same where the accelerations do not follow from linear equations: in the larger system that has them in its state.
fn in_larger_system(w: &mut Workbench, claim: Expr) -> Finding {
    let lifted = match Lifted::new(w) {
        Ok(lifted) => lifted,
        Err(e) => return Finding::undecided(e.message),
    };
    let claim = w.g.substitute(claim, &lifted.meaning);
    let finding = w.beside(lifted.system, |w| decide(w, claim, &[]));
    match finding.counterexample() {
        // The first coordinates and velocities are those of the system itself.
        Some(found) => Finding::refuted(w, cut(found, w.system.n())),
        None => finding,
    }
}

/// A counterexample of which only the first coordinates and velocities are told.
pub(super) fn cut(mut found: Counterexample, n: usize) -> Counterexample {
    found.state.q.truncate(n);
    found.state.v.truncate(n);
    found
}

/// Places where the field chooses a sign: roots and absolute values in the claim, and in what determines the motion.
pub(super) fn roughness(w: &mut Workbench, claim: Expr) -> usize {
    let claim = in_coordinates(w, claim);
    let Some(admissible) = Admissible::near(w, &[]) else { return 0 };
    admissible.evaluator(&mut w.g, &[claim]).signs(&w.g) + admissible.signs(&w.g)
}

/// The rate of a multiplier is that of the reaction as a function of the state.
pub(super) fn without_multiplier_rates(w: &mut Workbench, claim: Expr) -> Result<Expr, String> {
    let rates: Vec<(Symbol, Symbol)> =
        w.system.constraints.iter().map(|c| (c.multiplier, w.g.dot(c.multiplier))).collect();
    if !rates.iter().any(|&(_, rate)| w.g.depends_on(claim, rate)) {
        return Ok(claim);
    }
    let eq =
        UdwadiaKalaba.derive(w).map_err(|e| format!("the reactions as functions of the state are not known: {e}"))?;
    let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for (multiplier, rate) in rates {
        let Some(&(_, reaction)) = eq.reactions.iter().find(|(s, _)| *s == multiplier) else {
            return Err("the constraints depend on each other, so that the multipliers are not determined".into());
        };
        map.insert(rate, w.g.time_derivative(reaction));
    }
    Ok(w.g.substitute(claim, &map))
}

/// Which function keeps the claim from having a value.
fn nowhere_defined(w: &mut Workbench, claim: Expr) -> String {
    let partial = w.g.reachable(&[claim]).into_iter().find(|&e| {
        let bounded = matches!(w.g.node(e), Node::Call(Function::Asin | Function::Acos | Function::Log, _));
        let root = matches!(w.g.node(e), Node::Product { factors, .. } if factors.iter().any(|(_, x)| !x.is_integer()));
        bounded || root || matches!(w.g.node(e), Node::Power(..))
    });
    let printed = partial.and_then(|e| Tree::of(&w.g, e, &w.limits).ok());
    let printed = printed.map(|tree| Printer::new(Style::Text).print(&w.g, &tree));
    match printed {
        Some(text) => format!("the claim has no real value at any state that was tried: look at {text}"),
        None => {
            "the claim has no value at any state that was tried, or none that can be bounded: its numbers are too large"
                .into()
        }
    }
}

fn uses_free_multipliers(w: &mut Workbench, claim: Expr) -> bool {
    let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
    w.g.depends_on_any(claim, &multipliers) && w.rank() < w.system.k()
}

/// Is the claim zero at random admissible states? `None` when none can be drawn.
pub(super) fn in_field(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Option<bool> {
    let admissible = Admissible::near(w, relations)?;
    vanishes(w, claim, admissible)
}

fn vanishes(w: &mut Workbench, claim: Expr, mut admissible: Admissible) -> Option<bool> {
    let residual = admissible.evaluator(&mut w.g, &[claim]);
    admissible.prepare(w, &[&residual], &|_, point| Some(point));
    let signs = residual.signs(&w.g) + admissible.signs(&w.g);
    let wanted = if signs == 0 { STATES } else { SIGNED_STATES };
    let mut tested = 0;
    for _ in 0..4 * wanted {
        let Some(point) = admissible.moving(w) else { continue };
        match residual.at(&w.g, &point) {
            Ok(v) if v[0].is_zero() => tested += 1,
            Ok(_) => return admissible.on_constraints().then_some(false),
            Err(_) => {}
        }
        if tested == wanted {
            return Some(true);
        }
    }
    None
}

/// What the field confirms holds: proved, or how surely.
fn confirmed(w: &mut Workbench, claim: Expr, signs: usize) -> Finding {
    if prove(w, claim) {
        return Finding::everywhere(Known::Proved);
    }
    if signs > 0 {
        // What is false for one choice of signs only is met with this probability.
        let missed = 1.0 - 0.5f64.powi(signs.min(60) as i32);
        let error_bound = (ONCE + missed).powi(SIGNED_STATES as i32);
        let known = if error_bound < DOUBTFUL { Known::Tested { error_bound } } else { Known::Numerical };
        return Finding::everywhere(known);
    }
    let letters = Admissible::for_letters(w);
    let values_only = letters.is_some_and(|letters| vanishes(w, claim, letters) == Some(false));
    let reach = if values_only { Reach::Values } else { Reach::Everywhere };
    Finding { known: Known::Tested { error_bound: ONCE.powi(STATES as i32) }, reach }
}

/// Is the claim zero in the normal form, as it stands or with the velocities that the constraints leave free? The prime field knows
/// neither that a hyperbolic cosine is positive nor that the logarithm of an exponential is its exponent; the normal form does.
fn is_zero_in_normal_form(w: &mut Workbench, claim: Expr) -> bool {
    let claim = signs_outside(&mut w.g, claim);
    let as_it_stands = w.simplify(claim);
    if w.g.is_zero(as_it_stands) {
        return true;
    }
    let Some(velocities) = w.closed_quasi().ok().and_then(|_| Kane.derive(w).ok()).map(|eq| eq.velocities) else {
        return false;
    };
    let free = w.g.substitute(claim, &velocities.into_iter().collect());
    let free = w.simplify(free);
    w.g.is_zero(free)
}

/// Proves a claim by the normal form. In the free accelerations v̇ the motion is G v̇ = g, the claim ρ·v̇ + ρ₀ = 0: it follows
/// iff the bordered determinant |G g; ρ −ρ₀| vanishes.
fn prove(w: &mut Workbench, claim: Expr) -> bool {
    let Ok(quasi) = w.closed_quasi() else { return false };
    let Ok(eq) = Kane.derive(w) else { return false };
    let mut map: FxHashMap<Symbol, Expr> = eq.velocities.iter().chain(&eq.accelerations).copied().collect();
    map.extend(eq.reactions.iter().copied());
    let Some(admissible) = Admissible::near(w, &[]) else { return false };
    let claim = w.g.substitute(claim, &map);
    let claim = admissible.settle(&mut w.g, claim);
    let unknowns = quasi.rates.clone();
    let Some((rho, rho_0)) = w.g.affine(claim, &unknowns) else { return false };
    if rho.iter().all(|&e| w.g.is_zero(e)) {
        return zero(w, rho_0) == Known::Proved;
    }
    let mut rows = Vec::new();
    for &e in &eq.equations {
        let e = admissible.settle(&mut w.g, e);
        let Some((mut row, rest)) = w.g.affine(e, &unknowns) else { return false };
        row.push(w.g.neg(rest));
        rows.push(w.simplify_all(&row));
    }
    let mut last = w.simplify_all(&rho);
    last.push(w.simplify(-rho_0));
    rows.push(last);
    let determinant = w.g.determinant(&rows);
    zero(w, determinant) == Known::Proved
}

/// A claim on t and q whose rate of change vanishes on the constraints is constant wherever it is smooth; zero at the initial
/// position, it is zero as far as it does not jump.
fn fixed_by_initial_state(w: &mut Workbench, claim: Expr) -> Option<Finding> {
    if is_constant(&w.g, claim) {
        return None;
    }
    let mut moving: Vec<Symbol> = w.system.velocities.clone();
    moving.extend(&w.system.accelerations);
    moving.extend(w.system.constraints.iter().map(|c| c.multiplier));
    if w.g.depends_on_any(claim, &moving) {
        return None;
    }
    let rate = w.g.time_derivative(claim);
    if !in_field(w, rate, &[])? {
        return None;
    }
    let worth = leaf::worth(w, claim);
    match worth {
        Worth::Nonzero => leaf::initial_counterexample(w, claim).map(|c| Finding::refuted(w, c)),
        Worth::Unclear => None,
        Worth::Zero | Worth::Small if leaf::may_jump(&w.g, claim) => Some(match leaf::walk(w, claim) {
            Walk::Fails(c) => Finding::refuted(w, c),
            Walk::Holds(_) => Finding::on_leaf(Known::Numerical),
            Walk::Nowhere => Finding::undecided("it may jump, and no motion from the initial state could be followed"),
        }),
        Worth::Zero | Worth::Small => {
            let proved = worth == Worth::Zero && prove(w, rate);
            let tested = Known::Tested { error_bound: ONCE.powi(STATES as i32) };
            Some(Finding::on_leaf(if proved { Known::Proved } else { tested }))
        }
    }
}

/// The terms of a sum with their coefficients.
pub(super) fn terms(g: &mut Arena, e: Expr) -> Vec<Expr> {
    match g.node(e) {
        Node::Sum { constant, terms } => {
            let (constant, terms): (Rational, Vec<_>) = (constant.clone(), terms.to_vec());
            let mut list: Vec<Expr> = terms.into_iter().map(|(t, c)| g.scale(t, &c)).collect();
            if !constant.is_zero() {
                list.push(g.number(constant));
            }
            list
        }
        _ => vec![e],
    }
}

enum Search {
    Found(Counterexample),
    /// Zero to many digits at enough states.
    AlwaysZero,
    /// There are states, but too little is known of the claim there.
    Unclear,
    /// There are states, but the claim has no value at any of them.
    NoValue,
    NoStates,
}

/// Looks for a real state on the constraints at which the claim is certainly not zero, near the initial state and far away.
fn counterexample(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Search {
    let mut all = w.system.mechanics();
    all.push(claim);
    if !w.g.unspecified_in(&all).is_empty() {
        // What fails for particular functions does not hold for all.
        let system = w.system.clone().mapped(|e| w.g.with_samples(e));
        let claim = w.g.with_samples(claim);
        let relations: Vec<(Symbol, Expr)> = relations.iter().map(|&(s, e)| (s, w.g.with_samples(e))).collect();
        return w.beside(system, |w| counterexample(w, claim, &relations));
    }
    let mut expressions = vec![claim, magnitude(&mut w.g, claim)];
    expressions.extend(terms(&mut w.g, claim));
    let Ok(mut states) = RealStates::new(w, relations) else { return Search::NoStates };
    let Some(mut certifier) = Certifier::new(w, &expressions, &[], relations) else { return Search::NoStates };
    let wanted = (REAL_WORK / certifier.size()).clamp(4, REAL_STATES);
    let cost = ENCLOSED * certifier.cost() as u64;
    let (mut met, mut unclear, mut zeros) = (0, 0, 0);
    for far in [false, true] {
        let mut best: Option<(f64, Counterexample)> = None;
        let mut seen = 0;
        let wanted = if far { wanted * FAR_STATES / REAL_STATES } else { wanted };
        for seed in 0..4 * wanted as u64 {
            // A few states are looked at whatever is left.
            if met >= 4 && w.g.work.is_over() {
                break;
            }
            let Some(state) = (if far { states.far(seed) } else { states.near(seed) }) else { continue };
            met += 1;
            w.g.work.charge(cost);
            let Some((state, values)) = certifier.at(&w.g, &state) else {
                unclear += 1;
                continue;
            };
            let Some(residual) = &values[0] else { continue };
            seen += 1;
            let size = values[1].as_ref().map_or(0.0, |m| m.high());
            match sign_of(residual, size) {
                Sign::Nonzero => {
                    let parts = values[2..].iter().flatten().map(|x| x.value().abs()).fold(0.0, f64::max);
                    let relative = residual.value().abs() / if parts > 0.0 { parts } else { 1.0 };
                    if best.as_ref().is_none_or(|(r, _)| relative > *r) {
                        best = Some((
                            relative,
                            Counterexample { state, residual: residual.value(), error: residual.radius() },
                        ));
                    }
                }
                // Beside cosh(500) a small term cannot be seen, and is not nothing for that.
                Sign::Zero if values[2..].iter().flatten().any(|x| 0.0 < x.low() && x.low() <= residual.high()) => {
                    unclear += 1;
                }
                Sign::Zero => zeros += 1,
                Sign::Unclear => unclear += 1,
            }
            // A plain failure is worth more than the largest one.
            if best.as_ref().is_some_and(|(r, _)| *r > 0.05) || seen >= wanted {
                break;
            }
        }
        if let Some((_, c)) = best {
            return Search::Found(c);
        }
    }
    match (zeros, unclear, met) {
        (4.., _, _) => Search::AlwaysZero,
        (1.., _, _) => Search::Unclear,
        (_, 1.., _) => Search::Unclear,
        (_, _, 1..) => Search::NoValue,
        _ => Search::NoStates,
    }
}

/// The verdict from real states alone.
fn numerically(w: &mut Workbench, claim: Expr, relations: &[(Symbol, Expr)]) -> Finding {
    match counterexample(w, claim, relations) {
        Search::Found(c) => Finding::refuted(w, c),
        Search::AlwaysZero if is_zero_in_normal_form(w, claim) => Finding::everywhere(Known::Proved),
        Search::AlwaysZero => Finding::everywhere(Known::Numerical),
        Search::Unclear if w.g.work.is_over() => Finding::undecided(NOT_DECIDED),
        Search::Unclear => Finding::undecided("no real state was found that decides it, near or far"),
        Search::NoValue => Finding::undecided(nowhere_defined(w, claim)),
        Search::NoStates => Finding::undecided("no state that satisfies the constraints was found"),
    }
}
