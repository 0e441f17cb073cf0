//! Squares of sums in a polynomial: x² − 2xu + u² + d² is (x − u)² + d².
//!
//! A distance is written so by everybody, and no division into parts with common atoms finds it.

use super::form::{Form, Term};
use super::search::Search;
use crate::error::Result;
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly};
use std::rc::Rc;

/// A square takes at least so many terms away: two squares and twice the product.
const TAKEN: usize = 3;

impl Search<'_> {
    /// The polynomial as the square of a sum and a rest, where there is such a square.
    pub(super) fn squared(&mut self, p: &Rc<Poly>) -> Result<Option<Form>> {
        let Some((c, root, rest)) = largest_square(p, &mut self.budget)? else { return Ok(None) };
        let root = self.form(&root)?;
        let square = Term::monomial(self.atoms, c, Monomial::ONE).times(self.atoms, &root, 2)?;
        let mut terms = vec![square];
        if !rest.is_zero() {
            terms.extend_from_slice(&self.form(&rest)?.terms);
        }
        Ok(Some(Form::new(self.atoms, p.clone(), terms)))
    }
}

/// c, r and p − c·r², so that as few terms as possible are left.
fn largest_square(p: &Poly, budget: &mut Budget) -> Result<Option<(Rational, Poly, Poly)>> {
    let mut best: Option<(Rational, Poly, Poly)> = None;
    for (m, c) in p.terms() {
        let Some(first) = root_of(m)? else { continue };
        let mut others = Vec::new();
        for (n, d) in p.terms() {
            let (other, k) = (n.div(&first)?, &(d / c) / &Rational::integer(2));
            let square = (other.pow(2)?, &(&k * &k) * c);
            if n != m && p.terms().contains(&square) {
                others.push((other, k));
            }
        }
        // All of them at once, a sum of several terms, or one of them.
        let sets = std::iter::once(others.clone()).chain(others.iter().map(|one| vec![one.clone()]));
        for mut root in sets.filter(|set| !set.is_empty()) {
            root.push((first.clone(), Rational::ONE));
            let root = Poly::from_terms(root);
            let rest = p.sub(&root.pow(2, budget)?.scale(c));
            if rest.len() + TAKEN <= best.as_ref().map_or(p.len(), |(.., b)| b.len() + TAKEN - 1) {
                best = Some((c.clone(), root, rest));
            }
        }
    }
    Ok(best)
}

/// The monomial of which this is the square; the number one has none that is worth a bracket.
fn root_of(m: &Monomial) -> Result<Option<Monomial>> {
    if m.is_one() || m.factors().any(|(_, e)| e < 0 || e % 2 != 0) {
        return Ok(None);
    }
    let mut root = Monomial::ONE;
    for (v, e) in m.factors() {
        root = root.mul(&Monomial::power(v, e / 2)?)?;
    }
    Ok(Some(root))
}
