//! Long expressions made short before they are written.
//!
//! On its way an equation picks up angles that cancel and brackets that vanish. Its normal form shows what is left; where that is out
//! of reach for the whole, it is within reach for the coefficients of velocities and accelerations, one by one. So the same
//! equation comes out the same, whichever form it was derived in.

use crate::effort::SHORTENED;
use crate::expr::{
    Arena, Basis, Expr, Node, collect, normal_form_in, size, successive_angles, together, without_turning, written_out,
};
use crate::limits::Limits;
use crate::mechanics::Workbench;

/// What is written with fewer operations is short enough to be looked at as it stands.
const SHORT: u64 = 700;
/// A normal form of so many operations may still be written in a line or two; what is longer is judged by what it shares.
const LONG: u64 = 3000;
/// Nodes of a coefficient that is worth a normal form on the way.
const SMALL: usize = 24;

/// The shortest way known to write an expression.
pub(super) fn shortened(w: &mut Workbench, e: Expr) -> Expr {
    if written_out(&w.g, e) <= SHORT {
        return e;
    }
    if let Some(&known) = w.shortened.get(&e) {
        return known;
    }
    // Each of hundreds of expressions may be all that was derived, seen from another side: none is looked through for nothing.
    if w.g.work.is_over() {
        return e;
    }
    let (best, _) = w.within(SHORTENED, |w| looked_for(w, e));
    if !w.g.work.is_over() {
        w.shortened.insert(e, best);
        w.shortened.insert(best, best);
    }
    best
}

fn looked_for(w: &mut Workbench, e: Expr) -> Expr {
    let whole = shorter(&mut w.g, e, &w.limits);
    let mut best = whole.unwrap_or(e);
    if written_out(&w.g, best) > SHORT {
        let parts = by_motion(w, best);
        if is_better(&w.g, parts, best) {
            best = parts;
            if whole.is_none() {
                best = shorter(&mut w.g, best, &w.limits).unwrap_or(best);
            }
        }
    }
    best
}

/// Shorter in print, or if nobody would read either, made of fewer parts.
fn is_better(g: &Arena, a: Expr, b: Expr) -> bool {
    if a == b {
        return false;
    }
    let (m, n) = (written_out(g, a), written_out(g, b));
    if m <= LONG { m < n } else { n > LONG && size(g, a) < size(g, b) }
}

/// The normal form in the angles in which it is shortest, where it is within reach and better.
fn shorter(g: &mut Arena, e: Expr, limits: &Limits) -> Option<Expr> {
    let mut bases = vec![Basis::Absolute, Basis::Relative];
    if let Some(angles) = successive_angles(g, e) {
        // What is short in the angles between successive bodies may be hopeless in the angles themselves.
        bases.insert(0, Basis::Given(angles));
    }
    let mut best: Option<(usize, Expr)> = None;
    for basis in bases {
        if g.work.is_over() {
            break;
        }
        let most = best.map_or(limits.polynomial_terms, |(terms, _)| limits.polynomial_terms.min(2 * terms + 20));
        let limits = Limits { polynomial_terms: most, ..limits.clone() };
        let Some((terms, simple)) = normal_form_in(g, e, basis, &limits) else { continue };
        if best.is_none_or(|(least, _)| terms < least) {
            best = Some((terms, simple));
        }
        if terms < 6 {
            break;
        }
    }
    best.map(|(_, simple)| simple).filter(|&simple| is_better(g, simple, e))
}

/// The sum of the coefficients of all products of motions, each in its normal form where that is shorter.
fn by_motion(w: &mut Workbench, e: Expr) -> Expr {
    let limits = w.limits.clone();
    let simplified = &mut w.simplified;
    let mut tidy = |g: &mut Arena, c: Expr| {
        if g.work.is_over() {
            return c;
        }
        let nodes = g.reachable(&[c]).len();
        g.work.charge(2 * nodes as u64);
        if nodes < SMALL {
            return c;
        }
        if let Some(&known) = simplified.get(&c) {
            return known;
        }
        let simple = crate::expr::simplify(g, c, &limits);
        if !g.work.is_over() {
            simplified.insert(c, simple);
        }
        simple
    };
    let Some(mut parts) = collect(&mut w.g, e, &mut tidy) else { return e };
    for coefficient in parts.values_mut() {
        if matches!(w.g.node(*coefficient), Node::Sum { .. } | Node::Product { .. }) {
            let free = without_turning(&mut w.g, *coefficient, &[]);
            *coefficient = shorter(&mut w.g, free, &limits).unwrap_or(free);
        }
    }
    parts.retain(|_, c| !w.g.is_zero(*c));
    together(&mut w.g, &parts)
}

/// The expression by its motions, with coefficients as `write` makes them; `None` where there is only one, or no work is left.
pub(super) fn in_parts<E>(
    w: &mut Workbench,
    e: Expr,
    mut write: impl FnMut(&mut Workbench, Expr) -> Result<Expr, E>,
) -> Result<Option<Expr>, E> {
    if w.g.work.is_over() {
        return Ok(None);
    }
    let Some(mut parts) = collect(&mut w.g, e, &mut |_, c| c).filter(|parts| parts.len() > 1) else { return Ok(None) };
    for coefficient in parts.values_mut() {
        *coefficient = write(w, *coefficient)?;
    }
    Ok(Some(together(&mut w.g, &parts)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::tests::free;

    #[test]
    fn a_long_expression_in_which_all_but_a_little_cancels_comes_out_short() {
        let mut model = free(8);
        // (Σ qᵢ)² − Σᵢⱼ qᵢqⱼ + q₀, with squares and products in so many copies that it takes a page.
        let mut text = String::from("q0");
        for k in 1..=6 {
            text += &format!(" + {k}*((q0 + q1 + q2 + q3 + q4 + q5 + q6 + q7)^2*sin(q{k})");
            for i in 0..8 {
                for j in 0..8 {
                    text += &format!(" - q{i}*q{j}*sin(q{k})");
                }
            }
            text += ")";
        }
        let e = model.expression(&text).unwrap_or_else(|e| panic!("{e}"));
        let mut w = model.workbench();
        assert!(written_out(&w.g, e) > SHORT);
        let short = shortened(&mut w, e);
        let q = w.g.symbol(w.system.coordinates[0]);
        assert_eq!(short, q);
    }

    #[test]
    fn the_shorter_is_the_better_and_nothing_is_better_than_itself() {
        let mut model = free(2);
        let [a, b] = ["q0", "q0 + sin(q1)"].map(|text| model.expression(text).expect("an expression"));
        let w = model.workbench();
        assert!(is_better(&w.g, a, b));
        assert!(!is_better(&w.g, b, a));
        assert!(!is_better(&w.g, a, a));
    }

    #[test]
    fn where_nobody_would_read_either_the_one_of_fewer_parts_is_better() {
        let mut model = free(1);
        let mut sums = vec![model.expression("q0 + 1").expect("an expression")];
        // Each is twice as long in print as the one before, and has three parts more.
        for k in 2..20 {
            let last = sums[sums.len() - 1];
            let (sine, cosine) = (model.arena.sin(last), model.arena.cos(last));
            let both = model.arena.add(sine, cosine);
            let more = model.arena.integer(k);
            sums.push(model.arena.add(both, more));
        }
        let w = model.workbench();
        let long: Vec<Expr> = sums.iter().copied().filter(|&e| written_out(&w.g, e) > LONG).collect();
        let (short, few, many) = (sums[2], long[0], long[2]);
        assert!(written_out(&w.g, short) <= LONG);
        assert!(is_better(&w.g, few, many) && !is_better(&w.g, many, few) && !is_better(&w.g, few, few));
        // What can be read is better than what cannot, whatever it is made of.
        assert!(is_better(&w.g, short, few) && !is_better(&w.g, few, short));
    }

    #[test]
    fn an_expression_has_parts_where_several_motions_occur_in_it() {
        let mut model = free(2);
        let [one, two] =
            ["sin(q0)*q1'", "sin(q0)*q1' + cos(q1)*q0'"].map(|t| model.expression(t).expect("an expression"));
        let mut w = model.workbench();
        let mut seen = Vec::new();
        let mut keep = |_: &mut Workbench, c: Expr| -> Result<Expr, ()> {
            seen.push(c);
            Ok(c)
        };
        assert_eq!(in_parts(&mut w, one, &mut keep), Ok(None));
        assert_eq!(in_parts(&mut w, two, &mut keep), Ok(Some(two)));
        assert_eq!(seen.len(), 2);
    }

    #[test]
    fn of_the_angles_those_are_taken_in_which_the_normal_form_is_shortest() {
        // One product of cosines: short in the angles themselves; of their differences: short in these.
        for (long, short) in [
            (
                "cos(q0)*cos(q1)*cos(q2)*cos(q3)*sin(q4)^2 + cos(q0)*cos(q1)*cos(q2)*cos(q3)*cos(q4)^2",
                "cos(q0)*cos(q1)*cos(q2)*cos(q3)",
            ),
            (
                "(cos(q0)*cos(q1) + sin(q0)*sin(q1))*(cos(q1)*cos(q2) + sin(q1)*sin(q2))*(cos(q2)*cos(q3) + sin(q2)*sin(q3))",
                "cos(q0 - q1)*cos(q1 - q2)*cos(q2 - q3)",
            ),
        ] {
            let mut model = free(5);
            let [long, short] = [long, short].map(|text| model.expression(text).expect("an expression"));
            let mut w = model.workbench();
            let limits = w.limits.clone();
            let found = shorter(&mut w.g, long, &limits).expect("a shorter form");
            assert!(written_out(&w.g, found) <= written_out(&w.g, short) + 3, "{}", written_out(&w.g, found));
        }
    }
}
