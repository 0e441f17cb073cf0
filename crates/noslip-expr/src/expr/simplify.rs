//! Simplification on the way: the normal form, where it is cheap and no worse.

use super::arena::{Arena, Expr, Function, Node};
use super::normal::{Basis, Normalizer, Options};
use super::number::Rational;
use super::symbol::{Role, Symbol};
use super::turning::without_angle;
use crate::arrange::Arrange;
use crate::limits::Limits;

/// Work spent on one simplification at most: enough for every textbook system, and an end to the hopeless.
const WORK: u64 = 3_000_000;
/// Terms of a polynomial at most.
const TERMS: usize = 20_000;

/// The same expression through the normal form: zeros are seen, sin² + cos² is gone. The expression itself comes back where
/// the normal form is out of reach or longer without depending on less; where only an angle cancels, without that angle.
pub fn simplify(arena: &mut Arena, e: Expr, limits: &Limits) -> Expr {
    if matches!(arena.node(e), Node::Number(_) | Node::Symbol(_) | Node::Undefined) || arena.work.is_over() {
        return e;
    }
    // In chains of bodies the angles between successive ones keep short what the angles themselves blow up.
    let mut best: Option<(usize, Expr)> = None;
    for basis in bases(arena, e) {
        let terms = best.map_or(limits.polynomial_terms, |(n, _)| limits.polynomial_terms.min(4 * n));
        let limits = Limits { polynomial_terms: terms, ..limits.clone() };
        let Some((terms, simple)) = normal_form_in(arena, e, basis, &limits) else { continue };
        if best.is_none_or(|(n, _)| terms <= n) {
            best = Some((terms, simple));
        }
        if terms < 2 {
            break;
        }
    }
    let Some((_, simple)) = best else { return without_turning(arena, e, &[]) };
    let (before, after) = (arena.free_symbols(&[e]).len(), arena.free_symbols(&[simple]));
    if after.len() < before {
        let turned = without_turning(arena, e, &after);
        // What is about as short multiplied out is better to work with.
        if 3 * size(arena, turned) < size(arena, simple) && arena.free_symbols(&[turned]).len() == after.len() {
            return turned;
        }
        return simple;
    }
    if size(arena, simple) <= size(arena, e) { simple } else { e }
}

/// The normal form in these angles as an expression, and the terms of its numerator, if it is within reach.
pub fn normal_form_in(arena: &mut Arena, e: Expr, basis: Basis, limits: &Limits) -> Option<(usize, Expr)> {
    let limits = Limits {
        normal_form_work: limits.normal_form_work.min(arena.work.effort.scale(WORK)),
        polynomial_terms: limits.polynomial_terms.min(TERMS),
        ..limits.clone()
    };
    let mut normalizer = Normalizer::new(Options { basis, limits, ..Options::default() });
    // With the passes over terms, which that limit does not know.
    let allowance = arena.work.open(6 * WORK);
    let form = normalizer.normalize(arena, e);
    arena.work.close(allowance);
    let form = form.ok()?;
    Some((form.numerator.len(), normalizer.to_expr(arena, &form)))
}

/// The expression without the angles that can be seen to cancel; those in `kept` do not.
pub fn without_turning(arena: &mut Arena, mut e: Expr, kept: &[Symbol]) -> Expr {
    if arena.work.is_over() {
        return e;
    }
    for s in arena.free_symbols(&[e]) {
        if arena.role(s) == Role::Coordinate && !kept.contains(&s) && !arena.work.is_over() {
            e = without_angle(arena, e, s).unwrap_or(e);
        }
    }
    e
}

/// Operations it takes to write an expression out, shared parts as often as they occur. A fraction counts as a product.
pub fn written_out(arena: &Arena, e: Expr) -> u64 {
    arena.written(e)
}

/// Operations of one node over its children.
pub fn operations(node: &Node) -> u64 {
    let plain = |n: &Rational| n.is_one() || n.is_minus_one();
    let count = match node {
        Node::Number(_) | Node::Symbol(_) | Node::Undefined => 0,
        Node::Sum { constant, terms } => {
            terms.len() - usize::from(constant.is_zero()) + terms.iter().filter(|(_, c)| !plain(c)).count()
        }
        Node::Product { coefficient, factors } => {
            factors.len() - usize::from(plain(coefficient)) + factors.iter().filter(|(_, x)| !plain(x)).count()
        }
        Node::Power(..) | Node::Call(..) | Node::Atan2(..) | Node::Table(..) | Node::Unspecified(..) => 1,
    };
    count as u64
}

/// Entries of all nodes below an expression: what it costs to compute it once.
pub fn size(arena: &Arena, e: Expr) -> usize {
    arena
        .reachable(&[e])
        .into_iter()
        .map(|x| match arena.node(x) {
            Node::Sum { terms, .. } => terms.len(),
            Node::Product { factors, .. } => factors.len(),
            _ => 1,
        })
        .sum()
}

/// Coordinates at least of a system that is taken for a chain of bodies. In smaller ones three angles are Euler's.
const CHAIN: usize = 7;

/// Angles in which a normal form may be short: for long chains of bodies those between successive ones first.
pub fn bases(arena: &mut Arena, e: Expr) -> Vec<Basis> {
    let coordinates = arena.symbols().filter(|&s| arena.role(s) == Role::Coordinate).count();
    let relative = if coordinates < CHAIN || is_spatial(arena, e) { None } else { successive_angles(arena, e) };
    relative.map(Basis::Given).into_iter().chain([Basis::Absolute]).collect()
}

/// Do sines and cosines of three single angles multiply? Turns about different axes do that, links of a plane chain do not; the
/// differences of such angles mean nothing.
fn is_spatial(arena: &Arena, e: Expr) -> bool {
    let angle = |factor: Expr| match arena.node(factor) {
        Node::Call(Function::Sin | Function::Cos, x) => match arena.node(*x) {
            Node::Symbol(s) if arena.role(*s) == Role::Coordinate => Some(*s),
            _ => None,
        },
        _ => None,
    };
    arena.reachable(&[e]).into_iter().any(|x| {
        let Node::Product { factors, .. } = arena.node(x) else { return false };
        let mut angles: Vec<_> = factors.iter().filter_map(|(factor, _)| angle(*factor)).collect();
        angles.arrange();
        angles.dedup();
        angles.len() > 2
    })
}

/// Differences of successive angles in the order of their declaration, for chains of three bodies and more.
pub fn successive_angles(arena: &mut Arena, e: Expr) -> Option<Vec<Expr>> {
    let is_angle = |f: &Function| {
        matches!(f, Function::Sin | Function::Cos | Function::Tan | Function::Cot | Function::Sec | Function::Csc)
    };
    let arguments: Vec<Expr> = arena
        .reachable(&[e])
        .into_iter()
        .filter_map(|e| match arena.node(e) {
            Node::Call(f, x) if is_angle(f) => Some(*x),
            _ => None,
        })
        .collect();
    let mut angles = arena.free_symbols(&arguments);
    angles.retain(|s| arena.role(*s) == Role::Coordinate);
    let angles: Vec<Expr> = angles.into_iter().map(|s| arena.symbol(s)).collect();
    (angles.len() > 2).then(|| angles.windows(2).map(|pair| arena.sub(pair[1], pair[0])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, parse_expression};

    /// An expression of many angles and one parameter.
    fn read(text: &str) -> (Arena, Expr) {
        let mut arena = Arena::new();
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            arena.declare(name, Role::Coordinate);
        }
        arena.declare("alpha", Role::Parameter);
        let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
        (arena, e)
    }

    #[test]
    fn turns_about_different_axes_are_told_from_a_chain_in_the_plane() {
        for (text, spatial) in [
            ("sin(a)*cos(b)*sin(c) + d", true),
            ("sin(a)*cos(b) + cos(b)*sin(c)", false),
            ("sin(a)*cos(a)*sin(b)", false),
            ("sin(a)*cos(b)*sin(alpha)", false),
            ("sin(a)*cos(b)*c", false),
        ] {
            let (arena, e) = read(text);
            assert_eq!(is_spatial(&arena, e), spatial, "{text}");
        }
    }

    #[test]
    fn a_long_chain_is_tried_in_the_angles_between_its_bodies_first_and_a_body_in_space_is_not() {
        for (text, tried) in
            [("cos(a - b) + cos(b - c)", 2), ("sin(a)*cos(b)*sin(c)", 1), ("cos(a - b)", 1), ("a*b*c", 1)]
        {
            let (mut arena, e) = read(text);
            assert_eq!(bases(&mut arena, e).len(), tried, "{text}");
        }
    }

    #[test]
    fn operations_of_a_node_are_the_signs_between_its_parts() {
        for (text, count, entries) in [
            ("a", 0, 1),
            ("a + b", 1, 4),
            ("a - b + 3", 2, 4),
            ("2*a - b", 2, 4),
            ("a*b*c", 2, 6),
            ("-a*b", 1, 4),
            ("3*a*b^2", 3, 4),
            ("a/b", 1, 4),
            ("sin(a)", 1, 2),
            ("a^b", 1, 3),
            ("atan2(a, b)", 1, 3),
        ] {
            let (arena, e) = read(text);
            assert_eq!((operations(arena.node(e)), size(&arena, e)), (count, entries), "{text}");
        }
    }

    #[test]
    fn an_expression_comes_back_where_nothing_is_gained_and_shorter_where_something_is() {
        let simple = |text: &str| {
            let (mut arena, e) = read(text);
            let simple = simplify(&mut arena, e, &Limits::default());
            (simple == e, size(&arena, simple) <= size(&arena, e), arena.free_symbols(&[simple]).len())
        };
        // What is longer multiplied out stays as it is, a factor that cancels goes.
        assert_eq!(simple("(a + b)^7"), (true, true, 2));
        assert_eq!(simple("(a^2 - b^2)/(a - b)"), (false, true, 2));
        assert_eq!(simple("c*(sin(a)^2 + cos(a)^2)"), (false, true, 1));
        // Longer, but of fewer symbols.
        assert_eq!(simple("(a + b + alpha)^2*(sin(c)^2 + cos(c)^2)").2, 3);
        // Where no work is left nothing is done.
        let (mut arena, e) = read("a*sin(b)^2 + a*cos(b)^2");
        arena.work.limit(0);
        assert_eq!(simplify(&mut arena, e, &Limits::default()), e);
    }

    #[test]
    fn angles_between_successive_bodies_are_those_of_three_and_more() {
        for (text, angles) in [
            ("cos(a) + sin(b)", None),
            ("cos(a) + sin(b)*tan(c)", Some(2)),
            ("cos(a - d) + exp(b)*sin(f)", Some(2)),
            ("a + b + c + d", None),
        ] {
            let (mut arena, e) = read(text);
            assert_eq!(successive_angles(&mut arena, e).map(|list| list.len()), angles, "{text}");
        }
    }
}
