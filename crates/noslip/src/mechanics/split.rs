//! Independent and dependent velocities: the constraints solved for k of the velocities.
//!
//! ```text
//! q̇_{l+ν} = α_ν(t, q, q̇_1…q̇_l),   α_νs = ∂α_ν/∂q̇_s = −(A_dep⁻¹ A_ind)_νs
//! ```
//! The derivatives of α exist wherever A_dep is regular, also where α has no closed form (x'² + y'² = z'²): the forms
//! are then written with the dependent velocities left standing.

use super::equations::Equations;
use super::regular::{best_choice, regular_choices};
use super::workbench::Workbench;
use crate::expr::{Expr, Formula, Matrix, Symbol};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A choice of dependent velocities, with the constraints solved for them.
#[derive(Clone, Debug)]
pub struct Split {
    /// Indices of the coordinates with independent velocities.
    pub independent: Vec<usize>,
    /// Indices of the coordinates with dependent velocities, one per constraint.
    pub dependent: Vec<usize>,
    /// A_dep⁻¹.
    pub inverse: Matrix,
    /// α_νs = ∂α_ν/∂q̇_s, by rows ν.
    pub alpha_v: Matrix,
    /// α_ν(t, q, q̇_ind), where the constraints are affine in the dependent velocities.
    pub explicit: Option<Vec<Expr>>,
}

impl Split {
    /// The simplest regular split: a determinant that is a number before one with parameters before others, short before
    /// long, and the last coordinates dependent where all else is equal. Velocities that the model itself uses as
    /// quasi-velocities are kept independent if possible.
    pub fn choose(w: &mut Workbench) -> Result<Split, String> {
        w.independent_of_any_order()?;
        if let Some(independent) = w.independent.clone() {
            let dependent: Vec<usize> = (0..w.system.n()).filter(|i| !independent.contains(i)).collect();
            if regular_choices(w, |d| *d == dependent).is_empty() {
                return Err("the constraints do not give the other velocities by these".to_owned());
            }
            return Split::with(w, &dependent);
        }
        let dependent = best_choice(w).ok_or("no choice of dependent velocities is regular")?;
        Split::with(w, &dependent)
    }

    /// The simplest split for which T, the forces and α are free of the dependent coordinates.
    pub fn choose_chaplygin(w: &mut Workbench) -> Result<Split, String> {
        w.independent_constraints()?;
        w.no_second_order()?;
        let preferred = w.split()?.dependent.clone();
        let why = match Split::chaplygin_obstacle(w, &preferred) {
            Ok(split) => return Ok(split),
            Err(why) => why,
        };
        if w.independent.is_some() {
            return Err(why);
        }
        // Only what has nothing against it is worth solving the constraints for.
        let met: Vec<bool> = (0..w.system.n()).map(|i| Split::depends_on(w, &[i]).is_some()).collect();
        let others = regular_choices(w, |d| *d != preferred && !d.iter().any(|&i| met[i]));
        others.iter().find_map(|dependent| Split::chaplygin_obstacle(w, dependent).ok()).ok_or(why)
    }

    /// Why these coordinates are no dependent ones of Chaplygin's, by the energy and the forces.
    fn depends_on(w: &mut Workbench, dependent: &[usize]) -> Option<String> {
        let symbols: Vec<Symbol> = dependent.iter().map(|&i| w.system.coordinates[i]).collect();
        let d = w.dynamics();
        let name = |w: &Workbench, s: Symbol| w.g.name(s).to_owned();
        if let Some(s) = w.occurs(w.system.kinetic, &symbols) {
            return Some(format!("the kinetic energy depends on the dependent coordinate `{}`", name(w, s)));
        }
        d.forces.iter().enumerate().find_map(|(i, &f)| {
            let (s, q) = (w.occurs(f, &symbols)?, w.system.coordinates[i]);
            Some(format!("the force on `{}` depends on the dependent coordinate `{}`", name(w, q), name(w, s)))
        })
    }

    /// Checks Chaplygin's conditions for one set of dependent velocities.
    fn chaplygin_obstacle(w: &mut Workbench, dependent: &[usize]) -> Result<Split, String> {
        let symbols: Vec<Symbol> = dependent.iter().map(|&i| w.system.coordinates[i]).collect();
        let d = w.dynamics();
        let name = |w: &Workbench, s: Symbol| w.g.name(s).to_owned();
        if let Some(why) = Split::depends_on(w, dependent) {
            return Err(why);
        }
        let split = Split::with(w, dependent)?;
        let checked: Vec<Expr> = match &split.explicit {
            Some(alpha) => alpha.clone(),
            // Solved by a function nobody writes down: it contains what the constraints contain.
            None => d.velocity_constraints.iter().flatten().copied().collect(),
        };
        for (nu, e) in checked.into_iter().enumerate() {
            if let Some(s) = w.occurs(e, &symbols) {
                let q = w.system.velocities[dependent[nu.min(dependent.len() - 1)]];
                return Err(format!(
                    "the constraint solved for {} contains the dependent coordinate `{}`",
                    name(w, q),
                    name(w, s)
                ));
            }
        }
        Ok(split)
    }

    /// Solves the constraints for the given velocities.
    pub fn with(w: &mut Workbench, dependent: &[usize]) -> Result<Split, String> {
        let d = w.dynamics();
        let n = w.system.n();
        let independent: Vec<usize> = (0..n).filter(|i| !dependent.contains(i)).collect();
        let a_dep: Matrix = d.a.iter().map(|row| dependent.iter().map(|&i| row[i]).collect()).collect();
        let a_ind: Matrix = d.a.iter().map(|row| independent.iter().map(|&i| row[i]).collect()).collect();
        let inverse = w.inverse_or(&a_dep, "the constraints cannot be solved for these velocities")?;
        let product = w.g.matrix_product(&inverse, &a_ind);
        let mut alpha_v: Matrix = Vec::new();
        for row in product {
            let mut out = Vec::new();
            for e in row {
                out.push(w.simplify(-e));
            }
            alpha_v.push(out);
        }
        let explicit = Split::explicit(w, dependent, &inverse);
        Ok(Split { independent, dependent: dependent.to_vec(), inverse, alpha_v, explicit })
    }

    /// α in closed form: −A_dep⁻¹·φ(q̇_dep = 0), where A_dep is free of the dependent velocities.
    fn explicit(w: &mut Workbench, dependent: &[usize], inverse: &Matrix) -> Option<Vec<Expr>> {
        let d = w.dynamics();
        let symbols: Vec<Symbol> = dependent.iter().map(|&i| w.system.velocities[i]).collect();
        for row in &d.a {
            for &i in dependent {
                if w.g.depends_on_any(row[i], &symbols) && w.occurs(row[i], &symbols).is_some() {
                    return None;
                }
            }
        }
        let mut at_zero = Vec::new();
        for phi in &d.velocity_constraints {
            at_zero.push(w.g.without((*phi)?, &symbols));
        }
        let product = w.g.matrix_vector(inverse, &at_zero);
        let mut alpha = Vec::new();
        for e in product {
            let minus = w.simplify(-e);
            if w.g.depends_on_any(minus, &symbols) {
                return None;
            }
            alpha.push(minus);
        }
        Some(alpha)
    }

    /// Velocities, coordinates or accelerations of the independent coordinates.
    pub fn pick_independent(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        self.independent.iter().map(|&i| symbols[i]).collect()
    }

    /// The same for the dependent ones.
    pub fn pick_dependent(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        self.dependent.iter().map(|&i| symbols[i]).collect()
    }

    /// Directions of the virtual displacements: δq_s = 1, δq_{l+ν} = α_νs; one row per s.
    pub fn directions(&self, w: &Workbench) -> Matrix {
        let n = w.system.n();
        (0..self.independent.len())
            .map(|s| {
                let mut row = vec![w.g.zero(); n];
                row[self.independent[s]] = w.g.one();
                for (nu, &i) in self.dependent.iter().enumerate() {
                    row[i] = self.alpha_v[nu][s];
                }
                row
            })
            .collect()
    }

    /// λ from the dependent equations, 𝓔_dep = A_depᵀ λ, in q̇ and q̈.
    pub fn reactions(&self, w: &mut Workbench) -> Vec<(Symbol, Expr)> {
        let d = w.dynamics();
        let rows: Vec<Expr> = self.dependent.iter().map(|&i| d.operator[i]).collect();
        let mut list = Vec::new();
        for (j, c) in w.system.constraints.iter().enumerate() {
            let column: Vec<Expr> = self.inverse.iter().map(|row| row[j]).collect();
            list.push((c.multiplier, w.g.dot_product(&rows, &column)));
        }
        list
    }

    /// A sentence for people: which velocities were taken as dependent.
    pub fn note(&self, w: &Workbench) -> String {
        let names = |list: &[usize]| {
            list.iter().map(|&i| w.g.name(w.system.velocities[i]).to_owned()).collect::<Vec<_>>().join(", ")
        };
        if self.independent.is_empty() {
            return format!("no velocity is independent: the constraints determine {}", names(&self.dependent));
        }
        if self.dependent.is_empty() {
            return format!("independent velocities: {}; none is dependent", names(&self.independent));
        }
        format!("independent velocities: {}; dependent: {}", names(&self.independent), names(&self.dependent))
    }
}

/// Calculus along the constrained motion for one split: with α inserted where it is explicit, with the dependent
/// velocities left standing where it is not.
pub struct SplitFrame {
    /// The split.
    pub split: Arc<Split>,
    /// q̇_dep → α; empty where α is not explicit.
    insert: FxHashMap<Symbol, Expr>,
    /// Rates of change of everything along the motion.
    rates: FxHashMap<Symbol, Expr>,
    /// T°.
    pub kinetic: Expr,
    /// (∂T/∂q̇_{l+ν})*.
    pub dependent_momenta: Vec<Expr>,
    /// α_νs with α inserted.
    pub alpha_v: Matrix,
    /// q̈_{l+ν} along the motion, in q̈_ind (explicit case).
    pub dependent_accelerations: Option<Vec<Expr>>,
}

impl SplitFrame {
    /// Prepares the calculus.
    pub fn new(w: &mut Workbench, split: Arc<Split>) -> SplitFrame {
        let d = w.dynamics();
        let mut insert = FxHashMap::default();
        let mut rates = FxHashMap::default();
        rates.insert(w.g.time(), w.g.one());
        for i in 0..w.system.n() {
            let (v, a) = (w.g.symbol(w.system.velocities[i]), w.g.symbol(w.system.accelerations[i]));
            rates.insert(w.system.coordinates[i], v);
            rates.insert(w.system.velocities[i], a);
        }
        let mut dependent_accelerations = None;
        if let Some(alpha) = &split.explicit {
            for (nu, &i) in split.dependent.iter().enumerate() {
                insert.insert(w.system.velocities[i], alpha[nu]);
                rates.insert(w.system.coordinates[i], alpha[nu]);
                rates.remove(&w.system.velocities[i]);
            }
            let mut list = Vec::new();
            for &a in alpha {
                let e = w.g.directional(a, &rates);
                list.push(w.simplify(e));
            }
            dependent_accelerations = Some(list);
        }
        let kinetic = w.g.substitute(w.system.kinetic, &insert);
        let kinetic = w.simplify(kinetic);
        let mut frame = SplitFrame {
            split: split.clone(),
            insert,
            rates,
            kinetic,
            dependent_momenta: Vec::new(),
            alpha_v: Vec::new(),
            dependent_accelerations,
        };
        for &i in &split.dependent {
            let p = frame.insert(w, d.momenta[i]);
            frame.dependent_momenta.push(w.simplify(p));
        }
        for row in &split.alpha_v {
            let mut out = Vec::new();
            for &e in row {
                let e = frame.insert(w, e);
                out.push(w.simplify(e));
            }
            frame.alpha_v.push(out);
        }
        frame
    }

    /// Is α explicit?
    pub fn explicit(&self) -> bool {
        self.split.explicit.is_some()
    }

    /// (…)*: the constraints inserted.
    pub fn insert(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.substitute(e, &self.insert)
    }

    /// The total time derivative along the constrained motion.
    pub fn ddt(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.directional(e, &self.rates)
    }

    /// ∂α_ν/∂q_i (any coordinate) at constant independent velocities.
    pub fn alpha_q(&self, w: &mut Workbench, nu: usize, i: usize) -> Expr {
        let q = w.system.coordinates[i];
        self.alpha_by(w, nu, q)
    }

    /// ∂α_ν/∂t.
    pub fn alpha_t(&self, w: &mut Workbench, nu: usize) -> Expr {
        let t = w.g.time();
        self.alpha_by(w, nu, t)
    }

    fn alpha_by(&self, w: &mut Workbench, nu: usize, s: Symbol) -> Expr {
        match &self.split.explicit {
            Some(alpha) => w.g.diff(alpha[nu], s),
            None => {
                // φ(t, q, q̇_ind, α) = 0 differentiated: ∂α/∂s = −A_dep⁻¹ ∂φ/∂s
                let d = w.dynamics();
                let column: Vec<Expr> =
                    d.velocity_constraints.iter().map(|phi| phi.map_or(w.g.zero(), |phi| w.g.diff(phi, s))).collect();
                let e = w.g.dot_product(&self.split.inverse[nu], &column);
                w.g.neg(e)
            }
        }
    }

    /// ∂T°/∂q̇_s.
    pub fn kinetic_v(&self, w: &mut Workbench, s: usize) -> Expr {
        let i = self.split.independent[s];
        if self.explicit() {
            return w.g.diff(self.kinetic, w.system.velocities[i]);
        }
        let d = w.dynamics();
        let mut terms = Formula::from(d.momenta[i]);
        for nu in 0..self.split.dependent.len() {
            terms += self.dependent_momenta[nu] * self.alpha_v[nu][s];
        }
        w.g.of(terms)
    }

    /// ∂T°/∂q_i for any coordinate.
    pub fn kinetic_q(&self, w: &mut Workbench, i: usize) -> Expr {
        let q = w.system.coordinates[i];
        if self.explicit() {
            return w.g.diff(self.kinetic, q);
        }
        let mut terms = Formula::from(w.g.diff(w.system.kinetic, q));
        for nu in 0..self.split.dependent.len() {
            let by = self.alpha_q(w, nu, i);
            terms += self.dependent_momenta[nu] * by;
        }
        w.g.of(terms)
    }

    /// Q_s + Σ_ν α_νs Q_{l+ν}, constraints inserted. (Two of the sources drop the second term.)
    pub fn force(&self, w: &mut Workbench, s: usize) -> Expr {
        let d = w.dynamics();
        let mut terms = Formula::from(self.insert(w, d.forces[self.split.independent[s]]));
        for (nu, &i) in self.split.dependent.iter().enumerate() {
            let f = self.insert(w, d.forces[i]);
            terms += self.alpha_v[nu][s] * f;
        }
        w.g.of(terms)
    }

    /// B_s^ν = d/dt(∂α_ν/∂q̇_s) − ∂α_ν/∂q_s − Σ_μ ∂α_μ/∂q̇_s ∂α_ν/∂q_{l+μ}.
    pub fn voronets_bracket(&self, w: &mut Workbench, nu: usize, s: usize) -> Expr {
        let rate = self.ddt(w, self.alpha_v[nu][s]);
        let by_s = self.alpha_q(w, nu, self.split.independent[s]);
        let mut terms = rate - by_s;
        for mu in 0..self.split.dependent.len() {
            let by = self.alpha_q(w, nu, self.split.dependent[mu]);
            let p = w.g.mul(self.alpha_v[mu][s], by);
            terms -= p;
        }
        w.g.of(terms)
    }

    /// Wraps equations for q̇_s into the common shape, with what completes them.
    pub fn finish(&self, w: &mut Workbench, form: &'static str, own: Vec<Expr>) -> Equations {
        let mut eq = Equations { form, own: own.len(), equations: own, ..Default::default() };
        eq.notes.push(self.split.note(w));
        let directions = self.split.directions(w);
        eq.directions = directions.iter().map(|row| row.iter().map(|&e| self.insert(w, e)).collect()).collect();
        match (&self.split.explicit, &self.dependent_accelerations) {
            (Some(alpha), Some(accelerations)) => {
                eq.unknowns = self.split.pick_independent(&w.system.accelerations);
                for (nu, &i) in self.split.dependent.iter().enumerate() {
                    eq.velocities.push((w.system.velocities[i], alpha[nu]));
                    eq.accelerations.push((w.system.accelerations[i], accelerations[nu]));
                }
            }
            _ => {
                eq.unknowns = w.system.accelerations.clone();
                let more = acceleration_constraints(w);
                eq.equations.extend(more);
            }
        }
        for (multiplier, e) in self.split.reactions(w) {
            let e = self.insert_accelerations(w, e);
            eq.reactions.push((multiplier, e));
        }
        eq
    }

    /// Constraints inserted for velocities and accelerations.
    pub fn insert_accelerations(&self, w: &mut Workbench, e: Expr) -> Expr {
        let mut map = self.insert.clone();
        if let Some(accelerations) = &self.dependent_accelerations {
            for (nu, &i) in self.split.dependent.iter().enumerate() {
                map.insert(w.system.accelerations[i], accelerations[nu]);
            }
        }
        w.g.substitute(e, &map)
    }
}

/// A q̈ − b without denominators: the constraints at the level of accelerations, as expressions that vanish; those that are nonlinear in the
/// accelerations or of third order as they stand.
pub fn acceleration_constraints(w: &mut Workbench) -> Vec<Expr> {
    let d = w.dynamics();
    let system = w.system.clone();
    let accelerations: Vec<Expr> = w.system.accelerations.iter().map(|&s| w.g.symbol(s)).collect();
    (0..d.a.len())
        .map(|j| {
            if system.constraints[j].higher {
                return system.constraints[j].expr;
            }
            let row: Vec<Expr> = d.a[j].iter().map(|&e| w.g.mul(e, d.below[j])).collect();
            let (left, right) = (w.g.dot_product(&row, &accelerations), w.g.mul(d.b[j], d.below[j]));
            w.g.sub(left, right)
        })
        .collect()
}
