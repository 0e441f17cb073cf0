//! Terms: expressions with symbols replaced by values, rational numbers by floating-point ones, and numeric factors
//! pulled to the front, so that what differs by a factor is computed once.

use super::tape::{Binary, Unary, Value};
use crate::expr::{Function, Rational, TableId};
use rustc_hash::FxHashMap;

/// Powers beyond this go to the library function: repeated squaring loses a bit per squaring.
const LARGEST_POWER: i64 = 64;

pub(super) type TermId = u32;

/// A term without numeric factor. Floating-point numbers are kept as bits, so that terms can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    Value(Value),
    /// constant + Σ coefficient·term.
    Sum(u64, Box<[(TermId, u64)]>),
    /// Π termⁿ; negative exponents are denominators.
    Product(Box<[(TermId, i64)]>),
    Unary(Unary, TermId),
    Binary(Binary, TermId, TermId),
    Table(TableId, u8, TermId),
}

/// factor·core, or a plain number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaled {
    pub factor: f64,
    pub core: Option<TermId>,
}

/// Hash-consed terms; the parts of a term come before it.
#[derive(Default)]
pub(super) struct Terms {
    pub terms: Vec<Term>,
    index: FxHashMap<Term, TermId>,
}

impl Terms {
    fn intern(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let id = self.terms.len() as TermId;
        self.terms.push(term.clone());
        self.index.insert(term, id);
        id
    }

    pub(super) fn one(&mut self, term: Term) -> Scaled {
        Scaled { factor: 1.0, core: Some(self.intern(term)) }
    }

    /// The scaled term as a term of its own.
    pub(super) fn whole(&mut self, s: Scaled) -> TermId {
        match s.core {
            Some(core) if s.factor == 1.0 => core,
            Some(core) => self.intern(Term::Sum(0, [(core, s.factor.to_bits())].into())),
            None => self.intern(Term::Sum(positive_zero(s.factor).to_bits(), Box::default())),
        }
    }

    /// constant + Σ coefficient·scaled.
    pub(super) fn sum(&mut self, constant: f64, members: impl Iterator<Item = (Scaled, f64)>) -> Scaled {
        let mut constant = constant;
        let mut list: Vec<(TermId, f64)> = Vec::new();
        for (s, c) in members {
            match s.core {
                Some(core) => list.push((core, s.factor * c)),
                None => constant += s.factor * c,
            }
        }
        // Values of parameters may have made different expressions equal.
        gather(&mut list);
        let Some(&(first, lead)) = list.first() else { return Scaled { factor: constant, core: None } };
        if list.len() == 1 && constant == 0.0 {
            return Scaled { factor: lead, core: Some(first) };
        }
        // A common factor goes to the front where that is exact: m·a + m·b, and −a − b.
        let size = lead.abs();
        let uniform = list.iter().all(|(_, c)| c.abs() == size) && (constant == 0.0 || constant.abs() == size);
        let factor = if uniform {
            lead
        } else if lead < 0.0 {
            -1.0
        } else {
            1.0
        };
        let bits = |x: f64| positive_zero(x / factor).to_bits();
        let term = Term::Sum(bits(constant), list.iter().map(|&(t, c)| (t, bits(c))).collect());
        // A non-finite coefficient must reach the caller's check, not hide in a term.
        let finite = constant.is_finite() && list.iter().all(|(_, c)| c.is_finite());
        Scaled { factor: if finite { factor } else { f64::NAN }, core: Some(self.intern(term)) }
    }

    /// coefficient·Π scaledᵉˣᵖᵒⁿᵉⁿᵗ.
    pub(super) fn product<'a>(
        &mut self,
        coefficient: f64,
        factors: impl Iterator<Item = (Scaled, &'a Rational)>,
    ) -> Scaled {
        let mut factor = coefficient;
        let mut list: Vec<(TermId, i64)> = Vec::new();
        for (s, exponent) in factors {
            match exponent.to_i64() {
                Some(n) if n.abs() <= LARGEST_POWER => {
                    factor *= s.factor.powi(n as i32);
                    if let Some(core) = s.core {
                        self.raise(&mut list, core, n);
                    }
                }
                _ => {
                    let x = exponent.to_f64();
                    // Only a positive factor comes out of a root.
                    let (outside, base) = match s.core {
                        Some(core) if s.factor > 0.0 => (libm::pow(s.factor, x), core),
                        Some(_) => (1.0, self.whole(s)),
                        None => {
                            factor *= libm::pow(s.factor, x);
                            continue;
                        }
                    };
                    factor *= outside;
                    self.raise_to_fraction(&mut list, base, exponent, x);
                }
            }
        }
        self.product_of(factor, list)
    }

    /// factor·Π termⁿ, from a list in any order.
    pub(super) fn product_of(&mut self, factor: f64, mut list: Vec<(TermId, i64)>) -> Scaled {
        gather(&mut list);
        match &list[..] {
            [] => Scaled { factor, core: None },
            _ if factor == 0.0 => Scaled { factor, core: None },
            [(t, 1)] => Scaled { factor, core: Some(*t) },
            _ => {
                let term = Term::Product(list.into());
                Scaled { factor, core: Some(self.intern(term)) }
            }
        }
    }

    /// Multiplies the list by coreⁿ; a product is opened, so that its parts are shared and cancel.
    pub(super) fn raise(&self, list: &mut Vec<(TermId, i64)>, core: TermId, n: i64) {
        match &self.terms[core as usize] {
            Term::Product(factors) if factors.iter().all(|(_, m)| m.abs().saturating_mul(n.abs()) <= LARGEST_POWER) => {
                list.extend(factors.iter().map(|&(t, m)| (t, m * n)));
            }
            _ => list.push((core, n)),
        }
    }

    /// Halves and quarters are square roots; anything else is the library's power function.
    fn raise_to_fraction(&mut self, list: &mut Vec<(TermId, i64)>, base: TermId, exponent: &Rational, x: f64) {
        if let Some((n, d @ (2 | 4))) = exponent.small().filter(|(n, _)| n.abs() <= LARGEST_POWER) {
            let sign = n.signum();
            let quarters = n.abs() * (4 / d);
            let root = self.intern(Term::Unary(Unary::Sqrt, base));
            self.raise(list, base, sign * (quarters / 4));
            if quarters & 2 != 0 {
                list.push((root, sign));
            }
            if quarters & 1 != 0 {
                let fourth = self.intern(Term::Unary(Unary::Sqrt, root));
                list.push((fourth, sign));
            }
            return;
        }
        let exponent = self.whole(Scaled { factor: x, core: None });
        let power = self.intern(Term::Binary(Binary::Power, base, exponent));
        list.push((power, 1));
    }

    pub(super) fn binary(&mut self, op: Binary, a: Scaled, b: Scaled) -> Scaled {
        let (a, b) = (self.whole(a), self.whole(b));
        self.one(Term::Binary(op, a, b))
    }

    /// A function. Tangent and its relatives go through sine and cosine, signs come out.
    pub(super) fn call(&mut self, f: Function, argument: Scaled) -> Scaled {
        use Function::*;
        let odd = matches!(f, Sin | Tan | Cot | Csc | Asin | Atan | Sinh | Tanh | Sign);
        let even = matches!(f, Cos | Sec | Cosh | Abs);
        let flip = argument.factor < 0.0 && (odd || even);
        let argument = if flip { Scaled { factor: -argument.factor, ..argument } } else { argument };
        let x = self.whole(argument);
        let mut function = |op: Unary| self.intern(Term::Unary(op, x));
        let plain = match f {
            Sin => Unary::Sin,
            Cos => Unary::Cos,
            Asin => Unary::Asin,
            Acos => Unary::Acos,
            Atan => Unary::Atan,
            Sinh => Unary::Sinh,
            Cosh => Unary::Cosh,
            Tanh => Unary::Tanh,
            Exp => Unary::Exp,
            Log => Unary::Log,
            Abs => Unary::Abs,
            Function::Sign => Unary::Sign,
            Tan | Cot | Sec | Csc => {
                let (s, c) = (function(Unary::Sin), function(Unary::Cos));
                let factors: &[(TermId, i64)] = match f {
                    Tan => &[(s, 1), (c, -1)],
                    Cot => &[(s, -1), (c, 1)],
                    Sec => &[(c, -1)],
                    _ => &[(s, -1)],
                };
                let mut factors = factors.to_vec();
                factors.sort_unstable();
                let core = self.intern(Term::Product(factors.into()));
                return Scaled { factor: if flip && odd { -1.0 } else { 1.0 }, core: Some(core) };
            }
        };
        Scaled { factor: if flip && odd { -1.0 } else { 1.0 }, core: Some(function(plain)) }
    }
}

fn positive_zero(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x }
}

/// The terms on the way to the roots (a product that was opened into another may not be among them).
pub(super) fn needed(terms: &[Term], roots: &[Scaled]) -> Vec<bool> {
    let mut needed = vec![false; terms.len()];
    roots.iter().filter_map(|s| s.core).for_each(|t| needed[t as usize] = true);
    for id in (0..terms.len()).rev() {
        if needed[id] {
            terms[id].for_each_part(|t| needed[t as usize] = true);
        }
    }
    needed
}

impl Term {
    /// Calls `f` for every term this one is made of.
    pub(super) fn for_each_part(&self, mut f: impl FnMut(TermId)) {
        match self {
            Term::Value(_) => {}
            Term::Sum(_, list) => list.iter().for_each(|(t, _)| f(*t)),
            Term::Product(list) => list.iter().for_each(|(t, _)| f(*t)),
            Term::Unary(_, a) | Term::Table(_, _, a) => f(*a),
            Term::Binary(_, a, b) => {
                f(*a);
                f(*b);
            }
        }
    }
}

/// Sorts a list of terms with their factors or powers, adds up those of equal terms, and leaves out what cancels.
pub(super) fn gather<N: Copy + Default + PartialEq + std::ops::AddAssign>(list: &mut Vec<(TermId, N)>) {
    list.sort_by_key(|(t, _)| *t);
    list.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
    list.retain(|(_, n)| *n != N::default());
}
