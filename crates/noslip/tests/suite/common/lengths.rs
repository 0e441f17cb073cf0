//! How long forms print the same equations: what the test `lengths` and the example of that name share.

use noslip::Limits;
use noslip::expr::normal::Options;
use noslip::expr::zero::{FieldEvaluator, FieldPoint};
use noslip::expr::{Expr, Symbol, Tree};
use noslip::forms::{Applicability, FORMS, Presented, present};
use noslip::mechanics::{Equations, Workbench};
use noslip::model::Model;
use noslip_gallery::{BODIES, MODELS};
use std::collections::BTreeSet;

/// Systems that are not in the gallery and were long once.
const OTHERS: [(&str, &str); 5] = [
    ("affine-constraints", include_str!("../../data/lengths/affine-constraints.toml")),
    ("ball-in-cone-by-hand", include_str!("../../data/lengths/ball-in-cone-by-hand.toml")),
    ("chain-of-skates", include_str!("../../data/lengths/chain-of-skates.toml")),
    ("heavy-top", include_str!("../../data/lengths/heavy-top.toml")),
    ("pursuit", include_str!("../../data/lengths/pursuit.toml")),
];

/// Every model with its text.
pub fn models() -> Vec<(String, &'static str)> {
    (MODELS.iter().map(|&(name, text)| (name.to_owned(), text)))
        .chain(BODIES.iter().map(|&(name, text)| (format!("bodies/{}", name.trim_start_matches("bodies/")), text)))
        .chain(OTHERS.iter().map(|&(name, text)| (name.to_owned(), text)))
        .collect()
}

/// Why a set is not within a tenth: model, its longest form, reason.
pub const UNEVEN: &[(&str, &str, &str)] = &[
    (
        "fluid-flywheel",
        "chaplygin-quasi",
        "in the shortest a sum is a product, which the others have multiplied out and do not find again",
    ),
    ("rigid-body-controlled-rotation", "poincare-chetaev", LONG),
    ("rigid-body-controlled-rotation", "voronets", LONG),
    ("suslov", "kane", "in the shortest a velocity stands in front of a bracket with velocities"),
    ("talamucci-linear-scleronomic", "boltzmann-hamel-transpositional", LONG),
    ("talamucci-linear-scleronomic", "voronets", LONG),
    ("chain-of-skates", "suslov-jourdain", LONG),
    ("chain-of-skates", "poincare-chetaev", LONG),
    ("car-with-three-trailers", "vranceanu-schouten", LONG),
    ("ellipsoid-on-plane", "hamel-novoselov", LONG),
    ("ellipsoid-on-plane", "chaplygin", LONG),
    ("rattleback", "vranceanu-schouten", LONG),
    ("rigid-body-controlled-rotation", "vranceanu-schouten", LONG),
    ("rigid-body-controlled-rotation", "nielsen", LONG),
    ("suslov", "vranceanu-schouten", "in the shortest a velocity stands in front of a bracket with velocities"),
    ("talamucci-linear-rheonomic", "poincare-chetaev", LONG),
    ("talamucci-linear-rheonomic", "nielsen", LONG),
    ("talamucci-linear-scleronomic", "vranceanu-schouten", LONG),
    ("talamucci-linear-scleronomic", "nielsen", LONG),
    ("talamucci-nonlinear-rheonomic", "poincare-chetaev-rumyantsev", LONG),
    ("talamucci-nonlinear-rheonomic", "nielsen", LONG),
    ("bodies/ellipsoid-on-plane", "poincare-chetaev-rumyantsev", LONG),
    ("bodies/rattleback", "vranceanu-schouten", LONG),
    ("bodies/two-balls", "vranceanu-schouten", LONG),
    ("bodies/two-balls", "nielsen", LONG),
    ("bodies/whipple-bicycle", "boltzmann-hamel-transpositional", LONG),
    ("chain-of-skates", "nielsen", LONG),
];

const LONG: &str = "hundreds of operations, beyond the work that one form of all may take: written with abbreviations, which each form finds elsewhere";

/// Forms with the same unknowns and the same virtual displacements: their equations are the same.
pub struct Set {
    unknowns: String,
    key: (Vec<Symbol>, Vec<u64>),
    /// Operations, and the form.
    lengths: Vec<(usize, &'static str)>,
}

impl Set {
    fn shortest(&self) -> (usize, &'static str) {
        *self.lengths.iter().min().expect("a form")
    }

    /// Operations in the longest print, and its form.
    pub fn longest(&self) -> (usize, &'static str) {
        *self.lengths.iter().max().expect("a form")
    }

    /// Longer by more than a tenth?
    pub fn is_uneven(&self) -> bool {
        10 * self.longest().0 > 11 * self.shortest().0
    }

    /// Its line of the table.
    pub fn row(&self, model: &str) -> String {
        let ((least, short), (most, long)) = (self.shortest(), self.longest());
        let (unknowns, forms) = (&self.unknowns, self.lengths.len());
        if least == most {
            return format!("| {model} | {unknowns} | {forms} | {least} | {most} | 1 |\n");
        }
        let ratio = most as f64 / least.max(1) as f64;
        format!("| {model} | {unknowns} | {forms} | {least} `{short}` | {most} `{long}` | {ratio:.2} |\n")
    }
}

/// Operations of the form's own equations, and of the abbreviations they use.
fn printed(p: &Presented) -> usize {
    let own = &p.equations[..p.own];
    let mut used: BTreeSet<Symbol> = own.iter().flat_map(Tree::symbols).collect();
    let mut count: usize = own.iter().map(Tree::operations).sum();
    for (letter, tree) in p.abbreviations.iter().rev() {
        if used.contains(letter) {
            used.extend(tree.symbols());
            count += tree.operations();
        }
    }
    count
}

/// The unknowns, and the virtual displacements by their values at a point of the prime field.
fn key(w: &mut Workbench, eq: &Equations) -> (Vec<Symbol>, Vec<u64>) {
    let mut unknowns = eq.unknowns.clone();
    unknowns.sort_unstable();
    let list: Vec<Expr> = eq.directions.iter().flatten().copied().collect();
    let evaluator = FieldEvaluator::new(&mut w.g, &list, &Options::default());
    let values = (0..50).find_map(|seed| evaluator.at(&w.g, &FieldPoint::new(seed)).ok());
    let values: Vec<u64> = values.expect("a point").iter().map(|v| v.value()).collect();
    let mut rows: Vec<&[u64]> = values.chunks(w.system.n().max(1)).collect();
    rows.sort_unstable();
    (unknowns, rows.concat())
}

/// The sets of at least two forms.
pub fn sets(name: &str, text: &str) -> Vec<Set> {
    let model = Model::load(text, name, &Limits::default()).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let mut w = model.workbench();
    let mut sets: Vec<Set> = Vec::new();
    for form in FORMS {
        let (derived, _) = w.within(noslip::effort::FORM_OF_ALL, |w| {
            if form.applies(w) != Applicability::Applies {
                return None;
            }
            let eq = form.derive(w).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
            let shown = present(w, &eq.brief()).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
            Some((eq, printed(&shown)))
        });
        // Forms without directions state accelerations or multipliers outright.
        let Some((eq, length)) = derived.filter(|(eq, _)| !eq.directions.is_empty()) else { continue };
        let key = key(&mut w, &eq);
        match sets.iter_mut().find(|set| set.key == key) {
            Some(set) => set.lengths.push((length, form.id())),
            None => {
                let names: Vec<&str> = eq.unknowns.iter().map(|&s| w.g.name(s)).collect();
                sets.push(Set { unknowns: names.join(", "), key, lengths: vec![(length, form.id())] });
            }
        }
    }
    sets.retain(|set| set.lengths.len() > 1);
    sets
}
