//! Poincaré's equations with more operators than degrees of freedom.
//!
//! ```text
//! q̇ = Σ_s η_s X_s q,   [X_μ, X_s] = Σ_ρ c^ρ_μs X_ρ
//! d/dt ∂L*/∂η_s = Σ_μρ c^ρ_μs η_μ ∂L*/∂η_ρ + X_s L* + Q·X_s,    s = 1…r        (1)
//! Σ_s K_s η_s = 0   for every K with Σ_s K_s X_s = 0                             (2)
//! ```
//! Each of (1) is the work along X_s, and all of them hold; l of them are independent. The η that give a velocity differ by what
//! moves nothing: (2) takes the least of them, and completes (1), which holds whatever is taken.

use super::Equations;
use crate::expr::ansatz::{Echelon, lift_all};
use crate::expr::{Expr, Formula, Matrix, Symbol, transpose};
use crate::mechanics::{Generic, Workbench};
use rustc_hash::FxHashMap;

/// Points at which structure constants are sought.
const POINTS: usize = 12;

/// Fields by coordinates (rows) and operators (columns), and coefficients c^ρ_μs as `c[ρ][μ][s]`.
struct Fields {
    names: Vec<Symbol>,
    x: Matrix,
    /// Rows and columns of a minor that is not zero, of the order of the degrees of freedom.
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// (1) completed by (2).
pub(super) fn redundant(w: &mut Workbench, form: &'static str) -> Result<Equations, String> {
    w.independent_constraints()?;
    let fields = Fields::of(w)?;
    let (structure, constant) = fields.structure(w)?;
    let kernel = fields.kernel(w)?;
    let r = fields.names.len();
    let system = w.system.clone();
    let eta: Vec<Expr> = fields.names.iter().map(|&s| w.g.symbol(s)).collect();
    let rates: Vec<Symbol> = fields.names.iter().map(|&s| w.g.dot(s)).collect();
    let velocities = w.g.matrix_vector(&fields.x, &eta);
    let insert: FxHashMap<Symbol, Expr> = system.velocities.iter().copied().zip(velocities.iter().copied()).collect();
    let mut along: FxHashMap<Symbol, Expr> =
        system.coordinates.iter().copied().zip(velocities.iter().copied()).collect();
    along.extend(fields.names.iter().zip(&rates).map(|(&s, &dot)| (s, w.g.symbol(dot))));
    along.insert(w.g.time(), w.g.one());
    let lagrangian = w.g.sub(system.kinetic, system.potential);
    let lagrangian = w.g.substitute(lagrangian, &insert);
    let lagrangian = w.simplify(lagrangian);
    let momenta: Vec<Expr> = fields.names.iter().map(|&s| w.g.diff(lagrangian, s)).collect();
    let forces = w.g.substitute_all(&system.forces, &insert);
    let mut eq = Equations { form, own: r, unknowns: rates, ..Default::default() };
    let columns = transpose(&fields.x);
    for s in 0..r {
        let mut terms = Formula::from(w.g.directional(momenta[s], &along));
        for i in 0..system.n() {
            let by_q = w.g.diff(lagrangian, system.coordinates[i]);
            terms -= columns[s][i] * by_q;
            terms -= columns[s][i] * forces[i];
        }
        for (rho, &momentum) in momenta.iter().enumerate() {
            for mu in 0..r {
                terms -= w.g.product([structure[rho][mu][s], eta[mu], momentum]);
            }
        }
        eq.equations.push(w.g.of(terms)); // (1)
        eq.directions.push(columns[s].clone());
    }
    for k in &kernel {
        let moves_nothing = w.g.dot_product(k, &eta);
        eq.equations.push(w.g.directional(moves_nothing, &along)); // (2), differentiated
    }
    eq.accelerations =
        system.accelerations.iter().copied().zip(velocities.iter().map(|&e| w.g.directional(e, &along))).collect();
    eq.velocities = system.velocities.iter().copied().zip(velocities).collect();
    eq.variables = fields.least(w, &kernel)?;
    eq.notes.push(format!("{r} operators for {} degrees of freedom: {}", system.n() - system.k(), fields.listed(w)));
    eq.notes.push(if constant {
        "the structure coefficients are constant: a Lie algebra, Poincaré's case".into()
    } else {
        "the structure coefficients vary: not a Lie algebra".into()
    });
    eq.show("Lagrangian in the parameters of the operators", "L*", lagrangian);
    for rho in 0..r {
        for (mu, s) in (0..r).flat_map(|mu| (mu + 1..r).map(move |s| (mu, s))) {
            if !w.g.is_zero(structure[rho][mu][s]) {
                let [a, b, c] = [rho, mu, s].map(|i| w.g.name(fields.names[i]).to_owned());
                eq.show("structure coefficient", format!("c^{a}[{b},{c}]"), structure[rho][mu][s]);
            }
        }
    }
    Ok(eq)
}

impl Fields {
    fn of(w: &mut Workbench) -> Result<Fields, String> {
        let system = w.system.clone();
        let names: Vec<Symbol> = system.operators.iter().map(|o| o.symbol).collect();
        let x = transpose(&system.operators.iter().map(|o| o.field.clone()).collect::<Vec<_>>());
        let time = w.g.time();
        if x.iter().flatten().any(|&e| w.g.depends_on(e, time)) {
            return Err("more operators than degrees of freedom depend on t".into());
        }
        // Are these directions allowed?
        let d = w.dynamics();
        for (s, &name) in names.iter().enumerate() {
            for (j, c) in system.constraints.iter().enumerate() {
                let column: Vec<Expr> = x.iter().map(|row| row[s]).collect();
                let leaves = w.g.dot_product(&d.a[j], &column);
                let leaves = w.simplify(leaves);
                if !w.g.is_zero(leaves) {
                    let operator = w.g.name(name);
                    return Err(format!("operator `{operator}` leads away from constraint `{}`", c.name));
                }
            }
        }
        let (rows, columns) = minor(w, &x, system.n() - system.k())?;
        Ok(Fields { names, x, rows, columns })
    }

    fn listed(&self, w: &Workbench) -> String {
        self.names.iter().map(|&s| w.g.name(s)).collect::<Vec<_>>().join(", ")
    }

    /// [X_μ, X_s] by coordinates.
    fn commutator(&self, w: &mut Workbench, mu: usize, s: usize) -> Vec<Expr> {
        let q = w.system.coordinates.clone();
        (0..q.len())
            .map(|i| {
                let mut terms = Formula::ZERO;
                for (j, &qj) in q.iter().enumerate() {
                    let (a, b) = (w.g.diff(self.x[i][s], qj), w.g.diff(self.x[i][mu], qj));
                    terms += self.x[j][mu] * a;
                    terms -= self.x[j][s] * b;
                }
                w.simplify(terms)
            })
            .collect()
    }

    /// The structure coefficients, and whether they are constant.
    fn structure(&self, w: &mut Workbench) -> Result<(Vec<Matrix>, bool), String> {
        let r = self.names.len();
        let mut c = vec![vec![vec![w.g.zero(); r]; r]; r];
        let mut constant = true;
        for (mu, s) in (0..r).flat_map(|mu| (mu + 1..r).map(move |s| (mu, s))) {
            let commutator = self.commutator(w, mu, s);
            let found = match self.constants(w, &commutator) {
                Some(found) => found,
                None => {
                    constant = false;
                    self.coefficients(w, &commutator).ok_or_else(|| {
                        let [a, b] = [mu, s].map(|i| w.g.name(self.names[i]).to_owned());
                        format!("the commutator of `{a}` and `{b}` is no combination of the operators")
                    })?
                }
            };
            for (rho, e) in found.into_iter().enumerate() {
                c[rho][s][mu] = w.g.neg(e);
                c[rho][mu][s] = e;
            }
        }
        Ok((c, constant))
    }

    /// Rational numbers c with Σ c_ρ X_ρ = the commutator, identically.
    fn constants(&self, w: &mut Workbench, commutator: &[Expr]) -> Option<Vec<Expr>> {
        let r = self.names.len();
        let list: Vec<Expr> = self.x.iter().flatten().chain(commutator).copied().collect();
        let evaluator = crate::mechanics::evaluator(&mut w.g, &list);
        let mut generic = Generic::new(&mut w.g, &w.system);
        let mut echelon = Echelon::new(r + 1);
        for _ in 0..POINTS {
            let values = generic.values(&w.g, &evaluator)?;
            let (x, sides) = values.split_at(values.len() - commutator.len());
            for (row, &side) in x.chunks(r).zip(sides) {
                echelon.push(row.iter().copied().chain([side]).collect());
            }
        }
        let found = echelon.null_space().into_iter().find(|v| v.last().is_some_and(|x| !x.is_zero()))?;
        // The last column is its own there, with a one.
        let numbers = lift_all(&found)?;
        let c: Vec<Expr> = numbers[..r].iter().map(|x| w.g.number(-x)).collect();
        self.gives(w, &c, commutator).then_some(c)
    }

    /// Functions c that are zero but for the operators of the minor.
    fn coefficients(&self, w: &mut Workbench, commutator: &[Expr]) -> Option<Vec<Expr>> {
        let inverse = self.inverse_minor(w)?;
        let side: Vec<Expr> = self.rows.iter().map(|&i| commutator[i]).collect();
        let solved = w.g.matrix_vector(&inverse, &side);
        let mut c = vec![w.g.zero(); self.names.len()];
        for (&column, e) in self.columns.iter().zip(solved) {
            c[column] = w.simplify(e);
        }
        self.gives(w, &c, commutator).then_some(c)
    }

    fn gives(&self, w: &mut Workbench, c: &[Expr], side: &[Expr]) -> bool {
        self.x.iter().zip(side).all(|(row, &side)| {
            let sum = w.g.dot_product(row, c);
            let rest = w.simplify(sum - side);
            w.g.is_zero(rest)
        })
    }

    fn inverse_minor(&self, w: &mut Workbench) -> Option<Matrix> {
        let minor: Matrix = self.rows.iter().map(|&i| self.columns.iter().map(|&s| self.x[i][s]).collect()).collect();
        w.inverse(&minor)
    }

    /// Combinations of the operators that move nothing.
    fn kernel(&self, w: &mut Workbench) -> Result<Matrix, String> {
        let inverse =
            self.inverse_minor(w).ok_or("the operators do not span the velocities that the constraints allow")?;
        let mut list = Vec::new();
        for s in (0..self.names.len()).filter(|s| !self.columns.contains(s)) {
            let side: Vec<Expr> = self.rows.iter().map(|&i| self.x[i][s]).collect();
            let solved = w.g.matrix_vector(&inverse, &side);
            let mut k = vec![w.g.zero(); self.names.len()];
            k[s] = w.g.one();
            for (&column, e) in self.columns.iter().zip(solved) {
                k[column] = w.simplify(-Formula::from(e));
            }
            let nothing = vec![w.g.zero(); self.x.len()];
            if !self.gives(w, &k, &nothing) {
                return Err("the operators are dependent on the finite constraints only".into());
            }
            list.push(k);
        }
        Ok(list)
    }

    /// The least η for a velocity: (XᵀX + KᵀK)⁻¹ Xᵀ q̇.
    fn least(&self, w: &mut Workbench, kernel: &Matrix) -> Result<Vec<(Symbol, Expr)>, String> {
        let turned = transpose(&self.x);
        let mut square = w.g.matrix_product(&turned, &self.x);
        let own = w.g.matrix_product(&transpose(kernel), kernel);
        for (row, more) in square.iter_mut().zip(own) {
            for (e, more) in row.iter_mut().zip(more) {
                *e = w.simplify(*e + more);
            }
        }
        let inverse = w.inverse_or(&square, "the parameters of the operators are not determined by the velocities")?;
        let velocities: Vec<Expr> = w.system.velocities.clone().iter().map(|&v| w.g.symbol(v)).collect();
        let right = w.g.matrix_vector(&turned, &velocities);
        let solved = w.g.matrix_vector(&inverse, &right);
        Ok(self.names.iter().copied().zip(w.simplify_all(&solved)).collect())
    }
}

/// Rows and columns of a minor of this order that is not zero at a generic point.
fn minor(w: &mut Workbench, x: &Matrix, order: usize) -> Result<(Vec<usize>, Vec<usize>), String> {
    let list: Vec<Expr> = x.iter().flatten().copied().collect();
    let evaluator = crate::mechanics::evaluator(&mut w.g, &list);
    let mut generic = Generic::new(&mut w.g, &w.system);
    let values = generic.values(&w.g, &evaluator).ok_or("the operators have no value at a generic position")?;
    let r = x.first().map_or(0, Vec::len);
    let matrix: Vec<&[crate::expr::field::Fp]> = values.chunks(r.max(1)).collect();
    let mut rows = Vec::new();
    let mut by_rows = Echelon::new(r);
    for (i, row) in matrix.iter().enumerate() {
        if by_rows.push(row.to_vec()) {
            rows.push(i);
        }
    }
    let mut columns = Vec::new();
    let mut by_columns = Echelon::new(rows.len());
    for s in 0..r {
        if by_columns.push(rows.iter().map(|&i| matrix[i][s]).collect()) {
            columns.push(s);
        }
    }
    match rows.len() {
        found if found == order => Ok((rows, columns)),
        found => Err(format!("the operators span {found} directions, and the constraints allow {order}")),
    }
}
