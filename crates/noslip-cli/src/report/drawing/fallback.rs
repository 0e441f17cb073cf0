//! The drawing of a model that does not say how it looks.

use super::*;

/// Pairs of names under which plane positions go.
const PLANE: &[(&str, &str)] =
    &[("x", "y"), ("xi", "eta"), ("X", "Y"), ("xi_C", "eta_C"), ("x_C", "y_C"), ("x_P", "y_P"), ("x_A", "y_A")];

/// Names under which a heading goes, the likeliest first.
const HEADING: &[&str] = &["phi", "varphi", "theta", "psi", "alpha", "beta", "vartheta"];

impl Drawing {
    /// A drawing from the names of the coordinates alone: a body with its heading and its track where they speak of
    /// a position in the plane or in space, otherwise a point that moves through the space of the coordinates. `turning` are those on
    /// which the constraints depend: a heading does something there, the angle of a rolling wheel does not.
    pub fn default_for(coordinates: &[&str], turning: &[&str]) -> Drawing {
        let has = |name: &str| coordinates.contains(&name);
        if let Some(&(x, y)) = PLANE.iter().find(|(x, y)| has(x) && has(y)) {
            return if x == "x" && has("z") { space() } else { plane(x, y, coordinates, turning) };
        }
        let numbered = numbered_points(coordinates);
        if !numbered.is_empty() {
            return several(&numbered);
        }
        abstract_space(coordinates)
    }
}

fn plane(x: &str, y: &str, coordinates: &[&str], turning: &[&str]) -> Drawing {
    let likeliest = |among: &[&str]| HEADING.iter().find(|name| among.contains(name));
    let heading = likeliest(turning).or_else(|| likeliest(coordinates));
    let mut body = vec![("at", vector(&[x, y]))];
    if let Some(heading) = heading {
        body.push(("heading", number(heading)));
    }
    let mut primitives = vec![primitive("trail", vec![("of", vector(&[x, y]))])];
    for (a, b) in numbered_points(coordinates) {
        primitives.push(primitive("trail", vec![("of", vector(&[&a, &b]))]));
        primitives.push(primitive("point", vec![("at", vector(&[&a, &b]))]));
    }
    primitives.push(Primitive { role: "body".to_owned(), ..primitive("point", body) });
    let caption = match heading {
        Some(heading) => format!("The point ({x}, {y}) with the heading {heading}."),
        None => format!("The point ({x}, {y})."),
    };
    Drawing { view: View { caption: Some(caption), ..View::default() }, primitives }
}

fn space() -> Drawing {
    let position = ["x", "y", "z"];
    let primitives = vec![
        primitive("plane", vec![]),
        primitive("trail", vec![("of", vector(&position))]),
        Primitive { role: "body".to_owned(), ..primitive("point", vec![("at", vector(&position))]) },
    ];
    let caption = Some("The point (x, y, z).".to_owned());
    Drawing { view: View { dimension: 3, caption, ..View::default() }, primitives }
}

/// (x1, y1), (x2, y2), … or (x_1, y_1), ….
fn numbered_points(coordinates: &[&str]) -> Vec<(String, String)> {
    let pairs = coordinates.iter().filter_map(|name| {
        let number = name.strip_prefix('x')?;
        let digits = number.strip_prefix('_').unwrap_or(number);
        let partner = format!("y{number}");
        let numbered = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (numbered && coordinates.contains(&partner.as_str())).then(|| (name.to_string(), partner))
    });
    pairs.collect()
}

fn several(points: &[(String, String)]) -> Drawing {
    let mut primitives: Vec<Primitive> =
        points.iter().map(|(x, y)| primitive("trail", vec![("of", vector(&[x, y]))])).collect();
    for pair in points.windows(2) {
        let ends = [("from", &pair[0]), ("to", &pair[1])].map(|(name, (x, y))| (name, vector(&[x, y])));
        primitives.push(primitive("segment", ends.to_vec()));
    }
    for (x, y) in points {
        let at = vec![("at", vector(&[x, y]))];
        primitives.push(Primitive { role: "body".to_owned(), ..primitive("point", at) });
    }
    let names: Vec<String> = points.iter().map(|(x, y)| format!("({x}, {y})")).collect();
    let caption = Some(format!("The points {}.", names.join(", ")));
    Drawing { view: View { caption, ..View::default() }, primitives }
}

fn abstract_space(coordinates: &[&str]) -> Drawing {
    let velocity;
    let axes: Vec<&str> = match coordinates {
        [] => vec!["t", "0"],
        [only] => {
            velocity = format!("{only}'");
            vec![only, &velocity]
        }
        [a, b] => vec![a, b],
        [a, b, c, ..] => vec![a, b, c],
    };
    let mut primitives = vec![primitive("trail", vec![("of", vector(&axes))])];
    primitives.push(Primitive { role: "body".to_owned(), ..primitive("point", vec![("at", vector(&axes))]) });
    let caption = match coordinates.len() {
        0 | 1 => format!("The phase plane ({}).", axes.join(", ")),
        2 | 3 => format!("The configuration ({}).", axes.join(", ")),
        _ => format!("The configuration, of which ({}) are shown.", axes.join(", ")),
    };
    let view = View {
        dimension: if axes.len() == 3 { 3 } else { 2 },
        axes: axes.iter().map(|a| a.to_string()).collect(),
        caption: Some(caption),
        ..View::default()
    };
    Drawing { view, primitives }
}

fn number(text: &str) -> Value {
    Value::Number(Expression { text: text.to_owned(), span: None })
}

fn vector(parts: &[&str]) -> Value {
    Value::List(parts.iter().map(|p| number(p)).collect())
}

/// A primitive of a shape of the table; shapes are looked up by names that stand in this file.
fn primitive(name: &str, fields: Vec<(&'static str, Value)>) -> Primitive {
    let shape = SHAPES.iter().find(|s| s.name == name).unwrap_or(&SHAPES[0]);
    let title = format!("default drawing ({})", shape.name);
    Primitive { title, shape, role: shape.role.to_owned(), label: None, fields }
}
