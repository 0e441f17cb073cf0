//! A system compiled for what integrators ask of its mechanics: momenta, inertia, constraints.

use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;
use crate::model::System;

/// What integrators need to know of a mechanical system with Lagrangian L(t, q, v), forces Q and constraints.
pub trait Mechanics {
    /// Number of coordinates, n.
    fn coordinates(&self) -> usize;

    /// Number of constraints on velocities, k: φ(t, q, v) = 0, holonomic ones differentiated once.
    fn constraints(&self) -> usize;

    /// How many of them, at the beginning of the list, are derivatives of holonomic constraints f(t, q) = 0.
    fn holonomic(&self) -> usize {
        0
    }

    /// Name of a constraint, for messages.
    fn constraint_name(&self, index: usize) -> String {
        format!("constraint {index}")
    }

    /// Name of a coordinate, for messages.
    fn coordinate_name(&self, index: usize) -> String {
        format!("coordinate {index}")
    }

    /// Writes p = ∂L/∂v and the force ∂L/∂q + Q.
    fn momentum(&mut self, t: f64, q: &[f64], v: &[f64], p: &mut [f64], force: &mut [f64]);

    /// Writes M = ∂²L/∂v² (n×n).
    fn inertia(&mut self, t: f64, q: &[f64], v: &[f64], m: &mut [f64]);

    /// Writes φ (k) and A = ∂φ/∂v (k×n, row by row).
    fn velocity_constraints(&mut self, t: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]);

    /// Writes the values f of the holonomic constraints.
    fn holonomic_constraints(&mut self, _t: f64, _q: &[f64], _f: &mut [f64]) {}
}

/// L, Q and the constraints of a system as compiled code. Holonomic constraints come first in the list of constraints.
pub struct CompiledMechanics {
    n: usize,
    holonomic: usize,
    coordinates: Vec<String>,
    constraints: Vec<String>,
    momentum: Runner,
    inertia: Runner,
    velocity: Runner,
    position: Runner,
    input: Vec<f64>,
    out: Vec<f64>,
}

impl CompiledMechanics {
    /// Compiles the system. Constraints of second order are no constraints on velocities and are left out.
    pub fn new(w: &mut Workbench, options: &CompileOptions) -> Result<CompiledMechanics> {
        let d = w.dynamics();
        let system = &*w.system.clone();
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(&system.coordinates);
        inputs.extend(&system.velocities);
        let rows = CompiledMechanics::rows(system);
        let by_q = w.g.gradient(system.kinetic, &system.coordinates);
        let mut force = Vec::new();
        for i in 0..system.n() {
            force.push(w.g.add(by_q[i], d.forces[i]));
        }
        let phi: Vec<Expr> = rows.iter().filter_map(|&j| d.velocity_constraints[j]).collect();
        let a: Vec<Expr> = rows.iter().flat_map(|&j| d.a[j].iter().copied()).collect();
        let f: Vec<Expr> = system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
        let coordinates = system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
        let mut tape = |list: Vec<Expr>| {
            w.count_compiled(&list);
            Ok::<Runner, Error>(compile(&w.g, &inputs, &list, options)?.runner())
        };
        let n = system.n();
        Ok(CompiledMechanics {
            n,
            holonomic: f.len(),
            coordinates,
            constraints: rows.iter().map(|&j| system.constraints[j].name.clone()).collect(),
            momentum: tape(d.momenta.iter().chain(&force).copied().collect())?,
            inertia: tape(d.mass.iter().flatten().copied().collect())?,
            velocity: tape(phi.into_iter().chain(a).collect())?,
            position: tape(f)?,
            input: vec![0.0; 1 + 2 * n],
            out: vec![0.0; (2 * n).max(rows.len() * (n + 1))],
        })
    }

    /// The constraints on velocities in the order in which they stand here: holonomic ones, then those of first order.
    pub(super) fn rows(system: &System) -> Vec<usize> {
        let order = |order: u8| (0..system.k()).filter(move |&j| system.constraints[j].order == order);
        order(0).chain(order(1)).collect()
    }

    fn set(&mut self, t: f64, q: &[f64], v: &[f64]) {
        self.input[0] = t;
        self.input[1..1 + self.n].copy_from_slice(q);
        self.input[1 + self.n..].copy_from_slice(v);
    }
}

impl Mechanics for CompiledMechanics {
    fn coordinates(&self) -> usize {
        self.n
    }

    fn constraints(&self) -> usize {
        self.constraints.len()
    }

    fn holonomic(&self) -> usize {
        self.holonomic
    }

    fn constraint_name(&self, index: usize) -> String {
        format!("constraint `{}`", self.constraints[index])
    }

    fn coordinate_name(&self, index: usize) -> String {
        format!("coordinate `{}`", self.coordinates[index])
    }

    fn momentum(&mut self, t: f64, q: &[f64], v: &[f64], p: &mut [f64], force: &mut [f64]) {
        self.set(t, q, v);
        let n = self.n;
        self.momentum.run(&self.input, &mut self.out[..2 * n]);
        p.copy_from_slice(&self.out[..n]);
        force.copy_from_slice(&self.out[n..2 * n]);
    }

    fn inertia(&mut self, t: f64, q: &[f64], v: &[f64], m: &mut [f64]) {
        self.set(t, q, v);
        self.inertia.run(&self.input, m);
    }

    fn velocity_constraints(&mut self, t: f64, q: &[f64], v: &[f64], phi: &mut [f64], a: &mut [f64]) {
        self.set(t, q, v);
        let k = self.constraints.len();
        let out = &mut self.out[..k * (self.n + 1)];
        self.velocity.run(&self.input, out);
        phi.copy_from_slice(&out[..k]);
        a.copy_from_slice(&out[k..]);
    }

    fn holonomic_constraints(&mut self, t: f64, q: &[f64], f: &mut [f64]) {
        self.input[0] = t;
        self.input[1..1 + self.n].copy_from_slice(q);
        self.position.run(&self.input, f);
    }
}
