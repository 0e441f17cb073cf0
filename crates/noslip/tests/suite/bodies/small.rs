//! Small facts of the layer, each on the smallest model that shows it.

use super::{assert_zero, load};
use crate::common::verdict;
use noslip::Limits;
use noslip::model::{Model, Plain};

fn plain(model: &Model) -> &Plain {
    model.plain.as_ref().expect("a plain model")
}

/// Two expressions of a model are the same function.
fn assert_same(model: &mut Model, a: &str, b: &str) {
    let e = model.expression(&format!("{a} - ({b})")).unwrap_or_else(|e| panic!("{a}: {e}"));
    assert_zero(model, e, a);
}

/// A ball on a spring in space, under a gravity that has this direction.
fn on_a_spring(gravity: &str) -> String {
    format!(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[frames]\nF = {{ at = [\"x\", \"y\", \"z\"] }}\n\
         [bodies.ball]\nin = \"F\"\nmass = 2\nshape = {{ ball = 1 }}\n\
         [springs.s]\nfrom = \"F\"\nto = {{ in = \"ground\", at = [1, 2, 3] }}\nstiffness = 4\n{gravity}"
    )
}

#[test]
fn a_picture_is_turned_so_that_up_is_up_and_never_reflected() {
    for (up, end) in [
        ("[0, 0, 1]", "[1, 2, 3]"),
        ("[0, 0, -1]", "[1, -2, -3]"),
        ("[0, 1, 0]", "[1, -3, 2]"),
        ("[0, -1, 0]", "[1, 3, -2]"),
        ("[1, 0, 0]", "[2, 3, 1]"),
        ("[-1, 0, 0]", "[2, -3, -1]"),
    ] {
        let model = load(&on_a_spring(&format!("[gravity]\ng = 9.81\nup = {up}\n")), "spring.toml");
        let drawing = &plain(&model).drawing;
        assert!(drawing.contains("shape = \"spring\"\n"), "{drawing}");
        assert!(drawing.contains(&format!("to = {end}\n")), "up {up}: {drawing}");
    }
}

#[test]
fn the_plain_file_of_a_small_model_is_a_model_with_its_pictures() {
    let mut model = load(&on_a_spring(""), "spring.toml");
    let text = plain(&model).file.clone();
    assert!(text.contains(&plain(&model).drawing), "{text}");
    let mut again = load(&text, "plain.toml");
    for m in [&mut model, &mut again] {
        let expected = m.expression("x'^2 + y'^2 + z'^2").expect("an expression");
        let difference = m.arena.sub(m.system.kinetic, expected);
        assert_zero(m, difference, "kinetic energy of a mass 2");
        let expected = m.expression("2*((x - 1)^2 + (y - 2)^2 + (z - 3)^2)").expect("an expression");
        let difference = m.arena.sub(m.system.potential, expected);
        assert_zero(m, difference, "potential of a spring of stiffness 4");
    }
}

#[test]
fn the_velocity_of_a_body_beside_its_frame_is_that_of_its_centre() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\"]\n[frames]\nF = { at = [\"x\", 0], turn = { z = \"phi\" } }\n\
         [bodies.rod]\nin = \"F\"\nmass = 2\ncenter = [3, 0]\ninertia = 1\n[definitions]\nu = \"rod.vx\"\nv = \"rod.vy\"\n",
        "rod.toml",
    );
    assert_same(&mut model, "u", "x' - 3*sin(phi)*phi'");
    assert_same(&mut model, "v", "3*cos(phi)*phi'");
}

/// A plate with one moment of inertia, turned as the text says.
fn plate(turn: &str, inertia: &str) -> String {
    format!(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\"]\n[frames]\nF = {{ at = [\"x\", 0, 0], turn = {turn} }}\n\
         [bodies.plate]\nin = \"F\"\nmass = 2\ninertia = {inertia}\n"
    )
}

#[test]
fn one_moment_of_inertia_is_enough_in_the_plane_and_noted_in_space() {
    let noted = |turn: &str| {
        let model = load(&plate(turn, "3"), "plate.toml");
        model.notes.iter().any(|n| n.message.contains("one moment of inertia"))
    };
    assert!(!noted("{ z = \"phi\" }"));
    assert!(noted("{ x = \"phi\" }"));
}

#[test]
fn a_body_may_have_no_moment_of_inertia_but_no_negative_one() {
    let mut model = load(&plate("{ z = \"phi\" }", "0"), "plate.toml");
    let expected = model.expression("x'^2").expect("an expression");
    let difference = model.arena.sub(model.system.kinetic, expected);
    assert_zero(&mut model, difference, "a plate without inertia has the energy of a point");
    assert!(Model::load(&plate("{ z = \"phi\" }", "-1"), "plate.toml", &Limits::default()).is_err());
}

#[test]
fn a_ball_touches_an_upright_wall_on_the_side_that_is_said() {
    let text = |side: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\", \"phi\"]\n[frames]\nwall = {{ turn = {{ y = \"pi/2\" }} }}\n\
             a = {{ at = [\"x\", \"y\", \"z\"], turn = {{ x = \"phi\" }} }}\n[bodies.a]\nmass = 2\nshape = {{ ball = 0.5 }}\n\
             [gravity]\ng = 9.81\n[contacts.wall]\nbody = \"a\"\nrolls_on = \"wall\"\nside = \"{side}\"\n\
             [initial]\nposition = {{ x = {} }}\n",
            if side == "z" { "0.5" } else { "-0.5" }
        )
    };
    for (side, x) in [("z", 0.5), ("-z", -0.5)] {
        let mut model = load(&text(side), "wall.toml");
        let state = model.initial_state(&Default::default()).unwrap_or_else(|e| panic!("{side}: {e:?}"));
        assert!((state.position[0] - x).abs() < 1e-12, "{side}: {state:?}");
    }
    assert!(Model::load(&text("up"), "wall.toml", &Limits::default()).is_err());
}

#[test]
fn tables_of_the_author_stand_in_the_plain_file_as_they_are_written_by_hand() {
    let table = "[tables.push]\nof = \"t\"\nat = [0, 1, 2]\nvalues = [0, 3, 1.5]\n";
    let model = load(&on_a_spring(&format!("{table}[forces]\nx = \"push(t)\"\n")), "spring.toml");
    let text = &plain(&model).file;
    assert!(text.contains(&format!("\n{table}")), "{text}");
}

#[test]
fn what_is_joined_has_one_place_and_what_says_so_already_is_left_out() {
    // A rod whose end is pinned to the ground, twice; that both are at the height zero holds by itself.
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n\
         [frames]\nF = { at = [\"x\", \"y\"], turn = { z = \"phi\" } }\n[points]\nend = { in = \"F\", at = [-2, 0] }\n\
         hinge = { in = \"ground\", at = [1, 3] }\n[bodies.rod]\nin = \"F\"\nmass = 2\ninertia = 1\n\
         [contacts.pin]\njoins = [\"end\", \"hinge\"]\n[contacts.again]\njoins = [\"hinge\", \"end\"]\n[initial]\nposition = { x = 3, y = 3 }\n",
        "rod.toml",
    );
    let names: Vec<String> = model.system.constraints.iter().map(|c| c.name.clone()).collect();
    assert_eq!(names, ["pin_x", "pin_y"]);
    assert!(model.notes.iter().any(|n| n.message.contains("`pin_z` holds by itself")), "{:?}", model.notes);
    for name in ["again_x", "again_y"] {
        let note = model.notes.iter().find(|n| n.message.contains(&format!("`{name}` follows from those before it")));
        let hint = note.and_then(|n| n.hint.clone()).unwrap_or_default();
        assert!(hint.contains("at three random points of a prime field where they hold"), "{name}: {hint}");
    }
    for (claim, holds) in [
        ("x - 1 - 2*cos(phi)", true),
        ("y - 3 - 2*sin(phi)", true),
        ("x - 1 + 2*cos(phi)", false),
        ("x - 2*cos(phi)", false),
    ] {
        let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
        assert_eq!(verdict(&model, e).holds(), holds, "{claim}");
    }
}

#[test]
fn the_second_of_two_skates_on_one_line_follows_at_every_position_and_the_note_says_that() {
    let cart = |right: &str| {
        load(
            &format!(
                "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"theta\"]\n\
                 [frames]\ncart = {{ at = [\"x\", \"y\"], turn = {{ z = \"theta\" }} }}\n\
                 [bodies.cart]\nmass = 2\ncenter = [0.1, 0]\ninertia = 0.3\n\
                 [contacts.left]\nbody = \"cart\"\nat = [0.1, 0.2]\nskates = \"x\"\n\
                 [contacts.right]\nbody = \"cart\"\nat = {right}\nskates = \"x\"\n"
            ),
            "cart.toml",
        )
    };
    let model = cart("[0.1, -0.2]");
    assert_eq!(model.system.k(), 1);
    let note = model.notes.iter().find(|n| n.message.contains("`right_across` follows from those before it"));
    let hint = note.and_then(|n| n.hint.clone()).unwrap_or_default();
    assert!(hint.starts_with("two wheels on one axle"), "{hint}");
    // Further ahead it is a second condition: the cart cannot turn.
    assert_eq!(cart("[0.3, -0.2]").system.k(), 2);
}

#[test]
fn a_quaternion_is_kept_at_length_one_once() {
    let constraints = |said: &str| -> Vec<String> {
        let model = load(
            &format!(
                "noslip = 1\n[system]\ncoordinates = [\"a\", \"b\", \"c\", \"d\"]\n\
                 [frames]\nF = {{ quaternion = [\"a\", \"b\", \"c\", \"d\"] }}\n\
                 [bodies.top]\nin = \"F\"\nmass = 1\ninertia = [1, 2, 3]\n{said}[initial]\nposition = {{ a = 1 }}\n"
            ),
            "top.toml",
        );
        model.system.constraints.iter().map(|c| c.name.clone()).collect()
    };
    assert_eq!(constraints(""), ["F_unit"]);
    // The author has said it, in these words or others.
    assert_eq!(constraints("[constraints]\nown = \"a^2 + b^2 + c^2 + d^2 = 1\"\n"), ["own"]);
    assert_eq!(constraints("[constraints]\nown = \"3 = 3*(a^2 + b^2 + c^2 + d^2)\"\n"), ["own"]);
    // Another condition is not that.
    assert_eq!(constraints("[constraints]\nown = \"a*b' = c*d'\"\n").len(), 2);
}

#[test]
fn a_quaternion_that_grows_carries_no_energy_and_that_takes_one_line() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"w\", \"x\", \"y\", \"z\", \"a\", \"b\", \"c\", \"d\"]\n[parameters]\nl = 1\n\
                [frames]\nupper = { quaternion = [\"w\", \"x\", \"y\", \"z\"] }\n\
                lower = { in = \"upper\", at = [0, 0, \"-l\"], quaternion = [\"a\", \"b\", \"c\", \"d\"] }\n\
                [bodies.upper]\nmass = 1\ncenter = [0, 0, \"-l/2\"]\ninertia = [1, 2, 3]\n\
                [bodies.lower]\nmass = 1\ncenter = [0, 0, \"-l/2\"]\ninertia = [1, 2, 3]\n\
                [initial]\nposition = { w = 1, a = 1 }\n";
    let model = load(text, "chain.toml");
    let mut w = model.workbench();
    let facts = noslip::analysis::analyse(&mut w);
    let said = noslip::analysis::sentences(&w.g, &w.system, &facts);
    let massless: Vec<&str> = said.iter().filter(|s| s.contains("no kinetic energy")).map(String::as_str).collect();
    assert_eq!(
        massless,
        [
            "A motion with w' = `w/z`, x' = `x/z`, y' = `y/z`, z' = `1` carries no kinetic energy.",
            "A motion with a' = `a/d`, b' = `b/d`, c' = `c/d`, d' = `1` carries no kinetic energy.",
        ]
    );
}

#[test]
fn a_load_may_depend_on_velocities_under_any_name_but_not_on_accelerations() {
    let load_of = |force: &str| {
        let text = on_a_spring(&format!(
            "[definitions]\nr = \"x*y\"\nu = \"x*y'\"\n[loads.push]\non = \"F\"\nforce = [\"{force}\", 0, 0]\n"
        ));
        Model::load(&text, "spring.toml", &Limits::default()).map(|_| ()).map_err(|e| format!("{e:?}"))
    };
    for allowed in ["r", "r'", "u", "x'", "F.vx", "t"] {
        assert_eq!(load_of(allowed), Ok(()), "{allowed}");
    }
    for forbidden in ["r''", "u'", "F.vx'"] {
        let refused = load_of(forbidden).expect_err("an acceleration");
        let said = format!("`{forbidden}`, which contains accelerations, cannot stand in a load");
        assert!(refused.contains(&said), "{forbidden}: {refused}");
    }
}

#[test]
fn a_name_before_a_bracket_is_a_product_without_its_sign_or_no_function_at_all() {
    for (force, said) in [("x(2)", "`x` is not a function"), ("wobble(2)", "unknown function `wobble`")] {
        let text = on_a_spring(&format!("[loads.push]\non = \"F\"\nforce = [\"{force}\", 0, 0]\n"));
        let refused = Model::load(&text, "spring.toml", &Limits::default()).map(|_| ()).expect_err("no function");
        assert!(format!("{refused:?}").contains(said), "{force}: {refused:?}");
    }
}

/// A load on nothing lacks something; one on a number has a mistake, which is told once.
#[test]
fn what_a_load_acts_on_is_missing_or_wrong_and_not_both() {
    let told = |on: &str| -> Vec<String> {
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[frames]\ncart = {{ at = [\"x\", 0] }}\n[bodies.cart]\nmass = 2\n\
             [loads.push]\n{on}force = [1, 0]\n"
        );
        let refused = Model::load(&text, "a load", &Limits::default()).map(|_| ());
        refused.err().iter().flat_map(|errors| errors.iter()).map(|e| e.message.clone()).collect()
    };
    assert_eq!(told("on = \"cart\"\n"), Vec::<String>::new());
    for on in ["", "on = 3\n"] {
        let told = told(on);
        assert_eq!(told.len(), 1, "{on}: {told:?}");
    }
}
