//! `noslip grip`

use crate::failure::{Failure, Outcome};
use crate::motion::{describe, ending, settings, warn_of_tables};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, RunArgs, named, unknown};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, coordinate_names, shown};
use clap::Args;
use noslip::Error;
use noslip::contact::friction::{self, Contact, GripRun, contacts, grip, reactions};
use noslip::contact::non_ideal::{NonIdealRun, simulate_non_ideal};
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::numeric::aligned;
use noslip::simulate::{self, Settings};
use noslip_cli::answers::{
    ByName, Grip, GripLimits, GripSample, LeastMargin, Load, NonIdeal, NonIdealSample, Phase, Slide, Stopped, by_name,
};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip grip car-in-a-turn --limit rear_axle=2000 --limit front_axle=4000
  noslip grip vertical-disk --contact tyre=roll_x,roll_y --limit tyre=0.3
  noslip grip sleigh.toml --law \"x=-0.2*abs(lambda_knife_edge)*cos(phi)\"

A limit is the `friction` of the constraint in the model, or --limit; it may
contain multipliers (normal forces). With --law, tangential forces are added
that depend on the reaction: the constraint is not ideal.
The exit status is 1 if a contact slides.")]
pub struct GripArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// The largest reaction a constraint or contact can give, NAME=EXPR; may be repeated
    #[arg(long = "limit", value_name = "NAME=EXPR")]
    pub limits: Vec<String>,
    /// Several directions of slip at one contact, NAME=CONSTRAINT,CONSTRAINT; may be repeated
    #[arg(long = "contact", value_name = "NAME=C,C")]
    pub contacts: Vec<String>,
    /// A tangential force on a coordinate, COORDINATE=EXPR, which may contain multipliers; may be repeated
    #[arg(long = "law", value_name = "NAME=EXPR", allow_hyphen_values = true)]
    pub laws: Vec<String>,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Reactions along a motion, and whether the contacts hold.
pub fn run(args: &GripArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
    let settings = settings(&args.run, &mut opened, &state)?;
    if !args.laws.is_empty() {
        return slide(args, &mut opened, &state, &settings);
    }
    let list = chosen(args, &mut opened)?;
    let mut w = opened.model.workbench();
    let run = grip(&mut w, &list, &state, &settings)?;
    warn_of_tables(&w);
    match args.format.is_json() {
        true => say_json(&Grip::Limits(Box::new(answer(&mut w, &list, &run)))),
        false => say(&text(&mut w, &list, &run)),
    }
    if !run.simulation.outcome.is_success() {
        let why = describe(&mut w, &run.simulation);
        return Err(Error::computation(format!("the run ended early: {why}")).into());
    }
    if run.slides.is_some() { Err(Failure::no()) } else { Ok(()) }
}

/// The motion under a law of friction.
fn slide(args: &GripArgs, opened: &mut Opened, state: &State, settings: &Settings) -> Outcome {
    if !args.limits.is_empty() || !args.contacts.is_empty() {
        return Err(Error::input("--law describes sliding friction, --limit and --contact the limit of grip")
            .hint("ask the two questions one after the other")
            .into());
    }
    let law = opened.forces("--law", &args.laws)?;
    let mut w = opened.model.workbench();
    let run = simulate_non_ideal(&mut w, &law, state, settings)?;
    warn_of_tables(&w);
    match args.format.is_json() {
        true => say_json(&Grip::Law(non_ideal_answer(&w, &run))),
        false => say(&non_ideal_text(&w, &run)),
    }
    if run.outcome.is_success() {
        return Ok(());
    }
    let why = match &run.law {
        Some(law) => format!("at t = {} {}", run.end.0, law.describe(&constraint_names(&w))),
        None => ending(&mut w, &run.outcome, settings.method),
    };
    Err(Error::computation(format!("the run ended early: {why}")).into())
}

/// The model's contacts with `--contact` and `--limit` applied.
fn chosen(args: &GripArgs, opened: &mut Opened) -> Result<Vec<Contact>, Failure> {
    let mut list = contacts(&opened.model.workbench());
    let mut together = Vec::new();
    for text in &args.contacts {
        let (name, rest) = named("--contact", text)?;
        let members: Result<Vec<usize>, Failure> =
            rest.split(',').map(|c| opened.constraint(&format!("`--contact {text}`: "), c.trim())).collect();
        together.push((name, members?));
    }
    let mut unlimited: Vec<&str> = together.iter().map(|(n, _)| *n).collect();
    for text in &args.limits {
        let (name, rest) = named("--limit", text)?;
        let limit = opened.expression("--limit", rest)?;
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
            Err(Error::input(format!("contact `{name}` has no limit")).hint(format!("give --limit {name}=EXPR")).into())
        }
    }
}

fn by(names: &[String], values: &[f64]) -> ByName<f64> {
    by_name(names, values.iter().copied())
}

fn answer(w: &mut Workbench, list: &[Contact], run: &GripRun) -> GripLimits {
    let (names, constraints) = (coordinate_names(w), constraint_names(w));
    let contacts: Vec<String> = list.iter().map(|c| c.name.clone()).collect();
    let formulas: Vec<_> = reactions(w).iter().map(|row| by_name(&names, all_written(w, row))).collect();
    let load = |l: &friction::Load| Load { force: l.force, limit: l.limit, margin: l.margin() };
    let samples = run.simulation.samples.iter().zip(&run.reactions).zip(&run.loads);
    let samples = samples.map(|((s, reactions), loads)| GripSample {
        t: s.t,
        multipliers: by(&constraints, &s.multipliers),
        reactions: by_name(&constraints, reactions.iter().map(|r| by(&names, r))),
        contacts: by_name(&contacts, loads.iter().map(load)),
    });
    GripLimits {
        name: w.system.name.clone(),
        outcome: (&run.simulation.outcome).into(),
        reactions: by_name(&constraints, formulas),
        least_margin: by_name(&contacts, run.least.iter().map(|(t, l)| LeastMargin { t: *t, load: load(l) })),
        holds: run.slides.is_none(),
        slides: run.slides.as_ref().map(|s| Slide {
            contact: contacts[s.contact].clone(),
            t: s.t,
            force: s.load.force,
            limit: s.load.limit,
            phase: Phase::new(&names, &s.state),
        }),
        samples: samples.collect(),
    }
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
        let _ = write!(out, "  {:>10}", aligned(s.t, 4));
        for x in &s.multipliers {
            let _ = write!(out, " {:>15}", aligned(*x, 6));
        }
        for l in loads {
            let _ = write!(out, " {:>22}", aligned(l.margin(), 6));
        }
        out.push('\n');
    }
    if list.is_empty() {
        out.push_str("\nNo limit is given: write `friction` with a constraint, or --limit NAME=EXPR\n");
    }
    for (c, (t, l)) in list.iter().zip(&run.least) {
        let gives = if l.parts() {
            "its normal force would have to pull: the contact opens".to_owned()
        } else {
            format!("the reaction is {}, friction gives {}", aligned(l.force, 6), aligned(l.limit, 6))
        };
        let _ = writeln!(out, "\n{}: least margin {} at t = {t}: {gives}", c.name, aligned(l.margin(), 6));
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

fn non_ideal_answer(w: &Workbench, run: &NonIdealRun) -> NonIdeal {
    let (names, constraints) = (coordinate_names(w), constraint_names(w));
    let samples = run.samples.iter().map(|s| NonIdealSample {
        t: s.t,
        phase: Phase::new(&names, &s.y),
        multipliers: by(&constraints, &s.multipliers),
        tangential: by(&names, &s.tangential),
        energy: s.energy,
        power: s.power,
    });
    NonIdeal {
        name: w.system.name.clone(),
        outcome: (&run.outcome).into(),
        stopped: match &run.outcome {
            simulate::Outcome::Event { name, t, .. } => Some(Stopped { t: *t, place: name.clone() }),
            _ => None,
        },
        samples: samples.collect(),
        steps: run.statistics.steps,
        most_iterations: run.most_iterations,
        law: run.law.as_ref().map(|l| l.describe(&constraints)),
    }
}

fn non_ideal_text(w: &Workbench, run: &NonIdealRun) -> String {
    let mut out =
        format!("{}: with friction at the constraints, {}\n", w.system.name, run.outcome.code().replace('_', " "));
    if let simulate::Outcome::Event { name, t, .. } = &run.outcome {
        let _ = writeln!(out, "stopped at t = {t}: {name} = 0");
    }
    let names = coordinate_names(w);
    let n = names.len();
    if let (Some(first), Some(last)) = (run.samples.first(), run.samples.last()) {
        let _ = writeln!(
            out,
            "energy {} at t = {}, {} at t = {}",
            aligned(first.energy, 9),
            first.t,
            aligned(last.energy, 9),
            last.t
        );
        for (i, name) in names.iter().enumerate() {
            let _ = writeln!(
                out,
                "  {name} = {:<24} {name}' = {:<24} tangential force {}",
                last.y[i],
                last.y[n + i],
                aligned(last.tangential[i], 6)
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
