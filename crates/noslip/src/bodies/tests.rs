//! Parts of the layer by themselves.

use super::layer::Layer;
use super::shapes::Inertia;
use super::spec::Specs;
use crate::expr::{Declared, Expr, Role, parse_expression};
use crate::limits::Limits;
use crate::source::Written;

/// A layer that knows two coordinates and two parameters, and nothing else.
pub(super) fn with_layer<T>(ask: impl FnOnce(&mut Layer) -> T) -> T {
    let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
    let mut layer = Layer::new("", &limits, &specs, &written);
    for name in ["x", "y"] {
        let q = layer.arena.declare(name, Role::Coordinate);
        let v = layer.arena.dot(q);
        layer.arena.dot(v);
        layer.coordinates.push(q);
    }
    for name in ["a", "b"] {
        layer.arena.declare(name, Role::Parameter);
    }
    ask(&mut layer)
}

pub(super) fn read(layer: &mut Layer, text: &str) -> Expr {
    parse_expression(&mut layer.arena, text, &mut Declared, &Limits::default())
        .unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn two_equal_moments_of_inertia_make_a_body_round_about_the_third_axis() {
    with_layer(|layer| {
        let [a, b, c] = ["a", "b", "a + b"].map(|text| read(layer, text));
        for (moments, axis) in [([b, a, a], 0), ([a, b, a], 1), ([a, a, b], 2)] {
            match layer.principal(moments) {
                Inertia::Round { axis: found, along, across } => assert_eq!((found, along, across), (axis, b, a)),
                _ => panic!("not round about axis {axis}"),
            }
        }
        assert!(matches!(layer.principal([a, a, a]), Inertia::Ball(moment) if moment == a));
        assert!(matches!(layer.principal([a, b, c]), Inertia::Tensor(_)));
    });
}

#[test]
fn what_an_expression_costs_is_what_its_letters_mean_written_out() {
    with_layer(|layer| {
        let e = read(layer, "x*sin(y)");
        assert_eq!(layer.cost(e), 2);
        let letter = layer.declare_letter("s", e);
        let letter = layer.arena.symbol(letter);
        assert_eq!(layer.cost(letter), 2);
        let square = layer.arena.mul(letter, letter);
        // (x sin y)²: two operations, and the square.
        assert_eq!(layer.cost(square), 4);
        let bare = read(layer, "x");
        assert_eq!(layer.cost(bare), 0);
    });
}

#[test]
fn letters_have_the_order_of_what_they_mean() {
    with_layer(|layer| {
        for (text, role) in [
            ("a*b", Role::Parameter),
            ("a*x + t", Role::Coordinate),
            ("x*y'", Role::QuasiVelocity),
            ("x'*y''", Role::QuasiAcceleration),
        ] {
            let e = read(layer, text);
            let name = layer.free_name("s");
            let letter = layer.declare_letter(&name, e);
            assert_eq!(layer.arena.role(letter), role, "{text}");
        }
    });
}

#[test]
fn a_sum_and_its_opposite_have_one_letter_and_it_begins_with_a_plus() {
    with_layer(|layer| {
        for (given, named) in [
            ("a*sin(x)*cos(y) - x", "x - a*sin(x)*cos(y)"),
            ("x - a*sin(x)*cos(y)", "x - a*sin(x)*cos(y)"),
            // One term beside a number is no sum of directions: it is named as it stands.
            ("2 - b*sin(x)*cos(y)", "2 - b*sin(x)*cos(y)"),
        ] {
            let (given, named) = (read(layer, given), read(layer, named));
            let found = layer.signed_letter_if_long("n", given, 2);
            assert_eq!(layer.meaning(found), given);
            let letters = layer.arena.free_symbols(&[found]);
            let [letter] = letters[..] else { panic!("one letter") };
            let letter = layer.arena.symbol(letter);
            assert_eq!(layer.meaning(letter), named);
        }
        // What is short has no name.
        let short = read(layer, "a - x");
        assert_eq!(layer.signed_letter_if_long("n", short, 2), short);
    });
}
