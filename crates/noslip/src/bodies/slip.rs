//! How fast the two sides of a contact move past each other, in the axes in which that is shortest.

use super::axes::{GROUND, Placed};
use super::contacts::Touch;
use super::frames::Spot;
use super::layer::Layer;
use super::vector::{Vector, VectorArithmetic};
use crate::expr::{Expr, operations, written_out};

/// What takes more operations is judged by what it shares.
const LONG: u64 = 60;

impl Layer<'_> {
    /// e·(v of the body − v of the carrier) at the point that touches.
    pub(super) fn slip(&mut self, e: Placed, frame: usize, touch: &Touch, carrier: usize) -> Expr {
        let mine = self.speed_along(e, frame, touch.spot, touch.way);
        let theirs = self.carried(e, touch, carrier);
        self.arena.sub(mine, theirs)
    }

    /// The same where way × e is known.
    pub(super) fn slip_of_wheel(
        &mut self,
        e: Placed,
        lever: Placed,
        frame: usize,
        touch: &Touch,
        carrier: usize,
    ) -> Expr {
        let mine = self.speed_with_lever(e, lever, Spot { frame, ..touch.spot });
        let theirs = self.carried(e, touch, carrier);
        self.arena.sub(mine, theirs)
    }

    /// e·(v + ω×way) where way × e is known.
    pub(super) fn speed_with_lever(&mut self, e: Placed, lever: Placed, spot: Spot) -> Expr {
        let speed = self.best_speed(e, spot);
        let axes = self.frames[spot.frame].axes;
        let lever = self.outermost(lever);
        let turning = self.best(&[lever.axes, axes], |layer, at| {
            let lever = layer.gather(&[lever], at);
            let w = layer.omega_anywhere(axes, at);
            layer.arena.dot_of(&w, &lever)
        });
        self.arena.add(speed, turning)
    }

    /// e·v of the carrier at the point that touches.
    pub(super) fn carried(&mut self, e: Placed, touch: &Touch, carrier: usize) -> Expr {
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

    /// e·v of the material point of a frame that is at `spot + way`, reckoned from the spot or from the origin of the frame, whichever
    /// is shorter.
    pub(super) fn speed_along(&mut self, e: Placed, frame: usize, spot: Spot, way: Placed) -> Expr {
        let origin = Spot { frame, at: self.arena.nothing() };
        let ways = [spot, origin].map(|from| {
            let mut rest = self.between(from, spot);
            if !self.arena.is_nothing(&way.v) {
                rest.push(way);
            }
            (from, rest)
        });
        let is_fixed = spot.frame == frame && spot.at.iter().all(|&x| self.order_of(x).is_none());
        let from_spot = is_fixed
            && (self.arena.is_nothing(&spot.at) || {
                let [at_spot, at_origin] = [&ways[0], &ways[1]].map(|(from, rest)| {
                    let speed = self.best_speed(e, *from);
                    let turning = self.turning_along(e, self.frames[frame].axes, rest, false);
                    let sum = self.arena.add(speed, turning);
                    self.cost(sum)
                });
                at_spot <= at_origin
            });
        let (from, rest) = &ways[usize::from(!from_spot)];
        let speed = self.best_speed(e, *from);
        let turning = self.turning_along(e, self.frames[frame].axes, rest, true);
        self.arena.add(speed, turning)
    }

    /// e·v of a spot that is fixed in its frame.
    pub(super) fn best_speed(&mut self, e: Placed, spot: Spot) -> Expr {
        let known = self.shortest_velocity(spot).axes;
        self.best(&[e.axes, known], |layer, axes| {
            let e = layer.direction_in(e, axes);
            let v = layer.velocity_in(spot, axes);
            layer.arena.dot_of(&e, &v)
        })
    }

    /// e·(ω×r) of the axes of a frame.
    pub(super) fn best_turning(&mut self, e: Placed, frame_axes: usize, way: &[Placed]) -> Expr {
        self.turning_along(e, frame_axes, way, true)
    }

    /// The same; without names where it is only to be measured.
    fn turning_along(&mut self, e: Placed, frame_axes: usize, way: &[Placed], with_names: bool) -> Expr {
        if way.is_empty() {
            return self.arena.zero();
        }
        let mut near: Vec<usize> = way.iter().map(|p| p.axes).collect();
        near.extend([e.axes, frame_axes]);
        // ω×r in the axes of the frame, under names, or e×r first, wherever that is shortest.
        let (w, mut r) = (self.omega(frame_axes), self.gather(way, frame_axes));
        let name = self.contacts.last().map_or(String::new(), |c| c.name.clone());
        if with_names {
            self.name_components(&mut r, &format!("{name}_r"), 4);
        }
        let mut s = self.arena.cross(&w, &r);
        if with_names {
            self.name_components(&mut s, &format!("{name}_s"), 6);
        }
        let s = Placed { axes: frame_axes, v: s };
        let (axes, mut named) = self.best_axes(&near, |layer, axes| {
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
        let lengths = self.lengths(&[named, other]);
        if lengths[0] >= lengths[1] {
            return other;
        }
        if with_names && axes != frame_axes {
            // Both directions of the contact are made of these.
            let mut turned = self.gather(&[s], axes).map(|x| self.short(x));
            self.name_components(&mut turned, &format!("{name}_u"), 6);
            let e = self.direction_in(e, axes);
            named = self.arena.dot_of(&e, &turned);
        }
        named
    }

    fn name_components(&mut self, v: &mut Vector, name: &str, least: u64) {
        for (i, x) in v.iter_mut().enumerate() {
            *x = self.letter_if_long(&format!("{name}{}", i + 1), *x, least);
        }
    }

    /// Operations of several ways to write the same thing; where all are long, those of parts that occur again are counted once, since
    /// such parts get letters.
    fn lengths(&mut self, ways: &[Expr]) -> Vec<u64> {
        let meanings: Vec<Expr> = ways.iter().map(|&e| self.meaning(e)).collect();
        let costs: Vec<u64> = meanings.iter().map(|&e| written_out(&self.arena, e)).collect();
        if costs.iter().any(|&cost| cost <= LONG) {
            return costs;
        }
        let shared = |e: Expr| self.arena.reachable(&[e]).iter().map(|&x| operations(self.arena.node(x))).sum();
        meanings.into_iter().map(shared).collect()
    }

    /// A product in the axes in which it is shortest, among those on the way to the given ones.
    pub(super) fn best(&mut self, near: &[usize], product: impl FnMut(&mut Self, usize) -> Expr) -> Expr {
        self.best_axes(near, product).1
    }

    /// The same, with these axes.
    fn best_axes(&mut self, near: &[usize], mut product: impl FnMut(&mut Self, usize) -> Expr) -> (usize, Expr) {
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
        let mut products = Vec::new();
        for &axes in &candidates {
            let e = product(self, axes);
            products.push(self.short(e));
        }
        let lengths = self.lengths(&products);
        let best = (0..candidates.len()).min_by_key(|&i| lengths[i]).unwrap_or(0);
        (candidates[best], products[best])
    }

    /// n·(p − o).
    pub(super) fn gap(&mut self, plane: usize, touch: &Touch, n: Placed) -> Expr {
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
}
