use super::*;
use noslip::Error;

const DISK: &str = r#"
noslip = 1
[system]
name = "x"

[[drawing]]
shape = "disk"
name = "wheel"
center = ["x - r*sin(phi)", "y", "r"]
radius = 0.5
euler = ["phi", "theta", "psi"]
spokes = 6

[[drawing]]
shape = "trail"
of = ["x", "y"]

[view]
azimuth = 10
follow = ["x", "y", 0]
"#;

fn parse(text: &str) -> Drawing {
    Drawing::parse(text).expect("valid").expect("has a drawing")
}

fn refused(text: &str) -> (String, String) {
    let error = Drawing::parse(text).expect_err("must be refused");
    let place = error.span.clone().map(|s| text[s].to_owned()).unwrap_or_default();
    (error.to_string(), place)
}

#[test]
fn the_sections_become_primitives_in_order() {
    let d = parse(DISK);
    assert_eq!(d.view.dimension, 3);
    assert_eq!(d.view.azimuth, 10.0);
    assert_eq!(d.primitives.iter().map(|p| p.shape.name).collect::<Vec<_>>(), ["disk", "trail"]);
    let texts: Vec<&str> = d.expressions().iter().map(|e| e.text.as_str()).collect();
    assert_eq!(texts, ["x - r*sin(phi)", "y", "r", "0.5", "phi", "theta", "psi", "x", "0"]);
}

#[test]
fn a_plane_drawing_is_two_dimensional() {
    assert_eq!(parse("[[drawing]]\nshape = \"point\"\nat = [\"x\", \"y\"]").view.dimension, 2);
    assert_eq!(parse("[[drawing]]\nshape = \"point\"\nat = [\"x\", \"y\", \"z\"]").view.dimension, 3);
}

#[test]
fn no_section_no_drawing() {
    assert!(Drawing::parse("noslip = 1").expect("valid").is_none());
}

#[test]
fn numbers_are_stored_once_and_equal_expressions_share_a_column() {
    let mut asked = Vec::new();
    let scene = parse(DISK)
        .sample(&mut |e| {
            asked.push(e.to_owned());
            Ok(if e == "0.5" || e == "0" || e == "r" { vec![0.5; 3] } else { vec![0.0, 1.0, 2.0 / 3.0] })
        })
        .expect("samples");
    assert_eq!(asked.len(), 9, "{asked:?}");
    // `r` may change with a slider: a column, though of one number.
    assert_eq!(scene.columns.len(), 7);
    assert_eq!(scene.items[0].fields["radius"], Sampled::Constant(0.5));
    let json = serde_json::to_string(&scene).expect("serialises");
    assert!(json.contains("[0.5]") && json.contains("[0.0,1.0,0.666667]"), "{json}");
    assert!(json.contains("{\"column\":0}"), "{json}");
}

#[test]
fn what_the_evaluator_refuses_names_primitive_and_field_and_points_into_the_file() {
    let error = parse(DISK)
        .sample(&mut |e| {
            if e.contains("sin(phi)") { Err(Error::input("unknown name `r`").at(4..5)) } else { Ok(vec![0.0]) }
        })
        .expect_err("refused");
    assert_eq!(error.message, "drawing 1 (disk \"wheel\"): field `center`: unknown name `r`");
    assert_eq!(&DISK[error.span.expect("a place")], "r");
}

#[test]
fn every_mistake_is_named_with_its_place() {
    let cases = [
        ("[drawing]\nshape = \"point\"", "must be a list of sections", ""),
        ("[[drawing]]\nat = [\"x\", \"y\"]", "drawing 1 has no shape", ""),
        ("[[drawing]]\nshape = \"blob\"", "unknown shape `blob`", "\"blob\""),
        ("[[drawing]]\nshape = \"point\"", "drawing 1 (point): field `at` is missing", ""),
        ("[[drawing]]\nshape = \"point\"\nat = \"x\"", "field `at` must be a list of 2 or 3", "\"x\""),
        ("[[drawing]]\nshape = \"point\"\nat = [\"x\"]", "not of 1", "[\"x\"]"),
        ("[[drawing]]\nshape = \"point\"\nat = [\"x\", true]", "not a boolean", "true"),
        ("[[drawing]]\nshape = \"point\"\nat = [\"x\", \" \"]", "is empty", " "),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\nradius = 1", "unknown field `radius`", "radius"),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\nrole = \"pink\"", "cannot be `pink`", "\"pink\""),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\nsize = 1.5", "whole number", "1.5"),
        ("[[drawing]]\nshape = \"box\"\ncenter = [0, 0]\nsize = [1, 1]\nangle = 1\nnormal = [0, 0, 1]", "both", ""),
        ("[[drawing]]\nshape = \"disk\"\ncenter = [0, 0]\nradius = 1\norder = \"zyx\"", "three axes", "\"zyx\""),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\n[view]\ndimension = 4", "must be 2 or 3", "4"),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\n[view]\nextent = 0", "must be positive", "0"),
        ("[[drawing]]\nshape = \"point\"\nat = [0, 0]\n[view]\nzoom = 4", "unknown field `zoom`", "zoom"),
        ("[view]\ndimension = 3", "[view] without any [[drawing]]", ""),
        ("[[drawing]\n", "", ""),
    ];
    for (text, message, place) in cases {
        let (said, where_) = refused(text);
        assert!(said.contains(message), "{text}\n→ {said}");
        assert!(place.is_empty() || where_ == place, "{text}\n→ {where_}");
    }
}

#[test]
fn names_of_coordinates_decide_the_default_drawing() {
    let shown = |names: &[&str]| {
        let d = Drawing::default_for(names, &[]);
        let shapes: Vec<&str> = d.primitives.iter().map(|p| p.shape.name).collect();
        (d.view.dimension, shapes.join(" "), d.view.caption.unwrap_or_default())
    };
    assert_eq!(shown(&["x", "y", "phi"]), (2, "trail point".into(), "The point (x, y) with the heading phi.".into()));
    assert_eq!(shown(&["phi", "xi", "eta"]).2, "The point (xi, eta) with the heading phi.");
    // The wheel rolls by phi and is steered by theta.
    let rolling = Drawing::default_for(&["x", "y", "theta", "phi"], &["theta"]);
    assert_eq!(rolling.view.caption.as_deref(), Some("The point (x, y) with the heading theta."));
    assert_eq!(shown(&["x", "y", "z"]).0, 3);
    assert_eq!(shown(&["x1", "y1", "x2", "y2"]).1, "trail trail segment point point");
    assert_eq!(shown(&["q1"]).2, "The phase plane (q1, q1').");
    assert_eq!(shown(&["a", "b", "c", "d"]).2, "The configuration, of which (a, b, c) are shown.");
    assert_eq!(shown(&[]).0, 2);
}

#[test]
fn the_reference_page_names_every_shape_field_and_role() {
    let page = include_str!("../../../../../docs/src/reference/drawing.md");
    for shape in SHAPES {
        let heading = format!("### `{}`", shape.name);
        let section = page.split(&heading).nth(1).unwrap_or_else(|| panic!("no section {heading}"));
        let section = section.split("\n## ").next().and_then(|s| s.split("\n### ").next()).unwrap_or("");
        for field in shape.fields {
            assert!(section.contains(&format!("`{}`", field.name)), "{} lacks {}", shape.name, field.name);
        }
    }
    for name in ORIENTATION.iter().chain(COMMON).map(|f| f.name).chain(ROLES.iter().copied()) {
        assert!(page.contains(&format!("`{name}`")), "the page lacks {name}");
    }
}

#[test]
fn the_examples_of_the_reference_page_are_valid() {
    let page = include_str!("../../../../../docs/src/reference/drawing.md");
    let examples: Vec<&str> = page.split("```toml\n").skip(1).filter_map(|s| s.split("```").next()).collect();
    assert!(examples.len() >= 5, "only {} examples found", examples.len());
    for example in examples {
        let drawing = Drawing::parse(example).unwrap_or_else(|e| panic!("{example}\n→ {e}"));
        assert!(drawing.is_some(), "{example}");
    }
}
