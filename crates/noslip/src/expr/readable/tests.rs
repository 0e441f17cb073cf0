use super::atoms::{Atoms, Trig};
use super::search::Search;
use crate::expr::arena::{Arena, Expr, Function, Node};
use crate::expr::poly::{Budget, Monomial, Poly};
use crate::expr::{Declared, Printer, Rational, Role, Style, Tree, parse_expression};
use crate::limits::Limits;
use rustc_hash::FxHashMap;

fn arena() -> Arena {
    let mut arena = Arena::new();
    for p in "m r g l Ip a b J1 J2 M1 M2 l1 l2 F10 kappa2".split(' ') {
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

fn mini(arena: &Arena, e: Expr) -> (Atoms, Poly) {
    let mut budget = Budget::default();
    let mut atoms = Atoms::default();
    let mut angles = FxHashMap::default();
    let mut value: FxHashMap<Expr, Poly> = FxHashMap::default();
    for e in arena.reachable(&[e]) {
        let tree = || Tree::of(arena, e, &Limits::default()).unwrap();
        let p = match arena.node(e) {
            Node::Number(n) => Poly::constant(n.clone()),
            Node::Symbol(s) => Poly::var(atoms.plain(
                tree(),
                arena.name(*s).len(),
                matches!(
                    arena.role(*s),
                    Role::Velocity | Role::Acceleration | Role::QuasiVelocity | Role::QuasiAcceleration
                ),
            ))
            .unwrap(),
            Node::Sum { constant, terms } => {
                let mut list = vec![Poly::constant(constant.clone())];
                list.extend(terms.iter().map(|(t, c)| value[t].scale(c)));
                Poly::sum(&list)
            }
            Node::Product { coefficient, factors } => {
                let mut p = Poly::constant(coefficient.clone());
                for (f, e) in factors {
                    let e = e.to_i64().unwrap() as i32;
                    let f = &value[f];
                    let power = if e > 0 {
                        f.pow(e, &mut budget).unwrap()
                    } else {
                        assert_eq!(f.len(), 1);
                        let (m, c) = &f.terms()[0];
                        Poly::term(m.pow(e).unwrap(), c.pow(e).unwrap())
                    };
                    p = p.mul(&power, &mut budget).unwrap();
                }
                p
            }
            Node::Call(f, a) => {
                let angle = *angles.entry(*a).or_insert_with(|| {
                    let tree = Tree::of(arena, *a, &Limits::default()).unwrap();
                    let length = Printer::new(Style::Text).print(arena, &tree).len();
                    atoms.angle(tree, length)
                });
                let trig = match f {
                    Function::Sin => Trig::Sin,
                    Function::Cos => Trig::Cos,
                    Function::Tan => Trig::Tan,
                    Function::Cot => Trig::Cot,
                    _ => panic!(),
                };
                let (m, _) = atoms.in_sine_and_cosine(angle, trig, 1).unwrap().unwrap();
                Poly::term(m, Rational::ONE)
            }
            _ => panic!(),
        };
        value.insert(e, p);
    }
    (atoms, value[&e].clone())
}

fn show(text: &str) -> (String, usize) {
    let mut arena = arena();
    let e = parse_expression(&mut arena, text, &mut Declared, &Limits::default()).unwrap();
    let (mut atoms, p) = mini(&arena, e);
    let angles: Vec<_> = p.variables().into_iter().filter_map(|v| atoms.as_trig(v)).map(|a| a.0).collect();
    for &a in &angles {
        for &b in &angles {
            if a < b {
                for sign in [1, -1] {
                    let trees = [a, b].map(|a| match atoms.tree(atoms.trig(a, Trig::Sin)) {
                        Tree::Call(_, ref a) => (**a).clone(),
                        _ => panic!(),
                    });
                    let [x, y] = trees;
                    let of = super::atoms::Combination { first: a, second: b, sign };
                    atoms.combination(Tree::sum(vec![(false, x), (sign < 0, y)]), 8, of);
                }
            }
        }
    }
    let start = std::time::Instant::now();
    let mut search = Search::new(&atoms, Budget::default(), 300);
    let form = search.form(&p).unwrap();
    let time = start.elapsed();
    let tree = form.tree(&arena, &atoms);
    let printed = Printer::new(Style::Text).print(&arena, &tree);
    println!("{} ops {} ({:?}, {} terms)", printed, tree.operations(), time, p.len());
    let _ = Monomial::ONE;
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
    ] {
        show(text);
    }
}
