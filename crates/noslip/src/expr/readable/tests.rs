use super::*;
use crate::expr::{Declared, Role, parse_expression};

fn arena() -> Arena {
    let mut arena = Arena::new();
    for p in "m r g l Ip a b J1 J2 M1 M2 l1 l2 F10 kappa1 kappa2 kappa3 L10".split(' ') {
        arena.declare(p, Role::Parameter);
    }
    for q in "x y z phi theta psi xi eta".split(' ') {
        arena.declare(q, Role::Coordinate);
    }
    for q in "u1 u2 u3 v".split(' ') {
        arena.declare(q, Role::QuasiVelocity);
    }
    arena.declare("lam1", Role::Multiplier);
    arena
}

fn show(text: &str) -> (String, usize) {
    let mut arena = arena();
    let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
    let start = std::time::Instant::now();
    let tree = readable(&mut arena, e, &Readable::default()).unwrap();
    let time = start.elapsed();
    let printed = Printer::new(Style::Text).print(&arena, &tree);
    let back = tree.to_expr(&mut arena);
    let difference = arena.sub(back, e);
    let mut n = Normalizer::new(Options::default());
    assert!(n.is_zero(&mut arena, difference).unwrap());
    println!("{} ops {} ({:?})", printed, tree.operations(), time);
    (printed, tree.operations())
}

#[test]
fn try_it() {
    for text in [
        "1/4*m*r^2*u1'+1/4*m*r^2*u1*u2*cot(theta)-1/2*m*r^2*u2*u3",
        "5/4*m*r^2*theta''-1/4*m*r^2*u1^2*cot(theta)+3/2*m*r^2*u1*u3+m*g*r*cos(theta)",
        "3/2*m*r^2*u3'-m*r^2*u1*u2",
        "m*x''*cos(phi)+m*y''*sin(phi)-m*l*phi'^2",
        "Ip*phi''-m*l*x''*sin(phi)+m*l*y''*cos(phi)",
        "2*m*(x''*cos(phi)+y''*sin(phi)+phi'*(-x'*sin(phi)+y'*cos(phi)))-m*l*phi'^2",
        "m*l^2*phi''+m*l*v*phi'",
        "m*x''+(m*z''+m*g)*(b^2/a^2*x'/z')",
        "(m*z''+m*g)*(-b^2/a^2/(2*z'))-lam1",
        "l1*cos(phi)*cos(theta)+l2*(cos(phi)*cos(theta)-sin(phi)*sin(theta))",
        "l1*cos(phi)*sin(theta)-l1*sin(phi)*cos(theta)",
        "J1*sin(phi)^2*x'^2+J1*cos(phi)^2*x'^2 + m*cos(phi)^2-m*sin(phi)^2 + 2*r*sin(phi)*cos(phi)",
        "((J1+J2+M2*l1^2)+2*M2*l1*l2+(M1+M2)*(l2^2+l1^2*cos(theta)^2+2*l1*l2*cos(theta)^2)/sin(theta)^2)*phi''+J2*theta''-(l1+l2)^2*(M1+M2)*cos(theta)/sin(theta)^3*phi'*theta'-F10*(l1+l2)*cot(theta)+kappa2*phi'*(l2^2+l1^2*cos(theta)^2+2*l1*l2*cos(theta)^2)/sin(theta)^2",
        "((J1+J2+M2*l1^2)+2*M2*l1*l2+(M1+M2)*(l2^2+l1^2*cos(theta)^2+2*l1*l2*cos(theta)^2)/sin(theta)^2)*phi''+J2*theta''-(l1+l2)^2*(M1+M2)*cos(theta)/sin(theta)^3*phi'*theta'-((F10*cos(phi)-kappa2*xi')*(l1*cos(phi)*cos(theta)+l2*(cos(phi)*cos(theta)-sin(phi)*sin(theta)))/sin(theta) + (F10*sin(phi)-kappa2*eta')*(l1*sin(phi)*cos(theta)+l2*(sin(phi)*cos(theta)+cos(phi)*sin(theta)))/sin(theta))",
        "sin(3*theta)+x/(m+l*cos(theta)^2)+x'/(m+l*cos(theta)^2)+1",
        "sqrt(m^2*cos(theta)^2+m^2*sin(theta)^2+2*m*l+l^2)*exp(x+x)",
        "abs(m)*atan((x*y+x*z)/x)",
    ] {
        show(text);
    }
}
