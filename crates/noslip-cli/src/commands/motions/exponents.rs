//! `noslip exponents`

use super::{analysed, names, significant};
use crate::failure::Outcome;
use crate::motion::warn_of_tables;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, finite};
use crate::output::{expect_outputs, write_atomically, write_plots};
use crate::terminal::{say, say_json};
use crate::words::{number, symbol};
use clap::Args;
use noslip::Error;
use noslip::mechanics::Workbench;
use noslip::motions::exponents::{Exponents, Question, exponents};
use noslip::motions::reduce::Reduction;
use noslip::simulate::Settings;
use noslip_cli::answers::{Known, LyapunovExponent, LyapunovExponents};
use noslip_cli::plot::{Column, Plot};
use std::fmt::Write;
use std::path::PathBuf;

/// `exponents`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip exponents rattleback --until 200
  noslip exponents top.toml --until 2000 --transient 100 --count 1
  noslip exponents top.toml --until 500 --plot convergence.svg

The exponents are those of the closed part (`noslip reduce`).")]
pub struct ExponentsArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Length of the run over which they are averaged; the model's own end time if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Time before the averaging begins (0)
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true, default_value = "0")]
    pub transient: f64,
    /// Time after which neighbours are made orthonormal again (a thousandth of the run)
    #[arg(long, value_name = "H", value_parser = finite, allow_hyphen_values = true)]
    pub every: Option<f64>,
    /// So many of them, the largest (all)
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Relative and absolute tolerance (1e-9)
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// Most steps to take
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Write how they settle as comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw how they settle: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Computes Lyapunov exponents.
pub fn run(args: &ExponentsArgs) -> Outcome {
    expect_outputs(&args.model.model, args.out.as_ref(), &["csv"], args.plot.as_ref())?;
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
    let wishes = Settings::of_system(&opened.model.system);
    let own = opened.model.system.simulation.until.is_some().then_some(wishes.until - state.time);
    let until = args.until.or(own).ok_or_else(|| {
        Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
    })?;
    let question = Question {
        until,
        transient: args.transient,
        every: args.every,
        count: args.count,
        tolerance: args.tolerance.unwrap_or(wishes.tolerance),
        max_steps: args.max_steps.unwrap_or(wishes.max_steps),
    };
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?.relative(&mut w);
    let answer = exponents(&mut w, &r, &state, &question)?;
    warn_of_tables(&w);
    if let Some(path) = &args.out {
        write_atomically(path, csv(&answer).as_bytes())?;
    }
    if let Some(path) = &args.plot {
        write_plots(path, &[plot(&w, &answer)])?;
    }
    match args.format.is_json() {
        true => say_json(&document(&w, &answer)),
        false => say(&text(&w, &answer)),
    }
    Ok(())
}

fn document(w: &Workbench, a: &Exponents) -> LyapunovExponents {
    let list = a.values.iter().zip(&a.errors);
    LyapunovExponents {
        name: w.system.name.clone(),
        closed: names(w, &a.closed),
        exponents: list.map(|(&value, &e)| LyapunovExponent { value, error: e.is_finite().then_some(e) }).collect(),
        divergence: a.divergence,
        dimension: a.dimension,
        from: a.span.0,
        until: a.span.1,
        steps: a.steps,
        how: Known::Numerical,
    }
}

fn text(w: &Workbench, a: &Exponents) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    let closed: Vec<String> = a.closed.iter().map(|&s| symbol(w, s)).collect();
    let _ = writeln!(out, "Closed part: {}", closed.join(", "));
    let _ = writeln!(out, "Lyapunov exponents, over t = {} … {}", number(a.span.0), number(a.span.1));
    for (x, e) in a.values.iter().zip(&a.errors) {
        let error = if e.is_finite() { format!(" ± {e:.1e}") } else { String::new() };
        let _ = writeln!(out, "  {x:>12.6}{error}");
    }
    if let Some(d) = a.divergence {
        let sum: f64 = a.values.iter().sum();
        let _ = writeln!(out, "their sum {}, the mean divergence {}", significant(sum), significant(d));
    }
    if let Some(d) = a.dimension {
        let _ = writeln!(out, "Kaplan–Yorke dimension {d:.3}");
    }
    out
}

fn csv(a: &Exponents) -> String {
    let mut out = String::from("t");
    (1..=a.values.len()).for_each(|k| out += &format!(",lambda_{k}"));
    out.push('\n');
    for (t, values) in &a.history {
        let row: Vec<String> = [*t].iter().chain(values).map(|&x| number(x)).collect();
        out += &(row.join(",") + "\n");
    }
    out
}

fn plot(w: &Workbench, a: &Exponents) -> Plot {
    let time = Column::new("t", a.history.iter().map(|h| h.0).collect::<Vec<f64>>());
    let column = |k: usize| Column::new(format!("λ{}", k + 1), a.history.iter().map(|h| h.1[k]).collect::<Vec<f64>>());
    let columns = (0..a.values.len()).map(column).collect();
    Plot::over_time(format!("{}: Lyapunov exponents", w.system.name), time, columns)
}
