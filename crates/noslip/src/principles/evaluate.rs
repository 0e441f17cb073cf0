//! The principles of mechanics made visible: evaluated along a motion, they vanish or are least for the true one and for no
//! other.
//!
//! With y_r the directions of the virtual displacements and η(t) a function that vanishes at both ends:
//! ```text
//! Hölder          ∫ (δT + δW) dt = 0                 δq = η y_r,  δq̇ = d(δq)/dt                                    (1)
//! Suslov          ∫ (δT + δW + Σ_ν p_ν (dδq_ν/dt − δq̇_ν)) dt = 0    δq̇_ν from the varied constraints                (2)
//! Suslov–Jourdain Σ 𝓔_i y_ri = 0                     at every moment                                              (3)
//! Gauss           Z = ½ q̈ᵀMq̈ + hᵀq̈ is least          among the accelerations the constraints admit                  (4)
//! central         ∫ from t_1 to t of (δT + δW) dt = δP = Σ p_i δq_i    for every t                                   (5)
//! ```
//! (1) is Sumbatov (4.6): the varied motions violate the constraints. (2) is (4.7): they do not, but then velocities and
//! variations do not commute, and the terms that say so are shown by themselves. In (4) M and h are those of 𝓔 = Mq̈ + h, so
//! that massless coordinates do no harm; Z differs from Gauss's constraint by what does not depend on q̈. Where M can be inverted the
//! constraint itself is printed, Z = ½ (q̈ − a)ᵀM(q̈ − a) with the acceleration a that there would be without constraints. (5) is problem
//! 5.1 of Greenwood: the variations of (1), followed to any moment between the ends.
//!
//! The three requirements on variations — (a) the varied motions satisfy the constraints, (b) the variations are virtual
//! displacements, (c) d(δq) = δ(dq) — contradict each other where constraints are not integrable: going along two admissible
//! directions in one order and in the other does not lead to the same place (`noslip principle --quadrilateral`).

use super::vakonomic::Vakonomic;
use crate::card::Card;
use crate::compile::{CompileOptions, compile};
use crate::error::{Error, Remedy, Result};
use crate::expr::{Expr, Formula, Matrix, not_decided};
use crate::mechanics::{SplitFrame, Workbench};
use crate::mechanics::{mass_rank, virtual_displacements};
use crate::model::{State, System};
use crate::simulate::{self, Sample, Settings, Simulation, values_along};
use std::sync::Arc;

/// What `explain` tells of it.
pub const CARD: Card = Card {
    id: "principle",
    aliases: &["gauss", "holder", "quadrilateral"],
    name: "The principles of mechanics, evaluated",
    source: "Sumbatov 2002, section 4, (4.6), (4.7); Greenwood (5.129), problem 5.1; Gauss 1829; modelling textbook (4.286)",
    needs: "independent constraints and an initial state",
    about: crate::card::head_of!("evaluate.rs"),
};

/// Fewest panels of the quadrature along a motion, with five points each.
pub const PANELS: usize = 80;
/// Most panels.
const MOST_PANELS: usize = 4000;
/// The same interval by three of the five points, exact for cubics: what the two differ by tells how smooth the motion is.
const COARSE: [f64; 5] = [0.405_955_654_254_735, 0.0, 1.188_088_691_490_53, 0.0, 0.405_955_654_254_735];
/// Relative size below which a principle holds.
pub const HOLDS: f64 = 1e-7;

/// Abscissae and weights of Gauss and Legendre on [−1, 1].
pub(super) const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// A motion at the points of a quadrature.
#[derive(Clone, Debug)]
pub struct Path {
    /// Begin and end.
    pub span: (f64, f64),
    /// The motion at the points.
    pub samples: Vec<Sample>,
    /// Weights of the points.
    pub weights: Vec<f64>,
}

/// Follows the system from a state. `push` adds forces that the principles are not told of: a deliberately wrong motion.
pub fn path(w: &mut Workbench, state: &State, until: f64, tolerance: f64, push: Option<&[Expr]>) -> Result<Path> {
    if !(until.is_finite() && until > state.time) {
        let message = format!("the motion begins at t = {} and must end after it", state.time);
        return Err(Error::input(message).remedy(Remedy::LaterEnd));
    }
    let mut settings = Settings { tolerance, max_steps: w.limits.steps, ..Settings::until(until) };
    let mut forces = w.system.forces.clone();
    for (f, &more) in forces.iter_mut().zip(push.unwrap_or_default()) {
        *f = w.g.add(*f, more);
    }
    let system = Arc::new(System { forces, ..(*w.system).clone() });
    // The steps of a first run tell how finely the motion has to be looked at.
    let first = w.beside(system.clone(), |bench| simulate::simulate(bench, state, &settings, &mut |_| true))?;
    let whole = |run: &Simulation| {
        if run.outcome.is_success() {
            return Ok(());
        }
        let message = format!("the motion ends early, at t = {}: {}", run.end.0, run.outcome.code().replace('_', " "));
        Err(Error::computation(message).remedy(Remedy::EarlierEnd))
    };
    whole(&first)?;
    let panels = (2 * first.statistics.steps as usize).clamp(PANELS, MOST_PANELS);
    let h = (until - state.time) / panels as f64;
    let mut weights = Vec::new();
    for i in 0..panels {
        for (x, weight) in GAUSS {
            settings.at.push(state.time + h * (i as f64 + (1.0 + x) / 2.0));
            weights.push(weight * h / 2.0);
        }
    }
    let run = w.beside(system, |bench| simulate::simulate(bench, state, &settings, &mut |_| true))?;
    whole(&run)?;
    Ok(Path { span: (state.time, until), samples: run.samples, weights })
}

/// One number of a principle.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The variation: direction and shape.
    pub variation: String,
    /// The integral, or the largest value along the motion.
    pub value: f64,
    /// The same with the moduli of its terms: what the value would have to be compared with.
    pub scale: f64,
    /// What the quadrature may be wrong by; zero where there is none.
    pub error: f64,
}

/// A principle evaluated along a motion.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Its name.
    pub name: &'static str,
    /// What should vanish, or be least.
    pub statement: &'static str,
    /// Largest value relative to its scale.
    pub defect: f64,
    /// Is that nothing?
    pub holds: bool,
    /// It is something, but the quadrature is no better: the motion is not smooth there.
    pub undecided: bool,
    /// By variations.
    pub terms: Vec<Term>,
    /// What would be left without the transpositional terms, where the principle has such: largest relative value.
    pub without_transposition: Option<f64>,
    /// What is least, with its values at the beginning and at the end of the motion.
    pub least: Option<(Expr, f64, f64)>,
}

impl Evaluation {
    fn of(name: &'static str, statement: &'static str, terms: Vec<Term>, without: Option<f64>) -> Evaluation {
        let defect = relative(&terms);
        let holds = defect <= HOLDS;
        let undecided = !holds && terms.iter().all(|t| t.value.abs() <= HOLDS * t.scale + 3.0 * t.error);
        Evaluation { name, statement, defect, holds, undecided, terms, without_transposition: without, least: None }
    }
}

fn relative(terms: &[Term]) -> f64 {
    // One scale for all: a variation along which nothing happens is no standard of comparison.
    let scale = terms.iter().fold(f64::MIN_POSITIVE, |m, t| m.max(t.scale));
    terms.iter().fold(0.0, |m, t| f64::max(m, if t.value.is_finite() { t.value.abs() / scale } else { f64::INFINITY }))
}

/// η and η̇ of the shapes: s²(1 − s)² times the powers of 2s − 1.
const SHAPES: i32 = 3;

fn shape(mode: i32, t: f64, span: (f64, f64)) -> (f64, f64) {
    let length = span.1 - span.0;
    let s = (t - span.0) / length;
    let (bump, bump_rate) = ((s * (1.0 - s)).powi(2) * 16.0, 32.0 * s * (1.0 - s) * (1.0 - 2.0 * s));
    let x = 2.0 * s - 1.0;
    let (p, p_rate) = (x.powi(mode), if mode == 0 { 0.0 } else { 2.0 * f64::from(mode) * x.powi(mode - 1) });
    (bump * p, (bump_rate * p + bump * p_rate) / length)
}

/// A factor W(t) of the shapes and its rate at the points. Dependent velocities have poles where others would have to be
/// chosen; W = (1 + |y|²)⁻² vanishes there faster than anything grows, and a shape times W is as good as the shape.
struct Taming(Vec<(f64, f64)>);

impl Taming {
    fn of(w: &mut Workbench, path: &Path, directions: &Matrix) -> Result<Taming> {
        let squares: Vec<Expr> = directions.iter().flatten().map(|&e| w.g.square(e)).collect();
        let size = w.g.sum(squares);
        let rate = w.g.time_derivative(size);
        let columns = values_along(w, &[size, rate], &path.samples)?;
        let weigh = |(s, rate): (&f64, &f64)| ((1.0 + s).powi(-2), -2.0 * (1.0 + s).powi(-3) * rate);
        Ok(Taming(columns[0].iter().zip(&columns[1]).map(weigh).collect()))
    }
}

/// ∫ (Σ_m c_m η + b η̇) dt for every shape η times W; `columns` holds the values of c_1…c_m and b at the points.
fn integrals(path: &Path, columns: &[Vec<f64>], taming: &Taming, label: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for mode in 0..SHAPES {
        let (mut value, mut scale, mut error, mut panel) = (0.0, 0.0, 0.0, 0.0f64);
        for (i, s) in path.samples.iter().enumerate() {
            let (eta, rate) = shape(mode, s.t, path.span);
            let (weight, weight_rate) = taming.0[i];
            let (eta, rate) = (eta * weight, rate * weight + eta * weight_rate);
            let place = i % GAUSS.len();
            for (m, column) in columns.iter().enumerate() {
                let x = path.weights[i] * column[i] * if m + 1 == columns.len() { rate } else { eta };
                value += x;
                scale += x.abs();
                panel += x * (1.0 - COARSE[place] / GAUSS[place].1);
            }
            if place + 1 == GAUSS.len() {
                error += panel.abs();
                panel = 0.0;
            }
        }
        terms.push(Term { variation: format!("{label}, shape {}", mode + 1), value, scale, error });
    }
    terms
}

fn refuse(why: String) -> Error {
    Error::not_applicable(format!("the principle does not apply: {why}"))
}

/// (1)
pub fn holder(w: &mut Workbench, path: &Path) -> Result<Evaluation> {
    w.no_second_order().map_err(refuse)?;
    let directions = virtual_displacements(w).map_err(refuse)?;
    let taming = Taming::of(w, path, &directions)?;
    let mut terms = Vec::new();
    for (r, y) in directions.iter().enumerate() {
        let columns = varied_energy(w, path, y)?;
        terms.extend(integrals(path, &columns, &taming, &format!("direction {}", r + 1)));
    }
    Ok(Evaluation::of("hamilton-holder", "∫ (δT + δW) dt = 0", terms, None))
}

/// ∫ from −1 to the i-th point of Gauss of the polynomial that is one at the j-th and zero at the others.
fn up_to(i: usize, j: usize) -> f64 {
    let half = (GAUSS[i].0 + 1.0) / 2.0;
    let one_at_j = |x: f64| -> f64 {
        let others = GAUSS.iter().enumerate().filter(|(m, _)| *m != j);
        others.map(|(_, (y, _))| (x - y) / (GAUSS[j].0 - y)).product()
    };
    GAUSS.iter().map(|(x, weight)| half * weight * one_at_j(half * (1.0 + x) - 1.0)).sum()
}

/// (5)
pub fn central(w: &mut Workbench, path: &Path) -> Result<Evaluation> {
    w.no_second_order().map_err(refuse)?;
    let directions = virtual_displacements(w).map_err(refuse)?;
    let taming = Taming::of(w, path, &directions)?;
    let mut terms = Vec::new();
    for (r, y) in directions.iter().enumerate() {
        let columns = varied_energy(w, path, y)?;
        for mode in 0..SHAPES {
            let (mut before, mut value, mut scale, mut error) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
            for panel in (0..path.samples.len()).step_by(GAUSS.len()) {
                let (mut integrand, mut impulse) = (Vec::new(), Vec::new());
                for i in panel..panel + GAUSS.len() {
                    let (eta, rate) = shape(mode, path.samples[i].t, path.span);
                    let (weight, weight_rate) = taming.0[i];
                    let (eta, rate) = (eta * weight, rate * weight + eta * weight_rate);
                    integrand.push((columns[0][i] + columns[1][i]) * eta + columns[2][i] * rate);
                    impulse.push(columns[2][i] * eta);
                }
                // The weights are those of half the panel.
                let half = path.weights[panel] / GAUSS[0].1;
                for i in 0..GAUSS.len() {
                    let so_far = before + half * (0..GAUSS.len()).map(|j| up_to(i, j) * integrand[j]).sum::<f64>();
                    let rest = so_far - impulse[i];
                    value = if rest.abs() > value.abs() || !rest.is_finite() { rest } else { value };
                    scale = scale.max(impulse[i].abs()).max(so_far.abs());
                }
                let whole = |weight: &dyn Fn(usize) -> f64| -> f64 {
                    half * (0..GAUSS.len()).map(|j| weight(j) * integrand[j]).sum::<f64>()
                };
                let (fine, coarse) = (whole(&|j| GAUSS[j].1), whole(&|j| COARSE[j]));
                error += (fine - coarse).abs();
                before += fine;
            }
            let variation = format!("direction {}, shape {}", r + 1, mode + 1);
            terms.push(Term { variation, value, scale, error });
        }
    }
    Ok(Evaluation::of("central-equation", "∫ (δT + δW) dt from the beginning to t is δP at every t", terms, None))
}

/// Along q = y η: the parts of δT + δW that go with η (forces, turning of y), and the one that goes with η̇, at the points.
fn varied_energy(w: &mut Workbench, path: &Path, y: &[Expr]) -> Result<Vec<Vec<f64>>> {
    let d = w.dynamics();
    let by_q = w.g.gradient(w.system.kinetic, &w.system.coordinates);
    let mut force = Vec::new();
    for i in 0..y.len() {
        let f = w.g.add(by_q[i], d.forces[i]);
        force.push(w.g.mul(f, y[i]));
    }
    let work = w.g.sum(force);
    let turned: Vec<Expr> = y.iter().map(|&e| w.g.time_derivative(e)).collect();
    let turn = w.g.dot_product(&d.momenta, &turned);
    let momentum = w.g.dot_product(&d.momenta, y);
    values_along(w, &[work, turn, momentum], &path.samples)
}

/// (2)
pub fn suslov(w: &mut Workbench, path: &Path) -> Result<Evaluation> {
    w.no_second_order().map_err(refuse)?;
    let split = w.split().map_err(refuse)?;
    let frame = SplitFrame::new(w, split.clone());
    let d = w.dynamics();
    let by_q = w.g.gradient(w.system.kinetic, &w.system.coordinates);
    let directions = split.directions(w);
    let taming = Taming::of(w, path, &directions)?;
    let (mut terms, mut bare) = (Vec::new(), Vec::new());
    for (s, y) in directions.iter().enumerate() {
        let i = split.independent[s];
        let mut force = Formula::ZERO;
        for h in 0..y.len() {
            let f = w.g.add(by_q[h], d.forces[h]);
            force += f * y[h];
        }
        let work = w.g.of(force);
        // p_ν δα_ν without the part that goes with η̇, and p_ν (dδq_ν/dt − δq̇_ν).
        let (mut varied, mut transposition) = (Vec::new(), Vec::new());
        for (nu, &dependent) in split.dependent.iter().enumerate() {
            let mut by = vec![frame.alpha_q(w, nu, i)];
            for (mu, &j) in split.dependent.iter().enumerate() {
                let e = frame.alpha_q(w, nu, j);
                by.push(w.g.mul(split.alpha_v[mu][s], e));
            }
            let by = w.g.sum(by);
            varied.push(w.g.mul(d.momenta[dependent], by));
            let bracket = frame.voronets_bracket(w, nu, s);
            transposition.push(w.g.mul(d.momenta[dependent], bracket));
        }
        let (varied, transposition) = (w.g.sum(varied), w.g.sum(transposition));
        let momentum = w.g.dot_product(&d.momenta, y);
        let label = format!("δ{}", w.g.name(w.system.coordinates[i]));
        let columns = values_along(w, &[work, varied, transposition, momentum], &path.samples)?;
        terms.extend(integrals(path, &columns, &taming, &label));
        let columns = [columns[0].clone(), columns[1].clone(), columns[3].clone()];
        bare.extend(integrals(path, &columns, &taming, &label));
    }
    let statement = "∫ (δT + δW + Σ p (dδq/dt − δq̇)) dt = 0";
    let scale = terms.iter().fold(f64::MIN_POSITIVE, |m, t| m.max(t.scale));
    let left = bare.iter().fold(0.0, |m: f64, t| m.max(t.value.abs() / scale));
    Ok(Evaluation::of("suslov", statement, terms, Some(left)))
}

/// (3)
pub fn jourdain(w: &mut Workbench, path: &Path) -> Result<Evaluation> {
    let directions = virtual_displacements(w).map_err(refuse)?;
    let d = w.dynamics();
    let mut terms = Vec::new();
    for (r, y) in directions.iter().enumerate() {
        let mut products = Vec::new();
        for i in 0..y.len() {
            products.push(w.g.mul(d.operator[i], y[i]));
            // 𝓔 is a difference of what may be large: its parts are the scale.
            let accelerations: Vec<Expr> = w.system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
            let inertia = w.g.dot_product(&d.mass[i], &accelerations);
            products.push(w.g.mul(inertia, y[i]));
            products.push(w.g.mul(d.rest[i], y[i]));
            products.push(w.g.mul(d.momenta[i], y[i]));
        }
        let columns = values_along(w, &products, &path.samples)?;
        let (mut value, mut scale) = (0.0f64, 0.0f64);
        for t in 0..path.samples.len() {
            let sum: f64 = columns.iter().step_by(4).map(|c| c[t]).sum();
            // Where no force acts at all there is still a momentum, and the force that would use it up.
            let parts: f64 = (0..columns.len())
                .filter(|i| i % 4 != 0)
                .map(|i| columns[i][t].abs() / if i % 4 == 3 { path.span.1 - path.span.0 } else { 1.0 })
                .sum();
            value = if sum.abs() > value.abs() || !sum.is_finite() { sum } else { value };
            scale = scale.max(parts);
        }
        terms.push(Term { variation: format!("direction {}", r + 1), value, scale, error: 0.0 });
    }
    Ok(Evaluation::of("suslov-jourdain", "Σ 𝓔 δ′q̇ = 0 at every moment", terms, None))
}

/// (4): the excess of Z over its least value, and whether any admissible change of the accelerations lowers it.
pub fn gauss(w: &mut Workbench, path: &Path) -> Result<Evaluation> {
    w.independent_constraints().map_err(refuse)?;
    let d = w.dynamics();
    let (n, k) = (w.system.n(), w.system.k());
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let first = path.samples.first().ok_or_else(|| Error::input("an empty motion"))?;
    let mut motion = simulate::Motion::new(w, &options, &[&[first.t][..], &first.y].concat())?;
    let list: Vec<Expr> = d.mass.iter().flatten().chain(&d.rest).copied().collect();
    let columns = values_along(w, &list, &path.samples)?;
    let directions = virtual_displacements(w).map_err(refuse)?;
    let flat: Vec<Expr> = directions.iter().flatten().copied().collect();
    let shifts = values_along(w, &flat, &path.samples)?;
    let (mut excess, mut scale, mut lowered, mut lift) = (0.0f64, 0.0f64, 0.0f64, f64::INFINITY);
    let (mut a, mut lambda) = (vec![0.0; n], vec![0.0; k]);
    for (t, s) in path.samples.iter().enumerate() {
        let z = |x: &[f64]| -> f64 {
            let quadratic: f64 =
                (0..n).map(|i| (0..n).map(|j| 0.5 * x[i] * columns[i * n + j][t] * x[j]).sum::<f64>()).sum();
            quadratic + (0..n).map(|i| columns[n * n + i][t] * x[i]).sum::<f64>()
        };
        motion
            .solve(s.t, &s.y, &mut a, &mut lambda)
            .map_err(|why| Error::computation(format!("at t = {} {why}", s.t)))?;
        // Z(q̈) − min Z = ½ |q̈ − q̈_true|²: no subtraction of large numbers.
        let off: Vec<f64> = (0..n).map(|i| s.accelerations[i] - a[i]).collect();
        let norm = |x: &[f64]| -> f64 {
            (0..n).map(|i| (0..n).map(|j| 0.5 * x[i] * columns[i * n + j][t] * x[j]).sum::<f64>()).sum()
        };
        excess = excess.max(norm(&off).sqrt());
        let brake: Vec<f64> = s.y[n..].iter().map(|v| v / (path.span.1 - path.span.0)).collect();
        scale = scale.max(norm(&a).sqrt()).max(norm(&s.accelerations).sqrt()).max(norm(&brake).sqrt());
        let here = z(&s.accelerations);
        for r in 0..directions.len() {
            let y: Vec<f64> = (0..n).map(|i| shifts[r * n + i][t]).collect();
            for step in [-0.1, 0.1] {
                let moved: Vec<f64> = (0..n).map(|i| s.accelerations[i] + step * y[i]).collect();
                let change = z(&moved) - here;
                lowered = lowered.min(change);
                lift = lift.min(change);
            }
        }
    }
    let floor = scale.max(f64::MIN_POSITIVE);
    let terms = vec![Term { variation: "root of Z − min Z".into(), value: excess, scale: floor, error: 0.0 }];
    let mut evaluation = Evaluation::of("gauss", "Z is least among the admissible accelerations", terms, None);
    // What a person wants to see beside it: no admissible change lowers Z.
    for (what, value) in [("largest decrease", lowered), ("smallest change", lift)] {
        let variation = format!("{what} of Z by an admissible change");
        evaluation.terms.push(Term { variation, value, scale: floor, error: 0.0 });
    }
    let formula = constraint_of_gauss(w)?;
    let values = values_along(w, &[formula], &path.samples)?;
    let ends = values[0].first().zip(values[0].last());
    evaluation.least = ends.map(|(first, last)| (formula, *first, *last));
    Ok(evaluation)
}

/// Z = ½ (q̈ − a)ᵀM(q̈ − a) with M a = −h; without what does not depend on q̈ where M cannot be inverted.
fn constraint_of_gauss(w: &mut Workbench) -> Result<Expr> {
    let d = w.dynamics();
    let accelerations: Vec<Expr> = w.system.accelerations.clone().into_iter().map(|s| w.g.symbol(s)).collect();
    let regular = mass_rank(w) == w.system.n();
    let inverse = if regular { w.inverse(&d.mass) } else { None };
    if regular && inverse.is_none() && w.g.work.is_spent() {
        return Err(not_decided());
    }
    let (moved, linear) = match inverse {
        Some(inverse) => {
            let free = w.g.matrix_vector(&inverse, &d.rest); // −a
            let moved: Vec<Expr> = accelerations.iter().zip(free).map(|(&q, a)| w.g.add(q, a)).collect();
            (moved, w.g.zero())
        }
        None => (accelerations.clone(), w.g.dot_product(&d.rest, &accelerations)),
    };
    let inertia = w.g.matrix_vector(&d.mass, &moved);
    let square = w.g.dot_product(&inertia, &moved);
    Ok(w.simplify(square / 2 + linear))
}

/// All principles along a motion; those that do not apply say why.
pub fn evaluate(w: &mut Workbench, path: &Path) -> Vec<(&'static str, Result<Evaluation>)> {
    vec![
        ("hamilton-holder", holder(w, path)),
        ("central-equation", central(w, path)),
        ("suslov", suslov(w, path)),
        ("suslov-jourdain", jourdain(w, path)),
        ("gauss", gauss(w, path)),
    ]
}

/// The quadrilateral of two virtual displacements.
#[derive(Clone, Debug)]
pub struct Quadrilateral {
    /// The fields along which it is walked, by their indices.
    pub fields: (usize, usize),
    /// Length of a side.
    pub side: f64,
    /// Where the walk ends, less where it began.
    pub gap: Vec<f64>,
    /// The same with sides half as long.
    pub half_gap: Vec<f64>,
    /// Σ_i A_ji gap_i/side²: how far the gap is off the constraints, per constraint.
    pub off: Vec<f64>,
    /// dω_j(y_a, y_b), of which that is an approximation.
    pub covariants: Vec<f64>,
}

/// What happens to the varied constraints when (b) and (c) are kept.
#[derive(Clone, Debug)]
pub struct Incompatibility {
    /// δφ_j for the virtual displacement y_r, in symbols, by constraints: (a) asks for zero.
    pub varied: Matrix,
    /// All pairs of directions at the state.
    pub quadrilaterals: Vec<Quadrilateral>,
}

/// Steps of each side of a quadrilateral.
const STRIDES: usize = 24;

/// Shows that (a), (b) and (c) contradict each other, in symbols and by walking; linear homogeneous constraints without t.
pub fn quadrilateral(w: &mut Workbench, state: &State, side: f64) -> Result<Incompatibility> {
    let refuse = |why: &str| Error::not_applicable(format!("the quadrilateral does not apply: {why}"));
    if !(side.is_finite() && side > 0.0) {
        return Err(Error::input("the side of a quadrilateral is greater than zero").remedy(Remedy::Side));
    }
    let v = Vakonomic::derive(w).map_err(|why| refuse(&why))?;
    let d = w.dynamics();
    let (n, k, l) = (w.system.n(), w.system.k(), v.directions.len());
    let mut moving = w.system.velocities.clone();
    moving.push(w.g.time());
    for &e in v.directions.iter().flatten().chain(d.a.iter().flatten()) {
        if w.occurs(e, &moving).is_some() {
            return Err(refuse("the constraints are not linear in the velocities, or depend on t"));
        }
    }
    let mut varied = Vec::new();
    for row in &v.curvature {
        let mut list = Vec::new();
        for y in &v.directions {
            let e = w.g.dot_product(row, y);
            list.push(w.simplify(e));
        }
        varied.push(list);
    }
    // dω_j(y_a, y_b) = Σ (∂A_jh/∂q_i − ∂A_ji/∂q_h) y_a,i y_b,h
    let mut covariants = Vec::new();
    for a in 0..l {
        for b in a + 1..l {
            for j in 0..k {
                let mut terms = Formula::ZERO;
                for i in 0..n {
                    for h in 0..n {
                        let (x, y) = (
                            w.g.diff(d.a[j][h], w.system.coordinates[i]),
                            w.g.diff(d.a[j][i], w.system.coordinates[h]),
                        );
                        let curl = w.g.sub(x, y);
                        terms += curl * v.directions[a][i] * v.directions[b][h];
                    }
                }
                covariants.push(w.g.of(terms));
            }
        }
    }
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let flat: Vec<Expr> = v.directions.iter().flatten().copied().collect();
    let mut fields = compile(&w.g, &w.system.coordinates, &flat, &options)?.runner();
    let forms: Vec<Expr> = d.a.iter().flatten().copied().chain(covariants.iter().copied()).collect();
    let forms = compile(&w.g, &w.system.coordinates, &forms, &options)?.evaluate(&state.position);
    let mut walk = |a: usize, b: usize, side: f64| -> Vec<f64> {
        let mut q = state.position.clone();
        let mut buffer = vec![0.0; l * n];
        for (field, sign) in [(a, 1.0), (b, 1.0), (a, -1.0), (b, -1.0)] {
            let h = sign * side / STRIDES as f64;
            for _ in 0..STRIDES {
                let mut at = |q: &[f64]| -> Vec<f64> {
                    fields.run(q, &mut buffer);
                    buffer[field * n..(field + 1) * n].to_vec()
                };
                let shifted =
                    |q: &[f64], k: &[f64], h: f64| -> Vec<f64> { q.iter().zip(k).map(|(q, k)| q + h * k).collect() };
                let k1 = at(&q);
                let k2 = at(&shifted(&q, &k1, h / 2.0));
                let k3 = at(&shifted(&q, &k2, h / 2.0));
                let k4 = at(&shifted(&q, &k3, h));
                for i in 0..n {
                    q[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
                }
            }
        }
        q.iter().zip(&state.position).map(|(x, y)| x - y).collect()
    };
    let mut quadrilaterals = Vec::new();
    let mut at = k * n;
    for a in 0..l {
        for b in a + 1..l {
            let (gap, half_gap) = (walk(a, b, side), walk(a, b, side / 2.0));
            let off = (0..k).map(|j| (0..n).map(|i| forms[j * n + i] * gap[i]).sum::<f64>() / (side * side)).collect();
            // The walk a, b, −a, −b ends at side²·[y_a, y_b], and ω([y_a, y_b]) = −dω(y_a, y_b).
            let covariants = (0..k).map(|j| -forms[at + j]).collect();
            at += k;
            quadrilaterals.push(Quadrilateral { fields: (a, b), side, gap, half_gap, off, covariants });
        }
    }
    if quadrilaterals.iter().any(|x| x.gap.iter().any(|g| !g.is_finite())) {
        return Err(Error::computation("the walk along the virtual displacements leaves their domain"));
    }
    Ok(Incompatibility { varied, quadrilaterals })
}
