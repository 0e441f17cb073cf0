//! Hamilton's form of a system in the time of its reducing multiplier, and its solution by quadratures.
//!
//! ```text
//! L̃ = ½ r′ᵀ G r′ − V,  G = N²g:    p = G r′,  H = ½ pᵀG⁻¹p + V,    H(r, ∂S/∂r) = h                              (1)
//! r_2 absent from H, two degrees of freedom:  S = c r_2 + ∫ R dr_1,  ½G¹¹R² + G¹²cR + ½G²²c² + V = h              (2)
//! τ − τ_0 = ∫ ∂R/∂h dr_1,    r_2 − b = −∫ ∂R/∂c dr_1,    t − t_0 = ∫ ∂R/∂h/N dr_1 (N of r_1 alone)                 (3)
//! ```
//! (2) is the complete integral of the Hamilton–Jacobi equation, (3) the motion; where (3) can be inverted, the law of motion is given.

use super::hamiltonise::Hamiltonisation;
use super::law::{LawOfMotion, law};
use crate::analysis::quadrature::potential;
use crate::expr::{Expr, Known, Matrix, Rational, Role, Symbol};
use crate::mechanics::{Generic, Workbench};
use crate::verify::vanishes;
use rustc_hash::FxHashMap;

/// (1)
#[derive(Clone, Debug)]
pub struct HamiltonForm {
    /// p: `p_NAME`.
    pub momenta: Vec<Symbol>,
    /// In the velocities of the new time.
    pub definitions: Vec<Expr>,
    /// H.
    pub hamiltonian: Expr,
    /// ∂H/∂p and −∂H/∂r.
    pub rates: (Vec<Expr>, Vec<Expr>),
    /// H(r, ∂S/∂r) − h with `S_NAME` for the derivatives.
    pub hamilton_jacobi: Expr,
    /// The solution by quadratures, where a coordinate is absent.
    pub quadratures: Option<Quadratures>,
}

/// (2) and (3)
#[derive(Clone, Debug)]
pub struct Quadratures {
    /// r_1.
    pub coordinate: Symbol,
    /// r_2.
    pub absent: Symbol,
    /// R, with `h` and `c`.
    pub slope: Expr,
    /// ∂R/∂h and −∂R/∂c.
    pub integrands: (Expr, Expr),
    /// ∂R/∂h/N, where N is a function of r_1 alone.
    pub time: Option<Expr>,
    /// The integrals of these three that are known in closed form.
    pub closed: [Option<Expr>; 3],
    /// Does S solve the Hamilton–Jacobi equation?
    pub verified: Known,
    /// (3) inverted.
    pub law: Option<LawOfMotion>,
}

/// A constant of integration: a letter that is not one of the model's.
pub(super) fn constant(w: &mut Workbench, name: &str) -> Symbol {
    let mut name = name.to_owned();
    while w.system.parameters.iter().any(|p| w.g.name(p.symbol) == name) {
        name.push('_');
    }
    w.g.declare_beside(&name, Role::Parameter)
}

/// Hamilton's form, where L̃ contains all forces.
pub fn hamilton_form(w: &mut Workbench, s: &Hamiltonisation) -> Result<HamiltonForm, String> {
    if s.other_forces.iter().any(|&f| !w.g.is_zero(f)) {
        return Err("there are forces beside the Lagrangian".into());
    }
    let metric = w.g.hessian(s.lagrangian, &s.velocities);
    let metric: Matrix = metric.iter().map(|row| w.simplify_all(row)).collect();
    let inverse = w.inverse_or(&metric, "the momenta do not determine the velocities")?;
    let rest = w.g.without(s.lagrangian, &s.velocities);
    let half = Rational::new(1, 2).unwrap_or_default();
    let name = |w: &mut Workbench, prefix: &str, q: Symbol| {
        let name = format!("{prefix}_{}", w.g.name(q));
        w.g.declare_beside(&name, Role::Other)
    };
    let momenta: Vec<Symbol> = s.coordinates.iter().map(|&q| name(w, "p", q)).collect();
    let p: Vec<Expr> = momenta.iter().map(|&s| w.g.symbol(s)).collect();
    let raised = w.g.matrix_vector(&inverse, &p);
    let square = w.g.dot_product(&p, &raised);
    let hamiltonian = w.g.linear(Rational::ZERO, [(square, half), (rest, Rational::MINUS_ONE)]);
    let hamiltonian = w.simplify(hamiltonian); // (1)
    let definitions = w.g.gradient(s.lagrangian, &s.velocities);
    let definitions = w.simplify_all(&definitions);
    let by_p = w.g.gradient(hamiltonian, &momenta);
    let by_r = w.g.gradient(hamiltonian, &s.coordinates);
    let minus: Vec<Expr> = by_r.iter().map(|&e| w.g.neg(e)).collect();
    let rates = (w.simplify_all(&by_p), w.simplify_all(&minus));
    let h = constant(w, "h");
    let h = w.g.symbol(h);
    let slopes: FxHashMap<Symbol, Expr> = s
        .coordinates
        .iter()
        .zip(&momenta)
        .map(|(&q, &p)| {
            let slope = name(w, "S", q);
            (p, w.g.symbol(slope))
        })
        .collect();
    let left = w.g.substitute(hamiltonian, &slopes);
    let hamilton_jacobi = w.g.sub(left, h);
    let quadratures = quadratures(w, s, &momenta, hamiltonian, h);
    Ok(HamiltonForm { momenta, definitions, hamiltonian, rates, hamilton_jacobi, quadratures })
}

/// (2) and (3), where one of two coordinates does not occur in H.
fn quadratures(
    w: &mut Workbench,
    s: &Hamiltonisation,
    momenta: &[Symbol],
    hamiltonian: Expr,
    h: Expr,
) -> Option<Quadratures> {
    let [first, second] = s.coordinates[..] else { return None };
    let absent = [second, first].into_iter().find(|&q| w.occurs(hamiltonian, &[q]).is_none())?;
    let one = usize::from(absent == first);
    let (r, p_r, p_c) = (s.coordinates[one], momenta[one], momenta[1 - one]);
    let c = constant(w, "c");
    let c = w.g.symbol(c);
    let level = w.g.sub(hamiltonian, h);
    let at_c: FxHashMap<Symbol, Expr> = [(p_c, c)].into_iter().collect();
    let level = w.g.substitute(level, &at_c);
    // ½G¹¹R² + bR + d = 0
    let slope = w.g.diff(level, p_r);
    let quadratic = w.g.diff(slope, p_r);
    let (b, d) = (w.g.without(slope, &[p_r]), w.g.without(level, &[p_r]));
    let (quadratic, b, d) = (w.simplify(quadratic), w.simplify(b), w.simplify(d));
    let square = w.g.square(b);
    let product = w.g.mul(quadratic, d);
    let discriminant = w.g.linear(Rational::ZERO, [(square, Rational::ONE), (product, Rational::integer(-2))]);
    let discriminant = w.simplify(discriminant);
    let root = w.g.sqrt(discriminant);
    let over = w.g.sub(root, b);
    let r_slope = w.g.div(over, quadratic);
    let r_slope = w.simplify(r_slope);
    let put: FxHashMap<Symbol, Expr> = [(p_r, r_slope)].into_iter().collect();
    let residual = w.g.substitute(level, &put);
    let verified = vanishes(w, residual);
    let symbol_of = |w: &Workbench, e: Expr| w.g.free_symbols(&[e]).first().copied();
    let (h_symbol, c_symbol) = (symbol_of(w, h)?, symbol_of(w, c)?);
    let by_h = w.g.diff(r_slope, h_symbol);
    let by_c = w.g.diff(r_slope, c_symbol);
    let by_c = w.g.neg(by_c);
    let (by_h, by_c) = (w.simplify(by_h), w.simplify(by_c));
    let time = w.occurs(s.multiplier, &[absent]).is_none().then(|| w.g.div(by_h, s.multiplier));
    let time = time.map(|e| w.simplify(e));
    let mut generic = Generic::new(&mut w.g, &w.system);
    let mut integral = |w: &mut Workbench, e: Option<Expr>| {
        let e = e?;
        let found = potential(w, &[r], &[e], &[r_slope, discriminant], &mut generic)?;
        let back = w.g.diff(found, r);
        let difference = w.g.sub(back, e);
        vanishes(w, difference).is_proved().then_some(found)
    };
    let closed = [integral(w, Some(by_h)), integral(w, Some(by_c)), integral(w, time)];
    // ṙ_1² = N²(b² − 2 G¹¹ d); ṙ_2 = N ∂H/∂c, where the momenta do not mix.
    let law = time.and_then(|_| {
        let scale = w.g.square(s.multiplier);
        let squared = w.g.mul(scale, discriminant);
        let rate = w.g.is_zero(b).then(|| {
            let by_c = w.g.diff(hamiltonian, p_c);
            let by_c = w.g.substitute(by_c, &at_c);
            w.g.mul(s.multiplier, by_c)
        });
        law(w, s, r, (squared, rate), [h_symbol, c_symbol])
    });
    Some(Quadratures { coordinate: r, absent, slope: r_slope, integrands: (by_h, by_c), time, closed, verified, law })
}
