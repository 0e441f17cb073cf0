//! The readable form: what a textbook would print.
//!
//! The normal form proves, but nobody wants to read it. From it the shortest way to write the expression is looked
//! for: common factors in front, sin² + cos² gone, relative angles, double angles, tangents and cotangents where they
//! shorten, coefficients of accelerations and velocity products together. Several presentations compete (angles of
//! the normal form relative or absolute, and the expression as it stands); the one with the fewest
//! [operations](Tree::operations) wins, then the one with the shortest text. A search ends where its first steps lead it, and these
//! go by the order of what occurs: an equation is searched in several orders, so that its length does not depend on how it was
//! derived. Deterministic, and bounded in effort.

mod atoms;
mod form;
mod search;
mod setup;
mod signs;
mod squares;
mod trig;

use super::arena::{Arena, Expr};
use super::normal::{Basis, NormalForm, Normalizer, Options};
use super::poly::Var;
use super::print::{Printer, Style};
use super::simplify::successive_angles;
use super::symbol::Role;
use super::tree::Tree;
use crate::arrange::Arrange;
use crate::error::{Error, Result};
use crate::limits::Limits;
use form::Form;
use search::Search;
use setup::{Order, Setup};
use signs::positive_angles;

/// Polynomials looked at with care in one search: some milliseconds.
const EFFORT: usize = 150;
/// Work of the normal form at most: what takes longer to expand is not for reading.
const WORK: u64 = 3_000_000;
/// Terms of its polynomials at most.
const TERMS: usize = 5_000;
/// Normal forms of more terms are searched in one basis only.
const LONG: usize = 40;
/// Normal forms of more terms are searched in one order only.
const SEVERAL: usize = 64;
/// Arguments of functions within arguments of functions are made readable to this depth.
const NESTING: usize = 3;

/// What to do with factors common to a whole equation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Keep them: m·r²/4 tells that the terms are moments.
    #[default]
    Keep,
    /// Divide by numbers and parameters. The parameters are assumed not to be zero.
    Free,
}

/// Choices of the readable form.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    /// Common factors of an equation.
    pub scale: Scale,
    /// Limits.
    pub limits: Limits,
}

/// The expression as a textbook would print it.
///
/// Where the normal form is beyond its limits, the expression is returned as it stands.
pub fn readable(arena: &mut Arena, e: Expr, options: &Readable) -> Result<Tree> {
    let write = |arena: &Arena, setup: &Setup, form: &Form| form.tree(arena, &setup.atoms);
    present(arena, e, &options.limits, NESTING, &[Order::Met], write)
}

/// The left side of the equation `e = 0` as a textbook would print it: the sign is free, the first term gets a plus,
/// and with [`Scale::Free`] common numbers and parameters are divided out.
pub fn readable_equation(arena: &mut Arena, e: Expr, options: &Readable) -> Result<Tree> {
    let write = |arena: &Arena, setup: &Setup, form: &Form| match options.scale {
        Scale::Keep => form.tree_up_to_sign(arena, &setup.atoms),
        Scale::Free => setup.without_scale(arena, form).tree_up_to_sign(arena, &setup.atoms),
    };
    let tree = present(arena, e, &options.limits, NESTING, &Order::ALL, write)?;
    Ok(positive(without_denominator(arena, tree)))
}

/// What is zero over a function of time or state is zero without it, and so is a bare sum over a number. Another denominator of
/// numbers and parameters stays: it makes moments of moments.
fn without_denominator(arena: &Arena, mut tree: Tree) -> Tree {
    let mut whole = &mut tree;
    if let Tree::Negative(inner) = whole {
        whole = &mut **inner;
    }
    match whole {
        Tree::Quotient(above, below)
            if matches!((&**above, &**below), (Tree::Sum(_), Tree::Number(_)))
                || below.symbols().iter().any(|&s| !matches!(arena.role(s), Role::Parameter | Role::Constant)) =>
        {
            std::mem::replace(above, Tree::Undefined)
        }
        _ => tree,
    }
}

/// −e = 0 is e = 0.
fn positive(mut tree: Tree) -> Tree {
    match &mut tree {
        Tree::Negative(inner) => std::mem::replace(inner, Tree::Undefined),
        Tree::Sum(terms) if terms[0].0 && terms.iter().all(|(minus, _)| *minus) => {
            terms.iter_mut().for_each(|(minus, _)| *minus = false);
            tree
        }
        _ => tree,
    }
}

fn present(
    arena: &mut Arena,
    e: Expr,
    limits: &Limits,
    nesting: usize,
    orders: &[Order],
    write: impl Fn(&Arena, &Setup, &Form) -> Tree,
) -> Result<Tree> {
    if arena.is_undefined(e) {
        return Err(Error::computation("division by zero"));
    }
    let plain = Tree::of(arena, e, limits);
    if plain.as_ref().is_ok_and(|tree| tree.operations() == 0) {
        return plain;
    }
    let tight = Limits {
        normal_form_work: limits.normal_form_work.min(WORK),
        polynomial_terms: limits.polynomial_terms.min(TERMS),
        ..limits.clone()
    };
    let mut best: Option<Tree> = None;
    let forms = normal_forms(arena, e, &tight, nesting, orders)?;
    for (normal, setup) in forms.iter().flat_map(|(normal, setups)| setups.iter().map(move |setup| (normal, setup))) {
        let (numerator, denominator) = setup.fraction(normal)?;
        let mut search = Search::new(&setup.atoms, &tight, EFFORT).at_most(arena.work.left());
        let form = search.quotient(&numerator, &denominator);
        arena.work.charge(search.done());
        let Ok(form) = form else { continue };
        if cfg!(debug_assertions) {
            // What comes out does not depend on whether it is checked.
            let tree = form.tree(arena, &setup.atoms);
            assert!(arena.trial(|g| is_equal(g, &tree, e, &tight)), "the readable form is wrong");
        }
        let tree = positive_angles(write(arena, setup, &form));
        if best.as_ref().is_none_or(|b| is_shorter(arena, &tree, b)) {
            best = Some(tree);
        }
    }
    // As it stands: what the normal form had to expand may have been short. A sign in front of everything is no reason.
    let weight = |tree: &Tree| tree.operations() - usize::from(matches!(tree, Tree::Negative(_)));
    match (best, plain) {
        (Some(best), Ok(plain)) if weight(&plain) < weight(&best) => Ok(plain),
        (Some(best), _) => Ok(best),
        (None, plain) => plain,
    }
}

/// Normal forms with different independent angles, as far as they are worth looking at.
fn normal_forms(
    arena: &mut Arena,
    e: Expr,
    limits: &Limits,
    nesting: usize,
    orders: &[Order],
) -> Result<Vec<(NormalForm, Vec<Setup>)>> {
    let mut list = Vec::new();
    let mut bases = vec![(0, Basis::Absolute), (1, Basis::Relative)];
    bases.extend(successive_angles(arena, e).map(|angles| (2, Basis::Given(angles))));
    if bases.len() > 2 {
        // What is short in the angles between successive bodies may be hopeless in the angles themselves.
        bases.reverse();
    }
    let mut shortest = limits.polynomial_terms;
    for (rank, basis) in bases {
        let limits = Limits { polynomial_terms: limits.polynomial_terms.min(4 * shortest + 50), ..limits.clone() };
        let mut normalizer = Normalizer::new(Options { basis, limits: limits.clone(), ..Options::default() });
        let Ok(normal) = normalizer.normalize(arena, e) else { continue };
        let mut setups = Vec::new();
        for order in different_orders(arena, &normalizer, &normal, orders, &limits)? {
            setups.push(Setup::new(arena, &normalizer, &normal, &limits, nesting, &order)?);
        }
        let one_angle = setups[0].angles < 2;
        shortest = shortest.min(normal.numerator.len());
        list.push((rank, normal, setups));
        if one_angle {
            break;
        }
    }
    list.arrange_by_key(|(rank, ..)| *rank);
    // A normal form of many more terms has never become the shorter text.
    list.retain(|(_, normal, _)| normal.numerator.len() <= shortest + shortest / 2 + 4);
    if shortest > LONG {
        // Long ones are not worth several searches.
        list.arrange_by_key(|(_, normal, _)| normal.numerator.len());
        list.truncate(1);
    }
    Ok(list.into_iter().map(|(_, normal, setups)| (normal, setups)).collect())
}

/// The orders of the atoms that are worth a search each.
fn different_orders(
    arena: &Arena,
    normalizer: &Normalizer,
    normal: &NormalForm,
    orders: &[Order],
    limits: &Limits,
) -> Result<Vec<Vec<Var>>> {
    let count = if normal.numerator.len() > SEVERAL { 1 } else { orders.len() };
    let mut list: Vec<Vec<Var>> = Vec::new();
    for order in &orders[..count] {
        let atoms = order.of(arena, normalizer, limits)?;
        if !list.contains(&atoms) {
            list.push(atoms);
        }
    }
    Ok(list)
}

/// Fewer operations, or as many in a shorter text.
fn is_shorter(arena: &Arena, a: &Tree, b: &Tree) -> bool {
    let length = |tree: &Tree| Printer::new(Style::Text).print(arena, tree).len();
    let (m, n) = (a.operations(), b.operations());
    m < n || m == n && length(a) < length(b)
}

/// Does the tree stand for the expression? What is long or cannot be decided within the limits counts as equal.
fn is_equal(arena: &mut Arena, tree: &Tree, e: Expr, limits: &Limits) -> bool {
    if tree.operations() > 500 {
        return true;
    }
    let back = tree.to_expr(arena);
    let difference = arena.sub(back, e);
    let mut normalizer = Normalizer::new(Options { limits: limits.clone(), ..Options::default() });
    normalizer.is_zero(arena, difference).unwrap_or(true)
}

#[cfg(test)]
mod tests;
