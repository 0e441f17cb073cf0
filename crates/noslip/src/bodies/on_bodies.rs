//! Round bodies that roll on round bodies.

use super::axes::{GROUND, Placed};
use super::contacts::{Kind, Touch};
use super::directions::{Directions, is_chosen};
use super::frames::Spot;
use super::layer::Layer;
use super::shapes::{Shape, ShapeKind};
use super::spec::{AxisOf, Name};
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::Expr;

impl Layer<'_> {
    pub(super) fn touch_body(
        &mut self,
        index: usize,
        [body, other]: [&Name; 2],
        inside: bool,
        rolls: bool,
        spins: bool,
        chosen: &[Option<AxisOf>; 2],
    ) -> Option<()> {
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
        let apart = if inside { self.arena.sub(big, r) } else { self.arena.add(big, r) };
        let (n, distance, directions) = if is_ball(&first) && is_ball(&second) {
            let (n, distance, d) = self.between_balls(index, &way, apart)?;
            let level = (rolls && !is_chosen(chosen)).then(|| self.level_directions(index, n, &d));
            match level {
                Some(directions) => (n, distance, Some(directions?)),
                None => (n, distance, None),
            }
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
            let (n, distance) = self.unit_of(index, &d, Some(apart))?;
            let along = self.arena.cross(&a.v, &n);
            (Placed { axes, v: n }, distance, Some([Placed { axes, v: along }, a]))
        } else {
            return self.cannot_touch(other, &first, &second);
        };
        // From B's middle to the body's; inside it is reversed, and with it the directions made of it.
        let turned = |layer: &mut Self, p: Placed| Placed { v: layer.arena.opposite(&p.v), ..p };
        let (n, directions) = if inside {
            // across is n × along for balls and the axis for wheels: it stays.
            (turned(self, n), directions.map(|[along, across]| [turned(self, along), across]))
        } else {
            (n, directions)
        };
        let n = self.outermost(n);
        let directions = match rolls {
            true if is_chosen(chosen) => Some(self.chosen(index, chosen, n, directions, true)?),
            true => directions.map(Directions::usual),
            false => None,
        };
        let back = self.arena.neg(r);
        let touch = Touch {
            spot: spots[0],
            way: Placed { axes: n.axes, v: self.arena.times(back, &n.v) },
            directions: None,
            levers: None,
            axle: None,
            reach: None,
        };
        self.settle(index, frame, carrier, Some(n), &touch, !rolls);
        let from_other = if inside { self.arena.neg(big) } else { big };
        if let Some(Directions { e: directions, usual }) = directions {
            let turned = self.turned_about_normal(n, directions, usual);
            for (i, suffix) in ["along", "across"].into_iter().enumerate() {
                let mut slip = Vec::new();
                for (spot, reach) in [(spots[0], back), (spots[1], from_other)] {
                    let lever = Placed { v: self.arena.times(reach, &turned[i].v), ..turned[i] };
                    slip.push(self.speed_with_lever(directions[i], lever, spot));
                }
                let slip = self.arena.sub(slip[0], slip[1]);
                self.add(index, suffix, slip, Some(directions[i]), Kind::Rolls);
            }
        }
        if !spins {
            self.no_spin(index, frame, carrier, n);
        }
        let gap = if inside { self.arena.sub(apart, distance) } else { self.arena.sub(distance, apart) };
        self.add(index, "touches", gap, Some(n), Kind::Touches);
        Some(())
    }

    pub(super) fn cannot_touch(&mut self, other: &Name, first: &Shape, second: &Shape) -> Option<()> {
        let message = format!("a {} and a {} cannot roll on each other here", first.kind.name(), second.kind.name());
        let hint = "ball or shell on ball or shell; disk, hoop, cylinder or torus on one of these with a parallel axis";
        self.error(Error::input(message).at(other.span.clone()).hint(hint));
        None
    }

    /// n × e of both directions: n × along = across and n × across = −along where nobody chose them.
    fn turned_about_normal(&mut self, n: Placed, e: [Placed; 2], usual: [bool; 2]) -> [Placed; 2] {
        if usual == [true; 2] {
            return [e[1], Placed { v: self.arena.opposite(&e[0].v), ..e[0] }];
        }
        e.map(|e| {
            let n = self.direction_in(n, e.axes);
            let v = self.arena.cross(&n, &e.v);
            Placed { v: v.map(|x| self.short(x)), ..e }
        })
    }

    /// The normal between two balls, the distance of their middles, and of the two vectors along the normal the one whose length is easier.
    fn between_balls(&mut self, index: usize, way: &[Placed], apart: Expr) -> Option<(Placed, Expr, Vector)> {
        let axes = self.common_axes(way);
        let d = self.gather(way, axes);
        let (n, distance) = self.unit_of(index, &d, Some(apart))?;
        Some((Placed { axes, v: n }, distance, if distance == apart { n } else { d }))
    }

    /// Two directions across a normal, along which d is: a level one, and one at right angles to both.
    fn level_directions(&mut self, index: usize, n: Placed, d: &Vector) -> Option<[Placed; 2]> {
        let axes = n.axes;
        let up = Placed { axes: GROUND, v: self.arena.unit(2) };
        let k = self.direction_in(up, axes);
        let along = self.arena.cross(&k, d);
        let along = along.map(|x| self.short(x));
        let (along, _) = self.unit_of(index, &along, None)?;
        let across = self.arena.cross(&n.v, &along);
        let across = across.map(|x| self.short(x));
        Some([along, across].map(|v| Placed { axes, v }))
    }

    /// A vector of length one, and the length; `expected` is what it is if the coordinates make it so.
    pub(super) fn unit_of(&mut self, index: usize, d: &Vector, expected: Option<Expr>) -> Option<(Vector, Expr)> {
        let square = self.arena.norm_squared(d);
        let square = self.meaning(square);
        let square = self.short(square);
        if let Some(length) = expected {
            let other = self.arena.square(length);
            let difference = self.arena.sub(square, other);
            if self.initial_value(length) > 0.0 && self.vanishes(difference) {
                let unit = d.map(|x| {
                    let x = self.arena.div(x, length);
                    self.short(x)
                });
                return Some((unit, length));
            }
        }
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
    pub(super) fn common_axes(&self, parts: &[Placed]) -> usize {
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
}
