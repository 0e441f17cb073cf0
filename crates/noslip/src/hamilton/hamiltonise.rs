//! Hamiltonisation by a change of time: Chaplygin's reducing multiplier, verified, and what follows from it.
//!
//! With dτ = N(r) dt the reduced equations of a Chaplygin system become Lagrange's equations of L̃ = N²T°(r, dr/dτ) − V.
//! That is verified by deriving them: in
//! ```text
//! d/dτ ∂L̃/∂r'_a − ∂L̃/∂r_a − Q_a = 0,   r' = ṙ/N,   r'' = r̈/N² − ṙ Ṅ/N³                                          (1)
//! ```
//! the left sides must be those of Chaplygin's equations (in quasi-coordinates: of Boltzmann and Hamel's) identically. Then
//! N^(l−1) det g dr dṙ is an invariant measure of the reduced system; its divergence is shown to vanish.
//!
//! Arzhanykh's substitution (Sumbatov (3.18)): when everything depends on q_1 alone, q̇_2 = A η̇ + B q̇_1 with
//! ```text
//! B = −g_12/g_22,   A = (g_11 − g_12²/g_22)/(K_1 + B K_2)      (A = 1 where the denominator vanishes)              (2)
//! ```
//! makes the metric of (q_1, η) diagonal and ∂ ln N/∂η constant, so that the compatibility condition holds and N is found by
//! one quadrature: ln N = −η + ∫(K_2/g_22 − A'/A) dq_1.
//!
//! Where no N(r_1, r_2) exists, Chaplygin's second case gives one to each family of paths dr_2/dr_1 = u(r, δ): first u from a nonlinear
//! equation of first order, then N(r, δ) from a linear one. Both are solved where, after Arzhanykh's substitution, the metric times N² depends on η
//! alone but for a constant: with θ = ∫ √(E/G) dr_1
//! ```text
//! u = B − A √(E/G) tan(θ − δ),   N = 1/(√g_22 sin(θ − δ)),                                                         (3)
//! ```
//! and the momenta N p are the derivatives of a solution of the Hamilton–Jacobi equation. Where the quadratures of that equation can be
//! inverted, the law of motion is given.
//!
//! Sources: Chaplygin 1911; Sumbatov, section 3; Fedorov, Jovanović for the measure with more degrees of freedom.

use crate::analysis::{ReducingMultiplier, reducing_multiplier, reducing_multiplier_quasi};
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::Known;
use crate::expr::{Arena, Expr, Formula, Matrix, Rational, Role, Symbol};
use crate::forms::{BoltzmannHamel, Chaplygin, Form};
use crate::mechanics::Generic;
use crate::mechanics::{SplitFrame, Workbench};
use crate::model::{QuasiVelocity, System};
use crate::verify::vanishes;
use rustc_hash::FxHashMap;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "hamiltonise",
    aliases: &["arzhanykh", "second-case"],
    name: "The reducing multiplier",
    source: "Chaplygin 1911; Sumbatov 2002, section 3, (3.18)",
    needs: "a Chaplygin system with linear homogeneous constraints, or quasi-velocities that close",
    about: crate::card::head_of!("hamiltonise.rs"),
};

/// The reduced system in the new time.
#[derive(Clone, Debug)]
pub struct Hamiltonisation {
    /// r.
    pub coordinates: Vec<Symbol>,
    /// Velocities: ṙ, or r' = dr/dτ in what is said of the new time.
    pub velocities: Vec<Symbol>,
    /// N.
    pub multiplier: Expr,
    /// N²T° − V, velocities meaning dr/dτ; without V where it contains other coordinates or forces have no potential.
    pub lagrangian: Expr,
    /// The forces that L̃ does not contain, per coordinate; empty where it contains all.
    pub other_forces: Vec<Expr>,
    /// (1), velocities and accelerations meaning derivatives by τ.
    pub equations: Vec<Expr>,
    /// Are (1) the equations of motion?
    pub verified: Known,
    /// The first difference between (1) and the equations of motion, where there is one.
    pub difference: Option<Expr>,
    /// Density of the invariant measure in (r, ṙ).
    pub measure: Expr,
    /// Does its divergence vanish along the motion?
    pub measure_invariant: Known,
}

/// The reduced equations of motion in coordinates r, closed.
pub(super) struct Reduced {
    coordinates: Vec<Symbol>,
    velocities: Vec<Symbol>,
    pub(super) accelerations: Vec<Symbol>,
    pub(super) kinetic: Expr,
    pub(super) forces: Vec<Expr>,
    /// −∂V/∂r comes from here, where it does.
    potential: Option<Expr>,
    pub(super) equations: Vec<Expr>,
}

/// In the coordinates of the Chaplygin split.
pub(super) fn in_coordinates(w: &mut Workbench) -> Result<Reduced, String> {
    let split = w.chaplygin_split().map_err(|why| format!("not a Chaplygin system: {why}"))?;
    if split.explicit.is_none() {
        return Err("the constraints are not solved explicitly".into());
    }
    let eq = Chaplygin.derive(w).map_err(|e| e.message)?;
    let frame = SplitFrame::new(w, split.clone());
    let forces = (0..split.independent.len()).map(|s| frame.force(w, s)).collect();
    let dependent = split.pick_dependent(&w.system.coordinates);
    let (potential, none) = (w.system.potential, w.system.forces.iter().all(|&f| w.g.is_zero(f)));
    let potential = (none && w.occurs(potential, &dependent).is_none()).then_some(potential);
    Ok(Reduced {
        coordinates: split.pick_independent(&w.system.coordinates),
        velocities: split.pick_independent(&w.system.velocities),
        accelerations: split.pick_independent(&w.system.accelerations),
        kinetic: frame.kinetic,
        forces,
        potential,
        equations: eq.equations[..eq.own].to_vec(),
    })
}

/// In the quasi-coordinates of a multiplier that was found in them.
fn in_quasi_coordinates(w: &mut Workbench, found: &ReducingMultiplier) -> Result<Reduced, String> {
    let quasi = w.closed_quasi()?;
    let eq = BoltzmannHamel.derive(w).map_err(|e| e.message)?;
    let star = quasi.kinetic_free(w).ok_or("the velocities have no closed form")?;
    let kinetic = quasi.on_constraints(w, star);
    let velocities = quasi.free.clone();
    let mut accelerations = Vec::new();
    let mut forces = Vec::new();
    for (r, &v) in velocities.iter().enumerate() {
        accelerations.push(w.g.dot(v));
        let force = quasi.force(w, r);
        forces.push(w.simplify(force));
    }
    // V goes along where it depends on true coordinates among these only.
    let (potential, none) = (w.system.potential, w.system.forces.iter().all(|&f| w.g.is_zero(f)));
    let others: Vec<Symbol> = w.system.coordinates.iter().copied().filter(|q| !found.coordinates.contains(q)).collect();
    let potential = (none && w.occurs(potential, &others).is_none()).then_some(potential);
    let potential = potential.or_else(|| forces.iter().all(|&f| w.g.is_zero(f)).then(|| w.g.zero()));
    Ok(Reduced {
        coordinates: found.coordinates.to_vec(),
        velocities,
        accelerations,
        kinetic,
        potential,
        forces,
        equations: eq.equations[..eq.own].to_vec(),
    })
}

/// Derives (1) for a multiplier and compares with the equations of motion.
fn verify(w: &mut Workbench, reduced: &Reduced, n: Expr) -> Result<Hamiltonisation, String> {
    let l = reduced.coordinates.len();
    let (r, v, a) = (&reduced.coordinates, &reduced.velocities, &reduced.accelerations);
    if w.g.free_symbols(&[n]).into_iter().any(|s| w.g.role(s).varies() && !r.contains(&s))
        || w.g.depends_on(n, w.g.time())
    {
        return Err("a multiplier depends on the independent coordinates only".into());
    }
    // Homogeneous of degree two, or the new time would spoil the other terms.
    let p = w.g.gradient(reduced.kinetic, v);
    let speeds: Vec<Expr> = v.iter().map(|&s| w.g.symbol(s)).collect();
    let product = w.g.dot_product(&p, &speeds);
    let twice = w.g.scale(reduced.kinetic, &Rational::integer(2));
    let excess = w.g.sub(product, twice);
    if !vanishes(w, excess).holds() {
        return Err("the reduced kinetic energy has terms of lower degree in the velocities".into());
    }
    let mut rates: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for i in 0..l {
        rates.insert(r[i], speeds[i]);
        rates.insert(v[i], w.g.symbol(a[i]));
    }
    let square = w.g.square(n);
    let kinetic = w.g.mul(square, reduced.kinetic);
    // What depends on velocities knows those of the old time, ṙ = N r′.
    let new_time: FxHashMap<Symbol, Expr> = (0..l).map(|i| (v[i], w.g.mul(n, speeds[i]))).collect();
    let forces = w.g.substitute_all(&reduced.forces, &new_time);
    let mut equations = Vec::new();
    for i in 0..l {
        let momentum = w.g.diff(kinetic, v[i]);
        let rate = w.g.directional(momentum, &rates);
        let by_r = w.g.diff(kinetic, r[i]);
        let terms = rate - by_r - forces[i];
        equations.push(w.g.of(terms)); // (1)
    }
    let n_rate = w.g.directional(n, &rates);
    let mut old_time: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for i in 0..l {
        old_time.insert(v[i], w.g.div(speeds[i], n));
        let acceleration = w.g.symbol(a[i]);
        let inverse_square = w.g.powi(n, -2);
        let first = w.g.mul(acceleration, inverse_square);
        let inverse_cube = w.g.powi(n, -3);
        let second = w.g.product([speeds[i], n_rate, inverse_cube]);
        old_time.insert(a[i], w.g.sub(first, second));
    }
    let (mut verified, mut difference) = (Known::Proved, None);
    for i in 0..l {
        let left = w.g.substitute(equations[i], &old_time);
        let e = w.g.sub(left, reduced.equations[i]);
        let truth = vanishes(w, e);
        if !truth.holds() && difference.is_none() {
            difference = Some(w.simplify(e));
        }
        verified = verified.and(truth);
    }
    let g: Matrix = w.g.hessian(reduced.kinetic, v);
    let determinant = w.g.determinant(&g);
    let power = w.g.powi(n, l as i64 - 1);
    let measure = w.simplify(power * determinant);
    let measure_invariant = divergence(w, reduced, &g, measure)
        .map_or_else(|| Known::unknown("the reduced motion is not solved for"), |e| vanishes(w, e));
    let potential = reduced.potential.unwrap_or(w.g.zero());
    let lagrangian = w.g.sub(kinetic, potential);
    Ok(Hamiltonisation {
        coordinates: r.clone(),
        velocities: v.clone(),
        multiplier: n,
        lagrangian: w.simplify(lagrangian),
        other_forces: if reduced.potential.is_some() { Vec::new() } else { w.simplify_all(&forces) },
        equations: w.simplify_all(&equations),
        verified,
        difference,
        measure,
        measure_invariant,
    })
}

/// Σ ∂(ρṙ_a)/∂r_a + ∂(ρr̈_a)/∂ṙ_a along the reduced motion.
fn divergence(w: &mut Workbench, reduced: &Reduced, g: &Matrix, density: Expr) -> Option<Expr> {
    let inverse = w.inverse(g)?;
    let rest: Vec<Expr> = reduced.equations.iter().map(|&e| w.g.without(e, &reduced.accelerations)).collect();
    let accelerations = w.g.matrix_vector(&inverse, &rest);
    let mut terms = Formula::ZERO;
    for i in 0..reduced.coordinates.len() {
        let v = w.g.symbol(reduced.velocities[i]);
        let flux = w.g.mul(density, v);
        terms += w.g.diff(flux, reduced.coordinates[i]);
        let flux = w.g.mul(density, accelerations[i]);
        terms -= w.g.diff(flux, reduced.velocities[i]);
    }
    Some(w.g.of(terms))
}

/// What is known in one pair of coordinates.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The compatibility condition and N.
    pub condition: ReducingMultiplier,
    /// The system in the new time, where N is known in closed form.
    pub system: Option<Hamiltonisation>,
}

impl Finding {
    /// Does N exist, and how is that known? What is verified in the new time needs no other proof.
    pub fn exists(&self) -> Known {
        let verified = self.system.as_ref().is_some_and(|s| s.verified == Known::Proved);
        match (self.condition.exists, &self.condition.certainty) {
            (true, Known::Proved) => Known::Proved,
            (true, _) if verified => Known::Proved,
            (true, known) => known.clone(),
            (false, Known::Proved) => Known::refuted_because("a condition of the multiplier fails at a point"),
            (false, Known::Unknown(why)) => Known::unknown(why.as_str()),
            (false, _) => Known::unknown("no multiplier was found, and none excluded"),
        }
    }
}

/// N in the coordinates of the Chaplygin split, or why there is none.
pub fn chaplygin(w: &mut Workbench) -> Result<Finding, String> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    let condition = reducing_multiplier(w, &mut generic)?;
    let system = condition.multiplier.map(|_| in_new_time(w, &condition)).transpose()?;
    Ok(Finding { condition, system })
}

/// N in the model's quasi-coordinates, or why there is none.
pub fn quasi_coordinates(w: &mut Workbench) -> Result<Finding, String> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    let condition = reducing_multiplier_quasi(w, &mut generic)?;
    let system = condition.multiplier.map(|_| in_new_time(w, &condition)).transpose()?;
    Ok(Finding { condition, system })
}

/// The reduced system in the time of a multiplier that was found.
pub fn in_new_time(w: &mut Workbench, found: &ReducingMultiplier) -> Result<Hamiltonisation, String> {
    let n = found.multiplier.ok_or("the multiplier is not known in closed form")?;
    let reduced = if found.quasi_velocities.iter().all(Option::is_none) {
        in_coordinates(w)?
    } else {
        in_quasi_coordinates(w, found)?
    };
    verify(w, &reduced, n)
}

/// Tests a multiplier proposed by the user, for any number of degrees of freedom.
pub fn proposed(w: &mut Workbench, n: Expr) -> Result<Hamiltonisation> {
    let refuse = |why: String| Error::not_applicable(format!("a reducing multiplier does not apply: {why}"));
    if w.g.is_zero(n) || w.g.is_undefined(n) {
        return Err(Error::input("a reducing multiplier is not zero"));
    }
    let reduced = in_coordinates(w).map_err(refuse)?;
    verify(w, &reduced, n).map_err(refuse)
}

/// The same system with the velocities of these coordinates taken as independent, where the constraints allow it: forms and
/// analysis keep what the model uses as quasi-velocities independent.
pub fn with_independent(g: &mut Arena, system: &System, coordinates: &[Symbol]) -> System {
    let mut quasi_velocities = Vec::new();
    for &q in coordinates {
        let symbol = g.declare_beside(&format!("w_{}_A", g.name(q)), Role::QuasiVelocity);
        let velocity = g.dot(q);
        quasi_velocities.push(QuasiVelocity { symbol, expr: g.symbol(velocity) });
    }
    System { quasi_velocities, ..system.clone() }
}

/// Arzhanykh's substitution.
#[derive(Clone, Debug)]
pub struct Arzhanykh {
    /// q_1: the coordinate on which alone everything depends.
    pub coordinate: Symbol,
    /// q_2.
    pub other: Symbol,
    /// η̇.
    pub velocity: Symbol,
    /// A.
    pub a: Expr,
    /// B.
    pub b: Expr,
    /// N in (q_1, η).
    pub finding: Finding,
}

/// (2), and what it is made of.
pub(super) struct Diagonal {
    /// The places of q_1 and q_2 among the independent coordinates.
    pub(super) one: usize,
    pub(super) two: usize,
    pub(super) coordinates: Vec<Symbol>,
    pub(super) velocities: Vec<Symbol>,
    /// g.
    pub(super) metric: Matrix,
    /// g_11 − g_12²/g_22.
    pub(super) rest: Expr,
    pub(super) a: Expr,
    pub(super) b: Expr,
}

/// Finds (2) where T° and the constraints depend on one coordinate only.
pub(super) fn diagonal(w: &mut Workbench) -> Result<Diagonal, String> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    let known = reducing_multiplier(w, &mut generic)?;
    let split = w.chaplygin_split()?;
    let frame = SplitFrame::new(w, split.clone());
    let velocities = split.pick_independent(&w.system.velocities);
    let g = w.g.hessian(frame.kinetic, &velocities);
    let g: Matrix = g.iter().map(|row| w.simplify_all(row)).collect();
    if velocities.len() != 2 {
        return Err(format!("the substitution is for two degrees of freedom, here there are {}", velocities.len()));
    }
    let all: Vec<Expr> = g.iter().flatten().chain(&known.gyroscopic).copied().collect();
    let alone = |w: &mut Workbench, i: usize| {
        let other = known.coordinates[1 - i];
        all.iter().all(|&e| w.occurs(e, &[other]).is_none())
    };
    let one = (0..2).find(|&i| alone(w, i)).ok_or("the reduced equations depend on both coordinates")?;
    let two = 1 - one;
    // R_1 = ṙ_2 (K_1ṙ_1 + K_2ṙ_2)
    let by_two = w.g.diff(known.gyroscopic[one], velocities[two]);
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    let k_one = w.g.diff(by_two, velocities[one]);
    let k_two = w.g.diff(by_two, velocities[two]);
    let k_two = w.g.scale(k_two, &half);
    let quotient = w.g.div(g[one][two], g[two][two]);
    let b = w.simplify(-quotient);
    let p = w.g.mul(b, k_two);
    let kappa = w.simplify(k_one + p);
    let p = w.g.mul(b, g[one][two]);
    let rest = w.g.add(g[one][one], p);
    let a = if vanishes(w, kappa).holds() {
        w.g.one()
    } else {
        let a = w.g.div(rest, kappa);
        w.simplify(a)
    };
    Ok(Diagonal { one, two, coordinates: known.coordinates, velocities, metric: g, rest, a, b })
}

/// Applies (2).
pub fn arzhanykh(w: &mut Workbench) -> Result<Arzhanykh, String> {
    let Diagonal { one, two, coordinates, velocities, a, b, .. } = diagonal(w)?;
    if w.g.is_one(a) && w.g.is_zero(b) {
        // η is q_2 itself.
        let velocity = velocities[two];
        let finding = chaplygin(w)?;
        return Ok(Arzhanykh { coordinate: coordinates[one], other: coordinates[two], velocity, a, b, finding });
    }
    // The same system with η̇ = (q̇_2 − B q̇_1)/A as a quasi-velocity.
    let eta = w.g.declare_beside("eta_A", Role::QuasiVelocity);
    let first = w.g.declare_beside(&format!("w_{}_A", w.g.name(coordinates[one])), Role::QuasiVelocity);
    let (v1, v2) = (w.g.symbol(velocities[one]), w.g.symbol(velocities[two]));
    let p = w.g.mul(b, v1);
    let difference = w.g.sub(v2, p);
    let rate = w.g.div(difference, a);
    let quasi = vec![QuasiVelocity { symbol: first, expr: v1 }, QuasiVelocity { symbol: eta, expr: rate }];
    let system = System { quasi_velocities: quasi, ..(*w.system).clone() };
    let finding = w.beside(system, quasi_coordinates)?;
    Ok(Arzhanykh { coordinate: coordinates[one], other: coordinates[two], velocity: eta, a, b, finding })
}
