//! Surfaces: against contacts that the layer knows by other means, against models by hand, against what is published.

use super::{assert_same_motion, assert_zero, load};
use crate::common::gallery;
use noslip::model::Model;

/// A file without its quasi-velocities: where a constraint is added there are fewer of them.
fn without_quasi_velocities(text: &str) -> String {
    let begin = text.find("[quasi_velocities]").expect("the section");
    let end = begin + text[begin..].find("[initial]").expect("the end of the section");
    format!("{}{}", &text[..begin], &text[end..])
}

/// A model of the gallery with the section of its contact replaced, and surfaces added.
fn with_surface(name: &str, contact: &str, surfaces: &str, contact_on_surface: &str) -> Model {
    let text = gallery::text(&format!("bodies/{name}"));
    let begin = text.find(&format!("[contacts.{contact}]")).expect("the contact");
    let end = begin + text[begin..].find("\n[initial]").expect("the end of the contact");
    let text = format!("{}{contact_on_surface}\n[surfaces]\n{surfaces}\n{}", &text[..begin], &text[end..]);
    load(&text, &format!("{name} on a surface"))
}

#[test]
fn graphs_and_parametric_surfaces_are_the_contacts_that_were_written_with_a_normal() {
    let cases = [
        (
            "ball-on-paraboloid",
            "bowl",
            r#"dish = { in = "bowl", z = "c*(x^2 + y^2)" }"#,
            "[contacts.bowl]\nbody = \"ball\"\nrolls_on = { surface = \"dish\", at = [\"rho*cos(nu - Omega*t)\", \"rho*sin(nu - Omega*t)\"] }",
        ),
        (
            "ball-in-cone",
            "wall",
            r#"cone = { parameters = ["a", "s"], at = ["(r*cos(beta) + s*sin(beta))*cos(a)", "(r*cos(beta) + s*sin(beta))*sin(a)", "s*cos(beta) - r*sin(beta)"] }"#,
            "[contacts.wall]\nbody = \"ball\"\nrolls_on = { surface = \"cone\", at = [\"nu\", \"s\"] }",
        ),
        (
            "ball-in-cylinder",
            "wall",
            r#"tube = { parameters = ["alpha", "z"], at = ["R*cos(alpha)", "R*sin(alpha)", "z"] }"#,
            "[contacts.wall]\nbody = \"ball\"\nrolls_on = { surface = \"tube\" }",
        ),
    ];
    for (name, contact, surface, on_surface) in cases {
        let mut known = gallery::open(&format!("bodies/{name}"));
        let mut model = with_surface(name, contact, surface, on_surface);
        assert_same_motion(&mut known, &mut model);
    }
}

/// A ball inside a fixed sphere: the surface, or a body that is a shell.
fn ball_in_sphere(contact: &str) -> Model {
    load(
        &format!(
            r#"noslip = 1
[system]
coordinates = ["u", "v", "psi", "theta", "phi"]
[parameters]
m = 0.2
r = 0.05
R = 0.5
g = 9.81
[surfaces]
bowl = {{ parameters = ["u", "v"], at = ["R*cos(v)*cos(u)", "R*cos(v)*sin(u)", "R*sin(v)"] }}
[frames]
fixed = {{}}
ball = {{ on = "bowl", at = ["u", "v", "-r"], turn = [{{ z = "psi" }}, {{ x = "theta" }}, {{ z = "phi" }}] }}
[bodies.ball]
mass = "m"
shape = {{ ball = "r" }}
[bodies.fixed]
mass = 1
shape = {{ shell = "R" }}
[gravity]
g = "g"
[contacts.c]
body = "ball"
rolls_on = {contact}
friction = 0.5
[initial]
position = {{ u = 0, v = -1, psi = 0, theta = 1.2, phi = 0 }}
velocity = {{ u = 2, v = 0.3, theta = 0.1 }}
"#
        ),
        "ball in a sphere",
    )
}

#[test]
fn a_sphere_by_parameters_is_the_shell_of_a_body() {
    let mut by_body = ball_in_sphere(r#"{ body = "fixed", inside = true }"#);
    let mut model = ball_in_sphere(r#"{ surface = "bowl" }"#);
    assert_same_motion(&mut by_body, &mut model);
    // The normal force, by which friction is limited, is the same.
    let limits = [&mut by_body, &mut model].map(|m| {
        let limit = m.system.constraints.iter().find_map(|c| c.friction).expect("a limit of friction");
        let run = gallery::run(m, &[0.0, 0.5, 1.0], 1e-11, &Default::default());
        gallery::values_of(m, &run, limit)
    });
    for (a, b) in limits[0].iter().zip(&limits[1]) {
        assert!((a - b).abs() < 1e-8 * a.abs().max(1.0), "{limits:?}");
    }
    assert!(limits[0][0] > 0.1, "{limits:?}");
}

/// Routh's integral, linear in the velocities.
#[test]
fn a_ball_in_a_sphere_keeps_its_spin_about_the_normal() {
    let mut model = ball_in_sphere(r#"{ surface = "bowl" }"#);
    let run = gallery::run(&mut model, &[0.0, 0.7, 1.4, 2.0], 1e-11, &Default::default());
    let spin = "cos(v)*cos(u)*(theta'*cos(psi) + phi'*sin(theta)*sin(psi)) \
        + cos(v)*sin(u)*(theta'*sin(psi) - phi'*sin(theta)*cos(psi)) + sin(v)*(psi' + phi'*cos(theta))";
    for (what, text) in [("spin", spin), ("energy", "energy")] {
        let values = gallery::along(&mut model, &run, text);
        let scale = values.iter().fold(1.0f64, |s, x| s.max(x.abs()));
        assert!(values.iter().all(|x| (x - values[0]).abs() < 1e-8 * scale), "{what}: {values:?}");
    }
}

/// Compares what two models say along their motions.
fn assert_moves_alike(a: &mut Model, b: &mut Model, times: &[f64], quantities: &[&str]) {
    let runs = [gallery::run(a, times, 1e-11, &Default::default()), gallery::run(b, times, 1e-11, &Default::default())];
    for text in quantities {
        let (x, y) = (gallery::along(a, &runs[0], text), gallery::along(b, &runs[1], text));
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-7 * x.abs().max(1.0), "{}, {text}: {x} and {y}", b.file_name);
        }
    }
}

#[test]
fn an_ellipsoid_on_a_plane_moves_alike_with_contact_coordinates() {
    let text = gallery::text("bodies/ellipsoid-on-plane")
        .replace("\"theta\", \"phi\"]", "\"theta\", \"phi\", \"u\", \"v\"]")
        .replace("body = \"body\"\n", "body = \"body\"\nwith = \"skin\"\n")
        .replace(
            "[initial]",
            "[surfaces]\nskin = { in = \"body\", parameters = [\"u\", \"v\"], at = [\"a*cos(u)*cos(v)\", \"b*sin(u)*cos(v)\", \
             \"c*sin(v)\"] }\n[initial]",
        );
    let mut model = load(&text, "an ellipsoid with contact coordinates");
    // The lowest point, not the highest: tan u and sin v of −A²n.
    let (a, b, c) = (0.9f64, 0.6f64, 0.4f64);
    let (theta, phi) = (1.2f64, 0.5f64);
    let n = [theta.sin() * phi.sin(), theta.sin() * phi.cos(), theta.cos()];
    let h = ((a * n[0]).powi(2) + (b * n[1]).powi(2) + (c * n[2]).powi(2)).sqrt();
    let (u, v) = ((-b * n[1] / h).atan2(-a * n[0] / h), (-c * n[2] / h).asin());
    let index = |m: &Model, name: &str| m.system.coordinate(&m.arena, name).expect("a coordinate");
    let position = vec![(index(&model, "u"), u), (index(&model, "v"), v)];
    let overrides = noslip::model::Overrides { position, ..Default::default() };
    let times = [0.0, 0.5, 1.0];
    let run = gallery::run(&mut model, &times, 1e-11, &overrides);
    let mut known = gallery::open("ellipsoid-on-plane");
    let other = gallery::run(&mut known, &times, 1e-11, &Default::default());
    for text in ["xi", "eta", "zeta", "psi", "theta", "phi", "theta'"] {
        let (x, y) = (gallery::along(&mut model, &run, text), gallery::along(&mut known, &other, text));
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-7), "{text}: {x:?} and {y:?}");
    }
    // Only the force along the normal, and those of rolling, do something.
    for text in ["lambda_roll_tangent_u", "lambda_roll_tangent_v"] {
        let values = gallery::along(&mut model, &run, text);
        assert!(values.iter().all(|x| x.abs() < 1e-7), "{text}: {values:?}");
    }
    assert!(gallery::along(&mut model, &run, "lambda_roll_touches")[0] > 1.0);
}

/// Woronetz' case once with four contact coordinates and once with two: there the point of the body follows from the normal.
#[test]
fn two_ellipsoids_move_alike_with_two_and_with_four_contact_coordinates() {
    let text = gallery::text("bodies/ellipsoid-on-ellipsoid");
    let mut four = gallery::open("bodies/ellipsoid-on-ellipsoid");
    let state = four.initial_state(&Default::default()).expect("a state");
    let numbers: Vec<String> = ["x", "y", "z", "psi", "theta", "phi", "U", "V"]
        .iter()
        .map(|name| {
            let i = four.system.coordinate(&four.arena, name).expect("a coordinate");
            format!("{name} = \"{:?}\"", state.position[i])
        })
        .collect();
    let begin = text.find("[initial]").expect("the start");
    let end = begin + text[begin..].find("velocity").expect("velocities");
    let text = format!("{}[initial]\nposition = {{ {} }}\n{}", &text[..begin], numbers.join(", "), &text[end..]);
    let text = text.replace("\"u\", \"v\", \"U\", \"V\"]", "\"U\", \"V\"]").replace("with = \"skin\"\n", "");
    let text = text.lines().filter(|l| !l.starts_with("skin")).collect::<Vec<_>>().join("\n");
    let mut two = load(&text, "two contact coordinates");
    assert_eq!((four.system.k(), two.system.k()), (7, 5));
    assert_moves_alike(&mut two, &mut four, &[0.0, 0.25, 0.5], &["x", "y", "z", "theta'", "U", "V", "energy"]);
    let run = gallery::run(&mut four, &[0.0, 0.5], 1e-11, &Default::default());
    let energy = gallery::along(&mut four, &run, "energy");
    assert!((energy[1] - energy[0]).abs() < 1e-9, "{energy:?}");
}

#[test]
fn a_tyre_by_parameters_is_the_torus() {
    let text = without_quasi_velocities(gallery::text("bodies/rolling-torus"))
        .replace("\"x\", \"y\"]", "\"x\", \"y\", \"u\", \"v\"]")
        .replace("body = \"tyre\"\n", "body = \"tyre\"\nwith = \"skin\"\n")
        .replace(
            "[initial]",
            "[surfaces]\nskin = { in = \"tyre\", parameters = [\"u\", \"v\"], at = [\"(R + a*cos(v))*cos(u)\", \
             \"(R + a*cos(v))*sin(u)\", \"a*sin(v)\"] }\n[initial]",
        )
        .replace("x = 0, y = 0 }", "x = 0, y = 0, u = \"-pi/2\", v = \"1.2 - pi/2\" }");
    let mut model = load(&text, "a tyre by parameters");
    let mut known = gallery::open("bodies/rolling-torus");
    assert_moves_alike(&mut known, &mut model, &[0.0, 0.5, 1.0], &["x", "y", "phi", "theta", "psi", "energy"]);
}

#[test]
fn rolling_without_spin_is_a_third_condition() {
    let text = without_quasi_velocities(gallery::text("bodies/chaplygin-ball"));
    let rubber = text.replace("rolls_on = \"ground\"", "rolls_on = \"ground\"\nspins = false");
    let mut model = load(&rubber, "a rubber ball");
    let spin = model.system.constraints.iter().find(|c| c.name.ends_with("_spin")).expect("no spin").expr;
    let names: Vec<String> = model.system.coordinates.iter().map(|&q| model.arena.name(q).to_owned()).collect();
    assert!(names.contains(&"psi".to_owned()), "{names:?}");
    let by_hand = crate::common::expression(&mut model, "psi' + phi'*cos(theta)");
    let difference = model.arena.sub(spin, by_hand);
    assert_zero(&mut model, difference, "the spin about the vertical");
}

#[test]
fn balls_on_surfaces_that_stand_keep_their_energy() {
    let mut model = gallery::open("bodies/ball-on-egg-crate");
    let run = gallery::run(&mut model, &[0.0, 0.5, 1.0], 1e-11, &Default::default());
    let energy = gallery::along(&mut model, &run, "energy");
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-9), "{energy:?}");
    let mut model = gallery::open_with("bodies/ball-in-torus", &[("Omega", 0.0)]);
    let run = gallery::run(&mut model, &[0.0, 0.5, 1.0], 1e-11, &Default::default());
    let energy = gallery::along(&mut model, &run, "energy");
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-9), "{energy:?}");
}

#[test]
fn the_same_ball_with_and_without_its_centre_as_coordinates() {
    let text = gallery::text("bodies/ball-on-egg-crate");
    let free = text
        .replace("coordinates = [", "coordinates = [\"x\", \"y\", \"z\", ")
        .replace("on = \"crate\", at = [\"u\", \"v\", \"r\"]", "at = [\"x\", \"y\", \"z\"]")
        .replace(
            "rolls_on = { surface = \"crate\" }",
            "rolls_on = { surface = \"crate\", at = [\"u\", \"v\"] }\nside = \"n\"",
        );
    let (mut bound, mut free) = (gallery::open("bodies/ball-on-egg-crate"), load(&free, "a ball with its centre"));
    assert_eq!((bound.system.k(), free.system.k()), (2, 5));
    assert_moves_alike(&mut bound, &mut free, &[0.0, 0.3, 0.6], &["u", "v", "psi", "theta'", "energy"]);
    // The normal force once from Newton's law and once as a multiplier.
    let limits = [&mut bound, &mut free].map(|m| {
        let limit = m.system.constraints.iter().find_map(|c| c.friction).expect("a limit of friction");
        let run = gallery::run(m, &[0.0, 0.3], 1e-11, &Default::default());
        gallery::values_of(m, &run, limit)
    });
    assert!(limits[0].iter().zip(&limits[1]).all(|(a, b)| (a - b).abs() < 1e-7 * a.abs().max(1.0)), "{limits:?}");
}

/// A graph is over x and y, whatever the coordinates of the model are called: those of the same name may be others.
#[test]
fn coordinates_called_as_those_of_a_graph_do_not_say_where_on_it() {
    let text = |place: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[surfaces]\nbowl = {{ z = \"x^2 + y^2\" }}\n\
             [frames]\nbead = {{ on = \"bowl\"{place} }}\n[bodies.bead]\nmass = 1\nshape = {{ ball = 0.1 }}\n"
        )
    };
    load(&text(", at = [\"x\", \"y\", 0.1]"), "a bead with a place");
    let refused = Model::load(&text(""), "a bead without a place", &Default::default());
    let errors = refused.map(|_| ()).expect_err("where it is was not said");
    assert!(errors[0].message.contains("where on the surface `bowl` is not said"), "{errors}");
}
