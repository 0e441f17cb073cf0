//! Quantities that stay constant: momenta of horizontal symmetries, linear integrals, generalised energies.
//!
//! A generator ξ gives the momentum p·ξ with
//! ```text
//! d(p·ξ)/dt = ξ⁽¹⁾(T − V) + Q·ξ + Σ_j λ_j (A ξ)_j,
//! ```
//! so p·ξ is conserved when ξ is a symmetry of the energies and forces and horizontal, A ξ = 0. Generators are sought among the
//! constant combinations of translations along coordinates and rotations of pairs of them. Beyond that, F = Σ c_k b_k(q) q̇_i
//! with functions b_k read off the energies is an integral iff dF/dt vanishes at every admissible state with the accelerations of
//! the motion there: a linear system for the numbers c_k.

use super::candidates::{Candidates, atoms_of, constant_factors};
use crate::expr::Known;
use crate::expr::ansatz::{Echelon, lift_all, vanishing};
use crate::expr::field::{Fp, rank};
use crate::expr::{Expr, Formula, Function, Node, Rational, Symbol};
use crate::mechanics::Admissible;
use crate::mechanics::Generic;
use crate::mechanics::Workbench;
use rustc_hash::FxHashSet;

/// A quantity that the motion keeps constant.
#[derive(Clone, Debug)]
pub struct Conserved {
    /// A short name: `energy`, `p_x`, `linear_1`.
    pub name: String,
    /// What it is, for people.
    pub kind: ConservedKind,
    /// Its expression in t, q, q̇.
    pub expr: Expr,
    /// What stands in it beside T + V, of a generalised energy where Jacobi's function is T + V.
    pub beside_energy: Option<Expr>,
    /// How it is known.
    pub certainty: Known,
}

impl Conserved {
    /// A quantity by its whole expression.
    pub fn of(name: String, kind: ConservedKind, expr: Expr, certainty: Known) -> Conserved {
        Conserved { name, kind, expr, beside_energy: None, certainty }
    }
}

/// Where a conserved quantity comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConservedKind {
    /// T + V.
    Energy,
    /// Jacobi's function Σ p q̇ − T + V.
    Jacobi,
    /// Jacobi's function with a function of position or a momentum added.
    GeneralisedEnergy,
    /// The momentum of a horizontal symmetry.
    Momentum,
    /// Linear in the velocities.
    Linear,
    /// A ratio of two velocities: the direction of the motion.
    Direction,
    /// A definition of the model.
    Defined,
}

/// Columns of one search: the cost of elimination grows with the cube.
const COLUMNS: usize = 90;

/// Looks for conserved quantities other than those already `known`. `relations` are functions of position that the
/// constraints keep constant: multiplying by them gives nothing new.
pub fn conserved_quantities(
    w: &mut Workbench,
    generic: &Generic,
    known: &[Conserved],
    jacobi: Option<Expr>,
    relations: &[Expr],
) -> Vec<Conserved> {
    let mut search = Search { found: known.to_vec(), relations: relations.to_vec() };
    let (Some(mut motions), Some(mut letters)) = (Admissible::of(w, generic), Admissible::of(w, &generic.literal()))
    else {
        return Vec::new();
    };
    search.momenta(w, &mut motions, &mut letters, generic);
    search.linear(w, &mut motions, &mut letters, generic);
    if let Some(h) = jacobi {
        search.generalised_energy(w, &mut motions, &mut letters, h);
    }
    search.directions(w, &mut motions);
    search.definitions(w, &mut motions);
    search.found.split_off(known.len())
}

struct Search {
    found: Vec<Conserved>,
    relations: Vec<Expr>,
}

impl Search {
    /// Momenta p·ξ of horizontal symmetries.
    fn momenta(&mut self, w: &mut Workbench, motions: &mut Admissible, letters: &mut Admissible, generic: &Generic) {
        let d = w.dynamics();
        let n = w.system.n();
        let generators = generators(w);
        let lagrangian = w.g.sub(w.system.kinetic, w.system.potential);
        let by_q = w.g.gradient(lagrangian, &w.system.coordinates);
        let mut columns: Vec<Vec<Expr>> = Vec::new();
        for xi in &generators {
            let rates: Vec<Expr> = xi.iter().map(|&e| w.g.time_derivative(e)).collect();
            let mut terms = Formula::ZERO;
            for (i, &p) in d.momenta.iter().enumerate() {
                let force = w.g.add(by_q[i], w.system.forces[i]);
                terms += xi[i] * force;
                terms += rates[i] * p;
            }
            let mut column = vec![w.g.of(terms)];
            for row in &d.a {
                column.push(w.g.dot_product(row, xi));
            }
            columns.push(column);
        }
        for c in lifted(w, motions, letters, &columns, false) {
            let sum = Combination::of(w, letters, generic, &columns, &c, false);
            let mut field = vec![w.g.zero(); n];
            for (xi, &c) in generators.iter().zip(&sum.coefficients) {
                for (total, &part) in field.iter_mut().zip(xi) {
                    *total = w.g.of(*total + part * c);
                }
            }
            let expr = w.g.dot_product(&field, &d.momenta);
            let expr = sum.valid(w, expr);
            let expr = w.simplify(expr);
            let moved: Vec<usize> = (0..n).filter(|&i| !w.g.is_zero(field[i])).collect();
            let name = match moved[..] {
                [i] if w.g.is_one(field[i]) => format!("p_{}", w.g.name(w.system.coordinates[i])),
                _ => self.numbered("momentum"),
            };
            let proved = sum.is_proved(w, &columns);
            self.keep(w, motions, Conserved::of(name, ConservedKind::Momentum, expr, Known::proved_if(proved)));
        }
    }

    /// Integrals linear in the velocities.
    fn linear(&mut self, w: &mut Workbench, motions: &mut Admissible, letters: &mut Admissible, generic: &Generic) {
        let basis = linear_basis(w);
        let basis = self.independent_on_constraints(w, motions, basis);
        let columns: Vec<Vec<Expr>> = basis.iter().map(|&e| vec![w.g.time_derivative(e)]).collect();
        for c in lifted(w, motions, letters, &columns, true) {
            let sum = Combination::of(w, letters, generic, &columns, &c, true);
            let expr = w.g.dot_product(&sum.coefficients, &basis);
            let expr = sum.valid(w, expr);
            let name = self.numbered("linear");
            self.keep(w, motions, Conserved::of(name, ConservedKind::Linear, expr, Known::TESTED));
        }
    }

    /// h + functions of position + momenta.
    fn generalised_energy(
        &mut self,
        w: &mut Workbench,
        motions: &mut Admissible,
        letters: &mut Admissible,
        jacobi: Expr,
    ) {
        if self
            .found
            .iter()
            .any(|c| matches!(c.kind, ConservedKind::Energy | ConservedKind::Jacobi | ConservedKind::GeneralisedEnergy))
        {
            return;
        }
        let mut candidates = Candidates::default();
        for i in 0..w.system.n() {
            candidates.antiderivatives(&mut w.g, w.system.forces[i], w.system.coordinates[i]);
        }
        let d = w.dynamics();
        let mut rates: Vec<Expr> = Vec::new();
        let mut affine = false;
        for &phi in d.velocity_constraints.iter().flatten() {
            let offset = w.g.without(phi, &w.system.velocities);
            affine |= !w.g.is_zero(offset);
            for factor in constant_factors(&mut w.g, offset) {
                if w.g.as_number(factor).is_none() && !rates.contains(&factor) {
                    rates.push(factor);
                }
            }
        }
        if affine {
            for e in functions_of_position(w) {
                candidates.add(&mut w.g, e);
            }
        }
        let mut basis: Vec<Expr> = candidates
            .sorted(&w.g, COLUMNS / 2)
            .into_iter()
            .filter(|&e| !w.g.depends_on_any(e, &w.system.velocities))
            .collect();
        if affine {
            // Moving energies: h − Σ c p·ξ with the momenta of translations and rotations, times the drift's constants.
            for xi in generators(w) {
                let momentum = w.g.dot_product(&xi, &d.momenta);
                basis.push(momentum);
                for &rate in &rates {
                    basis.push(w.g.mul(rate, momentum));
                }
            }
            let more = linear_basis(w);
            basis.extend(more.into_iter().take(COLUMNS / 2));
        }
        let Some(valued) = self.completed(w, motions, &basis, jacobi) else { return };
        let (rest, expr) = match self.completed(w, letters, &basis, jacobi) {
            Some(rest) => (rest, w.g.add(jacobi, rest)),
            None => {
                let whole = w.g.add(jacobi, valued);
                (with_values(w, valued), with_values(w, whole))
            }
        };
        let (kinetic, potential) = (w.system.kinetic, w.system.potential);
        let difference = w.simplify(jacobi - kinetic - potential);
        let beside_energy = w.g.is_zero(difference).then(|| w.simplify(rest));
        let (name, kind) = ("generalised_energy".to_owned(), ConservedKind::GeneralisedEnergy);
        self.keep(w, motions, Conserved { name, kind, expr, beside_energy, certainty: Known::TESTED });
    }

    /// Σ c_k b_k so that h + Σ c_k b_k is conserved, if there is such a combination.
    fn completed(&self, w: &mut Workbench, motions: &mut Admissible, basis: &[Expr], jacobi: Expr) -> Option<Expr> {
        let mut basis = self.independent_on_constraints(w, motions, basis.to_vec());
        // Last, so that it is the free column.
        basis.push(jacobi);
        let last = basis.len() - 1;
        let columns: Vec<Vec<Expr>> = basis.iter().map(|&e| vec![w.g.time_derivative(e)]).collect();
        let space = null_columns(w, motions, &columns, true)?.null_space();
        let mut c = lift_all(space.iter().find(|c| !c[last].is_zero())?)?;
        let scale = c[last].recip()?;
        c.iter_mut().for_each(|x| *x = &*x * &scale);
        basis.pop();
        Some(w.g.linear(Rational::ZERO, basis.into_iter().zip(c)))
    }

    /// Ratios of two velocities.
    fn directions(&mut self, w: &mut Workbench, motions: &mut Admissible) {
        let n = w.system.n();
        w.g.work.charge(motions.cost(w, true));
        let Some(point) = motions.moving(w) else { return };
        let value = |s: &Symbol| point.symbol(*s);
        let v: Vec<Fp> = w.system.velocities.iter().map(value).collect();
        let a: Vec<Fp> = w.system.accelerations.iter().map(value).collect();
        for i in 0..n {
            // At one state most of the pairs turn.
            for j in (i + 1..n).filter(|&j| v[i] * a[j] == v[j] * a[i]) {
                let symbols = [
                    w.system.velocities[i],
                    w.system.velocities[j],
                    w.system.accelerations[i],
                    w.system.accelerations[j],
                ];
                let [vi, vj, ai, aj] = symbols.map(|s| w.g.symbol(s));
                let (x, y) = (w.g.mul(vi, aj), w.g.mul(vj, ai));
                let turning = w.g.sub(x, y);
                if motions.vanishes(w, turning) {
                    let expr = w.g.div(vj, vi);
                    let name = format!(
                        "direction_{}_{}",
                        w.g.name(w.system.coordinates[j]),
                        w.g.name(w.system.coordinates[i])
                    );
                    self.keep(w, motions, Conserved::of(name, ConservedKind::Direction, expr, Known::TESTED));
                }
            }
        }
    }

    fn numbered(&self, stem: &str) -> String {
        let count = self.found.iter().filter(|c| c.name.starts_with(stem)).count();
        format!("{stem}_{}", count + 1)
    }

    /// What the author gave a name: integrals too involved for a search, such as the angular momentum about a moving point.
    fn definitions(&mut self, w: &mut Workbench, motions: &mut Admissible) {
        for d in w.system.definitions.clone() {
            if !w.g.depends_on_any(d.expr, &w.system.velocities) {
                continue;
            }
            let rate = w.g.time_derivative(d.expr);
            if motions.vanishes(w, rate) {
                self.keep(w, motions, Conserved::of(d.name, ConservedKind::Defined, d.expr, Known::TESTED));
            }
        }
    }

    /// Keeps a quantity that is independent of those already found, of the constraints and of the relations.
    fn keep(&mut self, w: &mut Workbench, motions: &mut Admissible, new: Conserved) {
        let mut functions = self.relations.clone();
        // A momentum is worth telling even where it is a function of the energy and other momenta; a definition is not.
        let quadratic = |k: ConservedKind| {
            matches!(k, ConservedKind::Energy | ConservedKind::Jacobi | ConservedKind::GeneralisedEnergy)
        };
        let all = new.kind == ConservedKind::Defined;
        functions.extend(self.found.iter().filter(|c| all || !quadratic(c.kind)).map(|c| c.expr));
        if adds(w, motions, &functions, new.expr) {
            self.found.push(new);
        }
    }

    /// Drops from a basis what the constraints make a combination of the rest; simple functions stay.
    fn independent_on_constraints(&self, w: &mut Workbench, motions: &mut Admissible, basis: Vec<Expr>) -> Vec<Expr> {
        let columns: Vec<Vec<Expr>> = basis.iter().map(|&e| vec![e]).collect();
        match null_columns(w, motions, &columns, false) {
            Some(echelon) => echelon.pivots().into_iter().map(|c| basis[c]).collect(),
            None => Vec::new(),
        }
    }
}

/// Is a function of the state independent of others and of the constraints? By the ranks of their gradients at an admissible state.
pub(crate) fn adds(w: &mut Workbench, motions: &mut Admissible, functions: &[Expr], expr: Expr) -> bool {
    let d = w.dynamics();
    let mut symbols: Vec<Symbol> = w.system.coordinates.clone();
    symbols.extend(&w.system.velocities);
    // What a holonomic constraint keeps, x² + y² on a circle, says nothing of the motion.
    let finite = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr);
    let constraints: Vec<Expr> = d.velocity_constraints.iter().flatten().copied().chain(finite).collect();
    let mut rows = Vec::new();
    for &f in constraints.iter().chain(functions).chain([&expr]) {
        rows.extend(symbols.iter().map(|&s| w.g.diff(f, s)));
    }
    let evaluator = motions.evaluator(&mut w.g, &rows);
    let Some(values) = (0..20).find_map(|_| {
        let point = motions.state(w)?;
        evaluator.at(&w.g, &point).ok()
    }) else {
        return false;
    };
    let rows: Vec<Vec<Fp>> = values.chunks(symbols.len()).map(<[Fp]>::to_vec).collect();
    rank(&rows) > rank(&rows[..rows.len() - 1])
}

/// The combinations of columns of expressions that vanish at admissible states, in all entries.
pub(super) fn null_columns(
    w: &mut Workbench,
    motions: &mut Admissible,
    columns: &[Vec<Expr>],
    moving: bool,
) -> Option<Echelon> {
    let height = columns.first()?.len();
    let roots: Vec<Expr> = columns.iter().flatten().copied().collect();
    let evaluator = motions.evaluator(&mut w.g, &roots);
    let cost = motions.cost(w, moving) + evaluator.steps() as u64 / 2;
    vanishing(columns.len(), || {
        let values = (0..20).find_map(|_| {
            if w.g.work.is_spent() {
                return None;
            }
            w.g.work.charge(cost);
            let point = if moving { motions.moving(w) } else { motions.state(w) }?;
            evaluator.at(&w.g, &point).ok()
        })?;
        Some((0..height).map(|r| values.chunks(height).map(|c| c[r]).collect()).collect())
    })
}

/// The vanishing combinations in rational numbers: those that hold for the letters first, then those that need the
/// parameters' values.
pub(crate) fn lifted(
    w: &mut Workbench,
    motions: &mut Admissible,
    letters: &mut Admissible,
    columns: &[Vec<Expr>],
    moving: bool,
) -> Vec<Vec<Rational>> {
    let Some(echelon) = null_columns(w, motions, columns, moving) else { return Vec::new() };
    let valued = echelon.null_space();
    if valued.is_empty() {
        return Vec::new();
    }
    let spread = |width: usize, support: &[usize], c: Vec<Rational>| {
        let mut all = vec![Rational::ZERO; width];
        support.iter().zip(c).for_each(|(&i, x)| all[i] = x);
        all
    };
    // What holds for the letters holds for the values: only columns that take part there need be looked at.
    let support: Vec<usize> = (0..columns.len()).filter(|&c| valued.iter().any(|v| !v[c].is_zero())).collect();
    let few: Vec<Vec<Expr>> = support.iter().map(|&c| columns[c].clone()).collect();
    let mut list: Vec<Vec<Rational>> = Vec::new();
    if let Some(echelon) = null_columns(w, letters, &few, moving) {
        list.extend(echelon.null_space().iter().filter_map(|c| Some(spread(columns.len(), &support, lift_all(c)?))));
    }
    if list.len() < valued.len() {
        list.extend(valued.iter().filter_map(|c| lift_all(c)));
    }
    list
}

/// Puts the parameters' values in: what was found for the values is not a statement about the letters.
pub(crate) fn with_values(w: &mut Workbench, e: Expr) -> Expr {
    let values = w.system.parameter_expressions(&mut w.g);
    w.g.substitute(e, &values)
}

/// A combination of columns that vanishes for the parameters' values, and, where that can be had, for all values.
pub(crate) struct Combination {
    /// Numbers, or products of powers of the parameters.
    pub coefficients: Vec<Expr>,
    /// Does it vanish for all values of the parameters?
    general: bool,
}

impl Combination {
    /// The combination with these numbers, in letters where it needs them.
    pub fn of(
        w: &mut Workbench,
        letters: &mut Admissible,
        generic: &Generic,
        columns: &[Vec<Expr>],
        numbers: &[Rational],
        moving: bool,
    ) -> Combination {
        let plain =
            Combination { coefficients: numbers.iter().map(|c| w.g.number(c.clone())).collect(), general: true };
        let rows = plain.rows(w, columns);
        if rows.into_iter().all(|e| letters.vanishes(w, e)) {
            return plain;
        }
        let support: Vec<usize> = (0..columns.len()).filter(|&k| !numbers[k].is_zero()).collect();
        let few: Vec<Vec<Expr>> = support.iter().map(|&k| columns[k].clone()).collect();
        let Some(list) = super::letters::coefficients(w, generic, &few, moving) else {
            return Combination { general: false, ..plain };
        };
        let mut coefficients = vec![w.g.zero(); columns.len()];
        support.into_iter().zip(list).for_each(|(k, c)| coefficients[k] = c);
        Combination { coefficients, general: true }
    }

    /// What may be said of an expression made with it: with the values of the parameters where it holds for these alone.
    pub fn valid(&self, w: &mut Workbench, e: Expr) -> Expr {
        if self.general { e } else { with_values(w, e) }
    }

    fn rows(&self, w: &mut Workbench, columns: &[Vec<Expr>]) -> Vec<Expr> {
        let height = columns.first().map_or(0, Vec::len);
        (0..height)
            .map(|r| {
                let row: Vec<Expr> = columns.iter().map(|column| column[r]).collect();
                w.g.dot_product(&self.coefficients, &row)
            })
            .collect()
    }

    /// Does it vanish by the normal form?
    fn is_proved(&self, w: &mut Workbench, columns: &[Vec<Expr>]) -> bool {
        self.rows(w, columns).into_iter().all(|e| {
            let e = self.valid(w, e);
            let e = w.simplify(e);
            w.g.is_zero(e)
        })
    }
}

/// Coordinates that occur inside a sine or cosine anywhere: angles.
pub(crate) fn angles(w: &mut Workbench) -> Vec<Symbol> {
    let expressions = everything(w);
    let mut found = Vec::new();
    for e in w.g.reachable(&expressions) {
        if let Node::Call(
            Function::Sin | Function::Cos | Function::Tan | Function::Cot | Function::Sec | Function::Csc,
            x,
        ) = w.g.node(e)
        {
            for s in w.g.free_symbols(&[*x]) {
                if !found.contains(&s) {
                    found.push(s);
                }
            }
        }
    }
    w.system.coordinates.iter().copied().filter(|q| found.contains(q)).collect()
}

fn everything(w: &Workbench) -> Vec<Expr> {
    let mut list = vec![w.system.kinetic, w.system.potential];
    list.extend(w.system.constraints.iter().map(|c| c.expr));
    list
}

/// Translations along each coordinate, and rotations of pairs of coordinates that are not angles.
fn generators(w: &mut Workbench) -> Vec<Vec<Expr>> {
    let n = w.system.n();
    let angles = angles(w);
    let mut list = Vec::new();
    for i in 0..n {
        let mut xi = vec![w.g.zero(); n];
        xi[i] = w.g.one();
        list.push(xi);
    }
    let lengths: Vec<usize> = (0..n).filter(|&i| !angles.contains(&w.system.coordinates[i])).collect();
    for (a, &i) in lengths.iter().enumerate() {
        for &j in &lengths[a + 1..] {
            let mut xi = vec![w.g.zero(); n];
            let (x, y) = (w.g.symbol(w.system.coordinates[i]), w.g.symbol(w.system.coordinates[j]));
            xi[i] = w.g.neg(y);
            xi[j] = x;
            list.push(xi);
        }
    }
    list
}

/// Sines, cosines and roots of position that occur, and products of those of different arguments.
pub(crate) fn functions_of_position(w: &mut Workbench) -> Vec<Expr> {
    let expressions = everything(w);
    let coordinates = w.system.coordinates.clone();
    let mut atoms: Vec<(Expr, Expr)> = atoms_of(&mut w.g, &expressions, &coordinates);
    atoms.retain(|(f, _)| !w.g.depends_on_any(*f, &w.system.velocities));
    let mut list: Vec<Expr> = atoms.iter().map(|(f, _)| *f).collect();
    for (i, &(f, x)) in atoms.iter().enumerate() {
        for &(h, y) in &atoms[i + 1..] {
            if x != y {
                list.push(w.g.mul(f, h));
            }
        }
    }
    list
}

/// All velocities, and b(q)·q̇_s with independent velocities, where b is a function of position that occurs or a coordinate that
/// is no angle; simple ones first.
fn linear_basis(w: &mut Workbench) -> Vec<Expr> {
    let mut basis: Vec<Expr> = w.system.velocities.iter().map(|&v| w.g.symbol(v)).collect();
    let mut factors: Vec<Expr> = Vec::new();
    let expressions = everything(w);
    let angles = angles(w);
    for &q in &w.system.coordinates {
        if !angles.contains(&q) && expressions.iter().any(|&e| w.g.depends_on(e, q)) {
            let e = w.g.symbol(q);
            factors.push(e);
        }
    }
    let mut met: FxHashSet<Expr> = factors.iter().copied().collect();
    factors.extend(functions_of_position(w).into_iter().filter(|&e| met.insert(e)));
    let velocities = match w.split() {
        Ok(split) => split.pick_independent(&w.system.velocities),
        Err(_) => w.system.velocities.clone(),
    };
    factors.truncate(COLUMNS.saturating_sub(basis.len()) / velocities.len().max(1));
    for f in factors {
        for &v in &velocities {
            let v = w.g.symbol(v);
            basis.push(w.g.mul(f, v));
        }
    }
    basis
}

/// Coordinates that occur neither in T nor in V.
pub fn cyclic_coordinates(w: &mut Workbench) -> Vec<Symbol> {
    let mut list = Vec::new();
    let system = w.system.clone();
    for &q in &system.coordinates {
        if w.occurs(system.kinetic, &[q]).is_none() && w.occurs(system.potential, &[q]).is_none() {
            list.push(q);
        }
    }
    list
}
