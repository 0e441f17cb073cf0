use super::*;
use crate::expr::{Declared, Role, parse_expression};
use crate::limits::Limits;

fn verdict(text: &str) -> Verdict {
    let mut arena = Arena::new();
    for name in ["x", "y", "z", "n"] {
        arena.declare(name, Role::Coordinate);
    }
    let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
    is_zero(&mut arena, e, &ZeroOptions::default())
}

#[test]
fn verdicts() {
    for text in [
        "sin(x)^2+cos(x)^2-1",
        "sin(x)^2+cos(x)^2-1+y*10^(-9)",
        "sqrt(x^2)-x",
        "sqrt((x^2+1)^2)-x^2-1",
        "sqrt(x)*sqrt(y)-sqrt(x*y)",
        "cos(pi/5)-cos(2*pi/5)-1/2",
        "cos(asin(x))-sqrt(1-x^2)",
        "acos(x)+asin(x)-pi/2",
        "sqrt(1-cos(x))*sqrt(1+cos(x))-abs(sin(x))",
        "cos(10*(x+5)^40)-1",
        "(x+y+z)^100000-1",
    ] {
        println!("{text}: {:?}", verdict(text));
    }
}
