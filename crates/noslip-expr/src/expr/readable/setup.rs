//! From the normal form to the variables of the search.

use super::atoms::{AngleId, Atoms, Combination};
use super::form::{Form, Term};
use super::search::Search;
use crate::arrange::Arrange;
use crate::error::Result;
use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::normal::{AtomKind, NormalForm, Normalizer};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use crate::expr::print::{Printer, Style};
use crate::expr::symbol::Role;
use crate::expr::tree::Tree;
use crate::limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of angles whose sums and differences are tried.
const PAIRS: usize = 6;

/// The order in which a search looks at what occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As the normal form met it: that depends on how the expression was derived.
    Met,
    /// As the model declares it.
    Declared,
    /// The last declared first.
    Backwards,
}

impl Order {
    pub(super) const ALL: [Order; 3] = [Order::Met, Order::Declared, Order::Backwards];

    /// The atoms of the normal form in the order of the search: symbols, then angles, then what stands over these.
    pub(super) fn of(self, arena: &Arena, normalizer: &Normalizer, limits: &Limits) -> Result<Vec<Var>> {
        let mut list: Vec<(u8, Vec<u32>, Var)> = Vec::new();
        for (v, atom) in normalizer.atoms().iter() {
            let (class, named) = match atom.kind {
                AtomKind::Symbol(_) => (0, Some(atom.expr)),
                AtomKind::Cos(_) | AtomKind::Sin(_) => (1, argument(arena, without_sign(arena, atom.expr).0)),
                // Roots stand over earlier atoms.
                _ => (2, None),
            };
            let code = match named {
                Some(e) if self != Order::Met => Tree::of(arena, e, limits)?.code(arena),
                _ => Vec::new(),
            };
            list.push((class, code, v));
        }
        match self {
            Order::Met => {}
            Order::Declared => list.arrange(),
            Order::Backwards => list.arrange_by(|a, b| (a.0, &b.1, a.2).cmp(&(b.0, &a.1, b.2))),
        }
        Ok(list.into_iter().map(|(.., v)| v).collect())
    }
}

/// The variables of one search.
pub(super) struct Setup {
    pub atoms: Atoms,
    /// The variable here of each variable of the normal form, and whether it is that with the other sign.
    here: Vec<(Var, bool)>,
    /// Independent angles that occur.
    pub angles: usize,
    /// Variables that are parameters or constants.
    parameters: FxHashSet<Var>,
}

impl Setup {
    pub(super) fn new(
        arena: &mut Arena,
        normalizer: &Normalizer,
        normal: &NormalForm,
        limits: &Limits,
        nesting: usize,
        order: &[Var],
    ) -> Result<Setup> {
        let mut setup = Setup {
            atoms: Atoms::new(arena.decimals.clone()),
            here: vec![(Var(0), false); normalizer.atoms().len()],
            angles: 0,
            parameters: FxHashSet::default(),
        };
        let mut angles: FxHashMap<u32, (AngleId, Expr)> = FxHashMap::default();
        for &v in order {
            let atom = normalizer.atoms().get(v);
            let (expr, negative) = without_sign(arena, atom.expr);
            let here = match atom.kind {
                AtomKind::Symbol(s) => {
                    let role = arena.role(s);
                    let motion = matches!(
                        role,
                        Role::Velocity | Role::Acceleration | Role::QuasiVelocity | Role::QuasiAcceleration
                    );
                    let v = setup.atoms.plain(Tree::Symbol(s), arena.name(s).len(), motion);
                    if matches!(role, Role::Parameter | Role::Constant) {
                        setup.parameters.insert(v);
                    }
                    v
                }
                AtomKind::Cos(k) | AtomKind::Sin(k) if argument(arena, expr).is_some() => {
                    let x = argument(arena, expr).unwrap_or(expr);
                    let angle = match angles.get(&k) {
                        Some((angle, _)) => *angle,
                        None => {
                            let (tree, length) = as_it_stands(arena, x, limits)?;
                            let angle = setup.atoms.angle(tree, length);
                            angles.insert(k, (angle, x));
                            angle
                        }
                    };
                    let sine = matches!(atom.kind, AtomKind::Sin(_));
                    setup.atoms.trig(angle, if sine { super::atoms::Trig::Sin } else { super::atoms::Trig::Cos })
                }
                AtomKind::Root(2) => {
                    // Roots stand over earlier atoms, so the radicand can be written already.
                    let radicand = match &atom.relation {
                        Some(relation) => setup.radicand(arena, &relation.value, limits)?,
                        None => as_it_stands(arena, expr, limits)?.0,
                    };
                    setup.plain(arena, Tree::Sqrt(Box::new(radicand)))
                }
                _ => {
                    let tree = called(arena, expr, limits, nesting)?;
                    setup.plain(arena, tree)
                }
            };
            setup.here[v.0 as usize] = (here, negative);
        }
        setup.hyperbolics(arena, normalizer);
        setup.combine(arena, normal, &angles, limits)?;
        Ok(setup)
    }

    /// Where sinh and cosh of one argument occur, tanh may.
    fn hyperbolics(&mut self, arena: &Arena, normalizer: &Normalizer) {
        let mut cosines: FxHashMap<u32, Var> = FxHashMap::default();
        for (v, atom) in normalizer.atoms().iter() {
            let here = self.here[v.0 as usize].0;
            match atom.kind {
                AtomKind::Cosh(k) => {
                    cosines.insert(k, here);
                }
                AtomKind::Sinh(k) => {
                    let sinh = self.atoms.tree(here);
                    let (Some(&cosh), Tree::Call(_, x)) = (cosines.get(&k), &sinh) else { continue };
                    let tanh = self.plain(arena, Tree::call(Function::Tanh, (**x).clone()));
                    self.atoms.hyperbolic(here, cosh, tanh);
                }
                _ => {}
            }
        }
    }

    /// What stands under a root, readable. The same few polynomials stand under the roots of all equations of a model, and a search
    /// depends on the order of the variables and on what they stand for, not on their numbers: what was found is kept.
    fn radicand(&self, arena: &mut Arena, value: &Poly, limits: &Limits) -> Result<Tree> {
        let p = self.renamed(value)?;
        let variables = p.variables();
        let atoms: Vec<Tree> = variables.iter().map(|&v| self.atoms.tree(v)).collect();
        let numbered = p.rename(|v| Var(variables.partition_point(|&w| w < v) as u32))?;
        let known = arena.radicands.get(&numbered).and_then(|list| list.iter().find(|(of, _)| *of == atoms));
        if let Some((_, tree)) = known {
            return Ok(tree.clone());
        }
        // Not at the expense of the equation that happens to come first: there are few of them, and a search is bounded by itself.
        let found = Search::new(&self.atoms, limits, super::EFFORT).with_squares().form(&p);
        let Ok(form) = found else { return Ok(Form::flat(&self.atoms, p.into()).tree(arena, &self.atoms)) };
        let tree = form.tree(arena, &self.atoms);
        arena.radicands.entry(numbered).or_default().push((atoms, tree.clone()));
        Ok(tree)
    }

    fn plain(&mut self, arena: &Arena, tree: Tree) -> Var {
        let length = Printer::new(Style::Text).print(arena, &tree).len();
        self.atoms.plain(tree, length, false)
    }

    fn renamed(&self, p: &Poly) -> Result<Poly> {
        let odd = |m: &Monomial| m.factors().filter(|(v, e)| self.here[v.0 as usize].1 && e % 2 != 0).count() % 2 == 1;
        let signed = p.terms().iter().map(|(m, c)| (m.clone(), if odd(m) { -c } else { c.clone() })).collect();
        Poly::from_terms(signed).rename(|v| self.here[v.0 as usize].0)
    }

    /// Numerator and denominators in the variables of the search.
    pub(super) fn fraction(&self, normal: &NormalForm) -> Result<(Poly, Vec<(Poly, u32)>)> {
        let mut denominator = Vec::new();
        for (p, e) in &normal.denominator {
            denominator.push((self.renamed(p)?, *e));
        }
        Ok((self.renamed(&normal.numerator)?, denominator))
    }

    /// Sums and differences of angles that occur in one term.
    fn combine(
        &mut self,
        arena: &mut Arena,
        normal: &NormalForm,
        angles: &FxHashMap<u32, (AngleId, Expr)>,
        limits: &Limits,
    ) -> Result<()> {
        let by_id: FxHashMap<AngleId, Expr> = angles.values().copied().collect();
        let mut pairs: Vec<(AngleId, AngleId)> = Vec::new();
        let mut occurring: Vec<AngleId> = Vec::new();
        let polys = std::iter::once(&normal.numerator).chain(normal.denominator.iter().map(|(p, _)| p));
        for (m, _) in polys.flat_map(|p| p.terms()) {
            let mut here: Vec<AngleId> = m
                .factors()
                .filter_map(|(v, _)| self.atoms.as_trig(self.here[v.0 as usize].0))
                .map(|(angle, _)| angle)
                .collect();
            here.arrange();
            here.dedup();
            for (i, &a) in here.iter().enumerate() {
                if !occurring.contains(&a) {
                    occurring.push(a);
                }
                for &b in &here[i + 1..] {
                    if !pairs.contains(&(a, b)) {
                        pairs.push((a, b));
                    }
                }
            }
        }
        self.angles = occurring.len();
        pairs.arrange();
        for (a, b) in pairs.into_iter().take(PAIRS) {
            let (Some(&x), Some(&y)) = (by_id.get(&a), by_id.get(&b)) else { continue };
            for sign in [1, -1] {
                let argument = arena.linear(Rational::ZERO, [(x, Rational::ONE), (y, Rational::integer(sign))]);
                let (tree, length) = as_it_stands(arena, argument, limits)?;
                self.atoms.combination(tree, length, Combination { first: a, second: b, sign });
            }
        }
        Ok(())
    }

    /// Without numbers and parameters common to all terms.
    pub(super) fn without_scale(&self, _arena: &Arena, form: &Form) -> Form {
        let [term] = &form.terms[..] else { return Form::new(&self.atoms, form.poly.clone(), form.terms.clone()) };
        let free = |p: &Poly| p.variables().iter().all(|v| self.parameters.contains(v));
        let mut monomial = Monomial::ONE;
        for (v, e) in term.atoms.factors().filter(|(v, _)| !self.parameters.contains(v)) {
            if let Ok(m) = Monomial::power(v, e).and_then(|m| monomial.mul(&m)) {
                monomial = m;
            }
        }
        let groups: Vec<_> = term.groups.iter().filter(|(g, _)| !free(&g.poly)).cloned().collect();
        match &groups[..] {
            // What remains is one sum: its own terms.
            [(group, 1)] if monomial.is_one() => Form::new(&self.atoms, group.poly.clone(), group.terms.clone()),
            _ => {
                Form::new(&self.atoms, form.poly.clone(), vec![Term::new(&self.atoms, Rational::ONE, monomial, groups)])
            }
        }
    }
}

/// The sine of −θ is an atom of its own, but nothing to read.
fn without_sign(arena: &Arena, e: Expr) -> (Expr, bool) {
    match arena.node(e) {
        Node::Product { coefficient, factors } if coefficient.is_minus_one() => match &factors[..] {
            [(factor, x)] if x.is_one() => (*factor, true),
            _ => (e, false),
        },
        _ => (e, false),
    }
}

fn argument(arena: &Arena, e: Expr) -> Option<Expr> {
    match arena.node(e) {
        Node::Call(_, x) => Some(*x),
        _ => None,
    }
}

fn as_it_stands(arena: &Arena, e: Expr, limits: &Limits) -> Result<(Tree, usize)> {
    let tree = Tree::of(arena, e, limits)?;
    let length = Printer::new(Style::Text).print(arena, &tree).len();
    Ok((tree, length))
}

/// A function with readable arguments.
fn called(arena: &mut Arena, e: Expr, limits: &Limits, nesting: usize) -> Result<Tree> {
    if nesting == 0 {
        return Tree::of(arena, e, limits);
    }
    let inner = |arena: &mut Arena, x: Expr| -> Result<Box<Tree>> {
        let write = |arena: &Arena, setup: &Setup, form: &Form| form.tree(arena, &setup.atoms);
        Ok(Box::new(super::present(arena, x, limits, nesting - 1, &[Order::Met], write)?))
    };
    Ok(match *arena.node(e) {
        Node::Call(f, x) => Tree::Call(f, inner(arena, x)?),
        Node::Atan2(y, x) => Tree::Atan2(inner(arena, y)?, inner(arena, x)?),
        Node::Table(table, derivative, x) => Tree::Table(table, derivative, inner(arena, x)?),
        Node::Unspecified(f, ref list) if !arena.has_usual_arguments(f, list) => {
            let list = list.clone();
            Tree::Unspecified(f, list.iter().map(|&x| Ok(*inner(arena, x)?)).collect::<Result<_>>()?)
        }
        _ => return Tree::of(arena, e, limits),
    })
}
