//! The sections of surfaces and contacts as they stand in the file.

use super::spec::{
    AxisOf, ContactKind, ContactSpec, Name, OnSpec, OnSurface, PlaceSpec, Reader, SurfaceForm, SurfaceSpec, WheelSpec,
};
use crate::error::Error;
use crate::source::{Entry, Item, Value, valid_name};

impl Reader<'_> {
    pub(super) fn surface<'a>(&mut self, name: Name, e: &'a Entry) -> Option<SurfaceSpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let form = match (item("z"), item("parameters"), item("at")) {
            (Some(z), None, None) => SurfaceForm::Graph(z),
            (None, Some(parameters), Some(at)) => SurfaceForm::Parametric { parameters: self.pair(parameters)?, at },
            _ => return self.missing(e, "one form", SURFACE_HINT),
        };
        let frame = self.named(e, "in", "the frame of a surface");
        Some(SurfaceSpec { name, frame, form, over: item("over") })
    }

    /// The names of the two parameters of a surface.
    fn pair(&mut self, item: &Item) -> Option<[Name; 2]> {
        let names: Vec<Name> = match &item.value {
            Value::Array(list) => list.iter().filter_map(|i| self.name(i, "a parameter of a surface")).collect(),
            _ => Vec::new(),
        };
        for name in &names {
            if let Err(error) = valid_name(&name.text) {
                self.error(error.at(name.span.clone()));
                return None;
            }
        }
        match <[Name; 2]>::try_from(names) {
            Ok([a, b]) if a.text != b.text => Some([a, b]),
            _ => {
                let error = Error::input("a surface has two parameters with names of their own");
                self.error(error.at(item.span.clone()).hint(SURFACE_HINT));
                None
            }
        }
    }

    /// A surface and where on it: a name, or a table with `surface` and `at`.
    fn on_surface<'a>(&mut self, item: &'a Item, keys: &[&str]) -> Option<OnSurface<'a>> {
        match &item.value {
            Value::Table(_) => {
                self.known("a place on a surface", item, keys);
                let surface = item.value.get("surface").map(|x| &x.item);
                let Some(surface) = surface else {
                    let error = Error::input("a place on a surface names the `surface`").at(item.span.clone());
                    self.error(error.hint("write `{ surface = \"NAME\", at = [\"u\", \"v\"] }`"));
                    return None;
                };
                let name = self.name(surface, "a surface")?;
                Some(OnSurface { surface: name, at: item.value.get("at").map(|x| &x.item) })
            }
            _ => Some(OnSurface { surface: self.name(item, "a surface")?, at: None }),
        }
    }

    pub(super) fn contact<'a>(&mut self, name: Name, e: &'a Entry) -> Option<ContactSpec<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let friction = item("friction");
        let ways = ["rolls_on", "slides_on", "skates", "wheel", "joins"];
        let given: Vec<&str> = ways.into_iter().filter(|w| item(w).is_some()).collect();
        let [way] = given[..] else {
            let hint = format!("write one of {}", ways.join(", "));
            return match given.len() {
                0 => self.missing(e, "kind", &hint),
                _ => {
                    let message = format!("contact `{}` has both `{}` and `{}`", e.key, given[0], given[1]);
                    self.error(Error::input(message).at(e.key_span.clone()).hint(hint));
                    None
                }
            };
        };
        let what = item(way)?;
        for key in ["along", "across"] {
            let Some(given) = e.item.value.get(key).filter(|_| way != "rolls_on") else { continue };
            let error = Error::input(format!("`{key}` chooses a direction of rolling, and goes with `rolls_on`"));
            let hint = "`skates` and `wheel` name their axis themselves; what slides or is joined has no direction";
            self.error(error.at(given.key_span.clone()).hint(hint));
        }
        if way == "joins" {
            let two = match &what.value {
                Value::Array(list) if list.len() == 2 => Some(list),
                _ => None,
            };
            let Some(list) = two else {
                let error = Error::input("`joins` is a list of two places").at(what.span.clone());
                self.error(error.hint("write `joins = [\"A\", \"B\"]`"));
                return None;
            };
            let (a, b) = (self.place(&list[0], "a place"), self.place(&list[1], "a place"));
            return Some(ContactSpec { name, kind: ContactKind::Joins([a?, b?]), friction });
        }
        let Some(body) = self.named(e, "body", "the body of a contact") else {
            return self.missing(e, "`body`", "say whose material point touches: `body = \"NAME\"`");
        };
        let at = match item("at") {
            Some(at) if matches!(at.value, Value::Array(_)) => {
                Some(PlaceSpec::In { frame: None, at: Some(at), span: at.span.clone() })
            }
            Some(at) => Some(self.place(at, "the point of contact")?),
            None => None,
        };
        let on = self.named(e, "on", "the frame whose plane is meant");
        let kind = match way {
            "skates" => ContactKind::Skates { body, at, axis: self.axis(what, "`skates`")?, on, wheel: None },
            "wheel" => {
                let (axis, wheel) = self.wheel(e, what)?;
                ContactKind::Skates { body, at, axis, on, wheel: Some(wheel) }
            }
            _ => self.touching(e, body, what, at, way == "rolls_on")?,
        };
        Some(ContactSpec { name, kind, friction })
    }

    fn wheel<'a>(&mut self, e: &Entry, what: &'a Item) -> Option<(usize, WheelSpec<'a>)> {
        self.known("a wheel", what, &["along", "turn", "radius", "inertia"]);
        let get = |key: &str| what.value.get(key).map(|x| &x.item);
        let (Some(along), Some(turn), Some(radius)) = (get("along"), get("turn"), get("radius")) else {
            let hint = "write `wheel = { along = \"x\", turn = \"phi\", radius = \"R\" }`";
            return self.missing(e, "whole `wheel`", hint);
        };
        let axis = self.axis(along, "`along` of a wheel")?;
        Some((axis, WheelSpec { turn, radius, inertia: get("inertia") }))
    }

    fn touching<'a>(
        &mut self,
        e: &'a Entry,
        body: Name,
        what: &'a Item,
        at: Option<PlaceSpec<'a>>,
        rolls: bool,
    ) -> Option<ContactKind<'a>> {
        let item = |key: &str| e.item.value.get(key).map(|x| &x.item);
        let mut inside = item("inside");
        let on = match &what.value {
            Value::Table(_) => {
                if what.value.get("surface").is_some() {
                    OnSpec::Surface(self.on_surface(what, &["surface", "at"])?)
                } else {
                    self.known("what it rolls on", what, &["body", "inside", "surface", "at"]);
                    inside = inside.or(what.value.get("inside").map(|x| &x.item));
                    let Some(other) = what.value.get("body") else {
                        let hint = "write `rolls_on = { body = \"B\" }` or `rolls_on = { surface = \"S\" }`";
                        return self.missing(e, "body or surface to roll on", hint);
                    };
                    OnSpec::Body(self.name(&other.item, "the body it rolls on")?)
                }
            }
            _ => OnSpec::Frame(self.name(what, "the frame it rolls on")?),
        };
        let side = match item("side").map(|i| (&i.value, i)) {
            Some((Value::String(s), _)) if s == "z" || s == "n" => Some(true),
            Some((Value::String(s), _)) if s == "-z" || s == "-n" => Some(false),
            Some((_, i)) => {
                let error = Error::input("`side` is \"z\" or \"-z\", for a surface \"n\" or \"-n\"");
                self.error(error.at(i.span.clone()));
                None
            }
            None => None,
        };
        let [normal, along, across] = ["normal", "along", "across"].map(|key| match item(key) {
            Some(given) => self.axis_of(e, key, given).map(Some),
            None => Some(None),
        });
        let (normal, directions) = (normal?, Box::new([along?, across?]));
        let inside = inside.is_some_and(|i| self.truth(i, "inside"));
        let spins = item("spins").is_none_or(|i| self.truth(i, "spins"));
        let with = match item("with") {
            Some(with) => Some(self.on_surface(with, &["surface", "at"])?),
            None => None,
        };
        Some(ContactKind::Touches { body, on, with, at, side, normal, directions, inside, rolls, spins })
    }

    /// An axis of a frame, for the normal or a direction of a contact.
    fn axis_of(&mut self, e: &Entry, key: &str, item: &Item) -> Option<AxisOf> {
        self.known(&format!("`{key}`"), item, &["in", "axis"]);
        let frame = item.value.get("in").and_then(|x| self.name(&x.item, &format!("the frame of `{key}`")));
        let axis = item.value.get("axis").and_then(|x| self.axis(&x.item, &format!("the axis of `{key}`")));
        if item.value.get("in").is_none() || item.value.get("axis").is_none() {
            let hint = format!("write `{key} = {{ in = \"FRAME\", axis = \"x\" }}`");
            return self.missing(e, &format!("whole `{key}`"), &hint);
        }
        Some(AxisOf { frame: frame?, axis: axis?, span: item.span.clone() })
    }

    fn truth(&mut self, item: &Item, key: &str) -> bool {
        if let Value::Bool(b) = item.value {
            return b;
        }
        self.error(Error::input(format!("`{key}` is true or false")).at(item.span.clone()));
        false
    }
}

const SURFACE_HINT: &str =
    "write `z = \"f(x, y)\"`, or `parameters = [\"u\", \"v\"]` and `at`, three expressions of them";
