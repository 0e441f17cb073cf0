//! What rolls or slides on a plane, or on any surface with a known normal: the point that touches, and the directions there.

use super::axes::{GROUND, Placed};
use super::contacts::{Kind, Reach, Touch};
use super::directions::{Directions, is_chosen};
use super::frames::Spot;
use super::layer::Layer;
use super::on_surfaces::Touching;
use super::shapes::{Shape, ShapeKind};
use super::spec::{AxisOf, Name, PlaceSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::{Expr, Rational};

impl Layer<'_> {
    /// The normal of the plane z = 0 of a frame, towards the body.
    pub(super) fn plane_normal(&mut self, index: usize, frame: usize, side: Option<bool>) -> Option<Placed> {
        let axes = self.frames[frame].axes;
        let z = self.arena.unit(2);
        let positive = match (side, self.gravity) {
            (Some(side), _) => side,
            (None, None) => true,
            (None, Some((_, up))) => {
                let z_ground = self.direction_in(Placed { axes, v: z }, GROUND);
                let product = self.arena.dot_of(&up, &z_ground);
                let value = self.initial_value(product);
                if value.abs() < 1e-9 {
                    let contact = &self.contacts[index];
                    let message = format!(
                        "contact `{}`: the plane of `{}` stands upright, so it is not clear on which side the body is",
                        contact.name, self.frames[frame].name
                    );
                    let error = Error::input(message).at(contact.span.clone());
                    self.error(error.hint("write `side = \"z\"` or `side = \"-z\"`"));
                    return None;
                }
                value.is_nan() || value > 0.0
            }
        };
        let v = if positive { z } else { self.arena.opposite(&z) };
        Some(self.outermost(Placed { axes, v }))
    }

    pub(super) fn touch_plane(&mut self, index: usize, on: &Name, what: &Touching) -> Option<()> {
        let (frame, shape, name) = self.body_of(what.body)?;
        let plane = self.frame_of(on)?;
        let n = self.plane_normal(index, plane, what.side)?;
        let (rolls, mut own) = (what.rolls, None);
        let touch = match (what.at, what.with) {
            (Some(at), _) => self.touch_at(index, frame, shape.as_ref(), at, n)?,
            (None, Some(with)) => {
                let patch = self.own_patch(frame, &name, with)?;
                let touch = self.touch_with(frame, &patch);
                own = Some(patch);
                touch
            }
            (None, None) => self.touch_of_shape(index, frame, shape.as_ref(), &name, n)?,
        };
        let axes = self.frames[plane].axes;
        let plain = [0, 1].map(|i| {
            let v = self.arena.unit(i);
            self.outermost(Placed { axes, v })
        });
        let directions = match touch.directions {
            _ if !rolls => None,
            usual if is_chosen(what.directions) => {
                Some(self.chosen(index, what.directions, n, usual, what.at.is_none())?)
            }
            Some(usual) => Some(Directions::usual(usual)),
            None => Some(Directions::usual(plain)),
        };
        self.settle(index, frame, plane, Some(n), &touch, !rolls);
        self.contacts[index].floor = true;
        if let Some(Directions { e, usual }) = directions {
            for (i, suffix) in ["along", "across"].into_iter().enumerate() {
                let lever = match (touch.levers, touch.axle) {
                    (Some(levers), _) if usual[i] => Some(levers[i]),
                    (_, Some([axis, lever])) if self.is_same(e[i], axis) => Some(lever),
                    _ => None,
                };
                let slip = match lever {
                    Some(lever) => self.slip_of_wheel(e[i], lever, frame, &touch, plane),
                    None => self.slip(e[i], frame, &touch, plane),
                };
                self.add(index, suffix, slip, Some(e[i]), Kind::Rolls);
            }
        }
        if !what.spins {
            self.no_spin(index, frame, plane, n);
        }
        if let Some(own) = own {
            self.tangent(index, frame, &own, n);
        }
        let gap = self.gap(plane, &touch, n);
        self.add(index, "touches", gap, Some(n), Kind::Touches);
        Some(())
    }

    /// Any surface whose normal is an axis of a frame.
    pub(super) fn touch_normal(&mut self, index: usize, on: &Name, normal: &AxisOf, what: &Touching) -> Option<()> {
        let (frame, ..) = self.body_of(what.body)?;
        let carrier = self.frame_of(on)?;
        let axes = self.frame_of(&normal.frame)?;
        let axes = self.frames[axes].axes;
        let Some(at) = what.at else {
            let contact = &self.contacts[index];
            let error = Error::input(format!("contact `{}` has a `normal` but no point `at`", contact.name));
            let error = error.at(contact.span.clone()).hint("write `at = { in = FRAME, at = […] }`, where it touches");
            self.error(error);
            return None;
        };
        if !what.rolls {
            let contact = &self.contacts[index];
            let error =
                Error::input(format!("contact `{}` with a `normal` says nothing unless it rolls", contact.name));
            let error = error.at(contact.span.clone()).hint("a normal demands nothing along itself: write `rolls_on`");
            self.error(error);
            return None;
        }
        let [n, e, f] = [0, 1, 2].map(|i| {
            let v = self.arena.unit((normal.axis + i) % 3);
            self.outermost(Placed { axes, v })
        });
        let touch = self.place_of_touch(frame, at)?;
        let towards = self.towards_body(n, frame, touch.spot);
        self.settle(index, frame, carrier, Some(towards), &touch, false);
        let directions = match is_chosen(what.directions) {
            true => self.chosen(index, what.directions, n, Some([e, f]), false)?.e,
            false => [e, f],
        };
        for (suffix, e) in ["along", "across"].into_iter().zip(directions) {
            let slip = self.slip(e, frame, &touch, carrier);
            self.add(index, suffix, slip, Some(e), Kind::Rolls);
        }
        if !what.spins {
            self.no_spin(index, frame, carrier, n);
        }
        Some(())
    }

    /// A normal, turned so that it points from the contact to the body.
    pub(super) fn towards_body(&mut self, n: Placed, frame: usize, contact: Spot) -> Placed {
        let body = self.bodies.iter().find(|b| b.frame == frame);
        let middle = Spot { frame, at: body.map_or(self.arena.nothing(), |b| b.center) };
        let way = self.between(contact, middle);
        let d = self.gather(&way, n.axes);
        let product = self.arena.dot_of(&d, &n.v);
        if self.initial_value(product) < 0.0 { Placed { v: self.arena.opposite(&n.v), ..n } } else { n }
    }

    /// Notes what the contact is.
    pub(super) fn settle(
        &mut self,
        index: usize,
        frame: usize,
        carrier: usize,
        n: Option<Placed>,
        touch: &Touch,
        slides: bool,
    ) {
        let mut point = self.shifts(touch.spot);
        point.push(touch.way);
        let contact = &mut self.contacts[index];
        (contact.frame, contact.carrier, contact.normal) = (frame, carrier, n);
        (contact.point, contact.slides) = (point, slides);
    }

    /// A point of contact that the file gives.
    pub(super) fn place_of_touch(&mut self, frame: usize, at: &PlaceSpec) -> Option<Touch> {
        let spot = self.spot(at, frame)?;
        let way = Placed { axes: GROUND, v: self.arena.nothing() };
        Some(Touch { spot, way, directions: None, levers: None, axle: None, reach: None })
    }

    pub(super) fn touch_at(
        &mut self,
        index: usize,
        frame: usize,
        shape: Option<&Shape>,
        at: &PlaceSpec,
        n: Placed,
    ) -> Option<Touch> {
        let mut touch = self.place_of_touch(frame, at)?;
        let own = matches!(at, PlaceSpec::In { frame: None, .. });
        if let Some(shape) = shape.filter(|s| own && s.kind.is_round() && !s.kind.is_ball()) {
            let axes = self.without_spin(self.frames[frame].axes, shape.axis);
            let v = self.direction_in(n, axes);
            let (u, length) = self.perpendicular(index, shape.axis, &v)?;
            touch.directions = Some(self.wheel_directions(axes, shape.axis, &u, length, v[shape.axis]));
        }
        Some(touch)
    }

    /// The point of a shape furthest against n.
    pub(super) fn touch_of_shape(
        &mut self,
        index: usize,
        frame: usize,
        shape: Option<&Shape>,
        body: &str,
        n: Placed,
    ) -> Option<Touch> {
        let span = self.contacts[index].span.clone();
        let hint = "give the point with `at = […]`, in the frame of the body";
        let Some(shape) = shape else {
            let message = format!("`{body}` has no shape, so its point of contact is not known");
            self.error(Error::input(message).at(span).hint(hint));
            return None;
        };
        let (axes, axis, sizes) = (self.frames[frame].axes, shape.axis, &shape.sizes);
        let spot = Spot { frame, at: shape.at };
        let minus = |layer: &mut Self, size: Expr, v: &Vector| {
            let back = layer.arena.neg(size);
            layer.arena.times(back, v)
        };
        match shape.kind {
            ShapeKind::Point | ShapeKind::Box | ShapeKind::Rod => {
                let message = format!("the {} `{body}` has no one lowest point", shape.kind.name());
                self.error(Error::input(message).at(span).hint(hint));
                None
            }
            ShapeKind::Ball | ShapeKind::Shell => {
                let way = Placed { axes: n.axes, v: minus(self, sizes[0], &n.v) };
                Some(Touch {
                    spot,
                    way,
                    directions: None,
                    levers: None,
                    axle: None,
                    reach: Some(Reach { n, length: sizes[0] }),
                })
            }
            ShapeKind::Ellipsoid => self.touch_of_ellipsoid(index, spot, sizes, n),
            ShapeKind::Disk | ShapeKind::Hoop | ShapeKind::Cylinder | ShapeKind::Torus => {
                let outer = self.without_spin(axes, axis);
                let mut v = self.direction_in(n, outer);
                let (u, length) = self.perpendicular(index, axis, &v)?;
                let contact = self.contacts[index].name.clone();
                let plain = v;
                self.name_normal(&contact, &mut v);
                self.contacts[index].named_normal = (v != plain).then_some(Placed { axes: outer, v });
                let radius = sizes[0];
                let mut way = minus(self, radius, &u);
                let mut reach = self.arena.mul(radius, length);
                let directions = self.wheel_directions(outer, axis, &u, length, v[axis]);
                // u × (a × u) = a and u × (L a − ν u) = −L a × u, with n = L u + ν a
                let a = self.arena.unit(axis);
                let mut levers = [minus(self, radius, &a), self.arena.times(reach, &directions[0].v)];
                // −u × a = along and −n × a = L along
                let mut arm = radius;
                match shape.kind {
                    ShapeKind::Torus => {
                        let tube = minus(self, sizes[1], &v);
                        way = self.arena.plus(&way, &tube);
                        reach = self.arena.add(reach, sizes[1]);
                        let more = self.arena.mul(sizes[1], length);
                        arm = self.arena.add(arm, more);
                        // n × along = across, n × across = −along
                        let more =
                            [minus(self, sizes[1], &directions[1].v), self.arena.times(sizes[1], &directions[0].v)];
                        levers = [0, 1].map(|i| self.arena.plus(&levers[i], &more[i]));
                    }
                    ShapeKind::Cylinder if !self.vanishes(v[axis]) => {
                        // The rim of the lower end.
                        let value = self.initial_value(v[axis]);
                        if value.abs() < 1e-9 && self.has_initial {
                            self.singular(
                                index,
                                "the cylinder lies along the plane, and either end may be the lower one",
                            );
                            return None;
                        }
                        let sign = if value < 0.0 { Rational::new(1, 2) } else { Rational::new(-1, 2) };
                        let half = self.arena.number(sign.unwrap_or_default());
                        let end = self.arena.mul(half, sizes[1]);
                        way[axis] = self.arena.add(way[axis], end);
                        let drop = self.arena.mul(end, v[axis]);
                        reach = self.arena.sub(reach, drop);
                        // a × along = −u, a × across = −ν along
                        let down = self.arena.neg(drop);
                        let more = [minus(self, end, &u), self.arena.times(down, &directions[0].v)];
                        levers = [0, 1].map(|i| self.arena.plus(&levers[i], &more[i]));
                    }
                    _ => {}
                }
                let levers = Some(levers.map(|v| Placed { axes: outer, v }));
                let turning = self.arena.times(arm, &directions[0].v);
                let axle = Some([a, turning].map(|v| Placed { axes: outer, v }));
                let way = Placed { axes: outer, v: way };
                let reach = Some(Reach { n, length: reach });
                Some(Touch { spot, way, directions: Some(directions), levers, axle, reach })
            }
        }
    }

    fn touch_of_ellipsoid(&mut self, index: usize, spot: Spot, sizes: &[Expr], n: Placed) -> Option<Touch> {
        // −A²n/√(n·A²n) with A = diag(a, b, c)
        let axes = self.frames[spot.frame].axes;
        let v = self.direction_in(n, axes);
        let stretched = [0, 1, 2].map(|i| {
            let square = self.arena.square(sizes[i]);
            self.arena.mul(square, v[i])
        });
        let square = self.arena.dot_of(&stretched, &v);
        let root = self.root(index, square)?;
        let contact = self.contacts[index].name.clone();
        let root = self.letter_if_long(&format!("{contact}_w"), root, 4);
        let back = stretched.map(|x| {
            let quotient = self.arena.div(x, root);
            self.arena.neg(quotient)
        });
        let (way, reach) = (Placed { axes, v: back }, Some(Reach { n, length: root }));
        Some(Touch { spot, way, directions: None, levers: None, axle: None, reach })
    }

    /// The unit vector of n across an axis, and the length of n there.
    pub(super) fn perpendicular(&mut self, index: usize, axis: usize, n: &Vector) -> Option<(Vector, Expr)> {
        let mut p = *n;
        p[axis] = self.arena.zero();
        let nonzero: Vec<usize> = (0..3).filter(|&i| !self.arena.is_zero(p[i])).collect();
        let contact = self.contacts[index].name.clone();
        match nonzero[..] {
            [] => {
                self.singular(index, "the axis of the body is always along the normal, so that it has no lowest point");
                None
            }
            [i] => {
                let length = self.branch(index, p[i])?;
                let mut u = self.arena.nothing();
                u[i] = if length == p[i] { self.arena.one() } else { self.arena.integer(-1) };
                Some((u, length))
            }
            _ => {
                self.name_normal(&contact, &mut p);
                let square = self.arena.norm_squared(&p);
                let length = self.root(index, square)?;
                let length = self.letter_if_long(&format!("{contact}_n"), length, 2);
                let u = p.map(|x| {
                    let quotient = self.arena.div(x, length);
                    self.short(quotient)
                });
                Some((u, length))
            }
        }
    }

    /// Long components of a normal get names.
    fn name_normal(&mut self, contact: &str, n: &mut Vector) {
        for (i, x) in n.iter_mut().enumerate() {
            *x = self.signed_letter_if_long(&format!("{contact}_n{}", i + 1), *x, 3);
        }
    }

    /// Along a × n, across n × along, of length one: with n = L u + ν a they are a × u and L a − ν u.
    pub(super) fn wheel_directions(
        &mut self,
        axes: usize,
        axis: usize,
        u: &Vector,
        length: Expr,
        rest: Expr,
    ) -> [Placed; 2] {
        let a = self.arena.unit(axis);
        let along = self.arena.cross(&a, u);
        let (first, second) = (self.arena.times(length, &a), self.arena.times(rest, u));
        let across = self.arena.minus(&first, &second);
        [along, across].map(|v| Placed { axes, v })
    }
}
