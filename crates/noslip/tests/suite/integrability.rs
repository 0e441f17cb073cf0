//! Integrability, growth and dependence beyond the reference systems.

use crate::common::reference::{self, json};
use crate::common::{analysed, load, text};
use noslip::analysis::{Analysis, Convention, RankDrop, analyse, bracket_fields, sentences, transpositional_relations};
use noslip::expr::Known;
use noslip::forms::{Applicability, FORMS};
use noslip::mechanics::Generic;
use noslip::model::Model;

/// A model with T = ½Σ q̇², so that only the constraints speak.
fn constrained(coordinates: &[&str], parameters: &str, constraints: &[&str]) -> Model {
    let kinetic: Vec<String> = coordinates.iter().map(|q| format!("{q}'^2")).collect();
    let list: Vec<String> = constraints.iter().enumerate().map(|(i, c)| format!("c{} = \"{c}\"", i + 1)).collect();
    load(&format!(
        "noslip = 1\n[system]\ncoordinates = {coordinates:?}\n[parameters]\n{parameters}\n\
         [energy]\nkinetic = \"({})/2\"\n[constraints]\n{}\n",
        kinetic.join(" + "),
        list.join("\n")
    ))
}

fn relations(model: &Model, a: &Analysis) -> Vec<String> {
    a.hidden.iter().map(|h| text(model, h.expr)).collect()
}

#[test]
fn integrable_and_exact_are_different_things() {
    let examples = json("frobenius_examples.json");
    let examples = examples["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 9);
    let mut integrals = Vec::new();
    for e in examples {
        let part = |key: &str| e[key].as_str().unwrap().to_owned();
        let form = format!("({})*x' + ({})*y' + ({})*z'", part("a"), part("b"), part("c"));
        let mut model = constrained(&["x", "y", "z"], "", &[&form]);
        let a = analysed(&mut model);
        let c = &a.constraints[0];
        assert_eq!(c.integrable.as_ref().map(|i| i.integrable), e["integrable"].as_bool(), "{form}");
        assert_eq!(c.exact.as_ref().map(|i| i.integrable), e["exact"].as_bool(), "{form}");
        assert_eq!(c.integrable.as_ref().map(|i| i.certainty.clone()), Some(Known::Proved), "{form}");
        assert_eq!(a.system_integrable(), e["integrable"].as_bool(), "{form}");
        integrals.push(c.integral.as_ref().map(|i| {
            assert_eq!(i.certainty, Known::Proved, "{form}");
            text(&model, i.expr)
        }));
    }
    let expected = [
        Some("x*y*z"),
        Some("x/z + y/z"),
        None,
        Some("x + y*z"),
        None,
        Some("z^2 + 2*atan2(y, x)"),
        Some("1/exp(z) - log(x^2 + y^2)"),
        None,
        Some("x/y"),
    ];
    assert_eq!(integrals.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
}

#[test]
fn the_five_fields_of_the_hoop_are_not_the_printed_ones() {
    let mut model = reference::model("hoop");
    let a = analysed(&mut model);
    let mut w = model.workbench();
    let mut generic = Generic::new(&mut w.g, &w.system);
    let fields = bracket_fields(&mut w, a.distribution.as_ref().unwrap(), a.growth.as_ref().unwrap(), &mut generic);
    model.arena = w.g;
    let shown: Vec<(String, Vec<String>)> =
        fields.iter().map(|f| (f.name.clone(), f.components.iter().map(|&e| text(&model, e)).collect())).collect();
    assert_eq!(shown.len(), 5);
    // Coordinates xi, eta, z, theta, psi, phi; X1, X2, X3 belong to theta, psi, phi.
    assert_eq!(shown[0].1, ["sin(theta)*sin(psi)", "-sin(theta)*cos(psi)", "cos(theta)", "1", "0", "0"]);
    assert_eq!(shown[1].1, ["-cos(theta)*cos(psi)", "-sin(psi)*cos(theta)", "0", "0", "1", "0"]);
    assert_eq!(shown[2].1, ["-cos(psi)", "-sin(psi)", "0", "0", "0", "1"]);
    assert_eq!(
        (shown[3].0.as_str(), &shown[3].1[..2]),
        ("[X2, X3]", &["sin(psi)".to_owned(), "-cos(psi)".to_owned()][..])
    );
    assert_eq!(
        (shown[4].0.as_str(), &shown[4].1[..2]),
        ("[X2, X4]", &["cos(psi)".to_owned(), "sin(psi)".to_owned()][..])
    );
    assert!(shown[3..].iter().all(|f| f.1[2..].iter().all(|c| c == "0")));
    assert_eq!(relations(&model, &a), ["z - sin(theta)"]);
    let solved = a.hidden[0].solved.as_ref().unwrap();
    assert_eq!((model.arena.name(solved.coordinate), text(&model, solved.rest)), ("z", "-sin(theta)".into()));
}

/// A car pulling trailers: the wheels of each body do not slip sideways.
fn trailers(n: usize) -> Model {
    let mut coordinates = vec!["x".to_owned(), "y".to_owned()];
    coordinates.extend((0..=n).map(|i| format!("th{i}")));
    let names: Vec<&str> = coordinates.iter().map(String::as_str).collect();
    // (x, y) is the last axle; axle i is ahead of it by the bars of the trailers behind it.
    let mut constraints = Vec::new();
    for i in (0..=n).rev() {
        let mut c = format!("x'*sin(th{i}) - y'*cos(th{i})");
        for j in i + 1..=n {
            c.push_str(&format!(" - l*th{j}'*cos(th{i} - th{j})"));
        }
        constraints.push(c);
    }
    let list: Vec<&str> = constraints.iter().map(String::as_str).collect();
    constrained(&names, "l = 1.25", &list)
}

#[test]
fn chains_of_trailers_grow_by_one_at_each_step() {
    for n in [0, 1, 2, 3, 5, 8] {
        let model = trailers(n);
        let start = std::time::Instant::now();
        let mut w = model.workbench();
        let mut generic = Generic::new(&mut w.g, &w.system);
        let pfaff = noslip::mechanics::Pfaff::of(&mut w);
        let d = noslip::analysis::Distribution::annihilated_by(&mut w, &pfaff, false, &mut generic).unwrap();
        let split = start.elapsed();
        let growth = noslip::analysis::growth(&mut w, &d, false, &mut generic);
        println!("{n} trailers: {split:?} + {:?}", start.elapsed() - split);
        assert_eq!(growth.vector, (2..=n + 3).collect::<Vec<_>>());
        assert!(growth.completely_nonholonomic());
        assert_eq!(growth.degree_of_nonholonomy(), n + 2);
    }
}

#[test]
fn a_growth_vector_that_reaches_its_limit_says_so() {
    // What formulas may not reach is counted at a point.
    let mut w = trailers(2).workbench();
    w.limits.bracket_nodes = 1;
    let growth = analyse(&mut w).growth.unwrap();
    assert!(growth.complete && growth.certainty != noslip::expr::Known::Proved);
    assert_eq!(growth.vector, [2, 3, 4, 5]);
    // A long chain is beyond both.
    let mut w = trailers(9).workbench();
    w.limits.bracket_nodes = 1;
    let a = analyse(&mut w);
    let growth = a.growth.as_ref().unwrap();
    assert!(!growth.complete && !growth.completely_nonholonomic() && !growth.integrable());
    assert!(growth.vector.len() > 2 && growth.vector.iter().zip(2..).all(|(&rank, i)| rank == i));
    assert!(a.undecided.iter().any(|question| question.contains("growth")), "{:?}", a.undecided);
    let said = sentences(&w.g, &w.system, &a).join("\n");
    assert!(said.contains("the computation stopped at a limit"), "{said}");
}

#[test]
fn hidden_relations_need_no_integrable_constraint() {
    let mut model = constrained(
        &["x", "y", "psi", "a", "b"],
        "h = 0.7\nr = 0.4",
        &[
            "x'*sin(psi) - y'*cos(psi)",
            "x'*cos(psi) + y'*sin(psi) + h*psi' - r*a'",
            "x'*cos(psi) + y'*sin(psi) - h*psi' - r*b'",
        ],
    );
    let a = analysed(&mut model);
    assert!(a.constraints.iter().all(|c| c.integrable.as_ref().is_some_and(|i| !i.integrable)));
    assert_eq!(relations(&model, &a), ["2*h*psi - r*a + r*b"]);
    assert_eq!(a.hidden[0].certainty, Known::Proved);
    let said = sentences(&model.arena, &model.system, &a).join("\n");
    assert!(said.contains("hide 1 holonomic relation, although no single constraint is integrable"), "{said}");
}

#[test]
fn affine_and_rheonomic_constraints_are_integrated_with_time() {
    for (constraints, expected) in [
        (vec!["x' - r*phi'"], vec!["x - r*phi"]),
        (vec!["x' - c"], vec!["x - c*t"]),
        (vec!["x' - 2*t*y - t^2*y'"], vec!["x - t^2*y"]),
        (vec!["x' - sin(t)"], vec!["x + cos(t)"]),
        (vec!["x*x' + y*y'"], vec!["x^2 + y^2"]),
        (vec!["x'*y - x*y'"], vec!["x/y"]),
        (vec!["x' - y'*exp(y)", "phi' + cos(phi)*y'"], vec!["x - exp(y)"]),
    ] {
        let mut model = constrained(&["x", "y", "phi"], "r = 0.5\nc = 3", &constraints);
        let a = analysed(&mut model);
        assert_eq!(a.system_integrable(), Some(true), "{constraints:?}");
        let found = relations(&model, &a);
        assert!(expected.iter().all(|e| found.contains(&(*e).to_owned())), "{constraints:?}: {found:?}");
        assert!(found.len() == constraints.len() || constraints.len() > 1, "{found:?}");
    }
}

#[test]
fn contradictory_constraints_are_named() {
    let mut model = constrained(&["x", "y", "z", "w"], "", &["x' + y' - 1", "x' - y' - 1", "x' - 2"]);
    let a = analysed(&mut model);
    let d = a.contradiction().expect("they contradict each other");
    assert_eq!(d.constraint, 2);
    let said = sentences(&model.arena, &model.system, &a).join("\n");
    let message = "Constraint `c3` contradicts `c1`, `c2`: `c3 - ((1/2)*c1 + (1/2)*c2)` leaves `-1` = 0.";
    assert!(said.contains(message), "{said}");
    let mut model = constrained(&["x", "y", "z", "w"], "a = 2", &["x' + y' - a", "x' - y' - a", "x' - 2"]);
    let a = analysed(&mut model);
    assert!(a.contradiction().is_none(), "a has the value at which they agree");
    assert_eq!(a.ranks.dependences.len(), 1);
}

#[test]
fn constraints_that_agree_at_one_moment_only_contradict_each_other() {
    let mut model = constrained(&["x", "y", "z"], "", &["z - 1", "z' - x' - 1", "x - t^2"]);
    let a = analysed(&mut model);
    assert_eq!(a.contradiction().map(|d| d.constraint), Some(2));
    let said = sentences(&model.arena, &model.system, &a).join("\n");
    assert!(said.contains("leaves `2*t + 1` = 0") || said.contains("leaves `-2*t - 1` = 0"), "{said}");
}

#[test]
fn no_form_takes_contradictory_constraints() {
    let model = constrained(&["x", "y", "z"], "", &["x' + y' - 1", "y' + z' - 2", "x' - z' - 3"]);
    let mut w = model.workbench();
    for form in FORMS {
        match form.derive(&mut w) {
            Err(e) => assert!(e.to_string().contains("does not apply"), "{}: {e}", form.id()),
            Ok(_) => panic!("{} derived equations", form.id()),
        }
        assert!(matches!(form.applies(&mut w), Applicability::DoesNotApply(_)), "{}", form.id());
    }
}

#[test]
fn a_dependent_constraint_is_said_to_follow_from_the_others() {
    let mut model = constrained(&["x", "y", "z"], "", &["x' + y'", "y' - z'*x", "x' + 3*y' - 2*z'*x"]);
    let a = analysed(&mut model);
    assert_eq!((a.ranks.constraints, a.degrees_of_freedom()), (2, 1));
    let said = sentences(&model.arena, &model.system, &a).join("\n");
    assert!(said.contains("Constraint `c3` follows from the others: `c3 = c1 + (2)*c2`."), "{said}");
    // With coefficients that vary.
    let mut model = constrained(&["x", "y", "z"], "", &["x' + y'", "y' - z'", "x*x' + (x + y)*y' - y*z'"]);
    let a = analysed(&mut model);
    assert_eq!(a.ranks.constraints, 2);
    let d = &a.ranks.dependences[0];
    let shown: Vec<(usize, String)> = d.combination.iter().map(|(j, c)| (*j, text(&model, *c))).collect();
    assert_eq!(shown, [(0, "x".to_owned()), (1, "y".to_owned())]);
    // Together they leave a condition on the position.
    let mut model = constrained(&["x", "y"], "", &["x' - y", "x'"]);
    let a = analysed(&mut model);
    assert!(a.contradiction().is_none());
    let said = sentences(&model.arena, &model.system, &a).join("\n");
    assert!(said.contains("can hold together only where `y` = 0"), "{said}");
}

#[test]
fn states_where_the_rank_drops_are_told() {
    let drop = |constraints: &[&str]| {
        let mut model = constrained(&["x", "y", "th"], "", constraints);
        let a = analysed(&mut model);
        match &a.ranks.drops {
            RankDrop::Where(e) => text(&model, *e),
            RankDrop::Undefined(list) => {
                format!("undefined: {}", list.iter().map(|&e| text(&model, e)).collect::<Vec<_>>().join(" = "))
            }
            RankDrop::WhereAll(list) => list.iter().map(|&e| text(&model, e)).collect::<Vec<_>>().join(" = "),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(drop(&["x'*sin(th) - y'*cos(th)"]), "Never");
    assert_eq!(drop(&["sin(th)*x'"]), "sin(th)");
    assert_eq!(drop(&["x*x' + y*y'"]), "x = y");
    assert_eq!(drop(&["x'^2 + y'^2 - th'^2"]), "x' = y' = th'");
    assert_eq!(drop(&["x' - y*th'", "y'"]), "Never");
    // A root has no derivative where it vanishes: no row, and no rank to lose.
    assert_eq!(drop(&["th' - sqrt(x'^2 + y'^2)"]), "undefined: x' = y'");
    assert_eq!(drop(&["th' - sqrt(x'^2 + y'^2 + 1)"]), "Never");
    // Who has a speed is not at rest.
    assert_eq!(drop(&["x'^2 + y'^2 - 4"]), "Never");
    assert_eq!(drop(&["x*x' + y*y'", "x'*sin(th) - y'*cos(th)"]), "x*cos(th) + y*sin(th)");
    assert_eq!(drop(&["x'*sin(th) - y'*cos(th)", "x'*sin(x) - y'*cos(x) - 2*th'"]), "Never");
    assert_eq!(drop(&["y*x' + x*y*th'"]), "y");
    assert_eq!(drop(&["th'^2 - x'^2 - y'^2", "y' - x*x'"]), "x' + x*y' = th'");
    // All sines may vanish at once, although the sum of their squares has a constant in it when written with cosines.
    assert_eq!(drop(&["sin(x)*x' + sin(y)*y' + sin(th)*th'"]), "sin(x) = sin(y) = sin(th)");
    assert_eq!(drop(&["sin(x)*x' + sin(y)*y'"]), "sin(x) = sin(y)");
    // Where x and y vanish, the third does not.
    assert_eq!(drop(&["x*x' + y*y' + (x^2 + y^2 - 1)*th'"]), "Never");
    // Rest, and y = 0, are no states of these.
    assert_eq!(drop(&["x'^2 + y'^2 + th'^2 - 1"]), "Never");
    assert_eq!(drop(&["y*x' - 1"]), "Never");
    // A sum of squares vanishes where all that is squared does.
    assert_eq!(drop(&["(x^2 + y^2 + th^2)*(x' - y*th')"]), "x = y = th");
    assert_eq!(drop(&["(x^4 + y^4)*x' + x*th'"]), "x = y");
    // Where what it is divided by vanishes there is no row.
    assert_eq!(drop(&["x'/y - th'/x"]), "undefined: x = y");
    assert_eq!(drop(&["(x - 1)*x' + (x^2 - y)*y' + (x - y)*th'"]), "x - 1 = y - 1");
    assert_eq!(drop(&["(x - 1)*x' + (x^2 - 2)*y'"]), "Never");
    assert_eq!(drop(&["(x - 1)*x' + x*y'"]), "Never");
}

#[test]
fn a_place_that_motions_leave_does_not_divide_the_positions() {
    let said = |constraint: &str| {
        let mut model = constrained(&["x", "y", "z"], "", &[constraint]);
        let a = analysed(&mut model);
        sentences(&model.arena, &model.system, &a)
            .into_iter()
            .find(|s| s.starts_with("Growth"))
            .expect("a growth vector")
    };
    // At y = 0 three brackets more are needed; at the line x = y = 0 the constraint vanishes, and y' is free on both sides.
    for joined in ["z' - y^3*x'", "z' - y^7*x'", "(x^2 + y^2)*z' + x*x'", "(x^4 + y^4)*x' + x*z'"] {
        assert!(
            said(joined).ends_with("completely nonholonomic, any two positions can be joined."),
            "{joined}: {}",
            said(joined)
        );
    }
    // α ∧ dα = −2z dx∧dy∧dz, and where z = 0 motions lead away from it; the origin alone is left.
    let s = said("y*x' - x*y' + z*z'");
    assert!(s.ends_with("completely nonholonomic wherever `y`, `z`, `x` are not all zero."), "{s}");
    // No motion leaves y = 0.
    let s = said("y' - y*z*x'");
    assert!(s.contains("wherever `y` ≠ 0, and no motion leads across"), "{s}");
    // Nor x = z = 0, which motions go around.
    let s = said("x*x' + z*z' + x*z*y'");
    assert!(!s.contains("any two positions"), "{s}");
}

#[test]
fn transpositional_relations_of_the_sledge() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"phi\", \"y\"]\n[energy]\nkinetic = \"(x'^2+y'^2+phi'^2)/2\"\n\
         [constraints]\nblade = \"y' - x'*tan(phi)\"\n",
    );
    let mut w = model.workbench();
    let holder = transpositional_relations(&mut w, Convention::Holder).unwrap();
    let suslov = transpositional_relations(&mut w, Convention::Suslov).unwrap();
    model.arena = w.g;
    let show = |list: &[noslip::analysis::TranspositionalRelation]| -> Vec<(String, String)> {
        list.iter().map(|r| (model.arena.name(r.of).to_owned(), text(&model, r.expr))).collect()
    };
    let of = |list: &[(String, String)], name: &str| list.iter().find(|(n, _)| n == name).unwrap().1.clone();
    let (holder, suslov) = (show(&holder), show(&suslov));
    // All d δq = δ dq, so the constraint is not varied into itself; its defect is what Suslov puts into y.
    assert!(["x", "phi", "y"].iter().all(|q| of(&holder, q) == "0"), "{holder:?}");
    assert_eq!(of(&suslov, "x"), "0");
    let defect = of(&holder, "blade");
    assert!(defect.contains("delta_pi_x") && defect.contains("delta_pi_phi"), "{defect}");
    let y = of(&suslov, "y");
    assert!(y.contains("delta_x*phi'") || y.contains("phi'*delta_x"), "{y}");
}
