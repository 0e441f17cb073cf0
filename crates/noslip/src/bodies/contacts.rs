//! Contacts: what rolls, skates, slides or is joined, as constraints.
//!
//! A contact has a normal n towards the body and unit directions e along the surface. Rolling says e·(v_body − v_surface) = 0 at the
//! material points that touch, touching says n·(p − o) = 0. Each product is computed in the axes in which it is shortest.

use super::axes::{GROUND, Placed};
use super::frames::Spot;
use super::layer::{Layer, Where};
use super::on_surfaces::Touching;
use super::shapes::Shape;
use super::spec::{ContactKind, ContactSpec, Name, OnSpec, PlaceSpec, WheelSpec};
use super::vector::VectorArithmetic;
use crate::error::{Error, Span};
use crate::expr::{Expr, NameError};

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
    /// The same in axes of the body that do not spin with it, where its components there have names: the conditions are made of them.
    pub(super) named_normal: Option<Placed>,
    pub(super) friction: Option<Expr>,
    /// The touching point, as shifts from the ground's origin.
    pub(super) point: Vec<Placed>,
    /// Holds touching only; nothing rolls.
    pub(super) slides: bool,
    /// A picture of the ground is wanted.
    pub(super) floor: bool,
    /// Chosen directions that lean against the normal.
    pub(super) leans: Vec<super::directions::Lean>,
}

/// The point of a body that touches: a spot of the body, and the way from there.
pub(super) struct Touch {
    pub(super) spot: Spot,
    pub(super) way: Placed,
    /// Along and across, where the shape has an axis.
    pub(super) directions: Option<[Placed; 2]>,
    /// way × direction for each of them, where it is known better than by multiplying.
    pub(super) levers: Option<[Placed; 2]>,
    /// The axis of a round shape and way × axis, likewise.
    pub(super) axle: Option<[Placed; 2]>,
    /// −n·way, likewise.
    pub(super) reach: Option<Reach>,
}

/// How far a body reaches against a normal.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) n: Placed,
    pub(super) length: Expr,
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
            named_normal: None,
            friction,
            point: Vec::new(),
            slides: false,
            floor: false,
            leans: Vec::new(),
        };
        self.contacts.push(contact);
        match &spec.kind {
            ContactKind::Joins(places) => self.join(index, places),
            ContactKind::Skates { body, at, axis, on, wheel } => {
                self.skate(index, body, at.as_ref(), *axis, on.as_ref(), wheel.as_ref())
            }
            ContactKind::Touches {
                on: OnSpec::Body(other), body, at, rolls, inside, with, spins, directions, ..
            } => {
                if let Some(at) = at {
                    let error = Error::input("`at` is not needed where a body touches a body").at(span_of(at));
                    self.error(error.hint("the point of contact follows from the two shapes"));
                }
                if let Some(with) = with {
                    let error = Error::input("`with` does not go with `rolls_on = { body = … }`");
                    let error = error.at(with.surface.span.clone());
                    self.error(error.hint("name the other body's surface: `rolls_on = { surface = … }`"));
                }
                self.touch_body(index, [body, other], *inside, *rolls, *spins, directions)
            }
            ContactKind::Touches { on, body, with, at, side, normal, rolls, inside, spins, directions } => {
                if *inside {
                    let error = Error::input("`inside` goes with `rolls_on = { body = … }`").at(spec.name.span.clone());
                    self.error(error.hint("`side` says on which side of a plane or surface the body is"));
                }
                let (with, at) = (with.as_ref(), at.as_ref());
                if let (Some(with), Some(_)) = (with, at) {
                    let error = Error::input("`with` and `at` both say where the body is touched");
                    self.error(error.at(with.surface.span.clone()).hint("keep one of them"));
                }
                let what = Touching { body, with, at, side: *side, rolls: *rolls, spins: *spins, directions };
                match (on, normal) {
                    (OnSpec::Surface(on), None) => self.touch_surface(index, on, &what),
                    (OnSpec::Frame(on), None) => self.touch_plane(index, on, &what),
                    (OnSpec::Frame(on), Some(normal)) => self.touch_normal(index, on, normal, &what),
                    (OnSpec::Surface(on), Some(_)) => {
                        let error = Error::input("a surface has its own normal").at(on.surface.span.clone());
                        self.error(error.hint("leave `normal` out"));
                        None
                    }
                    (OnSpec::Body(_), _) => None,
                }
            }
        }
    }

    pub(super) fn add(&mut self, index: usize, suffix: &str, expr: Expr, direction: Option<Placed>, kind: Kind) {
        let contact = &self.contacts[index];
        let (name, span) = (format!("{}_{suffix}", contact.name), contact.span.clone());
        let named = contact.named_normal.map_or(Vec::new(), |n| self.arena.free_symbols(&n.v));
        // The conditions of a contact are made of these names: one that is written out would share nothing with the others.
        let shares = self.arena.depends_on_any(expr, &named);
        let expr = if shares { self.short(expr) } else { self.shortest(expr) };
        let expr = if kind == Kind::Rolls { self.over_one_denominator(expr) } else { self.bracketed(expr) };
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
    pub(super) fn body_of(&mut self, name: &Name) -> Option<(usize, Option<Shape>, String)> {
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

    // Skates and wheels -------------------------------------------------------------------------------------------------

    pub(super) fn skate(
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
                axle: None,
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

    // Joints ------------------------------------------------------------------------------------------------------------

    pub(super) fn join(&mut self, index: usize, places: &[PlaceSpec; 2]) -> Option<()> {
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
}

/// What a constraint says.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Rolls,
    Touches,
    Joins,
}

fn span_of(place: &PlaceSpec) -> Span {
    match place {
        PlaceSpec::Named(name) => name.span.clone(),
        PlaceSpec::In { span, .. } | PlaceSpec::On { span, .. } => span.clone(),
    }
}
