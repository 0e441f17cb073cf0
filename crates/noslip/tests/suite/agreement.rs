//! Every form × every model of the gallery where it applies: proved or tested to be one motion.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip --test suite agreement` writes the page that says which pairs are which, so that nothing
//! drops out of the comparison unnoticed.

use crate::common::blessed;
use crate::common::gallery::{for_each, open};
use noslip::expr::Known;
use noslip::forms::{Applicability, FORMS};
use noslip::verify::agreement;
use noslip_gallery::MODELS;
use std::fmt::Write;

/// Ids of the forms of one model.
#[derive(Default)]
struct Row {
    proved: usize,
    tested: Vec<&'static str>,
    refusing: Vec<&'static str>,
}

/// Derives every form of a model; what does not apply must say why, what applies must be the same motion.
fn row(name: &str) -> Row {
    let mut row = Row::default();
    let model = open(name);
    let mut w = model.workbench();
    for form in FORMS {
        let id = form.id();
        match form.applies(&mut w) {
            Applicability::DoesNotApply(why) => {
                assert!(!why.is_empty(), "{name}: {id} says why it does not apply");
                let error = form.derive(&mut w).expect_err("a form that does not apply refuses");
                assert!(error.message.contains("does not apply"), "{name}, {id}: {error}");
                row.refusing.push(id);
            }
            Applicability::Applies => {
                let equations = form.derive(&mut w).unwrap_or_else(|e| panic!("{name}, {id}: {e}"));
                let (n, unknowns) = (equations.equations.len(), equations.unknowns.len());
                assert_eq!(n, unknowns, "{name}, {id}: as many equations as unknowns");
                match agreement(&mut w, &equations).known {
                    Known::Proved => row.proved += 1,
                    Known::Tested { .. } => row.tested.push(id),
                    other => panic!("{name}, {id}: {other:?}"),
                }
            }
        }
    }
    row
}

const HEAD: &str = "# Which form for which model

Every form is derived for every model of the gallery and compared with Lagrange's equations with multipliers. A form of which
nothing is said here is *proved* to be the same motion; *tested* is what the proof would take too long for. Why a form does not
apply to a model is said by `noslip check`.

| model | proved | tested | does not apply |
|---|---|---|---|
";

#[test]
fn every_form_that_applies_agrees_on_every_model() {
    let rows = for_each(MODELS, |(name, _)| row(name));
    let mut page = HEAD.to_owned();
    let list = |ids: &[&str]| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    for ((name, _), row) in MODELS.iter().zip(&rows) {
        assert!(row.proved + row.tested.len() > 0, "{name}: at least one form applies");
        writeln!(page, "| {name} | {} | {} | {} |", row.proved, list(&row.tested), list(&row.refusing))
            .expect("a string");
    }
    let proved: usize = rows.iter().map(|r| r.proved).sum();
    let tested: usize = rows.iter().map(|r| r.tested.len()).sum();
    let refusing: usize = rows.iter().map(|r| r.refusing.len()).sum();
    assert_eq!(proved + tested + refusing, FORMS.len() * MODELS.len());
    writeln!(page, "| **all** | {proved} | {tested} | {refusing} |").expect("a string");
    blessed("docs/src/gallery/forms.md", &page, "agreement");
}

/// A constraint may be called like a coordinate, and its quasi-velocity like one of the model's: three different things.
#[test]
fn names_that_meet_do_not_change_the_equations() {
    let text = |first: &str, second: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"psi\", \"phi\"]\n[energy]\n\
             kinetic = \"x'^2 + y'^2 + psi'^2/2 + phi'^2\"\n[forces]\npsi = \"cos(psi)\"\nphi = \"sin(phi) + 1/10\"\n\
             [constraints]\n{first} = \"x' + phi'*cos(psi) = 0\"\n{second} = \"y' + phi'*sin(psi) = 0\"\n\
             [quasi_velocities]\nw_psi = \"psi'\"\nw_phi = \"phi'\"\n"
        )
    };
    for (first, second) in [("phi", "c2"), ("c1", "psi"), ("phi", "w_phi_"), ("w_w_phi", "phi"), ("phi", "w_w_phi")] {
        let mut w = noslip::Model::load(&text(first, second), "names.toml", &noslip::Limits::default())
            .unwrap_or_else(|e| panic!("{first}, {second}: {e:?}"))
            .workbench();
        let mut proved = 0;
        for form in noslip::FORMS {
            let Ok(eq) = form.derive(&mut w) else { continue };
            let verdict = noslip::agreement(&mut w, &eq);
            assert!(verdict.holds(), "{first}, {second}, {}: {:?}", form.id(), verdict.known);
            proved += 1;
        }
        assert!(proved >= 20, "{proved} forms");
    }
}

#[test]
fn a_variation_is_no_parameter_of_the_model() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\ndelta_x = 3\n[energy]\n\
                kinetic = \"delta_x*(x'^2 + y'^2)/2\"\n[constraints]\nc = \"y' = x*x'\"\n";
    let model = noslip::Model::load(text, "names.toml", &noslip::Limits::default()).expect("a model");
    let mut w = model.workbench();
    let parameter = w.system.parameters[0].symbol;
    let (parameter, variation) = (w.g.symbol(parameter), w.variation("x"));
    assert_ne!(parameter, variation);
    assert_eq!(w.variation("x"), variation);
}
