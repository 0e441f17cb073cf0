//! Do the brackets span at every position, or only at a generic one?
//!
//! The growth vector speaks of a generic point; that any two positions can be joined asks for all points (Chow, Rashevskii). For
//! `y' = y z x'` the brackets span wherever y ≠ 0, and no motion crosses the plane y = 0.
//!
//! The admissible directions are generated, wherever the k forms are independent, by fields without denominators: for each k + 1
//! coordinates the vector of the k-minors of the forms. Of these and their brackets as many as the rank are chosen in several
//! ways; where all their determinants vanish, the rank may drop.
//!
//! From a place of this kind that a motion can leave, for one where the brackets span, all neighbours are reached as well (Sussmann's theorem on
//! orbits; the forms are analytic, so the brackets span there too, at some depth). What counts is where all these
//! determinants vanish, and their derivatives along the fields too.

use super::common_zeros::{common_zeros, never_together};
use super::growth::{Growth, lie_bracket};
use super::integrals::HiddenRelation;
use super::positivity::Signs;
use super::rank_drop::column_choices;
use crate::arrange::Arrange;
use crate::expr::field::{Fp, rank, row_reduce};
use crate::expr::{Expr, Formula, Node, Symbol, factors};
use crate::mechanics::{Generic, Pfaff, Workbench, evaluator};
use rustc_hash::FxHashMap;

/// Where the brackets reach the rank they have at a generic position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spanning {
    /// At every position where the constraints are independent.
    Everywhere,
    /// The same, but what positions are left by the holonomic relations, and by what has no value somewhere, may lie in pieces.
    InPieces,
    /// Wherever one of these does not vanish.
    Except {
        /// What vanishes where the rank may drop.
        zeros: Vec<Expr>,
        /// Is the set of their zeros such that no motion enters or leaves it?
        invariant: bool,
    },
    /// It was looked at generic positions only.
    Generic,
}

/// Generators, nodes of their components and fields in all beyond which the question is left open.
const GENERATORS: usize = 20;
const NODES: usize = 120;
/// Nodes of the forms, and nodes made altogether.
const FORMS: usize = 60;
const MADE: usize = 6000;
const FIELDS: usize = 40;
/// Brackets beyond the depth that suffices at a generic position, and derivatives of what vanishes where they do not.
const DEEPER: usize = 2;
/// So many expressions, the shortest, show whether motions leave the place where they vanish.
const SHORTEST: usize = 6;

/// Where do the brackets of the admissible directions have their generic rank?
pub fn spanning(w: &mut Workbench, pfaff: &Pfaff, growth: &Growth, generic: &mut Generic) -> Spanning {
    match of_brackets(w, pfaff, growth, generic) {
        Spanning::Everywhere => {
            let forms: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
            let signs = Signs::new(&w.g, &w.system);
            if signs.have_values_everywhere(&mut w.g, &forms) { Spanning::Everywhere } else { Spanning::InPieces }
        }
        other => other,
    }
}

/// What these relations leave of the positions is of one piece where they are graphs: (x² − 1)·eʸ = const is not.
pub fn on_relations(w: &mut Workbench, spanning: Spanning, relations: &[HiddenRelation]) -> Spanning {
    let signs = Signs::new(&w.g, &w.system);
    let mut graphs =
        relations.iter().map(|r| r.solved.as_ref().is_some_and(|s| signs.have_values_everywhere(&mut w.g, &[s.rest])));
    match spanning {
        Spanning::Everywhere if graphs.any(|graph| !graph) => Spanning::InPieces,
        other => other,
    }
}

fn of_brackets(w: &mut Workbench, pfaff: &Pfaff, growth: &Growth, generic: &mut Generic) -> Spanning {
    let Some(&target) = growth.vector.last() else { return Spanning::Generic };
    if growth.extended_by_time || !growth.complete || growth.vector.len() < 2 {
        return Spanning::Generic;
    }
    let start = w.g.len();
    let Some(first) = generators(w, pfaff, generic) else { return Spanning::Generic };
    let variables = w.system.coordinates.clone();
    let mut fields = first.clone();
    let mut last = first.clone();
    let mut found = Vec::new();
    for depth in 1..growth.vector.len() + DEEPER {
        let mut next: Vec<Vec<Expr>> = Vec::new();
        for x in &first {
            for y in &last {
                if w.g.len() - start > MADE {
                    return Spanning::Generic;
                }
                let z = lie_bracket(w, &variables, x, y);
                let new = z.iter().any(|&e| !w.g.is_zero(e)) && !fields.contains(&z) && !next.contains(&z);
                if new && w.g.reachable(&z).len() <= NODES {
                    next.push(z);
                }
            }
        }
        next.arrange_by_key(|f| w.g.reachable(f).len());
        next.truncate(FIELDS.saturating_sub(fields.len()));
        if next.is_empty() {
            break;
        }
        fields.extend(next.iter().cloned());
        last = next;
        if depth + 1 < growth.vector.len() {
            continue;
        }
        found = minors(w, &fields, target, generic);
        if found.is_empty() {
            return Spanning::Everywhere;
        }
    }
    if found.is_empty() {
        return Spanning::Generic;
    }
    let signs = Signs::new(&w.g, &w.system);
    match not_left(w, &signs, &first, &variables, found) {
        None => Spanning::Everywhere,
        Some(zeros) if zeros.is_empty() => Spanning::Generic,
        Some(zeros) => Spanning::Except { invariant: invariant(w, &first, &variables, &zeros), zeros },
    }
}

/// Where all of these vanish, and no field leads away from there: with them their derivatives along the fields, as far as these are
/// short. `None` where there is no such place.
fn not_left(
    w: &mut Workbench,
    signs: &Signs,
    fields: &[Vec<Expr>],
    variables: &[Symbol],
    found: Vec<Expr>,
) -> Option<Vec<Expr>> {
    let mut zeros = common_zeros(w, signs, found)?;
    for _ in 0..DEEPER {
        let mut with_rates = zeros.clone();
        for field in fields {
            for f in shortest(w, &zeros) {
                let rate = along(w, field, variables, f);
                if w.g.reachable(&[rate]).len() <= NODES {
                    with_rates.push(rate);
                }
            }
        }
        let next = common_zeros(w, signs, with_rates)?;
        let short = shortest(w, &next);
        for (i, &a) in short.iter().enumerate() {
            if short[..i].iter().any(|&b| never_together(w, signs, &[a, b])) {
                return None;
            }
        }
        if next == zeros {
            break;
        }
        zeros = next;
    }
    Some(zeros)
}

/// The shortest few of the expressions.
fn shortest(w: &Workbench, all: &[Expr]) -> Vec<Expr> {
    let mut list = all.to_vec();
    list.arrange_by_key(|&e| w.g.reachable(&[e]).len());
    list.truncate(SHORTEST);
    list
}

/// The derivative of a function along a field.
fn along(w: &mut Workbench, field: &[Expr], variables: &[Symbol], f: Expr) -> Expr {
    let mut rate = Formula::ZERO;
    for (&component, &s) in field.iter().zip(variables) {
        rate += component * w.g.diff(f, s);
    }
    w.simplify(rate)
}

/// Vectors of minors that the forms annihilate; together they span wherever the forms are independent. `None` where they are too many or
/// too long.
pub fn generators(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic) -> Option<Vec<Vec<Expr>>> {
    let n = w.system.n();
    let roots: Vec<Expr> = pfaff.forms.iter().flat_map(|f| f[..n].to_vec()).collect();
    if w.g.reachable(&roots).len() > FORMS {
        return None;
    }
    let at = evaluator(&mut w.g, &roots);
    let values = generic.values(&w.g, &at)?;
    let rows: Vec<Vec<Fp>> = values.chunks(n).map(<[Fp]>::to_vec).collect();
    let mut transposed: Vec<Vec<Fp>> = (0..n).map(|i| rows.iter().map(|r| r[i]).collect()).collect();
    let independent = row_reduce(&mut transposed);
    let choices = column_choices(n, independent.len() + 1, GENERATORS + 1);
    if choices.len() > GENERATORS {
        return None;
    }
    let mut list: Vec<Vec<Expr>> = Vec::new();
    for columns in choices {
        let mut field = vec![w.g.zero(); n];
        for (place, &i) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|&c| c != i).collect();
            let block: Vec<Vec<Expr>> =
                independent.iter().map(|&j| others.iter().map(|&c| pfaff.forms[j][c]).collect()).collect();
            let minor = w.g.determinant(&block);
            let signed = if place % 2 == 0 { minor } else { w.g.neg(minor) };
            field[i] = w.simplify(signed);
        }
        if w.g.reachable(&field).len() > NODES {
            return None;
        }
        if field.iter().any(|&e| !w.g.is_zero(e)) {
            let field = without_common_factor(w, field);
            let opposite: Vec<Expr> = field.iter().map(|&e| w.g.neg(e)).collect();
            if !list.contains(&field) && !list.contains(&opposite) {
                list.push(field);
            }
        }
    }
    Some(list)
}

/// The field without the factors that all its components have: what is left is annihilated by the forms too, also where they vanish.
fn without_common_factor(w: &mut Workbench, mut field: Vec<Expr>) -> Vec<Expr> {
    let Some(&head) = field.iter().find(|&&e| !w.g.is_zero(e)) else { return field };
    let limits = w.limits.clone();
    for f in factors(&mut w.g, head, &limits).unwrap_or_default() {
        let mut divided = Vec::new();
        for &e in &field {
            let whole = w.g.is_zero(e) || factors(&mut w.g, e, &limits).is_some_and(|list| list.contains(&f));
            if !whole {
                break;
            }
            let e = w.g.div(e, f);
            divided.push(w.simplify(e));
        }
        if divided.len() == field.len() {
            field = divided;
        }
    }
    field
}

/// What the determinants of chosen fields have in common to vanish; empty when they cannot vanish together.
fn minors(w: &mut Workbench, fields: &[Vec<Expr>], target: usize, generic: &mut Generic) -> Vec<Expr> {
    let n = w.system.n();
    let roots: Vec<Expr> = fields.iter().flatten().copied().collect();
    let at = evaluator(&mut w.g, &roots);
    let Some(values) = generic.values(&w.g, &at) else { return vec![w.g.zero()] };
    let numbers: Vec<Vec<Fp>> = values.chunks(n).map(<[Fp]>::to_vec).collect();
    let signs = Signs::new(&w.g, &w.system);
    let mut found: Vec<Vec<Expr>> = Vec::new();
    for columns in column_choices(n, target, GENERATORS) {
        for start in 0..fields.len() {
            let Some(rows) = independent_from(&numbers, start, &columns) else { continue };
            let block: Vec<Vec<Expr>> = rows.iter().map(|&r| columns.iter().map(|&c| fields[r][c]).collect()).collect();
            let minor = w.determinant(&block);
            let Some(factors) = signs.vanishing_factors(&mut w.g, minor) else { continue };
            if factors.is_empty() {
                return Vec::new();
            }
            if !found.contains(&factors) {
                found.push(factors);
            }
        }
    }
    let Some(head) = found.first().cloned() else { return vec![w.g.zero()] };
    // A factor of all of them is where the rank drops, whatever the others do.
    let common: Vec<Expr> = head.into_iter().filter(|f| found.iter().all(|set| set.contains(f))).collect();
    if !common.is_empty() {
        return common;
    }
    let products: Vec<Expr> = found.into_iter().map(|set| w.g.product(set)).collect();
    for (i, &a) in products.iter().enumerate() {
        if products[..i].iter().any(|&b| never_together(w, &signs, &[a, b])) {
            return Vec::new();
        }
    }
    if never_together(w, &signs, &products) { Vec::new() } else { products }
}

/// Rows independent in these columns, the given one first, then the simplest.
fn independent_from(numbers: &[Vec<Fp>], start: usize, columns: &[usize]) -> Option<Vec<usize>> {
    let mut chosen: Vec<usize> = Vec::new();
    for r in std::iter::once(start).chain((0..numbers.len()).filter(|&r| r != start)) {
        chosen.push(r);
        let block: Vec<Vec<Fp>> = chosen.iter().map(|&r| columns.iter().map(|&c| numbers[r][c]).collect()).collect();
        if rank(&block) < chosen.len() {
            chosen.pop();
        }
        if chosen.len() == columns.len() {
            return Some(chosen);
        }
    }
    None
}

/// Is the set where one expression vanishes invariant: is every field tangent to it? Seen where it is a coordinate, or the sine or
/// cosine of one.
fn invariant(w: &mut Workbench, fields: &[Vec<Expr>], variables: &[Symbol], zeros: &[Expr]) -> bool {
    let &[zero] = zeros else { return false };
    let Node::Symbol(s) = *w.g.node(zero) else { return false };
    let Some(i) = variables.iter().position(|&v| v == s) else { return false };
    let there: FxHashMap<Symbol, Expr> = [(s, w.g.zero())].into_iter().collect();
    fields.iter().all(|f| {
        let e = w.g.substitute(f[i], &there);
        let e = w.simplify(e);
        w.g.is_zero(e)
    })
}
