//! Every form describes one motion: the proof, form by form, that it is that of Lagrange's equations with multipliers.
//!
//! A form's equation r comes with a direction y_r of virtual displacements. It is proved that
//!
//! ```text
//! (1) equation_r = Σ_i y_ri 𝓔_i   identically, on the constraints,
//! (2) Σ_i A_ji y_ri = 0,
//! (3) the equations determine their unknowns (a determinant is not zero at a state of the prime field).
//! ```
//!
//! (1) and (2) say that the equations are combinations of 𝓔 = Aᵀλ in which the multipliers cancel; with (3), there are enough
//! of them. Forms without directions state accelerations or multipliers outright, and these are put into Lagrange's
//! equations. Independently of the proof every form is tested: at random admissible states of the prime field its equations,
//! its other ways of writing them and its reactions must agree with the motion found from the saddle system.

use super::certify::{Certifier, Sign, sign_of};
use super::real::RealStates;
use super::rounding::magnitude;
use crate::effort::{COMPILED_FOR_FIELD, ENCLOSED, ENCLOSED_ROUGHLY};
use crate::expr::Known;
use crate::expr::enclosure::Ball;
use crate::expr::field::{Fp, rank};
use crate::expr::normal::{Normalizer, Options};
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Expr, Formula, Symbol, bases};
use crate::limits::Limits;
use crate::mechanics::{Admissible, Equations, Generic, Workbench, acceleration_constraints, matrix_rank};
use rustc_hash::FxHashMap;

/// Whether a form agrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Does it, and how is that known?
    pub known: Known,
    /// Why it is tested and not proved.
    pub unproved: Option<String>,
}

impl From<Known> for Agreement {
    fn from(known: Known) -> Agreement {
        Agreement { known, unproved: None }
    }
}

impl Agreement {
    fn refuted(claim: &str) -> Agreement {
        Known::refuted_because(format!("{claim} does not hold along the motion")).into()
    }

    /// `proved`, `tested`, `refuted` or `unknown`.
    pub fn word(&self) -> &'static str {
        self.known.word()
    }

    /// Proved or tested.
    pub fn holds(&self) -> bool {
        self.known.holds()
    }

    /// Why it does not agree, or why that is not known.
    pub fn reason(&self) -> Option<&str> {
        self.unproved.as_deref().or(self.known.reason())
    }
}

/// Random states at which a form is tested. A false equation of degree d passes one with probability d/2⁶¹.
const STATES: u64 = 3;
/// A generous bound for the degree of what is tested.
const DEGREE: f64 = 1e6;
/// Nodes evaluated with many digits for one form.
const REAL_WORK: usize = 200_000;
/// Work for one identity before the verdict is left to the test.
const PROOF_WORK: u64 = 40_000_000;

/// Compares a form with Lagrange's equations with multipliers.
pub fn agreement(w: &mut Workbench, eq: &Equations) -> Agreement {
    if w.linear_accelerations().is_err() {
        // No states can be drawn, so that nothing is tested; (1), (2) and (3) are proved as ever.
        return match prove(w, eq).and_then(|()| determined(w)) {
            Ok(()) => Known::Proved.into(),
            Err(why) => Known::unknown(why).into(),
        };
    }
    let (variables, claims) = claims_of(w, eq);
    match test(w, eq, &variables, &claims) {
        Test::Fails(what) => return Known::refuted_because(what).into(),
        // Not zero in the field: only a real state can tell that it is not zero.
        Test::Suspect(suspect) => return decide_suspect(w, eq, &variables, &claims, suspect),
        // The field chooses signs of its own.
        Test::PassesButForSigns => {
            if let Real::Differs(i) = at_real_states(w, &variables, &claims, Digits::IfNeeded) {
                return Agreement::refuted(&claims[i].0);
            }
        }
        Test::Passes => {}
        Test::Impossible(why) => {
            return match prove(w, eq) {
                Ok(()) => Known::Proved.into(),
                Err(reason) => Known::unknown(format!("{why}; {reason}")).into(),
            };
        }
    }
    match prove(w, eq) {
        Ok(()) => Known::Proved.into(),
        Err(why) => {
            let error_bound = (DEGREE / 2f64.powi(61)).powi(STATES as i32);
            Agreement { known: Known::Tested { error_bound }, unproved: Some(why) }
        }
    }
}

/// Not zero in the prime field. Functions nothing is known of, or signs chosen otherwise, may be the reason.
fn decide_suspect(
    w: &mut Workbench,
    eq: &Equations,
    variables: &[(Symbol, Expr)],
    claims: &[(String, Expr)],
    suspect: usize,
) -> Agreement {
    let what = &claims[suspect].0;
    match at_real_states(w, variables, claims, Digits::Always) {
        Real::Differs(i) => Agreement::refuted(&claims[i].0),
        Real::Agrees(states) => match prove(w, eq) {
            Ok(()) => Known::Proved.into(),
            Err(_) => Known::unknown(format!(
                "{what} is not zero in the prime field, which knows functions by their arguments only; at {states} real \
                 states all equations hold to forty digits"
            ))
            .into(),
        },
        Real::Unclear => match prove(w, eq) {
            Ok(()) => Known::Proved.into(),
            Err(_) => Known::unknown(format!(
                "{what} is not zero in the prime field, but no real state was found at which it is certainly not zero"
            ))
            .into(),
        },
    }
}

enum Real {
    /// This one is certainly not zero at a state.
    Differs(usize),
    /// All vanish to forty digits at this many states.
    Agrees(usize),
    Unclear,
}

/// With how many digits states are looked at.
#[derive(Clone, Copy, PartialEq)]
enum Digits {
    /// The equations are zero in the field, up to signs: only where floating point leaves more than rounding are more asked for.
    IfNeeded,
    Always,
}

/// Evaluates what a form says at real states on the constraints, with bounds on the error.
fn at_real_states(w: &mut Workbench, variables: &[(Symbol, Expr)], claims: &[(String, Expr)], digits: Digits) -> Real {
    let mut expressions: Vec<Expr> = claims.iter().map(|c| c.1).collect();
    for i in 0..claims.len() {
        expressions.push(magnitude(&mut w.g, claims[i].1));
    }
    let Ok(mut states) = RealStates::new(w, &[]) else { return Real::Unclear };
    let Some(mut certifier) = Certifier::new(w, &expressions, variables, &[]) else { return Real::Unclear };
    if certifier.size() > REAL_WORK {
        return Real::Unclear;
    }
    let wanted = if w.g.work.is_over() { 2 } else { (REAL_WORK / certifier.size()).clamp(2, 8) };
    let (mut zeros, mut seen) = (0, 0);
    for far in [false, true] {
        for seed in 0..2 * wanted as u64 {
            // All forms are tested at the same states: each is enclosed once.
            let known = w.enclosed.get(&(far, seed)).is_some_and(|state| certifier.take(state));
            if !known {
                w.g.work.charge(ENCLOSED * (certifier.cost() - certifier.cost_here()) as u64);
                let Some(state) = (if far { states.far(seed) } else { states.near(seed) }) else { continue };
                if certifier.enclose_state(&w.g, &state).is_none() {
                    continue;
                }
                w.enclosed.insert((far, seed), certifier.state());
            }
            if digits == Digits::IfNeeded {
                w.g.work.charge(ENCLOSED_ROUGHLY * certifier.cost_here() as u64);
                if certifier.vanish_roughly(&w.g, claims.len()) {
                    (seen, zeros) = (seen + 1, zeros + 1);
                    if seen % wanted == 0 {
                        break;
                    }
                    continue;
                }
            }
            w.g.work.charge(ENCLOSED * certifier.cost_here() as u64);
            let Some(values) = certifier.values_here(&w.g) else { continue };
            let (residuals, sizes) = values.split_at(claims.len());
            let sign = |(r, s): (&Option<Ball>, &Option<Ball>)| Some(sign_of(r.as_ref()?, s.as_ref()?.high()));
            let signs: Vec<Option<Sign>> = residuals.iter().zip(sizes).map(sign).collect();
            if let Some(i) = signs.iter().position(|s| *s == Some(Sign::Nonzero)) {
                return Real::Differs(i);
            }
            seen += 1;
            zeros += usize::from(signs.iter().all(|s| *s == Some(Sign::Zero)));
            if seen % wanted == 0 {
                break;
            }
        }
    }
    if zeros >= 2 { Real::Agrees(zeros) } else { Real::Unclear }
}

enum Test {
    Passes,
    /// But roots or absolute values occur.
    PassesButForSigns,
    /// This claim is not zero in the field.
    Suspect(usize),
    Fails(String),
    Impossible(String),
}

/// The form's variables as functions of q, q̇, q̈, and what it says, with names.
fn claims_of(w: &mut Workbench, eq: &Equations) -> (Vec<(Symbol, Expr)>, Vec<(String, Expr)>) {
    // The form's variables and their rates as functions of q, q̇, q̈.
    let mut variables: Vec<(Symbol, Expr)> = Vec::new();
    for &(s, e) in &eq.variables {
        let dot = w.g.dot(s);
        variables.push((s, e));
        variables.push((dot, w.g.time_derivative(e)));
    }
    let mut claims: Vec<(String, Expr)> = Vec::new();
    for (r, &e) in eq.equations.iter().enumerate() {
        claims.push((format!("equation {}", r + 1), e));
    }
    for (name, list) in &eq.alternatives {
        for (r, &e) in list.iter().enumerate() {
            claims.push((format!("equation {} of the {name}", r + 1), e));
        }
    }
    let unique = w.rank() == w.system.k();
    for &(s, e) in &eq.reactions {
        if unique {
            let symbol = w.g.symbol(s);
            let difference = w.g.sub(e, symbol);
            claims.push((format!("the reaction {}", w.g.name(s)), difference));
        }
    }
    for &(s, e) in eq.velocities.iter().chain(&eq.accelerations) {
        let symbol = w.g.symbol(s);
        let difference = w.g.sub(e, symbol);
        claims.push((w.g.name(s).to_owned(), difference));
    }
    (variables, claims)
}

fn test(w: &mut Workbench, eq: &Equations, variables: &[(Symbol, Expr)], claims: &[(String, Expr)]) -> Test {
    let coefficients: Vec<Expr> = w.g.jacobian(&eq.equations, &eq.unknowns).concat();
    let Some(mut admissible) = Admissible::near(w, &[]) else {
        return Test::Impossible("no admissible states could be drawn in the prime field".into());
    };
    let rates: Vec<Expr> = variables.iter().map(|v| v.1).collect();
    let rates = admissible.evaluator(&mut w.g, &rates);
    let residuals: Vec<Expr> = claims.iter().map(|c| c.1).collect();
    let residuals = admissible.evaluator(&mut w.g, &residuals);
    let coefficients = admissible.evaluator(&mut w.g, &coefficients);
    w.g.work.charge(COMPILED_FOR_FIELD * (rates.steps() + residuals.steps() + coefficients.steps()) as u64);
    let m = eq.unknowns.len();
    admissible.prepare(w, &[&rates], &|_, point| Some(point));
    admissible.prepare(w, &[&residuals, &coefficients], &|w, mut point| {
        let values = rates.at(&w.g, &point).ok()?;
        variables.iter().zip(values).for_each(|((s, _), v)| point.set(*s, v));
        Some(point)
    });
    let mut tested = 0;
    for _ in 0..4 * STATES {
        let Some(mut point) = admissible.moving(w) else { continue };
        w.g.work.charge((rates.steps() + residuals.steps() + coefficients.steps()) as u64);
        let Ok(values) = rates.at(&w.g, &point) else { continue };
        variables.iter().zip(values).for_each(|((s, _), v)| point.set(*s, v));
        let (Ok(values), Ok(matrix)) = (residuals.at(&w.g, &point), coefficients.at(&w.g, &point)) else {
            continue;
        };
        let fails = values.iter().position(|v| !v.is_zero());
        let rows: Vec<Vec<Fp>> = matrix.chunks(m.max(1)).map(<[Fp]>::to_vec).collect();
        let determined = rank(&rows) == m;
        // Beside the constraints what holds on them need not hold, and constraints that contradict each other hold nowhere.
        if (fails.is_some() || !determined) && !admissible.on_constraints() {
            return Test::Impossible("no states on the holonomic constraints could be drawn in the prime field".into());
        }
        if let Some(i) = fails {
            return Test::Suspect(i);
        }
        if !determined {
            return Test::Fails("the equations do not determine the accelerations".into());
        }
        tested += 1;
        if tested == STATES {
            let signs = residuals.signs(&w.g) + admissible.signs(&w.g);
            return if signs == 0 { Test::Passes } else { Test::PassesButForSigns };
        }
    }
    Test::Impossible("the form has no value at the states drawn".into())
}

/// Proves (1) and (2), or puts what the form states into Lagrange's equations.
fn prove(w: &mut Workbench, eq: &Equations) -> Result<(), String> {
    let d = w.dynamics();
    let n = w.system.n();
    let insert: FxHashMap<Symbol, Expr> = eq.velocities.iter().chain(&eq.accelerations).copied().collect();
    let mut identities: Vec<Expr> = Vec::new();
    if eq.own == 0 && w.rank() == n {
        // No freedom is left: the constraints alone determine the motion, and they are the same for every form.
        return Ok(());
    }
    if eq.directions.is_empty() {
        // Accelerations (and multipliers) given outright, or Lagrange's equations themselves.
        let mut solution: FxHashMap<Symbol, Expr> = eq.reactions.iter().copied().collect();
        let mut values = Vec::new();
        for (&s, &e) in eq.unknowns.iter().zip(&eq.equations) {
            let symbol = w.g.symbol(s);
            values.push(w.g.sub(symbol, e));
        }
        solution.extend(eq.unknowns.iter().copied().zip(values.iter().copied()));
        let stated = w.g.depending(&values, &eq.unknowns).is_empty();
        if stated {
            if eq.reactions.len() < w.system.k() {
                return Err("redundant constraints leave the multipliers free".into());
            }
            match in_letters(w, eq, &solution) {
                Some(list) => identities.extend(list),
                None => identities.extend(lagrange_residuals(w).into_iter().map(|e| w.g.substitute(e, &solution))),
            }
        } else {
            // The equations must be Lagrange's, one by one.
            let residuals = lagrange_residuals(w);
            for (&a, &b) in eq.equations.iter().zip(&residuals) {
                identities.push(w.g.sub(a, b));
            }
        }
    } else {
        let projections = eq.projections(w);
        for (r, y) in eq.directions.iter().enumerate() {
            identities.push(w.g.sub(eq.equations[r], projections[r])); // (1)
            let mut allowed = Vec::new();
            for row in &d.a {
                let a = w.g.substitute_all(row, &insert);
                allowed.push(w.g.dot_product(&a, y)); // (2)
            }
            allowed.retain(|&e| !w.g.is_zero(e));
            if !are_zero_together(w, &allowed) {
                identities.append(&mut allowed);
            }
            for (_, list) in &eq.alternatives {
                let difference = w.g.sub(list[r], eq.equations[r]);
                identities.push(difference);
            }
        }
    }
    for e in identities {
        match zero(w, e) {
            Known::Proved => {}
            Known::Tested { .. } | Known::Numerical => return Err("the normal form is too large".into()),
            Known::Unknown(why) => return Err(why),
            Known::Refuted(_) => return Err("the equations agree on the constraints only".into()),
        }
    }
    Ok(())
}

/// (3) for constraints of higher order: is the matrix of M and A regular, which the highest derivatives and λ follow from?
fn determined(w: &mut Workbench) -> Result<(), String> {
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    let zero = w.g.zero();
    let mut rows: Vec<Vec<Expr>> = Vec::new();
    for i in 0..n {
        let row = d.mass[i].iter().copied().chain(d.a.iter().map(|a| a[i]));
        rows.push(row.collect());
    }
    for a in &d.a {
        rows.push(a.iter().copied().chain(std::iter::repeat_n(zero, k)).collect());
    }
    let mut generic = Generic::new(&mut w.g, &w.system);
    if matrix_rank(w, &rows, &mut generic) == n + k {
        Ok(())
    } else {
        Err("the equations do not determine the motion".into())
    }
}

/// The accelerations q̈ = a + M⁻¹Aᵀλ in Lagrange's equations: these hold for every λ, and the constraints hold for every
/// a, so each may stay a letter where it does not matter. Nothing, if the letters do not give what the form states.
fn in_letters(w: &mut Workbench, eq: &Equations, solution: &FxHashMap<Symbol, Expr>) -> Option<Vec<Expr>> {
    let n = w.system.n();
    let (free, multipliers) = eq.letters.split_at_checked(n)?;
    let (free, multipliers): (FxHashMap<_, _>, FxHashMap<_, _>) =
        (free.iter().copied().collect(), multipliers.iter().copied().collect());
    let for_every_multiplier = w.g.substitute_all(&eq.in_letters, &free);
    let for_every_free = w.g.substitute_all(&eq.in_letters, &multipliers);
    let written_out = w.g.substitute_all(&for_every_free, &free);
    if !eq.unknowns.iter().zip(&written_out).all(|(s, e)| solution.get(s) == Some(e)) {
        return None;
    }
    let accelerations = |list: &[Expr]| eq.unknowns.iter().copied().zip(list.iter().copied()).collect();
    let (first, second) = (accelerations(&for_every_multiplier), accelerations(&for_every_free));
    let residuals = lagrange_residuals(w);
    let identities =
        residuals.iter().enumerate().map(|(i, &e)| w.g.substitute(e, if i < n { &first } else { &second }));
    Some(identities.collect())
}

/// Does one normal form prove all of these, which are made of the same parts? Where not, each is asked by itself, in other angles too.
fn are_zero_together(w: &mut Workbench, list: &[Expr]) -> bool {
    if list.len() < 2 || list.iter().any(|&e| w.g.is_undefined(e) || bases(&mut w.g, e).len() > 1) {
        return list.is_empty();
    }
    let options = Options { limits: proof_limits(w), ..Options::default() };
    Normalizer::new(options).are_zero(&mut w.g, list) == Ok(true)
}

/// What the proof of one identity may take.
fn proof_limits(w: &Workbench) -> Limits {
    Limits { normal_form_work: w.limits.normal_form_work.min(PROOF_WORK), ..w.limits.clone() }
}

/// The zero test with a bounded proof. In chains of bodies the angles between successive ones give the shorter proof. Whoever asks
/// wants the proof: the field says whether it is worth trying, and no more.
pub(super) fn zero(w: &mut Workbench, e: Expr) -> Known {
    let limits = proof_limits(w);
    let mut verdict = None;
    for basis in bases(&mut w.g, e) {
        let normal = Options { basis, limits: limits.clone(), ..Options::default() };
        match is_zero(&mut w.g, e, &ZeroOptions { normal, points: 1, points_with_signs: 4, ..ZeroOptions::default() }) {
            Known::Tested { error_bound } => verdict = Some(Known::Tested { error_bound }),
            decided => return decided,
        }
    }
    verdict.unwrap_or_else(|| Known::Unknown("no basis of angles".into()))
}

/// 𝓔_i − Σ_j λ_j A_ji and A q̈ − b.
fn lagrange_residuals(w: &mut Workbench) -> Vec<Expr> {
    let d = w.dynamics();
    let mut list = Vec::new();
    for i in 0..w.system.n() {
        let mut terms = Formula::from(d.operator[i]);
        for (j, c) in w.system.constraints.iter().enumerate() {
            let lambda = w.g.symbol(c.multiplier);
            terms -= lambda * d.a[j][i];
        }
        list.push(w.g.of(terms));
    }
    list.extend(acceleration_constraints(w));
    list
}

#[cfg(test)]
mod tests;
