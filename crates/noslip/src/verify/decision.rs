//! The whole way of a claim: from the constraints as they stand, then with what they hide, then to the likely mistake.

use super::claim::{decide, in_coordinates, roughness};
use super::diagnose::{Diagnosis, diagnose};
use super::finding::Finding;
use super::leaf::{Walk, is_initial, walk};
use super::relations::relations_from_initial_state;
use super::roots::are_decided_at_roots;
use crate::analysis::{Growth, analyse};
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
pub struct Relations(Option<Leaf>);

/// Where the motions from the initial position stay.
#[derive(Clone, Debug)]
struct Leaf {
    relations: Vec<(Symbol, Expr)>,
    /// Do the constraints hide more than that, or may they?
    more: bool,
}

impl Leaf {
    fn of(w: &mut Workbench) -> Leaf {
        let analysis = analyse(w);
        let relations = relations_from_initial_state(w, &analysis);
        let written = w.system.constraints.iter().filter(|c| c.order == 0).count();
        let hidden = analysis.growth.as_ref().filter(|g| g.complete).map(Growth::holonomic_part);
        let more = w.system.initial.is_some() && w.system.k() > written && hidden != Some(written + relations.len());
        Leaf { relations, more }
    }
}

impl Relations {
    /// Decides a claim, with the relations if it fails without them. Only motions from the initial position refute it.
    pub fn decide(&mut self, w: &mut Workbench, claim: Expr) -> Finding {
        let mut finding = decide(w, claim, &[]);
        if !finding.fails() || w.system.initial.is_none() || are_decided_at_roots(w) {
            return finding;
        }
        let leaf = self.0.get_or_insert_with(|| Leaf::of(w));
        if !leaf.relations.is_empty() {
            finding = decide(w, claim, &leaf.relations);
        }
        if !leaf.more || finding.counterexample().is_none_or(|c| is_initial(w, &c)) {
            return finding;
        }
        // It fails somewhere else; does it where the motions from the initial position lead?
        let claim = in_coordinates(w, claim);
        match walk(w, claim) {
            Walk::Fails(c) => Finding::refuted(w, c),
            Walk::Nowhere => finding,
            Walk::Holds(states) => Finding::undecided(format!(
                "it fails at states that the initial position may not lead to, and holds at {states} states of motions from \
                 there"
            )),
        }
    }
}

/// Decides a claim and explains its failure.
pub fn claim(w: &mut Workbench, claim: Expr, relations: &mut Relations) -> Decision {
    let finding = relations.decide(w, claim);
    let mut diagnosis = if finding.fails() { diagnose(w, claim) } else { Vec::new() };
    // Where roots and absolute values occur, the field that suggestions are found in has chosen their signs.
    if !diagnosis.is_empty() && roughness(w, claim) > 0 {
        diagnosis.retain(|d| d.mended.is_none_or(|e| !relations.decide(w, e).fails()));
    }
    Decision { finding, diagnosis }
}

/// Does this zero follow from the model, with the relations between positions that its initial state implies?
pub fn follows(w: &mut Workbench, claim: Expr) -> Finding {
    Relations::default().decide(w, claim)
}
