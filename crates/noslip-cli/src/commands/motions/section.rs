//! `noslip section`

use super::{analysed, by_name, eigenvalue, eigenvalues, significant, stability};
use crate::failure::{Failure, Outcome};
use crate::motion::{ending, warn_of_tables};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, finite};
use crate::output::{Columns, Table, expect_outputs, plots, write_atomically, write_plots};
use crate::parquet::parquet;
use crate::terminal::{say, say_json};
use crate::words::{number, symbol};
use clap::{Args, ValueEnum};
use noslip::Error;
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::motions::reduce::Reduction;
use noslip::motions::section::{Periodic, Search, periodic, section};
use noslip::numeric::counted;
use noslip::simulate::{self, Settings};
use noslip_cli::answers::{self, Known, PeriodicMotion, SectionPoint};
use std::fmt::Write;
use std::path::PathBuf;

/// `section`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip section rattleback --on \"alpha' = 0\" --until 100 --columns beta
  noslip section top.toml --on \"theta = 1\" --until 5000 --plot section.png
  noslip section top.toml --on \"theta'\" --periodic --returns 2")]
pub struct SectionArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The surface: an expression that crosses zero, or an equation
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub on: String,
    /// Which crossings count: rising, falling or both
    #[arg(long, value_enum, default_value = "rising", value_name = "HOW", hide_possible_values = true)]
    pub direction: DirectionArg,
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Most points to collect
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub points: usize,
    /// Columns, as `simulate` has them; `x:y` draws y over x
    #[arg(long, value_name = "C,C,…", allow_hyphen_values = true)]
    pub columns: Option<String>,
    /// Find a periodic motion of the closed part near the initial state, with its multipliers
    #[arg(long)]
    pub periodic: bool,
    /// Returns to the section in a period
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub returns: usize,
    /// Relative and absolute tolerance (1e-9; 1e-11 for a periodic motion)
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// Most steps to take
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Write the points: .csv or .parquet by extension
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the points: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// `--direction`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DirectionArg {
    /// From negative to positive
    Rising,
    /// From positive to negative
    Falling,
    /// Either way
    Both,
}

impl DirectionArg {
    fn word(self) -> &'static str {
        match self {
            DirectionArg::Rising => "rising",
            DirectionArg::Falling => "falling",
            DirectionArg::Both => "both",
        }
    }

    fn direction(self) -> simulate::Direction {
        match self {
            DirectionArg::Rising => simulate::Direction::Rising,
            DirectionArg::Falling => simulate::Direction::Falling,
            DirectionArg::Both => simulate::Direction::Any,
        }
    }
}

/// Collects crossings of a surface, or finds a periodic motion.
pub fn run(args: &SectionArgs) -> Outcome {
    expect_outputs(&args.model.model, args.out.as_ref(), &["csv", "parquet"], args.plot.as_ref())?;
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
    let on = opened.expression("--on", &args.on)?;
    let wishes = Settings::of_system(&opened.model.system);
    let own = opened.model.system.simulation.until.is_some().then_some(wishes.until);
    let until = args.until.or(own).ok_or_else(|| {
        Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
    })?;
    let settings = Settings {
        until,
        tolerance: args.tolerance.unwrap_or(wishes.tolerance),
        max_steps: args.max_steps.unwrap_or(wishes.max_steps),
        ..Settings::until(until)
    };
    if args.points == 0 || args.returns == 0 {
        return Err(Error::input("at least one point and one return have to be asked for").into());
    }
    if args.periodic {
        return find(args, &opened, &state, on, &settings);
    }
    let columns = Columns::parse(args.columns.as_deref(), &mut opened)?;
    let mut w = opened.model.workbench();
    let found = section(&mut w, &state, on, args.direction.direction(), &settings, args.points)?;
    warn_of_tables(&w);
    let table = columns.evaluate_at(&mut w, &found.points)?;
    table.warn_of_gaps();
    if let Some(path) = &args.out {
        let bytes = match path.extension().and_then(|x| x.to_str()) {
            Some("parquet") => parquet(&table.names, &table.columns),
            _ => table.csv().into_bytes(),
        };
        write_atomically(path, &bytes)?;
    }
    if let Some(path) = &args.plot {
        let title = format!("{}: section {}", w.system.name, args.on);
        write_plots(path, &plots(&table.dotted(), &title)?)?;
    }
    match args.format.is_json() {
        true => {
            let answer = answer(&w, args, points(&table), (&found.outcome).into(), found.end, None);
            say_json(&answer);
        }
        false => {
            let mut out = format!("{}: {}", w.system.name, counted(found.points.len(), "crossing"));
            let _ = writeln!(out, " of {} until t = {}", args.on, number(found.end));
            if let [first, .., last] = &found.points[..] {
                let mean = (last.t - first.t) / (found.points.len() - 1) as f64;
                let _ = writeln!(out, "mean time of return {}", significant(mean));
            }
            for path in args.out.iter().chain(&args.plot) {
                let _ = writeln!(out, "wrote {}", path.display());
            }
            if args.out.is_none() && args.plot.is_none() {
                out.push('\n');
                out += &table.csv();
            }
            say(&out);
        }
    }
    match found.outcome.is_success() {
        true => Ok(()),
        false => Err(Error::computation(ending(&mut w, &found.outcome, settings.method)).into()),
    }
}

/// The points for a document.
fn points(table: &Table) -> Vec<SectionPoint> {
    let row = |i: usize| SectionPoint {
        t: table.columns[0][i],
        values: answers::by_name(&table.names[1..], table.columns[1..].iter().map(|c| c[i])),
    };
    (0..table.columns.first().map_or(0, Vec::len)).map(row).collect()
}

fn answer(
    w: &Workbench,
    args: &SectionArgs,
    points: Vec<SectionPoint>,
    outcome: answers::Ending,
    end: f64,
    periodic: Option<PeriodicMotion>,
) -> answers::Section {
    answers::Section {
        name: w.system.name.clone(),
        on: args.on.clone(),
        direction: args.direction.word().to_owned(),
        points,
        outcome,
        end,
        periodic,
        how: Known::Numerical,
    }
}

/// Finds a periodic motion.
fn find(args: &SectionArgs, opened: &Opened, state: &State, on: Expr, settings: &Settings) -> Outcome {
    if args.out.is_some() || args.plot.is_some() || args.columns.is_some() {
        return Err(Failure::from(
            Error::input("`--periodic` has no points to write, draw or choose columns of")
                .hint("start a second run at what it finds: --initial"),
        ));
    }
    let (mut w, chosen) = analysed(opened)?;
    let r = Reduction::of(&mut w, chosen)?.relative(&mut w);
    let search = Search {
        direction: args.direction.direction(),
        returns: args.returns,
        until: settings.until - state.time,
        tolerance: args.tolerance.unwrap_or(1e-11),
        max_steps: settings.max_steps,
    };
    let p = periodic(&mut w, &r, state, on, &search)?;
    match args.format.is_json() {
        true => {
            let motion = PeriodicMotion {
                values: by_name(&w, &p.values),
                period: p.period,
                multipliers: eigenvalues(&p.multipliers),
                ones: p.ones,
                stable: stability(p.stable),
                residual: p.residual,
                returns: p.returns,
                away: p.away,
                turns: p.turns.iter().map(|(s, n)| (w.g.name(*s).to_owned(), *n)).collect(),
            };
            say_json(&answer(&w, args, Vec::new(), answers::Ending::Finished, state.time + p.period, Some(motion)));
        }
        false => say(&text(&w, &p, args.returns)),
    }
    Ok(())
}

/// From here on a periodic motion is far from where its search began.
const FAR: f64 = 0.1;

fn text(w: &Workbench, p: &Periodic, asked: usize) -> String {
    let mut out = format!("{}\n\nA periodic motion of the closed part, period {:.12}\n", w.system.name, p.period);
    let values: Vec<String> =
        p.values.iter().map(|(s, x)| format!("{} = {}", symbol(w, *s), significant(*x))).collect();
    let _ = writeln!(out, "  {}", values.join(", "));
    for (s, n) in &p.turns {
        let _ = writeln!(out, "  {} makes {}", symbol(w, *s), counted(n.unsigned_abs() as usize, "turn"));
    }
    if p.returns < asked {
        let _ = writeln!(out, "  it closes after {} already", counted(p.returns, "return"));
    }
    if p.away > FAR {
        let _ = writeln!(
            out,
            "  far from where the initial motion crosses the section: {} of its size away",
            significant(p.away)
        );
    }
    let list: Vec<String> = p.multipliers.iter().map(eigenvalue).collect();
    let _ = writeln!(out, "  multipliers {}", list.join(", "));
    let _ = writeln!(out, "  {} of them 1; by the others {}", p.ones, p.stable.word());
    let _ = writeln!(out, "  closed to {:.1e}", p.residual);
    out
}
