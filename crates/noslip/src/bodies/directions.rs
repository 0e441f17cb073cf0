//! Directions of a contact that the file chooses.
//!
//! A contact that rolls has two directions of slip e, and e·(v_body − v_surface) = 0 along both. By itself it takes them along and across the
//! body; `along` and `across` name others, each an axis of a frame. Where one is named, the other is at right angles to it and to the normal:
//! n × along, or along = across × n, of length one.
//!
//! A named axis need not lie along the surface. Since bodies that touch stay together, n·(v_body − v_surface) = 0, an axis that leans against the
//! normal says the same as its part along the surface, and is often shorter: the axle of a wheel. Its multiplier is the force along the axis,
//! and what this force has along the normal is then missing in the multiplier of touching.

use super::axes::Placed;
use super::layer::Layer;
use super::roots::Asker;
use super::spec::AxisOf;
use super::vector::VectorArithmetic;
use crate::error::{Error, Span};
use crate::expr::Expr;

/// The two directions of slip of a contact.
pub(super) struct Directions {
    pub(super) e: [Placed; 2],
    /// Are they those that the contact has by itself?
    pub(super) usual: [bool; 2],
}

impl Directions {
    /// Those that the contact has by itself.
    pub(super) fn usual(e: [Placed; 2]) -> Directions {
        Directions { e, usual: [true; 2] }
    }
}

/// A direction that leans against the normal, and what it has along it.
#[derive(Clone, Debug)]
pub(super) struct Lean {
    key: &'static str,
    span: Span,
    part: Expr,
}

/// A named axis: the direction, and what it has along the normal where it leans against it.
struct Named {
    e: Placed,
    lean: Option<Expr>,
}

/// Does the file choose a direction?
pub(super) fn is_chosen(given: &[Option<AxisOf>; 2]) -> bool {
    given.iter().any(Option::is_some)
}

const NAMES: [&str; 2] = ["along", "across"];

impl Layer<'_> {
    /// The directions that the file chooses. `usual` are those the contact has by itself, if they are known; `touching` says that what is known
    /// of the contact keeps its sides together along the normal.
    pub(super) fn chosen(
        &mut self,
        index: usize,
        given: &[Option<AxisOf>; 2],
        n: Placed,
        usual: Option<[Placed; 2]>,
        touching: bool,
    ) -> Option<Directions> {
        let mut named = Vec::new();
        for (i, axis) in given.iter().enumerate() {
            if let Some(axis) = axis {
                named.push((i, axis, self.named_direction(index, NAMES[i], axis, n, touching)?));
            }
        }
        let directions = match &named[..] {
            [(i, axis, one)] => self.completed(index, *i, axis, one, n, usual)?,
            _ => {
                let [a, b] = [0, 1].map(|i| named[i].2.e);
                self.independent(index, &given[1], a, b, n)?;
                Directions { e: [a, b], usual: [false; 2] }
            }
        };
        if self.contacts[index].friction.is_some() {
            let [a, b] = directions.e;
            let product = self.product(a, b);
            let leaning = named.iter().find(|(.., one)| one.lean.is_some()).map(|(_, axis, _)| *axis);
            let oblique = leaning.or_else(|| given[1].as_ref().filter(|_| !self.vanishes(product)));
            if let Some(axis) = oblique {
                let name = self.contacts[index].name.clone();
                let message = format!(
                    "contact `{name}` has `friction`, and its directions are not at right angles to each other and to the normal"
                );
                let hint = "the force of friction is that along the surface: choose axes that lie there, or leave `along` and `across` out";
                self.error(Error::input(message).at(axis.span.clone()).hint(hint));
                return None;
            }
        }
        Some(directions)
    }

    fn named_direction(
        &mut self,
        index: usize,
        key: &'static str,
        axis: &AxisOf,
        n: Placed,
        touching: bool,
    ) -> Option<Named> {
        let frame = self.frame_of(&axis.frame)?;
        let v = self.arena.unit(axis.axis);
        let e = self.outermost(Placed { axes: self.frames[frame].axes, v });
        let lean = self.product(e, n);
        if self.vanishes(lean) {
            return Some(Named { e, lean: None });
        }
        let (contact, letter) = (self.contacts[index].name.clone(), ["x", "y", "z"][axis.axis]);
        let square = self.arena.square(lean);
        let rest = self.arena.one();
        let rest = self.arena.sub(rest, square);
        let frame = &axis.frame.text;
        if self.vanishes(rest) {
            let message = format!("`{key}` of contact `{contact}` is its normal: axis {letter} of `{frame}`");
            let error = Error::input(message).at(axis.span.clone());
            self.error(error.hint("a direction of rolling lies along the surface: choose another axis"));
            return None;
        }
        if !touching {
            let message =
                format!("`{key}` of contact `{contact}`, axis {letter} of `{frame}`, does not lie along the surface");
            let hint =
                "choose an axis across the normal: one that leans goes with contacts whose point follows from shapes";
            self.error(Error::input(message).at(axis.span.clone()).hint(hint));
            return None;
        }
        self.contacts[index].leans.push(Lean { key, span: axis.span.clone(), part: lean });
        Some(Named { e, lean: Some(lean) })
    }

    /// Says what the normal force is where the multiplier of touching is not.
    pub(super) fn tell_leaning(&mut self) {
        for (i, contact) in self.contacts.clone().into_iter().enumerate() {
            let Some(touches) = self.added.iter().find(|a| a.contact == Some(i) && a.touches) else { continue };
            let mut force = format!("lambda_{}", touches.name);
            for lean in &contact.leans {
                let part = self.meaning(lean.part);
                let part = self.short(part);
                let text = self.text(part);
                force += &format!(" + ({text})*lambda_{}_{}", contact.name, lean.key);
            }
            for lean in &contact.leans {
                let message = format!("`{}` of contact `{}` leans against the normal", lean.key, contact.name);
                self.note(&lean.span, message, &format!("the normal force is {force}"));
            }
        }
    }

    /// Are two directions visibly one?
    pub(super) fn is_same(&self, a: Placed, b: Placed) -> bool {
        let [a, b] = [a, b].map(|e| self.outermost(e));
        a.axes == b.axes && a.v == b.v
    }

    /// A direction and the one at right angles to it and to the normal.
    fn completed(
        &mut self,
        index: usize,
        i: usize,
        axis: &AxisOf,
        one: &Named,
        n: Placed,
        usual: Option<[Placed; 2]>,
    ) -> Option<Directions> {
        let axes = one.e.axes;
        let normal = self.direction_in(n, axes);
        // n × along, across × n
        let v = if i == 0 { self.arena.cross(&normal, &one.e.v) } else { self.arena.cross(&one.e.v, &normal) };
        let v = v.map(|x| self.short(x));
        let other = 1 - i;
        let arranged = |e: Placed, usual: bool| {
            let mut directions = Directions { e: [one.e; 2], usual: [false; 2] };
            directions.e[other] = e;
            directions.usual[other] = usual;
            directions
        };
        if let Some(e) = usual.map(|e| e[other]) {
            let (across, same) = (self.product(e, one.e), self.product(Placed { axes, v }, e));
            if self.arena.is_zero(across) && self.initial_value(same) > 1e-9 {
                return Some(arranged(e, true));
            }
        }
        let v = match one.lean {
            Some(_) => {
                let asker = self.direction_asks(index, axis);
                let name = format!("{}_l", self.contacts[index].name);
                let under = self.arena.denominator(&v, |_, _| true);
                let v = v.map(|x| self.arena.distributed(x, under));
                let v = if self.initial_value(under) < 0.0 { self.arena.opposite(&v) } else { v };
                self.direction_of(&asker, &v, &name)?
            }
            None => v,
        };
        Some(arranged(self.outermost(Placed { axes, v }), false))
    }

    /// Two directions and the normal must not lie in one plane.
    fn independent(&mut self, index: usize, axis: &Option<AxisOf>, a: Placed, b: Placed, n: Placed) -> Option<()> {
        let [e, f] = [a, b].map(|e| self.direction_in(e, n.axes));
        let c = self.arena.cross(&e, &f);
        let volume = self.arena.dot_of(&n.v, &c);
        let volume = self.short(volume);
        let axis = axis.as_ref()?;
        if self.vanishes(volume) {
            let contact = &self.contacts[index].name;
            let message = format!("`along` and `across` of contact `{contact}` are one direction along the surface");
            let error = Error::input(message).at(axis.span.clone());
            self.error(error.hint("leave one of them out: it is then at right angles to the other"));
            return None;
        }
        if self.order_of(volume).is_some() {
            let asker = self.direction_asks(index, axis);
            if self.has_initial && self.initial_value(volume).abs() < 1e-9 {
                self.singular_for(&asker, "its directions are parallel along the surface at the initial state");
                return None;
            }
            self.guards.push((asker.what, volume));
        }
        Some(())
    }

    fn direction_asks(&self, index: usize, axis: &AxisOf) -> Asker {
        let along_normal = "the chosen direction is along the normal at the initial state";
        Asker {
            what: format!("contact `{}`", self.contacts[index].name),
            span: axis.span.clone(),
            flat: [along_normal, along_normal],
            hint: "choose another axis for `along` or `across`",
        }
    }
}
