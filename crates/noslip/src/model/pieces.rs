//! Functions in pieces: `f = { of = "s", is = ["0", "s^2", "2*s - 1"], at = [0, 1] }`.
//!
//! The function is its first piece, whatever that is, and beyond the first place where two meet a table of polynomials added to it.
//! Tables have derivatives, numbers and code already; proofs know them by their argument alone. How often the function can be
//! differentiated is found exactly.

use super::load::Loader;
use super::scope::{Meaning, Place};
use super::system::{Interpolation, Table};
use crate::error::{Error, Span};
use crate::expr::{Expr, Rational, Symbol, simplify};
use crate::numeric::counted;
use crate::source::{Item, Value};
use rustc_hash::FxHashMap;

/// Where the last polynomial ends: nowhere that numbers come to.
const FAR: i64 = i64::MAX;

impl Loader<'_> {
    /// The function of one argument whose pieces stand in `is` and meet at `at`.
    pub(super) fn pieces(&mut self, name: &str, is: &Item, at: Option<&Item>, symbols: &[Symbol]) -> Option<Expr> {
        let Value::Array(items) = &is.value else { return None };
        let &[s] = symbols else {
            let error = Error::input(format!("function `{name}` in pieces is one of several arguments"));
            self.error(error.at(is.span.clone()).hint("pieces are those of a function of one argument"));
            return None;
        };
        let places = self.places(name, at, items.len(), &is.span)?;
        let list: Vec<Expr> = items.iter().filter_map(|item| self.expression(item, &Place::DEFINITION)).collect();
        let (first, true) = (*list.first()?, list.len() == items.len()) else { return None };
        let mut polynomials = Vec::new();
        for ((&e, item), place) in list.iter().zip(items).skip(1).zip(&places) {
            let beyond = self.arena.sub(e, first);
            polynomials.push(self.polynomial(name, beyond, s, place, &item.span)?);
        }
        let smooth = self.smoothness(name, &places, &polynomials, &is.span)?;
        // A piece of nothing before the first place: there the table goes on as it begins.
        let mut knots = vec![&places[0] - &Rational::ONE];
        knots.extend(places);
        knots.push(Rational::integer(FAR));
        let mut pieces = vec![std::array::from_fn(|_| Rational::ZERO)];
        pieces.extend(polynomials);
        let table = if self.arena.is_zero(first) { name.to_owned() } else { format!("{name}_beyond") };
        if table != name && !self.declare(&table, Meaning::Table, is.span.clone()) {
            return None;
        }
        let id = self.arena.declare_table(&table);
        let values = vec![Rational::ZERO; knots.len()];
        let interpolation = Interpolation::Linear;
        self.tables.push(Table { id, at: knots, values, interpolation, of: None, pieces: Some((pieces, smooth)) });
        let argument = self.arena.symbol(s);
        let beyond = self.arena.table(id, 0, argument);
        Some(self.arena.add(first, beyond))
    }

    /// The arguments where pieces meet, ascending.
    fn places(&mut self, name: &str, at: Option<&Item>, pieces: usize, span: &Span) -> Option<Vec<Rational>> {
        let hint = "write `is = [\"0\", \"s^2\"], at = [0]`: so many pieces, and the arguments between them, ascending";
        let Some(Item { value: Value::Array(items), span: place }) = at else {
            let error = Error::input(format!("function `{name}` does not say where its pieces meet"));
            self.error(error.at(span.clone()).hint(hint));
            return None;
        };
        let places: Vec<Rational> = items.iter().filter_map(|x| self.number(x, "a place where pieces meet")).collect();
        if places.len() != items.len() {
            return None;
        }
        if places.len() + 1 != pieces || places.is_empty() {
            let message = format!(
                "function `{name}` has {} that meet at {}",
                counted(pieces, "piece"),
                counted(places.len(), "place")
            );
            self.error(Error::input(message).at(place.clone()).hint(hint));
            return None;
        }
        if let Some(i) = (1..places.len()).find(|&i| places[i] <= places[i - 1]) {
            let error = Error::input(format!("the places where pieces of `{name}` meet do not ascend"));
            self.error(error.at(items[i].span.clone()).hint(hint));
            return None;
        }
        Some(places)
    }

    /// The coefficients of a polynomial of third degree about a place.
    fn polynomial(&mut self, name: &str, e: Expr, s: Symbol, place: &Rational, span: &Span) -> Option<[Rational; 4]> {
        let at: FxHashMap<Symbol, Expr> = [(s, self.arena.number(place.clone()))].into_iter().collect();
        let mut derivative = e;
        let mut coefficients = Vec::new();
        for factorial in [1, 1, 2, 6, 24] {
            let value = self.arena.substitute(derivative, &at);
            let value = simplify(&mut self.arena, value, self.limits);
            let number = self.arena.as_number(value).cloned();
            coefficients.extend(number.zip(Rational::new(1, factorial)).map(|(x, part)| &x * &part));
            derivative = self.arena.diff(derivative, s);
        }
        let fourth = self.arena.diff(e, s);
        let fourth = (0..3).fold(fourth, |d, _| self.arena.diff(d, s));
        let fourth = simplify(&mut self.arena, fourth, self.limits);
        match <[Rational; 5]>::try_from(coefficients) {
            Ok([a, b, c, d, _]) if self.arena.is_zero(fourth) => Some([a, b, c, d]),
            _ => {
                let message =
                    format!("a piece of `{name}`, less the first, is no polynomial of third degree with numbers");
                let hint = "parameters stand outside, k*f(s - d), or in what all pieces have in common";
                self.error(Error::input(message).at(span.clone()).hint(hint));
                None
            }
        }
    }

    /// How often the function can be differentiated where its pieces meet; it must not jump.
    fn smoothness(
        &mut self,
        name: &str,
        places: &[Rational],
        polynomials: &[[Rational; 4]],
        span: &Span,
    ) -> Option<u8> {
        let mut smooth = 3;
        for (i, right) in polynomials.iter().enumerate() {
            let left = match i.checked_sub(1) {
                None => std::array::from_fn(|_| Rational::ZERO),
                Some(j) => moved(&polynomials[j], &(&places[i] - &places[j])),
            };
            let Some(order) = (0..4).find(|&k| left[k] != right[k]) else { continue };
            if order == 0 {
                let jump = &right[0] - &left[0];
                let message = format!("`{name}` jumps by {jump} at {}", places[i]);
                self.error(
                    Error::input(message).at(span.clone()).hint("pieces must have the same value where they meet"),
                );
                return None;
            }
            smooth = smooth.min(order as u8 - 1);
        }
        Some(smooth)
    }
}

impl Table {
    /// The exact value at a number, where it has one: of pieces, which are polynomials, and of values that are given there.
    pub fn exactly(&self, derivative: u8, x: &Rational) -> Option<Rational> {
        let Some((pieces, smooth)) = &self.pieces else {
            let given = self.at.iter().position(|at| at == x).filter(|_| derivative == 0);
            return given.and_then(|i| self.values.get(i).cloned());
        };
        // Before the first place it goes on as it begins.
        let i = self.at.iter().rposition(|at| at <= x).unwrap_or(0);
        if derivative > *smooth && self.at[1..].contains(x) {
            return None;
        }
        let coefficients = moved(pieces.get(i)?, &(x - &self.at[i]));
        let factorial = [1, 1, 2, 6].get(usize::from(derivative)).copied().unwrap_or(0);
        let coefficient = coefficients.get(usize::from(derivative)).cloned().unwrap_or(Rational::ZERO);
        Some(&coefficient * &Rational::integer(factorial))
    }
}

/// The coefficients of the same polynomial about a place that is so far away.
fn moved(p: &[Rational; 4], by: &Rational) -> [Rational; 4] {
    let [a, b, c, d] = p.each_ref();
    let (two, three) = (Rational::integer(2), Rational::integer(3));
    let third = &(d * by) * &three;
    let value = &(&(&(&(d * by) + c) * by) + b) * by;
    [a + &value, &(&(&(c * &two) + &third) * by) + b, &third + c, d.clone()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_about_another_place_is_the_same_polynomial() {
        // 1 + 2x + 3x² + 4x³ at x = 2 + s.
        let p = [1, 2, 3, 4].map(Rational::integer);
        assert_eq!(moved(&p, &Rational::integer(2)), [49, 62, 27, 4].map(Rational::integer));
        assert_eq!(moved(&p, &Rational::integer(0)), p);
    }
}
