//! Small files, and what loading says of them.

use super::*;

#[test]
fn what_an_author_wrote_is_found_in_the_short_and_in_the_long_form() {
    let model: Model =
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = 3\n\
         [constraints]\nshort = \"x' = y\"\nlong = { equation = \"y' = x\" }\n"
            .parse()
            .unwrap_or_else(|e| panic!("{e:?}"));
    assert_eq!(model.written("energy", "kinetic"), Some("(x'^2 + y'^2)/2"));
    assert_eq!(model.written("constraints", "short"), Some("x' = y"));
    assert_eq!(model.written("constraints", "long"), Some("y' = x"));
    assert_eq!(model.written("energy", "potential"), None);
    assert_eq!(model.written("energy", "nothing"), None);
}

/// A free particle, and what else its file says.
fn particle(more: &str) -> Result<Model, Errors> {
    let head = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n";
    format!("{head}{more}").parse()
}

#[test]
fn quasi_velocities_are_none_or_as_many_as_the_constraints_leave() {
    for (section, good) in [
        ("", true),
        ("[quasi_velocities]\n", true),
        ("[quasi_velocities]\nu = \"x'\"\n", false),
        ("[quasi_velocities]\nu = \"x'\"\nv = \"x' + y'\"\n", true),
        ("[constraints]\nc = \"x' = y'\"\n[quasi_velocities]\nu = \"x'\"\n", true),
    ] {
        assert_eq!(particle(section).is_ok(), good, "{section}");
    }
}

#[test]
fn velocities_that_are_given_by_quasi_velocities_satisfy_the_constraints() {
    let given = |y: &str| {
        particle(&format!("[constraints]\nc = \"y' = 2*x'\"\n[quasi_velocities]\n\"x'\" = \"v\"\n\"y'\" = \"{y}\"\n"))
    };
    assert!(given("2*v").is_ok() && given("v + v").is_ok());
    let errors = given("3*v").expect_err("another velocity");
    assert!(errors[0].message.ends_with("violate constraint `c`"), "{errors:?}");
}

#[test]
fn a_model_may_have_as_many_coordinates_as_are_allowed_and_not_one_more() {
    let text =
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n";
    let load = |coordinates| Model::load(text, "m", &Limits { coordinates, ..Limits::default() });
    assert!(load(3).is_ok());
    let errors = load(2).expect_err("one too many");
    assert_eq!(errors[0].kind, crate::ErrorKind::Limit, "{errors:?}");
}

#[test]
fn an_argument_that_is_no_name_is_known_by_itself_alone_and_by_its_number_among_others() {
    // a is one of x − y: its derivative by that is a'. b is one of two things, and b_1 the derivative by the first.
    let text = "[functions]\na = \"x - y\"\nb = \"x - y, x*y\"\n";
    let same = |first: &str, second: &str| {
        let mut model = particle(text).unwrap_or_else(|e| panic!("{e:?}"));
        let [e, f] = [first, second].map(|t| model.expression(t).unwrap_or_else(|e| panic!("{t}: {e}")));
        e == f
    };
    assert!(same("a'(x - y)", "a'(x - y)") && !same("a'(x - y)", "a(x - y)"));
    assert!(same("b_1", "b_1(x - y, x*y)") && !same("b_1", "b_2"));
    let mut model = particle(text).unwrap_or_else(|e| panic!("{e:?}"));
    for (name, arguments) in [("a", &["x - y"][..]), ("b", &["1", "2"])] {
        let e = model.expression(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let [f] = model.arena.unspecified_in(&[e])[..] else { panic!("one function") };
        assert_eq!(model.arena.unspecified_function(f).arguments, arguments);
    }
}

#[test]
fn a_table_knows_of_what_it_is_one() {
    let text = "[tables.f]\nof = \"x*y\"\nat = [0, 1]\nvalues = [2, 3]\n[tables.g]\nat = [0, 1]\nvalues = [2, 3]\n";
    let mut model = particle(text).unwrap_or_else(|e| panic!("{e:?}"));
    let product = model.expression("x*y").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(model.system.tables.iter().map(|t| t.of).collect::<Vec<_>>(), [Some(product), None]);
}

#[test]
fn an_initial_acceleration_belongs_to_constraints_of_third_order() {
    let initial = "[initial]\nacceleration = { x = 1 }\n";
    let errors = particle(initial).expect_err("the equations of motion give it");
    assert!(errors[0].message.contains("initial acceleration"), "{errors:?}");
    assert!(particle(&format!("[constraints]\nc = \"x''' = y\"\n{initial}")).is_ok());
}

#[test]
fn a_mistake_in_the_potential_hides_none_in_the_quasi_velocities() {
    let errors = particle("potential = \"left*x\"\n[quasi_velocities]\nu = \"x' + right\"\nv = \"y'\"\n")
        .expect_err("two names that nothing has");
    for name in ["left", "right"] {
        assert!(errors.iter().any(|e| e.message.contains(&format!("`{name}`"))), "{name}: {errors:?}");
    }
}
