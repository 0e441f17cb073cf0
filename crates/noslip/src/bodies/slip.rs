//! How fast the two sides of a contact move past each other, in the axes in which that is shortest.

use super::axes::{GROUND, Placed};
use super::contacts::{Reach, Touch};
use super::frames::Spot;
use super::layer::Layer;
use super::vector::{Vector, VectorArithmetic};
use crate::arrange::Arrange;
use crate::expr::{Expr, Node, operations, written_out};

/// What takes more operations is judged by what it shares.
const LONG: u64 = 60;

/// So many times as long as another when that is made short: not looked at further. Cancelling has never gained that much.
const MUCH_LONGER: u64 = 3;

impl Layer<'_> {
    /// e·(v of the body − v of the carrier) at the point that touches.
    pub(super) fn slip(&mut self, e: Placed, frame: usize, touch: &Touch, carrier: usize) -> Expr {
        let mine = self.speed_along(e, frame, touch);
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
    pub(super) fn speed_along(&mut self, e: Placed, frame: usize, touch: &Touch) -> Expr {
        let &Touch { spot, way, reach, .. } = touch;
        let axes = self.frames[frame].axes;
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
                    let turning = self.turning_along(e, axes, rest, false);
                    let sum = self.arena.add(speed, turning);
                    self.cost(sum)
                });
                at_spot <= at_origin
            });
        let (from, rest) = &ways[usize::from(!from_spot)];
        let speed = self.best_speed(e, *from);
        let mut turning = self.turning_along(e, axes, rest, true);
        if let Some(reach) = reach
            && self.cost(turning) > LONG
        {
            turning = self.turning_across(e, axes, rest, reach).unwrap_or(turning);
        }
        self.arena.add(speed, turning)
    }

    /// e·(ω×r) of a long r, of whose last part it is known how far it reaches against a normal: in the axes with this normal for an
    /// axis in which the two directions across it share most, with names there; `None` where they share more without.
    fn turning_across(&mut self, e: Placed, frame_axes: usize, r: &[Placed], reach: Reach) -> Option<Expr> {
        let (way, before) = r.split_last()?;
        let n = self.direction_in(reach.n, e.axes);
        let pair = [e, Placed { axes: e.axes, v: self.arena.cross(&n, &e.v) }];
        let plain = pair.map(|e| self.turning_along(e, frame_axes, r, false));
        let mut least = self.shared(&plain);
        let mut best = None;
        for axes in self.path_to(frame_axes) {
            let n = self.direction_in(reach.n, axes);
            let nonzero: Vec<usize> = (0..3).filter(|&i| !self.arena.is_zero(n[i])).collect();
            let [up] = nonzero[..] else { continue };
            let mut last = self.gather(&[*way], axes);
            let length = self.arena.mul(reach.length, n[up]);
            last[up] = self.arena.neg(length);
            let first = self.gather(before, axes);
            let r = self.arena.plus(&first, &last).map(|x| {
                let x = self.short(x);
                self.bracketed(x)
            });
            let w = self.omega_anywhere(frame_axes, axes);
            let s = self.arena.cross(&w, &r);
            let products = pair.map(|e| {
                let e = self.direction_in(e, axes);
                self.arena.dot_of(&e, &s)
            });
            let length = self.shared(&products);
            if length < least {
                (least, best) = (length, Some((axes, w, r)));
            }
        }
        let (axes, mut w, mut r) = best?;
        let name = self.contacts.last().map_or(String::new(), |c| c.name.clone());
        self.name_components(&mut w, &format!("{name}_o"), 2);
        self.name_components(&mut r, &format!("{name}_q"), 4);
        let mut s = self.arena.cross(&w, &r);
        self.name_components(&mut s, &format!("{name}_u"), 6);
        let e = self.direction_in(e, axes);
        Some(self.arena.dot_of(&e, &s))
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
    pub(super) fn lengths(&mut self, ways: &[Expr]) -> Vec<u64> {
        let meanings: Vec<Expr> = ways.iter().map(|&e| self.meaning(e)).collect();
        let costs: Vec<u64> = meanings.iter().map(|&e| written_out(&self.arena, e)).collect();
        if costs.iter().any(|&cost| cost <= LONG) {
            return costs;
        }
        meanings.into_iter().map(|e| self.shared(&[e])).collect()
    }

    /// Operations of all that is meant, what occurs again counted once.
    fn shared(&mut self, list: &[Expr]) -> u64 {
        let meanings: Vec<Expr> = list.iter().map(|&e| self.meaning(e)).collect();
        self.arena.reachable(&meanings).iter().map(|&x| operations(self.arena.node(x))).sum()
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
        candidates.arrange();
        candidates.dedup();
        let mut written: Vec<(u64, usize, Expr)> = Vec::new();
        for &axes in &candidates {
            let e = product(self, axes);
            written.push((self.cost(e), axes, e));
        }
        written.arrange_by_key(|&(length, ..)| length);
        // What is longer as it stands than another when that is made short is not made short itself.
        let mut products: Vec<(usize, Expr)> = Vec::new();
        let mut least = u64::MAX;
        for (length, axes, e) in written {
            if length / MUCH_LONGER > least {
                break;
            }
            let e = self.short(e);
            least = least.min(self.cost(e));
            products.push((axes, e));
        }
        products.arrange_by_key(|&(axes, _)| axes);
        let shortened: Vec<Expr> = products.iter().map(|&(_, e)| e).collect();
        let lengths = self.lengths(&shortened);
        (0..products.len()).min_by_key(|&i| lengths[i]).map_or((GROUND, self.arena.zero()), |i| products[i])
    }

    /// n·(p − o).
    pub(super) fn gap(&mut self, plane: usize, touch: &Touch, n: Placed) -> Expr {
        let origin = Spot { frame: plane, at: self.arena.nothing() };
        let way = self.between(origin, touch.spot);
        let height = match self.along_normal(n, &way) {
            Some(height) => height,
            None => self.best(&[n.axes], |layer, axes| {
                let n = layer.direction_in(n, axes);
                let d = layer.gather(&way, axes);
                layer.arena.dot_of(&n, &d)
            }),
        };
        let reach = match touch.reach {
            Some(reach) => reach.length,
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

    /// −a·(−b − c) as a·(b + c).
    fn without_minus(&mut self, e: Expr) -> Expr {
        let Node::Product { coefficient, factors } = self.arena.node(e) else { return e };
        let negative = |e: Expr| match self.arena.node(e) {
            Node::Sum { constant, terms } => {
                (constant.is_zero() || constant.is_negative()) && terms.iter().all(|(_, c)| c.is_negative())
            }
            _ => false,
        };
        let Some(at) = factors.iter().position(|(x, n)| n.is_one() && negative(*x)) else { return e };
        if !coefficient.is_negative() {
            return e;
        }
        let (coefficient, mut factors) = (-coefficient, factors.to_vec());
        factors[at].0 = self.arena.neg(factors[at].0);
        self.arena.powers(coefficient, factors)
    }

    /// How far a way leads along the normal of contacts, by the names of its components where the way has parts in their axes.
    pub(super) fn along_normal(&mut self, n: Placed, way: &[Placed]) -> Option<Expr> {
        let same = |other: &Placed| other.axes == n.axes && other.v == n.v;
        let contacts = self.contacts.iter().filter(|c| c.normal.as_ref().is_some_and(same));
        let named: Vec<Placed> = contacts.filter_map(|c| c.named_normal).collect();
        let name_of = |part: &Placed| named.iter().find(|n| n.axes == part.axes);
        let (inside, outside): (Vec<Placed>, Vec<Placed>) = way.iter().partition(|part| name_of(part).is_some());
        if inside.is_empty() {
            return None;
        }
        let outside = self.gather(&outside, n.axes);
        let outside = self.arena.dot_of(&n.v, &outside);
        let mut terms = vec![self.without_minus(outside)];
        for part in inside {
            let n = name_of(&part)?;
            terms.push(self.arena.dot_of(&n.v, &part.v));
        }
        Some(self.arena.sum(terms))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{read, with_layer};

    #[test]
    fn a_minus_before_a_sum_of_negative_terms_is_none() {
        with_layer(|layer| {
            for (given, written) in [
                ("-a*(-x - b)", "a*(x + b)"),
                ("-2*(-x - y - 3)", "2*(x + y + 3)"),
                // A term that is positive, a number that is, a product that is: they stay as they are.
                ("-a*(x - b)", "-a*(x - b)"),
                ("-a*(3 - x - y)", "-a*(3 - x - y)"),
                ("a*(-x - b)", "a*(-x - b)"),
                ("-a*(-x - b)^2", "-a*(-x - b)^2"),
                ("-a*x", "-a*x"),
            ] {
                let (e, expected) = (read(layer, given), read(layer, written));
                let found = layer.without_minus(e);
                assert_eq!(layer.text(found), layer.text(expected), "{given}");
            }
        });
    }
}
