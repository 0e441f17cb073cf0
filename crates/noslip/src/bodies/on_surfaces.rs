//! What rolls or slides on a surface, and surfaces that roll on surfaces: Woronetz' case.
//!
//! With σ the place on the surface that is touched, n its normal and p the point of the body, touching says
//!
//! ```text
//! n·(p − σ) = 0,  σ_u·(p − σ) = 0,  σ_v·(p − σ) = 0,
//! ```
//!
//! and, where the body touches with a surface of its own, n·σ¹_u = n·σ¹_v = 0: the tangent planes are one. The first multiplier is the
//! normal force. The others vanish: the contact coordinates have no mass, and do not change the first condition where the others
//! hold.

use super::axes::Placed;
use super::contacts::{Kind, Touch};
use super::directions::{Directions, is_chosen};
use super::frames::Spot;
use super::layer::Layer;
use super::spec::{AxisOf, Name, OnSurface, PlaceSpec};
use super::surfaces::Patch;
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::Expr;

/// What the file says about a contact with a surface.
pub(super) struct Touching<'s, 'a> {
    pub(super) body: &'s Name,
    pub(super) with: Option<&'s OnSurface<'a>>,
    pub(super) at: Option<&'s PlaceSpec<'a>>,
    pub(super) side: Option<bool>,
    pub(super) rolls: bool,
    pub(super) spins: bool,
    /// Along and across, where they are chosen.
    pub(super) directions: &'s [Option<AxisOf>; 2],
}

impl Layer<'_> {
    pub(super) fn touch_surface(&mut self, index: usize, on: &OnSurface, what: &Touching) -> Option<()> {
        let (frame, shape, name) = self.body_of(what.body)?;
        let surface = self.surface_of(&on.surface)?;
        let carrier = self.surfaces[surface].frame;
        if carrier == frame {
            let message = format!("`{name}` cannot touch the surface `{}`, which is its own", on.surface.text);
            let hint = "the surface belongs to another frame: `in` says to which";
            self.error(Error::input(message).at(on.surface.span.clone()).hint(hint));
            return None;
        }
        let given = match what.at {
            Some(at) => Some(self.place_of_touch(frame, at)?),
            None => None,
        };
        // Over a graph, a point of the body has its own x and y.
        let below = given.as_ref().filter(|_| on.at.is_none() && self.surfaces[surface].is_graph).map(|t| t.spot);
        let parameters = match (below, self.standing_on(frame, surface)) {
            (Some(spot), _) => {
                let d = self.seen_from(carrier, spot);
                [d[0], d[1]]
            }
            (None, Some(at)) if on.at.is_none() => at,
            _ => self.on_surface(surface, on.at, &on.surface.span)?.0,
        };
        let patch = self.patch(surface, parameters, &on.surface.span)?;
        let own = match what.with {
            Some(with) => Some(self.own_patch(frame, &name, with)?),
            None => None,
        };
        let n = self.towards(index, &patch, frame, shape.as_ref().map(|s| s.at), what.side)?;
        let touch = match (given, &own) {
            (Some(touch), _) => touch,
            (None, Some(own)) => self.touch_with(frame, own),
            (None, None) => self.touch_of_shape(index, frame, shape.as_ref(), &name, n)?,
        };
        self.settle(index, frame, carrier, Some(n), &touch, !what.rolls);
        let by_shape = what.at.is_none() && own.is_none();
        let ball = shape.filter(|s| by_shape && s.kind.is_ball()).map(|s| s.sizes[0]);
        if what.rolls {
            self.roll_on(index, &patch, n, &touch, ball, what)?;
        }
        if !what.spins {
            self.no_spin(index, frame, carrier, n);
        }
        // Touching comes last: coordinates that keep a height make it follow from the others.
        if let Some(own) = own {
            let towards = Placed { axes: n.axes, v: self.reduced(&patch.normal) };
            self.tangent(index, frame, &own, towards);
        }
        self.close(index, &patch, n, &touch, ball.is_some(), below.is_some());
        Some(())
    }

    /// Where the frame of a body stands on a surface, if it was put there.
    fn standing_on(&self, frame: usize, surface: usize) -> Option<[Expr; 2]> {
        self.frames[frame].on.filter(|(s, _)| *s == surface).map(|(_, at)| at)
    }

    /// The surface that a body touches with, where it does.
    pub(super) fn own_patch(&mut self, frame: usize, body: &str, with: &OnSurface) -> Option<Patch> {
        let surface = self.surface_of(&with.surface)?;
        let carrier = self.surfaces[surface].frame;
        if self.frames[carrier].axes != self.frames[frame].axes || carrier != frame {
            let message = format!("the surface `{}` is not fixed to the frame of `{body}`", with.surface.text);
            let hint = format!("write `in = \"{}\"` in its section", self.frames[frame].name);
            self.error(Error::input(message).at(with.surface.span.clone()).hint(hint));
            return None;
        }
        let (at, _) = self.on_surface(surface, with.at, &with.surface.span)?;
        Some(self.bare_patch(surface, at))
    }

    pub(super) fn touch_with(&mut self, frame: usize, own: &Patch) -> Touch {
        let way = Placed { axes: super::axes::GROUND, v: self.arena.nothing() };
        Touch { spot: Spot { frame, at: own.place }, way, directions: None, levers: None, axle: None, reach: None }
    }

    /// The normal of a surface towards a body.
    fn towards(
        &mut self,
        index: usize,
        patch: &Patch,
        frame: usize,
        middle: Option<Vector>,
        side: Option<bool>,
    ) -> Option<Placed> {
        let carrier = self.surfaces[patch.surface].frame;
        let positive = match side {
            Some(side) => side,
            None => {
                let center = self.bodies.iter().find(|b| b.frame == frame).map(|b| b.center);
                let at = middle.or(center).unwrap_or(self.arena.nothing());
                let d = self.seen_from(carrier, Spot { frame, at });
                let d = self.arena.minus(&d, &patch.place);
                let product = self.arena.dot_of(&d, &patch.unit);
                let value = self.initial_value(product);
                if value.is_nan() || value.abs() < 1e-9 {
                    let contact = &self.contacts[index];
                    let message = format!(
                        "contact `{}`: it is not clear on which side of the surface `{}` the body is",
                        contact.name, self.surfaces[patch.surface].name
                    );
                    let hint = "write `side = \"n\"` or `side = \"-n\"`, or give the initial position";
                    self.error(Error::input(message).at(contact.span.clone()).hint(hint));
                    return None;
                }
                value > 0.0
            }
        };
        let v = if positive { patch.unit } else { self.arena.opposite(&patch.unit) };
        Some(Placed { axes: self.frames[carrier].axes, v })
    }

    /// The place of a spot in the axes of a frame, from its origin.
    fn seen_from(&mut self, frame: usize, spot: Spot) -> Vector {
        let origin = Spot { frame, at: self.arena.nothing() };
        let way = self.between(origin, spot);
        let d = self.gather(&way, self.frames[frame].axes);
        d.map(|x| self.short(x))
    }

    /// No velocity of the body's point against the surface's, along the surface.
    fn roll_on(
        &mut self,
        index: usize,
        patch: &Patch,
        n: Placed,
        touch: &Touch,
        ball: Option<Expr>,
        what: &Touching,
    ) -> Option<()> {
        let carrier = self.surfaces[patch.surface].frame;
        let Directions { e: directions, usual } = match is_chosen(what.directions) {
            true => self.chosen(index, what.directions, n, None, what.at.is_none())?,
            false => Directions::usual(self.directions_on(index, patch, &n.v)?),
        };
        // The surface is touched at σ.
        let below = Touch {
            spot: Spot { frame: carrier, at: patch.place },
            way: Placed { axes: super::axes::GROUND, v: self.arena.nothing() },
            directions: None,
            levers: None,
            axle: None,
            reach: None,
        };
        for (i, suffix) in ["along", "across"].into_iter().enumerate() {
            let e = directions[i];
            let mine = match ball.filter(|_| usual[i]) {
                Some(r) => {
                    // −r n × e: n × along = across, n × across = −along
                    let factor = if i == 0 { self.arena.neg(r) } else { r };
                    let lever = Placed { v: self.arena.times(factor, &directions[1 - i].v), ..e };
                    self.speed_with_lever(e, lever, touch.spot)
                }
                None => self.speed_along(e, self.contacts[index].frame, touch),
            };
            let theirs = self.carried(e, &below, carrier);
            let slip = self.arena.sub(mine, theirs);
            self.add(index, suffix, slip, Some(e), Kind::Rolls);
        }
        Some(())
    }

    /// No turning about the normal.
    pub(super) fn no_spin(&mut self, index: usize, frame: usize, carrier: usize, n: Placed) {
        let axes = [frame, carrier].map(|f| self.frames[f].axes);
        let parts = axes.map(|a| {
            self.best(&[n.axes, a], |layer, at| {
                let (n, w) = (layer.direction_in(n, at), layer.omega_anywhere(a, at));
                layer.arena.dot_of(&n, &w)
            })
        });
        let spin = self.arena.sub(parts[0], parts[1]);
        self.add(index, "spin", spin, None, Kind::Rolls);
    }

    /// The point of the body is that of the surface.
    fn close(&mut self, index: usize, patch: &Patch, n: Placed, touch: &Touch, is_ball: bool, is_below: bool) {
        let carrier = self.surfaces[patch.surface].frame;
        let from = self.seen_from(carrier, touch.spot);
        let way = self.gather(&[touch.way], n.axes);
        let middle = self.arena.minus(&from, &patch.place);
        let whole = self.arena.plus(&middle, &way);
        let gap = match touch.reach {
            Some(reach) => {
                let height = self.arena.dot_of(&n.v, &middle);
                self.arena.sub(height, reach.length)
            }
            None => self.arena.dot_of(&n.v, &whole),
        };
        // What is along the normal does not count.
        let rest = if is_ball { middle } else { whole };
        let parameters = self.surfaces[patch.surface].parameters.clone();
        for (tangent, parameter) in patch.tangents.iter().zip(parameters).filter(|_| !is_below) {
            let tangent = self.reduced(tangent);
            let e = self.arena.dot_of(&tangent, &rest);
            self.add(index, &format!("at_{parameter}"), e, None, Kind::Joins);
        }
        self.add(index, "touches", gap, Some(n), Kind::Touches);
    }

    /// The tangent plane of the body's own surface is the one it touches.
    pub(super) fn tangent(&mut self, index: usize, frame: usize, own: &Patch, n: Placed) {
        let axes = self.frames[frame].axes;
        let parameters = self.surfaces[own.surface].parameters.clone();
        for (tangent, parameter) in own.tangents.into_iter().zip(parameters) {
            let tangent = self.reduced(&tangent);
            let e = self.best(&[n.axes, axes], |layer, at| {
                let tangent = layer.gather(&[Placed { axes, v: tangent }], at);
                let n = layer.gather(&[n], at);
                layer.arena.dot_of(&n, &tangent)
            });
            self.add(index, &format!("tangent_{parameter}"), e, None, Kind::Joins);
        }
    }
}
