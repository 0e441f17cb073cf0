//! The examples of the books, retraced: figures, printed results, and the verdict on every printed equation.

mod greenwood_2003;
mod modelling_textbook;
mod soltakhanov_yushkov_zegzhda_2009;
mod sumbatov_2002;

use crate::common::gallery::{evenly, for_each, open, run, values_of};
use crate::common::{loaded, reference, verdict};
use noslip::Limits;
use noslip::model::{Claims, Overrides};
use noslip_gallery::CLAIMS;

/// Decides each claim of a file exactly and, independently, along the motion of its model.
fn judge(file: &str, source: &str) {
    let (_, name) = file.split_once('/').expect("document/model");
    let mut model = open(name);
    let at = evenly(&model, 41);
    let simulation = run(&mut model, &at, 1e-11, &Overrides::default());
    let claims = loaded(Claims::load(source, &mut model, &Limits::default()), file, source);
    assert!(!claims.claims.is_empty(), "{file}: no claims");
    for claim in claims.claims {
        let expected = claim.expect.unwrap_or_else(|| panic!("{file}, {}: no expected verdict", claim.id));
        let finding = verdict(&model, claim.expr);
        assert!(if expected { finding.holds() } else { finding.fails() }, "{file}, {}: {finding:?}", claim.id);
        if !expected {
            let shown = finding.counterexample().is_some_and(|c| c.residual.abs() > 1e-6);
            assert!(shown, "{file}, {}: a counterexample is given: {finding:?}", claim.id);
        }
        let residual = values_of(&mut model, &simulation, claim.expr).into_iter().map(f64::abs).fold(0.0, f64::max);
        // Right equations leave rounding and the error of integration, wrong ones what they get wrong.
        assert!(if expected { residual < 1e-6 } else { residual > 1e-3 }, "{file}, {}: {residual:e}", claim.id);
    }
}

/// How many equations of which document hold stands on the page of errata.
#[test]
fn every_printed_equation_gets_its_verdict_exactly_and_along_the_motion() {
    for_each(CLAIMS, |(file, source)| judge(file, source));
}

/// The documents of the worked systems, as the models name them.
const DOCUMENTS: [&str; 5] = ["Soltakhanov", "Greenwood", "Talamucci", "Sumbatov", "Textbook on modelling"];

#[test]
fn every_worked_system_names_its_document_runs_to_its_end_and_stays_on_its_constraints() {
    for (name, _) in reference::systems() {
        let mut model = open(&name);
        let source = model.system.source.clone().unwrap_or_default();
        assert!(DOCUMENTS.iter().any(|author| source.contains(author)), "{name}: {source}");
        let at = evenly(&model, 11);
        let simulation = run(&mut model, &at, 1e-10, &Overrides::default());
        assert_eq!(simulation.outcome.code(), "finished", "{name}");
        assert!(simulation.constraint_drift < 1e-6, "{name}: {:e}", simulation.constraint_drift);
    }
}
