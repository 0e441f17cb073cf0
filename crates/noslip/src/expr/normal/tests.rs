use super::*;
use crate::expr::{Declared, Role, parse_expression};

fn arena() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z", "u", "theta", "phi", "psi"] {
        arena.declare(name, Role::Coordinate);
    }
    for name in ["a", "b", "c", "m", "r", "n"] {
        arena.declare(name, Role::Parameter);
    }
    arena
}

fn parse(arena: &mut Arena, text: &str) -> Expr {
    parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap()
}

fn show(text: &str) -> String {
    let mut arena = arena();
    let e = parse(&mut arena, text);
    let mut normalizer = Normalizer::new(Options::default());
    let form = normalizer.normalize(&mut arena, e).unwrap();
    let back = normalizer.to_expr(&mut arena, &form);
    {
        let t = crate::expr::Tree::of(&arena, back, &Limits::default()).unwrap();
        crate::expr::Printer::new(crate::expr::Style::Text).print(&arena, &t)
    }
}

#[test]
fn simple_forms() {
    for text in [
        "(x+y)^2-x^2-2*x*y",
        "sin(x)^2+cos(x)^2",
        "sin(2*x)/cos(x)",
        "(1-cos(x)^2)/sin(x)",
        "1/sin(x)+1/cos(x)",
        "x/(x^2-y^2)-1/(x-y)",
        "sqrt(4*y)",
        "sqrt(x^2)",
        "sqrt(x)*sqrt(y)-sqrt(x*y)",
        "exp(x+y)*exp(-y)",
        "sinh(x)+exp(x)",
        "x/sqrt(1+x^2)",
        "tan(x/2)-sin(x)/(1+cos(x))",
        "cos(x+pi/6)",
        "cosh(x)^2-sinh(x)^2",
        "cos(asin(x))",
        "log(x*y)-log(x)-log(y)",
        "x^n*x-x^(n+1)",
    ] {
        println!("{text}  =>  {}", show(text));
    }
}

#[test]
fn dbg() {
    for text in [
        "(-tan(5*x/2))^(3/2)*(3*b - 3*a)*cos(x/2)",
        "log(y + z)*(-tan(5*x/2))^(3/2)*(3*b - 3*a)*(2*x*y*b - 3*z/x - 2*cos(x/2))",
    ] {
        println!("{text}  =>  {}", show(text));
        let t = show(text);
        println!("   =>  {}", show(&t));
    }
}
