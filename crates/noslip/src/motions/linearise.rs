//! The closed part linearised about a steady motion.
//!
//! A motion is steady when everything in the closed part is constant (see `noslip explain reduce`). Its neighbours obey
//!
//! ```text
//! d/dt δz = J δz,    J = ∂(rates)/∂z,
//! ```
//!
//! with J from the expressions, exact to rounding; coordinates that a holonomic constraint ties to others follow them. Steady
//! motions come in families: along a family J vanishes, and every integral of the motion gives a zero eigenvalue too. Those zeros
//! are counted (`zero`) by looking at neighbouring members of the family, and left out of the judgement: after Lyapunov and Malkin
//! they do not spoil stability if all others lie on the left, and if there are as many of them as J has directions in which it
//! vanishes. Where there are more, they stand in chains, in which a small velocity becomes a long way.
//!
//! - `asymptotic`: all other eigenvalues have negative real parts; the motion approaches a member of the family;
//! - `marginal`: none has a positive real part, some lie on the axis, or zeros stand in a chain: linear terms do not decide;
//! - `unstable`: one has a positive real part.
//!
//! Where the closed part is of second order in its coordinates, it is written M q″ + C q′ + K q = 0. Where C and K are polynomials
//! in a speed of the family and in a parameter of the potential alone, they are split into their terms: v C₁, g K₀, v² K₂.
//!
//! With `--symbolic` the entries are expressions, and the conditions of Routh and Hurwitz are printed: expressions that must be
//! positive.
//!
//! An eigenvalue is told from the axis by more than what rounding may have changed it by.
//!
//! Valid when: the closed part does not contain time, the initial state is a steady motion, and no rate has a corner there.
//! Sources: Neimark, Fufaev 1967, chapter VI; Meijaard, Papadopoulos, Ruina, Schwab 2007; Gantmacher 1959, chapter XV.

use super::family::Member;
use super::neighbours::{self, has_corner, structural_zeros};
use super::numbers::{Numbers, Point};
use super::reduce::Reduction;
use super::second_order::{SecondOrder, second_order};
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Evaluator, Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::spectrum::{Complex, Spectrum, characteristic};

/// What people are told of it.
pub const CARD: Card = Card {
    id: "linearise",
    aliases: &["linearize", "eigenvalues", "stability", "routh-hurwitz"],
    name: "The linearised closed part",
    source: "Neimark, Fufaev 1967; Meijaard, Papadopoulos, Ruina, Schwab 2007; Gantmacher 1959",
    needs: "a steady motion as initial state, no time in the closed part",
    about: crate::card::head_of!("linearise.rs"),
};

/// Rates below this, relative to what they are made of, are zero.
const STEADY: f64 = 1e-9;

/// Variables are rounded by this, beside one.
const ROUNDING: f64 = 1e-14;

/// Real parts below this, relative to the largest eigenvalue, lie on the axis.
pub const AXIS: f64 = 1e-9;

/// What the eigenvalues say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// All on the left.
    Asymptotic,
    /// None on the right.
    Marginal,
    /// One on the right.
    Unstable,
}

impl Stability {
    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            Stability::Asymptotic => "asymptotic",
            Stability::Marginal => "marginal",
            Stability::Unstable => "unstable",
        }
    }

    /// Judges the eigenvalues that are not zero because of families and integrals.
    pub fn of(spectrum: &Spectrum) -> Stability {
        // An eigenvalue is told from the axis beside its own size and what rounding may have changed it by.
        let axis = |(z, error): (&Complex, &f64)| (AXIS * z.abs()).max(*error).max(1e-12);
        let all = || spectrum.others.iter().zip(&spectrum.errors);
        if all().any(|x| x.0.re > axis(x)) {
            Stability::Unstable
        } else if spectrum.chained > 0 || spectrum.others.is_empty() || all().any(|x| x.0.re >= -axis(x)) {
            Stability::Marginal
        } else {
            Stability::Asymptotic
        }
    }
}

/// The closed part linearised, in numbers.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// The variables of the matrix.
    pub variables: Vec<Symbol>,
    /// The state: variables and tied coordinates.
    pub about: Vec<(Symbol, f64)>,
    /// J.
    pub matrix: Vec<Vec<f64>>,
    /// Eigenvalues of J.
    pub eigenvalues: Vec<Complex>,
    /// Zeros due to families and integrals.
    pub zero: usize,
    /// Coefficients of det(λ − J), the highest power first.
    pub characteristic: Vec<f64>,
    /// What the eigenvalues say; nothing where the state is not steady.
    pub stable: Option<Stability>,
    /// The same in second order.
    pub second_order: Option<SecondOrder>,
    /// Rates that do not vanish (`--frozen`).
    pub moving: Vec<(Symbol, f64)>,
}

/// The variables of the closed part at a state: coordinates, tied ones too, then quasi-velocities.
pub fn variables_at(w: &mut Workbench, r: &Reduction, state: &State) -> Result<Vec<f64>> {
    let flow = &r.flow;
    let mut values = w.system.values(&w.g, &[])?;
    values.at.set(w.g.time(), state.time);
    values.at.set_all(&w.system.coordinates, &state.position);
    values.at.set_all(&w.system.velocities, &state.velocity);
    let speeds = values.evaluate(&Evaluator::new(&w.g, &flow.expressions));
    let mut list = Vec::new();
    let position = r.counted(&state.position);
    for s in &r.shape {
        let i = flow.coordinates.iter().position(|q| q == s);
        list.push(i.map_or(f64::NAN, |i| position[i]));
    }
    list.extend(speeds);
    if list.iter().all(|x| x.is_finite()) {
        Ok(list)
    } else {
        Err(Error::computation("a quasi-velocity has no value at the initial state"))
    }
}

/// Refuses equations in which time occurs, or in which nothing is left to stand still, to whoever asks for motions of this kind.
pub fn autonomous(w: &Workbench, r: &Reduction, kind: &str) -> Result<()> {
    if r.closed().is_empty() {
        let message = format!("{kind} motions do not apply: the closed part of `{}` is empty", w.system.name);
        return Err(Error::not_applicable(message).hint("the constraints determine every velocity"));
    }
    if r.rheonomic {
        let message = format!("{kind} motions do not apply: time occurs in the closed part of `{}`", w.system.name);
        return Err(Error::not_applicable(message).hint("`noslip reduce` shows where"));
    }
    Ok(())
}

/// Which rates do not vanish, each with its value.
pub fn moving(numbers: &Numbers, variables: &[f64], point: &Point) -> Vec<(Symbol, f64)> {
    let symbols: Vec<Symbol> = numbers.shape.iter().chain(&numbers.free).copied().collect();
    let mut list = Vec::new();
    for i in 0..symbols.len() {
        let made_of: f64 = point.jacobian[i].iter().zip(variables).map(|(a, x)| (a * x).abs()).sum();
        let steep = point.jacobian[i].iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if point.rates[i].abs() > STEADY * made_of.max(1.0) + ROUNDING * steep {
            list.push((symbols[i], point.rates[i]));
        }
    }
    list
}

/// Refuses a state at which the rates turn or jump.
pub(super) fn no_derivatives() -> Error {
    Error::not_applicable("linearising does not apply: the rates have a corner or a jump at this state")
        .hint("`abs`, `sign` or a table turns there, and the two sides move differently")
}

/// The parameters that occur in the potential and nowhere else: what K may be split by.
fn potential_parameters(w: &mut Workbench) -> Vec<Symbol> {
    let d = w.dynamics();
    let mut elsewhere: Vec<Expr> = vec![w.system.kinetic];
    elsewhere.extend(&w.system.forces);
    elsewhere.extend(d.velocity_constraints.iter().flatten());
    elsewhere.extend(w.system.parameters.iter().map(|p| p.value));
    let symbols: Vec<Symbol> = w.system.parameters.iter().map(|p| p.symbol).collect();
    let mut list: Vec<Symbol> = symbols
        .into_iter()
        .filter(|&s| w.g.depends_on(w.system.potential, s) && !elsewhere.iter().any(|&e| w.g.depends_on(e, s)))
        .collect();
    // One is a gravity; more are springs, whose products nobody wants to read.
    list.truncate(1);
    list
}

/// Linearises the closed part about the initial state.
pub fn linearise(w: &mut Workbench, r: &Reduction, state: &State, frozen: bool) -> Result<Linearisation> {
    autonomous(w, r, "steady")?;
    let open = potential_parameters(w);
    let mut numbers = Numbers::new(w, r, &open, &[], state)?;
    let variables = variables_at(w, r, state)?;
    let parameters = numbers.parameters();
    let point = numbers.at(&variables, &parameters)?;
    let moving = moving(&numbers, &variables, &point);
    if !moving.is_empty() && !frozen {
        let list: Vec<String> = moving.iter().map(|(s, x)| format!("d/dt {} = {x:.6}", w.g.name(*s))).collect();
        return Err(Error::not_applicable(format!(
            "linearising does not apply: the initial state is not a steady motion: {}",
            list.join(", ")
        ))
        .hint("`noslip steady` finds one near it; give another initial state, or linearise here all the same, with the rates frozen"));
    }
    if has_corner(&mut numbers, &variables, &parameters) {
        return Err(no_derivatives());
    }
    let matrix = numbers.matrix(&point)?;
    let steady = moving.is_empty();
    let zero = if steady { structural_zeros(&mut numbers, &variables, &parameters) } else { 0 };
    let found = if steady {
        neighbours::spectrum(&mut numbers, &variables, &parameters, zero)
    } else {
        Spectrum::with_zeros(&matrix, zero)
    };
    let spectrum = found.ok_or_else(|| Error::computation("the eigenvalues could not be computed at this state"))?;
    let symbols: Vec<Symbol> = numbers.shape.iter().chain(&numbers.free).copied().collect();
    let member = Member { variables: variables.clone() };
    let second_order = if steady { second_order(&mut numbers, &member, &point) } else { None };
    let eigenvalues = spectrum.all();
    Ok(Linearisation {
        variables: numbers.independent().iter().map(|&i| symbols[i]).collect(),
        about: symbols.into_iter().zip(variables).collect(),
        characteristic: characteristic(&eigenvalues),
        eigenvalues,
        zero,
        stable: steady.then(|| Stability::of(&spectrum)),
        matrix,
        second_order,
        moving,
    })
}
