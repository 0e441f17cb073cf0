//! `noslip compare`

use super::simulate::{ending, initial_state, settings};
use super::{constraint, named, say, say_json, shown, written};
use crate::args::{CompareArgs, Format};
use crate::failure::{Failure, Outcome};
use crate::open::{Opened, number, open};
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::principles::vakonomic::{AgreementOfPrinciples, Comparison, Vakonomic, compare, momentum_choice};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Integrates the true and the vakonomic motion from one state.
pub fn run(args: &CompareArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = initial_state(&mut opened)?;
    let settings = settings(&args.run, &mut opened, &state)?;
    let given = initial_mu(args, &opened)?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    let v = Vakonomic::of(&mut w)?;
    let agreement = v.agreement(&mut w);
    let mu = match given {
        Some(mu) => mu,
        None => momentum_choice(&mut w, &v, &state)?,
    };
    let run = compare(&mut w, &v, &state, &mu, &settings)?;
    match args.format {
        Format::Json => say_json(&document(&mut w, &v, &agreement, &mu, &run, args.threshold)),
        Format::Text => say(&text(&mut w, &v, &agreement, &state, &mu, &run, args.threshold)),
    }
    let runs = [("the motion", &run.mechanics.outcome), ("the vakonomic motion", &run.outcome)];
    match runs.into_iter().find(|(_, o)| !o.is_success()) {
        None => Ok(()),
        Some((which, outcome)) => {
            let why = ending(&mut w, outcome, settings.method);
            Err(Failure::computation(format!("error: {which} ended early: {why}")))
        }
    }
}

/// μ(0) by constraints; `None` asks for the choice by momenta.
fn initial_mu(args: &CompareArgs, opened: &Opened) -> Result<Option<Vec<f64>>, Failure> {
    if args.mu.iter().any(|m| m == "momentum") {
        return match args.mu.len() {
            1 => Ok(None),
            _ => Err(Failure::input("error: `--mu momentum` sets all multipliers; leave the others out")),
        };
    }
    let mut mu = vec![0.0; opened.model.system.k()];
    for text in &args.mu {
        let (name, value) = named("--mu", text)?;
        let j = constraint(opened, &format!("`--mu {text}`: "), name)?;
        let value =
            number(value).ok_or_else(|| Failure::input(format!("error: `--mu {text}`: `{value}` is not a number")))?;
        mu[j] = value.to_f64();
    }
    Ok(Some(mu))
}

fn document(
    w: &mut Workbench,
    v: &Vakonomic,
    agreement: &AgreementOfPrinciples,
    mu: &[f64],
    run: &Comparison,
    threshold: f64,
) -> Value {
    let n = w.system.n();
    let names: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
    let constraints: Vec<String> = w.system.constraints.iter().map(|c| c.name.clone()).collect();
    let by = |names: &[String], values: &[f64]| -> Map<String, Value> {
        names.iter().zip(values).map(|(n, x)| (n.clone(), json!(x))).collect()
    };
    let samples: Vec<Value> = run
        .samples
        .iter()
        .zip(&run.mechanics.samples)
        .zip(&run.differences)
        .map(|((s, m), d)| {
            json!({
                "t": s.t,
                "mechanics": {"q": by(&names, &m.y[..n]), "v": by(&names, &m.y[n..]), "multipliers": by(&constraints, &m.multipliers)},
                "vakonomic": {"q": by(&names, &s.y[..n]), "v": by(&names, &s.y[n..]), "mu": by(&constraints, &s.mu), "mu_rate": by(&constraints, &s.rates)},
                "difference": d,
                "condition": s.condition,
            })
        })
        .collect();
    let equations: Vec<String> = v.equations.iter().map(|&e| written(w, e)).collect();
    let condition: Vec<String> = v.condition.iter().map(|&e| written(w, e)).collect();
    let choice: Option<Map<String, Value>> = agreement
        .momentum_choice
        .as_ref()
        .map(|list| constraints.iter().zip(list).map(|(n, &e)| (n.clone(), json!(written(w, e)))).collect());
    let lagrangian = written(w, v.lagrangian);
    json!({
        "name": w.system.name,
        "lagrangian": lagrangian,
        "equations": equations,
        "rumyantsev": {
            "condition": condition,
            "for_every_mu": agreement.for_every_mu.word(),
            "momentum_choice": choice,
            "for_momentum_choice": agreement.for_momentum_choice.word(),
            "choice_persists": agreement.choice_persists,
            "largest_along_motion": run.condition(),
        },
        "mu": by(&constraints, mu),
        "initial_accelerations": {
            "mechanics": by(&names, &run.initial_accelerations.0),
            "vakonomic": by(&names, &run.initial_accelerations.1),
        },
        "outcome": {"mechanics": run.mechanics.outcome.code(), "vakonomic": run.outcome.code()},
        "threshold": threshold,
        "departs_at": run.departs(threshold).map(|(t, _)| t),
        "largest_difference": run.differences.iter().fold(0.0, |m: f64, d| m.max(*d)),
        "samples": samples,
    })
}

fn text(
    w: &mut Workbench,
    v: &Vakonomic,
    agreement: &AgreementOfPrinciples,
    state: &State,
    mu: &[f64],
    run: &Comparison,
    threshold: f64,
) -> String {
    let mut out = format!("{}\n\nVakonomic equations: stationary action of L + Σ μφ. Not mechanics.\n", w.system.name);
    for &e in &v.equations {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    out.push_str("\nRumyantsev's condition, for each virtual displacement: the motions agree where it holds\n");
    for &e in &v.condition {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    let _ = writeln!(out, "  for every μ: {}", agreement.for_every_mu.answer());
    if let Some(choice) = &agreement.momentum_choice {
        let list: Vec<String> = choice.iter().map(|&e| shown(w, e)).collect();
        let _ = writeln!(
            out,
            "  for μ = ({}), with which the momenta of the dependent coordinates vanish: {}{}",
            list.join(", "),
            agreement.for_momentum_choice.answer(),
            if agreement.choice_persists { ", and this choice persists" } else { "" }
        );
    }
    let _ = writeln!(out, "\nFrom the same state at t = {}, with μ = {mu:?}:", state.time);
    let _ = writeln!(out, "  {:<12} {:>22} {:>22}", "at the start", "mechanics", "vakonomic");
    for (i, &s) in w.system.accelerations.iter().enumerate() {
        let (a, b) = (run.initial_accelerations.0[i], run.initial_accelerations.1[i]);
        let _ = writeln!(out, "  {:<12} {a:>22.12} {b:>22.12}", w.g.name(s));
    }
    let n = w.system.n();
    if let Some((s, m)) = run.samples.iter().zip(&run.mechanics.samples).next_back() {
        let _ = writeln!(out, "  {:<12}", format!("at t = {}", s.t));
        for i in 0..n {
            let name = w.g.name(w.system.coordinates[i]);
            let _ = writeln!(out, "  {name:<12} {:>22.12} {:>22.12}", m.y[i], s.y[i]);
        }
    }
    let largest = run.differences.iter().fold(0.0, |m: f64, d| m.max(*d));
    match run.departs(threshold) {
        Some((t, d)) => {
            let _ = writeln!(
                out,
                "they differ by more than {threshold} from t = {t} on (there by {d:.3e}, at most by {largest:.3e})"
            );
        }
        None => {
            let _ = writeln!(out, "they do not differ by more than {threshold}: at most by {largest:.3e}");
        }
    }
    let _ = writeln!(out, "largest left side of the condition along the vakonomic motion: {:.3e}", run.condition());
    out
}
