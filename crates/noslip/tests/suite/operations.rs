//! Our equations beside the books': the table of `bench/RESULTS.md`, and the claim that ours are never longer.

use crate::common::gallery::{claims_of, open};
use crate::common::printed::printed_operations;
use crate::common::{blessed, loaded, root};
use noslip::Limits;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{Expr, Symbol};
use noslip::forms::{Presented, by_id, present};
use noslip::mechanics::{Equations, Workbench};
use noslip::model::{Claims, Model};
use noslip::verify::in_coordinates;
use std::fmt::Write;
use toml::Table;

const DOCUMENTS: [(&str, &str); 5] = [
    ("greenwood-2003", "Greenwood"),
    ("modelling-textbook", "modelling"),
    ("soltakhanov-yushkov-zegzhda-2009", "Soltakhanov"),
    ("sumbatov-2002", "Sumbatov"),
    ("sympy-tutorial", "tutorial"),
];

/// The form by which the document derives the equations whose number begins so: model, beginning, form.
const DERIVED_BY: &[(&str, &str, &str)] = &[
    ("dumbbell", "(5.12", "boltzmann-hamel"),
    ("dumbbell", "(5.22", "suslov"),
    ("knife-edge-body", "(5.35)", "lagrange-multipliers"),
    ("knife-edge-body", "(5.", "maggi"),
    ("rolling-disk", "(5.19", "boltzmann-hamel"),
    ("rolling-disk", "(5.24", "suslov"),
    ("caratheodory-sledge", "(4.274)", "lagrange-multipliers"),
    ("caratheodory-sledge", "(4.284)", "maggi"),
    ("caratheodory-sledge", "(4.301)", "gibbs-appell"),
    ("appell-hamel", "(4.44)", "lagrange-multipliers"),
    ("appell-hamel", "(4.4", "maggi"),
    ("car-in-a-turn-generic", "(4.23)", "boltzmann-hamel"),
    ("car-in-a-turn-generic", "(4.28)", "maggi"),
    ("car-in-a-turn-generic", "Lambda", "maggi"),
    ("car-in-a-turn-generic", "example II.5, Lambda", "maggi"),
    ("car-in-a-turn-generic", "example II.5, Lagrange", "lagrange-multipliers"),
    ("car-in-a-turn-generic", "Lagrange I", "lagrange-multipliers"),
    ("figure-skater-offset", "example II.", "chaplygin"),
    ("figure-skater-offset", "(4.12)", "chaplygin"),
    ("figure-skater-offset", "(4.14)", "maggi"),
    ("figure-skater-offset", "II.3 after", "chaplygin"),
    ("figure-skater-offset", "II.3 Lambda", "chaplygin"),
    ("fluid-flywheel", "(5.20)", "maggi"),
    ("fluid-flywheel", "(5.21)", "lagrange-multipliers"),
    ("novoselov-reducer", "(5.1", "maggi"),
    ("rigid-body-controlled-rotation", "", "lagrange-multipliers"),
    ("rod-with-skate-generic", "normal form", "udwadia-kalaba"),
    ("rod-with-skate-generic", "", "maggi"),
    ("boltzmann-gear", "", "chaplygin"),
    ("tutorial-rolling-disc", "q", "chaplygin"),
];

/// Printed relations that are no equations of a form: model, beginning of the number, what they are.
const NOT_OF_A_FORM: &[(&str, &str, &str)] = &[
    ("dumbbell", "(5.230)", "a constraint, solved and differentiated"),
    ("appell-hamel", "(4.40)", "a row of the transformation"),
    ("appell-hamel", "(4.45)", "a component of the reaction"),
    ("car-in-a-turn-generic", "after (4.17)", "a row of the transformation"),
    ("car-in-a-turn-generic", "(4.18)", "a row of the transformation"),
    ("car-in-a-turn-generic", "(4.22)", "a kinetic energy"),
    ("tutorial-rolling-disc", "q1, corrected", "ours"),
    ("tutorial-rolling-disc", "q3, corrected", "ours"),
];

struct Row {
    equation: String,
    model: String,
    form: &'static str,
    printed: usize,
    written_out: usize,
    ours: usize,
}

/// Replaces the abbreviations of a claims file, except those in `kept`, by what they stand for.
fn written_out(text: &str, abbreviations: &[(String, String)], kept: &[String]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !first.is_ascii_alphabetic() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        match abbreviations.iter().find(|(name, _)| name == word && !kept.contains(name)) {
            Some((_, value)) => {
                let value = written_out(value, abbreviations, kept);
                let simple = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
                let bracketed = value.starts_with('(') && value.ends_with(')');
                let value = if simple || bracketed { value } else { format!("({value})") };
                out.push_str(&value);
            }
            None => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out
}

/// Do two expressions that are affine in the symbols vanish together: is one a multiple of the other?
fn proportional(w: &mut Workbench, a: Expr, b: Expr, symbols: &[Symbol]) -> bool {
    let (Some((mut a, a0)), Some((mut b, b0))) = (w.g.affine(a, symbols), w.g.affine(b, symbols)) else { return false };
    a.push(a0);
    b.push(b0);
    let zero = |w: &mut Workbench, e: Expr| is_zero(&mut w.g, e, &ZeroOptions::default()).holds();
    let Some(pivot) = (0..a.len()).find(|&i| !zero(w, a[i])) else { return false };
    if zero(w, b[pivot]) {
        return false;
    }
    (0..a.len()).all(|i| {
        let (x, y) = (w.g.mul(a[i], b[pivot]), w.g.mul(b[i], a[pivot]));
        let difference = w.g.sub(x, y);
        zero(w, difference)
    })
}

/// The constraints inserted for dependent velocities and accelerations, where they can be solved.
fn on_constraints(w: &mut Workbench, e: Expr) -> Expr {
    let Ok(split) = w.split() else { return e };
    let Some(alpha) = split.explicit.clone() else { return e };
    let frame = noslip::mechanics::SplitFrame::new(w, split.clone());
    let Some(accelerations) = frame.dependent_accelerations.clone() else { return e };
    let mut map = rustc_hash::FxHashMap::default();
    for (nu, &i) in split.dependent.iter().enumerate() {
        map.insert(w.system.velocities[i], alpha[nu]);
        map.insert(w.system.accelerations[i], accelerations[nu]);
    }
    w.g.substitute(e, &map)
}

/// Operations of the equation of the form that says the same as the claim.
fn ours(w: &mut Workbench, claim: Expr, eq: &Equations, shown: &Presented) -> Option<usize> {
    let mut candidates: Vec<(Expr, usize)> =
        eq.equations.iter().copied().zip(shown.equations.iter().map(|t| t.operations())).collect();
    for ((multiplier, e), (_, tree)) in eq.reactions.iter().zip(&shown.reactions) {
        let multiplier = w.g.symbol(*multiplier);
        // λ − e: the equals sign is no operation, the minus of the printed difference is one.
        candidates.push((w.g.sub(multiplier, *e), tree.operations() + 1));
    }
    let mut symbols = w.system.accelerations.clone();
    symbols.extend(w.system.constraints.iter().map(|c| c.multiplier));
    let claim = in_coordinates(w, claim);
    let candidates: Vec<(Expr, usize)> = candidates.into_iter().map(|(e, n)| (in_coordinates(w, e), n)).collect();
    if let Some((_, n)) = candidates.iter().find(|(e, _)| proportional(w, claim, *e, &symbols)) {
        return Some(*n);
    }
    let claim = on_constraints(w, claim);
    candidates.into_iter().find_map(|(e, n)| {
        let e = on_constraints(w, e);
        proportional(w, claim, e, &symbols).then_some(n)
    })
}

/// Abbreviations that stand for a quasi-velocity of the model or for its rate are symbols here as well.
fn symbols_of_motion(w: &mut Workbench, definitions: &[(String, Expr)]) -> Vec<String> {
    let mut kept = Vec::new();
    for (name, value) in definitions {
        let velocities: Vec<Symbol> = w.system.quasi_velocities.iter().map(|v| v.symbol).collect();
        for v in velocities {
            for s in [v, w.g.dot(v)] {
                let e = w.g.symbol(s);
                let e = in_coordinates(w, e);
                let difference = w.g.sub(e, *value);
                if is_zero(&mut w.g, difference, &ZeroOptions::default()).holds() && !kept.contains(name) {
                    kept.push(name.clone());
                }
            }
        }
    }
    kept
}

fn beginning<'a>(table: &[(&str, &str, &'a str)], model: &str, id: &str) -> Option<&'a str> {
    table.iter().find(|(m, start, _)| *m == model && id.starts_with(start)).map(|(_, _, what)| *what)
}

/// Every equation of a claims file that follows from its model and has a counterpart here.
fn rows(document: &str, name: &str, text: &str) -> Vec<Row> {
    let file = format!("claims/{document}/{name}.toml");
    let mut source = text.to_owned();
    let table: Table = source.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
    let abbreviations: Vec<(String, String)> = table
        .get("definitions")
        .and_then(|d| d.as_table())
        .into_iter()
        .flatten()
        .map(|(k, v)| (k.clone(), v.as_str().expect("text").to_owned()))
        .collect();
    let printed: Vec<(String, String)> = table["claim"]
        .as_array()
        .expect("claims")
        .iter()
        .map(|c| (c["id"].as_str().expect("an id").to_owned(), c["equation"].as_str().expect("text").to_owned()))
        .collect();
    for (abbreviation, _) in &abbreviations {
        write!(source, "\n[[claim]]\nid = \"abbreviation {abbreviation}\"\nequation = \"{abbreviation} = 0\"\n")
            .expect("a string");
    }
    let mut model: Model = open(name);
    let claims = loaded(Claims::load(&source, &mut model, &Limits::default()), &file, &source);
    let mut w = model.workbench();
    let (claims, defined) = claims.claims.split_at(printed.len());
    let defined: Vec<(String, Expr)> =
        abbreviations.iter().zip(defined).map(|((k, _), c)| (k.clone(), in_coordinates(&mut w, c.expr))).collect();
    let kept = symbols_of_motion(&mut w, &defined);
    let mut rows = Vec::new();
    for (claim, (id, equation)) in claims.iter().zip(&printed) {
        let e = in_coordinates(&mut w, claim.expr);
        let mut unknowns = w.system.accelerations.clone();
        unknowns.extend(w.system.constraints.iter().map(|c| c.multiplier));
        let of_motion = w.g.depends_on_any(e, &unknowns);
        if claim.expect != Some(true) || !of_motion || beginning(NOT_OF_A_FORM, name, id).is_some() {
            continue;
        }
        let Some(form) = beginning(DERIVED_BY, name, id) else { continue };
        let eq = by_id(form).expect("a form").derive(&mut w).unwrap_or_else(|e| panic!("{file}, {form}: {e}"));
        let shown = present(&mut w, &eq).expect("readable");
        let Some(ours) = ours(&mut w, claim.expr, &eq, &shown) else {
            panic!("{file}, {id}: {form} does not print this equation")
        };
        let left = equation.strip_suffix(" = 0").expect("an expression that vanishes");
        rows.push(Row {
            equation: id.trim_end_matches(", corrected").split(" (constraint").next().unwrap_or_default().to_owned(),
            model: name.to_owned(),
            form,
            printed: printed_operations(left),
            written_out: printed_operations(&written_out(left, &abbreviations, &kept)),
            ours,
        });
    }
    rows
}

const BEGIN: &str = "<!-- operations: begin -->\n";
const END: &str = "<!-- operations: end -->\n";

fn table() -> (String, usize) {
    let mut out = String::from(
        "| document | model | equation | form | printed | written out | ours |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut count, mut total, mut total_out, mut total_ours) = (0, 0, 0, 0);
    let mut longer = Vec::new();
    for (document, short) in DOCUMENTS {
        for (name, text) in claims_of(document) {
            for r in rows(document, name, text) {
                let (form, model) = (r.form, &r.model);
                writeln!(
                    out,
                    "| {short} | {model} | {} | `{form}` | {} | {} | {} |",
                    r.equation, r.printed, r.written_out, r.ours
                )
                .expect("a string");
                count += 1;
                total += r.printed;
                total_out += r.written_out;
                total_ours += r.ours;
                if r.ours > r.written_out {
                    longer.push(format!("{model}, {}: {} > {}", r.equation, r.ours, r.written_out));
                }
            }
        }
    }
    writeln!(out, "| all | | {count} equations | | {total} | {total_out} | {total_ours} |").expect("a string");
    assert!(longer.is_empty(), "longer than the book: {longer:?}");
    (out, count)
}

#[test]
fn equations_are_no_longer_than_in_the_books_and_the_results_say_so() {
    let (table, count) = table();
    assert_eq!(count, 65, "{table}");
    let page = std::fs::read_to_string(root().join("bench/RESULTS.md")).expect("the results");
    let (head, rest) = page.split_once(BEGIN).expect("the place of the table");
    let (_, tail) = rest.split_once(END).expect("the end of the table");
    blessed("bench/RESULTS.md", &format!("{head}{BEGIN}{table}{END}{tail}"), "operations");
}
