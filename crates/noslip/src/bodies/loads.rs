//! Weight, springs, dampers and loads: what they add to the potential and to the generalised forces.

use super::axes::{GROUND, Placed};
use super::frames::{Spot, Thing};
use super::layer::{Layer, Where};
use super::spec::{LoadSpec, SpringSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::arrange::Arrange;
use crate::error::Error;
use crate::expr::{Expr, Symbol};
use crate::source::{Item, Value};

/// A spring or damper between two places, as it was understood.
#[derive(Clone, Debug)]
pub(super) struct Spring {
    pub(super) ends: Option<[Spot; 2]>,
    /// What is stretched: the distance of the ends, or the angle.
    pub(super) stretched: Expr,
    /// Its potential and the force −c·l̇ of its damper.
    pub(super) potential: Expr,
    pub(super) tension: Option<Expr>,
    pub(super) damping: Option<Expr>,
}

/// A force that acts somewhere.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) spot: Spot,
    pub(super) force: Placed,
}

impl Layer<'_> {
    pub(super) fn make_gravity(&mut self) -> Option<()> {
        let (g, up) = self.specs.gravity?;
        let g = self.read(g, Where::GRAVITY)?;
        let up = match up {
            Some(item) => self.unit_vector(item, Where::GRAVITY)?,
            None => self.arena.unit(2),
        };
        self.gravity = Some((g, up));
        Some(())
    }

    pub(super) fn make_spring(&mut self, spec: &SpringSpec) -> Option<Spring> {
        let read = |layer: &mut Self, item: Option<&Item>, place: Where| match item {
            Some(item) => layer.read(item, place).map(Some),
            None => Some(None),
        };
        let stiffness = read(self, spec.stiffness, Where::STIFFNESS)?;
        let natural = read(self, spec.length, Where::LENGTH)?.unwrap_or(self.arena.zero());
        let damping = read(self, spec.damping, Where::DAMPING)?;
        let half = self.arena.fraction(1, 2);
        let name = spec.name.text.as_str();
        let (ends, stretched, square) = match (&spec.ends, spec.angle) {
            (Some([from, to]), _) => {
                let (from, to) = (self.spot(from, 0), self.spot(to, 0));
                let ends = [from?, to?];
                let square = self.distance_squared(ends[0], ends[1]);
                if self.arena.is_zero(square) {
                    let error = Error::input(format!("the ends of spring `{name}` are always at the same place"));
                    self.error(error.at(spec.name.span.clone()).hint("choose two places that move against each other"));
                    return None;
                }
                let length = self.arena.sqrt(square);
                let named = !self.arena.is_zero(natural) || damping.is_some();
                let length = if named { self.letter_if_long(&format!("{name}_l"), length, 2) } else { length };
                (Some(ends), length, square)
            }
            (None, angle) => {
                let angle = self.read(angle?, Where::ANGLE)?;
                let square = self.arena.square(angle);
                (None, angle, square)
            }
        };
        let zero = self.arena.zero();
        let (mut potential, mut tension) = (zero, None);
        if let Some(k) = stiffness {
            let extension = self.arena.sub(stretched, natural);
            let squared = if self.arena.is_zero(natural) { square } else { self.arena.square(extension) };
            potential = self.arena.product([half, k, squared]);
            tension = Some(self.arena.mul(k, extension));
        }
        let damping = damping.map(|c| {
            let rate = self.arena.time_derivative(stretched);
            let force = self.arena.mul(c, rate);
            self.arena.neg(force)
        });
        if let Some(force) = damping {
            // ∂l/∂q = ∂(l²)/∂q/(2 l)
            let meaning = self.meaning(square);
            for i in 0..self.coordinates.len() {
                let lever = self.arena.diff(meaning, self.coordinates[i]);
                let lever = self.arena.mul(half, lever);
                let lever = self.short(lever);
                let lever = self.arena.div(lever, stretched);
                let part = self.arena.mul(force, lever);
                self.forces[i] = self.arena.add(self.forces[i], part);
            }
        }
        Some(Spring { ends, stretched, potential, tension, damping })
    }

    /// |B − A|², in the axes in which it is shortest.
    fn distance_squared(&mut self, a: Spot, b: Spot) -> Expr {
        let parts = self.between(a, b);
        let mut candidates: Vec<usize> = parts.iter().flat_map(|p| self.path_to(p.axes)).collect();
        candidates.push(GROUND);
        candidates.arrange();
        candidates.dedup();
        let mut best: Option<(u64, Expr)> = None;
        for axes in candidates {
            let d = self.gather(&parts, axes);
            let square = self.arena.norm_squared(&d);
            let square = self.short(square);
            let cost = self.cost(square);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, square));
            }
        }
        best.map_or(self.arena.zero(), |(_, square)| square)
    }

    /// The way from one spot to another, without the part they have in common.
    pub(super) fn between(&mut self, a: Spot, b: Spot) -> Vec<Placed> {
        let (from, to) = (self.shifts(a), self.shifts(b));
        let common = from.iter().zip(&to).take_while(|(p, q)| p.axes == q.axes && p.v == q.v).count();
        let mut way: Vec<Placed> = to[common..].to_vec();
        for p in &from[common..] {
            way.push(Placed { axes: p.axes, v: self.arena.opposite(&p.v) });
        }
        way
    }

    pub(super) fn make_load(&mut self, spec: &LoadSpec) -> Option<Option<Load>> {
        let along = match &spec.along {
            Some(name) => self.frame_of(name)?,
            None => 0,
        };
        let along = self.frames[along].axes;
        // Where a torque acts does not matter, so nothing need be said of it.
        let known = if spec.force.is_none() { self.find(&spec.on.text) } else { None };
        let thing = match known {
            Some(thing) => thing,
            None => self.thing(&spec.on)?,
        };
        let spot = self.spot_of(thing);
        let mut load = None;
        if let Some(item) = spec.force {
            let v = self.read_vector(item, Where::LOAD)?;
            let force = Placed { axes: along, v };
            self.apply_force(spot, force);
            load = Some(Load { spot, force });
        }
        if let Some(item) = spec.torque {
            let v = match &item.value {
                Value::Array(_) => self.read_vector(item, Where::LOAD)?,
                _ => [self.arena.zero(), self.arena.zero(), self.read(item, Where::LOAD)?],
            };
            let against = match &spec.against {
                Some(name) => {
                    let thing = match self.find(&name.text) {
                        Some(thing) => thing,
                        None => self.thing(name)?,
                    };
                    self.spot_of(thing).frame
                }
                None => 0,
            };
            if let Thing::Point(_) = thing {
                let error = Error::input("a torque acts on a body or frame, not on a point");
                self.error(error.at(spec.on.span.clone()));
                return None;
            }
            self.apply_torque(spot.frame, against, Placed { axes: along, v });
        }
        Some(load)
    }

    /// Q_i = F·∂v/∂q̇_i of a force at a material point.
    pub(super) fn apply_force(&mut self, spot: Spot, force: Placed) {
        let shortest = self.shortest_velocity(spot).axes;
        let mut candidates = vec![shortest, force.axes, GROUND];
        candidates.dedup();
        let mut best: Option<(u64, Vec<Expr>)> = None;
        for axes in candidates {
            let f = self.gather(&[force], axes);
            let v = self.material_velocity_in(spot, axes);
            self.cheaper(&mut best, &f, &v);
        }
        self.add_forces(best);
    }

    /// Q_i = M·∂(ω − ω of the other)/∂q̇_i.
    pub(super) fn apply_torque(&mut self, on: usize, against: usize, torque: Placed) {
        let (on, against) = (self.frames[on].axes, self.frames[against].axes);
        let mut candidates = vec![torque.axes, on, against, GROUND];
        candidates.arrange();
        candidates.dedup();
        let mut best: Option<(u64, Vec<Expr>)> = None;
        for axes in candidates {
            let m = self.gather(&[torque], axes);
            let (a, b) = (self.omega_anywhere(on, axes), self.omega_anywhere(against, axes));
            let w = self.arena.minus(&a, &b);
            self.cheaper(&mut best, &m, &w);
        }
        self.add_forces(best);
    }

    /// The generalised forces of a force along a velocity, if they are shorter than the best so far.
    fn cheaper(&mut self, best: &mut Option<(u64, Vec<Expr>)>, force: &Vector, velocity: &Vector) {
        let meanings = velocity.map(|v| self.meaning(v));
        let rates: Vec<Symbol> = self.coordinates.iter().map(|&q| self.arena.dot(q)).collect();
        let mut forces = Vec::new();
        let mut cost = 0u64;
        for rate in rates {
            let lever = meanings.map(|v| self.arena.diff(v, rate));
            let lever = lever.map(|x| self.short(x));
            let q = self.arena.dot_of(force, &lever);
            let q = self.short(q);
            cost = cost.saturating_add(self.cost(q));
            forces.push(q);
        }
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            *best = Some((cost, forces));
        }
    }

    fn add_forces(&mut self, best: Option<(u64, Vec<Expr>)>) {
        for (i, q) in best.map(|(_, forces)| forces).unwrap_or_default().into_iter().enumerate() {
            self.forces[i] = self.arena.add(self.forces[i], q);
        }
    }
}
