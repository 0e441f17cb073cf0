use super::*;
use crate::expr::{Function, Rational};
use crate::model::Model;

#[test]
fn the_best_suited_form_applies_and_none_of_the_others_is_shorter() {
    let head = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 3\na = 1\n";
    let sledge = "[energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n\
                  [constraints]\nknife = \"x'*sin(phi) - y'*cos(phi) + a*phi' = 0\"\n";
    let quasi = "[quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n";
    let nonlinear = "[energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n\
                     [constraints]\nspeed = \"x'^2 + y'^2 = phi'^2\"\n";
    for text in [format!("{head}{sledge}"), format!("{head}{sledge}{quasi}"), format!("{head}{nonlinear}")] {
        let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        let mut length = |form: &dyn Form| {
            (form.applies(&mut w) == Applicability::Applies)
                .then(|| form.derive(&mut w).and_then(|eq| present(&mut w, &eq.brief())).expect("equations").length())
        };
        let own = usize::from(!text.contains("quasi"));
        let lengths: Vec<(usize, &str)> = CANDIDATES[own..]
            .iter()
            .filter_map(|ids| ids.iter().find_map(|id| Some((length(by_id(id)?)?, *id))))
            .collect();
        // Of several of one length the first.
        let least = lengths.iter().map(|x| x.0).min().expect("a form that applies");
        let first = lengths.iter().find(|x| x.0 == least).expect("the shortest").1;
        assert_eq!(best_suited(&mut w).map(|form| form.id()), Some(first), "{lengths:?}\n{text}");
    }
}

#[test]
fn lines_are_the_equations_then_the_velocities_they_leave_out_then_the_letters() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n\
                [constraints]\nc = \"y' = x*x'\"\n";
    let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let e = model.expression("x + 1").expect("an expression");
    let mut w = model.workbench();
    let eq = by_id("chaplygin").expect("a form").derive(&mut w).expect("equations");
    let mut shown = present(&mut w, &eq).expect("readable");
    let letter = w.g.declare("k1", crate::expr::Role::Other);
    shown.abbreviations.push((letter, Tree::of(&w.g, e, &Limits::default()).expect("not too long")));
    let expected = ["m*(x'' + x*(x*x'' + x'^2)) = 0", "y' = x*x'", "k1 = x + 1"];
    assert_eq!(shown.lines(&w.g, Style::Text), expected);
}

#[test]
fn what_letters_stand_for_counts_as_part_of_what_is_written_with_them() {
    let mut model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n"
        .parse()
        .unwrap_or_else(|e| panic!("{e:?}"));
    let e = model.expression("x + sin(x)").expect("an expression");
    let tree = Tree::of(&model.arena, e, &Limits::default()).expect("not too long");
    let trees: FxHashMap<(Expr, Kind), Tree> = [((e, Kind::Value), tree.clone())].into_iter().collect();
    let none = Letters { trees: trees.clone(), ..Letters::default() };
    let abbreviations = vec![(model.system.coordinates[0], tree.clone())];
    let one = Letters { abbreviations, trees, ..Letters::default() };
    assert_eq!(none.operations(), tree.operations());
    assert_eq!(one.operations(), 2 * tree.operations());
}

#[test]
fn a_long_equation_is_collected_by_its_unknowns_unless_the_whole_is_shorter() {
    let mut model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"x'^2/2\"\n"
        .parse()
        .unwrap_or_else(|e| panic!("{e:?}"));
    let texts = ["(sin(y)^2 + cos(y)^2)*x'' + (sin(x) + 1)^2 - sin(x)^2 - 1", "x'' + 2*sin(x)", "x''^2 + (y + 1)*x''"];
    let [e, simple, nonlinear] = texts.map(|text| model.expression(text).expect("an expression"));
    let mut w = model.workbench();
    let unknowns = [w.system.accelerations[0]];
    // Too long to be looked at as a whole, or short enough.
    for most in [0, 1000] {
        assert_eq!(collected(&mut w, e, Kind::Equation, &unknowns, most).expect("readable"), simple);
    }
    // Coefficients of what is not linear would contain the unknown.
    assert_eq!(collected(&mut w, nonlinear, Kind::Equation, &unknowns, 0).expect("readable"), nonlinear);
}

#[test]
fn what_nobody_would_read_is_refused_when_the_work_is_used_up() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [constraints]\nc = \"y' = x*x'\"\n";
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let mut w = model.workbench();
    let short = by_id("maggi").expect("a form").derive(&mut w).expect("equations");
    let mut long = short.clone();
    // Nothing in these is met twice, so that no letter makes them shorter.
    let [x, y] = [0, 1].map(|i| w.g.symbol(w.system.coordinates[i]));
    for seed in 0..8 {
        let mut terms = Vec::new();
        for i in 1..10_001 {
            let (shift, frequency) = (w.g.integer(10_001 * seed + i), w.g.number(Rational::integer(i)));
            let (angle, height) = (w.g.mul(frequency, x), w.g.add(y, shift));
            let (sine, square) = (w.g.call(Function::Sin, angle), w.g.square(height));
            terms.push(w.g.mul(sine, square));
        }
        let e = w.g.sum(terms);
        assert!(written_out(&w.g, e) > PRINTED_ANYHOW / PRINTED / 8);
        long.show("sum", format!("S{seed}"), e);
    }
    w.g.work.limit(0);
    let error = present(&mut w, &long).expect_err("more than is printed anyhow");
    assert!(error.kind == crate::error::ErrorKind::Limit && error.hint.is_some(), "{error}");
    assert!(present(&mut w, &short).is_ok());
}

#[test]
fn everything_that_is_shown_is_counted_once() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [constraints]\nc = \"y' = x*x'\"\n";
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let mut w = model.workbench();
    for id in ["nielsen", "central-equation", "maggi"] {
        let eq = by_id(id).expect("a form").derive(&mut w).expect("equations");
        let shown = present(&mut w, &eq).expect("readable");
        let of = |list: &[(Symbol, Tree)]| list.iter().map(|(_, t)| t.operations()).sum::<usize>();
        let equations: usize = shown.equations.iter().map(Tree::operations).sum();
        let beside: usize = shown.objects.iter().map(|o| o.value.operations()).sum();
        let others: usize = shown.alternatives.iter().flat_map(|(_, list)| list).map(Tree::operations).sum();
        assert_eq!(shown.length(), equations + of(&shown.kinematics) + of(&shown.abbreviations), "{id}");
        let whole = shown.length() + of(&shown.variables) + of(&shown.reactions) + beside + others;
        assert_eq!(shown.operations(), whole, "{id}");
    }
}
