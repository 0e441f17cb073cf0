//! Signs, roots and logarithms: what the domain of an expression says about them.
//!
//! √a is defined for a ≥ 0 only, so every radicand (and every argument of a logarithm) in a batch is a *fact*: on the
//! common domain it is not negative. Facts are closed under products, and so is everything deduced here:
//! √(k²·w) = |k|·√w always; |k| = k when the sign class of k is a product of facts, else an atom sign(f) per
//! factor f stays; a radicand that is a product of others and a square is expressed through their roots, so that the
//! roots which become atoms are independent.

use super::Normalizer;
use super::atoms::AtomKind;
use super::fraction::Fraction;
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use crate::expr::tree::Order;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;

/// What a radicand is a product of. The order is that of expressions, so that it does not depend on the order in which
/// atoms and factors were met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Generator {
    /// The number −1.
    Minus,
    /// A prime number (or a number in which no small prime was found).
    Number(BigInt),
    /// An atom.
    Atom(Expr, Var),
    /// A factor of at least two terms.
    Factor(Expr, u32),
}

/// A product of generators modulo squares: sorted, no repetition.
type Class = Vec<Generator>;

fn multiply(a: &Class, b: &Class) -> Class {
    let mut out: Class = a.iter().filter(|g| !b.contains(g)).cloned().collect();
    out.extend(b.iter().filter(|g| !a.contains(g)).cloned());
    out.sort();
    out
}

/// A fraction as a product of generators with rational exponents, and a sign.
#[derive(Clone, Debug)]
struct Product {
    negative: bool,
    factors: Vec<(Generator, Rational)>,
}

/// A root of something whose factors' signs are not known one by one.
#[derive(Clone, Debug)]
struct Whole {
    class: Class,
    atom: Var,
    /// In echelon form: the class, and the wholes whose product it is.
    reduced: Class,
    combination: Vec<usize>,
}

/// What is known about signs, and the atoms made so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Roots {
    /// Classes that are not negative, in echelon form (the last generator of each occurs in no later row).
    facts: Vec<Class>,
    /// The least common denominator of the exponents of each generator.
    degrees: FxHashMap<Generator, u32>,
    atoms: FxHashMap<(Generator, u32), Var>,
    root_of: FxHashMap<Var, (Generator, u32)>,
    wholes: Vec<Whole>,
    other: Vec<(u32, bool, Vec<(Generator, i64)>, Var)>,
    /// The atom for the sign of a generator, or of its opposite (`true`), whichever prints without a minus sign.
    signs: FxHashMap<Generator, (Var, bool)>,
    /// Factors with an algebraic atom of which a root was taken.
    conjugates: Vec<u32>,
    /// Factors as expressions.
    factors: FxHashMap<u32, Expr>,
    /// Factors v ± 1 of which a root was taken.
    rooted: Vec<(Var, bool)>,
    /// Arguments of the logarithms that are atoms.
    pub(super) logarithms: FxHashMap<Var, Fraction>,
}

impl Roots {
    fn reduce(&self, class: &Class) -> Class {
        let mut class = class.clone();
        for row in &self.facts {
            if row.last().is_some_and(|pivot| class.contains(pivot)) {
                class = multiply(&class, row);
            }
        }
        class
    }

    /// Learns that a class is not negative; says whether that is news.
    fn learn(&mut self, class: &Class) -> bool {
        let class = self.reduce(class);
        // −1 ≥ 0 would mean that the domain is empty: nothing useful follows from that.
        let Some(pivot) = class.last().filter(|g| **g != Generator::Minus).cloned() else { return false };
        for row in &mut self.facts {
            if row.contains(&pivot) {
                *row = multiply(row, &class);
            }
        }
        self.facts.push(class);
        self.facts.sort_by(|a, b| b.last().cmp(&a.last()));
        true
    }
}

impl Normalizer {
    /// Learns that a symbol is not negative.
    pub(super) fn assume_positive(&mut self, v: Var) {
        let g = self.atom(v);
        self.roots.learn(&vec![g]);
    }

    fn atom(&self, v: Var) -> Generator {
        Generator::Atom(self.field.atoms.get(v).expr, v)
    }

    fn factor(&mut self, arena: &mut Arena, id: u32) -> Generator {
        if let Some(&e) = self.roots.factors.get(&id) {
            return Generator::Factor(e, id);
        }
        let p = self.field.factor(id).clone();
        let p = if self.is_printed_negative(arena, &p) { p.neg() } else { (*p).clone() };
        let e = self.poly_to_expr(arena, &p);
        self.roots.factors.insert(id, e);
        Generator::Factor(e, id)
    }

    fn product_of(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Product> {
        let parts = self.field.take_apart(&f.num)?;
        let mut factors: Vec<(Generator, Rational)> = Vec::new();
        let mut negative = parts.constant.is_negative();
        for (n, sign) in [(parts.constant.numerator(), 1), (parts.constant.denominator(), -1)] {
            for (p, e) in small_factors(n) {
                factors.push((Generator::Number(p), Rational::integer(sign * i64::from(e))));
            }
        }
        let mut many: Vec<(u32, i64)> = parts.factors.iter().map(|&(id, e)| (id, i64::from(e))).collect();
        for &(id, e) in &f.den {
            match many.iter_mut().find(|x| x.0 == id) {
                Some(x) => x.1 -= i64::from(e),
                None => many.push((id, -i64::from(e))),
            }
        }
        let mut atoms: Vec<(Var, i64)> = parts.monomial.factors().map(|(v, e)| (v, i64::from(e))).collect();
        self.recognise_circle(&mut many, &mut atoms, &mut negative);
        many.retain(|x| x.1 != 0);
        for (v, e) in atoms {
            let e = Rational::integer(e);
            match self.roots.root_of.get(&v) {
                // (g^(1/n))ᵉ = g^(e/n), since g is not negative.
                Some((g, n)) => factors.push((g.clone(), &e / &Rational::integer(i64::from(*n)))),
                None => factors.push((self.atom(v), e)),
            }
        }
        for (id, e) in many {
            factors.push((self.factor(arena, id), Rational::integer(e)));
        }
        factors.sort();
        let mut merged: Vec<(Generator, Rational)> = Vec::new();
        for (g, e) in factors {
            match merged.last_mut() {
                Some(last) if last.0 == g => last.1 = &last.1 + &e,
                _ => merged.push((g, e)),
            }
        }
        merged.retain(|(_, e)| !e.is_zero());
        Ok(Product { negative, factors: merged })
    }

    /// (c−1)(c+1) = −s², wherever both factors occur.
    fn recognise_circle(&self, many: &mut [(u32, i64)], atoms: &mut Vec<(Var, i64)>, negative: &mut bool) {
        for i in 0..many.len() {
            let Some((kept, true)) = self.unit_factor(many[i].0) else { continue };
            let Some(j) = (0..many.len()).find(|&j| self.unit_factor(many[j].0) == Some((kept, false))) else {
                continue;
            };
            let (a, b) = (many[i].1, many[j].1);
            let m = if a > 0 && b > 0 {
                a.min(b)
            } else if a < 0 && b < 0 {
                a.max(b)
            } else {
                0
            };
            let Some((eliminated, circular)) = self.partner(kept).filter(|_| m != 0) else { continue };
            many[i].1 -= m;
            many[j].1 -= m;
            *negative ^= circular && m % 2 != 0;
            match atoms.iter_mut().find(|x| x.0 == eliminated) {
                Some(x) => x.1 += 2 * m,
                None => atoms.push((eliminated, 2 * m)),
            }
        }
    }

    /// Is the factor v − 1 (`true`) or v + 1 (`false`)?
    pub(super) fn unit_factor(&self, id: u32) -> Option<(Var, bool)> {
        unit_factor(self.field.factor(id))
    }

    /// The sign of a generator that is clear from its form.
    fn evident_sign(&self, g: &Generator) -> Option<bool> {
        match g {
            Generator::Minus => Some(true),
            Generator::Number(_) => Some(false),
            Generator::Atom(_, v) => self.field.atoms.is_nonnegative(*v).then_some(false),
            Generator::Factor(_, id) => {
                let p = self.field.factor(*id).clone();
                if self.is_nonnegative(&p) {
                    Some(false)
                } else if self.is_nonnegative(&p.neg()) {
                    Some(true)
                } else {
                    None
                }
            }
        }
    }

    /// A sufficient condition: what is certainly positive outweighs what is bounded.
    fn is_nonnegative(&self, p: &Poly) -> bool {
        let mut slack: FxHashMap<Monomial, Rational> = FxHashMap::default();
        for (m, c) in p.terms() {
            let mut free = m.clone();
            let (mut bounded, mut even) = (false, true);
            for (v, e) in m.factors() {
                if self.field.atoms.is_bounded(v) && e > 0 {
                    bounded = true;
                    even &= e % 2 == 0;
                    free = free.split_off(v).1;
                } else if e % 2 != 0 && !self.is_known_nonnegative(&self.atom(v)) {
                    return false;
                }
            }
            let worst = match (bounded, even && !c.is_negative()) {
                (false, _) => c.clone(),
                (true, true) => Rational::ZERO,
                (true, false) => -c.abs(),
            };
            let slot = slack.entry(free).or_insert(Rational::ZERO);
            *slot = &*slot + &worst;
        }
        slack.values().all(|s| !s.is_negative())
    }

    fn is_known_nonnegative(&self, g: &Generator) -> bool {
        match g {
            Generator::Number(_) => true,
            Generator::Atom(_, v) if self.field.atoms.is_nonnegative(*v) => true,
            Generator::Factor(..) => self.signed_class(vec![g.clone()]).is_empty(),
            _ => self.roots.reduce(&vec![g.clone()]).is_empty(),
        }
    }

    /// A class with evident signs taken out and facts used: empty means "not negative".
    fn signed_class(&self, class: Class) -> Class {
        let mut out: Class = Vec::new();
        for g in class {
            // The sign of a sign is the sign.
            let g = match &g {
                Generator::Atom(_, v) => match self.sign_of(*v) {
                    Some((of, opposite)) => {
                        if opposite {
                            out = multiply(&out, &vec![Generator::Minus]);
                        }
                        of
                    }
                    None => g,
                },
                _ => g,
            };
            let sign = match self.evident_sign(&g) {
                Some(false) => continue,
                Some(true) => Generator::Minus,
                None => g,
            };
            out = multiply(&out, &vec![sign]);
        }
        self.roots.reduce(&out)
    }

    fn class_of(&self, p: &Product) -> Class {
        let odd = |e: &Rational| e.to_i64().is_some_and(|n| n % 2 != 0);
        let mut class: Class = p.factors.iter().filter(|(_, e)| odd(e)).map(|(g, _)| g.clone()).collect();
        if p.negative {
            class = multiply(&class, &vec![Generator::Minus]);
        }
        self.signed_class(class)
    }

    /// Uses the domain: `p` is not negative.
    fn learn(&mut self, p: &Product) -> Result<()> {
        let class = self.class_of(p);
        if class == [Generator::Minus] {
            return Err(Error::computation("a root or logarithm of something negative"));
        }
        self.changed |= self.roots.learn(&class);
        Ok(())
    }

    /// The sign of a class as a product of atoms (and ±1).
    fn sign_of_class(&mut self, arena: &mut Arena, class: Class) -> Result<Poly> {
        let mut result = Poly::one();
        for g in self.signed_class(class) {
            if g == Generator::Minus {
                result = result.neg();
                continue;
            }
            let (v, opposite) = match self.roots.signs.get(&g) {
                Some(&x) => x,
                None => {
                    let p = self.generator_poly(&g)?;
                    let opposite = self.is_printed_negative(arena, &p);
                    let e = self.poly_to_expr(arena, &if opposite { p.neg() } else { p });
                    let sign = arena.call(Function::Sign, e);
                    let v = self.field.atoms.push(AtomKind::Sign, sign, Some((2, Poly::one())));
                    self.roots.signs.insert(g, (v, opposite));
                    (v, opposite)
                }
            };
            if opposite {
                result = result.neg();
            }
            result = self.field.mul_poly(&result, &Poly::var(v)?)?;
        }
        Ok(result)
    }

    /// What a sign atom is the sign of, or of the opposite of what.
    pub(super) fn sign_of(&self, sign: Var) -> Option<(Generator, bool)> {
        if self.field.atoms.get(sign).kind != AtomKind::Sign {
            return None;
        }
        self.roots.signs.iter().find(|(_, x)| x.0 == sign).map(|(g, x)| (g.clone(), x.1))
    }

    fn generator_poly(&self, g: &Generator) -> Result<Poly> {
        Ok(match g {
            Generator::Minus => Poly::constant(Rational::MINUS_ONE),
            Generator::Number(n) => Poly::constant(Rational::from(n.clone())),
            Generator::Atom(_, v) => Poly::var(*v)?,
            Generator::Factor(_, id) => (**self.field.factor(*id)).clone(),
        })
    }

    /// gᵉ for an integer e of any sign.
    fn generator_power(&mut self, g: &Generator, e: i64) -> Result<Fraction> {
        let f = Fraction::poly(self.generator_poly(g)?);
        self.field.pow(&f, e)
    }

    /// sign(f).
    pub(super) fn sign(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        if f.is_zero() {
            return Ok(Fraction::zero());
        }
        let p = self.product_of(arena, f)?;
        let class = self.class_of(&p);
        Ok(Fraction::poly(self.sign_of_class(arena, class)?))
    }

    /// |f|.
    pub(super) fn abs(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        let sign = self.sign(arena, f)?;
        self.field.mul(f, &sign)
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
        for (g, e) in &p.factors {
            if self.is_known_nonnegative(g) {
                let power = self.positive_power(arena, g, &(e * x))?;
                result = self.field.mul(&result, &power)?;
            } else if let Some(e) = e.to_i64() {
                rest.push((g.clone(), e));
            } else {
                return Err(Error::computation("a root of something that can be negative"));
            }
        }
        if p.negative || !rest.is_empty() {
            let root = self.whole_root(arena, p.negative, rest, x)?;
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

    /// log f, split into logarithms of factors whose sign is known.
    pub(super) fn log(&mut self, arena: &mut Arena, f: &Fraction) -> Result<Fraction> {
        if f.is_zero() {
            return Err(Error::computation("the logarithm of an expression that is identically zero"));
        }
        let p = self.product_of(arena, f)?;
        self.learn(&p)?;
        let mut result = Fraction::zero();
        let mut rest: Vec<(Generator, i64)> = Vec::new();
        for (g, e) in &p.factors {
            if self.is_known_nonnegative(g) {
                let log = match g {
                    Generator::Atom(_, v) if matches!(self.field.atoms.get(*v).kind, AtomKind::Exp(_)) => {
                        self.exponent_of(arena, *v)?
                    }
                    _ => {
                        let argument = Fraction::poly(self.generator_poly(g)?);
                        self.log_atom(arena, argument)?
                    }
                };
                result = self.field.add(&result, &log.scale(e))?;
            } else if let Some(e) = e.to_i64() {
                rest.push((g.clone(), e));
            } else {
                return Err(Error::computation("the logarithm of something that can be negative"));
            }
        }
        if rest.is_empty() && !p.negative {
            return Ok(result);
        }
        // ±Π gᵉ = Vᵏ with k as large as possible and V positive: an odd k, or V a square.
        let mut k = rest.iter().fold(0i64, |k, (_, e)| k.gcd(e)).max(1);
        if k % 2 == 0 {
            k = if p.negative { 1 } else { k / 2 };
        }
        if self.first_exponent(arena, &rest)? < 0 {
            k = -k;
        }
        let mut argument = Fraction::number(Rational::integer(if p.negative { -1 } else { 1 }));
        for (g, e) in rest {
            let power = self.generator_power(&g, e / k)?;
            argument = self.field.mul(&argument, &power)?;
        }
        let log = self.log_atom(arena, argument)?;
        self.field.add(&result, &log.scale(&Rational::integer(k)))
    }

    /// The exponent of the generator that is printed first.
    fn first_exponent(&self, arena: &mut Arena, list: &[(Generator, i64)]) -> Result<i64> {
        let mut factors = Vec::with_capacity(list.len());
        for (g, e) in list {
            let p = self.generator_poly(g)?;
            let p = if self.is_printed_negative(arena, &p) { p.neg() } else { p };
            factors.push((self.poly_to_expr(arena, &p), Rational::integer(*e)));
        }
        let roots: Vec<Expr> = factors.iter().map(|x| x.0).collect();
        Order::new(arena, &arena.reachable(&roots)).sort_factors(&mut factors);
        Ok(factors.first().and_then(|x| x.1.to_i64()).unwrap_or(1))
    }

    fn log_atom(&mut self, arena: &mut Arena, argument: Fraction) -> Result<Fraction> {
        let v = self.function_atom(arena, AtomKind::Call(Function::Log), std::slice::from_ref(&argument))?.0;
        self.roots.logarithms.insert(v, argument);
        Ok(Fraction::poly(Poly::var(v)?))
    }
}

/// v − 1 (`true`) or v + 1 (`false`)?
pub(super) fn unit_factor(p: &Poly) -> Option<(Var, bool)> {
    let [(m, c), (n, d)] = p.terms() else { return None };
    let mut factors = m.factors();
    let (Some((v, 1)), None) = (factors.next(), factors.next()) else { return None };
    (n.is_one() && c.is_one() && d.abs().is_one()).then_some((v, d.is_negative()))
}

fn small_exponent(x: &Rational) -> Result<(i64, i64)> {
    x.small()
        .filter(|(n, d)| n.abs() < 1 << 31 && *d < 1000)
        .ok_or_else(|| Error::limit("an exponent is too large for the normal form"))
}

/// Small prime factors of a positive number with their exponents, and what is left.
fn small_factors(n: BigInt) -> Vec<(BigInt, u32)> {
    let mut out: Vec<(BigInt, u32)> = Vec::new();
    let mut left = BigInt::from(n.magnitude().clone());
    for p in 2u32..2000 {
        if left.is_one() {
            break;
        }
        if let Some(small) = left.to_u64()
            && u64::from(p) * u64::from(p) > small
        {
            break;
        }
        let mut e = 0;
        while (&left % p) == BigInt::ZERO {
            left /= p;
            e += 1;
        }
        if e > 0 {
            out.push((BigInt::from(p), e));
        }
    }
    if !left.is_one() {
        // A perfect square of a large prime is still seen.
        let root = left.sqrt();
        if &root * &root == left { out.push((root, 2)) } else { out.push((left, 1)) }
    }
    out
}
