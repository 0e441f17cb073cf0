//! Exact division, remainders and square roots.

use super::budget::Length;
use super::product::{Packing, exponent_ranges};
use super::{Budget, Monomial, Poly, Var};
use crate::error::{Error, Result};
use crate::expr::number::Rational;
use std::collections::BinaryHeap;

impl Poly {
    /// The quotient when `divisor` divides exactly, else `None`. Monomials divide everything.
    pub fn divide(&self, divisor: &Poly, budget: &mut Budget) -> Result<Option<Poly>> {
        if divisor.is_zero() {
            return Err(Error::computation("division by the zero polynomial"));
        }
        if self.is_zero() {
            return Ok(Some(Poly::ZERO));
        }
        if let [(m, c)] = &divisor.terms[..] {
            let quotient = self.unshift(m)?;
            if c.is_one() {
                return Ok(Some(quotient));
            }
            budget.numbers(quotient.len(), quotient.length(), divisor.length())?;
            return Ok(Some(quotient.scale(&(&Rational::ONE / c))));
        }
        if self.len() < 2 {
            return Ok(None);
        }
        if !(self.length().is_short() && divisor.length().is_short()) {
            return self.divide_whole(divisor, budget);
        }
        self.divide_shifted(divisor, budget)
    }

    /// The same for long coefficients, in integers: the quotient of primitive polynomials has integer coefficients (Gauss).
    fn divide_whole(&self, divisor: &Poly, budget: &mut Budget) -> Result<Option<Poly>> {
        let (content, of_divisor) = (self.rational_content(budget)?, divisor.rational_content(budget)?);
        let over = |p: &Poly, c: &Rational, budget: &mut Budget| {
            p.count_numbers(budget)?;
            Ok(p.scale(&(&Rational::ONE / c)))
        };
        let (a, b) = (over(self, &content, budget)?, over(divisor, &of_divisor, budget)?);
        let Some(quotient) = a.divide_shifted(&b, budget)? else { return Ok(None) };
        quotient.count_numbers(budget)?;
        Ok(Some(quotient.scale(&(&content / &of_divisor))))
    }

    /// The same for both of at least two terms.
    fn divide_shifted(&self, divisor: &Poly, budget: &mut Budget) -> Result<Option<Poly>> {
        // Monomials are units: both sides are shifted to begin at exponent zero.
        let (ra, rb) = (exponent_ranges(self), exponent_ranges(divisor));
        let spread = |r: &[(Var, i32, i32)], v: Var| r.iter().find(|x| x.0 == v).map_or(0, |x| x.2 - x.1);
        if rb.iter().any(|&(v, lo, hi)| hi - lo > spread(&ra, v)) {
            return Ok(None);
        }
        let spans: Vec<(Var, u32)> = ra.iter().map(|&(v, lo, hi)| (v, (hi - lo) as u32)).collect();
        let packing = Packing::new(&spans)?;
        let low: Vec<(Var, i32)> = ra.iter().map(|&(v, lo, _)| (v, lo)).collect();
        let low_b: Vec<(Var, i32)> = rb.iter().map(|&(v, lo, _)| (v, lo)).collect();
        // Variables of the divisor that the dividend lacks are monomial factors of the divisor.
        let base: Vec<(Var, i32)> = {
            let mut all: Vec<Var> = low.iter().chain(&low_b).map(|x| x.0).collect();
            all.sort_unstable();
            all.dedup();
            let at = |l: &[(Var, i32)], v: Var| l.iter().find(|x| x.0 == v).map_or(0, |x| x.1);
            all.into_iter().map(|v| (v, at(&low, v) - at(&low_b, v))).collect()
        };
        let top: Vec<(Var, i32)> =
            ra.iter().map(|&(v, lo, hi)| (v, hi - lo - spread(&rb, v))).filter(|x| x.1 != 0).collect();
        let top = Monomial::from_sorted(top.into_iter());
        let whole = !(self.length().is_short() && divisor.length().is_short());
        let job =
            Division { a: self, b: divisor, packing: &packing, low_a: &low, low_b: &low_b, base: &base, top, whole };
        match packing.words() {
            1 => job.run::<1>(budget),
            2 => job.run::<2>(budget),
            3..=4 => job.run::<4>(budget),
            _ => job.run::<16>(budget),
        }
    }

    /// Does it divide `other` exactly?
    pub fn divides(&self, other: &Poly, budget: &mut Budget) -> Result<bool> {
        Ok(other.divide(self, budget)?.is_some())
    }

    /// The pseudo-remainder lc(b)^(deg a − deg b + 1)·a mod b with respect to one variable.
    pub fn pseudo_remainder(&self, divisor: &Poly, v: Var, budget: &mut Budget) -> Result<Poly> {
        let db = divisor.degree(v);
        let lead = divisor.coefficient(v, db);
        let rest = divisor.sub(&lead.shift(&Monomial::power(v, db)?)?);
        let mut r = self.clone();
        let mut missing = self.degree(v) - db + 1;
        while !r.is_zero() && r.degree(v) >= db {
            let dr = r.degree(v);
            let top = r.coefficient(v, dr);
            let tail = r.sub(&top.shift(&Monomial::power(v, dr)?)?);
            r.count_sums(budget)?;
            let down = rest.mul(&top, budget)?.shift(&Monomial::power(v, dr - db)?)?;
            r = tail.mul(&lead, budget)?.sub(&down);
            missing -= 1;
        }
        if missing > 0 {
            r = r.mul(&lead.pow(missing, budget)?, budget)?;
        }
        Ok(r)
    }

    /// The square root with positive leading coefficient, if the polynomial is a square.
    pub fn sqrt(&self, budget: &mut Budget) -> Result<Option<Poly>> {
        let Some((m, c)) = self.terms.first() else { return Ok(Some(Poly::ZERO)) };
        let half = |m: &Monomial| {
            m.factors().all(|(_, e)| e % 2 == 0).then(|| Monomial::from_sorted(m.factors().map(|(v, e)| (v, e / 2))))
        };
        let (Some(lead), Some(root)) = (half(m), c.sqrt()) else { return Ok(None) };
        let (last, _) = &self.terms[self.len() - 1];
        let Some(last) = half(last) else { return Ok(None) };
        let twice = &root + &root;
        let mut result = Poly::term(lead.clone(), root);
        let mut rest = Poly { terms: self.terms[1..].to_vec() };
        while let Some((n, d)) = rest.terms.first() {
            let next = n.div(&lead)?;
            // Terms come in descending order, since each takes the first of what is left, and none is below the root of the last.
            if next < last || result.len() > self.len() {
                return Ok(None);
            }
            let term = Poly::term(next, d / &twice);
            rest.count_sums(budget)?;
            let correction = result.add(&result).add(&term).mul(&term, budget)?;
            rest = rest.sub(&correction);
            result = result.add(&term);
        }
        Ok(Some(result))
    }
}

struct Division<'a> {
    a: &'a Poly,
    b: &'a Poly,
    packing: &'a Packing,
    low_a: &'a [(Var, i32)],
    low_b: &'a [(Var, i32)],
    base: &'a [(Var, i32)],
    /// Largest exponents a quotient can have.
    top: Monomial,
    /// The coefficients are integers, and those of the quotient have to be.
    whole: bool,
}

/// What a product of two coefficients costs.
#[inline]
fn cost(a: &Rational, b: &Rational) -> u64 {
    if a.small().is_some() && b.small().is_some() {
        return 1;
    }
    let (a, b) = (Length::of([a]), Length::of([b]));
    a.product(b) + a.reduction(b)
}

impl Division<'_> {
    /// Johnson's division: products of quotient and divisor terms wait in a heap, largest first.
    fn run<const W: usize>(&self, budget: &mut Budget) -> Result<Option<Poly>> {
        let top: [u64; W] = self.packing.pack(&self.top, &[]);
        let add = |x: &[u64; W], y: &[u64; W]| -> [u64; W] { std::array::from_fn(|i| x[i] + y[i]) };
        let sub = |x: &[u64; W], y: &[u64; W]| -> [u64; W] { std::array::from_fn(|i| x[i] - y[i]) };
        let lead = &self.b.terms[0].1;
        let inverse = (!lead.is_one()).then(|| &Rational::ONE / lead);
        // The largest and the smallest term of the quotient are known beforehand: a cheap way to see that there is none, and most often
        // there is none.
        let (terms_a, terms_b) = (&self.a.terms, &self.b.terms);
        for (a, b) in [(0, 0), (terms_a.len() - 1, terms_b.len() - 1)] {
            let a: [u64; W] = self.packing.pack(&terms_a[a].0, self.low_a);
            let b: [u64; W] = self.packing.pack(&terms_b[b].0, self.low_b);
            if !self.packing.divides(&b, &a) || !self.packing.divides(&sub(&a, &b), &top) {
                return Ok(None);
            }
        }
        let ka: Vec<[u64; W]> = self.packing.keys(self.a, self.low_a);
        let kb: Vec<[u64; W]> = self.packing.keys(self.b, self.low_b);
        let mut quotient: Vec<([u64; W], Rational)> = Vec::new();
        // (key, divisor term, quotient term); a divisor term waits when it has met all quotient terms so far.
        let mut heap: BinaryHeap<([u64; W], usize, usize)> = BinaryHeap::new();
        let mut waiting: Vec<usize> = (1..kb.len()).collect();
        let mut next_a = 0;
        loop {
            let from_a = ka.get(next_a);
            let from_heap = heap.peek().map(|h| &h.0);
            let key = match (from_a, from_heap) {
                (None, None) => break,
                (Some(x), None) => *x,
                (None, Some(y)) => *y,
                (Some(x), Some(y)) => *x.max(y),
            };
            let mut c = Rational::ZERO;
            if from_a == Some(&key) {
                c = self.a.terms[next_a].1.clone();
                next_a += 1;
            }
            while heap.peek().is_some_and(|h| h.0 == key) {
                let Some((_, j, i)) = heap.pop() else { break };
                let (x, y) = (&quotient[i].1, &self.b.terms[j].1);
                budget.spend(cost(x, y))?;
                c = &c - &(x * y);
                match quotient.get(i + 1) {
                    Some(q) => heap.push((add(&q.0, &kb[j]), j, i + 1)),
                    None => waiting.push(j),
                }
            }
            if c.is_zero() {
                continue;
            }
            if !self.packing.divides(&kb[0], &key) {
                return Ok(None);
            }
            let q = sub(&key, &kb[0]);
            if !self.packing.divides(&q, &top) {
                return Ok(None);
            }
            let c = match &inverse {
                Some(_) if self.whole => {
                    budget.spend(cost(&c, lead))?;
                    let Some(c) = c.divided_by(lead) else { return Ok(None) };
                    c
                }
                Some(inverse) => {
                    budget.spend(cost(&c, inverse) - 1)?;
                    &c * inverse
                }
                None => c,
            };
            budget.check_bits(c.bits())?;
            quotient.push((q, c));
            budget.check_terms(quotient.len())?;
            let i = quotient.len() - 1;
            for j in waiting.drain(..) {
                heap.push((add(&q, &kb[j]), j, i));
            }
        }
        let terms = quotient.into_iter().map(|(k, c)| (self.packing.unpack(&k, self.base), c)).collect();
        Ok(Some(Poly::from_sorted(terms)))
    }
}
