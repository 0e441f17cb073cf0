//! Normal forces, for the limits of friction.
//!
//! Where touching is a constraint, its multiplier is the normal force. Where the coordinates make it an identity, the contact is
//! loosened: a shift s along n of the outermost frame that the body's side has for itself, whose equation of motion at s = 0 is
//! Newton's law for everything that is shifted,
//!
//! ```text
//! Σ_k N_k ∂gap_k/∂s = Σ m n·a + ∂V/∂s − F·n − Σ λ_j e_j·n
//! ```
//!
//! and those of several loosened contacts are solved together. Contacts that no such shift can separate are indeterminate.

use super::axes::{GROUND, Placed};
use super::contacts::Contact;
use super::frames::Spot;
use super::layer::Layer;
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::{Expr, Matrix, simplify};

impl Layer<'_> {
    /// Finds the largest force that friction can give at each contact with a coefficient.
    pub(super) fn normal_forces(&mut self) {
        if self.contacts.iter().all(|c| c.friction.is_none()) {
            return;
        }
        let by_multiplier: Vec<Option<String>> = (0..self.contacts.len())
            .map(|i| self.added.iter().find(|a| a.contact == Some(i) && a.touches).map(|a| a.name.clone()))
            .collect();
        let loose: Vec<usize> = (0..self.contacts.len())
            .filter(|&i| by_multiplier[i].is_none() && self.contacts[i].normal.is_some() && self.top(i).is_some())
            .collect();
        let effect: Matrix =
            loose.iter().map(|&j| loose.iter().map(|&k| self.effect(j, k)).collect::<Vec<_>>()).collect();
        for i in 0..self.contacts.len() {
            let Some(mu) = self.contacts[i].friction else { continue };
            let normal = match (&by_multiplier[i], loose.iter().position(|&j| j == i)) {
                (Some(constraint), _) => Some(self.multiplier(&constraint.clone())),
                (None, Some(place)) => self.loosened(&loose, &effect, place),
                (None, None) => {
                    let contact = &self.contacts[i];
                    let error = Error::input(format!("contact `{}` has no normal force for friction", contact.name));
                    self.error(
                        error.at(contact.span.clone()).hint("friction belongs to contacts that roll, skate or slide"),
                    );
                    None
                }
            };
            let Some(mut normal) = normal else { continue };
            if self.contacts[i].slides {
                // A force may not contain a multiplier: Newton's law says the same.
                if by_multiplier[i].is_some() {
                    normal = self.newton(i);
                }
                self.coulomb(i, mu, normal);
            } else {
                let limit = self.arena.mul(mu, normal);
                self.limits_of_friction.push((i, limit));
            }
        }
    }

    /// Frames from the ground to this one, both included.
    fn chain(&self, frame: usize) -> Vec<usize> {
        let mut chain = vec![frame];
        while chain[chain.len() - 1] != 0 {
            chain.push(self.frames[chain[chain.len() - 1]].parent);
        }
        chain.reverse();
        chain
    }

    /// The outermost frame of the body's chain that does not carry the surface.
    fn top(&self, contact: usize) -> Option<usize> {
        let Contact { frame, carrier, .. } = self.contacts[contact];
        let theirs = self.chain(carrier);
        self.chain(frame).into_iter().find(|f| !theirs.contains(f))
    }

    fn moves_with(&self, frame: usize, top: usize) -> bool {
        self.chain(frame).contains(&top)
    }

    /// How fast the gap of contact k opens when contact j is loosened.
    fn effect(&mut self, j: usize, k: usize) -> Expr {
        let Some(top) = self.top(j) else { return self.arena.zero() };
        if j == k {
            return self.arena.one();
        }
        let Contact { frame, carrier, normal, .. } = self.contacts[k].clone();
        let (body, surface) = (self.moves_with(frame, top), self.moves_with(carrier, top));
        let (Some(n), Some(direction)) = (normal, self.contacts[j].normal) else { return self.arena.zero() };
        match (body, surface) {
            (true, false) => self.product(n, direction),
            (false, true) => {
                let e = self.product(n, direction);
                self.arena.neg(e)
            }
            _ => self.arena.zero(),
        }
    }

    /// a·b
    pub(super) fn product(&mut self, a: Placed, b: Placed) -> Expr {
        let v = self.direction_in(b, a.axes);
        let e = self.arena.dot_of(&a.v, &v);
        self.short(e)
    }

    /// The normal force of one of the loosened contacts.
    fn loosened(&mut self, loose: &[usize], effect: &Matrix, place: usize) -> Option<Expr> {
        // Those that hang together with it.
        let mut group = vec![place];
        let mut i = 0;
        while i < group.len() {
            let at = group[i];
            for k in 0..loose.len() {
                let linked = !self.arena.is_zero(effect[at][k]) || !self.arena.is_zero(effect[k][at]);
                if linked && !group.contains(&k) {
                    group.push(k);
                }
            }
            i += 1;
        }
        let block: Matrix = group.iter().map(|&j| group.iter().map(|&k| effect[j][k]).collect()).collect();
        let determinant = self.arena.determinant(&block);
        if self.vanishes(determinant) {
            let names: Vec<String> = group.iter().map(|&k| format!("`{}`", self.contacts[loose[k]].name)).collect();
            let span = self.contacts[loose[place]].span.clone();
            let message = format!("the normal forces of the contacts {} cannot be told apart", names.join(", "));
            self.note(&span, message, "rigid bodies share a load in more than one way; friction is left out here");
            return None;
        }
        let sides: Vec<Expr> = group.iter().map(|&k| self.newton(loose[k])).collect();
        if let [only] = sides[..] {
            let quotient = self.arena.div(only, block[0][0]);
            return Some(quotient);
        }
        let limits = self.limits;
        let inverse = self.arena.inverse(&block, &mut |arena, e| simplify(arena, e, limits))?;
        Some(self.arena.dot_product(&inverse[0], &sides))
    }

    /// Σ m n·a + ∂V/∂s − F·n − Σ λ e·n of everything that moves when a contact is loosened.
    fn newton(&mut self, contact: usize) -> Expr {
        let (Some(top), Some(n)) = (self.top(contact), self.contacts[contact].normal) else { return self.arena.zero() };
        let gap = self.added.iter().find(|a| a.contact == Some(contact) && a.touches).map(|a| a.expr);
        let mut terms = Vec::new();
        for i in 0..self.bodies.len() {
            let body = self.bodies[i].clone();
            if !self.moves_with(body.frame, top) || self.arena.is_zero(body.mass) {
                continue;
            }
            let mut sum = self.acceleration_along(n, Spot { frame: body.frame, at: body.center }, &body.name, gap);
            if let Some((g, up)) = self.gravity {
                let lift = self.product(Placed { axes: GROUND, v: up }, n);
                let weight = self.arena.mul(g, lift);
                sum = self.arena.add(sum, weight);
            }
            terms.push(self.arena.mul(body.mass, sum));
        }
        for spring in self.springs.clone() {
            let Some([a, b]) = spring.ends else { continue };
            let (first, second) = (self.moves_with(a.frame, top), self.moves_with(b.frame, top));
            if first == second {
                continue;
            }
            let way = if second { self.between(a, b) } else { self.between(b, a) };
            let d = self.gather(&way, n.axes);
            let along = self.arena.dot_of(&d, &n.v);
            let lever = self.arena.div(along, spring.stretched);
            for force in spring.tension.into_iter().chain(spring.damping.map(|f| self.arena.neg(f))) {
                terms.push(self.arena.mul(force, lever));
            }
        }
        for load in self.loads.clone() {
            if self.moves_with(load.spot.frame, top) {
                let f = self.gather(&[load.force], n.axes);
                let along = self.arena.dot_of(&f, &n.v);
                terms.push(self.arena.neg(along));
            }
        }
        for added in self.added.clone() {
            let (Some(c), Some(e)) = (added.contact, added.direction) else { continue };
            if c == contact && added.touches {
                continue;
            }
            let Contact { frame, carrier, .. } = self.contacts[c];
            let factor = match (self.moves_with(frame, top), self.moves_with(carrier, top)) {
                (true, false) => self.arena.integer(-1),
                (false, true) => self.arena.one(),
                _ => continue,
            };
            let along = self.product(e, n);
            if !self.arena.is_zero(along) {
                let multiplier = self.multiplier(&added.name);
                terms.push(self.arena.product([factor, along, multiplier]));
            }
        }
        let sum = self.arena.sum(terms);
        self.short(sum)
    }

    /// n·a of a spot.
    fn acceleration_along(&mut self, n: Placed, spot: Spot, name: &str, gap: Option<Expr>) -> Expr {
        if n.axes == GROUND && n.v.iter().all(|&x| self.order_of(x).is_none()) {
            let height = self.height(name, spot, &n.v);
            // A height that keeps its distance to a gap that stays closed does not change.
            if let Some(gap) = gap {
                let difference = self.arena.sub(height, gap);
                let meaning = self.meaning(difference);
                let rate = self.arena.time_derivative(meaning);
                if self.vanishes(rate) {
                    return self.arena.zero();
                }
            }
            let height = self.letter_if_long(&format!("{name}_h"), height, 2);
            let rate = self.arena.time_derivative(height);
            return self.arena.time_derivative(rate);
        }
        // (n·v)˙ − ṅ·v with ṅ = ω×n
        let v = self.velocity_in(spot, n.axes);
        let speed = self.arena.dot_of(&n.v, &v);
        let speed = self.letter_if_long(&format!("{name}_vn"), speed, 2);
        let rate = self.arena.time_derivative(speed);
        let omega = self.omega(n.axes);
        let turning = self.arena.cross(&omega, &n.v);
        let own = self.arena.rate(&n.v);
        let turning = self.arena.plus(&turning, &own);
        let carried = self.arena.dot_of(&turning, &v);
        self.arena.sub(rate, carried)
    }

    /// The velocity of the surface where it is touched.
    fn velocity_of_carrier(&mut self, contact: &Contact, axes: usize) -> Vector {
        let origin = Spot { frame: contact.carrier, at: self.arena.nothing() };
        let mut way: Vec<Placed> = contact.point.clone();
        for shift in self.shifts(origin) {
            way.push(Placed { axes: shift.axes, v: self.arena.opposite(&shift.v) });
        }
        let v = self.velocity_in(origin, axes);
        let w = self.omega_anywhere(self.frames[contact.carrier].axes, axes);
        let r = self.gather(&way, axes);
        let turning = self.arena.cross(&w, &r);
        self.arena.plus(&v, &turning)
    }

    /// Coulomb's force at a contact that slides.
    fn coulomb(&mut self, index: usize, mu: Expr, normal: Expr) {
        let contact = self.contacts[index].clone();
        let meaning = self.meaning(normal);
        if self.order_of(meaning) > Some(1) {
            let message = format!("the normal force of the sliding contact `{}` depends on the motion", contact.name);
            let hint =
                "a generalised force cannot contain reactions or accelerations: give the force of friction as a load";
            self.error(Error::input(message).at(contact.span).hint(hint));
            return;
        }
        let Some(n) = contact.normal else { return };
        let spot = Spot { frame: contact.frame, at: self.arena.nothing() };
        // The velocity of the material point that touches, along the surface.
        let axes = n.axes;
        let origin = self.shifts(spot).len();
        let rest: Vec<Placed> = contact.point[origin.min(contact.point.len())..].to_vec();
        let v = self.velocity_in(spot, axes);
        let w = self.omega_anywhere(self.frames[contact.frame].axes, axes);
        let r = self.gather(&rest, axes);
        let turning = self.arena.cross(&w, &r);
        let v = self.arena.plus(&v, &turning);
        let carried = self.velocity_of_carrier(&contact, axes);
        let v = self.arena.minus(&v, &carried);
        let along = self.arena.dot_of(&n.v, &v);
        let part = self.arena.times(along, &n.v);
        let slip = self.arena.minus(&v, &part);
        let slip = slip.map(|x| self.shortest(x));
        let square = self.arena.norm_squared(&slip);
        let speed = self.arena.sqrt(square);
        let speed = self.letter_if_long(&format!("{}_slip", contact.name), speed, 2);
        let factor = self.arena.product([mu, normal]);
        let factor = self.arena.div(factor, speed);
        let factor = self.arena.neg(factor);
        let meanings = slip.map(|x| self.meaning(x));
        for i in 0..self.coordinates.len() {
            let rate = self.arena.dot(self.coordinates[i]);
            let lever = meanings.map(|x| self.arena.diff(x, rate));
            let lever = lever.map(|x| self.short(x));
            let q = self.arena.dot_of(&slip, &lever);
            let q = self.arena.mul(factor, q);
            self.forces[i] = self.arena.add(self.forces[i], q);
        }
    }
}
