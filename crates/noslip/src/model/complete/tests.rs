use super::*;
use crate::limits::Limits;

fn model(text: &str) -> Model {
    Model::load(&format!("noslip = 1\n{text}"), "test", &Limits::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

const SLEIGH: &str = r#"
[system]
coordinates = ["x", "y", "phi"]
[parameters]
m = 2
J = 0.5
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
[constraints]
knife = "x'*sin(phi) = y'*cos(phi)"
"#;

fn close(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn missing_velocities_come_from_the_constraints_and_it_is_said() {
    let text = format!("{SLEIGH}\n[initial]\nposition = {{ phi = \"pi/6\" }}\nvelocity = {{ x = 3 }}");
    let mut sleigh = model(&text);
    let state = sleigh.initial_state(&Overrides::default()).unwrap();
    let tan = (std::f64::consts::PI / 6.0).tan();
    assert!(close(&state.velocity, &[3.0, 3.0 * tan, 0.0]), "{state:?}");
    let said: Vec<(&str, f64, Choice)> =
        state.completed.iter().map(|c| (sleigh.arena.name(c.symbol), c.value, c.how)).collect();
    let sideways = state.velocity[1];
    use Choice::{Constraints, Zero};
    assert_eq!(said, [("x", 0.0, Zero), ("y", 0.0, Zero), ("y'", sideways, Constraints), ("phi'", 0.0, Zero)]);
}

#[test]
fn a_velocity_that_is_zero_but_for_rounding_is_zero() {
    // cos(π/2) is 6·10⁻¹⁷ in floating point.
    let text = format!("{SLEIGH}\n[initial]\nposition = {{ phi = \"pi/2\" }}\nvelocity = {{ y = 5 }}");
    let mut sleigh = model(&text);
    let state = sleigh.initial_state(&Overrides::default()).unwrap();
    assert_eq!(state.velocity, [0.0, 5.0, 0.0]);
    let chosen = Completed { symbol: sleigh.system.velocities[0], value: 0.0, how: Choice::Constraints, other: None };
    assert!(state.completed.contains(&chosen), "{state:?}");
    // What is small but not rounding stays.
    let text = format!("{SLEIGH}\n[initial]\nposition = {{ phi = \"pi/2 + 1e-12\" }}\nvelocity = {{ y = 5 }}");
    let state = model(&text).initial_state(&Overrides::default()).unwrap();
    assert!((state.velocity[0] + 5e-12).abs() < 1e-14, "{state:?}");
}

#[test]
fn completion_is_the_least_change_in_the_metric_of_the_kinetic_energy() {
    // x' + y' = 1 from rest with masses 1 and 3: momentum per mass is shared, x' = 3/4, y' = 1/4.
    let text = "[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + 3*y'^2)/2\"\n\
                [constraints]\nc = \"x' + y' = 1\"\n[initial]\n";
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    assert!((state.velocity[0] - 0.75).abs() < 1e-9 && (state.velocity[1] - 0.25).abs() < 1e-9, "{state:?}");
}

#[test]
fn an_inconsistent_state_is_explained_with_its_residual_and_the_nearest_consistent_one() {
    let text = format!(
        "{SLEIGH}\n[initial]\nposition = {{ x = 0, y = 0, phi = 0 }}\nvelocity = {{ x = 3, y = 0.5, phi = 1 }}"
    );
    let mut m = model(&text);
    let error = m.initial_state(&Overrides::default()).unwrap_err();
    assert_eq!(error.message, "the initial velocity violates the constraint `knife` by -0.5");
    assert_eq!(error.hint.as_deref(), Some("the nearest consistent one is velocity = { x = 3, y = 0, phi = 1 }"));
    assert!(error.span.is_some());
    let overrides = Overrides { velocity: vec![(1, 0.0)], ..Overrides::default() };
    assert!(close(&m.initial_state(&overrides).unwrap().velocity, &[3.0, 0.0, 1.0]));
    // Rounding errors are not inconsistencies.
    let overrides = Overrides { velocity: vec![(1, 1e-12)], ..Overrides::default() };
    let state = m.initial_state(&overrides).unwrap();
    assert!(state.velocity[1].abs() < 1e-20, "projected silently: {state:?}");
}

#[test]
fn given_values_are_never_changed_to_satisfy_a_constraint_the_missing_ones_cannot() {
    let text = format!("{SLEIGH}\n[initial]\nposition = {{ phi = 0 }}\nvelocity = {{ y = 0.5 }}");
    let error = model(&text).initial_state(&Overrides::default()).unwrap_err();
    assert!(error.message.starts_with("no choice of the missing values"), "{error}");
}

#[test]
fn holonomic_and_nonlinear_constraints_are_solved_by_newton() {
    let text = r#"
[system]
coordinates = ["x", "y", "z"]
[energy]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
[constraints]
circle = "x^2 + y^2 = 25"
speed = "z'^2 = x'^2 + y'^2"
[initial]
position = { x = 3, y = 4 }
velocity = { x = 4 }
"#;
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    assert!(close(&state.position, &[3.0, 4.0, 0.0]) && close(&state.velocity, &[4.0, -3.0, 5.0]), "{state:?}");
    let missing = text.replace("x = 3, y = 4", "x = 3");
    let state = model(&missing).initial_state(&Overrides::default()).unwrap();
    assert!(close(&state.position, &[3.0, 4.0, 0.0]), "{state:?}");
    let wrong = text.replace("x = 3, y = 4", "x = 6, y = 8, z = 1");
    let error = model(&wrong).initial_state(&Overrides::default()).unwrap_err();
    assert_eq!(error.message, "the initial position violates the constraint `circle` by 75");
    assert_eq!(error.hint.as_deref(), Some("the nearest consistent one is position = { x = 3, y = 4, z = 1 }"));
}

#[test]
fn massless_parts_and_dependent_constraints_do_no_harm() {
    let text = r#"
[system]
coordinates = ["x", "theta"]
[parameters]
r = 2
[energy]
kinetic = "x'^2/2"
[constraints]
roll = "x' = r*theta'"
again = "x'*cos(x) = r*theta'*cos(x)"
[initial]
velocity = { x = 3 }
"#;
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    assert!(close(&state.velocity, &[3.0, 1.5]), "{state:?}");
}

#[test]
fn parameters_can_be_replaced_and_what_depends_on_them_follows() {
    let text = SLEIGH.replace("J = 0.5", "J = \"m/4\"\nu = \"2*J\"") + "[initial]\nvelocity = { x = \"u\" }";
    let mut m = model(&text);
    assert_eq!(m.initial_state(&Overrides::default()).unwrap().velocity[0], 1.0);
    let mass = m.arena.lookup("m").unwrap();
    let overrides = Overrides { parameters: vec![(mass, 6.0)], ..Overrides::default() };
    assert_eq!(m.initial_state(&overrides).unwrap().velocity[0], 3.0);
}

#[test]
fn where_the_kinetic_energy_is_not_positive_completion_is_the_least_change_in_plain_lengths() {
    let text = "[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 - 3*y'^2 + z'^2)/2\"\n\
                [constraints]\nc = \"x' + y' + z' = 3\"\n[initial]\n";
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    assert!(state.velocity.iter().all(|v| (v - 1.0).abs() < 1e-9), "{state:?}");
}

#[test]
fn a_velocity_that_cannot_be_zero_is_looked_for_from_a_tenth_of_the_given_ones() {
    let velocity = |constraint: &str, given: &str| {
        let text = format!(
            "[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [constraints]\nc = \"{constraint}\"\n[initial]\n{given}"
        );
        model(&text).initial_state(&Overrides::default()).unwrap_or_else(|e| panic!("{constraint}: {e:?}")).velocity[0]
    };
    // At rest the constraint is flat, and nothing is given that says how fast.
    assert!((velocity("x'^2 = 4", "") - 2.0).abs() < 1e-9);
    // Flat again, with two speeds to choose from: beside a million it is the one near a hundred thousand.
    let found = velocity("(x'^2 - 30000^2)*(x'^2 - 10000000^2) = 0", "velocity = { y = 1000000 }");
    assert!((found - 30000.0).abs() < 1e-3, "{found}");
}

#[test]
fn one_component_of_a_quaternion_is_completed_to_a_unit_by_another() {
    let text = "[system]\ncoordinates = [\"x\", \"w\", \"i\", \"j\", \"k\"]\n\
                [frames]\ntop = { at = [\"x\", 0, 0], quaternion = [\"w\", \"i\", \"j\", \"k\"] }\n\
                [bodies.top]\nmass = 1\ninertia = [0.1, 0.12, 0.03]\n[initial]\nposition = { i = 0.2 }\n";
    let state = model(text).initial_state(&Overrides::default()).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(close(&state.position, &[0.0, 0.96f64.sqrt(), 0.2, 0.0, 0.0]), "{state:?}");
}

const QUATERNION: &str = r#"
[system]
coordinates = ["w", "x", "y", "z", "h"]
[energy]
kinetic = "(w'^2 + x'^2 + y'^2 + z'^2 + h'^2)/2"
[constraints]
unit = "w^2 + x^2 + y^2 + z^2 = 1"
height = "h^2 = 4"
"#;

#[test]
fn what_another_relation_made_move_goes_back_to_zero_where_it_may() {
    // h is flat at zero and needs a guess; the quaternion does not.
    let state = model(&format!("{QUATERNION}[initial]\nposition = {{ w = 1 }}")).initial_state(&Overrides::default());
    assert_eq!(state.expect("a state").position, [1.0, 0.0, 0.0, 0.0, 2.0]);
    // What is small for a reason stays: y² = 1 − w².
    let text = format!("{QUATERNION}[initial]\nposition = {{ w = \"sqrt(1 - 1e-8)\", x = 0, z = 0 }}");
    let state = model(&text).initial_state(&Overrides::default()).expect("a state");
    assert!((state.position[2].abs() - 1e-4).abs() < 1e-10 && state.position[4] == 2.0, "{state:?}");
}

#[test]
fn for_a_quaternion_of_zeros_the_identity_is_proposed() {
    let text = format!("{QUATERNION}[initial]\nposition = {{ w = 0, x = 0, y = 0, z = 0, h = 2 }}");
    let unit = text.replace("height = \"h^2 = 4\"", "").replace(", \"h\"", "").replace(", h = 2", "");
    let unit = unit.replace(" + h'^2", "");
    let error = model(&unit).initial_state(&Overrides::default()).expect_err("zeros");
    let hint = error.hint.unwrap_or_default();
    assert_eq!(hint, "the nearest consistent one is position = { w = 1, x = 0, y = 0, z = 0 }");
}

/// Where Newton's method had to look to one side of zero, the solution on the other side is told too, of what differs in it.
#[test]
fn beside_a_velocity_that_was_looked_for_the_opposite_one_is_told() {
    let text = r#"
[system]
coordinates = ["x", "y", "z", "w"]
[energy]
kinetic = "(x'^2 + y'^2 + z'^2 + w'^2)/2"
[constraints]
speed = "z'^2 = x'^2 + y'^2"
same = "w' = x'"
[initial]
velocity = { x = 3, y = 4 }
"#;
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    let completed: Vec<_> = state.completed.iter().filter(|c| c.how == Choice::Constraints).collect();
    let [z, w] = completed[..] else { panic!("{completed:?}") };
    assert!(close(&[z.value.abs(), w.value], &[5.0, 3.0]), "{completed:?}");
    assert!(z.other.is_some_and(|other| close(&[other], &[-z.value])) && w.other.is_none(), "{completed:?}");
}

#[test]
fn massless_parts_that_constraints_determine_do_not_move_the_nearest_state() {
    // p has no mass, and follows x as a point of contact does: y stays as it is, not at 1e-9 of x.
    let text = "[system]\ncoordinates = [\"x\", \"y\", \"p\"]\n[energy]\nkinetic = \"(x'^2 + 0.004*y'^2)/2\"\n\
                [constraints]\nc = \"p' = x' + 20*y'\"\n[initial]\nvelocity = { x = 1 }\n";
    let state = model(text).initial_state(&Overrides::default()).unwrap();
    assert_eq!(state.velocity, [1.0, 0.0, 1.0]);
    // One that nothing determines stands still.
    let state = model(&text.replace("p' = x' + 20*y'", "y' = x'")).initial_state(&Overrides::default()).unwrap();
    assert_eq!(state.velocity, [1.0, 1.0, 0.0]);
}
