//! The shortest equation wins: forms that give the same equations in the same variables print them as short as each other.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip --test suite lengths` writes the page with the shortest and the longest of every set.

use crate::common::gallery::for_each;
use crate::common::{blessed, loaded};
use noslip::Limits;
use noslip::expr::normal::Options;
use noslip::expr::zero::{FieldEvaluator, FieldPoint};
use noslip::expr::{Expr, Symbol, Tree};
use noslip::forms::{Applicability, FORMS, Presented, present};
use noslip::mechanics::{Equations, Workbench};
use noslip::model::Model;
use noslip_gallery::{BODIES, MODELS};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Systems that are not in the gallery and were long once.
const OTHERS: [(&str, &str); 6] = [
    ("affine-constraints", include_str!("../data/lengths/affine-constraints.toml")),
    ("ball-in-cone-by-hand", include_str!("../data/lengths/ball-in-cone-by-hand.toml")),
    ("chain-of-skates", include_str!("../data/lengths/chain-of-skates.toml")),
    ("heavy-top", include_str!("../data/lengths/heavy-top.toml")),
    ("pendulum-in-ball", include_str!("../data/lengths/pendulum-in-ball.toml")),
    ("pursuit", include_str!("../data/lengths/pursuit.toml")),
];

/// Forms with the same unknowns and the same virtual displacements: their equations are the same.
struct Set {
    unknowns: String,
    key: (Vec<Symbol>, Vec<u64>),
    /// Operations, and the form.
    lengths: Vec<(usize, &'static str)>,
}

impl Set {
    fn shortest(&self) -> (usize, &'static str) {
        *self.lengths.iter().min().expect("a form")
    }

    fn longest(&self) -> (usize, &'static str) {
        *self.lengths.iter().max().expect("a form")
    }

    /// Longer by more than a tenth?
    fn is_uneven(&self) -> bool {
        10 * self.longest().0 > 11 * self.shortest().0
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
    let mut rows: Vec<Vec<u64>> = Vec::new();
    let values: Vec<u64> = values.expect("a point").iter().map(|v| v.value()).collect();
    rows.extend(values.chunks(w.system.n().max(1)).map(<[u64]>::to_vec));
    rows.sort_unstable();
    (unknowns, rows.concat())
}

fn sets(name: &str, text: &str) -> Vec<Set> {
    let model = loaded(Model::load(text, name, &Limits::default()), name, text);
    let mut w = model.workbench();
    let mut sets: Vec<Set> = Vec::new();
    for form in FORMS {
        let (derived, _) = w.within(noslip::effort::FORM_OF_ALL, |w| {
            if form.applies(w) != Applicability::Applies {
                return None;
            }
            let eq = form.derive(w).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
            let shown = present(w, &eq).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
            Some((eq, printed(&shown)))
        });
        let Some((eq, length)) = derived else { continue };
        let key = key(&mut w, &eq);
        match sets.iter_mut().find(|set| set.key == key) {
            Some(set) => set.lengths.push((length, form.id())),
            None => {
                let names: Vec<&str> = eq.unknowns.iter().map(|&s| w.g.name(s)).collect();
                sets.push(Set { unknowns: names.join(", "), key, lengths: vec![(length, form.id())] });
            }
        }
    }
    sets
}

/// Sets in which one form is longer by more than a tenth: model, longest form, reason.
const UNEVEN: &[(&str, &str, &str)] = &[];

const HEAD: &str = "# How long the forms are

Forms with the same unknowns and the same virtual displacements give the same equations, each in its own way. They should look the
same. For every model and every set of such forms: operations in the shortest and in the longest print of these equations, with
the abbreviations they use.

| model | unknowns | forms | shortest | longest | ratio |
|---|---|---|---|---|---|
";

#[test]
fn forms_that_give_the_same_equations_print_them_as_short_as_each_other() {
    let models: Vec<(String, &str)> = (MODELS.iter().map(|&(name, text)| (name.to_owned(), text)))
        .chain(BODIES.iter().map(|&(name, text)| (format!("bodies/{name}"), text)))
        .chain(OTHERS.iter().map(|&(name, text)| (name.to_owned(), text)))
        .collect();
    let all = for_each(&models, |(name, text)| sets(name, text));
    let mut page = HEAD.to_owned();
    let (mut uneven, mut reasons, mut count) = (Vec::new(), Vec::new(), 0);
    for ((name, _), sets) in models.iter().zip(&all) {
        for set in sets.iter().filter(|set| set.lengths.len() > 1) {
            let ((least, short), (most, long)) = (set.shortest(), set.longest());
            let ratio = most as f64 / least.max(1) as f64;
            let forms = set.lengths.len();
            let unknowns = &set.unknowns;
            count += 1;
            if least == most {
                writeln!(page, "| {name} | {unknowns} | {forms} | {least} | {most} | 1 |").expect("a string");
            } else {
                writeln!(page, "| {name} | {unknowns} | {forms} | {least} `{short}` | {most} `{long}` | {ratio:.2} |")
                    .expect("a string");
            }
            if set.is_uneven() {
                match UNEVEN.iter().find(|(model, form, _)| model == name && *form == long) {
                    Some((model, form, why)) => reasons.push(format!("- {model}, `{form}`: {why}\n")),
                    None => uneven.push(format!("{name}: {least} in {short}, {most} in {long}")),
                }
            }
        }
    }
    let even = count - reasons.len() - uneven.len();
    writeln!(page, "\n{even} of {count} sets are within a tenth.").expect("a string");
    if !reasons.is_empty() {
        writeln!(page, " The others, with the reason:\n\n{}", reasons.concat()).expect("a string");
    }
    assert!(uneven.is_empty(), "longer by more than a tenth:\n{}", uneven.join("\n"));
    assert_eq!(reasons.len(), UNEVEN.len(), "every exception is needed");
    blessed("docs/src/gallery/lengths.md", &page, "lengths");
}
