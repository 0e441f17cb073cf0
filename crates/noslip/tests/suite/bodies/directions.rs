//! Directions of rolling that the file chooses.

use super::contacts::disk;
use super::{assert_multipliers, assert_same_motion, load};
use crate::common::gallery;
use noslip::Limits;
use noslip::model::Model;

/// A model of the gallery, with a line after another one.
fn with_line(name: &str, after: &str, line: &str) -> String {
    let text = gallery::text(name);
    assert!(text.contains(after), "{name}: {after}");
    text.replace(after, &format!("{after}\n{line}"))
}

#[test]
fn chosen_directions_say_the_same_as_those_a_contact_has_by_itself() {
    let along_x = "along = { in = \"ground\", axis = \"x\" }";
    for (name, after, line) in [
        ("bodies/rolling-torus", "rolls_on = \"ground\"", "across = { in = \"tyre\", axis = \"z\" }"),
        ("bodies/rolling-torus", "rolls_on = \"ground\"", along_x),
        (
            "bodies/ball-on-paraboloid",
            "normal = { in = \"touch\", axis = \"z\" }",
            "along = { in = \"touch\", axis = \"y\" }",
        ),
        ("bodies/ball-on-egg-crate", "rolls_on = { surface = \"crate\" }", along_x),
        ("bodies/two-balls", "rolls_on = { body = \"lower\" }", along_x),
    ] {
        // Friction wants directions that lie along the surface.
        let without = |text: &str| text.replace("friction = 0.6\n", "");
        let mut usual = load(&without(gallery::text(name)), name);
        let mut chosen = load(&without(&with_line(name, after, line)), &format!("{name}, {line}"));
        assert_same_motion(&mut usual, &mut chosen);
    }
}

#[test]
fn the_force_along_an_axle_has_a_part_along_the_normal() {
    // a = sin θ c + cos θ n, with c across the disk in the ground
    let text = disk("z", ", \"z\"").replace("friction = 0.4\n", "");
    let axle = "rolls_on = \"ground\"\nacross = { in = \"disk\", axis = \"z\" }";
    let mut usual = load(&text, "usual");
    let mut chosen = load(&text.replace("rolls_on = \"ground\"", axle), "axle");
    let map = [
        ("ground_along", "lambda_ground_along"),
        ("ground_across", "lambda_ground_across*sin(theta)"),
        ("ground_touches", "lambda_ground_touches + lambda_ground_across*cos(theta)"),
    ];
    assert_multipliers(&mut usual, &mut chosen, &map);
    let note = chosen.notes.iter().find(|w| w.message.contains("leans")).and_then(|w| w.hint.clone());
    let hint = "the normal force is lambda_ground_touches + (cos(theta))*lambda_ground_across";
    assert_eq!(note.as_deref(), Some(hint));
}

#[test]
fn a_ball_on_top_of_another_has_no_level_direction_of_its_own_but_a_chosen_one() {
    let on_top = |line: &str| {
        let text = with_line("bodies/two-balls", "rolls_on = { body = \"lower\" }", line);
        let (head, tail) = text.split_once("[initial]").expect("an initial state");
        let (_, rest) = tail.split_once("[simulation]").expect("a simulation");
        let start = "position = { X = 0, Y = 0, x = 0, y = 0, z = \"2*R + r\", theta = 1, b = 1 }";
        format!("{head}[initial]\n{start}\n[simulation]{rest}")
    };
    let load = |text: &str| Model::load(text, "on top", &Limits::default());
    assert!(load(&on_top("")).is_err());
    assert!(load(&on_top("along = { in = \"ground\", axis = \"x\" }")).is_ok());
}

#[test]
fn what_has_no_axis_rolls_along_the_x_and_y_of_a_plane_however_it_is_turned() {
    let ball = |table: &str, line: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"a\", \"b\", \"c\"]\n[frames]\n\
             tab = {{ turn = {{ z = \"{table}\" }} }}\n\
             ball = {{ at = [\"x\", \"y\", 0.3], turn = [{{ z = \"a\" }}, {{ x = \"b\" }}, {{ z = \"c\" }}] }}\n\
             [bodies.ball]\nmass = 1\nshape = {{ ball = 0.3 }}\n[contacts.roll]\nbody = \"ball\"\nrolls_on = \"tab\"\n{line}\n\
             [initial]\nposition = {{ b = 1 }}\nvelocity = {{ x = 0.3 }}\n"
        )
    };
    for table in ["0.7", "t/2"] {
        let mut usual = load(&ball(table, ""), table);
        let mut own = load(&ball(table, "along = { in = \"tab\", axis = \"x\" }"), "own");
        let mut ground = load(&ball(table, "along = { in = \"ground\", axis = \"x\" }"), "ground");
        let same = [("roll_along", "lambda_roll_along"), ("roll_across", "lambda_roll_across")];
        assert_multipliers(&mut usual, &mut own, &same);
        let along = format!("lambda_roll_along*cos({table}) + lambda_roll_across*sin({table})");
        let across = format!("lambda_roll_across*cos({table}) - lambda_roll_along*sin({table})");
        assert_multipliers(
            &mut usual,
            &mut ground,
            &[("roll_along", along.as_str()), ("roll_across", across.as_str())],
        );
    }
}
