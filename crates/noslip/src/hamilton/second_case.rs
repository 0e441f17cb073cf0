//! Chaplygin's second case: no multiplier serves all motions, and one with a constant in it serves each family of paths.
//!
//! Two degrees of freedom, no forces. Paths dr_2/dr_1 = u(r_1, r_2; δ) are those of motions iff
//! ```text
//! ∂u/∂r_1 + u ∂u/∂r_2 = F(r_1, r_2, u),    F = r̈_2 − u r̈_1 at ṙ = (1, u);                                          (1)
//! ```
//! then N(r_1, r_2; δ) is to satisfy
//! ```text
//! p_2 ∂ ln N/∂r_1 − p_1 ∂ ln N/∂r_2 = K     at ṙ = (1, u), where R_1 = ṙ_2 K.                                        (2)
//! ```
//! The first equation is not linear, the second is. In the time dτ = N dt the motions along these paths satisfy Lagrange's equations of N²T°,
//! and their momenta N p are the derivatives of a solution W(r_1, r_2; δ, h) of the Hamilton–Jacobi equation.
//!
//! Where everything depends on r_1 alone, Arzhanykh's substitution dr_2 = A dη + B dr_1 makes the metric E dr_1² + G dη². If its multiplier is
//! e^(−η)/√G times a constant, then
//! ```text
//! dη/dr_1 = −√(E/G) tan(θ − δ),   θ = ∫ √(E/G) dr_1,   u = A dη/dr_1 + B,   N = 1/(√g_22 sin(θ − δ)).                (3)
//! ```
//! Whether (3) satisfies (1) and (2) is asked of the equations of motion, not of the derivation.
//!
//! Sources: Chaplygin 1911; Sumbatov, section 3.

use super::hamiltonise::{Diagonal, diagonal, in_coordinates};
use super::new_time::constant;
use crate::analysis::quadrature::potential;
use crate::expr::{Expr, Function, Known, Rational, Role, Symbol};
use crate::mechanics::{Generic, Workbench};
use crate::verify::vanishes;
use rustc_hash::FxHashMap;

/// Paths, their multiplier and their Hamilton–Jacobi function.
#[derive(Clone, Debug)]
pub struct SecondCase {
    /// r_1.
    pub coordinate: Symbol,
    /// r_2.
    pub other: Symbol,
    /// δ.
    pub constant: Symbol,
    /// h.
    pub energy: Symbol,
    /// u.
    pub path: Expr,
    /// N.
    pub multiplier: Expr,
    /// Are the paths those of motions?
    pub paths_verified: Known,
    /// Are the equations of motion along them Lagrange's in the new time?
    pub verified: Known,
    /// ∂W/∂r_1, ∂W/∂r_2.
    pub slopes: [Expr; 2],
    /// Do they belong to one function, and does it solve the Hamilton–Jacobi equation in the new time?
    pub slopes_verified: Known,
}

/// (3), verified; `Err` says why it does not apply.
pub fn second_case(w: &mut Workbench) -> Result<SecondCase, String> {
    let d = diagonal(w)?;
    let reduced = in_coordinates(w)?;
    if reduced.forces.iter().any(|&f| !w.g.is_zero(f)) {
        return Err("there are forces".into());
    }
    let (r, v) = (d.coordinates[d.one], [d.velocities[d.one], d.velocities[d.two]]);
    let a = [reduced.accelerations[d.one], reduced.accelerations[d.two]];
    let equations = [reduced.equations[d.one], reduced.equations[d.two]];
    let (delta, h) = (constant(w, "delta"), constant(w, "h"));
    // With a letter for θ − δ, which stays together while the rest is simplified.
    let letter = w.g.declare_beside("theta_delta", Role::Other);
    let rate = rate(w, &d);
    let angle = angle(w, &d, rate, delta)?;
    let put: FxHashMap<Symbol, Expr> = [(letter, angle)].into_iter().collect();
    let (path, n) = paths(w, &d, rate, letter);
    let (slopes, slopes_verified) = slopes(w, &d, (path, n), (letter, rate), h);
    let slopes = slopes.map(|e| w.g.substitute(e, &put));
    let (path, n) = (w.g.substitute(path, &put), w.g.substitute(n, &put));

    // On the paths ṙ_2 = u ṙ_1, r̈_2 = u r̈_1 + u′ṙ_1².
    let speed = w.g.symbol(v[0]);
    let slope = w.g.diff(path, r);
    let along = w.g.mul(path, speed);
    let acceleration = w.g.symbol(a[0]);
    let (first, square) = (w.g.mul(path, acceleration), w.g.square(speed));
    let second = w.g.mul(slope, square);
    let on_path: FxHashMap<Symbol, Expr> = [(v[1], along), (a[1], w.g.add(first, second))].into_iter().collect();
    let old = w.g.substitute_all(&equations, &on_path);
    // Both equations give r̈_1, and it must be the same. (1)
    let factors = [w.g.diff(old[0], a[0]), w.g.diff(old[1], a[0])];
    let crossed = [w.g.mul(old[0], factors[1]), w.g.mul(old[1], factors[0])];
    let difference = w.g.sub(crossed[0], crossed[1]);
    let paths_verified = vanishes(w, difference);
    if !paths_verified.holds() {
        return Err("the equation of the paths is not solved in closed form".into());
    }
    let verified = lagrangian_on_paths(w, r, &v, &a, reduced.kinetic, n, (&old, &on_path));
    Ok(SecondCase {
        coordinate: r,
        other: d.coordinates[d.two],
        constant: delta,
        energy: h,
        path,
        multiplier: n,
        paths_verified,
        verified,
        slopes,
        slopes_verified,
    })
}

/// √(E/G).
fn rate(w: &mut Workbench, d: &Diagonal) -> Expr {
    let square = w.g.square(d.a);
    let g = w.g.mul(d.metric[d.two][d.two], square);
    let ratio = w.g.div(d.rest, g);
    let ratio = w.simplify(ratio);
    let root = w.g.sqrt(ratio);
    w.simplify(root)
}

/// θ − δ.
fn angle(w: &mut Workbench, d: &Diagonal, rate: Expr, delta: Symbol) -> Result<Expr, String> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    let theta = potential(w, &[d.coordinates[d.one]], &[rate], &[], &mut generic);
    let theta = theta.ok_or("θ is not found in closed form")?;
    let delta = w.g.symbol(delta);
    Ok(w.g.sub(theta, delta))
}

/// u and N of (3), with a letter for θ − δ.
fn paths(w: &mut Workbench, d: &Diagonal, rate: Expr, letter: Symbol) -> (Expr, Expr) {
    let angle = w.g.symbol(letter);
    let tangent = w.g.call(Function::Tan, angle);
    let product = w.g.product([d.a, rate, tangent]);
    let path = w.g.sub(d.b, product);
    let sine = w.g.call(Function::Sin, angle);
    let root = w.g.sqrt(d.metric[d.two][d.two]);
    let product = w.g.mul(root, sine);
    let n = w.g.powi(product, -1);
    (w.simplify(path), w.simplify(n))
}

/// Are Lagrange's equations of N²T° in the new time those of motion, on the paths?
fn lagrangian_on_paths(
    w: &mut Workbench,
    r: Symbol,
    v: &[Symbol; 2],
    a: &[Symbol; 2],
    kinetic: Expr,
    n: Expr,
    (old, on_path): (&[Expr], &FxHashMap<Symbol, Expr>),
) -> Known {
    let square = w.g.square(n);
    let lagrangian = w.g.mul(square, kinetic);
    let speeds = v.map(|v| w.g.symbol(v));
    let mut rates: FxHashMap<Symbol, Expr> = [(r, speeds[0])].into_iter().collect();
    for i in 0..2 {
        rates.insert(v[i], w.g.symbol(a[i]));
    }
    // r′ = ṙ/N, r″ = r̈/N² − ṙ Ṅ/N³, and N depends on r_1 alone.
    let n_rate = w.g.diff(n, r);
    let n_rate = w.g.mul(n_rate, speeds[0]);
    let (inverse_square, inverse_cube) = (w.g.powi(n, -2), w.g.powi(n, -3));
    let mut old_time: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for i in 0..2 {
        old_time.insert(v[i], w.g.div(speeds[i], n));
        let acceleration = w.g.symbol(a[i]);
        let first = w.g.mul(acceleration, inverse_square);
        let second = w.g.product([speeds[i], n_rate, inverse_cube]);
        old_time.insert(a[i], w.g.sub(first, second));
    }
    let mut known = Known::Proved;
    for i in 0..2 {
        let momentum = w.g.diff(lagrangian, v[i]);
        let rate = w.g.directional(momentum, &rates);
        // r_2 does not occur.
        let equation = match i {
            0 => {
                let by_r = w.g.diff(lagrangian, r);
                w.g.sub(rate, by_r)
            }
            _ => rate,
        };
        let in_t = w.g.substitute(equation, &old_time);
        let in_t = w.g.substitute(in_t, on_path);
        let difference = w.g.sub(in_t, old[i]);
        known = known.and(vanishes(w, difference));
    }
    known
}

/// N p on the paths at energy h, and whether they are the slopes of a solution of the Hamilton–Jacobi equation.
fn slopes(
    w: &mut Workbench,
    d: &Diagonal,
    (path, n): (Expr, Expr),
    (letter, rate): (Symbol, Expr),
    h: Symbol,
) -> ([Expr; 2], Known) {
    let angle = w.g.symbol(letter);
    // √E ṙ_1 = √(2h) cos(θ − δ)
    let h = w.g.symbol(h);
    let twice = w.g.scale(h, &Rational::integer(2));
    let quotient = w.g.div(twice, d.rest);
    let (root, cosine) = (w.g.sqrt(quotient), w.g.call(Function::Cos, angle));
    let speed = w.g.mul(root, cosine);
    let (one, two) = (d.one, d.two);
    let momentum = |w: &mut Workbench, i: usize| {
        let part = w.g.mul(d.metric[i][two], path);
        let sum = w.g.add(d.metric[i][one], part);
        let p = w.g.product([n, sum, speed]);
        w.simplify(p)
    };
    let slopes = [momentum(w, one), momentum(w, two)];
    // Nothing depends on r_2, so that the mixed derivatives agree where the second slope is constant.
    let rates: FxHashMap<Symbol, Expr> = [(d.coordinates[one], w.g.one()), (letter, rate)].into_iter().collect();
    let mixed = w.g.directional(slopes[1], &rates);
    let known = vanishes(w, mixed);
    let energy = w.inverse(&d.metric).map(|inverse| {
        let p = if one == 0 { slopes } else { [slopes[1], slopes[0]] };
        let raised = w.g.matrix_vector(&inverse, &p);
        let square = w.g.dot_product(&p, &raised);
        let in_new_time = w.g.powi(n, -2);
        let product = w.g.mul(square, in_new_time);
        w.g.sub(product, twice)
    });
    let known = match energy {
        Some(e) => known.and(vanishes(w, e)),
        None => Known::unknown("the metric is not inverted"),
    };
    (slopes, known)
}
