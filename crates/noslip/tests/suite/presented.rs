//! What is printed with abbreviations says the same as what was derived.

use crate::common::load;
use noslip::expr::field::Fp;
use noslip::expr::normal::Options;
use noslip::expr::zero::{FieldEvaluator, FieldPoint};
use noslip::expr::{Expr, Symbol, Tree};
use noslip::forms::Presented;
use noslip::mechanics::{Equations, Workbench};

/// A printed expression with its letters written out.
fn in_full(w: &mut Workbench, tree: &Tree, presented: &Presented) -> Expr {
    let mut e = tree.to_expr(&mut w.g);
    // Each letter may contain those before it.
    for (letter, value) in presented.abbreviations.iter().rev() {
        let value = value.to_expr(&mut w.g);
        e = w.g.substitute(e, &[(*letter, value)].into_iter().collect());
    }
    e
}

/// The values of two expressions at a point where both have one.
fn values(w: &mut Workbench, a: Expr, b: Expr, point: impl Fn(u64) -> FieldPoint) -> (Fp, Fp) {
    let evaluator = FieldEvaluator::new(&mut w.g, &[a, b], &Options::default());
    let found = (0..50).find_map(|seed| evaluator.at(&w.g, &point(seed)).ok());
    let v = found.expect("the expressions have values in the field");
    (v[0], v[1])
}

/// Are the expressions equal?
fn same(w: &mut Workbench, a: Expr, b: Expr) -> bool {
    let (a, b) = values(w, a, b, FieldPoint::new);
    a == b
}

/// Are the expressions proportional, by a factor free of the unknowns? An equation may lose a sign and a denominator.
fn proportional(w: &mut Workbench, a: Expr, b: Expr, unknowns: &[Symbol]) -> bool {
    let moved = |by: i64| {
        let mut i = by;
        let map = unknowns.iter().map(|&u| {
            i = i * 31 + 7;
            (u, i)
        });
        map.collect::<Vec<_>>()
    };
    let at = |by: i64| {
        let list = moved(by);
        move |seed| {
            let mut point = FieldPoint::new(seed);
            list.iter().for_each(|&(u, v)| point.set(u, Fp::from_i64(v)));
            point
        }
    };
    let ((a1, b1), (a2, b2)) = (values(w, a, b, at(3)), values(w, a, b, at(1001)));
    a1 * b2 == a2 * b1 && (a1 == Fp::ZERO) == (b1 == Fp::ZERO)
}

/// What is printed of a form says what was derived.
pub fn check(w: &mut Workbench, eq: &Equations, shown: &Presented, what: &str) {
    for (tree, &e) in shown.equations.iter().zip(&eq.equations) {
        let back = in_full(w, tree, shown);
        if proportional(w, back, e, &eq.unknowns) {
            continue;
        }
        // Written with the velocities that the form's own variables give.
        let velocities = eq.velocities.iter().copied().collect();
        let [back, e] = [back, e].map(|x| w.g.substitute(x, &velocities));
        assert!(proportional(w, back, e, &eq.unknowns), "{what}: an equation");
    }
    let pairs = [(&shown.kinematics, &eq.velocities), (&shown.reactions, &eq.reactions)];
    for ((_, tree), &(s, e)) in pairs.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
        let back = in_full(w, tree, shown);
        assert!(same(w, back, e), "{what}: {}", w.g.name(s));
    }
    for (object, o) in shown.objects.iter().zip(&eq.objects) {
        let back = in_full(w, &object.value, shown);
        assert!(same(w, back, o.value), "{what}: {}", o.symbol);
    }
}

#[test]
fn a_wrong_equation_is_not_taken_for_the_derived_one() {
    let model = load(
        "noslip = 1\n[system]\nname = \"p\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"x'^2 + x'*y' + y'^2\"\n",
    );
    let mut w = model.workbench();
    let unknowns = w.system.accelerations.clone();
    let [a, b] = [0, 1].map(|i| unknowns[i]).map(|s| w.g.symbol(s));
    let (sum, double, difference) = (w.g.add(a, b), w.g.add(a, a), w.g.sub(a, b));
    let twice = w.g.add(sum, sum);
    assert!(proportional(&mut w, sum, twice, &unknowns));
    assert!(!proportional(&mut w, sum, difference, &unknowns) && !proportional(&mut w, sum, double, &unknowns));
    assert!(same(&mut w, sum, sum) && !same(&mut w, sum, difference));
}

#[test]
fn what_stands_beside_the_equations_is_what_is_not_zero() {
    let system = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 3\na = 1\nu = 1\nk = 1\n\
                  [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n[constraints]\n";
    let knife = "knife = \"y' = x'*tan(phi) + a*phi'\"\n";
    let moving = "knife = \"y' = x'*tan(phi) + a*phi' + u*cos(x)\"\n";
    let force = "[forces]\nphi = \"-k*phi'\"\n";
    let flat = knife.replace("tan(phi)", "tan(a)");
    let curved = knife.replace("tan(phi)", "x").replace("a*phi'", "x*phi'");
    for (text, form, beginning, expected) in [
        (format!("{system}{knife}"), "lagrange-multipliers", "B[knife]", false),
        (format!("{system}{moving}"), "lagrange-multipliers", "B[knife]", true),
        (format!("{system}{knife}"), "suslov", "Q°", false),
        (format!("{system}{knife}{force}"), "suslov", "Q°", true),
        (format!("{system}{flat}"), "chaplygin", "B[", false),
        (format!("{system}{curved}"), "chaplygin", "B[", true),
    ] {
        let model = load(&text);
        let mut w = model.workbench();
        let eq = noslip::form(form).expect("a form").derive(&mut w).unwrap_or_else(|e| panic!("{form}: {e}"));
        let shown: Vec<&str> =
            eq.objects.iter().map(|o| o.symbol.as_str()).filter(|s| s.starts_with(beginning)).collect();
        assert_eq!(!shown.is_empty(), expected, "{form}: {shown:?}\n{text}");
    }
}
