//! The law of motion: quadratures inverted.
//!
//! Along a motion ṙ_1² = P(r_1). Where a function z(r_1) makes that
//! ```text
//! ż² = a z² + b z + c,     with y = z + b/2a:   ẏ² = a y² + e,   e = c − b²/4a,                                       (1)
//! ```
//! z is elementary: y = √(−e/a) cosh √a(t − t_0), √(e/a) sinh √a(t − t_0) or √(−e/a) cos √−a(t − t_0); for a = 0 a polynomial. Tried are
//! z = r_1 and z = exp k r_1 for the exponentials in P. Then r_2 follows from ṙ_2 = Q(r_1(t)). What is found is put into Lagrange's
//! equations.

use super::hamiltonise::Hamiltonisation;
use super::new_time::constant;
use crate::analysis::quadrature::potential;
use crate::expr::{Expr, Function, Known, Node, Rational, Symbol};
use crate::mechanics::{Generic, Workbench};
use crate::verify::vanishes;
use rustc_hash::FxHashMap;

/// r_1 and r_2 as functions of the time.
#[derive(Clone, Debug)]
pub struct LawOfMotion {
    /// t_0.
    pub start: Symbol,
    /// The constant that is added to r_2.
    pub shift: Symbol,
    /// r_1(t).
    pub coordinate: Expr,
    /// r_2(t), where its integral is known in closed form.
    pub absent: Option<Expr>,
    /// Do they satisfy the equations of motion?
    pub verified: Known,
}

/// A function of the time that solves (1), and functions whose derivatives occur with it.
struct Elementary {
    y: Expr,
    companions: Vec<Expr>,
}

/// The law, where (1) applies. `square` is P, `rate` Q; `constants` are h and c.
pub(super) fn law(
    w: &mut Workbench,
    s: &Hamiltonisation,
    r: Symbol,
    (square, rate): (Expr, Option<Expr>),
    constants: [Symbol; 2],
) -> Option<LawOfMotion> {
    let (start, shift) = (constant(w, "t_0"), constant(w, "b"));
    let tries: Vec<Option<Expr>> = [None].into_iter().chain(exponents(w, square, r).into_iter().map(Some)).collect();
    for k in tries {
        let Some((coefficients, proved)) = quadratic(w, square, r, k) else { continue };
        let Some((z, companions)) = solve(w, coefficients, start, constants) else { continue };
        let proved = proved.and(solves(w, z, coefficients));
        let coordinate = match k {
            None => z,
            Some(k) => {
                let log = w.g.call(Function::Log, z);
                w.g.div(log, k)
            }
        };
        let in_time = rate.and_then(|q| in_time(w, q, r, (z, k)));
        let second = in_time.and_then(|q| integral(w, q, &companions, (start, shift)));
        let put_in = satisfies(w, s, r, coordinate, in_time);
        let mut verified = if put_in.holds() { proved.and(put_in) } else { put_in };
        if verified.holds() {
            let absent = second.map(|(e, known)| {
                verified = verified.clone().and(known);
                w.simplify(e)
            });
            return Some(LawOfMotion { start, shift, coordinate: w.simplify(coordinate), absent, verified });
        }
    }
    None
}

/// The k of exponentials exp(k r) in an expression, and −k.
fn exponents(w: &mut Workbench, e: Expr, r: Symbol) -> Vec<Expr> {
    let mut found = Vec::new();
    for node in w.g.reachable(&[e]) {
        let Node::Call(Function::Exp, argument) = *w.g.node(node) else { continue };
        let k = w.g.diff(argument, r);
        if w.g.is_zero(k) || w.g.depends_on(k, r) {
            continue;
        }
        for k in [w.g.neg(k), k] {
            if !found.contains(&k) {
                found.push(k);
            }
        }
    }
    found
}

/// a, b, c of (1), and how it is known that they are constant. With θ = d/dr/k, which multiplies z^m = exp(m k r) by m,
/// ```text
/// f = a z² + b z + c:   (1 − θ)(1 − θ/2) f = c,   θ(2 − θ) f = b z,   θ(θ − 1) f/2 = a z²;
/// ```
/// in the coordinate itself a, b, c are those of Taylor's formula.
fn quadratic(w: &mut Workbench, square: Expr, r: Symbol, k: Option<Expr>) -> Option<([Expr; 3], Known)> {
    let (half, two) = (Rational::new(1, 2)?, Rational::integer(2));
    let x = w.g.symbol(r);
    let list = match k {
        None => {
            let first = w.g.diff(square, r);
            let second = w.g.diff(first, r);
            let (moved, bent) = (w.g.mul(x, second), w.g.mul(x, first));
            let b = w.g.sub(first, moved);
            let last = w.g.mul(x, moved);
            let c = w
                .g
                .linear(Rational::ZERO, [(square, Rational::ONE), (bent, Rational::MINUS_ONE), (last, half.clone())]);
            [w.g.scale(second, &half), b, c]
        }
        Some(k) => {
            let exponent = w.g.mul(k, x);
            let z = w.g.call(Function::Exp, exponent);
            let (over, over_square) = (w.g.powi(z, -1), w.g.powi(z, -2));
            let slope = w.g.mul(k, z);
            let slope = w.g.square(slope);
            let f = w.g.mul(slope, square);
            let theta = |w: &mut Workbench, e: Expr| {
                let d = w.g.diff(e, r);
                w.g.div(d, k)
            };
            let first = theta(w, f);
            let second = theta(w, first);
            let c = [(f, Rational::ONE), (first, Rational::new(-3, 2)?), (second, half.clone())];
            let c = w.g.linear(Rational::ZERO, c);
            let b = w.g.linear(Rational::ZERO, [(first, two), (second, Rational::MINUS_ONE)]);
            let a = w.g.linear(Rational::ZERO, [(second, half.clone()), (first, -&half)]);
            [w.g.mul(a, over_square), w.g.mul(b, over), c]
        }
    };
    let mut known = Known::Proved;
    let mut values = list;
    for e in &mut values {
        let change = w.g.diff(*e, r);
        known = known.and(vanishes(w, change));
        if !known.holds() {
            return None;
        }
        // Constant, so that it is its value anywhere.
        let zero = w.g.zero();
        let value = w.g.substitute(*e, &[(r, zero)].into_iter().collect());
        *e = w.simplify(value);
        if w.g.is_undefined(*e) {
            return None;
        }
        if vanishes(w, *e).is_proved() {
            *e = w.g.zero();
        }
    }
    Some((values, known))
}

/// Does z(t) satisfy (1)?
fn solves(w: &mut Workbench, z: Expr, [a, b, c]: [Expr; 3]) -> Known {
    let t = w.g.time();
    let rate = w.g.diff(z, t);
    let (left, square) = (w.g.square(rate), w.g.square(z));
    let (first, second) = (w.g.mul(a, square), w.g.mul(b, z));
    let minus = Rational::MINUS_ONE;
    let terms = [(left, Rational::ONE), (first, minus.clone()), (second, minus.clone()), (c, minus)];
    let residual = w.g.linear(Rational::ZERO, terms);
    vanishes(w, residual)
}

/// Q as a function of the time: in z it is a power times a constant.
fn in_time(w: &mut Workbench, rate: Expr, r: Symbol, (z, k): (Expr, Option<Expr>)) -> Option<Expr> {
    let Some(k) = k else {
        let in_t = w.g.substitute(rate, &[(r, z)].into_iter().collect());
        return Some(w.simplify(in_t));
    };
    let slope = w.g.diff(rate, r);
    for m in -4..=4 {
        let times = w.g.scale(k, &Rational::integer(m));
        let product = w.g.mul(times, rate);
        let difference = w.g.sub(slope, product);
        if vanishes(w, difference).holds() {
            let zero = w.g.zero();
            let factor = w.g.substitute(rate, &[(r, zero)].into_iter().collect());
            let power = w.g.powi(z, m);
            return Some(w.g.mul(factor, power));
        }
    }
    None
}

/// The sign of an expression in parameters and the two constants, where it is the same for several values of these.
fn sign(w: &mut Workbench, e: Expr, constants: [Symbol; 2]) -> Option<bool> {
    if w.g.is_zero(e) {
        return None;
    }
    let values = w.system.values(&w.g, &[]).ok()?;
    let mut signs = [(1.0, 0.5), (1.0, -0.5), (3.0, 0.01), (0.5, 0.2)].into_iter().map(|(h, c)| {
        let mut at = values.at.clone();
        at.set(constants[0], h);
        at.set(constants[1], c);
        w.g.evaluate(&[e], &at)[0]
    });
    let first = signs.next()?;
    (first.is_finite() && first != 0.0 && signs.all(|x| x * first > 0.0)).then_some(first > 0.0)
}

/// z(t), and functions that are likely in the integral for r_2.
fn solve(w: &mut Workbench, [a, b, c]: [Expr; 3], start: Symbol, constants: [Symbol; 2]) -> Option<(Expr, Vec<Expr>)> {
    let (t, start) = (w.g.time(), w.g.symbol(start));
    let t = w.g.symbol(t);
    let since = w.g.sub(t, start);
    if w.g.is_zero(a) {
        if w.g.is_zero(b) {
            let root = w.g.sqrt(c);
            return Some((w.g.mul(root, since), vec![since]));
        }
        // z = b s²/4 − c/b
        let square = w.g.square(since);
        let quarter = w.g.scale(b, &Rational::new(1, 4)?);
        let (first, second) = (w.g.mul(quarter, square), w.g.div(c, b));
        return Some((w.g.sub(first, second), vec![since]));
    }
    let (square, quarter) = (w.g.square(b), w.g.scale(a, &Rational::integer(4)));
    let part = w.g.div(square, quarter);
    let e = w.g.sub(c, part);
    let e = w.simplify(e);
    let Elementary { y, companions } = elementary(w, a, e, since, constants)?;
    let twice = w.g.scale(a, &Rational::integer(2));
    let middle = w.g.div(b, twice);
    Some((w.g.sub(y, middle), companions))
}

/// y of (1).
fn elementary(w: &mut Workbench, a: Expr, e: Expr, since: Expr, constants: [Symbol; 2]) -> Option<Elementary> {
    let (grows, above) = (sign(w, a, constants)?, sign(w, e, constants)?);
    let call = |w: &mut Workbench, f: Function, x: Expr| w.g.call(f, x);
    let ratio = w.g.div(e, a);
    let (ratio, speed) = match (grows, above) {
        (true, true) => (ratio, a),
        (true, false) => (w.g.neg(ratio), a),
        (false, true) => (w.g.neg(ratio), w.g.neg(a)),
        (false, false) => return None,
    };
    let (ratio, speed) = (w.simplify(ratio), w.simplify(speed));
    let (size, speed) = (w.g.sqrt(ratio), w.g.sqrt(speed));
    let x = w.g.mul(speed, since);
    let (shape, companions) = match (grows, above) {
        (true, false) => {
            let sinh = call(w, Function::Sinh, x);
            (Function::Cosh, vec![since, call(w, Function::Atan, sinh), call(w, Function::Tanh, x)])
        }
        (true, true) => {
            let tanh = call(w, Function::Tanh, x);
            (Function::Sinh, vec![since, w.g.powi(tanh, -1)])
        }
        _ => (Function::Cos, vec![since, call(w, Function::Tan, x), call(w, Function::Sin, x)]),
    };
    let y = call(w, shape, x);
    Some(Elementary { y: w.g.mul(size, y), companions })
}

/// r_2(t) = b + ∫ Q dt, and how it is known that Q is its derivative.
fn integral(
    w: &mut Workbench,
    rate: Expr,
    companions: &[Expr],
    (start, shift): (Symbol, Symbol),
) -> Option<(Expr, Known)> {
    let t = w.g.time();
    let shift = w.g.symbol(shift);
    let checked = |w: &mut Workbench, found: Expr| {
        let back = w.g.diff(found, t);
        let difference = w.g.sub(back, rate);
        let known = vanishes(w, difference);
        known.holds().then(|| (w.g.add(shift, found), known))
    };
    for &f in companions {
        let derivative = w.g.diff(f, t);
        let factor = w.g.div(rate, derivative);
        let change = w.g.diff(factor, t);
        if vanishes(w, change).holds() {
            let factor = without_time(w, factor, start);
            let part = w.g.mul(factor, f);
            return checked(w, part);
        }
    }
    let mut generic = Generic::new(&mut w.g, &w.system);
    let found = potential(w, &[t], &[rate], &[], &mut generic)?;
    checked(w, found)
}

/// A constant written without the time, where the simplifier has left it in.
fn without_time(w: &mut Workbench, e: Expr, start: Symbol) -> Expr {
    let t = w.g.time();
    if !w.g.depends_on(e, t) {
        return e;
    }
    // Not at t_0 itself: a hyperbolic sine vanishes there.
    let simple = w.simplify(e);
    if !w.g.depends_on(simple, t) {
        return simple;
    }
    let (start, one) = (w.g.symbol(start), w.g.one());
    let later = w.g.add(start, one);
    let value = w.g.substitute(e, &[(t, later)].into_iter().collect());
    w.simplify(value)
}

/// Lagrange's equations in the new time, with r(t) put in: r′ = ṙ/N, r″ = (1/N) d/dt(ṙ/N).
fn satisfies(w: &mut Workbench, s: &Hamiltonisation, r: Symbol, law: Expr, rate: Option<Expr>) -> Known {
    let t = w.g.time();
    let at: FxHashMap<Symbol, Expr> = [(r, law)].into_iter().collect();
    let n = w.g.substitute(s.multiplier, &at);
    let mut values = at;
    for (&q, &v) in s.coordinates.iter().zip(&s.velocities) {
        let velocity = match (q == r, rate) {
            (true, _) => w.g.diff(law, t),
            (false, Some(rate)) => rate,
            (false, None) => return Known::unknown("the second coordinate is not known"),
        };
        let first = w.g.div(velocity, n);
        let change = w.g.diff(first, t);
        let acceleration = w.g.dot(v);
        values.insert(v, first);
        values.insert(acceleration, w.g.div(change, n));
    }
    let mut known = Known::Proved;
    for &e in &s.equations {
        let residual = w.g.substitute(e, &values);
        known = known.and(vanishes(w, residual));
    }
    known
}
