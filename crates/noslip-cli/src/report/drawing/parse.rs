//! Reads `[[drawing]]` and `[view]` of a model file.

use super::*;
use noslip::{Error, Result};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Toml<'a> = Spanned<DeValue<'a>>;

/// More primitives than anybody draws by hand; a page must stay a page.
const MOST_PRIMITIVES: usize = 500;

impl Drawing {
    /// The drawing that a model file describes; `None` if it has no `[[drawing]]`. Other tables are not looked at.
    pub fn parse(model_file: &str) -> Result<Option<Drawing>> {
        let document = document(model_file)?;
        let document = document.get_ref();
        let Some(drawing) = document.get("drawing") else {
            let for_bodies = noslip::model::OF_BODIES.iter().any(|section| document.contains_key(*section));
            return match document.get("view") {
                Some(_) if for_bodies => Ok(None),
                Some(view) => Err(Error::input("[view] without any [[drawing]]")
                    .at(view.span())
                    .hint("add a [[drawing]] section, or leave [view] out for the default drawing")),
                None => Ok(None),
            };
        };
        let list = drawing.get_ref().as_array().and_then(|list| {
            list.iter().map(|entry| Some((entry, entry.get_ref().as_table()?))).collect::<Option<Vec<_>>>()
        });
        let Some(list) = list else {
            return Err(Error::input("drawing must be a list of sections")
                .at(drawing.span())
                .hint("write [[drawing]] with two brackets, once for each primitive"));
        };
        if list.len() > MOST_PRIMITIVES {
            let message = format!("{} primitives; the most is {MOST_PRIMITIVES}", list.len());
            return Err(Error::limit(message).at(drawing.span()));
        }
        let file = File(model_file);
        let mut primitives = Vec::new();
        for (index, (entry, table)) in list.into_iter().enumerate() {
            primitives.push(file.primitive(index + 1, entry, table)?);
        }
        let spatial = primitives.iter().any(|p| p.shape.solid || p.fields.iter().any(|(n, v)| is_spatial(n, v)));
        let mut view = View { dimension: if spatial { 3 } else { 2 }, ..View::default() };
        if let Some(table) = document.get("view") {
            file.view(table, &mut view)?;
        }
        Ok(Some(Drawing { view, primitives }))
    }

    /// A drawing that was written for the author, with what the author's file adds to it: other primitives, and the view.
    pub fn beside(written: &str, model_file: &str, own: Option<Drawing>) -> Result<Option<Drawing>> {
        let Some(mut drawing) = Drawing::parse(written)? else { return Ok(own) };
        for primitive in &mut drawing.primitives {
            primitive.nowhere();
        }
        let spatial = drawing.view.dimension;
        if let Some(own) = own {
            let dimension = own.view.dimension.max(spatial);
            drawing.primitives.extend(own.primitives);
            drawing.view = View { dimension, ..own.view };
        }
        if let Some(table) = document(model_file)?.get_ref().get("view") {
            File(model_file).view(table, &mut drawing.view)?;
        }
        Ok(Some(drawing))
    }
}

/// The tables of a model file, with their places.
pub(in crate::report) fn document(model_file: &str) -> Result<Spanned<DeTable<'_>>> {
    DeTable::parse(model_file).map_err(|e| {
        let error = Error::input(e.message().to_owned());
        e.span().map_or(error.clone(), |span| error.at(span))
    })
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

/// The text of a model file: values know their place in it.
pub(in crate::report) struct File<'a>(pub(in crate::report) &'a str);

impl File<'_> {
    fn primitive(&self, number: usize, entry: &Toml, table: &DeTable) -> Result<Primitive> {
        let Some(shape) = table.get("shape") else {
            return Err(Error::input(format!("drawing {number} has no shape"))
                .at(entry.span())
                .hint(format!("write `shape`, one of {}", names(SHAPES.iter().map(|s| s.name)))));
        };
        let name = self.text(shape, &format!("drawing {number}: shape"))?;
        let Some(spec) = SHAPES.iter().find(|s| s.name == name) else {
            return Err(Error::input(format!("drawing {number}: unknown shape `{name}`"))
                .at(shape.span())
                .hint(format!("one of {}", names(SHAPES.iter().map(|s| s.name)))));
        };
        let title = match table.get("name") {
            Some(given) => {
                format!("drawing {number} ({name} \"{}\")", self.text(given, &format!("drawing {number}: name"))?)
            }
            None => format!("drawing {number} ({name})"),
        };
        let allowed = || {
            let turn: &[Field] = if spec.oriented { ORIENTATION } else { &[] };
            spec.fields.iter().chain(turn).chain(COMMON)
        };
        for key in table.keys() {
            let known = key.get_ref() == "shape" || allowed().any(|f| f.name == key.get_ref());
            if !known {
                return Err(Error::input(format!("{title}: unknown field `{}`", key.get_ref()))
                    .at(key.span())
                    .hint(format!("a {name} has {}", names(allowed().map(|f| f.name)))));
            }
        }
        let (mut role, mut label, mut fields) = (spec.role.to_owned(), None, Vec::new());
        for field in allowed() {
            let what = format!("{title}: field `{}`", field.name);
            match (field.name, table.get(field.name)) {
                (_, None) if field.required => {
                    return Err(Error::input(format!("{title}: field `{}` is missing", field.name)).at(entry.span()));
                }
                (_, None) | ("name", _) => {}
                ("role", Some(value)) => role = self.choice(value, ROLES, &what)?,
                ("label", Some(value)) => label = Some(self.text(value, &what)?),
                (_, Some(value)) => fields.push((field.name, self.value(value, field.kind, &what)?)),
            }
        }
        self.orientation(&title, table, entry)?;
        Ok(Primitive { title, shape: spec, role, label, fields })
    }

    fn orientation(&self, title: &str, table: &DeTable, entry: &Toml) -> Result<()> {
        let ways = ["angle", "euler", "normal", "quaternion", "matrix"];
        let mut given = ways.into_iter().filter(|w| table.contains_key(*w));
        if let (Some(one), Some(other)) = (given.next(), given.next()) {
            return Err(Error::input(format!("{title}: both `{one}` and `{other}` turn it"))
                .at(entry.span())
                .hint("keep one of them"));
        }
        if let Some(order) = table.get("order") {
            let word = self.text(order, &format!("{title}: field `order`"))?;
            let axes = word.len() == 3 && word.bytes().all(|b| b"xyz".contains(&b));
            if !axes || !table.contains_key("euler") {
                return Err(Error::input(format!("{title}: field `order` must name the three axes of `euler`"))
                    .at(order.span())
                    .hint("for example order = \"zxz\", the default, or \"zyx\""));
            }
        }
        Ok(())
    }

    fn view(&self, entry: &Toml, view: &mut View) -> Result<()> {
        let Some(table) = entry.get_ref().as_table() else {
            return Err(Error::input("view must be a table").at(entry.span()).hint("write [view] with one bracket"));
        };
        for (key, value) in table.iter() {
            let what = format!("view: field `{}`", key.get_ref());
            match key.get_ref().as_ref() {
                "dimension" => {
                    view.dimension = match self.number(value, &what)? {
                        2.0 => 2,
                        3.0 => 3,
                        _ => return Err(Error::input(format!("{what} must be 2 or 3")).at(value.span())),
                    }
                }
                "azimuth" => view.azimuth = self.number(value, &what)?,
                "elevation" => view.elevation = self.number(value, &what)?.clamp(-90.0, 90.0),
                "extent" => {
                    let extent = self.number(value, &what)?;
                    if extent <= 0.0 {
                        return Err(Error::input(format!("{what} must be positive")).at(value.span()));
                    }
                    view.extent = Some(extent);
                }
                "moment" => view.moment = Some(self.number(value, &what)?),
                "follow" => view.follow = Some(self.value(value, Vector, &what)?),
                "caption" => view.caption = Some(self.text(value, &what)?),
                other => {
                    return Err(Error::input(format!("view: unknown field `{other}`"))
                        .at(key.span())
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
                    return Err(Error::input(format!("{what} must be a whole number from 0 to 200")).at(toml.span()));
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
        match toml.get_ref().as_array() {
            Some(list) if length.contains(&list.len()) => {
                Ok(Value::List(list.iter().map(|item| self.value(item, kind, what)).collect::<Result<_>>()?))
            }
            Some(list) => Err(Error::input(format!("{}, not of {}", message(), list.len())).at(toml.span())),
            None => Err(Error::input(message()).at(toml.span()).hint("for example [\"x\", \"y\"]")),
        }
    }

    pub(in crate::report) fn expression(&self, toml: &Toml, what: &str) -> Result<Expression> {
        let span = toml.span();
        let (text, span) = match toml.get_ref() {
            DeValue::String(text) => {
                // Inside the quotes, if what stands there is the text itself (no escapes, one line).
                let inner = span.start + 1..span.end.saturating_sub(1);
                let exact = self.0.get(inner.clone()) == Some(text.as_ref());
                (text.trim().to_owned(), if exact { inner } else { span })
            }
            DeValue::Integer(_) | DeValue::Float(_) => (self.number(toml, what)?.to_string(), span),
            other => {
                let message = format!("{what} must be an expression or a number, not a {}", other.type_str());
                return Err(Error::input(message).at(span));
            }
        };
        if text.is_empty() {
            return Err(Error::input(format!("{what} is empty")).at(span));
        }
        Ok(Expression { text, span: Some(span) })
    }

    pub(in crate::report) fn number(&self, toml: &Toml, what: &str) -> Result<f64> {
        let number = match toml.get_ref() {
            DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).ok().map(|i| i as f64),
            DeValue::Float(f) => f.as_str().parse().ok(),
            _ => None,
        };
        number
            .filter(|n: &f64| n.is_finite())
            .ok_or_else(|| Error::input(format!("{what} must be a number")).at(toml.span()))
    }

    pub(in crate::report) fn text(&self, toml: &Toml, what: &str) -> Result<String> {
        match toml.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(Error::input(format!("{what} must be text in quotes")).at(toml.span())),
        }
    }

    fn choice(&self, toml: &Toml, words: &[&'static str], what: &str) -> Result<String> {
        let word = self.text(toml, what)?;
        if words.contains(&word.as_str()) {
            return Ok(word);
        }
        Err(Error::input(format!("{what} cannot be `{word}`"))
            .at(toml.span())
            .hint(format!("one of {}", names(words.iter().copied()))))
    }
}

fn names(all: impl Iterator<Item = &'static str>) -> String {
    all.collect::<Vec<_>>().join(", ")
}
