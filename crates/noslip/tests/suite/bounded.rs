//! What is allowed is kept to: nothing goes on much beyond it, and what it was not enough for is said, and not made up.

use super::common::gallery;
use noslip::effort::SLACK;
use noslip::forms::{Applicability, FORMS, by_id};
use noslip::hamilton::inverse::Douglas;
use noslip::hamilton::inverse::reduced_problem;
use noslip::model::Model;
use noslip::verify::agreement;

/// A particle whose potential and constraint are sines of sines: each derivative of a derivative is longer by the number of them.
fn tower(height: usize) -> Model {
    let sines = (0..height).fold("x".to_owned(), |inner, i| format!("sin({inner} + y/{})", i + 2));
    let text = format!(
        "noslip = 1\n[system]\nname = \"tower\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\n\
         kinetic = \"(x'^2 + y'^2 + z'^2)/2\"\npotential = \"{sines}\"\n[constraints]\nc = \"z' = y*x' + {sines}*y'\"\n"
    );
    text.parse().unwrap_or_else(|e| panic!("{e:?}"))
}

/// n knife edges, each hinged at the middle of the one before.
fn chain(n: usize) -> Model {
    let (mut at, mut energy, mut constraints) = (("x".to_owned(), "y".to_owned()), Vec::new(), String::new());
    let mut definitions = String::new();
    for i in 0..n {
        energy.push(format!("({}'^2 + {}'^2 + p{i}'^2)/2", at.0, at.1));
        constraints += &format!("k{i} = \"{}'*sin(p{i}) = {}'*cos(p{i})\"\n", at.0, at.1);
        definitions += &format!("x{i} = \"{} - cos(p{i})\"\ny{i} = \"{} - sin(p{i})\"\n", at.0, at.1);
        at = (format!("x{i}"), format!("y{i}"));
    }
    let angles: String = (0..n).map(|i| format!(", \"p{i}\"")).collect();
    let text = format!(
        "noslip = 1\n[system]\nname = \"chain\"\ncoordinates = [\"x\", \"y\"{angles}]\n[definitions]\n{definitions}[energy]\n\
         kinetic = \"{}\"\n[constraints]\n{constraints}",
        energy.join(" + ")
    );
    text.parse().unwrap_or_else(|e| panic!("{e:?}"))
}

/// Before derivatives had an end, these took all memory there is.
#[test]
fn a_derivative_that_would_fill_the_memory_is_given_up() {
    let mut w = tower(100).workbench();
    let found = reduced_problem(&mut w).expect("a Chaplygin system");
    assert!(found.douglas.is_none_or(|d| matches!(d, Douglas::Open)));
    assert!(w.g.work.done() < 8 * SLACK, "{}", w.g.work.done());
    // By hand, with no end between the derivatives: one of them is undefined, and that is known to be for want of work.
    let mut w = tower(100).workbench();
    w.g.work.limit(1_000_000);
    let (mut e, x) = (w.system.potential, w.system.coordinates[0]);
    for _ in 0..6 {
        e = w.g.diff(e, x);
    }
    assert!(w.g.is_undefined(e) && w.g.work.given_up() > 0);
    assert!(w.g.work.done() < 1_000_000 + SLACK + SLACK / 2, "{}", w.g.work.done());
    assert_eq!(w.g.work.may_go_on().expect_err("over").message, noslip::expr::NOT_DECIDED);
}

/// A derivation is brought to its end beyond what is allowed to it, not beyond what is allowed to all.
#[test]
fn a_derivation_ends_with_all_work() {
    for id in ["voronets", "boltzmann-hamel", "poincare-chetaev", "voronets-explicit"] {
        let form = by_id(id).expect("a form");
        let mut w = chain(12).workbench();
        let found = form.derive(&mut w);
        let whole = w.g.work.done();
        assert!(found.is_ok(), "{id}");
        let mut w = chain(12).workbench();
        assert!(form.applies(&mut w) == Applicability::Applies, "{id}");
        let allowance = w.g.work.open_firm(0);
        let found = form.derive(&mut w);
        w.g.work.close(allowance);
        assert_eq!(found.expect_err(id).message, noslip::expr::NOT_DECIDED);
        assert!(w.g.work.done() < whole, "{id}: {} of {whole}", w.g.work.done());
    }
}

/// Whatever the work that is allowed, a form is derived as it is, or not at all.
#[test]
fn with_little_work_a_form_is_right_or_refused() {
    let (mut derived, mut refused) = (0, 0);
    for name in ["rolling-disk", "chaplygin-sledge", "appell-hamel", "car-with-trailer", "roller-racer"] {
        let model = gallery::open(name);
        for form in FORMS {
            for limit in [0, 3_000, 100_000] {
                let mut w = model.workbench();
                w.g.work.limit(limit);
                let Ok(equations) = form.derive(&mut w) else {
                    refused += 1;
                    continue;
                };
                derived += 1;
                w.g.work.limit(u64::MAX);
                let known = agreement(&mut w, &equations).known;
                assert!(known.holds(), "{name}, {}, {limit}: {}", form.id(), known.word());
            }
        }
    }
    assert!(derived > 50 && refused > 50, "{derived} derived, {refused} refused");
}
