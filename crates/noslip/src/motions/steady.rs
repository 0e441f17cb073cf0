//! Steady motions: everything in the closed part is constant.
//!
//! ```text
//! rates(z) = 0,    z = coordinates of the closed part and quasi-velocities
//! ```
//!
//! A disk rolling upright or in a circle, a bicycle going straight or round, a top standing still: the coordinates outside the
//! closed part go on, everything inside stands. Such motions come in families, because symmetries and integrals make some of the
//! equations follow from others; the `dimension` of a family is the number of members of the closed part that can be given: of the
//! directions in which other steady motions are found. What is not given is taken as near as possible to the model's initial state.
//!
//! Where the equations are short they are solved in letters first, case by case (families that are linear in some unknowns, that
//! factor, or that contain one angle in a sine or cosine), and shown to be solved. Members with numbers are found by Newton's method
//! from the initial state, or from such a family where that leads nowhere.
//!
//! `--vary` follows a family along one member, a parameter, or any function of the state, through folds. Found on the way, as
//! far as rounding lets it be known: `divergence`, where an eigenvalue passes through zero; `flutter`, where a pair crosses the imaginary axis; `fold`,
//! where the family turns back; `double root`, where two real eigenvalues become a pair. Varied twice, it gives a map of stability.
//!
//! Where a rate has a corner or a jump (`abs`, `sign`, tables) there are no eigenvalues, and such a state is not given.
//!
//! Valid when: the constraints are independent and affine in the velocities, and time does not occur in the closed part.
//! Sources: Neimark, Fufaev 1967, chapter VI; Keller 1977 for continuation by arclength.

use super::branch::{Branch, Critical};
use super::elimination::{Families, families};
use super::family::{Family, Varied};
use super::letters::InLetters;
use super::linearise::{Stability, autonomous, moving, no_derivatives, variables_at};
use super::neighbours::{self, has_corner, structural_zeros};
use super::numbers::Numbers;
use super::reduce::Reduction;
use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, Node, Symbol};
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::spectrum::{Complex, null_space};

/// What people are told of it.
pub const CARD: Card = Card {
    id: "steady",
    aliases: &["steady-motion", "divergence", "flutter", "fold"],
    name: "Steady motions",
    source: "Neimark, Fufaev 1967; Keller 1977",
    needs: "independent constraints, affine in the velocities, no time in the closed part",
    about: crate::card::head_of!("steady.rs"),
};

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
    /// The families in letters, where elimination found them.
    pub exact: Option<Families>,
}

/// Values of one map at most.
const MAP: usize = 40_000;

/// Finds steady motions.
pub fn steady(w: &mut Workbench, r: &Reduction, state: &State, question: &Question) -> Result<Answer> {
    autonomous(w, r, "steady")?;
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
    // What is given of the members themselves is where the search begins.
    for (target, x) in &question.given {
        let Target::Function(e) = *target else { continue };
        let member = |s: &Symbol| matches!(w.g.node(e), Node::Symbol(own) if own == s);
        if let Some(i) = r.shape.iter().chain(&r.flow.free).position(member) {
            y0[i] = *x;
        }
    }
    let here = family.numbers.at(&initial, &family.numbers.parameters());
    let initial_is_steady = here.as_ref().is_ok_and(|p| moving(&family.numbers, &initial, p).is_empty());
    // The parameters stay as they are while the first member is sought.
    let parameters: Vec<(usize, f64)> = (0..family.numbers.open.len()).map(|i| (i, y0[size + i])).collect();
    let open = std::mem::replace(&mut family.fixed, parameters);
    let symbols: Vec<Symbol> = family.numbers.shape.iter().chain(&family.numbers.free).copied().collect();
    let exact = families(w, r);
    let mut corner = None;
    let mut found = first_member(&mut family, &y0, &mut corner);
    if let Some(exact) = &exact {
        let mut parameters = family.numbers.open.clone();
        parameters.iter_mut().zip(&y0[size..]).for_each(|(p, x)| p.1 = *x);
        let letters = InLetters::new(w, exact, &symbols, &parameters)?;
        let right = found.as_ref().and_then(|y| letters.exactly(y, dimension(&mut family, y)));
        let steady = |family: &mut Family, y: &[f64]| {
            family.point(y).is_ok_and(|p| moving(&family.numbers, &y[..size], &p).is_empty())
        };
        if let Some(y) = right.filter(|y| steady(&mut family, y)).or_else(|| letters.member(&mut family, &y0))
            && steady(&mut family, &y)
        {
            found = Some(y);
        }
    }
    let first = found.ok_or_else(|| corner.map_or_else(|| no_member(w, question), |y| at_corner(w, &symbols, &y)))?;
    let dimension = dimension(&mut family, &first);
    family.fixed = open;
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
        exact,
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
    let inserted = r.inserted(w);
    let function = |w: &mut Workbench, e: Expr| -> Expr { w.g.substitute(e, &inserted) };
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

/// The dimension of the family at one of its members.
fn dimension(family: &mut Family, y: &[f64]) -> usize {
    let size = family.numbers.size();
    neighbours::dimension(&mut family.numbers, &y[..size], &y[size..])
}

/// A first member: near the initial state, or from places beside it.
///
/// Newton's method may run into the origin, where everything stands still, though a family passes nearby: ω = 0 is steady, but no
/// neighbour of a spinning body. There the equations lose rank, and other starts are tried.
fn first_member(family: &mut Family, y0: &[f64], corner: &mut Option<Vec<f64>>) -> Option<Vec<f64>> {
    let size = family.numbers.size();
    let mut poor = None;
    let mut starts = vec![y0.to_vec()];
    starts.extend(family.descended(y0, true));
    starts.extend(family.descended(y0, false));
    // Straight on, upright: everything that has an angle of its own at zero.
    let mut straight = y0.to_vec();
    straight[..family.numbers.shape.len()].fill(0.0);
    starts.push(straight);
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
            if has_corner(&mut family.numbers, &y[..size], &y[size..]) {
                corner.get_or_insert(y);
                break;
            }
            let point = family.point(&y).ok()?;
            // Where rates are steep enough, Newton's steps are short and lead nowhere.
            if !moving(&family.numbers, &y[..size], &point).is_empty() {
                break;
            }
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

fn no_member(w: &Workbench, question: &Question) -> Error {
    let given = if question.given.is_empty() { "near the initial state" } else { "with the given values" };
    Error::computation(format!("no steady motion of `{}` was found {given}", w.system.name))
        .hint("give other values, or an initial state nearer to one")
}

/// Newton's method ends where |x| turns, and so do balances that only sign(x) makes.
fn at_corner(w: &Workbench, symbols: &[Symbol], y: &[f64]) -> Error {
    // Six digits, and no zero with a sign.
    let shown = |x: f64| (x * 1e6).round() / 1e6 + 0.0;
    let list: Vec<String> = symbols.iter().zip(y).map(|(&s, &x)| format!("{} = {}", w.g.name(s), shown(x))).collect();
    Error::computation(format!(
        "no steady motion of `{}` was found but where its rates have a corner or a jump: {}",
        w.system.name,
        list.join(", ")
    ))
    .hint("there they have no derivatives, and nothing is said of stability; give an initial state on one side")
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
    if has_corner(&mut family.numbers, &y[..size], &y[size..]) {
        return Err(no_derivatives());
    }
    let zero = structural_zeros(&mut family.numbers, &y[..size], &y[size..]);
    let spectrum = neighbours::spectrum(&mut family.numbers, &y[..size], &y[size..], zero)
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
