//! The section of the page about steady motions: the one nearest to the initial state, and how stability changes along its family.

use super::DIGITS;
use crate::commands::motions::steady::plots;
use crate::open::Opened;
use noslip::effort::SECTION;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::motions::in_quasi_velocities;
use noslip::motions::linearise::Stability;
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Answer, Motion, Question, Range, Target, steady};
use noslip::numeric::{brief, counted};
use noslip_cli::plot::svg;
use noslip_cli::report::Topic;

/// Coordinates and operations of the equations of motion beyond which steady motions are left to the command.
const COORDINATES: usize = 8;
const OPERATIONS: usize = 400;
/// Elementary operations of one normal form on the way.
const WORK: u64 = 1_000_000;
/// Members of the family that are drawn.
const VALUES: usize = 61;

/// What is to be said of steady motions within the work that is left for the page; nothing where there are none near the initial state.
pub(super) fn topic(opened: &Opened, state: &State, operations: usize, left: u64) -> Option<Topic> {
    let mut w = opened.model.workbench();
    let least = w.g.work.effort.scale(SECTION);
    w.g.work.limit(left.max(least));
    if w.system.n() > COORDINATES || operations > OPERATIONS {
        return None;
    }
    w.limits.normal_form_work = WORK.min(w.limits.normal_form_work);
    let (mut w, chosen) = in_quasi_velocities(w).ok()?;
    let r = Reduction::of(&mut w, chosen).ok()?.relative(&mut w);
    let near = steady(&mut w, &r, state, &Question::default()).ok()?;
    let motion = near.motions.first()?;
    // Rest is steady too, and says nothing that the potential does not.
    let moving: Vec<(String, f64)> = motion
        .values
        .iter()
        .filter(|(s, x)| r.flow.free.contains(s) && x.abs() > 1e-9)
        .map(|(s, x)| (w.g.name(*s).to_owned(), *x))
        .collect();
    if moving.is_empty() {
        return None;
    }
    let mut sentences = said(&w, &near, motion);
    let mut pictures = Vec::new();
    for (name, x) in moving {
        let target = Target::Function(w.g.lookup(&name).map(|s| w.g.symbol(s))?);
        let range = Range { target, from: 0.02 * x, to: 2.0 * x, count: VALUES };
        let Ok(family) = steady(&mut w, &r, state, &Question { given: Vec::new(), vary: vec![range] }) else {
            continue;
        };
        if family.motions.len() < VALUES / 4 {
            continue;
        }
        sentences.extend(followed(&name, &family));
        pictures.push(svg(&plots(&w, &[name], &family)));
        break;
    }
    Some(Topic { id: "stability".into(), title: "Is it stable?".into(), sentences, pictures, ..Topic::default() })
}

/// The steady motion and its eigenvalues, in words.
fn said(w: &Workbench, near: &Answer, motion: &Motion) -> Vec<String> {
    let values: Vec<String> =
        motion.values.iter().map(|(s, x)| format!("`{}` = {}", w.g.name(*s), brief(*x, DIGITS))).collect();
    let begin =
        if near.initial_is_steady { "The motion is steady" } else { "A steady motion lies near the initial state" };
    let others: Vec<String> = motion
        .eigenvalues
        .iter()
        .skip(motion.zero)
        .filter(|z| z.im >= 0.0)
        .map(|z| match z.im {
            0.0 => brief(z.re, DIGITS),
            im => format!("{} ± {} i", brief(z.re, DIGITS), brief(im, DIGITS)),
        })
        .collect();
    let zeros = match motion.zero {
        0 => String::new(),
        n => format!(" beside {} of its family", counted(n, "zero")),
    };
    let verdict = match motion.stable {
        Stability::Asymptotic => "it is stable, and what is near approaches it or its family",
        Stability::Marginal => "none has a positive real part, some lie on the axis: linear terms do not decide",
        Stability::Unstable => "it is unstable",
    };
    let mut list = vec![format!("{begin}: {}.", values.join(", "))];
    if !others.is_empty() {
        list.push(format!("Its eigenvalues{zeros}: {}; {verdict}.", others.join(", ")));
    }
    list
}

/// What happens along the family.
fn followed(name: &str, family: &Answer) -> Vec<String> {
    let what: Vec<String> =
        family.critical.iter().map(|c| format!("{} at `{name}` = {}", c.what.word(), brief(c.value, 8))).collect();
    if what.is_empty() {
        return vec![format!("Along `{name}` stability does not change.")];
    }
    vec![format!("Along `{name}`: {}.", what.join(", "))]
}
