//! Contacts: what rolls, skates, slides or is joined, as constraints.
//!
//! A contact has a normal n towards the body and unit directions e along the surface. Rolling says e·(v_body − v_surface) = 0 at the
//! material points that touch, touching says n·(p − o) = 0. Each product is computed in the axes in which it is shortest.

use super::axes::{GROUND, Placed};
use super::frames::Spot;
use super::layer::{Layer, Where};
use super::shapes::{Shape, ShapeKind};
use super::spec::{ContactKind, ContactSpec, Name, OnSpec, PlaceSpec, WheelSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::error::{Error, Span};
use crate::expr::{Expr, Node, NameError, Rational};

/// A constraint of the layer.
#[derive(Clone, Debug)]
pub(super) struct Added {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) expr: Expr,
    /// The contact it belongs to, and the direction of its force on the body; none for conditions of another kind.
    pub(super) contact: Option<usize>,
    pub(super) direction: Option<Placed>,
    pub(super) holonomic: bool,
    /// It says that the bodies touch.
    pub(super) touches: bool,
}

/// A contact as it was understood.
#[derive(Clone, Debug)]
pub(super) struct Contact {
    pub(super) name: String,
    pub(super) span: Span,
    /// Whose material point touches, and what carries the surface.
    pub(super) frame: usize,
    pub(super) carrier: usize,
    pub(super) normal: Option<Placed>,
    pub(super) friction: Option<Expr>,
    /// The touching point, as shifts from the ground's origin.
    pub(super) point: Vec<Placed>,
    /// Holds touching only; nothing rolls.
    pub(super) slides: bool,
    /// A picture of the ground is wanted.
    pub(super) floor: bool,
}

/// The point of a body that touches: a spot of the body, and the way from there.
struct Touch {
    spot: Spot,
    way: Placed,
    /// Along and across, where the shape has an axis.
    directions: Option<[Placed; 2]>,
    /// way × direction for each of them, where it is known better than by multiplying.
    levers: Option<[Placed; 2]>,
    /// −n·way, likewise.
    reach: Option<Expr>,
}

impl Layer<'_> {
    pub(super) fn make_contact(&mut self, spec: &ContactSpec) -> Option<()> {
        let friction = match spec.friction {
            Some(item) => Some(self.read(item, Where::FRICTION)?),
            None => None,
        };
        let index = self.contacts.len();
        let contact = Contact {
            name: spec.name.text.clone(),
            span: spec.name.span.clone(),
            frame: 0,
            carrier: 0,
            normal: None,
            friction,
            point: Vec::new(),
            slides: false,
            floor: false,
        };
        self.contacts.push(contact);
        match &spec.kind {
            ContactKind::Joins(places) => self.join(index, places),
            ContactKind::Skates { body, at, axis, on, wheel } => {
                self.skate(index, body, at.as_ref(), *axis, on.as_ref(), wheel.as_ref())
            }
            ContactKind::Touches { on: OnSpec::Body(other), body, at, rolls, inside, .. } => {
                if let Some(at) = at {
                    let error = Error::input("`at` is not needed where a body touches a body").at(span_of(at));
                    self.error(error.hint("the point of contact follows from the two shapes"));
                }
                self.touch_body(index, body, other, *inside, *rolls)
            }
            ContactKind::Touches { on: OnSpec::Frame(on), body, at, side, normal, rolls, inside } => {
                if *inside {
                    let error = Error::input("`inside` goes with `rolls_on = { body = … }`").at(spec.name.span.clone());
                    self.error(error.hint("for a plane, `side` says on which side the body is"));
                }
                match normal {
                    Some((frame, axis)) => self.touch_normal(index, body, on, at.as_ref(), frame, *axis, *rolls),
                    None => self.touch_plane(index, body, on, at.as_ref(), *side, *rolls),
                }
            }
        }
    }

    fn add(&mut self, index: usize, suffix: &str, expr: Expr, direction: Option<Placed>, kind: Kind) {
        let contact = &self.contacts[index];
        let (name, span) = (format!("{}_{suffix}", contact.name), contact.span.clone());
        let expr = self.shortest(expr);
        self.added.push(Added {
            name,
            span,
            expr,
            contact: Some(index),
            direction,
            holonomic: kind != Kind::Rolls,
            touches: kind == Kind::Touches,
        });
    }

    /// The frame of a body, or a frame that carries none, and the shape.
    fn body_of(&mut self, name: &Name) -> Option<(usize, Option<Shape>, String)> {
        if let Some(body) = self.bodies.iter().find(|b| b.name == name.text) {
            return Some((body.frame, body.shape.clone(), body.name.clone()));
        }
        if let Some(frame) = self.frame_named(&name.text).filter(|&f| f > 0) {
            return Some((frame, None, name.text.clone()));
        }
        let known: Vec<&str> = self.specs.bodies.iter().map(|b| b.name.text.as_str()).collect();
        if !known.contains(&name.text.as_str()) {
            let frames = self.specs.frames.iter().map(|f| f.name.text.as_str());
            let error = NameError::unknown("body", &name.text, known.iter().copied().chain(frames));
            self.error(error.hint(format!("bodies are {}", known.join(", "))).at(name.span.clone()));
        }
        None
    }

    // Planes ----------------------------------------------------------------------------------------------------------

    /// The normal of the plane z = 0 of a frame, towards the body.
    fn plane_normal(&mut self, index: usize, frame: usize, side: Option<bool>) -> Option<Placed> {
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

    fn touch_plane(
        &mut self,
        index: usize,
        body: &Name,
        on: &Name,
        at: Option<&PlaceSpec>,
        side: Option<bool>,
        rolls: bool,
    ) -> Option<()> {
        let (frame, shape, name) = self.body_of(body)?;
        let plane = self.frame_of(on)?;
        let n = self.plane_normal(index, plane, side)?;
        let touch = match at {
            Some(at) => self.touch_at(index, frame, shape.as_ref(), at, n)?,
            None => self.touch_of_shape(index, frame, shape.as_ref(), &name, n)?,
        };
        let axes = self.frames[plane].axes;
        let plain = [0, 1].map(|i| {
            let v = self.arena.unit(i);
            self.outermost(Placed { axes, v })
        });
        let directions = touch.directions.unwrap_or(plain);
        self.settle(index, frame, plane, Some(n), &touch, !rolls);
        self.contacts[index].floor = true;
        if rolls {
            for (i, suffix) in ["along", "across"].into_iter().enumerate() {
                let slip = match touch.levers {
                    Some(levers) => self.slip_of_wheel(directions[i], levers[i], frame, &touch, plane),
                    None => self.slip(directions[i], frame, &touch, plane),
                };
                self.add(index, suffix, slip, Some(directions[i]), Kind::Rolls);
            }
        }
        let gap = self.gap(plane, &touch, n);
        self.add(index, "touches", gap, Some(n), Kind::Touches);
        Some(())
    }

    /// Any surface whose normal is an axis of a frame.
    #[allow(clippy::too_many_arguments)] // what the file says
    fn touch_normal(
        &mut self,
        index: usize,
        body: &Name,
        on: &Name,
        at: Option<&PlaceSpec>,
        frame_of_normal: &Name,
        axis: usize,
        rolls: bool,
    ) -> Option<()> {
        let (frame, ..) = self.body_of(body)?;
        let carrier = self.frame_of(on)?;
        let axes = self.frame_of(frame_of_normal)?;
        let axes = self.frames[axes].axes;
        let Some(at) = at else {
            let contact = &self.contacts[index];
            let error = Error::input(format!("contact `{}` has a `normal` but no point `at`", contact.name));
            let error = error.at(contact.span.clone()).hint("write `at = { in = FRAME, at = […] }`, where it touches");
            self.error(error);
            return None;
        };
        if !rolls {
            let contact = &self.contacts[index];
            let error = Error::input(format!("contact `{}` with a `normal` says nothing unless it rolls", contact.name));
            let error = error.at(contact.span.clone()).hint("a normal demands nothing along itself: write `rolls_on`");
            self.error(error);
            return None;
        }
        let [n, e, f] = [0, 1, 2].map(|i| {
            let v = self.arena.unit((axis + i) % 3);
            self.outermost(Placed { axes, v })
        });
        let touch = self.place_of_touch(frame, at)?;
        self.settle(index, frame, carrier, Some(n), &touch, false);
        for (suffix, e) in [("along", e), ("across", f)] {
            let slip = self.slip(e, frame, &touch, carrier);
            self.add(index, suffix, slip, Some(e), Kind::Rolls);
        }
        Some(())
    }

    /// Notes what the contact is.
    fn settle(&mut self, index: usize, frame: usize, carrier: usize, n: Option<Placed>, touch: &Touch, slides: bool) {
        let mut point = self.shifts(touch.spot);
        point.push(touch.way);
        let contact = &mut self.contacts[index];
        (contact.frame, contact.carrier, contact.normal) = (frame, carrier, n);
        (contact.point, contact.slides) = (point, slides);
    }

    /// A point of contact that the file gives.
    fn place_of_touch(&mut self, frame: usize, at: &PlaceSpec) -> Option<Touch> {
        let spot = self.spot(at, frame)?;
        let way = Placed { axes: GROUND, v: self.arena.nothing() };
        Some(Touch { spot, way, directions: None, levers: None, reach: None })
    }

    fn touch_at(
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
    fn touch_of_shape(
        &mut self,
        index: usize,
        frame: usize,
        shape: Option<&Shape>,
        body: &str,
        n: Placed,
    ) -> Option<Touch> {
        let span = self.contacts[index].span.clone();
        let no_lowest = |what: String| {
            Error::input(what).at(span).hint("give the point with `at = […]`, in the frame of the body")
        };
        let Some(shape) = shape else {
            self.error(no_lowest(format!("`{body}` has no shape, so its point of contact is not known")));
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
                self.error(no_lowest(format!("the {} `{body}` has no one lowest point", shape.kind.name())));
                None
            }
            ShapeKind::Ball | ShapeKind::Shell => {
                let way = Placed { axes: n.axes, v: minus(self, sizes[0], &n.v) };
                Some(Touch { spot, way, directions: None, levers: None, reach: Some(sizes[0]) })
            }
            ShapeKind::Ellipsoid => {
                // −A²n/√(n·A²n) with A = diag(a, b, c)
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
                Some(Touch { spot, way: Placed { axes, v: back }, directions: None, levers: None, reach: Some(root) })
            }
            ShapeKind::Disk | ShapeKind::Hoop | ShapeKind::Cylinder | ShapeKind::Torus => {
                let outer = self.without_spin(axes, axis);
                let v = self.direction_in(n, outer);
                let (u, length) = self.perpendicular(index, axis, &v)?;
                let radius = sizes[0];
                let mut way = minus(self, radius, &u);
                let mut reach = self.arena.mul(radius, length);
                let directions = self.wheel_directions(outer, axis, &u, length, v[axis]);
                // u × (a × u) = a and u × (L a − ν u) = −L a × u, with n = L u + ν a
                let a = self.arena.unit(axis);
                let mut levers = [minus(self, radius, &a), self.arena.times(reach, &directions[0].v)];
                match shape.kind {
                    ShapeKind::Torus => {
                        let tube = minus(self, sizes[1], &v);
                        way = self.arena.plus(&way, &tube);
                        reach = self.arena.add(reach, sizes[1]);
                        // n × along = across, n × across = −along
                        let more = [minus(self, sizes[1], &directions[1].v), self.arena.times(sizes[1], &directions[0].v)];
                        levers = [0, 1].map(|i| self.arena.plus(&levers[i], &more[i]));
                    }
                    ShapeKind::Cylinder if !self.vanishes(v[axis]) => {
                        // The rim of the lower end.
                        let value = self.initial_value(v[axis]);
                        if value.abs() < 1e-9 && self.has_initial {
                            self.singular(index, "the cylinder lies along the plane, and either end may be the lower one");
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
                let way = Placed { axes: outer, v: way };
                Some(Touch { spot, way, directions: Some(directions), levers, reach: Some(reach) })
            }
        }
    }

    /// The unit vector of n across an axis, and the length of n there.
    fn perpendicular(&mut self, index: usize, axis: usize, n: &Vector) -> Option<(Vector, Expr)> {
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
                for (i, x) in p.iter_mut().enumerate() {
                    *x = self.letter_if_long(&format!("{contact}_n{}", i + 1), *x, 3);
                }
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

    /// Along a × n, across n × along, of length one: with n = L u + ν a they are a × u and L a − ν u.
    fn wheel_directions(&mut self, axes: usize, axis: usize, u: &Vector, length: Expr, rest: Expr) -> [Placed; 2] {
        let a = self.arena.unit(axis);
        let along = self.arena.cross(&a, u);
        let (first, second) = (self.arena.times(length, &a), self.arena.times(rest, u));
        let across = self.arena.minus(&first, &second);
        [along, across].map(|v| Placed { axes, v })
    }

    // Skates and wheels -----------------------------------------------------------------------------------------------

    fn skate(
        &mut self,
        index: usize,
        body: &Name,
        at: Option<&PlaceSpec>,
        axis: usize,
        on: Option<&Name>,
        wheel: Option<&WheelSpec>,
    ) -> Option<()> {
        let (frame, ..) = self.body_of(body)?;
        let plane = match on {
            Some(on) => self.frame_of(on)?,
            None => 0,
        };
        let n = self.plane_normal(index, plane, None)?;
        let touch = match at {
            Some(at) => self.place_of_touch(frame, at)?,
            None => Touch {
                spot: Spot { frame, at: self.arena.nothing() },
                way: Placed { axes: GROUND, v: self.arena.nothing() },
                directions: None,
                levers: None,
                reach: None,
            },
        };
        let axes = self.frames[frame].axes;
        let (v, a) = (self.direction_in(n, axes), self.arena.unit(axis));
        let across = self.arena.cross(&v, &a);
        let square = self.arena.norm_squared(&across);
        let square = self.short(square);
        let across = if self.arena.is_one(square) {
            across
        } else {
            if self.arena.is_zero(square) {
                self.singular(index, "the blade always points along the normal of the plane");
                return None;
            }
            let length = self.root(index, square)?;
            across.map(|x| {
                let quotient = self.arena.div(x, length);
                self.short(quotient)
            })
        };
        let along = self.arena.cross(&across, &v);
        let [along, across] = [along, across].map(|v| {
            let v = v.map(|x| self.short(x));
            self.outermost(Placed { axes, v })
        });
        self.settle(index, frame, plane, Some(n), &touch, false);
        if let Some(wheel) = wheel {
            let turn = self.read(wheel.turn, Where::ANGLE)?;
            let radius = self.read(wheel.radius, Where::SIZE)?;
            let rate = self.arena.time_derivative(turn);
            if self.arena.is_zero(rate) {
                let error = Error::input("the angle of a wheel does not vary").at(wheel.turn.span.clone());
                self.error(error.hint("`turn` is the angle the wheel has turned: a coordinate"));
                return None;
            }
            let speed = self.arena.mul(radius, rate);
            let slip = self.slip(along, frame, &touch, plane);
            let slip = self.arena.sub(slip, speed);
            self.add(index, "along", slip, Some(along), Kind::Rolls);
            if let Some(inertia) = wheel.inertia {
                let moment = self.read(inertia, Where::INERTIA)?;
                let half = self.arena.fraction(1, 2);
                let square = self.arena.square(rate);
                let energy = self.arena.product([half, moment, square]);
                self.kinetic.push(energy);
            }
        }
        let slip = self.slip(across, frame, &touch, plane);
        self.add(index, "across", slip, Some(across), Kind::Rolls);
        Some(())
    }

    // Joints ----------------------------------------------------------------------------------------------------------

    fn join(&mut self, index: usize, places: &[PlaceSpec; 2]) -> Option<()> {
        let (a, b) = (self.spot(&places[0], 0), self.spot(&places[1], 0));
        let (a, b) = (a?, b?);
        let way = self.between(b, a);
        let d = self.gather(&way, GROUND);
        let contact = &mut self.contacts[index];
        (contact.frame, contact.carrier) = (a.frame, b.frame);
        for (i, suffix) in ["x", "y", "z"].into_iter().enumerate() {
            let e = Placed { axes: GROUND, v: self.arena.unit(i) };
            self.add(index, suffix, d[i], Some(e), Kind::Joins);
        }
        self.contacts[index].point = self.shifts(a);
        Some(())
    }

    // Bodies on bodies ------------------------------------------------------------------------------------------------

    fn touch_body(&mut self, index: usize, body: &Name, other: &Name, inside: bool, rolls: bool) -> Option<()> {
        let (frame, shape, _) = self.body_of(body)?;
        let (carrier, second, _) = self.body_of(other)?;
        let (Some(first), Some(second)) = (shape, second) else {
            let error = Error::input("two bodies touch with their shapes, and one of them has none");
            self.error(error.at(other.span.clone()).hint("give both a round shape: ball, shell, disk, hoop, cylinder"));
            return None;
        };
        let spots = [Spot { frame, at: first.at }, Spot { frame: carrier, at: second.at }];
        let radius = |layer: &mut Self, s: &Shape| match s.kind {
            ShapeKind::Torus => Some(layer.arena.add(s.sizes[0], s.sizes[1])),
            ShapeKind::Ball | ShapeKind::Shell | ShapeKind::Disk | ShapeKind::Hoop | ShapeKind::Cylinder => {
                Some(s.sizes[0])
            }
            _ => None,
        };
        let is_ball = |s: &Shape| matches!(s.kind, ShapeKind::Ball | ShapeKind::Shell);
        let (Some(r), Some(big)) = (radius(self, &first), radius(self, &second)) else {
            return self.cannot_touch(other, &first, &second);
        };
        let way = self.between(spots[1], spots[0]);
        let outer = self.common_axes(&way);
        let (n, distance, directions) = if is_ball(&first) && is_ball(&second) {
            let d = self.gather(&way, outer);
            let (n, distance) = self.unit_of(index, &d)?;
            let n = Placed { axes: outer, v: n };
            let up = Placed { axes: GROUND, v: self.arena.unit(2) };
            let k = self.direction_in(up, outer);
            let along = self.arena.cross(&k, &n.v);
            let along = along.map(|x| self.short(x));
            let (along, _) = self.unit_of(index, &along)?;
            let across = self.arena.cross(&n.v, &along);
            let across = across.map(|x| self.short(x));
            (n, distance, [along, across].map(|v| Placed { axes: outer, v }))
        } else if !is_ball(&first) && !is_ball(&second) {
            let axes = self.without_spin(self.frames[frame].axes, first.axis);
            let a = Placed { axes, v: self.arena.unit(first.axis) };
            let b = self.outermost(Placed { axes: self.frames[carrier].axes, v: self.arena.unit(second.axis) });
            let b = self.direction_in(b, axes);
            let c = self.arena.cross(&a.v, &b);
            if !c.iter().all(|&x| self.vanishes(x)) {
                let error = Error::input("the axes of the two bodies are not parallel").at(other.span.clone());
                self.error(error.hint("round bodies roll on each other here only with parallel axes"));
                return None;
            }
            let mut d = self.gather(&way, axes);
            d[first.axis] = self.arena.zero();
            let (n, distance) = self.unit_of(index, &d)?;
            let along = self.arena.cross(&a.v, &n);
            (Placed { axes, v: n }, distance, [Placed { axes, v: along }, a])
        } else {
            return self.cannot_touch(other, &first, &second);
        };
        // From B's middle to the body's; inside it is reversed, and with it the directions made of it.
        let turned = |layer: &mut Self, p: Placed| Placed { v: layer.arena.opposite(&p.v), ..p };
        let (n, directions) = if inside {
            // across is n × along for balls and the axis for wheels: it stays.
            let along = turned(self, directions[0]);
            (turned(self, n), [along, directions[1]])
        } else {
            (n, directions)
        };
        let n = self.outermost(n);
        let back = self.arena.neg(r);
        let touch = Touch {
            spot: spots[0],
            way: Placed { axes: n.axes, v: self.arena.times(back, &n.v) },
            directions: None,
            levers: None,
            reach: None,
        };
        self.settle(index, frame, carrier, Some(n), &touch, !rolls);
        let from_other = if inside { self.arena.neg(big) } else { big };
        let on_other = Placed { axes: n.axes, v: self.arena.times(from_other, &n.v) };
        if rolls {
            for (suffix, e) in ["along", "across"].into_iter().zip(directions) {
                let mine = self.speed_along(e, frame, spots[0], touch.way);
                let theirs = self.speed_along(e, carrier, spots[1], on_other);
                let slip = self.arena.sub(mine, theirs);
                self.add(index, suffix, slip, Some(e), Kind::Rolls);
            }
        }
        let gap = if inside {
            let room = self.arena.sub(big, r);
            self.arena.sub(room, distance)
        } else {
            let sum = self.arena.add(big, r);
            self.arena.sub(distance, sum)
        };
        self.add(index, "touches", gap, Some(n), Kind::Touches);
        Some(())
    }

    fn cannot_touch(&mut self, other: &Name, first: &Shape, second: &Shape) -> Option<()> {
        let message = format!("a {} and a {} cannot roll on each other here", first.kind.name(), second.kind.name());
        let hint = "ball or shell on ball or shell; disk, hoop, cylinder or torus on one of these with a parallel axis";
        self.error(Error::input(message).at(other.span.clone()).hint(hint));
        None
    }

    /// A vector of length one, and the length.
    fn unit_of(&mut self, index: usize, d: &Vector) -> Option<(Vector, Expr)> {
        let square = self.arena.norm_squared(d);
        let square = self.meaning(square);
        let square = self.short(square);
        if self.arena.is_zero(square) {
            self.singular(index, "the two bodies have the same middle");
            return None;
        }
        if self.arena.is_one(square) {
            return Some((*d, square));
        }
        let length = self.root(index, square)?;
        let name = self.contacts[index].name.clone();
        let length = self.letter_if_long(&format!("{name}_d"), length, 3);
        let unit = d.map(|x| {
            let x = self.arena.div(x, length);
            self.short(x)
        });
        Some((unit, length))
    }

    /// The innermost axes on the way to all parts.
    fn common_axes(&self, parts: &[Placed]) -> usize {
        let mut common: Option<Vec<usize>> = None;
        for p in parts {
            let path = self.path_to(p.axes);
            common = Some(match common {
                None => path,
                Some(c) => c.into_iter().zip(path).take_while(|(a, b)| a == b).map(|(a, _)| a).collect(),
            });
        }
        common.and_then(|c| c.last().copied()).unwrap_or(GROUND)
    }

    // Velocities at contacts ------------------------------------------------------------------------------------------

    /// e·(v of the body − v of the carrier) at the point that touches.
    fn slip(&mut self, e: Placed, frame: usize, touch: &Touch, carrier: usize) -> Expr {
        let mine = self.speed_along(e, frame, touch.spot, touch.way);
        let theirs = self.carried(e, touch, carrier);
        self.arena.sub(mine, theirs)
    }

    /// The same where way × e is known.
    fn slip_of_wheel(&mut self, e: Placed, lever: Placed, frame: usize, touch: &Touch, carrier: usize) -> Expr {
        let speed = self.best_speed(e, touch.spot);
        let axes = self.frames[frame].axes;
        let lever = self.outermost(lever);
        let turning = self.best(&[lever.axes, axes], |layer, at| {
            let lever = layer.gather(&[lever], at);
            let w = layer.omega_anywhere(axes, at);
            layer.arena.dot_of(&w, &lever)
        });
        let mine = self.arena.add(speed, turning);
        let theirs = self.carried(e, touch, carrier);
        self.arena.sub(mine, theirs)
    }

    /// e·v of the carrier at the point that touches.
    fn carried(&mut self, e: Placed, touch: &Touch, carrier: usize) -> Expr {
        let still = carrier == 0 || {
            let origin = Spot { frame: carrier, at: self.arena.nothing() };
            let v = self.velocity_in(origin, GROUND);
            let w = self.omega(self.frames[carrier].axes);
            self.arena.is_nothing(&v) && self.arena.is_nothing(&w)
        };
        if still {
            return self.arena.zero();
        }
        let origin = Spot { frame: carrier, at: self.arena.nothing() };
        let theirs = self.best_speed(e, origin);
        let mut way = self.between(origin, touch.spot);
        way.push(touch.way);
        let turning = self.best_turning(e, self.frames[carrier].axes, &way);
        self.arena.add(theirs, turning)
    }

    /// e·v of the material point of a frame that is at `spot + way`.
    fn speed_along(&mut self, e: Placed, frame: usize, spot: Spot, way: Placed) -> Expr {
        let own = spot.frame == frame && spot.at.iter().all(|&x| self.order_of(x).is_none());
        let origin = if own { spot } else { Spot { frame, at: self.arena.nothing() } };
        let mut rest = if own { Vec::new() } else { self.between(origin, spot) };
        if !self.arena.is_nothing(&way.v) {
            rest.push(way);
        }
        let speed = self.best_speed(e, origin);
        if rest.is_empty() {
            return speed;
        }
        let turning = self.best_turning(e, self.frames[frame].axes, &rest);
        self.arena.add(speed, turning)
    }

    /// e·v of a spot that is fixed in its frame.
    fn best_speed(&mut self, e: Placed, spot: Spot) -> Expr {
        let known = self.shortest_velocity(spot).axes;
        self.best(&[e.axes, known], |layer, axes| {
            let e = layer.direction_in(e, axes);
            let v = layer.velocity_in(spot, axes);
            layer.arena.dot_of(&e, &v)
        })
    }

    /// e·(ω×r) of the axes of a frame.
    fn best_turning(&mut self, e: Placed, frame_axes: usize, way: &[Placed]) -> Expr {
        let mut near: Vec<usize> = way.iter().map(|p| p.axes).collect();
        near.extend([e.axes, frame_axes]);
        // ω×r in the axes of the frame, under names, or e×r first, wherever that is shortest.
        let (w, r) = (self.omega(frame_axes), self.gather(way, frame_axes));
        let mut s = self.arena.cross(&w, &r);
        let name = self.contacts.last().map_or(String::new(), |c| c.name.clone());
        for (i, x) in s.iter_mut().enumerate() {
            *x = self.letter_if_long(&format!("{name}_s{}", i + 1), *x, 6);
        }
        let s = Placed { axes: frame_axes, v: s };
        let named = self.best(&near, |layer, axes| {
            let (e, s) = (layer.direction_in(e, axes), layer.gather(&[s], axes));
            layer.arena.dot_of(&e, &s)
        });
        let other = self.best(&near, |layer, axes| {
            let e = layer.direction_in(e, axes);
            let r = layer.gather(way, axes);
            let lever = layer.arena.cross(&r, &e);
            let lever = lever.map(|x| layer.short(x));
            let w = layer.omega_anywhere(frame_axes, axes);
            layer.arena.dot_of(&w, &lever)
        });
        if self.cost(named) < self.cost(other) { named } else { other }
    }

    /// A product in the axes in which it is shortest, among those on the way to the given ones.
    fn best(&mut self, near: &[usize], mut product: impl FnMut(&mut Self, usize) -> Expr) -> Expr {
        let mut candidates: Vec<usize> = near
            .iter()
            .flat_map(|&a| {
                let path = self.path_to(a);
                let skipped = path.len().saturating_sub(5);
                path.into_iter().skip(skipped)
            })
            .chain([GROUND])
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut best: Option<(u64, Expr)> = None;
        for axes in candidates {
            let e = product(self, axes);
            let e = self.short(e);
            let cost = self.cost(e);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, e));
            }
        }
        best.map_or(self.arena.zero(), |(_, e)| e)
    }

    /// n·(p − o).
    fn gap(&mut self, plane: usize, touch: &Touch, n: Placed) -> Expr {
        let origin = Spot { frame: plane, at: self.arena.nothing() };
        let way = self.between(origin, touch.spot);
        let height = self.best(&[n.axes], |layer, axes| {
            let n = layer.direction_in(n, axes);
            let d = layer.gather(&way, axes);
            layer.arena.dot_of(&n, &d)
        });
        let reach = match touch.reach {
            Some(reach) => reach,
            None => {
                let way = touch.way;
                let drop = self.best(&[n.axes, way.axes], |layer, axes| {
                    let (n, d) = (layer.direction_in(n, axes), layer.gather(&[way], axes));
                    layer.arena.dot_of(&n, &d)
                });
                self.arena.neg(drop)
            }
        };
        self.arena.sub(height, reach)
    }

    // Roots -----------------------------------------------------------------------------------------------------------

    /// The root of an expression, on the branch of the initial state where it can be written without a root.
    fn root(&mut self, index: usize, square: Expr) -> Option<Expr> {
        let meaning = self.meaning(square);
        let simple = self.short(meaning);
        if let Some(n) = self.arena.as_number(simple) {
            let n = n.clone();
            let n = self.arena.number(n);
            return Some(self.arena.sqrt(n));
        }
        match self.square_root(simple) {
            Some(root) => self.branch(index, root),
            None => {
                let kept = self.short(square);
                let value = self.initial_value(kept);
                if value.abs() < 1e-18 && self.has_initial {
                    self.singular(index, "the point of contact is not determined at the initial state");
                    return None;
                }
                Some(self.arena.sqrt(kept))
            }
        }
    }

    /// √e where e is visibly a square.
    fn square_root(&mut self, e: Expr) -> Option<Expr> {
        let two = Rational::integer(2);
        match self.arena.node(e).clone() {
            Node::Product { coefficient, factors } => {
                let halves: Option<Vec<(Expr, Rational)>> = factors
                    .iter()
                    .map(|(base, x)| {
                        let half = x.checked_div(&two)?;
                        // Symbols without sign, such as lengths, would do as well; but only even powers are sure.
                        half.is_integer().then_some((*base, half))
                    })
                    .collect();
                let halves = halves?;
                let number = self.arena.number(coefficient);
                if self.arena.as_number(number).is_none_or(Rational::is_negative) {
                    return None;
                }
                let factor = self.arena.sqrt(number);
                let rest = self.arena.powers(Rational::ONE, halves);
                Some(self.arena.mul(factor, rest))
            }
            Node::Sum { constant, terms } if constant.is_one() && terms.len() == 1 && terms[0].1.is_minus_one() => {
                // 1 − cos² or 1 − sin²
                use crate::expr::Function::{Cos, Sin};
                let Node::Product { coefficient, factors } = self.arena.node(terms[0].0).clone() else { return None };
                let [(base, exponent)] = &factors[..] else { return None };
                if !coefficient.is_one() || *exponent != two {
                    return None;
                }
                match self.arena.node(*base) {
                    Node::Call(Cos, x) => {
                        let x = *x;
                        Some(self.arena.sin(x))
                    }
                    Node::Call(Sin, x) => {
                        let x = *x;
                        Some(self.arena.cos(x))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// ± a root, with the sign it has at the initial state.
    fn branch(&mut self, index: usize, root: Expr) -> Option<Expr> {
        if self.order_of(root).is_none() {
            // Made of parameters alone: lengths, positive.
            let value = self.initial_value(root);
            return Some(if value < 0.0 { self.arena.neg(root) } else { root });
        }
        let value = self.initial_value(root);
        if self.has_initial && value.abs() < 1e-9 {
            self.singular(index, "it lies flat at the initial state, and has no one lowest point");
            return None;
        }
        let taken = if value < 0.0 { self.arena.neg(root) } else { root };
        let text = self.text(taken);
        let (name, span) = (self.contacts[index].name.clone(), self.contacts[index].span.clone());
        let why = if self.has_initial && !value.is_nan() {
            "its sign at the initial state; it must not vanish"
        } else {
            "without an initial state the positive root is taken; it must not vanish"
        };
        self.note(&span, format!("contact `{name}` takes `{text}` for the positive root of its square"), why);
        self.guards.push((name, taken));
        Some(taken)
    }

    fn singular(&mut self, index: usize, why: &str) {
        let contact = &self.contacts[index];
        let error = Error::input(format!("contact `{}` is singular: {why}", contact.name)).at(contact.span.clone());
        self.error(error.hint("start from another attitude, or give the point of contact with `at`"));
    }
}

/// What a constraint says.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rolls,
    Touches,
    Joins,
}

fn span_of(place: &PlaceSpec) -> Span {
    match place {
        PlaceSpec::Named(name) => name.span.clone(),
        PlaceSpec::In { span, .. } => span.clone(),
    }
}
