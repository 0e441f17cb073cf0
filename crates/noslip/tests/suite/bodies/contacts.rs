//! Contacts: normal forces, names, disks that lie flat, wheels seen from above, sliding.

use super::{assert_same_motion, assert_zero, load};
use crate::common::gallery;
use noslip::Limits;
use noslip::model::Claims;

/// A disk on level ground, its height a coordinate or given by its inclination.
pub(super) fn disk(height: &str, coordinates: &str) -> String {
    format!(
        r#"noslip = 1
[system]
coordinates = ["x", "y", "phi", "theta", "psi"{coordinates}]
[parameters]
m = 1.4
r = 0.6
g = 9.81
[frames]
disk = {{ at = ["x", "y", "{height}"], turn = [{{ z = "phi" }}, {{ x = "theta" }}, {{ z = "psi" }}] }}
[points]
rim = {{ in = "disk", at = ["r", 0, 0] }}
[bodies.disk]
mass = "m"
shape = {{ disk = "r" }}
[gravity]
g = "g"
[loads.push]
on = "rim"
force = [1, 0.5, "sin(t)"]
[springs.tie]
from = "rim"
to = {{ in = "ground", at = [1, 1, 2] }}
stiffness = 3
length = 0.5
damping = 0.2
[contacts.ground]
body = "disk"
rolls_on = "ground"
friction = 0.4
[initial]
position = {{ x = 0, y = 0, phi = 0.3, theta = 1.2, psi = 0.1 }}
velocity = {{ phi = 0.6, theta = 0.3, psi = 4 }}
[simulation]
until = 1
"#
    )
}

#[test]
fn the_normal_force_is_the_same_whether_touching_is_a_constraint_or_an_identity() {
    let mut found = Vec::new();
    for (height, coordinates) in [("r*sin(theta)", ""), ("z", ", \"z\"")] {
        let mut model = load(&disk(height, coordinates), "disk.toml");
        assert_eq!(model.system.k(), if coordinates.is_empty() { 2 } else { 3 });
        let limit = model.system.constraints.iter().find_map(|c| c.friction).expect("a limit of friction");
        let run = gallery::run(&mut model, &[0.0, 0.25, 0.5, 1.0], 1e-11, &Default::default());
        found.push(gallery::values_of(&mut model, &run, limit));
    }
    for (a, b) in found[0].iter().zip(&found[1]) {
        assert!((a - b).abs() < 1e-8 * a.abs().max(1.0), "{found:?}");
    }
    assert!(found[0][0] > 1.0, "a disk is pushed up by about its weight: {found:?}");
}

#[test]
fn names_with_a_dot_stand_in_claims_and_columns_also_if_the_model_does_not_use_them() {
    let mut model = load(&disk("r*sin(theta)", ""), "disk.toml");
    let identities = [
        "disk.wx = cos(psi)*theta' + sin(psi)*sin(theta)*phi'",
        "disk.wz = cos(theta)*phi' + psi'",
        "disk.z = r*sin(theta)",
        "disk.vx^2 + disk.vy^2 + disk.vz^2 = x'^2 + y'^2 + disk.z'^2",
        "rim.x' = rim.vx",
        "rim.z'' = rim.vz'",
        "(rim.x - disk.x)^2 + (rim.y - disk.y)^2 + (rim.z - disk.z)^2 = r^2",
        "disk.wz' = cos(theta)*phi'' - sin(theta)*theta'*phi' + psi''",
    ];
    for text in identities {
        let e = crate::common::expression(&mut model, text);
        assert_zero(&mut model, e, text);
    }
    for (text, message) in [
        ("disk.q", "unknown name `disk.q`"),
        ("dsik.x", "unknown name `dsik.x`"),
        ("disk_ezx", "unknown name `disk_ezx`"),
    ] {
        let errors = Claims::equation(text, &mut model, &Limits::default()).unwrap_err();
        assert!(errors[0].message.starts_with(message), "{text}: {}", errors[0].message);
    }
}

#[test]
fn a_disk_that_lies_flat_is_refused_by_the_name_of_its_contact() {
    let mut model = load(&disk("r*sin(theta)", ""), "disk.toml");
    let theta = model.system.coordinate(&model.arena, "theta").expect("a coordinate");
    let flat = noslip::model::Overrides { position: vec![(theta, 0.0)], ..Default::default() };
    let error = model.initial_state(&flat).unwrap_err();
    assert_eq!(error.message, "contact `ground` is singular at the initial state");
}

/// T, V and constraints of a two-wheeled cart with a pendulum, written down by hand.
#[test]
fn wheels_seen_from_above_are_knife_edges_that_turn() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta", "a", "b"]
[parameters]
m = 2
J = 0.3
I = 0.01
R = 0.1
h = 0.2
[frames]
cart = { at = ["x", "y"], turn = { z = "theta" } }
[bodies.cart]
mass = "m"
inertia = "J"
[contacts.left]
body = "cart"
at = [0, "h"]
wheel = { along = "x", turn = "a", radius = "R", inertia = "I" }
[contacts.right]
body = "cart"
at = [0, "-h"]
wheel = { along = "x", turn = "b", radius = "R", inertia = "I" }
"#;
    let by_hand = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta", "a", "b"]
[parameters]
m = 2
J = 0.3
I = 0.01
R = 0.1
h = 0.2
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*(a'^2 + b'^2)"
[constraints]
left = "x'*cos(theta) + y'*sin(theta) - h*theta' = R*a'"
right = "x'*cos(theta) + y'*sin(theta) + h*theta' = R*b'"
across = "y'*cos(theta) = x'*sin(theta)"
"#;
    let (mut by_hand, mut model) = (load(by_hand, "by hand"), load(text, "cart.toml"));
    assert_same_motion(&mut by_hand, &mut model);
    assert!(model.notes.iter().any(|n| n.message.contains("`right_across` follows")), "{:?}", model.notes);
}

#[test]
fn two_wheels_of_one_axle_share_their_load_in_no_one_way() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta"]
[frames]
cart = { at = ["x", "y"], turn = { z = "theta" } }
[bodies.cart]
mass = 2
inertia = 0.3
[gravity]
g = 9.81
[contacts.left]
body = "cart"
at = [0.1, 0.2]
skates = "x"
friction = 0.3
[contacts.right]
body = "cart"
at = [0.1, -0.2]
skates = "x"
"#;
    let model = load(text, "cart.toml");
    let said = model.notes.iter().any(|n| n.message.contains("`left`, `right` cannot be told apart"));
    assert!(said && model.system.constraints.iter().all(|c| c.friction.is_none()), "{:?}", model.notes);
    // One alone carries the weight.
    let one = text[..text.find("[contacts.right]").expect("the second")].to_owned();
    let mut model = load(&one, "cart.toml");
    let limit = model.system.constraints[0].friction.expect("a limit");
    let weight = crate::common::expression(&mut model, "0.3*2*9.81");
    let difference = model.arena.sub(limit, weight);
    assert_zero(&mut model, difference, "μ m g");
}

#[test]
fn a_ball_slides_as_coulomb_says() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "z", "psi", "theta", "phi"]
[parameters]
m = 2
r = 0.3
mu = 0.2
[frames]
ball = { at = ["x", "y", "z"], turn = [{ z = "psi" }, { x = "theta" }, { z = "phi" }] }
[bodies.ball]
mass = "m"
shape = { ball = "r" }
[gravity]
g = 9.81
[contacts.ground]
body = "ball"
slides_on = "ground"
friction = "mu"
[initial]
position = { x = 0, y = 0, psi = 0, theta = 1, phi = 0 }
velocity = { x = 1, y = 0, psi = 0, theta = 0, phi = 0 }
[simulation]
until = 0.1
"#;
    let mut model = load(text, "ball.toml");
    let run = gallery::run(&mut model, &[0.0, 0.05, 0.1], 1e-11, &Default::default());
    // Without spin at first: x'' = −μ g, r ω' = 5/2 μ g.
    let mu_g = 0.2 * 9.81;
    for (i, t) in [0.0, 0.05, 0.1].into_iter().enumerate() {
        let x = gallery::along(&mut model, &run, "x")[i];
        assert!((x - (t - mu_g * t * t / 2.0)).abs() < 1e-9, "{x} at {t}");
        let slip = gallery::along(&mut model, &run, "x' - r*(sin(psi)*theta' - sin(theta)*cos(psi)*phi')")[i];
        assert!((slip - (1.0 - 3.5 * mu_g * t)).abs() < 1e-8, "{slip} at {t}");
    }
}

#[test]
fn systems_that_lose_nothing_keep_their_energy() {
    for (name, until) in [("two-balls", 0.5), ("ball-in-cone", 2.0), ("omniwheels", 2.0), ("whipple-bicycle", 1.0)] {
        let mut model = gallery::open(&format!("bodies/{name}"));
        let run = gallery::run(&mut model, &[0.0, until / 2.0, until], 1e-11, &Default::default());
        let energy = gallery::along(&mut model, &run, "energy");
        let scale = energy.iter().fold(1.0f64, |s, e| s.max(e.abs()));
        assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-8 * scale), "{name}: {energy:?}");
    }
}

#[test]
fn a_carrier_that_moves_without_turning_carries_what_rolls_on_it() {
    let text = r#"noslip = 1
[system]
coordinates = ["s", "x", "y", "psi", "theta", "phi"]
[parameters]
m = 0.5
M = 2
r = 0.1
[frames]
cart = { at = ["s", "0", "0"] }
ball = { at = ["x", "y", "r"], turn = [{ z = "psi" }, { x = "theta" }, { z = "phi" }] }
[bodies.cart]
mass = "M"
[bodies.ball]
mass = "m"
shape = { ball = "r" }
[contacts.roll]
body = "ball"
rolls_on = "cart"
[initial]
position = { theta = 1 }
velocity = { s = 0.5, x = 0.2, y = 0.1 }
"#;
    let mut model = load(text, "cart.toml");
    // What does not turn goes with the cart.
    let claim = Claims::equation(
        "(x' - s') - r*(sin(psi)*theta' - sin(theta)*cos(psi)*phi') = 0",
        &mut model,
        &Limits::default(),
    );
    let claim = claim.unwrap_or_else(|e| panic!("{}", e[0])).expr;
    assert!(crate::common::verdict(&model, claim).holds());
}
