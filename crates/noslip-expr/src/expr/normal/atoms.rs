//! The variables of the normal form: what each one stands for, and the relation it satisfies.

use crate::error::Result;
use crate::expr::arena::{Expr, Function, TableId};
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly, Var};
use crate::expr::symbol::Symbol;
use crate::expr::unspecified::UnspecifiedId;

/// What an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomKind {
    /// A symbol.
    Symbol(Symbol),
    /// Cosine of an independent angle, by its number.
    Cos(u32),
    /// Sine of an independent angle, by its number.
    Sin(u32),
    /// Hyperbolic cosine of an independent argument.
    Cosh(u32),
    /// Hyperbolic sine of an independent argument.
    Sinh(u32),
    /// Exponential of an independent exponent.
    Exp(u32),
    /// A root of this degree, never negative.
    Root(u32),
    /// The sign of something whose sign is not known; its square is 1.
    Sign,
    /// A function about which no more is known: log, asin, atan.
    Call(Function),
    /// atan2.
    Atan2,
    /// A derivative of a table.
    Table(TableId, u8),
    /// An unspecified function.
    Unspecified(UnspecifiedId),
}

/// An atom of the normal form.
#[derive(Clone, Debug)]
pub struct Atom {
    /// What it is.
    pub kind: AtomKind,
    /// The same as an expression.
    pub expr: Expr,
    /// The relation it satisfies, if it is algebraic over the atoms before it.
    pub relation: Option<Relation>,
}

/// atomᵈᵉᵍʳᵉᵉ = value, where the value contains only earlier atoms.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The degree, at least 2.
    pub degree: u32,
    /// What the power is equal to.
    pub value: Poly,
    /// Powers of the value, from the first.
    powers: Vec<Poly>,
}

/// All atoms of a normalizer; a variable is an index into this list.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    list: Vec<Atom>,
    /// Degree of the relation of each atom, 0 for none: looked up for every factor of every term.
    degrees: Vec<i32>,
    any_relation: bool,
}

impl Atoms {
    /// The atom behind a variable.
    pub fn get(&self, v: Var) -> &Atom {
        &self.list[v.0 as usize]
    }

    /// Number of atoms.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All atoms with their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &Atom)> {
        self.list.iter().enumerate().map(|(i, a)| (Var(i as u32), a))
    }

    pub(super) fn push(&mut self, kind: AtomKind, expr: Expr, relation: Option<(u32, Poly)>) -> Var {
        let v = Var(self.list.len() as u32);
        self.degrees.push(relation.as_ref().map_or(0, |r| r.0 as i32));
        self.any_relation |= relation.is_some();
        let relation = relation.map(|(degree, value)| Relation { degree, powers: vec![value.clone()], value });
        self.list.push(Atom { kind, expr, relation });
        v
    }

    /// Is the atom algebraic over earlier ones?
    pub(super) fn is_algebraic(&self, v: Var) -> bool {
        self.degrees[v.0 as usize] != 0
    }

    /// The last algebraic atom that occurs, if any.
    pub(super) fn last_algebraic(&self, p: &Poly) -> Option<Var> {
        if !self.any_relation {
            return None;
        }
        p.terms().iter().flat_map(|(m, _)| m.factors()).map(|(v, _)| v).filter(|&v| self.is_algebraic(v)).max()
    }

    /// Can the atom not be negative?
    pub(super) fn is_nonnegative(&self, v: Var) -> bool {
        matches!(self.get(v).kind, AtomKind::Exp(_) | AtomKind::Cosh(_) | AtomKind::Root(_))
    }

    /// Is its absolute value at most 1?
    pub(super) fn is_bounded(&self, v: Var) -> bool {
        matches!(self.get(v).kind, AtomKind::Cos(_) | AtomKind::Sin(_) | AtomKind::Sign)
    }

    /// Uses the relations until every algebraic atom has an exponent below its degree.
    pub(super) fn reduce(&mut self, mut p: Poly, budget: &mut Budget) -> Result<Poly> {
        if !self.any_relation {
            return Ok(p);
        }
        // Relations bring in earlier atoms only, so the last atom goes first and never comes back.
        loop {
            budget.pass(p.len());
            let over = |(v, e): (Var, i32)| {
                let d = self.degrees[v.0 as usize];
                (d != 0 && e >= d).then_some(v)
            };
            let Some(v) = p.terms().iter().flat_map(|(m, _)| m.factors().filter_map(over)).max() else { return Ok(p) };
            let degree = self.degrees[v.0 as usize];
            let mut kept = Vec::new();
            let mut parts: Vec<Vec<(Monomial, Rational)>> = Vec::new();
            for (m, c) in p.into_terms() {
                let e = m.exponent(v);
                if e < degree {
                    kept.push((m, c));
                    continue;
                }
                let k = (e / degree) as usize;
                if parts.len() < k {
                    parts.resize(k, Vec::new());
                }
                parts[k - 1].push((m.with_exponent(v, e % degree), c));
            }
            let mut sum = vec![Poly::from_sorted(kept)];
            for (k, part) in parts.into_iter().enumerate() {
                if !part.is_empty() {
                    let power = self.power_of_relation(v, k, budget)?;
                    sum.push(Poly::from_terms(part).mul(&power, budget)?);
                }
            }
            budget.pass(sum.iter().map(Poly::len).sum());
            p = Poly::sum(sum);
            budget.check_terms(p.len())?;
        }
    }

    /// The (k+1)-th power of a relation's value, reduced.
    fn power_of_relation(&mut self, v: Var, k: usize, budget: &mut Budget) -> Result<Poly> {
        loop {
            let Some(relation) = &self.list[v.0 as usize].relation else { return Ok(Poly::one()) };
            if let Some(p) = relation.powers.get(k) {
                return Ok(p.clone());
            }
            let next = relation.powers[relation.powers.len() - 1].mul(&relation.value, budget)?;
            let next = self.reduce(next, budget)?;
            if let Some(relation) = &mut self.list[v.0 as usize].relation {
                relation.powers.push(next);
            }
        }
    }

    /// The value with the sign of one algebraic atom of degree 2 changed.
    pub(super) fn conjugate(&self, p: &Poly, v: Var) -> Poly {
        let terms = p.terms().iter().map(|(m, c)| (m.clone(), if m.exponent(v) % 2 == 0 { c.clone() } else { -c }));
        Poly::from_terms(terms.collect())
    }

    pub(super) fn degree_of(&self, v: Var) -> i32 {
        self.degrees[v.0 as usize]
    }
}
