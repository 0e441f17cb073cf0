//! `noslip compare`

use crate::failure::{Failure, Outcome};
use crate::motion::{ending, settings};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, RunArgs, finite, named, number};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, coordinate_names, shown, written};
use clap::Args;
use noslip::Error;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::principles::vakonomic::{AgreementOfPrinciples, Comparison, Vakonomic, compare, momentum_choice};
use noslip_cli::answers::{self, Both, ComparedSample, MechanicalSample, Phase, Rumyantsev, VakonomicSample, by_name};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip compare vertical-disk --mu roll_y=0.1   with this μ(0)
  noslip compare vertical-disk --mu momentum     with vanishing momenta of the
                                                 dependent coordinates
  noslip compare sleigh.toml --until 5 --format json")]
pub struct CompareArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// With the stationary-action equations of L + Σ μφ (the default)
    #[arg(long)]
    pub vakonomic: bool,
    /// Initial value of a multiplier, CONSTRAINT=VALUE, or `momentum`; may be repeated
    #[arg(long = "mu", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub mu: Vec<String>,
    /// Difference from which on the motions count as different
    #[arg(long, value_name = "D", default_value = "1e-3", value_parser = finite)]
    pub threshold: f64,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Integrates the true and the vakonomic motion from one state.
pub fn run(args: &CompareArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
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
    match args.format.is_json() {
        true => say_json(&answer(&mut w, &v, &agreement, &mu, &run, args.threshold)),
        false => say(&text(&mut w, &v, &agreement, &state, &mu, &run, args.threshold)),
    }
    let runs = [("the motion", &run.mechanics.outcome), ("the vakonomic motion", &run.outcome)];
    match runs.into_iter().find(|(_, o)| !o.is_success()) {
        None => Ok(()),
        Some((which, outcome)) => {
            let why = ending(&mut w, outcome, settings.method);
            Err(Error::computation(format!("{which} ended early: {why}")).into())
        }
    }
}

/// μ(0) by constraints; `None` asks for the choice by momenta.
fn initial_mu(args: &CompareArgs, opened: &Opened) -> Result<Option<Vec<f64>>, Failure> {
    if args.mu.iter().any(|m| m == "momentum") {
        return match args.mu.len() {
            1 => Ok(None),
            _ => Err(Error::input("`--mu momentum` sets all multipliers; leave the others out").into()),
        };
    }
    let mut mu = vec![0.0; opened.model.system.k()];
    for text in &args.mu {
        let (name, value) = named("--mu", text)?;
        let j = opened.constraint(&format!("`--mu {text}`: "), name)?;
        let value = number(value).ok_or_else(|| Error::input(format!("`--mu {text}`: `{value}` is not a number")))?;
        mu[j] = value.to_f64();
    }
    Ok(Some(mu))
}

fn answer(
    w: &mut Workbench,
    v: &Vakonomic,
    agreement: &AgreementOfPrinciples,
    mu: &[f64],
    run: &Comparison,
    threshold: f64,
) -> answers::Comparison {
    let (names, constraints) = (coordinate_names(w), constraint_names(w));
    let choice = agreement.momentum_choice.as_ref().map(|list| by_name(&constraints, all_written(w, list)));
    answers::Comparison {
        name: w.system.name.clone(),
        lagrangian: written(w, v.lagrangian),
        equations: all_written(w, &v.equations),
        rumyantsev: Rumyantsev {
            condition: all_written(w, &v.condition),
            for_every_mu: (&agreement.for_every_mu).into(),
            momentum_choice: choice,
            for_momentum_choice: (&agreement.for_momentum_choice).into(),
            choice_persists: agreement.choice_persists,
            largest_along_motion: run.condition(),
        },
        mu: by_name(&constraints, mu.iter().copied()),
        initial_accelerations: Both {
            mechanics: by_name(&names, run.initial_accelerations.0.iter().copied()),
            vakonomic: by_name(&names, run.initial_accelerations.1.iter().copied()),
        },
        outcome: Both { mechanics: (&run.mechanics.outcome).into(), vakonomic: (&run.outcome).into() },
        threshold,
        departs_at: run.departs(threshold).map(|(t, _)| t),
        largest_difference: run.differences.iter().fold(0.0, |m: f64, d| m.max(*d)),
        samples: samples(&names, &constraints, run),
    }
}

fn samples(names: &[String], constraints: &[String], run: &Comparison) -> Vec<ComparedSample> {
    let by = |names: &[String], values: &[f64]| by_name(names, values.iter().copied());
    let both = run.samples.iter().zip(&run.mechanics.samples).zip(&run.differences);
    both.map(|((s, m), d)| ComparedSample {
        t: s.t,
        mechanics: MechanicalSample { phase: Phase::new(names, &m.y), multipliers: by(constraints, &m.multipliers) },
        vakonomic: VakonomicSample {
            phase: Phase::new(names, &s.y),
            mu: by(constraints, &s.mu),
            mu_rate: by(constraints, &s.rates),
        },
        difference: *d,
        condition: s.condition.clone(),
    })
    .collect()
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
