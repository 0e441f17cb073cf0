//! The readable form: what a textbook would print.
//!
//! The normal form proves, but nobody wants to read it. From it the shortest way to write the expression is looked
//! for: common factors in front, sin² + cos² gone, relative angles, double angles, tangents and cotangents where they
//! shorten, coefficients of accelerations and velocity products together. Several presentations compete (angles of
//! the normal form relative or absolute, and the expression as it stands); the one with the fewest
//! [operations](Tree::operations) wins, then the one with the shortest text. Deterministic, and bounded in effort.

mod atoms;
mod form;
mod search;
mod setup;
mod trig;

use super::arena::{Arena, Expr};
use super::normal::{Basis, Normalizer, Options};
use super::print::{Printer, Style};
use super::tree::Tree;
use crate::error::{Error, Result};
use crate::limits::Limits;
use form::Form;
use search::Search;
use setup::Setup;

/// Polynomials looked at with care in one search: some milliseconds.
const EFFORT: usize = 150;
/// Work of the normal form at most: what takes longer to expand is not for reading.
const WORK: u64 = 3_000_000;
/// Terms of its polynomials at most.
const TERMS: usize = 5_000;
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
    present(arena, e, &options.limits, NESTING, |arena, setup, form| form.tree(arena, &setup.atoms))
}

/// The left side of the equation `e = 0` as a textbook would print it: the sign is free, the first term gets a plus,
/// and with [`Scale::Free`] common numbers and parameters are divided out.
pub fn readable_equation(arena: &mut Arena, e: Expr, options: &Readable) -> Result<Tree> {
    let tree = present(arena, e, &options.limits, NESTING, |arena, setup, form| match options.scale {
        Scale::Keep => form.tree_up_to_sign(arena, &setup.atoms),
        Scale::Free => setup.without_scale(arena, form).tree_up_to_sign(arena, &setup.atoms),
    })?;
    Ok(positive(tree))
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
    write: impl Fn(&Arena, &Setup, &Form) -> Tree,
) -> Result<Tree> {
    if arena.is_undefined(e) {
        return Err(Error::computation("division by zero"));
    }
    let mut best: Option<Candidate> = None;
    // As it stands: what the normal form had to expand may have been short.
    if let Ok(tree) = Tree::of(arena, e, limits) {
        best = Some(Candidate::new(arena, tree));
    }
    let limits = &Limits {
        normal_form_work: limits.normal_form_work.min(WORK),
        polynomial_terms: limits.polynomial_terms.min(TERMS),
        ..limits.clone()
    };
    let mut normal_forms = Vec::new();
    for basis in [Basis::Absolute, Basis::Relative] {
        let options = Options { basis, limits: limits.clone(), ..Options::default() };
        let mut normalizer = Normalizer::new(options);
        let Ok(normal) = normalizer.normalize(arena, e) else { continue };
        let setup = Setup::new(arena, &normalizer, &normal, limits, nesting)?;
        let one_angle = setup.angles < 2;
        normal_forms.push((normal.numerator.len(), normal, setup));
        if one_angle {
            break;
        }
    }
    let shortest = normal_forms.iter().map(|f| f.0).min().unwrap_or(0);
    // A normal form of many more terms has never become the shorter text.
    normal_forms.retain(|f| f.0 <= shortest + shortest / 2 + 4);
    for (_, normal, setup) in normal_forms {
        let (numerator, denominator) = setup.fraction(&normal)?;
        let mut search = Search::new(&setup.atoms, limits, EFFORT);
        let Ok(form) = search.quotient(&numerator, &denominator) else { continue };
        debug_assert!(is_equal(arena, &form.tree(arena, &setup.atoms), e, limits), "the readable form is wrong");
        let candidate = Candidate::new(arena, write(arena, &setup, &form));
        if best.as_ref().is_none_or(|b| candidate.measure <= b.measure) {
            best = Some(candidate);
        }
    }
    match best {
        Some(best) => Ok(best.tree),
        // Neither fits: report why it cannot be printed as it stands.
        None => Tree::of(arena, e, limits),
    }
}

/// Does the tree stand for the expression? What cannot be decided within the limits counts as equal.
fn is_equal(arena: &mut Arena, tree: &Tree, e: Expr, limits: &Limits) -> bool {
    let back = tree.to_expr(arena);
    let difference = arena.sub(back, e);
    let mut normalizer = Normalizer::new(Options { limits: limits.clone(), ..Options::default() });
    normalizer.is_zero(arena, difference).unwrap_or(true)
}

struct Candidate {
    tree: Tree,
    /// Operations, length of the text.
    measure: (usize, usize),
}

impl Candidate {
    fn new(arena: &Arena, tree: Tree) -> Candidate {
        let measure = (tree.operations(), Printer::new(Style::Text).print(arena, &tree).len());
        Candidate { tree, measure }
    }
}

#[cfg(test)]
mod tests;
