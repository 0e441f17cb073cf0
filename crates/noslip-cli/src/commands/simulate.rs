//! `noslip simulate`

use crate::failure::Outcome;
use crate::figures;
use crate::motion::{completed, describe, expect_success, settings, warn_of_negative_inertia, warn_of_tables};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, RunArgs};
use crate::output::{self, Columns, Table, expect_outputs, write_atomically};
use crate::parquet::parquet;
use crate::progress::doing;
use crate::terminal::{hand_over, json, say, say_json};
use crate::words::{constraint_names, coordinate_names, integrated, number};
use clap::Args;
use noslip::Error;
use noslip::contact::{friction, switching};
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::numeric::{brief, counted};
use noslip::simulate::{self, Settings, Simulation};
use noslip_cli::answers::{self, Drift, Sample, by_name};
use std::fmt::Write;
use std::path::PathBuf;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip simulate disk.toml --until 20 -o run.csv
  noslip simulate disk.toml --at 0,2.5,10 --tolerance 1e-12 --format json
  noslip simulate disk.toml --initial \"theta'=0.3\" --columns theta,energy
  noslip simulate disk.toml --plot path.svg --columns x:y
  noslip simulate disk.toml --stop \"theta = 0.5\"
  noslip simulate block.toml --switching")]
pub struct SimulateArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Columns: names, velocities "x'", multipliers `lambda_NAME`, `energy`, expressions; `x:y` is a phase plot
    #[arg(long, value_name = "C,C,…", allow_hyphen_values = true)]
    pub columns: Option<String>,
    /// Stop when a contact whose `friction` is given can no longer hold
    #[arg(long)]
    pub grip: bool,
    /// Let contacts slide, stick, open and close; a model with inequalities or laws of friction does so by itself
    #[arg(long, conflicts_with = "grip")]
    pub switching: bool,
    /// Where to write the samples: .csv, .json or .parquet by extension
    #[arg(short, long, value_name = "FILE", alias = "output")]
    pub out: Option<PathBuf>,
    /// Plot file: .svg or .png by extension; without --columns, the plots the model asks for
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Integrates the motion.
pub fn run(args: &SimulateArgs) -> Outcome {
    // What cannot be written is found out before the run, not after it.
    expect_outputs(&args.model.model, args.out.as_ref(), &["csv", "json", "parquet"], args.plot.as_ref())?;
    let mut opened = open(&args.model)?;
    let switching = args.switching || switching::is_needed(&opened.model.system);
    let state = match switching {
        true => opened.switching_state()?,
        false => opened.initial_state()?,
    };
    let mut settings = settings(&args.run, &mut opened, &state)?;
    let columns = Columns::parse(args.columns.as_deref(), &mut opened)?;
    // Without columns, what the model itself wants plotted.
    let figures = match (&args.plot, &args.columns) {
        (Some(_), None) => opened.figures()?,
        _ => Vec::new(),
    };
    let mut w = opened.model.workbench();
    if args.grip {
        watch_grip(&mut w, &state, &mut settings)?;
    }
    warn_of_negative_inertia(&mut w, &state)?;
    let mut progress = Progress { from: state.time, to: settings.until, steps: 0 };
    let mut show = |t| progress.show(t);
    let (simulation, switched) = if switching {
        let run = switching::run(&mut w, &state, &settings, &mut show)?;
        let told = told(&run);
        (run.simulation, Some(told))
    } else {
        (simulate::simulate(&mut w, &state, &settings, &mut show)?, None)
    };
    warn_of_tables(&w);
    let table = columns.evaluate(&mut w, &simulation)?;
    table.warn_of_gaps();
    let asked = args.columns.is_some().then_some(&table);
    if let Some(path) = &args.out {
        let bytes = match path.extension().and_then(|x| x.to_str()) {
            Some("json") => json(&answer(&mut w, &simulation, asked, switched.clone())).into_bytes(),
            Some("parquet") => parquet(&table.names, &table.columns),
            _ => table.csv().into_bytes(),
        };
        write_atomically(path, &bytes)?;
    }
    if let Some(path) = &args.plot {
        let plots = match figures.is_empty() {
            true => output::plots(&table, &w.system.name)?,
            false => figures::plots(&figures, &opened, &settings, &mut w, &simulation)?,
        };
        output::write_plots(path, &plots)?;
    }
    if args.format.is_json() {
        say_json(&answer(&mut w, &simulation, asked, switched));
    } else if args.out.is_none() && args.plot.is_none() && args.columns.is_some() {
        hand_over(&table.csv());
    } else {
        let mut text = summary(&mut w, &state, &simulation, settings.tolerance);
        if let Some(switched) = &switched {
            text.push_str(&switches(switched));
        }
        for path in args.out.iter().chain(&args.plot) {
            let _ = writeln!(text, "wrote {}", path.display());
        }
        say(&text);
    }
    expect_success(&mut w, &simulation)
}

/// Adds an event for every contact whose friction is given; a contact that cannot hold from the start is a refusal.
fn watch_grip(w: &mut Workbench, state: &State, settings: &mut Settings) -> Outcome {
    let contacts = friction::contacts(w);
    if contacts.is_empty() {
        return Err(Error::input("`--grip`: no constraint of the model has `friction`")
            .hint("write NAME = { equation = \"...\", friction = \"...\" }, or ask `noslip grip` with --limit")
            .into());
    }
    let loads = friction::loads(w, &contacts, state)?;
    if let Some((c, l)) = contacts.iter().zip(&loads).find(|(_, l)| l.margin() <= 0.0) {
        let message = if l.parts() {
            format!("the contact `{}` opens at the start: its normal force would have to pull", c.name)
        } else {
            format!(
                "the contact `{}` slides from the start: the constraint asks for {}, friction gives {}",
                c.name, l.force, l.limit
            )
        };
        return Err(Error::computation(message).into());
    }
    for (c, margin) in contacts.iter().zip(friction::margins(w, &contacts)) {
        settings.stops.push((format!("the margin of friction of {}", c.name), margin));
    }
    Ok(())
}

/// The switches of a run and its energy, as an answer.
fn told(run: &switching::Switched) -> answers::Switching {
    let switches = run.switches.iter().map(|s| {
        let (change, direction, speed, impulse, lost) = match s.change {
            switching::Change::Slides(sign) => ("slides", Some(sign), None, None, None),
            switching::Change::Sticks => ("sticks", None, None, None, None),
            switching::Change::Opens => ("opens", None, None, None, None),
            switching::Change::Closes => ("closes", None, None, None, None),
            switching::Change::Strikes { speed, impulse, lost } => {
                ("strikes", None, Some(speed), Some(impulse), Some(lost))
            }
        };
        answers::Switch { t: s.t, constraint: s.contact.clone(), change, direction, speed, impulse, lost }
    });
    answers::Switching {
        switches: switches.collect(),
        energy_at_start: run.energy.0,
        energy_at_end: run.energy.1,
        given: run.given,
        friction: run.friction,
        impacts: run.impacts,
        balance: run.balance(),
    }
}

/// The same in words; of many switches the first and the last.
fn switches(told: &answers::Switching) -> String {
    const SHOWN: usize = 24;
    let mut text = String::new();
    let count = told.switches.len();
    let _ = writeln!(text, "{}", if count == 0 { "no contact switched".to_owned() } else { "switches:".to_owned() });
    for (i, s) in told.switches.iter().enumerate() {
        if count > SHOWN && i == SHOWN / 2 {
            let _ = writeln!(text, "  … {} more", count - SHOWN);
        }
        if count > SHOWN && (SHOWN / 2..count - SHOWN / 2).contains(&i) {
            continue;
        }
        let _ = write!(text, "  t = {:<22} {} {}", number(s.t), s.constraint, s.change);
        if let Some(sign) = s.direction {
            let _ = write!(text, ", {} direction", if sign < 0.0 { "negative" } else { "positive" });
        }
        if let (Some(speed), Some(impulse), Some(lost)) = (s.speed, s.impulse, s.lost) {
            let _ = write!(
                text,
                " with {}: impulse {}, energy lost {}",
                brief(speed, 6),
                brief(impulse, 6),
                brief(lost, 6)
            );
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "energy {} at the start, {} at the end; forces and drives gave {}, friction took {}, impacts {}",
        brief(told.energy_at_start, 9),
        brief(told.energy_at_end, 9),
        brief(told.given, 9),
        brief(told.friction, 9),
        brief(told.impacts, 9)
    );
    let _ = writeln!(text, "balance of energy: {:.1e}", told.balance);
    text
}

fn answer(
    w: &mut Workbench,
    s: &Simulation,
    asked: Option<&Table>,
    switching: Option<answers::Switching>,
) -> answers::Simulation {
    let n = w.system.n();
    let (names, constraints) = (coordinate_names(w), constraint_names(w));
    let state = |t: f64, y: &[f64]| answers::State::new(&names, t, &y[..n], &y[n..]);
    let samples = s
        .samples
        .iter()
        .map(|p| Sample { state: state(p.t, &p.y), multipliers: by_name(&constraints, p.multipliers.iter().copied()) });
    answers::Simulation {
        outcome: (&s.outcome).into(),
        method: s.method.id(),
        samples: samples.collect(),
        steps: s.statistics.steps,
        rejected: s.statistics.rejected,
        evaluations: s.statistics.evaluations,
        drift: Drift { energy: s.energy_drift, constraints: s.constraint_drift },
        end: state(s.end.0, &s.end.1),
        columns: asked.map(|table| by_name(&table.names, table.columns.iter().cloned())),
        message: (s.outcome != simulate::Outcome::Finished).then(|| describe(w, s)),
        switching,
    }
}

fn summary(w: &mut Workbench, state: &State, s: &Simulation, tolerance: f64) -> String {
    let mut text = String::new();
    for line in completed(w, state) {
        let _ = writeln!(text, "{line}");
    }
    let how = match &s.outcome {
        simulate::Outcome::Event { name, .. } => format!("stopped at {name}"),
        other => other.code().replace('_', " "),
    };
    let _ = writeln!(text, "{}: {how}, t = {} … {}", w.system.name, number(state.time), number(s.end.0));
    let _ = writeln!(
        text,
        "{}: {}, {} rejected, {}",
        s.method.id(),
        counted(s.statistics.steps as usize, "step"),
        s.statistics.rejected,
        counted(s.statistics.evaluations as usize, "evaluation")
    );
    let _ = writeln!(
        text,
        "change of energy {:.2e}, drift off the constraints before projection {:.2e}",
        s.energy_drift, s.constraint_drift
    );
    let n = w.system.n();
    let _ = writeln!(text, "final state:");
    let names: Vec<&str> = w.system.coordinates.iter().map(|&q| w.g.name(q)).collect();
    let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (i, name) in names.iter().enumerate() {
        let (q, v) = (integrated(s.end.1[i], tolerance), integrated(s.end.1[n + i], tolerance));
        let (velocity, after) = (format!("{name}'"), wide + 1);
        let _ = writeln!(text, "  {name:<wide$} = {q:<24} {velocity:<after$} = {v}");
    }
    if s.statistics.stiff {
        text.push_str("the forces look stiff: `--method implicit` may be faster\n");
    }
    text
}

/// Says how far a run is, now and then.
struct Progress {
    from: f64,
    to: f64,
    steps: u64,
}

impl Progress {
    fn show(&mut self, t: f64) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            let part = ((t - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
            let filled = (part * 20.0) as usize;
            let bar = "=".repeat(filled) + &" ".repeat(20 - filled);
            doing(format!("simulate [{bar}] {:3.0} %  t = {t:.4}", part * 100.0));
        }
        true
    }
}
