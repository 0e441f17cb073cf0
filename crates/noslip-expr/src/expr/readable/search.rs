//! The search for the shortest way to write a polynomial.
//!
//! A polynomial is written as number · monomial · factors, each factor a sum; a sum is divided into the terms that
//! contain some atom, and the rest, and both are written in their shortest way. Before each step the polynomial may
//! change its dress: sin² for 1 − cos², cotangents for quotients, double angles. What has been found for a polynomial
//! is remembered. Everything is bounded: when the effort runs out, only the first idea is tried, then none.

use super::atoms::{Atoms, Cost};
use super::form::{Form, Groups, Term};
use super::trig;
use crate::error::Result;
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly, Var};
use crate::limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::rc::Rc;

/// Nesting of brackets beyond which terms are written side by side.
const DEPTH: usize = 24;
/// Polynomials longer than this are not factored or rewritten for their looks, only grouped.
const LONG: usize = 400;
/// Sums up to this length are looked at as a whole; of longer ones the parts are written one after the other.
const SHORT: usize = 64;
/// Sums up to this length may be a product and one term more.
const ODD: usize = 6;
/// Work of one attempt to factor.
const FACTOR_WORK: u64 = 20_000;

pub(super) struct Search<'a> {
    pub atoms: &'a Atoms,
    /// The shortest way to write a primitive polynomial; `None` while it is being looked for.
    known: FxHashMap<Rc<Poly>, Option<Rc<Form>>>,
    pub(super) budget: Budget,
    /// Are squares of sums looked for?
    squares: bool,
    /// Polynomials that may still be looked at with care.
    effort: usize,
    depth: usize,
}

/// number · monomial · rest. A monomial is common if all exponents of an atom have the same sign.
fn content<'p>(p: &'p Poly, budget: &mut Budget) -> Result<(Rational, Monomial, Cow<'p, Poly>)> {
    // Variable, terms it occurs in, lowest and highest exponent.
    let mut ranges: Vec<(Var, usize, i32, i32)> = Vec::new();
    for (v, e) in p.terms().iter().flat_map(|(m, _)| m.factors()) {
        match ranges.iter_mut().find(|r| r.0 == v) {
            Some((_, n, low, high)) => (*n, *low, *high) = (*n + 1, e.min(*low), e.max(*high)),
            None => ranges.push((v, 1, e, e)),
        }
    }
    let mut common = Monomial::ONE;
    for (v, n, low, high) in ranges {
        if n == p.len() && (low > 0 || high < 0) {
            common = common.mul(&Monomial::power(v, if low > 0 { low } else { high })?)?;
        }
    }
    let c = p.rational_content(budget)?;
    let rest = if common.is_one() { Cow::Borrowed(p) } else { Cow::Owned(p.unshift(&common)?) };
    let rest = match c.recip() {
        Some(inverse) if !inverse.is_one() => Cow::Owned(rest.scale(&inverse)),
        _ => rest,
    };
    Ok((c, common, rest))
}

impl<'a> Search<'a> {
    pub(super) fn new(atoms: &'a Atoms, limits: &Limits, effort: usize) -> Search<'a> {
        Search { atoms, known: FxHashMap::default(), budget: Budget::new(limits), squares: false, effort, depth: 0 }
    }

    /// The same, looking for squares of sums: distances stand under roots, and in equations a square of a sum that happens to be there
    /// stands in the way of other brackets.
    pub(super) fn with_squares(mut self) -> Search<'a> {
        self.squares = true;
        self
    }

    /// The same with at most this much work.
    pub(super) fn at_most(mut self, work: u64) -> Search<'a> {
        self.budget = self.budget.at_most(work);
        self
    }

    /// Work done.
    pub(super) fn done(&self) -> u64 {
        self.budget.done()
    }

    /// The shortest way found to write a polynomial.
    pub(super) fn form(&mut self, p: &Poly) -> Result<Rc<Form>> {
        if p.len() < 2 {
            return Ok(Rc::new(Form::flat(self.atoms, p.clone().into())));
        }
        let p = trig::reduced(self.atoms, p, &mut self.budget)?;
        let (c, m, rest) = {
            let (c, m, rest) = content(&p, &mut self.budget)?;
            (c, m, if rest.len() < 2 { None } else { Some(self.primitive(&rest)?) })
        };
        let Some(rest) = rest else { return Ok(Rc::new(Form::flat(self.atoms, p.into_owned().into()))) };
        if c.is_one() && m.is_one() {
            return Ok(rest);
        }
        // (3a + 2b)/6 is a/2 + b/3: a number may be better inside, or half of it.
        let (n, d) = c.split();
        let d = d.recip().unwrap_or(Rational::ONE);
        let one = Rational::ONE;
        let inside: Vec<(Rational, Rational)> = match (n.is_one(), d.is_one()) {
            (true, true) => vec![(one.clone(), one)],
            (false, false) => vec![(c.clone(), one.clone()), (n.clone(), d.clone()), (d, n), (one, c)],
            _ => vec![(c.clone(), one.clone()), (one, c)],
        };
        let p: Rc<Poly> = p.into_owned().into();
        // Not term by term: what has a factor in front may have a bracket in common with another.
        let mut best: Option<Form> = None;
        for (outer, inner) in inside {
            let rest = if inner.is_one() { rest.clone() } else { Rc::new(rest.scaled(self.atoms, &inner)) };
            let terms = if outer.is_one() && m.is_one() {
                rest.terms.clone()
            } else {
                vec![Term::monomial(self.atoms, outer, m.clone()).times(self.atoms, &rest, 1)?]
            };
            let form = Form::new(self.atoms, p.clone(), terms);
            best = Some(match best {
                Some(best) => best.or(form),
                None => form,
            });
        }
        Ok(best.unwrap_or_else(|| Form::flat(self.atoms, p)).into())
    }

    /// The shortest way found to write numerator/Π factorᵉˣᵖᵒⁿᵉⁿᵗ: as one fraction, or as a sum of fractions in which
    /// motions with the same denominator stand together.
    pub(super) fn quotient(&mut self, numerator: &Poly, denominator: &[(Poly, u32)]) -> Result<Rc<Form>> {
        let mut below = Term::monomial(self.atoms, Rational::ONE, Monomial::ONE);
        // What stands below is often what stands under a root: it is looked at as there, so that the two meet.
        let squares = std::mem::replace(&mut self.squares, true);
        for (factor, e) in denominator {
            let form = self.form(factor)?;
            below = below.times(self.atoms, &form, *e as i32)?;
        }
        self.squares = squares;
        // What is a number or a monomial goes up, with negative exponents.
        let number = below.coefficient.recip().unwrap_or(Rational::ONE);
        let p = Rc::new(numerator.unshift(&below.atoms)?.scale(&number));
        if below.groups.is_empty() {
            return self.form(&p);
        }
        let mut best: Option<Form> = None;
        let mut denominators = vec![below.groups.clone()];
        denominators.extend(self.multiplied_out(&below.groups)?);
        for groups in denominators {
            for terms in [vec![self.over(&p, &groups)?], self.parts_over(&p, &groups)?] {
                let form = Form::new(self.atoms, p.clone(), terms);
                if best.as_ref().is_none_or(|b| form.cost < b.cost) {
                    best = Some(form);
                }
            }
        }
        best.map_or_else(|| self.form(&p), |form| Ok(form.into()))
    }

    /// (x + a)·(x − a) is x² − a²: factors that are shorter as one.
    fn multiplied_out(&mut self, groups: &[(Rc<Form>, i32)]) -> Result<Option<Groups>> {
        let mut groups = groups.to_vec();
        let mut changed = false;
        let mut i = 0;
        while i < groups.len() {
            let mut j = i + 1;
            while j < groups.len() {
                let ((a, e), (b, f)) = (&groups[i], &groups[j]);
                if e == f && a.poly.len() * b.poly.len() <= SHORT {
                    let product = a.poly.mul(&b.poly, &mut self.budget)?;
                    let form = self.form(&product)?;
                    if form.terms.len() > 1 {
                        groups[i].0 = form;
                        groups.remove(j);
                        changed = true;
                        continue;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        Ok(changed.then_some(groups))
    }

    /// One fraction.
    fn over(&mut self, p: &Poly, groups: &[(Rc<Form>, i32)]) -> Result<Term> {
        let above = self.form(p)?;
        let mut term = Term::monomial(self.atoms, Rational::ONE, Monomial::ONE).times(self.atoms, &above, 1)?;
        for (group, e) in groups {
            term = term.times(self.atoms, group, -e)?;
        }
        Ok(term)
    }

    /// A sum of fractions: the coefficient of every product of atoms that are not in the denominators loses the
    /// denominators that divide it.
    fn parts_over(&mut self, p: &Poly, groups: &[(Rc<Form>, i32)]) -> Result<Vec<Term>> {
        let below: FxHashSet<Var> = groups.iter().flat_map(|(g, _)| g.poly.variables()).collect();
        let angles = below.iter().any(|&v| self.atoms.as_trig(v).is_some());
        // An angle below may be written by any of its functions: then all functions of angles stay together.
        let inside = |v: Var| below.contains(&v) || angles && self.atoms.as_trig(v).is_some();
        let mut index: FxHashMap<Monomial, usize> = FxHashMap::default();
        let mut coefficients: Vec<Vec<(Monomial, Rational)>> = Vec::new();
        for (m, c) in p.terms() {
            let mut outside = Monomial::ONE;
            for (v, e) in m.factors().filter(|(v, _)| !inside(*v)) {
                outside = outside.mul(&Monomial::power(v, e)?)?;
            }
            let at = *index.entry(outside).or_insert(coefficients.len());
            if at == coefficients.len() {
                coefficients.push(Vec::new());
            }
            coefficients[at].push((m.clone(), c.clone()));
        }
        let mut fractions: Vec<(Groups, Poly)> = Vec::new();
        for terms in coefficients {
            let mut numerator = Poly::from_sorted(terms);
            let mut left = Vec::new();
            for (group, e) in groups {
                let mut e = *e;
                while e > 0 {
                    match numerator.divide(&group.poly, &mut self.budget)? {
                        Some(quotient) => numerator = quotient,
                        None => break,
                    }
                    e -= 1;
                }
                if e > 0 {
                    left.push((group.clone(), e));
                }
            }
            let same = |a: &[(Rc<Form>, i32)], b: &[(Rc<Form>, i32)]| {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| Rc::ptr_eq(&x.0, &y.0) && x.1 == y.1)
            };
            match fractions.iter_mut().find(|(denominator, _)| same(denominator, &left)) {
                Some((_, sum)) => *sum = sum.add(&numerator),
                None => fractions.push((left, numerator)),
            }
        }
        let mut terms = Vec::new();
        for (denominator, numerator) in fractions {
            if denominator.is_empty() {
                terms.extend_from_slice(&self.form(&numerator)?.terms);
            } else {
                terms.push(self.over(&numerator, &denominator)?);
            }
        }
        Ok(terms)
    }

    /// The shortest way to write a primitive polynomial.
    fn primitive(&mut self, p: &Poly) -> Result<Rc<Form>> {
        let known = self.known.get(p).cloned();
        if let Some(Some(form)) = known {
            return Ok(form);
        }
        let p = Rc::new(p.clone());
        if known.is_some() {
            return Ok(Rc::new(Form::flat(self.atoms, p)));
        }
        if self.depth >= DEPTH {
            return Ok(Rc::new(Form::flat(self.atoms, p)));
        }
        self.known.insert(p.clone(), None);
        self.depth += 1;
        let found = self.look(&p);
        self.depth -= 1;
        let form = Rc::new(found?);
        self.known.insert(p, Some(form.clone()));
        Ok(form)
    }

    fn look(&mut self, p: &Rc<Poly>) -> Result<Form> {
        let careful = self.effort > 0 && p.len() <= LONG;
        self.effort = self.effort.saturating_sub(1);
        let mut ways = vec![p.clone()];
        if careful {
            let width = if p.len() <= 16 { 5 } else { 3 };
            ways.extend(trig::ways(self.atoms, p, width, &mut self.budget).into_iter().map(Rc::new));
        }
        let mut best = Form::flat(self.atoms, p.clone());
        for (i, way) in ways.iter().enumerate() {
            if i > 0 {
                best = best.or(Form::flat(self.atoms, way.clone()));
            }
            for form in self.write(way, careful, best.cost.weight)? {
                best = best.or(form);
            }
        }
        Ok(Form { poly: p.clone(), ..best })
    }

    /// Ways to write a polynomial without changing its atoms, other than term by term; those that cannot weigh less
    /// than `least` may be left out.
    fn write(&mut self, p: &Rc<Poly>, careful: bool, least: usize) -> Result<Vec<Form>> {
        let mut forms = Vec::new();
        let (c, m, rest) = content(p, &mut self.budget)?;
        if rest.len() < 2 {
            return Ok(forms);
        }
        if careful {
            forms.extend(self.factored(p)?);
        }
        if !m.is_one() || !c.is_one() {
            // Another dress has brought out a common factor.
            let inner = self.form(&rest)?;
            let term = Term::monomial(self.atoms, c, m).times(self.atoms, &inner, 1)?;
            forms.push(Form::new(self.atoms, p.clone(), vec![term]));
            return Ok(forms);
        }
        let least = forms.iter().map(|f| f.cost.weight).min().map_or(least, |w| w.min(least));
        forms.extend(self.divided(p, careful, least)?);
        Ok(forms)
    }

    /// As a product, if it is one.
    fn factored(&mut self, p: &Rc<Poly>) -> Result<Option<Form>> {
        let mut attempt = self.budget.attempt(FACTOR_WORK);
        let given = attempt.clone();
        let found = p.factor(&mut attempt);
        self.budget.settle(&given, &attempt);
        let Ok(found) = found else { return Ok(None) };
        if found.factors.iter().map(|(_, e)| e).sum::<u32>() < 2 {
            return Ok(None);
        }
        let mut term = Term::monomial(self.atoms, found.constant, found.monomial);
        for (factor, e) in &found.factors {
            let form = self.form(factor)?;
            term = term.times(self.atoms, &form, *e as i32)?;
        }
        Ok(Some(Form::new(self.atoms, p.clone(), vec![term])))
    }

    /// As a sum of parts with common atoms, if that may weigh less than `least`.
    fn divided(&mut self, p: &Rc<Poly>, careful: bool, mut least: usize) -> Result<Vec<Form>> {
        let n = p.len();
        if n < 3 {
            return Ok(Vec::new());
        }
        let tries = match n {
            _ if !careful => 1,
            0..=8 => 4,
            9..=16 => 3,
            17..=40 => 2,
            _ => 1,
        };
        let mut forms = Vec::new();
        for (v, positive) in self.promising(p).into_iter().take(tries) {
            let (with, without) = part(p, v, positive);
            let first = self.form(&with)?;
            // Every atom of the rest is written at least once.
            if first.cost.weight + 1 + self.atoms.least_weight(&without) > least {
                continue;
            }
            let mut terms = first.terms.clone();
            if n <= SHORT {
                terms.extend_from_slice(&self.form(&without)?.terms);
            } else {
                terms.extend(self.parts(without)?);
            }
            let terms = self.merged(terms)?;
            let form = Form::new(self.atoms, p.clone(), terms);
            least = least.min(form.cost.weight);
            forms.push(form);
        }
        if careful && (4..=ODD).contains(&n) {
            forms.extend(self.odd_one_out(p, least)?);
        }
        if self.squares && careful && n <= SHORT {
            forms.extend(self.squared(p)?);
        }
        Ok(forms)
    }

    /// A product and one term that does not fit in.
    fn odd_one_out(&mut self, p: &Rc<Poly>, least: usize) -> Result<Option<Form>> {
        for i in 0..p.len() {
            let mut rest = p.terms().to_vec();
            let (m, c) = rest.remove(i);
            let rest = Rc::new(Poly::from_sorted(rest));
            let odd = Term::monomial(self.atoms, c, m);
            if odd.cost.weight + 1 + self.atoms.least_weight(&rest) > least
                || !content(&rest, &mut self.budget)?.1.is_one()
            {
                continue;
            }
            if let Some(form) = self.factored(&rest)? {
                let mut terms = form.terms;
                terms.push(odd);
                return Ok(Some(Form::new(self.atoms, p.clone(), terms)));
            }
        }
        Ok(None)
    }

    /// A long polynomial part by part, without looking back.
    fn parts(&mut self, mut p: Poly) -> Result<Vec<Term>> {
        let mut terms = Vec::new();
        while let Some(&(v, positive)) = self.promising(&p).first() {
            let (with, without) = part(&p, v, positive);
            terms.extend_from_slice(&self.form(&with)?.terms);
            p = without;
        }
        // What is left has atoms in common everywhere or nowhere.
        terms.extend_from_slice(&self.form(&p)?.terms);
        Ok(terms)
    }

    /// Atoms that some but not all terms have in common, the one that saves most first; with the sign of the exponents.
    fn promising(&self, p: &Poly) -> Vec<(Var, bool)> {
        let mut counts: FxHashMap<(Var, bool), usize> = FxHashMap::default();
        for (m, _) in p.terms() {
            for (v, e) in m.factors() {
                *counts.entry((v, e > 0)).or_default() += 1;
            }
        }
        let mut list: Vec<((Var, bool), usize)> = counts.into_iter().filter(|(_, n)| *n >= 2 && *n < p.len()).collect();
        list.sort_by_key(|&((v, positive), n)| {
            let saved = (n - 1) * (1 + self.atoms.cost(v).weight);
            (std::cmp::Reverse(saved), v, positive)
        });
        list.into_iter().map(|(key, _)| key).collect()
    }

    /// Terms with a bracket in common become one: a·(x + y) + b·(x + y) = (a + b)·(x + y).
    fn merged(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>> {
        if terms.len() > SHORT {
            return Ok(terms);
        }
        loop {
            let mut groups: Vec<Rc<Form>> = Vec::new();
            for (group, _) in terms.iter().flat_map(|t| &t.groups) {
                if !groups.iter().any(|g| same_up_to_sign(&g.poly, &group.poly).is_some()) {
                    groups.push(group.clone());
                }
            }
            let mut best: Option<(Cost, Vec<Term>)> = None;
            let total =
                |terms: &[Term]| terms.iter().map(|t| t.cost).sum::<Cost>() + Cost::new(terms.len(), 3 * terms.len());
            let before = total(&terms);
            for group in groups {
                let has =
                    |t: &Term| t.groups.iter().any(|(g, e)| *e > 0 && same_up_to_sign(&g.poly, &group.poly).is_some());
                let (with, mut rest): (Vec<Term>, Vec<Term>) = terms.iter().cloned().partition(has);
                if with.len() < 2 {
                    continue;
                }
                let mut inner = Vec::new();
                for term in &with {
                    inner.push(self.without_group(term, &group)?);
                }
                let inner = self.form(&Poly::sum(inner))?;
                let whole = Term::monomial(self.atoms, Rational::ONE, Monomial::ONE);
                let whole = whole.times(self.atoms, &inner, 1)?.times(self.atoms, &group, 1)?;
                rest.push(whole);
                let cost = total(&rest);
                if cost < before && best.as_ref().is_none_or(|(c, _)| cost < *c) {
                    best = Some((cost, rest));
                }
            }
            match best {
                Some((_, better)) => terms = better,
                None => return Ok(terms),
            }
        }
    }

    /// The polynomial of a term, without one power of a group.
    fn without_group(&mut self, term: &Term, group: &Form) -> Result<Poly> {
        let mut p = Poly::term(term.atoms.clone(), term.coefficient.clone());
        let mut removed = false;
        for (g, e) in &term.groups {
            let mut e = *e;
            if !removed && let Some(negative) = same_up_to_sign(&g.poly, &group.poly) {
                removed = true;
                e -= 1;
                if negative {
                    p = p.neg();
                }
            }
            if e > 0 {
                p = p.mul(&g.poly.pow(e, &mut self.budget)?, &mut self.budget)?;
            }
        }
        Ok(p)
    }
}

/// Are the polynomials equal (`false`) or opposite (`true`)?
fn same_up_to_sign(a: &Poly, b: &Poly) -> Option<bool> {
    if a.len() != b.len() {
        return None;
    }
    let pairs = || a.terms().iter().zip(b.terms());
    if !pairs().all(|(x, y)| x.0 == y.0) {
        return None;
    }
    if pairs().all(|(x, y)| x.1 == y.1) {
        return Some(false);
    }
    pairs().all(|(x, y)| x.1 == -&y.1).then_some(true)
}

/// The terms that contain a positive (or a negative) power of an atom, and the others.
fn part(p: &Poly, v: Var, positive: bool) -> (Poly, Poly) {
    let with = |m: &Monomial| {
        let e = m.exponent(v);
        if positive { e > 0 } else { e < 0 }
    };
    let (a, b): (Vec<_>, Vec<_>) = p.terms().iter().cloned().partition(|(m, _)| with(m));
    (Poly::from_sorted(a), Poly::from_sorted(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Tree;

    #[test]
    fn a_sum_is_divided_by_what_several_of_its_terms_have_in_common_but_not_all() {
        let mut atoms = Atoms::default();
        let one = Tree::Number(Rational::ONE);
        // The last takes two operations to write.
        let [a, b] = [0, 1].map(|_| atoms.plain(one.clone(), 1, false));
        let c = atoms.plain(Tree::Product(vec![one.clone(), one.clone(), one]), 1, false);
        let term = |factors: &[(Var, i32)]| {
            let powers = factors.iter().map(|&(v, e)| Monomial::power(v, e).expect("a power"));
            (powers.fold(Monomial::ONE, |m, p| m.mul(&p).expect("a product")), Rational::ONE)
        };
        let search = Search::new(&atoms, &Limits::default(), 10);
        for (terms, expected) in [
            // In all terms: that is no division.
            (vec![term(&[(a, 1), (b, 1)]), term(&[(a, 1), (c, 1)])], vec![]),
            // a and c in two of three; what is longer saves more.
            (vec![term(&[(a, 1), (b, 1)]), term(&[(a, 1), (c, 1)]), term(&[(c, 1)])], vec![(c, true), (a, true)]),
            // Above the bar and below it are different things.
            (vec![term(&[(a, -1), (b, 1)]), term(&[(a, -1)]), term(&[(a, 1)])], vec![(a, false)]),
            (vec![term(&[(a, 1)]), term(&[(b, 1)]), term(&[(c, 1)])], vec![]),
        ] {
            assert_eq!(search.promising(&Poly::from_terms(terms)), expected);
        }
    }
}
