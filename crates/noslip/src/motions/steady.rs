//! Steady motions: everything in the closed part is constant.
//!
//! ```text
//! rates(z) = 0,    z = coordinates of the closed part and quasi-velocities
//! ```
//!
//! A disk rolling upright or in a circle, a bicycle going straight or round, a top standing still: the coordinates outside the
//! closed part go on, everything inside stands. Such motions come in families, because symmetries and integrals make some of the
//! equations follow from others; the `dimension` of a family is the number of members of the closed part that can be given. What is
//! not given is taken as near as possible to the model's initial state.
//!
//! `--vary` follows a family along one member, a parameter, or any function of the state, through folds. Found on the way, to full
//! precision: `divergence`, where an eigenvalue passes through zero; `flutter`, where a pair crosses the imaginary axis; `fold`,
//! where the family turns back; `double root`, where two real eigenvalues become a pair. Varied twice, it gives a map of stability.
//!
//! Valid when: the constraints are independent and affine in the velocities, and time does not occur in the closed part.
//! Sources: Neimark, Fufaev 1967, chapter VI; Keller 1977 for continuation by arclength.

use super::branch::{Branch, Critical};
use super::linearise::{Stability, autonomous, moving, variables_at};
use super::numbers::{Numbers, Point};
use super::reduce::Reduction;
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::spectrum::{Complex, Spectrum, least_squares, null_space, solve};
use rustc_hash::FxHashMap;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "steady",
    aliases: &["steady-motion", "divergence", "flutter", "fold"],
    name: "Steady motions",
    source: "Neimark, Fufaev 1967; Keller 1977",
    needs: "independent constraints, affine in the velocities, no time in the closed part",
    text: include_str!("steady.rs"),
};

/// A member of a family: variables of the closed part, tied ones too, and the open parameters.
#[derive(Clone, Debug)]
pub struct Member {
    /// Variables.
    pub variables: Vec<f64>,
    /// Open parameters.
    pub parameters: Vec<f64>,
}

/// What is given or varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A function of t, q, q̇ and v.
    Function(Expr),
    /// A parameter.
    Parameter(Symbol),
}

/// A range of values.
#[derive(Clone, Debug)]
pub struct Range {
    /// What is varied.
    pub target: Target,
    /// From here.
    pub from: f64,
    /// To here.
    pub to: f64,
    /// So many values, both ends among them.
    pub count: usize,
}

impl Range {
    /// The values.
    pub fn values(&self) -> Vec<f64> {
        match self.count {
            0 | 1 => vec![self.from],
            n => (0..n).map(|i| self.from + (self.to - self.from) * i as f64 / (n - 1) as f64).collect(),
        }
    }
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Given values.
    pub given: Vec<(Target, f64)>,
    /// Varied ones, two at most.
    pub vary: Vec<Range>,
}

/// One steady motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Values of what is varied.
    pub varied: Vec<f64>,
    /// Members of the closed part, tied ones too.
    pub values: Vec<(Symbol, f64)>,
    /// Eigenvalues.
    pub eigenvalues: Vec<Complex>,
    /// Zeros due to the family and to integrals.
    pub zero: usize,
    /// What the eigenvalues say.
    pub stable: Stability,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Members of the closed part.
    pub closed: Vec<Symbol>,
    /// Dimension of the family.
    pub dimension: usize,
    /// Members that were held at the values nearest to the initial state, because the family has more dimensions.
    pub held: Vec<(Symbol, f64)>,
    /// The motions, in the order of the family.
    pub motions: Vec<Motion>,
    /// Where something happens.
    pub critical: Vec<Critical>,
    /// Why the family was not followed to the end.
    pub ended: Option<String>,
    /// Was the initial state itself steady?
    pub initial_is_steady: bool,
}

/// Values of one map at most.
const MAP: usize = 40_000;

/// The equations of a family: rates and ties vanish, some functions and variables have given values.
pub(super) struct Family {
    pub numbers: Numbers,
    /// Values of the given functions; the functions to be varied stand after them.
    pub given: Vec<f64>,
    /// Variables held.
    pub held: Vec<(usize, f64)>,
    /// Open parameters that are given, not varied.
    pub fixed: Vec<(usize, f64)>,
}

/// What a point must fulfil: residuals and their derivatives by y = (variables, open parameters).
pub(super) struct System {
    pub residuals: Vec<f64>,
    pub slopes: Vec<Vec<f64>>,
}

impl Family {
    /// Number of unknowns.
    pub fn width(&self) -> usize {
        self.numbers.size() + self.numbers.open.len()
    }

    /// The closed part at y.
    pub fn point(&mut self, y: &[f64]) -> Result<Point> {
        let size = self.numbers.size();
        self.numbers.at(&y[..size], &y[size..])
    }

    /// The equations without what is varied.
    pub fn system(&self, y: &[f64], point: &Point) -> System {
        let (width, size) = (self.width(), self.numbers.size());
        let mut s = System { residuals: point.rates.clone(), slopes: point.jacobian.clone() };
        s.residuals.extend(&point.ties);
        s.slopes.extend(point.tie_slopes.iter().cloned());
        for (i, &value) in self.given.iter().enumerate() {
            s.residuals.push(point.watched[i] - value);
            s.slopes.push(point.watched_slopes[i].clone());
        }
        let shifted = self.fixed.iter().map(|&(i, x)| (size + i, x));
        for (i, value) in self.held.iter().copied().chain(shifted) {
            let mut row = vec![0.0; width];
            row[i] = 1.0;
            s.residuals.push(y[i] - value);
            s.slopes.push(row);
        }
        s
    }

    /// Newton's method, the shortest step where the equations leave a choice, with further linear equations. `None` where it
    /// does not converge.
    pub fn solve(&mut self, start: &[f64], more: &mut dyn FnMut(&[f64], &Point, &mut System)) -> Option<Vec<f64>> {
        self.solve_with(start, usize::MAX, more)
    }

    /// The same with so many directions at most: towards the largest family, where a small one lies within.
    fn solve_with(
        &mut self,
        start: &[f64],
        most: usize,
        more: &mut dyn FnMut(&[f64], &Point, &mut System),
    ) -> Option<Vec<f64>> {
        let mut y = start.to_vec();
        let mut known: Option<(System, f64)> = None;
        let steps = if most < y.len() { 30 } else { 60 };
        for _ in 0..steps {
            let (system, norm) = match known.take() {
                Some(x) => x,
                None => self.evaluated(&y, more)?,
            };
            let minus: Vec<f64> = system.residuals.iter().map(|x| -x).collect();
            let step = least_squares(&system.slopes, &minus, 1e-10, most)?;
            let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
            let size = y.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length <= 4e-16 * (1.0 + size) || norm == 0.0 {
                return settled(&system).then_some(y);
            }
            // Not too far at once: a nearby solution is wanted, not any.
            let mut factor = y.iter().zip(&step).map(|(y, s)| (0.3 + 0.5 * y.abs()) / s.abs()).fold(1.0, f64::min);
            loop {
                let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + factor * s).collect();
                if let Some((system, new)) = self.evaluated(&next, more)
                    && (new < norm || new <= 1e-13)
                {
                    y = next;
                    known = Some((system, new));
                    break;
                }
                factor *= 0.5;
                if factor < 1e-4 {
                    // No better point along the step: as far as rounding goes.
                    return settled(&system).then_some(y);
                }
            }
        }
        let (system, _) = known?;
        settled(&system).then_some(y)
    }

    fn evaluated(&mut self, y: &[f64], more: &mut dyn FnMut(&[f64], &Point, &mut System)) -> Option<(System, f64)> {
        let point = self.point(y).ok()?;
        let mut system = self.system(y, &point);
        more(y, &point, &mut system);
        let norm = scaled_norm(&system);
        norm.is_finite().then_some((system, norm))
    }

    /// The position of a varied function among the watched ones, or of a varied parameter among the unknowns.
    pub fn varied(&self, point: &Point, y: &[f64], which: Varied) -> (f64, Vec<f64>) {
        match which {
            Varied::Function(i) => (point.watched[i], point.watched_slopes[i].clone()),
            Varied::Parameter(i) => {
                let at = self.numbers.size() + i;
                let mut row = vec![0.0; self.width()];
                row[at] = 1.0;
                (y[at], row)
            }
        }
    }

    /// The member with a given value of what is varied.
    pub fn member(&mut self, start: &[f64], fixed: &[(Varied, f64)]) -> Option<Vec<f64>> {
        let size = self.numbers.size();
        let width = self.width();
        self.solve(start, &mut |y, point, system| {
            for &(which, value) in fixed {
                match which {
                    Varied::Function(i) => {
                        system.residuals.push(point.watched[i] - value);
                        system.slopes.push(point.watched_slopes[i].clone());
                    }
                    Varied::Parameter(i) => {
                        let mut row = vec![0.0; width];
                        row[size + i] = 1.0;
                        system.residuals.push(y[size + i] - value);
                        system.slopes.push(row);
                    }
                }
            }
        })
    }
}

/// What is varied, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Varied {
    /// Among the watched functions.
    Function(usize),
    /// Among the open parameters.
    Parameter(usize),
}

/// The length of the residuals, each measured by its derivatives.
fn scaled_norm(system: &System) -> f64 {
    let rows = system.residuals.iter().zip(&system.slopes);
    rows.map(|(r, row)| {
        let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let r = if length > 0.0 { r / length.max(1e-12) } else { *r };
        r * r
    })
    .sum::<f64>()
    .sqrt()
}

/// Do all equations hold?
fn settled(system: &System) -> bool {
    system.residuals.iter().zip(&system.slopes).all(|(r, row)| {
        let length = row.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        r.abs() <= 1e-10 * length
    })
}

/// Zeros of the spectrum that a neighbouring member of the family has too: those that vanish identically.
pub fn structural_zeros(numbers: &mut Numbers, variables: &[f64], parameters: &[f64]) -> usize {
    let size = numbers.size();
    let Ok(point) = numbers.at(variables, parameters) else { return 0 };
    let here = numbers.matrix(&point).ok().and_then(|m| Spectrum::of(&m)).map_or(0, |s| s.zeros);
    let mut least = here;
    let rows: Vec<Vec<f64>> = point.jacobian.iter().chain(&point.tie_slopes).map(|row| row[..size].to_vec()).collect();
    let Some(tangents) = null_space(&rows, size, 1e-10) else { return here };
    for sign in [1.0, -1.0, 0.37] {
        let mut y: Vec<f64> = variables.to_vec();
        for (k, tangent) in tangents.iter().enumerate() {
            let weight = sign * 0.02 * (1.0 + 0.3 * k as f64);
            y.iter_mut().zip(tangent).for_each(|(y, t)| *y += weight * t * (1.0 + y.abs()));
        }
        let Some(y) = nearest(numbers, &y, parameters) else { continue };
        let Ok(point) = numbers.at(&y, parameters) else { continue };
        let Ok(matrix) = numbers.matrix(&point) else { continue };
        if let Some(spectrum) = Spectrum::of(&matrix) {
            least = least.min(spectrum.zeros);
        }
    }
    least
}

/// The steady motion nearest to given variables, parameters as they are.
fn nearest(numbers: &mut Numbers, start: &[f64], parameters: &[f64]) -> Option<Vec<f64>> {
    let size = numbers.size();
    let mut y = start.to_vec();
    for _ in 0..30 {
        let point = numbers.at(&y, parameters).ok()?;
        let rows: Vec<Vec<f64>> =
            point.jacobian.iter().chain(&point.tie_slopes).map(|row| row[..size].to_vec()).collect();
        let minus: Vec<f64> = point.rates.iter().chain(&point.ties).map(|x| -x).collect();
        let step = least_squares(&rows, &minus, 1e-10, usize::MAX)?;
        y.iter_mut().zip(&step).for_each(|(y, s)| *y += s);
        let length = step.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length < 1e-13 * (1.0 + y.iter().map(|x| x * x).sum::<f64>().sqrt()) {
            return Some(y);
        }
    }
    None
}

/// Finds steady motions.
pub fn steady(w: &mut Workbench, r: &Reduction, state: &State, question: &Question) -> Result<Answer> {
    autonomous(w, r)?;
    if question.vary.len() > 2 {
        return Err(Error::input("at most two quantities can be varied"));
    }
    let initial = variables_at(w, r, state)?;
    let (mut family, varied) = prepared(w, r, state, question)?;
    let size = family.numbers.size();
    let mut y0 = initial.clone();
    y0.extend(family.numbers.parameters());
    for &(i, x) in &family.fixed {
        y0[size + i] = x;
    }
    let here = family.numbers.at(&initial, &family.numbers.parameters());
    let initial_is_steady = here.as_ref().is_ok_and(|p| moving(&family.numbers, &initial, p).is_empty());
    // The parameters stay as they are while the first member is sought.
    let parameters: Vec<(usize, f64)> = (0..family.numbers.open.len()).map(|i| (i, y0[size + i])).collect();
    let open = std::mem::replace(&mut family.fixed, parameters);
    let first = first_member(&mut family, &y0).ok_or_else(|| no_member(w, question))?;
    let dimension = {
        let point = family.point(&first)?;
        let rows: Vec<Vec<f64>> =
            point.jacobian.iter().chain(&point.tie_slopes).map(|row| row[..size].to_vec()).collect();
        null_space(&rows, size, 1e-9).map_or(0, |x| x.len())
    };
    family.fixed = open;
    let symbols: Vec<Symbol> = family.numbers.shape.iter().chain(&family.numbers.free).copied().collect();
    hold(&mut family, &first, &varied)?;
    let held: Vec<(Symbol, f64)> = family.held.iter().map(|&(i, x)| (symbols[i], x)).collect();
    let mut answer = Answer {
        closed: r.closed(),
        dimension,
        held,
        motions: Vec::new(),
        critical: Vec::new(),
        ended: None,
        initial_is_steady,
    };
    match &question.vary[..] {
        [] => answer.motions.push(motion(&mut family, &first, Vec::new())?),
        [range] => {
            let mut branch = Branch::new(&mut family, varied[0], range);
            branch.follow(&first).ok_or_else(|| no_start(w, range))?;
            answer.critical = branch.critical;
            answer.ended = branch.ended;
            let found = branch.members;
            for (value, y) in found {
                answer.motions.push(motion(&mut family, &y, vec![value])?);
            }
        }
        [one, two] => answer.motions = map(w, &mut family, &first, [one, two], [varied[0], varied[1]])?,
        _ => {}
    }
    Ok(answer)
}

/// The compiled closed part with everything that is given or varied.
fn prepared(w: &mut Workbench, r: &Reduction, state: &State, question: &Question) -> Result<(Family, Vec<Varied>)> {
    let mut open: Vec<Symbol> = Vec::new();
    let mut watched = Vec::new();
    let (mut given, mut fixed) = (Vec::new(), Vec::new());
    let inserted: FxHashMap<Symbol, Expr> =
        w.system.velocities.iter().copied().zip(r.flow.velocities.iter().copied()).collect();
    let function = |w: &mut Workbench, e: Expr| -> Expr {
        // A velocity that is itself a quasi-velocity stays.
        let map = inserted.iter().filter(|(s, _)| !r.flow.free.contains(s)).map(|(s, e)| (*s, *e)).collect();
        w.g.substitute(e, &map)
    };
    for (target, value) in &question.given {
        match *target {
            Target::Function(e) => {
                watched.push(function(w, e));
                given.push(*value);
            }
            Target::Parameter(s) => {
                fixed.push((open.len(), *value));
                open.push(s);
            }
        }
    }
    let mut varied = Vec::new();
    for range in &question.vary {
        match range.target {
            Target::Function(e) => {
                varied.push(Varied::Function(watched.len()));
                watched.push(function(w, e));
            }
            Target::Parameter(s) => {
                varied.push(Varied::Parameter(open.len()));
                open.push(s);
            }
        }
    }
    let numbers = Numbers::new(w, r, &open, &watched, state)?;
    Ok((Family { numbers, given, held: Vec::new(), fixed }, varied))
}

/// A first member: near the initial state, or from places beside it.
///
/// Newton's method may run into the origin, where everything stands still, though a family passes nearby: ω = 0 is steady, but no
/// neighbour of a spinning body. There the equations lose rank, and other starts are tried.
fn first_member(family: &mut Family, y0: &[f64]) -> Option<Vec<f64>> {
    let size = family.numbers.size();
    let mut poor = None;
    let mut starts = vec![y0.to_vec()];
    starts.extend(descended(family, y0));
    for i in (0..size).filter(|&i| y0[i] != 0.0) {
        let mut y = y0.to_vec();
        y[i] = 0.0;
        starts.push(y);
    }
    let mut random = crate::expr::field::SplitMix::new(16);
    for k in 0..20 {
        let spread = 0.1 * (1.0 + f64::from(k));
        let mut y = y0.to_vec();
        y[..size].iter_mut().for_each(|x| *x += spread * (2.0 * random.unit() - 1.0) * (0.5 + x.abs()));
        starts.push(y);
    }
    for start in starts {
        for most in 1..=family.width() {
            let Some(y) = family.solve_with(&start, most, &mut |_, _, _| {}) else { continue };
            let point = family.point(&y).ok()?;
            let rows = family.system(&y, &point).slopes;
            let rank = y.len() - null_space(&rows, y.len(), 1e-9).map_or(0, |x| x.len());
            if rank >= most {
                return Some(y);
            }
            poor = poor.or(Some(y));
            break;
        }
    }
    poor
}

/// Downhill in the residuals, with damping: into the nearest valley, not across the hills.
fn descended(family: &mut Family, y0: &[f64]) -> Option<Vec<f64>> {
    let nothing: &mut dyn FnMut(&[f64], &Point, &mut System) = &mut |_, _, _| {};
    let mut y = y0.to_vec();
    let (mut system, mut norm) = family.evaluated(&y, nothing)?;
    let mut damping = 1.0;
    for _ in 0..60 {
        // The damped step is the least-squares solution with rows √λ·1 below.
        let mut rows = system.slopes.clone();
        let mut right: Vec<f64> = system.residuals.iter().map(|x| -x).collect();
        for (row, b) in rows.iter_mut().zip(&mut right) {
            let length = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-12);
            row.iter_mut().for_each(|x| *x *= 1.0 / (length * damping));
            *b *= 1.0 / (length * damping);
        }
        for i in 0..y.len() {
            let mut row = vec![0.0; y.len()];
            row[i] = 1.0;
            rows.push(row);
            right.push(0.0);
        }
        let step = damped(&rows, &right)?;
        let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + s).collect();
        match family.evaluated(&next, nothing) {
            Some((s, n)) if n < norm => {
                (y, system, norm) = (next, s, n);
                damping = (damping * 0.7f64).max(0.5);
            }
            _ => damping *= 3.0,
        }
        if norm < 1e-8 || damping > 1e6 {
            break;
        }
    }
    Some(y)
}

/// AᵀA x = Aᵀb for a matrix of full rank.
fn damped(rows: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let n = rows.first()?.len();
    let square: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| rows.iter().map(|row| row[i] * row[j]).sum()).collect()).collect();
    let vector: Vec<Vec<f64>> = (0..n).map(|i| vec![rows.iter().zip(right).map(|(row, b)| row[i] * b).sum()]).collect();
    Some(solve(&square, &vector)?.into_iter().map(|row| row[0]).collect())
}

fn no_member(w: &Workbench, question: &Question) -> Error {
    let given = if question.given.is_empty() { "near the initial state" } else { "with the given values" };
    Error::computation(format!("no steady motion of `{}` was found {given}", w.system.name))
        .hint("give other values, or an initial state nearer to one: --initial")
}

fn no_start(w: &Workbench, range: &Range) -> Error {
    Error::computation(format!(
        "no steady motion of `{}` was found at the beginning of the range, {}",
        w.system.name, range.from
    ))
    .hint("begin at a value nearer to the initial state")
}

/// Holds as many variables as the family has dimensions to spare, coordinates first, at the values they have.
fn hold(family: &mut Family, y: &[f64], varied: &[Varied]) -> Result<()> {
    if varied.is_empty() {
        return Ok(());
    }
    let (width, size) = (family.width(), family.numbers.size());
    let point = family.point(y)?;
    let mut rows = family.system(y, &point).slopes;
    for &which in varied {
        rows.push(family.varied(&point, y, which).1);
    }
    let nullity = |rows: &[Vec<f64>]| null_space(rows, width, 1e-9).map_or(0, |x| x.len());
    let mut free = nullity(&rows);
    for i in family.numbers.independent() {
        if free == 0 {
            break;
        }
        let mut row = vec![0.0; width];
        row[i] = 1.0;
        rows.push(row);
        let left = nullity(&rows);
        if left < free && i < size {
            family.held.push((i, y[i]));
            free = left;
        } else {
            rows.pop();
        }
    }
    Ok(())
}

/// A member with its eigenvalues.
pub(super) fn motion(family: &mut Family, y: &[f64], varied: Vec<f64>) -> Result<Motion> {
    let size = family.numbers.size();
    let point = family.point(y)?;
    let matrix = family.numbers.matrix(&point)?;
    let zero = structural_zeros(&mut family.numbers, &y[..size], &y[size..]);
    let spectrum = Spectrum::with_zeros(&matrix, zero)
        .ok_or_else(|| Error::computation("the eigenvalues could not be computed at a steady motion"))?;
    let symbols = family.numbers.shape.iter().chain(&family.numbers.free).copied();
    Ok(Motion {
        varied,
        values: symbols.zip(y.iter().copied()).collect(),
        eigenvalues: spectrum.all(),
        zero,
        stable: Stability::of(&spectrum),
    })
}

/// Motions over a grid of two quantities; places where none is found are left out.
fn map(
    w: &Workbench,
    family: &mut Family,
    first: &[f64],
    ranges: [&Range; 2],
    varied: [Varied; 2],
) -> Result<Vec<Motion>> {
    if ranges[0].count.saturating_mul(ranges[1].count) > MAP {
        return Err(Error::limit(format!("a map has at most {MAP} places")).hint("give fewer values"));
    }
    let mut list = Vec::new();
    let mut left = first.to_vec();
    for a in ranges[0].values() {
        let mut here: Option<Vec<f64>> = None;
        for b in ranges[1].values() {
            let start = here.clone().unwrap_or_else(|| left.clone());
            let Some(y) = family.member(&start, &[(varied[0], a), (varied[1], b)]) else { continue };
            if here.is_none() {
                left.clone_from(&y);
            }
            list.push(motion(family, &y, vec![a, b])?);
            here = Some(y);
        }
    }
    if list.is_empty() { Err(no_start(w, ranges[0])) } else { Ok(list) }
}
