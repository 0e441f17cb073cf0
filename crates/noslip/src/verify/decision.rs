//! The whole way of a claim: from the constraints as they stand, then with what they hide, then to the likely mistake.

use super::claim::{Finding, decide};
use super::diagnose::{Diagnosis, diagnose};
use super::relations::relations_from_initial_state;
use crate::analysis::analyse;
use crate::expr::{Expr, Symbol};
use crate::mechanics::Workbench;

/// What is known of a claim, and of a false one what the mistake may be.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The verdict.
    pub finding: Finding,
    /// Mistakes that would explain a failure, the likeliest first.
    pub diagnosis: Vec<Diagnosis>,
}

/// Relations between the coordinates that the constraints hide, found when a claim first fails without them: one value
/// serves all claims about a model.
#[derive(Clone, Debug, Default)]
pub struct Relations(Option<Vec<(Symbol, Expr)>>);

impl Relations {
    /// Decides a claim, with the relations if it fails without them.
    pub fn decide(&mut self, w: &mut Workbench, claim: Expr) -> Finding {
        let finding = decide(w, claim, &[]);
        if !matches!(finding, Finding::Fails(_)) {
            return finding;
        }
        let relations = self.0.get_or_insert_with(|| {
            let analysis = analyse(w);
            relations_from_initial_state(w, &analysis)
        });
        if relations.is_empty() { finding } else { decide(w, claim, relations) }
    }
}

/// Decides a claim and explains its failure.
pub fn claim(w: &mut Workbench, claim: Expr, relations: &mut Relations) -> Decision {
    let finding = relations.decide(w, claim);
    let diagnosis = match finding {
        Finding::Fails(_) => diagnose(w, claim),
        _ => Vec::new(),
    };
    Decision { finding, diagnosis }
}

/// Does this zero follow from the model, with the relations between positions that its initial state implies?
pub fn follows(w: &mut Workbench, claim: Expr) -> Finding {
    Relations::default().decide(w, claim)
}
