//! The conditions of Routh and Hurwitz, in letters.
//!
//! All roots of λⁿ + a₁λⁿ⁻¹ + … + aₙ lie to the left of the axis iff every aᵢ is positive and so is every second of Hurwitz'
//! determinants Δₙ₋₁, Δₙ₋₃, … (Liénard, Chipart). Where the polynomial is even, p(λ²), as it is for reversible motions, roots come
//! in pairs ±λ and none can lie to the left alone: they all lie on the axis, and apart, iff p has real negative roots only, iff
//! p(λ²) + λ p'(λ²) has all its roots to the left (Hermite, Biehler).

use crate::expr::{Expr, Matrix, Rational};
use crate::mechanics::Workbench;

/// An expression that must be positive.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The expression.
    pub expr: Expr,
    /// Its value for the model.
    pub value: f64,
    /// Is it positive there?
    pub holds: bool,
}

/// The expressions that must be positive for a monic polynomial, the highest coefficient first, and whether it is even.
pub fn conditions(w: &mut Workbench, polynomial: &[Expr]) -> (Vec<Expr>, bool) {
    let degree = polynomial.len() - 1;
    if degree == 0 {
        return (Vec::new(), false);
    }
    let even = degree.is_multiple_of(2) && (1..=degree).step_by(2).all(|i| w.g.is_zero(polynomial[i]));
    let p: Vec<Expr> = if even {
        // p(λ²) + λ p'(λ²): the derivative by λ² fills the odd places.
        (0..=degree)
            .map(|i| {
                if i % 2 == 0 {
                    return polynomial[i];
                }
                let power = (degree - (i - 1)) / 2;
                w.g.scale(polynomial[i - 1], &Rational::integer(power as i64))
            })
            .collect()
    } else {
        polynomial.to_vec()
    };
    let mut list: Vec<Expr> = Vec::new();
    let mut add = |w: &mut Workbench, e: Expr| {
        let e = w.simplify(e);
        let e = primitive(w, e);
        let positive = w.g.as_number(e).is_some_and(|x| !x.is_negative() && !x.is_zero());
        if !positive && !list.contains(&e) {
            list.push(e);
        }
    };
    for &a in &p[1..] {
        add(w, a);
    }
    let mut order = degree;
    while order > 2 {
        order -= 1;
        if (degree - 1 - order).is_multiple_of(2) && order > 1 {
            let rows: Matrix = (1..=order)
                .map(|i| {
                    (1..=order)
                        .map(|j| {
                            let index = 2 * j as i64 - i as i64;
                            let known = index >= 0 && index <= degree as i64;
                            if known { p[index as usize] } else { w.g.zero() }
                        })
                        .collect()
                })
                .collect();
            let e = determinant(w, &rows);
            add(w, e);
        }
    }
    (list, even)
}

/// By the first row, simplified on the way: a handful of rows, with zeros.
fn determinant(w: &mut Workbench, rows: &Matrix) -> Expr {
    if rows.len() == 1 {
        return rows[0][0];
    }
    let mut terms = Vec::new();
    for c in 0..rows.len() {
        if w.g.is_zero(rows[0][c]) {
            continue;
        }
        let minor: Matrix = rows[1..]
            .iter()
            .map(|row| row.iter().enumerate().filter(|(i, _)| *i != c).map(|(_, e)| *e).collect())
            .collect();
        let inner = determinant(w, &minor);
        let product = w.g.mul(rows[0][c], inner);
        terms.push((product, if c % 2 == 0 { Rational::ONE } else { Rational::MINUS_ONE }));
    }
    let e = w.g.linear(Rational::ZERO, terms);
    w.simplify(e)
}

/// Without a positive number in front.
fn primitive(w: &mut Workbench, e: Expr) -> Expr {
    let (c, core) = w.g.split_coefficient(e);
    if w.g.as_number(e).is_some() {
        return e;
    }
    if c.is_negative() { w.g.neg(core) } else { core }
}
