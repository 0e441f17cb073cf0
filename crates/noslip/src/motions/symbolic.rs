//! The linearised closed part in letters.
//!
//! Coordinates that are zero or multiples of π in the steady motion stand at these values, quasi-velocities that are zero too;
//! everything else stays a letter. With v̇ = 0 the matrix is
//!
//! ```text
//! ∂q̇/∂z,    G⁻¹ ∂R/∂z
//! ```
//! at those values, and no inverse of G for all z is needed.

use super::hurwitz::{Condition, conditions};
use super::linearise::variables_at;
use super::reduce::Reduction;
use crate::error::{Error, Result};
use crate::expr::{Evaluator, Expr, Formula, Matrix, Rational, Symbol};
use crate::mechanics::Workbench;
use crate::model::State;
use rustc_hash::FxHashMap;

/// Nodes of the matrix up to which its characteristic polynomial is written out.
const LONG: usize = 4000;
/// Nodes up to which an entry is simplified.
const SHORT: usize = 500;
/// Variables up to which it is.
const LARGE: usize = 8;

/// The linearised closed part in letters.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The variables of the matrix.
    pub variables: Vec<Symbol>,
    /// What stands at a value, and at which.
    pub about: Vec<(Symbol, Expr)>,
    /// What stays a letter.
    pub letters: Vec<Symbol>,
    /// What must vanish for the motion to be steady.
    pub provided: Vec<Expr>,
    /// J.
    pub matrix: Matrix,
    /// det(λ − J), the highest power first; `None` where it is too long.
    pub characteristic: Option<Vec<Expr>>,
    /// Zeros that vanish identically.
    pub zero: usize,
    /// Routh's and Hurwitz' conditions on the other eigenvalues.
    pub conditions: Vec<Condition>,
    /// Are the conditions those of eigenvalues on the axis, because the polynomial is even?
    pub reversible: bool,
}

/// Linearises in letters about the initial state, which must be steady.
pub fn symbolic(w: &mut Workbench, r: &Reduction, state: &State) -> Result<Symbolic> {
    let values = variables_at(w, r, state)?;
    let members: Vec<Symbol> = r.shape.iter().chain(&r.flow.free).copied().collect();
    let (mut at, mut about, mut letters) = (FxHashMap::default(), Vec::new(), Vec::new());
    for (&s, &x) in members.iter().zip(&values) {
        match exact(w, r, s, x) {
            Some(e) => {
                at.insert(s, e);
                about.push((s, e));
            }
            None => letters.push(s),
        }
    }
    let mut put = |w: &mut Workbench, e: Expr| {
        let e = w.g.substitute(e, &at);
        short(w, e)
    };
    let independent: Vec<Symbol> = r.closed();
    // ∂(tied)/∂(independent) = −F_t⁻¹ F_i
    let followed: Matrix = if r.tied.is_empty() {
        Vec::new()
    } else {
        let block = |w: &mut Workbench, symbols: &[Symbol], put: &mut dyn FnMut(&mut Workbench, Expr) -> Expr| {
            let mut rows: Matrix = Vec::new();
            for &f in &r.ties {
                let row: Vec<Expr> = symbols.iter().map(|&s| w.g.diff(f, s)).collect();
                rows.push(row.into_iter().map(|e| put(w, e)).collect());
            }
            rows
        };
        let (a, b) = (block(w, &r.tied, &mut put), block(w, &independent, &mut put));
        let inverse = w.inverse_or(&a, "the tied coordinate cannot be followed here").map_err(Error::computation)?;
        let product = w.g.matrix_product(&inverse, &b);
        product.iter().map(|row| row.iter().map(|&e| w.g.neg(e)).collect()).collect()
    };
    let slopes = |w: &mut Workbench, e: Expr| -> Vec<Expr> {
        let tied: Vec<Expr> = r.tied.iter().map(|&s| w.g.diff(e, s)).collect();
        let tied: Vec<Expr> = tied.into_iter().map(|e| put(w, e)).collect();
        let mut row = Vec::new();
        for (c, &s) in independent.iter().enumerate() {
            let own = w.g.diff(e, s);
            let mut terms = Formula::from(put(w, own));
            for (t, f) in tied.iter().zip(&followed) {
                terms += w.g.mul(*t, f[c]);
            }
            let e = w.g.of(terms);
            row.push(short(w, e));
        }
        row
    };
    let mut matrix: Matrix = Vec::new();
    for &s in independent.iter().filter(|s| r.shape.contains(s)) {
        let Some(rate) = r.flow.rate_of(s) else { continue };
        matrix.push(slopes(w, rate));
    }
    let forces: Matrix = r.flow.right.iter().map(|&e| slopes(w, e)).collect();
    let mass: Matrix = r.flow.mass.iter().map(|row| row.iter().map(|&e| put(w, e)).collect()).collect();
    if !mass.is_empty() {
        let inverse = inverse(w, &mass).ok_or_else(|| Error::computation("the inertia is singular here"))?;
        let product = w.g.matrix_product(&inverse, &forces);
        matrix.extend(product.iter().map(|row| row.iter().map(|&e| short(w, e)).collect()));
    }
    let mut provided = Vec::new();
    let mut must: Vec<Expr> = r.shape.iter().filter_map(|&s| r.flow.rate_of(s)).collect();
    must.extend(&r.flow.right);
    must.extend(&r.ties);
    for e in must {
        let e = put(w, e);
        if w.g.is_zero(e) {
            continue;
        }
        let (_, e) = w.g.split_coefficient(e);
        if !provided.contains(&e) {
            provided.push(e);
        }
    }
    let mut answer = Symbolic {
        variables: independent,
        about,
        letters,
        provided,
        matrix,
        characteristic: None,
        zero: 0,
        conditions: Vec::new(),
        reversible: false,
    };
    answer.characteristic = characteristic(w, &answer.matrix);
    if let Some(p) = &answer.characteristic {
        answer.zero = p.iter().rev().take_while(|&&c| w.g.is_zero(c)).count().min(p.len() - 1);
        let deflated = p[..p.len() - answer.zero].to_vec();
        let (list, reversible) = conditions(w, &deflated);
        answer.reversible = reversible;
        let numbers = values_of(w, &members, &values, &list)?;
        answer.conditions =
            list.into_iter().zip(numbers).map(|(expr, x)| Condition { expr, value: x, holds: x > 0.0 }).collect();
    }
    Ok(answer)
}

/// Simplified where that is cheap: in a large model a term that stays long is better left as it is.
fn short(w: &mut Workbench, e: Expr) -> Expr {
    if w.g.reachable(&[e]).len() <= SHORT { w.simplify(e) } else { e }
}

/// The inverse, simplified on the way where the entries are short.
fn inverse(w: &mut Workbench, rows: &Matrix) -> Option<Matrix> {
    let all: Vec<Expr> = rows.iter().flatten().copied().collect();
    if w.g.reachable(&all).len() <= SHORT { w.inverse(rows) } else { w.g.inverse(rows, &mut |_, e| e) }
}

/// The exact value of a member: zero, or a multiple of π as the model gives it.
fn exact(w: &mut Workbench, r: &Reduction, s: Symbol, x: f64) -> Option<Expr> {
    if x.abs() < 1e-12 {
        return Some(w.g.zero());
    }
    if !r.shape.contains(&s) {
        return None;
    }
    let system = w.system.clone();
    let i = system.coordinates.iter().position(|&q| q == s)?;
    let given = system.initial.as_ref()?.position[i]?;
    let pi = w.g.pi();
    let parts = w.g.free_symbols(&[given]);
    (parts == [pi]).then_some(given)
}

/// Values of expressions of the members.
fn values_of(w: &Workbench, members: &[Symbol], values: &[f64], list: &[Expr]) -> Result<Vec<f64>> {
    let mut at = w.system.values(&w.g, &[])?;
    at.at.set_all(members, values);
    Ok(at.evaluate(&Evaluator::new(&w.g, list)))
}

/// det(λ − J) by Faddeev and LeVerrier: M₁ = 1, c_k = −tr(J M_k)/k, M_{k+1} = J M_k + c_k.
fn characteristic(w: &mut Workbench, j: &Matrix) -> Option<Vec<Expr>> {
    let n = j.len();
    let all: Vec<Expr> = j.iter().flatten().copied().collect();
    if n > LARGE || w.g.reachable(&all).len() > LONG {
        return None;
    }
    let mut m = w.g.identity(n);
    let mut list = vec![w.g.one()];
    for k in 1..=n {
        let product = w.g.matrix_product(j, &m);
        let mut product: Matrix = product.iter().map(|row| w.simplify_all(row)).collect();
        let trace: Vec<Expr> = (0..n).map(|i| product[i][i]).collect();
        let trace = w.g.sum(trace);
        let c = w.g.scale(trace, &Rational::new(-1, k as i64)?);
        let c = w.simplify(c);
        list.push(c);
        for (i, row) in product.iter_mut().enumerate() {
            row[i] = w.g.add(row[i], c);
            row[i] = w.simplify(row[i]);
        }
        m = product;
        let all: Vec<Expr> = m.iter().flatten().copied().collect();
        if w.g.reachable(&all).len() > 10 * LONG {
            return None;
        }
    }
    Some(list)
}
