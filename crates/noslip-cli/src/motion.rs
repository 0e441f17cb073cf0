//! Motions, as every command that runs one asks for them and tells of them.

use crate::failure::Failure;
use crate::open::Opened;
use crate::options::RunArgs;
use crate::terminal::complain;
use noslip::Error;
use noslip::arrange::Arrange;
use noslip::expr::{Function, Node};
use noslip::mechanics::{Excursion, Workbench, no_reaction};
use noslip::model::{Choice, Completed, State};
use noslip::numeric::brief;
use noslip::simulate::{self, Component, Method, Settings, Simulation};

/// Most samples of one run: they are kept in memory.
const MOST_SAMPLES: usize = 10_000_000;

/// What to do, from the command line and the model's own wishes.
pub fn settings(args: &RunArgs, opened: &mut Opened, state: &State) -> Result<Settings, Failure> {
    let wishes = Settings::of_system(&opened.model.system);
    let defaults = &opened.model.system.simulation;
    let farthest = args.at.iter().copied().max_by(|a, b| (a - state.time).abs().total_cmp(&(b - state.time).abs()));
    let until = args.until.or(farthest).or(defaults.until.is_some().then_some(wishes.until)).ok_or_else(|| {
        Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
    })?;
    let mut at = args.at.clone();
    if at.is_empty() {
        let n = args.samples.or(defaults.samples).unwrap_or(101);
        if !(2..=MOST_SAMPLES).contains(&n) {
            return Err(Error::input(format!("{n} samples: expected a number between 2 and {MOST_SAMPLES}"))
                .hint("give --samples N, or `samples` under [simulation] in the model")
                .into());
        }
        at = Settings::until(until).sampled(state, n).at;
    }
    let forward = until >= state.time;
    if let Some(t) = at.iter().find(|&&t| t < state.time.min(until) || t > state.time.max(until)) {
        return Err(Error::input(format!("`--at {t}` lies outside the run from t = {} to {until}", state.time))
            .hint("give another --until, or leave this time out")
            .into());
    }
    if let Some(step) = args.step.filter(|h| *h <= 0.0) {
        return Err(Error::input(format!("`--step {step}`: a step is greater than zero")).into());
    }
    at.arrange_by(|a, b| if forward { a.total_cmp(b) } else { b.total_cmp(a) });
    let mut stops = Vec::new();
    for text in &args.stops {
        stops.push((text.clone(), opened.expression("--stop", text)?));
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

/// The error of a run that did not reach its end, after what was computed has been told.
pub fn expect_success(w: &mut Workbench, s: &Simulation) -> Result<(), Failure> {
    match s.outcome.is_success() {
        true => Ok(()),
        false => Err(Error::computation(describe(w, s)).into()),
    }
}

/// How the run ended, in words, and what to try.
pub fn describe(w: &mut Workbench, s: &Simulation) -> String {
    let what = ending(w, &s.outcome, s.method);
    if s.outcome.is_success() { what } else { format!("{what}; the last good state is at t = {}", s.end.0) }
}

/// Does a force change suddenly with its argument?
fn jumps(w: &Workbench) -> bool {
    w.g.reachable(&w.system.forces).into_iter().any(|e| matches!(w.g.node(e), Node::Call(Function::Sign, _)))
}

/// Says when the kinetic energy is not positive for what the constraints allow.
pub fn warn_of_negative_inertia(w: &mut Workbench, state: &State) -> Result<(), Failure> {
    if let Some(direction) = simulate::negative_inertia(w, state)? {
        let largest = direction.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let moving =
            |(&s, x): (&_, &f64)| (x.abs() > 1e-6 * largest).then(|| format!("{} = {}", w.g.name(s), brief(*x, 3)));
        let names: Vec<String> = w.system.velocities.iter().zip(&direction).filter_map(moving).collect();
        complain(&format!(
            "warning: the kinetic energy is negative for allowed velocities: {} at the initial state",
            names.join(", ")
        ));
    }
    Ok(())
}

/// Says where motions went beyond the data of a table.
pub fn warn_of_tables(w: &Workbench) {
    w.excursions.iter().for_each(|e| complain(&format!("warning: {}", beyond_data(e))));
}

/// What is said of a table that was left.
pub fn beyond_data(e: &Excursion) -> String {
    let [first, last] = e.data.map(|x| brief(x, 6));
    let (table, argument, t) = (&e.table, &e.argument, brief(e.t, 4));
    format!(
        "the argument `{argument}` of table `{table}` leaves its data, {first} … {last}, at t ≈ {t}: beyond them the table \
         goes on with its last slope"
    )
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
                _ if jumps(w) => "a force jumps there (`sign`): the body may have come to rest",
                true => "the motion may become singular there",
                false => "the motion may become singular there; if it is stiff, try --method implicit",
            };
            format!("the step became too small (h = {h:.1e}) at t = {t}; {hint}")
        }
        Singular { which, t } => {
            let why = no_reaction(w).unwrap_or_else(|| format!("{which} loses rank"));
            format!("the accelerations are not determined at t = {t}: {why}")
        }
        Drift { which, size, t } => {
            format!("{which} is violated by {size:.1e} at t = {t} and cannot be restored")
        }
        MaxSteps { t } => format!("the limit of steps was reached at t = {t}; raise it with --max-steps"),
        Cancelled { t } => format!("cancelled at t = {t}"),
    }
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
    // What is left of rounding is zero to a person.
    let shown = |x: f64| brief(if x.abs() < 1e-12 { 0.0 } else { x }, 6);
    let other = c.other.map_or_else(String::new, |x| format!(" or {}", shown(x)));
    format!("{} = {}{other}", w.g.name(c.symbol), shown(c.value))
}

fn chosen(how: Choice) -> &'static str {
    match how {
        Choice::Constraints => "from the constraints",
        Choice::Zero => "not given, taken as zero",
    }
}
