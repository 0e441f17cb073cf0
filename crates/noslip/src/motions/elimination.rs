//! Families of steady motions in letters, by elimination.
//!
//! The rates of the closed part vanish: equations that are polynomials in the quasi-velocities and in sines and cosines of
//! coordinates. They are solved case by case. An equation that factors gives a case for each factor. A factor is solved for an
//! unknown that it contains linearly, as a square alone, or in one sine or cosine alone; where the coefficient of the unknown may
//! vanish, that it does is a case of its own. What no rule solves stays beside as a relation. Every solution is put into the equations
//! again and shown to fulfil them.

use super::members::{Members, turns};
use super::reduce::Reduction;
use crate::analysis::with_values;
use crate::arrange::Arrange;
use crate::expr::{Evaluator, Expr, Function, Known, Node, Rational, Symbol, factors};
use crate::mechanics::Workbench;
use crate::verify::vanishes;
use rustc_hash::FxHashMap;

/// Nodes of the equations up to which they are eliminated.
const LONG: usize = 1200;
/// Nodes of one solution.
const SHORT: usize = 400;
/// Cases at most.
const CASES: usize = 60;

/// A family of steady motions in letters.
#[derive(Clone, Debug)]
pub struct ExactFamily {
    /// Members of the closed part that may be chosen.
    pub free: Vec<Symbol>,
    /// What the others are, in these.
    pub values: Vec<(Symbol, Expr)>,
    /// What must vanish beside.
    pub relations: Vec<Expr>,
    /// What must not vanish.
    pub provided: Vec<Expr>,
    /// How it is known that its members are steady.
    pub how: Known,
}

impl ExactFamily {
    /// Its dimension, where the relations are independent.
    pub fn dimension(&self) -> usize {
        self.free.len().saturating_sub(self.relations.len())
    }
}

/// All families that elimination finds.
#[derive(Clone, Debug)]
pub struct Families {
    /// The families, the largest first.
    pub list: Vec<ExactFamily>,
    /// Are these all, but for branches of inverse functions and the edges of the chart?
    pub complete: bool,
}

/// A case: what is solved so far, what must not vanish, what is left.
#[derive(Clone)]
struct Case {
    values: Vec<(Symbol, Expr)>,
    provided: Vec<Expr>,
    equations: Vec<Expr>,
    relations: Vec<Expr>,
}

/// How a factor is solved, the simplest first.
#[derive(Clone, Debug)]
enum Move {
    /// The unknown is one of these.
    Is(Symbol, Vec<Expr>),
    /// The unknown is that where the coefficient is not zero; else coefficient and rest vanish.
    Unless(Symbol, Vec<Expr>, Expr, Expr),
    /// No rule.
    Stays,
}

pub(super) struct Eliminator<'a> {
    pub w: &'a mut Workbench,
    /// Quasi-velocities first, then coordinates.
    pub unknowns: Vec<Symbol>,
    pub original: Vec<Expr>,
    /// G, flat.
    pub mass: Vec<Expr>,
    /// Angles: a whole turn leads back to the same position.
    turning: Vec<Symbol>,
    done: Vec<Case>,
    cases: usize,
    complete: bool,
}

/// Solves for the steady motions in letters; `None` where the equations are too long or nothing could be solved.
pub fn families(w: &mut Workbench, r: &Reduction) -> Option<Families> {
    let mut original: Vec<Expr> = r.shape.iter().filter_map(|&s| r.flow.rate_of(s)).collect();
    original.extend(&r.flow.right);
    original.extend(&r.ties);
    if w.g.reachable(&original).len() > LONG {
        return None;
    }
    // A parameter that is zero is no letter.
    let zeros: FxHashMap<Symbol, Expr> = {
        let values = w.system.parameter_expressions(&mut w.g);
        values.into_iter().filter(|(_, e)| w.g.is_zero(*e)).collect()
    };
    let original = w.g.substitute_all(&original, &zeros);
    let mass: Vec<Expr> = r.flow.mass.iter().flatten().copied().collect();
    let mass = w.g.substitute_all(&mass, &zeros);
    let unknowns: Vec<Symbol> = r.flow.free.iter().chain(&r.shape).copied().collect();
    let (found, over) = w.within(crate::effort::STEP, |w| {
        let original = w.simplify_all(&original);
        let first =
            Case { values: Vec::new(), provided: Vec::new(), equations: original.clone(), relations: Vec::new() };
        let turning =
            r.shape.iter().copied().filter(|&s| turns(w, &unknowns, &[&original[..], &mass].concat(), s)).collect();
        let mut e = Eliminator { w, unknowns, original, mass, turning, done: Vec::new(), cases: 0, complete: true };
        e.solve(first);
        e.finished()
    });
    (!over && !found.list.is_empty()).then_some(found)
}

impl Eliminator<'_> {
    /// Works a case out.
    fn solve(&mut self, mut case: Case) {
        self.cases += 1;
        if self.cases > CASES || self.w.g.work.is_over() {
            self.complete = false;
            return;
        }
        let mut split: Vec<Vec<Expr>> = Vec::new();
        for e in std::mem::take(&mut case.equations) {
            let e = self.w.simplify(e);
            if self.w.g.is_zero(e) {
                continue;
            }
            let Some(list) = self.factors_of(e) else {
                self.complete = false;
                return;
            };
            // Nothing left that could vanish: a contradiction.
            if list.is_empty() {
                return;
            }
            if !split.contains(&list) {
                split.push(list);
            }
        }
        let Some((at, moves)) = self.simplest(&split) else {
            // What is left has no rule: relations.
            for list in split {
                let e = self.w.g.product(list);
                case.relations.push(e);
            }
            self.done.push(case);
            return;
        };
        let chosen = split.swap_remove(at);
        case.equations = split.into_iter().map(|list| self.w.g.product(list)).collect();
        for (factor, way) in chosen.into_iter().zip(moves) {
            self.take(&case, factor, way);
        }
    }

    /// The equation whose factors are solved most simply, each with its move.
    fn simplest(&mut self, split: &[Vec<Expr>]) -> Option<(usize, Vec<Move>)> {
        let mut best: Option<((usize, usize, usize), usize, Vec<Move>)> = None;
        for (i, list) in split.iter().enumerate() {
            let moves: Vec<Move> = list.iter().map(|&f| self.way(f)).collect();
            let rank = |m: &Move| match m {
                Move::Is(_, list) if list.len() == 1 => 0,
                Move::Is(..) => 1,
                Move::Unless(..) => 2,
                Move::Stays => 9,
            };
            let worst = moves.iter().map(rank).max().unwrap_or(9);
            // Of equations that are as simple, the shorter: ẏ = 0 rather than ẏ = f where f vanishes.
            let key = (worst, list.len(), self.w.g.reachable(list).len());
            if worst < 9 && best.as_ref().is_none_or(|b| key < b.0) {
                best = Some((key, i, moves));
            }
        }
        best.map(|b| (b.1, b.2))
    }

    /// Goes on with a factor that vanishes.
    fn take(&mut self, case: &Case, factor: Expr, way: Move) {
        match way {
            Move::Is(s, list) => list.into_iter().for_each(|e| self.put(case.clone(), s, e)),
            Move::Unless(s, list, coefficient, rest) => {
                for e in list {
                    let mut next = case.clone();
                    next.provided.push(coefficient);
                    self.put(next, s, e);
                }
                let mut other = case.clone();
                other.equations.extend([coefficient, rest]);
                self.solve(other);
            }
            Move::Stays => {
                let mut next = case.clone();
                next.relations.push(factor);
                self.solve(next);
            }
        }
    }

    /// Puts a value in everywhere, where it has one.
    fn put(&mut self, mut case: Case, s: Symbol, e: Expr) {
        let e = self.w.simplify(e);
        if self.w.g.reachable(&[e]).len() > SHORT {
            self.complete = false;
            return;
        }
        let map: FxHashMap<Symbol, Expr> = [(s, e)].into_iter().collect();
        case.values.iter_mut().for_each(|(_, x)| *x = self.w.g.substitute(*x, &map));
        case.values.push((s, e));
        // An edge of the chart is no motion: there something is not finite.
        let values: FxHashMap<Symbol, Expr> = case.values.iter().copied().collect();
        let whole = self.w.g.substitute_all(&self.original.clone(), &values);
        match self.members(&case.values, &whole) {
            Members::Real => {}
            Members::Edge | Members::None => return,
            Members::Unknown => {
                self.complete = false;
                return;
            }
        }
        case.equations = self.w.g.substitute_all(&case.equations, &map);
        case.relations = self.w.g.substitute_all(&case.relations, &map);
        let relations = std::mem::take(&mut case.relations);
        case.equations.extend(relations);
        case.provided = self.w.g.substitute_all(&case.provided, &map);
        case.provided = self.w.simplify_all(&case.provided);
        if case.provided.iter().any(|&e| self.w.g.is_zero(e)) {
            return;
        }
        self.solve(case);
    }

    /// The factors of an equation that can vanish: those with unknowns. `None` where a factor of parameters alone vanishes for
    /// the model's values, or the normal form is out of reach.
    fn factors_of(&mut self, e: Expr) -> Option<Vec<Expr>> {
        let limits = self.w.limits.clone();
        let mut list: Vec<Expr> = Vec::new();
        for f in factors(&mut self.w.g, e, &limits)? {
            if !self.w.g.depends_on_any(f, &self.unknowns) {
                if self.is_nothing(f)? {
                    return None;
                }
                continue;
            }
            let f = self.w.simplify(f);
            if !list.contains(&f) && !self.never_vanishes(f) {
                list.push(f);
            }
        }
        Some(list)
    }

    /// Does an expression of parameters vanish for the model's values? Beside its terms: what is weighed in attograms is not zero.
    fn is_nothing(&mut self, f: Expr) -> Option<bool> {
        let x = self.value(f)?;
        let Node::Sum { constant, terms } = self.w.g.node(f).clone() else { return Some(x == 0.0) };
        let mut size = constant.to_f64().abs();
        for (t, c) in terms {
            size += (self.value(t)? * c.to_f64()).abs();
        }
        Some(x.abs() <= 1e-12 * size)
    }

    /// Is a factor of the sign of its constant, as 1 + x² is?
    fn never_vanishes(&mut self, f: Expr) -> bool {
        if matches!(self.w.g.node(f), Node::Call(Function::Exp | Function::Cosh, _)) {
            return true;
        }
        let unknowns = self.unknowns.clone();
        let constant = self.w.g.without(f, &unknowns);
        if self.value(constant).is_none_or(|x| !x.is_finite() || x == 0.0) {
            return false;
        }
        let Node::Sum { constant: c, terms } = self.w.g.node(f).clone() else { return false };
        let mut signs: Vec<bool> = Vec::new();
        if !c.is_zero() {
            signs.push(!c.is_negative());
        }
        for (t, c) in terms {
            let Some(x) = self.sign(t) else { return false };
            signs.push(x != c.is_negative());
        }
        signs.windows(2).all(|s| s[0] == s[1])
    }

    /// The sign of a term made of parameters and even powers.
    fn sign(&mut self, e: Expr) -> Option<bool> {
        if !self.w.g.depends_on_any(e, &self.unknowns) {
            return self.value(e).filter(|&x| x != 0.0).map(|x| x > 0.0);
        }
        let Node::Product { coefficient, factors } = self.w.g.node(e).clone() else { return None };
        let mut positive = !coefficient.is_negative();
        for (base, exponent) in factors {
            let even = exponent.to_i64().is_some_and(|k| k % 2 == 0);
            if self.w.g.depends_on_any(base, &self.unknowns) {
                if !even {
                    return None;
                }
            } else if !even {
                positive ^= self.value(base).filter(|&x| x != 0.0)? < 0.0;
            }
        }
        Some(positive)
    }

    /// The value of an expression of parameters.
    fn value(&mut self, e: Expr) -> Option<f64> {
        let e = with_values(self.w, e);
        let values = self.w.system.values(&self.w.g, &[]).ok()?;
        Some(values.evaluate(&Evaluator::new(&self.w.g, &[e]))[0])
    }

    /// How a factor is solved.
    fn way(&mut self, f: Expr) -> Move {
        let mut found: Option<(usize, Move)> = None;
        let mut better = |rank: usize, m: Move| {
            if found.as_ref().is_none_or(|b| rank < b.0) {
                found = Some((rank, m));
            }
        };
        for (place, s) in self.unknowns.clone().into_iter().enumerate() {
            if !self.w.g.depends_on(f, s) {
                continue;
            }
            if let Some((rank, m)) = self.by_powers(f, s).or_else(|| self.by_angle(f, s)) {
                better(100 * rank + place, m);
            }
        }
        found.map_or(Move::Stays, |x| x.1)
    }

    /// a s + b = 0, or a s² + b = 0.
    fn by_powers(&mut self, f: Expr, s: Symbol) -> Option<(usize, Move)> {
        let list = self.w.g.coefficients(f, s)?;
        let list = self.w.simplify_all(&list);
        let (rest, leading, square) = match list[..] {
            [b, a] => (b, a, false),
            [b, zero, a] if self.w.g.is_zero(zero) => (b, a, true),
            _ => return None,
        };
        let e = self.w.g.div(rest, leading);
        let e = self.w.simplify(-e);
        let solutions = if square {
            if self.w.g.is_zero(e) {
                vec![e]
            } else {
                let root = self.w.g.sqrt(e);
                vec![root, self.w.g.neg(root)]
            }
        } else {
            vec![e]
        };
        let open = self.w.g.depends_on_any(leading, &self.unknowns);
        let (one, more) = if square { (3, 6) } else { (0, 4) };
        Some(if open { (more, Move::Unless(s, solutions, leading, rest)) } else { (one, Move::Is(s, solutions)) })
    }

    /// a sin s + b = 0, or the same with a cosine or tangent, where s is in nothing else.
    fn by_angle(&mut self, f: Expr, s: Symbol) -> Option<(usize, Move)> {
        let x = self.w.g.symbol(s);
        let nodes = self.w.g.reachable(&[f]);
        let mut calls = nodes.iter().copied().filter(|&e| matches!(self.w.g.node(e), Node::Call(_, y) if *y == x));
        let (Some(call), None) = (calls.next(), calls.next()) else { return None };
        let Node::Call(function, _) = *self.w.g.node(call) else { return None };
        let letter = self.w.g.declare_beside("a function of an angle", crate::expr::Role::Coordinate);
        let z = self.w.g.symbol(letter);
        let g = self.exchanged(f, call, z);
        if self.w.g.depends_on(g, s) {
            return None;
        }
        let list = self.w.g.coefficients(g, letter)?;
        let [rest, leading] = self.w.simplify_all(&list)[..] else { return None };
        let e = self.w.g.div(rest, leading);
        let e = self.w.simplify(-e);
        let solutions = self.angles(function, e)?;
        // Whole turns are the same position of an angle; of anything else they are other motions, which are not listed.
        self.complete &= self.turning.contains(&s);
        let open = self.w.g.depends_on_any(leading, &self.unknowns);
        Some(if open { (5, Move::Unless(s, solutions, leading, rest)) } else { (1, Move::Is(s, solutions)) })
    }

    /// The same with a letter in the place of a part.
    fn exchanged(&mut self, e: Expr, part: Expr, letter: Expr) -> Expr {
        let mut map: FxHashMap<Expr, Expr> = FxHashMap::default();
        for c in self.w.g.reachable(&[e]) {
            let new = if c == part { letter } else { self.w.g.rebuild(c, |x| map.get(&x).copied().unwrap_or(x)) };
            map.insert(c, new);
        }
        map.get(&e).copied().unwrap_or(e)
    }

    /// The angles of one turn at which a function has a value.
    fn angles(&mut self, function: Function, e: Expr) -> Option<Vec<Expr>> {
        let g = &mut self.w.g;
        let pi = g.pi();
        let pi = g.symbol(pi);
        let mut turns = |n: i64, d: i64| Rational::new(n, d).map(|c| g.scale(pi, &c));
        let (zero, half, minus, whole) = (turns(0, 1)?, turns(1, 2)?, turns(-1, 2)?, turns(1, 1)?);
        let known = g.as_number(e).cloned();
        let is = |n: i64| known.as_ref().is_some_and(|x| *x == Rational::integer(n));
        Some(match function {
            Function::Sin if is(0) => vec![zero, whole],
            Function::Sin if is(1) => vec![half],
            Function::Sin if is(-1) => vec![minus],
            Function::Cos if is(0) => vec![half, minus],
            Function::Cos if is(1) => vec![zero],
            Function::Cos if is(-1) => vec![whole],
            Function::Tan if is(0) => vec![zero, whole],
            Function::Sin => {
                let x = g.call(Function::Asin, e);
                vec![x, g.sub(whole, x)]
            }
            Function::Cos => {
                let x = g.call(Function::Acos, e);
                vec![x, g.neg(x)]
            }
            Function::Tan => {
                let x = g.call(Function::Atan, e);
                vec![x, g.add(x, whole)]
            }
            _ => return None,
        })
    }

    /// The families, shown to be steady, without those that lie in others.
    fn finished(mut self) -> Families {
        let mut list: Vec<ExactFamily> = Vec::new();
        let mut done = std::mem::take(&mut self.done);
        done.arrange_by_key(|c| c.values.len() + c.relations.len());
        for mut case in done {
            case.values.arrange_by_key(|(s, _)| self.unknowns.iter().position(|u| u == s));
            for x in &mut case.values {
                x.1 = self.w.simplify(x.1);
            }
            case.relations = self.w.simplify_all(&case.relations);
            case.provided = case.provided.iter().map(|&e| self.varying(e)).collect();
            case.provided.retain(|&e| self.w.g.depends_on_any(e, &self.unknowns) && !self.never_vanishes(e));
            case.provided.dedup();
            let how = self.shown(&case);
            if !how.holds() {
                self.complete = false;
                continue;
            }
            let solved: Vec<Symbol> = case.values.iter().map(|x| x.0).collect();
            let free = self.unknowns.iter().copied().filter(|s| !solved.contains(s)).collect();
            let family =
                ExactFamily { free, values: case.values, relations: case.relations, provided: case.provided, how };
            if !list.iter().any(|larger| self.lies_in(&family, larger)) {
                list.push(family);
            }
        }
        Families { list, complete: self.complete }
    }

    /// The factors that can make a product vanish: those that contain unknowns, each once.
    fn varying(&mut self, e: Expr) -> Expr {
        let bases: Vec<Expr> = match self.w.g.node(e) {
            Node::Product { factors, .. } if factors.iter().all(|(_, power)| !power.is_negative()) => {
                factors.iter().map(|(base, _)| *base).collect()
            }
            _ => return e,
        };
        let bases: Vec<Expr> = bases.into_iter().filter(|&e| self.w.g.depends_on_any(e, &self.unknowns)).collect();
        self.w.g.product(bases)
    }

    /// Do the equations hold, put in?
    fn shown(&mut self, case: &Case) -> Known {
        let map: FxHashMap<Symbol, Expr> = case.values.iter().copied().collect();
        let mut how = Known::Proved;
        for e in self.w.g.substitute_all(&self.original.clone(), &map) {
            let e = self.w.simplify(e);
            if self.w.g.is_zero(e) {
                continue;
            }
            // Or one of its factors is a relation.
            let known = self.factors_of(e).is_some_and(|list| {
                let product = self.w.g.product(list.clone());
                let product = self.w.simplify(product);
                list.iter().chain([&product]).any(|f| case.relations.contains(f))
            });
            if !known {
                how = how.and(vanishes(self.w, e));
            }
        }
        how
    }

    /// Is a family part of another?
    fn lies_in(&mut self, small: &ExactFamily, large: &ExactFamily) -> bool {
        let map: FxHashMap<Symbol, Expr> = small.values.iter().copied().collect();
        let mut must: Vec<Expr> = large.relations.clone();
        for &(s, e) in &large.values {
            let x = self.w.g.symbol(s);
            must.push(self.w.g.sub(x, e));
        }
        let must = self.w.g.substitute_all(&must, &map);
        let provided = self.w.g.substitute_all(&large.provided, &map);
        let provided = self.w.simplify_all(&provided);
        if provided.iter().any(|&e| self.w.g.is_zero(e)) {
            return false;
        }
        let must = self.w.simplify_all(&must);
        must.iter().all(|&e| self.w.g.is_zero(e)) || self.vanish_in(small, &must, &provided)
    }
}
