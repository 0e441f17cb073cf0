//! Roots: √(k²·w) = |k|·√w always, and what cannot be pulled out becomes an atom.
//!
//! A radicand that is a product of others and a square is expressed through their roots, so that the roots which
//! become atoms are independent. Roots of factors known not to be negative are taken one by one; where only a whole
//! product is known not to be negative, its root is one atom.

use super::Normalizer;
use super::atoms::AtomKind;
use super::fraction::Fraction;
use super::signs::{Class, Generator, Product, multiply};
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Node};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use num_integer::Integer;
use rustc_hash::FxHashMap;

/// A root of something whose factors' signs are not known one by one.
#[derive(Clone, Debug)]
struct Whole {
    class: Class,
    atom: Var,
    /// In echelon form: the class, and the wholes whose product it is.
    reduced: Class,
    combination: Vec<usize>,
}

/// A root of odd degree: degree, sign, factors, atom.
type OddRoot = (u32, bool, Vec<(Generator, i64)>, Var);

/// The roots that are atoms.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    /// The least common denominator of the exponents of each generator.
    degrees: FxHashMap<Generator, u32>,
    atoms: FxHashMap<(Generator, u32), Var>,
    pub(super) root_of: FxHashMap<Var, (Generator, u32)>,
    wholes: Vec<Whole>,
    /// Roots of odd degree.
    other: Vec<OddRoot>,
    /// Factors with an algebraic atom of which a root was taken.
    conjugates: Vec<u32>,
    /// Factors v ± 1 of which a root was taken.
    rooted: Vec<(Var, bool)>,
}

impl Normalizer {
    /// eˣ for an expression whose value is known and a number x that is not an integer.
    pub(super) fn root_of(&mut self, arena: &mut Arena, e: Expr, x: &Rational) -> Result<Fraction> {
        let key = (e, x.clone());
        if let Some(known) = self.powers.get(&key) {
            return Ok(known.clone());
        }
        let value = self.value(e)?;
        let root = self.root(arena, &value, x)?;
        self.powers.insert(key, root.clone());
        Ok(root)
    }

    /// fˣ for a number x that is not an integer.
    pub(super) fn root(&mut self, arena: &mut Arena, f: &Fraction, x: &Rational) -> Result<Fraction> {
        if f.is_zero() {
            return if x.is_negative() {
                Err(Error::computation("division by an expression that is identically zero"))
            } else {
                Ok(Fraction::zero())
            };
        }
        if let Some(result) = self.denest(arena, f, x)? {
            return Ok(result);
        }
        let mut p = self.product_of(arena, f)?;
        self.share_circle(arena, &mut p)?;
        self.share_conjugates(arena, &mut p)?;
        self.learn(&p)?;
        let mut result = Fraction::one();
        let mut rest: Vec<(Generator, i64)> = Vec::new();
        let mut negative = p.negative;
        for (g, e) in &p.factors {
            // A factor is taken apart as it is alone: √((3 + 2√2)·x) = (1 + √2)·√x.
            if let Some((opposite, power)) = self.denested(arena, g, &(e * x))? {
                negative ^= opposite && e.to_i64().is_some_and(|e| e % 2 != 0);
                result = self.field.mul(&result, &power)?;
            } else if self.is_known_nonnegative(g) {
                let power = self.positive_power(arena, g, &(e * x))?;
                result = self.field.mul(&result, &power)?;
            } else if let Some(e) = e.to_i64() {
                rest.push((g.clone(), e));
            } else {
                return Err(Error::computation("a root of something that can be negative"));
            }
        }
        if negative || !rest.is_empty() {
            let root = self.whole_root(arena, negative, rest, x)?;
            result = self.field.mul(&result, &root)?;
        }
        Ok(result)
    }

    /// Writes c − 1 as −s²/(c+1) once a root of c + 1 has been taken, and the other way round: √(1−c)·√(1+c) = |s|.
    fn share_circle(&mut self, arena: &mut Arena, p: &mut Product) -> Result<()> {
        for i in 0..p.factors.len() {
            let (Generator::Factor(_, id), e) = p.factors[i].clone() else { continue };
            let Some((kept, minus)) = self.unit_factor(id) else { continue };
            let Some((eliminated, circular)) = self.partner(kept) else { continue };
            if !self.roots.rooted.contains(&(kept, !minus)) || self.roots.rooted.contains(&(kept, minus)) {
                if !self.roots.rooted.contains(&(kept, minus)) {
                    self.roots.rooted.push((kept, minus));
                }
                continue;
            }
            let Some(e) = e.to_i64() else { continue };
            let one = if minus { Rational::ONE } else { Rational::MINUS_ONE };
            let terms = vec![(Monomial::power(kept, 1)?, Rational::ONE), (Monomial::ONE, one)];
            let other = self.field.take_apart(&Poly::from_terms(terms))?;
            let [(other, 1)] = other.factors[..] else { continue };
            p.negative ^= circular && e % 2 != 0;
            p.factors.remove(i);
            for (g, e) in [(self.factor(arena, other), -e), (self.atom(eliminated), 2 * e)] {
                let e = Rational::integer(e);
                match p.factors.iter_mut().find(|x| x.0 == g) {
                    Some(x) => x.1 = &x.1 + &e,
                    None => p.factors.push((g, e)),
                }
            }
            p.factors.retain(|x| !x.1.is_zero());
            p.factors.sort();
            return self.share_circle(arena, p);
        }
        Ok(())
    }

    /// Writes A − B√C as (A² − B²C)/(A + B√C) once a root of A + B√C has been taken.
    fn share_conjugates(&mut self, arena: &mut Arena, p: &mut Product) -> Result<()> {
        for i in 0..p.factors.len() {
            let (Generator::Factor(_, id), e) = p.factors[i].clone() else { continue };
            let f = self.field.factor(id).clone();
            let Some(v) = self.field.atoms.last_algebraic(&f).filter(|v| self.field.atoms.degree_of(*v) == 2) else {
                continue;
            };
            let conjugate = self.field.atoms.conjugate(&f, v);
            let parts = self.field.take_apart(&conjugate)?;
            let ([(other, 1)], true) = (&parts.factors[..], parts.monomial.is_one()) else { continue };
            let other = *other;
            if self.roots.conjugates.contains(&id) || !self.roots.conjugates.contains(&other) {
                if !self.roots.conjugates.contains(&id) {
                    self.roots.conjugates.push(id);
                }
                continue;
            }
            let Some(e) = e.to_i64() else { continue };
            let norm = self.field.mul_poly(&f, &conjugate)?;
            // f = norm/f̄, where f̄ = constant·other.
            let mut rest = self.product_of(arena, &Fraction::poly(norm.scale(&(&Rational::ONE / &parts.constant))))?;
            rest.factors.push((self.factor(arena, other), Rational::MINUS_ONE));
            p.factors.remove(i);
            p.negative ^= rest.negative && e % 2 != 0;
            for (g, k) in rest.factors {
                let k = &k * &Rational::integer(e);
                match p.factors.iter_mut().find(|x| x.0 == g) {
                    Some(x) => x.1 = &x.1 + &k,
                    None => p.factors.push((g, k)),
                }
            }
            p.factors.retain(|x| !x.1.is_zero());
            p.factors.sort();
            return self.share_conjugates(arena, p);
        }
        Ok(())
    }

    /// |g|ˣ for a number a ± b√c with a root of its own, and whether g is negative.
    fn denested(&mut self, arena: &mut Arena, g: &Generator, x: &Rational) -> Result<Option<(bool, Fraction)>> {
        let (Generator::Factor(..), Some(negative)) = (g, self.evident_sign(g)) else { return Ok(None) };
        let value = Fraction::poly(self.generator_poly(g)?);
        let value = if negative { value.neg() } else { value };
        Ok(self.denest(arena, &value, x)?.map(|power| (negative, power)))
    }

    /// √(a ± b√c) for numbers: √((a+n)/2) ± √((a−n)/2) when n² = a² − b²c.
    fn denest(&mut self, arena: &mut Arena, f: &Fraction, x: &Rational) -> Result<Option<Fraction>> {
        let [(m, b), (one, a)] = f.num.terms() else { return Ok(None) };
        let Some((n, 2)) = x.small() else { return Ok(None) };
        let mut factors = m.factors();
        let (Some((v, 1)), None) = (factors.next(), factors.next()) else { return Ok(None) };
        if !f.den.is_empty() || !one.is_one() || a.is_negative() || self.field.atoms.degree_of(v) != 2 {
            return Ok(None);
        }
        let relation = self.field.atoms.get(v).relation.as_ref();
        let Some(c) = relation.and_then(|r| r.value.as_constant()) else { return Ok(None) };
        let Some(root) = (&(a * a) - &(&(b * b) * &c)).sqrt() else { return Ok(None) };
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let mut part = |s: &Rational| self.root(arena, &Fraction::number(s * &half), &half);
        let (first, second) = (part(&(a + &root))?, part(&(a - &root))?);
        let second = if b.is_negative() { second.neg() } else { second };
        let sum = self.field.add(&first, &second)?;
        Ok(Some(self.field.pow(&sum, n)?))
    }

    /// gˣ for a generator that is not negative.
    fn positive_power(&mut self, arena: &mut Arena, g: &Generator, x: &Rational) -> Result<Fraction> {
        let (n, d) = small_exponent(x)?;
        let whole = n.div_euclid(d);
        let part = n.rem_euclid(d);
        let integer = self.generator_power(g, whole)?;
        if part == 0 {
            return Ok(integer);
        }
        if let Generator::Atom(_, v) = g
            && let AtomKind::Exp(i) = self.field.atoms.get(*v).kind
        {
            // √exp(a) = exp(a/2): a finer lattice of exponents is wanted.
            self.request_exponent(i, &Rational::new(1, d).unwrap_or(Rational::ONE));
        }
        let known = self.roots.degrees.get(g).copied().unwrap_or(1);
        let degree = u32::try_from(d).ok().map(|d| d.lcm(&known)).filter(|d| *d < 1000);
        let degree = degree.ok_or_else(|| Error::limit("a root of degree above 1000"))?;
        if degree != known {
            self.roots.degrees.insert(g.clone(), degree);
            self.changed = true;
        }
        let v = match self.roots.atoms.get(&(g.clone(), degree)) {
            Some(&v) => v,
            None => {
                let value = self.generator_poly(g)?;
                let mut e = self.poly_to_expr(arena, &value);
                let mut exponent = Rational::new(1, i64::from(degree)).unwrap_or(Rational::ONE);
                // A root of a square root prints as one root.
                if let Generator::Atom(_, v) = g
                    && self.field.atoms.get(*v).kind == AtomKind::Root(2)
                    && let Node::Product { coefficient, factors } = arena.node(e)
                    && let ([(base, x)], true) = (&factors[..], coefficient.is_one())
                {
                    (e, exponent) = (*base, x * &exponent);
                }
                let root = arena.power(e, &exponent);
                let v = self.field.atoms.push(AtomKind::Root(degree), root, Some((degree, value)));
                self.roots.atoms.insert((g.clone(), degree), v);
                self.roots.root_of.insert(v, (g.clone(), degree));
                v
            }
        };
        let power = Monomial::power(v, (part * i64::from(degree) / d) as i32)?;
        self.field.mul(&integer, &Fraction::poly(Poly::term(power, Rational::ONE)))
    }

    /// (±Π gᵉ)ˣ where only the whole is known not to be negative.
    fn whole_root(
        &mut self,
        arena: &mut Arena,
        negative: bool,
        rest: Vec<(Generator, i64)>,
        x: &Rational,
    ) -> Result<Fraction> {
        let (n, d) = small_exponent(x)?;
        if d % 2 == 0 && (n, d) != (1, 2) {
            // Even roots begin with a square root, so that (√u)^(1/2) and u^(1/4) are the same atom.
            let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
            let root = self.whole_root(arena, negative, rest, &half)?;
            return if d == 2 { self.field.pow(&root, n) } else { self.root(arena, &root, &(x + x)) };
        }
        let (whole, part) = (n.div_euclid(d), n.rem_euclid(d));
        let mut outside = Fraction::number(Rational::integer(if negative && whole % 2 != 0 { -1 } else { 1 }));
        let mut sign_class: Class = Vec::new();
        let mut inside: Vec<(Generator, i64)> = Vec::new();
        // Pull out what is safe: g^(dk) under an even root is |g|ᵏ, g^(2dk) under an odd one g^(2k).
        let period = if d % 2 == 0 { d } else { 2 * d };
        for (g, e) in rest {
            let (k, left) = (e.div_euclid(period), e.rem_euclid(period));
            // (g^(period·k))^(part/d) = |g|^(k·part·period/d)
            let out = k * part * (period / d);
            if out % 2 != 0 {
                sign_class = multiply(&sign_class, &vec![g.clone()]);
            }
            let power = self.generator_power(&g, e * whole + out)?;
            outside = self.field.mul(&outside, &power)?;
            if left != 0 {
                inside.push((g, left));
            }
        }
        let sign = self.sign_of_class(arena, sign_class)?;
        outside = self.field.mul(&outside, &Fraction::poly(sign))?;
        if inside.is_empty() && !negative {
            return Ok(outside);
        }
        let root = if d == 2 {
            self.square_root_of_class(arena, negative, inside)?
        } else {
            let v = self.other_root(arena, d as u32, negative, inside)?;
            Fraction::poly(Poly::term(Monomial::power(v, part as i32)?, Rational::ONE))
        };
        self.field.mul(&outside, &root)
    }

    /// √(±Π g), expressed through earlier roots where it depends on them.
    fn square_root_of_class(
        &mut self,
        arena: &mut Arena,
        negative: bool,
        inside: Vec<(Generator, i64)>,
    ) -> Result<Fraction> {
        let mut class: Class = inside.into_iter().map(|x| x.0).collect();
        if negative {
            class.insert(0, Generator::Minus);
        }
        let (mut left, mut used) = (class.clone(), Vec::new());
        for w in &self.roots.wholes {
            if w.reduced.last().is_some_and(|pivot| left.contains(pivot)) {
                left = multiply(&left, &w.reduced);
                for i in &w.combination {
                    match used.iter().position(|x| x == i) {
                        Some(at) => {
                            used.remove(at);
                        }
                        None => used.push(*i),
                    }
                }
            }
        }
        if !left.is_empty() {
            let mut value = Poly::one();
            for g in &class {
                let p = self.generator_poly(g)?;
                value = self.field.mul_poly(&value, &p)?;
            }
            let e = self.poly_to_expr(arena, &value);
            let root = arena.sqrt(e);
            let atom = self.field.atoms.push(AtomKind::Root(2), root, Some((2, value)));
            used.push(self.roots.wholes.len());
            self.roots.wholes.push(Whole { class, atom, reduced: left, combination: used });
            return Ok(Fraction::poly(Poly::var(atom)?));
        }
        // class·Π W = m², so √class = |m|·Π √W / Π W.
        let mut count: Vec<(Generator, i64)> = class.iter().map(|g| (g.clone(), 1)).collect();
        let mut result = Fraction::one();
        for i in used {
            let (atom, class) = (self.roots.wholes[i].atom, self.roots.wholes[i].class.clone());
            result = self.field.mul(&result, &Fraction::poly(Poly::var(atom)?))?;
            for g in class {
                let power = self.generator_power(&g, -1)?;
                result = self.field.mul(&result, &power)?;
                match count.iter_mut().find(|x| x.0 == g) {
                    Some(x) => x.1 += 1,
                    None => count.push((g, 1)),
                }
            }
        }
        let mut odd: Class = Vec::new();
        for (g, n) in count {
            if g == Generator::Minus {
                continue;
            }
            let power = self.generator_power(&g, n / 2)?;
            result = self.field.mul(&result, &power)?;
            if n / 2 % 2 != 0 {
                odd = multiply(&odd, &vec![g]);
            }
        }
        let sign = self.sign_of_class(arena, odd)?;
        self.field.mul(&result, &Fraction::poly(sign))
    }

    /// The d-th root of ±Π gᵉ as an atom of its own.
    fn other_root(&mut self, arena: &mut Arena, d: u32, negative: bool, inside: Vec<(Generator, i64)>) -> Result<Var> {
        if let Some(x) = self.roots.other.iter().find(|x| x.0 == d && x.1 == negative && x.2 == inside) {
            return Ok(x.3);
        }
        let mut value = Poly::constant(Rational::integer(if negative { -1 } else { 1 }));
        for (g, e) in &inside {
            let p = self.generator_poly(g)?;
            let p = self.field.pow_poly(&p, *e as u32)?;
            value = self.field.mul_poly(&value, &p)?;
        }
        let e = self.poly_to_expr(arena, &value);
        let root = arena.power(e, &Rational::new(1, i64::from(d)).unwrap_or(Rational::ONE));
        let v = self.field.atoms.push(AtomKind::Root(d), root, Some((d, value)));
        self.roots.other.push((d, negative, inside, v));
        Ok(v)
    }
}

fn small_exponent(x: &Rational) -> Result<(i64, i64)> {
    x.small()
        .filter(|(n, d)| n.abs() < 1 << 31 && *d < 1000)
        .ok_or_else(|| Error::limit("an exponent is too large for the normal form"))
}
