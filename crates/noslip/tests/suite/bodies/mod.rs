//! Bodies, frames and contacts: the plain models they become are those written by hand.

use crate::common::{blessed, gallery, loaded, root, verdict};
use noslip::Limits;
use noslip::expr::{Expr, Printer, Style, Symbol, Tree, zero};
use noslip::forms::by_id;
use noslip::model::{Claims, Model};
use noslip_gallery::BODIES;

fn load(text: &str, name: &str) -> Model {
    loaded(Model::load(text, name, &Limits::default()), name, text)
}

/// An expression of one model, read with the names of another that has the same coordinates and parameters.
fn carried(from: &mut Model, e: Expr, into: &mut Model) -> Expr {
    let e = made_of_others(from, e);
    let tree = Tree::of(&from.arena, e, &Limits::default()).expect("not too long");
    let text = Printer::new(Style::Text).print(&from.arena, &tree);
    Claims::equation(&text, into, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {}", e[0])).expr
}

/// Parameters that are made of others mean what they are made of.
fn made_of_others(model: &mut Model, mut e: Expr) -> Expr {
    let letters: Vec<Symbol> = model.system.parameters.iter().map(|p| p.symbol).collect();
    let made = model.system.parameters.iter().filter(|p| model.arena.depends_on_any(p.value, &letters));
    let map = made.map(|p| (p.symbol, p.value)).collect();
    // Those they are made of may be made of others in turn.
    loop {
        let meant = model.arena.substitute(e, &map);
        if meant == e {
            return e;
        }
        e = meant;
    }
}

fn assert_zero(model: &mut Model, e: Expr, what: &str) {
    let e = made_of_others(model, e);
    let known = zero::is_zero(&mut model.arena, e, &Default::default());
    assert!(known.holds(), "{}: {what}: {known:?}", model.file_name);
}

/// Do two models with the same coordinates move alike? Energies and forces are the same functions, and each constraint of either
/// follows from those of the other; then multipliers belong together by the combination of the constraints.
pub(crate) fn assert_same_motion(by_hand: &mut Model, from_bodies: &mut Model) {
    let pairs = [
        ("kinetic energy", by_hand.system.kinetic, from_bodies.system.kinetic),
        ("potential", by_hand.system.potential, from_bodies.system.potential),
    ];
    for (what, a, b) in pairs {
        let b = carried(from_bodies, b, by_hand);
        let mut difference = by_hand.arena.sub(a, b);
        if what == "potential" {
            // Up to a constant.
            let rate = by_hand.arena.time_derivative(difference);
            difference = rate;
        }
        assert_zero(by_hand, difference, what);
    }
    for i in 0..by_hand.system.n() {
        let (a, b) = (by_hand.system.forces[i], from_bodies.system.forces[i]);
        let b = carried(from_bodies, b, by_hand);
        let difference = by_hand.arena.sub(a, b);
        assert_zero(by_hand, difference, "force");
    }
    assert_eq!(by_hand.system.k(), from_bodies.system.k(), "{}: number of constraints", by_hand.file_name);
    let constraints = from_bodies.system.constraints.clone();
    for c in &constraints {
        let e = carried(from_bodies, c.expr, by_hand);
        let found = verdict(by_hand, e);
        assert!(found.holds(), "{}: {} does not follow by hand: {found:?}", by_hand.file_name, c.name);
    }
    for c in by_hand.system.constraints.clone() {
        let e = carried(by_hand, c.expr, from_bodies);
        let found = verdict(from_bodies, e);
        assert!(found.holds(), "{}: {} does not follow from bodies: {found:?}", from_bodies.file_name, c.name);
    }
}

#[test]
fn models_from_bodies_are_those_written_by_hand() {
    for pair in &PAIRS {
        let (mut by_hand, mut from_bodies) = pair.open();
        assert_same_motion(&mut by_hand, &mut from_bodies);
        assert_multipliers(&mut by_hand, &mut from_bodies, pair.multipliers);
    }
}

/// The forces of the constraints are the same when the multipliers by hand are these expressions of those from bodies.
fn assert_multipliers(by_hand: &mut Model, from_bodies: &mut Model, map: &[(&str, &str)]) {
    assert_eq!(map.len(), by_hand.system.k(), "{}: every multiplier is mapped", by_hand.file_name);
    let row = |model: &mut Model, j: usize, i: usize| {
        let c = &model.system.constraints[j];
        let by = if c.order == 0 { model.system.coordinates[i] } else { model.system.velocities[i] };
        model.arena.diff(c.expr, by)
    };
    for i in 0..by_hand.system.n() {
        let mut sum = from_bodies.arena.zero();
        for (name, text) in map {
            let j = by_hand.system.constraints.iter().position(|c| c.name == *name).expect("a constraint");
            let entry = row(by_hand, j, i);
            let entry = carried(by_hand, entry, from_bodies);
            let lambda = Claims::equation(text, from_bodies, &Limits::default());
            let lambda = lambda.unwrap_or_else(|e| panic!("{text}: {}", e[0])).expr;
            let force = from_bodies.arena.mul(lambda, entry);
            sum = from_bodies.arena.add(sum, force);
        }
        for j in 0..from_bodies.system.k() {
            let entry = row(from_bodies, j, i);
            let lambda = from_bodies.arena.symbol(from_bodies.system.constraints[j].multiplier);
            let force = from_bodies.arena.mul(lambda, entry);
            sum = from_bodies.arena.sub(sum, force);
        }
        assert_zero(from_bodies, sum, "the multipliers");
    }
}

#[test]
fn the_plain_model_is_a_file_that_says_the_same() {
    for (name, text) in BODIES {
        let mut from_bodies = load(text, name);
        let plain = from_bodies.plain.clone().expect("a plain model").file;
        let mut plain = load(&plain, &format!("{name}, expanded"));
        assert!(plain.plain.is_none(), "{name}: nothing of the layer is left");
        let names = |m: &Model| m.system.constraints.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&plain), names(&from_bodies), "{name}");
        assert_eq!(plain.system.definitions.len(), from_bodies.system.definitions.len(), "{name}");
        let pairs: Vec<(Expr, Expr)> = [
            (plain.system.kinetic, from_bodies.system.kinetic),
            (plain.system.potential, from_bodies.system.potential),
        ]
        .into_iter()
        .chain(plain.system.forces.clone().into_iter().zip(from_bodies.system.forces.clone()))
        .chain(
            plain.system.constraints.iter().map(|c| c.expr).zip(from_bodies.system.constraints.iter().map(|c| c.expr)),
        )
        .collect();
        for (a, b) in pairs {
            let b = carried(&mut from_bodies, b, &mut plain);
            let a = made_of_others(&mut plain, a);
            assert_eq!(a, b, "{name}: the same expression, sign for sign");
        }
        let (a, b) = (plain.initial_state(&Default::default()), from_bodies.initial_state(&Default::default()));
        assert_eq!(a.map(|s| (s.position, s.velocity)), b.map(|s| (s.position, s.velocity)), "{name}");
    }
}

mod contacts;
mod directions;
mod motorcycle;
mod pairs;
mod small;
mod surfaces;
mod trees;
mod written;

use pairs::PAIRS;

const FORMS: [&str; 5] = ["lagrange-multipliers", "maggi", "kane", "chaplygin", "boltzmann-hamel"];

/// Operations of all equations of a form, with what completes them and their abbreviations.
fn operations(model: &Model, form: &str) -> Option<usize> {
    let mut w = model.workbench();
    let equations = by_id(form).expect("a form").derive(&mut w).ok()?;
    let written = noslip::forms::as_written(&mut w, &equations.brief());
    let shown = noslip::forms::present(&mut w, &written).ok()?;
    let letters: usize = shown.abbreviations.iter().map(|(_, t)| t.operations()).sum();
    Some(shown.equations.iter().map(|t| t.operations()).sum::<usize>() + letters)
}

const BEGIN: &str = "<!-- bodies: begin -->\n";
const END: &str = "<!-- bodies: end -->\n";

#[test]
fn equations_from_bodies_are_no_longer_than_by_hand() {
    let rows = gallery::for_each(&PAIRS, |pair| {
        let (by_hand, from_bodies) = pair.open();
        let both = |form: &&str| (operations(&by_hand, form), operations(&from_bodies, form));
        FORMS.iter().map(both).collect::<Vec<_>>()
    });
    let mut table = format!("| model | `{}` |\n|---{}|\n", FORMS.join("` | `"), "|---".repeat(FORMS.len()));
    let mut longer = Vec::new();
    for (pair, row) in PAIRS.iter().zip(&rows) {
        let mut cells = Vec::new();
        for (form, lengths) in FORMS.iter().zip(row) {
            let &(Some(by_hand), Some(from_bodies)) = lengths else {
                assert_eq!(lengths.0, lengths.1, "{}, {form}: it applies to one of them only", pair.name);
                cells.push("–".to_owned());
                continue;
            };
            cells.push(format!("{by_hand} → {from_bodies}"));
            if from_bodies > by_hand {
                longer.push((pair.name, *form, by_hand, from_bodies));
            }
        }
        table += &format!("| {} | {} |\n", pair.name, cells.join(" | "));
    }
    assert!(longer.is_empty(), "longer from bodies: {longer:?}\n{table}");
    table += "\n| model | multipliers by hand in those from bodies |\n|---|---|\n";
    for pair in &PAIRS {
        let map: Vec<String> =
            pair.multipliers.iter().map(|(name, text)| format!("`lambda_{name}`: `{text}`")).collect();
        table += &format!("| {} | {} |\n", pair.name, map.join(", "));
    }
    let page = std::fs::read_to_string(root().join("bench/RESULTS.md")).expect("the results");
    let (head, rest) = page.split_once(BEGIN).expect("the place of the table");
    let (_, tail) = rest.split_once(END).expect("the end of the table");
    blessed("bench/RESULTS.md", &format!("{head}{BEGIN}{table}{END}{tail}"), "bodies");
}
