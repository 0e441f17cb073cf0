//! Orientations: a tree of axes, each turned once against its parent.
//!
//! Two turns about the same axis one after the other are one turn by the sum of their angles, so that a chain in the plane has all
//! its axes side by side, and no product of rotation matrices ever has to cancel. A vector stands in the outermost axes in which it
//! has the same components: what points along the axis of a turn is not turned by it.

use super::layer::Layer;
use super::vector::{Vector, VectorArithmetic};
use crate::expr::Expr;

/// The axes of the ground.
pub(super) const GROUND: usize = 0;

/// How axes are turned against their parent.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    /// The ground.
    None,
    /// About one of the axes, which both have in common.
    About { axis: usize, angle: Expr },
    /// Any other: the matrix whose columns are the new axes, and the angular velocity in the parent's and in the new axes.
    Matrix { columns: [Vector; 3], outside: Vector, inside: Vector },
}

/// One set of axes.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    pub(super) parent: usize,
    pub(super) depth: usize,
    pub(super) turn: Turn,
    /// What its definitions are called after.
    pub(super) name: String,
    /// Angular velocity relative to the ground, in these axes, once somebody has asked.
    omega: Option<Vector>,
}

/// A vector that stands in some axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) axes: usize,
    pub(super) v: Vector,
}

impl Axes {
    pub(super) fn ground() -> Axes {
        Axes { parent: GROUND, depth: 0, turn: Turn::None, name: "ground".to_owned(), omega: None }
    }
}

impl Layer<'_> {
    /// New axes; the parent itself where nothing is turned.
    pub(super) fn turned(&mut self, parent: usize, turn: Turn, name: &str) -> usize {
        let (mut parent, mut turn) = (parent, turn);
        if let Turn::About { axis, angle } = turn {
            let mut total = angle;
            if let Turn::About { axis: before, angle } = self.axes[parent].turn
                && before == axis
            {
                total = self.arena.add(angle, total);
                parent = self.axes[parent].parent;
            }
            if self.arena.is_zero(total) {
                return parent;
            }
            turn = Turn::About { axis, angle: self.letter_if_long(&format!("{name}_angle"), total, 2) };
        }
        let depth = self.axes[parent].depth + 1;
        self.axes.push(Axes { parent, depth, turn, name: name.to_owned(), omega: None });
        self.axes.len() - 1
    }

    /// Components in these axes of a vector given in the parent's.
    pub(super) fn turn_in(&mut self, axes: usize, v: &Vector) -> Vector {
        match self.axes[axes].turn.clone() {
            Turn::None => *v,
            Turn::About { axis, angle } => self.rotate(axis, angle, v, false),
            Turn::Matrix { columns, .. } => columns.map(|column| self.arena.dot_of(&column, v)),
        }
    }

    /// Components in the parent's axes of a vector given in these.
    pub(super) fn turn_out(&mut self, axes: usize, v: &Vector) -> Vector {
        match self.axes[axes].turn.clone() {
            Turn::None => *v,
            Turn::About { axis, angle } => self.rotate(axis, angle, v, true),
            Turn::Matrix { columns, .. } => {
                let parts = [0, 1, 2].map(|i| self.arena.times(v[i], &columns[i]));
                let sum = self.arena.plus(&parts[0], &parts[1]);
                self.arena.plus(&sum, &parts[2])
            }
        }
    }

    fn rotate(&mut self, axis: usize, angle: Expr, v: &Vector, out: bool) -> Vector {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let (c, mut s) = (self.arena.cos(angle), self.arena.sin(angle));
        if out {
            s = self.arena.neg(s);
        }
        let products = [(v[j], c), (v[k], s), (v[k], c), (v[j], s)].map(|(x, y)| self.arena.mul(x, y));
        let mut turned = *v;
        turned[j] = self.arena.add(products[0], products[1]);
        turned[k] = self.arena.sub(products[2], products[3]);
        turned
    }

    /// The axes from the ground to these, both included.
    pub(super) fn path_to(&self, axes: usize) -> Vec<usize> {
        let mut path = vec![axes];
        let mut at = axes;
        while at != GROUND {
            at = self.axes[at].parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The same vector in the outermost axes in which it has the same components.
    pub(super) fn outermost(&self, placed: Placed) -> Placed {
        let Placed { mut axes, v } = placed;
        if self.arena.is_nothing(&v) {
            return Placed { axes: GROUND, v };
        }
        while let Turn::About { axis, .. } = self.axes[axes].turn
            && (0..3).all(|i| i == axis || self.arena.is_zero(v[i]))
        {
            axes = self.axes[axes].parent;
        }
        Placed { axes, v }
    }

    /// The components of a sum of vectors in one set of axes. What stands further in is turned out first, deepest first, then all is
    /// turned in from the ground, so that every turn is made once.
    pub(super) fn gather(&mut self, parts: &[Placed], to: usize) -> Vector {
        let mut outside = self.onto_path(parts, to);
        self.inwards(&mut outside, to)
    }

    /// A sum of vectors as a sum of vectors in axes on the way from the ground to `to`.
    pub(super) fn onto_path(&mut self, parts: &[Placed], to: usize) -> Vec<Placed> {
        let path = self.path_to(to);
        let mut open = self.by_axes(parts);
        loop {
            let deepest = open
                .iter()
                .enumerate()
                .filter(|(_, p)| !path.contains(&p.axes))
                .max_by_key(|(_, p)| self.axes[p.axes].depth)
                .map(|(i, _)| i);
            let Some(i) = deepest else { return open };
            let part = open.swap_remove(i);
            let v = self.turn_out(part.axes, &part.v);
            let part = Placed { axes: self.axes[part.axes].parent, v };
            self.collect(&mut open, part);
        }
    }

    /// A sum of vectors with one part in each set of axes.
    pub(super) fn by_axes(&mut self, parts: &[Placed]) -> Vec<Placed> {
        let mut open: Vec<Placed> = Vec::new();
        for &part in parts {
            let part = self.outermost(part);
            self.collect(&mut open, part);
        }
        open
    }

    fn collect(&mut self, list: &mut Vec<Placed>, part: Placed) {
        match list.iter_mut().find(|p| p.axes == part.axes) {
            Some(known) => known.v = self.arena.plus(&known.v, &part.v),
            None => list.push(part),
        }
    }

    /// Adds up vectors that stand on the way from the ground to `to`, in the axes `to`.
    pub(super) fn inwards(&mut self, parts: &mut Vec<Placed>, to: usize) -> Vector {
        let mut total = self.arena.nothing();
        for axes in self.path_to(to) {
            if !self.arena.is_nothing(&total) {
                total = self.turn_in(axes, &total);
            }
            while let Some(i) = parts.iter().position(|p| p.axes == axes) {
                let part = parts.swap_remove(i);
                total = self.arena.plus(&total, &part.v);
            }
        }
        total
    }

    /// A direction in other axes, as short as it can be written.
    pub(super) fn direction_in(&mut self, direction: Placed, to: usize) -> Vector {
        let v = self.gather(&[direction], to);
        v.map(|x| self.short(x))
    }

    /// The angular velocity that a turn adds, in the parent's axes and in the new ones.
    fn turning(&mut self, axes: usize) -> (Vector, Vector) {
        match self.axes[axes].turn.clone() {
            Turn::None => (self.arena.nothing(), self.arena.nothing()),
            Turn::About { axis, angle } => {
                let mut v = self.arena.nothing();
                v[axis] = self.arena.time_derivative(angle);
                (v, v)
            }
            Turn::Matrix { outside, inside, .. } => (outside, inside),
        }
    }

    /// Angular velocity of axes relative to the ground, in themselves.
    pub(super) fn omega(&mut self, axes: usize) -> Vector {
        for at in self.path_to(axes) {
            if self.axes[at].omega.is_some() {
                continue;
            }
            let parent = self.axes[at].parent;
            let before = self.axes[parent].omega.unwrap_or(self.arena.nothing());
            let (_, own) = self.turning(at);
            let carried = self.turn_in(at, &before);
            let total = self.arena.plus(&carried, &own);
            let name = self.axes[at].name.clone();
            let mut named = total;
            for (e, c) in named.iter_mut().zip(["wx", "wy", "wz"]) {
                *e = self.letter_of_rate(&format!("{name}_{c}"), *e);
            }
            self.axes[at].omega = Some(named);
        }
        self.axes[axes].omega.unwrap_or(self.arena.nothing())
    }

    /// A component of an angular velocity, under a name if it is long. A sum of a rate and a letter takes one operation here, and more
    /// wherever it is written out.
    pub(super) fn letter_of_rate(&mut self, name: &str, e: Expr) -> Expr {
        let least = if self.cost(e) > 2 { 1 } else { 2 };
        self.letter_if_long(name, e, least)
    }

    /// Angular velocity of axes relative to the ground, in other axes that lie further out, on the way to the ground; by the names that its
    /// components have.
    pub(super) fn omega_in(&mut self, axes: usize, outer: usize) -> Vector {
        let mut parts = Vec::new();
        let mut at = axes;
        while at != outer && at != GROUND {
            let (outside, _) = self.turning(at);
            at = self.axes[at].parent;
            parts.push(Placed { axes: at, v: outside });
        }
        let own = self.omega(at);
        parts.push(Placed { axes: at, v: own });
        self.gather(&parts, outer).map(|e| self.by_its_letter(e))
    }

    /// Angular velocity of axes relative to the ground, in any axes.
    pub(super) fn omega_anywhere(&mut self, axes: usize, to: usize) -> Vector {
        let path = self.path_to(axes);
        if path.contains(&to) {
            return self.omega_in(axes, to);
        }
        // The last axes the two have in common.
        let common = self.path_to(to).into_iter().rfind(|a| path.contains(a)).unwrap_or(GROUND);
        let v = self.omega_in(axes, common);
        self.gather(&[Placed { axes: common, v }], to)
    }
}
