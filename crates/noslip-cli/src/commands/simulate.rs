//! `noslip simulate`

use super::{expression, say, say_json};
use crate::args::{Format, RunArgs, SimulateArgs};
use crate::failure::{Failure, Outcome};
use crate::figures;
use crate::open::{Opened, open};
use crate::output::{self, Columns, expect_extension, expect_folder, number, write_atomically};
use crate::parquet::parquet;
use noslip::contact::friction;
use noslip::mechanics::Workbench;
use noslip::model::{Choice, Completed, Overrides, State};
use noslip::numeric::brief;
use noslip::simulate::{self, Component, Method, Settings, Simulation};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::io::IsTerminal;

/// Most samples of one run: they are kept in memory.
const MOST_SAMPLES: usize = 10_000_000;

/// Integrates the motion.
pub fn run(args: &SimulateArgs) -> Outcome {
    // What cannot be written is found out before the run, not after it.
    if let Some(path) = &args.out {
        expect_extension(path, &["csv", "json", "parquet"])?;
        expect_folder(path)?;
    }
    if let Some(path) = &args.plot {
        expect_extension(path, &["svg", "png"])?;
        expect_folder(path)?;
    }
    let mut opened = open(&args.model)?;
    let state = initial_state(&mut opened)?;
    let mut settings = settings(&args.run, &mut opened, &state)?;
    let columns = Columns::parse(args.columns.as_deref(), &mut opened)?;
    // Without columns, what the model itself wants plotted.
    let figures = match (&args.plot, &args.columns) {
        (Some(_), None) => figures::figures(&mut opened)?,
        _ => Vec::new(),
    };
    let mut w = opened.model.workbench();
    if args.grip {
        watch_grip(&mut w, &state, &mut settings)?;
    }
    let mut progress = Progress::new(state.time, settings.until);
    let simulation = simulate::simulate(&mut w, &state, &settings, &mut |t| progress.show(t))?;
    progress.finish();
    let table = columns.evaluate(&mut w, &simulation)?;
    table.warn_of_gaps();
    if let Some(path) = &args.out {
        let bytes = match path.extension().and_then(|x| x.to_str()) {
            Some("json") => (format!("{:#}\n", document(&mut w, &simulation))).into_bytes(),
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
    match args.format {
        Format::Json => say_json(&document(&mut w, &simulation)),
        Format::Text if args.out.is_none() && args.plot.is_none() && args.columns.is_some() => say(&table.csv()),
        Format::Text => {
            let mut text = summary(&mut w, &state, &simulation);
            for path in args.out.iter().chain(&args.plot) {
                let _ = writeln!(text, "wrote {}", path.display());
            }
            say(&text);
        }
    }
    if simulation.outcome.is_success() {
        Ok(())
    } else {
        Err(Failure::computation(format!("error: {}", describe(&mut w, &simulation))))
    }
}

/// Adds an event for every contact whose friction is given; a contact that cannot hold from the start is a refusal.
fn watch_grip(w: &mut Workbench, state: &State, settings: &mut Settings) -> Outcome {
    let contacts = friction::contacts(w);
    if contacts.is_empty() {
        return Err(Failure::input("error: `--grip`: no constraint of the model has `friction`")
            .with_help("write NAME = { equation = \"...\", friction = \"...\" }, or ask `noslip grip` with --limit"));
    }
    let loads = friction::loads(w, &contacts, state)?;
    if let Some((c, l)) = contacts.iter().zip(&loads).find(|(_, l)| l.margin() <= 0.0) {
        return Err(Failure::computation(format!(
            "error: the contact `{}` slides from the start: the constraint asks for {}, friction gives {}",
            c.name, l.force, l.limit
        )));
    }
    for (c, margin) in contacts.iter().zip(friction::margins(w, &contacts)) {
        settings.stops.push((format!("the margin of friction of {}", c.name), margin));
    }
    Ok(())
}

/// The completed initial state.
pub fn initial_state(opened: &mut Opened) -> Result<State, Failure> {
    opened.model.initial_state(&Overrides::default()).map_err(|e| opened.refuse(&[e]))
}

/// What to do, from the command line and the model's own wishes.
pub fn settings(args: &RunArgs, opened: &mut Opened, state: &State) -> Result<Settings, Failure> {
    let wishes = Settings::of_system(&opened.model.system);
    let defaults = &opened.model.system.simulation;
    let farthest = args.at.iter().copied().max_by(|a, b| (a - state.time).abs().total_cmp(&(b - state.time).abs()));
    let until = args.until.or(farthest).or(defaults.until.is_some().then_some(wishes.until)).ok_or_else(|| {
        Failure::input("error: no end time\n  = help: give --until T, or `until` under [simulation] in the model")
    })?;
    let mut at = args.at.clone();
    if at.is_empty() {
        let n = args.samples.or(defaults.samples).unwrap_or(101);
        if !(2..=MOST_SAMPLES).contains(&n) {
            return Err(Failure::input(format!("error: {n} samples: expected a number between 2 and {MOST_SAMPLES}"))
                .with_help("give --samples N, or `samples` under [simulation] in the model"));
        }
        at = Settings::until(until).sampled(state, n).at;
    }
    let forward = until >= state.time;
    if let Some(t) = at.iter().find(|&&t| t < state.time.min(until) || t > state.time.max(until)) {
        return Err(Failure::input(format!(
            "error: `--at {t}` lies outside the run from t = {} to {until}\n  = help: give another --until, or leave this time out",
            state.time
        )));
    }
    if let Some(step) = args.step.filter(|h| *h <= 0.0) {
        return Err(Failure::input(format!("error: `--step {step}`: a step is greater than zero")));
    }
    at.sort_by(|a, b| if forward { a.total_cmp(b) } else { b.total_cmp(a) });
    let mut stops = Vec::new();
    for text in &args.stops {
        stops.push((text.clone(), expression(opened, "--stop", text)?));
    }
    Ok(Settings {
        until,
        at,
        tolerance: args.tolerance.unwrap_or(wishes.tolerance),
        method: args.method.unwrap_or(wishes.method),
        step: args.step,
        max_steps: args.max_steps.unwrap_or(wishes.max_steps),
        stops,
    })
}

fn document(w: &mut Workbench, s: &Simulation) -> Value {
    let n = w.system.n();
    let names: Vec<String> = w.system.coordinates.iter().map(|&c| w.g.name(c).to_owned()).collect();
    let object = |values: &[f64]| -> Map<String, Value> {
        names.iter().zip(values).map(|(n, x)| (n.clone(), json!(x))).collect()
    };
    let samples: Vec<Value> = s
        .samples
        .iter()
        .map(|p| {
            let multipliers: Map<String, Value> =
                w.system.constraints.iter().zip(&p.multipliers).map(|(c, m)| (c.name.clone(), json!(m))).collect();
            json!({"t": p.t, "q": object(&p.y[..n]), "v": object(&p.y[n..]), "multipliers": multipliers})
        })
        .collect();
    let mut document = json!({
        "outcome": s.outcome.code(),
        "method": s.method.id(),
        "samples": samples,
        "steps": s.statistics.steps,
        "rejected": s.statistics.rejected,
        "evaluations": s.statistics.evaluations,
        "drift": {"energy": s.energy_drift, "constraints": s.constraint_drift},
        "end": {"t": s.end.0, "q": object(&s.end.1[..n]), "v": object(&s.end.1[n..])},
    });
    if !s.outcome.is_success() || s.outcome.code() == "event" {
        document["message"] = json!(describe(w, s));
    }
    document
}

/// How the run ended, in words, and what to try.
pub fn describe(w: &mut Workbench, s: &Simulation) -> String {
    let what = ending(w, &s.outcome, s.method);
    if s.outcome.is_success() { what } else { format!("{what}; the last good state is at t = {}", s.end.0) }
}

/// An outcome in words.
pub fn ending(w: &mut Workbench, outcome: &simulate::Outcome, method: &Method) -> String {
    use noslip::simulate::Outcome::*;
    match outcome {
        Finished => outcome.code().to_owned(),
        Event { name, t, .. } => format!("stopped at t = {t}: `{name}` crosses zero"),
        NonFinite { component: Component::Event(i), t } => {
            format!("the value of --stop number {} is not finite at t = {t}", i + 1)
        }
        NonFinite { component, t } => {
            let name = simulate::component_name(w, component);
            match method.start {
                simulate::Begin::Series(_) => format!(
                    "`{name}` has no finite Taylor series at t = {t}; where abs or sign change sign there is none: \
                     try --method dop853"
                ),
                _ => format!("`{name}` is not finite at t = {t}"),
            }
        }
        StepTooSmall { t, h } => {
            let hint = match method.stiff {
                true => "the motion may become singular there",
                false => "the motion may become singular there; if it is stiff, try --method implicit",
            };
            format!("the step became too small (h = {h:.1e}) at t = {t}; {hint}")
        }
        Singular { which, t } => format!("the accelerations are not determined at t = {t}: {which} loses rank"),
        Drift { which, size, t } => {
            format!("constraint `{which}` is violated by {size:.1e} at t = {t} and cannot be restored")
        }
        MaxSteps { t } => format!("the limit of steps was reached at t = {t}; raise it with --max-steps"),
        Cancelled { t } => format!("cancelled at t = {t}"),
    }
}

fn summary(w: &mut Workbench, state: &State, s: &Simulation) -> String {
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
        counted(s.statistics.steps, "step"),
        s.statistics.rejected,
        counted(s.statistics.evaluations, "evaluation")
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
        let (q, v) = (number(s.end.1[i]), number(s.end.1[n + i]));
        let (velocity, after) = (format!("{name}'"), wide + 1);
        let _ = writeln!(text, "  {name:<wide$} = {q:<24} {velocity:<after$} = {v}");
    }
    if s.statistics.stiff {
        text.push_str("the forces look stiff: `--method implicit` may be faster\n");
    }
    text
}

/// What was not given of the initial state, in two lines at most: what the constraints say, and what was taken as zero.
pub fn completed(w: &Workbench, state: &State) -> Vec<String> {
    let mut lines = Vec::new();
    for how in [Choice::Constraints, Choice::Zero] {
        let found = state.completed.iter().filter(|c| c.how == how);
        let found: Vec<String> = found
            .map(|c| match how {
                Choice::Constraints => value(w, c),
                Choice::Zero => w.g.name(c.symbol).to_owned(),
            })
            .collect();
        if !found.is_empty() {
            lines.push(format!("{}: {}", chosen(how), found.join(", ")));
        }
    }
    lines
}

/// One value that was not given: `y' = 2 (from the constraints)`.
pub fn completion(w: &Workbench, c: &Completed) -> String {
    format!("{} ({})", value(w, c), chosen(c.how))
}

fn value(w: &Workbench, c: &Completed) -> String {
    format!("{} = {}", w.g.name(c.symbol), brief(c.value, 6))
}

fn chosen(how: Choice) -> &'static str {
    match how {
        Choice::Constraints => "from the constraints",
        Choice::Zero => "not given, taken as zero",
    }
}

/// `1 step`, `2 steps`.
pub fn counted(n: u64, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// A progress line on a terminal, for runs that take long enough to wonder.
struct Progress {
    from: f64,
    to: f64,
    started: std::time::Instant,
    shown: Option<u32>,
    steps: u64,
    on: bool,
}

impl Progress {
    fn new(from: f64, to: f64) -> Progress {
        Progress {
            from,
            to,
            started: std::time::Instant::now(),
            shown: None,
            steps: 0,
            on: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, t: f64) -> bool {
        self.steps += 1;
        if self.on && self.steps.is_multiple_of(256) && self.started.elapsed().as_millis() > 500 {
            let part = ((t - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
            let percent = (part * 100.0) as u32;
            if self.shown != Some(percent) {
                self.shown = Some(percent);
                let filled = (part * 40.0) as usize;
                eprint!("\r[{}{}] {percent:3} %  t = {t:.4}", "=".repeat(filled), " ".repeat(40 - filled));
            }
        }
        true
    }

    fn finish(&self) {
        if self.shown.is_some() {
            eprintln!();
        }
    }
}
