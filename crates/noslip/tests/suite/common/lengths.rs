//! How long forms print the same equations: what the test `lengths` and the example of that name share.

use noslip::Limits;
use noslip::expr::normal::Options;
use noslip::expr::zero::{FieldEvaluator, FieldPoint};
use noslip::expr::{Expr, Symbol, Tree};
use noslip::forms::{Applicability, FORMS, as_written, present};
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

/// Why a set is not within a tenth, where that is known without measuring: model, its longest form, reason.
pub const UNEVEN: &[(&str, &str, &str)] = &[
    (
        "fluid-flywheel",
        "chaplygin-quasi",
        "in the shortest a sum is a product, which the others have multiplied out and do not find again",
    ),
    ("suslov", "kane", BRACKET),
    ("suslov", "vranceanu-schouten", BRACKET),
    (
        "bodies/ball-on-paraboloid",
        "vranceanu-schouten",
        "equations this long are shortened part by part and abbreviated, from where each form begins",
    ),
    ("bodies/two-balls", "vranceanu-schouten", AS_IT_STANDS),
    ("bodies/two-balls", "nielsen", AS_IT_STANDS),
    ("bodies/whipple-bicycle", "boltzmann-hamel-transpositional", AS_IT_STANDS),
];

const BRACKET: &str = "in the shortest a velocity stands in front of a bracket with velocities";

const AS_IT_STANDS: &str = "tens of thousands of operations: what takes more than three thousand is printed as it stands, with letters for what recurs";

/// How a form prints its equations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Print {
    /// Operations.
    pub length: usize,
    pub form: &'static str,
    /// Abbreviations among them.
    letters: usize,
    /// The work that was allowed ended before they were as short as they can be made.
    ended: bool,
}

/// Forms with the same unknowns and the same virtual displacements: their equations are the same.
pub struct Set {
    unknowns: String,
    key: (Vec<Symbol>, Vec<u64>),
    prints: Vec<Print>,
}

impl Set {
    fn shortest(&self) -> Print {
        *self.prints.iter().min().expect("a form")
    }

    pub fn longest(&self) -> Print {
        *self.prints.iter().max().expect("a form")
    }

    /// Longer by more than a tenth?
    pub fn is_uneven(&self) -> bool {
        10 * self.longest().length > 11 * self.shortest().length
    }

    /// Why it is, as far as that is known.
    pub fn why(&self, name: &str, text: &str) -> String {
        why(name, text, self.longest().form, self.shortest().form)
    }

    /// Its line of the table.
    pub fn row(&self, model: &str) -> String {
        let (Print { length: least, form: short, .. }, Print { length: most, form: long, .. }) =
            (self.shortest(), self.longest());
        let (unknowns, forms) = (&self.unknowns, self.prints.len());
        if least == most {
            return format!("| {model} | {unknowns} | {forms} | {least} | {most} | 1 |\n");
        }
        let ratio = most as f64 / least.max(1) as f64;
        format!("| {model} | {unknowns} | {forms} | {least} `{short}` | {most} `{long}` | {ratio:.2} |\n")
    }
}

/// The form's own equations, readable, with the abbreviations they use.
fn printed(w: &mut Workbench, eq: &Equations) -> noslip::Result<Print> {
    let (before, allowed) = (w.g.work.done(), (w.g.work.left() / 2).min(noslip::effort::READABLE));
    let written = as_written(w, &eq.brief());
    let p = present(w, &written)?;
    let own = &p.equations[..p.own];
    let mut used: BTreeSet<Symbol> = own.iter().flat_map(Tree::symbols).collect();
    let mut length: usize = own.iter().map(Tree::operations).sum();
    let mut letters = 0;
    for (letter, tree) in p.abbreviations.iter().rev() {
        if used.contains(letter) {
            used.extend(tree.symbols());
            length += tree.operations();
            letters += 1;
        }
    }
    Ok(Print { length, form: p.form, letters, ended: w.g.work.done() - before >= allowed })
}

/// One form within an allowance of work, before any other is derived.
fn by_itself(name: &str, text: &str, form: &str, work: u64) -> Print {
    let mut w = Model::load(text, name, &Limits::default()).expect("it was loaded before").workbench();
    let form = noslip::forms::by_id(form).expect("a form");
    let (print, _) = w.within(work, |w| {
        let eq = form.derive(w)?;
        printed(w, &eq)
    });
    print.unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()))
}

/// Why a form is longer than another.
pub fn why(name: &str, text: &str, long: &str, short: &str) -> String {
    if let Some((.., why)) = UNEVEN.iter().find(|(model, form, _)| *model == name && *form == long) {
        return (*why).to_owned();
    }
    let begin = if by_itself(name, text, long, noslip::effort::FORM_OF_ALL).ended {
        "the work allowed to one form of all ends before its equations are short"
    } else {
        "the work suffices, but equations this long are shortened part by part and abbreviated, from where each form begins"
    };
    let [alone, other] = [long, short].map(|form| by_itself(name, text, form, noslip::effort::FORM));
    let letters = |n: usize| match n {
        0 => "no letters".to_owned(),
        1 => "1 letter".to_owned(),
        n => format!("{n} letters"),
    };
    let takes = |p: &Print| format!("`{}` {} operations with {}", p.form, p.length, letters(p.letters));
    let longer = if 10 * alone.length > 11 * other.length { "still longer" } else { "not longer" };
    let ended = if alone.ended { " (its work ends there too)" } else { "" };
    format!("{begin}; asked for alone it is {longer}: {}{ended}, {}", takes(&alone), takes(&other))
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
            let print = printed(w, &eq).unwrap_or_else(|e| panic!("{name}, {}: {e}", form.id()));
            Some((eq, print))
        });
        // Forms without directions state accelerations or multipliers outright.
        let Some((eq, print)) = derived.filter(|(eq, _)| !eq.directions.is_empty()) else { continue };
        let key = key(&mut w, &eq);
        match sets.iter_mut().find(|set| set.key == key) {
            Some(set) => set.prints.push(print),
            None => {
                let names: Vec<&str> = eq.unknowns.iter().map(|&s| w.g.name(s)).collect();
                sets.push(Set { unknowns: names.join(", "), key, prints: vec![print] });
            }
        }
    }
    sets.retain(|set| set.prints.len() > 1);
    sets
}
