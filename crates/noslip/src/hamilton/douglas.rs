//! The inverse problem with two degrees of freedom: a matrix of factors that makes the equations Lagrange's.
//!
//! The equations r̈ = F(t, r, ṙ) have a kinetic potential Θ iff there is a regular symmetric matrix g, ∂²Θ/∂ṙ∂ṙ, with
//! ```text
//! D g_ab = −½ (g_ac ∂F_c/∂ṙ_b + g_bc ∂F_c/∂ṙ_a),   ∂g_ab/∂ṙ_c = ∂g_ac/∂ṙ_b,   gΦ symmetric                       (1)
//! Φ_cb = ½ D(∂F_c/∂ṙ_b) − ∂F_c/∂r_b − ¼ ∂F_c/∂ṙ_d ∂F_d/∂ṙ_b,    D = ∂/∂t + ṙ ∂/∂r + F ∂/∂ṙ
//! ```
//! (Helmholtz 1887; Douglas 1941). With g also g∇Φ, g∇∇Φ are symmetric, ∇Φ = DΦ − ½[∂F/∂ṙ, Φ]: three linear equations for g_11, g_12, g_22.
//! Where their determinant does not vanish there is no g but zero and no Θ: Douglas' general case. Otherwise g is looked for among
//! constant combinations of given matrices: the inertia and the unit matrices, times the multipliers exp(−∫ ∂F_a/∂ṙ_a dt) of each
//! equation by itself. det g is Jacobi's last multiplier, D(det g) + det g Σ ∂F_a/∂ṙ_a = 0.

use crate::analysis::exponential;
use crate::analysis::quadrature::potential;
use crate::expr::ansatz::{lift_all, vanishing};
use crate::expr::field::Fp;
use crate::expr::{Expr, Known, Matrix, Rational, Symbol};
use crate::mechanics::{Generic, Workbench, evaluator};
use crate::verify::{vanishes, vanishes_in_general};
use rustc_hash::FxHashMap;

/// What is known of the problem.
#[derive(Clone, Debug)]
pub enum Douglas {
    /// A kinetic potential.
    Found {
        /// g.
        factors: Matrix,
        /// Θ.
        potential: Expr,
        /// det g, Jacobi's last multiplier.
        last_multiplier: Expr,
        /// Are Lagrange's equations of Θ the given ones times g?
        verified: Known,
    },
    /// There is none: the determinant of the three conditions.
    None(Expr),
    /// Neither was found.
    Open,
}

/// The equations with their symbols.
pub(super) struct Two<'a> {
    pub equations: &'a [Expr],
    pub r: &'a [Symbol],
    pub v: &'a [Symbol],
    pub a: &'a [Symbol],
}

/// D of a function of t, r, ṙ.
struct Flow {
    rates: FxHashMap<Symbol, Expr>,
    /// F.
    forces: Vec<Expr>,
    /// ∂F_c/∂ṙ_b.
    damping: Matrix,
}

impl Flow {
    fn of(w: &mut Workbench, two: &Two) -> Option<(Flow, Matrix)> {
        let mass = w.g.jacobian(two.equations, two.a);
        if mass.iter().flatten().any(|&e| w.g.depends_on_any(e, two.a)) {
            return None;
        }
        let inverse = w.inverse(&mass)?;
        let rest: Vec<Expr> = two.equations.iter().map(|&e| w.g.without(e, two.a)).collect();
        let mut forces = Vec::new();
        for e in w.g.matrix_vector(&inverse, &rest) {
            let e = w.g.neg(e);
            forces.push(w.simplify(e));
        }
        let damping = w.g.jacobian(&forces, two.v);
        let damping: Matrix = damping.iter().map(|row| w.simplify_all(row)).collect();
        let mut rates: FxHashMap<Symbol, Expr> = FxHashMap::default();
        rates.insert(w.g.time(), w.g.one());
        for i in 0..2 {
            rates.insert(two.r[i], w.g.symbol(two.v[i]));
            rates.insert(two.v[i], forces[i]);
        }
        Some((Flow { rates, forces, damping }, mass))
    }

    fn along(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.directional(e, &self.rates)
    }

    /// Φ.
    fn curvature(&self, w: &mut Workbench, two: &Two) -> Matrix {
        let mut phi = Vec::new();
        for c in 0..2 {
            let mut row = Vec::new();
            for b in 0..2 {
                let rate = self.along(w, self.damping[c][b]);
                let by_r = w.g.diff(self.forces[c], two.r[b]);
                let column = [self.damping[0][b], self.damping[1][b]];
                let square = w.g.dot_product(&self.damping[c], &column);
                let half = |n: i64, d: i64| Rational::new(n, d).unwrap_or_default();
                let terms = [(rate, half(1, 2)), (by_r, Rational::MINUS_ONE), (square, half(-1, 4))];
                let e = w.g.linear(Rational::ZERO, terms);
                row.push(w.simplify(e));
            }
            phi.push(row);
        }
        phi
    }

    /// ∇Φ = DΦ − ½[∂F/∂ṙ, Φ].
    fn covariant(&self, w: &mut Workbench, phi: &Matrix) -> Matrix {
        let left = w.g.matrix_product(&self.damping, phi);
        let right = w.g.matrix_product(phi, &self.damping);
        let half = Rational::new(1, 2).unwrap_or_default();
        let mut out = Vec::new();
        for c in 0..2 {
            let mut row = Vec::new();
            for b in 0..2 {
                let rate = self.along(w, phi[c][b]);
                let terms = [(rate, Rational::ONE), (left[c][b], -half.clone()), (right[c][b], half.clone())];
                let e = w.g.linear(Rational::ZERO, terms);
                row.push(w.simplify(e));
            }
            out.push(row);
        }
        out
    }
}

/// gΦ symmetric: the coefficients of g_11, g_12, g_22 in (gΦ)_12 − (gΦ)_21.
fn symmetric(w: &mut Workbench, phi: &Matrix) -> Vec<Expr> {
    vec![phi[0][1], w.g.sub(phi[1][1], phi[0][0]), w.g.neg(phi[1][0])]
}

/// Answers the problem as far as it can be answered.
pub(super) fn douglas(w: &mut Workbench, two: &Two, generic: &mut Generic) -> Douglas {
    let Some((flow, mass)) = Flow::of(w, two) else { return Douglas::Open };
    // Each derivative of a long product is much longer.
    let phi = flow.curvature(w, two);
    if w.g.work.is_over() {
        return Douglas::Open;
    }
    let first = flow.covariant(w, &phi);
    if w.g.work.is_over() {
        return Douglas::Open;
    }
    let second = flow.covariant(w, &first);
    let rows: Matrix = [&phi, &first, &second].map(|m| symmetric(w, m)).to_vec();
    let determinant = w.g.determinant(&rows);
    if vanishes(w, determinant).is_refuted() {
        return Douglas::None(w.simplify(determinant));
    }
    let condition = rows[0].clone();
    for literal in [true, false] {
        let mut points = if literal { generic.literal() } else { generic.clone() };
        if let Some(g) = factors(w, two, &flow, &mass, &condition, &mut points)
            && let Some(found) = construct(w, two, &flow, g, generic)
        {
            return found;
        }
    }
    Douglas::Open
}

/// A regular g among the combinations that are tried.
fn factors(
    w: &mut Workbench,
    two: &Two,
    flow: &Flow,
    mass: &Matrix,
    condition: &[Expr],
    generic: &mut Generic,
) -> Option<Matrix> {
    let basis = candidates(w, two, flow, mass, generic);
    let mut expressions = Vec::new();
    for g in &basis {
        for (a, b) in [(0, 0), (0, 1), (1, 1)] {
            let rate = flow.along(w, g[a][b]);
            let mut terms = vec![(rate, Rational::ONE)];
            for (x, y) in [(a, b), (b, a)] {
                let column = [flow.damping[0][y], flow.damping[1][y]];
                let product = w.g.dot_product(&g[x], &column);
                terms.push((product, Rational::new(1, 2)?));
            }
            expressions.push(w.g.linear(Rational::ZERO, terms));
        }
        expressions.push(w.g.dot_product(condition, &[g[0][0], g[0][1], g[1][1]]));
    }
    let at = evaluator(&mut w.g, &expressions);
    let count = basis.len();
    let echelon = vanishing(count, || {
        let values = generic.values(&w.g, &at)?;
        Some((0..4).map(|j| (0..count).map(|m| values[4 * m + j]).collect::<Vec<Fp>>()).collect())
    })?;
    let mut all = vec![vec![w.g.zero(); 2]; 2];
    let mut tried: Vec<Matrix> = Vec::new();
    for c in echelon.null_space() {
        let Some(c) = lift_all(&c) else { continue };
        let mut g = vec![vec![w.g.zero(); 2]; 2];
        for a in 0..2 {
            for b in 0..2 {
                let terms: Vec<(Expr, Rational)> = basis.iter().zip(&c).map(|(m, c)| (m[a][b], c.clone())).collect();
                let e = w.g.linear(Rational::ZERO, terms);
                g[a][b] = w.simplify(e);
                all[a][b] = w.g.add(all[a][b], g[a][b]);
            }
        }
        tried.push(g);
    }
    tried.push(all);
    tried.into_iter().find(|g| {
        let determinant = w.g.determinant(g);
        vanishes_in_general(w, determinant).is_refuted()
    })
}

/// The inertia and the unit matrices, times the multipliers of each equation.
fn candidates(w: &mut Workbench, two: &Two, flow: &Flow, mass: &Matrix, generic: &mut Generic) -> Vec<Matrix> {
    let t = w.g.time();
    let mut scalars = vec![w.g.one()];
    for a in 0..2 {
        let rate = w.g.neg(flow.damping[a][a]);
        let rate = w.simplify(rate);
        let of_time = two.r.iter().chain(two.v).all(|&s| !w.g.depends_on(rate, s));
        if let (true, Some(m)) = (of_time, exponential(w, &[t], &[rate], &[], generic)) {
            scalars.push(w.simplify(m));
        }
    }
    if let [_, x, y] = scalars[..] {
        let product = w.g.mul(x, y);
        let root = w.g.sqrt(product);
        scalars.push(w.simplify(root));
    }
    scalars.dedup();
    let (zero, one) = (w.g.zero(), w.g.one());
    let mut matrices = Vec::new();
    if mass.iter().flatten().all(|&e| !w.g.depends_on_any(e, two.v)) {
        matrices.push(mass.clone());
    }
    matrices.push(vec![vec![one, zero], vec![zero, zero]]);
    matrices.push(vec![vec![zero, zero], vec![zero, one]]);
    matrices.push(vec![vec![zero, one], vec![one, zero]]);
    let mut list: Vec<Matrix> = Vec::new();
    for &scalar in &scalars {
        for m in &matrices {
            let scaled: Matrix = m.iter().map(|row| row.iter().map(|&e| w.g.mul(scalar, e)).collect()).collect();
            if !list.contains(&scaled) {
                list.push(scaled);
            }
        }
    }
    list
}

/// Θ = ½ ṙᵀgṙ + A·ṙ − U for g free of velocities.
fn construct(w: &mut Workbench, two: &Two, flow: &Flow, g: Matrix, generic: &mut Generic) -> Option<Douglas> {
    let speeds: Vec<Expr> = two.v.iter().map(|&s| w.g.symbol(s)).collect();
    let lowered = w.g.matrix_vector(&g, &speeds);
    let square = w.g.dot_product(&lowered, &speeds);
    let kinetic = w.g.scale(square, &Rational::new(1, 2)?);
    // What Lagrange's operator of the quadratic part leaves along the motion: ω_ab ṙ_b + s_a.
    let mut left = Vec::new();
    for i in 0..2 {
        let rate = flow.along(w, lowered[i]);
        let by_r = w.g.diff(kinetic, two.r[i]);
        let e = w.g.sub(rate, by_r);
        left.push(w.simplify(e));
    }
    let turning = w.g.diff(left[0], two.v[1]);
    let turning = w.simplify(turning);
    let mut potential_terms = Vec::new();
    let mut linear = w.g.zero();
    if !w.g.is_zero(turning) {
        // A = (0, A_2) with ∂A_2/∂r_1 = ω_12: d/dt A_2 − ∂(A·ṙ)/∂r_2 on the second equation, −∂A_2/∂r_1 ṙ_2 on the first.
        if w.g.depends_on_any(turning, two.v) {
            return None;
        }
        let a2 = potential(w, &[two.r[0]], &[turning], &[], generic)?;
        linear = w.g.mul(a2, speeds[1]);
    }
    for i in 0..2 {
        let p = w.g.diff(linear, two.v[i]);
        let rate = flow.along(w, p);
        let by_r = w.g.diff(linear, two.r[i]);
        let more = w.g.sub(rate, by_r);
        let e = w.g.add(left[i], more);
        let e = w.simplify(e);
        if w.g.depends_on_any(e, two.v) {
            return None;
        }
        potential_terms.push(w.g.neg(e));
    }
    let energy = potential(w, two.r, &potential_terms, &[], generic)?;
    let theta = w.g.sum([kinetic, linear]);
    let theta = w.g.sub(theta, energy);
    let theta = w.simplify(theta);
    let mut verified = Known::Proved;
    for i in 0..2 {
        let p = w.g.diff(theta, two.v[i]);
        let rate = w.g.time_derivative(p);
        let by_r = w.g.diff(theta, two.r[i]);
        let mut terms = vec![(rate, Rational::ONE), (by_r, Rational::MINUS_ONE)];
        for b in 0..2 {
            let acceleration = w.g.symbol(two.a[b]);
            let equation = w.g.sub(acceleration, flow.forces[b]);
            terms.push((w.g.mul(g[i][b], equation), Rational::MINUS_ONE));
        }
        let e = w.g.linear(Rational::ZERO, terms);
        verified = verified.and(vanishes(w, e));
    }
    if !verified.holds() {
        return None;
    }
    let last = w.g.determinant(&g);
    Some(Douglas::Found { factors: g, potential: theta, last_multiplier: w.simplify(last), verified })
}
