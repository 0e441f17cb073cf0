//! What a constraint says at real states, where that is not what is written: products, powers, sums of squares.
//!
//! `φ₁·φ₂ = 0` is not one nonlinear constraint but a choice of two: where both hold the product has no gradient, and which of them is
//! meant, the product does not say (Soltakhanov, Yushkov, Zegzhda, chapter II, the remark after (4.3)); it is no choice where the second
//! vanishes nowhere else, as in ẋ³ = 1. `φ² = 0` says φ = 0, but its gradient 2φ·∂φ vanishes wherever it holds: it gives no reaction. Neither
//! does `φ₁² + φ₂² = 0`, which says φ₁ = 0 and φ₂ = 0.

use super::workbench::Workbench;
use crate::error::{Error, Result};
use crate::expr::{Evaluator, Expr, Factor, Node, Printer, Rational, Style, Symbol, Tree, real_factors};
use crate::model::State;
use rustc_hash::FxHashMap;

/// A gradient below this may be one that vanishes, where a double root was found to half of the digits.
const FLAT: f64 = 1e-4;

/// What a constraint says at real states.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// What is written, as far as is known.
    Itself,
    /// This, of which it is a power.
    Power(Expr),
    /// This factor: the others vanish nowhere else.
    Factor(Expr),
    /// All of these, whose squares it adds.
    Squares(Vec<Expr>),
    /// One of these, each with all of its members.
    Choice(Vec<Vec<Expr>>),
    /// Nothing that could be: it vanishes at no real state.
    Never,
}

impl Said {
    /// What it is, as the kind of a constraint.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Said::Itself => None,
            Said::Power(_) => Some("a power"),
            Said::Factor(_) | Said::Choice(_) => Some("a product"),
            Said::Squares(_) => Some("a sum of squares"),
            Said::Never => Some("of one sign"),
        }
    }

    /// Does its gradient vanish wherever it holds, so that there is no reaction?
    pub fn is_degenerate(&self) -> bool {
        matches!(self, Said::Power(_) | Said::Squares(_))
    }

    /// What must vanish where it does: all members of one of these lists. `None` where that is the constraint itself.
    pub fn sets(&self) -> Option<Vec<Vec<Expr>>> {
        match self {
            Said::Itself | Said::Never => None,
            Said::Power(e) | Said::Factor(e) => Some(vec![vec![*e]]),
            Said::Squares(all) => Some(vec![all.clone()]),
            Said::Choice(list) => Some(list.clone()),
        }
    }
}

/// What the constraint says.
pub fn said(w: &mut Workbench, j: usize) -> Said {
    said_where(w, j).0
}

/// The same, and whether it is so for the values of the parameters alone: a product with numbers in it is none in letters, and is left.
fn said_where(w: &mut Workbench, j: usize) -> (Said, bool) {
    let in_letters = said_by(w, j, &FxHashMap::default());
    let system = w.system.clone();
    let state = [&system.coordinates[..], &system.velocities, &system.accelerations, &[w.g.time()]].concat();
    // What is made of parameters alone vanishes for some of their values.
    let varies = |set: &Vec<Expr>| set.iter().all(|&e| w.g.depends_on_any(e, &state));
    if in_letters != Said::Itself && in_letters.sets().is_none_or(|sets| sets.iter().all(varies)) {
        return (in_letters, false);
    }
    let letters: Vec<Symbol> = system.parameters.iter().map(|p| p.symbol).collect();
    if !w.g.depends_on_any(w.system.constraints[j].expr, &letters) {
        return (in_letters, false);
    }
    let values = system.parameter_expressions(&mut w.g);
    match said_by(w, j, &values) {
        Said::Choice(_) | Said::Factor(_) if in_letters == Said::Itself => (in_letters, false),
        at_values => (at_values, true),
    }
}

fn said_by(w: &mut Workbench, j: usize, values: &FxHashMap<Symbol, Expr>) -> Said {
    let (order, expr) = (w.system.constraints[j].order, w.system.constraints[j].expr);
    let system = w.system.clone();
    let symbols = match order {
        0 => &system.coordinates,
        1 => &system.velocities,
        2 => &system.accelerations,
        _ => return Said::Itself,
    };
    let expr = w.g.substitute(expr, values);
    // A linear constraint has one factor with velocities at most.
    let mut second = symbols.iter().map(|&s| w.g.diff(expr, s)).collect::<Vec<_>>();
    second.retain(|&e| w.g.depends_on_any(e, symbols));
    if second.is_empty() {
        return Said::Itself;
    }
    // As it is written, where that is not multiplied out.
    if let Some(all) = written_squares(w, expr) {
        let all = without_those_that_follow(w, all);
        return match &all[..] {
            [] => Said::Never,
            &[e] => Said::Power(e),
            all => Said::Squares(all.to_vec()),
        };
    }
    let Some(all) = real_factors(&mut w.g, expr, &w.limits) else { return Said::Itself };
    let (mut list, others): (Vec<Factor>, Vec<Factor>) =
        all.into_iter().partition(|f| w.g.depends_on_any(f.expr, symbols));
    list.dedup_by_key(|f| f.expr);
    // Lengths of normals, cosines of a lean and the like stand before finite constraints and do not vanish with them.
    if order == 0 && list.len() > 1 && !list.iter().all(|f| is_polynomial(w, f.expr, symbols)) {
        return Said::Itself;
    }
    let sets: Vec<Set> = list.iter().map(|f| Set::of(w, f)).collect();
    let kept: Vec<usize> =
        (0..sets.len()).filter(|&a| !sets[a].all.is_empty() && !lies_elsewhere(w, &sets, a)).collect();
    match &kept[..] {
        [] if list.is_empty() || others.iter().any(|f| may_vanish(w, f)) => Said::Itself,
        [] => Said::Never,
        &[a] => match (&sets[a].all[..], sets[a].flat) {
            (&[e], true) => Said::Power(e),
            (&[_], false) if list.len() == 1 => Said::Itself,
            (&[e], false) => Said::Factor(e),
            (all, _) => Said::Squares(all.to_vec()),
        },
        many => Said::Choice(many.iter().map(|&a| sets[a].all.clone()).collect()),
    }
}

/// What must vanish where a sum of even powers with numbers of one sign does, as it stands; nothing where it has a number too.
fn written_squares(w: &mut Workbench, e: Expr) -> Option<Vec<Expr>> {
    let Node::Sum { constant, terms } = w.g.node(e).clone() else { return None };
    let mut signs: Vec<bool> = Vec::new();
    let mut bases: Vec<Expr> = Vec::new();
    for (term, c) in &terms {
        let Node::Product { coefficient, factors } = w.g.node(*term).clone() else { return None };
        let even = |k: &Rational| k.to_i64().is_some_and(|k| k > 0 && k % 2 == 0);
        if !factors.iter().all(|(_, k)| even(k)) {
            return None;
        }
        signs.push(coefficient.is_negative() != c.is_negative());
        let base = w.g.product(factors.iter().map(|(b, _)| *b).collect::<Vec<_>>());
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    if !constant.is_zero() {
        signs.push(constant.is_negative());
        bases.clear();
    }
    signs.windows(2).all(|w| w[0] == w[1]).then_some(bases)
}

/// Where a factor vanishes: all of these do.
struct Set {
    all: Vec<Expr>,
    /// Does the gradient of what is written vanish there?
    flat: bool,
}

impl Set {
    fn of(w: &mut Workbench, f: &Factor) -> Set {
        let all = f.squares.clone().unwrap_or_else(|| vec![f.expr]);
        Set { all: without_those_that_follow(w, all), flat: f.repeated || f.squares.is_some() }
    }
}

/// Without what vanishes where the others do.
fn without_those_that_follow(w: &mut Workbench, mut all: Vec<Expr>) -> Vec<Expr> {
    let mut at = all.len();
    while at > 0 && all.len() > 1 {
        at -= 1;
        let e = all.remove(at);
        if !vanishes_with(w, &all, e) {
            all.insert(at, e);
        }
    }
    all
}

/// Can a factor without the symbols of the constraint's order vanish, and keep the constraint where they do not?
fn may_vanish(w: &mut Workbench, f: &Factor) -> bool {
    let t = w.g.time();
    let state = [&w.system.coordinates[..], &w.system.velocities, &[t]].concat();
    f.squares.as_ref().is_none_or(|all| !all.is_empty()) && w.g.depends_on_any(f.expr, &state)
}

/// Does the set lie in another one, which is kept in its place?
fn lies_elsewhere(w: &mut Workbench, sets: &[Set], a: usize) -> bool {
    (0..sets.len())
        .filter(|&b| b != a && !sets[b].all.is_empty())
        .any(|b| lies_within(w, &sets[a].all, &sets[b].all) && (b < a || !lies_within(w, &sets[b].all, &sets[a].all)))
}

/// Does the second vanish where the first does: with what the first says put in, one letter after the other? Of a single one that is no question.
fn lies_within(w: &mut Workbench, first: &[Expr], second: &[Expr]) -> bool {
    first.len() > 1 && second.iter().all(|&e| vanishes_with(w, first, e))
}

fn vanishes_with(w: &mut Workbench, all: &[Expr], e: Expr) -> bool {
    let mut e = e;
    // Letters may be solved for that occur in what comes later: these are put in there too.
    let mut all = all.to_vec();
    for i in 0..all.len() {
        let base = w.simplify(all[i]);
        let solved = w.g.free_symbols(&[base]).into_iter().find_map(|s| {
            let slope = w.g.diff(base, s);
            w.g.as_number(slope)?;
            let symbol = w.g.symbol(s);
            let ratio = w.g.div(base, slope);
            Some((s, w.g.sub(symbol, ratio)))
        });
        if let Some((s, value)) = solved {
            let map = FxHashMap::from_iter([(s, value)]);
            e = w.g.substitute(e, &map);
            all[i + 1..].iter_mut().for_each(|x| *x = w.g.substitute(*x, &map));
        }
    }
    let e = w.simplify(e);
    w.g.is_zero(e)
}

fn is_polynomial(w: &Workbench, e: Expr, symbols: &[Symbol]) -> bool {
    w.g.reachable(&[e]).into_iter().filter(|&e| w.g.depends_on_any(e, symbols)).all(|e| match w.g.node(e) {
        Node::Symbol(_) | Node::Sum { .. } => true,
        Node::Product { factors, .. } => factors.iter().all(|(_, k)| k.is_integer() && !k.is_negative()),
        _ => false,
    })
}

/// The factor of a product that is left when its real zeros are told: φ/f, for the multiplier of φ is that of f by this.
pub fn cofactor(w: &mut Workbench, j: usize, f: Expr) -> Expr {
    let e = w.g.div(w.system.constraints[j].expr, f);
    w.simplify(e)
}

/// Why a constraint gives no reaction, in words: the first whose gradient vanishes wherever it holds.
pub fn no_reaction(w: &mut Workbench) -> Option<String> {
    let j = (0..w.system.k()).find(|&j| said(w, j).is_degenerate())?;
    choice(w, j)
}

/// Refuses a motion from a state under a constraint that gives no reaction. Those with a gradient there need not be looked at.
pub fn expect_reactions(w: &mut Workbench, state: &State) -> Result<()> {
    let d = w.dynamics();
    let system = w.system.clone();
    let mut values = system.values(&w.g, &[])?;
    values.at.set(w.g.time(), state.time);
    values.at.set_all(&system.coordinates, &state.position);
    values.at.set_all(&system.velocities, &state.velocity);
    for (j, row) in d.a.iter().enumerate() {
        let gradient = values.evaluate(&Evaluator::new(&w.g, row));
        if gradient.iter().all(|x| x.abs() < FLAT)
            && said(w, j).is_degenerate()
            && let Some(why) = choice(w, j)
        {
            return Err(Error::computation(why));
        }
    }
    Ok(())
}

/// Why a product, a power or a sum of squares is no constraint, in words.
pub fn choice(w: &mut Workbench, j: usize) -> Option<String> {
    let (said, by_values) = said_where(w, j);
    let text = |e: &Expr| {
        let printed = Tree::of(&w.g, *e, &w.limits).map(|t| Printer::new(Style::Text).print(&w.g, &t));
        format!("`{} = 0`", printed.unwrap_or_else(|_| "…".to_owned()))
    };
    let together = |all: &[Expr]| all.iter().map(text).collect::<Vec<_>>().join(" and ");
    let constraint = format!("constraint `{}`", w.system.constraints[j].name);
    let here = if by_values { " for these values of the parameters" } else { "" };
    Some(match &said {
        Said::Itself => return None,
        Said::Never => format!("{constraint} holds at no real state{here}: it has one sign everywhere"),
        Said::Power(e) => {
            let one = text(e);
            format!(
                "{constraint} is a power{here}: it says {one}, and its gradient vanishes wherever it holds; write {one}"
            )
        }
        Said::Factor(e) => {
            let one = text(e);
            format!("{constraint} is a product whose other factors vanish nowhere else: it says {one}; write {one}")
        }
        Said::Squares(all) => format!(
            "{constraint} is a sum of squares{here}: it says {}, and its gradient vanishes wherever it holds; write each as a \
             constraint of its own",
            together(all)
        ),
        Said::Choice(list) => format!(
            "{constraint} is a product: it says {}, which is a choice of constraints and not one; write the one that is meant",
            list.iter().map(|all| together(all)).collect::<Vec<_>>().join(" or ")
        ),
    })
}
