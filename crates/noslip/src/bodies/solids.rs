//! Bodies: mass, centre, inertia; their kinetic energy and weight.

use super::axes::{GROUND, Placed, Turn};
use super::frames::Spot;
use super::layer::{Layer, Where};
use super::shapes::{Inertia, Shape, ShapeKind};
use super::spec::{BodySpec, ShapeSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::{Expr, NameError};
use crate::source::{Item, Value};

/// A body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) frame: usize,
    pub(super) mass: Expr,
    pub(super) center: Vector,
    pub(super) inertia: Inertia,
    pub(super) shape: Option<Shape>,
}

impl Layer<'_> {
    pub(super) fn make_body(&mut self, spec: &BodySpec) -> Option<()> {
        let name = &spec.name;
        let frame = match &spec.frame {
            Some(frame) => self.frame_of(frame)?,
            None => match self.frame_named(&name.text) {
                Some(frame) => frame,
                // A frame of that name was wrong, and has been complained about.
                None if self.specs.frames.iter().any(|f| f.name.text == name.text) => return None,
                None => {
                    let known: Vec<&str> = self.frames.iter().map(|f| f.name.as_str()).collect();
                    let mut error = NameError::unknown("frame", &name.text, known.iter().copied());
                    error.message = format!("body `{}` has no frame", name.text);
                    let error =
                        error.hint(format!("write `in`, one of {}, or make a frame of its name", known.join(", ")));
                    self.error(error.at(name.span.clone()));
                    return None;
                }
            },
        };
        let mass = match spec.mass {
            Some(item) => Some(self.mass(item)?),
            None => None,
        };
        let shape = match &spec.shape {
            Some(shape) => Some(self.make_shape(shape)?),
            None => None,
        };
        if mass.is_none_or(|m| self.arena.is_zero(m)) && spec.inertia.is_none() {
            let at = spec.mass.map_or(name.span.clone(), |m| m.span.clone());
            self.error(
                Error::input(format!("body `{}` has no mass", name.text))
                    .at(at)
                    .hint("write `mass = \"m\"`; only a rotor, which has an `inertia`, can do without"),
            );
            return None;
        }
        let middle = shape.as_ref().map_or(self.arena.nothing(), |s| s.at);
        let center = match spec.center {
            Some(item) => self.read_vector(item, Where::CENTER)?,
            None => middle,
        };
        let mass = mass.unwrap_or(self.arena.zero());
        let inertia = match (spec.inertia, &shape) {
            (Some(item), _) => self.inertia(item, frame)?,
            (None, Some(shape)) => {
                let off = self.arena.minus(&center, &middle);
                if let Some(item) = spec.center.filter(|_| !off.iter().all(|&x| self.vanishes(x))) {
                    self.error(
                        Error::input(format!("the centre of `{}` is not the middle of its uniform shape", name.text))
                            .at(item.span.clone())
                            .hint("give its `inertia`, or move the shape with `at`"),
                    );
                    return None;
                }
                self.uniform(&name.text, mass, shape)
            }
            (None, None) => Inertia::None,
        };
        let name = name.text.clone();
        self.bodies.push(Body { name, frame, mass, center, inertia, shape });
        Some(())
    }

    fn mass(&mut self, item: &Item) -> Option<Expr> {
        let mass = self.read(item, Where::MASS)?;
        self.not_negative(mass, item, "a mass is not negative")?;
        Some(mass)
    }

    fn not_negative(&mut self, e: Expr, item: &Item, message: &str) -> Option<()> {
        if self.initial_value(e) < 0.0 {
            self.error(Error::input(message).at(item.span.clone()).hint("look at the values of the parameters"));
            return None;
        }
        Some(())
    }

    fn make_shape(&mut self, spec: &ShapeSpec) -> Option<Shape> {
        let sizes: Vec<Option<Expr>> = spec.sizes.iter().map(|i| self.read(i, Where::SIZE)).collect();
        let sizes: Vec<Expr> = sizes.into_iter().collect::<Option<_>>()?;
        if spec.kind != ShapeKind::Point {
            for (&size, item) in sizes.iter().zip(&spec.sizes) {
                if self.initial_value(size) <= 0.0 {
                    let error = Error::input(format!("the size of a {} is positive", spec.kind.name()));
                    self.error(error.at(item.span.clone()).hint(spec.kind.hint()));
                    return None;
                }
            }
        }
        let at = match spec.at {
            Some(item) => self.read_vector(item, Where::CENTER)?,
            None => self.arena.nothing(),
        };
        Some(Shape { kind: spec.kind, sizes, axis: spec.axis, at })
    }

    /// `inertia`: entries by name, three principal moments, or one moment about z.
    fn inertia(&mut self, item: &Item, frame: usize) -> Option<Inertia> {
        match &item.value {
            Value::Table(list) => {
                let zero = self.arena.zero();
                let mut entries = [[zero; 3]; 3];
                let mut diagonal = 0;
                for e in list {
                    let index = |b: u8| b"xyz".iter().position(|x| *x == b);
                    let place = match e.key.as_bytes() {
                        [a, b] => index(*a).zip(index(*b)),
                        _ => None,
                    };
                    let Some((i, j)) = place.filter(|(i, j)| i <= j) else {
                        let names = ["xx", "yy", "zz", "xy", "xz", "yz"];
                        let error = NameError::unknown("entry of an inertia", &e.key, names)
                            .hint("entries are xx, yy, zz, xy, xz, yz");
                        self.error(error.at(e.key_span.clone()));
                        return None;
                    };
                    diagonal += usize::from(i == j);
                    let value = self.read(&e.item, Where::INERTIA)?;
                    (entries[i][j], entries[j][i]) = (value, value);
                }
                self.possible(&entries, diagonal == 3, item)?;
                if (0..3).all(|i| (0..3).all(|j| i == j || self.arena.is_zero(entries[i][j]))) {
                    return Some(self.principal([entries[0][0], entries[1][1], entries[2][2]]));
                }
                Some(Inertia::Tensor(entries))
            }
            Value::Array(list) => {
                if list.len() != 3 {
                    let message = format!("three principal moments, not {}", list.len());
                    self.error(Error::input(message).at(item.span.clone()).hint(INERTIA_HINT));
                    return None;
                }
                let moments: Vec<Option<Expr>> = list.iter().map(|i| self.read(i, Where::INERTIA)).collect();
                let [a, b, c] = [moments[0]?, moments[1]?, moments[2]?];
                let zero = self.arena.zero();
                self.possible(&[[a, zero, zero], [zero, b, zero], [zero, zero, c]], true, item)?;
                Some(self.principal([a, b, c]))
            }
            _ => {
                let moment = self.read(item, Where::INERTIA)?;
                self.not_negative(moment, item, "a moment of inertia is not negative")?;
                let path = self.path_to(self.frames[frame].axes);
                let flat = path.iter().all(|&a| matches!(self.axes[a].turn, Turn::None | Turn::About { axis: 2, .. }));
                if !flat {
                    let message = "one moment of inertia is the moment about z, the others are taken for zero";
                    self.note(&item.span, message, INERTIA_HINT);
                }
                Some(Inertia::Round { axis: 2, along: moment, across: self.arena.zero() })
            }
        }
    }

    /// Refuses an inertia that no mass distribution has: ∫ x xᵀ dm = tr(I)/2 − I must not be negative in any direction.
    fn possible(&mut self, entries: &[[Expr; 3]; 3], complete: bool, item: &Item) -> Option<()> {
        let m: Vec<Vec<f64>> = entries.iter().map(|row| row.iter().map(|&e| self.initial_value(e)).collect()).collect();
        if m.iter().flatten().any(|x| !x.is_finite()) {
            return Some(());
        }
        let trace = m[0][0] + m[1][1] + m[2][2];
        let scale = m.iter().flatten().fold(0.0f64, |s, x| s.max(x.abs()));
        let second = |i: usize, j: usize| if i == j { trace / 2.0 - m[i][j] } else { -m[i][j] };
        let message = if !semidefinite(&|i, j| m[i][j], scale) {
            "this inertia is not positive: there is an axis about which the body would turn with negative energy"
        } else if complete && !semidefinite(&second, scale) {
            "no body has this inertia: one moment is larger than the sum of the other two"
        } else {
            return Some(());
        };
        self.error(Error::input(message).at(item.span.clone()).hint(INERTIA_HINT));
        None
    }

    // Energy ----------------------------------------------------------------------------------------------------------

    /// The kinetic energy of a body.
    pub(super) fn kinetic(&mut self, body: usize) -> Expr {
        let Body { name, frame, mass, center, inertia, .. } = self.bodies[body].clone();
        let half = self.arena.fraction(1, 2);
        let mut parts = Vec::new();
        if !self.arena.is_zero(mass) {
            let velocity = self.shortest_velocity(Spot { frame, at: center }).v;
            let square = self.square_of_velocity(&name, velocity);
            parts.push(self.arena.product([half, mass, square]));
        }
        let axes = self.frames[frame].axes;
        match inertia {
            Inertia::None => {}
            Inertia::Ball(moment) => {
                let w = self.shortest_omega(axes);
                let square = self.arena.norm_squared(&w);
                parts.push(self.arena.product([half, moment, square]));
            }
            Inertia::Round { axis, along, across } => {
                let (w, _) = self.omega_of_round(axes, axis, &name);
                let own = self.arena.square(w[axis]);
                let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
                let (a, b) = (self.arena.square(w[j]), self.arena.square(w[k]));
                let rest = self.arena.add(a, b);
                parts.push(self.arena.product([half, across, rest]));
                parts.push(self.arena.product([half, along, own]));
            }
            Inertia::Tensor(entries) => {
                let w = self.omega(axes);
                for i in 0..3 {
                    for j in i..3 {
                        let factor = if i == j { half } else { self.arena.one() };
                        parts.push(self.arena.product([factor, entries[i][j], w[i], w[j]]));
                    }
                }
            }
        }
        self.arena.sum(parts)
    }

    /// v², multiplied out where that is shorter: sin² + cos² may be hidden in it.
    fn square_of_velocity(&mut self, name: &str, mut v: Vector) -> Expr {
        let plain = self.arena.norm_squared(&v);
        if self.cost(plain) <= MULTIPLIED_OUT {
            let simple = self.shortest(plain);
            if self.cost(simple) < self.cost(plain) {
                return simple;
            }
        }
        for (i, x) in v.iter_mut().enumerate() {
            *x = self.letter_if_long(&format!("{name}_c{}", i + 1), *x, 5);
        }
        self.arena.norm_squared(&v)
    }

    /// The angular velocity in the axes in which it is shortest: for what is the same in all.
    fn shortest_omega(&mut self, axes: usize) -> Vector {
        let mut best: Option<(u64, Vector)> = None;
        let path = self.path_to(axes);
        let near = path.len().saturating_sub(4);
        for (i, outer) in path.into_iter().enumerate().rev() {
            if i < near && outer != GROUND {
                continue;
            }
            let w = self.omega_in(axes, outer);
            let cost = w.iter().fold(0u64, |sum, &x| sum.saturating_add(self.cost(x)));
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, w));
            }
        }
        best.map_or(self.arena.nothing(), |(_, w)| w)
    }

    /// The angular velocity of something round about one of its axes, in axes that do not turn with it about that axis, and those
    /// axes.
    pub(super) fn omega_of_round(&mut self, axes: usize, axis: usize, name: &str) -> (Vector, usize) {
        let outer = self.without_spin(axes, axis);
        let mut w = self.omega_in(axes, outer);
        if outer != axes {
            w[axis] = self.letter_of_rate(&format!("{name}_spin"), w[axis]);
        }
        (w, outer)
    }

    /// The axes before the last turn, if that is about the given axis.
    pub(super) fn without_spin(&self, axes: usize, axis: usize) -> usize {
        match self.axes[axes].turn {
            Turn::About { axis: turned, .. } if turned == axis => self.axes[axes].parent,
            _ => axes,
        }
    }

    /// How far a spot lies in a direction of the ground, under a name if that is long.
    pub(super) fn height(&mut self, body: &str, spot: Spot, up: &Vector) -> Expr {
        let shifts = self.shifts(spot);
        if let Some(height) = self.along_normal(Placed { axes: GROUND, v: *up }, &shifts) {
            return self.letter_if_long(&format!("{body}_h"), height, 4);
        }
        let mut position = self.position(spot);
        let own = spot.frame != 0 && self.arena.is_nothing(&spot.at);
        for (i, field) in ["x", "y", "z"].into_iter().enumerate() {
            if own && !self.arena.is_zero(up[i]) && crate::expr::written_out(&self.arena, position[i]) >= 4 {
                let frame = self.frames[spot.frame].name.clone();
                if let Some(s) = self.dotted_letter(&frame, field) {
                    position[i] = self.arena.symbol(s);
                }
            }
        }
        let height = self.arena.dot_of(up, &position);
        self.letter_if_long(&format!("{body}_h"), height, 4)
    }

    /// m·g·height.
    pub(super) fn weight(&mut self, body: usize) -> Expr {
        let Some((g, up)) = self.gravity else { return self.arena.zero() };
        let Body { name, frame, mass, center, .. } = self.bodies[body].clone();
        let height = self.height(&name, Spot { frame, at: center }, &up);
        self.arena.product([mass, g, height])
    }
}

/// Squares of velocities that take more operations are not multiplied out.
const MULTIPLIED_OUT: u64 = 60;

const INERTIA_HINT: &str =
    "a table of entries, three principal moments in a list, or for motion in the plane the moment about z";

/// Is a symmetric 3×3 matrix positive semidefinite, up to rounding? All principal minors are looked at.
fn semidefinite(m: &dyn Fn(usize, usize) -> f64, scale: f64) -> bool {
    let two = |i: usize, j: usize| m(i, i) * m(j, j) - m(i, j) * m(i, j);
    let three = m(0, 0) * two(1, 2) - m(0, 1) * (m(0, 1) * m(2, 2) - m(1, 2) * m(0, 2))
        + m(0, 2) * (m(0, 1) * m(1, 2) - m(1, 1) * m(0, 2));
    let eps = 1e-12;
    (0..3).all(|i| m(i, i) >= -eps * scale)
        && [(0, 1), (0, 2), (1, 2)].iter().all(|&(i, j)| two(i, j) >= -eps * scale * scale)
        && three >= -eps * scale * scale * scale
}

#[cfg(test)]
mod tests {
    use super::semidefinite;

    /// Q D Qᵀ for the rotation by these angles about z and then about x.
    fn turned(d: [f64; 3], (a, b): (f64, f64)) -> [[f64; 3]; 3] {
        let ((s, c), (t, e)) = (a.sin_cos(), b.sin_cos());
        let q = [[c, -s, 0.0], [e * s, e * c, -t], [t * s, t * c, e]];
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| q[i][k] * d[k] * q[j][k]).sum()))
    }

    #[test]
    fn a_matrix_is_semidefinite_where_no_principal_value_is_negative_in_whatever_axes_it_is_written() {
        for angles in [(0.0, 0.0), (0.7, 0.0), (0.0, 1.1), (0.4, 0.9), (2.0, -0.3), (-1.2, 2.5)] {
            for d in [[1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [0.0, 0.0, 5.0], [4.0, 4.0, 0.0], [0.0; 3], [1e-3, 1.0, 2.0]] {
                let m = turned(d, angles);
                assert!(semidefinite(&|i, j| m[i][j], 5.0), "{d:?} turned by {angles:?}");
            }
            for d in [
                [-1.0, 2.0, 3.0],
                [1.0, -0.01, 3.0],
                [2.0, 2.0, -0.5],
                [-1.0, -1.0, 3.0],
                [-1.0, -2.0, -3.0],
                [0.0, 0.0, -1.0],
            ] {
                let m = turned(d, angles);
                assert!(!semidefinite(&|i, j| m[i][j], 5.0), "{d:?} turned by {angles:?}");
            }
        }
    }

    #[test]
    fn what_is_negative_by_rounding_is_not_negative_beside_the_whole() {
        for (value, scale, good) in
            [(-1e-13, 1.0, true), (-1e-11, 1.0, false), (-1e-11, 1e3, true), (-1e-8, 1e3, false)]
        {
            let m = turned([value, scale, 0.0], (0.0, 0.0));
            assert_eq!(semidefinite(&|i, j| m[i][j], scale), good, "{value} beside {scale}");
        }
    }
}
