//! From the normal form back to expressions.

use super::atoms::AtomKind;
use super::fraction::{Den, Fraction};
use super::signs::{Generator, unit_factor};
use super::{NormalForm, Normalizer};
use crate::error::Result;
use crate::expr::arena::{Arena, Expr, Function};
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly, Var};
use crate::expr::tree::Order;

impl Normalizer {
    pub(super) fn poly_to_expr(&self, arena: &mut Arena, p: &Poly) -> Expr {
        if let Some((factor, rest)) = self.split_absolute(p) {
            let factor = if self.is_printed_negative(arena, &factor) { factor.neg() } else { factor };
            let (factor, rest) = (self.poly_to_expr(arena, &factor), self.poly_to_expr(arena, &rest));
            let absolute = arena.call(Function::Abs, factor);
            return arena.mul(absolute, rest);
        }
        let terms: Vec<(Expr, Rational)> =
            p.terms().iter().map(|(m, c)| (self.monomial_to_expr(arena, m), c.clone())).collect();
        arena.linear(Rational::ZERO, terms)
    }

    /// sign(f)·f·q is |f|·q.
    fn split_absolute(&self, p: &Poly) -> Option<(Poly, Poly)> {
        let (first, _) = p.terms().first()?;
        first.factors().find_map(|(v, _)| {
            let Some((Generator::Factor(_, id), opposite)) = self.sign_of(v) else { return None };
            if p.terms().iter().any(|(m, _)| m.exponent(v) == 0) {
                return None;
            }
            let rest = p.unshift(&Monomial::power(v, 1).ok()?).ok()?;
            let factor = self.field.factor(id);
            let quotient = rest.divide(factor, &mut Budget::default()).ok()??;
            // sign(−f)·f = −|f|
            Some(((**factor).clone(), if opposite { quotient.neg() } else { quotient }))
        })
    }

    fn monomial_to_expr(&self, arena: &mut Arena, m: &Monomial) -> Expr {
        let mut factors: Vec<(Expr, Rational)> = Vec::with_capacity(m.factors().len());
        for (v, e) in m.factors() {
            let atom = self.field.atoms.get(v);
            // sign(x)·x is |x|, and sign(x)/x is 1/|x|.
            if let Some((Generator::Atom(_, x), false)) = self.sign_of(v)
                && m.exponent(x) != 0
            {
                let by = Rational::integer(m.exponent(x).signum().into());
                let x = self.field.atoms.get(x).expr;
                factors.push((arena.call(Function::Abs, x), by.clone()));
                factors.push((x, -by));
                continue;
            }
            factors.push((atom.expr, Rational::integer(e.into())));
        }
        arena.powers(Rational::ONE, factors)
    }

    pub(super) fn fraction_to_expr(&self, arena: &mut Arena, f: &Fraction) -> Expr {
        let mut num = f.num.clone();
        let mut den: Vec<(Poly, u32)> = Vec::with_capacity(f.den.len());
        for &(id, e) in &f.den {
            let factor = self.field.factor(id);
            let negative = self.is_printed_negative(arena, factor);
            if negative && e % 2 == 1 {
                num = num.neg();
            }
            den.push((if negative { factor.neg() } else { (**factor).clone() }, e));
        }
        self.quotient_to_expr(arena, &num, &den)
    }

    fn quotient_to_expr(&self, arena: &mut Arena, num: &Poly, den: &[(Poly, u32)]) -> Expr {
        if den.is_empty() {
            return self.poly_to_expr(arena, num);
        }
        // Negative powers common to the numerator stand beside the other denominators.
        let content = num.monomial_content();
        let negative: Vec<(Var, i32)> = content.factors().filter(|(_, e)| *e < 0).collect();
        let mut inner = num.clone();
        let mut factors: Vec<(Expr, Rational)> = Vec::new();
        for (v, e) in negative {
            if let Ok(m) = Monomial::power(v, e)
                && let Ok(shifted) = inner.unshift(&m)
            {
                inner = shifted;
                factors.push((self.field.atoms.get(v).expr, Rational::integer(e.into())));
            }
        }
        factors.push((self.poly_to_expr(arena, &inner), Rational::ONE));
        for (f, e) in den {
            factors.push((self.poly_to_expr(arena, f), Rational::integer(-i64::from(*e))));
        }
        arena.powers(Rational::ONE, factors)
    }

    /// The normal form as an expression.
    pub fn to_expr(&self, arena: &mut Arena, form: &NormalForm) -> Expr {
        self.quotient_to_expr(arena, &form.numerator, &form.denominator)
    }

    /// Writes 1/sin and 1/√ where the inner form has them in the numerator.
    pub(super) fn present(&mut self, arena: &mut Arena, f: &Fraction) -> Result<NormalForm> {
        let mut num = f.num.clone();
        let mut den: Vec<(Poly, u32)> = Vec::with_capacity(f.den.len());
        let mut sines: Vec<(Var, u32)> = Vec::new();
        let mut list: Vec<(Poly, u32)> = f.den.iter().map(|&(id, e)| ((**self.field.factor(id)).clone(), e)).collect();
        // (c−1)(c+1) = −s² on the circle, s² on the hyperbola.
        for i in 0..list.len() {
            let Some((kept, true)) = unit_factor(&list[i].0) else { continue };
            let Some(j) = list.iter().position(|x| unit_factor(&x.0) == Some((kept, false))) else { continue };
            let Some((eliminated, circular)) = self.partner(kept) else { continue };
            let m = list[i].1.min(list[j].1);
            list[i].1 -= m;
            list[j].1 -= m;
            if circular && m % 2 == 1 {
                num = num.neg();
            }
            sines.push((eliminated, 2 * m));
        }
        den.extend(list.into_iter().filter(|x| x.1 > 0));
        for (s, mut e) in sines {
            while e > 0 {
                let Some(quotient) = self.divide_by_algebraic(&num, s)? else { break };
                num = quotient;
                e -= 1;
            }
            if e > 0 {
                den.push((Poly::var(s)?, e));
            }
        }
        self.present_roots(&mut num, &mut den)?;
        // The sign of a factor is that of the term which is printed first: it does not depend on the order of atoms.
        for (f, e) in &mut den {
            if f.len() > 1 && self.is_printed_negative(arena, f) {
                *f = f.neg();
                if *e % 2 == 1 {
                    num = num.neg();
                }
            }
        }
        den.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| b.0.terms().cmp(a.0.terms())));
        Ok(NormalForm { numerator: num, denominator: den })
    }

    /// Has the term that is printed first a minus sign? Unlike the leading term it does not depend on the atoms' order.
    pub(super) fn is_printed_negative(&self, arena: &mut Arena, p: &Poly) -> bool {
        if let [(_, c)] = p.terms() {
            return c.is_negative();
        }
        let mut terms: Vec<(Expr, Rational)> =
            p.terms().iter().map(|(m, c)| (self.monomial_to_expr(arena, m), c.clone())).collect();
        let roots: Vec<Expr> = terms.iter().map(|t| t.0).collect();
        let order = Order::new(arena, &arena.reachable(&roots));
        order.sort_terms(&mut terms);
        terms.first().is_some_and(|t| t.1.is_negative())
    }

    /// Does an odd number of factors of the denominator print with a minus sign in front?
    pub(super) fn is_denominator_negative(&self, arena: &mut Arena, den: &Den) -> bool {
        den.iter().fold(false, |negative, &(id, e)| {
            negative ^ (e % 2 == 1 && self.is_printed_negative(arena, self.field.factor(id)))
        })
    }

    /// N/v for an algebraic atom of degree 2, if that is a polynomial: N = A + B·v with A divisible by v².
    fn divide_by_algebraic(&mut self, num: &Poly, v: Var) -> Result<Option<Poly>> {
        let Some(relation) = self.field.atoms.get(v).relation.as_ref().filter(|r| r.degree == 2) else {
            return Ok(None);
        };
        let value = relation.value.clone();
        let (a, b) = (num.coefficient(v, 0), num.coefficient(v, 1));
        let Some(a) = a.divide(&value, &mut self.field.budget)? else { return Ok(None) };
        Ok(Some(b.add(&a.shift(&Monomial::power(v, 1)?)?)))
    }

    /// √R·N/R is N/√R, and likewise for other roots.
    fn present_roots(&mut self, num: &mut Poly, den: &mut Vec<(Poly, u32)>) -> Result<()> {
        let content = num.monomial_content();
        for (v, e) in content.factors() {
            let Some(relation) = &self.field.atoms.get(v).relation else { continue };
            if !matches!(self.field.atoms.get(v).kind, AtomKind::Root(_)) {
                continue;
            }
            let (degree, value) = (relation.degree, relation.value.clone());
            let parts = self.field.take_apart(&value)?;
            let whole =
                parts.factors.iter().all(|&(id, e)| den.iter().any(|(f, k)| *k >= e && *f == **self.field.factor(id)));
            let free = parts.monomial.factors().all(|(v, e)| e > 0 && content.exponent(v) <= -e);
            if !whole || !free || (parts.factors.is_empty() && parts.monomial.is_one()) {
                continue;
            }
            for &(id, e) in &parts.factors {
                if let Some(x) = den.iter_mut().find(|(f, _)| *f == **self.field.factor(id)) {
                    x.1 -= e;
                }
            }
            *num = num.shift(&parts.monomial)?.unshift(&Monomial::power(v, e)?)?.scale(&parts.constant);
            den.push((Poly::var(v)?, degree - e as u32));
        }
        den.retain(|x| x.1 > 0);
        Ok(())
    }
}
