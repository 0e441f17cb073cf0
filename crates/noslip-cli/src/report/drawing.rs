//! What the animation shows: primitives whose numbers are expressions of the model.
//!
//! A model file says it in `[[drawing]]` sections and one optional `[view]`; [`Drawing::parse`] reads them,
//! [`Drawing::sample`] turns every expression into numbers along a motion. A model that says nothing gets
//! [`Drawing::default_for`] its coordinates. One table, [`SHAPES`], says which shapes there are and which fields they
//! have; parser, sampler and the reference page follow it.

mod fallback;
pub(super) mod parse;
mod scene;

use noslip::Span;
pub use scene::{Item, Sampled, Scene, SceneView};

/// What a field of a shape holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One expression.
    Number,
    /// Two or three expressions.
    Vector,
    /// A list of vectors.
    Points,
    /// Exactly this many expressions.
    List(usize),
    /// A list of this many lists of this many expressions.
    Square(usize),
    /// Plain text.
    Text,
    /// A whole number from 0 to 200.
    Count,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A field of a shape.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in the model file.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Must be given.
    pub required: bool,
}

/// A shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeSpec {
    /// Its name in the model file.
    pub name: &'static str,
    /// The colour it gets when the model names none.
    pub role: &'static str,
    /// Its own fields.
    pub fields: &'static [Field],
    /// It can be turned: the fields [`ORIENTATION`] are allowed too.
    pub oriented: bool,
    /// It is a solid, which makes the view three-dimensional unless the model says otherwise.
    pub solid: bool,
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: true }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field { name, kind, required: false }
}

const fn flat(name: &'static str, role: &'static str, fields: &'static [Field], oriented: bool) -> ShapeSpec {
    ShapeSpec { name, role, fields, oriented, solid: false }
}

const fn solid(name: &'static str, role: &'static str, fields: &'static [Field]) -> ShapeSpec {
    ShapeSpec { name, role, fields, oriented: true, solid: true }
}

use Kind::{Choice, Count, List, Number, Points, Square, Text, Vector};

/// Every shape.
pub const SHAPES: &[ShapeSpec] = &[
    flat("point", "mark", &[required("at", Vector), optional("heading", Number), optional("size", Count)], false),
    flat("segment", "frame", &[required("from", Vector), required("to", Vector), optional("width", Count)], false),
    flat(
        "polyline",
        "frame",
        &[required("points", Points), optional("center", Vector), optional("width", Count)],
        true,
    ),
    flat("polygon", "body", &[required("points", Points), optional("center", Vector)], true),
    flat("circle", "frame", &[required("center", Vector), required("radius", Number), optional("width", Count)], true),
    flat(
        "disk",
        "body",
        &[
            required("center", Vector),
            required("radius", Number),
            optional("thickness", Number),
            optional("spokes", Count),
        ],
        true,
    ),
    solid("sphere", "body", &[required("center", Vector), required("radius", Number)]),
    solid("ellipsoid", "body", &[required("center", Vector), required("axes", List(3))]),
    flat("box", "body", &[required("center", Vector), required("size", Vector)], true),
    flat(
        "spring",
        "frame",
        &[required("from", Vector), required("to", Vector), optional("coils", Count), optional("radius", Number)],
        false,
    ),
    flat("trail", "path", &[required("of", Vector), optional("duration", Number)], false),
    flat("arrow", "velocity", &[required("at", Vector), required("vector", Vector), optional("scale", Number)], false),
    ShapeSpec {
        name: "plane",
        role: "ground",
        fields: &[optional("through", Vector), optional("normal", List(3)), optional("spacing", Number)],
        oriented: false,
        solid: true,
    },
    flat("text", "ink", &[required("at", Vector), required("text", Text)], false),
];

/// How a shape is turned; at most one of `angle`, `euler`, `normal`, `quaternion`, `matrix`.
pub const ORIENTATION: &[Field] = &[
    optional("angle", Number),
    optional("euler", List(3)),
    optional("order", Text),
    optional("normal", List(3)),
    optional("spin", Number),
    optional("quaternion", List(4)),
    optional("matrix", Square(3)),
];

/// Fields of every shape.
pub const COMMON: &[Field] = &[optional("name", Text), optional("label", Text), optional("role", Choice(ROLES))];

/// Colours by what a thing is.
pub const ROLES: &[&str] =
    &["body", "wheel", "frame", "mark", "path", "velocity", "force", "ground", "muted", "accent", "ink"];

/// An expression as written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// Its text.
    pub text: String,
    /// Where the text stands in the model file, if it does.
    pub span: Option<Span>,
}

/// Is an expression a number as it stands, and not a name?
pub fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) && text.parse::<f64>().is_ok()
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// One expression.
    Number(Expression),
    /// Several values.
    List(Vec<Value>),
    /// A word or plain text.
    Text(String),
    /// A whole number.
    Count(u32),
}

/// Something to draw.
#[derive(Clone, Debug)]
pub struct Primitive {
    /// What it is called in messages: `drawing 2 (disk)`.
    pub title: String,
    /// The shape.
    pub shape: &'static ShapeSpec,
    /// Colour, one of [`ROLES`].
    pub role: String,
    /// A label beside it.
    pub label: Option<String>,
    /// Fields that were given, in the order of the shape's table.
    pub fields: Vec<(&'static str, Value)>,
}

impl Primitive {
    /// Forgets the places of its expressions: they stand in no file.
    fn nowhere(&mut self) {
        let mut open: Vec<&mut Value> = self.fields.iter_mut().map(|(_, value)| value).collect();
        while let Some(value) = open.pop() {
            match value {
                Value::Number(e) => e.span = None,
                Value::List(list) => open.extend(list),
                Value::Text(_) | Value::Count(_) => {}
            }
        }
    }
}

/// How to look at it.
#[derive(Clone, Debug)]
pub struct View {
    /// 2: from above, x to the right and y up; 3: perspective.
    pub dimension: u8,
    /// Where the camera stands, degrees from the x-axis.
    pub azimuth: f64,
    /// How high the camera stands, degrees.
    pub elevation: f64,
    /// What the camera follows; the middle of everything when absent.
    pub follow: Option<Value>,
    /// Half the width of what is seen; everything when absent.
    pub extent: Option<f64>,
    /// The time of a still picture.
    pub moment: Option<f64>,
    /// Names of the axes, where they are not x, y, z of space.
    pub axes: Vec<String>,
    /// Words under the animation.
    pub caption: Option<String>,
}

impl Default for View {
    fn default() -> View {
        View {
            dimension: 2,
            azimuth: -60.0,
            elevation: 24.0,
            follow: None,
            extent: None,
            moment: None,
            axes: vec![],
            caption: None,
        }
    }
}

/// A drawing: primitives in the order of the file, and the view.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// How to look at it.
    pub view: View,
    /// What to draw.
    pub primitives: Vec<Primitive>,
}

#[cfg(test)]
mod tests;
