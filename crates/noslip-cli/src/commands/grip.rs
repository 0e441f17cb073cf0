//! `noslip grip`

use super::simulate::{describe, ending, initial_state, settings};
use super::{constraint, expression, forces, named, say, say_json, shown, written};
use crate::args::{Format, GripArgs};
use crate::failure::{Failure, Outcome};
use crate::open::{Opened, open, unknown};
use noslip::contact::friction::{Contact, GripRun, contacts, grip, reactions};
use noslip::contact::non_ideal::{NonIdealRun, simulate_non_ideal};
use noslip::mechanics::Workbench;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Reactions along a motion, and whether the contacts hold.
pub fn run(args: &GripArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = initial_state(&mut opened)?;
    let settings = settings(&args.run, &mut opened, &state)?;
    if !args.laws.is_empty() {
        if !args.limits.is_empty() || !args.contacts.is_empty() {
            return Err(Failure::input(
                "error: --law describes sliding friction, --limit and --contact the limit of grip",
            )
            .with_help("ask the two questions one after the other"));
        }
        let law = forces(&mut opened, "--law", &args.laws)?;
        let model = &mut opened.model;
        let mut w = model.workbench();
        let run = simulate_non_ideal(&mut w, &law, &state, &settings)?;
        match args.format {
            Format::Json => say_json(&non_ideal_document(&w, &run)),
            Format::Text => say(&non_ideal_text(&w, &run)),
        }
        if run.outcome.is_success() {
            return Ok(());
        }
        let why = match &run.law {
            Some(law) => format!("at t = {} {}", run.end.0, law.describe(&constraint_names(&w))),
            None => ending(&mut w, &run.outcome, settings.method),
        };
        return Err(Failure::computation(format!("error: the run ended early: {why}")));
    }
    let list = chosen(args, &mut opened)?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    let run = grip(&mut w, &list, &state, &settings)?;
    match args.format {
        Format::Json => say_json(&document(&mut w, &list, &run)),
        Format::Text => say(&text(&mut w, &list, &run)),
    }
    if !run.simulation.outcome.is_success() {
        let why = describe(&mut w, &run.simulation);
        return Err(Failure::computation(format!("error: the run ended early: {why}")));
    }
    if run.slides.is_some() { Err(Failure::no()) } else { Ok(()) }
}

/// The model's contacts with `--contact` and `--limit` applied.
fn chosen(args: &GripArgs, opened: &mut Opened) -> Result<Vec<Contact>, Failure> {
    let mut list = {
        let model = &mut opened.model;
        contacts(&model.workbench())
    };
    let mut together = Vec::new();
    for text in &args.contacts {
        let (name, rest) = named("--contact", text)?;
        let members: Result<Vec<usize>, Failure> =
            rest.split(',').map(|c| constraint(opened, &format!("`--contact {text}`: "), c.trim())).collect();
        together.push((name, members?));
    }
    let mut unlimited: Vec<&str> = together.iter().map(|(n, _)| *n).collect();
    for text in &args.limits {
        let (name, rest) = named("--limit", text)?;
        let limit = expression(opened, "--limit", rest)?;
        unlimited.retain(|n| *n != name);
        let members = match together.iter().find(|(n, _)| *n == name) {
            Some((_, members)) => members.clone(),
            None => {
                let system = &opened.model.system;
                let known: Vec<&str> = system
                    .constraints
                    .iter()
                    .map(|c| c.name.as_str())
                    .chain(together.iter().map(|(n, _)| *n))
                    .collect();
                let found = system.constraints.iter().position(|c| c.name == name);
                let place = format!("`--limit {text}`: ");
                vec![found.ok_or_else(|| unknown(&place, "constraint or contact", name, &known))?]
            }
        };
        list.retain(|c| !c.constraints.iter().any(|j| members.contains(j)));
        list.push(Contact { name: name.to_owned(), constraints: members, limit });
    }
    match unlimited.first() {
        None => Ok(list),
        Some(name) => {
            Err(Failure::input(format!("error: contact `{name}` has no limit\n  = help: give --limit {name}=EXPR")))
        }
    }
}

fn coordinate_names(w: &Workbench) -> Vec<String> {
    w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect()
}

fn constraint_names(w: &Workbench) -> Vec<String> {
    w.system.constraints.iter().map(|c| c.name.clone()).collect()
}

fn by(names: &[String], values: &[f64]) -> Map<String, Value> {
    names.iter().zip(values).map(|(n, x)| (n.clone(), json!(x))).collect()
}

fn document(w: &mut Workbench, list: &[Contact], run: &GripRun) -> Value {
    let names = coordinate_names(w);
    let constraints = constraint_names(w);
    let mut formulas = Map::new();
    for (name, row) in constraints.iter().zip(reactions(w)) {
        let row: Map<String, Value> = names.iter().zip(row).map(|(n, e)| (n.clone(), json!(written(w, e)))).collect();
        formulas.insert(name.clone(), json!(row));
    }
    let samples: Vec<Value> = run
        .simulation
        .samples
        .iter()
        .enumerate()
        .map(|(i, s)| {
            let reactions: Map<String, Value> =
                constraints.iter().zip(&run.reactions[i]).map(|(n, r)| (n.clone(), json!(by(&names, r)))).collect();
            let loads: Map<String, Value> = list
                .iter()
                .zip(&run.loads[i])
                .map(|(c, l)| (c.name.clone(), json!({"force": l.force, "limit": l.limit, "margin": l.margin()})))
                .collect();
            json!({"t": s.t, "multipliers": by(&constraints, &s.multipliers), "reactions": reactions, "contacts": loads})
        })
        .collect();
    let least: Map<String, Value> = list
        .iter()
        .zip(&run.least)
        .map(|(c, (t, l))| (c.name.clone(), json!({"t": t, "force": l.force, "limit": l.limit, "margin": l.margin()})))
        .collect();
    let n = names.len();
    let slides = run.slides.as_ref().map(|s| {
        json!({"contact": list[s.contact].name, "t": s.t, "force": s.load.force, "limit": s.load.limit,
               "q": by(&names, &s.state[..n]), "v": by(&names, &s.state[n..])})
    });
    json!({
        "name": w.system.name, "outcome": run.simulation.outcome.code(), "reactions": formulas,
        "least_margin": least, "holds": run.slides.is_none(), "slides": slides, "samples": samples,
    })
}

fn text(w: &mut Workbench, list: &[Contact], run: &GripRun) -> String {
    let mut out = format!("{}\n\nReactions on the coordinates\n", w.system.name);
    let (system, formulas) = (w.system.clone(), reactions(w));
    for (c, row) in system.constraints.iter().zip(formulas) {
        for (i, e) in row.into_iter().enumerate() {
            if !w.g.is_zero(e) {
                let name = w.g.name(w.system.coordinates[i]).to_owned();
                let _ = writeln!(out, "    R[{}, {name}] = {}", c.name, shown(w, e));
            }
        }
    }
    let _ = write!(out, "\n  {:>10}", "t");
    for name in w.system.constraints.iter().map(|c| c.name.clone()) {
        let _ = write!(out, " {:>15}", format!("λ[{name}]"));
    }
    for c in list {
        let _ = write!(out, " {:>22}", format!("margin[{}]", c.name));
    }
    out.push('\n');
    let every = (run.simulation.samples.len() / 10).max(1);
    for (s, loads) in run.simulation.samples.iter().zip(&run.loads).step_by(every) {
        let _ = write!(out, "  {:>10.4}", s.t);
        for x in &s.multipliers {
            let _ = write!(out, " {x:>15.6}");
        }
        for l in loads {
            let _ = write!(out, " {:>22.6}", l.margin());
        }
        out.push('\n');
    }
    if list.is_empty() {
        out.push_str("\nNo limit is given: write `friction` with a constraint, or --limit NAME=EXPR\n");
    }
    for (c, (t, l)) in list.iter().zip(&run.least) {
        let _ = writeln!(
            out,
            "\n{}: least margin {:.6} at t = {t}: the reaction is {:.6}, friction gives {:.6}",
            c.name,
            l.margin(),
            l.force,
            l.limit
        );
    }
    match &run.slides {
        Some(s) => {
            let _ = writeln!(out, "\nGrip is lost at {} at t = {}", list[s.contact].name, s.t);
            let n = w.system.n();
            for i in 0..n {
                let name = w.g.name(w.system.coordinates[i]);
                let _ = writeln!(out, "    {name} = {:<24} {name}' = {}", s.state[i], s.state[n + i]);
            }
        }
        None if !list.is_empty() => out.push_str("\nEvery contact holds throughout.\n"),
        None => {}
    }
    out
}

fn non_ideal_document(w: &Workbench, run: &NonIdealRun) -> Value {
    let names = coordinate_names(w);
    let n = names.len();
    let constraints = constraint_names(w);
    let samples: Vec<Value> = run
        .samples
        .iter()
        .map(|s| {
            json!({"t": s.t, "q": by(&names, &s.y[..n]), "v": by(&names, &s.y[n..]), "multipliers": by(&constraints, &s.multipliers),
                   "tangential": by(&names, &s.tangential), "energy": s.energy, "power": s.power})
        })
        .collect();
    let stopped = match &run.outcome {
        noslip::simulate::Outcome::Event { name, t, .. } => json!({"t": t, "where": name}),
        _ => Value::Null,
    };
    json!({"name": w.system.name, "outcome": run.outcome.code(), "stopped": stopped, "samples": samples, "steps": run.statistics.steps,
           "most_iterations": run.most_iterations, "law": run.law.as_ref().map(|l| l.describe(&constraints))})
}

fn non_ideal_text(w: &Workbench, run: &NonIdealRun) -> String {
    let mut out =
        format!("{}: with friction at the constraints, {}\n", w.system.name, run.outcome.code().replace('_', " "));
    if let noslip::simulate::Outcome::Event { name, t, .. } = &run.outcome {
        let _ = writeln!(out, "stopped at t = {t}: {name} = 0");
    }
    let names = coordinate_names(w);
    let n = names.len();
    if let (Some(first), Some(last)) = (run.samples.first(), run.samples.last()) {
        let _ = writeln!(out, "energy {:.9} at t = {}, {:.9} at t = {}", first.energy, first.t, last.energy, last.t);
        for (i, name) in names.iter().enumerate() {
            let _ = writeln!(
                out,
                "  {name} = {:<24} {name}' = {:<24} tangential force {:.6}",
                last.y[i],
                last.y[n + i],
                last.tangential[i]
            );
        }
        for (c, x) in w.system.constraints.iter().zip(&last.multipliers) {
            let _ = writeln!(out, "  reaction of {}: {x}", c.name);
        }
    }
    let _ = match run.most_iterations {
        0 => writeln!(out, "{} steps; of all choices of signs, one reaction satisfies the law", run.statistics.steps),
        n => writeln!(out, "{} steps; the reaction took at most {n} iterations", run.statistics.steps),
    };
    out
}
