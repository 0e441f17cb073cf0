//! Reads `[[drawing]]` and `[view]` of a model file.

use super::*;
use noslip::model::{Entry, Item as Toml, Value as Written, sections};
use noslip::{Error, Limits, Result};

/// More primitives than anybody draws by hand; a page must stay a page.
const MOST_PRIMITIVES: usize = 500;

impl Drawing {
    /// The drawing that a model file describes; `None` if it has no `[[drawing]]`. Other sections are not looked at.
    pub fn parse(model_file: &str) -> Result<Option<Drawing>> {
        Drawing::read(&document(model_file)?, model_file).map_err(first)
    }

    /// The same from the sections of a file that has been read; the first mistake of every primitive.
    pub fn read(file: &[Entry], text: &str) -> std::result::Result<Option<Drawing>, Vec<Error>> {
        let section = |name: &str| file.iter().find(|e| e.key == name).map(|e| &e.item);
        let Some(drawing) = section("drawing") else {
            return match section("view") {
                Some(view) => {
                    let error = Error::input("[view] without any [[drawing]]").at(view.span.clone());
                    Err(vec![error.hint("add a [[drawing]] section, or leave [view] out for the default drawing")])
                }
                None => Ok(None),
            };
        };
        let Some(list) = tables(drawing) else {
            let error = Error::input("drawing must be a list of sections").at(drawing.span.clone());
            return Err(vec![error.hint("write [[drawing]] with two brackets, once for each primitive")]);
        };
        if list.len() > MOST_PRIMITIVES {
            let message = format!("{} primitives; the most is {MOST_PRIMITIVES}", list.len());
            return Err(vec![Error::limit(message).at(drawing.span.clone())]);
        }
        let reader = Reader { text };
        let primitives = all_or_errors(list.iter().enumerate().map(|(i, entry)| reader.primitive(i + 1, entry)))?;
        let spatial = primitives.iter().any(|p| p.shape.solid || p.fields.iter().any(|(n, v)| is_spatial(n, v)));
        let mut view = View { dimension: if spatial { 3 } else { 2 }, ..View::default() };
        if let Some(table) = section("view") {
            reader.view(table, &mut view).map_err(|e| vec![e])?;
        }
        Ok(Some(Drawing { view, primitives }))
    }

    /// A drawing that was written for the author, with what the author's file adds to it: other primitives, and the view.
    pub fn beside(written: &str, file: &[Entry], text: &str) -> std::result::Result<Option<Drawing>, Vec<Error>> {
        let Some(mut drawing) = Drawing::parse(written).map_err(|e| vec![e])? else { return Drawing::read(file, text) };
        let section = |name: &str| file.iter().find(|e| e.key == name).map(|e| &e.item);
        let own = if section("drawing").is_some() { Drawing::read(file, text)? } else { None };
        for primitive in &mut drawing.primitives {
            primitive.nowhere();
        }
        let spatial = drawing.view.dimension;
        if let Some(own) = own {
            let dimension = own.view.dimension.max(spatial);
            drawing.primitives.extend(own.primitives);
            drawing.view = View { dimension, ..own.view };
        }
        if let Some(table) = section("view") {
            Reader { text }.view(table, &mut drawing.view).map_err(|e| vec![e])?;
        }
        Ok(Some(drawing))
    }
}

/// The sections of a model file on its own.
pub(in crate::report) fn document(model_file: &str) -> Result<Vec<Entry>> {
    sections(model_file, &Limits::default()).map_err(first)
}

/// The first of several mistakes.
pub(in crate::report) fn first(mut errors: Vec<Error>) -> Error {
    errors.swap_remove(0)
}

/// All values, or what is wrong with each that is wrong.
pub(in crate::report) fn all_or_errors<T>(
    list: impl Iterator<Item = Result<T>>,
) -> std::result::Result<Vec<T>, Vec<Error>> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for item in list {
        match item {
            Ok(value) => values.push(value),
            Err(e) => errors.push(e),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

/// A list of sections.
pub(in crate::report) fn tables(item: &Toml) -> Option<&[Toml]> {
    item.value.as_array().filter(|list| list.iter().all(|entry| entry.value.as_table().is_some()))
}

/// Three components, or a turn out of the plane.
fn is_spatial(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("euler" | "normal" | "quaternion" | "matrix" | "thickness", _) => true,
        (_, Value::List(parts)) => match parts.first() {
            Some(Value::List(_)) => parts.iter().any(|p| is_spatial(name, p)),
            _ => parts.len() == 3,
        },
        _ => false,
    }
}

/// Reads values, which know their place in the text of the file.
pub(in crate::report) struct Reader<'a> {
    pub(in crate::report) text: &'a str,
}

impl Reader<'_> {
    fn primitive(&self, number: usize, entry: &Toml) -> Result<Primitive> {
        let get = |name: &str| entry.value.get(name).map(|e| &e.item);
        let Some(shape) = get("shape") else {
            return Err(Error::input(format!("drawing {number} has no shape"))
                .at(entry.span.clone())
                .hint(format!("write `shape`, one of {}", names(SHAPES.iter().map(|s| s.name)))));
        };
        let name = self.text(shape, &format!("drawing {number}: shape"))?;
        let Some(spec) = SHAPES.iter().find(|s| s.name == name) else {
            return Err(Error::input(format!("drawing {number}: unknown shape `{name}`"))
                .at(shape.span.clone())
                .hint(format!("one of {}", names(SHAPES.iter().map(|s| s.name)))));
        };
        let title = match get("name") {
            Some(given) => {
                format!("drawing {number} ({name} \"{}\")", self.text(given, &format!("drawing {number}: name"))?)
            }
            None => format!("drawing {number} ({name})"),
        };
        let allowed = || {
            let turn: &[Field] = if spec.oriented { ORIENTATION } else { &[] };
            spec.fields.iter().chain(turn).chain(COMMON)
        };
        for Entry { key, key_span, .. } in entry.value.as_table().into_iter().flatten() {
            if key != "shape" && allowed().all(|f| f.name != key) {
                return Err(Error::input(format!("{title}: unknown field `{key}`"))
                    .at(key_span.clone())
                    .hint(format!("a {name} has {}", names(allowed().map(|f| f.name)))));
            }
        }
        let (mut role, mut label, mut fields) = (spec.role.to_owned(), None, Vec::new());
        for field in allowed() {
            let what = format!("{title}: field `{}`", field.name);
            match (field.name, get(field.name)) {
                (_, None) if field.required => {
                    return Err(
                        Error::input(format!("{title}: field `{}` is missing", field.name)).at(entry.span.clone())
                    );
                }
                (_, None) | ("name", _) => {}
                ("role", Some(value)) => role = self.choice(value, ROLES, &what)?,
                ("label", Some(value)) => label = Some(self.text(value, &what)?),
                (_, Some(value)) => fields.push((field.name, self.value(value, field.kind, &what)?)),
            }
        }
        self.orientation(&title, entry)?;
        Ok(Primitive { title, shape: spec, role, label, fields })
    }

    fn orientation(&self, title: &str, entry: &Toml) -> Result<()> {
        let given = |name: &str| entry.value.get(name).map(|e| &e.item);
        let ways = ["angle", "euler", "normal", "quaternion", "matrix"];
        let mut turns = ways.into_iter().filter(|w| given(w).is_some());
        if let (Some(one), Some(other)) = (turns.next(), turns.next()) {
            return Err(Error::input(format!("{title}: both `{one}` and `{other}` turn it"))
                .at(entry.span.clone())
                .hint("keep one of them"));
        }
        if let Some(order) = given("order") {
            let word = self.text(order, &format!("{title}: field `order`"))?;
            let axes = word.len() == 3 && word.bytes().all(|b| b"xyz".contains(&b));
            if !axes || given("euler").is_none() {
                return Err(Error::input(format!("{title}: field `order` must name the three axes of `euler`"))
                    .at(order.span.clone())
                    .hint("for example order = \"zxz\", the default, or \"zyx\""));
            }
        }
        Ok(())
    }

    fn view(&self, entry: &Toml, view: &mut View) -> Result<()> {
        let Some(table) = entry.value.as_table() else {
            let error = Error::input("view must be a table").at(entry.span.clone());
            return Err(error.hint("write [view] with one bracket"));
        };
        for Entry { key, key_span, item: value } in table {
            let what = format!("view: field `{key}`");
            match key.as_str() {
                "dimension" => {
                    view.dimension = match self.number(value, &what)? {
                        2.0 => 2,
                        3.0 => 3,
                        _ => return Err(Error::input(format!("{what} must be 2 or 3")).at(value.span.clone())),
                    }
                }
                "azimuth" => view.azimuth = self.number(value, &what)?,
                "elevation" => view.elevation = self.number(value, &what)?.clamp(-90.0, 90.0),
                "extent" => {
                    let extent = self.number(value, &what)?;
                    if extent <= 0.0 {
                        return Err(Error::input(format!("{what} must be positive")).at(value.span.clone()));
                    }
                    view.extent = Some(extent);
                }
                "moment" => view.moment = Some(self.number(value, &what)?),
                "follow" => view.follow = Some(self.value(value, Vector, &what)?),
                "caption" => view.caption = Some(self.text(value, &what)?),
                other => {
                    return Err(Error::input(format!("view: unknown field `{other}`"))
                        .at(key_span.clone())
                        .hint("a view has dimension, azimuth, elevation, extent, follow, moment, caption"));
                }
            }
        }
        Ok(())
    }

    fn value(&self, toml: &Toml, kind: Kind, what: &str) -> Result<Value> {
        Ok(match kind {
            Number => Value::Number(self.expression(toml, what)?),
            Vector => self.list(toml, Number, 2..=3, what)?,
            List(n) => self.list(toml, Number, n..=n, what)?,
            Points => self.list(toml, Vector, 2..=1000, what)?,
            Square(n) => self.list(toml, List(n), n..=n, what)?,
            Text => Value::Text(self.text(toml, what)?),
            Choice(words) => Value::Text(self.choice(toml, words, what)?),
            Count => {
                let number = self.number(toml, what)?;
                if number.fract() != 0.0 || !(0.0..=200.0).contains(&number) {
                    return Err(
                        Error::input(format!("{what} must be a whole number from 0 to 200")).at(toml.span.clone())
                    );
                }
                Value::Count(number as u32)
            }
        })
    }

    fn list(&self, toml: &Toml, kind: Kind, length: std::ops::RangeInclusive<usize>, what: &str) -> Result<Value> {
        let message = || match (length.start(), length.end()) {
            (a, b) if a == b => format!("{what} must be a list of {a}"),
            (a, 1000) => format!("{what} must be a list of {a} or more"),
            (a, b) => format!("{what} must be a list of {a} or {b}"),
        };
        match toml.value.as_array() {
            Some(list) if length.contains(&list.len()) => {
                Ok(Value::List(list.iter().map(|item| self.value(item, kind, what)).collect::<Result<_>>()?))
            }
            Some(list) => Err(Error::input(format!("{}, not of {}", message(), list.len())).at(toml.span.clone())),
            None => Err(Error::input(message()).at(toml.span.clone()).hint("for example [\"x\", \"y\"]")),
        }
    }

    pub(in crate::report) fn expression(&self, toml: &Toml, what: &str) -> Result<Expression> {
        let span = toml.span.clone();
        let (text, span) = match &toml.value {
            Written::String(text) => {
                // Inside the quotes, if what stands there is the text itself (no escapes, one line).
                let inner = span.start + 1..span.end.saturating_sub(1);
                let exact = self.text.get(inner.clone()) == Some(text.as_str());
                (text.trim().to_owned(), if exact { inner } else { span })
            }
            Written::Number(n) => (n.to_f64().to_string(), span),
            other => {
                let kind = match other {
                    Written::Bool(_) => "boolean",
                    Written::Array(_) => "list",
                    Written::Table(_) => "table",
                    _ => "date",
                };
                let message = format!("{what} must be an expression or a number, not a {kind}");
                return Err(Error::input(message).at(span));
            }
        };
        if text.is_empty() {
            return Err(Error::input(format!("{what} is empty")).at(span));
        }
        Ok(Expression { text, span: Some(span) })
    }

    pub(in crate::report) fn number(&self, toml: &Toml, what: &str) -> Result<f64> {
        match &toml.value {
            Written::Number(n) => Ok(n.to_f64()),
            _ => Err(Error::input(format!("{what} must be a number")).at(toml.span.clone())),
        }
    }

    pub(in crate::report) fn text(&self, toml: &Toml, what: &str) -> Result<String> {
        match &toml.value {
            Written::String(text) => Ok(text.clone()),
            _ => Err(Error::input(format!("{what} must be text in quotes")).at(toml.span.clone())),
        }
    }

    fn choice(&self, toml: &Toml, words: &[&'static str], what: &str) -> Result<String> {
        let word = self.text(toml, what)?;
        if words.contains(&word.as_str()) {
            return Ok(word);
        }
        Err(Error::input(format!("{what} cannot be `{word}`"))
            .at(toml.span.clone())
            .hint(format!("one of {}", names(words.iter().copied()))))
    }
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}
