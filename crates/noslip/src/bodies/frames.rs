//! Frames and points: where they are, how fast they move, and their dotted names.

use super::axes::{GROUND, Placed, Turn};
use super::layer::{Layer, Named, Where};
use super::spec::{AxisSpec, FrameSpec, Name, PlaceSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::error::{Error, Span};
use crate::expr::{Expr, NameError, Node, Symbol};
use crate::source::{Item, Value};

/// A frame: the first is the ground.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) parent: usize,
    pub(super) axes: usize,
    /// Shifts from the ground's origin to its own, each in the axes in which it is given.
    pub(super) place: Vec<Placed>,
    /// The surface it stands on, and the parameters there.
    pub(super) on: Option<(usize, [Expr; 2])>,
    /// Velocity of its origin in the axes in which it is shortest, once somebody has asked.
    velocity: Option<Placed>,
}

/// A point fixed in a frame, or moving in it.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) spot: Spot,
}

/// A place relative to a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) frame: usize,
    pub(super) at: Vector,
}

/// What dotted names end in.
const FIELDS: [&str; 9] = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"];

/// What a name of a place or body stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Thing {
    Frame(usize),
    Point(usize),
    Body(usize),
}

impl Layer<'_> {
    // Making ----------------------------------------------------------------------------------------------------------

    pub(super) fn ground_frame(&mut self) {
        self.frames.push(Frame {
            name: "ground".to_owned(),
            parent: 0,
            axes: GROUND,
            place: Vec::new(),
            on: None,
            velocity: Some(Placed { axes: GROUND, v: self.arena.nothing() }),
        });
    }

    pub(super) fn frame_named(&self, name: &str) -> Option<usize> {
        self.frames.iter().position(|f| f.name == name)
    }

    /// A frame that is referred to.
    pub(super) fn frame_of(&mut self, name: &Name) -> Option<usize> {
        let found = self.frame_named(&name.text);
        if found.is_none() {
            let known: Vec<&str> = self.specs.frames.iter().map(|f| f.name.text.as_str()).chain(["ground"]).collect();
            // A frame that was wrong has been complained about.
            if !known.contains(&name.text.as_str()) {
                let error = NameError::unknown("frame", &name.text, known.iter().copied());
                let surface = self.specs.surfaces.iter().any(|s| s.name.text == name.text);
                let hint = if surface {
                    format!("`{0}` is a surface: write {{ surface = \"{0}\" }}, or `on` for a frame", name.text)
                } else {
                    format!("frames are {}", known.join(", "))
                };
                self.error(error.hint(hint).at(name.span.clone()));
            }
        }
        found
    }

    pub(super) fn make_frame(&mut self, spec: &FrameSpec) -> Option<()> {
        let (mut parent, mut on) = (0, None);
        if let Some(name) = &spec.parent {
            parent = self.frame_of(name)?;
        }
        let at = match (&spec.on, spec.at) {
            (Some(name), at) => {
                let surface = self.surface_of(name)?;
                let spot = self.over_surface(surface, at, &spec.name.span)?;
                on = Some((surface, self.on_surface(surface, at, &spec.name.span)?.0));
                parent = spot.frame;
                spot.at
            }
            (None, Some(item)) => self.read_vector(item, Where::PLACE)?,
            (None, None) => self.arena.nothing(),
        };
        let outer = self.frames[parent].axes;
        let mut place = self.frames[parent].place.clone();
        if !self.arena.is_nothing(&at) {
            let at = self.named_place(&spec.name.text, at, outer == GROUND && place.is_empty());
            place.push(self.outermost(Placed { axes: outer, v: at }));
        }
        let mut axes = outer;
        for (i, turn) in spec.turns.iter().enumerate() {
            let last = i + 1 == spec.turns.len();
            let name = if last { spec.name.text.clone() } else { format!("{}_{}", spec.name.text, i + 1) };
            let angle = self.read(turn.angle, Where::ANGLE)?;
            axes = match &turn.axis {
                AxisSpec::Coordinate(axis) => self.turned(axes, Turn::About { axis: *axis, angle }, &name),
                AxisSpec::Any(item) => self.turned_about(axes, item, angle, &name)?,
            };
        }
        if let Some(item) = spec.quaternion {
            axes = self.turned_by_quaternion(axes, item, &spec.name.text)?;
        }
        self.frames.push(Frame { name: spec.name.text.clone(), parent, axes, place, on, velocity: None });
        Some(())
    }

    /// Components of a place that are long and vary get names, so that their rates can be written with a prime.
    fn named_place(&mut self, frame: &str, at: Vector, is_position: bool) -> Vector {
        let mut named = at;
        for (i, field) in ["x", "y", "z"].into_iter().enumerate() {
            let rate = self.arena.time_derivative(at[i]);
            if crate::expr::written_out(&self.arena, rate) < 3 {
                continue;
            }
            let name = if is_position { format!("{frame}_{field}") } else { format!("{frame}_r{field}") };
            let symbol = self.letter(&name, at[i]);
            if is_position {
                self.dotted.insert(format!("{frame}.{field}"), symbol);
            }
            named[i] = self.arena.symbol(symbol);
        }
        named
    }

    /// Axes turned about any axis: Rodrigues' formula.
    fn turned_about(&mut self, parent: usize, item: &Item, angle: Expr, name: &str) -> Option<usize> {
        let axis = self.unit_vector(item, Where::AXIS)?;
        // About a coordinate axis, forwards or backwards.
        if let Some(i) = (0..3).find(|&i| (0..3).all(|j| j == i || self.arena.is_zero(axis[j]))) {
            let angle = self.arena.mul(axis[i], angle);
            return Some(self.turned(parent, Turn::About { axis: i, angle }, name));
        }
        let (c, s) = (self.arena.cos(angle), self.arena.sin(angle));
        let versine = self.arena.sub(self.arena.one(), c);
        let columns = [0, 1, 2].map(|i| {
            // c e + s n×e + (1 − c)(n·e) n
            let e = self.arena.unit(i);
            let first = self.arena.times(c, &e);
            let across = self.arena.cross(&axis, &e);
            let second = self.arena.times(s, &across);
            let factor = self.arena.mul(versine, axis[i]);
            let third = self.arena.times(factor, &axis);
            let sum = self.arena.plus(&first, &second);
            self.arena.plus(&sum, &third)
        });
        // ω = α̇ n + sin α ṅ ± (1 − cos α) n×ṅ, outside and inside
        let (rate, moving) = (self.arena.time_derivative(angle), self.arena.rate(&axis));
        let spin = self.arena.times(rate, &axis);
        let drift = self.arena.times(s, &moving);
        let twist = self.arena.cross(&axis, &moving);
        let twist = self.arena.times(versine, &twist);
        let plain = self.arena.plus(&spin, &drift);
        let (outside, inside) = (self.arena.plus(&plain, &twist), self.arena.minus(&plain, &twist));
        let columns = self.named_columns(name, columns);
        Some(self.turned(parent, Turn::Matrix { columns, outside, inside }, name))
    }

    fn named_columns(&mut self, name: &str, columns: [Vector; 3]) -> [Vector; 3] {
        let mut named = columns;
        for (i, column) in ["x", "y", "z"].into_iter().enumerate() {
            for (j, row) in ["x", "y", "z"].into_iter().enumerate() {
                named[i][j] = self.letter_if_long(&format!("{name}_R{row}{column}"), columns[i][j], 4);
            }
        }
        named
    }

    /// A vector of length one along the given one.
    pub(super) fn unit_vector(&mut self, item: &Item, place: Where) -> Option<Vector> {
        let v = self.read_vector(item, place)?;
        let square = self.arena.norm_squared(&v);
        let square = self.short(square);
        if self.arena.is_zero(square) {
            self.error(Error::input(format!("{} has no direction: it is zero", place.what)).at(item.span.clone()));
            return None;
        }
        if self.arena.is_one(square) {
            return Some(v);
        }
        let length = self.arena.sqrt(square);
        Some(v.map(|x| self.arena.div(x, length)))
    }

    fn turned_by_quaternion(&mut self, parent: usize, item: &Item, name: &str) -> Option<usize> {
        let Value::Array(list) = &item.value else {
            let message = format!("a quaternion is a list of four expressions, not {}", item.value.kind());
            self.error(Error::input(message).at(item.span.clone()).hint("write [\"q0\", \"q1\", \"q2\", \"q3\"]"));
            return None;
        };
        if list.len() != 4 {
            let message = format!("a quaternion has four components, not {}", list.len());
            self.error(Error::input(message).at(item.span.clone()).hint("w, x, y, z: the scalar part first"));
            return None;
        }
        let parts: Vec<Option<Expr>> = list.iter().map(|i| self.read(i, Where::QUATERNION)).collect();
        let (w, v) = (parts[0]?, [parts[1]?, parts[2]?, parts[3]?]);
        let (ww, vv) = (self.arena.square(w), self.arena.norm_squared(&v));
        let square = self.arena.add(ww, vv);
        let short = self.short(square);
        let square = if self.arena.is_one(short) { short } else { square };
        let unit_by_itself = self.arena.is_one(square);
        let square = if unit_by_itself { square } else { self.letter_if_long(&format!("{name}_qq"), square, 1) };
        let two = self.arena.integer(2);
        // R e = ((w² − v²) e + 2 (v·e) v + 2 w v×e)/(w² + v²)
        let difference = self.arena.sub(ww, vv);
        let columns = [0, 1, 2].map(|i| {
            let e = self.arena.unit(i);
            let first = self.arena.times(difference, &e);
            let along = self.arena.mul(two, v[i]);
            let second = self.arena.times(along, &v);
            let across = self.arena.cross(&v, &e);
            let double = self.arena.mul(two, w);
            let third = self.arena.times(double, &across);
            let sum = self.arena.plus(&first, &second);
            let sum = self.arena.plus(&sum, &third);
            sum.map(|x| {
                let x = self.short(x);
                self.arena.div(x, square)
            })
        });
        // ω = 2 (w v̇ − ẇ v ± v×v̇)/(w² + v²), outside and inside
        let (rate, dv) = (self.arena.time_derivative(w), self.arena.rate(&v));
        let (a, b) = (self.arena.times(w, &dv), self.arena.times(rate, &v));
        let (plain, twist) = (self.arena.minus(&a, &b), self.arena.cross(&v, &dv));
        let factor = self.arena.div(two, square);
        let sums = [self.arena.plus(&plain, &twist), self.arena.minus(&plain, &twist)];
        let [outside, inside] = sums.map(|sum| self.arena.times(factor, &sum));
        let columns = self.named_columns(name, columns);
        let is_coordinate = |e: &Expr| {
            self.arena
                .free_symbols(&[*e])
                .first()
                .is_some_and(|s| self.coordinates.contains(s) && matches!(self.arena.node(*e), Node::Symbol(_)))
        };
        if [w, v[0], v[1], v[2]].iter().all(is_coordinate) {
            self.units.push((name.to_owned(), item.span.clone(), [w, v[0], v[1], v[2]]));
        }
        Some(self.turned(parent, Turn::Matrix { columns, outside, inside }, name))
    }

    pub(super) fn make_point(&mut self, name: &Name, spec: &PlaceSpec) -> Option<()> {
        let spot = self.spot(spec, 0)?;
        self.points.push(Point { name: name.text.clone(), spot });
        Some(())
    }

    /// A place relative to a frame; `home` is the frame if none is named.
    pub(super) fn spot(&mut self, spec: &PlaceSpec, home: usize) -> Option<Spot> {
        match spec {
            PlaceSpec::Named(name) => {
                let thing = self.thing(name)?;
                Some(self.spot_of(thing))
            }
            PlaceSpec::On { surface, at, span } => {
                let surface = self.surface_of(surface)?;
                self.over_surface(surface, *at, span)
            }
            PlaceSpec::In { frame, at, .. } => {
                let frame = match frame {
                    Some(name) => self.frame_of(name)?,
                    None => home,
                };
                let at = match at {
                    Some(item) => self.read_vector(item, Where::PLACE)?,
                    None => self.arena.nothing(),
                };
                Some(Spot { frame, at })
            }
        }
    }

    pub(super) fn spot_of(&self, thing: Thing) -> Spot {
        match thing {
            Thing::Frame(frame) => Spot { frame, at: self.arena.nothing() },
            Thing::Point(i) => self.points[i].spot,
            Thing::Body(i) => Spot { frame: self.bodies[i].frame, at: self.bodies[i].center },
        }
    }

    /// What a name stands for: points first, then frames, then bodies.
    pub(super) fn find(&self, name: &str) -> Option<Thing> {
        let point = self.points.iter().position(|p| p.name == name).map(Thing::Point);
        let frame = || self.frame_named(name).map(Thing::Frame);
        let body = || self.bodies.iter().position(|b| b.name == name).map(Thing::Body);
        point.or_else(frame).or_else(body)
    }

    /// The thing a name refers to. A body stands for its frame's origin if the frame has its name.
    pub(super) fn thing(&mut self, name: &Name) -> Option<Thing> {
        let found = self.find(&name.text);
        if found.is_none() {
            let known: Vec<&str> = self.place_names();
            if !known.contains(&name.text.as_str()) {
                let hint = format!("there are {}", known.join(", "));
                let error = NameError::unknown("point, frame or body", &name.text, known.iter().copied()).hint(hint);
                self.error(error.at(name.span.clone()));
            }
        }
        let off_centre = match found {
            Some(Thing::Frame(_)) => {
                self.bodies.iter().find(|b| b.name == name.text).is_some_and(|b| !self.arena.is_nothing(&b.center))
            }
            _ => false,
        };
        if off_centre {
            let message = format!("`{}` is the origin of the frame, not the centre of the body", name.text);
            self.note(&name.span, message, "a point with `in` and `at` names the centre");
        }
        found
    }

    fn place_names(&self) -> Vec<&str> {
        let points = self.specs.points.iter().map(|(n, _)| n.text.as_str());
        let frames = self.specs.frames.iter().map(|f| f.name.text.as_str());
        let bodies = self.specs.bodies.iter().map(|b| b.name.text.as_str());
        let mut all: Vec<&str> = points.chain(frames).chain(bodies).chain(["ground"]).collect();
        all.dedup();
        all
    }

    // Motion ----------------------------------------------------------------------------------------------------------

    /// All shifts from the ground's origin to a spot.
    pub(super) fn shifts(&self, spot: Spot) -> Vec<Placed> {
        let mut shifts = self.frames[spot.frame].place.clone();
        if !self.arena.is_nothing(&spot.at) {
            shifts.push(self.outermost(Placed { axes: self.frames[spot.frame].axes, v: spot.at }));
        }
        shifts
    }

    /// The place of a spot in ground axes.
    pub(super) fn position(&mut self, spot: Spot) -> Vector {
        let shifts = self.shifts(spot);
        self.gather(&shifts, GROUND)
    }

    /// Velocity of the place of a spot relative to the ground, in any axes.
    pub(super) fn velocity_in(&mut self, spot: Spot, to: usize) -> Vector {
        let path = self.path_to(to);
        // The innermost frame on the way whose velocity is known in axes on the way to `to`.
        let mut known = spot.frame;
        while self.frames[known].velocity.is_none_or(|v| !path.contains(&v.axes)) {
            known = self.frames[known].parent;
        }
        let rest = self.shifts(spot).split_off(self.frames[known].place.len());
        let mut parts: Vec<Placed> = self.frames[known].velocity.into_iter().collect();
        for part in self.onto_path(&rest, to) {
            let omega = self.omega(part.axes);
            let (carried, own) = (self.arena.cross(&omega, &part.v), self.arena.rate(&part.v));
            let v = self.arena.plus(&carried, &own);
            parts.push(Placed { axes: part.axes, v });
        }
        self.inwards(&mut parts, to)
    }

    /// Velocity of the material point of the frame that is at the spot now.
    pub(super) fn material_velocity_in(&mut self, spot: Spot, to: usize) -> Vector {
        if spot.at.iter().all(|&x| self.order_of(x).is_none()) {
            return self.velocity_in(spot, to);
        }
        let origin = self.velocity_in(Spot { at: self.arena.nothing(), ..spot }, to);
        let axes = self.frames[spot.frame].axes;
        let omega = self.omega(axes);
        let carried = self.arena.cross(&omega, &spot.at);
        let carried = self.gather(&[Placed { axes, v: carried }], to);
        self.arena.plus(&origin, &carried)
    }

    /// The velocity of a spot in the axes in which it is shortest, and those axes.
    ///
    /// A velocity is built where the last shift stands. Where that is one turn away from the ground, the axes of the ground may be the
    /// better ones: a link of a chain in the plane is shorter there.
    pub(super) fn shortest_velocity(&mut self, spot: Spot) -> Placed {
        self.know_velocity(spot.frame);
        let shifts = self.shifts(spot);
        let known = self.frames[spot.frame].velocity.map_or(GROUND, |v| v.axes);
        let Some(last) = shifts[self.frames[spot.frame].place.len()..].last().copied() else {
            return self.frames[spot.frame].velocity.unwrap_or(Placed { axes: GROUND, v: spot.at });
        };
        let one_turn = known == GROUND && last.axes != GROUND && self.axes[last.axes].parent == known;
        let own = Placed { axes: last.axes, v: self.velocity_in(spot, last.axes) };
        let ground = one_turn.then(|| Placed { axes: known, v: self.velocity_in(spot, known) });
        let mut cost = |placed: &Placed| placed.v.iter().fold(0u64, |sum, &x| sum.saturating_add(self.cost(x)));
        [own].into_iter().chain(ground).min_by_key(|placed| cost(placed)).unwrap_or(own)
    }

    /// Finds the velocities of a frame and of those it stands in.
    fn know_velocity(&mut self, frame: usize) {
        let mut chain = vec![frame];
        while self.frames[chain[chain.len() - 1]].velocity.is_none() {
            chain.push(self.frames[chain[chain.len() - 1]].parent);
        }
        for &f in chain.iter().rev() {
            if self.frames[f].velocity.is_some() {
                continue;
            }
            let parent = self.frames[f].parent;
            let own = self.frames[f].place[self.frames[parent].place.len()..].last().copied();
            let Some(shift) = own else {
                self.frames[f].velocity = self.frames[parent].velocity;
                continue;
            };
            // In the innermost axes from which one goes on: those of the shift, unless the frame's own lie beside them.
            let path = self.path_to(self.frames[f].axes);
            let axes = self.path_to(shift.axes).into_iter().rfind(|a| path.contains(a)).unwrap_or(GROUND);
            let mut v = self.velocity_in(Spot { frame: f, at: self.arena.nothing() }, axes);
            let name = self.frames[f].name.clone();
            for (i, x) in v.iter_mut().enumerate() {
                *x = self.letter_if_long(&format!("{name}_v{}", i + 1), *x, 2);
            }
            self.frames[f].velocity = Some(Placed { axes, v });
        }
    }

    // Dotted names ----------------------------------------------------------------------------------------------------

    /// Makes the letter of a dotted name, if there is such a thing.
    pub(super) fn dotted_letter(&mut self, head: &str, field: &str) -> Option<Symbol> {
        let dotted = format!("{head}.{field}");
        if let Some(&s) = self.dotted.get(&dotted) {
            return Some(s);
        }
        let expr = self.dotted_expression(head, field)?;
        if let Node::Symbol(s) = *self.arena.node(expr)
            && self.letters.iter().any(|l| l.symbol == s)
        {
            self.dotted.insert(dotted, s);
            return Some(s);
        }
        let symbol = self.letter(&format!("{head}_{field}"), expr);
        self.dotted.insert(dotted, symbol);
        Some(symbol)
    }

    /// What a dotted name means.
    pub(super) fn dotted_expression(&mut self, head: &str, field: &str) -> Option<Expr> {
        let thing = self.find(head)?;
        let i = FIELDS.iter().position(|f| *f == field)?;
        let spot = self.spot_of(thing);
        let vector = match (thing, i / 3) {
            (_, 0) => self.position(spot),
            (Thing::Frame(f), 1) => {
                self.know_velocity(f);
                self.velocity_in(spot, self.frames[f].axes)
            }
            (Thing::Frame(f), _) => self.omega(self.frames[f].axes),
            (Thing::Point(_), 1) => self.material_velocity_in(spot, GROUND),
            (Thing::Body(_), 1) => self.velocity_in(spot, GROUND),
            _ => return None,
        };
        Some(vector[i % 3])
    }

    /// All dotted names there are.
    pub(super) fn all_dotted(&self) -> Vec<(String, &'static str)> {
        let frames = self.frames.iter().skip(1).map(|f| (f.name.clone(), 9));
        let points = self.points.iter().map(|p| (p.name.clone(), 6));
        let bodies = self.bodies.iter().filter(|b| self.find(&b.name).is_some_and(|t| matches!(t, Thing::Body(_))));
        let bodies = bodies.map(|b| (b.name.clone(), 6));
        let heads: Vec<(String, usize)> = frames.chain(points).chain(bodies).collect();
        heads.into_iter().flat_map(|(head, n)| FIELDS[..n].iter().map(move |f| (head.clone(), *f))).collect()
    }

    pub(super) fn unknown_dotted(&self, head: &str, field: &str) -> NameError {
        match self.find(head) {
            None => NameError::unknown("point, frame or body", head, self.place_names())
                .hint("a name with a dot belongs to a frame, point or body: `F.x`, `F.vx`, `F.wx`"),
            Some(thing) => {
                let n = if matches!(thing, Thing::Frame(_)) { 9 } else { 6 };
                NameError::new(format!("`{head}` has no `{field}`")).hint(format!(
                    "it has {}",
                    FIELDS[..n].iter().map(|f| format!("{head}.{f}")).collect::<Vec<_>>().join(", ")
                ))
            }
        }
    }

    /// Reads a definition of the author.
    pub(super) fn make_definition(&mut self, name: &str, item: &Item) -> Option<()> {
        let expr = self.read(item, Where::DEFINITION)?;
        let symbol = self.declare_letter(name, expr);
        self.names.insert(name.to_owned(), Named::Definition(Some(symbol)));
        Some(())
    }
}

/// A quaternion of coordinates, whose length must be kept at one.
pub(super) type Unit = (String, Span, [Expr; 4]);
