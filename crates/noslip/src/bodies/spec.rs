//! The sections of the layer as they stand in the file: what is there, where, and whether the keys are known.
//!
//! Nothing is computed here; expressions are left as items of the file.

use super::shapes::ShapeKind;
use crate::error::{Error, Span};
use crate::expr::NameError;
use crate::source::{Entry, Findings, Item, Value, valid_name};

/// A name somebody is referred to by, and where.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A frame.
#[derive(Debug)]
pub(super) struct FrameSpec<'a> {
    pub(super) name: Name,
    pub(super) parent: Option<Name>,
    /// The surface it stands on; `at` is then two parameters and the height.
    pub(super) on: Option<Name>,
    pub(super) at: Option<&'a Item>,
    pub(super) turns: Vec<TurnSpec<'a>>,
    pub(super) quaternion: Option<&'a Item>,
}

/// One turn.
#[derive(Debug)]
pub(super) struct TurnSpec<'a> {
    pub(super) axis: AxisSpec<'a>,
    pub(super) angle: &'a Item,
}

/// The axis of a turn.
#[derive(Debug)]
pub(super) enum AxisSpec<'a> {
    Coordinate(usize),
    Any(&'a Item),
}

/// A place: by name, in a frame, or over a surface.
#[derive(Debug)]
pub(super) enum PlaceSpec<'a> {
    Named(Name),
    On { surface: Name, at: Option<&'a Item>, span: Span },
    In { frame: Option<Name>, at: Option<&'a Item>, span: Span },
}

/// A body.
#[derive(Debug)]
pub(super) struct BodySpec<'a> {
    pub(super) name: Name,
    pub(super) frame: Option<Name>,
    pub(super) mass: Option<&'a Item>,
    pub(super) center: Option<&'a Item>,
    pub(super) shape: Option<ShapeSpec<'a>>,
    pub(super) inertia: Option<&'a Item>,
}

/// A shape with its sizes.
#[derive(Debug)]
pub(super) struct ShapeSpec<'a> {
    pub(super) kind: ShapeKind,
    pub(super) sizes: Vec<&'a Item>,
    pub(super) axis: usize,
    pub(super) at: Option<&'a Item>,
}

/// A surface, rigid in its frame.
#[derive(Debug)]
pub(super) struct SurfaceSpec<'a> {
    pub(super) name: Name,
    pub(super) frame: Option<Name>,
    pub(super) form: SurfaceForm<'a>,
    /// What is drawn of it: the ranges of its parameters.
    pub(super) over: Option<&'a Item>,
}

/// How a surface is given.
#[derive(Debug)]
pub(super) enum SurfaceForm<'a> {
    /// z over x and y of its frame.
    Graph(&'a Item),
    Parametric {
        parameters: [Name; 2],
        at: &'a Item,
    },
}

/// A surface, and the values of its parameters where it is touched.
#[derive(Debug)]
pub(super) struct OnSurface<'a> {
    pub(super) surface: Name,
    pub(super) at: Option<&'a Item>,
}

/// A spring.
#[derive(Debug)]
pub(super) struct SpringSpec<'a> {
    pub(super) name: Name,
    pub(super) ends: Option<[PlaceSpec<'a>; 2]>,
    pub(super) angle: Option<&'a Item>,
    pub(super) stiffness: Option<&'a Item>,
    pub(super) length: Option<&'a Item>,
    pub(super) damping: Option<&'a Item>,
}

/// A load.
#[derive(Debug)]
pub(super) struct LoadSpec<'a> {
    pub(super) on: Name,
    pub(super) force: Option<&'a Item>,
    pub(super) torque: Option<&'a Item>,
    pub(super) along: Option<Name>,
    pub(super) against: Option<Name>,
}

/// A contact.
#[derive(Debug)]
pub(super) struct ContactSpec<'a> {
    pub(super) name: Name,
    pub(super) kind: ContactKind<'a>,
    pub(super) friction: Option<&'a Item>,
}

/// What kind of contact.
#[derive(Debug)]
pub(super) enum ContactKind<'a> {
    /// Rolls, or only slides, on a plane, a body, or whatever has the given normal.
    Touches {
        body: Name,
        on: OnSpec<'a>,
        /// The surface of the body that touches.
        with: Option<OnSurface<'a>>,
        at: Option<PlaceSpec<'a>>,
        side: Option<bool>,
        normal: Option<AxisOf>,
        /// Along and across, where they are chosen.
        directions: Box<[Option<AxisOf>; 2]>,
        inside: bool,
        rolls: bool,
        /// May it turn about the normal?
        spins: bool,
    },
    /// A blade, or with `wheel` a wheel seen from above.
    Skates { body: Name, at: Option<PlaceSpec<'a>>, axis: usize, on: Option<Name>, wheel: Option<WheelSpec<'a>> },
    /// Two places that stay together.
    Joins([PlaceSpec<'a>; 2]),
}

/// An axis of a frame: `{ in = "FRAME", axis = "x" }`.
#[derive(Debug)]
pub(super) struct AxisOf {
    pub(super) frame: Name,
    pub(super) axis: usize,
    pub(super) span: Span,
}

/// What a body touches.
#[derive(Debug)]
pub(super) enum OnSpec<'a> {
    Frame(Name),
    Body(Name),
    Surface(OnSurface<'a>),
}

/// A wheel seen from above.
#[derive(Debug)]
pub(super) struct WheelSpec<'a> {
    pub(super) turn: &'a Item,
    pub(super) radius: &'a Item,
    pub(super) inertia: Option<&'a Item>,
}

/// All sections of the layer.
#[derive(Debug, Default)]
pub(super) struct Specs<'a> {
    pub(super) frames: Vec<FrameSpec<'a>>,
    pub(super) points: Vec<(Name, PlaceSpec<'a>)>,
    pub(super) surfaces: Vec<SurfaceSpec<'a>>,
    pub(super) bodies: Vec<BodySpec<'a>>,
    pub(super) gravity: Option<(&'a Item, Option<&'a Item>)>,
    pub(super) springs: Vec<SpringSpec<'a>>,
    pub(super) loads: Vec<LoadSpec<'a>>,
    pub(super) contacts: Vec<ContactSpec<'a>>,
}

/// Reads the sections. Mistakes are noted; what is wrong is left out.
pub(super) fn read_specs<'a>(entries: &'a [Entry], findings: &mut Findings) -> Specs<'a> {
    let mut reader = Reader { findings };
    let mut specs = Specs::default();
    let section = |name: &str| entries.iter().find(|e| e.key == name);
    for (name, e) in reader.members(section("frames"), "frames", &FRAME_KEYS) {
        specs.frames.extend(reader.frame(name, e));
    }
    for (name, e) in reader.members(section("points"), "points", &["in", "on", "at"]) {
        specs.points.extend(reader.place_in(&e.item).map(|place| (name, place)));
    }
    for (name, e) in reader.members(section("surfaces"), "surfaces", &["in", "z", "parameters", "at", "over"]) {
        specs.surfaces.extend(reader.surface(name, e));
    }
    for (name, e) in reader.members(section("bodies"), "bodies", &["in", "mass", "center", "shape", "inertia"]) {
        specs.bodies.extend(reader.body(name, e));
    }
    specs.gravity = section("gravity").and_then(|e| reader.gravity(e));
    let keys = ["from", "to", "angle", "stiffness", "length", "damping"];
    for (name, e) in reader.members(section("springs"), "springs", &keys) {
        specs.springs.extend(reader.spring(name, e));
    }
    for (name, e) in reader.members(section("loads"), "loads", &["on", "force", "torque", "along", "against"]) {
        specs.loads.extend(reader.load(name, e));
    }
    for (name, e) in reader.members(section("contacts"), "contacts", &CONTACT_KEYS) {
        specs.contacts.extend(reader.contact(name, e));
    }
    reader.clashes(&specs);
    specs
}

const FRAME_KEYS: [&str; 5] = ["in", "on", "at", "turn", "quaternion"];
const CONTACT_KEYS: [&str; 16] = [
    "body",
    "with",
    "rolls_on",
    "slides_on",
    "skates",
    "wheel",
    "joins",
    "at",
    "on",
    "side",
    "normal",
    "along",
    "across",
    "inside",
    "spins",
    "friction",
];

pub(super) struct Reader<'f> {
    findings: &'f mut Findings,
}

impl Reader<'_> {
    pub(super) fn error(&mut self, error: Error) {
        self.findings.error(error);
    }

    /// The members of a section that are tables with known keys, under valid names.
    fn members<'a>(&mut self, section: Option<&'a Entry>, of: &str, keys: &[&str]) -> Vec<(Name, &'a Entry)> {
        let Some(section) = section else { return Vec::new() };
        let Value::Table(list) = &section.item.value else {
            let message = format!("`{of}` is a section, not {}", section.item.value.kind());
            self.error(Error::input(message).at(section.item.span.clone()).hint(format!("write `[{of}]`")));
            return Vec::new();
        };
        let mut members = Vec::new();
        for e in list {
            if let Err(error) = valid_name(&e.key) {
                self.error(error.at(e.key_span.clone()));
                continue;
            }
            if e.key == "ground" && matches!(of, "frames" | "points" | "bodies") {
                self.error(
                    Error::input("`ground` is the frame everything stands in")
                        .at(e.key_span.clone())
                        .hint("choose another name"),
                );
                continue;
            }
            if !matches!(e.item.value, Value::Table(_)) {
                let message = format!("`{}` in [{of}] is a table, not {}", e.key, e.item.value.kind());
                let hint = format!("write `{} = {{ … }}` or a section `[{of}.{}]`", e.key, e.key);
                self.error(Error::input(message).at(e.item.span.clone()).hint(hint));
                continue;
            }
            self.known(&format!("[{of}.{}]", e.key), &e.item, keys);
            members.push((Name { text: e.key.clone(), span: e.key_span.clone() }, e));
        }
        members
    }

    pub(super) fn known(&mut self, what: &str, item: &Item, keys: &[&str]) {
        let Value::Table(list) = &item.value else { return };
        for e in list.iter().filter(|e| !keys.contains(&e.key.as_str())) {
            let mut error = NameError::unknown("key", &e.key, keys.iter().copied());
            error.message = error.message.replacen(&format!("`{}`", e.key), &format!("`{}` in {what}", e.key), 1);
            error.hint = Some(format!("keys of {what} are {}", keys.join(", ")));
            self.error(error.at(e.key_span.clone()));
        }
    }

    pub(super) fn name(&mut self, item: &Item, what: &str) -> Option<Name> {
        match &item.value {
            Value::String(text) => Some(Name { text: text.clone(), span: item.span.clone() }),
            other => {
                let message = format!("{what} is a name in quotes, not {}", other.kind());
                self.error(Error::input(message).at(item.span.clone()));
                None
            }
        }
    }

    pub(super) fn named(&mut self, e: &Entry, key: &str, what: &str) -> Option<Name> {
        e.item.value.get(key).and_then(|x| self.name(&x.item, what))
    }

    pub(super) fn axis(&mut self, item: &Item, what: &str) -> Option<usize> {
        let axis = match &item.value {
            Value::String(s) => ["x", "y", "z"].iter().position(|a| a == s),
            _ => None,
        };
        if axis.is_none() {
            let error = Error::input(format!("{what} is one of the axes \"x\", \"y\", \"z\""));
            self.error(error.at(item.span.clone()));
        }
        axis
    }

    pub(super) fn missing<T>(&mut self, e: &Entry, what: &str, hint: &str) -> Option<T> {
        self.error(Error::input(format!("`{}` has no {what}", e.key)).at(e.key_span.clone()).hint(hint));
        None
    }

    fn frame<'a>(&mut self, name: Name, e: &'a Entry) -> Option<FrameSpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let turns = match item("turn") {
            Some(turn) => self.turns(turn)?,
            None => Vec::new(),
        };
        if let (Some(turn), Some(_)) = (e.item.value.get("turn"), e.item.value.get("quaternion")) {
            self.error(
                Error::input(format!("frame `{}` has both `turn` and `quaternion`", name.text))
                    .at(turn.key_span.clone())
                    .hint("keep one of them, or make two frames of it"),
            );
        }
        let parent = self.named(e, "in", "the frame it stands in");
        let on = self.named(e, "on", "the surface it stands on");
        self.in_or_on(&e.item);
        Some(FrameSpec { name, parent, on, at: item("at"), turns, quaternion: item("quaternion") })
    }

    fn turns<'a>(&mut self, item: &'a Item) -> Option<Vec<TurnSpec<'a>>> {
        match &item.value {
            Value::Table(_) => Some(vec![self.turn(item)?]),
            Value::Array(list) => {
                let turns: Vec<Option<TurnSpec>> = list.iter().map(|t| self.turn(t)).collect();
                turns.into_iter().collect()
            }
            other => {
                let message = format!("a turn is a table or a list of tables, not {}", other.kind());
                self.error(Error::input(message).at(item.span.clone()).hint(TURN_HINT));
                None
            }
        }
    }

    fn turn<'a>(&mut self, item: &'a Item) -> Option<TurnSpec<'a>> {
        let Value::Table(list) = &item.value else {
            let message = format!("a turn is a table, not {}", item.value.kind());
            self.error(Error::input(message).at(item.span.clone()).hint(TURN_HINT));
            return None;
        };
        self.known("a turn", item, &["x", "y", "z", "axis", "angle"]);
        let axes: Vec<&Entry> = list.iter().filter(|e| matches!(e.key.as_str(), "x" | "y" | "z" | "axis")).collect();
        let [one] = axes[..] else {
            let message = match axes.len() {
                0 => "a turn without an axis",
                _ => "a turn about more than one axis",
            };
            self.error(Error::input(message).at(item.span.clone()).hint(TURN_HINT));
            return None;
        };
        let angle = list.iter().find(|e| e.key == "angle");
        match (["x", "y", "z"].iter().position(|a| *a == one.key), angle) {
            (Some(axis), None) => Some(TurnSpec { axis: AxisSpec::Coordinate(axis), angle: &one.item }),
            (None, Some(angle)) => Some(TurnSpec { axis: AxisSpec::Any(&one.item), angle: &angle.item }),
            (Some(_), Some(angle)) => {
                let error = Error::input("`angle` goes with `axis`; beside x, y, z the angle stands there");
                self.error(error.at(angle.key_span.clone()).hint(TURN_HINT));
                None
            }
            (None, None) => {
                let error = Error::input("a turn about an `axis` needs its `angle`");
                self.error(error.at(item.span.clone()).hint(TURN_HINT));
                None
            }
        }
    }

    /// A place stands in a frame or on a surface.
    fn in_or_on(&mut self, item: &Item) {
        if let (Some(on), Some(_)) = (item.value.get("on"), item.value.get("in")) {
            let error = Error::input("a place stands `in` a frame or `on` a surface, not both");
            self.error(error.at(on.key_span.clone()).hint("a surface has a frame of its own"));
        }
    }

    /// A table with `in` or `on`, and `at`.
    fn place_in<'a>(&mut self, item: &'a Item) -> Option<PlaceSpec<'a>> {
        self.in_or_on(item);
        let (at, span) = (item.value.get("at").map(|x| &x.item), item.span.clone());
        if let Some(on) = item.value.get("on") {
            let surface = self.name(&on.item, "the surface of a place")?;
            return Some(PlaceSpec::On { surface, at, span });
        }
        let frame = item.value.get("in").and_then(|x| self.name(&x.item, "the frame of a place"));
        Some(PlaceSpec::In { frame, at, span })
    }

    /// A place in a value: a name, or a table with `in` and `at`.
    pub(super) fn place<'a>(&mut self, item: &'a Item, what: &str) -> Option<PlaceSpec<'a>> {
        match &item.value {
            Value::String(text) => Some(PlaceSpec::Named(Name { text: text.clone(), span: item.span.clone() })),
            Value::Table(_) => {
                self.known(what, item, &["in", "on", "at"]);
                self.place_in(item)
            }
            other => {
                let message = format!("{what} is a name or `{{ in = FRAME, at = […] }}`, not {}", other.kind());
                self.error(Error::input(message).at(item.span.clone()));
                None
            }
        }
    }

    fn body<'a>(&mut self, name: Name, e: &'a Entry) -> Option<BodySpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let shape = match item("shape") {
            Some(shape) => Some(self.shape(shape)?),
            None => None,
        };
        let frame = self.named(e, "in", "the frame of a body");
        let (mass, center, inertia) = (item("mass"), item("center"), item("inertia"));
        Some(BodySpec { name, frame, mass, center, shape, inertia })
    }

    fn shape<'a>(&mut self, item: &'a Item) -> Option<ShapeSpec<'a>> {
        let kinds: Vec<&str> = ShapeKind::ALL.iter().map(|k| k.name()).collect();
        let Value::Table(list) = &item.value else {
            let message = format!("a shape is a table like `{{ disk = \"r\" }}`, not {}", item.value.kind());
            self.error(Error::input(message).at(item.span.clone()).hint(format!("shapes are {}", kinds.join(", "))));
            return None;
        };
        let keys: Vec<&str> = kinds.iter().copied().chain(["axis", "at"]).collect();
        self.known("a shape", item, &keys);
        let given: Vec<(&Entry, ShapeKind)> =
            list.iter().filter_map(|e| Some((e, ShapeKind::named(&e.key)?))).collect();
        if given.is_empty() && list.iter().any(|e| !keys.contains(&e.key.as_str())) {
            // Probably misspelt, and complained about.
            return None;
        }
        let [(entry, kind)] = given[..] else {
            let message = if given.is_empty() { "a shape without a kind" } else { "a shape of more than one kind" };
            self.error(Error::input(message).at(item.span.clone()).hint(format!("one of {}", kinds.join(", "))));
            return None;
        };
        let sizes: Vec<&Item> = match &entry.item.value {
            Value::Array(list) => list.iter().collect(),
            _ => vec![&entry.item],
        };
        if sizes.len() != kind.sizes() {
            let message = format!("the size of a {} is {}, not {}", kind.name(), counted(kind.sizes()), sizes.len());
            self.error(Error::input(message).at(entry.item.span.clone()).hint(kind.hint()));
            return None;
        }
        let axis = match item.value.get("axis") {
            Some(axis) => self.axis(&axis.item, "the axis of a shape")?,
            None => 2,
        };
        let at = item.value.get("at").map(|x| &x.item);
        Some(ShapeSpec { kind, sizes, axis, at })
    }

    fn gravity<'a>(&mut self, e: &'a Entry) -> Option<(&'a Item, Option<&'a Item>)> {
        let Value::Table(_) = &e.item.value else {
            let message = format!("`gravity` is a section, not {}", e.item.value.kind());
            self.error(Error::input(message).at(e.item.span.clone()).hint("write `[gravity]` and `g = \"g\"`"));
            return None;
        };
        self.known("[gravity]", &e.item, &["g", "up"]);
        let Some(g) = e.item.value.get("g") else {
            return self.missing(e, "`g`", "write `g = \"g\"` or `g = 9.81`");
        };
        Some((&g.item, e.item.value.get("up").map(|x| &x.item)))
    }

    fn spring<'a>(&mut self, name: Name, e: &'a Entry) -> Option<SpringSpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let ends = match (item("from"), item("to"), item("angle")) {
            (Some(from), Some(to), None) => {
                let (from, to) = (self.place(from, "the end of a spring"), self.place(to, "the end of a spring"));
                Some([from?, to?])
            }
            (None, None, Some(_)) => None,
            _ => return self.missing(e, "ends", "give `from` and `to`, or for a torsion spring `angle`"),
        };
        if item("stiffness").is_none() && item("damping").is_none() {
            return self.missing(e, "stiffness", "write `stiffness = \"k\"`, or `damping` for a damper");
        }
        let (stiffness, length, damping) = (item("stiffness"), item("length"), item("damping"));
        Some(SpringSpec { name, ends, angle: item("angle"), stiffness, length, damping })
    }

    fn load<'a>(&mut self, _: Name, e: &'a Entry) -> Option<LoadSpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        if item("force").is_none() && item("torque").is_none() {
            return self.missing(e, "`force` or `torque`", "write `force = [0, \"F\", 0]` or `torque = [0, 0, \"M\"]`");
        }
        if let (Some(against), None) = (e.item.value.get("against"), item("torque")) {
            let error = Error::input("`against` goes with a torque").at(against.key_span.clone());
            self.error(error.hint("a force has no reaction of its own: give the other body its load"));
        }
        let along = self.named(e, "along", "the frame whose axes are meant");
        let against = self.named(e, "against", "what a torque acts against");
        match self.named(e, "on", "what a load acts on") {
            Some(on) => Some(LoadSpec { on, force: item("force"), torque: item("torque"), along, against }),
            None if item("on").is_none() => self.missing(e, "`on`", "say where it acts: a point, frame or body"),
            None => None,
        }
    }

    /// A frame and a point of one name, or a body of another frame that has the name of a point.
    fn clashes(&mut self, specs: &Specs) {
        for surface in &specs.surfaces {
            let name = &surface.name.text;
            if specs.frames.iter().any(|f| f.name.text == *name) || specs.points.iter().any(|p| p.0.text == *name) {
                let error = Error::input(format!("`{name}` is the name of a surface and of a frame or point"));
                self.error(error.at(surface.name.span.clone()).hint("give one of them another name"));
            }
        }
        for (point, _) in &specs.points {
            if specs.frames.iter().any(|f| f.name.text == point.text) {
                let error = Error::input(format!("`{}` is the name of a frame and of a point", point.text));
                self.error(error.at(point.span.clone()).hint("give one of them another name"));
            }
        }
    }
}

const TURN_HINT: &str = "write `{ z = \"psi\" }`, or `{ axis = [a, b, c], angle = \"psi\" }`";

fn counted(n: usize) -> String {
    match n {
        1 => "one expression".to_owned(),
        2 => "two expressions".to_owned(),
        _ => format!("{n} expressions"),
    }
}
