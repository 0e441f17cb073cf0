//! Arguments of trigonometric functions and exponentials, and their expansion in independent ones.

use super::atoms::AtomKind;
use super::fraction::{Den, Fraction};
use super::lattice::{Lattice, Vector};
use super::{ArgumentForm, Basis, Eliminate, Normalizer};
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function};
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A monomial of an expanded argument.
#[derive(Clone, Debug)]
struct Dimension {
    monomial: Monomial,
    den: Den,
    /// It stands for minus the quotient: what is printed has no sign in front.
    negative: bool,
}

impl Dimension {
    fn fraction(&self, c: &Rational) -> Fraction {
        let c = if self.negative { -c } else { c.clone() };
        Fraction { num: Poly::term(self.monomial.clone(), c), den: self.den.clone() }
    }
}

/// The dimensions met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Dimensions {
    list: Vec<Dimension>,
    by_key: FxHashMap<(Monomial, Den), u32>,
}

impl Dimensions {
    /// The atom a dimension consists of, if it is a single one.
    fn atom(&self, d: u32) -> Option<Var> {
        let d = &self.list[d as usize];
        let mut factors = d.monomial.factors();
        match (factors.next(), factors.next()) {
            (Some((v, 1)), None) if d.den.is_empty() => Some(v),
            _ => None,
        }
    }
}

/// Cosine and sine of an argument, or its hyperbolic ones.
pub(super) type Pair = (Fraction, Fraction);

/// An independent argument: its expression, its atoms, and the expansions of its multiples so far.
#[derive(Clone, Debug)]
pub struct Angle {
    /// The argument.
    pub expr: Expr,
    vector: Vector,
    /// The variable that stays and the one whose square is eliminated (none for the angle of an inverse function).
    atoms: Option<(Var, Var)>,
    multiples: Vec<Arc<Pair>>,
}

impl Angle {
    /// The variable that stays in the normal form, and the one whose square is replaced.
    pub fn atoms(&self) -> Option<(Var, Var)> {
        self.atoms
    }
}

/// Arguments of one kind of function with the basis chosen for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    /// Vectors the present basis was chosen for.
    vectors: Vec<Vector>,
    /// Vectors kept from earlier batches, and vectors asked for by roots.
    kept: Vec<Vector>,
    lattice: Lattice,
    /// Independent arguments by number, and the number of each basis vector.
    pub(super) list: Vec<Angle>,
    current: Vec<u32>,
    by_vector: FxHashMap<Vector, u32>,
    expansions: FxHashMap<Vec<(u32, i64)>, Arc<Pair>>,
}

/// What kind of function an argument stands under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Circular,
    Exponential,
}

impl Normalizer {
    fn arguments(&self, kind: Kind) -> &Arguments {
        match kind {
            Kind::Circular => &self.circular,
            Kind::Exponential => &self.exponential,
        }
    }

    fn arguments_mut(&mut self, kind: Kind) -> &mut Arguments {
        match kind {
            Kind::Circular => &mut self.circular,
            Kind::Exponential => &mut self.exponential,
        }
    }

    /// The independent angles of the present basis.
    pub fn angles(&self) -> Vec<&Angle> {
        self.circular.current.iter().map(|&i| &self.circular.list[i as usize]).collect()
    }

    /// A fraction as a rational combination of dimensions.
    pub(super) fn vector(&mut self, arena: &mut Arena, f: &Fraction) -> Vector {
        let mut v: Vector = Vec::with_capacity(f.num.len());
        let negative = self.is_denominator_negative(arena, &f.den);
        for (m, c) in f.num.terms() {
            let key = (m.clone(), f.den.clone());
            let next = self.dimensions.list.len() as u32;
            let d = *self.dimensions.by_key.entry(key).or_insert(next);
            if d == next {
                self.dimensions.list.push(Dimension { monomial: m.clone(), den: f.den.clone(), negative });
            }
            v.push((d, if negative { -c } else { c.clone() }));
        }
        v.sort_by_key(|x| x.0);
        v
    }

    /// Takes out multiples of π/12: (k, rest) with argument = kπ/12 + rest. Other multiples of π stay.
    pub(super) fn split_turns(&self, arena: &Arena, mut v: Vector) -> (i64, Vector) {
        let Some(&pi) = self.symbols.get(&arena.pi()) else { return (0, v) };
        let Some(i) = v.iter().position(|(d, _)| self.dimensions.atom(*d) == Some(pi)) else { return (0, v) };
        match (&v[i].1 * &Rational::integer(12)).to_i64() {
            Some(k) => {
                v.remove(i);
                (k.rem_euclid(24), v)
            }
            None => (0, v),
        }
    }

    /// Takes logarithms out of an exponent: exp(c·log u + rest) = uᶜ·exp(rest).
    pub(super) fn split_logarithms(&self, v: Vector) -> (Vec<(Fraction, Rational)>, Vector) {
        let mut powers = Vec::new();
        let mut rest = Vec::with_capacity(v.len());
        for (d, c) in v {
            match self.dimensions.atom(d).and_then(|a| self.logarithms.get(&a)) {
                Some(u) => powers.push((u.clone(), c)),
                None => rest.push((d, c)),
            }
        }
        (powers, rest)
    }

    /// Is the dimension an inverse function, whose sine and cosine are known?
    fn is_inverse(&self, d: u32) -> bool {
        self.dimensions.atom(d).is_some_and(|v| {
            matches!(self.field.atoms.get(v).kind, AtomKind::Call(Function::Asin | Function::Atan) | AtomKind::Atan2)
        })
    }

    /// Chooses a basis for these arguments and those kept; says whether it makes earlier results obsolete.
    pub(super) fn choose_basis(&mut self, arena: &mut Arena, kind: Kind, mut vectors: Vec<Vector>) -> Result<bool> {
        let own = self.arguments(kind);
        let mut all = own.kept.clone();
        all.append(&mut vectors);
        all.retain(|v| !v.is_empty());
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|v| seen.insert(v.clone()));
        if all == own.vectors {
            return Ok(false);
        }
        let mut lattice = Lattice::new(&all, |d| kind == Kind::Circular && self.is_inverse(d));
        if kind == Kind::Circular {
            let candidates = self.candidates(&lattice, &all);
            lattice.choose(&candidates);
        }
        let mut current = Vec::with_capacity(lattice.len());
        for i in 0..lattice.len() {
            let vector = lattice.basis_vector(i);
            let id = match self.arguments(kind).by_vector.get(&vector) {
                Some(&id) => id,
                None => {
                    let expr = self.vector_to_expr(arena, &vector);
                    let own = self.arguments_mut(kind);
                    let id = own.list.len() as u32;
                    own.list.push(Angle { expr, vector: vector.clone(), atoms: None, multiples: Vec::new() });
                    own.by_vector.insert(vector, id);
                    id
                }
            };
            current.push(id);
        }
        let own = self.arguments_mut(kind);
        // New arguments beside the old ones leave what was computed as it is. Else the next round begins with these.
        let changed = own.current.iter().any(|i| !current.contains(i));
        if changed {
            let known = |v: &Vector| v.iter().all(|(d, _)| own.vectors.iter().flatten().any(|x| x.0 == *d));
            let finer = current.iter().map(|&i| own.list[i as usize].vector.clone()).filter(known);
            own.kept.extend(finer.collect::<Vec<_>>());
        }
        own.vectors = all;
        own.lattice = lattice;
        own.current = current;
        Ok(changed)
    }

    /// Basis vectors to prefer, in coordinates of the directions.
    fn candidates(&self, lattice: &Lattice, vectors: &[Vector]) -> Vec<Vec<i64>> {
        match &self.options.basis {
            Basis::Absolute => Vec::new(),
            Basis::Given(_) => {
                // The angles asked for were put in front of the vectors kept.
                self.given.iter().filter_map(|v| lattice.by_direction(v)).collect()
            }
            Basis::Relative => {
                let mut occurring: Vec<Vec<i64>> = vectors
                    .iter()
                    .filter_map(|v| lattice.by_direction(v))
                    .filter(|c| c.iter().filter(|x| **x != 0).count() > 1)
                    .collect();
                // True differences first, then shorter ones.
                occurring.sort_by_key(|c| {
                    (
                        c.iter().sum::<i64>() != 0,
                        c.iter().filter(|x| **x != 0).count(),
                        c.iter().map(|x| x.abs()).sum::<i64>(),
                    )
                });
                let n = lattice.len();
                let chain = (1..n).map(|i| (0..n).map(|j| i64::from(j + 1 == i) - i64::from(j == i)).collect());
                occurring.extend(chain);
                occurring
            }
        }
    }

    /// Forgets the basis, but not the arguments kept.
    pub(super) fn reset_arguments(&mut self) {
        for kind in [Kind::Circular, Kind::Exponential] {
            let own = self.arguments_mut(kind);
            own.vectors.clear();
            own.current.clear();
            own.lattice = Lattice::default();
            own.expansions.clear();
        }
        for i in 0..self.circular.list.len() {
            // Sines and cosines of inverse functions are roots, and roots may have changed.
            if self.circular.list[i].atoms.is_none() {
                self.circular.list[i].multiples.clear();
            }
        }
    }

    /// Keeps the arguments of a finished batch, so that later ones are compatible where possible.
    pub(super) fn keep_arguments(&mut self) {
        for kind in [Kind::Circular, Kind::Exponential] {
            let own = self.arguments_mut(kind);
            own.kept = own.vectors.clone();
        }
    }

    /// Asks for a finer unit of an exponent.
    pub(super) fn request_exponent(&mut self, i: u32, by: &Rational) {
        let own = &mut self.exponential;
        let vector: Vector = own.list[i as usize].vector.iter().map(|(d, c)| (*d, c * by)).collect();
        if !own.kept.contains(&vector) {
            own.kept.push(vector);
            self.changed = true;
        }
    }

    /// Integer coordinates of an argument: (number of an independent argument, multiple).
    pub(super) fn coordinates(&self, kind: Kind, v: &Vector) -> Option<Vec<(u32, i64)>> {
        let own = self.arguments(kind);
        let list = own.lattice.coordinates(v)?;
        Some(list.into_iter().map(|(i, k)| (own.current[i], k)).collect())
    }

    fn dimension_to_expr(&self, arena: &mut Arena, d: u32) -> Expr {
        let d = self.dimensions.list[d as usize].clone();
        self.fraction_to_expr(arena, &d.fraction(&Rational::ONE))
    }

    fn vector_to_expr(&self, arena: &mut Arena, v: &Vector) -> Expr {
        let terms: Vec<(Expr, Rational)> =
            v.iter().map(|(d, c)| (self.dimension_to_expr(arena, *d), c.clone())).collect();
        arena.linear(Rational::ZERO, terms)
    }

    /// The exponent of an exponential atom.
    pub(super) fn exponent_of(&mut self, _arena: &mut Arena, v: Var) -> Result<Fraction> {
        let AtomKind::Exp(i) = self.field.atoms.get(v).kind else { return Ok(Fraction::zero()) };
        let mut sum = Fraction::zero();
        for (d, c) in self.exponential.list[i as usize].vector.clone() {
            let f = self.dimensions.list[d as usize].fraction(&c);
            sum = self.field.add(&sum, &f)?;
        }
        Ok(sum)
    }

    /// For a kept variable of a circle or hyperbola: the eliminated one, and whether it is a circle.
    pub(super) fn partner(&self, kept: Var) -> Option<(Var, bool)> {
        let (list, circular, i) = match self.field.atoms.get(kept).kind {
            AtomKind::Cos(i) | AtomKind::Sin(i) => (&self.circular.list, true, i),
            AtomKind::Cosh(i) | AtomKind::Sinh(i) => (&self.exponential.list, false, i),
            _ => return None,
        };
        let (k, e) = list[i as usize].atoms?;
        (k == kept).then_some((e, circular))
    }

    /// Cosine and sine of one independent angle.
    fn unit_pair(&mut self, arena: &mut Arena, kind: Kind, i: u32) -> Result<Pair> {
        let angle = self.arguments(kind).list[i as usize].clone();
        if kind == Kind::Circular
            && let [(d, c)] = &angle.vector[..]
            && c.is_one()
            && self.is_inverse(*d)
        {
            return self.inverse_pair(arena, *d);
        }
        let one = || Poly::one();
        let square = |v: Var| -> Result<Poly> { Ok(Poly::term(Monomial::power(v, 2)?, Rational::ONE)) };
        if kind == Kind::Exponential {
            let (c, s) = (arena.call(Function::Cosh, angle.expr), arena.call(Function::Sinh, angle.expr));
            let cosh = self.field.atoms.push(AtomKind::Cosh(i), c, None);
            let relation = square(cosh)?.sub(&one());
            let sinh = self.field.atoms.push(AtomKind::Sinh(i), s, Some((2, relation)));
            self.exponential.list[i as usize].atoms = Some((cosh, sinh));
            return Ok((Fraction::poly(Poly::var(cosh)?), Fraction::poly(Poly::var(sinh)?)));
        }
        let eliminate = self
            .options
            .exceptions
            .iter()
            .find(|(e, _)| *e == angle.expr)
            .map_or(self.options.eliminate, |(_, eliminate)| *eliminate);
        let (c, s) = (arena.cos(angle.expr), arena.sin(angle.expr));
        let (cos, sin) = match eliminate {
            Eliminate::Sine => {
                let cos = self.field.atoms.push(AtomKind::Cos(i), c, None);
                let relation = one().sub(&square(cos)?);
                let sin = self.field.atoms.push(AtomKind::Sin(i), s, Some((2, relation)));
                self.circular.list[i as usize].atoms = Some((cos, sin));
                (cos, sin)
            }
            Eliminate::Cosine => {
                let sin = self.field.atoms.push(AtomKind::Sin(i), s, None);
                let relation = one().sub(&square(sin)?);
                let cos = self.field.atoms.push(AtomKind::Cos(i), c, Some((2, relation)));
                self.circular.list[i as usize].atoms = Some((sin, cos));
                (cos, sin)
            }
        };
        Ok((Fraction::poly(Poly::var(cos)?), Fraction::poly(Poly::var(sin)?)))
    }

    /// Cosine and sine of asin u, atan u, atan2(y, x).
    fn inverse_pair(&mut self, arena: &mut Arena, d: u32) -> Result<Pair> {
        let missing = || Error::computation("an inverse function without arguments");
        let v = self.dimensions.atom(d).ok_or_else(missing)?;
        let arguments = self.function_arguments(v).ok_or_else(missing)?.to_vec();
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let u2 = self.field.mul(&arguments[0], &arguments[0])?;
        match self.field.atoms.get(v).kind {
            AtomKind::Call(Function::Asin) => {
                let rest = self.field.sub(&Fraction::one(), &u2)?;
                Ok((self.root(arena, &rest, &half)?, arguments[0].clone()))
            }
            AtomKind::Call(_) => {
                let rest = self.field.add(&Fraction::one(), &u2)?;
                let cos = self.root(arena, &rest, &-half)?;
                let sin = self.field.mul(&cos, &arguments[0])?;
                Ok((cos, sin))
            }
            _ => {
                let x2 = self.field.mul(&arguments[1], &arguments[1])?;
                let r2 = self.field.add(&u2, &x2)?;
                let inverse = self.root(arena, &r2, &-half)?;
                Ok((self.field.mul(&inverse, &arguments[1])?, self.field.mul(&inverse, &arguments[0])?))
            }
        }
    }

    /// An argument taken apart, for evaluation elsewhere.
    pub(super) fn argument_form(&self, arena: &mut Arena, kind: Option<Kind>, v: Vector) -> ArgumentForm {
        let (turns, v, powers) = match kind {
            Some(Kind::Circular) => {
                let (turns, v) = self.split_turns(arena, v);
                (turns, v, Vec::new())
            }
            _ => {
                let (powers, v) = self.split_logarithms(v);
                (0, v, powers)
            }
        };
        let powers = powers.into_iter().map(|(u, c)| (self.fraction_to_expr(arena, &u), c)).collect();
        let terms = v.into_iter().map(|(d, c)| (self.describe(arena, d), c)).collect();
        ArgumentForm { turns, terms, powers }
    }

    fn describe(&self, arena: &mut Arena, d: u32) -> super::Dimension {
        let expr = self.dimension_to_expr(arena, d);
        let pi = self.symbols.get(&arena.pi());
        if let Some(v) = self.dimensions.atom(d) {
            if pi == Some(&v) {
                return super::Dimension::Pi;
            }
            if let Some(arguments) = self.function_arguments(v).filter(|_| self.is_inverse(d)) {
                let list = arguments.iter().map(|u| self.fraction_to_expr(arena, u)).collect();
                return super::Dimension::Inverse(self.field.atoms.get(v).kind, list);
            }
        }
        let d = &self.dimensions.list[d as usize];
        let constant = d.den.is_empty() && d.monomial.factors().all(|(v, _)| pi == Some(&v));
        if constant { super::Dimension::Constant(expr) } else { super::Dimension::Free(expr) }
    }

    fn rotate(&mut self, kind: Kind, a: &Pair, b: &Pair) -> Result<Pair> {
        let (cc, ss) = (self.field.mul(&a.0, &b.0)?, self.field.mul(&a.1, &b.1)?);
        let (sc, cs) = (self.field.mul(&a.1, &b.0)?, self.field.mul(&a.0, &b.1)?);
        let cos = match kind {
            Kind::Circular => self.field.sub(&cc, &ss)?,
            Kind::Exponential => self.field.add(&cc, &ss)?,
        };
        Ok((cos, self.field.add(&sc, &cs)?))
    }

    /// Cosine and sine of a multiple of an independent angle.
    fn multiple(&mut self, arena: &mut Arena, kind: Kind, i: u32, k: i64) -> Result<Arc<Pair>> {
        if k.unsigned_abs() > u64::from(self.options.limits.angle_multiple) {
            let most = self.options.limits.angle_multiple;
            return Err(Error::limit(format!("a multiple of an angle beyond {most} (limit `angle_multiple`)")));
        }
        let n = k.unsigned_abs() as usize;
        while self.arguments(kind).list[i as usize].multiples.len() <= n {
            let known = &self.arguments(kind).list[i as usize].multiples;
            let next = match known.len() {
                0 => (Fraction::one(), Fraction::zero()),
                1 => self.unit_pair(arena, kind, i)?,
                m => {
                    let (one, last) = (known[1].clone(), known[m - 1].clone());
                    self.rotate(kind, &last, &one)?
                }
            };
            self.arguments_mut(kind).list[i as usize].multiples.push(Arc::new(next));
        }
        let pair = self.arguments(kind).list[i as usize].multiples[n].clone();
        Ok(if k < 0 { Arc::new((pair.0.clone(), pair.1.neg())) } else { pair })
    }

    /// Cosine and sine of an argument in integer coordinates, turned by kπ/12.
    pub(super) fn expand_pair(
        &mut self,
        arena: &mut Arena,
        kind: Kind,
        coordinates: &[(u32, i64)],
        turns: i64,
    ) -> Result<Arc<Pair>> {
        let mut key = coordinates.to_vec();
        key.push((u32::MAX, turns));
        if let Some(pair) = self.arguments(kind).expansions.get(&key) {
            return Ok(pair.clone());
        }
        let mut pair = match turns {
            0 => None,
            _ => Some(Arc::new(self.turn(arena, turns)?)),
        };
        for &(i, k) in coordinates {
            let next = self.multiple(arena, kind, i, k)?;
            pair = Some(match pair {
                None => next,
                Some(p) => Arc::new(self.rotate(kind, &p, &next)?),
            });
        }
        let pair = pair.unwrap_or_else(|| Arc::new((Fraction::one(), Fraction::zero())));
        self.arguments_mut(kind).expansions.insert(key, pair.clone());
        Ok(pair)
    }

    /// Cosine and sine of kπ/12.
    fn turn(&mut self, arena: &mut Arena, k: i64) -> Result<Pair> {
        let quarter = |k: i64| -> Pair {
            let at = |k: i64| Fraction::number(Rational::integer([0, 1, 0, -1][k.rem_euclid(4) as usize]));
            (at(k + 1), at(k))
        };
        // kπ/12 = quarter turns + r·π/12 with 0 ≤ r < 6; π/12 = π/3 − π/4.
        let (q, r) = (k.div_euclid(6), k.rem_euclid(6));
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let mut root = |n: i64| -> Result<Fraction> {
            Ok(self.root(arena, &Fraction::number(Rational::integer(n)), &half)?.scale(&half))
        };
        let halves = Fraction::number(half.clone());
        let pair = match r {
            0 => (Fraction::one(), Fraction::zero()),
            2 => (root(3)?, halves),
            3 => (root(2)?, root(2)?),
            4 => (halves, root(3)?),
            1 => {
                let back = (root(2)?, root(2)?.neg());
                let third = (halves, root(3)?);
                self.rotate(Kind::Circular, &third, &back)?
            }
            _ => {
                let forth = (root(2)?, root(2)?);
                let sixth = (root(3)?, halves);
                self.rotate(Kind::Circular, &sixth, &forth)?
            }
        };
        self.rotate(Kind::Circular, &quarter(q), &pair)
    }

    /// Π Eᵏ for an exponent in integer coordinates.
    pub(super) fn expand_exponential(&mut self, arena: &mut Arena, coordinates: &[(u32, i64)]) -> Result<Fraction> {
        let mut monomial = Monomial::ONE;
        for &(i, k) in coordinates {
            let v = match self.exponential.list[i as usize].atoms {
                Some((v, w)) if v == w => v,
                _ => {
                    let expr = self.exponential_expr(arena, i);
                    let v = self.field.atoms.push(AtomKind::Exp(i), expr, None);
                    self.exponential.list[i as usize].atoms = Some((v, v));
                    v
                }
            };
            let k = i32::try_from(k).map_err(|_| Error::limit("an exponent is too large for the normal form"))?;
            monomial = monomial.mul(&Monomial::power(v, k)?)?;
        }
        Ok(Fraction::poly(Poly::term(monomial, Rational::ONE)))
    }

    /// exp(a), written as a power where the exponent is a single term with a logarithm: exp(n·log x) = xⁿ.
    fn exponential_expr(&mut self, arena: &mut Arena, i: u32) -> Expr {
        let angle = &self.exponential.list[i as usize];
        if let [(d, c)] = &angle.vector[..] {
            let d = self.dimensions.list[*d as usize].clone();
            let log = d.monomial.factors().find(|(v, e)| *e == 1 && self.logarithms.contains_key(v));
            if let Some((v, _)) = log {
                let rest = Dimension { monomial: d.monomial.split_off(v).1, ..d }.fraction(c);
                let base = self.logarithms[&v].clone();
                let (base, exponent) = (self.fraction_to_expr(arena, &base), self.fraction_to_expr(arena, &rest));
                return arena.pow(base, exponent);
            }
        }
        arena.call(Function::Exp, angle.expr)
    }
}
