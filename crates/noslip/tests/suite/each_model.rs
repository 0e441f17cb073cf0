//! Every form × every model of the gallery where it applies, a test for each model: derived, proved or tested to be one motion, written
//! as was derived, and read back from LaTeX. What is kept in `tests/data/each-model/` says how each answer is known, how long what is
//! printed is, which letters it has, a fingerprint of the whole, and what all that took, in units of work: the same on every machine.
//! So what takes longer than before is seen here, and not measured with a clock.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip --test suite each_model` writes these files and the page that tells what is proved and what
//! is tested; `git diff` then shows what has become longer, shorter, slower or faster.

use crate::common::gallery::open;
use crate::common::{blessed, root};
use crate::presented::check;
use crate::read::read_back;
use noslip::analysis::analyse;
use noslip::expr::{Known, Printer, Style};
use noslip::forms::{Applicability, FORMS, Form, Presented, present};
use noslip::mechanics::Workbench;
use noslip::model::Model;
use noslip::verify::agreement;
use noslip_gallery::MODELS;
use std::fmt::Write;

noslip_gallery::each_model!(is_as_kept);

fn file(name: &str) -> String {
    format!("crates/noslip/tests/data/each-model/{name}.txt")
}

/// Units of work since the last look.
struct Clock(u64);

impl Clock {
    fn since(&mut self, w: &Workbench) -> u64 {
        let now = w.g.work.done();
        now - std::mem::replace(&mut self.0, now)
    }
}

/// A number that another text hardly has (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// All that is printed of a form, in every style.
fn printed(w: &Workbench, shown: &Presented) -> String {
    [Style::Text, Style::Unicode, Style::Latex, Style::MathMl].map(|style| printed_in(style, w, shown)).concat()
}

fn printed_in(style: Style, w: &Workbench, shown: &Presented) -> String {
    let printer = Printer::new(style);
    let named = [&shown.variables, &shown.kinematics, &shown.reactions, &shown.abbreviations].into_iter().flatten();
    let alternatives = shown.alternatives.iter().flat_map(|(_, trees)| trees);
    let mut out = String::new();
    for tree in shown.equations.iter().chain(alternatives).chain(named.map(|(_, t)| t)) {
        writeln!(out, "{}", printer.print(&w.g, tree)).expect("a string");
    }
    for object in &shown.objects {
        writeln!(out, "{} = {}", object.symbol, printer.print(&w.g, &object.value)).expect("a string");
    }
    shown.notes.iter().for_each(|n| out.push_str(n));
    out
}

/// One form of a model: a line, and the letters.
fn one_form(form: &'static dyn Form, model: &Model, w: &mut Workbench, out: &mut String) {
    let (id, name) = (form.id(), &model.file_name);
    let mut clock = Clock(w.g.work.done());
    if let Applicability::DoesNotApply(why) = form.applies(w) {
        assert!(!why.is_empty(), "{name}: {id} says why it does not apply");
        let error = form.derive(w).expect_err("a form that does not apply refuses");
        assert!(error.message.contains("does not apply"), "{name}, {id}: {error}");
        return writeln!(out, "{id}: does not apply; work {}", clock.since(w)).expect("a string");
    }
    let eq = form.derive(w).unwrap_or_else(|e| panic!("{name}, {id}: {e}"));
    assert_eq!(eq.equations.len(), eq.unknowns.len(), "{name}, {id}: as many equations as unknowns");
    let derived = clock.since(w);
    let known = match agreement(w, &eq).known {
        Known::Proved => "proved",
        Known::Tested { .. } => "tested",
        other => panic!("{name}, {id}: {other:?}"),
    };
    let compared = clock.since(w);
    let shown = present(w, &eq).unwrap_or_else(|e| panic!("{name}, {id}: {e}"));
    let made_readable = clock.since(w);
    check(w, &eq, &shown, &format!("{name}, {id}"));
    read_back(model, w, &shown);
    writeln!(
        out,
        "{id}: {known}; {} operations, {} to know the motion; {:016x}; work {derived}, {compared}, {made_readable}",
        shown.operations(),
        shown.length(),
        fingerprint(&printed(w, &shown)),
    )
    .expect("a string");
    let printer = Printer::new(Style::Text);
    for (letter, value) in &shown.abbreviations {
        writeln!(out, "  {} = {}", w.g.name(*letter), printer.print(&w.g, value)).expect("a string");
    }
}

pub fn is_as_kept(name: &str) {
    let model = open(name);
    let mut w = model.workbench();
    let mut clock = Clock(w.g.work.done());
    analyse(&mut w);
    let mut out = format!("check: work {}\n", clock.since(&w));
    FORMS.iter().for_each(|form| one_form(*form, &model, &mut w, &mut out));
    blessed(&file(name), &out, "each_model");
}

const HEAD: &str = "# Which form for which model

Every form is derived for every model of the gallery and compared with Lagrange's equations with multipliers. A form of which
nothing is said here is *proved* to be the same motion; *tested* is what the proof would take too long for. Why a form does not
apply to a model is said by `noslip check`.

| model | proved | tested | does not apply |
|---|---|---|---|
";

/// The page is written from what is kept, where nothing drops out of the comparison unnoticed. After the others: their files are read.
#[test]
fn the_page_tells_how_each_form_of_each_model_is_known() {
    let mut page = HEAD.to_owned();
    let mut all = [0; 3];
    for (name, _) in MODELS {
        let kept = std::fs::read_to_string(root().join(file(name))).unwrap_or_default();
        let lines: Vec<(&str, &str)> = kept.lines().filter_map(|l| l.split_once(": ")).collect();
        let ids = |how: &str| {
            let of = |id: &str| lines.iter().any(|(i, rest)| *i == id && rest.split(';').next() == Some(how));
            FORMS.iter().map(|f| f.id()).filter(|id| of(id)).collect::<Vec<_>>()
        };
        let lists = ["proved", "tested", "does not apply"].map(ids);
        assert_eq!(lists.iter().map(Vec::len).sum::<usize>(), FORMS.len(), "{name}: every form, once");
        assert!(lists[2].len() < FORMS.len(), "{name}: at least one form applies");
        all.iter_mut().zip(&lists).for_each(|(n, list)| *n += list.len());
        let list = |ids: &[&str]| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        writeln!(page, "| {name} | {} | {} | {} |", lists[0].len(), list(&lists[1]), list(&lists[2]))
            .expect("a string");
    }
    let [proved, tested, refusing] = all;
    writeln!(page, "| **all** | {proved} | {tested} | {refusing} |").expect("a string");
    blessed("docs/src/gallery/forms.md", &page, "each_model");
}
