//! Names with an index: a chain that is written once for all its links is the one that is written out.

use crate::common::{expression, load, text, verdict};
use noslip::Limits;
use noslip::forms::by_id;
use noslip::model::{Model, Overrides, Value};

/// A car with n trailers in a dozen lines.
const TRAIN: &str = r#"
noslip = 1
[system]
name = "A car with trailers"
coordinates = ["x", "y", "theta[k]"]
[ranges]
n = 3
k = "0..n"
i = "1..n"
[parameters]
m = 1.5
"d[i]" = "1 - 0.1*i"
[definitions]
x_0 = "x"
y_0 = "y"
"x_[i]" = "x_[i-1] - d[i]*cos(theta[i])"
"y_[i]" = "y - sum(j = 1..i, d[j]*sin(theta[j]))"
[energy]
kinetic = "sum(k, m/2*(x_[k]'^2 + y_[k]'^2) + theta[k]'^2/(10 + k))"
[forces]
"theta[k]" = "-0.1*theta[k]'"
[constraints]
"axle[k]" = { equation = "x_[k]'*sin(theta[k]) = y_[k]'*cos(theta[k])", friction = "9.81*m" }
[initial]
position = { "theta[k]" = "0.2*k" }
velocity = { x = 1, theta0 = 0.5 }
[simulation]
until = 3
[[plots]]
up = ["theta[k]", "lambda_axle[n]"]
[[drawing]]
for = "i"
shape = "segment"
from = ["x_[i-1]", "y_[i-1]"]
to = ["x_[i]", "y_[i]"]
"#;

/// The same by hand.
const WRITTEN: &str = r#"
noslip = 1
[system]
name = "A car with trailers"
coordinates = ["x", "y", "theta0", "theta1", "theta2", "theta3"]
[parameters]
m = 1.5
d1 = 0.9
d2 = 0.8
d3 = 0.7
[definitions]
x_1 = "x - d1*cos(theta1)"
y_1 = "y - d1*sin(theta1)"
x_2 = "x_1 - d2*cos(theta2)"
y_2 = "y_1 - d2*sin(theta2)"
x_3 = "x_2 - d3*cos(theta3)"
y_3 = "y_2 - d3*sin(theta3)"
[energy]
kinetic = """
m/2*(x'^2 + y'^2 + x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2 + x_3'^2 + y_3'^2) \
+ theta0'^2/10 + theta1'^2/11 + theta2'^2/12 + theta3'^2/13"""
[forces]
theta0 = "-0.1*theta0'"
theta1 = "-0.1*theta1'"
theta2 = "-0.1*theta2'"
theta3 = "-0.1*theta3'"
[constraints]
axle0 = { equation = "x'*sin(theta0) = y'*cos(theta0)", friction = "9.81*m" }
axle1 = { equation = "x_1'*sin(theta1) = y_1'*cos(theta1)", friction = "9.81*m" }
axle2 = { equation = "x_2'*sin(theta2) = y_2'*cos(theta2)", friction = "9.81*m" }
axle3 = { equation = "x_3'*sin(theta3) = y_3'*cos(theta3)", friction = "9.81*m" }
[initial]
position = { theta0 = 0, theta1 = 0.2, theta2 = 0.4, theta3 = 0.6 }
velocity = { x = 1, theta0 = 0.5 }
"#;

#[test]
fn a_chain_in_ranges_has_the_equations_of_the_one_written_out() {
    let (mut short, mut long) = (load(TRAIN), load(WRITTEN));
    let mut w = short.workbench();
    let derived = by_id("lagrange-multipliers").expect("a form").derive(&mut w).expect("it applies");
    assert_eq!(derived.equations.len(), 10, "six coordinates and four constraints");
    short.arena = w.g;
    for &e in &derived.equations {
        let written = text(&short, e);
        let same = expression(&mut long, &written);
        let finding = verdict(&long, same);
        assert!(finding.known.is_proved(), "{written}: {finding:?}");
        // One that is not quite the same does not follow.
        let other = expression(&mut long, &format!("{written} + theta3'/1000"));
        assert!(verdict(&long, other).known.is_refuted(), "{written}");
    }
    let state = |model: &mut Model| model.initial_state(&Overrides::default()).expect("a state");
    let (a, b) = (state(&mut short), state(&mut long));
    assert_eq!(a.position, b.position);
    assert!(a.velocity.iter().zip(&b.velocity).all(|(x, y)| (x - y).abs() < 1e-14), "{a:?} {b:?}");
}

#[test]
fn a_size_can_be_given() {
    for n in [0usize, 1, 5] {
        let given = [("n".to_owned(), n.to_string())];
        let model = Model::load_with(TRAIN, "train", &Limits::default(), &given).expect("a model");
        assert_eq!((model.system.n(), model.system.k()), (3 + n, 1 + n));
    }
    for wrong in ["-1", "1.5", "201", "n"] {
        let given = [("n".to_owned(), wrong.to_owned())];
        assert!(Model::load_with(TRAIN, "train", &Limits::default(), &given).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_drawn_and_plotted_has_plain_names() {
    let model = load(TRAIN);
    let section = |name: &str| &model.sections.iter().find(|e| e.key == name).expect("a section").item.value;
    let drawing = section("drawing").as_array().expect("a list");
    assert_eq!(drawing.len(), 3, "one segment for each trailer");
    assert!(drawing.iter().all(|d| d.value.get("for").is_none()));
    let from = &drawing[2].value.get("from").expect("a point").item.value.as_array().expect("a list")[0].value;
    assert_eq!(*from, Value::String("x_2".into()));
    let up = section("plots").as_array().expect("a list")[0].value.get("up").expect("curves").item.value.clone();
    let up: Vec<&Value> = up.as_array().expect("a list").iter().map(|i| &i.value).collect();
    assert_eq!(up.len(), 5);
    assert_eq!(*up[4], Value::String("lambda_axle3".into()));
    assert_eq!(model.written("constraints", "axle1"), Some("x_1'*sin(theta1) = y_1'*cos(theta1)"));
    assert!(!text(&model, model.system.kinetic).contains('['));
}

/// Whatever stands in a file with ranges, it is read or refused: nothing hangs, nothing panics.
#[test]
fn hostile_ranges_are_refused_not_suffered() {
    let pieces = [
        "sum(",
        ")",
        "[",
        "]",
        "i",
        "n",
        "theta",
        "..",
        ",",
        "=",
        "1",
        "j = 1..n, ",
        "sum(i, ",
        "'",
        " ",
        "θ",
        "*",
        "-",
        "200",
        "(",
    ];
    let mut seed = 7u64;
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut read = 0;
    for _ in 0..3000 {
        let text: String = (0..1 + draw(8)).map(|_| pieces[draw(pieces.len())]).collect();
        let key: String = (0..1 + draw(4)).map(|_| pieces[draw(pieces.len())]).collect();
        let file = format!(
            "noslip = 1\n[system]\ncoordinates = ['theta[i]']\n[ranges]\nn = 3\ni = '1..n'\n[energy]\n\
             kinetic = \"sum(i, theta[i]'^2)\"\npotential = \"{text}\"\n[definitions]\n\"{key}\" = \"{text}\"\n"
        );
        match Model::load(&file, "hostile", &Limits::default()) {
            Ok(_) => read += 1,
            Err(errors) => assert!(errors.iter().all(|e| e.span.clone().is_none_or(|s| file.get(s).is_some()))),
        }
    }
    assert!(read > 0, "some of them mean something");
    let many: String = (0..60_000).map(|i| format!("\"a{i}_[i]\" = \"sum(j = 1..200, i + j)\"\n")).collect();
    let file = format!(
        "noslip = 1\n[system]\ncoordinates = ['x']\n[energy]\nkinetic = \"x'^2\"\n[ranges]\ni = '1..200'\n[definitions]\n{many}"
    );
    let errors = Model::load(&file, "many", &Limits::default()).expect_err("too long");
    assert_eq!(errors[0].kind, noslip::ErrorKind::Limit);
}

#[test]
fn what_does_not_fit_is_refused_and_never_left_out() {
    let whole = Model::load(TRAIN, "train.toml", &Limits::default()).unwrap_or_else(|e| panic!("{}", e[0]));
    let (mut fits, mut refused) = (0, 0);
    for written_bytes in (200..6000).step_by(11) {
        match Model::load(TRAIN, "train.toml", &Limits { written_bytes, ..Limits::default() }) {
            Ok(model) => {
                fits += 1;
                let size = |m: &Model| (m.system.n(), m.system.k(), m.system.parameters.len());
                assert_eq!(size(&model), size(&whole), "{written_bytes} bytes");
            }
            Err(errors) => {
                refused += 1;
                assert!(errors.iter().any(|e| e.message.contains("long")), "{written_bytes} bytes: {}", errors[0]);
            }
        }
    }
    assert!(fits > 10 && refused > 10, "{fits} fit, {refused} do not");
}
