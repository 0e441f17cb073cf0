//! The shortest equation wins: forms that give the same equations in the same variables print them as short as each other.
//!
//! `cargo run --release -p noslip --example lengths` writes the page with every model. Here are those that take no time.

use crate::common::gallery::for_each;
use crate::common::lengths::{UNEVEN, models, sets};
use crate::common::root;

/// Models that take longer: their lines of the page are not checked.
const SLOW: [&str; 22] = [
    "bodies/ball-in-torus",
    "bodies/ball-on-egg-crate",
    "bodies/ellipsoid-on-ellipsoid",
    "bodies/motorcycle",
    "bodies/ellipsoid-on-plane",
    "bodies/pendulum-driven-ball",
    "bodies/rattleback",
    "bodies/tricycle",
    "bodies/two-balls",
    "bodies/whipple-bicycle",
    "car-with-three-trailers",
    "car-with-two-trailers",
    "chain-of-skates",
    "ellipsoid-on-plane",
    "pursuit",
    "rattleback",
    "rigid-body-controlled-rotation",
    "suslov-clockwork",
    "talamucci-linear-rheonomic",
    "talamucci-linear-scleronomic",
    "talamucci-nonlinear-rheonomic",
    "talamucci-nonlinear-scleronomic",
];

#[test]
fn forms_that_give_the_same_equations_print_them_as_short_as_each_other() {
    let page = std::fs::read_to_string(root().join("docs/src/gallery/lengths.md")).expect("the page");
    let mut models = models();
    models.retain(|(name, _)| !SLOW.contains(&name.as_str()));
    let all = for_each(&models, |(name, text)| sets(name, text));
    let mut wrong = Vec::new();
    for ((name, text), sets) in models.iter().zip(&all) {
        for set in sets {
            let excused = UNEVEN.iter().any(|(model, form, _)| model == name && *form == set.longest().form);
            if set.is_uneven() && !excused || !page.contains(&set.row(name)) {
                let why = if set.is_uneven() { set.why(name, text) } else { String::new() };
                wrong.push(format!("{}{why}\n", set.row(name)));
            }
        }
    }
    let command = "cargo run --release -p noslip --example lengths";
    assert!(wrong.is_empty(), "longer by more than a tenth, or not in the page ({command}):\n{}", wrong.concat());
}
