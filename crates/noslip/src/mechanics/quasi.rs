//! Quasi-velocities: l free ones, completed to n by the constraints.
//!
//! ```text
//! v_ρ = v_ρ(t, q, q̇), v_{l+j} = φ_j;   Ψ_ρi = ∂v_ρ/∂q̇_i,   Φ = Ψ⁻¹,   Φ_iρ = ∂q̇_i/∂v_ρ
//! ```
//! Φ can always be had by inverting Ψ, also where the inverse map q̇(v) has no closed form.

use super::equations::Equations;
use super::split::acceleration_constraints;
use super::workbench::Workbench;
use crate::error::Result;
use crate::expr::{Expr, Formula, Matrix, Rational, Role, Symbol, transpose};
use rustc_hash::FxHashMap;

/// A complete set of quasi-velocities.
#[derive(Clone, Debug)]
pub struct Quasi {
    /// The free ones, v_1…v_l. Where the model gives none these are independent velocities q̇_s themselves.
    pub free: Vec<Symbol>,
    /// Their time derivatives.
    pub rates: Vec<Symbol>,
    /// v_{l+j}, standing for the constraints.
    pub dependent: Vec<Symbol>,
    /// Were they chosen here, not given by the model?
    pub chosen: bool,
    /// v_ρ as functions of t, q, q̇; for a constraint of second order there is none.
    pub expressions: Vec<Option<Expr>>,
    /// Ψ.
    pub psi: Matrix,
    /// Φ, in t, q (and q̇, if some v_ρ is nonlinear).
    pub phi: Matrix,
    /// v_ρ at q̇ = 0, where all v_ρ are affine in q̇.
    pub offset: Option<Vec<Expr>>,
    /// q̇_i(t, q, v) with all n quasi-velocities.
    pub velocities_free: Option<Vec<Expr>>,
    /// q̇_i(t, q, v_1…v_l) with the constraints inserted.
    pub velocities: Option<Vec<Expr>>,
    /// q̈_i in t, q, v, v̇ with the constraints inserted.
    pub accelerations: Option<Vec<Expr>>,
    /// Rates along the constrained motion, in the variables v.
    motion: FxHashMap<Symbol, Expr>,
    /// q̇ → q̇(v), q̈ → q̈(v, v̇).
    insert: FxHashMap<Symbol, Expr>,
}

/// Why forms written in v refuse.
const NO_CLOSED_FORM: &str = "the velocities cannot be expressed by the quasi-velocities in closed form \
     (write a nonlinear constraint solved for one velocity)";

impl Quasi {
    /// The model's quasi-velocities, or independent velocities, completed by the constraints: Ψ and Φ, and no more.
    pub fn of(w: &mut Workbench) -> Result<Quasi, String> {
        w.independent_constraints()?;
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        let chosen = w.system.quasi_velocities.is_empty();
        let (free, mut expressions): (Vec<Symbol>, Vec<Option<Expr>>) = if chosen {
            let split = w.split()?;
            let free = split.pick_independent(&w.system.velocities);
            let list = free.iter().map(|&s| Some(w.g.symbol(s))).collect();
            (free, list)
        } else {
            w.system.quasi_velocities.iter().map(|v| (v.symbol, Some(v.expr))).unzip()
        };
        if free.len() + k != n {
            return Err(format!("{} free quasi-velocities are needed, the model gives {}", n - k, free.len()));
        }
        let written: Vec<Expr> = expressions.iter().flatten().copied().collect();
        let mut psi: Matrix = w.g.jacobian(&written, &w.system.velocities);
        psi.extend(d.a.iter().cloned());
        expressions.extend(d.velocity_constraints.iter().copied());
        let phi = w.inverse_or(&psi, "the quasi-velocities and the constraints are dependent")?;
        let rates: Vec<Symbol> = free.iter().map(|&s| w.g.dot(s)).collect();
        let mut dependent: Vec<Symbol> = Vec::new();
        for c in w.system.constraints.clone() {
            // Neither what the model calls so, nor another quasi-velocity: a constraint `phi` beside a quasi-velocity `w_phi`.
            let mut name = c.name.clone();
            while w
                .g
                .lookup(&name)
                .is_some_and(|s| w.g.role(s) != Role::QuasiVelocity || free.contains(&s) || dependent.contains(&s))
            {
                name = format!("w_{name}");
            }
            dependent.push(w.g.declare(&name, Role::QuasiVelocity));
        }
        Ok(Quasi {
            free,
            rates,
            dependent,
            chosen,
            expressions,
            psi,
            phi,
            offset: None,
            velocities_free: None,
            velocities: None,
            accelerations: None,
            motion: FxHashMap::default(),
            insert: FxHashMap::default(),
        })
    }

    /// Finds q̇(v) in closed form, if it can, and prepares the calculus in v.
    pub(super) fn close(&mut self, w: &mut Workbench) {
        if self.expressions.iter().any(Option::is_none) {
            return;
        }
        let n = w.system.n();
        let velocities = w.system.velocities.clone();
        let all: Vec<Symbol> = self.free.iter().chain(&self.dependent).copied().collect();
        let expressions: Vec<Expr> = self.expressions.iter().flatten().copied().collect();
        let linear = self.psi.iter().flatten().all(|&e| !w.g.depends_on_any(e, &velocities));
        let map = if linear {
            let offset: Vec<Expr> = expressions.iter().map(|&e| w.g.without(e, &velocities)).collect();
            let mut list = Vec::new();
            for i in 0..n {
                let mut terms = Formula::ZERO;
                for (rho, &v) in all.iter().enumerate() {
                    let v = w.g.symbol(v);
                    let shifted = w.g.sub(v, offset[rho]);
                    terms += self.phi[i][rho] * shifted;
                }
                list.push(w.simplify(terms));
            }
            self.offset = Some(offset);
            Some(list)
        } else {
            triangular_inverse(w, &all, &expressions)
        };
        let Some(full) = map else { return };
        if !linear {
            // Φ in the new variables, by differentiating the inverse map.
            for i in 0..n {
                for (rho, &v) in all.iter().enumerate() {
                    let e = w.g.diff(full[i], v);
                    self.phi[i][rho] = w.simplify(e);
                }
            }
        }
        let constrained: Vec<Expr> = full
            .iter()
            .map(|&e| {
                let e = w.g.without(e, &self.dependent);
                w.simplify(e)
            })
            .collect();
        self.motion.insert(w.g.time(), w.g.one());
        for (i, &q) in w.system.coordinates.iter().enumerate() {
            self.motion.insert(q, constrained[i]);
        }
        for (&v, &dv) in self.free.iter().zip(&self.rates) {
            let rate = w.g.symbol(dv);
            self.motion.insert(v, rate);
        }
        let accelerations: Vec<Expr> = constrained
            .iter()
            .map(|&e| {
                let e = w.g.directional(e, &self.motion);
                w.simplify(e)
            })
            .collect();
        for i in 0..n {
            self.insert.insert(w.system.velocities[i], constrained[i]);
            self.insert.insert(w.system.accelerations[i], accelerations[i]);
        }
        self.velocities_free = Some(full);
        self.velocities = Some(constrained);
        self.accelerations = Some(accelerations);
    }

    /// Why the forms written in v cannot be had, if so.
    pub fn obstacle(&self, w: &Workbench) -> Option<String> {
        if let Err(why) = w.no_second_order() {
            return Some(why);
        }
        self.velocities.is_none().then(|| NO_CLOSED_FORM.to_owned())
    }

    /// Are all quasi-velocities affine in q̇?
    pub fn linear(&self) -> bool {
        self.offset.is_some()
    }

    /// All n quasi-velocity symbols.
    pub fn all(&self) -> Vec<Symbol> {
        self.free.iter().chain(&self.dependent).copied().collect()
    }

    /// The name of what has a velocity: π_u, and π_x where the velocity is x' itself.
    pub fn coordinate_of(velocity: &str) -> String {
        format!("pi_{}", velocity.trim_end_matches('\''))
    }

    /// Virtual displacements δπ_r of the free ones.
    pub fn displacements(&self, w: &mut Workbench) -> Vec<Expr> {
        let names: Vec<String> = self.free.iter().map(|&v| Quasi::coordinate_of(w.g.name(v))).collect();
        names.iter().map(|name| w.variation(name)).collect()
    }

    /// (…)*: velocities and accelerations replaced by v, v̇, constraints inserted.
    pub fn insert(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.substitute(e, &self.insert)
    }

    /// The same for several at once: what they share is replaced once.
    pub fn insert_all(&self, w: &mut Workbench, list: &[Expr]) -> Vec<Expr> {
        w.g.substitute_all(list, &self.insert)
    }

    /// d/dt along the constrained motion, of an expression in t, q, v.
    pub fn ddt(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.directional(e, &self.motion)
    }

    /// T with q̇ replaced, all n quasi-velocities kept: T*.
    pub fn kinetic_free(&self, w: &mut Workbench) -> Option<Expr> {
        self.replace(w, w.system.kinetic)
    }

    /// Replaces q̇ by its expression in all n quasi-velocities.
    pub fn replace(&self, w: &mut Workbench, e: Expr) -> Option<Expr> {
        let full = self.velocities_free.as_ref()?;
        let map = w.system.velocities.iter().copied().zip(full.iter().copied()).collect();
        let e = w.g.substitute(e, &map);
        Some(w.simplify(e))
    }

    /// T with the constraints inserted.
    pub fn kinetic(&self, w: &mut Workbench) -> Expr {
        let e = self.insert(w, w.system.kinetic);
        w.simplify(e)
    }

    /// ∂/∂v_ρ of a function of all n quasi-velocities, constraints inserted after differentiating.
    pub fn momenta_of(&self, w: &mut Workbench, function: Expr) -> Vec<Expr> {
        let list: Vec<Expr> = self
            .all()
            .into_iter()
            .map(|v| {
                let p = w.g.diff(function, v);
                self.on_constraints(w, p)
            })
            .collect();
        w.simplify_all(&list)
    }

    /// (∂T/∂q̇_i)*: the momenta of the coordinates, constraints inserted.
    pub fn momenta(&self, w: &mut Workbench) -> Vec<Expr> {
        let d = w.dynamics();
        let list: Vec<Expr> = d.momenta.iter().map(|&p| self.insert(w, p)).collect();
        w.simplify_all(&list)
    }

    /// d/dt p_r − ∂T*/∂π_r − Q*_r: what Lagrange's operator would be if the quasi-velocities were velocities. As terms of a sum.
    pub fn lagrangian_part(&self, w: &mut Workbench, p: Expr, kinetic: Expr, r: usize) -> Vec<(Expr, Rational)> {
        let rate = self.ddt(w, p);
        let by_pi = self.by_pi(w, kinetic, r);
        let force = self.force(w, r);
        vec![(rate, Rational::ONE), (by_pi, Rational::MINUS_ONE), (force, Rational::MINUS_ONE)]
    }

    /// Drops the dependent quasi-velocities.
    pub fn on_constraints(&self, w: &mut Workbench, e: Expr) -> Expr {
        w.g.without(e, &self.dependent)
    }

    /// The same for several at once.
    pub fn all_on_constraints(&self, w: &mut Workbench, list: &[Expr]) -> Vec<Expr> {
        let map = self.dependent.iter().map(|&s| (s, w.g.zero())).collect();
        w.g.substitute_all(list, &map)
    }

    /// Φ_iρ with the constraints inserted.
    pub fn phi(&self, w: &mut Workbench, i: usize, rho: usize) -> Expr {
        let e = self.phi[i][rho];
        let e = self.insert(w, e);
        self.on_constraints(w, e)
    }

    /// Φ_iρ for all i: what they share is replaced once.
    pub fn phi_column(&self, w: &mut Workbench, rho: usize) -> Vec<Expr> {
        let column: Vec<Expr> = self.phi.iter().map(|row| row[rho]).collect();
        let column = self.insert_all(w, &column);
        self.all_on_constraints(w, &column)
    }

    /// ∂e/∂π_ρ = Σ_i Φ_iρ ∂e/∂q_i.
    pub fn by_pi(&self, w: &mut Workbench, e: Expr, rho: usize) -> Expr {
        let mut terms = Formula::ZERO;
        for i in 0..w.system.n() {
            let phi = self.phi(w, i, rho);
            if w.g.is_zero(phi) {
                continue;
            }
            let d = w.g.diff(e, w.system.coordinates[i]);
            terms += phi * d;
        }
        w.g.of(terms)
    }

    /// Q*_λ = Σ_i Q_i Φ_iλ, in the variables v.
    pub fn force(&self, w: &mut Workbench, lambda: usize) -> Expr {
        let d = w.dynamics();
        let mut terms = Formula::ZERO;
        let forces = self.insert_all(w, &d.forces);
        for (phi, f) in self.phi_column(w, lambda).into_iter().zip(forces) {
            terms += phi * f;
        }
        w.simplify(terms)
    }

    /// τ_ir in d/dt(δq_i) − δq̇_i = Σ_r τ_ir δπ_r, with d δπ_r = δ v_r: dΦ_ir/dt − ∂q̇_i/∂π_r.
    pub fn transposition(&self, w: &mut Workbench, i: usize, r: usize) -> Expr {
        let Some(velocities) = self.velocities.clone() else { return w.g.zero() };
        let phi = self.phi(w, i, r);
        let rate = self.ddt(w, phi);
        let by = self.by_pi(w, velocities[i], r);
        w.simplify(rate - by)
    }

    /// F_ρr in d/dt(δπ_ρ) − δv_ρ = Σ_r F_ρr δπ_r, with d δq_i = δ q̇_i: Σ_i Φ_ir (d/dt ∂v_ρ/∂q̇_i − ∂v_ρ/∂q_i).
    pub fn quasi_transposition(&self, w: &mut Workbench, rho: usize, r: usize) -> Expr {
        let Some(v) = self.expressions[rho] else { return w.g.zero() };
        let mut terms = Vec::new();
        for i in 0..w.system.n() {
            let psi = self.insert(w, self.psi[rho][i]);
            let rate = self.ddt(w, psi);
            let by_q = w.g.diff(v, w.system.coordinates[i]);
            let by_q = self.insert(w, by_q);
            let bracket = w.g.sub(rate, by_q);
            let phi = self.phi(w, i, r);
            terms.push(w.g.mul(phi, bracket));
        }
        w.g.sum(terms)
    }

    /// Wraps equations in v̇ into the common shape.
    pub fn finish(&self, w: &mut Workbench, form: &'static str, own: Vec<Expr>) -> Result<Equations> {
        let d = w.dynamics();
        let l = self.free.len();
        let mut eq = Equations { form, own: own.len(), equations: own, ..Default::default() };
        eq.notes.push(self.note(w));
        eq.unknowns = self.rates.clone();
        for rho in 0..l {
            if let (false, Some(e)) = (self.chosen, self.expressions[rho]) {
                eq.variables.push((self.free[rho], e));
            }
        }
        for i in 0..w.system.n() {
            let own_symbol = self.free.contains(&w.system.velocities[i]);
            if let (false, Some(v), Some(a)) = (own_symbol, &self.velocities, &self.accelerations) {
                eq.velocities.push((w.system.velocities[i], v[i]));
                eq.accelerations.push((w.system.accelerations[i], a[i]));
            }
        }
        eq.directions.extend((0..l).map(|r| self.phi_column(w, r)));
        let system = w.system.clone();
        let operator = self.insert_all(w, &d.operator);
        for (j, c) in system.constraints.iter().enumerate() {
            w.may_go_on()?;
            let column = self.phi_column(w, l + j);
            let lambda = w.g.dot_product(&operator, &column);
            eq.reactions.push((c.multiplier, lambda));
        }
        Ok(eq)
    }

    /// Φ as a function of t, q, q̇.
    pub fn phi_in_velocities(&self, w: &mut Workbench) -> Matrix {
        if self.linear() || self.velocities.is_none() {
            return self.phi.clone();
        }
        // The closed inverse of nonlinear quasi-velocities was differentiated in v: put v(q̇) back.
        let map = self.all().into_iter().zip(self.expressions.iter().flatten().copied()).collect();
        self.phi.iter().map(|row| w.g.substitute_all(row, &map)).collect()
    }

    /// Wraps equations with q̇ and q̈ left standing into the common shape.
    pub fn finish_in_velocities(&self, w: &mut Workbench, form: &'static str, own: Vec<Expr>) -> Result<Equations> {
        let d = w.dynamics();
        let (n, l) = (w.system.n(), self.free.len());
        let phi = self.phi_in_velocities(w);
        let mut eq = Equations { form, own: own.len(), equations: own, ..Default::default() };
        eq.notes.push(self.note(w));
        eq.equations.extend(acceleration_constraints(w));
        eq.unknowns = w.system.accelerations.clone();
        eq.directions = (0..l).map(|r| (0..n).map(|i| phi[i][r]).collect()).collect();
        for (j, c) in w.system.constraints.iter().enumerate() {
            w.may_go_on()?;
            let column: Vec<Expr> = (0..n).map(|i| phi[i][l + j]).collect();
            let lambda = w.g.dot_product(&d.operator, &column);
            eq.reactions.push((c.multiplier, lambda));
        }
        Ok(eq)
    }

    /// A sentence for people: which quasi-velocities are used.
    pub fn note(&self, w: &Workbench) -> String {
        let names: Vec<&str> = self.free.iter().map(|&s| w.g.name(s)).collect();
        if names.is_empty() {
            return "no quasi-velocity is free: the constraints determine all velocities".into();
        }
        if self.chosen {
            format!("quasi-velocities chosen: {}", names.join(", "))
        } else {
            format!("quasi-velocities of the model: {}", names.join(", "))
        }
    }
}

/// Solves v_ρ = e_ρ(q̇) for q̇ by repeatedly solving an equation that is affine in one velocity, with a coefficient free
/// of the velocities still sought. `None` when that gets stuck.
fn triangular_inverse(w: &mut Workbench, symbols: &[Symbol], expressions: &[Expr]) -> Option<Vec<Expr>> {
    let velocities = w.system.velocities.clone();
    let mut open: Vec<Expr> = Vec::new();
    // Where a free quasi-velocity *is* a velocity symbol, both carry the same name: keep it as the unknown's value.
    let stand_ins: Vec<Symbol> = (0..symbols.len())
        .map(|rho| w.g.declare(&format!("value of {}", w.g.name(symbols[rho])), Role::Other))
        .collect();
    for (rho, &e) in expressions.iter().enumerate() {
        let value = w.g.symbol(stand_ins[rho]);
        open.push(w.g.sub(e, value));
    }
    let mut sought: Vec<Symbol> = velocities.clone();
    let mut solved: Vec<(Symbol, Expr)> = Vec::new();
    while !sought.is_empty() {
        let mut found = None;
        'search: for (index, &e) in open.iter().enumerate() {
            for &v in &sought {
                let coefficient = w.g.diff(e, v);
                let coefficient = w.simplify(coefficient);
                if w.g.is_zero(coefficient) || w.g.depends_on_any(coefficient, &sought) {
                    continue;
                }
                let rest = w.g.without(e, &[v]);
                let ratio = w.g.div(rest, coefficient);
                found = Some((index, v, w.g.scale(ratio, &Rational::MINUS_ONE)));
                break 'search;
            }
        }
        let (index, v, value) = found?;
        open.remove(index);
        sought.retain(|&s| s != v);
        let map: FxHashMap<Symbol, Expr> = [(v, value)].into_iter().collect();
        open = w.g.substitute_all(&open, &map);
        for (_, e) in &mut solved {
            *e = w.g.substitute(*e, &map);
        }
        solved.push((v, value));
    }
    let back: FxHashMap<Symbol, Expr> = stand_ins.iter().zip(symbols).map(|(&s, &v)| (s, w.g.symbol(v))).collect();
    velocities
        .iter()
        .map(|v| {
            let (_, e) = solved.iter().find(|(s, _)| s == v)?;
            let e = w.g.substitute(*e, &back);
            Some(w.simplify(e))
        })
        .collect()
}

/// Directions of the virtual displacements, one row each: those of the model's quasi-velocities, else δq_s = 1.
pub fn virtual_displacements(w: &mut Workbench) -> Result<Matrix, String> {
    if let Ok(quasi) = w.directions() {
        let phi = quasi.phi_in_velocities(w);
        let l = quasi.free.len();
        return Ok(transpose(&phi).into_iter().take(l).collect());
    }
    let split = w.split()?;
    Ok(split.directions(w))
}
