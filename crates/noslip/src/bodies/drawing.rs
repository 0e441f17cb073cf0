//! Pictures: what has a shape, springs, tracks and reactions of contacts, the ground.

use super::axes::{GROUND, Placed, Turn};
use super::frames::Spot;
use super::layer::Layer;
use super::shapes::{Shape, ShapeKind};
use super::vector::{Vector, VectorArithmetic};
use crate::expr::Expr;
use crate::source::quoted;
use std::fmt::Write;

/// Places that take more operations, all written out, stay as the letters of axes give them: to make them short takes longer than a picture
/// gains by it.
const LONG: u64 = 60;

/// One `[[drawing]]`.
pub(super) struct Drawn {
    shape: &'static str,
    words: Vec<(&'static str, String)>,
    fields: Vec<(&'static str, Field)>,
}

enum Field {
    Number(Expr),
    Vector(Vec<Expr>),
    Matrix([Vector; 3]),
    Points(Vec<Vector>),
}

impl Drawn {
    pub(super) fn new(shape: &'static str) -> Drawn {
        Drawn { shape, words: Vec::new(), fields: Vec::new() }
    }

    pub(super) fn word(mut self, key: &'static str, value: impl Into<String>) -> Drawn {
        self.words.push((key, quoted(&value.into())));
        self
    }

    fn bare(mut self, key: &'static str, value: impl Into<String>) -> Drawn {
        self.words.push((key, value.into()));
        self
    }

    fn number(mut self, key: &'static str, e: Expr) -> Drawn {
        self.fields.push((key, Field::Number(e)));
        self
    }

    pub(super) fn vector(mut self, key: &'static str, v: &[Expr]) -> Drawn {
        self.fields.push((key, Field::Vector(v.to_vec())));
        self
    }

    pub(super) fn points(mut self, key: &'static str, points: Vec<Vector>) -> Drawn {
        self.fields.push((key, Field::Points(points)));
        self
    }

    pub(super) fn matrix(mut self, key: &'static str, columns: [Vector; 3]) -> Drawn {
        self.fields.push((key, Field::Matrix(columns)));
        self
    }

    /// What it needs.
    pub(super) fn expressions(&self) -> Vec<Expr> {
        let mut all = Vec::new();
        for (_, field) in &self.fields {
            match field {
                Field::Number(e) => all.push(*e),
                Field::Vector(v) => all.extend(v),
                Field::Matrix(m) => all.extend(m.iter().flatten()),
                Field::Points(points) => all.extend(points.iter().flatten()),
            }
        }
        all
    }
}

impl Layer<'_> {
    pub(super) fn drawings(&mut self) -> Vec<Drawn> {
        let flat = self.is_flat();
        let mut drawn = Vec::new();
        if !flat {
            self.draw_floors(&mut drawn);
            self.draw_surfaces(&mut drawn);
        }
        for i in 0..self.bodies.len() {
            self.draw_body(i, flat, &mut drawn);
        }
        for spring in self.springs.clone() {
            let Some([a, b]) = spring.ends else { continue };
            let [from, to] = [a, b].map(|spot| self.shown(spot, flat));
            drawn.push(Drawn::new("spring").vector("from", &from).vector("to", &to));
        }
        for i in 0..self.contacts.len() {
            self.draw_contact(i, flat, &mut drawn);
        }
        if !flat {
            self.turn_picture(&mut drawn);
        }
        drawn
    }

    /// Turns the picture so that up is up in it too.
    fn turn_picture(&mut self, drawn: &mut [Drawn]) {
        let Some((_, up)) = self.gravity else { return };
        let is = |layer: &Self, i: usize, n: i64| {
            (0..3).all(|j| layer.arena.as_number(up[j]).is_some_and(|x| x.to_i64() == Some(if i == j { n } else { 0 })))
        };
        // Where the picture's x, y, z are found, and their signs: turns, no reflections.
        let map: [(usize, i64); 3] = match () {
            () if is(self, 2, -1) => [(0, 1), (1, -1), (2, -1)],
            () if is(self, 1, 1) => [(0, 1), (2, -1), (1, 1)],
            () if is(self, 1, -1) => [(0, 1), (2, 1), (1, -1)],
            () if is(self, 0, 1) => [(1, 1), (2, 1), (0, 1)],
            () if is(self, 0, -1) => [(1, 1), (2, -1), (0, -1)],
            () => return,
        };
        let mut turned = |v: &[Expr]| -> Vec<Expr> {
            map.iter().map(|&(i, sign)| if sign < 0 { self.arena.neg(v[i]) } else { v[i] }).collect()
        };
        for d in drawn.iter_mut() {
            // Points of a body are turned by its matrix.
            let by_matrix = d.fields.iter().any(|(key, _)| *key == "matrix");
            for (key, field) in &mut d.fields {
                match field {
                    Field::Points(points) if !by_matrix => {
                        for point in points {
                            let v = turned(point);
                            *point = [v[0], v[1], v[2]];
                        }
                    }
                    Field::Vector(v) if v.len() == 3 && !matches!(*key, "size" | "axes") => *v = turned(v),
                    Field::Matrix(columns) => {
                        for column in columns {
                            let v = turned(column);
                            *column = [v[0], v[1], v[2]];
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Does everything stay in the plane of x and y?
    fn is_flat(&mut self) -> bool {
        let turns = self.axes.iter().all(|a| matches!(a.turn, Turn::None | Turn::About { axis: 2, .. }));
        let spots: Vec<Spot> = (1..self.frames.len())
            .map(|frame| Spot { frame, at: self.arena.nothing() })
            .chain(self.bodies.iter().map(|b| Spot { frame: b.frame, at: b.center }))
            .collect();
        let solid = self.bodies.iter().filter_map(|b| b.shape.as_ref()).any(|s| {
            matches!(s.kind, ShapeKind::Ball | ShapeKind::Shell | ShapeKind::Ellipsoid | ShapeKind::Torus)
                || s.axis != 2 && s.kind != ShapeKind::Rod
        });
        turns
            && !solid
            && self.surfaces.is_empty()
            && spots.into_iter().all(|s| self.shifts(s).iter().all(|p| self.arena.is_zero(p.v[2])))
    }

    /// The place of a spot, in letters where they are there or worth it.
    pub(super) fn shown(&mut self, spot: Spot, flat: bool) -> Vec<Expr> {
        let name = self.frames[spot.frame].name.clone();
        let v = if spot.frame != 0 && self.arena.is_nothing(&spot.at) {
            let fields = ["x", "y", "z"];
            let position = self.position(spot);
            let mut v = position;
            for (x, field) in v.iter_mut().zip(fields) {
                if crate::expr::written_out(&self.arena, *x) > 2
                    && let Some(s) = self.dotted_letter(&name, field)
                {
                    *x = self.arena.symbol(s);
                }
            }
            v
        } else {
            self.position(spot)
        };
        v[..if flat { 2 } else { 3 }].to_vec()
    }

    /// The axes of a frame in ground axes, in letters.
    pub(super) fn matrix_of(&mut self, axes: usize) -> [Vector; 3] {
        let mut columns = [0, 1, 2].map(|i| self.arena.unit(i));
        for at in self.path_to(axes).into_iter().skip(1) {
            if let Some(known) = self.matrices.get(&at) {
                columns = *known;
                continue;
            }
            // The new axes in the parent's, then in the ground's.
            let inner = [0, 1, 2].map(|i| {
                let e = self.arena.unit(i);
                self.turn_out(at, &e)
            });
            let name = self.axes[at].name.clone();
            let mut turned = inner.map(|v| {
                let parts = [0, 1, 2].map(|j| self.arena.times(v[j], &columns[j]));
                let sum = self.arena.plus(&parts[0], &parts[1]);
                self.arena.plus(&sum, &parts[2])
            });
            for (column, c) in turned.iter_mut().zip(["x", "y", "z"]) {
                for (x, r) in column.iter_mut().zip(["x", "y", "z"]) {
                    *x = self.letter_if_long(&format!("{name}_e{c}{r}"), *x, 3);
                }
            }
            self.matrices.insert(at, turned);
            columns = turned;
        }
        columns
    }

    fn draw_body(&mut self, i: usize, flat: bool, drawn: &mut Vec<Drawn>) {
        let body = self.bodies[i].clone();
        let Some(shape) = body.shape else {
            let at = self.shown(Spot { frame: body.frame, at: body.center }, flat);
            drawn.push(Drawn::new("point").word("name", body.name).vector("at", &at));
            return;
        };
        let center = self.shown(Spot { frame: body.frame, at: shape.at }, flat);
        let axes = self.frames[body.frame].axes;
        let new = |kind: &'static str| Drawn::new(kind).word("name", body.name.clone());
        if flat {
            drawn.push(self.flat_shape(&shape, axes, &center, &new));
            return;
        }
        let columns = self.matrix_of(axes);
        // The picture's disks lie across their third axis.
        let turned = [(shape.axis + 1) % 3, (shape.axis + 2) % 3, shape.axis].map(|i| columns[i]);
        let sizes = &shape.sizes;
        match shape.kind {
            ShapeKind::Point => drawn.push(new("point").vector("at", &center)),
            ShapeKind::Disk => {
                drawn.push(new("disk").vector("center", &center).number("radius", sizes[0]).matrix("matrix", turned))
            }
            ShapeKind::Hoop => drawn.push(
                new("circle")
                    .bare("width", "3")
                    .vector("center", &center)
                    .number("radius", sizes[0])
                    .matrix("matrix", turned),
            ),
            ShapeKind::Cylinder => drawn.push(
                new("disk")
                    .vector("center", &center)
                    .number("radius", sizes[0])
                    .number("thickness", sizes[1])
                    .matrix("matrix", turned),
            ),
            ShapeKind::Torus => self.draw_torus(&shape, &center, turned, &new, drawn),
            ShapeKind::Ball | ShapeKind::Shell => {
                drawn.push(new("sphere").vector("center", &center).number("radius", sizes[0]).matrix("matrix", columns))
            }
            ShapeKind::Ellipsoid => {
                drawn.push(new("ellipsoid").vector("center", &center).vector("axes", sizes).matrix("matrix", columns))
            }
            ShapeKind::Box => {
                drawn.push(new("box").vector("center", &center).vector("size", sizes).matrix("matrix", columns))
            }
            ShapeKind::Rod => {
                let ends = self.rod_ends(&shape, &center, &columns[shape.axis]);
                drawn.push(new("segment").bare("width", "4").vector("from", &ends[0]).vector("to", &ends[1]));
            }
        }
    }

    fn rod_ends(&mut self, shape: &Shape, center: &[Expr], along: &Vector) -> [Vec<Expr>; 2] {
        [-1, 1].map(|sign| {
            let half = self.arena.fraction(sign, 2);
            let half = self.arena.mul(half, shape.sizes[0]);
            center
                .iter()
                .zip(along)
                .map(|(&c, &a)| {
                    let part = self.arena.mul(half, a);
                    self.arena.add(c, part)
                })
                .collect()
        })
    }

    fn flat_shape(
        &mut self,
        shape: &Shape,
        axes: usize,
        center: &[Expr],
        new: &dyn Fn(&'static str) -> Drawn,
    ) -> Drawn {
        let angle = match self.axes[axes].turn {
            Turn::About { angle, .. } => angle,
            _ => self.arena.zero(),
        };
        let sizes = &shape.sizes;
        match shape.kind {
            ShapeKind::Hoop => new("circle").bare("width", "3").vector("center", center).number("radius", sizes[0]),
            ShapeKind::Box => new("box").vector("center", center).vector("size", &sizes[..2]).number("angle", angle),
            ShapeKind::Rod if shape.axis < 2 => {
                let columns = self.matrix_of(axes);
                let ends = self.rod_ends(shape, center, &columns[shape.axis]);
                new("segment").bare("width", "4").vector("from", &ends[0]).vector("to", &ends[1])
            }
            ShapeKind::Disk | ShapeKind::Cylinder => {
                new("disk").vector("center", center).number("radius", sizes[0]).number("angle", angle)
            }
            _ => new("point").vector("at", center),
        }
    }

    /// A torus as circles: its equators, and the crests of the tube.
    fn draw_torus(
        &mut self,
        shape: &Shape,
        center: &[Expr],
        matrix: [Vector; 3],
        new: &dyn Fn(&'static str) -> Drawn,
        drawn: &mut Vec<Drawn>,
    ) {
        let (big, small) = (shape.sizes[0], shape.sizes[1]);
        for (out, up) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let [out, up] = [out, up].map(|n| {
                let n = self.arena.integer(n);
                self.arena.mul(n, small)
            });
            let radius = self.arena.add(big, out);
            let middle: Vec<Expr> = center
                .iter()
                .zip(&matrix[2])
                .map(|(&c, &a)| {
                    let part = self.arena.mul(up, a);
                    self.arena.add(c, part)
                })
                .collect();
            let circle = new("circle").bare("width", "2").word("role", "body");
            drawn.push(circle.vector("center", &middle).number("radius", radius).matrix("matrix", matrix));
        }
    }

    fn draw_floors(&mut self, drawn: &mut Vec<Drawn>) {
        let mut seen = Vec::new();
        for contact in self.contacts.clone() {
            if !contact.floor || seen.contains(&contact.carrier) {
                continue;
            }
            seen.push(contact.carrier);
            let mut plane = Drawn::new("plane");
            let axes = self.frames[contact.carrier].axes;
            let n = self.outermost(Placed { axes, v: self.arena.unit(2) });
            if n.axes != GROUND || contact.carrier != 0 || self.is_turned_over() {
                let normal = self.gather(&[n], GROUND);
                let through = self.position(Spot { frame: contact.carrier, at: self.arena.nothing() });
                plane = plane.vector("through", &through).vector("normal", &normal);
            }
            drawn.push(plane);
        }
    }

    /// Is the ground's z not up? Then its plane is drawn with its normal.
    fn is_turned_over(&self) -> bool {
        self.gravity.is_some_and(|(_, up)| up != self.arena.unit(2))
    }

    fn draw_contact(&mut self, i: usize, flat: bool, drawn: &mut Vec<Drawn>) {
        let contact = self.contacts[i].clone();
        let n = if flat { 2 } else { 3 };
        let mut named = self.place_in_letters(&contact.point);
        if contact.floor && contact.carrier == 0 {
            named[2] = self.arena.zero();
        }
        for (x, c) in named.iter_mut().zip(["x", "y", "z"]) {
            if self.cost(*x) <= LONG {
                *x = self.shortest(*x);
            }
            *x = self.letter_if_long(&format!("{}_p{c}", contact.name), *x, 3);
        }
        let at = named[..n].to_vec();
        if contact.normal.is_some() {
            drawn.push(Drawn::new("trail").word("name", format!("track of {}", contact.name)).vector("of", &at));
        } else {
            drawn.push(Drawn::new("point").word("name", contact.name.clone()).vector("at", &at));
        }
        let mut force = self.arena.nothing();
        for added in self.added.clone() {
            let Some(e) = added.direction.filter(|_| added.contact == Some(i)) else { continue };
            let multiplier = self.multiplier(&added.name);
            let e = self.direction_in(e, GROUND);
            let part = self.arena.times(multiplier, &e);
            force = self.arena.plus(&force, &part);
        }
        if force[..n].iter().any(|&x| !self.arena.is_zero(x)) {
            let scale = self.force_scale();
            let arrow = Drawn::new("arrow").word("name", format!("reaction of {}", contact.name)).word("role", "force");
            drawn.push(arrow.bare("scale", scale).vector("at", &at).vector("vector", &force[..n]));
        }
    }

    /// A sum of shifts in ground axes, by the letters of the axes they stand in.
    fn place_in_letters(&mut self, shifts: &[Placed]) -> Vector {
        let mut place = self.arena.nothing();
        for part in self.by_axes(shifts) {
            let columns = self.matrix_of(part.axes);
            for (x, column) in part.v.into_iter().zip(columns) {
                let along = self.arena.times(x, &column);
                place = self.arena.plus(&place, &along);
            }
        }
        place
    }

    /// The length of the picture's arrows: the weight of everything is as long as the largest body.
    fn force_scale(&mut self) -> String {
        let mut mass = 0.0;
        let mut size = 0.0f64;
        for body in self.bodies.clone() {
            mass += self.initial_value(body.mass);
            for s in body.shape.into_iter().flat_map(|s| s.sizes) {
                size = size.max(self.initial_value(s));
            }
        }
        let g = self.gravity.map_or(1.0, |(g, _)| self.initial_value(g));
        let scale = if size > 0.0 && mass * g > 0.0 { 2.0 * size / (mass * g) } else { 0.1 };
        let digits = 10f64.powi(-(scale.log10().floor() as i32) + 1);
        format!("{:?}", (scale * digits).round() / digits)
    }

    /// The section as text.
    pub(super) fn drawing_text(&mut self, drawn: &Drawn) -> String {
        let mut out = format!("\n[[drawing]]\nshape = \"{}\"\n", drawn.shape);
        for (key, value) in &drawn.words {
            _ = writeln!(out, "{key} = {value}");
        }
        for (key, field) in &drawn.fields {
            let text = match field {
                Field::Number(e) => self.value_of(*e),
                Field::Vector(v) => self.list_of(v),
                Field::Matrix(columns) => {
                    let rows: Vec<String> =
                        (0..3).map(|r| self.list_of(&[columns[0][r], columns[1][r], columns[2][r]])).collect();
                    format!("[{}]", rows.join(", "))
                }
                Field::Points(points) => {
                    let points: Vec<String> = points.iter().map(|p| self.list_of(p)).collect();
                    format!("[{}]", points.join(", "))
                }
            };
            _ = writeln!(out, "{key} = {text}");
        }
        out
    }

    fn list_of(&mut self, v: &[Expr]) -> String {
        let parts: Vec<String> = v.iter().map(|&e| self.value_of(e)).collect();
        format!("[{}]", parts.join(", "))
    }

    fn value_of(&mut self, e: Expr) -> String {
        let text = self.text(e);
        let integer = text.parse::<i64>().is_ok();
        if integer { text } else { quoted(&text) }
    }
}
