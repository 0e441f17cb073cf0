//! `noslip compare`

use crate::failure::{Failure, Outcome};
use crate::motion::{ending, settings, warn_of_tables};
use crate::open::{Opened, expect_one_stdin, open, set_parameter};
use crate::options::{FormatArgs, ModelArgs, RunArgs, finite, named, number, unknown};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, coordinate_names, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::arrange::Arrange;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::principles::beside::{Beside, Lindelof, beside};
use noslip::principles::vakonomic::{AgreementOfPrinciples, Comparison, Vakonomic, compare, momentum_choice};
use noslip::simulate::Settings;
use noslip_cli::answers::{self, Both, ComparedSample, MechanicalSample, Phase, Rumyantsev, VakonomicSample, by_name};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip compare vertical-disk --mu roll_y=0.1   with this μ(0)
  noslip compare vertical-disk --mu momentum     with vanishing momenta of the
                                                 dependent coordinates
  noslip compare sleigh.toml --until 5 --format json
  noslip compare sleigh.toml --reduced           with Lindelöf's motion: the
                                                 constraints put into T
  noslip compare appell-machine appell-hamel --match xi=x --match eta=y
                                                 with the motion of another
                                                 model, in common coordinates
  noslip compare appell-machine appell-hamel --match xi=x --match eta=y \\
    --vary rho=0.01,0.001,-0.001,-0.01           the limit from both sides")]
pub struct CompareArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Another model to compare with; `--set` and `--initial` are for the first
    pub other: Option<String>,
    /// A coordinate that has another name in the other model, NAME=OTHER; may be repeated
    #[arg(long = "match", value_name = "NAME=OTHER", requires = "other")]
    pub matches: Vec<String>,
    /// A parameter of the first model and values for it, NAME=V,V,…: one comparison for each, to see where a limit leads
    #[arg(long, value_name = "NAME=V,V,…", requires = "other", allow_hyphen_values = true)]
    pub vary: Option<String>,
    /// With Lindelöf's motion, Lagrange's equations of the energy with the constraints inserted
    #[arg(long, conflicts_with_all = ["vakonomic", "mu", "other"])]
    pub reduced: bool,
    /// With the stationary-action equations of L + Σ μφ (the default)
    #[arg(long, conflicts_with = "other")]
    pub vakonomic: bool,
    /// Initial value of a multiplier, CONSTRAINT=VALUE, or `momentum`; may be repeated
    #[arg(long = "mu", value_name = "NAME=VALUE", allow_hyphen_values = true, conflicts_with = "other")]
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
    if let (Some(other), Some(vary)) = (&args.other, &args.vary) {
        return varied(args, &opened, &settings, other, vary);
    }
    if let Some(other) = &args.other {
        return with_model(args, opened, &state, &settings, other);
    }
    if args.reduced {
        return with_reduced(args, &opened, &state, &settings);
    }
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
    warn_of_tables(&w);
    match args.format.is_json() {
        true => {
            say_json(&answers::Compared::Vakonomic(Box::new(answer(&mut w, &v, &agreement, &mu, &run, args.threshold))))
        }
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

/// The motion of this model beside that of another.
fn with_model(args: &CompareArgs, opened: Opened, state: &State, settings: &Settings, other: &str) -> Outcome {
    expect_one_stdin(&args.model, "the other model", other)?;
    let model = ModelArgs { model: other.to_owned(), set: Vec::new(), initial: Vec::new(), effort: args.model.effort };
    let mut second = open(&model)?;
    let second_state = second.initial_state()?;
    let (mut w, mut v) = (opened.model.workbench(), second.model.workbench());
    let (names, others) = (coordinate_names(&w), coordinate_names(&v));
    let common = common(args, &names, &others)?;
    let run = beside((&mut w, state), (&mut v, &second_state), &common, settings)?;
    warn_of_tables(&w);
    warn_of_tables(&v);
    let titles = [w.system.name.clone(), v.system.name.clone()];
    tell(args, &mut w, &Told { titles, others, common, left_out: None, run, method: settings.method })
}

/// The same for several values of a parameter: how far the motions are apart for each.
fn varied(args: &CompareArgs, opened: &Opened, settings: &Settings, other: &str, vary: &str) -> Outcome {
    expect_one_stdin(&args.model, "the other model", other)?;
    let model = ModelArgs { model: other.to_owned(), set: Vec::new(), initial: Vec::new(), effort: args.model.effort };
    let mut second = open(&model)?;
    let second_state = second.initial_state()?;
    let (name, values) = named("--vary", vary)?;
    let mut list = Vec::new();
    for value in values.split(',').map(str::trim) {
        let mut first = opened.clone();
        set_parameter(&mut first.model, &format!("{name}={value}"))?;
        let state = first.initial_state()?;
        let (mut w, mut v) = (first.model.workbench(), second.model.workbench());
        let common = common(args, &coordinate_names(&w), &coordinate_names(&v))?;
        let run = beside((&mut w, &state), (&mut v, &second_state), &common, settings)?;
        warn_of_tables(&w);
        warn_of_tables(&v);
        if let Some(outcome) = [&run.first.outcome, &run.second.outcome].into_iter().find(|o| !o.is_success()) {
            let why = ending(&mut w, outcome, settings.method);
            return Err(Error::computation(format!("with {name} = {value} a motion ended early: {why}")).into());
        }
        let departs_at = run.departs(args.threshold).map(|(t, _)| t);
        list.push(answers::ComparedValue { value: value.to_owned(), departs_at, largest_difference: run.largest() });
    }
    let titles = [opened.model.system.name.clone(), second.model.system.name.clone()];
    if args.format.is_json() {
        let [first, second] = titles;
        let varied = answers::MotionsVaried {
            first,
            second,
            parameter: name.to_owned(),
            threshold: args.threshold,
            values: list,
        };
        say_json(&answers::Compared::Varied(varied));
        return Ok(());
    }
    let mut out = format!("{} and {}\n\n", titles[0], titles[1]);
    for v in &list {
        let (value, largest) = (&v.value, v.largest_difference);
        let _ = match v.departs_at {
            Some(t) => writeln!(
                out,
                "  {name} = {value:<12} they differ at most by {largest:.3e}, by more than {} from t = {t} on",
                args.threshold
            ),
            None => writeln!(out, "  {name} = {value:<12} they differ at most by {largest:.3e}"),
        };
    }
    say(&out);
    Ok(())
}

/// Places of the coordinates that both models have, by `--match` and by their names.
fn common(args: &CompareArgs, names: &[String], others: &[String]) -> Result<Vec<(usize, usize)>, Failure> {
    let find = |text: &str, list: &[String], name: &str| {
        let known: Vec<&str> = list.iter().map(String::as_str).collect();
        let place = known.iter().position(|&k| k == name);
        place.ok_or_else(|| unknown(&format!("`--match {text}`: "), "coordinate", name, &known))
    };
    let mut pairs = Vec::new();
    for text in &args.matches {
        let (name, other) = named("--match", text)?;
        pairs.push((find(text, names, name)?, find(text, others, other)?));
    }
    for (i, name) in names.iter().enumerate() {
        let place = others.iter().position(|o| o == name);
        if let Some(j) = place.filter(|j| pairs.iter().all(|p| p.0 != i && p.1 != *j)) {
            pairs.push((i, j));
        }
    }
    pairs.arrange();
    Ok(pairs)
}

/// The motion beside that of Lindelöf's error.
fn with_reduced(args: &CompareArgs, opened: &Opened, state: &State, settings: &Settings) -> Outcome {
    let mut w = opened.model.workbench();
    let wrong = Lindelof::of(&mut w)?;
    let mut v = Workbench::new(w.g.clone(), wrong.system.clone());
    let names = coordinate_names(&w);
    let common: Vec<(usize, usize)> = (0..names.len()).map(|i| (i, i)).collect();
    let run = beside((&mut w, state), (&mut v, state), &common, settings)?;
    warn_of_tables(&w);
    let titles = [w.system.name.clone(), "Lindelöf's motion".to_owned()];
    tell(args, &mut w, &Told { titles, others: names, common, left_out: Some(wrong), run, method: settings.method })
}

/// What is told of two motions.
struct Told {
    titles: [String; 2],
    /// Coordinates of the second.
    others: Vec<String>,
    common: Vec<(usize, usize)>,
    left_out: Option<Lindelof>,
    run: Beside,
    method: &'static noslip::simulate::Method,
}

fn tell(args: &CompareArgs, w: &mut Workbench, told: &Told) -> Outcome {
    match args.format.is_json() {
        true => say_json(&answers::Compared::Motions(beside_answer(w, told, args.threshold))),
        false => say(&beside_text(w, told, args.threshold)),
    }
    let runs = [(&told.titles[0], &told.run.first.outcome), (&told.titles[1], &told.run.second.outcome)];
    match runs.into_iter().find(|(_, o)| !o.is_success()) {
        None => Ok(()),
        Some((which, outcome)) => {
            let why = ending(w, outcome, told.method);
            Err(Error::computation(format!("the motion of `{which}` ended early: {why}")).into())
        }
    }
}

fn beside_answer(w: &mut Workbench, told: &Told, threshold: f64) -> answers::MotionsCompared {
    let names = coordinate_names(w);
    let left_out = told.left_out.as_ref().map(|l| {
        l.left_out.iter().map(|&(q, e)| (w.g.name(q).to_owned(), written(w, e))).collect::<answers::ByName<_>>()
    });
    let samples = told.run.first.samples.iter().zip(&told.run.second.samples).zip(&told.run.differences);
    answers::MotionsCompared {
        first: told.titles[0].clone(),
        second: told.titles[1].clone(),
        left_out,
        common: told.common.iter().map(|&(i, _)| names[i].clone()).collect(),
        outcome: [(&told.run.first.outcome).into(), (&told.run.second.outcome).into()],
        threshold,
        departs_at: told.run.departs(threshold).map(|(t, _)| t),
        largest_difference: told.run.largest(),
        samples: samples
            .map(|((a, b), d)| answers::MotionsSample {
                t: a.t,
                first: Phase::new(&names, &a.y),
                second: Phase::new(&told.others, &b.y),
                difference: *d,
            })
            .collect(),
    }
}

fn beside_text(w: &mut Workbench, told: &Told, threshold: f64) -> String {
    let mut out = format!("{} and {}\n", told.titles[0], told.titles[1]);
    if let Some(wrong) = &told.left_out {
        out.push_str(
            "\nThe constraints put into the energy, and Lagrange's equations written for it. Not mechanics.\n",
        );
        let _ = writeln!(out, "    T° = {}", shown(w, wrong.kinetic));
        if wrong.is_right(w) {
            out.push_str("Nothing is left out: here the equations are right (proved).\n");
        } else {
            out.push_str("What is left out of the left side of the equation of\n");
            for &(q, e) in &wrong.left_out {
                let _ = writeln!(out, "    {}: {}", symbol(w, q), shown(w, e));
            }
        }
    }
    let names = coordinate_names(w);
    // The last sample of both: one of the motions may have ended before the other.
    if let Some((a, b)) = told.run.first.samples.iter().zip(&told.run.second.samples).next_back() {
        let at = format!("at t = {}", a.t);
        let _ = writeln!(out, "\n  {at:<16} {:>22} {:>22}", "first", "second");
        for &(i, j) in &told.common {
            let _ = writeln!(out, "  {:<16} {:>22.12} {:>22.12}", names[i], a.y[i], b.y[j]);
        }
    }
    let missing: Vec<&String> =
        (0..names.len()).filter(|i| !told.common.iter().any(|c| c.0 == *i)).map(|i| &names[i]).collect();
    let more: Vec<&String> =
        (0..told.others.len()).filter(|j| !told.common.iter().any(|c| c.1 == *j)).map(|j| &told.others[j]).collect();
    for (list, which) in [(missing, "first"), (more, "second")] {
        if !list.is_empty() {
            let list: Vec<&str> = list.iter().map(|s| s.as_str()).collect();
            let _ = writeln!(out, "  in the {which} only: {}", list.join(", "));
        }
    }
    departure(&mut out, told.run.departs(threshold), threshold, told.run.largest());
    out
}

/// From when on two motions differ.
fn departure(out: &mut String, departs: Option<(f64, f64)>, threshold: f64, largest: f64) {
    let _ = match departs {
        Some((t, d)) => writeln!(
            out,
            "they differ by more than {threshold} from t = {t} on (there by {d:.3e}, at most by {largest:.3e})"
        ),
        None => writeln!(out, "they do not differ by more than {threshold}: at most by {largest:.3e}"),
    };
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
    departure(&mut out, run.departs(threshold), threshold, largest);
    let _ = writeln!(out, "largest left side of the condition along the vakonomic motion: {:.3e}", run.condition());
    out
}
