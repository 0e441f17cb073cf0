//! Bodies, frames and contacts: a layer over the plain model.
//!
//! A person thinks in frames, bodies and contacts. The sections `[frames]`, `[points]`, `[surfaces]`, `[bodies]`, `[gravity]`, `[springs]`,
//! `[loads]` and `[contacts]` of a model file say it so, and this layer writes the plain model that a person would have written: definitions,
//! T, V, Q, constraints, pictures. Everything downstream reads that; there is no second mechanics.
//!
//! Three things keep the plain model short. Velocities and angular velocities are built frame by frame, each in the axes in which
//! it is shortest ([`frames`], [`axes`]); what is round is not turned by its own spin ([`solids`]); and what a contact says is computed in the
//! axes in which it says it shortest, on the branch of the roots that the initial state lies on ([`contacts`]).

mod axes;
mod contacts;
mod directions;
mod drawing;
mod drawing_surfaces;
mod frames;
mod layer;
mod loads;
mod normal;
mod on_bodies;
mod on_surfaces;
mod planes;
mod redundant;
mod roots;
mod shapes;
mod slip;
mod solids;
mod spec;
mod spec_contacts;
mod surfaces;
mod vector;
mod write;

use crate::error::{Error, Span};
use crate::expr::{Role, names_in};
use crate::limits::Limits;
use crate::source::{Entry, Findings, Item, Value, Written, dependencies_first};
use layer::{Layer, Named, Where};
use spec::{PlaceSpec, Specs, SurfaceForm, read_specs};
use write::strings;

/// The sections of the layer.
pub const SECTIONS: [&str; 8] = ["frames", "points", "surfaces", "bodies", "gravity", "springs", "loads", "contacts"];

/// What the layer makes of a file.
pub(crate) struct Expansion {
    /// The sections of the plain model; what the author wrote keeps its place, what was added points at what it comes from.
    pub(crate) entries: Vec<Entry>,
    /// Dotted names and the definitions they stand for.
    pub(crate) aliases: Vec<(String, String)>,
    /// Dotted names that the file does not use, and letters they need, with their texts.
    pub(crate) hidden: Vec<(String, String)>,
    /// What the author should know.
    pub(crate) notes: Vec<Error>,
    /// Contacts and what must not vanish at them.
    pub(crate) guards: Vec<(String, String)>,
    /// The plain model as a file.
    pub(crate) plain: String,
    /// The `[[drawing]]` sections that were added.
    pub(crate) drawing: String,
}

/// Does the file speak of bodies?
pub(crate) fn speaks_of_bodies(entries: &[Entry]) -> bool {
    entries.iter().any(|e| SECTIONS.contains(&e.key.as_str()))
}

/// Writes the plain model.
pub(crate) fn expand(file: &str, entries: &[Entry], limits: &Limits, written: &Written) -> Result<Expansion, Findings> {
    let mut findings = Findings::default();
    let specs = read_specs(entries, &mut findings);
    if !findings.errors.is_empty() {
        return Err(findings);
    }
    let mut layer = Layer::new(file, limits, &specs, written);
    layer.declare(entries);
    layer.build(entries);
    layer.make_gravity();
    if !layer.findings.errors.is_empty() {
        return Err(layer.findings);
    }
    layer.finish(entries)
}

/// The members of a section.
fn members<'e>(entries: &'e [Entry], section: &str) -> &'e [Entry] {
    match entries.iter().find(|e| e.key == section).map(|e| &e.item.value) {
        Some(Value::Table(list)) => list,
        _ => &[],
    }
}

impl<'a> Layer<'a> {
    /// Makes the author's names known. What is wrong with them the loader says.
    fn declare(&mut self, entries: &'a [Entry]) {
        let coordinates = match entries.iter().find(|e| e.key == "system").and_then(|e| e.item.value.get("coordinates"))
        {
            Some(Entry { item: crate::source::Item { value: Value::Array(list), .. }, .. }) => list.as_slice(),
            _ => &[],
        };
        let names: Vec<&str> = coordinates
            .iter()
            .filter_map(|i| match &i.value {
                Value::String(s) => Some(s.as_str()),
                _ => None,
            })
            .collect();
        let known = |layer: &mut Self, name: &str, named: Named| {
            layer.names.insert(name.to_owned(), named);
            layer.listed.push(name.to_owned());
            layer.taken.insert(name.to_owned());
        };
        for name in names {
            let q = self.arena.declare(name, Role::Coordinate);
            let v = self.arena.dot(q);
            self.arena.dot(v);
            self.coordinates.push(q);
            known(self, name, Named::Coordinate(q));
        }
        self.forces = vec![self.arena.zero(); self.coordinates.len()];
        for e in members(entries, "parameters") {
            let p = self.arena.declare(&e.key, Role::Parameter);
            known(self, &e.key, Named::Parameter(p));
        }
        for e in members(entries, "definitions") {
            known(self, &e.key, Named::Definition(None));
        }
        for e in members(entries, "quasi_velocities") {
            known(self, &e.key, Named::QuasiVelocity);
        }
        for e in members(entries, "constraints") {
            known(self, &format!("lambda_{}", e.key), Named::Multiplier);
        }
        for e in members(entries, "tables") {
            self.arena.declare_table(&e.key);
            self.taken.insert(e.key.clone());
        }
        for f in crate::expr::Callable::built_in_names().chain(["t", "pi"]) {
            self.taken.insert(f.to_owned());
        }
        self.values(entries);
    }

    /// Values of the parameters and of the initial position: they decide branches, sides and signs.
    fn values(&mut self, entries: &'a [Entry]) {
        let parameters = members(entries, "parameters");
        let mut given = Vec::new();
        // Mistakes here are the loader's to report.
        let kept = std::mem::take(&mut self.findings);
        for e in parameters {
            let value = self.read(&e.item, Where::PARAMETER);
            given.push((self.arena.declare(&e.key, Role::Parameter), value));
        }
        for _ in 0..given.len().min(64) {
            let mut changed = false;
            for &(symbol, value) in &given {
                let Some(value) = value else { continue };
                let x = self.arena.evaluate(&[value], &self.initial)[0];
                changed |= self.initial.get(symbol).to_bits() != x.to_bits();
                self.initial.set(symbol, x);
            }
            if !changed {
                break;
            }
        }
        let pi = self.arena.pi();
        self.initial.set(pi, std::f64::consts::PI);
        let initial = entries.iter().find(|e| e.key == "initial");
        let time = initial.and_then(|e| e.item.value.get("time")).and_then(|e| self.read(&e.item, Where::INITIAL));
        let time = time.map_or(0.0, |e| self.initial_value(e));
        self.initial.set(self.arena.time(), time);
        let positions = match initial.and_then(|e| e.item.value.get("position")).map(|e| &e.item.value) {
            Some(Value::Table(list)) => list.as_slice(),
            _ => &[],
        };
        self.has_initial = !positions.is_empty();
        for q in self.coordinates.clone() {
            let name = self.arena.name(q).to_owned();
            let value = positions.iter().find(|e| e.key == name).and_then(|e| self.read(&e.item, Where::INITIAL));
            let value = value.map_or(0.0, |e| self.initial_value(e));
            self.initial.set(q, value);
        }
        self.findings = kept;
    }

    /// Builds everything, in an order in which all is known when it is used.
    fn build(&mut self, entries: &'a [Entry]) {
        self.ground_frame();
        let specs: &'a Specs<'a> = self.specs;
        let definitions = members(entries, "definitions");
        let parts = Part::all(definitions, specs);
        let (order, circles) = dependencies_first(&self.references(&parts));
        for circle in circles {
            let span = parts[circle[0]].name().1.clone();
            let names: Vec<String> = circle.iter().map(|&i| parts[i].called()).collect();
            let message = match names.as_slice() {
                [one] => format!("{one} refers to itself"),
                _ => format!("{} → {} refer to each other in a circle", names.join(" → "), names[0]),
            };
            let hint = "what a thing stands on must be known before it: ground, then outwards";
            self.error(Error::input(message).at(span).hint(hint));
        }
        if !self.findings.errors.is_empty() {
            return;
        }
        for i in order {
            match parts[i] {
                Part::Definition(e) => self.make_definition(&e.key, &e.item),
                Part::Frame(f) => self.make_frame(f),
                Part::Point(name, place) => self.make_point(name, place),
                Part::Body(b) => self.make_body(b),
                Part::Surface(s) => self.make_surface(s),
            };
        }
    }

    /// Which of the parts each of them uses.
    fn references(&self, parts: &[Part]) -> Vec<Vec<usize>> {
        let find = |kind: fn(&Part) -> bool, name: &str| parts.iter().position(|p| kind(p) && p.name().0 == name);
        let frame = |name: &str| find(|p| matches!(p, Part::Frame(_)), name);
        let point = |name: &str| find(|p| matches!(p, Part::Point(..)), name);
        let body = |name: &str| find(|p| matches!(p, Part::Body(_)), name);
        let surface = |name: &str| find(|p| matches!(p, Part::Surface(_)), name);
        let head = |name: &str| point(name).or_else(|| frame(name)).or_else(|| body(name));
        let of_text = |text: &str, list: &mut Vec<usize>| {
            for (name, _) in names_in(text, self.limits.number_bits) {
                match name.split_once('.') {
                    Some((h, _)) => list.extend(head(h)),
                    None => list.extend(find(|p| matches!(p, Part::Definition(_)), name)),
                }
            }
        };
        let of_item = |item: &Item, list: &mut Vec<usize>| {
            strings(&item.value).into_iter().for_each(|text| of_text(text, list));
        };
        let named = |name: &Option<spec::Name>, find: &dyn Fn(&str) -> Option<usize>| {
            name.iter().filter_map(|n| find(&n.text)).collect::<Vec<usize>>()
        };
        let uses = |part: &Part| -> Vec<usize> {
            let mut list = Vec::new();
            match part {
                Part::Definition(e) => of_item(&e.item, &mut list),
                Part::Frame(x) => {
                    list.extend(named(&x.parent, &frame));
                    list.extend(named(&x.on, &surface));
                    let angles = x.turns.iter().flat_map(|t| {
                        let axis = match t.axis {
                            spec::AxisSpec::Any(item) => Some(item),
                            spec::AxisSpec::Coordinate(_) => None,
                        };
                        [Some(t.angle), axis].into_iter().flatten()
                    });
                    x.at.into_iter().chain(x.quaternion).chain(angles).for_each(|i| of_item(i, &mut list));
                }
                Part::Point(_, PlaceSpec::Named(_)) => {}
                Part::Point(_, PlaceSpec::In { frame: f, at, .. }) => {
                    list.extend(named(f, &frame));
                    at.iter().for_each(|i| of_item(i, &mut list));
                }
                Part::Point(_, PlaceSpec::On { surface: s, at, .. }) => {
                    list.extend(surface(&s.text));
                    at.iter().for_each(|i| of_item(i, &mut list));
                }
                Part::Body(x) => {
                    list.extend(named(&x.frame, &frame));
                    list.extend(frame(&x.name.text).filter(|_| x.frame.is_none()));
                    x.center.iter().for_each(|i| of_item(i, &mut list));
                    x.shape.iter().filter_map(|s| s.at).for_each(|i| of_item(i, &mut list));
                }
                Part::Surface(x) => {
                    list.extend(named(&x.frame, &frame));
                    match x.form {
                        SurfaceForm::Graph(item) | SurfaceForm::Parametric { at: item, .. } => of_item(item, &mut list),
                    }
                }
            }
            list
        };
        parts.iter().map(uses).collect()
    }
}

/// What is built one after the other, each when what it uses is there.
#[derive(Clone, Copy)]
enum Part<'s, 'a> {
    Definition(&'s Entry),
    Frame(&'s spec::FrameSpec<'a>),
    Point(&'s spec::Name, &'s PlaceSpec<'a>),
    Body(&'s spec::BodySpec<'a>),
    Surface(&'s spec::SurfaceSpec<'a>),
}

impl<'s, 'a> Part<'s, 'a> {
    fn all(definitions: &'s [Entry], specs: &'s Specs<'a>) -> Vec<Part<'s, 'a>> {
        let all = definitions.iter().map(Part::Definition).chain(specs.frames.iter().map(Part::Frame));
        let all = all.chain(specs.points.iter().map(|(name, place)| Part::Point(name, place)));
        all.chain(specs.bodies.iter().map(Part::Body)).chain(specs.surfaces.iter().map(Part::Surface)).collect()
    }

    /// Its name, and where that stands.
    fn name(&self) -> (&'s str, &'s Span) {
        let of = |name: &'s spec::Name| (name.text.as_str(), &name.span);
        match *self {
            Part::Definition(e) => (&e.key, &e.key_span),
            Part::Frame(x) => of(&x.name),
            Part::Point(name, _) => of(name),
            Part::Body(x) => of(&x.name),
            Part::Surface(x) => of(&x.name),
        }
    }

    fn called(&self) -> String {
        let kind = match self {
            Part::Definition(_) => "definition",
            Part::Frame(_) => "frame",
            Part::Point(..) => "point",
            Part::Body(_) => "body",
            Part::Surface(_) => "surface",
        };
        format!("{kind} `{}`", self.name().0)
    }
}

#[cfg(test)]
mod tests;
