//! A polynomial as it will be written: a sum of products of numbers, atoms and bracketed sums, with its length.

use super::atoms::{AngleId, Atoms, Cost, Trig};
use crate::error::Result;
use crate::expr::arena::{Arena, Function};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use crate::expr::tree::Tree;
use std::rc::Rc;

/// Bracketed sums with their exponents.
pub(super) type Groups = Vec<(Rc<Form>, i32)>;

/// coefficient · atoms · Π groupᵉˣᵖᵒⁿᵉⁿᵗ.
#[derive(Clone)]
pub(super) struct Term {
    pub coefficient: Rational,
    pub atoms: Monomial,
    /// Bracketed sums of at least two terms, exponents not zero.
    pub groups: Groups,
    pub cost: Cost,
}

/// A sum of terms and the polynomial it equals (as long as no group has a negative exponent).
pub(super) struct Form {
    pub poly: Rc<Poly>,
    pub terms: Vec<Term>,
    /// Has it velocities or accelerations?
    pub motion: bool,
    pub cost: Cost,
}

/// One factor of a product as it is printed.
#[derive(Clone, Copy)]
enum Factor<'a> {
    Atom(Var),
    Group(&'a Rc<Form>),
    /// (a/b), to be raised to a power.
    Ratio(Var, Var),
}

/// A product as it is printed: number and factors above and below the bar, all exponents positive.
struct Layout<'a> {
    above: (Rational, Vec<(Factor<'a>, i32)>),
    below: (Rational, Vec<(Factor<'a>, i32)>),
}

impl Term {
    /// A number times a monomial.
    pub(super) fn monomial(atoms: &Atoms, coefficient: Rational, monomial: Monomial) -> Term {
        Term::new(atoms, coefficient, monomial, Vec::new())
    }

    pub(super) fn new(atoms: &Atoms, coefficient: Rational, monomial: Monomial, groups: Vec<(Rc<Form>, i32)>) -> Term {
        let mut term = Term { coefficient, atoms: monomial, groups, cost: Cost::default() };
        term.cost = if term.is_plain(atoms) { term.plain_cost(atoms) } else { term.best_layout(atoms).1 };
        let motions = term.groups.iter().filter(|(g, _)| g.motion).count();
        if motions > 0 {
            let atoms = term.atoms.factors().filter(|&(v, e)| e > 0 && atoms.is_motion(v)).count();
            term.cost.weight += motions - 1 + atoms;
        }
        term
    }

    /// Multiplies by a power of a form: a product goes in factor by factor, a sum as a group.
    pub(super) fn times(mut self, atoms: &Atoms, form: &Rc<Form>, e: i32) -> Result<Term> {
        match &form.terms[..] {
            [term] => {
                self.coefficient = &self.coefficient * &term.coefficient.pow(e).unwrap_or(Rational::ZERO);
                self.atoms = self.atoms.mul(&term.atoms.pow(e)?)?;
                for (group, f) in &term.groups {
                    self.add_group(group, e * f);
                }
            }
            _ => self.add_group(form, e),
        }
        Ok(Term::new(atoms, self.coefficient, self.atoms, self.groups))
    }

    /// c times the term. A decimal goes into a bracket where that is shorter: 0.01·(3x + 7y) is 0.03x + 0.07y.
    fn scaled(&self, atoms: &Atoms, c: &Rational) -> Term {
        let coefficient = &self.coefficient * c;
        let outside = Term::new(atoms, coefficient.clone(), self.atoms.clone(), self.groups.clone());
        let bracket = self.groups.iter().position(|(_, e)| *e == 1);
        let decimal = !coefficient.is_integer() && atoms.split(&coefficient).1.is_one();
        let Some(i) = bracket.filter(|_| decimal) else { return outside };
        let mut groups = self.groups.clone();
        groups[i].0 = Rc::new(groups[i].0.scaled(atoms, &coefficient.abs()));
        let sign = if coefficient.is_negative() { Rational::MINUS_ONE } else { Rational::ONE };
        let inside = Term::new(atoms, sign, self.atoms.clone(), groups);
        if inside.cost < outside.cost { inside } else { outside }
    }

    fn add_group(&mut self, form: &Rc<Form>, e: i32) {
        match self.groups.iter_mut().find(|(g, _)| g.poly == form.poly) {
            Some((_, f)) => *f += e,
            None => self.groups.push((form.clone(), e)),
        }
        self.groups.retain(|(_, e)| *e != 0);
    }

    /// Is it printed as it stands, nothing but a number below the bar? Sine and cosine of one angle might be written
    /// as another function.
    fn is_plain(&self, atoms: &Atoms) -> bool {
        let mut angle = None;
        self.groups.iter().all(|(_, e)| *e > 0)
            && self.atoms.factors().all(|(v, e)| {
                e > 0
                    && match atoms.as_trig(v) {
                        None | Some((_, Trig::Sin2 | Trig::Cos2)) => true,
                        // The functions of one angle are neighbours.
                        Some((a, Trig::Sin | Trig::Cos)) => angle.replace(a) != Some(a),
                        Some(_) => false,
                    }
            })
    }

    fn plain_cost(&self, atoms: &Atoms) -> Cost {
        let (number, below) = atoms.split(&self.coefficient);
        let factors = self.atoms.factors().map(|(v, e)| (Factor::Atom(v), e));
        let above = factors.chain(self.groups.iter().map(|(g, e)| (Factor::Group(g), *e)));
        fraction_cost(side_cost(atoms, &number.abs(), above), side_cost(atoms, &below, std::iter::empty()))
    }

    fn best_layout(&self, atoms: &Atoms) -> (Layout<'_>, Cost) {
        let plain = self.layout(atoms, false);
        let plain_cost = plain.cost(atoms);
        let is_trig = |v: Var| atoms.as_trig(v).is_some();
        if self.atoms.factors().filter(|(v, _)| is_trig(*v)).count() < 2 {
            return (plain, plain_cost);
        }
        let doubled = self.layout(atoms, true);
        let doubled_cost = doubled.cost(atoms);
        if doubled_cost < plain_cost { (doubled, doubled_cost) } else { (plain, plain_cost) }
    }

    /// The atoms, tanh for sinh over cosh.
    fn tangents(&self, atoms: &Atoms) -> Vec<(Var, i32)> {
        let mut list: Vec<(Var, i32)> = self.atoms.factors().collect();
        for h in atoms.hyperbolics() {
            let (s, c) = (self.atoms.exponent(h.sinh), self.atoms.exponent(h.cosh));
            if s > 0 && c < 0 {
                let k = s.min(-c);
                list.retain(|(v, _)| *v != h.sinh && *v != h.cosh);
                list.extend([(h.tanh, k), (h.sinh, s - k), (h.cosh, c + k)].into_iter().filter(|(_, e)| *e != 0));
            }
        }
        list
    }

    /// Decides which functions of the angles are written, and what goes below the bar.
    fn layout(&self, atoms: &Atoms, double: bool) -> Layout<'_> {
        let mut coefficient = self.coefficient.abs();
        let mut list: Vec<(Factor<'_>, i32)> = Vec::new();
        let mut angles: Vec<(AngleId, i32, i32)> = Vec::new();
        for (v, e) in self.tangents(atoms) {
            match atoms.as_trig(v) {
                None => list.push((Factor::Atom(v), e)),
                Some((_, Trig::Cos2 | Trig::Sin2)) => list.push((Factor::Atom(v), e)),
                Some((angle, trig)) => {
                    let (sin, cos) = match trig {
                        Trig::Sin => (e, 0),
                        Trig::Tan => (e, -e),
                        Trig::Cot => (-e, e),
                        Trig::Sec => (0, -e),
                        Trig::Csc => (-e, 0),
                        _ => (0, e),
                    };
                    match angles.iter_mut().find(|(a, _, _)| *a == angle) {
                        Some((_, s, c)) => (*s, *c) = (*s + sin, *c + cos),
                        None => angles.push((angle, sin, cos)),
                    }
                }
            }
        }
        for (angle, sin, cos) in angles {
            let mut put = |trig: Trig, e: i32| {
                if e != 0 {
                    list.push((Factor::Atom(atoms.trig(angle, trig)), e));
                }
            };
            if sin * cos < 0 {
                // c²/s³ is cot²/s: take as many quotients as save a power sign.
                let k = sin.abs().min(cos.abs());
                let rest = sin + cos;
                let powers = |a: i32, b: i32| usize::from(a.abs() > 1) + usize::from(b.abs() > 1);
                if rest == 0 || powers(k, rest) < powers(sin, cos) {
                    put(if cos > 0 { Trig::Cot } else { Trig::Tan }, k);
                    put(if sin.abs() > cos.abs() { Trig::Sin } else { Trig::Cos }, rest);
                } else {
                    put(Trig::Sin, sin);
                    put(Trig::Cos, cos);
                }
            } else if double && sin == cos && sin > 0 && sin < 32 {
                put(Trig::Sin2, sin);
                coefficient = &coefficient / &Rational::integer(1 << sin);
            } else {
                put(Trig::Sin, sin);
                put(Trig::Cos, cos);
            }
        }
        list.extend(self.groups.iter().map(|(g, e)| (Factor::Group(g), *e)));
        let (mut above, mut below): (Vec<_>, Vec<_>) = list.into_iter().partition(|(_, e)| *e > 0);
        below.iter_mut().for_each(|(_, e)| *e = -*e);
        // b²/a² is (b/a)².
        let mut i = 0;
        while i < above.len() {
            if let (Factor::Atom(a), e @ 2..) = above[i]
                && let Some(j) = below.iter().position(|(f, x)| *x == e && matches!(f, Factor::Atom(_)))
                && let (Factor::Atom(b), _) = below.remove(j)
            {
                above[i].0 = Factor::Ratio(a, b);
            }
            i += 1;
        }
        let (p, q) = atoms.split(&coefficient);
        // 1/sin is csc where nothing else is in the fraction.
        if above.is_empty()
            && p.is_one()
            && q.is_one()
            && let [(Factor::Atom(v), e)] = below[..]
            && let Some((angle, trig @ (Trig::Sin | Trig::Cos))) = atoms.as_trig(v)
        {
            let v = atoms.trig(angle, if trig == Trig::Sin { Trig::Csc } else { Trig::Sec });
            return Layout { above: (p, vec![(Factor::Atom(v), e)]), below: (q, Vec::new()) };
        }
        Layout { above: (p, above), below: (q, below) }
    }

    /// Whether a minus stands in front, and the rest. Brackets begin with a plus.
    fn signed_tree(&self, arena: &Arena, atoms: &Atoms) -> (bool, Tree) {
        let Layout { above, below } = self.best_layout(atoms).0;
        let mut minus = self.coefficient.is_negative();
        let mut product = |(number, list): (Rational, Vec<(Factor<'_>, i32)>)| {
            let mut factors: Vec<Tree> = Vec::new();
            for (factor, e) in list {
                let base = match factor {
                    Factor::Atom(v) => atoms.tree(v),
                    Factor::Ratio(a, b) => Tree::quotient(atoms.tree(a), atoms.tree(b)),
                    Factor::Group(form) => {
                        let mut terms = form.arranged(arena, atoms);
                        minus ^= begin_with_plus(&mut terms) && e % 2 == 1;
                        Tree::sum(terms)
                    }
                };
                factors.push(Tree::power(base, &Rational::integer(e.into())));
            }
            absolute_values(&mut factors);
            roots_of_numbers(&mut factors);
            Tree::arrange_factors(arena, &mut factors);
            if !number.is_one() {
                factors.insert(0, if number.is_integer() { Tree::Number(number) } else { Tree::Decimal(number) });
            }
            Tree::product(factors)
        };
        let (mut above, mut below) = (product(above), product(below));
        roots_below(&mut above, &mut below);
        (minus, Tree::quotient(above, below))
    }
}

/// √2·√5 is √10.
fn roots_of_numbers(factors: &mut Vec<Tree>) {
    let mut radicand = Rational::ONE;
    factors.retain(|factor| match factor {
        Tree::Sqrt(x) => match &**x {
            Tree::Number(n) => {
                radicand = &radicand * n;
                false
            }
            _ => true,
        },
        _ => true,
    });
    if !radicand.is_one() {
        factors.push(Tree::Sqrt(Box::new(Tree::Number(radicand))));
    }
}

/// √a/a is 1/√a, and √a/a² is 1/a^(3/2).
fn roots_below(above: &mut Tree, below: &mut Tree) {
    let factors = |tree: &mut Tree| match tree {
        Tree::Product(list) => std::mem::take(list),
        _ => vec![std::mem::replace(tree, Tree::Undefined)],
    };
    let (mut up, mut down) = (factors(above), factors(below));
    let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
    up.retain(|factor| {
        let Tree::Sqrt(radicand) = factor else { return true };
        let exponent = |d: &Tree| match d {
            Tree::Power(base, n) if base == radicand => {
                if let Tree::Number(n) = &**n {
                    Some(n.clone())
                } else {
                    None
                }
            }
            _ => (*d == **radicand).then_some(Rational::ONE),
        };
        for d in &mut down {
            if let Some(n) = exponent(d) {
                *d = Tree::power((**radicand).clone(), &(&n - &half));
                return false;
            }
        }
        true
    });
    *above = Tree::product(up);
    *below = Tree::product(down);
}

/// Changes all signs if the first is a minus; says whether it did.
fn begin_with_plus(terms: &mut [(bool, Tree)]) -> bool {
    let change = terms.first().is_some_and(|(minus, _)| *minus);
    if change {
        terms.iter_mut().for_each(|(minus, _)| *minus = !*minus);
    }
    change
}

/// The first term with a plus comes first.
fn plus_first(terms: &mut [(bool, Tree)]) {
    if let Some(i) = terms.iter().position(|(minus, _)| !minus) {
        terms[..=i].rotate_right(1);
    }
}

/// A bracket that is a term by itself needs no bracket.
fn flattened(atoms: &Atoms, terms: Vec<Term>) -> Vec<Term> {
    let bare = |t: &Term| {
        t.atoms.is_one() && matches!(t.groups[..], [(_, 1)]) && (t.coefficient.is_one() || t.coefficient.is_minus_one())
    };
    if !terms.iter().any(bare) {
        return terms;
    }
    let mut flat = Vec::new();
    for term in terms {
        match &term.groups[..] {
            [(group, 1)] if bare(&term) => flat.extend(group.scaled(atoms, &term.coefficient).terms),
            _ => flat.push(term),
        }
    }
    flat
}

/// x·sign(x) is |x|.
fn absolute_values(factors: &mut Vec<Tree>) {
    let mut i = 0;
    while i < factors.len() {
        if let Tree::Call(Function::Sign, x) = &factors[i]
            && let Some(j) = factors.iter().position(|f| *f == **x)
        {
            factors[i] = Tree::call(Function::Abs, (**x).clone());
            factors.remove(j);
        } else {
            i += 1;
        }
    }
}

/// Length of a positive integer in print.
fn digits(number: &Rational) -> usize {
    match number.to_i64().and_then(|n| n.checked_ilog10()) {
        Some(log) => log as usize + 1,
        None => number.as_decimal().unwrap_or_else(|| number.to_string()).len(),
    }
}

/// Cost and number of the factors above or below a bar.
fn side_cost<'f>(atoms: &Atoms, number: &Rational, factors: impl Iterator<Item = (Factor<'f>, i32)>) -> (Cost, usize) {
    let mut cost = Cost::default();
    let mut count: usize = 0;
    if !number.is_one() {
        count += 1;
        cost.length += digits(number);
    }
    for (factor, e) in factors {
        count += 1;
        cost += match factor {
            Factor::Atom(v) => atoms.cost(v),
            Factor::Group(form) => form.cost + Cost::BRACKETS,
            Factor::Ratio(a, b) => atoms.cost(a) + atoms.cost(b) + Cost::new(1, 1) + Cost::BRACKETS,
        };
        if e != 1 {
            cost += Cost::new(1, 2);
        }
    }
    // The signs between factors.
    (cost + Cost::new(count.saturating_sub(1), count.saturating_sub(1)), count)
}

fn fraction_cost((above, n): (Cost, usize), (below, d): (Cost, usize)) -> Cost {
    let bar = match d {
        0 => Cost::default(),
        1 => Cost::new(1, 1),
        _ => Cost::new(1, 1) + Cost::BRACKETS,
    };
    above + below + bar + Cost::new(0, usize::from(n == 0))
}

impl Layout<'_> {
    fn cost(&self, atoms: &Atoms) -> Cost {
        let side = |(number, list): &(Rational, Vec<(Factor<'_>, i32)>)| side_cost(atoms, number, list.iter().copied());
        fraction_cost(side(&self.above), side(&self.below))
    }
}

impl Form {
    /// A sum of terms that equals the polynomial.
    pub(super) fn new(atoms: &Atoms, poly: Rc<Poly>, terms: Vec<Term>) -> Form {
        let terms = flattened(atoms, terms);
        let signs = terms.len().saturating_sub(1);
        let cost = terms.iter().map(|t| t.cost).sum::<Cost>() + Cost::new(signs, 3 * signs);
        Form { motion: atoms.has_motion(&poly), poly, terms, cost }
    }

    /// Every monomial by itself.
    pub(super) fn flat(atoms: &Atoms, poly: Rc<Poly>) -> Form {
        let terms = poly.terms().iter().map(|(m, c)| Term::monomial(atoms, c.clone(), m.clone())).collect();
        Form::new(atoms, poly, terms)
    }

    /// The shorter of two; this one of two as short.
    pub(super) fn or(self, other: Form) -> Form {
        if other.cost < self.cost { other } else { self }
    }

    /// c times the form.
    pub(super) fn scaled(&self, atoms: &Atoms, c: &Rational) -> Form {
        let terms = self.terms.iter().map(|t| t.scaled(atoms, c)).collect();
        Form::new(atoms, Rc::new(self.poly.scale(c)), terms)
    }

    /// The terms with their signs, in printing order.
    fn arranged(&self, arena: &Arena, atoms: &Atoms) -> Vec<(bool, Tree)> {
        let mut terms: Vec<(bool, Tree)> = self.terms.iter().map(|t| t.signed_tree(arena, atoms)).collect();
        Tree::arrange_terms(arena, &mut terms);
        terms
    }

    /// As a tree; a sum begins with a plus if it can.
    pub(super) fn tree(&self, arena: &Arena, atoms: &Atoms) -> Tree {
        let mut terms = self.arranged(arena, atoms);
        if let [(minus @ true, tree)] = &mut terms[..] {
            *minus = !sign_into_bracket(tree);
        }
        plus_first(&mut terms);
        Tree::sum(terms)
    }

    /// As a tree that may have the other sign: the first term in printing order gets a plus.
    pub(super) fn tree_up_to_sign(&self, arena: &Arena, atoms: &Atoms) -> Tree {
        let mut terms = self.arranged(arena, atoms);
        begin_with_plus(&mut terms);
        Tree::sum(terms)
    }
}

/// Makes a product its opposite by the signs of one of its brackets, if it has one with both signs: −x·(a − b) is
/// x·(b − a), and −sin(a − b) is sin(b − a).
fn sign_into_bracket(tree: &mut Tree) -> bool {
    let mut at = tree;
    loop {
        at = match at {
            Tree::Quotient(above, _) => above,
            tree if !takes_sign(tree) && !matches!(tree, Tree::Product(_)) => return false,
            Tree::Product(factors) => match factors.iter().position(takes_sign) {
                Some(i) => &mut factors[i],
                None => return false,
            },
            Tree::Call(_, argument) => argument,
            Tree::Sum(terms) => {
                terms.iter_mut().for_each(|(minus, _)| *minus = !*minus);
                plus_first(terms);
                return true;
            }
            _ => return false,
        };
    }
}

/// A sum with both signs, or an odd function of one.
fn takes_sign(tree: &Tree) -> bool {
    use Function::*;
    let sum = match tree {
        Tree::Call(Sin | Tan | Cot | Csc | Asin | Atan | Sinh | Tanh, argument) => argument,
        _ => tree,
    };
    matches!(sum, Tree::Sum(terms) if terms.iter().any(|(minus, _)| *minus != terms[0].0))
}
