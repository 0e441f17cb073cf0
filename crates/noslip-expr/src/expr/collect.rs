//! An expression by its velocities and accelerations: Σ coefficient · product of motions.
//!
//! An equation of motion is a short polynomial in velocities and accelerations, however long its coefficients are on the way. Each
//! of these is a function of the position alone and has a normal form that is within reach where that of the whole is not.

use super::arena::{Arena, Expr, Node};
use super::number::Rational;
use super::symbol::{Role, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Products of coefficients formed at most.
const WORK: usize = 60_000;
/// Powers of sums of motions are multiplied out up to this exponent.
const POWER: i64 = 4;

/// Factors with their exponents: velocities, accelerations, and functions of these as they stand.
pub type Motions = Vec<(Expr, u32)>;

/// Coefficients by products of motions.
pub type ByMotion = BTreeMap<Motions, Expr>;

/// Does the symbol move: is it a velocity, an acceleration or a multiplier?
pub fn is_motion(role: Role) -> bool {
    matches!(
        role,
        Role::Velocity
            | Role::Acceleration
            | Role::QuasiVelocity
            | Role::QuasiAcceleration
            | Role::Multiplier
            | Role::MultiplierRate
            | Role::Variation
    )
}

/// The expression by its motions. `tidy` is asked for a shorter way to write each coefficient as soon as it is a sum;
/// `None` where too many products would have to be formed.
pub fn collect(arena: &mut Arena, e: Expr, tidy: &mut dyn FnMut(&mut Arena, Expr) -> Expr) -> Option<ByMotion> {
    let moving: Vec<Symbol> = arena.free_symbols(&[e]).into_iter().filter(|&s| is_motion(arena.role(s))).collect();
    if moving.is_empty() {
        return Some(at_rest(e));
    }
    if arena.work.is_over() {
        return None;
    }
    let mut work = WORK;
    let mut known: FxHashMap<Expr, ByMotion> = FxHashMap::default();
    for x in arena.depending(&[e], &moving) {
        if arena.work.is_over() {
            return None;
        }
        let found = node(arena, x, &known, &mut work, tidy)?;
        known.insert(x, found);
    }
    known.remove(&e)
}

fn at_rest(e: Expr) -> ByMotion {
    if e == Arena::ZERO { ByMotion::new() } else { ByMotion::from([(Vec::new(), e)]) }
}

fn node(
    arena: &mut Arena,
    x: Expr,
    known: &FxHashMap<Expr, ByMotion>,
    work: &mut usize,
    tidy: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
) -> Option<ByMotion> {
    let of = |y: Expr| known.get(&y).cloned().unwrap_or_else(|| at_rest(y));
    match arena.node(x).clone() {
        Node::Sum { constant, terms } => {
            let mut parts: BTreeMap<Motions, Vec<(Expr, Rational)>> = BTreeMap::new();
            if !constant.is_zero() {
                parts.insert(Vec::new(), vec![(Arena::ONE, constant)]);
            }
            for (y, c) in terms.iter() {
                for (motions, coefficient) in of(*y) {
                    parts.entry(motions).or_default().push((coefficient, c.clone()));
                }
            }
            Some(gathered(arena, parts, tidy))
        }
        Node::Product { coefficient, factors } => {
            let mut inside = ByMotion::from([(Vec::new(), arena.number(coefficient))]);
            for (y, exponent) in factors.iter() {
                let base = of(*y);
                match exponent.to_i64() {
                    Some(n @ 1..=POWER) => {
                        for _ in 0..n {
                            inside = times(arena, &inside, &base, work, tidy)?;
                        }
                    }
                    _ if base.keys().all(Vec::is_empty) => {
                        let power = arena.power(*y, exponent);
                        inside = times(arena, &inside, &at_rest(power), work, tidy)?;
                    }
                    // A motion below the bar or under a root stands as it is.
                    _ => {
                        let power = arena.power(*y, exponent);
                        let whole = ByMotion::from([(vec![(power, 1)], Arena::ONE)]);
                        inside = times(arena, &inside, &whole, work, tidy)?;
                    }
                }
            }
            Some(inside)
        }
        _ => Some(ByMotion::from([(vec![(x, 1)], Arena::ONE)])),
    }
}

fn times(
    arena: &mut Arena,
    a: &ByMotion,
    b: &ByMotion,
    work: &mut usize,
    tidy: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
) -> Option<ByMotion> {
    let mut parts: BTreeMap<Motions, Vec<(Expr, Rational)>> = BTreeMap::new();
    for (m, &x) in a {
        for (n, &y) in b {
            *work = work.checked_sub(1)?;
            let product = arena.mul(x, y);
            parts.entry(joined(m, n)).or_default().push((product, Rational::ONE));
        }
    }
    Some(gathered(arena, parts, tidy))
}

fn joined(m: &Motions, n: &Motions) -> Motions {
    let mut all = m.clone();
    for &(x, k) in n {
        match all.iter_mut().find(|(y, _)| *y == x) {
            Some((_, l)) => *l += k,
            None => all.push((x, k)),
        }
    }
    all.sort_unstable();
    all
}

fn gathered(
    arena: &mut Arena,
    parts: BTreeMap<Motions, Vec<(Expr, Rational)>>,
    tidy: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
) -> ByMotion {
    let mut all = ByMotion::new();
    for (motions, terms) in parts {
        let several = terms.len() > 1;
        let mut sum = arena.linear(Rational::ZERO, terms);
        if several {
            sum = tidy(arena, sum);
        }
        if sum != Arena::ZERO {
            all.insert(motions, sum);
        }
    }
    all
}

/// The sum it came from.
pub fn together(arena: &mut Arena, parts: &ByMotion) -> Expr {
    let mut terms = Vec::new();
    for (motions, &coefficient) in parts {
        let factors = motions.iter().map(|&(x, n)| (x, Rational::integer(n.into())));
        let motion = arena.powers(Rational::ONE, factors.collect::<Vec<_>>());
        terms.push(arena.mul(coefficient, motion));
    }
    arena.sum(terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Declared, parse_expression};
    use crate::limits::Limits;

    #[test]
    fn coefficients_stand_by_their_motions_and_make_the_whole_again() {
        let mut arena = Arena::new();
        arena.declare("a", Role::Parameter);
        arena.declare("q", Role::Coordinate);
        for v in ["u", "v"] {
            arena.declare(v, Role::QuasiVelocity);
        }
        let mut parsed = |text: &str| parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
        let given = parsed("(a*u + sin(q)*v)^2 + (u - v)*(q + exp(u)) - u/sqrt(1 + v^2)");
        let (uv, opaque) = (parsed("2*a*sin(q)"), parsed("1/sqrt(1 + v^2)"));
        let parts = collect(&mut arena, given, &mut |_, e| e).unwrap();
        let symbol = |arena: &mut Arena, name: &str| {
            let s = arena.lookup(name).unwrap();
            arena.symbol(s)
        };
        let (u, v) = (symbol(&mut arena, "u"), symbol(&mut arena, "v"));
        let mut key = vec![(u, 1), (v, 1)];
        key.sort_unstable();
        assert_eq!(parts.get(&key), Some(&uv));
        let mut key = vec![(u, 1), (opaque, 1)];
        key.sort_unstable();
        assert_eq!(parts.get(&key), Some(&arena.integer(-1)));
        let whole = together(&mut arena, &parts);
        let difference = arena.sub(whole, given);
        let mut normalizer = crate::expr::normal::Normalizer::new(Default::default());
        assert_eq!(normalizer.is_zero(&mut arena, difference), Ok(true));
    }

    #[test]
    fn powers_of_sums_of_motions_are_multiplied_out_up_to_the_fourth() {
        let mut arena = Arena::new();
        arena.declare("a", Role::Parameter);
        for v in ["u", "v"] {
            arena.declare(v, Role::QuasiVelocity);
        }
        for (text, parts) in
            [("(u + v)^4", 5), ("(u + v)^5", 1), ("a*(u + v)^2*u + a", 4), ("a + 2", 1), ("u - u", 0), ("a/u", 1)]
        {
            let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
            let found = collect(&mut arena, e, &mut |_, e| e).unwrap();
            assert_eq!(found.len(), parts, "{text}: {found:?}");
        }
        // Beyond the work that is allowed nothing is collected.
        let long: Vec<String> = (1..300).map(|k| format!("sin({k}*u)")).collect();
        let text = format!("({0})*({0})", long.join(" + ")).replacen(")*(", " + v)*(", 1);
        let e = parse_expression(&mut arena, &text, &mut Declared, &Limits::default()).unwrap();
        assert!(collect(&mut arena, e, &mut |_, e| e).is_none());
    }
}
