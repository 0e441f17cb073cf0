//! A drawing along a motion: every expression a column of numbers.

use super::super::data::{round, rounded_column};
use super::*;
use noslip::Result;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::BTreeMap;

/// A sampled value. Equal expressions share one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Sampled {
    /// The same at all times.
    Constant(f64),
    /// Index of a column of the scene.
    Column(usize),
    /// Several values.
    List(Vec<Sampled>),
    /// Text.
    Text(String),
}

impl Serialize for Sampled {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Sampled::Constant(value) => serializer.serialize_f64(round(*value, 6)),
            Sampled::Column(index) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("column", index)?;
                map.end()
            }
            Sampled::List(values) => serializer.collect_seq(values),
            Sampled::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// A primitive of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Item {
    /// Its shape.
    pub shape: &'static str,
    /// Its colour.
    pub role: String,
    /// Its label.
    pub label: Option<String>,
    /// Its fields.
    pub fields: BTreeMap<&'static str, Sampled>,
}

/// How to look at a scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneView {
    /// 2 or 3.
    pub dimension: u8,
    /// Degrees.
    pub azimuth: f64,
    /// Degrees.
    pub elevation: f64,
    /// What the camera follows.
    pub follow: Option<Sampled>,
    /// Half the width of what is seen.
    pub extent: Option<f64>,
    /// Names of the axes, where they are not those of space.
    pub axes: Vec<String>,
    /// Words under the animation.
    pub caption: Option<String>,
}

/// A drawing in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// How to look at it.
    pub view: SceneView,
    /// One list of numbers per varying expression, one number per sample.
    #[serde(serialize_with = "columns")]
    pub columns: Vec<Vec<f64>>,
    /// What to draw.
    pub items: Vec<Item>,
}

fn columns<S: Serializer>(columns: &[Vec<f64>], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    struct Column<'a>(&'a [f64]);
    impl Serialize for Column<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            // One number stands for a constant.
            let constant = self.0.iter().all(|x| x.to_bits() == self.0[0].to_bits());
            rounded_column(if constant { &self.0[..self.0.len().min(1)] } else { self.0 }, serializer)
        }
    }
    serializer.collect_seq(columns.iter().map(|c| Column(c)))
}

impl Drawing {
    /// Every expression of the drawing once, in order of first use: for those who like to compile them all together.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut seen = std::collections::BTreeSet::new();
        let mut all = Vec::new();
        let fields = self.primitives.iter().flat_map(|p| p.fields.iter().map(|(_, v)| v));
        for value in fields.chain(self.view.follow.iter()) {
            let mut pending = vec![value];
            while let Some(value) = pending.pop() {
                match value {
                    Value::List(parts) => pending.extend(parts.iter().rev()),
                    Value::Number(e) if seen.insert(e.text.as_str()) => all.push(e),
                    _ => {}
                }
            }
        }
        all
    }

    /// The drawing in numbers: `evaluate` gives the values of an expression, one per sample (or one for all).
    ///
    /// What `evaluate` refuses is passed on with the primitive and the field named and the place moved into the file.
    pub fn sample(&self, evaluate: &mut dyn FnMut(&str) -> Result<Vec<f64>>) -> Result<Scene> {
        let mut sampler = Sampler { evaluate, columns: Vec::new(), known: BTreeMap::new() };
        let mut items = Vec::new();
        for primitive in &self.primitives {
            let mut fields = BTreeMap::new();
            for (name, value) in &primitive.fields {
                let what = format!("{}: field `{name}`", primitive.title);
                fields.insert(*name, sampler.value(value, &what)?);
            }
            let (shape, role, label) = (primitive.shape.name, primitive.role.clone(), primitive.label.clone());
            items.push(Item { shape, role, label, fields });
        }
        let view = &self.view;
        let follow = match &view.follow {
            Some(value) => Some(sampler.value(value, "view: field `follow`")?),
            None => None,
        };
        let view = SceneView {
            dimension: view.dimension,
            azimuth: view.azimuth,
            elevation: view.elevation,
            follow,
            extent: view.extent,
            axes: view.axes.clone(),
            caption: view.caption.clone(),
        };
        Ok(Scene { view, columns: sampler.columns, items })
    }
}

struct Sampler<'a> {
    evaluate: &'a mut dyn FnMut(&str) -> Result<Vec<f64>>,
    columns: Vec<Vec<f64>>,
    known: BTreeMap<String, Sampled>,
}

impl Sampler<'_> {
    fn value(&mut self, value: &Value, what: &str) -> Result<Sampled> {
        Ok(match value {
            Value::Number(expression) => self.expression(expression, what)?,
            Value::List(parts) => {
                Sampled::List(parts.iter().map(|part| self.value(part, what)).collect::<Result<_>>()?)
            }
            Value::Text(text) => Sampled::Text(text.clone()),
            Value::Count(count) => Sampled::Constant(f64::from(*count)),
        })
    }

    fn expression(&mut self, expression: &Expression, what: &str) -> Result<Sampled> {
        if let Some(known) = self.known.get(&expression.text) {
            return Ok(known.clone());
        }
        let values = (self.evaluate)(&expression.text).map_err(|mut error| {
            error.message = format!("{what}: {}", error.message);
            // A place inside the expression becomes a place in the file; without one, the whole expression.
            match (&expression.span, error.span.is_some()) {
                (Some(file), true) => error.shifted(file.start),
                (Some(file), false) => error.at(file.clone()),
                (None, _) => error,
            }
        })?;
        // What is no number may be constant here and change with a parameter.
        let sampled = match (is_number(&expression.text), values.first()) {
            (true, Some(&first)) if first.is_finite() => Sampled::Constant(first),
            _ => {
                self.columns.push(values);
                Sampled::Column(self.columns.len() - 1)
            }
        };
        self.known.insert(expression.text.clone(), sampled.clone());
        Ok(sampled)
    }
}
